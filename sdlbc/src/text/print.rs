//! Prints a module as text.
//!
//! Rule: parsing the printed text of a module returns the same module, unless an instruction has too few or too many operands or
//! blocks for its operation (V07, V09). Only a module built in code can contain an instruction with the wrong number of operands
//! or blocks. The printed text's size is proportional to the module's size, because each name is printed once, long names are
//! omitted from comments, and indentation stops at the nesting limit. The printer does not recurse, because the blocks of a
//! module built in code may be nested too deeply for the stack.

use std::collections::HashSet;
use std::fmt::{self, Write};

use super::comments::{Anchor, Comments};
use super::inst::{FunctionText, fit_into_functions};
use super::kinds;
use super::words::{Label, Quoted};
use crate::limits;
use crate::{Block, Blocks, Debug, FunctionDebug, InstRef, Insts, Lines, Module, SourceBinding};

/// Returns the text of a module, whether or not the module is valid. [`crate::text`] describes the grammar.
///
/// If a module is valid, or was read from a file or from text, its printed text parses to the same module. The parser may reject
/// the printed text of any other module, for example because its blocks are nested more deeply than
/// [`limits::NESTING`](crate::limits::NESTING), or because its instructions exceed
/// [`limits::INSTRUCTIONS`](crate::limits::INSTRUCTIONS).
pub fn print(module: &Module) -> String {
    print_with(module, &Comments::default())
}

/// The position of an instruction in the printed text of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstLine {
    /// The number of the instruction's first line, counted from 0.
    pub line: usize,
    /// The index of the instruction's function in the module.
    pub function: usize,
    /// The instruction's index in its function, in reading order.
    pub instruction: usize,
}

/// Returns the text of a module and the position of each instruction in the text, in ascending order.
///
/// ```
/// let module = sdlbc::parse("generic function \"f\" {\n  return\n}\n").expect("a module");
/// let (text, lines) = sdlbc::print_lines(&module);
/// assert_eq!(text.lines().nth(lines[0].line), Some("  return"));
/// ```
pub fn print_lines(module: &Module) -> (String, Vec<InstLine>) {
    printed(module, &Comments::default())
}

/// Returns the text of a module, including the comments of the text from which the module was parsed.
pub fn print_with(module: &Module, comments: &Comments) -> String {
    printed(module, comments).0
}

fn printed(module: &Module, comments: &Comments) -> (String, Vec<InstLine>) {
    let mut writer = Writer { text: String::new(), depth: 0, comments, lines: 0, insts: Vec::new() };
    writer.sources(&module.debug);
    for text in FunctionText::all(module) {
        writer.gap();
        Printer { writer: &mut writer, text, next: 0 }.function();
    }
    if !fit_into_functions(module) {
        for (at, record) in module.debug.functions.iter().enumerate() {
            writer.gap();
            writer.record(at, record);
        }
    }
    writer.comments(Anchor::End);
    (writer.text, writer.insts)
}

struct OpenInst<'i> {
    inst: InstRef<'i>,
    at: usize,
    number: usize,
    opens: String,
}

/// The column to which an instruction is padded before its comment.
const COMMENT: usize = 48;

/// A keyword followed by a quoted string, printed only if the string is not empty.
struct Clause<'a>(&'static str, &'a str);

impl fmt::Display for Clause<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.1.is_empty() { Ok(()) } else { write!(f, " {} {}", self.0, Quoted(self.1)) }
    }
}

struct Writer<'a> {
    text: String,
    depth: usize,
    comments: &'a Comments,
    lines: usize,
    insts: Vec<InstLine>,
}

impl Writer<'_> {
    fn line(&mut self, content: fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{:width$}{content}", "", width = self.indentation());
        self.lines += 1;
    }

    fn indentation(&self) -> usize {
        2 * self.depth.min(limits::NESTING + 1)
    }

    /// Adds an empty line, except at the beginning of the text.
    fn gap(&mut self) {
        if !self.text.is_empty() {
            self.empty_line();
        }
    }

    fn empty_line(&mut self) {
        self.text.push('\n');
        self.lines += 1;
    }

    fn comments(&mut self, anchor: Anchor) {
        let comments = self.comments;
        for comment in comments.before(anchor).lines() {
            self.line(format_args!(";{comment}"));
        }
    }

    fn sources(&mut self, debug: &Debug) {
        if let Some(program) = debug.program {
            self.line(format_args!("program {program:#010x}"));
        }
        for (index, source) in debug.sources.iter().enumerate() {
            self.comments(Anchor::Source(index));
            let (file, unit, text) = (Quoted(&source.file), source.unit.name(), Clause("text", &source.text));
            self.line(format_args!("source {index} {file} {unit}{text}"));
        }
    }

    /// Writes a record of the debug table as a separate `debug` section.
    fn record(&mut self, at: usize, record: &FunctionDebug) {
        self.comments(Anchor::Debug(at));
        self.line(format_args!("debug {}{} {{", record.function, Clause("called", &record.name)));
        self.depth += 1;
        if let Some(lines) = &record.lines {
            self.lines_listed(lines);
        }
        for (id, name) in record.ids.iter() {
            self.line(format_args!("name {id} {}", Label(name)));
        }
        self.members(at, record);
        self.bindings(record);
        self.comments(Anchor::DebugEnd(at));
        self.depth -= 1;
        self.line(format_args!("}}"));
    }

    fn members(&mut self, at: usize, record: &FunctionDebug) {
        for (&id, members) in &record.members {
            for (index, member) in members.iter().enumerate() {
                self.comments(Anchor::Member(at, id, index));
                self.line(format_args!("member {id}{} {}: {}", member.place(), Label(&member.name), member.ty));
            }
        }
    }

    fn bindings(&mut self, record: &FunctionDebug) {
        for (id, &binding) in &record.bindings {
            match binding {
                SourceBinding::Push => self.line(format_args!("binding {id} push")),
                SourceBinding::Bound { place: [group, number], sampler: None } => {
                    self.line(format_args!("binding {id} {group} {number}"));
                }
                SourceBinding::Bound { place: [group, number], sampler: Some([of, at]) } => {
                    self.line(format_args!("binding {id} {group} {number} sampler {of} {at}"));
                }
            }
        }
    }

    fn lines_listed(&mut self, lines: &Lines) {
        let numbers = lines.numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        let space = if numbers.is_empty() { "" } else { " " };
        self.line(format_args!("lines of {} numbers{space}{numbers}", lines.source));
    }
}

struct Printer<'a, 'w> {
    writer: &'a mut Writer<'w>,
    text: FunctionText<'a>,
    next: usize,
}

impl Printer<'_, '_> {
    fn function(mut self) {
        let (function, index) = (self.text.function, self.text.index);
        self.writer.comments(Anchor::Function(index));
        let called = Clause("called", self.text.debug.map_or("", |debug| &debug.name));
        self.writer.line(format_args!("{} function {}{called} {{", function.kind.name(), Quoted(&function.name)));
        self.writer.depth += 1;
        for (at, input) in function.inputs.iter().enumerate() {
            self.writer.comments(Anchor::Input(index, at));
            let kind = kinds::show(&input.kind);
            self.writer.line(format_args!("input {} {}: {} = {kind}", input.id, Label(&input.name), input.ty));
        }
        for (at, output) in function.outputs.iter().enumerate() {
            self.writer.comments(Anchor::Output(index, at));
            let kind = kinds::show(&output.kind);
            self.writer.line(format_args!("output {at} {}: {} = {kind}", Label(&output.name), output.ty));
        }
        if let Some([x, y, z]) = function.workgroup {
            self.writer.line(format_args!("workgroup {x} {y} {z}"));
        }
        self.debug_lines();
        if !function.body.is_empty() {
            self.writer.empty_line();
        }
        self.block(function.body.block());
        self.writer.comments(Anchor::FunctionEnd(index));
        self.writer.depth -= 1;
        self.writer.line(format_args!("}}"));
    }

    /// Writes the function's `lines`, `name` and `member` lines. The name of a result is not written here, but with the
    /// instruction that defines the result.
    fn debug_lines(&mut self) {
        let Some(debug) = self.text.debug else { return };
        if let Some(lines) = &debug.lines {
            let (lines_there, instructions) = (lines.numbers.len(), self.text.function.body.insts().len());
            match lines_there.cmp(&instructions) {
                std::cmp::Ordering::Less => {
                    self.writer.line(format_args!("lines of {} count {lines_there}", lines.source))
                }
                std::cmp::Ordering::Equal => self.writer.line(format_args!("lines of {}", lines.source)),
                std::cmp::Ordering::Greater => self.writer.lines_listed(lines),
            }
        }
        let mut results = HashSet::new();
        if !debug.ids.is_empty() {
            let code = self.text.function.body.insts().iter();
            results.extend(code.map(|inst| inst.output).filter(|id| id.is_some()));
        }
        for (id, name) in debug.ids.iter().filter(|(id, _)| !results.contains(id)) {
            self.writer.line(format_args!("name {id} {}", Label(name)));
        }
        self.writer.members(self.text.record, debug);
        self.writer.bindings(debug);
    }

    fn block(&mut self, block: Block<'_>) {
        // Each open instruction is paired with the rest of the block that contains it.
        let mut outer: Vec<(Insts<'_>, OpenInst<'_>)> = Vec::new();
        let mut code = block.iter();
        loop {
            if let Some(inst) = code.next() {
                if let Some(mut open) = self.inst(inst)
                    && let Some(first) = self.next_block(&mut open)
                {
                    outer.push((std::mem::replace(&mut code, first.iter()), open));
                }
                continue;
            }
            let Some((rest, mut open)) = outer.pop() else { return };
            self.writer.comments(Anchor::BlockEnd(self.text.index, open.at, open.number - 1));
            self.writer.depth -= 1;
            open.opens = "}".to_string();
            match self.next_block(&mut open) {
                Some(next) => {
                    code = next.iter();
                    outer.push((rest, open));
                }
                None => code = rest,
            }
        }
    }

    /// Opens and returns an instruction's next block, or closes the instruction after its last block.
    fn next_block<'i>(&mut self, open: &mut OpenInst<'i>) -> Option<Block<'i>> {
        let (inst, number) = (open.inst, open.number);
        let kind = inst.op.shape().blocks;
        let block = inst.blocks().get(number).filter(|block| {
            // An empty second block of an IF is printed only if it contains comments.
            let silent = number == 1 && kind == Blocks::If && block.is_empty() && inst.blocks().len() == 2;
            !(silent && self.writer.comments.before(Anchor::BlockEnd(self.text.index, open.at, number)).is_empty())
        });
        let Some(block) = block else {
            self.writer.line(format_args!("}}"));
            return None;
        };
        let opens = &mut open.opens;
        match (kind, inst.immediates.get(number)) {
            (Blocks::Switch, Some(&value)) => {
                let _ = write!(opens, " case {}", self.text.case(&inst).show(value));
            }
            (Blocks::Switch, None) => opens.push_str(" default"),
            _ if number > 0 => opens.push_str(" else"),
            _ => {}
        }
        self.writer.line(format_args!("{} {{", open.opens));
        self.writer.depth += 1;
        open.number += 1;
        Some(block)
    }

    /// Writes an instruction without blocks, or returns an instruction with blocks for the caller to write.
    fn inst<'i>(&mut self, inst: InstRef<'i>) -> Option<OpenInst<'i>> {
        let at = self.next;
        self.next += 1;
        self.writer.comments(Anchor::Inst(self.text.index, at));
        let (line, function) = (self.writer.lines, self.text.index);
        self.writer.insts.push(InstLine { line, function, instruction: at });
        let head = self.text.head(&inst, at);
        if inst.blocks().is_empty() {
            let comment = self.text.comment(&inst);
            if comment.is_empty() {
                self.writer.line(format_args!("{head}"));
                return None;
            }
            let width = COMMENT.saturating_sub(self.writer.indentation());
            self.writer.line(format_args!("{head:width$}  ; {comment}"));
            return None;
        }
        Some(OpenInst { inst, at, number: 0, opens: head })
    }
}

//! A module as text.
//!
//! Rule: the text says all that the module says, so that reading it gives the same module again. The one exception is
//! an instruction with another number of operands or blocks than its operation has (V07, V09), which no file holds.
//! The text is in proportion to the module: a name stands in it once, and long ones not in comments, and lines are not
//! indented further where blocks are nested above the limit. Nothing recurses, as a module made in code may be nested deeper
//! than a file.

use std::collections::HashSet;
use std::fmt::{self, Write};

use super::comments::{Comments, Place};
use super::kinds;
use super::words::{Form, Label, Quoted, leaves_out_last};
use crate::codec::kinds::{INPUT_KINDS, OUTPUT_KINDS, input_words, output_words};
use crate::limits;
use crate::nested::instructions;
use crate::{Block, Blocks, Debug, Function, FunctionDebug, Id, Inst, Lines, Module, Scalar, Type, TypeRule, Types};

/// The text of a module, whether or not it verifies. [`crate::text`] has the grammar.
///
/// The text of a module that verifies reads as that module again, and so does that of any that came from a file or a text.
/// A module made in code may have what the parser refuses: instructions of another shape than their operation's, blocks
/// nested above [`limits::NESTING`](crate::limits::NESTING), and more instructions than
/// [`limits::INSTRUCTIONS`](crate::limits::INSTRUCTIONS).
pub fn print(module: &Module) -> String {
    print_with(module, &Comments::default())
}

/// The text of a module with the comments of the text that it was read from.
pub fn print_with(module: &Module, comments: &Comments) -> String {
    let mut writer = Writer { text: String::new(), depth: 0, comments };
    writer.sources(&module.debug);
    let inline = stand_in_functions(module);
    let mut records = module.debug.functions.iter().filter(|_| inline).peekable();
    let signatures = module.signatures();
    for (index, function) in module.functions.iter().enumerate() {
        writer.gap();
        let debug = records.next_if(|debug| usize::try_from(debug.function) == Ok(index));
        let lines = debug.and_then(|debug| debug.lines.as_ref());
        let shown = lines.filter(|lines| lines.numbers.len() <= count(&function.body));
        let printer = Printer {
            writer: &mut writer,
            index,
            function,
            debug,
            numbers: shown.map_or(&[], |lines| &lines.numbers),
            types: crate::verify::types_with(function, &signatures),
            named: HashSet::new(),
            next: 0,
        };
        printer.function();
    }
    if !inline {
        for (at, record) in module.debug.functions.iter().enumerate() {
            writer.gap();
            writer.record(at, record);
        }
    }
    writer.comments(Place::End);
    writer.text
}

/// Whether each record of the debug table can stand in its function's text and be found there again.
fn stand_in_functions(module: &Module) -> bool {
    let records = &module.debug.functions;
    let rising = records.windows(2).all(|pair| matches!(pair, [a, b] if a.function < b.function));
    let exists = |index: u32| usize::try_from(index).is_ok_and(|index| index < module.functions.len());
    let says = |debug: &FunctionDebug| !debug.name.is_empty() || !debug.ids.is_empty() || debug.lines.is_some();
    rising && records.iter().all(|debug| exists(debug.function) && says(debug))
}

/// Instructions of a block, those in blocks included.
fn count(block: &Block) -> usize {
    instructions(std::slice::from_ref(block)).count()
}

/// An instruction whose blocks are being written.
struct OpenInst<'i> {
    inst: &'i Inst,
    /// Its number.
    at: usize,
    /// The number of its next block.
    number: usize,
    /// What the line that opens that block begins with.
    opens: String,
}

/// Where the comment of an instruction begins, if there is room.
const COMMENT: usize = 48;

/// Names above this many bytes are left out of comments.
const LONGEST_NAME: usize = 64;

/// What follows the name that the function itself has.
struct Called<'a>(&'a str);

impl fmt::Display for Called<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, " called {}", Quoted(self.0)) }
    }
}

/// Text that grows line by line.
struct Writer<'a> {
    text: String,
    depth: usize,
    comments: &'a Comments,
}

impl Writer<'_> {
    fn line(&mut self, content: fmt::Arguments<'_>) {
        // A string takes all that is written to it.
        let _ = writeln!(self.text, "{:width$}{content}", "", width = self.indentation());
    }

    fn indentation(&self) -> usize {
        2 * self.depth.min(limits::NESTING + 1)
    }

    /// An empty line between what stands there and what follows.
    fn gap(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    fn comments(&mut self, place: Place) {
        let comments = self.comments;
        for comment in comments.at(place).lines() {
            self.line(format_args!(";{comment}"));
        }
    }

    fn sources(&mut self, debug: &Debug) {
        if let Some(program) = debug.program {
            self.line(format_args!("program {program:#010x}"));
        }
        for (index, source) in debug.sources.iter().enumerate() {
            self.comments(Place::Source(index));
            let (file, unit) = (Quoted(&source.file), source.unit.name());
            if source.text.is_empty() {
                self.line(format_args!("source {index} {file} {unit}"));
            } else {
                self.line(format_args!("source {index} {file} {unit} text {}", Quoted(&source.text)));
            }
        }
    }

    /// A record of the debug table that does not stand in its function.
    fn record(&mut self, at: usize, record: &FunctionDebug) {
        self.comments(Place::Debug(at));
        self.line(format_args!("debug {}{} {{", record.function, Called(&record.name)));
        self.depth += 1;
        if let Some(lines) = &record.lines {
            self.lines_listed(lines);
        }
        for (&id, name) in &record.ids {
            self.line(format_args!("name {id} {}", Label(name)));
        }
        self.comments(Place::DebugEnd(at));
        self.depth -= 1;
        self.line(format_args!("}}"));
    }

    fn lines_listed(&mut self, lines: &Lines) {
        let numbers = lines.numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        let space = if numbers.is_empty() { "" } else { " " };
        self.line(format_args!("lines of {} numbers{space}{numbers}", lines.source));
    }
}

struct Printer<'a, 'w> {
    writer: &'a mut Writer<'w>,
    index: usize,
    function: &'a Function,
    /// What the debug table says of it, if that can stand here.
    debug: Option<&'a FunctionDebug>,
    /// The lines that stand at the instructions.
    numbers: &'a [u32],
    types: Types,
    /// The ids whose name stands in the text, or is about to.
    named: HashSet<Id>,
    /// The number of the next instruction.
    next: usize,
}

impl Printer<'_, '_> {
    fn line(&mut self, content: fmt::Arguments<'_>) {
        self.writer.line(content);
    }

    fn function(mut self) {
        let (function, index) = (self.function, self.index);
        self.writer.comments(Place::Function(index));
        let called = Called(self.debug.map_or("", |debug| &debug.name));
        self.line(format_args!("{} function {}{called} {{", function.kind.name(), Quoted(&function.name)));
        self.writer.depth += 1;
        for (at, input) in function.inputs.iter().enumerate() {
            self.writer.comments(Place::Input(index, at));
            let kind = kinds::show(&INPUT_KINDS, input_words(&input.kind));
            self.line(format_args!("input {} {}: {} = {kind}", input.id, Label(&input.name), input.ty));
        }
        for (at, output) in function.outputs.iter().enumerate() {
            self.writer.comments(Place::Output(index, at));
            let kind = kinds::show(&OUTPUT_KINDS, output_words(&output.kind));
            self.line(format_args!("output {at} {}: {} = {kind}", Label(&output.name), output.ty));
        }
        self.lines_and_names();
        if !function.body.is_empty() {
            self.writer.text.push('\n');
        }
        self.block(&function.body);
        self.writer.comments(Place::FunctionEnd(index));
        self.writer.depth -= 1;
        self.line(format_args!("}}"));
    }

    /// Where the lines come from, and the names of ids that no instruction defines.
    fn lines_and_names(&mut self) {
        let Some(debug) = self.debug else { return };
        if let Some(lines) = &debug.lines {
            let (lines_there, instructions) = (lines.numbers.len(), count(&self.function.body));
            match lines_there.cmp(&instructions) {
                std::cmp::Ordering::Less => self.line(format_args!("lines of {} count {lines_there}", lines.source)),
                std::cmp::Ordering::Equal => self.line(format_args!("lines of {}", lines.source)),
                std::cmp::Ordering::Greater => self.writer.lines_listed(lines),
            }
        }
        let mut results = HashSet::new();
        if !debug.ids.is_empty() {
            let code = instructions(std::slice::from_ref(&self.function.body));
            results.extend(code.map(|inst| inst.output).filter(|id| id.is_some()));
        }
        for (&id, name) in debug.ids.iter().filter(|(id, _)| !results.contains(id)) {
            self.line(format_args!("name {id} {}", Label(name)));
        }
    }

    fn block(&mut self, block: &[Inst]) {
        // What is left of the blocks around, and the instructions whose blocks they are.
        let mut outer: Vec<(std::slice::Iter<'_, Inst>, OpenInst<'_>)> = Vec::new();
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
            self.writer.comments(Place::BlockEnd(self.index, open.at, open.number - 1));
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

    /// Opens an instruction's next block; without one, closes the last.
    fn next_block<'i>(&mut self, open: &mut OpenInst<'i>) -> Option<&'i Block> {
        let (inst, number) = (open.inst, open.number);
        let kind = inst.op.shape().blocks;
        let block = inst.blocks.get(number).filter(|block| {
            // An IF without a second block's text has an empty one.
            let silent = number == 1 && kind == Blocks::If && block.is_empty() && inst.blocks.len() == 2;
            !(silent && self.writer.comments.at(Place::BlockEnd(self.index, open.at, number)).is_empty())
        });
        let Some(block) = block else {
            self.line(format_args!("}}"));
            return None;
        };
        let opens = &mut open.opens;
        match (kind, inst.immediates.get(number)) {
            (Blocks::Switch, Some(&value)) => {
                let _ = write!(opens, " case {}", self.case(inst).show(value));
            }
            (Blocks::Switch, None) => opens.push_str(" default"),
            _ if number > 0 => opens.push_str(" else"),
            _ => {}
        }
        self.line(format_args!("{} {{", open.opens));
        self.writer.depth += 1;
        open.number += 1;
        Some(block)
    }

    /// Writes an instruction, or gives it back with what its first block's line begins with.
    fn inst<'i>(&mut self, inst: &'i Inst) -> Option<OpenInst<'i>> {
        let at = self.next;
        self.next += 1;
        self.writer.comments(Place::Inst(self.index, at));
        let head = self.head(inst, at);
        if inst.blocks.is_empty() {
            let comment = self.comment(inst);
            if comment.is_empty() {
                self.line(format_args!("{head}"));
                return None;
            }
            let width = COMMENT.saturating_sub(self.writer.indentation());
            self.line(format_args!("{head:width$}  ; {comment}"));
            return None;
        }
        Some(OpenInst { inst, at, number: 0, opens: head })
    }

    /// How the values of a SWITCH's cases are written.
    fn case(&self, inst: &Inst) -> Form {
        let selector = inst.inputs.first().and_then(|&id| self.types.get(id));
        if matches!(selector, Some(Type::Vector(Scalar::Uint, _))) { Form::Uint } else { Form::Case }
    }

    /// The instruction up to its blocks.
    fn head(&mut self, inst: &Inst, at: usize) -> String {
        let mut head = String::new();
        // A string takes all that is written to it.
        if inst.output.is_some() {
            let name = self.debug.and_then(|debug| debug.ids.get(&inst.output));
            let _ = match name.filter(|_| self.named.insert(inst.output)) {
                Some(name) => write!(head, "{} {} = ", inst.output, Label(name)),
                None => write!(head, "{} = ", inst.output),
            };
        }
        head.push_str(inst.op.mnemonic());
        let shape = inst.op.shape();
        let inputs = match inst.inputs.split_last() {
            Some((&Id::NONE, rest)) if leaves_out_last(inst.op, inst.inputs.len()) => rest,
            _ => &inst.inputs[..],
        };
        let ids = inputs.iter().map(|&id| if id.is_some() { id.to_string() } else { "_".to_string() });
        let words = if shape.blocks == Blocks::Switch { &[] } else { &inst.immediates[..] };
        let words = words.iter().map(|&word| Form::of(inst.op).show(word));
        let operands =
            if shape.immediates_first { Vec::from_iter(words.chain(ids)) } else { ids.chain(words).collect() };
        for (at, operand) in operands.iter().enumerate() {
            head.push_str(if at == 0 { " " } else { ", " });
            head.push_str(operand);
        }
        if let Some(number) = self.numbers.get(at).filter(|&&number| number != 0) {
            let _ = write!(head, " @{number}");
        }
        head
    }

    /// The type of the result, or the name of the output that is written.
    fn comment(&self, inst: &Inst) -> String {
        if inst.op.type_rule() == TypeRule::Poke && inst.inputs.len() == 1 {
            let index = inst.immediates.first().and_then(|&index| usize::try_from(index).ok());
            let output = index.and_then(|index| self.function.outputs.get(index));
            let named = output.filter(|output| (1..=LONGEST_NAME).contains(&output.name.len()));
            return named.map(|output| Label(&output.name).to_string()).unwrap_or_default();
        }
        self.types.get(inst.output).map(|ty| ty.to_string()).unwrap_or_default()
    }
}

//! Parses the text form of a module.
//!
//! Rule: parsing any text results in a module or in a list of errors, with one error for each fault. The parser never panics,
//! takes time proportional to the length of the text, and keeps the open blocks in a list instead of recursing. The parser
//! rejects only what a module cannot represent; [`crate::verify()`] checks whether the module is valid.
//!
//! After an error, the parser still matches the braces of the faulty line, so that the following lines keep their context.

use std::ops::Range;

use super::comments::{Anchor, Comments};
use super::cursor::Cursor;
use super::error::{Fault, ParseError, ParseErrorKind, located};
use super::function::{Open, add_binding, add_name};
use super::lex::{Token, Tokens};
use super::line::{Line, LinesOf, Listed, Numbered, Opener, Statement, TOP, line};
use crate::inst::word;
use crate::{Function, FunctionDebug, FunctionKind, Id, Inst, Lines, Member, Module, Op, limits};

/// Parses a module from its text form, whose grammar is in [`crate::text`].
///
/// ```
/// let text = "
///     generic function \"twice\" {
///       input %1 a: float = parameter
///       output 0 \"\": float = returned
///       %2 sum = add %1, %1
///       return %2
///     }";
/// let module = sdlbc::parse(text).expect("a module");
/// assert_eq!(module.functions[0].body.insts().len(), 2);
/// assert_eq!(sdlbc::parse(&sdlbc::print(&module)), Ok(module));
///
/// let errors = sdlbc::parse("generic function \"f\" {\n  %1 = lesthan %2, %3\n}").unwrap_err();
/// assert_eq!(errors[0].to_string(), "unknown operation `lesthan`; did you mean `lessthan`? at line 2, column 8");
/// ```
///
/// # Errors
/// Returns the errors in the text, in order; the list is never empty.
pub fn parse(text: &str) -> Result<Module, Vec<ParseError>> {
    read(text, false).map(|(module, _)| module)
}

/// Parses a module from its text form, and also returns the comments that have lines of their own.
///
/// # Errors
/// Returns the same errors as [`parse()`].
pub fn parse_with_comments(text: &str) -> Result<(Module, Comments), Vec<ParseError>> {
    read(text, true)
}

fn read(text: &str, keep_comments: bool) -> Result<(Module, Comments), Vec<ParseError>> {
    let notes = Notes { keep: keep_comments, ..Notes::default() };
    let mut parser = Parser { notes, next_source: Some(0), ..Parser::default() };
    parser.text(text);
    if parser.faults.is_empty() {
        Ok((parser.module, parser.notes.comments))
    } else {
        Err(located(text, parser.faults))
    }
}

/// The maximum number of errors that are reported; further errors are dropped.
const MOST_ERRORS: usize = 100;

#[derive(Default)]
struct Parser {
    module: Module,
    notes: Notes,
    faults: Vec<Fault>,
    section: Section,
    /// The number of the current line, counted from 1.
    line: usize,
    /// The number of instructions parsed so far, in all functions.
    instructions: usize,
    /// The number of the next source; `None` if an error outside functions may have hidden a source.
    next_source: Option<u32>,
}

/// The comments and source positions, which are collected only if `keep` is set.
#[derive(Default)]
struct Notes {
    keep: bool,
    comments: Comments,
    /// The comments that belong to the next part of the text, which has not been read yet.
    waiting: String,
}

impl Notes {
    /// Assigns the waiting comments to the part of the text that follows them.
    fn put(&mut self, anchor: Anchor) {
        self.comments.put(anchor, &mut self.waiting);
    }

    fn locate(&mut self, anchor: Anchor, place: Range<usize>) {
        if self.keep {
            self.comments.locate(anchor, place);
        }
    }

    fn add(&mut self, anchor: Anchor, place: Range<usize>) {
        self.put(anchor);
        self.locate(anchor, place);
    }
}

/// The context in which the current line is interpreted.
enum Section {
    /// The context outside functions. After the parser has reported one line that belongs inside a function, the parser skips
    /// further lines of this kind and counts their blocks.
    None {
        skipping: bool,
        depth: usize,
    },
    Function(Box<Open>),
    /// A record of the debug table; `depth` counts the open blocks, which a record must not contain.
    Debug {
        record: FunctionDebug,
        line: usize,
        depth: usize,
    },
}

impl Default for Section {
    fn default() -> Section {
        Section::None { skipping: false, depth: 0 }
    }
}

impl Parser {
    fn text(&mut self, text: &str) {
        let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let mut last = Tokens::new("", at);
        for content in text.get(at..).unwrap_or_default().split('\n') {
            self.line += 1;
            if self.content(content, at) {
                last = Tokens::new(content, at);
            }
            if matches!(self.faults.last(), Some(Fault { kind: ParseErrorKind::Instructions, .. })) {
                return;
            }
            if let Some(fault) = self.faults.get_mut(MOST_ERRORS) {
                fault.kind = ParseErrorKind::More;
                return self.faults.truncate(MOST_ERRORS + 1);
            }
            at += content.len() + 1;
        }
        let end = last.last().map_or(at, |token| token.end());
        self.unclosed(end..end);
        self.notes.put(Anchor::End);
    }

    /// Parses one line, and returns whether the line contains anything except a comment.
    fn content(&mut self, content: &str, at: usize) -> bool {
        let mut cursor = Cursor::new(content, at);
        let Some(place) = cursor.next.map(|token| token.at..token.end()) else {
            if let Some((_, comment)) = content.split_once(';').filter(|_| self.notes.keep) {
                self.notes.waiting.push_str(comment.trim_end());
                self.notes.waiting.push('\n');
            }
            return false;
        };
        match line(&mut cursor) {
            Ok(line) => self.apply(line, place),
            Err(fault) => self.recover(fault, Tokens::new(content, at)),
        }
        true
    }

    fn fault(&mut self, kind: ParseErrorKind, place: Range<usize>) {
        self.faults.push(kind.at(place));
    }

    /// Interprets a parsed line in the current context.
    fn apply(&mut self, line: Line, place: Range<usize>) {
        if matches!(line, Line::Program(_) | Line::Source(_) | Line::Function { .. } | Line::Debug { .. }) {
            self.unclosed(place.clone());
            return self.top(line, place);
        }
        match &mut self.section {
            Section::None { skipping, depth } => {
                let complain = !std::mem::replace(skipping, true);
                let closes = matches!(line, Line::Close | Line::Next(_));
                match line {
                    Line::Inst(Statement { opens: Some(_), .. }) => *depth += 1,
                    Line::Close => *depth = depth.saturating_sub(1),
                    _ => {}
                }
                if complain {
                    let kind = if closes { ParseErrorKind::NothingToClose } else { ParseErrorKind::Outside };
                    self.fault(kind, place);
                }
            }
            Section::Function(_) => self.in_function(line, place),
            Section::Debug { .. } => self.in_record(line, place),
        }
    }

    /// Interprets a line that belongs outside functions.
    fn top(&mut self, line: Line, place: Range<usize>) {
        self.section = Section::default();
        match line {
            Line::Program(program) => {
                let earlier = self.module.debug.program.replace(program);
                if earlier.is_some() {
                    self.fault(ParseErrorKind::Repeated { what: "`program`" }, place);
                }
            }
            Line::Source(Numbered { number, place, value }) => {
                self.notes.put(Anchor::Source(self.module.debug.sources.len()));
                if let Some(expected) = self.next_source.filter(|&expected| expected != number) {
                    self.fault(ParseErrorKind::Numbering { what: "source", expected, found: number }, place);
                }
                self.next_source = number.checked_add(1);
                self.module.debug.sources.push(value);
            }
            Line::Function { kind, name, called } => {
                self.notes.add(Anchor::Function(self.module.functions.len()), place);
                self.open_function(kind, name, called);
            }
            Line::Debug { function, called } => {
                self.notes.put(Anchor::Debug(self.module.debug.functions.len()));
                let record = FunctionDebug { function, name: called, ..FunctionDebug::default() };
                self.section = Section::Debug { record, line: self.line, depth: 0 };
            }
            _ => {}
        }
    }

    fn open_function(&mut self, kind: FunctionKind, name: String, called: String) {
        let index = word(self.module.functions.len());
        let function = Function { kind, name, ..Function::default() };
        let debug = FunctionDebug { function: index, name: called, ..FunctionDebug::default() };
        self.section = Section::Function(Box::new(Open::new(function, debug, self.line)));
    }

    fn in_record(&mut self, line: Line, place: Range<usize>) {
        let Section::Debug { record, depth, .. } = &mut self.section else { return };
        let fault = match line {
            Line::Name(id, name) => add_name(record, id, name),
            Line::Member(id, member) => return self.member(id, member, place),
            Line::Binding(id, binding) => add_binding(record, id, binding),
            Line::Lines(LinesOf { source, numbers: Listed::Here(numbers), .. }) => {
                let first = record.lines.replace(Lines { source, numbers });
                first.map(|_| ParseErrorKind::Repeated { what: "`lines of`" })
            }
            Line::Lines(_) => Some(ParseErrorKind::Misplaced {
                what: "a `lines of` without `numbers`",
                within: "a record of the debug table",
            }),
            Line::Close if *depth > 0 => {
                *depth -= 1;
                None
            }
            Line::Close => {
                self.notes.put(Anchor::DebugEnd(self.module.debug.functions.len()));
                self.close_section();
                None
            }
            Line::Next(opener) if *depth == 0 => {
                *depth += 1;
                Some(ParseErrorKind::NoBlockBefore { word: opener.word() })
            }
            Line::Next(_) => None,
            line => {
                *depth += usize::from(matches!(line, Line::Inst(Statement { opens: Some(_), .. })));
                Some(ParseErrorKind::Misplaced { what: what(&line), within: "a record of the debug table" })
            }
        };
        if let Some(kind) = fault {
            self.fault(kind, place);
        }
    }

    fn in_function(&mut self, line: Line, mut place: Range<usize>) {
        let index = self.module.functions.len();
        let Section::Function(open) = &mut self.section else { return };
        let fault = match line {
            Line::Inst(statement) => {
                if self.instructions >= limits::INSTRUCTIONS {
                    return self.fault(ParseErrorKind::Instructions, place);
                }
                self.instructions += 1;
                self.notes.add(Anchor::Inst(index, open.next), place.clone());
                open.statement(statement, self.line, place.clone())
            }
            Line::Close if open.outer.is_empty() => {
                self.notes.put(Anchor::FunctionEnd(index));
                self.close_section();
                None
            }
            Line::Close | Line::Next(_) => {
                if let (Some(outer), 0) = (open.outer.last(), open.deeper) {
                    self.notes.put(Anchor::BlockEnd(index, outer.at, outer.blocks));
                }
                match line {
                    Line::Next(opener) => open.next_block(opener, self.line),
                    _ => {
                        open.close();
                        None
                    }
                }
            }
            line if !open.outer.is_empty() => Some(ParseErrorKind::Misplaced { what: what(&line), within: "a block" }),
            Line::Input(input) => {
                self.notes.add(Anchor::Input(index, open.function.inputs.len()), place.clone());
                open.function.inputs.push(input);
                None
            }
            Line::Output(Numbered { number, place: at, value }) => {
                self.notes.add(Anchor::Output(index, open.function.outputs.len()), at.clone());
                open.function.outputs.push(value);
                let expected = std::mem::replace(&mut open.next_output, number.saturating_add(1));
                place = at;
                (number != expected && !open.has_error).then_some(ParseErrorKind::Numbering {
                    what: "output",
                    expected,
                    found: number,
                })
            }
            Line::Workgroup(size) => {
                open.function.workgroup.replace(size).map(|_| ParseErrorKind::Repeated { what: "`workgroup`" })
            }
            Line::Name(id, name) => add_name(&mut open.debug, id, name),
            Line::Member(id, member) => return self.member(id, member, place),
            Line::Binding(id, binding) => add_binding(&mut open.debug, id, binding),
            Line::Lines(lines) => open.lines.replace(lines).map(|_| ParseErrorKind::Repeated { what: "`lines of`" }),
            // Lines of these kinds never arrive here, because `top` interprets them.
            Line::Program(_) | Line::Source(_) | Line::Function { .. } | Line::Debug { .. } => None,
        };
        if let Some(kind) = fault {
            self.fault(kind, place);
        }
    }

    /// Adds a member to the current function or debug-table record.
    fn member(&mut self, id: Id, member: Member, place: Range<usize>) {
        let record = match &mut self.section {
            Section::None { .. } => return,
            Section::Function(open) => &mut open.debug,
            Section::Debug { record, .. } => record,
        };
        let members = record.members.entry(id).or_default();
        let index = members.len();
        members.push(member);
        let function = record.function as usize;
        self.notes.put(Anchor::Member(self.module.debug.functions.len(), id, index));
        self.notes.locate(Anchor::MemberOf(function, id, index), place);
    }

    /// Reports a function or record that is still open at the end of the text, or before a line that belongs outside functions.
    fn unclosed(&mut self, place: Range<usize>) {
        let unclosed = match &self.section {
            Section::None { .. } => return,
            Section::Function(open) => match open.outer.last() {
                Some(outer) => ParseErrorKind::Unclosed { what: "block", line: outer.line },
                None => ParseErrorKind::Unclosed { what: "function", line: open.line },
            },
            Section::Debug { line, .. } => ParseErrorKind::Unclosed { what: "record", line: *line },
        };
        self.fault(unclosed, place);
        self.close_section();
    }

    /// Ends the current function or record, and adds it to the module.
    fn close_section(&mut self) {
        match std::mem::take(&mut self.section) {
            Section::None { .. } => {}
            Section::Function(open) => {
                let (function, debug) = open.end(&mut self.faults);
                self.module.functions.push(function);
                let has_content = FunctionDebug { function: debug.function, ..FunctionDebug::default() } != debug;
                self.module.debug.functions.extend(Some(debug).filter(|_| has_content));
            }
            Section::Debug { record, .. } => self.module.debug.functions.push(record),
        }
    }

    /// Recovers from a line with an error by opening and closing blocks according to the line's braces.
    fn recover(&mut self, fault: Fault, tokens: Tokens<'_>) {
        let head = tokens.clone().take(2).any(|token| token.is("function") || TOP.iter().any(|word| token.is(word)));
        let (mut closes, opens) = braces(tokens);
        match &mut self.section {
            Section::None { skipping, depth } => {
                self.next_source = None;
                let first = !std::mem::replace(skipping, true);
                *depth = depth.saturating_sub(closes) + opens;
                if first || head {
                    self.faults.push(fault);
                    if opens > 0 {
                        // The lines after a faulty head are parsed as the code of a function, so that only the error in the head
                        // is reported.
                        self.open_function(FunctionKind::Generic, String::new(), String::new());
                        if let Section::Function(open) = &mut self.section {
                            open.has_error = true;
                        }
                    }
                }
                return;
            }
            Section::Debug { depth, .. } => {
                self.faults.push(fault);
                if closes > *depth + opens {
                    return self.close_section();
                }
                *depth = (*depth + opens).saturating_sub(closes);
                return;
            }
            Section::Function(open) => {
                self.faults.push(fault);
                open.has_error = true;
            }
        }
        let mut opens = opens;
        if let Section::Function(open) = &mut self.section
            && closes > 0
            && opens > 0
        {
            (closes, opens) = (closes - 1, opens - 1);
            // The error from `next_block` is dropped, because the error in the line has already been reported.
            let _ = open.next_block(Opener::Unknown, self.line);
        }
        for _ in 0..closes {
            match &mut self.section {
                Section::Function(open) if !open.outer.is_empty() => open.close(),
                _ => self.close_section(),
            }
        }
        if let Section::Function(open) = &mut self.section {
            for _ in 0..opens {
                let _ = open.open(Inst::new(Op::Nop, Id::NONE, &[], &[]), Opener::Unknown, self.line);
            }
        }
    }
}

/// Describes the content of a line, for errors.
fn what(line: &Line) -> &'static str {
    match line {
        Line::Input(_) => "an input",
        Line::Output(_) => "an output",
        Line::Workgroup(_) => "a workgroup",
        Line::Name(..) => "a name",
        Line::Member(..) => "a member",
        Line::Binding(..) => "a binding",
        Line::Lines(_) => "a `lines of`",
        _ => "an instruction",
    }
}

/// Returns the number of blocks that a line closes without opening them, and the number of blocks that the line opens without
/// closing them. A line that should open a block but has no `{` counts as opening a block.
fn braces(tokens: Tokens<'_>) -> (usize, usize) {
    let heads = |token: &Token<'_>| ["function", "debug", "if", "loop", "switch"].iter().any(|word| token.is(word));
    let (mut closes, mut opens, mut should_open, mut has_brace) = (0, 0usize, false, false);
    for (at, token) in tokens.enumerate() {
        has_brace |= token.is("{");
        should_open |= at < 4 && heads(&token) || at == 1 && closes == 1 && !token.is("}");
        if token.is("{") {
            opens += 1;
        } else if token.is("}") {
            match opens.checked_sub(1) {
                Some(fewer) => opens = fewer,
                None => closes += 1,
            }
        }
    }
    (closes, opens + usize::from(should_open && !has_brace))
}

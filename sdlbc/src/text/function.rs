//! A function that is being parsed, with its open blocks and line numbers.
//!
//! Rule: the list of open blocks has at most [`limits::NESTING`] entries. Deeper blocks are counted and skipped.

use std::ops::Range;

use super::error::{Fault, ParseErrorKind};
use super::line::{LinesOf, Listed, Opener, Statement};
use crate::{Function, FunctionDebug, Id, Inst, Lines, Op, SourceBinding, limits};

/// A function whose closing `}` has not been reached.
#[derive(Default)]
pub(super) struct Open {
    pub(super) function: Function,
    pub(super) debug: FunctionDebug,
    /// The line of the function's head.
    pub(super) line: usize,
    /// The instructions whose blocks are open, outermost first.
    pub(super) outer: Vec<Outer>,
    /// The number of open blocks beyond the nesting limit. The contents of the deeper blocks are skipped.
    pub(super) deeper: usize,
    /// The index of the next instruction, in reading order.
    pub(super) next: usize,
    pub(super) next_output: u32,
    pub(super) lines: Option<LinesOf>,
    /// For each instruction with a line number: the index of the instruction, the line number, and the byte range in the text.
    marks: Vec<(usize, u32, Range<usize>)>,
    /// Whether the function contains an error. After an error, the counts of instructions are unreliable.
    pub(super) has_error: bool,
}

/// An instruction whose blocks are being parsed.
pub(super) struct Outer {
    /// The index of the instruction in the body of the function.
    place: usize,
    /// The index of the instruction in the text, including skipped instructions.
    pub(super) at: usize,
    /// The line on which the open block begins.
    pub(super) line: usize,
    opener: Opener,
    /// The number of the instruction's closed blocks.
    pub(super) blocks: usize,
    cases: Vec<u32>,
}

/// Sets the debug name of an id. Returns an error if the id already has a name.
pub(super) fn add_name(debug: &mut FunctionDebug, id: Id, name: String) -> Option<ParseErrorKind> {
    if debug.ids.get(id).is_some() {
        return Some(ParseErrorKind::NamedTwice(id));
    }
    debug.ids.insert(id, name);
    None
}

/// Sets the place of an input in the source. Returns an error if the input already has a place.
pub(super) fn add_binding(debug: &mut FunctionDebug, id: Id, binding: SourceBinding) -> Option<ParseErrorKind> {
    debug.bindings.insert(id, binding).map(|_| ParseErrorKind::BoundTwice(id))
}

impl Open {
    pub(super) fn new(function: Function, debug: FunctionDebug, line: usize) -> Open {
        Open { function, debug, line, ..Open::default() }
    }

    /// Adds an instruction, and opens its first block if the instruction has blocks.
    pub(super) fn statement(
        &mut self,
        statement: Statement,
        line: usize,
        place: Range<usize>,
    ) -> Option<ParseErrorKind> {
        let Statement { inst, name, line: number, opens } = statement;
        if let Some(number) = number {
            self.marks.push((self.next, number, place));
        }
        self.next += 1;
        let named_twice = name.and_then(|name| add_name(&mut self.debug, inst.output, name));
        let too_deep = match opens {
            Some(opener) => self.open(inst, opener, line),
            None => {
                if self.deeper == 0 {
                    self.function.body.push(inst);
                }
                None
            }
        };
        named_twice.or(too_deep)
    }

    /// Opens the first block of an instruction.
    pub(super) fn open(&mut self, inst: Inst, opener: Opener, line: usize) -> Option<ParseErrorKind> {
        if self.outer.len() >= limits::NESTING {
            self.deeper += 1;
            return (self.deeper == 1).then_some(ParseErrorKind::Nesting);
        }
        let at = self.next.saturating_sub(1);
        let place = self.function.body.open(inst);
        let mut outer = Outer { place, at, line, opener, blocks: 0, cases: Vec::new() };
        outer.case();
        self.outer.push(outer);
        None
    }

    /// Ends the innermost open block, and begins the next block of the same instruction.
    pub(super) fn next_block(&mut self, opener: Opener, line: usize) -> Option<ParseErrorKind> {
        if self.deeper > 0 {
            return None;
        }
        let Some(outer) = self.outer.last_mut() else {
            let _ = self.open(Inst::new(Op::Nop, Id::NONE, &[], &[]), Opener::Unknown, line);
            return Some(ParseErrorKind::NoBlockBefore { word: opener.word() });
        };
        self.function.body.end_block(outer.place);
        outer.blocks += 1;
        outer.line = line;
        let follows = matches!(
            (outer.opener, opener),
            (Opener::Then, Opener::Else) | (Opener::Case(_), Opener::Case(_) | Opener::Default) | (Opener::Unknown, _)
        );
        let known = if outer.opener == Opener::Unknown { Opener::Unknown } else { opener };
        outer.opener = if follows { known } else { Opener::Unknown };
        outer.case();
        (!follows).then_some(ParseErrorKind::NoBlockBefore { word: opener.word() })
    }

    /// Ends the innermost open block and its instruction.
    pub(super) fn close(&mut self) {
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let Some(outer) = self.outer.pop() else { return };
        let body = &mut self.function.body;
        body.end_block(outer.place);
        if let Opener::Then | Opener::Case(_) = outer.opener {
            // The text may leave out the second block of an IF and the default block of a SWITCH.
            body.end_block(outer.place);
        }
        if let Some(inst) = body.insts_mut().get_mut(outer.place).filter(|_| !outer.cases.is_empty()) {
            inst.immediates = outer.cases.into();
        }
    }

    /// Closes all open blocks, and returns the function and its debug information.
    pub(super) fn end(mut self, faults: &mut Vec<Fault>) -> (Function, FunctionDebug) {
        while !self.outer.is_empty() {
            self.close();
        }
        let lines = self.lines.take().map(|LinesOf { source, numbers, place }| {
            let count = match numbers {
                Listed::Here(numbers) => return (0, Lines { source, numbers }),
                Listed::All => self.next,
                Listed::Count(count) if count as usize <= self.next => count as usize,
                Listed::Count(count) => {
                    let instructions = self.next;
                    faults.extend(self.reliable(ParseErrorKind::LineCount { count, instructions }.at(place)));
                    instructions
                }
            };
            let mut numbers = vec![0; count];
            for &(at, number, _) in &self.marks {
                if let Some(place) = numbers.get_mut(at) {
                    *place = number;
                }
            }
            (count, Lines { source, numbers })
        });
        let (count, kind) = match &lines {
            Some((count, _)) => (*count, ParseErrorKind::LineListed),
            None => (0, ParseErrorKind::NoLines),
        };
        if let Some((_, _, place)) = self.marks.iter().find(|(at, ..)| *at >= count) {
            faults.extend(self.reliable(kind.at(place.clone())));
        }
        self.debug.lines = lines.map(|(_, lines)| lines);
        (self.function, self.debug)
    }

    /// Returns `fault`, or `None` if an error in the function makes the counts of instructions unreliable.
    fn reliable(&self, fault: Fault) -> Option<Fault> {
        (!self.has_error).then_some(fault)
    }
}

impl Outer {
    /// Records the value of a case when its block begins.
    fn case(&mut self) {
        if let Opener::Case(value) = self.opener {
            self.cases.push(value);
        }
    }
}

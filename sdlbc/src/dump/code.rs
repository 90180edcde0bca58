//! Dumps functions: their inputs, outputs and nested code.

use super::{Dumper, InstBytes, UNKNOWN, Within};
use crate::codec::layout::{Entries, INPUTS, OUTPUTS, WORKGROUP};
use crate::codec::{DecodeErrorKind, end_of, is_unknown_record};
use crate::text::immediate;
use crate::{Blocks, Op, TypeRule, limits};

impl Dumper<'_> {
    pub(super) fn inputs(&mut self, within: Within) -> Option<()> {
        self.entries(within, &INPUTS, |_| INPUTS.entry.to_string(), Self::input)
    }

    pub(super) fn outputs(&mut self, within: Within) -> Option<()> {
        self.entries(within, &OUTPUTS, |index| format!("{} {index}", OUTPUTS.entry), Self::output)
    }

    pub(super) fn workgroup(&mut self, within: Within) -> Option<()> {
        if self.at < within.end && self.peek(0) == Some(WORKGROUP) {
            self.tagged(within, "workgroup", "workgroup", |dumper, end| {
                for axis in ["x", "y", "z"] {
                    dumper.number(Within { end, what: "workgroup" }, |size| format!("{axis} {size}"));
                }
            });
        }
        Some(())
    }

    /// Writes a record of entries. Any other struct at this position is marked as a fault. The struct is skipped, unless it is
    /// the record of outputs or an instruction.
    fn entries(
        &mut self,
        within: Within,
        list: &Entries,
        name: fn(usize) -> String,
        entry: fn(&mut Self, Within) -> Option<()>,
    ) -> Option<()> {
        if !self.has_more(within) {
            return Some(());
        }
        while let Some(tag) = self.peek(0).filter(|&tag| self.at < within.end && is_unknown_record(tag)) {
            self.unknown_record(within, tag, list.name);
        }
        if !self.has_more(within) {
            return Some(());
        }
        let found = self.peek(0).unwrap_or_default();
        if found == list.tag {
            self.tagged(within, list.name, list.name, |dumper, end| {
                let mut index = 0;
                while dumper.at < end {
                    dumper.entry(Within { end, what: list.entry }, &name(index), entry);
                    index += 1;
                }
            });
            return Some(());
        }
        self.fault(self.at, DecodeErrorKind::RecordTag { expected: list.tag, found });
        if found != OUTPUTS.tag && Op::from_number(found).is_none() {
            self.tagged(within, list.name, "unknown record", |dumper, end| dumper.rest(end, "skipped"));
        }
        Some(())
    }

    fn unknown_record(&mut self, within: Within, tag: u32, what: &'static str) {
        self.fault(self.at, DecodeErrorKind::Record(tag));
        self.tagged(within, what, "unknown record", |dumper, end| dumper.rest(end, "skipped"));
    }

    fn entry(&mut self, within: Within, name: &str, content: fn(&mut Self, Within) -> Option<()>) {
        let count_at = self.at;
        let inner = self.count(within.end, self.at, within.what, &format!(", {name}"));
        self.depth += 1;
        match inner {
            Some(end) => {
                content(self, Within { end, ..within });
                self.surplus(end, within.what, count_at);
            }
            None => self.rest(within.end, UNKNOWN),
        }
        self.depth -= 1;
    }

    pub(super) fn code(&mut self, within: Within) -> Option<()> {
        self.block(within, 0, &mut 0);
        Some(())
    }

    /// Writes the instructions of a block. `next` is the index of the next instruction in reading order.
    fn block(&mut self, within: Within, depth: usize, next: &mut usize) {
        while self.at < within.end {
            let number = self.peek(0).unwrap_or_default();
            if is_unknown_record(number) {
                self.unknown_record(within, number, "instruction");
                continue;
            }
            let index = *next;
            *next += 1;
            let Some(op) = Op::from_number(number) else {
                self.fault(self.at, DecodeErrorKind::Opcode(number));
                let name = format!("unknown operation #{index}");
                self.tagged(within, "instruction", &name, |dumper, end| dumper.rest(end, "skipped"));
                continue;
            };
            if op.shape().blocks != Blocks::None && depth >= limits::NESTING {
                self.fault(self.at, DecodeErrorKind::Nesting);
            }
            self.fit(op, within.end);
            let name = format!("{op} #{index}");
            let (start, listed) = (self.at, self.instructions.len());
            let function = self.functions.saturating_sub(1);
            self.instructions.push(InstBytes { bytes: start..start, function, instruction: index });
            self.tagged(within, "instruction", &name, |dumper, end| dumper.operands(op, end, depth, next));
            if let Some(listed) = self.instructions.get_mut(listed) {
                listed.bytes.end = self.at;
            }
        }
    }

    /// Marks the word count of an instruction if the count is valid within the block but does not fit the operation.
    fn fit(&mut self, op: Op, end: usize) {
        let Some(found) = self.peek(1) else { return };
        let inner = end_of(self.at, found).filter(|inner| (self.at + 8..=end).contains(inner));
        let operands = inner.map(|inner| (inner - self.at - 8) / 4);
        if operands.is_some_and(|operands| op.shape().inputs_among(operands).is_none()) {
            self.fault(self.at + 4, DecodeErrorKind::WordCount { what: op.mnemonic(), found });
        }
    }

    fn operands(&mut self, op: Op, end: usize, depth: usize, next: &mut usize) {
        let (shape, within) = (op.shape(), Within { end, what: op.mnemonic() });
        let Some(inputs) = shape.inputs_among(end.saturating_sub(self.at) / 4) else {
            return self.rest(end, UNKNOWN);
        };
        if shape.immediates_first {
            self.immediates(op, end, inputs);
        }
        if shape.output {
            self.id(within, "output", "not stored");
        }
        for index in 0..inputs {
            let absent = match op {
                Op::Peek | Op::Poke if op.may_lack(index) => "no index",
                _ if op.is_atomic() && op.may_lack(index) => "no index",
                Op::Return | Op::Phi => "no value",
                _ => "no input",
            };
            self.id(within, input_name(op, index), absent);
        }
        if shape.ignored {
            return self.rest(end, "ignored");
        }
        if !shape.immediates_first {
            self.immediates(op, end, inputs);
        }
        if depth >= limits::NESTING {
            return self.rest(end, UNKNOWN);
        }
        match shape.blocks {
            Blocks::None => {}
            Blocks::Loop => self.block(within, depth + 1, next),
            Blocks::If => {
                if self.sized_block(end, " if true", depth, next) && self.at < end {
                    self.remark("else");
                    self.block(within, depth + 1, next);
                }
            }
            Blocks::Switch => self.cases(within, depth, next),
        }
    }

    fn immediates(&mut self, op: Op, end: usize, inputs: usize) {
        for _ in 0..op.shape().immediates {
            self.word(end, |word| match op.type_rule() {
                TypeRule::Call => format!("function {word}"),
                TypeRule::Poke if inputs == 1 => format!("into output {word}"),
                TypeRule::Poke | TypeRule::Peek | TypeRule::Atomic | TypeRule::AtomicCompare => {
                    format!("offset {word}")
                }
                TypeRule::TextureOffset => format!("offset {}", immediate(op, word)),
                TypeRule::Barrier => format!("flags {word}"),
                _ => immediate(op, word),
            });
        }
    }

    /// Writes a block that is preceded by its word count. Returns false if the word count is invalid and the end of the block is
    /// therefore unknown.
    fn sized_block(&mut self, end: usize, name: &str, depth: usize, next: &mut usize) -> bool {
        let Some(middle) = self.count(end, self.at + 4, "block", name) else {
            self.rest(end, UNKNOWN);
            return false;
        };
        self.block(Within { end: middle, what: "block" }, depth + 1, next);
        true
    }

    fn cases(&mut self, within: Within, depth: usize, next: &mut usize) {
        let end = within.end;
        let cases = self.peek(0).unwrap_or_default();
        let most = end.saturating_sub(self.at + 4) / 8;
        if cases as usize > most {
            self.fault(self.at, DecodeErrorKind::WordCount { what: "cases", found: cases });
            self.emit(&format!("{cases} cases"));
            return self.rest(end, UNKNOWN);
        }
        self.word(end, |cases| format!("{cases} cases"));
        for _ in 0..cases {
            if !self.has_more(within) || self.word(end, |value| format!("case {}", value.cast_signed())).is_none() {
                return;
            }
            self.depth += 1;
            let complete = self.has_more(within) && self.sized_block(end, "", depth, next);
            self.depth -= 1;
            if !complete {
                return;
            }
        }
        if self.at < end {
            self.remark("default");
            self.block(within, depth + 1, next);
        }
    }
}

fn input_name(op: Op, index: usize) -> &'static str {
    match (op, index) {
        (Op::Call, _) => "argument",
        (Op::If, _) => "condition",
        (Op::Switch, _) => "selector",
        (Op::Peek | Op::Poke, index) if op.may_lack(index) => "index",
        (Op::Poke | Op::Return, 0) => "value",
        (Op::Poke, _) => "slot",
        (op, 0) if op.is_atomic() => "memory",
        (op, 1) if op.is_atomic() => "index",
        (Op::AtomicCompareExchange, 2) => "comparator",
        (op, _) if op.is_atomic() => "value",
        (Op::ImageLoad | Op::ImageStore, 0) => "image",
        (Op::ImageLoad | Op::ImageStore, 1) => "coordinate",
        _ => "input",
    }
}

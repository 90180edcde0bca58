//! Functions in the dump: their inputs, outputs and nested code.

use super::{Dumper, UNKNOWN, end_of};
use crate::codec::kinds::{self, INPUT_KINDS, Kind, OUTPUT_KINDS};
use crate::codec::{DecodeErrorKind, INPUTS, OUTPUTS};
use crate::text::immediate;
use crate::{Blocks, FunctionKind, Op, Type, TypeRule, limits};

impl Dumper<'_> {
    pub(super) fn function(&mut self, end: usize) {
        self.goes_on(end, "function");
        self.known(
            end,
            |number| {
                let kind = FunctionKind::ALL.into_iter().find(|&kind| kind as u32 == number);
                kind.map(|kind| kind.name().to_string())
            },
            DecodeErrorKind::FunctionKind,
        );
        if !self.string(end, "function", "name") {
            return;
        }
        self.record(end, INPUTS, "inputs", |dumper, end| {
            while dumper.at < end {
                dumper.entry(end, "input", "input", true, &INPUT_KINDS);
            }
        });
        self.record(end, OUTPUTS, "outputs", |dumper, end| {
            let mut index = 0;
            while dumper.at < end {
                dumper.entry(end, "output", &format!("output {index}"), false, &OUTPUT_KINDS);
                index += 1;
            }
        });
        self.block(end, "function", 0, &mut 0);
    }

    /// Writes the expected record. A different one is skipped, unless it is the next record or an instruction.
    fn record(&mut self, end: usize, expected: u32, what: &'static str, content: impl FnOnce(&mut Self, usize)) {
        if !self.goes_on(end, "function") {
            return;
        }
        match self.peek(0).unwrap_or_default() {
            found if found == expected => self.tagged(end, ("function", what), what, content),
            found => {
                self.fault(self.at, DecodeErrorKind::RecordTag { expected, found });
                if found != OUTPUTS && Op::from_number(found).is_none() {
                    self.tagged(end, ("function", what), "unknown record", |dumper, end| dumper.rest(end, "skipped"));
                }
            }
        }
    }

    /// Writes an input or output: its count, its words and its name.
    fn entry(&mut self, end: usize, what: &'static str, name: &str, has_id: bool, rows: &'static [Kind]) {
        let count_at = self.at;
        let inner = self.count(end, self.at, what, &format!(", {name}"));
        self.depth += 1;
        match inner {
            Some(end) => {
                self.entry_words(end, what, has_id, rows);
                self.surplus(end, what, count_at);
            }
            None => self.rest(end, UNKNOWN),
        }
        self.depth -= 1;
    }

    fn entry_words(&mut self, end: usize, what: &'static str, has_id: bool, rows: &'static [Kind]) {
        if has_id {
            self.goes_on(end, what);
            self.id(end, "id", "no id");
        }
        if !self.goes_on(end, what) || !self.ty(end, what) {
            return;
        }
        let row = self.peek(0).and_then(|number| kinds::find(rows, number));
        let unknown = if has_id { DecodeErrorKind::InputKind } else { DecodeErrorKind::OutputKind };
        let words = (1..=row.map_or(0, |row| row.fields.len())).map_while(|ahead| self.peek(ahead)).collect::<Vec<_>>();
        let Some(number) = self.peek(0) else { return };
        if let Some(row) = row.filter(|_| !kinds::means_something(has_id, number, &words))
            && self.at + 4 * row.fields.len() < end
        {
            self.fault(self.at, DecodeErrorKind::KindData { kind: row.name });
        }
        self.known(end, |_| Some(row?.name.to_string()), unknown);
        let Some(row) = row else { return self.rest(end, UNKNOWN) };
        for &field in row.fields {
            self.goes_on(end, what);
            self.word(end, |word| kinds::meaning(field, word));
        }
        self.string(end, what, "name");
    }

    /// Writes the two words of a type. Returns whether the struct has more words.
    pub(super) fn ty(&mut self, end: usize, what: &'static str) -> bool {
        let length = self.peek(1).filter(|_| self.at + 4 < end).unwrap_or_default();
        let ty = |word| Type::from_words(word, length);
        if let Some(Type::Array(_, _, length)) = self.peek(0).and_then(ty).filter(|_| length > limits::ARRAY_LENGTH) {
            self.fault(self.at + 4, DecodeErrorKind::ArrayLength(length));
        }
        self.known(end, |word| Some(format!("type {}", ty(word)?)), |word| DecodeErrorKind::Type { word, length });
        self.goes_on(end, what);
        self.word(end, |length| if length == 0 { "no length".to_string() } else { format!("length {length}") });
        self.goes_on(end, what)
    }

    /// Writes the instructions up to `end`, which is the end of `what`. `next` is the next instruction's number in reading
    /// order.
    fn block(&mut self, end: usize, what: &'static str, depth: usize, next: &mut usize) {
        while self.at < end {
            let number = self.peek(0).unwrap_or_default();
            let index = *next;
            *next += 1;
            let Some(op) = Op::from_number(number) else {
                self.fault(self.at, DecodeErrorKind::Opcode(number));
                let name = format!("unknown operation #{index}");
                self.tagged(end, (what, "instruction"), &name, |dumper, end| dumper.rest(end, "skipped"));
                continue;
            };
            if op.shape().blocks != Blocks::None && depth >= limits::NESTING {
                self.fault(self.at, DecodeErrorKind::Nesting);
            }
            self.fit(op, end);
            let name = format!("{op} #{index}");
            self.tagged(end, (what, "instruction"), &name, |dumper, end| dumper.operands(op, end, depth, next));
        }
    }

    /// Marks the word count of an instruction if it is within the block but does not fit the operation.
    fn fit(&mut self, op: Op, end: usize) {
        let Some(found) = self.peek(1) else { return };
        let inner = end_of(self.at, found).filter(|inner| (self.at + 8..=end).contains(inner));
        let operands = inner.map(|inner| (inner - self.at - 8) / 4);
        if operands.is_some_and(|operands| op.shape().inputs_among(operands).is_none()) {
            self.fault(self.at + 4, DecodeErrorKind::WordCount { what: op.mnemonic(), found });
        }
    }

    fn operands(&mut self, op: Op, end: usize, depth: usize, next: &mut usize) {
        let shape = op.shape();
        let Some(inputs) = shape.inputs_among(end.saturating_sub(self.at) / 4) else {
            return self.rest(end, UNKNOWN);
        };
        if shape.immediates_first {
            self.immediates(op, end, inputs);
        }
        if shape.output {
            self.id(end, "output", "not stored");
        }
        for index in 0..inputs {
            let absent = match op {
                Op::Peek | Op::Poke if op.may_lack(index) => "no index",
                Op::Return | Op::Phi => "no value",
                _ => "no input",
            };
            self.id(end, input_name(op, index), absent);
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
            Blocks::Loop => self.block(end, op.mnemonic(), depth + 1, next),
            Blocks::If => {
                if self.sized_block(end, " if true", depth, next) && self.at < end {
                    self.remark("else");
                    self.block(end, op.mnemonic(), depth + 1, next);
                }
            }
            Blocks::Switch => self.cases(end, depth, next),
        }
    }

    fn immediates(&mut self, op: Op, end: usize, inputs: usize) {
        for _ in 0..op.shape().immediates {
            self.word(end, |word| match op.type_rule() {
                TypeRule::Call => format!("function {word}"),
                TypeRule::Poke if inputs == 1 => format!("into output {word}"),
                TypeRule::Poke | TypeRule::Peek => format!("offset {word}"),
                _ => immediate(op, word),
            });
        }
    }

    /// Writes a block preceded by the number of its words. Returns false if its end is unknown.
    fn sized_block(&mut self, end: usize, name: &str, depth: usize, next: &mut usize) -> bool {
        let Some(middle) = self.count(end, self.at + 4, "block", name) else {
            self.rest(end, UNKNOWN);
            return false;
        };
        self.block(middle, "block", depth + 1, next);
        true
    }

    fn cases(&mut self, end: usize, depth: usize, next: &mut usize) {
        let cases = self.peek(0).unwrap_or_default();
        let most = end.saturating_sub(self.at + 4) / 8;
        if usize::try_from(cases).is_ok_and(|cases| cases > most) {
            self.fault(self.at, DecodeErrorKind::WordCount { what: "cases", found: cases });
            self.emit(&format!("{cases} cases"));
            return self.rest(end, UNKNOWN);
        }
        self.word(end, |cases| format!("{cases} cases"));
        for _ in 0..cases {
            if !self.goes_on(end, "switch") || self.word(end, |value| format!("case {}", value.cast_signed())).is_none()
            {
                return;
            }
            self.depth += 1;
            let whole = self.goes_on(end, "switch") && self.sized_block(end, "", depth, next);
            self.depth -= 1;
            if !whole {
                return;
            }
        }
        if self.at < end {
            self.remark("default");
            self.block(end, "switch", depth + 1, next);
        }
    }
}

/// The role of an operand in its operation.
fn input_name(op: Op, index: usize) -> &'static str {
    match (op, index) {
        (Op::Call, _) => "argument",
        (Op::If, _) => "condition",
        (Op::Switch, _) => "selector",
        (Op::Peek | Op::Poke, index) if op.may_lack(index) => "index",
        (Op::Poke | Op::Return, 0) => "value",
        (Op::Poke, _) => "slot",
        _ => "input",
    }
}

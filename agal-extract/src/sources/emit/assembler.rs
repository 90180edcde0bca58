//! The code of one method while it is written: instructions, labels, the depth of the stack, and the line of each.

use swf::avm2::types::{Exception, Index, Multiname, Op};
use swf::avm2::write::Writer;

/// The longest code of a method: branches reach half as far.
const LONGEST: usize = 4 << 20;

/// A place in the code to which branches go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label(usize);

#[derive(Debug, Default)]
struct Target {
    at: Option<usize>,
    /// The depth of the stack there, once a branch or the code before it tells.
    depth: Option<u32>,
}

#[derive(Debug)]
struct Fixup {
    /// Where the 24 bits of the distance are; it is counted from their end.
    at: usize,
    label: Label,
}

#[derive(Debug)]
struct Handler {
    from: Label,
    to: Label,
    target: Label,
    type_name: Index<Multiname>,
}

#[derive(Debug, Default)]
pub(super) struct Assembler {
    code: Vec<u8>,
    depth: u32,
    most: u32,
    targets: Vec<Target>,
    fixups: Vec<Fixup>,
    handlers: Vec<Handler>,
    /// The line of what is written next.
    pub(super) line: u32,
    lines: Vec<(u32, u32)>,
}

/// The code of a method when it is finished.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) code: Vec<u8>,
    pub(super) most: u32,
    pub(super) exceptions: Vec<Exception>,
    pub(super) lines: Vec<(u32, u32)>,
}

impl Assembler {
    /// How many values are on the stack.
    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// The code from here on is reached by nothing, and is written as if this many values were on the stack.
    pub(super) fn set_depth(&mut self, depth: u32) {
        self.depth = depth;
    }

    /// Writes an instruction that takes some values from the stack and puts others on it.
    pub(super) fn op(&mut self, op: &Op, takes: u32, puts: u32) {
        let at = u32::try_from(self.code.len()).unwrap_or(u32::MAX);
        if self.lines.last().is_none_or(|(_, line)| *line != self.line) {
            self.lines.push((at, self.line));
        }
        // Writing to a vector does not fail.
        let _ = Writer::new(&mut self.code).write_op(op);
        self.depth = self.depth.saturating_sub(takes).saturating_add(puts);
        self.most = self.most.max(self.depth);
    }

    pub(super) fn label(&mut self) -> Label {
        self.targets.push(Target::default());
        Label(self.targets.len() - 1)
    }

    /// Writes a branch, whose distance is filled in later.
    pub(super) fn branch(&mut self, make: fn(i32) -> Op, takes: u32, label: Label) {
        self.op(&make(0), takes, 0);
        self.fixups.push(Fixup { at: self.code.len().saturating_sub(3), label });
        if let Some(target) = self.targets.get_mut(label.0) {
            target.depth.get_or_insert(self.depth);
        }
    }

    /// The label is here.
    pub(super) fn place(&mut self, label: Label) {
        let (at, depth) = (self.code.len(), self.depth);
        if let Some(target) = self.targets.get_mut(label.0) {
            target.at = Some(at);
            self.depth = *target.depth.get_or_insert(depth);
        }
        self.most = self.most.max(self.depth);
    }

    /// The label is here, and branches come back to it.
    pub(super) fn place_backward(&mut self, label: Label) {
        self.place(label);
        self.op(&Op::Label, 0, 0);
    }

    /// The code between two labels is guarded; the exception is alone on the stack at the third.
    pub(super) fn handler(&mut self, from: Label, to: Label, target: Label, type_name: Index<Multiname>) {
        if let Some(target) = self.targets.get_mut(target.0) {
            target.depth = Some(1);
        }
        self.handlers.push(Handler { from, to, target, type_name });
    }

    fn at(&self, label: Label) -> usize {
        self.targets.get(label.0).and_then(|target| target.at).unwrap_or(self.code.len())
    }

    /// The code, or none if it is too long for its branches.
    pub(super) fn finish(mut self) -> Option<Finished> {
        if self.code.len() > LONGEST {
            return None;
        }
        let mut code = std::mem::take(&mut self.code);
        let end = code.len();
        for fixup in &self.fixups {
            let to = self.targets.get(fixup.label.0).and_then(|target| target.at).unwrap_or(end);
            let distance = i32::try_from(to).ok()?.checked_sub(i32::try_from(fixup.at + 3).ok()?)?;
            let bytes = distance.to_le_bytes();
            for (place, byte) in code.iter_mut().skip(fixup.at).zip(bytes.into_iter().take(3)) {
                *place = byte;
            }
        }
        self.code = code;
        let offset = |label| u32::try_from(self.at(label)).unwrap_or(u32::MAX);
        let exceptions = self
            .handlers
            .iter()
            .map(|handler| Exception {
                from_offset: offset(handler.from),
                to_offset: offset(handler.to),
                target_offset: offset(handler.target),
                variable_name: Index::new(0),
                type_name: handler.type_name,
            })
            .collect();
        Some(Finished { exceptions, code: self.code, most: self.most, lines: self.lines })
    }
}

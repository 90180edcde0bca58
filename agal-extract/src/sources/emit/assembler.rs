//! Assembles the code of a method: instructions, labels, the stack depth, and the source line of each instruction.

use swf::avm2::types::{Exception, Index, Op};
use swf::avm2::write::Writer;

/// The maximum length of a method's code in bytes, chosen so that every branch offset fits in 24 bits.
const LONGEST: usize = 4 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label(u32);

#[derive(Debug, Default)]
struct Target {
    at: Option<usize>,
    /// The stack depth at the label, set by the first branch to the label or by the code that falls through to it.
    depth: Option<u32>,
}

#[derive(Debug, Default)]
pub(super) struct Assembler {
    pub(super) code: Vec<u8>,
    /// The current number of values on the stack. Unreachable code keeps the depth of the code before it.
    pub(super) depth: u32,
    targets: Vec<Target>,
    /// The position and target of each 24-bit branch offset. An offset is relative to the byte that follows the offset.
    branches: Vec<(usize, Label)>,
    /// The exception handlers, in which label numbers stand for offsets until the code is finished.
    pub(super) exceptions: Vec<Exception>,
    pub(super) line: u32,
    /// The source line of each run of instructions, with the byte offset of the run's first instruction.
    pub(super) lines: Vec<(u32, u32)>,
}

impl Assembler {
    /// Writes an instruction that pops `takes` values and pushes `puts` values.
    pub(super) fn op(&mut self, op: &Op, takes: u32, puts: u32) {
        let at = u32::try_from(self.code.len()).unwrap_or(u32::MAX);
        if self.lines.last().is_none_or(|(_, line)| *line != self.line) {
            self.lines.push((at, self.line));
        }
        // Writing to a vector cannot fail.
        let _ = Writer::new(&mut self.code).write_op(op);
        self.depth = self.depth.saturating_sub(takes).saturating_add(puts);
    }

    pub(super) fn label(&mut self) -> Label {
        let label = Label(count(&self.targets));
        self.targets.push(Target::default());
        label
    }

    /// Writes a branch with a placeholder offset, which [`Assembler::finish`] replaces.
    pub(super) fn branch(&mut self, make: fn(i32) -> Op, takes: u32, label: Label) {
        self.op(&make(0), takes, 0);
        self.branches.push((self.code.len().saturating_sub(3), label));
        let depth = self.depth;
        if let Some(target) = self.target(label) {
            target.depth.get_or_insert(depth);
        }
    }

    pub(super) fn place(&mut self, label: Label) {
        let (at, depth) = (self.code.len(), self.depth);
        if let Some(target) = self.target(label) {
            target.at = Some(at);
            self.depth = *target.depth.get_or_insert(depth);
        }
    }

    /// Adds an exception handler at `target` for the code from `from` to `to`. When the handler begins, the stack contains only
    /// the exception.
    pub(super) fn handler(&mut self, from: Label, to: Label, target: Label) {
        if let Some(target) = self.target(target) {
            target.depth = Some(1);
        }
        let [from_offset, to_offset, target_offset] = [from.0, to.0, target.0];
        let [variable_name, type_name] = [Index::new(0); 2];
        self.exceptions.push(Exception { from_offset, to_offset, target_offset, variable_name, type_name });
    }

    fn target(&mut self, label: Label) -> Option<&mut Target> {
        self.targets.get_mut(label.0 as usize)
    }

    /// Replaces labels with offsets. Returns false if the code is too long for 24-bit branch offsets.
    pub(super) fn finish(&mut self) -> bool {
        let end = self.code.len();
        if end > LONGEST {
            return false;
        }
        let targets = &self.targets;
        let at = |label: u32| {
            let at = targets.get(label as usize).and_then(|target| target.at).unwrap_or(end);
            u32::try_from(at).unwrap_or(u32::MAX)
        };
        for (from, label) in &self.branches {
            let distance = at(label.0).wrapping_sub(u32::try_from(from + 3).unwrap_or(u32::MAX)).to_le_bytes();
            self.code.iter_mut().skip(*from).take(3).zip(distance).for_each(|(place, byte)| *place = byte);
        }
        for found in &mut self.exceptions {
            for offset in [&mut found.from_offset, &mut found.to_offset, &mut found.target_offset] {
                *offset = at(*offset);
            }
        }
        true
    }
}

pub(super) fn count<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}

//! The registers that a list of statements may write.

use std::collections::BTreeSet;

use naga::{Expression, Handle, Statement};

use super::Lifter;
use crate::summary::each_of;

impl<'m> Lifter<'_, 'm> {
    /// Returns the registers that blocks may write.
    pub(super) fn written(&self, blocks: impl IntoIterator<Item = &'m naga::Block>) -> Vec<usize> {
        let mut written = BTreeSet::new();
        for statement in blocks.into_iter().flatten() {
            each_of(statement, &mut |statement| self.add_written(statement, &mut written));
        }
        written.into_iter().collect()
    }

    fn add_written(&self, statement: &Statement, written: &mut BTreeSet<usize>) {
        match *statement {
            Statement::Store { pointer, .. } => self.add_place(pointer, written),
            Statement::Call { function, ref arguments, .. } => {
                for &argument in arguments {
                    self.add_place(argument, written);
                }
                let summary = self.shared.summaries.of(function);
                for private in summary.private.iter().filter_map(|private| self.privates.get(private)) {
                    self.lifting.add_registers(*private, &[], written);
                }
                if summary.kills {
                    written.extend(self.discarded);
                }
            }
            Statement::Kill => written.extend(self.discarded),
            Statement::Return { .. } => {
                if let Some((result, returned)) = self.inlined() {
                    written.insert(returned);
                    result.iter().for_each(|&result| self.lifting.add_registers(result, &[], written));
                }
            }
            Statement::Continue => written.extend(self.continued()),
            _ => {}
        }
    }

    /// Adds the registers that a pointer points to, if the pointer points into a variable.
    fn add_place(&self, pointer: Handle<Expression>, written: &mut BTreeSet<usize>) {
        if let Some((variable, steps)) = self.variable_at(pointer) {
            self.lifting.add_registers(variable, &steps, written);
        }
    }
}

//! The registers that a list of statements may write. The head of a loop needs a PHI for each register that the loop may write.
//! Each register that a loop or switch may write also needs a slot, which carries the register's value to the code after the loop
//! or switch.

use std::collections::BTreeSet;

use naga::{Expression, Handle, Statement};

use super::Lifter;
use super::value::{Step, Value};
use super::variables::{Place, Root, Variable};
use crate::summary::each_of;

impl<'m> Lifter<'_, 'm> {
    /// Returns the registers that blocks may write, and the number of their components.
    pub(super) fn written(&self, blocks: impl IntoIterator<Item = &'m naga::Block>) -> Vec<(usize, u8)> {
        let mut written = BTreeSet::new();
        for statement in blocks.into_iter().flatten() {
            each_of(statement, &mut |statement| self.add_written(statement, &mut written));
        }
        let described = |register: usize| self.described.get(register).map(|described| (register, described.width));
        written.into_iter().filter_map(described).collect()
    }

    fn add_written(&self, statement: &Statement, written: &mut BTreeSet<usize>) {
        match *statement {
            Statement::Store { pointer, .. } => self.add_place(pointer, written),
            Statement::Call { function, ref arguments, .. } => {
                for &argument in arguments {
                    self.add_place(argument, written);
                }
                let summary = self.shared.summaries.of(function);
                for private in &summary.private {
                    let number = self.privates.get(private).copied();
                    self.add_variable(number, &[], written);
                }
                if summary.kills {
                    written.extend(self.discarded);
                }
            }
            Statement::Kill => written.extend(self.discarded),
            Statement::Return { .. } => {
                if let Some((result, returned)) = self.inlined() {
                    written.insert(returned);
                    self.add_variable(result, &[], written);
                }
            }
            Statement::Continue => written.extend(self.continued()),
            _ => {}
        }
    }

    /// Adds the registers that a pointer points to, if the pointer points into a variable.
    fn add_place(&self, pointer: Handle<Expression>, written: &mut BTreeSet<usize>) {
        let mut steps = Vec::new();
        let mut at = pointer;
        let number = loop {
            match self.expression(at) {
                Some(&Expression::Access { base, .. }) => {
                    steps.push(None);
                    at = base;
                }
                Some(&Expression::AccessIndex { base, index }) => {
                    steps.push(Some(index));
                    at = base;
                }
                Some(&Expression::LocalVariable(variable)) => {
                    break self.frame().and_then(|frame| frame.locals.get(variable.index()).copied().flatten());
                }
                Some(Expression::GlobalVariable(variable)) => break self.privates.get(variable).copied(),
                Some(&Expression::FunctionArgument(number)) => {
                    let argument = self.frame().and_then(|frame| frame.arguments.get(number as usize));
                    let Some(Value::Place(Place { root: Root::Variable(number), steps: outer })) = argument else {
                        break None;
                    };
                    let known = |step: &Step| if let Step::Known(at) = *step { Some(at) } else { None };
                    steps.extend(outer.iter().rev().map(known));
                    break Some(*number);
                }
                _ => break None,
            }
        };
        steps.reverse();
        self.add_variable(number, &steps, written);
    }

    fn add_variable(&self, number: Option<usize>, steps: &[Option<u32>], written: &mut BTreeSet<usize>) {
        let Some(variable) = number.and_then(|number| self.variables.get(number)) else { return };
        let mut open = vec![(variable, steps)];
        while let Some((variable, steps)) = open.pop() {
            match (variable, steps) {
                (Variable::Slots(_) | Variable::Buffer(_), _) => {}
                (&Variable::Registers { first, matrix: true, columns, .. }, &[Some(column), ..])
                    if column < columns.into() =>
                {
                    written.insert(first + column as usize);
                }
                (&Variable::Registers { first, columns, .. }, _) => written.extend(first..first + usize::from(columns)),
                (Variable::Parts(parts), [Some(part), inside @ ..]) => {
                    open.extend(parts.get(*part as usize).map(|part| (part, inside)));
                }
                (Variable::Parts(parts), [None, inside @ ..]) => open.extend(parts.iter().map(|part| (part, inside))),
                (Variable::Parts(parts), []) => open.extend(parts.iter().map(|part| (part, steps))),
            }
        }
    }
}

//! The rest of a deeply nested block, as a sequence of conditionals.
//!
//! The rest of a block after a skip is usually in one arm of a conditional (`flow.rs`), so each skip adds a level of nesting. A
//! block with many skips would nest deeper than SDLSHADERBC allows. From a depth of [`DEEP`] on, the block is split after each
//! statement that may skip, and each piece becomes a conditional: `if (!skipped) { ... } if (!skipped) { ... }`. PHIs pass the
//! values of a piece to later pieces.

use std::collections::BTreeSet;

use naga::{Expression, Handle, Statement};
use sdlbc::{Few, Id, Type};

use super::flow::Tail;
use super::value::Value;
use super::{Described, Lifter};
use crate::operands;
use crate::summary::each_of;

/// The nesting depth from which conditionals are written in sequence instead of nested. The other half of SDLSHADERBC's limit
/// remains for the nesting of the source itself.
const DEEP: usize = sdlbc::limits::NESTING / 2;

/// A value that is used after the conditional that computes the value.
enum Carried {
    /// The register of a scalar or vector.
    Vector(usize),
    /// The registers of a matrix's columns.
    Matrix(Vec<usize>),
    /// The parts of a structure or an array.
    Many(Vec<Carried>),
    /// A value that does not depend on the conditional.
    Same(Value),
}

impl<'m> Lifter<'_, 'm> {
    pub(super) fn is_deep(&self) -> bool {
        self.builder.depth() >= DEEP
    }

    /// Lifts statements that run only while the flag in a register is not set; the statements themselves may set the flag.
    /// Control always reaches the end of the sequence, because each conditional has an empty arm.
    pub(super) fn in_sequence(&mut self, flag: usize, rest: &'m [Statement], tail: Tail) {
        let mut parts: Vec<&'m [Statement]> =
            rest.split_inclusive(|statement| self.skips(std::slice::from_ref(statement))).collect();
        let last = parts.pop();
        let mut parts: Vec<_> = parts.into_iter().map(|part| (part, Tail::No)).collect();
        parts.extend(last.map(|part| (part, tail)));
        // The values that each part defines and later parts need, collected from the last part to the first.
        let mut needed = BTreeSet::new();
        let mut carried = Vec::with_capacity(parts.len());
        for &(part, _) in parts.iter().rev() {
            let mut own = Vec::new();
            for statement in part {
                operands::defined(statement, &mut |handle| own.extend(needed.contains(&handle).then_some(handle)));
            }
            carried.push(own);
            self.add_needed(part, &mut needed);
        }
        for ((part, tail), carried) in parts.into_iter().zip(carried.into_iter().rev()) {
            self.unless(flag, part, &carried, tail);
        }
    }

    /// Adds the expressions that the statements refer to, directly or through other expressions such as pointers.
    fn add_needed(&self, statements: &'m [Statement], needed: &mut BTreeSet<Handle<Expression>>) {
        let mut open = Vec::new();
        for statement in statements {
            each_of(statement, &mut |statement| operands::of_statement(statement, &mut |operand| open.push(operand)));
        }
        while let Some(handle) = open.pop() {
            if let Some(expression) = self.expression(handle).filter(|_| needed.insert(handle)) {
                operands::of_expression(expression, &mut |operand| open.push(operand));
            }
        }
    }

    /// Lifts statements in a conditional that runs if a flag is not set. The values in `carried` can be used after the
    /// conditional.
    fn unless(&mut self, flag: usize, part: &'m [Statement], carried: &[Handle<Expression>], tail: Tail) {
        let known = self.registers.count();
        let skipped = self.registers.gather(&mut self.builder, flag, 1);
        let goes_on = self.builder.not(skipped);
        self.registers.begin_if(&mut self.builder, goes_on);
        let reached = self.block(part, tail);
        let mut values = Vec::new();
        if reached {
            for &handle in carried {
                let value = self.computed(handle);
                values.extend(value.map(|value| (handle, self.store_in_registers(value))));
            }
        } else {
            self.registers.abandon();
        }
        self.registers.begin_else(&mut self.builder);
        let mut registers = BTreeSet::new();
        values.iter().for_each(|(_, carried)| self.clear(carried, &mut registers));
        let described = &self.described;
        let name = |register: usize| described.get(register).and_then(|described| described.name);
        let is_wanted = |slot: usize| slot / 4 < known || registers.contains(&(slot / 4));
        self.registers.end_if(&mut self.builder, is_wanted, name);
        for (handle, carried) in values {
            let value = self.load_from_registers(&carried);
            self.set_value(handle, value);
        }
        self.registers.truncate(known);
        self.described.truncate(known);
    }

    fn store_in_registers(&mut self, value: Value) -> Carried {
        match value {
            Value::One(id) => match self.ty(id) {
                Type::Matrix { .. } => {
                    Carried::Matrix(self.columns(id).into_iter().map(|id| self.store_in_register(id)).collect())
                }
                _ => Carried::Vector(self.store_in_register(id)),
            },
            Value::Many(parts) => Carried::Many(parts.into_iter().map(|part| self.store_in_registers(part)).collect()),
            same @ (Value::Place(_) | Value::Resource(_)) => Carried::Same(same),
        }
    }

    fn store_in_register(&mut self, id: Id) -> usize {
        let (scalar, width) = (self.scalar_of(id), self.width(id));
        let register = self.register(None, scalar, width);
        self.registers.set(register, id, width);
        register
    }

    /// Sets registers to zero in the arm of the conditional that does not compute their values.
    fn clear(&mut self, carried: &Carried, registers: &mut BTreeSet<usize>) {
        let mut one = |lifter: &mut Self, register: usize| {
            registers.insert(register);
            if let Some(&Described { scalar, width, .. }) = lifter.described.get(register) {
                let zero = lifter.zero(Type::Vector(scalar, width));
                lifter.registers.set(register, zero, width);
            }
        };
        match carried {
            Carried::Vector(register) => one(self, *register),
            Carried::Matrix(columns) => columns.iter().for_each(|&register| one(self, register)),
            Carried::Many(parts) => parts.iter().for_each(|part| self.clear(part, registers)),
            Carried::Same(_) => {}
        }
    }

    fn load_from_registers(&mut self, carried: &Carried) -> Value {
        let one = |lifter: &mut Self, register: usize| {
            let width = lifter.described.get(register).map_or(1, |described| described.width);
            lifter.registers.gather(&mut lifter.builder, register, width)
        };
        match carried {
            Carried::Vector(register) => Value::One(one(self, *register)),
            Carried::Matrix(columns) => {
                let columns: Few<Id> = columns.iter().map(|&register| one(self, register)).collect();
                Value::One(self.matrix(&columns))
            }
            Carried::Many(parts) => Value::Many(parts.iter().map(|part| self.load_from_registers(part)).collect()),
            Carried::Same(value) => value.clone(),
        }
    }
}

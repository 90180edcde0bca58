//! Loops over objects, loops with an unknown number of iterations, very long loops, and activation objects.
//!
//! A loop with an unknown number of iterations is tried only with a few iteration counts, each on a separate path. Results are
//! reported for each of these counts. The conditions of the path with the most iterations state that more iterations may follow.

use std::rc::Rc;

use swf::avm2::types::Op;

use crate::avm::code::Instruction;
use crate::avm::types::Type;
use crate::avm::world::{Member, members};
use crate::eval::expr::{Expr, Kind};
use crate::eval::machine::{Frame, Run, Stop};
use crate::eval::number;
use crate::eval::selector::Selector;
use crate::eval::value::{Key, Object, ObjectKind, Value};

/// The number of iterations tried for a loop whose own condition is unknown.
const ROUNDS: u32 = 3;
/// The number of iterations tried for a loop over the elements of an unknown value.
const ELEMENTS: u32 = 1;
/// The number of times that a loop continues past a `break` whose condition is unknown.
const BREAKS: u32 = 6;
/// The maximum number of iterations of a loop whose conditions are known. The limit equals the maximum number of instructions in
/// a program.
const KNOWN_ROUNDS: u32 = 4_096;

impl Run<'_, '_> {
    /// Decides whether the condition of a branch is true on the path, and limits the number of loop iterations.
    pub(crate) fn branch(&mut self, frame: &mut Frame, instruction: &Instruction, value: &Value) -> Result<bool, Stop> {
        // Whether the branch is taken if the value is true.
        let by_truth = !matches!(instruction.op, Op::IfFalse { .. });
        if let Some(known) = value.truth() {
            return Ok(match instruction.exit {
                Some(exit) if exit.by_branching != (known == by_truth) && self.is_too_long(frame, exit.first) => !known,
                _ => known,
            });
        }
        let condition = self.expr(value);
        let Some(exit) = instruction.exit else { return self.decide(&condition) };
        let at = frame.pc;
        let leaves = exit.by_branching == by_truth;
        let is_length = |expr: &Expr| matches!(expr.kind(), Kind::Field(_, name) if &**name == "length");
        let is_over_elements =
            condition.operation().is_some_and(|(name, operands)| name == "more in" || operands.iter().any(is_length));
        let most = match exit.is_condition {
            true if is_over_elements => ELEMENTS,
            true => ROUNDS,
            false => BREAKS,
        };
        let rounds = frame.rounds.get(&at).copied().unwrap_or_default();
        // The limit also applies to a condition that the path has already decided, because the condition may stay true forever.
        let holds = if rounds < most {
            self.decide(&condition)?
        } else {
            if self.facts.truth(&condition).is_none() {
                self.assume(&condition, leaves);
                self.has_more_rounds = true;
            }
            leaves
        };
        if holds == leaves {
            frame.rounds.remove(&at);
        } else {
            frame.rounds.insert(at, rounds.saturating_add(1));
        }
        Ok(holds)
    }

    /// Counts how often a backward jump is executed, and fails if the count exceeds the limit.
    pub(crate) fn jump_to(&mut self, frame: &mut Frame, target: usize) -> Result<(), Stop> {
        if target < frame.pc {
            let rounds = frame.known_rounds.entry(frame.pc).or_default();
            *rounds = rounds.saturating_add(1);
            if *rounds > KNOWN_ROUNDS.saturating_mul(2) {
                return Err(Stop::Limit);
            }
        }
        Ok(())
    }

    /// Counts an iteration of the loop that starts at instruction `first`, and returns whether the loop exceeds [`KNOWN_ROUNDS`].
    /// Beyond this limit, the local variables that the loop assigns become unknown.
    pub(crate) fn is_too_long(&mut self, frame: &mut Frame, first: usize) -> bool {
        let rounds = frame.known_rounds.entry(first).or_default();
        *rounds = rounds.saturating_add(1);
        if *rounds <= KNOWN_ROUNDS {
            return false;
        }
        let (code, (_, number)) = (frame.code.clone(), self.site());
        let last = code.instructions.iter().rposition(|instruction| instruction.targets.contains(&first));
        let last = last.unwrap_or_default().max(frame.pc);
        for instruction in code.instructions.get(first..last).unwrap_or_default() {
            if let Op::SetLocal { index }
            | Op::IncLocal { index }
            | Op::IncLocalI { index }
            | Op::DecLocal { index }
            | Op::DecLocalI { index } = instruction.op
            {
                frame.set_local(index, Value::Unknown(Expr::leaf("loop", number.wrapping_add(index), Type::Any)));
            }
        }
        // Arrays that the loop has filled may have more elements than are recorded.
        self.heap.open_long(KNOWN_ROUNDS as usize);
        true
    }

    pub(crate) fn new_activation(&mut self, frame: &Frame) -> Result<Value, Stop> {
        let unit = self.world.unit(frame.method.unit).ok_or(Stop::Broken)?;
        let traits = unit.abc.body(frame.method.method).map(|body| body.traits()).unwrap_or_default();
        let members = members(unit, frame.method.unit, 0, traits);
        let mut object = Object::new(ObjectKind::Plain);
        // Among members with the same name, only the first is used.
        for same in members.all.chunk_by(|(one, ..), (other, ..)| one == other) {
            if let Some((name, _, Member::Slot { default, of, .. })) = same.first() {
                object.set(Key::Name(name.clone()), Value::first(default.as_ref(), of));
            }
        }
        object.slots = Some(Rc::new(members));
        self.make(object)
    }

    /// Returns whether a loop over an object continues, and the number of the next iteration.
    pub(crate) fn has_next(&mut self, object: &Value, at: &Value) -> Result<(Value, Value), Stop> {
        let round = at.number().unwrap_or_default();
        let index = usize::try_from(number::to_i64(round)).unwrap_or_default();
        let next = Value::Number(round + 1.0);
        let (count, is_complete) = match object {
            Value::Undefined | Value::Null => (0, true),
            Value::Object(at) => {
                let object = self.object(*at)?;
                let count = match &object.kind {
                    ObjectKind::Array(elements) => elements.len(),
                    ObjectKind::Xml(list) => list.len(),
                    _ => object.order.len(),
                };
                let is_native = matches!(object.kind, ObjectKind::Native(_));
                (count, !object.is_open && object.expr.is_none() && !is_native)
            }
            _ => (0, false),
        };
        if index < count {
            return Ok((Value::Bool(true), next));
        }
        if is_complete {
            return Ok((Value::Bool(false), Value::Number(0.0)));
        }
        let operands = [self.expr(object), self.expr(&Value::Number(round))];
        Ok((Value::Unknown(Expr::op("more in", &operands, Type::Boolean)), next))
    }

    /// Returns the name or the value that a loop over an object visits in the given iteration.
    pub(crate) fn next(&mut self, object: &Value, at: &Value, name: bool) -> Result<Value, Stop> {
        let round = number::to_i64(at.number().unwrap_or_default());
        let index = usize::try_from(round.saturating_sub(1)).unwrap_or_default();
        if let Value::Object(at) = object {
            if !name && let Some(item) = self.xml_property(*at, &Selector::Value(Value::Number(index as f64)))? {
                return Ok(item);
            }
            let found = self.object(*at)?;
            let known = match (&found.kind, found.order.get(index)) {
                (ObjectKind::Xml(_), _) if name => Some(Value::text(&index.to_string())),
                (ObjectKind::Array(elements), _) if index < elements.len() && name => Some(Value::Number(index as f64)),
                (ObjectKind::Array(elements), _) if index < elements.len() => elements.get(index).cloned(),
                (_, Some(key)) if !name => found.fields.get(key).cloned(),
                (_, Some(Key::Name(name) | Key::Slot(_, name, _))) => Some(Value::text(name)),
                (_, Some(Key::Object(at))) => Some(Value::Object(*at)),
                (_, None) => None,
            };
            if let Some(known) = known {
                return Ok(known);
            }
        }
        let of = match object {
            Value::Object(found) if !name => self.object(*found)?.elements.clone(),
            Value::Unknown(expr) if !name => expr.of().element(),
            _ => Type::Any,
        };
        let number = u32::try_from(index).unwrap_or_default().saturating_mul(2).saturating_add(u32::from(name));
        Ok(Value::Unknown(Expr::new(Kind::Each(self.expr(object), number), of)))
    }
}

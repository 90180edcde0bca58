//! Loops whose number of rounds is not known: their bodies are run not at all or once, and what a further round would add is a
//! hole.

use swf::avm2::types::Op;

use crate::avm::code::Instruction;
use crate::avm::types::Type;
use crate::eval::expr::{Expr, Kind};
use crate::eval::machine::{Frame, Run, Stop};
use crate::eval::text::Text;
use crate::eval::value::{Key, ObjectKind, Ref, Value};

/// How often a loop's `break` is left to chance.
const BREAKS: u32 = 6;

/// A loop that goes on although it is not known that it does.
#[derive(Debug)]
pub(crate) struct Loop {
    /// How often it went on.
    rounds: u32,
    /// What the variables were before the first such round.
    before: Vec<(Place, Value)>,
    /// The condition of the first such round.
    condition: Expr,
}

/// A variable.
#[derive(Clone, Debug)]
enum Place {
    Local(u32),
    Field(Ref, Key),
}

impl Run<'_, '_> {
    /// Which way a branch goes, whose condition is a value.
    pub(crate) fn branch(&mut self, frame: &mut Frame, instruction: &Instruction, value: &Value) -> Result<bool, Stop> {
        if let Some(known) = value.truth() {
            return Ok(known);
        }
        let condition = self.expr(value);
        let Some(exit) = instruction.exit else { return self.decide(frame, &condition) };
        let at = frame.pc;
        // Whether the branch is taken if the value is true.
        let by_truth = !matches!(instruction.op, Op::IfFalse { .. });
        let leaves = exit.by_branching == by_truth;
        let most = if exit.is_condition { 1 } else { BREAKS };
        if frame.loops.get(&at).is_some_and(|one| one.rounds >= most) {
            if let Some(one) = frame.loops.remove(&at) {
                self.mark(frame, one);
            }
            return Ok(leaves);
        }
        // A condition that was decided before may hold for ever.
        let holds = self.decide(frame, &condition)?;
        if holds == leaves {
            frame.loops.remove(&at);
        } else if let Some(one) = frame.loops.get_mut(&at) {
            one.rounds += 1;
        } else {
            let before = self.variables(frame);
            frame.loops.insert(at, Loop { rounds: 1, before, condition });
        }
        Ok(holds)
    }

    /// The variables that a loop may change: locals, those of functions in functions, and the object's fields.
    fn variables(&self, frame: &Frame) -> Vec<(Place, Value)> {
        let mut found: Vec<(Place, Value)> =
            (0u32..).zip(&frame.locals).map(|(at, value)| (Place::Local(at), value.clone())).collect();
        let this = frame.locals.first();
        for value in frame.scope.iter().chain(this) {
            let Value::Object(at) = value else { continue };
            let Some(object) = self.heap.get(*at) else { continue };
            let mut fields: Vec<(Place, Value)> =
                object.fields.iter().map(|(key, value)| (Place::Field(*at, key.clone()), value.clone())).collect();
            fields.sort_by(|(one, _), (two, _)| match (one, two) {
                (Place::Field(_, one), Place::Field(_, two)) => one.cmp(two),
                _ => std::cmp::Ordering::Equal,
            });
            found.extend(fields.into_iter().take(500));
        }
        // What arrays hold is compared by their lengths.
        for (_, value) in &mut found {
            if let Value::Object(at) = value
                && let Some(ObjectKind::Array(elements)) = self.heap.get(*at).map(|object| &object.kind)
            {
                *value = Value::Number(elements.len() as f64);
            }
        }
        found
    }

    /// Marks what further rounds would have changed.
    fn mark(&mut self, frame: &mut Frame, one: Loop) {
        for (place, before) in one.before {
            let now = match &place {
                Place::Local(at) => frame.local(*at),
                Place::Field(at, key) => {
                    let value = self.heap.get(*at).and_then(|object| object.fields.get(key)).cloned();
                    value.unwrap_or(Value::Undefined)
                }
            };
            let again = Expr::new(Kind::Repeated(one.condition.clone()), Type::String);
            let new = match (&before, &now) {
                (Value::Text(old), Value::Text(text)) if old != text => {
                    let mut text = text.clone();
                    text.push(&Text::hole(again));
                    Value::Text(text)
                }
                (Value::Null | Value::Undefined, Value::Text(text)) => {
                    let mut text = text.clone();
                    text.push(&Text::hole(again));
                    Value::Text(text)
                }
                (Value::Number(old), Value::Number(number)) if old != number => {
                    let old = Value::Number(*number).as_constant().unwrap_or_else(|| again.clone());
                    Value::Unknown(Expr::op("after the loop", &[old, one.condition.clone()], Type::Number))
                }
                (Value::Number(old), Value::Object(array)) => {
                    if let Some(object) = self.heap.get_mut(*array)
                        && let ObjectKind::Array(elements) = &mut object.kind
                        && elements.len() as f64 != *old
                    {
                        elements.push(Value::Unknown(again));
                    }
                    continue;
                }
                _ => continue,
            };
            match place {
                Place::Local(at) => frame.set_local(at, new),
                Place::Field(at, key) => {
                    if let Some(object) = self.heap.get_mut(at) {
                        object.fields.insert(key, new);
                    }
                }
            }
        }
    }
}

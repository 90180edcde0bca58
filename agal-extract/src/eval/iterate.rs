//! Loops over objects, and activation objects.

use std::rc::Rc;

use crate::avm::types::Type;
use crate::avm::world::{Member, members};
use crate::eval::access::Selector;
use crate::eval::expr::{Expr, Kind};
use crate::eval::machine::{Frame, Run, Stop};
use crate::eval::number;
use crate::eval::value::{Key, Object, ObjectKind, Value};

impl Run<'_, '_> {
    pub(crate) fn new_activation(&mut self, frame: &Frame) -> Result<Value, Stop> {
        let unit = self.world.unit(frame.method.unit).ok_or(Stop::Broken)?;
        let traits = unit.body(frame.method.method).map(|body| body.traits()).unwrap_or_default();
        let members = members(unit, frame.method.unit, 0, traits);
        let mut object = Object::new(ObjectKind::Plain);
        for (name, _, member) in members.first_of_each() {
            if let Member::Slot { default, of, .. } = member {
                object.set(Key::Name(name.clone()), Value::first(default.as_ref(), of));
            }
        }
        object.slots = Some(Rc::new(members));
        self.make(object)
    }

    /// Whether a loop over an object goes on, and the number of the next round.
    pub(crate) fn has_next(&mut self, object: &Value, at: &Value) -> Result<(Value, Value), Stop> {
        let round = at.number().unwrap_or_default();
        let index = usize::try_from(number::whole(round)).unwrap_or_default();
        let next = Value::Number(round + 1.0);
        let open = |run: &Self| {
            let round = run.expr(&Value::Number(round));
            Value::Unknown(Expr::op("more in", &[run.expr(object), round], Type::Boolean))
        };
        match object {
            Value::Undefined | Value::Null => Ok((Value::Bool(false), Value::Number(0.0))),
            Value::Object(found) => {
                let found = self.object(*found)?;
                let count = match &found.kind {
                    ObjectKind::Array(elements) => elements.len(),
                    ObjectKind::Xml(list) => list.len(),
                    _ => found.order.len(),
                };
                let is_closed = !found.is_open && found.expr.is_none() && !matches!(found.kind, ObjectKind::Native(_));
                if index < count {
                    return Ok((Value::Bool(true), next));
                }
                Ok(if is_closed { (Value::Bool(false), Value::Number(0.0)) } else { (open(self), next) })
            }
            _ => Ok((open(self), next)),
        }
    }

    /// The name or the value of a round of a loop over an object.
    pub(crate) fn next(&mut self, object: &Value, at: &Value, name: bool) -> Result<Value, Stop> {
        let round = number::whole(at.number().unwrap_or_default());
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

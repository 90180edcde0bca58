//! Interprets single AVM2 instructions.

use swf::avm2::types::{Index, Multiname, Op};

use crate::avm::code::Instruction;
use crate::avm::names::{Multi, PUBLIC, short};
use crate::avm::types::Type;
use crate::avm::unit::Unit;
use crate::eval::expr::Expr;
use crate::eval::machine::{Frame, Known, Run, Stop};
use crate::eval::number;
use crate::eval::selector::Selector;
use crate::eval::text::Text;
use crate::eval::value::{Object, ObjectKind, Value};
use crate::eval::xml;

/// Returns the constant that an instruction pushes, or `None` for any other instruction.
pub(crate) fn literal(unit: &Unit, op: &Op) -> Option<Value> {
    Some(match op {
        Op::PushString { value } => Value::Text(unit.text(value)),
        Op::PushByte { value } => Value::Number(f64::from(value.cast_signed())),
        Op::PushShort { value } => Value::Number(f64::from(*value)),
        Op::PushInt { value } => Value::Number(f64::from(unit.int(value))),
        Op::PushUint { value } => Value::Number(f64::from(unit.uint(value))),
        Op::PushDouble { value } => Value::Number(unit.double(value)),
        Op::PushNaN => Value::Number(f64::NAN),
        Op::PushTrue => Value::Bool(true),
        Op::PushFalse => Value::Bool(false),
        Op::PushNull => Value::Null,
        Op::PushUndefined | Op::PushNamespace { .. } => Value::Undefined,
        _ => return None,
    })
}

impl Run<'_, '_> {
    /// Runs an instruction. If the instruction ends the call, returns the call's result.
    pub(crate) fn step(&mut self, frame: &mut Frame, instruction: &Instruction) -> Known {
        match &instruction.op {
            Op::ReturnValue => {
                let value = frame.pop()?;
                self.note(&value);
                return Ok(Some(value));
            }
            Op::ReturnVoid => return Ok(Some(Value::Undefined)),
            op if instruction.targets.is_empty() => self.straight(frame, op)?,
            _ => self.jump(frame, instruction)?,
        }
        Ok(None)
    }

    fn jump(&mut self, frame: &mut Frame, instruction: &Instruction) -> Result<(), Stop> {
        let Some((&first, cases)) = instruction.targets.split_first() else { return Err(Stop::Broken) };
        let taken = match &instruction.op {
            Op::Jump { .. } => {
                self.jump_to(frame, first)?;
                true
            }
            Op::LookupSwitch(_) => {
                frame.pc = self.switch(frame, first, cases)?;
                false
            }
            // Each remaining branch tests one value or compares two values.
            op => {
                let mut value = frame.pop()?;
                if let Some((name, negated)) = comparison(op) {
                    value = self.compare(name, &frame.pop()?, &value)?;
                    if negated {
                        value = self.not(&value);
                    }
                }
                self.branch(frame, instruction, &value)? != matches!(op, Op::IfFalse { .. })
            }
        };
        if taken {
            frame.pc = first;
        }
        Ok(())
    }

    fn switch(&mut self, frame: &mut Frame, default: usize, cases: &[usize]) -> Result<usize, Stop> {
        let value = frame.pop()?;
        if let Some(known) = self.known(&value).number() {
            let at = usize::try_from(number::to_i64(known)).ok();
            return Ok(at.and_then(|at| cases.get(at)).copied().unwrap_or(default));
        }
        // An unknown value is compared with the cases one after another.
        let expr = self.expr(&value);
        for (at, target) in cases.iter().enumerate().take(256) {
            if *target == default {
                continue;
            }
            let constant = self.expr(&Value::Number(at as f64));
            if self.decide(&Expr::op("==", &[expr.clone(), constant], Type::Boolean))? {
                return Ok(*target);
            }
        }
        Ok(default)
    }

    fn straight(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Stop> {
        match op {
            Op::Throw => return Err(Stop::Throw),
            Op::Nop | Op::Label | Op::Debug { .. } | Op::DebugFile { .. } | Op::DebugLine { .. } => {}
            Op::Bkpt | Op::BkptLine { .. } | Op::Timestamp | Op::Dxns { .. } => {}
            Op::Pop | Op::DxnsLate => drop(frame.pop()?),
            Op::Dup => frame.push(frame.stack.last().cloned().ok_or(Stop::Broken)?),
            Op::Swap => {
                let (two, one) = (frame.pop()?, frame.pop()?);
                frame.stack.extend([two, one]);
            }
            Op::SetLocal { index } => {
                let value = frame.pop()?;
                frame.set_local(*index, value);
            }
            Op::Kill { index } => frame.set_local(*index, Value::Undefined),
            Op::IncLocal { index } | Op::IncLocalI { index } => self.step_local(frame, *index, 1.0)?,
            Op::DecLocal { index } | Op::DecLocalI { index } => self.step_local(frame, *index, -1.0)?,
            Op::PushScope | Op::PushWith => {
                let value = frame.pop()?;
                if frame.scope.len() > 256 {
                    return Err(Stop::Broken);
                }
                frame.scope.push(value);
            }
            Op::PopScope => drop(frame.scope.pop()),
            Op::SetProperty { index } | Op::InitProperty { index } | Op::SetSuper { index } => {
                let value = frame.pop()?;
                let (object, selector) = self.target(frame, index)?;
                self.set(&object, &selector, value)?;
            }
            Op::SetSlot { index } | Op::SetGlobalSlot { index } => {
                let value = frame.pop()?;
                let object = if let Op::SetSlot { .. } = op { frame.pop()? } else { frame.global() };
                self.set_slot(&object, *index, value)?;
            }
            Op::ConstructSuper { num_args } => {
                let arguments = frame.pop_many(*num_args)?;
                let this = frame.pop()?;
                match self.base().and_then(|base| self.world.class(base)) {
                    Some(base) => drop(self.invoke(base.constructor, this, arguments)?),
                    None => self.note_all(&arguments),
                }
            }
            Op::CallPropVoid { .. } | Op::CallSuperVoid { .. } => drop(self.value(frame, op)?),
            Op::Sf32 | Op::Sf64 | Op::Si8 | Op::Si16 | Op::Si32 => drop(frame.pop_many(2)?),
            op => {
                let value = self.value(frame, op)?;
                frame.push(value);
            }
        }
        Ok(())
    }

    fn step_local(&mut self, frame: &mut Frame, index: u32, by: f64) -> Result<(), Stop> {
        let new = self.arithmetic("+", &frame.local(index), &Value::Number(by))?;
        frame.set_local(index, new);
        Ok(())
    }

    /// Computes the value that an instruction pushes.
    fn value(&mut self, frame: &mut Frame, op: &Op) -> Result<Value, Stop> {
        if let Some(value) = literal(self.world.unit(frame.method.unit).ok_or(Stop::Broken)?, op) {
            let site = self.site();
            if matches!(op, Op::PushString { .. }) && self.shared.index.uses.contains_key(&site) {
                self.pushed.insert(site);
            }
            return Ok(value);
        }
        Ok(match op {
            Op::GetLocal { index } => frame.local(*index),
            Op::Add => {
                let (two, one) = (frame.pop()?, frame.pop()?);
                self.add(&one, &two)?
            }
            Op::Not => self.not(&frame.pop()?),
            Op::Increment | Op::IncrementI => self.arithmetic("+", &frame.pop()?, &Value::Number(1.0))?,
            Op::Decrement | Op::DecrementI => self.arithmetic("-", &frame.pop()?, &Value::Number(1.0))?,
            Op::Negate | Op::NegateI => self.arithmetic("-", &Value::Number(0.0), &frame.pop()?)?,
            Op::BitNot => self.arithmetic("^", &frame.pop()?, &Value::Number(-1.0))?,
            Op::CoerceS => self.coerce(frame.pop()?, &Type::String),
            Op::ConvertS => Value::Text(self.text_of(&frame.pop()?)?),
            Op::EscXElem | Op::EscXAttr => {
                let text = self.text_of(&frame.pop()?)?;
                Value::Text(text.map(|text| Text::literal(&xml::escape(text)), Expr::clone))
            }
            Op::ConvertI | Op::CoerceI => self.to_integer(frame.pop()?, false),
            Op::ConvertU | Op::CoerceU => self.to_integer(frame.pop()?, true),
            Op::ConvertD | Op::CoerceD => self.to_number(frame.pop()?),
            Op::ConvertB | Op::CoerceB => self.coerce(frame.pop()?, &Type::Boolean),
            Op::CoerceA | Op::CoerceO | Op::ConvertO | Op::CheckFilter => frame.pop()?,
            Op::Coerce { index } | Op::AsType { type_name: index } => {
                self.coerce(frame.pop()?, &self.world.type_of(frame.method.unit, index))
            }
            Op::AsTypeLate => {
                let of = self.type_of_class(&frame.pop()?);
                self.coerce(frame.pop()?, &of)
            }
            Op::IsType { index } => self.is_type(&frame.pop()?, &self.world.type_of(frame.method.unit, index)),
            Op::IsTypeLate | Op::InstanceOf => {
                let of = self.type_of_class(&frame.pop()?);
                self.is_type(&frame.pop()?, &of)
            }
            Op::TypeOf => self.type_name(&frame.pop()?),
            Op::GetLex { index } => {
                let selector = self.selector(frame, index)?;
                let object = self.find(frame, &selector)?;
                self.get(&object, &selector)?
            }
            Op::FindProperty { index } | Op::FindPropStrict { index } | Op::FindDef { index } => {
                let selector = self.selector(frame, index)?;
                self.find(frame, &selector)?
            }
            Op::GetProperty { index } => {
                let (object, selector) = self.target(frame, index)?;
                self.get(&object, &selector)?
            }
            Op::GetSuper { index } => {
                let (object, selector) = self.target(frame, index)?;
                self.get_super(&object, &selector)?
            }
            Op::DeleteProperty { index } => {
                let (object, selector) = self.target(frame, index)?;
                self.delete(&object, &selector)?;
                Value::Bool(true)
            }
            Op::GetDescendants { index } => {
                let (object, selector) = self.target(frame, index)?;
                match self.xml_descendants(&object, &selector.name())? {
                    Some(found) => found,
                    None => self.unknown_call(Some(self.expr(&object)), &selector.name(), &[], Type::Any),
                }
            }
            Op::In => {
                let (object, name) = (frame.pop()?, frame.pop()?);
                self.is_in(&name, &object)?
            }
            Op::GetSlot { index } | Op::GetGlobalSlot { index } => {
                let object = if let Op::GetSlot { .. } = op { frame.pop()? } else { frame.global() };
                self.get_slot(&object, *index)?
            }
            Op::GetGlobalScope => frame.global(),
            Op::GetScopeObject { index } => frame.scope.get(usize::from(*index)).cloned().unwrap_or(Value::Undefined),
            Op::GetOuterScope { index } => frame.outer.get(*index as usize).cloned().unwrap_or(Value::Undefined),
            Op::NewActivation => self.new_activation(frame)?,
            Op::NewCatch { .. } => self.make(Object::new(ObjectKind::Plain))?,
            Op::HasNext2 { object_register, index_register } => {
                let (object, at) = (frame.local(*object_register), frame.local(*index_register));
                let (found, next) = self.has_next(&object, &at)?;
                frame.set_local(*index_register, next);
                found
            }
            Op::HasNext => {
                let (at, object) = (frame.pop()?, frame.pop()?);
                self.has_next(&object, &at)?.1
            }
            Op::NextName | Op::NextValue => {
                let (at, object) = (frame.pop()?, frame.pop()?);
                self.next(&object, &at, matches!(op, Op::NextName))?
            }
            op => match (comparison(op), operator(op)) {
                (Some((name, _)), _) => {
                    let (two, one) = (frame.pop()?, frame.pop()?);
                    self.compare(name, &one, &two)?
                }
                (None, Some(name)) => {
                    let (two, one) = (frame.pop()?, frame.pop()?);
                    self.arithmetic(name, &one, &two)?
                }
                (None, None) => self.call_op(frame, op)?,
            },
        })
    }

    /// Returns the selector for an instruction's multiname. A runtime name and a runtime namespace are popped from the stack.
    pub(crate) fn selector(&mut self, frame: &mut Frame, index: &Index<Multiname>) -> Result<Selector, Stop> {
        let multi = self.world.unit(frame.method.unit).and_then(|unit| unit.multi(index)).ok_or(Stop::Broken)?;
        let name = if multi.has_runtime_name { Some(frame.pop()?) } else { None };
        if multi.has_runtime_namespace {
            frame.pop()?;
        }
        let Some(name) = name else { return Ok(Selector::Name(multi)) };
        if let Some(text) = name.known_text() {
            return Ok(Selector::Name(Multi { name: Some(text.into()), has_runtime_name: false, ..multi }));
        }
        Ok(Selector::Value(match self.known(&name) {
            known @ (Value::Text(_) | Value::Number(_)) => known,
            _ => name,
        }))
    }

    /// Pops the selector of a property, and the object that has the property.
    pub(crate) fn target(&mut self, frame: &mut Frame, index: &Index<Multiname>) -> Result<(Value, Selector), Stop> {
        let selector = self.selector(frame, index)?;
        Ok((frame.pop()?, selector))
    }

    pub(crate) fn type_of_class(&self, value: &Value) -> Type {
        match value {
            Value::Class(class) => Type::Class(*class),
            Value::Vector(of) => Type::Vector(of.clone()),
            Value::Native(name) => {
                let multi = Multi::of_space(short(name).into(), PUBLIC);
                match Type::of(&multi) {
                    Type::Named(_) => Type::Named(std::rc::Rc::new([name.clone()])),
                    known => known,
                }
            }
            _ => Type::Any,
        }
    }
}

/// Returns the comparison that an instruction performs, and whether the instruction is a branch that is taken if the comparison
/// is false.
pub(crate) fn comparison(op: &Op) -> Option<(&'static str, bool)> {
    Some(match op {
        Op::Equals | Op::IfEq { .. } => ("==", false),
        Op::StrictEquals | Op::IfStrictEq { .. } => ("===", false),
        Op::LessThan | Op::IfLt { .. } => ("<", false),
        Op::LessEquals | Op::IfLe { .. } => ("<=", false),
        Op::GreaterThan | Op::IfGt { .. } => (">", false),
        Op::GreaterEquals | Op::IfGe { .. } => (">=", false),
        Op::IfNe { .. } => ("==", true),
        Op::IfStrictNe { .. } => ("===", true),
        Op::IfNlt { .. } => ("<", true),
        Op::IfNle { .. } => ("<=", true),
        Op::IfNgt { .. } => (">", true),
        Op::IfNge { .. } => (">=", true),
        _ => return None,
    })
}

/// Returns the operator of an arithmetic instruction, or `None` for any other instruction.
pub(crate) fn operator(op: &Op) -> Option<&'static str> {
    Some(match op {
        Op::AddI => "+",
        Op::Subtract | Op::SubtractI => "-",
        Op::Multiply | Op::MultiplyI => "*",
        Op::Divide => "/",
        Op::Modulo => "%",
        Op::BitAnd => "&",
        Op::BitOr => "|",
        Op::BitXor => "^",
        Op::LShift => "<<",
        Op::RShift => ">>",
        Op::URShift => ">>>",
        _ => return None,
    })
}

//! Reads and writes properties: variables in scopes, fields, and elements.

use std::rc::Rc;

use crate::avm::names::{Multi, Name, PUBLIC, short};
use crate::avm::types::{Constant, Type};
use crate::avm::world::{ClassId, Found, Member};
use crate::eval::arrays::LONGEST;
use crate::eval::dispatch::Dispatch;
use crate::eval::expr::{Expr, Kind};
use crate::eval::machine::{Frame, Known, Run, Stop};
use crate::eval::natives::constant;
use crate::eval::number;
use crate::eval::selector::Selector;
use crate::eval::value::{Function, Key, ObjectKind, Ref, Value};
use crate::strings::is_one_of;

/// The names of the player's global functions.
const FUNCTIONS: &str = "trace int uint parseInt parseFloat isNaN isFinite escape unescape encodeURIComponent \
    decodeURIComponent getDefinitionByName getQualifiedClassName getTimer";

impl Run<'_, '_> {
    /// Returns the object whose property a name denotes: the innermost scope with a member of that name, or the script that
    /// defines the name. If there is neither, the result is `this` for a class with an unknown base class, and the player's
    /// global object for any other class.
    pub(crate) fn find(&mut self, frame: &Frame, selector: &Selector) -> Result<Value, Stop> {
        let Selector::Name(multi) = selector else { return Ok(Value::Native("".into())) };
        let mut scopes = frame.scope.iter().rev().chain(frame.outer.iter().rev());
        if let Some(scope) = scopes.find(|scope| self.has(scope, multi)) {
            return Ok(scope.clone());
        }
        if let Some(definition) = self.world.define(frame.method.unit, multi) {
            let script = self.shared.script_object(definition.unit, definition.script);
            return Ok(script.map_or(Value::Undefined, Value::Object));
        }
        // A name without a definition counts as a member of `this` if the class of `this` has an unknown base class.
        let name = multi.text();
        if name.starts_with(char::is_lowercase) && !is_one_of(name, FUNCTIONS) {
            let this = frame.local(0);
            let class = this.object().and_then(|at| self.heap.get(at)?.class);
            if class.is_some_and(|class| !self.world.has_known_bases(class)) {
                return Ok(this);
            }
        }
        Ok(Value::Native("".into()))
    }

    fn has(&self, scope: &Value, multi: &Multi) -> bool {
        match scope {
            Value::Class(class) => self.world.static_member(*class, multi.text(), multi.spaces()).is_some(),
            Value::Object(at) => {
                let Some(object) = self.heap.get(*at) else { return false };
                let is_member = |class| self.world.instance_member(class, multi.text(), multi.spaces()).is_some();
                let named = || multi.name.clone().is_some_and(|name| object.fields.contains_key(&Key::Name(name)));
                object.class.is_some_and(is_member) || named() || self.has_elements(scope, multi.text())
            }
            _ => false,
        }
    }

    pub(crate) fn get(&mut self, object: &Value, selector: &Selector) -> Result<Value, Stop> {
        match object {
            Value::Object(at) => self.get_of(*at, selector),
            Value::Unknown(expr) => {
                if matches!(expr.of(), Type::String) && &*selector.name() == "length" {
                    return Ok(self.unknown_field(object, "length".into(), Type::Int));
                }
                let at = self.object_of(expr);
                self.get_of(at, selector)
            }
            Value::Class(class) => self.get_static(*class, selector),
            Value::Text(text) => Ok(match (text.known(), selector.name()) {
                (Some(text), name) if &*name == "length" => Value::Number(text.chars().count() as f64),
                (_, name) => self.unknown_field(object, name, Type::Any),
            }),
            Value::Native(name) if name.is_empty() => {
                Ok(constant(name, selector).unwrap_or_else(|| Value::Native(selector.name())))
            }
            Value::Native(name) => Ok(constant(name, selector).unwrap_or_else(|| match selector {
                Selector::Value(key) => self.unknown_element(object, key, Type::Any),
                Selector::Name(_) => self.unknown_field(object, selector.name(), Type::Any),
            })),
            other => Ok(self.unknown_field(other, selector.name(), Type::Any)),
        }
    }

    pub(crate) fn unknown_field(&self, object: &Value, name: Name, of: Type) -> Value {
        Value::Unknown(Expr::new(Kind::Field(self.expr(object), name), of))
    }

    fn unknown_element(&self, object: &Value, key: &Value, of: Type) -> Value {
        Value::Unknown(Expr::new(Kind::Index(self.expr(object), self.expr(key)), of))
    }

    fn get_static(&mut self, class: ClassId, selector: &Selector) -> Result<Value, Stop> {
        let name = selector.name();
        self.initialise(class)?;
        let Some(found) = self.world.static_member(class, &name, selector.spaces()) else {
            let field = self.object(class.object())?.fields.get(&Key::Name(name.clone())).cloned();
            return Ok(field.unwrap_or_else(|| self.unknown_field(&Value::Class(class), name, Type::Any)));
        };
        if found.0 != class {
            self.initialise(found.0)?;
        }
        self.get_member(found.0.object(), Value::Class(class), &name, found)
    }

    fn get_of(&mut self, at: Ref, selector: &Selector) -> Result<Value, Stop> {
        self.use_object(at)?;
        let name = selector.name();
        let known = match self.object(at)?.kind {
            ObjectKind::Array(_) => self.element(at, selector)?,
            ObjectKind::Xml(_) => self.xml_property(at, selector)?,
            _ => self.assembler_property(at, &name)?,
        };
        if let Some(value) = known {
            return Ok(value);
        }
        match self.dispatch(at, &name, selector.spaces())? {
            Dispatch::One(found) => return self.get_member(at, Value::Object(at), &name, found),
            // Every read of the field returns the same unknown value, regardless of the object's class.
            Dispatch::Several(of) => return Ok(self.unknown_field(&Value::Object(at), name, of)),
            Dispatch::None => {}
        }
        if let Some(value) = self.native_field(at, &name)? {
            return Ok(value);
        }
        if let Some(value) = self.proxied(at, &name)? {
            return Ok(value);
        }
        self.field(at, selector)
    }

    /// Calls the `getProperty` method of a `flash.utils.Proxy`, which resolves names that the object's class does not
    /// declare.
    fn proxied(&mut self, at: Ref, name: &Name) -> Known {
        let Some(class) = self.object(at)?.class else { return Ok(None) };
        let is_proxy = self.world.above(class).last().is_some_and(|(_, class)| short(&class.base_name) == "Proxy");
        let found = self.world.instance_member(class, "getProperty", &[PUBLIC]).filter(|_| is_proxy);
        let Some((_, _, Member::Method(method))) = found else { return Ok(None) };
        self.invoke(method, Value::Object(at), vec![Value::text(name)]).map(Some)
    }

    /// Returns an element of an array, or `None` if the selector does not denote an element.
    fn element(&mut self, at: Ref, selector: &Selector) -> Known {
        let object = self.object(at)?;
        let ObjectKind::Array(elements) = &object.kind else { return Ok(None) };
        if let Some(index) = selector.index() {
            if let Some(value) = elements.get(index) {
                return Ok(Some(value.clone()));
            }
            if !object.is_open {
                return Ok(Some(Value::Undefined));
            }
        }
        let Selector::Value(key) = selector else { return Ok(None) };
        Ok(Some(self.unknown_element(&Value::Object(at), key, object.elements.clone())))
    }

    /// Returns the value of a field that the object's class does not declare.
    fn field(&mut self, at: Ref, selector: &Selector) -> Result<Value, Stop> {
        let object = self.object(at)?;
        let key = key_of(selector);
        if let Some(value) = key.as_ref().and_then(|key| object.fields.get(key)) {
            return Ok(value.clone());
        }
        if let Some(value) = self.definition_value(at, &selector.name()) {
            return Ok(value);
        }
        let is_whole = object.class.is_none_or(|class| self.world.has_known_bases(class));
        let is_plain = matches!(object.kind, ObjectKind::Plain);
        let field = object.label.clone().or_else(|| {
            if let Kind::Field(_, name) = object.expr.as_ref()?.kind() { Some(name.clone()) } else { None }
        });
        if let (Some(field), Some(Key::Name(name)), None) = (field, &key, object.class)
            && let Some(class) = self.shared.index.registered(self.world, &field, name)
        {
            return Ok(Value::Class(class));
        }
        if key.is_some() && is_plain && object.expr.is_none() && !object.is_open && is_whole {
            return Ok(Value::Undefined);
        }
        let of = object.elements.clone();
        let object = Value::Object(at);
        Ok(match selector {
            Selector::Value(key) if key.known_text().is_none() => self.unknown_element(&object, key, of),
            Selector::Name(_) if selector.index().is_some() => self.unknown_field(&object, selector.name(), of),
            _ => self.unknown_field(&object, selector.name(), Type::Any),
        })
    }

    fn definition_value(&self, at: Ref, name: &Name) -> Option<Value> {
        let members = self.heap.get(at)?.slots.clone()?;
        let (_, space, member) = members.of(name).first()?;
        Some(match member {
            Member::Class(class) => Value::Class(*class),
            Member::Method(method) => Value::Function(Rc::new(Function::of(*method, None))),
            Member::Slot { default, of, .. } => {
                let assigned = self.shared.index.assigned(self.world, name, *space, None);
                match assigned.is_nowhere() {
                    true => Value::first(default.as_ref(), of),
                    false => Value::Unknown(Expr::new(Kind::Global(name.clone()), of.clone())),
                }
            }
            Member::Accessor { .. } => return None,
        })
    }

    fn get_member(&mut self, at: Ref, this: Value, name: &Name, found: Found) -> Result<Value, Stop> {
        let (class, space, member) = found;
        match member {
            Member::Slot { default, of, is_constant } => {
                let key = Key::Slot(class, name.clone(), space);
                self.fill(at)?;
                if let Some(value) = self.object(at)?.fields.get(&key).cloned() {
                    if self.is_idle_assembler(&value) {
                        self.live(at, name, space)?;
                    }
                    return Ok(value);
                }
                if matches!(default, Some(Constant::String(_))) {
                    self.read.insert((class, name.clone()));
                }
                let object = self.object(at)?;
                let unit = self.world.class(class).map_or(u32::MAX, |class| class.unit);
                let of = self.world.resolve(unit, &of);
                let before = || Value::first(default.as_ref(), &of);
                if (is_constant && default.is_some()) || (object.expr.is_none() && !object.is_open) {
                    return Ok(before());
                }
                let owner = self.owner(at, class);
                let assigned = self.shared.index.assigned(self.world, name, space, Some(owner));
                // Code that uses a library may assign a field that the library itself never assigns.
                if assigned.is_nowhere() && !(self.world.is_library(unit) && space.is_for_others()) {
                    return Ok(before());
                }
                if let (None, Some(text)) = (&default, assigned.constant()) {
                    return Ok(Value::text(text));
                }
                if self.may_be_code(&of)
                    && self.live(at, name, space)?
                    && let Some(value) = self.object(at)?.fields.get(&key)
                {
                    return Ok(value.clone());
                }
                if self.may_fork() && of.may_be_text() && self.choose_class(at, &key)? {
                    self.fill(at)?;
                    if let Some(value) = self.object(at)?.fields.get(&key) {
                        return Ok(value.clone());
                    }
                }
                let object = if let Value::Class(_) = this { Value::Class(class) } else { this };
                Ok(self.unknown_field(&object, name.clone(), of))
            }
            Member::Method(method) => Ok(Value::Function(Rc::new(Function::of(method, Some(this))))),
            Member::Accessor { get: Some(method), .. } => self.invoke(method, this, Vec::new()),
            Member::Accessor { get: None, .. } => Ok(Value::Undefined),
            Member::Class(class) => Ok(Value::Class(class)),
        }
    }

    pub(crate) fn get_super(&mut self, object: &Value, selector: &Selector) -> Result<Value, Stop> {
        let name = selector.name();
        let found = self.base().and_then(|base| self.world.instance_member(base, &name, selector.spaces()));
        match (found, object) {
            (Some(found), Value::Object(at)) => self.get_member(*at, object.clone(), &name, found),
            _ => Ok(self.unknown_field(object, name, Type::Any)),
        }
    }

    pub(crate) fn set(&mut self, object: &Value, selector: &Selector, value: Value) -> Result<(), Stop> {
        if matches!(value, Value::Text(_)) {
            self.note(&value);
        }
        if self.is_setup {
            self.assigned.insert(self.site());
        }
        let at = match object {
            Value::Object(at) => *at,
            Value::Unknown(expr) => self.object_of(expr),
            Value::Class(class) => {
                let found = self.world.static_member(*class, &selector.name(), selector.spaces());
                let at = found.as_ref().map_or(*class, |found| found.0).object();
                return self.set_member(at, object.clone(), selector, found, value);
            }
            _ => return Ok(()),
        };
        self.use_object(at)?;
        if self.set_xml(at, selector, &value)? || self.set_element(at, selector, &value)? {
            return Ok(());
        }
        let found = match self.dispatch(at, &selector.name(), selector.spaces())? {
            Dispatch::One(found) => Some(found),
            Dispatch::Several(_) => return Ok(()),
            Dispatch::None => None,
        };
        self.set_member(at, Value::Object(at), selector, found, value)
    }

    fn set_member(
        &mut self,
        at: Ref,
        this: Value,
        selector: &Selector,
        found: Option<Found>,
        value: Value,
    ) -> Result<(), Stop> {
        match found {
            Some((class, space, Member::Slot { of, .. })) => {
                let unit = self.world.class(class).map_or(u32::MAX, |class| class.unit);
                let of = self.world.resolve(unit, &of);
                let value = self.coerce(value, &of);
                if let Value::Object(other) = value
                    && let Some(object) = self.heap.get_mut(other)
                    && object.is_itself()
                {
                    object.label.get_or_insert_with(|| selector.name());
                }
                let key = Key::Slot(class, selector.name(), space);
                let object = self.object_mut(at)?;
                object.set(key.clone(), value);
                if object.expr.is_some() {
                    self.written.insert((at, key));
                }
            }
            Some((_, _, Member::Accessor { set: Some(method), .. })) => {
                self.invoke(method, this, vec![value])?;
            }
            Some(_) => {}
            None => {
                if self.set_native_field(at, &selector.name(), &value)? {
                    return Ok(());
                }
                match key_of(selector) {
                    Some(key) => self.object_mut(at)?.set(key, value),
                    None => {
                        let object = self.object_mut(at)?;
                        object.forget_fields();
                        object.is_open = true;
                    }
                }
            }
        }
        self.spend(1)
    }

    fn set_element(&mut self, at: Ref, selector: &Selector, value: &Value) -> Result<bool, Stop> {
        let object = self.object_mut(at)?;
        let ObjectKind::Array(elements) = &mut object.kind else { return Ok(false) };
        match (selector.index(), selector) {
            (Some(index), _) if index < LONGEST => {
                let new = index.saturating_add(1).saturating_sub(elements.len());
                elements.resize(elements.len().max(index + 1), Value::Undefined);
                if let Some(place) = elements.get_mut(index) {
                    *place = value.clone();
                }
                self.spend(new)?;
                Ok(true)
            }
            (_, Selector::Value(_)) => {
                // An assignment to an unknown index may change any element.
                elements.clear();
                object.is_open = true;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    pub(crate) fn delete(&mut self, object: &Value, selector: &Selector) -> Result<(), Stop> {
        if let (Value::Object(at), Some(key)) = (object, key_of(selector)) {
            self.object_mut(*at)?.remove(&key);
        }
        Ok(())
    }

    pub(crate) fn is_in(&self, name: &Value, object: &Value) -> Result<Value, Stop> {
        if let Value::Object(at) = object {
            let found = self.object(*at)?;
            let selector = Selector::Value(self.known(name));
            let known = match (&found.kind, key_of(&selector), selector.index()) {
                (ObjectKind::Plain, Some(key), _) if found.fields.contains_key(&key) => Some(true),
                _ if found.is_open => None,
                (ObjectKind::Plain, Some(_), _) if found.expr.is_none() && found.class.is_none() => Some(false),
                (ObjectKind::Array(elements), _, Some(index)) => Some(index < elements.len()),
                _ => None,
            };
            if let Some(known) = known {
                return Ok(Value::Bool(known));
            }
        }
        Ok(Value::Unknown(Expr::op("in", &[self.expr(name), self.expr(object)], Type::Boolean)))
    }

    pub(crate) fn get_slot(&mut self, object: &Value, number: u32) -> Result<Value, Stop> {
        match self.slot_name(object, number) {
            Some(multi) => self.get(object, &Selector::Name(multi)),
            None => Ok(Value::Unknown(Expr::leaf("slot", number, Type::Any))),
        }
    }

    pub(crate) fn set_slot(&mut self, object: &Value, number: u32, value: Value) -> Result<(), Stop> {
        let (Some(multi), Value::Object(at)) = (self.slot_name(object, number), object) else { return Ok(()) };
        let name = multi.name.clone().unwrap_or_else(|| "*".into());
        let class = self.object(*at)?.class;
        let found = class.and_then(|class| self.world.instance_member(class, &name, multi.spaces()));
        let key = found.map_or(Key::Name(name.clone()), |(class, space, _)| Key::Slot(class, name, space));
        self.object_mut(*at)?.set(key, value);
        Ok(())
    }

    fn slot_name(&self, object: &Value, number: u32) -> Option<Multi> {
        let (name, space) = match object {
            Value::Object(at) => {
                let object = self.heap.get(*at)?;
                match &object.slots {
                    Some(members) => members.slot(number).cloned(),
                    None => self.world.above(object.class?).find_map(|(_, class)| class.instance.slot(number).cloned()),
                }
            }
            Value::Class(class) => self.world.class(*class)?.statics.slot(number).cloned(),
            _ => None,
        }?;
        Some(Multi::of_space(name, space))
    }
}

/// Returns the key of a field that the class does not declare, or `None` if the key is unknown.
fn key_of(selector: &Selector) -> Option<Key> {
    Some(match selector {
        Selector::Name(multi) => Key::Name(multi.name.clone()?),
        Selector::Value(Value::Text(text)) => Key::Name(text.known()?.into()),
        Selector::Value(Value::Number(value)) => Key::Name(number::text(*value).into()),
        Selector::Value(Value::Bool(value)) => Key::Name(value.to_string().into()),
        Selector::Value(Value::Null) => Key::Name("null".into()),
        Selector::Value(Value::Undefined) => Key::Name("undefined".into()),
        Selector::Value(Value::Object(at)) => Key::Object(*at),
        Selector::Value(_) => return None,
    })
}

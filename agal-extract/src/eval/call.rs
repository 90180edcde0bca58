//! Calls of functions and methods, and the construction of objects.

use std::rc::Rc;

use swf::avm2::types::Op;

use crate::avm::names::{Name, short};
use crate::avm::types::Type;
use crate::avm::world::{ClassId, Member, MethodId};
use crate::eval::arrays::LONGEST;
use crate::eval::changes::is_changing;
use crate::eval::dispatch::Dispatch;
use crate::eval::expr::{Expr, Kind};
use crate::eval::machine::{Frame, Run, Stop};
use crate::eval::number::to_i64;
use crate::eval::selector::Selector;
use crate::eval::text::Text;
use crate::eval::texts::is_only_of_texts;
use crate::eval::value::{Bytes, Function, Key, Object, ObjectKind, Ref, Value};

impl Run<'_, '_> {
    /// Runs a call instruction or a construction instruction, and returns the result.
    pub(crate) fn call_op(&mut self, frame: &mut Frame, op: &Op) -> Result<Value, Stop> {
        Ok(match op {
            Op::CallProperty { index, num_args }
            | Op::CallPropLex { index, num_args }
            | Op::CallPropVoid { index, num_args }
            | Op::CallSuper { index, num_args }
            | Op::CallSuperVoid { index, num_args }
            | Op::ConstructProp { index, num_args } => {
                let arguments = frame.pop_many(*num_args)?;
                let (object, selector) = self.target(frame, index)?;
                match op {
                    Op::CallSuper { .. } | Op::CallSuperVoid { .. } => {
                        self.call_super(&object, &selector, arguments)?
                    }
                    Op::ConstructProp { .. } => {
                        let class = self.get(&object, &selector)?;
                        self.construct(&class, arguments)?
                    }
                    _ => self.call_property(&object, &selector, arguments)?,
                }
            }
            Op::Call { num_args } => {
                let arguments = frame.pop_many(*num_args)?;
                let (this, function) = (frame.pop()?, frame.pop()?);
                self.call(&function, this, arguments)?
            }
            Op::CallStatic { index, num_args } => {
                let arguments = frame.pop_many(*num_args)?;
                let this = frame.pop()?;
                self.invoke(MethodId { unit: frame.method.unit, method: index.0 }, this, arguments)?
            }
            Op::CallMethod { num_args, .. } => {
                let arguments = frame.pop_many(*num_args)?;
                self.unknown_call(Some(self.expr(&frame.pop()?)), &"method".into(), &arguments, Type::Any)
            }
            Op::Construct { num_args } => {
                let arguments = frame.pop_many(*num_args)?;
                self.construct(&frame.pop()?, arguments)?
            }
            Op::ApplyType { num_types } => {
                let types = frame.pop_many(*num_types)?;
                let base = frame.pop()?;
                match (&base, types.first()) {
                    (Value::Native(name), Some(of)) if short(name) == "Vector" => {
                        Value::Vector(Rc::new(self.type_of_class(of)))
                    }
                    _ => base,
                }
            }
            Op::NewArray { num_args } => self.array(frame.pop_many(*num_args)?)?,
            Op::NewObject { num_args } => {
                let pairs = frame.pop_many(num_args.checked_mul(2).ok_or(Stop::Broken)?)?;
                let mut object = Object::new(ObjectKind::Plain);
                for [name, value] in pairs.as_chunks().0 {
                    match self.text_of(name)?.known() {
                        Some(name) => object.set(Key::Name(name.into()), value.clone()),
                        None => object.is_open = true,
                    }
                }
                self.make(object)?
            }
            Op::NewFunction { index } => {
                let scope = frame.outer.iter().chain(&frame.scope).cloned().collect();
                let method = MethodId { unit: frame.method.unit, method: index.0 };
                let function = Rc::new(Function { method, scope, this: None });
                if !self.is_setup && self.uncalled.len() < 64 {
                    self.uncalled.push(function.clone());
                }
                Value::Function(function)
            }
            Op::NewClass { index } => {
                frame.pop()?;
                let class = self.world.class_of(frame.method.unit, index.0).ok_or(Stop::Broken)?;
                self.initialise(class)?;
                Value::Class(class)
            }
            // Sign extensions, and loads from domain memory, have unknown results.
            Op::Lf32 | Op::Lf64 | Op::Li8 | Op::Li16 | Op::Li32 | Op::Sxi1 | Op::Sxi8 | Op::Sxi16 => {
                Value::Unknown(Expr::op("memory", &[self.expr(&frame.pop()?)], Type::Number))
            }
            _ => return Err(Stop::Broken),
        })
    }

    pub(crate) fn call_property(
        &mut self,
        object: &Value,
        selector: &Selector,
        arguments: Vec<Value>,
    ) -> Result<Value, Stop> {
        let name = selector.name();
        match object {
            Value::Text(text) => self.text_method(text, &name, &arguments),
            Value::Number(number) => self.number_method(*number, &name, &arguments),
            Value::Object(at) => self.call_object(*at, selector, arguments),
            Value::Unknown(expr) => {
                let of = expr.of();
                if *of == Type::String || *of == Type::Any && is_only_of_texts(&name) {
                    return self.text_method(&Text::hole(expr.clone()), &name, &arguments);
                }
                let at = self.object_of(expr);
                self.call_object(at, selector, arguments)
            }
            Value::Class(class) => self.call_static(*class, selector, arguments),
            Value::Function(function) => self.function_method(function, &name, arguments),
            Value::Native(class) => self.native_call(class, &name, arguments),
            _ => Ok(self.opaque(object, &name, &arguments, Type::Any)),
        }
    }

    /// Records the strings and programs that a call passes to unknown code.
    pub(crate) fn note_all(&mut self, arguments: &[Value]) {
        arguments.iter().for_each(|argument| self.note(argument));
        self.pair_of(arguments);
    }

    /// Records the arguments of a call to unknown code, and returns the call's unknown result.
    pub(crate) fn opaque(&mut self, object: &Value, name: &Name, arguments: &[Value], of: Type) -> Value {
        self.note_all(arguments);
        let object = match object {
            Value::Native(name) if name.is_empty() => None,
            object => Some(self.expr(object)),
        };
        self.unknown_call(object, name, arguments, of)
    }

    fn call_object(&mut self, at: Ref, selector: &Selector, arguments: Vec<Value>) -> Result<Value, Stop> {
        let name = selector.name();
        self.use_object(at)?;
        if self.is_setup && is_changing(&name) {
            self.assigned.insert(self.site());
        }
        if let Some(value) = self.assembler_call(at, &name, &arguments)? {
            return Ok(value);
        }
        match self.dispatch(at, &name, selector.spaces())? {
            Dispatch::One((_, _, Member::Method(method))) => {
                return self.invoke(method, Value::Object(at), arguments);
            }
            Dispatch::One(_) => {
                let function = self.get(&Value::Object(at), selector)?;
                return self.call(&function, Value::Object(at), arguments);
            }
            Dispatch::Several(of) => return Ok(self.opaque(&Value::Object(at), &name, &arguments, of)),
            Dispatch::None => {}
        }
        if let Some(function) = self.object(at)?.fields.get(&Key::Name(name.clone())).cloned() {
            return self.call(&function, Value::Object(at), arguments);
        }
        if let Some(value) = self.object_method(at, &name, &arguments)? {
            return Ok(value);
        }
        if let Some(value) = self.sink(&Value::Object(at), &name, &arguments)? {
            return Ok(value);
        }
        Ok(self.opaque(&Value::Object(at), &name, &arguments, self.vector_result(at, &name)?))
    }

    /// Returns the result type of a vector's method.
    fn vector_result(&self, at: Ref, name: &str) -> Result<Type, Stop> {
        let element = &self.object(at)?.elements;
        Ok(match name {
            _ if *element == Type::Any => Type::Any,
            "pop" | "shift" => element.clone(),
            "concat" | "slice" | "splice" | "filter" | "reverse" | "sort" => Type::Vector(Rc::new(element.clone())),
            _ => Type::Any,
        })
    }

    fn call_static(&mut self, class: ClassId, selector: &Selector, arguments: Vec<Value>) -> Result<Value, Stop> {
        let name = selector.name();
        let function = self.get(&Value::Class(class), selector)?;
        let known = match &function {
            Value::Function(function) => self.static_assembler_call(class, function.method, &arguments)?,
            _ => self.sink(&Value::Class(class), &name, &arguments)?,
        };
        match (known, function) {
            (Some(value), _) => Ok(value),
            (None, Value::Unknown(_)) => Ok(self.opaque(&Value::Class(class), &name, &arguments, Type::Any)),
            (None, function) => self.call(&function, Value::Class(class), arguments),
        }
    }

    fn call_super(&mut self, object: &Value, selector: &Selector, arguments: Vec<Value>) -> Result<Value, Stop> {
        let Selector::Name(multi) = selector else { return Err(Stop::Broken) };
        let found = self.base().and_then(|base| self.world.instance_member(base, multi.text(), multi.spaces()));
        match found {
            Some((_, _, Member::Method(method))) => self.invoke(method, object.clone(), arguments),
            _ => {
                if let (Value::Object(at), None) = (object, &found)
                    && let Some(value) = self.object_method(*at, &selector.name(), &arguments)?
                {
                    return Ok(value);
                }
                Ok(self.opaque(object, &selector.name(), &arguments, Type::Any))
            }
        }
    }

    pub(crate) fn call(&mut self, function: &Value, this: Value, arguments: Vec<Value>) -> Result<Value, Stop> {
        match function {
            Value::Function(function) => self.run(function, function.this.clone().unwrap_or(this), arguments),
            // Calling a class converts the argument, as in `String(x)` or `Foo(x)`.
            Value::Class(class) => match arguments.into_iter().next() {
                Some(value) => Ok(self.coerce(value, &Type::Class(*class))),
                None => Ok(Value::Null),
            },
            Value::Native(name) => self.native_call(&"".into(), &name.clone(), arguments),
            // Calling a vector type converts an array to a vector.
            Value::Vector(of) => {
                let made = arguments.first().and_then(|value| self.elements_of(value)).map(<[Value]>::to_vec);
                let is_open = made.is_none();
                self.vector(made.unwrap_or_default(), of, is_open)
            }
            other => {
                self.note_all(&arguments);
                let expr = self.expr(other);
                let (object, name): (_, Name) = match expr.kind() {
                    Kind::Field(object, name) => (Some(object.clone()), name.clone()),
                    _ => (None, expr.render().into()),
                };
                if let Some(value) = self.sink(&this, &name, &arguments)? {
                    return Ok(value);
                }
                Ok(self.unknown_call(object, &name, &arguments, Type::Any))
            }
        }
    }

    fn function_method(&mut self, function: &Rc<Function>, name: &Name, arguments: Vec<Value>) -> Result<Value, Stop> {
        let function = Value::Function(function.clone());
        let mut arguments = arguments.into_iter();
        let this = arguments.next().unwrap_or_default();
        let list = match &**name {
            "call" => arguments.collect(),
            "apply" => arguments.next().and_then(|list| Some(self.elements_of(&list)?.to_vec())).unwrap_or_default(),
            _ => return Ok(self.opaque(&function, name, &[], Type::Any)),
        };
        self.call(&function, this, list)
    }

    pub(crate) fn construct(&mut self, class: &Value, arguments: Vec<Value>) -> Result<Value, Stop> {
        match class {
            Value::Class(class) => self.construct_class(*class, arguments),
            Value::Native(name) => self.construct_native(name, arguments),
            Value::Vector(of) => match arguments.first() {
                Some(Value::Number(length)) => {
                    let elements = self.filled(*length, Value::default_of(of))?;
                    self.vector(elements, of, false)
                }
                first => self.vector(Vec::new(), of, first.is_some()),
            },
            Value::Function(function) => {
                let this = self.make(Object::new(ObjectKind::Plain))?;
                self.run(function, this.clone(), arguments)?;
                Ok(this)
            }
            other => {
                let name = self.expr(other).render();
                Ok(self.opaque(&Value::Native("".into()), &format!("new {name}").into(), &arguments, Type::Any))
            }
        }
    }

    fn construct_class(&mut self, class: ClassId, arguments: Vec<Value>) -> Result<Value, Stop> {
        self.initialise(class)?;
        let found = self.world.class(class).ok_or(Stop::Broken)?;
        if short(&found.name) == "Procedure" {
            self.procedure(&arguments)?;
        }
        let root = self.world.above(class).last().map(|(_, class)| class.base_name.clone()).unwrap_or_default();
        let kind = match short(&root) {
            "Array" => ObjectKind::Array(Vec::new()),
            root @ ("ByteArray" | "ByteArrayAsset") => {
                ObjectKind::Bytes(self.shared.embedded(class, root == "ByteArrayAsset"))
            }
            _ => ObjectKind::Plain,
        };
        let this = self.make(Object { class: Some(class), ..Object::new(kind) })?;
        self.invoke(found.constructor, this.clone(), arguments)?;
        Ok(this)
    }

    fn construct_native(&mut self, name: &str, arguments: Vec<Value>) -> Result<Value, Stop> {
        let name: Name = short(name).into();
        match &*name {
            "Array" => {
                if let [Value::Number(length)] = *arguments {
                    let elements = self.filled(length, Value::Undefined)?;
                    return self.array(elements);
                }
                self.array(arguments)
            }
            "Object" | "Dictionary" => self.make(Object::new(ObjectKind::Plain)),
            "ByteArray" => self.make(Object::new(ObjectKind::Bytes(Bytes::default()))),
            "String" => Ok(self.conversion("String", &arguments)?.unwrap_or_default()),
            "RegExp" => {
                let text = |at: usize| arguments.get(at).and_then(Value::known_text).unwrap_or_default().into();
                self.make(Object::new(ObjectKind::Pattern(text(0), text(1))))
            }
            "XML" | "XMLList" if arguments.len() == 1 => {
                let xml = self.new_xml(arguments.first().unwrap_or(&Value::Null))?;
                xml.map_or_else(|| self.native_object(name, &arguments), Ok)
            }
            "Procedure" if self.procedure(&arguments)? => {
                Ok(self.opaque(&Value::Native("".into()), &"new Procedure".into(), &[], Type::Any))
            }
            _ => self.native_object(name, &arguments),
        }
    }

    /// Constructs an object of a class that the inputs do not define.
    fn native_object(&mut self, class: Name, arguments: &[Value]) -> Result<Value, Stop> {
        self.note_all(arguments);
        self.make(Object { is_open: true, ..Object::new(ObjectKind::Native(class)) })
    }

    /// Returns the elements of a new array or vector with the given length.
    fn filled(&mut self, length: f64, value: Value) -> Result<Vec<Value>, Stop> {
        let length = usize::try_from(to_i64(length)).unwrap_or_default().min(LONGEST);
        self.spend(length)?;
        Ok(vec![if matches!(value, Value::Number(_)) { Value::Number(0.0) } else { value }; length])
    }
}

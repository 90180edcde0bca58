//! Recognises the calls that receive programs: calls to assemblers, to upload functions, and to engine functions that both
//! assemble and upload programs.

use std::rc::Rc;

use agalc::Stage;

use crate::avm::names::{Name, PUBLIC};
use crate::avm::types::Type;
use crate::avm::world::{ClassId, Member, MethodId};
use crate::eval::event::{Event, What, Where};
use crate::eval::expr::Kind;
use crate::eval::machine::{Known, Run, Stop};
use crate::eval::number;
use crate::eval::text::Text;
use crate::eval::value::{Key, Object, ObjectKind, Ref, Value};
use crate::model::Language;

/// The field in which an assembler stores its result.
const RESULT: &str = "agalcode";

/// The argument positions at which a call receives programs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Takes {
    /// The call receives a stage, source text and an optional version.
    One { stage: usize, text: usize, version: Option<usize> },
    /// The call receives an optional version, the vertex source and the fragment source.
    Two { version: Option<usize>, vertex: usize, fragment: usize },
    /// The call receives an assembled vertex program and an assembled fragment program.
    Programs { vertex: usize, fragment: usize },
    /// The call receives the source of an Alternativa3D procedure.
    Procedure,
}

/// The calls that receive programs. A row contains the method's name, the minimum number of arguments, and the argument
/// positions.
pub(crate) const SINKS: [(&str, usize, Takes); 9] = [
    ("assemble", 2, Takes::One { stage: 0, text: 1, version: Some(2) }),
    ("assemble2", 4, Takes::Two { version: Some(1), vertex: 2, fragment: 3 }),
    ("fromSource", 2, Takes::Two { version: Some(2), vertex: 0, fragment: 1 }),
    ("assembleAgal", 2, Takes::Two { version: None, vertex: 0, fragment: 1 }),
    ("registerProgramFromSource", 3, Takes::Two { version: None, vertex: 1, fragment: 2 }),
    ("upload", 2, Takes::Programs { vertex: 0, fragment: 1 }),
    ("registerProgram", 3, Takes::Programs { vertex: 1, fragment: 2 }),
    ("compileFromArray", 1, Takes::Procedure),
    ("compileFromString", 1, Takes::Procedure),
];

impl Run<'_, '_> {
    /// Evaluates a method call on an assembler that the inputs define. The method's code is not interpreted, since its effect is
    /// known.
    pub(crate) fn assembler_call(&mut self, at: Ref, name: &Name, arguments: &[Value]) -> Known {
        let class = self.object(at)?.class.filter(|class| self.shared.assembler(*class).is_some());
        let found = class.and_then(|class| self.world.instance_member(class, name, &[PUBLIC]));
        let (Some(class), Some((_, _, Member::Method(method)))) = (class, found) else { return Ok(None) };
        let value = self.static_assembler_call(class, method, arguments)?;
        if let Some(value @ Value::Object(_)) = &value {
            self.object_mut(at)?.set(Key::Name(RESULT.into()), value.clone());
        }
        Ok(value)
    }

    /// Evaluates a static method call on an assembler class that the inputs define.
    pub(crate) fn static_assembler_call(&mut self, class: ClassId, method: MethodId, arguments: &[Value]) -> Known {
        let Some(language) = self.shared.assembler(class) else { return Ok(None) };
        let (_, name) = self.world.label(method);
        let Some(takes) = self.takes(method, &name) else { return Ok(None) };
        self.assemble(takes, arguments, language).map(Some)
    }

    /// Returns the argument positions at which an assembler's method receives programs, derived from the method's signature or
    /// name.
    fn takes(&self, method: MethodId, name: &str) -> Option<Takes> {
        let (unit, found) = self.world.method(method)?;
        let named = |of| unit.multi(of).and_then(|multi| multi.name).unwrap_or_else(|| "*".into());
        let types: Vec<Name> = found.params.iter().map(|parameter| named(&parameter.kind)).collect();
        let positions = |wanted: &str| -> Vec<usize> {
            types.iter().enumerate().filter(|(_, name)| &***name == wanted).map(|(at, _)| at).collect()
        };
        let (texts, version) = (positions("String"), positions("uint").first().or(positions("int").first()).copied());
        match (&*named(&found.return_type), texts.as_slice()) {
            ("ByteArray", [stage, text, ..]) => Some(Takes::One { stage: *stage, text: *text, version }),
            ("Program3D", [vertex, fragment, ..]) => Some(Takes::Two { version, vertex: *vertex, fragment: *fragment }),
            _ => {
                let is_text = |takes: &Takes| matches!(takes, Takes::One { .. } | Takes::Two { .. });
                SINKS.iter().find(|(one, _, takes)| *one == name && is_text(takes)).map(|(.., takes)| *takes)
            }
        }
    }

    fn assemble(&mut self, takes: Takes, arguments: &[Value], language: Language) -> Result<Value, Stop> {
        let argument = |at: usize| arguments.get(at).cloned().unwrap_or(Value::Undefined);
        let version = |at: Option<usize>| match at.and_then(|at| arguments.get(at)) {
            // In place of the version, early assemblers take a Boolean that makes the assembler print the program.
            Some(Value::Bool(_)) => Some(1),
            Some(value) => self.known(value).number().and_then(|number| u32::try_from(number::to_i64(number)).ok()),
            None if language == Language::Macro => None,
            None => Some(1),
        };
        match takes {
            Takes::One { stage, text, version: at } => {
                let version = version(at);
                let stage = match self.known(&argument(stage)).known_text() {
                    Some("vertex") => Some(Stage::Vertex),
                    Some("fragment") => Some(Stage::Fragment),
                    _ => None,
                };
                self.assembled(&argument(text), |text| What::Program { text, stage, version, language })
            }
            Takes::Two { version: at, vertex, fragment } => {
                let version = version(at);
                let of = |stage| move |text| What::Program { text, stage: Some(stage), version, language };
                let vertex = self.assembled(&argument(vertex), of(Stage::Vertex))?;
                let fragment = self.assembled(&argument(fragment), of(Stage::Fragment))?;
                self.pair(&vertex, &fragment);
                Ok(self.unknown_call(None, &"createProgram".into(), &[], Type::Any))
            }
            Takes::Programs { vertex, fragment } => {
                self.pair(&argument(vertex), &argument(fragment));
                Ok(Value::Undefined)
            }
            Takes::Procedure => Ok(self.unknown_call(None, &"new Procedure".into(), &[], Type::Any)),
        }
    }

    /// Records a string that a call passes to an assembler, and returns the assembler's result.
    fn assembled(&mut self, source: &Value, program: impl FnOnce(Text) -> What) -> Result<Value, Stop> {
        let source = self.known(source);
        if source.is_nothing() {
            return Ok(Value::Null);
        }
        let text = self.lines_of(&source).map_or_else(|| self.text_of(&source), Ok)?;
        let assembled = Rc::new(self.program(&source, text, program));
        if !self.is_setup {
            self.recorded(&assembled);
        }
        self.make(Object::new(ObjectKind::Assembled(assembled)))
    }

    /// Returns the event index of an assembled program. If a constructor or an initialiser assembled the program before this path
    /// began, the event is recorded first.
    fn recorded(&mut self, assembled: &Rc<Event>) -> usize {
        if let Some((_, number)) = self.assembled.iter().find(|(one, _)| Rc::ptr_eq(one, assembled)) {
            return *number;
        }
        // The conditions of the constructor's path do not apply to this path.
        let place = Where { conditions: self.conditions(), ..assembled.place.clone() };
        let number = self.event(assembled.what.clone(), place);
        self.assembled.push((assembled.clone(), number));
        number
    }

    fn program(&mut self, source: &Value, text: Text, program: impl FnOnce(Text) -> What) -> Event {
        let expr = self.expr(source);
        let place = self.place_of(&|value| match value {
            Value::Text(one) => *one == text,
            Value::Unknown(one) => *one == expr,
            other => self.text_of_xml(other).is_some_and(|one| one == text),
        });
        let is_unknown = text.has_holes() && text.literals().all(|text| text.trim().is_empty());
        Event { what: if is_unknown { What::Unknown { of: Rc::new([expr]) } } else { program(text) }, place }
    }

    /// Reports whether a value is an assembler that has not yet assembled anything.
    pub(crate) fn is_idle_assembler(&mut self, value: &Value) -> bool {
        let Some(object) = value.object().and_then(|at| self.heap.get(at)) else { return false };
        if object.fields.contains_key(&Key::Name(RESULT.into())) {
            return false;
        }
        match (&object.kind, object.class) {
            (ObjectKind::Native(name), _) => name.contains("Assembler"),
            (_, Some(class)) => self.shared.assembler(class).is_some(),
            _ => false,
        }
    }

    /// Returns the value of an assembler's property. If the property's type is `ByteArray`, the value is the assembled program.
    pub(crate) fn assembler_property(&mut self, at: Ref, name: &Name) -> Known {
        let object = self.object(at)?;
        let Some(result) = object.fields.get(&Key::Name(RESULT.into())) else { return Ok(None) };
        if &**name == RESULT {
            return Ok(Some(result.clone()));
        }
        let Some(class) = object.class else { return Ok(None) };
        let found = self.world.instance_member(class, name, &[PUBLIC]);
        let is_bytes = match found {
            Some((_, _, Member::Accessor { get: Some(method), .. })) => {
                let of = self.world.method(method).and_then(|(unit, found)| unit.multi(&found.return_type));
                of.is_some_and(|of| of.text() == "ByteArray")
            }
            Some((_, _, Member::Slot { of, .. })) => of.is_named("ByteArray"),
            _ => false,
        };
        Ok(is_bytes.then(|| result.clone()))
    }

    /// Records a program that a call receives as an assembler's result or as known bytes. Returns the index of the program's
    /// event.
    fn taken(&mut self, value: &Value, stage: Stage) -> Option<usize> {
        match self.kind_of(value)? {
            ObjectKind::Assembled(assembled) => {
                let number = self.recorded(&assembled.clone());
                let What::Program { stage: known, .. } = &mut self.events.get_mut(number)?.what else { return None };
                known.get_or_insert(stage);
                Some(number)
            }
            ObjectKind::Bytes(bytes) if !bytes.is_unknown && !bytes.bytes.is_empty() => {
                let what = What::Bytes { bytes: bytes.bytes.as_slice().into(), stage: Some(stage) };
                let place = self.place_of(&|other| other.is_same_object(value));
                Some(self.event(what, place))
            }
            _ => None,
        }
    }

    fn pair(&mut self, vertex: &Value, fragment: &Value) {
        let (first, second) = (self.taken(vertex, Stage::Vertex), self.taken(fragment, Stage::Fragment));
        let is_program = |run: &Self, value: &Value| matches!(run.kind_of(value), Some(ObjectKind::Assembled(_)));
        let place = self.place_of(&|value| value.is_same_object(vertex));
        if let (Some(vertex), Some(fragment)) = (first, second) {
            self.event(What::Pair { vertex, fragment }, place);
        } else if first.is_none() && second.is_none() && !is_program(self, vertex) && !is_program(self, fragment) {
            self.event(What::Unknown { of: Rc::new([self.expr(vertex), self.expr(fragment)]) }, place);
        }
    }

    /// Records that a vertex program and a fragment program are used together, because the same call receives both. Returns
    /// whether the arguments contain exactly one program of each stage.
    pub(crate) fn pair_of(&mut self, arguments: &[Value]) -> bool {
        let of = |run: &Self, stage| {
            let is_of = |value: &&Value| match run.kind_of(value) {
                Some(ObjectKind::Assembled(event)) => {
                    matches!(event.what, What::Program { stage: Some(of), .. } if of == stage)
                }
                _ => false,
            };
            let mut found = arguments.iter().filter(is_of);
            found.next().filter(|_| found.next().is_none()).cloned()
        };
        let Some(vertex) = of(self, Stage::Vertex) else { return false };
        let Some(fragment) = of(self, Stage::Fragment) else { return false };
        self.pair(&vertex, &fragment);
        true
    }

    /// Evaluates a call of a method that the inputs do not define, if the method's name is in [`SINKS`].
    pub(crate) fn sink(&mut self, object: &Value, name: &Name, arguments: &[Value]) -> Known {
        let language = match self.kind_of(object) {
            Some(ObjectKind::Native(class)) if class.contains("Macro") => Language::Macro,
            _ => Language::Mini,
        };
        let found = SINKS.iter().find(|(sink, ..)| **sink == **name);
        let Some((_, _, takes)) = found.filter(|(_, least, _)| arguments.len() >= *least).copied() else {
            return Ok(None);
        };
        let is_text = |at: usize| match arguments.get(at) {
            Some(Value::Text(_) | Value::Object(_) | Value::Native(_)) => true,
            Some(Value::Unknown(expr)) => matches!(expr.of(), Type::String | Type::Any),
            _ => false,
        };
        let fits = match takes {
            Takes::One { text, .. } => is_text(text),
            Takes::Two { vertex, fragment, .. } => is_text(vertex) && is_text(fragment),
            Takes::Programs { .. } => &**name != "upload" || self.is_program(object, arguments),
            Takes::Procedure => self.procedure(arguments)?,
        };
        if !fits {
            return Ok(None);
        }
        let value = self.assemble(takes, arguments, language)?;
        if let (Value::Object(at), Takes::One { .. }) = (object, takes) {
            self.object_mut(*at)?.set(Key::Name(RESULT.into()), value.clone());
        }
        Ok(Some(value))
    }

    /// Reports whether a call of a method named `upload` uploads a program. Classes other than `Program3D` also have a method of
    /// this name.
    fn is_program(&self, object: &Value, arguments: &[Value]) -> bool {
        let is_code =
            |value: &Value| matches!(self.kind_of(value), Some(ObjectKind::Assembled(_) | ObjectKind::Bytes(_)));
        if arguments.iter().take(2).any(is_code) {
            return true;
        }
        let expr = self.expr(object);
        let is_created = matches!(expr.kind(), Kind::Call(_, name, ..) if &**name == "createProgram");
        is_created || expr.of().is_named("Program3D")
    }

    /// Records an Alternativa3D procedure, whose source is an array of lines or a string. Returns whether the source reads as
    /// AGAL.
    pub(crate) fn procedure(&mut self, arguments: &[Value]) -> Result<bool, Stop> {
        let Some(source) = arguments.first() else { return Ok(false) };
        let Some(text) = self.lines_of(source) else { return Ok(false) };
        if !self.shared.reads_as_agal(&text) {
            return Ok(false);
        }
        if !self.is_setup {
            let program = |text| What::Program { text, stage: None, version: None, language: Language::Alternativa };
            let assembled = self.program(source, text, program);
            self.event(assembled.what, assembled.place);
        }
        Ok(true)
    }
}

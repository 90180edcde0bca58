//! The abstract machine: one path through an entry point and the methods that it calls.
//!
//! At a condition on an unknown value, a path takes one alternative; the other alternatives are other paths, which run from the
//! beginning with the same decisions up to that condition. So a path never has two conditions that contradict each other.
//!
//! The files of `eval` import each other for two reasons: the `impl` of [`Run`] is spread over them, and the types of values refer
//! to each other. An expression contains texts and objects, a text contains expressions in its holes, and an object stores records
//! of its assembled programs. `avm/unit.rs` stores each string constant as such a text, so that it is made once.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::iter;
use std::rc::Rc;

use swf::avm2::types::MethodFlags;

use crate::avm::code::Code;
use crate::avm::names::{Name, short};
use crate::avm::types::{Type, constant};
use crate::avm::world::{Class, ClassId, MethodId, World};
use crate::eval::event::Event;
use crate::eval::expr::{ByExpr, Expr, Kind};
use crate::eval::facts::Facts;
use crate::eval::heap::Heap;
use crate::eval::setup::Shared;
use crate::eval::value::{Function, Key, Object, ObjectKind, Ref, Value};
use crate::model::Alternative;

/// The maximum number of programs and texts that a path may find.
const EVENTS: usize = 512;

/// Reason why a path or a call ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// A limit was reached.
    Limit,
    /// An exception.
    Throw,
    /// A condition is unknown in a method at whose conditions paths do not fork.
    Abandoned,
    /// The code is damaged.
    Broken,
}

/// A value, or `None` if nothing is known about it.
pub(crate) type Known = Result<Option<Value>, Stop>;

/// A decision of a path at a condition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    pub(crate) method: MethodId,
    pub(crate) at: u32,
    /// Number of alternatives.
    pub(crate) count: u16,
    pub(crate) taken: u16,
}

/// Distance from an object, in fields and elements, within which its methods may change arrays.
const REACH: usize = 2;

/// A running call. The default value is not a call, and only adds to the nesting depth.
#[derive(Clone, Debug, Default)]
pub(crate) struct Running {
    pub(crate) method: MethodId,
    /// The class that contains the method.
    class: Option<ClassId>,
    /// Whether paths fork in the method.
    may_fork: bool,
    /// Offset of the current instruction.
    pub(crate) at: u32,
    pub(crate) arguments: Rc<[Value]>,
    pub(crate) this: Value,
}

/// State of a call that only its own instructions use.
#[derive(Default)]
pub(crate) struct Frame {
    pub(crate) method: MethodId,
    pub(crate) code: Rc<Code>,
    pub(crate) locals: Vec<Value>,
    pub(crate) stack: Vec<Value>,
    pub(crate) scope: Vec<Value>,
    pub(crate) outer: Rc<[Value]>,
    pub(crate) pc: usize,
    /// Number of times that each loop continued at a branch on an unknown value, by the instruction after the branch.
    pub(crate) rounds: HashMap<usize, u32>,
    /// Number of rounds of each loop with known conditions, by its first instruction.
    pub(crate) known_rounds: HashMap<usize, u32>,
}

impl Frame {
    pub(crate) fn pop(&mut self) -> Result<Value, Stop> {
        self.stack.pop().ok_or(Stop::Broken)
    }

    pub(crate) fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    /// The last `count` values, in the order in which they were pushed.
    pub(crate) fn pop_many(&mut self, count: u32) -> Result<Vec<Value>, Stop> {
        let from = self.stack.len().checked_sub(count as usize).ok_or(Stop::Broken)?;
        Ok(self.stack.split_off(from))
    }

    pub(crate) fn local(&self, at: u32) -> Value {
        self.locals.get(at as usize).cloned().unwrap_or(Value::Undefined)
    }

    pub(crate) fn set_local(&mut self, at: u32, value: Value) {
        let at = at as usize;
        if at < 4096 {
            if self.locals.len() <= at {
                self.locals.resize(at + 1, Value::Undefined);
            }
            if let Some(place) = self.locals.get_mut(at) {
                *place = value;
            }
        }
    }

    /// The object of the script.
    pub(crate) fn global(&self) -> Value {
        self.outer.first().cloned().unwrap_or_else(|| Value::Native("".into()))
    }
}

/// The state of one path.
pub(crate) struct Run<'s, 'w> {
    pub(crate) world: &'w World,
    pub(crate) shared: &'s mut Shared<'w>,
    pub(crate) heap: Heap,
    pub(crate) facts: Facts,
    pub(crate) trail: Vec<Decision>,
    /// Conditions of the path: those that were decided, and those that were assumed.
    pub(crate) conditions: Vec<(Expr, Alternative)>,
    /// The conditions at the last call of [`Run::conditions`].
    pub(crate) known_conditions: RefCell<Rc<[(Expr, Alternative)]>>,
    pub(crate) prefix: Rc<[u16]>,
    pub(crate) frames: Vec<Running>,
    pub(crate) events: Vec<Event>,
    /// Results of assemblers, each with the number of its event.
    pub(crate) assembled: Vec<(Rc<Event>, usize)>,
    /// Fields that the path has assigned, of objects that existed before it.
    pub(crate) written: BTreeSet<(Ref, Key)>,
    /// Methods that were run because the path read a field that they set, each with its object, which existed before the path.
    pub(crate) lived: HashSet<(Ref, MethodId)>,
    /// Objects denoted by expressions.
    pub(crate) symbols: ByExpr<Ref>,
    /// Number of times that each call with an unknown result was made.
    pub(crate) calls: ByExpr<u32>,
    pub(crate) steps: u64,
    /// Steps left for calls of methods that have nothing to do with shaders.
    irrelevant_steps: u64,
    /// Bytes of text that the path may still concatenate.
    pub(crate) text_left: usize,
    /// String constants with shader text that the path pushed on the stack.
    pub(crate) pushed: HashSet<(MethodId, u32)>,
    /// Fields that were read and whose initial value is a string constant.
    pub(crate) read: HashSet<(ClassId, Name)>,
    /// Functions that were created and may never be called.
    pub(crate) uncalled: Vec<Rc<Function>>,
    /// Nested functions that were called.
    pub(crate) called: HashSet<MethodId>,
    /// Instructions that assigned fields, or changed their values, during the setup.
    pub(crate) assigned: HashSet<(MethodId, u32)>,
    /// Whether this path belongs to the setup: paths fork only in constructors.
    pub(crate) is_setup: bool,
    /// Whether this path runs a constructor to find the fields that it sets.
    pub(crate) is_construction: bool,
    /// Whether a loop may have more rounds than were run.
    pub(crate) has_more_rounds: bool,
    /// Whether a call that may have to do with shaders reached a limit, or was not run because calls were nested too deeply.
    pub(crate) was_cut: bool,
}

impl<'s, 'w> Run<'s, 'w> {
    pub(crate) fn new(shared: &'s mut Shared<'w>, prefix: Rc<[u16]>, steps: u64) -> Run<'s, 'w> {
        Run {
            world: shared.world,
            heap: Heap::of(shared.base.clone()),
            text_left: shared.limits.path_text,
            shared,
            facts: Facts::default(),
            trail: Vec::new(),
            conditions: Vec::new(),
            known_conditions: RefCell::new(Rc::new([])),
            prefix,
            frames: Vec::new(),
            events: Vec::new(),
            assembled: Vec::new(),
            written: BTreeSet::new(),
            lived: HashSet::new(),
            symbols: ByExpr::default(),
            calls: ByExpr::default(),
            steps,
            irrelevant_steps: steps / 2,
            pushed: HashSet::new(),
            read: HashSet::new(),
            uncalled: Vec::new(),
            called: HashSet::new(),
            assigned: HashSet::new(),
            is_setup: false,
            is_construction: false,
            has_more_rounds: false,
            was_cut: false,
        }
    }

    /// Subtracts steps from the remaining steps.
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), Stop> {
        let steps = u64::try_from(steps).unwrap_or(u64::MAX);
        self.steps = self.steps.checked_sub(steps).ok_or(Stop::Limit)?;
        Ok(())
    }

    pub(crate) fn object(&self, at: Ref) -> Result<&Object, Stop> {
        self.heap.get(at).ok_or(Stop::Broken)
    }

    pub(crate) fn object_mut(&mut self, at: Ref) -> Result<&mut Object, Stop> {
        self.heap.get_mut(at).ok_or(Stop::Broken)
    }

    /// Kind of a value that is an object.
    pub(crate) fn kind_of(&self, value: &Value) -> Option<&ObjectKind> {
        Some(&self.heap.get(value.object()?)?.kind)
    }

    /// Elements of a value that is an array.
    pub(crate) fn elements_of(&self, value: &Value) -> Option<&[Value]> {
        if let ObjectKind::Array(elements) = self.kind_of(value)? { Some(elements) } else { None }
    }

    /// Makes an object. An object costs as many steps as several instructions, which bounds the memory of a path.
    pub(crate) fn make(&mut self, object: Object) -> Result<Value, Stop> {
        self.spend(16)?;
        Ok(Value::Object(self.heap.add(object)))
    }

    pub(crate) fn array(&mut self, elements: Vec<Value>) -> Result<Value, Stop> {
        self.vector(elements, &Type::Any, false)
    }

    pub(crate) fn vector(&mut self, elements: Vec<Value>, of: &Type, is_open: bool) -> Result<Value, Stop> {
        self.spend(elements.len())?;
        self.make(Object { elements: of.clone(), is_open, ..Object::new(ObjectKind::Array(elements)) })
    }

    /// Method and offset of the current instruction.
    pub(crate) fn site(&self) -> (MethodId, u32) {
        self.frames.last().map(|frame| (frame.method, frame.at)).unwrap_or_default()
    }

    /// The class that contains the running method.
    pub(crate) fn class(&self) -> Option<&'w Class> {
        self.world.class(self.frames.last()?.class?)
    }

    /// Base class of the class that contains the running method.
    pub(crate) fn base(&self) -> Option<ClassId> {
        self.class()?.base
    }

    /// Whether paths fork at the conditions of the running method.
    pub(crate) fn may_fork(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.may_fork)
    }

    /// A value as an expression.
    pub(crate) fn expr(&self, value: &Value) -> Expr {
        match value {
            Value::Unknown(expr) => expr.clone(),
            Value::Text(text) => Expr::new(Kind::Text(text.clone()), Type::String),
            Value::Object(at) => self.expr_of_object(*at),
            Value::Class(class) => {
                Expr::new(Kind::Global(self.world.short_name(*class).unwrap_or("class").into()), Type::Any)
            }
            Value::Native(name) => Expr::new(Kind::Global(short(name).into()), Type::Any),
            Value::Vector(_) => Expr::new(Kind::Global("Vector".into()), Type::Any),
            Value::Function(function) => {
                let (_, name) = self.world.label(function.method);
                Expr::leaf(&name, function.method.method, Type::Any)
            }
            constant => constant.as_constant().unwrap_or_else(|| Expr::leaf("value", 0, Type::Any)),
        }
    }

    pub(crate) fn expr_of_object(&self, at: Ref) -> Expr {
        let Some(object) = self.heap.get(at) else { return Expr::leaf("object", at.0, Type::Any) };
        if let Some(expr) = &object.expr {
            return expr.clone();
        }
        let class = object.class.and_then(|class| self.world.class(class));
        let name: &str = match (&object.label, &object.kind, class) {
            (Some(label), ..) => label,
            (_, _, Some(class)) => short(&class.name),
            (_, ObjectKind::Array(_), _) => "array",
            (_, ObjectKind::Bytes(_), _) => "bytes",
            (_, ObjectKind::Xml(_), _) => "XML",
            (_, ObjectKind::Native(name), _) => short(name),
            _ => "object",
        };
        // The numbers of the leaves that denote parameters are low.
        let kind = if object.is_copy { Kind::Leaf(name.into(), !at.0) } else { Kind::Object(name.into(), at) };
        Expr::new(kind, object.class.map_or(Type::Any, Type::Class))
    }

    /// The object that an expression denotes.
    pub(crate) fn object_of(&mut self, expr: &Expr) -> Ref {
        if let Some(found) = self.symbols.get(expr) {
            return *found;
        }
        let class = if let Type::Class(class) = expr.of() { Some(*class) } else { None };
        let (elements, expr_of) = (expr.of().element(), Some(expr.clone()));
        let object = Object { may_be_below: true, class, expr: expr_of, is_open: true, elements, ..Object::default() };
        let at = self.heap.add(object);
        self.symbols.insert(expr.clone(), at);
        at
    }

    /// Records an operation that throws on null. A path that has decided that the object is null ends here.
    pub(crate) fn use_object(&mut self, at: Ref) -> Result<(), Stop> {
        let expr = self.heap.get(at).and_then(|object| object.expr.as_ref());
        if expr.is_some_and(|expr| !self.facts.is_used(expr)) { Err(Stop::Throw) } else { Ok(()) }
    }

    /// Result of an unknown call: a new value each time.
    pub(crate) fn unknown_call(&mut self, object: Option<Expr>, name: &Name, arguments: &[Value], of: Type) -> Value {
        let arguments: Rc<[Expr]> = arguments.iter().map(|value| self.expr(value)).collect();
        let call = |number| Kind::Call(object.clone(), name.clone(), arguments.clone(), number);
        let count = self.calls.entry(Expr::new(call(0), of.clone())).or_default();
        *count += 1;
        Value::Unknown(Expr::new(call(*count - 1), of))
    }

    /// Runs a method, and ignores an exception, since the method may have had effects before it.
    pub(crate) fn attempt(&mut self, method: MethodId, this: Value, arguments: Vec<Value>) -> Result<(), Stop> {
        match self.invoke(method, this, arguments) {
            Err(Stop::Limit) => Err(Stop::Limit),
            _ => Ok(()),
        }
    }

    /// Runs a method.
    pub(crate) fn invoke(&mut self, method: MethodId, this: Value, arguments: Vec<Value>) -> Result<Value, Stop> {
        self.run(&Function::of(method, None), this, arguments)
    }

    /// Runs a function with `this`.
    pub(crate) fn run(&mut self, function: &Function, this: Value, arguments: Vec<Value>) -> Result<Value, Stop> {
        let (world, method) = (self.world, function.method);
        let (unit, found) = world.method(method).ok_or(Stop::Broken)?;
        let of = world.type_of(method.unit, &found.return_type);
        let same = self.frames.iter().filter(|frame| frame.method == method).count();
        let too_deep = self.frames.len() >= self.shared.limits.depth || same >= self.shared.limits.recursion;
        self.was_cut |= too_deep && self.shared.index.about(method).is_relevant();
        let code = unit.code(method.method).filter(|_| !too_deep);
        let Some(code) = code else { return Ok(self.unknown_result(method, &this, &arguments, of)) };
        self.spend(8)?;
        if let (Value::Object(at), true) = (&this, self.shared.waiting.contains(&method)) {
            self.lived.insert((*at, method));
        }
        if self.pair_of(&arguments) {
            self.shared.holders.extend(world.home(method).and_then(|home| home.class));
        }
        let arguments: Rc<[Value]> = arguments.into();
        let locals = self.parameters(method, &this, &arguments)?;
        let mut frame = Frame { method, code, locals, outer: self.outer_scope(function), ..Frame::default() };
        let (class, may_fork) = (self.shared.class_around(method), self.shared.index.about(method).forks);
        self.frames.push(Running { method, class, may_fork, at: 0, arguments: arguments.clone(), this: this.clone() });
        if self.shared.index.around.contains_key(&method) {
            self.called.insert(method);
        }
        let depth = self.frames.len();
        let result = self.run_within(&mut frame);
        self.frames.truncate(depth.saturating_sub(1));
        match result {
            Ok(value) => Ok(self.coerce(value, &of)),
            Err(Stop::Abandoned) if !self.frames.is_empty() => {
                self.abandon(method, &this, &arguments)?;
                Ok(self.unknown_result(method, &this, &arguments, of))
            }
            Err(stop) => Err(stop),
        }
    }

    /// Result of a method that was not run to its end. A getter, or a method without side effects, has one result for each object.
    fn unknown_result(&mut self, method: MethodId, this: &Value, arguments: &[Value], of: Type) -> Value {
        let (_, name) = self.world.label(method);
        let object = (!matches!(this, Value::Undefined)).then(|| self.expr(this));
        match object {
            Some(object) if self.world.is_getter(method) => Value::Unknown(Expr::new(Kind::Field(object, name), of)),
            object if self.shared.index.about(method).is_pure => {
                let arguments = arguments.iter().map(|value| self.expr(value)).collect();
                Value::Unknown(Expr::new(Kind::Call(object, name, arguments, 0), of))
            }
            object => self.unknown_call(object, &name, arguments, of),
        }
    }

    /// Runs a call within its budget, which leaves enough steps for the caller to continue. A call that reaches a limit is
    /// abandoned.
    fn run_within(&mut self, frame: &mut Frame) -> Result<Value, Stop> {
        if self.frames.len() <= 1 || self.is_setup {
            return self.run_to_end(frame);
        }
        let about = self.shared.index.about(frame.method);
        let is_relevant = about.is_relevant();
        // A method that has nothing to do with shaders may still return a part of a shader's text.
        let share = if about.forks { 2 } else { 8 };
        let before = self.steps;
        self.steps = if is_relevant { before / 4 * 3 } else { (self.irrelevant_steps / share).min(before / 2) };
        let budget = self.steps;
        let result = self.run_to_end(frame);
        let used = budget.saturating_sub(self.steps);
        self.steps = before.saturating_sub(used);
        if !is_relevant {
            self.irrelevant_steps = self.irrelevant_steps.saturating_sub(used);
        }
        match result {
            Err(Stop::Limit) => {
                self.was_cut |= is_relevant;
                Err(Stop::Abandoned)
            }
            result => result,
        }
    }

    /// Handles a method that did not run to its end: its effects on the fields of its object, and on arrays and byte arrays that
    /// belong to the object or to the arguments, are unknown.
    fn abandon(&mut self, method: MethodId, this: &Value, arguments: &[Value]) -> Result<(), Stop> {
        if self.shared.index.about(method).is_pure {
            return Ok(());
        }
        // Breadth first: fields are unordered, and the shortest path to an object decides whether it is within reach.
        let mut waiting = VecDeque::new();
        for (value, depth) in iter::once((this, 0)).chain(arguments.iter().map(|value| (value, 1))) {
            let at = match value {
                Value::Object(at) => *at,
                Value::Unknown(expr) if expr.of().is_object() => self.object_of(expr),
                _ => continue,
            };
            // An object gets the fields set by its constructor when it is first read.
            self.fill(at)?;
            waiting.push_back((at, depth));
        }
        let mut visited = HashSet::new();
        while let Some((at, depth)) = waiting.pop_front() {
            let Some(found) = self.heap.get(at).filter(|_| depth <= REACH && visited.insert(at)) else { continue };
            let elements = self.elements_of(&Value::Object(at)).unwrap_or_default();
            let inner = found.fields.values().chain(elements).filter_map(Value::object);
            waiting.extend(inner.map(|at| (at, depth + 1)));
            let is_changed = depth == 0 || matches!(found.kind, ObjectKind::Array(_) | ObjectKind::Bytes(_));
            let Some(found) = self.heap.get_mut(at).filter(|_| is_changed) else { continue };
            match &mut found.kind {
                ObjectKind::Bytes(bytes) => bytes.is_unknown = true,
                _ => found.is_open = true,
            }
        }
        Ok(())
    }

    /// Local variables at the beginning of a call.
    fn parameters(&mut self, method: MethodId, this: &Value, arguments: &Rc<[Value]>) -> Result<Vec<Value>, Stop> {
        let world = self.world;
        let (unit, found) = world.method(method).ok_or(Stop::Broken)?;
        let mut locals = vec![this.clone()];
        for (at, parameter) in found.params.iter().enumerate() {
            let value = match (arguments.get(at), &parameter.default_value) {
                (Some(value), _) => self.coerce(value.clone(), &world.type_of(method.unit, &parameter.kind)),
                (None, Some(default)) => Value::constant(&constant(unit, default)),
                (None, None) => Value::Undefined,
            };
            locals.push(value);
        }
        if found.flags.contains(MethodFlags::NEED_REST) {
            locals.push(self.array(arguments.get(found.params.len()..).unwrap_or_default().to_vec())?);
        } else if found.flags.contains(MethodFlags::NEED_ARGUMENTS) {
            locals.push(self.array(arguments.to_vec())?);
        }
        let count = unit.abc.body(method.method).map_or(0, |body| body.locals as usize).min(4096);
        locals.resize(locals.len().max(count), Value::Undefined);
        Ok(locals)
    }

    /// Scopes around a method: the scopes of a function, or the script and the classes that contain a method.
    fn outer_scope(&self, function: &Function) -> Rc<[Value]> {
        if !function.scope.is_empty() {
            return function.scope.clone();
        }
        let outermost = self.shared.outermost(function.method);
        let class = self.world.home(outermost).and_then(|home| home.class);
        let mut classes: Vec<Value> =
            class.into_iter().flat_map(|class| self.world.above(class)).map(|(id, _)| Value::Class(id)).collect();
        let script = match class.and_then(|class| self.world.class(class)) {
            Some(class) => class.script.and_then(|script| self.shared.script_object(class.unit, script)),
            None => self.shared.script_of(outermost),
        };
        classes.push(script.map_or_else(|| Value::Native("".into()), Value::Object));
        classes.reverse();
        classes.into()
    }

    /// Runs a call from its first instruction to its end.
    fn run_to_end(&mut self, frame: &mut Frame) -> Result<Value, Stop> {
        loop {
            let code = frame.code.clone();
            let Some(instruction) = code.instructions.get(frame.pc) else { return Ok(Value::Undefined) };
            if frame.stack.len() > 4096 {
                return Err(Stop::Broken);
            }
            self.spend(1)?;
            if self.events.len() > EVENTS {
                return Err(Stop::Limit);
            }
            if let Some(running) = self.frames.last_mut() {
                running.at = instruction.at;
            }
            let at = frame.pc;
            frame.pc = instruction.next;
            match self.step(frame, instruction) {
                Ok(None) => {}
                Ok(Some(value)) => return Ok(value),
                Err(Stop::Throw) => {
                    let mut handlers = code.handlers.iter();
                    let handler = handlers.find(|(first, last, _)| (*first..=*last).contains(&at));
                    let Some((_, _, target)) = handler else { return Err(Stop::Throw) };
                    frame.stack.clear();
                    frame.scope.clear();
                    frame.push(Value::Unknown(Expr::leaf("exception", instruction.at, Type::Any)));
                    frame.pc = *target;
                }
                Err(stop) => return Err(stop),
            }
        }
    }
}

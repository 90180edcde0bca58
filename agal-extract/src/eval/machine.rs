//! The abstract machine, which runs one path through an entry point and the methods that the entry point calls.
//!
//! At a condition on an unknown value, a path takes one alternative. Each other alternative becomes a separate path, which runs
//! from the beginning and repeats the same decisions up to that condition. No two conditions of a path contradict each other.
//!
//! The files of `eval` import each other for two reasons: the `impl` of [`Run`] is spread over the files, and the types of values
//! refer to each other. An expression contains strings and objects, a string contains expressions in its holes, and an object
//! stores records of its assembled programs. `avm/unit.rs` stores string constants in the interpreter's representation, so that
//! each constant is converted only once.

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

/// The maximum number of events that a path may record.
const EVENTS: usize = 512;

/// The reason why a path or a call ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Limit,
    Throw,
    /// A condition is unknown, and paths do not fork in the current method.
    Abandoned,
    /// The bytecode is invalid.
    Broken,
}

/// The outcome of an operation: a value, or `None` if the operation is not supported or its result is unknown.
pub(crate) type Known = Result<Option<Value>, Stop>;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    pub(crate) method: MethodId,
    pub(crate) at: u32,
    pub(crate) count: u16,
    pub(crate) taken: u16,
}

/// The maximum number of field and element accesses that lead from `this` to an array that an unfinished method may have changed.
const REACH: usize = 2;

/// A running call. The default value is a placeholder that counts only towards the nesting depth.
#[derive(Clone, Debug, Default)]
pub(crate) struct Running {
    pub(crate) method: MethodId,
    class: Option<ClassId>,
    may_fork: bool,
    /// The code offset of the current instruction.
    pub(crate) at: u32,
    pub(crate) arguments: Rc<[Value]>,
    pub(crate) this: Value,
}

/// The part of a call's state that the call does not share with other calls.
#[derive(Default)]
pub(crate) struct Frame {
    pub(crate) method: MethodId,
    pub(crate) code: Rc<Code>,
    pub(crate) locals: Vec<Value>,
    pub(crate) stack: Vec<Value>,
    pub(crate) scope: Vec<Value>,
    pub(crate) outer: Rc<[Value]>,
    pub(crate) pc: usize,
    /// The number of times that the loop has continued at each branch on an unknown value. The key is the instruction after the
    /// branch.
    pub(crate) rounds: HashMap<usize, u32>,
    /// The number of iterations of each loop with known conditions, keyed by the loop's first instruction. The same map counts
    /// backward jumps, keyed by the instruction after the jump.
    pub(crate) known_rounds: HashMap<usize, u32>,
}

impl Frame {
    pub(crate) fn pop(&mut self) -> Result<Value, Stop> {
        self.stack.pop().ok_or(Stop::Broken)
    }

    pub(crate) fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    /// Pops `count` values, and returns them in the order in which they were pushed.
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

    pub(crate) fn global(&self) -> Value {
        self.outer.first().cloned().unwrap_or_else(|| Value::Native("".into()))
    }
}

pub(crate) struct Run<'s, 'w> {
    pub(crate) world: &'w World,
    pub(crate) shared: &'s mut Shared<'w>,
    pub(crate) heap: Heap,
    pub(crate) facts: Facts,
    pub(crate) trail: Vec<Decision>,
    /// The conditions of the path, which are either decided or assumed on the path.
    pub(crate) conditions: Vec<(Expr, Alternative)>,
    /// The list that [`Run::conditions`] last returned.
    pub(crate) known_conditions: RefCell<Rc<[(Expr, Alternative)]>>,
    pub(crate) prefix: Rc<[u16]>,
    pub(crate) frames: Vec<Running>,
    pub(crate) events: Vec<Event>,
    /// The programs that assemblers have returned, each with the index of its event.
    pub(crate) assembled: Vec<(Rc<Event>, usize)>,
    /// The fields that the path has assigned in objects that existed before the path began.
    pub(crate) written: BTreeSet<(Ref, Key)>,
    /// The methods that were run because the path was about to read a field that they set, and the upload methods that were run,
    /// each with its object.
    pub(crate) lived: HashSet<(Ref, MethodId)>,
    pub(crate) symbols: ByExpr<Ref>,
    /// The number of times that the path has made each call with an unknown result.
    pub(crate) calls: ByExpr<u32>,
    pub(crate) steps: u64,
    /// The number of steps that methods which do not involve shaders may still use.
    irrelevant_steps: u64,
    /// The number of bytes that the path may still add to strings.
    pub(crate) text_left: usize,
    /// The instructions on the path that pushed string constants with shader source.
    pub(crate) pushed: HashSet<(MethodId, u32)>,
    /// The fields that the path has read and whose initial value is a string constant.
    pub(crate) read: HashSet<(ClassId, Name)>,
    /// The functions that the path has created and may not have called.
    pub(crate) uncalled: Vec<Rc<Function>>,
    pub(crate) called: HashSet<MethodId>,
    /// The instructions that assigned a field, or changed the contents of a field, during the setup.
    pub(crate) assigned: HashSet<(MethodId, u32)>,
    /// Whether this path belongs to the setup. In the setup, paths fork only in constructors.
    pub(crate) is_setup: bool,
    /// Whether this path runs a constructor to determine which fields it sets.
    pub(crate) is_construction: bool,
    /// Whether a loop may have more iterations than the path has run.
    pub(crate) has_more_rounds: bool,
    /// Whether a call that may involve shaders reached a limit, or was skipped at the limit on nested calls.
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

    /// Deducts steps from the path's budget. Returns an error if the budget is exceeded.
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

    pub(crate) fn kind_of(&self, value: &Value) -> Option<&ObjectKind> {
        Some(&self.heap.get(value.object()?)?.kind)
    }

    pub(crate) fn elements_of(&self, value: &Value) -> Option<&[Value]> {
        if let ObjectKind::Array(elements) = self.kind_of(value)? { Some(elements) } else { None }
    }

    /// Creates an object. An object costs the steps of several instructions, which bounds the memory that a path uses.
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

    /// Returns the current method and the offset of its current instruction.
    pub(crate) fn site(&self) -> (MethodId, u32) {
        self.frames.last().map(|frame| (frame.method, frame.at)).unwrap_or_default()
    }

    pub(crate) fn class(&self) -> Option<&'w Class> {
        self.world.class(self.frames.last()?.class?)
    }

    pub(crate) fn base(&self) -> Option<ClassId> {
        self.class()?.base
    }

    pub(crate) fn may_fork(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.may_fork)
    }

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
        // The number `!at.0` is large, so it never equals the number of a parameter.
        let kind = if object.is_copy { Kind::Leaf(name.into(), !at.0) } else { Kind::Object(name.into(), at) };
        Expr::new(kind, object.class.map_or(Type::Any, Type::Class))
    }

    /// Returns the object that an expression denotes. The object is created on first use.
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

    /// Records that an operation uses an object. The operation throws if the path has already decided that the object is null.
    pub(crate) fn use_object(&mut self, at: Ref) -> Result<(), Stop> {
        let expr = self.heap.get(at).and_then(|object| object.expr.as_ref());
        if expr.is_some_and(|expr| !self.facts.is_used(expr)) { Err(Stop::Throw) } else { Ok(()) }
    }

    /// Returns a new unknown value as the result of a call to unknown code.
    pub(crate) fn unknown_call(&mut self, object: Option<Expr>, name: &Name, arguments: &[Value], of: Type) -> Value {
        let arguments: Rc<[Expr]> = arguments.iter().map(|value| self.expr(value)).collect();
        let call = |number| Kind::Call(object.clone(), name.clone(), arguments.clone(), number);
        let count = self.calls.entry(Expr::new(call(0), of.clone())).or_default();
        *count += 1;
        Value::Unknown(Expr::new(call(*count - 1), of))
    }

    /// Runs a method and ignores any exception, because the effects of the method before the exception remain.
    pub(crate) fn attempt(&mut self, method: MethodId, this: Value, arguments: Vec<Value>) -> Result<(), Stop> {
        match self.invoke(method, this, arguments) {
            Err(Stop::Limit) => Err(Stop::Limit),
            _ => Ok(()),
        }
    }

    pub(crate) fn invoke(&mut self, method: MethodId, this: Value, arguments: Vec<Value>) -> Result<Value, Stop> {
        self.run(&Function::of(method, None), this, arguments)
    }

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

    /// Returns the unknown result of a method that did not run to its end. A getter, or a method without side effects, returns
    /// the same unknown value for the same object and arguments.
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

    /// Runs a call within a budget that leaves the caller enough steps to continue. A call that exceeds the budget is abandoned.
    fn run_within(&mut self, frame: &mut Frame) -> Result<Value, Stop> {
        if self.frames.len() <= 1 || self.is_setup {
            return self.run_to_end(frame);
        }
        let about = self.shared.index.about(frame.method);
        let is_relevant = about.is_relevant();
        // A method in which paths fork gets more steps, because it may return part of a shader's source even if it does not
        // involve shaders.
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

    /// Records that an unfinished method may have changed `this`, and the arrays and byte arrays in reach of `this` and the
    /// arguments. The contents of a byte array become unknown, and any other object may have unrecorded fields or elements.
    fn abandon(&mut self, method: MethodId, this: &Value, arguments: &[Value]) -> Result<(), Stop> {
        if self.shared.index.about(method).is_pure {
            return Ok(());
        }
        // The traversal is breadth-first, because the shortest path to an object decides whether the object is in reach.
        let mut waiting = VecDeque::new();
        for (value, depth) in iter::once((this, 0)).chain(arguments.iter().map(|value| (value, 1))) {
            let at = match value {
                Value::Object(at) => *at,
                Value::Unknown(expr) if expr.of().is_object() => self.object_of(expr),
                _ => continue,
            };
            // The first access to an object normally adds the fields that its constructor sets, so these fields must be added
            // before the object is changed.
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

    /// Returns the scopes around a function: the scopes that it has captured, or the script and the classes that contain the
    /// method.
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

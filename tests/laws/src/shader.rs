//! Interprets one invocation of a shader's entry point. naga's front end has parsed the shader from our output, so a run tests
//! everything that a backend plans, names, inlines or stores.
//!
//! Each test implements the trait [`Given`] to supply the inputs of an invocation.

mod compute;
mod value;

use std::cell::{Cell, RefCell};

use naga::{
    Binding, DerivativeAxis, Expression, Handle, Literal, Module, RelationalFunction, SampleLevel, Statement,
    SwitchValue, TypeInner,
};

pub use value::{Root, Value, to_half, zero};

/// The maximum number of statements that a run executes. Every test shader needs fewer statements.
const STEPS: usize = 2_000_000;

/// Supplies the inputs of an invocation: arguments, uniforms, texels and derivatives.
pub trait Given {
    /// Returns the value of an argument of the entry point.
    fn argument(&self, module: &Module, stage: naga::ShaderStage, argument: &naga::FunctionArgument) -> Value;
    /// Returns the value that the application has assigned to a uniform variable.
    fn uniform(&self, module: &Module, variable: &naga::GlobalVariable) -> Value;
    /// Returns the result of a texture access at a coordinate.
    fn texel(&self, texture: &naga::GlobalVariable, coordinate: &[f32], level: &Level) -> [f32; 4];
    /// Returns the width, height, and depth or layer count of a texture's mip level.
    fn sizes(&self, _texture: &naga::GlobalVariable, _level: i32) -> [u32; 3] {
        [1; 3]
    }
    /// Returns the screen-space derivative of a value in the x direction, which points right.
    fn ddx(&self, value: f32) -> f32;
    /// Returns the screen-space derivative of a value in the y direction, which points down.
    fn ddy(&self, value: f32) -> f32;
    /// Reports whether an out-of-range index selects the nearest element instead of being an error.
    fn clamps(&self) -> bool {
        false
    }
}

/// The kind of a texture access, including the source of its level of detail.
#[derive(Clone, Debug, PartialEq)]
pub enum Level {
    /// The level of detail follows from the coordinate's derivatives.
    Auto,
    /// A bias is added to the level of detail that follows from the coordinate's derivatives.
    Bias(f32),
    /// The shader states the level of detail explicitly.
    Exact(f32),
    /// The level of detail follows from explicit derivatives in x and in y.
    Gradient(Vec<f32>, Vec<f32>),
    /// An unfiltered fetch from the given mip level.
    Fetched(i32),
    /// A gather of one component, given by its index, from the four texels that a filter reads.
    Gathered(usize),
    /// A gather that compares a reference value with each of the four texels that a filter reads.
    Compared(f32),
    /// A comparison of a reference value with the texture. The level of detail is implicit if the flag is true, and 0 otherwise.
    Reference(f32, bool),
}

impl Level {
    /// Returns the result of the access if all texels of the texture equal `texel`.
    pub fn in_one_colour(&self, texel: [f32; 4]) -> [f32; 4] {
        match *self {
            Level::Gathered(component) => [texel[component]; 4],
            Level::Compared(reference) | Level::Reference(reference, _) => {
                let reference = if reference > 0.0 { reference.min(1.0) } else { 0.0 };
                [f32::from(u8::from(reference <= texel[0])); 4]
            }
            _ => texel,
        }
    }
}

/// Adds a texel offset to the coordinates of a texture access in a simplified way, in which different offsets still read
/// different positions.
pub fn moved(at: &mut [f32], offset: &[i32]) {
    at.iter_mut().zip(offset).for_each(|(at, &by)| *at += by as f32 * 0.37);
}

/// Returns the byte of a normalised texel component, sign-extended to 32 bits if `signed` is set.
pub fn whole(component: f32, signed: bool) -> u32 {
    let byte = (component * 255.0).round() as u8;
    if signed { i32::from(byte.cast_signed()).cast_unsigned() } else { u32::from(byte) }
}

/// The effect of a discard on the invocation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Discarding {
    /// A discard ends the invocation.
    Ends,
    /// A discarded invocation has no results, but its code continues and must terminate, as in WGSL.
    GoesOn,
}

/// The name, binding and value of each output. `None` means that the invocation was discarded.
pub type Outputs = Option<Vec<(String, Option<Binding>, Value)>>;

enum Ended {
    AtTheEnd,
    Broke,
    Continued,
    Discarded,
    Returned(Option<Value>),
}

struct World<'a> {
    module: &'a Module,
    given: &'a dyn Given,
    uniforms: Vec<Option<Value>>,
    steps: Cell<usize>,
    /// The local variables of each running function. The innermost function comes last.
    locals: RefCell<Vec<Vec<Value>>>,
    privates: RefCell<Vec<Option<Value>>>,
    discarding: Discarding,
    discarded: Cell<bool>,
}

struct Machine<'a> {
    world: &'a World<'a>,
    function: &'a naga::Function,
    arguments: Vec<Value>,
    /// The function's depth in the call stack, which is 0 for the entry point.
    depth: usize,
    /// The value of each expression, computed when the expression was last emitted.
    values: Vec<Option<Value>>,
}

/// Runs one invocation of a stage's entry point and returns its outputs.
pub fn run(module: &Module, stage: naga::ShaderStage, given: &dyn Given, discarding: Discarding) -> Outputs {
    let entry = module.entry_points.iter().find(|entry| entry.stage == stage).expect("the stage");
    let uniform = |(_, variable): (_, &naga::GlobalVariable)| {
        matches!(variable.space, naga::AddressSpace::Uniform | naga::AddressSpace::Immediate)
            .then(|| given.uniform(module, variable))
    };
    let uniforms = module.global_variables.iter().map(uniform).collect();
    let private = |(_, variable): (_, &naga::GlobalVariable)| {
        (variable.space == naga::AddressSpace::Private).then(|| zero(module, variable.ty))
    };
    let world = World {
        module,
        given,
        uniforms,
        steps: Cell::new(0),
        locals: RefCell::default(),
        privates: RefCell::new(module.global_variables.iter().map(private).collect()),
        discarding,
        discarded: Cell::new(false),
    };
    world.initialise();
    let function = &entry.function;
    let arguments = function.arguments.iter().map(|argument| given.argument(module, stage, argument)).collect();
    let ended = world.call(function, arguments);
    if world.discarded.get() {
        return None;
    }
    let returned = match ended {
        Ended::Returned(Some(value)) => value,
        // An entry point that returns no value has no outputs.
        _ => return Some(Vec::new()),
    };
    let result = function.result.as_ref().expect("a result");
    Some(match &module.types[result.ty].inner {
        TypeInner::Struct { members, .. } => {
            let all = members.iter().zip(returned.many());
            let output = |(member, value): (&naga::StructMember, &Value)| {
                (member.name.clone().unwrap_or_default(), member.binding.clone(), value.clone())
            };
            all.map(output).collect()
        }
        _ => vec![(String::new(), result.binding.clone(), returned)],
    })
}

impl World<'_> {
    fn call(&self, function: &naga::Function, arguments: Vec<Value>) -> Ended {
        let depth = self.locals.borrow().len();
        let locals = function.local_variables.iter().map(|(_, local)| zero(self.module, local.ty)).collect();
        self.locals.borrow_mut().push(locals);
        let values = vec![None; function.expressions.len()];
        let mut machine = Machine { world: self, function, arguments, depth, values };
        for (handle, local) in function.local_variables.iter() {
            if let Some(init) = local.init {
                let value = machine.value(init);
                self.locals.borrow_mut()[depth][handle.index()] = value;
            }
        }
        let ended = machine.block(&function.body);
        self.locals.borrow_mut().pop();
        ended
    }

    fn initialise(&self) {
        let function = naga::Function::default();
        let machine = Machine { world: self, function: &function, arguments: Vec::new(), depth: 0, values: Vec::new() };
        for (handle, variable) in self.module.global_variables.iter() {
            if let (naga::AddressSpace::Private, Some(init)) = (variable.space, variable.init) {
                let value = machine.constant(init);
                self.privates.borrow_mut()[handle.index()] = Some(value);
            }
        }
    }
}

impl<'a> Machine<'a> {
    fn block(&mut self, block: &'a naga::Block) -> Ended {
        for statement in block {
            self.world.steps.set(self.world.steps.get() + 1);
            assert!(self.world.steps.get() < STEPS, "the shader does not terminate");
            match self.statement(statement) {
                Ended::AtTheEnd => {}
                ended => return ended,
            }
        }
        Ended::AtTheEnd
    }

    fn statement(&mut self, statement: &'a Statement) -> Ended {
        match statement {
            Statement::Emit(range) => {
                for handle in range.clone() {
                    self.values[handle.index()] = Some(self.evaluate(handle));
                }
            }
            Statement::Block(block) => return self.block(block),
            Statement::If { condition, accept, reject } => {
                let taken = self.value(*condition).bool();
                return self.block(if taken { accept } else { reject });
            }
            Statement::Loop { body, continuing, break_if } => return self.repeat(body, continuing, *break_if),
            Statement::Switch { selector, cases } => return self.switch(*selector, cases),
            Statement::Break => return Ended::Broke,
            Statement::Continue => return Ended::Continued,
            Statement::Store { pointer, value } => {
                let value = self.value(*value);
                let Value::Pointer(root, path) = self.value(*pointer) else { panic!("a store") };
                match root {
                    Root::Local(depth, local) => {
                        store(&mut self.world.locals.borrow_mut()[depth][local], &path, value);
                    }
                    Root::Global(global) => {
                        let mut privates = self.world.privates.borrow_mut();
                        store(privates[global.index()].as_mut().expect("a variable"), &path, value);
                    }
                }
            }
            Statement::Call { function, arguments, result } => {
                let arguments = arguments.iter().map(|&argument| self.value(argument)).collect();
                match (self.world.call(&self.world.module.functions[*function], arguments), result) {
                    (Ended::Discarded, _) => return Ended::Discarded,
                    (Ended::Returned(Some(value)), Some(result)) => self.values[result.index()] = Some(value),
                    (_, Some(_)) => panic!("nothing is returned"),
                    _ => {}
                }
            }
            Statement::Kill => {
                self.world.discarded.set(true);
                if self.world.discarding == Discarding::Ends {
                    return Ended::Discarded;
                }
            }
            Statement::Return { value } => return Ended::Returned(value.map(|value| self.value(value))),
            other => panic!("{other:?}"),
        }
        Ended::AtTheEnd
    }

    fn repeat(
        &mut self,
        body: &'a naga::Block,
        continuing: &'a naga::Block,
        break_if: Option<Handle<Expression>>,
    ) -> Ended {
        loop {
            self.world.steps.set(self.world.steps.get() + 1);
            assert!(self.world.steps.get() < STEPS, "the shader does not terminate");
            match self.block(body) {
                Ended::AtTheEnd | Ended::Continued => {}
                Ended::Broke => return Ended::AtTheEnd,
                ended => return ended,
            }
            match self.block(continuing) {
                Ended::AtTheEnd => {}
                ended => return ended,
            }
            if break_if.is_some_and(|condition| self.value(condition).bool()) {
                return Ended::AtTheEnd;
            }
        }
    }

    fn switch(&mut self, selector: Handle<Expression>, cases: &'a [naga::SwitchCase]) -> Ended {
        let value = match self.value(selector) {
            Value::Int(value) => SwitchValue::I32(value),
            Value::Uint(value) => SwitchValue::U32(value),
            other => panic!("a selector {other:?}"),
        };
        let of = |wanted: SwitchValue| cases.iter().position(|case| case.value == wanted);
        let Some(first) = of(value).or(of(SwitchValue::Default)) else { return Ended::AtTheEnd };
        for case in &cases[first..] {
            match self.block(&case.body) {
                Ended::AtTheEnd if case.fall_through => {}
                Ended::AtTheEnd | Ended::Broke => return Ended::AtTheEnd,
                ended => return ended,
            }
        }
        Ended::AtTheEnd
    }

    fn value(&self, handle: Handle<Expression>) -> Value {
        let known = self.values[handle.index()].clone();
        known.unwrap_or_else(|| self.evaluate(handle))
    }

    fn evaluate(&self, handle: Handle<Expression>) -> Value {
        self.expression(&self.function.expressions[handle], &|handle| self.value(handle))
    }

    fn constant(&self, handle: Handle<Expression>) -> Value {
        self.expression(&self.world.module.global_expressions[handle], &|handle| self.constant(handle))
    }

    /// Evaluates an expression, calling `value` for each operand.
    fn expression(&self, expression: &Expression, value: &dyn Fn(Handle<Expression>) -> Value) -> Value {
        let module = self.world.module;
        match *expression {
            Expression::Literal(literal) => match literal {
                Literal::F32(value) => Value::Float(value),
                Literal::F16(value) => Value::Half(value.to_f32()),
                Literal::I32(value) => Value::Int(value),
                Literal::U32(value) => Value::Uint(value),
                Literal::Bool(value) => Value::Bool(value),
                other => panic!("a literal {other:?}"),
            },
            Expression::Constant(constant) => self.constant(module.constants[constant].init),
            Expression::ZeroValue(ty) => zero(module, ty),
            Expression::Compose { ty, ref components } => {
                let parts: Vec<Value> = components.iter().map(|&part| value(part)).collect();
                match module.types[ty].inner {
                    // A vector may be composed of scalars and shorter vectors.
                    TypeInner::Vector { .. } => {
                        let flat = parts.into_iter().flat_map(|part| match part {
                            Value::Many(values) => values,
                            value => vec![value],
                        });
                        Value::Many(flat.collect())
                    }
                    _ => Value::Many(parts),
                }
            }
            Expression::Splat { size, value: of } => Value::Many(vec![value(of); size as usize]),
            Expression::Swizzle { size, vector, pattern } => {
                let vector = value(vector);
                let picked = pattern.iter().take(size as usize);
                Value::Many(picked.map(|&component| vector.many()[component as usize].clone()).collect())
            }
            Expression::AccessIndex { base, index } => member(value(base), index as usize),
            Expression::Access { base, index } if self.world.given.clamps() => {
                let base = value(base);
                let length = match &base {
                    Value::Pointer(..) => self.load(&base).many().len(),
                    other => other.many().len(),
                };
                // As in the format, a negative index selects the first element, and an index past the end selects the last.
                let index = usize::try_from(int(value(index))).unwrap_or(0).min(length - 1);
                member(base, index)
            }
            Expression::Access { base, index } => member(value(base), value(index).index()),
            Expression::FunctionArgument(index) => self.arguments[index as usize].clone(),
            Expression::LocalVariable(local) => Value::Pointer(Root::Local(self.depth, local.index()), Vec::new()),
            Expression::GlobalVariable(global) => Value::Pointer(Root::Global(global), Vec::new()),
            Expression::Load { pointer } => self.load(&value(pointer)),
            Expression::ImageSample {
                image, coordinate, array_index, gather, depth_ref, offset, ref level, ..
            } => {
                let mut at = self.located(&value(coordinate), array_index.map(value));
                if let Some(offset) = offset {
                    moved(&mut at, &value(offset).many().iter().cloned().map(int).collect::<Vec<i32>>());
                }
                let level = match *level {
                    SampleLevel::Zero if let (Some(_), Some(reference)) = (gather, depth_ref) => {
                        Level::Compared(value(reference).float())
                    }
                    SampleLevel::Zero if let Some(component) = gather => Level::Gathered(component as usize),
                    SampleLevel::Zero | SampleLevel::Auto if let Some(reference) = depth_ref => {
                        Level::Reference(value(reference).float(), *level == SampleLevel::Auto)
                    }
                    SampleLevel::Auto => Level::Auto,
                    SampleLevel::Zero => Level::Exact(0.0),
                    SampleLevel::Exact(level) => Level::Exact(value(level).float()),
                    SampleLevel::Bias(bias) => Level::Bias(value(bias).float()),
                    SampleLevel::Gradient { x, y } => Level::Gradient(value(x).floats(), value(y).floats()),
                };
                self.texel(&value(image), &at, &level)
            }
            Expression::ImageQuery { image, query: naga::ImageQuery::NumLayers } => {
                let Value::Pointer(Root::Global(image), _) = value(image) else { panic!("not an image") };
                Value::Uint(self.world.given.sizes(&self.world.module.global_variables[image], 0)[2])
            }
            Expression::ImageQuery { image, query: naga::ImageQuery::Size { level } } => {
                let level = level.map_or(0, |level| int(value(level)));
                let Value::Pointer(Root::Global(image), _) = value(image) else { panic!("not an image") };
                let variable = &self.world.module.global_variables[image];
                let flat = !matches!(
                    self.world.module.types[variable.ty].inner,
                    naga::TypeInner::Image { dim: naga::ImageDimension::D3, .. }
                );
                let sizes = self.world.given.sizes(variable, level);
                Value::Many(sizes.into_iter().take(if flat { 2 } else { 3 }).map(Value::Uint).collect())
            }
            Expression::ImageLoad { image, coordinate, level, array_index, .. } => {
                let ints = |value: Value| match value {
                    Value::Many(values) => values.into_iter().map(int).collect(),
                    value => vec![int(value)],
                };
                let mut coordinate: Vec<f32> =
                    ints(value(coordinate)).into_iter().map(|component| component as f32).collect();
                coordinate.extend(array_index.map(|layer| int(value(layer)) as f32));
                let level = level.map_or(0, |level| int(value(level)));
                self.texel(&value(image), &coordinate, &Level::Fetched(level))
            }
            Expression::Derivative { axis, expr, .. } => value(expr).floats_map(&|value| match axis {
                DerivativeAxis::X => self.world.given.ddx(value),
                DerivativeAxis::Y => self.world.given.ddy(value),
                DerivativeAxis::Width => self.world.given.ddx(value).abs() + self.world.given.ddy(value).abs(),
            }),
            Expression::Relational { fun, argument } => {
                let argument = value(argument);
                let mut bools = argument.many().iter().map(Value::bool);
                Value::Bool(match fun {
                    RelationalFunction::All => bools.all(|value| value),
                    RelationalFunction::Any => bools.any(|value| value),
                    other => panic!("{other:?}"),
                })
            }
            Expression::Unary { op, expr } => compute::unary(op, &value(expr)),
            Expression::Binary { op, left, right } => compute::binary(op, &value(left), &value(right)),
            Expression::Select { condition, accept, reject } => {
                let (accept, reject) = (value(accept), value(reject));
                match value(condition) {
                    Value::Bool(true) => accept,
                    Value::Bool(false) => reject,
                    Value::Many(conditions) => {
                        let each = conditions.iter().zip(accept.many().iter().zip(reject.many()));
                        Value::Many(each.map(|(c, (a, r))| if c.bool() { a.clone() } else { r.clone() }).collect())
                    }
                    other => panic!("a condition {other:?}"),
                }
            }
            Expression::Math { fun, arg, arg1, arg2, arg3 } => {
                let [arg1, arg2, arg3] = [arg1, arg2, arg3].map(|argument| argument.map(value));
                match compute::bits_math(fun, &value(arg), [arg1.as_ref(), arg2.as_ref(), arg3.as_ref()]) {
                    Some(result) => result,
                    None => compute::math(fun, &value(arg), arg1.as_ref(), arg2.as_ref()),
                }
            }
            Expression::As { expr, kind, convert } => compute::convert(&value(expr), kind, convert),
            ref other => panic!("{other:?}"),
        }
    }

    fn texel(&self, image: &Value, coordinate: &[f32], level: &Level) -> Value {
        let Value::Pointer(Root::Global(image), _) = *image else { panic!("not an image") };
        let variable = &self.world.module.global_variables[image];
        let texel = self.world.given.texel(variable, coordinate, level);
        let naga::TypeInner::Image { class, .. } = self.world.module.types[variable.ty].inner else {
            panic!("not an image")
        };
        match (class, level) {
            (_, Level::Reference(..)) => Value::Float(texel[0]),
            (naga::ImageClass::Storage { format, .. }, _) => {
                let of = |component| match naga::Scalar::from(format).kind {
                    naga::ScalarKind::Sint => Value::Int(whole(component, true).cast_signed()),
                    naga::ScalarKind::Uint => Value::Uint(whole(component, false)),
                    _ => Value::Float(component),
                };
                Value::Many(texel.map(of).to_vec())
            }
            (naga::ImageClass::Sampled { kind: naga::ScalarKind::Sint, .. }, _) => {
                Value::Many(texel.map(|component| Value::Int(whole(component, true).cast_signed())).to_vec())
            }
            (naga::ImageClass::Sampled { kind: naga::ScalarKind::Uint, .. }, _) => {
                Value::Many(texel.map(|component| Value::Uint(whole(component, false))).to_vec())
            }
            _ => Value::Many(texel.map(Value::Float).to_vec()),
        }
    }

    /// Returns a texture coordinate, followed by the layer if the texture is an array.
    fn located(&self, coordinate: &Value, layer: Option<Value>) -> Vec<f32> {
        let mut at = coordinate.floats();
        at.extend(layer.map(|layer| int(layer) as f32));
        at
    }

    fn load(&self, pointer: &Value) -> Value {
        let Value::Pointer(root, path) = pointer else { panic!("not a pointer: {pointer:?}") };
        let part = |whole: &Value| path.iter().fold(whole, |value, &at| &value.many()[at]).clone();
        match *root {
            Root::Local(depth, local) => part(&self.world.locals.borrow()[depth][local]),
            Root::Global(global) => match &self.world.uniforms[global.index()] {
                Some(uniform) => part(uniform),
                None => part(self.world.privates.borrow()[global.index()].as_ref().expect("a variable")),
            },
        }
    }
}

fn store(mut target: &mut Value, path: &[usize], value: Value) {
    for &at in path {
        let Value::Many(values) = target else { panic!("a path into a scalar") };
        target = &mut values[at];
    }
    *target = value;
}

fn int(value: Value) -> i32 {
    match value {
        Value::Int(value) => value,
        Value::Uint(value) => value.cast_signed(),
        other => panic!("{other:?} is not an int"),
    }
}

fn member(base: Value, at: usize) -> Value {
    match base {
        Value::Pointer(root, mut path) => {
            path.push(at);
            Value::Pointer(root, path)
        }
        value => value.many()[at].clone(),
    }
}

//! WGSL run as naga reads it: one invocation of an entry point of a module that naga's front end made of our text. What
//! the text says is run, so whatever was planned, named, put inline or stored on the way is part of what is tested.

use agal_front::register::File;
use naga::{
    BinaryOperator, Binding, BuiltIn, DerivativeAxis, Expression, Handle, Literal, MathFunction, Module, Statement,
    TypeInner, UnaryOperator,
};

use super::reference::Inputs;

/// A value: vectors, matrices (columns) and structures are many.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Float(f32),
    Int(i32),
    Uint(u32),
    Bool(bool),
    Many(Vec<Value>),
    /// A place in memory: a variable, and the way into it.
    Pointer(Root, Vec<usize>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Root {
    Local(usize),
    Global(Handle<naga::GlobalVariable>),
}

impl Value {
    fn many(&self) -> &[Value] {
        match self {
            Value::Many(values) => values,
            other => panic!("{other:?} has no components"),
        }
    }

    pub(crate) fn float(&self) -> f32 {
        match self {
            Value::Float(value) => *value,
            other => panic!("{other:?} is no float"),
        }
    }

    pub(crate) fn floats(&self) -> Vec<f32> {
        match self {
            Value::Many(values) => values.iter().map(Value::float).collect(),
            value => vec![value.float()],
        }
    }

    fn index(&self) -> usize {
        match *self {
            Value::Int(value) => value as usize,
            Value::Uint(value) => value as usize,
            ref other => panic!("{other:?} is no index"),
        }
    }

    fn map(&self, f: &dyn Fn(&Value) -> Value) -> Value {
        match self {
            Value::Many(values) => Value::Many(values.iter().map(|value| value.map(f)).collect()),
            value => f(value),
        }
    }

    /// Component by component; a scalar stands for each.
    fn zip(&self, other: &Value, f: &dyn Fn(&Value, &Value) -> Value) -> Value {
        match (self, other) {
            (Value::Many(a), Value::Many(b)) => {
                assert_eq!(a.len(), b.len());
                Value::Many(a.iter().zip(b).map(|(a, b)| a.zip(b, f)).collect())
            }
            (Value::Many(a), b) => Value::Many(a.iter().map(|a| a.zip(b, f)).collect()),
            (a, Value::Many(b)) => Value::Many(b.iter().map(|b| a.zip(b, f)).collect()),
            (a, b) => f(a, b),
        }
    }

    fn floats_map(&self, f: &dyn Fn(f32) -> f32) -> Value {
        self.map(&|value| Value::Float(f(value.float())))
    }

    fn floats_zip(&self, other: &Value, f: &dyn Fn(f32, f32) -> f32) -> Value {
        self.zip(other, &|a, b| Value::Float(f(a.float(), b.float())))
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).reduce(|a, b| a + b).unwrap_or(0.0)
}

/// How a run of statements ended.
enum Ended {
    AtTheEnd,
    Discarded,
    Returned(Option<Value>),
}

struct Machine<'a> {
    module: &'a Module,
    function: &'a naga::Function,
    inputs: &'a Inputs,
    arguments: Vec<Value>,
    locals: Vec<Value>,
    /// Values of emitted expressions, as of their last emission.
    values: Vec<Option<Value>>,
}

/// Runs an entry point; gives its outputs by name, or nothing if the invocation was discarded.
pub(crate) fn run(module: &Module, stage: naga::ShaderStage, inputs: &Inputs) -> Option<Vec<(String, Vec<f32>)>> {
    let entry = module.entry_points.iter().find(|entry| entry.stage == stage).expect("the stage");
    let function = &entry.function;
    let argument = |argument: &naga::FunctionArgument| match argument.binding {
        Some(Binding::Location { location, .. }) => {
            let file = if stage == naga::ShaderStage::Vertex { File::Attribute } else { File::Varying };
            Value::Many(inputs.register(file, location).map(Value::Float).to_vec())
        }
        Some(Binding::BuiltIn(BuiltIn::InstanceIndex)) => Value::Uint(3),
        ref other => panic!("an argument {other:?}"),
    };
    let mut machine = Machine {
        module,
        function,
        inputs,
        arguments: function.arguments.iter().map(argument).collect(),
        locals: function.local_variables.iter().map(|(_, local)| zero(module, local.ty)).collect(),
        values: vec![None; function.expressions.len()],
    };
    let returned = match machine.block(&function.body) {
        Ended::Discarded => return None,
        Ended::Returned(Some(value)) => value,
        _ => panic!("nothing is returned"),
    };
    let result = function.result.as_ref().expect("a result");
    Some(match &module.types[result.ty].inner {
        TypeInner::Struct { members, .. } => {
            let name = |member: &naga::StructMember| member.name.clone().unwrap_or_default();
            members.iter().map(name).zip(returned.many().iter().map(Value::floats)).collect()
        }
        _ => {
            let name = match result.binding {
                Some(Binding::BuiltIn(BuiltIn::Position { .. })) => "op",
                _ => "oc",
            };
            vec![(name.to_string(), returned.floats())]
        }
    })
}

fn zero(module: &Module, ty: Handle<naga::Type>) -> Value {
    match module.types[ty].inner {
        TypeInner::Scalar(scalar) => match scalar.kind {
            naga::ScalarKind::Float => Value::Float(0.0),
            naga::ScalarKind::Sint => Value::Int(0),
            naga::ScalarKind::Uint => Value::Uint(0),
            _ => Value::Bool(false),
        },
        TypeInner::Vector { size, scalar } => {
            let component = match scalar.kind {
                naga::ScalarKind::Float => Value::Float(0.0),
                _ => Value::Bool(false),
            };
            Value::Many(vec![component; size as usize])
        }
        ref other => panic!("a variable of type {other:?}"),
    }
}

impl Machine<'_> {
    fn block(&mut self, block: &naga::Block) -> Ended {
        for statement in block {
            match statement {
                Statement::Emit(range) => {
                    for handle in range.clone() {
                        self.values[handle.index()] = Some(self.evaluate(handle));
                    }
                }
                Statement::Block(block) => match self.block(block) {
                    Ended::AtTheEnd => {}
                    ended => return ended,
                },
                Statement::If { condition, accept, reject } => {
                    let taken = self.value(*condition) == Value::Bool(true);
                    match self.block(if taken { accept } else { reject }) {
                        Ended::AtTheEnd => {}
                        ended => return ended,
                    }
                }
                Statement::Store { pointer, value } => {
                    let value = self.value(*value);
                    let Value::Pointer(Root::Local(local), path) = self.value(*pointer) else { panic!("a store") };
                    let mut place = &mut self.locals[local];
                    for at in path {
                        let Value::Many(values) = place else { panic!("a path into a scalar") };
                        place = &mut values[at];
                    }
                    *place = value;
                }
                Statement::Kill => return Ended::Discarded,
                Statement::Return { value } => return Ended::Returned(value.map(|value| self.value(value))),
                other => panic!("{other:?}"),
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

    /// The value of an expression of the function or of the module's constants.
    fn expression(&self, expression: &Expression, value: &dyn Fn(Handle<Expression>) -> Value) -> Value {
        match *expression {
            Expression::Literal(literal) => match literal {
                Literal::F32(value) => Value::Float(value),
                Literal::I32(value) => Value::Int(value),
                Literal::U32(value) => Value::Uint(value),
                Literal::Bool(value) => Value::Bool(value),
                other => panic!("a literal {other:?}"),
            },
            Expression::ZeroValue(ty) => zero(self.module, ty),
            Expression::Compose { ty, ref components } => {
                let parts: Vec<Value> = components.iter().map(|&part| value(part)).collect();
                match self.module.types[ty].inner {
                    // The parts of a vector are themselves vectors or scalars.
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
            Expression::Access { base, index } => member(value(base), value(index).index()),
            Expression::FunctionArgument(index) => self.arguments[index as usize].clone(),
            Expression::LocalVariable(local) => Value::Pointer(Root::Local(local.index()), Vec::new()),
            Expression::GlobalVariable(global) => Value::Pointer(Root::Global(global), Vec::new()),
            Expression::Load { pointer } => self.load(&value(pointer)),
            Expression::ImageSample { image, coordinate, .. } => {
                let Value::Pointer(Root::Global(image), _) = value(image) else { panic!("no image") };
                let name = self.module.global_variables[image].name.clone().unwrap_or_default();
                let slot = name.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().expect("a slot");
                let texel = self.inputs.texel(slot, &value(coordinate).floats());
                Value::Many(texel.map(Value::Float).to_vec())
            }
            Expression::Derivative { axis, expr, .. } => value(expr).floats_map(&|value| match axis {
                DerivativeAxis::X => self.inputs.ddx(value),
                _ => self.inputs.ddy(value),
            }),
            Expression::Unary { op, expr } => value(expr).map(&|value| match (op, value) {
                (UnaryOperator::Negate, Value::Float(value)) => Value::Float(-value),
                (UnaryOperator::LogicalNot, Value::Bool(value)) => Value::Bool(!value),
                other => panic!("{other:?}"),
            }),
            Expression::Binary { op, left, right } => binary(op, &value(left), &value(right)),
            Expression::Select { condition, accept, reject } => {
                let (accept, reject) = (value(accept), value(reject));
                match value(condition) {
                    Value::Bool(true) => accept,
                    Value::Bool(false) => reject,
                    Value::Many(conditions) => {
                        let each = conditions.iter().zip(accept.many().iter().zip(reject.many()));
                        let pick = each.map(|(c, (a, r))| if *c == Value::Bool(true) { a.clone() } else { r.clone() });
                        Value::Many(pick.collect())
                    }
                    other => panic!("a condition {other:?}"),
                }
            }
            Expression::Math { fun, arg, arg1, arg2, .. } => {
                math(fun, &value(arg), arg1.map(value).as_ref(), arg2.map(value).as_ref())
            }
            Expression::As { expr, kind, .. } => value(expr).map(&|value| match (kind, value) {
                (naga::ScalarKind::Float, Value::Bool(value)) => Value::Float(f32::from(u8::from(*value))),
                (naga::ScalarKind::Float, Value::Uint(value)) => Value::Float(*value as f32),
                (naga::ScalarKind::Sint, Value::Float(value)) => Value::Int(*value as i32),
                other => panic!("a conversion {other:?}"),
            }),
            ref other => panic!("{other:?}"),
        }
    }

    fn load(&self, pointer: &Value) -> Value {
        let Value::Pointer(root, path) = pointer else { panic!("no pointer: {pointer:?}") };
        match *root {
            Root::Local(local) => path.iter().fold(self.locals[local].clone(), |value, &at| value.many()[at].clone()),
            // The one kind of variable is a file of constants; the first step is the register.
            Root::Global(_) => {
                let register = *path.first().expect("a register");
                let value =
                    Value::Many(self.inputs.register(File::Constant, register as u32).map(Value::Float).to_vec());
                path[1..].iter().fold(value, |value, &at| value.many()[at].clone())
            }
        }
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

fn binary(op: BinaryOperator, a: &Value, b: &Value) -> Value {
    use BinaryOperator::*;
    let is_matrix = |value: &Value| matches!(value, Value::Many(columns) if matches!(columns[0], Value::Many(_)));
    if op == Multiply && is_matrix(b) {
        let vector = a.floats();
        return Value::Many(b.many().iter().map(|column| Value::Float(dot(&vector, &column.floats()))).collect());
    }
    a.zip(b, &|a, b| match (op, a, b) {
        (Add, Value::Int(a), Value::Int(b)) => Value::Int(a.wrapping_add(*b)),
        (LogicalOr, Value::Bool(a), Value::Bool(b)) => Value::Bool(*a || *b),
        (LogicalAnd, Value::Bool(a), Value::Bool(b)) => Value::Bool(*a && *b),
        (_, Value::Float(a), Value::Float(b)) => match op {
            Add => Value::Float(a + b),
            Subtract => Value::Float(a - b),
            Multiply => Value::Float(a * b),
            Divide => Value::Float(a / b),
            Less => Value::Bool(a < b),
            LessEqual => Value::Bool(a <= b),
            Greater => Value::Bool(a > b),
            GreaterEqual => Value::Bool(a >= b),
            Equal => Value::Bool(a == b),
            NotEqual => Value::Bool(a != b),
            other => panic!("{other:?} of floats"),
        },
        other => panic!("{other:?}"),
    })
}

fn math(fun: MathFunction, a: &Value, b: Option<&Value>, c: Option<&Value>) -> Value {
    use MathFunction as F;
    let other = |value: Option<&Value>| value.cloned().unwrap_or_else(|| panic!("{fun:?} of too little"));
    let zip = |f: &dyn Fn(f32, f32) -> f32| a.floats_zip(&other(b), f);
    match fun {
        F::Abs => a.floats_map(&f32::abs),
        F::Sign => a.floats_map(&|a| {
            if a > 0.0 {
                1.0
            } else if a < 0.0 {
                -1.0
            } else {
                0.0
            }
        }),
        F::Floor => a.floats_map(&f32::floor),
        F::Fract => a.floats_map(&|a| a - a.floor()),
        F::Sin => a.floats_map(&f32::sin),
        F::Cos => a.floats_map(&f32::cos),
        F::Pow => zip(&f32::powf),
        F::Exp2 => a.floats_map(&f32::exp2),
        F::Log2 => a.floats_map(&f32::log2),
        F::Sqrt => a.floats_map(&f32::sqrt),
        F::InverseSqrt => a.floats_map(&|a| 1.0 / a.sqrt()),
        F::Min => zip(&f32::min),
        F::Max => zip(&f32::max),
        F::Saturate => a.floats_map(&|a| a.clamp(0.0, 1.0)),
        F::Clamp => match (a, &other(b), &other(c)) {
            (Value::Int(a), Value::Int(low), Value::Int(high)) => Value::Int((*a).clamp(*low, *high)),
            (a, low, high) => a.floats_zip(low, &f32::max).floats_zip(high, &f32::min),
        },
        F::Dot => Value::Float(dot(&a.floats(), &other(b).floats())),
        F::Cross => {
            let (a, b) = (a.floats(), other(b).floats());
            let term = |i: usize, j: usize| Value::Float(a[i] * b[j] - a[j] * b[i]);
            Value::Many(vec![term(1, 2), term(2, 0), term(0, 1)])
        }
        other => panic!("{other:?}"),
    }
}

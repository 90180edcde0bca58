//! The values of a running shader, and component-wise operations on them.

use naga::{Handle, Module, ScalarKind, TypeInner};

/// A value in a running shader. A vector, matrix, array or structure is a [`Value::Many`], and a matrix is a list of columns.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A 32-bit float.
    Float(f32),
    /// A 16-bit float, stored as a 32-bit float that 16 bits represent exactly.
    Half(f32),
    /// A signed 32-bit integer.
    Int(i32),
    /// An unsigned 32-bit integer.
    Uint(u32),
    /// A boolean.
    Bool(bool),
    /// The components of a vector, columns of a matrix, elements of an array or members of a structure.
    Many(Vec<Value>),
    /// A pointer, given by a variable and the indices that lead to a part of the variable.
    Pointer(Root, Vec<usize>),
}

/// The variable to which a pointer refers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Root {
    /// A local variable, given by its function's depth in the call stack and its index in the function.
    Local(usize, usize),
    /// A global variable of the module.
    Global(Handle<naga::GlobalVariable>),
}

impl Value {
    pub(super) fn half(number: f32) -> Value {
        Value::Half(to_half(number))
    }

    pub(super) fn many(&self) -> &[Value] {
        match self {
            Value::Many(values) => values,
            other => panic!("{other:?} has no components"),
        }
    }

    pub(super) fn float(&self) -> f32 {
        match self {
            Value::Float(value) | Value::Half(value) => *value,
            other => panic!("{other:?} is not a float"),
        }
    }

    pub(super) fn bool(&self) -> bool {
        match self {
            Value::Bool(value) => *value,
            other => panic!("{other:?} is not a bool"),
        }
    }

    /// Returns the value's components, which must all be floats.
    pub fn floats(&self) -> Vec<f32> {
        match self {
            Value::Many(values) => values.iter().map(Value::float).collect(),
            value => vec![value.float()],
        }
    }

    pub(super) fn index(&self) -> usize {
        match *self {
            Value::Int(value) => usize::try_from(value).expect("an index that is not negative"),
            Value::Uint(value) => value as usize,
            ref other => panic!("{other:?} is not an index"),
        }
    }

    pub(super) fn map(&self, f: &dyn Fn(&Value) -> Value) -> Value {
        match self {
            Value::Many(values) => Value::Many(values.iter().map(|value| value.map(f)).collect()),
            value => f(value),
        }
    }

    /// Combines two values component by component, repeating a scalar for each component.
    pub(super) fn zip(&self, other: &Value, f: &dyn Fn(&Value, &Value) -> Value) -> Value {
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

    /// Combines three values component by component, repeating a scalar third value for each component.
    pub(super) fn zip3(&self, b: &Value, c: &Value, f: &dyn Fn(&Value, &Value, &Value) -> Value) -> Value {
        match (self, b, c) {
            (Value::Many(a), Value::Many(b), Value::Many(c)) => {
                assert!(a.len() == b.len() && b.len() == c.len());
                let each = a.iter().zip(b).zip(c);
                Value::Many(each.map(|((a, b), c)| f(a, b, c)).collect())
            }
            (Value::Many(a), Value::Many(b), c) => Value::Many(a.iter().zip(b).map(|(a, b)| f(a, b, c)).collect()),
            (a, b, c) => f(a, b, c),
        }
    }

    /// Returns the number as a float that has the bit width of this value.
    pub(super) fn alike(&self, number: f32) -> Value {
        match self {
            Value::Half(_) => Value::half(number),
            _ => Value::Float(number),
        }
    }

    pub(super) fn floats_map(&self, f: &dyn Fn(f32) -> f32) -> Value {
        self.map(&|value| value.alike(f(value.float())))
    }

    pub(super) fn floats_zip(&self, other: &Value, f: &dyn Fn(f32, f32) -> f32) -> Value {
        self.zip(other, &|a, b| a.alike(f(a.float(), b.float())))
    }

    /// Returns the numbers as a vector of floats that have the bit width of this value's components.
    pub(super) fn vector_of(&self, numbers: impl IntoIterator<Item = f32>) -> Value {
        let first = match self {
            Value::Many(values) => &values[0],
            value => value,
        };
        Value::Many(numbers.into_iter().map(|number| first.alike(number)).collect())
    }

    /// Returns the number as a float that has the bit width of this value's components.
    pub(super) fn scalar_of(&self, number: f32) -> Value {
        match self {
            Value::Many(values) => values[0].alike(number),
            value => value.alike(number),
        }
    }
}

/// Rounds a number to the nearest 16-bit float, with ties to even.
pub fn to_half(number: f32) -> f32 {
    if !number.is_finite() || number == 0.0 {
        return number;
    }
    let exponent = i32::try_from(number.to_bits() >> 23 & 255).unwrap_or(0) - 127;
    let step = f64::from(exponent.max(-14) - 10).exp2();
    let rounded = (f64::from(number) / step).round_ties_even() * step;
    if rounded.abs() > 65504.0 { f32::INFINITY.copysign(number) } else { rounded as f32 }
}

/// Returns the zero value of a type.
pub fn zero(module: &Module, ty: Handle<naga::Type>) -> Value {
    let of = |scalar: naga::Scalar| match scalar {
        naga::Scalar { kind: ScalarKind::Float, width: 2 } => Value::Half(0.0),
        naga::Scalar { kind: ScalarKind::Float, .. } => Value::Float(0.0),
        naga::Scalar { kind: ScalarKind::Sint, .. } => Value::Int(0),
        naga::Scalar { kind: ScalarKind::Uint, .. } => Value::Uint(0),
        _ => Value::Bool(false),
    };
    match module.types[ty].inner {
        TypeInner::Scalar(scalar) => of(scalar),
        TypeInner::Vector { size, scalar } => Value::Many(vec![of(scalar); size as usize]),
        TypeInner::Matrix { columns, rows, scalar } => {
            Value::Many(vec![Value::Many(vec![of(scalar); rows as usize]); columns as usize])
        }
        TypeInner::Array { base, size: naga::ArraySize::Constant(size), .. } => {
            Value::Many(vec![zero(module, base); size.get() as usize])
        }
        TypeInner::Struct { ref members, .. } => {
            Value::Many(members.iter().map(|member| zero(module, member.ty)).collect())
        }
        ref other => panic!("a variable of type {other:?}"),
    }
}

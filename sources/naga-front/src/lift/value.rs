//! Values and their components.

use naga::{Handle, TypeInner};
use sdlbc::builder::Lane;
use sdlbc::module::swizvals;
use sdlbc::{Builder, Few, Id, Scalar, Type};

use super::types::{self, Parts};
use super::variables::Place;
use super::{Lifter, MOST_LEAVES};

#[derive(Clone, Debug)]
pub(super) enum Value {
    One(Id),
    /// The fields of a structure, or the elements of an array.
    Many(Vec<Value>),
    /// A pointer that is an argument of an inlined function.
    Place(Place),
    /// A texture or a sampler that is an argument of an inlined function.
    Resource(Handle<naga::GlobalVariable>),
}

impl Value {
    pub(super) fn one(&self) -> Id {
        match self {
            Value::One(id) => *id,
            Value::Many(_) | Value::Place(_) | Value::Resource(_) => Id::NONE,
        }
    }
}

/// The index of a field, an element or a component: a constant, or an int that the shader computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Known(u32),
    Computed(Id),
}

impl Lifter<'_, '_> {
    /// Returns the type of a value, or float if the value has no type.
    pub(super) fn ty(&self, id: Id) -> Type {
        self.builder.ty(id).unwrap_or(Type::FLOAT)
    }

    pub(super) fn width(&self, id: Id) -> u8 {
        self.ty(id).width().unwrap_or(1)
    }

    pub(super) fn scalar_of(&self, id: Id) -> Scalar {
        match self.ty(id) {
            Type::Vector(scalar, _) => scalar,
            _ => Scalar::Float,
        }
    }

    /// Returns an integer constant as a scalar of the given component type.
    pub(super) fn number(&mut self, scalar: Scalar, value: u16) -> Id {
        match scalar {
            Scalar::Bool => self.builder.bool(value != 0),
            Scalar::Int => self.builder.int(value.into()),
            Scalar::Uint => self.builder.uint(value.into()),
            Scalar::Float => self.builder.float(value.into()),
            Scalar::Half => {
                let float = self.builder.float(value.into());
                self.convert(float, Scalar::Half)
            }
        }
    }

    pub(super) fn convert(&mut self, value: Id, scalar: Scalar) -> Id {
        match self.ty(value) {
            Type::Vector(from, _) if from == scalar => value,
            _ => self.builder.convert(value, scalar),
        }
    }

    /// Reinterprets the bits of a value as another 32-bit component type.
    pub(super) fn bits_as(&mut self, value: Id, scalar: Scalar) -> Id {
        let value = self.bits.get(&value).copied().filter(|&of| self.scalar_of(of) == scalar).unwrap_or(value);
        match (self.scalar_of(value), scalar) {
            (from, to) if from == to => value,
            (Scalar::Int | Scalar::Uint, Scalar::Int | Scalar::Uint) => self.convert(value, scalar),
            _ => {
                let bits = self.builder.bitcast(value, scalar);
                self.bits.insert(bits, value);
                bits
            }
        }
    }

    pub(super) fn splat(&mut self, value: Id, width: u8) -> Id {
        match width {
            1 => value,
            _ => self.builder.swizzle(value, swizvals(&vec![0; usize::from(width)])),
        }
    }

    /// Returns the zero value of a type, or `Id::NONE` if values cannot have the type.
    pub(super) fn zero(&mut self, ty: Type) -> Id {
        match ty {
            Type::Vector(scalar, width) => {
                let zero = self.number(scalar, 0);
                self.splat(zero, width)
            }
            Type::Matrix { columns, rows } => {
                let zero = self.builder.float(0.0);
                let column = self.splat(zero, rows);
                self.matrix(&Few::from_elem(column, columns.into()))
            }
            Type::Texture(..) | Type::Array(..) | Type::Buffer(..) | Type::Image(..) => Id::NONE,
        }
    }

    /// Returns the zero value of a naga type. The value is empty if the type has more than [`MOST_LEAVES`] leaves.
    pub(super) fn zero_of(&mut self, ty: Handle<naga::Type>) -> Value {
        let inner = self.inner(ty);
        match types::parts(inner) {
            Some(_) if self.shared.leaves.get(ty.index()).is_none_or(|&leaves| leaves > MOST_LEAVES) => {
                Value::Many(Vec::new())
            }
            Some(Parts::Fields(fields)) => Value::Many(fields.iter().map(|&(ty, _)| self.zero_of(ty)).collect()),
            Some(Parts::Elements(base, length, _)) => Value::Many((0..length).map(|_| self.zero_of(base)).collect()),
            None => Value::One(self.zero(types::value(inner).unwrap_or(Type::FLOAT))),
        }
    }

    pub(super) fn lanes(&self, value: Id) -> impl Iterator<Item = Lane> + use<> {
        (0..self.width(value)).map(move |lane| Lane { value, lane })
    }

    pub(super) fn component(&mut self, vector: Id, component: u8) -> Id {
        let last = self.width(vector).saturating_sub(1);
        self.builder.swizzle(vector, swizvals(&[component.min(last)]))
    }

    /// Builds a matrix from columns. Returns the original matrix if the columns are exactly the columns of that matrix.
    pub(super) fn matrix(&mut self, columns: &[Id]) -> Id {
        let mut taken = (0..)
            .zip(columns)
            .map(|(at, column)| self.extracted.get(column).filter(|(_, from)| *from == at).map(|(matrix, _)| *matrix));
        if let Some(Some(whole)) = taken.next()
            && taken.all(|matrix| matrix == Some(whole))
            && matches!(self.ty(whole), Type::Matrix { columns: count, .. } if usize::from(count) == columns.len())
        {
            return whole;
        }
        let matrix = self.builder.matrix(columns);
        self.built.insert(matrix, columns.into());
        matrix
    }

    /// Returns the columns of a matrix. If the matrix was built from columns, returns those columns.
    pub(super) fn columns(&mut self, matrix: Id) -> Few<Id> {
        if let Some(columns) = self.built.get(&matrix) {
            return columns.clone();
        }
        let Type::Matrix { columns, .. } = self.ty(matrix) else { return Few::new() };
        let mut all = Few::<Id>::new();
        for at in 0..u32::from(columns) {
            let column = self.builder.peek(matrix, None, at);
            self.extracted.insert(column, (matrix, at));
            all.push(column);
        }
        all
    }

    /// Returns the part of a value that the steps lead to.
    pub(super) fn part_at(&mut self, value: Value, steps: &[Step]) -> Value {
        steps.iter().fold(value, |value, &step| self.part(&value, step))
    }

    /// Returns the part of a value that a single step leads to.
    pub(super) fn part(&mut self, value: &Value, step: Step) -> Value {
        match (value, step) {
            (Value::Many(parts), Step::Known(at)) => {
                let last = parts.len().saturating_sub(1);
                parts.get((at as usize).min(last)).cloned().unwrap_or(Value::Many(Vec::new()))
            }
            (Value::Many(parts), Step::Computed(index)) => self.element(parts, index),
            (&Value::One(id), step) => Value::One(self.part_of_one(id, step)),
            (other, _) => other.clone(),
        }
    }

    /// Returns a component of a vector, or a column of a matrix.
    pub(super) fn part_of_one(&mut self, id: Id, step: Step) -> Id {
        match (self.ty(id), step) {
            (Type::Matrix { columns, .. }, Step::Known(at)) => {
                let all = self.columns(id);
                all.get((at as usize).min(usize::from(columns) - 1)).copied().unwrap_or(id)
            }
            (Type::Matrix { .. }, Step::Computed(index)) => self.builder.peek(id, Some(index), 0),
            (_, Step::Known(at)) => self.component(id, u8::try_from(at).unwrap_or(u8::MAX)),
            (Type::Vector(_, width), Step::Computed(index)) => {
                let mut part = self.component(id, 0);
                for at in 1..width {
                    let (is_here, here) = (self.is(index, at), self.component(id, at));
                    part = self.builder.select(is_here, here, part);
                }
                part
            }
            _ => id,
        }
    }

    /// Returns a copy of a vector or matrix in which `part` replaces a component or column.
    pub(super) fn with_part(&mut self, id: Id, step: Step, part: Id) -> Id {
        let columns = if let Type::Matrix { .. } = self.ty(id) { self.columns(id) } else { Few::new() };
        let count = if columns.is_empty() { self.width(id) } else { u8::try_from(columns.len()).unwrap_or(4) };
        let mut parts = Few::<Id>::new();
        for at in 0..count {
            let old = match columns.get(usize::from(at)) {
                Some(&column) => column,
                None => self.component(id, at),
            };
            parts.push(match step {
                Step::Known(known) if known == u32::from(at) => part,
                Step::Known(_) => old,
                Step::Computed(index) => {
                    let is_here = self.is(index, at);
                    self.builder.select(is_here, part, old)
                }
            });
        }
        if columns.is_empty() { self.vector(&parts) } else { self.matrix(&parts) }
    }

    fn is(&mut self, index: Id, at: u8) -> Id {
        let at = self.builder.int(at.into());
        self.builder.equal(index, at)
    }

    /// Returns the array element at a computed index. The array's elements are SSA values, so they are first stored in slots.
    fn element(&mut self, parts: &[Value], index: Id) -> Value {
        let slots = self.store_in_slots(parts);
        self.load_from(&slots, &[Step::Computed(index)])
    }

    pub(super) fn vector(&mut self, parts: &[Id]) -> Id {
        let lanes: Few<Lane> = parts.iter().flat_map(|&part| self.lanes(part).collect::<Few<_>>()).collect();
        self.builder.gather(&lanes)
    }

    /// Runs `work` with the builder at the current end of the function's outermost block.
    pub(super) fn outermost<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let mut builder = std::mem::replace(&mut self.builder, Builder::new(self.kind, ""));
        let result = builder.outermost(|inner| {
            std::mem::swap(&mut self.builder, inner);
            let result = work(self);
            std::mem::swap(&mut self.builder, inner);
            result
        });
        self.builder = builder;
        result
    }

    /// Returns the value of an expression as an int or a vector of ints. The expression must be an integer or a vector of
    /// integers.
    pub(super) fn index(&mut self, handle: Handle<naga::Expression>) -> Id {
        let index = self.one(handle);
        self.convert(index, Scalar::Int)
    }
}

pub(super) fn is_pointer(inner: &TypeInner) -> bool {
    matches!(inner, TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. })
}

//! The state of a function that is being lifted from a language with variables, structures and jumps.
//!
//! A front end translates the types of a source language to [`Shape`]s and expressions to [`Value`]s, and reports the variables,
//! conditionals, loops and switches of the source to [`Lifting`]. This module contains the code that does not depend on the
//! language:
//!
//! | file | contents |
//! |---|---|
//! | `lifting.rs` | values, shapes, and the components of values |
//! | `variables.rs` | variables: registers of [`crate::ssa`], and local slots for arrays that are indexed by computed values |
//! | `flow.rs` | conditionals, loops, switches, and the slots that carry values out of a loop or switch |
//! | `atomics.rs` | atomic operations on memory |
//! | `bits.rs`, `math.rs` | functions that the format has no operation for, such as the number of set bits or the inverse of a matrix |
//!
//! These files import each other, because the methods of [`Lifting`] are spread over them: this file defines the fields, and each
//! other file contains the methods for one subject.

mod atomics;
mod bits;
mod flow;
mod math;
mod variables;

use std::collections::{BTreeMap, BTreeSet};

use crate::builder::Lane;
use crate::module::swizvals;
use crate::name::Name;
use crate::ssa::Registers;
use crate::{Builder, Few, Id, Op, Scalar, Type};

use flow::Context;
use variables::Variable;

pub use atomics::MemoryElement;
pub use bits::Packing;
pub use variables::Slots;

/// The maximum number of scalars, vectors and matrix columns in a value, or in a variable that is not stored in slots.
pub const MOST_LEAVES: u64 = 4096;

/// The shape of a value: its type, or the shapes of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A scalar, a vector or a matrix.
    One(Type),
    /// A structure: the names and shapes of its fields.
    Fields(Vec<(String, Shape)>),
    /// An array: the shape of an element, and the number of elements.
    Elements(Box<Shape>, u32),
}

impl Shape {
    /// Returns the number of scalars, vectors and matrix columns in a value of this shape. A structure without fields counts as one, so that
    /// the number also limits the lengths of arrays of such structures.
    pub fn leaves(&self) -> u64 {
        match self {
            Shape::One(Type::Matrix { columns, .. }) => u64::from(*columns),
            Shape::One(_) => 1,
            Shape::Fields(fields) => fields.iter().map(|(_, field)| field.leaves()).fold(0, u64::saturating_add).max(1),
            Shape::Elements(element, length) => element.leaves().saturating_mul(u64::from(*length)),
        }
    }
}

/// The value of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A scalar, a vector or a matrix.
    One(Id),
    /// The fields of a structure, or the elements of an array.
    Many(Vec<Value>),
    /// A value that is not stored in a module, such as a pointer or a texture: an index into a table of the front end.
    Reference(usize),
}

impl Value {
    /// Returns the id of a scalar, vector or matrix, and [`Id::NONE`] for any other value.
    pub fn one(&self) -> Id {
        match self {
            Value::One(id) => *id,
            Value::Many(_) | Value::Reference(_) => Id::NONE,
        }
    }
}

/// The index of a field, an element, a column or a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A constant index.
    Known(u32),
    /// An index that the code computes.
    Computed(Id),
}

impl Default for Step {
    fn default() -> Step {
        Step::Known(0)
    }
}

/// The source variable whose value is in a register.
#[derive(Clone, Debug)]
struct Described {
    /// The variable's name in the source, if the variable has a name.
    name: Option<Name>,
    /// The name of a slot for the variable's value.
    text: String,
    scalar: Scalar,
    /// The variable's number of components.
    width: u8,
}

/// A function that is being lifted.
#[derive(Debug)]
pub struct Lifting {
    /// The builder of the function.
    pub builder: Builder,
    /// The registers of the function's variables.
    pub registers: Registers,
    described: Vec<Described>,
    variables: Vec<Variable>,
    contexts: Vec<Context>,
    /// The names that a new input must not have.
    names: BTreeSet<String>,
    /// The columns of each matrix that was built from columns.
    built: BTreeMap<Id, Few<Id>>,
    /// For each column that was extracted from a matrix, the matrix and the index of the column.
    extracted: BTreeMap<Id, (Id, u32)>,
    /// For each scalar that was extracted from a vector, its component.
    lanes: BTreeMap<Id, Lane>,
    /// The operand of each BITCAST, keyed by the result.
    bits: BTreeMap<Id, Id>,
    /// Whether a stored value had the wrong shape for its destination, which is a fault of the front end.
    is_mismatched: bool,
    /// The number of RETURNs and DISCARDs emitted so far.
    jumps: usize,
}

impl Lifting {
    /// Starts lifting a function. The inputs of the function must not have any of the names in `names`.
    pub fn new(builder: Builder, names: BTreeSet<String>) -> Lifting {
        Lifting {
            builder,
            registers: Registers::new(0),
            described: Vec::new(),
            variables: Vec::new(),
            contexts: Vec::new(),
            names,
            built: BTreeMap::new(),
            extracted: BTreeMap::new(),
            lanes: BTreeMap::new(),
            bits: BTreeMap::new(),
            is_mismatched: false,
            jumps: 0,
        }
    }

    /// Records that a stored value does not have the shape of its destination.
    pub fn mismatch(&mut self) {
        self.is_mismatched = true;
    }

    /// Reports whether a stored value had the wrong shape for its destination.
    pub fn is_mismatched(&self) -> bool {
        self.is_mismatched
    }

    /// Returns a name, derived from `name`, that no other input of the function has.
    pub fn input_name(&mut self, name: &str) -> String {
        let mut unique = name.to_string();
        let mut number = 1;
        while unique.is_empty() || !self.names.insert(unique.clone()) {
            number += 1;
            unique = format!("{name}_{number}");
        }
        unique
    }

    /// Returns the type of a value, or float for an id without a type.
    pub fn ty(&self, id: Id) -> Type {
        self.builder.ty(id).unwrap_or(Type::FLOAT)
    }

    /// Returns the number of components of a scalar or vector.
    pub fn width(&self, id: Id) -> u8 {
        self.ty(id).width().unwrap_or(1)
    }

    /// Returns the component type of a scalar or vector, and float for any other type.
    pub fn scalar_of(&self, id: Id) -> Scalar {
        match self.ty(id) {
            Type::Vector(scalar, _) => scalar,
            _ => Scalar::Float,
        }
    }

    /// Emits an operation without immediates.
    pub fn emit(&mut self, op: Op, operands: &[Id]) -> Id {
        self.builder.emit(op, operands, &[])
    }

    /// Returns a constant of a component type.
    pub fn number(&mut self, scalar: Scalar, value: u16) -> Id {
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

    /// Converts a scalar or vector to another component type.
    pub fn convert(&mut self, value: Id, scalar: Scalar) -> Id {
        match self.ty(value) {
            Type::Vector(from, _) if from == scalar => value,
            _ => self.builder.convert(value, scalar),
        }
    }

    /// Extends a colour to four components, and converts halves to floats. Components that the source leaves undefined become 0,
    /// except alpha, which becomes 1.
    pub fn colour(&mut self, colour: Id) -> Id {
        let width = self.width(colour);
        let colour = if self.scalar_of(colour) == Scalar::Half { self.convert(colour, Scalar::Float) } else { colour };
        let scalar = self.scalar_of(colour);
        let mut parts: Few<Id> = Few::from_slice(&[colour]);
        for component in width..4 {
            parts.push(self.number(scalar, u16::from(component == 3)));
        }
        self.vector(&parts)
    }

    /// Reinterprets the bits of a value as another 32-bit component type.
    pub fn bits_as(&mut self, value: Id, scalar: Scalar) -> Id {
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

    /// Returns a vector whose components are all equal to a scalar.
    pub fn splat(&mut self, value: Id, width: u8) -> Id {
        match width {
            1 => value,
            _ => self.builder.swizzle(value, swizvals(&vec![0; usize::from(width)])),
        }
    }

    /// Returns the zero value of a scalar, vector or matrix type.
    pub fn zero(&mut self, ty: Type) -> Id {
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

    /// Returns the zero value of a shape, or an empty value if the shape has more than [`MOST_LEAVES`] leaves.
    pub fn zero_of(&mut self, shape: &Shape) -> Value {
        match shape {
            Shape::One(ty) => Value::One(self.zero(*ty)),
            _ if shape.leaves() > MOST_LEAVES => Value::Many(Vec::new()),
            Shape::Fields(fields) => Value::Many(fields.iter().map(|(_, field)| self.zero_of(field)).collect()),
            Shape::Elements(element, length) => Value::Many((0..*length).map(|_| self.zero_of(element)).collect()),
        }
    }

    /// Returns a component of a vector.
    pub fn component(&mut self, vector: Id, component: u8) -> Id {
        let last = self.width(vector).saturating_sub(1);
        let lane = component.min(last);
        let scalar = self.builder.swizzle(vector, swizvals(&[lane]));
        if scalar != vector {
            self.lanes.insert(scalar, Lane { value: vector, lane });
        }
        scalar
    }

    /// Returns a vector that consists of the components of the given scalars and vectors, in order. Adjacent scalars that were
    /// extracted from one vector become one swizzle of that vector.
    pub fn vector(&mut self, parts: &[Id]) -> Id {
        let lanes = |&value: &Id| match self.lanes.get(&value) {
            Some(&lane) => Few::from_slice(&[lane]),
            None => (0..self.width(value)).map(move |lane| Lane { value, lane }).collect::<Few<_>>(),
        };
        let lanes: Few<Lane> = parts.iter().flat_map(lanes).collect();
        self.builder.gather(&lanes)
    }

    /// Returns the matrix with the given columns. If the columns were extracted from an existing matrix, the result is
    /// that matrix.
    pub fn matrix(&mut self, columns: &[Id]) -> Id {
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

    /// Returns the columns of a matrix. If the matrix was built from columns, the existing columns are returned.
    pub fn columns(&mut self, matrix: Id) -> Few<Id> {
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

    /// Applies an operation column by column. An operand that is not a matrix is used unchanged for each column.
    pub fn by_columns(&mut self, op: Op, operands: &[Id]) -> Id {
        let columns: Vec<Few<Id>> = operands.iter().map(|&operand| self.columns(operand)).collect();
        let count = columns.iter().map(Few::len).max().unwrap_or(0);
        let mut results = Few::<Id>::new();
        for at in 0..count {
            let own = columns.iter().zip(operands).map(|(columns, operand)| *columns.get(at).unwrap_or(operand));
            let own: Few<Id> = own.collect();
            results.push(self.emit(op, &own));
        }
        self.matrix(&results)
    }

    /// Returns the part of a value that `steps` selects.
    pub fn part_at(&mut self, value: Value, steps: &[Step]) -> Value {
        steps.iter().fold(value, |value, &step| self.part(&value, step))
    }

    /// Returns the part of a value that `step` selects.
    pub fn part(&mut self, value: &Value, step: Step) -> Value {
        match (value, step) {
            (Value::Many(parts), Step::Known(at)) => {
                let last = parts.len().saturating_sub(1);
                parts.get((at as usize).min(last)).cloned().unwrap_or(Value::Many(Vec::new()))
            }
            (Value::Many(parts), Step::Computed(index)) => {
                let slots = self.store_in_slots(parts);
                self.load_slots(&slots, &[Step::Computed(index)])
            }
            (&Value::One(id), step) => Value::One(self.part_of_one(id, step)),
            (other, _) => other.clone(),
        }
    }

    /// Returns a component of a vector, or a column of a matrix.
    pub fn part_of_one(&mut self, id: Id, step: Step) -> Id {
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

    /// Returns a copy of a value in which `part` replaces the part that `steps` selects.
    pub fn with_part_at(&mut self, value: &Value, steps: &[Step], part: &Value) -> Value {
        match (value, steps) {
            (_, []) => part.clone(),
            (&Value::One(id), &[step, ref inside @ ..]) => Value::One(self.with_inner(id, step, inside, part.one())),
            (Value::Many(parts), [Step::Known(at), inside @ ..]) => {
                let mut parts = parts.clone();
                if let Some(place) = parts.get_mut(*at as usize) {
                    *place = self.with_part_at(&place.clone(), inside, part);
                }
                Value::Many(parts)
            }
            _ => {
                self.is_mismatched = true;
                value.clone()
            }
        }
    }

    /// Returns a copy of a vector or matrix in which `part` replaces a component or column.
    fn with_part(&mut self, id: Id, step: Step, part: Id) -> Id {
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

    /// Returns a copy of a vector or matrix in which `id` replaces a component, a column, or a component of a column.
    pub fn with_inner(&mut self, whole: Id, step: Step, inside: &[Step], id: Id) -> Id {
        let part = match *inside {
            [] => id,
            [inner, ..] => {
                let column = self.part_of_one(whole, step);
                self.with_part(column, inner, id)
            }
        };
        self.with_part(whole, step, part)
    }

    /// Returns whether an index equals a constant.
    fn is(&mut self, index: Id, at: u8) -> Id {
        let at = self.number(self.scalar_of(index), at.into());
        self.builder.equal(index, at)
    }

    /// Returns an index multiplied by a constant.
    pub fn scaled(&mut self, index: Option<Id>, by: u32) -> Option<Id> {
        let index = index?;
        if by == 1 {
            return Some(index);
        }
        let by = self.builder.int(by.cast_signed());
        Some(self.builder.multiply(index, by))
    }

    /// Runs `work` with the builder at the current end of the function's outermost block.
    pub fn outermost<R>(&mut self, work: impl FnOnce(&mut Lifting) -> R) -> R {
        let inner = self.builder.begin_outermost();
        let result = work(self);
        self.builder.end_outermost(inner);
        result
    }
}

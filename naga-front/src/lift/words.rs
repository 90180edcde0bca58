//! Storage buffers, whose contents are a type in its memory layout: a structure, an array whose length the application
//! chooses, or both.
//!
//! In the format, the elements of a buffer are of one type. It is the widest type of which all scalars and vectors in
//! the buffer consist: an `array<vec4<f32>>` is a `float4[]`, an `array<vec3<f32>>` or a structure of floats a
//! `float[]`, and a structure that mixes floats and ints a `uint[]`, from whose bits they are taken. So a write to one
//! field does not touch the others, and the bytes are those of the source's layout.

use naga::{Handle, TypeInner};
use sdlbc::{Few, Id, Scalar, Type};

use super::Lifter;
use super::types::{self, Element, Parts};
use super::value::{Step, Value};

/// A storage buffer, and the type of its contents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    pub(super) buffer: Id,
    pub(super) element: Element,
    pub(super) ty: Handle<naga::Type>,
}

/// An element of a buffer: a computed index, and bytes that are added to it.
#[derive(Clone, Copy)]
struct Address {
    index: Option<Id>,
    bytes: u32,
}

/// The contents at an address.
#[derive(Clone, Copy)]
enum Held {
    /// A value of a type of the source.
    Of(Handle<naga::Type>),
    /// A column of a matrix, or a component of a vector.
    Part(Type),
}

impl Address {
    const fn after(self, bytes: u32) -> Address {
        Address { bytes: self.bytes.wrapping_add(bytes), ..self }
    }
}

impl Lifter<'_, '_> {
    /// Reads a part of a storage buffer.
    pub(super) fn load_words(&mut self, words: Words, steps: &[Step]) -> Value {
        let (address, held, steps) = self.walk_words(words, steps);
        let value = match held {
            Held::Of(ty) => self.read_words(words, ty, address),
            Held::Part(ty) => Value::One(self.read_value(words, ty, address)),
        };
        steps.iter().fold(value, |value, &step| self.part(&value, step))
    }

    /// Writes a part of a storage buffer.
    pub(super) fn store_words(&mut self, words: Words, steps: &[Step], value: &Value) {
        let (address, held, steps) = self.walk_words(words, steps);
        match (held, steps, value) {
            (Held::Of(ty), [], _) => self.write_words(words, ty, address, value),
            (Held::Part(ty), [], &Value::One(id)) => self.write_value(words, ty, address, id),
            // A component of an element that is a vector.
            (_, &[step], &Value::One(id)) => {
                let element = Type::Vector(words.element.scalar, words.element.width);
                let whole = self.read_value(words, element, address);
                let id = self.bits_as(id, words.element.scalar);
                let whole = self.with_part(whole, step, id);
                self.write_value(words, element, address, whole);
            }
            _ => self.misfit(),
        }
    }

    /// The number of elements of the array that ends a storage buffer, as a uint.
    pub(super) fn length_of(&mut self, words: Words, fields: &[u32]) -> Option<Id> {
        let (mut ty, mut before) = (words.ty, 0u32);
        for &field in fields {
            let Some(Parts::Fields(all)) = types::parts(self.inner(ty)) else { return None };
            let &(of, offset) = all.get(usize::try_from(field).unwrap_or(usize::MAX))?;
            (ty, before) = (of, before.wrapping_add(offset));
        }
        let &TypeInner::Array { stride, .. } = self.inner(ty) else { return None };
        let mut count = self.builder.buffer_size(words.buffer);
        let size = words.element.size();
        if before != 0 {
            let before = self.int((before / size).cast_signed());
            count = self.builder.subtract(count, before);
        }
        if stride > size {
            let each = self.int((stride / size).cast_signed());
            count = self.builder.divide(count, each);
        }
        Some(self.convert(count, Scalar::Uint))
    }

    /// The address that steps lead to, its contents, and the steps that are left: one to a component of an element, or
    /// none.
    fn walk_words<'s>(&mut self, words: Words, mut steps: &'s [Step]) -> (Address, Held, &'s [Step]) {
        let mut at = Address { index: None, bytes: 0 };
        let mut held = Held::Of(words.ty);
        while let [step, rest @ ..] = steps {
            let inner = match held {
                Held::Of(ty) => Some(self.inner(ty)),
                Held::Part(_) => None,
            };
            let value = match held {
                Held::Of(_) => inner.and_then(types::value),
                Held::Part(ty) => Some(ty),
            };
            let stride = match (inner, value) {
                (Some(TypeInner::Struct { members, .. }), _) => {
                    let Step::Known(field) = *step else { break };
                    let Some(member) = members.get(usize::try_from(field).unwrap_or(usize::MAX)) else { break };
                    (at, held, steps) = (at.after(member.offset), Held::Of(member.ty), rest);
                    continue;
                }
                (Some(&TypeInner::Array { base, stride, .. }), _) => {
                    held = Held::Of(base);
                    stride
                }
                (_, Some(Type::Matrix { rows, .. })) => {
                    held = Held::Part(Type::floats(rows));
                    types::column_stride(rows)
                }
                (_, Some(Type::Vector(scalar, _))) if words.element.width == 1 => {
                    held = Held::Part(Type::Vector(scalar, 1));
                    4
                }
                _ => break,
            };
            match *step {
                Step::Known(number) => at = at.after(number.wrapping_mul(stride)),
                Step::Computed(number) => {
                    let number = self.scaled(Some(number), stride / words.element.size());
                    at.index = match (at.index, number) {
                        (Some(a), Some(b)) => Some(self.builder.add(a, b)),
                        (a, b) => a.or(b),
                    };
                }
            }
            steps = rest;
        }
        (at, held, steps)
    }

    fn read_words(&mut self, words: Words, ty: Handle<naga::Type>, at: Address) -> Value {
        let inner = self.inner(ty);
        match (types::value(inner), types::parts(inner)) {
            (Some(ty), _) => Value::One(self.read_value(words, ty, at)),
            (None, Some(Parts::Fields(fields))) => Value::Many(
                fields.into_iter().map(|(ty, offset)| self.read_words(words, ty, at.after(offset))).collect(),
            ),
            (None, Some(Parts::Elements(base, length, stride))) => {
                let element = |n: u32| self.read_words(words, base, at.after(n.wrapping_mul(stride)));
                Value::Many((0..length).map(element).collect())
            }
            (None, None) => Value::Many(Vec::new()),
        }
    }

    fn write_words(&mut self, words: Words, ty: Handle<naga::Type>, at: Address, value: &Value) {
        let inner = self.inner(ty);
        match (types::value(inner), types::parts(inner), value) {
            (Some(ty), _, &Value::One(id)) => self.write_value(words, ty, at, id),
            (None, Some(Parts::Fields(fields)), Value::Many(values)) if fields.len() == values.len() => {
                for ((ty, offset), value) in fields.into_iter().zip(values) {
                    self.write_words(words, ty, at.after(offset), value);
                }
            }
            (None, Some(Parts::Elements(base, length, stride)), Value::Many(values))
                if usize::try_from(length) == Ok(values.len()) =>
            {
                for (n, value) in (0u32..).zip(values) {
                    self.write_words(words, base, at.after(n.wrapping_mul(stride)), value);
                }
            }
            _ => self.misfit(),
        }
    }

    /// Reads a scalar, a vector or a matrix.
    fn read_value(&mut self, words: Words, ty: Type, at: Address) -> Id {
        match ty {
            Type::Matrix { columns, rows } => {
                let places = (0..u32::from(columns)).map(|column| column.wrapping_mul(types::column_stride(rows)));
                let columns: Few<Id> =
                    places.map(|place| self.read_value(words, Type::floats(rows), at.after(place))).collect();
                self.matrix(&columns)
            }
            Type::Vector(scalar, width) => {
                let elements: Few<Id> = (0..u32::from(width / words.element.width))
                    .map(|element| {
                        let offset = at.bytes / words.element.size() + element;
                        self.builder.peek(words.buffer, at.index, offset)
                    })
                    .collect();
                let value = self.vector(&elements);
                self.bits_as(value, scalar)
            }
            _ => self.zero(ty),
        }
    }

    fn write_value(&mut self, words: Words, ty: Type, at: Address, value: Id) {
        match ty {
            Type::Matrix { rows, .. } => {
                for (column, part) in (0u32..).zip(self.columns(value)) {
                    let place = at.after(column.wrapping_mul(types::column_stride(rows)));
                    self.write_value(words, Type::floats(rows), place, part);
                }
            }
            _ => {
                let value = self.bits_as(value, words.element.scalar);
                let width = words.element.width;
                for element in 0..self.width(value) / width {
                    let part = if width == 1 { self.component(value, element) } else { value };
                    let offset = at.bytes / words.element.size() + u32::from(element);
                    self.builder.poke_element(part, words.buffer, at.index, offset);
                }
            }
        }
    }
}

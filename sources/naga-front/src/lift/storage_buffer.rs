//! Storage buffers: their layout, reads and writes. The contents of a buffer are a structure, an array whose length the
//! application chooses, or a structure that ends in such an array.
//!
//! In SDLSHADERBC, all elements of a buffer have one type, from which all scalars and vectors in the buffer can be built. An
//! `array<vec4<f32>>` becomes a `float4[]`, and an `array<vec3<f32>>` or a structure of floats becomes a `float[]`. A structure
//! that mixes floats and ints becomes a `uint[]`, and reads and writes reinterpret the bits. Every field keeps the offset that
//! the source gives it, and a write to one field leaves the other fields unchanged.

use naga::{Handle, TypeInner};
use sdlbc::lifting::{MemoryElement, Step, Value};
use sdlbc::{Few, Id, Scalar, Type};

use super::Lifter;
use super::types::{self, Address, Element, Parts};

/// A storage buffer, and the type of its contents.
#[derive(Clone, Copy, Debug)]
pub(super) struct StorageBuffer {
    pub(super) id: Id,
    pub(super) element: Element,
    pub(super) ty: Handle<naga::Type>,
}

/// The type of the contents at an address.
#[derive(Clone, Copy)]
enum Contents {
    /// A complete value of a type in the source.
    Whole(Handle<naga::Type>),
    /// A column of a matrix or a component of a vector: its scalar type and its width.
    Part(Scalar, u8),
}

impl Lifter<'_, '_> {
    pub(super) fn load_buffer(&mut self, buffer: StorageBuffer, steps: &[Step]) -> Value {
        let (address, contents, steps) = self.walk_buffer(buffer, steps);
        let read = |lifter: &mut Self, scalar, width, at| lifter.read_vector(buffer, scalar, width, at);
        let value = match contents {
            Contents::Whole(ty) => self.read_type(ty, address, &read),
            Contents::Part(scalar, width) => Value::One(read(self, scalar, width, address)),
        };
        self.lifting.part_at(value, steps)
    }

    pub(super) fn store_buffer(&mut self, buffer: StorageBuffer, steps: &[Step], value: &Value) {
        let (address, contents, steps) = self.walk_buffer(buffer, steps);
        match (contents, steps, value) {
            (Contents::Whole(ty), [], _) => self.write_type(buffer, ty, address, value),
            (Contents::Part(..), [], &Value::One(id)) => self.write_vector(buffer, address, id),
            // The step leads to one component of a vector element, so the element is read, changed and written.
            (_, &[step], &Value::One(id)) => {
                let Element { scalar, width, .. } = buffer.element;
                let whole = self.read_vector(buffer, scalar, width, address);
                let id = self.lifting.bits_as(id, scalar);
                let whole = self.lifting.with_inner(whole, step, &[], id);
                self.write_vector(buffer, address, whole);
            }
            _ => self.lifting.mismatch(),
        }
    }

    /// Returns the scalar that the steps lead to, or `None` if they lead to no single element of the buffer.
    pub(super) fn element_of(&mut self, buffer: StorageBuffer, steps: &[Step]) -> Option<MemoryElement> {
        let (address, _, rest) = self.walk_buffer(buffer, steps);
        let is_element = rest.is_empty() && buffer.element.width == 1;
        let offset = address.bytes / buffer.element.size();
        is_element.then_some(MemoryElement { memory: buffer.id, index: address.index, offset })
    }

    /// Returns the length, as a uint, of the array at the end of a storage buffer. `fields` contains the indices of the nested
    /// fields that lead to the array.
    pub(super) fn length_of(&mut self, buffer: StorageBuffer, fields: &[u32]) -> Option<Id> {
        let (mut ty, mut before) = (buffer.ty, 0u32);
        for &field in fields {
            let Some(Parts::Fields(all)) = types::parts(self.inner(ty)) else { return None };
            let &(of, offset) = all.get(field as usize)?;
            (ty, before) = (of, before.wrapping_add(offset));
        }
        let &TypeInner::Array { stride, .. } = self.inner(ty) else { return None };
        let mut count = self.lifting.builder.buffer_size(buffer.id);
        let size = buffer.element.size();
        if before != 0 {
            let before = self.lifting.builder.int((before / size).cast_signed());
            count = self.lifting.builder.subtract(count, before);
        }
        if stride > size {
            let each = self.lifting.builder.int((stride / size).cast_signed());
            count = self.lifting.builder.divide(count, each);
        }
        Some(self.lifting.convert(count, Scalar::Uint))
    }

    /// Returns the address that the steps lead to, the contents at the address, and any remaining step. The remaining step
    /// selects a component of an element.
    fn walk_buffer<'s>(&mut self, buffer: StorageBuffer, mut steps: &'s [Step]) -> (Address, Contents, &'s [Step]) {
        let mut at = Address::default();
        let mut contents = Contents::Whole(buffer.ty);
        while let [step, rest @ ..] = steps {
            let (inner, value) = match contents {
                Contents::Whole(ty) => (Some(self.inner(ty)), types::value(self.inner(ty))),
                Contents::Part(scalar, width) => (None, Some(Type::Vector(scalar, width))),
            };
            let stride = match (inner, value) {
                (Some(TypeInner::Struct { members, .. }), _) => {
                    let Step::Known(field) = *step else { break };
                    let Some(member) = members.get(field as usize) else { break };
                    (at, contents, steps) = (at.after(member.offset), Contents::Whole(member.ty), rest);
                    continue;
                }
                (Some(&TypeInner::Array { base, stride, .. }), _) => {
                    contents = Contents::Whole(base);
                    stride
                }
                (_, Some(Type::Matrix { rows, .. })) => {
                    contents = Contents::Part(Scalar::Float, rows);
                    types::column_stride(rows)
                }
                (_, Some(Type::Vector(scalar, _))) if buffer.element.width == 1 => {
                    contents = Contents::Part(scalar, 1);
                    4
                }
                _ => break,
            };
            at = self.element_address(at, *step, stride, buffer.element.size());
            steps = rest;
        }
        (at, contents, steps)
    }

    fn write_type(&mut self, buffer: StorageBuffer, ty: Handle<naga::Type>, at: Address, value: &Value) {
        let inner = self.inner(ty);
        match (types::value(inner), types::parts(inner), value) {
            (Some(Type::Matrix { rows, .. }), _, &Value::One(id)) => {
                for (number, column) in (0u32..).zip(self.lifting.columns(id)) {
                    self.write_vector(buffer, at.after(number.wrapping_mul(types::column_stride(rows))), column);
                }
            }
            (Some(_), _, &Value::One(id)) => self.write_vector(buffer, at, id),
            (None, Some(Parts::Fields(fields)), Value::Many(values)) if fields.len() == values.len() => {
                for ((ty, offset), value) in fields.into_iter().zip(values) {
                    self.write_type(buffer, ty, at.after(offset), value);
                }
            }
            (None, Some(Parts::Elements(base, length, stride)), Value::Many(values))
                if length as usize == values.len() =>
            {
                for (number, value) in (0u32..).zip(values) {
                    self.write_type(buffer, base, at.after(number.wrapping_mul(stride)), value);
                }
            }
            _ => self.lifting.mismatch(),
        }
    }

    fn read_vector(&mut self, buffer: StorageBuffer, scalar: Scalar, width: u8, at: Address) -> Id {
        let first = at.bytes / buffer.element.size();
        let elements: Few<Id> = (first..)
            .take(usize::from(width / buffer.element.width))
            .map(|element| self.lifting.builder.peek(buffer.id, at.index, element))
            .collect();
        let value = self.lifting.vector(&elements);
        self.lifting.bits_as(value, scalar)
    }

    fn write_vector(&mut self, buffer: StorageBuffer, at: Address, value: Id) {
        let value = self.lifting.bits_as(value, buffer.element.scalar);
        let width = buffer.element.width;
        for element in 0..self.lifting.width(value) / width {
            let part = if width == 1 { self.lifting.component(value, element) } else { value };
            let offset = at.bytes / buffer.element.size() + u32::from(element);
            self.lifting.builder.poke_element(part, buffer.id, at.index, offset);
        }
    }
}

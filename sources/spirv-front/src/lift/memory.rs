//! Reads and writes of values in memory with a layout: uniform blocks, push constants and storage buffers.

use sdlbc::lifting::{MemoryElement, Step, Value};
use sdlbc::{Few, Id, InputKind, Op, Scalar, Type};

use super::Lifter;
use super::layout::{Buffer, MatrixLayout, Uniform};
use super::pointer::Resource;
use crate::module::Ty;

/// The contents of memory at an address: a type, with the layout of its matrices, or a vector whose components are `stride` bytes apart.
#[derive(Clone, Copy, Debug)]
enum Contents {
    Whole(u32, MatrixLayout),
    Vector { scalar: Scalar, width: u8, stride: u32 },
}

/// An address: an index that the code computes, and a constant offset.
#[derive(Clone, Copy, Debug, Default)]
struct Address {
    index: Option<Id>,
    /// Whether the index counts words instead of elements of the memory.
    in_words: bool,
    /// The offset in bytes.
    bytes: u32,
}

impl Address {
    fn after(self, bytes: u32) -> Address {
        Address { bytes: self.bytes.wrapping_add(bytes), ..self }
    }
}

/// Memory: an input, and the type of its elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    pub(super) id: Id,
    pub(super) scalar: Scalar,
    pub(super) width: u8,
}

impl Lifter<'_, '_> {
    /// Reads a part of a uniform block.
    pub(super) fn load_uniform(&mut self, variable: u32, steps: &[Step]) -> Value {
        match self.shared.uniform(variable) {
            Some(uniform) => self.load_from_uniform(Resource::whole(variable), &uniform, steps),
            None => Value::One(self.lifting.zero(Type::FLOAT)),
        }
    }

    /// Returns the input of a uniform or storage resource, and states its place in the source.
    pub(super) fn resource_input(&mut self, resource: Resource, name: &str, ty: Type, kind: InputKind) -> Id {
        let input = self.lifting.builder.input(name, ty, kind);
        if let Some(binding) = self.shared.source_binding(resource) {
            self.lifting.builder.bind(input, binding);
        }
        input
    }

    /// Reads a part of a uniform block, or of a part of one.
    pub(super) fn load_from_uniform(&mut self, block: Resource, uniform: &Uniform, steps: &[Step]) -> Value {
        match (uniform, steps) {
            (Uniform::Fields(fields), [Step::Known(at), inside @ ..]) => match fields.get(*at as usize) {
                Some(field) => self.load_from_uniform(block, field, inside),
                None => Value::Many(Vec::new()),
            },
            (Uniform::Fields(fields), _) => {
                Value::Many(fields.iter().map(|field| self.load_from_uniform(block, field, &[])).collect())
            }
            (&Uniform::One { ref name, ty: ty @ Type::Array(_, _, length), kind }, steps) => {
                let array = self.resource_input(block, name, ty, kind);
                match *steps {
                    [] => {
                        let element = |at| Value::One(self.lifting.builder.peek(array, None, at));
                        Value::Many((0..length.min(4096)).map(element).collect())
                    }
                    [step, ref inside @ ..] => {
                        let (index, offset) = match step {
                            Step::Known(at) => (None, at),
                            Step::Computed(index) => (Some(index), 0),
                        };
                        let element = self.lifting.builder.peek(array, index, offset);
                        self.lifting.part_at(Value::One(element), inside)
                    }
                }
            }
            (Uniform::One { name, ty, kind }, steps) => {
                let value = self.resource_input(block, name, *ty, *kind);
                self.lifting.part_at(Value::One(value), steps)
            }
            (Uniform::Registers { name, scalar, length, ty, layout, members }, steps) => {
                let array = self.resource_input(block, name, Type::Array(*scalar, 4, *length), InputKind::Uniform);
                if self.with_members.insert(array) {
                    for member in members {
                        self.lifting.builder.member(array, member.clone());
                    }
                }
                let memory = Memory { id: array, scalar: *scalar, width: 4 };
                self.read(memory, *ty, *layout, steps)
            }
        }
    }

    /// Returns the memory of a storage buffer, and the type of its contents.
    fn buffer_memory(&mut self, variable: u32) -> Option<(Memory, u32)> {
        let buffer = self.shared.buffer(variable)?;
        Some((self.memory_of(Resource::whole(variable), &buffer), buffer.ty()))
    }

    /// Returns the memory of a storage buffer.
    pub(super) fn memory_of(&mut self, block: Resource, buffer: &Buffer) -> Memory {
        let &Buffer { ref name, kind, scalar, width, .. } = buffer;
        let id = self.resource_input(block, name, Type::Buffer(scalar, width), kind);
        Memory { id, scalar, width }
    }

    /// Reads a part of a storage buffer.
    pub(super) fn load_buffer(&mut self, variable: u32, steps: &[Step]) -> Value {
        match self.buffer_memory(variable) {
            Some((memory, ty)) => self.read(memory, ty, MatrixLayout::default(), steps),
            None => Value::One(self.lifting.zero(Type::FLOAT)),
        }
    }

    /// Writes a part of a storage buffer.
    pub(super) fn store_buffer(&mut self, variable: u32, steps: &[Step], value: &Value) {
        self.shared.written.insert(variable);
        let Some((memory, ty)) = self.buffer_memory(variable) else { return };
        self.write(memory, ty, steps, value);
    }

    /// Writes a value to the part of memory to which steps lead.
    pub(super) fn write(&mut self, memory: Memory, ty: u32, steps: &[Step], value: &Value) {
        let (address, contents, rest) = self.walk(memory, ty, MatrixLayout::default(), steps);
        match (rest, contents) {
            ([], contents) => self.write_at(memory, contents, address, value),
            // A component, at a computed index, of an element that is a vector.
            (&[step, ..], Contents::Vector { scalar, width, stride }) => {
                let whole = self.read_vector(memory, scalar, width, stride, address);
                let whole = self.lifting.with_inner(whole, step, &[], value.one());
                self.write_vector(memory, stride, address, whole);
            }
            _ => self.mismatch(),
        }
    }

    /// Returns the scalar of a storage buffer that steps lead to, or `None` if they lead to no single element.
    pub(super) fn buffer_element(&mut self, variable: u32, steps: &[Step]) -> Option<MemoryElement> {
        self.shared.written.insert(variable);
        let (memory, ty) = self.buffer_memory(variable)?;
        let (address, contents, rest) = self.walk(memory, ty, MatrixLayout::default(), steps);
        let is_scalar = matches!(contents, Contents::Vector { width: 1, .. }) && rest.is_empty() && memory.width == 1;
        is_scalar.then_some(MemoryElement { memory: memory.id, index: address.index, offset: address.bytes / 4 })
    }

    /// Returns the number of elements, as a uint, of the runtime array in a member of a storage buffer.
    pub(super) fn array_length(&mut self, variable: u32, steps: &[Step], member: u32) -> Option<Id> {
        let (memory, ty) = match steps {
            [] => self.buffer_memory(variable)?,
            _ => self.block_memory(variable, steps)?,
        };
        let (array, before, ..) = self.shared.module.members(ty)?.into_iter().nth(member as usize)?;
        let Some(&Ty::RuntimeArray { stride, .. }) = self.shared.module.types.get(&array) else { return None };
        let mut count = self.lifting.builder.buffer_size(memory.id);
        let size = 4 * u32::from(memory.width);
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

    /// Reads the part of memory to which steps lead.
    pub(super) fn read(&mut self, memory: Memory, ty: u32, layout: MatrixLayout, steps: &[Step]) -> Value {
        let (address, contents, rest) = self.walk(memory, ty, layout, steps);
        let value = self.read_at(memory, contents, address);
        self.lifting.part_at(value, rest)
    }

    /// Returns the address that steps lead to, its contents, and the remaining steps: a computed index of a component, or none.
    fn walk<'s>(
        &mut self,
        memory: Memory,
        ty: u32,
        layout: MatrixLayout,
        mut steps: &'s [Step],
    ) -> (Address, Contents, &'s [Step]) {
        let mut at = Address::default();
        let mut contents = self.contents(ty, layout);
        while let [step, rest @ ..] = steps {
            match contents {
                Contents::Whole(ty, layout) => match self.shared.module.types.get(&ty) {
                    Some(Ty::Struct(_)) => {
                        let Step::Known(field) = *step else { break };
                        let members = self.shared.module.members(ty).unwrap_or_default();
                        let Some((member, offset, layout, _)) = members.into_iter().nth(field as usize) else { break };
                        at = at.after(offset);
                        contents = self.contents(member, layout);
                    }
                    Some(&Ty::Array { element, stride, .. } | &Ty::RuntimeArray { element, stride }) => {
                        at = self.element_address(memory, at, *step, stride);
                        contents = self.contents(element, layout);
                    }
                    Some(&Ty::Value(Type::Matrix { rows, .. })) => {
                        let (step_by, stride) = if layout.by_rows { (4, layout.stride) } else { (layout.stride, 4) };
                        at = self.element_address(memory, at, *step, step_by);
                        contents = Contents::Vector { scalar: Scalar::Float, width: rows, stride };
                    }
                    _ => break,
                },
                Contents::Vector { scalar, stride, .. } => {
                    // A component at a computed index is selected from the whole vector, unless each component is an element.
                    if matches!(step, Step::Computed(_)) && memory.width != 1 {
                        break;
                    }
                    at = self.element_address(memory, at, *step, stride);
                    contents = Contents::Vector { scalar, width: 1, stride: 4 };
                }
            }
            steps = rest;
        }
        (at, contents, steps)
    }

    fn contents(&self, ty: u32, layout: MatrixLayout) -> Contents {
        match self.shared.module.value_type(ty) {
            Some(Type::Vector(scalar, width)) => Contents::Vector { scalar, width, stride: 4 },
            _ => Contents::Whole(ty, layout),
        }
    }

    /// Returns the address of an element; elements are `stride` bytes apart.
    fn element_address(&mut self, memory: Memory, at: Address, step: Step, stride: u32) -> Address {
        let number = match step {
            Step::Known(number) => return at.after(number.wrapping_mul(stride)),
            Step::Computed(number) => number,
        };
        let size = 4 * u32::from(memory.width);
        let in_words = at.in_words || !stride.is_multiple_of(size);
        let outer =
            if in_words && !at.in_words { self.lifting.scaled(at.index, u32::from(memory.width)) } else { at.index };
        let inner = self.lifting.scaled(Some(number), stride / if in_words { 4 } else { size });
        let index = match (outer, inner) {
            (Some(outer), Some(inner)) => Some(self.lifting.builder.add(outer, inner)),
            (outer, inner) => outer.or(inner),
        };
        Address { index, in_words, ..at }
    }

    fn read_at(&mut self, memory: Memory, contents: Contents, at: Address) -> Value {
        let (ty, layout) = match contents {
            Contents::Vector { scalar, width, stride } => {
                return Value::One(self.read_vector(memory, scalar, width, stride, at));
            }
            Contents::Whole(ty, layout) => (ty, layout),
        };
        match self.shared.module.types.get(&ty) {
            Some(&Ty::Value(Type::Matrix { columns, rows })) => {
                let (step, stride) = if layout.by_rows { (4, layout.stride) } else { (layout.stride, 4) };
                let column = |column: u32| {
                    self.read_vector(memory, Scalar::Float, rows, stride, at.after(column.wrapping_mul(step)))
                };
                let columns: Few<Id> = (0..u32::from(columns)).map(column).collect();
                Value::One(self.lifting.matrix(&columns))
            }
            Some(Ty::Struct(_)) => {
                let members = self.shared.module.members(ty).unwrap_or_default();
                let member =
                    |(ty, offset, layout, _)| self.read_at(memory, self.contents(ty, layout), at.after(offset));
                Value::Many(members.into_iter().map(member).collect())
            }
            Some(&Ty::Array { element, length, stride }) => {
                let length = self.shared.module.length(length).unwrap_or(0).min(4096);
                let contents = self.contents(element, layout);
                let element = |number: u32| self.read_at(memory, contents, at.after(number.wrapping_mul(stride)));
                Value::Many((0..length).map(element).collect())
            }
            _ => Value::Many(Vec::new()),
        }
    }

    fn write_at(&mut self, memory: Memory, contents: Contents, at: Address, value: &Value) {
        let (ty, layout) = match contents {
            Contents::Vector { stride, .. } => return self.write_vector(memory, stride, at, value.one()),
            Contents::Whole(ty, layout) => (ty, layout),
        };
        match (self.shared.module.types.get(&ty), value) {
            (Some(Ty::Value(Type::Matrix { .. })), &Value::One(id)) => {
                let (step, stride) = if layout.by_rows { (4, layout.stride) } else { (layout.stride, 4) };
                for (number, column) in (0u32..).zip(self.lifting.columns(id)) {
                    self.write_vector(memory, stride, at.after(number.wrapping_mul(step)), column);
                }
            }
            (Some(Ty::Struct(_)), Value::Many(values)) => {
                let members = self.shared.module.members(ty).unwrap_or_default();
                for ((ty, offset, layout, _), value) in members.into_iter().zip(values) {
                    self.write_at(memory, self.contents(ty, layout), at.after(offset), value);
                }
            }
            (Some(&Ty::Array { element, stride, .. }), Value::Many(values)) => {
                for (number, value) in (0u32..).zip(values) {
                    let contents = self.contents(element, layout);
                    self.write_at(memory, contents, at.after(number.wrapping_mul(stride)), value);
                }
            }
            _ => self.mismatch(),
        }
    }

    /// Returns the element that contains a word, and the index of the word in that element.
    fn element_at(&mut self, memory: Memory, at: Address) -> (Id, Step) {
        let (word, width) = (at.bytes / 4, u32::from(memory.width));
        match at.index.filter(|_| at.in_words && memory.width > 1) {
            None => (self.lifting.builder.peek(memory.id, at.index, word / width), Step::Known(word % width)),
            Some(index) => {
                let word = self.lifting.builder.int(word.cast_signed());
                let word = self.lifting.builder.add(index, word);
                let shift = self.lifting.builder.uint(width.trailing_zeros());
                let element = self.lifting.builder.shift_right(word, shift);
                let mask = self.lifting.builder.int((width - 1).cast_signed());
                let lane = self.lifting.builder.binary_and(word, mask);
                (self.lifting.builder.peek(memory.id, Some(element), 0), Step::Computed(lane))
            }
        }
    }

    /// Reads a scalar or vector whose components are `stride` bytes apart.
    fn read_vector(&mut self, memory: Memory, scalar: Scalar, width: u8, stride: u32, at: Address) -> Id {
        let mut words = Few::<Id>::new();
        for component in 0..u32::from(width) {
            let (element, lane) = self.element_at(memory, at.after(component.wrapping_mul(stride)));
            words.push(self.lifting.part_of_one(element, lane));
        }
        let value = self.lifting.vector(&words);
        self.lifting.bits_as(value, scalar)
    }

    /// Writes a scalar or vector whose components are `stride` bytes apart.
    fn write_vector(&mut self, memory: Memory, stride: u32, at: Address, value: Id) {
        let value = self.lifting.bits_as(value, memory.scalar);
        let (size, width) = (4 * u32::from(memory.width), self.lifting.width(value));
        if memory.width == width && width > 1 && stride == 4 {
            self.lifting.builder.poke_element(value, memory.id, at.index, at.bytes / size);
            return;
        }
        for component in 0..width {
            let part = self.lifting.component(value, component);
            let at = at.after(u32::from(component).wrapping_mul(stride));
            let part = match memory.width {
                1 => part,
                width => {
                    let whole = self.lifting.builder.peek(memory.id, at.index, at.bytes / size);
                    let lane = Step::Known(at.bytes / 4 % u32::from(width));
                    self.lifting.with_inner(whole, lane, &[], part)
                }
            };
            self.lifting.builder.emit(Op::Poke, &[part, memory.id, at.index.unwrap_or(Id::NONE)], &[at.bytes / size]);
        }
    }
}

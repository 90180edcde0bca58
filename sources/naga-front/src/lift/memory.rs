//! Barriers, and the storage buffers and workgroup variables, which become inputs with slots. Storage textures are in `image.rs`.
//!
//! The memory layout of storage buffers is in `storage_buffer.rs`. A workgroup variable is stored in shared arrays, just as an
//! indexed array is stored in local slots.

use std::collections::BTreeMap;

use naga::{AddressSpace, Barrier, Expression, GlobalVariable, Handle, StorageAccess};
use sdlbc::lifting::{Slots, Step, Value};
use sdlbc::module::Access;
use sdlbc::{Few, Id, InputKind, Scalar, SourceBinding, Type};

use super::storage_buffer::StorageBuffer;
use super::types::{self, Address, Element, Parts};
use super::{Lifter, Shared};
use sdlbc::front::RefusalKind;

/// A variable in memory that several invocations share.
#[derive(Clone, Debug)]
pub(super) enum Memory {
    /// A storage buffer, with the type of its contents.
    Buffer { name: String, kind: InputKind, element: Element, ty: Handle<naga::Type> },
    /// A storage texture.
    Image { name: String, ty: Type, kind: InputKind },
    /// A workgroup variable.
    Shared { name: String, ty: Handle<naga::Type> },
}

/// A storage buffer or workgroup variable, as one or more inputs of a function.
#[derive(Clone, Debug)]
pub(super) enum MemoryInput {
    Buffer(StorageBuffer),
    Shared(Slots),
}

/// The storage buffers, storage textures and workgroup variables of the entry points. The value is `None` for a refused variable.
pub(super) type Memories = BTreeMap<Handle<GlobalVariable>, Option<Memory>>;

impl Shared<'_> {
    pub(super) fn lay_out_memory(&mut self, handle: Handle<GlobalVariable>) -> Option<Memory> {
        let variable = &self.module.global_variables[handle];
        let ty = &self.module.types[variable.ty];
        let name = variable.name.as_deref().or(ty.name.as_deref()).unwrap_or("memory");
        let laid = match variable.space {
            AddressSpace::Storage { access } => self.element(variable.ty).map(|element| {
                let writes = access.contains(StorageAccess::STORE);
                let access = if writes { Access::ReadWrite } else { Access::Read };
                let slot = self.slot_of(handle, |other| matches!(other.space, AddressSpace::Storage { .. }));
                let kind = InputKind::Buffer { slot, access };
                Memory::Buffer { name: self.unique(name), kind, element, ty: variable.ty }
            }),
            _ => self.element(variable.ty).map(|_| Memory::Shared { name: self.unique(name), ty: variable.ty }),
        };
        if laid.is_none() {
            self.refuse(types::refusal(self.module, variable.ty), self.module.global_variables.get_span(handle));
        }
        laid
    }

    /// Returns the element from which a type is built in memory, or `None` if memory cannot store the type.
    fn element(&self, ty: Handle<naga::Type>) -> Option<Element> {
        self.elements.get(ty.index()).copied().flatten()
    }

    /// Returns a variable's index among the variables of the same kind, sorted by group and binding.
    pub(super) fn slot_of(&self, handle: Handle<GlobalVariable>, is_kind: impl Fn(&GlobalVariable) -> bool) -> u32 {
        let place = |handle| (types::binding(self.module, handle), handle);
        let others = self.module.global_variables.iter().filter(|(_, variable)| is_kind(variable));
        let before = others.filter(|&(other, _)| place(other) < place(handle)).count();
        u32::try_from(before).unwrap_or(u32::MAX)
    }
}

impl Lifter<'_, '_> {
    /// Returns the input of a uniform or storage resource, and states its place in the source.
    pub(super) fn resource_input(
        &mut self,
        variable: Handle<GlobalVariable>,
        name: &str,
        ty: Type,
        kind: InputKind,
    ) -> Id {
        let input = self.lifting.builder.input(name, ty, kind);
        if let Some((group, number)) = types::binding(self.shared.module, variable) {
            self.lifting.builder.bind(input, SourceBinding::Bound { place: [group, number], sampler: None });
        }
        input
    }

    /// Returns the inputs for a storage buffer or workgroup variable, or `None` if the variable was refused.
    pub(super) fn memory(&mut self, handle: Handle<GlobalVariable>) -> Option<MemoryInput> {
        if let Some(input) = self.memory.get(&handle) {
            return Some(input.clone());
        }
        let input = match self.shared.memories.get(&handle)?.clone()? {
            Memory::Buffer { name, kind, element, ty } => {
                MemoryInput::Buffer(self.storage_buffer(handle, &name, kind, (element, ty)))
            }
            Memory::Image { .. } => return None,
            Memory::Shared { name, ty } => {
                let shape = types::shape(self.shared.module, ty);
                MemoryInput::Shared(self.lifting.slots(&shape, &name, 1, InputKind::Shared))
            }
        };
        self.memory.insert(handle, input.clone());
        Some(input)
    }

    fn storage_buffer(
        &mut self,
        variable: Handle<GlobalVariable>,
        name: &str,
        kind: InputKind,
        (element, ty): (Element, Handle<naga::Type>),
    ) -> StorageBuffer {
        let id = self.resource_input(variable, name, Type::Buffer(element.scalar, element.width), kind);
        StorageBuffer { id, element, ty }
    }

    /// Returns the address of an element or a column. Elements are `stride` bytes apart, and an index counts units of `size`
    /// bytes.
    pub(super) fn element_address(&mut self, at: Address, step: Step, stride: u32, size: u32) -> Address {
        match step {
            Step::Known(number) => at.after(number.wrapping_mul(stride)),
            Step::Computed(number) => {
                let index = match (at.index, self.lifting.scaled(Some(number), stride / size)) {
                    (Some(outer), Some(inner)) => Some(self.lifting.builder.add(outer, inner)),
                    (outer, inner) => outer.or(inner),
                };
                Address { index, ..at }
            }
        }
    }

    /// Reads a value from memory, calling `read` for each scalar or vector.
    pub(super) fn read_type(
        &mut self,
        ty: Handle<naga::Type>,
        at: Address,
        read: &impl Fn(&mut Self, Scalar, u8, Address) -> Id,
    ) -> Value {
        let inner = self.inner(ty);
        match (types::value(inner), types::parts(inner)) {
            (Some(Type::Matrix { columns, rows }), _) => {
                let offset = |column: u32| column.wrapping_mul(types::column_stride(rows));
                let columns: Few<Id> = (0..u32::from(columns))
                    .map(|column| read(self, Scalar::Float, rows, at.after(offset(column))))
                    .collect();
                Value::One(self.lifting.matrix(&columns))
            }
            (Some(Type::Vector(scalar, width)), _) => Value::One(read(self, scalar, width, at)),
            (None, Some(Parts::Fields(fields))) => {
                Value::Many(fields.into_iter().map(|(ty, offset)| self.read_type(ty, at.after(offset), read)).collect())
            }
            (None, Some(Parts::Elements(base, length, stride))) => {
                let element = |number: u32| self.read_type(base, at.after(number.wrapping_mul(stride)), read);
                Value::Many((0..length).map(element).collect())
            }
            _ => Value::Many(Vec::new()),
        }
    }

    /// Returns the length of an array at the end of a storage buffer. The application chooses that length.
    pub(super) fn buffer_size(&mut self, mut array: Handle<Expression>, handle: Handle<Expression>) -> Value {
        let mut fields = Few::<u32>::new();
        let variable = loop {
            match self.expression(array) {
                Some(&Expression::AccessIndex { base, index }) => {
                    fields.push(index);
                    array = base;
                }
                Some(&Expression::GlobalVariable(variable)) => break variable,
                _ => return self.refuse_operation("the length of this array", handle),
            }
        };
        let Some(Memory::Buffer { name, kind, element, ty }) = self.shared.memories.get(&variable).cloned().flatten()
        else {
            return Value::One(self.lifting.zero(Type::UINT));
        };
        let buffer = self.storage_buffer(variable, &name, kind, (element, ty));
        fields.reverse();
        match self.length_of(buffer, &fields) {
            Some(length) => Value::One(length),
            None => self.refuse_operation("the length of this array", handle),
        }
    }

    pub(super) fn barrier(&mut self, barrier: Barrier, span: naga::Span) {
        if barrier.contains(Barrier::TEXTURE) {
            let name = "barriers for textures".to_string();
            self.shared.refuse(RefusalKind::Operation { name }, span);
        }
        let mut flags = u32::from(barrier.contains(Barrier::WORK_GROUP));
        flags += 2 * u32::from(barrier.contains(Barrier::STORAGE));
        // Invocations wait at a barrier even if the barrier orders no memory accesses.
        self.lifting.builder.barrier(flags.max(1));
    }
}

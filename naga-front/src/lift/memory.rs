//! Storage buffers and what a workgroup shares, as inputs with slots, and barriers. Storage textures are in `image.rs`.
//!
//! A storage buffer is an array of scalars or of vectors of two or four components, alone or as the only field of a structure. A workgroup
//! variable is in shared arrays, as an array that is indexed is in local slots.

use std::collections::BTreeMap;

use naga::{AddressSpace, ArraySize, Barrier, Expression, GlobalVariable, Handle, StorageAccess, TypeInner};
use sdlbc::module::Access;
use sdlbc::{Id, InputKind, Op, Scalar, Type};

use super::types::{self, Parts};
use super::value::Value;
use super::variables::{Slots, Variable};
use super::{Lifter, Shared};
use crate::error::RefusalKind;

/// Memory that invocations share.
#[derive(Clone, Debug)]
pub(super) enum Memory {
    /// A storage buffer.
    Buffer {
        name: String,
        ty: Type,
        kind: InputKind,
        /// Whether it is the only field of a structure.
        is_field: bool,
    },
    /// A storage texture.
    Image { name: String, ty: Type, kind: InputKind },
    /// A workgroup variable.
    Shared { name: String, ty: Handle<naga::Type> },
}

/// The memory of the entry points, by variable; `None` for what was refused.
pub(super) type Memories = BTreeMap<Handle<GlobalVariable>, Option<Memory>>;

impl Shared<'_> {
    /// Lays out a storage buffer or a workgroup variable.
    pub(super) fn lay_out_memory(&mut self, handle: Handle<GlobalVariable>) -> Option<Memory> {
        let variable = &self.module.global_variables[handle];
        let name = variable.name.as_deref().unwrap_or("memory");
        let laid = match variable.space {
            AddressSpace::Storage { access } => self.elements(variable.ty).map(|(ty, is_field)| {
                let writes = access.contains(StorageAccess::STORE);
                let access = if writes { Access::ReadWrite } else { Access::Read };
                let kind = InputKind::Buffer { slot: self.buffer_slot(handle), access };
                Memory::Buffer { name: self.unique(name), ty, kind, is_field }
            }),
            _ if self.has_words(variable.ty) => Some(Memory::Shared { name: self.unique(name), ty: variable.ty }),
            _ => None,
        };
        if laid.is_none() {
            let name = types::name(self.module, variable.ty);
            self.refuse(RefusalKind::Type { name }, self.module.global_variables.get_span(handle));
        }
        laid
    }

    /// The type of a storage buffer, if the format has it, and whether it is the field of a structure.
    fn elements(&self, ty: Handle<naga::Type>) -> Option<(Type, bool)> {
        match &self.module.types[ty].inner {
            TypeInner::Struct { members, .. } => match &members[..] {
                [only] => self.elements(only.ty).filter(|(_, is_field)| !is_field).map(|(ty, _)| (ty, true)),
                _ => None,
            },
            TypeInner::Array { base, size: ArraySize::Dynamic | ArraySize::Constant(_), .. } => {
                match types::value(&self.module.types[*base].inner)? {
                    Type::Vector(scalar, width @ (1 | 2 | 4)) if scalar.has_32_bits() => {
                        Some((Type::Buffer(scalar, width), false))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a type consists of words of 32 bits.
    fn has_words(&self, ty: Handle<naga::Type>) -> bool {
        let inner = &self.module.types[ty].inner;
        match (types::parts(inner), types::value(inner)) {
            (Some(Parts::Fields(fields)), _) => fields.iter().all(|&(ty, _)| self.has_words(ty)),
            (Some(Parts::Elements(base, ..)), _) => self.has_words(base),
            (None, Some(Type::Vector(scalar, _))) => scalar.has_32_bits(),
            (None, Some(Type::Matrix { .. })) => true,
            _ => false,
        }
    }

    /// The number of a storage buffer among them all, by group and binding.
    fn buffer_slot(&self, handle: Handle<GlobalVariable>) -> u32 {
        let place = |handle| {
            let variable: &GlobalVariable = &self.module.global_variables[handle];
            (variable.binding.map(|binding| (binding.group, binding.binding)), handle)
        };
        let all = self.module.global_variables.iter();
        let buffers = all.filter(|(_, variable)| matches!(variable.space, AddressSpace::Storage { .. }));
        let before = buffers.filter(|&(other, _)| place(other) < place(handle)).count();
        u32::try_from(before).unwrap_or(u32::MAX)
    }
}

impl Lifter<'_, '_> {
    /// The variable of this function that a global one is, if that is memory.
    pub(super) fn memory(&mut self, handle: Handle<GlobalVariable>) -> Option<usize> {
        let variable = match self.shared.memories.get(&handle)?.clone()? {
            Memory::Buffer { name, ty, kind, is_field } => {
                let slot = self.builder.input(name, ty, kind);
                // The index of the outermost array is that of the buffer, whatever its length is.
                let all = Slots::Elements(1, Box::new(Slots::Leaf { slot, columns: 1, matrix: false }));
                Variable::Slots(if is_field { Slots::Fields(vec![all]) } else { all })
            }
            Memory::Image { .. } => return None,
            Memory::Shared { name, ty } => Variable::Slots(self.slots(ty, &name, 1, InputKind::Shared)),
        };
        self.variables.push(variable);
        let number = self.variables.len() - 1;
        self.privates.insert(handle, number);
        Some(number)
    }

    /// The number of elements of a storage buffer.
    pub(super) fn buffer_size(&mut self, mut array: Handle<Expression>, handle: Handle<Expression>) -> Value {
        loop {
            match self.expression(array) {
                Some(&Expression::AccessIndex { base, .. }) => array = base,
                Some(&Expression::GlobalVariable(variable)) => {
                    return match self.shared.memories.get(&variable).cloned().flatten() {
                        Some(Memory::Buffer { name, ty, kind, .. }) => {
                            let buffer: Id = self.builder.input(name, ty, kind);
                            let count = self.emit(Op::BufferSize, &[buffer]);
                            Value::One(self.convert(count, Scalar::Uint))
                        }
                        _ => Value::One(self.zero(Type::UINT)),
                    };
                }
                _ => return self.refuse_operation("the length of this array", handle),
            }
        }
    }

    /// A barrier.
    pub(super) fn barrier(&mut self, barrier: Barrier, span: naga::Span) {
        if barrier.contains(Barrier::TEXTURE) {
            let name = "barriers for textures".to_string();
            self.shared.refuse(RefusalKind::Operation { name }, span);
        }
        let mut flags = u32::from(barrier.contains(Barrier::WORK_GROUP));
        flags += 2 * u32::from(barrier.contains(Barrier::STORAGE));
        // One that orders nothing still waits.
        self.builder.emit(Op::Barrier, &[], &[flags.max(1)]);
    }
}

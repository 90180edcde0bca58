//! Storage buffers and workgroup variables, as inputs with slots, and barriers. Storage textures are in `image.rs`.
//!
//! The memory layout of storage buffers is in `words.rs`. A workgroup variable is in shared arrays, in the same way as
//! an indexed array is in local slots.

use std::collections::BTreeMap;

use naga::{AddressSpace, Barrier, Expression, GlobalVariable, Handle, StorageAccess};
use sdlbc::module::Access;
use sdlbc::{Few, InputKind, Type};

use super::types::{self, Element};
use super::value::Value;
use super::variables::Variable;
use super::words::Words;
use super::{Lifter, Shared};
use crate::error::RefusalKind;

/// Memory that invocations share.
#[derive(Clone, Debug)]
pub(super) enum Memory {
    /// A storage buffer.
    Buffer {
        name: String,
        kind: InputKind,
        element: Element,
        /// The type of its contents.
        ty: Handle<naga::Type>,
    },
    /// A storage texture.
    Image { name: String, ty: Type, kind: InputKind },
    /// A workgroup variable.
    Shared { name: String, ty: Handle<naga::Type> },
}

/// The memory of the entry points, by variable; `None` for a variable that was refused.
pub(super) type Memories = BTreeMap<Handle<GlobalVariable>, Option<Memory>>;

impl Shared<'_> {
    /// Lays out a storage buffer or a workgroup variable.
    pub(super) fn lay_out_memory(&mut self, handle: Handle<GlobalVariable>) -> Option<Memory> {
        let variable = &self.module.global_variables[handle];
        let ty = &self.module.types[variable.ty];
        let name = variable.name.as_deref().or(ty.name.as_deref()).unwrap_or("memory");
        let laid = match variable.space {
            AddressSpace::Storage { access } => self.element(variable.ty).map(|element| {
                let writes = access.contains(StorageAccess::STORE);
                let access = if writes { Access::ReadWrite } else { Access::Read };
                let kind = InputKind::Buffer { slot: self.buffer_slot(handle), access };
                Memory::Buffer { name: self.unique(name), kind, element, ty: variable.ty }
            }),
            _ => self.element(variable.ty).map(|_| Memory::Shared { name: self.unique(name), ty: variable.ty }),
        };
        if laid.is_none() {
            let name = types::name(self.module, variable.ty);
            self.refuse(RefusalKind::Type { name }, self.module.global_variables.get_span(handle));
        }
        laid
    }

    /// The element that a type consists of in memory.
    fn element(&self, ty: Handle<naga::Type>) -> Option<Element> {
        self.elements.get(ty.index()).copied().flatten()
    }

    /// The number of a storage buffer among all of them, by group and binding.
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
    /// A storage buffer or workgroup variable as a variable of this function.
    pub(super) fn memory(&mut self, handle: Handle<GlobalVariable>) -> Option<Variable> {
        if let Some(variable) = self.memory.get(&handle) {
            return Some(variable.clone());
        }
        let variable = match self.shared.memories.get(&handle)?.clone()? {
            Memory::Buffer { name, kind, element, ty } => Variable::Words(self.words(name, kind, element, ty)),
            Memory::Image { .. } => return None,
            Memory::Shared { name, ty } => Variable::Slots(self.slots(ty, &name, 1, InputKind::Shared)),
        };
        self.memory.insert(handle, variable.clone());
        Some(variable)
    }

    /// A storage buffer as an input of this function.
    fn words(&mut self, name: String, kind: InputKind, element: Element, ty: Handle<naga::Type>) -> Words {
        let buffer = self.builder.input(name, Type::Buffer(element.scalar, element.width), kind);
        Words { buffer, element, ty }
    }

    /// The number of elements of an array whose length the application chooses.
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
            return Value::One(self.zero(Type::UINT));
        };
        let words = self.words(name, kind, element, ty);
        fields.reverse();
        match self.length_of(words, &fields) {
            Some(length) => Value::One(length),
            None => self.refuse_operation("the length of this array", handle),
        }
    }

    /// A barrier.
    pub(super) fn barrier(&mut self, barrier: Barrier, span: naga::Span) {
        // GLSL's `barrier` is read as a barrier for all kinds of memory.
        if barrier.contains(Barrier::TEXTURE) && barrier != Barrier::all() {
            let name = "barriers for textures".to_string();
            self.shared.refuse(RefusalKind::Operation { name }, span);
        }
        let mut flags = u32::from(barrier.contains(Barrier::WORK_GROUP));
        flags += 2 * u32::from(barrier.contains(Barrier::STORAGE));
        // A barrier that orders no memory still waits.
        self.builder.barrier(flags.max(1));
    }
}

//! The layouts of values in memory: uniform blocks, push constants and storage buffers.
//!
//! The layout is the module's own: any offsets and strides, and matrices by columns or by rows. A structure of only floats is an array of
//! float4 with the same layout in memory, with members for its fields (docs/format.md, "Members of uniforms"). In any other uniform
//! structure, each field is a uniform with a slot and an offset. If a field cannot have an offset, the whole structure is an array of uint4
//! with the same layout in memory, and the lifter reinterprets its bits.
//!
//! The elements of a storage buffer are of one type. If all scalars and vectors in the buffer are of one type with 1, 2 or 4 components, so
//! are the elements; otherwise each element is a scalar. A write to one field therefore leaves the other fields unchanged.

use rspirv::spirv::StorageClass;
use sdlbc::module::Access;
use sdlbc::{InputKind, Member, Scalar, Type};

use super::Shared;
use crate::accepted::Decoration;
use crate::module::{Module, Ty};
use sdlbc::front::RefusalKind;

/// The size of a float4 in bytes.
const REGISTER: u32 = 16;
/// The maximum number of leaves of a structure that is laid out field by field.
pub(super) const MOST_FIELDS: u64 = 4096;

/// The layout of the matrices in a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MatrixLayout {
    /// The distance between columns, or between rows if the matrix is stored by rows, in bytes.
    pub(super) stride: u32,
    pub(super) by_rows: bool,
}

impl MatrixLayout {
    /// Reports whether this is the layout that every target gives a matrix whose columns have three or four components.
    fn is_common(self, rows: u8) -> bool {
        !self.by_rows && self.stride == REGISTER && rows > 2
    }
}

/// A uniform block, or a part of one.
#[derive(Clone, Debug)]
pub(super) enum Uniform {
    /// A scalar, vector or matrix, or an array of scalars or vectors.
    One { name: String, ty: Type, kind: InputKind },
    /// An array of float4 or uint4 that contains a value of a type.
    Registers { name: String, scalar: Scalar, length: u32, ty: u32, layout: MatrixLayout, members: Vec<Member> },
    /// The fields of a structure.
    Fields(Vec<Uniform>),
}

/// A storage buffer: its name, its kind, the type of its elements and the type of its contents.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    pub(super) name: String,
    pub(super) kind: InputKind,
    pub(super) scalar: Scalar,
    pub(super) width: u8,
    ty: u32,
}

impl Buffer {
    /// Returns the type of the contents.
    pub(super) fn ty(&self) -> u32 {
        self.ty
    }
}

impl Module<'_> {
    fn matrix_layout(&self, ty: u32, member: u32) -> MatrixLayout {
        let stride = self.member_number(ty, member, Decoration::MatrixStride).unwrap_or(REGISTER);
        MatrixLayout { stride, by_rows: self.member_decoration(ty, member, Decoration::RowMajor).is_some() }
    }

    /// Returns the members of a structure: their types, offsets, layouts and names.
    pub(super) fn members(&self, ty: u32) -> Option<Vec<(u32, u32, MatrixLayout, String)>> {
        let Some(Ty::Struct(members)) = self.types.get(&ty) else { return None };
        let member = |(number, &member): (u32, &u32)| {
            let offset = self.member_number(ty, number, Decoration::Offset).unwrap_or(0);
            (member, offset, self.matrix_layout(ty, number), self.member_name(ty, number))
        };
        Some((0..).zip(members).map(member).collect())
    }

    /// Returns the size of a type in memory, in bytes, without padding at its end. The size of a runtime array is 0.
    fn bytes(&self, ty: u32, layout: MatrixLayout, depth: u32) -> Option<u32> {
        if depth > 64 {
            return None;
        }
        match self.types.get(&ty)? {
            Ty::Value(Type::Vector(scalar, width)) => Some(scalar.bytes() * u32::from(*width)),
            Ty::Value(Type::Matrix { columns, rows }) => {
                let (outer, inner) = if layout.by_rows { (rows, columns) } else { (columns, rows) };
                layout.stride.checked_mul(u32::from(*outer) - 1)?.checked_add(4 * u32::from(*inner))
            }
            Ty::Struct(_) => self.members(ty)?.into_iter().try_fold(0, |end: u32, (member, offset, layout, _)| {
                Some(end.max(offset.checked_add(self.bytes(member, layout, depth + 1)?)?))
            }),
            Ty::Array { element, length, stride } => {
                let last = self.bytes(*element, layout, depth + 1)?;
                stride.checked_mul(self.length(*length)?.checked_sub(1)?)?.checked_add(last)
            }
            Ty::RuntimeArray { .. } => Some(0),
            _ => None,
        }
    }

    /// Returns the element from which a type is built in memory: its component type and its number of components. Returns `None` if the
    /// type has parts that the format cannot store in memory.
    fn element(&self, ty: u32, layout: MatrixLayout) -> Option<(Scalar, u8)> {
        let mut all = Vec::new();
        self.add_leaves(ty, layout, 0, &mut all)?;
        let scalar = all.iter().map(|leaf| leaf.0).reduce(|a, b| if a == b { a } else { Scalar::Uint })?;
        let width = all.iter().map(|leaf| leaf.1).reduce(|a, b| if a == b { a } else { 1 })?;
        let is_aligned = all.iter().all(|leaf| leaf.2.is_multiple_of(4 * u32::from(width)));
        Some((scalar, if is_aligned && width != 3 { width } else { 1 }))
    }

    /// Returns the element of a storage buffer. The elements of a buffer that atomic operations change are single ints or uints.
    fn buffer_element(&self, variable: u32, ty: u32) -> Option<(Scalar, u8)> {
        let (scalar, width) = self.element(ty, MatrixLayout::default())?;
        let Some(changed) = self.atomics_on(variable) else { return Some((scalar, width)) };
        Some(match scalar {
            Scalar::Float => (scalar, width),
            _ if changed.signed && !changed.unsigned => (Scalar::Int, 1),
            _ if changed.unsigned => (Scalar::Uint, 1),
            _ => (scalar, 1),
        })
    }

    /// Adds each scalar or vector of a type: its component type, its number of components, and a common divisor of its byte offsets, or 0
    /// if its only offset is 0.
    fn add_leaves(&self, ty: u32, layout: MatrixLayout, place: u32, all: &mut Vec<(Scalar, u8, u32)>) -> Option<()> {
        let common =
            |a: u32, b: u32| if a == 0 || b == 0 { a | b } else { 1 << a.trailing_zeros().min(b.trailing_zeros()) };
        match self.types.get(&ty)? {
            Ty::Value(Type::Vector(scalar, width)) if scalar.has_32_bits() => all.push((*scalar, *width, place)),
            Ty::Value(Type::Matrix { .. }) if layout.by_rows => all.push((Scalar::Float, 1, 4)),
            Ty::Value(Type::Matrix { rows, .. }) => all.push((Scalar::Float, *rows, common(place, layout.stride))),
            Ty::Struct(_) => {
                for (member, offset, layout, _) in self.members(ty)? {
                    self.add_leaves(member, layout, common(place, offset), all)?;
                }
            }
            Ty::Array { element, stride, .. } | Ty::RuntimeArray { element, stride } => {
                self.add_leaves(*element, layout, common(place, *stride), all)?;
            }
            _ => return None,
        }
        Some(())
    }
}

impl Shared<'_> {
    /// Returns a variable's index among the variables of its kind, sorted by descriptor set and binding. Each element of an array counts.
    pub(super) fn slot_of(&self, variable: u32, is_kind: impl Fn(u32) -> bool) -> u32 {
        let place = |variable| (self.binding(variable), variable);
        let others = self.module.globals.keys().filter(|&&other| is_kind(other));
        let before = others.filter(|&&other| place(other) < place(variable));
        before.map(|&other| self.elements_of(other).0).fold(0, u32::saturating_add)
    }

    /// Returns the descriptor set and the binding of a variable. Variables without a binding, such as push constants, follow all others.
    pub(super) fn binding(&self, variable: u32) -> (u32, u32) {
        let number = |decoration| self.module.number(variable, decoration);
        match number(Decoration::Binding) {
            Some(binding) => (number(Decoration::DescriptorSet).unwrap_or(0), binding),
            None => (u32::MAX, u32::MAX),
        }
    }

    /// Reports whether a variable is a storage buffer. Before SPIR-V 1.3, its type has the decoration BufferBlock.
    pub(super) fn is_buffer(&self, variable: u32) -> bool {
        self.module.globals.get(&variable).is_some_and(|global| match global.class {
            StorageClass::StorageBuffer => true,
            StorageClass::Uniform => {
                let block = match self.module.types.get(&global.ty) {
                    Some(&Ty::Array { element, .. } | &Ty::RuntimeArray { element, .. }) => element,
                    _ => global.ty,
                };
                self.module.decoration(block, Decoration::BufferBlock).is_some()
            }
            _ => false,
        })
    }

    /// Reports whether a variable is a uniform block or a block of push constants.
    pub(super) fn is_uniform(&self, variable: u32) -> bool {
        let class = self.module.globals.get(&variable).map(|global| global.class);
        matches!(class, Some(StorageClass::Uniform | StorageClass::PushConstant)) && !self.is_buffer(variable)
    }

    /// Returns the name of a block: the name of the variable or, if it has none, of its type.
    fn block_name(&self, variable: u32, ty: u32, default: &str) -> String {
        let names = [self.module.name(variable), self.module.name(ty)];
        // glslang gives this name to the block of uniforms that are declared outside blocks.
        let own = names.into_iter().find(|name| !name.is_empty() && *name != "gl_DefaultUniformBlock");
        // Microsoft's compiler writes `type.` before the names of types.
        let name = own.unwrap_or(default);
        name.trim_start_matches("type.").trim_start_matches("ConstantBuffer.").to_string()
    }

    /// Returns the layout of a uniform block; `None` if it was refused.
    pub(super) fn uniform(&mut self, variable: u32) -> Option<Uniform> {
        let uniform = self.uniforms.get(&variable).cloned().flatten();
        if uniform.is_none() {
            self.refuse_uniform(variable);
        }
        uniform
    }

    /// Refuses a uniform block because of its type.
    pub(super) fn refuse_uniform(&mut self, variable: u32) {
        let Some(global) = self.module.globals.get(&variable) else { return };
        let lacking = self.module.lacking(global.ty, 0).unwrap_or_else(|| self.module.type_name(global.ty));
        let what = format!("{lacking} in a uniform block");
        self.refuse(RefusalKind::Types { what }, global.at);
    }

    /// Refuses a storage buffer because of its type.
    pub(super) fn refuse_buffer(&mut self, variable: u32) {
        let Some(global) = self.module.globals.get(&variable) else { return };
        let lacking = self.module.lacking(global.ty, 0).unwrap_or_else(|| self.module.type_name(global.ty));
        let what = format!("{lacking} in a storage buffer");
        self.refuse(RefusalKind::Types { what }, global.at);
    }

    /// Lays out the blocks and names the storage textures of the whole module, before any function is lifted.
    pub(super) fn lay_out_memory(&mut self) {
        let module = self.module;
        for (&variable, global) in &module.globals {
            if !module.is_bounded(global.ty) {
                continue;
            }
            match module.types.get(&global.ty) {
                Some(Ty::Struct(_) | Ty::Image(_)) => {}
                Some(Ty::Array { .. }) => {
                    self.lay_out_blocks(variable);
                    continue;
                }
                // Arrays without a length are refused where they are used.
                _ => continue,
            }
            if self.is_uniform(variable) {
                let uniform = self.lay_out_uniform(variable, global.ty, None);
                self.uniforms.insert(variable, uniform);
            } else if self.is_buffer(variable) {
                let buffer = self.lay_out_buffer(variable, global.ty, None);
                self.buffers.insert(variable, buffer);
            } else if self.is_image(variable) {
                let own = module.name(variable);
                let name = self.unique(if own.is_empty() { "image" } else { own });
                self.images.insert(variable, name);
            }
        }
    }

    /// Lays out a uniform block, or an element of an array of uniform blocks.
    pub(super) fn lay_out_uniform(&mut self, variable: u32, ty: u32, element: Option<u32>) -> Option<Uniform> {
        let own = self.block_name(variable, ty, "uniforms");
        let name = element.map_or_else(|| own.clone(), |element| format!("{own}_{element}"));
        // In GLSL, the fields of a block without an instance name are global.
        let is_open = element.is_none() && self.module.name(variable).is_empty() && !self.module.name(ty).is_empty();
        let slot = self.slot_of(variable, |other| self.is_uniform(other)).saturating_add(element.unwrap_or(0));
        self.lay_out(ty, MatrixLayout::default(), (&name, is_open), slot)
    }

    /// Lays out a uniform. If `is_open`, the names of the fields do not begin with the uniform's name.
    fn lay_out(&mut self, ty: u32, layout: MatrixLayout, (name, is_open): (&str, bool), slot: u32) -> Option<Uniform> {
        if let Some(fields) = self.module.members(ty) {
            if let [(field, 0, layout, own)] = fields.as_slice() {
                let name = if is_open && !own.is_empty() { own } else { name };
                return Some(Uniform::Fields(vec![self.lay_out(*field, *layout, (name, false), slot)?]));
            }
            let scalar = self.word_type(ty, layout);
            if scalar != Some(Scalar::Float) && self.is_placed(ty, layout, 0) && self.is_apart(ty) {
                return Some(self.placed(ty, layout, if is_open { "" } else { name }, (slot, 0)));
            }
            return self.registers(ty, layout, name, scalar?);
        }
        match self.module.types.get(&ty)? {
            Ty::Value(own @ Type::Vector(..)) => {
                Some(Uniform::One { ty: *own, name: self.unique(name), kind: InputKind::Uniform })
            }
            Ty::Value(own @ Type::Matrix { rows, .. }) if layout.is_common(*rows) => {
                Some(Uniform::One { ty: *own, name: self.unique(name), kind: InputKind::Uniform })
            }
            &Ty::Array { element, length, stride: REGISTER } => {
                let length = self.module.length(length)?;
                match self.module.value_type(element) {
                    Some(Type::Vector(scalar, width)) if width == 4 || scalar != Scalar::Float => {
                        let ty = Type::Array(scalar, width, length);
                        Some(Uniform::One { name: self.unique(name), ty, kind: InputKind::Uniform })
                    }
                    _ => {
                        let scalar = self.word_type(ty, layout)?;
                        self.registers(ty, layout, name, scalar)
                    }
                }
            }
            _ => {
                let scalar = self.word_type(ty, layout)?;
                self.registers(ty, layout, name, scalar)
            }
        }
    }

    fn registers(&mut self, ty: u32, layout: MatrixLayout, name: &str, scalar: Scalar) -> Option<Uniform> {
        let length = self.module.bytes(ty, layout, 0)?.div_ceil(REGISTER);
        if length == 0 || length > sdlbc::limits::ARRAY_LENGTH {
            return None;
        }
        let mut members = Vec::new();
        if scalar == Scalar::Float {
            self.add_members(ty, layout, "", 0, &mut members, 0);
            // Members must be sorted and must not overlap.
            members.sort_by_key(|member| (member.first, member.component));
            let mut end = 0;
            members.retain(|member| {
                let begin = REGISTER * member.first + 4 * member.component;
                let is_free = begin >= end;
                if is_free {
                    end = begin + member.ty.uniform_bytes();
                }
                is_free
            });
        }
        Some(Uniform::Registers { name: self.unique(name), scalar, length, ty, layout, members })
    }

    /// Returns the component type of an array from which values of a type can be read: float if the type has only floats, otherwise uint.
    /// Returns `None` unless all scalars have 32 bits.
    fn word_type(&self, ty: u32, layout: MatrixLayout) -> Option<Scalar> {
        let mut all = Vec::new();
        self.module.add_leaves(ty, layout, 0, &mut all)?;
        let is_float = all.iter().all(|leaf| leaf.0 == Scalar::Float);
        Some(if is_float { Scalar::Float } else { Scalar::Uint })
    }

    /// Reports whether each field of a structure may be a uniform with an offset (docs/format.md, "Uniforms with a slot").
    fn is_placed(&self, ty: u32, layout: MatrixLayout, offset: u32) -> bool {
        if let Some(fields) = self.module.members(ty) {
            let is_small = self.module.shape(ty).is_some_and(|shape| shape.leaves() <= MOST_FIELDS);
            return is_small
                && fields.into_iter().all(|(ty, at, layout, _)| self.is_placed(ty, layout, offset.saturating_add(at)));
        }
        match self.module.types.get(&ty) {
            Some(Ty::Array { element, stride: REGISTER, .. }) => {
                matches!(self.module.value_type(*element), Some(Type::Vector(..))) && offset.is_multiple_of(REGISTER)
            }
            Some(Ty::Value(own @ Type::Vector(..))) => offset.is_multiple_of(own.uniform_alignment()),
            Some(Ty::Value(Type::Matrix { rows, .. })) => layout.is_common(*rows) && offset.is_multiple_of(REGISTER),
            _ => false,
        }
    }

    /// Reports whether a structure's fields neither overlap nor exceed the limit on buffers if each is a uniform with an offset. As such a
    /// uniform, an array takes whole registers.
    fn is_apart(&self, ty: u32) -> bool {
        let mut places = Vec::new();
        self.add_places(ty, 0, &mut places);
        places.sort_unstable();
        places.windows(2).all(|pair| matches!(pair, [(_, end), (begin, _)] if end <= begin))
            && places.iter().all(|&(_, end)| end <= sdlbc::limits::BUFFER)
    }

    /// Adds each field's first byte and the byte after its last.
    fn add_places(&self, ty: u32, offset: u32, places: &mut Vec<(u32, u32)>) {
        if let Some(fields) = self.module.members(ty) {
            for (ty, at, ..) in fields {
                self.add_places(ty, offset.saturating_add(at), places);
            }
            return;
        }
        let bytes = match self.module.types.get(&ty) {
            Some(&Ty::Array { length, .. }) => self.module.length(length).unwrap_or(1).saturating_mul(REGISTER),
            _ => self.module.value_type(ty).map_or(0, Type::uniform_bytes),
        };
        places.push((offset, offset.saturating_add(bytes)));
    }

    fn placed(&mut self, ty: u32, layout: MatrixLayout, name: &str, (slot, offset): (u32, u32)) -> Uniform {
        if let Some(fields) = self.module.members(ty) {
            let mut all = Vec::with_capacity(fields.len());
            for (ty, at, layout, field) in fields {
                let name = if name.is_empty() { field } else { format!("{name}_{field}") };
                all.push(self.placed(ty, layout, &name, (slot, offset.saturating_add(at))));
            }
            return Uniform::Fields(all);
        }
        let _ = layout;
        let own = match self.module.types.get(&ty) {
            Some(&Ty::Array { element, length, .. }) => match self.module.value_type(element) {
                Some(Type::Vector(scalar, width)) => {
                    Type::Array(scalar, width, self.module.length(length).unwrap_or(1))
                }
                _ => Type::FLOAT,
            },
            _ => self.module.value_type(ty).unwrap_or(Type::FLOAT),
        };
        Uniform::One { name: self.unique(name), ty: own, kind: InputKind::Placed { slot, offset } }
    }

    /// Adds the members for a part of a structure, if the format has members of its type and offset.
    fn add_members(
        &self,
        ty: u32,
        layout: MatrixLayout,
        name: &str,
        bytes: u32,
        members: &mut Vec<Member>,
        depth: u32,
    ) {
        if depth > 64 || members.len() > 4096 {
            return;
        }
        if let Some(fields) = self.module.members(ty) {
            for (ty, offset, layout, field) in fields {
                let name = if name.is_empty() { field } else { format!("{name}_{field}") };
                self.add_members(ty, layout, &name, bytes.saturating_add(offset), members, depth + 1);
            }
            return;
        }
        let (first, component) = (bytes / REGISTER, bytes % REGISTER / 4);
        let own = match self.module.types.get(&ty) {
            Some(Ty::Value(own @ Type::Vector(Scalar::Float, width))) => {
                let fits = *width == 1 || *width == 2 && component % 2 == 0 || component == 0;
                fits.then_some(*own)
            }
            Some(Ty::Value(own @ Type::Matrix { rows, .. })) if component == 0 && layout.is_common(*rows) => Some(*own),
            Some(&Ty::Array { element, length, stride: REGISTER }) if component == 0 => {
                let is_float4 = self.module.value_type(element) == Some(Type::FLOAT4);
                self.module.length(length).filter(|_| is_float4).map(|length| Type::Array(Scalar::Float, 4, length))
            }
            _ => None,
        };
        let is_new = !members.iter().any(|member| member.name == name);
        if let Some(ty) = own.filter(|_| is_new && !name.is_empty()) {
            members.push(Member { name: name.to_string(), first, component, ty });
        }
    }

    /// Returns the layout of a storage buffer; `None` if it was refused.
    pub(super) fn buffer(&mut self, variable: u32) -> Option<Buffer> {
        let buffer = self.buffers.get(&variable).cloned().flatten();
        if buffer.is_none() {
            self.refuse_buffer(variable);
        }
        buffer
    }

    /// Lays out a storage buffer, or an element of an array of storage buffers.
    pub(super) fn lay_out_buffer(&mut self, variable: u32, ty: u32, element: Option<u32>) -> Option<Buffer> {
        let (scalar, width) = self.module.buffer_element(variable, ty)?;
        let own = self.block_name(variable, ty, "buffer");
        let name = element.map_or_else(|| own.clone(), |element| format!("{own}_{element}"));
        let slot = self.slot_of(variable, |other| self.is_buffer(other)).saturating_add(element.unwrap_or(0));
        // Whether a graphics program writes a buffer is known only after all functions are lifted.
        let access = if self.is_read_only(variable, ty) { Access::Read } else { Access::ReadWrite };
        let kind = InputKind::Buffer { slot, access };
        Some(Buffer { name: self.unique(&name), kind, scalar, width, ty })
    }

    /// Reports whether the module states that nothing writes a storage buffer.
    fn is_read_only(&self, variable: u32, ty: u32) -> bool {
        let Some(Ty::Struct(members)) = self.module.types.get(&ty) else { return false };
        let numbers = 0..u32::try_from(members.len()).unwrap_or(0);
        self.module.decoration(variable, Decoration::NonWritable).is_some()
            || numbers
                .into_iter()
                .all(|number| self.module.member_decoration(ty, number, Decoration::NonWritable).is_some())
    }
}

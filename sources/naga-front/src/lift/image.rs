//! Storage textures, as inputs with slots.
//!
//! The access of a storage texture is determined by the entry points' use of the texture, not by the source's declaration. A
//! storage texture that the entry points both read and write is refused.

use naga::valid::GlobalUse;
use naga::{
    Expression, GlobalVariable, Handle, ImageClass, ImageDimension, ImageQuery, StorageAccess, StorageFormat, TypeInner,
};
use sdlbc::lifting::Value;
use sdlbc::module::swizvals;
use sdlbc::{Dimension, Few, Format, Id, ImageAccess, InputKind, Op, Scalar, Type};

use super::memory::Memory;
use super::types::{self, match_by_name};
use super::{Lifter, Shared};
use sdlbc::front::RefusalKind;

fn storage(inner: &TypeInner) -> Option<StorageAccess> {
    match *inner {
        TypeInner::Image { class: ImageClass::Storage { access, .. }, .. } => Some(access),
        _ => None,
    }
}

/// Returns the SDLSHADERBC type of a storage texture, or `None` if SDLSHADERBC has no such type.
fn image(inner: &TypeInner) -> Option<Type> {
    let TypeInner::Image { dim, arrayed, class: ImageClass::Storage { format, .. } } = *inner else { return None };
    let dimension = match (dim, arrayed) {
        (ImageDimension::D2, false) => Dimension::D2,
        (ImageDimension::D2, true) => Dimension::D2Array,
        (ImageDimension::D3, false) => Dimension::D3,
        _ => return None,
    };
    let format = match_by_name! {
        format, StorageFormat => Format:
        Rgba8Unorm Rgba8Snorm Rgba8Uint Rgba8Sint Rgba16Uint Rgba16Sint Rgba16Float R32Uint
        R32Sint R32Float Rg32Uint Rg32Sint Rg32Float Rgba32Uint Rgba32Sint Rgba32Float;
        _ => return None,
    };
    Some(Type::Image(dimension, format))
}

impl Shared<'_> {
    /// Lays out a variable if it is a storage texture. `used` states how the entry points use the variable.
    pub(super) fn lay_out_image(&mut self, handle: Handle<GlobalVariable>, used: GlobalUse) {
        let variable = &self.module.global_variables[handle];
        let inner = &self.module.types[variable.ty].inner;
        let Some(allowed) = storage(inner) else { return };
        let name = variable.name.as_deref().unwrap_or("image");
        let span = self.module.global_variables.get_span(handle);
        let (reads, writes) = (used.contains(GlobalUse::READ), used.contains(GlobalUse::WRITE));
        let memory = match image(inner) {
            None => {
                self.refuse(types::refusal(self.module, variable.ty), span);
                None
            }
            Some(_) if reads && writes || used.contains(GlobalUse::ATOMIC) => {
                let what = "storage textures that are both read and written".to_string();
                self.refuse(RefusalKind::Variable { name: name.to_string(), what }, span);
                None
            }
            Some(ty) => {
                let is_read = reads || !writes && allowed.contains(StorageAccess::LOAD);
                let access = if is_read { ImageAccess::Read } else { ImageAccess::Write };
                let is_image = |other: &GlobalVariable| storage(&self.module.types[other.ty].inner).is_some();
                let kind = InputKind::Image { slot: self.slot_of(handle, is_image), access };
                Some(Memory::Image { name: self.unique(name), ty, kind })
            }
        };
        self.memories.insert(handle, memory);
    }
}

impl Lifter<'_, '_> {
    pub(super) fn is_image(&self, handle: Handle<Expression>) -> bool {
        self.naga_type(handle).is_some_and(|inner| storage(inner).is_some())
    }

    /// Returns the input for a storage texture, or `None` if the texture is refused.
    fn image(&mut self, handle: Handle<Expression>) -> Option<Id> {
        let Some(variable) = self.resource(handle) else {
            self.refuse(RefusalKind::Unknown { what: "the texture or sampler used here".to_string() }, handle);
            return None;
        };
        match self.shared.memories.get(&variable).cloned().flatten() {
            Some(Memory::Image { name, ty, kind }) => Some(self.resource_input(variable, &name, ty, kind)),
            _ => None,
        }
    }

    fn texel_of(
        &mut self,
        image: Handle<Expression>,
        coordinate: Handle<Expression>,
        layer: Option<Handle<Expression>>,
    ) -> Option<Few<Id>> {
        let mut operands: Few<Id> = Few::from_slice(&[self.image(image)?, self.index(coordinate)]);
        operands.extend(layer.map(|layer| self.index(layer)));
        Some(operands)
    }

    pub(super) fn image_load(
        &mut self,
        of: Handle<Expression>,
        coordinate: Handle<Expression>,
        layer: Option<Handle<Expression>>,
    ) -> Value {
        match self.texel_of(of, coordinate, layer) {
            Some(operands) => Value::One(self.lifting.emit(Op::ImageLoad, &operands)),
            None => {
                let scalar = match self.naga_type(of).and_then(image) {
                    Some(Type::Image(_, format)) => format.scalar(),
                    _ => Scalar::Float,
                };
                Value::One(self.lifting.zero(Type::Vector(scalar, 4)))
            }
        }
    }

    pub(super) fn image_store(
        &mut self,
        of: Handle<Expression>,
        coordinate: Handle<Expression>,
        layer: Option<Handle<Expression>>,
        value: Handle<Expression>,
    ) {
        let value = self.one(value);
        if let Some(mut operands) = self.texel_of(of, coordinate, layer) {
            operands.push(value);
            self.lifting.builder.emit(Op::ImageStore, &operands, &[]);
        }
    }

    /// Returns the size or the layer count of a storage texture, depending on the query.
    pub(super) fn image_query(
        &mut self,
        handle: Handle<Expression>,
        of: Handle<Expression>,
        query: ImageQuery,
    ) -> Value {
        let (dimension, lanes): (_, &[u8]) = match (self.naga_type(of).and_then(image), query) {
            (Some(Type::Image(dimension, _)), ImageQuery::Size { .. }) => {
                (dimension, if dimension == Dimension::D3 { &[0, 1, 2] } else { &[0, 1] })
            }
            (Some(Type::Image(dimension, _)), ImageQuery::NumLayers) => (dimension, &[2]),
            (None, _) => (Dimension::D2, &[0, 1]),
            _ => return self.refuse_operation("this query of a storage texture", handle),
        };
        let sizes = match self.image(of) {
            Some(texture) => self.lifting.builder.image_size(texture),
            None => self.lifting.zero(Type::Vector(Scalar::Int, dimension.sizes())),
        };
        let sizes = self.lifting.builder.swizzle(sizes, swizvals(lanes));
        // naga expects the sizes of a texture to be uints.
        Value::One(self.lifting.convert(sizes, Scalar::Uint))
    }
}

//! Converts types, locations and stages between the IR and naga.

use naga::{ArraySize, Binding, Handle, ImageDimension, ShaderStage, Span, TypeInner, VectorSize};
use sdlbc::{Dimension, FunctionKind, Interpolation, Scalar, Type};

use super::lowering::Lowering;
use crate::error::Error;

impl Lowering<'_> {
    pub(super) fn insert(&mut self, inner: TypeInner) -> Handle<naga::Type> {
        self.module.types.insert(naga::Type { name: None, inner }, Span::UNDEFINED)
    }

    /// Returns the naga type of a scalar, vector or matrix; any other type is an error.
    pub(super) fn ty(&mut self, ty: Type) -> Result<Handle<naga::Type>, Error> {
        let inner = match ty {
            Type::Vector(scalar, width) => {
                let place = (scalar as usize, usize::from(width).wrapping_sub(1));
                if let Some(&Some(known)) = self.vectors.get(place.0).and_then(|widths| widths.get(place.1)) {
                    return Ok(known);
                }
                let inner = match vector_size(width) {
                    None => TypeInner::Scalar(self.scalar(scalar)?),
                    Some(size) => TypeInner::Vector { size, scalar: self.scalar(scalar)? },
                };
                let ty = self.insert(inner);
                if let Some(known) = self.vectors.get_mut(place.0).and_then(|widths| widths.get_mut(place.1)) {
                    *known = Some(ty);
                }
                return Ok(ty);
            }
            Type::Matrix { columns, rows } => match (vector_size(columns), vector_size(rows)) {
                (Some(columns), Some(rows)) => TypeInner::Matrix { columns, rows, scalar: naga::Scalar::F32 },
                _ => return self.unsupported(format!("the type {ty}")),
            },
            _ => return self.unsupported(format!("a value of type {ty}")),
        };
        Ok(self.insert(inner))
    }

    /// Returns the naga type of a local array. An array of one element has the element's type.
    pub(super) fn local_ty(&mut self, ty: Type) -> Result<Handle<naga::Type>, Error> {
        self.array_ty(ty, false)
    }

    /// Returns the naga type of a local or shared array, whose elements may be atomic. An array of one element has the element's
    /// type.
    pub(super) fn array_ty(&mut self, ty: Type, is_atomic: bool) -> Result<Handle<naga::Type>, Error> {
        let Type::Array(scalar, width, length) = ty else { return self.ty(ty) };
        let base = self.element_ty(Type::Vector(scalar, width), is_atomic)?;
        let Some(size) = std::num::NonZeroU32::new(length).filter(|length| length.get() > 1) else { return Ok(base) };
        let bytes = u32::from(self.scalar(scalar)?.width);
        let stride = bytes * if width == 3 { 4 } else { u32::from(width) };
        Ok(self.insert(TypeInner::Array { base, size: ArraySize::Constant(size), stride }))
    }

    /// Returns the naga type of an element of memory, which may be atomic.
    pub(super) fn element_ty(&mut self, element: Type, is_atomic: bool) -> Result<Handle<naga::Type>, Error> {
        match element {
            Type::Vector(scalar, 1) if is_atomic => {
                let inner = TypeInner::Atomic(self.scalar(scalar)?);
                Ok(self.insert(inner))
            }
            _ => self.ty(element),
        }
    }

    pub(super) fn scalar(&self, scalar: Scalar) -> Result<naga::Scalar, Error> {
        Ok(match scalar {
            Scalar::Bool => naga::Scalar::BOOL,
            Scalar::Int => naga::Scalar::I32,
            Scalar::Uint => naga::Scalar::U32,
            Scalar::Float => naga::Scalar::F32,
            Scalar::Half if !self.features.halves => return self.unsupported("half floats"),
            Scalar::Half if !self.features.is_text() && self.layout.spirv < (1, 3) => {
                return self.unsupported("half floats before version 1.3");
            }
            Scalar::Half => naga::Scalar::F16,
        })
    }
}

pub(super) fn location_binding(location: u32, interpolation: Option<Interpolation>) -> Binding {
    Binding::Location {
        location,
        interpolation: interpolation.map(|interpolation| match interpolation {
            Interpolation::Perspective => naga::Interpolation::Perspective,
            Interpolation::Linear => naga::Interpolation::Linear,
            Interpolation::Flat => naga::Interpolation::Flat,
        }),
        sampling: interpolation.filter(|&i| i != Interpolation::Flat).map(|_| naga::Sampling::Center),
        blend_src: None,
        per_primitive: false,
    }
}

/// Returns naga's size of a vector with `width` components, or `None` for a scalar.
pub(super) fn vector_size(width: u8) -> Option<VectorSize> {
    match width {
        2 => Some(VectorSize::Bi),
        3 => Some(VectorSize::Tri),
        4 => Some(VectorSize::Quad),
        _ => None,
    }
}

pub(crate) fn kind_of(stage: ShaderStage) -> FunctionKind {
    match stage {
        ShaderStage::Vertex => FunctionKind::Vertex,
        ShaderStage::Compute => FunctionKind::Compute,
        _ => FunctionKind::Fragment,
    }
}

pub(crate) fn stage_of(kind: FunctionKind) -> ShaderStage {
    match kind {
        FunctionKind::Vertex => ShaderStage::Vertex,
        FunctionKind::Compute => ShaderStage::Compute,
        _ => ShaderStage::Fragment,
    }
}

pub(super) fn image_dimension(dimension: Dimension) -> ImageDimension {
    match dimension {
        Dimension::D2 | Dimension::D2Array => ImageDimension::D2,
        Dimension::D3 => ImageDimension::D3,
        Dimension::Cube | Dimension::CubeArray => ImageDimension::Cube,
    }
}

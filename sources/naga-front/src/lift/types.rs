//! SDLSHADERBC's equivalents of naga's types, and the layout of naga's types in memory.

use naga::{ArraySize, GlobalVariable, Handle, ImageClass, ImageDimension, Module, ScalarKind, TypeInner};
use sdlbc::lifting::Shape;
use sdlbc::{Dimension, Id, Scalar, Texel, Type};

use sdlbc::front::RefusalKind;

/// Expands to a `match` that maps each variant of one enum to the variant of the same name in another. The arms after the names
/// follow unchanged.
macro_rules! match_by_name {
    ($value:expr, $from:ident => $to:ident: $($name:ident)*; $($rest:tt)*) => {
        match $value {
            $($from::$name => $to::$name,)*
            $($rest)*
        }
    };
}
pub(crate) use match_by_name;

/// Returns the SDLSHADERBC type for a scalar type of naga, or `None` if SDLSHADERBC has no such type.
pub(crate) fn scalar(scalar: naga::Scalar) -> Option<Scalar> {
    match (scalar.kind, scalar.width) {
        (ScalarKind::Bool, _) => Some(Scalar::Bool),
        (ScalarKind::Sint, 4) => Some(Scalar::Int),
        (ScalarKind::Uint, 4) => Some(Scalar::Uint),
        (ScalarKind::Float, 4) => Some(Scalar::Float),
        (ScalarKind::Float, 2) => Some(Scalar::Half),
        _ => None,
    }
}

/// Returns the type of a scalar, a vector or a matrix of floats, or `None` for a type of any other kind.
pub(crate) fn value(inner: &TypeInner) -> Option<Type> {
    match *inner {
        TypeInner::Scalar(of) | TypeInner::Atomic(of) => Some(Type::Vector(scalar(of)?, 1)),
        TypeInner::Vector { size, scalar: of } => Some(Type::Vector(scalar(of)?, size as u8)),
        TypeInner::Matrix { columns, rows, scalar: of } if scalar(of) == Some(Scalar::Float) => {
            Some(Type::Matrix { columns: columns as u8, rows: rows as u8 })
        }
        _ => None,
    }
}

/// Returns the SDLSHADERBC type of a sampled texture, or `None` if SDLSHADERBC has no such type.
pub(crate) fn texture(inner: &TypeInner) -> Option<Type> {
    let TypeInner::Image { dim, arrayed, class } = *inner else { return None };
    let dimension = match (dim, arrayed) {
        (ImageDimension::D2, false) => Dimension::D2,
        (ImageDimension::D2, true) => Dimension::D2Array,
        (ImageDimension::D3, false) => Dimension::D3,
        (ImageDimension::Cube, false) => Dimension::Cube,
        (ImageDimension::Cube, true) => Dimension::CubeArray,
        (ImageDimension::D1, _) | (ImageDimension::D3, true) => return None,
    };
    let texel = match class {
        ImageClass::Sampled { kind: ScalarKind::Float, multi: false } => Texel::Float,
        ImageClass::Sampled { kind: ScalarKind::Sint, multi: false } => Texel::Int,
        ImageClass::Sampled { kind: ScalarKind::Uint, multi: false } => Texel::Uint,
        ImageClass::Depth { multi: false } => Texel::Depth,
        // The frames of a video, which an application copies into a 2D texture where there are no external textures.
        ImageClass::External => Texel::Float,
        _ => return None,
    };
    Some(Type::Texture(dimension, texel)).filter(|ty| Type::TEXTURES.contains(ty))
}

/// Returns the group and binding of a variable, which determine the order of slots.
pub(crate) fn binding(module: &Module, variable: Handle<GlobalVariable>) -> Option<(u32, u32)> {
    module.global_variables[variable].binding.map(|binding| (binding.group, binding.binding))
}

/// The parts of a structure or an array.
pub(crate) enum Parts {
    /// The fields of a structure: their types and their offsets in bytes.
    Fields(Vec<(Handle<naga::Type>, u32)>),
    /// The elements of an array: their type, their number, and their stride in bytes.
    Elements(Handle<naga::Type>, u32, u32),
}

/// Returns the parts of a structure, or of an array whose length is known.
pub(crate) fn parts(inner: &TypeInner) -> Option<Parts> {
    match inner {
        TypeInner::Struct { members, .. } => {
            Some(Parts::Fields(members.iter().map(|member| (member.ty, member.offset)).collect()))
        }
        TypeInner::Array { base, size: ArraySize::Constant(length), stride } => {
            Some(Parts::Elements(*base, length.get(), *stride))
        }
        _ => None,
    }
}

/// Returns the names of a structure's fields.
pub(crate) fn field_names(inner: &TypeInner) -> Vec<&str> {
    match inner {
        TypeInner::Struct { members, .. } => {
            members.iter().map(|member| member.name.as_deref().unwrap_or("field")).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the shape of a type's values, with a float in place of each unsupported type.
pub(crate) fn shape(module: &Module, ty: Handle<naga::Type>) -> Shape {
    let inner = &module.types[ty].inner;
    match parts(inner) {
        Some(Parts::Fields(fields)) => {
            let fields = field_names(inner).into_iter().zip(fields);
            Shape::Fields(fields.map(|(name, (ty, _))| (name.to_string(), shape(module, ty))).collect())
        }
        Some(Parts::Elements(base, length, _)) => Shape::Elements(Box::new(shape(module, base)), length),
        None => Shape::One(value(inner).unwrap_or(Type::FLOAT)),
    }
}

pub(crate) fn is_pointer(inner: &TypeInner) -> bool {
    matches!(inner, TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. })
}

/// Returns the stride, in bytes, that WGSL defines for the columns of a matrix in memory.
pub(crate) const fn column_stride(rows: u8) -> u32 {
    if rows == 2 { 8 } else { 16 }
}

/// An address in an array or a buffer: an index that the shader computes, and a constant offset.
#[derive(Clone, Copy, Default)]
pub(crate) struct Address {
    pub(crate) index: Option<Id>,
    pub(crate) bytes: u32,
}

impl Address {
    pub(crate) const fn after(self, bytes: u32) -> Address {
        Address { bytes: self.bytes.wrapping_add(bytes), ..self }
    }
}

/// The element from which a type is built in memory: a 32-bit scalar, or a vector of two or four such scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) scalar: Scalar,
    pub(crate) width: u8,
    /// The component type of the type's atomic scalars, if any; uint if there are ints and uints.
    pub(crate) atomic: Option<Scalar>,
}

impl Element {
    pub(crate) const fn size(self) -> u32 {
        4 * self.width as u32
    }

    /// Returns an element from which both `self` and `other` can be built, if `other` lies at the byte offset `offset`. Elements
    /// of different component types yield an element of the atomic scalars' type, or of uints if there are none.
    fn with(self, other: Element, offset: u32) -> Element {
        let atomic = match (self.atomic, other.atomic) {
            (Some(a), Some(b)) if a != b => Some(Scalar::Uint),
            (a, b) => a.or(b),
        };
        let scalar = if self.scalar == other.scalar { self.scalar } else { atomic.unwrap_or(Scalar::Uint) };
        let is_same = self.width == other.width && offset.is_multiple_of(other.size());
        Element { scalar, width: if is_same { self.width } else { 1 }, atomic }
    }
}

/// Returns the element from which each type of the module is built. An entry is `None` if the type has scalars that are not 32
/// bits wide.
pub(crate) fn elements(module: &Module) -> Vec<Option<Element>> {
    let mut elements: Vec<Option<Element>> = Vec::with_capacity(module.types.len());
    for (_, ty) in module.types.iter() {
        // In naga's arena, a type follows the types of its parts.
        let of = |ty: Handle<naga::Type>| elements.get(ty.index()).copied().flatten();
        let element = match &ty.inner {
            TypeInner::Struct { members, .. } => members
                .iter()
                .map(|member| Some((of(member.ty)?, member.offset)))
                .reduce(|all, member| {
                    let ((all, first), (member, offset)) = (all?, member?);
                    Some((all.with(member, offset), first))
                })
                .flatten()
                .map(|(element, _)| element),
            &TypeInner::Array { base, stride, .. } => of(base).map(|element| element.with(element, stride)),
            inner => match value(inner) {
                Some(Type::Vector(scalar, width)) if scalar.has_32_bits() => {
                    let atomic = matches!(inner, TypeInner::Atomic(_)).then_some(scalar);
                    Some(Element { scalar, width, atomic })
                }
                Some(Type::Matrix { rows, .. }) => Some(Element { scalar: Scalar::Float, width: rows, atomic: None }),
                _ => None,
            }
            .map(|element| Element { width: if element.width == 3 { 1 } else { element.width }, ..element }),
        };
        elements.push(element);
    }
    elements
}

/// Returns the name of a type for use in messages.
pub(crate) fn name(module: &Module, ty: Handle<naga::Type>) -> String {
    use naga::common::wgsl::TypeContext;
    match &module.types[ty] {
        naga::Type { name: Some(name), .. } => name.clone(),
        _ => module.types.type_to_string(ty),
    }
}

pub(crate) fn refusal(module: &Module, ty: Handle<naga::Type>) -> RefusalKind {
    RefusalKind::Type { name: name(module, ty) }
}

/// Returns the number of scalars, vectors and matrix columns in each type of the module.
pub(crate) fn leaves(module: &Module) -> Vec<u64> {
    let mut leaves: Vec<u64> = Vec::with_capacity(module.types.len());
    for (_, ty) in module.types.iter() {
        let of = |ty: Handle<naga::Type>| leaves.get(ty.index()).copied().unwrap_or(1);
        let count = match (parts(&ty.inner), &ty.inner) {
            (Some(Parts::Fields(fields)), _) => fields.iter().map(|&(ty, _)| of(ty)).fold(0, u64::saturating_add),
            (Some(Parts::Elements(base, length, _)), _) => of(base).saturating_mul(u64::from(length)),
            (None, TypeInner::Matrix { columns, .. }) => *columns as u64,
            _ => 1,
        };
        leaves.push(count);
    }
    leaves
}

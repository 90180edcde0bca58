//! Storage textures, and reads and writes of their texels.

use rspirv::spirv::{Dim, ImageFormat};
use sdlbc::lifting::Value;
use sdlbc::module::swizvals;
use sdlbc::{Dimension, Few, Format, Id, ImageAccess, InputKind, Scalar, Type};

use super::Lifter;
use super::image::Operands;
use super::pointer::Resource;
use crate::accepted::Texels;
use crate::module::Image;
use crate::words::{Inst, name};
use sdlbc::front::RefusalKind;

/// Returns the format of a storage texture, if SDLSHADERBC has it.
fn format(format: ImageFormat) -> Option<Format> {
    Some(match Texels::of(format)? {
        Texels::Rgba8 => Format::Rgba8Unorm,
        Texels::Rgba8Snorm => Format::Rgba8Snorm,
        Texels::Rgba8ui => Format::Rgba8Uint,
        Texels::Rgba8i => Format::Rgba8Sint,
        Texels::Rgba16ui => Format::Rgba16Uint,
        Texels::Rgba16i => Format::Rgba16Sint,
        Texels::Rgba16f => Format::Rgba16Float,
        Texels::R32ui => Format::R32Uint,
        Texels::R32i => Format::R32Sint,
        Texels::R32f => Format::R32Float,
        Texels::Rg32ui => Format::Rg32Uint,
        Texels::Rg32i => Format::Rg32Sint,
        Texels::Rg32f => Format::Rg32Float,
        Texels::Rgba32ui => Format::Rgba32Uint,
        Texels::Rgba32i => Format::Rgba32Sint,
        Texels::Rgba32f => Format::Rgba32Float,
    })
}

impl<'m> Lifter<'_, 'm> {
    /// Returns the format that the options give to a storage texture without a format.
    fn given_format(&mut self, variable: u32, of: &Image) -> Option<Format> {
        let name =
            self.shared.images.get(&variable).cloned().unwrap_or_else(|| self.module().name(variable).to_string());
        let given = self.shared.texel_formats.iter().find(|(own, _)| *own == name).map(|(_, format)| *format);
        let scalar = of.texel.unwrap_or(Scalar::Float);
        if given.is_none_or(|format| format.scalar() != scalar) {
            self.refuse(RefusalKind::TexelFormat { name, scalar, given });
            return None;
        }
        given
    }

    /// Returns the input of a storage texture, and its dimension.
    pub(super) fn storage(&mut self, image: Resource) -> Option<(Id, Dimension)> {
        let of = self.image_type(image)?;
        let format = match of.format.filter(|_| of.is_storage && of.dimension().is_some()) {
            Some(ImageFormat::Unknown) => Some(self.given_format(image.variable, &of)?),
            own => own.and_then(format),
        };
        let ty = of.dimension().zip(format).map(|(dimension, format)| Type::Image(dimension, format));
        let (Some(ty @ Type::Image(dimension, _)), true) = (ty, of.is_storage) else {
            let name = match of.format {
                _ if of.dim == Some(Dim::DimSubpassData) => of.describe(),
                Some(format) if format != ImageFormat::Unknown && of.is_storage => {
                    format!("{} of the format {format:?}", of.describe())
                }
                _ => of.describe(),
            };
            self.refuse(RefusalKind::Types { what: name });
            return None;
        };
        if !Type::IMAGES.contains(&dimension) {
            self.refuse(RefusalKind::Types { what: format!("storage {}", of.describe()) });
            return None;
        }
        let Some(name) = self.shared.images.get(&image.variable).cloned() else {
            self.refuse(RefusalKind::Types { what: "arrays of storage textures".to_string() });
            return None;
        };
        let slot = self.shared.slot_of(image.variable, |other| self.shared.is_image(other));
        self.shared.image_slots.insert(slot, image.variable);
        // Whether a storage texture is read or written is known only after all functions are lifted.
        let kind = InputKind::Image { slot, access: ImageAccess::Read };
        Some((self.resource_input(image, &name, ty, kind), dimension))
    }

    /// Reads a texel of a storage texture.
    pub(super) fn read_texel(&mut self, inst: &Inst<'m>) -> Value {
        let operands = Operands::read(inst.args.get(2..).unwrap_or_default());
        if let Some(lacks) = operands.lacks {
            return self.refuse_instruction(format!("{} with {lacks}", name(inst.op)), inst.ty);
        }
        let Some((image, _)) = self.sampled(inst.arg(0)) else { return self.zero(inst.ty) };
        self.shared.read.insert(image.variable);
        let Some((id, dimension)) = self.storage(image) else { return self.zero(inst.ty) };
        let (position, layer, _) = self.coordinate(inst.arg(1), dimension, false);
        let position = self.lifting.convert(position, Scalar::Int);
        let texel = self.lifting.builder.image_load(id, position, layer);
        let width = self.module().value_type(inst.ty).and_then(Type::width).unwrap_or(4);
        let lanes: Vec<u8> = (0..width).collect();
        Value::One(self.lifting.builder.swizzle(texel, swizvals(&lanes)))
    }

    /// Writes a texel of a storage texture.
    pub(super) fn write_texel(&mut self, inst: &Inst<'m>) {
        let operands = Operands::read(inst.args.get(3..).unwrap_or_default());
        if let Some(lacks) = operands.lacks {
            let name = format!("{} with {lacks}", name(inst.op));
            return self.refuse(RefusalKind::Operation { name });
        }
        let Some((image, _)) = self.sampled(inst.arg(0)) else { return };
        self.shared.written.insert(image.variable);
        let Some((id, dimension)) = self.storage(image) else { return };
        let (position, layer, _) = self.coordinate(inst.arg(1), dimension, false);
        let position = self.lifting.convert(position, Scalar::Int);
        let texel = self.one(inst.arg(2));
        // The format needs four components; those that the module does not state are undefined.
        let mut parts: Few<Id> = Few::from_slice(&[texel]);
        for _ in self.lifting.width(texel)..4 {
            let scalar = self.lifting.scalar_of(texel);
            parts.push(self.lifting.number(scalar, 0));
        }
        let texel = self.lifting.vector(&parts);
        self.lifting.builder.image_store(id, position, layer, texel);
    }
}

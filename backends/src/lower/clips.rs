//! Clip distances: outputs that are single floats. In a target, one member of the result contains several of them.
//!
//! Rule: these members are the last of the result, in the order of the indices.

use std::num::NonZeroU32;

use naga::{ArraySize, Binding, BuiltIn, Handle, StructMember, TypeInner};
use sdlbc::{FunctionOutput, OutputKind, Type};

use super::lowering::Lowering;
use super::types::{location_binding, vector_size};
use crate::error::Error;
use crate::features::Clips;

/// The location of the first vector of clip distances, in place of a builtin that naga lacks. No varying has such a high
/// location.
pub(crate) const LOCATION: u32 = 1000;

/// Clip distances per vector.
const WIDTH: usize = 4;

/// Returns the outputs that are clip distances, grouped by the member that contains them, as indices into the function's outputs.
pub(super) fn members(outputs: &[FunctionOutput], clips: Clips) -> Vec<Vec<usize>> {
    let distances = outputs.iter().enumerate().filter_map(|(place, output)| match output.kind {
        OutputKind::ClipDistance { index } => Some((index, place)),
        _ => None,
    });
    let mut found: Vec<(u32, usize)> = distances.collect();
    found.sort_unstable();
    let places: Vec<usize> = found.into_iter().map(|(_, place)| place).collect();
    let most = if clips == Clips::Vectors { WIDTH } else { places.len().max(1) };
    places.chunks(most).map(<[usize]>::to_vec).collect()
}

impl Lowering<'_> {
    /// Returns the `number`th member of the result that contains clip distances; it contains `count` of them.
    pub(super) fn clip_member(
        &mut self,
        (number, count): (u32, usize),
        label: String,
        offset: u32,
    ) -> Result<StructMember, Error> {
        let ty = match self.clip_type(count)? {
            Some(ty) => ty,
            None => self.ty(Type::FLOAT)?,
        };
        let binding = match self.features.clips {
            Clips::Array => Binding::BuiltIn(BuiltIn::ClipDistances),
            Clips::Vectors => location_binding(LOCATION + number, Some(sdlbc::Interpolation::Perspective)),
        };
        Ok(StructMember { name: Some(label), ty, binding: Some(binding), offset })
    }

    /// Returns the type of a member that contains `count` clip distances, or `None` if it is a single float.
    pub(super) fn clip_type(&mut self, count: usize) -> Result<Option<Handle<naga::Type>>, Error> {
        if self.features.clips == Clips::Vectors {
            let width = u8::try_from(count).unwrap_or(u8::MAX);
            return vector_size(width).map(|_| self.ty(Type::floats(width))).transpose();
        }
        let base = self.ty(Type::FLOAT)?;
        let size = u32::try_from(count).ok().and_then(NonZeroU32::new);
        let size = size.ok_or_else(|| Error::Internal("no clip distances".to_string()))?;
        Ok(Some(self.insert(TypeInner::Array { base, size: ArraySize::Constant(size), stride: 4 })))
    }
}

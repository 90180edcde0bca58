//! Lowers clip distances. In the IR, each clip distance is a separate float output; in a target, one member of the result
//! contains several clip distances.
//!
//! Rule: clip distances are the last members of the result, in the order of their indices.

use std::num::NonZeroU32;

use naga::{ArraySize, Binding, BuiltIn, Handle, StructMember, TypeInner};
use sdlbc::{FunctionOutput, OutputKind, Type};

use super::lowering::Lowering;
use super::types::{location_binding, vector_size};
use crate::error::Error;
use crate::features::Clips;

/// The location of the first vector of clip distances. naga has no builtin for vectors of clip distances, so a location stands
/// for each vector. No varying has such a high location.
pub(crate) const LOCATION: u32 = 1000;

/// The number of clip distances in a vector.
const WIDTH: usize = 4;

/// Returns the indices of the outputs that are clip distances, grouped by the result member that contains them.
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
    /// Returns a result member with `count` clip distances. `number` is the member's index among the members with clip distances.
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

    /// Returns the type of a result member with `count` clip distances, or `None` for a single float.
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

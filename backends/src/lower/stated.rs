//! The groups and bindings that the source of a module states, for layouts that keep them.
//!
//! Rule: a layout that keeps the source's bindings gives each resource the place in the debug table. The only resources without a
//! place of their own are the samplers of combined textures in targets that separate them, and push constants in targets that
//! lack them. Both get places after those of the source.

use std::collections::{BTreeMap, BTreeSet};

use sdlbc::{Id, Module, SourceBinding};

use crate::error::Error;
use crate::layout::{Layout, Numbering};
use crate::members::Members;

/// The places that a module's source states; empty if the layout does not keep them, or if the source states none.
#[derive(Debug, Default)]
pub(super) struct Stated {
    /// The place of each resource, by function and id.
    by_input: BTreeMap<(usize, Id), SourceBinding>,
    /// The places of combined textures, in ascending order.
    combined: BTreeSet<[u32; 2]>,
    /// The first binding of each group above those of the source.
    free: BTreeMap<u32, u32>,
}

impl Stated {
    pub(super) fn new(module: &Module, layout: &Layout) -> Stated {
        let mut stated = Stated::default();
        if layout.numbering != Numbering::Source {
            return stated;
        }
        for debug in &module.debug.functions {
            let inputs = module.functions.get(debug.function as usize).map(|of| &of.inputs[..]).unwrap_or_default();
            for (&id, &binding) in &debug.bindings {
                stated.by_input.insert((debug.function as usize, id), binding);
                let SourceBinding::Bound { place, sampler } = binding else { continue };
                for [group, number] in [place].into_iter().chain(sampler) {
                    let free = stated.free.entry(group).or_default();
                    *free = (*free).max(number.saturating_add(1));
                }
                let is_texture =
                    |input: &sdlbc::Input| input.id == id && matches!(input.kind, sdlbc::InputKind::Texture { .. });
                if sampler.is_none() && inputs.iter().any(is_texture) {
                    stated.combined.insert(place);
                }
            }
        }
        stated
    }

    /// Returns the place that the source states for an input of a function; `None` if no place in the module is kept.
    ///
    /// # Errors
    /// Returns an error if the source states places, but none for this input.
    pub(super) fn of(
        &self,
        function: usize,
        input: &sdlbc::Input,
        members: &Members,
    ) -> Result<Option<SourceBinding>, Error> {
        // The parts of an array have the place of the array.
        let id = members.get(&(function, input.id)).map_or(input.id, |part| part.array);
        match self.by_input.get(&(function, id)) {
            None if !self.by_input.is_empty() => Err(Error::NoBinding { name: input.name.clone() }),
            stated => Ok(stated.copied()),
        }
    }

    /// Returns the place for the sampler of a combined texture, in targets that separate them.
    pub(super) fn sampler_of(&self, place: [u32; 2]) -> [u32; 2] {
        let [group, _] = place;
        let before = self.combined.range([group, 0]..place).count();
        let first = self.free.get(&group).copied().unwrap_or(0);
        [group, first.saturating_add(u32::try_from(before).unwrap_or(u32::MAX))]
    }

    /// Returns the place for push constants, in targets that lack them.
    pub(super) fn instead_of_push(&self) -> [u32; 2] {
        [self.free.last_key_value().map_or(0, |(group, _)| group.saturating_add(1)), 0]
    }

    /// Reports whether the bindings of the source can be binding points and texture units in GLSL: the source uses one group, and
    /// combines all textures with their samplers.
    pub(super) fn has_binding_points(&self) -> bool {
        let is_separate = |of: &SourceBinding| matches!(of, SourceBinding::Bound { sampler: Some(_), .. });
        !self.by_input.is_empty() && self.free.len() <= 1 && !self.by_input.values().any(is_separate)
    }
}

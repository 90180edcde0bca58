//! The groups and numbers that a source states for its resources.
//!
//! Rule: in HLSL and in GLSL for OpenGL, an array of resources takes as many consecutive numbers as it has elements, so each element has a
//! number of its own. In Vulkan, an array has a single number, which resources of their own cannot share.

use rspirv::spirv::StorageClass;
use sdlbc::SourceBinding;
use sdlbc::front::Convention;

use super::Shared;
use super::pointer::Resource;
use crate::module::Ty;

/// The kinds of resources that HLSL or OpenGL number separately.
#[derive(PartialEq, Eq)]
enum Kind {
    Uniform,
    Sampler,
    Other,
}

impl Shared<'_> {
    /// Returns the place that the source states for a resource; `None` if the source states none, or none for an element alone.
    pub(super) fn source_binding(&self, resource: Resource) -> Option<SourceBinding> {
        let variable = resource.variable;
        let global = self.module.globals.get(&variable)?;
        if global.class == StorageClass::PushConstant {
            return Some(SourceBinding::Push);
        }
        let (group, number) = self.binding(variable);
        if number == u32::MAX {
            return None;
        }
        let number = match self.module.types.get(&global.ty) {
            Some(Ty::RuntimeArray { .. }) => return None,
            Some(Ty::Array { .. }) if !self.has_numbers_for_elements(variable) => return None,
            Some(Ty::Array { .. }) => number.checked_add(resource.element).filter(|number| *number != u32::MAX)?,
            _ => number,
        };
        Some(SourceBinding::Bound { place: [group, number], sampler: None })
    }

    /// Reports whether each element of an array of resources has a number of its own, which no other resource has.
    fn has_numbers_for_elements(&self, variable: u32) -> bool {
        let (count, _) = self.elements_of(variable);
        let (group, first) = self.binding(variable);
        let has_number = |other: u32| {
            let (own, number) = self.binding(other);
            own == group && number > first && number - first < count && self.kind(other) == self.kind(variable)
        };
        matches!(self.convention, Convention::Direct3d | Convention::OpenGl)
            && !self.module.globals.keys().any(|&other| has_number(other))
    }

    fn kind(&self, variable: u32) -> Kind {
        let (_, ty) = self.elements_of(variable);
        match self.module.types.get(&ty) {
            Some(Ty::Sampler) => Kind::Sampler,
            _ if self.is_uniform(variable) => Kind::Uniform,
            _ => Kind::Other,
        }
    }
}

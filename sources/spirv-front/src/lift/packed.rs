//! Inputs and outputs that share a location: the decoration Component places each of them at some components of the location's vector.
//!
//! In the format, each location has one input or output. Parts of variables that share a location become one vector, and each part reads or
//! writes its components of the vector. Parts of different types, or with different interpolation, are refused as before.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::spirv::StorageClass;
use sdlbc::builder::Lane;
use sdlbc::{Few, Id, Interpolation, Scalar, Type};

use super::Lifter;
use super::interface::{MOST_PARTS, Part, locations};
use crate::module::Ty;

/// The vector at a location.
#[derive(Clone, Debug)]
pub(super) struct Pack {
    /// The decorations of the vector, and its name, which consists of the names of its parts.
    pub(super) part: Part,
    scalar: Scalar,
    width: u8,
}

impl Pack {
    /// Returns the type of the vector.
    pub(super) fn ty(&self) -> Type {
        Type::Vector(self.scalar, self.width)
    }

    fn new(part: &Part, ty: Type) -> Option<Pack> {
        let Type::Vector(scalar, _) = ty else { return None };
        Pack { part: Part { component: 0, name: String::new(), ..part.clone() }, scalar, width: 1 }.with(part, ty)
    }

    /// Adds a part. Returns `None` if the vector cannot contain it.
    fn with(mut self, part: &Part, ty: Type) -> Option<Pack> {
        let Type::Vector(scalar, width) = ty else { return None };
        let end = u8::try_from(part.component).ok()?.checked_add(width).filter(|end| *end <= 4)?;
        if !part.is_like(&self.part) {
            return None;
        }
        if scalar != self.scalar {
            // The bits of values that are not interpolated pass as uints.
            if part.interpolation != Some(Interpolation::Flat) {
                return None;
            }
            self.scalar = Scalar::Uint;
        }
        self.width = self.width.max(end);
        if !part.name.is_empty() {
            let link = if self.part.name.is_empty() { "" } else { "_" };
            self.part.name = format!("{}{link}{}", self.part.name, part.name);
        }
        Some(self)
    }
}

impl<'m> Lifter<'_, 'm> {
    /// Returns the vectors at the locations that variables of a storage class share, by location.
    pub(super) fn packs(&self, class: StorageClass, used: &BTreeSet<u32>) -> BTreeMap<u32, Pack> {
        let mut parts = Vec::new();
        for &id in used {
            let global = self.module().globals.get(&id).filter(|global| global.class == class);
            if let Some(global) = global
                && self.module().shape(global.ty).is_some_and(|shape| shape.leaves() <= MOST_PARTS)
            {
                self.add_parts(global.ty, &self.variable_part(id), 0, &mut parts);
            }
        }
        let mut by_location: BTreeMap<u32, Vec<(Part, Type)>> = BTreeMap::new();
        for (part, ty) in parts {
            if let (Some(location), None) = (part.location, part.builtin) {
                by_location.entry(location).or_default().push((part, ty));
            }
        }
        by_location.retain(|_, parts| parts.iter().any(|(part, _)| part.component != 0));
        by_location.into_iter().filter_map(|(location, parts)| Some((location, pack(parts)?))).collect()
    }

    /// Returns the location that a part of an input or output shares with others, and the vector at that location.
    pub(super) fn pack(&self, part: &Part, class: StorageClass) -> Option<(u32, Pack)> {
        let location = part.location.filter(|_| part.builtin.is_none())?;
        let packs = if class == StorageClass::Input { &self.input_packs } else { &self.output_packs };
        Some((location, packs.get(&location)?.clone()))
    }

    /// Adds the scalars, the vectors and the columns of an input or output variable.
    fn add_parts(&self, ty: u32, part: &Part, depth: u32, all: &mut Vec<(Part, Type)>) {
        let module = self.module();
        let at = |number: u32, each: u32| {
            let location = part.location.map(|location| location.saturating_add(number.saturating_mul(each)));
            Part { location, ..part.clone() }
        };
        match module.types.get(&ty) {
            Some(Ty::Struct(members)) if depth < 64 => {
                let mut before = 0;
                for (number, &member) in (0..).zip(members) {
                    self.add_parts(member, &self.member_part(part, ty, number, before), depth + 1, all);
                    before = before.saturating_add(locations(module, member, 0));
                }
            }
            Some(&Ty::Array { element, length, .. }) if depth < 64 => {
                let each = locations(module, element, 0);
                for number in 0..module.length(length).unwrap_or(0).min(256) {
                    self.add_parts(element, &at(number, each), depth + 1, all);
                }
            }
            Some(&Ty::Value(Type::Matrix { columns, rows })) => {
                all.extend((0..u32::from(columns)).map(|column| (at(column, 1), Type::floats(rows))));
            }
            Some(&Ty::Value(Type::Vector(Scalar::Half, width))) => all.push((part.clone(), Type::floats(width))),
            Some(&Ty::Value(own)) => all.push((part.clone(), own)),
            _ => {}
        }
    }

    /// Returns a part, of a type, of an input that is the vector at a location.
    pub(super) fn unpacked(&mut self, whole: Id, component: u32, ty: Type) -> Id {
        let Type::Vector(scalar, width) = ty else { return whole };
        let first = u8::try_from(component).unwrap_or(0);
        let lanes: Few<Lane> = (first..first.saturating_add(width)).map(|lane| Lane { value: whole, lane }).collect();
        let own = self.lifting.builder.gather(&lanes);
        self.lifting.outermost(|lifting| match scalar {
            Scalar::Half => lifting.convert(own, scalar),
            _ => lifting.bits_as(own, scalar),
        })
    }

    /// Returns a vector with parts at the given components. Components without a part are 0.
    pub(super) fn packed(&mut self, ty: Type, parts: &[(u32, Id)]) -> Id {
        let Type::Vector(scalar, width) = ty else { return Id::NONE };
        let zero = self.lifting.number(scalar, 0);
        let mut lanes: Few<Lane> = (0..width).map(|_| Lane { value: zero, lane: 0 }).collect();
        for &(component, value) in parts {
            let value = match self.lifting.scalar_of(value) {
                Scalar::Half => self.lifting.convert(value, Scalar::Float),
                _ => value,
            };
            let value = self.lifting.bits_as(value, scalar);
            let own = (0..self.lifting.width(value)).map(|lane| Lane { value, lane });
            for (place, lane) in lanes.iter_mut().skip(component as usize).zip(own) {
                *place = lane;
            }
        }
        self.lifting.builder.gather(&lanes)
    }
}

/// Returns the vector that contains parts, if there is one.
fn pack(parts: Vec<(Part, Type)>) -> Option<Pack> {
    let mut parts = parts.into_iter();
    let (part, ty) = parts.next()?;
    parts.try_fold(Pack::new(&part, ty)?, |pack, (part, ty)| pack.with(&part, ty))
}

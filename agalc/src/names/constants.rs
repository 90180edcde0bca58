//! The members of an array of constants. Each member has a name, a range of registers and a type.
//!
//! Rule: a name fits only if its type contains, at the same position, every component that the program reads from the name's
//! registers. A name without a type gets the smallest type that fits.
//!
//! A read at a computed index may reach any register from the read's base to the end of the constants. The registers that a
//! computed read may reach form one array, so no other name may begin inside the array. If a name states the array's length,
//! other names may begin after the array's end.

use std::collections::BTreeMap;

use agal_front::assemble::Extent;
use sdlbc::{Member, Type, limits};

use super::entry::{Entry, identifier};
use super::error::{NameErrorKind, NameWarningKind};
use super::outcome::{Outcome, Taken};
use super::types::{ValueType, VertexFormat};
use super::usage::Usage;

pub(super) struct Constants<'a> {
    pub(super) usage: &'a Usage,
    pub(super) length: u32,
    /// Whether other functions also read the array, in which case its length must not change.
    pub(super) is_shared: bool,
}

/// A name and the registers that it covers so far.
#[derive(Clone, Copy)]
struct Claim<'e> {
    entry: &'e Entry,
    ty: Option<ValueType>,
    first: u32,
    last: u32,
    /// The first component and the number of components, if the name covers only part of one register.
    part: Option<(u8, u8)>,
    /// Whether the name may be extended to the following registers. This is the case if it has no type and is for one register.
    may_grow: bool,
}

impl Claim<'_> {
    /// Reports whether the name states the end of an array. Computed indices are assumed not to reach beyond this end.
    fn has_end(&self) -> bool {
        let is_range = matches!(self.entry.registers.extent, Extent::Whole { last: Some(_), .. });
        let is_array = matches!(self.ty, Some(ValueType::Array(Some(_)))) || is_range && self.first < self.last;
        is_array && self.entry.origin.is_explicit()
    }

    /// Returns the claim's first component and the first component after the claim, counted from the start of the array.
    fn components(&self) -> (u64, u64) {
        let at = |register: u32, component: u8| 4 * u64::from(register) + u64::from(component);
        match self.part {
            Some((component, count)) => (at(self.first, component), at(self.first, component) + u64::from(count)),
            None => (at(self.first, 0), at(self.last, 0) + 4),
        }
    }
}

type Claims<'e> = BTreeMap<u64, Claim<'e>>;

impl Constants<'_> {
    /// Returns the members that the entries define, and the array length that these members need. The entries must be in
    /// descending order of rank, and `kept` must contain the array's existing members.
    pub(super) fn members(&self, entries: &[&Entry], kept: &[Member], outcome: &mut Outcome) -> (Vec<Member>, u32) {
        let mut claims = Claims::new();
        for &entry in entries {
            match self.claim(entry) {
                Ok(Some(claim)) => accept(&mut claims, claim, outcome),
                Ok(None) => outcome.warn(entry, NameWarningKind::Unused),
                Err(kind) => outcome.refuse(entry, kind),
            }
        }
        self.reach(&mut claims, outcome);
        let starts: Vec<u64> = claims.keys().copied().collect();
        let next = |at: u64| starts.get(starts.partition_point(|&start| start <= at)).copied();
        let mut typed: Vec<(Claim<'_>, Type)> = Vec::new();
        let mut length = self.length;
        for (start, mut claim) in claims {
            let end = next(start).map_or(u32::MAX, |next| u32::try_from(next / 4).unwrap_or(u32::MAX));
            let ty = self.type_of(&mut claim, end);
            match self.check(&claim, ty) {
                Ok(true) => {
                    length = length.max(claim.last + 1);
                    typed.push((claim, ty));
                }
                Ok(false) => outcome.warn(claim.entry, NameWarningKind::Unused),
                Err(kind) => outcome.refuse(claim.entry, kind),
            }
        }
        (self.named(typed, kept, outcome), length)
    }

    /// Extends the claim at the base of each computed index to all registers that the index may reach, and refuses other claims
    /// on these registers.
    fn reach(&self, claims: &mut Claims<'_>, outcome: &mut Outcome) {
        for base in self.usage.indexed(0, u32::MAX) {
            let before = claims.range_mut(..4 * u64::from(base) + 4).next_back();
            let covering = before.filter(|(_, claim)| claim.last >= base).map(|(&start, claim)| (start, claim));
            let mut end = u32::MAX;
            let mut refused = None;
            if let Some((start, claim)) = covering {
                let is_matrix = || self.usage.is_matrix(claim.first, claim.last);
                if !matches!(claim.ty, Some(ValueType::Array(_))) && (claim.ty.is_some() || is_matrix()) {
                    refused = Some((start, NameErrorKind::Indexed { register: base }));
                } else if claim.has_end() {
                    end = claim.last;
                } else if claim.part.is_none() {
                    claim.last = claim.last.max(self.length.saturating_sub(1));
                    claim.ty = claim.ty.map(|_| ValueType::Array(None));
                }
            }
            let reached = claims.values().filter(|claim| claim.first > base && claim.first <= end);
            let reached = reached.map(|claim| (claim.components().0, NameErrorKind::Reached { register: base }));
            for (start, kind) in refused.into_iter().chain(reached).collect::<Vec<_>>() {
                if let Some(claim) = claims.remove(&start) {
                    outcome.refuse(claim.entry, kind);
                }
            }
        }
    }

    /// Returns the claim of an entry, or `None` for an open range in which the program reads no register.
    fn claim<'e>(&self, entry: &'e Entry) -> Result<Option<Claim<'e>>, NameErrorKind> {
        let ty = match entry.ty {
            Some(ValueType::Format(format)) if format == VertexFormat::floats(format.components()) => {
                Some(ValueType::Floats(format.components()))
            }
            Some(ty @ ValueType::Format(_)) => return Err(NameErrorKind::Format(ty)),
            ty => ty,
        };
        let takes = ty.and_then(ValueType::registers);
        let count = |takes: u32, found: u32| match (ty, takes == found) {
            (Some(ty), false) => Err(NameErrorKind::Count { ty, takes, found }),
            _ => Ok(()),
        };
        let whole = |first: u32, last: u32| Claim { entry, ty, first, last, part: None, may_grow: false };
        let claim = match entry.registers.extent {
            Extent::File => return Ok(None),
            Extent::Part { number, component, count: found } => {
                let floats = match ty {
                    None => Some(found),
                    Some(ValueType::Floats(width)) => Some(width),
                    Some(_) => None,
                };
                if floats != Some(found) {
                    let ty = ty.unwrap_or(ValueType::Floats(found));
                    return Err(NameErrorKind::Width { ty, found });
                }
                Claim { part: Some((component, found)), ..whole(number, number) }
            }
            Extent::Whole { first, last: Some(last) } if first < last => {
                takes.map_or(Ok(()), |takes| count(takes, last - first + 1))?;
                whole(first, last)
            }
            Extent::Whole { first, last } => match (takes, last, ty) {
                (Some(takes), _, _) => whole(first, first.saturating_add(takes - 1)),
                (None, Some(_), None) => Claim { may_grow: true, ..whole(first, first) },
                _ => match self.end().filter(|&end| end >= first) {
                    Some(end) => whole(first, end),
                    None => return Ok(None),
                },
            },
        };
        if claim.last >= limits::ARRAY_LENGTH {
            return Err(NameErrorKind::Beyond { length: limits::ARRAY_LENGTH });
        }
        Ok(Some(claim))
    }

    /// Returns the last register that the program may read.
    fn end(&self) -> Option<u32> {
        if self.usage.is_indexed() { self.length.checked_sub(1) } else { self.usage.last() }
    }

    /// Returns the type of a claim. If the name states no type, the type is inferred. A claim that may grow is extended at most
    /// to the register before `end`.
    fn type_of(&self, claim: &mut Claim<'_>, end: u32) -> Type {
        let count = claim.last - claim.first + 1;
        if let Some(ty) = claim.ty {
            return ty.constant(count);
        }
        if let Some((_, count)) = claim.part {
            return Type::floats(count);
        }
        let is_indexed = |first: u32, last: u32| self.usage.indexed(first, last).next().is_some();
        if claim.may_grow {
            let columns = self.usage.matrix_at(claim.first).filter(|columns| claim.first + columns <= end);
            if is_indexed(claim.first, claim.first) {
                return ValueType::Array(None).constant(claim.last - claim.first + 1);
            }
            if let Some(columns) = columns {
                claim.last = claim.first + columns - 1;
                return self.matrix(claim);
            }
            let highest = 8 - self.usage.components(claim.first).leading_zeros();
            return Type::floats(u8::try_from(highest.clamp(1, 4)).unwrap_or(4));
        }
        match is_indexed(claim.first, claim.last) {
            false if (2..=4).contains(&count) && self.usage.is_matrix(claim.first, claim.last) => self.matrix(claim),
            _ => ValueType::Array(None).constant(count),
        }
    }

    /// Returns the type of a matrix whose columns are the claim's registers, with three rows unless the program reads a fourth
    /// component.
    fn matrix(&self, claim: &Claim<'_>) -> Type {
        let rows = if self.usage.of_range(claim.first, claim.last) & 0b1000 == 0 { 3 } else { 4 };
        let columns = u8::try_from(claim.last - claim.first + 1).unwrap_or(4);
        Type::Matrix { columns, rows }
    }

    /// Checks that a claim's type covers every component that the program reads from the claim's registers. Returns whether the
    /// program uses the claim.
    fn check(&self, claim: &Claim<'_>, ty: Type) -> Result<bool, NameErrorKind> {
        let (first, last) = (claim.first, claim.last);
        let is_array = matches!(ty, Type::Array(..));
        let width = match ty {
            Type::Vector(_, width) => width,
            Type::Matrix { rows, .. } => rows,
            _ => 4,
        };
        let component = claim.part.map_or(0, |(component, _)| component);
        let is_placed = match width {
            1 => true,
            2 => component.is_multiple_of(2),
            _ => component == 0,
        };
        if !is_placed {
            return Err(NameErrorKind::Placement { ty, component });
        }
        let indexed = self.usage.indexed(first, last).next();
        let covered = ((1u8 << width) - 1) << component;
        let is_read = match claim.part {
            Some(_) => self.usage.components(first) & covered != 0,
            None => self.usage.of_range(first, last) != 0,
        };
        let may_be_read = is_array && self.usage.indexed(0, last).next().is_some();
        if !is_read && indexed.is_none() && !may_be_read {
            return Ok(false);
        }
        if let Some(register) = indexed.filter(|_| !is_array) {
            return Err(NameErrorKind::Indexed { register });
        }
        let more = (first..=last).find_map(|register| {
            let more = self.usage.components(register) & !covered & 0b1111;
            (claim.part.is_none() && more != 0).then(|| (register, more.trailing_zeros()))
        });
        if let Some((register, component)) = more {
            let component = u8::try_from(component).unwrap_or(3);
            return Err(NameErrorKind::ReadsMore { ty, register, component });
        }
        match last >= self.length && (self.is_shared || self.usage.needs_length()) {
            true => Err(NameErrorKind::Beyond { length: self.length }),
            false => Ok(true),
        }
    }

    /// Returns the claims as members whose names differ from each other and from the names of the existing members that are
    /// kept.
    fn named(&self, mut typed: Vec<(Claim<'_>, Type)>, kept: &[Member], outcome: &mut Outcome) -> Vec<Member> {
        // Names are taken in descending order of rank, so that a higher-ranked name stays unchanged.
        typed.sort_by_key(|(claim, _)| std::cmp::Reverse(claim.entry.origin.rank()));
        let member = |claim: &Claim<'_>, ty, name| {
            let component = claim.part.map_or(0, |(component, _)| u32::from(component));
            Member { name, first: claim.first, component, ty }
        };
        let mut taken = Taken::default();
        // Both lists are sorted by position, and the members of each list do not overlap.
        let mut new: Vec<Member> = typed.iter().map(|(claim, ty)| member(claim, *ty, String::new())).collect();
        new.sort_by_key(|member| (member.first, member.component));
        for old in kept.iter().filter(|old| overlapping(&new, old).is_empty()) {
            taken.insert(old.name.clone());
        }
        let mut members = Vec::new();
        for (claim, ty) in typed {
            let made = identifier(&claim.entry.name);
            let Some(name) = outcome.free_name(claim.entry, &made, &mut taken) else { continue };
            let new = member(&claim, ty, name);
            for old in overlapping(kept, &new).iter().filter(|old| old.name != new.name) {
                let (other, first) = (old.name.clone(), old.first);
                let last = first + old.elements().saturating_sub(1);
                outcome.warn(claim.entry, NameWarningKind::Replaces { other, first, last });
            }
            if let Some((first, last)) = self.usage.matrix_across(claim.first, claim.last)
                && claim.first < claim.last
                && claim.ty.is_none()
            {
                outcome.warn(claim.entry, NameWarningKind::PartOfMatrix { first, last });
            }
            members.push(new);
        }
        members.sort_by_key(|member| (member.first, member.component));
        members
    }
}

/// Returns the members that share a component with `other`. The members must be sorted by position.
pub(super) fn overlapping<'m>(members: &'m [Member], other: &Member) -> &'m [Member] {
    let place = |member: &Member| (member.first, member.component);
    let after = members.partition_point(|member| place(member) < place(other) && !member.overlaps(other));
    let rest = members.get(after..).unwrap_or_default();
    rest.get(..rest.partition_point(|member| member.overlaps(other))).unwrap_or_default()
}

/// Adds a claim, unless an earlier claim covers some of its components.
fn accept<'e>(claims: &mut Claims<'e>, claim: Claim<'e>, outcome: &mut Outcome) {
    let (start, end) = claim.components();
    let before = claims.range(..=start).next_back().filter(|(_, other)| other.components().1 > start);
    match before.or_else(|| claims.range(start..end).next()) {
        Some((_, other)) => outcome.clash(claim.entry, other.entry),
        None => drop(claims.insert(start, claim)),
    }
}

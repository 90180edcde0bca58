//! Members, which are the named parts of an array of uniforms.
//!
//! Rule: a member names array elements, or components of one element, and does not change the array's layout. An element of the
//! array is a float4 of 16 bytes, as in the uniform buffers of every target (std140, section 7.6.2.2 of the OpenGL specification;
//! "Alignment and Size" of the WGSL specification). A column of a matrix takes a complete element, regardless of the number of
//! rows. The verifier and callers that add members use the same check, [`check_members`].

use std::collections::HashSet;
use std::fmt;

use crate::messages::messages;
use crate::{Member, Scalar, Type};

/// The size of an array element, in bytes.
const ELEMENT: u32 = 16;
/// The size of a component, in bytes.
const COMPONENT: u32 = 4;

impl Member {
    /// Returns the number of array elements that the member covers, completely or in part; 0 if no member may have this type.
    ///
    /// ```
    /// use sdlbc::{Member, Type};
    ///
    /// let matrix = Type::Matrix { columns: 3, rows: 4 };
    /// let member = Member { name: "world".to_string(), first: 4, component: 0, ty: matrix };
    /// assert_eq!((member.elements(), member.offset(), member.size()), (3, 64, 48));
    /// ```
    pub const fn elements(&self) -> u32 {
        match self.ty {
            Type::Vector(Scalar::Float, 1..=4) => 1,
            Type::Matrix { columns: columns @ 2..=4, rows: 2..=4 } => columns as u32,
            Type::Array(Scalar::Float, 4, length) => length,
            _ => 0,
        }
    }

    /// Returns the byte offset of the member in the array.
    pub const fn offset(&self) -> u32 {
        self.first.saturating_mul(ELEMENT).saturating_add(self.component.saturating_mul(COMPONENT))
    }

    /// Returns the size of the member, in bytes. The size of a matrix or an array extends to the end of the last element covered.
    pub const fn size(&self) -> u32 {
        match self.ty {
            Type::Vector(Scalar::Float, width @ 1..=4) => COMPONENT * width as u32,
            _ => self.elements().saturating_mul(ELEMENT),
        }
    }

    /// Returns the part of the member that lies in an array of `length` elements. A member of array type is shortened to
    /// the end of the array. Returns `None` if the member begins past the end of the array, or if a vector or matrix
    /// extends past the end.
    ///
    /// ```
    /// use sdlbc::{Member, Scalar, Type};
    ///
    /// let bones = Member {
    ///     name: "bones".to_string(),
    ///     first: 8,
    ///     component: 0,
    ///     ty: Type::Array(Scalar::Float, 4, 120),
    /// };
    /// assert_eq!(bones.clone().within(20).map(|member| member.ty), Some(Type::Array(Scalar::Float, 4, 12)));
    /// assert_eq!(bones.within(8), None);
    /// ```
    pub fn within(mut self, length: u32) -> Option<Member> {
        let left = length.checked_sub(self.first).filter(|&left| left > 0)?;
        if let Type::Array(Scalar::Float, 4, covered) = &mut self.ty {
            *covered = left.min(*covered);
        }
        (self.elements() <= left).then_some(self)
    }

    /// Reports whether the member's type is allowed at the member's first component.
    const fn has_valid_type(&self) -> bool {
        match self.ty {
            Type::Vector(Scalar::Float, 1) => self.component < 4,
            Type::Vector(Scalar::Float, 2) => matches!(self.component, 0 | 2),
            _ => self.component == 0 && self.elements() > 0,
        }
    }

    /// Reports whether two members of the same array have a component in common.
    ///
    /// ```
    /// use sdlbc::{Member, Type};
    ///
    /// let member = |component, ty| Member { name: String::new(), first: 7, component, ty };
    /// assert!(!member(0, Type::floats(3)).overlaps(&member(3, Type::FLOAT)));
    /// assert!(member(0, Type::floats(3)).overlaps(&member(2, Type::FLOAT)));
    /// ```
    pub fn overlaps(&self, other: &Member) -> bool {
        let ((start, end), (from, to)) = (self.range(), other.range());
        start < to && from < end
    }

    /// Returns the range of array components that the member covers, with an exclusive end.
    fn range(&self) -> (u64, u64) {
        let start = 4 * u64::from(self.first) + u64::from(self.component);
        let count = match self.ty {
            Type::Vector(_, width) => u64::from(width),
            _ => 4 * u64::from(self.elements()),
        };
        (start, start + count)
    }

    /// Returns the position of the member, for display in the text form.
    pub(crate) const fn place(&self) -> Place {
        Place { first: self.first, component: self.component }
    }
}

/// The position of a member in its array, displayed as `[7]`, or as `[7].y` if the member begins inside an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) first: u32,
    pub(crate) component: u32,
}

pub(crate) const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}]", self.first)?;
        match (self.component, COMPONENTS.get(self.component as usize)) {
            (0, _) => Ok(()),
            (_, Some(name)) => write!(f, ".{name}"),
            (component, None) => write!(f, ".{component}"),
        }
    }
}

messages! {
    /// A fault in a member of an array. The message is the predicate of a lower-case sentence about the member.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum MemberFault {
        /// The member's type is not allowed, or not allowed at the member's first component.
        Type
            => "must be a float, a float2 at component x or z, or a float3, float4, matrix or array of float4 at component x";
        /// The member begins before the end of an earlier member.
        Order => "must begin after the end of the member before it";
        /// The member extends past the end of the array.
        Outside => "extends past the end of the array";
        /// The member has no name.
        Unnamed => "has no name";
        /// An earlier member of the array has the same name.
        SameName => "has the same name as an earlier member of the array";
    }
}

/// Checks the members of an array of `length` float4 elements; `None` means that the length is unknown. Returns each fault
/// with the index of the faulty member, in order. The position of a member with an invalid type is not checked.
///
/// ```
/// use sdlbc::{Member, MemberFault, Type, check_members};
///
/// let member = |name: &str, first, component, ty| Member { name: name.to_string(), first, component, ty };
/// let matrix = Type::Matrix { columns: 4, rows: 4 };
/// let mut members = vec![member("clip", 0, 0, matrix), member("fog", 4, 3, Type::FLOAT)];
/// assert_eq!(check_members(&members, Some(5)), []);
/// assert_eq!(check_members(&members, Some(4)), [(1, MemberFault::Outside)]);
/// members[1].first = 3;
/// assert_eq!(check_members(&members, Some(5)), [(1, MemberFault::Order)]);
/// ```
pub fn check_members(members: &[Member], length: Option<u32>) -> Vec<(usize, MemberFault)> {
    let mut faults = Vec::new();
    let mut names = HashSet::new();
    let mut end = 0;
    for (index, member) in members.iter().enumerate() {
        if member.name.is_empty() {
            faults.push((index, MemberFault::Unnamed));
        } else if !names.insert(&member.name) {
            faults.push((index, MemberFault::SameName));
        }
        if !member.has_valid_type() {
            faults.push((index, MemberFault::Type));
            continue;
        }
        let (start, after) = member.range();
        if start < end {
            faults.push((index, MemberFault::Order));
        }
        if length.is_some_and(|length| after > 4 * u64::from(length)) {
            faults.push((index, MemberFault::Outside));
        }
        end = end.max(after);
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(first: u32, component: u32, ty: Type) -> Member {
        Member { name: format!("m{first}_{component}"), first, component, ty }
    }

    #[test]
    fn a_type_has_its_components() {
        let matrix = |columns, rows| Type::Matrix { columns, rows };
        for (ty, components) in [
            (Type::FLOAT, &[0, 1, 2, 3][..]),
            (Type::floats(2), &[0, 2]),
            (Type::floats(3), &[0]),
            (Type::FLOAT4, &[0]),
            (matrix(2, 2), &[0]),
            (matrix(4, 3), &[0]),
            (Type::Array(Scalar::Float, 4, 7), &[0]),
            (Type::INT, &[]),
            (Type::BOOL, &[]),
            (Type::floats(5), &[]),
            (Type::floats(0), &[]),
            (matrix(1, 4), &[]),
            (matrix(4, 5), &[]),
            (Type::Array(Scalar::Float, 3, 7), &[]),
            (Type::Array(Scalar::Float, 4, 0), &[]),
            (Type::Texture(crate::Dimension::D2, crate::Texel::Float), &[]),
        ] {
            for component in [0, 1, 2, 3, 4, u32::MAX] {
                let faults = check_members(&[member(1, component, ty)], Some(100));
                let expected: &[_] = if components.contains(&component) { &[] } else { &[(0, MemberFault::Type)] };
                assert_eq!(faults, expected, "{ty} at {component}");
            }
        }
    }

    #[test]
    fn members_may_share_an_element_but_not_a_component() {
        let pairs = [
            (member(2, 0, Type::floats(3)), member(2, 3, Type::FLOAT), true),
            (member(2, 0, Type::floats(2)), member(2, 2, Type::floats(2)), true),
            (member(2, 1, Type::FLOAT), member(2, 2, Type::FLOAT), true),
            (member(2, 0, Type::floats(3)), member(2, 2, Type::floats(2)), false),
            (member(2, 1, Type::FLOAT), member(2, 0, Type::FLOAT), false),
            (member(2, 0, Type::Matrix { columns: 2, rows: 3 }), member(3, 3, Type::FLOAT), false),
            (member(2, 0, Type::Matrix { columns: 2, rows: 3 }), member(4, 0, Type::FLOAT), true),
            (member(u32::MAX, 0, Type::FLOAT4), member(u32::MAX, 0, Type::FLOAT4), false),
        ];
        for (a, b, fit) in pairs {
            let faults = check_members(&[a.clone(), Member { name: "b".to_string(), ..b.clone() }], None);
            assert_eq!(faults.is_empty(), fit, "{a:?} {b:?}: {faults:?}");
        }
    }

    #[test]
    fn a_member_ends_with_the_array() {
        for (ty, first) in [
            (Type::Matrix { columns: 4, rows: 2 }, 6),
            (Type::Array(Scalar::Float, 4, 10), 0),
            (Type::FLOAT4, 9),
            (Type::Array(Scalar::Float, 4, u32::MAX), 0),
        ] {
            let whole = member(first, 0, ty);
            let length = first.saturating_add(whole.elements());
            assert_eq!(check_members(std::slice::from_ref(&whole), Some(length)), []);
            assert_eq!(check_members(std::slice::from_ref(&whole), Some(length - 1)), [(0, MemberFault::Outside)]);
            assert_eq!(whole.clone().within(length), Some(whole.clone()));
            if let Some(cut) = whole.within(length - 1) {
                assert_eq!(check_members(&[cut], Some(length - 1)), []);
            }
        }
    }

    #[test]
    fn names_are_there_and_unique() {
        let mut members = [member(0, 0, Type::FLOAT), member(1, 0, Type::FLOAT), member(2, 0, Type::FLOAT)];
        members[0].name.clear();
        members[2].name = "m1_0".to_string();
        assert_eq!(check_members(&members, None), [(0, MemberFault::Unnamed), (2, MemberFault::SameName)]);
    }

    #[test]
    fn no_member_overflows() {
        let last = member(u32::MAX, u32::MAX, Type::Array(Scalar::Float, 4, u32::MAX));
        assert_eq!((last.offset(), last.size(), last.elements()), (u32::MAX, u32::MAX, u32::MAX));
        assert_eq!(last.within(u32::MAX), None);
    }
}

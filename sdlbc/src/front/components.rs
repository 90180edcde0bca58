//! Sets of register components, write masks and swizzles.

use std::fmt::{self, Write};

/// A set of components, such as a destination's write mask, with x, y, z and w as the bits 0 to 3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mask(pub u8);

impl Mask {
    /// The set of all four components.
    pub const ALL: Mask = Mask(0xf);

    /// Reports whether component `c` (0 to 3) is in the set.
    #[inline]
    pub const fn has(self, c: u8) -> bool {
        self.0 >> c & 1 != 0
    }

    /// Returns the components in the set, in ascending order.
    #[inline]
    pub fn components(self) -> impl Iterator<Item = u8> {
        let mut rest = self.0 & 0xf;
        std::iter::from_fn(move || {
            let component = [4, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0].get(usize::from(rest)).copied();
            rest &= rest.wrapping_sub(1);
            component.filter(|&component| component < 4)
        })
    }

    /// Returns the number of components in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        // A table with one digit for each set replaces a population count, because some processors have no instruction for
        // counting bits. The lowest digit is for the empty set.
        (0x4332_3221_3221_2110_u64 >> (4 * (self.0 & 0xf)) & 0xf) as u32
    }

    /// Returns the operand components that a cross product needs to compute the components in the set. For example, the x
    /// component needs y and z. The w component is ignored.
    #[inline]
    pub fn of_cross(self) -> Mask {
        Mask(Mask(self.0 & 7).components().fold(0, |set, c| set | 7 & !(1 << c)))
    }

    /// Reports whether the set contains no component.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 & 0xf == 0
    }
}

/// Writes the letters of the components in the set, in the order `xyzw`.
impl fmt::Display for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.components().try_for_each(|c| f.write_str(&"xyzw"[usize::from(c)..=usize::from(c)]))
    }
}

/// Returns the letter of a component: x, y, z or w for 0 to 3.
#[inline]
pub const fn letter(component: u8) -> char {
    match component & 3 {
        0 => 'x',
        1 => 'y',
        2 => 'z',
        _ => 'w',
    }
}

/// Four component selectors of two bits each, with the selector of the first slot in the lowest bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swizzle(pub u8);

/// The components that two slots of a swizzle read. The low four bits of the index are the selectors, and the two bits above them
/// are the set of slots.
#[expect(clippy::indexing_slicing, reason = "computed when compiled")]
const PAIRS: [u8; 64] = {
    let mut pairs = [0; 64];
    let mut at = 0u8;
    while at < 64 {
        pairs[at as usize] = (at >> 4 & 1) << (at & 3) | (at >> 5) << (at >> 2 & 3);
        at += 1;
    }
    pairs
};

impl Swizzle {
    /// The swizzle `.xyzw`, which changes nothing.
    pub const IDENTITY: Swizzle = Swizzle(0xe4);

    /// Returns the component (0 to 3) that slot `slot` (0 to 3) reads.
    #[inline]
    pub const fn component(self, slot: u8) -> u8 {
        self.0 >> (2 * (slot & 3)) & 3
    }

    /// Reports whether all four slots read the same component.
    #[inline]
    pub const fn is_scalar(self) -> bool {
        self.0 == self.component(0) * 0x55
    }

    /// Returns the set of components that the slots in the mask `slots` read.
    #[inline]
    pub fn reads(self, slots: Mask) -> Mask {
        if self == Swizzle::IDENTITY {
            return Mask(slots.0 & 0xf);
        }
        let of = |selectors: u8, slots: u8| PAIRS.get(usize::from(selectors & 0xf | (slots & 3) << 4)).copied();
        Mask(of(self.0, slots.0).unwrap_or(0) | of(self.0 >> 4, slots.0 >> 2).unwrap_or(0))
    }
}

/// Writes the letters of the four selectors. Repetitions of the last letter are omitted, and `.xyzw` is written as the empty
/// string.
impl fmt::Display for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Swizzle::IDENTITY {
            return Ok(());
        }
        let letters = [0, 1, 2, 3].map(|slot| letter(self.component(slot)));
        let length = match letters {
            [_, _, c, d] if c != d => 4,
            [_, b, c, _] if b != c => 3,
            [a, b, ..] if a != b => 2,
            _ => 1,
        };
        f.write_str(".")?;
        letters.into_iter().take(length).try_for_each(|letter| f.write_char(letter))
    }
}

/// A set of components in `REGISTERS` registers. A register whose index is out of range never has components in the set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components<const REGISTERS: usize>([u8; REGISTERS]);

impl<const REGISTERS: usize> Components<REGISTERS> {
    /// Returns the empty set.
    pub const fn none() -> Components<REGISTERS> {
        Components([0; REGISTERS])
    }

    /// Returns the components of a register that are in the set.
    #[inline]
    pub fn of(&self, register: Option<usize>) -> Mask {
        Mask(register.and_then(|index| self.0.get(index)).copied().unwrap_or(0))
    }

    /// Reports whether a component is in the set. `slot` is four times the index of the register plus the index of the component.
    pub fn has(&self, slot: usize) -> bool {
        self.0.get(slot / 4).is_some_and(|set| set >> (slot % 4) & 1 != 0)
    }

    /// Adds components of a register to the set.
    #[inline]
    pub fn add(&mut self, register: Option<usize>, mask: Mask) {
        if let Some(set) = register.and_then(|index| self.0.get_mut(index)) {
            *set |= mask.0;
        }
    }

    /// Removes components of a register from the set, and returns the removed components.
    #[inline]
    pub fn take(&mut self, register: Option<usize>, mask: Mask) -> Mask {
        let Some(set) = register.and_then(|index| self.0.get_mut(index)) else { return Mask(0) };
        let taken = Mask(*set & mask.0);
        *set &= !mask.0;
        taken
    }

    /// Keeps only the components that are also in the set `other`.
    pub fn intersect(&mut self, other: &Components<REGISTERS>) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= b);
    }

    /// Adds all components of the set `other`.
    pub fn unite(&mut self, other: &Components<REGISTERS>) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
    }
}

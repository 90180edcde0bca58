//! Sets of components.

use std::fmt;

/// Components x, y, z, w as bits 0 to 3: the write mask of a destination, or any set of components.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mask(pub u8);

impl Mask {
    /// All four components.
    pub const ALL: Mask = Mask(0xf);

    /// Whether component `c` (0 to 3) is in the set.
    pub const fn has(self, c: u8) -> bool {
        self.0 >> c & 1 != 0
    }

    /// The components of the set, in order.
    pub fn components(self) -> impl Iterator<Item = u8> {
        let mut rest = self.0 & 0xf;
        std::iter::from_fn(move || {
            let component = [4, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0].get(usize::from(rest)).copied();
            rest &= rest.wrapping_sub(1);
            component.filter(|&component| component < 4)
        })
    }

    /// How many components are in the set.
    pub const fn len(self) -> u32 {
        // A digit for each set, from the last to the first: a processor may have no instruction that counts bits.
        (0x4332_3221_3221_2110_u64 >> (4 * (self.0 & 0xf)) & 0xf) as u32
    }

    /// Whether no component is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 & 0xf == 0
    }
}

/// The letters of the set, in order.
impl fmt::Display for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.components().try_for_each(|c| f.write_str(&"xyzw"[usize::from(c)..=usize::from(c)]))
    }
}

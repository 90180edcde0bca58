//! Represents the lanes that a source operand reads, from one value or from several values.

use std::ops::{Deref, DerefMut};

use sdlbc::Id;
use sdlbc::builder::Lane;
use sdlbc::module::first_lanes;

use crate::flow;
use crate::token::{Mask, Swizzle};

/// Up to four lanes, possibly from different values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes {
    lanes: [Lane; 4],
    count: u8,
}

impl Lanes {
    pub(super) const NONE: Lanes = Lanes { lanes: [Lane { value: Id::NONE, lane: 0 }; 4], count: 0 };

    pub(super) fn push(&mut self, lane: Lane) {
        if let Some(place) = self.lanes.get_mut(usize::from(self.count)) {
            *place = lane;
            self.count += 1;
        }
    }

    /// Repeats the first lane of a value for each component of a set.
    pub(super) fn splat(value: Id, set: Mask) -> Lanes {
        Lanes { lanes: [Lane { value, lane: 0 }; 4], count: width(set) }
    }

    pub(super) fn width(&self) -> u8 {
        self.count
    }

    /// Returns the value to which all lanes belong, with the lanes' positions in the value, or `None` if the lanes belong to
    /// several values.
    pub(super) fn of_one(&self) -> Option<(Id, Picks)> {
        let first = self.first()?.value;
        let of_first = self.iter().all(|lane| lane.value == first);
        let word = || self.iter().rev().fold(u32::MAX, |word, lane| word << 8 | u32::from(lane.lane));
        of_first.then(|| (first, Picks(word())))
    }

    /// Returns a single lane if all lanes are equal, or all lanes if they differ.
    pub(super) fn shortest(&self) -> &[Lane] {
        match self.split_first() {
            Some((first, rest)) if rest.iter().all(|lane| lane == first) => std::slice::from_ref(first),
            _ => self,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Read {
    /// Lanes of a single value.
    One(Id, Picks),
    Several(Lanes),
}

impl Read {
    pub(super) fn lanes(self) -> Lanes {
        match self {
            Read::One(value, picks) => {
                Lanes { lanes: picks.0.to_le_bytes().map(|lane| Lane { value, lane }), count: picks.count() }
            }
            Read::Several(lanes) => lanes,
        }
    }
}

/// One to four lanes of a value, encoded like the word of a SWIZZLE: eight bits for each lane, and 0xff for missing lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Picks(pub(super) u32);

/// The bits of a SWIZZLE word that encode missing lanes, indexed by the number of lanes present.
const ABOVE: [u32; 5] = [0xffff_ffff, 0xffff_ff00, 0xffff_0000, 0xff00_0000, 0];

pub(super) fn above(count: u8) -> u32 {
    ABOVE.get(usize::from(count)).copied().unwrap_or(0)
}

impl Picks {
    /// Selects the first lane of a value once for each component of a set.
    pub(super) fn first(set: Mask) -> Picks {
        Picks(above(width(set)))
    }

    /// Selects the leading lanes of a value, one for each component of a set.
    pub(super) fn ascending(set: Mask) -> Picks {
        Picks(first_lanes(width(set)))
    }

    /// Selects the lanes of a value whose indices are in a set of components.
    pub(super) fn components(set: Mask) -> Picks {
        Picks::of(Swizzle::IDENTITY, set)
    }

    /// Reports whether the selection includes every lane of a value with `width` lanes.
    pub(super) fn have_all(self, width: u8) -> bool {
        self.0 | above(width) == first_lanes(width) || flow::low(width).0 & !self.set().0 == 0
    }

    fn set(self) -> Mask {
        Mask(self.0.to_le_bytes().into_iter().filter(|&lane| lane <= 3).fold(0, |set, lane| set | 1 << lane))
    }

    pub(super) fn of(swizzle: Swizzle, slots: Mask) -> Picks {
        let selectors = u32::from(swizzle.0);
        let all = (selectors | selectors << 6 | selectors << 12 | selectors << 18) & 0x0303_0303;
        match slots.0 & (slots.0 + 1) {
            0 => Picks(all | above(width(slots))),
            _ => {
                let selected = slots.components().map(|slot| u32::from(swizzle.component(slot)));
                Picks(selected.zip([0, 8, 16, 24]).fold(above(width(slots)), |word, (lane, at)| word | lane << at))
            }
        }
    }

    pub(super) fn count(self) -> u8 {
        4 - u8::try_from(self.0.leading_ones() / 8).unwrap_or(4)
    }

    pub(super) fn is_one(self) -> bool {
        self.0 | above(1) == self.0
    }

    /// Reduces the selection to a single lane if all selected lanes are equal.
    pub(super) fn shortest(self) -> Picks {
        let repeated = ((self.0 & 0xff) * 0x0101_0101) | above(self.count());
        if self.0 == repeated { Picks(self.0 | above(1)) } else { self }
    }

    /// Reports whether no lane is selected twice.
    pub(super) fn are_distinct(self) -> bool {
        self.is_one() || self.0 == first_lanes(self.count()) || self.set().len() == u32::from(self.count())
    }
}

fn width(set: Mask) -> u8 {
    u8::try_from(set.len()).unwrap_or(4)
}

impl DerefMut for Lanes {
    fn deref_mut(&mut self) -> &mut [Lane] {
        self.lanes.get_mut(..usize::from(self.count)).unwrap_or_default()
    }
}

impl Deref for Lanes {
    type Target = [Lane];

    fn deref(&self) -> &[Lane] {
        self.lanes.get(..usize::from(self.count)).unwrap_or_default()
    }
}

impl FromIterator<Lane> for Lanes {
    fn from_iter<I: IntoIterator<Item = Lane>>(lanes: I) -> Lanes {
        let mut all = Lanes::NONE;
        lanes.into_iter().for_each(|lane| all.push(lane));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_are_what_the_slots_of_a_swizzle_select() {
        for swizzle in (0..=u8::MAX).map(Swizzle) {
            for slots in (1..16).map(Mask) {
                let picks = Picks::of(swizzle, slots);
                let lanes: Vec<u8> = slots.components().map(|slot| swizzle.component(slot)).collect();
                assert_eq!(picks.0, sdlbc::module::swizvals(&lanes), "{swizzle} {slots}");
                assert_eq!(usize::from(picks.count()), lanes.len());
                assert_eq!(picks.are_distinct(), (1..lanes.len()).all(|at| !lanes[..at].contains(&lanes[at])));
                let shortest = if lanes.iter().all(|lane| *lane == lanes[0]) { &lanes[..1] } else { &lanes };
                assert_eq!(picks.shortest().0, sdlbc::module::swizvals(shortest));
                for width in 0..=4 {
                    assert_eq!(
                        picks.have_all(width),
                        (0..width).all(|lane| lanes.contains(&lane)),
                        "{swizzle} {slots} {width}"
                    );
                }
                let of_word = Read::One(Id(7), picks).lanes();
                assert_eq!(of_word.iter().map(|lane| lane.lane).collect::<Vec<_>>(), lanes);
                assert_eq!(of_word.of_one(), Some((Id(7), picks)));
            }
        }
    }
}

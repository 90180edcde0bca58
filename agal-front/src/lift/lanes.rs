//! Reads operands: the lanes that a source names, and vectors of them.

use std::ops::{Deref, DerefMut};

use sdlbc::builder::Lane;
use sdlbc::module::first_lanes;
use sdlbc::{Builtin, Id, InputKind, Interpolation, Op, Type};

use super::{ConstantComponent, KnownValue, Lifter};
use crate::disassemble::{register, register_name};
use crate::flow::{self, register_index};
use crate::live::slot;
use crate::register::File;
use crate::token::{Mask, Source, Swizzle, Token};

/// Up to four lanes.
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

    /// The same lane for each component of a set.
    pub(super) fn splat(value: Id, set: Mask) -> Lanes {
        Lanes { lanes: [Lane { value, lane: 0 }; 4], count: width(set) }
    }

    /// How many there are.
    pub(super) fn width(&self) -> u8 {
        self.count
    }

    /// The lanes, or one if they are all the same.
    pub(super) fn shortest(&self) -> &[Lane] {
        match self.split_first() {
            Some((first, rest)) if rest.iter().all(|lane| lane == first) => std::slice::from_ref(first),
            _ => self,
        }
    }
}

/// What slots of a source read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Read {
    /// Lanes of one value, as most do.
    One(Id, Picks),
    Several(Lanes),
}

impl Read {
    /// The lanes.
    pub(super) fn lanes(self) -> Lanes {
        match self {
            Read::One(value, picks) => {
                Lanes { lanes: picks.0.to_le_bytes().map(|lane| Lane { value, lane }), count: picks.count() }
            }
            Read::Several(lanes) => lanes,
        }
    }
}

impl Lanes {
    /// The value and its lanes, if there is only one value.
    pub(super) fn of_one(&self) -> Option<(Id, Picks)> {
        let first = self.first()?.value;
        let of_first = self.iter().all(|lane| lane.value == first);
        let word = || self.iter().rev().fold(u32::MAX, |word, lane| word << 8 | u32::from(lane.lane));
        of_first.then(|| (first, Picks(word())))
    }
}

/// One to four lanes of a value, as the word of a SWIZZLE: eight bits each, and 0xff for those that there are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Picks(pub(super) u32);

/// What a word has above this many lanes.
const ABOVE: [u32; 5] = [0xffff_ffff, 0xffff_ff00, 0xffff_0000, 0xff00_0000, 0];

fn above(count: u8) -> u32 {
    ABOVE.get(usize::from(count)).copied().unwrap_or(0)
}

impl Picks {
    /// The same lane for each component of a set.
    pub(super) fn first(set: Mask) -> Picks {
        Picks(above(width(set)))
    }

    /// The first lanes, as many as a set has components.
    pub(super) fn ascending(set: Mask) -> Picks {
        Picks(first_lanes(width(set)))
    }

    /// The same components of a value as of a set.
    pub(super) fn components(set: Mask) -> Picks {
        Picks::of(Swizzle::IDENTITY, set)
    }

    /// Whether these are all components of a value of this many, or more than these.
    pub(super) fn have_all(self, width: u8) -> bool {
        self.0 | above(width) == first_lanes(width) || flow::low(width).0 & !self.set().0 == 0
    }

    /// The lanes as a set.
    fn set(self) -> Mask {
        Mask(self.0.to_le_bytes().into_iter().filter(|&lane| lane <= 3).fold(0, |set, lane| set | 1 << lane))
    }

    /// What slots of a swizzle select.
    pub(super) fn of(swizzle: Swizzle, slots: Mask) -> Picks {
        let selectors = u32::from(swizzle.0);
        let all = (selectors | selectors << 6 | selectors << 12 | selectors << 18) & 0x0303_0303;
        match slots.0 & (slots.0 + 1) {
            // The first slots.
            0 => Picks(all | above(width(slots))),
            _ => {
                let selected = slots.components().map(|slot| u32::from(swizzle.component(slot)));
                Picks(selected.zip([0, 8, 16, 24]).fold(above(width(slots)), |word, (lane, at)| word | lane << at))
            }
        }
    }

    /// How many there are.
    pub(super) fn count(self) -> u8 {
        4 - u8::try_from(self.0.leading_ones() / 8).unwrap_or(4)
    }

    fn is_one(self) -> bool {
        self.0 | above(1) == self.0
    }

    /// The same, or one lane if they are all the same.
    pub(super) fn shortest(self) -> Picks {
        let repeated = ((self.0 & 0xff) * 0x0101_0101) | above(self.count());
        if self.0 == repeated { Picks(self.0 | above(1)) } else { self }
    }

    /// Whether no lane is repeated.
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

impl Lifter<'_> {
    /// What the swizzle slots `slots` of a source read; `row` counts from the operand's register.
    pub(super) fn read(&mut self, source: Source, row: u32, slots: Mask) -> Read {
        if source.indirect {
            let value = self.element(source, row);
            return Read::One(value, Picks::of(source.swizzle, slots));
        }
        let Some(file) = source.register_file().filter(|_| !slots.is_empty()) else {
            return Read::Several(Lanes::NONE);
        };
        let number = u32::from(source.number) + row;
        if file == File::Temporary {
            return self.temporary(number, Picks::of(source.swizzle, slots));
        }
        match self.whole(file, number) {
            Some(value) => Read::One(value, Picks::of(source.swizzle, slots)),
            None => {
                let lane = |slot| self.component(file, number, source.swizzle.component(slot));
                Read::Several(slots.components().map(lane).collect())
            }
        }
    }

    /// Components of a temporary.
    fn temporary(&mut self, number: u32, picks: Picks) -> Read {
        let held = match register_index((File::Temporary, number)) {
            Some(register) => self.registers.components(register),
            None => &[Lane { value: Id::NONE, lane: 0 }; 4],
        };
        if picks.is_one()
            && let Some(lane) = held.get(usize::from(picks.0.to_le_bytes()[0]))
            && lane.value.is_some()
        {
            return Read::One(lane.value, Picks(u32::from(lane.lane) | above(1)));
        }
        // Most registers hold one vector.
        let [x, y, z, w] = *held;
        if x.value.is_some() && [x, y, z, w] == [0, 1, 2, 3].map(|lane| Lane { value: x.value, lane }) {
            return Read::One(x.value, picks);
        }
        let mut lanes = Lanes::NONE;
        let (mut word, mut same, mut complete) = (above(picks.count()), true, true);
        let mut first = Id::NONE;
        for (component, at) in picks.0.to_le_bytes().into_iter().zip([0, 8, 16, 24]) {
            let Some(&lane) = held.get(usize::from(component)) else { break };
            if at == 0 {
                first = lane.value;
            }
            same &= lane.value == first;
            complete &= lane.value.is_some();
            word |= u32::from(lane.lane) << at;
            lanes.push(lane);
        }
        if same && complete {
            return Read::One(first, Picks(word));
        }
        if !complete {
            let zero = self.zero();
            lanes.iter_mut().filter(|lane| !lane.value.is_some()).for_each(|lane| *lane = zero);
        }
        Read::Several(lanes)
    }

    /// The value of which a register's components are the lanes, for files whose registers are read as a whole.
    #[inline]
    fn whole(&mut self, file: File, number: u32) -> Option<Id> {
        let column = match file {
            File::Attribute => 0,
            File::Varying => 1,
            File::Constant if self.options.values.is_empty() => 2,
            _ => return None,
        };
        let place = number as usize * 3 + column;
        if let Some(&id) = self.read.get(place).filter(|id| id.is_some()) {
            return Some(id);
        }
        let id = self.first_read(file, number);
        if place >= self.read.len() {
            self.read.resize(place + 1, Id::NONE);
        }
        if let Some(held) = self.read.get_mut(place) {
            *held = id;
        }
        Some(id)
    }

    fn first_read(&mut self, file: File, number: u32) -> Id {
        let kind = match file {
            File::Constant => return self.constant(number),
            File::Attribute => InputKind::Attribute { location: number },
            _ => InputKind::Varying { location: number, interpolation: Interpolation::Perspective },
        };
        self.builder.input(register(file, number, self.program.stage), Type::FLOAT4, kind)
    }

    /// The value of a register's component.
    fn component(&mut self, file: File, number: u32, component: u8) -> Lane {
        match file {
            File::Constant => {
                let of_stage = ConstantComponent { stage: self.program.stage, number, component };
                if let Some(&KnownValue(bits)) = self.options.values.get(&of_stage) {
                    return Lane { value: self.builder.emit_outermost(Op::LiteralFloat, &[], &[bits]), lane: 0 };
                }
                Lane { value: self.constant(number), lane: component }
            }
            File::Instance => {
                let uint = Type::Vector(sdlbc::Scalar::Uint, 1);
                let kind = InputKind::Builtin(Builtin::InstanceIndex);
                let index = self.builder.input("iid", uint, kind);
                Lane { value: self.builder.emit(Op::Convert, &[index], &[Type::FLOAT.word()]), lane: 0 }
            }
            _ => match self.whole(file, number) {
                Some(value) => Lane { value, lane: component },
                None => {
                    let slot = slot(file, number, component);
                    let held = slot.and_then(|slot| self.registers.read(slot));
                    held.unwrap_or_else(|| self.zero())
                }
            },
        }
    }

    /// What an unwritten register holds, defined before every conditional.
    fn zero(&mut self) -> Lane {
        Lane { value: self.builder.emit_outermost(Op::LiteralFloat, &[], &[0]), lane: 0 }
    }

    /// A constant register, read once, before all conditionals.
    fn constant(&mut self, number: u32) -> Id {
        let array = self.constants_input();
        self.constants = self.constants.max(number + 1);
        self.builder.emit_outermost(Op::Peek, &[array, Id::NONE], &[number])
    }

    /// The whole constant file as an input; its length is set once all reads are known.
    pub(super) fn constants_input(&mut self) -> Id {
        if let Some(array) = self.array {
            return array;
        }
        let stage = self.program.stage;
        let count = File::Constant.count(stage, self.program.version);
        let ty = Type::Array(sdlbc::Scalar::Float, 4, count);
        *self.array.insert(self.builder.input(File::Constant.name(stage), ty, InputKind::Uniform))
    }

    /// The constant at a computed index.
    fn element(&mut self, source: Source, row: u32) -> Id {
        let file = source.index_register_file().unwrap_or(File::Attribute);
        let lane = self.component(file, u32::from(source.number), source.index_component);
        let mut index = self.builder.gather(&[lane]);
        if !self.options.truncate_index && !self.builder.facts(index).whole {
            let half = self.builder.float(0.5);
            let raised = self.builder.emit(Op::Add, &[index, half], &[]);
            index = self.builder.emit(Op::Floor, &[raised], &[]);
        }
        let index = self.builder.emit(Op::Convert, &[index], &[Type::INT.word()]);
        let name = format!("{}_index", register(file, u32::from(source.number), self.program.stage));
        let name = self.builder.text(name);
        self.builder.name(index, name);
        let array = self.constants_input();
        self.constants = File::Constant.count(self.program.stage, self.program.version);
        let offset = match self.options.signed_offset {
            true => i32::from(source.offset as i8),
            false => i32::from(source.offset),
        };
        let element = self.builder.emit(Op::Peek, &[array, index], &[(offset + row as i32) as u32]);
        self.builder.name_unnamed(element, File::Constant.name(self.program.stage));
        element
    }

    /// A vector of what slots of a source read, from the register `row` after the operand's.
    pub(super) fn operand(&mut self, source: Source, row: u32, slots: Mask) -> Id {
        match self.read(source, row, slots) {
            Read::One(value, picks) => self.vector_of(source, row, value, picks),
            Read::Several(lanes) => self.vector(source, row, &lanes),
        }
    }

    /// A vector of lanes of a source. A vector that is composed is named after it.
    pub(super) fn vector(&mut self, source: Source, row: u32, lanes: &[Lane]) -> Id {
        let vector = self.builder.gather(lanes);
        self.name_after(source, row, vector);
        vector
    }

    /// The same for lanes of one value.
    pub(super) fn vector_of(&mut self, source: Source, row: u32, value: Id, picks: Picks) -> Id {
        let vector = self.builder.swizzle(value, picks.0);
        if vector == value {
            self.name_after(source, row, vector);
        }
        vector
    }

    fn name_after(&mut self, source: Source, row: u32, vector: Id) {
        if let Some(file) = source.register_file().filter(|_| !source.indirect) {
            let name = register_name(file, u32::from(source.number) + row, self.program.stage);
            self.builder.name_computed(vector, name);
        }
    }

    /// The single component of a scalar operand.
    pub(super) fn scalar(&mut self, token: &Token, slot: usize) -> Id {
        match self.read(token.src(slot), 0, Mask(1)) {
            Read::One(value, picks) => self.builder.swizzle(value, picks.0),
            Read::Several(lanes) => self.builder.gather(&lanes),
        }
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

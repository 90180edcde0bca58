//! Reads operands: the lanes that a source names, and vectors of them.

use std::ops::Deref;

use sdlbc::builder::Lane;
use sdlbc::{Builtin, Id, InputKind, Interpolation, Op, Type};

use super::{ConstantComponent, KnownValue, Lifter};
use crate::disassemble::{register, register_name};
use crate::flow::register_index;
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

    /// The first lanes of a value, as many as a set has components.
    pub(super) fn spread(value: Id, set: Mask) -> Lanes {
        Lanes { lanes: [0, 1, 2, 3].map(|lane| Lane { value, lane }), count: width(set) }
    }

    /// The lanes of a register, of which slots of a swizzle select some.
    #[inline]
    fn picked(lane: impl Fn(u8) -> Lane, swizzle: Swizzle, slots: Mask) -> Lanes {
        let lanes = [0, 1, 2, 3].map(|slot| lane(swizzle.component(slot)));
        match slots.0 & (slots.0 + 1) {
            // The first slots.
            0 => Lanes { lanes, count: width(slots) },
            _ => slots.components().filter_map(|slot| lanes.get(usize::from(slot)).copied()).collect(),
        }
    }

    /// The same lanes of another value.
    pub(super) fn of(self, value: Id) -> Lanes {
        Lanes { lanes: self.lanes.map(|lane| Lane { value, ..lane }), ..self }
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

/// One of a register's components.
fn of(components: [Lane; 4], component: u8) -> Lane {
    components.get(usize::from(component & 3)).copied().unwrap_or(Lane { value: Id::NONE, lane: 0 })
}

fn width(set: Mask) -> u8 {
    u8::try_from(set.len()).unwrap_or(4)
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
    /// The lanes that the swizzle slots `slots` of a source read; `row` counts from the operand's register.
    pub(super) fn lanes(&mut self, source: Source, row: u32, slots: Mask) -> Lanes {
        if source.indirect {
            let value = self.element(source, row);
            return Lanes::picked(|lane| Lane { value, lane }, source.swizzle, slots);
        }
        let Some(file) = source.register_file().filter(|_| !slots.is_empty()) else { return Lanes::NONE };
        let number = u32::from(source.number) + row;
        match (file, self.whole(file, number)) {
            (_, Some(value)) => Lanes::picked(|lane| Lane { value, lane }, source.swizzle, slots),
            (File::Temporary, _) => {
                let held = self.registers.components(register_index((file, number)));
                let lanes = Lanes::picked(|lane| of(held, lane), source.swizzle, slots);
                if lanes.iter().all(|lane| lane.value.is_some()) {
                    return lanes;
                }
                let zero = self.zero();
                lanes.iter().map(|&lane| if lane.value.is_some() { lane } else { zero }).collect()
            }
            _ => slots.components().map(|slot| self.read(file, number, source.swizzle.component(slot))).collect(),
        }
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
    fn read(&mut self, file: File, number: u32, component: u8) -> Lane {
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
                    let held = of(self.registers.components(register_index((file, number))), component);
                    if held.value.is_some() { held } else { self.zero() }
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
        let lane = self.read(file, u32::from(source.number), source.index_component);
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

    /// A vector of lanes of a source, from the register `row` after the operand's. A vector that is composed is named after it.
    pub(super) fn vector(&mut self, source: Source, row: u32, lanes: &[Lane]) -> Id {
        let vector = self.builder.gather(lanes);
        if let Some(file) = source.register_file().filter(|_| !source.indirect) {
            let name = register_name(file, u32::from(source.number) + row, self.program.stage);
            self.builder.name_computed(vector, name);
        }
        vector
    }

    /// The single component of a scalar operand.
    pub(super) fn scalar(&mut self, token: &Token, slot: usize) -> Id {
        let lanes = self.lanes(token.src(slot), 0, Mask(1));
        self.builder.gather(&lanes)
    }
}

//! Reads source operands as lanes of values, and gathers the lanes into vectors.

use sdlbc::builder::Lane;
use sdlbc::{Builtin, Id, InputKind, Interpolation, Op, Scalar, Type};

use super::lanes::{Lanes, Picks, Read, above};
use super::{ConstantComponent, KnownValue, Lifter};
use crate::disassemble::{register, register_name};
use crate::flow::register_index;
use crate::live::slot;
use crate::register::File;
use crate::token::{Mask, Source, Token};

impl Lifter<'_> {
    /// Returns the lanes that the given swizzle slots of a source select. The lanes belong to the register that is `row`
    /// registers after the operand's register.
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

    /// Returns the lanes of a temporary's components, with zero for unwritten components.
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
        // In most registers, all components belong to one vector.
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

    /// Returns the vector with all the components of an attribute, a varying or a constant. The result is `None` for registers
    /// that are read component by component.
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
                let index = self.builder.input("iid", Type::UINT, InputKind::Builtin(Builtin::InstanceIndex));
                Lane { value: self.builder.convert(index, Scalar::Float), lane: 0 }
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

    /// Returns the zero that a read of an unwritten register yields. The zero is defined before all conditionals.
    fn zero(&mut self) -> Lane {
        Lane { value: self.builder.emit_outermost(Op::LiteralFloat, &[], &[0]), lane: 0 }
    }

    fn constant(&mut self, number: u32) -> Id {
        let array = self.constants_input();
        self.constants = self.constants.max(number + 1);
        self.builder.emit_outermost(Op::Peek, &[array, Id::NONE], &[number])
    }

    /// Returns the uniform input that contains the constant file. The input's final length is set after all reads.
    pub(super) fn constants_input(&mut self) -> Id {
        if let Some(array) = self.array {
            return array;
        }
        let stage = self.program.stage;
        let count = File::Constant.count(stage, self.program.version);
        let ty = Type::Array(Scalar::Float, 4, count);
        *self.array.insert(self.builder.input(File::Constant.name(stage), ty, InputKind::Uniform))
    }

    fn element(&mut self, source: Source, row: u32) -> Id {
        let file = source.index_register_file().unwrap_or(File::Attribute);
        let lane = self.component(file, u32::from(source.number), source.index_component);
        let mut index = self.builder.gather(&[lane]);
        if !self.options.truncate_index && !self.builder.facts(index).whole {
            let half = self.builder.float(0.5);
            let raised = self.builder.add(index, half);
            index = self.builder.floor(raised);
        }
        let index = self.builder.convert(index, Scalar::Int);
        let name = format!("{}_index", register(file, u32::from(source.number), self.program.stage));
        let name = self.builder.text(name);
        self.builder.name(index, name);
        let array = self.constants_input();
        self.constants = File::Constant.count(self.program.stage, self.program.version);
        let offset = if self.options.signed_offset { (source.offset as i8).into() } else { i32::from(source.offset) };
        let element = self.builder.peek(array, Some(index), (offset + row as i32) as u32);
        self.builder.name_unnamed(element, File::Constant.name(self.program.stage));
        element
    }

    /// Reads swizzle slots of a source as a vector, from the register that is `row` registers after the operand's register.
    pub(super) fn operand(&mut self, source: Source, row: u32, slots: Mask) -> Id {
        match self.read(source, row, slots) {
            Read::One(value, picks) => self.vector_of(source, row, value, picks),
            Read::Several(lanes) => self.vector(source, row, &lanes),
        }
    }

    /// Gathers lanes of a source into a vector, and names the vector after the source.
    pub(super) fn vector(&mut self, source: Source, row: u32, lanes: &[Lane]) -> Id {
        let vector = self.builder.gather(lanes);
        self.name_after(source, row, vector);
        vector
    }

    /// Selects lanes of one value as a vector. If the lanes form the entire value, the value is named after the source.
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

    pub(super) fn scalar(&mut self, token: &Token, slot: usize) -> Id {
        match self.read(token.src(slot), 0, Mask(1)) {
            Read::One(value, picks) => self.builder.swizzle(value, picks.0),
            Read::Several(lanes) => self.builder.gather(&lanes),
        }
    }
}

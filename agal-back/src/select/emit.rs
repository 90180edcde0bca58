//! Adds instructions to the code, and copies the lanes of an operand to one register if they lie in several registers.

use agal_front::Stage;
use agal_front::opcode::Opcode;
use agal_front::register::File;

use super::{Selected, Selector};
use crate::code::{Inst, Lane, Part, Target, in_one_register};
use crate::refusal::RefusalKind;

/// The maximum number of instructions before the code is shortened. It exceeds the token limit of every version.
const MOST: usize = 8192;

impl Selector<'_> {
    pub(super) fn push(&mut self, inst: Inst) -> Selected<()> {
        if self.code.insts.len() >= MOST {
            let limit = agal_front::register::token_limit(self.code.version);
            return Err(RefusalKind::Tokens { needed: MOST, limit });
        }
        self.code.insts.push(inst.into());
        Ok(())
    }

    pub(super) fn inst(&self, op: Opcode) -> Inst {
        Inst::new(op, self.place)
    }

    /// Returns lanes that one operand can read and that have the same values as `lanes`. Copies lanes to one register if
    /// necessary.
    pub(super) fn operand(&mut self, lanes: &[Lane]) -> Selected<Vec<Lane>> {
        if in_one_register(lanes) {
            return Ok(lanes.to_vec());
        }
        // One `mov` copies all lanes that lie in the same register, and one `mov` copies all literals.
        let mut result = lanes.to_vec();
        for at in 0..lanes.len() {
            let Some(&lane) = lanes.get(at) else { continue };
            if matches!(lane, Lane::Web(_)) || result.get(at) != Some(&lane) {
                continue;
            }
            let together: Vec<Lane> = lanes.iter().copied().filter(|other| in_one_register(&[lane, *other])).collect();
            let copied = self.copy(&together)?;
            for (from, to) in together.iter().zip(copied) {
                lanes.iter().zip(&mut result).filter(|(lane, _)| *lane == from).for_each(|(_, place)| *place = to);
            }
        }
        Ok(result)
    }

    fn copy(&mut self, lanes: &[Lane]) -> Selected<Vec<Lane>> {
        self.finish(Inst { sources: [lanes.to_vec(), Vec::new()], ..self.inst(Opcode::Mov) }, lanes.len())
    }

    /// Adds an instruction that writes `parts` new webs, and returns the webs' lanes.
    fn finish(&mut self, mut inst: Inst, parts: usize) -> Selected<Vec<Lane>> {
        inst.target = Target::Webs;
        inst.parts = (0u8..).take(parts).map(|component| Part { web: self.code.web(), component }).collect();
        let result = inst.parts.iter().map(|part| Lane::Web(part.web)).collect();
        self.note_ranges(&inst);
        self.push(inst)?;
        Ok(result)
    }

    /// Returns operands that one instruction can read together. Except in a `mov`, the returned operands are never all constants.
    pub(super) fn operands(&mut self, op: Opcode, a: &[Lane], b: &[Lane]) -> Selected<[Vec<Lane>; 2]> {
        let mut first = self.operand(a)?;
        let mut second = if b.is_empty() { Vec::new() } else { self.operand(b)? };
        if op == Opcode::Mov {
            return Ok([first, second]);
        }
        let is_constant = |lanes: &[Lane]| lanes.first().is_some_and(|lane| lane.is_constant());
        if is_constant(&first) && (second.is_empty() || is_constant(&second)) {
            let is_element = |lanes: &[Lane]| matches!(lanes.first(), Some(Lane::Element(..)));
            match is_element(&second) && !is_element(&first) {
                true => second = self.copy(&second)?,
                false => first = self.copy(&first)?,
            }
        }
        Ok([first, second])
    }

    /// Adds a componentwise operation. A single lane is repeated to the width of the other operand.
    pub(super) fn each(&mut self, op: Opcode, a: &[Lane], b: &[Lane]) -> Selected<Vec<Lane>> {
        if let Some(known) = known(op, a, b) {
            return Ok(known);
        }
        let width = a.len().max(b.len());
        let sources = self.operands(op, &widened(a, width), &widened(b, width))?;
        let inst = Inst { sources, ..self.inst(op) };
        self.finish(inst, width)
    }

    /// Adds an operation that writes `parts` results to the first components of a register.
    pub(super) fn whole(&mut self, op: Opcode, a: &[Lane], b: &[Lane], parts: usize) -> Selected<Vec<Lane>> {
        let sources = self.operands(op, a, b)?;
        let inst = Inst { sources, ..self.inst(op) };
        self.finish(inst, parts)
    }

    pub(super) fn texel(&mut self, coordinate: &[Lane], word: u64) -> Selected<Vec<Lane>> {
        let mut coordinate = self.operand(coordinate)?;
        if matches!(coordinate.first(), Some(Lane::Element(..))) {
            coordinate = self.copy(&coordinate)?;
        }
        let op = if self.stage() == Stage::Vertex { Opcode::Tld } else { Opcode::Tex };
        let inst = Inst { sources: [coordinate, Vec::new()], sampler: word, ..self.inst(op) };
        self.finish(inst, 4)
    }

    pub(super) fn write(&mut self, file: File, number: u32, lanes: Vec<Lane>) -> Selected<()> {
        let lanes = self.operand(&lanes)?;
        let parts = (0u8..).take(lanes.len()).map(|component| Part { web: 0, component }).collect();
        let (target, sources) = (Target::Output(file, number), [lanes, Vec::new()]);
        self.push(Inst { target, parts, sources, ..self.inst(Opcode::Mov) })
    }

    pub(super) fn effect(&mut self, op: Opcode, sources: [Vec<Lane>; 2]) -> Selected<()> {
        self.push(Inst { sources, ..self.inst(op) })
    }

    pub(super) fn number(value: f32) -> Vec<Lane> {
        vec![Lane::Literal(value.to_bits())]
    }

    /// Creates webs that several instructions will write.
    pub(super) fn joint(&mut self, width: usize) -> Vec<Lane> {
        (0..width).map(|_| Lane::Web(self.code.web())).collect()
    }

    /// Adds a `mov` of lanes to existing webs.
    pub(super) fn set(&mut self, webs: &[Lane], lanes: &[Lane]) -> Selected<()> {
        let lanes = self.operand(lanes)?;
        let webs = webs.iter().filter_map(|lane| lane.web());
        let parts = (0u8..).zip(webs).map(|(component, web)| Part { web, component }).collect();
        self.push(Inst { target: Target::Webs, parts, sources: [lanes, Vec::new()], ..self.inst(Opcode::Mov) })
    }
}

/// Repeats a single lane `width` times, and returns several lanes unchanged.
pub(super) fn widened(lanes: &[Lane], width: usize) -> Vec<Lane> {
    if let [one] = lanes { vec![*one; width] } else { lanes.to_vec() }
}

/// Computes a sum, difference or product of literals at compile time.
fn known(op: Opcode, a: &[Lane], b: &[Lane]) -> Option<Vec<Lane>> {
    let numbers =
        |lanes: &[Lane]| -> Option<Vec<f32>> { lanes.iter().map(|lane| lane.literal().map(f32::from_bits)).collect() };
    let of: fn(f32, f32) -> f32 = match op {
        Opcode::Add => |a, b| a + b,
        Opcode::Sub => |a, b| a - b,
        Opcode::Mul => |a, b| a * b,
        _ => return None,
    };
    let (a, b) = (numbers(a)?, numbers(b)?);
    let at = |numbers: &[f32], at: usize| numbers.get(at).or(numbers.first()).copied();
    let each = (0..a.len().max(b.len())).map(|place| Some(of(at(&a, place)?, at(&b, place)?)));
    let each: Vec<f32> = each.collect::<Option<_>>()?;
    let is_finite = each.iter().all(|number| number.is_finite());
    is_finite.then(|| each.iter().map(|number| Lane::Literal(number.to_bits())).collect())
}

//! Encodes code as tokens after every web has been placed.
//!
//! Rule: an unused slot of a swizzle repeats a component that the operand reads, because the player refuses a swizzle that names
//! an unwritten component.

use std::collections::BTreeSet;

use agal_front::Program;
use agal_front::opcode::{Meaning, Operand};
use agal_front::register::File;
use agal_front::token::{Destination, Mask, Source, Swizzle, Token};

use crate::code::{Code, Index, Inst, Lane, Target};
use crate::place::Places;

/// Encodes placed code as a program, or returns `None` if the code breaks a rule of `code.rs`.
pub(crate) fn write(code: &Code, places: &Places) -> Option<Program> {
    let tokens = code.insts.iter().map(|inst| token(code, inst, places)).collect::<Option<Vec<Token>>>()?;
    Some(Program { version: code.version, stage: code.stage, tokens, trailing: Vec::new() })
}

fn token(code: &Code, inst: &Inst, places: &Places) -> Option<Token> {
    let row = inst.op.row();
    if !inst.is_legal(code.stage) {
        return None;
    }
    let mut components = Vec::new();
    let mut target = None;
    for part in &inst.parts {
        let (file, number, component) = match inst.target {
            Target::Output(file, number) => (file, number, part.component),
            _ => {
                let (register, component) = places.of(part.web)?;
                (File::Temporary, register, component)
            }
        };
        if *target.get_or_insert((file, number)) != (file, number) || inst.has_places() && component != part.component {
            return None;
        }
        components.push(component);
    }
    let mask = components.iter().fold(0, |mask, component| mask | 1u8 << component);
    if usize::try_from(mask.count_ones()).ok()? != components.len() {
        return None;
    }
    let mut destination = 0;
    if let Some((file, number)) = target {
        let number = u16::try_from(number).ok()?;
        destination = Destination { number, mask: Mask(mask), file: file as u8 }.encode();
    }
    let [a, b] = &inst.sources;
    let in_slots = |lanes: &[Lane]| -> Vec<(u8, Lane)> {
        match inst.is_componentwise() {
            true => components.iter().copied().zip(lanes.iter().copied()).collect(),
            false => (0u8..).zip(lanes.iter().copied()).collect(),
        }
    };
    let first = if a.is_empty() { 0 } else { source(&in_slots(a), 0, places)? };
    let second = match (row.source(1), inst.meaning()) {
        (Operand::Sampler, _) => inst.sampler,
        (Operand::Matrix, Meaning::Matrix { width, .. }) => {
            let slots: Vec<(u8, Lane)> = (0u8..width).zip(b.iter().copied()).collect();
            let before = inst.parts.first()?.component;
            let word = source(&slots, u32::from(before), places)?;
            // A matrix operand has no swizzle.
            Source { swizzle: Swizzle::IDENTITY, ..Source::decode(word) }.encode()
        }
        _ if b.is_empty() => 0,
        _ => source(&in_slots(b), 0, places)?,
    };
    Some(Token { opcode: row.code, destination, sources: [first, second] })
}

/// Encodes an operand whose lanes are read in the given slots. The encoded register number is `before` less than the number of
/// the lanes' register.
fn source(lanes: &[(u8, Lane)], before: u32, places: &Places) -> Option<u64> {
    let mut register = None;
    let mut slots = [None; 4];
    for &(slot, lane) in lanes {
        let (place, component) = match lane {
            Lane::Web(web) => {
                let (number, component) = places.of(web)?;
                ((File::Temporary, number, None), component)
            }
            Lane::Register(file, number, component) => ((file, number, None), component),
            Lane::Element(index, offset, component) => ((File::Constant, u32::from(offset), Some(index)), component),
            Lane::Literal(_) => return None,
        };
        if *register.get_or_insert(place) != place {
            return None;
        }
        *slots.get_mut(usize::from(slot))? = Some(component);
    }
    let (file, number, index) = register?;
    let number = number.checked_sub(before)?;
    let mut last = slots.iter().flatten().copied().next()?;
    let filled = slots.map(|slot| {
        last = slot.unwrap_or(last);
        last
    });
    let swizzle = Swizzle(filled.iter().rev().fold(0, |word, component| word << 2 | component));
    let direct = Source { swizzle, file: file as u8, ..Source::decode(0) };
    let Some(index) = index else { return Some(Source { number: u16::try_from(number).ok()?, ..direct }.encode()) };
    let (index_file, register, index_component) = match index {
        Index::Web(web) => {
            let (register, component) = places.of(web)?;
            (File::Temporary, register, component)
        }
        Index::Register(file, number, component) => (file, number, component),
    };
    let of_index = Source { number: u16::try_from(register).ok()?, offset: u8::try_from(number).ok()?, ..direct };
    Some(Source { index_file: index_file as u8, index_component, indirect: true, ..of_index }.encode())
}

pub(crate) fn temporaries(program: &Program) -> u32 {
    let written = program.tokens.iter().filter(|token| token.op().is_some_and(|op| op.row().destination));
    let registers = written.map(|token| token.dst()).filter(|dst| dst.register_file() == Some(File::Temporary));
    let numbers: BTreeSet<u16> = registers.map(|dst| dst.number).collect();
    u32::try_from(numbers.len()).unwrap_or(u32::MAX)
}

//! Lints, which find legal code that may not do what its author intended. The lints' numbers begin at 9001.

use crate::disassemble::{register, source as disassembled};
use crate::finding::{self, Finding, Kind, Part};
use crate::flow::{REGISTERS, destination, register_index, written};
use crate::help::Remedy;
use crate::kept::Findings;
use crate::link::varyings;
use crate::live::liveness;
use crate::opcode::{Meaning, Opcode, Operand};
use crate::program::Program;
use crate::register::{File, Stage};
use crate::token::{Source, Swizzle, Token, letter};
use sdlbc::Op;

pub(crate) fn lint(program: &Program) -> Vec<Finding> {
    let mut findings = Findings::default();
    let liveness = liveness(program);
    let mut values = Values { interpolated: [false; REGISTERS] };
    for (index, token) in program.tokens.iter().enumerate() {
        let Some(op) = token.op() else { continue };
        let mut report = |part, kind| findings.push(Finding::new(kind, finding::at_token(index, part)));
        let row = op.row();
        if let Some((file, number)) = destination(token)
            && liveness.results.get(index).is_some_and(|live| live.is_empty())
            && !written(token).is_empty()
        {
            let register = register(file, number, program.stage);
            report(Part::Destination, Kind::UnusedResult { register });
        }
        for slot in 0..2usize {
            let part = finding::source(slot);
            let source = token.src(slot);
            if row.source(slot) == Operand::Vector
                && let Some(kind) = repeated_swizzle(token, source.swizzle)
            {
                report(part, kind);
            }
            if source.indirect && source.offset > 127 && !matches!(row.source(slot), Operand::None | Operand::Sampler) {
                report(part, SIGN_OF_OFFSET);
            }
        }
        match op {
            Opcode::Ifg if values.may_be_equal(token) => report(Part::Operation, Kind::IfgEquality),
            Opcode::Tld if token.sampler().bias != 0 => report(Part::Source(1), BIAS_OF_FETCH),
            _ => {}
        }
        if let Some(kind) = swapped_matrix(token, program.stage) {
            report(Part::Source(1), kind);
        }
        values.write(token);
    }
    findings.into_list()
}

const SIGN_OF_OFFSET: Kind = Kind::Unsettled {
    what: "the sign of an offset of 128 or more",
    taken: "assumed to be positive",
    remedy: Some(Remedy::SignedOffsets),
};
const BIAS_OF_FETCH: Kind =
    Kind::Unsettled { what: "the level-of-detail bias of a vertex texture", taken: "used as the level", remedy: None };

pub(crate) fn lint_pair(vertex: &Program, fragment: &Program) -> Vec<Finding> {
    let unread = varyings(vertex, fragment).into_iter().filter(|varying| varying.read.is_empty());
    unread
        .filter_map(|varying| {
            let written = (File::Varying, varying.number);
            let first = vertex.tokens.iter().position(|token| destination(token) == Some(written))?;
            let kind = Kind::UnreadVarying { register: register(File::Varying, varying.number, Stage::Vertex) };
            Some(Finding::new(kind, finding::at_token(first, Part::Destination)))
        })
        .collect()
}

/// Detects a swizzle that has as many letters as the write mask although the mask does not select the first components. For
/// example, `mov ft0.zw, v0.xy` reads y twice.
fn repeated_swizzle(token: &Token, swizzle: Swizzle) -> Option<Kind> {
    let mask = token.dst().mask;
    let is_componentwise = !matches!(
        token.row()?.meaning,
        Meaning::Dot(_)
            | Meaning::Matrix { .. }
            | Meaning::Cross
            | Meaning::Normalize
            | Meaning::Kill
            | Meaning::Texture
            | Meaning::TextureLevel
    );
    if !is_componentwise || mask.len() < 2 {
        return None;
    }
    let letter = |slot: u8| letter(swizzle.component(slot));
    let length =
        (1..4u8).rev().find(|&slot| swizzle.component(slot) != swizzle.component(slot - 1)).map_or(1, |slot| slot + 1);
    let letters: String = (0..length).map(letter).collect();
    let read: String = mask.components().map(letter).collect();
    let is_mistake = u32::from(length) == mask.len() && read != letters;
    is_mistake.then(|| Kind::RepeatedSwizzle { written: mask.to_string(), read, letters })
}

/// Detects a matrix operation whose operands are probably swapped: the rows of the matrix are attributes or varyings, and the
/// vector is a constant.
///
/// Other combinations of operands are plausible. A matrix in temporaries was evidently computed for the operation. `m33` with
/// a constant vector may transform a light's direction to the space of three attributes or varyings, such as a normal and two
/// tangents. A vector that is not constant is plausible with any matrix, and an operation whose operands are all constants has
/// its own finding.
fn swapped_matrix(token: &Token, stage: Stage) -> Option<Kind> {
    let row = token.row()?;
    let Meaning::Matrix { rows, width: 4 } = row.meaning else { return None };
    let (vector, matrix) = (token.src(0), token.src(1));
    let file = matrix.register_file().filter(|file| matches!(file, File::Attribute | File::Varying))?;
    if vector.register_file() != Some(File::Constant) || matrix.indirect {
        return None;
    }
    let number = |plus: u32| register(file, u32::from(matrix.number) + plus, stage);
    let (first, last) = (number(0), number(u32::from(rows) - 1));
    Some(Kind::SwappedMatrix { mnemonic: row.mnemonic, vector: disassembled(vector, stage), first, last })
}

/// Records which registers contain interpolated values, which are equal only by chance. Constants, results of comparisons,
/// clamped values and texels are often equal.
struct Values {
    interpolated: [bool; REGISTERS],
}

impl Values {
    /// Reports whether neither operand of a conditional is an interpolated value.
    fn may_be_equal(&self, token: &Token) -> bool {
        [0, 1].into_iter().all(|slot| !self.interpolated(token.src(slot)))
    }

    fn interpolated(&self, source: Source) -> bool {
        match source.register_file() {
            Some(File::Varying) => true,
            Some(file) => {
                let index = register_index((file, u32::from(source.number)));
                index.and_then(|index| self.interpolated.get(index)).is_some_and(|&held| held)
            }
            None => false,
        }
    }

    fn write(&mut self, token: &Token) {
        let Some(row) = token.row().filter(|row| row.destination) else { return };
        let equalises = match row.meaning {
            Meaning::Texture | Meaning::TextureLevel | Meaning::Compare(_) | Meaning::Saturate => true,
            Meaning::Componentwise(op) => matches!(op, Op::Min | Op::Max | Op::Sign),
            _ => false,
        };
        let mut operands = (0..2).filter(|&slot| row.source(slot) != Operand::None);
        let interpolated = !equalises && operands.any(|slot| self.interpolated(token.src(slot)));
        if let Some(held) =
            destination(token).and_then(register_index).and_then(|index| self.interpolated.get_mut(index))
        {
            *held = interpolated;
        }
    }
}

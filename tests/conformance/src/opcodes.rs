//! Generates small programs that test one AGAL opcode in each stage. The programs cover each mask and swizzle, and destinations
//! that are also sources. A program contains up to four uses of the opcode.
//!
//! Inputs 0 and 1 are the operands, input 2 is the destination's old value, input 3 is the position, and inputs 4 to 7 are a
//! matrix.

use std::fmt::Write;

use agal_front::assemble::{AssembleOptions, assemble};
use agal_front::opcode::{Meaning, Opcode, Operand};
use agal_front::{Program, Stage};

use testing::Random;

/// The choice of the destination register, which may be a source register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alias {
    /// The destination is a register that is not a source.
    None,
    /// The destination is the first source's register.
    First,
    /// The destination is the second source's register or, for a matrix, the register of the matrix's second row.
    Second,
    /// The destination and both sources are the same register.
    Both,
}

/// One use of an opcode in a generated program.
#[derive(Clone, Copy, Debug)]
pub struct Variation {
    /// The destination's write mask, 1 to 15.
    pub mask: u8,
    /// The swizzles of the two sources, with two bits for each component.
    pub swizzles: [u8; 2],
    /// The destination register's relation to the source registers.
    pub alias: Alias,
    /// Whether the second source is a constant register.
    pub constant: bool,
}

fn mask(mask: u8) -> String {
    (0..4).filter(|bit| mask >> bit & 1 != 0).map(|bit| char::from(b"xyzw"[bit])).collect()
}

fn swizzle(swizzle: u8) -> String {
    (0..4).map(|slot| char::from(b"xyzw"[usize::from(swizzle >> (2 * slot) & 3)])).collect()
}

/// Returns the first letter of a swizzle, for a scalar operand.
fn scalar(swizzle: u8) -> char {
    char::from(b"xyzw"[usize::from(swizzle & 3)])
}

/// Returns the stages that support an opcode.
pub fn stages(op: Opcode) -> Vec<Stage> {
    let stages = [Stage::Vertex, Stage::Fragment];
    stages.into_iter().filter(|stage| op.row().stage.is_none_or(|only| only == *stage)).collect()
}

/// Reports whether [`program`] supports an opcode. Texture reads are excluded, as are `els` and `eif`, which occur in the
/// programs for other opcodes.
pub fn is_shown(op: Opcode) -> bool {
    !matches!(op.row().meaning, Meaning::Texture | Meaning::TextureLevel | Meaning::Else | Meaning::EndIf)
}

/// Reports whether an opcode reads neighbouring fragments.
pub fn has_neighbours(op: Opcode) -> bool {
    matches!(op.row().meaning, Meaning::Derivative(_))
}

/// Returns the write masks that an opcode may have. The mask of an opcode whose result has three components excludes w.
pub fn masks(op: Opcode) -> std::ops::Range<u8> {
    match op.row().meaning {
        Meaning::Normalize | Meaning::Cross | Meaning::Matrix { rows: 3, .. } => 1..8,
        _ => 1..16,
    }
}

/// Returns every combination of a write mask and a swizzle of the first source. The second source's swizzle, the aliasing and the
/// use of a constant are random.
pub fn all(op: Opcode) -> Vec<Variation> {
    let mut random = Random(u64::from(op.row().code) + 1);
    let mut all = Vec::new();
    for mask in masks(op) {
        for first in 0..=255 {
            all.push(varied(&mut random, mask, [first, 0]));
        }
    }
    all
}

/// Returns a few variations for the devices. Every write mask occurs at least once.
pub fn some(op: Opcode) -> Vec<Variation> {
    let mut random = Random(u64::from(op.row().code) + 101);
    let identity = Variation { mask: 15, swizzles: [0xe4; 2], alias: Alias::None, constant: false };
    let mut some = vec![Variation { mask: masks(op).end - 1, ..identity }];
    for mask in masks(op) {
        let first = random.next() as u8;
        some.push(varied(&mut random, mask, [first, 0]));
    }
    for alias in [Alias::First, Alias::Second, Alias::Both] {
        some.push(Variation { mask: masks(op).end - 1, alias, ..identity });
    }
    some
}

fn varied(random: &mut Random, mask: u8, swizzles: [u8; 2]) -> Variation {
    let alias = match random.below(6) {
        0 => Alias::First,
        1 => Alias::Second,
        2 => Alias::Both,
        _ => Alias::None,
    };
    let constant = alias != Alias::Second && alias != Alias::Both && random.below(5) == 0;
    Variation { mask, swizzles: [swizzles[0], random.next() as u8], alias, constant }
}

/// Returns a program that contains up to four variations. A fragment program outputs the results as colours, and a vertex program
/// outputs them as its first four varyings.
///
/// # Panics
/// Panics if the generated text is not valid AGAL, which is a bug in this file.
pub fn program(op: Opcode, stage: Stage, variations: &[Variation]) -> Program {
    let text = text(op, stage, variations);
    assembled(&text, stage, op.row().since.max(2))
}

/// Assembles a program.
///
/// # Panics
/// Panics if the text is not valid AGAL.
pub fn assembled(text: &str, stage: Stage, version: u32) -> Program {
    let options = AssembleOptions::default().stage(Some(stage)).version(Some(version));
    assemble(text, &options).unwrap_or_else(|findings| panic!("{findings:?}\n{text}")).program
}

fn text(op: Opcode, stage: Stage, variations: &[Variation]) -> String {
    let (input, temporary, output, constant) = match stage {
        Stage::Vertex => ("va", "vt", "v", "vc"),
        Stage::Fragment => ("v", "ft", "oc", "fc"),
    };
    let row = op.row();
    let name = row.mnemonic;
    let mut text = String::new();
    for (at, variation) in variations.iter().enumerate() {
        let Variation { mask: set, swizzles: [first, second], alias, constant: is_constant } = *variation;
        let letters = mask(set);
        let mut lines: Vec<String> = Vec::new();
        let mut result = format!("{temporary}{at}");
        let held = match alias {
            Alias::None => 2,
            Alias::First | Alias::Both => 0,
            Alias::Second => 1,
        };
        lines.push(format!("mov {result}, {input}{held}"));
        let operand = |alone: bool, number: u32| if alone { result.clone() } else { format!("{input}{number}") };
        let a = operand(matches!(alias, Alias::First | Alias::Both), 0);
        let b = match is_constant {
            true => format!("{constant}{at}"),
            false => operand(matches!(alias, Alias::Second | Alias::Both), 1),
        };
        match (row.meaning, row.sources) {
            (Meaning::If(_), _) => {
                // The assembler rejects a comparison of an operand with itself.
                let (first, second) = match a == b && scalar(first) == scalar(second) {
                    true => (first, second ^ 1),
                    false => (first, second),
                };
                lines.push(format!("{name} {a}.{}, {b}.{}", scalar(first), scalar(second)));
                lines.push(format!("mov {result}.{letters}, {input}0.{}", swizzle(first)));
                if at % 2 == 0 {
                    lines.push("els".to_string());
                    lines.push(format!("add {result}.{letters}, {input}1.{}, {input}2", swizzle(second)));
                }
                lines.push("eif".to_string());
            }
            (Meaning::Kill, _) => lines.push(format!("kil {a}.{}", scalar(first))),
            (Meaning::Derivative(_), _) => {
                // The derivative's operand varies linearly across the picture in even-numbered uses, and nonlinearly in
                // odd-numbered uses.
                let of = format!("{temporary}{}", 8 + at);
                let factor = if at % 2 == 0 { format!("{constant}0.x") } else { format!("{input}1") };
                lines.push(format!("mul {of}, {a}, {factor}"));
                lines.push(format!("{name} {result}.{letters}, {of}.{}", swizzle(first)));
            }
            (_, [_, Operand::None]) => lines.push(format!("{name} {result}.{letters}, {a}.{}", swizzle(first))),
            (_, [_, Operand::Matrix]) => {
                let (rows, swizzle) = (8 + 4 * at, swizzle(first));
                if alias == Alias::Second || alias == Alias::Both {
                    for row in 0..4 {
                        lines.push(format!("mov {temporary}{}, {input}{}", rows + row, 4 + row));
                    }
                    result = format!("{temporary}{}", rows + 1);
                    lines.push(format!("{name} {result}.{letters}, {a}.{swizzle}, {temporary}{rows}"));
                } else {
                    let matrix = if is_constant { format!("{constant}{at}") } else { format!("{input}4") };
                    lines.push(format!("{name} {result}.{letters}, {a}.{swizzle}, {matrix}"));
                }
            }
            _ => {
                lines.push(format!("{name} {result}.{letters}, {a}.{}, {b}.{}", swizzle(first), swizzle(second)));
            }
        }
        lines.push(format!("mov {output}{at}, {result}"));
        let _ = writeln!(text, "{}", lines.join("\n"));
    }
    if stage == Stage::Vertex {
        let _ = writeln!(text, "mov op, {input}3");
    }
    text
}

/// Returns sampler states as options in AGAL text. The states cover every dimension, filter, mip mode and wrap mode, and several
/// biases. For `tex`, the states also cover the remaining options, such as `single`.
pub fn sampler_states(op: Opcode) -> Vec<String> {
    let mut states = Vec::new();
    let load = op.row().stage == Some(Stage::Vertex);
    for dimension in ["2d", "cube", "3d"] {
        let filters: &[&str] = if load { &["nearest", "linear"] } else { &["nearest", "linear", "anisotropic4x"] };
        for filter in filters {
            for mip in ["mipnone", "mipnearest", "miplinear"] {
                // A cube texture must have mip levels, and so must a texture for `ted`, because `ted` selects a level.
                if mip == "mipnone" && (dimension == "cube" || op == Opcode::Ted) {
                    continue;
                }
                for wrap in ["clamp", "repeat", "clamp_u_repeat_v", "repeat_u_clamp_v"] {
                    if dimension == "cube" && wrap != "clamp" {
                        continue;
                    }
                    for bias in ["0", "1.25", "-2.5"] {
                        if bias != "0"
                            && (mip == "mipnone" || op == Opcode::Ted || wrap != "clamp" && dimension == "3d")
                        {
                            continue;
                        }
                        states.push(format!("{dimension},{filter},{mip},{wrap},{bias}"));
                    }
                }
            }
        }
    }
    if op == Opcode::Tex {
        for more in ["single", "centroid", "ignoresampler", "dxt1", "dxt5", "video"] {
            let mip = if more == "video" { "mipnone" } else { "miplinear" };
            states.push(format!("2d,linear,{mip},clamp,{more}"));
        }
        states.push("2d,anisotropic2x,miplinear,clamp".to_string());
        states.push("2d,anisotropic8x,miplinear,repeat".to_string());
        states.push("2d,anisotropic16x,mipnearest,repeat".to_string());
    }
    states
}

/// Returns a program that samples with up to four sampler states, at the coordinates in inputs 0 to 3.
///
/// # Panics
/// Panics if the generated text is not valid AGAL, which is a bug in this file.
pub fn textured(op: Opcode, stage: Stage, states: &[String]) -> Program {
    let (input, output, sampler, temporary) = match stage {
        Stage::Vertex => ("va", "v", "vs", "vt"),
        Stage::Fragment => ("v", "oc", "fs", "ft"),
    };
    let mut text = String::new();
    for (at, state) in states.iter().enumerate() {
        let name = op.row().mnemonic;
        let letters = ["xyzw", "yxzw", "xzyw", "yzxw"][at];
        let _ = writeln!(text, "{name} {temporary}{at}, {input}{at}.{letters}, {sampler}{at} <{state}>");
        let _ = writeln!(text, "mov {output}{at}, {temporary}{at}");
    }
    if stage == Stage::Vertex {
        let _ = writeln!(text, "mov op, {input}3");
    }
    assembled(&text, stage, op.row().since.max(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opcode_becomes_programs_without_an_error() {
        let rules = agal_front::Rules::default().allow_ted(true);
        let check = |program: &Program, what: &str| {
            let found = agal_front::check::check(&[program], &rules);
            let errors: Vec<_> = found.iter().flatten().filter(|finding| finding.is_error()).collect();
            assert!(errors.is_empty(), "{what}: {errors:?}");
        };
        for &op in Opcode::ALL {
            for stage in stages(op) {
                if is_shown(op) {
                    for variations in all(op).chunks(4).step_by(7).chain(some(op).chunks(4)) {
                        check(&program(op, stage, variations), &text(op, stage, variations));
                    }
                } else if matches!(op.row().meaning, Meaning::Texture | Meaning::TextureLevel) {
                    for states in sampler_states(op).chunks(4) {
                        check(&textured(op, stage, states), &format!("{states:?}"));
                    }
                }
            }
        }
    }
}

//! How much of a constrained device a fragment program takes, by estimate.
//!
//! The player compiles AGAL for the device and refuses what does not fit (3715 to 3721); the published limits are those of
//! the oldest pixel shaders that it supports. How many instructions an opcode becomes there is not published; the numbers
//! here are what those instruction sets need at least.

use crate::finding::{Finding, Kind, NativeLimit, Place};
use crate::flow::{REGISTERS, destination, reads, register_index, whole};
use crate::opcode::{Meaning, Operand};
use crate::program::Program;
use crate::register::Stage;
use crate::rules::Profile;
use crate::token::Token;

/// The limits of the profile that the program is likely to pass.
pub(crate) fn native_limits(program: &Program, profile: Profile) -> Vec<Finding> {
    let Some(limits) = profile.native_limits().filter(|_| program.stage == Stage::Fragment) else {
        return Vec::new();
    };
    let kinds = [NativeLimit::Arithmetic, NativeLimit::Textures, NativeLimit::DependentReads];
    let past = kinds.into_iter().zip(estimate(program)).zip(limits).filter(|((_, estimate), limit)| estimate > limit);
    past.map(|((what, estimate), limit)| {
        let kind = Kind::NativeLimit { what, estimate, limit, profile: profile.name() };
        Finding::new(kind, Place::end(program.tokens.len()))
    })
    .collect()
}

/// Arithmetic instructions, texture instructions, and the longest chain of textures that depend on each other.
fn estimate(program: &Program) -> [u32; 3] {
    let [mut arithmetic, mut textures, mut longest] = [0u32; 3];
    // By register, how many textures in a row led to what it holds.
    let mut chain = [0u32; REGISTERS];
    for token in &program.tokens {
        let mut depth = 0;
        for slot in 0..2 {
            reads(token, slot, whole(token), |register, _| {
                depth = register_index(register).and_then(|index| chain.get(index)).map_or(depth, |&at| depth.max(at));
            });
        }
        if token.operand(1) == Operand::Sampler {
            textures += 1;
            depth += 1;
            longest = longest.max(depth);
        } else {
            arithmetic += instructions(token);
        }
        if let Some(at) = destination(token).and_then(register_index).and_then(|index| chain.get_mut(index)) {
            *at = (*at).max(depth);
        }
    }
    [arithmetic, textures, longest]
}

/// How many instructions of the oldest pixel shaders an opcode needs.
fn instructions(token: &Token) -> u32 {
    match token.op().map(|op| op.row().meaning) {
        None | Some(Meaning::Else | Meaning::EndIf | Meaning::Kill | Meaning::Texture | Meaning::TextureLevel) => 0,
        Some(Meaning::Matrix { rows, .. }) => u32::from(rows),
        Some(Meaning::Normalize | Meaning::Power) => 3,
        Some(Meaning::Cross | Meaning::Compare(_) | Meaning::If(_) | Meaning::OfAbsolute(_)) => 2,
        Some(Meaning::Componentwise(sdlbc::Op::Sin | sdlbc::Op::Cos)) => 8,
        Some(Meaning::Componentwise(sdlbc::Op::Divide)) => 2,
        Some(_) => 1,
    }
}

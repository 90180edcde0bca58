//! Estimates whether a fragment program exceeds the limits of a constrained device.
//!
//! The player compiles AGAL for the device and refuses programs that exceed the device's limits (errors 3715 to 3721). The
//! published limits match the oldest pixel shaders that the player supports. The number of device instructions for each opcode
//! is not published, so this file assumes the fewest instructions that those pixel shaders need.

use crate::finding::{self, Finding, Kind, NativeLimit};
use crate::flow::{REGISTERS, destination, reads, register_index, whole, written};
use crate::opcode::{Meaning, Operand};
use crate::program::Program;
use crate::register::Stage;
use crate::rules::Profile;
use crate::token::Token;

/// Returns a finding for each limit of the profile that the program is likely to exceed.
pub(crate) fn native_limits(program: &Program, profile: Profile) -> Vec<Finding> {
    let Some(limits) = profile.native_limits().filter(|_| program.stage == Stage::Fragment) else {
        return Vec::new();
    };
    let kinds = [NativeLimit::Arithmetic, NativeLimit::Textures, NativeLimit::DependentReads];
    let past = kinds.into_iter().zip(estimate(program)).zip(limits).filter(|((_, estimate), limit)| estimate > limit);
    past.map(|((what, estimate), limit)| {
        let kind = Kind::NativeLimit { what, estimate, limit, profile: profile.name() };
        Finding::new(kind, finding::at_end(program.tokens.len()))
    })
    .collect()
}

/// Estimates the cost of a program on a constrained device: the number of arithmetic instructions, the number of texture
/// instructions, and the length of the longest chain of dependent texture reads.
pub fn estimate(program: &Program) -> [u32; 3] {
    let [mut arithmetic, mut textures, mut longest] = [0u32; 3];
    // For each register component, the length of the longest chain of dependent texture reads that leads to the component's
    // value.
    let mut chain = [[0u32; 4]; REGISTERS];
    let mut conditionals = 0u32;
    for token in &program.tokens {
        let mut depth = 0;
        for slot in 0..2 {
            reads(token, slot, whole(token), |register, mask| {
                let held = register_index(register).and_then(|index| chain.get(index));
                let read = mask.components().filter_map(|component| held?.get(usize::from(component)));
                depth = read.fold(depth, |depth, &at| depth.max(at));
            });
        }
        match token.row().map(|row| row.meaning) {
            Some(Meaning::If(_)) => conditionals += 1,
            Some(Meaning::EndIf) => conditionals = conditionals.saturating_sub(1),
            _ => {}
        }
        if token.operand(1) == Operand::Sampler {
            textures += 1;
            depth += 1;
            longest = longest.max(depth);
        } else {
            arithmetic += instructions(token);
        }
        if let Some(held) = destination(token).and_then(register_index).and_then(|index| chain.get_mut(index)) {
            for component in written(token).components() {
                if let Some(at) = held.get_mut(usize::from(component)) {
                    // If the write is in a conditional, the other branch may keep the old value.
                    *at = if conditionals == 0 { depth } else { depth.max(*at) };
                }
            }
        }
    }
    [arithmetic, textures, longest]
}

/// Returns the number of instructions that the oldest pixel shaders need for an opcode.
fn instructions(token: &Token) -> u32 {
    match token.row().map(|row| row.meaning) {
        None | Some(Meaning::Else | Meaning::EndIf | Meaning::Kill | Meaning::Texture | Meaning::TextureLevel) => 0,
        Some(Meaning::Matrix { rows, .. }) => u32::from(rows),
        Some(Meaning::Normalize | Meaning::Power) => 3,
        Some(Meaning::Cross | Meaning::Compare(_) | Meaning::If(_) | Meaning::OfAbsolute(_)) => 2,
        Some(Meaning::Componentwise(sdlbc::Op::Sin | sdlbc::Op::Cos)) => 8,
        Some(Meaning::Componentwise(sdlbc::Op::Divide)) => 2,
        Some(_) => 1,
    }
}

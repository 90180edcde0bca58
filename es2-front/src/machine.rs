//! A machine that runs a program instruction by instruction, on registers of four floats, for one invocation.
//!
//! Rule: it follows docs/isa.md as plainly as possible, and shares nothing with the lifter but the fields of a code word, so that a
//! mistake in either shows as a difference.

use crate::opcode::Opcode;
use crate::program::Program;
use crate::register::{File, Written};
use crate::word::{Instruction, Part, Source};

/// A register's value.
pub type Vector = [f32; 4];

/// What an invocation reads.
pub struct Inputs<'a> {
    /// The attributes, or what a fragment program reads at each index of an input: varyings, and the built-ins at 13 to 15.
    pub inputs: [Vector; 16],
    /// The uniforms; those after the last are 0.
    pub uniforms: &'a [Vector],
    /// The texel of a sampler at a coordinate.
    pub texel: &'a dyn Fn(u8, Vector) -> Vector,
}

/// What an invocation has written.
#[derive(Clone, Debug, PartialEq)]
pub struct Outputs {
    /// The outputs by index.
    pub outputs: [Vector; 16],
    /// Which were written, at least in part.
    pub written: [bool; 16],
}

struct Machine<'a> {
    inputs: &'a Inputs<'a>,
    temporaries: [Vector; 16],
    outputs: Outputs,
    address: f32,
}

/// Runs a program.
pub fn run(program: &Program, inputs: &Inputs<'_>) -> Outputs {
    let mut machine = Machine {
        inputs,
        temporaries: [[0.0; 4]; 16],
        outputs: Outputs { outputs: [[0.0; 4]; 16], written: [false; 16] },
        address: 0.0,
    };
    for instruction in &program.instructions {
        machine.step(instruction);
    }
    machine.outputs
}

impl Machine<'_> {
    /// Fetches a register, then applies the swizzle, the sign, and for a first source the extended swizzle.
    fn source(&self, instruction: &Instruction, at: usize) -> Vector {
        let source = instruction.sources.get(at).copied().unwrap_or(Source::NONE);
        let index = usize::from(source.index & 15);
        let number = usize::from(instruction.bank & 7) * 16 + index;
        let uniform = |number: usize| self.inputs.uniforms.get(number).copied().unwrap_or_default();
        let register = match source.file {
            File::Temporary => self.temporaries.get(index).copied().unwrap_or_default(),
            File::Input => self.inputs.inputs.get(index).copied().unwrap_or_default(),
            File::Uniform => uniform(number),
            File::Relative => {
                let address = if self.address.is_nan() { 0.0 } else { f64::from(self.address) };
                let computed = address + number as f64;
                uniform((0..128).rev().find(|&number| number as f64 <= computed).unwrap_or(0))
            }
        };
        let component = |c: u8| register.get(usize::from(c)).copied().unwrap_or(0.0);
        let swizzled = [0, 1, 2, 3].map(|slot| component(source.swizzle.0 >> (2 * slot) & 3));
        let signed = swizzled.map(|value| if source.negate { -value } else { value });
        if at > 0 || instruction.op == Opcode::Mad {
            return signed;
        }
        [0, 1, 2, 3].map(|slot| {
            let (negate, part) = instruction.extended.component(slot).unwrap_or((false, Part::Zero));
            let value = match part {
                Part::Component(c) => signed.get(usize::from(c)).copied().unwrap_or(0.0),
                Part::Zero => 0.0,
                Part::One => 1.0,
            };
            if negate { -value } else { value }
        })
    }

    fn step(&mut self, instruction: &Instruction) {
        let [a, b, c] = [0, 1, 2].map(|at| self.source(instruction, at));
        let both = |of: fn(f32, f32) -> f32| {
            let [ax, ay, az, aw] = a;
            let [bx, by, bz, bw] = b;
            [of(ax, bx), of(ay, by), of(az, bz), of(aw, bw)]
        };
        let truth = |holds: bool| if holds { 1.0 } else { 0.0 };
        let [ax, ay, az, aw] = a;
        let [bx, by, bz, bw] = b;
        let [cx, cy, cz, cw] = c;
        let s = ax;
        let result = match instruction.op {
            Opcode::Nop => return,
            Opcode::Arl => {
                self.address = s.floor();
                return;
            }
            Opcode::Mov | Opcode::Swz => a,
            Opcode::Abs => a.map(f32::abs),
            Opcode::Flr => a.map(f32::floor),
            Opcode::Frc => a.map(|x| x - x.floor()),
            Opcode::Add => both(|a, b| a + b),
            Opcode::Mul => both(|a, b| a * b),
            Opcode::Dst => [1.0, ay * by, az, bw],
            Opcode::Xpd => [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx, 0.0],
            Opcode::Max => both(f32::max),
            Opcode::Min => both(f32::min),
            Opcode::Sge => [truth(ax >= bx), truth(ay >= by), truth(az >= bz), truth(aw >= bw)],
            Opcode::Slt => [truth(ax < bx), truth(ay < by), truth(az < bz), truth(aw < bw)],
            Opcode::Dph => [ax * bx + ay * by + az * bz + bw; 4],
            Opcode::Dp3 => [ax * bx + ay * by + az * bz; 4],
            Opcode::Dp4 => [ax * bx + ay * by + az * bz + aw * bw; 4],
            Opcode::Clamp => both(|a, b| a.max(0.0).min(b)),
            Opcode::MulZ => [ax, ay, az * bz, aw],
            Opcode::Mad => [ax * bx + cx, ay * by + cy, az * bz + cz, aw * bw + cw],
            Opcode::Exp => [libm::exp2f(s.floor()), s - s.floor(), libm::exp2f(s), 1.0],
            Opcode::Log => logarithm(s.abs()),
            Opcode::Ex2 | Opcode::REx2 => [libm::exp2f(s); 4],
            Opcode::Lg2 => [libm::log2f(s); 4],
            Opcode::RLg2 => [libm::log2f(s).max(f32::MIN); 4],
            Opcode::Rcp => [1.0 / s; 4],
            Opcode::Rsq => [1.0 / s.abs().sqrt(); 4],
            Opcode::Tex => (self.inputs.texel)(instruction.sampler, a),
        };
        let destination = instruction.destination;
        let index = usize::from(destination.index & 15);
        let registers = match destination.written {
            Written::Temporary => &mut self.temporaries,
            Written::Output => {
                if let Some(written) = self.outputs.written.get_mut(index) {
                    *written |= !destination.mask.is_empty();
                }
                &mut self.outputs.outputs
            }
        };
        let Some(register) = registers.get_mut(index) else { return };
        for ((component, held), value) in (0..).zip(register).zip(result) {
            if destination.mask.has(component) {
                *held = value;
            }
        }
    }
}

/// ARB's LOG of a number that is not negative: its exponent, its mantissa from 1 to 2, its logarithm, and 1.
fn logarithm(s: f32) -> Vector {
    if !(f32::MIN_POSITIVE..=f32::MAX).contains(&s) {
        let log = libm::log2f(s);
        return [log, 1.0, log, 1.0];
    }
    let (fraction, exponent) = libm::frexpf(s);
    [(exponent - 1) as f32, fraction * 2.0, libm::log2f(s), 1.0]
}

//! Executes a program in four invocations at once.

use es2_front::opcode::Opcode;
use es2_front::program::Program;
use es2_front::register::{File, Written};
use es2_front::word::{Destination, Instruction, Part, Source};

use crate::{Float, Inputs, Outputs, Quad, Vector};

#[derive(Clone, Copy, Default)]
struct Invocation {
    inputs: [Vector; 16],
    temporaries: [Vector; 16],
    outputs: [Vector; 16],
    address: f32,
}

enum Computed {
    /// The instruction has no result, or loads the address register.
    Nothing,
    /// The value to write to the destination.
    Value(Vector),
    /// The coordinate of the texel to write to the destination.
    Texel(Vector),
}

/// Runs a program in four invocations, and returns the outputs that they wrote.
pub fn run(program: &Program, inputs: &Inputs<'_>) -> Outputs {
    let f = inputs.float;
    let mut quad = [Invocation::default(); 4];
    for (lane, invocation) in quad.iter_mut().enumerate() {
        let given = inputs.inputs.map(|register| register.get(lane).copied().unwrap_or_default());
        invocation.inputs = given.map(|register| register.map(|x| f.of(x)));
    }
    let mut written = [false; 16];
    for instruction in &program.instructions {
        let destination = instruction.destination;
        let computed = quad.each_mut().map(|invocation| invocation.compute(instruction, inputs.uniforms, f));
        let values = match computed {
            [Computed::Value(a), Computed::Value(b), Computed::Value(c), Computed::Value(d)] => [a, b, c, d],
            [Computed::Texel(a), Computed::Texel(b), Computed::Texel(c), Computed::Texel(d)] => {
                (inputs.texels)(instruction.sampler, [a, b, c, d]).map(|texel| texel.map(|x| f.of(x)))
            }
            _ => continue,
        };
        if destination.written == Written::Output
            && let Some(written) = written.get_mut(usize::from(destination.index))
        {
            *written |= !destination.mask.is_empty();
        }
        for (invocation, value) in quad.iter_mut().zip(values) {
            invocation.write(destination, value);
        }
    }
    let mut outputs = [Quad::default(); 16];
    for (index, output) in outputs.iter_mut().enumerate() {
        *output = quad.map(|invocation| invocation.outputs.get(index).copied().unwrap_or_default());
    }
    Outputs { outputs, written }
}

impl Invocation {
    /// Fetches a register and applies the source's swizzle and sign. For an instruction's first source, the extended swizzle is
    /// also applied.
    fn source(&self, instruction: &Instruction, at: usize, uniforms: &[Vector], f: Float) -> Vector {
        let source = instruction.sources.get(at).copied().unwrap_or(Source::NONE);
        let index = usize::from(source.index & 15);
        let number = usize::from(instruction.bank & 7) * 16 + index;
        let uniform = |number: usize| uniforms.get(number).copied().unwrap_or_default().map(|x| f.of(x));
        let register = match source.file {
            File::Temporary => self.temporaries.get(index).copied().unwrap_or_default(),
            File::Input => self.inputs.get(index).copied().unwrap_or_default(),
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

    fn compute(&mut self, instruction: &Instruction, uniforms: &[Vector], f: Float) -> Computed {
        let [a, b, c] = [0, 1, 2].map(|at| self.source(instruction, at, uniforms, f));
        let [ax, ay, az, aw] = a;
        let [bx, by, bz, bw] = b;
        let [cx, cy, cz, cw] = c;
        let both = |of: &dyn Fn(f32, f32) -> f32| [of(ax, bx), of(ay, by), of(az, bz), of(aw, bw)];
        let truth = |holds: bool| if holds { 1.0 } else { 0.0 };
        let s = ax;
        let value = match instruction.op {
            Opcode::Nop => return Computed::Nothing,
            Opcode::Arl => {
                self.address = s.floor();
                return Computed::Nothing;
            }
            Opcode::Mov | Opcode::Swz => a,
            Opcode::Abs => a.map(f32::abs),
            Opcode::Flr => a.map(f32::floor),
            Opcode::Frc => a.map(|x| f.sub(x, x.floor())),
            Opcode::Add => both(&|a, b| f.add(a, b)),
            Opcode::Mul => both(&|a, b| f.mul(a, b)),
            Opcode::Dst => [1.0, f.mul(ay, by), az, bw],
            Opcode::Xpd => {
                let term = |a, b, c, d| f.sub(f.mul(a, b), f.mul(c, d));
                [term(ay, bz, az, by), term(az, bx, ax, bz), term(ax, by, ay, bx), 0.0]
            }
            Opcode::Max => both(&f32::max),
            Opcode::Min => both(&f32::min),
            Opcode::Sge => both(&|a, b| truth(a >= b)),
            Opcode::Slt => both(&|a, b| truth(a < b)),
            Opcode::Dph => [f.add(f.sum(&[(ax, bx), (ay, by), (az, bz)]), bw); 4],
            Opcode::Dp3 => [f.sum(&[(ax, bx), (ay, by), (az, bz)]); 4],
            Opcode::Dp4 => [f.sum(&[(ax, bx), (ay, by), (az, bz), (aw, bw)]); 4],
            Opcode::Clamp => both(&|a, b| a.max(0.0).min(b)),
            Opcode::MulZ => [ax, ay, f.mul(az, bz), aw],
            // MAD rounds the product before adding.
            Opcode::Mad => {
                let mad = |a, b, c| f.add(f.mul(a, b), c);
                [mad(ax, bx, cx), mad(ay, by, cy), mad(az, bz, cz), mad(aw, bw, cw)]
            }
            Opcode::Exp => [f.of(libm::exp2f(s.floor())), f.sub(s, s.floor()), f.of(libm::exp2f(s)), 1.0],
            Opcode::Log => logarithm(f, s.abs()),
            Opcode::Ex2 | Opcode::REx2 => [f.of(libm::exp2f(s)); 4],
            Opcode::Lg2 => [f.of(libm::log2f(s)); 4],
            Opcode::RLg2 => [f.of(libm::log2f(s)).max(-f.largest()); 4],
            Opcode::Rcp => [f.div(1.0, s); 4],
            Opcode::Rsq => [f.div(1.0, f.root(s.abs())); 4],
            Opcode::Tex => return Computed::Texel(a),
        };
        Computed::Value(value)
    }

    fn write(&mut self, destination: Destination, value: Vector) {
        let registers = match destination.written {
            Written::Temporary => &mut self.temporaries,
            Written::Output => &mut self.outputs,
        };
        let Some(register) = registers.get_mut(usize::from(destination.index)) else { return };
        for ((component, held), value) in (0..).zip(register).zip(value) {
            if destination.mask.has(component) {
                *held = value;
            }
        }
    }
}

/// Computes ARB's LOG of a non-negative number: its exponent, its mantissa from 1 to 2, its logarithm, and 1.
fn logarithm(f: Float, s: f32) -> Vector {
    let log = f.of(libm::log2f(s));
    if !(f.smallest_normal()..=f.largest()).contains(&s) {
        return [log, 1.0, log, 1.0];
    }
    let (fraction, exponent) = libm::frexpf(s);
    [(exponent - 1) as f32, fraction * 2.0, log, 1.0]
}

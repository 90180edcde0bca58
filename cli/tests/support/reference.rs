//! AGAL run as the reference describes it: one invocation, component by component, in the order of the tokens. It shares
//! nothing with the translator but the decoding of tokens, and is written for plainness alone.

use std::collections::HashMap;

use agal_front::register::File;
use agal_front::token::{Source, Token};
use agal_front::{Program, Stage};
use sdlbc::number;

pub(crate) type Vec4 = [f32; 4];

/// What an invocation is given. Textures and derivatives have no neighbours here, so they are functions of their operands.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    pub(crate) seed: u64,
}

impl Inputs {
    /// A register of the application or of the stage before: small numbers, many of them round.
    pub(crate) fn register(&self, file: File, number: u32) -> Vec4 {
        std::array::from_fn(|component| {
            let place = (file as u64) << 32 | u64::from(number) << 2 | component as u64;
            let mut random = super::Random(self.seed ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            match random.below(4) {
                0 => random.below(5) as f32 - 1.0,
                1 => random.below(17) as f32 / 8.0 - 1.0,
                _ => (random.next() >> 40) as f32 / (1u64 << 24) as f32 * 4.0 - 2.0,
            }
        })
    }

    /// The texel of a texture at a coordinate.
    pub(crate) fn texel(&self, slot: u32, coordinate: &[f32]) -> Vec4 {
        let slot = slot as f32;
        let sum = coordinate.iter().zip([1.0, 0.75, 0.5]).map(|(c, weight)| c * weight).fold(slot * 0.25, |a, b| a + b);
        let wave = |k: f32| sum * k - (sum * k).floor();
        [wave(1.0), wave(0.5), 1.0 - wave(1.0) * 0.5, wave(0.25)]
    }

    pub(crate) fn ddx(&self, value: f32) -> f32 {
        value * 0.25
    }

    pub(crate) fn ddy(&self, value: f32) -> f32 {
        value * -0.5
    }
}

/// What an invocation gives: nothing if it was discarded.
pub(crate) type Outputs = Option<HashMap<(File, u32), Vec4>>;

/// Runs a program that the validator finds no fault with.
pub(crate) fn run(program: &Program, inputs: &Inputs, strict_ifg: bool) -> Outputs {
    let mut machine = Machine { program, inputs, written: HashMap::new(), strict_ifg };
    // For each open conditional: whether its arm runs, and whether what is around it does.
    let mut arms: Vec<(bool, bool)> = Vec::new();
    for token in &program.tokens {
        let runs = arms.last().is_none_or(|&(taken, around)| taken && around);
        match token.opcode {
            0x1c..=0x1f => arms.push((runs && machine.condition(token), runs)),
            0x20 => {
                if let Some((taken, _)) = arms.last_mut() {
                    *taken = !*taken;
                }
            }
            0x21 => drop(arms.pop()),
            _ if !runs => {}
            0x27 if machine.source(token, 0, 0)[0] < 0.0 => return None,
            0x27 => {}
            _ => machine.write(token),
        }
    }
    let outputs = machine.written.into_iter().filter(|((file, _), _)| *file != File::Temporary);
    Some(outputs.collect())
}

struct Machine<'a> {
    program: &'a Program,
    inputs: &'a Inputs,
    written: HashMap<(File, u32), Vec4>,
    strict_ifg: bool,
}

impl Machine<'_> {
    fn register(&self, file: File, number: u32) -> Vec4 {
        match file {
            File::Attribute | File::Constant | File::Varying => self.inputs.register(file, number),
            File::Instance => [3.0; 4],
            _ => self.written.get(&(file, number)).copied().unwrap_or_default(),
        }
    }

    /// A source with its swizzle; `row` counts from its register.
    fn source(&self, token: &Token, slot: usize, row: u32) -> Vec4 {
        let source: Source = token.src(slot);
        let file = source.register_file().expect("a file");
        let value = if source.indirect {
            let index = self.register(source.index_register_file().expect("a file"), source.number.into());
            // Nothing says what an index beyond all registers reads; here it wraps round, as in the translation.
            let index = (index[usize::from(source.index_component)] + 0.5).floor();
            let index = index.clamp(-2147483648.0, 2147483520.0) as i32;
            let index = index.wrapping_add(i32::from(source.offset) + row as i32);
            let last = File::Constant.count(self.program.stage, self.program.version) as i32 - 1;
            self.register(file, index.clamp(0, last) as u32)
        } else {
            self.register(file, u32::from(source.number) + row)
        };
        std::array::from_fn(|slot| value[usize::from(source.swizzle.component(slot as u8))])
    }

    fn condition(&self, token: &Token) -> bool {
        let (a, b) = (self.source(token, 0, 0)[0], self.source(token, 1, 0)[0]);
        match token.opcode {
            0x1c => a == b,
            0x1d => a != b,
            0x1e if self.strict_ifg => a > b,
            0x1e => a >= b,
            _ => a < b,
        }
    }

    /// Computes a token's four components and writes those of its mask.
    fn write(&mut self, token: &Token) {
        let result = self.result(token);
        let destination = token.dst();
        let register = (destination.register_file().expect("a file"), u32::from(destination.number));
        let held = self.written.entry(register).or_default();
        // What yields three components leaves the fourth as it was.
        let three = matches!(token.opcode, 0x0e | 0x11 | 0x17 | 0x19);
        for component in destination.mask.components().map(usize::from).filter(|&component| !three || component < 3) {
            held[component] = result[component];
        }
        if register.0 == File::Depth {
            held[0] = held[0].clamp(0.0, 1.0);
        }
    }

    fn result(&self, token: &Token) -> Vec4 {
        let a = self.source(token, 0, 0);
        let unary = |f: &dyn Fn(f32) -> f32| a.map(f);
        let binary = |f: &dyn Fn(f32, f32) -> f32| {
            let b = self.source(token, 1, 0);
            std::array::from_fn(|i| f(a[i], b[i]))
        };
        let truth = |f: &dyn Fn(f32, f32) -> bool| binary(&|a, b| if f(a, b) { 1.0 } else { 0.0 });
        let dot = |b: Vec4, width: usize| (0..width).map(|i| a[i] * b[i]).reduce(|x, y| x + y).unwrap_or(0.0);
        let rows = |count: u32, width: usize| {
            std::array::from_fn(|i| if (i as u32) < count { dot(self.source(token, 1, i as u32), width) } else { 0.0 })
        };
        match token.opcode {
            0x00 => a,
            0x01 => binary(&|a, b| a + b),
            0x02 => binary(&|a, b| a - b),
            0x03 => binary(&|a, b| a * b),
            0x04 => binary(&|a, b| a / b),
            0x05 => unary(&|a| 1.0 / a),
            0x06 => binary(&f32::min),
            0x07 => binary(&f32::max),
            0x08 => unary(&|a| a - a.floor()),
            0x09 => unary(&|a| a.abs().sqrt()),
            0x0a => unary(&|a| 1.0 / a.abs().sqrt()),
            0x0b => binary(&|a, b| if b == 0.0 { 1.0 } else { number::pow(a.abs(), b) }),
            0x0c => unary(&|a| number::log2(a.abs())),
            0x0d => unary(&number::exp2),
            0x0e => {
                // `v * inversesqrt(max(dot(v, v), tiny))`, in this order, for comparisons of the result to come out alike.
                let scale = 1.0 / dot(a, 3).max(1e-37).sqrt();
                unary(&|a| a * scale)
            }
            0x0f => unary(&number::sin),
            0x10 => unary(&number::cos),
            0x11 => {
                let b = self.source(token, 1, 0);
                let term = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
                [term(1, 2), term(2, 0), term(0, 1), 0.0]
            }
            0x12 => [dot(self.source(token, 1, 0), 3); 4],
            0x13 => [dot(self.source(token, 1, 0), 4); 4],
            0x14 => unary(&f32::abs),
            0x15 => unary(&|a| -a),
            0x16 => unary(&|a| a.clamp(0.0, 1.0)),
            0x17 => rows(3, 3),
            0x18 => rows(4, 4),
            0x19 => rows(3, 4),
            0x1a => unary(&|a| self.inputs.ddx(a)),
            0x1b => unary(&|a| self.inputs.ddy(a)),
            0x26 | 0x28 | 0x2e => {
                let sampler = token.sampler();
                let width = if matches!(sampler.dimension, 1 | 2) { 3 } else { 2 };
                let texel = self.inputs.texel(sampler.number.into(), &a[..width]);
                if sampler.special & 2 != 0 { [texel[0]; 4] } else { texel }
            }
            0x29 => truth(&|a, b| a >= b),
            0x2a => truth(&|a, b| a < b),
            0x2b => unary(&|a| {
                if a > 0.0 {
                    1.0
                } else if a < 0.0 {
                    -1.0
                } else {
                    0.0
                }
            }),
            0x2c => truth(&|a, b| a == b),
            0x2d => truth(&|a, b| a != b),
            other => panic!("opcode {other:#x} has no result"),
        }
    }
}

/// The registers that a stage gives on, by the names that outputs have.
pub(crate) fn output_of(name: &str, stage: Stage) -> Option<(File, u32)> {
    let files = [(File::Output, "op"), (File::Output, "oc"), (File::Varying, "v"), (File::Depth, "od")];
    let (file, prefix) = files.into_iter().find(|(file, prefix)| {
        name.strip_prefix(prefix).is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
            && *file.name(stage) == **prefix
    })?;
    Some((file, name[prefix.len()..].parse().unwrap_or(0)))
}

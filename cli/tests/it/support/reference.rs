//! Runs AGAL on the AGAL machine, which shares only the decoding of tokens with the translator. Registers, textures and
//! derivatives are synthetic.

use std::collections::HashMap;

use agal_front::register::File;
use agal_front::{Program, Stage};
use agal_machine::{Environment, Lookup, Machine, Options, Quad};

pub(crate) type Vec4 = [f32; 4];

/// The inputs of an invocation.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    pub(crate) seed: u64,
}

impl Inputs {
    /// A register that the application or the previous stage sets: small numbers, many of them round.
    pub(crate) fn register(&self, file: File, number: u32) -> Vec4 {
        std::array::from_fn(|component| {
            let key = (file as u64) << 32 | u64::from(number) << 2 | component as u64;
            let mut random = super::Random(self.seed ^ key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
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

/// An invocation has no neighbours here, so derivatives depend only on their operand, and textures on their coordinate.
impl Environment for Inputs {
    fn texels(&self, lookup: &Lookup) -> Quad {
        let width = usize::from(lookup.sampler.coordinate_components());
        lookup.coordinates.map(|coordinate| self.texel(lookup.sampler.number.into(), &coordinate[..width]))
    }

    fn ddx(&self, values: [f32; 4]) -> [f32; 4] {
        values.map(|value| self.ddx(value))
    }

    fn ddy(&self, values: [f32; 4]) -> [f32; 4] {
        values.map(|value| self.ddy(value))
    }
}

/// The outputs of an invocation, or `None` if it was discarded.
pub(crate) type Outputs = Option<HashMap<(File, u32), Vec4>>;

/// Runs a program whose meaning is defined.
pub(crate) fn run(program: &Program, inputs: &Inputs, strict_ifg: bool) -> Outputs {
    let options = Options { strict_ifg, ..Options::default() };
    let machine = Machine::new(program, options).unwrap_or_else(|error| panic!("{error}"));
    let given = if program.stage == Stage::Vertex { File::Attribute } else { File::Varying };
    let of = |file: File| (0..file.count(program.stage, program.version)).map(move |n| inputs.register(file, n));
    let (registers, constants): (Vec<Quad>, Vec<Vec4>) =
        (of(given).map(|value| [value; 4]).collect(), of(File::Constant).collect());
    let outputs = machine.run(&agal_machine::Inputs {
        registers: &registers,
        constants: &constants,
        instance: [3; 4],
        environment: inputs,
    });
    let values = outputs.registers.iter().map(|output| ((output.file, output.number), output.values[0]));
    (!outputs.killed[0]).then(|| values.collect())
}

/// The register that an output is named after.
pub(crate) fn output_of(name: &str, stage: Stage) -> Option<(File, u32)> {
    let files = [(File::Output, "op"), (File::Output, "oc"), (File::Varying, "v"), (File::Depth, "od")];
    let (file, prefix) = files.into_iter().find(|(file, prefix)| {
        name.strip_prefix(prefix).is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
            && *file.name(stage) == **prefix
    })?;
    Some((file, name[prefix.len()..].parse().unwrap_or(0)))
}

//! Supplies the same inputs to the AGAL machine and to the interpreter of naga modules, and collects their outputs.

use std::collections::HashMap;

use agal_front::register::File;
use agal_front::{Program, Stage};
use agal_machine::{Environment, Lookup, Machine, Options, Quad};
use laws::shader::{self, Discarding, Given, Level, Value};
use naga::{AddressSpace, Binding, BuiltIn, Module, ShaderStage, TypeInner};
use testing::Random;

pub(crate) type Vec4 = [f32; 4];

/// The inputs of an invocation. The values of the registers are derived from a seed.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    pub(crate) seed: u64,
}

impl Inputs {
    /// Returns the value of an input or constant register. The components are small and often round numbers.
    pub(crate) fn register(&self, file: File, number: u32) -> Vec4 {
        std::array::from_fn(|component| {
            let key = (file as u64) << 32 | u64::from(number) << 2 | component as u64;
            let mut random = Random(self.seed ^ key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            match random.below(4) {
                0 => random.below(5) as f32 - 1.0,
                1 => random.below(17) as f32 / 8.0 - 1.0,
                _ => (random.next() >> 40) as f32 / (1u64 << 24) as f32 * 4.0 - 2.0,
            }
        })
    }

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

/// Invocations have no neighbours in these tests, so derivatives depend only on their operand, and texels only on their
/// coordinate.
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

/// The outputs of an invocation, keyed by register, or `None` if the invocation was discarded.
pub(crate) type Outputs = Option<HashMap<(File, u32), Vec4>>;

impl Given for Inputs {
    fn argument(&self, _: &Module, stage: ShaderStage, argument: &naga::FunctionArgument) -> Value {
        match argument.binding {
            Some(Binding::Location { location, .. }) => {
                let file = if stage == ShaderStage::Vertex { File::Attribute } else { File::Varying };
                Value::Many(self.register(file, location).map(Value::Float).to_vec())
            }
            Some(Binding::BuiltIn(BuiltIn::InstanceIndex)) => Value::Uint(3),
            ref other => panic!("an argument {other:?}"),
        }
    }

    /// The only uniform variables are the constant registers.
    fn uniform(&self, module: &Module, variable: &naga::GlobalVariable) -> Value {
        assert_eq!(variable.space, AddressSpace::Uniform);
        let TypeInner::Array { size: naga::ArraySize::Constant(count), .. } = module.types[variable.ty].inner else {
            panic!("not constant registers: {variable:?}");
        };
        let register = |number| Value::Many(self.register(File::Constant, number).map(Value::Float).to_vec());
        Value::Many((0..count.get()).map(register).collect())
    }

    fn texel(&self, texture: &naga::GlobalVariable, coordinate: &[f32], _: &Level) -> [f32; 4] {
        let name = texture.name.clone().unwrap_or_default();
        let slot = name.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().expect("a slot");
        self.texel(slot, coordinate)
    }

    fn ddx(&self, value: f32) -> f32 {
        self.ddx(value)
    }

    fn ddy(&self, value: f32) -> f32 {
        self.ddy(value)
    }
}

pub(crate) fn run_agal(program: &Program, inputs: &Inputs, strict_ifg: bool) -> Outputs {
    let options = Options::default().strict_ifg(strict_ifg);
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

/// Returns the register to which the name of a WGSL output refers.
pub(crate) fn output_of(name: &str, stage: Stage) -> Option<(File, u32)> {
    let files = [(File::Output, "op"), (File::Output, "oc"), (File::Varying, "v"), (File::Depth, "od")];
    let (file, prefix) = files.into_iter().find(|(file, prefix)| {
        name.strip_prefix(prefix).is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
            && *file.name(stage) == **prefix
    })?;
    Some((file, name[prefix.len()..].parse().unwrap_or(0)))
}

/// Runs an entry point of the WGSL and returns its outputs by name, or `None` if the invocation was discarded.
pub(crate) fn run_wgsl(module: &Module, stage: ShaderStage, inputs: &Inputs) -> Option<Vec<(String, Vec<f32>)>> {
    let name = |name: String, binding: &Option<Binding>| match binding {
        _ if !name.is_empty() => name,
        Some(Binding::BuiltIn(BuiltIn::Position { .. })) => "op".to_string(),
        _ => "oc".to_string(),
    };
    let outputs = shader::run(module, stage, inputs, Discarding::GoesOn)?;
    Some(outputs.into_iter().map(|(given, binding, value)| (name(given, &binding), value.floats())).collect())
}

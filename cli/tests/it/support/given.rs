//! The inputs of an AGAL program's WGSL: the values that the AGAL machine reads from its registers.

use agal_front::register::File;
use naga::{AddressSpace, Binding, BuiltIn, Module, ShaderStage, TypeInner};

use super::reference::Inputs;
use laws::shader::{self, Discarding, Given, Level, Value};

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

/// Runs the WGSL. Returns its outputs by name, or `None` if the invocation was discarded.
pub(crate) fn run(module: &Module, stage: ShaderStage, inputs: &Inputs) -> Option<Vec<(String, Vec<f32>)>> {
    let name = |name: String, binding: &Option<Binding>| match binding {
        _ if !name.is_empty() => name,
        Some(Binding::BuiltIn(BuiltIn::Position { .. })) => "op".to_string(),
        _ => "oc".to_string(),
    };
    let outputs = shader::run(module, stage, inputs, Discarding::GoesOn)?;
    Some(outputs.into_iter().map(|(given, binding, value)| (name(given, &binding), value.floats())).collect())
}

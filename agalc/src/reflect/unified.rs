//! The register names in programs of the unified-shader instruction set (docs/isa.md).
//!
//! Rule: a module does not record its source language. Therefore [`reflect`](crate::reflect()) always uses AGAL's register names,
//! and [`Reflection::with_programs`](crate::reflect::Reflection::with_programs) replaces the names in unified-shader programs.

use es2_front::Program;
use es2_front::register::{Register, Written, output};
use sdlbc::{Builtin as BuiltinKind, FunctionKind};

use super::types::{Reflection, Stage};
use crate::names::{SAMPLERS, UNIFORMS};

impl Reflection {
    /// Renames the registers of stages that were lifted from unified-shader programs to names such as `u`, `t0`, `a0`, `position`
    /// and `fragcolor`.
    pub(super) fn spell_unified<'p>(&mut self, programs: impl Iterator<Item = &'p Program>) {
        let Reflection { stages, outputs, .. } = self;
        for program in programs {
            let kind = FunctionKind::from(program.stage);
            stages.iter_mut().filter(|stage| stage.stage == kind).for_each(|stage| stage.spell(program));
            let resources = outputs.iter_mut().flat_map(|written| &mut written.resources);
            for resource in resources.filter(|resource| resource.stage == kind) {
                if let Some(register) = &mut resource.register {
                    *register = match resource.kind.slot() {
                        Some(slot) => format!("{SAMPLERS}{slot}"),
                        None => UNIFORMS.to_string(),
                    };
                }
            }
        }
    }
}

impl Stage {
    fn spell(&mut self, program: &Program) {
        // A location in a module may be too large for a register, in which case AGAL's register name is kept.
        let register =
            |of: fn(u8) -> Register, number: u32| u8::try_from(number).ok().map(|number| of(number).to_string());
        for attribute in &mut self.attributes {
            if let Some(name) = register(Register::Attribute, attribute.location) {
                attribute.register = name;
            }
        }
        for constants in &mut self.constants {
            constants.file = constants.file.map(|_| UNIFORMS);
        }
        for sampler in &mut self.samplers {
            sampler.register = format!("{SAMPLERS}{}", sampler.slot);
        }
        for builtin in &mut self.builtins {
            builtin.register = match builtin.kind {
                kind if kind == BuiltinKind::FrontFacing.name() => Some("frontfacing"),
                kind if kind == BuiltinKind::PointCoordinate.name() => Some("pointcoord"),
                kind if kind == BuiltinKind::FragmentCoordinate.name() => Some("fragcoord"),
                _ => builtin.register,
            };
        }
        let is_written = |wanted: Register| {
            let outputs = program.instructions.iter().map(|instruction| instruction.destination);
            let mut outputs = outputs.filter(|destination| destination.written == Written::Output);
            outputs.any(|destination| output(program.stage, destination.index) == Some(wanted))
        };
        for output in &mut self.outputs {
            output.register = match (output.kind, output.target) {
                ("position", _) => Some(Register::Position.to_string()),
                ("pointsize", _) => Some(Register::PointSize.to_string()),
                (_, Some(0)) if is_written(Register::Colour) => Some(Register::Colour.to_string()),
                (_, Some(target)) => register(Register::Data, target),
                _ => output.register.take(),
            };
        }
    }
}

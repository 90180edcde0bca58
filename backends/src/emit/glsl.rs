//! Writes GLSL, one stage to a text.

use naga::back::glsl as glsl_out;
use sdlbc::FunctionKind;

use super::for_text;
use crate::lower::{Lowered, describe};
use crate::names::GlslStage;
use crate::{Error, Glsl, Target, tidy};

/// Writes one stage of the module as GLSL.
pub(crate) fn glsl(lowered: &Lowered, stage: FunctionKind, version: Glsl) -> Result<String, Error> {
    let stage = match stage {
        FunctionKind::Vertex => naga::ShaderStage::Vertex,
        FunctionKind::Fragment => naga::ShaderStage::Fragment,
        FunctionKind::Generic => return Err(Error::NoStage(stage)),
    };
    let module = for_text(lowered);
    let entry = module.entry_points.iter().find(|entry| entry.stage == stage).map_or("", |entry| entry.name.as_str());
    let named = GlslStage { entry, variables: lowered.names.variables(stage) };
    let options = glsl_out::Options {
        version: match version {
            Glsl::Core450 => glsl_out::Version::Desktop(450),
            Glsl::Core330 => glsl_out::Version::Desktop(330),
            Glsl::Es300 => glsl_out::Version::new_gles(300),
        },
        writer_flags: glsl_out::WriterFlags::empty(),
        binding_map: lowered.bindings.iter().copied().collect(),
        zero_initialize_workgroup_memory: false,
    };
    let pipeline = glsl_out::PipelineOptions { shader_stage: stage, entry_point: entry.to_string(), multiview: None };
    let mut text = String::new();
    glsl_out::Writer::new(&mut text, &module, &lowered.info, &options, &pipeline, Default::default())
        .and_then(|mut writer| writer.write())
        .map_err(|error| match error {
            glsl_out::Error::MissingFeatures(what) => {
                Error::Unsupported { what: format!("{what:?}"), target: Target::Glsl(version) }
            }
            error => Error::Internal(describe(&error)),
        })?;
    let text = tidy::glsl(&without_base_instance(&text), |a, b| named.is_same(a, b));
    Ok(lowered.names.resolve(&text, Some(&named)))
}

/// Counts instances from 0, as GLSL does. naga's writer adds a uniform for the number of the first instance, which no
/// application would know to set.
fn without_base_instance(text: &str) -> String {
    let text = text.replace(&format!("uniform uint {};\n\n", glsl_out::FIRST_INSTANCE_BINDING), "");
    text.replace(&format!("(uint(gl_InstanceID) + {})", glsl_out::FIRST_INSTANCE_BINDING), "uint(gl_InstanceID)")
}

//! Writes GLSL, with one file for each stage.

use naga::back::glsl as glsl_out;
use sdlbc::FunctionKind;

use crate::error::Error;
use crate::features::{Combined, Entry, Features, Resources, Returns, Select};
use crate::language::Language;
use crate::layout::{Depth, Layout, Precision};
use crate::lower::{Lowered, describe, stage_of};
use crate::mend::baked::for_text;
use crate::mend::glsl::mended;
use crate::mend::names::{Given, GlslStage};
use crate::versions::{Glsl, Target};

pub(super) const fn features(version: Glsl) -> Features {
    let is_core = matches!(version, Glsl::Core450);
    Features {
        halves: false,
        checked_division: false,
        // OpenGL 3.3 and OpenGL ES 3.0 have no `mix` of ints or bools with a bool selector.
        select: if is_core { Select::All } else { Select::Floats },
        bool_vectors: false,
        ldexp: is_core,
        // naga writes a switch with one block as a loop, which misdirects some CONTINUEs inside the switch.
        lone_switches: false,
        endless_loops: true,
        discard_ends: true,
        unreached_returns: Returns::OfValues,
        points: true,
        // OpenGL ES 3.0 guarantees only four render targets.
        targets: if matches!(version, Glsl::Es300) { 4 } else { 8 },
        // OpenGL 3.3 and OpenGL ES 3.0 have no compute shaders.
        compute: is_core,
        linear_varyings: !matches!(version, Glsl::Es300),
        varying_locations: is_core,
        io_variables: true,
        one_stage: true,
        entry: Entry::Main,
        resources: Resources::OpenGl { stated: is_core },
        combined_samplers: Combined::Always,
        cube_arrays: !matches!(version, Glsl::Es300),
        gathers: is_core,
        cube_array_level: false,
        gathers_around: false,
        // Depth comparisons of texture arrays with a texel offset need a version later than OpenGL 4.2, and no version of OpenGL
        // ES supports them.
        offset_array_compares: is_core,
        wide_columns: true,
        depth: Depth::NegativeOneToOne,
        window_y_up: true,
        ..Features::of(Language::Glsl)
    }
}

pub(super) fn glsl(
    lowered: &Lowered,
    stage: FunctionKind,
    version: Glsl,
    layout: &Layout,
) -> Result<(String, Given), Error> {
    let stage = stage_of(stage);
    let module = for_text(lowered);
    let entry = module.entry_points.iter().find(|entry| entry.stage == stage).map_or("", |entry| entry.name.as_str());
    let named = GlslStage { stage, entry, variables: lowered.names.variables(stage) };
    let options = glsl_out::Options {
        version: match version {
            Glsl::Core450 => glsl_out::Version::Desktop(450),
            Glsl::Core330 => glsl_out::Version::Desktop(330),
            Glsl::Es300 => glsl_out::Version::new_gles(300),
        },
        writer_flags: glsl_out::WriterFlags::empty(),
        binding_map: {
            let mine = lowered.bindings.iter().filter(|bound| bound.stage == stage);
            mine.filter_map(|bound| Some((bound.binding, bound.gl?))).collect()
        },
        zero_initialize_workgroup_memory: true,
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
    let (text, given) = mended(&text, lowered, &named, layout);
    let is_medium = layout.precision == Precision::Medium && version == Glsl::Es300;
    let text = if is_medium && stage == naga::ShaderStage::Fragment { medium(&text) } else { text };
    Ok((text, given))
}

fn medium(text: &str) -> String {
    let text = text.replace("precision highp float;", "precision mediump float;");
    text.replace("uniform highp sampler", "uniform mediump sampler")
}

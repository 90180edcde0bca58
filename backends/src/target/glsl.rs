//! Writes GLSL, one stage to a text.

use naga::back::glsl as glsl_out;
use sdlbc::FunctionKind;

use crate::emit::for_text;
use crate::features::{Combined, Entry, Features, Resources, Returns, Select};
use crate::interface::{Passed, Resource, ResourceKind};
use crate::lower::{Lowered, describe};
use crate::names::{Given, GlslStage};
use crate::words::Language;
use crate::{Constants, Depth, Error, Glsl, Layout, Precision, Target, tidy};

/// What a version of GLSL has.
pub(super) const fn features(version: Glsl) -> Features {
    let is_core = matches!(version, Glsl::Core450);
    Features {
        halves: false,
        checked_division: false,
        // `mix` of ints and bools with a bool selector needs a later version.
        select: if is_core { Select::All } else { Select::Floats },
        bool_vectors: false,
        ldexp: is_core,
        // naga turns it into a loop, which breaks some CONTINUEs inside it.
        lone_switches: false,
        endless_loops: true,
        discard_ends: true,
        unreached_returns: Returns::OfValues,
        points: true,
        // OpenGL ES 3.0 promises no more.
        targets: if matches!(version, Glsl::Es300) { 4 } else { 8 },
        // Later than OpenGL 4.3.
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
        // Later than OpenGL 4.2, and in no version of OpenGL ES.
        offset_array_compares: is_core,
        wide_columns: true,
        depth: Depth::NegativeOneToOne,
        window_y_up: true,
        ..Features::of(Language::Glsl)
    }
}

/// Writes one stage of the module as GLSL.
pub(super) fn glsl(
    lowered: &Lowered,
    stage: FunctionKind,
    version: Glsl,
    layout: &Layout,
) -> Result<(String, Given), Error> {
    let stage = match stage {
        FunctionKind::Vertex => naga::ShaderStage::Vertex,
        FunctionKind::Fragment => naga::ShaderStage::Fragment,
        FunctionKind::Compute => naga::ShaderStage::Compute,
        FunctionKind::Generic => return Err(Error::NoStage(stage)),
    };
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
    let mut text = without_base_instance(&text);
    without_extensions(&mut text);
    let has = |is_it: fn(&ResourceKind) -> bool| lowered.resources.iter().any(|resource| is_it(&resource.kind));
    if has(|kind| matches!(kind, ResourceKind::Image { .. })) {
        text = without_level(&text);
    }
    if has(|kind| matches!(kind, ResourceKind::Buffer { .. })) {
        text = plain_lengths(&text);
    }
    let is_buffer = |label: &str| {
        let is = |resource: &Resource| match &resource.kind {
            ResourceKind::Constants { passed: Passed::Buffer, block: Some(block), .. } => block == label,
            _ => false,
        };
        lowered.resources.iter().any(is)
    };
    let text = blocks(&text, |label| layout.constants != Constants::Block && !is_buffer(label));
    let text = tidy::glsl(&text, |a, b| named.is_same(a, b));
    let (text, given) = lowered.names.resolve(&text, Some(&named));
    let is_medium = layout.precision == Precision::Medium && version == Glsl::Es300;
    let text = if is_medium && stage == naga::ShaderStage::Fragment { medium(&text) } else { text };
    Ok((text, given))
}

/// Takes the level from questions for the size of a storage texture, which has none: naga writes `imageSize(a, 0)` for the number of
/// layers, as for other textures.
fn without_level(text: &str) -> String {
    const ASKS: &str = "imageSize(";
    let mut parts = text.split(ASKS);
    let mut written = parts.next().unwrap_or_default().to_string();
    for part in parts {
        written += ASKS;
        match part.split_once(')') {
            Some((operands, rest)) => {
                written += operands.strip_suffix(", 0").unwrap_or(operands);
                written.push(')');
                written += rest;
            }
            None => written += part,
        }
    }
    written
}

/// Writes the constants whose block has a label that `is_plain` as plain uniforms, and otherwise a block that holds a structure as a block with its members.
/// naga writes each as a block with a single member: `layout(std140) uniform n1x_block_0Vertex { n1x variable; };`.
fn blocks(text: &str, is_plain: impl Fn(&str) -> bool) -> String {
    let mut written = String::with_capacity(text.len());
    for line in text.lines() {
        match Constant::of(line) {
            Some(constant) if is_plain(constant.label()) => written += &format!("uniform {};", constant.variable),
            Some(constant) => {
                let Constant { layout, block, variable } = constant;
                let (ty, name) = variable.split_once(' ').unwrap_or_default();
                match members(text, ty).filter(|_| constant.label() == ty) {
                    Some(members) => written += &format!("{layout}uniform {block} {{\n{members}}} {name};"),
                    None => written += line,
                }
            }
            None => written += line,
        }
        written.push('\n');
    }
    written
}

/// A line that declares a block with a single member.
struct Constant<'t> {
    /// The layout qualifier with a space after it.
    layout: &'t str,
    /// naga's name of the block.
    block: &'t str,
    /// The type and name of the member.
    variable: &'t str,
}

impl<'t> Constant<'t> {
    /// The label of the block.
    fn label(&self) -> &'t str {
        self.block.split_once("_block_").map_or("", |(label, _)| label)
    }

    fn of(line: &'t str) -> Option<Constant<'t>> {
        let at = line.find("uniform ").filter(|_| line.starts_with("layout(std140"))?;
        let (layout, rest) = line.split_at(at);
        let (block, rest) = rest.strip_prefix("uniform ")?.split_once(" { ")?;
        let variable = rest.strip_suffix("; };")?;
        Some(Constant { layout, block, variable })
    }
}

/// Returns the lines of a structure's members.
fn members<'t>(text: &'t str, structure: &str) -> Option<&'t str> {
    let heading = format!("struct {structure} {{\n");
    let (_, rest) = text.split_once(&heading)?;
    rest.find("};\n").map(|end| &rest[..end])
}

/// Computes floats and samples textures with medium precision by default.
fn medium(text: &str) -> String {
    let text = text.replace("precision highp float;", "precision mediump float;");
    text.replace("uniform highp sampler", "uniform mediump sampler")
}

/// The extensions that naga asks for and no text needs: GLSL 450 has the first two itself, and the last is for a level of detail of a
/// comparison, which is written in other ways. naga asks for it where a comparison gathers, too.
const EXTENSIONS: [&str; 3] = [
    "#extension GL_ARB_compute_shader : require",
    "#extension GL_ARB_shader_storage_buffer_object : require",
    "#extension GL_EXT_texture_shadow_lod : require",
];

/// What naga asks for where OpenGL ES has clip distances.
const CLIP_EXTENSION: &str = "#extension GL_EXT_clip_cull_distance : require";

/// The same for OpenGL ES and for WebGL 2, in which the extension has another name: to ask for one that there is not is a warning.
const CLIP_EXTENSIONS: &str = "\
#extension GL_EXT_clip_cull_distance : enable
#extension GL_ANGLE_clip_cull_distance : enable
";

/// Removes these extensions, which are asked for after the version, and replaces that of clip distances.
fn without_extensions(text: &mut String) {
    let Some(mut at) = text.find('\n').map(|end| end + 1) else { return };
    while let Some(line) = text[at..].split_inclusive('\n').next().filter(|line| line.starts_with("#extension ")) {
        let end = at + line.len();
        if EXTENSIONS.contains(&line.trim_end()) {
            text.replace_range(at..end, "");
        } else if line.trim_end() == CLIP_EXTENSION {
            text.replace_range(at..end, CLIP_EXTENSIONS);
            at += CLIP_EXTENSIONS.len();
        } else {
            at = end;
        }
    }
}

/// Leaves out the conversions of a buffer's length, which is an int, to uint and back.
fn plain_lengths(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("int(uint(") {
        let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
        let (variable, after_it) = after.split_at(end);
        match after_it.strip_prefix(".length()))") {
            Some(after) if !before.ends_with(char::is_alphanumeric) => {
                plain.extend([before, variable, ".length()"]);
                rest = after;
            }
            _ => {
                plain.extend([before, "int(uint("]);
                rest = after;
            }
        }
    }
    plain + rest
}

/// Counts instances from 0, as GLSL does. naga's writer adds a uniform for the number of the first instance, which no
/// application would know to set.
fn without_base_instance(text: &str) -> String {
    let text = text.replace(&format!("uniform uint {};\n\n", glsl_out::FIRST_INSTANCE_BINDING), "");
    text.replace(&format!("(uint(gl_InstanceID) + {})", glsl_out::FIRST_INSTANCE_BINDING), "uint(gl_InstanceID)")
}

//! Mends the GLSL that naga writes for one stage.
//!
//! Rule: each step replaces exactly what naga 30 writes, and leaves any other text unchanged.

use naga::back::glsl::FIRST_INSTANCE_BINDING;

use crate::interface::{Passed, Resource, ResourceKind};
use crate::layout::{Constants, Layout};
use crate::lower::Lowered;
use crate::mend::exchanges::plain_exchanges;
use crate::mend::names::{Given, GlslStage};
use crate::mend::text::{is_word, replaced};
use crate::mend::tidy;

/// Mends the text of one stage, and replaces its labels with names.
pub(crate) fn mended(text: &str, lowered: &Lowered, named: &GlslStage<'_>, layout: &Layout) -> (String, Given) {
    let mut text = without_base_instance(&plain_exchanges(text));
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
    lowered.names.resolve(&text, Some(named))
}

/// Removes the mip level from size queries of storage textures, which have no mip levels. For the number of layers, naga writes
/// `imageSize(a, 0)`.
///
/// Upstream fault `image_size_level`: `ImageQuery::NumLayers` in `Writer::write_expr` of `back/glsl/writer.rs` passes a mip level
/// to `imageSize`, which every compiler rejects, because only `textureSize` takes a mip level. No upstream issue is known.
fn without_level(text: &str) -> String {
    replaced(text, "imageSize(", |_, after| {
        let (operands, rest) = after.split_once(')')?;
        Some((format!("imageSize({})", operands.strip_suffix(", 0")?).into(), rest))
    })
}

/// Writes the constants of a block whose label satisfies `is_plain` as plain uniforms. In any other block whose only member is a
/// structure, that member is replaced with the structure's own members. naga writes each block with a single member, as in
/// `uniform n1x_block_0Vertex { n1x variable; };`.
///
/// Upstream fault `blocks_of_one_member`: `Writer::write_interface_block` in `back/glsl/writer.rs` writes every uniform as a
/// block whose only member is the variable, and never as a plain uniform.
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

/// A parsed line that declares a block with a single member.
struct Constant<'t> {
    /// The layout qualifier, with a trailing space.
    layout: &'t str,
    /// The block's name in naga's output.
    block: &'t str,
    /// The member's type and name.
    variable: &'t str,
}

impl<'t> Constant<'t> {
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

fn members<'t>(text: &'t str, structure: &str) -> Option<&'t str> {
    let heading = format!("struct {structure} {{\n");
    let (_, rest) = text.split_once(&heading)?;
    rest.find("};\n").map(|end| &rest[..end])
}

/// The extensions that naga requires but no output needs. GLSL 450 includes the first two extensions. naga requires the last
/// extension for gathered comparisons, which do not need it.
///
/// Upstream fault `extensions`: `FeaturesManager::write` in `back/glsl/features.rs` requires extensions that the GLSL version
/// already includes. `Writer::collect_required_features` requires `GL_EXT_texture_shadow_lod` for gathered comparisons.
const EXTENSIONS: [&str; 3] = [
    "#extension GL_ARB_compute_shader : require",
    "#extension GL_ARB_shader_storage_buffer_object : require",
    "#extension GL_EXT_texture_shadow_lod : require",
];

/// The line in naga's output that requires the clip distance extension in OpenGL ES.
///
/// Upstream fault `clip_extension`: `FeaturesManager::write` in `back/glsl/features.rs` requires `GL_EXT_clip_cull_distance`,
/// which has another name in WebGL 2.
const CLIP_EXTENSION: &str = "#extension GL_EXT_clip_cull_distance : require";

/// The lines that enable the clip distance extension in OpenGL ES and in WebGL 2, where the extension has different names.
/// Enabling an unknown extension causes only a warning.
const CLIP_EXTENSIONS: &str = "\
#extension GL_EXT_clip_cull_distance : enable
#extension GL_ANGLE_clip_cull_distance : enable
";

/// Removes the lines of [`EXTENSIONS`], which follow the version line, and replaces the line for clip distances.
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

/// Removes conversions of a buffer's length from int to uint and back.
///
/// Upstream fault `length_conversions`: `Expression::ArrayLength` in `back/glsl/writer.rs` converts a buffer's length from int to
/// uint, even if the result is converted back to int.
fn plain_lengths(text: &str) -> String {
    replaced(text, "int(uint(", |before, after| {
        let (variable, rest) = after.split_at(after.find(|c| !is_word(c)).unwrap_or(after.len()));
        let rest = rest.strip_prefix(".length()))").filter(|_| !before.ends_with(char::is_alphanumeric))?;
        Some((format!("{variable}.length()").into(), rest))
    })
}

/// Removes the uniform that naga adds for the index of the first instance, because applications do not set this uniform. GLSL
/// itself counts instances from 0.
///
/// Upstream fault `first_instance`: `Writer::write` in `back/glsl/writer.rs` declares a uniform for the first instance, for wgpu
/// (gfx-rs/wgpu#4723), and `glsl_built_in` in `back/glsl/conv.rs` adds the uniform to the instance index. The only alternative is
/// an extension, `WriterFlags::DRAW_PARAMETERS`.
fn without_base_instance(text: &str) -> String {
    let text = text.replace(&format!("uniform uint {};\n\n", FIRST_INSTANCE_BINDING), "");
    text.replace(&format!("(uint(gl_InstanceID) + {})", FIRST_INSTANCE_BINDING), "uint(gl_InstanceID)")
}

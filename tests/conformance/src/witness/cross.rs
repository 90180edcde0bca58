//! Runs the program `spirv-cross`, which translates our SPIR-V to GLSL without naga.
//!
//! Rule: the SPIR-V is the same as for Vulkan. The shader negates y, which on OpenGL puts the top row first, and spirv-cross maps
//! the depth range from 0 to 1 onto OpenGL's range. The GLSL identifies resources and varyings by number, not by name.
//!
//! The name `main` is removed from the SPIR-V, because `spirv-cross` would use the name both for a variable and for the function.

use std::io::Write;
use std::process::{Command, Stdio};

use backends::Layout;
use sdlbc::{Dimension, FunctionKind, Module, Op, Texel, Type};

use super::gl_stage::Stage;
use super::interface::Interface;
use crate::Failure;

const MAIN: [u32; 2] = [u32::from_le_bytes(*b"main"), 0];

const PROGRAM: &str = "spirv-cross";

pub(super) fn find() -> Result<(), String> {
    let found = Command::new(PROGRAM).arg("--help").stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.map(|_| ()).map_err(|error| format!("{PROGRAM} cannot be started ({error}): install the package spirv-cross"))
}

/// Translates a stage to GLSL by way of SPIR-V.
pub(super) fn stage(module: &Module, interface: &Interface, kind: FunctionKind) -> Result<Stage, Failure> {
    let words = backends::spirv(module, &Layout::default()).map_err(Failure::from)?;
    if interface.halves {
        return Err(Failure::Unsupported("halves in GLSL".into()));
    }
    let compares_level = module.functions.iter().any(|function| {
        let has_lamps =
            function.inputs.iter().any(|input| input.ty == Type::Texture(Dimension::CubeArray, Texel::Depth));
        has_lamps && function.body.insts().iter().any(|inst| inst.op == Op::SampleCompareZero)
    });
    if compares_level {
        return Err(Failure::Unsupported("a level of an array of cubes of depths in GLSL".into()));
    }
    // If a shader queries the size of a depth texture, spirv-cross declares a second sampler of a different type. In OpenGL, a
    // texture unit cannot have samplers of two types.
    let has_size_of_depths = module.functions.iter().any(|function| {
        let of = |id| function.inputs.iter().find(|input| input.id == id).map(|input| input.ty);
        let sizes = function.body.insts().iter().filter(|inst| inst.op == Op::TextureSize);
        sizes.filter_map(|inst| of(*inst.inputs.first()?)).any(|ty| matches!(ty, Type::Texture(_, Texel::Depth)))
    });
    if has_size_of_depths {
        return Err(Failure::Unsupported("the size of a texture of depths in spirv-cross's GLSL".into()));
    }
    let file = tempfile::NamedTempFile::new().map_err(|error| Failure::Broken(error.to_string()))?;
    let unnamed = unnamed(&words);
    let bytes: Vec<u8> = unnamed.iter().flat_map(|word| word.to_le_bytes()).collect();
    file.as_file().write_all(&bytes).map_err(|error| Failure::Broken(error.to_string()))?;
    let (stage, entry) = match kind {
        FunctionKind::Vertex => ("vert", &interface.vertex),
        FunctionKind::Compute => ("comp", &interface.compute),
        _ => ("frag", &interface.fragment),
    };
    let mut command = Command::new(PROGRAM);
    command.arg(file.path()).args(["--stage", stage, "--entry", entry, "--version", "450", "--no-es"]);
    command.args(["--combined-samplers-inherit-bindings", "--fixup-clipspace"]);
    let output = command.output().map_err(|error| Failure::Broken(format!("{PROGRAM}: {error}")))?;
    let log = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let assembly = backends::spirv_assembly(&words).unwrap_or_default();
        return Err(Failure::Broken(format!("{PROGRAM}: {}: {log}\n{assembly}", output.status)));
    }
    Ok(bind(&String::from_utf8_lossy(&output.stdout), interface, kind))
}

/// Removes every OpName instruction with the name `main` from SPIR-V words.
fn unnamed(words: &[u32]) -> Vec<u32> {
    let (head, mut rest) = words.split_at(words.len().min(5));
    let mut unnamed = head.to_vec();
    while let Some(&first) = rest.first() {
        let (inst, others) = rest.split_at(((first >> 16) as usize).clamp(1, rest.len()));
        if first & 0xffff != 5 || inst.get(2..) != Some(&MAIN) {
            unnamed.extend(inst);
        }
        rest = others;
    }
    unnamed
}

/// Renumbers the bindings in a GLSL text to fit OpenGL's limits. Each new binding is the position of the uniform, texture or
/// storage buffer in the interface.
fn bind(text: &str, interface: &Interface, kind: FunctionKind) -> Stage {
    let uniforms: Vec<u32> = interface.uniforms.iter().map(|uniform| uniform.binding()).collect();
    let textures: Vec<u32> = interface.textures.iter().map(|texture| texture.binding()).collect();
    let buffers: Vec<u32> = interface.buffers.iter().map(|buffer| buffer.binding()).collect();
    let images: Vec<u32> = interface.images.iter().map(|image| image.binding()).collect();
    let mut bound = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let is_resource = line.starts_with("layout(") && (line.contains(" uniform ") || line.contains(" buffer "));
        let declared = line.split_once("binding = ").filter(|_| is_resource);
        let Some((before, rest)) = declared else {
            bound += line;
            continue;
        };
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, after) = rest.split_at(digits);
        let number: Option<u32> = number.parse().ok();
        // A uniform block may have the name `sampler`, so a line that declares a sampler must also lack `std140`.
        let kinds = [" uniform sampler", " uniform isampler", " uniform usampler"];
        let sampler = kinds.iter().any(|kind| after.contains(kind)) && !after.contains("std140");
        let places = match () {
            () if sampler => &textures,
            () if [" image", " iimage", " uimage"].iter().any(|kind| after.contains(kind))
                && !after.contains("std") =>
            {
                &images
            }
            () if after.contains("std430") => &buffers,
            () => &uniforms,
        };
        let place = places.iter().position(|&binding| Some(binding) == number);
        bound += &format!("{before}binding = {}{after}", place.unwrap_or(0));
    }
    let of = |stage| stage == kind;
    Stage {
        text: bound,
        // The GLSL already contains the binding numbers, so only the number of blocks matters.
        blocks: interface
            .uniforms
            .iter()
            .filter(|uniform| of(uniform.stage))
            .map(|_| (u32::MAX, String::new()))
            .collect(),
        samplers: interface
            .textures
            .iter()
            .filter(|texture| of(texture.stage))
            .map(|_| (u32::MAX, String::new()))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use sdlbc::Sampler;

    use super::*;
    use crate::witness::interface::{Sampled, Uniform};

    #[test]
    fn only_what_is_called_main_loses_its_name() {
        let [main, end] = MAIN;
        let words = [1, 2, 3, 4, 5, 0x2_0011, 1, 0x3_0005, 7, 0x30, 0x4_0005, 8, main, end, 0x1_0038];
        assert_eq!(unnamed(&words), [1, 2, 3, 4, 5, 0x2_0011, 1, 0x3_0005, 7, 0x30, 0x1_0038]);
    }

    #[test]
    fn bindings_are_renumbered_into_opengl_s_range() {
        let stage = FunctionKind::Vertex;
        let held = std::collections::BTreeMap::new;
        let uniform = |index| Uniform { stage, name: String::new(), ty: Type::FLOAT4, index, held: held() };
        let texture =
            Sampled { stage, slot: 0, dimension: Dimension::D2, texel: Texel::Float, sampler: Sampler::default() };
        let interface =
            Interface { uniforms: vec![uniform(0), uniform(1)], textures: vec![texture], ..Interface::default() };
        let text = |uniform, sampler| {
            format!(
                "layout(binding = {uniform}, std140) uniform vc\n{{\n}} vc_1;\n\
                 layout(binding = {sampler}) uniform sampler2D vs0;\nlayout(location = 0) in vec4 binding;\n"
            )
        };
        let bound = bind(&text(258, 130), &interface, stage);
        assert_eq!(bound.text, text(1, 0));
        assert_eq!((bound.blocks.len(), bound.samplers.len()), (2, 1));
    }
}

//! The laws of backends: each target translates a verified module or names a missing feature, and storing a module in a file does
//! not change the module's output.

use agal_front::Program;
use agal_front::lift::{self, translate};
use backends::{Depth, Error, Glsl, Layout, MslVersion, ShaderModel, Target};
use sdlbc::{FunctionKind, Module};

use crate::input::module_of;

/// The targets whose output the tests read back, which are SPIR-V, WGSL and GLSL.
pub const TARGETS: [Target; 5] =
    [Target::Spirv, Target::Wgsl, Target::Glsl(Glsl::Core450), Target::Glsl(Glsl::Core330), Target::Glsl(Glsl::Es300)];

/// The stage and the contents of an output file. The stage is `None` if one file contains all stages.
pub type OutputFile = (Option<FunctionKind>, Vec<u8>);

/// Translates a module to one target. GLSL has one file for each stage, and every other target has a single file.
///
/// # Errors
/// Returns the backend's error if the module cannot be translated.
pub fn outputs(module: &Module, target: Target, options: &Layout) -> Result<Vec<OutputFile>, Error> {
    Ok(match target {
        Target::Spirv => {
            let words = backends::spirv(module, options)?;
            vec![(None, words.iter().flat_map(|word| word.to_le_bytes()).collect())]
        }
        Target::Wgsl => vec![(None, backends::wgsl(module, options)?.into_bytes())],
        Target::Hlsl(model) => vec![(None, backends::hlsl(module, model, options)?.into_bytes())],
        Target::Msl(version) => vec![(None, backends::msl(module, version, options)?.into_bytes())],
        Target::Glsl(version) => {
            let stages = module.functions.iter().map(|function| function.kind);
            let stages = stages.filter(|&kind| kind != FunctionKind::Generic);
            let text = |stage| Ok((Some(stage), backends::glsl(module, stage, version, options)?.into_bytes()));
            stages.map(text).collect::<Result<_, Error>>()?
        }
    })
}

/// Checks law 5 (see [`written_or_refused`]) for the module that the bytes encode.
pub fn backends(bytes: &[u8]) {
    if let Some(module) = module_of(bytes) {
        written_or_refused(&module);
    }
}

/// Checks law 5: each target translates a verified module, or rejects the module and names a feature that the target lacks.
pub fn written_or_refused(module: &Module) {
    if sdlbc::verify(module).is_err() {
        return;
    }
    // All targets share the code for the depth range and the direction of y, so these options are tested in one target.
    let other = Layout { depth: Some(Depth::NegativeOneToOne), flip_y: Some(false), ..Layout::default() };
    let native = [Target::Hlsl(ShaderModel::V5_0), Target::Hlsl(ShaderModel::V6_2), Target::Msl(MslVersion::V2_0)];
    let ways = TARGETS.into_iter().chain(native).map(|target| (target, Layout::default()));
    let ways = ways.chain([(Target::Spirv, other)]);
    for (target, options) in ways {
        match outputs(module, target, &options) {
            Ok(_) | Err(Error::Unsupported { .. }) => {}
            Err(error) => panic!("{target}: {error}\n{}", sdlbc::print(module)),
        }
    }
}

/// Checks law 6 (see [`same_by_file`]) for the AGAL program or the module that the bytes encode.
pub fn by_file(bytes: &[u8]) {
    let Ok((program, _)) = Program::decode(bytes) else {
        module_of(bytes).iter().for_each(same_by_file);
        return;
    };
    if let Ok(lifted) = translate(&[&program], &lift::Options::default()) {
        let module = &lifted.module;
        assert_eq!(
            sdlbc::verify(module),
            Ok(()),
            "a module translated from AGAL does not verify\n{}",
            sdlbc::print(module)
        );
        same_by_file(module);
    }
}

/// Checks law 6: storing a module in a file or as text does not change the module's output in any target.
pub fn same_by_file(module: &Module) {
    if sdlbc::verify(module).is_err() {
        return;
    }
    let text = sdlbc::print(module);
    let from_file = sdlbc::decode(&sdlbc::encode(module)).unwrap_or_else(|error| panic!("the file: {error}"));
    let from_text = sdlbc::parse(&text).unwrap_or_else(|errors| panic!("the text: {errors:?}\n{text}"));
    // The module from the text equals the module from the file, so only the module from the file is translated.
    assert!(from_text == from_file, "text and file differ\n{text}");
    for target in TARGETS {
        let same = result(module, target) == result(&from_file, target);
        assert!(same, "{target} differs after a round trip through a file\n{text}");
    }
}

pub(crate) fn result(module: &Module, target: Target) -> Result<Vec<OutputFile>, String> {
    outputs(module, target, &Layout::default()).map_err(|error| error.to_string())
}

/// Checks that naga's WGSL front end and validator accept a WGSL shader.
///
/// # Errors
/// Returns naga's message if naga rejects the shader.
pub fn naga_accepts(text: &str) -> Result<(), String> {
    let module = naga::front::wgsl::parse_str(text).map_err(|error| error.emit_to_string(text))?;
    let (flags, halves) = (
        naga::valid::ValidationFlags::all(),
        naga::valid::Capabilities::SHADER_FLOAT16
            | naga::valid::Capabilities::CUBE_ARRAY_TEXTURES
            | naga::valid::Capabilities::CLIP_DISTANCES,
    );
    let checked = naga::valid::Validator::new(flags, halves).validate(&module);
    checked.map(drop).map_err(|error| error.emit_to_string(text))
}

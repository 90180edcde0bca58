//! The laws of backends: what verifies is written or refused, and a file between changes nothing.

use agal_front::Program;
use agal_front::lift::{self, translate};
use backends::{Depth, Error, Glsl, Options, Target};
use sdlbc::{FunctionKind, Module};

use crate::module_of;

/// Everything that a module can be written as.
pub const TARGETS: [Target; 5] =
    [Target::Spirv, Target::Wgsl, Target::Glsl(Glsl::Core450), Target::Glsl(Glsl::Core330), Target::Glsl(Glsl::Es300)];

/// A file of output: which stage it is of, where there is one a stage, and its bytes.
pub type Output = (Option<FunctionKind>, Vec<u8>);

/// The module in one target: one file, or for GLSL one a stage.
///
/// # Errors
/// The backend's.
pub fn outputs(module: &Module, target: Target, options: &Options) -> Result<Vec<Output>, Error> {
    Ok(match target {
        Target::Spirv => {
            let words = backends::spirv(module, options)?;
            vec![(None, words.iter().flat_map(|word| word.to_le_bytes()).collect())]
        }
        Target::Wgsl => vec![(None, backends::wgsl(module, options)?.into_bytes())],
        Target::Glsl(version) => {
            let stages = module.functions.iter().map(|function| function.kind);
            let stages = stages.filter(|&kind| kind != FunctionKind::Generic);
            let text = |stage| Ok((Some(stage), backends::glsl(module, stage, version, options)?.into_bytes()));
            stages.map(text).collect::<Result<_, Error>>()?
        }
    })
}

/// Law 5, of the module that bytes stand for.
pub fn backends(bytes: &[u8]) {
    if let Some(module) = module_of(bytes) {
        written_or_refused(&module);
    }
}

/// Law 5: a module that verifies is written, or refused with what the target cannot express.
pub fn written_or_refused(module: &Module) {
    if sdlbc::verify(module).is_err() {
        return;
    }
    // What options change is the same code for every target.
    let other = Options { depth: Some(Depth::NegativeOneToOne), flip_y: Some(false) };
    let ways = TARGETS.map(|target| (target, Options::default())).into_iter().chain([(Target::Spirv, other)]);
    for (target, options) in ways {
        match outputs(module, target, &options) {
            Ok(_) | Err(Error::Unsupported { .. }) => {}
            Err(error) => panic!("{target}: {error}\n{}", sdlbc::print(module)),
        }
    }
}

/// Law 6, of an AGAL program, or else of the module that bytes stand for.
pub fn by_file(bytes: &[u8]) {
    let Ok((program, _)) = Program::decode(bytes) else {
        module_of(bytes).iter().for_each(same_by_file);
        return;
    };
    if let Ok(lifted) = translate(&[&program], &lift::Options::default()) {
        let module = &lifted.module;
        assert_eq!(sdlbc::verify(module), Ok(()), "what is made of AGAL verifies\n{}", sdlbc::print(module));
        same_by_file(module);
    }
}

/// Law 6: a module by way of a file, or of text, gives what it gives itself.
pub fn same_by_file(module: &Module) {
    if sdlbc::verify(module).is_err() {
        return;
    }
    let text = sdlbc::print(module);
    let from_file = sdlbc::decode(&sdlbc::encode(module)).unwrap_or_else(|error| panic!("the file: {error}"));
    let from_text = sdlbc::parse(&text).unwrap_or_else(|errors| panic!("the text: {errors:?}\n{text}"));
    // What is made of equal modules is equal if what is made of one is every time the same.
    assert!(from_text == from_file, "text and file differ\n{text}");
    for target in TARGETS {
        let same = said(module, target) == said(&from_file, target);
        assert!(same, "{target} by way of a file differs\n{text}");
    }
}

/// What a backend gives, or says.
pub(crate) fn said(module: &Module, target: Target) -> Result<Vec<Output>, String> {
    outputs(module, target, &Options::default()).map_err(|error| error.to_string())
}

/// Whether naga's own front end and validator accept a WGSL text.
///
/// # Errors
/// They do not: naga's message.
pub fn naga_accepts(text: &str) -> Result<(), String> {
    let module = naga::front::wgsl::parse_str(text).map_err(|error| error.emit_to_string(text))?;
    let (flags, halves) = (naga::valid::ValidationFlags::all(), naga::valid::Capabilities::SHADER_FLOAT16);
    let checked = naga::valid::Validator::new(flags, halves).validate(&module);
    checked.map(drop).map_err(|error| error.emit_to_string(text))
}

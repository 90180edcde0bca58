//! The table of measured stages. Each stage is a row, and all other code reads the table.
//!
//! Rule: a stage begins with the prepared data of a case, does one step in the same way as the library, and drops the result.
//! Stages can therefore run in any order and any number of times.

use std::hint::black_box;

use agal_front::check::examine;
use backends::{Code, Glsl, Layout, Output, Target};
use sdlbc::{FunctionKind, Module, Verified};

use crate::case::{Case, Form, by_reference, decode, lift, options};

/// A measured step of the translator.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// The stage's name in tables and files.
    pub name: &'static str,
    /// The form that the stage needs. A stage that needs AGAL is skipped for cases that were given as modules.
    pub of: Form,
    /// Runs the stage on a case, and drops the result.
    pub run: fn(&Case),
}

/// The name of the stage that runs the whole translation, like the `agalc` command.
pub const WHOLE: &str = "AGAL to SPIR-V";

/// The measured stages, in the order of the pipeline.
pub const STAGES: &[Stage] = &[
    Stage { name: "decode AGAL", of: Form::Agal, run: |case| done(decode(&case.bytes)) },
    Stage { name: "check", of: Form::Agal, run: |case| done(examine(&by_reference(&case.programs), &options().rules)) },
    // Lifting includes the checks, because a caller cannot skip them.
    Stage { name: "lift", of: Form::Agal, run: |case| done(lift(&case.programs)) },
    Stage { name: "encode", of: Form::Module, run: |case| done(sdlbc::encode(&case.module)) },
    Stage { name: "decode", of: Form::Module, run: |case| done(sdlbc::decode(&case.file)) },
    Stage { name: "verify", of: Form::Module, run: |case| done(sdlbc::verify(&case.module)) },
    // The stage "passes" includes copying the module, because the passes change the module.
    Stage {
        name: "passes",
        of: Form::Module,
        run: |case| {
            done(sdlbc_passes::optimise(case.module.clone(), &sdlbc_passes::Options::default(), &mut |_, _| {}))
        },
    },
    Stage { name: "lower", of: Form::Module, run: lower },
    // The stages that write a target language include lowering.
    Stage { name: "SPIR-V", of: Form::Module, run: |case| done(spirv(&case.module)) },
    Stage { name: "WGSL", of: Form::Module, run: |case| write(case, Target::Wgsl) },
    Stage { name: "GLSL", of: Form::Module, run: |case| write(case, Target::Glsl(Glsl::Core450)) },
    Stage { name: WHOLE, of: Form::Agal, run: |case| done(spirv(&optimised(lift(&decode(&case.bytes))))) },
];

/// The translation of a module's file to SPIR-V. The stage runs only if its name is requested, because the table already contains
/// its steps.
pub const FROM_FILE: Stage = Stage {
    name: "file to SPIR-V",
    of: Form::Module,
    run: |case| {
        let module = sdlbc::decode(&case.file).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        done(spirv(&optimised(module)));
    },
};

/// Returns the stages with the given names, in the order of the pipeline.
pub fn named(names: &[&str]) -> impl Iterator<Item = &'static Stage> {
    STAGES.iter().chain([&FROM_FILE]).filter(|stage| names.contains(&stage.name))
}

/// Drops a result without letting the compiler remove its computation.
fn done<T>(result: T) {
    drop(black_box(result));
}

/// Verifies a module and applies the passes.
///
/// # Panics
/// Panics if the module is invalid.
pub fn optimised(module: Module) -> Verified {
    let verified = Verified::new(module).unwrap_or_else(|violations| panic!("{violations:?}"));
    sdlbc_passes::optimise(verified, &sdlbc_passes::Options::default(), &mut |_, _| {})
}

/// Writes a module as SPIR-V.
///
/// # Panics
/// Panics if the module cannot be written.
pub fn spirv(module: &Verified) -> Vec<u32> {
    match written(module, Target::Spirv, None).code {
        Code::Words(words) => words,
        Code::Text(_) => panic!("SPIR-V is words"),
    }
}

/// Writes a module as WGSL.
///
/// # Panics
/// Panics if the module cannot be written.
pub fn wgsl(module: &Verified) -> String {
    match written(module, Target::Wgsl, None).code {
        Code::Text(text) => text,
        Code::Words(_) => panic!("WGSL is text"),
    }
}

fn written(module: &Verified, target: Target, stage: Option<FunctionKind>) -> Output {
    backends::write(module, target, stage, &Layout::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn lower(case: &Case) {
    let lowered = backends::module(&case.module, Target::Spirv, None, &Layout::default());
    done(lowered.unwrap_or_else(|error| panic!("{}: {error}", case.name)));
}

/// Writes a module as source text. GLSL has a separate file for each stage.
fn write(case: &Case, target: Target) {
    let stages: Vec<_> = match target {
        Target::Glsl(_) => case.module.functions.iter().map(|function| Some(function.kind)).collect(),
        _ => vec![None],
    };
    for stage in stages {
        let output = written(&case.module, target, stage);
        assert!(matches!(output.code, Code::Text(_)), "{target} is text");
        done(output);
    }
}

#[cfg(test)]
mod tests {
    use testing::shapes::SHAPES;

    use super::*;
    use crate::inputs::function;

    #[test]
    fn the_longest_modules_are_decoded_verified_optimised_and_written() {
        for shape in SHAPES {
            let files = function(shape.name, sdlbc::limits::INSTRUCTIONS).unwrap_or_else(|error| panic!("{error}"));
            let module = sdlbc::decode(&files.contents.concat()).unwrap_or_else(|error| panic!("{error}"));
            let count = module.functions.first().map_or(0, |function| function.body.insts().len());
            assert!(sdlbc::limits::INSTRUCTIONS - count < shape.part, "{}: {count} instructions", shape.name);
            let words = spirv(&optimised(module));
            assert!(words.len() > count, "{}: {} words", shape.name, words.len());
        }
    }
}

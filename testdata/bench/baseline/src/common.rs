//! The stages that can be measured through the public functions of the baseline, from the table in `tests/bench/src/stages.rs`.
//! `tests/bench/src/case.rs` describes the manifest that lists the measured cases.

use std::hint::black_box;

use agal_front::lift::{Options, translate};
use agal_front::{Program, Rules};
use sdlbc::{FunctionKind, Module};

/// A program, a pair or a module, in the forms that the stages need.
pub struct Case {
    pub name: String,
    pub units: usize,
    bytes: Vec<Vec<u8>>,
    programs: Vec<Program>,
    module: Module,
    file: Vec<u8>,
}

fn options() -> Options {
    Options { rules: Rules { allow: vec![3647], allow_ted: true, ..Rules::default() }, ..Options::default() }
}

fn decode(bytes: &[Vec<u8>]) -> Vec<Program> {
    bytes.iter().map(|bytes| Program::decode(bytes).expect("a program").0).collect()
}

fn lift(programs: &[Program]) -> Module {
    translate(&programs.iter().collect::<Vec<_>>(), &options()).expect("a valid program").module
}

pub fn spirv(module: &Module) -> Vec<u32> {
    backends::spirv(module, &backends::Options::default()).expect("SPIR-V")
}

impl Case {
    pub fn module(&self) -> &Module {
        &self.module
    }
}

type Run = fn(&Case);

/// For each stage, its name, whether it begins with AGAL, and the function that runs it.
pub const STAGES: [(&str, bool, Run); 9] = [
    ("decode AGAL", true, |case| drop(black_box(decode(&case.bytes)))),
    ("lift", true, |case| drop(black_box(lift(&case.programs)))),
    ("encode", false, |case| drop(black_box(sdlbc::encode(&case.module)))),
    ("decode", false, |case| drop(black_box(sdlbc::decode(&case.file).expect("a module")))),
    ("verify", false, |case| drop(black_box(sdlbc::verify(&case.module)))),
    ("SPIR-V", false, |case| drop(black_box(spirv(&case.module)))),
    ("WGSL", false, |case| {
        drop(black_box(backends::wgsl(&case.module, &backends::Options::default()).expect("WGSL")));
    }),
    ("GLSL", false, |case| {
        for function in &case.module.functions {
            let kind: FunctionKind = function.kind;
            let text = backends::glsl(&case.module, kind, Default::default(), &backends::Options::default());
            drop(black_box(text.expect("GLSL")));
        }
    }),
    ("AGAL to SPIR-V", true, |case| drop(black_box(spirv(&lift(&decode(&case.bytes)))))),
];

pub fn cases(manifest: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(manifest).expect("a manifest");
    text.lines().map(case).collect()
}

fn case(line: &str) -> Case {
    let mut fields = line.split('\t');
    let name = fields.next().expect("a name").to_string();
    let units = fields.next().and_then(|length| length.parse().ok()).expect("a length");
    let files: Vec<&str> = fields.collect();
    let bytes: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).expect("a file")).collect();
    if files.iter().all(|file| file.ends_with(".agalbc")) {
        let programs = decode(&bytes);
        let module = lift(&programs);
        Case { name, units, bytes, programs, file: sdlbc::encode(&module), module }
    } else {
        let file = bytes.into_iter().next().expect("a file");
        let module = sdlbc::decode(&file).expect("a module");
        Case { name, units, bytes: Vec::new(), programs: Vec::new(), module, file }
    }
}

pub fn applies(agal: bool, case: &Case) -> bool {
    !agal || !case.bytes.is_empty()
}

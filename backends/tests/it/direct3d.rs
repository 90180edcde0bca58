//! Compiles our HLSL with two independent compilers: Khronos' compiler (glslc) and Microsoft's (DXC, through `tests/tools/dxc`).

use std::ffi::{OsStr, OsString};
use std::path::Path;

use laws::works::{CORPUS, PAIRS, Work, compute_functions, named, samples};
use sdlbc::{FunctionKind, Module};
use sdlbc_naga::{Error, Layout, ShaderModel, Target};
use testing::{DXC, Effort, GLSLC};

type Refused = (&'static str, &'static [&'static str], &'static str);

/// The modules that Khronos' compiler rejects, each with the affected layouts and a part of the error message. If a two-row
/// matrix fills a constant buffer, naga declares the matrix as a structure of vectors, which Khronos' compiler cannot convert to
/// a matrix. The compiler also turns the reference value of `GatherCmp` into a bias, which its own validator rejects.
const REFUSED: [Refused; 5] = [
    ("multiply", &["stage3d"], "cannot construct with these arguments"),
    ("transpose", &["stage3d", "sdl-gpu"], "cannot construct with these arguments"),
    ("gathercompare", &["stage3d", "sdl-gpu"], GATHER),
    ("gathercompare_array", &["stage3d", "sdl-gpu"], GATHER),
    ("gathercompare_cube", &["stage3d", "sdl-gpu"], GATHER),
];

/// The error message for valid HLSL from which Khronos' compiler generates invalid SPIR-V.
const GATHER: &str =
    "compilation succeeded but failed to optimize: Image Operand Bias can only be used with ImplicitLod";

/// The compute functions with atomic operations on storage buffers of ints, for which Khronos' compiler generates SPIR-V with
/// operands of two types.
const SIGNED: [Refused; 8] = [
    ("atomicadd.sdlasm", &["stage3d", "sdl-gpu"], MIXED),
    ("atomiccompareexchange.sdlasm", &["stage3d", "sdl-gpu"], MIXED),
    ("atomicmin.sdlasm", &["stage3d", "sdl-gpu"], MIXED),
    ("atomicor.sdlasm", &["stage3d", "sdl-gpu"], MIXED),
    ("extremes.sdlasm", &["stage3d", "sdl-gpu"], MIXED),
    ("tickets.sdlasm", &["stage3d", "sdl-gpu"], MIXED),
    ("ledger.comp", &["stage3d", "sdl-gpu"], MIXED),
    ("votes.wgsl", &["stage3d", "sdl-gpu"], MIXED),
];

const MIXED: &str = "expected Value to be of type Result Type";

const MODELS: [ShaderModel; 2] = [ShaderModel::V5_0, ShaderModel::V6_0];

fn layouts() -> Vec<Layout> {
    vec![Layout::STAGE3D, Layout::named("sdl-gpu").expect("the layout")]
}

fn hlsl(module: &Module, model: ShaderModel, stage: FunctionKind, layout: &Layout) -> Result<String, Error> {
    let module = sdlbc::Verified::new(module.clone()).expect("it verifies");
    let output = sdlbc_naga::write(&module, Target::Hlsl(model), Some(stage), layout)?;
    match output.code {
        sdlbc_naga::Code::Text(text) => Ok(text),
        sdlbc_naga::Code::Words(_) => panic!("HLSL is text"),
    }
}

fn stages(module: &Module) -> impl Iterator<Item = FunctionKind> {
    module.functions.iter().map(|function| function.kind).filter(|kind| *kind != FunctionKind::Generic)
}

/// Returns the name of the last function, which is the only entry point.
fn entry(text: &str) -> &str {
    let is_head = |line: &&str| line.contains('(') && line.ends_with(['{', '(']) && !line.starts_with(' ');
    let head = text.lines().rfind(is_head).and_then(|line| line.split('(').next()).unwrap_or_default();
    head.rsplit(' ').next().unwrap_or_default()
}

/// Compiles every stage of the modules with each shader model and layout. Khronos' compiler must reject the modules in `refused`.
#[track_caller]
fn check(modules: &[(String, Module)], refused: &[Refused]) {
    check_by(GLSLC.is_there(), modules, refused);
}

#[track_caller]
fn check_by(khronos: bool, modules: &[(String, Module)], refused: &[Refused]) {
    let folder = tempfile::tempdir().expect("a folder");
    let microsoft = DXC.is_there();
    let mut failures = Vec::new();
    let (mut for_microsoft, mut for_khronos): (Vec<OsString>, Vec<OsString>) = (Vec::new(), Vec::new());
    for (number, (name, module)) in modules.iter().enumerate() {
        for (stage, model, layout) in forms(number, module) {
            let text = match hlsl(module, model, stage, &layout) {
                Ok(text) => text,
                Err(error) => {
                    failures.push(format!("{name}, {model}, {}: {error}", layout.name));
                    continue;
                }
            };
            let (short, profile) = match stage {
                FunctionKind::Vertex => ("vert", "vs_6_0"),
                FunctionKind::Compute => ("comp", "cs_6_0"),
                _ => ("frag", "ps_6_0"),
            };
            let path = folder.path().join(format!("{name}.{model}.{}.{short}.hlsl", layout.name));
            std::fs::write(&path, &text).expect("the file");
            let path = path.into_os_string();
            let options = [format!("-fshader-stage={short}"), format!("-fentry-point={}", entry(&text))];
            let arguments = options.map(OsString::from).into_iter().chain([path.clone()]);
            let is_this = |(of, layouts, _): &&Refused| of == name && layouts.contains(&&*layout.name);
            match refused.iter().find(is_this) {
                None => for_khronos.extend(arguments),
                Some((.., message)) if khronos => match by_khronos(&arguments.collect::<Vec<_>>(), folder.path()) {
                    Ok(()) => failures.push(format!("{name} is not refused any more")),
                    Err(said) if said.contains(message) => {}
                    Err(said) => failures.push(said),
                },
                Some(_) => {}
            }
            for_microsoft.extend([path, entry(&text).into(), profile.into()]);
        }
    }
    // Each run compiles up to 100 files, because starting a compiler is slow. Each file has three arguments.
    if khronos {
        for some in for_khronos.chunks(300) {
            let Err(said) = by_khronos(some, folder.path()) else { continue };
            let alone: Vec<String> = some.chunks(3).filter_map(|one| by_khronos(one, folder.path()).err()).collect();
            failures.extend(if alone.is_empty() { vec![said] } else { alone });
        }
    }
    if microsoft {
        for some in for_microsoft.chunks(300) {
            let arguments: Vec<&OsStr> = some.iter().map(OsString::as_os_str).collect();
            failures.extend(DXC.run(&arguments).err());
        }
    }
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

/// Returns each stage of a module with every shader model and layout. In a partial run, the module's number selects a single
/// combination.
fn forms(number: usize, module: &Module) -> Vec<(FunctionKind, ShaderModel, Layout)> {
    let forms: Vec<_> =
        MODELS.iter().flat_map(|&model| layouts().into_iter().map(move |layout| (model, layout))).collect();
    let forms = Effort::ways_of("FORMS", &forms, number);
    stages(module).flat_map(|stage| forms.iter().map(move |(model, layout)| (stage, *model, layout.clone()))).collect()
}

/// Compiles files to SPIR-V in `folder`. For each file, `files` contains the stage, the entry point and the path.
fn by_khronos(files: &[OsString], folder: &Path) -> Result<(), String> {
    let options = ["-c", "-x", "hlsl", "-fauto-map-locations", "-fhlsl-iomap"];
    let arguments: Vec<&OsStr> = options.iter().map(OsStr::new).chain(files.iter().map(OsString::as_os_str)).collect();
    GLSLC.run_in(folder, &arguments)
}

fn modules(works: &[&Work]) -> Vec<(String, Module)> {
    works.iter().map(|work| (work.name.clone(), work.module())).collect()
}

/// Returns copies of the modules with other names, and with names for the members of uniforms.
fn with_names(modules: &[(String, Module)]) -> Vec<(String, Module)> {
    let numbered = modules.iter().enumerate();
    numbered.map(|(seed, (name, module))| (format!("{name}.named"), named(module, seed as u64))).collect()
}

#[test]
fn two_compilers_read_both_stages_of_every_pair() {
    check(&modules(&Effort::part_of("PAIRS", &PAIRS)), &[]);
}

#[test]
fn two_compilers_read_both_stages_of_pairs_with_members_and_names() {
    check(&with_names(&modules(&Effort::part_of("PAIRS", &PAIRS))), &[]);
}

#[test]
fn two_compilers_read_every_program_of_the_corpus() {
    check(&modules(&CORPUS.iter().collect::<Vec<_>>()), &[]);
}

#[test]
fn two_compilers_read_every_operation_and_sample_of_a_module() {
    let samples = samples();
    // Modules that are expected to be rejected are tried even in a partial run.
    let is_refused = |name: &str| REFUSED.iter().any(|(refused, ..)| *refused == name);
    let (refused, others): (Vec<_>, Vec<_>) = samples.into_iter().partition(|(name, _)| is_refused(name));
    let tried = Effort::part_of("PAIRS", &others).into_iter().cloned().chain(refused);
    check(&tried.collect::<Vec<_>>(), &REFUSED);
}

/// Returns the modules with compute functions, except those that read the number of workgroups.
fn compute() -> Vec<(String, Module)> {
    let modules = compute_functions();
    let counts = |module: &Module| {
        let mut inputs = module.functions.iter().flat_map(|function| &function.inputs);
        inputs.any(|input| input.kind == sdlbc::InputKind::Builtin(sdlbc::Builtin::NumWorkgroups))
    };
    let (refused, modules): (Vec<_>, Vec<_>) = modules.into_iter().partition(|(_, module)| counts(module));
    let names: Vec<&str> = refused.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["builtins.sdlasm", "histogram.wgsl", "largest.wgsl"]);
    modules
}

#[test]
fn two_compilers_read_every_compute_function() {
    check(&compute(), &SIGNED);
}

#[test]
fn microsofts_compiler_reads_what_random_compute_functions_become() {
    let random = (0..64).filter_map(|seed| {
        let module = laws::compute::as_compute(&laws::from_seed(seed), 64, 1 + (seed % 3) as u32)?;
        Some((format!("random {seed}"), module))
    });
    // Random modules with features that HLSL lacks are skipped.
    let has_hlsl = |(_, module): &(String, Module)| {
        MODELS.iter().all(|model| hlsl(module, *model, FunctionKind::Compute, &Layout::STAGE3D).is_ok())
    };
    let random: Vec<_> = random.filter(has_hlsl).collect();
    assert!(random.len() > 25, "{} random modules", random.len());
    // Khronos' compiler is left out, because it does not initialise long arrays to zero.
    check_by(false, &random, &[]);
}

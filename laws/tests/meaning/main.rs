//! What a module computes is what its WGSL computes. Both are run, each by an interpreter of its own: the module as the
//! format says, the WGSL as naga's front end reads our text. The modules are those of the laws, and others that are
//! mostly loops.
//!
//! 300 modules of each kind in everyday runs, `MODULES=...` for more. A failure names its seed; `SEED=...` runs that
//! one alone.

mod execute;
mod given;
mod link;
mod loops;
#[path = "../../../cli/tests/support/shader/mod.rs"]
mod shader;
mod smaller;
#[path = "../../../cli/tests/support/tools.rs"]
mod tools;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use backends::{Depth, Error, Options, Target};
use given::Given;
use naga::{Binding, BuiltIn};
use sdlbc::{FunctionKind, FunctionOutput, Module, OutputKind, Scalar, Type};
use shader::Discarding;
use tools::{on_two_threads, say};

/// How many different inputs each module is run with.
const RUNS: u64 = 6;

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

thread_local! {
    /// What the last panic of the thread said.
    static SAID: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) };
}

/// What something gives, or what it said when it panicked.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| SAID.take())
}

/// What became of a module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Compared {
    /// The numbers that were compared.
    numbers: usize,
    /// The runs that were discarded.
    discarded: usize,
    /// The runs that made an int of a float beyond its range, which may be anything.
    open: usize,
    /// Whether WGSL cannot express it.
    refused: bool,
}

/// Runs a module and an output of it, and says where they differ, with both texts.
fn compare(module: &Module, target: Target) -> Result<Compared, String> {
    caught(|| compare_texts(module, target)).and_then(|compared| compared).map_err(|what| match what.contains("{\n") {
        true => what,
        false => format!("{what}\n{}", sdlbc::print(module)),
    })
}

fn compare_texts(module: &Module, target: Target) -> Result<Compared, String> {
    let mut compared = Compared::default();
    for (index, function) in module.functions.iter().enumerate() {
        let stage = match function.kind {
            FunctionKind::Vertex => naga::ShaderStage::Vertex,
            FunctionKind::Fragment => naga::ShaderStage::Fragment,
            FunctionKind::Generic => continue,
        };
        let Some(read) = reread(module, target, function.kind)? else {
            return Ok(Compared { refused: true, ..compared });
        };
        let shown = |what: String| {
            format!("{what}\n{}\n{}", sdlbc::print(module), text_of(module, target, function.kind).unwrap_or_default())
        };
        for seed in 0..RUNS {
            let given = Given::new(module, function.kind, seed);
            let (wanted, open) =
                caught(|| execute::run(module, index, &given)).and_then(|wanted| wanted).map_err(&shown)?;
            if open {
                compared.open += 1;
                continue;
            }
            let discarding = if target == Target::Wgsl { Discarding::GoesOn } else { Discarding::Ends };
            let found = caught(|| shader::run(&read, stage, &given, discarding))
                .map_err(|said| shown(format!("input {seed}, {}: {said}", function.kind.name())))?;
            let (wanted, found) = match (wanted, found) {
                (None, None) => {
                    compared.discarded += 1;
                    continue;
                }
                (Some(wanted), Some(found)) => (wanted, found),
                (wanted, _) => {
                    let (one, other) = if wanted.is_none() { ("module", "output") } else { ("output", "module") };
                    return Err(shown(format!("input {seed}: the {one} discards and the {other} does not")));
                }
            };
            for (output, wanted) in function.outputs.iter().zip(wanted) {
                let what = format!("input {seed}: the {} output `{}`", function.kind.name(), output.name);
                let found = found.iter().find(|(_, binding, _)| is_place(output, binding.as_ref()));
                let Some((_, _, found)) = found else { return Err(shown(format!("{what} is not there"))) };
                let numbers = flat(found);
                if !same(output.ty, &wanted.words, &numbers) {
                    return Err(shown(format!("{what} is {} and becomes {found:?}", numbers_of(&wanted))));
                }
                compared.numbers += numbers.len();
            }
        }
    }
    Ok(compared)
}

/// The clip space of the module itself.
const OPTIONS: Options = Options { depth: Some(Depth::ZeroToOne), flip_y: Some(false) };

/// What a front end of naga makes of the output for a stage; nothing if the target cannot express it.
fn reread(module: &Module, target: Target, stage: FunctionKind) -> Result<Option<naga::Module>, String> {
    let written = match target {
        Target::Spirv => {
            backends::spirv(module, &OPTIONS).map(|words| words.iter().flat_map(|w| w.to_le_bytes()).collect())
        }
        Target::Wgsl => backends::wgsl(module, &OPTIONS).map(String::into_bytes),
        Target::Glsl(version) => backends::glsl(module, stage, version, &OPTIONS).map(String::into_bytes),
    };
    let written: Vec<u8> = match written {
        Ok(written) => written,
        Err(Error::Unsupported { .. }) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let shown = |error: String| format!("{error}\n{}\n{}", sdlbc::print(module), String::from_utf8_lossy(&written));
    let text = || String::from_utf8_lossy(&written);
    let read = match target {
        Target::Spirv => {
            let options = naga::front::spv::Options { adjust_coordinate_space: false, ..Default::default() };
            naga::front::spv::parse_u8_slice(&written, &options).map_err(|error| error.to_string())
        }
        Target::Wgsl => naga::front::wgsl::parse_str(&text()).map_err(|error| error.emit_to_string(&text())),
        Target::Glsl(_) => {
            let stage =
                if stage == FunctionKind::Vertex { naga::ShaderStage::Vertex } else { naga::ShaderStage::Fragment };
            let mut frontend = naga::front::glsl::Frontend::default();
            frontend.parse(&stage.into(), &text()).map_err(|errors| errors.emit_to_string(&text()))
        }
    };
    match read {
        // naga does not read halves in SPIR-V.
        Err(error) if error.contains("StorageInputOutput16") => Ok(None),
        read => read.map(Some).map_err(shown),
    }
}

/// The output as text.
fn text_of(module: &Module, target: Target, stage: FunctionKind) -> Result<String, Error> {
    match target {
        Target::Spirv => backends::spirv(module, &OPTIONS).and_then(|words| backends::spirv_assembly(&words)),
        Target::Wgsl => backends::wgsl(module, &OPTIONS),
        Target::Glsl(version) => backends::glsl(module, stage, version, &OPTIONS),
    }
}

fn numbers_of(value: &sdlbc::compute::Value) -> String {
    match value.ty {
        Type::Vector(Scalar::Float | Scalar::Half, _) => {
            format!("{:?}", value.words.iter().map(|&word| f32::from_bits(word)).collect::<Vec<_>>())
        }
        _ => format!("{:?}", value.words),
    }
}

/// The components' bits.
fn flat(value: &shader::Value) -> Vec<u32> {
    match value {
        shader::Value::Many(values) => values.iter().flat_map(flat).collect(),
        shader::Value::Float(value) | shader::Value::Half(value) => vec![value.to_bits()],
        shader::Value::Int(value) => vec![value.cast_unsigned()],
        shader::Value::Uint(value) => vec![*value],
        shader::Value::Bool(value) => vec![u32::from(*value)],
        shader::Value::Pointer(..) => panic!("an output is a pointer"),
    }
}

/// Whether two values are one. Both interpreters round each step alike, so floats are the same number, or both none.
fn same(ty: Type, a: &[u32], b: &[u32]) -> bool {
    let float = matches!(ty, Type::Vector(Scalar::Float | Scalar::Half, _));
    a.len() == b.len()
        && a.iter().zip(b).all(|(&a, &b)| {
            let (x, y) = (f32::from_bits(a), f32::from_bits(b));
            a == b || float && (x == y || x.is_nan() && y.is_nan())
        })
}

/// Whether an output goes where it should.
fn is_place(output: &FunctionOutput, binding: Option<&Binding>) -> bool {
    match (output.kind, binding) {
        (OutputKind::Position, Some(Binding::BuiltIn(BuiltIn::Position { .. }))) => true,
        (OutputKind::Depth, Some(Binding::BuiltIn(BuiltIn::FragDepth))) => true,
        (OutputKind::PointSize, Some(Binding::BuiltIn(BuiltIn::PointSize))) => true,
        (OutputKind::Varying { location: a, .. } | OutputKind::Colour { target: a }, Some(binding)) => {
            matches!(binding, Binding::Location { location, .. } if *location == a)
        }
        _ => false,
    }
}

/// What kind of finding it is: its first line without what is of the one module.
fn class(error: &str) -> String {
    let line = error.lines().next().unwrap_or_default();
    if line.starts_with("input") {
        return line
            .split(" is ")
            .next()
            .unwrap_or_default()
            .chars()
            .filter(|c| !c.is_ascii_digit())
            .take(24)
            .collect();
    }
    let apart: Vec<&str> = line.split(['`', '\'']).step_by(2).collect();
    let text = apart.join("").replace("Vertex", "").replace("Fragment", "");
    let text = text.split(" is invalid: ").last().unwrap_or_default().to_string();
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// Runs the modules of the seeds.
#[track_caller]
fn all_agree(target: Target, make: impl Fn(u64) -> Module + Sync) {
    let alone = variable("SEED");
    let seeds: Vec<u64> = alone.map_or_else(|| (0..variable("MODULES").unwrap_or(300)).collect(), |seed| vec![seed]);
    let small = AtomicU64::new(0);
    // A panic is told with its seed, once.
    std::panic::set_hook(Box::new(|panic| SAID.set(panic.to_string())));
    let results = on_two_threads(&seeds, |&seed| {
        let module = make(seed);
        compare(&module, target).map_err(|error| {
            // Making a module small takes its time, so the first few are that are found.
            if small.fetch_add(1, Ordering::Relaxed) >= variable("SMALL").unwrap_or(2) {
                return format!("SEED={seed}: {}", error.lines().next().unwrap_or_default());
            }
            let finding = class(&error);
            let bad = |module: &Module| compare(module, target).is_err_and(|error| class(&error) == finding);
            let module = smaller::smallest(&module, &bad);
            format!("SEED={seed}, made small: {}", compare(&module, target).err().unwrap_or_default())
        })
    });
    let _ = std::panic::take_hook();
    let mut all = Compared::default();
    let (mut refused, mut failures) = (0, Vec::new());
    for result in results {
        match result {
            Ok(compared) => {
                all.numbers += compared.numbers;
                all.discarded += compared.discarded;
                all.open += compared.open;
                refused += usize::from(compared.refused);
            }
            Err(failure) => failures.push(failure),
        }
    }
    let count = seeds.len();
    say(&format!(
        "{count} modules to {target}: {} numbers compared, {} runs discarded, {} open, {refused} refused",
        all.numbers, all.discarded, all.open
    ));
    assert!(failures.is_empty(), "{} of {count} modules differ\n{}", failures.len(), failures.join("\n"));
    assert!(alone.is_some() || all.numbers > 10 * seeds.len(), "only {} numbers were compared", all.numbers);
}

#[test]
fn what_a_module_computes_its_wgsl_computes() {
    all_agree(Target::Wgsl, laws::from_seed);
}

#[test]
fn what_a_module_computes_its_wgsl_computes_whatever_things_are_called() {
    all_agree(Target::Wgsl, |seed| laws::renamed(&laws::from_seed(seed), seed, true));
}

#[test]
fn what_a_module_of_loops_computes_its_wgsl_computes() {
    all_agree(Target::Wgsl, loops::module);
}

#[test]
fn what_a_hostile_module_computes_its_wgsl_computes() {
    all_agree(Target::Wgsl, |seed| laws::hostile_from_seed(seed, laws::Mood::Calm).module);
}

#[test]
fn what_a_hostile_module_computes_its_spirv_computes() {
    all_agree(Target::Spirv, |seed| laws::hostile_from_seed(seed, laws::Mood::Calm).module);
}

#[test]
fn what_a_module_computes_its_spirv_computes() {
    all_agree(Target::Spirv, laws::from_seed);
}

#[test]
fn what_a_module_of_loops_computes_its_spirv_computes() {
    all_agree(Target::Spirv, loops::module);
}

#[test]
#[ignore]
fn show() {
    let module = loops::module(variable("SEED").unwrap_or(0));
    println!("{}\n{}", sdlbc::print(&module), backends::wgsl(&module, &Options::default()).unwrap());
}

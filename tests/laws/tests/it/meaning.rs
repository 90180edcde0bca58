//! Checks that a module has the same results as its output. One interpreter runs the module as the format specifies, and another
//! runs the output as naga's front end reads it. The modules come from the generator of the laws and from a generator of loops.
//!
//! A full run tests 300 modules of each kind, and `MODULES=...` tests more. A failure prints its seed, and `SEED=...` runs a
//! single module.

mod execute;
mod given;
mod link;
pub(crate) mod loops;
mod passes;
mod smaller;

use std::sync::atomic::{AtomicU64, Ordering};

use backends::{Depth, Error, Layout, Target};
use given::Given;
use laws::shader::{self, Discarding};
use naga::{Binding, BuiltIn};
use sdlbc::{FunctionKind, FunctionOutput, Module, Op, OutputKind, Scalar, Type};
use testing::{Effort, caught, number, on_two_threads, say, testdata};

/// The number of different inputs for each module.
const RUNS: u64 = 6;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Compared {
    numbers: usize,
    discarded: usize,
    /// The number of runs whose results the format leaves undefined, for example because an out-of-range float is converted to an
    /// int.
    open: usize,
    refused: bool,
}

/// Compares the results of a module with the results of its output in one target. The error message contains the text of the
/// module.
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
            FunctionKind::Generic | FunctionKind::Compute => continue,
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
                    return Err(shown(format!("input {seed}: the {one} discards, but the {other} does not")));
                }
            };
            for (output, wanted) in function.outputs.iter().zip(wanted) {
                let what = format!("input {seed}: the {} output `{}`", function.kind.name(), output.name);
                let found = found.iter().find(|(_, binding, _)| is_place(output, binding.as_ref()));
                let Some((_, _, found)) = found else {
                    // WGSL has no output for a point size that is always 1.
                    if output.kind == OutputKind::PointSize && wanted.words.iter().all(|&word| word == 1f32.to_bits()) {
                        continue;
                    }
                    return Err(shown(format!("{what} is missing")));
                };
                let mut numbers = flat(found);
                if let OutputKind::ClipDistance { index } = output.kind {
                    numbers = numbers.get(index as usize).copied().into_iter().collect();
                }
                if !same(output.ty, &wanted.words, &numbers) {
                    return Err(shown(format!(
                        "{what} is {} in the module and {found:?} in the output",
                        numbers_of(&wanted)
                    )));
                }
                compared.numbers += numbers.len();
            }
        }
    }
    Ok(compared)
}

/// A layout that keeps the module's own clip space.
const OPTIONS: Layout = Layout { depth: Some(Depth::ZeroToOne), flip_y: Some(false), ..Layout::STAGE3D };

/// Reads the output for a stage with one of naga's front ends. Returns `None` if the target cannot express the module.
fn reread(module: &Module, target: Target, stage: FunctionKind) -> Result<Option<naga::Module>, String> {
    let written = match target {
        Target::Spirv => {
            backends::spirv(module, &OPTIONS).map(|words| words.iter().flat_map(|w| w.to_le_bytes()).collect())
        }
        Target::Wgsl => backends::wgsl(module, &OPTIONS).map(String::into_bytes),
        Target::Glsl(version) => backends::glsl(module, stage, version, &OPTIONS).map(String::into_bytes),
        Target::Hlsl(_) | Target::Msl(_) => return Err(format!("naga does not read {target}")),
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
        Target::Hlsl(_) | Target::Msl(_) => return Err(format!("naga does not read {target}")),
    };
    match read {
        // naga's front end for SPIR-V does not support 16-bit inputs and outputs.
        Err(error) if error.contains("StorageInputOutput16") => Ok(None),
        // That front end stores a pointer that several blocks use in a variable, which naga's modules do not allow.
        Ok(read) if target == Target::Spirv && stores_pointers(&read) => Ok(None),
        read => read.map(Some).map_err(shown),
    }
}

fn stores_pointers(module: &naga::Module) -> bool {
    let functions = module.functions.iter().map(|(_, function)| function);
    let mut all = functions.chain(module.entry_points.iter().map(|entry| &entry.function));
    let is_pointer = |ty| matches!(module.types[ty].inner, naga::TypeInner::Pointer { .. });
    all.any(|function| function.local_variables.iter().any(|(_, variable)| is_pointer(variable.ty)))
}

fn text_of(module: &Module, target: Target, stage: FunctionKind) -> Result<String, Error> {
    match target {
        Target::Spirv => backends::spirv(module, &OPTIONS).and_then(|words| backends::spirv_assembly(&words)),
        Target::Wgsl => backends::wgsl(module, &OPTIONS),
        Target::Glsl(version) => backends::glsl(module, stage, version, &OPTIONS),
        Target::Hlsl(model) => backends::hlsl(module, model, &OPTIONS),
        Target::Msl(version) => backends::msl(module, version, &OPTIONS),
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

fn flat(value: &shader::Value) -> Vec<u32> {
    match value {
        shader::Value::Many(values) => values.iter().flat_map(flat).collect(),
        shader::Value::Float(value) | shader::Value::Half(value) => vec![value.to_bits()],
        shader::Value::Int(value) => vec![value.cast_unsigned()],
        shader::Value::Uint(value) => vec![*value],
        shader::Value::Bool(value) => vec![u32::from(*value)],
        shader::Value::Pointer(..) => panic!("an output must not be a pointer"),
    }
}

/// Reports whether two values are the same. The two interpreters round each step in the same way, so two floats must be equal or
/// both be NaN.
fn same(ty: Type, a: &[u32], b: &[u32]) -> bool {
    let float = matches!(ty, Type::Vector(Scalar::Float | Scalar::Half, _));
    a.len() == b.len()
        && a.iter().zip(b).all(|(&a, &b)| {
            let (x, y) = (f32::from_bits(a), f32::from_bits(b));
            a == b || float && (x == y || x.is_nan() && y.is_nan())
        })
}

/// Reports whether a binding of the shader belongs to the given output of the module.
fn is_place(output: &FunctionOutput, binding: Option<&Binding>) -> bool {
    match (output.kind, binding) {
        (OutputKind::Position, Some(Binding::BuiltIn(BuiltIn::Position { .. }))) => true,
        (OutputKind::Depth, Some(Binding::BuiltIn(BuiltIn::FragDepth))) => true,
        (OutputKind::PointSize, Some(Binding::BuiltIn(BuiltIn::PointSize))) => true,
        (OutputKind::ClipDistance { .. }, Some(Binding::BuiltIn(BuiltIn::ClipDistances))) => true,
        (OutputKind::Varying { location: a, .. } | OutputKind::Colour { target: a }, Some(binding)) => {
            matches!(binding, Binding::Location { location, .. } if *location == a)
        }
        _ => false,
    }
}

/// Returns the kind of an error: the first line of the message, without names and numbers.
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

/// The programs in testdata/ir/operations reveal a wrong lowering of any operation, even in a run that has only a few random
/// modules.
#[test]
fn the_program_of_each_operation_computes_the_same_in_wgsl_and_spirv() {
    // Compute functions have no outputs, so `compute.rs` compares their results.
    let drawn: Vec<Op> = Op::ALL.iter().copied().filter(|op| !laws::compute::OPERATIONS.contains(op)).collect();
    let results = on_two_threads(&drawn, |op| {
        let path = testdata(&format!("ir/operations/{op}.sdlasm"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let module = sdlbc::parse(&text).unwrap_or_else(|errors| panic!("{op}: {errors:?}"));
        [Target::Wgsl, Target::Spirv].map(|target| {
            let compared = compare(&module, target).map_err(|error| format!("{op} in {target}: {error}"))?;
            let empty = compared.numbers + compared.discarded == 0 && !compared.refused;
            if empty { Err(format!("{op} in {target}: nothing was compared")) } else { Ok(compared.numbers) }
        })
    });
    let (compared, failures): (Vec<_>, Vec<_>) = results.into_iter().flatten().partition(Result::is_ok);
    let failures: Vec<String> = failures.into_iter().filter_map(Result::err).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    say(&format!("compared {} numbers", compared.into_iter().flatten().sum::<usize>()));
}

#[track_caller]
fn all_agree(target: Target, make: impl Fn(u64) -> Module + Sync) {
    let effort = Effort::of("MODULES", 300);
    let seeds: Vec<u64> = effort.seeds().collect();
    let small = AtomicU64::new(0);
    let results = on_two_threads(&seeds, |&seed| {
        let module = make(seed);
        compare(&module, target).map_err(|error| {
            // Reducing a module is slow, so only the first few failures are reduced.
            if small.fetch_add(1, Ordering::Relaxed) >= number("SMALL").unwrap_or(2) {
                return format!("SEED={seed}: {}", error.lines().next().unwrap_or_default());
            }
            let finding = class(&error);
            let bad = |module: &Module| compare(module, target).is_err_and(|error| class(&error) == finding);
            let module = smaller::smallest(&module, &bad);
            format!("SEED={seed}, reduced: {}", compare(&module, target).err().unwrap_or_default())
        })
    });
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
    assert!(effort.only.is_some() || all.numbers > 10 * seeds.len(), "only {} numbers were compared", all.numbers);
}

#[test]
fn a_module_and_its_wgsl_compute_the_same() {
    all_agree(Target::Wgsl, laws::from_seed);
}

#[test]
fn a_module_and_its_wgsl_compute_the_same_whatever_the_names() {
    all_agree(Target::Wgsl, |seed| laws::renamed(&laws::from_seed(seed), seed, true));
}

#[test]
fn a_module_of_loops_and_its_wgsl_compute_the_same() {
    all_agree(Target::Wgsl, loops::module);
}

#[test]
fn a_hostile_module_and_its_wgsl_compute_the_same() {
    all_agree(Target::Wgsl, |seed| laws::hostile_from_seed(seed, laws::Mood::Calm).module);
}

#[test]
fn a_hostile_module_and_its_spirv_compute_the_same() {
    all_agree(Target::Spirv, |seed| laws::hostile_from_seed(seed, laws::Mood::Calm).module);
}

#[test]
fn a_module_and_its_spirv_compute_the_same() {
    all_agree(Target::Spirv, laws::from_seed);
}

#[test]
fn a_module_of_loops_and_its_spirv_compute_the_same() {
    all_agree(Target::Spirv, loops::module);
}

#[cfg(feature = "es2")]
#[test]
fn a_program_of_the_unified_set_and_its_wgsl_compute_the_same() {
    all_agree(Target::Wgsl, laws::es2::module_of);
}

#[cfg(feature = "es2")]
#[test]
fn a_program_of_the_unified_set_and_its_spirv_compute_the_same() {
    all_agree(Target::Spirv, laws::es2::module_of);
}

#[test]
#[ignore]
fn show() {
    let module = loops::module(number("SEED").unwrap_or(0));
    println!("{}\n{}", sdlbc::print(&module), backends::wgsl(&module, &Layout::default()).unwrap());
}

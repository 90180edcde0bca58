//! Checks that members of constants change only the text of an output. In every target, a module with members has the same
//! results as the module without members, bit for bit.
//!
//! The modules are the pairs of testdata and random programs. Each module gets a random list of members. The front ends of naga
//! read the outputs with and without members, and our interpreter runs both outputs with the same constants in memory. A member
//! at a wrong offset changes the results.

use std::collections::BTreeSet;

use agal_front::Stage;
use agal_front::lift::{self, translate};
use backends::{Depth, Error, Glsl, Layout, Target};
use laws::programs;
use laws::shader::{self, Discarding, Level, Value};
use laws::{computed, with_members};
use naga::{Binding, TypeInner};
use sdlbc::{FunctionKind, InputKind, Module, Verified};
use testing::{Effort, Random, caught, on_two_threads};

use crate::layouts::pairs;

const OPTIONS: Layout = Layout { depth: Some(Depth::ZeroToOne), flip_y: Some(false), ..Layout::STAGE3D };
const ALL: [Target; 3] = [Target::Wgsl, Target::Spirv, Target::Glsl(Glsl::Core450)];

/// Derives a small number from `words`. If `whole` is set, the number is an integer, because the shader may use it as an index.
fn noise(words: &[u64], whole: bool) -> f32 {
    let mut random = Random::of(0x5eed, words);
    if whole { random.below(6) as f32 } else { random.between(-2.0, 2.0) }
}

struct Given {
    seed: u64,
    whole: bool,
}

impl Given {
    /// Returns a value of a type, read from an offset in the simulated memory of the constant registers.
    fn memory(&self, module: &naga::Module, ty: naga::Handle<naga::Type>, offset: u32, place: u64) -> Value {
        // Constants from which the shader computes an index are not negative, because a negative index is clamped to the array's
        // first element.
        let number = |offset: u32| noise(&[self.seed, place, offset.into()], false);
        let word = |offset: u32| Value::Float(if self.whole { number(offset).abs() } else { number(offset) });
        let vector = |offset: u32, width: u32| Value::Many((0..width).map(|at| word(offset + 4 * at)).collect());
        match &module.types[ty].inner {
            TypeInner::Scalar(_) => word(offset),
            TypeInner::Vector { size, .. } => vector(offset, *size as u32),
            TypeInner::Matrix { columns, rows, .. } => {
                let stride = if *rows as u32 == 2 { 8 } else { 16 };
                Value::Many((0..*columns as u32).map(|at| vector(offset + stride * at, *rows as u32)).collect())
            }
            TypeInner::Array { base, size: naga::ArraySize::Constant(length), stride } => Value::Many(
                (0..length.get()).map(|at| self.memory(module, *base, offset + stride * at, place)).collect(),
            ),
            TypeInner::Struct { members, .. } => {
                let values = members.iter().map(|member| self.memory(module, member.ty, offset + member.offset, place));
                Value::Many(values.collect())
            }
            other => panic!("{other:?} in memory"),
        }
    }

    fn input(&self, module: &naga::Module, ty: naga::Handle<naga::Type>, binding: Option<&Binding>) -> Value {
        let place = match binding {
            Some(Binding::Location { location, .. }) => u64::from(*location),
            Some(Binding::BuiltIn(builtin)) => 1000 + format!("{builtin:?}").len() as u64,
            None => panic!("an input without a binding"),
        };
        let float = |at: u64| noise(&[self.seed, 7, place, at], self.whole);
        let scalar = |scalar: naga::Scalar, at: u64| match scalar.kind {
            naga::ScalarKind::Float => Value::Float(float(at)),
            naga::ScalarKind::Bool => Value::Bool(float(at) > 0.0),
            naga::ScalarKind::Sint => Value::Int(float(at).abs() as i32),
            _ => Value::Uint(float(at).abs() as u32),
        };
        match module.types[ty].inner {
            TypeInner::Scalar(of) => scalar(of, 0),
            TypeInner::Vector { size, scalar: of } => Value::Many((0..size as u64).map(|at| scalar(of, at)).collect()),
            ref other => panic!("{other:?} as an input"),
        }
    }
}

impl shader::Given for Given {
    fn argument(&self, module: &naga::Module, _: naga::ShaderStage, argument: &naga::FunctionArgument) -> Value {
        match &module.types[argument.ty].inner {
            TypeInner::Struct { members, .. } => Value::Many(
                members.iter().map(|member| self.input(module, member.ty, member.binding.as_ref())).collect(),
            ),
            _ => self.input(module, argument.ty, argument.binding.as_ref()),
        }
    }

    fn uniform(&self, module: &naga::Module, variable: &naga::GlobalVariable) -> Value {
        let place = variable.binding.map_or(0, |at| u64::from(at.binding));
        self.memory(module, variable.ty, 0, place)
    }

    fn texel(&self, texture: &naga::GlobalVariable, coordinate: &[f32], _: &Level) -> [f32; 4] {
        let place = texture.binding.map_or(0, |at| u64::from(at.binding));
        let sum: f32 = coordinate.iter().sum();
        std::array::from_fn(|at| sum * 0.25 + noise(&[self.seed, place, at as u64, 99], false))
    }

    fn ddx(&self, value: f32) -> f32 {
        value * 0.125
    }

    fn ddy(&self, value: f32) -> f32 {
        value * 0.25
    }
}

fn reread(module: &Module, target: Target, kind: FunctionKind) -> Result<Option<(naga::Module, String)>, String> {
    let module = Verified::new(module.clone()).map_err(|violations| violations[0].to_string())?;
    let output = match backends::write(&module, target, Some(kind), &OPTIONS) {
        Err(Error::Unsupported { .. }) => return Ok(None),
        output => output.map_err(|error| error.to_string())?,
    };
    match output.code {
        backends::Code::Words(words) => {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let options = naga::front::spv::Options { adjust_coordinate_space: false, ..Default::default() };
            let read = naga::front::spv::parse_u8_slice(&bytes, &options).map_err(|error| error.to_string())?;
            Ok(Some((read, backends::spirv_assembly(&words).unwrap_or_default())))
        }
        backends::Code::Text(text) if target == Target::Wgsl => {
            let read = naga::front::wgsl::parse_str(&text).map_err(|error| error.emit_to_string(&text))?;
            Ok(Some((read, text)))
        }
        backends::Code::Text(text) => {
            let stage = stage_of(kind);
            let read = naga::front::glsl::Frontend::default().parse(&stage.into(), &text);
            Ok(Some((read.map_err(|errors| errors.emit_to_string(&text))?, text)))
        }
    }
}

fn stage_of(kind: FunctionKind) -> naga::ShaderStage {
    if kind == FunctionKind::Vertex { naga::ShaderStage::Vertex } else { naga::ShaderStage::Fragment }
}

/// Compares the results of a module with and without members, and reports whether an output declares a structure.
fn compare(module: &Module, seed: u64) -> Result<bool, String> {
    let named = with_members(module, seed, |_, lowest| lowest);
    let mut split = false;
    for function in module.functions.iter().filter(|function| function.kind != FunctionKind::Generic) {
        let whole = function.inputs.iter().any(|input| computed(function.body.insts(), input.id).is_some());
        for target in ALL {
            let (one, plain) = match reread(module, target, function.kind) {
                Ok(Some(read)) => read,
                Ok(None) => continue,
                // naga's front end for GLSL lacks many features, such as textures.
                Err(_) if target == Target::Glsl(Glsl::Core450) => continue,
                Err(error) => return Err(error),
            };
            let Some((other, text)) = reread(&named, target, function.kind)? else {
                return Err(format!("{target} cannot express it with members"));
            };
            split |= text.contains("Vc") || text.contains("Fc");
            for run in 0..3 {
                let given = Given { seed: seed ^ run << 40, whole };
                let [a, b] = [(&one, &plain), (&other, &text)].map(|(read, text)| {
                    caught(|| shader::run(read, stage_of(function.kind), &given, Discarding::Ends))
                        .map_err(|error| format!("{error}\n{text}"))
                });
                let outputs = |outputs: shader::Outputs| {
                    outputs.map(|list| {
                        list.into_iter().map(|(_, at, value)| format!("{at:?} {value:?}")).collect::<BTreeSet<_>>()
                    })
                };
                let (a, b) = (outputs(a?), outputs(b?));
                if a != b {
                    return Err(format!("{target}, input {run}: {a:#?}\n{b:#?}\n{plain}\n{text}"));
                }
            }
        }
    }
    Ok(split)
}

fn all_same(works: &[(String, Module, u64)]) {
    let found = on_two_threads(works, |(name, module, seed)| {
        let compared = caught(|| compare(module, *seed)).and_then(|compared| compared);
        compared.map_err(|error| format!("{name}, members of {seed}: {error}"))
    });
    let failures: Vec<&String> = found.iter().filter_map(|found| found.as_ref().err()).collect();
    let shown: Vec<&str> = failures.iter().take(2).map(|failure| failure.as_str()).collect();
    assert!(failures.is_empty(), "{} of {} differ\n{}", failures.len(), found.len(), shown.join("\n\n"));
    let split = found.iter().filter(|found| **found == Ok(true)).count();
    assert!(2 * split >= found.len(), "only {split} of {} have a structure", found.len());
}

#[test]
fn pairs_compute_the_same_with_members() {
    let pairs = pairs();
    let tried = Effort::part_of("PAIRS", &pairs);
    let works: Vec<(String, Module, u64)> =
        tried.iter().flat_map(|(name, module)| (0..4).map(|seed| (name.clone(), module.clone(), seed))).collect();
    all_same(&works);
}

#[test]
fn random_programs_compute_the_same_with_members() {
    let effort = Effort::of("PROGRAMS", 600);
    let program = |seed: u64| {
        let mut random = Random::of(seed, &[3]);
        let stage = if seed.is_multiple_of(2) { Stage::Vertex } else { Stage::Fragment };
        let program = programs::program(&mut random, 1 + (seed >> 1 & 3) as u32, stage, 12);
        let lifted = translate(&[&program], &lift::Options::default()).ok()?;
        let function = &lifted.module.functions[0];
        let mut arrays = function.inputs.iter().filter(|input| input.kind == InputKind::Uniform).peekable();
        // Programs with computed indices are skipped. With members, an out-of-range index reads the last element of the member's
        // array, and without members, it reads the last constant.
        let reads = arrays.peek().is_some() && arrays.all(|array| computed(function.body.insts(), array.id).is_none());
        reads.then_some((format!("program {seed}"), lifted.module, seed))
    };
    let works: Vec<_> = effort.seeds().filter_map(program).collect();
    all_same(&works);
}

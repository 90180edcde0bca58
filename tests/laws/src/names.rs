//! The law of names: renaming a module's entities changes only the names in the output. The SPIR-V of a module and of its renamed
//! copy differs only in names. In the texts of all other targets, each identifier refers to the same declaration as before.

mod binding;
mod renamed;

use std::collections::BTreeSet;

use backends::{Error, Glsl, Layout, Target};
use sdlbc::{FunctionKind, InputKind, Module, OutputKind};

pub use renamed::{plain, renamed};

use crate::input::module_of;
use crate::targets::{TARGETS, outputs};
use binding::{Word, bound};

/// Checks the law of names for the module that the bytes encode, with names that the bytes determine.
pub fn names(bytes: &[u8]) {
    let seed = bytes.iter().fold(0u64, |seed, &byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)));
    if let Some(module) = module_of(bytes) {
        same_by_any_names(&module, seed);
    }
}

/// Checks the law of names for a module, with names that the seed determines.
pub fn same_by_any_names(module: &Module, seed: u64) {
    if sdlbc::verify(module).is_err() {
        return;
    }
    let other = renamed(module, seed, false);
    assert_eq!(sdlbc::verify(&other), Ok(()), "the renamed module does not verify\n{}", sdlbc::print(&other));
    linked_by_name(&other);
    linked_by_name(&renamed(module, seed, true));
    let plain = plain(module);
    for target in TARGETS {
        match (outputs(&plain, target, &Layout::default()), outputs(&other, target, &Layout::default())) {
            (Ok(a), Ok(b)) => {
                assert_eq!(a.len(), b.len(), "{target}: the number of outputs");
                for ((stage, a), (_, b)) in a.iter().zip(&b) {
                    match target {
                        Target::Spirv => same_words(a, b, &other),
                        _ => same_text(a, b, target, *stage),
                    }
                }
            }
            (Err(Error::Unsupported { .. }), Err(Error::Unsupported { .. })) => {}
            (a, b) => panic!("{target}: {:?} and {:?}\n{}", a.err(), b.err(), sdlbc::print(&other)),
        }
    }
}

/// Checks that the vertex and fragment GLSL of a pair link by name, as they must if they have no locations or bindings. A varying
/// has the same name in both stages. No two resources share a name, because the stages of a pair share no resource.
fn linked_by_name(module: &Module) {
    let entry = |kind| module.functions.iter().find(|function| function.kind == kind);
    let (Some(vertex), Some(fragment)) = (entry(FunctionKind::Vertex), entry(FunctionKind::Fragment)) else { return };
    let written: BTreeSet<u32> = vertex.outputs.iter().filter_map(|output| varying(output.kind)).collect();
    let read = fragment.inputs.iter().filter_map(|input| match input.kind {
        InputKind::Varying { location, .. } => Some(location),
        _ => None,
    });
    let passed = read.filter(|location| written.contains(location)).count();
    for version in [Glsl::Core330, Glsl::Es300] {
        let text = |kind| backends::glsl(module, kind, version, &Layout::default());
        let (Ok(vertex), Ok(fragment)) = (text(FunctionKind::Vertex), text(FunctionKind::Fragment)) else { continue };
        let common = |one: &str, other: &str| declared(&vertex, one).intersection(&declared(&fragment, other)).count();
        let found = (common("out", "in"), common("uniform", "uniform"));
        assert_eq!(found, (passed, 0), "varyings and uniforms of one name\n{vertex}\n{fragment}");
    }
}

fn varying(kind: OutputKind) -> Option<u32> {
    match kind {
        OutputKind::Varying { location, .. } => Some(location),
        _ => None,
    }
}

/// Returns the names of the variables and blocks that GLSL declares with a qualifier.
fn declared(text: &str, qualifier: &str) -> BTreeSet<String> {
    let outside = text.lines().filter(|line| !line.starts_with(' '));
    let words = outside.map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect::<Vec<_>>());
    let name = |words: Vec<&str>| {
        let at = words.iter().position(|word| *word == qualifier)?;
        let mut rest = words[at + 1..].iter().filter(|word| !["", "highp", "mediump", "lowp"].contains(word));
        let first = rest.next()?;
        // The first word is the name of a block or the type of a variable.
        let is_type =
            ["vec", "ivec", "uvec", "sampler", "float", "int", "uint", "mat"].iter().any(|ty| first.starts_with(ty));
        if is_type { rest.next() } else { Some(first) }.map(|name| name.to_string())
    };
    words.filter_map(name).collect()
}

/// Checks that two SPIR-V modules are the same except for names.
fn same_words(a: &[u8], b: &[u8], module: &Module) {
    let [a, b] = [a, b].map(unnamed);
    assert!(a == b, "the SPIR-V depends on names\n{}", sdlbc::print(module));
}

/// Returns the SPIR-V instructions without OpName and OpMemberName, and without the name in OpEntryPoint.
fn unnamed(bytes: &[u8]) -> Vec<Vec<u32>> {
    const NAME: u32 = 5;
    const MEMBER_NAME: u32 = 6;
    const ENTRY_POINT: u32 = 15;
    let words: Vec<u32> =
        bytes.chunks_exact(4).map(|word| word.iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte))).collect();
    let mut instructions = Vec::new();
    let mut rest = words.get(5..).unwrap_or_default();
    while let Some(&first) = rest.first() {
        let (inst, others) = rest.split_at(usize::try_from(first >> 16).unwrap_or(1).clamp(1, rest.len()));
        match first & 0xffff {
            NAME | MEMBER_NAME => {}
            ENTRY_POINT => {
                // The last word of a SPIR-V string ends with a zero byte.
                let end = inst.iter().skip(3).position(|word| word >> 24 == 0).map_or(inst.len(), |at| at + 4);
                instructions.push([&inst[1..3], &inst[end..]].concat());
            }
            _ => instructions.push(inst.to_vec()),
        }
        rest = others;
    }
    instructions
}

/// Checks that two texts have the same words except for names, and that names at the same position refer to the same declaration.
fn same_text(a: &[u8], b: &[u8], target: Target, stage: Option<FunctionKind>) {
    let [a, b] = [a, b].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let is_wgsl = target == Target::Wgsl;
    let [of_a, of_b] =
        [&a, &b].map(|text| bound(text, is_wgsl).unwrap_or_else(|what| panic!("{target}: {what}\n{text}")));
    let differs = of_a.iter().zip(&of_b).position(|(a, b)| a != b);
    let at = differs.or_else(|| (of_a.len() != of_b.len()).then(|| of_a.len().min(of_b.len())));
    if let Some(at) = at {
        let [x, y] = [&of_a, &of_b].map(|words: &Vec<Word<'_>>| words.get(at));
        panic!("{target}, {stage:?}: word {at} is {x:?} in one text and {y:?} in the other\n{a}\n{b}");
    }
}

//! Random modules that are valid and terminate.
//!
//! Rule: for any bytes, the module obeys every rule of docs/format.md; a violation is a bug in this generator or in the verifier.
//! Each module lacks some features, so that a target without one of these features still accepts most modules. Plain modules
//! contain only what AGAL can express, because most other modules cannot be translated to AGAL ([`plain_from_seed`]).
//!
//! Each module has a palette: the operations from which its instructions are chosen, apart from a few that any module may
//! contain. A hash of the module's first word and the operation's number decides whether the palette contains an operation, with
//! a probability of one in [`PALETTE`]. A new row in the operation table therefore changes one module in [`PALETTE`] and leaves
//! all others unchanged, byte for byte. Modules that repeat a few operations also find more bugs than modules that use every
//! operation rarely (Groce and others, "Swarm testing", 2012). A test that needs a certain operation calls [`of_operation`]
//! instead of relying on the seeds.

mod control;
mod debug;
mod dice;
mod features;
mod interface;
mod names;
mod operations;
mod writer;

use std::collections::HashSet;

use arbitrary::Unstructured;
use sdlbc::{Function, FunctionKind, Id, Module, Op};
use testing::Random;

use crate::overloads::overloads;
use crate::placed::place_uniforms;
use dice::Dice;
use features::{Features, PALETTE};
use interface::Shared;
use writer::{Callee, Writer};

/// The maximum number of modules that [`of_operation`] tries. Even the rarest operation appears after 20 modules on average.
const TRIES: usize = 2000;

/// Builds a valid module from random bytes.
///
/// # Errors
/// Never returns an error: when the bytes run out, the module is completed without them.
pub fn module(bytes: &mut Unstructured<'_>) -> arbitrary::Result<Module> {
    Ok(build(bytes, Op::ALL, None))
}

/// Builds a module from a seed.
pub fn from_seed(seed: u64) -> Module {
    build(&mut Unstructured::new(&bytes_of(seed)), Op::ALL, None)
}

/// Builds a plain module from a seed. The module contains only what AGAL can express: floats, few operations, conditionals, short
/// loops, calls and all jumps.
///
/// Each operation has one exact result, so all executors compute the same bits. Numbers stay small, so no comparison has
/// different results on different executors.
pub fn plain_from_seed(seed: u64) -> Module {
    let bytes = bytes_of(seed);
    let mut bytes = Unstructured::new(&bytes);
    let mut dice = Dice::new(&mut bytes);
    let features = Features::plain(&mut dice);
    make(&mut dice, &features)
}

/// Builds a module that contains an operation. Different numbers select different modules.
///
/// # Panics
/// Panics if no generated module contains the operation.
pub fn of_operation(op: Op, number: u64) -> Module {
    let mut seeds = Random::of(number, &[op.number().into()]);
    for _ in 0..TRIES {
        let module = build(&mut Unstructured::new(&bytes_of(seeds.next())), Op::ALL, Some(op));
        if module.functions.iter().any(|function| function.body.insts().iter().any(|inst| inst.op == op)) {
            return module;
        }
    }
    panic!("none of {TRIES} modules contains `{op}`");
}

fn bytes_of(seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    (0..2048).flat_map(|_| random.next().to_le_bytes()).collect()
}

/// Builds a module whose palette is chosen from `table` and always contains the operation `always`.
fn build(bytes: &mut Unstructured<'_>, table: &[Op], always: Option<Op>) -> Module {
    let mut dice = Dice::new(bytes);
    let key = dice.word();
    let computes = |op: Op| op == Op::Peek || !overloads(op).is_empty();
    let chosen = |op: Op| computes(op) && (Some(op) == always || in_palette(key, op));
    let operations = table.iter().copied().filter(|&op| chosen(op)).collect();
    let features = Features::new(&mut dice, key, operations);
    make(&mut dice, &features)
}

/// Reports whether an operation is in the palette of the module with this key.
fn in_palette(key: u32, op: Op) -> bool {
    Random::of(key.into(), &[op.number().into()]).once_in(PALETTE)
}

fn make(dice: &mut Dice<'_, '_>, features: &Features) -> Module {
    use FunctionKind::{Fragment, Generic, Vertex};
    let entries: &[FunctionKind] = match dice.below(if features.plain { 8 } else { 16 }) {
        0..=3 => &[Vertex],
        4..=7 => &[Fragment],
        8..=14 => &[Vertex, Fragment],
        _ => &[],
    };
    let least = usize::from(entries.is_empty());
    let most = if features.plain { 2 } else { 4 };
    let generics = if dice.one_in(2) { least + dice.below(most) } else { least } + usize::from(features.plain);
    let kinds: Vec<FunctionKind> =
        [Generic].into_iter().cycle().take(generics).chain(entries.iter().copied()).collect();
    // A function may precede the functions that it calls.
    let mut places: Vec<usize> = (0..kinds.len()).collect();
    if dice.one_in(2) {
        dice.shuffle(&mut places);
    }

    let shared = Shared::new(dice, features);
    let own = (!features.plain && dice.one_in(8)).then(|| shared.with_other_resources(dice, features));
    let budget = match features.plain {
        true => 10 + dice.below(24),
        false => (8 + dice.below(120)) / kinds.len().max(1),
    };
    let mut taken = HashSet::new();
    let mut callees: Vec<Callee> = Vec::new();
    let mut functions = vec![Function::default(); kinds.len()];
    for (&kind, &place) in kinds.iter().zip(&places) {
        let name = match kind {
            Generic if dice.one_in(4) => String::new(),
            Generic => names::free(dice, features.odd_names, &mut taken),
            _ => names::free_word(dice, features.odd_names, &mut taken),
        };
        let fragment = kind == Fragment || kind == Generic && !features.plain && dice.one_in(2);
        let (shared, callees_of_it): (_, &[Callee]) = match &own {
            Some(own) if kind == Vertex => (own, &[]),
            _ => (&shared, &callees),
        };
        let function = interface::function(dice, features, shared, kind, name);
        let mut writer = Writer::new(dice, features, callees_of_it, function, fragment, 2 + budget);
        writer.body();
        let (mut function, cost) = writer.finish();
        if features.odd_ids {
            scatter(dice, &mut function);
        }
        if kind == Generic {
            let signature = function.signature();
            let index = u32::try_from(place).unwrap_or(0);
            let (parameters, returned) = (signature.parameters, signature.returned);
            callees.push(Callee { index, parameters, returned, fragment, cost });
        }
        functions[place] = function;
    }
    if features.places {
        place_uniforms(&mut functions);
    }
    let debug = debug::table(dice, features, &functions);
    Module { functions, debug }
}

/// Replaces a function's ids with other ids, which need not be consecutive.
fn scatter(dice: &mut Dice<'_, '_>, function: &mut Function) {
    let (times, first) = match dice.below(3) {
        0 => (1, dice.word() & 0xffff),
        1 => (3, 0),
        // Multiplication by an odd factor is a bijection of 24-bit numbers that maps only 0 to 0.
        _ => (dice.word() | 1, 0),
    };
    let other = |id: &mut Id| {
        if id.is_some() {
            *id = Id(id.0.wrapping_mul(times).wrapping_add(first) & 0x00ff_ffff);
        }
    };
    function.inputs.iter_mut().for_each(|input| other(&mut input.id));
    for inst in function.body.insts_mut() {
        other(&mut inst.output);
        inst.inputs.iter_mut().for_each(other);
    }
}

impl Writer<'_, '_, '_> {
    /// Returns the finished function, and the maximum number of instructions that one run executes.
    fn finish(mut self) -> (Function, usize) {
        self.function.body = self.scopes.drain(..).next().map(|scope| scope.block).unwrap_or_default();
        (self.function, self.cost.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::Effort;

    fn made(seed: u64, table: &[Op]) -> Vec<u8> {
        sdlbc::encode(&build(&mut Unstructured::new(&bytes_of(seed)), table, None))
    }

    /// Removing an operation from the table changes the same modules as adding that operation.
    #[test]
    fn a_row_of_the_table_changes_only_modules_with_the_operation_in_their_palette() {
        let seeds = Effort::of("MODULES", 200).seeds();
        let (mut pairs, mut changed) = (0, 0);
        for seed in seeds {
            let key = Dice::new(&mut Unstructured::new(&bytes_of(seed))).word();
            let whole = made(seed, Op::ALL);
            for &op in Op::ALL {
                let others: Vec<Op> = Op::ALL.iter().copied().filter(|&other| other != op).collect();
                let same = made(seed, &others) == whole;
                assert!(same || in_palette(key, op), "seed {seed} depends on `{op}`, which is not in its palette");
                pairs += 1;
                changed += usize::from(!same);
            }
        }
        println!("{changed} of {pairs} modules change without an operation");
        assert!(changed * 6 <= pairs, "{changed} of {pairs} modules change");
    }
}

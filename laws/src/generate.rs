//! Random modules that the verifier takes and whose programs come to an end.
//!
//! Rule: whatever the bytes, what is made keeps every rule of docs/format.md; a module that does not is a fault of this
//! file (or of the verifier). Each module has some features and lacks others, so that what one target cannot express
//! does not keep all modules from it.

mod control;
mod debug;
mod dice;
mod interface;
mod names;
mod operations;
mod writer;

use std::collections::HashSet;

use arbitrary::Unstructured;
use sdlbc::{Block, Function, FunctionKind, Id, Module};
use testing::Random;

use dice::Dice;
use interface::Shared;
use writer::{Callee, Writer};

/// A module that verifies, made from random bytes.
///
/// # Errors
/// None: when the bytes are used up, the module is brought to its end.
pub fn module(bytes: &mut Unstructured<'_>) -> arbitrary::Result<Module> {
    let mut dice = Dice::new(bytes);
    let features = Features::new(&mut dice);
    Ok(make(&mut dice, &features))
}

/// The module of a number: always the same one.
pub fn from_seed(seed: u64) -> Module {
    let mut random = Random(seed);
    let bytes: Vec<u8> = (0..2048).flat_map(|_| random.next().to_le_bytes()).collect();
    module(&mut Unstructured::new(&bytes)).unwrap_or_default()
}

/// What a module has.
#[derive(Debug)]
struct Features {
    /// 16-bit floats.
    halves: bool,
    /// Infinities and NaNs as literals.
    specials: bool,
    /// The size of points and the place in them.
    points: bool,
    /// Names that need care.
    odd_names: bool,
    /// Ids that do not count up.
    odd_ids: bool,
    /// How deep blocks stand in each other.
    depth: usize,
}

impl Features {
    fn new(dice: &mut Dice<'_, '_>) -> Features {
        Features {
            halves: dice.one_in(8),
            specials: dice.one_in(10),
            points: dice.one_in(8),
            odd_names: dice.one_in(2),
            odd_ids: dice.one_in(5),
            depth: 1 + dice.below(6),
        }
    }
}

fn make(dice: &mut Dice<'_, '_>, features: &Features) -> Module {
    use FunctionKind::{Fragment, Generic, Vertex};
    let entries: &[FunctionKind] = match dice.below(16) {
        0..=3 => &[Vertex],
        4..=7 => &[Fragment],
        8..=14 => &[Vertex, Fragment],
        _ => &[],
    };
    let least = usize::from(entries.is_empty());
    let generics = if dice.one_in(2) { least + dice.below(4) } else { least };
    let kinds: Vec<FunctionKind> =
        [Generic].into_iter().cycle().take(generics).chain(entries.iter().copied()).collect();
    // A function can stand before those that it calls.
    let mut places: Vec<usize> = (0..kinds.len()).collect();
    if dice.one_in(2) {
        dice.shuffle(&mut places);
    }

    let shared = Shared::new(dice, features);
    let own = dice.one_in(8).then(|| shared.with_other_resources(dice, features));
    let budget = (8 + dice.below(120)) / kinds.len().max(1);
    let mut taken = HashSet::new();
    let mut callees: Vec<Callee> = Vec::new();
    let mut functions = vec![Function::default(); kinds.len()];
    for (&kind, &place) in kinds.iter().zip(&places) {
        let name = match kind {
            Generic if dice.one_in(4) => String::new(),
            Generic => names::free(dice, features.odd_names, &mut taken),
            _ => names::free_word(dice, features.odd_names, &mut taken),
        };
        let fragment = kind == Fragment || kind == Generic && dice.one_in(2);
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
    let debug = debug::table(dice, features, &functions);
    Module { functions, debug }
}

/// Gives the values of a function other ids, which need not follow each other.
fn scatter(dice: &mut Dice<'_, '_>, function: &mut Function) {
    let (times, first) = match dice.below(3) {
        0 => (1, dice.word() & 0xffff),
        1 => (3, 0),
        // An odd factor takes no two numbers of 24 bits to one, and only 0 to 0.
        _ => (dice.word() | 1, 0),
    };
    let other = |id: &mut Id| {
        if id.is_some() {
            *id = Id(id.0.wrapping_mul(times).wrapping_add(first) & 0x00ff_ffff);
        }
    };
    fn each(block: &mut Block, other: &impl Fn(&mut Id)) {
        for inst in block {
            other(&mut inst.output);
            inst.inputs.iter_mut().for_each(other);
            inst.blocks.iter_mut().for_each(|block| each(block, other));
        }
    }
    function.inputs.iter_mut().for_each(|input| other(&mut input.id));
    each(&mut function.body, &other);
}

impl Writer<'_, '_, '_> {
    /// The function, and how many instructions a run of it runs at most.
    fn finish(mut self) -> (Function, usize) {
        self.function.body = self.scopes.drain(..).next().map(|scope| scope.block).unwrap_or_default();
        (self.function, self.cost.max(1))
    }
}

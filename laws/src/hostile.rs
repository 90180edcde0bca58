//! Modules that are built to be nasty and still keep the rules: whatever a careless reader, backend, executor, printer or linker
//! gets wrong, and no program of AGAL has.
//!
//! Rule: it knows the format as docs/format.md states it and nothing of the other generator of this crate, so that the two do not
//! share what they forget. A module is built to keep the rules and is not mended afterwards; [`crate::hostile`]'s tests say how many
//! do (nearly all of them).

mod choices;
mod code;
mod control;
mod debug;
mod interface;
mod laws;
mod limits;
mod names;
mod values;

use sdlbc::{FunctionKind, Module};

use choices::Choices;
use interface::Plan;

pub use laws::{hostile, hostile_of};
pub use limits::{Boundary, boundaries};

/// A nasty module, and what is known of running it.
#[derive(Clone, Debug)]
pub struct Hostile {
    /// The module.
    pub module: Module,
    /// How many instructions a run of one of its entries has at most; nothing where a loop may never end.
    pub steps: Option<u64>,
}

/// What a module has that not every use of it can bear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// Anything.
    Wild,
    /// It ends soon, and has no numbers of which the format leaves open what becomes of them.
    Calm,
}

/// The module of a seed.
pub fn hostile_from_seed(seed: u64, mood: Mood) -> Hostile {
    build(&mut Choices::of_seed(seed), mood)
}

/// The module that bytes choose.
pub fn hostile_from_bytes(bytes: &[u8]) -> Hostile {
    build(&mut Choices::of_bytes(bytes), Mood::Wild)
}

fn build(choices: &mut Choices<'_>, mood: Mood) -> Hostile {
    let plan = Plan::new(choices, mood);
    let (functions, costs) = code::functions(choices, &plan);
    let mut module = Module { functions, ..Module::default() };
    debug::add(choices, &plan, &mut module);
    let entries = module.functions.iter().zip(&costs).filter(|(function, _)| function.kind != FunctionKind::Generic);
    let steps = entries.map(|(_, &cost)| cost).try_fold(0u64, |most, cost| Some(most.max(cost?)));
    Hostile { module, steps }
}

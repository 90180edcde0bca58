//! Hostile modules contain code and data that no AGAL program contains and that a careless reader, backend, executor, printer or
//! linker mishandles.
//!
//! Rule: this generator is written from docs/format.md and shares no code with this crate's other generator, so that the two
//! generators do not omit the same features. A module is built to obey the rules of the format, and is not repaired afterwards.
//! The tests of [`crate::hostile`] print the number of valid modules; nearly all modules are valid.

mod choices;
mod code;
mod control;
mod debug;
mod interface;
mod laws;
mod limits;
mod mood;
mod names;
mod values;

use sdlbc::{FunctionKind, Module};

use choices::Choices;
use interface::Plan;

pub use laws::{hostile, hostile_of};
pub use limits::{Boundary, boundaries};
pub use mood::Mood;

/// A hostile module, with a bound on its running time.
#[derive(Clone, Debug)]
pub struct Hostile {
    /// The generated module, which is nearly always valid.
    pub module: Module,
    /// The maximum number of instructions that one run of an entry function executes, or `None` if a loop may not terminate.
    pub steps: Option<u64>,
}

/// Builds a hostile module from a seed.
pub fn hostile_from_seed(seed: u64, mood: Mood) -> Hostile {
    build(&mut Choices::of_seed(seed), mood)
}

/// Builds a hostile module whose choices the bytes determine.
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

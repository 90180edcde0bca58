//! The order of the passes, and what runs them.

use std::time::{Duration, Instant};

use sdlbc::{Module, Verified};

use crate::algebra::Algebra;
use crate::copy::Copies;
use crate::dce::DeadCode;
use crate::fold::Fold;
use crate::gvn::Numbering;
use crate::hoist::Hoist;
use crate::lanes::Lanes;
use crate::phi::Phis;
use crate::select::Selects;
use crate::{Analyses, Assume, Body};

/// Whether a pass changed the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// It did.
    Yes,
    /// It did not.
    No,
}

impl From<bool> for Changed {
    fn from(changed: bool) -> Changed {
        if changed { Changed::Yes } else { Changed::No }
    }
}

/// One step of optimisation.
pub trait Pass {
    /// Its name, for `--print-after` and `--time-passes`.
    fn name(&self) -> &'static str;
    /// Changes the body, which verifies before and after.
    fn run(&self, body: &mut Body, analyses: &mut Analyses) -> Changed;
}

/// How much is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing: the code as the front end gives it, for debugging.
    O0,
    /// Dead code, constants, copies and common subexpressions.
    O1,
    /// Everything.
    #[default]
    O2,
}

/// What is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How much.
    pub level: Level,
    /// What may be assumed about floats.
    pub assume: Assume,
}

/// The passes in their order: those that are run once before the others, those that are repeated until nothing changes, and those
/// that are run once after them.
pub fn passes(options: &Options) -> [Vec<Box<dyn Pass>>; 3] {
    fn list<const N: usize>(passes: [Box<dyn Pass>; N]) -> Vec<Box<dyn Pass>> {
        passes.into()
    }
    let algebra = || Box::new(Algebra { assume: options.assume });
    match options.level {
        Level::O0 => [list([]), list([]), list([])],
        Level::O1 => [
            list([Box::new(DeadCode)]),
            list([Box::new(Fold), Box::new(Copies), Box::new(Numbering), Box::new(DeadCode)]),
            list([]),
        ],
        Level::O2 => [
            list([Box::new(DeadCode)]),
            list([
                Box::new(Fold),
                algebra(),
                Box::new(Copies),
                Box::new(Numbering),
                Box::new(Phis),
                Box::new(DeadCode),
            ]),
            list([Box::new(Selects), Box::new(Lanes), Box::new(Hoist), Box::new(DeadCode)]),
        ],
    }
}

/// How often the passes are repeated at most, should rows of the table ever undo each other.
const ROUNDS: usize = 16;

/// Applies the passes to each function of a module. `after` is called after each pass with its name and the time that it took.
pub fn optimise(module: Verified, options: &Options, after: &mut dyn FnMut(&Ran<'_>, &Body)) -> Verified {
    if options.level == Level::O0 {
        return module;
    }
    let (mut module, types) = module.into_parts();
    let [first, repeated, last] = passes(options);
    let Module { functions, debug } = &mut module;
    for ((number, function), types) in functions.iter_mut().enumerate().zip(&types) {
        let is_own = |debug: &&mut sdlbc::FunctionDebug| usize::try_from(debug.function) == Ok(number);
        let mut debug = debug.functions.iter_mut().find(is_own);
        let mut body = Body::new(std::mem::take(function), types, debug.as_deref_mut());
        if let Some(lines) = debug.as_ref().and_then(|debug| debug.lines.as_ref()) {
            body = body.with_lines(lines.numbers.clone());
        }
        let mut analyses = Analyses::default();
        let mut run = |passes: &[Box<dyn Pass>], body: &mut Body| {
            let mut any = false;
            for pass in passes {
                let begun = Instant::now();
                let changed = pass.run(body, &mut analyses);
                if changed == Changed::Yes {
                    analyses.forget();
                }
                any |= changed == Changed::Yes;
                after(&Ran { pass: pass.name(), function: number, changed, took: begun.elapsed() }, body);
            }
            any
        };
        run(&first, &mut body);
        for _ in 0..ROUNDS {
            for _ in 0..ROUNDS {
                if !run(&repeated, &mut body) {
                    break;
                }
            }
            if !run(&last, &mut body) {
                break;
            }
        }
        *function = body.finish(debug);
    }
    module.debug.functions.retain(|debug| !debug.is_empty());
    Verified::new(module).unwrap_or_default()
}

/// A pass that was run.
#[derive(Clone, Copy, Debug)]
pub struct Ran<'a> {
    /// Its name.
    pub pass: &'a str,
    /// The index of the function.
    pub function: usize,
    /// Whether it changed the function.
    pub changed: Changed,
    /// How long it took.
    pub took: Duration,
}

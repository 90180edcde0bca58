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
    /// Whether all that it does is to remove instructions that nothing reads.
    fn only_removes(&self) -> bool {
        false
    }
    /// Whether a second run directly after one finds nothing.
    fn settles(&self) -> bool {
        false
    }
    /// Whether it may find more when instructions that nothing reads are removed.
    fn heeds_removals(&self) -> bool {
        true
    }
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
/// A pass is left out where nothing has changed since it last found nothing.
pub fn optimise(module: Verified, options: &Options, after: &mut dyn FnMut(&Ran<'_>, &Body)) -> Module {
    if options.level == Level::O0 {
        return module.into_module();
    }
    let (mut module, types) = module.into_parts();
    let lists = passes(options);
    let mut runs = Runs::default();
    let [first, repeated, last] = lists.each_ref().map(|list| runs.add(list));
    let mut analyses = Analyses::default();
    let Module { functions, debug } = &mut module;
    for ((number, function), types) in functions.iter_mut().enumerate().zip(&types) {
        let is_own = |debug: &&mut sdlbc::FunctionDebug| usize::try_from(debug.function) == Ok(number);
        let mut debug = debug.functions.iter_mut().find(is_own);
        let mut body = Body::new(std::mem::take(function), types, debug.as_deref_mut());
        if let Some(lines) = debug.as_mut().and_then(|debug| debug.lines.as_mut()) {
            body = body.with_lines(std::mem::take(&mut lines.numbers));
        }
        runs.begin();
        analyses.forget();
        let mut run = |list: &[Run<'_>], body: &mut Body| {
            runs.run(list, body, &mut analyses, &mut |pass, changed, took, body| {
                after(&Ran { pass, function: number, changed, took }, body);
            })
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
    module
}

/// A pass at one place of the order.
struct Run<'a> {
    pass: &'a dyn Pass,
    /// The index of the pass in [`Runs::settled`].
    index: usize,
}

/// What has been run on a body, and what has changed since.
#[derive(Default)]
struct Runs<'a> {
    /// The name of each pass, and how many changes of other passes there had been when it last found nothing that it had not done.
    settled: Vec<(&'a str, Option<Changes>)>,
    changes: Changes,
}

/// The number of runs that changed a body.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Changes {
    /// Those that only removed what nothing reads.
    removals: usize,
    others: usize,
}

impl<'a> Runs<'a> {
    fn add(&mut self, list: &'a [Box<dyn Pass>]) -> Vec<Run<'a>> {
        let mut run = |pass: &'a dyn Pass| {
            let name = pass.name();
            let index = self.settled.iter().position(|(other, _)| *other == name).unwrap_or(self.settled.len());
            if index == self.settled.len() {
                self.settled.push((name, None));
            }
            Run { pass, index }
        };
        list.iter().map(|pass| run(&**pass)).collect()
    }

    /// Begins with another body.
    fn begin(&mut self) {
        self.settled.iter_mut().for_each(|(_, settled)| *settled = None);
    }

    /// Runs the passes of a list; returns whether one changed the body.
    fn run(
        &mut self,
        list: &[Run<'_>],
        body: &mut Body,
        analyses: &mut Analyses,
        after: &mut dyn FnMut(&str, Changed, Duration, &Body),
    ) -> bool {
        let mut any = false;
        for &Run { pass, index } in list {
            let now = self.changes;
            let is_same =
                |then: &Changes| then.others == now.others && (then.removals == now.removals || !pass.heeds_removals());
            let Some((_, settled)) = self.settled.get_mut(index) else { continue };
            if settled.as_ref().is_some_and(is_same) {
                continue;
            }
            let begun = Instant::now();
            let changed = pass.run(body, analyses);
            let took = begun.elapsed();
            if changed == Changed::Yes {
                analyses.forget();
                any = true;
                *(if pass.only_removes() { &mut self.changes.removals } else { &mut self.changes.others }) += 1;
            }
            *settled = (changed == Changed::No || pass.settles()).then_some(self.changes);
            after(pass.name(), changed, took, body);
        }
        any
    }
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

//! The pass manager, and the order of the passes.

use sdlbc::{Function, FunctionDebug, Module, Types, Verified};

use crate::{Analyses, Assume, Body, Changed, algebra, copy, dce, fold, gvn, hoist, lanes, phi, select};

/// An optimisation pass, which changes one function at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Removes instructions whose results are unused.
    Dce,
    /// Folds operations on constants.
    Fold,
    /// Applies the rows of the rewrite table to single instructions.
    Algebra,
    /// Replaces reads of copies with reads of the original values.
    Copy,
    /// Eliminates common subexpressions.
    Gvn,
    /// Removes redundant PHIs.
    Phi,
    /// Replaces cheap conditionals with SELECTs.
    Select,
    /// Combines scalar operations into vector operations.
    Lanes,
    /// Hoists loop-invariant code out of LOOPs, and hoists code that both blocks of an IF contain.
    Hoist,
}

impl Pass {
    const COUNT: usize = Pass::Hoist as usize + 1;

    const fn definition(self) -> (&'static str, fn(&mut Body, &mut Analyses) -> Changed) {
        match self {
            Pass::Dce => ("dce", dce::run),
            Pass::Fold => ("fold", fold::run),
            Pass::Algebra => ("algebra", algebra::run),
            Pass::Copy => ("copy", copy::run),
            Pass::Gvn => ("gvn", gvn::run),
            Pass::Phi => ("phi", phi::run),
            Pass::Select => ("select", select::run),
            Pass::Lanes => ("lanes", lanes::run),
            Pass::Hoist => ("hoist", hoist::run),
        }
    }

    /// Returns the name of the pass, as `--print-after` and `--time-passes` use it.
    pub const fn name(self) -> &'static str {
        self.definition().0
    }

    /// Runs the pass on a body, which must be valid both before and after the pass.
    fn run(self, body: &mut Body, analyses: &mut Analyses) -> Changed {
        let (_, run) = self.definition();
        run(body, analyses)
    }

    const fn only_removes(self) -> bool {
        matches!(self, Pass::Dce)
    }

    /// Reports whether a second run of the pass, directly after the first, changes nothing.
    const fn is_idempotent(self) -> bool {
        matches!(self, Pass::Dce | Pass::Fold | Pass::Gvn)
    }

    /// Reports whether the pass counts uses or instructions; if so, removing unused instructions may enable further changes.
    const fn depends_on_removals(self) -> bool {
        matches!(self, Pass::Dce | Pass::Select | Pass::Lanes | Pass::Hoist)
    }
}

/// The optimisation level, which selects the passes that run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// No passes run, so that the front end's code can be debugged unchanged.
    O0,
    /// Dead-code elimination, constant folding, copy propagation and common-subexpression elimination.
    O1,
    /// All passes run.
    #[default]
    O2,
}

sdlbc::options! {
    /// The options for [`optimise`].
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Options {
        /// The optimisation level, which selects the passes that run.
        pub level: Level,
        /// The assumptions about floats that rewrites may make.
        pub assume: Assume,
    }
}

/// Returns a level's passes in order: passes that run once, passes that run repeatedly until none changes the body, and closing
/// passes. If a closing pass changes the body, the repeated and closing passes run again.
pub const fn passes(level: Level) -> [&'static [Pass]; 3] {
    use Pass::{Algebra, Copy, Dce, Fold, Gvn, Hoist, Lanes, Phi, Select};
    match level {
        Level::O0 => [&[], &[], &[]],
        Level::O1 => [&[Dce], &[Fold, Copy, Gvn, Dce], &[]],
        Level::O2 => [&[Dce], &[Fold, Algebra, Copy, Gvn, Phi, Dce], &[Select, Lanes, Hoist, Dce]],
    }
}

/// The maximum number of times that passes are repeated, in case two rows of the rewrite table undo each other.
const ROUNDS: usize = 16;

/// Applies the passes to each function of a module, and calls `after` after each pass. A pass is skipped if another run
/// cannot change anything, given the changes since the pass's last run.
pub fn optimise(module: Verified, options: &Options, after: &mut dyn FnMut(&Ran<'_>, &Body)) -> Verified {
    if options.level == Level::O0 {
        return module;
    }
    let mut analyses = Analyses::new(options.assume);
    module.rewritten(|module, types| {
        let Module { functions, debug } = module;
        for ((number, function), types) in functions.iter_mut().enumerate().zip(types) {
            let is_own = |debug: &&mut FunctionDebug| usize::try_from(debug.function) == Ok(number);
            let debug = debug.functions.iter_mut().find(is_own);
            of_function(function, types, debug, options.level, &mut analyses, &mut |pass, changed, body| {
                after(&Ran { pass: pass.name(), function: number, changed }, body);
            });
        }
        debug.functions.retain(|debug| !debug.is_empty());
    })
}

fn of_function(
    function: &mut Function,
    types: &mut Types,
    mut debug: Option<&mut FunctionDebug>,
    level: Level,
    analyses: &mut Analyses,
    after: &mut dyn FnMut(Pass, Changed, &Body),
) {
    let [first, repeated, last] = passes(level);
    let mut body = Body::new(std::mem::take(function), types, debug.as_deref_mut());
    analyses.forget();
    let mut runs = Runs::default();
    let mut run = |list: &[Pass], body: &mut Body| runs.run(list, body, analyses, after);
    run(first, &mut body);
    for _ in 0..ROUNDS {
        for _ in 0..ROUNDS {
            if !run(repeated, &mut body) {
                break;
            }
        }
        if !run(last, &mut body) {
            break;
        }
    }
    if body.remove_unused_locals() || runs.changes != Changes::default() || body.is_renumbered {
        *types = body.types_in_order();
    }
    *function = body.finish(debug);
}

#[derive(Default)]
struct Runs {
    /// For each pass, the value of `changes` after its last run, or `None` if another run might change the body.
    settled: [Option<Changes>; Pass::COUNT],
    changes: Changes,
}

/// The number of pass runs that changed the body: one count for passes that only remove instructions, and one for all other
/// passes.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Changes {
    removals: usize,
    others: usize,
}

impl Runs {
    fn run(
        &mut self,
        list: &[Pass],
        body: &mut Body,
        analyses: &mut Analyses,
        after: &mut dyn FnMut(Pass, Changed, &Body),
    ) -> bool {
        let mut any = false;
        for &pass in list {
            let Runs { settled, changes } = self;
            let Some(settled) = settled.get_mut(pass as usize) else { continue };
            let is_outdated = |then: &Changes| {
                then.others != changes.others || pass.depends_on_removals() && then.removals != changes.removals
            };
            if !settled.as_ref().is_none_or(is_outdated) {
                continue;
            }
            let changed = pass.run(body, analyses);
            if changed == Changed::Yes {
                analyses.forget();
                any = true;
                *(if pass.only_removes() { &mut changes.removals } else { &mut changes.others }) += 1;
            }
            *settled = (changed == Changed::No || pass.is_idempotent()).then_some(*changes);
            after(pass, changed, body);
        }
        any
    }
}

/// A completed run of a pass, as [`optimise`] reports it.
#[derive(Clone, Copy, Debug)]
pub struct Ran<'a> {
    /// The name of the pass, as [`Pass::name`] returns it.
    pub pass: &'a str,
    /// The index of the function in the module.
    pub function: usize,
    /// Whether the pass changed the function.
    pub changed: Changed,
}

#[cfg(test)]
mod tests {
    use super::*;
    use sdlbc::Op;

    fn optimised(code: &str) -> (Verified, Vec<String>) {
        let head =
            "fragment function \"main\" {\n  input %1 v0: float4 = varying 0\n  output 0 oc: float4 = colour 0\n";
        let module = sdlbc::parse(&format!("{head}{code}}}\n")).expect("a module");
        let mut ran = Vec::new();
        let module = Verified::new(module).expect("it verifies");
        let module = optimise(module, &Options::default(), &mut |pass, _| ran.push(pass.pass.to_string()));
        (module, ran)
    }

    #[test]
    fn a_pass_runs_once_where_there_is_nothing_to_do() {
        let (_, ran) = optimised("  %2 = negate %1\n  poke %2, 0\n");
        assert_eq!(ran, ["dce", "fold", "algebra", "copy", "gvn", "phi", "select", "lanes", "hoist"]);
    }

    #[test]
    fn what_only_dce_changes_concerns_few_passes() {
        let (_, ran) = optimised("  %2 = swizzle %1, xy\n  %3 = swizzle %2, yxyx\n  poke %3, 0\n");
        let runs = |name: &str| ran.iter().filter(|ran| *ran == name).count();
        // The first round propagates the copies, and the second round finds nothing to do.
        assert_eq!([runs("copy"), runs("dce"), runs("lanes")], [2, 2, 1]);
    }

    #[test]
    fn atomic_operations_are_neither_removed_nor_merged_nor_moved() {
        let text = r#"
compute function "main" {
  input %1 lane: uint = builtin localinvocationindex
  input %2 sums: uint[] = buffer 0 readwrite
  input %3 shared: uint[4] = shared
  workgroup 4 1 1
  %4 = literaluint 2
  %5 = lessthan %1, %4
  if %5 {
    %6 = atomicadd %2, _, %4, 0
  } else {
    %7 = atomicadd %2, _, %4, 0
  }
  %8 = phi %6, %7
  %9 = atomicadd %3, _, %4, 1
  %10 = atomicadd %3, _, %4, 1
  %11 = subtract %10, %9
  %12 = atomiccompareexchange %3, _, %4, %4, 0
  %13 = peek %3, 0
  %14 = atomicexchange %3, _, %11, 0
  %15 = peek %3, 0
  %16 = add %13, %15
  %17 = add %16, %8
  poke %17, %2, 1
}
"#;
        let module = Verified::new(sdlbc::parse(text).expect("a module")).expect("it verifies");
        let optimised = optimise(module, &Options::default(), &mut |_, _| {});
        let kept = |inst: &&sdlbc::Inst| inst.op.is_atomic() || matches!(inst.op, Op::If | Op::Peek | Op::Poke);
        let insts = optimised.functions[0].body.insts();
        let kept: Vec<&str> = insts.iter().filter(kept).map(|inst| inst.op.mnemonic()).collect();
        let [add, peek] = ["atomicadd", "peek"];
        assert_eq!(kept, ["if", add, add, add, add, "atomiccompareexchange", peek, "atomicexchange", peek, "poke"]);
    }

    #[test]
    fn the_name_of_the_last_value_goes_with_it() {
        let (module, _) = optimised("  %2 name = negate %1\n  poke %1, 0\n  %3 other = negate %2\n");
        assert_eq!(module.functions.len(), 1, "it verifies");
        assert_eq!(module.functions.first().map(|function| function.body.insts().len()), Some(1));
        assert!(module.debug.functions.is_empty());
    }
}

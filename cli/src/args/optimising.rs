//! The options of optimisation: the level, the assumptions about floats, and the information to print about passes.

use std::time::{Duration, Instant};

use agalc::Module;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sdlbc::Verified;
use sdlbc_passes::{Assume, Body, Changed, Level, Ran};

use super::layout::named;
use crate::report;

/// The options for optimising modules.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Optimisation")]
pub(crate) struct Optimising {
    /// The level of optimisation: 0 for none, 1 for dead code, constants, copies and common subexpressions, 2 for everything. The
    /// default is 2, or 0 if a module is written as a module
    #[arg(short = 'O', value_name = "LEVEL", value_parser = levels())]
    level: Option<Level>,
    /// Make the assumptions about floats that `--assume` names, or all assumptions if `--assume` is not given
    #[arg(long)]
    fast_math: bool,
    /// The assumptions about floats: finite, no-signed-zero, fuse (docs/internals/passes.md)
    #[arg(long, value_name = "WHAT", value_delimiter = ',', requires = "fast_math")]
    assume: Vec<Assume>,
    /// Print each function on standard error after this pass has changed the function; `all` names every pass
    #[arg(long, value_name = "PASS", value_parser = pass_names())]
    print_after: Vec<String>,
    /// Print the total time of each pass over all functions
    #[arg(long)]
    time_passes: bool,
}

fn levels() -> impl TypedValueParser<Value = Level> {
    named([(Level::O0, "0"), (Level::O1, "1"), (Level::O2, "2")].map(|(level, name)| (level, name.into())))
}

fn pass_names() -> PossibleValuesParser {
    let mut names: Vec<&str> = sdlbc_passes::passes(Level::O2).into_iter().flatten().map(|pass| pass.name()).collect();
    names.push("all");
    names.sort_unstable();
    names.dedup();
    names.into()
}

impl Optimising {
    pub(crate) fn options(&self) -> sdlbc_passes::Options {
        let assume = match self.fast_math && self.assume.is_empty() {
            true => Assume::ALL,
            false => self.assume.iter().fold(Assume::NOTHING, |all, one| all.and(*one)),
        };
        sdlbc_passes::Options::default().level(self.level.unwrap_or_default()).assume(assume)
    }

    pub(crate) fn is_given(&self) -> bool {
        self.level.is_some()
    }

    /// Optimises a module. Prints changed functions and the times of the passes if the options request them.
    pub(crate) fn apply(&self, module: Verified) -> Verified {
        let mut times: Vec<(String, Duration, usize)> = Vec::new();
        let mut begun = Instant::now();
        let mut after = |ran: &Ran<'_>, body: &Body| {
            let took = begun.elapsed();
            match times.iter_mut().find(|(name, ..)| name == ran.pass) {
                Some((_, all, runs)) => (*all, *runs) = (*all + took, *runs + 1),
                None => times.push((ran.pass.to_string(), took, 1)),
            }
            if ran.changed == Changed::Yes && self.print_after.iter().any(|name| name == ran.pass || name == "all") {
                let module = Module { functions: vec![body.function().clone()], ..Module::default() };
                report::text(format!("; function {} after {}\n{}", ran.function, ran.pass, sdlbc::print(&module)));
            }
            begun = Instant::now();
        };
        let module = sdlbc_passes::optimise(module, &self.options(), &mut after);
        if self.time_passes {
            for (name, took, runs) in times {
                report::text(format!("{name:<8} {runs:>4} runs {:>10.1} us", took.as_secs_f64() * 1e6));
            }
        }
        module
    }
}

//! Shortens an AGAL program, and preserves every bit of its results.
//!
//! Rule: a program is returned unchanged if no improvement is found, if the program has errors, or if `read.rs` cannot read it.
//! The result never has more tokens, temporaries or findings than the original program.

use std::collections::BTreeMap;

use agal_front::Program;
use agal_front::check::check;
use agal_front::{Compat, Finding, Kind, Rules};

use crate::code::{Code, Lane};
use crate::improve::{Style, improve};
use crate::place::{ORDERS, all_places};
use crate::read::read;
use crate::write::{temporaries, write};

/// The size of a program. Sizes are compared by tokens first, then by temporaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    /// The number of tokens in the program.
    pub tokens: usize,
    /// The number of temporaries that the program writes.
    pub temporaries: u32,
}

impl Size {
    /// Counts the tokens and the written temporaries of a program.
    pub fn of(program: &Program) -> Size {
        Size { tokens: program.tokens.len(), temporaries: temporaries(program) }
    }
}

/// The maximum number of tokens in a program that [`optimise`] shortens: four times the limit of the latest AGAL version. Longer
/// programs are left unchanged, because memory and time grow faster than the number of tokens.
pub const LONGEST: usize = 8192;

/// Returns the smallest program found that has the same results. The result is an unchanged copy if no smaller program is found
/// or if the program has more than [`LONGEST`] tokens.
///
/// ```
/// use agal_back::optimise;
/// use agal_front::assemble::assemble;
/// use agal_front::disassemble::disassemble;
///
/// let text = "mov ft0, v0\ntex ft1, ft0, fs0 <2d,linear>\nmul ft1, ft1, fc0\nmov oc, ft1";
/// let program = assemble(text, &Default::default()).expect("a program").program;
/// let shorter = optimise(&program);
/// assert_eq!(shorter.tokens.len(), 2);
/// assert_eq!(disassemble(&shorter).lines().last(), Some("mul oc,  ft0,   fc0"));
/// ```
pub fn optimise(program: &Program) -> Program {
    shorter(program).unwrap_or_else(|| program.clone())
}

fn shorter(program: &Program) -> Option<Program> {
    if program.tokens.len() > LONGEST {
        return None;
    }
    let rules = Rules::default().lints(true);
    let player = rules.clone().compat(Compat::Player);
    let before = findings(program, &rules)?;
    let errors = |of: &Program| check(&[of], &player).concat().iter().filter(|finding| finding.is_error()).count();
    let errors_before = errors(program);
    let size = Size::of(program);
    let code = read(program)?;
    let mut best: Option<(Size, Program)> = None;
    // A product with computed rows may violate the player's rule that all components of the rows must be written.
    let mut has_rows = false;
    for (rows, backward) in [(true, false), (true, true), (false, false), (false, true)] {
        if !rows && !has_rows {
            break;
        }
        let code = improve(code.clone(), size.temporaries, Style { rows, backward });
        let clean = |result: &Program| {
            let found = findings(result, &rules);
            found.is_some_and(|found| is_subset(&found, &before)) && errors(result) <= errors_before
        };
        let results =
            all_places(&code, size.temporaries, &ORDERS).into_iter().filter_map(|places| write(&code, &places));
        if let Some(result) = results.map(|of| Program { trailing: program.trailing.clone(), ..of }).find(clean) {
            let of_result = Size::of(&result);
            let is_better = of_result < best.as_ref().map_or(size, |(best, _)| *best);
            if is_better && of_result.temporaries <= size.temporaries {
                best = Some((of_result, result));
            }
        }
        has_rows |= has_computed_rows(&code);
    }
    best.map(|(_, program)| program)
}

fn has_computed_rows(code: &Code) -> bool {
    code.insts
        .iter()
        .any(|inst| inst.row_width() > 0 && inst.sources[1].iter().any(|lane| matches!(lane, Lane::Web(_))))
}

/// Counts the findings of a program by error number. Returns `None` for a program that has errors or uses a sampler with several
/// states.
fn findings(program: &Program, rules: &Rules) -> Option<BTreeMap<u16, usize>> {
    let found = check(&[program], rules).concat();
    let unclear = |finding: &Finding| {
        finding.is_error() || matches!(finding.kind, Kind::SamplerDiffers { .. } | Kind::DimensionDiffers { .. })
    };
    if found.iter().any(unclear) {
        return None;
    }
    let mut count = BTreeMap::new();
    found.iter().for_each(|finding| *count.entry(finding.code()).or_default() += 1);
    Some(count)
}

fn is_subset(some: &BTreeMap<u16, usize>, all: &BTreeMap<u16, usize>) -> bool {
    some.iter().all(|(code, count)| all.get(code).is_some_and(|most| most >= count))
}

//! Makes an AGAL program shorter: fewer tokens and the same results, bit by bit.
//!
//! Rule: a program that cannot be improved, or that is unusual in any way, is returned unchanged. So the result never has more
//! tokens, more temporaries or other findings than the program itself.

use std::collections::BTreeMap;

use agal_front::Program;
use agal_front::check::check;
use agal_front::{Compat, Finding, Kind, Rules};

use crate::code::{Code, Lane};
use crate::improve::{Style, improve};
use crate::place::{ORDERS, all_places};
use crate::read::read;
use crate::write::{temporaries, write};

/// The size of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    /// The number of tokens.
    pub tokens: usize,
    /// The number of temporaries that it writes.
    pub temporaries: u32,
}

impl Size {
    /// The size of a program.
    pub fn of(program: &Program) -> Size {
        Size { tokens: program.tokens.len(), temporaries: temporaries(program) }
    }
}

/// The greatest number of tokens in a program that is made shorter: four times the limit of the latest version of AGAL. Memory
/// and time grow faster than the program.
pub const LONGEST: usize = 8192;

/// A program with the same results and the fewest tokens found; an unchanged copy if no token can be saved, or if the program
/// has more than [`LONGEST`] tokens.
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
    // A product with computed rows may violate the player's requirement that all components of the rows are written.
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

/// The number of findings with each number in a program without errors; `None` for a program that has errors or uses a sampler with
/// several states.
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

//! Which webs are needed at the same time, and which are not needed at all.
//!
//! Conditionals are balanced, so one walk from the end to the start is enough; a branch starts with what is needed after the
//! conditional.

use agal_front::opcode::{Meaning, Opcode};

use crate::code::{Code, Inst, Lane, Part, Target, Web};

/// A set of webs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Webs(Vec<u64>);

impl Webs {
    pub(crate) fn none(webs: u32) -> Webs {
        Webs(vec![0; (webs as usize).div_ceil(64)])
    }

    pub(crate) fn has(&self, web: Web) -> bool {
        self.0.get((web / 64) as usize).is_some_and(|word| word >> (web % 64) & 1 != 0)
    }

    pub(crate) fn insert(&mut self, web: Web) {
        if let Some(word) = self.0.get_mut((web / 64) as usize) {
            *word |= 1 << (web % 64);
        }
    }

    pub(crate) fn remove(&mut self, web: Web) {
        if let Some(word) = self.0.get_mut((web / 64) as usize) {
            *word &= !(1 << (web % 64));
        }
    }

    pub(crate) fn unite(&mut self, other: &Webs) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    /// Whether the sets have a web in common.
    pub(crate) fn meets(&self, other: &Webs) -> bool {
        self.0.iter().zip(&other.0).any(|(word, other)| word & other != 0)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Web> {
        self.0.iter().zip((0u32..).step_by(64)).flat_map(|(&word, first)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(first + bit)
            })
        })
    }
}

/// Calls `visit` with each instruction's place and the webs that are needed after it, from the last to the first. What it returns
/// says whether the instruction's operands are needed.
fn backward(code: &Code, mut visit: impl FnMut(usize, &Webs) -> bool) {
    let mut live = Webs::none(code.webs);
    let mut open: Vec<(Webs, Option<Webs>)> = Vec::new();
    for (at, inst) in code.insts.iter().enumerate().rev() {
        match inst.meaning() {
            Meaning::EndIf => {
                open.push((live.clone(), None));
                continue;
            }
            Meaning::Else => {
                if let Some((after, other)) = open.last_mut() {
                    *other = Some(std::mem::replace(&mut live, after.clone()));
                }
                continue;
            }
            Meaning::If(_) => {
                if let Some((after, other)) = open.pop() {
                    live.unite(&other.unwrap_or(after));
                }
                visit(at, &live);
            }
            _ => {
                let needed = visit(at, &live);
                inst.written().for_each(|web| live.remove(web));
                if !needed {
                    continue;
                }
            }
        }
        inst.read().for_each(|web| live.insert(web));
    }
}

/// For each web, those that are needed while it is.
pub(crate) fn conflicts(code: &Code) -> Vec<Webs> {
    let mut all = vec![Webs::none(code.webs); code.webs as usize];
    backward(code, |at, live| {
        let Some(inst) = code.insts.get(at) else { return true };
        for web in inst.written() {
            if let Some(set) = all.get_mut(web as usize) {
                set.unite(live);
                inst.written().for_each(|other| set.insert(other));
            }
        }
        true
    });
    // What conflicts does so in both directions.
    for web in 0..code.webs {
        let others: Vec<Web> = all.get(web as usize).map(|set| set.iter().collect()).unwrap_or_default();
        for other in others {
            if let Some(set) = all.get_mut(other as usize) {
                set.insert(web);
            }
        }
        if let Some(set) = all.get_mut(web as usize) {
            set.remove(web);
        }
    }
    all
}

/// Whether two webs are needed at the same time with different values, where the `mov` at a place copies one to the other.
pub(crate) fn conflict_besides(code: &Code, at: usize, web: Web, source: Web) -> bool {
    let mut found = false;
    backward(code, |place, live| {
        let Some(inst) = code.insts.get(place) else { return true };
        let writes = |web: Web| inst.written().any(|written| written == web);
        let (first, second) = (writes(web), writes(source));
        found |= first && second || first && live.has(source) && place != at || second && live.has(web);
        true
    });
    found
}

/// Removes results that nothing reads, and instructions without any. A conditional without instructions goes too, but not a
/// branch of it: returns whether every branch that is left has instructions.
pub(crate) fn remove_unused(code: &mut Code) -> bool {
    let mut needed: Vec<Vec<bool>> = vec![Vec::new(); code.insts.len()];
    backward(code, |at, live| {
        let Some(inst) = code.insts.get(at) else { return true };
        let flags: Vec<bool> = match inst.target {
            Target::Webs => inst.parts.iter().map(|part| live.has(part.web)).collect(),
            _ => return true,
        };
        let some = flags.contains(&true);
        if let Some(place) = needed.get_mut(at) {
            *place = flags;
        }
        some
    });
    let mut at = 0;
    code.insts.retain_mut(|inst| {
        let mut flags = needed.get(at).cloned().unwrap_or_default();
        at += 1;
        if inst.target != Target::Webs {
            return true;
        }
        if inst.op == Opcode::Mov {
            // A copy of a web to itself.
            let lanes = inst.sources[0].iter();
            let same = |(part, lane): (&Part, &Lane)| *lane == Lane::Web(part.web);
            flags.iter_mut().zip(inst.parts.iter().zip(lanes)).for_each(|(flag, both)| *flag &= !same(both));
        }
        let kept: Vec<Web> =
            inst.parts.iter().zip(&flags).filter(|(_, keep)| **keep).map(|(part, _)| part.web).collect();
        inst.keep_parts(|part| kept.contains(&part.web));
        !inst.parts.is_empty()
    });
    remove_empty_conditionals(code);
    swap_empty_branches(code);
    branches_have_instructions(code)
}

fn remove_empty_conditionals(code: &mut Code) {
    loop {
        let empty = code.insts.windows(2).position(|pair| match pair {
            [first, second] => first.is_if() && second.meaning() == Meaning::EndIf,
            _ => false,
        });
        let empty_both = code.insts.windows(3).position(|three| match three {
            [first, second, third] => {
                first.is_if() && second.meaning() == Meaning::Else && third.meaning() == Meaning::EndIf
            }
            _ => false,
        });
        let empty_else = code.insts.windows(2).position(|pair| match pair {
            [first, second] => first.meaning() == Meaning::Else && second.meaning() == Meaning::EndIf,
            _ => false,
        });
        match (empty, empty_both, empty_else) {
            (Some(at), ..) => drop(code.insts.drain(at..at + 2)),
            (_, Some(at), _) => drop(code.insts.drain(at..at + 3)),
            (.., Some(at)) => drop(code.insts.remove(at)),
            _ => return,
        }
    }
}

/// Where only the second branch of a comparison for equality has instructions, makes it the first of the opposite comparison.
fn swap_empty_branches(code: &mut Code) {
    let is_empty = |pair: &[Inst]| match pair {
        [first, second] => matches!(first.op, Opcode::Ife | Opcode::Ine) && second.op == Opcode::Els,
        _ => false,
    };
    while let Some(at) = code.insts.windows(2).position(is_empty) {
        code.insts.remove(at + 1);
        if let Some(inst) = code.insts.get_mut(at) {
            inst.op = if inst.op == Opcode::Ife { Opcode::Ine } else { Opcode::Ife };
        }
    }
}

fn branches_have_instructions(code: &Code) -> bool {
    !code.insts.windows(2).any(|pair| match pair {
        [first, second] => {
            (first.is_if() || first.meaning() == Meaning::Else)
                && matches!(second.meaning(), Meaning::Else | Meaning::EndIf)
        }
        _ => false,
    })
}

/// For each web, the lanes that its only writer copies to it, if that is a `mov`.
pub(crate) fn copied(code: &Code, at: usize) -> Vec<(Web, Lane)> {
    let inst = code.insts.get(at).filter(|inst| inst.meaning() == Meaning::Move && inst.target == Target::Webs);
    inst.map(|inst| inst.parts.iter().map(|part| part.web).zip(inst.sources[0].iter().copied()).collect())
        .unwrap_or_default()
}

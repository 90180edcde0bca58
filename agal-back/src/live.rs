//! Computes which webs are needed at the same time and which webs are never needed.
//!
//! Because conditionals are balanced, a single backward walk over the code is enough. At the end of each branch, the webs needed
//! after the conditional are live.

use std::rc::Rc;

use agal_front::opcode::{Meaning, Opcode};

use crate::code::{Code, Inst, Lane, Target, Web};

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

    pub(crate) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
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

/// Calls `visit` for each instruction, from the last to the first, with the instruction's index and the webs needed after the
/// instruction. `visit` returns whether the instruction's operands are needed.
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

/// The instructions at which each web occupies its component: the writers of the web, and the instructions after which the web is
/// still needed.
///
/// Two webs that have no instruction in common can share a component.
#[derive(Clone, Debug)]
pub(crate) struct Spans {
    /// The number of words in each web's bit set, which has one bit for each instruction.
    width: usize,
    words: Vec<u64>,
    /// The range of possibly nonzero words in each web's bit set.
    ends: Vec<(u32, u32)>,
}

impl Spans {
    pub(crate) fn of(code: &Code) -> Spans {
        let width = code.insts.len().div_ceil(64).max(1);
        let webs = code.webs as usize;
        let mut spans = Spans { width, words: vec![0; webs * width], ends: vec![(u32::MAX, 0); webs] };
        backward(code, |at, live| {
            live.iter().for_each(|web| spans.set(web, at));
            if let Some(inst) = code.insts.get(at) {
                inst.written().for_each(|web| spans.set(web, at));
            }
            true
        });
        spans
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    fn set(&mut self, web: Web, at: usize) {
        let word = at / 64;
        if let Some(held) = self.words.get_mut(web as usize * self.width + word) {
            *held |= 1 << (at % 64);
        }
        if let (Some((first, last)), Ok(word)) = (self.ends.get_mut(web as usize), u32::try_from(word)) {
            (*first, *last) = ((*first).min(word), (*last).max(word + 1));
        }
    }

    /// Returns the possibly nonzero words of a web's bit set, with the index of the first of these words.
    pub(crate) fn of_web(&self, web: Web) -> (usize, &[u64]) {
        let (first, last) = self.ends.get(web as usize).copied().unwrap_or_default();
        let start = web as usize * self.width;
        let words = self.words.get(start + first as usize..start + last as usize).unwrap_or_default();
        (first as usize, words)
    }
}

/// Returns, for each web, the webs that are live at the same time.
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

/// Reports whether two webs are live at the same time with different values. The `mov` at index `at` copies `source` to `web`,
/// and does not count as a conflict.
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

/// Removes unused results, instructions without results, empty conditionals and empty `els` branches. Returns false if the first
/// branch of an `ifl` or `ifg` is empty, because such a branch cannot be removed.
pub(crate) fn remove_unused(code: &mut Code) -> bool {
    // A bit set of the unused results of each instruction.
    let mut unused: Vec<u32> = vec![0; code.insts.len()];
    backward(code, |at, live| {
        let Some(inst) = code.insts.get(at) else { return true };
        if inst.target != Target::Webs {
            return true;
        }
        let bits = inst.parts.iter().zip(0..32).filter(|(part, _)| !live.has(part.web)).map(|(_, bit)| 1 << bit).sum();
        if let Some(place) = unused.get_mut(at) {
            *place = bits;
        }
        usize::try_from(bits.count_ones()) != Ok(inst.parts.len())
    });
    let mut at = 0;
    code.insts.retain_mut(|inst| {
        let mut unused = unused.get(at).copied().unwrap_or(0);
        at += 1;
        if inst.target != Target::Webs {
            return true;
        }
        if inst.op == Opcode::Mov {
            for ((part, lane), bit) in inst.parts.iter().zip(&inst.sources[0]).zip(0..32) {
                unused |= u32::from(*lane == Lane::Web(part.web)) << bit;
            }
        }
        if unused != 0 {
            let used = inst.parts.iter().zip(0..32).filter(|(_, bit)| unused >> bit & 1 == 0);
            let kept: Vec<Web> = used.map(|(part, _)| part.web).collect();
            Rc::make_mut(inst).keep_parts(|part| kept.contains(&part.web));
        }
        !inst.parts.is_empty()
    });
    remove_empty_conditionals(code);
    swap_empty_branches(code);
    let is_empty = |first: &Inst, second: &Inst| {
        (first.is_if() || first.meaning() == Meaning::Else)
            && matches!(second.meaning(), Meaning::Else | Meaning::EndIf)
    };
    code.pair(is_empty).is_none()
}

fn remove_empty_conditionals(code: &mut Code) {
    loop {
        let is_end = |inst: &Inst| inst.meaning() == Meaning::EndIf;
        if let Some(at) = code.pair(|first, second| first.is_if() && is_end(second)) {
            code.insts.drain(at..at + 2);
        } else if let Some(at) = code.pair(|first, second| first.meaning() == Meaning::Else && is_end(second)) {
            code.insts.remove(at);
        } else {
            return;
        }
    }
}

/// Inverts the equality comparison of each conditional whose first branch is empty, so that the second branch becomes the first.
fn swap_empty_branches(code: &mut Code) {
    let is_empty =
        |first: &Inst, second: &Inst| matches!(first.op, Opcode::Ife | Opcode::Ine) && second.op == Opcode::Els;
    while let Some(at) = code.pair(is_empty) {
        code.insts.remove(at + 1);
        if let Some(inst) = code.insts.get_mut(at) {
            Rc::make_mut(inst).op = if inst.op == Opcode::Ife { Opcode::Ine } else { Opcode::Ife };
        }
    }
}

/// Returns each web that the `mov` at index `at` writes, with the lane copied to the web. The list is empty if the instruction is
/// not a `mov`.
pub(crate) fn copied(code: &Code, at: usize) -> Vec<(Web, Lane)> {
    let inst = code.insts.get(at).filter(|inst| inst.meaning() == Meaning::Move && inst.target == Target::Webs);
    inst.map(|inst| inst.parts.iter().map(|part| part.web).zip(inst.sources[0].iter().copied()).collect())
        .unwrap_or_default()
}

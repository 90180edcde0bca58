//! Orders instructions so that fewer values are live at the same time.
//!
//! In each block, the scheduler picks the ready instruction that leaves the fewest values live. The method is the list scheduler
//! of Goodman and Hsu, "Code scheduling and register allocation in large basic blocks" (1988).

use std::rc::Rc;

use crate::code::{Code, Inst};
use crate::merge::needs;
use crate::place::needed;

/// Reorders the code if the new order needs fewer registers.
pub(crate) fn relieve(code: Code) -> Code {
    let mut ordered = code.clone();
    let mut start = 0;
    while start < ordered.insts.len() {
        let rest = ordered.insts.iter().skip(start);
        let length = rest.take_while(|inst| !inst.is_control()).count();
        if length > 2
            && let Some(block) = ordered.insts.get(start..start + length)
        {
            let block = order(&ordered, block);
            ordered.insts.splice(start..start + length, block);
        }
        start += length + 1;
    }
    // With some instruction orders, the webs cannot be placed in any number of registers.
    let count = |code: &Code| needed(code).unwrap_or(u32::MAX);
    if count(&ordered) < count(&code) { ordered } else { code }
}

fn order(code: &Code, block: &[Rc<Inst>]) -> Vec<Rc<Inst>> {
    let mut readers = code.readers();
    let before = needs(block);
    let mut done = vec![false; block.len()];
    let mut ordered = Vec::new();
    while ordered.len() < block.len() {
        let ready = block.iter().enumerate().filter(|(at, _)| {
            done.get(*at) == Some(&false)
                && before.get(*at).is_some_and(|all| all.iter().all(|&needed| done.get(needed) == Some(&true)))
        });
        // The growth is the number of webs that become live, minus the number of webs that are read for the last time.
        let growth = |inst: &Inst| {
            let mut ended: Vec<u32> = inst.read().collect();
            ended.sort_unstable();
            let last = ended
                .chunk_by(|a, b| a == b)
                .filter(|same| same.first().is_some_and(|web| usize::try_from(readers.get(*web)) == Ok(same.len())));
            let ends = i64::try_from(last.count()).unwrap_or(0);
            i64::try_from(inst.written().count()).unwrap_or(0) - ends
        };
        let Some((at, inst)) = ready.min_by_key(|(at, inst)| (growth(inst), *at)) else { break };
        for web in inst.read() {
            readers.set(web, readers.get(web).saturating_sub(1));
        }
        if let Some(flag) = done.get_mut(at) {
            *flag = true;
        }
        ordered.push(inst.clone());
    }
    ordered
}

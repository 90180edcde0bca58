//! A debug table with odd names and odd line numbers.

use sdlbc::{Block, FunctionDebug, Id, Lines, Module, Source, Unit};

use super::choices::Choices;
use super::interface::Plan;

/// Gives a module a debug table, or none.
pub(super) fn add(choices: &mut Choices<'_>, plan: &Plan, module: &mut Module) {
    if choices.once_in(3) {
        return;
    }
    for _ in 0..choices.below(4) {
        let text =
            if choices.once_in(2) { plan.names.any(choices) } else { "mov op, va0\r\n\u{feff}\u{0085}\n".repeat(3) };
        module.debug.sources.push(Source { file: plan.names.any(choices), text, unit: choices.one(&Unit::ALL) });
    }
    for (at, function) in module.functions.iter().enumerate() {
        let count = instructions(&function.body);
        let mut debug = FunctionDebug { function: u32::try_from(at).unwrap_or(0), ..FunctionDebug::default() };
        if choices.once_in(2) {
            debug.name = plan.names.any(choices);
        }
        let mut ids: Vec<Id> = function.inputs.iter().map(|input| input.id).collect();
        results(&function.body, &mut ids);
        for &id in &ids {
            if choices.once_in(3) {
                debug.ids.insert(id, plan.names.any(choices));
            }
        }
        if !module.debug.sources.is_empty() && choices.once_in(2) {
            let source = u32::try_from(choices.below(module.debug.sources.len())).unwrap_or(0);
            let length = if choices.once_in(2) { count } else { choices.below(count + 1) };
            let numbers = (0..length).map(|_| choices.one(&[0, 1, 2, u32::MAX, 0x8000_0000, 65536])).collect();
            debug.lines = Some(Lines { source, numbers });
        }
        if !debug.name.is_empty() || !debug.ids.is_empty() || debug.lines.is_some() {
            module.debug.functions.push(debug);
        }
    }
}

fn instructions(block: &Block) -> usize {
    block.iter().map(|inst| 1 + inst.blocks.iter().map(instructions).sum::<usize>()).sum()
}

fn results(block: &Block, ids: &mut Vec<Id>) {
    for inst in block {
        ids.extend(Some(inst.output).filter(|id| id.is_some()));
        inst.blocks.iter().for_each(|block| results(block, ids));
    }
}

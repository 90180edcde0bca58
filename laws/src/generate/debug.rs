//! Debug tables: names, lines and sources for finished functions.

use std::collections::BTreeMap;

use sdlbc::{Block, Debug, Function, FunctionDebug, Id, Lines, Source, Unit};

use super::dice::Dice;
use super::{Features, names};

/// Builds a debug table for these functions; half of the modules have none.
pub(super) fn table(dice: &mut Dice<'_, '_>, features: &Features, functions: &[Function]) -> Debug {
    if !dice.one_in(2) {
        return Debug::default();
    }
    let sources: Vec<Source> = (0..dice.below(3)).map(|_| source(dice, features)).collect();
    let mut debug = Debug { program: None, sources, functions: Vec::new() };
    for (index, function) in (0..).zip(functions) {
        let name = if function.name.is_empty() { names::any(dice, features.odd_names) } else { String::new() };
        let ids = ids(dice, features, function);
        let lines = if debug.sources.is_empty() || dice.one_in(3) {
            None
        } else {
            Some(lines(dice, debug.sources.len(), count(&function.body)))
        };
        let about = FunctionDebug { function: index, name, ids, lines, ..FunctionDebug::default() };
        if about != (FunctionDebug { function: index, ..FunctionDebug::default() }) {
            debug.functions.push(about);
        }
    }
    debug
}

fn source(dice: &mut Dice<'_, '_>, features: &Features) -> Source {
    let line = ["", "mov oc, v0 // colour", "\tadd ft0, ft0, fc0\r", "\"quoted\\\"", "é\u{1f980}", "};", "\u{1}"];
    let lines: Vec<&str> = (0..dice.below(6)).map(|_| dice.pick(&line)).collect();
    Source { file: names::any(dice, features.odd_names), text: lines.join("\n"), unit: dice.pick(&Unit::ALL) }
}

fn ids(dice: &mut Dice<'_, '_>, features: &Features, function: &Function) -> BTreeMap<Id, String> {
    if dice.one_in(3) {
        return BTreeMap::new();
    }
    let mut ids: Vec<Id> = function.inputs.iter().map(|input| input.id).collect();
    results(&function.body, &mut ids);
    ids.retain(|_| dice.one_in(4));
    ids.into_iter().map(|id| (id, names::any(dice, features.odd_names))).collect()
}

/// Adds the ids of the results in a block and in the blocks nested in it.
fn results(block: &Block, ids: &mut Vec<Id>) {
    for inst in block {
        ids.extend(Some(inst.output).filter(|id| id.is_some()));
        inst.blocks.iter().for_each(|block| results(block, ids));
    }
}

/// The number of instructions in a block and in the blocks nested in it.
fn count(block: &Block) -> usize {
    block.iter().map(|inst| 1 + inst.blocks.iter().map(count).sum::<usize>()).sum()
}

/// Line numbers for all instructions or only for the first ones. Some are 0, which means no line.
fn lines(dice: &mut Dice<'_, '_>, sources: usize, instructions: usize) -> Lines {
    let count = if dice.one_in(3) { dice.below(instructions + 1) } else { instructions };
    let mut line = 1;
    let numbers = (0..count).map(|_| match dice.below(8) {
        0 => 0,
        1 => dice.word(),
        2..=4 => {
            line += 1;
            line
        }
        _ => line,
    });
    let numbers = numbers.collect();
    Lines { source: u32::try_from(dice.below(sources)).unwrap_or(0), numbers }
}

//! Debug tables: names, members, lines and sources for finished functions.

use std::collections::{BTreeMap, HashSet};

use sdlbc::{
    Debug, Function, FunctionDebug, Id, InputKind, Lines, Member, Scalar, Source, SourceBinding, Type, Unit, ValueNames,
};

use super::dice::Dice;
use super::features::Features;
use super::names;

/// Builds a debug table for the functions, which is empty for half of the modules.
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
            Some(lines(dice, debug.sources.len(), function.body.insts().len()))
        };
        let members = members(dice, features, function);
        let bindings = bindings(dice, function);
        let about = FunctionDebug { function: index, name, ids, members, bindings, lines };
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

fn ids(dice: &mut Dice<'_, '_>, features: &Features, function: &Function) -> ValueNames {
    if dice.one_in(3) {
        return ValueNames::default();
    }
    let mut ids: Vec<Id> = function.inputs.iter().map(|input| input.id).collect();
    ids.extend(function.body.insts().iter().map(|inst| inst.output).filter(|id| id.is_some()));
    ids.retain(|_| dice.one_in(4));
    ids.into_iter().map(|id| (id, names::any(dice, features.odd_names))).collect()
}

/// Returns places in a source for some of the function's resources.
fn bindings(dice: &mut Dice<'_, '_>, function: &Function) -> BTreeMap<Id, SourceBinding> {
    let mut bindings = BTreeMap::new();
    if !dice.one_in(3) {
        return bindings;
    }
    for input in &function.inputs {
        let place = [dice.small(4).into(), dice.small(100).into()];
        let binding = match input.kind {
            kind if kind.is_uniform() && dice.one_in(4) => SourceBinding::Push,
            InputKind::Texture { .. } if dice.one_in(2) => {
                SourceBinding::Bound { place, sampler: Some([dice.small(4).into(), dice.small(100).into()]) }
            }
            InputKind::Uniform
            | InputKind::Placed { .. }
            | InputKind::Texture { .. }
            | InputKind::Buffer { .. }
            | InputKind::Image { .. } => SourceBinding::Bound { place, sampler: None },
            _ => continue,
        };
        bindings.insert(input.id, binding);
    }
    bindings
}

/// Returns members for half of the function's float4 arrays.
fn members(dice: &mut Dice<'_, '_>, features: &Features, function: &Function) -> BTreeMap<Id, Vec<Member>> {
    let mut members = BTreeMap::new();
    for input in function.inputs.iter().filter(|input| input.kind == InputKind::Uniform) {
        if let Type::Array(Scalar::Float, 4, length) = input.ty
            && dice.one_in(2)
        {
            members.insert(input.id, members_of(dice, features, length));
        }
    }
    members.retain(|_, members| !members.is_empty());
    members
}

/// Returns one to five members of an array in ascending order, some with gaps between them.
fn members_of(dice: &mut Dice<'_, '_>, features: &Features, length: u32) -> Vec<Member> {
    let (mut members, mut taken, mut next) = (Vec::new(), HashSet::new(), 0u32);
    for _ in 0..1 + dice.below(5) {
        let gap = dice.pick(&[0, 0, 1, 4]);
        let element = (next + gap).div_ceil(4);
        let left = length.saturating_sub(element);
        let columns = 2 + dice.small(3);
        let (start, ty) = match dice.below(7) {
            0 | 1 => (next + gap, Type::FLOAT),
            2 => ((next + gap).next_multiple_of(2), Type::floats(2)),
            3 => (4 * element, Type::floats(3)),
            4 => (4 * element, Type::FLOAT4),
            5 => (4 * element, Type::Matrix { columns, rows: 2 + dice.small(3) }),
            _ => (4 * element, Type::Array(Scalar::Float, 4, 1 + left / 2)),
        };
        let components = match ty {
            Type::Vector(_, width) => u32::from(width),
            Type::Matrix { columns, .. } => 4 * u32::from(columns),
            Type::Array(_, _, length) => 4 * length,
            Type::Texture(..) | Type::Buffer(..) | Type::Image(..) => 0,
        };
        next = start + components;
        if next > 4 * length {
            break;
        }
        let name = names::free_word(dice, features.odd_names, &mut taken);
        members.push(Member { name, first: start / 4, component: start % 4, ty });
    }
    members
}

/// Returns line numbers for all instructions, or only for the first instructions. Line number 0 means that the line is unknown.
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

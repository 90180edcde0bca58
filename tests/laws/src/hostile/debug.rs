//! Debug tables with odd names, odd line numbers, and members at every position of an array.

use std::collections::BTreeSet;

use sdlbc::{FunctionDebug, Id, InputKind, Lines, Member, Module, Scalar, Source, Type, Unit};

use super::choices::Choices;
use super::interface::Plan;

/// Adds a debug table to two thirds of the modules.
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
        let count = function.body.insts().len();
        let mut debug = FunctionDebug { function: u32::try_from(at).unwrap_or(0), ..FunctionDebug::default() };
        if choices.once_in(2) {
            debug.name = plan.names.any(choices);
        }
        let mut ids: Vec<Id> = function.inputs.iter().map(|input| input.id).collect();
        ids.extend(function.body.insts().iter().map(|inst| inst.output).filter(|id| id.is_some()));
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
        for input in function.inputs.iter().filter(|input| input.kind == InputKind::Uniform) {
            if let Type::Array(Scalar::Float, 4, length) = input.ty
                && choices.once_in(2)
            {
                debug.members.insert(input.id, members(choices, plan, length));
            }
        }
        if !debug.name.is_empty() || !debug.ids.is_empty() || !debug.members.is_empty() || debug.lines.is_some() {
            module.debug.functions.push(debug);
        }
    }
}

/// Returns members of an array, in one of six random arrangements.
fn members(choices: &mut Choices<'_>, plan: &Plan, length: u32) -> Vec<Member> {
    let mut taken = BTreeSet::new();
    let mut member = |choices: &mut Choices<'_>, first, component, ty| {
        let mut name = plan.names.fresh(choices, &mut taken);
        for number in 0.. {
            if !name.is_empty() {
                break;
            }
            name = format!("vc{number}");
            if !taken.insert(name.clone()) {
                name.clear();
            }
        }
        Member { name, first, component, ty }
    };
    let array = |length| Type::Array(Scalar::Float, 4, length);
    match choices.below(6) {
        0 => vec![member(choices, 0, 0, array(length))],
        1 => vec![member(choices, length - 1, 3, Type::FLOAT)],
        2 => vec![member(choices, length - 1, 0, array(1))],
        // Each component has its own member.
        3 => {
            let place = |at: u32| (at / 4, at % 4);
            let places = (0..length.min(8) * 4).map(place);
            places.map(|(first, component)| member(choices, first, component, Type::FLOAT)).collect()
        }
        // The members are two float2 in one register, and a float3 and a float in the next register.
        4 => {
            let mut members = vec![member(choices, 0, 0, Type::floats(2)), member(choices, 0, 2, Type::floats(2))];
            if length > 1 {
                members.push(member(choices, 1, 0, Type::floats(3)));
                members.push(member(choices, 1, 3, Type::FLOAT));
            }
            members
        }
        // The members are up to nine consecutive matrices. The first that does not fit into the array ends the list.
        _ => {
            let (mut members, mut first) = (Vec::new(), 0);
            while members.len() < 9 {
                let (columns, rows) = (choices.one(&[4, 3, 2]), choices.one(&[4, 3, 2]));
                let after = first + u32::from(columns);
                if after > length {
                    break;
                }
                members.push(member(choices, first, 0, Type::Matrix { columns, rows }));
                first = after;
            }
            if members.is_empty() { vec![member(choices, 0, 1, Type::FLOAT)] } else { members }
        }
    }
}

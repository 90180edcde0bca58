//! Narrows an attribute to the number of components in the vertex buffer. Missing y, z and w components read as 0, 0 and
//! 1.
//!
//! Rule: narrowing does not change the function's results if the missing components are 0, 0 and 1. Code that reads only
//! the remaining components reads the input directly. All other code reads a single vector, which is built at the start of
//! the function.
//!
//! Requires a verified function.

use std::collections::BTreeMap;

use sdlbc::{Body, Function, FunctionDebug, Id, Inst, Op, Type};

struct Narrowing {
    attribute: Id,
    width: u8,
    /// The id of the attribute's four-component vector, which is built only if an instruction reads it.
    full: Id,
    /// Maps the result of each removed swizzle to the id that replaces it: the attribute or a literal.
    replaced: BTreeMap<Id, Id>,
    /// Whether each instruction is kept, in reading order.
    kept: Vec<bool>,
}

/// Changes the type of the input `attribute` from float4 to `width` floats.
pub(super) fn narrow(function: &mut Function, debug: Option<&mut FunctionDebug>, attribute: Id, width: u8) {
    let mut next = function.max_id();
    let mut fresh = || {
        next = next.saturating_add(1);
        Id(next)
    };
    let [zero, one, full] = [fresh(), fresh(), fresh()];
    let mut narrowing = Narrowing { attribute, width, full, replaced: BTreeMap::new(), kept: Vec::new() };
    let mut reads_full = false;
    for inst in function.body.insts() {
        if let Some(by) = narrowing.replacement(inst, [zero, one]) {
            narrowing.replaced.insert(inst.output, by);
        } else {
            reads_full |= inst.inputs.contains(&attribute) && !narrowing.reads_the_rest(inst);
        }
    }
    narrowing.rewrite(&mut function.body);
    let literal = |id: Id, value: f32| Inst::new(Op::LiteralFloat, id, &[], &[value.to_bits()]);
    let parts: &[Id] = match width {
        1 => &[attribute, zero, zero, one],
        2 => &[attribute, zero, one],
        _ => &[attribute, one],
    };
    let reads = |id: Id| reads_full && parts.contains(&id) || narrowing.replaced.values().any(|by| *by == id);
    let literals = [(zero, 0.0), (one, 1.0)].into_iter().filter(|(id, _)| reads(*id));
    let mut added: Vec<Inst> = literals.map(|(id, value)| literal(id, value)).collect();
    if reads_full {
        added.push(Inst::new(Op::Vector, full, parts, &[]));
    }
    let count = added.len();
    let code = std::mem::replace(&mut function.body, Body::from(added));
    function.body.append(code);
    let mut name = String::new();
    for input in function.inputs.iter_mut().filter(|input| input.id == attribute) {
        input.ty = Type::floats(width);
        name.clone_from(&input.name);
    }
    let Some(debug) = debug else { return };
    debug.ids.retain(|id, _| !narrowing.replaced.contains_key(&id));
    if reads_full && !debug.ids.is_empty() && !name.is_empty() {
        debug.ids.insert(full, name);
    }
    if let Some(lines) = &mut debug.lines {
        let kept = narrowing.kept.iter().chain(std::iter::repeat(&true));
        let numbers = lines.numbers.iter().zip(kept).filter(|(_, kept)| **kept).map(|(number, _)| *number);
        lines.numbers = std::iter::repeat_n(0, count).chain(numbers).collect();
    }
}

impl Narrowing {
    /// Returns the replacement for a swizzle: the attribute if the swizzle selects all remaining components, or a literal if the
    /// swizzle selects one missing component.
    fn replacement(&self, inst: &Inst, [zero, one]: [Id; 2]) -> Option<Id> {
        if inst.op != Op::Swizzle || inst.inputs.first() != Some(&self.attribute) || !inst.output.is_some() {
            return None;
        }
        let mut lanes = inst.lanes();
        match (lanes.next(), lanes.next()) {
            _ if inst.lanes().eq(0..self.width) => Some(self.attribute),
            (Some(lane), None) if lane >= self.width => Some(if lane == 3 { one } else { zero }),
            _ => None,
        }
    }

    /// Reports whether an instruction is a swizzle that reads only remaining components.
    fn reads_the_rest(&self, inst: &Inst) -> bool {
        inst.op == Op::Swizzle && inst.lanes().all(|lane| lane < self.width)
    }

    fn rewrite(&mut self, body: &mut Body) {
        for inst in body.insts_mut() {
            self.kept.push(!(inst.op == Op::Swizzle && self.replaced.contains_key(&inst.output)));
            let reads_the_rest = self.reads_the_rest(inst);
            for id in &mut inst.inputs {
                *id = match self.replaced.get(id) {
                    Some(by) => *by,
                    None if *id == self.attribute && !reads_the_rest => self.full,
                    None => *id,
                };
            }
        }
        body.keep(&self.kept);
    }
}

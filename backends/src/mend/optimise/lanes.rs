//! Simplifies vectors that are decomposed and rebuilt.
//!
//! Each component of a vector is traced back through shuffles, constructs, inserts and extracts to its origin, a [`Lane`]. A
//! vector is then rebuilt from its lanes with the fewest instructions.
//!
//! Upstream fault `rebuilt_composites`: `BlockContext::write_entry_point_return` in `back/spv/block.rs` composes a structure with
//! OpCompositeConstruct and immediately extracts its members again.

use rspirv::spirv::Op;
use sdlbc::Few;

use super::code::Code;

/// The maximum number of steps for tracing a component. Without this limit, a long chain of vectors would take quadratic time.
const STEPS: usize = 16;

/// The literal that stands for an undefined component in OpVectorShuffle.
const UNDEFINED: u32 = u32::MAX;

/// A component of a vector, or a scalar if `component` is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lane {
    pub(super) value: u32,
    pub(super) component: Option<u32>,
}

fn follow(code: &Code, value: u32, component: u32) -> Lane {
    let mut lane = Lane { value, component: Some(component) };
    for _ in 0..STEPS {
        match step(code, lane) {
            Some(from) => lane = from,
            None => break,
        }
    }
    lane
}

/// Returns the source of a component, or `None` if the defining instruction does more than move components.
fn step(code: &Code, lane: Lane) -> Option<Lane> {
    let (op, operands) = code.defined(lane.value)?;
    let Some(component) = lane.component else {
        let &[from, at] = operands else { return None };
        return (op == Op::CompositeExtract && code.width(from) > 1)
            .then_some(Lane { value: from, component: Some(at) });
    };
    if code.width(lane.value) == 0 {
        return None;
    }
    match op {
        Op::VectorShuffle => {
            let [first, second, literals @ ..] = operands else { return None };
            let (&at, width) = (literals.get(component as usize)?, code.width(*first).max(1));
            match at {
                UNDEFINED => None,
                _ if at < width => Some(Lane { value: *first, component: Some(at) }),
                _ => Some(Lane { value: *second, component: Some(at - width) }),
            }
        }
        Op::CompositeConstruct | Op::ConstantComposite => {
            let mut at = component;
            for &part in operands {
                match code.width(part) {
                    0 | 1 if at == 0 => return Some(Lane { value: part, component: None }),
                    width if at < width => return Some(Lane { value: part, component: Some(at) }),
                    width => at -= width.max(1),
                }
            }
            None
        }
        Op::CompositeInsert => match *operands {
            [object, _, at] if at == component => Some(Lane { value: object, component: None }),
            [_, vector, _] => Some(Lane { value: vector, component: Some(component) }),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the lanes of an instruction that only moves components into a vector.
pub(super) fn lanes(code: &Code, index: usize) -> Option<Few<Lane>> {
    let (result, mut lanes) = (code.result(index), Few::new());
    for component in 0..code.width(result) {
        lanes.push(Some(follow(code, result, component)).filter(|lane| lane.value != result)?);
    }
    Some(lanes)
}

/// Returns an existing vector that equals the result of an instruction, or `None`.
pub(super) fn whole(code: &Code, index: usize) -> Option<u32> {
    let result = code.result(index);
    let Lane { value, component: Some(0) } = follow(code, result, 0) else { return None };
    let in_place = |at| follow(code, result, at) == Lane { value, component: Some(at) };
    (value != result && code.type_of(value) == code.ty(index) && (1..code.width(result)).all(in_place)).then_some(value)
}

fn member(code: &Code, value: u32, at: u32) -> Option<u32> {
    let construct = code.def_as(value, Op::CompositeConstruct)?;
    code.operands(construct).get(at as usize).copied()
}

/// Returns an existing value that equals the result of an extract. If no such value exists, changes the extract to read the
/// component directly from its origin.
pub(super) fn extracted(code: &mut Code, index: usize) -> Option<u32> {
    // An extract with several indices reads a structure or an array, whose members are resolved one at a time.
    while let [value, at, rest @ ..] = code.operands(index)
        && !rest.is_empty()
        && let Some(member) = member(code, *value, *at)
    {
        let mut operands: Few<u32> = Few::from_slice(&[member]);
        operands.extend_from_slice(rest);
        code.rewrite(index, Op::CompositeExtract, code.ty(index), &operands);
    }
    let [value, at] = *code.operands(index) else { return None };
    if code.width(value) == 0 {
        // The extract takes a member of a structure or a column of a matrix.
        return member(code, value, at);
    }
    let mut lane = follow(code, value, at);
    if let Some(component) = lane.component.filter(|_| lane.value != value) {
        code.rewrite(index, Op::CompositeExtract, code.ty(index), &[lane.value, component]);
        lane = follow(code, lane.value, component);
    }
    lane.component.is_none().then_some(lane.value)
}

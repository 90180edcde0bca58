//! Vectors that are taken apart and put together again.
//!
//! Each component of a vector is followed back through shuffles, constructs, inserts and extracts to where it was computed: its
//! [`Lane`]. Then a vector can be formed from its lanes in the way that takes the fewest instructions.

use rspirv::spirv::Op;
use sdlbc::Few;

use super::code::Code;

/// How far a component is followed, so that a long chain of vectors does not take quadratic time.
const STEPS: usize = 16;

/// The literal of a shuffle whose component is undefined.
const UNDEFINED: u32 = u32::MAX;

/// A component: of a vector, or a scalar as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lane {
    pub(super) value: u32,
    pub(super) component: Option<u32>,
}

/// The components of a value: 1 for what is not a vector.
fn width(code: &Code, id: u32) -> u32 {
    code.vector(code.type_of(id)).unwrap_or(1)
}

/// Follows a component of a vector back.
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

/// Where a component comes from, if the instruction that gives it only moves it.
fn step(code: &Code, lane: Lane) -> Option<Lane> {
    let def = code.def(lane.value)?;
    let operands = code.operands(def);
    let Some(component) = lane.component else {
        let from = *operands.first()?;
        let is_extract = code.insts[def].op == Op::CompositeExtract && operands.len() == 2 && width(code, from) > 1;
        return is_extract.then(|| Lane { value: from, component: operands.get(1).copied() });
    };
    match code.insts[def].op {
        _ if code.vector(code.ty(def)).is_none() => None,
        Op::VectorShuffle => {
            let [first, second, literals @ ..] = operands else { return None };
            let (&at, width) = (literals.get(component as usize)?, width(code, *first));
            match at {
                UNDEFINED => None,
                _ if at < width => Some(Lane { value: *first, component: Some(at) }),
                _ => Some(Lane { value: *second, component: Some(at - width) }),
            }
        }
        Op::CompositeConstruct | Op::ConstantComposite => {
            let mut at = component;
            for &part in operands {
                match width(code, part) {
                    1 if at == 0 => return Some(Lane { value: part, component: None }),
                    width if at < width => return Some(Lane { value: part, component: Some(at) }),
                    width => at -= width,
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

/// Whether an instruction only moves components.
fn moves(code: &Code, index: usize) -> bool {
    matches!(code.insts[index].op, Op::CompositeConstruct | Op::VectorShuffle | Op::CompositeInsert)
}

/// The lanes of an instruction that only moves components into a vector.
pub(super) fn lanes(code: &Code, index: usize) -> Option<Few<Lane>> {
    let width = moves(code, index).then(|| code.vector(code.ty(index))).flatten()?;
    let result = code.result(index)?;
    let lane = |component| Some(follow(code, result, component)).filter(|lane| lane.value != result);
    (0..width).map(lane).collect()
}

/// Returns the value that an instruction gives, if it only moves components and there is such a value.
pub(super) fn whole(code: &Code, index: usize) -> Option<u32> {
    if code.insts[index].op == Op::CompositeExtract {
        let [value, component] = *code.operands(index) else { return None };
        return if code.vector(code.type_of(value)).is_some() {
            let lane = follow(code, value, component);
            lane.component.is_none().then_some(lane.value)
        } else {
            // A member of a structure, or a column of a matrix.
            member(code, value, component)
        };
    }
    let width = moves(code, index).then(|| code.vector(code.ty(index))).flatten()?;
    let result = code.result(index)?;
    let value = follow(code, result, 0).value;
    let in_place = |at| follow(code, result, at) == Lane { value, component: Some(at) };
    (value != result && code.type_of(value) == code.ty(index) && (0..width).all(in_place)).then_some(value)
}

/// A member of what is constructed from members.
fn member(code: &Code, value: u32, at: u32) -> Option<u32> {
    let construct = code.def_as(value, Op::CompositeConstruct)?;
    code.operands(construct).get(at as usize).copied()
}

/// Makes an extract take its value from where that comes from.
pub(super) fn shorten(code: &mut Code, index: usize) {
    // Through structures, and arrays, as long as there is more than one index.
    while let [value, at, rest @ ..] = code.operands(index)
        && !rest.is_empty()
        && let Some(member) = member(code, *value, *at)
    {
        let operands = [&[member], rest].concat();
        code.rewrite(index, Op::CompositeExtract, code.ty(index), &operands);
    }
    if let [value, at] = *code.operands(index)
        && code.vector(code.type_of(value)).is_some()
        && let Lane { value: from, component: Some(component) } = follow(code, value, at)
        && from != value
    {
        code.rewrite(index, Op::CompositeExtract, code.ty(index), &[from, component]);
    }
}

//! The backward walk over all instructions, which removes unused instructions and merges several instructions into one.
//!
//! The walk reaches the users of a result before the result's definition, so an instruction's number of uses is final when the
//! walk reaches the instruction. An instruction is rewritten only if the rewrite removes another instruction. Every result stays
//! bit-identical.
//!
//! Upstream fault `unused_results`: `BlockContext::write_block` in `back/spv/block.rs` writes every expression of an `Emit`, even
//! if the expression is unused. Each expression becomes a separate instruction, even if one instruction could compute several
//! splats, extracted components or insertions.

use rspirv::spirv::Op;
use sdlbc::Few;

use super::code::Code;
use super::declarations::Declarations;
use super::lanes::{Lane, lanes};
use super::shape::Effect;
use super::walk::is_constant;

/// The numbers of the GLSL.std.450 instructions for minimum, maximum and clamp: first for unsigned, then for signed integers.
const CLAMPS: [(u32, u32, u32); 2] = [(38, 41, 44), (39, 42, 45)];

pub(super) fn walk_back(code: &mut Code, declared: &mut Declarations) {
    for index in (code.functions..code.end).rev() {
        let inst = code.insts[index];
        if !matches!(inst.effect, Effect::Pure | Effect::Reads) {
            continue;
        }
        if code.uses(inst.result) == 0 {
            code.remove(index);
        } else if !code.is_decorated(inst.result) {
            match inst.op {
                Op::CompositeConstruct | Op::VectorShuffle | Op::CompositeInsert => form(code, declared, index),
                Op::CompositeExtract => load_component(code, declared, index),
                Op::FMul => scale(code, index),
                Op::ExtInst => clamp(code, index),
                _ => {}
            }
        }
    }
}

/// Reports whether an id is the undecorated result of an instruction in a function body.
fn is_code(code: &Code, id: u32) -> bool {
    !code.is_decorated(id) && code.def(id).is_some_and(|def| def >= code.functions)
}

/// Reports whether an instruction's result has a single use, in which case removing the use also removes the instruction.
fn goes(code: &Code, id: u32) -> bool {
    code.uses(id) == 1 && is_code(code, id)
}

/// Rebuilds a vector directly from the ultimate sources of its components, if that saves an instruction.
fn form(code: &mut Code, declared: &mut Declarations, index: usize) {
    if !gains(code, index, |id| is_origin(code, index, id)) {
        return;
    }
    let Some(lanes) = lanes(code, index) else { return };
    let Some((op, operands)) = inserted(code, index, &lanes).or_else(|| shuffled(code, declared, &lanes)) else {
        return;
    };
    let new = &operands[..operands.len().min(if op == Op::CompositeConstruct { 4 } else { 2 })];
    if gains(code, index, |id| new.contains(&id)) {
        code.rewrite(index, op, code.ty(index), &operands);
    }
}

/// Reports whether the operand `id` is the ultimate source of a component, and therefore stays in use however the vector is
/// built.
fn is_origin(code: &Code, index: usize, id: u32) -> bool {
    let is_only = code.width(id) == 0
        || code.insts[index].op == Op::VectorShuffle && code.operand(index, 0) == code.operand(index, 1);
    let moves = |def: usize| {
        matches!(
            code.insts[def].op,
            Op::CompositeExtract
                | Op::CompositeConstruct
                | Op::VectorShuffle
                | Op::CompositeInsert
                | Op::ConstantComposite
                | Op::Constant
        )
    };
    is_only && !code.def(id).is_some_and(moves)
}

/// Reports whether the removal of an instruction also removes the definition of an operand. Operands for which `stays` is true do
/// not count.
fn gains(code: &Code, index: usize, stays: impl Fn(u32) -> bool) -> bool {
    let operands = code.operands(index);
    let count = if code.insts[index].op == Op::CompositeConstruct { code.width(code.result(index)) } else { 2 };
    let old = &operands[..operands.len().min(count as usize)];
    old.iter().any(|&id| {
        let times = |id| old.iter().filter(|&&other| other == id).count();
        let all_go = |uses: usize| uses == 1 || uses <= old.len() && uses == times(id);
        all_go(code.uses(id) as usize) && is_code(code, id) && !stays(id)
    })
}

/// Returns an OpCompositeInsert if the vector differs from an existing vector in a single component.
fn inserted(code: &Code, index: usize, lanes: &[Lane]) -> Option<(Op, Few<u32>)> {
    let is_scalar = |lane: &Lane| lane.component.is_none();
    let at = lanes.iter().position(is_scalar)?;
    let vector = lanes.iter().find(|lane| !is_scalar(lane))?.value;
    let in_place =
        |(other, lane): (u32, &Lane)| other as usize == at || *lane == Lane { value: vector, component: Some(other) };
    let fits = code.type_of(vector) == code.ty(index) && (0..).zip(lanes).all(in_place);
    fits.then(|| (Op::CompositeInsert, Few::from_slice(&[lanes[at].value, vector, at as u32])))
}

/// Returns a shuffle of one or two vectors, or an OpCompositeConstruct if all components are scalars. The second vector of the
/// shuffle may be a newly declared vector of constants.
fn shuffled(code: &mut Code, declared: &mut Declarations, lanes: &[Lane]) -> Option<(Op, Few<u32>)> {
    let constant = |lane: &Lane| lane.component.is_none() && code.def_as(lane.value, Op::Constant).is_some();
    let (mut vectors, mut constants): (Few<u32>, Few<u32>) = (Few::new(), Few::new());
    for lane in lanes {
        let list = match lane.component {
            Some(_) => &mut vectors,
            None if constant(lane) => &mut constants,
            None => {
                let scalars = lanes.iter().all(|lane| lane.component.is_none());
                return scalars.then(|| (Op::CompositeConstruct, lanes.iter().map(|lane| lane.value).collect()));
            }
        };
        if !list.contains(&lane.value) {
            list.push(lane.value);
        }
    }
    if vectors.is_empty() || vectors.len() + usize::from(!constants.is_empty()) > 2 {
        return None;
    }
    let first = vectors[0];
    let width = Some(code.width(first)).filter(|&width| width > 0)?;
    let second = match (vectors.get(1), constants.first()) {
        (Some(&second), _) => second,
        (None, None) => first,
        (None, Some(&one)) => {
            if constants.len() == 1 {
                constants.push(one);
            }
            let vector = declared.declare(code, Op::TypeVector, 0, &[code.type_of(one), constants.len() as u32]);
            declared.declare(code, Op::ConstantComposite, vector, &constants)
        }
    };
    let literal = |lane: &Lane| match lane.component {
        Some(component) if lane.value == first => component,
        Some(component) => width + component,
        None => width + constants.iter().position(|&constant| constant == lane.value).unwrap_or(0) as u32,
    };
    let mut operands: Few<u32> = Few::from_slice(&[first, second]);
    lanes.iter().for_each(|lane| operands.push(literal(lane)));
    Some((Op::VectorShuffle, operands))
}

/// Loads a single component instead of the entire vector, if the vector's other components are unused.
fn load_component(code: &mut Code, declared: &mut Declarations, index: usize) {
    let [value, component] = *code.operands(index) else { return };
    let is_read = |&load: &usize| goes(code, value) && is_constant(code, load);
    let Some(load) = code.def_as(value, Op::Load).filter(is_read) else { return };
    let address = code.operand(load, 0);
    let is_own = |_: &usize| goes(code, address);
    let Some(chain) = code.def_as(address, Op::AccessChain).filter(is_own) else { return };
    let Some(pointer) = code.def_as(code.ty(chain), Op::TypePointer) else { return };
    if code.width(value) == 0 {
        return;
    }
    let scalar = code.ty(index);
    let class = code.operand(pointer, 0);
    let pointer = declared.declare(code, Op::TypePointer, 0, &[class, scalar]);
    let number = declared.declare(code, Op::TypeInt, 0, &[32, 0]);
    let number = declared.declare(code, Op::Constant, number, &[component]);
    let mut operands: Few<u32> = Few::from_slice(code.operands(chain));
    operands.push(number);
    code.rewrite(chain, Op::AccessChain, pointer, &operands);
    code.rewrite(index, Op::Load, scalar, &[address]);
    code.remove(load);
}

fn scale(code: &mut Code, index: usize) {
    let [a, b] = *code.operands(index) else { return };
    for (vector, other) in [(a, b), (b, a)] {
        let is_own = |_: &usize| goes(code, other);
        let construct = code.def_as(other, Op::CompositeConstruct).filter(is_own);
        if let Some([scalar, rest @ ..]) = construct.map(|construct| code.operands(construct))
            && rest.iter().all(|component| component == scalar)
            && code.width(*scalar) == 0
        {
            let operands = [vector, *scalar];
            return code.rewrite(index, Op::VectorTimesScalar, code.ty(index), &operands);
        }
    }
}

/// Merges an integer maximum and minimum into one clamp, if both limits are constants and the lower limit does not exceed the
/// upper.
fn clamp(code: &mut Code, index: usize) {
    let [set, function, inner, high] = *code.operands(index) else { return };
    let Some(&(_, max, clamp)) = CLAMPS.iter().find(|row| row.0 == function) else { return };
    let is_own = |_: &usize| goes(code, inner);
    let Some(inner) = code.def_as(inner, Op::ExtInst).filter(is_own) else { return };
    let [inner_set, inner_function, value, low] = *code.operands(inner) else { return };
    let number = |id| code.def_as(id, Op::Constant).map(|def| code.operand(def, 0));
    let in_order = number(low).zip(number(high)).is_some_and(|(low, high)| match clamp {
        45 => low.cast_signed() <= high.cast_signed(),
        _ => low <= high,
    });
    if inner_set == set && inner_function == max && in_order {
        code.rewrite(index, Op::ExtInst, code.ty(index), &[set, clamp, value, low, high]);
    }
}

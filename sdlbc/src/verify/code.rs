//! The rules about code: ids, scopes, shapes, types and control flow.
//!
//! Rule: one traversal checks the code in reading order and recurses no deeper than [`limits::NESTING`]. The traversal takes
//! linear time, except that each CONTINUE takes time proportional to its nesting depth. A fault of one instruction does not cause
//! violations at other instructions. A value without a type is accepted as any operand. After blocks that cannot be checked, all
//! outputs count as written, and the code that follows counts as unreachable.

use std::collections::HashSet;

use super::control_flow::{ControlFlow, Join, PhiPosition, State};
use super::interface::{Interface, output_detail};
use super::report::{At, Report};
use super::values::{Value, is_visible};
use super::{Detail, Rule, Types};
use crate::infer::{TypeError, result};
use crate::inst::word;
use crate::kinds::{self, Kind};
use crate::limits;
use crate::module::texel_offset;
use crate::{
    Block, Blocks, Context, Function, FunctionKind, FunctionOutput, Id, Input, InputKind, Inst, InstRef, Op, Signature,
    Type, TypeRule,
};

/// Checks a function's code and returns the types of its values. `has_no_derivatives` is true for vertex and compute functions,
/// and for the functions that they call directly or indirectly.
pub(super) fn check(
    function: &Function,
    interface: &Interface,
    signatures: &[Signature],
    has_no_derivatives: bool,
    report: &mut Report<'_>,
) -> Types {
    let returned = function.outputs.iter().zip(&interface.outputs).enumerate();
    let returned = returned.filter(|(_, (output, _))| output.kind == crate::OutputKind::Returned);
    let returned = returned.map(|(index, (output, sound))| Returned { index, output, sound: *sound }).next();
    let values = Types::for_values(function.inputs.len().saturating_add(function.body.insts().len()));
    let mut open = Vec::with_capacity(16);
    open.extend([true; 2]);
    let mut checker = CodeChecker {
        function,
        interface,
        signatures,
        returned,
        fragment_only: match function.kind {
            FunctionKind::Vertex | FunctionKind::Compute => true,
            FunctionKind::Generic => has_no_derivatives,
            FunctionKind::Fragment => false,
        },
        report,
        values,
        open,
        operands: Vec::new(),
        next: 0,
        control_flow: ControlFlow::new(function, interface),
    };
    for (index, input) in function.inputs.iter().enumerate() {
        let ty = interface.inputs.get(index).filter(|&&sound| sound).map(|_| input.ty);
        checker.define(input.id, ty, if input.kind.is_variable() { SLOTS } else { INPUTS }, At::Input(index));
    }
    let scope = checker.enter();
    let state = checker.code(function.body.block(), State::START, PhiPosition::Elsewhere, 0, scope);
    for index in checker.control_flow.missing(state) {
        checker.missing(None, index);
    }
    if let Some(returned) = checker.returned.filter(|returned| returned.sound && state.reached) {
        let detail = output_detail(function.kind, returned.index, returned.output);
        checker.report.put(None, Rule::Returned, detail, At::Output(returned.index));
    }
    checker.values
}

/// The scope of the inputs that the function only reads. `SLOTS` is the scope of the inputs that the function may write. The
/// scopes of blocks are numbered from 2, in reading order.
const INPUTS: u32 = 0;
const SLOTS: u32 = 1;

#[derive(Clone, Copy)]
struct Returned<'a> {
    index: usize,
    output: &'a FunctionOutput,
    sound: bool,
}

pub(super) struct CodeChecker<'a, 'r> {
    function: &'a Function,
    interface: &'a Interface,
    signatures: &'a [Signature],
    returned: Option<Returned<'a>>,
    /// Whether fragment-only operations violate V12 in this function.
    fragment_only: bool,
    pub(super) report: &'a mut Report<'r>,
    pub(super) values: Types,
    /// Whether the values of each scope are visible at the current instruction, indexed by scope number.
    pub(super) open: Vec<bool>,
    operands: Vec<Type>,
    /// The index of the next instruction, in reading order.
    next: usize,
    pub(super) control_flow: ControlFlow<'a>,
}

impl<'a> CodeChecker<'a, '_> {
    fn enter(&mut self) -> u32 {
        self.open.push(true);
        word(self.open.len() - 1)
    }

    fn leave(&mut self, scope: u32) {
        if let Some(open) = self.open.get_mut(scope as usize) {
            *open = false;
        }
    }

    /// Checks a block after its scope has been entered, and returns the state at the end of the block.
    fn code(
        &mut self,
        block: Block<'a>,
        mut state: State,
        mut position: PhiPosition,
        depth: usize,
        scope: u32,
    ) -> State {
        let (insts, mut jumped, mut here) = (block.all(), false, 0);
        while let Some(rest) = insts.get(here..) {
            if !jumped {
                let plain = self.plain(rest, scope);
                here += plain;
                if plain > 0 {
                    position = PhiPosition::Elsewhere;
                }
            }
            let Some(inst) = insts.get(here) else { break };
            let at = self.next;
            self.next += 1;
            let kind = kinds::of(inst.op);
            // NOPs are ignored, so the instructions around a NOP count as adjacent.
            let space = inst.op == Op::Nop;
            if !space && std::mem::take(&mut jumped) {
                self.report.add_at(at, Rule::AfterJump, Detail::Op(inst.op));
            }
            if self.fragment_only && kind.is_fragment {
                self.report.add_at(at, Rule::FragmentOnly, Detail::Op(inst.op));
            }
            let shaped = self.shape(inst, kind, at);
            let ty = match inst.op {
                Op::Phi => self.phi(inst, at, shaped, position),
                _ => self.result(inst, kind, at, shaped),
            };
            self.define(inst.output, ty, scope, At::Code);
            let Some(inst) = block.from(here).first() else { break };
            here += 1 + inst.inner().len();
            if inst.op == Op::Phi {
                state = self.blocks(inst, kind, at, depth, state).0;
                continue;
            }
            self.own_rules(&inst, at);
            state = self.follow(&inst, at, depth, state);
            let next;
            (state, next) = self.blocks(inst, kind, at, depth, state);
            if !space {
                (position, jumped) = (next, inst.op.is_jump());
            }
        }
        state
    }

    /// Checks an instruction's blocks, and returns the state and the allowed PHIs after the instruction.
    fn blocks(
        &mut self,
        inst: InstRef<'a>,
        kind: &Kind,
        at: usize,
        depth: usize,
        state: State,
    ) -> (State, PhiPosition) {
        let kind = kind.shape.blocks;
        if kind == Blocks::None && inst.ends.is_empty() {
            return (state, PhiPosition::Elsewhere);
        }
        self.control_flow.set_current(depth, at);
        let sound = match kind {
            Blocks::None => inst.blocks().is_empty(),
            Blocks::If => inst.blocks().len() == 2,
            Blocks::Loop => inst.blocks().len() == 1,
            Blocks::Switch => inst.blocks().len().checked_sub(1) == Some(inst.immediates.len()),
        };
        if !sound {
            self.report.add_at(at, Rule::Blocks, operands(&inst));
        }
        let unknown = (State::UNKNOWN, if kind == Blocks::If { PhiPosition::Unknown } else { PhiPosition::Elsewhere });
        if inst.blocks().is_empty() {
            return if sound { (state, PhiPosition::Elsewhere) } else { unknown };
        }
        if depth >= limits::NESTING {
            self.report.add_at(at, Rule::Nesting, Detail::None);
            self.skip(inst.inner());
            return unknown;
        }
        let after = match kind {
            Blocks::Loop => (self.repeat(inst, at, depth, state), PhiPosition::Elsewhere),
            Blocks::None | Blocks::If | Blocks::Switch => self.choice(inst, depth, state),
        };
        if sound { after } else { unknown }
    }

    /// Checks alternative blocks: the blocks of an IF, of a SWITCH, or of an instruction that should not have blocks.
    fn choice(&mut self, inst: InstRef<'a>, depth: usize, state: State) -> (State, PhiPosition) {
        let switch = inst.op.shape().blocks == Blocks::Switch;
        if switch {
            self.control_flow.open(None);
        }
        let mut after = State::UNKNOWN;
        let start = state.into_block();
        let mut arms = [(0, false); 2];
        for (index, block) in inst.blocks().enumerate() {
            let scope = self.enter();
            let end = self.code(block, start, PhiPosition::Elsewhere, depth + 1, scope);
            self.leave(scope);
            after = after.or(end);
            if let Some(arm) = arms.get_mut(index) {
                *arm = (scope, end.reached);
            }
        }
        if switch {
            let broken = self.control_flow.close().and_then(|closed| closed.broken);
            let after = broken.map_or(after, |broken| after.or(broken));
            return (after.following(state), PhiPosition::Elsewhere);
        }
        (after.following(state), PhiPosition::AfterIf(Join { arms, at: word(self.next) }))
    }

    /// Checks a LOOP. The instruction after a LOOP can be reached only through the LOOP's BREAKs.
    fn repeat(&mut self, inst: InstRef<'a>, at: usize, depth: usize, state: State) -> State {
        self.control_flow.open(Some(depth + 1));
        for body in inst.blocks() {
            let scope = self.enter();
            let end = self.code(body, state.into_block(), PhiPosition::Head(word(self.next)), depth + 1, scope);
            self.second_values(scope, end);
            self.leave(scope);
        }
        let Some(closed) = self.control_flow.close() else { return State::UNKNOWN };
        if !closed.has_exit {
            self.report.add_at(at, Rule::LoopExit, Detail::None);
        }
        closed.broken.unwrap_or(State::UNKNOWN).following(state)
    }

    /// Skips blocks that are nested too deeply. The results of the skipped instructions are defined, but have no types.
    fn skip(&mut self, insts: &'a [Inst]) {
        let scope = self.enter();
        self.leave(scope);
        for inst in insts {
            self.next += 1;
            if inst.output.is_some() {
                self.values.define(inst.output, Value { ty: None, scope, visible_from: word(self.next) });
            }
        }
        self.control_flow.exits();
    }

    fn shape(&mut self, inst: &Inst, kind: &Kind, at: usize) -> bool {
        let shape = &kind.shape;
        let fits = shape.inputs.allows(inst.inputs.len())
            && (shape.ignored || shape.blocks == Blocks::Switch || inst.immediates.len() == shape.immediates)
            && (shape.output || !inst.output.is_some());
        if !fits {
            self.report.add_at(at, Rule::Shape, operands(inst));
        }
        fits
    }

    /// Checks a run of plain instructions, which only compute values from other values, and returns the length of the run. The
    /// run ends before the first instruction that is not plain or may break a rule; the caller checks that instruction rule by
    /// rule.
    #[inline(never)]
    fn plain(&mut self, insts: &[Inst], scope: u32) -> usize {
        let mut next = self.next;
        for inst in insts {
            let kind = kinds::of(inst.op);
            if !kind.fits_plainly(inst) || self.fragment_only && kind.is_fragment {
                break;
            }
            let ty = self.alike(inst, kind, scope).or_else(|| self.plain_result(inst, kind, scope));
            let Some(ty) = ty else { break };
            let value = Value { ty: Some(ty), scope, visible_from: word(next + 1) };
            if inst.output.is_some() && (inst.output.0 > limits::MAX_ID || !self.values.define(inst.output, value)) {
                break;
            }
            next += 1;
        }
        next - std::mem::replace(&mut self.next, next)
    }

    /// Returns the result type of a plain instruction in the most common case: a componentwise operation on two operands of the
    /// same type.
    #[inline]
    fn alike(&self, inst: &Inst, kind: &Kind, scope: u32) -> Option<Type> {
        let [a, b] = inst.inputs[..] else { return None };
        let (a, b) = (self.values.value(a)?, self.values.value(b)?);
        let (Some(Type::Vector(scalar, width)), Some(Type::Vector(of, components))) = (a.ty, b.ty) else { return None };
        let visible = [a, b].iter().all(|value| value.scope == scope || is_visible(&self.open, value));
        if visible && (scalar, width) == (of, components) { kind.of_alike(scalar, width) } else { None }
    }

    /// Returns the result type of a plain instruction in a scope, if the instruction breaks no rule.
    #[inline]
    fn plain_result(&self, inst: &Inst, kind: &Kind, scope: u32) -> Option<Type> {
        let visible = |id| self.visible(id, scope);
        let types = match inst.inputs[..] {
            [] => return self.plain_type(inst, kind, &[]),
            [a] => return self.plain_type(inst, kind, &[visible(a)?]),
            [a, Id::NONE] if inst.op.may_lack(1) => return self.plain_type(inst, kind, &[visible(a)?]),
            [a, b] => return self.plain_type(inst, kind, &[visible(a)?, visible(b)?]),
            [a, b, c] => [visible(a)?, visible(b)?, visible(c)?, Type::BOOL],
            [a, b, c, d] => [visible(a)?, visible(b)?, visible(c)?, visible(d)?],
            _ => return None,
        };
        self.plain_type(inst, kind, types.get(..inst.inputs.len())?)
    }

    #[inline]
    fn plain_type(&self, inst: &Inst, kind: &Kind, types: &[Type]) -> Option<Type> {
        let otherwise = || {
            let context = Context::default();
            result(inst.op, &inst.immediates, inst.output.is_some(), kind.rule, types, &context).ok()?
        };
        kind.simple_type(types, &inst.immediates).or_else(otherwise)
    }

    /// Returns a value's type, if the type is known and the value is visible in a scope.
    #[inline]
    fn visible(&self, id: Id, scope: u32) -> Option<Type> {
        let value = self.values.value(id)?;
        value.ty.filter(|_| value.scope == scope || is_visible(&self.open, value))
    }

    /// Checks an instruction's operands, and returns the type of its result. The type is `None` if the instruction has no result,
    /// or if an operand is missing or has no type.
    fn result(&mut self, inst: &Inst, kind: &Kind, at: usize, shaped: bool) -> Option<Type> {
        let mut types = std::mem::take(&mut self.operands);
        types.clear();
        let mut all = true;
        for (index, &id) in inst.inputs.iter().enumerate() {
            if id.is_some() || !inst.op.may_lack(index) {
                match self.operand(id, at, Rule::Visible, is_visible) {
                    Some(ty) => types.push(ty),
                    None => all = false,
                }
            }
        }
        let ty = if all && shaped { self.infer(inst, kind, at, &types) } else { None };
        self.operands = types;
        ty
    }

    /// Checks that an operand is present, defined and visible, and returns its type.
    pub(super) fn operand(
        &mut self,
        id: Id,
        at: usize,
        rule: Rule,
        visible: impl Fn(&[bool], &Value) -> bool,
    ) -> Option<Type> {
        if !id.is_some() {
            self.report.add_at(at, Rule::OperandPresent, Detail::None);
            return None;
        }
        let Some(&value) = self.values.value(id) else {
            self.report.id(at, Rule::Defined, id);
            return None;
        };
        if !visible(&self.open, &value) {
            self.report.id(at, rule, id);
        }
        value.ty
    }

    pub(super) fn infer(&mut self, inst: &Inst, kind: &Kind, at: usize, types: &[Type]) -> Option<Type> {
        let outputs = match (kind.rule, &self.returned) {
            _ if kind.is_plain => &[],
            // The type rule of a RETURN receives only the returned output, so it need not search all outputs.
            (TypeRule::Return, Some(returned)) => std::slice::from_ref(returned.output),
            (TypeRule::Return, None) => &[],
            _ => &self.function.outputs[..],
        };
        match result(
            inst.op,
            &inst.immediates,
            inst.output.is_some(),
            kind.rule,
            types,
            &Context { outputs, signatures: self.signatures },
        ) {
            Ok(ty) => ty,
            Err(expected) => {
                self.unfit(inst, at, expected, types);
                None
            }
        }
    }

    #[cold]
    fn unfit(&mut self, inst: &Inst, at: usize, expected: &'static str, types: &[Type]) {
        if !self.is_already_reported(inst) {
            let error = TypeError { op: inst.op, expected, found: types.to_vec() };
            self.report.add_at(at, Rule::Types, Detail::Types(error));
        }
    }

    /// Reports whether a type error follows from a fault that has its own violation: an invalid output, or a RETURN without a
    /// value (V41).
    fn is_already_reported(&self, inst: &Inst) -> bool {
        match (inst.op.type_rule(), &inst.inputs[..]) {
            (TypeRule::Return, [id]) => self.returned.is_some_and(|returned| !returned.sound || !id.is_some()),
            (TypeRule::Poke, [_]) => {
                inst.immediates.first().and_then(|&index| self.interface.outputs.get(index as usize)) == Some(&false)
            }
            _ => false,
        }
    }

    /// Checks the rules that apply to particular operations, such as SWITCH, CALL and POKE.
    fn own_rules(&mut self, inst: &Inst, at: usize) {
        match (inst.op.type_rule(), &inst.inputs[..], &inst.immediates[..]) {
            (TypeRule::Selector, _, cases) => {
                let mut seen = HashSet::new();
                for &case in cases {
                    if !seen.insert(case) {
                        self.report.add_at(at, Rule::CaseValues, Detail::Case(case));
                    }
                }
            }
            (TypeRule::Call, _, &[index, ..])
                if self.signatures.get(index as usize).is_none_or(|callee| callee.kind != FunctionKind::Generic) =>
            {
                self.report.add_at(at, Rule::Callee, Detail::Index(index));
            }
            (TypeRule::Poke, &[_, slot, _], _) => {
                let is_array = |ty| matches!(ty, Some(Type::Array(..) | Type::Buffer(..)));
                let array = self.values.value(slot).filter(|value| is_array(value.ty));
                if array.is_some_and(|array| array.scope != SLOTS) {
                    self.report.id(at, Rule::Slot, slot);
                }
            }
            (TypeRule::Atomic | TypeRule::AtomicCompare, &[memory, ..], _) => self.memory(memory, at),
            (TypeRule::ImageLoad | TypeRule::ImageStore, &[image, ..], _) => {
                let of = self.values.value(image).filter(|value| matches!(value.ty, Some(Type::Image(..))));
                let is_store = inst.op == Op::ImageStore;
                if of.is_some_and(|image| (image.scope == SLOTS) != is_store) {
                    self.report.id(at, Rule::Slot, image);
                }
            }
            (TypeRule::TextureOffset | TypeRule::TextureSize, &[texture, ..], words) => {
                self.texel_offset(texture, words.first().copied(), at);
            }
            (TypeRule::Barrier, ..) if self.function.kind != FunctionKind::Compute => {
                self.report.add_at(at, Rule::ComputeOnly, Detail::Op(inst.op));
            }
            (TypeRule::Return, [Id::NONE], _) => {
                if let Some(returned) = self.returned.filter(|returned| returned.sound) {
                    let detail = output_detail(self.function.kind, returned.index, returned.output);
                    self.report.add_at(at, Rule::Returned, detail);
                }
            }
            _ => {}
        }
    }

    /// Checks that the memory of an atomic operation is a shared array, or a storage buffer that may be written.
    #[cold]
    fn memory(&mut self, memory: Id, at: usize) {
        let Some(value) = self.values.value(memory) else { return };
        let is_local = |input: &Input| input.id == memory && input.kind == InputKind::Local;
        let is_shared = value.scope == SLOTS && !self.function.inputs.iter().any(is_local);
        if matches!(value.ty, Some(Type::Array(..) | Type::Buffer(..))) && !is_shared {
            self.report.id(at, Rule::Slot, memory);
        }
    }

    /// Checks that a texture is an input of the function, and that the instruction's texel offset, if any, is valid.
    #[cold]
    fn texel_offset(&mut self, texture: Id, offset: Option<u32>, at: usize) {
        let Some(value) = self.values.value(texture) else { return };
        let Some(Type::Texture(dimension, _)) = value.ty else { return };
        if value.scope != INPUTS {
            self.report.id(at, Rule::TexelOffset, texture);
        }
        let Some(word) = offset else { return };
        let axes = usize::from(dimension.coordinates());
        let within = |(axis, number): (usize, i32)| if axis < axes { (-8..=7).contains(&number) } else { number == 0 };
        let fits = word >> 24 == 0 && texel_offset(word).into_iter().enumerate().all(within);
        if !fits && !dimension.is_cube() {
            self.report.add_at(at, Rule::TexelOffset, Detail::Offset(word));
        }
    }

    /// Returns the state of control flow after an instruction, ignoring the instruction's blocks.
    fn follow(&mut self, inst: &Inst, at: usize, depth: usize, state: State) -> State {
        if inst.op == Op::Continue {
            self.control_flow.set_current(depth, at);
        }
        match inst.op {
            Op::Poke if inst.inputs.len() != 3 => return state.writing(inst.immediates.first().copied()),
            Op::Break if !self.control_flow.breaks(state) => self.report.add_at(at, Rule::Jump, Detail::Op(inst.op)),
            Op::Continue if !self.control_flow.continues() => self.report.add_at(at, Rule::Jump, Detail::Op(inst.op)),
            Op::Return => {
                self.control_flow.exits();
                for index in self.control_flow.missing(state) {
                    self.missing(Some(at), index);
                }
            }
            Op::Discard => self.control_flow.exits(),
            _ => {}
        }
        if inst.op.is_jump() { State::UNKNOWN } else { state }
    }

    /// Reports an output that is not written before a RETURN or the end of the function.
    fn missing(&mut self, at: Option<usize>, index: usize) {
        if let Some(output) = self.function.outputs.get(index) {
            let place = if at.is_some() { At::Code } else { At::Output(index) };
            self.report.put(at, Rule::Written, output_detail(self.function.kind, index, output), place);
        }
    }

    fn define(&mut self, id: Id, ty: Option<Type>, scope: u32, place: At) {
        if !id.is_some() {
            return;
        }
        let at = self.next.checked_sub(1);
        if id.0 > limits::MAX_ID {
            self.report.put(at, Rule::IdLimit, Detail::Id(id), place);
        }
        if !self.values.define(id, Value { ty, scope, visible_from: word(self.next) }) {
            self.report.put(at, Rule::UniqueIds, Detail::Id(id), place);
        }
    }
}

fn operands(inst: &Inst) -> Detail {
    Detail::Operands {
        op: inst.op,
        output: inst.output.is_some(),
        inputs: inst.inputs.len(),
        immediates: inst.immediates.len(),
        blocks: inst.ends.len(),
    }
}

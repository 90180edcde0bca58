//! The rules of code: ids, scopes, shapes, types, and where control goes.
//!
//! Rule: one walk in reading order, in time proportional to the code (times the depth for CONTINUEs), which goes no
//! deeper than [`limits::NESTING`]. What an instruction's fault leaves open is not held against others: a value that
//! has no type fits everywhere, and behind blocks that cannot be followed everything is written and nothing reached.

use std::collections::HashSet;

use super::interface::{Interface, output_detail};
use super::phi::{HeadPhi, Join, Place};
use super::values::Value;
use super::ways::{Frame, Way, Ways};
use super::{At, Detail, Report, Rule, Types};
use crate::nested::instructions;
use crate::{Block, Blocks, Context, Function, FunctionKind, Id, Inst, Op, Output, Signature, Stages, Type, TypeRule};
use crate::{InputKind, infer, limits};

/// Checks a function's code and gives the types of its values. `by_vertex`: whether a vertex function reaches it.
pub(super) fn check(
    function: &Function,
    interface: &Interface,
    signatures: &[Signature],
    by_vertex: bool,
    report: &mut Report<'_>,
) -> Types {
    let returned = function.outputs.iter().zip(&interface.outputs).enumerate();
    let returned = returned.filter(|(_, (output, _))| output.kind == crate::OutputKind::Returned);
    let returned = returned.map(|(index, (output, sound))| Returned { index, output, sound: *sound }).next();
    let values = Types::for_values(
        function.inputs.len().saturating_add(instructions(std::slice::from_ref(&function.body)).count()),
    );
    let mut walk = Walk {
        function,
        interface,
        signatures,
        returned,
        fragment_only: function.kind == FunctionKind::Vertex || function.kind == FunctionKind::Generic && by_vertex,
        report,
        values,
        open: vec![true; 2],
        next: 0,
        ways: Ways::new(function, interface),
    };
    for (index, input) in function.inputs.iter().enumerate() {
        let ty = interface.inputs.get(index).filter(|&&sound| sound).map(|_| input.ty);
        walk.define(input.id, ty, if input.kind == InputKind::Local { SLOTS } else { INPUTS }, At::Input(index));
    }
    let scope = walk.enter();
    let way = walk.code(&function.body, Way::START, Place::Elsewhere, 0, scope);
    for index in walk.ways.missing(way) {
        walk.missing(None, index);
    }
    if let Some(returned) = walk.returned.filter(|returned| returned.sound && way.reached) {
        let detail = output_detail(function.kind, returned.index, returned.output);
        walk.report.put(None, Rule::Returned, detail, At::Output(returned.index));
    }
    walk.values
}

/// The scope of the inputs, and that of those that can be written; the blocks' follow in reading order.
const INPUTS: u32 = 0;
const SLOTS: u32 = 1;

/// The output that RETURN gives.
#[derive(Clone, Copy)]
struct Returned<'a> {
    index: usize,
    output: &'a Output,
    sound: bool,
}

pub(super) struct Walk<'a, 'r> {
    function: &'a Function,
    interface: &'a Interface,
    signatures: &'a [Signature],
    returned: Option<Returned<'a>>,
    /// Whether what only fragments can do is wrong here.
    fragment_only: bool,
    pub(super) report: &'a mut Report<'r>,
    pub(super) values: Types,
    /// Scope by scope, whether its values are visible now.
    pub(super) open: Vec<bool>,
    /// The number of the next instruction.
    next: usize,
    pub(super) ways: Ways<'a>,
}

impl<'a> Walk<'a, '_> {
    fn enter(&mut self) -> u32 {
        self.open.push(true);
        narrow(self.open.len() - 1)
    }

    fn leave(&mut self, scope: u32) {
        if let Some(open) = self.open.get_mut(wide(scope)) {
            *open = false;
        }
    }

    /// Walks a block whose scope was entered, and gives how control comes to its end.
    fn code(&mut self, block: &'a Block, mut way: Way, mut place: Place, depth: usize, scope: u32) -> Way {
        let mut jumped = false;
        for inst in block {
            let at = self.next;
            self.next += 1;
            self.ways.walking(depth, at);
            // A NOP is space: what stands around it stands together.
            let space = inst.op == Op::Nop;
            if !space && std::mem::take(&mut jumped) {
                self.report.add_at(at, Rule::BehindJump, Detail::Op(inst.op));
            }
            if self.fragment_only && inst.op.stage() == Stages::Fragment {
                self.report.add_at(at, Rule::FragmentOnly, Detail::Op(inst.op));
            }
            let shaped = self.shape(inst, at);
            if inst.op.type_rule() == TypeRule::Phi {
                let ty = self.phi(inst, at, shaped, place);
                self.define(inst.output, ty, scope, At::Code);
                way = self.blocks(inst, at, depth, way).0;
                continue;
            }
            let types = self.operands(inst, at);
            let ty = types.filter(|_| shaped).and_then(|types| self.infer(inst, at, &types));
            self.define(inst.output, ty, scope, At::Code);
            self.own_rules(inst, at);
            way = self.follow(inst, at, way);
            let next;
            (way, next) = self.blocks(inst, at, depth, way);
            if !space {
                (place, jumped) = (next, inst.op.is_jump());
            }
        }
        way
    }

    /// Walks an instruction's blocks; how control comes behind it, and what PHIs may stand there.
    fn blocks(&mut self, inst: &'a Inst, at: usize, depth: usize, way: Way) -> (Way, Place) {
        let kind = inst.op.shape().blocks;
        let sound = match kind {
            Blocks::None => inst.blocks.is_empty(),
            Blocks::If => inst.blocks.len() == 2,
            Blocks::Loop => inst.blocks.len() == 1,
            Blocks::Switch => inst.blocks.len().checked_sub(1) == Some(inst.immediates.len()),
        };
        if !sound {
            self.report.add_at(at, Rule::Blocks, operands(inst));
        }
        let unknown = (Way::UNKNOWN, if kind == Blocks::If { Place::Unknown } else { Place::Elsewhere });
        if inst.blocks.is_empty() {
            return if sound { (way, Place::Elsewhere) } else { unknown };
        }
        if depth >= limits::NESTING {
            self.report.add_at(at, Rule::Nesting, Detail::None);
            self.skip(&inst.blocks);
            return unknown;
        }
        let behind = match kind {
            Blocks::Loop => (self.repeat(inst, at, depth, way), Place::Elsewhere),
            Blocks::None | Blocks::If | Blocks::Switch => self.choice(inst, depth, way),
        };
        if sound { behind } else { unknown }
    }

    /// Walks blocks of which one is run: an IF's, a SWITCH's, or those that something else has by mistake.
    fn choice(&mut self, inst: &'a Inst, depth: usize, way: Way) -> (Way, Place) {
        let switch = inst.op.shape().blocks == Blocks::Switch;
        if switch {
            self.ways.open(Frame::switch());
        }
        let mut behind = Way::UNKNOWN;
        let start = way.into_block();
        let mut arms = [(0, false); 2];
        for (index, block) in inst.blocks.iter().enumerate() {
            let scope = self.enter();
            let end = self.code(block, start, Place::Elsewhere, depth + 1, scope);
            self.leave(scope);
            behind = behind.or(end);
            if let Some(arm) = arms.get_mut(index) {
                *arm = (scope, end.reached);
            }
        }
        if switch {
            let broken = self.ways.close().and_then(|frame| frame.broken);
            let behind = broken.map_or(behind, |broken| behind.or(broken));
            return (behind.after(way), Place::Elsewhere);
        }
        (behind.after(way), Place::Behind(Join { arms, at: narrow(self.next) }))
    }

    /// Walks a LOOP; control comes behind it by its BREAKs alone.
    fn repeat(&mut self, inst: &'a Inst, at: usize, depth: usize, way: Way) -> Way {
        self.ways.open(Frame::repeat(depth + 1));
        for body in &inst.blocks {
            let scope = self.enter();
            let end = self.code(body, way.into_block(), Place::Head(narrow(self.next)), depth + 1, scope);
            self.second_values(scope, end);
            self.leave(scope);
        }
        let Some(frame) = self.ways.close() else { return Way::UNKNOWN };
        if !frame.has_exit {
            self.report.add_at(at, Rule::LoopExit, Detail::None);
        }
        frame.broken.unwrap_or(Way::UNKNOWN).after(way)
    }

    /// Passes over blocks that are nested too deep: their ids are defined, and nothing else is known of them.
    fn skip(&mut self, blocks: &'a [Block]) {
        let scope = self.enter();
        self.leave(scope);
        for inst in instructions(blocks) {
            self.next += 1;
            if inst.output.is_some() {
                self.values.define(inst.output, Value { ty: None, scope, behind: narrow(self.next) });
            }
        }
        self.ways.anything();
    }

    fn shape(&mut self, inst: &Inst, at: usize) -> bool {
        let shape = inst.op.shape();
        let fits = shape.inputs.allows(inst.inputs.len())
            && (shape.ignored || shape.blocks == Blocks::Switch || inst.immediates.len() == shape.immediates)
            && (shape.output || !inst.output.is_some());
        if !fits {
            self.report.add_at(at, Rule::Shape, operands(inst));
        }
        fits
    }

    /// The types of the operands, absent ones left out; `None` when one has none, or is not there.
    fn operands(&mut self, inst: &Inst, at: usize) -> Option<Vec<Type>> {
        let mut types = Some(Vec::with_capacity(inst.inputs.len()));
        for (index, &id) in inst.inputs.iter().enumerate() {
            if id.is_some() || !inst.op.may_lack(index) {
                let ty = self.operand(id, at, Rule::Visible, |open, value| open.get(wide(value.scope)) == Some(&true));
                add(&mut types, ty);
            }
        }
        types
    }

    /// The type of one operand, which must be there, defined and visible.
    pub(super) fn operand(
        &mut self,
        id: Id,
        at: usize,
        rule: Rule,
        visible: impl Fn(&[bool], Value) -> bool,
    ) -> Option<Type> {
        if !id.is_some() {
            self.report.add_at(at, Rule::OperandPresent, Detail::None);
            return None;
        }
        let Some(value) = self.values.value(id) else {
            self.report.id(at, Rule::Defined, id);
            return None;
        };
        if !visible(&self.open, value) {
            self.report.id(at, rule, id);
        }
        value.ty
    }

    pub(super) fn infer(&mut self, inst: &Inst, at: usize, types: &[Type]) -> Option<Type> {
        // A RETURN is held to the one output, so that no list of outputs is searched for each.
        let outputs = match (inst.op.type_rule(), &self.returned) {
            (TypeRule::Return, Some(returned)) => std::slice::from_ref(returned.output),
            (TypeRule::Return, None) => &[],
            _ => &self.function.outputs[..],
        };
        match infer(inst, types, &Context { outputs, signatures: self.signatures }) {
            Ok(ty) => ty,
            Err(error) => {
                if !self.is_anothers_fault(inst) {
                    self.report.add_at(at, Rule::Types, Detail::Types(error));
                }
                None
            }
        }
    }

    /// Whether the types cannot fit because of the output, or because there is nothing to return (V41).
    fn is_anothers_fault(&self, inst: &Inst) -> bool {
        match (inst.op.type_rule(), &inst.inputs[..]) {
            (TypeRule::Return, [id]) => self.returned.is_some_and(|returned| !returned.sound || !id.is_some()),
            (TypeRule::Poke, [_]) => {
                let index = inst.immediates.first().and_then(|&index| usize::try_from(index).ok());
                index.and_then(|index| self.interface.outputs.get(index)) == Some(&false)
            }
            _ => false,
        }
    }

    /// What single operations are asked beside their operands.
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
            (TypeRule::Call, _, &[index, ..]) => {
                let callee = usize::try_from(index).ok().and_then(|index| self.signatures.get(index));
                if callee.is_none_or(|callee| callee.kind != FunctionKind::Generic) {
                    self.report.add_at(at, Rule::Callee, Detail::Index(index));
                }
            }
            (TypeRule::Poke, &[_, slot, _], _) => {
                let array = self.values.value(slot).filter(|value| matches!(value.ty, Some(Type::Array(..))));
                if array.is_some_and(|array| array.scope != SLOTS) {
                    self.report.id(at, Rule::Slot, slot);
                }
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

    /// How control goes on behind an instruction, its blocks aside.
    fn follow(&mut self, inst: &Inst, at: usize, way: Way) -> Way {
        match inst.op {
            Op::Poke if inst.inputs.len() != 3 => return way.writing(inst.immediates.first().copied()),
            Op::Break if !self.ways.breaks(way) => self.report.add_at(at, Rule::Jump, Detail::Op(inst.op)),
            Op::Continue if !self.ways.continues() => self.report.add_at(at, Rule::Jump, Detail::Op(inst.op)),
            Op::Return => {
                self.ways.exits();
                for index in self.ways.missing(way) {
                    self.missing(Some(at), index);
                }
            }
            Op::Discard => self.ways.exits(),
            _ => {}
        }
        if inst.op.is_jump() { Way::UNKNOWN } else { way }
    }

    /// An output that is not written where the function is left.
    fn missing(&mut self, at: Option<usize>, index: usize) {
        if let Some(output) = self.function.outputs.get(index) {
            let place = if at.is_some() { At::Code } else { At::Output(index) };
            self.report.put(at, Rule::Written, output_detail(self.function.kind, index, output), place);
        }
    }

    /// Defines an id, in the instruction that was walked last or, at an input, in none.
    fn define(&mut self, id: Id, ty: Option<Type>, scope: u32, place: At) {
        if !id.is_some() {
            return;
        }
        let at = self.next.checked_sub(1);
        if id.0 > limits::MAX_ID {
            self.report.put(at, Rule::IdLimit, Detail::Id(id), place);
        }
        if !self.values.define(id, Value { ty, scope, behind: narrow(self.next) }) {
            self.report.put(at, Rule::UniqueIds, Detail::Id(id), place);
        }
    }

    /// Leaves a PHI at the head of the innermost LOOP for that LOOP's end.
    pub(super) fn remember(&mut self, phi: HeadPhi<'a>) {
        self.ways.remember(phi);
    }
}

pub(super) fn add(types: &mut Option<Vec<Type>>, ty: Option<Type>) {
    match (types.as_mut(), ty) {
        (Some(types), Some(ty)) => types.push(ty),
        _ => *types = None,
    }
}

/// A number of a scope or instruction. What does not fit is a module of more than 200 GB.
pub(super) fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

pub(super) fn wide(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn operands(inst: &Inst) -> Detail {
    Detail::Operands {
        op: inst.op,
        output: inst.output.is_some(),
        inputs: inst.inputs.len(),
        immediates: inst.immediates.len(),
        blocks: inst.blocks.len(),
    }
}

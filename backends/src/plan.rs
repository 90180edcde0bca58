//! Decides how a function's values are written: which get a name, which stand where they are used, and which
//! conditionals are a choice between values.
//!
//! Rules (house style of the output): a value used once is written where it is used, unless the line would become
//! unreadable; one used often gets a name; what is shorter than a name for it (a component, a constant, a literal) never
//! does. A texture sample or a derivative stays where the fragments run together. A conditional that only chooses
//! between cheap values is a `select`.

use std::collections::HashMap;

use sdlbc::{Block, Function, Id, Inst, Op, Stages, Type, Types};

/// The longest expression, in characters, that is written in one line.
const LINE: usize = 96;
/// The characters of a name, for estimates.
const NAME: usize = 5;
/// The most that the arms of a `select` may cost together, see [`cost`].
const SELECT_COST: usize = 3;

/// How a value is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Style {
    /// Where it is used.
    #[default]
    Inline,
    /// By a name of its own, defined where it is computed.
    Named,
}

/// A stretch of code without control flow: a block, counted, and how many conditionals stand before.
type Region = (usize, usize);

#[derive(Clone, Copy, Debug, Default)]
struct Info {
    op: Option<Op>,
    /// How often its text would appear.
    uses: usize,
    style: Style,
    region: Region,
    /// The region in which it is written, if it is used once and inline.
    place: Option<Region>,
    /// The characters of its text, without those of `of`.
    length: usize,
    /// The vector that a swizzle picks from.
    of: Option<Id>,
}

/// The plan of a function.
#[derive(Debug)]
pub(crate) struct Plan {
    values: HashMap<Id, Info>,
    /// The PHIs of IFs that become selects, and the condition that chooses.
    selects: HashMap<Id, Id>,
    /// The regions at whose ends the operands of the other PHIs are stored.
    stores: HashMap<Id, Vec<Region>>,
    /// By output, whether it needs a variable.
    variables: Vec<bool>,
}

impl Plan {
    /// Plans `function`. `extra` counts further uses of values, which its outputs are put to; `results` are the values
    /// that its outputs are made of in one line, `None` for an output that needs a variable.
    pub(crate) fn new(function: &Function, types: &Types, extra: &[Id], results: &[Option<Id>]) -> Plan {
        let variables = results.iter().map(Option::is_none).collect();
        let results: Vec<Id> = results.iter().copied().flatten().collect();
        let (values, selects, stores) = Default::default();
        let mut plan = Plan { values, selects, stores, variables };
        let mut regions = Regions { next_block: 1, region: (0, 0) };
        for input in &function.inputs {
            plan.values.insert(input.id, Info { length: NAME, ..Info::default() });
        }
        plan.locate(&function.body, types, &mut regions);
        let end = regions.region;
        for &id in extra.iter().chain(&results) {
            plan.use_value(id, 1, Some(end));
        }
        plan.count(&function.body);
        plan.measure(&function.body);
        plan.shorten(&results);
        plan
    }

    /// Whether the value has a name of its own.
    pub(crate) fn is_named(&self, id: Id) -> bool {
        self.values.get(&id).is_some_and(|info| info.style == Style::Named)
    }

    /// Whether the IF in front of this PHI is a `select`.
    pub(crate) fn is_select(&self, phi: Id) -> bool {
        self.selects.contains_key(&phi)
    }

    /// The condition that chooses between a PHI's operands, if it is a `select`.
    pub(crate) fn condition_of(&self, phi: Id) -> Option<Id> {
        self.selects.get(&phi).copied()
    }

    /// Notes where each value is computed, and which IFs become selects.
    fn locate(&mut self, block: &Block, types: &Types, regions: &mut Regions) {
        for (at, inst) in block.iter().enumerate() {
            if inst.op == Op::If {
                let phis = phis_behind(block, at);
                let vectors = phis.iter().all(|phi| matches!(types.get(phi.output), Some(Type::Vector(..))));
                if vectors && chooses(inst, phis) {
                    let condition = inst.inputs.first().copied().unwrap_or_default();
                    self.selects.extend(phis.iter().map(|phi| (phi.output, condition)));
                    inst.blocks.iter().for_each(|arm| self.locate(arm, types, regions));
                } else {
                    let outside = regions.region;
                    let mut ends = Vec::with_capacity(2);
                    for (which, arm) in inst.blocks.iter().enumerate() {
                        regions.region = (regions.next_block, 0);
                        regions.next_block += 1;
                        self.locate(arm, types, regions);
                        // Where the second block is empty, its values are stored in front of the conditional.
                        ends.push(if which == 1 && arm.is_empty() { outside } else { regions.region });
                    }
                    regions.region = (outside.0, outside.1 + 1);
                    self.stores.extend(phis.iter().map(|phi| (phi.output, ends.clone())));
                }
            }
            if inst.output.is_some() {
                let of = inst.inputs.first().filter(|_| inst.op == Op::Swizzle).map(|&of| self.whole(of));
                let info = Info { op: Some(inst.op), region: regions.region, of, ..Info::default() };
                self.values.insert(inst.output, info);
            }
        }
    }

    fn use_value(&mut self, id: Id, times: usize, place: Option<Region>) {
        if let Some(info) = self.values.get_mut(&id) {
            info.place = if info.uses == 0 { place } else { None };
            info.uses = info.uses.saturating_add(times);
        }
    }

    /// Counts how often each value's text appears, backward, and decides on names.
    fn count(&mut self, block: &Block) {
        for (at, inst) in block.iter().enumerate().rev() {
            let info = self.values.get(&inst.output).copied().unwrap_or_default();
            let here = inst.output.is_some().then_some(info.region);
            match inst.op {
                Op::If => {
                    let phis = phis_behind(block, at);
                    let select = phis.first().is_some_and(|phi| self.is_select(phi.output));
                    inst.blocks.iter().rev().for_each(|arm| self.count(arm));
                    let times = if select { phis.len() } else { 1 };
                    self.use_inputs(inst, times, here);
                    continue;
                }
                Op::Poke => {
                    let output = inst.immediates.first().map_or(0, |&index| index as usize);
                    // Else its value is among the results.
                    if self.variables.get(output) == Some(&true) {
                        self.use_inputs(inst, 1, None);
                    }
                    continue;
                }
                Op::Phi if !self.is_select(inst.output) => {
                    // Read by its variable's name; its operands are stored at the arms' ends.
                    let places = self.stores.get(&inst.output).cloned().unwrap_or_default();
                    for (at, &id) in inst.inputs.iter().enumerate() {
                        self.use_value(id, 1, places.get(at).copied());
                    }
                    continue;
                }
                _ => {}
            }
            let cheap = is_cheap(inst);
            // What reads its neighbours stays where they run.
            let together = inst.op.stage() == Stages::Fragment;
            let moved = together && info.place != Some(info.region);
            let named = !cheap && (info.uses > 1 || moved);
            if named {
                self.set_named(inst.output);
            }
            let times = if cheap { info.uses } else { 1 };
            let place = if named || info.uses > 1 { here } else { info.place };
            self.use_inputs(inst, times, place);
        }
    }

    fn use_inputs(&mut self, inst: &Inst, times: usize, place: Option<Region>) {
        inst.inputs.iter().for_each(|&id| self.use_value(id, times, place));
    }

    fn set_named(&mut self, id: Id) {
        if let Some(info) = self.values.get_mut(&id) {
            info.style = Style::Named;
        }
    }

    /// Estimates the length of each value's text, and names operands where a line would grow too long.
    fn measure(&mut self, block: &Block) {
        for inst in block {
            inst.blocks.iter().for_each(|arm| self.measure(arm));
            if inst.output.is_some() {
                let condition = self.condition_of(inst.output);
                let operands: Vec<Id> = inst.inputs.iter().copied().chain(condition).collect();
                let inputs = self.shorten(&operands);
                if let Some(info) = self.values.get_mut(&inst.output) {
                    info.length = match inst.op {
                        Op::Phi if condition.is_none() => NAME,
                        Op::Swizzle => own_length(inst),
                        _ => inputs + own_length(inst),
                    };
                }
            }
        }
    }

    /// The length of a line of these values, after naming the longest as long as they are too long together.
    fn shorten(&mut self, ids: &[Id]) -> usize {
        if let [id] = *ids {
            // A name for all of a line would only move it.
            return self.length(id);
        }
        loop {
            let lengths = ids.iter().map(|&id| (self.length(id), id));
            let total: usize = lengths.clone().map(|(length, _)| length).sum();
            match lengths.max_by_key(|&(length, _)| length) {
                Some((_, id)) if total > LINE && self.nameable(self.whole(id)) => self.set_named(self.whole(id)),
                _ => return total,
            }
        }
    }

    /// The value whose components a swizzle picks, or a swizzle of a swizzle; any other value itself.
    pub(crate) fn whole(&self, id: Id) -> Id {
        self.values.get(&id).and_then(|info| info.of).unwrap_or(id)
    }

    /// Names may be given to what is computed, not to what is written in a few characters anyway.
    fn nameable(&self, id: Id) -> bool {
        let Some(info) = self.values.get(&id) else { return false };
        let by_name = match info.op {
            None | Some(Op::Swizzle) => true,
            Some(Op::Phi) => !self.is_select(id),
            _ => false,
        };
        info.style == Style::Inline && info.length > NAME && !by_name
    }

    fn length(&self, id: Id) -> usize {
        match self.values.get(&id) {
            Some(Info { style: Style::Named, .. }) => NAME,
            Some(info) => info.length + info.of.map_or(0, |of| self.length(of)), // `of` is no swizzle itself
            None => 0,
        }
    }
}

struct Regions {
    next_block: usize,
    region: Region,
}

/// The PHIs directly behind the IF at `at`.
pub(crate) fn phis_behind(block: &Block, at: usize) -> &[Inst] {
    let behind = block.get(at + 1..).unwrap_or_default();
    let count = behind.iter().take_while(|inst| inst.op == Op::Phi).count();
    &behind[..count]
}

/// Whether a value is written as shortly as a name for it, and so is never named.
fn is_cheap(inst: &Inst) -> bool {
    match inst.op {
        Op::Peek => inst.inputs.get(1) == Some(&Id::NONE),
        Op::Swizzle | Op::LiteralBool | Op::LiteralFloat | Op::LiteralInt => true,
        _ => false,
    }
}

/// Whether an IF only chooses between cheap values.
fn chooses(inst: &Inst, phis: &[Inst]) -> bool {
    let total = inst.blocks.iter().flatten().map(cost).fold(0, usize::saturating_add);
    !phis.is_empty() && phis.len() <= 2 && total <= SELECT_COST
}

/// What it costs to compute a value though it may not be needed.
fn cost(inst: &Inst) -> usize {
    match inst.op {
        _ if is_cheap(inst) => 0,
        Op::Vector | Op::LiteralFloat4 | Op::LiteralInt4 => 0,
        Op::Add | Op::Subtract | Op::Multiply | Op::Negate | Op::Abs | Op::Min | Op::Max | Op::Clamp => 1,
        Op::Not | Op::LogicalAnd | Op::LogicalOr | Op::Convert | Op::Floor | Op::Fract | Op::Select => 1,
        Op::Equal | Op::NotEqual => 1,
        Op::LessThan | Op::LessThanOrEqual | Op::GreaterThan | Op::GreaterThanOrEqual => 1,
        _ => usize::MAX,
    }
}

/// The characters that an operation adds to its operands.
fn own_length(inst: &Inst) -> usize {
    match inst.op {
        Op::LiteralFloat | Op::LiteralInt | Op::LiteralBool => 3,
        Op::Swizzle => 3,
        Op::Peek if is_cheap(inst) => 3,
        Op::Peek => 24,
        Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::LogicalAnd | Op::LogicalOr => 5,
        Op::Negate | Op::Not => 3,
        Op::Equal | Op::NotEqual | Op::LessThan | Op::GreaterThan => 5,
        Op::LessThanOrEqual | Op::GreaterThanOrEqual => 6,
        _ => 10,
    }
}

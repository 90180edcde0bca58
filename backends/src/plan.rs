//! Decides how a function's values are written: which get a name, which stand where they are used, and which
//! conditionals are a choice between values. In which order a loop's PHIs are stored is decided here too (`order.rs`).
//!
//! Rules (house style of the output): a value used once is written where it is used, unless the line would become
//! unreadable; one used often gets a name; what is shorter than a name for it (a component, a constant, a literal) never
//! does. A texture sample or a derivative stays where the fragments run together, what a loop would compute again and
//! again stays in front of it, and what is read of a slot is read before anything writes a slot. A conditional that only
//! chooses between cheap values is a `select`.

use std::collections::{HashMap, HashSet};

use sdlbc::{Block, Function, Id, InputKind, Inst, Op, Stages, Type, Types, flow};

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

/// A stretch of code without control flow: a block, counted, and how much stands before that a read of a slot may not
/// be moved across: control flow, calls, writes of slots.
type Region = (usize, usize);

/// Where an instruction stands: its region, and its innermost loop, counted from 1, or 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Spot {
    region: Region,
    around: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Info {
    op: Option<Op>,
    /// How often its text would appear.
    uses: usize,
    style: Style,
    spot: Spot,
    /// The region in which it is written, if it is used once and inline.
    place: Option<Region>,
    /// The characters of its text, without those of `of`.
    length: usize,
    /// The vector that a swizzle picks from.
    of: Option<Id>,
}

/// The plan of a function.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    values: HashMap<Id, Info>,
    /// The PHIs of IFs that become selects, and the condition that chooses.
    selects: HashMap<Id, Id>,
    /// The regions at whose ends the operands of the other PHIs are stored.
    stores: HashMap<Id, Vec<Region>>,
    /// The PHIs of loops' heads.
    heads: HashSet<Id>,
    /// The order in which a head's PHIs are stored, by the first of them.
    orders: HashMap<Id, Vec<usize>>,
    /// By output, whether it needs a variable.
    variables: Vec<bool>,
    slots: HashSet<Id>,
    spots: HashMap<*const Inst, Spot>,
}

impl Plan {
    /// Plans `function`. `extra` counts further uses of values, which its outputs are put to; `results` are the values
    /// that its outputs are made of in one line, `None` for an output that needs a variable; `repeats` says how often an
    /// instruction's text has each operand's.
    pub(crate) fn new(
        function: &Function,
        types: &Types,
        extra: &[Id],
        results: &[Option<Id>],
        repeats: &dyn Fn(&Inst) -> usize,
    ) -> Plan {
        let mut plan = Plan { variables: results.iter().map(Option::is_none).collect(), ..Plan::default() };
        let results: Vec<Id> = results.iter().copied().flatten().collect();
        let mut walk = Walk { next_block: 1, next_loop: 1, spot: Spot::default() };
        for input in &function.inputs {
            plan.values.insert(input.id, Info { length: NAME, ..Info::default() });
            if input.kind == InputKind::Local {
                plan.slots.insert(input.id);
            }
        }
        plan.locate(&function.body, types, &mut walk);
        let end = walk.spot;
        for &id in extra.iter().chain(&results) {
            plan.use_value(id, 1, Some(end.region), 0);
        }
        plan.count(&function.body, repeats);
        plan.measure(&function.body);
        plan.shorten(&results);
        plan.order_loops(&function.body);
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

    /// The order in which the PHIs at a loop's head are stored.
    pub(crate) fn order_of(&self, phis: &[Inst]) -> Vec<usize> {
        phis.first().and_then(|phi| self.orders.get(&phi.output)).cloned().unwrap_or_default()
    }

    /// Notes where each value is computed, and which IFs become selects.
    fn locate(&mut self, block: &Block, types: &Types, walk: &mut Walk) {
        for (at, inst) in block.iter().enumerate() {
            self.spots.insert(std::ptr::from_ref(inst), walk.spot);
            match inst.op {
                Op::If => self.locate_if(inst, phis_behind(block, at), types, walk),
                Op::Loop => {
                    let outside = walk.spot;
                    let around = walk.next_loop;
                    walk.next_loop += 1;
                    for code in &inst.blocks {
                        self.heads.extend(head_phis(code).iter().map(|phi| phi.output));
                        walk.enter(around);
                        self.locate(code, types, walk);
                    }
                    walk.leave(outside);
                }
                Op::Switch => {
                    let outside = walk.spot;
                    for code in &inst.blocks {
                        walk.enter(outside.around);
                        self.locate(code, types, walk);
                    }
                    walk.leave(outside);
                }
                Op::Call => walk.leave(walk.spot),
                Op::Poke if inst.inputs.len() > 1 => walk.leave(walk.spot),
                _ => {}
            }
            if inst.output.is_some() {
                let of = inst.inputs.first().filter(|_| inst.op == Op::Swizzle).map(|&of| self.whole(of));
                let info = Info { op: Some(inst.op), spot: walk.spot, of, ..Info::default() };
                self.values.insert(inst.output, info);
            }
        }
    }

    fn locate_if(&mut self, inst: &Inst, phis: &[Inst], types: &Types, walk: &mut Walk) {
        let vectors = phis.iter().all(|phi| matches!(types.get(phi.output), Some(Type::Vector(..))));
        if vectors && chooses(inst, phis) {
            let condition = inst.inputs.first().copied().unwrap_or_default();
            self.selects.extend(phis.iter().map(|phi| (phi.output, condition)));
            inst.blocks.iter().for_each(|arm| self.locate(arm, types, walk));
            return;
        }
        let outside = walk.spot;
        let mut ends = Vec::with_capacity(2);
        for (which, arm) in inst.blocks.iter().enumerate() {
            walk.enter(outside.around);
            self.locate(arm, types, walk);
            // Where the second block is empty, its values are stored in front of the conditional.
            ends.push(if which == 1 && arm.is_empty() { outside.region } else { walk.spot.region });
        }
        walk.leave(outside);
        self.stores.extend(phis.iter().map(|phi| (phi.output, ends.clone())));
    }

    /// Notes that a value's text appears so many times, in a place if it is known, in a loop.
    fn use_value(&mut self, id: Id, times: usize, place: Option<Region>, around: usize) {
        if let Some(info) = self.values.get_mut(&id) {
            // What a loop would compute each time is as good as used more than once.
            let times = if info.spot.around == around { times } else { times.saturating_mul(2) };
            info.place = if info.uses == 0 { place } else { None };
            info.uses = info.uses.saturating_add(times);
        }
    }

    /// Counts how often each value's text appears, backward, and decides on names.
    fn count(&mut self, block: &Block, repeats: &dyn Fn(&Inst) -> usize) {
        for (at, inst) in block.iter().enumerate().rev() {
            let spot = self.spots.get(&std::ptr::from_ref(inst)).copied().unwrap_or_default();
            match inst.op {
                Op::If => {
                    let phis = phis_behind(block, at);
                    let select = phis.first().is_some_and(|phi| self.is_select(phi.output));
                    inst.blocks.iter().rev().for_each(|arm| self.count(arm, repeats));
                    let times = if select { phis.len() } else { 1 };
                    self.use_inputs(inst, times, None, spot.around);
                }
                Op::Loop => inst.blocks.iter().for_each(|code| self.count_loop(code, spot, repeats)),
                Op::Switch => {
                    inst.blocks.iter().rev().for_each(|code| self.count(code, repeats));
                    self.use_inputs(inst, 1, None, spot.around);
                }
                Op::Call => {
                    self.set_named(inst.output);
                    self.use_inputs(inst, 1, None, spot.around);
                }
                Op::Poke if inst.inputs.len() > 1 => self.use_inputs(inst, 1, Some(spot.region), spot.around),
                Op::Poke => {
                    let output = inst.immediates.first().map_or(0, |&index| index as usize);
                    // Else its value is among the results.
                    if self.variables.get(output) == Some(&true) {
                        self.use_inputs(inst, 1, None, spot.around);
                    }
                }
                Op::Return => self.use_inputs(inst, 1, Some(spot.region), spot.around),
                // Its operands are counted with the loop.
                Op::Phi if self.heads.contains(&inst.output) => {}
                Op::Phi if !self.is_select(inst.output) => {
                    // Read by its variable's name; its operands are stored at the arms' ends.
                    let places = self.stores.get(&inst.output).cloned().unwrap_or_default();
                    for (at, &id) in inst.inputs.iter().enumerate() {
                        self.use_value(id, 1, places.get(at).copied(), spot.around);
                    }
                }
                _ => self.count_value(inst, repeats(inst)),
            }
        }
    }

    fn count_value(&mut self, inst: &Inst, repeats: usize) {
        let info = self.values.get(&inst.output).copied().unwrap_or_default();
        let here = inst.output.is_some().then_some(info.spot.region);
        let reads_slot = inst.op == Op::Peek && inst.inputs.first().is_some_and(|id| self.slots.contains(id));
        let cheap = is_cheap(inst) && !reads_slot;
        // What reads its neighbours stays where they run, what reads a slot where it is not yet written again.
        let stays = inst.op.stage() == Stages::Fragment || reads_slot;
        let moved = stays && info.place != Some(info.spot.region);
        let named = !cheap && (info.uses > 1 || moved);
        if named {
            self.set_named(inst.output);
        }
        let times = if cheap { info.uses } else { 1 };
        let place = if named || info.uses > 1 { here } else { info.place };
        self.use_inputs(inst, times.saturating_mul(repeats), place, info.spot.around);
    }

    fn count_loop(&mut self, code: &Block, outside: Spot, repeats: &dyn Fn(&Inst) -> usize) {
        let phis = head_phis(code);
        // The values that the head gets when the loop begins again are stored at its end and at each CONTINUE.
        let times = usize::from(flow::falls_through(code)) + continues(code);
        let around = phis.first().and_then(|phi| self.values.get(&phi.output)).map_or(0, |info| info.spot.around);
        for &id in phis.iter().filter_map(|phi| phi.inputs.get(1)) {
            self.use_value(id, times.max(1), None, around);
        }
        self.count(code, repeats);
        for &id in phis.iter().filter_map(|phi| phi.inputs.first()) {
            self.use_value(id, 1, Some(outside.region), outside.around);
        }
    }

    fn use_inputs(&mut self, inst: &Inst, times: usize, place: Option<Region>, around: usize) {
        inst.inputs.iter().for_each(|&id| self.use_value(id, times, place, around));
    }

    /// Keeps the order in which the PHIs of a head are stored, the first of which is `first`.
    pub(crate) fn set_order(&mut self, first: Id, order: Vec<usize>) {
        self.orders.insert(first, order);
    }

    pub(crate) fn set_named(&mut self, id: Id) {
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
            // A name for all of a line would only move it, but calls in calls have an end too.
            if self.length(id) > 2 * LINE && self.nameable(self.whole(id)) {
                self.set_named(self.whole(id));
            }
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

/// Where the walk is.
struct Walk {
    next_block: usize,
    next_loop: usize,
    spot: Spot,
}

impl Walk {
    /// Goes into a block, in a loop.
    fn enter(&mut self, around: usize) {
        self.spot = Spot { region: (self.next_block, 0), around };
        self.next_block += 1;
    }

    /// Goes on behind something in the way of reads.
    fn leave(&mut self, outside: Spot) {
        self.spot = Spot { region: (outside.region.0, outside.region.1 + 1), around: outside.around };
    }
}

/// The PHIs at the head of a loop's code.
pub(crate) fn head_phis(code: &Block) -> &[Inst] {
    code.get(..flow::phis(code)).unwrap_or_default()
}

/// How many CONTINUEs lead from the code of a loop to its head.
pub(crate) fn continues(code: &Block) -> usize {
    code.iter()
        .map(|inst| match inst.op {
            Op::Continue => 1,
            Op::Loop => 0,
            _ => inst.blocks.iter().map(continues).sum(),
        })
        .sum()
}

/// The PHIs directly behind the IF at `at`.
pub(crate) fn phis_behind(block: &[Inst], at: usize) -> &[Inst] {
    let behind = block.get(at + 1..).unwrap_or_default();
    behind.get(..flow::phis(behind)).unwrap_or_default()
}

/// Whether a value is written as shortly as a name for it, and so is never named.
fn is_cheap(inst: &Inst) -> bool {
    match inst.op {
        Op::Peek => inst.inputs.get(1) == Some(&Id::NONE),
        Op::Swizzle | Op::LiteralBool | Op::LiteralFloat | Op::LiteralInt | Op::LiteralUint => true,
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
        Op::LiteralFloat | Op::LiteralInt | Op::LiteralUint | Op::LiteralBool => 3,
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

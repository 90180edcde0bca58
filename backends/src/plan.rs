//! Decides for each value of a function whether it gets a name in the output or is inlined where it is used. The order in which a
//! loop's PHIs are stored is part of the plan (`order.rs`). SPIR-V needs no plan.
//!
//! Rules for the style of the output: a value that is used once is inlined, unless the line would become unreadable. A value that
//! is used several times gets a name, unless its expression is shorter than a name (a component, a constant, a literal). Texture
//! samples and derivatives stay in uniform control flow. Computations are not sunk into a loop that would repeat them. A read of
//! a local array stays before the next write to a local array. A read of memory with atomic elements always gets a name.

use sdlbc::{Block, Body, Function, Id, IdMap, InputKind, Inst, InstRef, Op, Stages, Types, flow};

/// The maximum length of an expression on one line, in characters.
const LINE: usize = 96;
/// The assumed length of a name in characters.
const NAME: usize = 5;

/// A region of code within which reads of local arrays may be moved. The region is identified by the block's index and the number
/// of preceding control flow instructions, calls, barriers and writes to local arrays in the block.
type Region = (usize, usize);

/// The region of an instruction, and the number of its innermost loop, counted from 1, or 0 outside all loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Position {
    region: Region,
    around: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Info {
    op: Option<Op>,
    /// The number of times that the expression would be written if the value were inlined.
    uses: usize,
    /// Whether the value gets a name where it is computed, instead of being inlined where it is used.
    is_named: bool,
    position: Position,
    /// The region in which the expression is written, if the value is used once and inlined.
    place: Option<Region>,
    /// The length of the expression in characters, excluding the vector `of`.
    length: usize,
    /// The vector that a swizzle selects from.
    of: Option<Id>,
}

#[derive(Debug, Default)]
pub(crate) struct Plan {
    values: IdMap<Info>,
    /// Maps each PHI after an IF to the regions that end with the stores of the PHI's operands.
    stores: IdMap<Vec<Region>>,
    /// The PHIs at loop heads.
    heads: IdMap<()>,
    has_heads: bool,
    /// Whether the function has a PHI after an IF. Such a PHI becomes a variable.
    has_variables: bool,
    /// The order in which the PHIs of each loop head are stored. The key is the first PHI of the head.
    pub(crate) orders: IdMap<Vec<usize>>,
    /// Whether each output needs a variable.
    variables: Vec<bool>,
    /// The local arrays, and the memory that POKE may write.
    locals: Vec<Id>,
    /// The memory whose elements are atomic.
    atomics: Vec<Id>,
    /// The storage buffers that the function reads but does not write.
    buffers: Vec<Id>,
    /// The positions of control flow instructions, calls, writes and PHIs, in reading order. [`Plan::count`] pops each position
    /// that it reaches.
    positions: Vec<Position>,
}

/// The uses of values that depend on the target.
#[derive(Clone, Copy)]
pub(crate) struct Uses<'a> {
    /// Output values, such as an adjusted position, each of which counts as one additional use.
    pub(crate) extra: &'a [Id],
    /// The value from which each output is written directly, or `None` for an output that needs a variable.
    pub(crate) results: &'a [Option<Id>],
    /// Returns how often an instruction's expression contains each of its operands.
    pub(crate) repeats: &'a dyn Fn(&Inst) -> usize,
}

impl Plan {
    /// Decides which values of `function` get names. `atomics` lists the memory whose elements are atomic.
    pub(crate) fn new(function: &Function, types: &Types, atomics: Vec<Id>, uses: &Uses<'_>) -> Plan {
        let Uses { extra, results, repeats } = *uses;
        let mut plan = Plan {
            atomics,
            values: types.table(),
            stores: types.table(),
            heads: types.table(),
            orders: types.table(),
            variables: results.iter().map(Option::is_none).collect(),
            ..Plan::default()
        };
        let results: Vec<Id> = results.iter().copied().flatten().collect();
        let mut cursor = Cursor { next_block: 1, next_loop: 1, position: Position::default() };
        for input in &function.inputs {
            plan.values.insert(input.id, Info { length: NAME, ..Info::default() });
            if input.kind.is_variable() {
                plan.locals.push(input.id);
            } else if let InputKind::Buffer { .. } = input.kind {
                plan.buffers.push(input.id);
            }
        }
        plan.locate(function.body.block(), &mut cursor);
        let end = cursor.position;
        for &id in extra.iter().chain(&results) {
            plan.use_value(id, 1, Some(end.region), 0);
        }
        plan.count(function.body.block(), repeats);
        plan.measure(function.body.block());
        plan.shorten(&results, LINE);
        if plan.has_heads {
            plan.order_loops(&function.body);
        }
        plan
    }

    pub(crate) fn is_named(&self, id: Id) -> bool {
        self.values.get(id).is_some_and(|info| info.is_named)
    }

    /// Reports whether any expression or statement reads a value.
    pub(crate) fn is_used(&self, id: Id) -> bool {
        self.values.get(id).is_some_and(|info| info.uses > 0)
    }

    pub(crate) fn table<T>(&self) -> IdMap<T> {
        self.values.with_the_ids()
    }

    /// Reports whether any PHI becomes a variable.
    pub(crate) fn has_variables(&self) -> bool {
        self.has_variables || self.has_heads
    }

    /// Returns the order in which the PHIs of a loop head are stored. Without a plan, any order is correct, because each value is
    /// computed once, at its instruction.
    pub(crate) fn order_of(&self, phis: &[Inst]) -> Vec<usize> {
        let order = phis.first().and_then(|phi| self.orders.get(phi.output));
        order.cloned().unwrap_or_else(|| (0..phis.len()).collect())
    }

    fn locate(&mut self, block: Block<'_>, cursor: &mut Cursor) {
        for inst in block {
            if has_position(inst.op) {
                self.positions.push(cursor.position);
            }
            match inst.op {
                Op::If => self.locate_if(inst, phis_after(inst), cursor),
                Op::Loop => {
                    let outside = cursor.position;
                    let around = cursor.next_loop;
                    cursor.next_loop += 1;
                    for code in inst.blocks() {
                        let phis = head_phis(code);
                        phis.iter().for_each(|phi| _ = self.heads.insert(phi.output, ()));
                        self.has_heads |= !phis.is_empty();
                        cursor.enter(around);
                        self.locate(code, cursor);
                    }
                    cursor.leave(outside);
                }
                Op::Switch => {
                    let outside = cursor.position;
                    for code in inst.blocks() {
                        cursor.enter(outside.around);
                        self.locate(code, cursor);
                    }
                    cursor.leave(outside);
                }
                Op::Call | Op::Barrier => cursor.leave(cursor.position),
                Op::Poke if inst.inputs.len() > 1 => cursor.leave(cursor.position),
                op if op.is_atomic() => cursor.leave(cursor.position),
                _ => {}
            }
            if inst.output.is_some() {
                let of = inst.inputs.first().filter(|_| inst.op == Op::Swizzle).map(|&of| self.whole(of));
                let info = Info { op: Some(inst.op), position: cursor.position, of, ..Info::default() };
                self.values.insert(inst.output, info);
            }
        }
    }

    fn locate_if(&mut self, inst: InstRef<'_>, phis: &[Inst], cursor: &mut Cursor) {
        self.has_variables |= !phis.is_empty();
        let outside = cursor.position;
        let mut ends = Vec::with_capacity(2);
        for (which, arm) in inst.blocks().enumerate() {
            cursor.enter(outside.around);
            self.locate(arm, cursor);
            // An empty second block needs no `else`, because its values are stored before the conditional.
            ends.push(if which == 1 && arm.is_empty() { outside.region } else { cursor.position.region });
        }
        cursor.leave(outside);
        phis.iter().for_each(|phi| _ = self.stores.insert(phi.output, ends.clone()));
    }

    /// Records that a value's expression is written `times` times in the loop `around`. `place` is the region in which the
    /// expression is written, if that region is known.
    fn use_value(&mut self, id: Id, times: usize, place: Option<Region>, around: usize) {
        if let Some(info) = self.values.get_mut(id) {
            // A value that an inner loop would compute again in each iteration counts as used more than once.
            let times = if info.position.around == around { times } else { times.saturating_mul(2) };
            info.place = if info.uses == 0 { place } else { None };
            info.uses = info.uses.saturating_add(times);
        }
    }

    /// Walks backward, counts how often the expression of each value is written, and decides which values get names.
    fn count(&mut self, block: Block<'_>, repeats: &dyn Fn(&Inst) -> usize) {
        let insts: Vec<InstRef<'_>> = block.iter().collect();
        for inst in insts.into_iter().rev() {
            // An instruction's blocks come after the instruction, so the backward walk visits the blocks first.
            match inst.op {
                Op::Loop => inst.blocks().for_each(|code| self.count_loop(code, repeats)),
                _ => inst.blocks().rev().for_each(|code| self.count(code, repeats)),
            }
            let position =
                if has_position(inst.op) { self.positions.pop().unwrap_or_default() } else { Position::default() };
            match inst.op {
                Op::Loop => inst.blocks().for_each(|code| self.enter_loop(code, position)),
                Op::If | Op::Switch => self.use_inputs(&inst, 1, None, position.around),
                Op::Call => {
                    self.set_named(inst.output);
                    self.use_inputs(&inst, 1, None, position.around);
                }
                op if op.is_atomic() => {
                    self.set_named(inst.output);
                    // A target may repeat a compare-exchange.
                    let times = if op == Op::AtomicCompareExchange { 2 } else { 1 };
                    self.use_inputs(&inst, times, Some(position.region), position.around);
                }
                Op::ImageStore | Op::Return => self.use_inputs(&inst, 1, Some(position.region), position.around),
                Op::Poke if inst.inputs.len() > 1 => self.use_inputs(&inst, 1, Some(position.region), position.around),
                Op::Poke => {
                    let output = inst.immediates.first().map_or(0, |&index| index as usize);
                    // If an output has no variable, its value is among the results, which are already counted.
                    if self.variables.get(output) == Some(&true) {
                        self.use_inputs(&inst, 1, None, position.around);
                    }
                }
                // `count_loop` and `enter_loop` count the operands of a PHI at a loop head.
                Op::Phi if self.heads.contains(inst.output) => {}
                Op::Phi => {
                    // A PHI is written as its variable's name, and its operands are stored at the ends of the arms.
                    let places = self.stores.get(inst.output).cloned().unwrap_or_default();
                    for (at, &id) in inst.inputs.iter().enumerate() {
                        self.use_value(id, 1, places.get(at).copied(), position.around);
                    }
                }
                _ => self.count_value(&inst, repeats(&inst)),
            }
        }
    }

    fn count_value(&mut self, inst: &Inst, repeats: usize) {
        let info = self.values.get(inst.output).copied().unwrap_or_default();
        let here = inst.output.is_some().then_some(info.position.region);
        let reads_local = inst.op == Op::Peek && inst.inputs.first().is_some_and(|id| self.locals.contains(id));
        // Reading a storage buffer also queries its number of elements, so the expression is too long to repeat.
        let reads_buffer = inst.op == Op::Peek && inst.inputs.first().is_some_and(|id| self.buffers.contains(id));
        let cheap = is_cheap(inst) && !reads_local && !reads_buffer;
        // A derivative or sample stays in its region of control flow, and a read of a local array stays before the next write to
        // the array.
        let stays = inst.op.stage() == Stages::Fragment || reads_local;
        let moved = stays && info.place != Some(info.position.region);
        // An atomic read is a statement of its own in some languages.
        let is_atomic = inst.op == Op::Peek && inst.inputs.first().is_some_and(|id| self.atomics.contains(id));
        let named = !cheap && (info.uses > 1 || moved) || is_atomic;
        if named {
            self.set_named(inst.output);
        }
        let times = if cheap { info.uses } else { 1 };
        let place = if named || info.uses > 1 { here } else { info.place };
        self.use_inputs(inst, times.saturating_mul(repeats), place, info.position.around);
    }

    /// Counts the uses in a loop's body. The next value of each PHI at the loop's head counts as used where the value is stored.
    fn count_loop(&mut self, code: Block<'_>, repeats: &dyn Fn(&Inst) -> usize) {
        let phis = head_phis(code);
        // The next values of the head's PHIs are stored at the end of the body and at each CONTINUE.
        let times = usize::from(flow::falls_through(code)) + continues(code);
        let around = phis.first().and_then(|phi| self.values.get(phi.output)).map_or(0, |info| info.position.around);
        for &id in phis.iter().filter_map(|phi| phi.inputs.get(1)) {
            self.use_value(id, times.max(1), None, around);
        }
        self.count(code, repeats);
    }

    /// Counts one use of the initial value of each PHI at a loop head, because the value is stored before the loop.
    fn enter_loop(&mut self, code: Block<'_>, outside: Position) {
        for &id in head_phis(code).iter().filter_map(|phi| phi.inputs.first()) {
            self.use_value(id, 1, Some(outside.region), outside.around);
        }
    }

    fn use_inputs(&mut self, inst: &Inst, times: usize, place: Option<Region>, around: usize) {
        inst.inputs.iter().for_each(|&id| self.use_value(id, times, place, around));
    }

    pub(crate) fn set_named(&mut self, id: Id) {
        if let Some(info) = self.values.get_mut(id) {
            info.is_named = true;
        }
    }

    /// Estimates the length of each value's expression, and names operands if a line would get too long.
    fn measure(&mut self, block: Block<'_>) {
        for inst in block {
            inst.blocks().for_each(|arm| self.measure(arm));
            if inst.output.is_some() {
                let inputs = self.shorten(&inst.inputs, if self.is_choice(&inst) { 2 * LINE } else { LINE });
                if let Some(info) = self.values.get_mut(inst.output) {
                    info.length = match inst.op {
                        Op::Phi => NAME,
                        Op::Swizzle => own_length(&inst),
                        _ => inputs + own_length(&inst),
                    };
                }
            }
        }
    }

    /// Reports whether an instruction builds a vector only from SELECT results, which is as readable as a single SELECT.
    fn is_choice(&self, inst: &Inst) -> bool {
        let is_select = |id: &Id| self.values.get(*id).is_some_and(|info| info.op == Some(Op::Select));
        inst.op == Op::Vector && inst.inputs.iter().all(is_select)
    }

    /// Names the longest values until all values fit on a line of the length `line`, and returns the total length of the values.
    fn shorten(&mut self, ids: &[Id], line: usize) -> usize {
        if let [id] = *ids {
            // Naming a line's only value would not shorten the code, but it keeps nested calls from growing without limit.
            if self.length(id) > 2 * LINE && self.nameable(self.whole(id)) {
                self.set_named(self.whole(id));
            }
            return self.length(id);
        }
        loop {
            let lengths = ids.iter().map(|&id| (self.length(id), id));
            let total: usize = lengths.clone().map(|(length, _)| length).sum();
            match lengths.max_by_key(|&(length, _)| length) {
                Some((_, id)) if total > line && self.nameable(self.whole(id)) => self.set_named(self.whole(id)),
                _ => return total,
            }
        }
    }

    /// Returns the vector from which a swizzle, or a chain of swizzles, selects. Returns any other value unchanged.
    pub(crate) fn whole(&self, id: Id) -> Id {
        self.values.get(id).and_then(|info| info.of).unwrap_or(id)
    }

    /// Reports whether naming a value would shorten the line.
    fn nameable(&self, id: Id) -> bool {
        let Some(info) = self.values.get(id) else { return false };
        let by_name = matches!(info.op, None | Some(Op::Swizzle | Op::Phi | Op::TextureOffset));
        !info.is_named && info.length > NAME && !by_name
    }

    fn length(&self, id: Id) -> usize {
        match self.values.get(id) {
            Some(Info { is_named: true, .. }) => NAME,
            Some(info) => info.length + info.of.map_or(0, |of| self.length(of)), // `of` is never a swizzle.
            None => 0,
        }
    }
}

struct Cursor {
    next_block: usize,
    next_loop: usize,
    position: Position,
}

impl Cursor {
    fn enter(&mut self, around: usize) {
        self.position = Position { region: (self.next_block, 0), around };
        self.next_block += 1;
    }

    /// Begins a new region after an instruction, because reads must not be moved across the instruction.
    fn leave(&mut self, outside: Position) {
        self.position = Position { region: (outside.region.0, outside.region.1 + 1), around: outside.around };
    }
}

/// Reports whether the plan needs the position of an instruction, not only the position of its result.
fn has_position(op: Op) -> bool {
    matches!(op, Op::If | Op::Loop | Op::Switch | Op::Poke | Op::ImageStore | Op::Return | Op::Phi)
        || op.has_result_and_effect()
}

/// Fills `table`, which is an empty table for the function's values, with the instruction that defines each value.
pub(crate) fn definitions<'a>(body: &'a Body, mut table: IdMap<&'a Inst>) -> IdMap<&'a Inst> {
    let values = body.insts().iter().filter(|inst| inst.output.is_some());
    values.for_each(|inst| _ = table.insert(inst.output, inst));
    table
}

/// Returns the PHIs at the beginning of a block, such as the PHIs of a loop head.
pub(crate) fn head_phis(code: Block<'_>) -> &[Inst] {
    code.all().get(..flow::phis(code.all())).unwrap_or_default()
}

/// Counts the CONTINUEs that lead from a loop's body to its head.
pub(crate) fn continues(code: Block<'_>) -> usize {
    code.iter()
        .map(|inst| match inst.op {
            Op::Continue => 1,
            Op::Loop => 0,
            _ => inst.blocks().map(continues).sum(),
        })
        .sum()
}

/// Returns the PHIs directly after an IF.
pub(crate) fn phis_after(inst: InstRef<'_>) -> &[Inst] {
    head_phis(inst.following())
}

/// Reports whether a value's expression is no longer than a name, in which case the value is never named.
pub(crate) fn is_cheap(inst: &Inst) -> bool {
    match inst.op {
        Op::Peek => inst.inputs.get(1) == Some(&Id::NONE),
        // A TEXTUREOFFSET is written as an operand of the texture function that uses it.
        Op::TextureOffset | Op::Swizzle | Op::LiteralBool | Op::LiteralFloat | Op::LiteralInt | Op::LiteralUint => true,
        _ => false,
    }
}

/// Returns the number of characters that an operation adds to the length of its operands.
fn own_length(inst: &Inst) -> usize {
    match inst.op {
        Op::LiteralFloat | Op::LiteralInt | Op::LiteralUint | Op::LiteralBool | Op::Swizzle | Op::Negate | Op::Not => 3,
        Op::Peek if is_cheap(inst) => 3,
        Op::Peek => 24,
        Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::LogicalAnd | Op::LogicalOr => 5,
        Op::Equal | Op::NotEqual | Op::LessThan | Op::GreaterThan => 5,
        Op::LessThanOrEqual | Op::GreaterThanOrEqual => 6,
        _ => 10,
    }
}

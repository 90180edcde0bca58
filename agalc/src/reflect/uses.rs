//! Determines which components of each value are needed in an entry function and in the functions that it calls.
//!
//! Rule: a component is needed only if a write to an output, a jump, a discard, a call or another instruction with an effect
//! depends on it. The analysis propagates needed components backward from the instructions with effects, using a worklist of
//! values. The running time of the analysis is proportional to the size of the module. Dead code needs no components, even if the
//! dead code has not been removed. The analysis requires a verified module.

use std::collections::{BTreeMap, HashMap, HashSet};

use sdlbc::module::lanes;
use sdlbc::{Function, Id, InputKind, Inst, Module, Op, OutputKind, Scalar, Type, TypeRule, Types};

use super::code::{Code, Step};

/// A set of components: bit c stands for component c of a vector, and bit 4 * column + row for a component of a matrix.
pub(super) type Needed = u16;

/// Returns the set of all components of a vector with `width` components.
pub(super) const fn all_of(width: u8) -> Needed {
    (1 << if width > 4 { 4 } else { width }) - 1
}

/// Returns the set of all components of a type.
pub(super) fn whole(ty: Type) -> Needed {
    match ty {
        Type::Vector(_, width) | Type::Array(_, width, _) | Type::Buffer(_, width) => all_of(width),
        Type::Matrix { columns, rows } => (0..columns).fold(0, |set, column| set | all_of(rows) << (4 * column)),
        Type::Texture(..) | Type::Image(..) => all_of(4),
    }
}

pub(super) struct Reached<'a> {
    /// The function's index in the module.
    pub(super) index: usize,
    pub(super) function: &'a Function,
    pub(super) code: Code<'a>,
    types: Types,
    needed: HashMap<Id, Needed>,
    /// The indices of needed instructions that have an effect, and of the instructions whose blocks contain them.
    entered: HashSet<usize>,
    /// The components of the function's result that its callers need.
    returned: Needed,
}

impl Reached<'_> {
    pub(super) fn needed(&self, id: Id) -> Needed {
        self.needed.get(&id).copied().unwrap_or(0)
    }

    pub(super) fn input(&self, id: Id) -> Option<&sdlbc::Input> {
        self.function.inputs.iter().find(|input| input.id == id)
    }

    /// Reports whether a POKE writes memory that other invocations see.
    fn is_seen_by_others(&self, poke: &Inst) -> bool {
        let written = poke.inputs.get(1).and_then(|&id| self.input(id));
        written.is_some_and(|input| input.kind.is_seen_by_others())
    }

    /// Returns the instructions that have an effect or whose results are needed.
    pub(super) fn used(&self) -> impl Iterator<Item = &Inst> {
        let steps = self.code.steps.iter().enumerate();
        let is_needed = |id: Id| id.is_some() && self.needed(id) != 0;
        let used = steps.filter(move |(index, step)| is_needed(step.inst.output) || self.entered.contains(index));
        used.map(|(_, step)| step.inst)
    }
}

#[derive(Default)]
pub(super) struct Uses<'a> {
    /// The entry function, followed by the functions that it calls.
    pub(super) functions: Vec<Reached<'a>>,
    /// Maps the index of a function in the module to its index in `functions`.
    places: BTreeMap<usize, usize>,
    /// Maps each called function to its CALL instructions, as pairs of the caller's index and the instruction's index.
    callers: HashMap<usize, Vec<(usize, usize)>>,
    /// Maps each local slot, given as a function index and the slot's id, to the instructions that write to the slot.
    writes: HashMap<(usize, Id), Vec<usize>>,
    /// The worklist of values with newly needed components, each given as a function index and the value's id.
    waiting: Vec<(usize, Id)>,
}

impl<'a> Uses<'a> {
    pub(super) fn of(module: &'a Module, entry: usize) -> Uses<'a> {
        let signatures = module.signatures();
        let mut uses = Uses::default();
        for index in [entry].into_iter().chain(sdlbc::call_order(module, entry)) {
            let Some(function) = module.functions.get(index) else { continue };
            let types = sdlbc::verify::types_with(function, &signatures);
            uses.places.insert(index, uses.functions.len());
            uses.functions.push(Reached {
                index,
                function,
                code: Code::of(function),
                types,
                needed: HashMap::new(),
                entered: HashSet::new(),
                returned: 0,
            });
        }
        uses.index();
        for place in 0..uses.functions.len() {
            uses.effects(place);
        }
        while let Some((place, id)) = uses.waiting.pop() {
            uses.value(place, id);
        }
        uses
    }

    fn index(&mut self) {
        for (place, reached) in self.functions.iter().enumerate() {
            for (index, step) in reached.code.steps.iter().enumerate() {
                match (step.inst.op, &step.inst.inputs[..]) {
                    (Op::Call, _) => {
                        if let Some(callee) = self.callee(step.inst) {
                            self.callers.entry(callee).or_default().push((place, index));
                        }
                    }
                    (Op::Poke, &[_, slot, _]) => self.writes.entry((place, slot)).or_default().push(index),
                    _ => {}
                }
            }
        }
    }

    /// Returns the index in `functions` of a CALL's callee.
    fn callee(&self, inst: &Inst) -> Option<usize> {
        let index = usize::try_from(*inst.immediates.first()?).ok()?;
        self.places.get(&index).copied()
    }

    fn step(&self, place: usize, index: usize) -> Option<&Step<'a>> {
        self.functions.get(place)?.code.steps.get(index)
    }

    /// Marks the instructions of a function that have an effect as needed.
    fn effects(&mut self, place: usize) {
        let Some(reached) = self.functions.get(place) else { return };
        let has_effect = |inst: &Inst| match inst.op {
            // A write to a local slot has an effect only if the slot is read. A write to an output has an effect, as does a write
            // to memory that other invocations see.
            Op::Poke => inst.inputs.len() == 1 || reached.is_seen_by_others(inst),
            // A call or a loop may discard the fragment, or may never end. An atomic operation writes memory.
            Op::Loop | Op::Barrier | Op::ImageStore => true,
            op => op.is_jump() || op.has_result_and_effect(),
        };
        let steps = reached.code.steps.iter().enumerate();
        let effects: Vec<usize> = steps.filter(|(_, step)| has_effect(step.inst)).map(|(index, _)| index).collect();
        effects.into_iter().for_each(|index| self.enter(place, index));
    }

    /// Marks an instruction as needed, together with the conditions under which it runs.
    fn enter(&mut self, place: usize, index: usize) {
        let mut next = Some(index);
        while let Some(index) = next {
            let Some(reached) = self.functions.get_mut(place) else { return };
            if !reached.entered.insert(index) {
                return;
            }
            let returned = reached.returned;
            let Some(step) = self.step(place, index) else { return };
            next = step.parent;
            let inst = step.inst;
            let first = inst.inputs.first().copied().unwrap_or_default();
            match inst.op {
                Op::If | Op::Switch => self.need(place, first, 1),
                Op::Poke if inst.inputs.len() > 1 => {
                    let slot = inst.inputs.get(1).copied().unwrap_or_default();
                    let reached = self.functions.get(place);
                    let read = match reached.and_then(|reached| reached.input(slot)) {
                        Some(input) if input.kind.is_seen_by_others() => whole(input.ty),
                        _ => reached.map_or(0, |reached| reached.needed(slot)),
                    };
                    self.need(place, first, read);
                    self.need(place, inst.inputs.get(2).copied().unwrap_or_default(), 1);
                }
                // A POKE with one operand writes an output. The others write memory that other invocations see.
                op if op == Op::Poke || op == Op::ImageStore || op.is_atomic() => {
                    for &id in &inst.inputs {
                        let ty = self.functions.get(place).and_then(|reached| reached.types.get(id));
                        self.need(place, id, ty.map_or(0, whole));
                    }
                }
                Op::Return => self.need(place, first, returned),
                Op::Call => self.arguments(place, inst),
                _ => {}
            }
        }
    }

    /// Marks the components of a CALL's arguments that correspond to the needed components of the callee's parameters.
    fn arguments(&mut self, place: usize, call: &'a Inst) {
        let Some(callee) = self.callee(call).and_then(|callee| self.functions.get(callee)) else { return };
        let parameters = callee.function.inputs.iter().filter(|input| input.kind == InputKind::Parameter);
        let needed: Vec<Needed> = parameters.map(|input| callee.needed(input.id)).collect();
        call.inputs.iter().zip(needed).for_each(|(&argument, needed)| self.need(place, argument, needed));
    }

    fn need(&mut self, place: usize, id: Id, components: Needed) {
        let Some(reached) = self.functions.get_mut(place).filter(|_| id.is_some() && components != 0) else { return };
        let needed = reached.needed.entry(id).or_default();
        if *needed | components != *needed {
            *needed |= components;
            self.waiting.push((place, id));
        }
    }

    /// Marks the components of other values from which a value's needed components are computed.
    fn value(&mut self, place: usize, id: Id) {
        let Some(reached) = self.functions.get(place) else { return };
        let needed = reached.needed(id);
        if let Some(&index) = reached.code.defined.get(&id) {
            return self.operands(place, index, needed);
        }
        match reached.input(id).map(|input| input.kind) {
            Some(InputKind::Parameter) => {
                for (caller, index) in self.callers.get(&place).cloned().unwrap_or_default() {
                    let call = self.step(caller, index).map(|step| step.inst);
                    call.into_iter().for_each(|call| self.arguments(caller, call));
                }
            }
            Some(InputKind::Local) => {
                for index in self.writes.get(&(place, id)).cloned().unwrap_or_default() {
                    self.enter(place, index);
                    // An earlier visit may have marked fewer components of the value that is written.
                    let value = self.step(place, index).and_then(|step| step.inst.inputs.first().copied());
                    self.need(place, value.unwrap_or_default(), needed);
                }
            }
            _ => {}
        }
    }

    /// Marks the operand components from which the instruction at `index` computes the components `m` of its result.
    fn operands(&mut self, place: usize, index: usize, m: Needed) {
        let Some(step) = self.step(place, index) else { return };
        let (inst, branch, arrives) = (step.inst, step.branch, step.arrives);
        match inst.op {
            Op::Phi => {
                for (&input, _) in inst.inputs.iter().zip(arrives).filter(|(_, arrives)| *arrives) {
                    self.need(place, input, m);
                }
                branch.into_iter().for_each(|branch| self.enter(place, branch));
            }
            Op::Call => {
                let Some(callee) = self.callee(inst) else { return };
                let Some(reached) = self.functions.get_mut(callee) else { return };
                reached.returned |= m;
                let returned = reached.returned;
                let steps = reached.code.steps.iter().filter(|step| step.inst.op == Op::Return);
                let values: Vec<Id> = steps.filter_map(|step| step.inst.inputs.first().copied()).collect();
                values.into_iter().for_each(|value| self.need(callee, value, returned));
            }
            _ => {
                let types = self.functions.get(place).map(|reached| {
                    inst.inputs.iter().map(|&input| reached.types.get(input)).collect::<Vec<Option<Type>>>()
                });
                let types = types.unwrap_or_default();
                for (at, &input) in inst.inputs.iter().enumerate() {
                    self.need(place, input, operand(inst, &types, at, m));
                }
            }
        }
    }
}

/// Returns the components of operand `at` from which the components `m` of the result are computed.
fn operand(inst: &Inst, types: &[Option<Type>], at: usize, m: Needed) -> Needed {
    let ty = |at: usize| types.get(at).copied().flatten();
    let Some(own) = ty(at) else { return 0 };
    let everything = whole(own);
    // A scalar operand affects every component of the result.
    let by_component = if own.width() == Some(1) { 1 } else { m & everything };
    match inst.op.type_rule() {
        TypeRule::Swizzle => {
            let picked = inst.lanes().enumerate().filter(|(place, _)| m >> place & 1 != 0);
            picked.fold(0, |set, (_, lane)| set | 1 << lane)
        }
        TypeRule::Vector => {
            let before: u8 = types.iter().take(at).flatten().filter_map(|ty| ty.width()).sum();
            m >> before & everything
        }
        TypeRule::Matrix => m >> (4 * at) & everything,
        TypeRule::Transpose => bits(m).fold(0, |set, bit| set | 1 << (4 * (bit % 4) + bit / 4)),
        TypeRule::Product => product(ty(0), ty(1), at, m).unwrap_or(by_component) & everything,
        // A component of a cross product is computed from the two other components of each operand.
        TypeRule::Cross => bits(m).fold(0, |set, bit| set | 7 & !(1 << bit)),
        TypeRule::Geometric if inst.op == Op::FaceForward && at == 0 => m & everything,
        TypeRule::Peek if at == 0 => match own {
            Type::Matrix { columns, rows } => {
                let last = u32::from(columns).saturating_sub(1);
                let column = inst.immediates.first().map_or(0, |&offset| at_most(offset, last));
                match inst.inputs.get(1).is_some_and(|index| index.is_some()) {
                    true => (0..columns).fold(0, |set, column| set | (m & all_of(rows)) << (4 * column)),
                    false => (m & all_of(rows)) << (4 * column),
                }
            }
            _ => m & everything,
        },
        TypeRule::Sample | TypeRule::Fetch | TypeRule::TextureSize | TypeRule::TextureOffset | TypeRule::ImageLoad
            if at == 0 =>
        {
            m & everything
        }
        TypeRule::SampleCompare | TypeRule::GatherCompare if at == 0 => 1,
        TypeRule::Gather if at == 0 => 1 << inst.immediates.first().map_or(0, |&component| at_most(component, 3)),
        TypeRule::Componentwise(_) | TypeRule::Comparison(_) | TypeRule::ByInts(_) => by_component,
        TypeRule::Select | TypeRule::Convert | TypeRule::Bitcast | TypeRule::Exponent | TypeRule::Phi => by_component,
        _ => everything,
    }
}

/// Returns the needed components of an operand of a matrix product, or `None` if the product is componentwise.
fn product(left: Option<Type>, right: Option<Type>, at: usize, m: Needed) -> Option<Needed> {
    let columns_of = |set: Needed| (0..4u8).filter(move |column| set >> (4 * column) & 0xf != 0);
    let rows_of = |set: Needed| (0..4).fold(0, |rows, column| rows | set >> (4 * column) & 0xf);
    let full = |columns: &mut dyn Iterator<Item = u8>| columns.fold(0, |set: Needed, column| set | 0xf << (4 * column));
    let in_all = |rows: Needed| (0..4).fold(0, |set: Needed, column| set | rows << (4 * column));
    Some(match (left?, right?, at) {
        (Type::Vector(_, width), Type::Matrix { .. }, _) if width > 1 => match at {
            0 => all_of(width),
            _ => full(&mut (0..4).filter(|column| m >> column & 1 != 0)),
        },
        (Type::Matrix { .. }, Type::Vector(_, width), _) if width > 1 => match at {
            0 => in_all(m & 0xf),
            _ => all_of(width),
        },
        (Type::Matrix { .. }, Type::Matrix { .. }, 0) => in_all(rows_of(m)),
        (Type::Matrix { .. }, Type::Matrix { .. }, _) => full(&mut columns_of(m)),
        // A product of a matrix and a scalar is computed component by component.
        (Type::Matrix { .. }, _, 0) | (_, Type::Matrix { .. }, 1) => m,
        (Type::Matrix { .. }, _, _) | (_, Type::Matrix { .. }, _) => 1,
        _ => return None,
    })
}

fn bits(set: Needed) -> impl Iterator<Item = u32> {
    (0..16).filter(move |bit| set >> bit & 1 != 0)
}

/// Interprets an offset as a signed number and clamps it to the range 0 to `last`.
pub(super) fn at_most(offset: u32, last: u32) -> u32 {
    if offset.cast_signed() < 0 { 0 } else { offset.min(last) }
}

/// Returns a set of components as letters, such as `xyz`.
pub(super) fn letters(set: Needed) -> String {
    "xyzw".chars().enumerate().filter(|(bit, _)| set >> bit & 1 != 0).map(|(_, letter)| letter).collect()
}

/// Reports whether reachable code writes an output.
pub(super) fn is_written(reached: &Reached<'_>, output: usize) -> bool {
    let number = |inst: &Inst| usize::try_from(*inst.immediates.first()?).ok();
    let writes = |inst: &Inst| inst.op == Op::Poke && inst.inputs.len() == 1 && number(inst) == Some(output);
    let returned = reached.function.outputs.get(output).is_some_and(|output| output.kind == OutputKind::Returned);
    returned || reached.code.steps.iter().any(|step| writes(step.inst))
}

/// Returns the value of an int literal, or `None` if another instruction defines the id.
pub(super) fn literal(reached: &Reached<'_>, id: Id) -> Option<i32> {
    let inst = reached.code.definition(id).filter(|inst| inst.op.type_rule() == TypeRule::Literal(Scalar::Int, 1))?;
    inst.immediates.first().map(|bits| bits.cast_signed())
}

/// Returns the selectors of a SWIZZLE, or `None` for another instruction.
pub(super) fn selectors(inst: &Inst) -> Option<Vec<u8>> {
    (inst.op == Op::Swizzle).then(|| lanes(inst.immediates.first().copied().unwrap_or(u32::MAX)).collect())
}

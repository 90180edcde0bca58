//! The state of code generation, and the code at the beginning and the end of a function.

use std::collections::{BTreeMap, BTreeSet};

use sdlbc::{
    Block, Body, Dimension, Function, FunctionKind, Id, InputKind, Inst, Op, OutputKind, Scalar, Signature, Texel,
    Type, limits,
};

use super::choices::Choices;
use super::interface::{Plan, Sketch};
use super::mood::Mood;

#[derive(Clone, Copy)]
enum Numbering {
    Dense,
    Gaps,
    /// The ids descend from the highest id that the format allows.
    Down,
    Random,
}

/// A construct that BREAK may leave or CONTINUE may continue.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Enclosing {
    /// A loop in which CONTINUE is allowed.
    Loop,
    /// A loop whose body always ends by leaving the loop. A CONTINUE would repeat the body forever.
    Once,
    Switch,
}

pub(super) struct Writer<'w, 'c, 'b> {
    pub(super) choices: &'c mut Choices<'b>,
    pub(super) plan: &'w Plan,
    pub(super) sketch: &'w Sketch,
    pub(super) signatures: &'w [Signature],
    /// The cost of calling each function that is already built, or `None` if the cost is unbounded.
    costs: &'w BTreeMap<usize, Option<u64>>,
    /// The generic function that was built last.
    before: Option<usize>,
    pub(super) types: BTreeMap<Id, Type>,
    /// The visible values. The values of outer blocks come first.
    pub(super) scope: Vec<(Id, Type)>,
    /// The arrays: id, component type, width, and whether the array may be written.
    pub(super) arrays: Vec<(Id, Scalar, u8, bool)>,
    pub(super) textures: Vec<(Id, Dimension, Texel)>,
    pub(super) around: Vec<Enclosing>,
    /// The maximum number of times that the current block runs, or `None` if the number is unbounded.
    pub(super) times: Option<u64>,
    cost: Option<u64>,
    /// The number of instructions that may still be added.
    pub(super) budget: usize,
    /// Whether the code must still nest blocks to the limit.
    pub(super) nests_to_limit: bool,
    /// The indices of the outputs that are written only at the end of the function.
    late: Vec<usize>,
    numbering: Numbering,
    last: u32,
    used: BTreeSet<u32>,
}

/// Builds the functions of a plan, and returns them with the maximum number of instructions that one run of each function
/// executes.
pub(super) fn functions(choices: &mut Choices<'_>, plan: &Plan) -> (Vec<Function>, Vec<Option<u64>>) {
    let empty = |sketch: &Sketch| Function {
        kind: sketch.kind,
        name: sketch.name.clone(),
        inputs: sketch.inputs.clone(),
        outputs: sketch.outputs.clone(),
        workgroup: None,
        body: Body::default(),
    };
    let mut functions: Vec<Function> = plan.functions.iter().map(empty).collect();
    let signatures: Vec<Signature> = functions.iter().map(Function::signature).collect();
    let mut costs = BTreeMap::new();
    let mut before = None;
    for &at in &plan.order {
        let Some(sketch) = plan.functions.get(at) else { continue };
        let mut writer = Writer {
            plan,
            sketch,
            signatures: &signatures,
            costs: &costs,
            before,
            types: BTreeMap::new(),
            scope: Vec::new(),
            arrays: Vec::new(),
            textures: Vec::new(),
            around: Vec::new(),
            times: Some(1),
            cost: Some(0),
            budget: choices.one(&[20, 5, 60, 120]),
            nests_to_limit: choices.once_in(8),
            late: Vec::new(),
            numbering: choices.one(&[Numbering::Dense, Numbering::Gaps, Numbering::Down, Numbering::Random]),
            last: 0,
            used: BTreeSet::new(),
            choices: &mut *choices,
        };
        let ids = writer.inputs();
        let body = writer.body();
        let cost = writer.cost;
        for (input, id) in functions[at].inputs.iter_mut().zip(ids) {
            input.id = id;
        }
        functions[at].body = body;
        costs.insert(at, cost);
        before = Some(at).filter(|_| sketch.kind == FunctionKind::Generic).or(before);
    }
    let costs = (0..functions.len()).map(|at| costs.get(&at).copied().flatten()).collect();
    (functions, costs)
}

impl Writer<'_, '_, '_> {
    pub(super) fn id(&mut self) -> Id {
        let mut id = match self.numbering {
            Numbering::Dense => self.last + 1,
            Numbering::Gaps => self.last + 1 + u32::try_from(self.choices.below(999)).unwrap_or(0),
            Numbering::Down if self.last == 0 => limits::MAX_ID,
            Numbering::Down => self.last - 1,
            Numbering::Random => 1 + self.choices.word() % limits::MAX_ID,
        };
        while !self.used.insert(id) {
            id = id % limits::MAX_ID + 1;
        }
        self.last = id;
        Id(id)
    }

    /// Subtracts an instruction from the budget, and adds the instruction's cost to the function's cost.
    pub(super) fn count(&mut self, cost: u64) {
        self.budget = self.budget.saturating_sub(1);
        self.cost = self.cost.zip(self.times).map(|(sum, times)| sum.saturating_add(cost.saturating_mul(times)));
    }

    /// Reports whether additional code of this cost would exceed a calm module's limit on running time.
    pub(super) fn is_too_much(&self, cost: u64) -> bool {
        let more = self.times.map_or(u64::MAX, |times| times.saturating_mul(cost));
        self.plan.mood == Mood::Calm && self.cost.unwrap_or(u64::MAX).saturating_add(more) > 20_000
    }

    /// Assigns ids to the inputs, and makes the inputs visible.
    fn inputs(&mut self) -> Vec<Id> {
        let mut ids = Vec::new();
        for input in &self.sketch.inputs {
            let id = self.id();
            ids.push(id);
            self.types.insert(id, input.ty);
            match input.ty {
                Type::Array(scalar, width, _) => {
                    self.arrays.push((id, scalar, width, input.kind == InputKind::Local));
                }
                Type::Texture(dimension, texel) => self.textures.push((id, dimension, texel)),
                ty => self.scope.push((id, ty)),
            }
        }
        ids
    }

    fn body(&mut self) -> Body {
        let mut out = Body::default();
        let written =
            |at: &usize| self.sketch.outputs.get(*at).is_some_and(|output| output.kind != OutputKind::Returned);
        let outputs: Vec<usize> = (0..self.sketch.outputs.len()).filter(written).collect();
        for at in outputs {
            if self.choices.once_in(2) {
                self.late.push(at);
            } else {
                self.write_output(&mut out, at);
            }
        }
        if self.sketch.is_diamond {
            for _ in 0..2 {
                self.call(&mut out);
            }
        }
        self.statements(&mut out, 0);
        if !ends_in_jump(out.block()) {
            let both = self.choices.once_in(4);
            let returns = self.sketch.returned().is_some();
            if both {
                // Both arms return, so the code after the IF is unreachable.
                let condition = self.value(&mut out, Type::BOOL);
                let visible = self.scope.len();
                let arms = [(); 2].map(|()| {
                    let mut arm = Body::default();
                    self.leave(&mut arm);
                    self.scope.truncate(visible);
                    arm
                });
                out.nest(Inst::new(Op::If, Id::NONE, &[condition], &[]), arms);
                self.operation(&mut out);
            }
            if returns || self.choices.once_in(4) {
                self.leave(&mut out);
            } else {
                self.write_late(&mut out);
            }
        }
        self.space(&mut out);
        out
    }

    fn write_late(&mut self, out: &mut Body) {
        for at in self.late.clone() {
            self.write_output(out, at);
        }
    }

    /// Writes the late outputs and a RETURN.
    pub(super) fn leave(&mut self, out: &mut Body) {
        self.write_late(out);
        let value = self.sketch.returned().map_or(Id::NONE, |ty| self.value(out, ty));
        out.push(Inst::new(Op::Return, Id::NONE, &[value], &[]));
        self.count(1);
    }

    /// Sometimes adds one or two NOPs with random words as immediates.
    pub(super) fn space(&mut self, out: &mut Body) {
        for _ in 0..if self.choices.once_in(8) { 1 + self.choices.below(2) } else { 0 } {
            let words: Vec<u32> = (0..self.choices.below(4)).map(|_| self.choices.word()).collect();
            out.push(Inst::new(Op::Nop, Id::NONE, &[], &words));
        }
    }

    /// Adds a call to a function that has already been built.
    pub(super) fn call(&mut self, out: &mut Body) {
        let may = |at: &usize| {
            let other = self.plan.functions.get(*at);
            let fits =
                other.is_some_and(|o| o.kind == FunctionKind::Generic && (self.sketch.of_fragments || !o.of_fragments));
            fits && !self.is_too_much(self.costs.get(at).copied().flatten().unwrap_or(u64::MAX))
        };
        let made: Vec<usize> = self.costs.keys().copied().filter(may).collect();
        let before = self.before.filter(|at| self.sketch.is_diamond && made.contains(at));
        let Some(at) = before.or_else(|| made.get(self.choices.below(made.len())).copied()) else { return };
        let parameters = self.signatures[at].parameters.clone();
        let arguments: Vec<Id> = parameters.into_iter().map(|ty| self.value(out, ty)).collect();
        match self.costs.get(&at).copied().flatten() {
            Some(cost) => self.count(cost),
            None => self.cost = None,
        }
        let result = self.push(out, Op::Call, &arguments, &[u32::try_from(at).unwrap_or(0)]);
        // A call may omit its result if nothing uses the result.
        if result.is_some() && self.choices.once_in(4) {
            self.scope.pop();
            self.types.remove(&result);
            if let Some(inst) = out.insts_mut().last_mut() {
                inst.output = Id::NONE;
            }
        }
    }
}

/// Reports whether the last instruction other than NOPs is a jump.
pub(super) fn ends_in_jump(block: Block<'_>) -> bool {
    block.iter().filter(|inst| inst.op != Op::Nop).last().is_some_and(|inst| inst.op.is_jump())
}

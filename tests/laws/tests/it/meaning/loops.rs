//! Generates random modules that consist mostly of control flow over a few small values. Loops nest or follow each other, swap
//! values in the PHIs at their heads, and use PHIs of conditionals as back-edge operands. CONTINUEs and BREAKs leave switches,
//! functions return early, and loops contain calls. A wrong order of evaluation changes the results.
//!
//! Rules: each loop has a counter, and the test that ends the loop precedes any CONTINUE. A local array accumulates a trace of
//! values. The outputs combine the trace with the values that are visible at the function's end, so that few errors are masked.

use std::collections::HashSet;

use sdlbc::module::swizvals;
use sdlbc::{
    Body, Function, FunctionKind, FunctionOutput, Id, Input, InputKind, Inst, Interpolation, Module, Op, OutputKind,
    Scalar, Type,
};
use testing::Random;

const INT2: Type = Type::Vector(Scalar::Int, 2);
const TYPES: [Type; 7] = [Type::INT, Type::INT, Type::INT, Type::FLOAT, Type::FLOAT, INT2, Type::BOOL];

pub(crate) fn module(seed: u64) -> Module {
    let mut random = Random(seed.wrapping_mul(0x5851_f42d_4c95_7f2d));
    let tight = random.below(2) == 0;
    let helpers = if tight { 0 } else { random.below(3) };
    let mut module = Module::default();
    for _ in 0..helpers {
        let function = Maker::function(&mut random, FunctionKind::Generic, tight, &module);
        module.functions.push(function);
    }
    let kind = if random.below(2) == 0 { FunctionKind::Vertex } else { FunctionKind::Fragment };
    let function = Maker::function(&mut random, kind, tight, &module);
    module.functions.push(function);
    module
}

/// A LOOP or SWITCH whose blocks are being written.
struct Around {
    /// For a LOOP, the index of its body in the list of scopes.
    body: Option<usize>,
    /// Whether the test that ends the loop has already been written.
    tested: bool,
    /// The number of values in the body's scope at the first CONTINUE.
    continued: Option<usize>,
    /// Whether the LOOP or SWITCH contains a BREAK.
    left: bool,
}

#[derive(Default)]
struct Scope {
    block: Body,
    values: Vec<(Id, Type)>,
}

struct Maker<'a> {
    random: &'a mut Random,
    module: &'a Module,
    function: Function,
    scopes: Vec<Scope>,
    around: Vec<Around>,
    next: u32,
    budget: usize,
    /// Whether the point at which code is being added is reachable.
    alive: bool,
    /// Whether the function writes its outputs at the beginning.
    early: bool,
    slots: Vec<(Id, Type, u32)>,
    phis: HashSet<Id>,
    /// Whether the code works mostly with ints that PHIs swap.
    tight: bool,
}

impl Maker<'_> {
    fn function(random: &mut Random, kind: FunctionKind, tight: bool, module: &Module) -> Function {
        let mut function = Function { kind, ..Function::default() };
        let mut inputs = Vec::new();
        let flat = Interpolation::Flat;
        for (location, ty) in (0..).zip([Type::INT, Type::INT, Type::INT, Type::FLOAT, Type::FLOAT]) {
            let kind = match kind {
                FunctionKind::Generic if random.below(2) == 0 => continue,
                FunctionKind::Generic => InputKind::Parameter,
                FunctionKind::Vertex => InputKind::Attribute { location },
                FunctionKind::Fragment | FunctionKind::Compute => InputKind::Varying { location, interpolation: flat },
            };
            inputs.push((ty, kind));
        }
        inputs.push((Type::Array(Scalar::Int, 1, 4), InputKind::Uniform));
        for (scalar, length) in [(Scalar::Int, 1), (Scalar::Int, 3), (Scalar::Float, 1), (Scalar::Bool, 2)] {
            // The first local array contains the traces.
            if (scalar, length) == (Scalar::Int, 1) || random.below(2) == 0 {
                inputs.push((Type::Array(scalar, 1, length), InputKind::Local));
            }
        }
        let input = |(at, (ty, kind)): (u32, (Type, InputKind))| Input { id: Id(at), ty, name: format!("i{at}"), kind };
        function.inputs = (1..).zip(inputs).map(input).collect();
        let output = |ty, kind, name: &str| FunctionOutput { ty, name: name.into(), kind };
        match kind {
            FunctionKind::Generic => {
                let ty = [Type::INT, Type::FLOAT, INT2, Type::BOOL][random.below(4)];
                if random.below(4) != 0 {
                    function.outputs.push(output(ty, OutputKind::Returned, "r"));
                }
            }
            FunctionKind::Vertex => {
                function.name = "vertices".into();
                function.outputs.push(output(Type::FLOAT4, OutputKind::Position, "op"));
                for (location, ty) in [Type::INT, Type::FLOAT, INT2].into_iter().enumerate() {
                    let kind = OutputKind::Varying { location: location as u32, interpolation: flat };
                    function.outputs.push(output(ty, kind, &format!("o{location}")));
                }
            }
            FunctionKind::Fragment | FunctionKind::Compute => {
                function.name = "fragments".into();
                for target in 0..2 {
                    function.outputs.push(output(Type::FLOAT4, OutputKind::Colour { target }, &format!("oc{target}")));
                }
            }
        }
        let own = Scope { block: Body::default(), values: Vec::new() };
        let mut maker = Maker {
            next: function.max_id(),
            budget: match kind {
                FunctionKind::Generic => 30,
                _ if tight => 15 + random.below(40),
                _ => 30 + random.below(100),
            },
            random,
            module,
            function,
            scopes: vec![own],
            around: Vec::new(),
            alive: true,
            early: false,
            slots: Vec::new(),
            phis: HashSet::new(),
            tight,
        };
        maker.all();
        maker.function.body = maker.scopes.pop().map(|scope| scope.block).unwrap_or_default();
        maker.function
    }

    fn all(&mut self) {
        for input in self.function.inputs.clone() {
            match input.ty {
                Type::Array(scalar, width, length) if input.kind == InputKind::Local => {
                    self.slots.push((input.id, Type::Vector(scalar, width), length));
                }
                Type::Array(..) => {
                    let index = if self.one_in(2) { Id::NONE } else { self.value(Type::INT) };
                    self.emit(Op::Peek, Type::INT, &[input.id, index], &[1]);
                }
                ty => self.scopes[0].values.push((input.id, ty)),
            }
        }
        if self.one_in(2) {
            self.write_outputs();
            self.early = true;
        }
        while self.alive && self.budget > 0 {
            self.statement();
        }
        if self.alive {
            self.early &= self.one_in(4);
            let returns = self.function.returned().is_some();
            match returns || self.one_in(3) {
                true => self.leave(),
                false => self.finish(),
            }
        }
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.random.below(times) == 0
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.random.below(list.len())]
    }

    fn fresh(&mut self) -> Id {
        self.next += 1;
        Id(self.next)
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("a scope")
    }

    fn define(&mut self, id: Id, ty: Type) {
        self.scope().values.push((id, ty));
    }

    fn push(&mut self, op: Op, inputs: &[Id], immediates: &[u32]) {
        self.budget = self.budget.saturating_sub(1);
        self.scope().block.push(Inst::new(op, Id::NONE, inputs, immediates));
    }

    fn emit(&mut self, op: Op, ty: Type, inputs: &[Id], immediates: &[u32]) -> Id {
        let id = self.fresh();
        self.push(op, inputs, immediates);
        self.scope().block.insts_mut().last_mut().expect("it was pushed").output = id;
        self.define(id, ty);
        id
    }

    fn visible(&self, ty: Type) -> Vec<Id> {
        let values = self.scopes.iter().flat_map(|scope| &scope.values);
        values.filter(|(_, other)| *other == ty).map(|&(id, _)| id).collect()
    }

    /// Returns an existing value, preferably a recent value, or computes a new value.
    fn value(&mut self, ty: Type) -> Id {
        self.value_within(ty, 0)
    }

    fn value_within(&mut self, ty: Type, depth: usize) -> Id {
        let visible = self.visible(ty);
        if visible.is_empty() || depth > 2 && self.one_in(3) {
            return self.literal(ty);
        }
        let phis: Vec<Id> = visible.iter().copied().filter(|id| self.phis.contains(id)).collect();
        match self.random.below(if self.tight { 20 } else { 14 }) {
            10.. if !phis.is_empty() => self.pick(&phis),
            0..=3 => self.pick(&visible),
            4 | 5 => self.pick(&visible[visible.len().saturating_sub(4)..]),
            6 if ty != Type::BOOL => self.literal(ty),
            _ if depth > 2 => self.pick(&visible),
            _ => self.computed(ty, depth + 1),
        }
    }

    fn literal(&mut self, ty: Type) -> Id {
        let number = self.random.below(7) as u32;
        match ty {
            Type::INT => self.emit(Op::LiteralInt, ty, &[], &[number.wrapping_sub(2)]),
            Type::FLOAT => self.emit(Op::LiteralFloat, ty, &[], &[(number as f32 * 0.75 - 1.0).to_bits()]),
            Type::BOOL => self.emit(Op::LiteralBool, ty, &[], &[number & 1]),
            Type::FLOAT4 => {
                let parts = [(); 4].map(|()| self.value_within(Type::FLOAT, 2));
                self.emit(Op::Vector, ty, &parts, &[])
            }
            _ => {
                let parts = [(); 2].map(|()| self.value_within(Type::INT, 2));
                self.emit(Op::Vector, ty, &parts, &[])
            }
        }
    }

    fn computed(&mut self, ty: Type, depth: usize) -> Id {
        let reads: Vec<_> = self.slots.iter().copied().filter(|slot| slot.1 == ty).collect();
        if !reads.is_empty() && self.one_in(5) {
            let (slot, _, _) = self.pick(&reads);
            let index = if self.one_in(2) { Id::NONE } else { self.value_within(Type::INT, depth) };
            let offset = self.random.below(3) as u32;
            return self.emit(Op::Peek, ty, &[slot, index], &[offset]);
        }
        if self.one_in(8) {
            let [c, a, b] = [Type::BOOL, ty, ty].map(|ty| self.value_within(ty, depth));
            return self.emit(Op::Select, ty, &[c, a, b], &[]);
        }
        match ty {
            Type::BOOL if self.one_in(3) => {
                let [a, b] = [(); 2].map(|()| self.value_within(ty, depth));
                let op = self.pick(&[Op::LogicalAnd, Op::LogicalOr, Op::NotEqual]);
                self.emit(op, ty, &[a, b], &[])
            }
            Type::BOOL => {
                let of = self.pick(&[Type::INT, Type::FLOAT]);
                let [a, b] = [(); 2].map(|()| self.value_within(of, depth));
                let op = self.pick(&[Op::LessThan, Op::GreaterThanOrEqual, Op::Equal]);
                self.emit(op, ty, &[a, b], &[])
            }
            Type::INT if self.one_in(5) => {
                let from = self.value_within(INT2, depth);
                let lane = self.random.below(2) as u8;
                self.emit(Op::Swizzle, ty, &[from], &[swizvals(&[lane])])
            }
            INT2 if self.one_in(3) => {
                let from = self.value_within(ty, depth);
                self.emit(Op::Swizzle, ty, &[from], &[swizvals(&[1, 0])])
            }
            Type::FLOAT if self.one_in(5) => {
                let from = self.value_within(Type::INT, depth);
                self.emit(Op::Convert, ty, &[from], &[Type::FLOAT.word()])
            }
            Type::FLOAT4 => self.literal(ty),
            _ => {
                let [a, b] = [(); 2].map(|()| self.value_within(ty, depth));
                let float = ty == Type::FLOAT;
                let ops: &[Op] = if float {
                    &[Op::Add, Op::Subtract, Op::Min, Op::Max]
                } else {
                    &[Op::Add, Op::Add, Op::Subtract, Op::Subtract, Op::BinaryXor]
                };
                let op = self.pick(ops);
                self.emit(op, ty, &[a, b], &[])
            }
        }
    }

    /// Combines the values into one int that depends on all of them.
    fn mixed(&mut self, values: &[(Id, Type)]) -> Id {
        let (before, budget) = (self.scope().values.len(), self.budget);
        let seven = self.emit(Op::LiteralInt, Type::INT, &[], &[7]);
        let mut sum = Id::NONE;
        for &(id, ty) in values {
            let part = match ty {
                Type::INT => id,
                INT2 => {
                    let x = self.emit(Op::Swizzle, Type::INT, &[id], &[swizvals(&[0])]);
                    let y = self.emit(Op::Swizzle, Type::INT, &[id], &[swizvals(&[1])]);
                    let y = self.emit(Op::Multiply, Type::INT, &[y, seven], &[]);
                    self.emit(Op::Subtract, Type::INT, &[x, y], &[])
                }
                Type::FLOAT => {
                    let eight = self.emit(Op::LiteralFloat, ty, &[], &[8f32.to_bits()]);
                    let more = self.emit(Op::Multiply, ty, &[id, eight], &[]);
                    self.emit(Op::Convert, Type::INT, &[more], &[Type::INT.word()])
                }
                _ => self.emit(Op::Convert, Type::INT, &[id], &[Type::INT.word()]),
            };
            sum = match sum {
                Id::NONE => part,
                sum => {
                    let more = self.emit(Op::Multiply, Type::INT, &[sum, seven], &[]);
                    self.emit(Op::Add, Type::INT, &[more, part], &[])
                }
            };
        }
        let sum = if sum.is_some() { sum } else { seven };
        self.scope().values.truncate(before);
        self.budget = budget;
        self.define(sum, Type::INT);
        sum
    }

    /// Records a trace of some values, with a probability of 1 in `of`.
    fn trace(&mut self, of: usize) {
        let slot = self.slots[0].0;
        if !self.alive || !self.one_in(of) {
            return;
        }
        let mut values = vec![(self.emit(Op::Peek, Type::INT, &[slot, Id::NONE], &[0]), Type::INT)];
        for _ in 0..1 + self.random.below(3) {
            let ty = self.some_type();
            values.push((self.value(ty), ty));
        }
        let sum = self.mixed(&values);
        self.push(Op::Poke, &[sum, slot, Id::NONE], &[0]);
    }

    /// Combines all visible values and the traces into one int.
    fn everything(&mut self) -> Id {
        let mut values: Vec<(Id, Type)> = self.scopes.iter().flat_map(|scope| scope.values.clone()).collect();
        // If many values are visible, only the last four and a random selection of the others are combined.
        while values.len() > 10 {
            let gone = self.random.below(values.len() - 4);
            values.remove(gone);
        }
        let slot = self.slots[0].0;
        values.push((self.emit(Op::Peek, Type::INT, &[slot, Id::NONE], &[0]), Type::INT));
        values.retain(|(_, ty)| *ty != Type::FLOAT4);
        self.mixed(&values)
    }

    fn some_type(&mut self) -> Type {
        if self.tight && !self.one_in(6) {
            return Type::INT;
        }
        self.pick(&TYPES)
    }

    fn statements(&mut self, most: usize) {
        for _ in 0..self.random.below(most + 1) {
            if self.alive && self.budget > 0 {
                self.statement();
            }
        }
    }

    fn statement(&mut self) {
        let loops = self.around.iter().filter(|around| around.body.is_some()).count();
        let most = if self.function.kind == FunctionKind::Generic { 1 } else { 3 };
        let deep = self.scopes.len() > 7;
        match self.random.below(20) {
            0..=5 if loops < most && !deep => self.repeat(),
            6..=9 if !deep => self.branch(),
            10 if !deep => self.switch(),
            11 | 12 => self.poke_slot(),
            13 => self.call(),
            14 => self.trace(1),
            15 if self.early => {
                let at = self.random.below(self.function.outputs.len().max(1));
                self.write_output(at);
            }
            _ => {
                let ty = self.some_type();
                self.computed(ty, 0);
            }
        }
    }

    fn poke_slot(&mut self) {
        if let Some(&(slot, ty, _)) = self.slots.get(self.random.below(self.slots.len().max(1))) {
            let value = self.value(ty);
            let index = if self.one_in(2) { Id::NONE } else { self.value(Type::INT) };
            let offset = self.random.below(3) as u32;
            self.push(Op::Poke, &[value, slot, index], &[offset]);
        }
    }

    fn call(&mut self) {
        if self.module.functions.is_empty() {
            return;
        }
        let index = self.random.below(self.module.functions.len());
        let signature = self.module.functions[index].signature();
        let unused = self.one_in(8);
        let arguments: Vec<Id> = signature.parameters.iter().map(|&ty| self.value(ty)).collect();
        match signature.returned.filter(|_| !unused) {
            Some(ty) => _ = self.emit(Op::Call, ty, &arguments, &[index as u32]),
            None => self.push(Op::Call, &arguments, &[index as u32]),
        }
    }

    fn write_output(&mut self, at: usize) {
        let output = self.function.outputs.get(at).filter(|output| output.kind != OutputKind::Returned);
        if let Some(ty) = output.map(|output| output.ty) {
            let value = match ty {
                ty if self.early && !self.one_in(3) => self.value(ty),
                Type::INT => self.everything(),
                Type::FLOAT4 => {
                    let all = self.everything();
                    let mask = self.emit(Op::LiteralInt, Type::INT, &[], &[0x000f_ffff]);
                    let low = self.emit(Op::BinaryAnd, Type::INT, &[all, mask], &[]);
                    let number = self.emit(Op::Convert, Type::FLOAT, &[low], &[Type::FLOAT.word()]);
                    let float = self.value(Type::FLOAT);
                    self.emit(Op::Vector, Type::FLOAT4, &[number, float, number, float], &[])
                }
                ty => self.value(ty),
            };
            self.push(Op::Poke, &[value], &[at as u32]);
        }
    }

    fn write_outputs(&mut self) {
        (0..self.function.outputs.len()).for_each(|at| self.write_output(at));
    }

    /// Writes the outputs at the end of the function, unless they were written at the beginning.
    fn finish(&mut self) {
        if !self.early {
            self.write_outputs();
        }
    }

    fn leave(&mut self) {
        self.finish();
        let value = match self.function.returned().map(|output| output.ty) {
            Some(Type::INT) => self.everything(),
            Some(ty) => self.value(ty),
            None => Id::NONE,
        };
        self.push(Op::Return, &[value], &[]);
        self.alive = false;
    }

    /// Adds a jump, if one is allowed here, with a probability of at most 1 in `of`.
    fn perhaps_jump(&mut self, of: usize) {
        if !self.alive || !self.one_in(of) {
            return;
        }
        self.trace(2);
        let innermost = self.around.iter().rev().find(|around| around.body.is_some());
        match self.random.below(12) {
            0..=4 if !self.around.is_empty() => self.jump_out(),
            5..=9 if innermost.is_some_and(|around| around.tested) => {
                let scopes = &self.scopes;
                let around = self.around.iter_mut().rev().find(|around| around.body.is_some());
                if let Some(around) = around {
                    let defined = around.body.map(|body| scopes[body].values.len());
                    around.continued = around.continued.or(defined);
                }
                self.push(Op::Continue, &[], &[]);
                self.alive = false;
            }
            10 if self.one_in(2) => self.leave(),
            11 if self.function.kind == FunctionKind::Fragment && self.one_in(3) => {
                self.push(Op::Discard, &[], &[]);
                self.alive = false;
            }
            _ => {}
        }
    }

    fn jump_out(&mut self) {
        if self.one_in(3) {
            self.poke_slot();
        }
        if let Some(around) = self.around.last_mut() {
            around.left = true;
        }
        self.push(Op::Break, &[], &[]);
        self.alive = false;
    }

    fn open(&mut self) {
        self.scopes.push(Scope::default());
    }

    fn close(&mut self) -> Body {
        self.scopes.pop().map(|scope| scope.block).unwrap_or_default()
    }

    fn push_with_blocks(&mut self, op: Op, inputs: &[Id], immediates: &[u32], blocks: Vec<Body>) {
        self.budget = self.budget.saturating_sub(1);
        self.scope().block.nest(Inst::new(op, Id::NONE, inputs, immediates), blocks);
    }

    fn condition(&mut self) -> Id {
        if self.one_in(4) {
            return self.value(Type::BOOL);
        }
        let value = self.value(Type::INT);
        let mask = self.pick(&[1, 1, 2, 3, 5]);
        let mask = self.emit(Op::LiteralInt, Type::INT, &[], &[mask]);
        let low = self.emit(Op::BinaryAnd, Type::INT, &[value, mask], &[]);
        let zero = self.emit(Op::LiteralInt, Type::INT, &[], &[0]);
        let op = self.pick(&[Op::Equal, Op::NotEqual]);
        self.emit(op, Type::BOOL, &[low, zero], &[])
    }

    fn branch(&mut self) {
        let condition = self.condition();
        let types: Vec<Type> = (0..self.random.below(4)).map(|_| self.some_type()).collect();
        let before = self.alive;
        let mut arms = Vec::new();
        for arm in 0..2 {
            self.alive = before;
            let empty = arm == 1 && self.one_in(3);
            if empty && types.iter().all(|&ty| !self.visible(ty).is_empty()) {
                let values = types.iter().map(|&ty| self.visible(ty)).collect::<Vec<_>>();
                let values = values.iter().map(|values| self.pick(values)).collect::<Vec<_>>();
                arms.push((Body::default(), values, true));
                continue;
            }
            self.open();
            self.statements(3);
            self.perhaps_jump(3);
            self.trace(5);
            let values = match self.alive {
                true => types.iter().map(|&ty| self.value(ty)).collect(),
                false => vec![Id::NONE; types.len()],
            };
            arms.push((self.close(), values, self.alive));
        }
        self.alive = arms[0].2 || arms[1].2;
        let blocks = arms.iter().map(|arm| arm.0.clone()).collect();
        self.push_with_blocks(Op::If, &[condition], &[], blocks);
        if self.alive {
            for (at, &ty) in types.iter().enumerate() {
                let values = [arms[0].1[at], arms[1].1[at]];
                let id = self.emit(Op::Phi, ty, &values, &[]);
                self.phis.insert(id);
            }
        }
    }

    fn switch(&mut self) {
        let mut selector = self.value(Type::INT);
        if !self.one_in(4) {
            let mask = self.emit(Op::LiteralInt, Type::INT, &[], &[3]);
            selector = self.emit(Op::BinaryAnd, Type::INT, &[selector, mask], &[]);
        }
        let mut cases: Vec<u32> = (0..6).map(|value: u32| value.wrapping_sub(2)).collect();
        cases.truncate(1 + self.random.below(6));
        let before = self.alive;
        self.around.push(Around { body: None, tested: false, continued: None, left: false });
        let mut blocks = Vec::new();
        let mut ends = false;
        for _ in 0..=cases.len() {
            self.alive = before;
            self.open();
            self.statements(2);
            self.trace(4);
            self.perhaps_jump(3);
            ends |= self.alive;
            blocks.push(self.close());
        }
        self.alive = ends | self.around.pop().is_some_and(|around| around.left);
        self.push_with_blocks(Op::Switch, &[selector], &cases, blocks);
    }

    fn repeat(&mut self) {
        let zero = self.emit(Op::LiteralInt, Type::INT, &[], &[0]);
        let types: Vec<Type> = (0..self.random.below(5)).map(|_| self.some_type()).collect();
        let mut firsts = vec![zero];
        for (at, &ty) in types.iter().enumerate() {
            let other = types[..at].iter().rposition(|other| *other == ty);
            match other.filter(|_| self.one_in(3)) {
                Some(other) => firsts.push(firsts[other + 1]),
                None => firsts.push(self.value(ty)),
            }
        }
        let types: Vec<Type> = [Type::INT].into_iter().chain(types).collect();
        self.open();
        let body = self.scopes.len() - 1;
        let phis: Vec<Id> = types.iter().map(|_| self.fresh()).collect();
        phis.iter().zip(&types).for_each(|(&id, &ty)| self.define(id, ty));
        self.phis.extend(&phis);
        self.around.push(Around { body: Some(body), tested: false, continued: None, left: false });
        if self.one_in(3) {
            self.statements(2);
        }
        let mut next = Id::NONE;
        if self.alive {
            next = self.count(phis[0]);
            self.statements(4);
            self.trace(3);
            self.perhaps_jump(8);
        }
        let around = self.around.pop().expect("the loop");
        let goes_back = self.alive || around.continued.is_some();
        let mut seconds = vec![next];
        for &ty in &types[1..] {
            seconds.push(match goes_back {
                true => self.second(ty, body, &phis, &types, around.continued),
                false => Id::NONE,
            });
        }
        if !goes_back {
            seconds[0] = Id::NONE;
        }
        let mut order: Vec<usize> = (0..phis.len()).collect();
        for at in (1..order.len()).rev() {
            order.swap(at, self.random.below(at + 1));
        }
        let head = order.iter().map(|&at| Inst::new(Op::Phi, phis[at], &[firsts[at], seconds[at]], &[]));
        let mut block: Body = head.collect();
        block.append(self.close());
        self.alive = around.left;
        self.push_with_blocks(Op::Loop, &[], &[], vec![block]);
    }

    /// Increments a loop's counter, and leaves the loop when the counter reaches a small number.
    fn count(&mut self, counter: Id) -> Id {
        let one = self.emit(Op::LiteralInt, Type::INT, &[], &[1]);
        let next = self.emit(Op::Add, Type::INT, &[counter, one], &[]);
        let bound = self.pick(&[0, 1, 2, 3, 3, 4, 4]);
        let bound = self.emit(Op::LiteralInt, Type::INT, &[], &[bound]);
        let of = self.pick(&[counter, next]);
        let condition = self.emit(Op::GreaterThanOrEqual, Type::BOOL, &[of, bound], &[]);
        self.open();
        self.statements(1);
        self.trace(2);
        if self.alive {
            match self.random.below(10) {
                0 => self.leave(),
                _ => self.jump_out(),
            }
        }
        let leaving = self.close();
        self.alive = true;
        self.push_with_blocks(Op::If, &[condition], &[], vec![leaving, Body::default()]);
        if let Some(around) = self.around.last_mut() {
            around.tested = true;
        }
        next
    }

    /// Returns the back-edge operand of a PHI at a loop's head.
    fn second(&mut self, ty: Type, body: usize, phis: &[Id], types: &[Type], continued: Option<usize>) -> Id {
        let heads: Vec<Id> = phis.iter().zip(types).filter(|(_, other)| **other == ty).map(|(&id, _)| id).collect();
        if self.one_in(if self.tight { 2 } else { 3 }) {
            return self.pick(&heads);
        }
        if continued.is_none() && self.alive && self.one_in(2) {
            return self.computed(ty, 0);
        }
        let own = &self.scopes[body].values;
        let own = own.iter().take(continued.unwrap_or(own.len()));
        let found: Vec<Id> = own.filter(|(_, other)| *other == ty).map(|&(id, _)| id).collect();
        self.pick(&found)
    }
}

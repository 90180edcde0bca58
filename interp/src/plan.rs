//! Makes steps of a verified module's functions: gives each component of each value a register.
//!
//! Rule: what only depends on literals and uniforms stands in the *prologue*, which runs once for each set of uniforms, and
//! keeps its registers for itself. Choices of components (SWIZZLE, VECTOR, columns of a matrix ...) are no steps at all, but
//! other names for registers. A function has its registers for itself too: no function calls itself, so none runs twice at
//! the same time.

use std::collections::HashMap;

use sdlbc::compute::{self, Kernel};
use sdlbc::{Id, Input, InputKind, Inst, Module, Op, OutputKind, Sampler, Scalar, Type, Types};

use crate::cells::Cells;
use crate::program::Error;
use crate::step::{Block, Elements, Join, Move, Register, Registers, Seen, Site, Step, Way, each_register};

/// The most registers that a program may have, 64 MB of them: a module may have 16384 slots of 4096 elements.
const REGISTERS: u32 = 1 << 18;

/// The most blocks that may run inside each other, through calls: each takes stack.
const DEPTH: usize = 256;

/// What stands for a value.
#[derive(Clone)]
enum Held {
    Registers(Vec<Register>),
    /// Registers one behind the other that can be written.
    Slot {
        first: u32,
        width: usize,
        length: usize,
    },
    /// An array of uniforms, from a word on.
    Words {
        first: usize,
        width: usize,
        length: usize,
    },
    Texture {
        slot: u32,
        sampler: Sampler,
    },
}

/// A uniform, whose words stand beside those of others.
#[derive(Clone, Debug)]
pub(crate) struct Uniform {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) first: usize,
}

/// A prepared function.
pub(crate) struct Prepared {
    pub(crate) body: Block,
    parameters: Vec<Register>,
    returned: Vec<Register>,
    /// How many blocks are inside each other while it runs.
    depth: usize,
}

/// All that is prepared.
#[derive(Default)]
pub(crate) struct Plan {
    /// By index in the module; those that are not called are not there.
    pub(crate) functions: HashMap<usize, Prepared>,
    pub(crate) prologue: Block,
    /// Registers that hold one word in every lane.
    pub(crate) constants: Vec<(Register, u32)>,
    pub(crate) uniforms: Vec<Uniform>,
    pub(crate) words: usize,
    /// Registers that hold a word of the uniforms.
    pub(crate) spread: Vec<(Register, usize)>,
    /// The entry's attributes, varyings and builtins that are read.
    pub(crate) inputs: Vec<(InputKind, Registers)>,
    /// The entry's outputs.
    pub(crate) outputs: Vec<Registers>,
    pub(crate) registers: u32,
    /// The most PHIs' components at one place.
    pub(crate) moves: usize,
    literals: HashMap<u32, Register>,
    spreads: HashMap<usize, Register>,
    /// The registers that the prologue writes.
    fixed: std::collections::HashSet<Register>,
}

impl Plan {
    pub(crate) fn new(module: &Module, entry: usize) -> Result<Plan, Error> {
        let mut plan = Plan::default();
        for index in sdlbc::call_order(module, entry).into_iter().chain([entry]) {
            let prepared = Planner::function(module, index, index == entry, &mut plan)?;
            plan.functions.insert(index, prepared);
        }
        Ok(plan)
    }

    fn fresh(&mut self, count: usize) -> Result<Register, Error> {
        let first = self.registers;
        let count = u32::try_from(count).map_err(|_| Error::TooLarge)?;
        self.registers = first.checked_add(count).filter(|&all| all <= REGISTERS).ok_or(Error::TooLarge)?;
        Ok(Register(first))
    }

    fn row(&mut self, count: usize) -> Result<Vec<Register>, Error> {
        let first = self.fresh(count)?;
        Ok((first.0..self.registers).map(Register).collect())
    }

    fn literal(&mut self, word: u32) -> Result<Register, Error> {
        if let Some(&known) = self.literals.get(&word) {
            return Ok(known);
        }
        let register = self.fresh(1)?;
        self.literals.insert(word, register);
        self.constants.push((register, word));
        self.fixed.insert(register);
        Ok(register)
    }

    fn uniform(&mut self, input: &Input) -> usize {
        let known = self.uniforms.iter().find(|known| known.name == input.name && known.ty == input.ty);
        if let Some(known) = known {
            return known.first;
        }
        let first = self.words;
        self.words += compute::components(input.ty);
        self.uniforms.push(Uniform { name: input.name.clone(), ty: input.ty, first });
        first
    }

    /// A register with a word of the uniforms.
    fn word(&mut self, at: usize) -> Result<Register, Error> {
        if let Some(&known) = self.spreads.get(&at) {
            return Ok(known);
        }
        let register = self.fresh(1)?;
        self.spreads.insert(at, register);
        self.spread.push((register, at));
        self.fixed.insert(register);
        Ok(register)
    }
}

struct Planner<'a> {
    index: usize,
    types: Types,
    values: HashMap<Id, Held>,
    cells: Cells,
    plan: &'a mut Plan,
    outputs: Vec<Registers>,
    returned: Vec<Register>,
    /// The number of the next instruction.
    number: usize,
    /// How many blocks, LOOPs and SWITCHes are open, and the most blocks at a time with those of the functions called.
    blocks: usize,
    captures: usize,
    depth: usize,
}

impl<'a> Planner<'a> {
    fn function(module: &'a Module, index: usize, entry: bool, plan: &'a mut Plan) -> Result<Prepared, Error> {
        let function = module.functions.get(index).ok_or(Error::NoEntry)?;
        let mut planner = Planner {
            index,
            types: sdlbc::infer_types(module, index),
            values: HashMap::new(),
            cells: Cells::default(),
            plan,
            outputs: Vec::new(),
            returned: Vec::new(),
            number: 0,
            blocks: 0,
            captures: usize::from(!entry),
            depth: 0,
        };
        let mut body = Block::new();
        for output in &function.outputs {
            let registers = planner.plan.row(compute::components(output.ty))?;
            if output.kind == OutputKind::Returned {
                planner.returned.clone_from(&registers);
            } else {
                body.extend(registers.first().map(|&first| Step::Clear { first, count: registers.len() }));
            }
            planner.outputs.push(registers.into());
        }
        let mut parameters = planner.interface(&function.inputs, &mut body)?;
        planner.cells.now = 1;
        planner.block(&function.body, &mut body)?;
        let Planner { plan, cells, outputs, returned, depth, .. } = planner;
        let (given, count) = cells.assign(plan.registers);
        plan.fresh(count as usize)?;
        let mut settle = |register: &mut Register| {
            if register.0 & Register::CELL != 0 {
                *register = given[(register.0 & !Register::CELL) as usize];
            }
        };
        each_register(&mut body, &mut settle);
        parameters.iter_mut().for_each(&mut settle);
        if entry {
            plan.inputs.iter_mut().flat_map(|(_, registers)| registers.iter_mut()).for_each(&mut settle);
            plan.outputs = outputs;
        }
        Ok(Prepared { body, parameters, returned, depth })
    }

    /// Gives the inputs their places; the parameters' registers.
    fn interface(&mut self, inputs: &[Input], body: &mut Block) -> Result<Vec<Register>, Error> {
        let mut parameters = Vec::new();
        for input in inputs {
            let count = compute::components(input.ty);
            let held = match (input.kind, input.ty) {
                (InputKind::Texture { slot, sampler }, _) => Held::Texture { slot, sampler },
                (InputKind::Local, Type::Array(_, width, length)) => {
                    let first = self.plan.fresh(count)?;
                    body.push(Step::Clear { first, count });
                    Held::Slot { first: first.0, width: width.into(), length: length as usize }
                }
                (InputKind::Uniform, Type::Array(_, width, length)) => {
                    let first = self.plan.uniform(input);
                    Held::Words { first, width: width.into(), length: length as usize }
                }
                (InputKind::Uniform, _) => {
                    let first = self.plan.uniform(input);
                    let words = (first..first + count).map(|at| self.plan.word(at));
                    Held::Registers(words.collect::<Result<_, _>>()?)
                }
                (InputKind::Parameter, _) => {
                    let registers: Vec<Register> = (0..count).map(|_| self.cells.define()).collect();
                    parameters.extend(&registers);
                    Held::Registers(registers)
                }
                _ => {
                    let registers: Vec<Register> = (0..count).map(|_| self.cells.define()).collect();
                    self.plan.inputs.push((input.kind, registers.clone().into()));
                    Held::Registers(registers)
                }
            };
            self.values.insert(input.id, held);
        }
        Ok(parameters)
    }

    fn registers(&self, id: Id) -> Result<Vec<Register>, Error> {
        match self.values.get(&id) {
            Some(Held::Registers(registers)) => Ok(registers.clone()),
            _ => Err(Error::Unfit),
        }
    }

    /// The registers of a value that is read here.
    fn read(&mut self, id: Id) -> Result<Vec<Register>, Error> {
        let registers = self.registers(id)?;
        registers.iter().for_each(|&register| self.cells.read(register));
        Ok(registers)
    }

    fn operand(inst: &Inst, at: usize) -> Id {
        inst.inputs.get(at).copied().unwrap_or(Id::NONE)
    }

    fn block(&mut self, block: &[Inst], to: &mut Block) -> Result<(), Error> {
        self.blocks += 1;
        self.deepen(self.blocks)?;
        let mut rest = block;
        while let Some((inst, behind)) = rest.split_first() {
            rest = behind;
            self.cells.now += 1;
            let number = self.number;
            self.number += 1;
            match inst.op {
                Op::If => {
                    let phis = rest.iter().take_while(|inst| inst.op == Op::Phi).count();
                    let (phis, behind) = rest.split_at(phis);
                    rest = behind;
                    self.branch(inst, phis, to)?;
                }
                Op::Loop => self.repeat(inst, to)?,
                Op::Switch => self.switch(inst, to)?,
                _ => self.instruction(inst, number, to)?,
            }
        }
        self.blocks -= 1;
        Ok(())
    }

    fn deepen(&mut self, depth: usize) -> Result<(), Error> {
        self.depth = self.depth.max(depth);
        if self.depth > DEPTH { Err(Error::TooDeep) } else { Ok(()) }
    }

    fn arm(&mut self, inst: &Inst, at: usize) -> Result<Block, Error> {
        let mut block = Block::new();
        self.block(inst.blocks.get(at).map_or(&[], Vec::as_slice), &mut block)?;
        Ok(block)
    }

    fn branch(&mut self, inst: &Inst, phis: &[Inst], to: &mut Block) -> Result<(), Error> {
        let condition = self.read(Self::operand(inst, 0))?;
        let [condition] = condition[..] else { return Err(Error::Unfit) };
        let (accept, reject) = (self.arm(inst, 0)?, self.arm(inst, 1)?);
        // All PHIs choose at one place.
        self.cells.now += 1;
        let mut joins = Vec::new();
        for phi in phis {
            self.number += 1;
            if !phi.output.is_some() {
                continue;
            }
            let (a, b) = (Self::operand(phi, 0), Self::operand(phi, 1));
            // A way that is not taken has a value all the same, where it has one that is visible.
            let known = |planner: &Self, id: Id| planner.values.contains_key(&id);
            let a = if known(self, a) { a } else { b };
            let b = if known(self, b) { b } else { a };
            if !known(self, a) {
                let count = self.types.get(phi.output).map_or(0, compute::components);
                let zero = self.plan.literal(0)?;
                self.values.insert(phi.output, Held::Registers(vec![zero; count]));
                continue;
            }
            let (a, b) = (self.read(a)?, self.read(b)?);
            let out: Vec<Register> = a.iter().map(|_| self.cells.define()).collect();
            let each = out.iter().zip(a).zip(b);
            joins.extend(each.map(|((&to, accept), reject)| Join { to, accept, reject }));
            self.values.insert(phi.output, Held::Registers(out));
        }
        to.push(Step::If { condition, accept, reject, joins: joins.into() });
        Ok(())
    }

    fn repeat(&mut self, inst: &Inst, to: &mut Block) -> Result<(), Error> {
        let code = inst.blocks.first().map_or(&[][..], Vec::as_slice);
        let (phis, code) = code.split_at(code.iter().take_while(|inst| inst.op == Op::Phi).count());
        let (mut entry, mut heads) = (Vec::new(), Vec::new());
        for phi in phis {
            self.number += 1;
            let from = self.read(Self::operand(phi, 0))?;
            let out: Vec<Register> = from.iter().map(|_| self.cells.define()).collect();
            entry.extend(out.iter().zip(from).map(|(&to, from)| Move { to, from }));
            heads.push(out);
        }
        for (phi, out) in phis.iter().zip(&heads) {
            self.values.insert(phi.output, Held::Registers(out.clone()));
        }
        self.cells.enter();
        self.captures += 1;
        let mut body = Block::new();
        self.block(code, &mut body)?;
        self.captures -= 1;
        self.cells.now += 1;
        let mut back = Vec::new();
        for (phi, out) in phis.iter().zip(&heads) {
            let second = Self::operand(phi, 1);
            if second.is_some() {
                let from = self.read(second)?;
                back.extend(out.iter().zip(from).map(|(&to, from)| Move { to, from }));
            }
        }
        self.cells.leave();
        self.plan.moves = self.plan.moves.max(back.len());
        to.push(Step::Loop { entry: entry.into(), body, back: back.into() });
        Ok(())
    }

    fn switch(&mut self, inst: &Inst, to: &mut Block) -> Result<(), Error> {
        let selector = self.read(Self::operand(inst, 0))?;
        let [selector] = selector[..] else { return Err(Error::Unfit) };
        self.captures += 1;
        let mut cases = Vec::new();
        for (at, &value) in inst.immediates.iter().enumerate() {
            cases.push((value, self.arm(inst, at)?));
        }
        let otherwise = self.arm(inst, inst.immediates.len())?;
        self.captures -= 1;
        to.push(Step::Switch { selector, cases: cases.into(), otherwise });
        Ok(())
    }

    fn instruction(&mut self, inst: &Inst, number: usize, to: &mut Block) -> Result<(), Error> {
        match inst.op {
            Op::Nop => {}
            Op::Break => to.push(Step::Break),
            Op::Continue => to.push(Step::Continue),
            Op::Discard => to.push(Step::Discard { leaves: self.captures > 0 }),
            Op::Return => {
                let value = Self::operand(inst, 0);
                let from = if value.is_some() { self.read(value)? } else { Vec::new() };
                let moves = self.returned.iter().zip(from).map(|(&to, from)| Move { to, from });
                to.push(Step::Return(moves.collect()));
            }
            Op::Call => self.call(inst, to)?,
            Op::Poke => self.poke(inst, to)?,
            _ if inst.output.is_some() => self.compute(inst, number, to)?,
            _ => {}
        }
        Ok(())
    }

    fn call(&mut self, inst: &Inst, to: &mut Block) -> Result<(), Error> {
        let function = inst.immediates.first().and_then(|&index| usize::try_from(index).ok()).ok_or(Error::Unfit)?;
        let mut from = Vec::new();
        for &id in &inst.inputs {
            from.extend(self.read(id)?);
        }
        let callee = self.plan.functions.get(&function).ok_or(Error::Unfit)?;
        let depth = self.blocks + callee.depth;
        let arguments = callee.parameters.iter().zip(from).map(|(&to, from)| Move { to, from }).collect();
        let mut results = Vec::new();
        let mut out = Vec::new();
        for &from in &callee.returned {
            let to = self.cells.define();
            out.push(to);
            results.push(Move { to, from });
        }
        self.deepen(depth)?;
        if inst.output.is_some() {
            self.values.insert(inst.output, Held::Registers(out));
        }
        to.push(Step::Call { function, arguments, results: results.into() });
        Ok(())
    }

    fn poke(&mut self, inst: &Inst, to: &mut Block) -> Result<(), Error> {
        let from = self.read(Self::operand(inst, 0))?;
        let offset = inst.immediates.first().copied().ok_or(Error::Unfit)?;
        let [_, slot, index] = inst.inputs[..] else {
            let output = usize::try_from(offset).ok().and_then(|at| self.outputs.get(at)).ok_or(Error::Unfit)?;
            to.extend(output.iter().zip(from).map(|(&to, from)| Step::Store(Move { to, from })));
            return Ok(());
        };
        let Some(&Held::Slot { first, width, length }) = self.values.get(&slot) else { return Err(Error::Unfit) };
        if index.is_some() {
            let [index] = self.read(index)?[..] else { return Err(Error::Unfit) };
            to.push(Step::Scatter(from.into(), Elements { index, offset, length }, Register(first)));
        } else {
            let at = first + (compute::element(0, offset, length) * width) as u32;
            to.extend((at..).map(Register).zip(from).map(|(to, from)| Step::Store(Move { to, from })));
        }
        Ok(())
    }

    /// Registers for a result: where all operands are fixed, of the prologue.
    fn results(&mut self, count: usize, fixed: bool) -> Result<Vec<Register>, Error> {
        if !fixed {
            return Ok((0..count).map(|_| self.cells.define()).collect());
        }
        let registers = self.plan.row(count)?;
        self.plan.fixed.extend(&registers);
        Ok(registers)
    }

    fn are_fixed(&self, registers: &[Register]) -> bool {
        registers.iter().all(|register| self.plan.fixed.contains(register))
    }

    /// What an instruction computes that has a result.
    fn compute(&mut self, inst: &Inst, number: usize, to: &mut Block) -> Result<(), Error> {
        let ty = self.types.get(inst.output).ok_or(Error::Unfit)?;
        if inst.op == Op::Peek {
            let held = self.peek(inst, ty, to)?;
            self.values.insert(inst.output, Held::Registers(held));
            return Ok(());
        }
        if inst.op.shape().inputs.allows(0) {
            let words = inst.immediates.iter().map(|&word| self.plan.literal(word));
            let held = words.collect::<Result<_, _>>()?;
            self.values.insert(inst.output, Held::Registers(held));
            return Ok(());
        }
        let mut steps = Block::new();
        let (out, fixed) = self.steps(inst, ty, &mut steps)?;
        if !steps.is_empty() {
            if matches!(ty, Type::Vector(Scalar::Half, _)) {
                steps.extend(out.iter().map(|&register| Step::Round(register)));
            }
            let (mut operands, mut texture) = (Vec::new(), None);
            for &id in &inst.inputs {
                operands.push(match self.values.get(&id) {
                    Some(&Held::Texture { slot, .. }) => {
                        texture = Some(slot);
                        Box::default()
                    }
                    _ => self.read(id)?.into(),
                });
            }
            let site = Site { function: self.index, instruction: number, op: inst.op, ty, texture };
            let seen = Seen { site, result: out.clone().into(), operands: operands.into() };
            steps.push(Step::Result(Box::new(seen)));
            if fixed { self.plan.prologue.extend(steps) } else { to.extend(steps) }
        }
        self.values.insert(inst.output, Held::Registers(out));
        Ok(())
    }

    /// The steps that compute a result, its registers, and whether it is fixed. No steps where it is a choice.
    fn steps(&mut self, inst: &Inst, ty: Type, steps: &mut Block) -> Result<(Vec<Register>, bool), Error> {
        let count = compute::components(ty);
        if let Some(&Held::Texture { slot, sampler }) = self.values.get(&Self::operand(inst, 0)) {
            let out = self.results(count, false)?;
            steps.push(self.texel(inst, &out, slot, sampler)?);
            return Ok((out, false));
        }
        let mut operands = Vec::new();
        for &id in &inst.inputs {
            operands.push(self.read(id)?);
        }
        let types: Vec<Type> = inst.inputs.iter().filter_map(|&id| self.types.get(id)).collect();
        let fixed = operands.iter().all(|operand| self.are_fixed(operand));
        let pick = |(of, at): compute::Component| operands.get(of).and_then(|operand| operand.get(at)).copied();
        let kernel = match (inst.op, &types[..]) {
            (Op::Ddx, _) => Some(Kernel::One(crate::quads::ddx)),
            (Op::Ddy, _) => Some(Kernel::One(crate::quads::ddy)),
            (Op::Convert, &[Type::Vector(from, _)]) => match ty {
                Type::Vector(to, _) => compute::conversion(from, to),
                _ => None,
            },
            _ => None,
        };
        if kernel.is_none() {
            if let Some(choice) = compute::choice(inst.op, &types, &inst.immediates) {
                return Ok((choice.into_iter().map(pick).collect::<Option<_>>().ok_or(Error::Unfit)?, fixed));
            }
            if let Some(products) = compute::products(inst.op, &types) {
                let out = self.results(count, fixed)?;
                for (&to, (row, column)) in out.iter().zip(products) {
                    let both = [Type::floats(row.len() as u8); 2];
                    let Some(Kernel::Whole(dot)) = compute::kernel(Op::Dot, &both) else { return Err(Error::Unfit) };
                    let from = row.into_iter().chain(column).map(pick).collect::<Option<_>>().ok_or(Error::Unfit)?;
                    steps.push(Step::Whole(dot, [to].into(), from));
                }
                return Ok((out, fixed));
            }
        }
        // A matrix and a scalar are floats one by one.
        let flat: Vec<Type> = types.iter().map(|&ty| if ty.width().is_some() { ty } else { Type::FLOAT }).collect();
        let kernel = kernel.or_else(|| compute::kernel(inst.op, &flat)).ok_or(Error::Unfit)?;
        match kernel {
            Kernel::Fold(f) => {
                let all = operands.concat();
                let (&first, rest) = all.split_first().ok_or(Error::Unfit)?;
                let outs = self.results(rest.len(), fixed)?;
                let mut before = first;
                for (&to, &next) in outs.iter().zip(rest) {
                    steps.push(Step::Two(f, to, [before, next]));
                    self.cells.read(before);
                    before = to;
                }
                Ok((vec![before], fixed))
            }
            Kernel::Whole(f) => {
                let out = self.results(count, fixed)?;
                steps.push(Step::Whole(f, out.clone().into(), operands.concat().into()));
                Ok((out, fixed))
            }
            _ => {
                let out = self.results(count, fixed)?;
                for (at, &to) in out.iter().enumerate() {
                    // A scalar counts for each component.
                    let lane = |operand: &Vec<Register>| operand.get(at).or(operand.first()).copied();
                    let from: Option<Vec<Register>> = operands.iter().map(lane).collect();
                    let step = from.and_then(|from| Step::of(kernel, to, &from));
                    steps.push(step.ok_or(Error::Unfit)?);
                }
                Ok((out, fixed))
            }
        }
    }

    fn texel(&mut self, inst: &Inst, out: &[Register], slot: u32, sampler: Sampler) -> Result<Step, Error> {
        let to: Registers = out.into();
        let at: Registers = self.read(Self::operand(inst, 1))?.into();
        let mut more = Vec::new();
        for &id in inst.inputs.get(2..).unwrap_or_default() {
            more.push(self.read(id)?);
        }
        let way = match (inst.op, &more[..]) {
            (Op::Fetch, [level]) => {
                let &[level] = &level[..] else { return Err(Error::Unfit) };
                return Ok(Step::Fetch { to, slot, at, level });
            }
            (Op::Sample, []) => Way::Auto,
            (Op::SampleBias, [level]) => Way::Bias(*level.first().ok_or(Error::Unfit)?),
            (Op::SampleLod, [level]) => Way::Exact(*level.first().ok_or(Error::Unfit)?),
            (Op::SampleGrad, [x, y]) => Way::Gradient(x.clone().into(), y.clone().into()),
            _ => return Err(Error::Unfit),
        };
        Ok(Step::Sample { to, slot, sampler, at, way })
    }

    fn peek(&mut self, inst: &Inst, ty: Type, to: &mut Block) -> Result<Vec<Register>, Error> {
        let offset = inst.immediates.first().copied().ok_or(Error::Unfit)?;
        let count = compute::components(ty);
        let index = Self::operand(inst, 1);
        let index = if index.is_some() { self.read(index)?.first().copied() } else { None };
        let held = self.values.get(&Self::operand(inst, 0)).cloned().ok_or(Error::Unfit)?;
        match held {
            Held::Words { first, width, length } => match index {
                None => {
                    let at = first + compute::element(0, offset, length) * width;
                    (at..at + width).map(|at| self.plan.word(at)).collect()
                }
                Some(index) => {
                    let fixed = self.are_fixed(&[index]);
                    let out = self.results(count, fixed)?;
                    let step = Step::Gather(out.clone().into(), Elements { index, offset, length }, first);
                    if fixed {
                        self.plan.prologue.push(step)
                    } else {
                        to.push(step)
                    }
                    Ok(out)
                }
            },
            Held::Slot { first, width, length } => {
                let out = self.results(count, false)?;
                match index {
                    None => {
                        let at = first + (compute::element(0, offset, length) * width) as u32;
                        let moves = out.iter().zip((at..).map(Register)).map(|(&to, from)| Move { to, from });
                        to.extend(moves.map(Step::Copy));
                    }
                    Some(index) => {
                        to.push(Step::Load(out.clone().into(), Elements { index, offset, length }, Register(first)));
                    }
                }
                Ok(out)
            }
            // A column of a matrix.
            Held::Registers(all) => {
                let length = all.len() / count.max(1);
                match index {
                    None => {
                        let at = compute::element(0, offset, length) * count;
                        let column = all.get(at..at + count).ok_or(Error::Unfit)?.to_vec();
                        column.iter().for_each(|&register| self.cells.read(register));
                        Ok(column)
                    }
                    Some(index) => {
                        all.iter().for_each(|&register| self.cells.read(register));
                        let fixed = self.are_fixed(&[index]) && self.are_fixed(&all);
                        let out = self.results(count, fixed)?;
                        let step = Step::Column(out.clone().into(), Elements { index, offset, length }, all.into());
                        if fixed {
                            self.plan.prologue.push(step)
                        } else {
                            to.push(step)
                        }
                        Ok(out)
                    }
                }
            }
            Held::Texture { .. } => Err(Error::Unfit),
        }
    }
}

//! Turns the functions of a verified module into steps, with a register for each component of each value.
//!
//! Computations that depend only on literals and uniforms go to the *prologue*, which runs once for each set of uniforms and has
//! its own registers. Operations that only select components, such as SWIZZLE and VECTOR, produce no steps: their results are the
//! operands' registers. Each function has its own registers, because recursion is not allowed and therefore no function is active
//! twice.

mod compute;

use std::collections::{HashMap, HashSet};

use sdlbc::compute::{components, element};
use sdlbc::{Id, Input, InputKind, Inst, InstRef, Module, Op, OutputKind, Sampler, Type, Types, flow};

use crate::cells::Cells;
use crate::error::Error;
use crate::float24::Float;
use crate::simd::Simd;
use crate::step::{Block, Element, Elements, Join, Move, Offset, Place, Register, Registers, Step, each_register};

/// The maximum number of registers of a program. This number of registers occupies 64 MiB. The limit is needed because a module
/// may have 16384 local arrays of 4096 elements.
const REGISTERS: u32 = 1 << 18;

/// The maximum number of words in all uniforms, and also in all shared arrays. This number of words occupies 16 MiB.
const WORDS: usize = 1 << 22;

/// The maximum nesting depth of blocks, including the blocks of called functions. The limit bounds the stack.
const DEPTH: usize = 256;

#[derive(Clone)]
enum Held {
    /// A scalar, vector or matrix, with a register for each component.
    Registers(Vec<Register>),
    /// A local array in consecutive registers.
    Local { first: u32, width: usize, length: usize },
    /// An array of uniforms that begins at the word `first`.
    Words { first: usize, width: usize, length: usize },
    /// A texture with its sampler.
    Texture { slot: u32, sampler: Sampler, offset: Offset },
    /// A storage buffer or a shared array.
    Memory { place: Place, width: usize },
    /// A storage texture.
    Image { slot: u32, has_layers: bool },
}

pub(crate) struct Prepared {
    pub(crate) body: Block,
    parameters: Vec<Register>,
    returned: Vec<Register>,
    /// The deepest nesting of blocks while the function runs.
    depth: usize,
}

#[derive(Default)]
pub(crate) struct Plan {
    /// The lane loops for the current processor.
    pub(crate) simd: Simd,
    float: Float,
    /// The prepared entry function and the functions that it calls, by index in the module.
    pub(crate) functions: HashMap<usize, Prepared>,
    pub(crate) prologue: Block,
    /// For each constant word, the register that contains the word in every lane.
    pub(crate) literals: HashMap<u32, Register>,
    /// The index of each uniform's first word among the words of all uniforms.
    pub(crate) uniforms: HashMap<(String, Type), usize>,
    pub(crate) words: usize,
    /// The number of words in all shared arrays.
    pub(crate) shared: usize,
    pub(crate) has_barriers: bool,
    /// For each word of the uniforms, the register that contains the word in every lane.
    pub(crate) uniform_words: HashMap<usize, Register>,
    /// The attributes, varyings and builtins of the entry function. An input has no registers for trailing components that are
    /// never read.
    pub(crate) inputs: Vec<(InputKind, Registers)>,
    pub(crate) outputs: Vec<Registers>,
    pub(crate) registers: u32,
    /// The maximum total number of components of the PHIs at one loop head.
    pub(crate) moves: usize,
    /// The registers whose values depend only on literals and uniforms.
    fixed: HashSet<Register>,
}

impl Plan {
    pub(crate) fn new(module: &Module, entry: usize, float: Float) -> Result<Plan, Error> {
        let mut plan = Plan { float, ..Plan::default() };
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
        self.fixed.insert(register);
        Ok(register)
    }

    fn uniform(&mut self, input: &Input) -> Result<usize, Error> {
        let key = (input.name.clone(), input.ty);
        if let Some(&known) = self.uniforms.get(&key) {
            return Ok(known);
        }
        let first = self.words;
        self.words = first.checked_add(components(input.ty)).filter(|&all| all <= WORDS).ok_or(Error::TooLarge)?;
        self.uniforms.insert(key, first);
        Ok(first)
    }

    /// Rounds the words of the uniforms to the program's floating-point format.
    pub(crate) fn round_uniforms(&self, words: &mut [u32]) {
        for (&(_, ty), &first) in &self.uniforms {
            if let Some(words) = words.get_mut(first..first + components(ty)) {
                self.float.round(ty, words);
            }
        }
    }

    fn word(&mut self, at: usize) -> Result<Register, Error> {
        if let Some(&known) = self.uniform_words.get(&at) {
            return Ok(known);
        }
        let register = self.fresh(1)?;
        self.uniform_words.insert(at, register);
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
    /// The type of each input in `plan.inputs`.
    types_of_inputs: Vec<Type>,
    /// The number of the next instruction in reading order.
    number: usize,
    blocks: usize,
    captures: usize,
    /// The deepest nesting of blocks so far, including the blocks of called functions.
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
            types_of_inputs: Vec::new(),
            number: 0,
            blocks: 0,
            captures: usize::from(!entry),
            depth: 0,
        };
        let mut body = Block::new();
        for output in &function.outputs {
            let registers = planner.plan.row(components(output.ty))?;
            if output.kind == OutputKind::Returned {
                planner.returned.clone_from(&registers);
            } else {
                body.extend(registers.first().map(|&first| Step::Clear { first, count: registers.len() }));
            }
            planner.outputs.push(registers.into());
        }
        let mut parameters = planner.interface(&function.inputs, &mut body)?;
        planner.cells.now = 1;
        planner.block(function.body.block(), &mut body)?;
        let Planner { plan, cells, outputs, returned, depth, types_of_inputs, .. } = planner;
        if entry {
            for (_, registers) in &mut plan.inputs {
                let read = registers.iter().rposition(|&register| cells.is_read(register));
                *registers = registers[..read.map_or(0, |last| last + 1)].into();
            }
            let mut rounds = Block::new();
            for ((_, registers), &ty) in plan.inputs.iter().zip(&types_of_inputs) {
                if let Some(round) = plan.float.rounding(ty) {
                    rounds.extend(registers.iter().map(|&register| Step::Round(round, register)));
                }
            }
            body.splice(0..0, rounds);
        }
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

    /// Assigns registers or memory to the inputs, and returns the registers of the parameters.
    fn interface(&mut self, inputs: &[Input], body: &mut Block) -> Result<Vec<Register>, Error> {
        let mut parameters = Vec::new();
        for input in inputs {
            let count = components(input.ty);
            let held = match (input.kind, input.ty) {
                (InputKind::Texture { slot, sampler }, _) => Held::Texture { slot, sampler, offset: 0 },
                (InputKind::Buffer { slot, .. }, Type::Buffer(_, width)) => {
                    Held::Memory { place: Place::Buffer(slot), width: width.into() }
                }
                (InputKind::Shared, Type::Array(_, width, length)) => {
                    let first = self.plan.shared;
                    self.plan.shared = first.checked_add(count).filter(|&all| all <= WORDS).ok_or(Error::TooLarge)?;
                    Held::Memory { place: Place::Shared { first, length: length as usize }, width: width.into() }
                }
                (InputKind::Image { slot, .. }, Type::Image(dimension, _)) => {
                    Held::Image { slot, has_layers: dimension.has_layers() }
                }
                (InputKind::Local, Type::Array(_, width, length)) => {
                    let first = self.plan.fresh(count)?;
                    body.push(Step::Clear { first, count });
                    Held::Local { first: first.0, width: width.into(), length: length as usize }
                }
                (InputKind::Uniform | InputKind::Placed { .. }, Type::Array(_, width, length)) => {
                    let first = self.plan.uniform(input)?;
                    Held::Words { first, width: width.into(), length: length as usize }
                }
                (InputKind::Uniform | InputKind::Placed { .. }, _) => {
                    let first = self.plan.uniform(input)?;
                    let words = (first..first + count).map(|at| self.plan.word(at));
                    Held::Registers(words.collect::<Result<_, _>>()?)
                }
                (InputKind::Parameter, _) => {
                    let registers = self.cells.define_all(count);
                    parameters.extend(&registers);
                    Held::Registers(registers)
                }
                _ => {
                    let registers = self.cells.define_all(count);
                    self.types_of_inputs.push(input.ty);
                    self.plan.inputs.push((input.kind, registers.clone().into()));
                    Held::Registers(registers)
                }
            };
            self.values.insert(input.id, held);
        }
        Ok(parameters)
    }

    /// Rounds inputs and other values that no operation computes to the program's floating-point format.
    fn round(&self, ty: Type, registers: &[Register], to: &mut Block) {
        if let Some(round) = self.plan.float.rounding(ty) {
            to.extend(registers.iter().map(|&register| Step::Round(round, register)));
        }
    }

    fn registers(&self, id: Id) -> Result<Vec<Register>, Error> {
        match self.values.get(&id) {
            Some(Held::Registers(registers)) => Ok(registers.clone()),
            _ => Err(Error::Unfit),
        }
    }

    /// Returns the registers of a value, and extends their live ranges to the current position.
    fn read(&mut self, id: Id) -> Result<Vec<Register>, Error> {
        let registers = self.registers(id)?;
        registers.iter().for_each(|&register| self.cells.read(register));
        Ok(registers)
    }

    fn read_scalar(&mut self, id: Id) -> Result<Register, Error> {
        let [register] = self.read(id)?[..] else { return Err(Error::Unfit) };
        Ok(register)
    }

    /// Returns the register of an index, or `None` if the access has no index.
    fn index(&mut self, id: Id) -> Result<Option<Register>, Error> {
        if id.is_some() { self.read_scalar(id).map(Some) } else { Ok(None) }
    }

    fn operand(inst: &Inst, at: usize) -> Id {
        inst.inputs.get(at).copied().unwrap_or(Id::NONE)
    }

    fn block(&mut self, block: sdlbc::Block<'_>, to: &mut Block) -> Result<(), Error> {
        self.blocks += 1;
        self.deepen(self.blocks)?;
        let mut rest = block.iter();
        while let Some(inst) = rest.next() {
            self.cells.now += 1;
            let number = self.number;
            self.number += 1;
            match inst.op {
                Op::If => {
                    let after = rest.rest().all();
                    let phis = after.get(..flow::phis(after)).unwrap_or_default();
                    rest = rest.rest().after(phis.len()).iter();
                    self.branch(inst, phis, to)?;
                }
                Op::Loop => self.repeat(inst, to)?,
                Op::Switch => self.switch(inst, to)?,
                _ => self.instruction(&inst, number, to)?,
            }
        }
        self.blocks -= 1;
        Ok(())
    }

    fn deepen(&mut self, depth: usize) -> Result<(), Error> {
        self.depth = self.depth.max(depth);
        if self.depth > DEPTH { Err(Error::TooDeep) } else { Ok(()) }
    }

    fn arm(&mut self, inst: InstRef<'_>, at: usize) -> Result<Block, Error> {
        let mut block = Block::new();
        self.block(inst.blocks().get(at).unwrap_or_default(), &mut block)?;
        Ok(block)
    }

    fn branch(&mut self, inst: InstRef<'_>, phis: &[Inst], to: &mut Block) -> Result<(), Error> {
        let condition = self.read_scalar(Self::operand(&inst, 0))?;
        let (accept, reject) = (self.arm(inst, 0)?, self.arm(inst, 1)?);
        // The PHIs of an IF select their values simultaneously, so they share one position in reading order.
        self.cells.now += 1;
        let mut joins = Vec::new();
        for phi in phis {
            self.number += 1;
            // The instruction is a NOP between the PHIs, or a PHI without a result.
            if !phi.output.is_some() {
                continue;
            }
            let (a, b) = (Self::operand(phi, 0), Self::operand(phi, 1));
            // If only one operand of a PHI is defined, that operand supplies the value for both arms.
            let known = |planner: &Self, id: Id| planner.values.contains_key(&id);
            let a = if known(self, a) { a } else { b };
            let b = if known(self, b) { b } else { a };
            if !known(self, a) {
                let count = self.types.get(phi.output).map_or(0, components);
                let zero = self.plan.literal(0)?;
                self.values.insert(phi.output, Held::Registers(vec![zero; count]));
                continue;
            }
            let (a, b) = (self.read(a)?, self.read(b)?);
            let out = self.cells.define_all(a.len());
            let each = out.iter().zip(a).zip(b);
            joins.extend(each.map(|((&to, accept), reject)| Join { to, accept, reject }));
            self.values.insert(phi.output, Held::Registers(out));
        }
        to.push(Step::If { condition, accept, reject, joins: joins.into() });
        Ok(())
    }

    fn repeat(&mut self, inst: InstRef<'_>, to: &mut Block) -> Result<(), Error> {
        let code = inst.blocks().first().unwrap_or_default();
        let head = code.all().get(..flow::phis(code.all())).unwrap_or_default();
        let code = code.after(head.len());
        let phis = || head.iter().filter(|inst| inst.op == Op::Phi);
        self.number += head.len();
        let (mut entry, mut heads) = (Vec::new(), Vec::new());
        for phi in phis() {
            let from = self.read(Self::operand(phi, 0))?;
            let out = self.cells.define_all(from.len());
            entry.extend(out.iter().zip(from).map(|(&to, from)| Move { to, from }));
            heads.push(out);
        }
        for (phi, out) in phis().zip(&heads) {
            self.values.insert(phi.output, Held::Registers(out.clone()));
        }
        self.cells.enter();
        self.captures += 1;
        let mut body = Block::new();
        self.block(code, &mut body)?;
        self.captures -= 1;
        self.cells.now += 1;
        let mut back = Vec::new();
        for (phi, out) in phis().zip(&heads) {
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

    fn switch(&mut self, inst: InstRef<'_>, to: &mut Block) -> Result<(), Error> {
        let selector = self.read_scalar(Self::operand(&inst, 0))?;
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
            Op::ImageStore => self.image_store(inst, to)?,
            op if op.is_atomic() => self.atomic(inst, number, to)?,
            Op::Barrier => {
                self.plan.has_barriers = true;
                to.push(Step::Barrier);
            }
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
        let out = self.cells.define_all(callee.returned.len());
        let results: Vec<Move> = out.iter().zip(&callee.returned).map(|(&to, &from)| Move { to, from }).collect();
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
        let [_, array, index] = inst.inputs[..] else {
            let output = usize::try_from(offset).ok().and_then(|at| self.outputs.get(at)).ok_or(Error::Unfit)?;
            to.extend(output.iter().zip(from).map(|(&to, from)| Step::Store(Move { to, from })));
            return Ok(());
        };
        let index = self.index(index)?;
        if let Some(&Held::Memory { place, .. }) = self.values.get(&array) {
            to.push(Step::Write(Box::new(Element { place, index, offset, registers: from.into() })));
            return Ok(());
        }
        let Some(&Held::Local { first, width, length }) = self.values.get(&array) else { return Err(Error::Unfit) };
        if let Some(index) = index {
            to.push(Step::Scatter(from.into(), Elements { index, offset, length }, Register(first)));
        } else {
            let at = first + (element(0, offset, length) * width) as u32;
            to.extend((at..).map(Register).zip(from).map(|(to, from)| Step::Store(Move { to, from })));
        }
        Ok(())
    }
}

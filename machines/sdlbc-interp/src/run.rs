//! Runs the steps of a function, with a mask of active lanes.
//!
//! Inactive lanes compute too, but their results are never used: local arrays and outputs are written only in active lanes, and a
//! PHI selects the value of each lane's own path. A block without an active lane is skipped.
//!
//! After the conditional that contains the discard, a discarded lane continues as a helper invocation. Inside a loop, a switch or
//! a call, a discarded lane leaves the function. The values of a discarded lane are undefined, so a loop ends when all of its
//! active lanes have been discarded.

mod dispatch;
mod memory;

use std::cell::RefCell;
use std::mem::swap;

use sdlbc::FunctionKind;
use sdlbc::compute::{components, element};
use sdlbc::module::texel_offset;

use crate::plan::Plan;
use crate::sample::{self, Gathered, LevelOf, Located};
pub(crate) use dispatch::run_workgroups;
use memory::Memory;

use crate::step::{Block, Corner, CornersOf, Elements, Join, LevelSource, Move, Register, Registers, Seen, Site, Step};
use crate::{Column, LANES, Mask, Resources};

/// An observer that receives each computed result and may change the result.
pub trait Observer {
    /// Receives the result and the operands of an instruction. `columns` contains a column for each component of the result.
    /// The columns are valid only in the lanes of `active`. A texture operand has no components. Results that depend only on
    /// literals and uniforms are computed first, and only once. Instructions that only select components or values, such as PHI,
    /// SWIZZLE, VECTOR and PEEK, are not observed.
    fn result(&mut self, site: &Site, active: Mask, operands: &[Vec<Column>], columns: &mut [Column]);
}

/// The maximum number of steps and blocks that an invocation may run. An invocation that exceeds the limit counts as endless.
pub const STEPS: u64 = 1 << 22;

/// The registers and other memory of a running program.
pub(crate) struct State {
    registers: Box<[Box<Column>]>,
    spare: Box<Column>,
    moved: Vec<Column>,
    whole: Box<[Column; 4]>,
    words: Vec<u32>,
}

impl State {
    /// Allocates the registers and runs the prologue.
    pub(crate) fn new(
        plan: &Plan,
        kind: FunctionKind,
        resources: &Resources,
        observer: Option<&mut dyn Observer>,
    ) -> State {
        let mut words = vec![0; plan.words];
        for ((name, ty), &first) in &plan.uniforms {
            let given = resources.uniforms.get(&(kind, name.clone())).map_or(&[][..], Vec::as_slice);
            for (to, from) in words.iter_mut().skip(first).take(components(*ty)).zip(given) {
                *to = *from;
            }
        }
        plan.round_uniforms(&mut words);
        let mut registers: Box<[Box<Column>]> = (0..plan.registers).map(|_| Box::new([0; LANES])).collect();
        for (&word, register) in &plan.literals {
            registers[register.index()].fill(word);
        }
        for (&at, register) in &plan.uniform_words {
            registers[register.index()].fill(words[at]);
        }
        let mut state = State {
            registers,
            spare: Box::new([0; LANES]),
            moved: vec![[0; LANES]; plan.moves],
            whole: Box::new([[0; LANES]; 4]),
            words,
        };
        Run::new(plan, kind, resources, None, &mut state, Mask::MAX, observer).block(&plan.prologue);
        state
    }

    pub(crate) fn register(&self, register: Register) -> &Column {
        &self.registers[register.index()]
    }

    pub(crate) fn register_mut(&mut self, register: Register) -> &mut Column {
        &mut self.registers[register.index()]
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Ended {
    pub(crate) discarded: Mask,
    pub(crate) stuck: bool,
}

pub(crate) struct Run<'a, 'o> {
    plan: &'a Plan,
    kind: FunctionKind,
    resources: &'a Resources,
    /// The storage buffers, storage textures and shared arrays of a dispatch. The value is `None` outside a dispatch.
    memory: Option<&'a RefCell<Memory>>,
    state: &'a mut State,
    observer: Option<&'a mut (dyn Observer + 'o)>,
    /// The lanes that were active when the run began. Values in all other lanes may be overwritten.
    all: Mask,
    active: Mask,
    /// The lanes that have left the innermost LOOP or SWITCH.
    broken: Mask,
    /// The lanes that have left the current iteration of the innermost LOOP.
    continued: Mask,
    returned: Mask,
    discarded: Mask,
    steps: u64,
}

impl<'a, 'o> Run<'a, 'o> {
    pub(crate) fn new(
        plan: &'a Plan,
        kind: FunctionKind,
        resources: &'a Resources,
        memory: Option<&'a RefCell<Memory>>,
        state: &'a mut State,
        all: Mask,
        observer: Option<&'a mut (dyn Observer + 'o)>,
    ) -> Run<'a, 'o> {
        Run {
            plan,
            kind,
            resources,
            memory,
            state,
            observer,
            all,
            active: all,
            broken: 0,
            continued: 0,
            returned: 0,
            discarded: 0,
            steps: 0,
        }
    }

    pub(crate) fn entry(mut self, function: usize) -> Ended {
        let plan = self.plan;
        if let Some(entry) = plan.functions.get(&function) {
            self.block(&entry.body);
        }
        Ended { discarded: self.discarded, stuck: self.steps > STEPS }
    }

    fn block(&mut self, block: &'a Block) {
        self.steps += block.len() as u64 + 1;
        if self.steps > STEPS {
            self.active = 0;
        }
        for step in block {
            if self.active == 0 {
                return;
            }
            self.step(step);
        }
    }

    #[inline]
    fn column(&self, register: Register) -> &Column {
        &self.state.registers[register.index()]
    }

    /// Calls `f` with the register `to`, which `f` writes, and with all registers. `f` must not read the register `to`.
    #[inline]
    fn write(&mut self, to: Register, f: impl FnOnce(&mut Column, &[Box<Column>])) {
        let State { registers, spare, .. } = &mut *self.state;
        swap(&mut registers[to.index()], spare);
        f(spare, registers);
        swap(&mut registers[to.index()], spare);
    }

    fn copy(&mut self, Move { to, from }: Move) {
        self.write(to, |to, all| *to = *all[from.index()]);
    }

    fn step(&mut self, step: &'a Step) {
        match *step {
            Step::One(f, to, a) => self.write(to, |to, all| f(to, &all[a.index()])),
            Step::Two(f, to, [a, b]) => self.write(to, |to, all| f(to, &all[a.index()], &all[b.index()])),
            Step::Three(f, to, [a, b, c]) => {
                self.write(to, |to, all| f(to, &all[a.index()], &all[b.index()], &all[c.index()]));
            }
            Step::Whole(f, ref to, ref from) => self.whole(f, to, from),
            Step::Round(f, register) => f(self.state.register_mut(register)),
            Step::Result(ref seen) => {
                if self.observer.is_some() {
                    self.observe(seen);
                }
            }
            Step::Copy(what) => self.copy(what),
            Step::Store(what) => self.store(what),
            Step::Clear { first, count } => {
                self.state.registers[first.index()..][..count].iter_mut().for_each(|column| column.fill(0));
            }
            Step::Gather(ref to, elements, first) => self.gather(to, elements, first),
            Step::Load(ref to, elements, first) => self.load(to, elements, |at| Register(first.0 + at as u32)),
            Step::Column(ref to, elements, ref from) => self.load(to, elements, |at| from[at]),
            Step::Scatter(ref from, elements, first) => self.scatter(from, elements, first),
            Step::Sample { .. } | Step::Fetch { .. } | Step::Size { .. } => self.texel(step),
            Step::Corners(ref corners) => self.corners(corners),
            Step::Read(ref element) => self.read_element(element),
            Step::Write(ref element) => self.write_element(element),
            Step::Atomic(ref atomic) => self.atomic(atomic),
            Step::Count { to, slot, width } => self.count(to, slot, width),
            Step::ReadTexel(ref texel) => self.read_texel(texel),
            Step::WriteTexel(ref texel) => self.write_texel(texel),
            Step::Sizes { ref to, slot } => self.sizes(to, slot),
            Step::Barrier => {}
            Step::If { condition, ref accept, ref reject, ref joins } => self.branch(condition, accept, reject, joins),
            Step::Loop { ref entry, ref body, ref back } => self.repeat(entry, body, back),
            Step::Switch { selector, ref cases, ref otherwise } => self.switch(selector, cases, otherwise),
            Step::Break => {
                self.broken |= self.active;
                self.active = 0;
            }
            Step::Continue => {
                self.continued |= self.active;
                self.active = 0;
            }
            Step::Discard { leaves } => {
                self.discarded |= self.active;
                // When all lanes have been discarded, the helper invocations stop too.
                if leaves || self.all & !self.discarded == 0 {
                    self.returned |= self.active;
                    self.active = 0;
                }
            }
            Step::Return(ref values) => {
                values.iter().for_each(|&value| self.store(value));
                self.returned |= self.active;
                self.active = 0;
            }
            Step::Call { function, ref arguments, ref results } => {
                let Some(callee) = self.plan.functions.get(&function) else { return };
                arguments.iter().for_each(|&argument| self.copy(argument));
                let entered = self.active;
                let outer = (std::mem::take(&mut self.returned), self.broken, self.continued);
                self.block(&callee.body);
                (self.returned, self.broken, self.continued) = outer;
                self.active = if self.steps > STEPS { 0 } else { entered };
                results.iter().for_each(|&result| self.copy(result));
            }
        }
    }

    fn whole(&mut self, f: fn(&mut [Column; 4], &[&Column]), to: &[Register], from: &[Register]) {
        let State { registers, whole, .. } = &mut *self.state;
        let [zero, ..] = &registers[..] else { return };
        let mut of: [&Column; 12] = [zero; 12];
        for (of, from) in of.iter_mut().zip(from) {
            *of = &registers[from.index()];
        }
        f(whole, &of[..from.len().min(12)]);
        for (to, column) in to.iter().zip(whole.iter()) {
            *registers[to.index()] = *column;
        }
    }

    #[cold]
    fn observe(&mut self, seen: &Seen) {
        let columns = |registers: &Registers| registers.iter().map(|&register| *self.column(register)).collect();
        let operands: Vec<Vec<Column>> = seen.operands.iter().map(columns).collect();
        let mut result: Vec<Column> = columns(&seen.result);
        if let Some(observer) = self.observer.as_mut() {
            observer.result(&seen.site, self.active, &operands, &mut result);
        }
        for (&register, column) in seen.result.iter().zip(result) {
            *self.state.register_mut(register) = column;
        }
    }

    fn all_are_active(&self) -> bool {
        self.active == self.all
    }

    fn store(&mut self, what: Move) {
        if self.all_are_active() {
            return self.copy(what);
        }
        let active = self.active;
        let State { registers, .. } = &mut *self.state;
        let from = *registers[what.from.index()];
        choose(&mut registers[what.to.index()], active, &from);
    }

    fn gather(&mut self, to: &[Register], elements: Elements, first: usize) {
        let index = *self.column(elements.index);
        let width = to.len();
        let State { registers, words, .. } = &mut *self.state;
        for (lane, &index) in index.iter().enumerate() {
            let at = first + element(index, elements.offset, elements.length) * width;
            for (to, word) in to.iter().zip(&words[at..]) {
                registers[to.index()][lane] = *word;
            }
        }
    }

    fn load(&mut self, to: &[Register], elements: Elements, from: impl Fn(usize) -> Register) {
        let index = *self.column(elements.index);
        for (lane, &index) in index.iter().enumerate() {
            let at = element(index, elements.offset, elements.length) * to.len();
            for (component, to) in to.iter().enumerate() {
                let word = self.column(from(at + component))[lane];
                self.state.register_mut(*to)[lane] = word;
            }
        }
    }

    fn scatter(&mut self, from: &[Register], elements: Elements, first: Register) {
        let index = *self.column(elements.index);
        for lane in (0..LANES).filter(|lane| self.active >> lane & 1 != 0) {
            let at = element(index[lane], elements.offset, elements.length) * from.len();
            for (component, from) in from.iter().enumerate() {
                let word = self.column(*from)[lane];
                self.state.register_mut(Register(first.0 + (at + component) as u32))[lane] = word;
            }
        }
    }

    fn texel(&mut self, step: &Step) {
        match step {
            Step::Sample { to, slot, sampler, at, offset, source } => {
                let Some(texture) = self.resources.textures.get(&(self.kind, *slot)) else { return self.no_texel(to) };
                let State { registers, whole, .. } = &mut *self.state;
                let zero = [0; LANES];
                let column = |axis: usize| at.get(axis).map_or(&zero, |at| &*registers[at.index()]);
                let at =
                    Located { at: [column(0), column(1), column(2)], layers: column(3), offset: texel_offset(*offset) };
                let mut of =
                    |level: LevelOf<'_>| (self.plan.simd.sample)(texture, sampler, &at, level, self.active, whole);
                let floats = |register: &Register| registers[register.index()].map(f32::from_bits);
                match source {
                    LevelSource::Auto => of(LevelOf::Implicit { bias: None }),
                    LevelSource::Bias(bias) => of(LevelOf::Implicit { bias: Some(&floats(bias)) }),
                    LevelSource::Exact(level) => of(LevelOf::Exact(&floats(level))),
                    LevelSource::Gradient(x, y) => {
                        of(LevelOf::Gradient { dx: &vectors(registers, x), dy: &vectors(registers, y) });
                    }
                }
                for (to, column) in to.iter().zip(whole.iter()) {
                    *registers[to.index()] = *column;
                }
            }
            Step::Size { to, slot, level } => {
                let Some(texture) = self.resources.textures.get(&(self.kind, *slot)) else { return self.no_texel(to) };
                for lane in 0..LANES {
                    let sizes = sample::sizes(texture, self.column(*level)[lane].cast_signed());
                    for (&to, size) in to.iter().zip(sizes) {
                        self.state.register_mut(to)[lane] = size;
                    }
                }
            }
            Step::Fetch { to, slot, texel, at, offset, level } => {
                let Some(texture) = self.resources.textures.get(&(self.kind, *slot)) else { return self.no_texel(to) };
                for lane in 0..LANES {
                    let mut place = self.place(at, lane);
                    for (component, by) in place.iter_mut().zip(texel_offset(*offset)) {
                        *component = component.wrapping_add(by);
                    }
                    let found = sample::fetch(texture, *texel, place, self.column(*level)[lane].cast_signed());
                    for (&to, component) in to.iter().zip(found) {
                        self.state.register_mut(to)[lane] = component;
                    }
                }
            }
            _ => {}
        }
    }

    #[cold]
    fn corners(&mut self, CornersOf { to, slot, sampler, at, offset, what }: &CornersOf) {
        let Some(texture) = self.resources.textures.get(&(self.kind, *slot)) else { return self.no_texel(to) };
        let zero = [0; LANES];
        let column = |register: Option<&Register>| register.map_or(&zero, |register| self.column(*register));
        let place = Located {
            at: [column(at.first()), column(at.get(1)), column(at.get(2))],
            layers: column(at.get(3)),
            offset: texel_offset(*offset),
        };
        let floats = |register: Register| self.column(register).map(f32::from_bits);
        let reference;
        let what = match *what {
            Corner::Component(texel, component) => Gathered::Component(texel, component),
            Corner::Compared(register) => {
                reference = floats(register);
                Gathered::Compared(&reference)
            }
            Corner::Filtered(register, is_implicit) => {
                reference = floats(register);
                Gathered::Filtered(&reference, is_implicit.then_some(LevelOf::Implicit { bias: None }))
            }
        };
        let mut results = [[0; LANES]; 4];
        sample::gather(texture, sampler, &place, what, self.active, &mut results);
        for (&to, column) in to.iter().zip(&results) {
            *self.state.register_mut(to) = *column;
        }
    }

    fn no_texel(&mut self, to: &[Register]) {
        to.iter().for_each(|&to| self.state.register_mut(to).fill(0));
    }

    fn branch(&mut self, condition: Register, accept: &'a Block, reject: &'a Block, joins: &[Join]) {
        let entered = self.active;
        let holds = mask(self.column(condition));
        self.active = entered & holds;
        self.block_if_any(accept);
        let accepted = self.active;
        self.active = entered & !holds;
        self.block_if_any(reject);
        let rejected = self.active;
        self.join(joins, accepted, rejected);
    }

    /// Continues after an IF with the lanes that reached the end of either block.
    fn join(&mut self, joins: &[Join], accepted: Mask, rejected: Mask) {
        self.active = accepted | rejected;
        for &Join { to, accept, reject } in joins {
            match (accepted, rejected) {
                (_, 0) => self.copy(Move { to, from: accept }),
                (0, _) => self.copy(Move { to, from: reject }),
                _ => self.write(to, |to, all| {
                    *to = *all[reject.index()];
                    choose(to, accepted, &all[accept.index()]);
                }),
            }
        }
    }

    fn block_if_any(&mut self, block: &'a Block) {
        if self.active != 0 {
            self.block(block);
        }
    }

    fn repeat(&mut self, entry: &[Move], body: &'a Block, back: &[Move]) {
        let broken = std::mem::take(&mut self.broken);
        let continued = std::mem::take(&mut self.continued);
        entry.iter().for_each(|&one| self.copy(one));
        loop {
            self.block(body);
            self.active |= std::mem::take(&mut self.continued);
            // Discarded lanes do not keep a loop running, because their values are undefined.
            if self.active & !self.discarded == 0 || self.steps > STEPS {
                break;
            }
            self.repeats(back);
        }
        self.active = if self.steps > STEPS { 0 } else { self.active | self.broken };
        self.broken = broken;
        self.continued = continued;
    }

    /// Copies the values of a LOOP's PHIs for the next iteration.
    #[inline]
    fn repeats(&mut self, back: &[Move]) {
        let State { registers, moved, .. } = &mut *self.state;
        for (to, one) in moved.iter_mut().zip(back) {
            *to = *registers[one.from.index()];
        }
        for (from, one) in moved.iter().zip(back) {
            *registers[one.to.index()] = *from;
        }
    }

    fn switch(&mut self, selector: Register, cases: &'a [(u32, Block)], otherwise: &'a Block) {
        let broken = std::mem::take(&mut self.broken);
        let selector = *self.column(selector);
        let (mut rest, mut after) = (self.active, 0);
        for (value, block) in cases {
            let chosen = rest & equal(&selector, *value);
            rest &= !chosen;
            self.active = chosen;
            self.block_if_any(block);
            after |= self.active;
        }
        self.active = rest;
        self.block_if_any(otherwise);
        self.active |= after | self.broken;
        if self.steps > STEPS {
            self.active = 0;
        }
        self.broken = broken;
    }
}

/// Returns a vector for each lane. Missing components are 0.
fn vectors(all: &[Box<Column>], registers: &[Register]) -> [[f32; 3]; LANES] {
    let mut vectors = [[0.0; 3]; LANES];
    for (component, &register) in registers.iter().enumerate().take(3) {
        for (vector, &word) in vectors.iter_mut().zip(&*all[register.index()]) {
            vector[component] = f32::from_bits(word);
        }
    }
    vectors
}

/// Returns the lanes in which a column of bools is true.
fn mask(column: &Column) -> Mask {
    column.iter().enumerate().fold(0, |mask, (lane, &word)| mask | u64::from(word != 0) << lane)
}

fn equal(column: &Column, value: u32) -> Mask {
    column.iter().enumerate().fold(0, |mask, (lane, &word)| mask | u64::from(word == value) << lane)
}

/// Overwrites the lanes in `lanes` with values from another column.
fn choose(to: &mut Column, lanes: Mask, from: &Column) {
    for (lane, (to, from)) in to.iter_mut().zip(from).enumerate() {
        let chosen = 0u32.wrapping_sub((lanes >> lane & 1) as u32);
        *to = *from & chosen | *to & !chosen;
    }
}

//! Runs a compute function: the workgroups of a dispatch one after the other, and the invocations of a workgroup together.
//!
//! Rule: a workgroup with more invocations than lanes is divided into parts, and each part has its own run. All invocations reach
//! a barrier together (V63), so the parts run each step that contains a barrier in lockstep. Each part runs all other steps
//! without waiting for the other parts. If barriers do not order two writes, the write of the later invocation takes effect last.

use std::cell::RefCell;

use sdlbc::compute::element;
use sdlbc::{Builtin, FunctionKind, InputKind};

use super::memory::Memory;
use super::{Observer, Run, STEPS, State, equal, mask};
use crate::error::Error;
use crate::plan::Plan;
use crate::step::{Atomic, Block, Element, Join, Move, Place, Register, Registers, Step, TexelOf};
use crate::{Column, LANES, Mask, Resources, StorageTexture};

/// The size of a workgroup, the numbers of workgroups along the axes, and the position of the current workgroup.
type Group = ([u32; 3], [u32; 3], [u32; 3]);

pub(crate) fn run_workgroups(
    plan: &Plan,
    entry: usize,
    size: [u32; 3],
    resources: &mut Resources,
    count: [u32; 3],
    mut observer: Option<&mut dyn Observer>,
) -> Result<(), Error> {
    let kind = FunctionKind::Compute;
    let memory = RefCell::new(Memory {
        buffers: std::mem::take(&mut resources.buffers),
        images: std::mem::take(&mut resources.images),
        shared: vec![0; plan.shared],
    });
    let invocations = size.iter().fold(1usize, |all, &count| all.saturating_mul(count as usize));
    let mut states: Vec<State> = (0..invocations.div_ceil(LANES))
        .map(|_| State::new(plan, kind, resources, observer.as_mut().map(|one| &mut **one as _)))
        .collect();
    let mut stuck = false;
    'all: for z in 0..count[2] {
        for y in 0..count[1] {
            for x in 0..count[0] {
                let group = (size, count, [x, y, z]);
                memory.borrow_mut().shared.fill(0);
                stuck = if plan.has_barriers && states.len() > 1 {
                    run_with_barriers(plan, entry, resources, &memory, &mut states, group)
                } else {
                    states.iter_mut().enumerate().any(|(part, state)| {
                        let lanes = give(plan, state, part, group);
                        let observer = observer.as_mut().map(|one| &mut **one as _);
                        Run::new(plan, kind, resources, Some(&memory), state, lanes, observer).entry(entry).stuck
                    })
                };
                if stuck {
                    break 'all;
                }
            }
        }
    }
    let memory = memory.into_inner();
    (resources.buffers, resources.images) = (memory.buffers, memory.images);
    if stuck { Err(Error::Stuck) } else { Ok(()) }
}

/// Sets the builtins for a part of a workgroup, and returns the part's lanes.
fn give(plan: &Plan, state: &mut State, part: usize, (size, count, group): Group) -> Mask {
    let all = size.iter().fold(1u32, |all, &count| all.saturating_mul(count));
    let first = u32::try_from(part * LANES).unwrap_or(u32::MAX);
    let lanes = all.saturating_sub(first).clamp(1, LANES as u32);
    let at = |lane: usize| {
        let index = first + lane as u32;
        [index % size[0], index / size[0] % size[1], index / size[0] / size[1]]
    };
    for (kind, registers) in &plan.inputs {
        for (axis, &register) in registers.iter().enumerate().take(3) {
            let column: Column = std::array::from_fn(|lane| match kind {
                InputKind::Builtin(Builtin::GlobalInvocationId) => {
                    group[axis].wrapping_mul(size[axis]).wrapping_add(at(lane)[axis])
                }
                InputKind::Builtin(Builtin::LocalInvocationId) => at(lane)[axis],
                InputKind::Builtin(Builtin::LocalInvocationIndex) => first + lane as u32,
                InputKind::Builtin(Builtin::WorkgroupId) => group[axis],
                InputKind::Builtin(Builtin::NumWorkgroups) => count[axis],
                _ => 0,
            });
            *state.register_mut(register) = column;
        }
    }
    Mask::MAX >> (LANES as u32 - lanes)
}

/// Runs a workgroup whose parts wait for each other at barriers, and returns whether an invocation is stuck.
fn run_with_barriers(
    plan: &Plan,
    entry: usize,
    resources: &Resources,
    memory: &RefCell<Memory>,
    states: &mut [State],
    group: Group,
) -> bool {
    let parts = states.iter_mut().enumerate().map(|(part, state)| {
        let lanes = give(plan, state, part, group);
        Run::new(plan, FunctionKind::Compute, resources, Some(memory), state, lanes, None)
    });
    let mut runs: Vec<Run<'_, '_>> = parts.collect();
    if let Some(function) = plan.functions.get(&entry) {
        block(&mut runs, &function.body);
    }
    runs.iter().any(|run| run.steps > STEPS)
}

fn block<'a>(runs: &mut [Run<'a, '_>], block: &'a Block) {
    for run in runs.iter_mut().filter(|run| run.active != 0) {
        run.steps += block.len() as u64 + 1;
        if run.steps > STEPS {
            run.active = 0;
        }
    }
    let mut rest = &block[..];
    while !rest.is_empty() {
        let alone = rest.iter().position(Step::has_barrier).unwrap_or(rest.len());
        let (plain, after) = rest.split_at(alone);
        for run in runs.iter_mut() {
            for step in plain {
                if run.active == 0 {
                    break;
                }
                run.step(step);
            }
        }
        rest = after;
        if let Some((first, after)) = rest.split_first() {
            step_with_barrier(runs, first);
            rest = after;
        }
    }
}

fn step_with_barrier<'a>(runs: &mut [Run<'a, '_>], step: &'a Step) {
    match step {
        Step::If { condition, accept, reject, joins } => branch(runs, *condition, [accept, reject], joins),
        Step::Loop { entry, body, back } => repeat(runs, entry, body, back),
        Step::Switch { selector, cases, otherwise } => switch(runs, *selector, cases, otherwise),
        _ => {}
    }
}

fn branch<'a>(runs: &mut [Run<'a, '_>], condition: Register, [accept, reject]: [&'a Block; 2], joins: &[Join]) {
    let mut others = Vec::with_capacity(runs.len());
    for run in runs.iter_mut() {
        let holds = mask(run.column(condition));
        others.push(run.active & !holds);
        run.active &= holds;
    }
    block(runs, accept);
    let mut accepted = Vec::with_capacity(runs.len());
    for (run, other) in runs.iter_mut().zip(others) {
        accepted.push(std::mem::replace(&mut run.active, other));
    }
    block(runs, reject);
    for (run, accepted) in runs.iter_mut().zip(accepted) {
        let rejected = run.active;
        run.join(joins, accepted, rejected);
    }
}

fn repeat<'a>(runs: &mut [Run<'a, '_>], entry: &[Move], body: &'a Block, back: &[Move]) {
    let mut outer = Vec::with_capacity(runs.len());
    for run in runs.iter_mut() {
        outer.push((std::mem::take(&mut run.broken), std::mem::take(&mut run.continued)));
        entry.iter().for_each(|&one| run.copy(one));
    }
    loop {
        block(runs, body);
        let mut goes_on = false;
        for run in runs.iter_mut() {
            run.active |= std::mem::take(&mut run.continued);
            if run.steps > STEPS {
                run.active = 0;
            }
            if run.active != 0 {
                run.repeats(back);
                goes_on = true;
            }
        }
        if !goes_on {
            break;
        }
    }
    for (run, (broken, continued)) in runs.iter_mut().zip(outer) {
        run.active = if run.steps > STEPS { 0 } else { run.broken };
        (run.broken, run.continued) = (broken, continued);
    }
}

fn switch<'a>(runs: &mut [Run<'a, '_>], selector: Register, cases: &'a [(u32, Block)], otherwise: &'a Block) {
    // Each part has four values: the lanes that have left the enclosing LOOP or SWITCH, the selector, the lanes that no case has
    // selected yet, and the lanes that reached the end of a block.
    let mut state = Vec::with_capacity(runs.len());
    for run in runs.iter_mut() {
        state.push((std::mem::take(&mut run.broken), *run.column(selector), run.active, 0));
    }
    for (value, code) in cases {
        for (run, (_, selector, rest, _)) in runs.iter_mut().zip(&mut state) {
            run.active = *rest & equal(selector, *value);
            *rest &= !run.active;
        }
        block(runs, code);
        for (run, (.., after)) in runs.iter_mut().zip(&mut state) {
            *after |= run.active;
        }
    }
    for (run, (_, _, rest, _)) in runs.iter_mut().zip(&state) {
        run.active = *rest;
    }
    block(runs, otherwise);
    for (run, (broken, _, _, after)) in runs.iter_mut().zip(state) {
        run.active |= after | run.broken;
        if run.steps > STEPS {
            run.active = 0;
        }
        run.broken = broken;
    }
}

impl Run<'_, '_> {
    #[cold]
    pub(super) fn read_element(&mut self, of: &Element) {
        let index = of.index.map_or([0; LANES], |index| *self.column(index));
        match (self.memory, of.place) {
            (Some(memory), place) => {
                let mut memory = memory.borrow_mut();
                let (words, length) = memory.words(place, of.registers.len());
                gather(self.state, of, &index, words, length);
            }
            (None, Place::Buffer(slot)) => {
                let words = self.resources.buffers.get(&(self.kind, slot)).map(Vec::as_slice).unwrap_or_default();
                gather(self.state, of, &index, words, words.len() / of.registers.len().max(1));
            }
            (None, Place::Shared { .. }) => {}
        }
    }

    #[cold]
    pub(super) fn write_element(&mut self, of: &Element) {
        let Some(memory) = self.memory else { return };
        let width = of.registers.len();
        let index = of.index.map_or([0; LANES], |index| *self.column(index));
        let mut memory = memory.borrow_mut();
        let (words, length) = memory.words(of.place, width);
        for (lane, &index) in index.iter().enumerate().filter(|(lane, _)| self.active >> lane & 1 != 0) {
            let at = element(index, of.offset, length) * width;
            for (component, &from) in of.registers.iter().enumerate() {
                if let Some(word) = words.get_mut(at + component) {
                    *word = self.column(from)[lane];
                }
            }
        }
    }

    #[cold]
    pub(super) fn atomic(&mut self, of: &Atomic) {
        let Some(memory) = self.memory else { return };
        let index = of.index.map_or([0; LANES], |index| *self.column(index));
        let mut memory = memory.borrow_mut();
        let (words, length) = memory.words(of.place, 1);
        let mut before = [0; LANES];
        for (lane, &index) in index.iter().enumerate().filter(|(lane, _)| self.active >> lane & 1 != 0) {
            if let Some(word) = words.get_mut(element(index, of.offset, length)) {
                let value = |at: usize| of.values.get(at).map_or(0, |&from| self.column(from)[lane]);
                before[lane] = std::mem::replace(word, of.changed(*word, value));
            }
        }
        *self.state.register_mut(of.to) = before;
    }

    #[cold]
    pub(super) fn count(&mut self, to: Register, slot: u32, width: usize) {
        let length = match self.memory {
            Some(memory) => memory.borrow_mut().words(Place::Buffer(slot), width).1,
            None => self.resources.buffers.get(&(self.kind, slot)).map_or(0, Vec::len) / width.max(1),
        };
        self.state.register_mut(to).fill(u32::try_from(length).unwrap_or(u32::MAX));
    }
}

impl Run<'_, '_> {
    /// Returns the coordinates of a storage texture access in a lane, with the layer if the texture has layers.
    pub(super) fn place(&self, at: &Registers, lane: usize) -> [i32; 3] {
        let mut place = [0; 3];
        for (component, &register) in place.iter_mut().zip(at) {
            *component = self.column(register)[lane].cast_signed();
        }
        place
    }

    #[cold]
    pub(super) fn read_texel(&mut self, of: &TexelOf) {
        let memory = self.memory.map(RefCell::borrow);
        let image = match &memory {
            Some(memory) => memory.images.get(&(self.kind, of.slot)),
            None => self.resources.images.get(&(self.kind, of.slot)),
        };
        for lane in 0..LANES {
            let texel = image.and_then(|image| image.texel(self.place(&of.at, lane))).unwrap_or_default();
            for (&to, component) in of.registers.iter().zip(texel) {
                self.state.register_mut(to)[lane] = component;
            }
        }
    }

    #[cold]
    pub(super) fn write_texel(&mut self, of: &TexelOf) {
        let Some(memory) = self.memory else { return };
        let mut memory = memory.borrow_mut();
        let Some(image) = memory.images.get_mut(&(self.kind, of.slot)) else { return };
        for lane in (0..LANES).filter(|lane| self.active >> lane & 1 != 0) {
            let mut texel = [0; 4];
            for (component, &from) in texel.iter_mut().zip(&of.registers) {
                *component = self.column(from)[lane];
            }
            image.set(self.place(&of.at, lane), texel);
        }
    }

    #[cold]
    pub(super) fn sizes(&mut self, to: &Registers, slot: u32) {
        let sizes = match self.memory {
            Some(memory) => memory.borrow().images.get(&(self.kind, slot)).map(StorageTexture::size),
            None => self.resources.images.get(&(self.kind, slot)).map(StorageTexture::size),
        };
        for (&to, size) in to.iter().zip(sizes.unwrap_or_default()) {
            self.state.register_mut(to).fill(size);
        }
    }
}

/// Reads an element of a buffer or of a shared array in each lane.
fn gather(state: &mut State, of: &Element, index: &Column, words: &[u32], length: usize) {
    for (lane, &index) in index.iter().enumerate() {
        let at = element(index, of.offset, length) * of.registers.len();
        for (component, &to) in of.registers.iter().enumerate() {
            state.register_mut(to)[lane] = words.get(at + component).copied().unwrap_or(0);
        }
    }
}

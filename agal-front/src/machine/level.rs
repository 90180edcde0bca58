//! Where the level of detail of `tex` comes from inside a conditional.
//!
//! A level follows from how the coordinate differs between neighbouring invocations, so all of them must have it. Outside
//! of conditionals they do. Inside, they have what was there before the outermost conditional opened, and what `mov` makes of
//! that; what is computed inside may be missing in a neighbour, and is sampled at level 0. Where all open conditionals
//! compare constants, or what is computed from them alone, all invocations take the same way, and have everything.
//!
//! This is a matter of the program's text, not of one run: it does not depend on the way that a quad happens to take.

use std::collections::{BTreeSet, HashMap};

use super::compute::Operation;
use super::decode::{Act, Operand, Place, Step, TextureLevel};

/// What a component of a register holds, as far as the text tells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    /// What nothing has written.
    Zero,
    /// A component of a register that the program is given.
    Read(Place, usize),
    /// What some token computes; each has its number.
    Computed(usize),
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Known {
    value: Value,
    /// It was there before the outermost conditional.
    before: bool,
    /// It is the same in all invocations of a draw.
    uniform: bool,
}

/// Components of the registers that are held, by place.
type State = HashMap<usize, [Known; 4]>;

const UNWRITTEN: Known = Known { value: Value::Zero, before: true, uniform: true };

struct Conditional {
    uniform: bool,
    before: State,
    /// What the first arm ends with, once it has.
    first: Option<State>,
}

/// Settles each `tex` that stands in a conditional.
pub(super) fn settle(steps: &mut [Step]) {
    let mut walk = Walk { state: State::new(), open: Vec::new(), computed: 0 };
    for step in steps {
        walk.step(step);
    }
}

struct Walk {
    state: State,
    open: Vec<Conditional>,
    /// How many values have a number.
    computed: usize,
}

impl Walk {
    fn step(&mut self, step: &mut Step) {
        match &mut step.act {
            Act::If(_) => {
                let uniform = (0..2).all(|slot| self.read(&step.sources[slot], 0, 0).uniform);
                self.open.push(Conditional { uniform, before: self.state.clone(), first: None });
            }
            Act::Else => {
                if let Some(conditional) = self.open.last_mut() {
                    conditional.first = Some(std::mem::replace(&mut self.state, conditional.before.clone()));
                }
            }
            Act::EndIf => {
                if let Some(Conditional { before, first, .. }) = self.open.pop() {
                    self.merge(first.unwrap_or(before));
                }
            }
            Act::Kill => {}
            Act::Texture(texture) => {
                let width = usize::from(texture.sampler.coordinate_components());
                let together = self.open.iter().all(|conditional| conditional.uniform);
                let before = (0..width).all(|component| self.read(&step.sources[0], 0, component).before);
                if texture.level == TextureLevel::Neighbours && !together && !before {
                    texture.level = TextureLevel::Zero;
                }
                self.computes(step, false);
            }
            Act::Derivative(_) => self.computes(step, false),
            Act::Compute(Operation::Copy) => {
                let results = [0, 1, 2, 3].map(|component| self.read(&step.sources[0], 0, component));
                self.write(step, results);
            }
            Act::Compute(operation) => {
                let rows = if let Operation::Rows(rows, _) = *operation { rows } else { 1 };
                let width = operation.reads().unwrap_or(4);
                let mut uniform = true;
                for (slot, row) in [(0, 0)].into_iter().chain((0..rows).map(|row| (1, row))) {
                    uniform &= (0..width).all(|component| self.read(&step.sources[slot], row, component).uniform);
                }
                self.computes(step, uniform);
            }
        }
    }

    /// What a swizzle's component reads, `row` registers on; nothing is the same as a constant.
    fn read(&self, source: &Option<Operand>, row: usize, component: usize) -> Known {
        let Some(source) = source else { return UNWRITTEN };
        let component = source.swizzle[component];
        match source.place {
            _ if source.index.is_some() => Known { before: self.open.is_empty(), uniform: false, ..UNWRITTEN },
            Place::Held(place) => self.state.get(&(place + row)).map_or(UNWRITTEN, |known| known[component]),
            Place::Constant(number) => {
                Known { value: Value::Read(Place::Constant(number + row), component), before: true, uniform: true }
            }
            place => Known { value: Value::Read(place, component), before: true, uniform: false },
        }
    }

    /// The token computes something where it stands.
    fn computes(&mut self, step: &Step, uniform: bool) {
        self.computed += 1;
        let known = Known { value: Value::Computed(self.computed), before: self.open.is_empty(), uniform };
        self.write(step, [known; 4]);
    }

    fn write(&mut self, step: &Step, results: [Known; 4]) {
        let Some(destination) = step.destination else { return };
        let held = self.state.entry(destination.place).or_insert([UNWRITTEN; 4]);
        for component in destination.mask.components().map(usize::from) {
            held[component] = results[component];
        }
    }

    /// Behind a conditional, what differs between the arms is chosen there.
    fn merge(&mut self, first: State) {
        let places: BTreeSet<usize> = self.state.keys().chain(first.keys()).copied().collect();
        for place in places {
            let of = |state: &State| state.get(&place).copied().unwrap_or([UNWRITTEN; 4]);
            let (a, b) = (of(&first), of(&self.state));
            let mut merged = a;
            for component in (0..4).filter(|&component| a[component] != b[component]) {
                self.computed += 1;
                let value = Value::Computed(self.computed);
                merged[component] = Known { value, before: self.open.is_empty(), uniform: false };
            }
            self.state.insert(place, merged);
        }
        if self.open.is_empty() {
            self.state.values_mut().flatten().for_each(|known| known.before = true);
        }
    }
}

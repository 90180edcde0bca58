//! Where the level of detail of `tex` comes from inside a conditional.
//!
//! A level follows from how the coordinate differs between neighbouring invocations, so all of them must have it. Outside
//! of conditionals they do. Inside, they have what was there before the outermost conditional opened, wherever `mov` puts
//! that; what is computed inside may be missing in a neighbour, and is sampled at level 0. Where all open conditionals
//! compare constants, or what is computed from them alone, all invocations take the same way, and have everything.
//!
//! This is a matter of the program's text, not of one run: it does not depend on the way that a quad happens to take. Nor
//! does it ask what a token computes. A translation may know that a result was there before all the same (a `sat` of what is
//! from 0 to 1 already, or a sum that was computed before the conditional too) and take its level from the neighbours; the
//! player, which is told that there is none, may not know it. The machine samples that at level 0.

#![expect(
    clippy::indexing_slicing,
    reason = "lanes, components and axes are counted over arrays of as many; a component of a swizzle has two bits"
)]

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
    /// A component of what some token computes; each token has its number.
    Computed(usize, usize),
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Known {
    value: Value,
    /// The component that held it before the outermost conditional, if one did; of no interest outside.
    origin: Option<(Place, usize)>,
    /// It is the same in all invocations of a draw.
    uniform: bool,
}

/// Components of the registers that are held, by place.
type State = HashMap<usize, [Known; 4]>;

const UNWRITTEN: Known = Known { value: Value::Zero, origin: None, uniform: true };

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
                if self.open.is_empty() {
                    self.opens();
                }
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
                if texture.level == TextureLevel::Neighbours && !together {
                    let origins = (0..width).map(|component| self.read(&step.sources[0], 0, component).origin);
                    let origins: Option<Vec<(Place, usize)>> = origins.collect();
                    texture.level = origins.map_or(TextureLevel::Zero, TextureLevel::Before);
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

    /// The outermost conditional opens: what the registers hold now has them for its origin.
    fn opens(&mut self) {
        for (&place, held) in &mut self.state {
            for (component, known) in held.iter_mut().enumerate() {
                known.origin = Some((Place::Held(place), component));
            }
        }
    }

    /// What a swizzle's component reads, `row` registers on; nothing is the same as a constant.
    fn read(&self, source: &Option<Operand>, row: usize, component: usize) -> Known {
        let Some(source) = source else { return UNWRITTEN };
        let component = source.swizzle[component];
        if source.index.is_some() {
            return Known { uniform: false, ..UNWRITTEN };
        }
        let (place, uniform) = match source.place {
            Place::Held(place) => {
                let unwritten = Known { origin: Some((Place::Held(place + row), component)), ..UNWRITTEN };
                return self.state.get(&(place + row)).map_or(unwritten, |known| known[component]);
            }
            Place::Constant(number) => (Place::Constant(number + row), true),
            place => (place, false),
        };
        Known { value: Value::Read(place, component), origin: Some((place, component)), uniform }
    }

    /// The token computes something where it stands.
    fn computes(&mut self, step: &Step, uniform: bool) {
        self.computed += 1;
        let of = |component| Known { value: Value::Computed(self.computed, component), origin: None, uniform };
        self.write(step, [0, 1, 2, 3].map(of));
    }

    fn write(&mut self, step: &Step, results: [Known; 4]) {
        let Some(destination) = step.destination else { return };
        let held = self.state.entry(destination.place).or_insert_with(|| unwritten(destination.place));
        for component in destination.mask.components().map(usize::from) {
            held[component] = results[component];
        }
    }

    /// Behind a conditional, what differs between the arms is chosen there.
    fn merge(&mut self, first: State) {
        let places: BTreeSet<usize> = self.state.keys().chain(first.keys()).copied().collect();
        for place in places {
            let of = |state: &State| state.get(&place).copied().unwrap_or_else(|| unwritten(place));
            let (a, b) = (of(&first), of(&self.state));
            let mut merged = a;
            for component in (0..4).filter(|&component| a[component].value != b[component].value) {
                self.computed += 1;
                merged[component] =
                    Known { value: Value::Computed(self.computed, component), origin: None, uniform: false };
            }
            self.state.insert(place, merged);
        }
    }
}

/// A register that nothing has written, in a conditional or before it.
fn unwritten(place: usize) -> [Known; 4] {
    [0, 1, 2, 3].map(|component| Known { origin: Some((Place::Held(place), component)), ..UNWRITTEN })
}

//! Determines the level of detail of `tex` inside a conditional.
//!
//! An implicit level of detail is computed from differences of the coordinate between neighbouring invocations, so all four
//! invocations must have computed the coordinate. In uniform control flow, every invocation has computed the coordinate. Control
//! flow is uniform outside conditionals, and inside conditionals that compare only constants or values computed from constants.
//! In non-uniform control flow, all invocations have the values that were computed before the outermost conditional, even if
//! `mov` copies the values to another register. A value that was computed inside the conditional may be missing in a neighbour,
//! so `tex` samples at level 0.
//!
//! The analysis depends only on the program, not on the path that a quad takes or on the results of operations. A translator may
//! use an implicit level if it proves that the coordinate was available before the conditional. For example, a `sat` may leave a
//! value unchanged, or the same sum may have been computed earlier. In such cases, the
//! machine samples at level 0, because the player is not required to prove availability.

#![expect(
    clippy::indexing_slicing,
    reason = "components and sources are counted within the arrays' lengths; a swizzle's component has two bits"
)]

use std::collections::{BTreeSet, HashMap};

use super::compute::Operation;
use super::decode::{Action, Operand, Register, Step, TextureLevel};
use super::texture::Dimension;

/// The value of a register component.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    /// The component has not been written.
    Zero,
    /// A component of an input register.
    Input(Register, usize),
    /// The number of a computed value, and a component of the value.
    Computed(usize, usize),
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Known {
    value: Value,
    /// The register component that contained this value on entry to the outermost conditional. Outside conditionals, the field is
    /// unused.
    origin: Option<(Register, usize)>,
    /// Whether the value is the same in all invocations of a draw.
    uniform: bool,
}

/// The components of the writable registers. The keys are indices of registers.
type State = HashMap<usize, [Known; 4]>;

const UNWRITTEN: Known = Known { value: Value::Zero, origin: None, uniform: true };

struct Conditional {
    uniform: bool,
    before: State,
    /// The state at the end of the first arm; `None` before `els`.
    first: Option<State>,
}

/// Determines the source of the level of detail for each `tex` inside a conditional.
pub(super) fn resolve(steps: &mut [Step]) {
    let mut analysis = LevelAnalysis { state: State::new(), open: Vec::new(), computed: 0 };
    for step in steps {
        analysis.step(step);
    }
}

struct LevelAnalysis {
    state: State,
    open: Vec<Conditional>,
    /// The number of values computed so far.
    computed: usize,
}

impl LevelAnalysis {
    fn step(&mut self, step: &mut Step) {
        match &mut step.action {
            Action::If(_) => {
                let uniform = (0..2).all(|slot| self.read(&step.sources[slot], 0, 0).uniform);
                if self.open.is_empty() {
                    self.record_origins();
                }
                self.open.push(Conditional { uniform, before: self.state.clone(), first: None });
            }
            Action::Else => {
                if let Some(conditional) = self.open.last_mut() {
                    conditional.first = Some(std::mem::replace(&mut self.state, conditional.before.clone()));
                }
            }
            Action::EndIf => {
                if let Some(Conditional { before, first, .. }) = self.open.pop() {
                    self.merge(first.unwrap_or(before));
                }
            }
            Action::Kill => {}
            Action::Texture(texture) => {
                let width = Dimension::of(texture.sampler).coordinates();
                let uniform = self.open.iter().all(|conditional| conditional.uniform);
                if texture.level == TextureLevel::Implicit && !uniform {
                    let origins = (0..width).map(|component| self.read(&step.sources[0], 0, component).origin);
                    let origins: Option<Vec<(Register, usize)>> = origins.collect();
                    texture.level = origins.map_or(TextureLevel::Zero, TextureLevel::ImplicitBefore);
                }
                self.compute(step, false);
            }
            Action::Derivative(_) => self.compute(step, false),
            Action::Compute(Operation::Copy) => {
                let results = [0, 1, 2, 3].map(|component| self.read(&step.sources[0], 0, component));
                self.write(step, results);
            }
            Action::Compute(operation) => {
                let rows = if let Operation::Rows(rows, _) = *operation { usize::from(rows) } else { 1 };
                let width = operation.reads().unwrap_or(4);
                let mut uniform = true;
                for (slot, row) in [(0, 0)].into_iter().chain((0..rows).map(|row| (1, row))) {
                    uniform &= (0..width).all(|component| self.read(&step.sources[slot], row, component).uniform);
                }
                self.compute(step, uniform);
            }
        }
    }

    /// On entry to an outermost conditional, records each register component as the origin of its own value.
    fn record_origins(&mut self) {
        for (&index, components) in &mut self.state {
            for (component, known) in components.iter_mut().enumerate() {
                known.origin = Some((Register::Writable(index), component));
            }
        }
    }

    /// Returns the value of a component of a source. `row` is added to the register's number. A missing source counts as a
    /// constant.
    fn read(&self, source: &Option<Operand>, row: usize, component: usize) -> Known {
        let Some(source) = source else { return UNWRITTEN };
        let component = source.swizzle[component];
        if source.index.is_some() {
            return Known { uniform: false, ..UNWRITTEN };
        }
        let (register, uniform) = match source.register {
            Register::Writable(index) => return register(&self.state, index + row)[component],
            Register::Constant(number) => (Register::Constant(number + row), true),
            register => (register, false),
        };
        Known { value: Value::Input(register, component), origin: Some((register, component)), uniform }
    }

    /// Records that the step writes a newly computed value.
    fn compute(&mut self, step: &Step, uniform: bool) {
        self.computed += 1;
        let of = |component| Known { value: Value::Computed(self.computed, component), origin: None, uniform };
        self.write(step, [0, 1, 2, 3].map(of));
    }

    fn write(&mut self, step: &Step, results: [Known; 4]) {
        let Some(destination) = step.destination else { return };
        let index = destination.register;
        let components = self.state.entry(index).or_insert_with(|| unwritten(index));
        for component in destination.mask.components().map(usize::from) {
            components[component] = results[component];
        }
    }

    /// Merges the states of a conditional's two arms. If a component differs between the arms, the component gets a new value, as
    /// if the `eif` had computed the value.
    fn merge(&mut self, first: State) {
        let indices: BTreeSet<usize> = self.state.keys().chain(first.keys()).copied().collect();
        for index in indices {
            let (a, b) = (register(&first, index), register(&self.state, index));
            let mut merged = a;
            for component in (0..4).filter(|&component| a[component].value != b[component].value) {
                self.computed += 1;
                merged[component] =
                    Known { value: Value::Computed(self.computed, component), origin: None, uniform: false };
            }
            self.state.insert(index, merged);
        }
    }
}

fn register(state: &State, index: usize) -> [Known; 4] {
    state.get(&index).copied().unwrap_or_else(|| unwritten(index))
}

/// Returns the four components of an unwritten register.
fn unwritten(index: usize) -> [Known; 4] {
    [0, 1, 2, 3].map(|component| Known { origin: Some((Register::Writable(index), component)), ..UNWRITTEN })
}

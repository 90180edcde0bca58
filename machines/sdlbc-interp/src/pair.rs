//! Implements [`Shader`] for a module's vertex and fragment functions.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use sdlbc::{Builtin, FunctionKind, InputKind, Module, OutputKind};

use crate::error::Error;
use crate::float24::Float;
use crate::program::Program;
use crate::run::State;
use crate::{Column, Fragments, LANES, Mask, Resources, Shaded, Shader, Transformed, Varying, Vertices};

struct Bound {
    program: Program,
    outputs: Vec<OutputKind>,
    states: Mutex<Vec<State>>,
}

impl Bound {
    fn new(module: &Module, kind: FunctionKind, float: Float) -> Result<Bound, Error> {
        let index = module.functions.iter().position(|function| function.kind == kind).ok_or(Error::NoEntry)?;
        let program = Program::with_float(module, index, float)?;
        let outputs = module.functions[index].outputs.iter().map(|output| output.kind).collect();
        Ok(Bound { program, outputs, states: Mutex::default() })
    }

    /// Runs the program. `take` receives the live lanes, a flag that is true if the program is stuck, and the outputs.
    fn run<R>(
        &self,
        resources: &Resources,
        live: Mask,
        give: crate::program::Give<'_>,
        take: impl FnOnce(Mask, bool, &Outputs<'_>) -> R,
    ) -> R {
        let idle = self.states.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let plan = &self.program.plan;
        let mut state = idle.unwrap_or_else(|| State::new(plan, self.program.kind, resources, None));
        let (live, stuck) = self.program.run_in(&mut state, resources, live, give, None);
        let result = take(live, stuck, &Outputs { bound: self, state: &state });
        self.states.lock().unwrap_or_else(PoisonError::into_inner).push(state);
        result
    }
}

struct Outputs<'a> {
    bound: &'a Bound,
    state: &'a State,
}

impl Outputs<'_> {
    /// Copies an output to `to`, with zeroes for missing components, and returns false if the program lacks the output.
    fn copy(&self, wanted: impl Fn(OutputKind) -> bool, to: &mut [Column; 4]) -> bool {
        let at = self.bound.outputs.iter().position(|&kind| wanted(kind));
        let Some(registers) = at.and_then(|at| self.bound.program.plan.outputs.get(at)) else { return false };
        for (component, column) in to.iter_mut().enumerate() {
            match registers.get(component) {
                Some(&register) => *column = *self.state.register(register),
                None => column.fill(0),
            }
        }
        true
    }
}

/// A vertex and a fragment function with their resources, ready to draw.
pub struct Pair {
    vertex: Bound,
    fragment: Bound,
    varyings: Vec<Varying>,
    clip_distances: u32,
    targets: u32,
    has_depth: bool,
    resources: Resources,
    stuck: AtomicBool,
}

impl Pair {
    /// Prepares the module's vertex and fragment functions.
    ///
    /// # Errors
    /// Returns an [`Error`] of any kind except [`Error::Stuck`].
    pub fn new(module: &Module, resources: Resources) -> Result<Pair, Error> {
        Pair::with_float(module, resources, Float::default())
    }

    /// Prepares the module's vertex and fragment functions to compute in the floating-point format `float`. The
    /// rasteriser always computes in 32 bits.
    ///
    /// # Errors
    /// Returns an [`Error`] of any kind except [`Error::Stuck`].
    pub fn with_float(module: &Module, resources: Resources, float: Float) -> Result<Pair, Error> {
        let vertex = Bound::new(module, FunctionKind::Vertex, float)?;
        let fragment = Bound::new(module, FunctionKind::Fragment, float)?;
        let varyings = fragment.program.plan.inputs.iter().filter_map(|(kind, registers)| match *kind {
            InputKind::Varying { location, interpolation } => {
                let width = u8::try_from(registers.len()).unwrap_or(4);
                Some(Varying { location, width, interpolation })
            }
            _ => None,
        });
        let varyings = varyings.collect();
        let targets =
            fragment.outputs.iter().map(|&kind| if let OutputKind::Colour { target } = kind { target + 1 } else { 0 });
        let clips = vertex.outputs.iter().filter(|kind| matches!(kind, OutputKind::ClipDistance { .. }));
        Ok(Pair {
            clip_distances: clips.count() as u32,
            targets: targets.max().unwrap_or(0),
            has_depth: fragment.outputs.contains(&OutputKind::Depth),
            vertex,
            fragment,
            varyings,
            resources,
            stuck: AtomicBool::new(false),
        })
    }

    /// Reports whether an invocation has failed to terminate. After such a failure, every fragment is discarded and every vertex
    /// is zero, so that drawing ends.
    pub fn is_stuck(&self) -> bool {
        self.stuck.load(Ordering::Relaxed)
    }

    fn note(&self, stuck: bool) -> bool {
        if stuck {
            self.stuck.store(true, Ordering::Relaxed);
        }
        self.is_stuck()
    }
}

const ZERO: [Column; 4] = [[0; LANES]; 4];

/// Calls `take` with each column and the number of its component.
fn each(columns: &[Column; 4], take: &mut dyn FnMut(usize, &Column)) {
    columns.iter().enumerate().for_each(|(component, column)| take(component, column));
}

impl Shader for Pair {
    fn varyings(&self) -> &[Varying] {
        &self.varyings
    }

    fn clip_distances(&self) -> usize {
        self.clip_distances as usize
    }

    fn vertex(&self, vertices: &Vertices<'_>) -> Transformed {
        let give = |kind: InputKind, columns: &mut dyn FnMut(usize, &Column)| match kind {
            InputKind::Attribute { location } => each(&(vertices.attributes)(location).unwrap_or(ZERO), columns),
            InputKind::Builtin(Builtin::VertexIndex) => columns(0, &vertices.index),
            InputKind::Builtin(Builtin::InstanceIndex) => columns(0, &vertices.instance),
            _ => {}
        };
        let live = if self.is_stuck() { 0 } else { vertices.live };
        self.vertex.run(&self.resources, live, &give, |_, stuck, outputs| {
            let mut transformed = Transformed {
                position: ZERO,
                varyings: vec![ZERO; self.varyings.len()],
                clip_distances: vec![[0; LANES]; self.clip_distances()],
            };
            if !self.note(stuck) {
                outputs.copy(|kind| kind == OutputKind::Position, &mut transformed.position);
                for (varying, columns) in self.varyings.iter().zip(&mut transformed.varyings) {
                    let wanted = varying.location;
                    let is_it = |kind| matches!(kind, OutputKind::Varying { location, .. } if location == wanted);
                    outputs.copy(is_it, columns);
                }
                for (index, column) in (0..).zip(&mut transformed.clip_distances) {
                    let mut columns = ZERO;
                    outputs.copy(|kind| kind == OutputKind::ClipDistance { index }, &mut columns);
                    *column = columns[0];
                }
            }
            transformed
        })
    }

    fn fragment(&self, fragments: &Fragments<'_>, shaded: &mut Shaded) {
        let give = |kind: InputKind, columns: &mut dyn FnMut(usize, &Column)| match kind {
            InputKind::Varying { location, .. } => {
                let at = self.varyings.iter().position(|varying| varying.location == location);
                if let Some(given) = at.and_then(|at| fragments.varyings.get(at)) {
                    each(given, columns);
                }
            }
            InputKind::Builtin(Builtin::FragmentCoordinate) => each(fragments.coordinate, columns),
            InputKind::Builtin(Builtin::FrontFacing) => columns(0, &[fragments.front.into(); LANES]),
            InputKind::Builtin(Builtin::PointCoordinate) => each(&[[0.5f32.to_bits(); LANES]; 4], columns),
            _ => {}
        };
        let live = if self.is_stuck() { 0 } else { fragments.live };
        self.fragment.run(&self.resources, live, &give, |live, stuck, outputs| {
            shaded.live = if self.note(stuck) { 0 } else { live };
            shaded.colours.resize(self.targets as usize, None);
            for (number, colour) in (0..).zip(&mut shaded.colours) {
                let to = colour.get_or_insert(ZERO);
                if !outputs.copy(|kind| kind == OutputKind::Colour { target: number }, to) {
                    *colour = None;
                }
            }
            shaded.depth = None;
            if self.has_depth {
                let mut columns = ZERO;
                outputs.copy(|kind| kind == OutputKind::Depth, &mut columns);
                shaded.depth = Some(columns[0]);
            }
        });
    }

    fn writes_depth(&self) -> bool {
        self.has_depth
    }

    fn failed(&self) -> bool {
        self.is_stuck()
    }
}

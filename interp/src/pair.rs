//! A vertex and a fragment function of a module as a shader.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use sdlbc::{Builtin, FunctionKind, InputKind, Module, OutputKind, Type};

use crate::error::Error;
use crate::float24::Float;
use crate::program::Program;
use crate::run::State;
use crate::{Column, Fragments, LANES, Mask, Resources, Shaded, Shader, Transformed, Varying, Vertices};

/// A program with its outputs, and a state for each thread that has run it.
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

    /// Runs it, and calls `take` with the remaining lanes and a function for each output's columns; missing components are zero.
    fn run<R>(
        &self,
        resources: &Resources,
        live: Mask,
        inputs: crate::program::Inputs<'_>,
        take: impl FnOnce(Mask, bool, &dyn Fn(&dyn Fn(OutputKind) -> bool) -> Option<[Column; 4]>) -> R,
    ) -> R {
        let idle = self.states.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let plan = &self.program.plan;
        let mut state = idle.unwrap_or_else(|| State::new(plan, self.program.kind, resources, None));
        let (live, stuck) = self.program.run_in(&mut state, resources, live, inputs, None);
        let output = |wanted: &dyn Fn(OutputKind) -> bool| {
            let at = self.outputs.iter().position(|&kind| wanted(kind))?;
            let mut columns = [[0; LANES]; 4];
            for (column, &register) in columns.iter_mut().zip(plan.outputs.get(at)?) {
                *column = *state.register(register);
            }
            Some(columns)
        };
        let result = take(live, stuck, &output);
        self.states.lock().unwrap_or_else(PoisonError::into_inner).push(state);
        result
    }
}

/// A vertex and a fragment function with their uniforms and textures.
pub struct Pair {
    vertex: Bound,
    fragment: Bound,
    varyings: Vec<Varying>,
    targets: u32,
    has_depth: bool,
    resources: Resources,
    stuck: AtomicBool,
}

impl Pair {
    /// Prepares the module's vertex and its fragment function.
    ///
    /// # Errors
    /// See [`Error`]; never [`Error::Stuck`].
    pub fn new(module: &Module, resources: Resources) -> Result<Pair, Error> {
        Pair::with_float(module, resources, Float::default())
    }

    /// Prepares the module's vertex and its fragment function, to compute in these floats. Between them, and after them, the
    /// rasteriser computes in 32 bits.
    ///
    /// # Errors
    /// See [`Error`]; never [`Error::Stuck`].
    pub fn with_float(module: &Module, resources: Resources, float: Float) -> Result<Pair, Error> {
        let vertex = Bound::new(module, FunctionKind::Vertex, float)?;
        let fragment = Bound::new(module, FunctionKind::Fragment, float)?;
        let inputs = module.functions.iter().filter(|function| function.kind == FunctionKind::Fragment);
        let varyings = inputs.flat_map(|function| &function.inputs).filter_map(|input| match (input.kind, input.ty) {
            (InputKind::Varying { location, interpolation }, Type::Vector(_, width)) => {
                Some(Varying { location, width, interpolation })
            }
            _ => None,
        });
        let varyings = varyings.collect();
        let targets =
            fragment.outputs.iter().map(|&kind| if let OutputKind::Colour { target } = kind { target + 1 } else { 0 });
        Ok(Pair {
            targets: targets.max().unwrap_or(0),
            has_depth: fragment.outputs.contains(&OutputKind::Depth),
            vertex,
            fragment,
            varyings,
            resources,
            stuck: AtomicBool::new(false),
        })
    }

    /// Whether an invocation has failed to terminate. From then on every fragment is discarded and every vertex is zero, so that
    /// drawing ends.
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

/// Returns one word in every lane of every component.
fn same(word: u32) -> [Column; 4] {
    [[word; LANES]; 4]
}

impl Shader for Pair {
    fn varyings(&self) -> &[Varying] {
        &self.varyings
    }

    fn vertex(&self, vertices: &Vertices<'_>) -> Transformed {
        let inputs = |kind: InputKind| match kind {
            InputKind::Attribute { location } => (vertices.attributes)(location),
            InputKind::Builtin(Builtin::VertexIndex) => Some([vertices.index; 4]),
            InputKind::Builtin(Builtin::InstanceIndex) => Some([vertices.instance; 4]),
            _ => None,
        };
        let live = if self.is_stuck() { 0 } else { vertices.live };
        self.vertex.run(&self.resources, live, &inputs, |_, stuck, output| {
            let found = |wanted: &dyn Fn(OutputKind) -> bool| {
                if self.note(stuck) { same(0) } else { output(wanted).unwrap_or_else(|| same(0)) }
            };
            let carried = |varying: &Varying| {
                let wanted = varying.location;
                found(&|kind| matches!(kind, OutputKind::Varying { location, .. } if location == wanted))
            };
            Transformed {
                position: found(&|kind| kind == OutputKind::Position),
                varyings: self.varyings.iter().map(carried).collect(),
            }
        })
    }

    fn fragment(&self, fragments: &Fragments<'_>) -> Shaded {
        let inputs = |kind: InputKind| match kind {
            InputKind::Varying { location, .. } => {
                let at = self.varyings.iter().position(|varying| varying.location == location)?;
                fragments.varyings.get(at).copied()
            }
            InputKind::Builtin(Builtin::FragmentCoordinate) => Some(fragments.coordinate),
            InputKind::Builtin(Builtin::FrontFacing) => Some(same(fragments.front.into())),
            InputKind::Builtin(Builtin::PointCoordinate) => Some(same(0.5f32.to_bits())),
            _ => None,
        };
        let live = if self.is_stuck() { 0 } else { fragments.live };
        self.fragment.run(&self.resources, live, &inputs, |live, stuck, output| {
            let colour = |wanted: u32| output(&|kind| kind == OutputKind::Colour { target: wanted });
            Shaded {
                live: if self.note(stuck) { 0 } else { live },
                colours: (0..self.targets).map(colour).collect(),
                depth: if self.has_depth {
                    output(&|kind| kind == OutputKind::Depth).map(|[depth, ..]| depth)
                } else {
                    None
                },
            }
        })
    }

    fn writes_depth(&self) -> bool {
        self.has_depth
    }

    fn failed(&self) -> bool {
        self.is_stuck()
    }
}

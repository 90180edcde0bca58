//! Runs interp several times to determine the allowed values of each output. The runs differ in details that the rules leave
//! open.
//!
//! The first run is exact. Each further run perturbs every result by up to twice its allowed error, in a random direction, and
//! every second run flushes denormals to zero. Undefined values, which are infinite, NaN, or outside an operation's domain, are
//! different in each run. A result that depends on an undefined value therefore differs from run to run, and is open.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use sdlbc::{Builtin, FunctionKind, InputKind, Module, OutputKind, Scalar, Type};
use sdlbc_interp::{
    Column, Draw, Float, Fragments, Image, LANES, Pair, Program, Resources, Shaded, Shader, Topology, Transformed,
    Varying, Vertices,
};

use crate::perturb::{FunctionInfo, Perturber, TEXTURED};
use crate::probe::Probe;
use crate::verdict::Expected;
use testing::Random;

/// The number of perturbed runs of functions that read no textures.
pub(crate) const RUNS: u64 = 12;
/// The number of runs that are made before a disagreement is reported. If there are few runs, a comparison whose result depends
/// on rounding errors may have the same result in all of them.
pub(crate) const THOROUGH: u64 = 480;

/// Prepares a draw's functions as a shader.
///
/// # Errors
/// Returns an error if interp cannot run the functions.
pub fn pair(draw: &Draw) -> Result<Pair, String> {
    pair_in(draw, Float::F32)
}

/// Prepares a draw's functions as a shader that computes in floats of the given width.
///
/// # Errors
/// Returns the same errors as [`pair`].
pub fn pair_in(draw: &Draw, float: Float) -> Result<Pair, String> {
    Pair::with_float(&draw.module, draw.resources.clone(), float).map_err(|error| error.to_string())
}

/// Draws the exact picture.
///
/// # Errors
/// Returns an error if interp cannot run the functions, or if a function does not terminate.
pub fn exact(draw: &Draw) -> Result<Image, String> {
    finished(pair(draw)?, |pair| sdlbc_interp::draw(draw, pair))
}

/// Returns the values of the exact run only. The returned flag is always false, because the exact run does not detect
/// texture reads that are out of range.
///
/// # Errors
/// Returns an error if interp cannot run the functions, or if a function does not terminate.
pub fn exact_values(probe: &Probe) -> Result<(Expected, bool), String> {
    Ok((exact_values_in(probe, Float::F32)?, false))
}

/// Returns the values of the exact run only, in floats of the given width.
///
/// # Errors
/// Returns the same errors as [`exact_values`].
pub fn exact_values_in(probe: &Probe, float: Float) -> Result<Expected, String> {
    let images = probe.draws.iter().map(|draw| finished(pair_in(draw, float)?, |pair| sdlbc_interp::draw(draw, pair)));
    let images: Result<Vec<Image>, String> = images.collect();
    Ok(Expected::new(vec![probe.values(&images?)]))
}

fn finished(pair: Pair, draw: impl FnOnce(&Pair) -> Image) -> Result<Image, String> {
    let image = draw(&pair);
    if pair.is_stuck() { Err("it does not terminate".to_string()) } else { Ok(image) }
}

/// Draws the picture of a device that snaps the corners of triangles to `bits` fractional bits and is otherwise exact.
///
/// # Errors
/// Returns the same errors as [`exact`].
pub fn snapped(draw: &Draw, bits: u32) -> Result<Image, String> {
    finished(pair(draw)?, |pair| sdlbc_interp::draw_snapped(draw, pair, bits))
}

/// Returns the allowed values of each output, and whether a run reads a texture far out of range. Mesa's software drivers
/// compute a texel's address from the coordinate, so a coordinate far out of range makes the driver read outside the
/// texture's memory.
///
/// # Errors
/// Returns an error if interp cannot run the functions, or if a function does not terminate.
pub fn expected(probe: &Probe) -> Result<(Expected, bool), String> {
    let (mut expected, _) = exact_values(probe)?;
    let textures = probe.draws.iter().any(|draw| !draw.resources.textures.is_empty());
    let astray = add_runs(probe, Float::F32, &mut expected, if textures { TEXTURED } else { RUNS })?;
    Ok((expected, astray))
}

/// Returns the allowed values of each output. The number of runs is large enough for both results of every open comparison
/// to occur. The suite calls this function before reporting a disagreement.
///
/// # Errors
/// Returns the same errors as [`expected`].
pub fn thorough(probe: &Probe) -> Result<Expected, String> {
    in_runs(probe, Float::F32, THOROUGH)
}

/// Returns the allowed values of programs that read textures and compute in 24 bits. If `is_thorough` is true, the values
/// come from many runs, which the suite needs before reporting a disagreement.
///
/// # Errors
/// Returns the same errors as [`expected`].
pub fn sampled_in_24_bits(probe: &Probe, is_thorough: bool) -> Result<Expected, String> {
    in_runs(probe, Float::F24, if is_thorough { THOROUGH } else { RUNS })
}

fn in_runs(probe: &Probe, float: Float, runs: u64) -> Result<Expected, String> {
    let mut expected = exact_values_in(probe, float)?;
    add_runs(probe, float, &mut expected, runs)?;
    Ok(expected)
}

/// Adds the results of `runs` perturbed runs to `expected`. Returns whether one of the runs reads a texture far out of range.
fn add_runs(probe: &Probe, float: Float, expected: &mut Expected, runs: u64) -> Result<bool, String> {
    let astray = AtomicBool::new(false);
    let prepared: Vec<Prepared<'_>> =
        probe.draws.iter().map(|draw| Prepared::new(draw, float)).collect::<Result<_, String>>()?;
    for run in 1..=runs {
        let perturbed = |of: &Prepared<'_>| sdlbc_interp::draw(of.draw, &Perturbed::new(of, run, &astray));
        let images: Vec<Image> = prepared.iter().map(perturbed).collect();
        expected.add(probe.values(&images));
    }
    Ok(astray.into_inner())
}

struct Prepared<'a> {
    draw: &'a Draw,
    vertex: Program,
    fragment: Program,
    varyings: Vec<Varying>,
    functions: Vec<FunctionInfo<'a>>,
}

impl<'a> Prepared<'a> {
    fn new(draw: &'a Draw, float: Float) -> Result<Prepared<'a>, String> {
        let program = |kind: FunctionKind| {
            let at = draw.module.functions.iter().position(|function| function.kind == kind);
            Program::with_float(&draw.module, at.unwrap_or(usize::MAX), float).map_err(|error| error.to_string())
        };
        Ok(Prepared {
            draw,
            vertex: program(FunctionKind::Vertex)?,
            fragment: program(FunctionKind::Fragment)?,
            varyings: pair(draw)?.varyings().to_vec(),
            functions: functions(&draw.module),
        })
    }
}

/// The shader of one perturbed run.
struct Perturbed<'a> {
    of: &'a Prepared<'a>,
    resources: Resources,
    run: u64,
    calls: Mutex<u64>,
    astray: &'a AtomicBool,
}

impl<'a> Perturbed<'a> {
    fn new(of: &'a Prepared<'a>, run: u64, astray: &'a AtomicBool) -> Perturbed<'a> {
        let (random, stage, resources) = (Random(run), FunctionKind::Vertex, &of.draw.resources);
        let perturber = Perturber { run, random, functions: &[], resources, stage, astray };
        let resources = seen(&of.draw.module, resources, &perturber);
        Perturbed { of, resources, run, calls: Mutex::new(0), astray }
    }

    fn perturber(&self, stage: FunctionKind) -> Perturber<'_> {
        let mut calls = self.calls.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *calls += 1;
        let random = Random(self.run << 32 ^ *calls);
        Perturber {
            run: self.run,
            random,
            functions: &self.of.functions,
            resources: &self.of.draw.resources,
            stage,
            astray: self.astray,
        }
    }

    fn outputs(&self, kind: FunctionKind) -> Vec<OutputKind> {
        let function = self.of.draw.module.functions.iter().find(|function| function.kind == kind);
        function.map(|function| function.outputs.iter().map(|output| output.kind).collect()).unwrap_or_default()
    }

    fn is_float_input(&self, kind: FunctionKind, wanted: u32) -> bool {
        let function = self.of.draw.module.functions.iter().find(|function| function.kind == kind);
        function.into_iter().flat_map(|function| &function.inputs).any(|input| {
            let location = match input.kind {
                InputKind::Attribute { location } | InputKind::Varying { location, .. } => location,
                _ => return false,
            };
            location == wanted && matches!(input.ty, Type::Vector(Scalar::Float, _))
        })
    }
}

pub(crate) fn functions(module: &Module) -> Vec<FunctionInfo<'_>> {
    let functions = module.functions.iter().enumerate().map(|(index, function)| {
        let samplers = function.inputs.iter().filter_map(|input| match input.kind {
            InputKind::Texture { slot, sampler } => Some((slot, sampler)),
            _ => None,
        });
        FunctionInfo {
            instructions: function.body.insts(),
            types: sdlbc::infer_types(module, index),
            samplers: samplers.collect(),
        }
    });
    functions.collect()
}

/// Returns a copy of the resources in which the perturber has changed the float uniforms.
pub(crate) fn seen(module: &Module, resources: &Resources, perturber: &Perturber<'_>) -> Resources {
    let mut resources = resources.clone();
    for (key, words) in &mut resources.uniforms {
        if is_float(module, key) {
            words.iter_mut().for_each(|word| *word = perturber.input(*word));
        }
    }
    resources
}

pub(crate) fn is_float(module: &Module, (_, name): &(FunctionKind, String)) -> bool {
    let inputs = module.functions.iter().flat_map(|function| &function.inputs);
    inputs.filter(|input| input.kind.is_uniform() && input.name == *name).all(|input| {
        matches!(input.ty, Type::Vector(Scalar::Float, _) | Type::Array(Scalar::Float, ..) | Type::Matrix { .. })
    })
}

/// Returns the four columns of an output, with zeroes after its last component.
fn four(columns: &[Column]) -> [Column; 4] {
    std::array::from_fn(|at| columns.get(at).copied().unwrap_or([0; LANES]))
}

impl Shader for Perturbed<'_> {
    fn varyings(&self) -> &[Varying] {
        &self.of.varyings
    }

    fn clip_distances(&self) -> usize {
        let kinds = self.outputs(FunctionKind::Vertex);
        kinds.iter().filter(|kind| matches!(kind, OutputKind::ClipDistance { .. })).count()
    }

    fn vertex(&self, vertices: &Vertices<'_>) -> Transformed {
        let mut perturber = self.perturber(FunctionKind::Vertex);
        let given = perturber.clone();
        let inputs = |kind: InputKind| match kind {
            InputKind::Attribute { location } => {
                let columns = (vertices.attributes)(location)?;
                Some(if self.is_float_input(FunctionKind::Vertex, location) { given.inputs(columns) } else { columns })
            }
            InputKind::Builtin(Builtin::VertexIndex) => Some([vertices.index; 4]),
            InputKind::Builtin(Builtin::InstanceIndex) => Some([vertices.instance; 4]),
            _ => None,
        };
        let ran = self.of.vertex.run(&self.resources, vertices.live, &inputs, Some(&mut perturber));
        let outputs = ran.map(|ran| ran.outputs).unwrap_or_default();
        let kinds = self.outputs(FunctionKind::Vertex);
        let output = |wanted: &dyn Fn(OutputKind) -> bool| {
            let at = kinds.iter().position(|&kind| wanted(kind));
            at.and_then(|at| outputs.get(at)).map_or([[0; LANES]; 4], |columns| four(columns))
        };
        let varying = |varying: &Varying| {
            output(&|kind| matches!(kind, OutputKind::Varying { location, .. } if location == varying.location))
        };
        Transformed {
            position: output(&|kind| kind == OutputKind::Position),
            varyings: self.of.varyings.iter().map(varying).collect(),
            clip_distances: (0..self.clip_distances() as u32)
                .map(|index| output(&|kind| kind == OutputKind::ClipDistance { index })[0])
                .collect(),
        }
    }

    fn fragment(&self, fragments: &Fragments<'_>, shaded: &mut Shaded) {
        let mut perturber = self.perturber(FunctionKind::Fragment);
        let given = perturber.clone();
        let inputs = |kind: InputKind| match kind {
            InputKind::Varying { location, .. } => {
                let at = self.of.varyings.iter().position(|varying| varying.location == location)?;
                let columns = *fragments.varyings.get(at)?;
                Some(if self.is_float_input(FunctionKind::Fragment, location) {
                    given.inputs(columns)
                } else {
                    columns
                })
            }
            InputKind::Builtin(Builtin::FragmentCoordinate) => Some(*fragments.coordinate),
            InputKind::Builtin(Builtin::FrontFacing) => Some([[fragments.front.into(); LANES]; 4]),
            // Point coordinates are defined only for points. For other topologies, the value differs from run to run.
            InputKind::Builtin(Builtin::PointCoordinate) => {
                let place = if self.of.draw.topology == Topology::Points { 0.5 } else { (self.run % 5) as f32 / 4.0 };
                Some([[place.to_bits(); LANES]; 4])
            }
            _ => None,
        };
        let ran = self.of.fragment.run(&self.resources, fragments.live, &inputs, Some(&mut perturber));
        let Ok(ran) = ran else {
            *shaded = Shaded::default();
            return;
        };
        let kinds = self.outputs(FunctionKind::Fragment);
        let output = |wanted: OutputKind| {
            let at = kinds.iter().position(|&kind| kind == wanted)?;
            ran.outputs.get(at).map(|columns| four(columns))
        };
        *shaded = Shaded {
            live: ran.live,
            colours: (0..self.of.draw.targets as u32).map(|target| output(OutputKind::Colour { target })).collect(),
            depth: output(OutputKind::Depth).map(|[depth, ..]| depth),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::{RUNS, TEXTURED, THOROUGH};

    #[test]
    fn the_page_states_how_many_runs_there_are() {
        let page =
            include_str!("../../../docs/internals/conformance.md").split_whitespace().collect::<Vec<_>>().join(" ");
        let at = page.find("`runs.rs`").expect("docs/internals/conformance.md does not mention `runs.rs`");
        let numbers = page[at..].split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok());
        let numbers: Vec<u64> = numbers.take(3).collect();
        assert_eq!(
            numbers,
            [RUNS, TEXTURED, THOROUGH],
            "docs/internals/conformance.md states other numbers after `runs.rs`"
        );
    }
}

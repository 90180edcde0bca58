//! Runs of interp that differ in what the rules leave open, from which follows what an output may be.
//!
//! The first run is exact. In each other one every result is moved by up to twice its allowed error, in a random direction; in every
//! second one denormals are zero; and what has no defined value (infinite, NaN, outside of an operation's domain) is something else
//! in each. A result that hangs on it then differs from run to run, and is open.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use interp::{
    Column, Draw, Fragments, Image, LANES, Pair, Program, Resources, Shaded, Shader, Topology, Transformed, Varying,
    Vertices,
};
use sdlbc::{Builtin, FunctionKind, InputKind, Inst, Module, OutputKind, Scalar, Type};

use crate::mover::{Known, Mover};
use crate::probe::Probe;
use crate::verdict::Expected;
use testing::Random;

/// How many runs differ from the exact one.
const RUNS: u64 = 12;
/// How many there are where textures are read: a place is moved in four directions, its level follows from four corners of a quad and is
/// moved up, down or not.
pub(crate) const TEXTURED: u64 = 48;
/// How many there are before somebody is said to be wrong: a comparison that hangs on an error goes one way in a few runs easily.
const THOROUGH: u64 = 480;

/// A module's functions as a shader.
///
/// # Errors
/// They cannot be run.
pub fn pair(draw: &Draw) -> Result<Pair, String> {
    Pair::new(&draw.module, draw.resources.clone()).map_err(|error| error.to_string())
}

/// The picture, exactly.
///
/// # Errors
/// The functions cannot be run, or do not come to an end.
pub fn exact(draw: &Draw) -> Result<Image, String> {
    let pair = pair(draw)?;
    let image = interp::draw(draw, &pair);
    if pair.is_stuck() { Err("it does not come to an end".to_string()) } else { Ok(image) }
}

/// The exact run by itself.
///
/// # Errors
/// The functions cannot be run, or do not come to an end.
pub fn alone(probe: &Probe) -> Result<(Expected, bool), String> {
    let images: Result<Vec<Image>, String> = probe.draws.iter().map(exact).collect();
    Ok((Expected::new(vec![probe.values(&images?)]), false))
}

/// The picture of a device that snaps corners of triangles to fewer bits, and is the same else.
///
/// # Errors
/// See [`exact`].
pub fn snapped(draw: &Draw, bits: u32) -> Result<Image, String> {
    let pair = pair(draw)?;
    let image = interp::draw_snapped(draw, &pair, bits);
    if pair.is_stuck() { Err("it does not come to an end".to_string()) } else { Ok(image) }
}

/// What each output may be, and whether a texture is read at a place so far off that Mesa's software drivers, which compute the
/// address of a texel from it, read outside of their memory.
///
/// # Errors
/// The functions cannot be run, or do not come to an end.
pub fn expected(probe: &Probe) -> Result<(Expected, bool), String> {
    let (mut expected, _) = alone(probe)?;
    let textures = probe.draws.iter().any(|draw| !draw.resources.textures.is_empty());
    let astray = more(probe, &mut expected, if textures { TEXTURED } else { RUNS })?;
    Ok((expected, astray))
}

/// What each output may be, from so many more runs that what may go two ways has gone both: asked for before somebody is said to be wrong.
///
/// # Errors
/// As for [`expected`].
pub fn thorough(probe: &Probe) -> Result<Expected, String> {
    let (mut expected, _) = alone(probe)?;
    more(probe, &mut expected, THOROUGH)?;
    Ok(expected)
}

/// Adds runs, and says whether a texture is read astray.
fn more(probe: &Probe, expected: &mut Expected, runs: u64) -> Result<bool, String> {
    let astray = AtomicBool::new(false);
    for run in 1..=runs {
        let moved = |draw: &Draw| Ok(interp::draw(draw, &Moved::new(draw, run, &astray)?));
        let images: Result<Vec<Image>, String> = probe.draws.iter().map(moved).collect();
        expected.add(probe.values(&images?));
    }
    Ok(astray.into_inner())
}

/// A pair whose results are moved.
struct Moved<'a> {
    draw: &'a Draw,
    vertex: Program,
    fragment: Program,
    /// The exact pair, for what does not change.
    varyings: Vec<Varying>,
    functions: Vec<Known<'a>>,
    resources: Resources,
    run: u64,
    calls: Mutex<u64>,
    astray: &'a AtomicBool,
}

fn instructions<'a>(block: &'a [Inst], all: &mut Vec<&'a Inst>) {
    for inst in block {
        all.push(inst);
        inst.blocks.iter().for_each(|block| instructions(block, all));
    }
}

impl<'a> Moved<'a> {
    fn new(draw: &'a Draw, run: u64, astray: &'a AtomicBool) -> Result<Moved<'a>, String> {
        let program = |kind: FunctionKind| {
            let at = draw.module.functions.iter().position(|function| function.kind == kind);
            Program::new(&draw.module, at.unwrap_or(usize::MAX)).map_err(|error| error.to_string())
        };
        let functions = draw.module.functions.iter().enumerate().map(|(index, function)| {
            let mut all = Vec::new();
            instructions(&function.body, &mut all);
            let samplers = function.inputs.iter().filter_map(|input| match input.kind {
                InputKind::Texture { slot, sampler } => Some((slot, sampler)),
                _ => None,
            });
            Known { instructions: all, types: sdlbc::infer_types(&draw.module, index), samplers: samplers.collect() }
        });
        let mut resources = draw.resources.clone();
        let (random, stage) = (Random(run), FunctionKind::Vertex);
        let mover = Mover { run, random, known: &[], resources: &draw.resources, stage, astray };
        for (key, words) in &mut resources.uniforms {
            if is_float(&draw.module, key) {
                words.iter_mut().for_each(|word| *word = mover.given(*word));
            }
        }
        Ok(Moved {
            draw,
            vertex: program(FunctionKind::Vertex)?,
            fragment: program(FunctionKind::Fragment)?,
            varyings: pair(draw)?.varyings().to_vec(),
            functions: functions.collect(),
            resources,
            run,
            calls: Mutex::new(0),
            astray,
        })
    }

    fn mover(&self, stage: FunctionKind) -> Mover<'_> {
        let mut calls = self.calls.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *calls += 1;
        let random = Random(self.run << 32 ^ *calls);
        Mover {
            run: self.run,
            random,
            known: &self.functions,
            resources: &self.draw.resources,
            stage,
            astray: self.astray,
        }
    }

    fn outputs(&self, kind: FunctionKind) -> Vec<OutputKind> {
        let function = self.draw.module.functions.iter().find(|function| function.kind == kind);
        function.map(|function| function.outputs.iter().map(|output| output.kind).collect()).unwrap_or_default()
    }

    /// Whether the attribute or varying of a place is of floats.
    fn is_float_input(&self, kind: FunctionKind, wanted: u32) -> bool {
        let function = self.draw.module.functions.iter().find(|function| function.kind == kind);
        function.into_iter().flat_map(|function| &function.inputs).any(|input| {
            let location = match input.kind {
                InputKind::Attribute { location } | InputKind::Varying { location, .. } => location,
                _ => return false,
            };
            location == wanted && matches!(input.ty, Type::Vector(Scalar::Float, _))
        })
    }
}

/// Whether a uniform is of floats.
fn is_float(module: &Module, (_, name): &(FunctionKind, String)) -> bool {
    let inputs = module.functions.iter().flat_map(|function| &function.inputs);
    inputs.filter(|input| input.kind == InputKind::Uniform && input.name == *name).all(|input| {
        matches!(input.ty, Type::Vector(Scalar::Float, _) | Type::Array(Scalar::Float, ..) | Type::Matrix { .. })
    })
}

/// Four columns of an output, zeroes behind its last component.
fn four(columns: &[Column]) -> [Column; 4] {
    std::array::from_fn(|at| columns.get(at).copied().unwrap_or([0; LANES]))
}

impl Shader for Moved<'_> {
    fn varyings(&self) -> &[Varying] {
        &self.varyings
    }

    fn vertex(&self, vertices: &Vertices<'_>) -> Transformed {
        let mut mover = self.mover(FunctionKind::Vertex);
        let given = mover.clone();
        let inputs = |kind: InputKind| match kind {
            InputKind::Attribute { location } => {
                let columns = (vertices.attributes)(location)?;
                Some(if self.is_float_input(FunctionKind::Vertex, location) {
                    given.all_given(columns)
                } else {
                    columns
                })
            }
            InputKind::Builtin(Builtin::VertexIndex) => Some([vertices.index; 4]),
            InputKind::Builtin(Builtin::InstanceIndex) => Some([vertices.instance; 4]),
            _ => None,
        };
        let ran = self.vertex.run(&self.resources, vertices.live, &inputs, Some(&mut mover));
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
            varyings: self.varyings.iter().map(varying).collect(),
        }
    }

    fn fragment(&self, fragments: &Fragments<'_>) -> Shaded {
        let mut mover = self.mover(FunctionKind::Fragment);
        let given = mover.clone();
        let inputs = |kind: InputKind| match kind {
            InputKind::Varying { location, .. } => {
                let at = self.varyings.iter().position(|varying| varying.location == location)?;
                let columns = *fragments.varyings.get(at)?;
                Some(if self.is_float_input(FunctionKind::Fragment, location) {
                    given.all_given(columns)
                } else {
                    columns
                })
            }
            InputKind::Builtin(Builtin::FragmentCoordinate) => Some(fragments.coordinate),
            InputKind::Builtin(Builtin::FrontFacing) => Some([[fragments.front.into(); LANES]; 4]),
            // Only points have places in them.
            InputKind::Builtin(Builtin::PointCoordinate) => {
                let place = if self.draw.topology == Topology::Points { 0.5 } else { (self.run % 5) as f32 / 4.0 };
                Some([[place.to_bits(); LANES]; 4])
            }
            _ => None,
        };
        let ran = self.fragment.run(&self.resources, fragments.live, &inputs, Some(&mut mover));
        let Ok(ran) = ran else { return Shaded { live: 0, colours: Vec::new(), depth: None } };
        let kinds = self.outputs(FunctionKind::Fragment);
        let output = |wanted: OutputKind| {
            let at = kinds.iter().position(|&kind| kind == wanted)?;
            ran.outputs.get(at).map(|columns| four(columns))
        };
        Shaded {
            live: ran.live,
            colours: (0..self.draw.targets as u32).map(|target| output(OutputKind::Colour { target })).collect(),
            depth: output(OutputKind::Depth).map(|[depth, ..]| depth),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{RUNS, TEXTURED, THOROUGH};

    #[test]
    fn the_page_says_how_many_runs_there_are() {
        let page = include_str!("../../docs/conformance.md").split_whitespace().collect::<Vec<_>>().join(" ");
        let sentence = format!(
            "(`runs.rs`): {RUNS} times, {TEXTURED} where there are textures, and {THOROUGH} before a witness is said to be wrong."
        );
        assert!(page.contains(&sentence), "docs/conformance.md does not say: {sentence}");
    }
}

//! Compute functions on the witnesses that support them: the contents of storage buffers and storage textures after a dispatch are
//! compared in the same way as the outputs of other functions, with an element or a texel for each invocation.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use sdlbc::module::Access;
use sdlbc::{Dimension, Format, FunctionKind, ImageAccess, InputKind, Module, Op, Scalar, Type};
use sdlbc_interp::{Program, Resources, StorageTexture};
use testing::Random;

use crate::Failure;
use crate::passes::{PASSED, PASSES, optimised};
use crate::perturb::{Perturber, TEXTURED};
use crate::probe::Values;
use crate::runs::{RUNS, THOROUGH, functions, is_float, seen};
use crate::table::Table;
use crate::values::{Numbers, resources};
use crate::verdict::Expected;

/// The contents of memory after a dispatch.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The words of storage buffers, by slot.
    pub buffers: BTreeMap<u32, Vec<u32>>,
    /// Storage textures, by slot.
    pub images: BTreeMap<u32, StorageTexture>,
}

/// A compute function with its resources, and the number of workgroups to run.
#[derive(Clone, Debug)]
pub struct Dispatch {
    /// The module.
    pub module: Module,
    /// Its uniforms and textures, and its storage buffers and storage textures before the dispatch.
    pub resources: Resources,
    /// The number of workgroups in x, y and z.
    pub workgroups: [u32; 3],
    /// Its row in a table: a number to sort by and a name.
    pub row: (usize, String),
    /// Instructions for reproducing the run.
    pub label: String,
}

/// A witness that runs compute functions.
pub trait Dispatcher {
    /// Its name in tables.
    fn name(&self) -> String;
    /// Runs a dispatch and returns the storage buffers and storage textures after it.
    ///
    /// # Errors
    /// See [`Failure`].
    fn dispatch(&mut self, dispatch: &Dispatch) -> Result<Memory, Failure>;
}

/// The words of a storage buffer before a dispatch; a single zero if there is no such buffer.
pub(crate) fn given(resources: &Resources, slot: u32) -> Vec<u32> {
    let words = resources.buffers.get(&(FunctionKind::Compute, slot));
    words.filter(|words| !words.is_empty()).cloned().unwrap_or_else(|| vec![0; 4])
}

/// The storage buffers of a module: slot, type and access.
fn declared(module: &Module) -> BTreeMap<u32, (Scalar, u8, Access)> {
    let inputs = module.functions.iter().flat_map(|function| &function.inputs);
    let buffers = inputs.filter_map(|input| match (input.kind, input.ty) {
        (InputKind::Buffer { slot, access }, Type::Buffer(scalar, width)) => Some((slot, (scalar, width, access))),
        _ => None,
    });
    buffers.collect()
}

/// The storage textures of a module by slot, and whether they are written.
fn images(module: &Module) -> BTreeMap<u32, (Dimension, Format, bool)> {
    let inputs = module.functions.iter().flat_map(|function| &function.inputs);
    let images = inputs.filter_map(|input| match (input.kind, input.ty) {
        (InputKind::Image { slot, access }, Type::Image(dimension, format)) => {
            Some((slot, (dimension, format, access == ImageAccess::Write)))
        }
        _ => None,
    });
    images.collect()
}

/// The index of the first storage texture among the outputs.
const IMAGES: usize = 1 << 16;

/// The number of rows of a storage texture, and of its layers or slices.
const ROWS: u32 = 8;
const LAYERS: u32 = 2;

impl Dispatch {
    /// A dispatch with numbers of moderate size derived from a seed, and with `elements` elements in buffers and in rows of storage
    /// textures.
    pub fn new(
        (number, name): (usize, &str),
        module: &Module,
        seed: u64,
        workgroups: [u32; 3],
        elements: usize,
    ) -> Dispatch {
        let mut resources = resources(seed, module);
        // A uniform is often a number of rounds.
        for (key, words) in &mut resources.uniforms {
            if !is_float(module, key) {
                words.iter_mut().for_each(|word| *word %= 9);
            }
        }
        // Whether fields of structures in a buffer of uints are read as floats.
        let mixed =
            module.functions.iter().any(|function| function.body.insts().iter().any(|inst| inst.op == Op::Bitcast));
        for (slot, (scalar, width, _)) in declared(module) {
            let mut random = Random::of(seed, &[4, u64::from(slot)]);
            let words = (0..elements * usize::from(width)).map(|_| match scalar {
                Scalar::Uint if mixed && random.below(2) == 0 => random.component(Scalar::Float),
                _ => random.component(scalar),
            });
            let words = words.collect();
            resources.buffers.insert((FunctionKind::Compute, slot), words);
        }
        for (slot, (dimension, format, _)) in images(module) {
            let mut random = Random::of(seed, &[5, u64::from(slot)]);
            let layers = if dimension == Dimension::D2 { 1 } else { LAYERS };
            let (width, scalar) = (elements as u32, format.scalar());
            let Some(mut image) = StorageTexture::new(format, [width, ROWS, layers]) else { continue };
            for at in 0..width * ROWS * layers {
                let place = [at % width, at / width % ROWS, at / width / ROWS].map(u32::cast_signed);
                image.set(place, [(); 4].map(|()| random.component(scalar)));
            }
            resources.images.insert((FunctionKind::Compute, slot), image);
        }
        let (row, label) = ((number, name.to_string()), format!("{name}, seed {seed}"));
        Dispatch { module: module.clone(), resources, workgroups, row, label }
    }

    /// The written memory as outputs: first the storage buffers, then the storage textures.
    fn values(&self, memory: &Memory) -> Vec<Values> {
        let written = declared(&self.module).into_iter().filter(|(_, (.., access))| *access == Access::ReadWrite);
        let values = written.map(|(slot, (scalar, width, _))| {
            let words = memory.buffers.get(&slot).map(Vec::as_slice).unwrap_or_default();
            let element = |words: &[u32]| Some(std::array::from_fn(|at| words.get(at).copied().unwrap_or(0)));
            Values {
                index: slot as usize,
                name: format!("buffer {slot}"),
                ty: Type::Vector(scalar, width),
                values: words.chunks(usize::from(width)).map(element).collect(),
            }
        });
        let images = images(&self.module).into_iter().filter(|(_, (.., written))| *written);
        let texels = images.map(|(slot, (_, format, _))| {
            let texels = memory.images.get(&slot).map(StorageTexture::texels).unwrap_or_default();
            Values {
                index: IMAGES + slot as usize,
                name: format!("image {slot}"),
                ty: Type::Vector(format.scalar(), 4),
                values: texels.iter().map(|&texel| Some(texel)).collect(),
            }
        });
        values.chain(texels).collect()
    }

    /// The results of interp, exact or in a perturbed run, and whether a texture is read so far out of range that Mesa's drivers
    /// crash.
    fn run(&self, module: &Module, run: Option<u64>) -> Result<(Vec<Values>, bool), String> {
        let at = module.functions.iter().position(|function| function.kind == FunctionKind::Compute);
        let program = Program::new(module, at.unwrap_or(usize::MAX)).map_err(|error| error.to_string())?;
        let (functions, astray) = (functions(module), AtomicBool::new(false));
        let mut perturber = run.map(|run| Perturber {
            run,
            random: Random(run << 32 | 1),
            functions: &functions,
            resources: &self.resources,
            stage: FunctionKind::Compute,
            astray: &astray,
        });
        let mut resources = match &perturber {
            Some(perturber) => seen(module, &self.resources, perturber),
            None => self.resources.clone(),
        };
        let observer = perturber.as_mut().map(|perturber| perturber as &mut dyn sdlbc_interp::Observer);
        program.dispatch(&mut resources, self.workgroups, observer).map_err(|error| error.to_string())?;
        let memory = Memory {
            buffers: resources.buffers.into_iter().map(|((_, slot), words)| (slot, words)).collect(),
            images: resources.images.into_iter().map(|((_, slot), image)| (slot, image)).collect(),
        };
        Ok((self.values(&memory), astray.into_inner()))
    }

    /// The allowed contents of the buffers, from `runs` perturbed runs, and whether one of the runs reads a texture too far out of
    /// range.
    fn expected(&self, runs: u64) -> Result<(Expected, bool), String> {
        let mut expected = Expected::new(vec![self.run(&self.module, None)?.0]);
        let mut astray = false;
        for run in 1..=runs {
            let (values, of_run) = self.run(&self.module, Some(run))?;
            expected.add(values);
            astray |= of_run;
        }
        Ok((expected, astray))
    }
}

/// Runs a dispatch on the witnesses, and enters the results into its row of a table.
///
/// # Errors
/// The first witness that disagrees, and its difference, with the module's text.
pub fn compare(dispatch: &Dispatch, devices: &mut [Box<dyn Dispatcher>], table: &mut Table) -> Result<(), String> {
    let shown =
        |who: &str, what: String| format!("{}: {who}: {what}\n{}", dispatch.label, sdlbc::print(&dispatch.module));
    let runs = if dispatch.resources.textures.is_empty() { RUNS } else { TEXTURED };
    let (mut expected, astray) = dispatch.expected(runs).map_err(|error| shown("interp", error))?;
    let (number, name) = &dispatch.row;
    for (what, pass) in PASSED {
        let values = pass(&dispatch.module).and_then(|module| dispatch.run(&module, None));
        let (values, _) = values.map_err(|error| shown(what, error))?;
        let tally = expected.same(&values).map_err(|error| shown(what, error.to_string()))?;
        let cell = table.cell(*number, name, PASSES);
        cell.tally = cell.tally.with(tally);
    }
    let module = optimised(&dispatch.module).map_err(|error| shown("the passes", error))?;
    let optimised = Dispatch { module, ..dispatch.clone() };
    let mut is_thorough = false;
    for device in devices {
        let who = device.name();
        let dispatched = match astray {
            true => {
                Err(Failure::Unsupported("a texture is read at infinity, which crashes Mesa's drivers".to_string()))
            }
            false => device.dispatch(&optimised),
        };
        let memory = match dispatched {
            Ok(memory) => memory,
            Err(Failure::Unsupported(reason)) => {
                let cell = table.cell(*number, name, &who);
                cell.unsupported += 1;
                cell.reason.get_or_insert(reason);
                continue;
            }
            Err(Failure::Broken(error)) => return Err(shown(&who, error)),
        };
        let values = dispatch.values(&memory);
        if expected.holds(&values).is_err() && !is_thorough {
            is_thorough = true;
            (expected, _) = dispatch.expected(THOROUGH).map_err(|error| shown("interp", error))?;
        }
        let tally = expected.holds(&values).map_err(|error| shown(&who, error.to_string()))?;
        let cell = table.cell(*number, name, &who);
        cell.tally = cell.tally.with(tally);
    }
    Ok(())
}

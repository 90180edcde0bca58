//! Compares compute functions on the witnesses that support compute. After a dispatch, the contents of storage buffers and
//! storage textures are compared like the outputs of other functions. Each element or texel counts as one invocation.

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
use crate::runs::{RUNS, THOROUGH, functions, seen};
use crate::table::Table;
use crate::values::{Numbers, limit_counts, resources};
use crate::verdict::Expected;

/// The contents of memory after a dispatch.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The words of each storage buffer, keyed by slot.
    pub buffers: BTreeMap<u32, Vec<u32>>,
    /// The storage textures, keyed by slot.
    pub images: BTreeMap<u32, StorageTexture>,
}

/// A compute function with its resources, and the number of workgroups to run.
#[derive(Clone, Debug)]
pub struct Dispatch {
    /// The module that contains the compute function.
    pub module: Module,
    /// The uniforms and textures, and the contents of storage buffers and storage textures before the dispatch.
    pub resources: Resources,
    /// The number of workgroups in x, y and z.
    pub workgroups: [u32; 3],
    /// The dispatch's row in the table: a number for sorting the rows, and a name.
    pub row: (usize, String),
    /// The dispatch's name and seed, from which the run can be reproduced.
    pub label: String,
}

/// A witness that runs compute functions.
pub trait Dispatcher {
    /// The witness's name in tables.
    fn name(&self) -> String;
    /// Runs a dispatch and returns the final contents of the storage buffers and storage textures.
    ///
    /// # Errors
    /// Returns a [`Failure`] if the witness does not support the dispatch, or if the driver fails.
    fn dispatch(&mut self, dispatch: &Dispatch) -> Result<Memory, Failure>;
}

/// Returns the words of a storage buffer before a dispatch, or four zero words if the buffer is missing or empty.
pub(crate) fn given(resources: &Resources, slot: u32) -> Vec<u32> {
    let words = resources.buffers.get(&(FunctionKind::Compute, slot));
    words.filter(|words| !words.is_empty()).cloned().unwrap_or_else(|| vec![0; 4])
}

/// Maps the slot of each storage buffer of a module to the buffer's component type, width and access.
fn declared(module: &Module) -> BTreeMap<u32, (Scalar, u8, Access)> {
    let inputs = module.functions.iter().flat_map(|function| &function.inputs);
    let buffers = inputs.filter_map(|input| match (input.kind, input.ty) {
        (InputKind::Buffer { slot, access }, Type::Buffer(scalar, width)) => Some((slot, (scalar, width, access))),
        _ => None,
    });
    buffers.collect()
}

/// Maps the slot of each storage texture of a module to the texture's dimension, its format, and a flag that is true if the
/// module writes the texture.
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

/// The number that is added to a storage texture's slot to form its output index. A storage buffer's output index is its slot,
/// which is lower than this number.
const IMAGES: usize = 1 << 16;

const ROWS: u32 = 8;
const LAYERS: u32 = 2;

impl Dispatch {
    /// Creates a dispatch whose resources contain random numbers derived from a seed. Each buffer has `elements` elements, and
    /// each row of a storage texture has `elements` texels.
    pub fn new(
        (number, name): (usize, &str),
        module: &Module,
        seed: u64,
        workgroups: [u32; 3],
        elements: usize,
    ) -> Dispatch {
        let mut resources = resources(seed, module);
        limit_counts(&mut resources, module);
        // A function with a bitcast may read some fields of a buffer of uints as floats.
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

    /// Returns the contents of the writable storage buffers and storage textures as outputs, buffers first.
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

    /// Runs the dispatch in interp, either exactly or perturbed as in the given run. Returns the results, and whether a texture
    /// is read so far out of range that Mesa's drivers crash.
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

    /// Returns the allowed contents of the writable memory, derived from the exact run and `runs` perturbed runs. Also returns
    /// whether a run reads a texture so far out of range that Mesa's drivers crash.
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

/// Runs a dispatch on the witnesses, and enters the results into the dispatch's row of a table.
///
/// # Errors
/// Returns the first witness that disagrees, with the difference and the module's IR text.
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

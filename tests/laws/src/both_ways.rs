//! The law of round trips: a module that is written as WGSL or SPIR-V and read back computes the same results, bit for bit, in
//! the interpreter.

use std::collections::{BTreeMap, BTreeSet};

use backends::{Interface, Layout, ResourceKind, Target};
use naga_front::{Options, Refusal};
use sdlbc::{Dimension, FunctionKind, Id, Input, InputKind, Module, Op, OutputKind, Scalar, Type, Verified, print};
use sdlbc_interp::{Column, LANES, Level, Mask, Observer, Program, Resources, Site, Texture};
use testing::Random;

/// A target whose output is read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The module is written as WGSL.
    Wgsl,
    /// The module is written as SPIR-V.
    Spirv,
}

/// The result of a module's round trip.
pub enum Outcome {
    /// The module that was read back computes the same results.
    Same,
    /// The target cannot express the module.
    Unwritten,
    /// The front end refuses the written file.
    Refused(Vec<Refusal>),
}

/// Writes a module, reads the file back, and compares the results of both modules.
///
/// # Panics
/// Panics if the modules compute different results.
pub fn both_ways(module: &Module, by: By, seed: u64) -> Outcome {
    // Unnamed uniforms are separate resources, so each one gets a name of its own.
    let mut module = module.clone();
    for (number, input) in module.functions.iter_mut().flat_map(|function| &mut function.inputs).enumerate() {
        if input.kind.is_uniform() && input.name.is_empty() {
            input.name = format!("unnamed {number}");
        }
    }
    [FunctionKind::Vertex, FunctionKind::Fragment].into_iter().for_each(|stage| name_uniforms(&mut module, stage));
    let module = &module;
    let layout = Layout::default();
    let verified = Verified::new(module.clone()).expect("it verifies");
    let target = if by == By::Wgsl { Target::Wgsl } else { Target::Spirv };
    let Ok(written) = backends::write(&verified, target, None, &layout) else { return Outcome::Unwritten };
    let (text, read) = match &written.code {
        backends::Code::Text(code) => (code.as_str(), naga_front::read(code, &Options::default())),
        backends::Code::Words(code) => {
            let words: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
            ("", spirv_front::read(&words, &Options::default()))
        }
    };
    let mut again = match read {
        Ok(lifted) => lifted.module,
        Err(refusals) => return Outcome::Refused(refusals),
    };
    let interface = &written.interface;
    for stage in [FunctionKind::Vertex, FunctionKind::Fragment] {
        let (Some(from), Some(to)) = (entry(module, stage), entry(&again, stage)) else { continue };
        use_samplers(module, &mut again, stage, interface);
        let mut random = Random(seed);
        let mut word = move |scalar| of(scalar, &mut random);
        let mut given = BTreeMap::new();
        for input in &module.functions[from].inputs {
            if let InputKind::Attribute { .. } | InputKind::Varying { .. } | InputKind::Builtin(_) = input.kind {
                let scalar = component(input.ty);
                let columns: [Column; 4] = std::array::from_fn(|_| std::array::from_fn(|_| word(scalar)));
                given.insert(key(input.kind), columns);
            }
        }
        let [ours, theirs] = resources(module, &again, stage, interface, &mut word);
        let inputs = |kind: InputKind| given.get(&key(kind)).copied();
        let run = |module: &Module, function: usize, resources: &Resources, observer: Option<&mut dyn Observer>| {
            let program = Program::new(module, function).expect("it runs");
            program.run(resources, Mask::MAX, &inputs, observer).ok()
        };
        let mut undefined = Undefined::new(module);
        let (ours, theirs) = (run(module, from, &ours, Some(&mut undefined)), run(&again, to, &theirs, None));
        if undefined.found {
            continue;
        }
        let (ours, theirs) = match (ours, theirs) {
            (Some(ours), Some(theirs)) => (ours, theirs),
            (ours, theirs) => {
                assert_eq!(ours.is_some(), theirs.is_some(), "only one ends");
                continue;
            }
        };
        let context = || format!("{}\n\n{}\n\n{}", print(module), text, print(&again));
        assert_eq!(ours.live, theirs.live, "{stage:?} discards\n{}", context());
        for (output, columns) in module.functions[from].outputs.iter().zip(&ours.outputs) {
            let same = |other: &OutputKind| place(*other) == place(output.kind);
            let Some(at) = again.functions[to].outputs.iter().position(|other| same(&other.kind)) else {
                // A target without point sizes has no output for a size that is always 1.
                let is_one = |lane: &u32| f32::from_bits(*lane) == 1.0;
                if output.kind == OutputKind::PointSize && columns[0].iter().all(is_one) {
                    continue;
                }
                panic!("no output {:?}\n{}", output.kind, context());
            };
            for (component, (a, b)) in columns.iter().zip(&theirs.outputs[at]).enumerate() {
                for lane in (0..LANES).filter(|lane| ours.live >> lane & 1 != 0) {
                    let (a, b) = (a[lane], b[lane]);
                    // A target may produce any NaN and a zero of either sign.
                    let nan = |bits: u32| f32::from_bits(bits).is_nan();
                    let equal = a == b || nan(a) && nan(b) || f32::from_bits(a) == f32::from_bits(b);
                    assert!(
                        equal,
                        "{stage:?} {:?} component {component} lane {lane}: {} and {} ({a:#x}, {b:#x})\n{}",
                        output.kind,
                        f32::from_bits(a),
                        f32::from_bits(b),
                        context()
                    );
                }
            }
        }
    }
    Outcome::Same
}

/// Detects conversions of NaN to an integer. The format defines the result as zero, but the written code returns the integer
/// type's lowest number.
struct Undefined {
    /// The conversions from floats to integers, as pairs of a function's index and an instruction's index.
    to_ints: BTreeSet<(usize, usize)>,
    found: bool,
}

impl Undefined {
    fn new(module: &Module) -> Undefined {
        let mut to_ints = BTreeSet::new();
        for (number, function) in module.functions.iter().enumerate() {
            let types = sdlbc::infer_types(module, number);
            let is =
                |id, wanted: [Scalar; 2]| matches!(types.get(id), Some(Type::Vector(of, _)) if wanted.contains(&of));
            for (at, inst) in function.body.insts().iter().enumerate().filter(|(_, inst)| inst.op == Op::Convert) {
                if is(inst.inputs[0], [Scalar::Float, Scalar::Half]) && is(inst.output, [Scalar::Int, Scalar::Uint]) {
                    to_ints.insert((number, at));
                }
            }
        }
        Undefined { to_ints, found: false }
    }
}

impl Observer for Undefined {
    fn result(&mut self, site: &Site, active: Mask, operands: &[Vec<Column>], _: &mut [Column]) {
        if self.to_ints.contains(&(site.function, site.instruction)) {
            let is_nan =
                |column: &Column, lane: usize| active >> lane & 1 != 0 && f32::from_bits(column[lane]).is_nan();
            self.found |= operands.iter().flatten().any(|column| (0..LANES).any(|lane| is_nan(column, lane)));
        }
    }
}

/// Adds to a stage's entry function the uniforms that only its callees have, because the interface names only the entry
/// function's uniforms.
fn name_uniforms(module: &mut Module, stage: FunctionKind) {
    let Some(at) = entry(module, stage) else { return };
    for input in inputs_of(module, stage).filter(|input| input.kind.is_uniform()).cloned().collect::<Vec<_>>() {
        let function = &mut module.functions[at];
        if function.inputs.iter().all(|own| !own.kind.is_uniform() || own.name != input.name) {
            let id = Id(function.max_id() + 1);
            function.inputs.push(Input { id, ..input });
        }
    }
}

/// Returns the entry function of a stage and all functions that it calls directly or indirectly.
fn reached(module: &Module, stage: FunctionKind) -> Vec<usize> {
    let mut reached: Vec<usize> = entry(module, stage).into_iter().collect();
    let mut at = 0;
    while let Some(&function) = reached.get(at) {
        for call in module.functions[function].body.insts().iter().filter(|inst| inst.op == Op::Call) {
            let callee = call.immediates[0] as usize;
            if !reached.contains(&callee) {
                reached.push(callee);
            }
        }
        at += 1;
    }
    reached
}

fn entry(module: &Module, stage: FunctionKind) -> Option<usize> {
    module.functions.iter().position(|function| function.kind == stage)
}

/// Returns a key that identifies an attribute, varying or built-in input in both modules.
fn key(kind: InputKind) -> (u8, u32) {
    match kind {
        InputKind::Attribute { location } => (0, location),
        InputKind::Varying { location, .. } => (1, location),
        InputKind::Builtin(builtin) => (2, builtin as u32),
        _ => (3, 0),
    }
}

/// Returns a key that identifies an output in both modules.
fn place(kind: OutputKind) -> (u8, u32) {
    match kind {
        OutputKind::Position => (0, 0),
        OutputKind::Varying { location, .. } => (1, location),
        OutputKind::Colour { target } => (2, target),
        OutputKind::Depth => (3, 0),
        OutputKind::PointSize => (4, 0),
        OutputKind::Returned => (5, 0),
        OutputKind::ClipDistance { index } => (6, index),
    }
}

fn component(ty: Type) -> Scalar {
    match ty {
        Type::Vector(scalar, _) | Type::Array(scalar, ..) => scalar,
        _ => Scalar::Float,
    }
}

/// Returns a random word that is a value of the component type.
fn of(scalar: Scalar, random: &mut Random) -> u32 {
    match scalar {
        Scalar::Bool => random.below(2) as u32,
        Scalar::Int | Scalar::Uint => random.below(40) as u32,
        Scalar::Float => (random.below(64) as f32 / 8.0 - 4.0).to_bits(),
        // `interp` represents halves as 32-bit floats.
        Scalar::Half => (random.below(64) as f32 / 8.0 - 4.0).to_bits(),
    }
}

/// Returns the byte offset in memory of each component of a uniform. Array elements and most matrix columns begin at multiples of
/// 16.
pub fn layout_of(ty: Type) -> Vec<u32> {
    let size = if component(ty) == Scalar::Half { 2 } else { 4 };
    let (width, stride, count) = match ty {
        Type::Vector(_, width) => (width, 16, 1),
        Type::Matrix { columns, rows: 2 } => (2, 8, columns.into()),
        Type::Matrix { columns, rows } => (rows, 16, columns.into()),
        Type::Array(_, width, length) => (width, 16, length),
        Type::Texture(..) | Type::Buffer(..) | Type::Image(..) => (0, 0, 0),
    };
    (0..count).flat_map(|element| (0..u32::from(width)).map(move |at| element * stride + at * size)).collect()
}

/// Returns the inputs of a stage's entry function and of the functions that it calls.
fn inputs_of(module: &Module, stage: FunctionKind) -> impl Iterator<Item = &sdlbc::Input> {
    reached(module, stage).into_iter().flat_map(|function| &module.functions[function].inputs)
}

/// Returns resources for both modules with the same values in memory and the same textures.
fn resources(
    module: &Module,
    again: &Module,
    stage: FunctionKind,
    interface: &Interface,
    word: &mut impl FnMut(Scalar) -> u32,
) -> [Resources; 2] {
    let [mut ours, mut theirs] = [Resources::default(), Resources::default()];
    // The contents of each buffer, keyed by the name of the buffer's variable in the output and then by byte offset.
    let mut memory = BTreeMap::<String, BTreeMap<u32, u32>>::new();
    let own = &module.functions[entry(module, stage).expect("an entry")].inputs;
    let of_stage = || interface.resources.iter().filter(|resource| resource.stage == stage);
    for input in inputs_of(module, stage) {
        let mine = own.iter().find(|other| match (other.kind, input.kind) {
            (InputKind::Texture { slot: a, .. }, InputKind::Texture { slot: b, .. }) => a == b,
            (a, b) => a.is_uniform() && b.is_uniform() && other.name == input.name,
        });
        // A uniform that only callees read has the name and place that the entry function's uniform would have.
        let (id, name) = (mine.map(|mine| mine.id), &input.name);
        match input.kind {
            kind if kind.is_uniform() => {
                if ours.uniforms.contains_key(&(stage, name.clone())) {
                    continue;
                }
                let words: Vec<u32> = layout_of(input.ty).iter().map(|_| word(component(input.ty))).collect();
                let found = of_stage().find_map(|resource| match &resource.kind {
                    ResourceKind::Constants { members, .. } => {
                        let field = members.iter().find(|field| Some(field.uniform) == id && field.within == 0);
                        let whole = (Some(resource.input) == id).then_some(0);
                        Some((&resource.name, field.map(|field| field.offset).or(whole)?))
                    }
                    _ => None,
                });
                let (variable, offset) = found.unwrap_or((name, 0));
                let buffer = memory.entry(variable.clone()).or_default();
                buffer.extend(layout_of(input.ty).into_iter().map(|at| offset + at).zip(words.iter().copied()));
                ours.uniforms.insert((stage, name.clone()), words);
            }
            InputKind::Texture { slot, .. } => {
                let Type::Texture(dimension, _) = input.ty else { continue };
                ours.textures.entry((stage, slot)).or_insert_with(|| texture(dimension, slot));
                let is = |resource: &&backends::Resource| matches!(resource.kind, ResourceKind::Texture { slot: other, .. } if other == slot);
                let variable = of_stage().find(is).map_or(name, |resource| &resource.name);
                let found = inputs_of(again, stage).find(|other| other.name == *variable);
                if let Some(InputKind::Texture { slot: other, .. }) = found.map(|found| found.kind) {
                    theirs.textures.insert((stage, other), texture(dimension, slot));
                }
            }
            _ => {}
        }
    }
    for input in inputs_of(again, stage).filter(|input| input.kind.is_uniform()) {
        let offset = if let InputKind::Placed { offset, .. } = input.kind { offset } else { 0 };
        let is = |variable: &&String| match input.kind {
            InputKind::Placed { .. } => {
                input.name.strip_prefix(variable.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
            }
            _ => input.name == **variable,
        };
        let variable = memory.keys().filter(is).max_by_key(|variable| variable.len()).cloned().unwrap_or_default();
        let buffer = memory.get(&variable);
        let at = |byte: u32| buffer.and_then(|buffer| buffer.get(&byte)).copied().unwrap_or(0);
        let words = layout_of(input.ty).into_iter().map(|byte| at(offset + byte)).collect();
        theirs.uniforms.insert((stage, input.name.clone()), words);
    }
    [ours, theirs]
}

/// Returns a texture with two levels if the texture has layers, and with one level if it does not. Written code may query the
/// number of layers at a level, and querying a level that is missing has an undefined result. Textures without layers have one
/// level, because a discarded fragment makes the level of detail of its quad undefined.
fn texture(dimension: Dimension, slot: u32) -> Texture {
    let depth: u32 = match dimension {
        Dimension::D2 => 1,
        Dimension::D3 => 2,
        Dimension::Cube => 6,
        Dimension::D2Array => 3,
        Dimension::CubeArray => 12,
    };
    let level = |size: u32, depth: u32| {
        let texels = (0..size * size * depth).map(|at| [at, 255 - at, at * 7, 9 + slot].map(|c| c as u8)).collect();
        Level { width: size, height: size, depth, texels }
    };
    let levels = if dimension.has_layers() { vec![level(2, depth), level(1, depth)] } else { vec![level(2, depth)] };
    Texture { dimension, levels }
}

/// Copies the original module's samplers to the module that was read back, because WGSL and SPIR-V contain no sampler states.
fn use_samplers(module: &Module, again: &mut Module, stage: FunctionKind, interface: &Interface) {
    let names: BTreeMap<u32, &str> = interface
        .resources
        .iter()
        .filter(|resource| resource.stage == stage)
        .filter_map(|resource| match resource.kind {
            ResourceKind::Texture { slot, .. } => Some((slot, resource.name.as_str())),
            _ => None,
        })
        .collect();
    let originals = reached(module, stage).into_iter().flat_map(|function| &module.functions[function].inputs);
    let originals: Vec<_> = originals
        .filter_map(|input| match input.kind {
            InputKind::Texture { slot, sampler } => Some((names.get(&slot).copied()?, sampler)),
            _ => None,
        })
        .collect();
    let of_stage = reached(again, stage);
    let all = again.functions.iter_mut().enumerate().filter(|(number, _)| of_stage.contains(number));
    for input in all.flat_map(|(_, function)| &mut function.inputs) {
        if let InputKind::Texture { sampler, .. } = &mut input.kind
            && let Some((_, original)) = originals.iter().find(|(name, _)| *name == input.name)
        {
            *sampler = *original;
        }
    }
}

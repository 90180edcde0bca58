//! Lifts a SPIR-V module into an SDLSHADERBC module, which these files call a module of *the format*.
//!
//! | file | contents |
//! |---|---|
//! | `lift.rs` | the chosen entry points, the state of the function being lifted, and refusals |
//! | `interface.rs` | inputs and outputs of entry points |
//! | `packed.rs` | inputs and outputs that share a location |
//! | `pointer.rs` | pointers, variables, loads and stores |
//! | `layout.rs` | the layouts of uniform blocks, push constants and storage buffers |
//! | `memory.rs` | reads and writes of uniform blocks, push constants and storage buffers |
//! | `image.rs` | textures and samplers |
//! | `texels.rs` | storage textures |
//! | `blocks.rs` | arrays of uniform blocks and storage buffers |
//! | `element.rs` | elements of arrays of textures and samplers |
//! | `flow.rs` | statements, calls and jumps |
//! | `written.rs` | the registers that statements may write |
//! | `operation.rs` | instructions that compute values |
//! | `glsl.rs` | the instructions of GLSL.std.450 |
//! | `wide.rs` | integer arithmetic with results of 64 bits |
//!
//! [`Lifter`] is one `impl` that is spread over these files, so they import each other. This file has the fields of [`Lifter`]; each other
//! file has the methods and the field types of one subject.

mod atomic;
mod blocks;
mod element;
mod flow;
mod glsl;
mod image;
mod interface;
mod layout;
mod memory;
mod numbers;
mod operation;
mod packed;
mod pointer;
mod texels;
mod wide;
mod written;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rspirv::spirv::{ExecutionModel, Op as Opcode};
use sdlbc::builder::Finished;
use sdlbc::lifting::{Lifting, Value};
use sdlbc::{
    Builder, Format, FunctionDebug, FunctionKind, Id, InputKind, LeftOut, Lines, Module as Shader, Op, Scalar, Source,
    Type, Unit,
};

use crate::accepted::{BuiltIn, Decoration, Mode};
use crate::module::{Constant, Entry, Function, Module, Ty};
use crate::structure::{Fault, Structured, structure};
use crate::words::{Inst, malformed, refusal};
use sdlbc::front::{
    Assumption, Convention, Guarantee, Lifted, Lost, Refusal, RefusalKind, SourceOptions as Options, Stage,
};

use blocks::Block;
use flow::Frame;
use image::Texture;
use layout::{Buffer, Uniform};
use packed::Pack;
use pointer::Reference;

/// The maximum number of instructions that are lifted, which bounds the code of functions that are inlined at many calls.
const MOST_STEPS: u32 = 1_000_000;
/// The maximum number of refusals that are reported.
const MOST_REFUSALS: usize = 100;

/// Lifts the chosen entry points and the functions that they call.
pub(crate) fn lift(module: &Module<'_>, options: &Options) -> Result<Lifted, Vec<Refusal>> {
    let entries = choose(module, options)?;
    let mut shared = Shared::new(module, options);
    shared.functions = entries.iter().map(|entry| entry_name(entry).to_string()).collect();
    shared.lay_out_memory();
    for entry in &entries {
        shared.entry(entry);
    }
    shared.finish(options)
}

/// Returns the function kind of an entry point's stage, or `None` if the format lacks the stage.
fn kind_of(entry: &Entry<'_>) -> Option<FunctionKind> {
    match entry.model {
        ExecutionModel::Vertex => Some(FunctionKind::Vertex),
        ExecutionModel::Fragment => Some(FunctionKind::Fragment),
        ExecutionModel::GLCompute => Some(FunctionKind::Compute),
        _ => None,
    }
}

/// Returns the name of an entry point. SPIR-V allows an empty name, but the format does not.
fn entry_name<'e>(entry: &'e Entry<'_>) -> &'e str {
    if entry.name.is_empty() { "main" } else { &entry.name }
}

/// Returns the entry points to lift: at most one of each stage, the vertex function first. A compute function is lifted only if the options
/// name it or there are no other entry points.
fn choose<'m>(module: &Module<'m>, options: &Options) -> Result<Vec<Entry<'m>>, Vec<Refusal>> {
    let stages = [
        (FunctionKind::Vertex, Some(Stage::Vertex)),
        (FunctionKind::Fragment, Some(Stage::Fragment)),
        (FunctionKind::Compute, None),
    ];
    let refuse = |kind| Err(vec![refusal(kind, None)]);
    let mut chosen: Vec<Entry<'m>> = Vec::new();
    for (kind, own) in stages {
        if kind == FunctionKind::Compute && options.entries.is_empty() && !chosen.is_empty() {
            continue;
        }
        let is_wanted = |entry: &&Entry<'m>| {
            kind_of(entry) == Some(kind)
                && options.stage.is_none_or(|wanted| Some(wanted) == own)
                && (options.entries.is_empty() || options.entries.iter().any(|name| name == entry_name(entry)))
        };
        let found: Vec<Entry<'m>> = module.entries.iter().filter(is_wanted).cloned().collect();
        if found.len() > 1 {
            let names = found.iter().map(|entry| entry_name(entry).to_string()).collect();
            return refuse(RefusalKind::SeveralEntries { names });
        }
        chosen.extend(found);
    }
    let has = |name: &&String| chosen.iter().any(|entry| entry_name(entry) == **name);
    match options.entries.iter().find(|name| !has(name)) {
        Some(name) => refuse(RefusalKind::NoEntry { name: name.clone() }),
        None if chosen.is_empty() => refuse(RefusalKind::NoEntry { name: String::new() }),
        None => Ok(chosen),
    }
}

/// The state that the functions of a module share.
struct Shared<'m> {
    module: &'m Module<'m>,
    convention: Convention,
    /// By function: its statements; `None` if they were refused.
    structured: BTreeMap<u32, Option<Rc<Structured>>>,
    /// By provisional slot: a texture and the sampler with which it is used.
    textures: Vec<Texture>,
    /// The names of uniforms, buffers and textures, which are unique in the whole module.
    names: BTreeSet<String>,
    /// The names of functions.
    functions: BTreeSet<String>,
    uniforms: BTreeMap<u32, Option<Uniform>>,
    buffers: BTreeMap<u32, Option<Buffer>>,
    /// The formats of storage textures that state none, by name.
    texel_formats: Vec<(String, Format)>,
    /// By array of blocks and number of a block: the block.
    blocks: BTreeMap<(u32, u32), Block>,
    /// By storage texture: its name.
    images: BTreeMap<u32, String>,
    /// By slot: the storage texture.
    image_slots: BTreeMap<u32, u32>,
    /// The storage buffers and storage textures that are written, and those that are read.
    written: BTreeSet<u32>,
    read: BTreeSet<u32>,
    finished: Vec<Finished>,
    /// The refusals, each with the offset of its word.
    refusals: Vec<(usize, Refusal)>,
    /// The number of instructions that may still be lifted.
    steps: u32,
    assumptions: BTreeSet<Assumption>,
    lost: Vec<Lost>,
}

impl<'m> Shared<'m> {
    fn new(module: &'m Module<'m>, options: &Options) -> Shared<'m> {
        Shared {
            module,
            convention: options.convention.unwrap_or(Convention::Vulkan),
            structured: BTreeMap::new(),
            textures: Vec::new(),
            names: BTreeSet::new(),
            functions: BTreeSet::new(),
            uniforms: BTreeMap::new(),
            buffers: BTreeMap::new(),
            texel_formats: options.texel_formats.clone(),
            blocks: BTreeMap::new(),
            images: BTreeMap::new(),
            image_slots: BTreeMap::new(),
            written: BTreeSet::new(),
            read: BTreeSet::new(),
            finished: Vec::new(),
            refusals: Vec::new(),
            steps: MOST_STEPS,
            assumptions: BTreeSet::new(),
            lost: Vec::new(),
        }
    }

    fn refuse(&mut self, kind: RefusalKind, at: usize) {
        let refusal = (at, self.module.refusal(kind, at));
        if self.refusals.len() < MOST_REFUSALS && !self.refusals.contains(&refusal) {
            self.refusals.push(refusal);
        }
    }

    /// Returns a name that no other uniform, buffer or texture of the module has.
    fn unique(&mut self, name: &str) -> String {
        let name = if name.is_empty() { "unnamed" } else { name };
        let mut unique = name.to_string();
        let mut number = 1;
        while self.functions.contains(&unique) || !self.names.insert(unique.clone()) {
            number += 1;
            unique = format!("{name}_{number}");
        }
        unique
    }

    /// Returns the statements of a function.
    fn statements(&mut self, function: u32) -> Option<Rc<Structured>> {
        if let Some(known) = self.structured.get(&function) {
            return known.clone();
        }
        let of = self.module.functions.get(&function)?;
        let structured = match self.wide_selector(of).map_or_else(|| structure(of), Err) {
            Ok(structured) => Some(Rc::new(structured)),
            Err((kind, at)) => {
                self.refuse(kind, at);
                None
            }
        };
        self.structured.insert(function, structured.clone());
        structured
    }

    /// Returns the refusal of a switch whose selector has a type that the format lacks. The words of its labels depend on the type.
    fn wide_selector(&self, function: &Function<'m>) -> Option<Fault> {
        let ends = function.blocks.iter().map(|block| block.end);
        let selectors: BTreeMap<u32, usize> =
            ends.filter(|end| end.op == Opcode::Switch).map(|end| (end.arg(0), end.at)).collect();
        let mut insts = function.blocks.iter().flat_map(|block| block.phis.iter().chain(&block.insts));
        insts.find_map(|inst| match (selectors.get(&inst.id), self.module.types.get(&inst.ty)) {
            (Some(&at), Some(Ty::Unsupported(what))) => Some((RefusalKind::Types { what: what.clone() }, at)),
            _ => None,
        })
    }

    /// Lifts an entry point.
    fn entry(&mut self, entry: &Entry<'m>) {
        let Some(kind) = kind_of(entry) else { return };
        let mut builder = Builder::new(kind, entry_name(entry));
        if kind == FunctionKind::Compute {
            builder = builder.with_workgroup(self.workgroup(entry));
        }
        let lifting = Lifting::new(builder, self.names.clone());
        let module = self.module;
        let mut lifter = Lifter {
            shared: self,
            kind,
            entry: entry_name(entry).to_string(),
            lifting,
            frames: Vec::new(),
            references: Vec::new(),
            globals: BTreeMap::new(),
            shared_bools: BTreeSet::new(),
            inputs: BTreeMap::new(),
            input_packs: BTreeMap::new(),
            output_packs: BTreeMap::new(),
            packed_inputs: BTreeMap::new(),
            outputs: Vec::new(),
            output_names: BTreeSet::new(),
            with_members: BTreeSet::new(),
            has_whole_pixel_centres: module.mode(entry.function, Mode::PixelCenterInteger).is_some(),
            tests_early: module.mode(entry.function, Mode::EarlyFragmentTests).is_some(),
            demoted: None,
            at: 0,
            depth: 0,
            pending: 0,
            chosen: Vec::new(),
            gradients: None,
        };
        lifter.run(entry);
        let Lifter { lifting, .. } = lifter;
        if lifting.is_mismatched() && self.refusals.is_empty() {
            self.refuse(malformed("a stored value does not fit its variable"), 0);
        }
        match lifting.builder.finish_with_lines() {
            Ok(finished) => self.finished.push(finished),
            Err(error) => {
                self.finished.push(Finished::default());
                if self.refusals.is_empty() {
                    self.refuse(malformed(format!("an instruction has unsuitable operands: {error}")), 0);
                }
            }
        }
    }

    /// Returns the size of a compute entry point's workgroup.
    fn workgroup(&self, entry: &Entry<'m>) -> [u32; 3] {
        let module = self.module;
        let numbers = |ids: &[u32]| [0, 1, 2].map(|at| ids.get(at).and_then(|&id| module.int(id, 0)).unwrap_or(1));
        // The constant that is decorated as the workgroup's size takes precedence.
        let built_in = module.constants.iter().find_map(|(id, (_, constant))| match constant {
            Constant::Composite(parts)
                if module.number(*id, Decoration::BuiltIn).and_then(BuiltIn::numbered)
                    == Some(BuiltIn::WorkgroupSize) =>
            {
                Some(numbers(parts))
            }
            _ => None,
        });
        if let Some(size) = built_in {
            return size;
        }
        match module.mode(entry.function, Mode::LocalSize) {
            Some(&[x, y, z]) => [x, y, z],
            _ => numbers(module.mode(entry.function, Mode::LocalSizeId).unwrap_or_default()),
        }
    }

    /// Returns the module, with its debug table.
    fn finish(mut self, options: &Options) -> Result<Lifted, Vec<Refusal>> {
        self.settle_images();
        let mut finished = std::mem::take(&mut self.finished);
        self.settle_textures(&mut finished);
        let declared = self.declared();
        if !self.refusals.is_empty() {
            self.refusals.sort_by_key(|(at, _)| *at);
            return Err(self.refusals.into_iter().map(|(_, refusal)| refusal).collect());
        }
        let mut shader = Shader::default();
        let source = self.module.source().filter(|_| !options.file.is_empty());
        if let Some((file, text)) = source {
            let (file, text) = (file.to_string(), text.to_string());
            shader.debug.sources.push(Source { file, text, unit: Unit::Line });
        }
        for (finished, number) in finished.into_iter().zip(0..) {
            let Finished { mut function, names, members, bindings, lines } = finished;
            for input in &mut function.inputs {
                self.settle_access(&mut input.kind);
            }
            let lines = source.map(|_| Lines { source: 0, numbers: lines });
            let debug =
                FunctionDebug { function: number, ids: names, members, bindings, lines, ..FunctionDebug::default() };
            shader.functions.push(function);
            if !debug.is_empty() {
                shader.debug.functions.push(debug);
            }
        }
        let left_out: Vec<LeftOut> = sdlbc::fit(&mut shader);
        match sdlbc::verify(&shader) {
            Ok(()) => {
                let Shared { assumptions, lost, .. } = self;
                Ok(Lifted { module: shader, left_out, declared, assumptions, lost, overrides: Vec::new() })
            }
            Err(violations) => Err(violations.iter().take(MOST_REFUSALS).map(violation).collect()),
        }
    }

    /// Returns the names of the resources and inputs that the module declares.
    fn declared(&self) -> BTreeSet<String> {
        let names = self.module.globals.keys().map(|&id| self.module.name(id).to_string());
        names.filter(|name| !name.is_empty()).collect()
    }

    /// Sets the access of a storage texture, and of a storage buffer in a graphics module that writes no storage buffer or texture.
    fn settle_access(&self, kind: &mut InputKind) {
        use sdlbc::module::{Access, ImageAccess};
        match kind {
            InputKind::Buffer { access, .. }
                if self.written.is_empty()
                    && !self.module.entries.iter().any(|entry| entry.model == ExecutionModel::GLCompute) =>
            {
                *access = Access::Read;
            }
            InputKind::Image { slot, access }
                if self.image_slots.get(slot).is_some_and(|variable| self.written.contains(variable)) =>
            {
                *access = ImageAccess::Write;
            }
            _ => {}
        }
    }
}

/// Returns the refusal for a rule that the lifted module violates. The source exceeds a limit of the format, the source is invalid, or the
/// lifter has a fault.
fn violation(violation: &sdlbc::Violation) -> Refusal {
    use sdlbc::Rule;
    let message = violation.message();
    let kind = match violation.rule {
        Rule::IdLimit
        | Rule::Nesting
        | Rule::PlaceNumbers
        | Rule::ArrayLength
        | Rule::Position
        | Rule::LoopExit
        | Rule::Varyings
        | Rule::Limits
        | Rule::SlotComponents
        | Rule::SharedComponents
        | Rule::Workgroup
        | Rule::ComputeAlone
        | Rule::UniformBarrier
        | Rule::WrittenMemory => RefusalKind::Limit { what: message },
        Rule::Defined | Rule::Visible | Rule::PhiValues => {
            malformed("a value is used where it is not defined on every path".to_string())
        }
        Rule::Places => malformed("two inputs, or two outputs, have the same location or built-in value".to_string()),
        _ => RefusalKind::Internal { message: violation.to_string() },
    };
    refusal(kind, None)
}

/// Lifts one function.
struct Lifter<'a, 'm> {
    shared: &'a mut Shared<'m>,
    kind: FunctionKind,
    /// The name of the entry point.
    entry: String,
    lifting: Lifting,
    frames: Vec<Frame<'m>>,
    /// The pointers, textures and samplers that values refer to.
    references: Vec<Reference>,
    /// By global variable: the number of the variable that holds its value.
    globals: BTreeMap<u32, usize>,
    /// The shared variables in which uints stand for bools.
    shared_bools: BTreeSet<usize>,
    /// By input variable: its value.
    inputs: BTreeMap<u32, Value>,
    /// By location that several inputs, or several outputs, share: the vector whose components they are.
    input_packs: BTreeMap<u32, Pack>,
    output_packs: BTreeMap<u32, Pack>,
    /// By location: the input that several inputs of the module share.
    packed_inputs: BTreeMap<u32, Id>,
    /// The outputs of the entry point.
    outputs: Vec<interface::Output>,
    output_names: BTreeSet<String>,
    /// The arrays of uniforms whose members have been added.
    with_members: BTreeSet<Id>,
    /// Whether the centres of pixels have whole coordinates.
    has_whole_pixel_centres: bool,
    /// Whether the depth test precedes the function, so that the depth that the function writes has no effect.
    tests_early: bool,
    /// The register that is true once the invocation is demoted to a helper.
    demoted: Option<usize>,
    /// The offset of the word at which the current instruction starts.
    at: usize,
    /// The nesting depth of the constant being lifted.
    depth: u32,
    /// The memory ordered by OpMemoryBarriers before the next OpControlBarrier, as flags of BARRIER.
    pending: u32,
    /// The computed indices in arrays of textures that the open cases test, each with its value in the case.
    chosen: Vec<(Id, u32)>,
    /// The derivatives of a texture coordinate, which were computed before the cases.
    gradients: Option<[Id; 2]>,
}

impl<'m> Lifter<'_, 'm> {
    fn module(&self) -> &'m Module<'m> {
        self.shared.module
    }

    fn refuse(&mut self, kind: RefusalKind) {
        self.shared.refuse(kind, self.at);
    }

    /// Notes that the entry point loses a guarantee of the current instruction or variable.
    fn lose(&mut self, guarantee: Guarantee) {
        let line = self.module().line_of(self.at).map(|(_, line)| line);
        Lost { entry: self.entry.clone(), line, guarantee }.add_to(&mut self.shared.lost);
    }

    /// Moves to the instruction at a word. The code that is emitted next gets the instruction's line.
    fn go_to(&mut self, at: usize) {
        self.at = at;
        let module = self.module();
        let own = module.line(at).filter(|(file, _)| module.source().is_some_and(|(main, _)| main == *file));
        self.lifting.builder.at_line(own.map_or(0, |(_, line)| line));
    }

    /// Refuses an instruction, and returns a zero of a type as a placeholder for its result.
    fn refuse_value(&mut self, kind: RefusalKind, ty: u32) -> Value {
        self.refuse(kind);
        self.zero(ty)
    }

    fn refuse_instruction(&mut self, name: impl Into<String>, ty: u32) -> Value {
        self.refuse_value(RefusalKind::Operation { name: name.into() }, ty)
    }

    /// Refuses the module because an instruction has unsuitable operands. Does nothing if the module is already refused.
    fn mismatch(&mut self) {
        if self.shared.refusals.is_empty() {
            self.refuse(malformed("an instruction has unsuitable operands".to_string()));
        }
    }

    /// Returns the zero of a type.
    fn zero(&mut self, ty: u32) -> Value {
        match self.module().shape(ty) {
            Some(shape) => self.lifting.zero_of(&shape),
            None => Value::One(self.lifting.zero(Type::FLOAT)),
        }
    }

    /// Returns the value of an id, which belongs to a constant, to a global variable, or to an instruction or parameter of the function.
    fn value(&mut self, id: u32) -> Value {
        if let Some(frame) = self.frames.last() {
            if let Some(&(variable, _)) = frame.registers.get(&id) {
                return self.lifting.load(variable, &[]);
            }
            if let Some(value) = frame.values.get(&id) {
                return value.clone();
            }
        }
        let module = self.module();
        if let Some(&(ty, ref constant)) = module.constants.get(&id) {
            return self.constant(ty, constant);
        }
        if module.globals.contains_key(&id) {
            return self.global(id);
        }
        self.mismatch();
        Value::One(self.lifting.zero(Type::FLOAT))
    }

    /// Returns the value of an id that must be a scalar, vector or matrix.
    fn one(&mut self, id: u32) -> Id {
        match self.value(id) {
            Value::One(id) => id,
            _ => {
                self.mismatch();
                self.lifting.zero(Type::FLOAT)
            }
        }
    }

    /// Returns a scalar or vector as ints, for use as an index.
    fn index(&mut self, id: u32) -> Id {
        let value = self.one(id);
        self.lifting.convert(value, Scalar::Int)
    }

    /// Returns the value of a constant.
    fn constant(&mut self, ty: u32, constant: &Constant<'m>) -> Value {
        let module = self.module();
        if self.depth > 64 || !self.step() {
            self.mismatch();
            return self.zero(ty);
        }
        self.depth += 1;
        let value = self.constant_within(ty, constant, module);
        self.depth -= 1;
        value
    }

    fn constant_within(&mut self, ty: u32, constant: &Constant<'m>, module: &'m Module<'m>) -> Value {
        match constant {
            &Constant::Scalar(bits) => match module.value_type(ty) {
                Some(Type::Vector(scalar, 1)) => Value::One(self.scalar(scalar, bits)),
                _ => self.refuse_value(RefusalKind::Types { what: module.type_name(ty) }, ty),
            },
            Constant::Composite(parts) => {
                let parts: Vec<Value> = parts.iter().map(|&part| self.value(part)).collect();
                self.composed(ty, parts)
            }
            Constant::Zero => match module.shape(ty) {
                Some(shape) => self.lifting.zero_of(&shape),
                None => self.refuse_value(RefusalKind::Types { what: module.type_name(ty) }, ty),
            },
            &Constant::Operation(op, args) => {
                let inst = Inst { at: self.at, op, ty, id: 0, args };
                self.operation(&inst)
            }
        }
    }

    /// Returns a scalar with the given bits.
    fn scalar(&mut self, scalar: Scalar, bits: u32) -> Id {
        let builder = &mut self.lifting.builder;
        match scalar {
            Scalar::Bool => builder.bool(bits != 0),
            Scalar::Int => builder.int(bits.cast_signed()),
            Scalar::Uint => builder.uint(bits),
            Scalar::Float => builder.emit(Op::LiteralFloat, &[], &[bits]),
            Scalar::Half => {
                let half = u16::try_from(bits & 0xffff).unwrap_or(0);
                let float = builder.float(half_to_float(half));
                self.lifting.convert(float, Scalar::Half)
            }
        }
    }

    /// Returns a value composed of the given parts.
    fn composed(&mut self, ty: u32, parts: Vec<Value>) -> Value {
        let ids = || parts.iter().map(Value::one).collect::<Vec<Id>>();
        match self.module().types.get(&ty) {
            Some(Ty::Value(Type::Vector(..))) => Value::One(self.lifting.vector(&ids())),
            Some(Ty::Value(Type::Matrix { .. })) => Value::One(self.lifting.matrix(&ids())),
            Some(Ty::Struct(_) | Ty::Array { .. }) => Value::Many(parts),
            _ => self.refuse_value(RefusalKind::Types { what: self.module().type_name(ty) }, ty),
        }
    }

    /// Counts a step of lifting. Returns whether the limit allows the step, and refuses the module if not.
    fn step(&mut self) -> bool {
        match self.shared.steps.checked_sub(1) {
            Some(left) => {
                self.shared.steps = left;
                true
            }
            None => {
                let what = format!("the shader has more than {MOST_STEPS} instructions, counting inlined calls");
                self.refuse(RefusalKind::Limit { what });
                false
            }
        }
    }
}

/// Converts a half-precision number to a float.
fn half_to_float(half: u16) -> f32 {
    let (sign, exponent, fraction) = (u32::from(half >> 15) << 31, u32::from(half >> 10 & 31), u32::from(half & 1023));
    match (exponent, fraction) {
        (0, _) => {
            let magnitude = f32::from(half & 1023) / 16_777_216.0;
            if sign == 0 { magnitude } else { -magnitude }
        }
        (31, _) => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

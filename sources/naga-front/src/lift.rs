//! Lifts naga's module to an SDLSHADERBC module.
//!
//! | file | contents |
//! |---|---|
//! | `lift.rs` | the functions of the module, the state of the function that is being lifted, and refusals |
//! | `types.rs` | the SDLSHADERBC types for naga's types, and their layout in memory |
//! | `interface.rs` | entry points: their inputs and outputs |
//! | `uniform.rs` | uniform variables: their layout, and reads |
//! | `memory.rs` | storage buffers and workgroup variables as inputs, reads of types in memory, and barriers |
//! | `storage_buffer.rs` | storage buffers: their layout, reads and writes |
//! | `image.rs` | storage textures |
//! | `variables.rs` | local and private variables, and pointers |
//! | `flow.rs` | statements: blocks, conditionals, loops, switches and jumps |
//! | `sequence.rs` | the rest of a block that may be skipped, if it would nest too deep |
//! | `written.rs` | the registers that a statement may write |
//! | `call.rs` | calls to generic functions, and inlined calls |
//! | `expression.rs` | expressions |
//! | `math.rs`, `bits.rs` | the functions of naga's `Math` expressions |
//! | `texture.rs` | samples and fetches |
//!
//! These files import each other, because the `impl` of [`Lifter`] is spread over them. This file declares the fields of
//! [`Lifter`]. Each other file contains the methods of one subject, and the types of the fields that belong to that subject.
//! [`sdlbc::lifting`] contains the code that does not depend on naga, such as the registers of variables.

mod atomic;
mod bits;
mod call;
mod expression;
mod flow;
mod image;
mod interface;
mod math;
mod memory;
mod sequence;
mod storage_buffer;
mod texture;
pub(crate) mod types;
mod uniform;
mod variables;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use naga::valid::GlobalUse;
use naga::{AddressSpace, EntryPoint, Expression, GlobalVariable, Handle, ShaderStage, Statement, Type as NagaType};
use sdlbc::builder::Finished;
use sdlbc::front::Stage;
use sdlbc::lifting::{Lifting, Slots, Value};
use sdlbc::{
    Builder, FunctionDebug, FunctionKind, FunctionOutput, Id, InputKind, Lines, Module, OutputKind, Signature,
    Source as DebugSource, Type, Unit,
};

use crate::parse::Parsed;
use crate::summary::{Summaries, each};
use sdlbc::front::{Assumption, Lifted, Lost, Refusal, RefusalKind, SourceOptions as Options};

use flow::{Open, Tail};
use memory::{Memories, MemoryInput};
use uniform::Uniform;
use variables::Place;

/// The maximum number of statements and expressions that are lifted, which bounds the code of functions that are inlined at many
/// calls.
const MOST_STEPS: u32 = 1_000_000;
const MOST_REFUSALS: usize = 100;

pub(crate) fn lift<'m>(parsed: &'m Parsed, text: &'m str, options: &Options) -> Result<Lifted, Vec<Refusal>> {
    let entries = choose(&parsed.module, options)?;
    let mut shared = Shared::new(parsed, text, &entries);
    for handle in reachable(parsed, &entries) {
        if shared.summaries.of(handle).callable {
            shared.generic(handle);
        }
    }
    for &(number, entry) in &entries {
        shared.entry(number, entry);
    }
    shared.finish(options)
}

/// Removes the entry points that are not lifted, so that overrides and variables that no other entry point uses are not checked.
pub(crate) fn keep_chosen(module: &mut naga::Module, options: &Options) -> Result<(), Vec<Refusal>> {
    let chosen: Vec<usize> = choose(module, options)?.into_iter().map(|(number, _)| number).collect();
    let mut numbers = 0..;
    module.entry_points.retain(|_| numbers.next().is_some_and(|number| chosen.contains(&number)));
    Ok(())
}

/// Returns the entry points to lift, each with its index: at most one for each stage, the vertex function first. A compute
/// function is chosen if the options name it or if there are no other entry points.
fn choose<'m>(module: &'m naga::Module, options: &Options) -> Result<Vec<(usize, &'m EntryPoint)>, Vec<Refusal>> {
    let stages = [
        (ShaderStage::Vertex, Some(Stage::Vertex)),
        (ShaderStage::Fragment, Some(Stage::Fragment)),
        (ShaderStage::Compute, None),
    ];
    let refuse = |kind| Err(vec![Refusal::new(kind, None)]);
    let mut chosen = Vec::new();
    for (stage, own) in stages {
        if stage == ShaderStage::Compute && options.entries.is_empty() && !chosen.is_empty() {
            continue;
        }
        let is_wanted = |(_, entry): &(usize, &EntryPoint)| {
            entry.stage == stage
                && options.stage.is_none_or(|wanted| Some(wanted) == own)
                && (options.entries.is_empty() || options.entries.contains(&entry.name))
        };
        let found: Vec<_> = module.entry_points.iter().enumerate().filter(is_wanted).collect();
        if found.len() > 1 {
            let names = found.iter().map(|(_, entry)| entry.name.clone()).collect();
            return refuse(RefusalKind::SeveralEntries { names });
        }
        chosen.extend(found);
    }
    let has = |name: &&String| chosen.iter().any(|(_, entry)| entry.name == **name);
    match options.entries.iter().find(|name| !has(name)) {
        Some(name) => refuse(RefusalKind::NoEntry { name: name.clone() }),
        None if chosen.is_empty() => refuse(RefusalKind::NoEntry { name: String::new() }),
        None => Ok(chosen),
    }
}

/// Returns the functions that entry points call directly or through other functions, in the order of the module.
fn reachable(parsed: &Parsed, entries: &[(usize, &EntryPoint)]) -> BTreeSet<Handle<naga::Function>> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&naga::Function> = entries.iter().map(|(_, entry)| &entry.function).collect();
    while let Some(function) = open.pop() {
        each(&function.body, &mut |statement| {
            if let Statement::Call { function, .. } = *statement
                && reached.insert(function)
            {
                open.push(&parsed.module.functions[function]);
            }
        });
    }
    reached
}

/// The state that all functions of the module share while they are lifted.
struct Shared<'m> {
    module: &'m naga::Module,
    info: &'m naga::valid::ModuleInfo,
    summaries: Summaries,
    /// The number of scalars, vectors and matrix columns in each type.
    leaves: Vec<u64>,
    /// For each type, the scalar or vector that is the type's element in memory.
    elements: Vec<Option<types::Element>>,
    /// The source code.
    text: &'m str,
    /// The byte offset of each line of the source.
    lines: Vec<usize>,
    /// The texture and the sampler of each slot; the sampler is `None` if the shader only fetches from the texture.
    textures: Vec<(Handle<GlobalVariable>, Option<Handle<GlobalVariable>>)>,
    texture_names: Vec<String>,
    /// The names of uniforms and textures, which are unique in the module.
    names: BTreeSet<String>,
    functions: BTreeSet<String>,
    /// The layout of each uniform variable, or `None` if the variable was refused.
    uniforms: BTreeMap<Handle<GlobalVariable>, Option<Uniform>>,
    /// The storage buffers, storage textures and workgroup variables.
    memories: Memories,
    /// The index of each generic function in the module.
    numbers: BTreeMap<Handle<naga::Function>, u32>,
    signatures: Vec<Signature>,
    finished: Vec<Finished>,
    refusals: Vec<Refusal>,
    assumptions: BTreeSet<Assumption>,
    lost: Vec<Lost>,
    /// The number of statements and expressions that may still be lifted.
    steps: u32,
}

impl<'m> Shared<'m> {
    fn new(parsed: &'m Parsed, text: &'m str, entries: &[(usize, &EntryPoint)]) -> Shared<'m> {
        let starts = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let lines = if text.is_empty() { Vec::new() } else { std::iter::once(0).chain(starts).collect() };
        let mut shared = Shared {
            module: &parsed.module,
            info: &parsed.info,
            summaries: Summaries::new(&parsed.module),
            leaves: types::leaves(&parsed.module),
            elements: types::elements(&parsed.module),
            text,
            lines,
            textures: texture::slots(parsed, entries),
            texture_names: Vec::new(),
            names: BTreeSet::new(),
            functions: entries.iter().map(|(_, entry)| entry_name(entry).to_string()).collect(),
            uniforms: BTreeMap::new(),
            memories: Memories::new(),
            numbers: BTreeMap::new(),
            signatures: Vec::new(),
            finished: Vec::new(),
            refusals: Vec::new(),
            assumptions: BTreeSet::new(),
            lost: Vec::new(),
            steps: MOST_STEPS,
        };
        shared.check_variables(parsed, entries);
        for slot in 0..shared.textures.len() {
            let name = shared.texture_name(slot);
            let name = shared.unique(&name);
            shared.texture_names.push(name);
        }
        shared
    }

    /// Refuses unsupported kinds of variables, and determines the layout of uniforms and memory.
    fn check_variables(&mut self, parsed: &Parsed, entries: &[(usize, &EntryPoint)]) {
        for (handle, variable) in parsed.module.global_variables.iter() {
            let (mut used, mut is_drawn_with) = (GlobalUse::empty(), false);
            for &(number, entry) in entries {
                let uses = parsed.info.get_entry_point(number)[handle];
                used |= uses;
                is_drawn_with |= !uses.is_empty() && entry.stage != ShaderStage::Compute;
            }
            if used.is_empty() {
                continue;
            }
            let what = match variable.space {
                AddressSpace::Uniform => {
                    let uniform = self.lay_out(handle);
                    self.uniforms.insert(handle, uniform);
                    continue;
                }
                AddressSpace::WorkGroup if is_drawn_with => "workgroup variables of vertex and fragment functions",
                AddressSpace::Storage { .. } | AddressSpace::WorkGroup => {
                    let memory = self.lay_out_memory(handle);
                    self.memories.insert(handle, memory);
                    continue;
                }
                AddressSpace::Private => continue,
                AddressSpace::Handle => {
                    self.lay_out_image(handle, used);
                    continue;
                }
                AddressSpace::Immediate => "immediate data (push constants)",
                _ => "variables of this address space",
            };
            let name = variable.name.clone().unwrap_or_default();
            self.refuse(
                RefusalKind::Variable { name, what: what.to_string() },
                self.module.global_variables.get_span(handle),
            );
        }
    }

    fn refuse(&mut self, kind: RefusalKind, span: naga::Span) {
        let refusal = Refusal::new(kind, span.to_range());
        if self.refusals.len() < MOST_REFUSALS && !self.refusals.contains(&refusal) {
            self.refusals.push(refusal);
        }
    }

    /// Returns the byte range of the first occurrence of a word in the source at or after `from`.
    fn word(&self, word: &str, from: usize) -> Option<std::ops::Range<usize>> {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let mut found = self.text.match_indices(word).filter(|&(at, _)| at >= from && !word.is_empty());
        let (at, _) = found.find(|&(at, _)| {
            let before = self.text.get(..at).and_then(|before| before.chars().next_back());
            let after = self.text.get(at + word.len()..).and_then(|after| after.chars().next());
            !before.is_some_and(is_part) && !after.is_some_and(is_part)
        })?;
        Some(at..at + word.len())
    }

    /// Returns the line of a source location, counted from 1, or 0 if the line is unknown.
    fn line(&self, span: naga::Span) -> u32 {
        let Some(bytes) = span.to_range() else { return 0 };
        u32::try_from(self.lines.partition_point(|&start| start <= bytes.start)).unwrap_or(0)
    }

    fn unique(&mut self, name: &str) -> String {
        unique(&mut self.names, name)
    }

    fn generic(&mut self, handle: Handle<naga::Function>) {
        let function = &self.module.functions[handle];
        let info = &self.info[handle];
        let name = function.name.as_deref().and_then(|name| name.split('(').next()).unwrap_or_default();
        let name = if name.is_empty() { String::new() } else { unique(&mut self.functions, name) };
        let mut lifter = Lifter::new(self, FunctionKind::Generic, &name);
        let arguments = function.arguments.iter().enumerate().map(|(number, argument)| {
            let ty = types::value(&lifter.shared.module.types[argument.ty].inner).unwrap_or(Type::FLOAT);
            let name = argument.name.clone().unwrap_or_else(|| format!("argument{number}"));
            let name = lifter.lifting.input_name(&name);
            Value::One(lifter.lifting.builder.input(name, ty, InputKind::Parameter))
        });
        let arguments = arguments.collect();
        if let Some(result) = &function.result {
            let ty = types::value(&lifter.shared.module.types[result.ty].inner).unwrap_or(Type::FLOAT);
            lifter.lifting.builder.output(FunctionOutput { ty, name: String::new(), kind: OutputKind::Returned });
        }
        let tail = if function.result.is_none() { Tail::Return } else { Tail::No };
        lifter.run(function, info, arguments, tail);
        let number = u32::try_from(self.finished.len()).unwrap_or(u32::MAX);
        self.numbers.insert(handle, number.wrapping_sub(1));
    }

    fn add(&mut self, builder: Builder) {
        match builder.finish_with_lines() {
            Ok(finished) => {
                self.signatures.push(finished.function.signature());
                self.finished.push(finished);
            }
            // The lifter emits valid code unless it has refused a construct, so an error without a refusal is internal.
            Err(error) => {
                self.signatures.push(sdlbc::Function::default().signature());
                self.finished.push(Finished::default());
                if self.refusals.is_empty() {
                    self.refuse(RefusalKind::Internal { message: error.to_string() }, naga::Span::UNDEFINED);
                }
            }
        }
    }

    /// Returns the refusal for a rule that the lifted module violates. The source exceeds a limit, the source is invalid, or the
    /// lifter has a fault.
    fn violation(&self, violation: &sdlbc::Violation, lines: &[Vec<u32>]) -> Refusal {
        use sdlbc::Rule;
        let is_limit = matches!(
            violation.rule,
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
                | Rule::WrittenMemory
        );
        let message = violation.message();
        let kind = match is_limit {
            true => RefusalKind::Limit { what: message },
            false => RefusalKind::Internal { message: violation.to_string() },
        };
        let numbers = violation.function.and_then(|function| lines.get(function));
        let line = numbers.zip(violation.instruction).and_then(|(numbers, at)| numbers.get(at)).copied();
        let line = line.and_then(|line| usize::try_from(line).ok()?.checked_sub(1));
        let start = line.and_then(|line| self.lines.get(line)).copied();
        let bytes = start.map(|start| {
            let text = self.text.get(start..).unwrap_or_default().lines().next().unwrap_or_default();
            start + (text.len() - text.trim_start().len())..start + text.len()
        });
        Refusal::new(kind, bytes)
    }

    /// Returns the verified module with its debug table.
    fn finish(mut self, options: &Options) -> Result<Lifted, Vec<Refusal>> {
        let mut module = Module::default();
        let has_lines = !options.file.is_empty() && !self.lines.is_empty();
        if has_lines {
            let text = self.text.to_string();
            module.debug.sources.push(DebugSource { file: options.file.clone(), text, unit: Unit::Line });
        }
        let mut all_lines = Vec::new();
        for (finished, number) in std::mem::take(&mut self.finished).into_iter().zip(0..) {
            let Finished { function, names, members, bindings, lines } = finished;
            all_lines.push(lines.clone());
            let lines = has_lines.then_some(Lines { source: 0, numbers: lines });
            let debug =
                FunctionDebug { function: number, ids: names, members, bindings, lines, ..FunctionDebug::default() };
            module.functions.push(function);
            if !debug.is_empty() {
                module.debug.functions.push(debug);
            }
        }
        if !self.refusals.is_empty() {
            self.refusals.sort_by_key(|refusal| refusal.bytes.as_ref().map_or(usize::MAX, |bytes| bytes.start));
            return Err(self.refusals);
        }
        let left_out = sdlbc::fit(&mut module);
        match sdlbc::verify(&module) {
            Ok(()) => {
                let Shared { assumptions, lost, .. } = self;
                Ok(Lifted { module, left_out, assumptions, lost, ..Lifted::default() })
            }
            Err(violations) => {
                let refusal = |violation: &_| self.violation(violation, &all_lines);
                let mut refusals: Vec<Refusal> = violations.iter().take(MOST_REFUSALS).map(refusal).collect();
                refusals.dedup();
                Err(refusals)
            }
        }
    }
}

/// Returns the name of an entry point.
fn entry_name(entry: &EntryPoint) -> &str {
    if entry.name.is_empty() { "main" } else { &entry.name }
}

/// Adds a name to the names in use and returns the name, with a number appended if the name was already in use.
fn unique(taken: &mut BTreeSet<String>, name: &str) -> String {
    let name = if name.is_empty() { "unnamed" } else { name };
    let mut unique = name.to_string();
    let mut number = 1;
    while !taken.insert(unique.clone()) {
        number += 1;
        unique = format!("{name}_{number}");
    }
    unique
}

/// A naga function whose statements are being lifted, either as a function of the module or inlined.
struct Frame<'m> {
    function: &'m naga::Function,
    info: &'m naga::valid::FunctionInfo,
    arguments: Vec<Argument>,
    /// For each local variable, its index in [`Lifting`].
    locals: Vec<Option<usize>>,
    /// The value of each expression that has been computed.
    values: Vec<Option<Value>>,
    /// For an inlined function, the variable that receives the result, and the register that becomes true when the function
    /// returns.
    inlined: Option<(Option<usize>, usize)>,
    /// The loops and switches of the function whose bodies are being lifted, outermost first.
    open: Vec<Open>,
}

/// An argument of a function.
enum Argument {
    Value(Value),
    /// A pointer, as the argument of an inlined function.
    Place(Place),
    /// A texture or a sampler, as the argument of an inlined function.
    Resource(Handle<GlobalVariable>),
}

/// The state for lifting a single function.
struct Lifter<'a, 'm> {
    shared: &'a mut Shared<'m>,
    kind: FunctionKind,
    /// The function's name in the module.
    name: String,
    lifting: Lifting,
    /// The private variables that the function uses, with their indices in [`Lifting`].
    privates: BTreeMap<Handle<GlobalVariable>, usize>,
    /// The storage buffers and workgroup variables that the function uses, with their inputs.
    memory: BTreeMap<Handle<GlobalVariable>, MemoryInput>,
    frames: Vec<Frame<'m>>,
    /// The uniform arrays whose members have already been added.
    with_members: BTreeSet<Id>,
    /// The slots of each constant array that the source indexes with a computed value.
    tables: BTreeMap<Handle<naga::Constant>, Slots>,
    /// The outputs of an entry point, in the order of the parts of its result.
    outputs: Vec<interface::Output>,
    output_names: BTreeSet<String>,
    /// The register that becomes true when the invocation is discarded, or `None` if discards are not deferred.
    discarded: Option<usize>,
    /// Whether derivatives may follow the current statement.
    quad_follows: bool,
}

impl<'a, 'm> Lifter<'a, 'm> {
    fn new(shared: &'a mut Shared<'m>, kind: FunctionKind, name: &str) -> Lifter<'a, 'm> {
        let builder = Builder::new(kind, name).with_signatures(shared.signatures.clone());
        Lifter {
            lifting: Lifting::new(builder, shared.names.clone()),
            shared,
            kind,
            name: name.to_string(),
            privates: BTreeMap::new(),
            memory: BTreeMap::new(),
            frames: Vec::new(),
            with_members: BTreeSet::new(),
            tables: BTreeMap::new(),
            outputs: Vec::new(),
            output_names: BTreeSet::new(),
            discarded: None,
            quad_follows: false,
        }
    }

    fn run(
        mut self,
        function: &'m naga::Function,
        info: &'m naga::valid::FunctionInfo,
        arguments: Vec<Value>,
        tail: Tail,
    ) {
        let summary = self.shared.summaries.summarise(self.shared.module, function);
        if summary.kills && summary.quad && self.kind == FunctionKind::Fragment {
            let discarded = self.lifting.flag();
            self.discarded = Some(discarded);
        }
        for handle in summary.private {
            self.declare_private(handle);
        }
        self.enter(function, info, arguments.into_iter().map(Argument::Value).collect(), None);
        if self.block(&function.body, tail) && self.kind != FunctionKind::Generic {
            self.end_entry(None, tail);
        }
        let Lifter { shared, lifting, .. } = self;
        // A mismatch is a consequence of an earlier refusal, or a fault of the lifter.
        if lifting.is_mismatched() && shared.refusals.is_empty() {
            let message = "a stored value does not fit its variable".to_string();
            shared.refuse(RefusalKind::Internal { message }, naga::Span::UNDEFINED);
        }
        shared.add(lifting.builder);
    }

    /// Enters a naga function, whose statements are lifted next.
    fn enter(
        &mut self,
        function: &'m naga::Function,
        info: &'m naga::valid::FunctionInfo,
        arguments: Vec<Argument>,
        inlined: Option<(Option<usize>, usize)>,
    ) {
        self.frames.push(Frame {
            function,
            info,
            arguments,
            locals: vec![None; function.local_variables.len()],
            values: vec![None; function.expressions.len()],
            inlined,
            open: Vec::new(),
        });
        for (handle, _) in function.local_variables.iter() {
            self.declare_local(handle);
        }
    }

    fn frame(&self) -> Option<&Frame<'m>> {
        self.frames.last()
    }

    fn function(&self) -> Option<&'m naga::Function> {
        self.frames.last().map(|frame| frame.function)
    }

    /// Returns the result variable of an inlined function, and the register that becomes true when the function returns.
    fn inlined(&self) -> Option<(Option<usize>, usize)> {
        self.frame()?.inlined
    }

    fn expression(&self, handle: Handle<Expression>) -> Option<&'m Expression> {
        self.function()?.expressions.try_get(handle).ok()
    }

    fn naga_type(&self, handle: Handle<Expression>) -> Option<&'m naga::TypeInner> {
        let info = self.frames.last()?.info;
        Some(info[handle].ty.inner_with(&self.shared.module.types))
    }

    fn inner(&self, ty: Handle<NagaType>) -> &'m naga::TypeInner {
        &self.shared.module.types[ty].inner
    }

    fn span(&self, handle: Handle<Expression>) -> naga::Span {
        self.function().map_or(naga::Span::UNDEFINED, |function| function.expressions.get_span(handle))
    }

    /// Refuses an expression and returns a zero of the expression's type.
    fn refuse(&mut self, kind: RefusalKind, handle: Handle<Expression>) -> Value {
        let span = self.span(handle);
        self.shared.refuse(kind, span);
        let ty = self.naga_type(handle).and_then(types::value).unwrap_or(Type::FLOAT);
        Value::One(self.lifting.zero(ty))
    }

    fn refuse_operation(&mut self, name: &str, handle: Handle<Expression>) -> Value {
        self.refuse(RefusalKind::Operation { name: name.to_string() }, handle)
    }

    /// Counts a statement or expression, and reports whether the total is still within the limit.
    fn step(&mut self, span: naga::Span) -> bool {
        match self.shared.steps.checked_sub(1) {
            Some(left) => {
                self.shared.steps = left;
                true
            }
            None => {
                let what =
                    format!("the shader has more than {MOST_STEPS} statements and expressions, counting inlined calls");
                self.shared.refuse(RefusalKind::Limit { what }, span);
                false
            }
        }
    }
}

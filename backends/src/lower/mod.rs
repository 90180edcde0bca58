//! Lowering: translates a module of the IR to a naga module, with an entry point for each vertex and fragment function.
//!
//! This file lowers everything around the code: types, arguments, results. The code is lowered in `function.rs`, control
//! flow in `control.rs`, and resources with their bindings in `places.rs`.

mod compute;
mod control;
mod function;
mod memory;
mod places;
mod rules;

pub(crate) use function::returns_after_discard;

use std::collections::{HashMap, HashSet};

use naga::{
    AddressSpace, ArraySize, Binding, BuiltIn, EntryPoint, Expression, FunctionArgument, FunctionResult,
    GlobalVariable, Handle, ResourceBinding, ShaderStage, Span, StructMember, TypeInner, VectorSize,
};
use sdlbc::{
    Builtin, Function, FunctionKind, FunctionOutput, Id, Input, InputKind, Interpolation, Module, OutputKind, Scalar,
    Type,
};

use crate::clip::Clip;
use crate::gone::watched;
use crate::names::{Names, Scope};
use crate::neighbours::may_diverge;
use crate::reached::{has_endless_loop, without_unreachable};
use crate::words::Language;
use crate::{Error, Glsl, Target};

/// A naga module that naga has validated, and the information that its writers need.
#[derive(Debug)]
pub(crate) struct Lowered {
    pub(crate) module: naga::Module,
    pub(crate) info: naga::valid::ModuleInfo,
    /// The names for the labels that the module has in place of names.
    pub(crate) names: Names,
    /// The names of the entry points in the source module.
    pub(crate) entries: Vec<String>,
    /// Bindings for GLSL: a block's binding point, a texture's unit.
    pub(crate) bindings: Vec<(ResourceBinding, u8)>,
    /// The value that is returned after a discard, by function, in targets where a discard does not end the invocation.
    pub(crate) zeroes: HashMap<Body, Option<Handle<Expression>>>,
    /// Whether WGSL must turn off its uniformity diagnostic.
    pub(crate) diverges: bool,
}

/// A function of a naga module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Body {
    /// An entry point, by its index.
    Entry(usize),
    /// A called function.
    Function(Handle<naga::Function>),
}

impl Body {
    /// Returns the function.
    pub(crate) fn of(self, module: &mut naga::Module) -> &mut naga::Function {
        match self {
            Body::Entry(index) => &mut module.entry_points[index].function,
            Body::Function(handle) => &mut module.functions[handle],
        }
    }
}

/// Lowers a module for a target; if `stage` is given, only the code of that stage.
pub(crate) fn lower(
    module: &Module,
    target: Target,
    layout: &crate::Layout,
    stage: Option<FunctionKind>,
) -> Result<Lowered, Error> {
    sdlbc::verify(module).map_err(Error::Invalid)?;
    if module.functions.iter().all(|function| function.kind == FunctionKind::Generic) {
        return Err(Error::Unsupported { what: "a module without a vertex or fragment function".into(), target });
    }
    let source = &without_unreachable(module);
    if target.refuses_endless_loops() && source.functions.iter().any(|function| has_endless_loop(&function.body)) {
        return Err(Error::Unsupported { what: "a loop without an exit".into(), target });
    }
    let mut lowering = Lowering {
        target,
        clip: Clip::new(target, layout),
        source,
        module: naga::Module::default(),
        names: Names::new(Language::of(target)),
        units: if matches!(target, Target::Glsl(_)) { places::vertex_units(source) } else { HashMap::new() },
        entries: Vec::new(),
        bindings: Vec::new(),
        uniforms: HashMap::new(),
        shared: HashMap::new(),
        generics: HashMap::new(),
        zeroes: HashMap::new(),
        watched: if target.goes_on_after_discard() { watched(source) } else { HashSet::new() },
        discarded: None,
    };
    let entries = source.functions.iter().enumerate().filter(|(_, function)| function.kind != FunctionKind::Generic);
    // Names of entry points take precedence over all others, so they get the first labels.
    let entries: Vec<(usize, &Function, String)> = entries
        .map(|(index, function)| (index, function, lowering.names.label(Scope::Module, &function.name)))
        .collect();
    if !lowering.watched.is_empty() {
        lowering.discarded = Some(lowering.flag("discarded"));
    }
    for (index, function, label) in entries {
        lowering.entry_point(index, label, stage.is_none_or(|stage| stage == function.kind))?;
    }
    let Lowering { module, names, entries, bindings, zeroes, .. } = lowering;
    let info = validate(&module)?;
    let diverges = target == Target::Wgsl && may_diverge(source);
    Ok(Lowered { module, info, names, entries, bindings, zeroes, diverges })
}

/// Validates the module with naga. Derivatives in non-uniform control flow are undefined in the IR and not an error, so that
/// check is off.
fn validate(module: &naga::Module) -> Result<naga::valid::ModuleInfo, Error> {
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    let flags = ValidationFlags::all() - ValidationFlags::CONTROL_FLOW_UNIFORMITY;
    let result = Validator::new(flags, Capabilities::SHADER_FLOAT16).validate(module);
    result.map_err(|error| Error::Internal(describe(error.as_inner())))
}

/// Returns an error's message and those of its causes on one line.
pub(crate) fn describe(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text += ": ";
        text += &cause.to_string();
        source = cause.source();
    }
    text
}

/// An input of a function in naga's terms.
#[derive(Clone, Copy, Debug)]
enum LoweredInput {
    Argument(u32),
    Uniform(Handle<GlobalVariable>),
    Texture(Handle<GlobalVariable>, Handle<GlobalVariable>),
    /// A local array; the lowering of the code declares its variable.
    Local,
}

/// Identifies a resource that several functions share: its stage, and its slot or name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Resource {
    Texture(ShaderStage, u32),
    Uniform(ShaderStage, String),
}

struct Lowering<'m> {
    target: Target,
    clip: Clip,
    source: &'m Module,
    module: naga::Module,
    names: Names,
    /// The vertex stage's texture units in GLSL, by slot.
    units: HashMap<u32, u8>,
    entries: Vec<String>,
    bindings: Vec<(ResourceBinding, u8)>,
    /// The number of uniforms of each stage.
    uniforms: HashMap<ShaderStage, u32>,
    /// The resources that functions share.
    shared: HashMap<Resource, LoweredInput>,
    /// Called functions, with the stage if they use its resources.
    generics: HashMap<(usize, Option<ShaderStage>), Handle<naga::Function>>,
    zeroes: HashMap<Body, Option<Handle<Expression>>>,
    /// The functions after whose calls the caller checks whether the fragment was discarded, and the flag that records it.
    watched: HashSet<usize>,
    discarded: Option<Handle<GlobalVariable>>,
}

impl<'m> Lowering<'m> {
    fn unsupported<T>(&self, what: impl Into<String>) -> Result<T, Error> {
        Err(Error::Unsupported { what: what.into(), target: self.target })
    }

    /// Lowers an entry point and the functions that it calls; without `code`, only the resources shared with the other stage.
    fn entry_point(&mut self, index: usize, label: String, code: bool) -> Result<(), Error> {
        let Some(function) = self.source.functions.get(index) else { return Ok(()) };
        let stage = match function.kind {
            FunctionKind::Vertex => ShaderStage::Vertex,
            _ => ShaderStage::Fragment,
        };
        // The first bindings are the entry point's own.
        let inputs = self.resources(function, stage)?;
        let mut calls = HashMap::new();
        let mut bound = HashSet::new();
        for callee in sdlbc::call_order(self.source, index) {
            if code {
                calls.insert(callee, self.generic(callee, stage, &calls, &mut bound)?);
            } else if let Some(function) = self.source.functions.get(callee) {
                self.resources(function, stage)?;
            }
        }
        let mut builder = FunctionBuilder::new(label, self.names.function(), stage, inputs);
        let located = |input: &&Input| matches!(input.kind, InputKind::Attribute { .. } | InputKind::Varying { .. });
        for input in function.inputs.iter().filter(located) {
            builder.argument(input, &mut self.names);
        }
        for input in &function.inputs {
            self.input(input, &mut builder)?;
        }
        builder.code.result = self.outputs(function, &builder)?;
        if !code {
            return Ok(());
        }
        let zero = function::lower(self, index, &mut builder, &calls)?;
        if let Some(zero) = zero {
            self.zeroes.insert(Body::Entry(self.module.entry_points.len()), zero);
        }
        self.entries.push(function.name.clone());
        self.module.entry_points.push(EntryPoint {
            name: builder.label,
            stage,
            early_depth_test: None,
            workgroup_size: [0; 3],
            workgroup_size_overrides: None,
            function: builder.code,
            mesh_info: None,
            task_payload: None,
            incoming_ray_payload: None,
        });
        Ok(())
    }

    /// Lowers a called function. `bound` collects the functions that use resources, directly or through calls.
    fn generic(
        &mut self,
        index: usize,
        stage: ShaderStage,
        calls: &HashMap<usize, Handle<naga::Function>>,
        bound: &mut HashSet<usize>,
    ) -> Result<Handle<naga::Function>, Error> {
        let Some(function) = self.source.functions.get(index) else {
            return Err(Error::Internal(format!("function {index} is called but does not exist")));
        };
        if function.inputs.iter().any(is_resource)
            || sdlbc::flow::calls(&function.body).iter().any(|callee| bound.contains(callee))
        {
            bound.insert(index);
        }
        let key = (index, bound.contains(&index).then_some(stage));
        if let Some(&handle) = self.generics.get(&key) {
            return Ok(handle);
        }
        let inputs = self.resources(function, stage)?;
        let debug = self.source.debug_of(index).map_or("", |debug| debug.name.as_str());
        let name = [function.name.as_str(), debug].into_iter().find(|name| !name.is_empty()).unwrap_or("function");
        let label = self.names.label(Scope::Module, name);
        let mut builder = FunctionBuilder::new(label.clone(), self.names.function(), stage, inputs);
        builder.code.name = Some(label);
        for input in &function.inputs {
            self.input(input, &mut builder)?;
        }
        if let Some(returned) = function.returned() {
            builder.code.result = Some(FunctionResult { ty: self.ty(returned.ty)?, binding: None });
        }
        let zero = function::lower(self, index, &mut builder, calls)?;
        let handle = self.module.functions.append(builder.code, Span::UNDEFINED);
        if let Some(zero) = zero {
            self.zeroes.insert(Body::Function(handle), zero);
        }
        self.generics.insert(key, handle);
        Ok(handle)
    }

    /// Adds an input to a function.
    fn input(&mut self, input: &Input, builder: &mut FunctionBuilder) -> Result<(), Error> {
        let place = match input.kind {
            _ if is_resource(input) => return Ok(()),
            InputKind::Local => LoweredInput::Local,
            _ => {
                let binding = match input.kind {
                    InputKind::Parameter => None,
                    _ => Some(self.input_binding(input)?),
                };
                let label = builder.argument(input, &mut self.names);
                if let Some(Binding::Location { location, .. }) = binding {
                    let from = if builder.stage == ShaderStage::Vertex { "p2vs" } else { "vs2fs" };
                    self.names.variable(builder.stage, format_args!("_{from}_location{location}"), &label);
                }
                let ty = self.ty(input.ty)?;
                builder.code.arguments.push(FunctionArgument { name: Some(label), ty, binding });
                LoweredInput::Argument(builder.code.arguments.len() as u32 - 1)
            }
        };
        builder.inputs.insert(input.id, place);
        Ok(())
    }

    /// Returns the result of an entry point: one value, or a structure of them in the order of the outputs.
    fn outputs(&mut self, function: &Function, builder: &FunctionBuilder) -> Result<Option<FunctionResult>, Error> {
        let mut members = Vec::new();
        let scope = self.names.members();
        let mut offset = 0;
        for output in &function.outputs {
            let binding = self.output_binding(output)?;
            if let (Binding::Location { location, .. }, Target::Glsl(_)) = (&binding, self.target) {
                // GLSL has a variable for each output with a location. The position and the depth use built-in variables.
                let to = if builder.stage == ShaderStage::Vertex { "vs2fs" } else { "fs2p" };
                let label = self.names.label(builder.scope, &output.name);
                self.names.variable(builder.stage, format_args!("_{to}_location{location}"), &label);
            }
            let ty = self.ty(output.ty)?;
            let name = Some(self.names.label(scope, &output.name));
            members.push(StructMember { name, ty, binding: Some(binding), offset });
            offset += 16;
        }
        if members.len() <= 1 {
            return Ok(members.pop().map(|member| FunctionResult { ty: member.ty, binding: member.binding }));
        }
        let name = if builder.stage == ShaderStage::Vertex { "Varyings" } else { "Targets" };
        let name = Some(self.names.label(Scope::Module, name));
        let inner = TypeInner::Struct { members, span: offset };
        let ty = self.module.types.insert(naga::Type { name, inner }, Span::UNDEFINED);
        Ok(Some(FunctionResult { ty, binding: None }))
    }

    /// Adds a private bool, initially false.
    fn flag(&mut self, name: &str) -> Handle<GlobalVariable> {
        let variable = GlobalVariable {
            name: Some(self.names.label(Scope::Module, name)),
            space: AddressSpace::Private,
            binding: None,
            ty: self.insert(TypeInner::Scalar(naga::Scalar::BOOL)),
            init: None,
            memory_decorations: naga::MemoryDecorations::empty(),
        };
        self.module.global_variables.append(variable, Span::UNDEFINED)
    }

    /// Returns the binding of a varying, in either stage.
    fn varying(&self, location: u32, interpolation: Interpolation) -> Result<Binding, Error> {
        if interpolation == Interpolation::Linear && self.target == Target::Glsl(Glsl::Es300) {
            return self.unsupported("a `linear` varying");
        }
        Ok(location_binding(location, Some(interpolation)))
    }

    fn input_binding(&self, input: &Input) -> Result<Binding, Error> {
        Ok(match input.kind {
            InputKind::Attribute { location } => location_binding(location, None),
            InputKind::Varying { location, interpolation } => self.varying(location, interpolation)?,
            InputKind::Builtin(builtin) => Binding::BuiltIn(match builtin {
                Builtin::VertexIndex => BuiltIn::VertexIndex,
                Builtin::InstanceIndex => BuiltIn::InstanceIndex,
                Builtin::FragmentCoordinate => BuiltIn::Position { invariant: false },
                Builtin::FrontFacing => BuiltIn::FrontFacing,
                Builtin::PointCoordinate if matches!(self.target, Target::Wgsl | Target::Hlsl(_)) => {
                    return self.unsupported("the point coordinate");
                }
                Builtin::PointCoordinate => BuiltIn::PointCoord,
            }),
            _ => return self.unsupported(format!("the input `{}`", input.name)),
        })
    }

    fn output_binding(&self, output: &FunctionOutput) -> Result<Binding, Error> {
        Ok(match output.kind {
            OutputKind::Position => Binding::BuiltIn(BuiltIn::Position { invariant: false }),
            OutputKind::Varying { location, interpolation } => self.varying(location, interpolation)?,
            OutputKind::Colour { target } => location_binding(target, None),
            OutputKind::Depth => Binding::BuiltIn(BuiltIn::FragDepth),
            OutputKind::PointSize if matches!(self.target, Target::Wgsl | Target::Hlsl(_)) => return self.unsupported("a point size"),
            OutputKind::PointSize => Binding::BuiltIn(BuiltIn::PointSize),
            OutputKind::Returned => return self.unsupported("a returned value of an entry point"),
        })
    }

    fn insert(&mut self, inner: TypeInner) -> Handle<naga::Type> {
        self.module.types.insert(naga::Type { name: None, inner }, Span::UNDEFINED)
    }

    /// Returns the naga type of a value.
    fn ty(&mut self, ty: Type) -> Result<Handle<naga::Type>, Error> {
        let inner = match ty {
            Type::Vector(scalar, width) => match vector_size(width) {
                None => TypeInner::Scalar(self.scalar(scalar)?),
                Some(size) => TypeInner::Vector { size, scalar: self.scalar(scalar)? },
            },
            Type::Matrix { columns, rows } => match (vector_size(columns), vector_size(rows)) {
                (Some(columns), Some(rows)) => TypeInner::Matrix { columns, rows, scalar: naga::Scalar::F32 },
                _ => return self.unsupported(format!("the type {ty}")),
            },
            _ => return self.unsupported(format!("a value of type {ty}")),
        };
        Ok(self.insert(inner))
    }

    /// Returns the naga type of a uniform. Array elements have a stride of 16 bytes and four components each.
    fn uniform_ty(&mut self, ty: Type, vertex: bool) -> Result<Handle<naga::Type>, Error> {
        match ty {
            Type::Array(scalar @ (Scalar::Float | Scalar::Int | Scalar::Uint), _, length) => {
                let base = self.ty(Type::Vector(scalar, 4))?;
                let size = std::num::NonZeroU32::new(length).map_or(ArraySize::Dynamic, ArraySize::Constant);
                // Only GLSL shows the name, as that of the block.
                let name = if vertex { "VertexConstants" } else { "FragmentConstants" };
                let name = matches!(self.target, Target::Glsl(_)).then(|| self.names.label(Scope::Module, name));
                let inner = TypeInner::Array { base, size, stride: 16 };
                Ok(self.module.types.insert(naga::Type { name, inner }, Span::UNDEFINED))
            }
            Type::Array(..) => self.unsupported(format!("a uniform of type {ty}")),
            ty => self.ty(ty),
        }
    }

    /// Returns the naga type of a local array; for an array of one element, that of the element.
    fn local_ty(&mut self, ty: Type) -> Result<Handle<naga::Type>, Error> {
        let Type::Array(scalar, width, length) = ty else { return self.ty(ty) };
        let base = self.ty(Type::Vector(scalar, width))?;
        let Some(size) = std::num::NonZeroU32::new(length).filter(|length| length.get() > 1) else { return Ok(base) };
        let bytes = u32::from(self.scalar(scalar)?.width);
        let stride = bytes * if width == 3 { 4 } else { u32::from(width) };
        Ok(self.insert(TypeInner::Array { base, size: ArraySize::Constant(size), stride }))
    }

    fn scalar(&self, scalar: Scalar) -> Result<naga::Scalar, Error> {
        Ok(match scalar {
            Scalar::Bool => naga::Scalar::BOOL,
            Scalar::Int => naga::Scalar::I32,
            Scalar::Uint => naga::Scalar::U32,
            Scalar::Float => naga::Scalar::F32,
            Scalar::Half if !self.target.has_halves() => return self.unsupported("half floats"),
            Scalar::Half => naga::Scalar::F16,
        })
    }
}

/// Whether an input is a global variable.
const fn is_resource(input: &Input) -> bool {
    matches!(input.kind, InputKind::Uniform | InputKind::Texture { .. })
}

/// A function that is being built: its label, its naga function, its inputs, and the labels of its arguments.
struct FunctionBuilder {
    label: String,
    code: naga::Function,
    inputs: HashMap<Id, LoweredInput>,
    scope: Scope,
    stage: ShaderStage,
    arguments: HashMap<Id, String>,
}

impl FunctionBuilder {
    /// Returns the label of an argument.
    fn argument(&mut self, input: &Input, names: &mut Names) -> String {
        self.arguments.entry(input.id).or_insert_with(|| names.label(self.scope, &input.name)).clone()
    }

    fn new(label: String, scope: Scope, stage: ShaderStage, inputs: HashMap<Id, LoweredInput>) -> FunctionBuilder {
        FunctionBuilder { label, code: naga::Function::default(), inputs, scope, stage, arguments: HashMap::new() }
    }
}

fn location_binding(location: u32, interpolation: Option<Interpolation>) -> Binding {
    Binding::Location {
        location,
        interpolation: interpolation.map(|interpolation| match interpolation {
            Interpolation::Perspective => naga::Interpolation::Perspective,
            Interpolation::Linear => naga::Interpolation::Linear,
            Interpolation::Flat => naga::Interpolation::Flat,
        }),
        sampling: interpolation.filter(|&i| i != Interpolation::Flat).map(|_| naga::Sampling::Center),
        blend_src: None,
        per_primitive: false,
    }
}

/// Returns the naga size of a vector; `None` for a scalar.
fn vector_size(width: u8) -> Option<VectorSize> {
    match width {
        2 => Some(VectorSize::Bi),
        3 => Some(VectorSize::Tri),
        4 => Some(VectorSize::Quad),
        _ => None,
    }
}

//! Lowering: a module of the IR becomes a naga module, one entry point a function.
//!
//! This file holds what stands around the code: types, bindings, arguments, results. The code itself is in
//! `function.rs` and, where it branches, in `control.rs`. Bindings (group 0): the vertex stage's constants 0, the fragment stage's 1; the texture of the
//! fragment stage's slot n at 2 + 2n and its sampler behind it, of the vertex stage's at 130 + 2n.

mod control;
mod function;
mod rules;

use std::collections::HashSet;

use naga::{
    AddressSpace, ArraySize, Binding, BuiltIn, EntryPoint, FunctionArgument, FunctionResult, GlobalVariable, Handle,
    ImageClass, ImageDimension, ResourceBinding, ScalarKind, ShaderStage, Span, StructMember, TypeInner, VectorSize,
};
use sdlbc::{
    Builtin, Dimension, Function, FunctionKind, Id, Input, InputKind, Interpolation, Module, Output, OutputKind,
    Scalar, Type,
};

use crate::clip::Clip;
use crate::names::{Interface, Scope};
use crate::{Error, Target};

/// A naga module that naga has validated, and what its writers need to know.
#[derive(Debug)]
pub(crate) struct Lowered {
    pub(crate) module: naga::Module,
    pub(crate) info: naga::valid::ModuleInfo,
    /// How each resource and each location is called in GLSL, by naga's name for it.
    pub(crate) interface: Interface,
    /// Bindings for GLSL, where textures count from 0.
    pub(crate) bindings: Vec<(ResourceBinding, u8)>,
}

/// Lowers a module for a target.
pub(crate) fn lower(module: &Module, target: Target, options: &crate::Options) -> Result<Lowered, Error> {
    sdlbc::verify(module).map_err(Error::Invalid)?;
    let clip = Clip::new(target, options);
    let mut lowering = Lowering {
        target,
        clip,
        module: naga::Module::default(),
        interface: Interface::default(),
        bindings: Vec::new(),
        uniforms: HashSet::new(),
        globals: Scope::default(),
    };
    for (index, function) in module.functions.iter().enumerate() {
        lowering.entry_point(function, module.names_of(index))?;
    }
    let Lowering { module, interface, bindings, .. } = lowering;
    let mut validator =
        naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty());
    match validator.validate(&module) {
        Ok(info) => Ok(Lowered { module, info, interface, bindings }),
        Err(error) => Err(Error::Internal(describe(error.as_inner()))),
    }
}

/// An error with its causes, in one line.
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

/// What an input is in naga.
#[derive(Clone, Copy, Debug)]
enum Place {
    Argument(u32),
    Uniform(Handle<GlobalVariable>),
    Texture(Handle<GlobalVariable>, Handle<GlobalVariable>),
}

/// The first texture of the fragment stage; each takes two bindings, and there are at most [`sdlbc::limits::PLACES`].
const FRAGMENT_TEXTURES: u32 = 2;
/// The first texture of the vertex stage.
const VERTEX_TEXTURES: u32 = FRAGMENT_TEXTURES + 2 * sdlbc::limits::PLACES;
/// Behind all textures: uniforms beyond the first of a stage.
const FURTHER_UNIFORMS: u32 = VERTEX_TEXTURES + 2 * sdlbc::limits::PLACES;

struct Lowering {
    target: Target,
    clip: Clip,
    module: naga::Module,
    interface: Interface,
    bindings: Vec<(ResourceBinding, u8)>,
    /// The bindings of uniforms.
    uniforms: HashSet<u32>,
    /// Names of the module's own scope.
    globals: Scope,
}

impl Lowering {
    fn unsupported<T>(&self, what: impl Into<String>) -> Result<T, Error> {
        Err(Error::Unsupported { what: what.into(), target: self.target })
    }

    fn entry_point(&mut self, function: &Function, names: Option<&sdlbc::Names>) -> Result<(), Error> {
        let stage = match function.kind {
            FunctionKind::Vertex => ShaderStage::Vertex,
            FunctionKind::Fragment => ShaderStage::Fragment,
            FunctionKind::Generic => return self.unsupported("a function that is no entry point"),
        };
        let mut places = Vec::new();
        let mut code = naga::Function::default();
        // Names of the function: its arguments, then (in GLSL, where they are variables) its outputs.
        let mut scope = self.globals.clone();
        for input in &function.inputs {
            let place = match input.kind {
                InputKind::Uniform | InputKind::Texture { .. } => self.resource(input, stage)?,
                _ => {
                    let binding = self.input_binding(input)?;
                    if let Binding::Location { location, .. } = binding {
                        let from = if stage == ShaderStage::Vertex { "p2vs" } else { "vs2fs" };
                        self.interface.call(stage, format!("_{from}_location{location}"), &input.name);
                    }
                    let ty = self.ty(input.ty)?;
                    let name = scope.unique(&input.name);
                    code.arguments.push(FunctionArgument { name: Some(name), ty, binding: Some(binding) });
                    Place::Argument(code.arguments.len() as u32 - 1)
                }
            };
            places.push((input.id, place));
        }
        scope.reserve_all(self.globals.names());
        let outputs = self.outputs(function, stage)?;
        if matches!(self.target, Target::Glsl(_)) {
            // The position and the depth are written to built-in variables.
            let variables = function
                .outputs
                .iter()
                .filter(|output| matches!(output.kind, OutputKind::Varying { .. } | OutputKind::Colour { .. }));
            variables.for_each(|output| scope.reserve(&output.name));
        }
        code.result = outputs;
        function::lower(self, function, names, &mut code, &places, scope)?;
        self.module.entry_points.push(EntryPoint {
            name: function.name.clone(),
            stage,
            early_depth_test: None,
            workgroup_size: [0; 3],
            workgroup_size_overrides: None,
            function: code,
            mesh_info: None,
            task_payload: None,
            incoming_ray_payload: None,
        });
        Ok(())
    }

    /// The result of an entry point: one value, or a structure of them in the order of the outputs.
    fn outputs(&mut self, function: &Function, stage: ShaderStage) -> Result<Option<FunctionResult>, Error> {
        let mut members = Vec::new();
        let mut names = Scope::default();
        let mut offset = 0;
        for output in &function.outputs {
            let binding = self.output_binding(output)?;
            if let Binding::Location { location, .. } = binding {
                let to = if stage == ShaderStage::Vertex { "vs2fs" } else { "fs2p" };
                self.interface.call(stage, format!("_{to}_location{location}"), &output.name);
            }
            let ty = self.ty(output.ty)?;
            members.push(StructMember { name: Some(names.unique(&output.name)), ty, binding: Some(binding), offset });
            offset += 16;
        }
        if members.len() <= 1 {
            return Ok(members.pop().map(|member| FunctionResult { ty: member.ty, binding: member.binding }));
        }
        let name = if stage == ShaderStage::Vertex { "Varyings" } else { "Targets" };
        let inner = TypeInner::Struct { members, span: offset };
        let ty = self.module.types.insert(naga::Type { name: Some(name.into()), inner }, Span::UNDEFINED);
        Ok(Some(FunctionResult { ty, binding: None }))
    }

    /// A uniform or texture as a module's variable.
    fn resource(&mut self, input: &Input, stage: ShaderStage) -> Result<Place, Error> {
        let vertex = stage == ShaderStage::Vertex;
        match (input.kind, input.ty) {
            (InputKind::Uniform, ty) => {
                // The first uniform is the stage's constants; further ones stand behind the textures.
                let first = u32::from(!vertex);
                let binding = match self.uniforms.contains(&first) {
                    false => first,
                    true => FURTHER_UNIFORMS + self.uniforms.len() as u32,
                };
                self.uniforms.insert(binding);
                let ty = self.uniform_ty(ty, vertex)?;
                let variable = self.global(&input.name, AddressSpace::Uniform, binding, ty, stage);
                if let Ok(place) = u8::try_from(binding) {
                    self.bindings.push((ResourceBinding { group: 0, binding }, place));
                }
                Ok(Place::Uniform(variable))
            }
            (InputKind::Texture { slot, .. }, Type::Texture(dimension)) => {
                let binding = if vertex { VERTEX_TEXTURES } else { FRAGMENT_TEXTURES } + 2 * slot;
                let dim = match dimension {
                    Dimension::D2 => ImageDimension::D2,
                    Dimension::D3 => ImageDimension::D3,
                    Dimension::Cube => ImageDimension::Cube,
                };
                let class = ImageClass::Sampled { kind: ScalarKind::Float, multi: false };
                let image = self.insert(TypeInner::Image { dim, arrayed: false, class });
                let sampler = self.insert(TypeInner::Sampler { comparison: false });
                let image = self.global(&input.name, AddressSpace::Handle, binding, image, stage);
                let name = format!("{}_sampler", input.name);
                let sampler = self.global(&name, AddressSpace::Handle, binding + 1, sampler, stage);
                self.bindings.push((ResourceBinding { group: 0, binding }, slot as u8));
                Ok(Place::Texture(image, sampler))
            }
            _ => self.unsupported(format!("the input `{}`", input.name)),
        }
    }

    fn global(
        &mut self,
        name: &str,
        space: AddressSpace,
        binding: u32,
        ty: Handle<naga::Type>,
        stage: ShaderStage,
    ) -> Handle<GlobalVariable> {
        let name = self.globals.unique(name);
        let suffix = if stage == ShaderStage::Vertex { "vs" } else { "fs" };
        self.interface.call(stage, format!("_group_0_binding_{binding}_{suffix}"), &name);
        let variable = GlobalVariable {
            name: Some(name),
            space,
            binding: Some(ResourceBinding { group: 0, binding }),
            ty,
            init: None,
            memory_decorations: naga::MemoryDecorations::empty(),
        };
        self.module.global_variables.append(variable, Span::UNDEFINED)
    }

    fn input_binding(&self, input: &Input) -> Result<Binding, Error> {
        Ok(match input.kind {
            InputKind::Attribute { location } => location_binding(location, None),
            InputKind::Varying { location, interpolation } => location_binding(location, Some(interpolation)),
            InputKind::Builtin(builtin) => Binding::BuiltIn(match builtin {
                Builtin::VertexIndex => BuiltIn::VertexIndex,
                Builtin::InstanceIndex => BuiltIn::InstanceIndex,
                Builtin::FragmentCoordinate => BuiltIn::Position { invariant: false },
                Builtin::FrontFacing => BuiltIn::FrontFacing,
                Builtin::PointCoordinate => return self.unsupported("the point coordinate"),
            }),
            _ => return self.unsupported(format!("the input `{}`", input.name)),
        })
    }

    fn output_binding(&self, output: &Output) -> Result<Binding, Error> {
        Ok(match output.kind {
            OutputKind::Position => Binding::BuiltIn(BuiltIn::Position { invariant: false }),
            OutputKind::Varying { location, interpolation } => location_binding(location, Some(interpolation)),
            OutputKind::Colour { target } => location_binding(target, None),
            OutputKind::Depth => Binding::BuiltIn(BuiltIn::FragDepth),
            OutputKind::PointSize if matches!(self.target, Target::Wgsl) => return self.unsupported("a point size"),
            OutputKind::PointSize => Binding::BuiltIn(BuiltIn::PointSize),
            OutputKind::Returned => return self.unsupported("a returned value of an entry point"),
        })
    }

    fn insert(&mut self, inner: TypeInner) -> Handle<naga::Type> {
        self.module.types.insert(naga::Type { name: None, inner }, Span::UNDEFINED)
    }

    /// The naga type of a value.
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

    /// The naga type of a uniform, whose array elements stand 16 bytes apart.
    fn uniform_ty(&mut self, ty: Type, vertex: bool) -> Result<Handle<naga::Type>, Error> {
        match ty {
            Type::Array(scalar @ (Scalar::Float | Scalar::Int | Scalar::Uint), 4, length) => {
                let base = self.ty(Type::Vector(scalar, 4))?;
                let size = std::num::NonZeroU32::new(length).map_or(ArraySize::Dynamic, ArraySize::Constant);
                // Only GLSL shows the name, as the block's.
                let name = if vertex { "VertexConstants" } else { "FragmentConstants" };
                let name = matches!(self.target, Target::Glsl(_)).then(|| name.to_string());
                let inner = TypeInner::Array { base, size, stride: 16 };
                Ok(self.module.types.insert(naga::Type { name, inner }, Span::UNDEFINED))
            }
            Type::Array(..) => self.unsupported(format!("a uniform of type {ty}")),
            ty => self.ty(ty),
        }
    }

    fn scalar(&self, scalar: Scalar) -> Result<naga::Scalar, Error> {
        Ok(match scalar {
            Scalar::Bool => naga::Scalar::BOOL,
            Scalar::Int => naga::Scalar::I32,
            Scalar::Uint => naga::Scalar::U32,
            Scalar::Float => naga::Scalar::F32,
            Scalar::Half => return self.unsupported("half floats"),
        })
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

/// The naga size of a vector; `None` for a scalar.
fn vector_size(width: u8) -> Option<VectorSize> {
    match width {
        2 => Some(VectorSize::Bi),
        3 => Some(VectorSize::Tri),
        4 => Some(VectorSize::Quad),
        _ => None,
    }
}

/// The id of each input, and what it is in naga.
type Places<'a> = &'a [(Id, Place)];

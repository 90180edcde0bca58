//! Lowers a module of the IR to a naga module, with an entry point for each vertex, fragment and compute function.
//!
//! This file lowers types, arguments and results. The code of functions is lowered in `function.rs`, control flow in
//! `control.rs`, and resources with their bindings in `resources.rs`.

mod atomic;
mod blocks;
mod builder;
mod clips;
mod compute;
mod control;
mod entries;
mod function;
mod indices;
mod lowering;
mod memory;
mod registers;
mod resources;
mod rules;
mod state;
mod stated;
mod trace;
mod tracer;
mod types;
mod validate;

pub(crate) use clips::LOCATION as CLIP_LOCATION;
pub(crate) use entries::{EntryName, wanted_entry};
pub(crate) use lowering::{Body, Bound, Lowered};
pub(crate) use resources::OMITTED;
pub(crate) use types::{kind_of, stage_of};
pub(crate) use validate::describe;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use naga::{
    AddressSpace, Binding, BuiltIn, EntryPoint, FunctionArgument, FunctionResult, Handle, ShaderStage, Span,
    StructMember, TypeInner,
};
use sdlbc::verify::types_with;
use sdlbc::{
    Builtin, Function, FunctionKind, FunctionOutput, Input, InputKind, Interpolation, Module, OutputKind, Types,
    Verified,
};

use self::builder::FunctionBuilder;
use self::lowering::{LoweredInput, Lowering, is_resource};
use self::types::location_binding;
use self::validate::validate;
use crate::discards::discarding;
use crate::error::Error;
use crate::features::{Features, Resources};
use crate::interface::{EntryPoint as Entry, Variable};
use crate::layout::Layout;
use crate::legalise::{legalise, remove_point_size};
use crate::mend::names::Scope;
use crate::origins::Origins;
use crate::uniformity::may_diverge;
use crate::unreachable::{has_endless_loop, operations, remove_unreachable};
use crate::versions::Target;

/// Lowers a module for a target. If `stage` is not `None`, only the code of that stage is lowered. If `is_traced` is true, the
/// values that the output assigns to each name are recorded.
pub(crate) fn lower(
    module: &Verified,
    target: Target,
    features: &Features,
    layout: &Layout,
    stage: Option<FunctionKind>,
    is_traced: bool,
) -> Result<Lowered, Error> {
    if module.functions.iter().all(|function| function.kind == FunctionKind::Generic) {
        return Err(Error::Unsupported {
            what: "a module without a vertex, fragment or compute function".into(),
            target,
        });
    }
    refuse_compute(module, target, features)?;
    let mut source: Cow<'_, Module> = Cow::Borrowed(module);
    let mut ops = remove_unreachable(&mut source);
    remove_point_size(&mut source, features);
    let is_shortened = crate::lengths::shorten(&mut source, layout);
    let members = crate::members::split(&mut source);
    let mut types = Cow::Borrowed(module.types());
    if is_shortened || !members.is_empty() {
        types = types_of(&source);
    }
    let is_legalised = legalise(&mut source, &types, features);
    if is_legalised {
        types = types_of(&source);
    }
    let source: &Module = &source;
    if is_legalised || !members.is_empty() {
        ops = operations(source);
    }
    if !features.endless_loops && source.functions.iter().any(|function| has_endless_loop(function.body.block())) {
        return Err(Error::Unsupported { what: "a loop without an exit".into(), target });
    }
    let stages = source.functions.iter().filter(|function| function.kind != FunctionKind::Generic).count();
    if stage.is_some() && stages > 1 && features.resources == Resources::Groups {
        Lowering::new(target, features, layout, source, (&types, &ops), &members).refuse_collisions()?;
    }
    let has_fragment = stage != Some(FunctionKind::Vertex);
    let mut lowering = Lowering::new(target, features, layout, source, (&types, &ops), &members);
    lowering.names.origins = is_traced.then(Origins::default);
    if !features.discard_ends && has_fragment {
        lowering.discarding = discarding(source);
    }
    // If inputs and outputs are global variables, both stages are lowered, because the variables' names must match between the
    // stages.
    let is_here = |function: &Function| stage.is_none_or(|stage| stage == function.kind);
    let entries =
        source.functions.iter().enumerate().filter(|(_, function)| {
            function.kind != FunctionKind::Generic && (features.io_variables || is_here(function))
        });
    if stages > 1 {
        lowering.names.is_pair = true;
    }
    lowering.module.entry_points.reserve_exact(stages);
    // The names of entry points take precedence over all other names, so entry points get their labels first.
    let mut taken = HashSet::new();
    let mut labelled: Vec<(usize, &Function, String)> = Vec::new();
    for (index, function) in entries {
        let name = wanted_entry(function, features.entry, layout);
        if features.names_entries() && !taken.insert(name) {
            return Err(Error::SameEntry { name: name.to_string(), target });
        }
        labelled.push((index, function, lowering.names.label(Scope::Module, name)));
    }
    if !lowering.discarding.is_empty() {
        let ty = lowering.insert(TypeInner::Scalar(naga::Scalar::BOOL));
        let (flag, _) = lowering.declare_global("discarded", AddressSpace::Private, None, ty, ShaderStage::Fragment);
        lowering.discarded = Some(flag);
    }
    for (index, function, label) in labelled {
        lowering.entry_point(index, function, label, is_here(function))?;
    }
    let Lowering { module: lowered, names, mut entries, entry_names, described, bindings, sizes, zeroes, .. } =
        lowering;
    if !members.is_empty() {
        entries.iter_mut().for_each(|entry| entry.refer_to(source, module));
    }
    let module = lowered;
    let info = validate(&module)?;
    let diverges = features.checks_uniformity && has_fragment && may_diverge(source);
    Ok(Lowered { module, info, names, entries, entry_names, resources: described, bindings, sizes, zeroes, diverges })
}

/// Rejects compute functions, storage buffers and storage textures if the target or its naga writer does not support them.
fn refuse_compute(module: &Module, target: Target, features: &Features) -> Result<(), Error> {
    if features.compute {
        return Ok(());
    }
    let refused = |what: String| Err(Error::Unsupported { what, target });
    for function in &module.functions {
        if function.kind == FunctionKind::Compute {
            return refused(format!("the compute function `{}`", function.name));
        }
        if let Some(input) = function.inputs.iter().find(|input| matches!(input.kind, InputKind::Buffer { .. })) {
            return refused(format!("the storage buffer `{}`", input.name));
        }
        if let Some(input) = function.inputs.iter().find(|input| matches!(input.kind, InputKind::Image { .. })) {
            return refused(format!("the storage texture `{}`", input.name));
        }
    }
    Ok(())
}

fn types_of(module: &Module) -> Cow<'static, [Types]> {
    let signatures = module.signatures();
    module.functions.iter().map(|function| types_with(function, &signatures)).collect()
}

impl<'m> Lowering<'m> {
    /// Lowers an entry point and the functions that it calls. If `code` is false, only the variables whose names the other stage
    /// must know are lowered.
    fn entry_point(&mut self, index: usize, function: &'m Function, label: String, code: bool) -> Result<(), Error> {
        let stage = stage_of(function.kind);
        // The entry point's own resources get the first bindings.
        self.find_resources(index, stage)?;
        let inputs = self.resources(index, function, stage)?;
        let mut calls = HashMap::new();
        let mut bound = HashSet::new();
        for callee in sdlbc::call_order(self.source, index) {
            if code {
                calls.insert(callee, self.generic(callee, stage, &calls, &mut bound)?);
            } else if let Some(function) = self.source.functions.get(callee) {
                self.resources(callee, function, stage)?;
            }
        }
        let mut builder = FunctionBuilder::new(label, self.names.function(), stage, inputs, function);
        let located = |input: &Input| matches!(input.kind, InputKind::Attribute { .. } | InputKind::Varying { .. });
        if self.has_vertex_struct(function) {
            self.vertex_struct(function, &mut builder)?;
        }
        for (index, input) in function.inputs.iter().enumerate().filter(|(_, input)| located(input)) {
            let name = self.varying_name(input);
            builder.argument(index, &name, &mut self.names);
        }
        for (index, input) in function.inputs.iter().enumerate() {
            self.input(index, input, &mut builder)?;
        }
        let (result, outputs) = self.outputs(function, &builder)?;
        builder.code.result = result;
        if self.names.origins.is_some() {
            builder.outputs = outputs.iter().map(|output| output.name.clone()).collect();
        }
        if !code {
            return Ok(());
        }
        let zero = function::lower(self, index, &mut builder, &calls)?;
        if let Some(zero) = zero {
            self.zeroes.insert(Body::Entry(self.module.entry_points.len()), zero);
        }
        let inputs = self.described_inputs(function, &mut builder);
        self.entry_names.push(match self.features.names_entries() {
            true => EntryName::Label(builder.label.clone()),
            false => EntryName::Exact(wanted_entry(function, self.features.entry, self.layout).to_string()),
        });
        let workgroup = function.workgroup;
        self.entries.push(Entry { stage: function.kind, name: String::new(), workgroup, inputs, outputs });
        self.module.entry_points.push(EntryPoint {
            name: builder.label,
            stage,
            early_depth_test: None,
            workgroup_size: function.workgroup.unwrap_or_default(),
            workgroup_size_overrides: None,
            function: builder.code,
            mesh_info: None,
            task_payload: None,
            incoming_ray_payload: None,
        });
        Ok(())
    }

    /// Lowers a called function. If the function uses resources, directly or through calls, adds the function to `bound`.
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
            || sdlbc::flow::calls(function.body.block()).iter().any(|callee| bound.contains(callee))
        {
            bound.insert(index);
        }
        let key = (index, bound.contains(&index).then_some(stage));
        if let Some(&handle) = self.generics.get(&key) {
            return Ok(handle);
        }
        let inputs = self.resources(index, function, stage)?;
        let debug = self.source.debug_of(index).map_or("", |debug| debug.name.as_str());
        let name = [function.name.as_str(), debug].into_iter().find(|name| !name.is_empty()).unwrap_or("function");
        let label = self.names.label(Scope::Module, name);
        let mut builder = FunctionBuilder::new(label.clone(), self.names.function(), stage, inputs, function);
        builder.code.name = Some(label);
        for (index, input) in function.inputs.iter().enumerate() {
            self.input(index, input, &mut builder)?;
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

    /// Adds an argument for an input that is neither a resource nor a local array.
    fn input(&mut self, index: usize, input: &Input, builder: &mut FunctionBuilder) -> Result<(), Error> {
        // Local arrays become variables when the code of the function is lowered.
        if input.kind == InputKind::Local || is_resource(input) || builder.inputs.contains(input.id) {
            return Ok(());
        }
        let binding = match input.kind {
            InputKind::Parameter => None,
            _ => Some(self.input_binding(input)?),
        };
        let label = builder.argument(index, &input.name, &mut self.names).to_string();
        if let Some(Binding::Location { location, .. }) = binding {
            let from = if builder.stage == ShaderStage::Vertex { "p2vs" } else { "vs2fs" };
            self.names.variable(builder.stage, format_args!("_{from}_location{location}"), &label);
        }
        let ty = self.ty(input.ty)?;
        builder.inputs.insert(input.id, LoweredInput::Argument(builder.code.arguments.len() as u32));
        builder.code.arguments.push(FunctionArgument { name: Some(label), ty, binding });
        Ok(())
    }

    /// Returns the name of an attribute or varying. If the stages link varyings by name, both stages use the vertex stage's name
    /// for a varying.
    fn varying_name(&self, input: &'m Input) -> Cow<'m, str> {
        let (InputKind::Varying { location: wanted, .. }, true) = (input.kind, self.features.io_variables) else {
            return input.name.as_str().into();
        };
        if let Some(name) = self.numbered(wanted) {
            return name.into();
        }
        let vertex = self.source.functions.iter().find(|function| function.kind == FunctionKind::Vertex);
        let mut outputs = vertex.into_iter().flat_map(|function| &function.outputs);
        let given =
            outputs.find(|output| matches!(output.kind, OutputKind::Varying { location, .. } if location == wanted));
        given.map_or(&input.name, |output| &output.name).into()
    }

    /// Returns a varying's name that depends only on its location, so that separately translated stages agree on the name.
    /// Returns `None` if the target has locations, or if both stages are translated together.
    fn numbered(&self, location: u32) -> Option<String> {
        (!self.features.varying_locations && !self.names.is_pair).then(|| format!("v{location}"))
    }

    /// Reports whether a function's attributes are members of a structure. The structure helps tools that generate vertex
    /// layouts.
    fn has_vertex_struct(&self, function: &Function) -> bool {
        let mut attributes = function.inputs.iter().filter_map(|input| match input.kind {
            InputKind::Attribute { location } => Some((location, &input.name)),
            _ => None,
        });
        let named = |(location, name): (u32, &String)| *name != format!("va{location}");
        self.features.vertex_struct
            && function.kind == FunctionKind::Vertex
            && if self.layout.vertex_struct { attributes.next().is_some() } else { attributes.any(named) }
    }

    /// Adds an argument whose type is a structure of all attributes.
    fn vertex_struct(&mut self, function: &Function, builder: &mut FunctionBuilder) -> Result<(), Error> {
        let argument = u32::try_from(builder.code.arguments.len()).unwrap_or(u32::MAX);
        let scope = self.names.members();
        let mut members = Vec::new();
        let inputs = function.inputs.iter().zip(&mut builder.labels);
        let attributes = inputs.filter(|(input, _)| matches!(input.kind, InputKind::Attribute { .. }));
        for (index, (input, known)) in (0..).zip(attributes) {
            let label = self.names.label(scope, &input.name);
            known.clone_from(&label);
            builder.inputs.insert(input.id, LoweredInput::Member(argument, index));
            let (ty, binding) = (self.ty(input.ty)?, Some(self.input_binding(input)?));
            members.push(StructMember { name: Some(label), ty, binding, offset: 16 * index });
        }
        let span = 16 * u32::try_from(members.len()).unwrap_or(u32::MAX / 16);
        let name = Some(self.names.label(Scope::Module, "Vertex"));
        let inner = TypeInner::Struct { members, span };
        let ty = self.module.types.insert(naga::Type { name, inner }, Span::UNDEFINED);
        let name = Some(self.names.label(builder.scope, "vertex"));
        builder.code.arguments.push(FunctionArgument { name, ty, binding: None });
        Ok(())
    }

    /// Describes an entry point's inputs. In the descriptions, labels stand for the final names.
    fn described_inputs(&self, function: &Function, builder: &mut FunctionBuilder) -> Vec<Variable> {
        let mut labels = std::mem::take(&mut builder.labels).into_iter();
        let variable = |(index, input): (usize, &Input)| {
            let label = labels.next().unwrap_or_default();
            let (builtin, location) = match input.kind {
                InputKind::Attribute { location } | InputKind::Varying { location, .. } => (None, Some(location)),
                InputKind::Builtin(builtin) => (Some(builtin), None),
                _ => return None,
            };
            let name = match (builtin, self.features.io_variables) {
                (Some(builtin), true) => naga_and_glsl(builtin).1.to_string(),
                _ => label,
            };
            Some(Variable { index, name, location, ty: input.ty })
        };
        function.inputs.iter().enumerate().filter_map(variable).collect()
    }

    /// Returns the result of an entry point, and the descriptions of its outputs, in which labels stand for the final names. The
    /// result is one value, or a structure of the outputs in order, with clip distances last.
    fn outputs(
        &mut self,
        function: &Function,
        builder: &FunctionBuilder,
    ) -> Result<(Option<FunctionResult>, Vec<Variable>), Error> {
        let mut members = Vec::with_capacity(function.outputs.len());
        let mut described = Vec::with_capacity(function.outputs.len());
        let scope = self.names.members();
        let mut offset = 0;
        for (index, output) in function.outputs.iter().enumerate() {
            if matches!(output.kind, OutputKind::ClipDistance { .. }) {
                continue;
            }
            let binding = self.output_binding(output)?;
            let location = if let Binding::Location { location, .. } = binding { Some(location) } else { None };
            let mut variable = String::new();
            if let (Some(location), true) = (location, self.features.io_variables) {
                // Each output with a location is a variable, whereas the position and the depth use built-in variables.
                let to = if builder.stage == ShaderStage::Vertex { "vs2fs" } else { "fs2p" };
                let varying = matches!(output.kind, OutputKind::Varying { .. });
                let numbered = self.numbered(location).filter(|_| varying);
                let label = self.names.label(builder.scope, numbered.as_deref().unwrap_or(&output.name));
                self.names.variable(builder.stage, format_args!("_{to}_location{location}"), &label);
                variable = label;
            }
            let ty = self.ty(output.ty)?;
            // A function's only output has no name, because the result is a single value.
            let is_alone = function.outputs.len() == 1;
            let label = if is_alone { String::new() } else { self.names.label(scope, &output.name) };
            let name = match (self.features.io_variables, output.kind) {
                (true, OutputKind::Position) => "gl_Position".to_string(),
                (true, OutputKind::Depth) => "gl_FragDepth".to_string(),
                (true, OutputKind::PointSize) => "gl_PointSize".to_string(),
                (true, _) => variable,
                _ => label.clone(),
            };
            described.push(Variable { index, name, location, ty: output.ty });
            members.push(StructMember { name: Some(label), ty, binding: Some(binding), offset });
            offset += 16;
        }
        for (number, places) in (0..).zip(clips::members(&function.outputs, self.features.clips)) {
            let base = match *places {
                [place] => function.outputs[place].name.as_str(),
                _ => "distances",
            };
            let label = self.names.label(scope, base);
            for &index in &places {
                let name = if self.features.io_variables { "gl_ClipDistance".to_string() } else { label.clone() };
                described.push(Variable { index, name, location: None, ty: function.outputs[index].ty });
            }
            members.push(self.clip_member((number, places.len()), label, offset)?);
            offset += 32;
        }
        described.sort_by_key(|variable| variable.index);
        if members.len() <= 1 {
            let result = members.pop().map(|member| FunctionResult { ty: member.ty, binding: member.binding });
            return Ok((result, described));
        }
        let name = if builder.stage == ShaderStage::Vertex { "Varyings" } else { "Targets" };
        let name = Some(self.names.label(Scope::Module, name));
        let inner = TypeInner::Struct { members, span: offset };
        let ty = self.module.types.insert(naga::Type { name, inner }, Span::UNDEFINED);
        Ok((Some(FunctionResult { ty, binding: None }), described))
    }

    fn varying(&self, location: u32, interpolation: Interpolation) -> Result<Binding, Error> {
        if interpolation == Interpolation::Linear && !self.features.linear_varyings {
            return self.unsupported("a `linear` varying");
        }
        Ok(location_binding(location, Some(interpolation)))
    }

    fn input_binding(&self, input: &Input) -> Result<Binding, Error> {
        Ok(match input.kind {
            InputKind::Attribute { location } => location_binding(location, None),
            InputKind::Varying { location, interpolation } => self.varying(location, interpolation)?,
            InputKind::Builtin(Builtin::PointCoordinate) if !self.features.points => {
                return self.unsupported("the point coordinate");
            }
            InputKind::Builtin(Builtin::NumWorkgroups) if !self.features.workgroup_counts => {
                return self.unsupported(format!(
                    "the number of workgroups, which `{}` reads: the language has no such built-in value; pass the number as a uniform",
                    input.name
                ));
            }
            InputKind::Builtin(builtin) => Binding::BuiltIn(naga_and_glsl(builtin).0),
            _ => return self.unsupported(format!("the input `{}`", input.name)),
        })
    }

    fn output_binding(&self, output: &FunctionOutput) -> Result<Binding, Error> {
        Ok(match output.kind {
            OutputKind::Position => Binding::BuiltIn(BuiltIn::Position { invariant: false }),
            OutputKind::Varying { location, interpolation } => self.varying(location, interpolation)?,
            OutputKind::Colour { target } if target >= self.features.targets => {
                return self.unsupported(format!("colour target {target}"));
            }
            OutputKind::Colour { target } => location_binding(target, None),
            OutputKind::Depth => Binding::BuiltIn(BuiltIn::FragDepth),
            OutputKind::PointSize if !self.features.points => {
                return self.unsupported("a point size");
            }
            OutputKind::PointSize => Binding::BuiltIn(BuiltIn::PointSize),
            OutputKind::ClipDistance { .. } => {
                return Err(Error::Internal(format!("the clip distance `{}` has a binding of its own", output.name)));
            }
            OutputKind::Returned => return self.unsupported("a returned value of an entry point"),
        })
    }
}

const fn naga_and_glsl(builtin: Builtin) -> (BuiltIn, &'static str) {
    match builtin {
        Builtin::VertexIndex => (BuiltIn::VertexIndex, "gl_VertexID"),
        Builtin::InstanceIndex => (BuiltIn::InstanceIndex, "gl_InstanceID"),
        Builtin::FragmentCoordinate => (BuiltIn::Position { invariant: false }, "gl_FragCoord"),
        Builtin::FrontFacing => (BuiltIn::FrontFacing, "gl_FrontFacing"),
        Builtin::PointCoordinate => (BuiltIn::PointCoord, "gl_PointCoord"),
        Builtin::GlobalInvocationId => (BuiltIn::GlobalInvocationId, "gl_GlobalInvocationID"),
        Builtin::LocalInvocationId => (BuiltIn::LocalInvocationId, "gl_LocalInvocationID"),
        Builtin::LocalInvocationIndex => (BuiltIn::LocalInvocationIndex, "gl_LocalInvocationIndex"),
        Builtin::WorkgroupId => (BuiltIn::WorkGroupId, "gl_WorkGroupID"),
        Builtin::NumWorkgroups => (BuiltIn::NumWorkGroups, "gl_NumWorkGroups"),
    }
}

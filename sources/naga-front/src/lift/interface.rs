//! Entry points. The arguments of an entry point become inputs, and the parts of its result become outputs.

use naga::{Binding, BuiltIn, EntryPoint, Handle, Sampling, ShaderStage};
use sdlbc::lifting::{Step, Value};
use sdlbc::{Builtin, FunctionKind, FunctionOutput, InputKind, Interpolation, OutputKind, Scalar, Type};

use super::flow::Tail;
use super::types::{self, Parts};
use super::{Lifter, Shared, entry_name};
use sdlbc::front::{Guarantee, Lost, RefusalKind};

/// An output, and the path to the part of the entry point's result that the output receives.
#[derive(Clone, Debug)]
pub(super) struct Output {
    index: u32,
    kind: OutputKind,
    /// The indices of the nested structure fields that lead from the result to the part.
    fields: Vec<u32>,
}

/// A part of an entry point's argument or result.
struct Part<'t> {
    name: &'t str,
    ty: Handle<naga::Type>,
    binding: Option<&'t Binding>,
    /// The name of the structure or function that contains the part.
    within: &'t str,
}

impl<'m> Shared<'m> {
    pub(super) fn entry(&mut self, number: usize, entry: &'m EntryPoint) {
        let kind = match entry.stage {
            ShaderStage::Vertex => FunctionKind::Vertex,
            ShaderStage::Compute => FunctionKind::Compute,
            _ => FunctionKind::Fragment,
        };
        let info = self.info;
        if entry.workgroup_size_overrides.is_some() {
            let name = "constants that the application overrides".to_string();
            self.refuse(RefusalKind::Operation { name }, naga::Span::UNDEFINED);
        }
        let mut lifter = Lifter::new(self, kind, entry_name(entry));
        if kind == FunctionKind::Compute {
            lifter.lifting.builder = lifter.lifting.builder.with_workgroup(entry.workgroup_size);
        }
        let mut arguments = Vec::new();
        for argument in &entry.function.arguments {
            let name = argument.name.as_deref().unwrap_or_default();
            let part = Part { name, ty: argument.ty, binding: argument.binding.as_ref(), within: &entry.name };
            arguments.push(lifter.argument_of(&part));
        }
        if let Some(result) = &entry.function.result {
            let part = Part { name: "", ty: result.ty, binding: result.binding.as_ref(), within: &entry.name };
            lifter.outputs_of(&part, &mut Vec::new());
        }
        lifter.run(&entry.function, info.get_entry_point(number), arguments, Tail::Return);
    }
}

impl<'m> Lifter<'_, 'm> {
    fn refuse_interface(&mut self, name: String, part: &Part<'_>) {
        self.refuse_part(RefusalKind::Interface { name }, part);
    }

    fn refuse_part(&mut self, kind: RefusalKind, part: &Part<'_>) {
        let place = self.place_of(part);
        self.shared.refuse(kind, place);
    }

    /// Returns the place of a part of an interface: the first occurrence of the part's name after the name of its structure or function,
    /// because naga has no source locations for such parts.
    fn place_of(&self, part: &Part<'_>) -> naga::Span {
        let within = self.shared.word(part.within, 0);
        let beginning = within.as_ref().map_or(0, |within| within.start);
        let place = self.shared.word(part.name, beginning).or(within);
        place.map_or(naga::Span::UNDEFINED, naga::Span::from)
    }

    fn parts_of(&self, part: &Part<'m>) -> Option<Vec<Part<'m>>> {
        let ty = &self.shared.module.types[part.ty];
        let (None, naga::TypeInner::Struct { members, .. }) = (part.binding, &ty.inner) else { return None };
        let within = ty.name.as_deref().unwrap_or_default();
        let part = |member: &'m naga::StructMember| {
            let name = member.name.as_deref().unwrap_or_default();
            Part { name, ty: member.ty, binding: member.binding.as_ref(), within }
        };
        Some(members.iter().map(part).collect())
    }

    /// Returns the value of an argument: an input, or a structure of inputs.
    fn argument_of(&mut self, part: &Part<'m>) -> Value {
        let inner = self.inner(part.ty);
        if let Some(parts) = self.parts_of(part) {
            return Value::Many(parts.iter().map(|part| self.argument_of(part)).collect());
        }
        let Some(ty) = types::value(inner) else {
            self.refuse_part(types::refusal(self.shared.module, part.ty), part);
            return Value::One(self.lifting.zero(Type::FLOAT));
        };
        let (kind, own) = match self.input_kind(part.binding, ty) {
            Ok(kind) => kind,
            Err(name) => {
                self.refuse_interface(name, part);
                return Value::One(self.lifting.zero(ty));
            }
        };
        let default = match kind {
            InputKind::Attribute { location } => format!("attribute{location}"),
            InputKind::Varying { location, .. } => format!("v{location}"),
            _ => "input".to_string(),
        };
        let name = self.lifting.input_name(if part.name.is_empty() { &default } else { part.name });
        let input = self.lifting.builder.input(name, own, kind);
        // A source may declare an integer builtin as an int or a uint, whichever type the builtin has in SDLSHADERBC.
        let converted = match (own, ty) {
            (Type::Vector(a, _), Type::Vector(b, _)) if a != b => self.lifting.convert(input, b),
            _ => input,
        };
        Value::One(converted)
    }

    /// Returns the kind of input for an argument, and the input's type in SDLSHADERBC.
    fn input_kind(&self, binding: Option<&Binding>, ty: Type) -> Result<(InputKind, Type), String> {
        match binding {
            Some(&Binding::Location { location, interpolation, sampling, blend_src: None, per_primitive: false }) => {
                let kind = match self.kind {
                    FunctionKind::Vertex => InputKind::Attribute { location },
                    FunctionKind::Fragment => {
                        let interpolation = interpolation_of(interpolation, sampling, ty)?;
                        InputKind::Varying { location, interpolation }
                    }
                    _ => return Err("input with a location in a compute function".to_string()),
                };
                Ok((kind, ty))
            }
            Some(&Binding::BuiltIn(builtin)) => {
                let uint3 = Type::Vector(Scalar::Uint, 3);
                let (kind, ty) = match (builtin, self.kind) {
                    (BuiltIn::VertexIndex, FunctionKind::Vertex) => (Builtin::VertexIndex, Type::UINT),
                    (BuiltIn::InstanceIndex, FunctionKind::Vertex) => (Builtin::InstanceIndex, Type::UINT),
                    (BuiltIn::Position { .. }, FunctionKind::Fragment) => (Builtin::FragmentCoordinate, Type::FLOAT4),
                    (BuiltIn::FrontFacing, FunctionKind::Fragment) => (Builtin::FrontFacing, Type::BOOL),
                    (BuiltIn::PointCoord, FunctionKind::Fragment) => (Builtin::PointCoordinate, Type::floats(2)),
                    (BuiltIn::GlobalInvocationId, _) => (Builtin::GlobalInvocationId, uint3),
                    (BuiltIn::LocalInvocationId, _) => (Builtin::LocalInvocationId, uint3),
                    (BuiltIn::LocalInvocationIndex, _) => (Builtin::LocalInvocationIndex, Type::UINT),
                    (BuiltIn::WorkGroupId, _) => (Builtin::WorkgroupId, uint3),
                    (BuiltIn::NumWorkGroups, _) => (Builtin::NumWorkgroups, uint3),
                    (other, _) => return Err(format!("input `{}`", builtin_name(other))),
                };
                Ok((InputKind::Builtin(kind), ty))
            }
            Some(_) => Err("input with this kind of binding".to_string()),
            None => Err("input without a location".to_string()),
        }
    }

    /// Declares the outputs for a result, or for a part of a result.
    fn outputs_of(&mut self, part: &Part<'m>, fields: &mut Vec<u32>) {
        let inner = self.inner(part.ty);
        if let Some(parts) = self.parts_of(part) {
            for (number, part) in (0..).zip(&parts) {
                fields.push(number);
                self.outputs_of(part, fields);
                fields.pop();
            }
            return;
        }
        if self.kind == FunctionKind::Vertex
            && let Some(Binding::BuiltIn(BuiltIn::ClipDistances)) = part.binding
            && let Some(Parts::Elements(_, count, _)) = types::parts(inner)
        {
            self.clip_distances(part, count, fields);
            return;
        }
        let Some(ty) = types::value(inner) else {
            if matches!(types::parts(inner), Some(Parts::Elements(..))) {
                self.refuse_interface("output that is an array".to_string(), part);
            } else {
                self.refuse_part(types::refusal(self.shared.module, part.ty), part);
            }
            return;
        };
        match self.output_kind(part.binding, ty) {
            Ok(kind) => {
                let default = match kind {
                    OutputKind::Position => "position".to_string(),
                    OutputKind::Varying { location, .. } => format!("v{location}"),
                    OutputKind::Colour { target } => format!("colour{target}"),
                    OutputKind::Depth => "depth".to_string(),
                    OutputKind::PointSize => "point_size".to_string(),
                    // Clip distances are declared elsewhere, and entry points in SDLSHADERBC return no value.
                    OutputKind::ClipDistance { .. } | OutputKind::Returned => String::new(),
                };
                let name = self.output_name(part.name, default);
                if part.binding == Some(&Binding::BuiltIn(BuiltIn::Position { invariant: true })) {
                    let line = Some(self.shared.line(self.place_of(part))).filter(|line| *line != 0);
                    let guarantee = Guarantee::Invariant { output: name.clone() };
                    Lost { entry: self.name.clone(), line, guarantee }.add_to(&mut self.shared.lost);
                }
                let ty = match (kind, ty) {
                    (OutputKind::Colour { .. }, Type::Vector(scalar, _)) => Type::Vector(scalar, 4),
                    _ => ty,
                };
                let index = self.lifting.builder.output(FunctionOutput { ty, name, kind });
                self.outputs.push(Output { index, kind, fields: fields.clone() });
            }
            Err(name) => self.refuse_interface(name, part),
        }
    }

    /// Returns the name of an output. The default replaces a name that is empty or belongs to another output.
    fn output_name(&mut self, own: &str, default: String) -> String {
        let name = if own.is_empty() || self.output_names.contains(own) { default } else { own.to_string() };
        self.output_names.insert(name.clone());
        name
    }

    /// Declares an output for each element of an array of clip distances.
    fn clip_distances(&mut self, part: &Part<'m>, count: u32, fields: &[u32]) {
        for index in 0..count {
            let own = match count {
                _ if part.name.is_empty() => String::new(),
                1 => part.name.to_string(),
                _ => format!("{}_{index}", part.name),
            };
            let name = self.output_name(&own, format!("clip_distance{index}"));
            let kind = OutputKind::ClipDistance { index };
            let place = self.lifting.builder.output(FunctionOutput { ty: Type::FLOAT, name, kind });
            let fields = fields.iter().copied().chain([index]).collect();
            self.outputs.push(Output { index: place, kind, fields });
        }
    }

    fn output_kind(&self, binding: Option<&Binding>, ty: Type) -> Result<OutputKind, String> {
        match (binding, self.kind) {
            (
                Some(&Binding::Location { location, interpolation, sampling, blend_src: None, per_primitive: false }),
                stage,
            ) => match stage {
                FunctionKind::Vertex => {
                    let interpolation = interpolation_of(interpolation, sampling, ty)?;
                    Ok(OutputKind::Varying { location, interpolation })
                }
                FunctionKind::Fragment if matches!(ty, Type::Vector(Scalar::Float | Scalar::Int | Scalar::Uint, _)) => {
                    Ok(OutputKind::Colour { target: location })
                }
                FunctionKind::Fragment => Err(format!("colour of type {ty}")),
                _ => Err("output in a compute function".to_string()),
            },
            (Some(Binding::Location { blend_src: Some(_), .. }), _) => Err("second source of blending".to_string()),
            (Some(Binding::BuiltIn(BuiltIn::Position { .. })), FunctionKind::Vertex) => Ok(OutputKind::Position),
            (Some(Binding::BuiltIn(BuiltIn::PointSize)), FunctionKind::Vertex) => Ok(OutputKind::PointSize),
            (Some(Binding::BuiltIn(BuiltIn::FragDepth)), FunctionKind::Fragment) => Ok(OutputKind::Depth),
            (Some(&Binding::BuiltIn(other)), _) => Err(format!("output `{}`", builtin_name(other))),
            (Some(_), _) => Err("output with this kind of binding".to_string()),
            (None, _) => Err("output without a location".to_string()),
        }
    }

    /// Writes the outputs and ends the entry point. At the end of the function, no RETURN is emitted.
    pub(super) fn end_entry(&mut self, value: Option<&Value>, tail: Tail) {
        if let Some(flag) = self.discarded {
            let discarded = self.lifting.read_flag(flag);
            self.lifting.builder.open();
            self.lifting.builder.discard();
            let accept = self.lifting.builder.close();
            self.lifting.builder.branch(discarded, accept, Default::default());
        }
        for output in self.outputs.clone() {
            let Some(mut part) = value.cloned() else { continue };
            for &field in &output.fields {
                part = self.lifting.part(&part, Step::Known(field));
            }
            let mut part = part.one();
            if matches!(output.kind, OutputKind::Colour { .. }) {
                part = self.lifting.colour(part);
            }
            self.lifting.builder.poke(output.index, part);
        }
        if tail != Tail::Return {
            self.lifting.builder.return_nothing();
            self.lifting.jumped();
        }
    }
}

/// Returns the name of a builtin in snake case, as in WGSL: `sample_index`.
fn builtin_name(builtin: BuiltIn) -> String {
    let debug = format!("{builtin:?}");
    let mut name = String::new();
    for c in debug.chars().take_while(|c| c.is_alphanumeric()) {
        if c.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(c.to_lowercase());
    }
    name
}

fn interpolation_of(
    interpolation: Option<naga::Interpolation>,
    sampling: Option<Sampling>,
    ty: Type,
) -> Result<Interpolation, String> {
    let flat = !ty.is_float() && !matches!(ty, Type::Vector(Scalar::Half, _));
    match (interpolation, sampling) {
        (Some(naga::Interpolation::Flat), None | Some(Sampling::First | Sampling::Either)) => Ok(Interpolation::Flat),
        (None | Some(naga::Interpolation::Perspective), None | Some(Sampling::Center)) if !flat => {
            Ok(Interpolation::Perspective)
        }
        (None, None) => Ok(Interpolation::Flat),
        (Some(naga::Interpolation::Linear), None | Some(Sampling::Center)) => Ok(Interpolation::Linear),
        (interpolation, sampling) => {
            let words = [interpolation.map(|of| format!("{of:?}")), sampling.map(|of| format!("{of:?}"))];
            let words: Vec<String> = words.into_iter().flatten().map(|word| word.to_lowercase()).collect();
            Err(format!("interpolation `{}`", words.join(", ")))
        }
    }
}

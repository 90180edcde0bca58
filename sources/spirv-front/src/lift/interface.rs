//! The inputs and outputs of entry points: values, arrays, matrices, structures and blocks.

use std::collections::BTreeSet;

use rspirv::spirv::{Op, StorageClass};
use sdlbc::builder::Lane;
use sdlbc::lifting::{Shape, Step, Value};
use sdlbc::{Builtin, Few, FunctionKind, FunctionOutput, Id, InputKind, Interpolation, OutputKind, Scalar, Type};

use super::Lifter;
use super::packed::Pack;
use crate::accepted::{BuiltIn, Decoration};
use crate::module::{Entry, Module, Ty};
use sdlbc::front::{Assumption, Convention, Guarantee, RefusalKind};

/// The maximum number of scalars, vectors and columns of an input or output variable.
pub(super) const MOST_PARTS: u64 = 1024;

/// An output of the entry point, and the parts of variables that are written to it.
#[derive(Clone, Debug)]
pub(super) struct Output {
    index: u32,
    kind: OutputKind,
    parts: Vec<OutputPart>,
    /// The type of the vector whose components the parts are; `None` if there is only one part, which is the whole output.
    packed: Option<Type>,
}

/// A part of an output: its first component in the output, and the part of a variable that is written to it.
#[derive(Clone, Debug)]
struct OutputPart {
    component: u32,
    variable: usize,
    steps: Few<Step>,
}

/// The decorations that a part of a variable inherits from the whole: those of the variable or of a member.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) location: Option<u32>,
    pub(super) component: u32,
    pub(super) builtin: Option<u32>,
    pub(super) interpolation: Option<Interpolation>,
    /// A decoration that the format does not have.
    pub(super) lacks: Option<Decoration>,
    pub(super) is_invariant: bool,
}

/// Returns the name of a built-in value, for messages.
fn built_in_name(builtin: u32) -> String {
    let known = rspirv::spirv::BuiltIn::from_u32(builtin);
    known.map_or_else(|| "with an unknown built-in value".to_string(), |known| format!("{known:?}"))
}

/// Returns the number of locations that a value of a type takes.
pub(super) fn locations(module: &Module<'_>, ty: u32, depth: u32) -> u32 {
    if depth > 64 {
        return 0;
    }
    match module.types.get(&ty) {
        Some(Ty::Value(Type::Matrix { columns, .. })) => u32::from(*columns),
        Some(Ty::Struct(members)) => {
            members.iter().map(|&ty| locations(module, ty, depth + 1)).fold(0, u32::saturating_add)
        }
        Some(&Ty::Array { element, length, .. }) => {
            locations(module, element, depth + 1).saturating_mul(module.length(length).unwrap_or(1))
        }
        _ => 1,
    }
}

impl Part {
    /// Returns the decorations of a part that inherits these. `get` returns the operands of one of the part's own decorations.
    fn read<'m>(&self, get: impl Fn(Decoration) -> Option<&'m [u32]>) -> Part {
        let number = |decoration| get(decoration).and_then(|operands| operands.first().copied());
        let interpolation = if get(Decoration::Flat).is_some() {
            Some(Interpolation::Flat)
        } else if get(Decoration::NoPerspective).is_some() {
            Some(Interpolation::Linear)
        } else {
            self.interpolation
        };
        let lacks = Decoration::LACKING.into_iter().find(|&lacks| get(lacks).is_some_and(|operands| operands != [0]));
        Part {
            name: self.name.clone(),
            location: number(Decoration::Location).or(self.location),
            component: number(Decoration::Component).unwrap_or(self.component),
            builtin: number(Decoration::BuiltIn).or(self.builtin),
            interpolation,
            lacks: lacks.or(self.lacks),
            is_invariant: self.is_invariant || get(Decoration::Invariant).is_some(),
        }
    }

    /// Reports whether two parts may be components of one vector.
    pub(super) fn is_like(&self, other: &Part) -> bool {
        self.interpolation == other.interpolation && self.lacks == other.lacks
    }
}

impl<'m> Lifter<'_, 'm> {
    fn refuse_interface(&mut self, name: String) {
        self.refuse(RefusalKind::Interface { name });
    }

    /// Returns the decorations of a variable.
    pub(super) fn variable_part(&self, id: u32) -> Part {
        let name = self.module().interface_name(id).to_string();
        Part { name, ..Part::default() }.read(|decoration| self.module().decoration(id, decoration))
    }

    /// Returns the decorations of a member. `before` is the number of locations that the preceding members take.
    pub(super) fn member_part(&self, whole: &Part, ty: u32, member: u32, before: u32) -> Part {
        let module = self.module();
        let location = whole.location.map(|location| location.saturating_add(before));
        let own = module.member_name(ty, member);
        let name = if whole.name.is_empty() { own } else { format!("{}_{own}", whole.name) };
        let part = Part { location, builtin: None, name, ..whole.clone() };
        part.read(|decoration| module.member_decoration(ty, member, decoration))
    }

    /// Returns the value of an input variable.
    pub(super) fn input(&mut self, id: u32) -> Value {
        if let Some(known) = self.inputs.get(&id) {
            return known.clone();
        }
        let Some(&global) = self.module().globals.get(&id) else { return Value::Many(Vec::new()) };
        let at = std::mem::replace(&mut self.at, global.at);
        let part = self.variable_part(id);
        if self.module().shape(global.ty).is_some_and(|shape| shape.leaves() > MOST_PARTS) {
            let what = format!("an input has more than {MOST_PARTS} parts");
            self.refuse(RefusalKind::Limit { what });
            self.at = at;
            return Value::Many(Vec::new());
        }
        // An input needs no instructions, but composing a matrix and converting a value do.
        let value = self.input_of(global.ty, &part, 0);
        self.at = at;
        self.inputs.insert(id, value.clone());
        value
    }

    fn input_of(&mut self, ty: u32, part: &Part, depth: u32) -> Value {
        let module = self.module();
        // The parts of a type that is refused may be very many, so the first refused part is enough.
        let is_refused = self.shared.refusals.last().is_some_and(|(at, _)| *at == self.at);
        if is_refused && module.shape(ty).is_none() {
            return Value::One(self.lifting.zero(Type::FLOAT));
        }
        match module.types.get(&ty) {
            Some(Ty::Struct(members)) if depth < 64 => {
                let mut before = 0;
                let mut values = Vec::with_capacity(members.len());
                for (number, &member) in (0..).zip(members) {
                    let inner = self.member_part(part, ty, number, before);
                    before = before.saturating_add(locations(module, member, 0));
                    values.push(self.input_of(member, &inner, depth + 1));
                }
                Value::Many(values)
            }
            Some(&Ty::Array { element, length, .. }) if depth < 64 => {
                let (each, length) = (locations(module, element, 0), module.length(length).unwrap_or(0).min(256));
                let value = |number: u32| {
                    let location = part.location.map(|location| location.saturating_add(number.saturating_mul(each)));
                    let inner = Part { location, name: format!("{}_{number}", part.name), ..part.clone() };
                    self.input_of(element, &inner, depth + 1)
                };
                Value::Many((0..length).map(value).collect())
            }
            Some(&Ty::Value(Type::Matrix { columns, rows })) => {
                let mut all = Few::<Id>::new();
                for column in 0..u32::from(columns) {
                    let location = part.location.map(|location| location.saturating_add(column));
                    let inner = Part { location, name: format!("{}_{column}", part.name), ..part.clone() };
                    all.push(self.input_value(Type::floats(rows), &inner));
                }
                let matrix = self.lifting.outermost(|lifting| lifting.matrix(&all));
                Value::One(matrix)
            }
            Some(&Ty::Value(own)) => Value::One(self.input_value(own, part)),
            _ => {
                let name = module.type_name(ty);
                self.refuse(RefusalKind::Types { what: name });
                Value::One(self.lifting.zero(Type::FLOAT))
            }
        }
    }

    /// Returns an input that is a scalar or a vector.
    fn input_value(&mut self, ty: Type, part: &Part) -> Id {
        let builtin = part.builtin.and_then(BuiltIn::numbered).filter(|_| self.kind == FunctionKind::Vertex);
        let convention = self.shared.convention;
        // The numbers of vertices and instances include those of the first ones in a module.
        let (assumption, is_zero) = match builtin {
            Some(BuiltIn::BaseVertex) => (Some(Assumption::FirstVertex), true),
            Some(BuiltIn::BaseInstance) => (Some(Assumption::FirstInstance), true),
            Some(BuiltIn::DrawIndex) => (Some(Assumption::DrawIndex), true),
            Some(BuiltIn::VertexIndex) if convention == Convention::Direct3d => (Some(Assumption::FirstVertex), false),
            Some(BuiltIn::InstanceIndex) if matches!(convention, Convention::Direct3d | Convention::OpenGl) => {
                (Some(Assumption::FirstInstance), false)
            }
            _ => (None, false),
        };
        self.shared.assumptions.extend(assumption);
        if is_zero {
            return self.lifting.outermost(|lifting| lifting.zero(ty));
        }
        if let Some((location, pack)) = self.pack(part, StorageClass::Input) {
            let whole = match self.packed_inputs.get(&location) {
                Some(&whole) => whole,
                None => self.whole_input(pack.ty(), &pack.part),
            };
            self.packed_inputs.insert(location, whole);
            return self.unpacked(whole, part.component, ty);
        }
        self.whole_input(ty, part)
    }

    /// Returns an input that is not a part of a vector at its location.
    fn whole_input(&mut self, ty: Type, part: &Part) -> Id {
        // Values of type half are passed as floats.
        let passed = if let Type::Vector(Scalar::Half, width) = ty { Type::floats(width) } else { ty };
        let (kind, own) = match self.input_kind(part, passed) {
            Ok(kind) => kind,
            Err(name) => {
                self.refuse_interface(name);
                return self.lifting.zero(ty);
            }
        };
        let default = match kind {
            InputKind::Attribute { location } => format!("attribute{location}"),
            InputKind::Varying { location, .. } => format!("v{location}"),
            _ => "input".to_string(),
        };
        let name = self.lifting.input_name(if part.name.is_empty() { &default } else { &part.name });
        let input = self.lifting.builder.input(name, own, kind);
        match (own, ty) {
            // A half is passed as a float, and a module may declare a built-in value as the other integer type.
            (Type::Vector(a, _), Type::Vector(b, _)) if a != b => {
                self.lifting.outermost(|lifting| lifting.convert(input, b))
            }
            _ => input,
        }
    }

    /// Returns the kind of an input, and its type in the format.
    fn input_kind(&self, part: &Part, ty: Type) -> Result<(InputKind, Type), String> {
        if let Some(lacks) = part.lacks {
            return Err(format!("input with the decoration {lacks:?}"));
        }
        if let Some(builtin) = part.builtin {
            let uint3 = Type::Vector(Scalar::Uint, 3);
            let (kind, ty) = match (BuiltIn::numbered(builtin), self.kind) {
                (Some(BuiltIn::FragCoord), FunctionKind::Fragment) if self.has_whole_pixel_centres => {
                    return Err("input FragCoord with the centres of pixels at whole numbers".to_string());
                }
                (Some(BuiltIn::VertexIndex), FunctionKind::Vertex) => (Builtin::VertexIndex, Type::UINT),
                (Some(BuiltIn::InstanceIndex), FunctionKind::Vertex) => (Builtin::InstanceIndex, Type::UINT),
                (Some(BuiltIn::FragCoord), FunctionKind::Fragment) if self.shared.convention == Convention::OpenGl => {
                    return Err("input FragCoord whose y begins at the lower edge, as in OpenGL".to_string());
                }
                (Some(BuiltIn::FragCoord), FunctionKind::Fragment) => (Builtin::FragmentCoordinate, Type::FLOAT4),
                (Some(BuiltIn::FrontFacing), FunctionKind::Fragment) => (Builtin::FrontFacing, Type::BOOL),
                (Some(BuiltIn::PointCoord), FunctionKind::Fragment) => (Builtin::PointCoordinate, Type::floats(2)),
                (Some(BuiltIn::GlobalInvocationId), FunctionKind::Compute) => (Builtin::GlobalInvocationId, uint3),
                (Some(BuiltIn::LocalInvocationId), FunctionKind::Compute) => (Builtin::LocalInvocationId, uint3),
                (Some(BuiltIn::LocalInvocationIndex), FunctionKind::Compute) => {
                    (Builtin::LocalInvocationIndex, Type::UINT)
                }
                (Some(BuiltIn::WorkgroupId), FunctionKind::Compute) => (Builtin::WorkgroupId, uint3),
                (Some(BuiltIn::NumWorkgroups), FunctionKind::Compute) => (Builtin::NumWorkgroups, uint3),
                _ => return Err(format!("input {}", built_in_name(builtin))),
            };
            return Ok((InputKind::Builtin(kind), ty));
        }
        let Some(location) = part.location else { return Err("input without a location".to_string()) };
        if part.component != 0 {
            return Err("input that begins at a component other than the first".to_string());
        }
        match self.kind {
            FunctionKind::Vertex => Ok((InputKind::Attribute { location }, ty)),
            FunctionKind::Fragment => Ok((InputKind::Varying { location, interpolation: interpolation(part, ty) }, ty)),
            _ => Err("input with a location in a compute function".to_string()),
        }
    }

    /// Declares the output variables, and the outputs of the function.
    pub(super) fn declare_outputs(&mut self, entry: &Entry<'m>, used: &BTreeSet<u32>) {
        let module = self.module();
        for &id in used {
            let Some(&global) = module.globals.get(&id).filter(|global| global.class == StorageClass::Output) else {
                continue;
            };
            self.at = global.at;
            let part = self.variable_part(id);
            let Some(shape) = module.shape(global.ty) else {
                self.refuse(RefusalKind::Types { what: module.type_name(global.ty) });
                continue;
            };
            if shape.leaves() > MOST_PARTS {
                let what = format!("an output has more than {MOST_PARTS} parts");
                self.refuse(RefusalKind::Limit { what });
                continue;
            }
            let indexed = super::pointer::has_array(&shape) && self.is_indexed_anywhere(id);
            let name = Some(part.name.as_str()).filter(|name| !name.is_empty());
            let variable = self.lifting.declare(&shape, name, indexed);
            self.globals.insert(id, variable);
            if global.init != 0 {
                let value = self.value(global.init);
                self.lifting.store(variable, &[], &value);
            }
            let written = self.is_written(entry.function, id);
            self.outputs_of(global.ty, &part, variable, &mut Few::new(), &written);
        }
        if self.kind == FunctionKind::Vertex && !self.outputs.iter().any(|output| output.kind == OutputKind::Position) {
            self.declare_position();
        }
    }

    /// Adds a position to a vertex function that writes none. In SPIR-V, its position is undefined; in the format, each vertex function has
    /// one.
    fn declare_position(&mut self) {
        self.shared.assumptions.insert(Assumption::NoPosition);
        let variable = self.lifting.declare(&Shape::One(Type::FLOAT4), None, false);
        let part = Part {
            builtin: Some(rspirv::spirv::BuiltIn::Position as u32),
            name: "position".to_string(),
            ..Part::default()
        };
        self.output_value(Type::FLOAT4, &part, variable, &Few::new());
    }

    /// Returns the members of an output block that the functions of an entry point write; `None` stands for all.
    fn is_written(&self, entry: u32, variable: u32) -> Option<BTreeSet<u32>> {
        let module = self.module();
        let mut members = BTreeSet::new();
        for function in module.reachable(entry) {
            let blocks = module.functions.get(&function).map(|of| of.blocks.as_slice()).unwrap_or_default();
            for inst in blocks.iter().flat_map(|block| &block.insts) {
                match (inst.op, inst.args) {
                    (Op::AccessChain | Op::InBoundsAccessChain, &[base, first, ..]) if base == variable => {
                        members.insert(module.int(first, 0)?);
                    }
                    (Op::Load | Op::Store | Op::CopyObject | Op::CopyMemory, args)
                        if args.iter().take(2).any(|&id| id == variable) =>
                    {
                        return None;
                    }
                    (Op::FunctionCall | Op::ExtInst, args) if args.contains(&variable) => return None,
                    _ => {}
                }
            }
        }
        Some(members)
    }

    fn outputs_of(
        &mut self,
        ty: u32,
        part: &Part,
        variable: usize,
        steps: &mut Few<Step>,
        written: &Option<BTreeSet<u32>>,
    ) {
        let module = self.module();
        match module.types.get(&ty) {
            Some(Ty::Struct(members)) if steps.len() < 64 => {
                let mut before = 0;
                for (number, &member) in (0..).zip(members) {
                    let mut inner = self.member_part(part, ty, number, before);
                    before = before.saturating_add(locations(module, member, 0));
                    // Built-in outputs that nothing writes need not exist; compilers declare all of gl_PerVertex.
                    let is_missing = written.as_ref().is_some_and(|written| !written.contains(&number));
                    let own = inner.builtin;
                    if is_missing && own.is_some() && own.and_then(BuiltIn::numbered) != Some(BuiltIn::Position) {
                        continue;
                    }
                    if own.is_some() {
                        inner.name = module.member_name(ty, number);
                    }
                    steps.push(Step::Known(number));
                    self.outputs_of(member, &inner, variable, steps, &None);
                    steps.pop();
                }
            }
            Some(&Ty::Array { element, length, .. }) if steps.len() < 64 => {
                let length = module.length(length).unwrap_or(0).min(256);
                let each = locations(module, element, 0);
                let is_clip = part.builtin.and_then(BuiltIn::numbered) == Some(BuiltIn::ClipDistance);
                for number in 0..length {
                    let location = part.location.map(|location| location.saturating_add(number.saturating_mul(each)));
                    let name = match (length, is_clip) {
                        (1, true) => part.name.clone(),
                        _ if part.name.is_empty() => String::new(),
                        _ => format!("{}_{number}", part.name),
                    };
                    steps.push(Step::Known(number));
                    if is_clip {
                        let name = self.output_name(&name, format!("clip_distance{number}"));
                        let kind = OutputKind::ClipDistance { index: number };
                        let own = OutputPart { component: 0, variable, steps: steps.clone() };
                        self.output(FunctionOutput { ty: Type::FLOAT, name, kind }, own, None);
                    } else {
                        let inner = Part { location, name, ..part.clone() };
                        self.outputs_of(element, &inner, variable, steps, &None);
                    }
                    steps.pop();
                }
            }
            Some(&Ty::Value(Type::Matrix { columns, rows })) => {
                for column in 0..u32::from(columns) {
                    let location = part.location.map(|location| location.saturating_add(column));
                    let inner = Part { location, name: format!("{}_{column}", part.name), ..part.clone() };
                    steps.push(Step::Known(column));
                    self.output_value(Type::floats(rows), &inner, variable, steps);
                    steps.pop();
                }
            }
            Some(&Ty::Value(own)) => self.output_value(own, part, variable, steps),
            _ => self.refuse(RefusalKind::Types { what: module.type_name(ty) }),
        }
    }

    fn output_value(&mut self, ty: Type, part: &Part, variable: usize, steps: &Few<Step>) {
        if self.tests_early && part.builtin.and_then(BuiltIn::numbered) == Some(BuiltIn::FragDepth) {
            return;
        }
        let pack = self.pack(part, StorageClass::Output).map(|(_, pack)| pack);
        let own = OutputPart { component: part.component, variable, steps: steps.clone() };
        let (ty, part) = pack.as_ref().map_or((ty, part), |pack| (pack.ty(), &pack.part));
        match self.output_kind(part, ty) {
            Ok(kind) => {
                let packed = pack.as_ref().map(Pack::ty);
                let known = self.outputs.iter_mut().find(|output| packed.is_some() && output.kind == kind);
                if let Some(known) = known {
                    return known.parts.push(own);
                }
                let default = match kind {
                    OutputKind::Position => "position".to_string(),
                    OutputKind::Varying { location, .. } => format!("v{location}"),
                    OutputKind::Colour { target } => format!("colour{target}"),
                    OutputKind::Depth => "depth".to_string(),
                    OutputKind::PointSize => "point_size".to_string(),
                    OutputKind::ClipDistance { .. } | OutputKind::Returned => String::new(),
                };
                let name = self.output_name(&part.name, default);
                if part.is_invariant {
                    self.lose(Guarantee::Invariant { output: name.clone() });
                }
                let ty = match ty {
                    Type::Vector(Scalar::Half, width) => Type::floats(width),
                    ty => ty,
                };
                let ty = match (kind, ty) {
                    (OutputKind::Colour { .. }, Type::Vector(scalar, _)) => Type::Vector(scalar, 4),
                    _ => ty,
                };
                self.output(FunctionOutput { ty, name, kind }, own, packed);
            }
            Err(name) => self.refuse_interface(name),
        }
    }

    fn output(&mut self, output: FunctionOutput, part: OutputPart, packed: Option<Type>) {
        let kind = output.kind;
        let index = self.lifting.builder.output(output);
        self.outputs.push(Output { index, kind, parts: vec![part], packed });
    }

    /// Returns the value of an output at the end of the entry function.
    fn output_part(&mut self, output: &Output) -> Id {
        let parts =
            output.parts.iter().map(|part| (part.component, self.lifting.load(part.variable, &part.steps).one()));
        let parts: Vec<(u32, Id)> = parts.collect();
        match (output.packed, parts.as_slice()) {
            (None, &[(_, whole)]) => whole,
            (ty, parts) => self.packed(ty.unwrap_or(Type::FLOAT), parts),
        }
    }

    /// Returns the name of an output: its own, or the default if it has none or another output has the same name.
    fn output_name(&mut self, own: &str, default: String) -> String {
        let base = if own.is_empty() || self.output_names.contains(own) { default } else { own.to_string() };
        let (mut name, mut number) = (base.clone(), 1);
        while !name.is_empty() && !self.output_names.insert(name.clone()) {
            number += 1;
            name = format!("{base}_{number}");
        }
        name
    }

    fn output_kind(&self, part: &Part, ty: Type) -> Result<OutputKind, String> {
        // In a vertex function, these have no effect.
        let is_idle = |lacks: &Decoration| {
            self.kind == FunctionKind::Vertex && matches!(lacks, Decoration::Centroid | Decoration::Sample)
        };
        if let Some(lacks) = part.lacks.filter(|lacks| !is_idle(lacks)) {
            return Err(format!("output with the decoration {lacks:?}"));
        }
        if let Some(builtin) = part.builtin {
            let (kind, own) = match (BuiltIn::numbered(builtin), self.kind) {
                (Some(BuiltIn::Position), FunctionKind::Vertex) => (OutputKind::Position, Type::FLOAT4),
                (Some(BuiltIn::PointSize), FunctionKind::Vertex) => (OutputKind::PointSize, Type::FLOAT),
                (Some(BuiltIn::FragDepth), FunctionKind::Fragment) => (OutputKind::Depth, Type::FLOAT),
                _ => return Err(format!("output {}", built_in_name(builtin))),
            };
            return if ty == own { Ok(kind) } else { Err(format!("output {kind:?} of type {ty}")) };
        }
        let Some(location) = part.location else { return Err("output without a location".to_string()) };
        if part.component != 0 {
            return Err("output that begins at a component other than the first".to_string());
        }
        match self.kind {
            FunctionKind::Vertex => Ok(OutputKind::Varying { location, interpolation: interpolation(part, ty) }),
            FunctionKind::Fragment => match ty {
                Type::Vector(Scalar::Float | Scalar::Half | Scalar::Int | Scalar::Uint, _) => {
                    Ok(OutputKind::Colour { target: location })
                }
                _ => Err(format!("colour of type {ty}")),
            },
            _ => Err("output in a compute function".to_string()),
        }
    }

    /// Writes the outputs and ends the entry function. If `is_end`, the function ends here and needs no RETURN.
    pub(super) fn end_entry(&mut self, is_end: bool) {
        if let Some(flag) = self.demoted {
            let demoted = self.lifting.read_flag(flag);
            self.lifting.builder.open();
            self.lifting.builder.discard();
            let accept = self.lifting.builder.close();
            self.lifting.builder.branch(demoted, accept, Default::default());
        }
        for output in self.outputs.clone() {
            if !self.step() {
                return;
            }
            let value = self.output_part(&output);
            let value = match output.kind {
                OutputKind::Colour { .. } => self.lifting.colour(value),
                OutputKind::Position => self.position(value),
                _ if self.lifting.scalar_of(value) == Scalar::Half => self.lifting.convert(value, Scalar::Float),
                _ => value,
            };
            self.lifting.builder.poke(output.index, value);
        }
        if !is_end {
            self.lifting.builder.return_nothing();
            self.lifting.jumped();
        }
    }

    /// Converts a position from the module's coordinate system to the format's.
    fn position(&mut self, position: Id) -> Id {
        let of = |lane| Lane { value: position, lane };
        let whole = |value| Lane { value, lane: 0 };
        match self.shared.convention {
            Convention::Vulkan => {
                let y = self.lifting.component(position, 1);
                let up = self.lifting.builder.negate(y);
                self.lifting.builder.gather(&[of(0), whole(up), of(2), of(3)])
            }
            Convention::OpenGl => {
                let [z, w] = [2, 3].map(|component| self.lifting.component(position, component));
                let sum = self.lifting.builder.add(z, w);
                let half = self.lifting.builder.float(0.5);
                let z = self.lifting.builder.multiply(sum, half);
                self.lifting.builder.gather(&[of(0), of(1), whole(z), of(3)])
            }
            _ => position,
        }
    }
}

/// Returns the interpolation of a varying. Integers are never interpolated.
fn interpolation(part: &Part, ty: Type) -> Interpolation {
    let is_float = matches!(ty, Type::Vector(Scalar::Float | Scalar::Half, _));
    if is_float { part.interpolation.unwrap_or_default() } else { Interpolation::Flat }
}

//! Supplies the same inputs to a module and to its output. The inputs are numbers derived from a seed, the kind of the input, and
//! its location or binding.
//!
//! WGSL identifies resources only by their bindings, so this file assigns bindings in the same way as backends/src/lower.rs.

use std::collections::{BTreeMap, HashMap};

use naga::{Binding, BuiltIn, ShaderStage, TypeInner};
use sdlbc::{Builtin, FunctionKind, Id, InputKind, Module, Scalar, Type};
use testing::Random;

use laws::shader::{self, Level};

/// Removes unreachable code, because a function that only unreachable code calls has no bindings.
fn reached(module: &Module) -> Module {
    fn copy(block: sdlbc::Block<'_>, reached: &mut sdlbc::Body) {
        for inst in block {
            let at = reached.open(inst.inst().clone());
            for block in inst.blocks() {
                copy(block, reached);
                reached.end_block(at);
            }
            if !sdlbc::flow::passes(inst) {
                return;
            }
        }
    }
    let mut module = module.clone();
    for function in &mut module.functions {
        let body = std::mem::take(&mut function.body);
        copy(body.block(), &mut function.body);
    }
    module
}

pub(crate) struct Given {
    seed: u64,
    stage: FunctionKind,
    /// The binding of each uniform, keyed by the function's index and the uniform's id.
    bindings: HashMap<(usize, Id), u32>,
    types: HashMap<u32, Type>,
    /// The offset of each uniform that has a place in a buffer, keyed by the function's index and the uniform's id.
    offsets: HashMap<(usize, Id), u32>,
    /// The types of each buffer's uniforms, keyed by the buffer's binding and then by offset.
    slots: HashMap<u32, BTreeMap<u32, Type>>,
}

impl Given {
    pub(crate) fn new(module: &Module, stage: FunctionKind, seed: u64) -> Given {
        let (bindings, types, offsets, slots) = Default::default();
        let mut given = Given { seed, stage, bindings, types, offsets, slots };
        given.bind(&reached(module));
        given
    }

    /// Assigns bindings to the uniforms of each stage. A buffer's binding follows from its slot, and uniforms without a place in
    /// a buffer get the slots after the last buffer. Slot 0 has binding 0 or 1, and all other slots have bindings after the
    /// textures' bindings. In a stage, uniforms with the same name share a binding.
    fn bind(&mut self, module: &Module) {
        let mut taken: HashMap<FunctionKind, u32> = HashMap::new();
        let mut named: HashMap<(FunctionKind, String), u32> = HashMap::new();
        for (entry, function) in module.functions.iter().enumerate() {
            if function.kind == FunctionKind::Generic {
                continue;
            }
            let stage = function.kind;
            let numbered = |index: u32| {
                let place = 2 * index + u32::from(stage == FunctionKind::Fragment);
                if index == 0 { place } else { 4 * sdlbc::limits::PLACES + place }
            };
            let reached: Vec<usize> = [entry].into_iter().chain(sdlbc::call_order(module, entry)).collect();
            for &index in &reached {
                for input in &module.functions[index].inputs {
                    let InputKind::Placed { slot, offset } = input.kind else { continue };
                    let after = taken.entry(stage).or_insert(0);
                    *after = (*after).max(slot + 1);
                    if stage == self.stage {
                        self.bindings.insert((index, input.id), numbered(slot));
                        self.offsets.insert((index, input.id), offset);
                        self.slots.entry(numbered(slot)).or_default().insert(offset, input.ty);
                    }
                }
            }
            for index in reached {
                for input in module.functions[index].inputs.iter().filter(|input| input.kind == InputKind::Uniform) {
                    let known = named.get(&(stage, input.name.clone())).filter(|_| !input.name.is_empty());
                    let binding = known.copied().unwrap_or_else(|| {
                        let index = taken.entry(stage).or_insert(0);
                        let binding = numbered(*index);
                        *index += 1;
                        named.insert((stage, input.name.clone()), binding);
                        binding
                    });
                    if stage == self.stage {
                        self.bindings.insert((index, input.id), binding);
                        self.types.insert(binding, input.ty);
                    }
                }
            }
        }
    }

    pub(crate) fn binding(&self, function: usize, id: Id) -> Option<u32> {
        self.bindings.get(&(function, id)).copied()
    }

    /// Returns a component of the input at `place`, usually a small or round number.
    fn word(&self, place: (u32, u32), component: usize, scalar: Scalar) -> u32 {
        let key = u64::from(place.0) << 48 | u64::from(place.1) << 24 | component as u64;
        let mut random = Random(self.seed.wrapping_mul(0x1_0001) ^ key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        match scalar {
            Scalar::Bool => u32::from(random.below(2) == 0),
            Scalar::Int | Scalar::Uint => match random.below(8) {
                0 => u32::try_from(random.next() >> 32).unwrap_or(0),
                1 => u32::MAX,
                _ => u32::try_from(random.below(9)).unwrap_or(0),
            },
            Scalar::Float | Scalar::Half => {
                let number = match random.below(4) {
                    0 => random.below(5) as f32 - 1.0,
                    1 => random.below(17) as f32 / 8.0 - 1.0,
                    _ => (random.next() >> 40) as f32 / (1u64 << 24) as f32 * 4.0 - 2.0,
                };
                if scalar == Scalar::Half { shader::to_half(number).to_bits() } else { number.to_bits() }
            }
        }
    }

    fn vector(&self, place: (u32, u32), first: usize, scalar: Scalar, width: u8) -> Vec<u32> {
        (0..usize::from(width)).map(|component| self.word(place, first + component, scalar)).collect()
    }

    /// Returns the words of a function's input, with the elements of an array or the columns of a matrix in order.
    pub(crate) fn input(&self, function: usize, id: Id, kind: InputKind, ty: Type) -> Vec<u32> {
        let place = match kind {
            InputKind::Attribute { location } | InputKind::Varying { location, .. } => (1, location),
            InputKind::Builtin(builtin) => (2, builtin as u32),
            InputKind::Uniform => (3, self.bindings[&(function, id)]),
            InputKind::Placed { offset, .. } => (4 + offset, self.bindings[&(function, id)]),
            other => panic!("{other:?} has no input value"),
        };
        self.words(place, ty)
    }

    fn words(&self, place: (u32, u32), ty: Type) -> Vec<u32> {
        match ty {
            Type::Vector(scalar, width) => self.vector(place, 0, scalar, width),
            Type::Matrix { columns, rows } => {
                (0..columns).flat_map(|c| self.vector(place, 4 * usize::from(c), Scalar::Float, rows)).collect()
            }
            Type::Array(scalar, width, length) => {
                (0..length as usize).flat_map(|at| self.vector(place, 4 * at, scalar, width)).collect()
            }
            Type::Texture(..) | Type::Buffer(..) | Type::Image(..) => panic!("{ty} is not one value"),
        }
    }

    /// Returns the contents of a uniform buffer, with zeros in the padding.
    fn buffer(&self, module: &naga::Module, ty: naga::Handle<naga::Type>, binding: u32) -> shader::Value {
        let TypeInner::Struct { members, .. } = &module.types[ty].inner else { panic!("a buffer is a structure") };
        if let [only] = &members[..]
            && matches!(module.types[only.ty].inner, TypeInner::Struct { .. })
        {
            return shader::Value::Many(vec![self.buffer(module, only.ty, binding)]);
        }
        let of = |member: &naga::StructMember| match self.slots[&binding].get(&member.offset) {
            Some(&ty) => value(module, member.ty, &self.words((4 + member.offset, binding), ty)),
            None => shader::zero(module, member.ty),
        };
        shader::Value::Many(members.iter().map(of).collect())
    }

    pub(crate) fn sizes(slot: u32, level: i32) -> [u32; 3] {
        let level = level.cast_unsigned() & 7;
        [100 * slot + level + 1, 100 * slot + 2 * level + 2, 100 * slot + 3 * level + 3]
    }

    pub(crate) fn texel(&self, slot: u32, coordinate: &[f32], level: &Level) -> [f32; 4] {
        let (way, more): (f32, Vec<f32>) = match level {
            Level::Auto => (0.0, vec![]),
            Level::Bias(bias) => (1.0, vec![*bias]),
            Level::Exact(level) => (2.0, vec![*level]),
            Level::Gradient(x, y) => (3.0, x.iter().chain(y).copied().collect()),
            Level::Fetched(level) => (4.0, vec![*level as f32]),
            Level::Gathered(component) => (5.0 + *component as f32, vec![]),
            Level::Compared(reference) => (9.0, vec![*reference]),
            Level::Reference(reference, implicit) => (if *implicit { 10.0 } else { 11.0 }, vec![*reference]),
        };
        let all = coordinate.iter().chain(&more).enumerate();
        let sum = all.fold(slot as f32 * 0.25 + way * 0.1, |sum, (at, c)| sum + c * (1.0 - at as f32 * 0.11));
        let wave = |k: f32| sum * k - (sum * k).floor();
        [wave(1.0), wave(0.5), 1.0 - wave(1.0) * 0.5, wave(0.25)]
    }

    pub(crate) fn ddx(&self, value: f32) -> f32 {
        value * 0.25
    }

    pub(crate) fn ddy(&self, value: f32) -> f32 {
        value * -0.5
    }
}

fn component(scalar: naga::Scalar, word: u32) -> shader::Value {
    match scalar {
        naga::Scalar { kind: naga::ScalarKind::Float, width: 2 } => shader::Value::Half(f32::from_bits(word)),
        naga::Scalar { kind: naga::ScalarKind::Float, .. } => shader::Value::Float(f32::from_bits(word)),
        naga::Scalar { kind: naga::ScalarKind::Sint, .. } => shader::Value::Int(word.cast_signed()),
        naga::Scalar { kind: naga::ScalarKind::Uint, .. } => shader::Value::Uint(word),
        naga::Scalar { kind: naga::ScalarKind::Bool, .. } => shader::Value::Bool(word != 0),
        other => panic!("{other:?}"),
    }
}

/// Converts words to a value of a type. Missing components of a vector become NaNs.
fn value(module: &naga::Module, ty: naga::Handle<naga::Type>, words: &[u32]) -> shader::Value {
    let many = |scalar: naga::Scalar, words: &[u32]| {
        shader::Value::Many(words.iter().map(|&word| component(scalar, word)).collect())
    };
    match module.types[ty].inner {
        TypeInner::Scalar(scalar) => component(scalar, words[0]),
        TypeInner::Vector { size, scalar } => {
            let filled: Vec<u32> = words.iter().copied().chain([0x7fc0_0000; 4]).take(size as usize).collect();
            many(scalar, &filled)
        }
        TypeInner::Matrix { columns, rows, scalar } => {
            // In a uniform buffer, each column of a matrix member occupies four words.
            let (columns, rows) = (columns as usize, rows as usize);
            let apart = if words.len() >= 4 * columns { 4 } else { rows };
            let columns = words.chunks(apart).take(columns).map(|column| many(scalar, &column[..rows]));
            shader::Value::Many(columns.collect())
        }
        TypeInner::Array { base, size: naga::ArraySize::Constant(length), .. } => {
            let length = length.get() as usize;
            // In a uniform buffer, the words of an array member are followed by the words of other members.
            let elements = words.chunks((words.len() / length).min(4)).take(length);
            shader::Value::Many(elements.map(|element| value(module, base, element)).collect())
        }
        // The structure contains named constants or, in SPIR-V that naga wrote, the columns of a matrix with two rows.
        TypeInner::Struct { ref members, .. } if members.len() > 1 => {
            let from = |offset: u32| &words[offset as usize / 4..];
            shader::Value::Many(members.iter().map(|member| value(module, member.ty, from(member.offset))).collect())
        }
        // naga wraps each uniform in a structure.
        TypeInner::Struct { ref members, .. } if members.len() == 1 => {
            shader::Value::Many(vec![value(module, members[0].ty, words)])
        }
        ref other => panic!("{other:?} has no input value"),
    }
}

fn type_of(module: &naga::Module, ty: naga::Handle<naga::Type>) -> Type {
    let scalar = |scalar: naga::Scalar| match (scalar.kind, scalar.width) {
        (naga::ScalarKind::Float, 2) => Scalar::Half,
        (naga::ScalarKind::Float, _) => Scalar::Float,
        (naga::ScalarKind::Sint, _) => Scalar::Int,
        (naga::ScalarKind::Uint, _) => Scalar::Uint,
        _ => Scalar::Bool,
    };
    match module.types[ty].inner {
        TypeInner::Scalar(of) => Type::Vector(scalar(of), 1),
        TypeInner::Vector { size, scalar: of } => Type::Vector(scalar(of), size as u8),
        ref other => panic!("{other:?} is not the type of an input"),
    }
}

impl Given {
    fn bound(&self, module: &naga::Module, ty: naga::Handle<naga::Type>, binding: Option<&Binding>) -> shader::Value {
        let kind = match binding {
            Some(&Binding::Location { location, .. }) => InputKind::Attribute { location },
            Some(Binding::BuiltIn(builtin)) => InputKind::Builtin(match builtin {
                BuiltIn::VertexIndex => Builtin::VertexIndex,
                BuiltIn::InstanceIndex => Builtin::InstanceIndex,
                BuiltIn::Position { .. } => Builtin::FragmentCoordinate,
                BuiltIn::FrontFacing => Builtin::FrontFacing,
                BuiltIn::PointCoord => Builtin::PointCoordinate,
                other => panic!("an argument {other:?}"),
            }),
            None => panic!("an argument without binding"),
        };
        let words = self.input(0, Id::NONE, kind, type_of(module, ty));
        value(module, ty, &words)
    }
}

impl shader::Given for Given {
    fn argument(&self, module: &naga::Module, _: ShaderStage, argument: &naga::FunctionArgument) -> shader::Value {
        match &module.types[argument.ty].inner {
            // In WGSL, named attributes are members of a structure.
            TypeInner::Struct { members, .. } => {
                let members = members.iter().map(|member| self.bound(module, member.ty, member.binding.as_ref()));
                shader::Value::Many(members.collect())
            }
            _ => self.bound(module, argument.ty, argument.binding.as_ref()),
        }
    }

    fn uniform(&self, module: &naga::Module, variable: &naga::GlobalVariable) -> shader::Value {
        let binding = variable.binding.as_ref().map(|at| at.binding).expect("a binding");
        if self.slots.contains_key(&binding) {
            return self.buffer(module, variable.ty, binding);
        }
        // The stage does not read the uniforms of the other stage.
        let Some(&ty) = self.types.get(&binding) else { return shader::zero(module, variable.ty) };
        value(module, variable.ty, &self.words((3, binding), ty))
    }

    fn texel(&self, texture: &naga::GlobalVariable, coordinate: &[f32], level: &Level) -> [f32; 4] {
        let binding = texture.binding.as_ref().map(|at| at.binding).expect("a binding");
        let first = if self.stage == FunctionKind::Vertex { 2 + 2 * sdlbc::limits::PLACES } else { 2 };
        self.texel((binding - first) / 2, coordinate, level)
    }

    fn sizes(&self, texture: &naga::GlobalVariable, level: i32) -> [u32; 3] {
        let binding = texture.binding.as_ref().map(|at| at.binding).expect("a binding");
        let first = if self.stage == FunctionKind::Vertex { 2 + 2 * sdlbc::limits::PLACES } else { 2 };
        Given::sizes((binding - first) / 2, level)
    }

    fn ddx(&self, value: f32) -> f32 {
        self.ddx(value)
    }

    fn ddy(&self, value: f32) -> f32 {
        self.ddy(value)
    }
}

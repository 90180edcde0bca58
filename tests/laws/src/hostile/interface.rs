//! A module without its code: its functions, the calls that are allowed between the functions, and the functions' inputs and
//! outputs.

use std::collections::{BTreeMap, BTreeSet};

use sdlbc::{
    Builtin, FunctionKind, FunctionOutput, Id, Input, InputKind, Interpolation, OutputKind, Sampler, Scalar, Type,
    limits,
};

use super::choices::Choices;
use super::mood::Mood;
use super::names::Names;

/// The structure of a module, which is decided before any code is built.
pub(super) struct Plan {
    pub(super) mood: Mood,
    pub(super) names: Names,
    pub(super) functions: Vec<Sketch>,
    /// The order in which functions are built. Each function may call functions that come earlier in the order.
    pub(super) order: Vec<usize>,
}

/// A function without its code.
pub(super) struct Sketch {
    pub(super) kind: FunctionKind,
    pub(super) name: String,
    /// Whether the function may use features that are allowed only in fragment functions.
    pub(super) of_fragments: bool,
    /// Whether the function's code consists of little more than two calls of the previous function.
    pub(super) is_diamond: bool,
    /// The inputs, which have no ids yet.
    pub(super) inputs: Vec<Input>,
    pub(super) outputs: Vec<FunctionOutput>,
}

/// Returns a scalar or vector type.
pub(super) fn vector(choices: &mut Choices<'_>) -> Type {
    let scalar = choices.one(&[Scalar::Float, Scalar::Int, Scalar::Uint, Scalar::Bool, Scalar::Float, Scalar::Half]);
    Type::Vector(common(choices, scalar), choices.one(&[1, 4, 2, 3]))
}

/// Returns the component type, or float instead of half if the module must suit every target.
pub(super) fn common(choices: &Choices<'_>, scalar: Scalar) -> Scalar {
    if choices.is_common && scalar == Scalar::Half { Scalar::Float } else { scalar }
}

/// Returns a numeric scalar or vector type.
fn numbers(choices: &mut Choices<'_>) -> Type {
    match vector(choices) {
        Type::Vector(Scalar::Bool, width) => Type::Vector(Scalar::Uint, width),
        ty => ty,
    }
}

/// Returns a type of 32-bit numbers, which attributes and varyings require.
fn carried(choices: &mut Choices<'_>) -> Type {
    match numbers(choices) {
        Type::Vector(Scalar::Half, width) => Type::floats(width),
        ty => ty,
    }
}

pub(super) fn matrix(choices: &mut Choices<'_>) -> Type {
    Type::Matrix { columns: choices.one(&[4, 2, 3]), rows: choices.one(&[4, 2, 3]) }
}

/// Returns a scalar, vector or matrix type.
pub(super) fn any_value(choices: &mut Choices<'_>) -> Type {
    if choices.once_in(6) { matrix(choices) } else { vector(choices) }
}

fn length(choices: &mut Choices<'_>) -> u32 {
    choices.one(&[1, 2, 3, 1, 5, 16, 63, 128])
}

fn sampler(choices: &mut Choices<'_>) -> Sampler {
    let byte = |choices: &mut Choices<'_>, bound| u8::try_from(choices.below(bound)).unwrap_or(0);
    Sampler {
        filter: byte(choices, 6),
        mip: byte(choices, 3),
        wrap_u: byte(choices, 2),
        wrap_v: byte(choices, 2),
        format: byte(choices, 4),
        special: byte(choices, 8),
        bias: choices.one(&[0, 1, -1, i8::MIN, i8::MAX]),
    }
}

/// The uniforms and textures of one stage.
#[derive(Clone, Default)]
struct Pool {
    uniforms: Vec<(String, Type, InputKind)>,
    textures: Vec<(u32, Type, Sampler)>,
    /// The lowest byte offset in use in each uniform slot. Uniforms are placed from the end of the buffer downward.
    lowest: BTreeMap<u32, u32>,
}

impl Pool {
    fn add(&mut self, choices: &mut Choices<'_>, names: &Names) {
        let mut taken: BTreeSet<String> = self.uniforms.iter().map(|(name, ..)| name.clone()).collect();
        for _ in 0..choices.below(4) {
            let ty = match choices.below(4) {
                0 => numbers(choices),
                1 => matrix(choices),
                2 => Type::FLOAT4,
                _ => match numbers(choices) {
                    Type::Vector(scalar, width) => Type::Array(scalar, width, length(choices)),
                    ty => ty,
                },
            };
            let name = names.fresh(choices, &mut taken);
            let is_placed = !name.is_empty() && choices.once_in(4);
            let kind = if is_placed { self.place(choices, ty) } else { InputKind::Uniform };
            self.uniforms.push((name, ty, kind));
        }
        let many = choices.once_in(24);
        for _ in 0..if many { 64 } else { choices.below(3) } {
            let slot = choices.one(&[0, 1, 7, 15, 16, 62, 63]);
            let slot = if many { u32::try_from(self.textures.len()).unwrap_or(0) % limits::PLACES } else { slot };
            if self.textures.iter().all(|&(taken, ..)| taken != slot) {
                let types = match choices.below(3) {
                    0 => &Type::TEXTURES[..Type::FIRST_TEXTURES],
                    1 => Type::TEXTURES,
                    // The last four texture types are depth textures.
                    _ => &Type::TEXTURES[Type::TEXTURES.len() - 4..],
                };
                self.textures.push((slot, choices.one(types), sampler(choices)));
            }
        }
    }

    fn place(&mut self, choices: &mut Choices<'_>, ty: Type) -> InputKind {
        let (bytes, alignment) = match ty {
            Type::Matrix { rows: 2, .. } | Type::Texture(..) | Type::Buffer(..) | Type::Image(..) => {
                return InputKind::Uniform;
            }
            Type::Matrix { columns, .. } => (16 * u32::from(columns), 16),
            Type::Array(_, _, length) => (length.saturating_mul(16), 16),
            Type::Vector(scalar, width) => {
                let one = if scalar == Scalar::Half { 2 } else { 4 };
                (one * u32::from(width), one * [1, 2, 4, 4].get(usize::from(width) - 1).copied().unwrap_or(4))
            }
        };
        let slot = choices.one(&[0, 5, limits::PLACES - 1]);
        let lowest = self.lowest.entry(slot).or_insert(limits::BUFFER);
        let Some(offset) = lowest.checked_sub(bytes) else { return InputKind::Uniform };
        *lowest = offset / alignment * alignment;
        InputKind::Placed { slot, offset: *lowest }
    }
}

/// The type and interpolation of each varying, keyed by location.
type Varyings = BTreeMap<u32, (Type, Interpolation)>;

impl Plan {
    pub(super) fn new(choices: &mut Choices<'_>, mood: Mood) -> Plan {
        choices.is_common = choices.once_in(2);
        let names = Names::new(choices);
        let mut slots = limits::SLOTS;
        let mut both = Pool::default();
        both.add(choices, &names);
        let [mut of_vertices, mut of_fragments] = [both.clone(), both.clone()];
        of_vertices.add(choices, &names);
        of_fragments.add(choices, &names);
        let varyings = varyings(choices, mood);
        let mut taken = BTreeSet::new();
        let generic = match choices.below(8) {
            0..=2 => 0,
            3 | 4 => 1 + choices.below(3),
            5 => 8,
            6 => 3,
            // Each function calls the previous function twice. The code is therefore short, but its running time is exponential.
            _ => choices.one(&[9, 14, 30, 60]),
        };
        let is_diamond = mood == Mood::Wild && generic > 8;
        let mut kinds = vec![FunctionKind::Generic; generic];
        let entries: &[FunctionKind] = match choices.below(4) {
            0 => &[FunctionKind::Fragment],
            1 => &[FunctionKind::Vertex],
            _ => &[FunctionKind::Vertex, FunctionKind::Fragment],
        };
        for &entry in entries {
            kinds.insert(choices.below(kinds.len() + 1), entry);
        }
        let mut functions = Vec::new();
        for kind in kinds {
            let of_fragments_alone =
                kind == FunctionKind::Fragment || kind == FunctionKind::Generic && choices.once_in(2);
            let name = if kind == FunctionKind::Generic {
                names.fresh(choices, &mut taken)
            } else {
                names.non_empty(choices, &mut taken)
            };
            let pool = match kind {
                FunctionKind::Vertex => &of_vertices,
                FunctionKind::Fragment => &of_fragments,
                FunctionKind::Generic | FunctionKind::Compute => &both,
            };
            let mut sketch = Sketch {
                kind,
                name,
                of_fragments: of_fragments_alone,
                is_diamond: is_diamond && kind == FunctionKind::Generic,
                inputs: Vec::new(),
                outputs: Vec::new(),
            };
            sketch.add_interface(choices, &names, pool, &varyings, &mut slots);
            functions.push(sketch);
        }
        let order = order(choices, &functions);
        Plan { mood, names, functions, order }
    }
}

/// Returns the order in which functions are built: generic functions in any order, followed by the entry functions.
fn order(choices: &mut Choices<'_>, functions: &[Sketch]) -> Vec<usize> {
    let of_kind =
        |entry: bool| (0..functions.len()).filter(move |&at| (functions[at].kind != FunctionKind::Generic) == entry);
    let mut order: Vec<usize> = of_kind(false).collect();
    match choices.below(3) {
        0 => {}
        1 => order.reverse(),
        _ => (1..order.len()).for_each(|at| order.swap(at, choices.below(at + 1))),
    }
    order.extend(of_kind(true));
    order
}

fn varyings(choices: &mut Choices<'_>, mood: Mood) -> Varyings {
    let many = mood == Mood::Wild && choices.once_in(24);
    let mut varyings = Varyings::new();
    for at in 0..if many { limits::PLACES } else { 5 } {
        let location = if many { at } else { choices.one(&[0, 1, 2, 9, 31, 63]) };
        let ty = carried(choices);
        let any = if choices.is_common {
            [Interpolation::Flat, Interpolation::Perspective]
        } else {
            [Interpolation::Linear, Interpolation::Flat]
        };
        let interpolation = if ty.is_float() { choices.one(&any) } else { Interpolation::Flat };
        varyings.insert(location, (ty, interpolation));
    }
    varyings
}

impl Sketch {
    fn add_interface(
        &mut self,
        choices: &mut Choices<'_>,
        names: &Names,
        pool: &Pool,
        varyings: &Varyings,
        slots: &mut usize,
    ) {
        let mut all: Vec<(InputKind, Type, String)> = Vec::new();
        let mut outputs: Vec<(OutputKind, Type)> = Vec::new();
        let own = String::new;
        let some = |choices: &mut Choices<'_>, of: usize| of <= 3 || !choices.once_in(3);
        match self.kind {
            FunctionKind::Vertex => {
                for at in 0..choices.one(&[2, 0, 1, 5, 16]) {
                    let location = if choices.once_in(2) { at } else { 63 - at };
                    all.push((InputKind::Attribute { location }, carried(choices), own()));
                }
                for builtin in [Builtin::VertexIndex, Builtin::InstanceIndex] {
                    if choices.once_in(3) {
                        all.push((InputKind::Builtin(builtin), Type::UINT, own()));
                    }
                }
                outputs.push((OutputKind::Position, Type::FLOAT4));
                if choices.once_in(10) && !choices.is_common {
                    outputs.push((OutputKind::PointSize, Type::FLOAT));
                }
                if choices.once_in(8) {
                    for index in 0..choices.one(&[1, 2, 8]) {
                        outputs.push((OutputKind::ClipDistance { index }, Type::FLOAT));
                    }
                }
                for (&location, &(ty, interpolation)) in varyings {
                    if some(choices, varyings.len()) {
                        outputs.push((OutputKind::Varying { location, interpolation }, ty));
                    }
                }
            }
            FunctionKind::Fragment => {
                for (&location, &(ty, interpolation)) in varyings {
                    if some(choices, varyings.len()) {
                        all.push((InputKind::Varying { location, interpolation }, ty, own()));
                    }
                }
                for (builtin, ty) in [
                    (Builtin::FragmentCoordinate, Type::FLOAT4),
                    (Builtin::FrontFacing, Type::BOOL),
                    (Builtin::PointCoordinate, Type::floats(2)),
                ] {
                    let is_point = builtin == Builtin::PointCoordinate;
                    if choices.once_in(if is_point { 12 } else { 3 }) && !(is_point && choices.is_common) {
                        all.push((InputKind::Builtin(builtin), ty, own()));
                    }
                }
                for target in 0..choices.one(&[1, 1, 4, 0, 2, 8]) {
                    let scalar =
                        if choices.once_in(6) { choices.one(&[Scalar::Int, Scalar::Uint]) } else { Scalar::Float };
                    outputs.push((OutputKind::Colour { target }, Type::Vector(scalar, 4)));
                }
                if choices.once_in(4) {
                    outputs.push((OutputKind::Depth, Type::FLOAT));
                }
            }
            // Compute functions are derived from vertex functions (`compute.rs`).
            FunctionKind::Compute => {}
            FunctionKind::Generic => {
                for _ in 0..choices.one(&[1, 0, 2, 4, 3]) {
                    all.push((InputKind::Parameter, any_value(choices), own()));
                }
                if !choices.once_in(4) {
                    outputs.push((OutputKind::Returned, any_value(choices)));
                }
            }
        }
        for (name, ty, kind) in &pool.uniforms {
            if choices.once_in(2) {
                all.push((*kind, *ty, name.clone()));
            }
        }
        for &(slot, ty, sampler) in &pool.textures {
            if choices.once_in(2) {
                all.push((InputKind::Texture { slot, sampler }, ty, own()));
            }
        }
        for _ in 0..choices.one(&[1, 0, 2, 3]) {
            let Type::Vector(scalar, width) = vector(choices) else { continue };
            let length = if choices.once_in(40) { limits::ARRAY_LENGTH } else { length(choices) };
            let components = usize::from(width) * usize::try_from(length).unwrap_or(0);
            // The array is added only if the limit on slots allows it.
            if let Some(left) = slots.checked_sub(components) {
                *slots = left;
                all.push((InputKind::Local, Type::Array(scalar, width, length), own()));
            }
        }
        // Shuffles the inputs, so that no kind always comes first.
        for at in (1..all.len()).rev() {
            all.swap(at, choices.below(at + 1));
        }
        if outputs.len() > 1 && choices.once_in(2) {
            outputs.reverse();
        }
        let mut input_names: Vec<BTreeSet<String>> = vec![BTreeSet::new(); 9];
        for (kind, ty, name) in all {
            let taken = &mut input_names[number_of(kind)];
            let name = if kind.is_uniform() { name } else { names.fresh(choices, taken) };
            self.inputs.push(Input { id: Id::NONE, ty, name, kind });
        }
        let mut taken: Vec<BTreeSet<String>> = vec![BTreeSet::new(); 7];
        for (kind, ty) in outputs {
            let place = match kind {
                OutputKind::Position => 0,
                OutputKind::Varying { .. } => 1,
                OutputKind::Colour { .. } => 2,
                OutputKind::Depth => 3,
                OutputKind::PointSize => 4,
                OutputKind::Returned => 5,
                OutputKind::ClipDistance { .. } => 6,
            };
            self.outputs.push(FunctionOutput { ty, name: names.fresh(choices, &mut taken[place]), kind });
        }
    }

    pub(super) fn returned(&self) -> Option<Type> {
        self.outputs.iter().find(|output| output.kind == OutputKind::Returned).map(|output| output.ty)
    }
}

fn number_of(kind: InputKind) -> usize {
    match kind {
        InputKind::Attribute { .. } => 0,
        InputKind::Varying { .. } => 1,
        InputKind::Uniform | InputKind::Placed { .. } => 2,
        InputKind::Texture { .. } => 3,
        InputKind::Builtin(_) => 4,
        InputKind::Parameter => 5,
        InputKind::Local => 6,
        InputKind::Buffer { .. } => 7,
        InputKind::Shared => 8,
        InputKind::Image { .. } => 9,
    }
}

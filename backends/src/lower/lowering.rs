//! Defines the types for lowering a module to naga: the result of lowering, and the state during lowering.
//!
//! The methods of [`Lowering`] are split by subject into `lower.rs` (entry points and functions), `types.rs`, `clips.rs`,
//! `resources.rs` and `resources/storage.rs`. These files import each other because functions need resources, and resources need
//! types.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use naga::{Expression, GlobalVariable, Handle, LocalVariable, ResourceBinding, ShaderStage};
use sdlbc::{Input, InputKind, Module, OpSet, Types};

use super::blocks::Blocks;
use super::entries::EntryName;
use super::registers::Registers;
use super::stated::Stated;
use crate::atomics::Atomics;
use crate::clip::Clip;
use crate::error::Error;
use crate::features::Features;
use crate::interface::{EntryPoint as Entry, Resource};
use crate::layout::Layout;
use crate::members::Members;
use crate::mend::names::Names;
use crate::versions::Target;

/// A validated naga module, with the data that the target writers need.
#[derive(Debug)]
pub(crate) struct Lowered {
    pub(crate) module: naga::Module,
    pub(crate) info: naga::valid::ModuleInfo,
    /// The names that replace the module's labels in the output.
    pub(crate) names: Names,
    /// The descriptions of the entry points. The names of the entry points are in `entry_names`; labels stand for all other
    /// names.
    pub(crate) entries: Vec<Entry>,
    pub(crate) entry_names: Vec<EntryName>,
    /// The descriptions of the resources, in which labels stand for the final names.
    pub(crate) resources: Vec<Resource>,
    pub(crate) bindings: Vec<Bound>,
    pub(crate) sizes: Vec<Sizes>,
    /// The value to return after a discard, for each function whose discards need a `return`.
    pub(crate) zeroes: HashMap<Body, Option<Handle<Expression>>>,
    /// Whether the output text must disable the check for derivatives in non-uniform control flow.
    pub(crate) diverges: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Body {
    Entry(usize),
    Function(Handle<naga::Function>),
}

impl Body {
    pub(crate) fn of(self, module: &mut naga::Module) -> &mut naga::Function {
        match self {
            Body::Entry(index) => &mut module.entry_points[index].function,
            Body::Function(handle) => &mut module.functions[handle],
        }
    }
}

/// The naga counterpart of a function's input.
#[derive(Clone, Copy, Debug)]
pub(super) enum LoweredInput {
    Argument(u32),
    /// A member of an argument: the argument's index and the member's index.
    Member(u32, u32),
    /// A uniform: its variable, and the member's index if the variable is a structure.
    Uniform(Handle<GlobalVariable>, Option<u32>),
    Texture(Handle<GlobalVariable>, Handle<GlobalVariable>),
    Local(Handle<LocalVariable>),
    /// A storage buffer or a shared array.
    Memory(Handle<GlobalVariable>),
    Image(Handle<GlobalVariable>),
}

/// Reports whether an input is lowered to a global variable.
pub(super) const fn is_resource(input: &Input) -> bool {
    matches!(
        input.kind,
        InputKind::Uniform
            | InputKind::Placed { .. }
            | InputKind::Texture { .. }
            | InputKind::Buffer { .. }
            | InputKind::Shared
            | InputKind::Image { .. }
    )
}

pub(super) struct Lowering<'m> {
    pub(super) target: Target,
    pub(super) features: Features,
    pub(super) layout: &'m Layout,
    pub(super) clip: Clip,
    pub(super) source: &'m Module,
    pub(super) types: &'m [Types],
    pub(super) ops: &'m [OpSet],
    pub(super) members: &'m Members,
    pub(super) atomics: Atomics,
    /// The uniform arrays that become structures, listed for each function. The list is empty if the target keeps all arrays.
    pub(super) registers: Vec<Registers>,
    pub(super) module: naga::Module,
    pub(super) names: Names,
    pub(super) entries: Vec<Entry>,
    pub(super) entry_names: Vec<EntryName>,
    pub(super) described: Vec<Resource>,
    pub(super) bindings: Vec<Bound>,
    pub(super) sizes: Vec<Sizes>,
    /// The resources of the vertex, fragment and compute stages, in this order.
    pub(super) resources: [StageResources<'m>; 3],
    /// The naga types of scalars and vectors declared so far, by component type and width.
    pub(super) vectors: [[Option<Handle<naga::Type>>; 4]; 5],
    pub(super) assigned: Bindings,
    /// The places that the source states, if the layout keeps them.
    pub(super) stated: Stated,
    /// The variable and the label of each texture and sampler in a place that the source states, by stage and type.
    pub(super) kept: HashMap<Kept, (Handle<GlobalVariable>, String)>,
    /// The called functions lowered so far, keyed by function index, and by stage if the function uses the stage's resources.
    pub(super) generics: HashMap<(usize, Option<ShaderStage>), Handle<naga::Function>>,
    pub(super) zeroes: HashMap<Body, Option<Handle<Expression>>>,
    /// The functions that may discard. After a call to such a function, a caller with a LOOP must test `discarded`
    /// ([`crate::discards::discarding`]).
    pub(super) discarding: HashSet<usize>,
    pub(super) discarded: Option<Handle<GlobalVariable>>,
}

impl<'m> Lowering<'m> {
    pub(super) fn new(
        target: Target,
        features: &Features,
        layout: &'m Layout,
        source: &'m Module,
        (types, ops): (&'m [Types], &'m [OpSet]),
        members: &'m Members,
    ) -> Lowering<'m> {
        Lowering {
            target,
            features: *features,
            layout,
            clip: Clip::new(features, layout),
            source,
            types,
            ops,
            members,
            atomics: Atomics::of(source, ops),
            registers: match features.matrix_members {
                true => {
                    let functions = types.iter().zip(ops).enumerate();
                    functions.map(|(at, (types, &ops))| Registers::of(source, members, at, types, ops)).collect()
                }
                false => Vec::new(),
            },
            module: naga::Module::default(),
            names: Names::new(features.language),
            entries: Vec::new(),
            entry_names: Vec::new(),
            described: Vec::new(),
            bindings: Vec::new(),
            sizes: Vec::new(),
            resources: Default::default(),
            vectors: Default::default(),
            assigned: Bindings::default(),
            stated: Stated::new(source, layout),
            kept: HashMap::new(),
            generics: HashMap::new(),
            zeroes: HashMap::new(),
            discarding: HashSet::new(),
            discarded: None,
        }
    }

    pub(super) fn unsupported<T>(&self, what: impl Into<String>) -> Result<T, Error> {
        Err(Error::Unsupported { what: what.into(), target: self.target })
    }
}

/// A texture or sampler in a place that the source states, which several inputs may share.
pub(super) type Kept = (ShaderStage, (u32, u32), Handle<naga::Type>);

#[derive(Default)]
pub(super) struct StageResources<'m> {
    pub(super) blocks: Blocks<'m>,
    /// The variable and members of each block, or `None` until the block is declared.
    pub(super) declared: Vec<Option<Declared>>,
    /// The slots of all textures in ascending order, each with its variables once the texture is declared.
    pub(super) slots: Vec<(u32, Option<LoweredInput>)>,
    /// The texture unit of each slot in GLSL.
    pub(super) units: BTreeMap<u32, u8>,
    /// All storage buffers, in ascending order of slot.
    pub(super) buffers: Vec<Storage>,
    /// All storage textures, in ascending order of slot.
    pub(super) images: Vec<Storage>,
    /// Whether the application passes a table of storage buffer sizes, which is bound after the constant buffers.
    pub(super) has_sizes: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Storage {
    pub(super) slot: u32,
    pub(super) is_written: bool,
    /// The global variable, or `None` until the resource is declared.
    pub(super) declared: Option<LoweredInput>,
}

/// A block's variable, and the member index of each part. The list of indices is empty if the block's only part is the variable
/// itself.
pub(super) type Declared = (Handle<GlobalVariable>, Vec<Option<u32>>);

/// A resource's binding in the output: the stage (if each stage has its own bindings), the class (if classes are numbered
/// separately), the group and the number.
pub(super) type OutputPlace = (Option<ShaderStage>, Option<ResourceClass>, (u32, u32));

/// The bindings that a module's stages use. The lists `given` and `represented` are sorted.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    /// The stage that uses each binding in the output. In SPIR-V and WGSL, the stages of a pipeline share one set of bindings. In
    /// HLSL and MSL, each stage has its own bindings.
    pub(super) given: Vec<(OutputPlace, ShaderStage)>,
    /// The output binding that each binding in naga's module represents. naga's writers accept only one binding map for all
    /// stages.
    pub(super) represented: Vec<(ResourceBinding, Represented)>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Represented {
    pub(super) place: (u32, u32),
    /// Whether the vertex stage uses the binding, and whether another stage does.
    pub(super) by: [bool; 2],
}

/// A class of resources whose bindings HLSL and MSL number separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ResourceClass {
    /// Constant buffers; in MSL, also storage buffers.
    Constants,
    Samplers,
    /// In HLSL, resources that the shader writes.
    Unordered,
}

/// A table that the application fills with the sizes of storage buffers.
#[derive(Clone, Debug)]
pub(crate) struct Sizes {
    pub(crate) stage: ShaderStage,
    /// The index of the buffer that contains the table.
    pub(crate) index: u32,
    /// The slots of the storage buffers whose sizes are in the table.
    pub(crate) slots: BTreeSet<u32>,
}

/// A binding in naga's module, and the binding that replaces it in the output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    pub(crate) stage: ShaderStage,
    pub(crate) binding: ResourceBinding,
    /// The group and binding that the layout assigns.
    pub(crate) place: (u32, u32),
    /// The block's binding point or the texture's unit in GLSL.
    pub(crate) gl: Option<u8>,
}

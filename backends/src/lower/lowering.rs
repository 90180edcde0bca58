//! The data of lowering: the result, and the state while a module is lowered.
//!
//! The methods of [`Lowering`] are spread over files, by subject: `lower.rs` (entry points and functions), `types.rs`,
//! `clips.rs`, `resources.rs` and `resources/storage.rs`. They call each other: a function needs its resources, and resources
//! need types.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use naga::{Expression, GlobalVariable, Handle, LocalVariable, ResourceBinding, ShaderStage};
use sdlbc::{Input, InputKind, Module, OpSet, Types};

use super::blocks::Blocks;
use super::entries::EntryName;
use super::registers::Registers;
use crate::clip::Clip;
use crate::error::Error;
use crate::features::Features;
use crate::interface::{EntryPoint as Entry, Resource};
use crate::layout::Layout;
use crate::members::Members;
use crate::mend::names::Names;
use crate::versions::Target;

/// A naga module that naga has validated, and the information that its writers need.
#[derive(Debug)]
pub(crate) struct Lowered {
    pub(crate) module: naga::Module,
    pub(crate) info: naga::valid::ModuleInfo,
    /// The names for the labels that the module has in place of names.
    pub(crate) names: Names,
    /// The entry points, without their names and with labels in place of all others.
    pub(crate) entries: Vec<Entry>,
    /// The names of the entry points.
    pub(crate) entry_names: Vec<EntryName>,
    /// The resources, with labels in place of names.
    pub(crate) resources: Vec<Resource>,
    /// The bindings in the output.
    pub(crate) bindings: Vec<Bound>,
    /// The tables of the sizes of storage buffers.
    pub(crate) sizes: Vec<Sizes>,
    /// The value that is returned after a discard, by function, in targets where a discard does not end the invocation.
    pub(crate) zeroes: HashMap<Body, Option<Handle<Expression>>>,
    /// Whether the text must turn off the check of derivatives in divergent control flow.
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

/// An input of a function in naga's terms.
#[derive(Clone, Copy, Debug)]
pub(super) enum LoweredInput {
    Argument(u32),
    /// A member of an argument.
    Member(u32, u32),
    /// The variable, and the value's member in it if it is a structure.
    Uniform(Handle<GlobalVariable>, Option<u32>),
    Texture(Handle<GlobalVariable>, Handle<GlobalVariable>),
    /// A local array.
    Local(Handle<LocalVariable>),
    /// A storage buffer or a shared array.
    Memory(Handle<GlobalVariable>),
    /// A storage texture.
    Image(Handle<GlobalVariable>),
}

/// Whether an input is a global variable.
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

/// A module that is being lowered.
pub(super) struct Lowering<'m> {
    /// The target, for messages.
    pub(super) target: Target,
    pub(super) features: Features,
    pub(super) layout: &'m Layout,
    pub(super) clip: Clip,
    pub(super) source: &'m Module,
    /// The types of each function's values.
    pub(super) types: &'m [Types],
    /// The operations of each function.
    pub(super) ops: &'m [OpSet],
    pub(super) members: &'m Members,
    /// The arrays of each function that become structures.
    pub(super) registers: Vec<Registers>,
    pub(super) module: naga::Module,
    pub(super) names: Names,
    pub(super) entries: Vec<Entry>,
    pub(super) entry_names: Vec<EntryName>,
    /// The description of each resource that has been declared.
    pub(super) described: Vec<Resource>,
    pub(super) bindings: Vec<Bound>,
    /// The tables of the sizes of storage buffers.
    pub(super) sizes: Vec<Sizes>,
    /// The resources of the vertex, the fragment and the compute stage.
    pub(super) resources: [StageResources<'m>; 3],
    /// The types of scalars and vectors, once they are declared.
    pub(super) vectors: [[Option<Handle<naga::Type>>; 4]; 5],
    /// The bindings of the resources that have been declared.
    pub(super) assigned: Bindings,
    /// The functions that have been lowered: by index, and by stage if they use its resources.
    pub(super) generics: HashMap<(usize, Option<ShaderStage>), Handle<naga::Function>>,
    pub(super) zeroes: HashMap<Body, Option<Handle<Expression>>>,
    /// The functions after whose calls the caller checks whether the fragment was discarded ([`crate::discards::discarding`]), and
    /// the flag that records it.
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

/// The resources of a stage.
#[derive(Default)]
pub(super) struct StageResources<'m> {
    pub(super) blocks: Blocks<'m>,
    /// For each block, if it is declared: its variable, and the index of each part's member.
    pub(super) declared: Vec<Option<Declared>>,
    /// The slot of each texture, in ascending order, and its variable if it is declared.
    pub(super) slots: Vec<(u32, Option<LoweredInput>)>,
    /// The stage's texture units in GLSL, by slot.
    pub(super) units: BTreeMap<u32, u8>,
    /// All storage buffers, in ascending order of their slots.
    pub(super) buffers: Vec<Storage>,
    /// All storage textures, in ascending order of their slots.
    pub(super) images: Vec<Storage>,
    /// Whether the application passes the sizes of storage buffers in a table, which follows the buffers of constants.
    pub(super) has_sizes: bool,
}

/// A storage buffer or a storage texture of a stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Storage {
    pub(super) slot: u32,
    pub(super) is_written: bool,
    /// The variable, if it is declared.
    pub(super) declared: Option<LoweredInput>,
}

/// The variable of a block, and the index of each part's member; no indices if the variable is the only part.
pub(super) type Declared = (Handle<GlobalVariable>, Vec<Option<u32>>);

/// A place in the output: the stage, if each stage has places of its own; the class; and the group and the binding.
pub(super) type OutputPlace = (Option<ShaderStage>, Option<ResourceClass>, (u32, u32));

/// The bindings of all stages of a module. Both lists are sorted, and most places are added in ascending order.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    /// The stage that has each place in the output. The stages of a pipeline share the places in SPIR-V and WGSL; in HLSL and
    /// MSL each stage has its own.
    pub(super) given: Vec<(OutputPlace, ShaderStage)>,
    /// By binding in naga's module: the place in the output that it represents, and the stages that have it. naga's writers have
    /// one map for both stages.
    pub(super) represented: Vec<(ResourceBinding, Represented)>,
}

/// The place in the output that a binding of naga's module represents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Represented {
    pub(super) place: (u32, u32),
    /// Whether the vertex stage has the binding, and whether another stage has it.
    pub(super) by: [bool; 2],
}

/// The classes of resources that are counted separately, in HLSL and MSL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ResourceClass {
    /// In MSL also storage buffers.
    Constants,
    Samplers,
    /// Resources that are written.
    Unordered,
}

/// A table of the sizes of storage buffers, which the application fills.
#[derive(Clone, Debug)]
pub(crate) struct Sizes {
    pub(crate) stage: ShaderStage,
    /// The index of its buffer.
    pub(crate) index: u32,
    /// The slots of the storage buffers.
    pub(crate) slots: BTreeSet<u32>,
}

/// A binding of naga's module, and the binding that the output has instead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    pub(crate) stage: ShaderStage,
    pub(crate) binding: ResourceBinding,
    /// The binding by the layout.
    pub(crate) place: (u32, u32),
    /// The block's binding point or the texture's unit in GLSL.
    pub(crate) gl: Option<u8>,
}

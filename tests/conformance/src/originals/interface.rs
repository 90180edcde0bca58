//! The interface of a SPIR-V module: what a pipeline gives to its entry point, and what it gets back.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{BuiltIn, Capability, Decoration, Dim, ExecutionModel, ImageFormat, Op, StorageClass, Word};

/// The type of a scalar of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scalar {
    /// A float.
    Float,
    /// A signed int.
    Int,
    /// An unsigned int.
    Uint,
}

/// The place of an input or output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// A location and its first component.
    Location(u32, u32),
    /// The position of a vertex.
    Position,
    /// A clip distance, by its index.
    ClipDistance(u32),
    /// The depth of a fragment.
    Depth,
}

/// A scalar or vector of the interface.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// The place of the leaf.
    pub slot: Slot,
    /// The type of the leaf's components.
    pub scalar: Scalar,
    /// The number of components.
    pub width: u32,
}

/// A sampled or storage image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Image {
    /// The dimension.
    pub dim: Dim,
    /// Whether the image has layers.
    pub arrayed: bool,
    /// The type of the texels' components.
    pub scalar: Scalar,
    /// The format of a storage image.
    pub format: ImageFormat,
}

/// The scalars of a block in memory: the byte offset and the type of each, in order.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The scalars, by byte offset.
    pub scalars: BTreeMap<u32, Scalar>,
    /// The size in bytes. An array without a length has [`RUNTIME`] elements at most.
    pub size: u32,
}

impl Block {
    /// Returns the byte offsets of the floats, in order.
    pub fn floats(&self) -> Vec<u32> {
        self.scalars.iter().filter(|of| *of.1 == Scalar::Float).map(|of| *of.0).collect()
    }
}

/// The number of elements of an array without a length.
pub const RUNTIME: u32 = 512;
/// The number of scalars of a block, beyond which it is not compared.
const MOST_SCALARS: usize = 1 << 16;

/// A resource that a pipeline binds.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A uniform buffer.
    Uniform(Block),
    /// A storage buffer.
    Storage(Block),
    /// A texture that is combined with its sampler; whether it is compared.
    Combined(Image, bool),
    /// A texture without a sampler; whether it is compared.
    Texture(Image, bool),
    /// A sampler; whether it compares.
    Sampler(bool),
    /// A storage image.
    Storable(Image),
}

/// The interface of a module with one entry point.
#[derive(Debug, Default)]
pub struct Interface {
    /// The stage of the entry point.
    pub model: Option<ExecutionModel>,
    /// The name of the entry point.
    pub entry: String,
    /// The inputs with a location.
    pub inputs: Vec<Leaf>,
    /// The outputs, but for the size of points.
    pub outputs: Vec<Leaf>,
    /// The resources, by descriptor set and binding.
    pub resources: BTreeMap<(u32, u32), Kind>,
    /// The lengths of arrays of resources, by descriptor set and binding.
    pub counts: BTreeMap<(u32, u32), u32>,
    /// The names of the resources' variables, by descriptor set and binding.
    pub names: BTreeMap<(u32, u32), String>,
    /// The push constants.
    pub push: Block,
    /// Whether the position of a fragment in a point is read, which triangles do not have.
    pub reads_points: bool,
}

impl Interface {
    /// Returns the number of resources at a descriptor set and binding.
    pub fn count(&self, place: (u32, u32)) -> u32 {
        self.counts.get(&place).copied().unwrap_or(1)
    }
}

/// An id, or a member of a structure's id.
type Decorated = (Word, Option<u32>);

/// A parsed module, with the tables that finding its interface needs.
pub struct Parsed {
    /// The module.
    pub module: Module,
    by_id: HashMap<Word, Instruction>,
    decorations: HashMap<Decorated, Vec<(Decoration, u32)>>,
}

/// Returns the id at a position of an instruction's operands.
pub fn id_at(inst: &Instruction, at: usize) -> Word {
    inst.operands.get(at).and_then(Operand::id_ref_any).unwrap_or_default()
}

const fn has_descriptor(class: StorageClass) -> bool {
    matches!(class, StorageClass::Uniform | StorageClass::StorageBuffer | StorageClass::UniformConstant)
}

fn number_at(inst: &Instruction, at: usize) -> u32 {
    match inst.operands.get(at) {
        Some(&Operand::LiteralBit32(number)) => number,
        _ => 0,
    }
}

impl Parsed {
    /// Parses the words of a module.
    ///
    /// # Errors
    /// Returns the parser's message.
    pub fn new(words: &[u32]) -> Result<Parsed, String> {
        let mut loader = rspirv::dr::Loader::new();
        rspirv::binary::parse_words(words, &mut loader).map_err(|error| error.to_string())?;
        let module = loader.module();
        let by_id =
            module.types_global_values.iter().filter_map(|inst| Some((inst.result_id?, inst.clone()))).collect();
        let mut decorations: HashMap<_, Vec<_>> = HashMap::new();
        for inst in &module.annotations {
            let (member, at) = match inst.class.opcode {
                Op::Decorate => (None, 1),
                Op::MemberDecorate => (Some(number_at(inst, 1)), 2),
                Op::GroupDecorate | Op::GroupMemberDecorate => return Err("decoration groups".into()),
                _ => continue,
            };
            if let Some(&Operand::Decoration(decoration)) = inst.operands.get(at) {
                let number = match inst.operands.get(at + 1) {
                    Some(&Operand::BuiltIn(builtin)) => builtin as u32,
                    _ => number_at(inst, at + 1),
                };
                decorations.entry((id_at(inst, 0), member)).or_default().push((decoration, number));
            }
        }
        Ok(Parsed { module, by_id, decorations })
    }

    /// Returns the number of a decoration of an id or a member.
    pub fn decoration(&self, id: Word, member: Option<u32>, decoration: Decoration) -> Option<u32> {
        let all = self.decorations.get(&(id, member))?;
        all.iter().find(|of| of.0 == decoration).map(|of| of.1)
    }

    /// Returns the instruction that declares a type, constant or variable.
    pub fn declared(&self, id: Word) -> Result<&Instruction, String> {
        self.by_id.get(&id).ok_or_else(|| format!("%{id} is not declared"))
    }

    /// Returns the value of an int constant, by its default if it can be specialised.
    pub fn constant(&self, id: Word) -> Result<u32, String> {
        let inst = self.declared(id)?;
        match inst.class.opcode {
            Op::Constant | Op::SpecConstant => Ok(number_at(inst, 0)),
            other => Err(format!("a length that is {other:?}")),
        }
    }

    fn scalar(&self, ty: Word) -> Result<Scalar, String> {
        let inst = self.declared(ty)?;
        match (inst.class.opcode, number_at(inst, 0), number_at(inst, 1)) {
            (Op::TypeFloat, 32, _) => Ok(Scalar::Float),
            (Op::TypeInt, 32, 1) => Ok(Scalar::Int),
            (Op::TypeInt, 32, 0) => Ok(Scalar::Uint),
            (other, width, _) => Err(format!("{other:?} of {width} bits")),
        }
    }

    /// Returns the type to which a variable points.
    pub fn pointee(&self, variable: &Instruction) -> Result<Word, String> {
        Ok(id_at(self.declared(variable.result_type.unwrap_or_default())?, 1))
    }

    /// Adds the leaves of an input or output. `place` is the location and the first component. Returns the number of locations.
    fn leaves(&self, ty: Word, place: (u32, u32), leaves: &mut Vec<Leaf>) -> Result<u32, String> {
        let inst = self.declared(ty)?;
        let slot = Slot::Location(place.0, place.1);
        match inst.class.opcode {
            Op::TypeVector => {
                leaves.push(Leaf { slot, scalar: self.scalar(id_at(inst, 0))?, width: number_at(inst, 1) });
                Ok(1)
            }
            Op::TypeMatrix => {
                (0..number_at(inst, 1))
                    .try_for_each(|at| self.leaves(id_at(inst, 0), (place.0 + at, place.1), leaves).map(drop))?;
                Ok(number_at(inst, 1))
            }
            Op::TypeArray => {
                let mut next = place.0;
                for _ in 0..self.constant(id_at(inst, 1))? {
                    next += self.leaves(id_at(inst, 0), (next, place.1), leaves)?;
                }
                Ok(next - place.0)
            }
            Op::TypeStruct => {
                let mut next = place.0;
                for (member, ty_of) in (0..).zip(&inst.operands) {
                    next = self.decoration(ty, Some(member), Decoration::Location).unwrap_or(next);
                    let component = self.decoration(ty, Some(member), Decoration::Component).unwrap_or(0);
                    next += self.leaves(ty_of.id_ref_any().unwrap_or_default(), (next, component), leaves)?;
                }
                Ok(next - place.0)
            }
            _ => {
                leaves.push(Leaf { slot, scalar: self.scalar(ty)?, width: 1 });
                Ok(1)
            }
        }
    }

    /// Returns the leaves of a built-in value that is compared.
    pub fn builtin(&self, builtin: u32, ty: Word) -> Result<Vec<Leaf>, String> {
        let leaf = |slot, width| Leaf { slot, scalar: Scalar::Float, width };
        Ok(match BuiltIn::from_u32(builtin) {
            Some(BuiltIn::Position) => vec![leaf(Slot::Position, 4)],
            Some(BuiltIn::FragDepth) => vec![leaf(Slot::Depth, 1)],
            Some(BuiltIn::ClipDistance) => {
                let length = self.constant(id_at(self.declared(ty)?, 1))?;
                (0..length).map(|index| leaf(Slot::ClipDistance(index), 1)).collect()
            }
            _ => Vec::new(),
        })
    }

    /// Returns the leaves of a built-in value in a block. Clip distances that no code uses are undefined, and not compared: each
    /// block of GLSL's built-in outputs declares them.
    pub fn built_in_member(&self, variable: Word, block: Word, (member, ty): (u32, Word)) -> Result<Vec<Leaf>, String> {
        let builtin = self.decoration(block, Some(member), Decoration::BuiltIn).unwrap_or(u32::MAX);
        let is_clip = BuiltIn::from_u32(builtin) == Some(BuiltIn::ClipDistance);
        if is_clip && !self.uses_member(variable, member) { Ok(Vec::new()) } else { self.builtin(builtin, ty) }
    }

    /// Reports whether code uses a member of a variable, or the variable as a whole.
    fn uses_member(&self, variable: Word, member: u32) -> bool {
        let blocks = self.module.functions.iter().flat_map(|function| &function.blocks);
        blocks.flat_map(|block| &block.instructions).any(|inst| match inst.class.opcode {
            Op::AccessChain | Op::InBoundsAccessChain if id_at(inst, 0) == variable => {
                self.constant(id_at(inst, 1)).is_ok_and(|index| index == member)
            }
            _ => inst.operands.contains(&Operand::IdRef(variable)),
        })
    }

    /// Returns the leaves of an input or output variable.
    pub fn variable(&self, id: Word, ty: Word) -> Result<Vec<Leaf>, String> {
        if let Some(builtin) = self.decoration(id, None, Decoration::BuiltIn) {
            return self.builtin(builtin, ty);
        }
        let mut leaves = Vec::new();
        let inst = self.declared(ty)?;
        if inst.class.opcode == Op::TypeStruct && self.decoration(ty, Some(0), Decoration::BuiltIn).is_some() {
            for (member, of) in (0..).zip(&inst.operands) {
                leaves.extend(self.built_in_member(id, ty, (member, of.id_ref_any().unwrap_or_default()))?);
            }
            return Ok(leaves);
        }
        let place = (
            self.decoration(id, None, Decoration::Location).unwrap_or(0),
            self.decoration(id, None, Decoration::Component).unwrap_or(0),
        );
        self.leaves(ty, place, &mut leaves)?;
        Ok(leaves)
    }

    /// Adds the scalars of a type at a byte offset, and returns the size of the type. `matrix` is the stride of a matrix and
    /// whether it is row-major.
    fn block(&self, ty: Word, at: u32, matrix: (u32, bool), block: &mut Block) -> Result<u32, String> {
        if block.scalars.len() > MOST_SCALARS {
            return Err("a block of more than 65,536 scalars".into());
        }
        let inst = self.declared(ty)?;
        match inst.class.opcode {
            Op::TypeVector => {
                let scalar = self.scalar(id_at(inst, 0))?;
                let width = number_at(inst, 1);
                block.scalars.extend((0..width).map(|lane| (at + 4 * lane, scalar)));
                Ok(4 * width)
            }
            Op::TypeMatrix => {
                let (columns, rows) = (number_at(inst, 1), number_at(self.declared(id_at(inst, 0))?, 1));
                let (stride, is_row_major) = matrix;
                for (column, row) in (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row))) {
                    let (line, lane) = if is_row_major { (row, column) } else { (column, row) };
                    block.scalars.insert(at + stride * line + 4 * lane, Scalar::Float);
                }
                Ok(stride * if is_row_major { rows } else { columns })
            }
            Op::TypeArray | Op::TypeRuntimeArray => {
                let stride = self.decoration(ty, None, Decoration::ArrayStride).ok_or("an array without a stride")?;
                let is_runtime = inst.class.opcode == Op::TypeRuntimeArray;
                let length = if is_runtime { RUNTIME } else { self.constant(id_at(inst, 1))? };
                for number in 0..length {
                    self.block(id_at(inst, 0), at + number * stride, matrix, block)?;
                }
                Ok(stride * length)
            }
            Op::TypeStruct => {
                let mut end = 0;
                for (member, of) in (0..).zip(&inst.operands) {
                    let of_member = |decoration| self.decoration(ty, Some(member), decoration);
                    let offset = of_member(Decoration::Offset).ok_or("a member without an offset")?;
                    let stride = of_member(Decoration::MatrixStride).unwrap_or(0);
                    let matrix = (stride, of_member(Decoration::RowMajor).is_some());
                    let size = self.block(of.id_ref_any().unwrap_or_default(), at + offset, matrix, block)?;
                    end = end.max(offset + size);
                }
                Ok(end)
            }
            _ => {
                block.scalars.insert(at, self.scalar(ty)?);
                Ok(4)
            }
        }
    }

    /// Returns the name of a variable or, if it has none, of its type.
    fn name(&self, id: Word, ty: Word) -> String {
        let names = [id, ty].map(|id| {
            let is_it = |inst: &&Instruction| inst.class.opcode == Op::Name && id_at(inst, 0) == id;
            match self.module.debug_names.iter().find(is_it).and_then(|inst| inst.operands.get(1)) {
                Some(Operand::LiteralString(name)) => name.clone(),
                _ => String::new(),
            }
        });
        let [own, of_type] = names;
        if own.is_empty() { of_type.trim_start_matches("type.").to_string() } else { own }
    }

    fn memory(&self, ty: Word) -> Result<Block, String> {
        let mut block = Block::default();
        block.size = self.block(ty, 0, (0, false), &mut block)?.next_multiple_of(16).max(16);
        Ok(block)
    }

    fn image(&self, ty: Word) -> Result<Image, String> {
        let inst = self.declared(ty)?;
        let (dim, format) = match (inst.operands.get(1), inst.operands.get(6)) {
            (Some(&Operand::Dim(dim)), Some(&Operand::ImageFormat(format))) => (dim, format),
            _ => return Err("an image without a dimension".into()),
        };
        if number_at(inst, 4) != 0 || !matches!(dim, Dim::Dim1D | Dim::Dim2D | Dim::Dim3D | Dim::DimCube) {
            return Err(format!(
                "an image of {dim:?} with {} samples",
                if number_at(inst, 4) == 0 { "one" } else { "many" }
            ));
        }
        Ok(Image { dim, arrayed: number_at(inst, 3) != 0, scalar: self.scalar(id_at(inst, 0))?, format })
    }

    /// Returns the textures and samplers that are used in comparisons.
    fn compared(&self) -> BTreeSet<Word> {
        let mut from: HashMap<Word, Vec<Word>> = HashMap::new();
        let mut compared = BTreeSet::new();
        let blocks = self.module.functions.iter().flat_map(|function| &function.blocks);
        for inst in blocks.flat_map(|block| &block.instructions) {
            let of = |at| from.get(&id_at(inst, at)).cloned().unwrap_or_else(|| vec![id_at(inst, at)]);
            match inst.class.opcode {
                Op::Load | Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject | Op::Image => {
                    from.insert(inst.result_id.unwrap_or_default(), of(0));
                }
                Op::SampledImage => {
                    from.insert(inst.result_id.unwrap_or_default(), [of(0), of(1)].concat());
                }
                op if format!("{op:?}").contains("Dref") => compared.extend(of(0)),
                _ => {}
            }
        }
        compared
    }

    /// Returns the kind of a resource whose type, or whose elements' type, is `ty`.
    fn resource(&self, ty: Word, class: StorageClass, compared: bool) -> Result<Option<Kind>, String> {
        let of = self.declared(ty)?;
        Ok(Some(match (class, of.class.opcode) {
            (StorageClass::Uniform, Op::TypeStruct) if self.decoration(ty, None, Decoration::BufferBlock).is_none() => {
                Kind::Uniform(self.memory(ty)?)
            }
            (StorageClass::Uniform | StorageClass::StorageBuffer, Op::TypeStruct) => Kind::Storage(self.memory(ty)?),
            (StorageClass::UniformConstant, Op::TypeSampledImage) => {
                Kind::Combined(self.image(id_at(of, 0))?, compared)
            }
            (StorageClass::UniformConstant, Op::TypeSampler) => Kind::Sampler(compared),
            (StorageClass::UniformConstant, Op::TypeImage) if number_at(of, 5) == 2 => Kind::Storable(self.image(ty)?),
            (StorageClass::UniformConstant, Op::TypeImage) => Kind::Texture(self.image(ty)?, compared),
            (StorageClass::Uniform | StorageClass::StorageBuffer | StorageClass::UniformConstant, other) => {
                return Err(format!("a resource of {other:?}"));
            }
            _ => return Ok(None),
        }))
    }

    /// Returns the interface of the module's only entry point.
    ///
    /// # Errors
    /// Returns the part of the interface that the comparison does not bind.
    pub fn interface(&self) -> Result<Interface, String> {
        let [entry] = &self.module.entry_points[..] else { return Err("several entry points".into()) };
        let captures = Operand::Capability(Capability::TransformFeedback);
        if self.module.capabilities.iter().any(|inst| inst.operands.first() == Some(&captures)) {
            return Err("a module that captures its own outputs".into());
        }
        let mut interface = Interface::default();
        let listed: BTreeSet<Word> = entry.operands.iter().skip(3).filter_map(Operand::id_ref_any).collect();
        if let (Some(&Operand::ExecutionModel(model)), Some(Operand::LiteralString(name))) =
            (entry.operands.first(), entry.operands.get(2))
        {
            (interface.model, interface.entry) = (Some(model), name.clone());
        }
        let compared = self.compared();
        for inst in self.module.types_global_values.iter().filter(|inst| inst.class.opcode == Op::Variable) {
            let Some(&Operand::StorageClass(class)) = inst.operands.first() else { continue };
            let id = inst.result_id.unwrap_or_default();
            match class {
                StorageClass::Input | StorageClass::Output if listed.contains(&id) => {
                    let ty = self.pointee(inst)?;
                    let builtin = self.decoration(id, None, Decoration::BuiltIn);
                    interface.reads_points |= builtin == Some(BuiltIn::PointCoord as u32);
                    let is_input = class == StorageClass::Input;
                    if is_input && builtin.is_none() {
                        interface.inputs.extend(self.variable(id, ty)?);
                    } else if !is_input {
                        interface.outputs.extend(self.variable(id, ty)?);
                    }
                }
                StorageClass::PushConstant => interface.push = self.memory(self.pointee(inst)?)?,
                _ => {
                    let mut ty = self.pointee(inst)?;
                    let mut count = 1;
                    while self.declared(ty)?.class.opcode == Op::TypeArray && has_descriptor(class) {
                        count *= self.constant(id_at(self.declared(ty)?, 1))?;
                        ty = id_at(self.declared(ty)?, 0);
                    }
                    if let Some(kind) = self.resource(ty, class, compared.contains(&id))? {
                        let set = self.decoration(id, None, Decoration::DescriptorSet).unwrap_or(0);
                        let binding = self.decoration(id, None, Decoration::Binding).unwrap_or(0);
                        let kind = match (interface.resources.get(&(set, binding)), kind) {
                            (None, kind) => kind,
                            // A texture that is both compared and sampled is two textures in a translation.
                            (Some(&Kind::Texture(image, one)), Kind::Texture(_, other)) => {
                                Kind::Texture(image, one || other)
                            }
                            // A texture and a sampler with one binding are a combined image sampler.
                            (Some(&Kind::Texture(image, one)), Kind::Sampler(other))
                            | (Some(&Kind::Sampler(one)), Kind::Texture(image, other))
                            | (Some(&Kind::Combined(image, one)), Kind::Texture(_, other) | Kind::Sampler(other)) => {
                                Kind::Combined(image, one || other)
                            }
                            _ => return Err("two resources with one binding".into()),
                        };
                        interface.resources.insert((set, binding), kind);
                        interface.names.entry((set, binding)).or_insert_with(|| self.name(id, ty));
                        if count != 1 {
                            interface.counts.insert((set, binding), count);
                        }
                    }
                }
            }
        }
        Ok(interface)
    }
}

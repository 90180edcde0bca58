//! A SPIR-V module as tables: types, constants, variables, functions, entry points, names and decorations, by id.
//!
//! Rule: the tables record what the module says. Whether the format can express a construct is decided where the construct is used, so that
//! parts of a module that no chosen entry point reaches are not refused.

mod constants;
mod declarations;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use rspirv::spirv::{Dim, ExecutionModel, ImageFormat, Op, StorageClass};
use sdlbc::lifting::Shape;
use sdlbc::{Scalar, Type};

use crate::accepted::{Aside, Decoration, Divider, End, Mode};
use crate::words::{Inst, malformed, refusal};
use sdlbc::front::{BinaryPlace, Refusal, RefusalKind};

/// The maximum number of fields in a shape. Types may share parts, so the number may grow exponentially with the length of a module.
const MOST_FIELDS: usize = 16_384;

/// A type.
#[derive(Clone, Debug)]
pub(crate) enum Ty {
    Void,
    /// A scalar, a vector or a matrix that the format has.
    Value(Type),
    /// The types of the members.
    Struct(Vec<u32>),
    /// The element type, the id of the constant with the length, and the stride in bytes, which is 0 for an array without a layout in
    /// memory.
    Array {
        element: u32,
        length: u32,
        stride: u32,
    },
    /// The element type, and the stride in bytes.
    RuntimeArray {
        element: u32,
        stride: u32,
    },
    /// The type to which a pointer points.
    Pointer {
        to: u32,
    },
    Image(Image),
    Sampler,
    /// The image type of a texture with its sampler.
    SampledImage(u32),
    Function,
    /// A type that the format does not have.
    Unsupported(String),
}

/// An image type (the specification, "OpTypeImage").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Image {
    /// The component type of a texel, if the format has it.
    pub(crate) texel: Option<Scalar>,
    pub(crate) dim: Option<Dim>,
    /// 1 for a depth image, 0 for any other, 2 if it is not stated.
    pub(crate) depth: u32,
    pub(crate) arrayed: bool,
    pub(crate) multisampled: bool,
    /// Whether it is a storage image.
    pub(crate) is_storage: bool,
    pub(crate) format: Option<ImageFormat>,
}

/// A constant.
#[derive(Clone, Debug)]
pub(crate) enum Constant<'m> {
    /// The bits of a scalar; for a bool, 0 or 1.
    Scalar(u32),
    /// The ids of the parts.
    Composite(&'m [u32]),
    /// Zero, or an undefined value, for which zero is used.
    Zero,
    /// An operation on other constants: the opcode and its operands.
    Operation(Op, &'m [u32]),
}

/// A variable outside functions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Global {
    pub(crate) class: StorageClass,
    /// The type to which the variable's pointer points.
    pub(crate) ty: u32,
    /// The id of the initial value; 0 if there is none.
    pub(crate) init: u32,
    pub(crate) at: usize,
}

/// A merge instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Merge {
    /// The label of the block after the selection.
    Selection(u32),
    /// The label of the block after the loop, and the label of the loop's continue target.
    Loop(u32, u32),
}

/// A basic block.
#[derive(Clone, Debug)]
pub(crate) struct Block<'m> {
    pub(crate) label: u32,
    pub(crate) phis: Vec<Inst<'m>>,
    /// The instructions between the PHIs and the merge instruction or the branch.
    pub(crate) insts: Vec<Inst<'m>>,
    pub(crate) merge: Option<Merge>,
    /// The branch, return or other instruction that ends the block.
    pub(crate) end: Inst<'m>,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Function<'m> {
    pub(crate) id: u32,
    pub(crate) returns: u32,
    /// The ids of the parameters, and their types.
    pub(crate) parameters: Vec<(u32, u32)>,
    pub(crate) blocks: Vec<Block<'m>>,
    /// The number of each block, by label.
    pub(crate) numbers: BTreeMap<u32, usize>,
    pub(crate) at: usize,
}

/// An entry point.
#[derive(Clone, Debug)]
pub(crate) struct Entry<'m> {
    pub(crate) model: ExecutionModel,
    pub(crate) function: u32,
    pub(crate) name: String,
    /// The ids of its variables: its inputs and outputs, and since SPIR-V 1.4 all others.
    pub(crate) interface: &'m [u32],
}

/// The decorations of an id or of a member, each with its operands.
pub(crate) type Decorations<'m> = Vec<(Decoration, &'m [u32])>;

/// A place in a source file: the first instruction to which the place applies, the id of the file's name, and the line.
#[derive(Clone, Copy, Debug)]
struct Line {
    at: usize,
    file: u32,
    line: u32,
}

/// A module.
#[derive(Debug, Default)]
pub(crate) struct Module<'m> {
    pub(crate) names: BTreeMap<u32, String>,
    member_names: BTreeMap<(u32, u32), String>,
    decorations: BTreeMap<u32, Decorations<'m>>,
    member_decorations: BTreeMap<(u32, u32), Decorations<'m>>,
    pub(crate) types: BTreeMap<u32, Ty>,
    /// The constants with their types.
    pub(crate) constants: BTreeMap<u32, (u32, Constant<'m>)>,
    pub(crate) globals: BTreeMap<u32, Global>,
    pub(crate) functions: BTreeMap<u32, Function<'m>>,
    pub(crate) entries: Vec<Entry<'m>>,
    modes: BTreeMap<u32, Vec<(Mode, &'m [u32])>>,
    /// The names of the imported instruction sets.
    pub(crate) sets: BTreeMap<u32, String>,
    /// The ids of the pointer types that may be used before they are declared.
    forward: BTreeSet<u32>,
    /// The values of integer constants that have been computed.
    ints: RefCell<BTreeMap<u32, Option<u32>>>,
    strings: BTreeMap<u32, String>,
    /// Whether an instruction may not be fused with another.
    pub(crate) has_precise: bool,
    /// By variable: its semantic in HLSL.
    semantics: BTreeMap<u32, String>,
    /// The places in source files, in the order of the module.
    lines: Vec<Line>,
    /// The source files, in the order of the module: the id of each file's name, and the file's text.
    sources: Vec<(u32, String)>,
}

impl<'m> Module<'m> {
    /// Collects the tables of a module.
    pub(crate) fn new(insts: &[Inst<'m>]) -> Result<Module<'m>, Refusal> {
        let mut module = Module::default();
        let mut function: Option<Function<'m>> = None;
        let mut block: Option<Open<'m>> = None;
        for &inst in insts {
            if let Some(open) = block.as_mut() {
                match open.push(inst) {
                    None => {}
                    Some(closed) => {
                        let number = function.as_ref().map_or(0, |function| function.blocks.len());
                        if let Some(function) = function.as_mut() {
                            if function.numbers.insert(closed.label, number).is_some() {
                                return Err(inst.malformed());
                            }
                            function.blocks.push(closed);
                        }
                        block = None;
                    }
                }
                module.debug(&inst);
                continue;
            }
            match Divider::of(inst.op) {
                Some(Divider::Function) => {
                    function = Some(Function {
                        id: inst.id,
                        returns: inst.ty,
                        parameters: Vec::new(),
                        blocks: Vec::new(),
                        numbers: BTreeMap::new(),
                        at: inst.at,
                    });
                }
                Some(Divider::FunctionParameter) => {
                    if let Some(function) = function.as_mut() {
                        function.parameters.push((inst.id, inst.ty));
                    }
                }
                Some(Divider::Label) => {
                    block = function.is_some().then(|| Open::new(inst));
                }
                Some(Divider::FunctionEnd) => {
                    if let Some(function) = function.take() {
                        module.functions.insert(function.id, function);
                    }
                }
                None => {
                    module.debug(&inst);
                    module.declare(inst)?;
                }
            }
        }
        match block {
            Some(_) => {
                let what = "the module ends inside a block".to_string();
                Err(refusal(malformed(what), None))
            }
            None => {
                module.name_arguments();
                Ok(module)
            }
        }
    }

    /// Gives variables that pass arguments the names of the parameters. glslang calls all of them `param`.
    fn name_arguments(&mut self) {
        let insts = self.functions.values().flat_map(|function| &function.blocks).flat_map(|block| &block.insts);
        let mut names = Vec::new();
        for inst in insts.filter(|inst| inst.op == Op::FunctionCall) {
            let [callee, arguments @ ..] = inst.args else { continue };
            let Some(callee) = self.functions.get(callee) else { continue };
            for (argument, (parameter, _)) in arguments.iter().zip(&callee.parameters) {
                if self.name(*argument) == "param" {
                    names.push((*argument, self.name(*parameter).to_string()));
                }
            }
        }
        self.names.extend(names);
    }

    /// Records an instruction that states the place of the following instructions in a source file.
    fn debug(&mut self, inst: &Inst<'m>) {
        match *inst.args {
            [file, line, _] if inst.op == Op::Line => self.lines.push(Line { at: inst.at, file, line }),
            _ if inst.op == Op::NoLine => self.lines.push(Line { at: inst.at, file: 0, line: 0 }),
            _ => {}
        }
    }

    /// Returns the source file and the line from which the instruction at a word was compiled.
    pub(crate) fn line(&self, at: usize) -> Option<(&str, u32)> {
        let number = self.lines.partition_point(|line| line.at <= at);
        let line = self.lines.get(number.checked_sub(1)?)?;
        Some((self.strings.get(&line.file)?, line.line))
    }

    /// Returns the name of an input or output: its semantic in HLSL, or its own name.
    pub(crate) fn interface_name(&self, id: u32) -> &str {
        self.semantics.get(&id).map_or_else(|| self.name(id), String::as_str)
    }

    /// Returns the name and the text of the source file from which the module was compiled: the first that it names.
    pub(crate) fn source(&self) -> Option<(&str, &str)> {
        let name = |file: &u32| self.strings.get(file).map(String::as_str);
        match self.sources.first() {
            Some((file, text)) => Some((name(file)?, text)),
            None => Some((self.lines.iter().find_map(|line| name(&line.file))?, "")),
        }
    }

    /// Returns the refusal of an instruction or variable at a word, with its line.
    pub(crate) fn refusal(&self, kind: RefusalKind, at: usize) -> Refusal {
        let mut refusal = refusal(kind, Some(at));
        if let Some((file, line)) = self.line_of(at) {
            refusal.place = Some(Box::new(BinaryPlace::Line { file: file.to_string(), line }));
        }
        refusal
    }

    /// Returns the source file and the line of an instruction or a variable at a word.
    pub(crate) fn line_of(&self, at: usize) -> Option<(&str, u32)> {
        self.line(at).filter(|(_, line)| *line != 0).or_else(|| self.line_of_use(at))
    }

    /// Returns the source file and the line of the first instruction that uses the variable at a word. Declarations of built-in variables
    /// have no line.
    fn line_of_use(&self, at: usize) -> Option<(&str, u32)> {
        let (id, _) = self.globals.iter().find(|(_, global)| global.at == at)?;
        let blocks = self.functions.values().flat_map(|function| &function.blocks);
        let uses = blocks.flat_map(|block| &block.insts).filter(|inst| inst.args.contains(id));
        self.line(uses.map(|inst| inst.at).min()?).filter(|(_, line)| *line != 0)
    }

    fn stride(&self, array: u32) -> u32 {
        self.decoration(array, Decoration::ArrayStride).and_then(|operands| operands.first().copied()).unwrap_or(0)
    }

    /// Returns the operands of a decoration of an id, if the id has it.
    pub(crate) fn decoration(&self, id: u32, decoration: Decoration) -> Option<&'m [u32]> {
        let all = self.decorations.get(&id)?;
        all.iter().find(|(own, _)| *own == decoration).map(|(_, operands)| *operands)
    }

    /// Returns the first operand of a decoration of an id.
    pub(crate) fn number(&self, id: u32, decoration: Decoration) -> Option<u32> {
        self.decoration(id, decoration)?.first().copied()
    }

    /// Returns the operands of a decoration of a member, if the member has it.
    pub(crate) fn member_decoration(&self, id: u32, member: u32, decoration: Decoration) -> Option<&'m [u32]> {
        let all = self.member_decorations.get(&(id, member))?;
        all.iter().find(|(own, _)| *own == decoration).map(|(_, operands)| *operands)
    }

    /// Returns the first operand of a decoration of a member.
    pub(crate) fn member_number(&self, id: u32, member: u32, decoration: Decoration) -> Option<u32> {
        self.member_decoration(id, member, decoration)?.first().copied()
    }

    /// Returns the name of a member, or one made from its number if it has none.
    pub(crate) fn member_name(&self, id: u32, member: u32) -> String {
        let name = self.member_names.get(&(id, member)).filter(|name| !name.is_empty());
        name.cloned().unwrap_or_else(|| format!("field{member}"))
    }

    /// Returns the name of an id; empty if it has none.
    pub(crate) fn name(&self, id: u32) -> &str {
        self.names.get(&id).map_or("", String::as_str)
    }

    /// Returns the operands of an execution mode of an entry point, if the entry point has it.
    pub(crate) fn mode(&self, function: u32, mode: Mode) -> Option<&'m [u32]> {
        let all = self.modes.get(&function)?;
        all.iter().find(|(own, _)| *own == mode).map(|(_, operands)| *operands)
    }

    /// Returns the format's type for a type, if the type is a scalar, vector or matrix that the format has.
    pub(crate) fn value_type(&self, ty: u32) -> Option<Type> {
        match self.types.get(&ty)? {
            Ty::Value(ty) => Some(*ty),
            _ => None,
        }
    }

    /// Returns a description of a type, for messages.
    pub(crate) fn type_name(&self, ty: u32) -> String {
        self.type_name_within(ty, 0)
    }

    fn type_name_within(&self, ty: u32, depth: u32) -> String {
        match self.types.get(&ty) {
            Some(Ty::Unsupported(name)) => name.clone(),
            Some(Ty::Value(ty)) => ty.to_string(),
            Some(Ty::Struct(_)) if !self.name(ty).is_empty() => format!("the structure `{}`", self.name(ty)),
            Some(Ty::Struct(_)) => "this structure".to_string(),
            Some(Ty::Array { element, .. } | Ty::RuntimeArray { element, .. }) if depth < 8 => {
                format!("arrays of {}", self.type_name_within(*element, depth + 1))
            }
            Some(Ty::Array { .. } | Ty::RuntimeArray { .. }) => "arrays".to_string(),
            Some(Ty::Pointer { .. }) => "pointers in variables".to_string(),
            Some(Ty::Image(_)) => "this image".to_string(),
            Some(Ty::Sampler) => "samplers".to_string(),
            Some(Ty::SampledImage(_)) => "sampled images".to_string(),
            Some(Ty::Void | Ty::Function) | None => "this type".to_string(),
        }
    }

    /// Returns a description of the first part of a type that has no value in memory, such as `integers of 16 bits`.
    pub(crate) fn lacking(&self, ty: u32, depth: u32) -> Option<String> {
        match self.types.get(&ty)? {
            _ if depth > 64 => None,
            Ty::Struct(members) => members.iter().find_map(|&member| self.lacking(member, depth + 1)),
            Ty::Array { element, .. } | Ty::RuntimeArray { element, .. } => self.lacking(*element, depth + 1),
            Ty::Value(Type::Vector(scalar, _)) if !scalar.has_32_bits() => Some("floats of 16 bits".to_string()),
            Ty::Value(_) => None,
            Ty::Pointer { .. } => Some("addresses of buffers".to_string()),
            _ => Some(self.type_name(ty)),
        }
    }

    /// Reports whether a type has at most [`MOST_FIELDS`] fields and is not nested too deeply. In an invalid module, a type may contain
    /// itself.
    pub(crate) fn is_bounded(&self, ty: u32) -> bool {
        fn walk(module: &Module<'_>, ty: u32, depth: u32, left: &mut usize) -> Option<()> {
            match module.types.get(&ty) {
                _ if depth > 64 => None,
                Some(Ty::Struct(members)) => {
                    *left = left.checked_sub(members.len() + 1)?;
                    members.iter().try_for_each(|&member| walk(module, member, depth + 1, left))
                }
                Some(Ty::Array { element, .. } | Ty::RuntimeArray { element, .. }) => {
                    walk(module, *element, depth + 1, left)
                }
                _ => Some(()),
            }
        }
        walk(self, ty, 0, &mut { MOST_FIELDS }).is_some()
    }

    /// Returns the shape of a type's values, if the format has such values and the shape has at most [`MOST_FIELDS`] fields.
    pub(crate) fn shape(&self, ty: u32) -> Option<Shape> {
        let mut left = MOST_FIELDS;
        self.shape_within(ty, 0, &mut left)
    }

    /// Returns a shape of at most `left` fields, and subtracts the number of its fields from `left`.
    fn shape_within(&self, ty: u32, depth: u32, left: &mut usize) -> Option<Shape> {
        // A structure may contain itself only through pointers, which are refused; the depth limit ends cycles in invalid modules.
        if depth > 64 {
            return None;
        }
        match self.types.get(&ty)? {
            Ty::Value(ty) => Some(Shape::One(*ty)),
            Ty::Struct(members) => {
                *left = left.checked_sub(members.len())?;
                let shape = |(number, &member): (u32, &u32)| {
                    Some((self.member_name(ty, number), self.shape_within(member, depth + 1, left)?))
                };
                Some(Shape::Fields((0..).zip(members).map(shape).collect::<Option<_>>()?))
            }
            Ty::Array { element, length, .. } => {
                let element = self.shape_within(*element, depth + 1, left)?;
                Some(Shape::Elements(Box::new(element), self.length(*length).filter(|&length| length > 0)?))
            }
            _ => None,
        }
    }

    /// Returns the functions that a function reaches by calls, itself included.
    pub(crate) fn reachable(&self, function: u32) -> BTreeSet<u32> {
        let mut reached = BTreeSet::from([function]);
        let mut open = vec![function];
        while let Some(function) = open.pop() {
            let blocks = self.functions.get(&function).map(|function| function.blocks.as_slice()).unwrap_or_default();
            for inst in blocks.iter().flat_map(|block| &block.insts).filter(|inst| inst.op == Op::FunctionCall) {
                if reached.insert(inst.arg(0)) {
                    open.push(inst.arg(0));
                }
            }
        }
        reached
    }
}

/// A block whose end has not been read.
struct Open<'m> {
    label: u32,
    phis: Vec<Inst<'m>>,
    insts: Vec<Inst<'m>>,
    merge: Option<Merge>,
}

impl<'m> Open<'m> {
    fn new(label: Inst<'m>) -> Open<'m> {
        Open { label: label.id, phis: Vec::new(), insts: Vec::new(), merge: None }
    }

    /// Adds an instruction. Returns the block if the instruction ends it.
    fn push(&mut self, inst: Inst<'m>) -> Option<Block<'m>> {
        match Aside::of(inst.op) {
            Some(Aside::Phi) => self.phis.push(inst),
            Some(Aside::SelectionMerge) => self.merge = Some(Merge::Selection(inst.arg(0))),
            Some(Aside::LoopMerge) => self.merge = Some(Merge::Loop(inst.arg(0), inst.arg(1))),
            Some(Aside::Line | Aside::NoLine | Aside::Nop) => {}
            None if End::of(inst.op).is_some() || rspirv::grammar::reflect::is_block_terminator(inst.op) => {
                return Some(Block {
                    label: self.label,
                    phis: std::mem::take(&mut self.phis),
                    insts: std::mem::take(&mut self.insts),
                    merge: self.merge,
                    end: inst,
                });
            }
            None => self.insts.push(inst),
        }
        None
    }
}

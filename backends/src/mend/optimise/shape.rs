//! The table of the instructions that the SPIR-V optimiser supports. For each instruction, the table states which words are ids,
//! and which effects the instruction has apart from its result.
//!
//! A module that contains an unsupported instruction stays unchanged.

use std::sync::LazyLock;

use rspirv::spirv::Op;

/// The mask for an instruction whose operands are all ids.
const ALL: u32 = u32::MAX;

const fn first(count: u32) -> u32 {
    !(ALL << count)
}

const fn except(at: u32) -> u32 {
    !(1 << at)
}

/// The mask of OpSwitch: the selector and the default label are ids, followed by 32-bit literals that alternate with labels.
const CASES: u32 = 0xaaaa_aaab;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// The result depends only on the operands, so the instruction can be removed or replaced by an equal instruction.
    Pure,
    /// The result depends on the instruction's position in the code, so the instruction can be removed but not moved.
    Reads,
    /// The instruction declares a type or a constant, and can be removed.
    Declares,
    /// The instruction names or decorates its first operand, and is removed together with that operand.
    Describes,
    /// The instruction begins or ends a block, or declares the merge block of a construct.
    Flow,
    /// The instruction stays, unless it belongs to a local variable that is replaced by values (`variables.rs`).
    Stays,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) op: Op,
    pub(super) effect: Effect,
    /// The index of the word that contains the first operand, after the type and the result (if any).
    pub(super) first: u8,
    /// A bit mask of the operand words that are ids. The last two bits of the mask repeat for words beyond the 32nd.
    pub(super) ids: u32,
}

impl Shape {
    fn new(op: Op, effect: Effect, (has_type, has_result): (bool, bool), operands: u32) -> Shape {
        let first = 1 + u8::from(has_type) + u8::from(has_result);
        Shape { op, effect, first, ids: operands << first }
    }
}

pub(super) fn shape(op: Op) -> Option<Shape> {
    shapes().get(op as usize).copied().flatten()
}

/// Returns the table, indexed by opcode.
pub(super) fn shapes() -> &'static [Option<Shape>] {
    static SHAPES: LazyLock<Vec<Option<Shape>>> = LazyLock::new(|| {
        let known = |op| declaration(op).or_else(|| flow(op)).or_else(|| computation(op));
        (0..=LAST).map(|number| Op::from_u32(number).and_then(known)).collect()
    });
    &SHAPES
}

/// The highest opcode of a computation in SPIR-V 1.0: OpImageSparseRead is 320, and OpSizeOf, from SPIR-V 1.1, is 321.
const LAST: u32 = 320;

fn declaration(op: Op) -> Option<Shape> {
    use Effect::{Declares, Describes, Stays};
    let (effect, has, ids) = match op {
        Op::Capability | Op::Extension | Op::MemoryModel => (Stays, (false, false), 0),
        // The mask marks only the entry point's function. `Code::parse` finds the interface ids, which follow a name of variable
        // length.
        Op::EntryPoint => (Stays, (false, false), 2),
        Op::ExecutionMode => (Stays, (false, false), first(1)),
        Op::Name | Op::MemberName | Op::Decorate | Op::MemberDecorate => (Describes, (false, false), first(1)),
        Op::ExtInstImport => (Stays, (false, true), 0),
        Op::TypeVoid | Op::TypeBool | Op::TypeInt | Op::TypeFloat | Op::TypeSampler => (Declares, (false, true), 0),
        Op::TypeVector | Op::TypeMatrix | Op::TypeImage | Op::TypeSampledImage => (Declares, (false, true), first(1)),
        Op::TypeArray | Op::TypeRuntimeArray | Op::TypeStruct | Op::TypeFunction => (Declares, (false, true), ALL),
        Op::TypePointer => (Declares, (false, true), except(0)),
        Op::ConstantTrue | Op::ConstantFalse | Op::Constant | Op::ConstantNull => (Declares, (true, true), 0),
        Op::ConstantComposite => (Declares, (true, true), ALL),
        Op::Undef => (Stays, (true, true), 0),
        Op::Variable => (Stays, (true, true), except(0)),
        _ => return None,
    };
    Some(Shape::new(op, effect, has, ids))
}

fn flow(op: Op) -> Option<Shape> {
    use Effect::{Flow, Stays};
    let (effect, has, ids) = match op {
        Op::Function => (Stays, (true, true), except(0)),
        Op::FunctionParameter => (Stays, (true, true), 0),
        Op::FunctionCall => (Stays, (true, true), ALL),
        Op::FunctionEnd => (Stays, (false, false), 0),
        Op::Store => (Stays, (false, false), first(2)),
        Op::ImageWrite => (Stays, (false, false), first(3)),
        Op::AtomicStore => (Stays, (false, false), first(4)),
        _ if is_atomic(op) => (Stays, (true, true), ALL),
        Op::Label => (Flow, (false, true), 0),
        Op::SelectionMerge => (Flow, (false, false), first(1)),
        Op::LoopMerge => (Flow, (false, false), first(2)),
        Op::Branch | Op::ReturnValue => (Flow, (false, false), ALL),
        Op::BranchConditional => (Flow, (false, false), first(3)),
        Op::Switch => (Flow, (false, false), CASES),
        Op::Return | Op::Kill | Op::Unreachable => (Flow, (false, false), 0),
        _ => return None,
    };
    Some(Shape::new(op, effect, has, ids))
}

fn computation(op: Op) -> Option<Shape> {
    use Effect::{Pure, Reads};
    let (effect, ids) = match op {
        // `walk.rs` treats a load as pure if the memory that it reads cannot change.
        Op::Load => (Reads, first(1)),
        Op::Phi => (Reads, ALL),
        Op::AccessChain | Op::CompositeConstruct | Op::SampledImage | Op::Image | Op::VectorExtractDynamic => {
            (Pure, ALL)
        }
        Op::CompositeExtract => (Pure, first(1)),
        Op::CompositeInsert | Op::VectorShuffle => (Pure, first(2)),
        Op::ExtInst => (Pure, except(1)),
        // The result of a sample with implicit derivatives depends on which invocations are active.
        Op::ImageSampleImplicitLod => (Reads, except(2)),
        Op::ImageSampleDrefImplicitLod => (Reads, except(3)),
        // A storage texture that the module reads is never written, so reading it is pure.
        Op::ImageSampleExplicitLod | Op::ImageFetch | Op::ImageRead => (Pure, except(2)),
        Op::ImageSampleDrefExplicitLod | Op::ImageGather | Op::ImageDrefGather => (Pure, except(3)),
        Op::ImageQueryLod => (Reads, ALL),
        Op::ImageQuerySizeLod | Op::ImageQuerySize | Op::ImageQueryLevels | Op::ImageQuerySamples => (Pure, ALL),
        _ if is_derivative(op) => (Reads, ALL),
        _ if is_arithmetic(op) => (Pure, ALL),
        _ => return None,
    };
    Some(Shape::new(op, effect, (true, true), ids))
}

/// Reports whether an instruction reads or changes memory atomically and has a result.
fn is_atomic(op: Op) -> bool {
    op == Op::AtomicLoad || (Op::AtomicExchange as u32..=Op::AtomicXor as u32).contains(&(op as u32))
}

fn is_derivative(op: Op) -> bool {
    (Op::DPdx as u32..=Op::FwidthCoarse as u32).contains(&(op as u32))
}

/// Reports whether an instruction is a conversion or an arithmetic, logical or bit operation, whose operands are all ids.
fn is_arithmetic(op: Op) -> bool {
    const RANGES: [(Op, Op); 5] = [
        (Op::ConvertFToU, Op::QuantizeToF16),
        (Op::Bitcast, Op::Bitcast),
        (Op::SNegate, Op::SMulExtended),
        (Op::Any, Op::FUnordGreaterThanEqual),
        (Op::ShiftRightLogical, Op::BitCount),
    ];
    op == Op::Transpose || RANGES.iter().any(|&(first, last)| (first as u32..=last as u32).contains(&(op as u32)))
}

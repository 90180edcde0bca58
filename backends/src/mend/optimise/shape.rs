//! The table of instructions that the pass knows: the words that are ids, and the effects apart from the result.
//!
//! A module with an instruction that is not in this table stays unchanged.

use std::sync::LazyLock;

use rspirv::spirv::Op;

/// The mask of id operands if all operands are ids, except the type and the result.
const ALL: u32 = u32::MAX;

const fn first(count: u32) -> u32 {
    !(ALL << count)
}

const fn except(at: u32) -> u32 {
    !(1 << at)
}

/// The id operands of OpSwitch: a value, a label, and then the labels that alternate with numbers of 32 bits.
const CASES: u32 = 0xaaaa_aaab;

/// The effect of an instruction apart from its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It depends only on its operands: it can be removed, and replaced by an equal instruction.
    Pure,
    /// It can be removed; its result depends on its place in the code.
    Reads,
    /// It is a type or a constant: it can be removed.
    Declares,
    /// It names or decorates its first operand, and is removed with it.
    Describes,
    /// It begins or ends a block, or names the merge block of a construct.
    Flow,
    /// It must stay.
    Stays,
}

/// The layout of an instruction's words, and its effect.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) op: Op,
    pub(super) effect: Effect,
    /// The first operand: after the type and the result.
    pub(super) first: u8,
    /// A bit mask of the words that are ids, without the type and the result. The last two bits also apply to all later
    /// words, in alternation.
    pub(super) ids: u32,
}

impl Shape {
    fn new(op: Op, effect: Effect, (has_type, has_result): (bool, bool), operands: u32) -> Shape {
        let first = 1 + u8::from(has_type) + u8::from(has_result);
        Shape { op, effect, first, ids: operands << first }
    }
}

/// Returns the table's entry for an instruction.
pub(super) fn shape(op: Op) -> Option<Shape> {
    shapes().get(op as usize).copied().flatten()
}

/// Returns the table's entries by the number of the instruction.
pub(super) fn shapes() -> &'static [Option<Shape>] {
    static SHAPES: LazyLock<Vec<Option<Shape>>> = LazyLock::new(|| {
        let known = |op| declaration(op).or_else(|| flow(op)).or_else(|| computation(op));
        (0..=LAST).map(|number| Op::from_u32(number).and_then(known)).collect()
    });
    &SHAPES
}

/// The highest number of an instruction of SPIR-V 1.0 that computes: OpImageSparseRead has 320, and OpSizeOf of 1.1 has 321.
const LAST: u32 = 320;

fn declaration(op: Op) -> Option<Shape> {
    use Effect::{Declares, Describes, Stays};
    let (effect, has, ids) = match op {
        Op::Capability | Op::Extension | Op::MemoryModel => (Stays, (false, false), 0),
        // The second operand is an id; `Code::parse` finds the interface, whose start depends on the name.
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
        // Whether memory can change decides if a load is pure (`walk.rs`).
        Op::Load => (Reads, first(1)),
        Op::Phi => (Reads, ALL),
        Op::AccessChain | Op::CompositeConstruct | Op::SampledImage | Op::Image | Op::VectorExtractDynamic => {
            (Pure, ALL)
        }
        Op::CompositeExtract => (Pure, first(1)),
        Op::CompositeInsert | Op::VectorShuffle => (Pure, first(2)),
        Op::ExtInst => (Pure, except(1)),
        // With implicit derivatives, results depend on which invocations are active.
        Op::ImageSampleImplicitLod => (Reads, except(2)),
        Op::ImageSampleDrefImplicitLod => (Reads, except(3)),
        // Storage textures that are read are not written.
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

fn is_derivative(op: Op) -> bool {
    (Op::DPdx as u32..=Op::FwidthCoarse as u32).contains(&(op as u32))
}

/// Whether all operands are ids of numbers, and the result is computed from them.
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

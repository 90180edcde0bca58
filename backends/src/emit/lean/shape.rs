//! What the pass knows of each instruction: which of its words are ids, and what its execution does besides giving a result.
//!
//! An instruction that is not in this table makes the pass leave the module as it is.

use std::sync::LazyLock;

use rspirv::spirv::Op;

/// Which operands are ids. The type and the result are not counted among the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ids {
    None,
    All,
    First(u8),
    /// All from this one on.
    From(u8),
    /// All but this one.
    Except(u8),
    /// Those of OpSwitch: a value, a label, and then numbers of 32 bits and labels in turn.
    Cases,
    /// Those of OpEntryPoint: the second, and all from this one on, behind the name.
    Entry(u16),
}

/// The operands that are ids: those of two ranges, with a step in the second one. A range is much cheaper to visit than a test of
/// each operand, and this is what the pass does most.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranges {
    first: (u16, u16),
    second: u16,
    count: u16,
    step: u8,
}

impl Ranges {
    /// The ids of an instruction of `count` operands.
    pub(super) fn new(ids: Ids, count: u16) -> Ranges {
        let (first, second, step) = match ids {
            Ids::None => ((0, 0), count, 1),
            Ids::All => ((0, 0), 0, 1),
            Ids::First(end) => ((0, end.into()), count, 1),
            Ids::From(begin) => ((0, 0), begin.into(), 1),
            Ids::Except(at) => ((0, at.into()), u16::from(at) + 1, 1),
            Ids::Cases => ((0, 1), 1, 2),
            Ids::Entry(begin) => ((1, 2), begin, 1),
        };
        Ranges { first: (first.0, first.1.min(count)), second, count, step }
    }

    /// Calls `visit` with the number of each operand that is an id.
    #[inline(always)]
    pub(super) fn each(self, mut visit: impl FnMut(usize)) {
        for at in self.first.0..self.first.1 {
            visit(at.into());
        }
        let mut at = self.second;
        while at < self.count {
            visit(at.into());
            at += u16::from(self.step);
        }
    }
}

/// What becomes of an instruction whose result nobody needs, or which stands twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It depends on its operands alone: it can be left out, and computed once where it stands twice.
    Pure,
    /// It can be left out; its result depends on where it stands.
    Reads,
    /// It stays.
    Stays,
}

/// The words of an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) has_type: bool,
    pub(super) has_result: bool,
    pub(super) ids: Ids,
    pub(super) effect: Effect,
}

/// Returns what is known of an instruction.
pub(super) fn shape(op: Op) -> Option<Shape> {
    shapes().get(op as usize).copied().flatten().map(|known| known.1)
}

/// Returns the instruction with each number, and what is known of it.
pub(super) fn shapes() -> &'static [Option<(Op, Shape)>] {
    static SHAPES: LazyLock<Vec<Option<(Op, Shape)>>> = LazyLock::new(|| {
        let known = |number| Op::from_u32(number).and_then(|op| Some((op, known(op)?)));
        (0..=LAST).map(known).collect()
    });
    &SHAPES
}

/// The highest number of an instruction of SPIR-V 1.0 that computes: OpImageSparseRead has 320, and OpSizeOf of 1.1 has 321.
const LAST: u32 = 320;

fn known(op: Op) -> Option<Shape> {
    declaration(op).or_else(|| flow(op)).or_else(|| computation(op))
}

fn declaration(op: Op) -> Option<Shape> {
    let (has_type, has_result, ids) = match op {
        Op::Capability | Op::Extension | Op::MemoryModel => (false, false, Ids::None),
        // Where the interface begins depends on the name: `Inst::read` finds it.
        Op::EntryPoint => (false, false, Ids::Entry(u16::MAX)),
        Op::ExecutionMode | Op::Name | Op::MemberName | Op::Decorate | Op::MemberDecorate => {
            (false, false, Ids::First(1))
        }
        Op::ExtInstImport | Op::TypeVoid | Op::TypeBool | Op::TypeInt | Op::TypeFloat | Op::TypeSampler => {
            (false, true, Ids::None)
        }
        Op::TypeVector | Op::TypeMatrix | Op::TypeImage | Op::TypeSampledImage => (false, true, Ids::First(1)),
        Op::TypeArray | Op::TypeRuntimeArray | Op::TypeStruct | Op::TypeFunction => (false, true, Ids::All),
        Op::TypePointer => (false, true, Ids::From(1)),
        Op::ConstantTrue | Op::ConstantFalse | Op::Constant | Op::ConstantNull | Op::Undef => (true, true, Ids::None),
        Op::ConstantComposite => (true, true, Ids::All),
        Op::Variable => (true, true, Ids::From(1)),
        _ => return None,
    };
    Some(Shape { has_type, has_result, ids, effect: Effect::Stays })
}

fn flow(op: Op) -> Option<Shape> {
    let (has_type, has_result, ids) = match op {
        Op::Function => (true, true, Ids::From(1)),
        Op::FunctionParameter => (true, true, Ids::None),
        Op::FunctionCall => (true, true, Ids::All),
        Op::Label => (false, true, Ids::None),
        Op::Store => (false, false, Ids::First(2)),
        Op::SelectionMerge => (false, false, Ids::First(1)),
        Op::LoopMerge => (false, false, Ids::First(2)),
        Op::Branch | Op::ReturnValue => (false, false, Ids::All),
        Op::BranchConditional => (false, false, Ids::First(3)),
        Op::Switch => (false, false, Ids::Cases),
        Op::Return | Op::Kill | Op::Unreachable | Op::FunctionEnd => (false, false, Ids::None),
        _ => return None,
    };
    Some(Shape { has_type, has_result, ids, effect: Effect::Stays })
}

fn computation(op: Op) -> Option<Shape> {
    let (ids, effect) = match op {
        // Whether memory can change decides if a load is pure (`walk.rs`).
        Op::Load => (Ids::First(1), Effect::Reads),
        Op::Phi => (Ids::All, Effect::Reads),
        Op::AccessChain | Op::CompositeConstruct | Op::SampledImage | Op::Image | Op::VectorExtractDynamic => {
            (Ids::All, Effect::Pure)
        }
        Op::CompositeExtract => (Ids::First(1), Effect::Pure),
        Op::CompositeInsert | Op::VectorShuffle => (Ids::First(2), Effect::Pure),
        Op::ExtInst => (Ids::Except(1), Effect::Pure),
        // With implicit derivatives, results depend on which invocations are active.
        Op::ImageSampleImplicitLod => (Ids::Except(2), Effect::Reads),
        Op::ImageSampleDrefImplicitLod => (Ids::Except(3), Effect::Reads),
        Op::ImageSampleExplicitLod | Op::ImageFetch => (Ids::Except(2), Effect::Pure),
        Op::ImageSampleDrefExplicitLod | Op::ImageGather | Op::ImageDrefGather => (Ids::Except(3), Effect::Pure),
        Op::ImageQueryLod => (Ids::All, Effect::Reads),
        Op::ImageQuerySizeLod | Op::ImageQuerySize | Op::ImageQueryLevels | Op::ImageQuerySamples => {
            (Ids::All, Effect::Pure)
        }
        _ if is_derivative(op) => (Ids::All, Effect::Reads),
        _ if is_arithmetic(op) => (Ids::All, Effect::Pure),
        _ => return None,
    };
    Some(Shape { has_type: true, has_result: true, ids, effect })
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

//! The constructs of SPIR-V that this crate accepts.
//!
//! Rule: each list makes an enum, and the code that lifts a construct is a `match` on the enum without a default arm. A row without a
//! case therefore does not compile, and a construct without a row is refused by its name, or ignored where it has no effect.

/// Makes an enum of some values of an enum of rspirv, with their names.
macro_rules! list {
    ($($(#[$doc:meta])* $list:ident of $of:ident: $($row:ident)+;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(clippy::enum_variant_names, reason = "the specification names the rows")]
        pub(crate) enum $list { $($row),+ }

        impl $list {
            /// The names of the rows.
            const NAMES: &[&str] = &[$(stringify!($row)),+];

            /// Returns the row of a value, or `None` if the list has none.
            pub(crate) const fn of(value: rspirv::spirv::$of) -> Option<$list> {
                match value {
                    $(rspirv::spirv::$of::$row => Some($list::$row),)+
                    _ => None,
                }
            }
        }
    )+};
}

list! {
    /// Instructions outside functions, but for types.
    Declaration of Op:
        Nop Capability Extension ExtInstImport ExtInst MemoryModel EntryPoint ExecutionMode ExecutionModeId
        Source SourceContinued SourceExtension String Name MemberName ModuleProcessed Line NoLine
        Decorate DecorateId DecorateString MemberDecorate MemberDecorateString DecorationGroup GroupDecorate GroupMemberDecorate
        TypeForwardPointer Variable Undef
        ConstantTrue ConstantFalse Constant ConstantComposite ConstantNull
        SpecConstantTrue SpecConstantFalse SpecConstant SpecConstantComposite SpecConstantOp;

    /// Types.
    Kind of Op:
        TypeVoid TypeBool TypeInt TypeFloat TypeVector TypeMatrix TypeStruct TypeArray TypeRuntimeArray TypePointer
        TypeImage TypeSampler TypeSampledImage TypeFunction;

    /// Instructions that divide functions into blocks.
    Divider of Op: Function FunctionParameter FunctionEnd Label;

    /// Instructions of blocks that are not in the order of execution.
    Aside of Op: Phi SelectionMerge LoopMerge Line NoLine Nop;

    /// Instructions that end blocks.
    End of Op: Branch BranchConditional Switch Return ReturnValue Kill TerminateInvocation Unreachable;

    /// Instructions of blocks that do more than to compute a value.
    Effect of Op:
        Variable Store CopyMemory FunctionCall ControlBarrier MemoryBarrier AtomicStore ImageWrite AssumeTrueKHR
        DemoteToHelperInvocation;

    /// Instructions that access memory atomically, and return what it contained.
    Atomic of Op:
        AtomicLoad AtomicExchange AtomicCompareExchange AtomicIIncrement AtomicIDecrement AtomicIAdd AtomicISub AtomicSMin AtomicUMin
        AtomicSMax AtomicUMax AtomicAnd AtomicOr AtomicXor;

    /// Other instructions that compute a value.
    Operation of Op:
        Load AccessChain InBoundsAccessChain ArrayLength
        CopyObject CopyLogical ExpectKHR Undef ExtInst
        CompositeConstruct CompositeExtract CompositeInsert VectorExtractDynamic VectorInsertDynamic VectorShuffle
        SampledImage Image
        ImageSampleImplicitLod ImageSampleExplicitLod ImageSampleDrefImplicitLod ImageSampleDrefExplicitLod
        ImageSampleProjImplicitLod ImageSampleProjExplicitLod ImageSampleProjDrefImplicitLod ImageSampleProjDrefExplicitLod
        ImageGather ImageDrefGather ImageFetch ImageRead ImageQuerySizeLod ImageQuerySize
        Select Any All Dot OuterProduct Transpose
        VectorTimesScalar MatrixTimesScalar VectorTimesMatrix MatrixTimesVector MatrixTimesMatrix
        FNegate FAdd FSub FMul FDiv FRem FMod
        SNegate Not IAdd ISub IMul UDiv SDiv UMod SRem SMod IAddCarry ISubBorrow UMulExtended SMulExtended
        BitwiseAnd BitwiseOr BitwiseXor ShiftLeftLogical ShiftRightLogical ShiftRightArithmetic
        BitFieldSExtract BitFieldUExtract BitFieldInsert BitReverse BitCount
        LogicalAnd LogicalOr LogicalNot LogicalEqual LogicalNotEqual
        FOrdEqual FOrdNotEqual FOrdLessThan FOrdGreaterThan FOrdLessThanEqual FOrdGreaterThanEqual
        FUnordEqual FUnordNotEqual FUnordLessThan FUnordGreaterThan FUnordLessThanEqual FUnordGreaterThanEqual
        IEqual INotEqual ULessThan UGreaterThan ULessThanEqual UGreaterThanEqual
        SLessThan SGreaterThan SLessThanEqual SGreaterThanEqual IsNan IsInf
        ConvertFToU ConvertFToS ConvertSToF ConvertUToF FConvert QuantizeToF16 Bitcast
        DPdx DPdy Fwidth;

    /// Instructions of GLSL.std.450 that are one operation of the format.
    Plain of GlslStd450Op:
        Round RoundEven Trunc FAbs FSign Floor Ceil Fract Radians Degrees Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh
        Atan2 Pow Exp Log Exp2 Log2 Sqrt InverseSqrt FMin NMin FMax NMax FClamp NClamp FMix Step SmoothStep Fma Length Distance Cross;

    /// Other instructions of GLSL.std.450.
    Composed of GlslStd450Op:
        Normalize FaceForward Reflect Refract Determinant MatrixInverse
        SAbs SSign SMin SMax SClamp UMin UMax UClamp Modf ModfStruct Frexp FrexpStruct Ldexp
        PackSnorm4x8 PackUnorm4x8 PackSnorm2x16 PackUnorm2x16 PackHalf2x16
        UnpackSnorm4x8 UnpackUnorm4x8 UnpackSnorm2x16 UnpackUnorm2x16 UnpackHalf2x16
        FindILsb FindSMsb FindUMsb;

    /// Storage classes.
    Class of StorageClass:
        Input Output Uniform StorageBuffer PushConstant UniformConstant Private Function Workgroup;

    /// Decorations that the crate reads. It ignores all others.
    Decoration of Decoration:
        ArrayStride Binding BufferBlock BuiltIn Centroid Component DescriptorSet ExplicitInterpAMD Flat Index Invariant Location
        MatrixStride NoContraction NoPerspective NonWritable Offset Patch PerPrimitiveEXT PerVertexKHR RowMajor Sample SpecId Stream UserSemantic;

    /// Built-in values.
    BuiltIn of BuiltIn:
        Position PointSize ClipDistance VertexIndex InstanceIndex BaseVertex BaseInstance DrawIndex
        FragCoord FrontFacing PointCoord FragDepth
        GlobalInvocationId LocalInvocationId LocalInvocationIndex WorkgroupId NumWorkgroups WorkgroupSize;

    /// Formats of storage textures.
    Texels of ImageFormat:
        Rgba8 Rgba8Snorm Rgba8ui Rgba8i Rgba16ui Rgba16i Rgba16f R32ui R32i R32f Rg32ui Rg32i Rg32f Rgba32ui Rgba32i Rgba32f;

    /// Execution modes that the crate reads.
    Mode of ExecutionMode: LocalSize LocalSizeId PixelCenterInteger EarlyFragmentTests;
}

/// Decorations that the crate ignores, because they change no result, or only its precision.
const DECORATIONS_WITHOUT_EFFECT: &[&str] = &[
    "Aliased",
    "Block",
    "ColMajor",
    "Coherent",
    "CounterBuffer",
    "NoSignedWrap",
    "NoUnsignedWrap",
    "NonReadable",
    "NonUniform",
    "RelaxedPrecision",
    "Restrict",
    "Uniform",
    "UniformId",
    "UserTypeGOOGLE",
    "Volatile",
];

/// Execution modes that the crate ignores, because they change no result.
const MODES_WITHOUT_EFFECT: &[&str] =
    &["OriginUpperLeft", "DepthReplacing", "DepthGreater", "DepthLess", "DepthUnchanged"];

impl Decoration {
    /// The decorations of inputs and outputs that the format does not have. An operand of 0 means the same as no decoration.
    pub(crate) const LACKING: [Decoration; 8] = [
        Decoration::Centroid,
        Decoration::Sample,
        Decoration::Patch,
        Decoration::Index,
        Decoration::Stream,
        Decoration::PerVertexKHR,
        Decoration::PerPrimitiveEXT,
        Decoration::ExplicitInterpAMD,
    ];

    /// Returns the decoration of a number, if the crate reads it.
    pub(crate) fn numbered(number: u32) -> Option<Decoration> {
        Decoration::of(rspirv::spirv::Decoration::from_u32(number)?)
    }
}

impl BuiltIn {
    /// Returns the built-in value of a number, if the crate accepts it.
    pub(crate) fn numbered(number: u32) -> Option<BuiltIn> {
        BuiltIn::of(rspirv::spirv::BuiltIn::from_u32(number)?)
    }
}

/// Returns the names of the constructs that this crate accepts, such as `OpFAdd`, `GLSL.std.450 Acos` and `decoration Flat`, in
/// alphabetical order. Tests show that each of them is lifted correctly.
#[must_use]
pub fn accepted() -> Vec<String> {
    let lacking = Decoration::LACKING.map(|of| format!("{of:?}"));
    let decorations: Vec<&str> =
        Decoration::NAMES.iter().copied().filter(|name| lacking.iter().all(|of| of != name)).collect();
    let instructions = [
        Declaration::NAMES,
        Kind::NAMES,
        Divider::NAMES,
        Aside::NAMES,
        End::NAMES,
        Effect::NAMES,
        Atomic::NAMES,
        Operation::NAMES,
    ];
    let lists = [
        ("GLSL.std.450 ", Plain::NAMES),
        ("GLSL.std.450 ", Composed::NAMES),
        ("storage class ", Class::NAMES),
        ("decoration ", &decorations),
        ("decoration ", DECORATIONS_WITHOUT_EFFECT),
        ("built-in value ", BuiltIn::NAMES),
        ("image format ", Texels::NAMES),
        ("execution mode ", Mode::NAMES),
        ("execution mode ", MODES_WITHOUT_EFFECT),
    ];
    let lists = instructions.into_iter().map(|names| ("Op", names)).chain(lists);
    let names: std::collections::BTreeSet<String> =
        lists.flat_map(|(of, names)| names.iter().map(move |name| format!("{of}{name}"))).collect();
    names.into_iter().collect()
}

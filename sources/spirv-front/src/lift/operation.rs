//! Instructions that compute values.

use rspirv::spirv::Op as Spirv;
use sdlbc::builder::Lane;
use sdlbc::lifting::{Step, Value};
use sdlbc::{Few, FunctionKind, Id, Op, Scalar, Type};

use super::Lifter;
use super::pointer::{Place, Root};
use crate::accepted::{Atomic, Decoration, Effect, Operation};
use crate::module::Ty;
use crate::words::{Inst, name};
use sdlbc::front::{Convention, Guarantee, RefusalKind};

impl<'m> Lifter<'_, 'm> {
    /// Lifts an instruction. Returns whether control continues after it.
    pub(super) fn instruction(&mut self, inst: &Inst<'m>) -> bool {
        let accesses = matches!(
            inst.op,
            Spirv::Load | Spirv::Store | Spirv::CopyMemory | Spirv::FunctionCall | Spirv::ImageRead | Spirv::ImageWrite
        );
        if accesses || inst.op == Spirv::AtomicStore || Atomic::of(inst.op).is_some() {
            self.emit_pending();
        }
        if self.module().has_precise && self.module().decoration(inst.id, Decoration::NoContraction).is_some() {
            self.lose(Guarantee::Precise);
        }
        let Some(effect) = Effect::of(inst.op) else {
            self.compute(inst);
            return true;
        };
        match effect {
            Effect::Variable => {
                let value = self.declare_local(inst);
                self.set(inst.id, value);
            }
            Effect::Store => {
                let value = self.value(inst.arg(1));
                if let Some(place) = self.place(inst.arg(0)) {
                    self.store(&place, &value);
                }
            }
            Effect::CopyMemory => {
                if let (Some(to), Some(from)) = (self.place(inst.arg(0)), self.place(inst.arg(1))) {
                    let value = self.load(&from, from.ty);
                    self.store(&to, &value);
                }
            }
            Effect::FunctionCall => return self.call(inst),
            Effect::ControlBarrier => self.barrier(inst),
            Effect::MemoryBarrier => {
                if self.kind == FunctionKind::Compute {
                    self.pending |= self.ordered(inst.arg(1));
                }
            }
            Effect::AtomicStore => self.atomic_store(inst),
            Effect::AssumeTrueKHR => {}
            Effect::ImageWrite => {
                self.for_each_element(inst, &|lifter, inst| {
                    lifter.write_texel(inst);
                    None
                });
            }
            Effect::DemoteToHelperInvocation => {
                if let Some(flag) = self.demoted {
                    self.lifting.set_flag(flag, true);
                }
            }
        }
        true
    }

    /// Lifts an instruction that only computes a value.
    fn compute(&mut self, inst: &Inst<'m>) {
        if inst.id == 0 {
            return self.refuse(RefusalKind::Operation { name: name(inst.op) });
        }
        let value = self.operation(inst);
        if let (Value::One(one), Some(ty)) = (&value, self.module().value_type(inst.ty))
            && self.lifting.ty(*one) != ty
        {
            self.mismatch();
        }
        self.set(inst.id, value);
    }

    /// Emits a barrier.
    fn barrier(&mut self, inst: &Inst<'m>) {
        let flags = self.ordered(inst.arg(2)) | std::mem::take(&mut self.pending);
        // Invocations also wait at a barrier that orders no memory.
        self.lifting.builder.barrier(flags.max(1));
    }

    /// Returns the flags of BARRIER for memory semantics.
    fn ordered(&self, semantics: u32) -> u32 {
        // 0x40 is uniform memory, which includes storage buffers, and 0x100 is workgroup memory.
        let semantics = self.module().int(semantics, 0).unwrap_or(0);
        u32::from(semantics & 0x100 != 0) + 2 * u32::from(semantics & 0x40 != 0)
    }

    /// Emits a BARRIER for OpMemoryBarriers that no OpControlBarrier follows. The invocations of a workgroup also wait at it, which is stronger
    /// than what the module asks for, and only allowed in uniform control flow.
    pub(super) fn emit_pending(&mut self) {
        let flags = std::mem::take(&mut self.pending);
        if flags != 0 {
            self.lifting.builder.barrier(flags);
        }
    }

    /// Returns the operands of an instruction for an operation, or `None` and refuses the module if their number does not suit it.
    fn operands(&mut self, inst: &Inst<'m>, op: Op) -> Option<Few<Id>> {
        if !op.shape().inputs.allows(inst.args.len()) {
            self.mismatch();
            return None;
        }
        Some(inst.args.iter().map(|&arg| self.one(arg)).collect())
    }

    /// Computes the result of an instruction.
    pub(super) fn operation(&mut self, inst: &Inst<'m>) -> Value {
        use Operation::*;
        let ty = inst.ty;
        let scalar = match self.module().value_type(ty) {
            Some(Type::Vector(scalar, _)) => scalar,
            _ => Scalar::Float,
        };
        if let Some(atomic) = Atomic::of(inst.op) {
            return self.atomic(atomic, inst);
        }
        let Some(operation) = Operation::of(inst.op) else { return self.refuse_instruction(name(inst.op), ty) };
        match operation {
            Load => {
                let Some(place) = self.place(inst.arg(0)) else { return self.zero(ty) };
                self.load(&place, ty)
            }
            AccessChain | InBoundsAccessChain => self.access(inst),
            CopyObject | CopyLogical | ExpectKHR => self.value(inst.arg(0)),
            Undef => self.zero(ty),
            ExtInst => self.extended(inst),
            CompositeConstruct => {
                let parts = inst.args.iter().map(|&arg| self.value(arg)).collect();
                self.composed(ty, parts)
            }
            CompositeExtract => {
                let value = self.value(inst.arg(0));
                let steps: Vec<Step> = inst.args.iter().skip(1).map(|&at| Step::Known(at)).collect();
                self.lifting.part_at(value, &steps)
            }
            CompositeInsert => {
                let (part, whole) = (self.value(inst.arg(0)), self.value(inst.arg(1)));
                let steps: Vec<Step> = inst.args.iter().skip(2).map(|&at| Step::Known(at)).collect();
                self.lifting.with_part_at(&whole, &steps, &part)
            }
            VectorExtractDynamic => {
                let (vector, index) = (self.one(inst.arg(0)), self.index(inst.arg(1)));
                Value::One(self.lifting.part_of_one(vector, Step::Computed(index)))
            }
            VectorInsertDynamic => {
                let (vector, part, index) = (self.one(inst.arg(0)), self.one(inst.arg(1)), self.index(inst.arg(2)));
                Value::One(self.lifting.with_inner(vector, Step::Computed(index), &[], part))
            }
            VectorShuffle => self.shuffle(inst),
            ArrayLength => {
                let place = self.place(inst.arg(0));
                let length = match place {
                    Some(Place { root: Root::Buffer(variable), steps, .. }) => {
                        self.array_length(variable, &steps, inst.arg(1))
                    }
                    _ => None,
                };
                match length {
                    Some(length) => Value::One(length),
                    None => self.refuse_instruction("OpArrayLength of this array", ty),
                }
            }
            SampledImage => self.combine(inst),
            Image => self.image_of(inst),
            ImageSampleImplicitLod
            | ImageSampleExplicitLod
            | ImageSampleDrefImplicitLod
            | ImageSampleDrefExplicitLod
            | ImageSampleProjImplicitLod
            | ImageSampleProjExplicitLod
            | ImageSampleProjDrefImplicitLod
            | ImageSampleProjDrefExplicitLod
            | ImageGather
            | ImageDrefGather => self.on_texture(inst, &|lifter, inst| Some(lifter.sample(inst))),
            ImageFetch => self.on_texture(inst, &|lifter, inst| Some(lifter.fetch(inst))),
            ImageRead => self.on_texture(inst, &|lifter, inst| Some(lifter.read_texel(inst))),
            ImageQuerySizeLod | ImageQuerySize => self.on_texture(inst, &|lifter, inst| Some(lifter.size(inst))),
            Select => {
                let [condition, accept, reject] = [0, 1, 2].map(|at| self.value(inst.arg(at)));
                self.select(condition.one(), &accept, &reject)
            }
            Any | All => {
                let operand = self.one(inst.arg(0));
                match (operation, self.lifting.width(operand)) {
                    (_, 1) => Value::One(operand),
                    (Any, _) => Value::One(self.lifting.emit(Op::Any, &[operand])),
                    _ => Value::One(self.lifting.emit(Op::All, &[operand])),
                }
            }
            Dot => self.plain(inst, Op::Dot),
            OuterProduct => {
                let (a, b) = (self.one(inst.arg(0)), self.one(inst.arg(1)));
                Value::One(self.lifting.outer_product(a, b))
            }
            Transpose => self.plain(inst, Op::Transpose),
            VectorTimesScalar | MatrixTimesScalar | VectorTimesMatrix | MatrixTimesVector | MatrixTimesMatrix => {
                self.plain(inst, Op::Multiply)
            }
            FNegate => self.by_columns(inst, Op::Negate),
            FAdd => self.by_columns(inst, Op::Add),
            FSub => self.by_columns(inst, Op::Subtract),
            FMul => self.by_columns(inst, Op::Multiply),
            FDiv => self.by_columns(inst, Op::Divide),
            FRem => self.plain(inst, Op::Modulo),
            FMod => self.plain(inst, Op::Mod),
            SNegate => self.ints(inst, Op::Negate, Scalar::Int, scalar),
            Not => self.ints(inst, Op::Complement, scalar, scalar),
            IAdd => self.ints(inst, Op::Add, scalar, scalar),
            ISub => self.ints(inst, Op::Subtract, scalar, scalar),
            IMul => self.ints(inst, Op::Multiply, scalar, scalar),
            UDiv => self.ints(inst, Op::Divide, Scalar::Uint, scalar),
            SDiv => self.ints(inst, Op::Divide, Scalar::Int, scalar),
            UMod => self.ints(inst, Op::Modulo, Scalar::Uint, scalar),
            SRem => self.ints(inst, Op::Modulo, Scalar::Int, scalar),
            SMod => self.floored_remainder(inst, scalar),
            IAddCarry | ISubBorrow | UMulExtended | SMulExtended => self.wide(inst),
            BitwiseAnd => self.ints(inst, Op::BinaryAnd, scalar, scalar),
            BitwiseOr => self.ints(inst, Op::BinaryOr, scalar, scalar),
            BitwiseXor => self.ints(inst, Op::BinaryXor, scalar, scalar),
            ShiftLeftLogical => self.shift(inst, Op::ShiftLeft, scalar, scalar),
            ShiftRightLogical => self.shift(inst, Op::ShiftRight, Scalar::Uint, scalar),
            ShiftRightArithmetic => self.shift(inst, Op::ShiftRight, Scalar::Int, scalar),
            LogicalAnd => self.plain(inst, Op::LogicalAnd),
            LogicalOr => self.plain(inst, Op::LogicalOr),
            LogicalNot => self.plain(inst, Op::Not),
            LogicalEqual => self.plain(inst, Op::Equal),
            LogicalNotEqual => self.plain(inst, Op::NotEqual),
            FOrdEqual => self.plain(inst, Op::Equal),
            FUnordNotEqual => self.plain(inst, Op::NotEqual),
            FOrdNotEqual | FUnordEqual => {
                let Some(operands) = self.operands(inst, Op::LessThan) else { return self.zero(ty) };
                let [less, greater] = [Op::LessThan, Op::GreaterThan].map(|op| self.lifting.emit(op, &operands));
                let differ = self.lifting.builder.logical_or(less, greater);
                Value::One(if operation == FOrdNotEqual { differ } else { self.lifting.builder.not(differ) })
            }
            FOrdLessThan => self.plain(inst, Op::LessThan),
            FOrdGreaterThan => self.plain(inst, Op::GreaterThan),
            FOrdLessThanEqual => self.plain(inst, Op::LessThanOrEqual),
            FOrdGreaterThanEqual => self.plain(inst, Op::GreaterThanOrEqual),
            // An unordered comparison is true for NaN: it negates the opposite ordered comparison.
            FUnordLessThan => self.negated(inst, Op::GreaterThanOrEqual),
            FUnordGreaterThan => self.negated(inst, Op::LessThanOrEqual),
            FUnordLessThanEqual => self.negated(inst, Op::GreaterThan),
            FUnordGreaterThanEqual => self.negated(inst, Op::LessThan),
            IEqual => self.ints(inst, Op::Equal, Scalar::Uint, scalar),
            INotEqual => self.ints(inst, Op::NotEqual, Scalar::Uint, scalar),
            ULessThan => self.ints(inst, Op::LessThan, Scalar::Uint, scalar),
            UGreaterThan => self.ints(inst, Op::GreaterThan, Scalar::Uint, scalar),
            ULessThanEqual => self.ints(inst, Op::LessThanOrEqual, Scalar::Uint, scalar),
            UGreaterThanEqual => self.ints(inst, Op::GreaterThanOrEqual, Scalar::Uint, scalar),
            SLessThan => self.ints(inst, Op::LessThan, Scalar::Int, scalar),
            SGreaterThan => self.ints(inst, Op::GreaterThan, Scalar::Int, scalar),
            SLessThanEqual => self.ints(inst, Op::LessThanOrEqual, Scalar::Int, scalar),
            SGreaterThanEqual => self.ints(inst, Op::GreaterThanOrEqual, Scalar::Int, scalar),
            IsNan => {
                let a = self.one(inst.arg(0));
                Value::One(self.lifting.builder.not_equal(a, a))
            }
            IsInf => {
                let a = self.one(inst.arg(0));
                let (magnitude, infinity) = (self.lifting.builder.abs(a), self.lifting.builder.float(f32::INFINITY));
                let infinity = self.lifting.convert(infinity, self.lifting.scalar_of(a));
                Value::One(self.lifting.builder.equal(magnitude, infinity))
            }
            ConvertFToU | ConvertFToS | ConvertSToF | ConvertUToF | FConvert => self.converted(inst, scalar),
            QuantizeToF16 => {
                let a = self.one(inst.arg(0));
                let half = self.lifting.convert(a, Scalar::Half);
                Value::One(self.lifting.convert(half, Scalar::Float))
            }
            Bitcast => self.bitcast(inst),
            BitFieldSExtract | BitFieldUExtract => {
                let own = if operation == BitFieldSExtract { Scalar::Int } else { Scalar::Uint };
                let base = self.one(inst.arg(0));
                let base = self.lifting.convert(base, own);
                let [offset, count] = [1, 2].map(|at| self.uint(inst.arg(at)));
                let bits = self.lifting.extract_bits(base, offset, count);
                Value::One(self.lifting.convert(bits, scalar))
            }
            BitFieldInsert => {
                let [base, inserted, offset, count] = [0, 1, 2, 3].map(|at| self.uint(inst.arg(at)));
                let bits = self.lifting.insert_bits(base, inserted, offset, count);
                Value::One(self.lifting.convert(bits, scalar))
            }
            BitReverse => {
                let bits = self.uint(inst.arg(0));
                let bits = self.lifting.reverse_bits(bits);
                Value::One(self.lifting.convert(bits, scalar))
            }
            BitCount => {
                let bits = self.uint(inst.arg(0));
                let count = self.lifting.count_ones(bits);
                Value::One(self.lifting.convert(count, scalar))
            }
            DPdx | DPdy | Fwidth if self.kind != FunctionKind::Fragment => {
                self.refuse_instruction(format!("{} outside fragment functions", name(inst.op)), ty)
            }
            DPdx => self.plain(inst, Op::Ddx),
            DPdy => match (self.plain(inst, Op::Ddy), self.shared.convention) {
                // In OpenGL, the window's y points up.
                (Value::One(change), Convention::OpenGl) => Value::One(self.lifting.builder.negate(change)),
                (change, _) => change,
            },
            Fwidth => {
                let of = self.one(inst.arg(0));
                let [x, y] = [Op::Ddx, Op::Ddy].map(|op| {
                    let change = self.lifting.emit(op, &[of]);
                    self.lifting.builder.abs(change)
                });
                Value::One(self.lifting.builder.add(x, y))
            }
        }
    }

    /// Applies an operation to the operands without converting them.
    fn plain(&mut self, inst: &Inst<'m>, op: Op) -> Value {
        let Some(operands) = self.operands(inst, op) else { return self.zero(inst.ty) };
        Value::One(self.lifting.emit(op, &operands))
    }

    /// Applies an operation to the operands, column by column if any of them is a matrix.
    fn by_columns(&mut self, inst: &Inst<'m>, op: Op) -> Value {
        let Some(operands) = self.operands(inst, op) else { return self.zero(inst.ty) };
        let has_matrix = operands.iter().any(|&operand| matches!(self.lifting.ty(operand), Type::Matrix { .. }));
        Value::One(if has_matrix { self.lifting.by_columns(op, &operands) } else { self.lifting.emit(op, &operands) })
    }

    /// Returns the negation of an operation's result.
    fn negated(&mut self, inst: &Inst<'m>, op: Op) -> Value {
        let Some(operands) = self.operands(inst, op) else { return self.zero(inst.ty) };
        let result = self.lifting.emit(op, &operands);
        Value::One(self.lifting.builder.not(result))
    }

    /// Applies an operation to integers converted to the type `own`, and converts the result to the type `result` unless it is a bool. The
    /// operands of SPIR-V's integer instructions may differ in their signedness.
    fn ints(&mut self, inst: &Inst<'m>, op: Op, own: Scalar, result: Scalar) -> Value {
        let Some(mut operands) = self.operands(inst, op) else { return self.zero(inst.ty) };
        // Equality does not depend on the sign, so the first operand keeps its type.
        let own = match (op, operands.first()) {
            (Op::Equal | Op::NotEqual, Some(&first)) => self.lifting.scalar_of(first),
            _ => own,
        };
        for operand in &mut operands {
            *operand = self.lifting.convert(*operand, own);
        }
        self.with_scalar(op, &operands, own, result)
    }

    fn shift(&mut self, inst: &Inst<'m>, op: Op, own: Scalar, result: Scalar) -> Value {
        let (base, by) = (self.one(inst.arg(0)), self.one(inst.arg(1)));
        let base = self.lifting.convert(base, own);
        let shifted = self.lifting.emit(op, &[base, by]);
        Value::One(self.lifting.convert(shifted, result))
    }

    /// Returns the remainder with the sign of the divisor.
    fn floored_remainder(&mut self, inst: &Inst<'m>, result: Scalar) -> Value {
        let [a, b] = [0, 1].map(|at| {
            let operand = self.one(inst.arg(at));
            self.lifting.convert(operand, Scalar::Int)
        });
        let builder = &mut self.lifting.builder;
        let remainder = builder.modulo(a, b);
        let zero = builder.int(0);
        let is_inexact = builder.not_equal(remainder, zero);
        let signs = builder.binary_xor(remainder, b);
        let differ = builder.less_than(signs, zero);
        let moves = builder.logical_and(is_inexact, differ);
        let moved = builder.add(remainder, b);
        let value = builder.select(moves, moved, remainder);
        Value::One(self.lifting.convert(value, result))
    }

    /// Returns integers as uints.
    fn uint(&mut self, id: u32) -> Id {
        let value = self.one(id);
        self.lifting.convert(value, Scalar::Uint)
    }

    fn converted(&mut self, inst: &Inst<'m>, scalar: Scalar) -> Value {
        if self.module().value_type(inst.ty).is_none() {
            return self.refuse_value(RefusalKind::Types { what: self.module().type_name(inst.ty) }, inst.ty);
        }
        let operand = self.one(inst.arg(0));
        let operand = match inst.op {
            Spirv::ConvertSToF => self.lifting.convert(operand, Scalar::Int),
            Spirv::ConvertUToF => self.lifting.convert(operand, Scalar::Uint),
            Spirv::ConvertFToU => self.lifting.convert(operand, Scalar::Uint),
            Spirv::ConvertFToS => self.lifting.convert(operand, Scalar::Int),
            _ => operand,
        };
        Value::One(self.lifting.convert(operand, scalar))
    }

    fn bitcast(&mut self, inst: &Inst<'m>) -> Value {
        let operand = self.one(inst.arg(0));
        match (self.module().value_type(inst.ty), self.lifting.ty(operand)) {
            (Some(Type::Vector(to, width)), Type::Vector(from, own))
                if width == own && to.has_32_bits() && from.has_32_bits() =>
            {
                Value::One(self.lifting.bits_as(operand, to))
            }
            _ => self.refuse_instruction("OpBitcast between these types", inst.ty),
        }
    }

    /// Selects between two values, part by part.
    fn select(&mut self, condition: Id, accept: &Value, reject: &Value) -> Value {
        match (accept, reject) {
            (&Value::One(a), &Value::One(b)) => match self.lifting.ty(a) {
                Type::Matrix { .. } => {
                    let columns = self.lifting.columns(a).into_iter().zip(self.lifting.columns(b));
                    let columns: Few<Id> = columns
                        .collect::<Vec<_>>()
                        .into_iter()
                        .map(|(a, b)| self.lifting.builder.select(condition, a, b))
                        .collect();
                    Value::One(self.lifting.matrix(&columns))
                }
                _ => Value::One(self.lifting.builder.select(condition, a, b)),
            },
            (Value::Many(a), Value::Many(b)) if a.len() == b.len() => {
                Value::Many(a.iter().zip(b).map(|(a, b)| self.select(condition, a, b)).collect())
            }
            _ => {
                let name = "OpSelect of pointers or textures".to_string();
                self.refuse(RefusalKind::Operation { name });
                accept.clone()
            }
        }
    }

    fn shuffle(&mut self, inst: &Inst<'m>) -> Value {
        let (a, b) = (self.one(inst.arg(0)), self.one(inst.arg(1)));
        let width = u32::from(self.lifting.width(a));
        let mut lanes = Few::<Lane>::new();
        for &component in inst.args.iter().skip(2) {
            let (value, lane) = if component == u32::MAX {
                (a, 0)
            } else if component < width {
                (a, component)
            } else {
                (b, component - width)
            };
            let last = self.lifting.width(value) - 1;
            lanes.push(Lane { value, lane: u8::try_from(lane).unwrap_or(u8::MAX).min(last) });
        }
        if lanes.is_empty() || lanes.len() > 4 || !matches!(self.module().types.get(&inst.ty), Some(Ty::Value(_))) {
            self.mismatch();
            return self.zero(inst.ty);
        }
        Value::One(self.lifting.builder.gather(&lanes))
    }
}

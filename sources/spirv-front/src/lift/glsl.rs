//! The instructions of the set GLSL.std.450 (its specification, "GLSL.std.450").

use rspirv::grammar::GLSL_STD_450_INSTRUCTION_TABLE;
use rspirv::spirv::GlslStd450Op as Glsl;
use sdlbc::lifting::{Packing, Value};
use sdlbc::{Few, Id, Op, Scalar, Type};

use super::Lifter;
use crate::accepted::{Composed, Plain};
use crate::module::Ty;
use crate::words::Inst;

impl<'m> Lifter<'_, 'm> {
    /// Lifts an instruction of an imported instruction set.
    pub(super) fn extended(&mut self, inst: &Inst<'m>) -> Value {
        let [set, number, args @ ..] = inst.args else {
            self.mismatch();
            return self.zero(inst.ty);
        };
        match self.module().sets.get(set).map(String::as_str) {
            Some("GLSL.std.450") => {}
            // Such instructions do not affect what a program computes.
            Some(set) if set.starts_with("NonSemantic.") || set.contains("DebugInfo") => {
                return Value::Many(Vec::new());
            }
            set => {
                let name = format!("instruction {number} of {}", set.unwrap_or("an unknown set"));
                return self.refuse_instruction(name, inst.ty);
            }
        }
        let Some(op) = Glsl::from_u32(*number) else {
            return self.refuse_instruction(format!("instruction {number} of GLSL.std.450"), inst.ty);
        };
        let count = GLSL_STD_450_INSTRUCTION_TABLE.lookup_opcode(*number).map(|row| row.operands.len());
        if count != Some(args.len()) {
            self.mismatch();
            return self.zero(inst.ty);
        }
        let operands: Few<Id> = match op {
            Glsl::Modf | Glsl::Frexp => args.iter().take(1).map(|&arg| self.one(arg)).collect(),
            Glsl::InterpolateAtCentroid | Glsl::InterpolateAtSample | Glsl::InterpolateAtOffset => Few::new(),
            _ => args.iter().map(|&arg| self.one(arg)).collect(),
        };
        let arg = |at: usize| operands.get(at).copied().unwrap_or_default();
        let (a, b) = (arg(0), arg(1));
        let scalar = match self.module().value_type(inst.ty) {
            Some(Type::Vector(scalar, _)) => scalar,
            _ => Scalar::Float,
        };
        if let Some(op) = Plain::of(op) {
            return Value::One(self.lifting.emit(plain(op), &operands));
        }
        let Some(op) = Composed::of(op) else { return self.refuse_instruction(format!("{op:?}"), inst.ty) };
        Value::One(match op {
            Composed::Normalize if self.lifting.width(a) == 1 => self.lifting.emit(Op::Sign, &operands),
            Composed::Normalize => self.lifting.emit(Op::Normalize, &operands),
            Composed::FaceForward | Composed::Reflect | Composed::Refract if self.lifting.width(a) == 1 => {
                self.of_scalars(op, a, b, arg(2))
            }
            Composed::FaceForward => self.lifting.emit(Op::FaceForward, &operands),
            Composed::Reflect => self.lifting.emit(Op::Reflect, &operands),
            Composed::Refract => self.lifting.emit(Op::Refract, &operands),
            Composed::Determinant => self.lifting.determinant(a),
            Composed::MatrixInverse => self.lifting.inverse(a),
            Composed::SAbs => return self.with_scalar(Op::Abs, &operands, Scalar::Int, scalar),
            Composed::SSign => return self.with_scalar(Op::Sign, &operands, Scalar::Int, scalar),
            Composed::SMin => return self.with_scalar(Op::Min, &operands, Scalar::Int, scalar),
            Composed::SMax => return self.with_scalar(Op::Max, &operands, Scalar::Int, scalar),
            Composed::SClamp => return self.with_scalar(Op::Clamp, &operands, Scalar::Int, scalar),
            Composed::UMin => return self.with_scalar(Op::Min, &operands, Scalar::Uint, scalar),
            Composed::UMax => return self.with_scalar(Op::Max, &operands, Scalar::Uint, scalar),
            Composed::UClamp => return self.with_scalar(Op::Clamp, &operands, Scalar::Uint, scalar),
            Composed::Modf | Composed::ModfStruct => {
                let whole = self.lifting.builder.trunc(a);
                let fraction = self.lifting.builder.subtract(a, whole);
                return self.two(inst, args.get(1).copied(), fraction, whole);
            }
            Composed::Frexp | Composed::FrexpStruct => {
                let [significand, exponent] = [Op::Frexp, Op::Exponent].map(|op| self.lifting.emit(op, &[a]));
                return self.two(inst, args.get(1).copied(), significand, exponent);
            }
            Composed::Ldexp => {
                let exponent = self.lifting.convert(b, Scalar::Int);
                self.lifting.emit(Op::Ldexp, &[a, exponent])
            }
            Composed::PackSnorm4x8 => self.lifting.pack_normal(Packing { is_signed: true, size: 8 }, a),
            Composed::PackUnorm4x8 => self.lifting.pack_normal(Packing { is_signed: false, size: 8 }, a),
            Composed::PackSnorm2x16 => self.lifting.pack_normal(Packing { is_signed: true, size: 16 }, a),
            Composed::PackUnorm2x16 => self.lifting.pack_normal(Packing { is_signed: false, size: 16 }, a),
            Composed::UnpackSnorm4x8 => self.lifting.unpack_normal(Packing { is_signed: true, size: 8 }, a),
            Composed::UnpackUnorm4x8 => self.lifting.unpack_normal(Packing { is_signed: false, size: 8 }, a),
            Composed::UnpackSnorm2x16 => self.lifting.unpack_normal(Packing { is_signed: true, size: 16 }, a),
            Composed::UnpackUnorm2x16 => self.lifting.unpack_normal(Packing { is_signed: false, size: 16 }, a),
            Composed::PackHalf2x16 => self.lifting.pack_halfs(a),
            Composed::UnpackHalf2x16 => self.lifting.unpack_halfs(a),
            Composed::FindILsb => {
                let bits = self.lifting.convert(a, Scalar::Uint);
                let found = self.lifting.first_trailing_bit(bits);
                self.lifting.convert(found, scalar)
            }
            Composed::FindSMsb | Composed::FindUMsb => {
                let own = if op == Composed::FindSMsb { Scalar::Int } else { Scalar::Uint };
                let bits = self.lifting.convert(a, own);
                let found = self.lifting.first_leading_bit(bits);
                self.lifting.convert(found, scalar)
            }
        })
    }

    /// Returns the result of FaceForward, Reflect or Refract for scalars, whose dot product is their product.
    fn of_scalars(&mut self, op: Composed, a: Id, b: Id, c: Id) -> Id {
        let builder = &mut self.lifting.builder;
        let zero = builder.float(0.0);
        if op == Composed::FaceForward {
            let dot = builder.multiply(c, b);
            let is_before = builder.less_than(dot, zero);
            let back = builder.negate(a);
            return builder.select(is_before, a, back);
        }
        let dot = builder.multiply(b, a);
        if op == Composed::Reflect {
            let two = builder.float(2.0);
            let twice = builder.multiply(two, dot);
            let along = builder.multiply(twice, b);
            return builder.subtract(a, along);
        }
        // k = 1 - eta * eta * (1 - dot * dot)
        let one = builder.float(1.0);
        let square = builder.multiply(dot, dot);
        let rest = builder.subtract(one, square);
        let ratio = builder.multiply(c, c);
        let product = builder.multiply(ratio, rest);
        let k = builder.subtract(one, product);
        let is_none = builder.less_than(k, zero);
        // The root of a negative number is not used.
        let radicand = builder.max(k, zero);
        let root = builder.sqrt(radicand);
        let scaled = builder.multiply(c, dot);
        let factor = builder.add(scaled, root);
        let along = builder.multiply(factor, b);
        let straight = builder.multiply(c, a);
        let refracted = builder.subtract(straight, along);
        builder.select(is_none, zero, refracted)
    }

    /// Applies an operation to operands converted to the type `own`, and converts the result to the type `result` unless it is a bool.
    pub(super) fn with_scalar(&mut self, op: Op, operands: &[Id], own: Scalar, result: Scalar) -> Value {
        let operands: Few<Id> = operands.iter().map(|&operand| self.lifting.convert(operand, own)).collect();
        let value = self.lifting.emit(op, &operands);
        let is_bool = self.lifting.scalar_of(value) == Scalar::Bool;
        Value::One(if is_bool { value } else { self.lifting.convert(value, result) })
    }

    /// Returns both results of an instruction in a structure, or returns the first and stores the second through a pointer.
    fn two(&mut self, inst: &Inst<'m>, pointer: Option<u32>, first: Id, second: Id) -> Value {
        let second = |lifter: &mut Self, ty: u32| match lifter.module().value_type(ty) {
            Some(Type::Vector(scalar, _)) => lifter.lifting.convert(second, scalar),
            _ => second,
        };
        if let Some(Ty::Struct(members)) = self.module().types.get(&inst.ty) {
            let ty = members.get(1).copied().unwrap_or(0);
            let second = second(self, ty);
            return Value::Many(vec![Value::One(first), Value::One(second)]);
        }
        if let Some(place) = pointer.and_then(|pointer| self.place(pointer)) {
            let second = second(self, place.ty);
            self.store(&place, &Value::One(second));
        }
        Value::One(first)
    }
}

/// Returns the format's operation with the same operands and meaning as an instruction.
const fn plain(op: Plain) -> Op {
    match op {
        Plain::Round | Plain::RoundEven => Op::RoundEven,
        Plain::Trunc => Op::Trunc,
        Plain::FAbs => Op::Abs,
        Plain::FSign => Op::Sign,
        Plain::Floor => Op::Floor,
        Plain::Ceil => Op::Ceil,
        Plain::Fract => Op::Fract,
        Plain::Radians => Op::Radians,
        Plain::Degrees => Op::Degrees,
        Plain::Sin => Op::Sin,
        Plain::Cos => Op::Cos,
        Plain::Tan => Op::Tan,
        Plain::Asin => Op::Asin,
        Plain::Acos => Op::Acos,
        Plain::Atan => Op::Atan,
        Plain::Sinh => Op::Sinh,
        Plain::Cosh => Op::Cosh,
        Plain::Tanh => Op::Tanh,
        Plain::Asinh => Op::Asinh,
        Plain::Acosh => Op::Acosh,
        Plain::Atanh => Op::Atanh,
        Plain::Atan2 => Op::Atan2,
        Plain::Pow => Op::Pow,
        Plain::Exp => Op::Exp,
        Plain::Log => Op::Log,
        Plain::Exp2 => Op::Exp2,
        Plain::Log2 => Op::Log2,
        Plain::Sqrt => Op::Sqrt,
        Plain::InverseSqrt => Op::Rsqrt,
        Plain::FMin | Plain::NMin => Op::Min,
        Plain::FMax | Plain::NMax => Op::Max,
        Plain::FClamp | Plain::NClamp => Op::Clamp,
        Plain::FMix => Op::Mix,
        Plain::Step => Op::Step,
        Plain::SmoothStep => Op::SmoothStep,
        Plain::Fma => Op::Mad,
        Plain::Length => Op::Len,
        Plain::Distance => Op::Distance,
        Plain::Cross => Op::Cross,
    }
}

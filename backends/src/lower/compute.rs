//! Lowers computations to naga expressions, following the lowering rule of each operation.
//!
//! This file expands each operation that a target lacks, or whose result in the target differs from the operation table. If naga
//! or a target lacks an operation on halves, the operation is done on floats.

use naga::{
    AtomicFunction, BinaryOperator, Block, DerivativeAxis, DerivativeControl, Expression, Literal, MathFunction,
    ScalarKind, SwizzleComponent, UnaryOperator,
};
use sdlbc::{Few, Id, Inst, Op, Scalar, Type, TypeRule};

use super::function::{Lower, mismatch};
use super::rules::{Rule, rule};
use super::state::Value;
use super::types::vector_size;
use crate::error::Error;

/// The largest float below 1/2. The sum of this float and a whole number does not round up to the next whole number.
const BELOW_HALF: f32 = 0.499_999_97;

impl Lower<'_, '_> {
    /// Lowers an instruction that is neither control flow nor a PHI.
    pub(super) fn inst(&mut self, inst: &Inst, block: &mut Block) -> Result<(), Error> {
        let is_read = matches!(inst.op, Op::Peek | Op::Swizzle);
        if is_read && self.registers().is_some_and(|registers| registers.is_column(inst.output)) {
            return Ok(());
        }
        let rule = rule(inst.op);
        let is_arithmetic = is_arithmetic(rule);
        if is_arithmetic {
            self.hide_constants(inst, rule, block)?;
        }
        let width = self.width(inst.output);
        let value = match rule {
            Rule::Nothing => return Ok(()),
            Rule::Control | Rule::Call => return Err(Error::Internal(format!("{} is not a computation", inst.op))),
            Rule::Poke => return self.poke(inst, block),
            Rule::Unary(op) => {
                let [expr] = self.inputs(inst, block)?;
                self.compute(Expression::Unary { op, expr })
            }
            Rule::Binary(op) | Rule::Quotient(op) => {
                let [left, right] = self.spread_inputs(inst, block)?;
                self.binary(op, left, right)
            }
            Rule::Logical(op) => {
                let [left, right] = self.spread_inputs(inst, block)?;
                // Vectors have no short-circuiting operators.
                let op = match op {
                    BinaryOperator::LogicalAnd if width > 1 => BinaryOperator::And,
                    BinaryOperator::LogicalOr if width > 1 => BinaryOperator::InclusiveOr,
                    op => op,
                };
                self.binary(op, left, right)
            }
            Rule::Multiply => {
                let [left, right] = self.inputs(inst, block)?;
                self.binary(BinaryOperator::Multiply, left, right)
            }
            Rule::Shift(op) => self.shift(inst, op, block)?,
            Rule::Mad => {
                let [a, b, c] = self.spread_to(inst, width, block)?;
                let product = self.binary(BinaryOperator::Multiply, a, b);
                self.binary(BinaryOperator::Add, product, c)
            }
            Rule::Math(MathFunction::Abs) if self.scalar(inst.output) == Scalar::Uint => {
                let [value] = self.inputs(inst, block)?;
                value
            }
            Rule::Math(function) => {
                let keeps = matches!(inst.op.type_rule(), TypeRule::Componentwise(_)) && width > 1;
                let mut args: Few<Value> = Few::new();
                for &id in &inst.inputs {
                    args.push(if keeps { self.spread(id, width, block)? } else { self.value(id, block)? });
                }
                self.math(function, &args)
            }
            Rule::Clamp => self.clamp(inst, block)?,
            Rule::Round => self.in_floats(inst, block, |lower, [a], block| {
                let sign = lower.math(MathFunction::Sign, &[a]);
                let nudge = lower.literal(Scalar::Float, BELOW_HALF.to_bits(), block)?;
                let nudge = lower.binary(BinaryOperator::Multiply, sign, nudge);
                let sum = lower.binary(BinaryOperator::Add, a, nudge);
                Ok(lower.math(MathFunction::Trunc, &[sum]))
            })?,
            Rule::FloorMod => self.in_floats(inst, block, |lower, [a, b], _| {
                let quotient = lower.binary(BinaryOperator::Divide, a, b);
                let floor = lower.math(MathFunction::Floor, &[quotient]);
                let whole = lower.binary(BinaryOperator::Multiply, b, floor);
                Ok(lower.binary(BinaryOperator::Subtract, a, whole))
            })?,
            Rule::Frexp => self.in_floats(inst, block, |lower, [value], block| lower.frexp(value, width, block))?,
            Rule::Exponent => self.exponent_of(inst, width, block)?,
            Rule::Ldexp => self.ldexp(inst, width, block)?,
            Rule::Reduce(fun) => {
                let [argument] = self.inputs(inst, block)?;
                match inst.inputs.first().map(|&id| self.width(id)) {
                    Some(1) => argument,
                    _ => self.compute(Expression::Relational { fun, argument }),
                }
            }
            Rule::Literal => self.literals_of(inst, block)?,
            Rule::Swizzle => self.swizzle(inst, block)?,
            Rule::Sample(level) => self.sample(inst, level, block)?,
            Rule::Fetch => self.fetch(inst, block)?,
            Rule::TextureSize => self.texture_size(inst, block)?,
            Rule::Compare(level) => self.sample_compare(inst, level, block)?,
            Rule::Gather => self.gather(inst, block)?,
            Rule::TextureOffset => return self.texture_offset(inst),
            Rule::BufferSize => self.buffer_size(inst, block)?,
            Rule::ImageLoad => self.image_load(inst, block)?,
            Rule::ImageSize => self.image_size(inst, block)?,
            Rule::ImageStore => return self.image_store(inst, block),
            Rule::Barrier => {
                self.barrier(inst, block);
                return Ok(());
            }
            Rule::Peek => self.peek(inst, block)?,
            Rule::Vector => self.compose(inst, block)?,
            Rule::Matrix => match self.registers().and_then(|registers| registers.matrix(inst.output)) {
                Some((array, member)) => {
                    let pointer = self.register(array, member, block)?;
                    self.compute(Expression::Load { pointer })
                }
                None => self.compose(inst, block)?,
            },
            Rule::Select => {
                let [condition, accept, reject] = self.inputs(inst, block)?;
                self.compute(Expression::Select { condition, accept, reject })
            }
            Rule::Derivative(axis) => self.in_floats(inst, block, |lower, [expr], _| {
                let value = lower.compute(Expression::Derivative { axis, ctrl: DerivativeControl::None, expr });
                Ok(match axis {
                    DerivativeAxis::Y if lower.lowering.clip.negate_ddy => {
                        lower.compute(Expression::Unary { op: UnaryOperator::Negate, expr: value })
                    }
                    _ => value,
                })
            })?,
            Rule::Convert => {
                let [value] = self.inputs(inst, block)?;
                let from = inst.inputs.first().map_or(Scalar::Float, |&id| self.scalar(id));
                self.convert(value, from, self.scalar(inst.output))?
            }
            Rule::Bitcast => self.bitcast(inst, block)?,
            Rule::Atomic(fun) => return self.atomic(inst, fun, block),
            Rule::Exchange => return self.atomic(inst, AtomicFunction::Exchange { compare: None }, block),
            Rule::CompareExchange => return self.compare_exchange(inst, block),
        };
        let picks = !is_arithmetic && !matches!(rule, Rule::Peek);
        if picks && inst.inputs.iter().all(|id| self.values.get(*id).is_some_and(|of| self.constants.contains(of))) {
            self.constants.insert(value);
        }
        self.define(inst.output, value, block);
        Ok(())
    }

    fn compose(&mut self, inst: &Inst, block: &mut Block) -> Result<Value, Error> {
        let mut components = Vec::with_capacity(4);
        for &id in &inst.inputs {
            components.push(self.value(id, block)?);
        }
        let ty = self.lowering.ty(self.ty(inst.output))?;
        Ok(self.compute(Expression::Compose { ty, components }))
    }

    /// Lowers a BITCAST in a separate, cold function, because few modules contain a BITCAST.
    #[cold]
    fn bitcast(&mut self, inst: &Inst, block: &mut Block) -> Result<Value, Error> {
        let &[operand] = &inst.inputs[..] else { return Err(mismatch(inst)) };
        let (value, from) = (self.value(operand, block)?, self.scalar(operand));
        Ok(match self.scalar(inst.output) {
            to if to == from => value,
            Scalar::Int => self.bits(value, ScalarKind::Sint),
            Scalar::Uint => self.bits(value, ScalarKind::Uint),
            _ => self.bits(value, ScalarKind::Float),
        })
    }

    pub(super) fn binary(&mut self, op: BinaryOperator, left: Value, right: Value) -> Value {
        self.compute(Expression::Binary { op, left, right })
    }

    pub(super) fn math(&mut self, fun: MathFunction, args: &[Value]) -> Value {
        let arg = |at: usize| args.get(at).copied();
        match arg(0) {
            Some(first) => self.compute(Expression::Math { fun, arg: first, arg1: arg(1), arg2: arg(2), arg3: arg(3) }),
            None => self.compute(Expression::Literal(Literal::F32(0.0))),
        }
    }

    /// Stores constant operands in variables, so that the target's compiler does not fold them. The compiler could reject an
    /// infinite result, such as the result of `1 / 0`, or invalid operands, such as the bounds of a clamp in the wrong order.
    fn hide_constants(&mut self, inst: &Inst, rule: Rule, block: &mut Block) -> Result<(), Error> {
        let constant = |id: &Id| self.values.get(*id).is_some_and(|value| self.constants.contains(value));
        let quotient = matches!(rule, Rule::Quotient(_));
        if !quotient && !inst.inputs.iter().any(constant) {
            return Ok(());
        }
        let hidden: &[usize] = match rule {
            _ if quotient && self.scalar(inst.output) != Scalar::Float && !self.divides(inst) => &[0, 1],
            Rule::Ldexp => &[1],
            Rule::Clamp if !self.has_ordered_bounds(inst) && inst.inputs.iter().skip(1).all(constant) => &[1],
            Rule::Math(MathFunction::SmoothStep) | Rule::Mad if inst.inputs.iter().take(2).all(constant) => &[0],
            _ if inst.inputs.iter().all(constant) => &[0],
            _ => &[],
        };
        // naga rejects an integer divisor that has a constant zero component.
        let zero = |id: &Id| quotient && self.values.get(*id).is_some_and(|value| self.holds_zero(value));
        let hidden = hidden.iter().filter_map(|&at| inst.inputs.get(at)).copied();
        let hidden: Few<Id> = hidden.filter(|id| constant(id) || zero(id)).collect();
        for id in hidden {
            let value = self.value(id, block)?;
            let value = self.hidden(value, self.ty(id), block)?;
            self.values.insert(id, value);
        }
        Ok(())
    }

    fn holds_zero(&self, value: Value) -> bool {
        match &self.code.expressions[value] {
            Expression::Literal(literal) => matches!(literal, Literal::I32(0) | Literal::U32(0)),
            Expression::ZeroValue(_) => true,
            Expression::Splat { value, .. } => self.holds_zero(*value),
            Expression::Compose { components, .. } => components.iter().any(|&part| self.holds_zero(part)),
            _ => false,
        }
    }

    /// Returns two operands of equal width; a scalar is splatted to the width of a vector.
    fn spread_inputs(&mut self, inst: &Inst, block: &mut Block) -> Result<[Value; 2], Error> {
        let [left, right] = inst.inputs[..] else { return Err(mismatch(inst)) };
        let (of_left, of_right) = (self.width(left), self.width(right));
        let left = self.value(left, block)?;
        let left = if of_left == 1 { self.splat(left, of_right) } else { left };
        let right = self.value(right, block)?;
        let right = if of_right == 1 { self.splat(right, of_left) } else { right };
        Ok([left, right])
    }

    fn spread_to<const N: usize>(&mut self, inst: &Inst, width: u8, block: &mut Block) -> Result<[Value; N], Error> {
        self.operands(inst, |lower, id| lower.spread(id, width, block))
    }

    /// Computes an operation. If the result is a half, the computation is done on floats. All operands are splatted to the width
    /// of the widest operand.
    fn in_floats<const N: usize>(
        &mut self,
        inst: &Inst,
        block: &mut Block,
        compute: impl FnOnce(&mut Self, [Value; N], &mut Block) -> Result<Value, Error>,
    ) -> Result<Value, Error> {
        let widest = inst.inputs.iter().map(|&id| self.width(id)).max().unwrap_or(1);
        let half = self.scalar(inst.output) == Scalar::Half;
        let values = self.operands(inst, |lower, id| {
            let value = lower.spread(id, widest, block)?;
            if half { lower.convert(value, Scalar::Half, Scalar::Float) } else { Ok(value) }
        })?;
        let value = compute(self, values, block)?;
        if half { self.convert(value, Scalar::Float, Scalar::Half) } else { Ok(value) }
    }

    fn convert(&mut self, value: Value, from: Scalar, to: Scalar) -> Result<Value, Error> {
        if from == to {
            return Ok(value);
        }
        if to == Scalar::Half {
            // Requesting the type reports an error if the target lacks halves, and enables halves in WGSL.
            self.lowering.ty(Type::Vector(to, 1))?;
        }
        let (kind, width) = match to {
            Scalar::Bool => (ScalarKind::Bool, naga::BOOL_WIDTH),
            Scalar::Int => (ScalarKind::Sint, 4),
            Scalar::Uint => (ScalarKind::Uint, 4),
            Scalar::Float => (ScalarKind::Float, 4),
            Scalar::Half => (ScalarKind::Float, 2),
        };
        // naga's SPIR-V writer converts between bools and halves only through floats.
        let expr = match (from, to) {
            (Scalar::Bool, Scalar::Half) | (Scalar::Half, Scalar::Bool) => {
                self.compute(Expression::As { expr: value, kind: ScalarKind::Float, convert: Some(4) })
            }
            _ => value,
        };
        Ok(self.compute(Expression::As { expr, kind, convert: Some(width) }))
    }

    fn bits(&mut self, expr: Value, kind: ScalarKind) -> Value {
        self.compute(Expression::As { expr, kind, convert: None })
    }

    pub(super) fn int(&mut self, value: i32, width: u8, block: &mut Block) -> Result<Value, Error> {
        let value = self.literal(Scalar::Int, value.cast_unsigned(), block)?;
        Ok(self.splat(value, width))
    }

    fn uint(&mut self, value: u32, width: u8, block: &mut Block) -> Result<Value, Error> {
        let value = self.literal(Scalar::Uint, value, block)?;
        Ok(self.splat(value, width))
    }

    /// Returns the literal value of the operand at `at`, or `None` if the operand is not a literal.
    fn literal_operand(&self, inst: &Inst, at: usize) -> Option<Literal> {
        match self.code.expressions[self.values.get(*inst.inputs.get(at)?)?] {
            Expression::Literal(literal) => Some(literal),
            _ => None,
        }
    }

    /// Reports whether the divisor of an integer division is a literal other than 0 and -1.
    fn divides(&self, inst: &Inst) -> bool {
        match self.literal_operand(inst, 1) {
            Some(Literal::I32(by)) => by != 0 && by != -1,
            Some(Literal::U32(by)) => by != 0,
            _ => false,
        }
    }

    /// Lowers a shift. The shift amount is the low five bits of an integer, and naga requires an unsigned amount.
    fn shift(&mut self, inst: &Inst, op: BinaryOperator, block: &mut Block) -> Result<Value, Error> {
        let [value, by] = inst.inputs[..] else { return Err(Error::Internal("a shift".into())) };
        let width = self.width(inst.output);
        let left = self.value(value, block)?;
        let amount = self.value(by, block)?;
        let literal = match self.code.expressions[amount] {
            Expression::Literal(Literal::I32(by)) => Some(by.cast_unsigned()),
            Expression::Literal(Literal::U32(by)) => Some(by),
            _ => None,
        };
        let amount = match literal {
            Some(by) => self.literal(Scalar::Uint, by & 31, block)?,
            None => {
                let amount = match self.scalar(by) {
                    Scalar::Int => self.bits(amount, ScalarKind::Uint),
                    _ => amount,
                };
                let mask = self.uint(31, self.width(by), block)?;
                self.binary(BinaryOperator::And, amount, mask)
            }
        };
        let amount = if self.width(by) == 1 { self.splat(amount, width) } else { amount };
        Ok(self.binary(op, left, amount))
    }

    /// Reports whether the bounds of a CLAMP are literals and the lower bound is not above the upper bound.
    fn has_ordered_bounds(&self, inst: &Inst) -> bool {
        match (self.literal_operand(inst, 1), self.literal_operand(inst, 2)) {
            (Some(Literal::F32(low)), Some(Literal::F32(high))) => low <= high,
            (Some(Literal::I32(low)), Some(Literal::I32(high))) => low <= high,
            (Some(Literal::U32(low)), Some(Literal::U32(high))) => low <= high,
            _ => false,
        }
    }

    fn clamp(&mut self, inst: &Inst, block: &mut Block) -> Result<Value, Error> {
        let width = self.width(inst.output);
        let bounds = [self.literal_operand(inst, 1), self.literal_operand(inst, 2)];
        if let [Some(Literal::F32(0.0)), Some(Literal::F32(1.0))] = bounds {
            let arg = self.spread(inst.inputs[0], width, block)?;
            return Ok(self.math(MathFunction::Saturate, &[arg]));
        }
        let args: [Value; 3] = self.spread_to(inst, width, block)?;
        Ok(self.math(MathFunction::Clamp, &args))
    }

    /// Returns the exponent bits of floats as ints from 0 to 255.
    fn exponent_bits(&mut self, value: Value, width: u8, block: &mut Block) -> Result<Value, Error> {
        let bits = self.bits(value, ScalarKind::Sint);
        let places = self.uint(23, width, block)?;
        let shifted = self.binary(BinaryOperator::ShiftRight, bits, places);
        let mask = self.int(255, width, block)?;
        Ok(self.binary(BinaryOperator::And, shifted, mask))
    }

    /// Returns a bool that is true for a normal number, whose exponent bits are neither 0 nor 255.
    fn is_normal(&mut self, exponent: Value, width: u8, block: &mut Block) -> Result<Value, Error> {
        let one = self.int(1, width, block)?;
        let below = self.binary(BinaryOperator::Subtract, exponent, one);
        let below = self.bits(below, ScalarKind::Uint);
        let bound = self.uint(254, width, block)?;
        Ok(self.binary(BinaryOperator::Less, below, bound))
    }

    /// Returns the fraction of a normal float, and any other float unchanged.
    fn frexp(&mut self, value: Value, width: u8, block: &mut Block) -> Result<Value, Error> {
        let exponent = self.exponent_bits(value, width, block)?;
        let normal = self.is_normal(exponent, width, block)?;
        let bits = self.bits(value, ScalarKind::Sint);
        let keep = self.int(0x807f_ffffu32.cast_signed(), width, block)?;
        let kept = self.binary(BinaryOperator::And, bits, keep);
        let half = self.int(0x3f00_0000, width, block)?;
        let fraction = self.binary(BinaryOperator::InclusiveOr, kept, half);
        let fraction = self.bits(fraction, ScalarKind::Float);
        Ok(self.compute(Expression::Select { condition: normal, accept: fraction, reject: value }))
    }

    fn exponent_of(&mut self, inst: &Inst, width: u8, block: &mut Block) -> Result<Value, Error> {
        let [mut value] = self.inputs(inst, block)?;
        if inst.inputs.first().is_some_and(|&id| self.scalar(id) == Scalar::Half) {
            value = self.convert(value, Scalar::Half, Scalar::Float)?;
        }
        let exponent = self.exponent_bits(value, width, block)?;
        self.name_value(exponent, "exponent", block);
        let normal = self.is_normal(exponent, width, block)?;
        let bias = self.int(126, width, block)?;
        let unbiased = self.binary(BinaryOperator::Subtract, exponent, bias);
        let zero = self.int(0, width, block)?;
        if width > 1 {
            self.name_value(normal, "is_normal", block);
        }
        Ok(self.compute(Expression::Select { condition: normal, accept: unbiased, reject: zero }))
    }

    /// Returns a float multiplied by a power of two. If the target lacks `ldexp`, the code builds the power of two from its bits.
    fn ldexp(&mut self, inst: &Inst, width: u8, block: &mut Block) -> Result<Value, Error> {
        let [value, by] = inst.inputs[..] else { return Err(Error::Internal("ldexp".into())) };
        let half = self.scalar(value) == Scalar::Half;
        let mut left = self.value(value, block)?;
        if half {
            left = self.convert(left, Scalar::Half, Scalar::Float)?;
        }
        let by = self.spread(by, width, block)?;
        let result = if !self.lowering.features.ldexp {
            let bias = self.int(127, width, block)?;
            let biased = self.binary(BinaryOperator::Add, by, bias);
            let places = self.uint(23, width, block)?;
            let bits = self.binary(BinaryOperator::ShiftLeft, biased, places);
            let factor = self.bits(bits, ScalarKind::Float);
            self.binary(BinaryOperator::Multiply, left, factor)
        } else {
            self.math(MathFunction::Ldexp, &[left, by])
        };
        if half { self.convert(result, Scalar::Float, Scalar::Half) } else { Ok(result) }
    }

    fn literals_of(&mut self, inst: &Inst, block: &mut Block) -> Result<Value, Error> {
        let Type::Vector(scalar, width) = self.ty(inst.output) else {
            return Err(Error::Internal("a literal that is not a vector".into()));
        };
        let mut components = Vec::with_capacity(4);
        for &bits in &inst.immediates {
            components.push(self.literal(scalar, bits, block)?);
        }
        if let [value] = components[..] {
            return Ok(value);
        }
        let ty = self.lowering.ty(Type::Vector(scalar, width))?;
        Ok(self.compute(Expression::Compose { ty, components }))
    }

    fn swizzle(&mut self, inst: &Inst, block: &mut Block) -> Result<Value, Error> {
        let of = inst.inputs.first().copied().unwrap_or_default();
        let value = self.value(of, block)?;
        let (mut pattern, mut count) = ([SwizzleComponent::X; 4], 0);
        for (component, lane) in pattern.iter_mut().zip(inst.lanes()) {
            *component = SwizzleComponent::XYZW[usize::from(lane & 3)];
            count += 1;
        }
        // A swizzle of a swizzle selects from the inner swizzle's operand, so that the output has no nested swizzles.
        let (value, width) = match self.code.expressions[value] {
            Expression::Swizzle { vector, pattern: inner, .. } => {
                for component in pattern.iter_mut().take(count) {
                    *component = inner[*component as usize & 3];
                }
                (vector, 4)
            }
            Expression::Splat { value, .. } => (value, 1),
            _ => (value, self.width(of)),
        };
        let expression = match (width, vector_size(count as u8)) {
            (1, None) => return Ok(value),
            (1, Some(size)) => Expression::Splat { size, value },
            (_, None) => Expression::AccessIndex { base: value, index: pattern[0] as u32 },
            (_, Some(size)) => Expression::Swizzle { size, vector: value, pattern },
        };
        Ok(self.compute(expression))
    }
}

/// For operations that this rule lowers, reports whether a target's compiler may fold constant operands to a value that the
/// compiler rejects.
const fn is_arithmetic(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::Unary(_)
            | Rule::Binary(_)
            | Rule::Multiply
            | Rule::Quotient(_)
            | Rule::Shift(_)
            | Rule::Mad
            | Rule::Math(_)
            | Rule::Clamp
            | Rule::Round
            | Rule::FloorMod
            | Rule::Frexp
            | Rule::Exponent
            | Rule::Ldexp
            | Rule::Convert
            | Rule::Bitcast
    )
}

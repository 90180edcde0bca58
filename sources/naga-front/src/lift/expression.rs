//! Lifts naga's expressions to SDLSHADERBC operations.

use naga::{
    BinaryOperator, DerivativeAxis, DerivativeControl, Expression, Handle, Literal, RelationalFunction, ScalarKind,
    TypeInner, UnaryOperator,
};
use sdlbc::lifting::{MOST_LEAVES, Slots, Step, Value};
use sdlbc::{Few, Id, Op, Scalar, Type};

use super::types::{self, is_pointer};
use super::{Argument, Lifter};
use sdlbc::front::RefusalKind;

impl<'m> Lifter<'_, 'm> {
    /// Computes an expression at the point where naga emits the expression, and stores the value.
    pub(super) fn compute(&mut self, handle: Handle<Expression>) {
        if self.naga_type(handle).is_some_and(is_pointer) {
            return;
        }
        let value = self.evaluate(handle);
        self.name(handle, &value);
        self.set_value(handle, value);
    }

    pub(super) fn computed(&self, handle: Handle<Expression>) -> Option<Value> {
        self.frame()?.values.get(handle.index())?.clone()
    }

    pub(super) fn set_value(&mut self, handle: Handle<Expression>, value: Value) {
        if let Some(computed) = self.frames.last_mut().and_then(|frame| frame.values.get_mut(handle.index())) {
            *computed = Some(value);
        }
    }

    fn name(&mut self, handle: Handle<Expression>, value: &Value) {
        if let Some(name) = self.function().and_then(|function| function.named_expressions.get(&handle))
            && let &Value::One(id) = value
            && !name.is_empty()
        {
            let name = self.lifting.builder.text(name.as_str());
            self.lifting.builder.name_computed(id, name);
        }
    }

    /// Returns the value of an expression. An expression that naga does not emit is computed again for each use.
    pub(super) fn value(&mut self, handle: Handle<Expression>) -> Value {
        self.computed(handle).unwrap_or_else(|| self.evaluate(handle))
    }

    /// Returns the id of an expression whose value is a scalar, vector or matrix.
    pub(super) fn one(&mut self, handle: Handle<Expression>) -> Id {
        self.value(handle).one()
    }

    fn evaluate(&mut self, handle: Handle<Expression>) -> Value {
        let Some(expression) = self.expression(handle) else { return Value::Many(Vec::new()) };
        match *expression {
            Expression::Literal(literal) => match self.literal(literal) {
                Some(id) => Value::One(id),
                None => self.refuse(RefusalKind::Type { name: "64-bit or 16-bit integer".to_string() }, handle),
            },
            Expression::Constant(constant) => self.constant(self.shared.module.constants[constant].init),
            Expression::ZeroValue(ty) => self.zero_value(ty, handle),
            Expression::Compose { ty, ref components } => {
                let parts: Vec<Value> = components.iter().map(|&component| self.value(component)).collect();
                self.composed(ty, parts)
            }
            Expression::Access { base, index } => self.access(base, index),
            Expression::AccessIndex { base, index } => {
                let base = self.value(base);
                self.lifting.part(&base, Step::Known(index))
            }
            Expression::Splat { size, value } => {
                let value = self.one(value);
                Value::One(self.lifting.splat(value, size as u8))
            }
            Expression::Swizzle { size, vector, pattern } => {
                let vector = self.one(vector);
                let lanes: Few<u8> = pattern.iter().take(size as usize).map(|&component| component as u8).collect();
                Value::One(self.lifting.builder.swizzle(vector, sdlbc::module::swizvals(&lanes)))
            }
            Expression::FunctionArgument(number) => {
                match self.frame().and_then(|frame| frame.arguments.get(number as usize)) {
                    Some(Argument::Value(value)) => value.clone(),
                    _ => Value::Many(Vec::new()),
                }
            }
            Expression::Load { pointer } => {
                if let Some(&TypeInner::Pointer { base, .. }) = self.naga_type(pointer)
                    && let Some(refused) = self.too_large(base)
                {
                    return self.refuse(refused, handle);
                }
                let place = self.place(pointer);
                let ty = self.naga_type(handle);
                self.load(&place, ty)
            }
            Expression::ImageSample { .. } => self.sample(handle, expression),
            Expression::ImageLoad { image, coordinate, array_index, .. } if self.is_image(image) => {
                self.image_load(image, coordinate, array_index)
            }
            Expression::ImageLoad { image, coordinate, array_index, sample, level } => {
                self.fetch(handle, image, coordinate, array_index, level, sample.is_none())
            }
            Expression::ImageQuery { image, query } if self.is_image(image) => self.image_query(handle, image, query),
            Expression::ImageQuery { image, query } => self.query(handle, image, query),
            Expression::Unary { op, expr } => {
                let operand = self.one(expr);
                Value::One(self.unary(op, operand))
            }
            Expression::Binary { op, left, right } => self.binary(op, left, right),
            Expression::Select { condition, accept, reject } => {
                let operands = [condition, accept, reject].map(|operand| self.one(operand));
                Value::One(self.lifting.emit(Op::Select, &operands))
            }
            Expression::Derivative { axis, ctrl, expr } => self.derivative(handle, axis, ctrl, expr),
            Expression::Relational { fun, argument } => {
                let argument = self.one(argument);
                Value::One(self.relational(fun, argument))
            }
            Expression::Math { fun, arg, arg1, arg2, arg3 } => self.math(handle, fun, [Some(arg), arg1, arg2, arg3]),
            Expression::As { expr, kind, convert } => self.cast(handle, expr, kind, convert),
            Expression::GlobalVariable(_) | Expression::LocalVariable(_) => Value::Many(Vec::new()),
            Expression::ArrayLength(array) => self.buffer_size(array, handle),
            _ => self.refuse_operation("this expression", handle),
        }
    }

    /// Returns a literal, or `None` if SDLSHADERBC does not have the literal's type.
    fn literal(&mut self, literal: Literal) -> Option<Id> {
        Some(match literal {
            Literal::F32(value) => self.lifting.builder.float(value),
            Literal::F16(value) => {
                let float = self.lifting.builder.float(value.to_f32());
                self.lifting.convert(float, Scalar::Half)
            }
            Literal::U32(value) => self.lifting.builder.uint(value),
            Literal::I32(value) => self.lifting.builder.int(value),
            Literal::Bool(value) => self.lifting.builder.bool(value),
            _ => return None,
        })
    }

    pub(super) fn constant(&mut self, handle: Handle<Expression>) -> Value {
        let span = self.shared.module.global_expressions.get_span(handle);
        match self.shared.module.global_expressions[handle] {
            Expression::Literal(literal) => match self.literal(literal) {
                Some(id) => Value::One(id),
                None => {
                    self.shared.refuse(RefusalKind::Type { name: "64-bit or 16-bit integer".to_string() }, span);
                    Value::One(self.lifting.builder.float(0.0))
                }
            },
            Expression::Constant(constant) => self.constant(self.shared.module.constants[constant].init),
            Expression::ZeroValue(ty) => self.zero_within_limit(ty, span),
            Expression::Compose { ty, ref components } => {
                let parts = components.iter().map(|&component| self.constant(component)).collect();
                self.composed(ty, parts)
            }
            Expression::Splat { size, value } => {
                let value = self.constant(value).one();
                Value::One(self.lifting.splat(value, size as u8))
            }
            _ => {
                let name = "constants that are not known when the source is read".to_string();
                self.shared.refuse(RefusalKind::Operation { name }, span);
                Value::One(self.lifting.builder.float(0.0))
            }
        }
    }

    fn zero_value(&mut self, ty: Handle<naga::Type>, handle: Handle<Expression>) -> Value {
        if !self.is_supported(ty) {
            return self.refuse(types::refusal(self.shared.module, ty), handle);
        }
        self.zero_within_limit(ty, self.span(handle))
    }

    /// Returns the zero of a type, and refuses a type with too many parts.
    fn zero_within_limit(&mut self, ty: Handle<naga::Type>, span: naga::Span) -> Value {
        if let Some(refused) = self.too_large(ty) {
            self.shared.refuse(refused, span);
        }
        self.zero_of(ty)
    }

    fn too_large(&self, ty: Handle<naga::Type>) -> Option<RefusalKind> {
        let leaves = self.shared.leaves.get(ty.index()).copied().unwrap_or(0);
        (leaves > MOST_LEAVES).then(|| RefusalKind::Limit {
            what: format!("a value has {leaves} vectors, but the limit is {MOST_LEAVES}"),
        })
    }

    fn composed(&mut self, ty: Handle<naga::Type>, parts: Vec<Value>) -> Value {
        let ids = || parts.iter().map(Value::one).collect::<Few<Id>>();
        match self.inner(ty) {
            TypeInner::Vector { .. } => Value::One(self.lifting.vector(&ids())),
            TypeInner::Matrix { .. } => Value::One(self.lifting.matrix(&ids())),
            _ => Value::Many(parts),
        }
    }

    /// Returns the part of a value at a computed index.
    fn access(&mut self, base: Handle<Expression>, index: Handle<Expression>) -> Value {
        let index = self.index(index);
        // A constant array is written to slots only once.
        if let Some(&Expression::Constant(constant)) = self.expression(base)
            && let Some(naga::TypeInner::Array { .. }) = self.naga_type(base)
        {
            let init = self.shared.module.constants[constant].init;
            let table = match self.tables.get(&constant).cloned() {
                Some(table) => table,
                None => {
                    let inner = self.lifting.builder.begin_outermost();
                    let table = match self.constant(init) {
                        Value::Many(elements) => self.lifting.store_in_slots(&elements),
                        _ => Slots::Fields(Vec::new()),
                    };
                    self.lifting.builder.end_outermost(inner);
                    self.tables.insert(constant, table.clone());
                    table
                }
            };
            return self.lifting.load_slots(&table, &[Step::Computed(index)]);
        }
        let base = self.value(base);
        self.lifting.part(&base, Step::Computed(index))
    }

    fn unary(&mut self, op: UnaryOperator, operand: Id) -> Id {
        if let (UnaryOperator::Negate, Type::Matrix { .. }) = (op, self.lifting.ty(operand)) {
            return self.lifting.by_columns(Op::Negate, &[operand]);
        }
        let op = match op {
            UnaryOperator::Negate => Op::Negate,
            UnaryOperator::LogicalNot => Op::Not,
            UnaryOperator::BitwiseNot => Op::Complement,
        };
        self.lifting.emit(op, &[operand])
    }

    /// Returns the value of an expression as an int or a vector of ints. The expression must be an integer or a vector of
    /// integers.
    pub(super) fn index(&mut self, handle: Handle<Expression>) -> Id {
        let index = self.one(handle);
        self.lifting.convert(index, Scalar::Int)
    }

    /// Returns an operand of a componentwise operation, or the scalar if the operand is a splatted scalar.
    pub(super) fn operand(&mut self, handle: Handle<Expression>) -> Id {
        match self.expression(handle) {
            Some(&Expression::Splat { value, .. }) => self.one(value),
            _ => self.one(handle),
        }
    }

    fn binary(&mut self, op: BinaryOperator, left: Handle<Expression>, right: Handle<Expression>) -> Value {
        let [a, b] = [left, right].map(|operand| self.one(operand));
        if let (Type::Matrix { .. }, Type::Matrix { .. }) = (self.lifting.ty(a), self.lifting.ty(b))
            && let BinaryOperator::Add | BinaryOperator::Subtract = op
        {
            let op = if op == BinaryOperator::Add { Op::Add } else { Op::Subtract };
            return Value::One(self.lifting.by_columns(op, &[a, b]));
        }
        let op = match op {
            BinaryOperator::Add => Op::Add,
            BinaryOperator::Subtract => Op::Subtract,
            BinaryOperator::Multiply => Op::Multiply,
            BinaryOperator::Divide => Op::Divide,
            BinaryOperator::Modulo => Op::Modulo,
            BinaryOperator::Equal => Op::Equal,
            BinaryOperator::NotEqual => Op::NotEqual,
            BinaryOperator::Less => Op::LessThan,
            BinaryOperator::LessEqual => Op::LessThanOrEqual,
            BinaryOperator::Greater => Op::GreaterThan,
            BinaryOperator::GreaterEqual => Op::GreaterThanOrEqual,
            BinaryOperator::And if self.lifting.scalar_of(a) == Scalar::Bool => Op::LogicalAnd,
            BinaryOperator::InclusiveOr if self.lifting.scalar_of(a) == Scalar::Bool => Op::LogicalOr,
            BinaryOperator::ExclusiveOr if self.lifting.scalar_of(a) == Scalar::Bool => Op::NotEqual,
            BinaryOperator::And => Op::BinaryAnd,
            BinaryOperator::InclusiveOr => Op::BinaryOr,
            BinaryOperator::ExclusiveOr => Op::BinaryXor,
            BinaryOperator::LogicalAnd => Op::LogicalAnd,
            BinaryOperator::LogicalOr => Op::LogicalOr,
            BinaryOperator::ShiftLeft => Op::ShiftLeft,
            BinaryOperator::ShiftRight => Op::ShiftRight,
        };
        let is_shift = matches!(op, Op::ShiftLeft | Op::ShiftRight);
        let vectors = [a, b].map(|operand| self.lifting.width(operand) > 1);
        // A splatted scalar stays a scalar, because the operation applies a scalar to each component of a vector operand.
        let operands = match [left, right].map(|operand| self.operand(operand)) {
            [scalar, _] if vectors == [true, true] && !is_shift && self.lifting.width(scalar) == 1 => [scalar, b],
            [_, scalar] if vectors == [true, true] && self.lifting.width(scalar) == 1 => [a, scalar],
            _ => [a, b],
        };
        Value::One(self.lifting.emit(op, &operands))
    }

    fn derivative(
        &mut self,
        handle: Handle<Expression>,
        axis: DerivativeAxis,
        control: DerivativeControl,
        of: Handle<Expression>,
    ) -> Value {
        if control != DerivativeControl::None {
            return self.refuse_operation("fine or coarse derivatives", handle);
        }
        let of = self.one(of);
        let id = match axis {
            DerivativeAxis::X => self.lifting.builder.ddx(of),
            DerivativeAxis::Y => self.lifting.builder.ddy(of),
            DerivativeAxis::Width => {
                let [x, y] = [Op::Ddx, Op::Ddy].map(|op| {
                    let change = self.lifting.emit(op, &[of]);
                    self.lifting.builder.abs(change)
                });
                self.lifting.builder.add(x, y)
            }
        };
        Value::One(id)
    }

    fn relational(&mut self, function: RelationalFunction, argument: Id) -> Id {
        match function {
            RelationalFunction::All | RelationalFunction::Any if self.lifting.width(argument) == 1 => argument,
            RelationalFunction::All => self.lifting.builder.all(argument),
            RelationalFunction::Any => self.lifting.builder.any(argument),
            RelationalFunction::IsNan => self.lifting.builder.not_equal(argument, argument),
            RelationalFunction::IsInf => {
                let (magnitude, infinity) =
                    (self.lifting.builder.abs(argument), self.lifting.builder.float(f32::INFINITY));
                let infinity = self.lifting.convert(infinity, self.lifting.scalar_of(argument));
                self.lifting.builder.equal(magnitude, infinity)
            }
        }
    }

    fn cast(
        &mut self,
        handle: Handle<Expression>,
        of: Handle<Expression>,
        kind: ScalarKind,
        convert: Option<naga::Bytes>,
    ) -> Value {
        let operand = self.one(of);
        let Some(width) = convert else { return self.bitcast(handle, of, operand, kind) };
        match types::scalar(naga::Scalar { kind, width }) {
            Some(scalar) => match self.lifting.ty(operand) {
                Type::Matrix { .. } if scalar == Scalar::Float => Value::One(operand),
                Type::Matrix { .. } => self.refuse(RefusalKind::Type { name: "matrix of halfs".to_string() }, handle),
                _ => Value::One(self.lifting.convert(operand, scalar)),
            },
            None => {
                let name = format!("{} of {} bits", format!("{kind:?}").to_lowercase(), u32::from(width) * 8);
                self.refuse(RefusalKind::Type { name }, handle)
            }
        }
    }

    /// Reinterprets the bits of an operand as another type.
    fn bitcast(&mut self, handle: Handle<Expression>, of: Handle<Expression>, operand: Id, kind: ScalarKind) -> Value {
        let scalar = match kind {
            ScalarKind::Sint => Scalar::Int,
            ScalarKind::Uint => Scalar::Uint,
            ScalarKind::Float => Scalar::Float,
            _ => return self.refuse_operation("the bits of an operand as this type", handle),
        };
        match (self.expression(of), self.lifting.scalar_of(operand)) {
            // The bits of a constant are emitted as a float literal, which may be a NaN.
            (Some(&Expression::Literal(Literal::U32(bits))), _) if scalar == Scalar::Float => {
                Value::One(self.lifting.builder.emit(Op::LiteralFloat, &[], &[bits]))
            }
            (_, Scalar::Int | Scalar::Uint | Scalar::Float) => Value::One(self.lifting.bits_as(operand, scalar)),
            _ => self.refuse_operation("the bits of an operand of this type", handle),
        }
    }
}

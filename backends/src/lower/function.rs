//! A function's code: instructions become expressions, IFs statements, PHIs variables where they cannot be a choice.
//!
//! Every value is one naga expression, computed once. The plan says which values get a name; the text writers are later
//! shown only those (see `emit.rs`), so that the rest is written where it is used.

use std::collections::{HashMap, HashSet};

use naga::{
    Arena, BinaryOperator, Block, DerivativeAxis, DerivativeControl, Expression, Handle, Literal, LocalVariable,
    MathFunction, SampleLevel, ScalarKind, Span, Statement, SwizzleComponent, TypeInner, UnaryOperator,
};
use sdlbc::verify::Types;
use sdlbc::{Function, Id, Inst, Op, OutputKind, Scalar, Type};

use super::rules::{Level, Rule, rule};
use super::{Lowering, Place, Places, vector_size};
use crate::names::Scope;
use crate::plan::Plan;
use crate::share::share;
use crate::{Depth, Error};

pub(super) type Value = Handle<Expression>;

/// Lowers the body of `function` into `code`, whose arguments and result are there.
pub(super) fn lower(
    lowering: &mut Lowering,
    function: &Function,
    names: Option<&sdlbc::Names>,
    code: &mut naga::Function,
    places: Places<'_>,
    scope: Scope,
) -> Result<(), Error> {
    let types = sdlbc::verify::types(function);
    // The value of each output that is written once, at the top, and so needs no variable.
    let mut results = vec![None; function.outputs.len()];
    for (index, result) in results.iter_mut().enumerate() {
        let pokes = |inst: &&Inst| inst.op == Op::Poke && inst.immediates.first() == Some(&(index as u32));
        let mut top = function.body.iter().filter(pokes);
        *result = match (top.next(), top.next(), nested(&function.body, &pokes)) {
            (Some(poke), None, 0) => poke.inputs.first().copied(),
            _ => None,
        };
    }
    let lines: Vec<Id> = results.iter().copied().flatten().collect();
    // A position that is adjusted is read component by component.
    let adjusted = |(output, _): &(&sdlbc::Output, &Option<Id>)| {
        output.kind == OutputKind::Position && !lowering.clip.is_identity()
    };
    let extra: Vec<Id> =
        function.outputs.iter().zip(&results).filter(adjusted).filter_map(|(_, value)| *value).collect();
    let plan = Plan::new(function, &types, &extra, &results);
    let shared = share(function, &plan, &lines);
    let mut lower = Lower {
        lowering,
        types,
        names,
        code,
        plan,
        shared,
        scope,
        places: places.iter().copied().collect(),
        values: HashMap::new(),
        literals: HashMap::new(),
        variables: HashMap::new(),
        constants: HashSet::new(),
        holds: HashMap::new(),
        outputs: Vec::new(),
        first: 0,
    };
    lower.open();
    for (output, result) in function.outputs.iter().zip(&results) {
        let variable = match result {
            Some(_) => None,
            None => Some(lower.variable(output.ty, &output.name)?),
        };
        lower.outputs.push(variable);
    }
    let mut body = Block::new();
    lower.block(&function.body, &mut body)?;
    lower.give(function, &results, &mut body)?;
    code.body = body;
    Ok(())
}

/// How many instructions inside the block's conditionals satisfy `test`.
fn nested(block: &sdlbc::Block, test: &impl Fn(&&Inst) -> bool) -> usize {
    let inside = |arm: &sdlbc::Block| arm.iter().filter(test).count() + nested(arm, test);
    block.iter().flat_map(|inst| &inst.blocks).map(inside).sum()
}

pub(super) struct Lower<'a> {
    pub(super) lowering: &'a mut Lowering,
    types: Types,
    names: Option<&'a sdlbc::Names>,
    pub(super) code: &'a mut naga::Function,
    pub(super) plan: Plan,
    /// The PHI whose variable each PHI uses.
    pub(super) shared: HashMap<Id, Id>,
    pub(super) scope: Scope,
    places: HashMap<Id, Place>,
    pub(super) values: HashMap<Id, Value>,
    literals: HashMap<(u8, u32), Value>,
    /// The variables of PHIs, by the PHI that stands for those that share one.
    pub(super) variables: HashMap<Id, Handle<LocalVariable>>,
    /// The values that a target's compiler would compute by itself, and refuse if they are not finite.
    constants: HashSet<Value>,
    /// What each variable holds where the code stands.
    pub(super) holds: HashMap<Handle<LocalVariable>, Id>,
    /// The variables of outputs that need one.
    outputs: Vec<Option<Handle<LocalVariable>>>,
    /// Where the expressions begin that no statement has emitted yet.
    first: usize,
}

impl<'a> Lower<'a> {
    fn arena(&mut self) -> &mut Arena<Expression> {
        &mut self.code.expressions
    }

    fn open(&mut self) {
        self.first = self.code.expressions.len();
    }

    /// Emits the expressions since the last emission into `block`.
    pub(super) fn flush(&mut self, block: &mut Block) {
        if self.code.expressions.len() > self.first {
            let range = self.code.expressions.range_from(self.first);
            block.push(Statement::Emit(range), Span::UNDEFINED);
        }
        self.open();
    }

    /// An expression that is computed where it stands.
    pub(super) fn compute(&mut self, expression: Expression) -> Value {
        self.arena().append(expression, Span::UNDEFINED)
    }

    /// An expression that naga wants outside the emitted ranges: a literal or the address of something.
    pub(super) fn fixed(&mut self, expression: Expression, block: &mut Block) -> Value {
        self.flush(block);
        let value = self.arena().append(expression, Span::UNDEFINED);
        self.open();
        value
    }

    fn literal(&mut self, scalar: Scalar, bits: u32, block: &mut Block) -> Result<Value, Error> {
        if let Some(&value) = self.literals.get(&(scalar as u8, bits)) {
            return Ok(value);
        }
        let literal = match scalar {
            Scalar::Bool => Literal::Bool(bits != 0),
            Scalar::Int => Literal::I32(bits as i32),
            Scalar::Uint => Literal::U32(bits),
            Scalar::Float if f32::from_bits(bits).is_finite() => Literal::F32(f32::from_bits(bits)),
            Scalar::Float | Scalar::Half => return self.lowering.unsupported("a literal that is no finite float"),
        };
        let value = self.fixed(Expression::Literal(literal), block);
        self.literals.insert((scalar as u8, bits), value);
        Ok(value)
    }

    /// An operation on constants alone would be computed by the target's own compiler, which refuses the program where
    /// the result is infinite, as of `1 / 0`. So the first operand goes through a variable.
    fn hide_constants(&mut self, inst: &Inst, block: &mut Block) -> Result<(), Error> {
        let arithmetic = matches!(rule(inst.op), Rule::Unary(_) | Rule::Binary(_) | Rule::Multiply | Rule::Math(_));
        let constant = |id| self.values.get(id).is_some_and(|value| self.constants.contains(value));
        if let Some(&first) = inst.inputs.first().filter(|_| arithmetic && inst.inputs.iter().all(constant)) {
            let variable = self.variable(self.ty(first), "constant")?;
            let value = self.value(first, block)?;
            self.store(variable, value, block);
            let pointer = self.fixed(Expression::LocalVariable(variable), block);
            let value = self.compute(Expression::Load { pointer });
            self.values.insert(first, value);
        }
        Ok(())
    }

    pub(super) fn ty(&self, id: Id) -> Type {
        self.types.get(id).unwrap_or(Type::FLOAT)
    }

    fn width(&self, id: Id) -> u8 {
        self.ty(id).width().unwrap_or(1)
    }

    /// A value that was lowered before, or an input.
    pub(super) fn value(&mut self, id: Id, block: &mut Block) -> Result<Value, Error> {
        if let Some(&value) = self.values.get(&id) {
            return Ok(value);
        }
        let value = match self.places.get(&id) {
            Some(&Place::Argument(index)) => self.fixed(Expression::FunctionArgument(index), block),
            Some(&Place::Uniform(variable)) if !matches!(self.ty(id), Type::Array(..)) => {
                let pointer = self.fixed(Expression::GlobalVariable(variable), block);
                let value = self.compute(Expression::Load { pointer });
                self.flush(block);
                value
            }
            Some(&Place::Uniform(variable) | &Place::Texture(variable, _)) => {
                self.fixed(Expression::GlobalVariable(variable), block)
            }
            None => return Err(Error::Internal(format!("{id} is used and never defined"))),
        };
        self.values.insert(id, value);
        Ok(value)
    }

    /// A value as one of `width` components: a scalar is spread.
    fn spread(&mut self, id: Id, width: u8, block: &mut Block) -> Result<Value, Error> {
        let value = self.value(id, block)?;
        Ok(match vector_size(width) {
            Some(size) if self.width(id) == 1 => self.compute(Expression::Splat { size, value }),
            _ => value,
        })
    }

    /// The name for a value: its own, or a plain one.
    pub(super) fn name_of(&self, id: Id) -> &'a str {
        self.names.and_then(|names| names.ids.get(&id)).map_or("value", String::as_str)
    }

    pub(super) fn inputs<const N: usize>(&mut self, inst: &Inst, block: &mut Block) -> Result<[Value; N], Error> {
        let mut values = Vec::with_capacity(N);
        for &id in &inst.inputs {
            values.push(self.value(id, block)?);
        }
        values.try_into().map_err(|_| Error::Internal(format!("{} has other operands than its row says", inst.op)))
    }

    /// Remembers a value, and its name where the plan gives it one.
    pub(super) fn define(&mut self, id: Id, value: Value, block: &mut Block) {
        if self.plan.is_named(id) {
            let name = self.scope.unique(self.name_of(id));
            self.code.named_expressions.insert(value, name);
            // The text writers go through the emitted expressions in order; a name is written there.
            self.flush(block);
        }
        self.values.insert(id, value);
    }

    pub(super) fn inst(&mut self, inst: &Inst, block: &mut Block) -> Result<(), Error> {
        let width = self.width(inst.output);
        self.hide_constants(inst, block)?;
        let value = match rule(inst.op) {
            Rule::Nothing => return Ok(()),
            Rule::Branch | Rule::Phi => return self.lowering.unsupported("a PHI that does not stand behind an IF"),
            Rule::Discard => {
                self.flush(block);
                block.push(Statement::Kill, Span::UNDEFINED);
                return Ok(());
            }
            Rule::Poke => return self.poke(inst, block),
            Rule::Unary(op) => {
                let [expr] = self.inputs(inst, block)?;
                self.compute(Expression::Unary { op, expr })
            }
            Rule::Binary(op) => {
                let [left, right] = self.spread_inputs(inst, block)?;
                self.compute(Expression::Binary { op, left, right })
            }
            Rule::Multiply => {
                let [left, right] = self.inputs(inst, block)?;
                self.compute(Expression::Binary { op: BinaryOperator::Multiply, left, right })
            }
            Rule::Math(fun) => {
                let mut args = [None; 4];
                for (arg, &id) in args.iter_mut().zip(&inst.inputs) {
                    *arg = Some(if inst.op.type_rule() == sdlbc::TypeRule::Dot || width == 1 {
                        self.value(id, block)?
                    } else {
                        self.spread(id, width, block)?
                    });
                }
                let [arg, arg1, arg2, arg3] = args;
                let arg = arg.ok_or_else(|| Error::Internal(format!("{} without operand", inst.op)))?;
                self.compute(Expression::Math { fun, arg, arg1, arg2, arg3 })
            }
            Rule::Clamp => self.clamp(inst, block)?,
            Rule::Literal => self.literals_of(inst, block)?,
            Rule::Swizzle => self.swizzle(inst, block)?,
            Rule::Sample(level) => self.sample(inst, level, block)?,
            Rule::Peek => self.peek(inst, block)?,
            Rule::Vector | Rule::Matrix => {
                let mut components = Vec::with_capacity(4);
                for &id in &inst.inputs {
                    components.push(self.value(id, block)?);
                }
                let ty = self.lowering.ty(self.ty(inst.output))?;
                self.compute(Expression::Compose { ty, components })
            }
            Rule::Select => {
                let [condition, accept, reject] = self.inputs(inst, block)?;
                self.compute(Expression::Select { condition, accept, reject })
            }
            Rule::Derivative(axis) => {
                let [expr] = self.inputs(inst, block)?;
                let value = self.compute(Expression::Derivative { axis, ctrl: DerivativeControl::None, expr });
                match axis {
                    DerivativeAxis::Y if self.lowering.clip.negate_ddy => {
                        self.compute(Expression::Unary { op: UnaryOperator::Negate, expr: value })
                    }
                    _ => value,
                }
            }
            Rule::Convert => {
                let [expr] = self.inputs(inst, block)?;
                let kind = match self.ty(inst.output) {
                    Type::Vector(Scalar::Bool, _) => ScalarKind::Bool,
                    Type::Vector(Scalar::Int, _) => ScalarKind::Sint,
                    Type::Vector(Scalar::Uint, _) => ScalarKind::Uint,
                    Type::Vector(Scalar::Float, _) => ScalarKind::Float,
                    ty => return self.lowering.unsupported(format!("a conversion to {ty}")),
                };
                let convert = Some(if kind == ScalarKind::Bool { naga::BOOL_WIDTH } else { 4 });
                self.compute(Expression::As { expr, kind, convert })
            }
        };
        let picks = matches!(rule(inst.op), Rule::Literal | Rule::Swizzle | Rule::Vector);
        if picks && inst.inputs.iter().all(|id| self.values.get(id).is_some_and(|of| self.constants.contains(of))) {
            self.constants.insert(value);
        }
        self.define(inst.output, value, block);
        Ok(())
    }

    /// Two operands of one width, scalars spread beside vectors.
    fn spread_inputs(&mut self, inst: &Inst, block: &mut Block) -> Result<[Value; 2], Error> {
        let widest = inst.inputs.iter().map(|&id| self.width(id)).max().unwrap_or(1);
        let [left, right] = inst.inputs[..] else {
            return Err(Error::Internal(format!("{} without two operands", inst.op)));
        };
        Ok([self.spread(left, widest, block)?, self.spread(right, widest, block)?])
    }

    fn clamp(&mut self, inst: &Inst, block: &mut Block) -> Result<Value, Error> {
        let [value, low, high] = inst.inputs[..] else { return self.lowering.unsupported("a clamp without bounds") };
        let is = |lower: &Self, id: Id, bits: f32| {
            lower.values.get(&id).is_some_and(
                |&value| matches!(lower.code.expressions[value], Expression::Literal(Literal::F32(v)) if v == bits),
            )
        };
        let saturates = is(self, low, 0.0) && is(self, high, 1.0);
        let width = self.width(inst.output);
        let arg = self.spread(value, width, block)?;
        if saturates {
            return Ok(self.math(MathFunction::Saturate, arg, None, None));
        }
        let (low, high) = (self.spread(low, width, block)?, self.spread(high, width, block)?);
        Ok(self.math(MathFunction::Clamp, arg, Some(low), Some(high)))
    }

    fn math(&mut self, fun: MathFunction, arg: Value, arg1: Option<Value>, arg2: Option<Value>) -> Value {
        self.compute(Expression::Math { fun, arg, arg1, arg2, arg3: None })
    }

    fn literals_of(&mut self, inst: &Inst, block: &mut Block) -> Result<Value, Error> {
        let Type::Vector(scalar, width) = self.ty(inst.output) else {
            return self.lowering.unsupported("a literal that is no vector");
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
        let lanes: Vec<u8> = inst.lanes().collect();
        // Of what a swizzle picks from, so that no text nests them.
        let (value, lanes, width) = match self.code.expressions[value] {
            Expression::Swizzle { vector, pattern, .. } => {
                let lanes = lanes.iter().map(|&lane| pattern[usize::from(lane & 3)] as u8).collect();
                (vector, lanes, 4)
            }
            Expression::Splat { value, .. } => (value, vec![0; lanes.len()], 1),
            _ => (value, lanes, self.width(of)),
        };
        let expression = match (width, vector_size(lanes.len() as u8)) {
            (1, None) => return Ok(value),
            (1, Some(size)) => Expression::Splat { size, value },
            (_, None) => Expression::AccessIndex { base: value, index: lanes.first().copied().map_or(0, u32::from) },
            (_, Some(size)) => {
                let component = |at: usize| SwizzleComponent::XYZW[usize::from(lanes.get(at).map_or(0, |&l| l & 3))];
                Expression::Swizzle { size, vector: value, pattern: std::array::from_fn(component) }
            }
        };
        Ok(self.compute(expression))
    }

    fn peek(&mut self, inst: &Inst, block: &mut Block) -> Result<Value, Error> {
        let [array, index] = inst.inputs[..] else { return self.lowering.unsupported("a PEEK without array") };
        let Type::Array(_, _, length) = self.ty(array) else {
            return self.lowering.unsupported("a PEEK into what is no array");
        };
        let base = self.value(array, block)?;
        let offset = inst.immediates.first().copied().unwrap_or(0) as i32;
        let last = length.saturating_sub(1) as i32;
        let pointer = if index.is_some() {
            let mut at = self.value(index, block)?;
            if offset != 0 {
                let right = self.literal(Scalar::Int, offset as u32, block)?;
                at = self.compute(Expression::Binary { op: BinaryOperator::Add, left: at, right });
            }
            let low = self.literal(Scalar::Int, 0, block)?;
            let high = self.literal(Scalar::Int, last as u32, block)?;
            let at = self.math(MathFunction::Clamp, at, Some(low), Some(high));
            self.compute(Expression::Access { base, index: at })
        } else {
            self.compute(Expression::AccessIndex { base, index: offset.clamp(0, last) as u32 })
        };
        Ok(self.compute(Expression::Load { pointer }))
    }

    fn sample(&mut self, inst: &Inst, level: Level, block: &mut Block) -> Result<Value, Error> {
        let texture = inst.inputs.first().copied().unwrap_or_default();
        let Some(&Place::Texture(_, sampler)) = self.places.get(&texture) else {
            return self.lowering.unsupported("a sample of what is no texture input");
        };
        let mut args = Vec::with_capacity(4);
        for &id in &inst.inputs {
            args.push(self.value(id, block)?);
        }
        let sampler = self.fixed(Expression::GlobalVariable(sampler), block);
        let (&[image, coordinate], rest) = args.split_first_chunk().ok_or(Error::Internal("a sample".into()))?;
        let level = match (level, rest) {
            (Level::Auto, _) => SampleLevel::Auto,
            (Level::Bias, &[bias]) => SampleLevel::Bias(bias),
            (Level::Exact, &[level]) => SampleLevel::Exact(level),
            (Level::Gradient, &[x, y]) => SampleLevel::Gradient { x, y },
            _ => return self.lowering.unsupported("a sample with these operands"),
        };
        Ok(self.compute(Expression::ImageSample {
            image,
            sampler,
            gather: None,
            coordinate,
            array_index: None,
            offset: None,
            level,
            depth_ref: None,
            clamp_to_edge: false,
        }))
    }

    fn poke(&mut self, inst: &Inst, block: &mut Block) -> Result<(), Error> {
        let output = inst.immediates.first().map_or(0, |&index| index as usize);
        if let Some(&Some(variable)) = self.outputs.get(output) {
            let [value] = self.inputs(inst, block)?;
            self.store(variable, value, block);
        }
        Ok(())
    }

    /// Returns the outputs.
    fn give(&mut self, function: &Function, results: &[Option<Id>], block: &mut Block) -> Result<(), Error> {
        let mut components = Vec::with_capacity(results.len());
        for (index, (output, result)) in function.outputs.iter().zip(results).enumerate() {
            let mut value = match (result, self.outputs.get(index)) {
                (&Some(id), _) => self.value(id, block)?,
                (None, Some(&Some(variable))) => {
                    let pointer = self.fixed(Expression::LocalVariable(variable), block);
                    self.compute(Expression::Load { pointer })
                }
                _ => return Err(Error::Internal(format!("the output `{}` has no value", output.name))),
            };
            if output.kind == OutputKind::Position {
                value = self.position(value, block)?;
            }
            components.push(value);
        }
        let value = match (components.pop(), self.code.result.as_ref().map(|result| result.ty)) {
            (Some(last), Some(ty)) if matches!(self.lowering.module.types[ty].inner, TypeInner::Struct { .. }) => {
                components.push(last);
                Some(self.compute(Expression::Compose { ty, components }))
            }
            (last, _) => last,
        };
        self.flush(block);
        block.push(Statement::Return { value }, Span::UNDEFINED);
        Ok(())
    }

    /// A component of a vector of four; of what a swizzle picks from, rather than of the swizzle.
    fn component(&mut self, value: Value, index: usize) -> Value {
        let expression = match self.code.expressions[value] {
            Expression::Swizzle { vector, pattern, .. } => {
                Expression::AccessIndex { base: vector, index: pattern[index & 3] as u32 }
            }
            Expression::Splat { value, .. } => return value,
            _ => Expression::AccessIndex { base: value, index: index as u32 },
        };
        self.compute(expression)
    }

    /// The position in the target's clip space.
    fn position(&mut self, value: Value, block: &mut Block) -> Result<Value, Error> {
        let clip = self.lowering.clip;
        if clip.is_identity() {
            return Ok(value);
        }
        let two = self.literal(Scalar::Float, 2.0f32.to_bits(), block)?;
        let [x, mut y, mut z, w] = [0, 1, 2, 3].map(|index| self.component(value, index));
        if clip.flip_y {
            y = self.compute(Expression::Unary { op: UnaryOperator::Negate, expr: y });
        }
        if clip.depth == Depth::NegativeOneToOne {
            let twice = self.compute(Expression::Binary { op: BinaryOperator::Multiply, left: z, right: two });
            z = self.compute(Expression::Binary { op: BinaryOperator::Subtract, left: twice, right: w });
        }
        let ty = self.lowering.ty(Type::FLOAT4)?;
        Ok(self.compute(Expression::Compose { ty, components: vec![x, y, z, w] }))
    }
}

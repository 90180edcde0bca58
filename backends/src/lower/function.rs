//! Lowers a function's instructions to naga expressions and statements.
//!
//! Every IR value becomes a single naga expression. The plan decides which values get a name. naga's text writers later see
//! `Emit` statements only for named values (`mend/baked.rs`) and inline the rest.
//!
//! The methods of [`Lower`] are split across several files: `compute.rs` lowers computations, `memory.rs` memory accesses, and
//! `control.rs` control flow, while `trace.rs` records which values each output line computes. These files import each other
//! because code is nested: a block contains instructions, whose operands are lowered at first use.

use std::collections::{BTreeMap, HashMap};

use naga::{Block, Expression, Handle, Literal, LocalVariable, Span, Statement, TypeInner, UnaryOperator};
use sdlbc::verify::Types;
use sdlbc::{Few, Function, FunctionDebug, Id, IdMap, InputKind, Inst, Op, OpSet, OutputKind, Scalar, Type};

use super::builder::FunctionBuilder;
use super::clips;
use super::indices::Indices;
use super::lowering::{LoweredInput, Lowering};
use super::registers::Registers;
use super::rules::repeats;
use super::state::{Head, Holds, Value, ValueSet, Values};
use super::tracer::Tracer;
use super::types::vector_size;
use crate::error::Error;
use crate::features::Returns;
use crate::language::Language;
use crate::layout::Depth;
use crate::legalise::pokes_output;
use crate::mend::names::Scope;
use crate::origins::Written;
use crate::plan::{Plan, Uses};
use crate::share::share;
use crate::unreachable::{falls_through, returns_after_discard};

/// Lowers the body of the function at `index` into the naga function in `builder`, which already has its arguments and result.
/// Returns the operand of the `return` statement after each discard, or `None` if a discard needs no `return`.
pub(super) fn lower<'m>(
    lowering: &mut Lowering<'m>,
    index: usize,
    builder: &mut FunctionBuilder,
    calls: &HashMap<usize, Handle<naga::Function>>,
) -> Result<Option<Option<Value>>, Error> {
    let source = lowering.source;
    let (Some(function), Some(types)) = (source.functions.get(index), lowering.types.get(index)) else {
        return Ok(None);
    };
    let ops = lowering.ops.get(index).copied().unwrap_or_default();
    let falls_through = falls_through(&function.body, ops);
    let results = results(function, ops, falls_through);
    let features = lowering.features;
    // SPIR-V needs no plan: every value has an id, and `mend/optimise.rs` turns the variables of PHIs into OpPhis.
    let (mut plan, mut shared) = (Plan::default(), IdMap::default());
    if features.is_text() {
        let lines: Vec<Id> = results.iter().copied().flatten().collect();
        // The adjustment to the target's clip space reads a position component by component.
        let adjusted = |(output, _): &(&sdlbc::FunctionOutput, &Option<Id>)| {
            output.kind == OutputKind::Position && !lowering.clip.is_identity()
        };
        let extra: Vec<Id> =
            function.outputs.iter().zip(&results).filter(adjusted).filter_map(|(_, value)| *value).collect();
        let atomics = function.inputs.iter().filter(|input| lowering.atomics.has(index, input));
        let atomics: Vec<Id> = atomics.map(|input| input.id).collect();
        let uses = Uses { extra: &extra, results: &results, repeats: &|inst| repeats(inst, types, &features) };
        plan = Plan::new(function, types, atomics, &uses);
        shared = share(function, &plan, &lines);
    }
    let is_traced = lowering.names.origins.is_some();
    let tracer = (is_traced && features.is_text()).then(|| Tracer::new(function, types, &builder.outputs));
    let mut lower = Lower {
        lowering,
        function,
        ops,
        index,
        types,
        names: source.debug_of(index),
        label: &builder.label,
        code: &mut builder.code,
        plan,
        shared,
        scope: builder.scope,
        lowered_inputs: std::mem::take(&mut builder.inputs),
        calls,
        results,
        values: Values::new(types.table()),
        indices: Indices::of(function, types),
        literals: BTreeMap::new(),
        texture_offsets: BTreeMap::new(),
        variables: if ops.has(Op::Phi) { types.table() } else { IdMap::default() },
        pointers: Vec::new(),
        constants: ValueSet::default(),
        holds: Holds::default(),
        outputs: Vec::new(),
        heads: Vec::new(),
        spare: Vec::new(),
        first: 0,
        tracer,
        returns_after_discard: false,
        traces_locations: is_traced && !features.is_text(),
        location: Span::UNDEFINED,
    };
    lower.open();
    let zero = lower.zero();
    lower.returns_after_discard = zero.is_some();
    lower.declare()?;
    let mut body = Block::with_capacity(function.inputs.len() + function.outputs.len() + 4);
    lower.block(function.body.block(), &mut body)?;
    if falls_through {
        lower.return_outputs(&mut body)?;
    }
    lower.flush(&mut body);
    if !falls_through {
        lower.close(&mut body);
    }
    lower.code.body = body;
    Ok(zero)
}

/// Reports whether the last statement of a block ends the function on every path.
fn ends(block: sdlbc::Block<'_>) -> bool {
    block.iter().last().is_some_and(|inst| match inst.op {
        Op::Return | Op::Discard => true,
        Op::If => inst.blocks().all(ends),
        _ => false,
    })
}

/// Returns the value of each output that needs no variable. The function writes such an output only once, outside nested blocks.
/// Every output needs a variable if the function returns early or never reaches its end.
fn results(function: &Function, ops: OpSet, falls_through: bool) -> Vec<Option<Id>> {
    let mut results = vec![None; function.outputs.len()];
    if ops.has(Op::Return) || !falls_through {
        return results;
    }
    // The index of the first instruction after the most recent nested block.
    let mut outside = 0;
    for (at, inst) in function.body.insts().iter().enumerate() {
        if let Some(&end) = inst.block_ends().last()
            && at >= outside
        {
            outside = at + end as usize + 1;
        }
        let Some(index) = pokes_output(inst) else { continue };
        if let Some(result) = results.get_mut(index) {
            // An output that is written twice needs a variable.
            let is_first = result.replace(Id::NONE).is_none();
            if is_first && at >= outside {
                *result = inst.inputs.first().copied();
            }
        }
    }
    results.into_iter().map(|result| result.filter(|id| id.is_some())).collect()
}

/// Returns the error for an instruction with the wrong number of operands for its operation.
#[cold]
pub(super) fn mismatch(inst: &Inst) -> Error {
    Error::Internal(format!("{} has operands that do not match its row", inst.op))
}

pub(super) struct Lower<'a, 'm> {
    pub(super) lowering: &'a mut Lowering<'m>,
    pub(super) function: &'m Function,
    pub(super) ops: OpSet,
    pub(super) index: usize,
    types: &'m Types,
    names: Option<&'m FunctionDebug>,
    pub(super) label: &'a str,
    pub(super) code: &'a mut naga::Function,
    pub(super) plan: Plan,
    /// Maps each PHI that shares a variable to the PHI that represents all PHIs of the variable.
    pub(super) shared: IdMap<Id>,
    pub(super) scope: Scope,
    pub(super) lowered_inputs: IdMap<LoweredInput>,
    pub(super) calls: &'a HashMap<usize, Handle<naga::Function>>,
    /// The value of each output that needs no variable; `None` for every other output.
    results: Vec<Option<Id>>,
    pub(super) values: Values,
    pub(super) indices: Indices,
    literals: BTreeMap<(u8, u32), Value>,
    /// Maps each result of a TEXTUREOFFSET to the texture and the packed texel offset.
    pub(super) texture_offsets: BTreeMap<Id, (Id, u32)>,
    /// The variables of PHIs, keyed by the PHI that represents all PHIs with the same variable.
    pub(super) variables: IdMap<Handle<LocalVariable>>,
    /// The address expression of each variable used so far. An address is valid in the whole function.
    pointers: Vec<Option<Value>>,
    /// The expressions that a target's compiler would fold. The compiler might reject a result that is not finite.
    pub(super) constants: ValueSet,
    pub(super) holds: Holds,
    /// The variable of each output, by output index; `None` if the output needs no variable.
    pub(super) outputs: Vec<Option<Handle<LocalVariable>>>,
    /// The stores to PHI variables before the next iteration of each enclosing loop.
    pub(super) heads: Vec<Head>,
    /// Empty blocks whose allocations are reused.
    pub(super) spare: Vec<Block>,
    /// The index of the first expression that has not been emitted yet.
    first: usize,
    pub(super) returns_after_discard: bool,
    pub(super) tracer: Option<Tracer<'m>>,
    /// Whether SPIR-V output traces values through source locations.
    pub(super) traces_locations: bool,
    /// The source location that naga's SPIR-V writer records for the expressions emitted next.
    pub(super) location: Span,
}

impl<'m> Lower<'_, 'm> {
    fn open(&mut self) {
        self.first = self.code.expressions.len();
    }

    fn declare(&mut self) -> Result<(), Error> {
        let function = self.function;
        for input in function.inputs.iter().filter(|input| input.kind == InputKind::Local) {
            let ty = self.lowering.local_ty(input.ty)?;
            let name = if input.name.is_empty() { "slot" } else { &input.name };
            let variable = self.new_variable(ty, name);
            self.lowered_inputs.insert(input.id, LoweredInput::Local(variable));
        }
        for (index, output) in function.outputs.iter().enumerate() {
            if self.results.get(index) == Some(&None) && output.kind != OutputKind::Returned {
                let variable = self.variable(output.ty, &output.name)?;
                self.outputs.resize(index, None);
                self.outputs.push(Some(variable));
            }
        }
        Ok(())
    }

    /// Reports whether the output is text, in which values and variables have names.
    #[inline]
    pub(super) fn is_text(&self) -> bool {
        self.lowering.features.is_text()
    }

    fn returns(&self) -> bool {
        self.function.returned().is_some()
    }

    /// Returns the operand of the `return` statement after each discard, or `None` if a discard needs no `return`.
    fn zero(&mut self) -> Option<Option<Value>> {
        if !self.ops.has(Op::Discard) {
            return None;
        }
        let features = &self.lowering.features;
        let needed = match features.unreached_returns {
            _ if !features.discard_ends => returns_after_discard(&self.function.body),
            Returns::OfValues => self.returns() && !self.ops.has(Op::Return),
            _ => false,
        };
        if !needed {
            return None;
        }
        let ty = self.code.result.as_ref().map(|result| result.ty);
        let zero = ty.map(|ty| self.code.expressions.append(Expression::ZeroValue(ty), Span::UNDEFINED));
        self.open();
        Some(zero)
    }

    /// Adds a `return` at a function's unreachable end, because some compilers do not look inside loops when they check for a
    /// missing `return`.
    fn close(&mut self, block: &mut Block) {
        let body = self.function.body.block();
        let needed = match self.lowering.features.unreached_returns {
            Returns::Always => true,
            Returns::OfValues => self.returns(),
            Returns::Never => false,
        };
        if needed
            && !ends(body)
            && let Some(ty) = self.code.result.as_ref().map(|result| result.ty)
        {
            let value = Some(self.fixed(Expression::ZeroValue(ty), block));
            self.trace_statement(Written::Result, &[]);
            block.push(Statement::Return { value }, Span::UNDEFINED);
        }
    }

    #[inline]
    pub(super) fn flush(&mut self, block: &mut Block) {
        if self.code.expressions.len() > self.first {
            let range = self.code.expressions.range_from(self.first);
            block.push(Statement::Emit(range), self.location);
        }
        self.open();
    }

    #[inline]
    pub(super) fn compute(&mut self, expression: Expression) -> Value {
        self.code.expressions.append(expression, Span::UNDEFINED)
    }

    /// Appends an expression that naga excludes from emitted ranges, such as a literal or the address of a variable.
    #[inline]
    pub(super) fn fixed(&mut self, expression: Expression, block: &mut Block) -> Value {
        self.flush(block);
        let value = self.code.expressions.append(expression, Span::UNDEFINED);
        self.open();
        value
    }

    pub(super) fn variable(&mut self, ty: Type, name: &str) -> Result<Handle<LocalVariable>, Error> {
        let ty = self.lowering.ty(ty)?;
        Ok(self.new_variable(ty, name))
    }

    pub(super) fn new_variable(&mut self, ty: Handle<naga::Type>, name: &str) -> Handle<LocalVariable> {
        let name = self.is_text().then(|| self.lowering.names.label(self.scope, name));
        let variable = self.code.local_variables.append(LocalVariable { name, ty, init: None }, Span::UNDEFINED);
        if self.lowering.features.language != Language::Wgsl {
            // Except in WGSL, naga's text writers write the initial value in the variable's declaration.
            self.trace_store(variable, &[], &[]);
        }
        variable
    }

    pub(super) fn pointer(&mut self, variable: Handle<LocalVariable>, block: &mut Block) -> Value {
        if let Some(&Some(pointer)) = self.pointers.get(variable.index()) {
            return pointer;
        }
        let pointer = self.fixed(Expression::LocalVariable(variable), block);
        if self.pointers.len() <= variable.index() {
            self.pointers.resize(variable.index() + 1, None);
        }
        if let Some(place) = self.pointers.get_mut(variable.index()) {
            *place = Some(pointer);
        }
        pointer
    }

    #[inline]
    pub(super) fn load(&mut self, variable: Handle<LocalVariable>, block: &mut Block) -> Value {
        let pointer = self.pointer(variable, block);
        self.compute(Expression::Load { pointer })
    }

    #[inline]
    pub(super) fn store(&mut self, variable: Handle<LocalVariable>, value: Value, block: &mut Block) {
        let pointer = self.pointer(variable, block);
        self.flush(block);
        block.push(Statement::Store { pointer, value }, Span::UNDEFINED);
    }

    pub(super) fn literal(&mut self, scalar: Scalar, bits: u32, block: &mut Block) -> Result<Value, Error> {
        if let Some(&value) = self.literals.get(&(scalar as u8, bits)) {
            return Ok(value);
        }
        let literal = match scalar {
            Scalar::Bool => Literal::Bool(bits != 0),
            Scalar::Int => Literal::I32(bits.cast_signed()),
            Scalar::Uint => Literal::U32(bits),
            Scalar::Float if f32::from_bits(bits).is_finite() => Literal::F32(f32::from_bits(bits)),
            // No target language has literals for infinities and NaNs, so their bits are written as an integer and reinterpreted.
            Scalar::Float => return self.not_finite(bits, block),
            Scalar::Half => return self.lowering.unsupported("a literal half"),
        };
        let value = self.fixed(Expression::Literal(literal), block);
        self.literals.insert((scalar as u8, bits), value);
        Ok(value)
    }

    fn not_finite(&mut self, bits: u32, block: &mut Block) -> Result<Value, Error> {
        let bits = self.literal(Scalar::Uint, bits, block)?;
        let hidden = self.hidden(bits, Type::UINT, block)?;
        let value = self.compute(Expression::As { expr: hidden, kind: naga::ScalarKind::Float, convert: None });
        self.flush(block);
        Ok(value)
    }

    /// Passes a value through a variable, so that the target's compiler cannot fold the value.
    pub(super) fn hidden(&mut self, value: Value, ty: Type, block: &mut Block) -> Result<Value, Error> {
        let variable = self.variable(ty, "constant")?;
        self.store(variable, value, block);
        Ok(self.load(variable, block))
    }

    #[inline]
    pub(super) fn ty(&self, id: Id) -> Type {
        self.types.get(id).unwrap_or(Type::FLOAT)
    }

    #[inline]
    pub(super) fn width(&self, id: Id) -> u8 {
        self.ty(id).width().unwrap_or(1)
    }

    /// Returns the component type of a scalar or vector, and `Float` for any other type.
    #[inline]
    pub(super) fn scalar(&self, id: Id) -> Scalar {
        match self.ty(id) {
            Type::Vector(scalar, _) => scalar,
            _ => Scalar::Float,
        }
    }

    /// Returns the expression of an input or of a value that has already been lowered.
    #[inline]
    pub(super) fn value(&mut self, id: Id, block: &mut Block) -> Result<Value, Error> {
        match self.values.get(id) {
            Some(value) => Ok(value),
            None => self.input(id, block),
        }
    }

    /// Lowers an input at its first use. The function is kept out of line so that `value` can be inlined.
    #[cold]
    #[inline(never)]
    fn input(&mut self, id: Id, block: &mut Block) -> Result<Value, Error> {
        let value = match self.lowered_inputs.get(id) {
            Some(&LoweredInput::Argument(index)) => self.fixed(Expression::FunctionArgument(index), block),
            Some(&LoweredInput::Member(argument, index)) => {
                let base = self.fixed(Expression::FunctionArgument(argument), block);
                let value = self.compute(Expression::AccessIndex { base, index });
                self.flush(block);
                value
            }
            Some(&LoweredInput::Uniform(variable, member)) => {
                let mut pointer = self.fixed(Expression::GlobalVariable(variable), block);
                if let Some(index) = member {
                    pointer = self.compute(Expression::AccessIndex { base: pointer, index });
                }
                // An array is kept as an address, because its elements are read separately.
                let value = match self.ty(id) {
                    Type::Array(..) => pointer,
                    _ => self.compute(Expression::Load { pointer }),
                };
                self.flush(block);
                value
            }
            Some(&(LoweredInput::Texture(variable, _) | LoweredInput::Image(variable))) => {
                self.fixed(Expression::GlobalVariable(variable), block)
            }
            Some(LoweredInput::Local(_) | LoweredInput::Memory(_)) | None => {
                return Err(Error::Internal(format!("{id} is used and never defined")));
            }
        };
        self.values.insert(id, value);
        Ok(value)
    }

    /// Returns the address of a member of the structure that replaces a uniform array.
    pub(super) fn register(&mut self, array: Id, member: u32, block: &mut Block) -> Result<Value, Error> {
        let Some(&LoweredInput::Uniform(variable, Some(first))) = self.lowered_inputs.get(array) else {
            return Err(Error::Internal(format!("{array} is not a structure")));
        };
        let base = self.fixed(Expression::GlobalVariable(variable), block);
        Ok(self.compute(Expression::AccessIndex { base, index: first + member }))
    }

    /// Returns the uniform arrays of the function that became structures, or `None` if the target keeps all arrays.
    #[inline]
    pub(super) fn registers(&self) -> Option<&Registers> {
        self.lowering.registers.get(self.index)
    }

    /// Returns a value with `width` components; a scalar is splatted.
    #[inline]
    pub(super) fn spread(&mut self, id: Id, width: u8, block: &mut Block) -> Result<Value, Error> {
        let value = self.value(id, block)?;
        Ok(if self.width(id) == 1 { self.splat(value, width) } else { value })
    }

    #[inline]
    pub(super) fn splat(&mut self, value: Value, width: u8) -> Value {
        match vector_size(width) {
            Some(size) => self.compute(Expression::Splat { size, value }),
            None => value,
        }
    }

    /// Returns the debug name of a value, or the name `value` for a value without a debug name.
    pub(super) fn name_of(&self, id: Id) -> &'m str {
        self.names.and_then(|names| names.ids.get(id)).unwrap_or("value")
    }

    pub(super) fn inputs<const N: usize>(&mut self, inst: &Inst, block: &mut Block) -> Result<[Value; N], Error> {
        self.operands(inst, |lower, id| lower.value(id, block))
    }

    /// Applies `of` to each of the instruction's `N` operands. A different number of operands is an error.
    pub(super) fn operands<const N: usize>(
        &mut self,
        inst: &Inst,
        mut of: impl FnMut(&mut Self, Id) -> Result<Value, Error>,
    ) -> Result<[Value; N], Error> {
        let (Some(&first), true) = (inst.inputs.first(), inst.inputs.len() == N) else {
            return Err(mismatch(inst));
        };
        let mut values = [of(self, first)?; N];
        for (value, &id) in values.iter_mut().zip(&inst.inputs).skip(1) {
            *value = of(self, id)?;
        }
        Ok(values)
    }

    /// Records the expression of a value, and names the expression in text output if the plan names the value.
    #[inline]
    pub(super) fn define(&mut self, id: Id, value: Value, block: &mut Block) {
        if self.is_text() && self.plan.is_named(id) {
            self.name_value(value, self.name_of(id), block);
            self.trace_definition(id, value);
        }
        self.values.define(id, value);
    }

    /// Names an expression in text output, unless the expression already has a name.
    pub(super) fn name_value(&mut self, value: Value, name: &str, block: &mut Block) {
        if !self.is_text() {
            return;
        }
        // A literal, an argument or a global variable is a single token in text output, so it needs no name.
        let fixed = matches!(
            self.code.expressions[value],
            Expression::Literal(_) | Expression::FunctionArgument(_) | Expression::GlobalVariable(_)
        );
        if !fixed && !self.code.named_expressions.contains_key(&value) {
            let name = self.lowering.names.label(self.scope, name);
            self.code.named_expressions.insert(value, name);
        }
        // naga's text writers visit the emitted expressions in order, and write a name for each expression that has one.
        self.flush(block);
    }

    pub(super) fn return_outputs(&mut self, block: &mut Block) -> Result<(), Error> {
        let function = self.function;
        if self.tracer.is_some() {
            let results: Vec<Id> = self.results.iter().copied().flatten().collect();
            self.trace_statement(Written::Result, &results);
        }
        let mut components: Few<Value> = Few::new();
        let mut distances: Few<(usize, Value)> = Few::new();
        for (index, output) in function.outputs.iter().enumerate() {
            let result = self.results.get(index).copied().flatten();
            // If the position's y is already negated, the vector before the negation is used, so that y is not negated twice. In
            // SPIR-V, a later pass removes the unused negation, but text output would still show it.
            if output.kind == OutputKind::Position
                && !self.is_text()
                && self.lowering.clip.is_turned()
                && let Some((id, turned)) = result.and_then(|id| Some((id, turned(function, id)?)))
            {
                self.trace_output(index, id);
                components.push(self.value(turned, block)?);
                continue;
            }
            let mut value = match (result, self.outputs.get(index)) {
                (Some(id), _) => {
                    self.trace_output(index, id);
                    self.value(id, block)?
                }
                (None, Some(&Some(variable))) => self.load(variable, block),
                _ => return Err(Error::Internal(format!("the output `{}` has no value", output.name))),
            };
            if output.kind == OutputKind::Position {
                value = self.position(value, block)?;
            }
            match output.kind {
                OutputKind::ClipDistance { .. } => distances.push((index, value)),
                _ => components.push(value),
            }
        }
        if !distances.is_empty() {
            self.clip_distances(&distances, &mut components)?;
        }
        let value = match (components.pop(), self.code.result.as_ref().map(|result| result.ty)) {
            (Some(last), Some(ty)) if matches!(self.lowering.module.types[ty].inner, TypeInner::Struct { .. }) => {
                components.push(last);
                Some(self.compute(Expression::Compose { ty, components: components.to_vec() }))
            }
            (last, _) => last,
        };
        self.flush(block);
        block.push(Statement::Return { value }, Span::UNDEFINED);
        Ok(())
    }

    /// Appends the clip distances to the members of the result. Each entry of `distances` contains an output's index and the
    /// output's value.
    fn clip_distances(&mut self, distances: &[(usize, Value)], components: &mut Few<Value>) -> Result<(), Error> {
        for places in clips::members(&self.function.outputs, self.lowering.features.clips) {
            let of = |place: usize| distances.iter().find(|(index, _)| *index == place).map(|&(_, value)| value);
            let values: Vec<Value> = places.iter().filter_map(|&place| of(place)).collect();
            let member = match (self.lowering.clip_type(places.len())?, &values[..]) {
                (Some(ty), _) => self.compute(Expression::Compose { ty, components: values }),
                (None, &[value]) => value,
                (None, _) => return Err(Error::Internal("a clip distance has no value".to_string())),
            };
            components.push(member);
        }
        Ok(())
    }

    /// Returns a component of a four-component vector. If the vector is a swizzle or a splat, the component is taken directly
    /// from the operand.
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

    /// Converts a position to the target's clip space.
    fn position(&mut self, value: Value, block: &mut Block) -> Result<Value, Error> {
        let clip = self.lowering.clip;
        if clip.is_identity() {
            return Ok(value);
        }
        // Multiplying by a vector and negating a component are both exact. SPIR-V output multiplies, which takes a single
        // instruction; text output negates, which is easier to read.
        if !self.is_text() && clip.depth == Depth::ZeroToOne {
            let [one, minus_one] = [1.0f32, -1.0].map(f32::to_bits);
            let one = self.literal(Scalar::Float, one, block)?;
            let minus_one = self.literal(Scalar::Float, minus_one, block)?;
            let ty = self.lowering.ty(Type::FLOAT4)?;
            let flip = self.fixed(Expression::Compose { ty, components: vec![one, minus_one, one, one] }, block);
            return Ok(self.binary(naga::BinaryOperator::Multiply, value, flip));
        }
        let two = self.literal(Scalar::Float, 2.0f32.to_bits(), block)?;
        let [x, mut y, mut z, w] = [0, 1, 2, 3].map(|index| self.component(value, index));
        if clip.flip_y {
            y = self.compute(Expression::Unary { op: UnaryOperator::Negate, expr: y });
        }
        if clip.depth == Depth::NegativeOneToOne {
            let twice = self.binary(naga::BinaryOperator::Multiply, z, two);
            z = self.binary(naga::BinaryOperator::Subtract, twice, w);
        }
        let ty = self.lowering.ty(Type::FLOAT4)?;
        Ok(self.compute(Expression::Compose { ty, components: vec![x, y, z, w] }))
    }
}

/// Returns the vector that differs from `id` only in the sign of y, or `None` if the code does not compose `id` from such a
/// vector.
fn turned(function: &Function, id: Id) -> Option<Id> {
    let definition = |id: Id| function.body.insts().iter().rev().find(|inst| id.is_some() && inst.output == id);
    // The operand of a swizzle and the components that the swizzle selects.
    let picked = |inst: &sdlbc::Inst| match inst.op {
        Op::Swizzle => Some((*inst.inputs.first()?, inst.lanes().collect::<Few<u8>>())),
        _ => None,
    };
    let vector = definition(id).filter(|inst| inst.op == Op::Vector)?;
    let (mut of, mut at) = (None, 0u8);
    for &part in &vector.inputs {
        let part = definition(part)?;
        let (from, lanes) = match part.op {
            Op::Negate if at == 1 => picked(definition(*part.inputs.first()?)?)?,
            _ if at == 1 => return None,
            _ => picked(part)?,
        };
        for lane in lanes {
            if lane != at || of.is_some_and(|of| of != from) {
                return None;
            }
            (of, at) = (Some(from), at + 1);
        }
    }
    of.filter(|_| at == 4)
}

//! Selects AGAL operations for one operation of the module at a time.
//!
//! Rule: the results agree with SDLSHADERBC's operation table, with three exceptions. AGAL's roots, logarithm and power take the
//! absolute values of their operands. `nrm` leaves zero unchanged. Without conditionals, a `step` or a selection is not exact for
//! NaN and infinities.

use agal_front::Stage;
use agal_front::opcode::Opcode;
use agal_front::register::File;
use sdlbc::compute::{Value, compute};
use sdlbc::{Id, Inst, Op, Scalar, Type};

use super::emit::widened;
use super::{Frame, Selected, Selector, Val, operand};
use crate::code::{Index, Lane, in_one_register};
use crate::refusal::RefusalKind;

/// The lower bound that lifting puts on the squared length of a vector for `nrm`.
const TINY: f32 = 1e-37;

impl Val {
    /// Builds a comparison of floats or ints. A single lane is compared with each component of the other operand.
    pub(super) fn comparison(op: Op, a: &[Lane], b: &[Lane]) -> Val {
        let width = a.len().max(b.len());
        Val::Comparison(op, widened(a, width), widened(b, width))
    }
}

impl<'a> Selector<'a> {
    /// Returns the lanes of floats, or of bools as floats that are 1 or 0.
    pub(super) fn floats(&mut self, frame: &Frame<'a>, id: Id) -> Selected<Vec<Lane>> {
        match frame.value(id)? {
            Val::Lanes(lanes) => Ok(lanes.clone()),
            value => self.truth(&value.clone()),
        }
    }

    pub(super) fn truth(&mut self, value: &Val) -> Selected<Vec<Lane>> {
        match value {
            Val::Truth(lanes) => Ok(lanes.clone()),
            Val::Otherwise(of) => {
                let truth = self.truth(of)?;
                self.not(&truth)
            }
            Val::Known(Value { ty: Type::Vector(Scalar::Bool, _), words }) => {
                Ok(words.iter().map(|&word| Lane::Literal(if word != 0 { 1f32 } else { 0f32 }.to_bits())).collect())
            }
            Val::Comparison(op, a, b) => match op {
                Op::LessThan => self.each(Opcode::Slt, a, b),
                Op::GreaterThan => self.each(Opcode::Slt, b, a),
                Op::GreaterThanOrEqual => self.each(Opcode::Sge, a, b),
                Op::LessThanOrEqual => self.each(Opcode::Sge, b, a),
                Op::Equal => self.each(Opcode::Seq, a, b),
                _ => self.each(Opcode::Sne, a, b),
            },
            _ => Err(RefusalKind::Operands { op: Op::Convert, what: "ints that are not an index" }),
        }
    }

    pub(super) fn not(&mut self, truth: &[Lane]) -> Selected<Vec<Lane>> {
        self.each(Opcode::Sub, &Self::number(1.0), truth)
    }

    pub(super) fn both(&mut self, a: &[Lane], b: &[Lane]) -> Selected<Vec<Lane>> {
        let one = Self::number(1.0);
        match () {
            _ if a == one => Ok(b.to_vec()),
            _ if b == one => Ok(a.to_vec()),
            _ => self.each(Opcode::Mul, a, b),
        }
    }

    /// Selects one of two floats, ints or bools by arithmetic, as [`Selector::select_by`] does.
    pub(super) fn select_values(&mut self, both: &[Vec<Lane>; 2], a: Val, b: Val) -> Selected<Val> {
        match (&a, &b) {
            _ if a == b => Ok(a),
            (Val::Lanes(first), Val::Lanes(second)) => Ok(Val::Lanes(self.select_by(both, first, second)?)),
            _ if a.is_int() && b.is_int() => {
                let (Some((scalar, first)), Some((_, second))) = (self.int_lanes(&a)?, self.int_lanes(&b)?) else {
                    return Err(RefusalKind::Operation(Op::Select));
                };
                let lanes = self.select_by(both, &first, &second)?;
                self.note_either(&lanes, &first, &second);
                Ok(Val::Whole(scalar, lanes))
            }
            _ => {
                let (first, second) = (self.truth(&a)?, self.truth(&b)?);
                Ok(Val::Truth(self.select_by(both, &first, &second)?))
            }
        }
    }

    /// Selects one of two values as `a t + b (1 - t)`, where `t` is 1 or 0. `both` contains the lanes of `t` and of `1 - t`. The
    /// lanes of `1 - t` are empty if they have not been computed yet.
    pub(super) fn select_by(&mut self, both: &[Vec<Lane>; 2], a: &[Lane], b: &[Lane]) -> Selected<Vec<Lane>> {
        let [truth, not] = both;
        let is = |lanes: &[Lane], number: f32| lanes.iter().all(|lane| lane.is(number));
        if is(a, 1.0) && is(b, 0.0) {
            return Ok(widened(truth, a.len().max(b.len())));
        }
        if is(b, 0.0) {
            return self.each(Opcode::Mul, a, truth);
        }
        let not = if not.is_empty() { self.not(truth)? } else { not.clone() };
        if is(a, 0.0) {
            return self.each(Opcode::Mul, b, &not);
        }
        let first = self.each(Opcode::Mul, a, truth)?;
        let second = self.each(Opcode::Mul, b, &not)?;
        self.each(Opcode::Add, &first, &second)
    }

    pub(super) fn value(&mut self, frame: &Frame<'a>, inst: &'a Inst) -> Selected<Val> {
        if let Some(known) = self.known(frame, inst) {
            return Ok(known);
        }
        let is_index =
            matches!(inst.op, Op::Add | Op::Subtract) && matches!(self.moved_index(frame, inst), Ok(Val::Int { .. }));
        if !is_index && let Some(value) = self.of_ints(frame, inst)? {
            return Ok(value);
        }
        match inst.op {
            Op::Peek => self.peek(frame, inst),
            Op::Sample | Op::SampleBias | Op::SampleLod | Op::SampleGrad => self.sample(frame, inst),
            Op::TextureOffset => Err(RefusalKind::Operands {
                op: inst.op,
                what: "a texture: AGAL's `tex` has no offset, so add the offset, divided by the texture's size, to the coordinate",
            }),
            Op::Convert => self.convert(frame, inst),
            Op::Swizzle | Op::Vector => self.parts(frame, inst),
            Op::Matrix => {
                let columns = inst.inputs.iter().map(|&id| self.floats(frame, id));
                Ok(Val::Matrix(columns.collect::<Selected<_>>()?))
            }
            Op::Transpose => match frame.value(operand(inst, 0))? {
                Val::Matrix(columns) => Ok(Val::Matrix(rows_of(columns))),
                _ => Err(RefusalKind::Operation(inst.op)),
            },
            op if is_comparison(op) => {
                let (a, b) = (self.floats(frame, operand(inst, 0))?, self.floats(frame, operand(inst, 1))?);
                Ok(Val::comparison(op, &a, &b))
            }
            Op::Not => self.not_of(frame, operand(inst, 0)),
            Op::LogicalAnd | Op::LogicalOr => {
                let (a, b) = (self.floats(frame, operand(inst, 0))?, self.floats(frame, operand(inst, 1))?);
                let op = if inst.op == Op::LogicalAnd { Opcode::Mul } else { Opcode::Max };
                Ok(Val::Truth(self.each(op, &a, &b)?))
            }
            Op::All | Op::Any => {
                let mut lanes = self.floats(frame, operand(inst, 0))?.into_iter();
                let op = if inst.op == Op::All { Opcode::Mul } else { Opcode::Max };
                let mut all: Vec<Lane> = lanes.by_ref().take(1).collect();
                for lane in lanes {
                    all = self.each(op, &all, &[lane])?;
                }
                Ok(Val::Truth(all))
            }
            Op::Select => self.select(frame, inst),
            Op::Add | Op::Subtract if matches!(frame.value(operand(inst, 0))?, Val::Int { .. } | Val::Known(_)) => {
                self.moved_index(frame, inst)
            }
            Op::Multiply => self.product(frame, inst),
            op => {
                let [a, b, c] = [0, 1, 2].map(|at| inst.inputs.get(at).map(|&id| self.floats(frame, id)));
                let none = || Ok(Vec::new());
                let (a, b, c) = (a.unwrap_or_else(none)?, b.unwrap_or_else(none)?, c.unwrap_or_else(none)?);
                Ok(Val::Lanes(self.arithmetic(op, &a, &b, &c)?))
            }
        }
    }

    /// Computes the result of an operation whose operands are known at compile time.
    fn known(&self, frame: &Frame<'a>, inst: &Inst) -> Option<Val> {
        let mut operands = Vec::new();
        for id in &inst.inputs {
            operands.push(match frame.values.get(id)? {
                Val::Known(value) => value.clone(),
                Val::Lanes(lanes) => {
                    let words = lanes.iter().map(|lane| lane.literal()).collect::<Option<Vec<u32>>>()?;
                    Value { ty: Type::floats(u8::try_from(words.len()).ok()?), words }
                }
                _ => return None,
            });
        }
        let literal = |ty| Value { ty, words: inst.immediates.to_vec() };
        let value = match inst.op {
            Op::LiteralFloat => literal(Type::FLOAT),
            Op::LiteralFloat4 => literal(Type::FLOAT4),
            Op::LiteralInt => literal(Type::INT),
            Op::LiteralInt4 => literal(Type::Vector(Scalar::Int, 4)),
            Op::LiteralUint => literal(Type::UINT),
            Op::LiteralBool => literal(Type::BOOL),
            Op::Matrix | Op::Peek => return None,
            op => compute(op, &operands, &inst.immediates)?,
        };
        match value.ty {
            Type::Vector(Scalar::Float, _) => {
                Some(Val::Lanes(value.words.iter().map(|&word| Lane::Literal(word)).collect()))
            }
            Type::Vector(Scalar::Half, _) | Type::Matrix { .. } => None,
            _ => Some(Val::Known(value)),
        }
    }

    fn parts(&mut self, frame: &Frame<'a>, inst: &Inst) -> Selected<Val> {
        let mut all: Vec<Lane> = Vec::new();
        let mut is_bool = false;
        for &id in &inst.inputs {
            is_bool |= !matches!(frame.value(id)?, Val::Lanes(_));
            all.extend(self.floats(frame, id)?);
        }
        if inst.op == Op::Swizzle {
            all = inst.lanes().filter_map(|lane| all.get(usize::from(lane)).copied()).collect();
        }
        Ok(if is_bool { Val::Truth(all) } else { Val::Lanes(all) })
    }

    fn not_of(&mut self, frame: &Frame<'a>, id: Id) -> Selected<Val> {
        match frame.value(id)?.clone() {
            Val::Comparison(Op::Equal, a, b) => Ok(Val::Comparison(Op::NotEqual, a, b)),
            Val::Comparison(Op::NotEqual, a, b) => Ok(Val::Comparison(Op::Equal, a, b)),
            value => {
                let truth = self.truth(&value)?;
                Ok(Val::Truth(self.not(&truth)?))
            }
        }
    }

    fn convert(&mut self, frame: &Frame<'a>, inst: &Inst) -> Selected<Val> {
        let of = operand(inst, 0);
        let to = inst.immediates.first().and_then(|&word| Type::from_words(word, 0));
        match (frame.value(of)?.clone(), to) {
            (Val::Lanes(lanes), Some(Type::Vector(Scalar::Float, _))) => Ok(Val::Lanes(lanes)),
            (Val::Lanes(lanes), Some(Type::Vector(Scalar::Bool, _))) => {
                let zero = vec![Lane::Literal(0); lanes.len()];
                Ok(Val::Comparison(Op::NotEqual, lanes, zero))
            }
            (value @ (Val::Comparison(..) | Val::Truth(_)), Some(Type::Vector(Scalar::Float, _))) => {
                Ok(Val::Lanes(self.truth(&value)?))
            }
            (
                value @ (Val::Comparison(..) | Val::Truth(_)),
                Some(Type::Vector(to @ (Scalar::Int | Scalar::Uint), _)),
            ) => {
                let lanes = self.truth(&value)?;
                self.note(&lanes, (0.0, 1.0));
                Ok(Val::Whole(to, lanes))
            }
            (value @ Val::Int { .. }, Some(Type::Vector(Scalar::Int | Scalar::Uint, _))) => Ok(value),
            (Val::Int { lane, is_whole: true, plus: 0 }, Some(Type::FLOAT)) => Ok(Val::Lanes(vec![lane])),
            (Val::Lanes(lanes), Some(Type::Vector(scalar @ (Scalar::Int | Scalar::Uint), width))) => {
                match self.ints_of(&lanes, scalar) {
                    Err(_) if width == 1 => self.index(frame, of, &lanes),
                    value => value,
                }
            }
            _ => Err(RefusalKind::Operands { op: inst.op, what: "ints that are not an index" }),
        }
    }

    /// Converts a float to an index. AGAL rounds a computed index to the nearest whole number, so a float that the module rounds
    /// in this way is replaced with the unrounded float.
    fn index(&mut self, frame: &Frame<'a>, of: Id, lanes: &[Lane]) -> Selected<Val> {
        let &[lane] = lanes else {
            return Err(RefusalKind::Operands { op: Op::Convert, what: "several floats to ints" });
        };
        let origin = |id: Id, op: Op| frame.origins.get(&id).filter(|inst| inst.op == op).copied();
        if let Some(floor) = origin(of, Op::Floor)
            && let Some(add) = floor.inputs.first().and_then(|&id| origin(id, Op::Add))
            && let [Some(Val::Lanes(a)), Some(Val::Lanes(b))] =
                [0, 1].map(|at| add.inputs.get(at).and_then(|id| frame.values.get(id)))
            && b[..] == Self::number(0.5)[..]
            && let &[before] = &a[..]
        {
            return Ok(Val::Int { lane: before, is_whole: false, plus: 0 });
        }
        if frame.origins.get(&of).is_some_and(|inst| matches!(inst.op, Op::Floor | Op::Ceil | Op::Trunc | Op::Round)) {
            return Ok(Val::Int { lane, is_whole: true, plus: 0 });
        }
        let whole = self.arithmetic(Op::Trunc, lanes, &[], &[])?;
        whole.first().map(|&lane| Val::Int { lane, is_whole: true, plus: 0 }).ok_or(RefusalKind::Operation(Op::Convert))
    }

    fn moved_index(&mut self, frame: &Frame<'a>, inst: &Inst) -> Selected<Val> {
        let [a, b] = [0, 1].map(|at| inst.inputs.get(at).and_then(|id| frame.values.get(id)));
        let known = |value: &Value| value.words.first().map(|word| word.cast_signed());
        let moved = match (a, b, inst.op) {
            (Some(&Val::Int { lane, is_whole, plus }), Some(Val::Known(by)), op) => known(by).and_then(|by| {
                let plus = if op == Op::Add { plus.checked_add(by) } else { plus.checked_sub(by) };
                plus.map(|plus| Val::Int { lane, is_whole, plus })
            }),
            (Some(Val::Known(by)), Some(&Val::Int { lane, is_whole, plus }), Op::Add) => {
                known(by).and_then(|by| plus.checked_add(by)).map(|plus| Val::Int { lane, is_whole, plus })
            }
            _ => None,
        };
        moved.ok_or(RefusalKind::Operands { op: inst.op, what: "ints that are not an index" })
    }

    fn peek(&mut self, frame: &Frame<'a>, inst: &Inst) -> Selected<Val> {
        let plus = inst.immediates.first().map_or(0, |word| word.cast_signed());
        let index = match inst.inputs.get(1).filter(|id| id.is_some()) {
            None => None,
            Some(&id) => {
                let value = frame.value(id)?;
                let lane =
                    if let Val::Whole(_, lanes) = value { lanes.first().filter(|_| lanes.len() == 1) } else { None };
                Some(lane.map_or_else(|| value.clone(), |&lane| Val::Int { lane, is_whole: true, plus: 0 }))
            }
        };
        let refused = |what| RefusalKind::Operands { op: Op::Peek, what };
        let of = operand(inst, 0);
        let whole = match &index {
            None => Some(plus),
            Some(Val::Known(value)) => value.words.first().map(|word| word.cast_signed().wrapping_add(plus)),
            _ => None,
        };
        match (frame.value(of)?, whole, index) {
            (Val::Local(elements), Some(at), _) => {
                let at = usize::try_from(at.max(0)).unwrap_or(0).min(elements.len().saturating_sub(1));
                elements.get(at).cloned().ok_or(refused("an array without elements"))
            }
            (Val::Local(_), None, _) => Err(refused("a local array at a computed index")),
            (Val::Matrix(columns), Some(at), _) => {
                // An out-of-range index reads the first or the last element.
                let at = usize::try_from(at.max(0)).unwrap_or(0).min(columns.len().saturating_sub(1));
                columns.get(at).map(|column| Val::Lanes(column.clone())).ok_or(refused("a matrix without columns"))
            }
            (&Val::Array(first, length, width), Some(at), _) => {
                let at = u32::try_from(at.max(0)).unwrap_or(0).min(length.saturating_sub(1));
                let lane = |component| Lane::Register(File::Constant, first + at, component);
                Ok(Val::Lanes((0..width).map(lane).collect()))
            }
            (&Val::Array(first, length, width), None, Some(Val::Int { lane, plus: more, .. })) => {
                if self.stage() == Stage::Fragment {
                    return Err(refused("an index that is computed in a fragment program"));
                }
                let plus = i64::from(plus) + i64::from(more);
                let mut lane = self.clamped_index(lane, plus, first, length)?;
                let offset = plus + i64::from(first);
                if u8::try_from(offset).is_err() {
                    let far = i16::try_from(offset).map_err(|_| refused("an index with too large an offset"))?;
                    lane = *self.each(Opcode::Add, &[lane], &Self::number(f32::from(far)))?.first().unwrap_or(&lane);
                }
                let offset = u8::try_from(offset).unwrap_or(0);
                let index = match lane {
                    Lane::Web(web) => Index::Web(web),
                    Lane::Register(file @ (File::Attribute | File::Constant), number, component) => {
                        Index::Register(file, number, component)
                    }
                    lane => match self.each(Opcode::Mov, &[lane], &[])?[..] {
                        [Lane::Web(web)] => Index::Web(web),
                        _ => return Err(refused("an index")),
                    },
                };
                Ok(Val::Lanes((0..width).map(|component| Lane::Element(index, offset, component)).collect()))
            }
            _ => Err(refused("a matrix at a computed index")),
        }
    }

    /// Clamps an index so that it stays within an array after `plus` is added. An index past an end of the array then reads the
    /// element at that end. An index into the whole register file is not clamped, because the player defines the result past the
    /// end of the file.
    fn clamped_index(&mut self, lane: Lane, plus: i64, first: u32, length: u32) -> Selected<Lane> {
        if first == 0 && length >= File::Constant.count(self.stage(), self.code.version) {
            return Ok(lane);
        }
        let number = |number: i64| i16::try_from(number).ok().map(f32::from);
        let far = RefusalKind::Operands { op: Op::Peek, what: "an index with too large an offset" };
        let (Some(least), Some(most)) = (number(-plus), number(i64::from(length) - 1 - plus)) else { return Err(far) };
        let (low, high) = self.range(lane);
        // The index register rounds to the nearest whole number, so an index may exceed the range by less than one half.
        let mut index = vec![lane];
        if low <= f64::from(least) - 0.5 || low.is_nan() {
            index = self.each(Opcode::Max, &index, &Self::number(least))?;
        }
        if high >= f64::from(most) + 0.5 || high.is_nan() {
            index = self.each(Opcode::Min, &index, &Self::number(most))?;
        }
        index.first().copied().ok_or(far)
    }

    fn select(&mut self, frame: &Frame<'a>, inst: &'a Inst) -> Selected<Val> {
        let (condition, a, b) = (
            frame.value(operand(inst, 0))?.clone(),
            frame.value(operand(inst, 1))?.clone(),
            frame.value(operand(inst, 2))?.clone(),
        );
        if let Val::Known(value) = &condition
            && value.words.len() == 1
        {
            return Ok(if value.words.first() != Some(&0) { a } else { b });
        }
        if let Some(power) = self.power(frame, &condition, &a, operand(inst, 2)) {
            return Ok(power);
        }
        let truth = self.truth(&condition)?;
        if let (Val::Lanes(first), Val::Lanes(second)) = (&a, &b)
            && self.code.version >= 2
            && let [_] = truth[..]
            && !(is_truth(first) && is_truth(second))
        {
            return self.select_by_branch(&truth, first, second);
        }
        self.select_values(&[truth, Vec::new()], a, b)
    }

    /// Selects one of two values by a conditional, which is exact for all values.
    fn select_by_branch(&mut self, truth: &[Lane], a: &[Lane], b: &[Lane]) -> Selected<Val> {
        let webs = self.joint(a.len());
        let (a, b) = (self.operand(a)?, self.operand(b)?);
        let zero = self.operand(&Self::number(0.0))?;
        self.effect(Opcode::Ine, [truth.to_vec(), zero])?;
        self.set(&webs, &a)?;
        self.push(self.inst(Opcode::Els))?;
        self.set(&webs, &b)?;
        self.push(self.inst(Opcode::Eif))?;
        Ok(Val::Lanes(webs))
    }

    /// Recognises the selection with which lifting makes `pow` return 1 for an exponent of 0, and returns the power.
    fn power(&self, frame: &Frame<'a>, condition: &Val, one: &Val, power: Id) -> Option<Val> {
        let Val::Comparison(Op::Equal, exponent, zero) = condition else { return None };
        let all = |lanes: &[Lane], number: f32| lanes.iter().all(|lane| lane.is(number));
        let origin = frame.origins.get(&power).filter(|inst| inst.op == Op::Pow)?;
        let Val::Lanes(of) = frame.values.get(origin.inputs.get(1)?)? else { return None };
        let same = of == exponent || of.len() == 1 && exponent.iter().all(|lane| Some(lane) == of.first());
        let is_one = matches!(one, Val::Lanes(lanes) if all(lanes, 1.0));
        (same && all(zero, 0.0) && is_one).then(|| frame.values.get(&power).cloned())?
    }

    /// Selects a product of floats, vectors or matrices.
    fn product(&mut self, frame: &Frame<'a>, inst: &'a Inst) -> Selected<Val> {
        match (frame.value(operand(inst, 0))?.clone(), frame.value(operand(inst, 1))?.clone()) {
            (Val::Matrix(first), Val::Matrix(second)) => {
                let columns = second.iter().map(|column| self.transformed(&first, column)).collect::<Selected<_>>()?;
                Ok(Val::Matrix(columns))
            }
            (Val::Matrix(matrix), Val::Lanes(vector)) | (Val::Lanes(vector), Val::Matrix(matrix))
                if vector.len() == 1 =>
            {
                let columns = matrix.iter().map(|column| self.each(Opcode::Mul, column, &vector));
                Ok(Val::Matrix(columns.collect::<Selected<_>>()?))
            }
            (Val::Matrix(matrix), Val::Lanes(vector)) => Ok(Val::Lanes(self.transformed(&matrix, &vector)?)),
            (Val::Lanes(vector), Val::Matrix(matrix)) => {
                let mut lanes = Vec::new();
                for column in &matrix {
                    lanes.extend(self.dot(&vector, column)?);
                }
                Ok(Val::Lanes(lanes))
            }
            _ => {
                let (a, b) = (self.floats(frame, operand(inst, 0))?, self.floats(frame, operand(inst, 1))?);
                if let Some(lanes) = self.normalized(frame, operand(inst, 1), &a)? {
                    return Ok(Val::Lanes(lanes));
                }
                Ok(Val::Lanes(self.each(Opcode::Mul, &a, &b)?))
            }
        }
    }

    fn transformed(&mut self, columns: &[Vec<Lane>], vector: &[Lane]) -> Selected<Vec<Lane>> {
        let rows = rows_of(columns);
        let is_operand =
            |row: &Vec<Lane>| row.len() > 2 && in_one_register(row) && !matches!(row.first(), Some(Lane::Literal(_)));
        if rows.iter().all(is_operand) {
            let mut lanes = Vec::new();
            for row in &rows {
                lanes.extend(self.dot(vector, row)?);
            }
            return Ok(lanes);
        }
        let mut sum: Option<Vec<Lane>> = None;
        for (column, &lane) in columns.iter().zip(vector) {
            let term = self.each(Opcode::Mul, column, &[lane])?;
            sum = Some(match sum {
                Some(before) => self.each(Opcode::Add, &before, &term)?,
                None => term,
            });
        }
        sum.ok_or(RefusalKind::Operation(Op::Multiply))
    }

    pub(super) fn dot(&mut self, a: &[Lane], b: &[Lane]) -> Selected<Vec<Lane>> {
        match (a, b) {
            ([_], [_]) => self.each(Opcode::Mul, a, b),
            (&[_, _], &[_, _]) => {
                let both = self.each(Opcode::Mul, a, b)?;
                let (first, second) = both.split_at(1);
                self.each(Opcode::Add, first, second)
            }
            _ => self.whole(if a.len() == 3 { Opcode::Dp3 } else { Opcode::Dp4 }, a, b, 1),
        }
    }

    /// Selects `nrm` for a vector that lifting scaled by the reciprocal square root of the larger of its squared length and
    /// [`TINY`]. Returns `None` for any other product.
    fn normalized(&mut self, frame: &Frame<'a>, scale: Id, of: &[Lane]) -> Selected<Option<Vec<Lane>>> {
        let origin = |id: Option<&Id>, op: Op| frame.origins.get(id?).filter(|inst| inst.op == op).copied();
        let vector = || {
            let root = origin(Some(&scale), Op::Rsqrt)?;
            let most = origin(root.inputs.first(), Op::Max)?;
            let tiny = frame.values.get(most.inputs.get(1)?)?;
            let square = origin(most.inputs.first(), Op::Dot)?;
            let [a, b] = [square.inputs.first()?, square.inputs.get(1)?];
            match (frame.values.get(a)?, tiny) {
                (Val::Lanes(vector), Val::Lanes(tiny)) if a == b && tiny[..] == Self::number(TINY)[..] => {
                    Some(vector.clone())
                }
                _ => None,
            }
        };
        let Some(vector) = vector().filter(|vector| vector.len() == 3) else { return Ok(None) };
        let places: Option<Vec<usize>> = of.iter().map(|lane| vector.iter().position(|other| other == lane)).collect();
        let Some(places) = places else { return Ok(None) };
        let result = self.whole(Opcode::Nrm, &vector, &[], 3)?;
        Ok(Some(places.into_iter().filter_map(|at| result.get(at).copied()).collect()))
    }
}

pub(super) fn is_comparison(op: Op) -> bool {
    matches!(op.type_rule(), sdlbc::TypeRule::Comparison(_))
}

/// Reports whether all the lanes are 1 or 0. Selection by arithmetic is then exact.
fn is_truth(lanes: &[Lane]) -> bool {
    lanes.iter().all(|lane| lane.is(0.0) || lane.is(1.0))
}

fn rows_of(columns: &[Vec<Lane>]) -> Vec<Vec<Lane>> {
    let count = columns.first().map_or(0, Vec::len);
    (0..count).map(|row| columns.iter().filter_map(|column| column.get(row).copied()).collect()).collect()
}

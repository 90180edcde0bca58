//! A function under construction: its scopes and visible values, its instructions with their types, and new values of a given
//! type.
//!
//! Rule: [`Writer::emit`] gets the type of a result from sdlbc's type inference, so that this file has no typing rules.

use std::collections::HashMap;

use sdlbc::module::{swizvals, texel_offset_word};
use sdlbc::{Body, Context, Domain, Function, FunctionKind, Id, InputKind, Inst, Op, Scalar, Type, infer};

use super::dice::Dice;
use super::features::Features;
use super::interface::{TABLE, scalar, value_type};

#[derive(Clone, Debug)]
pub(super) struct Callee {
    pub(super) index: u32,
    pub(super) parameters: Vec<Type>,
    pub(super) returned: Option<Type>,
    /// Whether the function may contain operations that are allowed only in fragment functions.
    pub(super) fragment: bool,
    /// The maximum number of instructions that a call executes.
    pub(super) cost: usize,
}

/// The outputs that all paths to a point have written, with one bit per output, or `None` if the point is unreachable.
pub(super) type Flow = Option<u32>;

/// Returns the outputs that both of two joining paths have written.
pub(super) fn meet(a: Flow, b: Flow) -> Flow {
    match (a, b) {
        (Some(a), Some(b)) => Some(a & b),
        (a, b) => a.or(b),
    }
}

#[derive(Default)]
pub(super) struct Scope {
    pub(super) block: Body,
    /// The values that the block itself defines, in order.
    pub(super) values: Vec<(Id, Type)>,
}

/// A LOOP or SWITCH around the current block.
pub(super) struct Around {
    /// The index of the loop body's scope, or `None` for a SWITCH.
    pub(super) body: Option<usize>,
    /// Whether CONTINUE is allowed, which is the case only after the test that ends the loop.
    pub(super) may_continue: bool,
    /// The number of values in the loop body's scope at the first CONTINUE.
    pub(super) continued: Option<usize>,
    /// The outputs that are written on every path that leaves the construct by a BREAK.
    pub(super) left: Flow,
}

pub(super) struct Writer<'a, 'u, 'd> {
    pub(super) dice: &'a mut Dice<'u, 'd>,
    pub(super) features: &'a Features,
    pub(super) callees: &'a [Callee],
    pub(super) function: Function,
    /// Whether the function may contain operations that are allowed only in fragment functions.
    pub(super) fragment: bool,
    pub(super) scopes: Vec<Scope>,
    pub(super) around: Vec<Around>,
    pub(super) flow: Flow,
    /// Whether some invocations may have ended while others continue.
    pub(super) diverged: bool,
    textures: Vec<(Id, Type)>,
    /// The uniform arrays and local arrays, as id, component type, width and length.
    arrays: Vec<(Id, Scalar, u8, u32)>,
    /// The local arrays, which the function may write.
    pub(super) slots: Vec<(Id, Scalar, u8, u32)>,
    types: HashMap<Id, Type>,
    next: u32,
    /// The approximate number of instructions that may still be written.
    pub(super) budget: usize,
    /// The maximum number of times that the current block runs.
    pub(super) times: usize,
    /// The maximum number of instructions that one run of the function executes.
    pub(super) cost: usize,
}

impl<'a, 'u, 'd> Writer<'a, 'u, 'd> {
    pub(super) fn new(
        dice: &'a mut Dice<'u, 'd>,
        features: &'a Features,
        callees: &'a [Callee],
        function: Function,
        fragment: bool,
        budget: usize,
    ) -> Writer<'a, 'u, 'd> {
        let mut own = Scope::default();
        let (mut textures, mut arrays, mut slots) = (Vec::new(), Vec::new(), Vec::new());
        for input in &function.inputs {
            match input.ty {
                Type::Vector(..) | Type::Matrix { .. } => own.values.push((input.id, input.ty)),
                Type::Texture(..) => textures.push((input.id, input.ty)),
                // Vertex and fragment functions have no storage buffers or storage textures.
                Type::Buffer(..) | Type::Image(..) => {}
                Type::Array(scalar, width, length) => {
                    arrays.push((input.id, scalar, width, length));
                    slots.extend((input.kind == InputKind::Local).then_some((input.id, scalar, width, length)));
                }
            }
        }
        Writer {
            types: function.inputs.iter().map(|input| (input.id, input.ty)).collect(),
            next: function.max_id(),
            dice,
            features,
            callees,
            function,
            fragment,
            scopes: vec![own],
            around: Vec::new(),
            flow: Some(0),
            diverged: false,
            textures,
            arrays,
            slots,
            budget,
            times: 1,
            cost: 0,
        }
    }

    pub(super) fn is_entry(&self) -> bool {
        self.function.kind != FunctionKind::Generic
    }

    /// Reports whether control flow is certainly uniform at this point.
    fn is_uniform(&self) -> bool {
        self.scopes.len() == 1 && !self.diverged && self.is_entry()
    }

    pub(super) fn fresh(&mut self) -> Id {
        self.next += 1;
        Id(self.next)
    }

    pub(super) fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the function's own scope stays open")
    }

    pub(super) fn define(&mut self, id: Id, ty: Type) {
        self.types.insert(id, ty);
        if !matches!(ty, Type::Texture(..)) {
            self.scope().values.push((id, ty));
        }
    }

    pub(super) fn push(&mut self, inst: Inst) {
        self.nest(inst, []);
    }

    /// Writes an instruction with nested blocks.
    pub(super) fn nest(&mut self, inst: Inst, blocks: impl IntoIterator<Item = Body>) {
        self.budget = self.budget.saturating_sub(1);
        self.cost = self.cost.saturating_add(self.times);
        self.scope().block.nest(inst, blocks);
    }

    /// Writes an instruction, and returns the id of its result, or [`Id::NONE`] if there is none.
    pub(super) fn emit(&mut self, op: Op, inputs: &[Id], immediates: &[u32]) -> Id {
        let mut inst = Inst::new(op, Id::NONE, inputs, immediates);
        let present = inputs.iter().filter(|id| id.is_some());
        let types: Vec<Type> = present.map(|id| self.types[id]).collect();
        let context = Context { outputs: &self.function.outputs, signatures: &[] };
        let ty = infer(&inst, &types, &context).unwrap_or_else(|error| panic!("the generator is wrong: {error}"));
        if let Some(ty) = ty {
            inst.output = self.fresh();
            self.define(inst.output, ty);
        }
        let id = inst.output;
        self.push(inst);
        id
    }

    /// Returns the visible values whose types satisfy `fits`, in the order of their definitions.
    fn visible(&self, fits: impl Fn(Type) -> bool) -> Vec<(Id, Type)> {
        let values = self.scopes.iter().flat_map(|scope| &scope.values);
        values.copied().filter(|&(_, ty)| fits(ty)).collect()
    }

    /// Returns a visible value whose type satisfies `fits`. Later values are more likely.
    pub(super) fn find(&mut self, fits: impl Fn(Type) -> bool) -> Option<(Id, Type)> {
        let values = self.visible(fits);
        let at = self.dice.below(values.len()).max(self.dice.below(values.len()));
        values.get(at).copied()
    }

    /// Returns the type of a visible value, or a random value type.
    pub(super) fn some_type(&mut self) -> Type {
        let plain = self.features.plain;
        let fits = |ty| !plain || matches!(ty, Type::Vector(Scalar::Float, _));
        match self.dice.percent(70).then(|| self.find(fits)).flatten() {
            Some((_, ty)) => ty,
            None => value_type(self.dice, self.features),
        }
    }

    /// Returns a numeric component type, usually the component type of a visible vector.
    fn number_type(&mut self) -> Scalar {
        if self.features.plain {
            return Scalar::Float;
        }
        let fits = |ty| matches!(ty, Type::Vector(scalar, _) if Domain::Numbers.admits(scalar));
        match self.dice.percent(70).then(|| self.find(fits)).flatten() {
            Some((_, Type::Vector(scalar, _))) => scalar,
            _ => Some(scalar(self.dice, self.features))
                .filter(|&scalar| Domain::Numbers.admits(scalar))
                .unwrap_or(Scalar::Int),
        }
    }

    pub(super) fn has_texture(&self, ty: Type) -> bool {
        self.textures.iter().any(|&(_, other)| other == ty)
    }

    /// Returns a texture of this type, if the function has one.
    pub(super) fn texture(&mut self, ty: Type) -> Option<Id> {
        let textures: Vec<Id> = self.textures.iter().filter(|&&(_, other)| other == ty).map(|&(id, _)| id).collect();
        (!textures.is_empty()).then(|| self.dice.pick(&textures))
    }

    /// Returns a texture for an operation. If the palette contains [`Op::TextureOffset`], half of the returned textures have
    /// their texels moved by an offset.
    pub(super) fn texture_for(&mut self, op: Op, ty: Type) -> Option<Id> {
        let texture = self.texture(ty)?;
        let may_move = !matches!(op, Op::TextureSize | Op::TextureOffset)
            && self.features.operations.contains(&Op::TextureOffset)
            && matches!(ty, Type::Texture(dimension, _) if !dimension.is_cube());
        if may_move && self.dice.one_in(2) { Some(self.moved(texture, ty)) } else { Some(texture) }
    }

    /// Writes an instruction that moves the texels of a texture by a random offset.
    pub(super) fn moved(&mut self, texture: Id, ty: Type) -> Id {
        let axes = match ty {
            Type::Texture(dimension, _) => usize::from(dimension.coordinates()),
            _ => 0,
        };
        let offset = [0, 1, 2].map(|axis| if axis < axes { self.dice.below(16) as i32 - 8 } else { 0 });
        self.emit(Op::TextureOffset, &[texture], &[texel_offset_word(offset).unwrap_or(0)])
    }

    /// Decides whether an operation that needs derivatives may be used. In non-uniform control flow, the answer is rarely yes.
    pub(super) fn may_use_derivatives(&mut self) -> bool {
        self.is_uniform() || self.dice.one_in(24)
    }

    /// Returns a value of the type, either a visible one or a new one.
    pub(super) fn value(&mut self, ty: Type) -> Id {
        self.value_within(ty, 0)
    }

    fn value_within(&mut self, ty: Type, depth: usize) -> Id {
        let reuse = if depth == 0 { 75 } else { 85 };
        if self.dice.percent(reuse)
            && let Some((id, _)) = self.find(|other| other == ty)
        {
            return id;
        }
        let made = if depth < 3 { self.derived(ty, depth + 1) } else { None };
        made.unwrap_or_else(|| self.built(ty, depth + 1))
    }

    /// Computes a new value from visible values.
    fn derived(&mut self, ty: Type, depth: usize) -> Option<Id> {
        match (ty, self.dice.below(8)) {
            (Type::Vector(Scalar::Float, _), 3 | 4) if self.features.plain => None,
            (Type::Vector(scalar, width), 0) => {
                let (from, _) = self.find(|other| matches!(other, Type::Vector(s, _) if s == scalar))?;
                Some(self.swizzle(from, width))
            }
            (Type::Vector(scalar, width), 1 | 2) => self.element(scalar, width),
            (Type::Vector(scalar, width), 3) => {
                let fits = |other| matches!(other, Type::Vector(s, w) if s != scalar && w == width);
                let (from, _) = self.find(fits)?;
                Some(self.emit(Op::Convert, &[from], &[Type::Vector(scalar, 1).word()]))
            }
            (Type::Vector(Scalar::Bool, width), _) => {
                let comparisons = [Op::LessThan, Op::GreaterThanOrEqual, Op::NotEqual];
                let scalar = self.number_type();
                let ty = Type::Vector(scalar, width);
                let (a, b) = (self.value_within(ty, depth), self.value_within(ty, depth));
                let op = self.dice.pick(&comparisons);
                Some(self.emit(op, &[a, b], &[]))
            }
            (Type::Vector(Scalar::Int | Scalar::Uint | Scalar::Float | Scalar::Half, _), 4) => {
                let (a, b) = (self.value_within(ty, depth), self.value_within(ty, depth));
                let op = self.dice.pick(&[Op::Add, Op::Multiply, Op::Max]);
                Some(self.emit(op, &[a, b], &[]))
            }
            (Type::Matrix { columns, rows }, 0) => {
                let from = self.value_within(Type::Matrix { columns: rows, rows: columns }, depth);
                Some(self.emit(Op::Transpose, &[from], &[]))
            }
            _ => None,
        }
    }

    /// Reads an array element or a matrix column of this type.
    fn element(&mut self, scalar: Scalar, width: u8) -> Option<Id> {
        let arrays = self.arrays.iter().copied().filter(|&(_, s, w, _)| (s, w) == (scalar, width));
        let mut found: Vec<(Id, u32)> = arrays.map(|(id, _, _, length)| (id, length)).collect();
        if scalar == Scalar::Float {
            for (id, ty) in self.visible(|ty| matches!(ty, Type::Matrix { rows, .. } if rows == width)) {
                let Type::Matrix { columns, .. } = ty else { continue };
                found.push((id, u32::from(columns)));
            }
        }
        if found.is_empty() {
            return None;
        }
        let (from, length) = self.dice.pick(&found);
        Some(self.peek(from, length))
    }

    /// Reads an element of any array, or a column of any matrix.
    pub(super) fn any_element(&mut self) -> Option<Id> {
        let mut found: Vec<(Id, u32)> = self.arrays.iter().map(|&(id, _, _, length)| (id, length)).collect();
        for (id, ty) in self.visible(|ty| matches!(ty, Type::Matrix { .. })) {
            let Type::Matrix { columns, .. } = ty else { continue };
            found.push((id, u32::from(columns)));
        }
        if found.is_empty() {
            return None;
        }
        let (from, length) = self.dice.pick(&found);
        Some(self.peek(from, length))
    }

    pub(super) fn peek(&mut self, from: Id, length: u32) -> Id {
        let (index, offset) = self.index(length);
        self.emit(Op::Peek, &[from, index], &[offset])
    }

    /// Returns an index operand, which may be absent, and a constant offset that is rarely out of bounds.
    pub(super) fn index(&mut self, length: u32) -> (Id, u32) {
        if self.features.plain {
            // In plain modules, every int is a loop counter, or a literal no larger than a loop counter.
            let counter =
                self.find(|ty| ty == Type::INT).filter(|_| matches!(TABLE, Type::Array(_, _, of) if of == length));
            return match counter.filter(|_| self.dice.one_in(2)) {
                Some((counter, _)) => (counter, 0),
                None => (Id::NONE, u32::try_from(self.dice.below(length as usize)).unwrap_or(0)),
            };
        }
        let index = if self.dice.one_in(2) { self.value(Type::INT) } else { Id::NONE };
        let beyond = [length, length + 3, u32::MAX, length.wrapping_neg(), 0x7fff_ffff, 0x8000_0000];
        let offset = match self.dice.one_in(16) {
            true => self.dice.pick(&beyond),
            false => u32::try_from(self.dice.below(length as usize)).unwrap_or(0),
        };
        (index, offset)
    }

    /// Returns a vector of `width` random components of a vector or scalar.
    pub(super) fn swizzle(&mut self, from: Id, width: u8) -> Id {
        let has = self.types[&from].width().unwrap_or(1);
        let lanes: Vec<u8> = (0..width).map(|_| self.dice.small(has)).collect();
        self.emit(Op::Swizzle, &[from], &[swizvals(&lanes)])
    }

    /// Builds a new value from literals.
    fn built(&mut self, ty: Type, depth: usize) -> Id {
        match ty {
            Type::Vector(Scalar::Half, width) => {
                let from = self.value_within(Type::floats(width), depth);
                self.emit(Op::Convert, &[from], &[Type::Vector(Scalar::Half, 1).word()])
            }
            Type::Vector(scalar, 1) => self.literal(scalar),
            Type::Vector(scalar @ (Scalar::Int | Scalar::Float), 4) if depth > 3 || self.dice.one_in(2) => {
                let words = [(); 4].map(|()| literal(self.dice, self.features, scalar));
                self.emit(if scalar == Scalar::Int { Op::LiteralInt4 } else { Op::LiteralFloat4 }, &[], &words)
            }
            Type::Vector(scalar, width) if depth > 3 || self.dice.one_in(3) => {
                let from = self.literal(scalar);
                self.swizzle(from, width)
            }
            Type::Vector(scalar, width) => {
                let first = 1 + self.dice.small(width - 1);
                let parts = [first, width - first].map(|width| self.value_within(Type::Vector(scalar, width), depth));
                self.emit(Op::Vector, &parts, &[])
            }
            Type::Matrix { columns, rows } => {
                let columns: Vec<Id> = (0..columns).map(|_| self.value_within(Type::floats(rows), depth)).collect();
                self.emit(Op::Matrix, &columns, &[])
            }
            Type::Texture(..) | Type::Array(..) | Type::Buffer(..) | Type::Image(..) => {
                unreachable!("no instruction has this type")
            }
        }
    }

    fn literal(&mut self, scalar: Scalar) -> Id {
        let word = literal(self.dice, self.features, scalar);
        self.number(scalar, word)
    }

    /// Writes a literal with this word.
    pub(super) fn number(&mut self, scalar: Scalar, word: u32) -> Id {
        let op = match scalar {
            Scalar::Bool => Op::LiteralBool,
            Scalar::Int => Op::LiteralInt,
            Scalar::Uint => Op::LiteralUint,
            Scalar::Float | Scalar::Half => Op::LiteralFloat,
        };
        self.emit(op, &[], &[word])
    }
}

/// Returns the word of a random literal.
pub(super) fn literal(dice: &mut Dice<'_, '_>, features: &Features, scalar: Scalar) -> u32 {
    const FLOATS: [f32; 14] = [0.0, 1.0, 0.5, -1.0, 2.0, 0.1, 3.5, -0.25, 255.0, -0.0, 1e-10, 1e10, f32::MAX, 1e-45];
    const SPECIALS: [u32; 6] = [0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_0001, 0x7f80_0001, 0x7fff_ffff];
    const INTS: [u32; 13] =
        [0, 1, 2, 3, 4, 7, 31, 32, 100, u32::MAX, u32::MAX - 1, i32::MAX.cast_unsigned(), i32::MIN.cast_unsigned()];
    const SMALL: [f32; 7] = [0.0, 1.0, -1.0, 0.5, 0.25, 2.0, -0.75];
    match scalar {
        Scalar::Float if features.plain => dice.pick(&SMALL).to_bits(),
        Scalar::Bool => u32::from(dice.one_in(2)),
        Scalar::Int | Scalar::Uint if dice.one_in(16) => dice.word(),
        Scalar::Int | Scalar::Uint => dice.pick(&INTS),
        Scalar::Float | Scalar::Half if features.specials && dice.one_in(4) => dice.pick(&SPECIALS),
        Scalar::Float | Scalar::Half if dice.one_in(12) => {
            let word = dice.word();
            if f32::from_bits(word).is_finite() { word } else { word & 0x007f_ffff | 0x3f80_0000 }
        }
        Scalar::Float | Scalar::Half => dice.pick(&FLOATS).to_bits(),
    }
}

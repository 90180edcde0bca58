//! Values: unusual literals, and every operation with operands of every type that it accepts.

use sdlbc::{Arity, Body, Context, Dimension, Domain, Id, Inst, Op, Scalar, Stages, Texel, Type, TypeRule, infer};

use super::code::Writer;
use super::interface::{common, matrix, vector};
use super::mood::Mood;

/// The component types between which BITCAST converts.
const OF_32_BITS: [Scalar; 3] = [Scalar::Int, Scalar::Uint, Scalar::Float];

/// Floats at the extremes: infinities, NaNs, the smallest and largest numbers, and the neighbours of integers.
const FLOATS: [u32; 30] = [
    0,
    0x8000_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f00_0000,
    0x4000_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_0000,
    0x7f80_0001,
    0xffff_ffff,
    0x7fff_ffff,
    1,
    0x8000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x4f00_0000,
    0xcf00_0000,
    0x4eff_ffff,
    0x4f80_0000,
    0x4b00_0000,
    0x3f7f_ffff,
    0x3eaa_aaab,
    0x477f_e000,
    0x3880_0000,
    0x3380_0000,
    0x4049_0fdb,
];

/// Floats for which the format defines the result of every operation.
const CALM: [u32; 10] = [
    0x3f80_0000,
    0,
    0xbf80_0000,
    0x3f00_0000,
    0x4000_0000,
    0x4040_0000,
    0xbfc0_0000,
    0x3e80_0000,
    0x4120_0000,
    0xc080_0000,
];

/// Integers at the extremes.
const WORDS: [u32; 14] =
    [0, 1, 2, 3, u32::MAX, 0x8000_0000, 0x7fff_ffff, 0x8000_0001, 31, 32, 33, 0xffff_fffe, 0x1_0000, 0x00ff_ffff];

impl Writer<'_, '_, '_> {
    /// Returns a value of a type, either a visible one or a new one.
    pub(super) fn value(&mut self, out: &mut Body, ty: Type) -> Id {
        let there: Vec<Id> = self.scope.iter().filter(|(_, of)| *of == ty).map(|&(id, _)| id).collect();
        if there.is_empty() || self.choices.once_in(5) {
            return self.make(out, ty);
        }
        // Half of the time, one of the newest values is chosen, so that operations form chains.
        let newest = there.len().saturating_sub(3);
        let from = if self.choices.once_in(2) { newest } else { 0 };
        there[from + self.choices.below(there.len() - from)]
    }

    /// Adds code that makes a new value of a type.
    pub(super) fn make(&mut self, out: &mut Body, ty: Type) -> Id {
        match ty {
            Type::Vector(scalar, width) => self.make_vector(out, scalar, width),
            Type::Matrix { columns, rows } => {
                let parts: Vec<Id> = (0..columns).map(|_| self.value(out, Type::floats(rows))).collect();
                self.push(out, Op::Matrix, &parts, &[])
            }
            Type::Array(..) | Type::Texture(..) | Type::Buffer(..) | Type::Image(..) => Id::NONE,
        }
    }

    fn make_vector(&mut self, out: &mut Body, scalar: Scalar, width: u8) -> Id {
        if width == 1 {
            return self.literal(out, scalar);
        }
        let four = |scalar| matches!(scalar, Scalar::Float | Scalar::Int);
        match self.choices.below(4) {
            0 if four(scalar) => {
                let words: Vec<u32> = (0..4).map(|_| self.word(scalar)).collect();
                let op = if scalar == Scalar::Float { Op::LiteralFloat4 } else { Op::LiteralInt4 };
                let whole = self.push(out, op, &[], &words);
                if width == 4 { whole } else { self.swizzled(out, whole, 4, width) }
            }
            0 | 1 => {
                let one = self.value(out, Type::Vector(scalar, 1));
                self.swizzled(out, one, 1, width)
            }
            2 => {
                let parts: Vec<Id> = (0..width).map(|_| self.value(out, Type::Vector(scalar, 1))).collect();
                self.push(out, Op::Vector, &parts, &[])
            }
            _ => {
                let first = 1 + u8::try_from(self.choices.below(usize::from(width) - 1)).unwrap_or(0);
                let parts = [first, width - first].map(|width| self.value(out, Type::Vector(scalar, width)));
                self.push(out, Op::Vector, &parts, &[])
            }
        }
    }

    fn literal(&mut self, out: &mut Body, scalar: Scalar) -> Id {
        let op = match scalar {
            Scalar::Bool => Op::LiteralBool,
            Scalar::Int => Op::LiteralInt,
            Scalar::Uint => Op::LiteralUint,
            Scalar::Float => Op::LiteralFloat,
            Scalar::Half => {
                let float = self.value(out, Type::FLOAT);
                return self.push(out, Op::Convert, &[float], &[Type::Vector(Scalar::Half, 1).word()]);
            }
        };
        let word = self.word(scalar);
        self.push(out, op, &[], &[word])
    }

    /// Returns a random word for a component of a literal.
    fn word(&mut self, scalar: Scalar) -> u32 {
        let calm = self.plan.mood == Mood::Calm;
        match scalar {
            Scalar::Bool => u32::from(self.choices.once_in(2)),
            Scalar::Int | Scalar::Uint if self.choices.once_in(8) => self.choices.word(),
            Scalar::Int | Scalar::Uint => self.choices.one(&WORDS),
            Scalar::Float | Scalar::Half if calm => self.choices.one(&CALM),
            Scalar::Float | Scalar::Half if self.choices.once_in(12) => self.choices.word(),
            Scalar::Float | Scalar::Half => {
                let few = if self.choices.once_in(3) { FLOATS.len() } else { 6 };
                FLOATS[self.choices.below(few)]
            }
        }
    }

    /// Adds a swizzle of random components. The format ignores the bytes after the last component, so these bytes are arbitrary.
    fn swizzled(&mut self, out: &mut Body, from: Id, has: u8, width: u8) -> Id {
        let mut word = [0u8; 4];
        for (at, byte) in word.iter_mut().enumerate() {
            let lane = u8::try_from(self.choices.below(usize::from(has))).unwrap_or(0);
            *byte = match at.cmp(&usize::from(width)) {
                std::cmp::Ordering::Less => lane,
                std::cmp::Ordering::Equal => self.choices.one(&[0xff, 4, 0x80, 0xff]),
                std::cmp::Ordering::Greater => self.choices.one(&[0xff, 0, 3, 0xff]),
            };
        }
        self.push(out, Op::Swizzle, &[from], &[u32::from_le_bytes(word)])
    }

    /// Returns a component type that belongs to a domain. Only one float type in three is half, because several targets lack
    /// halves.
    fn of(&mut self, domain: Domain) -> Scalar {
        let scalar = match domain {
            Domain::Floats => self.choices.one(&[Scalar::Float, Scalar::Float, Scalar::Half]),
            _ => self.choices.one(domain.scalars()),
        };
        common(self.choices, scalar)
    }

    fn width(&mut self, least: usize) -> u8 {
        u8::try_from(least + self.choices.below(5 - least)).unwrap_or(4)
    }

    /// Returns operand types for an operation, or `None` if the operation's operands must meet requirements that the types do not
    /// express.
    fn operand_types(&mut self, op: Op) -> Option<Vec<Type>> {
        let count = match op.shape().inputs {
            Arity::Fixed(count) => count,
            Arity::TwoToFour => 2 + self.choices.below(3),
            Arity::Layered(_) | Arity::OneOrThree | Arity::Any => return None,
        };
        let width = self.width(1);
        let vector_width = self.width(2);
        Some(match op.type_rule() {
            TypeRule::Product if self.choices.once_in(2) => {
                let [a, b, c] = [(); 3].map(|()| u8::try_from(2 + self.choices.below(3)).unwrap_or(2));
                let m = Type::Matrix { columns: a, rows: b };
                match self.choices.below(5) {
                    0 => vec![Type::floats(b), m],
                    1 => vec![m, Type::floats(a)],
                    2 => vec![m, Type::Matrix { columns: c, rows: a }],
                    3 => vec![m, Type::FLOAT],
                    _ => vec![Type::FLOAT, m],
                }
            }
            TypeRule::Componentwise(_) | TypeRule::Comparison(_) | TypeRule::Product => {
                let domain = match op.type_rule() {
                    TypeRule::Componentwise(domain) | TypeRule::Comparison(domain) => domain,
                    _ => Domain::Numbers,
                };
                let scalar = self.of(domain);
                (0..count).map(|_| Type::Vector(scalar, if self.choices.once_in(3) { 1 } else { width })).collect()
            }
            TypeRule::ByInts(domain) => {
                let by = if domain == Domain::Ints { self.of(Domain::Ints) } else { Scalar::Int };
                let scalar = self.of(domain);
                vec![Type::Vector(scalar, width), Type::Vector(by, if self.choices.once_in(2) { 1 } else { width })]
            }
            TypeRule::Reduce => vec![Type::Vector(Scalar::Bool, width)],
            TypeRule::Literal(..) => Vec::new(),
            TypeRule::Length | TypeRule::Exponent => vec![Type::Vector(self.of(Domain::Floats), width); count],
            TypeRule::Dot | TypeRule::Geometric => vec![Type::Vector(self.of(Domain::Floats), vector_width); count],
            TypeRule::Cross => vec![Type::Vector(self.of(Domain::Floats), 3); count],
            TypeRule::Refract => {
                let scalar = self.of(Domain::Floats);
                let ty = Type::Vector(scalar, vector_width);
                vec![ty, ty, Type::Vector(scalar, 1)]
            }
            TypeRule::Transpose => vec![matrix(self.choices)],
            TypeRule::Vector => {
                let scalar = self.of(Domain::Scalars);
                let mut left = 4;
                let parts = (0..count).map(|at| {
                    let most = left - (count - 1 - at);
                    let width = 1 + self.choices.below(most);
                    left -= width;
                    Type::Vector(scalar, u8::try_from(width).unwrap_or(1))
                });
                parts.collect()
            }
            TypeRule::Select => {
                let ty = Type::Vector(self.of(Domain::Scalars), width);
                vec![Type::Vector(Scalar::Bool, if self.choices.once_in(2) { 1 } else { width }), ty, ty]
            }
            TypeRule::Convert => vec![vector(self.choices)],
            TypeRule::Bitcast => vec![Type::Vector(self.choices.one(&OF_32_BITS), width)],
            TypeRule::Matrix => vec![Type::floats(vector_width); count],
            _ => return None,
        })
    }

    /// Adds a random operation that does not affect control flow.
    pub(super) fn operation(&mut self, out: &mut Body) {
        let op = self.choices.one(Op::ALL);
        if op.stage() == Stages::Fragment && !self.sketch.of_fragments {
            return;
        }
        // The format leaves the result of LDEXP undefined for an exponent outside a float's range.
        if op == Op::Ldexp && self.plan.mood == Mood::Calm {
            return;
        }
        match op.type_rule() {
            TypeRule::Sample => self.sample(out, op),
            TypeRule::Fetch => self.fetch(out),
            TypeRule::Gather => self.gather(out),
            TypeRule::SampleCompare | TypeRule::GatherCompare => self.compare(out, op),
            TypeRule::TextureSize => {
                let Some((texture, ..)) = self.texture() else { return };
                let level = self.value(out, Type::INT);
                self.push(out, op, &[texture, level], &[]);
            }
            TypeRule::TextureOffset => {
                if let Some((texture, dimension, _)) = self.texture() {
                    self.moved(out, texture, dimension);
                }
            }
            TypeRule::Peek => self.peek(out),
            TypeRule::Poke => self.poke(out),
            TypeRule::Swizzle => {
                let ty = vector(self.choices);
                let (from, width) = (self.value(out, ty), self.width(1));
                self.swizzled(out, from, ty.width().unwrap_or(1), width);
            }
            _ => {
                let Some(types) = self.operand_types(op) else { return };
                let operands: Vec<Id> = types.iter().map(|&ty| self.value(out, ty)).collect();
                let immediates: Vec<u32> = match op.type_rule() {
                    TypeRule::Literal(scalar, width) => (0..width).map(|_| self.word(scalar)).collect(),
                    TypeRule::Convert => vec![Type::Vector(self.of(Domain::Scalars), 1).word()],
                    TypeRule::Bitcast => vec![Type::Vector(self.choices.one(&OF_32_BITS), 1).word()],
                    _ => Vec::new(),
                };
                self.push(out, op, &operands, &immediates);
            }
        }
    }

    fn sample(&mut self, out: &mut Body, op: Op) {
        let Some((texture, dimension, Texel::Float)) = self.texture() else { return };
        let coordinate = Type::floats(dimension.coordinates());
        let more: &[Type] = match op {
            Op::Sample => &[],
            Op::SampleGrad => &[coordinate, coordinate],
            _ => &[Type::FLOAT],
        };
        let mut operands = self.located(out, texture, dimension);
        operands.extend(more.iter().map(|&ty| self.value(out, ty)));
        self.push(out, op, &operands, &[]);
    }

    fn fetch(&mut self, out: &mut Body) {
        let Some((texture, dimension, texel)) = self.texture() else { return };
        if dimension.is_cube() || texel == Texel::Depth {
            return;
        }
        let texture = self.moved_or_not(out, texture, dimension);
        let mut operands = vec![texture, self.value(out, Type::Vector(Scalar::Int, dimension.coordinates()))];
        if dimension.has_layers() {
            operands.push(self.value(out, Type::INT));
        }
        operands.push(self.value(out, Type::INT));
        self.push(out, Op::Fetch, &operands, &[]);
    }

    /// Returns the operands that select a position in a texture: the texture, a coordinate, and a layer if the texture has
    /// layers.
    fn located(&mut self, out: &mut Body, texture: Id, dimension: Dimension) -> Vec<Id> {
        let texture = self.moved_or_not(out, texture, dimension);
        let mut operands = vec![texture, self.value(out, Type::floats(dimension.coordinates()))];
        if dimension.has_layers() {
            operands.push(self.value(out, Type::INT));
        }
        operands
    }

    /// Returns the texture itself or, one time in four, a texture with its texels moved by an offset.
    fn moved_or_not(&mut self, out: &mut Body, texture: Id, dimension: Dimension) -> Id {
        if self.choices.once_in(4) { self.moved(out, texture, dimension) } else { texture }
    }

    /// Moves a texture's texels along its axes by at most the allowed offset. Cube textures are returned unchanged.
    fn moved(&mut self, out: &mut Body, texture: Id, dimension: Dimension) -> Id {
        if dimension.is_cube() {
            return texture;
        }
        let mut bytes = [0u8; 4];
        for byte in bytes.iter_mut().take(dimension.coordinates().into()) {
            *byte = self.choices.one(&[0, 1, 7, 0xff, 0xf8, 2]);
        }
        self.push(out, Op::TextureOffset, &[texture], &[u32::from_le_bytes(bytes)])
    }

    fn gather(&mut self, out: &mut Body) {
        let Some((texture, dimension, texel)) = self.texture() else { return };
        if dimension == Dimension::D3 || texel == Texel::Depth {
            return;
        }
        let operands = self.located(out, texture, dimension);
        let component = u32::try_from(self.choices.below(4)).unwrap_or(0);
        self.push(out, Op::Gather, &operands, &[component]);
    }

    fn compare(&mut self, out: &mut Body, op: Op) {
        let depths: Vec<_> = self.textures.iter().copied().filter(|&(_, _, texel)| texel == Texel::Depth).collect();
        let Some(&(texture, dimension, _)) = depths.get(self.choices.below(depths.len())) else { return };
        let mut operands = self.located(out, texture, dimension);
        operands.push(self.value(out, Type::FLOAT));
        self.push(out, op, &operands, &[]);
    }

    fn texture(&mut self) -> Option<(Id, Dimension, Texel)> {
        let at = self.choices.below(self.textures.len());
        self.textures.get(at).copied()
    }

    /// Returns an index into an array and a constant offset, either of which may be far out of bounds.
    fn index(&mut self, out: &mut Body) -> (Id, u32) {
        let id = if self.choices.once_in(3) { Id::NONE } else { self.value(out, Type::INT) };
        (id, self.choices.one(&[0, 0, 1, 2, u32::MAX, 0x7fff_ffff, 0x8000_0000, 4095, 4096]))
    }

    pub(super) fn peek(&mut self, out: &mut Body) {
        let matrices = self.scope.iter().filter(|(_, ty)| matches!(ty, Type::Matrix { .. })).map(|&(id, _)| id);
        let all: Vec<Id> = self.arrays.iter().map(|array| array.0).chain(matrices).collect();
        let Some(&from) = all.get(self.choices.below(all.len())) else { return };
        let (index, offset) = self.index(out);
        self.push(out, Op::Peek, &[from, index], &[offset]);
    }

    /// Writes an output, or an element of a slot.
    pub(super) fn poke(&mut self, out: &mut Body) {
        let outputs = self.sketch.outputs.iter().enumerate();
        let written: Vec<usize> =
            outputs.filter(|(_, output)| output.kind != sdlbc::OutputKind::Returned).map(|(at, _)| at).collect();
        if !written.is_empty() && self.choices.once_in(3) {
            let at = self.choices.one(&written);
            return self.write_output(out, at);
        }
        let slots: Vec<(Id, Scalar, u8)> =
            self.arrays.iter().filter(|array| array.3).map(|a| (a.0, a.1, a.2)).collect();
        let Some(&(slot, scalar, width)) = slots.get(self.choices.below(slots.len())) else { return };
        let value = self.value(out, Type::Vector(scalar, width));
        let (index, offset) = self.index(out);
        self.push(out, Op::Poke, &[value, slot, index], &[offset]);
    }

    pub(super) fn write_output(&mut self, out: &mut Body, at: usize) {
        let ty = self.sketch.outputs[at].ty;
        let value = self.value(out, ty);
        self.push(out, Op::Poke, &[value], &[u32::try_from(at).unwrap_or(0)]);
    }

    /// Adds an instruction, and returns its result, or [`Id::NONE`] if there is none.
    pub(super) fn push(&mut self, out: &mut Body, op: Op, inputs: &[Id], immediates: &[u32]) -> Id {
        let mut inst = Inst::new(op, Id::NONE, inputs, immediates);
        let types: Vec<Type> = inputs.iter().filter_map(|id| self.types.get(id).copied()).collect();
        let context = Context { outputs: &self.sketch.outputs, signatures: self.signatures };
        let ty =
            infer(&inst, &types, &context).unwrap_or_else(|error| panic!("a hostile module is built wrong: {error}"));
        if let Some(ty) = ty {
            inst.output = self.id();
            self.types.insert(inst.output, ty);
            // A texture result stays invisible, because only operations that read textures have a texture operand.
            if !matches!(ty, Type::Texture(..)) {
                self.scope.push((inst.output, ty));
            }
        }
        let id = inst.output;
        self.count(1);
        out.push(inst);
        id
    }
}

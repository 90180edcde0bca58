//! What each operation computes: turns a row's meaning into instructions on lanes.

use sdlbc::builder::Lane;
use sdlbc::{Builder, Few, Id, Op, Type};

use super::Lifter;
use super::lanes::Lanes;
use crate::flow;
use crate::opcode::{Meaning, Operand};
use crate::token::{Mask, Token};

/// The smallest squared length that a vector is scaled by; a shorter vector is scaled as if it had this length, so that zero
/// stays zero. Near the smallest normal float, 1.2e-38.
const TINY: f32 = 1e-37;

impl Lifter<'_> {
    /// The lanes for the components `live` of the token's result, in order.
    pub(super) fn compute(&mut self, token: &Token, meaning: Meaning, live: Mask) -> Lanes {
        let source = |slot: usize| flow::slots(token, slot, live);
        match meaning {
            Meaning::Move => self.lanes(token.src(0), 0, live),
            Meaning::Componentwise(op) | Meaning::Derivative(op) => {
                self.map(token, live, |builder, operands| builder.emit(op, operands, &[]))
            }
            Meaning::OfAbsolute(op) => self.map(token, live, |builder, operands| {
                let of = absolute(builder, operand(operands, 0));
                builder.emit(op, &[of], &[])
            }),
            Meaning::Reciprocal => self.map(token, live, |builder, operands| {
                let one = builder.float(1.0);
                builder.emit(Op::Divide, &[one, operand(operands, 0)], &[])
            }),
            Meaning::Power => {
                self.map(token, live, |builder, operands| power(builder, operand(operands, 0), operand(operands, 1)))
            }
            Meaning::Saturate => self.map(token, live, |builder, operands| saturate(builder, operand(operands, 0))),
            Meaning::Compare(op) => self.map(token, live, |builder, operands| {
                let truth = builder.emit(op, operands, &[]);
                builder.emit(Op::Convert, &[truth], &[Type::FLOAT.word()])
            }),
            Meaning::Normalize => {
                let lanes = self.lanes(token.src(0), 0, source(0));
                let vector = self.vector(token.src(0), 0, &lanes);
                let square = self.builder.emit(Op::Dot, &[vector, vector], &[]);
                let tiny = self.builder.float(TINY);
                let square = self.builder.emit(Op::Max, &[square, tiny], &[]);
                let scale = self.builder.emit(Op::Rsqrt, &[square], &[]);
                let of: Lanes = live.components().filter_map(|c| lanes.get(usize::from(c)).copied()).collect();
                let of = self.vector(token.src(0), 0, &of);
                let result = self.builder.emit(Op::Multiply, &[of, scale], &[]);
                Lanes::spread(result, live)
            }
            Meaning::Cross => self.cross(token, live),
            Meaning::Dot(_) => {
                let [a, b] = [0, 1].map(|slot| {
                    let lanes = self.lanes(token.src(slot), 0, source(slot));
                    self.vector(token.src(slot), 0, &lanes)
                });
                let value = self.builder.emit(Op::Dot, &[a, b], &[]);
                Lanes::splat(value, live)
            }
            Meaning::Matrix { width, .. } => self.matrix(token, width, live),
            Meaning::Texture | Meaning::TextureLevel => self.texture(token, live),
            // These have no result.
            Meaning::If(_) | Meaning::Else | Meaning::EndIf | Meaning::Kill => Lanes::NONE,
        }
    }

    /// An operation that computes each component from the same component of its operands. Components that read the same lanes are
    /// computed once; an operand that reads a single lane is a scalar.
    fn map(&mut self, token: &Token, live: Mask, compute: impl FnOnce(&mut Builder, &[Id]) -> Id) -> Lanes {
        let binary = token.operand(1) != Operand::None;
        let [a, b] = [token.src(0), token.src(1)];
        let of_a = self.lanes(a, 0, live);
        let of_b = if binary { self.lanes(b, 0, live) } else { Lanes::NONE };
        let (mut distinct_a, mut distinct_b) = (of_a, of_b);
        let mut lanes = Lanes::spread(Id::NONE, flow::low(of_a.width()));
        let pair = |at: u8| (of_a.get(usize::from(at)), of_b.get(usize::from(at)));
        if (1..of_a.width()).any(|at| (0..at).any(|before| pair(before) == pair(at))) {
            (distinct_a, distinct_b, lanes) = (Lanes::NONE, Lanes::NONE, Lanes::NONE);
            for at in 0..of_a.width() {
                let (a, b) = pair(at);
                let same =
                    |place: &u8| (distinct_a.get(usize::from(*place)), distinct_b.get(usize::from(*place))) == (a, b);
                let lane = (0..distinct_a.width()).find(same).unwrap_or(distinct_a.width());
                if lane == distinct_a.width() {
                    a.into_iter().for_each(|&lane| distinct_a.push(lane));
                    b.into_iter().for_each(|&lane| distinct_b.push(lane));
                }
                lanes.push(Lane { value: Id::NONE, lane });
            }
        }
        let value = match binary {
            true => {
                let a = self.vector(a, 0, distinct_a.shortest());
                let b = self.vector(b, 0, distinct_b.shortest());
                compute(&mut self.builder, &[a, b])
            }
            false => {
                let a = self.vector(a, 0, &distinct_a);
                compute(&mut self.builder, &[a])
            }
        };
        lanes.of(value)
    }

    fn cross(&mut self, token: &Token, live: Mask) -> Lanes {
        let [a, b] = [0, 1].map(|slot| self.lanes(token.src(slot), 0, flow::low(3)));
        if live.len() > 1 {
            let (a, b) = (self.vector(token.src(0), 0, &a), self.vector(token.src(1), 0, &b));
            let value = self.builder.emit(Op::Cross, &[a, b], &[]);
            return live.components().map(|lane| Lane { value, lane }).collect();
        }
        // A single component is the difference of two products.
        let component = usize::from(live.components().next().unwrap_or(0));
        let (next, last) = ((component + 1) % 3, (component + 2) % 3);
        let [an, al, bn, bl] = [(&a, next), (&a, last), (&b, next), (&b, last)]
            .map(|(lanes, at)| lanes.get(at).map_or(Id::NONE, |&lane| self.builder.gather(&[lane])));
        let first = self.builder.emit(Op::Multiply, &[an, bl], &[]);
        let second = self.builder.emit(Op::Multiply, &[al, bn], &[]);
        let value = self.builder.emit(Op::Subtract, &[first, second], &[]);
        Lanes::splat(value, Mask(1))
    }

    fn matrix(&mut self, token: &Token, width: u8, live: Mask) -> Lanes {
        let lanes = self.lanes(token.src(0), 0, flow::low(width));
        let vector = self.vector(token.src(0), 0, &lanes);
        let rows: Few<Id> = live
            .components()
            .map(|row| {
                let lanes = self.lanes(token.src(1), u32::from(row), flow::low(width));
                self.vector(token.src(1), u32::from(row), &lanes)
            })
            .collect();
        let value = match rows[..] {
            [row] => self.builder.emit(Op::Dot, &[vector, row], &[]),
            _ => {
                let matrix = self.builder.emit(Op::Matrix, &rows, &[]);
                self.builder.name_unnamed(matrix, "rows");
                self.builder.emit(Op::Multiply, &[vector, matrix], &[])
            }
        };
        Lanes::spread(value, live)
    }
}

/// The operand in a slot. A missing operand is not a value, and the builder rejects it.
fn operand(operands: &[Id], slot: usize) -> Id {
    operands.get(slot).copied().unwrap_or(Id::NONE)
}

/// |a|, or a if it is known not to be negative.
fn absolute(builder: &mut Builder, a: Id) -> Id {
    if builder.facts(a).non_negative { a } else { builder.emit(Op::Abs, &[a], &[]) }
}

/// a clamped to 0..1, or a if it is known to be in that range.
pub(super) fn saturate(builder: &mut Builder, a: Id) -> Id {
    if builder.facts(a).unit {
        return a;
    }
    let (zero, one) = (builder.float(0.0), builder.float(1.0));
    builder.emit(Op::Clamp, &[a, zero, one], &[])
}

/// |a| ^ b, and 1 where b is 0: `pow` leaves 0 ^ 0 undefined.
fn power(builder: &mut Builder, a: Id, b: Id) -> Id {
    let base = absolute(builder, a);
    let power = builder.emit(Op::Pow, &[base, b], &[]);
    let (zero, one) = (builder.float(0.0), builder.float(1.0));
    let width = builder.ty(power).and_then(Type::width).unwrap_or(1);
    let one = builder.gather(&Lanes::splat(one, flow::low(width)));
    let flat = builder.emit(Op::Equal, &[b, zero], &[]);
    builder.name_unnamed(flat, "is_zero");
    builder.emit(Op::Select, &[flat, one, power], &[])
}

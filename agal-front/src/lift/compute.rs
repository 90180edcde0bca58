//! Emits the instructions that compute the result of an AGAL operation.

use sdlbc::{Builder, Few, Id, Op, Scalar, Type};

use super::lanes::{Lanes, Picks, Read};
use super::{Lifter, saturate};
use crate::flow;
use crate::opcode::{Meaning, Operand};
use crate::token::{Mask, Token};

/// The minimum squared length that `nrm` assumes for a vector. It exceeds the smallest normal float (1.2e-38). A shorter vector
/// is scaled as if it had this squared length, so that the zero vector stays zero.
const TINY: f32 = 1e-37;

impl Lifter<'_> {
    pub(super) fn compute(&mut self, token: &Token, meaning: Meaning, live: Mask) -> Read {
        let source = |slot: usize| flow::slots(token, slot, live);
        match meaning {
            Meaning::Move => self.read(token.src(0), 0, live),
            Meaning::Componentwise(op) | Meaning::Derivative(op) => {
                let (a, b, picks) = self.operands(token, live);
                Read::One(apply(&mut self.builder, op, a, b), picks)
            }
            Meaning::OfAbsolute(op) => {
                let (a, _, picks) = self.operands(token, live);
                let of = absolute(&mut self.builder, a);
                Read::One(self.builder.emit(op, &[of], &[]), picks)
            }
            Meaning::Reciprocal => {
                let (a, _, picks) = self.operands(token, live);
                let one = self.builder.float(1.0);
                Read::One(self.builder.divide(one, a), picks)
            }
            Meaning::Power => {
                let (a, b, picks) = self.operands(token, live);
                Read::One(power(&mut self.builder, a, b.unwrap_or_default()), picks)
            }
            Meaning::Saturate => {
                let (a, _, picks) = self.operands(token, live);
                Read::One(saturate(&mut self.builder, a), picks)
            }
            Meaning::Compare(op) => {
                let (a, b, picks) = self.operands(token, live);
                let truth = apply(&mut self.builder, op, a, b);
                Read::One(self.builder.convert(truth, Scalar::Float), picks)
            }
            Meaning::Normalize => {
                let lanes = self.read(token.src(0), 0, source(0)).lanes();
                let vector = self.vector(token.src(0), 0, &lanes);
                let square = self.builder.dot(vector, vector);
                let tiny = self.builder.float(TINY);
                let square = self.builder.max(square, tiny);
                let scale = self.builder.rsqrt(square);
                let of: Lanes = live.components().filter_map(|c| lanes.get(usize::from(c)).copied()).collect();
                let of = self.vector(token.src(0), 0, &of);
                let result = self.builder.multiply(of, scale);
                Read::One(result, Picks::ascending(live))
            }
            Meaning::Cross => self.cross(token, live),
            Meaning::Dot(_) => {
                let [a, b] = [0, 1].map(|slot| self.operand(token.src(slot), 0, source(slot)));
                let value = self.builder.dot(a, b);
                Read::One(value, Picks::first(live))
            }
            Meaning::Matrix { width, .. } => self.matrix(token, width, live),
            Meaning::Texture | Meaning::TextureLevel => self.texture(token, live),
            Meaning::If(_) | Meaning::Else | Meaning::EndIf | Meaning::Kill => Read::Several(Lanes::NONE),
        }
    }

    /// Returns the one or two operands of a component-wise operation, and the lane of the operation's result that each component
    /// in `live` uses. Result components that read the same lanes are computed once. If there are two operands, an operand that
    /// reads a single lane is returned as a scalar.
    fn operands(&mut self, token: &Token, live: Mask) -> (Id, Option<Id>, Picks) {
        let [a, b] = [token.src(0), token.src(1)];
        let of_a = self.read(a, 0, live);
        if token.operand(1) == Operand::None {
            if let Read::One(value, picks) = of_a
                && picks.are_distinct()
            {
                return (self.vector_of(a, 0, value, picks), None, Picks::ascending(flow::low(picks.count())));
            }
            let ([of_a, _], picks) = distinct(of_a.lanes(), Lanes::NONE);
            return (self.vector(a, 0, &of_a), None, picks);
        }
        let of_b = self.read(b, 0, live);
        if let (Read::One(first, of_first), Read::One(second, of_second)) = (of_a, of_b)
            && (of_first.are_distinct() || of_second.are_distinct())
        {
            let a = self.vector_of(a, 0, first, of_first.shortest());
            let b = self.vector_of(b, 0, second, of_second.shortest());
            return (a, Some(b), Picks::ascending(flow::low(of_first.count())));
        }
        let ([of_a, of_b], picks) = distinct(of_a.lanes(), of_b.lanes());
        let a = self.vector(a, 0, of_a.shortest());
        (a, Some(self.vector(b, 0, of_b.shortest())), picks)
    }

    fn cross(&mut self, token: &Token, live: Mask) -> Read {
        let [a, b] = [0, 1].map(|slot| self.read(token.src(slot), 0, flow::low(3)).lanes());
        if live.len() > 1 {
            let (a, b) = (self.vector(token.src(0), 0, &a), self.vector(token.src(1), 0, &b));
            let value = self.builder.cross(a, b);
            return Read::One(value, Picks::components(live));
        }
        // A single component of a cross product is the difference of two products.
        let component = usize::from(live.components().next().unwrap_or(0));
        let (next, last) = ((component + 1) % 3, (component + 2) % 3);
        let [an, al, bn, bl] = [(&a, next), (&a, last), (&b, next), (&b, last)]
            .map(|(lanes, at)| lanes.get(at).map_or(Id::NONE, |&lane| self.builder.gather(&[lane])));
        let first = self.builder.multiply(an, bl);
        let second = self.builder.multiply(al, bn);
        let value = self.builder.subtract(first, second);
        Read::One(value, Picks::first(Mask(1)))
    }

    fn matrix(&mut self, token: &Token, width: u8, live: Mask) -> Read {
        let vector = self.operand(token.src(0), 0, flow::low(width));
        let mut rows = Few::<Id>::new();
        for row in live.components() {
            rows.push(self.operand(token.src(1), u32::from(row), flow::low(width)));
        }
        let value = match rows[..] {
            [row] => self.builder.dot(vector, row),
            _ => {
                let matrix = self.builder.matrix(&rows);
                self.builder.name_unnamed(matrix, "rows");
                self.builder.multiply(vector, matrix)
            }
        };
        Read::One(value, Picks::ascending(live))
    }
}

/// Removes repeated pairs of lanes from one or two operands. Returns the distinct lanes, and the position of each original pair
/// among the distinct pairs.
fn distinct(a: Lanes, b: Lanes) -> ([Lanes; 2], Picks) {
    let pair = |at: u8| (a.get(usize::from(at)), b.get(usize::from(at)));
    if !(1..a.width()).any(|at| (0..at).any(|before| pair(before) == pair(at))) {
        return ([a, b], Picks::ascending(flow::low(a.width())));
    }
    let (mut distinct_a, mut distinct_b) = (Lanes::NONE, Lanes::NONE);
    let mut places = Picks::first(flow::low(a.width())).0;
    for at in 0..a.width() {
        let (a, b) = pair(at);
        let same = |place: &u8| (distinct_a.get(usize::from(*place)), distinct_b.get(usize::from(*place))) == (a, b);
        let lane = (0..distinct_a.width()).find(same).unwrap_or(distinct_a.width());
        if lane == distinct_a.width() {
            a.into_iter().for_each(|&lane| distinct_a.push(lane));
            b.into_iter().for_each(|&lane| distinct_b.push(lane));
        }
        places |= u32::from(lane) << (8 * at);
    }
    ([distinct_a, distinct_b], Picks(places))
}

fn apply(builder: &mut Builder, op: Op, a: Id, b: Option<Id>) -> Id {
    match b {
        Some(b) => builder.emit(op, &[a, b], &[]),
        None => builder.emit(op, &[a], &[]),
    }
}

fn absolute(builder: &mut Builder, a: Id) -> Id {
    if builder.facts(a).non_negative { a } else { builder.abs(a) }
}

/// Computes `|a| ^ b`. A SELECT makes the result 1 if `b` is 0, because POW leaves 0 ^ 0 undefined.
fn power(builder: &mut Builder, a: Id, b: Id) -> Id {
    let base = absolute(builder, a);
    let power = builder.pow(base, b);
    let (zero, one) = (builder.float(0.0), builder.float(1.0));
    let width = builder.ty(power).and_then(Type::width).unwrap_or(1);
    let one = builder.gather(&Lanes::splat(one, flow::low(width)));
    let flat = builder.equal(b, zero);
    builder.name_unnamed(flat, "is_zero");
    builder.select(flat, one, power)
}

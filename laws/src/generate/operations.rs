//! Instructions that compute a value: operands for every typing rule of the operation table.
//!
//! Rule: what an operation takes is read from its row, so that a new operation of a known rule is generated without a
//! change here, and one of a new rule does not compile.

use sdlbc::{Arity, Dimension, Domain, Id, Op, Scalar, Stages, Type, TypeRule};

use super::writer::{Writer, literal};

impl Writer<'_, '_, '_> {
    /// An instruction of any operation that computes something; nothing when the one that is picked finds no operand.
    pub(super) fn expression(&mut self) -> Option<Id> {
        let op = if self.dice.one_in(10) {
            self.dice.pick(&[
                Op::Sample,
                Op::SampleBias,
                Op::SampleLod,
                Op::SampleGrad,
                Op::Fetch,
                Op::Peek,
                Op::Multiply,
                Op::Vector,
            ])
        } else {
            self.dice.pick(Op::ALL)
        };
        if op.stage() == Stages::Fragment && !(self.fragment && self.may_ask_neighbours()) {
            return None;
        }
        self.operation(op)
    }

    /// An instruction of this operation; nothing when it does not compute, or finds no operand.
    fn operation(&mut self, op: Op) -> Option<Id> {
        let count = match op.shape().inputs {
            Arity::Fixed(count) => count,
            Arity::TwoToFour => 2 + self.dice.below(3),
            Arity::OneOrThree | Arity::Any => 0,
        };
        let (inputs, immediates) = match op.type_rule() {
            TypeRule::None
            | TypeRule::Condition
            | TypeRule::Selector
            | TypeRule::Phi
            | TypeRule::Poke
            | TypeRule::Call
            | TypeRule::Return => return None,
            TypeRule::Componentwise(domain) | TypeRule::Comparison(domain) => (self.alike(domain, count), vec![]),
            TypeRule::Product => (self.factors(), vec![]),
            TypeRule::ByInts(domain) => {
                let (scalar, width) = self.vector_type(domain, 1..=4);
                let by =
                    if domain == Domain::Ints { self.dice.pick(&[Scalar::Int, Scalar::Uint]) } else { Scalar::Int };
                let wide = if self.dice.one_in(3) { 1 } else { width };
                (vec![self.value(Type::Vector(scalar, width)), self.value(Type::Vector(by, wide))], vec![])
            }
            TypeRule::Reduce => {
                let (scalar, width) = self.vector_type(Domain::Bools, 1..=4);
                (vec![self.value(Type::Vector(scalar, width))], vec![])
            }
            TypeRule::Literal(scalar, width) => {
                (vec![], (0..width).map(|_| literal(self.dice, self.features, scalar)).collect())
            }
            TypeRule::Swizzle => {
                let (scalar, width) = self.vector_type(Domain::Scalars, 1..=4);
                let from = self.value(Type::Vector(scalar, width));
                let wide = 1 + self.dice.small(4);
                return Some(self.swizzle(from, wide));
            }
            TypeRule::Length => (self.same(Domain::Floats, 1..=4, count), vec![]),
            TypeRule::Dot | TypeRule::Geometric => (self.same(Domain::Floats, 2..=4, count), vec![]),
            TypeRule::Cross => (self.same(Domain::Floats, 3..=3, count), vec![]),
            TypeRule::Refract => {
                let (scalar, width) = self.vector_type(Domain::Floats, 2..=4);
                let ty = Type::Vector(scalar, width);
                (vec![self.value(ty), self.value(ty), self.value(Type::Vector(scalar, 1))], vec![])
            }
            TypeRule::Transpose => (vec![self.matrix().0], vec![]),
            TypeRule::Exponent => (self.same(Domain::Floats, 1..=4, 1), vec![]),
            TypeRule::Sample => {
                let (texture, dimension) = self.texture(|_| true)?;
                let coordinate = Type::floats(dimension.coordinates());
                let mut inputs = vec![texture, self.value(coordinate)];
                match op {
                    Op::Sample => {}
                    Op::SampleGrad => inputs.extend([self.value(coordinate), self.value(coordinate)]),
                    _ => inputs.push(self.value(Type::FLOAT)),
                }
                (inputs, vec![])
            }
            TypeRule::Fetch => {
                let (texture, dimension) = self.texture(|dimension| dimension != Dimension::Cube)?;
                let place = Type::Vector(Scalar::Int, dimension.coordinates());
                (vec![texture, self.value(place), self.value(Type::INT)], vec![])
            }
            TypeRule::Peek => return self.any_element(),
            TypeRule::Vector => (self.parts(count), vec![]),
            TypeRule::Select => {
                let (scalar, width) = self.vector_type(Domain::Scalars, 1..=4);
                let wide = if self.dice.one_in(2) { 1 } else { width };
                let ty = Type::Vector(scalar, width);
                (vec![self.value(Type::Vector(Scalar::Bool, wide)), self.value(ty), self.value(ty)], vec![])
            }
            TypeRule::Convert => {
                let (scalar, width) = self.vector_type(Domain::Scalars, 1..=4);
                let (to, _) = self.vector_type(Domain::Scalars, 1..=4);
                (vec![self.value(Type::Vector(scalar, width))], vec![Type::Vector(to, 1).word()])
            }
            TypeRule::Matrix => {
                let ty = Type::floats(2 + self.dice.small(3));
                ((0..count).map(|_| self.value(ty)).collect(), vec![])
            }
        };
        Some(self.emit(op, &inputs, &immediates))
    }

    /// Values of one component type and one width, some of them scalars.
    fn alike(&mut self, domain: Domain, count: usize) -> Vec<Id> {
        let (scalar, width) = self.vector_type(domain, 1..=4);
        let widths: Vec<u8> = (0..count).map(|_| if self.dice.one_in(5) { 1 } else { width }).collect();
        widths.into_iter().map(|width| self.value(Type::Vector(scalar, width))).collect()
    }

    /// Values of one type.
    fn same(&mut self, domain: Domain, widths: std::ops::RangeInclusive<u8>, count: usize) -> Vec<Id> {
        let (scalar, width) = self.vector_type(domain, widths);
        (0..count).map(|_| self.value(Type::Vector(scalar, width))).collect()
    }

    /// Some matrix.
    fn matrix(&mut self) -> (Id, u8, u8) {
        let found = self.find(|ty| matches!(ty, Type::Matrix { .. }));
        if let Some((id, Type::Matrix { columns, rows })) = found {
            return (id, columns, rows);
        }
        let (columns, rows) = (2 + self.dice.small(3), 2 + self.dice.small(3));
        (self.value(Type::Matrix { columns, rows }), columns, rows)
    }

    /// The two factors of a product.
    fn factors(&mut self) -> Vec<Id> {
        let way = self.dice.below(8);
        if way < 4 {
            return self.alike(Domain::Numbers, 2);
        }
        let (matrix, columns, rows) = self.matrix();
        match way {
            4 => vec![self.value(Type::floats(rows)), matrix],
            5 => vec![matrix, self.value(Type::floats(columns))],
            6 => {
                let ty = Type::Matrix { columns: 2 + self.dice.small(3), rows: columns };
                vec![matrix, self.value(ty)]
            }
            _ if self.dice.one_in(2) => vec![self.value(Type::FLOAT), matrix],
            _ => vec![matrix, self.value(Type::FLOAT)],
        }
    }

    /// So many parts of a vector, as far as four components have them.
    fn parts(&mut self, count: usize) -> Vec<Id> {
        let (scalar, _) = self.vector_type(Domain::Scalars, 1..=4);
        let mut room = 4;
        let mut parts = Vec::new();
        for left in (0..count).rev() {
            let most = room - u8::try_from(left).unwrap_or(0);
            let width = 1 + self.dice.small(most);
            room -= width;
            parts.push(self.value(Type::Vector(scalar, width)));
        }
        parts
    }
}

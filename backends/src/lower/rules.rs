//! Maps each row of the operation table to a lowering rule. The token tree in the row's lowering column names the rule.

use naga::{AtomicFunction, BinaryOperator, DerivativeAxis, MathFunction, RelationalFunction, UnaryOperator};
use sdlbc::verify::Types;
use sdlbc::{Inst, Op, Type};

use crate::features::Features;

/// The level of detail of a texture sample.
#[derive(Clone, Copy, Debug)]
pub(super) enum Level {
    Auto,
    /// Always mip level 0.
    Zero,
    Bias,
    Exact,
    Gradient,
}

/// Defines the lowering rules and the macro `rule!`, which maps a token tree of the operation table to a rule. The three lists
/// contain the rules without a parameter, the rules with a parameter, and the tokens of control flow. The parameter `$d` is a
/// dollar sign for the variables of the inner macro.
macro_rules! rules {
    (($d:tt) $($token:ident $plain:ident),+; $($name:ident $with:ident($operand:ident)),+; $($control:ident),+) => {
        #[derive(Clone, Copy, Debug)]
        pub(super) enum Rule {
            /// Control flow, which `control.rs` lowers.
            Control,
            $($plain,)+
            $($with($operand),)+
        }

        macro_rules! rule {
            $((($token)) => { Rule::$plain };)+
            $((($name $d operand:ident)) => { Rule::$with($operand::$d operand) };)+
            $((($control $d($d operand:ident)?)) => { Rule::Control };)+
        }
    };
}

// The rule `logical` is an operator on bools. `multiply` accepts a scalar and a vector. `quotient` is a division or a remainder.
rules! {
    ($)
    nothing Nothing, multiply Multiply, mad Mad, clamp Clamp, round Round, floormod FloorMod, frexp Frexp, exponent Exponent,
    ldexp Ldexp, literal Literal, swizzle Swizzle, fetch Fetch, texturesize TextureSize, gather Gather,
    textureoffset TextureOffset, buffersize BufferSize, imageload ImageLoad, imagestore ImageStore, imagesize ImageSize,
    barrier Barrier, peek Peek, poke Poke, call Call, vector Vector, matrix Matrix, select Select, convert Convert,
    bitcast Bitcast, exchange Exchange, compareexchange CompareExchange;
    unary Unary(UnaryOperator), binary Binary(BinaryOperator), logical Logical(BinaryOperator),
    quotient Quotient(BinaryOperator), shift Shift(BinaryOperator), math Math(MathFunction),
    reduce Reduce(RelationalFunction), sample Sample(Level), compare Compare(Level), derivative Derivative(DerivativeAxis),
    atomic Atomic(AtomicFunction);
    branch, repeat, switch, jump, discard, return, phi
}

macro_rules! define {
    ($($number:literal $name:ident $method:tt $mnemonic:literal $shape:ident, $type_rule:ident $(($($arg:tt)*))?, $stage:ident, $lowering:tt, $computes:tt, $doc:literal;)*) => {
        pub(super) const fn rule(op: Op) -> Rule {
            match op { $(Op::$name => rule!($lowering)),* }
        }
    };
}

sdlbc::operations!(define);

/// Returns how often the output text repeats each operand of an instruction. An expanded operation may repeat its operands.
pub(super) fn repeats(inst: &Inst, types: &Types, features: &Features) -> usize {
    let of = |at: usize| inst.inputs.get(at).and_then(|&id| types.get(id));
    let wide = |at: usize| of(at).and_then(Type::width).unwrap_or(1) > 1;
    match rule(inst.op) {
        Rule::Round | Rule::FloorMod => 2,
        Rule::Frexp => 3,
        Rule::Quotient(BinaryOperator::Modulo) if !features.checked_division => 2,
        Rule::Logical(_) if !features.bool_vectors && wide(0) => 4,
        // A matrix counts as repeated and so gets a name, because a column can be read only from a named value.
        Rule::Peek if matches!(of(0), Some(Type::Matrix { .. })) => 2,
        _ => 1,
    }
}

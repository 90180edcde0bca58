//! The meaning of the operation table's lowering column: the one place where a row's token tree becomes naga's terms.

use naga::{BinaryOperator, DerivativeAxis, MathFunction, UnaryOperator};
use sdlbc::Op;

/// How an operation is lowered.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    Nothing,
    Unary(UnaryOperator),
    Binary(BinaryOperator),
    /// A product, in which a scalar may stand beside a vector.
    Multiply,
    Math(MathFunction),
    Clamp,
    Literal,
    Branch,
    Discard,
    Phi,
    Swizzle,
    Sample(Level),
    Peek,
    Poke,
    Vector,
    Matrix,
    Select,
    Derivative(DerivativeAxis),
    Convert,
}

/// Where a sample's level of detail comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Level {
    Auto,
    Bias,
    Exact,
    Gradient,
}

macro_rules! rule {
    ((nothing)) => {
        Rule::Nothing
    };
    ((unary $op:ident)) => {
        Rule::Unary(UnaryOperator::$op)
    };
    ((binary $op:ident)) => {
        Rule::Binary(BinaryOperator::$op)
    };
    ((multiply)) => {
        Rule::Multiply
    };
    ((math $function:ident)) => {
        Rule::Math(MathFunction::$function)
    };
    ((clamp)) => {
        Rule::Clamp
    };
    ((literal)) => {
        Rule::Literal
    };
    ((branch)) => {
        Rule::Branch
    };
    ((discard)) => {
        Rule::Discard
    };
    ((phi)) => {
        Rule::Phi
    };
    ((swizzle)) => {
        Rule::Swizzle
    };
    ((sample $level:ident)) => {
        Rule::Sample(Level::$level)
    };
    ((peek)) => {
        Rule::Peek
    };
    ((poke)) => {
        Rule::Poke
    };
    ((vector)) => {
        Rule::Vector
    };
    ((matrix)) => {
        Rule::Matrix
    };
    ((select)) => {
        Rule::Select
    };
    ((derivative $axis:ident)) => {
        Rule::Derivative(DerivativeAxis::$axis)
    };
    ((convert)) => {
        Rule::Convert
    };
}

macro_rules! define {
    ($($number:literal $name:ident $mnemonic:literal $shape:ident, $type_rule:ident $(($($arg:tt)*))?, $stage:ident, $lowering:tt, $doc:literal;)*) => {
        /// The operation's lowering rule.
        pub(super) const fn rule(op: Op) -> Rule {
            match op { $(Op::$name => rule!($lowering)),* }
        }
    };
}

sdlbc::operations!(define);

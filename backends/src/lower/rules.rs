//! Interprets the operation table's lowering column: the only place that maps a row's token tree to naga's terms.

use naga::{BinaryOperator, DerivativeAxis, MathFunction, RelationalFunction, UnaryOperator};
use sdlbc::verify::Types;
use sdlbc::{Inst, Op, Type};

use crate::features::Features;

/// The way in which an operation is lowered.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    Nothing,
    /// Control flow (`control.rs`).
    Control,
    Unary(UnaryOperator),
    Binary(BinaryOperator),
    /// An operator on bools.
    Logical(BinaryOperator),
    /// A product, which may mix a scalar and a vector.
    Multiply,
    /// A division or its remainder.
    Quotient(BinaryOperator),
    Shift(BinaryOperator),
    Mad,
    Math(MathFunction),
    Clamp,
    Round,
    FloorMod,
    Frexp,
    Exponent,
    Ldexp,
    Reduce(RelationalFunction),
    Literal,
    Swizzle,
    Sample(Level),
    Fetch,
    TextureSize,
    Compare(Level),
    Gather,
    TextureOffset,
    BufferSize,
    ImageLoad,
    ImageStore,
    ImageSize,
    Barrier,
    Peek,
    Poke,
    Call,
    Vector,
    Matrix,
    Select,
    Derivative(DerivativeAxis),
    Convert,
    Bitcast,
}

/// The source of a sample's LOD.
#[derive(Clone, Copy, Debug)]
pub(super) enum Level {
    Auto,
    /// Level 0.
    Zero,
    Bias,
    Exact,
    Gradient,
}

#[rustfmt::skip]
macro_rules! rule {
    ((nothing)) => { Rule::Nothing };
    ((branch)) => { Rule::Control };
    ((repeat)) => { Rule::Control };
    ((switch)) => { Rule::Control };
    ((jump $op:ident)) => { Rule::Control };
    ((discard)) => { Rule::Control };
    ((return)) => { Rule::Control };
    ((phi)) => { Rule::Control };
    ((unary $op:ident)) => { Rule::Unary(UnaryOperator::$op) };
    ((binary $op:ident)) => { Rule::Binary(BinaryOperator::$op) };
    ((logical $op:ident)) => { Rule::Logical(BinaryOperator::$op) };
    ((multiply)) => { Rule::Multiply };
    ((quotient $op:ident)) => { Rule::Quotient(BinaryOperator::$op) };
    ((shift $op:ident)) => { Rule::Shift(BinaryOperator::$op) };
    ((mad)) => { Rule::Mad };
    ((math $function:ident)) => { Rule::Math(MathFunction::$function) };
    ((clamp)) => { Rule::Clamp };
    ((round)) => { Rule::Round };
    ((floormod)) => { Rule::FloorMod };
    ((frexp)) => { Rule::Frexp };
    ((exponent)) => { Rule::Exponent };
    ((ldexp)) => { Rule::Ldexp };
    ((reduce $function:ident)) => { Rule::Reduce(RelationalFunction::$function) };
    ((literal)) => { Rule::Literal };
    ((swizzle)) => { Rule::Swizzle };
    ((sample $level:ident)) => { Rule::Sample(Level::$level) };
    ((fetch)) => { Rule::Fetch };
    ((texturesize)) => { Rule::TextureSize };
    ((compare $level:ident)) => { Rule::Compare(Level::$level) };
    ((gather)) => { Rule::Gather };
    ((textureoffset)) => { Rule::TextureOffset };
    ((buffersize)) => { Rule::BufferSize };
    ((imageload)) => { Rule::ImageLoad };
    ((imagestore)) => { Rule::ImageStore };
    ((imagesize)) => { Rule::ImageSize };
    ((barrier)) => { Rule::Barrier };
    ((peek)) => { Rule::Peek };
    ((poke)) => { Rule::Poke };
    ((call)) => { Rule::Call };
    ((vector)) => { Rule::Vector };
    ((matrix)) => { Rule::Matrix };
    ((select)) => { Rule::Select };
    ((derivative $axis:ident)) => { Rule::Derivative(DerivativeAxis::$axis) };
    ((convert)) => { Rule::Convert };
    ((bitcast)) => { Rule::Bitcast };
}

macro_rules! define {
    ($($number:literal $name:ident $method:tt $mnemonic:literal $shape:ident, $type_rule:ident $(($($arg:tt)*))?, $stage:ident, $lowering:tt, $computes:tt, $doc:literal;)*) => {
        /// The operation's lowering rule.
        pub(super) const fn rule(op: Op) -> Rule {
            match op { $(Op::$name => rule!($lowering)),* }
        }
    };
}

sdlbc::operations!(define);

/// Returns how often the text of an instruction contains each operand, if the operation is written out.
pub(super) fn repeats(inst: &Inst, types: &Types, features: &Features) -> usize {
    let of = |at: usize| inst.inputs.get(at).and_then(|&id| types.get(id));
    let wide = |at: usize| of(at).and_then(Type::width).unwrap_or(1) > 1;
    match rule(inst.op) {
        Rule::Round | Rule::FloorMod => 2,
        Rule::Frexp => 3,
        Rule::Quotient(BinaryOperator::Modulo) if !features.checked_division => 2,
        Rule::Logical(_) if !features.bool_vectors && wide(0) => 4,
        // A column of a matrix is read from a named value.
        Rule::Peek if matches!(of(0), Some(Type::Matrix { .. })) => 2,
        _ => 1,
    }
}

//! The operation table: one row per operation of the IR.
//!
//! Rule: the row of an operation contains everything about the operation. The codec, the text form, the dump, type inference,
//! the verifier and the backends read the row. A new operation is a new row, plus a lowering rule if no existing rule fits.
//! Operation numbers up to 89 are from the public header of SDL_shader_tools. Our own operation numbers start at 0x1000, so
//! that a list published later cannot collide with them (docs/format.md, "Operations").
//!
//! The `method` column names the method of [`Builder`](crate::Builder) that emits the operation. The entry `_` marks an
//! operation for which no method is generated, because the operation has blocks or unusual operands.
//!
//! An entry in the `lowering` column is a token tree that only the backends interpret, by calling [`crate::operations!`] with a
//! macro of their own.
//!
//! The `computes` column contains code that computes the operation. `compute.rs` turns the code into loops over any number of
//! lanes; the constant folder runs a loop with one lane, and the executor with many. Each entry has one of these forms:
//!
//! | form | the closure computes |
//! |---|---|
//! | `{ float: closure; int, uint: closure }` | a component from components of these types; halves are computed as floats and then rounded. The floats may have any arithmetic ([`crate::number::Float`]) |
//! | `(whole closure)` | whole vectors, as arrays |
//! | `(fold closure)` | one component from two, repeated until one is left |
//! | `(choose closure)` | a component from a bool and two components of any type |
//! | a word in parentheses | no closure: the operation moves components, or depends on more than the values of its operands |
//!
//! Computations that need more than an expression are in `number.rs`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Calls `$callback!` with the operation table, whose rows have the form `number Name method "mnemonic" shape, type rule, stage,
/// (lowering), computes, "documentation";`.
#[macro_export]
macro_rules! operations {
    ($callback:ident) => {
        $callback! {
//  number Name               method                mnemonic               shape       type rule               stage     lowering, then what it computes, then what it does
    2      Nop                _                     "nop"                  Ignored,    None,                   Any,      (nothing),
           (nothing),
           "does nothing; its operands are ignored";
    3      Negate             negate                "negate"               Unary,      Componentwise(Signed),  Any,      (unary Negate),
           { float: |a| -a; int: |a| a.wrapping_neg() },
           "-a; the lowest int is its own negation";
    4      Complement         complement            "complement"           Unary,      Componentwise(Ints),    Any,      (unary BitwiseNot),
           { int, uint: |a| !a },
           "a with every bit inverted";
    5      Not                not                   "not"                  Unary,      Componentwise(Bools),   Any,      (unary LogicalNot),
           { bool: |a| !a },
           "true where a is false";
    6      Multiply           multiply              "multiply"             Binary,     Product,                Any,      (multiply),
           { float: |a, b| a * b; int, uint: |a, b| a.wrapping_mul(b) },
           "a * b, component by component; ints wrap around. A vector and a matrix, or two matrices, are multiplied as in linear algebra; a vector on the left is a row vector";
    7      Divide             divide                "divide"               Binary,     Componentwise(Numbers), Any,      (quotient Divide),
           { float: |a, b| a / b; int: |a, b| $crate::number::divide(a, b); uint: |a, b| a.checked_div(b).unwrap_or(a) },
           "a / b. For ints, the quotient is truncated; the result is a if b is 0, or if a is the lowest int and b is -1";
    8      Modulo             modulo                "modulo"               Binary,     Componentwise(Numbers), Any,      (quotient Modulo),
           { float: |a, b| a - b * $crate::number::trunc(a / b); int: |a, b| $crate::number::modulo(a, b); uint: |a, b| a.checked_rem(b).unwrap_or(0) },
           "a - b * trunc(a / b), which has the sign of a. For ints, the result is 0 if b is 0, or if a is the lowest int and b is -1";
    9      Add                add                   "add"                  Binary,     Componentwise(Numbers), Any,      (binary Add),
           { float: |a, b| a + b; int, uint: |a, b| a.wrapping_add(b) },
           "a + b; ints wrap around";
    10     Subtract           subtract              "subtract"             Binary,     Componentwise(Numbers), Any,      (binary Subtract),
           { float: |a, b| a - b; int, uint: |a, b| a.wrapping_sub(b) },
           "a - b; ints wrap around";
    11     ShiftLeft          shift_left            "shiftleft"            Binary,     ByInts(Ints),           Any,      (shift ShiftLeft),
           { int, uint: |a, b| a << (b & 31) },
           "a shifted left by the low five bits of b";
    12     ShiftRight         shift_right           "shiftright"           Binary,     ByInts(Ints),           Any,      (shift ShiftRight),
           { int, uint: |a, b| a >> (b & 31) },
           "a shifted right by the low five bits of b; arithmetic for ints, logical for uints";
    13     LessThan           less_than             "lessthan"             Binary,     Comparison(Numbers),    Any,      (binary Less),
           { float, int, uint: |a, b| a < b },
           "whether a < b; false for NaN";
    14     GreaterThan        greater_than          "greaterthan"          Binary,     Comparison(Numbers),    Any,      (binary Greater),
           { float, int, uint: |a, b| a > b },
           "whether a > b; false for NaN";
    15     LessThanOrEqual    less_than_or_equal    "lessthanorequal"      Binary,     Comparison(Numbers),    Any,      (binary LessEqual),
           { float, int, uint: |a, b| a <= b },
           "whether a <= b; false for NaN";
    16     GreaterThanOrEqual greater_than_or_equal "greaterthanorequal"   Binary,     Comparison(Numbers),    Any,      (binary GreaterEqual),
           { float, int, uint: |a, b| a >= b },
           "whether a >= b; false for NaN";
    17     Equal              equal                 "equal"                Binary,     Comparison(Scalars),    Any,      (binary Equal),
           { float, int, uint, bool: |a, b| a == b },
           "whether a == b; false for NaN";
    18     NotEqual           not_equal             "notequal"             Binary,     Comparison(Scalars),    Any,      (binary NotEqual),
           { float, int, uint, bool: |a, b| a != b },
           "whether a != b; true for NaN";
    19     BinaryAnd          binary_and            "binaryand"            Binary,     Componentwise(Ints),    Any,      (binary And),
           { int, uint: |a, b| a & b },
           "the bitwise AND of a and b";
    20     BinaryOr           binary_or             "binaryor"             Binary,     Componentwise(Ints),    Any,      (binary InclusiveOr),
           { int, uint: |a, b| a | b },
           "the bitwise OR of a and b";
    21     BinaryXor          binary_xor            "binaryxor"            Binary,     Componentwise(Ints),    Any,      (binary ExclusiveOr),
           { int, uint: |a, b| a ^ b },
           "the bitwise exclusive OR of a and b";
    22     LogicalAnd         logical_and           "logicaland"           Binary,     Componentwise(Bools),   Any,      (logical LogicalAnd),
           { bool: |a, b| a & b },
           "whether a and b are both true";
    23     LogicalOr          logical_or            "logicalor"            Binary,     Componentwise(Bools),   Any,      (logical LogicalOr),
           { bool: |a, b| a | b },
           "whether a or b is true";
    24     LiteralInt         int                   "literalint"           Literal1,   Literal(Int, 1),        Any,      (literal),
           (literal),
           "an int";
    25     LiteralFloat       float                 "literalfloat"         Literal1,   Literal(Float, 1),      Any,      (literal),
           (literal),
           "a float";
    26     LiteralInt4        int4                  "literalint4"          Literal4,   Literal(Int, 4),        Any,      (literal),
           (literal),
           "four ints";
    27     LiteralFloat4      float4                "literalfloat4"        Literal4,   Literal(Float, 4),      Any,      (literal),
           (literal),
           "four floats";
    28     If                 _                     "if"                   If,         Condition,              Any,      (branch),
           (control),
           "runs its first block if the bool a is true, otherwise its second";
    29     Call               _                     "call"                 Call,       Call,                   Any,      (call),
           (control),
           "calls the generic function whose number is `function`, with a, b... as arguments; the result is the function's returned value";
    30     Discard            discard               "discard"              Bare,       None,                   Fragment, (discard),
           (control),
           "ends the invocation of the fragment without output";
    31     Break              break_out             "break"                Bare,       None,                   Any,      (jump Break),
           (control),
           "leaves the innermost LOOP or SWITCH";
    32     Continue           continue_loop         "continue"             Bare,       None,                   Any,      (jump Continue),
           (control),
           "jumps to the head of the innermost LOOP";
    33     Loop               _                     "loop"                 Loop,       None,                   Any,      (repeat),
           (control),
           "runs its block repeatedly, until a jump leaves it";
    34     Switch             _                     "switch"               Switch,     Selector,               Any,      (switch),
           (control),
           "runs the block of the case whose value equals a, or the last block if no case matches";
    35     Return             _                     "return"               Return,     Return,                 Any,      (return),
           (control),
           "ends the function and returns a; a is 0 if the function returns nothing";
    36     Phi                phi                   "phi"                  Binary,     Phi,                    Any,      (phi),
           (control),
           "directly after an IF, the result is a if control came from the end of the true block, and b if it came from the end of the false block. At the head of a LOOP, the result is a on entry, and b on each further iteration";
    37     Swizzle            _                     "swizzle"              Swizzle,    Swizzle,                Any,      (swizzle),
           (components),
           "components of a vector or scalar, selected by `swizvals`";
    38     All                all                   "all"                  Unary,      Reduce,                 Any,      (reduce All),
           (fold |a, b| a & b),
           "whether every component is true";
    39     Any                any                   "any"                  Unary,      Reduce,                 Any,      (reduce Any),
           (fold |a, b| a | b),
           "whether any component is true";
    40     Round              round                 "round"                Unary,      Componentwise(Floats),  Any,      (round),
           { float: |a| $crate::number::round(a) },
           "the nearest whole number, ties away from zero";
    41     RoundEven          round_even            "roundeven"            Unary,      Componentwise(Floats),  Any,      (math Round),
           { float: |a| $crate::number::round_even(a) },
           "the nearest whole number, ties to even";
    42     Mod                floor_mod             "mod"                  Binary,     Componentwise(Floats),  Any,      (floormod),
           { float: |a, b| a - b * $crate::number::floor(a / b) },
           "a - b * floor(a / b), which has the sign of b";
    43     Trunc              trunc                 "trunc"                Unary,      Componentwise(Floats),  Any,      (math Trunc),
           { float: |a| $crate::number::trunc(a) },
           "a without its fractional part";
    44     Abs                abs                   "abs"                  Unary,      Componentwise(Numbers), Any,      (math Abs),
           { float: |a| a.abs(); int: |a| a.wrapping_abs(); uint: |a| a },
           "the absolute value; the lowest int is unchanged";
    45     Sign               sign                  "sign"                 Unary,      Componentwise(Signed),  Any,      (math Sign),
           { float: |a| $crate::number::sign(a); int: |a| a.signum() },
           "the sign of a: -1, 0 or 1";
    46     Floor              floor                 "floor"                Unary,      Componentwise(Floats),  Any,      (math Floor),
           { float: |a| $crate::number::floor(a) },
           "the largest whole number that is not greater than a";
    47     Ceil               ceil                  "ceil"                 Unary,      Componentwise(Floats),  Any,      (math Ceil),
           { float: |a| $crate::number::ceil(a) },
           "the smallest whole number that is not less than a";
    48     Fract              fract                 "fract"                Unary,      Componentwise(Floats),  Any,      (math Fract),
           { float: |a| a - $crate::number::floor(a) },
           "a - floor(a)";
    49     Radians            radians               "radians"              Unary,      Componentwise(Floats),  Any,      (math Radians),
           { float: |a| a.to_radians() },
           "degrees to radians: a * pi / 180";
    50     Degrees            degrees               "degrees"              Unary,      Componentwise(Floats),  Any,      (math Degrees),
           { float: |a| a.to_degrees() },
           "radians to degrees: a * 180 / pi";
    51     Sin                sin                   "sin"                  Unary,      Componentwise(Floats),  Any,      (math Sin),
           { float: |a| $crate::number::sin(a) },
           "the sine of a in radians";
    52     Cos                cos                   "cos"                  Unary,      Componentwise(Floats),  Any,      (math Cos),
           { float: |a| $crate::number::cos(a) },
           "the cosine of a in radians";
    53     Tan                tan                   "tan"                  Unary,      Componentwise(Floats),  Any,      (math Tan),
           { float: |a| $crate::number::tan(a) },
           "the tangent of a in radians";
    54     Asin               asin                  "asin"                 Unary,      Componentwise(Floats),  Any,      (math Asin),
           { float: |a| $crate::number::asin(a) },
           "the angle in -pi/2..pi/2 whose sine is a, for a in -1..1";
    55     Acos               acos                  "acos"                 Unary,      Componentwise(Floats),  Any,      (math Acos),
           { float: |a| $crate::number::acos(a) },
           "the angle in 0..pi whose cosine is a, for a in -1..1";
    56     Atan               atan                  "atan"                 Unary,      Componentwise(Floats),  Any,      (math Atan),
           { float: |a| $crate::number::atan(a) },
           "the angle in -pi/2..pi/2 whose tangent is a";
    57     Sinh               sinh                  "sinh"                 Unary,      Componentwise(Floats),  Any,      (math Sinh),
           { float: |a| $crate::number::sinh(a) },
           "the hyperbolic sine";
    58     Cosh               cosh                  "cosh"                 Unary,      Componentwise(Floats),  Any,      (math Cosh),
           { float: |a| $crate::number::cosh(a) },
           "the hyperbolic cosine";
    59     Tanh               tanh                  "tanh"                 Unary,      Componentwise(Floats),  Any,      (math Tanh),
           { float: |a| $crate::number::tanh(a) },
           "the hyperbolic tangent";
    60     Asinh              asinh                 "asinh"                Unary,      Componentwise(Floats),  Any,      (math Asinh),
           { float: |a| $crate::number::asinh(a) },
           "the inverse hyperbolic sine of a";
    61     Acosh              acosh                 "acosh"                Unary,      Componentwise(Floats),  Any,      (math Acosh),
           { float: |a| $crate::number::acosh(a) },
           "the inverse hyperbolic cosine of a, for a >= 1";
    62     Atanh              atanh                 "atanh"                Unary,      Componentwise(Floats),  Any,      (math Atanh),
           { float: |a| $crate::number::atanh(a) },
           "the inverse hyperbolic tangent of a, for a between -1 and 1";
    63     Atan2              atan2                 "atan2"                Binary,     Componentwise(Floats),  Any,      (math Atan2),
           { float: |a, b| $crate::number::atan2(a, b) },
           "the angle in -pi..pi of the point with y = a and x = b; undefined for 0, 0";
    64     Pow                pow                   "pow"                  Binary,     Componentwise(Floats),  Any,      (math Pow),
           { float: |a, b| $crate::number::pow(a, b) },
           "a to the power b, for a > 0, or a = 0 and b > 0";
    65     Exp                exp                   "exp"                  Unary,      Componentwise(Floats),  Any,      (math Exp),
           { float: |a| $crate::number::exp(a) },
           "e to the power a";
    66     Log                log                   "log"                  Unary,      Componentwise(Floats),  Any,      (math Log),
           { float: |a| $crate::number::log(a) },
           "the natural logarithm, for a > 0";
    67     Exp2               exp2                  "exp2"                 Unary,      Componentwise(Floats),  Any,      (math Exp2),
           { float: |a| $crate::number::exp2(a) },
           "2 to the power a";
    68     Log2               log2                  "log2"                 Unary,      Componentwise(Floats),  Any,      (math Log2),
           { float: |a| $crate::number::log2(a) },
           "the logarithm to the base 2, for a > 0";
    69     Sqrt               sqrt                  "sqrt"                 Unary,      Componentwise(Floats),  Any,      (math Sqrt),
           { float: |a| a.sqrt() },
           "the square root, for a >= 0";
    70     Rsqrt              rsqrt                 "rsqrt"                Unary,      Componentwise(Floats),  Any,      (math InverseSqrt),
           { float: |a| $crate::number::rsqrt(a) },
           "1 / sqrt(a), for a > 0";
    71     Min                min                   "min"                  Binary,     Componentwise(Numbers), Any,      (math Min),
           { float, int, uint: |a, b| a.min(b) },
           "the smaller of a and b; either operand if one is NaN";
    72     Max                max                   "max"                  Binary,     Componentwise(Numbers), Any,      (math Max),
           { float, int, uint: |a, b| a.max(b) },
           "the larger of a and b; either operand if one is NaN";
    73     Clamp              clamp                 "clamp"                Ternary,    Componentwise(Numbers), Any,      (clamp),
           { float, int, uint: |a, b, c| a.max(b).min(c) },
           "a, but at least b and at most c, for b <= c";
    74     Mix                mix                   "mix"                  Ternary,    Componentwise(Floats),  Any,      (math Mix),
           { float: |a, b, c| $crate::number::mix(a, b, c) },
           "a * (1 - c) + b * c";
    75     Step               step                  "step"                 Binary,     Componentwise(Floats),  Any,      (math Step),
           { float: |a, b| $crate::number::step(a, b) },
           "0 if b < a, otherwise 1";
    76     SmoothStep         smooth_step           "smoothstep"           Ternary,    Componentwise(Floats),  Any,      (math SmoothStep),
           { float: |a, b, c| $crate::number::smoothstep(a, b, c) },
           "t * t * (3 - 2 * t) with t = clamp((c - a) / (b - a), 0, 1), for a < b";
    77     Mad                mad                   "mad"                  Ternary,    Componentwise(Numbers), Any,      (mad),
           { float: |a, b, c| a.mad(b, c); int, uint: |a, b, c| a.wrapping_mul(b).wrapping_add(c) },
           "a * b + c; the product may be rounded before the addition";
    78     Frexp              frexp                 "frexp"                Unary,      Componentwise(Floats),  Any,      (frexp),
           { float: |a| $crate::number::frexp(a) },
           "the significand a / 2^e, with the e that EXPONENT returns; its absolute value is at least 0.5 and below 1. The result is a itself if a is zero, denormal, infinite or NaN";
    79     Ldexp              ldexp                 "ldexp"                Binary,     ByInts(Floats),         Any,      (ldexp),
           { float: |a, b| a.ldexp(b.cast_signed()) },
           "a * 2^b, for b from -126 to 127";
    80     Len                len                   "len"                  Unary,      Length,                 Any,      (math Length),
           (whole |a| $crate::number::len(a)),
           "the length of a: the square root of the sum of the squares of its components";
    81     Distance           distance              "distance"             Binary,     Length,                 Any,      (math Distance),
           (whole |a, b| $crate::number::distance(a, b)),
           "len(a - b)";
    82     Dot                dot                   "dot"                  Binary,     Dot,                    Any,      (math Dot),
           (whole |a, b| $crate::number::dot(a, b)),
           "the sum of the products of the components";
    83     Cross              cross                 "cross"                Binary,     Cross,                  Any,      (math Cross),
           (whole |a, b| $crate::number::cross(a, b)),
           "the cross product of two float3";
    84     Normalize          normalize             "normalize"            Unary,      Geometric,              Any,      (math Normalize),
           (whole |a| $crate::number::normalize(a)),
           "a / len(a), for nonzero a";
    85     FaceForward        face_forward          "faceforward"          Ternary,    Geometric,              Any,      (math FaceForward),
           (whole |a, b, c| $crate::number::face_forward(a, b, c)),
           "a if dot(b, c) < 0, otherwise -a";
    86     Reflect            reflect               "reflect"              Binary,     Geometric,              Any,      (math Reflect),
           (whole |a, b| $crate::number::reflect(a, b)),
           "a - 2 * dot(b, a) * b";
    87     Refract            refract               "refract"              Ternary,    Refract,                Any,      (math Refract),
           (whole |a, b, c| $crate::number::refract(a, b, c)),
           "with k = 1 - c * c * (1 - dot(b, a) * dot(b, a)): zero if k < 0, otherwise c * a - (c * dot(b, a) + sqrt(k)) * b";
    88     Transpose          transpose             "transpose"            Unary,      Transpose,              Any,      (math Transpose),
           (components),
           "the matrix whose columns are the rows of a";
    89     Sample             sample                "sample"               Layered2,   Sample,                 Fragment, (sample Auto),
           (texel),
           "samples texture a at coordinate b; the level of detail is computed from the derivatives of b. If a has layers, the operand after the coordinate is the index of the layer, an int, clamped to the layers of a; the operands c and d follow it";
    0x1000 Peek               peek                  "peek"                 Peek,       Peek,                   Any,      (peek),
           (memory),
           "reads element `b + offset` of the array, local slot, shared array or storage buffer a, or column `b + offset` of the matrix a. The sum is clamped to the valid range; b counts as 0 if it is absent";
    0x1001 Poke               poke_element          "poke"                 Poke,       Poke,                   Any,      (poke),
           (memory),
           "without b, writes a to the output with the index `offset`. Otherwise, writes a to element `c + offset` of the local slot, shared array or storage buffer b. The sum is clamped to the valid range; c counts as 0 if it is absent";
    0x1002 Vector             vector                "vector"               Many,       Vector,                 Any,      (vector),
           (components),
           "a vector of the components of its operands, in order";
    0x1003 Select             select                "select"               Ternary,    Select,                 Any,      (select),
           (choose |a, b, c| if a { b } else { c }),
           "b where the bool a is true, otherwise c";
    0x1004 Ddx                ddx                   "ddx"                  Unary,      Componentwise(Floats),  Fragment, (derivative X),
           (neighbours),
           "the screen-space derivative of a in x: the change from a fragment to its right neighbour";
    0x1005 Ddy                ddy                   "ddy"                  Unary,      Componentwise(Floats),  Fragment, (derivative Y),
           (neighbours),
           "the screen-space derivative of a in y: the change from a fragment to its neighbour below";
    0x1006 SampleBias         sample_bias           "samplebias"           Layered3,   Sample,                 Fragment, (sample Bias),
           (texel),
           "like sample, but with the bias c added to the level of detail";
    0x1007 SampleLod          sample_lod            "samplelod"            Layered3,   Sample,                 Any,      (sample Exact),
           (texel),
           "like sample, but at the level of detail c";
    0x1008 SampleGrad         sample_grad           "samplegrad"           Layered4,   Sample,                 Any,      (sample Gradient),
           (texel),
           "like sample, but with the level of detail computed from the derivatives c in x and d in y";
    0x1009 Convert            convert               "convert"              Convert,    Convert,                Any,      (convert),
           (convert),
           "the value in another component type. A float or half is truncated to an int or uint; the result is undefined for NaN or a value out of range. An int becomes the uint with the same bits, and vice versa. A number becomes the nearest float or half, ties to even. A bool becomes 0 or 1, and a number becomes true if it is not 0";
    0x100a LiteralBool        bool                  "literalbool"          Literal1,   Literal(Bool, 1),       Any,      (literal),
           (literal),
           "a bool: 0 or 1";
    0x100b Matrix             matrix                "matrix"               Many,       Matrix,                 Any,      (matrix),
           (components),
           "a matrix of two to four columns";
    0x100c LiteralUint        uint                  "literaluint"          Literal1,   Literal(Uint, 1),       Any,      (literal),
           (literal),
           "an unsigned int";
    0x100d Fetch              fetch                 "fetch"                Layered3,   Fetch,                  Any,      (fetch),
           (texel),
           "the unfiltered texel of texture a at the integer coordinate b in mip level c; undefined outside of the texture. If a has layers, c is the layer, and the level follows";
    0x100e Exponent           exponent              "exponent"             Unary,      Exponent,               Any,      (exponent),
           { float: |a| $crate::number::exponent(a) },
           "the int e with a = frexp(a) * 2^e; 0 if a is zero, denormal, infinite or NaN";
    0x100f Bitcast            bitcast               "bitcast"              Convert,    Bitcast,                Any,      (bitcast),
           (components),
           "the bits of a as another component type of 32 bits: int, uint or float. The bits of a NaN are undefined, and a denormal float may become zero";
    0x1010 TextureSize        texture_size          "texturesize"          Binary,     TextureSize,            Any,      (texturesize),
           (texel),
           "the width and height, and for 3D the depth, of mip level b of texture a in texels; undefined for a level that the texture does not have. A cube has the size of a face. If a has layers, their number is the last component";
    0x1011 SampleCompare      sample_compare        "samplecompare"        Layered3,   SampleCompare,          Fragment, (compare Auto),
           (texel),
           "compares the reference c with the depth texture a at coordinate b, with an implicit level of detail; the result is 1 if the sampler's comparison is true, and 0 otherwise. A linear filter interpolates the results of four texels. If a has layers, c is the layer, and the reference follows";
    0x1012 SampleCompareZero  sample_compare_zero   "samplecomparezero"    Layered3,   SampleCompare,          Any,      (compare Zero),
           (texel),
           "like samplecompare, but at mip level 0";
    0x1013 Gather             gather_texels         "gather"               Gather,     Gather,                 Any,      (gather),
           (texel),
           "one component of the four texels of texture a that a linear filter reads at coordinate b in mip level 0, in the order lower left, lower right, upper right, upper left (y points down). The immediate is the number of the component. If a has layers, c is the layer";
    0x1014 GatherCompare      gather_compare        "gathercompare"        Layered3,   GatherCompare,          Any,      (gather),
           (texel),
           "compares the reference c with the four texels of the depth texture a that gather reads; each component of the result is 1 if the sampler's comparison is true, and 0 otherwise. If a has layers, c is the layer, and the reference follows";
    0x1015 TextureOffset      texture_offset        "textureoffset"        Offset,     TextureOffset,          Any,      (textureoffset),
           (texel),
           "texture a, with the offset added to the coordinates of each texel before wrapping or clamping; positive offsets point right, down and back. Only operations that sample, compare, gather or fetch can read the result; FETCH adds the offset to its coordinate";
    0x1016 BufferSize         buffer_size           "buffersize"           Unary,      BufferSize,             Any,      (buffersize),
           (memory),
           "the number of elements of the storage buffer a";
    0x1017 ImageLoad          image_load            "imageload"            Layered2,   ImageLoad,              Any,      (imageload),
           (memory),
           "the texel at the integer coordinate b of the storage texture a, which must have read access; undefined outside of the texture. If a has layers, the operand after the coordinate is the index of the layer, an int. Components that the format lacks are 0, or 1 for w";
    0x1018 ImageStore         image_store           "imagestore"           Store,      ImageStore,             Any,      (imagestore),
           (memory),
           "writes c to the texel at the integer coordinate b of the storage texture a, which must have write access; does nothing outside of the texture. If a has layers, c is the index of the layer, an int, and the next operand is written. Each component is rounded to the nearest value of the format; in a format of halfs, to either of the two nearest. The value stored for an int or uint out of the format's range is undefined";
    0x1019 ImageSize          image_size            "imagesize"            Unary,      ImageSize,              Any,      (imagesize),
           (memory),
           "the width and height, and for 3D the depth, of the storage texture a in texels. If a has layers, their number is the last component";
    0x101a Barrier            barrier               "barrier"              Barrier,    Barrier,                Compute,  (barrier),
           (memory),
           "waits until every invocation of the workgroup has reached the barrier. After the barrier, all invocations see earlier writes to shared arrays if the flags include 1, and to storage buffers if the flags include 2";
    0x101b AtomicAdd          atomic_add            "atomicadd"            Atomic,     Atomic,                 Any,      (atomic Add),
           (memory),
           "adds c to element `b + offset` of the shared array or storage buffer a, clamped as for peek, as one indivisible step; the sum wraps around. The result is the element's value before the step";
    0x101c AtomicMin          atomic_min            "atomicmin"            Atomic,     Atomic,                 Any,      (atomic Min),
           (memory),
           "like atomicadd, but writes the smaller of the element and c; ints are compared as signed and uints as unsigned numbers";
    0x101d AtomicMax          atomic_max            "atomicmax"            Atomic,     Atomic,                 Any,      (atomic Max),
           (memory),
           "like atomicadd, but writes the larger of the element and c; ints are compared as signed and uints as unsigned numbers";
    0x101e AtomicAnd          atomic_and            "atomicand"            Atomic,     Atomic,                 Any,      (atomic And),
           (memory),
           "like atomicadd, but writes the bitwise AND of the element and c";
    0x101f AtomicOr           atomic_or             "atomicor"             Atomic,     Atomic,                 Any,      (atomic InclusiveOr),
           (memory),
           "like atomicadd, but writes the bitwise OR of the element and c";
    0x1020 AtomicXor          atomic_xor            "atomicxor"            Atomic,     Atomic,                 Any,      (atomic ExclusiveOr),
           (memory),
           "like atomicadd, but writes the bitwise exclusive OR of the element and c";
    0x1021 AtomicExchange     atomic_exchange       "atomicexchange"       Atomic,     Atomic,                 Any,      (exchange),
           (memory),
           "like atomicadd, but writes c";
    0x1022 AtomicCompareExchange atomic_compare_exchange "atomiccompareexchange" AtomicCompare, AtomicCompare,    Any,      (compareexchange),
           (memory),
           "like atomicadd, but writes d if the element equals c, and otherwise leaves the element unchanged";
        }
    };
}

/// The number of operand ids that an operation reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// A fixed number of ids.
    Fixed(usize),
    /// Two to four ids.
    TwoToFour,
    /// A fixed number of ids, plus one id for the layer if the texture has layers.
    Layered(usize),
    /// One id or three ids.
    OneOrThree,
    /// Any number of ids.
    Any,
}

impl Arity {
    /// Reports whether an instruction may have `count` operand ids.
    pub const fn allows(self, count: usize) -> bool {
        match self {
            Arity::Fixed(fixed) => count == fixed,
            Arity::TwoToFour => 2 <= count && count <= 4,
            Arity::Layered(least) => count == least || count == least + 1,
            Arity::OneOrThree => count == 1 || count == 3,
            Arity::Any => true,
        }
    }
}

/// The kinds of blocks that an operation contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// The operation has no blocks.
    None,
    /// Two blocks: the first runs if the condition is true, and the second runs if the condition is false.
    If,
    /// One block, which runs repeatedly.
    Loop,
    /// One block for each case and one for the default; the immediates are the values of the cases.
    Switch,
}

/// The layout of an instruction's words. An instruction consists of the id of the output, the ids of the inputs, the immediates,
/// and the blocks with their word counts, normally in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Whether the instruction has a word for the id of the output.
    pub output: bool,
    /// The number of operand ids that the operation reads.
    pub inputs: Arity,
    /// The number of immediates, which are plain words after the ids. The values of SWITCH cases are not counted, because each
    /// value precedes the block of its case.
    pub immediates: usize,
    /// Whether the immediates precede the id of the output, as in a CALL.
    pub immediates_first: bool,
    /// The kinds of blocks that follow the immediates.
    pub blocks: Blocks,
    /// Whether the operation allows any operands and ignores them, as NOP does.
    pub ignored: bool,
}

#[allow(non_upper_case_globals)]
impl Shape {
    const fn of(output: bool, inputs: usize, immediates: usize) -> Shape {
        let inputs = Arity::Fixed(inputs);
        Shape { output, inputs, immediates, immediates_first: false, blocks: Blocks::None, ignored: false }
    }
    const Ignored: Shape = Shape { ignored: true, ..Shape::of(false, 0, 0) };
    const Bare: Shape = Shape::of(false, 0, 0);
    const Unary: Shape = Shape::of(true, 1, 0);
    const Binary: Shape = Shape::of(true, 2, 0);
    const Ternary: Shape = Shape::of(true, 3, 0);
    const Layered2: Shape = Shape { inputs: Arity::Layered(2), ..Shape::of(true, 0, 0) };
    const Layered3: Shape = Shape { inputs: Arity::Layered(3), ..Shape::of(true, 0, 0) };
    const Layered4: Shape = Shape { inputs: Arity::Layered(4), ..Shape::of(true, 0, 0) };
    const Gather: Shape = Shape { inputs: Arity::Layered(2), ..Shape::of(true, 0, 1) };
    const Offset: Shape = Shape::of(true, 1, 1);
    const Many: Shape = Shape { inputs: Arity::TwoToFour, ..Shape::of(true, 0, 0) };
    const Literal1: Shape = Shape::of(true, 0, 1);
    const Literal4: Shape = Shape::of(true, 0, 4);
    const Swizzle: Shape = Shape::of(true, 1, 1);
    const Convert: Shape = Shape::of(true, 1, 1);
    const Peek: Shape = Shape::of(true, 2, 1);
    const Poke: Shape = Shape { inputs: Arity::OneOrThree, ..Shape::of(false, 0, 1) };
    const Call: Shape = Shape { inputs: Arity::Any, immediates_first: true, ..Shape::of(true, 0, 1) };
    const Store: Shape = Shape { inputs: Arity::Layered(3), ..Shape::of(false, 0, 0) };
    const Barrier: Shape = Shape::of(false, 0, 1);
    const Atomic: Shape = Shape::of(true, 3, 1);
    const AtomicCompare: Shape = Shape::of(true, 4, 1);
    const Return: Shape = Shape::of(false, 1, 0);
    const If: Shape = Shape { blocks: Blocks::If, ..Shape::of(false, 1, 0) };
    const Loop: Shape = Shape { blocks: Blocks::Loop, ..Shape::of(false, 0, 0) };
    const Switch: Shape = Shape { blocks: Blocks::Switch, ..Shape::of(false, 1, 0) };
}

/// The component types that a typing rule accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// The types float and half.
    Floats,
    /// The types int, unsigned int, float and half.
    Numbers,
    /// The types int, float and half.
    Signed,
    /// The types int and unsigned int.
    Ints,
    /// The type bool.
    Bools,
    /// All component types.
    Scalars,
}

/// The rule that derives the type of an operation's result from the types of the inputs (see [`crate::infer()`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeRule {
    /// Takes no inputs and has no result.
    None,
    /// Takes a bool and has no result.
    Condition,
    /// Takes an int or unsigned int and has no result.
    Selector,
    /// Takes inputs of one component type, which are scalars or vectors of a common width, and returns the type of the
    /// widest input.
    Componentwise(Domain),
    /// Takes numbers as in [`TypeRule::Componentwise`], or the factors of a product in linear algebra.
    Product,
    /// Takes inputs as in [`TypeRule::Componentwise`], and returns a bool for each component.
    Comparison(Domain),
    /// Takes a value, and either ints of the same width or one int for all components; returns the type of the value. For floats,
    /// the ints must be signed.
    ByInts(Domain),
    /// Takes a bool or a vector of bools, and returns a bool.
    Reduce,
    /// Returns a literal of a fixed component type and width.
    Literal(crate::Scalar, u8),
    /// Takes two values of the same type, and returns this type.
    Phi,
    /// Selects components of a vector or scalar.
    Swizzle,
    /// Takes values of the same float type, and returns a scalar.
    Length,
    /// Takes two vectors of the same float type, and returns a scalar.
    Dot,
    /// Takes two vectors of three floats, and returns a vector of the same type.
    Cross,
    /// Takes vectors of the same float type, and returns this type.
    Geometric,
    /// Takes two vectors of the same float type and a scalar of their component type, and returns the type of the vectors.
    Refract,
    /// Takes a matrix, and returns a matrix with the numbers of columns and rows exchanged.
    Transpose,
    /// Takes floats, and returns an int for each float.
    Exponent,
    /// Takes a texture and an int, the index of a mip level, and returns the size of the level as ints.
    TextureSize,
    /// Takes a storage buffer, and returns an int.
    BufferSize,
    /// Takes a storage texture and an integer coordinate, and returns four components of the texels' type.
    ImageLoad,
    /// Takes a storage texture, an integer coordinate and four components of the texels' type, and has no result.
    ImageStore,
    /// Takes a storage texture, and returns the size of the texture as ints.
    ImageSize,
    /// Takes no operands and has no result. The immediate selects the memory: 1 for shared arrays, 2 for storage buffers, or 3
    /// for both.
    Barrier,
    /// Takes a scalar or vector of 32-bit components, and returns the same number of components of the 32-bit type that
    /// the immediate states.
    Bitcast,
    /// Takes a texture, a coordinate and the floats that select the level of detail, and returns a float4.
    Sample,
    /// Takes a texture, an integer coordinate and a mip level, and returns four components of the texels' type.
    Fetch,
    /// Takes a depth texture, a coordinate and a reference value, and returns a float.
    SampleCompare,
    /// Takes a texture and a coordinate, and returns four components of the texels' type.
    Gather,
    /// Takes a depth texture, a coordinate and a reference value, and returns a float4.
    GatherCompare,
    /// Takes a texture that is not a cube, and returns the type of the texture.
    TextureOffset,
    /// Takes an array, a storage buffer or a matrix, and an optional int index; returns the type of an element or a column.
    Peek,
    /// Takes a value for an output. Alternatively, takes a value for an element of a slot, the slot, and an optional int index.
    Poke,
    /// Takes a shared array or a storage buffer whose elements are single ints or uints, an optional int index, and a value of the
    /// elements' type; returns the elements' type.
    Atomic,
    /// Takes operands as in [`TypeRule::Atomic`], with two values instead of one.
    AtomicCompare,
    /// Takes the arguments of the called function, and returns the return type of the function.
    Call,
    /// Takes the value that the function returns, and has no result.
    Return,
    /// Takes scalars and vectors of the same component type, with two to four components in total, and returns a vector.
    Vector,
    /// Takes a bool (or one bool for each component) and two values of the same type, and returns the type of the values.
    Select,
    /// Takes a scalar or vector of numbers or bools, and returns the same number of components of the type that the
    /// immediate states.
    Convert,
    /// Takes columns, which are float vectors of the same width, and returns a matrix.
    Matrix,
}

/// The functions in which an operation is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stages {
    /// The operation is allowed in all functions.
    Any,
    /// The operation is allowed only in the fragment stage, because it discards the fragment or needs derivatives.
    Fragment,
    /// The operation is allowed only in compute functions.
    Compute,
}

macro_rules! define {
    ($($number:literal $name:ident $method:tt $mnemonic:literal $shape:ident, $rule:ident $(($($arg:tt)*))?, $stage:ident, $lowering:tt, $computes:tt, $doc:literal;)*) => {
        /// An operation of the IR, which corresponds to a row of the operation table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u32)]
        pub enum Op {
            $(#[doc = $doc] $name = $number),*
        }

        impl Op {
            /// All operations, in ascending order of their numbers in the file.
            pub const ALL: &[Op] = &[$(Op::$name),*];

            /// Returns the operation with the number `number`, or `None` if no operation has this number.
            pub const fn from_number(number: u32) -> Option<Op> {
                match number { $($number => Some(Op::$name),)* _ => None }
            }

            /// Returns the name of the operation in the text form.
            pub const fn mnemonic(self) -> &'static str {
                match self { $(Op::$name => $mnemonic),* }
            }

            /// Returns the layout of the words in an instruction with this operation.
            pub const fn shape(self) -> Shape {
                match self { $(Op::$name => Shape::$shape),* }
            }

            /// Returns the rule that derives the type of the operation's result.
            pub const fn type_rule(self) -> TypeRule {
                #[allow(unused_imports)]
                use {Domain::*, crate::Scalar::*};
                match self { $(Op::$name => TypeRule::$rule $(($($arg)*))?),* }
            }

            /// Returns the functions in which the operation is allowed.
            pub const fn stage(self) -> Stages {
                match self { $(Op::$name => Stages::$stage),* }
            }

            /// Returns a one-line description of the operation.
            pub const fn documentation(self) -> &'static str {
                match self { $(Op::$name => $doc),* }
            }
        }
    };
}

operations!(define);

impl Op {
    /// Returns the number of the operation in the file.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// The length of a table that is indexed by [`Op::place`].
    pub const PLACES: usize = 128;

    /// Returns a distinct index for each operation, below [`Op::PLACES`]. The index of a published operation is its number, and
    /// the indices of our own operations follow.
    pub const fn place(self) -> usize {
        let number = self.number() as usize;
        if number < 0x1000 { number } else { number - 0x1000 + 90 }
    }

    /// Returns the operation with the name `mnemonic`, or `None` if no operation has this name.
    pub fn from_mnemonic(mnemonic: &str) -> Option<Op> {
        static OPS: LazyLock<HashMap<&str, Op>> =
            LazyLock::new(|| Op::ALL.iter().map(|&op| (op.mnemonic(), op)).collect());
        OPS.get(mnemonic).copied()
    }

    /// Reports whether the operation is a jump, after which control never continues: DISCARD, BREAK, CONTINUE or RETURN.
    pub const fn is_jump(self) -> bool {
        matches!(self, Op::Discard | Op::Break | Op::Continue | Op::Return)
    }

    /// Reports whether the operation reads and writes an element of memory in one indivisible step.
    #[inline]
    pub const fn is_atomic(self) -> bool {
        // The numbers are consecutive, and comparing them is the fastest test in loops over instructions.
        matches!(self.number(), FIRST_ATOMIC..=LAST_ATOMIC)
    }

    /// Reports whether the operation must stay even if its result is unused: an atomic operation writes memory, and a called
    /// function may write memory or discard the fragment.
    #[inline]
    pub const fn has_result_and_effect(self) -> bool {
        matches!(self, Op::Call) || self.is_atomic()
    }

    /// Reports whether an input may be absent, with the id 0. Only these may be absent: the index of PEEK, POKE or an atomic
    /// operation, the value of RETURN, and the PHI value of a block whose end is unreachable.
    pub const fn may_lack(self, input: usize) -> bool {
        match self {
            Op::Peek => input == 1,
            Op::Poke => input == 2,
            Op::Return => input == 0,
            Op::Phi => true,
            _ => input == 1 && self.is_atomic(),
        }
    }
}

const FIRST_ATOMIC: u32 = Op::AtomicAdd.number();
const LAST_ATOMIC: u32 = Op::AtomicCompareExchange.number();

/// A set of operations, with one bit for each operation.
///
/// ```
/// use sdlbc::{Op, OpSet};
///
/// let mut ops = OpSet::of(&[Op::Add]);
/// ops.insert(Op::Dot);
/// assert!(ops.has(Op::Add) && ops.has(Op::Dot) && !ops.has(Op::Loop));
/// assert!(ops.has_any(OpSet::of(&[Op::Loop, Op::Add])));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpSet(u128);

const _: () = assert!(Op::PLACES <= u128::BITS as usize, "each operation has a bit");

impl OpSet {
    /// The atomic operations.
    pub const ATOMIC: OpSet = {
        let (mut set, mut rest) = (OpSet(0), Op::ALL);
        while let [op, others @ ..] = rest {
            let is_typed = matches!(op.type_rule(), TypeRule::Atomic | TypeRule::AtomicCompare);
            assert!(is_typed == op.is_atomic(), "the atomic operations have consecutive numbers");
            if is_typed {
                set.insert(*op);
            }
            rest = others;
        }
        set
    };

    /// Creates a set of the listed operations.
    pub const fn of(ops: &[Op]) -> OpSet {
        let (mut set, mut rest) = (OpSet(0), ops);
        while let [op, others @ ..] = rest {
            set.insert(*op);
            rest = others;
        }
        set
    }

    /// Adds an operation to the set.
    #[inline]
    pub const fn insert(&mut self, op: Op) {
        self.0 |= 1 << op.place();
    }

    /// Reports whether the set contains an operation.
    pub const fn has(self, op: Op) -> bool {
        self.0 & 1 << op.place() != 0
    }

    /// Reports whether two sets have an operation in common.
    pub const fn has_any(self, other: OpSet) -> bool {
        self.0 & other.0 != 0
    }
}

/// Defines a function that looks up the row of an operation in a table. The table is computed at compile time, by calling a
/// `const fn` for each operation.
///
/// ```
/// use sdlbc::{Op, by_operation};
///
/// const fn has_result(op: Op) -> bool {
///     op.shape().output
/// }
///
/// by_operation! {
///     /// Reports whether an operation has a result.
///     fn of(op) -> bool = has_result;
/// }
/// assert!(*of(Op::Add) && !*of(Op::Poke));
/// ```
#[macro_export]
macro_rules! by_operation {
    ($(#[$meta:meta])* $visibility:vis fn $of:ident(op) -> $row:ty = $make:path;) => {
        $(#[$meta])*
        #[allow(clippy::indexing_slicing, reason = "the compiler finds an index that is too large")]
        $visibility fn $of(op: $crate::Op) -> &'static $row {
            const NOTHING: &$row = &$make($crate::Op::Nop);
            static ROWS: [$row; $crate::Op::PLACES] = {
                let mut rows = [const { $make($crate::Op::Nop) }; $crate::Op::PLACES];
                let mut at = 0;
                while at < $crate::Op::ALL.len() {
                    rows[$crate::Op::ALL[at].place()] = $make($crate::Op::ALL[at]);
                    at += 1;
                }
                rows
            };
            ROWS.get(op.place()).unwrap_or(NOTHING)
        }
    };
}

impl std::fmt::Display for Op {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.mnemonic())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_ascend_and_find_their_rows() {
        let mut last = 0;
        for &op in Op::ALL {
            assert!(op.number() > last, "{op} is out of order");
            assert!(op.number() <= 89 || op.number() >= 0x1000, "{op} is published or ours");
            assert_eq!(Op::from_number(op.number()), Some(op));
            assert_eq!(Op::from_mnemonic(op.mnemonic()), Some(op));
            last = op.number();
        }
        let mut places: Vec<usize> = Op::ALL.iter().map(|op| op.place()).collect();
        assert!(places.iter().all(|&place| place < Op::PLACES), "{places:?}");
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), Op::ALL.len(), "each has a place of its own");
    }
}

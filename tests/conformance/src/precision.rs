//! The allowed errors of results, which follow Vulkan's rules for 32-bit floats ("Precision and Operation of SPIR-V
//! Instructions"). The rules of WGSL and GLSL are equally strict or weaker.
//!
//! An operation is exact, has its own error, or inherits the error of the formula that Vulkan states for the operation. Inherited
//! errors are computed by evaluating the formula with numbers and their errors ([`Number`]). Vulkan requires products and sums to
//! be correctly rounded. An error of one unit in the last place is allowed nevertheless, since a driver may contract products and
//! sums (`fma`) or reorder them.

use sdlbc::Op;

/// Half the distance from 1 to the next greater float.
const HALF_UNIT: f64 = 1.0 / (1u64 << 24) as f64;
/// The smallest normal float; a device may flush smaller numbers to zero.
const SMALLEST: f64 = f32::MIN_POSITIVE as f64;

/// A number with a bound on its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// The value that an exact computation produces.
    pub value: f64,
    /// The greatest absolute error that a device may have.
    pub error: f64,
    /// Whether the number is computed in 16 bits instead of 32 bits.
    pub half: bool,
}

impl Number {
    /// Returns a 32-bit number without an error.
    pub fn exact(value: f64) -> Number {
        Number { value, error: 0.0, half: false }
    }

    /// Adds `units` units in the last place to the number's error.
    fn rounded(self, units: f64) -> Number {
        let (unit, smallest, most) = if self.half {
            (HALF_UNIT * 8192.0, 1.0 / 16384.0, 65504.0)
        } else {
            (HALF_UNIT, SMALLEST, f32::MAX.into())
        };
        let own = units * 2.0 * unit * self.value.abs();
        let error = self.error + own + smallest;
        // An intermediate beyond the largest representable number is infinite.
        Number { error: if self.value.abs() + error > most { f64::INFINITY } else { error }, ..self }
    }

    /// Applies a function whose value and slope at the number are given. The slope scales the number's error.
    fn map(self, value: f64, slope: f64) -> Number {
        Number { value, error: self.error * slope.abs(), ..self }
    }

    fn sqrt_of_inverse(self) -> Number {
        if self.value <= self.error {
            return Number { error: f64::INFINITY, ..self };
        }
        let result = self.value.abs().sqrt().recip();
        self.map(result, 0.5 * result / self.value).rounded(2.0)
    }

    /// Returns the square root as Vulkan's formula defines it: `1 / inversesqrt(x)`.
    fn sqrt(self) -> Number {
        if self.value <= self.error {
            let value = self.value.max(0.0).sqrt();
            return Number {
                value,
                error: (self.value.max(0.0) + self.error).sqrt() - value + 8.0 * HALF_UNIT * value,
                ..self
            };
        }
        Number::exact(1.0) / self.sqrt_of_inverse()
    }

    fn exp2(self) -> Number {
        let result = self.value.exp2();
        self.map(result, result * std::f64::consts::LN_2).rounded(3.0 + 2.0 * self.value.abs())
    }

    fn exp(self) -> Number {
        let result = self.value.exp();
        self.map(result, result).rounded(3.0 + 2.0 * self.value.abs())
    }

    fn log_with(self, result: f64, slope: f64) -> Number {
        let through = self.map(result, slope / self.value);
        if (0.5..=2.0).contains(&self.value) {
            Number { error: through.error + 2f64.powi(if self.half { -7 } else { -21 }), ..through }
        } else {
            through.rounded(3.0)
        }
    }

    fn log2(self) -> Number {
        self.log_with(self.value.log2(), std::f64::consts::LOG2_E)
    }

    fn log(self) -> Number {
        self.log_with(self.value.ln(), 1.0)
    }

    /// Adds the error of a sine or cosine, which is at most 2^-11 for arguments from -pi to pi. Vulkan states no bound for other
    /// arguments, so the bound grows with the argument.
    fn wave(self, value: f64, slope: f64) -> Number {
        let through = self.map(value, slope);
        let far = (self.value.abs() / std::f64::consts::PI).max(1.0);
        Number { error: through.error + 2f64.powi(if self.half { -7 } else { -11 }) * far, ..through }
    }

    fn sin(self) -> Number {
        self.wave(self.value.sin(), self.value.cos())
    }

    fn cos(self) -> Number {
        self.wave(self.value.cos(), self.value.sin())
    }

    fn atan2(self, x: Number) -> Number {
        let square = self.value * self.value + x.value * x.value;
        let value = self.value.atan2(x.value);
        let error = (self.error * x.value.abs() + x.error * self.value.abs()) / square;
        let half = self.half || x.half;
        Number { value, error, half }.rounded(if half { 5.0 } else { 4096.0 })
    }

    fn max(self, least: f64) -> Number {
        if self.value < least { Number { value: least, ..self } } else { self }
    }

    fn min(self, most: f64) -> Number {
        if self.value > most { Number { value: most, ..self } } else { self }
    }
}

impl std::ops::Add for Number {
    type Output = Number;
    fn add(self, other: Number) -> Number {
        let terms = self.value.abs().max(other.value.abs());
        // The error is relative to the greater term and not to the sum, since a reordered sum has different intermediate results.
        let half = self.half || other.half;
        let error = self.error + other.error + 2.0 * if half { HALF_UNIT * 8192.0 } else { HALF_UNIT } * terms;
        Number { value: self.value + other.value, error, half }
    }
}

impl std::ops::Sub for Number {
    type Output = Number;
    fn sub(self, other: Number) -> Number {
        self + Number { value: -other.value, ..other }
    }
}

impl std::ops::Mul for Number {
    type Output = Number;
    fn mul(self, other: Number) -> Number {
        let error = self.error * (other.value.abs() + other.error) + other.error * self.value.abs();
        Number { value: self.value * other.value, error, half: self.half || other.half }.rounded(1.0)
    }
}

impl std::ops::Div for Number {
    type Output = Number;
    fn div(self, other: Number) -> Number {
        let value = self.value / other.value;
        let error = (self.error + value.abs() * other.error) / (other.value.abs() - other.error).max(0.0);
        Number { value, error, half: self.half || other.half }.rounded(2.5)
    }
}

fn dot(a: &[f64], b: &[f64], half: bool) -> Number {
    let of = |value| Number { half, ..Number::exact(value) };
    let products = a.iter().zip(b).map(|(&a, &b)| of(a) * of(b));
    products.reduce(|a, b| a + b).unwrap_or(Number::exact(0.0))
}

fn len(a: &[f64], half: bool) -> Number {
    dot(a, a, half).sqrt()
}

/// Returns the precision that Vulkan states for an operation, as text for tables.
pub fn stated(op: Op) -> &'static str {
    match op {
        Op::Add | Op::Subtract | Op::Multiply => "correctly rounded; 1 ULP for contraction",
        Op::Divide => "2.5 ULP",
        Op::Rsqrt => "2 ULP",
        Op::Sqrt => "1 / rsqrt(a)",
        Op::Exp | Op::Exp2 => "3 + 2 |a| ULP",
        Op::Log | Op::Log2 => "3 ULP; 2^-21 for a in 0.5..2",
        Op::Sin | Op::Cos => "2^-11 in -pi..pi",
        Op::Tan => "sin(a) / cos(a)",
        Op::Asin => "atan2(a, sqrt(1 - a * a))",
        Op::Acos => "atan2(sqrt(1 - a * a), a)",
        Op::Atan | Op::Atan2 => "4096 ULP",
        Op::Sinh => "(exp(a) - exp(-a)) / 2",
        Op::Cosh => "(exp(a) + exp(-a)) / 2",
        Op::Tanh => "sinh(a) / cosh(a)",
        Op::Asinh => "log(a + sqrt(a * a + 1))",
        Op::Acosh => "log(a + sqrt(a * a - 1))",
        Op::Atanh => "log((1 + a) / (1 - a)) / 2",
        Op::Pow => "exp2(b * log2(a))",
        Op::Modulo => "a - b * trunc(a / b)",
        Op::Mod => "a - b * floor(a / b)",
        Op::Radians | Op::Degrees => "a * constant",
        Op::Fract => "a - floor(a)",
        Op::Mix => "a * (1 - c) + b * c",
        Op::Mad => "a * b + c",
        Op::SmoothStep => "its formula",
        Op::Dot | Op::Len | Op::Distance | Op::Normalize | Op::Cross | Op::Reflect | Op::Refract => {
            "its sums of products"
        }
        Op::Ddx | Op::Ddy => "the difference; fine or coarse",
        Op::Sample | Op::SampleBias | Op::SampleLod | Op::SampleGrad => "1/256 texel, 1/16 level, 8 bits of a texel",
        Op::Fetch => "8 bits of a texel",
        Op::Gather | Op::GatherCompare => "1/256 texel",
        Op::SampleCompare | Op::SampleCompareZero => "1/256 texel, 8 bits of the weights",
        _ => "exact",
    }
}

/// Returns each component of a float operation's result with its error, or `None` if the result is exact.
///
/// `operands` contains the components of each operand. A scalar among vectors has a single component, and the components of a
/// matrix are listed column by column.
pub fn result(op: Op, operands: &[&[f64]], width: usize, half: bool) -> Option<Vec<Number>> {
    let at = |operand: usize, component: usize| {
        let of = operands.get(operand).copied().unwrap_or_default();
        let value = of.get(if of.len() == 1 { 0 } else { component }).copied().unwrap_or(0.0);
        Number { half, ..Number::exact(value) }
    };
    let one = Number::exact(1.0);
    let one_half = Number::exact(0.5);
    let each = |of: &dyn Fn(Number, Number, Number) -> Number| {
        Some((0..width).map(|i| of(at(0, i), at(1, i), at(2, i))).collect())
    };
    let vectors = |of: usize| operands.get(of).copied().unwrap_or_default();
    match op {
        Op::Add => each(&|a, b, _| a + b),
        Op::Subtract => each(&|a, b, _| a - b),
        Op::Multiply => each(&|a, b, _| a * b),
        Op::Divide => each(&|a, b, _| a / b),
        Op::Modulo => each(&|a, b, _| a - b * Number::exact((a.value / b.value).trunc())),
        Op::Mod => each(&|a, b, _| a - b * Number::exact((a.value / b.value).floor())),
        Op::Fract => each(&|a, _, _| a - Number::exact(a.value.floor())),
        Op::Radians | Op::Degrees => {
            let factor = if op == Op::Radians { 1f64.to_radians() } else { 1f64.to_degrees() };
            each(&|a, _, _| a * Number::exact(factor).rounded(1.0))
        }
        Op::Rsqrt => each(&|a, _, _| a.sqrt_of_inverse()),
        Op::Sqrt => each(&|a, _, _| a.sqrt()),
        Op::Exp => each(&|a, _, _| a.exp()),
        Op::Exp2 => each(&|a, _, _| a.exp2()),
        Op::Log => each(&|a, _, _| a.log()),
        Op::Log2 => each(&|a, _, _| a.log2()),
        Op::Pow => each(&|a, b, _| if a.value == 0.0 { Number::exact(0.0) } else { (b * a.log2()).exp2() }),
        Op::Sin => each(&|a, _, _| a.sin()),
        Op::Cos => each(&|a, _, _| a.cos()),
        Op::Tan => each(&|a, _, _| a.sin() / a.cos()),
        // Mesa 22.3 computes the arcsine with a polynomial whose error is absolute; near 0 the polynomial returns 0.
        Op::Asin => each(&|a, _, _| {
            let angle = a.atan2((one - a * a).max(0.0).sqrt());
            Number { error: angle.error + 1e-6, ..angle }
        }),
        Op::Acos => each(&|a, _, _| (one - a * a).max(0.0).sqrt().atan2(a)),
        Op::Atan => each(&|a, _, _| a.atan2(one)),
        Op::Atan2 => each(&|a, b, _| a.atan2(b)),
        Op::Sinh => each(&|a, _, _| (a.exp() - Number::exact(-a.value).exp()) * one_half),
        Op::Cosh => each(&|a, _, _| (a.exp() + Number::exact(-a.value).exp()) * one_half),
        Op::Tanh => each(&|a, _, _| {
            let a = a.max(-10.0).min(10.0);
            (a.exp() - Number::exact(-a.value).exp()) / (a.exp() + Number::exact(-a.value).exp())
        }),
        Op::Asinh => each(&|a, _, _| {
            // For a negative argument the two terms nearly cancel, so the error is computed from the formula and not from the
            // result.
            let sum = a + (a * a + one).sqrt();
            sum.log()
        }),
        Op::Acosh => each(&|a, _, _| (a + (a * a - one).max(0.0).sqrt()).log()),
        Op::Atanh => each(&|a, _, _| ((one + a) / (one - a)).log() * one_half),
        Op::Mix => each(&|a, b, c| a * (one - c) + b * c),
        Op::Mad => each(&|a, b, c| a * b + c),
        Op::SmoothStep => each(&|a, b, c| {
            let t = ((c - a) / (b - a)).max(0.0).min(1.0);
            t * t * (Number::exact(3.0) - Number::exact(2.0) * t)
        }),
        Op::Dot => Some(vec![dot(vectors(0), vectors(1), half)]),
        Op::Len => Some(vec![len(vectors(0), half)]),
        Op::Distance => {
            let differences = (0..vectors(0).len()).map(|i| at(0, i) - at(1, i));
            let squares = differences.map(|d| d * d).reduce(|a, b| a + b);
            Some(vec![squares.unwrap_or(Number::exact(0.0)).sqrt()])
        }
        Op::Normalize => {
            let scale = dot(vectors(0), vectors(0), half).sqrt_of_inverse();
            each(&|a, _, _| a * scale)
        }
        Op::Cross => Some([(1, 2), (2, 0), (0, 1)].map(|(i, j)| at(0, i) * at(1, j) - at(0, j) * at(1, i)).to_vec()),
        Op::Reflect => {
            let dot = dot(vectors(1), vectors(0), half);
            each(&|a, b, _| a - Number::exact(2.0) * dot * b)
        }
        Op::Refract => {
            let (dot, c) = (dot(vectors(1), vectors(0), half), at(2, 0));
            let k = one - c * c * (one - dot * dot);
            let root = k.max(0.0).sqrt();
            each(&|a, b, _| c * a - (c * dot + root) * b)
        }
        _ => None,
    }
}

/// Reports whether the error of a dot product is so large that the product's sign is undetermined.
pub fn is_sign_open(a: &[f64], b: &[f64], half: bool) -> bool {
    let dot = dot(a, b, half);
    dot.value.abs() <= 2.0 * dot.error || dot.error.is_nan()
}

/// Returns the components of a matrix product with their errors. Each component is the dot product of two vectors in `rows`.
pub fn product(rows: &[(Vec<f64>, Vec<f64>)]) -> Vec<Number> {
    rows.iter().map(|(a, b)| dot(a, b, false)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_grow_as_the_rules_state() {
        let units = |number: Number| number.error / (2.0 * HALF_UNIT * number.value.abs());
        let of = |op, operands: &[&[f64]]| result(op, operands, 1, false).expect("a result")[0];
        assert!((units(of(Op::Divide, &[&[1.0], &[3.0]])) - 2.5).abs() < 0.01);
        assert!((units(of(Op::Rsqrt, &[&[7.0]])) - 2.0).abs() < 0.01);
        assert!((units(of(Op::Exp2, &[&[4.0]])) - 11.0).abs() < 0.01);
        let sum = of(Op::Dot, &[&[1e6, 1.0], &[1.0, -1e6]]);
        assert!(
            sum.value == 0.0 && sum.error > 0.05 && sum.error < 1.0,
            "a sum that cancels keeps its terms' error: {sum:?}"
        );
        assert!(of(Op::Sin, &[&[1.0]]).error < 2f64.powi(-10));
        assert_eq!(result(Op::Floor, &[&[1.5]], 1, false), None);
    }
}

//! The floating-point formats in which the interpreter computes.

/// The floating-point format in which a program runs. Values of both formats are stored exactly, as 32-bit floats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Float {
    /// The 32-bit format, which is IEEE 754's binary32.
    #[default]
    F32,
    /// The 24-bit format, which has 1 sign bit, 7 exponent bits (bias 63) and 16 mantissa bits, and otherwise follows IEEE 754
    /// (docs/running.md, "24-bit floats"). Each arithmetic step rounds its exact result, and a function such as a logarithm
    /// rounds its 32-bit result.
    F24,
}

/// The magnitude of a normal 24-bit float is at least 2^-62 and below 2^64.
const TOO_LARGE: f64 = 18_446_744_073_709_551_616.0;
const SMALLEST_NORMAL: f64 = 1.0 / 4_611_686_018_427_387_904.0;

impl Float {
    /// Rounds a number to the nearest float of the format, with ties to even.
    #[expect(clippy::cast_possible_truncation, reason = "rounding is intended; 32 bits hold any 24-bit float")]
    pub fn nearest(self, exact: f64) -> f32 {
        let size = exact.abs();
        if self == Float::F32 || size == 0.0 || !exact.is_finite() {
            return exact as f32;
        }
        // Between two powers of two, adjacent floats differ by 2^-16 times the lower power. Subnormal floats differ by 2^-78.
        let power = f64::from_bits(size.to_bits() & 0x7ff0_0000_0000_0000);
        let step = power.max(SMALLEST_NORMAL) / 65_536.0;
        let below = (size / step).floor();
        let above_half = size / step - below;
        let is_odd = below % 2.0 == 1.0;
        let steps = if above_half > 0.5 || above_half == 0.5 && is_odd { below + 1.0 } else { below };
        let rounded = steps * step;
        let rounded = if rounded >= TOO_LARGE { f64::INFINITY } else { rounded };
        rounded.copysign(exact) as f32
    }

    pub(crate) fn add(self, a: f32, b: f32) -> f32 {
        self.nearest(f64::from(a) + f64::from(b))
    }

    pub(crate) fn sub(self, a: f32, b: f32) -> f32 {
        self.nearest(f64::from(a) - f64::from(b))
    }

    pub(crate) fn mul(self, a: f32, b: f32) -> f32 {
        self.nearest(f64::from(a) * f64::from(b))
    }

    pub(crate) fn div(self, a: f32, b: f32) -> f32 {
        self.nearest(f64::from(a) / f64::from(b))
    }

    pub(crate) fn root(self, a: f32) -> f32 {
        self.nearest(f64::from(a).sqrt())
    }

    /// Rounds an input, or the result of a 32-bit function, to the format.
    pub(crate) fn of(self, number: f32) -> f32 {
        self.nearest(number.into())
    }

    /// Returns the sum of the pairs' products. The products are added in order, and each step is rounded.
    pub(crate) fn sum(self, products: &[(f32, f32)]) -> f32 {
        let products = products.iter().map(|&(a, b)| self.mul(a, b));
        products.reduce(|sum, product| self.add(sum, product)).unwrap_or_default()
    }

    pub(crate) fn largest(self) -> f32 {
        match self {
            Float::F32 => f32::MAX,
            Float::F24 => self.nearest(TOO_LARGE - TOO_LARGE / 131_072.0),
        }
    }

    pub(crate) fn smallest_normal(self) -> f32 {
        match self {
            Float::F32 => f32::MIN_POSITIVE,
            Float::F24 => self.nearest(SMALLEST_NORMAL),
        }
    }
}

//! The floating-point formats in which the machine computes.

/// The floating-point format in which a program runs. A value is stored as the 32-bit float with the same value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Float {
    /// 32 bits (IEEE 754's binary32).
    #[default]
    F32,
    /// 24 bits: 1 sign, 7 exponent (bias 63), 16 mantissa bits, otherwise as in IEEE 754 (docs/running.md, "24-bit floats").
    /// Each step rounds its exact result, and the result of a function is its 32-bit result, rounded.
    F24,
}

/// 2^64, which exceeds the numbers of 24 bits, and 2^-62, the smallest normal one.
const TOO_LARGE: f64 = 18_446_744_073_709_551_616.0;
const SMALLEST_NORMAL: f64 = 1.0 / 4_611_686_018_427_387_904.0;

impl Float {
    /// Returns the nearest float of the format, ties to even.
    #[expect(clippy::cast_possible_truncation, reason = "rounding is intended; a number of 24 bits has 32")]
    pub fn nearest(self, exact: f64) -> f32 {
        let size = exact.abs();
        if self == Float::F32 || size == 0.0 || !exact.is_finite() {
            return exact as f32;
        }
        // The distance between adjacent numbers: 2^-16 times the next lower power of two, or the distance of the subnormal
        // numbers.
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

    /// Rounds the result of a function of 32-bit floats, or an input.
    pub(crate) fn of(self, number: f32) -> f32 {
        self.nearest(number.into())
    }

    /// The sum of products, from the first to the last.
    pub(crate) fn sum(self, products: &[(f32, f32)]) -> f32 {
        let products = products.iter().map(|&(a, b)| self.mul(a, b));
        products.reduce(|sum, product| self.add(sum, product)).unwrap_or_default()
    }

    /// The largest number.
    pub(crate) fn largest(self) -> f32 {
        match self {
            Float::F32 => f32::MAX,
            Float::F24 => self.nearest(TOO_LARGE - TOO_LARGE / 131_072.0),
        }
    }

    /// The smallest normal number.
    pub(crate) fn smallest_normal(self) -> f32 {
        match self {
            Float::F32 => f32::MIN_POSITIVE,
            Float::F24 => self.nearest(SMALLEST_NORMAL),
        }
    }
}

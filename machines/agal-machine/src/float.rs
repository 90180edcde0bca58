//! The floating-point formats in which the machine can compute.

/// The floating-point format in which a machine computes. Values of either format are stored as 32-bit floats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Float {
    /// 32-bit floats (IEEE 754's binary32).
    #[default]
    F32,
    /// 24-bit floats with 1 sign bit, 7 exponent bits (bias 63) and 16 mantissa bits, otherwise as in IEEE 754 (docs/running.md,
    /// "24-bit floats"). An operation rounds its exact result once. A function rounds its result to 32 bits and then to 24 bits.
    F24,
}

/// The exponent of the least significant bit of subnormal 24-bit floats.
const LAST: i32 = -78;

impl Float {
    /// Returns the float of the format that is nearest to `exact`. Ties round to even.
    #[expect(clippy::cast_possible_truncation, reason = "rounding is intended; 32 bits hold any 24-bit float")]
    pub(super) fn nearest(self, exact: f64) -> f32 {
        if self == Float::F32 || exact == 0.0 || !exact.is_finite() {
            return exact as f32;
        }
        // A significand has 17 bits. The first bit of the fraction from `frexp` directly follows the binary point, because the
        // fraction is at least one half.
        let last = (libm::frexp(exact).1 - 17).max(LAST);
        let rounded = libm::ldexp(libm::ldexp(exact, -last).round_ties_even(), last);
        if rounded.abs() < libm::ldexp(1.0, 64) { rounded as f32 } else { f32::INFINITY.copysign(exact as f32) }
    }

    pub(super) fn add(self, a: f32, b: f32) -> f32 {
        self.nearest(f64::from(a) + f64::from(b))
    }

    pub(super) fn subtract(self, a: f32, b: f32) -> f32 {
        self.nearest(f64::from(a) - f64::from(b))
    }

    pub(super) fn multiply(self, a: f32, b: f32) -> f32 {
        self.nearest(f64::from(a) * f64::from(b))
    }

    pub(super) fn divide(self, a: f32, b: f32) -> f32 {
        self.nearest(f64::from(a) / f64::from(b))
    }

    pub(super) fn root(self, a: f32) -> f32 {
        self.nearest(f64::from(a).sqrt())
    }

    /// Rounds the 32-bit result of a function to the format.
    pub(super) fn of(self, result: f32) -> f32 {
        self.nearest(result.into())
    }

    /// Returns the lower bound that `nrm` applies to the squared length of a vector. Because of the bound, `nrm` maps the zero
    /// vector to the zero vector.
    pub(super) fn least_squared_length(self) -> f32 {
        match self {
            Float::F32 => 1e-37,
            Float::F24 => self.nearest(libm::ldexp(1.0, -62)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_to_the_nearest_with_ties_to_even_and_ends_at_the_largest() {
        let power = |exponent| libm::ldexp(1.0, exponent);
        for (exact, expected) in [
            (1.0 + power(-17), 1.0),
            (1.0 + 3.0 * power(-17), 1.0 + power(-15)),
            (-1.0 - power(-17) - power(-52), -1.0 - power(-16)),
            (power(-79), 0.0),
            (power(-79) + power(-100), power(-78)),
            (power(64) - power(47), power(64) - power(47)),
            (power(64) - power(46), f64::INFINITY),
            (1e-300, 0.0),
        ] {
            assert_eq!(f64::from(Float::F24.nearest(exact)), expected, "{exact:e}");
        }
    }
}

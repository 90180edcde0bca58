//! Operands for the tests of 24-bit floats, represented by the bits of 32-bit floats.

use testing::Random;

use super::reference::{NAN, multiply};

const SIGN: u32 = 1 << 31;

fn float(exponent: i32, mantissa: u32) -> u32 {
    (exponent + 127).cast_unsigned() << 23 | mantissa & 0x007f_ffff
}

/// Returns values at the limits of the format, with both signs. The last values are not 24-bit floats, so a program rounds them
/// on input.
pub(super) fn special() -> Vec<u32> {
    let ulp = 1 << 7;
    let positive = [
        0,
        // The smallest number, the largest subnormal number, the smallest normal number and the largest number.
        float(-78, 0),
        float(-77, 1 << 22),
        float(-63, 0x007f_ff00),
        float(-62, 0),
        float(63, 0x007f_ff80),
        f32::INFINITY.to_bits(),
        NAN,
        1f32.to_bits() - ulp,
        1f32.to_bits(),
        1f32.to_bits() + ulp,
        0.5f32.to_bits(),
        0.5f32.to_bits() - ulp,
        1.5f32.to_bits(),
        2.5f32.to_bits(),
        3f32.to_bits(),
        65535f32.to_bits(),
        65535.5f32.to_bits(),
        float(16, 0),
        float(31, 0),
        float(31, 0) - ulp,
        float(32, 0),
        float(-16, 0),
        float(-39, 0),
        // Values that are not 24-bit floats: ties that are rounded down and up, values next to a tie, and values that are too
        // small or too large.
        1f32.to_bits() + ulp / 2,
        1f32.to_bits() + ulp / 2 * 3,
        1f32.to_bits() + ulp / 2 + 1,
        1f32.to_bits() + ulp / 2 - 1,
        1,
        float(-79, 0),
        float(-79, 1),
        float(63, 0x007f_ffbf),
        float(63, 0x007f_ffc0),
        f32::MAX.to_bits(),
    ];
    positive.into_iter().chain(positive.map(|word| word | SIGN)).collect()
}

/// Returns a random 16-bit mantissa. Many mantissas have few ones or few zeros, because the sums and products of such mantissas
/// are often ties.
fn mantissa(random: &mut Random) -> u32 {
    let few = |random: &mut Random| 1u32 << random.below(17) | 1u32 << random.below(17);
    let bits = match random.below(4) {
        0 => few(random),
        1 => !few(random),
        2 => few(random).wrapping_sub(few(random)),
        _ => random.next() as u32,
    };
    (bits & 0xffff) << 7
}

/// Returns random operands with arbitrary exponents, with similar exponents, or with exponents for which a sum is often a tie.
/// The third of three operands is often near the negated product of the first two.
pub(super) fn random(random: &mut Random, count: usize) -> Vec<u32> {
    let special = special();
    let (kind, middle) = (random.below(8), random.below(142).cast_signed() - 78);
    let one = |random: &mut Random| {
        let sign = if random.once_in(2) { SIGN } else { 0 };
        let exponent = match (kind, random.below(4)) {
            (0, _) => return random.next() as u32,
            (1, 0) | (2, 0) => return random.pick(&special),
            (1 | 2, _) => random.below(142).cast_signed() as i32 - 78,
            (3, _) => random.below(12).cast_signed() as i32 - 6,
            // The sum of two numbers can be a tie if their exponents differ by the precision.
            (4, _) => middle as i32 + random.below(3).cast_signed() as i32 * 17,
            _ => middle as i32 + random.below(21).cast_signed() as i32 - 10,
        };
        sign | float(exponent.clamp(-78, 63), mantissa(random))
    };
    let mut operands: Vec<u32> = (0..count).map(|_| one(random)).collect();
    if let ([a, b, c], true) = (&mut operands[..], random.once_in(3)) {
        *c = (multiply(*a, *b) ^ SIGN).wrapping_add(random.below(5) as u32 * 128).wrapping_sub(256);
    }
    operands
}

//! Generates random numbers that are the same on every run.

/// A SplitMix64 generator (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). The field is the
/// generator's state, which is initially the seed.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// Returns a generator whose stream depends on the seed and on all words.
    pub fn of(seed: u64, words: &[u64]) -> Random {
        let mut random = Random(seed.wrapping_mul(0x1_0001));
        for &word in words {
            random = Random(random.next() ^ word.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        }
        random
    }

    /// Returns the next 64 random bits.
    #[expect(
        clippy::should_implement_trait,
        reason = "the stream does not end, so an iterator's `Option` would be noise"
    )]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Returns a number below the bound, or 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// Returns true with a probability of 1 in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Returns a random element of a list, which must not be empty.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// Returns a number from 0 up to, but not including, 1. The number is a multiple of 2^-24, which a float represents exactly.
    pub fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Returns a number from `low` to `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + self.unit() * (high - low)
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        let mut random = Random(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn different_words_have_different_streams() {
        let first = |words: &[u64]| Random::of(1, words).next();
        assert_ne!(first(&[1, 2]), first(&[2, 1]));
        assert_ne!(first(&[1]), first(&[1, 0]));
        assert_eq!(first(&[7]), first(&[7]));
    }
}

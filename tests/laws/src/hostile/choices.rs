//! The source of a module's choices, which is a seed or a sequence of bytes. A seed never runs out of choices. When the bytes run
//! out, every choice selects its first alternative.

use testing::Random;

/// A stream of choices. Generation must end even if every choice selects its first alternative.
pub(super) struct Choices<'a> {
    bytes: &'a [u8],
    random: Option<Random>,
    /// Whether to use only features that every target supports.
    pub(super) is_common: bool,
}

impl<'a> Choices<'a> {
    pub(super) fn of_seed(seed: u64) -> Choices<'static> {
        Choices { bytes: &[], random: Some(Random(seed ^ 0x686f_7374_696c_6500)), is_common: false }
    }

    pub(super) fn of_bytes(bytes: &'a [u8]) -> Choices<'a> {
        Choices { bytes, random: None, is_common: false }
    }

    /// Returns a random number below 256, taken from one byte.
    fn byte(&mut self) -> usize {
        if let Some(random) = &mut self.random {
            return random.below(256);
        }
        match self.bytes.split_first() {
            Some((&first, rest)) => {
                self.bytes = rest;
                usize::from(first)
            }
            None => 0,
        }
    }

    /// Returns a number below the bound, or 0 if the bound is 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        match bound {
            0 | 1 => 0,
            2..=256 => self.byte() % bound,
            _ => (self.byte() << 16 | self.byte() << 8 | self.byte()) % bound,
        }
    }

    pub(super) fn word(&mut self) -> u32 {
        (0..4).fold(0, |word, _| word << 8 | u32::try_from(self.byte()).unwrap_or(0))
    }

    /// Returns true one time in `times`, and never after the bytes run out.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) + 1 == times
    }

    pub(super) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

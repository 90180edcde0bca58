//! The source of a module's choices: a seed, which never runs out, or bytes, after whose end every choice selects the first
//! alternative.

use testing::Random;

/// A stream of choices. A module in which every choice selects its first alternative must be finite.
pub(super) struct Choices<'a> {
    bytes: &'a [u8],
    random: Option<Random>,
    /// Whether to leave out features that some target lacks, so that every target supports the module.
    pub(super) is_common: bool,
}

impl<'a> Choices<'a> {
    pub(super) fn of_seed(seed: u64) -> Choices<'static> {
        Choices { bytes: &[], random: Some(Random(seed ^ 0x686f_7374_696c_6500)), is_common: false }
    }

    pub(super) fn of_bytes(bytes: &'a [u8]) -> Choices<'a> {
        Choices { bytes, random: None, is_common: false }
    }

    /// A choice below 256, from one byte; larger choices use several bytes.
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

    /// A number below the bound; 0 if the bound is 0 or 1.
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

    /// True one time in `times`; never after the bytes run out.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) + 1 == times
    }

    /// One of the alternatives.
    pub(super) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

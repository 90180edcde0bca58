//! Where the choices of a module come from: a seed, which never runs out, or bytes, after which every choice is the first.

use testing::Random;

/// A stream of choices. The first of the ways of any choice must lead to an end.
pub(super) struct Choices<'a> {
    bytes: &'a [u8],
    random: Option<Random>,
    /// Whether there is to be nothing that some target lacks, so that all of them are given the rest.
    pub(super) is_common: bool,
}

impl<'a> Choices<'a> {
    pub(super) fn of_seed(seed: u64) -> Choices<'static> {
        Choices { bytes: &[], random: Some(Random(seed ^ 0x686f_7374_696c_6500)), is_common: false }
    }

    pub(super) fn of_bytes(bytes: &'a [u8]) -> Choices<'a> {
        Choices { bytes, random: None, is_common: false }
    }

    /// One byte of choice below 256; wider ones take more.
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

    /// One below the bound; 0 where there is nothing to choose.
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

    /// True once in so many times; without bytes never.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) + 1 == times
    }

    /// One of these.
    pub(super) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

//! A range of words that the decoder reads in order.
//!
//! Rule: no read leaves the region, a count is valid only within the region that contains it, and each error has a byte offset.

use std::cell::{Cell, RefCell};

use super::layout::{INPUTS, OUTPUTS, RECORDS, WORKGROUP};
use super::{DecodeError, DecodeErrorKind};
use crate::limits::{self, Counted};
use crate::{Few, Id, Type};

pub(super) type Result<T> = std::result::Result<T, DecodeError>;

/// The running totals, which the decoder checks against the limits as it reads, and the errors about skipped parts.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) counts: [Cell<usize>; Counted::ALL.len()],
    /// The errors about unknown parts, or `None` if an unknown part stops the decoder.
    pub(super) unknown: Option<RefCell<Vec<DecodeError>>>,
}

impl Counts {
    /// Adds `more` to a running total. Returns an error at the byte offset `at` if the total exceeds its limit.
    pub(super) fn add(&self, counted: Counted, more: usize, at: usize) -> Result<()> {
        let Some(count) = self.counts.get(counted as usize) else { return Ok(()) };
        count.set(count.get().saturating_add(more));
        if count.get() > counted.limit() { Err(DecodeErrorKind::TooMany(counted).at(at)) } else { Ok(()) }
    }

    /// Records the error about an unknown part, or returns the error if the decoder does not skip unknown parts.
    pub(super) fn step_over(&self, unknown: DecodeError) -> Result<()> {
        match &self.unknown {
            None => Err(unknown),
            Some(all) => {
                all.borrow_mut().push(unknown);
                Ok(())
            }
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Region<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) what: &'static str,
    pub(super) counts: &'a Counts,
}

impl<'a> Region<'a> {
    pub(super) fn is_empty(&self) -> bool {
        self.at >= self.end
    }

    pub(super) fn words_left(&self) -> usize {
        self.end.saturating_sub(self.at) / 4
    }

    pub(super) fn peek(&self) -> Result<u32> {
        match word_at(self.bytes, self.at) {
            Some(word) if self.at < self.end => Ok(word),
            _ => Err(DecodeErrorKind::Ends { what: self.what }.at(self.at)),
        }
    }

    pub(super) fn word(&mut self) -> Result<u32> {
        let word = self.peek()?;
        self.at += 4;
        Ok(word)
    }

    /// Returns the region from the reading position to the end of the `count` words that begin at `start`, and moves the reading
    /// position to that end. `count` must be the word just read. Returns an error at the word `count` if the counted words end
    /// before the reading position or after the surrounding region.
    pub(super) fn take(&mut self, start: usize, count: u32, what: &'static str) -> Result<Region<'a>> {
        match end_of(start, count) {
            Some(end) if (self.at..=self.end).contains(&end) => {
                let region = Region { at: self.at, end, what, ..*self };
                self.at = end;
                Ok(region)
            }
            _ => Err(DecodeErrorKind::WordCount { what, found: count }.at(self.at - 4)),
        }
    }

    /// Reads a struct that begins with a tag and a count. Returns the tag, the tag's offset, and the words after the count.
    pub(super) fn tagged(&mut self, what: &'static str) -> Result<(u32, usize, Region<'a>)> {
        let at = self.at;
        let tag = self.word()?;
        let count = self.word()?;
        Ok((tag, at, self.take(at, count, what)?))
    }

    /// Returns the next known record, which must have the tag `expected`, and steps over any unknown records before it.
    pub(super) fn record(&mut self, expected: u32, what: &'static str) -> Result<Region<'a>> {
        loop {
            let at = self.at;
            match self.word()? {
                found if found == expected => {
                    let count = self.word()?;
                    return self.take(at, count, what);
                }
                found if is_unknown(found) => {
                    let count = self.word()?;
                    self.take(at, count, what)?;
                    self.counts.step_over(DecodeErrorKind::Record(found).at(at))?;
                }
                found => return Err(DecodeErrorKind::RecordTag { expected, found }.at(at)),
            }
        }
    }

    /// Reads an entry that begins with its word count. `read` must consume all words of the entry.
    pub(super) fn entry<T>(
        &mut self,
        what: &'static str,
        read: impl FnOnce(&mut Region<'a>) -> Result<T>,
    ) -> Result<T> {
        let at = self.at;
        let count = self.word()?;
        let mut entry = self.take(at, count, what)?;
        let value = read(&mut entry)?;
        if !entry.is_empty() {
            return Err(DecodeErrorKind::WordCount { what, found: count }.at(at));
        }
        Ok(value)
    }

    pub(super) fn text(&mut self) -> Result<String> {
        let at = self.at;
        let text = self.str()?;
        self.counts.add(Counted::Strings, text.len(), at)?;
        Ok(text.to_string())
    }

    /// Reads a string that is subject to the limit on the length of names.
    pub(super) fn name(&mut self) -> Result<String> {
        let (at, name) = (self.at, self.str()?);
        if name.len() > limits::NAME {
            return Err(DecodeErrorKind::TooMany(Counted::Name).at(at));
        }
        self.counts.add(Counted::Strings, name.len(), at)?;
        Ok(name.to_string())
    }

    fn str(&mut self) -> Result<&'a str> {
        let count = self.word()?;
        let data = self.take(self.at, count, "string")?;
        let text = super::text(self.bytes.get(data.at..data.end).unwrap_or_default());
        text.map_err(|(kind, offset)| kind.at(data.at + offset))
    }

    pub(super) fn id(&mut self) -> Result<Id> {
        let at = self.at;
        match self.word()? {
            id if id > limits::MAX_ID => Err(DecodeErrorKind::Id(id).at(at)),
            id => Ok(Id(id)),
        }
    }

    /// Calls `read` `count` times and returns the results. The list reserves capacity for no more results than the region has
    /// unread words.
    fn several<T>(&mut self, count: usize, read: impl Fn(&mut Self) -> Result<T>) -> Result<Few<T>> {
        let mut several = Few::with_capacity(count.min(self.words_left()));
        for _ in 0..count {
            several.push(read(self)?);
        }
        Ok(several)
    }

    pub(super) fn ids(&mut self, count: usize) -> Result<Few<Id>> {
        self.several(count, Region::id)
    }

    pub(super) fn words(&mut self, count: usize) -> Result<Few<u32>> {
        self.several(count, Region::word)
    }

    /// Returns the number of structs that follow, at most `most`, up to the first implausible word count. The word count of a
    /// struct is `ahead` words after the struct's first word.
    pub(super) fn structs(&self, ahead: usize, most: usize) -> usize {
        let (mut at, mut found) = (self.at, 0);
        while at < self.end && found < most {
            let count = word_at(self.bytes, at.saturating_add(4 * ahead)).filter(|&count| count as usize > ahead);
            let Some(next) = count.and_then(|count| end_of(at, count)) else { break };
            at = next;
            found += 1;
        }
        found
    }

    pub(super) fn ty(&mut self) -> Result<Type> {
        let at = self.at;
        let (word, length) = (self.word()?, self.word()?);
        match Type::from_words(word, length) {
            Some(Type::Array(_, _, length)) if length > limits::ARRAY_LENGTH => {
                Err(DecodeErrorKind::ArrayLength(length).at(at + 4))
            }
            Some(ty) => Ok(ty),
            None => Err(DecodeErrorKind::Type { word, length }.at(at)),
        }
    }
}

pub(crate) const fn is_unknown(tag: u32) -> bool {
    tag >= RECORDS && tag != INPUTS.tag && tag != OUTPUTS.tag && tag != WORKGROUP
}

pub(crate) fn word_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|&word| u32::from_le_bytes(word))
}

/// Returns the byte offset at which `count` words end if the first word is at the byte offset `start`.
pub(crate) fn end_of(start: usize, count: u32) -> Option<usize> {
    (count as usize).checked_mul(4)?.checked_add(start)
}

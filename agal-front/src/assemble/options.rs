//! Reads the words in `<...>` after a texture opcode, and sets the fields of the sampler word accordingly.
//!
//! Rule: the assembler and the disassembler use the same table of options, `WORDS`. The option words are the same as in
//! AGALMiniAssembler, and upper case is read as lower case. As in AGALMiniAssembler, an unknown word sets a level-of-detail bias
//! of 0, but this crate's assembler also reports a warning.

use std::ops::Range;

use super::reader::{Reader, quote};
use super::scan::is_word;
use crate::finding::Kind;
use crate::token::Sampler;
use sdlbc::nearest::nearest;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Dimension,
    Filter,
    Mip,
    Wrap,
    Format,
    /// The sampler's flags, which can be combined.
    Special,
}

impl Field {
    pub(crate) fn of(self, mut sampler: Sampler) -> u8 {
        *self.value(&mut sampler)
    }

    fn set(self, sampler: &mut Sampler, value: u8) {
        let held = self.value(sampler);
        *held = if self == Field::Special { *held | value } else { value };
    }

    fn value(self, sampler: &mut Sampler) -> &mut u8 {
        match self {
            Field::Dimension => &mut sampler.dimension,
            Field::Filter => &mut sampler.filter,
            Field::Mip => &mut sampler.mip,
            Field::Wrap => &mut sampler.wrap,
            Field::Format => &mut sampler.format,
            Field::Special => &mut sampler.special,
        }
    }
}

/// Every option word, with the sampler field that the word sets and the field's value. Of several words with the same meaning,
/// the disassembler writes the first.
pub(crate) const WORDS: &[(&str, Field, u8)] = &[
    ("2d", Field::Dimension, 0),
    ("cube", Field::Dimension, 1),
    ("3d", Field::Dimension, 2),
    ("nearest", Field::Filter, 0),
    ("linear", Field::Filter, 1),
    ("anisotropic2x", Field::Filter, 2),
    ("anisotropic4x", Field::Filter, 3),
    ("anisotropic8x", Field::Filter, 4),
    ("anisotropic16x", Field::Filter, 5),
    ("mipnone", Field::Mip, 0),
    ("nomip", Field::Mip, 0),
    ("mipnearest", Field::Mip, 1),
    ("miplinear", Field::Mip, 2),
    ("clamp", Field::Wrap, 0),
    ("repeat", Field::Wrap, 1),
    ("wrap", Field::Wrap, 1),
    ("clamp_u_repeat_v", Field::Wrap, 2),
    ("repeat_u_clamp_v", Field::Wrap, 3),
    ("rgba", Field::Format, 0),
    ("dxt1", Field::Format, 1),
    ("compressed", Field::Format, 1),
    ("dxt5", Field::Format, 2),
    ("compressedalpha", Field::Format, 2),
    ("video", Field::Format, 3),
    ("centroid", Field::Special, 1),
    ("single", Field::Special, 2),
    ("ignoresampler", Field::Special, 4),
];

/// Option words of other languages and negated options, each with the AGAL option to suggest instead.
const MEANT: &[(&str, &str)] = &[
    ("norepeat", "clamp"),
    ("nowrap", "clamp"),
    ("noclamp", "repeat"),
    ("point", "nearest"),
    ("bilinear", "linear"),
    ("trilinear", "linear,miplinear"),
    ("mipmap", "miplinear"),
    ("nomipmap", "nomip"),
];

/// Returns the option that a misspelt word probably means. A word that begins with `no` never suggests the option that the word
/// negates.
fn suggestion(word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    if let Some((_, meant)) = MEANT.iter().find(|(known, _)| *known == lower) {
        return Some(meant);
    }
    let words = || WORDS.iter().map(|(text, ..)| *text);
    let denied = lower.strip_prefix("no").and_then(|rest| nearest(rest, words()));
    nearest(&lower, words().filter(|text| Some(*text) != denied))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    Exact,
    /// The bias is truncated to a multiple of one eighth.
    Eighths,
    /// The bias exceeds the range of the field and is reduced modulo 256.
    Beyond,
}

/// Parses a level-of-detail bias, and returns the bias in eighths and how the conversion changed it.
fn bias(word: &str) -> Option<(i8, Fit)> {
    // The standard library parses `inf` and `nan` as numbers, but AGAL does not.
    let digits = word.trim_start_matches(['+', '-', '.']);
    let value: f64 = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => u32::from_str_radix(hex, 16).ok().filter(|_| digits.len() == word.len())?.into(),
        None => word.parse().ok().filter(|_| digits.starts_with(|c: char| c.is_ascii_digit()))?,
    };
    let eighths = (value * 8.0).trunc();
    #[expect(clippy::cast_possible_truncation, reason = "the remainder is whole and less than 256")]
    let byte = eighths.rem_euclid(256.0) as u8 as i8;
    let fit = match (f64::from(byte) == eighths, eighths == value * 8.0) {
        (true, true) => Fit::Exact,
        (true, false) => Fit::Eighths,
        (false, _) => Fit::Beyond,
    };
    Some((byte, fit))
}

impl Reader<'_> {
    /// Reads options into `sampler`. The range starts after `<` and extends to the end of the statement.
    pub(super) fn options(&mut self, range: Range<usize>, sampler: &mut Sampler) {
        let closed = self.text_of(&range).find('>').map_or(range.end, |at| range.start + at);
        let mut earlier: Vec<(Field, &str)> = Vec::new();
        let mut earlier_bias = None;
        let all = self.text_of(&range);
        for stray in stretches(all, range.start, Class::Stray) {
            let text = quote(self.text_of(&stray));
            self.note(Kind::Skipped { text, read: None, written: false }, &stray);
        }
        for word in stretches(all, range.start, Class::Word) {
            let text = self.text_of(&word);
            let outside = word.start > closed;
            // Upper case is accepted only between the brackets, because remarks may follow the closing bracket.
            let is = |(known, ..): &&(&str, Field, u8)| *known == text || !outside && known.eq_ignore_ascii_case(text);
            if let Some(&(known, field, value)) = WORDS.iter().find(is) {
                if known != text {
                    self.note(Kind::UpperCase { found: quote(text) }, &word);
                }
                if let Some(&(_, former)) = earlier.iter().find(|(of, _)| *of == field)
                    && field != Field::Special
                    && field.of(*sampler) != value
                {
                    let (found, former) = (known.to_string(), former.to_string());
                    self.note(Kind::OptionOverridden { found, former }, &word);
                }
                field.set(sampler, value);
                if value > 1 && matches!(field, Field::Dimension | Field::Filter | Field::Wrap) {
                    // In version 1, the player accepts only the values 0 and 1 for the dimension, the filter and the wrap mode.
                    self.since = self.since.max(2);
                }
                earlier.retain(|(of, _)| *of != field);
                earlier.push((field, known));
            } else if let Some((eighths, fit)) = bias(text) {
                let (found, read) = (quote(text), (f32::from(eighths) / 8.0).to_string());
                match fit {
                    Fit::Exact => {}
                    Fit::Eighths => self.note(Kind::BiasEighths { found, read }, &word),
                    Fit::Beyond => self.note(Kind::BiasRange { found, read }, &word),
                }
                if let Some(former) = earlier_bias.filter(|_| sampler.bias != eighths) {
                    self.note(Kind::OptionOverridden { found: quote(text), former: quote(former) }, &word);
                }
                sampler.bias = eighths;
                earlier_bias = Some(text);
            } else {
                let nearest = if self.notes.may_suggest() { suggestion(text) } else { None };
                self.note(Kind::OptionIgnored { found: quote(text), nearest }, &word);
                sampler.bias = 0;
                continue;
            }
            if outside {
                self.note(Kind::OptionOutside { found: quote(text) }, &word);
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Separator,
    Stray,
}

impl Class {
    fn of(c: char) -> Class {
        match c {
            '.' | '-' | '+' => Class::Word,
            ',' | '<' | '>' => Class::Separator,
            c if c.is_whitespace() => Class::Separator,
            c if u8::try_from(c).is_ok_and(is_word) => Class::Word,
            _ => Class::Stray,
        }
    }
}

/// Returns the byte range, in the source text, of each run of `class` characters in `text`. `text` begins at byte `start` of
/// the source text.
fn stretches(text: &str, start: usize, class: Class) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let first = at + rest.find(|c| Class::of(c) == class)?;
        let rest = text.get(first..)?;
        at = rest.find(|c| Class::of(c) != class).map_or(text.len(), |length| first + length);
        Some(start + first..start + at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bias_is_truncated_to_whole_eighths_towards_zero() {
        for (word, eighths) in
            [("-2.0", -16), ("1.5", 12), ("+1", 8), ("-.125", -1), ("15.875", 127), ("-16", -128), ("-0", 0)]
        {
            assert_eq!(bias(word), Some((eighths, Fit::Exact)), "{word}");
        }
        for (word, eighths) in [(".3", 2), ("-.3", -2), ("15.9", 127), ("0.05", 0), ("-16.1", -128)] {
            assert_eq!(bias(word), Some((eighths, Fit::Eighths)), "{word}");
        }
        for (word, eighths) in [("16", -128), ("-16.2", 127), ("20", -96), ("0x10", -128), ("1e300", 0), ("1e999", 0)] {
            assert_eq!(bias(word), Some((eighths, Fit::Beyond)), "{word}");
        }
        assert_eq!(bias("0x1"), Some((8, Fit::Exact)));
        for word in ["inf", "nan", "-", "2d", "1.2.3", "", "+infinity", "0x", "0xg", "-0x1"] {
            assert_eq!(bias(word), None, "{word}");
        }
    }

    #[test]
    fn a_word_gets_the_option_that_it_may_stand_for() {
        for (word, meant) in [
            ("norepeat", Some("clamp")),
            ("NoRepeat", Some("clamp")),
            ("nolinear", None),
            ("nomips", Some("nomip")),
            ("nomiplinear", None),
            ("reapet", Some("repeat")),
            ("wrapmode", None),
        ] {
            assert_eq!(suggestion(word), meant, "{word}");
        }
    }

    #[test]
    fn some_pair_of_testdata_has_each_word() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/pairs");
        let mut used = std::collections::BTreeSet::new();
        for entry in std::fs::read_dir(folder).expect("the pairs") {
            let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("a text");
            let code = text.lines().filter_map(|line| line.split("//").next()?.split_once('<'));
            let options = code.flat_map(|(_, options)| options.split([',', '>', ' ']));
            used.extend(options.map(str::to_string));
        }
        let missing: Vec<&str> = WORDS.iter().map(|(word, ..)| *word).filter(|word| !used.contains(*word)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn a_word_is_in_the_table_once() {
        for (i, (word, ..)) in WORDS.iter().enumerate() {
            assert!(WORDS[..i].iter().all(|(earlier, ..)| earlier != word), "{word}");
        }
    }
}

//! The enumerations of the format, above all the kinds of inputs and outputs: their numbers, their words, their names.
//!
//! Rule: everything about the words of a kind is in its row: the number, the name, the variant, and the values of the variant
//! in the order of the file, each with the meanings of its words. The writer, the reader, the dump and the text form read the
//! row.

use super::DecodeErrorKind;
use crate::{Access, Builtin, Few, FunctionKind, ImageAccess, InputKind, Interpolation, OutputKind, Sampler, Unit};

/// One kind: a row without the values.
#[derive(Debug)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) fields: &'static [Field],
}

/// One word of a kind's data.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Field {
    /// A number, with its name in the dump.
    Number(&'static str),
    /// A number preceded by its name in text. Two kinds may share a name if only one of them begins with a field of this variant.
    Named(&'static str),
    /// The number of a value with a name: the name of the enumeration in the dump, and the names of its values by number.
    Word(&'static str, &'static [&'static str]),
    /// Like [`Field::Word`], but the text leaves out the name of the value 0.
    Optional(&'static str, &'static [&'static str]),
    /// The first word of a [`Sampler`].
    Filtering,
    /// The second word of a [`Sampler`].
    Texels,
}

const INTERPOLATION: Field = Field::Optional("interpolation", Interpolation::NAMES);
const BUILTIN: Field = Field::Word("builtin", Builtin::NAMES);
const ACCESS: Field = Field::Word("access", Access::NAMES);
const IMAGE_ACCESS: Field = Field::Word("access", ImageAccess::NAMES);

/// An enumeration in a file: a number, and the data words of the variant.
pub(crate) trait Kinds: Sized {
    /// The rows, by number.
    const ROWS: &'static [Kind];
    /// The error for a number without a row.
    const UNKNOWN: fn(u32) -> DecodeErrorKind;

    /// The number of the value and its data words.
    fn words(&self) -> (u32, Few<u32>);

    /// The value with this number and these data words; the inverse of [`Kinds::words`].
    fn from_words(number: u32, words: &[u32]) -> Option<Self>;

    /// The row of a number.
    fn row(number: u32) -> Option<&'static Kind> {
        by_number(Self::ROWS, number)
    }

    /// The name in the value's row.
    fn row_name(&self) -> &'static str {
        Self::row(self.words().0).map_or("", |row| row.name)
    }
}

/// Implements [`Kinds`] from rows of `number name, (variant) value [meanings of its words] ...;`.
macro_rules! kinds {
    ($kind:ident, $unknown:expr;
     $($number:literal $name:expr, ($($variant:tt)*) $($value:ident [$($field:expr),*])*;)*) => {
        impl Kinds for $kind {
            const ROWS: &'static [Kind] = &[$(Kind { name: $name, fields: &[$($($field),*),*] }),*];
            const UNKNOWN: fn(u32) -> DecodeErrorKind = $unknown;

            fn words(&self) -> (u32, Few<u32>) {
                #[allow(unused_mut, reason = "a kind without data has no words")]
                let mut words = Few::new();
                let number = match *self {
                    $($kind::$($variant)* => { $($value.append_to(&mut words);)* $number })*
                };
                (number, words)
            }

            #[allow(unused_mut, reason = "a kind without data has no words")]
            fn from_words(number: u32, mut words: &[u32]) -> Option<$kind> {
                let kind = match number {
                    $($number => { $(let $value = Data::split_off(&mut words)?;)* $kind::$($variant)* })*
                    _ => return None,
                };
                words.is_empty().then_some(kind)
            }
        }
    };
}

kinds! { FunctionKind, DecodeErrorKind::FunctionKind;
    0 FunctionKind::Generic.name(), (Generic);
    1 FunctionKind::Vertex.name(), (Vertex);
    2 FunctionKind::Fragment.name(), (Fragment);
    3 FunctionKind::Compute.name(), (Compute);
}

kinds! { Unit, |_| DecodeErrorKind::SourceUnit;
    0 Unit::Line.name(), (Line);
    1 Unit::Token.name(), (Token);
}

kinds! { InputKind, DecodeErrorKind::InputKind;
    0 "attribute", (Attribute { location })              location [Field::Number("location")];
    1 "varying",   (Varying { location, interpolation }) location [Field::Number("location")] interpolation [INTERPOLATION];
    2 "uniform",   (Uniform);
    3 "texture",   (Texture { slot, sampler })           slot [Field::Number("slot")] sampler [Field::Filtering, Field::Texels];
    4 "builtin",   (Builtin(which))                      which [BUILTIN];
    5 "parameter", (Parameter);
    6 "local",     (Local);
    7 "uniform",   (Placed { slot, offset })             slot [Field::Named("slot")] offset [Field::Named("offset")];
    8 "buffer",    (Buffer { slot, access })             slot [Field::Number("slot")] access [ACCESS];
    9 "shared",    (Shared);
    10 "image",    (Image { slot, access })              slot [Field::Number("slot")] access [IMAGE_ACCESS];
}

kinds! { OutputKind, DecodeErrorKind::OutputKind;
    0 "position",  (Position);
    1 "varying",   (Varying { location, interpolation }) location [Field::Number("location")] interpolation [INTERPOLATION];
    2 "colour",    (Colour { target })                   target [Field::Number("target")];
    3 "depth",     (Depth);
    4 "pointsize", (PointSize);
    5 "returned",  (Returned);
    6 "clipdistance", (ClipDistance { index })           index [Field::Number("index")];
}

/// A value in a kind's data.
trait Data: Sized {
    fn append_to(self, words: &mut Few<u32>);
    /// Takes the value's words from the beginning of `words`.
    fn split_off(words: &mut &[u32]) -> Option<Self>;
}

impl Data for u32 {
    fn append_to(self, words: &mut Few<u32>) {
        words.push(self);
    }

    fn split_off(words: &mut &[u32]) -> Option<u32> {
        words.split_off_first().copied()
    }
}

/// Implements [`Data`] for enums with the list `ALL` of their values by number.
macro_rules! numbered {
    ($($value:ident)*) => {$(
        impl Data for $value {
            fn append_to(self, words: &mut Few<u32>) {
                words.push(self as u32);
            }

            fn split_off(words: &mut &[u32]) -> Option<$value> {
                by_number(&$value::ALL, u32::split_off(words)?).copied()
            }
        }
    )*};
}

numbered! { Interpolation Builtin Access ImageAccess }

impl Data for Sampler {
    fn append_to(self, words: &mut Few<u32>) {
        words.extend(self.words());
    }

    fn split_off(words: &mut &[u32]) -> Option<Sampler> {
        Sampler::from_words([u32::split_off(words)?, u32::split_off(words)?])
    }
}

/// The element with a number, in a list ordered by number.
pub(crate) fn by_number<T>(all: &[T], number: u32) -> Option<&T> {
    all.get(usize::try_from(number).ok()?)
}

/// A word of a kind's data with its meaning, for the dump.
pub(crate) fn meaning(field: Field, word: u32) -> String {
    let [a, b, c, d] = word.to_le_bytes();
    match field {
        Field::Number(name) | Field::Named(name) => format!("{name} {word}"),
        Field::Word(what, names) | Field::Optional(what, names) => match by_number(names, word) {
            Some(name) => format!("{what} {name}"),
            None => format!("{what} unknown {word}"),
        },
        Field::Filtering => format!("filter {a}, mip {b}, wrap {c} {d}"),
        Field::Texels if d != 0 => format!("unknown sampler word {word:#010x}"),
        Field::Texels => format!("format {a}, special {b}, bias {}", i8::from_le_bytes([c])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_the_words_of_its_row() {
        fn check<K: Kinds>() {
            for (number, row) in (0..).zip(K::ROWS) {
                let words = vec![0; row.fields.len()];
                let kind = K::from_words(number, &words).expect(row.name);
                assert_eq!(kind.words(), (number, words.into()), "{}", row.name);
            }
        }
        check::<FunctionKind>();
        check::<Unit>();
        check::<InputKind>();
        check::<OutputKind>();
        assert!(Interpolation::ALL.iter().zip(0..).all(|(&how, number)| how as u32 == number));
        assert!(Access::ALL.iter().zip(0..).all(|(&access, number)| access as u32 == number));
        assert!(ImageAccess::ALL.iter().zip(0..).all(|(&access, number)| access as u32 == number));
        assert!(Builtin::ALL.iter().zip(0..).all(|(&which, number)| which as u32 == number));
    }
}

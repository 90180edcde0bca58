//! The enumerations of the format, mainly the kinds of inputs and outputs, with their numbers, words and names.
//!
//! Rule: everything about the words of a kind is in the kind's row. The row states the number, the name, the variant, and the
//! values of the variant in file order, with the meanings of their words. The writer, the reader, the dump and the text form
//! all use the row.

use super::DecodeErrorKind;
use crate::{Access, Builtin, Few, FunctionKind, ImageAccess, InputKind, Interpolation, OutputKind, Sampler, Unit};

#[derive(Debug)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) fields: &'static [Field],
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Field {
    /// A number whose name is shown only in the dump.
    Number(&'static str),
    /// A number that is preceded by its name in the text form. Two kinds may share a name if only one of them begins with a
    /// `Named` field.
    Named(&'static str),
    /// The number of an enumerator. The variant contains the enumeration's name, which the dump and error messages show, and the
    /// enumerators' names in the order of their numbers.
    Word(&'static str, &'static [&'static str]),
    /// Like [`Field::Word`], except that the text form omits the name of the enumerator 0.
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

/// An enumeration of the format. Each value is written as a number, followed by the data words of its variant.
pub(crate) trait Kinds: Sized {
    /// The rows of the kinds, indexed by number.
    const ROWS: &'static [Kind];
    /// The function that returns the error for a number without a row.
    const UNKNOWN: fn(u32) -> DecodeErrorKind;

    fn words(&self) -> (u32, Few<u32>);

    /// Returns the value with the given number and data words, as stored by [`Kinds::words`].
    fn from_words(number: u32, words: &[u32]) -> Option<Self>;

    fn row(number: u32) -> Option<&'static Kind> {
        by_number(Self::ROWS, number)
    }

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

/// A value that occupies one or more data words of a kind.
trait Data: Sized {
    fn append_to(self, words: &mut Few<u32>);
    /// Removes the value's words from the beginning of `words` and decodes the value.
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

/// Implements [`Data`] for enums that list their variants in a constant `ALL`, in the order of their numbers.
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

pub(crate) fn by_number<T>(all: &[T], number: u32) -> Option<&T> {
    all.get(usize::try_from(number).ok()?)
}

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

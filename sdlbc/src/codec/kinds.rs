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
    /// A plain number.
    Number(&'static str),
    /// A number preceded by its name in text. So two kinds may share a name if only one of them begins with such a field.
    Named(&'static str),
    /// An [`Interpolation`].
    Interpolation,
    /// The first word of a [`Sampler`].
    Filtering,
    /// The second word of a [`Sampler`].
    Texels,
    /// A [`Builtin`].
    Builtin,
    /// An [`Access`].
    Access,
    /// An [`ImageAccess`].
    ImageAccess,
}

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
}

/// Implements [`Kinds`] from rows of `number name, (variant) value [meanings of its words] ...;`.
macro_rules! kinds {
    ($rows:ident: $kind:ident, $unknown:expr;
     $($number:literal $name:expr, ($($variant:tt)*) $($value:ident [$($field:expr),*])*;)*) => {
        pub(crate) const $rows: [Kind; [$($number),*].len()] = [$(Kind { name: $name, fields: &[$($($field),*),*] }),*];

        impl Kinds for $kind {
            const ROWS: &'static [Kind] = &$rows;
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

kinds! { FUNCTION_KINDS: FunctionKind, DecodeErrorKind::FunctionKind;
    0 FunctionKind::Generic.name(), (Generic);
    1 FunctionKind::Vertex.name(), (Vertex);
    2 FunctionKind::Fragment.name(), (Fragment);
    3 FunctionKind::Compute.name(), (Compute);
}

kinds! { UNITS: Unit, |_| DecodeErrorKind::SourceUnit;
    0 Unit::Line.name(), (Line);
    1 Unit::Token.name(), (Token);
}

kinds! { INPUT_KINDS: InputKind, DecodeErrorKind::InputKind;
    0 "attribute", (Attribute { location })              location [Field::Number("location")];
    1 "varying",   (Varying { location, interpolation }) location [Field::Number("location")] interpolation [Field::Interpolation];
    2 "uniform",   (Uniform);
    3 "texture",   (Texture { slot, sampler })           slot [Field::Number("slot")] sampler [Field::Filtering, Field::Texels];
    4 "builtin",   (Builtin(which))                      which [Field::Builtin];
    5 "parameter", (Parameter);
    6 "local",     (Local);
    7 "uniform",   (Placed { slot, offset })             slot [Field::Named("slot")] offset [Field::Named("offset")];
    8 "buffer",    (Buffer { slot, access })             slot [Field::Number("slot")] access [Field::Access];
    9 "shared",    (Shared);
    10 "image",    (Image { slot, access })              slot [Field::Number("slot")] access [Field::ImageAccess];
}

kinds! { OUTPUT_KINDS: OutputKind, DecodeErrorKind::OutputKind;
    0 "position",  (Position);
    1 "varying",   (Varying { location, interpolation }) location [Field::Number("location")] interpolation [Field::Interpolation];
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

impl Data for Interpolation {
    fn append_to(self, words: &mut Few<u32>) {
        words.push(self as u32);
    }

    fn split_off(words: &mut &[u32]) -> Option<Interpolation> {
        by_number(&Interpolation::ALL, u32::split_off(words)?).copied()
    }
}

impl Data for Builtin {
    fn append_to(self, words: &mut Few<u32>) {
        words.push(self as u32);
    }

    fn split_off(words: &mut &[u32]) -> Option<Builtin> {
        by_number(&Builtin::ALL, u32::split_off(words)?).copied()
    }
}

impl Data for Access {
    fn append_to(self, words: &mut Few<u32>) {
        words.push(self as u32);
    }

    fn split_off(words: &mut &[u32]) -> Option<Access> {
        by_number(&Access::ALL, u32::split_off(words)?).copied()
    }
}

impl Data for ImageAccess {
    fn append_to(self, words: &mut Few<u32>) {
        words.push(self as u32);
    }

    fn split_off(words: &mut &[u32]) -> Option<ImageAccess> {
        by_number(&ImageAccess::ALL, u32::split_off(words)?).copied()
    }
}

impl Data for Sampler {
    fn append_to(self, words: &mut Few<u32>) {
        words.extend(self.words());
    }

    fn split_off(words: &mut &[u32]) -> Option<Sampler> {
        Sampler::from_words([u32::split_off(words)?, u32::split_off(words)?])
    }
}

/// The number of an input's kind and its data words.
pub(crate) fn input_words(kind: &InputKind) -> (u32, Few<u32>) {
    kind.words()
}

/// The number of an output's kind and its data words.
pub(crate) fn output_words(kind: &OutputKind) -> (u32, Few<u32>) {
    kind.words()
}

/// The row with a kind's number.
pub(crate) fn find(kinds: &'static [Kind], number: u32) -> Option<&'static Kind> {
    by_number(kinds, number)
}

/// The element with a number, in a list ordered by number.
fn by_number<T>(all: &[T], number: u32) -> Option<&T> {
    all.get(usize::try_from(number).ok()?)
}

/// An interpolation's name in text.
pub(crate) const fn interpolation_name(interpolation: Interpolation) -> &'static str {
    match interpolation {
        Interpolation::Perspective => "perspective",
        Interpolation::Linear => "linear",
        Interpolation::Flat => "flat",
    }
}

/// A word of a kind's data with its meaning, for the dump.
pub(crate) fn meaning(field: Field, word: u32) -> String {
    let [a, b, c, d] = word.to_le_bytes();
    let named = |what: &str, name: Option<&str>| match name {
        Some(name) => format!("{what} {name}"),
        None => format!("{what} unknown {word}"),
    };
    match field {
        Field::Number(name) | Field::Named(name) => format!("{name} {word}"),
        Field::Interpolation => {
            named("interpolation", by_number(&Interpolation::ALL, word).map(|&how| interpolation_name(how)))
        }
        Field::Builtin => named("builtin", by_number(&Builtin::ALL, word).map(|which| which.name())),
        Field::Access => named("access", by_number(&Access::ALL, word).map(|access| access.name())),
        Field::ImageAccess => named("access", by_number(&ImageAccess::ALL, word).map(|access| access.name())),
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

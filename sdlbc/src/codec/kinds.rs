//! The kinds of inputs and outputs: their numbers, their words, their names in text.
//!
//! Rule: a row's index is the kind's number, and its fields are the words after the number.

use crate::{Builtin, InputKind, Interpolation, OutputKind, Sampler};

/// One kind.
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
    /// An [`Interpolation`].
    Interpolation,
    /// The first word of a [`Sampler`].
    Filtering,
    /// The second.
    Texels,
    /// A [`Builtin`].
    Builtin,
}

/// The kinds of inputs, by number.
pub(crate) const INPUT_KINDS: [Kind; 7] = [
    Kind { name: "attribute", fields: &[Field::Number("location")] },
    Kind { name: "varying", fields: &[Field::Number("location"), Field::Interpolation] },
    Kind { name: "uniform", fields: &[] },
    Kind { name: "texture", fields: &[Field::Number("slot"), Field::Filtering, Field::Texels] },
    Kind { name: "builtin", fields: &[Field::Builtin] },
    Kind { name: "parameter", fields: &[] },
    Kind { name: "local", fields: &[] },
];

/// The kinds of outputs, by number.
pub(crate) const OUTPUT_KINDS: [Kind; 6] = [
    Kind { name: "position", fields: &[] },
    Kind { name: "varying", fields: &[Field::Number("location"), Field::Interpolation] },
    Kind { name: "colour", fields: &[Field::Number("target")] },
    Kind { name: "depth", fields: &[] },
    Kind { name: "pointsize", fields: &[] },
    Kind { name: "returned", fields: &[] },
];

/// The row of a kind's number.
pub(crate) fn find(kinds: &'static [Kind], number: u32) -> Option<&'static Kind> {
    kinds.get(usize::try_from(number).ok()?)
}

/// The number of an input's kind and its data words.
pub(crate) fn input_words(kind: &InputKind) -> (u32, Vec<u32>) {
    match *kind {
        InputKind::Attribute { location } => (0, vec![location]),
        InputKind::Varying { location, interpolation } => (1, vec![location, interpolation as u32]),
        InputKind::Uniform => (2, vec![]),
        InputKind::Texture { slot, sampler } => {
            let [filtering, texels] = sampler.words();
            (3, vec![slot, filtering, texels])
        }
        InputKind::Builtin(builtin) => (4, vec![builtin as u32]),
        InputKind::Parameter => (5, vec![]),
        InputKind::Local => (6, vec![]),
    }
}

/// The kind of an input from its number and data words.
pub(crate) fn input_kind(number: u32, words: &[u32]) -> Option<InputKind> {
    Some(match (number, words) {
        (0, &[location]) => InputKind::Attribute { location },
        (1, &[location, how]) => InputKind::Varying { location, interpolation: interpolation(how)? },
        (2, []) => InputKind::Uniform,
        (3, &[slot, filtering, texels]) => {
            InputKind::Texture { slot, sampler: Sampler::from_words([filtering, texels])? }
        }
        (4, &[which]) => InputKind::Builtin(builtin(which)?),
        (5, []) => InputKind::Parameter,
        (6, []) => InputKind::Local,
        _ => return None,
    })
}

/// The number of an output's kind and its data words.
pub(crate) fn output_words(kind: &OutputKind) -> (u32, Vec<u32>) {
    match *kind {
        OutputKind::Position => (0, vec![]),
        OutputKind::Varying { location, interpolation } => (1, vec![location, interpolation as u32]),
        OutputKind::Colour { target } => (2, vec![target]),
        OutputKind::Depth => (3, vec![]),
        OutputKind::PointSize => (4, vec![]),
        OutputKind::Returned => (5, vec![]),
    }
}

/// The kind of an output from its number and data words.
pub(crate) fn output_kind(number: u32, words: &[u32]) -> Option<OutputKind> {
    Some(match (number, words) {
        (0, []) => OutputKind::Position,
        (1, &[location, how]) => OutputKind::Varying { location, interpolation: interpolation(how)? },
        (2, &[target]) => OutputKind::Colour { target },
        (3, []) => OutputKind::Depth,
        (4, []) => OutputKind::PointSize,
        (5, []) => OutputKind::Returned,
        _ => return None,
    })
}

/// Whether the data words are valid for the kind with this number.
pub(crate) fn means_something(input: bool, number: u32, words: &[u32]) -> bool {
    if input { input_kind(number, words).is_some() } else { output_kind(number, words).is_some() }
}

/// The interpolation of a number.
fn interpolation(word: u32) -> Option<Interpolation> {
    Interpolation::ALL.into_iter().find(|&how| how as u32 == word)
}

/// The builtin of a number.
fn builtin(word: u32) -> Option<Builtin> {
    Builtin::ALL.into_iter().find(|&which| which as u32 == word)
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
    match field {
        Field::Number(name) => format!("{name} {word}"),
        Field::Interpolation => format!("interpolation {}", value(field, word)),
        Field::Builtin => format!("builtin {}", value(field, word)),
        Field::Filtering | Field::Texels => value(field, word),
    }
}

fn value(field: Field, word: u32) -> String {
    let [a, b, c, d] = word.to_le_bytes();
    match field {
        Field::Number(_) => word.to_string(),
        Field::Interpolation => {
            interpolation(word).map_or(format!("unknown {word}"), |how| interpolation_name(how).into())
        }
        Field::Builtin => builtin(word).map_or(format!("unknown {word}"), |which| which.name().into()),
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
        for (number, row) in (0..).zip(&INPUT_KINDS) {
            let words = vec![0; row.fields.len()];
            let kind = input_kind(number, &words).expect(row.name);
            assert_eq!(input_words(&kind), (number, words), "input {}", row.name);
        }
        for (number, row) in (0..).zip(&OUTPUT_KINDS) {
            let words = vec![0; row.fields.len()];
            let kind = output_kind(number, &words).expect(row.name);
            assert_eq!(output_words(&kind), (number, words), "output {}", row.name);
        }
        assert!(find(&INPUT_KINDS, 7).is_none());
        assert!(find(&OUTPUT_KINDS, 6).is_none());
    }
}

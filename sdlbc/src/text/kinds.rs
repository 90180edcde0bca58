//! Prints and reads the kinds of inputs and outputs in the text form, following the rows of `codec/kinds.rs`.
//!
//! Rule: a kind is written as its name, followed by its fields in file order. The default interpolation is left out.

use std::fmt::Write;

use super::cursor::Cursor;
use super::error::{Fault, ParseErrorKind};
use super::lex::TokenKind;
use crate::codec::kinds::{Field, Kind, Kinds, by_number};

/// The name and the number of bytes of each field of a sampler. The fields are the bytes of the sampler's two words, in order,
/// except the last byte, which is zero.
const SAMPLER: [(&str, usize); 6] = [("filter", 1), ("mip", 1), ("wrap", 2), ("format", 1), ("special", 1), (BIAS, 1)];
/// The name of the only signed field of a sampler.
const BIAS: &str = "bias";

pub(super) fn show<K: Kinds>(kind: &K) -> String {
    let (number, words) = kind.words();
    let Some(row) = K::row(number) else { return String::new() };
    let mut text = row.name.to_string();
    let mut bytes = Vec::new();
    for (field, &word) in row.fields.iter().zip(&words) {
        // Writing to a string cannot fail.
        let _ = match field {
            Field::Number(_) => write!(text, " {word}"),
            Field::Named(name) => write!(text, " {name} {word}"),
            Field::Optional(..) if word == 0 => Ok(()),
            Field::Optional(_, names) | Field::Word(_, names) => {
                write!(text, " {}", by_number(names, word).unwrap_or(&""))
            }
            Field::Filtering | Field::Texels => {
                bytes.extend(word.to_le_bytes());
                Ok(())
            }
        };
    }
    if !bytes.is_empty() {
        text.push_str(" {");
        let mut bytes = bytes.into_iter();
        for (at, (name, count)) in SAMPLER.into_iter().enumerate() {
            let _ = write!(text, "{} {name}", if at == 0 { "" } else { "," });
            for byte in bytes.by_ref().take(count) {
                let _ = match name {
                    BIAS => write!(text, " {}", byte.cast_signed()),
                    _ => write!(text, " {byte}"),
                };
            }
        }
        text.push_str(" }");
    }
    text
}

/// Reads the kind of an input or output. Error messages use `what` as the name of the expected element.
pub(super) fn read<K: Kinds>(cursor: &mut Cursor<'_>, what: &'static str) -> Result<K, Fault> {
    let place = cursor.place();
    let (number, row) = cursor.one_of(what, || (0..).zip(K::ROWS).map(|(number, row)| (row.name, (number, row))))?;
    let (number, row) =
        if cursor.is(TokenKind::Word) { named::<K>(row).unwrap_or((number, row)) } else { (number, row) };
    let mut words = Vec::new();
    for field in row.fields {
        match field {
            Field::Number(_) => words.push(cursor.number()?),
            Field::Named(name) => {
                cursor.exactly(name)?;
                words.push(cursor.number()?);
            }
            Field::Optional(..) if !cursor.is(TokenKind::Word) => words.push(0),
            Field::Optional(what, names) | Field::Word(what, names) => {
                words.push(cursor.one_of(what, || names.iter().copied().zip(0..))?);
            }
            Field::Filtering => words.extend(sampler(cursor)?),
            // The second word of a sampler was read together with the first word.
            Field::Texels => {}
        }
    }
    // The fields produce only valid words, so this error never occurs.
    K::from_words(number, &words)
        .ok_or_else(|| ParseErrorKind::Misplaced { what: "this data", within: row.name }.at(place))
}

/// Returns the kind with the same name as `row` whose first field is a named number.
fn named<K: Kinds>(row: &Kind) -> Option<(u32, &'static Kind)> {
    let is = |other: &&Kind| other.name == row.name && matches!(other.fields.first(), Some(Field::Named(_)));
    (0..).zip(K::ROWS).find(|(_, other)| is(other))
}

fn sampler(cursor: &mut Cursor<'_>) -> Result<[u32; 2], Fault> {
    let mut bytes = Vec::with_capacity(8);
    cursor.exactly("{")?;
    for (at, (name, count)) in SAMPLER.into_iter().enumerate() {
        if at > 0 {
            cursor.exactly(",")?;
        }
        cursor.exactly(name)?;
        for _ in 0..count {
            bytes.push(match name {
                BIAS => cursor.small::<i8>()?.cast_unsigned(),
                _ => cursor.small::<u8>()?,
            });
        }
    }
    cursor.exactly("}")?;
    bytes.push(0);
    let word = |bytes: Option<&[u8; 4]>| bytes.map_or(0, |&bytes| u32::from_le_bytes(bytes));
    Ok([word(bytes.first_chunk()), word(bytes.last_chunk())])
}

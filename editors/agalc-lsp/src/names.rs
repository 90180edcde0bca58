//! Declarations and uses of names in the macro language: aliases, macros, and names that `#define` defines.

use std::ops::Range;

use lsp_types::TextEdit;

use crate::document::Document;
use crate::lexer::{Class, Word};

/// Returns the declared names in source order.
pub(crate) fn declarations(document: &Document) -> impl Iterator<Item = Range<usize>> {
    let words: Vec<&Word> = document.analysis().words.iter().filter(|word| word.class != Class::Comment).collect();
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let following = words.get(at + 1..).unwrap_or_default();
        let declared = match document.slice(&word.range) {
            "macro" | "#define" if word.is_first => following.first(),
            "alias" if word.is_first => {
                let statement = following.iter().take_while(|word| !word.is_first);
                statement.skip_while(|word| document.slice(&word.range) != ",").nth(1)
            }
            _ => None,
        };
        let declared = declared.filter(|word| word.class == Class::Name && !word.is_first);
        found.extend(declared.map(|word| word.range.clone()));
    }
    found.into_iter()
}

/// Returns the byte range of the declared name at an offset, or `None` if there is no declared name at the offset.
pub(crate) fn name_at(document: &Document, offset: usize) -> Option<Range<usize>> {
    let word = document.analysis().word_at(offset).filter(|word| word.class == Class::Name)?;
    let text = document.slice(&word.range);
    declarations(document).any(|range| document.slice(&range) == text).then(|| word.range.clone())
}

/// Returns the declaration of the name at a byte offset. The last declaration before the offset has priority over declarations
/// after the offset.
pub(crate) fn definition(document: &Document, offset: usize) -> Option<Range<usize>> {
    let name = name_at(document, offset)?;
    let text = document.slice(&name);
    let all: Vec<Range<usize>> = declarations(document).filter(|range| document.slice(range) == text).collect();
    all.iter().rfind(|range| range.start <= name.start).or(all.first()).cloned()
}

pub(crate) fn references(document: &Document, offset: usize) -> Vec<Range<usize>> {
    let Some(name) = name_at(document, offset) else { return Vec::new() };
    let text = document.slice(&name);
    let words = document.analysis().words.iter();
    let same = words.filter(|word| word.class == Class::Name && document.slice(&word.range) == text);
    same.map(|word| word.range.clone()).collect()
}

/// Renames all occurrences of the name at a byte offset.
///
/// # Errors
/// Returns the reason why the new name cannot be used.
pub(crate) fn rename(document: &Document, offset: usize, new: &str) -> Result<Vec<TextEdit>, String> {
    if name_at(document, offset).is_none() {
        return Err("only aliases, macros and names of `#define` can be renamed".to_string());
    }
    let as_words = crate::lexer::lex(&format!("mov {new}"));
    let is_name =
        matches!(as_words.as_slice(), [_, Word { class: Class::Name, range, .. }] if range.len() == new.len());
    if !is_name || new.starts_with(|c: char| c.is_ascii_digit()) || ["alias", "macro", "out"].contains(&new) {
        return Err(format!(
            "`{new}` is not a valid name: names consist of letters, digits and `_`, and are not opcodes or registers"
        ));
    }
    if agal_front::opcode::Opcode::from_mnemonic(&new.to_ascii_lowercase()).is_some() {
        return Err(format!("`{new}` is an opcode"));
    }
    let is_taken = |word: &Word| word.class == Class::Name && document.slice(&word.range) == new;
    if document.analysis().words.iter().any(is_taken) {
        return Err(format!("`{new}` is already a name in this text"));
    }
    let places = references(document, offset);
    let mut text = document.text().to_string();
    for range in places.iter().rev() {
        text.replace_range(range.clone(), new);
    }
    // A renamed document must contain the same programs as before.
    let renamed = document.with_text(text);
    if !renamed.analysis().has_programs_of(document.analysis()) {
        return Err(format!("the new name `{new}` would change the program"));
    }
    let edit = |range| TextEdit { range: document.range(range), new_text: new.to_string() };
    Ok(places.into_iter().map(edit).collect())
}

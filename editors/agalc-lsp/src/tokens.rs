//! Semantic tokens, which editors use to colour source text.

use agal_front::register::File;
use lsp_types::{SemanticToken, SemanticTokenType, SemanticTokensLegend};

use crate::document::{Document, number};
use crate::lexer::{Class, Word};

/// The types of tokens. The index of a type is its number in the protocol.
const TYPES: [SemanticTokenType; 10] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::COMMENT,
    SemanticTokenType::MACRO,
    SemanticTokenType::NUMBER,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::FUNCTION,
    // The last three types are for temporaries, for inputs from the application or the other stage, and for outputs.
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::TYPE,
];

pub(crate) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend { token_types: TYPES.to_vec(), token_modifiers: Vec::new() }
}

fn type_of(word: &Word) -> Option<u32> {
    Some(match word.class {
        Class::Opcode(_) | Class::Keyword => 0,
        Class::Comment => 1,
        Class::Directive => 2,
        Class::Number => 3,
        Class::Option => 4,
        Class::Components => 5,
        Class::Name => 6,
        Class::Register(File::Temporary) => 7,
        Class::Register(File::Output | File::Depth) => 9,
        Class::Register(_) => 8,
        Class::Sign => return None,
    })
}

/// Returns the tokens of a document, each relative to the previous token. A comment of several lines has one token for each line.
pub(crate) fn tokens(document: &Document) -> Vec<SemanticToken> {
    let (mut tokens, mut before) = (Vec::new(), (0, 0));
    for word in &document.analysis().words {
        let Some(token_type) = type_of(word) else { continue };
        for line in document.line_of(word.range.start)..=document.line_of(word.range.end) {
            let range = document.line(line);
            let (start, end) = (word.range.start.max(range.start), word.range.end.min(range.end));
            if start >= end {
                continue;
            }
            let place = document.position(start);
            let (delta_line, same) = (place.line - before.0, place.line == before.0);
            let delta_start = if same { place.character - before.1 } else { place.character };
            let length = number(document.length(document.slice(&(start..end))));
            tokens.push(SemanticToken { delta_line, delta_start, length, token_type, token_modifiers_bitset: 0 });
            before = (place.line, place.character);
        }
    }
    tokens
}

//! Adobe's macro assembler: expands a text with macros, aliases, constants, expressions and conditions to a text for the mini
//! assembler.
//!
//! Rule: text that AGALMacroAssembler expands yields the same statements, except where that assembler differs from its own
//! documentation: then the documentation applies, and a difference that a program could notice is a warning (docs/macro.md lists
//! them all). Every part of a statement can be traced back to its place in the text.

mod condition;
mod defines;
mod expand;
mod expression;
mod lexer;
mod names;
mod notes;
mod operand;
mod output;
mod preprocess;
mod statement;
mod syntax;

use std::ops::Range;

pub use names::Alias;
pub(super) use names::Named;
pub(super) use notes::Notes as MacroNotes;
pub(super) use operand::SourcePlace;
pub(super) use output::{ExpandedText, Line, Origin};

use super::reader::{NoteList, Written};
use expand::Expander;
use lexer::{Class, Lexeme};
use notes::Notes;

/// A text for the mini assembler, with facts about it.
pub(super) struct Expanded {
    /// One statement on each line.
    pub(super) text: String,
    pub(super) origin: Origin,
    pub(super) notes: NoteList<Written>,
    pub(super) aliases: Vec<Alias>,
    /// The registers that aliases name, in the form of their declarations.
    pub(super) named: Vec<Named>,
}

/// Expands a text. The optional header is a comment that states version and stage, and the range that it comes from.
pub(super) fn expand(text: &str, defines: &[(String, f64)], header: Option<(String, Range<usize>)>) -> Expanded {
    let mut notes = Notes::default();
    let lexemes = lexer::lexemes(text, &mut notes);
    let source = syntax::parse(&lexemes, &mut notes);
    let mut expander = Expander::new(text, &source, defines, notes);
    if let Some((comment, range)) = header {
        expander.comment(&comment, range);
    }
    let (output, notes, names) = expander.run();
    let (text, origin) = output.finish();
    let (aliases, named) = names.into_lists();
    Expanded { text, origin, notes: notes.list, aliases, named }
}

/// Whether a text has a line that only the macro language has: a directive, `alias`, `macro`, or an assignment.
pub(super) fn is_macro(text: &str) -> bool {
    let is_so = |line: &[Lexeme]| {
        let is_word = |lexeme: Option<&Lexeme>| lexeme.is_some_and(|lexeme| lexeme.class == Class::Word);
        match line.first() {
            Some(first) if first.class == Class::Directive => true,
            Some(first) if matches!(first.text, "alias" | "macro") && is_word(line.get(1)) => true,
            _ => expand::assignment(line).is_some(),
        }
    };
    let (mut at, mut notes) = (0, Notes::default());
    let mut line: Vec<Lexeme> = Vec::new();
    while let Some(lexeme) = lexer::next(text, &mut at, &mut notes) {
        if lexeme.class == Class::Break {
            if is_so(&line) {
                return true;
            }
            line.clear();
            continue;
        }
        // Only the part of a line before `=` matters, and not the inside of an index.
        let is_open = matches!(line[..], [_, open] if open.is("["));
        if line.len() < LOOKED_AT && (!is_open || lexeme.is("]")) {
            line.push(lexeme);
        }
    }
    is_so(&line)
}

/// Maximum number of lexemes in a name, an index with its brackets and components, an operator and `=`.
const LOOKED_AT: usize = 8;

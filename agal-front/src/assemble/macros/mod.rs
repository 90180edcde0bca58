//! Adobe's macro assembler: a text with macros, aliases, constants, expressions and conditions becomes a text for the
//! mini assembler.
//!
//! Rule: whatever AGALMacroAssembler expands gives the same statements, but where it does otherwise than its own
//! documentation says: then the documentation counts, and what a program could notice is a warning (docs/macro.md lists
//! it all). Every statement knows where each part of it is written.

mod condition;
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
pub(super) use notes::Notes as MacroNotes;
pub(super) use output::Origin;

use expand::Expander;
use lexer::{Class, Lexeme};
use notes::Notes;

/// A text for the mini assembler, and what came with it.
pub(super) struct Expanded {
    /// One statement a line.
    pub(super) text: String,
    pub(super) origin: Origin,
    pub(super) notes: MacroNotes,
    pub(super) aliases: Vec<Alias>,
}

/// Expands a text, under a comment that says version and stage and comes of what stands at its range.
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
    Expanded { text, origin, notes, aliases: names.into_list() }
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
        // Of a line only what leads to `=` matters, and of an index not what is in it.
        let is_open = matches!(line[..], [_, open] if open.is("["));
        if line.len() < LOOKED_AT && (!is_open || lexeme.is("]")) {
            line.push(lexeme);
        }
    }
    is_so(&line)
}

/// A name, an index with its brackets and components, an operator and `=` have no more lexemes than these.
const LOOKED_AT: usize = 8;

//! Adobe's macro assembler: expands macros, aliases, constants, expressions and conditions into text for the mini assembler.
//!
//! Rule: source text that AGALMacroAssembler expands yields the same statements, unless AGALMacroAssembler contradicts its own
//! documentation. A statement with such a contradiction is expanded as documented, with a warning if the difference can change
//! the program's behaviour. The page docs/macro.md lists all differences. Every part of a statement can be traced back to its
//! place in the source text.

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

pub(super) struct Expanded {
    /// The expanded text, with one statement on each line.
    pub(super) text: String,
    pub(super) origin: Origin,
    pub(super) notes: NoteList<Written>,
    pub(super) aliases: Vec<Alias>,
    /// The name, the register and the source position of each alias.
    pub(super) named: Vec<Named>,
}

/// Expands source text in the macro language for the mini assembler. The optional header consists of the comment that states the
/// version and stage, and the comment's source range.
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

/// Reports whether source text has a line that only the macro language allows: a directive, an `alias`, a `macro` or an
/// assignment.
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
        // The lexemes after `=`, and the lexemes inside an index, do not decide whether the line is an assignment.
        let is_open = matches!(line[..], [_, open] if open.is("["));
        if line.len() < LOOKED_AT && (!is_open || lexeme.is("]")) {
            line.push(lexeme);
        }
    }
    is_so(&line)
}

/// The maximum number of lexemes in an assignment up to the `=`, not counting the lexemes inside an index.
const LOOKED_AT: usize = 8;

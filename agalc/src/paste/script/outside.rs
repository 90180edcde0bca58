//! The text around pasted code: metadata, headings, and words that are not code.
//!
//! Rule: no text is dropped without a message. Words that are not code are reported, and so is AGAL outside any
//! program.

use agal_front::Kind;

use super::Script;
use crate::paste::literal::{Part, parts};
use crate::paste::program::{is_program, quoted, stage_named};
use crate::script::{Class, Token};

/// The maximum number of words in a heading.
const LONGEST_HEADING: usize = 4;
/// A space-separated list of the words that may precede another word in code.
const BEFORE_WORDS: &str = "var const final let static public private protected internal override inline dynamic extern \
                            native function return new import using use case else do throw delete typeof in is as \
                            instanceof each for";

impl Script<'_> {
    /// Skips metadata before a declaration, such as `[Inline]`, `[Embed(source = "a")]`, `@:keep` or `@:native("a")`.
    pub(super) fn metadata(&mut self) -> bool {
        let before = self.at;
        let is_skipped = match self.peek() {
            Some(token) if token.is("[") => self.attribute(),
            Some(token) if token.is("@") => self.annotation(),
            _ => false,
        };
        if !is_skipped {
            self.at = before;
        }
        is_skipped
    }

    /// Skips `[Name]` or `[Name(...)]` before a declaration or other metadata. The tokens after the brackets show whether the
    /// brackets are metadata or a list.
    fn attribute(&mut self) -> bool {
        self.at += 1;
        if self.word().is_none() {
            return false;
        }
        if self.next_is("(") {
            self.skip_brackets();
        }
        let follows = |token: Token<'_>| token.class == Class::Word || token.is("[") || token.is("@");
        self.eat("]") && self.peek().is_some_and(follows)
    }

    fn annotation(&mut self) -> bool {
        self.at += 1;
        self.eat(":");
        if self.path().0.is_empty() {
            return false;
        }
        if self.peek().is_some_and(|token| token.is("(") && !token.is_first) {
            self.skip_brackets();
        }
        true
    }

    /// Skips the keywords `try` and `finally`, but not their blocks. A `catch` is skipped with its block, which runs only after
    /// an error.
    pub(super) fn attempt(&mut self) -> bool {
        let next = self.tokens.get(self.at + 1);
        let is_attempt = |word: &str, sign: &str| self.next_is(word) && next.is_some_and(|next| next.is(sign));
        if is_attempt("catch", "(") {
            self.at += 1;
            self.skip_brackets();
            if self.next_is("{") {
                self.skip_brackets();
            }
            return true;
        }
        let is_attempt = is_attempt("try", "{") || is_attempt("finally", "{");
        self.at += usize::from(is_attempt);
        is_attempt
    }

    /// Reports whether the next tokens form a label such as `name:`.
    pub(super) fn is_label(&self) -> bool {
        let label = self.peek().zip(self.tokens.get(self.at + 1));
        label.is_some_and(|(name, colon)| name.class == Class::Word && colon.is(":"))
    }

    /// Consumes a heading before a literal or a list: a label such as `vertex:`, or a short line of words that names a
    /// stage.
    pub(super) fn heading(&mut self) -> bool {
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        let is_word = |token: &&Token<'_>| matches!(token.class, Class::Word | Class::Number);
        let words: Vec<&Token<'_>> = rest.iter().take(LONGEST_HEADING).take_while(is_word).collect();
        let named = words.iter().find_map(|word| stage_named(word.text));
        let after = rest.get(words.len());
        let has_colon = after.is_some_and(|colon| colon.is(":"));
        let next = if has_colon { rest.get(words.len() + 1) } else { after };
        let begins_text = |next: &Token<'_>| {
            matches!(next.class, Class::Literal | Class::Open) || ["[", "(", "new"].iter().any(|sign| next.is(sign))
        };
        let is_line = || words.first().is_some_and(|word| word.is_first) && next.is_some_and(|next| next.is_first);
        let is_heading = has_colon && words.len() == 1 || named.is_some() && (has_colon || is_line());
        if words.is_empty() || !is_heading || !next.is_some_and(begins_text) {
            return false;
        }
        self.label = named;
        self.at += words.len() + usize::from(has_colon);
        true
    }

    /// Skips a line that is not code. Such a line begins with two words that cannot be adjacent in code, and has no literal or
    /// assignment.
    pub(super) fn sentence(&mut self) -> bool {
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        let length = 1 + rest.iter().skip(1).take_while(|token| !token.is_first).count();
        let Some([first, second, more @ ..]) = rest.get(..length) else { return false };
        let is_code = |token: &Token<'_>| {
            matches!(token.class, Class::Literal | Class::Open)
                || ["=", "+=", ";", "{"].iter().any(|sign| token.is(sign))
        };
        let are_words = first.class == Class::Word && second.class == Class::Word;
        let may_precede = || BEFORE_WORDS.split(' ').any(|word| word == first.text);
        let is_declaration = || may_precede() || self.declaration().is_some();
        if !first.is_first || !are_words || is_declaration() || more.iter().any(is_code) {
            return false;
        }
        let start = self.at;
        self.at += length;
        self.leave_out(start);
        true
    }

    /// Adds the tokens from `start` on to the range of words that are not code. Earlier words on another line are
    /// reported first.
    pub(super) fn leave_out(&mut self, start: usize) {
        let (text, range) = (self.text, self.range_from(start));
        let is_same_line = |end: usize| text.get(end..range.start).is_some_and(|text| !text.contains(['\n', '\r']));
        match &mut self.outside {
            Some(before) if is_same_line(before.end) => before.end = range.end,
            _ => {
                self.end_outside();
                self.outside = Some(range);
            }
        }
    }

    pub(super) fn end_outside(&mut self) {
        if let Some(range) = self.outside.take() {
            let found = quoted(self.text.get(range.clone()).unwrap_or_default());
            self.note(Kind::PastedLeftOut { found }, range);
        }
    }

    /// Reports literals whose AGAL belongs to no program, unless there are other errors.
    pub(super) fn report_unused(&mut self) {
        if super::super::has_errors(&self.outcome.notes) {
            return;
        }
        let mut starts: Vec<usize> = self.outcome.programs.iter().flat_map(|found| found.text.starts()).collect();
        starts.sort_unstable();
        let mut is_shown = vec![false; self.tokens.len()];
        for range in &self.shown {
            if let Some(shown) = is_shown.get_mut(range.clone()) {
                shown.fill(true);
            }
        }
        let literals =
            self.tokens.iter().zip(is_shown).filter(|(token, is_shown)| token.class == Class::Literal && !is_shown);
        let is_used = |token: &Token<'_>| {
            let next = starts.get(starts.partition_point(|start| *start < token.at));
            next.is_some_and(|start| *start < token.range().end)
        };
        let has_program = |part: &Part| matches!(part, Part::Text(text) if is_program(text.as_str()));
        let unused = literals.filter(|(token, _)| !is_used(token) && parts(token).iter().any(has_program));
        let notes = unused.map(|(token, _)| (Kind::PastedSyntax { found: quoted(token.text) }, token.range()));
        self.outcome.notes.extend(notes);
    }
}

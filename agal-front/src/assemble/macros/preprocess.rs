//! Executes `#define`, `#undef`, `#if`, `#elif`, `#else` and `#endif`.
//!
//! Rule: at most one branch of an `#if` is taken, as in C, and no other branch is evaluated.

use std::ops::Range;

use super::condition::evaluate;
use super::defines::Defines;
use super::lexer::{Lexeme, extent};
use super::notes::Notes;
use crate::assemble::reader::quote;
use crate::finding::Kind;
use sdlbc::nearest::nearest;

const DIRECTIVES: [&str; 6] = ["#define", "#undef", "#if", "#elif", "#else", "#endif"];

#[derive(Debug)]
struct Open {
    directive: Range<usize>,
    name: String,
    /// Whether the branch that contains the conditional is taken.
    around: bool,
    active: bool,
    /// Whether any branch of the conditional has been taken.
    done: bool,
    /// Whether the last condition was true. Adobe's assembler does not remember earlier conditions.
    last: bool,
    /// Whether the conditional's `#else` has been read.
    is_last: bool,
    /// Whether a condition was invalid, in which case no further branch is taken.
    broken: bool,
}

#[derive(Debug, Default)]
pub(super) struct Preprocessor {
    pub(super) defines: Defines,
    open: Vec<Open>,
}

impl Preprocessor {
    pub(super) fn new(defines: Defines) -> Preprocessor {
        Preprocessor { defines, open: Vec::new() }
    }

    pub(super) fn active(&self) -> bool {
        self.open.last().is_none_or(|open| open.around && open.active)
    }

    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Closes and reports the conditionals that are still open at the end of the source text or of a macro's body. The first
    /// `depth` conditionals stay open.
    pub(super) fn close(&mut self, depth: usize, notes: &mut Notes) {
        for open in self.open.drain(depth.min(self.open.len())..) {
            notes.push(Kind::UnclosedDirective { directive: open.name }, open.directive);
        }
    }

    /// Executes a directive. The first `base` open conditionals are outside the current macro's body.
    pub(super) fn directive(&mut self, line: &[Lexeme], base: usize, notes: &mut Notes) {
        let Some((first, rest)) = line.split_first() else { return };
        let name: String = first.text.chars().filter(|c| !c.is_whitespace()).collect();
        match name.as_str() {
            "#define" if self.active() => self.define(first, rest, notes),
            "#undef" if self.active() => match rest {
                [word] if word.name().is_some() => self.defines.remove(word.text),
                _ => report_syntax(&name, "one name", first, rest, notes),
            },
            "#define" | "#undef" => {}
            "#if" => {
                let around = self.active();
                let value = if around { evaluate(rest, first, "condition", &self.defines, notes) } else { None };
                self.open(first, name, value.is_some_and(|value| value != 0.0), around && value.is_none());
            }
            "#elif" | "#else" => self.branch(&name, first, rest, base, notes),
            "#endif" => {
                if self.open.len() <= base {
                    notes.push(Kind::DirectiveWithoutIf { directive: name.clone() }, first.range());
                } else {
                    self.open.pop();
                }
                if !rest.is_empty() {
                    report_syntax(&name, "nothing after it", first, rest, notes);
                }
            }
            // `#ifdef` and `#ifndef` open a conditional as in C, so that `#else` and `#endif` cause no further errors.
            "#ifdef" | "#ifndef" => {
                let is_defined = rest.first().is_some_and(|word| self.defines.value(word.text).is_some());
                let active = is_defined == (name == "#ifdef");
                notes.push(Kind::UnknownDirective { nearest: None, found: name.clone() }, first.range());
                self.open(first, name, active, false);
            }
            _ => {
                let kind =
                    Kind::UnknownDirective { nearest: nearest(&name, DIRECTIVES.into_iter()), found: quote(&name) };
                notes.push(kind, first.range());
            }
        }
    }

    fn open(&mut self, first: &Lexeme, name: String, active: bool, broken: bool) {
        let around = self.active();
        let (directive, done, last) = (first.range(), active, active);
        self.open.push(Open { directive, name, around, active, done, last, is_last: false, broken });
    }

    fn define(&mut self, first: &Lexeme, rest: &[Lexeme], notes: &mut Notes) {
        let Some((word, value)) = rest.split_first().filter(|(word, _)| word.name().is_some()) else {
            return report_syntax("#define", "a name", first, rest, notes);
        };
        if value.is_empty() {
            notes.push(Kind::DefineWithoutValue { name: quote(word.text) }, word.range());
            return self.set(word, 1.0, notes);
        }
        let expression = match value {
            [sign, expression @ ..] if sign.is("=") => expression,
            _ => value,
        };
        let end = value.last().unwrap_or(word);
        if let Some(value) = evaluate(expression, end, "value", &self.defines, notes) {
            self.set(word, value, notes);
        }
    }

    /// Defines a name, and reports the definition if the caller gave the name a different value.
    pub(super) fn set(&mut self, word: &Lexeme, value: f64, notes: &mut Notes) {
        if let Some(former) = self.defines.value(word.text)
            && former != value
            && self.defines.is_given(word.text)
        {
            let (value, former) = (value.to_string(), former.to_string());
            let kind = Kind::DefineOverrides { name: quote(word.text), value, former };
            notes.push(kind, word.range());
        }
        self.defines.set(word.text, value);
    }

    fn branch(&mut self, name: &str, first: &Lexeme, rest: &[Lexeme], base: usize, notes: &mut Notes) {
        let is_else = name == "#else";
        if is_else && !rest.is_empty() {
            report_syntax(name, "nothing after it", first, rest, notes);
        }
        let Some(open) = self.open.get_mut(base..).and_then(<[Open]>::last_mut).filter(|open| !open.is_last) else {
            notes.push(Kind::DirectiveWithoutIf { directive: name.to_string() }, first.range());
            return;
        };
        open.is_last = is_else;
        open.active = false;
        if !open.around || open.broken {
            return;
        }
        if open.done {
            // In Adobe's assembler, only the last condition decides whether `#else` is taken, and an earlier branch does not
            // prevent `#elif`.
            let theirs = if is_else {
                Some(!open.last)
            } else {
                evaluate(rest, first, "condition", &self.defines, &mut Notes::default()).map(|value| value != 0.0)
            };
            open.last = theirs.unwrap_or(open.last);
            if theirs == Some(true) {
                notes.push(Kind::BranchDiffers { directive: name.to_string() }, first.range());
            }
            return;
        }
        let value = if is_else { Some(1.0) } else { evaluate(rest, first, "condition", &self.defines, notes) };
        open.active = value.is_some_and(|value| value != 0.0);
        open.last = open.active;
        open.done = open.active;
        open.broken = value.is_none();
    }
}

fn report_syntax(directive: &str, wants: &'static str, first: &Lexeme, rest: &[Lexeme], notes: &mut Notes) {
    let kind = Kind::DirectiveSyntax { directive: directive.to_string(), wants };
    notes.push(kind, if rest.is_empty() { first.range() } else { extent(rest) });
}

//! `#define`, `#undef`, `#if`, `#elif`, `#else` and `#endif`.
//!
//! Rule: of the branches of an `#if` one is taken, as in C. What stands in a branch that is not taken is not evaluated.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::condition::{evaluate, place};
use super::lexer::Lexeme;
use super::notes::{Notes, similar};
use crate::assemble::reader::quote;
use crate::finding::Kind;
use sdlbc::nearest::nearest;

const DIRECTIVES: [&str; 6] = ["#define", "#undef", "#if", "#elif", "#else", "#endif"];

/// The names that have a value.
#[derive(Clone, Debug, Default)]
pub(super) struct Defines {
    values: BTreeMap<String, f64>,
    /// The names that the caller gave.
    given: BTreeSet<String>,
    undefined: BTreeSet<String>,
}

impl Defines {
    /// What the caller gave.
    pub(super) fn given(list: &[(String, f64)]) -> Defines {
        let mut defines = Defines::default();
        for (name, value) in list {
            defines.set(name, *value);
            defines.given.insert(name.clone());
        }
        defines
    }

    pub(super) fn set(&mut self, name: &str, value: f64) {
        self.undefined.remove(name);
        self.values.insert(name.to_string(), value);
    }

    fn remove(&mut self, name: &str) {
        self.values.remove(name);
        self.undefined.insert(name.to_string());
    }

    pub(super) fn value(&self, name: &str) -> Option<f64> {
        self.values.get(name).copied()
    }

    /// Whether `#undef` took its value, so that 0 is what is meant.
    pub(super) fn was_undefined(&self, name: &str) -> bool {
        self.undefined.contains(name)
    }

    pub(super) fn nearest(&self, name: &str) -> Option<String> {
        similar(name, self.values.keys().map(String::as_str))
    }
}

/// An `#if` that is open.
#[derive(Debug)]
struct Open {
    directive: Range<usize>,
    name: String,
    /// Whether what is around it is taken.
    around: bool,
    /// Whether its present branch is taken.
    active: bool,
    /// Whether one of its branches was taken.
    done: bool,
    /// Whether the last condition held: Adobe's assembler remembers no more.
    last: bool,
    /// Whether it is past its `#else`.
    is_last: bool,
    /// Whether a condition of it cannot be read: then no further branch is taken.
    broken: bool,
}

/// What directives have said so far.
#[derive(Debug, Default)]
pub(super) struct Preprocessor {
    pub(super) defines: Defines,
    open: Vec<Open>,
}

impl Preprocessor {
    pub(super) fn new(defines: Defines) -> Preprocessor {
        Preprocessor { defines, open: Vec::new() }
    }

    /// Whether what stands here is taken.
    pub(super) fn active(&self) -> bool {
        self.open.last().is_none_or(|open| open.around && open.active)
    }

    /// How many conditionals are open.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Closes conditionals down to `depth`, and complains of them: the text or the macro's body has ended.
    pub(super) fn close(&mut self, depth: usize, notes: &mut Notes, call: Option<usize>) {
        for open in self.open.drain(depth.min(self.open.len())..) {
            notes.push_in(Kind::UnclosedDirective { directive: open.name }, open.directive, call);
        }
    }

    /// Follows a directive; conditionals of which `base` are open were opened around the macro's body.
    pub(super) fn directive(&mut self, line: &[Lexeme], base: usize, notes: &mut Notes, call: Option<usize>) {
        let Some((first, rest)) = line.split_first() else { return };
        let name: String = first.text.chars().filter(|c| !c.is_whitespace()).collect();
        match name.as_str() {
            "#define" if self.active() => self.define(first, rest, notes, call),
            "#undef" if self.active() => match rest {
                [word] if word.name().is_some() => self.defines.remove(word.text),
                _ => complain(&name, "one name", first, rest, notes, call),
            },
            "#define" | "#undef" => {}
            "#if" => {
                let around = self.active();
                let value = if around { evaluate(rest, first, "condition", &self.defines, notes, call) } else { None };
                self.open(first, name, value.is_some_and(|value| value != 0.0), around && value.is_none());
            }
            "#elif" | "#else" => self.branch(&name, first, rest, base, notes, call),
            "#endif" => {
                if self.open.len() <= base {
                    notes.push_in(Kind::DirectiveWithoutIf { directive: name.clone() }, first.range(), call);
                } else {
                    self.open.pop();
                }
                if !rest.is_empty() {
                    complain(&name, "nothing behind it", first, rest, notes, call);
                }
            }
            // It is followed as C would, so that nothing else is said of what it opens.
            "#ifdef" | "#ifndef" => {
                let is_defined = rest.first().is_some_and(|word| self.defines.value(word.text).is_some());
                let active = is_defined == (name == "#ifdef");
                notes.push_in(Kind::UnknownDirective { nearest: None, found: name.clone() }, first.range(), call);
                self.open(first, name, active, false);
            }
            _ => {
                let kind =
                    Kind::UnknownDirective { nearest: nearest(&name, DIRECTIVES.into_iter()), found: quote(&name) };
                notes.push_in(kind, first.range(), call);
            }
        }
    }

    /// Opens a conditional whose first branch is taken if it is `active`.
    fn open(&mut self, first: &Lexeme, name: String, active: bool, broken: bool) {
        let around = self.active();
        let (directive, done, last) = (first.range(), active, active);
        self.open.push(Open { directive, name, around, active, done, last, is_last: false, broken });
    }

    fn define(&mut self, first: &Lexeme, rest: &[Lexeme], notes: &mut Notes, call: Option<usize>) {
        let Some((word, value)) = rest.split_first().filter(|(word, _)| word.name().is_some()) else {
            return complain("#define", "a name", first, rest, notes, call);
        };
        if value.is_empty() {
            notes.push_in(Kind::DefineWithoutValue { name: quote(word.text) }, word.range(), call);
            return self.set(word, 1.0, notes, call);
        }
        let expression = match value {
            [sign, expression @ ..] if sign.is("=") => expression,
            _ => value,
        };
        let end = value.last().unwrap_or(word);
        if let Some(value) = evaluate(expression, end, "value", &self.defines, notes, call) {
            self.set(word, value, notes, call);
        }
    }

    /// Gives a name a value; says so where the caller gave another.
    pub(super) fn set(&mut self, word: &Lexeme, value: f64, notes: &mut Notes, call: Option<usize>) {
        if let Some(former) = self.defines.value(word.text)
            && former != value
            && self.defines.given.contains(word.text)
        {
            let (value, former) = (value.to_string(), former.to_string());
            let kind = Kind::DefineOverrides { name: quote(word.text), value, former };
            notes.push_in(kind, word.range(), call);
        }
        self.defines.set(word.text, value);
    }

    /// `#elif` and `#else`.
    fn branch(
        &mut self,
        name: &str,
        first: &Lexeme,
        rest: &[Lexeme],
        base: usize,
        notes: &mut Notes,
        call: Option<usize>,
    ) {
        let is_else = name == "#else";
        if is_else && !rest.is_empty() {
            complain(name, "nothing behind it", first, rest, notes, call);
        }
        let Some(open) = self.open.get_mut(base..).and_then(<[Open]>::last_mut).filter(|open| !open.is_last) else {
            notes.push_in(Kind::DirectiveWithoutIf { directive: name.to_string() }, first.range(), call);
            return;
        };
        open.is_last = is_else;
        open.active = false;
        if !open.around || open.broken {
            return;
        }
        if open.done {
            // Only a last condition that held keeps Adobe's assembler from `#else`, and nothing from `#elif`.
            let theirs = if is_else {
                Some(!open.last)
            } else {
                evaluate(rest, first, "condition", &self.defines, &mut Notes::default(), call).map(|value| value != 0.0)
            };
            open.last = theirs.unwrap_or(open.last);
            if theirs == Some(true) {
                notes.push_in(Kind::BranchDiffers { directive: name.to_string() }, first.range(), call);
            }
            return;
        }
        let value = if is_else { Some(1.0) } else { evaluate(rest, first, "condition", &self.defines, notes, call) };
        open.active = value.is_some_and(|value| value != 0.0);
        open.last = open.active;
        open.done = open.active;
        open.broken = value.is_none();
    }
}

fn complain(
    directive: &str,
    wants: &'static str,
    first: &Lexeme,
    rest: &[Lexeme],
    notes: &mut Notes,
    call: Option<usize>,
) {
    let kind = Kind::DirectiveSyntax { directive: directive.to_string(), wants };
    notes.push_in(kind, place(rest, first), call);
}

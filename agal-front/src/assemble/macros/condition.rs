//! Evaluates the expressions of `#if` and `#define`, which combine numbers and names with C's operators and precedence.
//!
//! Rule: an undefined name is 0. Operands that `&&` and `||` skip are not evaluated, as in C.

use std::ops::Range;

use super::defines::Defines;
use super::lexer::{Class, Lexeme};
use super::notes::Notes;
use crate::assemble::reader::quote;
use crate::finding::Kind;

const DEEPEST: usize = 64;

/// Evaluates all of `lexemes` as one expression, and reports errors. An empty expression is reported at `directive`, and `what`
/// names the expression in messages.
pub(super) fn evaluate(
    lexemes: &[Lexeme],
    directive: &Lexeme,
    what: &'static str,
    defines: &Defines,
    notes: &mut Notes,
) -> Option<f64> {
    let end = lexemes.last().map_or(directive.range(), Lexeme::range);
    let mut evaluator = Evaluator { rest: lexemes, end, what, defines, notes, depth: 0, used: true };
    let value = evaluator.binary(0)?;
    if evaluator.rest.is_empty() { Some(value) } else { evaluator.unexpected() }
}

/// The binary operators, from loosest to tightest binding.
const LEVELS: &[&[&str]] = &[&["||"], &["&&"], &["==", "!="], &["<", ">", "<=", ">="], &["+", "-"], &["*", "/"]];

struct Evaluator<'l, 'a, 'n> {
    rest: &'l [Lexeme<'a>],
    /// The range of the last lexeme, where an unfinished expression is reported.
    end: Range<usize>,
    what: &'static str,
    defines: &'n Defines,
    notes: &'n mut Notes,
    depth: usize,
    /// Whether the current operand is evaluated, rather than skipped by `&&` or `||`.
    used: bool,
}

impl<'a> Evaluator<'_, 'a, '_> {
    fn next(&mut self) {
        self.rest = self.rest.get(1..).unwrap_or_default();
    }

    fn unexpected(&mut self) -> Option<f64> {
        let (found, range) = match self.rest.first() {
            Some(lexeme) => (Some(quote(lexeme.text)), lexeme.range()),
            None => (None, self.end.clone()),
        };
        self.notes.push(Kind::ConditionSyntax { found, what: self.what }, range);
        None
    }

    /// Parses an expression whose operators bind at least as tightly as the operators of `level`.
    fn binary(&mut self, level: usize) -> Option<f64> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(&sign) = self.rest.first()
            && operators.iter().any(|&operator| sign.is(operator))
        {
            self.next();
            let used = self.used;
            self.used &= match sign.text {
                "&&" => left != 0.0,
                "||" => left == 0.0,
                _ => true,
            };
            let before = self.rest;
            let right = self.binary(level + 1)?;
            self.used = used;
            let read = before.len() - self.rest.len();
            if sign.text == "||" && has_and(before.get(..read).unwrap_or_default()) {
                self.notes.push(Kind::AndOrMixed, sign.range());
            }
            left = self.apply(&sign, left, right)?;
        }
        Some(left)
    }

    fn apply(&mut self, sign: &Lexeme, left: f64, right: f64) -> Option<f64> {
        let truth = |holds: bool| Some(f64::from(u8::from(holds)));
        match sign.text {
            "||" => truth(left != 0.0 || right != 0.0),
            "&&" => truth(left != 0.0 && right != 0.0),
            "==" => truth(left == right),
            "!=" => truth(left != right),
            "<" => truth(left < right),
            ">" => truth(left > right),
            "<=" => truth(left <= right),
            ">=" => truth(left >= right),
            "+" => Some(left + right),
            "-" => Some(left - right),
            "*" => Some(left * right),
            _ if right != 0.0 => Some(left / right),
            _ if !self.used => Some(0.0),
            _ => {
                self.notes.push(Kind::DivisionByZero, sign.range());
                None
            }
        }
    }

    fn unary(&mut self) -> Option<f64> {
        let Some(&first) = self.rest.first() else { return self.unexpected() };
        if self.depth == DEEPEST {
            self.notes.push(Kind::ConditionDepth { limit: DEEPEST }, first.range());
            return None;
        }
        self.depth += 1;
        let value = self.operand(&first);
        self.depth -= 1;
        value
    }

    fn operand(&mut self, first: &Lexeme<'a>) -> Option<f64> {
        match first.class {
            Class::Number => {
                self.next();
                first.text.parse().ok()
            }
            Class::Word if first.text == "defined" && self.defines.value(first.text).is_none() => {
                self.notes.push(Kind::NoDefined, first.range());
                None
            }
            Class::Word => {
                self.next();
                Some(self.name(first))
            }
            Class::Sign if first.text == "!" => {
                self.next();
                self.unary().map(|value| f64::from(u8::from(value == 0.0)))
            }
            Class::Sign if first.text == "-" => {
                self.next();
                self.unary().map(|value| -value)
            }
            Class::Sign if first.text == "(" => {
                self.next();
                let value = self.binary(0)?;
                match self.rest.first() {
                    Some(close) if close.is(")") => self.next(),
                    Some(_) => return self.unexpected(),
                    None => {
                        self.notes.push(Kind::UnclosedBracket, first.range());
                        return None;
                    }
                }
                Some(value)
            }
            _ => self.unexpected(),
        }
    }

    fn name(&mut self, word: &Lexeme) -> f64 {
        let value = self.defines.value(word.text);
        if value.is_none() && self.used && !self.defines.was_undefined(word.text) {
            let nearest = if self.notes.may_suggest() { self.defines.nearest(word.text) } else { None };
            self.notes.push(Kind::UndefinedName { name: quote(word.text), nearest }, word.range());
        }
        value.unwrap_or(0.0)
    }
}

fn has_and(lexemes: &[Lexeme]) -> bool {
    let mut depth = 0usize;
    lexemes.iter().any(|lexeme| {
        if lexeme.is("(") {
            depth += 1;
        } else if lexeme.is(")") {
            depth = depth.saturating_sub(1);
        }
        depth == 0 && lexeme.is("&&")
    })
}

#[cfg(test)]
mod tests {
    use super::super::lexer::lexemes;
    use super::*;

    fn value(text: &str) -> Option<f64> {
        let mut notes = Notes::default();
        let text = format!("#if {text}");
        let all = lexemes(&text, &mut notes);
        let mut defines = Defines::default();
        defines.set("TWO", 2.0);
        let (first, rest) = all.split_first().expect("the directive");
        evaluate(rest, first, "condition", &defines, &mut notes)
    }

    #[test]
    fn operators_bind_as_in_c() {
        for (text, expected) in [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("8 / 2 / 2", 2.0),
            ("7 - 2 - 1", 4.0),
            ("TWO * TWO + 1 == 5", 1.0),
            ("1 < 2 == 1", 1.0),
            ("1 || 0 && 0", 1.0),
            ("!TWO == 0", 1.0),
            ("!!TWO + 1", 2.0),
            ("-TWO < 0", 1.0),
            ("TWO <= 2 && TWO >= 2 && 1 != 2 && 3 > 2", 1.0),
            ("UNKNOWN", 0.0),
            ("0 && 1 / 0", 0.0),
            ("1 || 1 / 0", 1.0),
            ("1.5e1", 15.0),
        ] {
            assert_eq!(value(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_text_that_is_not_an_expression_has_no_value() {
        for text in ["", "1 +", "(1", "1)", "1 2", "* 2", "1 / 0", "&", "a = b", "TWO.x TWO"] {
            assert_eq!(value(text), None, "{text}");
        }
        assert_eq!(value(&format!("{}1", "!".repeat(100_000))), None);
        assert_eq!(value(&format!("{}1", "(".repeat(100_000))), None);
        assert_eq!(value(&format!("1{}", "+1".repeat(100_000))), Some(100_001.0));
    }
}

//! The expressions in pasted code: literals, operators, lists, variables and calls.

use std::ops::Range;

use agal_front::Kind;

use super::Script;
use super::value::{Value, flattened, number, weight};
use crate::paste::literal::{Part, parts};
use crate::paste::pieced::Pieced;
use crate::paste::program::{Found, quoted, stage_named, stage_word};
use crate::script::{Class, Token, opening};

/// The maximum number of tokens in a type's parameters.
const LONGEST_TYPE: usize = 64;
/// The operators that never build text.
const OPERATORS: [&str; 24] = [
    "-", "&", "|", "^", "<", ">", "<<", ">>", ">>>", "=", "==", "!=", "<=", ">=", "-=", "*=", "/=", "%=", "&=", "|=",
    "^=", "<<=", ">>=", ">>>=",
];
/// The maximum nesting depth of expressions.
const DEEPEST: usize = 64;

impl<'a> Script<'a> {
    pub(super) fn expression(&mut self) -> Value {
        self.depth += 1;
        let value = match self.depth > DEEPEST {
            true => {
                self.skip_brackets();
                Value::Nothing
            }
            false => self.sum(),
        };
        self.depth -= 1;
        value
    }

    fn sum(&mut self) -> Value {
        let start = self.at;
        let mut value = self.product();
        loop {
            let Some(token) = self.peek() else { return value };
            match (token.class, token.text) {
                (Class::Sign, "+") => {
                    self.at += 1;
                    if self.peek().is_none() {
                        return value;
                    }
                    let more = self.product();
                    value = self.add(value, more);
                }
                (Class::Word, "as") => {
                    self.at += 1;
                    self.path();
                }
                (Class::Sign, "?") => {
                    self.at += 1;
                    let first = self.expression();
                    let second = if self.eat(":") { self.expression() } else { Value::Nothing };
                    value = self.chosen(&[value, first, second], start);
                }
                (Class::Sign, "++" | "--") => self.at += 1,
                (Class::Sign, "&&" | "||") => {
                    self.at += 1;
                    let more = self.product();
                    value = self.chosen(&[value, more], start);
                }
                (Class::Sign, sign) if OPERATORS.contains(&sign) => {
                    self.at += 1;
                    let more = self.product();
                    value = self.computed(sign, token.range(), value, more);
                }
                _ => return value,
            }
        }
    }

    /// Evaluates operands that are separated by `*`, `/` or `%`.
    fn product(&mut self) -> Value {
        let mut value = self.operand();
        while let Some(sign) = self.peek().filter(|sign| ["*", "/", "%"].iter().any(|of| sign.is(of))) {
            self.at += 1;
            let more = self.operand();
            value = self.computed(sign.text, sign.range(), value, more);
        }
        value
    }

    /// Returns an unknown value for an expression that selects one of several values at run time. The expression begins at the
    /// token `start`.
    pub(super) fn chosen(&mut self, values: &[Value], start: usize) -> Value {
        let range = self.range_from(start);
        let found = quoted(self.text.get(range.clone()).unwrap_or_default());
        let kind = Kind::PastedControl { found };
        self.refuse(values, &kind, &range);
        Value::Unknown(kind, range)
    }

    /// Returns the difference or the product of two whole numbers, or an unknown value for any other operation.
    fn computed(&mut self, sign: &str, at: Range<usize>, left: Value, right: Value) -> Value {
        let kind = Kind::PastedSyntax { found: sign.to_string() };
        let values = [left, right];
        self.refuse(&values, &kind, &at);
        let result = match &values {
            [Value::Number(a, _), Value::Number(b, _)] => number(a).zip(number(b)).and_then(|(a, b)| match sign {
                "-" => a.checked_sub(b),
                "*" => a.checked_mul(b),
                _ => None,
            }),
            _ => None,
        };
        match (result, values) {
            (Some(result), [Value::Number(_, place), _]) => Value::Number(result.to_string(), place),
            // An unknown name in an operand explains the failure better than the operator does.
            (_, [unknown @ Value::Unknown(..), _] | [_, unknown @ Value::Unknown(..)]) => unknown,
            _ => Value::Unknown(kind, at),
        }
    }

    /// Returns the source range from the token `start` to the last consumed token.
    pub(super) fn range_from(&self, start: usize) -> Range<usize> {
        let first = self.tokens.get(start).map_or(0, |token| token.at);
        let last = self.at.checked_sub(1).and_then(|last| self.tokens.get(last));
        first..last.map_or(first, |token| token.range().end.max(first))
    }

    fn operand(&mut self) -> Value {
        let Some(token) = self.peek() else { return Value::Nothing };
        let value = match (token.class, token.text) {
            (Class::Literal, _) => {
                self.at += 1;
                self.literal(&token)
            }
            (Class::Open, _) => {
                self.at += 1;
                self.note(Kind::PastedQuote, token.at..token.at + opening(token.text));
                Value::Nothing
            }
            (Class::Number, text) => {
                self.at += 1;
                Value::Number(text.to_string(), token.range())
            }
            (Class::Word, "new") => {
                self.at += 1;
                self.creation()
            }
            (Class::Word, _) => self.named(),
            (_, "(") => {
                self.at += 1;
                let value = self.expression();
                self.close(")");
                value
            }
            (_, "[") => Value::List(self.list("]")),
            (_, "{") => self.object(),
            (_, "+" | "-" | "!" | "~") if self.depth <= DEEPEST => {
                self.at += 1;
                self.depth += 1;
                let value = if self.depth > DEEPEST { Value::Nothing } else { self.operand() };
                self.depth -= 1;
                match (token.text, value) {
                    ("+", value) => value,
                    ("-", Value::Number(text, range)) => Value::Number(format!("-{text}"), range),
                    (_, unknown @ Value::Unknown(..)) => unknown,
                    (sign, _) => Value::Unknown(Kind::PastedSyntax { found: sign.to_string() }, token.range()),
                }
            }
            (_, ")" | "]" | "}" | "," | ";") => return Value::Nothing,
            (_, found) => {
                self.at += 1;
                self.note(Kind::PastedSyntax { found: found.to_string() }, token.range());
                Value::Nothing
            }
        };
        self.methods(value)
    }

    /// Evaluates an object such as `{ vertex: "...", fragment: "..." }`. Braces that contain anything other than an object are
    /// skipped.
    fn object(&mut self) -> Value {
        let range = self.peek().map_or(0..0, |token| token.range());
        let is_key = |token: &Token<'_>| matches!(token.class, Class::Word | Class::Literal);
        let is_entry = |at: usize| {
            let pair = self.tokens.get(at).zip(self.tokens.get(at + 1));
            pair.is_some_and(|(key, colon)| is_key(key) && colon.is(":"))
        };
        if !is_entry(self.at + 1) {
            self.skip_brackets();
            return Value::Nothing;
        }
        self.at += 1;
        let mut found = Vec::new();
        while let Some(key) = self.peek().filter(is_key) {
            self.at += 1;
            if !self.eat(":") {
                break;
            }
            let name = stage_named(key.text);
            let values = vec![self.expression()];
            found.extend(self.given("", values).into_iter().map(|found| Found { name: found.name.or(name), ..found }));
            if !self.eat(",") {
                break;
            }
        }
        self.close("}");
        Value::Given(found, Kind::PastedSyntax { found: "{".to_string() }, range)
    }

    /// Consumes a closing bracket, which may be missing at the end of the paste.
    fn close(&mut self, bracket: &str) {
        if let Some(token) = self.peek()
            && !self.eat(bracket)
        {
            self.note(Kind::PastedSyntax { found: quoted(token.text) }, token.range());
            self.skip_while(|token| !token.is(bracket) && !token.is(";"));
            self.eat(bracket);
        }
    }

    /// Evaluates the elements of a list, and flattens nested lists. The next token must be the opening bracket.
    fn list(&mut self, closing: &str) -> Vec<Value> {
        flattened(self.arguments(closing))
    }

    /// Evaluates the values between brackets. The next token must be the opening bracket.
    pub(super) fn arguments(&mut self, closing: &str) -> Vec<Value> {
        self.at += 1;
        let mut values = Vec::new();
        while self.peek().is_some_and(|token| !token.is(closing)) {
            let before = self.at;
            let value = self.expression();
            if self.at > before {
                values.push(value);
            }
            if !self.eat(",") {
                break;
            }
        }
        self.close(closing);
        values
    }

    fn literal(&mut self, token: &Token<'a>) -> Value {
        let mut text = Pieced::default();
        for part in parts(token) {
            let more = match part {
                Part::Text(more) => Some(more),
                Part::Wrong(range) => {
                    let found = self.text.get(range.clone()).unwrap_or_default().to_string();
                    self.note(Kind::PastedEscape { found }, range);
                    None
                }
                Part::Inserted(range) => {
                    let name = self.text.get(range.clone()).unwrap_or_default().trim();
                    let value = match ["?", "&&", "||"].iter().any(|sign| name.contains(sign)) {
                        true => Value::Unknown(Kind::PastedControl { found: quoted(name) }, range),
                        false => self.variable(name, range),
                    };
                    self.text_of(value)
                }
            };
            if let Some(more) = more {
                self.append(&mut text, &more);
            }
        }
        Value::Text(text)
    }

    /// Evaluates the operand of `new`, such as `Array(...)`, `<String>[...]` or `Procedure([...], "name")`.
    fn creation(&mut self) -> Value {
        self.skip_parameters();
        if self.next_is("[") {
            return Value::List(self.list("]"));
        }
        let (name, range) = self.path();
        self.skip_parameters();
        match self.next_is("(") {
            true => self.call(name, range, None),
            false => Value::Nothing,
        }
    }

    fn skip_parameters(&mut self) {
        let before = self.at;
        if !self.eat("<") {
            return;
        }
        let mut open = 1usize;
        while let Some(token) = self.peek().filter(|_| open > 0) {
            let is_of_type = token.class == Class::Word || ["<", ">", ">>", ">>>", ".", ",", "*"].contains(&token.text);
            if !is_of_type || self.at - before > LONGEST_TYPE {
                self.at = before;
                return;
            }
            match token.text {
                "<" => open += 1,
                ">" | ">>" | ">>>" => open = open.saturating_sub(token.text.len()),
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Consumes names that are joined by dots. Returns the last name, and the source range of all names.
    pub(super) fn path(&mut self) -> (&'a str, Range<usize>) {
        let Some(first) = self.word() else { return ("", 0..0) };
        let mut last = first;
        while self.next_is(".") {
            self.at += 1;
            if self.next_is("<") {
                self.skip_parameters();
                break;
            }
            let Some(word) = self.word() else { break };
            last = word;
        }
        (last.text, first.at..last.range().end)
    }

    /// Evaluates an expression that begins with a name: a variable, a stage or a call.
    fn named(&mut self) -> Value {
        let (name, range) = self.path();
        let path = self.text.get(range.clone()).unwrap_or_default();
        let path = path.strip_prefix("this.").unwrap_or(path);
        if !self.next_is("(") {
            return self.variable(path, range);
        }
        let receiver = path.strip_suffix(name).and_then(|path| path.strip_suffix('.'));
        match receiver {
            Some(receiver) if matches!(name, "push" | "unshift") => {
                let before = self.at;
                let values = self.list(")");
                self.insert(receiver, values, name == "unshift");
                // The value of `a.push(...)` is the list's new length, which is not part of any program.
                Value::Unknown(Kind::PastedCall { name: quoted(name) }, self.range_from(before))
            }
            Some(receiver) if self.places.contains_key(receiver) => {
                let value = self.variable(receiver, range.clone());
                self.call(name, range, Some(value))
            }
            Some(_) if super::calls::is_of_texts(name) => {
                let unknown = Value::Unknown(Kind::PastedCall { name: quoted(name) }, range.clone());
                self.call(name, range, Some(unknown))
            }
            _ => self.call(name, range, None),
        }
    }

    /// Returns the value of a variable, and marks the variable as used.
    fn variable(&mut self, name: &str, range: Range<usize>) -> Value {
        if let Some(variable) = self.known(name) {
            variable.is_used = true;
            let bytes = weight(&variable.value);
            self.spend(bytes);
            let value = self.places.get(name).and_then(|&place| self.variables.get(place));
            return match value.filter(|_| self.budget > 0).map(|variable| &variable.value) {
                // The variable was declared without a value.
                Some(Value::Nothing) => Value::Unknown(Kind::PastedName { name: quoted(name) }, range),
                value => value.cloned().unwrap_or(Value::Nothing),
            };
        }
        let last = name.rsplit('.').next().unwrap_or(name);
        match stage_word(last).filter(|_| name != last) {
            Some(stage) => Value::Stage(stage),
            None => Value::Unknown(Kind::PastedName { name: quoted(name) }, range),
        }
    }
}

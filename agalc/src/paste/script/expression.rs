//! The expressions of a paste: literals, sums, lists, variables and calls.

use std::ops::Range;

use agal_front::register::VERSIONS;
use agal_front::{Kind, Stage};

use super::{LARGEST, Script, Value};
use crate::paste::lexer::{Class, Part, Token, parts};
use crate::paste::pieced::Pieced;
use crate::paste::program::{Found, is_program, quoted, stage_named, stage_word};

/// The most tokens of a type's parameters.
const LONGEST_TYPE: usize = 64;
/// The operators of which no text is made.
const OPERATORS: [&str; 16] = ["-", "*", "/", "%", "&", "|", "^", "<", ">", "=", "==", "!=", "<=", ">=", "&&", "||"];
/// How deep brackets may be nested.
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
        let mut value = self.operand();
        loop {
            let Some(token) = self.peek() else { return value };
            match (token.class, token.text) {
                (Class::Sign, "+") => {
                    self.at += 1;
                    if self.peek().is_none() {
                        return value;
                    }
                    let more = self.operand();
                    value = self.add(value, more);
                }
                (Class::Word, "as") => {
                    self.at += 1;
                    self.path();
                }
                (Class::Sign, "?") => {
                    self.at += 1;
                    let kind = Kind::PastedControl { found: "?".to_string() };
                    self.expression();
                    if self.eat(":") {
                        self.expression();
                    }
                    value = Value::Unknown(kind, token.range());
                }
                (Class::Sign, "++" | "--") => self.at += 1,
                (Class::Sign, sign) if OPERATORS.contains(&sign) => {
                    self.at += 1;
                    self.operand();
                    let kind = Kind::PastedSyntax { found: token.text.to_string() };
                    value = Value::Unknown(kind, token.range());
                }
                _ => return value,
            }
        }
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
                self.note(Kind::PastedQuote, token.at..token.at + 1);
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
                    _ => Value::Nothing,
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

    /// `{ vertex: "...", fragment: "..." }`. Anything else between these brackets is skipped.
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

    /// Consumes a closing bracket. A paste may end before it.
    fn close(&mut self, bracket: &str) {
        if let Some(token) = self.peek()
            && !self.eat(bracket)
        {
            self.note(Kind::PastedSyntax { found: quoted(token.text) }, token.range());
            while self.peek().is_some_and(|token| !token.is(bracket) && !token.is(";")) {
                self.at += 1;
            }
            self.eat(bracket);
        }
    }

    /// The elements between brackets, of which the first is next.
    fn list(&mut self, closing: &str) -> Vec<Value> {
        let mut elements = Vec::new();
        for value in self.arguments(closing) {
            match value {
                Value::List(inner) => elements.extend(inner),
                value => elements.push(value),
            }
        }
        elements
    }

    /// The values between brackets, of which the first is next.
    fn arguments(&mut self, closing: &str) -> Vec<Value> {
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
                Part::Inserted(range) => {
                    let name = self.text.get(range.clone()).unwrap_or_default().trim();
                    let value = self.variable(name, range);
                    self.text_of(value)
                }
            };
            if let Some(more) = more {
                self.append(&mut text, &more);
            }
        }
        Value::Text(text)
    }

    /// `new Array(...)`, `new <String>[...]`, `new Procedure([...], "name")`.
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

    /// Skips `<String>`.
    fn skip_parameters(&mut self) {
        let before = self.at;
        if !self.eat("<") {
            return;
        }
        let mut open = 1usize;
        while let Some(token) = self.peek().filter(|_| open > 0) {
            if self.at - before > LONGEST_TYPE {
                self.at = before;
                return;
            }
            match token.text {
                "<" => open += 1,
                ">" => open -= 1,
                "." | "," | "*" => {}
                _ if token.class == Class::Word => {}
                _ => {
                    self.at = before;
                    return;
                }
            }
            self.at += 1;
        }
    }

    /// Names with dots between them: the last of them, and where all are.
    fn path(&mut self) -> (&'a str, Range<usize>) {
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

    /// A variable, a stage, or a call.
    fn named(&mut self) -> Value {
        let (name, range) = self.path();
        let path = self.text.get(range.clone()).unwrap_or_default();
        let path = path.strip_prefix("this.").unwrap_or(path);
        if !self.next_is("(") {
            return self.variable(path, range);
        }
        let receiver = path.strip_suffix(name).and_then(|path| path.strip_suffix('.'));
        match receiver.filter(|receiver| self.places.contains_key(receiver)) {
            Some(receiver) if name == "push" => {
                let values = self.list(")");
                self.push(receiver, values);
                Value::Nothing
            }
            Some(receiver) => {
                let value = self.variable(receiver, range.clone());
                self.call(name, range, Some(value))
            }
            None => self.call(name, range, None),
        }
    }

    /// The value of a variable, which is used thereby.
    fn variable(&mut self, name: &str, range: Range<usize>) -> Value {
        if let Some(variable) = self.known(name) {
            variable.is_used = true;
            let bytes = weight(&variable.value);
            self.spend(bytes);
            let value = self.places.get(name).and_then(|&place| self.variables.get(place));
            return value.filter(|_| self.budget > 0).map_or(Value::Nothing, |variable| variable.value.clone());
        }
        let last = name.rsplit('.').next().unwrap_or(name);
        match stage_word(last).filter(|_| name != last) {
            Some(stage) => Value::Stage(stage),
            None => Value::Unknown(Kind::PastedName { name: quoted(name) }, range),
        }
    }

    pub(super) fn push(&mut self, name: &str, values: Vec<Value>) {
        match self.known(name).map(|known| &mut known.value) {
            Some(Value::List(list)) => list.extend(values),
            Some(value) => *value = Value::List(values),
            None => {}
        }
    }

    /// Calls of methods, and elements, of a value.
    fn methods(&mut self, mut value: Value) -> Value {
        loop {
            if self.next_is(".") {
                self.at += 1;
                let Some(name) = self.word() else { return value };
                value = match self.next_is("(") {
                    true => self.call(name.text, name.range(), Some(value)),
                    false => Value::Unknown(Kind::PastedName { name: quoted(name.text) }, name.range()),
                };
            } else if self.next_is("[") && !self.peek().is_some_and(|token| token.is_first) {
                let range = self.peek().map_or(0..0, |token| token.range());
                self.skip_brackets();
                value = match value {
                    unknown @ Value::Unknown(..) => unknown,
                    _ => Value::Unknown(Kind::PastedSyntax { found: "[".to_string() }, range),
                };
            } else {
                return value;
            }
        }
    }

    /// The result of a call of a function, or of a method of `of`.
    fn call(&mut self, name: &str, range: Range<usize>, of: Option<Value>) -> Value {
        let arguments = self.arguments(")");
        let unknown = |range| (Kind::PastedCall { name: quoted(name) }, range);
        match (name, of) {
            ("join", Some(Value::List(list))) => {
                let separator = match arguments.into_iter().next() {
                    Some(Value::Text(separator)) => separator.as_str().to_string(),
                    None => ",".to_string(),
                    Some(_) => {
                        let (kind, range) = unknown(range);
                        return Value::Unknown(kind, range);
                    }
                };
                Value::Text(self.joined(list, &separator))
            }
            ("toString" | "valueOf", Some(value)) => value,
            ("concat", Some(Value::List(mut list))) => {
                for value in arguments {
                    match value {
                        Value::List(more) => list.extend(more),
                        value => list.push(value),
                    }
                }
                Value::List(list)
            }
            ("concat", Some(Value::Text(text))) => {
                arguments.into_iter().fold(Value::Text(text), |sum, value| self.add(sum, value))
            }
            ("Array" | "Vector", None) => match <[Value; 1]>::try_from(arguments) {
                Ok([Value::List(list)]) => Value::List(list),
                Ok([Value::Number(..)]) => Value::List(Vec::new()),
                Ok([value]) => Value::List(vec![value]),
                Err(values) => Value::List(values.into_iter().filter(|value| !is_flag(value)).collect()),
            },
            // What is only shown is not a program.
            ("trace" | "log", _) => Value::Nothing,
            ("String", None) => arguments.into_iter().next().unwrap_or(Value::Nothing),
            _ => {
                let found = self.given(name, arguments);
                let (kind, range) = unknown(range);
                if found.is_empty() { Value::Unknown(kind, range) } else { Value::Given(found, kind, range) }
            }
        }
    }

    /// The AGAL texts among a call's arguments, with the stages that stand before them. Two texts without stages are a vertex and
    /// a fragment program. A number after the texts is their version; that of `assemble2` stands before them.
    fn given(&mut self, name: &str, arguments: Vec<Value>) -> Vec<Found> {
        let (mut found, mut stage, mut version): (Vec<Found>, _, _) = (Vec::new(), None, None);
        for argument in arguments {
            match argument {
                Value::Stage(of) => stage = Some(of),
                Value::Text(text) if stage_word(text.as_str()).is_some() => stage = stage_word(text.as_str()),
                Value::Number(text, _) if name == "assemble2" || !found.is_empty() => {
                    version = version.or(text.parse().ok().filter(|version| VERSIONS.contains(version)));
                }
                Value::Given(texts, ..) => found.extend(texts),
                Value::Unknown(kind, range) if stage.take().is_some() => self.note(kind, range),
                value @ (Value::Text(_) | Value::List(_)) => {
                    let is_text = |value: &Value| matches!(value, Value::Text(text) if is_program(text.as_str()));
                    let is_program = match &value {
                        Value::List(list) => list.iter().any(is_text),
                        value => is_text(value),
                    };
                    if let Some(text) = is_program.then(|| self.text_of(value)).flatten() {
                        found.push(Found { stage: stage.take(), version: None, name: None, text });
                    }
                }
                _ => {}
            }
        }
        if let [Found { stage: first @ None, .. }, Found { stage: second @ None, .. }] = &mut found[..] {
            (*first, *second) = (Some(Stage::Vertex), Some(Stage::Fragment));
        }
        found.iter_mut().for_each(|found| found.version = found.version.or(version));
        found
    }

    pub(super) fn add(&mut self, left: Value, right: Value) -> Value {
        if let (Value::Number(a, at), Value::Number(b, _)) = (&left, &right) {
            let sum = a.parse().ok().zip(b.parse().ok()).and_then(|(a, b): (i64, i64)| a.checked_add(b));
            return match sum {
                Some(sum) => Value::Number(sum.to_string(), at.clone()),
                None => Value::Unknown(Kind::PastedSyntax { found: "+".to_string() }, at.clone()),
            };
        }
        let is_text = |value: &Value| matches!(value, Value::Text(_));
        if !is_text(&left) && !is_text(&right) {
            // Whether it is a sum of numbers or a text is not known.
            return match (left, right) {
                (unknown @ Value::Unknown(..), _) | (_, unknown @ Value::Unknown(..)) => unknown,
                (Value::Given(_, kind, range), _) | (_, Value::Given(_, kind, range)) => Value::Unknown(kind, range),
                (list @ Value::List(_), _) | (_, list @ Value::List(_)) => list,
                _ => Value::Nothing,
            };
        }
        let (left, right) = (self.text_of(left), self.text_of(right));
        let mut sum = left.unwrap_or_default();
        if let Some(right) = right {
            self.append(&mut sum, &right);
        }
        Value::Text(sum)
    }

    pub(super) fn append(&mut self, text: &mut Pieced, more: &Pieced) {
        self.spend(more.weight());
        if self.budget > 0 {
            text.append(more);
        }
    }

    /// Counts bytes that are copied. The first byte too many is reported.
    fn spend(&mut self, bytes: usize) {
        let had = self.budget;
        self.budget = self.budget.saturating_sub(bytes);
        if had > 0 && self.budget == 0 {
            let at = self.at.min(self.tokens.len()).checked_sub(1).and_then(|at| self.tokens.get(at));
            self.note(Kind::PastedSize { limit: LARGEST >> 20 }, at.map_or(0..0, |token| token.range()));
        }
    }

    fn joined(&mut self, list: Vec<Value>, separator: &str) -> Pieced {
        let mut text = Pieced::default();
        for (number, value) in list.into_iter().enumerate() {
            if number > 0 {
                text.separate(separator);
            }
            if let Some(more) = self.text_of(value) {
                self.append(&mut text, &more);
            }
        }
        text
    }

    /// A value as text; that of a list has a line for each element. Reports a value that is not known.
    pub(super) fn text_of(&mut self, value: Value) -> Option<Pieced> {
        match value {
            Value::Text(text) => Some(text),
            Value::List(list) => Some(self.joined(list, "\n")),
            Value::Number(text, range) => {
                let mut number = Pieced::default();
                number.put(&text, range);
                Some(number)
            }
            Value::Unknown(kind, range) | Value::Given(_, kind, range) => {
                self.note(kind, range);
                None
            }
            Value::Stage(_) | Value::Nothing => None,
        }
    }
}

/// Whether a value is an argument of `new Vector.<String>(4, true)`.
fn is_flag(value: &Value) -> bool {
    matches!(value, Value::Number(..) | Value::Unknown(..))
}

/// The memory that a value takes, in bytes.
fn weight(value: &Value) -> usize {
    let inside = match value {
        Value::Text(text) => text.weight(),
        Value::List(list) => list.iter().map(weight).sum(),
        Value::Given(found, ..) => found.iter().map(|found| found.text.weight()).sum(),
        _ => 0,
    };
    size_of::<Value>() + inside
}

//! Assembles the AGAL text that ActionScript or Haxe code builds from its string literals.
//!
//! Rule: only expressions whose value is certain are evaluated: literals, `+`, `+=`, arrays, `join`, `push`, variables of the
//! code, and calls with AGAL as arguments. A value that a program needs but the code lacks is reported at the value's name, and
//! is never guessed. The length of the code and [`LARGEST`] bound all work.
//!
//! This module and its submodules import each other, because the methods of [`Script`] are spread over them.

mod calls;
mod expression;
mod outside;
mod value;

use std::collections::HashMap;
use std::ops::Range;

use agal_front::{Kind, Stage};

use super::pieced::Pieced;
use super::program::{Found, is_program, stage_named};
use crate::script::{Class, Token};
use value::Value;
pub(super) use value::is_first_byte;

/// The maximum number of bytes that evaluation may copy.
const LARGEST: usize = 64 << 20;

#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) programs: Vec<Found>,
    /// Notes about code that cannot be evaluated, each with the byte range of that code.
    pub(super) notes: Vec<(Kind, Range<usize>)>,
}

#[derive(Debug)]
struct Variable<'a> {
    name: &'a str,
    value: Value,
    is_used: bool,
}

pub(super) fn run<'a>(text: &'a str, tokens: &'a [Token<'a>]) -> Outcome {
    let mut script = Script { text, tokens, budget: LARGEST, ..Script::default() };
    while script.peek().is_some() {
        let before = script.at;
        script.statement();
        // A token that no parsing function consumes is skipped.
        script.at = script.at.max(before + 1);
    }
    script.finish()
}

/// Returns the words at the beginning of a line of code, such as the modifiers before the name in a declaration.
fn words_of_line<'a, 'b>(rest: &'b [Token<'a>]) -> impl Iterator<Item = &'b Token<'a>> {
    let is_same_line = |(index, token): &(usize, &Token<'_>)| *index == 0 || !token.is_first;
    let words = rest.iter().enumerate().take_while(is_same_line).map(|(_, token)| token);
    words.take_while(|token| token.class == Class::Word).take(8)
}

#[derive(Default)]
struct Script<'a> {
    text: &'a str,
    tokens: &'a [Token<'a>],
    at: usize,
    depth: usize,
    /// The number of bytes that evaluation may still copy.
    budget: usize,
    variables: Vec<Variable<'a>>,
    /// Maps the name of each variable to the variable's index in `variables`.
    places: HashMap<&'a str, usize>,
    /// The joined literals of the preceding statements, if each of these statements consists only of literals.
    bare: Option<Pieced>,
    /// The stage that a label or a heading before a literal names.
    label: Option<Stage>,
    /// The range of words that are not code. Further words on the same line extend the range.
    outside: Option<Range<usize>>,
    /// The token ranges of text that is only printed.
    shown: Vec<Range<usize>>,
    outcome: Outcome,
}

impl<'a> Script<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    fn next_is(&self, text: &str) -> bool {
        self.peek().is_some_and(|token| token.is(text))
    }

    fn eat(&mut self, text: &str) -> bool {
        let is_next = self.next_is(text);
        self.at += usize::from(is_next);
        is_next
    }

    fn word(&mut self) -> Option<Token<'a>> {
        let token = self.peek().filter(|token| token.class == Class::Word)?;
        self.at += 1;
        Some(token)
    }

    fn note(&mut self, kind: Kind, range: Range<usize>) {
        self.outcome.notes.push((kind, range));
    }

    fn skip_while(&mut self, is_skipped: impl Fn(Token<'a>) -> bool) {
        while self.peek().is_some_and(&is_skipped) {
            self.at += 1;
        }
    }

    /// Skips the tokens from an opening bracket to its closing bracket.
    fn skip_brackets(&mut self) {
        let mut open = 0usize;
        while let Some(token) = self.peek() {
            self.at += 1;
            match (token.class, token.text) {
                (Class::Sign, "(" | "[" | "{") => open += 1,
                (Class::Sign, ")" | "]" | "}") => open = open.saturating_sub(1),
                _ => {}
            }
            if open == 0 {
                return;
            }
        }
    }

    fn skip_line(&mut self) {
        self.at += 1;
        self.skip_while(|token| !token.is_first && !token.is(";"));
    }

    fn statement(&mut self) {
        let Some(token) = self.peek() else { return };
        if self.metadata() {
            return;
        }
        let continues = token.is("+");
        if !continues && !matches!(token.class, Class::Literal) && !token.is("[") && !token.is("(") {
            self.end_bare();
        }
        match token.text {
            _ if token.class == Class::Literal => self.expressions(continues),
            ";" | "{" | "}" | ")" | "]" | "," => self.at += 1,
            "import" | "using" if token.class == Class::Word => self.skip_line(),
            "use" if self.tokens.get(self.at + 1).is_some_and(|next| next.is("namespace")) => self.skip_line(),
            _ if self.function() || self.heading() || self.sentence() || self.attempt() => {}
            _ if self.is_control() => {
                self.note(Kind::PastedControl { found: token.text.to_string() }, token.range());
                self.at += 1;
                if self.next_is("(") {
                    self.skip_brackets();
                } else if token.is("case") {
                    self.skip_while(|token| !token.is_first && !token.is(":"));
                    self.eat(":");
                }
            }
            "return" if token.class == Class::Word => {
                self.at += 1;
                let value = self.expression();
                self.result(value, None);
            }
            _ => match self.declaration() {
                Some(at) => {
                    self.at = at;
                    self.declarations();
                }
                None => self.expressions(continues),
            },
        }
    }

    /// Reports whether a conditional or a loop begins at the next token. The context is checked, because words such as `for` also
    /// occur in sentences.
    fn is_control(&self) -> bool {
        let Some(token) = self.peek().filter(|token| token.class == Class::Word) else { return false };
        let before = self.at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let begins =
            token.is_first || before.is_none_or(|before| [";", "{", "}", ")"].iter().any(|sign| before.is(sign)));
        match token.text {
            "if" | "for" | "while" | "switch" | "with" => {
                let next = self.tokens.get(self.at + 1);
                next.is_some_and(|next| next.is("(") || token.text == "for" && next.is("each"))
            }
            "else" | "do" | "case" => begins,
            _ => false,
        }
    }

    /// Skips the head of a function, such as `private function name(parameters):Type`. The function's body is evaluated like
    /// other code.
    fn function(&mut self) -> bool {
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        let Some(at) = words_of_line(rest).position(|token| token.is("function")) else { return false };
        let Some(name) = rest.get(at + 1).filter(|name| name.class == Class::Word) else { return false };
        // `get` and `set` precede the name of a property.
        let is_property = matches!(name.text, "get" | "set") && rest.get(at + 2).is_some_and(|next| !next.is("("));
        let after = at + if is_property { 3 } else { 2 };
        // A sentence may contain the word `function`.
        if !rest.get(after).is_some_and(|next| next.is("(") || next.is("<")) {
            return false;
        }
        self.at += after;
        self.skip_while(|token| !token.is("("));
        self.skip_brackets();
        // The body of a Haxe function may consist only of `return` and a value.
        self.skip_while(|token| !["{", ";", "return"].iter().any(|end| token.is(end)));
        true
    }

    /// Returns the token index of the declared name, if a declaration with `var`, `const`, `final` or `let` begins at the next
    /// token.
    fn declaration(&self) -> Option<usize> {
        let mut words = words_of_line(self.tokens.get(self.at..)?);
        let at = words.position(|token| matches!(token.text, "var" | "const" | "final" | "let"))?;
        let name = self.tokens.get(self.at + at + 1).filter(|name| name.class == Class::Word)?;
        // Both `final var a` and `static final a` are declarations.
        let at = self.at + if matches!(name.text, "var" | "const") { at + 2 } else { at + 1 };
        // A sentence may contain a declaration's keyword, as in `in the final version`.
        let is_sign = |token: &Token<'_>| [":", "=", ";", ",", "("].iter().any(|sign| token.is(sign));
        let is_named = self.tokens.get(at).is_some_and(|name| name.class == Class::Word);
        (is_named && self.tokens.get(at + 1).is_none_or(is_sign)).then_some(at)
    }

    /// Consumes declarations such as `name: Type = value, name = value`.
    fn declarations(&mut self) {
        while let Some(name) = self.word() {
            // A Haxe property has accessors after its name, as in `var code(default, null)`.
            if self.next_is("(") {
                self.skip_brackets();
            }
            self.skip_type();
            let value = match self.eat("=") {
                true => self.expression(),
                false => Value::Nothing,
            };
            self.assign(name.text, value);
            if !self.eat(",") {
                return;
            }
        }
    }

    fn skip_type(&mut self) {
        if !self.eat(":") {
            return;
        }
        let mut open = 0usize;
        while let Some(token) = self.peek() {
            match token.text {
                "<" => open += 1,
                ">" | ">>" | ">>>" => open = open.saturating_sub(token.text.len()),
                "=" | ";" | ")" => return,
                "," if open == 0 => return,
                _ if token.is_first || token.class == Class::Literal => return,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Consumes a statement that is an assignment or a sequence of expressions separated by commas.
    fn expressions(&mut self, continues: bool) {
        if let Some(name) = self.element() {
            let value = self.expression();
            self.insert(name, vec![value], false);
            return;
        }
        if let Some((name, is_added)) = self.target() {
            // The assignment `code = code + "..."` means `code += "..."`.
            let adds = !is_added && !self.places.contains_key(name) && self.continues(name);
            let value = self.expression();
            if is_added || adds {
                self.extend(name, value);
            } else {
                self.assign(name, value);
            }
            return;
        }
        let mut is_joined = continues;
        let mut numbers = Vec::new();
        let start = self.at;
        loop {
            let (before, value) = (self.at, self.expression());
            match value {
                value @ (Value::Text(_) | Value::List(_)) => self.bare(value, is_joined),
                value @ Value::Number(..) => numbers.push(value),
                Value::Unknown(Kind::PastedName { .. }, _) if !self.next_is(";") => self.leave_out(before),
                value => self.result(value, None),
            }
            is_joined = false;
            if !self.eat(",") || self.at == before || self.is_label() {
                break;
            }
        }
        let numbers = Value::List(numbers);
        if numbers.is_program() {
            self.bare(numbers, is_joined);
        } else if matches!(&numbers, Value::List(list) if !list.is_empty()) && !self.next_is(";") {
            self.leave_out(start);
        }
        if self.next_is(";") {
            self.end_bare();
        }
    }

    /// Consumes `name` and a following `+`, if these are the next tokens.
    fn continues(&mut self, name: &str) -> bool {
        let continues = matches!(self.tokens.get(self.at..), Some([next, plus, ..]) if next.is(name) && plus.is("+"));
        self.at += if continues { 2 } else { 0 };
        continues
    }

    /// Consumes `name =` or `name +=`. Returns the name, and whether the operator is `+=`.
    fn target(&mut self) -> Option<(&'a str, bool)> {
        let first = self.peek().filter(|token| token.class == Class::Word)?;
        let path = self
            .tokens
            .get(self.at..)?
            .chunks(2)
            .take_while(|pair| matches!(pair, [name, dot, ..] if name.class == Class::Word && dot.is(".")));
        let last = self.at + 2 * path.count();
        let [name, sign, ..] = self.tokens.get(last..)? else { return None };
        if name.class != Class::Word || !(sign.is("=") || sign.is("+=")) {
            return None;
        }
        let path = self.text.get(first.at..name.range().end)?;
        self.at = last + 2;
        Some((path.strip_prefix("this.").unwrap_or(path), sign.is("+=")))
    }

    /// Consumes the left side of an assignment that appends to a list, and returns the list's name. The index must be the list's
    /// length, as in `name[2]` for a list of two elements, `name[i++]` or `name[name.length]`.
    fn element(&mut self) -> Option<&'a str> {
        let rest = self.tokens.get(self.at..)?;
        let [name, open, index, after, ..] = rest else { return None };
        if name.class != Class::Word || !open.is("[") {
            return None;
        }
        let length = match self.places.get(name.text).and_then(|&place| self.variables.get(place)) {
            Some(Variable { value: Value::List(list), .. }) => list.len(),
            _ => 0,
        };
        let is_next = index.class == Class::Number && index.text.parse() == Ok(length) && after.is("]");
        let counts = index.class == Class::Word && after.is("++") && rest.get(4)?.is("]");
        let is_length = || index.is(name.text) && after.is(".") && rest.get(4).is_some_and(|word| word.is("length"));
        let end = match (is_next, counts) {
            (true, _) => 4,
            (_, true) => 5,
            _ if is_length() && rest.get(5)?.is("]") => 6,
            _ => return None,
        };
        if !rest.get(end)?.is("=") {
            return None;
        }
        self.at += end + 1;
        if !self.places.contains_key(name.text) {
            self.declare(name.text, Value::List(Vec::new()));
        }
        Some(name.text)
    }

    /// Joins an unused value with the unused literals before it.
    fn bare(&mut self, value: Value, is_joined: bool) {
        let Some(text) = self.text_of(value) else { return };
        self.end_outside();
        let mut bare = self.bare.take().unwrap_or_default();
        if !is_joined {
            bare.end_line();
        }
        self.append(&mut bare, &text);
        self.bare = Some(bare);
    }

    fn end_bare(&mut self) {
        if let Some(text) = self.bare.take() {
            let name = self.label.take();
            self.found(Found { stage: None, version: None, name, text });
        }
    }

    fn found(&mut self, found: Found) {
        if is_program(found.text.as_str()) {
            self.outcome.programs.push(found);
        }
    }

    /// Records the programs in a value for which the code has no further use.
    fn result(&mut self, value: Value, name: Option<&str>) {
        match value {
            Value::Given(found, ..) => found.into_iter().for_each(|found| self.found(found)),
            value @ (Value::Text(_) | Value::List(_)) => {
                let stage = name.and_then(stage_named);
                if let Some(text) = self.text_of(value) {
                    self.found(Found { stage: None, version: None, name: stage, text });
                }
            }
            _ => {}
        }
    }

    fn known(&mut self, name: &str) -> Option<&mut Variable<'a>> {
        self.places.get(name).and_then(|&place| self.variables.get_mut(place))
    }

    fn declare(&mut self, name: &'a str, value: Value) {
        self.places.insert(name, self.variables.len());
        self.variables.push(Variable { name, value, is_used: false });
    }

    fn assign(&mut self, name: &'a str, value: Value) {
        let Some(variable) = self.known(name) else { return self.declare(name, value) };
        let (former, was_used) = (std::mem::replace(&mut variable.value, value), variable.is_used);
        variable.is_used = false;
        if !was_used {
            self.result(former, Some(name));
        }
    }

    /// Evaluates `name += value`. A variable that is declared outside the pasted code is empty before its first use.
    fn extend(&mut self, name: &'a str, value: Value) {
        let former = self.known(name).map(|known| std::mem::replace(&mut known.value, Value::Nothing));
        let sum = match former.unwrap_or(Value::Nothing) {
            Value::Nothing => self.text_of(value).map_or(Value::Nothing, Value::Text),
            former => self.add(former, value),
        };
        match self.known(name) {
            Some(variable) => variable.value = sum,
            None => self.declare(name, sum),
        }
    }

    fn finish(mut self) -> Outcome {
        self.end_bare();
        for Variable { name, value, is_used } in std::mem::take(&mut self.variables) {
            if !is_used {
                self.result(value, Some(name));
            }
        }
        self.end_outside();
        self.report_unused();
        // Several calls may pass the same program, although not all of them state the program's stage.
        self.outcome.programs.sort_by_key(|found| (found.text.written(0..1).start, found.stage.is_none()));
        self.outcome
            .programs
            .dedup_by(|next, kept| next.text == kept.text && next.stage.is_none_or(|_| next.stage == kept.stage));
        self.outcome.notes.sort_by_key(|(_, range)| range.start);
        self.outcome.notes.dedup();
        self.outcome
    }
}

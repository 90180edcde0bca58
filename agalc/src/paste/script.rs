//! Puts together the AGAL text that a piece of ActionScript or Haxe makes of its string literals.
//!
//! Rule: only what is certain is evaluated: literals, `+`, `+=`, arrays, `join`, `push`, variables of this text, and calls that
//! are given AGAL. A value that a text needs and that is not here is a finding at its name; nothing is guessed. All work is
//! bounded by the length of the text and [`LARGEST`].

mod expression;

use std::collections::HashMap;
use std::ops::Range;

use agal_front::{Kind, Stage};

use super::lexer::{Class, Token};
use super::pieced::Pieced;
use super::program::{Found, is_program, stage_named};

/// The most bytes that all texts together may take while they are put together.
const LARGEST: usize = 64 << 20;

/// What a text makes.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) programs: Vec<Found>,
    /// What cannot be evaluated, and where.
    pub(super) notes: Vec<(Kind, Range<usize>)>,
}

/// The value of an expression.
#[derive(Clone, Debug)]
enum Value {
    Text(Pieced),
    /// No element is a list: those of a list in a list are elements of the outer one.
    List(Vec<Value>),
    Number(String, Range<usize>),
    /// `Context3DProgramType.VERTEX` and the like.
    Stage(Stage),
    /// The texts that a call was given, and why its result is not known.
    Given(Vec<Found>, Kind, Range<usize>),
    /// A value that is not known: why, and where.
    Unknown(Kind, Range<usize>),
    Nothing,
}

#[derive(Debug)]
struct Variable<'a> {
    name: &'a str,
    value: Value,
    is_used: bool,
}

/// Runs the tokens of a text.
pub(super) fn run<'a>(text: &'a str, tokens: &'a [Token<'a>]) -> Outcome {
    let mut script = Script {
        text,
        tokens,
        at: 0,
        depth: 0,
        budget: LARGEST,
        variables: Vec::new(),
        places: HashMap::new(),
        bare: None,
        outcome: Outcome::default(),
    };
    while script.peek().is_some() {
        let before = script.at;
        script.statement();
        // What no rule consumes is skipped.
        script.at = script.at.max(before + 1);
    }
    script.finish()
}

struct Script<'a> {
    text: &'a str,
    tokens: &'a [Token<'a>],
    at: usize,
    depth: usize,
    /// The bytes that texts may still take.
    budget: usize,
    variables: Vec<Variable<'a>>,
    /// Where each variable is in the list.
    places: HashMap<&'a str, usize>,
    /// The literals of the statements before this one, if they are nothing else.
    bare: Option<Pieced>,
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

    /// Consumes a word.
    fn word(&mut self) -> Option<Token<'a>> {
        let token = self.peek().filter(|token| token.class == Class::Word)?;
        self.at += 1;
        Some(token)
    }

    fn note(&mut self, kind: Kind, range: Range<usize>) {
        self.outcome.notes.push((kind, range));
    }

    /// Skips a bracket and everything to the one that closes it.
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
        while self.peek().is_some_and(|token| !token.is_first && !token.is(";")) {
            self.at += 1;
        }
    }

    fn statement(&mut self) {
        let Some(token) = self.peek() else { return };
        let continues = token.is("+");
        if !continues && !matches!(token.class, Class::Literal) && !token.is("[") && !token.is("(") {
            self.end_bare();
        }
        match token.text {
            _ if token.class == Class::Literal => self.expressions(continues),
            ";" | "{" | "}" | ")" | "]" | "," => self.at += 1,
            "import" | "using" | "use" if token.class == Class::Word => self.skip_line(),
            "if" | "else" | "for" | "while" | "do" | "switch" | "case" | "try" | "catch" | "with" => {
                self.note(Kind::PastedControl { found: token.text.to_string() }, token.range());
                self.at += 1;
                if self.next_is("(") {
                    self.skip_brackets();
                }
            }
            "return" if token.class == Class::Word => {
                self.at += 1;
                let value = self.expression();
                self.result(value, None);
            }
            _ if self.function() => {}
            _ => match self.declaration() {
                Some(at) => {
                    self.at = at;
                    self.declarations();
                }
                None => self.expressions(continues),
            },
        }
    }

    /// Skips the head of a function, whose body is like any other code: `private function name(parameters):Type`.
    fn function(&mut self) -> bool {
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        let words = rest.iter().take_while(|token| token.class == Class::Word).take(8);
        let Some(at) = words.into_iter().position(|token| token.is("function")) else { return false };
        let Some(name) = rest.get(at + 1).filter(|name| name.class == Class::Word) else { return false };
        // `get` and `set` stand before the name of a property.
        let is_property = matches!(name.text, "get" | "set") && rest.get(at + 2).is_some_and(|next| !next.is("("));
        self.at += at + if is_property { 3 } else { 2 };
        if self.next_is("(") {
            self.skip_brackets();
        }
        while self.peek().is_some_and(|token| !token.is("{") && !token.is(";")) {
            self.at += 1;
        }
        true
    }

    /// The place after `var` or a word like it, if a declaration begins here.
    fn declaration(&self) -> Option<usize> {
        let words = self.tokens.get(self.at..)?.iter().take_while(|token| token.class == Class::Word);
        let at = words.take(8).position(|token| matches!(token.text, "var" | "const" | "final" | "let"))?;
        let name = self.tokens.get(self.at + at + 1)?;
        // `final var a` and `static final a`.
        match (name.class, name.text) {
            (Class::Word, "var" | "const") => Some(self.at + at + 2),
            (Class::Word, _) => Some(self.at + at + 1),
            _ => None,
        }
    }

    /// `name: Type = value, name = value`.
    fn declarations(&mut self) {
        while let Some(name) = self.word() {
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

    /// Skips `: Type`.
    fn skip_type(&mut self) {
        if !self.eat(":") {
            return;
        }
        let mut open = 0usize;
        while let Some(token) = self.peek() {
            match token.text {
                "<" => open += 1,
                ">" => open = open.saturating_sub(1),
                "=" | ";" | ")" => return,
                "," if open == 0 => return,
                _ if token.is_first || token.class == Class::Literal => return,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// A statement that is an expression, an assignment or several expressions with commas between them.
    fn expressions(&mut self, continues: bool) {
        if let Some(name) = self.element() {
            let value = self.expression();
            self.push(name, vec![value]);
            return;
        }
        if let Some((name, is_added)) = self.target() {
            let value = self.expression();
            if is_added {
                self.extend(name, value);
            } else {
                self.assign(name, value);
            }
            return;
        }
        let mut is_joined = continues;
        loop {
            let (before, value) = (self.at, self.expression());
            match value {
                value @ (Value::Text(_) | Value::List(_)) => self.bare(value, is_joined),
                value => self.result(value, None),
            }
            is_joined = false;
            if !self.eat(",") || self.at == before {
                break;
            }
        }
        if self.next_is(";") {
            self.end_bare();
        }
    }

    /// `name =` or `name +=`: the name, and whether a value is added to it.
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

    /// `name[2] =`, where the list has two elements, or `name[i++] =`: the name.
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
        let end = if is_next { 4 } else { 5 };
        if !(is_next || counts) || !rest.get(end)?.is("=") {
            return None;
        }
        self.at += end + 1;
        if !self.places.contains_key(name.text) {
            self.declare(name.text, Value::List(Vec::new()));
        }
        Some(name.text)
    }

    /// A value that is written without a name. It continues what is written before it.
    fn bare(&mut self, value: Value, is_joined: bool) {
        let Some(text) = self.text_of(value) else { return };
        let mut bare = self.bare.take().unwrap_or_default();
        if !is_joined {
            bare.end_line();
        }
        self.append(&mut bare, &text);
        self.bare = Some(bare);
    }

    fn end_bare(&mut self) {
        if let Some(text) = self.bare.take() {
            self.found(Found { stage: None, version: None, name: None, text });
        }
    }

    fn found(&mut self, found: Found) {
        if is_program(found.text.as_str()) {
            self.outcome.programs.push(found);
        }
    }

    /// A value that nothing reads.
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

    /// `name += value`. A variable that is declared elsewhere is empty before its first line here.
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
        // The same text may be given to several calls, of which not all state its stage.
        self.outcome.programs.sort_by_key(|found| (found.text.written(0..1).start, found.stage.is_none()));
        self.outcome
            .programs
            .dedup_by(|next, kept| next.text == kept.text && next.stage.is_none_or(|_| next.stage == kept.stage));
        self.outcome.notes.sort_by_key(|(_, range)| range.start);
        self.outcome.notes.dedup();
        self.outcome
    }
}

//! Splits source text into directives, macros and statements.
//!
//! Rule: the source text is split once, before anything is evaluated, so a macro's body is the same for every call. A statement
//! ends at the end of a line, at `;`, or before a brace.

use super::lexer::{Class, Lexeme};
use super::notes::Notes;
use crate::assemble::advice::is_control;
use crate::assemble::reader::quote;
use crate::finding::Kind;

#[derive(Debug)]
pub(super) enum Item<'l, 'a> {
    Directive(&'l [Lexeme<'a>]),
    Macro(usize),
    /// A line that is neither a directive nor a macro definition.
    Statement(&'l [Lexeme<'a>]),
}

#[derive(Debug)]
pub(super) struct Definition<'l, 'a> {
    pub(super) name: Lexeme<'a>,
    pub(super) parameters: Vec<&'a str>,
    pub(super) body: Vec<Item<'l, 'a>>,
    /// Whether the body uses `out`, the macro's result.
    pub(super) has_result: bool,
}

#[derive(Debug, Default)]
pub(super) struct Source<'l, 'a> {
    pub(super) items: Vec<Item<'l, 'a>>,
    pub(super) macros: Vec<Definition<'l, 'a>>,
}

pub(super) fn parse<'l, 'a>(lexemes: &'l [Lexeme<'a>], notes: &mut Notes) -> Source<'l, 'a> {
    let Some(&before) = lexemes.first() else { return Source::default() };
    let mut parser = Parser { rest: lexemes, before, macros: Vec::new(), blocks: 0, notes };
    let items = parser.items(None);
    Source { items, macros: parser.macros }
}

struct Parser<'l, 'a, 'n> {
    rest: &'l [Lexeme<'a>],
    /// The last lexeme that the parser consumed.
    before: Lexeme<'a>,
    macros: Vec<Definition<'l, 'a>>,
    /// The number of open braces of conditionals or loops, which the macro language does not have. A `}` closes the macro
    /// only if no such brace is open.
    blocks: usize,
    notes: &'n mut Notes,
}

impl<'l, 'a> Parser<'l, 'a, '_> {
    /// Parses the items of the program, or the items in the body of the macro `name` up to the closing `}`.
    fn items(&mut self, name: Option<&Lexeme>) -> Vec<Item<'l, 'a>> {
        let mut items = Vec::new();
        loop {
            self.skip_breaks();
            match (self.rest.first(), name) {
                (Some(first), _) if first.is("}") && self.blocks > 0 => {
                    self.blocks -= 1;
                    self.take(1);
                }
                (Some(first), Some(_)) if first.is("}") => {
                    self.take(1);
                    return items;
                }
                (Some(first), None) if first.is("}") => {
                    self.notes.push(Kind::StrayText { found: "}".to_string() }, first.range());
                    self.take(1);
                }
                (Some(first), _) if first.word() != Some("macro") => items.push(self.line()),
                (Some(_), None) => items.extend(self.definition().map(Item::Macro)),
                (None, None) => return items,
                // A macro's body ends at the end of the source text or at the next macro, because macros cannot be nested.
                (_, Some(name)) => {
                    self.notes.push(Kind::UnclosedMacro { name: quote(name.text) }, name.range());
                    return items;
                }
            }
        }
    }

    fn line(&mut self) -> Item<'l, 'a> {
        let end = |lexeme: &Lexeme| lexeme.class == Class::Break || lexeme.is("}");
        let length = self.rest.iter().position(end).unwrap_or(self.rest.len());
        let line = self.take(length.max(1));
        if line.first().is_some_and(|first| first.is("{") || first.word().is_some_and(is_control)) {
            self.blocks += line.iter().filter(|lexeme| lexeme.is("{")).count();
        }
        match line.first() {
            Some(first) if first.class == Class::Directive => Item::Directive(line),
            _ => Item::Statement(line),
        }
    }

    fn definition(&mut self) -> Option<usize> {
        let keyword = self.take(1).first()?;
        let Some((name, parameters)) = self.header() else {
            // The body of a macro with a malformed header is not parsed as statements of the program.
            let mut line = self.rest.iter().take_while(|lexeme| lexeme.class != Class::Break);
            if let Some(open) = line.position(|lexeme| lexeme.is("{")) {
                self.take(open + 1);
                self.items(Some(keyword));
            } else {
                self.line();
            }
            return None;
        };
        let body = self.items(Some(&name));
        let is_out = |lexeme: &Lexeme| lexeme.word().is_some_and(|word| word.split('.').next() == Some("out"));
        let has_result = body.iter().any(|item| matches!(item, Item::Statement(line) if line.iter().any(is_out)));
        self.macros.push(Definition { name, parameters, body, has_result });
        Some(self.macros.len() - 1)
    }

    fn header(&mut self) -> Option<(Lexeme<'a>, Vec<&'a str>)> {
        let name = self.expect("name", |lexeme| lexeme.name().is_some())?;
        self.expect("`(`", |lexeme| lexeme.is("("))?;
        let mut parameters = Vec::new();
        if self.rest.first().is_some_and(|lexeme| lexeme.is(")")) {
            self.take(1);
        } else {
            loop {
                let parameter = self.expect("parameter", |lexeme| lexeme.name().is_some())?;
                if parameter.text == "out" || parameters.contains(&parameter.text) {
                    let kind = Kind::ParameterName { name: quote(parameter.text) };
                    self.notes.push(kind, parameter.range());
                }
                parameters.push(parameter.text);
                /// The maximum number of parameters; a limit is needed because each parameter is compared with all
                /// earlier ones.
                const MOST: usize = 64;
                let Some(comma) = self.rest.first().filter(|lexeme| lexeme.is(",")) else { break };
                if parameters.len() == MOST {
                    self.notes.push(Kind::TooManyParameters { limit: MOST }, comma.range());
                    return None;
                }
                self.take(1);
            }
            self.expect("`)`", |lexeme| lexeme.is(")"))?;
        }
        let end = self.before;
        self.skip_breaks();
        if !self.rest.first().is_some_and(|lexeme| lexeme.is("{")) {
            self.before = end;
        }
        self.expect("`{`", |lexeme| lexeme.is("{"))?;
        Some((name, parameters))
    }

    fn expect(&mut self, wants: &'static str, is: impl Fn(&Lexeme) -> bool) -> Option<Lexeme<'a>> {
        match self.rest.first() {
            Some(lexeme) if is(lexeme) => self.take(1).first().copied(),
            found => {
                let place = found.filter(|lexeme| lexeme.class != Class::Break).unwrap_or(&self.before);
                self.notes.push(Kind::MacroSyntax { wants }, place.range());
                None
            }
        }
    }

    fn skip_breaks(&mut self) {
        let breaks = self.rest.iter().take_while(|lexeme| lexeme.class == Class::Break).count();
        self.take(breaks);
    }

    fn take(&mut self, count: usize) -> &'l [Lexeme<'a>] {
        let (taken, rest) = self.rest.split_at(count.min(self.rest.len()));
        self.rest = rest;
        self.before = taken.last().copied().unwrap_or(self.before);
        taken
    }
}

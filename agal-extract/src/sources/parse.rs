//! Parses ActionScript and Haxe. Statements and members that the parser does not understand are skipped and reported.

mod classes;
mod embeds;
mod expressions;
mod functions;
mod haxe;
mod mxml;
mod statements;
mod types;

use agalc::script::{self, Class as Kind, Language, Token};

use crate::sources::conditional;
use crate::sources::syntax::{Contents, Definition, Item, Module, Name};
use crate::sources::{Source, SourceWarning};

/// The maximum nesting depth of statements, expressions and types.
const DEEPEST: u32 = 100;

/// The maximum number of warnings about a file. One more warning states that further problems were left out.
const MOST_WARNINGS: usize = 50;

#[derive(Debug)]
pub(crate) struct Problem {
    /// The index of the token at which the error was detected.
    at: usize,
    message: String,
}

pub(crate) type Parsed<T> = Result<T, Problem>;

#[derive(Default)]
pub(crate) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    at: usize,
    depth: u32,
    /// The file name without folder and extension.
    stem: &'a str,
    file: usize,
    warnings: Vec<SourceWarning>,
    module: Module,
    /// The contents of the current function's body that have been parsed so far.
    contents: Contents,
    package: Name,
    /// The file that `Embed` metadata names for the next definition, and the line of the metadata.
    embedded: Option<(Name, u32)>,
    /// The run-time name that `@:native` metadata assigns to the next class.
    native: Option<Name>,
}

pub(crate) fn parse(file: usize, source: &Source<'_>) -> (Module, Vec<SourceWarning>) {
    let base = source.name.rsplit(['/', '\\']).next().unwrap_or(source.name);
    let (stem, ending) = base.rsplit_once('.').unwrap_or((base, ""));
    let mut parser = Parser { text: source.text, stem, file, ..Parser::default() };
    parser.module.is_haxe = ending.eq_ignore_ascii_case("hx");
    if ending.eq_ignore_ascii_case("mxml") {
        parser.mxml();
    } else {
        parser.tokens = script::tokens(source.text, 0..source.text.len(), 1, parser.language());
        if parser.is_haxe() {
            parser.tokens = conditional::taken(&parser.tokens);
        }
        parser.file();
    }
    parser.module.variables = parser.contents.variables;
    (parser.module, parser.warnings)
}

impl<'a> Parser<'a> {
    fn define(&mut self, item: Item) {
        self.module.definitions.push(Definition { package: self.package.clone(), item });
    }

    fn kind(&self) -> (Kind, &'a str) {
        self.ahead(0)
    }

    fn ahead(&self, count: usize) -> (Kind, &'a str) {
        self.tokens.get(self.at + count).map_or((Kind::End, ""), |token| (token.class, token.text))
    }

    fn is_name_ahead(&self, count: usize) -> bool {
        self.ahead(count).0 == Kind::Word
    }

    fn token(&self) -> Option<&Token<'a>> {
        self.tokens.get(self.at).or(self.tokens.last())
    }

    fn line(&self) -> u32 {
        self.token().map_or(1, |token| token.line)
    }

    /// Reports whether the next token is the first on its line.
    fn is_first(&self) -> bool {
        self.token().is_none_or(|token| token.is_first)
    }

    fn is_haxe(&self) -> bool {
        self.module.is_haxe
    }

    fn language(&self) -> Language {
        if self.is_haxe() { Language::Haxe } else { Language::ActionScript }
    }

    fn is_end(&self) -> bool {
        self.kind().0 == Kind::End
    }

    fn advance(&mut self) {
        self.skip(1);
    }

    fn skip(&mut self, count: usize) {
        self.at = self.tokens.len().min(self.at + count);
    }

    fn is(&self, text: &str) -> bool {
        self.is_ahead(0, text)
    }

    fn is_ahead(&self, count: usize, text: &str) -> bool {
        self.tokens.get(self.at + count).is_some_and(|token| token.is(text))
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.eat(text) { Ok(()) } else { Err(self.expected(&format!("`{text}`"))) }
    }

    fn word(&self) -> Option<&'a str> {
        match self.kind() {
            (Kind::Word, name) => Some(name),
            _ => None,
        }
    }

    fn name(&mut self) -> Parsed<Name> {
        let name = self.word().ok_or_else(|| self.expected("a name"))?;
        self.advance();
        Ok(name.into())
    }

    /// Consumes the first character of a token in which the lexer may have merged several signs.
    fn eat_first(&mut self, first: char) -> bool {
        let (Kind::Sign, sign) = self.kind() else { return false };
        let Some(rest) = sign.strip_prefix(first) else { return false };
        match self.tokens.get_mut(self.at) {
            Some(token) if !rest.is_empty() => (token.text, token.at) = (rest, token.at + first.len_utf8()),
            _ => self.advance(),
        }
        true
    }

    /// Parses comma-separated items up to and including the closing sign.
    fn separated<T>(&mut self, end: &str, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        while !self.eat(end) {
            items.push(item(self)?);
            if !self.eat(",") {
                self.expect(end)?;
                break;
            }
        }
        Ok(items)
    }

    fn several<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let first = item(self)?;
        self.more(first, item)
    }

    /// Parses the remaining items of a comma-separated list whose first item was already parsed.
    fn more<T>(&mut self, first: T, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![first];
        while self.eat(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Parses the items of a block up to and including the closing bracket. Items with errors are dropped. The block also ends if
    /// `is_over` reports that the closing bracket is missing.
    fn block_of<T>(
        &mut self,
        lost: &str,
        is_over: impl Fn(&Self) -> bool,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Vec<T> {
        let mut items = Vec::new();
        while !self.eat("}") {
            if is_over(self) {
                let problem = self.expected("`}`");
                self.warn(&problem, "the block is assumed to end at this point");
                break;
            }
            items.extend(self.tolerant(lost, &mut item));
        }
        items
    }

    fn describe(&self) -> String {
        match self.kind() {
            (Kind::Word | Kind::Sign | Kind::Directive, text) => format!("`{text}`"),
            (Kind::Number, _) => "a number".into(),
            (Kind::Literal | Kind::Open, _) => "a string".into(),
            (Kind::Regex, _) => "a regular expression".into(),
            (Kind::Xml, _) => "an XML literal".into(),
            (Kind::End, _) => "the end of the file".into(),
        }
    }

    fn expected(&self, what: &str) -> Problem {
        self.problem(format!("{what} is expected here, not {}", self.describe()))
    }

    fn problem(&self, message: String) -> Problem {
        Problem { at: self.at, message }
    }

    /// Parses a nested construct, or fails if the nesting depth would exceed `DEEPEST`.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            return Err(self.problem(format!("this code is nested more than {DEEPEST} levels deep")));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn warn(&mut self, problem: &Problem, consequence: &str) {
        if self.warnings.len() > MOST_WARNINGS {
            return;
        }
        let token = self.tokens.get(problem.at).or(self.tokens.last());
        let (at, line) = token.map_or((0, 1), |token| (token.at, token.line));
        let before = self.text.get(..at).unwrap_or_default();
        let start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let column = before.get(start..).unwrap_or_default().chars().count() + 1;
        let message = if self.warnings.len() == MOST_WARNINGS {
            "further code is not understood, and is left out".into()
        } else {
            format!("{}: {consequence}", problem.message)
        };
        let column = u32::try_from(column).unwrap_or(u32::MAX);
        if self.warnings.last().is_some_and(|last| (last.line, last.column) == (line, column)) {
            return;
        }
        self.warnings.push(SourceWarning { file: self.file, line, column, message });
    }

    /// Skips the construct that begins at `start` and contains an error, up to the start of the next construct.
    fn recover(&mut self, start: usize, problem: &Problem) {
        self.at = start;
        let (mut braces, mut others) = (0u32, 0u32);
        while !self.is_end() {
            if braces == 0 && self.at > start && self.at >= problem.at && self.is_start() {
                return;
            }
            match self.kind() {
                (Kind::Sign, "{") => braces += 1,
                (Kind::Sign, "}") if braces == 0 => return,
                (Kind::Sign, "}") => {
                    braces -= 1;
                    let is_past = braces == 0 && self.at >= problem.at;
                    self.advance();
                    // A parenthesis may still be open because a missing `)` caused the error.
                    if is_past && (others == 0 || self.is_first() && self.is_name_ahead(0)) {
                        return;
                    }
                    continue;
                }
                (Kind::Sign, "(" | "[") => others += 1,
                (Kind::Sign, ")" | "]") => others = others.saturating_sub(1),
                (Kind::Sign, ";") if braces == 0 && self.at >= problem.at => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Reports whether the next token begins a line and can begin only a statement or a member.
    fn is_start(&self) -> bool {
        let (Kind::Word, word) = self.kind() else { return false };
        let is_start = match word {
            "var" | "const" | "public" | "private" | "protected" | "internal" | "static" | "override" | "class" => true,
            "if" | "for" | "while" | "do" | "switch" | "try" | "return" | "throw" => !self.is_haxe(),
            "function" => self.is_name_ahead(1),
            _ => false,
        };
        is_start && self.is_first()
    }

    fn tolerant<T>(&mut self, lost: &str, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Option<T> {
        let (start, depth, variables) = (self.at, self.depth, self.contents.variables.len());
        let parsed = match parse(self) {
            Ok(parsed) => Some(parsed),
            Err(problem) => {
                self.depth = depth;
                self.contents.variables.truncate(variables);
                self.warn(&problem, &format!("{lost} is left out"));
                self.recover(start, &problem);
                None
            }
        };
        // The parser advances by at least one token, even if the item is empty.
        if self.at == start {
            self.advance();
        }
        parsed
    }
}

//! The tokens of ActionScript and Haxe, with the line of each.
//!
//! Whether `/` begins a regular expression and `<` an XML literal is decided by the token before it, so the whole text is
//! cut into tokens before it is parsed. Nothing in a text is an error here: a byte that begins no token is left out, and a
//! literal without an end goes to the end of its line.

use std::rc::Rc;

use agalc::script;

use crate::sources::literal;

/// Which language a text is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    ActionScript,
    Haxe,
}

/// A name or a text that the syntax tree shares.
pub(crate) type Name = Rc<str>;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// An identifier or a keyword: which one it is depends on where it stands.
    Name(Name),
    Number(f64),
    Text(Name),
    /// A string of Haxe in which expressions stand.
    Interpolated(Vec<Part>),
    Regex {
        pattern: Name,
        flags: Name,
    },
    /// An XML literal, in which expressions may stand.
    Xml(Vec<Part>),
    /// A directive of Haxe's conditional compilation, such as `#if`.
    Directive(Name),
    Mark(&'static str),
    End,
}

/// A part of an interpolated string.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    Text(Name),
    /// The bytes of the source in which an expression stands, and its line.
    Code {
        start: usize,
        end: usize,
        line: u32,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// The offset in bytes.
    pub(crate) at: usize,
    pub(crate) line: u32,
    /// Whether it is the first of its line.
    pub(crate) is_first: bool,
}

impl Token {
    pub(crate) fn is(&self, mark: &str) -> bool {
        matches!(&self.kind, Kind::Mark(found) if *found == mark)
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(&self.kind, Kind::Name(found) if **found == *word)
    }
}

/// The marks, those that begin with another one before it.
const MARKS: &[&str] = &[
    ">>>=", "===", "!==", ">>>", "<<=", ">>=", "&&=", "||=", "...", "??=", "==", "!=", "<=", ">=", "&&", "||", "<<",
    ">>", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "..", ".<", "=>", "->", "?.", "??", "{",
    "}", "(", ")", "[", "]", ";", ",", ":", "?", ".", "=", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "<", ">",
    "@", "$",
];

/// Marks of one language that are two tokens in the other one.
fn is_of(mark: &str, dialect: Dialect) -> bool {
    match mark {
        "=>" | "->" | "?." | "??" | "??=" | "$" => dialect == Dialect::Haxe,
        "===" | "!==" | "&&=" | "||=" | "::" | ".." | ".<" => dialect == Dialect::ActionScript,
        _ => true,
    }
}

/// Words after which an operand stands.
const BEFORE_OPERANDS: &[&str] = &[
    "return",
    "typeof",
    "case",
    "in",
    "new",
    "delete",
    "void",
    "throw",
    "else",
    "do",
    "is",
    "as",
    "instanceof",
    "each",
    "untyped",
    "cast",
];

pub(crate) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    end: usize,
    line: u32,
    dialect: Dialect,
    tokens: Vec<Token>,
    /// How many times what looked like an XML literal was none.
    failures: u32,
}

/// The most times that an XML literal is looked for in vain: each time may look at the whole text.
const MOST_FAILURES: u32 = 100;

/// The tokens of a part of a text; the last one is [`Kind::End`].
pub(crate) fn tokens(text: &str, start: usize, end: usize, line: u32, dialect: Dialect) -> Vec<Token> {
    let end = end.min(text.len());
    let mut lexer = Lexer { text, at: start, end, line, dialect, tokens: Vec::new(), failures: 0 };
    lexer.run();
    lexer.tokens
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn push(&mut self, kind: Kind, at: usize, line: u32) {
        let is_first = self.tokens.last().is_none_or(|last| last.line < line);
        self.tokens.push(Token { kind, at, line, is_first });
    }

    /// Goes over some bytes and counts their lines.
    fn skip(&mut self, length: usize) -> &'a str {
        let skipped = self.rest().get(..length).unwrap_or(self.rest());
        let start = self.at;
        self.at += skipped.len();
        let lines = literal::lines(self.text, start, self.at);
        self.line = self.line.saturating_add(lines);
        skipped
    }

    fn run(&mut self) {
        while let Some(next) = self.peek() {
            let rest = self.rest();
            if next.is_whitespace() || next == '\u{feff}' {
                self.skip(next.len_utf8());
            } else if let Some(length) = script::comment(rest) {
                self.skip(length);
            } else {
                self.token(next);
            }
        }
        let (at, line) = (self.at, self.line);
        self.push(Kind::End, at, line);
    }

    fn token(&mut self, next: char) {
        let (at, line, rest) = (self.at, self.line, self.rest());
        if next.is_alphabetic() || next == '_' || next == '$' && self.dialect == Dialect::ActionScript {
            let word = self.skip(word_length(rest));
            self.push(Kind::Name(word.into()), at, line);
        } else if next.is_ascii_digit() || next == '.' && rest.get(1..).is_some_and(starts_with_digit) {
            let length = literal::number_length(rest, self.dialect == Dialect::Haxe);
            let number = literal::number(self.skip(length));
            self.push(Kind::Number(number), at, line);
        } else if next == '"' || next == '\'' {
            self.string(next);
        } else if next == '#' {
            let length = 1 + word_length(rest.get(1..).unwrap_or_default());
            let word = self.skip(length);
            if length > 1 && self.dialect == Dialect::Haxe {
                self.push(Kind::Directive(word.get(1..).unwrap_or_default().into()), at, line);
            } else if rest.starts_with("#!") {
                self.skip(rest.find('\n').unwrap_or(rest.len()).saturating_sub(length));
            }
        } else if !self.literal() {
            self.mark(next);
        }
    }

    fn mark(&mut self, next: char) {
        let (at, line, rest) = (self.at, self.line, self.rest());
        match MARKS.iter().find(|mark| rest.starts_with(**mark) && is_of(mark, self.dialect)) {
            Some(mark) => {
                self.skip(mark.len());
                self.push(Kind::Mark(mark), at, line);
            }
            None => {
                self.skip(next.len_utf8());
            }
        }
    }

    fn string(&mut self, quote: char) {
        let (at, line, is_haxe) = (self.at, self.line, self.dialect == Dialect::Haxe);
        let length = literal::string_length(self.rest(), is_haxe);
        let written = self.skip(length);
        let inner = written.get(1..).unwrap_or_default();
        let inner = inner.strip_suffix(quote).unwrap_or(inner);
        let kind = if is_haxe && quote == '\'' && inner.contains('$') {
            Kind::Interpolated(literal::parts(inner, at + 1, line))
        } else {
            Kind::Text(literal::unescape(inner).into())
        };
        self.push(kind, at, line);
    }

    /// A regular expression or an XML literal, if one may stand here.
    fn literal(&mut self) -> bool {
        let (at, line, rest) = (self.at, self.line, self.rest());
        let is_operand = !self.tokens.last().is_some_and(ends_operand);
        let regex = match self.dialect {
            Dialect::Haxe => rest.strip_prefix("~/"),
            Dialect::ActionScript => rest.strip_prefix('/').filter(|_| is_operand),
        };
        if let Some(body) = regex
            && let Some(length) = literal::regex_length(body)
        {
            let pattern: Name = body.get(..length).unwrap_or_default().into();
            self.skip(rest.len() - body.len() + length + 1);
            let flags = self.skip(word_length(self.rest()));
            self.push(Kind::Regex { pattern, flags: flags.into() }, at, line);
            return true;
        }
        let may_be_xml = self.dialect == Dialect::ActionScript && is_operand && rest.starts_with('<');
        if may_be_xml && self.failures < MOST_FAILURES {
            if let Some(length) = literal::xml_length(rest) {
                let written = self.skip(length);
                self.push(Kind::Xml(literal::xml_parts(written, at, line)), at, line);
                return true;
            }
            self.failures += 1;
        }
        false
    }
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|digit: char| digit.is_ascii_digit())
}

fn word_length(text: &str) -> usize {
    text.find(|letter: char| !script::is_word(letter)).unwrap_or(text.len())
}

/// Whether an operand ends with this token, so that an operator comes next.
fn ends_operand(token: &Token) -> bool {
    match &token.kind {
        Kind::Name(word) => !BEFORE_OPERANDS.contains(&&**word),
        Kind::Mark(mark) => matches!(*mark, ")" | "]" | "}"),
        Kind::Directive(_) => false,
        _ => true,
    }
}

//! Splits a line of text into tokens.
//!
//! Rule: any text can be split into tokens. A character that does not begin another kind of token is a token by itself. An
//! unterminated string is also a token. Tokens are produced on demand and not stored, so splitting a line of any length needs
//! no memory.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// An id: `%` and the letters, digits and `_` that directly follow the `%`.
    Id,
    /// A word: a letter or `_`, followed by letters, digits and `_`.
    Word,
    /// A number: a digit or `-`, followed by letters, digits, `.`, `_`, and signs after an `e`.
    Number,
    /// A string, including its quotes.
    String,
    /// A string without a closing quote.
    OpenString,
    /// Any other single character.
    Other,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind,
    pub(super) text: &'t str,
    /// The byte offset of the token in the text.
    pub(super) at: usize,
}

impl Token<'_> {
    pub(super) fn end(&self) -> usize {
        self.at + self.text.len()
    }

    /// Reports whether the token is the word or character `text`.
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text && matches!(self.kind, TokenKind::Word | TokenKind::Other)
    }
}

/// The tokens of a line, up to a comment or the end of the line.
#[derive(Clone)]
pub(super) struct Tokens<'t> {
    /// The part of the line that has not been split yet.
    rest: &'t str,
    /// The byte offset of `rest` in the text.
    at: usize,
}

impl<'t> Tokens<'t> {
    /// Splits a line that begins at the byte offset `at` in the text.
    pub(super) fn new(line: &'t str, at: usize) -> Tokens<'t> {
        Tokens { rest: line, at }
    }

    fn take(&mut self, length: usize) -> &'t str {
        // Every token ends at a character boundary.
        let (token, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        self.at += token.len();
        token
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        let blank = self.rest.len() - self.rest.trim_start_matches([' ', '\t', '\r']).len();
        self.take(blank);
        let first = self.rest.chars().next().filter(|&first| first != ';')?;
        let (kind, length) = match first {
            '%' => (TokenKind::Id, 1 + run(self.rest.get(1..).unwrap_or_default())),
            '"' => string(self.rest),
            '-' | '0'..='9' => (TokenKind::Number, number(self.rest)),
            '_' | 'a'..='z' | 'A'..='Z' => (TokenKind::Word, run(self.rest)),
            other => (TokenKind::Other, other.len_utf8()),
        };
        let at = self.at;
        Some(Token { kind, text: self.take(length), at })
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the number of letters, digits and `_` at the start of `text`.
fn run(text: &str) -> usize {
    text.bytes().take_while(|&byte| is_word(byte)).count()
}

fn number(text: &str) -> usize {
    let hexadecimal = text.starts_with("0x");
    let mut last = 0;
    let belongs = |&byte: &u8| {
        let sign = matches!(byte, b'+' | b'-') && (last == 0 || !hexadecimal && matches!(last, b'e' | b'E'));
        last = byte;
        sign || is_word(byte) || byte == b'.'
    };
    text.bytes().take_while(belongs).count()
}

fn string(text: &str) -> (TokenKind, usize) {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return (TokenKind::String, at + 1),
            _ => {}
        }
    }
    (TokenKind::OpenString, text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_into_tokens() {
        let tokens = |line| Tokens::new(line, 0).map(|token| token.text).collect::<Vec<_>>();
        assert_eq!(tokens("%6 vt0 = add %1,_ @3 ; x"), ["%6", "vt0", "=", "add", "%1", ",", "_", "@", "3"]);
        assert_eq!(tokens("\t-1e-10 0x1e-2 -inf 1.5\r"), ["-1e-10", "0x1e", "-2", "-inf", "1.5"]);
        assert_eq!(tokens(r#""a;\"b" "é\\"x"#), [r#""a;\"b""#, r#""é\\""#, "x"]);
        assert_eq!(tokens("float4[8]é€"), ["float4", "[", "8", "]", "é", "€"]);
        assert_eq!(tokens("; all of it"), [] as [&str; 0]);
    }

    #[test]
    fn tokens_have_their_byte_ranges() {
        let line = "é = \"ü\"{";
        for token in Tokens::new(line, 0) {
            assert_eq!(line.get(token.at..token.end()), Some(token.text));
        }
        let open = Tokens::new("x \"abc\\\"", 7).last().map(|token| (token.kind, token.at, token.end()));
        assert_eq!(open, Some((TokenKind::OpenString, 9, 15)));
    }
}

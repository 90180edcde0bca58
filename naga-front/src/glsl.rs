//! What naga's GLSL reader gets wrong without saying so: a `continue` in a `do` loop skips the loop's condition. It is found in the text.

use std::ops::Range;

/// The deepest nesting that is followed; naga follows no more.
const DEEPEST: usize = 200;

/// The first `continue` of a `do` loop.
pub(crate) fn continue_in_do(text: &str) -> Option<Range<usize>> {
    let mut scan = Scan { tokens: tokens(text), at: 0, found: None };
    while scan.at < scan.tokens.len() && scan.found.is_none() {
        let before = scan.at;
        scan.statement(false, 0);
        // A stray `}`.
        if scan.at == before {
            scan.at += 1;
        }
    }
    scan.found
}

/// The words and signs of a text, without comments and directives.
fn tokens(text: &str) -> Vec<(&str, usize)> {
    let mut tokens = Vec::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    while let Some(rest) = text.get(at..)
        && let Some(first) = rest.chars().next()
    {
        let length = if rest.starts_with("//") || first == '#' {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            tokens.extend(rest.get(..length).map(|word| (word, at)));
            length
        } else {
            if !first.is_whitespace() {
                tokens.extend(rest.get(..first.len_utf8()).map(|sign| (sign, at)));
            }
            first.len_utf8()
        };
        at += length;
    }
    tokens
}

struct Scan<'t> {
    tokens: Vec<(&'t str, usize)>,
    at: usize,
    found: Option<Range<usize>>,
}

impl Scan<'_> {
    fn token(&self) -> &str {
        self.tokens.get(self.at).map_or("", |&(token, _)| token)
    }

    /// Passes over what is in parentheses, if they follow.
    fn parentheses(&mut self) {
        let mut open = 0usize;
        while self.at < self.tokens.len() {
            match self.token() {
                "(" => open += 1,
                ")" => open = open.saturating_sub(1),
                _ if open == 0 => return,
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                return;
            }
        }
    }

    /// Passes over a statement or declaration. `in_do` says whether a `continue` in it would be one of a `do` loop.
    fn statement(&mut self, in_do: bool, depth: usize) {
        if depth > DEEPEST {
            self.at = self.tokens.len();
            return;
        }
        let (token, place) = (self.token().to_string(), self.tokens.get(self.at).map_or(0, |&(_, place)| place));
        match token.as_str() {
            "}" => {}
            "{" => {
                self.at += 1;
                while self.at < self.tokens.len() && self.token() != "}" {
                    self.statement(in_do, depth + 1);
                }
                self.at += 1;
            }
            "do" => {
                self.at += 1;
                self.statement(true, depth + 1);
                // The `while` that ends it is not one of its own.
                if self.token() == "while" {
                    self.at += 1;
                    self.parentheses();
                }
            }
            "for" | "while" => {
                self.at += 1;
                self.parentheses();
                self.statement(false, depth + 1);
            }
            "if" | "switch" => {
                self.at += 1;
                self.parentheses();
                self.statement(in_do, depth + 1);
            }
            "case" | "default" => {
                while self.at < self.tokens.len() && !matches!(self.token(), ":" | "}") {
                    self.at += 1;
                }
                self.at += usize::from(self.token() == ":");
            }
            "else" => {
                self.at += 1;
                self.statement(in_do, depth + 1);
            }
            "continue" if in_do => {
                self.found.get_or_insert(place..place + token.len());
                self.at += 1;
            }
            // Up to its end, or to the block of a function.
            _ => {
                while self.at < self.tokens.len() && !matches!(self.token(), ";" | "{" | "}") {
                    self.at += 1;
                }
                if self.token() == ";" {
                    self.at += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::continue_in_do;

    #[test]
    fn a_continue_of_a_do_loop_is_found_and_no_other() {
        let found = |code: &str| continue_in_do(code).map(|place| place.start);
        assert_eq!(found("void f() { do { if (a) continue; b(); } while (c); }"), Some(23));
        assert_eq!(found("void f() { do if (a) continue; while (c); }"), Some(21));
        assert_eq!(found("void f() { do { switch (a) { case 1: continue; } } while (c); }"), Some(37));
        assert_eq!(found("void f() { do { for (;;) { continue; } while (x) continue; } while (c); }"), None);
        assert_eq!(found("void f() { for (;;) { do { a(); } while (c); continue; } }"), None);
        assert_eq!(found("void f() { do { /* continue */ // continue\n a(); } while (c); }"), None);
        assert_eq!(found("} } do"), None);
    }
}

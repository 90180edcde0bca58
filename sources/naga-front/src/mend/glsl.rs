//! Checks of source text before naga's readers see it. The checks refuse nesting that is too deep for the readers, and code that
//! the GLSL reader misreads silently.
//!
//! Upstream fault `recursion`: the WGSL and GLSL readers process expressions and statements recursively. The readers do not limit
//! every kind of nesting, so a deeply nested source overflows the stack.
//!
//! Upstream fault `continue_in_do`: `TokenValue::Do` in `front/glsl/parser/functions.rs` makes a loop whose condition is in its
//! body, so that a `continue` skips the condition. No upstream issue is known.
//!
//! Upstream fault `operands_always_done`: `HirExprKind::Binary` in `front/glsl/context.rs` always evaluates the right operand of
//! `&&` and `||` (gfx-rs/wgpu#4394, which is fixed only for WGSL).
//!
//! Upstream fault `targets_done_twice`: `ParsingContext::parse_assignment` in `front/glsl/parser/expressions.rs` reads and writes
//! the target of `a[i++] += 1` through two expressions, each of which evaluates `i++`. No upstream issue is known.
//!
//! Upstream fault `fetch_offset`: `MacroCall::ImageLoad` in `front/glsl/builtins.rs` ignores the offset operand of
//! `texelFetchOffset`. No upstream issue is known.
//!
//! Upstream fault `clip_distance`: a declaration of `gl_ClipDistance` with a length (`Frontend::add_global_var` in
//! `front/glsl/variables.rs`) becomes a separate output, with a location for each element. No upstream issue is known.

use std::collections::BTreeSet;
use std::ops::Range;

/// The maximum nesting depth of scanned statements. A source that naga's reader accepts never exceeds this depth.
const DEEPEST: usize = 200;
/// The maximum depth of brackets and the maximum number of consecutive operators. The limits are needed because naga's readers,
/// and the passes that run after them, are recursive.
const MOST_OPEN: usize = 200;
const MOST_OPERATORS: usize = 1000;

/// Returns the range of the first token that is nested too deeply for naga's readers.
pub(crate) fn too_deep(text: &str) -> Option<Range<usize>> {
    let (mut open, mut operators) = (0usize, 0usize);
    for (token, place) in tokens(text) {
        match token {
            "(" | "[" | "{" => open += 1,
            ")" | "]" | "}" => open = open.saturating_sub(1),
            _ => {}
        }
        match token {
            ";" | "{" | "}" | "," => operators = 0,
            _ if token.starts_with(|c: char| c.is_alphanumeric() || c == '_' || "()[].:@".contains(c)) => {}
            _ => operators += 1,
        }
        if open > MOST_OPEN || operators > MOST_OPERATORS {
            return Some(place..place + token.len());
        }
    }
    None
}

/// Reports whether the token at an index assigns, or calls a function whose name is in `effects`.
fn has_effect(tokens: &[(&str, usize)], at: usize, effects: &BTreeSet<&str>) -> bool {
    let Some(&(token, _)) = tokens.get(at) else { return false };
    let is_called = || tokens.get(at + 1).is_some_and(|(next, _)| *next == "(");
    matches!(token, "=" | "++" | "--") || is_compound(token) || effects.contains(token) && is_called()
}

fn is_compound(token: &str) -> bool {
    matches!(token, "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=")
}

/// Returns the range of the first side effect in the right operand of `&&` or `||`. `effects` contains the names of functions
/// with side effects.
pub(crate) fn effect_of_operand(text: &str, effects: &BTreeSet<&str>) -> Option<Range<usize>> {
    let tokens = tokens(text);
    for (at, _) in tokens.iter().enumerate().filter(|(_, (token, _))| matches!(*token, "&&" | "||")) {
        let mut open = 0usize;
        let rest = tokens.get(at + 1..).unwrap_or_default();
        for (number, &(token, place)) in rest.iter().enumerate() {
            match token {
                "(" | "[" => open += 1,
                ")" | "]" if open == 0 => break,
                ")" | "]" => open -= 1,
                ";" | "{" | "}" => break,
                "," | "?" | ":" if open == 0 => break,
                _ => {}
            }
            if has_effect(rest, number, effects) {
                return Some(place..place + token.len());
            }
        }
    }
    None
}

/// Returns the range of the first side effect in the brackets of a compound assignment's target.
pub(crate) fn effect_of_target(text: &str, effects: &BTreeSet<&str>) -> Option<Range<usize>> {
    let tokens = tokens(text);
    for (at, _) in tokens.iter().enumerate().filter(|(_, (token, _))| is_compound(token)) {
        let mut open = 0usize;
        let before = tokens.get(..at).unwrap_or_default();
        for (number, &(token, place)) in before.iter().enumerate().rev() {
            // The target consists of names, fields and bracketed indices.
            let is_name = token.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
            match token {
                "]" => open += 1,
                ")" if open > 0 => open += 1,
                "[" | "(" if open > 0 => open -= 1,
                _ if open == 0 && !is_name => break,
                _ => {}
            }
            if open > 0 && has_effect(before, number, effects) {
                return Some(place..place + token.len());
            }
        }
    }
    None
}

pub(crate) fn word(text: &str, word: &str) -> Option<Range<usize>> {
    let (name, place) = tokens(text).into_iter().find(|(token, _)| *token == word)?;
    Some(place..place + name.len())
}

pub(crate) fn continue_in_do(text: &str) -> Option<Range<usize>> {
    let mut scan = Scan { tokens: tokens(text), at: 0, found: None };
    while scan.at < scan.tokens.len() && scan.found.is_none() {
        let before = scan.at;
        scan.statement(false, 0);
        if scan.at == before {
            scan.at += 1;
        }
    }
    scan.found
}

const SIGNS: [&str; 20] = [
    "<<=", ">>=", "&&", "||", "^^", "++", "--", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    "->",
];

/// Returns the words and operators of a source text, without comments and without preprocessor directives other than `#define`.
fn tokens(text: &str) -> Vec<(&str, usize)> {
    let mut tokens = Vec::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    while let Some(rest) = text.get(at..)
        && let Some(first) = rest.chars().next()
    {
        let is_directive = first == '#' && !rest.starts_with("#define");
        let length = if is_directive || rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            tokens.extend(rest.get(..length).map(|word| (word, at)));
            length
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let length = sign.map_or(first.len_utf8(), |sign| sign.len());
            if !first.is_whitespace() {
                tokens.extend(rest.get(..length).map(|sign| (sign, at)));
            }
            length
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

impl<'t> Scan<'t> {
    fn token(&self) -> &'t str {
        self.tokens.get(self.at).map_or("", |&(token, _)| token)
    }

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

    /// Skips a statement or declaration. `in_do` is true if a `continue` in the statement would belong to a `do` loop.
    fn statement(&mut self, in_do: bool, depth: usize) {
        if depth > DEEPEST {
            self.at = self.tokens.len();
            return;
        }
        let (token, place) = self.tokens.get(self.at).copied().unwrap_or_default();
        match token {
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
                // The `while` that ends a `do` loop does not begin a loop.
                if self.token() == "while" {
                    self.at += 1;
                    self.parentheses();
                }
            }
            "for" | "while" | "if" | "switch" => {
                self.at += 1;
                self.parentheses();
                self.statement(in_do && matches!(token, "if" | "switch"), depth + 1);
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
            // Skips to the end of the statement, or to the body of a function.
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
    use std::collections::BTreeSet;

    use super::{continue_in_do, effect_of_operand, effect_of_target, too_deep};

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

    #[test]
    fn effects_on_the_right_of_logical_operators_are_found() {
        let effects = BTreeSet::from(["bump"]);
        let found = |code: &'static str| effect_of_operand(code, &effects).map(|place| &code[place]);
        assert_eq!(found("b = v.x > 5.0 && k++ > -1;"), Some("++"));
        assert_eq!(found("b = v.x > 5.0 || (k = 3) > 0;"), Some("="));
        assert_eq!(found("b = x && (k > 0 ? bump(k) : 0) > 0;"), Some("bump"));
        assert_eq!(found("b = k++ > 0 && f(x) <= 2; k = 3;"), None);
        assert_eq!(found("f(a && b, k++); if (a || b) { k = 1; }"), None);
    }

    #[test]
    fn effects_in_the_target_of_a_compound_assignment_are_found() {
        let effects = BTreeSet::from(["bump"]);
        let found = |code: &'static str| effect_of_target(code, &effects).map(|place| &code[place]);
        assert_eq!(found("a[k++] += 5;"), Some("++"));
        assert_eq!(found("a[bump(k)].x *= 5.0;"), Some("bump"));
        assert_eq!(found("for (int i = 0; i < n; i++) a[i] += 5;"), None);
        assert_eq!(found("if (bump(k) > 0) a[i].x -= 5;"), None);
        assert_eq!(found("a[k++] = 5; b[f(k)] += 1; k++; c += 2;"), None);
    }

    #[test]
    fn deep_texts_are_found() {
        assert!(too_deep(&"(".repeat(300)).is_some());
        assert!(too_deep(&"v + ".repeat(2000)).is_some());
        assert!(too_deep(&"-".repeat(3000)).is_some());
        assert!(too_deep(&"v + v, ".repeat(2000)).is_none());
        assert!(too_deep(&"f(x); ".repeat(2000)).is_none());
    }
}

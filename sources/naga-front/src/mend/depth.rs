//! A check of source text before naga's reader sees it: nesting that is too deep is refused.
//!
//! Upstream fault `recursion`: the WGSL reader processes expressions and statements recursively. The reader does not limit every kind
//! of nesting, so a deeply nested source overflows the stack.

use std::ops::Range;

/// The maximum depth of brackets, the maximum number of consecutive operators, and the maximum number of `else` in one `if`. The
/// limits are needed because naga's reader, and the passes that run after the reader, are recursive. The module that the reader
/// produces nests less deeply than its source.
const MOST_OPEN: usize = 200;
const MOST_OPERATORS: usize = 1000;
const MOST_ELSES: usize = 100;

/// Returns the range of the first token that is nested too deeply for naga's reader.
pub(crate) fn too_deep(text: &str) -> Option<Range<usize>> {
    let (mut open, mut operators) = (0usize, 0usize);
    // By depth: the number of `else` in the last `if`.
    let mut elses = [0usize; MOST_OPEN + 1];
    let mut before = "";
    for (token, place) in tokens(text) {
        if let Some(elses) = elses.get_mut(open) {
            match (before, token) {
                ("}", "else") => *elses += 1,
                ("}", _) => *elses = 0,
                _ => {}
            }
            if *elses > MOST_ELSES {
                return Some(place..place + token.len());
            }
        }
        before = token;
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

const SIGNS: [&str; 20] = [
    "<<=", ">>=", "&&", "||", "^^", "++", "--", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    "->",
];

/// Returns the words and operators of a source text, without comments.
pub(super) fn tokens(text: &str) -> Vec<(&str, usize)> {
    let mut tokens = Vec::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    while let Some(rest) = text.get(at..)
        && let Some(first) = rest.chars().next()
    {
        let length = if rest.starts_with("//") {
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

#[cfg(test)]
mod tests {
    use super::too_deep;

    #[test]
    fn deep_texts_are_found() {
        assert!(too_deep(&"(".repeat(300)).is_some());
        assert!(too_deep(&"v + ".repeat(2000)).is_some());
        assert!(too_deep(&"-".repeat(3000)).is_some());
        assert!(too_deep(&format!("if a {{ b(); }}{}", " else if a { b(); }".repeat(200))).is_some());
        assert!(too_deep(&"if a { b(); } else { c(); } ".repeat(2000)).is_none());
        assert!(too_deep(&"v + v, ".repeat(2000)).is_none());
        assert!(too_deep(&"f(x); ".repeat(2000)).is_none());
    }
}

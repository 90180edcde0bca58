//! Splits GLSL into tokens, and leaves out comments.

use std::ops::Range;

use sdlbc::FunctionKind;

/// A token: a word or number, or one character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    /// The byte offset at which the token begins.
    pub(crate) at: usize,
}

/// Returns the tokens of a source.
pub(crate) fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..)?;
            let first = rest.chars().next()?;
            if rest.starts_with("//") {
                at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            } else if first.is_whitespace() {
                at += first.len_utf8();
            } else {
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                let length = match rest.find(|c: char| !is_word(c)) {
                    Some(0) => first.len_utf8(),
                    length => length.unwrap_or(rest.len()),
                };
                let token = Token { text: rest.get(..length)?, at };
                at += length;
                return Some(token);
            }
        }
    })
}

/// Returns the declarations of a stage's varyings that are outside functions and have no location. Each declaration is given by the range
/// of its qualifier, such as `in` or `out`, and by whether it declares a block.
pub(crate) fn without_location(text: &str, stage: FunctionKind) -> impl Iterator<Item = (Range<usize>, bool)> {
    let passed = match stage {
        FunctionKind::Vertex => "out",
        FunctionKind::Fragment => "in",
        _ => "",
    };
    let mut tokens = tokens(text);
    let mut open = 0usize;
    let (mut varying, mut has_location, mut is_block) = (None, false, false);
    std::iter::from_fn(move || {
        for Token { text, at } in tokens.by_ref() {
            match text {
                "location" => has_location = true,
                // The block of built-in outputs needs no location.
                "gl_PerVertex" => has_location = true,
                "(" | "{" => {
                    is_block |= open == 0 && text == "{";
                    open += 1;
                }
                ")" | "}" => {
                    open = open.saturating_sub(1);
                    // The body of a function ends without a semicolon.
                    if open == 0 && text == "}" && varying.is_none() {
                        (has_location, is_block) = (false, false);
                    }
                }
                ";" if open == 0 => {
                    let is_block = std::mem::take(&mut is_block);
                    if let (Some(place), false) = (varying.take(), std::mem::take(&mut has_location)) {
                        return Some((place, is_block));
                    }
                }
                _ if open == 0 && (text == passed || text == "varying") => varying = Some(at..at + text.len()),
                _ => {}
            }
        }
        None
    })
}

/// Returns the range of the qualifier of the first block of varyings without a location.
pub(crate) fn block_without_location(text: &str, stage: FunctionKind) -> Option<Range<usize>> {
    without_location(text, stage).find(|(_, is_block)| *is_block).map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_characters_are_tokens_and_comments_are_not() {
        let found: Vec<&str> = tokens("a1 /* b */ += // c\n1.5f;").map(|token| token.text).collect();
        assert_eq!(found, ["a1", "+", "=", "1", ".", "5f", ";"]);
        assert_eq!(tokens("/* not closed").next(), None);
        assert_eq!(tokens(" é;").map(|token| token.at).collect::<Vec<_>>(), [1, 3]);
    }

    #[test]
    fn varyings_without_a_location_are_found_outside_functions() {
        use FunctionKind::{Compute, Fragment, Vertex};
        for (text, stage, found) in [
            ("in vec2 uv;", Fragment, Some((0..2, false))),
            ("in vec2 uv;", Vertex, None),
            ("layout(location = 1) in vec2 uv;", Fragment, None),
            ("layout(location = 1) in vec2 uv; flat in int k;", Fragment, Some((38..40, false))),
            ("out Block { vec2 uv; } block;", Vertex, Some((0..3, true))),
            ("layout(location = 0) out Block { vec2 uv; } block;", Vertex, None),
            ("out Block { layout(location = 0) vec2 uv; } block;", Vertex, None),
            ("void f() { int location; } out vec2 uv;", Vertex, Some((27..30, false))),
            ("out gl_PerVertex { vec4 gl_Position; };", Vertex, None),
            ("void f(in vec2 uv) { }", Fragment, None),
            ("varying vec2 uv;", Vertex, Some((0..7, false))),
            ("in vec2 uv;", Compute, None),
        ] {
            assert_eq!(without_location(text, stage).next(), found, "{text}");
        }
    }
}

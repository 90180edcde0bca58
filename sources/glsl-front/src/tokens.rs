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

/// Returns the line, counted from 1, at which a statement has more than `most` tokens. Semicolons and braces end a statement.
#[cfg(any(test, feature = "glsl"))]
pub(crate) fn long_statement(text: &str, most: usize) -> Option<usize> {
    let mut length = 0;
    let found = tokens(text).find(|token| {
        length = if matches!(token.text, ";" | "{" | "}") { 0 } else { length + 1 };
        length > most
    })?;
    Some(1 + text.get(..found.at)?.matches('\n').count())
}

/// A declaration of inputs or outputs outside functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declaration {
    /// The bytes of the qualifier `in`, `out`, `attribute` or `varying`.
    pub(crate) place: Range<usize>,
    pub(crate) has_location: bool,
    pub(crate) is_block: bool,
}

/// Returns the declarations of inputs or of outputs outside functions. Built-in variables and layouts without a variable are left out.
pub(crate) fn declarations(text: &str, qualifiers: &[&str]) -> Vec<Declaration> {
    let mut all = Vec::new();
    let mut open = 0usize;
    let mut current: Option<Declaration> = None;
    let (mut has_location, mut is_built_in, mut words) = (false, false, 0);
    for Token { text, at } in tokens(text) {
        match text {
            "location" => has_location = true,
            "(" | "{" => {
                if let Some(current) = current.as_mut().filter(|_| open == 0 && text == "{") {
                    current.is_block = true;
                }
                open += 1;
            }
            ")" | "}" => {
                open = open.saturating_sub(1);
                // The body of a function ends without a semicolon.
                if open == 0 && text == "}" && current.is_none() {
                    has_location = false;
                }
            }
            ";" if open == 0 => {
                let found = current.take().filter(|_| !is_built_in && words > 0);
                all.extend(found.map(|declaration| Declaration { has_location, ..declaration }));
                (has_location, is_built_in, words) = (false, false, 0);
            }
            _ if open == 0 && qualifiers.contains(&text) => {
                current = Some(Declaration { place: at..at + text.len(), has_location: false, is_block: false });
            }
            _ if open == 0 && current.is_some() => {
                is_built_in |= text.starts_with("gl_");
                words += 1;
            }
            _ => {}
        }
    }
    all
}

/// Returns the first declaration without a location if others of the same kind have locations, or if it declares a block.
pub(crate) fn unclear_location(text: &str) -> Option<Declaration> {
    [&["in", "attribute"], &["out", "varying"]].into_iter().find_map(|qualifiers| {
        let all = declarations(text, qualifiers);
        let is_mixed = all.iter().any(|declaration| declaration.has_location);
        all.into_iter().find(|declaration| !declaration.has_location && (is_mixed || declaration.is_block))
    })
}

/// Returns the place of a uniform with an initial value, which SPIR-V for Vulkan does not have.
pub(crate) fn uniform_with_value(text: &str) -> Option<Range<usize>> {
    let mut open = 0usize;
    let mut uniform = None;
    for Token { text, at } in tokens(text) {
        match text {
            "(" | "{" | "[" => open += 1,
            ")" | "}" | "]" => open = open.saturating_sub(1),
            ";" if open == 0 => uniform = None,
            "uniform" if open == 0 => uniform = Some(at..at + text.len()),
            "=" if open == 0 && uniform.is_some() => return uniform,
            _ => {}
        }
    }
    None
}

/// Reports whether a source gives a location to a varying: an output of a vertex shader or an input of a fragment shader.
pub(crate) fn has_locations(text: &str, stage: FunctionKind) -> bool {
    let qualifiers = if stage == FunctionKind::Vertex { ["out", "varying"] } else { ["in", "varying"] };
    declarations(text, &qualifiers).iter().any(|declaration| declaration.has_location)
}

/// Returns the places of the directives with a name, without the line breaks after them.
pub(crate) fn directives(text: &str, name: &str) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    let mut before = None;
    for Token { text: word, at } in tokens(text) {
        if let Some(hash) = before.take().filter(|_| word == name) {
            let end = text.get(at..).and_then(|rest| rest.find('\n')).map_or(text.len(), |length| at + length);
            places.push(hash..end);
        }
        before = (word == "#").then_some(at);
    }
    places
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
    fn inputs_and_outputs_are_declared_outside_functions() {
        let found = |text: &str| {
            let all = declarations(text, &["out"]);
            all.into_iter().map(|of| (of.place.start, of.has_location, of.is_block)).collect::<Vec<_>>()
        };
        assert_eq!(found("out vec2 uv; in vec2 v;"), [(0, false, false)]);
        assert_eq!(found("layout(location = 1) out vec2 uv; flat out int k;"), [(21, true, false), (39, false, false)]);
        assert_eq!(found("out Block { vec2 uv; } block;"), [(0, false, true)]);
        assert_eq!(found("out Block { layout(location = 0) vec2 uv; } block;"), [(0, true, true)]);
        assert_eq!(found("void f(out vec2 uv) { int location; } out vec2 uv;"), [(38, false, false)]);
        assert_eq!(found("out gl_PerVertex { vec4 gl_Position; }; out float gl_FragDepth; layout(depth_any) out;"), []);
    }

    #[test]
    fn locations_for_some_inputs_or_outputs_and_blocks_without_one_are_unclear() {
        let place = |text: &str| unclear_location(text).map(|declaration| declaration.place.start);
        assert_eq!(place("in vec4 a; in vec2 b; layout(location = 0) out vec4 c;"), None);
        assert_eq!(place("in vec4 a; layout(location = 0) in vec2 b;"), Some(0));
        assert_eq!(place("out Block { vec2 uv; } block;"), Some(0));
    }

    #[test]
    fn a_long_statement_has_the_line_of_its_first_token_that_is_too_many() {
        let text = "a b c;\nd e { f g\n// h i j k\nh } l m n;\n";
        assert_eq!([2, 3, 4].map(|most| long_statement(text, most)), [Some(1), None, None]);
        assert_eq!(long_statement("a;\nb\nc d\n", 2), Some(3));
    }

    #[test]
    fn directives_and_uniforms_with_values_are_found() {
        assert_eq!(directives("// #line\n # line 3\nx\n#line 4", "line"), [10..18, 21..28]);
        assert_eq!(directives("#include <a>", "line"), []);
        assert_eq!(uniform_with_value("uniform float a; float b = 1.0; uniform float c = 0.5;"), Some(32..39));
        assert_eq!(uniform_with_value("uniform B { float a; } b; const float k = 1.0;"), None);
    }
}

//! Finds and replaces words, operands and parentheses in source code.

use std::borrow::Cow;

/// Reports whether a character can be part of a name, a type, a keyword or a number.
pub(crate) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

pub(crate) fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c| !is_word(c)).filter(|word| !word.is_empty())
}

/// Replaces each maximal run of characters for which `is_part` is true. `replace` gets the text written so far and the run, and
/// returns `None` to keep the run unchanged.
pub(crate) fn map_words<'n>(
    text: &str,
    is_part: impl Fn(char) -> bool,
    replace: impl Fn(&str, &str) -> Option<Cow<'n, str>>,
) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_run = is_part(first);
        let length = if is_run { rest.find(|c| !is_part(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (word, after) = rest.split_at(length);
        let new = if is_run { replace(&written, word) } else { None };
        written += new.as_deref().unwrap_or(word);
        rest = after;
    }
    written
}

/// Replaces words, except the names of members and components, which follow a dot.
pub(crate) fn renamed<'n>(text: &str, name: impl Fn(&str) -> Option<&'n str>) -> String {
    map_words(text, is_word, |before, word| name(word).filter(|_| !before.ends_with('.')).map(Cow::from))
}

/// Replaces the parts of a text that begin with `start`. `replace` gets the text written so far and the text after `start`.
/// `replace` returns the replacement and the text after the replaced part, or `None` to keep the part unchanged.
pub(crate) fn replaced<'t>(
    text: &'t str,
    start: &str,
    replace: impl Fn(&str, &'t str) -> Option<(Cow<'t, str>, &'t str)>,
) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(start) {
        written += before;
        let (new, after) = replace(&written, after).unwrap_or((start.into(), after));
        written += &new;
        rest = after;
    }
    written + rest
}

/// Returns the byte offset of the parenthesis that closes the parenthesis at the byte offset `open`.
pub(crate) fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    text[open..]
        .find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            c == ')' && depth == 0
        })
        .map(|at| open + at)
}

/// Returns the byte offset of the comma or bracket that ends the operand at the byte offset `at`.
pub(crate) fn end_of_operand(text: &str, at: usize) -> Option<usize> {
    let mut depth = 0;
    text[at..]
        .find(|c| {
            depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
            depth < 0 || c == ',' && depth == 0
        })
        .map(|end| at + end)
}

pub(crate) fn operands_of(list: &str) -> Vec<String> {
    let mut operands = Vec::new();
    let mut rest = list;
    while let Some(end) = end_of_operand(rest, 0) {
        operands.push(rest[..end].trim().to_string());
        rest = &rest[end + 1..];
    }
    operands.push(rest.trim().to_string());
    operands
}

/// Returns the operands of a call to `function`, such as `function(a, b)`, if `value` consists only of that call.
pub(crate) fn operands(value: &str, function: &str, brackets: [char; 2]) -> Option<Vec<String>> {
    let operands = value.strip_prefix(function)?.trim_start().strip_prefix(brackets[0])?.strip_suffix(brackets[1])?;
    Some(operands_of(operands))
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn whole_words_are_renamed_and_components_are_not() {
        let name = |word: &str| (word == "x").then_some("y");
        assert_eq!(renamed("x + a.x + xx + x.x(x)", name), "y + a.x + xx + y.x(y)");
    }
}

//! ActionScript's regular expressions, to the extent that the `regex` crate supports them.

use std::sync::LazyLock;

use regex::{Captures, Regex, RegexBuilder};

use crate::eval::expr::Expr;
use crate::eval::text::Text;
use crate::strings::pattern;

/// The maximum size of a compiled pattern, in bytes.
const SIZE: usize = 200_000;

/// The maximum number of parts into which a string is split, and the maximum number of matches that a search returns.
pub(crate) const MOST: usize = 65_536;

#[derive(Debug)]
pub(crate) struct Pattern {
    regex: Regex,
    /// Whether the pattern has the flag `g`, which selects all matches.
    pub(crate) is_global: bool,
}

impl Pattern {
    /// Compiles a pattern. Returns `None` if the pattern uses an unsupported feature, such as lookahead.
    pub(crate) fn new(pattern: &str, flags: &str) -> Option<Pattern> {
        if pattern.len() > 1_000 {
            return None;
        }
        let regex = RegexBuilder::new(&plain(pattern))
            .case_insensitive(flags.contains('i'))
            .multi_line(flags.contains('m'))
            .dot_matches_new_line(flags.contains('s'))
            .ignore_whitespace(flags.contains('x'))
            .size_limit(SIZE)
            .dfa_size_limit(SIZE)
            .build()
            .ok()?;
        Some(Pattern { regex, is_global: flags.contains('g') })
    }

    /// Returns the position of the first match, counted in characters.
    pub(crate) fn find(&self, text: &str) -> Option<usize> {
        let found = self.regex.find(text)?;
        Some(text.get(..found.start())?.chars().count())
    }

    /// Replaces the first match, or all matches if the pattern is global. Holes in the string are preserved.
    pub(crate) fn replace(&self, text: &Text, with: &Text) -> Text {
        let mut done = false;
        let changed = |literal: &str| {
            let (mut replaced, mut from) = (Text::default(), 0);
            for found in self.regex.captures_iter(literal) {
                let Some(group) = found.get(0).filter(|_| !done || self.is_global) else { break };
                replaced.push_str(literal.get(from..group.start()).unwrap_or_default());
                match with.known() {
                    Some(with) => replaced.push_str(&expand(with, &found)),
                    None => replaced.push(with),
                }
                (from, done) = (group.end(), true);
            }
            replaced.push_str(literal.get(from..).unwrap_or_default());
            replaced
        };
        text.map(changed, Expr::clone)
    }

    /// Splits a string at the matches of the pattern. Returns at most [`MOST`] parts.
    pub(crate) fn split(&self, text: &str) -> Vec<Text> {
        self.regex.split(text).take(MOST).map(Text::literal).collect()
    }

    /// Returns at most [`MOST`] matches of a global pattern. For any other pattern, returns the first match, followed by its
    /// groups.
    pub(crate) fn matches(&self, text: &str) -> Option<Vec<String>> {
        if self.is_global {
            return Some(self.regex.find_iter(text).take(MOST).map(|found| found.as_str().to_string()).collect());
        }
        let found = self.regex.captures(text)?;
        Some(found.iter().map(|group| group.map_or(String::new(), |group| group.as_str().to_string())).collect())
    }
}

/// Matches any escape sequence. `\<` and `\>` are captured, because they denote a plain character in ActionScript but a word
/// boundary in the `regex` crate.
static ESCAPE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)\\(?:([<>])|.)"));

/// Translates an ActionScript pattern to the syntax of the `regex` crate.
fn plain(pattern: &str) -> String {
    let letter = |escape: &Captures<'_>| escape.get(1).or(escape.get(0)).map_or("", |text| text.as_str()).to_string();
    ESCAPE.replace_all(pattern, letter).into_owned()
}

/// Matches `$$`, `$&` and references such as `$1` in a replacement string.
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\$(?:(\$)|&|([0-9]))"));

/// Replaces `$$`, `$&` and references such as `$1` in a replacement string with the text of a match.
fn expand(with: &str, found: &Captures<'_>) -> String {
    let part = |reference: &Captures<'_>| match (reference.get(1), reference.get(2)) {
        (Some(_), _) => "$",
        (_, number) => {
            let number = number.and_then(|number| number.as_str().parse().ok()).unwrap_or_default();
            found.get(number).map_or("", |group| group.as_str())
        }
    };
    REFERENCE.replace_all(with, |reference: &Captures<'_>| part(reference).to_string()).into_owned()
}

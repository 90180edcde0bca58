//! Regular expressions of ActionScript, as far as they are regular.

use std::sync::LazyLock;

use regex::{Captures, Regex, RegexBuilder};

use crate::eval::expr::Expr;
use crate::eval::text::Text;
use crate::strings::pattern;

/// The most memory that a compiled pattern takes.
const SIZE: usize = 200_000;

/// One more than the most parts that a text is cut into, or matches that are found in it.
pub(crate) const MOST: usize = 65_536;

/// A pattern that can be run.
#[derive(Debug)]
pub(crate) struct Pattern {
    regex: Regex,
    /// Whether it has the flag `g`.
    pub(crate) is_global: bool,
}

impl Pattern {
    /// None if the pattern has something that is not supported, such as looking ahead.
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

    /// The place of the first match, in characters.
    pub(crate) fn find(&self, text: &str) -> Option<usize> {
        let found = self.regex.find(text)?;
        Some(text.get(..found.start())?.chars().count())
    }

    /// Replaces the first match, or all. Parts that are not known are left as they are.
    pub(crate) fn replace(&self, text: &Text, with: &Text) -> Text {
        let mut done = false;
        let changed = |literal: &str| {
            let (mut replaced, mut from) = (Text::default(), 0);
            for found in self.regex.captures_iter(literal) {
                let Some(whole) = found.get(0).filter(|_| !done || self.is_global) else { break };
                replaced.push_str(literal.get(from..whole.start()).unwrap_or_default());
                match with.known() {
                    Some(with) => replaced.push_str(&expand(with, &found)),
                    None => replaced.push(with),
                }
                (from, done) = (whole.end(), true);
            }
            replaced.push_str(literal.get(from..).unwrap_or_default());
            replaced
        };
        text.map(changed, Expr::clone)
    }

    /// The first [`MOST`] parts of a text.
    pub(crate) fn split(&self, text: &str) -> Vec<Text> {
        self.regex.split(text).take(MOST).map(Text::literal).collect()
    }

    /// The first [`MOST`] matches of a global pattern, or the first match and its groups.
    pub(crate) fn matches(&self, text: &str) -> Option<Vec<String>> {
        if self.is_global {
            return Some(self.regex.find_iter(text).take(MOST).map(|found| found.as_str().to_string()).collect());
        }
        let found = self.regex.captures(text)?;
        Some(found.iter().map(|group| group.map_or(String::new(), |group| group.as_str().to_string())).collect())
    }
}

/// An escape of a pattern that is a letter in ActionScript, and begins or ends a word in the crate's patterns; or another one.
static ESCAPE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)\\(?:([<>])|.)"));

/// A pattern as the crate reads it.
fn plain(pattern: &str) -> String {
    let letter = |escape: &Captures<'_>| escape.get(1).or(escape.get(0)).map_or("", |text| text.as_str()).to_string();
    ESCAPE.replace_all(pattern, letter).into_owned()
}

/// `$$`, `$&` and `$1` in a replacement.
static PLACE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\$(?:(\$)|&|([0-9]))"));

/// A replacement with what a pattern has found.
fn expand(with: &str, found: &Captures<'_>) -> String {
    let part = |place: &Captures<'_>| match (place.get(1), place.get(2)) {
        (Some(_), _) => "$",
        (_, number) => {
            let number = number.and_then(|number| number.as_str().parse().ok()).unwrap_or_default();
            found.get(number).map_or("", |group| group.as_str())
        }
    };
    PLACE.replace_all(with, |place: &Captures<'_>| part(place).to_string()).into_owned()
}

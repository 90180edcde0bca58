//! Regular expressions of ActionScript, as far as they are regular.

use regex::{Regex, RegexBuilder};

use crate::eval::text::{Part, Text};

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

    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// Replaces the first match, or all. Parts that are not known are left as they are.
    pub(crate) fn replace(&self, text: &Text, with: &Text) -> Option<Text> {
        let known = with.known();
        let mut replaced = Text::default();
        let mut done = false;
        for part in text.parts() {
            let literal = match part {
                Part::Literal(literal) => literal,
                Part::Hole(expr) => {
                    replaced.push(&Text::hole(expr.clone()));
                    continue;
                }
            };
            let mut from = 0;
            for found in self.regex.captures_iter(literal) {
                if done && !self.is_global {
                    break;
                }
                let whole = found.get(0)?;
                replaced.push_str(literal.get(from..whole.start())?);
                match known {
                    Some(with) => {
                        let group = |number: usize| found.get(number).map_or("", |group| group.as_str());
                        replaced.push_str(&expand(with, group));
                    }
                    None => replaced.push(with),
                }
                from = whole.end();
                done = true;
            }
            replaced.push_str(literal.get(from..)?);
        }
        Some(replaced)
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

/// A pattern without the escapes that are letters in ActionScript and begin or end a word in the crate's patterns: `\<` and `\>`.
fn plain(pattern: &str) -> String {
    let (mut plain, mut is_escaped) = (String::new(), false);
    for letter in pattern.chars() {
        if is_escaped && matches!(letter, '<' | '>') {
            plain.pop();
        }
        is_escaped = letter == '\\' && !is_escaped;
        plain.push(letter);
    }
    plain
}

/// `$1`, `$&` and `$$` in a replacement.
fn expand<'a>(with: &str, group: impl Fn(usize) -> &'a str) -> String {
    let mut out = String::new();
    let mut letters = with.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '$' {
            out.push(letter);
            continue;
        }
        match letters.peek().copied() {
            Some('$') => {
                letters.next();
                out.push('$');
            }
            Some('&') => {
                letters.next();
                out.push_str(group(0));
            }
            Some(digit) if digit.is_ascii_digit() => {
                letters.next();
                out.push_str(group(usize::try_from(digit.to_digit(10).unwrap_or_default()).unwrap_or_default()));
            }
            _ => out.push('$'),
        }
    }
    out
}

//! Splits AGAL source text, in any language that the assembler accepts, into classified words. The lexer accepts any text and
//! reports no errors.

use std::ops::Range;

use agal_front::opcode::{Opcode, Operand};
use agal_front::register::{File, named};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Comment,
    /// A directive such as `#if`.
    Directive,
    /// `alias`, `macro`, `part` or `endpart`.
    Keyword,
    Opcode(Opcode),
    Register(File),
    /// The component letters after a dot.
    Components,
    Number,
    /// A word in a sampler's options.
    Option,
    /// A name of the macro language.
    Name,
    /// A punctuation mark, such as a bracket.
    Sign,
}

/// A word of the source text. A comment of several lines is a single word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) range: Range<usize>,
    pub(crate) class: Class,
    /// Whether the word begins a statement.
    pub(crate) is_first: bool,
}

/// Words that are keywords only at the beginning of a statement.
const KEYWORDS: [&str; 4] = ["alias", "macro", "part", "endpart"];

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

pub(crate) fn lex(text: &str) -> Vec<Word> {
    let mut scanner = Scanner { text, at: 0, is_first: true, samples: false, in_options: false, words: Vec::new() };
    while scanner.step() {}
    scanner.words
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// Whether the next word begins a statement.
    is_first: bool,
    /// Whether the statement may contain sampler options.
    samples: bool,
    in_options: bool,
    words: Vec<Word>,
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn put(&mut self, length: usize, class: Class) {
        self.words.push(Word { range: self.at..self.at + length, class, is_first: self.is_first });
        self.at += length;
        self.is_first &= class == Class::Comment;
    }

    /// Returns the length in bytes of the longest prefix of the remaining text whose characters all satisfy `is_part`.
    fn run(&self, is_part: impl Fn(char) -> bool) -> usize {
        let rest = self.rest();
        rest.find(|c| !is_part(c)).unwrap_or(rest.len())
    }

    /// Reads a word, or skips one character between words. Returns false at the end of the text.
    fn step(&mut self) -> bool {
        let rest = self.rest();
        let Some(c) = rest.chars().next() else { return false };
        match c {
            '\n' | '\r' | '\x0b' | '\x0c' | ';' => {
                self.at += 1;
                (self.is_first, self.samples, self.in_options) = (true, false, false);
            }
            _ if rest.starts_with("//") => self.put(self.run(|c| !matches!(c, '\n' | '\r')), Class::Comment),
            _ if rest.starts_with("/*") => {
                let length = rest.get(2..).and_then(|inner| inner.find("*/")).map_or(rest.len(), |end| end + 4);
                self.put(length, Class::Comment);
            }
            _ if self.in_options && (is_word(c) || matches!(c, '.' | '-' | '+')) => {
                self.put(self.run(|c| is_word(c) || matches!(c, '.' | '-' | '+')), Class::Option);
            }
            '#' => self.put(
                1 + rest.get(1..).map_or(0, |rest| rest.find(|c| !is_word(c)).unwrap_or(rest.len())),
                Class::Directive,
            ),
            '0'..='9' => self.put(self.run(|c| is_word(c) || c == '.'), Class::Number),
            _ if is_word(c) => {
                let length = self.run(is_word);
                let class = self.class_of(rest.get(..length).unwrap_or_default());
                self.samples |= matches!(class, Class::Opcode(op) if op.row().sources.contains(&Operand::Sampler));
                self.put(length, class);
            }
            _ if c.is_whitespace() || c == '\u{feff}' => self.at += c.len_utf8(),
            _ => {
                self.in_options = c == '<' && self.samples || self.in_options && c != '>';
                self.put(c.len_utf8(), Class::Sign);
            }
        }
        true
    }

    fn class_of(&self, word: &str) -> Class {
        let before = self.text.get(..self.at).unwrap_or_default();
        if before.ends_with('.') {
            return Class::Components;
        }
        if self.is_first && KEYWORDS.contains(&word) {
            return Class::Keyword;
        }
        let is_call =
            || self.rest().get(word.len()..).unwrap_or_default().trim_start_matches(' ').starts_with(['(', '<']);
        if let Some(op) = Opcode::from_mnemonic(&word.to_ascii_lowercase())
            && (self.is_first || is_call())
        {
            return Class::Opcode(op);
        }
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = word.get(letters.len()..).unwrap_or_default();
        match named(letters) {
            Some((file, _))
                if !number.is_empty()
                    || matches!(file, File::Output | File::Depth | File::Instance)
                    || self.rest().get(word.len()..).is_some_and(|rest| rest.starts_with('[')) =>
            {
                Class::Register(file)
            }
            _ => Class::Name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<(&str, Class)> {
        lex(text).into_iter().map(|word| (&text[word.range], word.class)).collect()
    }

    #[test]
    fn words_of_a_statement_are_told_apart() {
        use Class::*;
        let found = shown("TEX ft0, v1.xy, fs0 <2d,linear,-1.5> // a\nmov oc, vc[va0.x+3].xyzw");
        let expected = [
            ("TEX", Opcode(agal_front::opcode::Opcode::Tex)),
            ("ft0", Register(File::Temporary)),
            (",", Sign),
            ("v1", Register(File::Varying)),
            (".", Sign),
            ("xy", Components),
            (",", Sign),
            ("fs0", Register(File::Sampler)),
            ("<", Sign),
            ("2d", Option),
            (",", Sign),
            ("linear", Option),
            (",", Sign),
            ("-1.5", Option),
            (">", Sign),
            ("// a", Comment),
            ("mov", Opcode(agal_front::opcode::Opcode::Mov)),
            ("oc", Register(File::Output)),
            (",", Sign),
            ("vc", Register(File::Constant)),
            ("[", Sign),
            ("va0", Register(File::Attribute)),
            (".", Sign),
            ("x", Components),
            ("+", Sign),
            ("3", Number),
            ("]", Sign),
            (".", Sign),
            ("xyzw", Components),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn names_of_the_macro_language_are_names() {
        let text = "/* a\n b */ alias va0, mov0\n#if A > 1\nv0 = Half(mov0); op = mul(mov0, 2)\n#endif";
        let of = |class: Class| -> Vec<&str> {
            shown(text).into_iter().filter(|(_, one)| *one == class).map(|(text, _)| text).collect()
        };
        assert_eq!(of(Class::Name), ["mov0", "A", "Half", "mov0", "mov0"]);
        assert_eq!(of(Class::Directive), ["#if", "#endif"]);
        assert_eq!(of(Class::Keyword), ["alias"]);
        assert_eq!(of(Class::Comment), ["/* a\n b */"]);
        assert_eq!(of(Class::Opcode(Opcode::Mul)), ["mul"]);
    }
}

//! Settings whose values users choose by a word: on the command line, in JavaScript, in a file.

use std::fmt;

/// A word that is no value of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWord {
    word: String,
    known: Vec<&'static str>,
}

impl UnknownWord {
    /// A word, and the words of the setting's values.
    pub fn new(word: &str, known: impl Iterator<Item = &'static str>) -> UnknownWord {
        UnknownWord { word: word.to_string(), known: known.collect() }
    }
}

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is unknown: use one of {}", self.word, self.known.join(", "))
    }
}

impl std::error::Error for UnknownWord {}

/// Gives the values of an enum their words: `Display`, `FromStr`, and a table `WORDS` of the values, each with its word and with its
/// meaning in a line.
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Side {
///     Left,
///     Right,
/// }
/// sdlbc::words!(Side { Left "left" "Before the text", Right "right" "After the text" });
///
/// assert_eq!("right".parse(), Ok(Side::Right));
/// assert_eq!(Side::WORDS[0], (Side::Left, "left", "Before the text"));
/// assert_eq!("top".parse::<Side>().unwrap_err().to_string(), "`top` is unknown: use one of left, right");
/// ```
#[macro_export]
macro_rules! words {
    ($name:ident { $($variant:ident $word:literal $about:literal),+ $(,)? }) => {
        impl $name {
            /// The values, each with its word and with its meaning in a line.
            pub const WORDS: &'static [($name, &'static str, &'static str)] = &[$(($name::$variant, $word, $about)),+];
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(match self { $($name::$variant => $word),+ })
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::words::UnknownWord;

            fn from_str(text: &str) -> Result<$name, $crate::words::UnknownWord> {
                let unknown = || $crate::words::UnknownWord::new(text, $name::WORDS.iter().map(|(_, word, _)| *word));
                $name::WORDS.iter().find(|(_, word, _)| *word == text).map(|(value, ..)| *value).ok_or_else(unknown)
            }
        }
    };
}

//! Settings whose values users write as words on the command line, in JavaScript or in a file.

use std::fmt;

/// The error for a word that does not denote a value of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWord {
    word: String,
    known: Vec<&'static str>,
}

impl UnknownWord {
    /// Creates the error for `word`, which is not among the `known` words of a setting.
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

/// Implements `Display` and `FromStr` for an enum whose values are written as words. The macro also defines the constant
/// `WORDS`, which lists each value with its word and a one-line description.
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
            /// Every value of the setting, with its word and a one-line description.
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

/// Defines a structure of options to which later versions may add fields. Code outside the crate begins with the default
/// options, and calls a method for each option to change.
///
/// ```
/// sdlbc::options! {
///     /// Options of a search.
///     #[derive(Clone, Debug, Default)]
///     pub struct Options {
///         /// The maximum number of results.
///         pub most: usize,
///     }
/// }
/// assert_eq!(Options::default().most(8).most, 8);
/// ```
#[macro_export]
macro_rules! options {
    ($(#[$about:meta])* pub struct $name:ident { $($(#[$doc:meta])* pub $field:ident: $type:ty,)* }) => {
        $(#[$about])*
        #[non_exhaustive]
        pub struct $name {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl $name {$(
            #[doc = concat!("Returns these options with another `", stringify!($field), "`.")]
            #[must_use]
            pub fn $field(mut self, $field: $type) -> $name {
                self.$field = $field;
                self
            }
        )*}
    };
}

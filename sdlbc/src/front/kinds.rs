//! Tables of findings, with one row for each cause: its number, level, message and help.

use super::Level;

/// The source text of a row in a table of findings.
#[derive(Clone, Copy, Debug)]
pub struct KindRow {
    /// The name of the row's `Kind` variant.
    pub name: &'static str,
    /// A sentence that describes the finding.
    pub description: &'static str,
    /// The Rust expression in the table that computes the number of the finding.
    pub codes: &'static str,
    /// The Rust expression in the table that computes the level of the finding.
    pub levels: &'static str,
}

impl KindRow {
    /// Returns the numbers that a finding of the row may have.
    pub fn codes(&self) -> impl Iterator<Item = u16> {
        self.codes
            .split(|c: char| !c.is_ascii_digit())
            .filter(|digits| digits.len() == 4)
            .filter_map(|digits| digits.parse().ok())
    }

    /// Returns the description of a finding with the number `code`. The description of a row with several numbers ends with a
    /// list of cases and their numbers: "A register that cannot be read here: a sampler (3638), a varying (3644)."
    pub fn case(&self, code: u16) -> String {
        let description = self.description.trim().trim_end_matches('.');
        let number = format!("({code}");
        let own =
            |cases: &str| cases.split("), ").find_map(|case| Some(case.split_once(&number)?.0.trim().to_string()));
        match description.split_once(": ").and_then(|(general, cases)| Some((general, own(cases)?))) {
            Some((general, case)) => format!("{general}: {case}"),
            None => description.to_string(),
        }
    }

    /// Returns the levels that a finding of the row may have.
    pub fn levels(&self) -> impl Iterator<Item = Level> {
        let all = [
            ("Error", Level::Error),
            ("Tolerable", Level::Tolerable),
            ("Strict", Level::Strict),
            ("Warning", Level::Warning),
            ("Published", Level::Published),
        ];
        let levels = self.levels;
        all.into_iter().filter(move |(name, _)| levels.contains(name)).map(|(_, level)| level)
    }
}

/// Defines the enum `Kind` from rows that contain documentation, name and data, number, level, message and help.
///
/// The number and the level are expressions that may use the row's data. The help is an `Option<Help>`, and the type `Help` must
/// be in scope. Each table has a row `Further { dropped: Vec<Dropped> }` that reports dropped findings.
#[macro_export]
macro_rules! finding_table {
    ($($(#[doc = $doc:literal])* $name:ident $({ $($field:ident: $ty:ty),* $(,)? })? , $code:expr, $level:expr, $message:expr, $help:expr;)*) => {
        /// The cause of a finding.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[doc = $doc])* $name $({ $(#[allow(missing_docs)] $field: $ty),* })?),*
        }

        impl Kind {
            /// All rows of the table of findings, in order.
            pub const ROWS: &[$crate::front::KindRow] = &[$($crate::front::KindRow {
                name: stringify!($name),
                description: concat!($($doc),*),
                codes: stringify!($code),
                levels: stringify!($level),
            }),*];

            /// Returns the number that identifies the cause of the finding.
            pub fn code(&self) -> u16 {
                #[allow(unused_variables)]
                match self { $(Kind::$name $({ $($field),* })? => $code),* }
            }

            /// Returns the severity of the cause before the caller's rules are applied.
            pub const fn level(&self) -> $crate::front::Level {
                #[allow(unused_imports)]
                use $crate::front::Level::{Error, Published, Strict, Tolerable, Warning};
                #[allow(unused_variables)]
                match self { $(Kind::$name $({ $($field),* })? => $level),* }
            }

            /// Returns advice on how to correct the program, or `None` if the message makes the correction obvious.
            pub fn help(&self) -> Option<Help> {
                #[allow(unused_variables)]
                match self { $(Kind::$name $({ $($field),* })? => $help),* }
            }
        }

        impl $crate::front::Cause for Kind {
            fn code(&self) -> u16 {
                self.code()
            }

            fn level(&self) -> $crate::front::Level {
                self.level()
            }

            fn dropped(&self) -> Option<&[$crate::front::Dropped]> {
                match self {
                    Kind::Further { dropped } => Some(dropped),
                    _ => None,
                }
            }

            fn further(dropped: Vec<$crate::front::Dropped>) -> Kind {
                Kind::Further { dropped }
            }
        }

        impl ::std::fmt::Display for Kind {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                #[allow(unused_variables)]
                match self { $(Kind::$name $({ $($field),* })? => f.write_str(&$message)),* }
            }
        }
    };
}

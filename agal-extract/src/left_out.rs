//! Limits on the entries that a manifest lists, and counts of the entries that are left out.

use std::fmt;

use serde::Serialize;

use crate::model::Condition;

/// Limits on the entries of a manifest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caps {
    /// The maximum number of places of a program or a pair.
    pub(crate) places: usize,
    /// The maximum number of conditions of a place.
    pub(crate) conditions: usize,
    /// The maximum number of findings of a program or a pair.
    pub(crate) findings: usize,
    /// The maximum number of variants of a program.
    pub(crate) variants: usize,
    /// The maximum number of holes of a program.
    pub(crate) holes: usize,
    /// The maximum number of unknown calls of an input.
    pub(crate) unknown: usize,
    /// The maximum number of files that were searched.
    pub(crate) inputs: usize,
    /// The maximum number of warnings of all inputs.
    pub(crate) warnings: usize,
}

/// Caps with these values, in the order of the fields.
pub(crate) const fn caps(
    [places, conditions, findings, variants, holes, unknown, inputs, warnings]: [usize; 8],
) -> Caps {
    Caps { places, conditions, findings, variants, holes, unknown, inputs, warnings }
}

macro_rules! left_out {
    ($($(#[$doc:meta])* $field:ident, $one:literal, $several:literal;)*) => {
        /// Counts of entries that were found but are not in the output.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
        pub struct LeftOut {
            $($(#[$doc])* #[serde(skip_serializing_if = "is_zero")] pub $field: usize,)*
        }

        impl LeftOut {
            /// Adds the counts of another value.
            pub(crate) fn add(&mut self, other: LeftOut) {
                $(self.$field += other.$field;)*
            }

            /// Each count, with its singular and its plural noun.
            fn counts(&self) -> [(usize, &'static str, &'static str); 13] {
                [$((self.$field, $one, $several)),*]
            }
        }
    };
}

left_out! {
    /// Complete programs.
    programs, "complete program", "complete programs";
    /// Programs with holes.
    templates, "program with holes", "programs with holes";
    /// Pieces.
    pieces, "piece", "pieces";
    /// Pairs with a program that is left out.
    pairs, "pair", "pairs";
    /// Files of pairs that would have had files of their own.
    copies, "copy", "copies";
    /// Sets of sampler options.
    variants, "set of sampler options", "sets of sampler options";
    /// Places of programs and pairs.
    places, "place", "places";
    /// Conditions of places.
    conditions, "condition", "conditions";
    /// Findings of the validator.
    findings, "finding", "findings";
    /// Holes. They remain in the texts.
    holes, "hole", "holes";
    /// Calls whose program is unknown.
    unknown, "call of which nothing is known", "calls of which nothing is known";
    /// Files that were searched.
    inputs, "file that was searched", "files that were searched";
    /// Warnings.
    warnings, "warning", "warnings";
}

/// Whether a count is omitted from the manifest. serde requires the reference.
pub(crate) fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl LeftOut {
    /// Whether nothing is left out.
    pub fn is_nothing(&self) -> bool {
        *self == LeftOut::default()
    }

    /// Whether programs, pairs or files are left out, and not only entries of the manifest.
    pub fn has_files(&self) -> bool {
        self.programs + self.templates + self.pieces + self.pairs + self.copies > 0
    }
}

/// A list such as `12 pieces, 300 places`.
impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.counts().into_iter().filter(|(count, ..)| *count > 0);
        let named = counts.map(|(count, one, several)| format!("{count} {}", if count == 1 { one } else { several }));
        f.write_str(&named.collect::<Vec<_>>().join(", "))
    }
}

/// Shortens a list. Returns the number of removed entries.
pub(crate) fn cut<T>(list: &mut Vec<T>, most: usize) -> usize {
    let more = list.len().saturating_sub(most);
    list.truncate(most);
    more
}

/// Shortens a list of conditions, and adds the number of removed conditions to `more`. Returns the total number left out.
pub(crate) fn cut_conditions(list: &mut &[Condition], more: &mut usize, caps: &Caps) -> usize {
    *more += list.len().saturating_sub(caps.conditions);
    *list = list.get(..caps.conditions).unwrap_or(list);
    *more
}

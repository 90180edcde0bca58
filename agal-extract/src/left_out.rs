//! Caps on the number of entries in a manifest, and counts of the omitted entries.

use std::fmt;

use serde::Serialize;

use crate::model::Condition;

/// The maximum numbers of entries in a manifest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caps {
    /// The maximum number of places listed for a program or a pair.
    pub(crate) places: usize,
    /// The maximum number of conditions listed for a place.
    pub(crate) conditions: usize,
    /// The maximum number of findings listed for a program or a pair.
    pub(crate) findings: usize,
    /// The maximum number of variants listed for a program.
    pub(crate) variants: usize,
    /// The maximum number of holes listed for a program.
    pub(crate) holes: usize,
    /// The maximum number of calls with unknown programs listed for an input.
    pub(crate) unknown: usize,
    /// The maximum number of input files listed.
    pub(crate) inputs: usize,
    /// The maximum number of warnings listed for all inputs together.
    pub(crate) warnings: usize,
}

pub(crate) const fn caps(
    [places, conditions, findings, variants, holes, unknown, inputs, warnings]: [usize; 8],
) -> Caps {
    Caps { places, conditions, findings, variants, holes, unknown, inputs, warnings }
}

macro_rules! left_out {
    ($($(#[$doc:meta])* $field:ident, $one:literal, $several:literal;)*) => {
        /// Counts of entries that were found but are omitted from the output.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
        pub struct LeftOut {
            $($(#[$doc])* #[serde(skip_serializing_if = "is_zero")] pub $field: usize,)*
        }

        impl LeftOut {
            pub(crate) fn add(&mut self, other: LeftOut) {
                $(self.$field += other.$field;)*
            }

            fn counts(&self) -> [(usize, &'static str, &'static str); 13] {
                [$((self.$field, $one, $several)),*]
            }
        }
    };
}

left_out! {
    /// Omitted complete programs, which have no holes.
    programs, "complete program", "complete programs";
    /// Omitted programs with holes.
    templates, "program with holes", "programs with holes";
    /// Omitted pieces of programs.
    pieces, "piece", "pieces";
    /// Pairs omitted because one of their programs is omitted.
    pairs, "pair", "pairs";
    /// Omitted copies of programs, which the option `--each-pair` requests.
    copies, "copy", "copies";
    /// Omitted sets of sampler options.
    variants, "set of sampler options", "sets of sampler options";
    /// Omitted places of programs and pairs.
    places, "place", "places";
    /// Omitted conditions of places.
    conditions, "condition", "conditions";
    /// Omitted findings of the validator.
    findings, "finding", "findings";
    /// Omitted descriptions of holes. The holes themselves remain in the programs.
    holes, "hole", "holes";
    /// Omitted calls that receive an unknown program.
    unknown, "call whose program is unknown", "calls whose programs are unknown";
    /// Omitted descriptions of input files that were searched.
    inputs, "file that was searched", "files that were searched";
    /// Omitted warnings.
    warnings, "warning", "warnings";
}

/// Reports whether a count is 0 and therefore not serialised. The parameter is a reference, as serde requires.
pub(crate) fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl LeftOut {
    /// Reports whether all counts are 0.
    pub fn is_nothing(&self) -> bool {
        *self == LeftOut::default()
    }

    /// Reports whether any programs or pairs are omitted, rather than only entries of the manifest.
    pub fn has_files(&self) -> bool {
        self.programs + self.templates + self.pieces + self.pairs + self.copies > 0
    }
}

/// Displays the counts as a list such as `12 pieces, 300 places`.
impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.counts().into_iter().filter(|(count, ..)| *count > 0);
        let named = counts.map(|(count, one, several)| format!("{count} {}", if count == 1 { one } else { several }));
        f.write_str(&named.collect::<Vec<_>>().join(", "))
    }
}

/// Truncates a list to at most `most` entries. Returns the number of removed entries.
pub(crate) fn cut<T>(list: &mut Vec<T>, most: usize) -> usize {
    let more = list.len().saturating_sub(most);
    list.truncate(most);
    more
}

/// Truncates a list of conditions to the cap. Adds the number of removed conditions to `more`, and returns the new value of
/// `more`.
pub(crate) fn cut_conditions(list: &mut &[Condition], more: &mut usize, caps: &Caps) -> usize {
    *more += list.len().saturating_sub(caps.conditions);
    *list = list.get(..caps.conditions).unwrap_or(list);
    *more
}

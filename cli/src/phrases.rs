//! Phrases of messages: counts, names and lists.

use std::path::Path;

use agalc::render::shown;

/// The maximum number of names that [`listed`] shows.
pub(crate) const FEW: usize = 8;

/// A count with its noun: `1 file`, `2 files`.
pub(crate) fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// A path in backticks.
pub(crate) fn quoted(path: &Path) -> String {
    format!("`{}`", shown::path(path))
}

/// The first items of a list, up to `most`, and the number of the others: `a, b and 3 more`.
pub(crate) fn first_few(items: &[String], most: usize) -> String {
    match items.split_at_checked(most) {
        Some((first, [_, ..])) => format!("{} and {} more", first.join(", "), items.len() - most),
        _ => items.join(", "),
    }
}

/// The first few of some names, in backticks.
pub(crate) fn listed(names: &[String]) -> String {
    first_few(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>(), FEW)
}

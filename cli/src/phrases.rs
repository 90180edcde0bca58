//! Phrases for messages: counts, names, lists, and the options that a message suggests.

use std::path::Path;

use agalc::Remedy;
use agalc::render::shown;

/// The maximum number of names that [`listed`] shows.
pub(crate) const FEW: usize = 8;

/// Formats a count with a noun, such as `1 file` or `2 files`.
pub(crate) fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

pub(crate) fn quoted(path: &Path) -> String {
    format!("`{}`", shown::path(path))
}

/// Lists at most `most` items and counts the rest, as in `a, b and 3 more`.
pub(crate) fn first_few(items: &[String], most: usize) -> String {
    match items.split_at_checked(most) {
        Some((first, [_, ..])) => format!("{} and {} more", first.join(", "), items.len() - most),
        _ => items.join(", "),
    }
}

/// Lists the first [`FEW`] names in backticks.
pub(crate) fn listed(names: &[String]) -> String {
    first_few(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>(), FEW)
}

/// Returns, in backticks, the command-line option that a finding's advice suggests.
pub(crate) fn wording(remedy: &Remedy) -> Option<String> {
    Some(match remedy {
        Remedy::Allow(code) => format!("`--allow {code}`"),
        Remedy::AllowTed => "`--allow-ted`".to_string(),
        Remedy::Version(version) => format!("`--agal-version {version}`"),
        Remedy::Stage => "`--stage`".to_string(),
        Remedy::MacroLanguage => "`--language macro`".to_string(),
        Remedy::StrictIfg => "`--ifg strict`".to_string(),
        Remedy::SignedOffsets => "`--signed-offsets`".to_string(),
        Remedy::Define(name) => format!("`--define {name}=0`"),
        Remedy::PruneVaryings => "`--prune-varyings`".to_string(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::Args;

    #[test]
    fn the_options_in_advice_exist() {
        let remedies = [
            Remedy::Allow(3647),
            Remedy::AllowTed,
            Remedy::Version(2),
            Remedy::MacroLanguage,
            Remedy::StrictIfg,
            Remedy::SignedOffsets,
            Remedy::Define("X".to_string()),
            Remedy::PruneVaryings,
        ];
        for remedy in remedies {
            let words = wording(&remedy).expect("an option");
            let option = words.trim_matches('`').split(' ');
            let line = ["agalc", "compile", "a.agal", "-o", "a.wgsl"].into_iter().chain(option);
            assert!(Args::try_parse_from(line).is_ok(), "{words}");
        }
        assert_eq!(wording(&Remedy::Stage).as_deref(), Some("`--stage`"));
        assert!(Args::try_parse_from(["agalc", "compile", "a.agal", "-o", "a.wgsl", "--stage", "vertex"]).is_ok());
    }
}

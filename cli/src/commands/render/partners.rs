//! Reads the pairs in a manifest that `agalc extract` wrote to a folder.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use agal_extract::{MOST_OF_MANIFEST, pairs_of_manifest};
use agalc::found::unfinished;
use agalc::render::shown;

use crate::phrases::{first_few, quoted};

/// The maximum number of pairs or partners that a message names.
const NAMED: usize = 3;

/// Returns the file names of the complete pairs in a folder's manifest, or `None` if the folder has no manifest.
fn pairs(folder: &Path) -> Option<Vec<[String; 2]>> {
    let mut json = Vec::new();
    let most = u64::try_from(MOST_OF_MANIFEST).unwrap_or(u64::MAX);
    File::open(manifest(folder)).ok()?.take(most).read_to_end(&mut json).ok()?;
    let is_complete = |file: &String| unfinished(Path::new(file)).is_none();
    Some(pairs_of_manifest(&json)?.into_iter().filter(|pair| pair.iter().all(is_complete)).collect())
}

fn manifest(folder: &Path) -> PathBuf {
    folder.join("manifest.json")
}

/// Returns the error message for a folder that is passed to `render`. The message names pairs in the folder.
pub(super) fn of_folder(folder: &Path) -> String {
    let why = format!("{} is a folder, but `render` draws one pair: name the two programs", quoted(folder));
    let Some(pairs) = pairs(folder) else { return why };
    let Some(([vertex, fragment], others)) = pairs.split_first() else {
        return format!("{why}; {} has no complete pair", quoted(&manifest(folder)));
    };
    let [vertex, fragment] = [vertex, fragment].map(|file| shown::path(&folder.join(file)));
    let others: Vec<String> = others.iter().map(|[vertex, fragment]| format!("`{vertex}` with `{fragment}`")).collect();
    let others = if others.is_empty() { String::new() } else { format!("; it also has {}", first_few(&others, NAMED)) };
    format!("{why}, such as `{vertex} {fragment}`{others}")
}

/// Describes the partners that the manifest of a program's folder lists for the program. Returns `None` if the program has no
/// partner, or if `other` is a partner.
fn partners(program: &Path, other: Option<&Path>) -> Option<String> {
    let name = program.file_name()?.to_str()?;
    let pairs = pairs(program.parent().unwrap_or(Path::new("")))?;
    let partner = |[vertex, fragment]: &[String; 2]| match (vertex == name, fragment == name) {
        (true, _) => Some(fragment.clone()),
        (_, true) => Some(vertex.clone()),
        _ => None,
    };
    let all: BTreeSet<String> = pairs.iter().filter_map(partner).collect();
    let is_other = |of: &String| other.is_some_and(|other| other.file_name().is_some_and(|name| name == of.as_str()));
    if all.is_empty() || all.iter().any(is_other) {
        return None;
    }
    let all: Vec<String> = all.iter().map(|file| format!("`{file}`")).collect();
    Some(format!("`{name}` with {}", first_few(&all, NAMED)))
}

/// Describes the programs' partners in the manifest of their folder, unless the manifest pairs the given programs.
pub(super) fn otherwise(inputs: &[PathBuf]) -> Option<String> {
    let (folder, of) = match inputs {
        [one] => (one.parent(), vec![partners(one, None)?]),
        [one, other] if one.parent() == other.parent() => {
            (one.parent(), vec![partners(one, Some(other))?, partners(other, Some(one))?])
        }
        _ => return None,
    };
    Some(format!("{} pairs {}", quoted(&manifest(folder?)), of.join(", and ")))
}

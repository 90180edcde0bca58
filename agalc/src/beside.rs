//! Which file of names belongs to which inputs.
//!
//! Rule: nothing here looks whether a file exists.

use std::collections::BTreeSet;
use std::path::PathBuf;

/// Returns the files of names that may lie beside inputs: `lit.names.toml` for `lit.vert.agal` and `lit.frag.agal`, whose name
/// ends at its first dot.
///
/// If there are several, the inputs are in different folders or have different names. Then they are not the pair that a file is
/// for, and none is used.
///
/// ```
/// use std::path::PathBuf;
///
/// let paths = ["shaders/lit.vert.agal", "shaders/lit.frag.agal"].map(PathBuf::from);
/// assert!(agalc::names_beside(&paths).iter().eq([&PathBuf::from("shaders/lit.names.toml")]));
/// ```
pub fn names_beside(inputs: &[PathBuf]) -> BTreeSet<PathBuf> {
    let beside = |path: &PathBuf| {
        let name = path.file_name()?.to_str()?;
        let stem = name.split('.').next().filter(|stem| !stem.is_empty())?;
        Some(path.with_file_name(format!("{stem}.names.toml")))
    };
    inputs.iter().filter_map(beside).collect()
}

//! Pairs of open documents. They are recognised by their names, like files on the command line.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use agalc::found::{Clash, Together, shaders};

/// Maps the address of each document that is in a pair to the address of its partner. If several documents are the same part of a
/// shader, the pair is ambiguous, and none of them has a partner.
pub(crate) fn partners<'u>(addresses: impl IntoIterator<Item = &'u String>) -> BTreeMap<String, String> {
    let (found, clashes) = shaders(addresses.into_iter().map(PathBuf::from));
    let unclear: BTreeSet<PathBuf> = clashes.into_iter().map(|Clash { stem, .. }| stem).collect();
    let mut partners = BTreeMap::new();
    for shader in found.into_iter().filter(|shader| !unclear.contains(&shader.stem)) {
        if let Together::Pair(files) = shader.files {
            let [vertex, fragment] = files.map(|file| file.to_string_lossy().into_owned());
            partners.insert(vertex.clone(), fragment.clone());
            partners.insert(fragment, vertex);
        }
    }
    partners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partners_are_of_one_folder_and_one_name() {
        let of = |names: &[&str]| {
            let addresses: Vec<String> = names.iter().map(|name| format!("file:///a%20b/{name}")).collect();
            let short = |address: String| address.replace("file:///a%20b/", "");
            partners(&addresses).into_iter().map(|(one, other)| (short(one), short(other))).collect::<Vec<_>>()
        };
        let pair = [("x.frag.agal", "x.vert.agal"), ("x.vert.agal", "x.frag.agal")];
        let pair = pair.map(|(one, other)| (one.to_string(), other.to_string()));
        assert_eq!(of(&["x.vert.agal", "y.frag.agal", "x.frag.agal", "z.agal"]), pair);
        assert_eq!(of(&["x.vert.agal", "sub/x.frag.agal"]), []);
        assert_eq!(of(&["x.vert.agal", "x.vs.agal", "x.frag.agal"]), [], "two vertex programs");
    }
}

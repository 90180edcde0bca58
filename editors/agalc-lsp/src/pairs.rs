//! Pairs of open documents. As on the command line, the file names determine which documents form a pair.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use agalc::found::{Clash, Together, shaders};

/// Returns the address of each paired document's partner, keyed by the document's own address. If a shader has several documents
/// for the same stage, none of the shader's documents has a partner.
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

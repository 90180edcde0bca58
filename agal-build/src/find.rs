//! Which files belong to a pair: those that are named, and those of a folder, by their names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::error::{Problem, ProblemKind};

/// The files of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sources {
    pub(crate) name: String,
    pub(crate) files: Files,
}

/// The shaders of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Files {
    /// One file with both, or a module.
    One(PathBuf),
    /// A vertex and a fragment program.
    Two([PathBuf; 2]),
}

impl Sources {
    pub(crate) fn paths(&self) -> &[PathBuf] {
        match &self.files {
            Files::One(path) => std::slice::from_ref(path),
            Files::Two(paths) => paths,
        }
    }
}

/// The ends of file names: of a vertex program, of a fragment program, of a file with both.
const VERTEX: [&str; 4] = [".vert.agal", ".vertex.agal", ".vs.agal", ".vert.agalbc"];
const FRAGMENT: [&str; 4] = [".frag.agal", ".fragment.agal", ".fs.agal", ".frag.agalbc"];
const BOTH: [&str; 3] = [".agal", ".sdlbc", ".sdlasm"];

/// The part of a name before one of these ends.
fn stem<'n>(name: &'n str, ends: &[&str]) -> Option<&'n str> {
    ends.iter().find_map(|end| name.strip_suffix(end)).filter(|stem| !stem.is_empty())
}

/// Whether the names of a vertex and a fragment program say that they are exchanged.
pub(crate) fn are_exchanged(files: &[PathBuf; 2]) -> bool {
    let [first, second] =
        files.each_ref().map(|file| file.file_name().and_then(|name| name.to_str()).unwrap_or_default());
    stem(first, &FRAGMENT).is_some() && stem(second, &VERTEX).is_some()
}

/// The problem of two files that are the same part of a pair.
fn twice(pair: &str, one: &Path, other: &Path, part: &str) -> Problem {
    let text =
        format!("`{}` and `{}` are both {part}the pair `{pair}`; keep one of them", one.display(), other.display());
    Problem::new(Some(pair), ProblemKind::Twice, text)
}

/// Finds the pairs of a folder, in the order of their names. Files with other names are ignored.
///
/// # Errors
/// It cannot be read, has no pair, or has one program of a pair.
pub(crate) fn folder(path: &Path) -> Result<Vec<Sources>, Vec<Problem>> {
    let unread = |error: std::io::Error| {
        let kind = ProblemKind::Read { path: path.to_path_buf(), error: error.kind() };
        vec![Problem::new(None, kind, format!("cannot read `{}`: {error}", path.display()))]
    };
    let mut pairs: BTreeMap<String, [Option<PathBuf>; 3]> = BTreeMap::new();
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unread)? {
        paths.push(entry.map_err(unread)?.path());
    }
    paths.sort();
    for file in paths {
        let Some(name) = file.file_name().and_then(|name| name.to_str()) else { continue };
        let parts = [(0, &VERTEX[..]), (1, &FRAGMENT[..]), (2, &BOTH[..])];
        let part = parts.into_iter().find_map(|(part, ends)| Some((part, stem(name, ends)?)));
        let Some((part, stem)) = part else { continue };
        match pairs.entry(stem.to_string()).or_default().get_mut(part) {
            Some(Some(other)) => {
                let what =
                    ["the vertex shader of ", "the fragment shader of ", ""].get(part).copied().unwrap_or_default();
                problems.push(twice(stem, other, &file, what));
            }
            Some(slot) => *slot = Some(file),
            None => {}
        }
    }
    for (name, parts) in pairs {
        match parts {
            [Some(vertex), Some(fragment), None] => {
                found.push(Sources { name, files: Files::Two([vertex, fragment]) });
            }
            [None, None, Some(both)] => found.push(Sources { name, files: Files::One(both) }),
            [vertex, fragment, Some(both)] => {
                let other = vertex.or(fragment).unwrap_or_default();
                problems.push(twice(&name, &both, &other, ""));
            }
            [vertex, fragment, None] => {
                let missing = if vertex.is_some() { "fragment" } else { "vertex" };
                let path = vertex.or(fragment).unwrap_or_default();
                let text = format!(
                    "`{}` has no {missing} shader beside it; a pair is `{name}.vert.agal` and `{name}.frag.agal`",
                    path.display()
                );
                problems.push(Problem::new(Some(&name), ProblemKind::Lone { path }, text));
            }
        }
    }
    if found.is_empty() && problems.is_empty() {
        let text =
            format!("`{}` has no pair of shaders; a pair is `lit.vert.agal` and `lit.frag.agal`", path.display());
        problems.push(Problem::new(None, ProblemKind::Empty { path: path.to_path_buf() }, text));
    }
    if problems.is_empty() { Ok(found) } else { Err(problems) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_found_by_their_names() {
        let folder_of = |names: &[&str]| {
            let folder = tempfile::tempdir().expect("a folder");
            names.iter().for_each(|name| std::fs::write(folder.path().join(name), "").expect("a file"));
            folder
        };
        let found = folder_of(&[
            "b.sdlbc",
            "a.vert.agal",
            "a.frag.agal",
            "a.names.toml",
            "notes.txt",
            "c.agal",
            "d.vert.agalbc",
            "d.fs.agal",
        ]);
        let pairs = folder(found.path()).expect("pairs");
        let names: Vec<(&str, usize)> = pairs.iter().map(|pair| (pair.name.as_str(), pair.paths().len())).collect();
        assert_eq!(names, [("a", 2), ("b", 1), ("c", 1), ("d", 2)]);
        for (names, wrong) in [
            (&["a.vert.agal"][..], "has no fragment shader beside it"),
            (&["a.fs.agal", "b.agal"], "has no vertex shader beside it"),
            (&["a.agal", "a.vert.agal", "a.frag.agal"], "are both the pair `a`"),
            (&["a.agal", "a.sdlbc"], "are both the pair `a`"),
            (&["a.vert.agal", "a.vs.agal", "a.frag.agal"], "are both the vertex shader of the pair `a`"),
            (&["a.vert.agal", "a.frag.agalbc", "a.fragment.agal"], "are both the fragment shader of the pair `a`"),
            (&["a.txt"], "has no pair of shaders"),
        ] {
            let problems = folder(folder_of(names).path()).expect_err(wrong);
            assert!(problems.iter().any(|problem| problem.text.contains(wrong)), "{problems:?}");
        }
        assert!(folder(Path::new("no folder")).is_err());
    }
}

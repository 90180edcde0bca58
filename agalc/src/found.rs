//! Rules for file names: which files are shaders, and which files belong to one shader. For example, `lit.vert.agal` and
//! `lit.frag.agal` are a pair.
//!
//! Rule: no function here checks whether a file exists. Build scripts and the command-line tool's batches use the same rules for
//! file names.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The final extensions of programs and of modules.
const PROGRAMS: [&str; 4] = ["agal", "agalbc", "es2", "es2bc"];
const MODULES: [&str; 2] = ["sdlbc", "sdlasm"];
/// The extensions before the final extension that state the stage of a program.
const VERTEX: [&str; 3] = ["vert", "vertex", "vs"];
const FRAGMENT: [&str; 3] = ["frag", "fragment", "fs"];

/// The part of a shader that a file contains, according to the file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The vertex program of a pair.
    Vertex,
    /// The fragment program of a pair.
    Fragment,
    /// An entire shader: a program, both programs of a pair, or a module.
    Whole,
}

/// A kind of incomplete program that `agalc extract` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unfinished {
    /// A program whose text contains holes. The name of the file ends in `.agal.in`.
    Template,
    /// A fragment of text from which unknown application code builds a program. The name of the file ends in `.agal.piece`.
    Piece,
}

impl Unfinished {
    /// Returns a sentence that explains why a file with this name is not a shader, and how to make a shader from the file.
    ///
    /// ```
    /// use agalc::found::Unfinished;
    ///
    /// let said = Unfinished::Piece.refusal("glow.frag.agal.piece");
    /// assert!(said.starts_with("`glow.frag.agal.piece` is a piece of a program"));
    /// ```
    pub fn refusal(self, name: &str) -> String {
        match self {
            Unfinished::Template => format!(
                "`{name}` is a template: each `{{hole}}` stands for an unknown part of its text; fill the holes with \
                 `agalc extract --fill HOLE=TEXT`, or in a copy whose name ends in .agal"
            ),
            Unfinished::Piece => format!(
                "`{name}` is a piece of a program, and how the application completes it is not known; write the whole program to a copy whose \
                 name ends in .agal"
            ),
        }
    }
}

/// Returns the kind of an unfinished file according to its name, or `None` for a file with another name.
///
/// ```
/// use agalc::found::{Unfinished, unfinished};
/// use std::path::Path;
///
/// assert_eq!(unfinished(Path::new("templates/Sky.upload.frag.agal.in")), Some(Unfinished::Template));
/// assert_eq!(unfinished(Path::new("Sky.upload.frag.agal")), None);
/// ```
pub fn unfinished(path: &Path) -> Option<Unfinished> {
    let kind = match path.extension()?.to_str()? {
        "in" => Unfinished::Template,
        "piece" => Unfinished::Piece,
        _ => return None,
    };
    path.with_extension("").extension().filter(|extension| *extension == "agal").map(|_| kind)
}

/// A file whose name marks it as a shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The path without the extensions that state the shader's part and the file's kind.
    pub stem: PathBuf,
    /// The part of the shader that the file contains.
    pub part: Part,
    /// Whether the file is a module rather than a program.
    pub is_module: bool,
}

/// The files that belong to one shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Together {
    /// A file that contains an entire shader.
    Whole(PathBuf),
    /// The files of a vertex and a fragment program, in this order.
    Pair([PathBuf; 2]),
    /// The file for one stage, if there is no file for the other stage.
    Lone(Part, PathBuf),
}

/// A shader that [`shaders`] found in a list of files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The path that all files of the shader share, without extensions.
    pub stem: PathBuf,
    /// The files of the shader.
    pub files: Together,
}

/// Two files that claim to be the same part of a shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The path that both files share, without extensions.
    pub stem: PathBuf,
    /// The paths of the two files.
    pub files: [PathBuf; 2],
    /// The part of the shader that both files claim to be.
    pub part: Part,
}

/// Determines, from a file's name, the shader and the part of the shader that the file contains. Returns `None` if the
/// name is not the name of a shader.
///
/// The name ends in `.agal`, `.agalbc`, `.es2` or `.es2bc` for programs, and in `.sdlbc` or `.sdlasm` for modules. Before
/// the final extension, `.vert`, `.vertex` or `.vs` marks the vertex program of a pair, and `.frag`, `.fragment` or `.fs`
/// marks the fragment program.
///
/// ```
/// use agalc::found::{Part, name};
/// use std::path::Path;
///
/// let found = name(Path::new("shaders/lit.vert.agal")).unwrap();
/// assert_eq!((found.stem.as_path(), found.part), (Path::new("shaders/lit"), Part::Vertex));
/// assert_eq!(name(Path::new("lit.names.toml")), None);
/// ```
pub fn name(path: &Path) -> Option<Named> {
    let is = |extension: Option<&OsStr>, known: &[&str]| known.iter().any(|known| extension == Some(OsStr::new(known)));
    let is_module = is(path.extension(), &MODULES);
    if !is_module && !is(path.extension(), &PROGRAMS) {
        return None;
    }
    let stem = path.with_extension("");
    let part = match stem.extension() {
        _ if is_module => Part::Whole,
        stage if is(stage, &VERTEX) => Part::Vertex,
        stage if is(stage, &FRAGMENT) => Part::Fragment,
        _ => Part::Whole,
    };
    Some(match part {
        Part::Whole => Named { stem, part, is_module },
        _ => Named { stem: stem.with_extension(""), part, is_module },
    })
}

/// Reports whether the first file has the name of a fragment program and the second has the name of a vertex program.
pub fn are_exchanged(files: &[PathBuf; 2]) -> bool {
    files.each_ref().map(|file| name(file).map(|named| named.part)) == [Some(Part::Fragment), Some(Part::Vertex)]
}

/// Groups files into shaders: files in one folder with a common name form one shader. The shaders appear in the order
/// of their first paths. Files whose names are not names of shaders are left out.
///
/// ```
/// use agalc::found::{Together, shaders};
///
/// let files = ["a.vert.agal", "notes.txt", "b.agal", "a.frag.agal"].map(Into::into);
/// let (found, clashes) = shaders(files);
/// assert_eq!(found.len(), 2);
/// assert_eq!(found[0].files, Together::Pair(["a.vert.agal".into(), "a.frag.agal".into()]));
/// assert!(clashes.is_empty());
/// ```
pub fn shaders(paths: impl IntoIterator<Item = PathBuf>) -> (Vec<Found>, Vec<Clash>) {
    let (mut indices, mut clashes) = (BTreeMap::new(), Vec::new());
    // The paths of the vertex program, the fragment program and the file with the entire shader, for each common name.
    let mut all: Vec<(PathBuf, [Option<PathBuf>; 3])> = Vec::new();
    for path in paths {
        let Some(Named { stem, part, .. }) = name(&path) else { continue };
        let index = *indices.entry(stem.clone()).or_insert(all.len());
        if index == all.len() {
            all.push((stem.clone(), Default::default()));
        }
        let Some((_, [vertex, fragment, whole])) = all.get_mut(index) else { continue };
        let slot = match part {
            Part::Vertex => vertex,
            Part::Fragment => fragment,
            Part::Whole => whole,
        };
        match slot {
            Some(other) => clashes.push(Clash { stem, files: [other.clone(), path], part }),
            None => *slot = Some(path),
        }
    }
    let mut found = Vec::new();
    for (stem, parts) in all {
        let files = match parts {
            [Some(vertex), Some(fragment), None] => Together::Pair([vertex, fragment]),
            [None, None, Some(whole)] => Together::Whole(whole),
            [Some(vertex), None, None] => Together::Lone(Part::Vertex, vertex),
            [None, Some(fragment), None] => Together::Lone(Part::Fragment, fragment),
            [Some(other), _, Some(whole)] | [None, Some(other), Some(whole)] => {
                clashes.push(Clash { stem, files: [whole, other], part: Part::Whole });
                continue;
            }
            [None, None, None] => continue,
        };
        found.push(Found { stem, files });
    }
    (found, clashes)
}

impl Found {
    /// Returns the files of the shader. The vertex program precedes the fragment program.
    pub fn paths(&self) -> &[PathBuf] {
        match &self.files {
            Together::Whole(path) | Together::Lone(_, path) => std::slice::from_ref(path),
            Together::Pair(paths) => paths,
        }
    }
}

/// Returns the paths of the names files that belong to inputs, such as `lit.names.toml` for `lit.vert.agal` and
/// `lit.frag.agal`. Each names file is in the input's folder, and its name begins with the input's name up to the first
/// dot. The files need not exist.
///
/// The result has several paths if the inputs are in different folders or have different names. In that case no names
/// file applies to all inputs, and callers use none of the paths.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_of_names_are_those_of_the_table() {
        let rows = [
            ("a.vert.agal", Some(("a", Part::Vertex))),
            ("a.vertex.agal", Some(("a", Part::Vertex))),
            ("a.vs.agalbc", Some(("a", Part::Vertex))),
            ("a.b.frag.agal", Some(("a.b", Part::Fragment))),
            ("x/a.fs.es2", Some(("x/a", Part::Fragment))),
            ("a.fragment.es2bc", Some(("a", Part::Fragment))),
            ("a.agal", Some(("a", Part::Whole))),
            // A module may have both stages, regardless of its name.
            ("a.vert.sdlbc", Some(("a.vert", Part::Whole))),
            ("a.sdlasm", Some(("a", Part::Whole))),
            // An extension is not removed if nothing would remain of the name.
            (".vert.agal", Some((".vert", Part::Whole))),
            ("vert.agal", Some(("vert", Part::Whole))),
            (".agal", None),
            ("a.vert", None),
            ("a.AGAL", None),
            ("a.names.toml", None),
        ];
        for (path, expected) in rows {
            let found = name(Path::new(path)).map(|named| (named.stem, named.part));
            assert_eq!(found, expected.map(|(stem, part)| (PathBuf::from(stem), part)), "{path}");
        }
    }

    #[test]
    fn files_of_one_name_in_one_folder_are_one_shader() {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let (found, clashes) = shaders(paths(&["b.fs.agal", "x/a.vert.agal", "a.frag.agal", "b.vs.agalbc", "c.sdlbc"]));
        let stems: Vec<(&str, usize)> =
            found.iter().map(|found| (found.stem.to_str().unwrap_or_default(), found.paths().len())).collect();
        assert_eq!(stems, [("b", 2), ("x/a", 1), ("a", 1), ("c", 1)]);
        assert_eq!(found[0].paths(), paths(&["b.vs.agalbc", "b.fs.agal"]));
        assert_eq!(found[1].files, Together::Lone(Part::Vertex, "x/a.vert.agal".into()));
        assert!(clashes.is_empty());
        for (names, part) in [
            (["a.agal", "a.frag.agal"], Part::Whole),
            (["a.agal", "a.sdlbc"], Part::Whole),
            (["a.vert.agal", "a.vs.agal"], Part::Vertex),
        ] {
            let (_, clashes) = shaders(paths(&names));
            let expected = Clash { stem: "a".into(), files: names.map(PathBuf::from), part };
            assert_eq!(clashes, [expected], "{names:?}");
        }
        assert!(are_exchanged(&["a.fs.agal".into(), "b.vs.agal".into()]));
        assert!(!are_exchanged(&["a.agal".into(), "b.vs.agal".into()]));
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_utf_8_are_kept() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(OsStr::from_bytes(b"\xff.vert.agal"));
        let found = name(path).expect("a shader");
        assert_eq!((found.stem.as_os_str().as_bytes(), found.part), (&b"\xff"[..], Part::Vertex));
    }
}

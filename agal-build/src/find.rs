//! Finds the files of the pairs that the configuration names, and of the pairs in the configured folders. File names follow the
//! rules of [`agalc::found`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use agalc::found::{self, Clash, Found, Part, Together, shaders};
use serde_json::Value;

use crate::error::{Problem, ProblemKind};
use crate::naming::{Scope, slashed, snake};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sources {
    pub(crate) name: String,
    pub(crate) files: Files,
    /// The output folder of `agalc extract` that contains the pair; `None` if the pair was not extracted.
    pub(crate) extraction: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Files {
    /// One file: source text that contains both programs, or a module.
    One(PathBuf),
    /// The file of the vertex program and the file of the fragment program.
    Two([PathBuf; 2]),
}

impl Sources {
    pub(crate) fn paths(&self) -> &[PathBuf] {
        match &self.files {
            Files::One(path) => std::slice::from_ref(path),
            Files::Two(paths) => paths,
        }
    }

    /// Returns the paths for a message, in backquotes and joined with "and".
    pub(crate) fn shown(&self) -> String {
        self.paths().iter().map(|path| format!("`{}`", slashed(path))).collect::<Vec<_>>().join(" and ")
    }
}

/// Returns a pair's name: the last component of the path stem that its files share.
fn name_of(stem: &Path) -> String {
    stem.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns a problem that reports two files with the same role in a pair, such as two vertex shaders.
fn twice(Clash { stem, files: [one, other], part }: &Clash) -> Problem {
    let pair = name_of(stem);
    let part = match part {
        Part::Vertex => "the vertex shader of ",
        Part::Fragment => "the fragment shader of ",
        Part::Whole => "",
    };
    let text =
        format!("`{}` and `{}` are both {part}the pair `{pair}`; keep one of them", one.display(), other.display());
    Problem::new(Some(&pair), ProblemKind::Twice, text)
}

/// Returns a problem that reports a vertex program without a fragment program, or the reverse.
fn lone(name: &str, part: Part, path: PathBuf) -> Problem {
    let missing = if part == Part::Vertex { "fragment" } else { "vertex" };
    let text = format!(
        "`{}` has no {missing} shader beside it; a pair is `{name}.vert.agal` and `{name}.frag.agal`. If agalc extract wrote \
         the folder, keep its manifest.json there, which lists the pairs",
        path.display()
    );
    Problem::new(Some(name), ProblemKind::Lone { path }, text)
}

/// The prefix of the format name in every manifest that `agalc extract` writes.
const EXTRACTION: &str = "agalc extract ";

/// Reads the manifest that `agalc extract` wrote to a folder, and returns the two file names of each listed pair. Returns
/// `None` if the folder has no such manifest.
///
/// # Errors
/// Returns an error if the manifest is damaged.
fn extracted(folder: &Path) -> Result<Option<Vec<[String; 2]>>, Problem> {
    let path = folder.join("manifest.json");
    let Ok(json) = std::fs::read(&path) else { return Ok(None) };
    let manifest: Value = match serde_json::from_slice(&json) {
        Ok(manifest) => manifest,
        Err(error) if String::from_utf8_lossy(&json).contains(EXTRACTION) => {
            let text = format!("`{}` is damaged: {error}; extract the folder again", path.display());
            let kind = ProblemKind::Read { path, error: std::io::ErrorKind::InvalidData };
            return Err(Problem::new(None, kind, text));
        }
        Err(_) => return Ok(None),
    };
    let text = |of: &Value, key: &str| Some(of.get(key)?.as_str()?.to_string());
    let is_extraction = text(&manifest, "format").is_some_and(|format| format.starts_with(EXTRACTION));
    let pairs = manifest.get("pairs").and_then(Value::as_array).into_iter().flatten();
    let pairs = pairs.filter_map(|pair| Some([text(pair, "vertex")?, text(pair, "fragment")?])).collect();
    Ok(is_extraction.then_some(pairs))
}

/// Joins the names of two programs without repeating their common prefix: `Glow.2` and `Glow.additive` become `Glow.2.additive`.
fn joined(vertex: &str, fragment: &str) -> String {
    let of_fragment: Vec<&str> = fragment.split('.').collect();
    let of_vertex: Vec<&str> = vertex.split('.').collect();
    let same = of_vertex.iter().zip(&of_fragment).take_while(|(one, other)| one == other).count();
    [of_vertex.as_slice(), of_fragment.get(same..).unwrap_or_default()].concat().join(".")
}

/// Returns the paths of the subfolders that contain shaders, in backquotes for a message.
fn inner(paths: &[PathBuf]) -> Vec<String> {
    let has_shaders = |folder: &&PathBuf| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).any(|path| found::name(&path).is_some())
    };
    paths.iter().filter(has_shaders).map(|path| format!("`{}`", path.display())).collect()
}

/// Finds the pairs of a folder, in the order of their names. Files that are not named like shaders are ignored. A name
/// that cannot be a module name, such as `Glow.additive`, is converted.
///
/// In an output folder of `agalc extract`, pairs of programs with different names follow in the order of the manifest.
/// If exactly one of the two programs is in no other pair, the pair takes the name of that program. The name of any other
/// pair joins the names of both programs. A program that belongs to no pair is ignored.
///
/// # Errors
/// Returns an error if the folder cannot be read, has no pair, or has a program without its counterpart.
pub(crate) fn folder(path: &Path) -> Result<Vec<Sources>, Vec<Problem>> {
    let unread = |error: std::io::Error| vec![Problem::unread(None, path, &error)];
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unread)? {
        paths.push(entry.map_err(unread)?.path());
    }
    // The name of a Rust module must be valid UTF-8.
    paths.retain(|path| path.file_name().is_some_and(|name| name.to_str().is_some()));
    paths.sort();
    let inner = inner(&paths);
    let (mut shaders, clashes) = shaders(paths);
    shaders.sort_by(|one, other| one.stem.cmp(&other.stem));
    let (mut found, mut problems): (Vec<Sources>, Vec<Problem>) = (Vec::new(), clashes.iter().map(twice).collect());
    let extracted = extracted(path).map_err(|problem| vec![problem])?;
    let extraction = extracted.is_some().then(|| path.to_path_buf());
    let mut names = Scope::default();
    for Found { stem, files } in shaders {
        let name = name_of(&stem);
        let files = match files {
            Together::Whole(path) => Files::One(path),
            Together::Pair(paths) => Files::Two(paths),
            Together::Lone(part, path) => {
                problems.extend(extraction.is_none().then(|| lone(&name, part, path)));
                continue;
            }
        };
        found.push(Sources { name: names.take(snake(&name)), files, extraction: extraction.clone() });
    }
    let pairs = extracted.unwrap_or_default().into_iter().filter_map(|files| {
        // Files in subfolders are templates, which cannot be compiled.
        let is_here = files.iter().all(|file| !file.contains(['/', '\\']));
        let paths = files.map(|file| path.join(file));
        match paths.each_ref().map(|path| found::name(path).filter(|_| is_here && path.is_file())) {
            [Some(vertex), Some(fragment)] => Some((paths, [vertex.stem, fragment.stem].map(|stem| name_of(&stem)))),
            _ => None,
        }
    });
    let pairs: Vec<_> = pairs.collect();
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for stem in pairs.iter().flat_map(|(_, [vertex, fragment])| BTreeSet::from([vertex, fragment])) {
        *uses.entry(stem).or_default() += 1;
    }
    for (paths, [vertex, fragment]) in pairs.iter().filter(|(_, [vertex, fragment])| vertex != fragment) {
        let is_only_here = [vertex, fragment].map(|stem| uses.get(stem.as_str()) == Some(&1));
        let name = match is_only_here {
            [true, false] => vertex.clone(),
            [false, true] => fragment.clone(),
            _ => joined(vertex, fragment),
        };
        let (name, files) = (names.take(snake(&name)), Files::Two(paths.clone()));
        found.push(Sources { name, files, extraction: extraction.clone() });
    }
    if found.is_empty() && problems.is_empty() {
        let path = path.to_path_buf();
        let instead = match extraction {
            Some(_) => {
                "complete pair; fill the holes of its templates (agalc extract --fill), or add two of its programs with `pair`"
            }
            None => "pair of shaders; a pair is `lit.vert.agal` and `lit.frag.agal`",
        };
        let mut text = format!("`{}` has no {instead}", path.display());
        if !inner.is_empty() {
            text += &format!(". Its subfolders are not searched: add {}", inner.join(", "));
        }
        problems.push(Problem::new(None, ProblemKind::Empty { path }, text));
    }
    if problems.is_empty() { Ok(found) } else { Err(problems) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_of(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        names.iter().for_each(|name| std::fs::write(folder.path().join(name), "").expect("a file"));
        folder
    }

    #[test]
    fn pairs_are_found_by_their_names() {
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

    #[test]
    fn an_extraction_becomes_modules_without_a_word() {
        let found = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(found.path().join("templates")).expect("a folder");
        for name in [
            "Glow.vert.agal",
            "Glow.frag.agal",
            "Glow.additive.vert.agal",
            "Glow.additive.frag.agal",
            "glow.vert.agal",
            "glow.frag.agal",
            "Glow.2.frag.agal",
            "Lone.frag.agal",
            "templates/Sky.frag.agal.in",
        ] {
            std::fs::write(found.path().join(name), "").expect("a file");
        }
        let problems = folder(found.path()).expect_err("no manifest");
        assert!(problems.iter().any(|problem| problem.text.contains("has no vertex shader beside it")), "{problems:?}");
        let pair = |vertex: &str, fragment: &str| format!("{{\"vertex\":\"{vertex}\",\"fragment\":\"{fragment}\"}}");
        let pairs = [
            pair("Glow.vert.agal", "Glow.frag.agal"),
            pair("Glow.additive.vert.agal", "Glow.additive.frag.agal"),
            pair("Glow.additive.vert.agal", "Glow.2.frag.agal"),
            pair("Glow.additive.vert.agal", "Glow.frag.agal"),
            pair("Glow.vert.agal", "templates/Sky.frag.agal.in"),
            pair("Glow.vert.agal", "Gone.frag.agal"),
        ];
        let manifest = format!("{{\"format\":\"agalc extract 1\",\"pairs\":[{}]}}", pairs.join(","));
        std::fs::write(found.path().join("manifest.json"), manifest).expect("a manifest");
        let pairs = folder(found.path()).expect("pairs");
        let names: Vec<&str> = pairs.iter().map(|pair| pair.name.as_str()).collect();
        assert_eq!(names, ["glow", "glow_additive", "glow2", "glow_2", "glow_additive2"]);
        let cut = folder_of(&["Glow.vert.agal", "Glow.frag.agal"]);
        std::fs::write(cut.path().join("manifest.json"), "{\"format\":\"agalc extract 1\",\"pairs\":[")
            .expect("a manifest");
        let problems = folder(cut.path()).expect_err("a manifest that is cut off");
        assert!(problems[0].text.contains("manifest.json` is damaged: EOF"), "{problems:?}");
        std::fs::write(cut.path().join("manifest.json"), "{ // of something else").expect("a manifest");
        assert_eq!(folder(cut.path()).expect("a pair").len(), 1);
        let empty = folder_of(&["manifest.json"]);
        std::fs::write(empty.path().join("manifest.json"), "{\"format\":\"agalc extract 1\",\"pairs\":[]}")
            .expect("a manifest");
        let problems = folder(empty.path()).expect_err("an extraction without pairs");
        assert!(problems[0].text.contains("has no complete pair; fill the holes"), "{problems:?}");
        let around = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(around.path().join("game")).expect("a folder");
        std::fs::write(around.path().join("game/Lit.agal"), "").expect("a file");
        let problems = folder(around.path()).expect_err("a folder of folders");
        assert!(
            problems.iter().any(|problem| problem.text.contains("Its subfolders are not searched: add `")),
            "{problems:?}"
        );
    }
}

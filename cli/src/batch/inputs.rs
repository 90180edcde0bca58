//! Lists the files of a batch. The inputs are files, folders with all their subfolders, and patterns.
//!
//! Rules: the files are listed in the order of the inputs. The files of a folder or a pattern are listed in the order of their
//! names. Each file is listed once. Names that begin with a dot are skipped, unless an input names them.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use agalc::found::{self, Unfinished};
use agalc::render::shown;
use anyhow::{Error, Result, anyhow};
use globset::{GlobBuilder, GlobMatcher};
use walkdir::WalkDir;

use super::applications;
use crate::output::{UsageError, usage};
use crate::phrases::{counted, quoted};
use crate::report;

#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) path: PathBuf,
    /// The file's path relative to the input folder, or to the part of a pattern before the first wildcard. If the input is a
    /// file, `place` is the file name.
    pub(super) place: PathBuf,
}

#[derive(Debug, Default)]
pub(crate) struct Listed {
    pub(crate) entries: Vec<Entry>,
    pub(crate) skipped: Skipped,
    /// The folders in which the command found no file to read.
    pub(crate) empty: Vec<PathBuf>,
    /// The errors about unreadable files and folders.
    pub(crate) problems: Vec<Error>,
    /// The paths that are already listed.
    known: BTreeSet<PathBuf>,
}

/// The numbers of skipped files. Extraction manifests and files of register names are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Skipped {
    /// The number of unrelated files, which the command does not read.
    pub(crate) others: usize,
    pub(crate) templates: usize,
    pub(crate) pieces: usize,
    /// The number of extraction manifests in the searched folders.
    pub(crate) extractions: usize,
}

impl Skipped {
    /// Reports whether an extraction has templates or pieces, in which case a batch without shaders is not an error.
    pub(super) fn is_unfinished(&self) -> bool {
        self.extractions > 0 && self.templates + self.pieces > 0
    }

    /// Returns text such as `; 2 other files skipped; skipped 1 template (...)`, or an empty string.
    pub(super) fn summary(&self) -> String {
        let mut text = String::new();
        if self.others > 0 {
            text += &format!("; {} skipped", counted(self.others, "other file", "other files"));
        }
        let templates = counted(self.templates, "template", "templates");
        let templates = format!("{templates} (fill the holes with agalc extract --fill)");
        let pieces = counted(self.pieces, "piece", "pieces");
        let both = [(self.templates, templates), (self.pieces, pieces)];
        let both: Vec<String> = both.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect();
        if !both.is_empty() {
            text += &format!("; skipped {}", both.join(" and "));
        }
        text
    }
}

/// Reports whether an input is a pattern. A pattern contains `*`, `?`, `[` or `{`, and is not the name of a file.
pub(super) fn is_pattern(input: &Path) -> bool {
    input.to_str().is_some_and(has_wildcard) && std::fs::symlink_metadata(input).is_err()
}

fn has_wildcard(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

/// Lists the files of the inputs. Fails for standard input, for an invalid pattern, and for a pattern that matches
/// nothing.
pub(crate) fn list(inputs: &[PathBuf], filter: FileFilter) -> Result<Listed> {
    let mut listed = Listed::default();
    for input in inputs {
        if input.as_os_str() == "-" {
            return usage(filter.refusal_of_stdin());
        }
        if input.is_dir() {
            listed.folder(input, filter);
        } else if is_pattern(input) {
            listed.pattern(input, filter)?;
        } else {
            let place = input.file_name().map_or_else(|| input.clone(), PathBuf::from);
            listed.add(input.clone(), place);
        }
    }
    Ok(listed)
}

/// Returns the error for the inputs of a batch. An error about an invalid or unmatched pattern takes precedence over `message`.
pub(crate) fn wrong_inputs(inputs: &[PathBuf], message: &str) -> Error {
    let patterns: Vec<PathBuf> = inputs.iter().filter(|input| is_pattern(input)).cloned().collect();
    let listed = list(&patterns, FileFilter::Everything);
    listed.err().unwrap_or_else(|| UsageError(message.into()).into())
}

/// The types of files that a command reads from a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileFilter {
    /// Programs, modules and pairs of programs.
    Shaders,
    /// Programs and pairs of programs.
    Pairs,
    /// Programs. A vertex and a fragment program are processed separately, even if their names match.
    Programs,
    /// Files that may contain programs: Flash applications, libraries and sources.
    Applications,
    /// Files of every kind.
    Everything,
}

impl FileFilter {
    fn accepts(self, path: &Path) -> bool {
        match self {
            FileFilter::Everything => true,
            FileFilter::Applications => applications::is_application(path),
            _ => found::name(path).is_some_and(|named| self == FileFilter::Shaders || !named.is_module),
        }
    }

    fn are_shaders(self) -> bool {
        !matches!(self, FileFilter::Applications | FileFilter::Everything)
    }

    /// Returns the extensions of the accepted files, for messages.
    fn endings(self) -> &'static str {
        match self {
            FileFilter::Everything => "",
            FileFilter::Applications => applications::ENDINGS,
            FileFilter::Shaders => ".agal, .agalbc, .es2, .es2bc, .sdlbc or .sdlasm",
            FileFilter::Pairs | FileFilter::Programs => ".agal, .agalbc, .es2 or .es2bc",
        }
    }

    /// Returns the message that refuses standard input (`-`) as an input.
    fn refusal_of_stdin(self) -> &'static str {
        match self {
            FileFilter::Applications | FileFilter::Everything => {
                "`extract` does not read standard input (`-`), because programs are named after the input files; save the input to a file, and name the file"
            }
            _ => "`-`, standard input, cannot be an input of a batch; name a file or a folder",
        }
    }
}

impl Listed {
    fn add(&mut self, path: PathBuf, place: PathBuf) {
        if self.known.insert(plain(&path)) {
            self.entries.push(Entry { path, place });
        }
    }

    /// Searches a folder, and adds the files that `filter` accepts.
    fn folder(&mut self, folder: &Path, filter: FileFilter) {
        let (root, mut is_empty) = (plain(folder), true);
        for path in self.walk(&root, usize::MAX, false) {
            match filter.accepts(&path) {
                true => {
                    is_empty = false;
                    self.below(&root, path);
                }
                false => self.skip(&path, filter),
            }
        }
        if is_empty {
            self.empty.push(root);
        }
    }

    /// Counts a file that the command does not read, and reports the file with `--verbose`.
    fn skip(&mut self, path: &Path, filter: FileFilter) {
        let of = found::unfinished(path).filter(|_| filter.are_shaders());
        match of {
            Some(Unfinished::Template) => self.skipped.templates += 1,
            Some(Unfinished::Piece) => self.skipped.pieces += 1,
            // A file with register names is read together with the shader of the same name.
            None if is_of_names(path) => return,
            None if filter.are_shaders() && is_of_extraction(path) => {
                self.skipped.extractions += 1;
                return;
            }
            None => self.skipped.others += 1,
        }
        report::skipped(path, of, filter.endings());
    }

    fn pattern(&mut self, input: &Path, filter: FileFilter) -> Result<()> {
        let Pattern { root, matcher, depth, has_hidden } = Pattern::new(input)?;
        let (before, unread) = (self.known.len(), self.problems.len());
        let mut is_matched = false;
        for path in self.walk(&root, depth, has_hidden) {
            if !matcher.is_match(below(&root, &path)) || is_of_names(&path) {
                continue;
            }
            is_matched = true;
            match filter.are_shaders() && found::unfinished(&path).is_some() {
                true => self.skip(&path, filter),
                false => self.below(&root, path),
            }
        }
        if !is_matched && before == self.known.len() && unread == self.problems.len() {
            return Err(anyhow!("no file matches {}", quoted(input)));
        }
        Ok(())
    }

    fn below(&mut self, root: &Path, path: PathBuf) {
        let place = below(root, &path).to_path_buf();
        self.add(path, place);
    }

    /// Returns the plain files below a folder in the order of their names. Symbolic links are followed unless they form a cycle.
    fn walk(&mut self, root: &Path, depth: usize, has_hidden: bool) -> Vec<PathBuf> {
        let walk = WalkDir::new(root).follow_links(true).max_depth(depth).sort_by_file_name();
        let is_shown = |entry: &walkdir::DirEntry| {
            has_hidden || entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".")
        };
        let mut paths = Vec::new();
        for entry in walk.into_iter().filter_entry(is_shown) {
            match entry {
                Ok(entry) if entry.file_type().is_file() => paths.push(plain(entry.path())),
                Ok(_) => {}
                Err(error) => self.problem(root, error),
            }
        }
        paths
    }

    /// Records the error for an unreadable file or folder. A link that leads back to a parent folder is skipped with a note. A
    /// broken link is skipped unless the link has the name of a shader.
    fn problem(&mut self, root: &Path, error: walkdir::Error) {
        let path = plain(error.path().unwrap_or(root));
        let name = shown::path(&path);
        if let Some(folder) = error.loop_ancestor() {
            let folder = shown::path(&plain(folder));
            return report::note(&format!("the link `{name}` is not followed, because it leads back to `{folder}`"));
        }
        let is_broken_link = path.is_symlink() && !path.exists();
        if is_broken_link && found::name(&path).is_none() {
            return;
        }
        let error = error.into_io_error().unwrap_or_else(|| std::io::Error::other("it cannot be read"));
        self.problems.push(report::unread(&name, &error));
    }
}

/// A pattern, split into a folder to search and a matcher for the files in that folder.
struct Pattern {
    root: PathBuf,
    matcher: GlobMatcher,
    /// The maximum depth of matching files below the folder.
    depth: usize,
    /// Whether a component of the pattern begins with a dot.
    has_hidden: bool,
}

impl Pattern {
    fn new(input: &Path) -> Result<Pattern> {
        let is_plain = |part: &Component<'_>| !part.as_os_str().to_str().is_some_and(has_wildcard);
        let root: PathBuf = input.components().take_while(is_plain).collect();
        let parts = input.components().skip_while(is_plain).filter_map(|part| part.as_os_str().to_str());
        let parts: Vec<&str> = parts.collect();
        let glob = GlobBuilder::new(&parts.join("/")).literal_separator(true).build();
        let wrong = || UsageError(format!("{} is neither a valid file pattern nor the name of a file", quoted(input)));
        let matcher = glob.map_err(|error| Error::new(error).context(wrong()))?.compile_matcher();
        let depth = if parts.iter().any(|part| part.contains("**")) { usize::MAX } else { parts.len() };
        let has_hidden = parts.iter().any(|part| part.starts_with('.'));
        Ok(Pattern { root: plain(&root), matcher, depth, has_hidden })
    }
}

/// Removes the `.` components of a path. An empty path becomes `.`.
fn plain(path: &Path) -> PathBuf {
    let plain: PathBuf = path.components().filter(|part| *part != Component::CurDir).collect();
    if plain.as_os_str().is_empty() { PathBuf::from(".") } else { plain }
}

fn below<'p>(folder: &Path, path: &'p Path) -> &'p Path {
    path.strip_prefix(folder).unwrap_or(path)
}

fn is_of_names(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
        && path.with_extension("").extension().is_some_and(|of| of == "names")
}

/// Reports whether a file is the manifest of an extraction.
fn is_of_extraction(path: &Path) -> bool {
    let mut head = Vec::new();
    let mut read = || File::open(path)?.take(128).read_to_end(&mut head);
    path.file_name().is_some_and(|name| name == "manifest.json")
        && read().is_ok()
        && String::from_utf8_lossy(&head).contains(agal_extract::FORMAT)
}

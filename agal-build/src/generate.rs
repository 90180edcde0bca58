//! Generates the Rust modules of all configured pairs, and prints the messages that cargo expects from a build script.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::config::{Config, Folder, Generated, GivenName};
use crate::error::{Error, Problem, ProblemKind};
use crate::find::{self, Sources};
use crate::naming::{slashed, snake};
use crate::{cargo, pair, stale};

/// The maximum number of skipped pairs in a folder that are reported with a reason.
const EXPLAINED: usize = 5;
/// The maximum number of skipped pairs in a folder that are reported only by name.
const NAMED: usize = 20;

/// Returns warnings about the extracted pairs that cannot be compiled.
fn left_out(folder: &Path, refused: &[(&Sources, Vec<Problem>)]) -> Vec<String> {
    let one = |(sources, problems): &(&Sources, Vec<Problem>)| {
        let what = problems.first().and_then(|problem| problem.text.lines().next()).unwrap_or_default();
        let what = what.strip_prefix("error: ").unwrap_or(what);
        format!("the pair `{}` ({}) is left out: {what}", sources.name, sources.shown())
    };
    let mut warnings: Vec<String> = refused.iter().take(EXPLAINED).map(one).collect();
    let mut more: Vec<String> =
        refused.iter().skip(EXPLAINED).map(|(sources, _)| format!("`{}`", sources.name)).collect();
    if !more.is_empty() {
        let others = more.len().saturating_sub(NAMED);
        more.truncate(NAMED);
        more.extend((others > 0).then(|| format!("{others} others")));
        warnings.push(format!(
            "more pairs of `{}` are left out: {}; add the two files of a pair with `Config::pair` to see its errors",
            slashed(folder),
            more.join(", ")
        ));
    }
    warnings
}

impl Config {
    /// Generates the modules of all pairs in `OUT_DIR`. Prints the names of the files that were read, the warnings and the
    /// errors in the form that cargo expects.
    ///
    /// Modules of pairs that no longer exist are removed. The file `agal-build.txt` in the output folder lists the generated
    /// files.
    ///
    /// # Errors
    /// Returns the problems of all pairs, after printing them, and writes no file.
    pub fn compile(&self) -> Result<(), Error> {
        let mut read = Vec::new();
        let (warnings, done) = match self.generate_reading(&mut read) {
            Ok(generated) => (generated.warnings, self.write(&generated.files)),
            Err(error) => (Vec::new(), Err(error)),
        };
        let problems = done.as_ref().err().map(|error| error.problems.as_slice()).unwrap_or_default();
        let errors: Vec<&str> = problems.iter().map(|problem| problem.text.as_str()).collect();
        print!("{}", cargo::lines(&read, &warnings, &errors));
        done
    }

    /// Returns the modules of all pairs. Writes no file and prints nothing.
    ///
    /// # Errors
    /// Returns the problems of all pairs.
    pub fn generate(&self) -> Result<Generated, Error> {
        self.generate_reading(&mut Vec::new())
    }

    /// Generates the modules. The list `read` receives the path of every file and folder that was read, even if the function
    /// returns an error.
    fn generate_reading(&self, read: &mut Vec<PathBuf>) -> Result<Generated, Error> {
        let (pairs, mut problems) = self.sources(read);
        let mut generated = Generated { warnings: self.strays(&pairs), ..Generated::default() };
        let mut refused: BTreeMap<&Path, Vec<(&Sources, Vec<Problem>)>> = BTreeMap::new();
        let mut compiled = BTreeSet::new();
        for sources in &pairs {
            match (pair::generate(sources, self, read), sources.extraction.as_deref()) {
                (Ok(of_pair), extraction) => {
                    compiled.extend(extraction);
                    generated.files.extend(of_pair.files);
                    // Validator warnings about extracted programs are dropped, since the user cannot change these programs.
                    let is_heeded = |text: &String| extraction.is_none() || !text.starts_with("warning[AGAL");
                    generated.warnings.extend(of_pair.warnings.into_iter().filter(is_heeded));
                }
                (Err(of_pair), Some(folder)) if self.is_of_application(sources, &of_pair) => {
                    refused.entry(folder).or_default().push((sources, of_pair));
                }
                (Err(of_pair), _) => problems.extend(of_pair),
            }
        }
        for (folder, refused) in refused {
            // If no pair in an extracted folder compiles, the folder is probably the wrong one.
            if compiled.contains(folder) {
                generated.warnings.extend(left_out(folder, &refused));
            } else {
                problems.extend(refused.into_iter().flat_map(|(_, problems)| problems));
            }
        }
        let is_known = |name: &str| pairs.iter().any(|pair| pair.name == name);
        // After a problem, the list of pairs may be incomplete, so register names for unknown pairs are not reported.
        let unknown = self.names.iter().filter(|name| !is_known(&name.pair));
        let unknown: Vec<_> = if problems.is_empty() { unknown.collect() } else { Vec::new() };
        for GivenName { pair, text, .. } in unknown {
            let meant = snake(pair);
            let instead = match pairs.as_slice() {
                _ if is_known(&meant) => format!("; did you mean `{meant}`?"),
                few @ ([_] | [_, _] | [_, _, _]) => {
                    let names: Vec<String> = few.iter().map(|pair| format!("`{}`", pair.name)).collect();
                    format!("; known pairs: {}", names.join(", "))
                }
                _ => String::new(),
            };
            let text = format!("`{text}` names a register of the pair `{pair}`, but there is no such pair{instead}");
            problems.push(Problem::new(Some(pair), ProblemKind::NoPair, text));
        }
        read.sort();
        read.dedup();
        generated.read = read.clone();
        if problems.is_empty() { Ok(generated) } else { Err(Error { problems }) }
    }

    /// Reports whether all of a pair's problems are in the extracted programs. Returns false if the configuration or a names file
    /// names registers of the pair.
    fn is_of_application(&self, sources: &Sources, problems: &[Problem]) -> bool {
        let has_names = self.names.iter().any(|name| name.pair == sources.name)
            || agalc::names_beside(sources.paths()).iter().any(|path| path.is_file());
        !has_names && problems.iter().all(|problem| matches!(problem.kind, ProblemKind::Shaders(_)))
    }

    /// Returns the pairs that the configuration names, followed by the pairs in the configured folders.
    fn sources(&self, read: &mut Vec<PathBuf>) -> (Vec<Sources>, Vec<Problem>) {
        let (mut pairs, mut problems) = (self.pairs.clone(), Vec::new());
        for Folder { path, prefix } in &self.folders {
            // Cargo reruns the build script when a file is added to a watched folder.
            read.push(path.clone());
            match find::folder(path) {
                Ok(mut found) => {
                    if let Some(prefix) = prefix {
                        found.iter_mut().for_each(|pair| pair.name = snake(&format!("{prefix}_{}", pair.name)));
                    }
                    pairs.extend(found);
                }
                Err(found) => problems.extend(found),
            }
        }
        if self.pairs.is_empty() && self.folders.is_empty() {
            let text = "there are no shaders; add some with `folder`, `pair` or `file`".to_string();
            problems.push(Problem::new(None, ProblemKind::NoShaders, text));
        }
        let mut modules: BTreeMap<&str, &Sources> = BTreeMap::new();
        for sources in &pairs {
            let name = sources.name.as_str();
            if snake(name) != name {
                let text = format!("`{name}` cannot be the name of a module; use `{}`", snake(name));
                problems.push(Problem::new(Some(name), ProblemKind::NotAModule, text));
            } else if let Some(other) = modules.insert(name, sources) {
                let [one, other] = [other, sources].map(Sources::shown);
                let text = format!(
                    "there are two pairs with the name `{name}`: {one}; {other}. Rename the files of one pair, or add \
                     its folder with `folder_as`"
                );
                problems.push(Problem::new(Some(name), ProblemKind::Twice, text));
            }
        }
        (pairs, problems)
    }

    /// Returns warnings about `.names.toml` files that belong to no pair.
    fn strays(&self, pairs: &[Sources]) -> Vec<String> {
        let paths = self.folders.iter().filter_map(|folder| std::fs::read_dir(&folder.path).ok());
        let paths = paths.flatten().flatten().map(|entry| entry.path());
        let is_of_names = |path: &PathBuf| path.to_str().is_some_and(|path| path.ends_with(".names.toml"));
        // Canonical paths are compared, because the configuration may spell the path of one folder in several ways.
        let canonical = |path: PathBuf| path.canonicalize().unwrap_or(path);
        let read: BTreeSet<PathBuf> =
            pairs.iter().flat_map(|pair| agalc::names_beside(pair.paths())).map(canonical).collect();
        let strays: BTreeSet<PathBuf> =
            paths.filter(is_of_names).filter(|path| !read.contains(&canonical(path.clone()))).collect();
        let warning = |path: &PathBuf| {
            format!("`{}` is not read, because no pair has this name; rename or remove it", slashed(path))
        };
        strays.iter().map(warning).collect()
    }

    fn write(&self, files: &BTreeMap<String, Vec<u8>>) -> Result<(), Error> {
        let folder = self.out_dir.clone().or_else(|| std::env::var_os("OUT_DIR").map(PathBuf::from));
        let folder = folder.ok_or_else(|| {
            let text = "OUT_DIR is not set, because cargo sets it only for build scripts; elsewhere, call `out_dir`"
                .to_string();
            Problem::new(None, ProblemKind::Output { path: None }, text)
        })?;
        stale::write(&folder, files).map_err(|(path, error)| {
            let text = format!("cannot write `{}`: {error}", path.display());
            Problem::new(None, ProblemKind::Output { path: Some(path) }, text).into()
        })
    }
}

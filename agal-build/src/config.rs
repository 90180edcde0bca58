//! The configuration of a build script.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use backends::{Glsl, Layout};

use crate::error::{Error, Problem, ProblemKind};
use crate::find::{self, Files, Sources};
use crate::naming::snake;
use crate::rust::Style;
use crate::{cargo, pair, stale};

/// A language that shaders are translated to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Target {
    /// WGSL: the constant `WGSL`.
    Wgsl,
    /// SPIR-V: the constant `SPIRV`, an array of words.
    Spirv,
    /// GLSL 450: the constants `GLSL_450_VERTEX` and `GLSL_450_FRAGMENT`.
    Glsl450,
    /// GLSL 330: the constants `GLSL_330_VERTEX` and `GLSL_330_FRAGMENT`.
    Glsl330,
    /// GLSL ES 300 and WebGL 2: the constants `GLSL_ES_300_VERTEX` and `GLSL_ES_300_FRAGMENT`.
    GlslEs300,
}

impl Target {
    pub(crate) fn backend(self) -> backends::Target {
        match self {
            Target::Wgsl => backends::Target::Wgsl,
            Target::Spirv => backends::Target::Spirv,
            Target::Glsl450 => backends::Target::Glsl(Glsl::Core450),
            Target::Glsl330 => backends::Target::Glsl(Glsl::Core330),
            Target::GlslEs300 => backends::Target::Glsl(Glsl::Es300),
        }
    }
}

/// Which shaders are translated, to what, and how.
///
/// Paths are relative to the package's folder, where cargo runs build scripts. Shaders are best in a folder of their own: cargo
/// runs the script again when a file is added to it. In the package's own folder, that is whenever anything in the package
/// changes, and if the target folder is there too, at every build.
#[derive(Clone, Debug)]
pub struct Config {
    pub(crate) pairs: Vec<Sources>,
    folders: Vec<Folder>,
    pub(crate) names: Vec<GivenName>,
    pub(crate) targets: BTreeSet<Target>,
    pub(crate) layout: Layout,
    pub(crate) options: agalc::Options,
    bytemuck: bool,
    wgpu: bool,
    out_dir: Option<PathBuf>,
}

/// A folder whose pairs are taken.
#[derive(Clone, Debug)]
struct Folder {
    path: PathBuf,
    /// What the names of its modules begin with.
    prefix: Option<String>,
}

/// A name that the configuration gives.
#[derive(Clone, Debug)]
pub(crate) struct GivenName {
    pub(crate) pair: String,
    /// `vc0..3=clip: mat4x4`
    pub(crate) text: String,
    /// Whether it can be for an attribute only.
    pub(crate) is_attribute: bool,
}

/// What is generated from shaders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generated {
    /// The files, by name: `lit.rs`, and what it includes.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Every file that was read, and the folders that were searched.
    pub read: Vec<PathBuf>,
    /// Warnings about the shaders as text, with their source lines.
    pub warnings: Vec<String>,
}

/// Of how many pairs of a folder that are left out it is told why, and how many further ones are named.
const TOLD: usize = 5;
const NAMED: usize = 20;

/// Warnings about the pairs of an extraction that do not compile.
fn left_out(folder: &Path, refused: &[(&Sources, Vec<Problem>)]) -> Vec<String> {
    let one = |(sources, problems): &(&Sources, Vec<Problem>)| {
        let what = problems.first().and_then(|problem| problem.text.lines().next()).unwrap_or_default();
        let what = what.strip_prefix("error: ").unwrap_or(what);
        format!("the pair `{}` ({}) is left out: {what}", sources.name, sources.shown())
    };
    let mut warnings: Vec<String> = refused.iter().take(TOLD).map(one).collect();
    let mut more: Vec<String> = refused.iter().skip(TOLD).map(|(sources, _)| format!("`{}`", sources.name)).collect();
    if !more.is_empty() {
        let others = more.len().saturating_sub(NAMED);
        more.truncate(NAMED);
        more.extend((others > 0).then(|| format!("{others} others")));
        warnings.push(format!(
            "more pairs of `{}` are left out: {}; `Config::pair` with the two files of one tells what is wrong with it",
            pair::slashed(folder),
            more.join(", ")
        ));
    }
    warnings
}

impl Default for Config {
    fn default() -> Config {
        Config::new()
    }
}

impl Config {
    /// No shaders, WGSL in the layout `wgpu`, and code for wgpu and bytemuck.
    pub fn new() -> Config {
        Config {
            pairs: Vec::new(),
            folders: Vec::new(),
            names: Vec::new(),
            targets: BTreeSet::from([Target::Wgsl]),
            layout: Layout::named("wgpu").unwrap_or_default(),
            options: agalc::Options::default(),
            bytemuck: true,
            wgpu: true,
            out_dir: None,
        }
    }

    /// Adds a vertex and a fragment program, as the module `name`. If their texts, or the names of both files, say which is which,
    /// their order does not matter.
    pub fn pair(&mut self, name: &str, vertex: impl AsRef<Path>, fragment: impl AsRef<Path>) -> &mut Config {
        let files = Files::Two([vertex.as_ref().to_path_buf(), fragment.as_ref().to_path_buf()]);
        self.pairs.push(Sources { name: name.to_string(), files, extraction: None });
        self
    }

    /// Adds a file with both programs: AGAL text with two parts, or an SDLSHADERBC module.
    pub fn file(&mut self, name: &str, path: impl AsRef<Path>) -> &mut Config {
        let files = Files::One(path.as_ref().to_path_buf());
        self.pairs.push(Sources { name: name.to_string(), files, extraction: None });
        self
    }

    /// Adds every pair in a folder: `lit.vert.agal` and `lit.frag.agal`, or `lit.agal` with both, or `lit.sdlbc`.
    ///
    /// (`.vertex.agal` and `.fragment.agal`, `.vs.agal` and `.fs.agal` are the same, and `.vert.agalbc` and `.frag.agalbc` for
    /// bytecode; [`agalc::found`] has all rules. Folders in it are not searched.) A name becomes that of a module: `Glow.additive` is
    /// `glow_additive`.
    ///
    /// A folder that `agalc extract` has written is taken as it is, by its manifest: two programs of different names that the application
    /// uploads together are a pair too. If just one of them is in no other pair, the module has its name: `Glow.frag.agal` with `Glow.2.vert.agal`
    /// is `glow_2`. Otherwise it has both: `Glow.2.vert.agal` with `Glow.additive.frag.agal` is `glow_2_additive`. Programs that belong to no
    /// pair are passed by, and a pair whose programs the compiler refuses is left out with a warning, unless names were given to it.
    pub fn folder(&mut self, path: impl AsRef<Path>) -> &mut Config {
        self.folders.push(Folder { path: path.as_ref().to_path_buf(), prefix: None });
        self
    }

    /// Adds every pair in a folder, as [`folder`](Config::folder) does, with modules whose names begin with `prefix`:
    /// `.folder_as("old", "shaders/old")` makes `old_glow` of `Glow`. So two games may have classes of one name. The prefix is spelled as
    /// a module's name is: `Old` becomes `old`.
    pub fn folder_as(&mut self, prefix: &str, path: impl AsRef<Path>) -> &mut Config {
        self.folders.push(Folder { path: path.as_ref().to_path_buf(), prefix: Some(prefix.to_string()) });
        self
    }

    /// Names registers of a pair, with a type if it should not be inferred: `.name("lit", "vc0..3", "clip: mat4x4")`.
    ///
    /// These names override those in the file `lit.names.toml` beside `lit.vert.agal` and `lit.frag.agal`, and those in AGAL text.
    pub fn name(&mut self, pair: &str, registers: &str, name: &str) -> &mut Config {
        self.give(pair, registers, name, false)
    }

    /// Names an attribute, with its format in the vertex buffer: `.attribute("lit", "va2", "uv: Float32x2")`.
    ///
    /// Without a format an attribute is as many floats as its type has components.
    pub fn attribute(&mut self, pair: &str, register: &str, name: &str) -> &mut Config {
        self.give(pair, register, name, true)
    }

    fn give(&mut self, pair: &str, registers: &str, name: &str, is_attribute: bool) -> &mut Config {
        self.names.push(GivenName { pair: pair.to_string(), text: format!("{registers}={name}"), is_attribute });
        self
    }

    /// Sets the targets; the default is WGSL.
    pub fn targets(&mut self, targets: impl IntoIterator<Item = Target>) -> &mut Config {
        self.targets = targets.into_iter().collect();
        self
    }

    /// Sets where bindings are; the default is the layout `wgpu`.
    pub fn layout(&mut self, layout: Layout) -> &mut Config {
        self.layout = layout;
        self
    }

    /// Sets how AGAL is read and by which rules it is checked.
    pub fn options(&mut self, options: agalc::Options) -> &mut Config {
        self.options = options;
        self
    }

    /// Sets whether structures derive `bytemuck::Pod` and `bytemuck::Zeroable`; they do by default. The program then depends on
    /// bytemuck with its features `derive` and `min_const_generics`.
    pub fn bytemuck(&mut self, derive: bool) -> &mut Config {
        self.bytemuck = derive;
        self
    }

    /// Sets whether code for wgpu is generated; it is by default. The program then depends on wgpu 30.
    pub fn wgpu(&mut self, generate: bool) -> &mut Config {
        self.wgpu = generate;
        self
    }

    /// Sets the folder for the generated files; the default is cargo's `OUT_DIR`, where [`include!`](crate::include!) finds them.
    pub fn out_dir(&mut self, path: impl AsRef<Path>) -> &mut Config {
        self.out_dir = Some(path.as_ref().to_path_buf());
        self
    }

    pub(crate) fn style(&self) -> Style {
        Style { bytemuck: self.bytemuck, wgpu: self.wgpu }
    }

    /// Generates the modules of all pairs in `OUT_DIR`, and tells cargo what was read and what is wrong. What a former run
    /// generated for pairs that are gone is removed; the file `agal-build.txt` beside the modules lists them.
    ///
    /// # Errors
    /// All problems of all pairs, after they have been shown. Then no file is written.
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

    /// Generates the modules of all pairs without writing anything.
    ///
    /// # Errors
    /// All problems of all pairs.
    pub fn generate(&self) -> Result<Generated, Error> {
        self.generate_reading(&mut Vec::new())
    }

    /// Generates the modules, and lists what is read, even if there is an error.
    fn generate_reading(&self, read: &mut Vec<PathBuf>) -> Result<Generated, Error> {
        let (pairs, mut problems) = self.sources(read);
        let mut generated = Generated { warnings: self.strays(&pairs), ..Generated::default() };
        let mut refused: BTreeMap<&Path, Vec<(&Sources, Vec<Problem>)>> = BTreeMap::new();
        let mut right = BTreeSet::new();
        for sources in &pairs {
            match (pair::generate(sources, self, read), sources.extraction.as_deref()) {
                (Ok(of_pair), extraction) => {
                    right.extend(extraction);
                    generated.files.extend(of_pair.files);
                    // What is odd in the application's own code is not the program's to change.
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
            // Where nothing is right, the folder is not what is meant.
            if right.contains(folder) {
                generated.warnings.extend(left_out(folder, &refused));
            } else {
                problems.extend(refused.into_iter().flat_map(|(_, problems)| problems));
            }
        }
        let is_known = |name: &str| pairs.iter().any(|pair| pair.name == name);
        // If something cannot be read, not all pairs are known.
        let unknown = self.names.iter().filter(|name| !is_known(&name.pair));
        let unknown: Vec<_> = if problems.is_empty() { unknown.collect() } else { Vec::new() };
        for GivenName { pair, text, .. } in unknown {
            let meant = snake(pair);
            let instead = match pairs.as_slice() {
                _ if is_known(&meant) => format!("; `{meant}` is one"),
                few @ ([_] | [_, _] | [_, _, _]) => {
                    let names: Vec<String> = few.iter().map(|pair| format!("`{}`", pair.name)).collect();
                    format!("; there is {}", names.join(", "))
                }
                _ => String::new(),
            };
            let text = format!("`{text}` is a name for the pair `{pair}`, and there is no such pair{instead}");
            problems.push(Problem::new(Some(pair), ProblemKind::NoPair, text));
        }
        read.sort();
        read.dedup();
        generated.read = read.clone();
        if problems.is_empty() { Ok(generated) } else { Err(Error { problems }) }
    }

    /// Whether a pair is one of which nothing was said, and what is wrong with it is in the application's own programs.
    fn is_of_application(&self, sources: &Sources, problems: &[Problem]) -> bool {
        let has_names = self.names.iter().any(|name| name.pair == sources.name)
            || agalc::names_beside(sources.paths()).iter().any(|path| path.is_file());
        !has_names && problems.iter().all(|problem| matches!(problem.kind, ProblemKind::Shaders(_)))
    }

    /// The pairs by themselves and those of folders.
    fn sources(&self, read: &mut Vec<PathBuf>) -> (Vec<Sources>, Vec<Problem>) {
        let (mut pairs, mut problems) = (self.pairs.clone(), Vec::new());
        for Folder { path, prefix } in &self.folders {
            // Cargo runs the script again when a file is added to it.
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
                let text = format!("`{name}` is not a name for a module; `{}` is", snake(name));
                problems.push(Problem::new(Some(name), ProblemKind::NotAModule, text));
            } else if let Some(other) = modules.insert(name, sources) {
                let [one, other] = [other, sources].map(Sources::shown);
                let text = format!(
                    "there are two pairs with the name `{name}`: {one}; {other}. Rename the files of one, or take its \
                     folder with `folder_as`"
                );
                problems.push(Problem::new(Some(name), ProblemKind::Twice, text));
            }
        }
        (pairs, problems)
    }

    /// Warnings about files of names that belong to no pair.
    fn strays(&self, pairs: &[Sources]) -> Vec<String> {
        let paths = self.folders.iter().filter_map(|folder| std::fs::read_dir(&folder.path).ok());
        let paths = paths.flatten().flatten().map(|entry| entry.path());
        let is_of_names = |path: &PathBuf| path.to_str().is_some_and(|path| path.ends_with(".names.toml"));
        // The same folder may be written in several ways.
        let whole = |path: PathBuf| path.canonicalize().unwrap_or(path);
        let read: BTreeSet<PathBuf> =
            pairs.iter().flat_map(|pair| agalc::names_beside(pair.paths())).map(whole).collect();
        let strays: BTreeSet<PathBuf> =
            paths.filter(is_of_names).filter(|path| !read.contains(&whole(path.clone()))).collect();
        let warning = |path: &PathBuf| {
            format!("`{}` is not read, because no pair has this name; rename or remove it", pair::slashed(path))
        };
        strays.iter().map(warning).collect()
    }

    fn write(&self, files: &BTreeMap<String, Vec<u8>>) -> Result<(), Error> {
        let folder = self.out_dir.clone().or_else(|| std::env::var_os("OUT_DIR").map(PathBuf::from));
        let folder = folder.ok_or_else(|| {
            let text = "cargo sets OUT_DIR for build scripts only; elsewhere call `out_dir`".to_string();
            Problem::new(None, ProblemKind::Output { path: None }, text)
        })?;
        stale::write(&folder, files).map_err(|(path, error)| {
            let text = format!("cannot write `{}`: {error}", path.display());
            Problem::new(None, ProblemKind::Output { path: Some(path) }, text).into()
        })
    }
}

//! The configuration of a build script.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use backends::{Glsl, Layout};

use crate::find::{Files, Sources};
use crate::rust::Style;

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

/// The shaders to translate, the targets, and options.
///
/// Paths are relative to the package's folder, where cargo runs build scripts. Shaders should be in a folder of their own,
/// so that cargo runs the script again when a file is added to that folder. If they are in the package's folder, cargo runs
/// the script whenever any file of the package changes, and at every build if that folder contains the target folder.
#[derive(Clone, Debug)]
pub struct Config {
    pub(crate) pairs: Vec<Sources>,
    pub(crate) folders: Vec<Folder>,
    pub(crate) names: Vec<GivenName>,
    pub(crate) targets: BTreeSet<Target>,
    pub(crate) layout: Layout,
    pub(crate) options: agalc::Options,
    pub(crate) style: Style,
    pub(crate) out_dir: Option<PathBuf>,
}

/// A folder whose pairs are translated.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    /// The prefix of its modules' names.
    pub(crate) prefix: Option<String>,
}

/// A name that the configuration gives.
#[derive(Clone, Debug)]
pub(crate) struct GivenName {
    pub(crate) pair: String,
    /// The entry: `vc0..3=clip: mat4x4`.
    pub(crate) text: String,
    /// Whether the registers must be an attribute.
    pub(crate) is_attribute: bool,
}

/// The files and messages generated from shaders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generated {
    /// The files, by name: `lit.rs`, and the files that it includes.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The files that were read, and the folders that were searched.
    pub read: Vec<PathBuf>,
    /// Warnings about the shaders as text, with their source lines.
    pub warnings: Vec<String>,
}

impl Default for Config {
    fn default() -> Config {
        Config::new()
    }
}

impl Config {
    /// Returns a configuration without shaders: WGSL in the layout `wgpu`, and code for wgpu and bytemuck.
    pub fn new() -> Config {
        Config {
            pairs: Vec::new(),
            folders: Vec::new(),
            names: Vec::new(),
            targets: BTreeSet::from([Target::Wgsl]),
            layout: Layout::named("wgpu").unwrap_or_default(),
            options: agalc::Options::default(),
            style: Style { bytemuck: true, wgpu: true },
            out_dir: None,
        }
    }

    /// Adds a vertex and a fragment program, as the module `name`. Their order does not matter if their texts or the names
    /// of both files state their stages.
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
    /// The endings `.vertex.agal` and `.fragment.agal`, and `.vs.agal` and `.fs.agal`, are equivalent, and `.vert.agalbc`
    /// and `.frag.agalbc` are for bytecode; [`agalc::found`] has all rules. Nested folders are not searched. The file's
    /// name becomes the name of a module: `Glow.additive` is `glow_additive`.
    ///
    /// A folder that `agalc extract` has written can be used unchanged. Its manifest lists the pairs, which may have
    /// programs with different names. If exactly one of the two programs is in no other pair, the module is named after
    /// that program: `Glow.frag.agal` with `Glow.2.vert.agal` is `glow_2`. Otherwise it is named after both:
    /// `Glow.2.vert.agal` with `Glow.additive.frag.agal` is `glow_2_additive`. Programs that belong to no pair are ignored.
    /// A pair whose programs the compiler refuses is left out with a warning, unless the configuration or a file of
    /// names names registers of the pair.
    pub fn folder(&mut self, path: impl AsRef<Path>) -> &mut Config {
        self.folders.push(Folder { path: path.as_ref().to_path_buf(), prefix: None });
        self
    }

    /// Adds every pair in a folder, as [`folder`](Config::folder) does, with modules whose names begin with `prefix`:
    /// `.folder_as("old", "shaders/old")` turns `Glow` into `old_glow`, so two games may have classes with the same
    /// name. The prefix is spelled as a module's name is: `Old` becomes `old`.
    pub fn folder_as(&mut self, prefix: &str, path: impl AsRef<Path>) -> &mut Config {
        self.folders.push(Folder { path: path.as_ref().to_path_buf(), prefix: Some(prefix.to_string()) });
        self
    }

    /// Names registers of a pair, with a type if it should not be inferred: `.name("lit", "vc0..3", "clip: mat4x4")`.
    ///
    /// These names override the names in the file `lit.names.toml` in the folder of `lit.vert.agal` and `lit.frag.agal`, and
    /// the names in AGAL text.
    pub fn name(&mut self, pair: &str, registers: &str, name: &str) -> &mut Config {
        self.give(pair, registers, name, false)
    }

    /// Names an attribute, with its format in the vertex buffer: `.attribute("lit", "va2", "uv: Float32x2")`.
    ///
    /// Without a format, an attribute has a float for each component of its type.
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

    /// Sets the layout of bindings; the default is `wgpu`.
    pub fn layout(&mut self, layout: Layout) -> &mut Config {
        self.layout = layout;
        self
    }

    /// Sets the options for reading AGAL, and the rules that it is checked against.
    pub fn options(&mut self, options: agalc::Options) -> &mut Config {
        self.options = options;
        self
    }

    /// Sets whether structures derive `bytemuck::Pod` and `bytemuck::Zeroable`; they do by default. The program then depends on
    /// bytemuck with its features `derive` and `min_const_generics`.
    pub fn bytemuck(&mut self, derive: bool) -> &mut Config {
        self.style.bytemuck = derive;
        self
    }

    /// Sets whether code for wgpu is generated; it is by default. The program then depends on wgpu 30.
    pub fn wgpu(&mut self, generate: bool) -> &mut Config {
        self.style.wgpu = generate;
        self
    }

    /// Sets the folder for the generated files; the default is cargo's `OUT_DIR`, where [`include!`](crate::include!) finds them.
    pub fn out_dir(&mut self, path: impl AsRef<Path>) -> &mut Config {
        self.out_dir = Some(path.as_ref().to_path_buf());
        self
    }
}

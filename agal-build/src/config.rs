//! The configuration of a build script that translates shaders.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use backends::{Glsl, Layout};

use crate::find::{Files, Sources};
use crate::rust::Style;

/// A language into which shaders are translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Target {
    /// WGSL, which the generated module contains as the constant `WGSL`.
    Wgsl,
    /// SPIR-V, which the generated module contains as the constant `SPIRV`, an array of words.
    Spirv,
    /// GLSL 450, which the generated module contains as the constants `GLSL_450_VERTEX` and `GLSL_450_FRAGMENT`.
    Glsl450,
    /// GLSL 330, which the generated module contains as the constants `GLSL_330_VERTEX` and `GLSL_330_FRAGMENT`.
    Glsl330,
    /// GLSL ES 300, also for WebGL 2. The generated module contains this code as the constants `GLSL_ES_300_VERTEX` and
    /// `GLSL_ES_300_FRAGMENT`.
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

/// The shaders that a build script translates, the target languages and further options.
///
/// Paths are relative to the package's folder, in which cargo runs build scripts. Shaders should be in a folder of their own, so
/// that cargo runs the script again when a file is added to that folder. If the shaders are in the package's folder, cargo runs
/// the script whenever any file of the package changes. If the package's folder also contains the target folder, cargo runs the
/// script at every build.
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

#[derive(Clone, Debug)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    /// The prefix for the names of the folder's modules; `None` if the names have no prefix.
    pub(crate) prefix: Option<String>,
}

/// A name that the configuration gives to registers of a pair.
#[derive(Clone, Debug)]
pub(crate) struct GivenName {
    pub(crate) pair: String,
    /// The registers and the name as an entry, such as `vc0..3=clip: mat4x4`.
    pub(crate) text: String,
    /// Whether the name must belong to an attribute, because [`Config::attribute`] declared it.
    pub(crate) is_attribute: bool,
}

/// The files and messages that a build script generates from shaders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generated {
    /// The contents of the generated files, keyed by file name: modules such as `lit.rs`, and the files that the modules include.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The paths of the files that were read and the folders that were searched.
    pub read: Vec<PathBuf>,
    /// The warnings about the shaders as text, with their source lines.
    pub warnings: Vec<String>,
}

impl Default for Config {
    fn default() -> Config {
        Config::new()
    }
}

impl Config {
    /// Returns a configuration without shaders. By default, the target is WGSL in the layout `wgpu`, and code for wgpu and
    /// bytemuck is generated.
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

    /// Adds a vertex and a fragment program as the module `name`. The order of the programs does not matter if their texts or
    /// their file names state the stages.
    pub fn pair(&mut self, name: &str, vertex: impl AsRef<Path>, fragment: impl AsRef<Path>) -> &mut Config {
        let files = Files::Two([vertex.as_ref().to_path_buf(), fragment.as_ref().to_path_buf()]);
        self.pairs.push(Sources { name: name.to_string(), files, extraction: None });
        self
    }

    /// Adds a file that contains both programs as the module `name`. The file is AGAL text with two parts, or an SDLSHADERBC
    /// module.
    pub fn file(&mut self, name: &str, path: impl AsRef<Path>) -> &mut Config {
        let files = Files::One(path.as_ref().to_path_buf());
        self.pairs.push(Sources { name: name.to_string(), files, extraction: None });
        self
    }

    /// Adds every pair in a folder: `lit.vert.agal` and `lit.frag.agal`, or a single file `lit.agal` or `lit.sdlbc`.
    ///
    /// The endings `.vertex.agal` and `.vs.agal` mean `.vert.agal`, and the endings `.fragment.agal` and `.fs.agal` mean
    /// `.frag.agal`. Bytecode has the ending `.agalbc` instead of `.agal`. [`agalc::found`] lists all rules for the names of
    /// shader files. Nested folders are not searched. The file's name becomes the name of a module: `Glow.additive` becomes
    /// `glow_additive`.
    ///
    /// A folder that `agalc extract` has written can be used unchanged. The folder's manifest lists the pairs, whose programs may
    /// have different names. If exactly one program of a pair is in no other pair, the module is named after that program:
    /// `Glow.frag.agal` with `Glow.2.vert.agal` becomes `glow_2`. If both programs are unique to the pair, or both are shared
    /// with other pairs, the module is named after both: `Glow.2.vert.agal` with `Glow.additive.frag.agal` becomes
    /// `glow_2_additive`. Programs that belong to no pair are ignored. A pair that the compiler refuses is left out with a
    /// warning, unless the configuration or a names file contains names for the pair's registers.
    pub fn folder(&mut self, path: impl AsRef<Path>) -> &mut Config {
        self.folders.push(Folder { path: path.as_ref().to_path_buf(), prefix: None });
        self
    }

    /// Adds every pair in a folder, as [`folder`](Config::folder) does, with module names that begin with `prefix`.
    ///
    /// For example, `.folder_as("old", "shaders/old")` turns `Glow` into `old_glow`. Two games may then have classes with the
    /// same name. The prefix is converted in the same way as a module name: `Old` becomes `old`.
    pub fn folder_as(&mut self, prefix: &str, path: impl AsRef<Path>) -> &mut Config {
        self.folders.push(Folder { path: path.as_ref().to_path_buf(), prefix: Some(prefix.to_string()) });
        self
    }

    /// Names registers of a pair: `.name("lit", "vc0..3", "clip: mat4x4")`. A type may follow the name; without a type, the type
    /// is inferred.
    ///
    /// Names in the configuration override names in AGAL text and in the file `lit.names.toml` next to `lit.vert.agal` and
    /// `lit.frag.agal`.
    pub fn name(&mut self, pair: &str, registers: &str, name: &str) -> &mut Config {
        self.give(pair, registers, name, false)
    }

    /// Names an attribute of a pair, with its format in the vertex buffer: `.attribute("lit", "va2", "uv: Float32x2")`.
    ///
    /// An attribute without a vertex format has a 32-bit float for each component of its type.
    pub fn attribute(&mut self, pair: &str, register: &str, name: &str) -> &mut Config {
        self.give(pair, register, name, true)
    }

    fn give(&mut self, pair: &str, registers: &str, name: &str, is_attribute: bool) -> &mut Config {
        self.names.push(GivenName { pair: pair.to_string(), text: format!("{registers}={name}"), is_attribute });
        self
    }

    /// Sets the languages into which shaders are translated; the default is WGSL.
    pub fn targets(&mut self, targets: impl IntoIterator<Item = Target>) -> &mut Config {
        self.targets = targets.into_iter().collect();
        self
    }

    /// Sets the layout of groups and bindings; the default is the layout `wgpu`.
    pub fn layout(&mut self, layout: Layout) -> &mut Config {
        self.layout = layout;
        self
    }

    /// Sets the options for reading AGAL, including the rules against which programs are checked.
    pub fn options(&mut self, options: agalc::Options) -> &mut Config {
        self.options = options;
        self
    }

    /// Sets whether generated structs derive `bytemuck::Pod` and `bytemuck::Zeroable`; the default is `true`. The derives require
    /// bytemuck with the features `derive` and `min_const_generics`.
    pub fn bytemuck(&mut self, derive: bool) -> &mut Config {
        self.style.bytemuck = derive;
        self
    }

    /// Sets whether code for wgpu is generated; the default is `true`. The generated code requires wgpu 30.
    pub fn wgpu(&mut self, generate: bool) -> &mut Config {
        self.style.wgpu = generate;
        self
    }

    /// Sets the folder for the generated files. The default is cargo's `OUT_DIR`, in which [`include!`](crate::include!) finds
    /// the files.
    pub fn out_dir(&mut self, path: impl AsRef<Path>) -> &mut Config {
        self.out_dir = Some(path.as_ref().to_path_buf());
        self
    }
}

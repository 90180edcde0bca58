//! A program or a pair as one value. The value is read and checked once, and can be written for any target.

use std::collections::BTreeMap;
use std::fmt;

use agal_front::player::PlayerError;
use backends::{Code, Error as TargetError, Glsl, Layout, Modules, MslVersion, Output, ShaderModel, Target};
use sdlbc::{FunctionKind, Module, Verified};
use sdlbc_passes::Options as Optimising;

use crate::error::{InputError, Warning};
use crate::input::{Input, Loaded, Program, Refused, load_all};
use crate::names::VertexFormat;
use crate::options::Options;

/// A checked program or pair.
///
/// A shader is built from inputs in any form that agalc reads, and borrows nothing from the inputs. A shader can be sent
/// between threads and shared by threads.
///
/// ```
/// use agalc::{Layout, Shader};
///
/// let shader = Shader::pair("m44 op, va0, vc0\nmov v0, va1", "tex oc, v0, fs0 <2d,linear>")?;
/// let wgsl = shader.wgsl(&Layout::default())?;
/// assert!(wgsl.contains("@group(0) @binding(2) var fs0: texture_2d<f32>;"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shader {
    module: Verified,
    programs: Vec<Program>,
    warnings: Vec<Warning>,
    formats: BTreeMap<u32, VertexFormat>,
}

/// A file of shader code in the target's language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The stage that the file contains, or `None` if the file contains all stages.
    pub stage: Option<FunctionKind>,
    /// The code, and the names and numbers by which an application finds the shader's inputs and resources.
    pub output: Output,
}

impl Shader {
    /// Reads and checks one or two inputs. Two inputs must be a vertex and a fragment program. A single input may be text
    /// that contains both programs as parts.
    ///
    /// # Errors
    /// All errors in the inputs are returned as values with positions: see [`Refused`].
    pub fn new(inputs: &[Input], options: &Options) -> Result<Shader, Refused> {
        let Loaded { module, programs, warnings, formats, .. } = load_all(inputs, options)?;
        let module = optimise(module, &options.passes);
        Ok(Shader { module, programs, warnings, formats })
    }

    /// Reads a vertex and a fragment program in any order, with default options. Each program may be AGAL text, bytecode or a
    /// module. Error messages call the inputs `vertex` and `fragment`.
    ///
    /// # Errors
    /// Returns the same errors as [`Shader::new`].
    pub fn pair(vertex: impl AsRef<[u8]>, fragment: impl AsRef<[u8]>) -> Result<Shader, Refused> {
        let input = |name: &str, bytes: &[u8]| Input { name: name.to_string(), bytes: bytes.to_vec() };
        let inputs = [input("vertex", vertex.as_ref()), input("fragment", fragment.as_ref())];
        Shader::new(&inputs, &Options::default())
    }

    /// Reads a single program, or a file that contains both programs of a pair, with default options. Error messages call
    /// the input `shader`.
    ///
    /// # Errors
    /// Returns the same errors as [`Shader::new`].
    pub fn single(bytes: impl AsRef<[u8]>) -> Result<Shader, Refused> {
        let input = Input { name: "shader".to_string(), bytes: bytes.as_ref().to_vec() };
        Shader::new(&[input], &Options::default())
    }

    /// Returns the module, in which a pair's vertex function precedes its fragment function.
    pub fn module(&self) -> &Verified {
        &self.module
    }

    /// Returns the module. The programs and warnings are dropped.
    pub fn into_module(self) -> Module {
        self.module.into_module()
    }

    /// Returns the programs from which the shader was built, with their findings.
    pub fn programs(&self) -> &[Program] {
        &self.programs
    }

    /// Returns the warnings about the inputs. [`Program::findings`] contains the warnings about programs.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns the vertex formats that names declare for attributes, keyed by location.
    ///
    /// ```
    /// use agalc::names::{Names, VertexFormat};
    /// use agalc::{Input, Options, Shader};
    ///
    /// let mut names = Names::default();
    /// names.push(Names::parse_entry("va1=colour: bytes4")?);
    /// let options = Options::default().names(names);
    /// let input = Input { name: "a.vert.agal".to_string(), bytes: b"mov op, va0\nmov v0, va1".to_vec() };
    /// let shader = Shader::new(&[input], &options)?;
    /// assert_eq!(shader.formats().get(&1), Some(&VertexFormat::Unorm8x4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn formats(&self) -> &BTreeMap<u32, VertexFormat> {
        &self.formats
    }

    /// Returns the shader's stages in the order of the module's functions.
    pub fn stages(&self) -> impl Iterator<Item = FunctionKind> {
        stages(self.module())
    }

    /// Writes all stages for a target, in one file unless the target or the layout requires a file for each stage.
    ///
    /// # Errors
    /// Returns an error if the target cannot express the shader.
    pub fn write(&self, target: Target, layout: &Layout) -> Result<Vec<Written>, TargetError> {
        let files = files(self.module(), target, layout).into_iter();
        files.map(|stage| Ok(Written { stage, output: self.write_stage(target, stage, layout)? })).collect()
    }

    /// Writes the given stage for a target, or all stages in one file if `stage` is `None`.
    ///
    /// # Errors
    /// Returns an error if the target cannot express the shader, or if the target is GLSL and the file would contain
    /// several stages.
    pub fn write_stage(
        &self,
        target: Target,
        stage: Option<FunctionKind>,
        layout: &Layout,
    ) -> Result<Output, TargetError> {
        backends::write(self.module(), target, stage, layout)
    }

    /// Writes all entry points as WGSL.
    ///
    /// # Errors
    /// Returns an error if WGSL cannot express the shader, for example because two entry points have the same name.
    pub fn wgsl(&self, layout: &Layout) -> Result<String, TargetError> {
        self.write_text(Target::Wgsl, None, layout)
    }

    /// Writes all entry points as SPIR-V words.
    ///
    /// # Errors
    /// Returns an error if SPIR-V cannot express the shader.
    pub fn spirv(&self, layout: &Layout) -> Result<Vec<u32>, TargetError> {
        Ok(match self.write_stage(Target::Spirv, None, layout)?.code {
            Code::Words(words) => words,
            Code::Text(_) => Vec::new(),
        })
    }

    /// Writes one stage as GLSL.
    ///
    /// # Errors
    /// Returns an error if the shader lacks the stage or the version of GLSL cannot express the stage.
    pub fn glsl(&self, stage: impl Into<FunctionKind>, version: Glsl, layout: &Layout) -> Result<String, TargetError> {
        self.write_text(Target::Glsl(version), Some(stage.into()), layout)
    }

    /// Writes all entry points as HLSL.
    ///
    /// # Errors
    /// Returns an error if the HLSL shader model cannot express the shader.
    pub fn hlsl(&self, model: ShaderModel, layout: &Layout) -> Result<String, TargetError> {
        self.write_text(Target::Hlsl(model), None, layout)
    }

    /// Writes all entry points as MSL.
    ///
    /// ```
    /// use agalc::{Layout, MslVersion, Shader, ShaderModel};
    ///
    /// let shader = Shader::pair("m44 op, va0, vc0\nmov v0, va1", "mov oc, v0")?;
    /// assert!(shader.msl(MslVersion::default(), &Layout::default())?.contains("[[position]]"));
    /// assert!(shader.hlsl(ShaderModel::V5_1, &Layout::default())?.contains("SV_Position"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the version of MSL cannot express the shader.
    pub fn msl(&self, version: MslVersion, layout: &Layout) -> Result<String, TargetError> {
        self.write_text(Target::Msl(version), None, layout)
    }

    fn write_text(&self, target: Target, stage: Option<FunctionKind>, layout: &Layout) -> Result<String, TargetError> {
        self.write_stage(target, stage, layout).map(|output| text(output.code))
    }

    /// Encodes the module as an SDLSHADERBC file.
    pub fn sdlbc(&self) -> Vec<u8> {
        sdlbc::encode(self.module())
    }
}

/// Makes a module smaller without changing its results.
pub fn optimise(module: Verified, options: &Optimising) -> Verified {
    sdlbc_passes::optimise(module, options, &mut |_, _| {})
}

/// Returns the stage of each file that a target needs, or `None` for a file that contains all stages.
pub fn files(module: &Module, target: Target, layout: &Layout) -> Vec<Option<FunctionKind>> {
    let apart = layout.modules == Modules::Apart || target.holds_one_stage();
    match apart && stages(module).count() > 1 {
        true => stages(module).map(Some).collect(),
        false => vec![stages(module).next().filter(|_| apart)],
    }
}

fn stages(module: &Module) -> impl Iterator<Item = FunctionKind> {
    module.functions.iter().map(|function| function.kind).filter(|&kind| kind != FunctionKind::Generic)
}

/// Returns text output as a string; the string is empty for SPIR-V words.
pub(crate) fn text(code: Code) -> String {
    match code {
        Code::Text(text) => text,
        Code::Words(_) => String::new(),
    }
}

/// An error in any step, from reading the inputs to writing the output for a target.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The inputs cannot be read as a shader.
    Refused(Box<Refused>),
    /// The player refuses to upload the programs.
    Player(PlayerError),
    /// The target cannot express the shader.
    Target(TargetError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Refused(_) => f.write_str("the shader cannot be read"),
            Error::Player(error) => write!(f, "the player raises error {}: {}", error.code, error.message),
            Error::Target(_) => f.write_str("the target cannot express the shader"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Refused(refused) => Some(&**refused),
            Error::Player(_) => None,
            Error::Target(error) => Some(error),
        }
    }
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Error {
        Error::Refused(Box::new(refused))
    }
}

impl From<InputError> for Error {
    fn from(error: InputError) -> Error {
        Refused::from(error).into()
    }
}

impl From<TargetError> for Error {
    fn from(error: TargetError) -> Error {
        Error::Target(error)
    }
}

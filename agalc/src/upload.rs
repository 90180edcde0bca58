//! The upload of programs, for renderers that run Flash content. The function `upload` takes a pair of programs, as Stage3D's
//! `Program3D.upload` does.

use agal_front::player::Uploaded;
use agal_front::{Profile, Rules, player_error};
use backends::{Error as TargetError, Interface, Layout, Target};
use sdlbc::{Dimension, FunctionKind, InputKind, Module, Sampler, Type, Verified};

use crate::input::Input;
use crate::options::Options;
use crate::shader::{Error, Shader, text};

/// An uploaded pair, for a renderer that takes naga modules or WGSL.
#[derive(Clone, Debug)]
pub struct Program3d {
    /// The vertex stage of the pair.
    pub vertex: Stage3d,
    /// The fragment stage of the pair.
    pub fragment: Stage3d,
    /// The textures that the programs read, sorted by stage and sampler register.
    pub samplers: Vec<SamplerUse>,
    /// The module from which the stages were written.
    pub module: Module,
}

/// A stage of an uploaded pair.
#[derive(Clone, Debug)]
pub struct Stage3d {
    /// The stage as a separate naga module with one entry point.
    pub module: backends::naga::Module,
    /// The results of naga's validator for the naga module. naga's writers need these results.
    pub info: backends::naga::valid::ModuleInfo,
    /// The stage as WGSL source text.
    pub wgsl: String,
    /// The names, groups and bindings of the stage's inputs and resources.
    pub interface: Interface,
}

/// A texture that a program reads, and the sampler state that the program sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SamplerUse {
    /// The stage that reads the texture.
    pub stage: FunctionKind,
    /// The number of the sampler register.
    pub slot: u32,
    /// The texture's dimension, such as 2D or cube.
    pub dimension: Dimension,
    /// The sampler state that the upload sets for the register, or `None` if the program has `ignoresampler`. An upload leaves
    /// the state of a register with `ignoresampler` unchanged; the Flash content sets that state with
    /// `Context3D.setSamplerStateAt`.
    pub state: Option<Sampler>,
}

/// Checks, translates and writes a pair of bytecode programs, which are the arguments of
/// `Program3D.upload(vertex, fragment)`. If a profile is given, the limits of the profile are also checked.
///
/// ```
/// use agalc::{Error, Layout, upload};
///
/// let program = |text: &str| {
///     let assembly = agal_front::assemble::assemble(text, &Default::default()).expect("a program");
///     assembly.program.encode()
/// };
/// let vertex = program("m44 op, va0, vc0\nmov v0, va1");
/// let fragment = program("tex oc, v0, fs0 <2d,linear,repeat>");
/// let layout = Layout::RUFFLE;
/// let uploaded = upload(vertex[..].into(), fragment[..].into(), None, &layout)?;
/// assert_eq!(uploaded.fragment.module.entry_points[0].name, "main");
/// assert!(uploaded.fragment.wgsl.contains("@group(0) @binding(10) var fs0: texture_2d<f32>;"));
/// assert_eq!(uploaded.samplers[0].state.expect("no `ignoresampler`").wrap_u, 1);
///
/// let wrong = program("mov ft0, fc0"); // writes no output
/// let Err(Error::Player(error)) = upload(vertex[..].into(), wrong[..].into(), None, &layout) else { panic!() };
/// assert_eq!(error.code, 3634);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// Returns the first error that the player raises, with its number and the arguments of its message. If the player accepts the
/// pair but it cannot be translated, returns the reason.
pub fn upload(
    vertex: Uploaded<'_>,
    fragment: Uploaded<'_>,
    profile: Option<Profile>,
    layout: &Layout,
) -> Result<Program3d, Error> {
    if let Some(error) = player_error(vertex, fragment, profile) {
        return Err(Error::Player(error));
    }
    let input = |name: &str, of: Uploaded<'_>| Input { name: name.to_string(), bytes: of.bytes.to_vec() };
    let options = Options::with_rules(Rules::default().allow_ted(true));
    let shader = Shader::new(&[input("vertex", vertex), input("fragment", fragment)], &options)?;
    let write = |stage| written(shader.module(), stage, layout);
    let (vertex, fragment) = (write(FunctionKind::Vertex)?, write(FunctionKind::Fragment)?);
    Ok(Program3d { vertex, fragment, samplers: samplers(shader.module()), module: shader.into_module() })
}

fn written(module: &Verified, stage: FunctionKind, layout: &Layout) -> Result<Stage3d, TargetError> {
    let (of_naga, info) = backends::module(module, Target::Wgsl, Some(stage), layout)?;
    let output = backends::write(module, Target::Wgsl, Some(stage), layout)?;
    Ok(Stage3d { module: of_naga, info, wgsl: text(output.code), interface: output.interface })
}

/// Returns the textures that the module's functions declare, with the sampler states that an upload sets.
fn samplers(module: &Module) -> Vec<SamplerUse> {
    /// The bit of the flag `ignoresampler` in a sampler's flags.
    const IGNORED: u8 = 4;
    let mut samplers = Vec::new();
    for (stage, input) in module.functions.iter().flat_map(|of| of.inputs.iter().map(|input| (of.kind, input))) {
        if let (InputKind::Texture { slot, sampler }, Type::Texture(dimension, _)) = (input.kind, input.ty) {
            let state = Some(sampler).filter(|sampler| sampler.special & IGNORED == 0);
            samplers.push(SamplerUse { stage, slot, dimension, state });
        }
    }
    samplers.sort_by_key(|sampler| (sampler.stage, sampler.slot));
    samplers
}

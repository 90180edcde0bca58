//! The options and results of the front ends for shader languages other than AGAL.

use std::collections::BTreeSet;
use std::fmt;

use super::Stage;
use crate::{Format, LeftOut, Module};

/// A module that was lifted from a source, and information about the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lifted {
    /// The module: the generic functions in source order, followed by the entry functions, vertex before fragment.
    pub module: Module,
    /// The names of the source's overrides that have a value in the options.
    pub overrides: Vec<String>,
    /// The names of all inputs that the source declares, including unused inputs: resources, and the arguments (or argument
    /// members) of entry points.
    pub declared: BTreeSet<String>,
    /// The data that the debug table could not store, such as a source that contains a NUL in a comment.
    pub left_out: Vec<LeftOut>,
    /// The assumptions under which the module has the meaning of the source.
    pub assumptions: BTreeSet<Assumption>,
    /// The guarantees of the source that the module lacks.
    pub lost: Vec<Lost>,
}

/// A guarantee about the rounding of a source's results that a module lacks, because the format cannot express it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The name of the entry point.
    pub entry: String,
    /// The line of the source, counted from 1, if it is known.
    pub line: Option<u32>,
    /// The guarantee.
    pub guarantee: Guarantee,
}

/// A guarantee about the rounding of results.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Guarantee {
    /// All shaders that compute an output by the same expressions compute the same value: `invariant`.
    Invariant {
        /// The name of the output.
        output: String,
    },
    /// No operation is fused with another or reordered: `precise`.
    Precise,
}

impl Lost {
    /// Adds a lost guarantee to those of a source, unless the same guarantee of the same entry point is among them.
    pub fn add_to(self, all: &mut Vec<Lost>) {
        if !all.iter().any(|lost| lost.entry == self.entry && lost.guarantee == self.guarantee) {
            all.push(self);
        }
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entry = &self.entry;
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        match &self.guarantee {
            Guarantee::Invariant { output } => write!(
                f,
                "`{output}` of `{entry}` is no longer invariant; another shader may compute a different value by the same expressions"
            ),
            Guarantee::Precise => {
                write!(f, "operations of `{entry}` are no longer precise; a compiler may fuse or reorder them")
            }
        }
    }
}

/// A condition on the application's draws under which a module has the meaning of its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Assumption {
    /// The source reads the first vertex of the draw, for which the module uses 0.
    FirstVertex,
    /// The source reads the first instance of the draw, for which the module uses 0.
    FirstInstance,
    /// The source reads the index of the draw in an indirect draw, for which the module uses 0.
    DrawIndex,
    /// The source, a vertex shader, writes no position, for which the module uses 0.
    NoPosition,
    /// The source reads an external texture (a frame of a video), for which the module has a 2D texture.
    ExternalTexture,
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Assumption::FirstVertex => "each draw is assumed to begin at vertex 0",
            Assumption::FirstInstance => "each draw is assumed to begin at instance 0",
            Assumption::DrawIndex => "each draw is assumed to be the only one of its call",
            Assumption::NoPosition => "the vertex shader writes no position; it is assumed that no draw needs one",
            Assumption::ExternalTexture => "each external texture is assumed to be a 2D texture of RGBA colours",
        })
    }
}

crate::options! {
    /// Options for reading a shader source in a language other than AGAL.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct SourceOptions {
        /// The names of the entry points to lift, at most one for each stage. If the list is empty, the source may have at most one
        /// entry point for each stage.
        pub entries: Vec<String>,
        /// The only stage to lift: vertex or fragment. `None` lifts the entry points of all stages.
        pub stage: Option<Stage>,
        /// The name of the source file for the debug table. If the name is empty, the debug table contains no lines.
        pub file: String,
        /// The values of overrides: pairs of a name (or number) and a value. Names that are not overrides of the source are ignored.
        pub overrides: Vec<(String, f64)>,
        /// The formats of storage textures whose format the source does not state: pairs of a name and a format. Only GLSL, HLSL and SPIR-V
        /// have such textures.
        pub texel_formats: Vec<(String, Format)>,
        /// The graphics interface whose coordinate system the source uses. `None` selects the interface for which the language
        /// was made.
        pub convention: Option<Convention>,
    }
}

/// A graphics interface whose coordinate system a source uses. In a module, as in [`Convention::WebGpu`], the position's y axis points up,
/// a depth of 0 is nearest, and the y axis of fragment coordinates begins at the upper edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Convention {
    /// Vulkan: the position's y axis points down.
    Vulkan,
    /// SDL's GPU interface.
    SdlGpu,
    /// OpenGL, OpenGL ES and WebGL: clip-space z begins at -w, and the y axis of fragment coordinates begins at the lower edge.
    OpenGl,
    /// WebGPU.
    WebGpu,
    /// Direct3D.
    Direct3d,
}

crate::words!(Convention {
    Vulkan "vulkan" "Vulkan: y of the position points down",
    SdlGpu "sdl-gpu" "SDL's GPU interface: y points up, as in Direct3D",
    OpenGl "opengl" "OpenGL and WebGL: y points up, and depths lie between minus 1 and 1",
    WebGpu "webgpu" "WebGPU: y points up",
    Direct3d "d3d" "Direct3D: y points up",
});

//! What is drawn, and what comes of it.

use std::collections::BTreeMap;

use sdlbc::{FunctionKind, Module};

use crate::Texture;

/// What the functions of a module read besides attributes, varyings and builtins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resources {
    /// Uniforms, by stage and name of the input: their components' bits, tightly packed, element behind element and
    /// column behind column. What is missing reads as zero. A half is in the bits of the float of that number.
    pub uniforms: BTreeMap<(FunctionKind, String), Vec<u32>>,
    /// Textures, by stage and slot. A slot without one reads zeroes.
    pub textures: BTreeMap<(FunctionKind, u32), Texture>,
}

/// What the indices make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    /// Each three are a triangle.
    #[default]
    Triangles,
    /// Each one is a point that covers the one pixel it falls on.
    Points,
}

/// Which triangles are left out. Front faces are clockwise on the screen, as in Stage3D.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cull {
    /// None.
    #[default]
    None,
    /// Those whose back is seen.
    Back,
    /// Those whose front is seen.
    Front,
}

/// Which fragments the depth buffer takes. It begins with 1 everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepthTest {
    /// All, and it keeps the last one's depth.
    Always,
    /// Those that are nearer, and it keeps their depth.
    Less,
    /// Those that are not farther, and it keeps their depth.
    LessEqual,
}

/// A picture to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// Its vertex and its fragment function.
    pub module: Module,
    /// The vertices' attributes, by location: of each vertex four components' bits, of which a narrower input reads the
    /// first.
    pub attributes: BTreeMap<u32, Vec<[u32; 4]>>,
    /// The vertices to draw, in order.
    pub indices: Vec<u32>,
    /// What the indices make.
    pub topology: Topology,
    /// How often everything is drawn, `instanceindex` counting from 0.
    pub instances: u32,
    /// Which triangles are left out.
    pub cull: Cull,
    /// The depth test; without one there is no depth buffer.
    pub depth: Option<DepthTest>,
    /// Uniforms and textures.
    pub resources: Resources,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// How many render targets there are, 1 to 4.
    pub targets: usize,
    /// What each target holds before.
    pub clear: [f32; 4],
}

/// What was drawn. Rows go from the top down.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Image {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Each target's pixels, red, green, blue and alpha, not held to 0..1.
    pub targets: Vec<Vec<[f32; 4]>>,
    /// The depth buffer, where there is one and the witness can tell.
    pub depth: Option<Vec<f32>>,
}

//! The input and the result of a draw.

use std::collections::BTreeMap;

use sdlbc::{FunctionKind, Module};

use crate::{StorageTexture, Texture};

/// The resources that the functions of a module read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resources {
    /// Uniforms, by stage and name of the input: the bits of their components, tightly packed, by element and column. Missing
    /// words are zero. A half is stored as the bits of a float of the same value.
    pub uniforms: BTreeMap<(FunctionKind, String), Vec<u32>>,
    /// Textures, by stage and slot. A slot without a texture reads zeroes.
    pub textures: BTreeMap<(FunctionKind, u32), Texture>,
    /// Storage buffers, by stage and slot: the bits of their components, element by element. A missing buffer, or one that is
    /// shorter than an element, has no elements and reads as zero.
    pub buffers: BTreeMap<(FunctionKind, u32), Vec<u32>>,
    /// Storage textures, by stage and slot. A missing storage texture has no texels: it reads zeroes, and its sizes are zero. Each
    /// must have the format of the module's input.
    pub images: BTreeMap<(FunctionKind, u32), StorageTexture>,
}

/// The kind of primitives that indices form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    /// Three indices form a triangle.
    #[default]
    Triangles,
    /// Each index is a point that covers the pixel that contains it.
    Points,
}

/// The kinds of triangles that are culled. Front faces are clockwise on the screen, as in Stage3D.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cull {
    /// No triangles.
    #[default]
    None,
    /// Back faces.
    Back,
    /// Front faces.
    Front,
}

/// The condition under which fragments pass the depth test and store their depth. The depth buffer is cleared to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepthTest {
    /// All fragments.
    Always,
    /// Nearer fragments.
    Less,
    /// Fragments that are not farther away.
    LessEqual,
}

/// A picture to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// A module with a vertex and a fragment function.
    pub module: Module,
    /// The attributes of the vertices, by location: the bits of four components for each vertex. A narrower input reads the
    /// first components.
    pub attributes: BTreeMap<u32, Vec<[u32; 4]>>,
    /// The vertices to draw, in order.
    pub indices: Vec<u32>,
    /// The kind of primitives that the indices form.
    pub topology: Topology,
    /// The number of instances; `instanceindex` counts from 0.
    pub instances: u32,
    /// The kinds of triangles that are culled.
    pub cull: Cull,
    /// The depth test; without one there is no depth buffer.
    pub depth: Option<DepthTest>,
    /// Uniforms and textures.
    pub resources: Resources,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// The number of render targets, 1 to 4.
    pub targets: usize,
    /// The initial colour of every target.
    pub clear: [f32; 4],
}

impl Draw {
    /// An empty draw: triangles, one instance, neither culling nor a depth test, and one target cleared to zeros.
    pub fn new(module: Module, width: u32, height: u32) -> Draw {
        Draw {
            module,
            attributes: BTreeMap::new(),
            indices: Vec::new(),
            topology: Topology::Triangles,
            instances: 1,
            cull: Cull::None,
            depth: None,
            resources: Resources::default(),
            width,
            height,
            targets: 1,
            clear: [0.0; 4],
        }
    }
}

/// A picture. Rows go from the top down.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Image {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// The pixels of each target: red, green, blue and alpha, not clamped to 0..1.
    pub targets: Vec<Vec<[f32; 4]>>,
    /// The depth buffer, if there is one and the witness can read it.
    pub depth: Option<Vec<f32>>,
}

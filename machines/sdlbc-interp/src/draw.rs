//! Describes the input and the result of a draw.

use std::collections::BTreeMap;

use sdlbc::{FunctionKind, Module, OutputKind, Scalar, Type};

use crate::{StorageTexture, Texture};

/// The resources that the functions of a module read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resources {
    /// The uniforms, by stage and input name. Each uniform is stored as the bits of its components, tightly packed, element by
    /// element and column by column. Missing words are zero, and a half is stored as the bits of a float of the same value.
    pub uniforms: BTreeMap<(FunctionKind, String), Vec<u32>>,
    /// The textures, by stage and slot. A slot without a texture reads zeroes.
    pub textures: BTreeMap<(FunctionKind, u32), Texture>,
    /// The storage buffers, by stage and slot, as the bits of their components, element by element. A buffer that is missing or
    /// shorter than one element has no elements and reads as zero.
    pub buffers: BTreeMap<(FunctionKind, u32), Vec<u32>>,
    /// The storage textures, by stage and slot. A missing storage texture has no texels, reads zeroes and has a size of zero.
    /// Each storage texture must have the format that the module declares for that slot.
    pub images: BTreeMap<(FunctionKind, u32), StorageTexture>,
}

/// The kind of primitive that indices form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    /// Three successive indices form a triangle.
    #[default]
    Triangles,
    /// Each index forms a point, which covers only the pixel that contains it.
    Points,
}

/// The facing of the triangles that are culled. Front faces are clockwise on the screen, as in Stage3D.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cull {
    /// No triangle is culled.
    #[default]
    None,
    /// Back faces are culled.
    Back,
    /// Front faces are culled.
    Front,
}

/// The condition under which a fragment passes the depth test and stores its depth. The depth buffer is cleared to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepthTest {
    /// Every fragment passes.
    Always,
    /// A fragment passes if its depth is less than the stored depth.
    Less,
    /// A fragment passes if its depth is not greater than the stored depth.
    LessEqual,
}

/// A picture to draw, with all inputs of the draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// The module, which has a vertex function and a fragment function.
    pub module: Module,
    /// The vertex attributes, by location. Each vertex has the bits of four components, and a narrower input reads the first
    /// components.
    pub attributes: BTreeMap<u32, Vec<[u32; 4]>>,
    /// The indices of the vertices, in drawing order.
    pub indices: Vec<u32>,
    /// The kind of primitive that the indices form.
    pub topology: Topology,
    /// The number of instances. The builtin `instanceindex` counts the instances from 0.
    pub instances: u32,
    /// The facing of the triangles that are culled.
    pub cull: Cull,
    /// The depth test; `None` for a draw without a depth buffer.
    pub depth: Option<DepthTest>,
    /// The uniforms, textures, storage buffers and storage textures.
    pub resources: Resources,
    /// The width of the picture in pixels.
    pub width: u32,
    /// The height of the picture in pixels.
    pub height: u32,
    /// The number of render targets, 1 to 8.
    pub targets: usize,
    /// The initial colour of every render target. For a target of ints, the numbers are rounded toward zero and clamped to the
    /// range of the ints.
    pub clear: [f32; 4],
}

impl Draw {
    /// Creates an empty draw of one instance of triangles, without culling and without a depth test. The single render target is
    /// cleared to zeroes.
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

    /// Returns the component type of a render target: float, int or uint, as of the colour that the module's fragment function
    /// writes to the target. A target that is not written has floats.
    pub fn scalar(&self, target: usize) -> Scalar {
        let fragment = self.module.functions.iter().find(|function| function.kind == FunctionKind::Fragment);
        let mut outputs = fragment.into_iter().flat_map(|function| &function.outputs);
        let is_it = |kind| matches!(kind, OutputKind::Colour { target: own } if own as usize == target);
        match outputs.find(|output| is_it(output.kind)).map(|output| output.ty) {
            Some(Type::Vector(scalar, _)) => scalar,
            _ => Scalar::Float,
        }
    }

    /// Returns the initial pixel of a render target, in the form in which an [`Image`] stores pixels.
    pub fn cleared(&self, target: usize) -> [f32; 4] {
        match self.scalar(target) {
            Scalar::Int => self.clear.map(|part| f32::from_bits((part as i32).cast_unsigned())),
            Scalar::Uint => self.clear.map(|part| f32::from_bits(part as u32)),
            _ => self.clear,
        }
    }
}

/// A drawn picture, whose rows are ordered from top to bottom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Image {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The pixels of each render target, as red, green, blue and alpha. The components are not clamped to the range from 0 to 1.
    /// The components of a target of ints are the floats with the bits of the ints.
    pub targets: Vec<Vec<[f32; 4]>>,
    /// The depth of each pixel; `None` if the draw has no depth buffer, or if the renderer cannot read the depth buffer.
    pub depth: Option<Vec<f32>>,
}

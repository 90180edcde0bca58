//! Defines the interface between the rasteriser and a shader, which is any pair of vertex and fragment programs that can run
//! several invocations at once.

use sdlbc::Interpolation;

/// The number of invocations that run at once, each in its own lane. Four fragments form a quad: lane 4q is its upper left
/// fragment, 4q + 1 its upper right, 4q + 2 its lower left, and 4q + 3 its lower right fragment.
pub const LANES: usize = 64;

/// The bits of one component of a value in every lane. A bool is 0 or 1.
pub type Column = [u32; LANES];

/// A set of lanes, where lane 0 is the lowest bit.
pub type Mask = u64;

/// A value that the vertex function passes to the fragment function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Varying {
    /// The location at which the vertex and fragment functions declare the varying.
    pub location: u32,
    /// The number of components up to the last component that the fragment function reads, 0 to 4.
    pub width: u8,
    /// The mode in which the varying is interpolated across a primitive.
    pub interpolation: Interpolation,
}

/// A batch of vertices to transform.
pub struct Vertices<'a> {
    /// The lanes that contain a vertex.
    pub live: Mask,
    /// The vertex index in each lane.
    pub index: Column,
    /// The instance index in each lane.
    pub instance: Column,
    /// The function that returns the attribute at a location. An attribute for which the function returns `None` is zero.
    pub attributes: &'a dyn Fn(u32) -> Option<[Column; 4]>,
}

/// A batch of transformed vertices.
pub struct Transformed {
    /// The position in clip space, where y points up and z is from 0 to w.
    pub position: [Column; 4],
    /// The varyings, in the order of [`Shader::varyings`].
    pub varyings: Vec<[Column; 4]>,
    /// The clip distances, whose number is [`Shader::clip_distances`].
    pub clip_distances: Vec<Column>,
}

/// A batch of fragments to shade, in quads.
pub struct Fragments<'a> {
    /// The lanes whose pixels are covered. All other lanes of a quad with a covered pixel are helper invocations.
    pub live: Mask,
    /// The x and y of the pixel's centre, the depth, and 1 / w.
    pub coordinate: &'a [Column; 4],
    /// Whether the primitive is front-facing.
    pub front: bool,
    /// The interpolated varyings, in the order of [`Shader::varyings`].
    pub varyings: &'a [[Column; 4]],
}

/// A batch of shaded fragments.
#[derive(Clone, Debug, Default)]
pub struct Shaded {
    /// The lanes that were not discarded.
    pub live: Mask,
    /// The colours of the render targets, in order. A render target without a colour is not changed.
    pub colours: Vec<Option<[Column; 4]>>,
    /// The depth in each lane, if the fragment function writes a depth.
    pub depth: Option<Column>,
}

/// A vertex and a fragment function that the rasteriser can run.
pub trait Shader: Sync {
    /// Returns the vertex function's outputs that the fragment function reads.
    fn varyings(&self) -> &[Varying];
    /// Returns the number of clip distances that the vertex function writes, at most 8. The rasteriser keeps the part of a
    /// primitive in which all clip distances are at least zero.
    fn clip_distances(&self) -> usize {
        0
    }
    /// Runs the vertex function for a batch of vertices.
    fn vertex(&self, vertices: &Vertices<'_>) -> Transformed;
    /// Runs the fragment function. `shaded` may contain earlier results, which are all replaced.
    fn fragment(&self, fragments: &Fragments<'_>, shaded: &mut Shaded);
    /// Reports whether the fragment function may write a depth. If the function never writes a depth, hidden fragments are
    /// not shaded.
    fn writes_depth(&self) -> bool {
        true
    }
    /// Reports whether a program has failed, so that drawing can stop.
    fn failed(&self) -> bool {
        false
    }
}

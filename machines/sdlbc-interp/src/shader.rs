//! The interface between the rasteriser and shaders: any pair of programs that can run some invocations at once.

use sdlbc::Interpolation;

/// The number of invocations that run at once, each in its own lane. Four fragments are a quad: lane 4q is its upper left, 4q +
/// 1 its upper right, 4q + 2 its lower left, and 4q + 3 its lower right fragment.
pub const LANES: usize = 64;

/// The bits of one component of a value in every lane. A bool is 0 or 1.
pub type Column = [u32; LANES];

/// A set of lanes; lane 0 is the lowest bit.
pub type Mask = u64;

/// A value that is passed from a vertex function to a fragment function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Varying {
    /// The location of the varying.
    pub location: u32,
    /// The number of components, up to the last one that the fragment function reads, 0 to 4.
    pub width: u8,
    /// The interpolation mode.
    pub interpolation: Interpolation,
}

/// Vertices to transform.
pub struct Vertices<'a> {
    /// The lanes that are in use.
    pub live: Mask,
    /// Each vertex's number.
    pub index: Column,
    /// Each instance's number.
    pub instance: Column,
    /// Returns an attribute by its location. A missing attribute is zero.
    pub attributes: &'a dyn Fn(u32) -> Option<[Column; 4]>,
}

/// Transformed vertices.
pub struct Transformed {
    /// The position in clip space: y up, z in 0..w.
    pub position: [Column; 4],
    /// The varyings, in the order of [`Shader::varyings`].
    pub varyings: Vec<[Column; 4]>,
    /// The clip distances, as many as [`Shader::clip_distances`] returns.
    pub clip_distances: Vec<Column>,
}

/// Fragments to shade, in quads.
pub struct Fragments<'a> {
    /// The lanes whose pixels are covered; the other lanes of a quad are helper invocations.
    pub live: Mask,
    /// The x and y of the pixel's centre, the depth, and 1 / w.
    pub coordinate: &'a [Column; 4],
    /// Whether the primitive is front-facing.
    pub front: bool,
    /// The varyings, in the order of [`Shader::varyings`].
    pub varyings: &'a [[Column; 4]],
}

/// Shaded fragments.
#[derive(Clone, Debug, Default)]
pub struct Shaded {
    /// The lanes that were not discarded.
    pub live: Mask,
    /// The colours of the targets in order. A target without a colour is not changed.
    pub colours: Vec<Option<[Column; 4]>>,
    /// The depth, if the program writes one.
    pub depth: Option<Column>,
}

/// A pair of programs.
pub trait Shader: Sync {
    /// The outputs of the vertex function that the fragment function reads.
    fn varyings(&self) -> &[Varying];
    /// The number of clip distances that the vertex function writes, at most 8. The part of a primitive where all are at least
    /// zero remains.
    fn clip_distances(&self) -> usize {
        0
    }
    /// Runs the vertex function.
    fn vertex(&self, vertices: &Vertices<'_>) -> Transformed;
    /// Runs the fragment function. `shaded` may contain earlier results, which are all replaced.
    fn fragment(&self, fragments: &Fragments<'_>, shaded: &mut Shaded);
    /// Whether the fragment function may write a depth. If not, hidden fragments are not shaded.
    fn writes_depth(&self) -> bool {
        true
    }
    /// Whether a program has failed, so that drawing can stop.
    fn failed(&self) -> bool {
        false
    }
}

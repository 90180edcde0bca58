//! What stands between the rasteriser and what computes: any pair of programs that can run some invocations at once.

use sdlbc::Interpolation;

/// How many invocations run beside each other, each in its lane. Of fragments, four are a quad: lane 4q is its upper left, 4q + 1
/// its upper right, 4q + 2 its lower left, 4q + 3 its lower right one.
pub const LANES: usize = 64;

/// One component of a value, in every lane: its bits. A bool is 0 or 1.
pub type Column = [u32; LANES];

/// A set of lanes, lane 0 the lowest bit.
pub type Mask = u64;

/// What a vertex function hands to a fragment function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Varying {
    /// Its location.
    pub location: u32,
    /// Its components, 1 to 4.
    pub width: u8,
    /// How it is interpolated.
    pub interpolation: Interpolation,
}

/// Vertices to transform.
pub struct Vertices<'a> {
    /// The lanes that there are.
    pub live: Mask,
    /// Each vertex's number.
    pub index: Column,
    /// Each instance's number.
    pub instance: Column,
    /// The attributes, by location; one that is not there is zero.
    pub attributes: &'a dyn Fn(u32) -> Option<[Column; 4]>,
}

/// What vertices become.
pub struct Transformed {
    /// In clip space: y up, z in 0..w.
    pub position: [Column; 4],
    /// In the order of [`Shader::varyings`].
    pub varyings: Vec<[Column; 4]>,
}

/// Fragments to shade, in quads.
pub struct Fragments<'a> {
    /// The lanes whose pixels are covered; the others of a quad run for their neighbours' sake.
    pub live: Mask,
    /// x and y of the pixel's centre, depth, and 1 / w.
    pub coordinate: [Column; 4],
    /// Whether the front is seen.
    pub front: bool,
    /// The varyings, in the order of [`Shader::varyings`].
    pub varyings: &'a [[Column; 4]],
}

/// What fragments become.
pub struct Shaded {
    /// The lanes that were not discarded.
    pub live: Mask,
    /// The colours of the targets, from the first on; one that is not given stays as it is.
    pub colours: Vec<Option<[Column; 4]>>,
    /// The depth, where the program gives one.
    pub depth: Option<Column>,
}

/// A pair of programs.
pub trait Shader: Sync {
    /// What the fragment function reads of what the vertex function gives.
    fn varyings(&self) -> &[Varying];
    /// Runs the vertex function.
    fn vertex(&self, vertices: &Vertices<'_>) -> Transformed;
    /// Runs the fragment function.
    fn fragment(&self, fragments: &Fragments<'_>) -> Shaded;
    /// Whether the fragment function may give a depth. Where it does not, fragments that are hidden are not shaded at all.
    fn gives_depth(&self) -> bool {
        true
    }
    /// Whether a program has failed, so that it is of no use to draw on.
    fn failed(&self) -> bool {
        false
    }
}

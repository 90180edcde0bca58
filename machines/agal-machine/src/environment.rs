//! The inputs of four invocations: registers, textures, and the differences between neighbours.

use agal_front::token::Sampler;

/// A register in each of the four invocations.
pub type Quad = [[f32; 4]; 4];

/// A flag for each of the four invocations.
pub type Lanes = [bool; 4];

/// A texture lookup of all four invocations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lookup {
    /// The sampler's number and state. The state is that of the sampler's first use in the program.
    pub sampler: Sampler,
    /// The texture coordinate of each invocation. The third component is 0 for a 2D texture.
    pub coordinates: [[f32; 3]; 4],
    /// The level of detail, before the bias.
    pub level: LevelOfDetail,
    /// The bias added to the level of detail.
    pub bias: f32,
}

/// The source of a lookup's level of detail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LevelOfDetail {
    /// Computed from the differences of these coordinates between neighbouring invocations. All four invocations
    /// have a coordinate, including those that do not execute the lookup.
    Implicit([[f32; 3]; 4]),
    /// Given by the program for each invocation.
    Explicit([f32; 4]),
}

/// The inputs of a quad that are not in its registers: textures and differences between neighbours.
pub trait Environment {
    /// The texels of a lookup, in each invocation.
    fn texels(&self, lookup: &Lookup) -> Quad;

    /// The horizontal derivative: the value of the right neighbour in the same row minus that of the left one.
    fn ddx(&self, values: [f32; 4]) -> [f32; 4] {
        let [a, b, c, d] = values;
        [b - a, b - a, d - c, d - c]
    }

    /// The vertical derivative: the value of the lower neighbour in the same column minus that of the upper one.
    fn ddy(&self, values: [f32; 4]) -> [f32; 4] {
        let [a, b, c, d] = values;
        [c - a, d - b, c - a, d - b]
    }
}

/// The inputs of four invocations.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The attributes of a vertex program or the varyings of a fragment program, by number. Missing registers are zero.
    pub registers: &'a [Quad],
    /// The constants, by number. Missing constants are zero.
    pub constants: &'a [[f32; 4]],
    /// The instance number of each invocation.
    pub instance: [u32; 4],
    /// Textures and derivatives.
    pub environment: &'a dyn Environment,
}

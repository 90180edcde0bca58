//! The inputs of a quad of four invocations: registers, textures, and differences between neighbouring invocations.

use agal_front::token::Sampler;

/// A register's value in each of the four invocations of a quad.
pub type Quad = [[f32; 4]; 4];

/// A flag for each of the four invocations of a quad.
pub type Lanes = [bool; 4];

/// A texture lookup by the four invocations of a quad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lookup {
    /// The sampler's number and state. The first token that uses the sampler determines the state.
    pub sampler: Sampler,
    /// The texture coordinate of each invocation. For a 2D texture, the third component is 0.
    pub coordinates: [[f32; 3]; 4],
    /// The level of detail before the bias is added.
    pub level: LevelOfDetail,
    /// The bias added to the level of detail.
    pub bias: f32,
}

/// The source of a lookup's level of detail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LevelOfDetail {
    /// The level of detail is computed from the differences of the given coordinates between neighbouring invocations. There is a
    /// coordinate for each invocation, even if the invocation does not execute the lookup.
    Implicit([[f32; 3]; 4]),
    /// The level of detail for each invocation: a level that the program computes, or 0.
    Explicit([f32; 4]),
}

/// Provides texels and derivatives to the four invocations of a quad.
pub trait Environment {
    /// Returns the result of a lookup in each invocation.
    fn texels(&self, lookup: &Lookup) -> Quad;

    /// Returns the horizontal derivative. In each row, the derivative is the value of the right invocation minus the value of the
    /// left invocation.
    fn ddx(&self, values: [f32; 4]) -> [f32; 4] {
        let [a, b, c, d] = values;
        [b - a, b - a, d - c, d - c]
    }

    /// Returns the vertical derivative. In each column, the derivative is the value of the lower invocation minus the value of
    /// the upper invocation.
    fn ddy(&self, values: [f32; 4]) -> [f32; 4] {
        let [a, b, c, d] = values;
        [c - a, d - b, c - a, d - b]
    }
}

/// The inputs of the four invocations of a quad.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The attributes of a vertex program or the varyings of a fragment program, indexed by register number. Registers beyond the
    /// end of the slice are zero.
    pub registers: &'a [Quad],
    /// The constants, indexed by register number. Constants beyond the end of the slice are zero.
    pub constants: &'a [[f32; 4]],
    /// The instance number of each invocation.
    pub instance: [u32; 4],
    /// The source of texels and derivatives.
    pub environment: &'a dyn Environment,
}

//! Generates the inputs of programs: numbers, textures and constants derived from a seed.

use std::collections::BTreeMap;

use sdlbc::{Dimension, Function, FunctionKind, InputKind, Module, Scalar, Type};
use sdlbc_interp::{Level, Resources, Texture};
use testing::Random;

use crate::runs::is_float;

/// Floats that operations treat as special cases: zeroes, ones, halves, infinities, NaN, denormals, and the smallest and largest
/// normal floats.
pub const SPECIAL: [f32; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    1e-40,
    -1e-40,
    f32::MIN_POSITIVE,
    f32::MAX,
    f32::MIN,
    8388608.5,
    1e30,
    -3e-20,
];

/// Generates numbers for programs from random bits.
pub trait Numbers {
    /// Returns a float from -2 to 3, often a round number.
    fn everyday(&mut self) -> f32;
    /// Returns a float of small, moderate or large magnitude, from 2^-30 to 2^30.
    fn any(&mut self) -> f32;
    /// Returns the bits of a random component of the given type. Most ints are below 9.
    fn component(&mut self, scalar: Scalar) -> u32;
}

impl Numbers for Random {
    fn everyday(&mut self) -> f32 {
        match self.below(5) {
            0 => self.below(5) as f32 - 1.0,
            1 => self.below(33) as f32 / 8.0 - 2.0,
            _ => self.unit() * 4.0 - 2.0,
        }
    }

    fn any(&mut self) -> f32 {
        match self.below(4) {
            0 | 1 => self.everyday(),
            2 => (self.unit() * 2.0 - 1.0) * 100.0,
            _ => {
                let exponent = self.below(60) as i32 - 30;
                let sign = if self.below(2) == 0 { 1.0 } else { -1.0 };
                sign * (1.0 + self.unit()) * (exponent as f32).exp2()
            }
        }
    }

    fn component(&mut self, scalar: Scalar) -> u32 {
        match scalar {
            Scalar::Bool => self.below(2) as u32,
            Scalar::Int | Scalar::Uint => match self.below(8) {
                0 => self.next() as u32,
                1 => u32::MAX,
                _ => self.below(9) as u32,
            },
            Scalar::Float => self.everyday().to_bits(),
            // A multiple of 1/8 from -2 to 2 is exactly representable as a half.
            Scalar::Half => (self.below(33) as f32 / 8.0 - 2.0).to_bits(),
        }
    }
}

/// Returns random values for `count` invocations of the attributes or varyings with the given locations and types.
pub fn points(seed: u64, inputs: &[(u32, Type)], count: usize) -> BTreeMap<u32, Vec<[u32; 4]>> {
    let mut points = BTreeMap::new();
    for &(location, ty) in inputs {
        let scalar = scalar(ty);
        let mut random = Random::of(seed, &[1, u64::from(location)]);
        points.insert(location, (0..count).map(|_| [(); 4].map(|()| random.component(scalar))).collect());
    }
    points
}

/// Returns values at the corners of the triangle that covers a square, keyed by location. The values are multiples of powers of
/// two, so that their interpolation is exact.
pub fn corners(seed: u64, inputs: &[(u32, Type)]) -> BTreeMap<u32, [[u32; 4]; 3]> {
    let mut corners = BTreeMap::new();
    for &(location, ty) in inputs {
        let scalar = scalar(ty);
        let mut random = Random::of(seed, &[2, u64::from(location)]);
        let values = [(); 3].map(|()| {
            [(); 4].map(|()| match scalar {
                Scalar::Float => (random.below(65) as f32 / 8.0 - 4.0).to_bits(),
                other => random.component(other),
            })
        });
        corners.insert(location, values);
    }
    corners
}

fn scalar(ty: Type) -> Scalar {
    match ty {
        Type::Vector(scalar, _) | Type::Array(scalar, _, _) => scalar,
        _ => Scalar::Float,
    }
}

/// Returns the locations and types of a function's attributes or varyings.
pub fn given(function: &Function) -> Vec<(u32, Type)> {
    let given = function.inputs.iter().filter_map(|input| match input.kind {
        InputKind::Attribute { location } | InputKind::Varying { location, .. } => Some((location, input.ty)),
        _ => None,
    });
    given.collect()
}

/// Creates all the constants and textures that the functions of a module read.
pub fn resources(seed: u64, module: &Module) -> Resources {
    let mut resources = Resources::default();
    for (entry, function) in module.functions.iter().enumerate() {
        if function.kind == FunctionKind::Generic {
            continue;
        }
        let stage = function.kind;
        for index in [entry].into_iter().chain(sdlbc::call_order(module, entry)) {
            for input in &module.functions[index].inputs {
                match (input.kind, input.ty) {
                    (InputKind::Uniform | InputKind::Placed { .. }, ty) => {
                        let named = input.name.bytes().map(u64::from).collect::<Vec<_>>();
                        let mut random = Random::of(seed, &named);
                        let count = match ty {
                            Type::Vector(_, width) => u32::from(width),
                            Type::Matrix { columns, rows } => u32::from(columns) * u32::from(rows),
                            Type::Array(_, width, length) => u32::from(width) * length,
                            Type::Texture(..) | Type::Buffer(..) | Type::Image(..) => 0,
                        };
                        let words = (0..count).map(|_| random.component(scalar(ty))).collect();
                        resources.uniforms.insert((stage, input.name.clone()), words);
                    }
                    (InputKind::Texture { slot, .. }, Type::Texture(dimension, _)) => {
                        let place = (stage, slot);
                        resources.textures.entry(place).or_insert_with(|| texture(seed ^ u64::from(slot), dimension));
                    }
                    _ => {}
                }
            }
        }
    }
    resources
}

/// Makes all integer uniforms at most 8: in a shader that a person wrote they are often loop counts, and a loop of billions of
/// rounds would count as endless.
pub fn limit_counts(resources: &mut Resources, module: &Module) {
    for (key, words) in &mut resources.uniforms {
        if !is_float(module, key) {
            words.iter_mut().for_each(|word| *word %= 9);
        }
    }
}

/// Creates a texture of noise with all mip levels, smooth enough that neighbouring mip levels are similar.
///
/// A 2D texture has 8 by 4 texels, a volume 4 by 8 by 4, and a cube face 8 by 8. An array texture has three layers, or two
/// cubes.
pub fn texture(seed: u64, dimension: Dimension) -> Texture {
    let (width, height, slices) = match dimension {
        Dimension::D2 => (8, 4, 1),
        Dimension::D3 => (4, 8, 4),
        Dimension::Cube => (8, 8, 6),
        Dimension::D2Array => (8, 4, 3),
        Dimension::CubeArray => (8, 8, 12),
    };
    let mut levels = Vec::new();
    let mut level = 0u32;
    loop {
        let size = |whole: u32| (whole >> level).max(1);
        let (width, height) = (size(width), size(height));
        let depth = if dimension == Dimension::D3 { size(slices) } else { slices };
        let mut random = Random::of(seed, &[3, u64::from(level)]);
        let texels = (0..width * height * depth).map(|_| {
            let bits = random.next().to_le_bytes();
            // Components are from 64 to 191, so that reading a neighbouring texel does not change the sign of a result.
            [bits[0], bits[1], bits[2], bits[3]].map(|byte| 64 + byte / 2)
        });
        let texels = texels.collect();
        levels.push(Level { width, height, depth, texels });
        if width == 1 && height == 1 && (dimension != Dimension::D3 || depth == 1) {
            return Texture { dimension, levels };
        }
        level += 1;
    }
}

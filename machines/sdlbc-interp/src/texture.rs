//! Textures with texels of four bytes: red, green, blue and alpha, each a number from 0 to 1 in 255 steps. A shader that reads
//! ints gets the bytes unchanged, and a shader that compares depths uses the first byte as a number from 0 to 1.
//!
//! Each level is half as large as the previous one, rounded down, and at least one texel. The constructors here enforce this;
//! [`sample`](crate::sample) tolerates textures that break it.

use std::fmt;

use sdlbc::Dimension;

/// The maximum number of texels along one side.
pub const LARGEST_TEXTURE: u32 = 1 << 14;

/// The maximum number of texels in a level, because their places are computed in lanes of 32 bits. They use 8 GiB.
pub const MOST_TEXELS: u64 = i32::MAX as u64;

/// One mip level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// Texels across.
    pub width: u32,
    /// Texels down.
    pub height: u32,
    /// The number of slices of a 3D texture, faces of a cube (6: +x, -x, +y, -y, +z, -z), or layers of an array (6 for each
    /// cube); otherwise 1.
    pub depth: u32,
    /// The texels, row by row from the top, slice by slice.
    pub texels: Vec<[u8; 4]>,
}

impl Level {
    /// The number of texels that the sizes require.
    pub(crate) fn texel_count(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height) * u64::from(self.depth)
    }

    /// The sizes.
    fn sizes(&self) -> [u32; 3] {
        [self.width, self.height, self.depth]
    }
}

/// A texture, with its largest level first. The application provides the smaller levels. A sampler that needs a level beyond the
/// last level uses the last level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// The dimension: 2D, 3D, cube, or an array.
    pub dimension: Dimension,
    /// The levels, at least one.
    pub levels: Vec<Level>,
}

/// The faults of a texture's levels.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextureError {
    /// There is no level.
    NoLevel,
    /// The first level has a side of zero or of more than [`LARGEST_TEXTURE`] texels, or more than [`MOST_TEXELS`]; or a 2D
    /// texture has slices, or a cube's faces are not six squares (six for each cube of an array).
    Size {
        /// Width, height and depth.
        sizes: [u32; 3],
    },
    /// A level is not half as large as the previous one, or there is one after the smallest.
    LevelSize {
        /// The number of the level.
        level: usize,
        /// The width, height and depth of the level.
        sizes: [u32; 3],
        /// The required sizes; `None` if there must be no such level.
        expected: Option<[u32; 3]>,
    },
    /// The number of texels does not match the sizes.
    Texels {
        /// The number of the level.
        level: usize,
        /// The number of texels found.
        count: usize,
        /// The number of texels required.
        expected: u64,
    },
}

impl fmt::Display for TextureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextureError::NoLevel => write!(f, "a texture without a level"),
            TextureError::Size { sizes: [width, height, depth] } => {
                write!(f, "a texture of this kind cannot have {width} x {height} x {depth} texels")
            }
            TextureError::LevelSize { level, sizes: [width, height, depth], expected: Some([w, h, d]) } => {
                write!(f, "level {level} has {width} x {height} x {depth} texels, not {w} x {h} x {d}")
            }
            TextureError::LevelSize { level, .. } => write!(f, "level {level} comes after the smallest one"),
            TextureError::Texels { level, count, expected } => {
                write!(f, "level {level} has {count} texels, not {expected}")
            }
        }
    }
}

impl std::error::Error for TextureError {}

impl Texture {
    /// Creates a texture of a single colour, which is clamped to 0..1 and rounded to 8 bits per component.
    pub fn plain(dimension: Dimension, colour: [f32; 4]) -> Texture {
        let texel = colour.map(|component| (component.clamp(0.0, 1.0) * 255.0).round() as u8);
        let depth = dimension.faces();
        let level = Level { width: 1, height: 1, depth, texels: vec![texel; depth as usize] };
        Texture { dimension, levels: vec![level] }
    }

    /// Creates a texture from its levels.
    ///
    /// # Errors
    /// See [`TextureError`]: invalid sizes, or a number of texels that does not match them.
    pub fn new(dimension: Dimension, levels: Vec<Level>) -> Result<Texture, TextureError> {
        let first = levels.first().ok_or(TextureError::NoLevel)?;
        let sizes = first.sizes();
        let sound = sizes.iter().all(|size| (1..=LARGEST_TEXTURE).contains(size))
            && first.texel_count() <= MOST_TEXELS
            && match dimension {
                Dimension::D2 => first.depth == 1,
                Dimension::D3 | Dimension::D2Array => true,
                Dimension::Cube => first.depth == 6 && first.width == first.height,
                Dimension::CubeArray => first.depth.is_multiple_of(6) && first.width == first.height,
            };
        if !sound {
            return Err(TextureError::Size { sizes });
        }
        let mut expected = Some(sizes);
        for (number, level) in levels.iter().enumerate() {
            if expected != Some(level.sizes()) {
                return Err(TextureError::LevelSize { level: number, sizes: level.sizes(), expected });
            }
            if level.texel_count() != level.texels.len() as u64 {
                let count = level.texels.len();
                return Err(TextureError::Texels { level: number, count, expected: level.texel_count() });
            }
            expected = half(dimension, level.sizes());
        }
        Ok(Texture { dimension, levels })
    }

    /// Creates a 2D texture of one level.
    ///
    /// # Errors
    /// As [`Texture::new`].
    pub fn d2(width: u32, height: u32, texels: Vec<[u8; 4]>) -> Result<Texture, TextureError> {
        Texture::new(Dimension::D2, vec![Level { width, height, depth: 1, texels }])
    }

    /// Creates a 3D texture of one level, with its texels slice by slice.
    ///
    /// # Errors
    /// As [`Texture::new`].
    pub fn d3(width: u32, height: u32, depth: u32, texels: Vec<[u8; 4]>) -> Result<Texture, TextureError> {
        Texture::new(Dimension::D3, vec![Level { width, height, depth, texels }])
    }

    /// Creates a cube texture of one level from squares of `size` texels: +x, -x, +y, -y, +z, -z.
    ///
    /// # Errors
    /// As [`Texture::new`]. If a face has the wrong number of texels, the error reports the number for that face.
    pub fn cube(size: u32, faces: [Vec<[u8; 4]>; 6]) -> Result<Texture, TextureError> {
        let area = u64::from(size) * u64::from(size);
        let uneven = faces.iter().find(|face| face.len() as u64 != area).map(Vec::len);
        let level = Level { width: size, height: size, depth: 6, texels: faces.concat() };
        match uneven {
            // Two wrong faces may add up to the right total. Invalid sizes are reported first.
            Some(count) if (1..=LARGEST_TEXTURE).contains(&size) => {
                Err(TextureError::Texels { level: 0, count, expected: area })
            }
            _ => Texture::new(Dimension::Cube, vec![level]),
        }
    }

    /// Adds every level down to a single texel, each made from the previous one. A texel is the mean of the texels that it
    /// covers, weighted by the covered area (a side of odd length is not halved evenly), with each component rounded to the
    /// nearest, halves up. The faces of a cube are not mixed.
    #[must_use]
    pub fn with_mips(mut self) -> Texture {
        self.levels.truncate(1);
        while let Some((last, sizes)) =
            self.levels.last().and_then(|last| Some((last, half(self.dimension, last.sizes())?)))
        {
            let level = shrink(last, sizes);
            self.levels.push(level);
        }
        self
    }
}

/// Returns the sizes of the next level; `None` after the smallest.
fn half(dimension: Dimension, [width, height, depth]: [u32; 3]) -> Option<[u32; 3]> {
    let next = |size: u32| (size / 2).max(1);
    let next_depth = if dimension == Dimension::D3 { next(depth) } else { depth };
    let next = [next(width), next(height), next_depth];
    (next != [width, height, depth]).then_some(next)
}

/// Returns the next smaller level.
fn shrink(from: &Level, [width, height, depth]: [u32; 3]) -> Level {
    let (xs, ys, zs) = (covers(from.width, width), covers(from.height, height), covers(from.depth, depth));
    // The weights along each axis add up to the number of texels of `from` along it.
    let whole = from.texel_count().max(1);
    let mut texels = Vec::new();
    for z in &zs {
        for y in &ys {
            for x in &xs {
                let mut sum = [0u64; 4];
                for &(k, wz) in z {
                    for &(j, wy) in y {
                        for &(i, wx) in x {
                            let place = (k * from.height as usize + j) * from.width as usize + i;
                            let texel = from.texels.get(place).copied().unwrap_or_default();
                            for (sum, component) in sum.iter_mut().zip(texel) {
                                *sum += wx * wy * wz * u64::from(component);
                            }
                        }
                    }
                }
                texels.push(sum.map(|sum| ((2 * sum + whole) / (2 * whole)) as u8));
            }
        }
    }
    Level { width, height, depth, texels }
}

/// Returns, along one axis, the texels of `from` that each of `to` texels covers, and the covered lengths. The unit is chosen
/// so that a texel of `from` has `to` parts and a texel of `to` has `from` parts, so that all weights are integers.
fn covers(from: u32, to: u32) -> Vec<Vec<(usize, u64)>> {
    let (from, to) = (u64::from(from), u64::from(to));
    (0..to)
        .map(|i| {
            let (begin, end) = (i * from, (i + 1) * from);
            (begin / to..end.div_ceil(to))
                .map(|j| (j as usize, end.min((j + 1) * to) - begin.max(j * to)))
                .filter(|&(_, weight)| weight > 0)
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grey(values: &[u8]) -> Vec<[u8; 4]> {
        values.iter().map(|&value| [value; 4]).collect()
    }

    fn greys(level: &Level) -> Vec<u8> {
        level.texels.iter().map(|texel| texel[0]).collect()
    }

    #[test]
    fn a_level_is_the_mean_of_the_previous_one_rounded_half_up() {
        let texture = Texture::d2(4, 2, grey(&[0, 1, 10, 20, 1, 0, 30, 40])).unwrap().with_mips();
        assert_eq!(texture.levels.len(), 3);
        assert_eq!(greys(&texture.levels[1]), [1, 25], "2 / 4 is rounded up");
        assert_eq!(greys(&texture.levels[2]), [13]);
        assert!(Texture::new(Dimension::D2, texture.levels).is_ok());
    }

    #[test]
    fn a_side_of_odd_length_is_halved_by_the_area_that_is_covered() {
        let texture = Texture::d2(3, 1, grey(&[30, 60, 120])).unwrap().with_mips();
        assert_eq!(greys(&texture.levels[1]), [70]);
        let texture = Texture::d2(5, 1, grey(&[10, 20, 30, 40, 50])).unwrap().with_mips();
        // (2 * 10 + 2 * 20 + 1 * 30) / 5 and (1 * 30 + 2 * 40 + 2 * 50) / 5
        assert_eq!(greys(&texture.levels[1]), [18, 42]);
        assert_eq!((texture.levels[1].width, texture.levels[1].height), (2, 1));
    }

    #[test]
    fn slices_mix_and_faces_do_not() {
        let texture = Texture::d3(1, 1, 2, grey(&[10, 20])).unwrap().with_mips();
        assert_eq!(greys(&texture.levels[1]), [15]);
        assert_eq!(texture.levels[1].depth, 1);
        let faces = std::array::from_fn(|face| grey(&[face as u8 * 10; 4]));
        let texture = Texture::cube(2, faces).unwrap().with_mips();
        assert_eq!(greys(&texture.levels[1]), [0, 10, 20, 30, 40, 50]);
    }

    #[test]
    fn invalid_sizes_are_reported() {
        let level = |width, height, depth, count: usize| Level { width, height, depth, texels: grey(&vec![0; count]) };
        let new = |dimension, levels| Texture::new(dimension, levels).unwrap_err();
        assert_eq!(new(Dimension::D2, vec![]), TextureError::NoLevel);
        for (dimension, bad) in [
            (Dimension::D2, level(0, 1, 1, 0)),
            (Dimension::D2, level(1, 1, 2, 2)),
            (Dimension::D2, level(LARGEST_TEXTURE + 1, 1, 1, 0)),
            (Dimension::D3, level(1 << 11, 1 << 10, 1 << 10, 0)),
            (Dimension::Cube, level(2, 2, 5, 20)),
            (Dimension::Cube, level(2, 1, 6, 12)),
        ] {
            assert_eq!(new(dimension, vec![bad.clone()]), TextureError::Size { sizes: bad.sizes() });
        }
        assert_eq!(
            new(Dimension::D2, vec![level(2, 2, 1, 3)]),
            TextureError::Texels { level: 0, count: 3, expected: 4 }
        );
        assert_eq!(
            new(Dimension::D2, vec![level(4, 2, 1, 8), level(2, 2, 1, 4)]),
            TextureError::LevelSize { level: 1, sizes: [2, 2, 1], expected: Some([2, 1, 1]) }
        );
        assert_eq!(
            new(Dimension::D2, vec![level(1, 1, 1, 1), level(1, 1, 1, 1)]),
            TextureError::LevelSize { level: 1, sizes: [1, 1, 1], expected: None }
        );
        let mut faces: [_; 6] = std::array::from_fn(|_| grey(&[0; 4]));
        faces[0].pop();
        faces[1].push([0; 4]);
        assert_eq!(Texture::cube(2, faces).unwrap_err(), TextureError::Texels { level: 0, count: 3, expected: 4 });
    }
}

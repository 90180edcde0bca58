//! Textures whose texels have four bytes: red, green, blue and alpha, each a number from 0 to 1 in 255 steps. A shader that reads
//! integers gets the bytes unchanged, and a shader that compares depths reads the first byte as a number from 0 to 1.
//!
//! Each mip level is half as large as the previous level, rounded down, and has at least one texel along each side. The
//! constructors in this module enforce these sizes, but [`sample`](crate::sample) tolerates textures with other sizes.

use std::fmt;

use sdlbc::Dimension;

/// The maximum number of texels along one side.
pub const LARGEST_TEXTURE: u32 = 1 << 14;

/// The maximum number of texels in a mip level. Within this limit, texel positions fit in 32-bit lanes. The largest mip level
/// occupies 8 GiB.
pub const MOST_TEXELS: u64 = i32::MAX as u64;

/// One mip level of a texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The width in texels.
    pub width: u32,
    /// The height in texels.
    pub height: u32,
    /// The number of slices of a 3D texture, of faces of a cube, or of layers of an array; 1 for other textures. A cube has the
    /// faces +x, -x, +y, -y, +z and -z, and a cube array has six layers for each cube.
    pub depth: u32,
    /// The texels, slice by slice, and row by row from the top.
    pub texels: Vec<[u8; 4]>,
}

impl Level {
    /// The number of texels that the level's width, height and depth require.
    pub(crate) fn texel_count(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height) * u64::from(self.depth)
    }

    fn sizes(&self) -> [u32; 3] {
        [self.width, self.height, self.depth]
    }
}

/// A texture with its mip levels, the largest first. A sampler that needs a level beyond the last one reads the last level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// The texture's dimension: 2D, 3D, cube, 2D array or cube array.
    pub dimension: Dimension,
    /// The mip levels, of which there is at least one.
    pub levels: Vec<Level>,
}

/// The reason why mip levels do not form a valid texture.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextureError {
    /// The texture has no mip level.
    NoLevel,
    /// The first mip level has an invalid size. A level has 1 to [`LARGEST_TEXTURE`] texels along each side and at most
    /// [`MOST_TEXELS`] in total. A 2D texture has one slice, and each cube has six square faces.
    Size {
        /// The width, height and depth of the first level.
        sizes: [u32; 3],
    },
    /// A mip level is not half as large as the previous level, or follows the smallest possible level.
    LevelSize {
        /// The index of the mip level.
        level: usize,
        /// The width, height and depth of the level.
        sizes: [u32; 3],
        /// The required width, height and depth; `None` if the texture must not have this level.
        expected: Option<[u32; 3]>,
    },
    /// The number of texels in a mip level does not match the level's size.
    Texels {
        /// The index of the mip level.
        level: usize,
        /// The actual number of texels.
        count: usize,
        /// The required number of texels.
        expected: u64,
    },
}

impl fmt::Display for TextureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextureError::NoLevel => write!(f, "the texture has no mip level"),
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

    /// Creates a texture from its mip levels.
    ///
    /// # Errors
    /// Returns a [`TextureError`] if a level has an invalid size, or a number of texels that does not match its size.
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

    /// Creates a 2D texture with one mip level.
    ///
    /// # Errors
    /// Returns the errors of [`Texture::new`].
    pub fn d2(width: u32, height: u32, texels: Vec<[u8; 4]>) -> Result<Texture, TextureError> {
        Texture::new(Dimension::D2, vec![Level { width, height, depth: 1, texels }])
    }

    /// Creates a 3D texture with one mip level, whose texels are ordered slice by slice.
    ///
    /// # Errors
    /// Returns the errors of [`Texture::new`].
    pub fn d3(width: u32, height: u32, depth: u32, texels: Vec<[u8; 4]>) -> Result<Texture, TextureError> {
        Texture::new(Dimension::D3, vec![Level { width, height, depth, texels }])
    }

    /// Creates a cube texture with one mip level from six squares of `size` by `size` texels, in the order +x, -x, +y, -y, +z, -z.
    ///
    /// # Errors
    /// Returns the errors of [`Texture::new`]. If a face has the wrong number of texels, the error reports the face's number of
    /// texels.
    pub fn cube(size: u32, faces: [Vec<[u8; 4]>; 6]) -> Result<Texture, TextureError> {
        let area = u64::from(size) * u64::from(size);
        let uneven = faces.iter().find(|face| face.len() as u64 != area).map(Vec::len);
        let level = Level { width: size, height: size, depth: 6, texels: faces.concat() };
        match uneven {
            // The faces are checked separately, because two faces with wrong sizes may have the right total number of texels.
            // `Texture::new` reports an invalid size.
            Some(count) if (1..=LARGEST_TEXTURE).contains(&size) => {
                Err(TextureError::Texels { level: 0, count, expected: area })
            }
            _ => Texture::new(Dimension::Cube, vec![level]),
        }
    }

    /// Replaces all mip levels after the first. Each new level is computed from the previous level, down to the smallest possible
    /// level. Each texel is the mean of the texels that it covers in the previous level. The mean is weighted by the covered
    /// area, because a side of odd length is not halved evenly. Each component is rounded to the nearest integer, and ties are
    /// rounded up. Texels of different cube faces are not mixed.
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

/// Returns the size of the next mip level, or `None` after the smallest level.
fn half(dimension: Dimension, [width, height, depth]: [u32; 3]) -> Option<[u32; 3]> {
    let next = |size: u32| (size / 2).max(1);
    let next_depth = if dimension == Dimension::D3 { next(depth) } else { depth };
    let next = [next(width), next(height), next_depth];
    (next != [width, height, depth]).then_some(next)
}

fn shrink(from: &Level, [width, height, depth]: [u32; 3]) -> Level {
    let (xs, ys, zs) = (covers(from.width, width), covers(from.height, height), covers(from.depth, depth));
    // Along each axis, the weights of one texel add up to the number of texels of `from` along that axis.
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

/// For each of `to` target texels along one axis, returns the covered source texels and the covered lengths. The unit of
/// length is 1/`to` of a source texel, so that all weights are integers.
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
        // The means are (2 * 10 + 2 * 20 + 1 * 30) / 5 and (1 * 30 + 2 * 40 + 2 * 50) / 5.
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

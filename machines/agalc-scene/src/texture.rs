//! Reads textures from PNG files, and creates built-in textures.
//!
//! This module computes mip levels so that all renderers use the same texels. Each texel is the mean of the texels that it covers
//! in the next larger level, rounded to the nearest byte.

#![cfg_attr(
    not(test),
    expect(
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        reason = "indices into arrays of three and four are constants; the mean of bytes is a byte"
    )
)]

mod made;

use std::path::{Path, PathBuf};

use sdlbc::Dimension;
use sdlbc_interp::{Level, Texture};

use crate::error::{Error, ErrorKind};
use crate::number::count;
use crate::picture::Picture;
use crate::reader::LARGEST_FILE;
use crate::store::Store;

pub use made::{Colour, Grade, Made, Pattern};

/// The source of a texture's texels.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// The path of a PNG file.
    File(PathBuf),
    /// The paths of six PNG files, for the cube faces +x, -x, +y, -y, +z and -z in this order.
    Faces(Vec<PathBuf>),
    /// A texture that this crate computes.
    Made(Made),
}

/// A scene's description of a texture.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// The source of the texture's texels.
    pub origin: Origin,
    /// Whether the texture has all mip levels. With `None`, the texture has mip levels if a sampler of the program uses them.
    pub mips: Option<bool>,
}

impl Image {
    /// Returns the paths of the PNG files from which the texture is read.
    pub fn files(&self) -> &[PathBuf] {
        match &self.origin {
            Origin::File(path) => std::slice::from_ref(path),
            Origin::Faces(paths) => paths,
            Origin::Made(_) => &[],
        }
    }

    /// Reads or computes the texture. `mips` is used if [`Image::mips`] is `None`.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if its picture has an unsuitable size.
    pub fn texture(&self, mips: bool) -> Result<Texture, Error> {
        self.texture_in(Store::Disk, mips)
    }

    pub(crate) fn texture_in(&self, store: Store<'_>, mips: bool) -> Result<Texture, Error> {
        let (dimension, level) = match &self.origin {
            // A `Levels` texture defines its own mip levels.
            Origin::Made(made @ Made::Levels { .. }) => {
                return Ok(Texture { dimension: Dimension::D2, levels: made.levels() });
            }
            Origin::Made(made) => (made.dimension(), made.level()),
            Origin::File(path) => (Dimension::D2, level_of(vec![read(store, path)?])),
            Origin::Faces(paths) => {
                let faces = paths.iter().map(|path| read(store, path)).collect::<Result<Vec<Picture>, Error>>()?;
                let side = faces.first().map_or(0, |first| first.width);
                for (face, path) in faces.iter().zip(paths) {
                    if face.width != side || face.height != side {
                        let why = "a cube's faces must be squares of the same size".to_string();
                        return Err(Error::of(path.display().to_string(), ErrorKind::Image { why }));
                    }
                }
                (Dimension::Cube, level_of(faces))
            }
        };
        let mut levels = vec![level];
        let has_mips = self.mips.unwrap_or(mips);
        while has_mips && let Some(smaller) = levels.last().and_then(|level| smaller(level, dimension)) {
            levels.push(smaller);
        }
        Ok(Texture { dimension, levels })
    }
}

fn read(store: Store<'_>, path: &Path) -> Result<Picture, Error> {
    let bytes = store.bytes(path, LARGEST_FILE)?;
    Picture::from_png(&bytes).map_err(|kind| Error::of(path.display().to_string(), kind))
}

fn level_of(pictures: Vec<Picture>) -> Level {
    let (width, height) = pictures.first().map_or((0, 0), |picture| (picture.width, picture.height));
    let depth = count(pictures.len());
    Level { width, height, depth, texels: pictures.into_iter().flat_map(|picture| picture.pixels).collect() }
}

/// Returns the next smaller mip level, whose sides are halved but at least 1, or `None` after the last level.
fn smaller(level: &Level, dimension: Dimension) -> Option<Level> {
    let is_3d = dimension == Dimension::D3;
    if level.width <= 1 && level.height <= 1 && !(is_3d && level.depth > 1) {
        return None;
    }
    let half = |side: u32| (side / 2).max(1);
    let (width, height) = (half(level.width), half(level.height));
    let depth = if is_3d { half(level.depth) } else { level.depth };
    let texel = |x: u32, y: u32, z: u32| {
        let at = (z as usize * level.height as usize + y as usize) * level.width as usize + x as usize;
        level.texels.get(at).copied().unwrap_or_default()
    };
    // Along each axis, a texel of the smaller level averages two texels of the larger level, or uses the only texel twice.
    let two = |at: u32, side: u32| [(2 * at).min(side - 1), (2 * at + 1).min(side - 1)];
    let mut texels = Vec::with_capacity(width as usize * height as usize * depth as usize);
    for z in 0..depth {
        for y in 0..height {
            for x in 0..width {
                let mut sum = [0u32; 4];
                for z in if is_3d { two(z, level.depth) } else { [z, z] } {
                    for y in two(y, level.height) {
                        for x in two(x, level.width) {
                            let texel = texel(x, y, z);
                            (0..4).for_each(|part| sum[part] += u32::from(texel[part]));
                        }
                    }
                }
                texels.push(sum.map(|sum| ((sum + 4) / 8) as u8));
            }
        }
    }
    Some(Level { width, height, depth, texels })
}

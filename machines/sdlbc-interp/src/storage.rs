//! Storage textures, which IMAGELOAD reads and IMAGESTORE writes.

use sdlbc::Format;

/// A storage texture: one level of texels, each rounded to the format.
#[derive(Clone, Debug, PartialEq)]
pub struct StorageTexture {
    format: Format,
    size: [u32; 3],
    texels: Vec<[u32; 4]>,
}

impl StorageTexture {
    /// The maximum number of texels, which use 256 MB.
    pub const MOST: usize = 1 << 24;

    /// A storage texture whose texels are 0. Components that the format does not have are 0, but w is 1. `size` is the width, the
    /// height, and the depth or the number of layers, or 1 for a 2D texture without layers. `None` if there are more than
    /// [`StorageTexture::MOST`] texels.
    ///
    /// ```
    /// use sdlbc::Format;
    /// use sdlbc_interp::StorageTexture;
    ///
    /// let mut texture = StorageTexture::new(Format::Rgba8Unorm, [2, 2, 1]).expect("it is small");
    /// texture.set([1, 0, 0], [0.5, 2.0, 0.0, 1.0].map(f32::to_bits));
    /// texture.set([2, 0, 0], [1.0; 4].map(f32::to_bits)); // outside of the texture
    /// assert_eq!(texture.texel([1, 0, 0]), Some([128.0 / 255.0, 1.0, 0.0, 1.0].map(f32::to_bits)));
    /// assert_eq!(texture.texel([2, 0, 0]), None);
    /// ```
    pub fn new(format: Format, size: [u32; 3]) -> Option<StorageTexture> {
        let count = size.iter().try_fold(1usize, |all, &count| all.checked_mul(count as usize))?;
        (count <= StorageTexture::MOST).then(|| StorageTexture {
            format,
            size,
            texels: vec![format.held([0; 4]); count],
        })
    }

    /// The format of the texels.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The width, the height, and the depth or the number of layers.
    pub fn size(&self) -> [u32; 3] {
        self.size
    }

    /// The texels as bits of their components: row by row, then layer by layer.
    pub fn texels(&self) -> &[[u32; 4]] {
        &self.texels
    }

    /// The texel at x, y and z; `None` outside.
    pub fn texel(&self, at: [i32; 3]) -> Option<[u32; 4]> {
        self.texels.get(self.index(at)?).copied()
    }

    /// Writes a texel at x, y and z, rounded to the format; does nothing outside.
    pub fn set(&mut self, at: [i32; 3], texel: [u32; 4]) {
        if let Some(index) = self.index(at)
            && let Some(held) = self.texels.get_mut(index)
        {
            *held = self.format.held(texel);
        }
    }

    fn index(&self, at: [i32; 3]) -> Option<usize> {
        let mut index = 0;
        for (at, size) in at.into_iter().zip(self.size).rev() {
            let at = u32::try_from(at).ok().filter(|&at| at < size)?;
            index = index * size as usize + at as usize;
        }
        Some(index)
    }
}

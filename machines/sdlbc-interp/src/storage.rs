//! Storage textures, which IMAGELOAD reads and IMAGESTORE writes.

use sdlbc::Format;

/// A storage texture with a single mip level, whose texels are rounded to the texture's format.
#[derive(Clone, Debug, PartialEq)]
pub struct StorageTexture {
    format: Format,
    size: [u32; 3],
    texels: Vec<[u32; 4]>,
}

impl StorageTexture {
    /// The maximum number of texels in a storage texture. The largest storage texture occupies 256 MiB.
    pub const MOST: usize = 1 << 24;

    /// Creates a storage texture of zeroes. The w component of each texel is 1 if the format has no w. `size` contains the
    /// width, the height, and the depth or the number of layers; a 2D texture without layers has 1 as the third size. Returns
    /// `None` if there are more than [`StorageTexture::MOST`] texels.
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

    /// The texture's width, height, and depth or number of layers.
    pub fn size(&self) -> [u32; 3] {
        self.size
    }

    /// The texels, row by row and then layer by layer, as the bits of their components.
    pub fn texels(&self) -> &[[u32; 4]] {
        &self.texels
    }

    /// Returns the texel at x, y and z, or `None` outside the texture.
    pub fn texel(&self, at: [i32; 3]) -> Option<[u32; 4]> {
        self.texels.get(self.index(at)?).copied()
    }

    /// Rounds a texel to the format and writes it at x, y and z. A write outside the texture has no effect.
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

//! The types of values. An instruction stores no type, because the type of its result follows from its operation and operands.

use std::fmt;

use crate::named::named;
use crate::number;

named! {
    /// The type of a scalar, or of each component of a vector or texel.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Scalar {
        /// A truth value, true or false.
        Bool = 0 "bool",
        /// A signed integer of 32 bits.
        Int = 1 "int",
        /// An unsigned integer of 32 bits.
        Uint = 2 "uint",
        /// An IEEE 754 float of 32 bits.
        Float = 3 "float",
        /// An IEEE 754 float of 16 bits.
        Half = 4 "half",
    }
    /// Returns the component type's name in the text form.
    fn name
}

impl Scalar {
    /// Reports whether the component type is int, uint or float, which have a defined representation in 32 bits.
    pub const fn has_32_bits(self) -> bool {
        matches!(self, Scalar::Int | Scalar::Uint | Scalar::Float)
    }

    /// Returns the size in bytes of a component in memory with a defined layout.
    pub const fn bytes(self) -> u32 {
        if matches!(self, Scalar::Half) { 2 } else { 4 }
    }
}

named! {
    /// The dimension of a texture, which determines the components of its coordinates.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Dimension {
        /// A two-dimensional texture.
        D2 = 1 "texture2d",
        /// A three-dimensional texture.
        D3 = 2 "texture3d",
        /// A cube texture, whose coordinate is a direction.
        Cube = 3 "texturecube",
        /// An array of two-dimensional textures.
        D2Array = 4 "texture2darray",
        /// An array of cube textures.
        CubeArray = 5 "texturecubearray",
    }
    /// Returns the dimension's name in the text form.
    fn name
}

impl Dimension {
    /// Reports whether the texture has layers. A separate operand selects the layer.
    pub const fn has_layers(self) -> bool {
        matches!(self, Dimension::D2Array | Dimension::CubeArray)
    }

    /// Reports whether the texture is a cube or an array of cubes, whose coordinate is a direction.
    pub const fn is_cube(self) -> bool {
        matches!(self, Dimension::Cube | Dimension::CubeArray)
    }

    /// Returns the number of faces in a texture layer: six for a cube, and one for any other texture.
    pub const fn faces(self) -> u32 {
        if self.is_cube() { 6 } else { 1 }
    }

    /// Returns the number of components of a texture coordinate, excluding the layer.
    pub const fn coordinates(self) -> u8 {
        match self {
            Dimension::D2 | Dimension::D2Array => 2,
            Dimension::D3 | Dimension::Cube | Dimension::CubeArray => 3,
        }
    }

    /// Returns the number of components in the size of a mip level. The size of a cube is the size of a face, and the size of an
    /// array includes the number of layers.
    pub const fn sizes(self) -> u8 {
        match self {
            Dimension::D2 | Dimension::Cube => 2,
            Dimension::D3 | Dimension::D2Array | Dimension::CubeArray => 3,
        }
    }

    /// Returns WebGPU's name for the dimension, a `GPUTextureViewDimension`.
    pub const fn view_name(self) -> &'static str {
        match self {
            Dimension::D2 => "2d",
            Dimension::D3 => "3d",
            Dimension::Cube => "cube",
            Dimension::D2Array => "2d-array",
            Dimension::CubeArray => "cube-array",
        }
    }
}

named! {
    /// The kind of the texels of a sampled texture.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Texel {
        /// Texels of four floats.
        #[default]
        Float = 0 "",
        /// Texels of four ints, which cannot be filtered.
        Int = 1 "int",
        /// Texels of four uints, which cannot be filtered.
        Uint = 2 "uint",
        /// Depth texels, which are compared with a reference value.
        Depth = 3 "depth",
    }
    /// Returns the prefix that the texel kind adds to the name of a texture type. The prefix for floats is empty.
    fn prefix
}

impl Texel {
    /// Returns the component type of a texel, or `None` for a depth texel, which can only be compared.
    pub const fn scalar(self) -> Option<Scalar> {
        match self {
            Texel::Float => Some(Scalar::Float),
            Texel::Int => Some(Scalar::Int),
            Texel::Uint => Some(Scalar::Uint),
            Texel::Depth => None,
        }
    }
}

named! {
    /// The format of the texels of a storage texture: the number, type and size of their components.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Format {
        /// Four bytes, each of which represents a number from 0 to 1.
        #[default]
        Rgba8Unorm = 0 "rgba8unorm",
        /// Four bytes, each of which represents a number from -1 to 1.
        Rgba8Snorm = 1 "rgba8snorm",
        /// Four unsigned integers of 8 bits.
        Rgba8Uint = 2 "rgba8uint",
        /// Four signed integers of 8 bits.
        Rgba8Sint = 3 "rgba8sint",
        /// Four unsigned integers of 16 bits.
        Rgba16Uint = 4 "rgba16uint",
        /// Four signed integers of 16 bits.
        Rgba16Sint = 5 "rgba16sint",
        /// Four floats of 16 bits.
        Rgba16Float = 6 "rgba16float",
        /// One unsigned integer of 32 bits.
        R32Uint = 7 "r32uint",
        /// One signed integer of 32 bits.
        R32Sint = 8 "r32sint",
        /// One float of 32 bits.
        R32Float = 9 "r32float",
        /// Two unsigned integers of 32 bits.
        Rg32Uint = 10 "rg32uint",
        /// Two signed integers of 32 bits.
        Rg32Sint = 11 "rg32sint",
        /// Two floats of 32 bits.
        Rg32Float = 12 "rg32float",
        /// Four unsigned integers of 32 bits.
        Rgba32Uint = 13 "rgba32uint",
        /// Four signed integers of 32 bits.
        Rgba32Sint = 14 "rgba32sint",
        /// Four floats of 32 bits.
        Rgba32Float = 15 "rgba32float",
    }
    /// Returns the texel format's name in the text form, which is also WebGPU's name.
    fn name
}

impl Format {
    /// Returns the type of a texel's components in the shader: float, int or uint.
    pub const fn scalar(self) -> Scalar {
        match self {
            Format::Rgba8Unorm
            | Format::Rgba8Snorm
            | Format::Rgba16Float
            | Format::R32Float
            | Format::Rg32Float
            | Format::Rgba32Float => Scalar::Float,
            Format::Rgba8Sint | Format::Rgba16Sint | Format::R32Sint | Format::Rg32Sint | Format::Rgba32Sint => {
                Scalar::Int
            }
            Format::Rgba8Uint | Format::Rgba16Uint | Format::R32Uint | Format::Rg32Uint | Format::Rgba32Uint => {
                Scalar::Uint
            }
        }
    }

    /// Returns the number of components in a texel: 1, 2 or 4. Missing components are read as 0 for y and z, and as 1 for w.
    pub const fn components(self) -> u8 {
        match self {
            Format::R32Uint | Format::R32Sint | Format::R32Float => 1,
            Format::Rg32Uint | Format::Rg32Sint | Format::Rg32Float => 2,
            _ => 4,
        }
    }

    /// Returns the bits that a shader reads back after it writes a texel to a storage texture of this format.
    ///
    /// Components stored as bytes or halves are rounded to the nearest representable number, with ties to even. A NaN stored as a
    /// byte becomes 0. An int or uint out of range becomes the nearest value in range, although other implementations may return
    /// a different value.
    pub fn held(self, texel: [u32; 4]) -> [u32; 4] {
        let one = if matches!(self.scalar(), Scalar::Float) { 1f32.to_bits() } else { 1 };
        let mut held = [0, 0, 0, one];
        for (to, from) in held.iter_mut().zip(texel).take(self.components().into()) {
            *to = self.component(from);
        }
        held
    }

    fn component(self, bits: u32) -> u32 {
        let float = f32::from_bits(bits);
        // Adding 0 turns negative zero, which bytes cannot represent, into positive zero.
        match self {
            Format::Rgba8Unorm | Format::Rgba8Snorm if float.is_nan() => 0,
            Format::Rgba8Unorm => (number::round_even(float.clamp(0.0, 1.0) * 255.0) / 255.0 + 0.0).to_bits(),
            Format::Rgba8Snorm => (number::round_even(float.clamp(-1.0, 1.0) * 127.0) / 127.0 + 0.0).to_bits(),
            Format::Rgba16Float => number::half(float).to_bits(),
            Format::Rgba8Uint => bits.min(u8::MAX.into()),
            Format::Rgba16Uint => bits.min(u16::MAX.into()),
            Format::Rgba8Sint => bits.cast_signed().clamp(i8::MIN.into(), i8::MAX.into()).cast_unsigned(),
            Format::Rgba16Sint => bits.cast_signed().clamp(i16::MIN.into(), i16::MAX.into()).cast_unsigned(),
            _ => bits,
        }
    }
}

/// The type of an input, an output or the result of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// A scalar, or a vector of two to four components.
    Vector(Scalar, u8),
    /// A matrix of floats with two to four columns and two to four rows.
    Matrix {
        /// The number of columns, 2 to 4.
        columns: u8,
        /// The number of components in each column, 2 to 4.
        rows: u8,
    },
    /// A texture combined with its sampler: the texture's dimension and the kind of its texels.
    Texture(Dimension, Texel),
    /// An array of scalars or vectors: the component type, the number of components per element, and the length, at least 1.
    Array(Scalar, u8, u32),
    /// A storage buffer of scalars or vectors: the component type and the number of components per element. The length of a
    /// storage buffer is known only at run time.
    Buffer(Scalar, u8),
    /// A storage texture: the texture's dimension and the format of its texels.
    Image(Dimension, Format),
}

/// Expands each texel kind and dimension to a texture type.
macro_rules! textures {
    ($($texel:ident: $($dimension:ident)*;)*) => {
        &[$($(Type::Texture(Dimension::$dimension, Texel::$texel)),*),*]
    };
}

impl Type {
    /// The type of a single bool.
    pub const BOOL: Type = Type::Vector(Scalar::Bool, 1);
    /// The type of a single int.
    pub const INT: Type = Type::Vector(Scalar::Int, 1);
    /// The type of a single unsigned int.
    pub const UINT: Type = Type::Vector(Scalar::Uint, 1);
    /// The type of a single float.
    pub const FLOAT: Type = Type::Vector(Scalar::Float, 1);
    /// The type of a vector of four floats.
    pub const FLOAT4: Type = Type::Vector(Scalar::Float, 4);

    /// All sampled-texture types, beginning with the types of the format's first revision.
    pub const TEXTURES: &[Type] = textures! {
        Float: D2 D3 Cube D2Array CubeArray;
        Int: D2 D3 Cube D2Array CubeArray;
        Uint: D2 D3 Cube D2Array CubeArray;
        Depth: D2 Cube D2Array CubeArray;
    };

    /// The dimensions that a storage texture may have.
    pub const IMAGES: [Dimension; 3] = [Dimension::D2, Dimension::D3, Dimension::D2Array];

    /// The number of types at the beginning of [`Type::TEXTURES`] that belong to the format's first revision.
    pub const FIRST_TEXTURES: usize = 3;

    /// Returns the type of a float, or of a vector of `width` floats.
    pub const fn floats(width: u8) -> Type {
        Type::Vector(Scalar::Float, width)
    }

    /// Returns the type with the same number of components, but with the component type `scalar`. Types other than scalars and
    /// vectors are returned unchanged.
    pub const fn of(self, scalar: Scalar) -> Type {
        match self {
            Type::Vector(_, width) => Type::Vector(scalar, width),
            other => other,
        }
    }

    /// Reports whether the type is a float or a vector of floats.
    pub const fn is_float(self) -> bool {
        matches!(self, Type::Vector(Scalar::Float, _))
    }

    /// Returns the number of components of a scalar or vector, or `None` for any other type.
    pub const fn width(self) -> Option<u8> {
        match self {
            Type::Vector(_, width) => Some(width),
            _ => None,
        }
    }

    /// Returns the size of the type in bytes in a uniform buffer, without padding at the end. Each element of an array and each
    /// column of a matrix takes 16 bytes. Types that a uniform buffer cannot contain, such as textures and storage buffers, have
    /// the size 0.
    pub const fn uniform_bytes(self) -> u32 {
        match self {
            Type::Vector(scalar, width) => scalar.bytes() * width as u32,
            Type::Matrix { columns, .. } => 16 * columns as u32,
            Type::Array(_, _, length) => length.saturating_mul(16),
            Type::Texture(..) | Type::Buffer(..) | Type::Image(..) => 0,
        }
    }

    /// Returns the alignment of the type in bytes in a uniform buffer.
    pub const fn uniform_alignment(self) -> u32 {
        match self {
            Type::Vector(scalar, 1) => scalar.bytes(),
            Type::Vector(scalar, 2) => 2 * scalar.bytes(),
            Type::Vector(scalar, _) => 4 * scalar.bytes(),
            _ => 16,
        }
    }

    /// Returns the descriptor word of the type, which consists of four bytes. The lowest byte is the class: 0 is a vector, 1 a
    /// matrix, 2 a texture, 3 an array, 4 a storage buffer, and 5 a storage texture. The second byte is the component type or the
    /// dimension. The third byte is the number of components or rows, the texel kind or the format. The fourth byte is the number
    /// of columns.
    pub const fn word(self) -> u32 {
        match self {
            Type::Vector(scalar, width) => (scalar as u32) << 8 | (width as u32) << 16,
            Type::Matrix { columns, rows } => {
                1 | (Scalar::Float as u32) << 8 | (rows as u32) << 16 | (columns as u32) << 24
            }
            Type::Texture(dimension, texel) => 2 | (dimension as u32) << 8 | (texel as u32) << 16,
            Type::Array(scalar, width, _) => 3 | (scalar as u32) << 8 | (width as u32) << 16,
            Type::Buffer(scalar, width) => 4 | (scalar as u32) << 8 | (width as u32) << 16,
            Type::Image(dimension, format) => 5 | (dimension as u32) << 8 | (format as u32) << 16,
        }
    }

    /// Returns the word that follows the type's descriptor: the length of an array, or 0 for any other type.
    pub const fn length_word(self) -> u32 {
        match self {
            Type::Array(_, _, length) => length,
            _ => 0,
        }
    }

    /// Returns the type that a descriptor word and a length word describe, or `None` if the words are invalid.
    pub fn from_words(word: u32, length: u32) -> Option<Type> {
        let [class, kind, rows, columns] = word.to_le_bytes();
        let scalar = Scalar::ALL.get(usize::from(kind)).copied();
        let ty = match class {
            0 if (1..=4).contains(&rows) => Type::Vector(scalar?, rows),
            1 if (2..=4).contains(&rows) && (2..=4).contains(&columns) => Type::Matrix { columns, rows },
            2 => Type::TEXTURES.iter().copied().find(|ty| ty.word() == word)?,
            3 if (1..=4).contains(&rows) && length > 0 => Type::Array(scalar?, rows, length),
            4 if (1..=4).contains(&rows) => Type::Buffer(scalar?, rows),
            5 => {
                let dimension = Type::IMAGES.into_iter().find(|&dimension| dimension as u32 == kind.into())?;
                Type::Image(dimension, Format::ALL.get(usize::from(rows)).copied()?)
            }
            _ => return None,
        };
        // Words with bits that the type does not use are rejected.
        (ty.word() == word && ty.length_word() == length).then_some(ty)
    }
}

/// Prints the type in the text form, such as `float4`, `float4x3` (four columns, three rows), `texture2d`, `float4[28]`,
/// `float4[]` or `rgba8unormtexture2d`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Type::Vector(scalar, 1) => f.write_str(scalar.name()),
            Type::Vector(scalar, width) => write!(f, "{}{width}", scalar.name()),
            Type::Matrix { columns, rows } => write!(f, "float{columns}x{rows}"),
            Type::Texture(dimension, texel) => write!(f, "{}{}", texel.prefix(), dimension.name()),
            Type::Array(scalar, width, length) => write!(f, "{}[{length}]", Type::Vector(scalar, width)),
            Type::Buffer(scalar, width) => write!(f, "{}[]", Type::Vector(scalar, width)),
            Type::Image(dimension, format) => write!(f, "{}{}", format.name(), dimension.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_describe_every_type_and_nothing_else() {
        let mut types = vec![Type::Matrix { columns: 3, rows: 4 }, Type::Array(Scalar::Float, 4, 28)];
        types.extend(Type::TEXTURES);
        types.extend(Scalar::ALL.into_iter().flat_map(|s| (1..=4).map(move |w| Type::Vector(s, w))));
        types.extend(Scalar::ALL.into_iter().flat_map(|s| (1..=4).map(move |w| Type::Buffer(s, w))));
        types.extend(Type::IMAGES.into_iter().flat_map(|d| Format::ALL.map(|format| Type::Image(d, format))));
        for ty in types {
            assert_eq!(Type::from_words(ty.word(), ty.length_word()), Some(ty));
            assert_eq!(Type::from_words(ty.word() | 1 << 31, ty.length_word()), None, "{ty} with a stray bit");
        }
        assert_eq!(Type::from_words(5 | 1 << 8 | 16 << 16, 0), None, "there are 16 formats");
        assert_eq!(Type::from_words(5 | 3 << 8, 0), None, "a storage texture is not a cube");
        assert_eq!(Type::from_words(Type::FLOAT.word(), 1), None, "a scalar has no length");
        assert_eq!(Type::from_words(Type::Array(Scalar::Float, 4, 1).word(), 0), None, "an array has elements");
    }

    #[test]
    fn formats_are_numbered_densely_and_keep_what_they_hold() {
        assert!(Format::ALL.iter().zip(0..).all(|(&format, number)| format as u32 == number));
        let bits = |floats: [f32; 4]| floats.map(f32::to_bits);
        let unorm = Format::Rgba8Unorm.held(bits([-1.0, 0.5, 2.0, f32::NAN]));
        assert_eq!(unorm, bits([0.0, 128.0 / 255.0, 1.0, 0.0]));
        let snorm = Format::Rgba8Snorm.held(bits([-2.0, 0.5, -0.1, f32::NAN]));
        assert_eq!(snorm, bits([-1.0, 64.0 / 127.0, -13.0 / 127.0, 0.0]));
        assert_eq!(Format::Rgba16Float.held(bits([65519.0, 1.0, -0.0, 3.0]))[0], 65504f32.to_bits());
        assert_eq!(Format::R32Float.held(bits([7.5, 1.0, 1.0, 5.0])), bits([7.5, 0.0, 0.0, 1.0]));
        assert_eq!(Format::Rg32Uint.held([1, 2, 3, 4]), [1, 2, 0, 1]);
        assert_eq!(Format::Rgba8Uint.held([1, 255, 256, u32::MAX]), [1, 255, 255, 255]);
        assert_eq!(
            Format::Rgba8Sint.held([-129i32, 128, -1, 5].map(i32::cast_unsigned)),
            [-128i32, 127, -1, 5].map(i32::cast_unsigned)
        );
        for format in Format::ALL {
            let held = format.held([0x3f12_3456, 77, 0xbf00_0000, 3]);
            assert_eq!(format.held(held), held, "{}", format.name());
        }
    }
}

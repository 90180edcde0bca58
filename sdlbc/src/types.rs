//! Types of values. Instructions have no types: the type of a value follows from its operation and operands.

use std::fmt;

/// The type of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    /// true or false.
    Bool = 0,
    /// 32 bits, signed.
    Int = 1,
    /// 32 bits, unsigned.
    Uint = 2,
    /// 32 bits, IEEE.
    Float = 3,
    /// 16 bits, IEEE.
    Half = 4,
}

impl Scalar {
    /// Every component type, by number.
    pub const ALL: [Scalar; 5] = [Scalar::Bool, Scalar::Int, Scalar::Uint, Scalar::Float, Scalar::Half];

    /// Whether it has 32 bits, whose meaning is its own: int, uint and float.
    pub const fn has_32_bits(self) -> bool {
        matches!(self, Scalar::Int | Scalar::Uint | Scalar::Float)
    }

    /// Its size in bytes where memory has a layout.
    pub const fn bytes(self) -> u32 {
        if matches!(self, Scalar::Half) { 2 } else { 4 }
    }

    /// The name in text.
    pub const fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Int => "int",
            Scalar::Uint => "uint",
            Scalar::Float => "float",
            Scalar::Half => "half",
        }
    }
}

/// The dimension of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dimension {
    /// Two coordinates.
    D2 = 1,
    /// Three coordinates.
    D3 = 2,
    /// A direction.
    Cube = 3,
    /// Layers of two coordinates.
    D2Array = 4,
    /// Layers of directions.
    CubeArray = 5,
}

impl Dimension {
    /// Every dimension, by number.
    pub const ALL: [Dimension; 5] =
        [Dimension::D2, Dimension::D3, Dimension::Cube, Dimension::D2Array, Dimension::CubeArray];

    /// Whether there are layers, of which an operand of its own chooses one.
    pub const fn has_layers(self) -> bool {
        matches!(self, Dimension::D2Array | Dimension::CubeArray)
    }

    /// Whether its coordinate is a direction.
    pub const fn is_cube(self) -> bool {
        matches!(self, Dimension::Cube | Dimension::CubeArray)
    }

    /// The number of faces: six of a cube.
    pub const fn faces(self) -> u32 {
        if self.is_cube() { 6 } else { 1 }
    }

    /// The number of components of a coordinate, without the layer.
    pub const fn coordinates(self) -> u8 {
        match self {
            Dimension::D2 | Dimension::D2Array => 2,
            Dimension::D3 | Dimension::Cube | Dimension::CubeArray => 3,
        }
    }

    /// The number of sizes of a level: a cube has those of a face, and an array the number of its layers too.
    pub const fn sizes(self) -> u8 {
        match self {
            Dimension::D2 | Dimension::Cube => 2,
            Dimension::D3 | Dimension::D2Array | Dimension::CubeArray => 3,
        }
    }

    /// The name in text.
    pub const fn name(self) -> &'static str {
        match self {
            Dimension::D2 => "texture2d",
            Dimension::D3 => "texture3d",
            Dimension::Cube => "texturecube",
            Dimension::D2Array => "texture2darray",
            Dimension::CubeArray => "texturecubearray",
        }
    }
}

/// What the texels of a texture are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Texel {
    /// Four floats.
    #[default]
    Float = 0,
    /// Four ints, which are not filtered.
    Int = 1,
    /// Four uints, which are not filtered.
    Uint = 2,
    /// A depth, with which a reference is compared.
    Depth = 3,
}

impl Texel {
    /// Every kind of texel, by number.
    pub const ALL: [Texel; 4] = [Texel::Float, Texel::Int, Texel::Uint, Texel::Depth];

    /// The component type of a texel, unless it is only compared with.
    pub const fn scalar(self) -> Option<Scalar> {
        match self {
            Texel::Float => Some(Scalar::Float),
            Texel::Int => Some(Scalar::Int),
            Texel::Uint => Some(Scalar::Uint),
            Texel::Depth => None,
        }
    }

    /// How the name of a texture begins in text.
    pub const fn prefix(self) -> &'static str {
        match self {
            Texel::Float => "",
            Texel::Int => "int",
            Texel::Uint => "uint",
            Texel::Depth => "depth",
        }
    }
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// One to four components; one component is a scalar.
    Vector(Scalar, u8),
    /// Floats in two to four columns and rows.
    Matrix {
        /// The number of columns.
        columns: u8,
        /// The number of components of a column.
        rows: u8,
    },
    /// A texture with its sampler: its dimension, and what its texels are.
    Texture(Dimension, Texel),
    /// At least one element of a vector type: the component type, the components of an element, and the length.
    Array(Scalar, u8, u32),
    /// A storage buffer: elements of a vector type, as many as the buffer has when the program runs. The component type, and the
    /// components of an element.
    Buffer(Scalar, u8),
}

impl Type {
    /// A bool.
    pub const BOOL: Type = Type::Vector(Scalar::Bool, 1);
    /// An int.
    pub const INT: Type = Type::Vector(Scalar::Int, 1);
    /// An unsigned int.
    pub const UINT: Type = Type::Vector(Scalar::Uint, 1);
    /// A float.
    pub const FLOAT: Type = Type::Vector(Scalar::Float, 1);
    /// Four floats.
    pub const FLOAT4: Type = Type::Vector(Scalar::Float, 4);

    /// The type of every texture.
    pub const TEXTURES: &[Type] = &[
        Type::Texture(Dimension::D2, Texel::Float),
        Type::Texture(Dimension::D3, Texel::Float),
        Type::Texture(Dimension::Cube, Texel::Float),
        Type::Texture(Dimension::D2Array, Texel::Float),
        Type::Texture(Dimension::CubeArray, Texel::Float),
        Type::Texture(Dimension::D2, Texel::Int),
        Type::Texture(Dimension::D3, Texel::Int),
        Type::Texture(Dimension::Cube, Texel::Int),
        Type::Texture(Dimension::D2Array, Texel::Int),
        Type::Texture(Dimension::CubeArray, Texel::Int),
        Type::Texture(Dimension::D2, Texel::Uint),
        Type::Texture(Dimension::D3, Texel::Uint),
        Type::Texture(Dimension::Cube, Texel::Uint),
        Type::Texture(Dimension::D2Array, Texel::Uint),
        Type::Texture(Dimension::CubeArray, Texel::Uint),
        Type::Texture(Dimension::D2, Texel::Depth),
        Type::Texture(Dimension::Cube, Texel::Depth),
        Type::Texture(Dimension::D2Array, Texel::Depth),
        Type::Texture(Dimension::CubeArray, Texel::Depth),
    ];

    /// The first of [`Type::TEXTURES`]: those of the first revision of the format.
    pub const FIRST_TEXTURES: usize = 3;

    /// A float or a vector of floats with this many components.
    pub const fn floats(width: u8) -> Type {
        Type::Vector(Scalar::Float, width)
    }

    /// The same number of components of another component type. Types other than scalars and vectors are unchanged.
    pub const fn of(self, scalar: Scalar) -> Type {
        match self {
            Type::Vector(_, width) => Type::Vector(scalar, width),
            other => other,
        }
    }

    /// Whether it is a float or a vector of floats.
    pub const fn is_float(self) -> bool {
        matches!(self, Type::Vector(Scalar::Float, _))
    }

    /// The number of components of a scalar or vector.
    pub const fn width(self) -> Option<u8> {
        match self {
            Type::Vector(_, width) => Some(width),
            _ => None,
        }
    }

    /// Its size in bytes in a buffer of uniforms, without padding after it: each element of an array and each column of a matrix
    /// takes 16 bytes. A texture has none, and a storage buffer is not one of uniforms.
    pub const fn uniform_bytes(self) -> u32 {
        match self {
            Type::Vector(scalar, width) => scalar.bytes() * width as u32,
            Type::Matrix { columns, .. } => 16 * columns as u32,
            Type::Array(_, _, length) => length.saturating_mul(16),
            Type::Texture(..) | Type::Buffer(..) => 0,
        }
    }

    /// Its alignment in bytes in a buffer of uniforms.
    pub const fn uniform_alignment(self) -> u32 {
        match self {
            Type::Vector(scalar, 1) => scalar.bytes(),
            Type::Vector(scalar, 2) => 2 * scalar.bytes(),
            Type::Vector(scalar, _) => 4 * scalar.bytes(),
            _ => 16,
        }
    }

    /// The descriptor word: class in bits 0-7 (0 vector, 1 matrix, 2 texture, 3 array, 4 storage buffer), then component type or
    /// dimension, then rows, then columns, eight bits each.
    pub const fn word(self) -> u32 {
        match self {
            Type::Vector(scalar, width) => (scalar as u32) << 8 | (width as u32) << 16,
            Type::Matrix { columns, rows } => {
                1 | (Scalar::Float as u32) << 8 | (rows as u32) << 16 | (columns as u32) << 24
            }
            Type::Texture(dimension, texel) => 2 | (dimension as u32) << 8 | (texel as u32) << 16,
            Type::Array(scalar, width, _) => 3 | (scalar as u32) << 8 | (width as u32) << 16,
            Type::Buffer(scalar, width) => 4 | (scalar as u32) << 8 | (width as u32) << 16,
        }
    }

    /// The word after the descriptor: the length of an array, 0 for every other type.
    pub const fn length_word(self) -> u32 {
        match self {
            Type::Array(_, _, length) => length,
            _ => 0,
        }
    }

    /// The type that a descriptor word and a length word describe, if any.
    pub fn from_words(word: u32, length: u32) -> Option<Type> {
        let [class, kind, rows, columns] = word.to_le_bytes();
        let scalar = Scalar::ALL.get(usize::from(kind)).copied();
        let ty = match class {
            0 if (1..=4).contains(&rows) => Type::Vector(scalar?, rows),
            1 if (2..=4).contains(&rows) && (2..=4).contains(&columns) => Type::Matrix { columns, rows },
            2 => Type::TEXTURES.iter().copied().find(|ty| ty.word() == word)?,
            3 if (1..=4).contains(&rows) && length > 0 => Type::Array(scalar?, rows, length),
            4 if (1..=4).contains(&rows) => Type::Buffer(scalar?, rows),
            _ => return None,
        };
        // Reject words with other bits set than the type's own words.
        (ty.word() == word && ty.length_word() == length).then_some(ty)
    }
}

/// `float4`, `float4x3` (columns x rows), `texture2d`, `float4[28]`, `float4[]`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Type::Vector(scalar, 1) => f.write_str(scalar.name()),
            Type::Vector(scalar, width) => write!(f, "{}{width}", scalar.name()),
            Type::Matrix { columns, rows } => write!(f, "float{columns}x{rows}"),
            Type::Texture(dimension, texel) => write!(f, "{}{}", texel.prefix(), dimension.name()),
            Type::Array(scalar, width, length) => write!(f, "{}[{length}]", Type::Vector(scalar, width)),
            Type::Buffer(scalar, width) => write!(f, "{}[]", Type::Vector(scalar, width)),
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
        for ty in types {
            assert_eq!(Type::from_words(ty.word(), ty.length_word()), Some(ty));
            assert_eq!(Type::from_words(ty.word() | 1 << 31, ty.length_word()), None, "{ty} with a stray bit");
        }
        assert_eq!(Type::from_words(Type::FLOAT.word(), 1), None, "a scalar has no length");
        assert_eq!(Type::from_words(Type::Array(Scalar::Float, 4, 1).word(), 0), None, "an array has elements");
    }
}

//! The types that a user may give to registers: types of constants, and formats of vertex buffers.
//!
//! Rule: two tables in this file list the names of all types that have a fixed size. A type with several names is written with
//! the first name.

use std::fmt;

use sdlbc::Type;

/// The type that a user gives to a constant or an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueType {
    /// A float (1), or a vector of two to four floats.
    Floats(u8),
    /// A matrix of floats, with one register for each column.
    Matrix {
        /// The number of columns, 2 to 4.
        columns: u8,
        /// The number of components in each column, 3 or 4.
        rows: u8,
    },
    /// An array of vec4 with this number of elements, or with one element for each register if `None`.
    Array(Option<u32>),
    /// The format of an attribute in a vertex buffer.
    Format(VertexFormat),
}

/// The names of types with a fixed size.
const TYPES: [(&str, ValueType); 19] = {
    const fn matrix(columns: u8, rows: u8) -> ValueType {
        ValueType::Matrix { columns, rows }
    }
    [
        ("float", ValueType::Floats(1)),
        ("f32", ValueType::Floats(1)),
        ("vec2", ValueType::Floats(2)),
        ("vec3", ValueType::Floats(3)),
        ("vec4", ValueType::Floats(4)),
        ("vec2f", ValueType::Floats(2)),
        ("vec3f", ValueType::Floats(3)),
        ("vec4f", ValueType::Floats(4)),
        ("mat4x4", matrix(4, 4)),
        ("mat4", matrix(4, 4)),
        ("mat3x3", matrix(3, 3)),
        ("mat3", matrix(3, 3)),
        ("mat3x4", matrix(3, 4)),
        ("mat4x3", matrix(4, 3)),
        ("mat2x3", matrix(2, 3)),
        ("mat2x4", matrix(2, 4)),
        ("mat4x4f", matrix(4, 4)),
        ("mat3x3f", matrix(3, 3)),
        ("mat3x4f", matrix(3, 4)),
    ]
};

/// The description of an expected type in error messages: all type names except WGSL's names that end in `f`.
pub(crate) const TYPE: &str = "a type: float or f32, vec2, vec3, vec4, mat4x4 or mat4, mat3x3 or mat3, mat3x4, mat4x3, mat2x3, \
                               mat2x4, vec4[N], vec4[]; for an attribute also float1, float2, float3, float4, bytes4, \
                               Float32, Float32x2, Float32x3, Float32x4, Unorm8x4, Unorm8x2, Snorm8x2, Snorm8x4, Unorm16x2, \
                               Unorm16x4, Snorm16x2, Snorm16x4, Float16x2, Float16x4";

impl ValueType {
    /// Finds a type by its name, and returns `None` for an unknown name.
    ///
    /// ```
    /// use agalc::names::{ValueType, VertexFormat};
    ///
    /// assert_eq!(ValueType::named("mat4"), Some(ValueType::Matrix { columns: 4, rows: 4 }));
    /// assert_eq!(ValueType::named("vec4[8]"), Some(ValueType::Array(Some(8))));
    /// assert_eq!(ValueType::named("bytes4"), Some(ValueType::Format(VertexFormat::Unorm8x4)));
    /// assert_eq!(ValueType::named("sampler"), None);
    /// ```
    pub fn named(name: &str) -> Option<ValueType> {
        if let Some(length) = name.strip_prefix("vec4[").and_then(|rest| rest.strip_suffix(']')) {
            let length = if length.is_empty() { None } else { Some(length.parse().ok().filter(|&length| length > 0)?) };
            return Some(ValueType::Array(length));
        }
        let known = TYPES.iter().find(|(known, _)| *known == name).map(|(_, ty)| *ty);
        known.or_else(|| VertexFormat::named(name).map(ValueType::Format))
    }

    /// Returns the number of registers that a value occupies, or `None` for an array without a length.
    pub(crate) const fn registers(self) -> Option<u32> {
        match self {
            ValueType::Floats(_) | ValueType::Format(_) => Some(1),
            ValueType::Matrix { columns, .. } => Some(columns as u32),
            ValueType::Array(length) => length,
        }
    }

    /// Returns the module's type for a constant that occupies `count` registers.
    pub(crate) fn constant(self, count: u32) -> Type {
        match self {
            ValueType::Floats(width) => Type::floats(width),
            ValueType::Format(format) => Type::floats(format.components()),
            ValueType::Matrix { columns, rows } => Type::Matrix { columns, rows },
            ValueType::Array(_) => Type::Array(sdlbc::Scalar::Float, 4, count),
        }
    }
}

/// Writes a name that [`ValueType::named`] reads, such as `vec3`, `mat3x4`, `vec4[8]` or `Float32x2`.
impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueType::Array(None) => f.write_str("vec4[]"),
            ValueType::Array(Some(length)) => write!(f, "vec4[{length}]"),
            ValueType::Format(format) => f.write_str(format.name()),
            fixed => f.write_str(TYPES.iter().find(|(_, ty)| ty == fixed).map_or("vec4", |(name, _)| name)),
        }
    }
}

macro_rules! formats {
    ($($name:ident $components:literal $bytes:literal $agal:literal;)*) => {
        /// The format of an attribute in a vertex buffer, named as in WebGPU. Only formats that a shader reads as
        /// floats are listed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum VertexFormat {
            $(#[doc = concat!("`", stringify!($name), "`, ", $bytes, " bytes.")] $name),*
        }

        impl VertexFormat {
            /// All formats, in the order of their declaration.
            pub const ALL: &[VertexFormat] = &[$(VertexFormat::$name),*];

            /// Returns the format's name in WebGPU's Rust bindings.
            pub const fn name(self) -> &'static str {
                match self { $(VertexFormat::$name => stringify!($name)),* }
            }

            /// Returns the format's name in Stage3D (`Context3DVertexBufferFormat`), or `None` if Stage3D lacks the format.
            pub fn stage3d_name(self) -> Option<&'static str> {
                Some(match self { $(VertexFormat::$name => $agal),* }).filter(|name| !name.is_empty())
            }

            /// Returns the number of components, 1 to 4. A shader reads 0, 0 and 1 for missing y, z and w components.
            pub const fn components(self) -> u8 {
                match self { $(VertexFormat::$name => $components),* }
            }

            /// Returns the format's size in bytes.
            pub const fn bytes(self) -> u32 {
                match self { $(VertexFormat::$name => $bytes),* }
            }
        }
    };
}

formats! {
    Float32   1 4  "float1";
    Float32x2 2 8  "float2";
    Float32x3 3 12 "float3";
    Float32x4 4 16 "float4";
    Unorm8x4  4 4  "bytes4";
    Unorm8x2  2 2  "";
    Snorm8x2  2 2  "";
    Snorm8x4  4 4  "";
    Unorm16x2 2 4  "";
    Unorm16x4 4 8  "";
    Snorm16x2 2 4  "";
    Snorm16x4 4 8  "";
    Float16x2 2 4  "";
    Float16x4 4 8  "";
}

impl VertexFormat {
    /// Finds a format by its WebGPU name in any case (`Float32x2`, `float32x2`) or by its Stage3D name (`float2`, `bytes4`).
    pub fn named(name: &str) -> Option<VertexFormat> {
        let is = |format: &&VertexFormat| {
            name.eq_ignore_ascii_case(format.name()) || format.stage3d_name().is_some_and(|known| known == name)
        };
        VertexFormat::ALL.iter().find(is).copied()
    }

    /// Returns the format of a vector of `width` 32-bit floats.
    pub const fn floats(width: u8) -> VertexFormat {
        match width {
            1 => VertexFormat::Float32,
            2 => VertexFormat::Float32x2,
            3 => VertexFormat::Float32x3,
            _ => VertexFormat::Float32x4,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_type_is_shown_by_a_name_that_it_has() {
        let named = TYPES.iter().map(|(name, ty)| (*name, *ty));
        let formats = VertexFormat::ALL.iter().map(|format| (format.name(), ValueType::Format(*format)));
        let arrays = [("vec4[]", ValueType::Array(None)), ("vec4[12]", ValueType::Array(Some(12)))];
        for (name, ty) in named.chain(formats).chain(arrays) {
            assert_eq!(ValueType::named(name), Some(ty), "{name}");
            assert_eq!(ValueType::named(&ty.to_string()), Some(ty), "{name}");
        }
        for name in ["", "vec5", "vec4[0]", "vec4[x]", "vec4[8", "mat4x2", "Mat4", "float5", "uint"] {
            assert_eq!(ValueType::named(name), None, "{name}");
        }
    }

    #[test]
    fn the_page_and_the_error_have_every_name_of_a_type() {
        let mut accepted: BTreeSet<String> = TYPES.iter().map(|(name, _)| name.to_string()).collect();
        for format in VertexFormat::ALL {
            accepted.extend([Some(format.name()), format.stage3d_name()].into_iter().flatten().map(str::to_string));
        }
        let page = std::fs::read_to_string(testing::repository().join("docs/names.md")).expect("the page");
        let (_, table) = page.split_once("| type | registers |\n").expect("the table of types");
        let rows = table.lines().take_while(|line| line.starts_with('|')).filter_map(|row| row.split('|').nth(1));
        let words = rows.flat_map(|cell| cell.split('`').skip(1).step_by(2));
        let listed: BTreeSet<String> = words.filter(|word| !word.starts_with("vec4[")).map(str::to_string).collect();
        assert_eq!(listed, accepted);
        let words = TYPE
            .split([' ', ',', ';', ':'])
            .filter(|word| !word.contains('[') && word.contains(|c: char| c.is_ascii_digit()));
        let named: BTreeSet<String> = words.chain(["float"]).map(str::to_string).collect();
        // The error message omits WGSL's names that end in `f`.
        accepted.retain(|name| !name.ends_with('f'));
        assert_eq!(named, accepted);
    }
}

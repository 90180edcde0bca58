//! The formats of vertex attributes: how their names are written, and which Rust type holds one.

use std::fmt;

/// The format of a vertex attribute in a vertex buffer. What it lacks of four components reads as 0, 0, 0, 1.
///
/// A shader's attributes are floats, so these are the formats that it reads as floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Two bytes, 0 to 1.
    Unorm8x2,
    /// Four bytes, 0 to 1: Stage3D's `bytes4`.
    Unorm8x4,
    /// Two bytes, -1 to 1.
    Snorm8x2,
    /// Four bytes, -1 to 1.
    Snorm8x4,
    /// Two 16-bit numbers, 0 to 1.
    Unorm16x2,
    /// Four 16-bit numbers, 0 to 1.
    Unorm16x4,
    /// Two 16-bit numbers, -1 to 1.
    Snorm16x2,
    /// Four 16-bit numbers, -1 to 1.
    Snorm16x4,
    /// Two halves.
    Float16x2,
    /// Four halves.
    Float16x4,
    /// A float: Stage3D's `float1`.
    Float32,
    /// Two floats: Stage3D's `float2`.
    Float32x2,
    /// Three floats: Stage3D's `float3`.
    Float32x3,
    /// Four floats: Stage3D's `float4`.
    Float32x4,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 14] = [
        Format::Unorm8x2,
        Format::Unorm8x4,
        Format::Snorm8x2,
        Format::Snorm8x4,
        Format::Unorm16x2,
        Format::Unorm16x4,
        Format::Snorm16x2,
        Format::Snorm16x4,
        Format::Float16x2,
        Format::Float16x4,
        Format::Float32,
        Format::Float32x2,
        Format::Float32x3,
        Format::Float32x4,
    ];

    /// The format with that name, WebGPU's or Stage3D's.
    pub fn named(name: &str) -> Option<Format> {
        let stage3d = match name {
            "float1" => Some(Format::Float32),
            "float2" => Some(Format::Float32x2),
            "float3" => Some(Format::Float32x3),
            "float4" => Some(Format::Float32x4),
            "bytes4" => Some(Format::Unorm8x4),
            _ => None,
        };
        stage3d.or_else(|| Format::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name)))
    }

    /// The format of this many floats, 1 to 4.
    pub(crate) fn floats(width: u8) -> Format {
        match width {
            1 => Format::Float32,
            2 => Format::Float32x2,
            3 => Format::Float32x3,
            _ => Format::Float32x4,
        }
    }

    /// WebGPU's name, as wgpu spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Unorm8x2 => "Unorm8x2",
            Format::Unorm8x4 => "Unorm8x4",
            Format::Snorm8x2 => "Snorm8x2",
            Format::Snorm8x4 => "Snorm8x4",
            Format::Unorm16x2 => "Unorm16x2",
            Format::Unorm16x4 => "Unorm16x4",
            Format::Snorm16x2 => "Snorm16x2",
            Format::Snorm16x4 => "Snorm16x4",
            Format::Float16x2 => "Float16x2",
            Format::Float16x4 => "Float16x4",
            Format::Float32 => "Float32",
            Format::Float32x2 => "Float32x2",
            Format::Float32x3 => "Float32x3",
            Format::Float32x4 => "Float32x4",
        }
    }

    /// The number of components.
    pub const fn components(self) -> u8 {
        match self {
            Format::Float32 => 1,
            Format::Float32x3 => 3,
            Format::Unorm8x4
            | Format::Snorm8x4
            | Format::Unorm16x4
            | Format::Snorm16x4
            | Format::Float16x4
            | Format::Float32x4 => 4,
            _ => 2,
        }
    }

    /// The Rust type of a component, and its bytes.
    const fn component(self) -> (&'static str, u32) {
        match self {
            Format::Unorm8x2 | Format::Unorm8x4 => ("u8", 1),
            Format::Snorm8x2 | Format::Snorm8x4 => ("i8", 1),
            Format::Unorm16x2 | Format::Unorm16x4 => ("u16", 2),
            Format::Snorm16x2 | Format::Snorm16x4 => ("i16", 2),
            // The bits of a half, since Rust has no stable type for it.
            Format::Float16x2 | Format::Float16x4 => ("u16", 2),
            _ => ("f32", 4),
        }
    }

    /// The Rust type that holds an attribute.
    pub(crate) fn rust(self) -> String {
        match (self.component().0, self.components()) {
            (component, 1) => component.to_string(),
            (component, count) => format!("[{component}; {count}]"),
        }
    }

    /// The bytes of an attribute.
    pub(crate) const fn size(self) -> u32 {
        self.component().1 * self.components() as u32
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_found_by_its_name_and_its_size_is_in_it() {
        for format in Format::ALL {
            assert_eq!(Format::named(format.name()), Some(format));
            let (kind, count) = format.name().split_once('x').unwrap_or((format.name(), "1"));
            let bits: u32 = kind.trim_start_matches(char::is_alphabetic).parse().expect("bits");
            let count: u32 = count.parse().expect("a count");
            assert_eq!((u32::from(format.components()), format.size()), (count, bits / 8 * count), "{format}");
        }
        assert_eq!(["float2", "bytes4", "unorm8x4", "Uint8x4"].map(Format::named), {
            [Some(Format::Float32x2), Some(Format::Unorm8x4), Some(Format::Unorm8x4), None]
        });
    }
}

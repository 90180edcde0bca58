//! One-line descriptions of opcodes and sampler options for editors, based on Adobe's published description of AGAL.

use agal_front::opcode::{Opcode, Operand};

/// Describes an opcode's operation on the destination `d` and the sources `a` and `b`.
pub(crate) const fn meaning(op: Opcode) -> &'static str {
    match op {
        Opcode::Mov => "d = a",
        Opcode::Add => "d = a + b, by component",
        Opcode::Sub => "d = a - b, by component",
        Opcode::Mul => "d = a * b, by component",
        Opcode::Div => "d = a / b, by component",
        Opcode::Rcp => "d = 1 / a, by component",
        Opcode::Min => "d = the smaller of a and b, by component",
        Opcode::Max => "d = the larger of a and b, by component",
        Opcode::Frc => "d = a - floor(a), by component",
        Opcode::Sqt => "d = the square root of a, by component",
        Opcode::Rsq => "d = 1 / the square root of a, by component",
        Opcode::Pow => "d = a to the power of b, by component",
        Opcode::Log => "d = the logarithm of a to base 2, by component",
        Opcode::Exp => "d = 2 to the power of a, by component",
        Opcode::Nrm => "d.xyz = a.xyz scaled to length 1",
        Opcode::Sin => "d = the sine of a, in radians, by component",
        Opcode::Cos => "d = the cosine of a, in radians, by component",
        Opcode::Crs => "d.xyz = the cross product of a.xyz and b.xyz",
        Opcode::Dp3 => "d = a.x*b.x + a.y*b.y + a.z*b.z, in every written component",
        Opcode::Dp4 => "d = a.x*b.x + a.y*b.y + a.z*b.z + a.w*b.w, in every written component",
        Opcode::Abs => "d = the absolute value of a, by component",
        Opcode::Neg => "d = -a, by component",
        Opcode::Sat => "d = a clamped to 0..1, by component",
        Opcode::M33 => "d.xyz = the 3x3 matrix in the registers from b on, times a.xyz",
        Opcode::M44 => "d = the 4x4 matrix in the registers from b on, times a",
        Opcode::M34 => "d.xyz = the 3x4 matrix in the registers from b on, times a",
        Opcode::Ddx => "d = the derivative of a along x on the screen",
        Opcode::Ddy => "d = the derivative of a along y on the screen",
        Opcode::Ife => "the lines up to `els` or `eif` run if a == b",
        Opcode::Ine => "the lines up to `els` or `eif` run if a != b",
        Opcode::Ifg => "the lines up to `els` or `eif` run if a >= b",
        Opcode::Ifl => "the lines up to `els` or `eif` run if a < b",
        Opcode::Els => "the lines up to `eif` run if the condition is false",
        Opcode::Eif => "ends a conditional",
        Opcode::Ted => "d = the texel at coordinate a, at a level of detail taken from a component of a",
        Opcode::Kil => "discards the fragment if a < 0",
        Opcode::Tex => "d = the texel at coordinate a",
        Opcode::Sge => "d = 1 where a >= b, and 0 elsewhere, by component",
        Opcode::Slt => "d = 1 where a < b, and 0 elsewhere, by component",
        Opcode::Sgn => "d = 1, 0 or -1: the sign of a, by component",
        Opcode::Seq => "d = 1 where a == b, and 0 elsewhere, by component",
        Opcode::Sne => "d = 1 where a != b, and 0 elsewhere, by component",
        Opcode::Tld => "d = the texel at coordinate a, in a vertex program",
    }
}

/// Returns the syntax of an instruction with the given opcode.
pub(crate) fn usage(op: Opcode) -> String {
    let row = op.row();
    let mut names = ["a", "b"].into_iter();
    let sources = row.sources.iter().filter_map(|operand| match operand {
        Operand::None => None,
        Operand::Sampler => Some("sampler <options>"),
        _ => names.next(),
    });
    let operands: Vec<&str> = row.destination.then_some("d").into_iter().chain(sources).collect();
    format!("{} {}", row.mnemonic, operands.join(", ")).trim_end().to_string()
}

/// Describes a word in a sampler's options.
pub(crate) fn option(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "2d" => "a two-dimensional texture",
        "cube" => "a cube texture, sampled with a coordinate of three components",
        "3d" => "a three-dimensional texture, which no player supports",
        "nearest" => "uses the nearest texel",
        "linear" => "interpolates between texels",
        "anisotropic2x" => "anisotropic filtering with up to 2 samples",
        "anisotropic4x" => "anisotropic filtering with up to 4 samples",
        "anisotropic8x" => "anisotropic filtering with up to 8 samples",
        "anisotropic16x" => "anisotropic filtering with up to 16 samples",
        "mipnone" | "nomip" => "uses only mip level 0",
        "mipnearest" => "uses the nearest level",
        "miplinear" => "interpolates between levels",
        "clamp" => "coordinates outside 0..1 use the texel at the edge",
        "repeat" | "wrap" => "coordinates outside 0..1 wrap around",
        "clamp_u_repeat_v" => "clamps the first coordinate and repeats the second",
        "repeat_u_clamp_v" => "repeats the first coordinate and clamps the second",
        "rgba" => "a texture that is not compressed",
        "dxt1" | "compressed" => "a compressed texture without alpha",
        "dxt5" | "compressedalpha" => "a compressed texture with alpha",
        "video" => "a video texture",
        "centroid" => "samples at the centroid",
        "single" => "single texels, without filtering",
        "ignoresampler" => "uses the state that `setSamplerStateAt` sets, and not these options",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_options_have_a_meaning() {
        for word in agal_front::assemble::option_words() {
            assert!(option(word).is_some(), "{word}");
        }
    }

    #[test]
    fn meanings_name_the_operands_of_their_operations() {
        for &op in Opcode::ALL {
            let (row, text) = (op.row(), meaning(op));
            assert_eq!(text.starts_with('d') && !text.starts_with("discards"), row.destination, "{}", row.mnemonic);
        }
        assert_eq!(usage(Opcode::Tex), "tex d, a, sampler <options>");
        assert_eq!(usage(Opcode::Eif), "eif");
    }
}

//! OpenGL's plain uniforms, which the application sets one by one.
//!
//! Rule: OpenGL reports the names and types of a program's uniforms. The name of a uniform, such as `transform`, `transform.clip`
//! or `transform.vc5`, determines which of the module's constants the uniform contains (docs/layouts.md, docs/names.md).

use backends::{Glsl, Layout};
use glow::HasContext;
use sdlbc::{FunctionKind, Module};

use super::gl_stage::Stage;
use super::interface::Interface;
use super::named::member_offset;
use crate::Failure;

/// A plain uniform of a linked program.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    /// The index of the module's uniform in the interface.
    pub(super) uniform: usize,
    location: glow::UniformLocation,
    /// The offset, in words, of the plain uniform's contents within the module's uniform.
    offset: usize,
    shape: Shape,
    /// The number of array elements, or 1 if the uniform is not an array.
    count: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Floats(usize),
    Ints(usize),
    Uints(usize),
    Matrix { columns: usize, rows: usize },
}

impl Shape {
    fn of(ty: u32) -> Option<Shape> {
        let matrix = |columns, rows| Shape::Matrix { columns, rows };
        Some(match ty {
            glow::FLOAT => Shape::Floats(1),
            glow::FLOAT_VEC2 => Shape::Floats(2),
            glow::FLOAT_VEC3 => Shape::Floats(3),
            glow::FLOAT_VEC4 => Shape::Floats(4),
            glow::INT => Shape::Ints(1),
            glow::INT_VEC2 => Shape::Ints(2),
            glow::INT_VEC3 => Shape::Ints(3),
            glow::INT_VEC4 => Shape::Ints(4),
            glow::UNSIGNED_INT | glow::BOOL => Shape::Uints(1),
            glow::UNSIGNED_INT_VEC2 | glow::BOOL_VEC2 => Shape::Uints(2),
            glow::UNSIGNED_INT_VEC3 | glow::BOOL_VEC3 => Shape::Uints(3),
            glow::UNSIGNED_INT_VEC4 | glow::BOOL_VEC4 => Shape::Uints(4),
            glow::FLOAT_MAT2 => matrix(2, 2),
            glow::FLOAT_MAT2x3 => matrix(2, 3),
            glow::FLOAT_MAT2x4 => matrix(2, 4),
            glow::FLOAT_MAT3x2 => matrix(3, 2),
            glow::FLOAT_MAT3 => matrix(3, 3),
            glow::FLOAT_MAT3x4 => matrix(3, 4),
            glow::FLOAT_MAT4x2 => matrix(4, 2),
            glow::FLOAT_MAT4x3 => matrix(4, 3),
            glow::FLOAT_MAT4 => matrix(4, 4),
            _ => return None,
        })
    }

    fn vectors(self) -> (usize, usize) {
        match self {
            Shape::Floats(width) | Shape::Ints(width) | Shape::Uints(width) => (1, width),
            Shape::Matrix { columns, rows } => (columns, rows),
        }
    }
}

impl Plain {
    /// Sets the uniform from `words`, the contents of the module's uniform, in which every vector occupies four words.
    ///
    /// # Safety
    /// The context must be current, and the program must be in use.
    pub(super) unsafe fn set(&self, gl: &glow::Context, words: &[u32]) {
        let (vectors, width) = self.shape.vectors();
        let word = |at: usize| words.get(self.offset + at).copied().unwrap_or(0);
        let tight = (0..self.count * vectors).flat_map(|vector| (0..width).map(move |at| 4 * vector + at));
        let tight: Vec<u32> = tight.map(word).collect();
        let floats: Vec<f32> = tight.iter().map(|&bits| f32::from_bits(bits)).collect();
        let ints: Vec<i32> = tight.iter().map(|bits| bits.cast_signed()).collect();
        let at = Some(&self.location);
        // SAFETY: the caller guarantees that the context is current, and each slice has the length that the uniform's type
        // requires.
        unsafe {
            match self.shape {
                Shape::Floats(1) => gl.uniform_1_f32_slice(at, &floats),
                Shape::Floats(2) => gl.uniform_2_f32_slice(at, &floats),
                Shape::Floats(3) => gl.uniform_3_f32_slice(at, &floats),
                Shape::Floats(_) => gl.uniform_4_f32_slice(at, &floats),
                Shape::Ints(1) => gl.uniform_1_i32_slice(at, &ints),
                Shape::Ints(2) => gl.uniform_2_i32_slice(at, &ints),
                Shape::Ints(3) => gl.uniform_3_i32_slice(at, &ints),
                Shape::Ints(_) => gl.uniform_4_i32_slice(at, &ints),
                Shape::Uints(1) => gl.uniform_1_u32_slice(at, &tight),
                Shape::Uints(2) => gl.uniform_2_u32_slice(at, &tight),
                Shape::Uints(3) => gl.uniform_3_u32_slice(at, &tight),
                Shape::Uints(_) => gl.uniform_4_u32_slice(at, &tight),
                Shape::Matrix { columns, rows } => match (columns, rows) {
                    (2, 2) => gl.uniform_matrix_2_f32_slice(at, false, &floats),
                    (2, 3) => gl.uniform_matrix_2x3_f32_slice(at, false, &floats),
                    (2, _) => gl.uniform_matrix_2x4_f32_slice(at, false, &floats),
                    (3, 2) => gl.uniform_matrix_3x2_f32_slice(at, false, &floats),
                    (3, 3) => gl.uniform_matrix_3_f32_slice(at, false, &floats),
                    (3, _) => gl.uniform_matrix_3x4_f32_slice(at, false, &floats),
                    (_, 2) => gl.uniform_matrix_4x2_f32_slice(at, false, &floats),
                    (_, 3) => gl.uniform_matrix_4x3_f32_slice(at, false, &floats),
                    _ => gl.uniform_matrix_4_f32_slice(at, false, &floats),
                },
            }
        }
    }
}

/// Translates a stage of a named module to GLSL ES 3.00.
pub(super) fn stage(named: &Module, interface: &Interface, kind: FunctionKind) -> Result<Stage, Failure> {
    let layout = Layout { flip_y: Some(true), ..Layout::named("webgl2").unwrap_or_default() };
    let text = backends::glsl(named, kind, Glsl::Es300, &layout).map_err(Failure::from)?;
    // Each slot's uniform buffer becomes a uniform block.
    let of = if kind == FunctionKind::Vertex { "Vertex" } else { "Fragment" };
    let slots = interface.uniforms.iter().filter(|uniform| uniform.stage == kind && !uniform.held.is_empty());
    let blocks = slots.map(|uniform| (uniform.binding(), format!("{of}Uniforms{}", uniform.index))).collect();
    Ok(Stage { text, blocks, ..Stage::default() })
}

/// Finds the program's uniforms, and sets each sampler uniform to its texture's position in the interface.
///
/// # Safety
/// The context must be current, and the program must be in use.
pub(super) unsafe fn find(
    gl: &glow::Context,
    program: glow::Program,
    named: &Module,
    interface: &Interface,
) -> Result<Vec<Plain>, String> {
    let names = Interface::new(named).map_err(|error| format!("{error:?}"))?.uniforms;
    let mut all = Vec::new();
    // SAFETY: the caller guarantees that the context is current and the program is in use.
    unsafe {
        for number in 0..gl.get_active_uniforms(program) {
            let Some(active) = gl.get_active_uniform(program, number) else { continue };
            // Some drivers list the instance index, which has no location, among the uniforms.
            let Some(location) = gl.get_uniform_location(program, &active.name) else { continue };
            let name = active.name.strip_suffix("[0]").unwrap_or(&active.name);
            if let Some(unit) = unit(name, interface) {
                gl.uniform_1_i32(Some(&location), unit as i32);
                continue;
            }
            let (variable, member) = name.split_once('.').map_or((name, None), |(of, member)| (of, Some(member)));
            let of = names.iter().enumerate().find(|(_, uniform)| uniform.name == variable);
            let unknown = || format!("the program has a uniform `{name}`, which the module does not have");
            let (uniform, declared) = of.ok_or_else(unknown)?;
            let offset = match member {
                None => 0,
                Some(member) => member_offset(named, declared.stage, variable, member).ok_or_else(unknown)?,
            };
            let shape = Shape::of(active.utype).ok_or_else(|| format!("`{name}` has type 0x{:x}", active.utype))?;
            all.push(Plain { uniform, location, offset, shape, count: active.size.max(1) as usize });
        }
    }
    Ok(all)
}

/// Returns the position in `interface.textures` of the texture with this name.
fn unit(name: &str, interface: &Interface) -> Option<usize> {
    let (stage, slot) = name.strip_suffix("_map")?.split_once('_')?;
    let slot = slot.parse::<u32>().ok()?;
    interface.textures.iter().position(|texture| {
        let of_stage = match texture.stage {
            FunctionKind::Vertex => "vertex",
            _ => "fragment",
        };
        texture.slot == slot && (stage == of_stage || stage == "shared")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_of_every_type_have_their_own_words() {
        assert_eq!(Shape::of(glow::FLOAT_MAT3x4), Some(Shape::Matrix { columns: 3, rows: 4 }));
        assert_eq!(Shape::of(glow::FLOAT_MAT3x4).map(Shape::vectors), Some((3, 4)));
        assert_eq!(Shape::of(glow::BOOL_VEC2), Some(Shape::Uints(2)));
        assert_eq!(Shape::of(glow::SAMPLER_2D), None);
    }
}

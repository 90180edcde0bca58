//! A picture as the page is told of it: a description in JSON and the bytes that it points into; and the picture that comes back.
//!
//! Rule: everything that is bound is said from the module's inputs and the documented bindings (docs/agalc.md, "Bindings"),
//! not from the text that is drawn.

use std::collections::BTreeSet;

use interp::{Cull, DepthTest, Draw, Image, Level, Topology};
use sdlbc::{Dimension, Function, FunctionKind, InputKind, OutputKind, Sampler, Scalar, Type};
use serde_json::{Value, json};

use crate::Failure;

/// First bindings of what there is more than one of: textures of the fragment and of the vertex stage, further uniforms.
const FRAGMENT_TEXTURES: u32 = 2;
const VERTEX_TEXTURES: u32 = 130;
const FURTHER_UNIFORMS: u32 = 258;

/// The bytes that a description points into.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    /// Adds some, at a multiple of 4, and says where.
    fn add(&mut self, bytes: &[u8]) -> Value {
        self.0.resize(self.0.len().next_multiple_of(4), 0);
        let offset = self.0.len();
        self.0.extend_from_slice(bytes);
        json!([offset, bytes.len()])
    }

    fn add_words(&mut self, words: impl IntoIterator<Item = u32>) -> Value {
        let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
        self.add(&bytes)
    }
}

/// The job of a picture that this WGSL draws.
pub(super) fn job(number: u64, draw: &Draw, wgsl: &str) -> Result<Vec<u8>, Failure> {
    let stage = |kind| draw.module.functions.iter().find(|function| function.kind == kind);
    let (Some(vertex), Some(fragment)) = (stage(FunctionKind::Vertex), stage(FunctionKind::Fragment)) else {
        return Err(Failure::Unsupported("a picture without a vertex or a fragment function".to_string()));
    };
    let mut bytes = Bytes::default();
    let bindings = bindings(draw, &mut bytes)?;
    let (attributes, stride, vertices) = vertices(draw, vertex, &mut bytes)?;
    let locations = |kind: &OutputKind| match *kind {
        OutputKind::Varying { location, .. } => Some(location),
        _ => None,
    };
    let varyings: Vec<u32> = vertex.outputs.iter().filter_map(|output| locations(&output.kind)).collect();
    let colours: BTreeSet<u32> = (fragment.outputs.iter())
        .filter_map(|output| if let OutputKind::Colour { target } = output.kind { Some(target) } else { None })
        .collect();
    let description = json!({
        "number": number,
        "wgsl": wgsl,
        "halves": wgsl.contains("enable f16;"),
        "width": draw.width,
        "height": draw.height,
        "targets": draw.targets,
        "written": (0..4).take(draw.targets).map(|target| colours.contains(&target)).collect::<Vec<_>>(),
        "clear": draw.clear,
        "depth": depth(draw, fragment),
        "cull": match draw.cull {
            Cull::None => "none",
            Cull::Back => "back",
            Cull::Front => "front",
        },
        "topology": match draw.topology {
            Topology::Triangles => "triangle-list",
            Topology::Points => "point-list",
        },
        "instances": draw.instances,
        "bindings": bindings,
        "attributes": attributes,
        "varyings": varyings,
        "stride": stride,
        "vertices": vertices,
        "indices": bytes.add_words(draw.indices.iter().copied()),
        "count": draw.indices.len(),
    });
    let description = description.to_string().into_bytes();
    let length = u32::try_from(description.len()).map_err(|_| Failure::Broken("too much of a program".to_string()))?;
    let mut job = length.to_le_bytes().to_vec();
    job.extend(description);
    job.resize(job.len().next_multiple_of(4), 0);
    job.extend(bytes.0);
    Ok(job)
}

/// The depth buffer. A fragment function that gives a depth needs one even where the picture has none.
fn depth(draw: &Draw, fragment: &Function) -> Value {
    let compare = match draw.depth {
        Some(DepthTest::Always) => "always",
        Some(DepthTest::Less) => "less",
        Some(DepthTest::LessEqual) => "less-equal",
        None if fragment.outputs.iter().any(|output| output.kind == OutputKind::Depth) => "always",
        None => return Value::Null,
    };
    json!({ "compare": compare, "write": draw.depth.is_some(), "wanted": draw.depth.is_some() })
}

/// The attributes that the vertex function reads, beside each other in one buffer: what they are, the bytes of a vertex, and
/// where the vertices are. What is missing is zero.
fn vertices(draw: &Draw, vertex: &Function, bytes: &mut Bytes) -> Result<(Vec<Value>, usize, Value), Failure> {
    let highest = draw.indices.iter().max().map_or(0, |&index| index as usize + 1);
    let mut described = Vec::new();
    let mut columns = Vec::new();
    for input in &vertex.inputs {
        let InputKind::Attribute { location } = input.kind else { continue };
        let format = match input.ty {
            Type::Vector(Scalar::Float | Scalar::Half, _) => "float32x4",
            Type::Vector(Scalar::Int, _) => "sint32x4",
            Type::Vector(Scalar::Uint, _) => "uint32x4",
            ty => return Err(Failure::Unsupported(format!("an attribute of type {ty}"))),
        };
        described.push(json!({ "location": location, "format": format, "offset": 16 * columns.len() }));
        columns.push(draw.attributes.get(&location));
    }
    let mut words = Vec::with_capacity(highest * columns.len() * 4);
    for vertex in 0..highest {
        for column in &columns {
            words.extend(column.and_then(|column| column.get(vertex)).copied().unwrap_or_default());
        }
    }
    let at = bytes.add_words(words);
    let stride = 16 * described.len();
    Ok((described, stride, at))
}

/// Everything that is bound, in the order in which bindings are given: function by function, a stage's own inputs in front of
/// those of the functions that it calls, each resource once.
fn bindings(draw: &Draw, bytes: &mut Bytes) -> Result<Vec<Value>, Failure> {
    let mut bound = Vec::new();
    for (index, entry) in draw.module.functions.iter().enumerate() {
        let kind = entry.kind;
        let (stage, first_texture, odd) = match kind {
            FunctionKind::Vertex => ("VERTEX", VERTEX_TEXTURES, 0),
            FunctionKind::Fragment => ("FRAGMENT", FRAGMENT_TEXTURES, 1),
            FunctionKind::Generic => continue,
        };
        let mut slots = BTreeSet::new();
        let mut names = BTreeSet::new();
        let mut uniforms = 0;
        let callees = sdlbc::call_order(&draw.module, index);
        let callees = callees.into_iter().filter_map(|callee| draw.module.functions.get(callee));
        for input in std::iter::once(entry).chain(callees).flat_map(|function| &function.inputs) {
            match input.kind {
                InputKind::Texture { slot, sampler } if slots.insert(slot) => {
                    let levels = draw.resources.textures.get(&(kind, slot)).map(|texture| texture.levels.as_slice());
                    bound.push(json!({
                        "binding": first_texture + 2 * slot,
                        "stage": stage,
                        "dimension": dimension(input.ty),
                        "levels": self::levels(levels, input.ty, bytes),
                        "sampler": state(sampler),
                    }));
                }
                // A uniform without a name is its function's own.
                InputKind::Uniform if input.name.is_empty() || names.insert(&input.name) => {
                    let binding = if uniforms == 0 { odd } else { FURTHER_UNIFORMS + odd + 2 * (uniforms - 1) };
                    uniforms += 1;
                    let values =
                        draw.resources.uniforms.get(&(kind, input.name.clone())).map_or(&[][..], Vec::as_slice);
                    let words = uniform(input.ty, values)?;
                    bound.push(json!({ "binding": binding, "stage": stage, "uniform": bytes.add_words(words) }));
                }
                _ => {}
            }
        }
    }
    Ok(bound)
}

/// The words of a uniform as WGSL lays it out, from those that are tightly packed.
fn uniform(ty: Type, values: &[u32]) -> Result<Vec<u32>, Failure> {
    let (elements, width, stride) = match ty {
        Type::Vector(Scalar::Half, _) | Type::Array(Scalar::Half, ..) => {
            return Err(Failure::Unsupported("a uniform of halves".to_string()));
        }
        Type::Vector(_, width) => (1, width, 4),
        Type::Matrix { columns, rows: 2 } => (u32::from(columns), 2, 2),
        Type::Matrix { columns, rows } => (u32::from(columns), rows, 4),
        Type::Array(_, width, length) => (length, width, 4),
        Type::Texture(_) => return Err(Failure::Broken(format!("a uniform of type {ty}"))),
    };
    let mut words = Vec::new();
    let mut values = values.iter().copied();
    for _ in 0..elements {
        words.extend((0..width).map(|_| values.next().unwrap_or(0)));
        words.resize(words.len().next_multiple_of(stride), 0);
    }
    words.resize(words.len().next_multiple_of(4), 0);
    Ok(words)
}

fn dimension(ty: Type) -> &'static str {
    match ty {
        Type::Texture(Dimension::Cube) => "cube",
        Type::Texture(Dimension::D3) => "3d",
        _ => "2d",
    }
}

/// The levels of a texture, or the one zero texel of each face where there is none.
fn levels(levels: Option<&[Level]>, ty: Type, bytes: &mut Bytes) -> Vec<Value> {
    let depth = if ty == Type::Texture(Dimension::Cube) { 6 } else { 1 };
    let none = [Level { width: 1, height: 1, depth, texels: vec![[0; 4]; depth as usize] }];
    let levels = levels.filter(|levels| !levels.is_empty()).unwrap_or(&none);
    let described = levels.iter().map(|level| {
        let texels = bytes.add(level.texels.as_flattened());
        json!({ "width": level.width, "height": level.height, "depth": level.depth, "texels": texels })
    });
    described.collect()
}

/// Anisotropic filters are plain linear here; the bias is in the code.
fn state(sampler: Sampler) -> Value {
    json!({
        "linear": sampler.filter > 0,
        "mip": sampler.mip,
        "repeatU": sampler.wrap_u == 1,
        "repeatV": sampler.wrap_v == 1,
    })
}

/// The picture of an answer's bytes.
pub(super) fn image(draw: &Draw, bytes: &[u8]) -> Result<Image, Failure> {
    let pixels = draw.width as usize * draw.height as usize;
    let floats: Vec<f32> = bytes.as_chunks().0.iter().map(|&word| f32::from_bits(u32::from_le_bytes(word))).collect();
    let (colours, depth) = floats.split_at_checked(pixels * 4 * draw.targets).unwrap_or_default();
    let expected = if draw.depth.is_some() { pixels } else { 0 };
    if depth.len() != expected || colours.len() != pixels * 4 * draw.targets {
        return Err(Failure::Broken(format!("the page has answered {} bytes", bytes.len())));
    }
    let colours = colours.as_chunks().0;
    Ok(Image {
        width: draw.width,
        height: draw.height,
        targets: (0..draw.targets).map(|target| colours[target * pixels..][..pixels].to_vec()).collect(),
        depth: draw.depth.map(|_| depth.to_vec()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniforms_are_laid_out_as_wgsl_has_them() {
        let words = |ty, count: u32| uniform(ty, &(1..=count).collect::<Vec<_>>()).expect("a layout");
        assert_eq!(words(Type::floats(3), 3), [1, 2, 3, 0]);
        assert_eq!(words(Type::Array(Scalar::Int, 2, 2), 4), [1, 2, 0, 0, 3, 4, 0, 0]);
        assert_eq!(words(Type::Matrix { columns: 2, rows: 3 }, 6), [1, 2, 3, 0, 4, 5, 6, 0]);
        assert_eq!(words(Type::Matrix { columns: 3, rows: 2 }, 6), [1, 2, 3, 4, 5, 6, 0, 0]);
        assert_eq!(words(Type::FLOAT4, 1), [1, 0, 0, 0], "what is missing is zero");
        assert_eq!(words(Type::FLOAT, 9), [1, 0, 0, 0], "what is too much is left out");
    }
}

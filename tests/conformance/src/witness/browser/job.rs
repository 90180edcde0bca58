//! The jobs for the page, and the page's answers. A job is a picture or a dispatch, encoded as a JSON description and the bytes
//! to which the description refers.

use sdlbc::{FunctionKind, OutputKind, Sampler, Scalar, Texel};
use sdlbc_interp::{Cull, DepthTest, Draw, Image, Resources, Texture, Topology};
use serde_json::{Value, json};

use super::super::interface::{self, ATTRIBUTE, Attribute, Interface, TwoRows, uniform_words, vertex_words};
use super::super::texels;
use super::super::textures::{black, check_texture, depths};
use super::bytes::Bytes;
use crate::Failure;
use crate::dispatch::{Dispatch, Memory, given};

pub(super) fn job(number: u64, draw: &Draw, wgsl: &str) -> Result<Vec<u8>, Failure> {
    interface::check(draw)?;
    let interface = Interface::new(&draw.module)?;
    let mut bytes = Bytes::default();
    let varyings: Vec<u32> = (draw.module.functions.iter())
        .flat_map(|function| &function.outputs)
        .filter_map(|output| match output.kind {
            OutputKind::Varying { location, .. } => Some(location),
            _ => None,
        })
        .collect();
    let description = json!({
        "number": number,
        "wgsl": wgsl,
        "halves": interface.halves,
        "clipDistances": interface.clip_distances,
        "width": draw.width,
        "height": draw.height,
        "targets": draw.targets,
        "written": (0..draw.targets as u32).map(|target| interface.written.contains(&target)).collect::<Vec<_>>(),
        "clears": (0..draw.targets).map(|target| interface::clear(draw, target)).collect::<Vec<_>>(),
        "formats": interface::scalars(draw).into_iter().map(format).collect::<Vec<_>>(),
        "depth": depth(draw, &interface),
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
        "bindings": bindings(&draw.resources, &interface, &mut bytes)?,
        "attributes": attributes(&interface.attributes)?,
        "varyings": varyings,
        "stride": ATTRIBUTE * interface.attributes.len(),
        "vertices": bytes.add_words(&vertex_words(draw, &interface).0),
        "indices": bytes.add_words(&draw.indices),
        "count": draw.indices.len(),
    });
    bytes.job(&description).map_err(Failure::Broken)
}

/// Returns the format of a target with the given component type.
fn format(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Int => "rgba32sint",
        Scalar::Uint => "rgba32uint",
        _ => "rgba32float",
    }
}

pub(super) fn dispatch(number: u64, dispatch: &Dispatch, wgsl: &str) -> Result<Vec<u8>, Failure> {
    let interface = Interface::of_compute(&dispatch.module)?;
    let mut bytes = Bytes::default();
    let description = json!({
        "number": number,
        "wgsl": wgsl,
        "halves": interface.halves,
        "workgroups": dispatch.workgroups,
        "bindings": bindings(&dispatch.resources, &interface, &mut bytes)?,
    });
    bytes.job(&description).map_err(Failure::Broken)
}

/// Describes the depth buffer. A fragment function that writes a depth needs a depth buffer even without a depth test.
fn depth(draw: &Draw, interface: &Interface) -> Value {
    let compare = match draw.depth {
        Some(DepthTest::Less) => "less",
        Some(DepthTest::LessEqual) => "less-equal",
        Some(DepthTest::Always) => "always",
        None if interface.depth => "always",
        None => return Value::Null,
    };
    json!({ "compare": compare, "write": draw.depth.is_some(), "wanted": draw.depth.is_some() })
}

/// Describes the attributes that the vertex function reads, which are interleaved in one buffer.
fn attributes(attributes: &[Attribute]) -> Result<Vec<Value>, Failure> {
    let described = attributes.iter().enumerate().map(|(number, attribute)| {
        let format = match attribute.scalar {
            Scalar::Float | Scalar::Half => "float32x4",
            Scalar::Int => "sint32x4",
            Scalar::Uint => "uint32x4",
            Scalar::Bool => return Err(Failure::Unsupported("an attribute of bools".to_string())),
        };
        Ok(json!({ "location": attribute.location, "format": format, "offset": ATTRIBUTE * number }))
    });
    described.collect()
}

fn bindings(resources: &Resources, interface: &Interface, bytes: &mut Bytes) -> Result<Vec<Value>, Failure> {
    let stage = |kind| match kind {
        FunctionKind::Vertex => "VERTEX",
        FunctionKind::Compute => "COMPUTE",
        _ => "FRAGMENT",
    };
    let mut bound = Vec::new();
    for uniform in &interface.uniforms {
        let words = uniform_words(uniform, resources, TwoRows::Tight);
        let at = bytes.add_words(&words);
        bound.push(json!({ "binding": uniform.binding(), "stage": stage(uniform.stage), "uniform": at }));
    }
    for sampled in &interface.textures {
        let given = resources.textures.get(&(sampled.stage, sampled.slot));
        let none = black(sampled.dimension);
        let texture = given.unwrap_or(&none);
        check_texture(texture)?;
        bound.push(json!({
            "binding": sampled.binding(),
            "stage": stage(sampled.stage),
            "dimension": sampled.dimension.view_name(),
            "texel": match sampled.texel {
                Texel::Float => "float",
                Texel::Int => "sint",
                Texel::Uint => "uint",
                Texel::Depth => "depth",
            },
            "levels": levels(texture, sampled.texel, bytes),
            "sampler": state(sampled.sampler, sampled.texel),
        }));
    }
    for storage in &interface.buffers {
        let at = bytes.add_words(&given(resources, storage.slot));
        let stage = stage(FunctionKind::Compute);
        bound.push(json!({ "binding": storage.binding(), "stage": stage, "storage": at, "written": storage.written }));
    }
    for image in &interface.images {
        let given = image.given(resources)?;
        bound.push(json!({
            "binding": image.binding(),
            "stage": stage(FunctionKind::Compute),
            "image": bytes.add(&texels::packed(given)),
            "format": image.format.name(),
            "texel": texels::size(image.format),
            "size": given.size(),
            "dimension": image.dimension.view_name(),
            "written": image.written,
        }));
    }
    Ok(bound)
}

fn levels(texture: &Texture, texel: Texel, bytes: &mut Bytes) -> Vec<Value> {
    let described = texture.levels.iter().map(|level| {
        let texels = match texel {
            Texel::Depth => bytes.add(depths(level).as_flattened()),
            _ => bytes.add(level.texels.as_flattened()),
        };
        json!({ "width": level.width, "height": level.height, "depth": level.depth, "texels": texels })
    });
    described.collect()
}

/// Describes a sampler. Anisotropic filters become plain linear filters, and the shader's code applies the bias.
fn state(sampler: Sampler, texel: Texel) -> Value {
    // WebGPU cannot filter textures of ints.
    let filters = !matches!(texel, Texel::Int | Texel::Uint);
    json!({
        "linear": sampler.filter > 0 && filters,
        "mip": if filters { sampler.mip } else { sampler.mip.min(1) },
        "compares": texel == Texel::Depth,
        "repeatU": sampler.wrap_u == 1,
        "repeatV": sampler.wrap_v == 1,
    })
}

/// Decodes an answer's bytes into the storage buffers and the storage textures, which are in the order of their bindings.
pub(super) fn memory(dispatch: &Dispatch, bytes: &[u8]) -> Result<Memory, Failure> {
    let interface = Interface::of_compute(&dispatch.module)?;
    let few = || Failure::Broken(format!("the page returned {} bytes, which are too few", bytes.len()));
    let mut memory = Memory::default();
    let mut rest = bytes;
    let mut take = |count: usize| {
        let (taken, after) = rest.split_at_checked(count).ok_or_else(few)?;
        rest = after;
        Ok::<&[u8], Failure>(taken)
    };
    for storage in &interface.buffers {
        let content = take(4 * given(&dispatch.resources, storage.slot).len())?;
        let words = content.as_chunks().0.iter().map(|&word| u32::from_ne_bytes(word)).collect();
        memory.buffers.insert(storage.slot, words);
    }
    for image in &interface.images {
        let given = image.given(&dispatch.resources)?;
        let content = take(given.texels().len() * texels::size(image.format))?;
        memory.images.extend(texels::unpacked(given, content).map(|texture| (image.slot, texture)));
    }
    Ok(memory)
}

pub(super) fn image(draw: &Draw, bytes: &[u8]) -> Result<Image, Failure> {
    let pixels = draw.width as usize * draw.height as usize;
    let floats: Vec<f32> = interface::floats(bytes).collect();
    let expected = pixels * (4 * draw.targets + usize::from(draw.depth.is_some()));
    let (colours, depth) = floats.split_at_checked(pixels * 4 * draw.targets).unwrap_or_default();
    if floats.len() != expected || bytes.len() != 4 * expected {
        return Err(Failure::Broken(format!("the page returned {} bytes instead of {}", bytes.len(), 4 * expected)));
    }
    Ok(Image {
        width: draw.width,
        height: draw.height,
        targets: colours.as_chunks().0.chunks(pixels).map(<[_]>::to_vec).collect(),
        depth: draw.depth.map(|_| depth.to_vec()),
    })
}

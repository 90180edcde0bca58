//! Encodes a draw for the page as JSON, followed by the bytes to which the JSON refers.

use backends::{Code, Field, Passed, ResourceKind};
use conformance::witness::browser::Bytes;
use sdlbc::{Dimension, FunctionKind, Scalar, Type};
use sdlbc_interp::{Cull, DepthTest, Topology};
use serde_json::{Value, json};

use crate::shader::{Block, STAGES, Sampled, Translated};

pub(super) fn job(number: u64, shader: &Translated<'_>) -> Result<Vec<u8>, String> {
    let mut bytes = Bytes::default();
    let draw = shader.draw;
    if draw.topology != Topology::Triangles {
        return Err("this client draws triangles only".to_string());
    }
    let (mut uniforms, mut blocks, mut textures) = (Vec::new(), Vec::new(), Vec::new());
    let reflection = agalc::reflect(&shader.module, &[]);
    for stage in STAGES {
        for block in shader.blocks(stage)? {
            match block.passed {
                Passed::Plain => {
                    for member in block.members {
                        uniforms.push(uniform(&block, member, &mut bytes)?);
                    }
                }
                _ => blocks.push(json!({ "block": block.name, "values": bytes.add(&block.bytes) })),
            }
        }
        let samplers = reflection.stage(stage).map_or(&[][..], |of| &of.samplers);
        for sampled in shader.textures(stage)? {
            textures.push(texture(&sampled, samplers, &mut bytes)?);
        }
    }
    let description = json!({
        "number": number,
        "vertex": text(shader, FunctionKind::Vertex)?,
        "fragment": text(shader, FunctionKind::Fragment)?,
        "width": draw.width,
        "height": draw.height,
        "targets": draw.targets,
        "clear": draw.clear,
        "cull": match draw.cull {
            Cull::None => None,
            Cull::Back => Some("BACK"),
            Cull::Front => Some("FRONT"),
        },
        "depth": draw.depth.map(|test| match test {
            DepthTest::Less => "LESS",
            DepthTest::LessEqual => "LEQUAL",
            DepthTest::Always => "ALWAYS",
        }),
        "instances": draw.instances,
        "uniforms": uniforms,
        "blocks": blocks,
        "textures": textures,
        "mesh": mesh(shader, &mut bytes)?,
    });
    bytes.job(&description)
}

fn text<'a>(shader: &'a Translated<'_>, stage: FunctionKind) -> Result<&'a str, String> {
    match &shader.entry(stage)?.0.code {
        Code::Text(text) => Ok(text),
        Code::Words(_) => Err("the shader is not a text".to_string()),
    }
}

/// Describes a plain uniform: its name, the WebGL function that sets it, and its values without the padding of a uniform block.
fn uniform(block: &Block<'_>, member: &Field, bytes: &mut Bytes) -> Result<Value, String> {
    // Each of the member's `rows` array elements or matrix columns has `width` floats and starts at a multiple of 16 bytes.
    let (rows, width, set) = match member.ty {
        Type::Vector(Scalar::Float, width) => (1, width, format!("uniform{width}fv")),
        Type::Array(Scalar::Float, width, length) => (length, width, format!("uniform{width}fv")),
        Type::Matrix { columns, rows } if columns == rows => (columns.into(), rows, format!("uniformMatrix{rows}fv")),
        Type::Matrix { columns, rows } => (columns.into(), rows, format!("uniformMatrix{columns}x{rows}fv")),
        _ => return Err(format!("`{}` does not consist of floats", member.path)),
    };
    let mut values = Vec::new();
    for row in 0..rows {
        let start = (member.offset + 16 * row) as usize;
        let floats = block.bytes.get(start..start + 4 * usize::from(width));
        values.extend(floats.ok_or_else(|| format!("`{}` is not in its block", member.path))?);
    }
    Ok(json!({ "path": member.path, "set": set, "values": bytes.add(&values) }))
}

fn texture(sampled: &Sampled<'_>, reflected: &[agalc::reflect::Sampler], bytes: &mut Bytes) -> Result<Value, String> {
    if sampled.texture.dimension != Dimension::D2 {
        return Err("this client has 2D textures only".to_string());
    }
    let levels = sampled.texture.levels.iter().map(|level| {
        let texels = bytes.add(level.texels.as_flattened());
        json!({ "width": level.width, "height": level.height, "texels": texels })
    });
    let levels: Vec<Value> = levels.collect();
    let is_here = |one: &&agalc::reflect::Sampler| matches!(sampled.resource.kind, ResourceKind::Texture { slot, .. } if slot == one.slot);
    let sampler = reflected.iter().find(is_here).map(|one| &one.gl);
    Ok(json!({ "name": sampled.resource.name, "levels": levels, "sampler": sampler }))
}

fn mesh(shader: &Translated<'_>, bytes: &mut Bytes) -> Result<Value, String> {
    let vertices = shader.vertices()?;
    let attributes: Vec<Value> = (vertices.attributes.iter())
        .map(
            |attribute| json!({ "location": attribute.location, "width": attribute.width, "offset": attribute.offset }),
        )
        .collect();
    Ok(json!({
        "attributes": attributes,
        "stride": vertices.stride,
        "vertices": bytes.add(&vertices.bytes),
        "indices": bytes.add(&shader.indices()),
        "count": shader.draw.indices.len(),
    }))
}

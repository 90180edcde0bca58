//! `inspect`: lists what a program reads and writes, as text or JSON (docs/agalc.md describes the fields).

use std::fmt::Write;

use anyhow::Result;
use sdlbc::{
    Block, Function, FunctionOutput, Input, InputKind, Interpolation, Module, OutputKind, Sampler, Type, Unit,
};
use serde::Serialize;

/// Describes the interface of each function and the number of its instructions.
pub(super) fn describe(module: &Module) -> String {
    let mut text = String::new();
    for (index, function) in module.functions.iter().enumerate() {
        let called = module.debug_of(index).map_or("", |debug| debug.name.as_str());
        let name = if function.name.is_empty() { called } else { &function.name };
        // Writing to a string cannot fail.
        let _ = describe_function(&mut text, function, name);
    }
    text
}

fn describe_function(text: &mut String, function: &Function, name: &str) -> std::fmt::Result {
    let count = instructions(&function.body);
    writeln!(text, "{} function `{name}`: {count} instructions", function.kind.name())?;
    for input in &function.inputs {
        let what = match input.kind {
            InputKind::Attribute { location } => format!("vertex attribute at location {location}"),
            InputKind::Varying { location, .. } => format!("varying at location {location}"),
            InputKind::Uniform => match input.ty {
                Type::Array(_, _, length) => format!("constants, the first {length} registers"),
                _ => "uniform".to_string(),
            },
            InputKind::Texture { slot, sampler } => {
                let pick = |names: &[&str], at: u8| names.get(usize::from(at)).unwrap_or(&"?").to_string();
                let filter = pick(
                    &["nearest", "linear", "anisotropic 2x", "anisotropic 4x", "anisotropic 8x", "anisotropic 16x"],
                    sampler.filter,
                );
                let mip = pick(&["no mip levels", "nearest mip level", "linear between mip levels"], sampler.mip);
                let wrap = |wrap| pick(&["clamp", "repeat"], wrap);
                let format = pick(&["rgba", "compressed", "compressed with alpha", "video"], sampler.format);
                let mut what = format!(
                    "sampled at slot {slot}: {filter}, {mip}, u {}, v {}, {format}",
                    wrap(sampler.wrap_u),
                    wrap(sampler.wrap_v)
                );
                if sampler.bias != 0 {
                    write!(what, ", bias {}", f32::from(sampler.bias) / 8.0)?;
                }
                let flags = [(1, "centroid"), (2, "one component"), (4, "state set by the application")];
                for (_, flag) in flags.into_iter().filter(|(bit, _)| sampler.special & bit != 0) {
                    write!(what, ", {flag}")?;
                }
                what
            }
            InputKind::Builtin(builtin) => builtin.name().to_string(),
            InputKind::Parameter => "parameter".to_string(),
            InputKind::Local => "slot of the function".to_string(),
        };
        writeln!(text, "  reads  {:<4} {:<12} {what}", input.name, input.ty.to_string())?;
    }
    for output in &function.outputs {
        let what = match output.kind {
            OutputKind::Position => "position in clip space".to_string(),
            OutputKind::Varying { location, .. } => format!("varying at location {location}"),
            OutputKind::Colour { target } => format!("colour of target {target}"),
            OutputKind::Depth => "depth".to_string(),
            OutputKind::PointSize => "point size".to_string(),
            OutputKind::Returned => "returned".to_string(),
        };
        writeln!(text, "  writes {:<4} {:<12} {what}", output.name, output.ty.to_string())?;
    }
    Ok(())
}

fn instructions(block: &Block) -> usize {
    block.iter().map(|inst| 1 + inst.blocks.iter().map(instructions).sum::<usize>()).sum()
}

/// Describes the same as JSON.
pub(super) fn json(module: &Module) -> Result<String> {
    let functions = module.functions.iter().enumerate().map(|(index, function)| JsonFunction {
        index,
        kind: function.kind.name(),
        name: &function.name,
        debug_name: module.debug_of(index).map(|debug| debug.name.as_str()).filter(|name| !name.is_empty()),
        instructions: instructions(&function.body),
        calls: sdlbc::flow::calls(&function.body).into_iter().collect(),
        inputs: function.inputs.iter().map(JsonInput::new).collect(),
        outputs: function.outputs.iter().map(JsonOutput::new).collect(),
    });
    let sources = module.debug.sources.iter().map(|source| JsonSource {
        file: &source.file,
        unit: if source.unit == Unit::Line { "line" } else { "token" },
        text: Some(source.text.as_str()).filter(|text| !text.is_empty()),
    });
    let module = JsonModule { functions: functions.collect(), sources: sources.collect() };
    Ok(serde_json::to_string_pretty(&module)? + "\n")
}

#[derive(Serialize)]
struct JsonModule<'a> {
    functions: Vec<JsonFunction<'a>>,
    sources: Vec<JsonSource<'a>>,
}

#[derive(Serialize)]
struct JsonFunction<'a> {
    index: usize,
    kind: &'static str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    debug_name: Option<&'a str>,
    instructions: usize,
    calls: Vec<usize>,
    inputs: Vec<JsonInput<'a>>,
    outputs: Vec<JsonOutput<'a>>,
}

#[derive(Serialize)]
struct JsonSource<'a> {
    file: &'a str,
    unit: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonInput<'a> {
    id: u32,
    name: &'a str,
    #[serde(rename = "type")]
    ty: String,
    #[serde(flatten)]
    kind: JsonKind,
}

#[derive(Serialize)]
struct JsonOutput<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    ty: String,
    #[serde(flatten)]
    kind: JsonKind,
}

/// The kind of an input or output.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum JsonKind {
    Attribute { location: u32 },
    Varying { location: u32, interpolation: &'static str },
    Uniform,
    Texture { slot: u32, sampler: JsonSampler },
    Builtin { builtin: &'static str },
    Parameter,
    Local,
    Position,
    Colour { target: u32 },
    Depth,
    PointSize,
    Returned,
}

/// AGAL's sampler fields, as numbers (docs/format.md, "Samplers").
#[derive(Serialize)]
struct JsonSampler {
    filter: u8,
    mip: u8,
    wrap_u: u8,
    wrap_v: u8,
    format: u8,
    special: u8,
    /// In levels.
    bias: f32,
}

impl<'a> JsonInput<'a> {
    fn new(input: &'a Input) -> JsonInput<'a> {
        let kind = match input.kind {
            InputKind::Attribute { location } => JsonKind::Attribute { location },
            InputKind::Varying { location, interpolation } => varying(location, interpolation),
            InputKind::Uniform => JsonKind::Uniform,
            InputKind::Texture { slot, sampler } => JsonKind::Texture { slot, sampler: JsonSampler::new(sampler) },
            InputKind::Builtin(builtin) => JsonKind::Builtin { builtin: builtin.name() },
            InputKind::Parameter => JsonKind::Parameter,
            InputKind::Local => JsonKind::Local,
        };
        JsonInput { id: input.id.0, name: &input.name, ty: input.ty.to_string(), kind }
    }
}

impl<'a> JsonOutput<'a> {
    fn new(output: &'a FunctionOutput) -> JsonOutput<'a> {
        let kind = match output.kind {
            OutputKind::Position => JsonKind::Position,
            OutputKind::Varying { location, interpolation } => varying(location, interpolation),
            OutputKind::Colour { target } => JsonKind::Colour { target },
            OutputKind::Depth => JsonKind::Depth,
            OutputKind::PointSize => JsonKind::PointSize,
            OutputKind::Returned => JsonKind::Returned,
        };
        JsonOutput { name: &output.name, ty: output.ty.to_string(), kind }
    }
}

impl JsonSampler {
    fn new(sampler: Sampler) -> JsonSampler {
        let Sampler { filter, mip, wrap_u, wrap_v, format, special, bias } = sampler;
        JsonSampler { filter, mip, wrap_u, wrap_v, format, special, bias: f32::from(bias) / 8.0 }
    }
}

fn varying(location: u32, interpolation: Interpolation) -> JsonKind {
    let interpolation = match interpolation {
        Interpolation::Perspective => "perspective",
        Interpolation::Linear => "linear",
        Interpolation::Flat => "flat",
    };
    JsonKind::Varying { location, interpolation }
}

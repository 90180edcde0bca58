//! `run` for a compute function of a module: dispatches workgroups on `sdlbc-interp`, and then shows the storage buffers and
//! storage textures.
//!
//! Rule: the inputs of a compute function are set in the same way as the inputs of a vertex or fragment function. A storage
//! buffer is filled by `--set`, from a file, or with the number of zeroes that `--buffer` states. `--image` sets the size of a
//! storage texture. The report shows first the buffers and then the storage textures that the function may write, each in the
//! order of the function's inputs.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Result, anyhow};
use sdlbc::module::Access;
use sdlbc::{Function, FunctionKind, ImageAccess, Input, InputKind, Type};
use sdlbc_interp::{Program, StorageTexture};
use serde::Serialize;
use serde_json::Value;

use super::setter::{Setter, Subject, fill_image, numbers, with_resources};
use super::values::{json, list};
use crate::args::{Named, Run};
use crate::files::Files;
use crate::output::usage;
use crate::report;

pub(super) fn run(
    files: &Files,
    args: &Run,
    subject: &Subject<'_>,
    index: usize,
    function: &Function,
) -> Result<String> {
    if args.trace {
        return usage("`--trace` shows one invocation, but a compute function has many");
    }
    let program =
        Program::with_float(subject.module, index, args.float).map_err(|error| anyhow!("{}: {error}", subject.name))?;
    let function = &with_resources(subject.module, index, function);
    let mut setter = Setter::new(subject, index, function);
    for (name, content) in &args.buffers {
        fill(files, &mut setter, function, name, content)?;
    }
    for image in &args.images {
        fill_image(files, &mut setter, image)?;
    }
    setter.take_all(files, args)?;
    let unset = setter.warn(args)?;
    let mut resources = setter.resources;
    program
        .dispatch(&mut resources, args.workgroups, None)
        .map_err(|error| anyhow!("`{}` cannot be run: {error}", function.name))?;
    let mut buffers = Vec::new();
    for input in &function.inputs {
        let (InputKind::Buffer { slot, access: Access::ReadWrite }, Type::Buffer(scalar, width)) =
            (input.kind, input.ty)
        else {
            continue;
        };
        let words = resources.buffers.remove(&(FunctionKind::Compute, slot)).unwrap_or_default();
        buffers.push((input.name.as_str(), Type::Vector(scalar, width), words));
    }
    let images = function.inputs.iter().filter_map(|input| match input.kind {
        InputKind::Image { slot, access: ImageAccess::Write } => {
            Some((input.name.as_str(), resources.images.get(&(FunctionKind::Compute, slot))?))
        }
        _ => None,
    });
    let images: Vec<(&str, &StorageTexture)> = images.collect();
    if report::is_json() {
        let buffers = buffers.iter().map(|(name, element, words)| {
            Ok(JsonBuffer { buffer: name, element: element.to_string(), values: json(*element, words)? })
        });
        let report = JsonDispatch {
            file: subject.name,
            stage: function.kind.name(),
            function: &function.name,
            unset: &unset,
            workgroups: args.workgroups,
            buffers: buffers.collect::<Result<_>>()?,
            images: images.into_iter().map(|(name, image)| json_image(name, image)).collect::<Result<_>>()?,
        };
        return Ok(serde_json::to_string_pretty(&report)? + "\n");
    }
    let line = |(name, element, words): &(&str, Type, Vec<u32>)| format!("{name} = {}\n", list(*element, words));
    let mut text: String = buffers.iter().map(line).collect();
    for (name, image) in images {
        rows(&mut text, name, image);
    }
    Ok(text)
}

fn texel_type(image: &StorageTexture) -> Type {
    Type::Vector(image.format().scalar(), image.format().components())
}

/// Formats a storage texture with a line for each row of each layer.
fn rows(text: &mut String, name: &str, image: &StorageTexture) {
    let (ty, [columns, rows, depth]) = (texel_type(image), image.size());
    let count = usize::from(image.format().components());
    for (row, texels) in (0..).zip(image.texels().chunks(columns.max(1) as usize)) {
        let layer = if depth > 1 { format!("[{}]", row / rows.max(1)) } else { String::new() };
        let texels = texels.iter().map(|texel| list(ty, texel.get(..count).unwrap_or_default()));
        let texels = texels.collect::<Vec<String>>().join("; ");
        let _ = writeln!(text, "{name}{layer}[{}] = {texels}", row % rows.max(1));
    }
}

fn json_image<'a>(name: &'a str, image: &StorageTexture) -> Result<JsonImage<'a>> {
    let count = usize::from(image.format().components());
    let words = image.texels().iter().flat_map(|texel| texel.get(..count).unwrap_or_default());
    let words: Vec<u32> = words.copied().collect();
    let values = json(texel_type(image), &words)?;
    Ok(JsonImage { image: name, format: image.format().name(), size: image.size(), values })
}

/// Fills a storage buffer with zeroes, or with the numbers in a file.
fn fill(files: &Files, setter: &mut Setter<'_>, function: &Function, name: &str, content: &Named) -> Result<()> {
    let found = function.inputs.iter().enumerate().find(|(_, input)| input.name == name);
    let Some((at, &Input { kind: InputKind::Buffer { slot, .. }, ty: ty @ Type::Buffer(_, width), .. })) = found else {
        return usage(format!("`{name}` is not a storage buffer of the function"));
    };
    let words = match content {
        Named::Word(text) if text.parse::<u32>().is_ok() => {
            let elements: u32 = text.parse()?;
            let count = usize::try_from(elements)?.checked_mul(width.into()).filter(|&count| count <= MOST_WORDS);
            let Some(count) = count else {
                return usage(format!(
                    "`{name}` with {elements} elements is too large; the limit is {MOST_WORDS} numbers"
                ));
            };
            vec![0; count]
        }
        content => {
            let path = match content {
                Named::Word(text) => Path::new(text),
                Named::File(path) => path,
            };
            numbers(files, name, path, ty)?
        }
    };
    setter.set_buffer(at, slot, words);
    Ok(())
}

/// The maximum number of 32-bit words in a buffer of zeroes, equal to 64 MiB.
const MOST_WORDS: usize = 1 << 24;

#[derive(Serialize)]
struct JsonDispatch<'a> {
    file: &'a str,
    stage: &'a str,
    function: &'a str,
    unset: &'a [String],
    workgroups: [u32; 3],
    buffers: Vec<JsonBuffer<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    images: Vec<JsonImage<'a>>,
}

#[derive(Serialize)]
struct JsonImage<'a> {
    image: &'a str,
    format: &'static str,
    /// The width and height in texels, and the depth or the number of layers.
    size: [u32; 3],
    values: Vec<Value>,
}

#[derive(Serialize)]
struct JsonBuffer<'a> {
    buffer: &'a str,
    element: String,
    values: Vec<Value>,
}

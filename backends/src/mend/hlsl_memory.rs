//! Mends accesses to storage buffers, storage textures and shared arrays in HLSL.
//!
//! naga accesses storage buffers by byte offset, converts every number that the code reads from or writes to a buffer, and writes
//! functions for lengths and sizes. In HLSL, a write to a storage texture has the same number of components as the texture's
//! format, but naga always writes four components. Shared arrays start as zeroes; all invocations of the workgroup write these
//! zeroes together.
//!
//! Rule: each step replaces exactly what naga 30 writes; any other text is an error.

use std::ops::Range;

use naga::{AddressSpace, ImageClass, ImageDimension, ShaderStage, StorageAccess, StorageFormat, TypeInner};

use crate::emit::is_read;
use crate::error::Error;
use crate::lower::Lowered;
use crate::mend::items::{Function, Item, functions};
use crate::mend::names::{Names, Scope};
use crate::mend::shared;
use crate::mend::text::{closing, end_of_operand, is_word, operands, renamed};

struct Buffer<'l> {
    label: &'l str,
    /// Whether the elements are uints, which HLSL reads from a buffer without a conversion.
    is_uint: bool,
    stride: u32,
}

struct Image<'l> {
    label: &'l str,
    ty: String,
    components: usize,
    /// The names of the values that the texture's `GetDimensions` returns.
    sizes: &'static [&'static str],
}

#[derive(Default)]
struct Memory<'l> {
    buffers: Vec<Buffer<'l>>,
    images: Vec<Image<'l>>,
}

/// Rewrites accesses to storage buffers and storage textures, zeroes of shared arrays, and barriers into HLSL's usual form.
pub(crate) fn memory(items: &mut Vec<Item>, lowered: &Lowered, names: &mut Names) -> Result<(), Error> {
    let memory = memory_of(lowered);
    let is_compute = lowered.module.entry_points.iter().any(|entry| entry.stage == ShaderStage::Compute);
    if !is_compute && memory.buffers.is_empty() && memory.images.is_empty() {
        return Ok(());
    }
    for image in &memory.images {
        declaration(items, image)?;
    }
    sizes(items, &memory.images);
    for function in functions(items) {
        if function.attribute.is_some() {
            function.body.pop_if(|line| line == "    return;");
        }
        barriers(&mut function.body);
        for line in &mut function.body {
            for image in &memory.images {
                stored(line, image)?;
            }
            if !memory.buffers.is_empty() {
                accesses(line, &memory.buffers)?;
            }
        }
    }
    let shared = shared::shared(lowered);
    if let Some(entry) = lowered.module.entry_points.iter().find(|_| !shared.is_empty()) {
        let threads = entry.workgroup_size.iter().product();
        let function = functions(items).find(|function| function.name() == entry.name);
        let function = function.ok_or_else(|| unlike(&entry.name))?;
        // All arguments of a compute entry point are builtins.
        let builtins = function.arguments.len();
        shared::zeroes(function, &shared, threads, builtins, names, ZEROES);
    }
    Ok(())
}

fn unlike(what: &str) -> Error {
    Error::Internal(format!("naga's HLSL is not as expected at `{what}`"))
}

fn memory_of(lowered: &Lowered) -> Memory<'_> {
    let mut memory = Memory::default();
    for (handle, variable) in lowered.module.global_variables.iter() {
        let types = &lowered.module.types;
        let inner = &types[variable.ty].inner;
        let is_memory = match variable.space {
            AddressSpace::Storage { .. } => true,
            AddressSpace::Handle => matches!(inner, TypeInner::Image { class: ImageClass::Storage { .. }, .. }),
            _ => false,
        };
        let is_used = || lowered.module.entry_points.iter().any(|entry| is_read(lowered, handle, entry.stage));
        let Some(label) = variable.name.as_deref().filter(|_| is_memory && is_used()) else { continue };
        match (variable.space, inner) {
            (AddressSpace::Storage { .. }, &TypeInner::Array { base, stride, .. }) => {
                let is_uint = shared::scalar_of(&types[base].inner).0 == "uint";
                memory.buffers.push(Buffer { label, is_uint, stride });
            }
            (
                AddressSpace::Handle,
                &TypeInner::Image { dim, arrayed, class: ImageClass::Storage { format, access } },
            ) if access.contains(StorageAccess::STORE) => {
                let (texel, components) = texel(format);
                let (of, sizes): (_, &[_]) = match (dim, arrayed) {
                    (ImageDimension::D3, _) => ("3D", &["width", "height", "depth"]),
                    (_, true) => ("2DArray", &["width", "height", "layers"]),
                    (_, false) => ("2D", &["width", "height"]),
                };
                memory.images.push(Image { label, ty: format!("RWTexture{of}<{texel}>"), components, sizes });
            }
            _ => {}
        }
    }
    memory
}

/// Returns the HLSL type of a texel, and the number of the texel's components.
const fn texel(format: StorageFormat) -> (&'static str, usize) {
    match format {
        StorageFormat::R32Float => ("float", 1),
        StorageFormat::R32Sint => ("int", 1),
        StorageFormat::R32Uint => ("uint", 1),
        StorageFormat::Rg32Float => ("float2", 2),
        StorageFormat::Rg32Sint => ("int2", 2),
        StorageFormat::Rg32Uint => ("uint2", 2),
        StorageFormat::Rgba8Unorm => ("unorm float4", 4),
        StorageFormat::Rgba8Snorm => ("snorm float4", 4),
        StorageFormat::Rgba8Sint | StorageFormat::Rgba16Sint | StorageFormat::Rgba32Sint => ("int4", 4),
        StorageFormat::Rgba8Uint | StorageFormat::Rgba16Uint | StorageFormat::Rgba32Uint => ("uint4", 4),
        _ => ("float4", 4),
    }
}

const ZEROES: shared::Syntax =
    shared::Syntax { index: " : SV_GroupIndex", barrier: "GroupMemoryBarrierWithGroupSync();", zero, atomic: None };

fn zero(element: &TypeInner) -> String {
    let (name, zero) = shared::scalar_of(element);
    match element {
        TypeInner::Vector { size, .. } => format!("({name}{})0", *size as u8),
        _ => zero.to_string(),
    }
}

/// Declares a storage texture with the type of its texels.
///
/// Upstream fault `texel_types`: `to_hlsl_str` of storage formats in `back/hlsl/conv.rs` returns a four-component type even for a
/// two-component format (gfx-rs/wgpu#6993).
fn declaration(items: &mut [Item], Image { label, ty, .. }: &Image<'_>) -> Result<(), Error> {
    let rest = format!(" {label} : register(");
    let line = items.iter_mut().find_map(|item| match item {
        Item::Line(line) if line.starts_with("RWTexture") && line.contains(&rest) => Some(line),
        _ => None,
    });
    let line = line.ok_or_else(|| unlike(&rest))?;
    let at = line.find(&rest).unwrap_or_default();
    line.replace_range(..at, ty);
    Ok(())
}

/// Writes one size function for each type of storage texture that the code writes. naga writes one size function for each format,
/// although several formats have the same type.
///
/// Upstream fault `size_functions`: `write_wrapped_image_query_function` in `back/hlsl/help.rs` writes a function for each
/// format. Several of these functions have the same arguments, which every compiler rejects.
fn sizes(items: &mut Vec<Item>, images: &[Image<'_>]) {
    items.retain(|item| !matches!(item, Item::Function(function) if function.name().starts_with("NagaRW")));
    let mut written: Vec<Function> = Vec::new();
    for Image { label, ty, sizes, .. } in images {
        for query in ["NagaRWDimensions", "NagaRWNumLayers"] {
            let is_called = |line: &String| {
                let mut calls = line.match_indices(query).filter_map(|(at, _)| line[at..].split_once('('));
                calls.any(|(_, rest)| rest.strip_prefix(label).is_some_and(|rest| rest.starts_with(')')))
            };
            let Some(name) = functions(items).flat_map(|of| &of.body).find(|line| is_called(line)).and_then(|line| {
                let at = line.find(query)?;
                line[at..].split('(').next()
            }) else {
                continue;
            };
            let (returned, value) = match (query, sizes) {
                ("NagaRWNumLayers", _) => ("uint", "layers".to_string()),
                (_, [width, height, "depth"]) => ("uint3", format!("uint3({width}, {height}, depth)")),
                (_, sizes) => ("uint2", format!("uint2({})", sizes[..2].join(", "))),
            };
            let function = Function {
                attribute: None,
                head: format!("{returned} {name}"),
                arguments: vec![format!("{ty} image")],
                tail: String::new(),
                body: vec![
                    format!("    uint {};", sizes.join(", ")),
                    format!("    image.GetDimensions({});", sizes.join(", ")),
                    format!("    return {value};"),
                ],
            };
            if written.iter().all(|of| of.head != function.head || of.arguments != function.arguments) {
                written.push(function);
            }
        }
    }
    let at = items.iter().position(|item| matches!(item, Item::Function(_))).unwrap_or(items.len());
    items.splice(at..at, written.into_iter().map(Item::Function));
}

/// Writes a barrier for all memory as a single barrier. naga writes separate barriers for storage buffers and for shared arrays.
///
/// Upstream fault `two_barriers`: `Writer::write_control_barrier` in `back/hlsl/writer.rs` writes a barrier for each kind of
/// memory.
fn barriers(body: &mut Vec<String>) {
    let pair = ["DeviceMemoryBarrierWithGroupSync();", "GroupMemoryBarrierWithGroupSync();"];
    shared::join_barriers(body, pair, "DeviceMemory", "AllMemory");
}

/// Limits a write to a storage texture to the number of components in the texture's format.
fn stored(line: &mut String, image: &Image<'_>) -> Result<(), Error> {
    let indent = line.len() - line.trim_start().len();
    let is_store = line[indent..].strip_prefix(image.label).is_some_and(|rest| rest.starts_with('['));
    if image.components == 4 || !is_store {
        return Ok(());
    }
    let (to, value) = line.split_once("] = ").ok_or_else(|| unlike(line))?;
    let value = value.strip_suffix(';').ok_or_else(|| unlike(line))?;
    *line = format!("{to}] = {};", first(value, image.components));
    Ok(())
}

fn first(value: &str, components: usize) -> String {
    let swizzle = &"xy"[..components];
    for ty in ["float", "int", "uint"] {
        let Some(parts) = operands(value, &format!("{ty}4"), ['(', ')']) else { continue };
        match &parts[..] {
            _ if closes_before_end(&value[ty.len() + 1..]) => {}
            [x, y, _, _] if components == 2 => return format!("{ty}2({x}, {y})"),
            [x, _, _, _] if components == 1 => return x.clone(),
            [x, rest] if components == 1 && rest.ends_with(").xxx") => return x.clone(),
            _ => {}
        }
    }
    match value.rsplit_once('.') {
        Some((whole, of)) if of.len() == 4 && of.bytes().all(|component| b"xyzw".contains(&component)) => {
            format!("{whole}.{}", &of[..components])
        }
        _ if value.chars().all(is_word) => format!("{value}.{swizzle}"),
        _ => format!("({value}).{swizzle}"),
    }
}

fn closes_before_end(text: &str) -> bool {
    closing(text, 0).is_none_or(|at| at + 1 != text.len())
}

/// Adds spaces to reads and writes of storage buffers, and removes conversions of values that are already uints.
///
/// Upstream fault `byte_addresses`: `Writer::write_storage_load` and `write_storage_store` in `back/hlsl/storage.rs` write
/// `0u*4`, and `asuint` of values that are already uints. `Expression::ArrayLength` subtracts an offset of 0.
fn accesses(line: &mut String, buffers: &[Buffer<'_>]) -> Result<(), Error> {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for buffer in buffers {
        for method in ["Load", "Store", "Interlocked"] {
            let call = format!("{}.{method}", buffer.label);
            for (at, _) in line.match_indices(&call) {
                edits.extend(access(line, at, at + call.len(), buffer).ok_or_else(|| unlike(line))?);
            }
        }
    }
    edits.sort_by_key(|(range, _)| range.start);
    for (range, text) in edits.into_iter().rev() {
        line.replace_range(range, &text);
    }
    for Buffer { label, stride, .. } in buffers {
        for access in ["", "RW"] {
            let length = format!("NagaBufferLength{access}({label})");
            let written = format!("(({length} - 0) / {stride})");
            *line = line.replace(&format!("({written} - 1u)"), &format!("({length} / {stride} - 1u)"));
            *line = line.replace(&written, &format!("({length} / {stride})"));
        }
    }
    Ok(())
}

/// Returns the edits to one buffer access whose method name spans `start..end`. The name may end with the number of components,
/// as in `Load4`, or of an
/// operation, as in `InterlockedAdd`.
fn access(line: &str, start: usize, end: usize, buffer: &Buffer<'_>) -> Option<Vec<(Range<usize>, String)>> {
    let open = end + line[end..].find('(')?;
    let last = end_of_operand(line, open + 1)?;
    let address = &line[open + 1..last];
    let by = format!("*{}", buffer.stride);
    let index = address.strip_suffix(&by)?;
    let mut edits = match index.strip_suffix('u').and_then(|number| number.parse::<u32>().ok()) {
        Some(index) => vec![(open + 1..last, index.saturating_mul(buffer.stride).to_string())],
        None => vec![(last - by.len()..last, format!(" * {}", buffer.stride))],
    };
    if !buffer.is_uint || line[..end].ends_with(".Interlocked") {
        return Some(edits);
    }
    const CONVERTED: &str = "asuint(";
    let close = closing(line, open)?;
    let value = last + ", ".len();
    if line[..start].ends_with(CONVERTED) && line[last..].starts_with(')') {
        edits.extend([(start - CONVERTED.len()..start, String::new()), (close + 1..close + 2, String::new())]);
    } else if line.get(value..)?.starts_with(CONVERTED) {
        edits.extend([(value..value + CONVERTED.len(), String::new()), (close - 1..close, String::new())]);
    }
    Some(edits)
}

/// The names that replace naga's names for length and size functions.
const NAMES: [(&str, &str); 5] = [
    // Khronos' compiler treats read-only and writable buffers as the same type, so their functions need different names.
    ("BufferLengthRW", "bytes_of_rw"),
    ("BufferLength", "bytes_of"),
    ("Dimensions", "size_of"),
    ("NumLayers", "layers_of"),
    ("NumLevels", "levels_of"),
];

/// Renames naga's functions for lengths and sizes. Functions with the same name are overloads, which differ in their argument
/// types.
///
/// Upstream fault `query_names`: `write_wrapped_array_length_function_name` and `write_wrapped_image_query_function_name` in
/// `back/hlsl/help.rs` write names that contain the library's name.
pub(crate) fn named(text: &str, names: &mut Names) -> String {
    if !text.contains("Naga") {
        return text.to_string();
    }
    let of = |word: &str| {
        let rest = word.strip_prefix("Naga")?;
        NAMES.iter().position(|(naga, _)| rest.contains(naga))
    };
    let used = NAMES.map(|(naga, ours)| text.contains(naga).then(|| names.label(Scope::Module, ours)));
    renamed(text, |word| used.get(of(word)?)?.as_deref())
}

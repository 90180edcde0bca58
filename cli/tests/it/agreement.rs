//! Checks that the reflection of generated code agrees with the reports of other tools.
//!
//! spirv-cross reports on SPIR-V, naga on parsed WGSL, and glslang on GLSL. The reports of spirv-cross and naga must contain the
//! same facts as the reflection. glslang omits variables that no statement reads. Therefore the reflection must contain each fact
//! that glslang reports, and glslang must report each texture that the reflection marks as read.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use agalc::reflect::{EntryPoint, Field, Kind, Resource, Written};
use backends::{Glsl, Layout, Target};
use naga::{AddressSpace, Binding, TypeInner};
use sdlbc::{Dimension, FunctionKind, Member, Scalar, Texel, Type};
use serde_json::Value;
use testing::{Effort, Tool};

use crate::reflection::{SAMPLES, Sample, Translation, reflection, translations};
use crate::support::{GLSLANG, little_endian, on_two_threads};

const SPIRV_CROSS: Tool = Tool { name: "spirv-cross", required: true };

type Facts = BTreeSet<String>;

/// Returns GLSL's name for a type, such as `vec4`, `mat3x4` or `vec4[8]`.
fn glsl_type(ty: Type) -> String {
    let vector = |scalar: Scalar, width: u8| match (scalar, width) {
        (Scalar::Bool, 1) => "bool".to_string(),
        (scalar, 1) => scalar.name().to_string(),
        (Scalar::Int, width) => format!("ivec{width}"),
        (Scalar::Uint, width) => format!("uvec{width}"),
        (_, width) => format!("vec{width}"),
    };
    match ty {
        Type::Vector(scalar, width) => vector(scalar, width),
        Type::Matrix { columns, rows } if columns == rows => format!("mat{columns}"),
        Type::Matrix { columns, rows } => format!("mat{columns}x{rows}"),
        Type::Array(scalar, width, length) => format!("{}[{length}]", vector(scalar, width)),
        Type::Texture(..) | Type::Buffer(..) | Type::Image(..) => ty.to_string(),
    }
}

/// Returns GLSL's name for a texture, such as `isampler2D`, `sampler2DShadow` or `utextureCube`. If the texture is a depth
/// texture and not a combined sampler, the name begins with `depths`.
fn texture(dimension: Dimension, texel: Texel, combined: bool, depths: &str) -> String {
    let (prefix, suffix) = match (texel, combined) {
        (Texel::Float, _) => ("", ""),
        (Texel::Int, _) => ("i", ""),
        (Texel::Uint, _) => ("u", ""),
        (Texel::Depth, true) => ("", "Shadow"),
        (Texel::Depth, false) => (depths, ""),
    };
    let kind = if combined { "sampler" } else { "texture" };
    let dimension = match dimension {
        Dimension::D2 => "2D",
        Dimension::D3 => "3D",
        Dimension::Cube => "Cube",
        Dimension::D2Array => "2DArray",
        Dimension::CubeArray => "CubeArray",
    };
    format!("{prefix}{kind}{dimension}{suffix}")
}

/// In facts about WGSL, the prefix of a depth texture and the name of a comparison sampler. spirv-cross distinguishes neither.
const DEPTHS: [&str; 2] = ["depth_", "sampler_comparison"];

/// Rounds a block's size up to whole registers, because some tools count the padding at the end of a block and others do not.
fn rounded(size: u64) -> u64 {
    size.div_ceil(16) * 16
}

fn of_entry(entry: &EntryPoint) -> Facts {
    let mut facts = Facts::from([format!("{} entry {}", entry.stage.name(), entry.name)]);
    for (way, variables) in [("in", &entry.inputs), ("out", &entry.outputs)] {
        for one in variables {
            if let Some(location) = one.location {
                facts.insert(format!("{} {way} {location} {} `{}`", entry.stage.name(), glsl_type(one.ty), one.name));
            }
        }
    }
    facts
}

/// Converts the reflection of a block member to facts. Array elements are padded to four components, and SPIR-V splits a two-row
/// matrix into its columns.
fn of_field(target: Target, place: &str, field: &Field) -> Facts {
    let name = &field.name;
    match (target, field.ty) {
        (_, Type::Array(scalar, _, length)) => {
            let ty = glsl_type(Type::Array(scalar, 4, length));
            Facts::from([format!("{place} at {} {ty} `{name}`", field.offset)])
        }
        (Target::Spirv, Type::Matrix { columns, rows: 2 }) => {
            let prefix = if name.is_empty() { String::new() } else { format!("{name}_") };
            let column = |number: u32| format!("{place} at {} vec2 `{prefix}col{number}`", field.offset + 8 * number);
            (0..u32::from(columns)).map(column).collect()
        }
        (_, ty) => Facts::from([format!("{place} at {} {} `{name}`", field.offset, glsl_type(ty))]),
    }
}

fn of_resources(target: Target, resources: &[Resource]) -> Facts {
    let mut facts = Facts::new();
    for one in resources {
        let place = match (one.group, one.binding) {
            (Some(group), Some(binding)) => format!("{group}.{binding}"),
            _ => "push".to_string(),
        };
        match &one.kind {
            Kind::Constants { size, members, .. } => {
                let end = u64::from(members.iter().map(|field| field.offset + field.size).max().unwrap_or(0));
                let (size, end) = (rounded(u64::from(*size)), rounded(end));
                // A block may end with padding if it contains a two-row matrix.
                let has_two_rows = members.iter().any(|field| matches!(field.ty, Type::Matrix { rows: 2, .. }));
                assert!(size == end || size > end && has_two_rows, "{}: {size}, not {end}", one.name);
                facts.insert(format!("{place} `{}` {end} bytes", one.name));
                facts.extend(members.iter().flat_map(|field| of_field(target, &place, field)));
            }
            Kind::Texture { dimension, texels, combined, .. } => {
                let depths = if target == Target::Wgsl { DEPTHS[0] } else { "" };
                let kind = texture(*dimension, *texels, *combined, depths);
                facts.insert(format!("{place} `{}` {kind}", one.name));
            }
            Kind::Sampler { comparison, .. } => {
                let kind = if *comparison && target == Target::Wgsl { DEPTHS[1] } else { "sampler" };
                facts.insert(format!("{place} `{}` {kind}", one.name));
            }
            _ => panic!("a new kind of resource"),
        }
    }
    facts
}

fn of_written(written: &Written) -> Facts {
    written.entry_points.iter().flat_map(of_entry).chain(of_resources(written.target, &written.resources)).collect()
}

/// Moves an entry point to the front of a SPIR-V module. spirv-cross reports only the first entry point.
fn with_first(words: &[u32], name: &str) -> Vec<u32> {
    const ENTRY_POINT: u32 = 15;
    let (header, mut rest) = words.split_at(5);
    let mut kept = header.to_vec();
    let mut first_entry = None;
    while let Some(&word) = rest.first() {
        let (inst, after) = rest.split_at((word >> 16) as usize);
        rest = after;
        if word & 0xffff == ENTRY_POINT {
            let at = *first_entry.get_or_insert(kept.len());
            if little_endian(&inst[3..]).starts_with(&[name.as_bytes(), b"\0"].concat()) {
                kept.splice(at..at, inst.iter().copied());
                continue;
            }
        }
        kept.extend(inst);
    }
    kept
}

/// Collects the facts in spirv-cross's reports, which cover one entry point at a time.
fn of_spirv(written: &Written, words: &[u32], folder: &std::path::Path) -> Facts {
    let mut facts = Facts::new();
    for entry in &written.entry_points {
        let path = folder.join(format!("{} {}", written.file, entry.name).replace(['/', ' '], "_"));
        std::fs::write(&path, little_endian(&with_first(words, &entry.name))).expect("the file");
        let ran = Command::new(SPIRV_CROSS.name).arg(&path).arg("--reflect").output().expect("spirv-cross");
        let message = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.success(), "{}: {message}", written.file);
        let report: Value = serde_json::from_slice(&ran.stdout).expect("JSON");
        facts.extend(of_report(&report, entry.stage.name()));
    }
    facts
}

fn of_report(report: &Value, stage: &str) -> Facts {
    let list = |name: &str| report[name].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    let mut facts = Facts::new();
    for entry in list("entryPoints") {
        let stage = if entry["mode"] == "vert" { "vertex" } else { "fragment" };
        facts.insert(format!("{stage} entry {}", text(&entry["name"])));
    }
    for (way, list) in [("in", list("inputs")), ("out", list("outputs"))] {
        for one in list {
            let name = named(&text(&one["name"]), "_");
            facts.insert(format!("{stage} {way} {} {} `{name}`", one["location"], text(&one["type"])));
        }
    }
    for (name, kind) in [("separate_images", None), ("textures", None), ("separate_samplers", Some("sampler"))] {
        for one in list(name) {
            let kind = kind.map_or_else(|| text(&one["type"]), str::to_string);
            facts.insert(format!("{}.{} `{}` {kind}", one["set"], one["binding"], text(&one["name"])));
        }
    }
    for (name, is_push) in [("ubos", false), ("push_constants", true)] {
        for one in list(name) {
            let place = if is_push { "push".to_string() } else { format!("{}.{}", one["set"], one["binding"]) };
            let members = report["types"][text(&one["type"])]["members"].as_array().cloned().unwrap_or_default();
            let size = one["block_size"].as_u64().unwrap_or_default();
            facts.insert(format!("{place} `{}` {} bytes", text(&one["name"]), rounded(size)));
            of_members(&report["types"], &place, &members, 0, &mut facts);
        }
    }
    facts
}

/// Collects the facts about a block's members. A nested block is replaced by its members, because naga wraps some variables in a
/// block.
fn of_members(types: &Value, place: &str, members: &[Value], offset: u64, facts: &mut Facts) {
    for member in members {
        let at = offset + member["offset"].as_u64().unwrap_or_default();
        let ty = member["type"].as_str().expect("a type");
        if let Some(inner) = types[ty]["members"].as_array() {
            of_members(types, place, inner, at, facts);
            continue;
        }
        let length = member["array"][0].as_u64().map(|length| format!("[{length}]")).unwrap_or_default();
        let name = named(member["name"].as_str().unwrap_or_default(), "_m");
        if !is_padding(&name) {
            facts.insert(format!("{place} at {at} {ty}{length} `{name}`"));
        }
    }
}

/// Reports whether a block member is padding and therefore not part of the interface. No sample contains a real member with such
/// a name.
fn is_padding(name: &str) -> bool {
    name == "padding" || name.trim_end_matches(|c: char| c.is_ascii_digit()) == "padding_"
}

/// Returns an empty name if spirv-cross invented `name`. Invented names consist of `prefix` and digits.
fn named(name: &str, prefix: &str) -> String {
    let number = name.strip_prefix(prefix);
    match number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())) {
        true => String::new(),
        false => name.to_string(),
    }
}

fn of_wgsl(text: &str) -> Facts {
    let module =
        naga::front::wgsl::parse_str(text).unwrap_or_else(|error| panic!("{}\n{text}", error.emit_to_string(text)));
    let ty_of = |handle| &module.types[handle];
    let mut facts = Facts::new();
    for (_, variable) in module.global_variables.iter() {
        let name = variable.name.clone().unwrap_or_default();
        let place = match (&variable.binding, variable.space) {
            (Some(binding), _) => format!("{}.{}", binding.group, binding.binding),
            (None, AddressSpace::Immediate) => "push".to_string(),
            // Variables without a binding are private to the module.
            (None, _) => continue,
        };
        let inner = &ty_of(variable.ty).inner;
        match inner {
            TypeInner::Image { dim, arrayed, class } => {
                let dimension = match (dim, arrayed) {
                    (naga::ImageDimension::D2, false) => Dimension::D2,
                    (naga::ImageDimension::D2, true) => Dimension::D2Array,
                    (naga::ImageDimension::D3, false) => Dimension::D3,
                    (naga::ImageDimension::Cube, false) => Dimension::Cube,
                    (naga::ImageDimension::Cube, true) => Dimension::CubeArray,
                    other => panic!("{other:?}"),
                };
                let texel = match class {
                    naga::ImageClass::Sampled { kind: naga::ScalarKind::Float, multi: false } => Texel::Float,
                    naga::ImageClass::Sampled { kind: naga::ScalarKind::Sint, multi: false } => Texel::Int,
                    naga::ImageClass::Sampled { kind: naga::ScalarKind::Uint, multi: false } => Texel::Uint,
                    naga::ImageClass::Depth { multi: false } => Texel::Depth,
                    other => panic!("{other:?}"),
                };
                facts.insert(format!("{place} `{name}` {}", texture(dimension, texel, false, DEPTHS[0])));
            }
            TypeInner::Sampler { comparison } => {
                let kind = if *comparison { DEPTHS[1] } else { "sampler" };
                facts.insert(format!("{place} `{name}` {kind}"));
            }
            inner => {
                let size = u64::from(inner.size(module.to_ctx()));
                facts.insert(format!("{place} `{name}` {} bytes", rounded(size)));
                match inner {
                    TypeInner::Struct { members, .. } => {
                        for member in members {
                            let name = member.name.clone().unwrap_or_default();
                            if is_padding(&name) {
                                continue;
                            }
                            let ty = naga_type(&module, &ty_of(member.ty).inner);
                            facts.insert(format!("{place} at {} {ty} `{name}`", member.offset));
                        }
                    }
                    inner => drop(facts.insert(format!("{place} at 0 {} ``", naga_type(&module, inner)))),
                }
            }
        }
    }
    for entry in &module.entry_points {
        let stage = if entry.stage == naga::ShaderStage::Vertex { "vertex" } else { "fragment" };
        facts.insert(format!("{stage} entry {}", entry.name));
        let mut add = |way: &str, name: &Option<String>, ty, binding: &Option<Binding>| {
            let located = |name: &Option<String>, ty, binding: &Option<Binding>| match binding {
                Some(Binding::Location { location, .. }) => {
                    let (ty, name) = (naga_type(&module, &ty_of(ty).inner), name.clone().unwrap_or_default());
                    Some(format!("{stage} {way} {location} {ty} `{name}`"))
                }
                _ => None,
            };
            match &ty_of(ty).inner {
                TypeInner::Struct { members, .. } => {
                    facts.extend(members.iter().filter_map(|one| located(&one.name, one.ty, &one.binding)));
                }
                _ => facts.extend(located(name, ty, binding)),
            }
        };
        entry.function.arguments.iter().for_each(|one| add("in", &one.name, one.ty, &one.binding));
        entry.function.result.iter().for_each(|one| add("out", &None, one.ty, &one.binding));
    }
    facts
}

fn naga_type(module: &naga::Module, inner: &TypeInner) -> String {
    let scalar = |scalar: naga::Scalar| match scalar.kind {
        naga::ScalarKind::Sint => Scalar::Int,
        naga::ScalarKind::Uint => Scalar::Uint,
        naga::ScalarKind::Bool => Scalar::Bool,
        _ => Scalar::Float,
    };
    match *inner {
        TypeInner::Scalar(of) => glsl_type(Type::Vector(scalar(of), 1)),
        TypeInner::Vector { size, scalar: of } => glsl_type(Type::Vector(scalar(of), size as u8)),
        TypeInner::Matrix { columns, rows, .. } => glsl_type(Type::Matrix { columns: columns as u8, rows: rows as u8 }),
        TypeInner::Array { base, size: naga::ArraySize::Constant(length), .. } => {
            format!("{}[{length}]", naga_type(module, &module.types[base].inner))
        }
        _ => panic!("{inner:?}"),
    }
}

/// Returns a pair whose constants have names, so that the constants form a structure with several members.
fn with_members() -> Sample {
    let of = SAMPLES.iter().find(|sample| sample.name.starts_with("lit_texture")).expect("the pair");
    let mut loaded = of.loaded.clone();
    let vertex = &loaded.module.functions[0];
    let constants = vertex.inputs.iter().find(|input| input.name == "vc").expect("the constants").id;
    let member = |name: &str, first, component, ty| Member { name: name.to_string(), first, component, ty };
    let members = vec![
        member("clip", 0, 0, Type::Matrix { columns: 4, rows: 4 }),
        member("world", 4, 0, Type::Matrix { columns: 3, rows: 4 }),
        member("opacity", 7, 0, Type::FLOAT),
    ];
    let debug = loaded.module.debug.functions.iter_mut().find(|debug| debug.function == 0).expect("names");
    debug.members.insert(constants, members);
    assert_eq!(sdlbc::verify(&loaded.module), Ok(()));
    Sample { name: "named".to_string(), loaded }
}

/// Compares the facts about each sample in each layout, and checks that each layout has at least one file per sample.
fn compare(
    samples: &[&Sample],
    target: Target,
    layouts: &[&str],
    report: impl Fn(&Sample, &Written, &Translation) -> Result<(), String> + Sync,
) {
    let results = on_two_threads(samples, |sample| {
        let mut wrong = Vec::new();
        let mut files = Vec::new();
        for name in layouts {
            let made = translations(sample, target, &Layout::named(name).expect("the layout"));
            let reflected = reflection(sample, &made);
            assert_eq!(made.len(), reflected.outputs.len(), "{}", sample.name);
            files.push(made.len());
            for (translation, written) in made.iter().zip(&reflected.outputs) {
                wrong.extend(
                    report(sample, written, translation).err().map(|error| format!("{name} {}: {error}", written.file)),
                );
            }
        }
        (files, wrong)
    });
    let (files, wrong): (Vec<Vec<usize>>, Vec<Vec<String>>) = results.into_iter().unzip();
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "{} files disagree:\n{}", wrong.len(), wrong[..wrong.len().min(8)].join("\n"));
    for (at, name) in layouts.iter().enumerate() {
        let count: usize = files.iter().map(|files| files[at]).sum();
        assert!(count >= samples.len(), "{count} files in {name}, of {} samples", samples.len());
    }
}

fn differences(reflected: &Facts, reported: &Facts) -> Result<(), String> {
    let list = |facts: Vec<&String>| facts.into_iter().map(|fact| format!("    {fact}\n")).collect::<String>();
    let (only, other): (Vec<_>, Vec<_>) =
        (reflected.difference(reported).collect(), reported.difference(reflected).collect());
    match only.is_empty() && other.is_empty() {
        true => Ok(()),
        false => Err(format!("\n  reflection:\n{}  tool:\n{}", list(only), list(other))),
    }
}

#[test]
fn spirv_cross_reports_what_the_reflection_says_of_spirv() {
    if !SPIRV_CROSS.is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let named = with_members();
    let samples: Vec<&Sample> = Effort::part_of("PAIRS", &SAMPLES).into_iter().chain([&named]).collect();
    compare(&samples, Target::Spirv, &["stage3d", "vulkan", "sdl-gpu"], |_, written, translation| {
        let backends::Code::Words(words) = &translation.output.code else { panic!("words") };
        differences(&of_written(written), &of_spirv(written, words, folder.path()))
    });
}

#[test]
fn naga_reports_what_the_reflection_says_of_wgsl() {
    let named = with_members();
    let samples: Vec<&Sample> = SAMPLES.iter().chain([&named]).collect();
    compare(&samples, Target::Wgsl, &["stage3d", "wgpu", "ruffle"], |_, written, translation| {
        let backends::Code::Text(text) = &translation.output.code else { panic!("text") };
        differences(&of_written(written), &of_wgsl(text))
    });
}

/// Returns the uniforms, blocks, attributes and colours in glslang's report, keyed by section and name.
fn of_glsl(
    text: &str,
    stage: FunctionKind,
    folder: &std::path::Path,
    name: &str,
) -> BTreeMap<String, BTreeMap<String, String>> {
    let extension = if stage == FunctionKind::Vertex { "vert" } else { "frag" };
    let path = folder.join(format!("{}.{extension}", name.replace(['/', ' ', '.'], "_")));
    std::fs::write(&path, text).expect("the file");
    let ran = Command::new(GLSLANG.name).args(["-q", "-l"]).arg(&path).output().expect("glslang");
    let report = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status.success(), "{name}: {report}");
    let mut section = String::new();
    let mut found: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for line in report.lines() {
        match (line.strip_suffix(" reflection:"), line.split_once(": ")) {
            (Some(name), _) => section = name.to_string(),
            (None, Some((name, numbers))) => {
                let keyed = numbers.split(", ").filter_map(|number| number.rsplit_once(' '));
                let keys = keyed.map(|(key, number)| format!("{key}={number}")).collect::<Vec<_>>().join(" ");
                found.entry(section.clone()).or_default().insert(name.to_string(), format!("{keys} "));
            }
            _ => {}
        }
    }
    found
}

/// Compares the names and sizes of blocks, the paths and offsets of uniforms, and the names of textures, attributes and colours.
fn glsl_agrees(sample: &Sample, written: &Written, text: &str, folder: &std::path::Path) -> Result<(), String> {
    let entry = &written.entry_points[0];
    let found = of_glsl(text, entry.stage, folder, &written.file);
    let section = |name: &str| found.get(name).cloned().unwrap_or_default();
    let mut said = BTreeMap::new();
    let mut blocks = BTreeMap::new();
    for resource in &written.resources {
        match &resource.kind {
            Kind::Constants { passed, block, size, members, .. } => {
                let is_block = *passed == "buffer";
                blocks.extend(block.clone().filter(|_| is_block).map(|block| (block, rounded(u64::from(*size)))));
                let field = |field: &Field| {
                    let offset = if is_block { format!("offset={} ", field.offset) } else { String::new() };
                    (field.path.clone(), offset)
                };
                said.extend(members.iter().map(field));
            }
            _ => drop(said.insert(resource.name.clone(), String::new())),
        }
    }
    let mut wrong = Vec::new();
    let uniforms = section("Uniform");
    for (name, numbers) in &uniforms {
        match said.get(name) {
            Some(expected) if numbers.contains(expected.as_str()) => {}
            other => wrong.push(format!("uniform {name}: {numbers}, the reflection has {other:?}")),
        }
    }
    for (name, numbers) in section("Uniform block") {
        let size = numbers.split_whitespace().find_map(|number| number.strip_prefix("size=")?.parse().ok());
        if size.map(rounded) != blocks.get(&name).copied() {
            wrong.push(format!("block {name}: {numbers}, the reflection has {blocks:?}"));
        }
    }
    let stage = reflection(sample, &[]).stage(entry.stage).cloned().expect("the stage");
    for one in stage.samplers.iter().filter(|sampler| !sampler.components.is_empty()) {
        let names = written.resources.iter().filter(|resource| resource.register.as_ref() == Some(&one.register));
        for resource in names.filter(|resource| !uniforms.contains_key(&resource.name)) {
            wrong.push(format!("{} is read, and glslang does not report `{}`", one.register, resource.name));
        }
    }
    let variables = [
        ("Pipeline input", &entry.inputs, entry.stage == FunctionKind::Vertex),
        ("Pipeline output", &entry.outputs, entry.stage == FunctionKind::Fragment),
    ];
    for (name, variables, _) in variables.into_iter().filter(|(.., is_ours)| *is_ours) {
        for reported in section(name).keys().filter(|name| !name.starts_with("gl_")) {
            if !variables.iter().any(|variable| variable.name == *reported) {
                wrong.push(format!("{name} {reported} is not in the reflection"));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n  ")) }
}

#[test]
fn glslang_reports_what_the_reflection_says_of_glsl() {
    if !GLSLANG.is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    // By default, only some pairs are checked, because starting a process for each file takes time.
    let named = with_members();
    let samples: Vec<&Sample> = Effort::part_of("PAIRS", &SAMPLES).into_iter().chain([&named]).collect();
    for (version, layouts) in [(Glsl::Core450, &["stage3d"][..]), (Glsl::Es300, &["stage3d", "webgl2"])] {
        compare(&samples, Target::Glsl(version), layouts, |sample, written, translation| {
            let backends::Code::Text(text) = &translation.output.code else { panic!("text") };
            // glslang does not support the extension for clip distances.
            let has_clip_distances = text.contains("GL_EXT_clip_cull_distance");
            if has_clip_distances { Ok(()) } else { glsl_agrees(sample, written, text, folder.path()) }
        });
    }
}

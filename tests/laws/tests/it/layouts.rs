//! Writes every pair of testdata in every layout and target. External validators must accept each output. The WGSL and SPIR-V, as
//! naga's front ends read them, must agree with the interface in the groups, bindings, names, types and member offsets.
//!
//! Each pair is tested unchanged, and with constants that are split into random named members.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::PathBuf;

use agal_front::assemble::{AssembleOptions, assemble};
use agal_front::lift::{self, translate};
use backends::{
    Code, Constants, Error, Glsl, Interface, Layout, Length, Modules, Output, Passed, Precision, Resource,
    ResourceKind, Target,
};
use laws::{TARGETS, with_members};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{AddressSpace, TypeInner};
use sdlbc::{FunctionKind, Module, Scalar, Type, Verified};
use testing::{Effort, GLSLANG, SPIRV_VAL, Tool, on_two_threads, testdata};

pub(crate) fn pairs() -> Vec<(String, Module)> {
    let folder = testdata("pairs");
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assemble(&text, &AssembleOptions::default()).unwrap_or_else(|_| panic!("{}", path.display())).program
    };
    let module = |vertex: &PathBuf| {
        let name = vertex.file_name().unwrap_or_default().to_string_lossy().replace(".vert.agal", "");
        let (mut vertex, mut fragment) = (read(vertex), read(&folder.join(format!("{name}.frag.agal"))));
        let version = vertex.version.max(fragment.version);
        (vertex.version, fragment.version) = (version, version);
        let rules = agal_front::Rules::default().allow_ted(true);
        let lifted = translate(&[&vertex, &fragment], &lift::Options::default().rules(rules));
        (name, lifted.unwrap_or_else(|findings| panic!("{findings:?}")).module)
    };
    testing::files(&folder, ".vert.agal").iter().map(module).collect()
}

/// Returns all named layouts, and further layouts that combine other options.
fn layouts() -> Vec<Layout> {
    let wgpu = Layout::named("wgpu").expect("a row");
    let vulkan = Layout::named("vulkan").expect("a row");
    let others = [
        Layout { constants: Constants::Push, modules: Modules::Apart, name: "pushed", ..vulkan },
        Layout { constants: Constants::Push, name: "pushed together", ..wgpu.clone() },
        Layout { spirv: (1, 5), length: Length::File { vertex: 250, fragment: 200 }, name: "long", ..Layout::STAGE3D },
        Layout { precision: Precision::Medium, one_block: true, trust_indices: true, name: "one block", ..wgpu },
    ];
    Layout::ALL.into_iter().chain(others).collect()
}

#[test]
fn every_pair_is_accepted_in_every_layout_and_is_what_its_interface_says() {
    let pairs = pairs();
    let folder = tempfile::tempdir().expect("a folder");
    let tried = Effort::part_of("PAIRS", &pairs);
    let tried: Vec<(usize, &(String, Module))> = tried.into_iter().enumerate().collect();
    let found = on_two_threads(&tried, |(number, (name, module))| {
        let (mut files, mut failures) = (Vec::new(), Vec::new());
        let mut counts: BTreeMap<(&str, String), usize> = BTreeMap::new();
        let named = with_members(module, *number as u64, |_, lowest| lowest);
        for (module, kind) in [(module, "plain"), (&named, "named")] {
            for layout in layouts() {
                for target in TARGETS {
                    for (stage, output) in written(module, target, &layout) {
                        let what = format!("{name}, {kind}, {}, {target}, {stage:?}", layout.name);
                        match output {
                            // The `ruffle` layout reserves bindings for only eight samplers before the first texture.
                            Err(Error::SameBinding { binding: 10, .. }) if layout.name == "ruffle" => {}
                            // The size of push constants is limited, so some targets refuse large constants.
                            Err(Error::Unsupported { what, .. }) if what.contains("push constants") => {}
                            Err(error) => failures.push(format!("{what}: {error}")),
                            Ok(output) => {
                                let checked = testing::caught(|| check(&output, target));
                                if let Err(error) = checked.and_then(|checked| checked) {
                                    failures.push(format!("{what}: {error}\n{}", shown(&output)));
                                }
                                *counts.entry((layout.name, target.to_string())).or_default() += 1;
                                files.push((what, target, layout.spirv, stage, output.code));
                            }
                        }
                    }
                }
            }
        }
        failures.extend(validated(&files, folder.path().join(name)));
        (counts, failures)
    });
    let failures: Vec<&String> = found.iter().flat_map(|(_, failures)| failures).collect();
    let mut counts: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for (cell, count) in found.iter().flat_map(|(counts, _)| counts) {
        *counts.entry(cell.clone()).or_default() += count;
    }
    let count: usize = counts.values().sum();
    println!("outputs that are accepted, by layout and target: {counts:#?}");
    let cells = layouts().len() * TARGETS.len();
    assert_eq!(counts.len(), cells, "a layout has no outputs in a target");
    assert!(count >= 60 * tried.len(), "only {count} outputs");
    let shown: Vec<&str> = failures.iter().take(4).map(|failure| failure.as_str()).collect();
    assert!(failures.is_empty(), "{} of {count} outputs fail\n{}", failures.len(), shown.join("\n\n"));
}

fn write(module: &Module, target: Target, stage: Option<FunctionKind>, layout: &Layout) -> Result<Output, Error> {
    let module = Verified::new(module.clone()).expect("it verifies");
    backends::write(&module, target, stage, layout)
}

fn written(module: &Module, target: Target, layout: &Layout) -> Vec<(Option<FunctionKind>, Result<Output, Error>)> {
    let apart = layout.modules == Modules::Apart || matches!(target, Target::Glsl(_));
    let stages: &[Option<FunctionKind>] =
        if apart { &[Some(FunctionKind::Vertex), Some(FunctionKind::Fragment)] } else { &[None] };
    stages.iter().map(|&stage| (stage, write(module, target, stage, layout))).collect()
}

fn shown(output: &Output) -> String {
    let code = match &output.code {
        Code::Text(text) => text.clone(),
        Code::Words(words) => backends::spirv_assembly(words).unwrap_or_default(),
    };
    format!("{code}\n{:#?}", output.interface)
}

type File = (String, Target, (u8, u8), Option<FunctionKind>, Code);

/// Runs the external validators on a pair's output files, and returns the errors.
fn validated(files: &[File], folder: PathBuf) -> Vec<String> {
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut failures = Vec::new();
    let mut glsl = Vec::new();
    for (number, (what, target, version, stage, code)) in files.iter().enumerate() {
        let extension = match (target, stage) {
            (Target::Spirv, _) => "spv",
            (_, Some(FunctionKind::Vertex)) => "vert",
            _ => "frag",
        };
        let path = folder.join(format!("{number}.{extension}"));
        match code {
            Code::Words(words) => {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                std::fs::write(&path, bytes).expect("a file");
                let env = match version {
                    (1, 0) => "vulkan1.0",
                    (1, 5) => "vulkan1.2",
                    _ => "vulkan1.1",
                };
                let said = run(SPIRV_VAL, &["--target-env", env].map(OsStr::new), &[&path]);
                failures.extend(said.err().map(|error| format!("{what}: {error}")));
            }
            Code::Text(text) if matches!(target, Target::Glsl(_)) => {
                std::fs::write(&path, text).expect("a file");
                glsl.push((what, text, path));
            }
            Code::Text(_) => {}
        }
    }
    let paths: Vec<&PathBuf> = glsl.iter().map(|(_, _, path)| path).collect();
    if run(GLSLANG, &[], &paths).is_err() {
        for (what, text, path) in &glsl {
            failures.extend(run(GLSLANG, &[], &[path]).err().map(|error| format!("{what}: {error}\n{text}")));
        }
    }
    failures
}

fn run(tool: Tool, options: &[&OsStr], paths: &[&PathBuf]) -> Result<(), String> {
    if paths.is_empty() || !tool.is_there() {
        return Ok(());
    }
    tool.run(&options.iter().copied().chain(paths.iter().map(|path| path.as_os_str())).collect::<Vec<_>>())
}

/// Checks that naga accepts the code of an output, and that the code matches the output's interface.
fn check(output: &Output, target: Target) -> Result<(), String> {
    let module = match (&output.code, target) {
        (Code::Text(text), Target::Wgsl) => {
            naga::front::wgsl::parse_str(text).map_err(|error| error.emit_to_string(text))?
        }
        (Code::Words(words), _) if output.interface.resources.iter().any(is_combined) => {
            return decorated(&backends::spirv_assembly(words).map_err(|error| error.to_string())?, &output.interface);
        }
        (Code::Words(words), _) => {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let options = naga::front::spv::Options { adjust_coordinate_space: false, ..Default::default() };
            naga::front::spv::parse_u8_slice(&bytes, &options).map_err(|error| error.to_string())?
        }
        (Code::Text(text), _) => return declared(text, &output.interface, target),
    };
    if target == Target::Wgsl {
        let flags = ValidationFlags::all() - ValidationFlags::CONTROL_FLOW_UNIFORMITY;
        let checked = Validator::new(
            flags,
            Capabilities::IMMEDIATES | Capabilities::CUBE_ARRAY_TEXTURES | Capabilities::CLIP_DISTANCES,
        )
        .validate(&module);
        checked.map_err(|error| format!("{error:?}"))?;
    }
    let mut reflected: Vec<String> = module
        .global_variables
        .iter()
        .filter(|(_, variable)| variable.space != AddressSpace::Private)
        // In SPIR-V, the inputs and outputs of a stage are also global variables.
        .filter(|(_, variable)| variable.binding.is_some() || variable.space == AddressSpace::Immediate)
        .map(|(_, variable)| described(&module, variable, target))
        .collect();
    let mut said: Vec<String> =
        output.interface.resources.iter().flat_map(|resource| promised(resource, target)).collect();
    reflected.sort();
    said.sort();
    if reflected != said {
        return Err(format!("naga reads\n{reflected:#?}\nand the interface says\n{said:#?}"));
    }
    let mut entries: Vec<String> =
        module.entry_points.iter().map(|entry| format!("{:?} {}", entry.stage, entry.name)).collect();
    let mut named: Vec<String> =
        output.interface.entries.iter().map(|entry| format!("{:?} {}", entry.stage, entry.name)).collect();
    entries.sort();
    named.sort();
    if entries != named {
        return Err(format!("the entry points are {entries:?}, and the interface says {named:?}"));
    }
    Ok(())
}

fn is_combined(resource: &Resource) -> bool {
    matches!(resource.kind, ResourceKind::Texture { combined: true, .. })
}

/// Checks the sets and bindings in SPIR-V with combined samplers, which naga does not read.
fn decorated(text: &str, interface: &Interface) -> Result<(), String> {
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let number = |id: &str, what: &str| {
        let line = lines.iter().find(|line| line.len() == 4 && line[..3] == ["OpDecorate", id, what])?;
        line[3].parse::<u32>().ok()
    };
    let variables = lines.iter().filter(|line| line.len() > 4 && line[2] == "OpVariable");
    let variables = variables.filter(|line| ["UniformConstant", "Uniform", "PushConstant"].contains(&line[4]));
    let mut found: Vec<String> = Vec::new();
    for line in variables {
        let named = lines.iter().find(|name| name.len() == 3 && name[..2] == ["OpName", line[0]]);
        let name = named.map_or("", |name| name[2]);
        let at = number(line[0], "DescriptorSet").zip(number(line[0], "Binding"));
        found.push(format!("{at:?} {name}"));
    }
    let mut said: Vec<String> =
        interface.resources.iter().map(|resource| format!("{:?} \"{}\"", resource.binding, resource.name)).collect();
    found.sort();
    said.sort();
    match found == said && !text.contains("OpTypeSampler ") && !text.contains("OpSampledImage") {
        true => Ok(()),
        false => Err(format!("the words have {found:?}, and the interface says {said:?}")),
    }
}

/// Describes a global variable of a module that naga has read.
fn described(module: &naga::Module, variable: &naga::GlobalVariable, target: Target) -> String {
    let at = variable.binding.map(|at| (at.group, at.binding));
    let name = variable.name.clone().unwrap_or_default();
    let mut ty = variable.ty;
    // In SPIR-V, the variable's actual type is the only member of a structure.
    if let (Target::Spirv, TypeInner::Struct { members, .. }) = (target, &module.types[ty].inner) {
        ty = members[0].ty;
    }
    match &module.types[ty].inner {
        TypeInner::Struct { members, .. } => {
            let fields = members.iter().filter(|member| !is_padding(member.name.as_deref().unwrap_or("")));
            let fields: Vec<String> = fields
                .map(|member| {
                    let name = member.name.clone().unwrap_or_default();
                    format!("{name} {} {}", member.offset, shape(module, member.ty))
                })
                .collect();
            format!("{at:?} {name} {fields:?}")
        }
        TypeInner::Image { dim, .. } => format!("{at:?} {name} {dim:?}"),
        TypeInner::Sampler { .. } => format!("{at:?} {name} sampler"),
        _ => format!("{at:?} {name} {}", shape(module, ty)),
    }
}

/// Describes a resource of the interface in the format of [`described`].
fn promised(resource: &Resource, target: Target) -> Vec<String> {
    let Resource { binding: at, name, kind, .. } = resource;
    match kind {
        ResourceKind::Texture { dimension, combined, .. } => {
            let dim = match dimension {
                sdlbc::Dimension::D2 | sdlbc::Dimension::D2Array => "D2",
                sdlbc::Dimension::D3 => "D3",
                sdlbc::Dimension::Cube | sdlbc::Dimension::CubeArray => "Cube",
            };
            assert!(!combined || target != Target::Wgsl);
            vec![format!("{at:?} {name} {dim}")]
        }
        ResourceKind::Sampler { .. } => vec![format!("{at:?} {name} sampler")],
        ResourceKind::Image { dimension, format, .. } => {
            vec![format!("{at:?} {name} {}", Type::Image(*dimension, *format))]
        }
        ResourceKind::Buffer { element, .. } => vec![format!("{at:?} {name} {element}[]")],
        ResourceKind::BufferSizes { block, .. } => vec![format!("{at:?} {name} {block}")],
        ResourceKind::Constants { members, passed, offset, size, .. } => {
            assert_eq!(*passed == Passed::Push, at.is_none());
            assert!(members.iter().all(|field| field.offset < *size), "{members:?}");
            if let ([field], 0) = (&members[..], *offset)
                && field.name.is_empty()
            {
                return vec![format!("{at:?} {name} {}", words(field.ty))];
            }
            let fields: Vec<String> = members
                .iter()
                .filter(|field| !is_padding(&field.name))
                .map(|field| format!("{} {} {}", field.name, offset + field.offset, words(field.ty)))
                .collect();
            vec![format!("{at:?} {name} {fields:?}")]
        }
    }
}

fn is_padding(name: &str) -> bool {
    name.starts_with("padding")
}

fn shape(module: &naga::Module, ty: naga::Handle<naga::Type>) -> String {
    match module.types[ty].inner {
        TypeInner::Scalar(_) => "float".to_string(),
        TypeInner::Vector { size, .. } => format!("float{}", size as u8),
        TypeInner::Matrix { columns, rows, .. } => format!("float{}x{}", columns as u8, rows as u8),
        TypeInner::Array { base, size: naga::ArraySize::Constant(length), stride } => {
            format!("{}[{length}] by {stride}", shape(module, base))
        }
        ref other => format!("{other:?}"),
    }
}

fn words(ty: Type) -> String {
    match ty {
        Type::Vector(Scalar::Float, 1) => "float".to_string(),
        Type::Vector(_, width) => format!("float{width}"),
        Type::Matrix { columns, rows } => format!("float{columns}x{rows}"),
        Type::Array(_, width, length) => format!("float{width}[{length}] by 16"),
        Type::Texture(..) => "texture".to_string(),
        Type::Buffer(..) | Type::Image(..) => ty.to_string(),
    }
}

/// Checks that a GLSL shader contains the names and bindings of the interface.
fn declared(text: &str, interface: &Interface, target: Target) -> Result<(), String> {
    let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let missing = |name: &str| (!words.contains(&name)).then(|| format!("`{name}` is not in the text"));
    for resource in &interface.resources {
        let mut names = vec![resource.name.as_str()];
        if let ResourceKind::Constants { block, members, passed, .. } = &resource.kind {
            names.extend(block.as_deref().filter(|_| *passed == Passed::Buffer));
            names.extend(members.iter().map(|field| field.name.as_str()).filter(|name| !name.is_empty()));
            let plain =
                text.contains(&format!(" {}[", resource.name)) || text.contains(&format!(" {};", resource.name));
            if *passed == Passed::Plain && (!plain || text.contains("std140")) {
                return Err(format!("`{}` is not a plain uniform", resource.name));
            }
        }
        if let Some(error) = names.iter().find_map(|name| missing(name)) {
            return Err(error);
        }
        if let (Some((_, binding)), Target::Glsl(Glsl::Core450)) = (resource.binding, target)
            && !text.contains(&format!("binding = {binding})"))
        {
            return Err(format!("no binding {binding}"));
        }
    }
    let variables = interface.entries.iter().flat_map(|entry| entry.inputs.iter().chain(&entry.outputs));
    // A shader need not declare or read a built-in variable.
    let mut names = variables.filter(|variable| variable.location.is_some()).map(|variable| variable.name.as_str());
    names.find_map(missing).map_or(Ok(()), Err)
}

#[test]
fn a_stage_of_a_pair_has_the_places_that_it_has_in_the_whole() {
    for (name, module) in Effort::part_of("PAIRS", &pairs()) {
        for layout in layouts().into_iter().filter(|layout| layout.modules == Modules::Together) {
            let Ok(whole) = write(module, Target::Wgsl, None, &layout) else { continue };
            for stage in [FunctionKind::Vertex, FunctionKind::Fragment] {
                let part = write(module, Target::Wgsl, Some(stage), &layout).expect("a stage");
                let mut of_stage = whole.interface.resources.iter().filter(|resource| resource.stage == stage);
                let same = part.interface.resources.iter().all(|resource| {
                    of_stage
                        .next()
                        .is_some_and(|other| other.binding == resource.binding && other.input == resource.input)
                });
                assert!(same && of_stage.next().is_none(), "{name}, {}, {stage:?}", layout.name);
            }
        }
    }
}

#[test]
fn a_pair_for_files_of_one_stage_asks_for_the_stage() {
    let (_, module) = pairs().swap_remove(0);
    let apart = Layout::named("sdl-gpu").expect("a row");
    for (target, layout) in [(Target::Glsl(Glsl::Es300), Layout::STAGE3D), (Target::Spirv, apart)] {
        let Err(error) = write(&module, target, None, &layout) else { panic!("{target} has both stages") };
        assert!(error.to_string().ends_with("choose a stage"), "{error}");
    }
}

#[test]
fn entry_points_of_one_wgsl_file_have_different_names() {
    let (_, module) = pairs().swap_remove(0);
    let layout = Layout { entry: Some("main".into()), ..Layout::STAGE3D };
    let refused = write(&module, Target::Wgsl, None, &layout);
    assert!(matches!(refused, Err(Error::SameEntry { .. })), "{refused:?}");
    let words = backends::spirv(&module, &layout).expect("SPIR-V has entry points of the same name");
    let text = backends::spirv_assembly(&words).expect("text");
    let entries = text.lines().filter(|line| line.contains("OpEntryPoint") && line.contains("\"main\""));
    assert_eq!(entries.count(), 2, "{text}");
}

#[test]
fn places_that_collide_are_refused() {
    let named = |name: &str| pairs().into_iter().find(|(pair, _)| pair == name).expect("the pair").1;
    let module = named("lit_texture");
    let mut layout = Layout::STAGE3D;
    layout.fragment.textures = layout.fragment.constants;
    let refused = backends::wgsl(&module, &layout);
    let of_stage = [FunctionKind::Fragment; 2];
    assert!(
        matches!(refused, Err(Error::SameBinding { stages, group: 0, binding: 1 }) if stages == of_stage),
        "{refused:?}"
    );
    // If constants and textures share a group, the vertex stage's constants and the fragment stage's first texture have the same
    // binding.
    let mut layout = Layout::named("vulkan").expect("a row");
    layout.fragment.textures.group = 0;
    let of_pair = [FunctionKind::Vertex, FunctionKind::Fragment];
    for (target, stage) in [(Target::Wgsl, None), (Target::Spirv, None), (Target::Spirv, Some(FunctionKind::Vertex))] {
        let refused = write(&module, target, stage, &layout);
        assert!(matches!(refused, Err(Error::SameBinding { stages, .. }) if stages == of_pair), "{refused:?}");
    }
}

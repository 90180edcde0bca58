//! Tests the reflection against the JSON schema, expected files and the command's output.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use agalc::{Input, Loaded, Options, Reflection, reflect};
use backends::{Glsl, Interface, Layout, Modules, MslVersion, ShaderModel, Target};
use sdlbc::{FunctionKind, Module};
use serde_json::Value;
use testing::Effort;

use crate::support::sandbox::{Sandbox, pair};
use crate::support::schema::violations;
use crate::support::{expect, on_two_threads, repository, testdata};

pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) loaded: Loaded<Module>,
}

/// The samples: pairs and IR modules in testdata, programs in the macro language, and the corpus.
pub(crate) static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(|| {
    let mut samples = Vec::new();
    for vertex in testing::files(&testdata("pairs"), ".vert.agal") {
        let fragment = vertex.to_string_lossy().replace(".vert.agal", ".frag.agal");
        samples.push(sample(&[&vertex, Path::new(&fragment)]));
    }
    // Compute functions have a separate test, because not every target supports them.
    let with_compute = testdata("ir/compute");
    for path in testing::files_below(&testdata("ir"), ".sdlasm").iter().filter(|path| !path.starts_with(&with_compute))
    {
        samples.push(sample(&[path]));
    }
    for path in testing::files(&testdata("conformance"), ".sdlasm").iter().chain(&testing::corpus()) {
        samples.push(sample(&[path]));
    }
    samples.push(sample(&[&testdata("agal/macro/features_vertex.agal")]));
    samples.push(sample(&[&testdata("agal/macro/negative_numbers.agal")]));
    assert!(samples.len() > 140, "{} samples", samples.len());
    samples
});

fn sample(paths: &[&Path]) -> Sample {
    let input = |path: &&Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Input { name, bytes: std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())) }
    };
    let inputs: Vec<Input> = paths.iter().map(input).collect();
    let rules = agal_front::Rules::default().allow(vec![3647, 3648]).allow_ted(true);
    let name = inputs[0].name.clone();
    let loaded = agalc::load_all(&inputs, &Options::with_rules(rules));
    let loaded = loaded.unwrap_or_else(|refused| panic!("{name}: {refused}"));
    Sample { loaded: loaded.try_map(|module| Ok::<_, ()>(module.into_module())).expect("the same"), name }
}

pub(crate) struct Translation {
    pub(crate) target: Target,
    pub(crate) file: String,
    pub(crate) output: backends::Output,
}

pub(crate) const TARGETS: [Target; 7] = [
    Target::Spirv,
    Target::Wgsl,
    Target::Glsl(Glsl::Core450),
    Target::Glsl(Glsl::Core330),
    Target::Glsl(Glsl::Es300),
    Target::Hlsl(ShaderModel::V6_2),
    Target::Msl(MslVersion::V2_0),
];

/// Translates a sample to a target, as one file or as one file per stage. Panics on an error, unless the target or the layout is
/// known to lack a feature that the sample uses.
pub(crate) fn translations(sample: &Sample, target: Target, layout: &Layout) -> Vec<Translation> {
    let module = &sdlbc::Verified::new(sample.loaded.module.clone()).expect("it verifies");
    let kinds = module.functions.iter().map(|function| function.kind);
    let stages: Vec<FunctionKind> = kinds.filter(|&kind| kind != FunctionKind::Generic).collect();
    let is_apart = matches!(target, Target::Glsl(_)) || layout.modules == Modules::Apart;
    let stages = if is_apart { stages.into_iter().map(Some).collect() } else { vec![None] };
    let mut made = Vec::new();
    for stage in stages {
        match backends::write(module, target, stage, layout) {
            Ok(output) => {
                let stage = stage.map_or("", FunctionKind::name);
                made.push(Translation { target, file: format!("{} {target} {stage}", sample.name), output });
            }
            // The layout `ruffle` reserves bindings for only eight samplers before the first texture.
            Err(backends::Error::SameBinding { binding: 10, .. }) if layout.name == "ruffle" => {}
            Err(backends::Error::Unsupported { what, .. }) if is_lacking(target, &what) => {}
            Err(error) => panic!("{}: {target}, {}: {error}", sample.name, layout.name),
        }
    }
    made
}

/// Reports whether a GLSL version is known to lack the feature `what`. Only GLSL 4.50 has the features in `later`. naga cannot
/// write the features in `never` in any version.
fn is_lacking(target: Target, what: &str) -> bool {
    let Target::Glsl(version) = target else { return false };
    let later = [
        "the operation `gather`",
        "the operation `gathercompare`",
        "a texture that is an array of cubes",
        "`samplecompare` of an array of textures with an offset",
    ];
    let never = [
        "`samplecomparezero` of an array of cubes",
        "`gathercompare` of a depthtexture2darray",
        "`gathercompare` of a depthtexturecube ",
    ];
    let is = |lacking: &[&str]| lacking.iter().any(|lacking| what.starts_with(lacking));
    is(&never) || version != Glsl::Core450 && is(&later)
}

pub(crate) fn reflection(sample: &Sample, translations: &[Translation]) -> Reflection {
    let outputs = translations.iter().map(|one| (one.target, one.file.as_str(), &one.output.interface));
    let outputs: Vec<(Target, &str, &Interface)> = outputs.collect();
    reflect(&sample.loaded.module, &outputs).with_programs(&sample.loaded.programs)
}

fn schema() -> Value {
    let path = repository().join("docs/reflection.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("JSON")
}

#[test]
fn every_reflection_follows_the_schema() {
    let schema = schema();
    let numbers: Vec<usize> = (0..SAMPLES.len()).collect();
    let numbers = Effort::part_of("PAIRS", &numbers);
    let samples: Vec<(usize, &Sample)> = numbers.into_iter().map(|&number| (number, &SAMPLES[number])).collect();
    let found = on_two_threads(&samples, |(number, sample)| {
        // Two layouts per sample suffice, because all samples together cover every layout.
        let layouts = [Layout::STAGE3D, Layout::ALL[1 + number % (Layout::ALL.len() - 1)].clone()];
        let made = layouts
            .iter()
            .flat_map(|layout| TARGETS.iter().flat_map(move |&target| translations(sample, target, layout)));
        let made: Vec<Translation> = made.collect();
        let json = reflection(sample, &made).to_json();
        let value: Value = serde_json::from_str(&json).expect("JSON");
        let kinds = sample.loaded.module.functions.iter().filter(|function| function.kind != FunctionKind::Generic);
        assert_eq!(value["stages"].as_array().map(Vec::len), Some(kinds.count()));
        assert_eq!(value["outputs"].as_array().map(Vec::len), Some(made.len()));
        let least = |targets: usize| targets * if layouts[1].name == "ruffle" { 1 } else { 2 };
        // Only a GLSL target may lack a feature that a sample uses.
        let glsl = TARGETS.iter().filter(|target| matches!(target, Target::Glsl(_))).count();
        assert!(made.len() >= least(TARGETS.len() - glsl), "{} has {} outputs", sample.name, made.len());
        let found = violations(&schema, &value).into_iter().map(|violation| format!("{}{violation}", sample.name));
        (found.collect::<Vec<_>>(), made.len() < least(TARGETS.len()))
    });
    let (found, lacking): (Vec<Vec<String>>, Vec<bool>) = found.into_iter().unzip();
    let lacking = lacking.into_iter().filter(|is_lacking| *is_lacking).count();
    assert!(lacking <= 1 + samples.len() / 10, "{lacking} of {} samples lack outputs", samples.len());
    let found = found.concat();
    assert!(found.is_empty(), "{} violations:\n{}", found.len(), found[..found.len().min(20)].join("\n"));
}

/// Returns, for each layout, the validated reflection of a compute function in testdata/run.
fn of_compute(name: &str) -> Vec<(Layout, Value)> {
    let schema = schema();
    let sample = sample(&[&testdata(&format!("run/{name}.sdlasm"))]);
    let in_layout = |layout: Layout| {
        let targets = [Target::Spirv, Target::Wgsl, Target::Glsl(Glsl::Core450), Target::Msl(MslVersion::default())];
        let made: Vec<Translation> =
            targets.iter().flat_map(|&target| translations(&sample, target, &layout)).collect();
        assert_eq!(made.len(), targets.len());
        let value: Value = serde_json::from_str(&reflection(&sample, &made).to_json()).expect("JSON");
        assert_eq!(violations(&schema, &value), [""; 0], "{}", layout.name);
        (layout, value)
    };
    Layout::ALL.into_iter().map(in_layout).collect()
}

#[test]
fn the_reflection_of_a_compute_function_follows_the_schema() {
    for (layout, value) in of_compute("compute") {
        let stage = &value["stages"][0];
        assert_eq!((&stage["stage"], &stage["workgroup"]), (&"compute".into(), &serde_json::json!([2, 1, 1])));
        let of = |buffer: &Value| (buffer["name"].clone(), buffer["access"].clone(), buffer["stride"].clone());
        let expected: [(Value, Value, Value); 2] =
            [("numbers", "read"), ("out", "readwrite")].map(|(name, access)| (name.into(), access.into(), 4.into()));
        let buffers = stage["buffers"].as_array().expect("the buffers of the stage");
        assert_eq!(buffers.iter().map(of).collect::<Vec<_>>(), expected);
        for output in value["outputs"].as_array().expect("the files") {
            let resources = output["resources"].as_array().expect("the resources");
            let buffers = resources.iter().filter(|resource| resource["kind"] == "buffer");
            assert_eq!(buffers.count(), 2, "{}: {output}", layout.name);
            let sizes = resources.iter().find(|resource| resource["kind"] == "sizes");
            let expected = serde_json::json!([
                { "name": "numbers_size", "offset": 0, "buffer": "numbers", "slot": 0 },
                { "name": "out_size", "offset": 4, "buffer": "out", "slot": 1 },
            ]);
            assert_eq!(
                sizes.map(|sizes| &sizes["members"]),
                output["target"].as_str().filter(|target| target.starts_with("MSL")).map(|_| &expected)
            );
        }
    }
}

#[test]
fn the_reflection_of_storage_textures_follows_the_schema() {
    for (layout, value) in of_compute("images") {
        let images = serde_json::json!([
            { "slot": 0, "name": "from", "access": "read", "dimension": "2d", "format": "r32float" },
            { "slot": 1, "name": "to", "access": "write", "dimension": "2d", "format": "rgba8unorm" },
            { "slot": 2, "name": "layers", "access": "write", "dimension": "2d-array", "format": "rg32sint" },
        ]);
        assert_eq!(value["stages"][0]["images"], images);
        for output in value["outputs"].as_array().expect("the files") {
            let resources = output["resources"].as_array().expect("the resources");
            let images: Vec<_> = resources.iter().filter(|resource| resource["kind"] == "image").collect();
            assert_eq!(images.len(), 3, "{}: {output}", layout.name);
            assert!(images.iter().all(|image| image["binding"].is_u64()), "{}: {output}", layout.name);
        }
    }
}

#[test]
fn the_schema_refuses_other_fields_values_and_versions() {
    let schema = schema();
    let sample = &SAMPLES[0];
    let good: Value = serde_json::from_str(&reflection(sample, &[]).to_json()).expect("JSON");
    assert_eq!(violations(&schema, &good), [""; 0]);
    let changes: [(&str, Value); 6] = [
        ("/version", 1.into()),
        ("/stages/0/stage", "tessellation".into()),
        ("/stages/0/attributes/0/components", "yx".into()),
        ("/stages/0/attributes/0/location", (-1).into()),
        ("/stages/0/attributes/0/type", "float5".into()),
        ("/stages/0/agal/version", 9.into()),
    ];
    for (path, value) in changes {
        let mut wrong = good.clone();
        *wrong.pointer_mut(path).unwrap_or_else(|| panic!("{path}")) = value;
        assert!(!violations(&schema, &wrong).is_empty(), "{path}");
    }
    let mut wrong = good.clone();
    wrong["stages"][0]["more"] = 1.into();
    wrong.as_object_mut().expect("an object").remove("sources");
    let mut found = violations(&schema, &wrong);
    found.sort();
    assert_eq!(found, ["/stages/0: more is not in the schema", ": sources is missing"]);
}

/// The field `texels` is present only for depth textures and integer textures.
#[test]
fn what_texels_are_is_in_the_json() {
    let schema = schema();
    for (name, texels) in
        [("gathercompare_array", &["depth"][..]), ("fetch_ints", &["int", "uint"]), ("fetch_array", &[])]
    {
        let name = format!("{name}.sdlasm");
        let sample = SAMPLES.iter().find(|sample| sample.name == name).expect("the sample");
        let made = translations(sample, Target::Wgsl, &Layout::STAGE3D);
        let value: Value = serde_json::from_str(&reflection(sample, &made).to_json()).expect("JSON");
        assert_eq!(violations(&schema, &value), [""; 0]);
        let of = |path: &str, kind: Option<&str>, field: &str| {
            let list = value.pointer(path).and_then(Value::as_array).expect("a list").iter();
            let of_kind = list.filter(|one| kind.is_none_or(|kind| one["kind"] == kind));
            of_kind.map(|one| one.get(field).map(Value::to_string).unwrap_or_default()).collect::<BTreeSet<_>>()
        };
        let expected: BTreeSet<String> = match texels {
            [] => BTreeSet::from([String::new()]),
            texels => texels.iter().map(|texels| format!("\"{texels}\"")).collect(),
        };
        assert_eq!(of("/stages/0/samplers", None, "texels"), expected, "{name}");
        assert_eq!(of("/outputs/0/resources", Some("texture"), "texels"), expected, "{name}");
        let compares = if texels == ["depth"] { "true" } else { "" };
        let samplers = of("/outputs/0/resources", Some("sampler"), "comparison");
        assert!(samplers.iter().all(|compared| compared == compares), "{name}: {samplers:?}");
        let hlsl = &translations(sample, Target::Hlsl(ShaderModel::V6_2), &Layout::STAGE3D)[0].output.code;
        let backends::Code::Text(text) = hlsl else { panic!("a text") };
        assert_eq!(text.contains("SamplerComparisonState "), texels == ["depth"], "{text}");
    }
}

/// The fields that a reflection omits where they do not apply.
const OPTIONAL: [&str; 7] = ["buffers", "comparison", "distance", "images", "registers_at", "texels", "workgroup"];

#[test]
fn the_schema_is_complete() {
    fn walk(value: &Value, path: &str) {
        if let Value::Object(fields) = value {
            if let Some(Value::Object(properties)) = fields.get("properties").filter(|_| fields.contains_key("type")) {
                let names = properties.keys().map(String::as_str).filter(|name| !OPTIONAL.contains(name));
                let names: Vec<&str> = names.collect();
                let mut required: Vec<&str> =
                    fields["required"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
                required.sort_unstable();
                assert_eq!(names, required, "{path}");
                assert_eq!(fields["additionalProperties"], false, "{path}");
            }
            fields.iter().for_each(|(name, field)| walk(field, &format!("{path}/{name}")));
        }
        value.as_array().into_iter().flatten().for_each(|item| walk(item, path));
    }
    walk(&schema(), "");
}

#[test]
fn the_reflections_of_two_pairs_are_as_expected() {
    for name in ["lit_texture", "skinning_4"] {
        let sandbox = Sandbox::new();
        for stage in ["vert", "frag"] {
            let file = format!("{name}.{stage}.agal");
            sandbox.write(&file, std::fs::read(testdata("pairs").join(&file)).expect("a program"));
        }
        let (vertex, fragment) = (format!("{name}.vert.agal"), format!("{name}.frag.agal"));
        let compile = [
            "compile",
            &vertex,
            &fragment,
            "-o",
            "a.spv",
            "-o",
            "a.wgsl",
            "-o",
            "a.glsl",
            "--glsl",
            "300es",
            "--reflect",
            "a.json",
        ];
        sandbox.run(&compile).success();
        let json = sandbox.text("a.json");
        expect(&format!("testdata/output/{name}.reflection.json"), &json).unwrap_or_else(|error| panic!("{error}"));
        let value: Value = serde_json::from_str(&json).expect("JSON");
        let files: Vec<_> = value["outputs"].as_array().expect("a list").iter().map(|output| &output["file"]).collect();
        assert_eq!(files, ["a.spv", "a.wgsl", "a.vert.glsl", "a.frag.glsl"]);
        // The reflection printed by `inspect` describes the unoptimised program and lists no outputs.
        sandbox.run(&["compile", &vertex, &fragment, "-O0", "-o", "b.wgsl", "--reflect", "b.json"]).success();
        let value: Value = serde_json::from_str(&sandbox.text("b.json")).expect("JSON");
        let inspected: Value =
            serde_json::from_str(sandbox.run(&["inspect", "--json", &vertex, &fragment]).success().text())
                .expect("JSON");
        assert_eq!(inspected["stages"], value["stages"]);
        assert_eq!(inspected["outputs"], serde_json::json!([]));
        let report = sandbox.run(&["inspect", &vertex, &fragment]).success().into_text();
        expect(&format!("testdata/output/{name}.inspect.txt"), &report).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn shadercross_gets_a_file_for_each_stage() {
    let sandbox = pair();
    let to = ["--reflect", "a.json", "--reflect-format", "shadercross"];
    sandbox.run(&[&["compile", "a.vert.agal", "a.frag.agal", "-o", "a.spv"][..], &to].concat()).success();
    assert!(!sandbox.files().contains(&"a.json".to_string()));
    let json = |name: &str| serde_json::from_str::<Value>(&sandbox.text(name)).expect("JSON");
    let fragment = json("a.frag.json");
    let counts = ["samplers", "storage_textures", "storage_buffers", "uniform_buffers"].map(|field| &fragment[field]);
    assert_eq!(counts, [1, 0, 0, 1]);
    assert_eq!(fragment["inputs"], serde_json::json!([{"name": "v0", "type": "float4", "location": 0}]));
    assert_eq!(fragment["outputs"][0]["type"], "float4");
    assert_eq!(fragment["entry_point"], "fs_main");
    assert_eq!(fragment["sampler_slots"][0]["sampler"]["min_filter"], "SDL_GPU_FILTER_LINEAR");
    assert_eq!(json("a.vert.json")["uniform_slots"][0]["ranges"], serde_json::json!([{"first": 0, "count": 4}]));
    sandbox.run(&[&["compile", "a.frag.agal", "-o", "a.spv"][..], &to].concat()).success();
    assert_eq!(json("a.json")["stage"], "fragment");
    // Standard output can receive only one file.
    let to = ["--reflect", "-", "--reflect-format", "shadercross"];
    let ran = sandbox.run(&[&["compile", "a.vert.agal", "a.frag.agal", "-o", "a.spv"][..], &to].concat()).failure(2);
    assert!(ran.err.contains("SDL_shadercross describes one stage per file"), "{}", ran.err);
}

#[test]
fn the_registers_of_a_block_of_several_uniforms_are_found_in_it() {
    let sandbox = Sandbox::new();
    let text = "vertex function \"vs_main\" {
  input %1 position: float4 = attribute 0
  input %2 k: float = uniform
  input %3 vc: float4[4] = uniform
  input %4 wc: float4[2] = uniform
  output 0 op: float4 = position
  member %3[1] alpha: float3
  member %4[0] alpha: float4
  %10 = peek %3, 1
  %11 = swizzle %10, xyz
  %12 = vector %11, %2
  %13 = peek %4, 0
  %14 = add %12, %13
  poke %14, 0
}
";
    sandbox.write("two.sdlasm", text);
    let compile = ["compile", "two.sdlasm", "--layout", "sdl-gpu", "-o", "two.spv", "--reflect", "a.json"];
    let ran = sandbox.run(&compile).success();
    assert!(ran.err.contains("note: `alpha` is called `alpha_1` in `two.spv`"), "{}", ran.err);
    let reflection: Value = serde_json::from_str(&sandbox.text("a.json")).expect("JSON");
    assert_eq!(violations(&schema(), &reflection), [""; 0]);
    let block = &reflection["outputs"][0]["resources"][0];
    assert_eq!([&block["register"], &block["registers_at"]], [&serde_json::json!("vc"), &serde_json::json!(16)]);
    sandbox.run(&[&compile[..], &["--reflect-format", "shadercross"]].concat()).success();
    let stage: Value = serde_json::from_str(&sandbox.text("a.json")).expect("JSON");
    let buffer = &stage["uniform_slots"][0];
    assert_eq!([&buffer["register"], &buffer["registers_at"]], [&serde_json::json!("vc"), &serde_json::json!(16)]);
    assert_eq!(buffer["ranges"], serde_json::json!([{"first": 1, "count": 1}]));
}

#[test]
fn uniforms_with_a_slot_have_their_places() {
    let sandbox = Sandbox::new();
    let text = "vertex function \"vs_main\" {
  input %1 position: float4 = attribute 0
  input %2 clip: float4x4 = uniform slot 1 offset 64
  input %3 tint: float3 = uniform slot 1 offset 16
  input %4 fade: float = uniform slot 1 offset 28
  input %5 loose: float4 = uniform
  output 0 op: float4 = position
  %6 = multiply %2, %1
  %7 = vector %3, %4
  %8 = add %6, %7
  %9 = add %8, %5
  poke %9, 0
}
";
    sandbox.write("p.sdlasm", text);
    for (layout, to, places) in [
        ("sdl-gpu", "p.spv", [(1, 1), (1, 2)]),
        ("webgl2", "p.glsl", [(0, 0), (0, 0)]),
        ("wgpu", "p.wgsl", [(0, 2), (0, 4)]),
    ] {
        sandbox.run(&["compile", "p.sdlasm", "--layout", layout, "-o", to, "--reflect", "p.json"]).success();
        let reflection: Value = serde_json::from_str(&sandbox.text("p.json")).expect("JSON");
        assert_eq!(violations(&schema(), &reflection), [""; 0]);
        let constants = reflection["stages"][0]["constants"].as_array().expect("a list");
        let of: Vec<&Value> = constants.iter().map(|one| &one["place"]).collect();
        let place = |offset: u32, size: u32| serde_json::json!({"slot": 1, "offset": offset, "size": size});
        assert_eq!(of, [&place(64, 64), &place(16, 12), &place(28, 4), &Value::Null]);
        let resources = reflection["outputs"][0]["resources"].as_array().expect("a list");
        let buffer = resources.iter().find(|one| one["name"] == "vertex_uniforms1").expect("the buffer of the slot");
        let members = buffer["members"].as_array().expect("a list").iter();
        let members: Vec<_> =
            members.map(|one| (one["name"].as_str().expect("a name"), one["offset"].clone())).collect();
        let expected = [("tint", 16), ("fade", 28), ("clip", 64)].map(|(name, offset)| (name, Value::from(offset)));
        assert_eq!((members, &buffer["size"]), (expected.to_vec(), &128.into()), "{layout}");
        if layout == "webgl2" {
            let text = sandbox.text(to);
            assert!(
                text.contains("layout(std140) uniform VertexUniforms1 {\n") && text.contains("uniform vec4 loose;"),
                "{text}"
            );
        } else {
            let found = resources.iter().map(|one| (one["group"].clone(), one["binding"].clone())).collect::<Vec<_>>();
            for (group, binding) in places {
                assert!(found.contains(&(Value::from(group), Value::from(binding))), "{layout}: {found:?}");
            }
        }
    }
    let shown = sandbox.run(&["inspect", "p.sdlasm"]).success().into_text();
    assert!(shown.contains("uniform in slot 1, from byte 28"), "{shown}");
}

#[test]
fn a_reflection_is_an_output_like_any_other() {
    let sandbox = pair();
    let ran = sandbox.run(&["compile", "a.vert.agal", "-o", "a.spv", "--reflect", "a.vert.agal"]).failure(2);
    assert!(ran.err.contains("is read and would be overwritten"), "{}", ran.err);
    let ran = sandbox.run(&["compile", "a.vert.agal", "-o", "a.spv", "--reflect", "a.spv"]).failure(2);
    assert!(ran.err.contains("named twice as an output"), "{}", ran.err);
    let ran = sandbox.run(&["compile", "a.vert.agal", "-o", "a.spv", "--reflect-format", "shadercross"]).failure(2);
    assert!(ran.err.contains("--reflect"), "{}", ran.err);
}

/// A vertex format from a names file appears in the JSON of `compile` and `inspect`.
#[test]
fn a_declared_vertex_format_is_in_the_json() {
    let sandbox = pair();
    sandbox.write("a.names.toml", "va0 = \"place\"\nva1 = \"weights: Unorm8x4\"\n");
    sandbox.run(&["compile", "a.vert.agal", "a.frag.agal", "-o", "a.wgsl", "--reflect", "a.json"]).success();
    let compiled = sandbox.text("a.json");
    let inspected = sandbox.run(&["inspect", "--json", "a.vert.agal", "a.frag.agal"]).success().into_text();
    for json in [compiled, inspected] {
        let value: Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(violations(&schema(), &value), [""; 0]);
        let attributes = &value["stages"][0]["attributes"];
        let gl = serde_json::json!({"size": 4, "type": "GL_UNSIGNED_BYTE", "normalized": true, "integer": false});
        assert_eq!((&attributes[1]["formats"]["webgpu"], &attributes[1]["formats"]["gl"]), (&"unorm8x4".into(), &gl));
        assert_eq!(attributes[0]["formats"]["webgpu"], "float32x4");
    }
}

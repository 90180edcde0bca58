//! Compares the structure of our MSL with spirv-cross's translation of our SPIR-V. The structure consists of entry points,
//! attributes with their indices and types, and the number of texture reads and discards. For a compute function, the structure
//! also includes buffers, storage textures, shared arrays and barriers. `metal_compiled.rs` compiles the declarations and calls
//! with clang.

use std::collections::BTreeMap;
use std::ffi::OsStr;

use laws::works::{CORPUS, PAIRS, compute_functions, named};
use sdlbc::{FunctionKind, Module};
use sdlbc_naga::{Code, Layout, MslVersion, Target};
use testing::{Effort, SPIRV_CROSS, msl_tokens, testdata};

fn written(module: &Module, target: Target, stage: FunctionKind, layout: &Layout) -> Code {
    let module = sdlbc::Verified::new(module.clone()).expect("it verifies");
    sdlbc_naga::write(&module, target, Some(stage), layout).unwrap_or_else(|error| panic!("{error}")).code
}

/// The declarations and actions of an MSL shader: the type of each `[[attribute]]`, and the number of samples, reads and
/// discards.
#[derive(Debug, Default, PartialEq, Eq)]
struct Structure {
    attributes: BTreeMap<String, String>,
    samples: usize,
    reads: usize,
    discards: usize,
}

fn structure(text: &str) -> Structure {
    let tokens = msl_tokens(text);
    let mut found = Structure::default();
    for (at, window) in tokens.windows(3).enumerate() {
        match window {
            ["[", "[", _] => {
                let end = tokens[at..].iter().position(|token| *token == "]").expect("an end") + at;
                // Qualifiers after a comma are not compared, and spirv-cross's `locn` becomes `loc`.
                let attribute = tokens[at + 2..end].concat().replace("locn", "loc");
                let attribute = attribute.split(',').next().unwrap_or_default().to_string();
                let is_size = attribute.bytes().all(|byte| byte.is_ascii_digit());
                // An unread buffer is ignored, because only one of naga and spirv-cross declares it.
                let named = at.checked_sub(1).map(|name| tokens[name]);
                let is_read = tokens.iter().filter(|&&token| Some(token) == named).count() > 1;
                if !is_size && attribute != "stage_in" && (is_read || !attribute.starts_with("buffer")) {
                    found.attributes.insert(attribute, type_before(&tokens[..at]));
                }
            }
            [".", "sample", "("] => found.samples += 1,
            [".", "read", "("] => found.reads += 1,
            ["discard_fragment", "(", ")"] => found.discards += 1,
            // A colour that is the only result of a fragment function needs no attribute.
            ["fragment", ty, _] if ty.starts_with("float") => {
                found.attributes.insert("color(0)".into(), (*ty).to_string());
            }
            _ => {}
        }
    }
    found
}

/// Returns the type of the declaration that precedes an attribute. For comparison, every constant buffer has the type
/// `constants`.
fn type_before(tokens: &[&str]) -> String {
    let (_, before) = tokens.split_last().expect("a name");
    let start = before.iter().rposition(|token| ["{", ";", ",", "("].contains(token)).map_or(0, |at| at + 1);
    let ty = before[start..].concat();
    if ty.starts_with("constant") { "constants".to_string() } else { ty }
}

/// Compares our MSL for each stage of a module with spirv-cross's translation of our SPIR-V.
fn compare(name: &str, module: &Module, layout: &Layout, failures: &mut Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let stages = module.functions.iter().filter(|function| function.kind != FunctionKind::Generic);
    for function in stages {
        let Code::Text(ours) = written(module, Target::Msl(MslVersion::default()), function.kind, layout) else {
            panic!("MSL is text")
        };
        let Code::Words(words) = written(module, Target::Spirv, function.kind, layout) else {
            panic!("SPIR-V is words")
        };
        let path = folder.path().join("module.spv");
        std::fs::write(&path, words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>()).expect("the file");
        let arguments: [&OsStr; 4] = [path.as_os_str(), "--msl".as_ref(), "--msl-version".as_ref(), "20000".as_ref()];
        let theirs = SPIRV_CROSS.output(&arguments).unwrap_or_else(|said| panic!("{name}: {said}"));
        let (ours_has, theirs_has) = (structure(&ours), structure(&theirs));
        if ours_has != theirs_has {
            failures.push(format!("{name}: {ours_has:#?}\nand spirv-cross {theirs_has:#?}\n{ours}\n{theirs}"));
        }
        let kind = if function.kind == FunctionKind::Vertex { "vertex" } else { "fragment" };
        let entry = |text: &str| text.lines().filter(|line| line.starts_with(&format!("{kind} "))).count();
        assert_eq!((entry(&ours), entry(&theirs)), (1, 1), "{name}\n{ours}\n{theirs}");
    }
}

#[test]
fn msl_has_the_structure_that_spirv_cross_makes_of_our_spirv() {
    if !SPIRV_CROSS.is_there() {
        return;
    }
    let mut failures = Vec::new();
    let stage3d = Layout::default();
    for work in PAIRS.iter().chain(CORPUS.iter()) {
        compare(&work.name, &work.module(), &stage3d, &mut failures);
    }
    // Most users of MSL choose the `sdl-gpu` layout, so the test also covers that layout, with and without named members.
    let sdl_gpu = Layout::named("sdl-gpu").expect("the layout");
    for (seed, work) in Effort::part_of("PAIRS", &PAIRS).into_iter().enumerate() {
        compare(&work.name, &work.module(), &sdl_gpu, &mut failures);
        compare(&format!("{}, named", work.name), &named(&work.module(), seed as u64), &sdl_gpu, &mut failures);
    }
    for path in testing::files(&testdata("ir/operations"), ".sdlasm") {
        let module = sdlbc::parse(&std::fs::read_to_string(&path).expect("the module")).expect("a module");
        compare(&path.display().to_string(), &module, &stage3d, &mut failures);
    }
    let shown: Vec<&String> = failures.iter().take(3).collect();
    assert!(failures.is_empty(), "{} differ: {shown:#?}", failures.len());
}

/// Returns the sorted declarations and actions of a compute function: its arguments and shared arrays with their types, its
/// barriers, and its reads and writes of storage textures. Indices and names are left out, because spirv-cross chooses different
/// indices and names.
fn dispatched(text: &str) -> Vec<String> {
    // spirv-cross declares plain elements, and converts their addresses where an operation is atomic.
    let text = text.replace("device atomic_", "device ").replace("threadgroup atomic_", "threadgroup ");
    let tokens = msl_tokens(&text);
    let end_of = |start: usize, [open, close]: [&str; 2]| {
        let mut depth = 0;
        let end = tokens[start..].iter().position(|&token| {
            depth += i32::from(token == open) - i32::from(token == close);
            depth == 0
        });
        start + end.expect("an end")
    };
    let kernel = tokens.windows(2).position(|window| window == ["kernel", "void"]).expect("a compute function");
    let end = end_of(kernel + 3, ["(", ")"]);
    // spirv-cross wraps each array in a structure. `elements` maps the structure to the array's element type.
    let mut elements = BTreeMap::new();
    for window in tokens.windows(9) {
        if let ["struct", name, "{", element, _, "[", "1", "]", ";"] = *window {
            elements.insert(name, element);
        }
    }
    let mut found = Vec::new();
    let mut start = kernel + 4;
    for at in kernel + 4..end {
        if tokens[at..].starts_with(&["[", "["]) && !tokens[at - 1].starts_with('[') {
            let attribute = tokens[at + 2];
            let words: Vec<&str> =
                tokens[start..at - 1].iter().filter(|token| !["&", "*", ","].contains(*token)).copied().collect();
            found.push(match attribute {
                "buffer" if words.contains(&"device") => {
                    let access = if words.contains(&"const") { "reads" } else { "writes" };
                    let ty = words.last().expect("a type");
                    format!("{access} {}[]", elements.get(ty).unwrap_or(ty))
                }
                "buffer" if words.iter().any(|word| word.ends_with("BufferSizes")) => "a table of sizes".to_string(),
                // spirv-cross passes the table of sizes as a pointer.
                "buffer" if tokens[at - 1] == "spvBufferSizeConstants" => "a table of sizes".to_string(),
                "buffer" => "constants".to_string(),
                // spirv-cross does not declare that a texture is only read.
                "texture" => words.concat().replace(",access::read", "").replace("access::read", ""),
                // An unread argument is ignored, because only one of naga and spirv-cross declares it.
                _ if !tokens[end..].contains(&tokens[at - 1]) => String::new(),
                _ => format!("{} {attribute}", words.concat()),
            });
            start = end_of(at, ["[", "]"]) + 1;
        }
    }
    for (at, window) in tokens.windows(7).enumerate().skip(end) {
        match *window {
            ["threadgroup", ty, _, "[", length, "]", ";"] => found.push(format!("shared {ty}[{length}]")),
            ["threadgroup", ty, _, ";", ..] => found.push(format!("shared {ty}")),
            ["threadgroup_barrier", "(", ..] => found.push(tokens[at..end_of(at + 1, ["(", ")"])].concat()),
            [".", call @ ("read" | "write"), "(", ..] => found.push(call.to_string()),
            _ => {}
        }
    }
    found.retain(|part| !part.is_empty());
    found.sort();
    found
}

#[test]
fn a_compute_function_in_msl_has_the_structure_that_spirv_cross_makes_of_our_spirv() {
    if !SPIRV_CROSS.is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (mut failures, mut compared) = (Vec::new(), 0);
    for (name, module) in compute_functions() {
        for layout in [Layout::default(), Layout::named("sdl-gpu").expect("the layout")] {
            let written = |target| written(&module, target, FunctionKind::Compute, &layout);
            let Code::Text(ours) = written(Target::Msl(MslVersion::default())) else { panic!("MSL is text") };
            let Code::Words(words) = written(Target::Spirv) else { panic!("SPIR-V is words") };
            let path = folder.path().join("module.spv");
            std::fs::write(&path, words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
                .expect("the file");
            let arguments: [&OsStr; 4] =
                [path.as_os_str(), "--msl".as_ref(), "--msl-version".as_ref(), "20000".as_ref()];
            let theirs = SPIRV_CROSS.output(&arguments).unwrap_or_else(|said| panic!("{name}: {said}"));
            let (ours_has, theirs_has) = (dispatched(&ours), dispatched(&theirs));
            compared += 1;
            if ours_has != theirs_has {
                failures.push(format!("{name}: {ours_has:#?}\nand spirv-cross {theirs_has:#?}\n{ours}\n{theirs}"));
            }
        }
    }
    assert!(compared > 40, "{compared} compared");
    assert!(failures.is_empty(), "{} differ: {}", failures.len(), failures[0]);
}

#[test]
fn the_structure_of_a_compute_function_is_read() {
    let text = "struct _9\n{\n    uint _m0[1];\n};\nkernel void f(const device _9& a [[buffer(0)]], device float4* b [[buffer(1)]], constant BufferSizes& sizes [[buffer(2)]], texture2d<float, access::read> t [[texture(0)]], uint3 id [[thread_position_in_grid]])\n{\n    threadgroup float4 row[18];\n    threadgroup_barrier(mem_flags::mem_threadgroup);\n    x = t.read(uint2(id.xy));\n}\n";
    let expected = [
        "a table of sizes",
        "read",
        "reads uint[]",
        "shared float4[18]",
        "texture2d<float>",
        "threadgroup_barrier(mem_flags::mem_threadgroup",
        "uint3 thread_position_in_grid",
        "writes float4[]",
    ];
    assert_eq!(dispatched(text), expected);
}

#[test]
fn the_structure_of_a_text_is_read() {
    let text = "struct Vertex {\n    float4 va0 [[attribute(0)]];\n};\nfragment float4 f(Vertex input [[stage_in]], constant float4* fc [[buffer(0)]], constant int4& b [[buffer(1)]], texture2d<float> t [[texture(2)]]) {\n    if (a[b[0]] < 0.0) {\n        discard_fragment();\n    }\n    return t.sample(s, input.va0.xy);\n}\n";
    let found = structure(text);
    let attributes = ["attribute(0)", "buffer(1)", "color(0)", "texture(2)"];
    assert_eq!(found.attributes.keys().collect::<Vec<_>>(), attributes);
    assert_eq!(found.attributes["texture(2)"], "texture2d<float>");
    assert_eq!((found.samples, found.reads, found.discards), (1, 0, 1));
}

#[test]
fn msl_has_no_word_of_nagas_own() {
    let pairs = PAIRS.iter().map(|work| (work.name.clone(), work.module()));
    for (name, module) in pairs.chain(compute_functions()) {
        let text = sdlbc_naga::msl(&module, MslVersion::default(), &Layout::default()).expect("MSL");
        for word in msl_tokens(&text) {
            let label = word.starts_with('n') && word.ends_with('x') && word.len() > 2;
            let label = label && word[1..word.len() - 1].bytes().all(|byte| byte.is_ascii_digit());
            let naga =
                ["naga", "metal", "inner", "_tmp", "varyings", "_msl", "_buffer", "type_", "typedef", "_pad", "__"]
                    .iter()
                    .any(|part| word.starts_with(part));
            assert!(!label && (!naga || ["metal", "metal_stdlib"].contains(&word)), "{name}: `{word}` in\n{text}",);
        }
    }
}

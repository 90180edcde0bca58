//! Tests the clamps of computed indices. `testdata/indices` has one module and its outputs with clamps and with trusted indices
//! (`UPDATE_EXPECT=1 cargo test -p sdlbc-naga --test it indices::` updates them).

use sdlbc_naga::{Code, Glsl, Layout, MslVersion, ResourceKind, ShaderModel, Target, spirv_assembly};
use testing::{expect, testdata};

use crate::{module, write};

const TARGETS: [(Target, &str); 5] = [
    (Target::Wgsl, "wgsl"),
    (Target::Spirv, "spvasm"),
    (Target::Glsl(Glsl::Core450), "comp"),
    (Target::Hlsl(ShaderModel::V5_1), "hlsl"),
    (Target::Msl(MslVersion::V2_0), "metal"),
];

/// Returns the outputs of the module in every target, each with its extension.
fn outputs(layout: &Layout) -> Vec<(&'static str, String)> {
    let text = std::fs::read_to_string(testdata("indices/indices.sdlasm")).expect("a module");
    let module = module(&text);
    let made = |(target, extension)| {
        let output = write(&module, target, None, layout).expect("an output");
        let text = match output.code {
            Code::Text(text) => text,
            Code::Words(words) => spirv_assembly(&words).expect("SPIR-V"),
        };
        (extension, text)
    };
    TARGETS.into_iter().map(made).collect()
}

fn trusting() -> Layout {
    Layout { trust_indices: true, ..Layout::default() }
}

#[test]
fn outputs_with_clamps_and_with_trusted_indices_match_their_goldens() {
    let mut failures = Vec::new();
    for (name, layout) in [("clamped", Layout::default()), ("trusted", trusting())] {
        for (extension, text) in outputs(&layout) {
            failures.extend(expect(&format!("testdata/indices/{name}.{extension}"), &text).err());
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn trusted_indices_need_neither_clamps_nor_lengths_of_buffers() {
    for (extension, text) in outputs(&trusting()) {
        let text = text.to_lowercase();
        for word in ["clamp", "min(", "max(", "length", "bytes_of", "sizes"] {
            assert!(!text.contains(word), "{extension} contains `{word}`:\n{text}");
        }
    }
    let text = std::fs::read_to_string(testdata("indices/indices.sdlasm")).expect("a module");
    let has_table = |layout: &Layout| {
        let output = write(&module(&text), Target::Msl(MslVersion::V2_0), None, layout).expect("MSL");
        output.interface.resources.iter().any(|of| matches!(of.kind, ResourceKind::BufferSizes { .. }))
    };
    assert!(has_table(&Layout::default()) && !has_table(&trusting()));
}

#[test]
fn accesses_with_the_same_index_share_its_clamp_where_one_precedes_the_other() {
    let (_, text) = outputs(&Layout::default()).into_iter().next().expect("WGSL");
    // The index into `given` for the second element is clamped once, although the branch uses it again.
    assert_eq!(text.matches("arrayLength(&given)").count(), 3, "{text}");
    // Neither branch precedes the other, so each clamps the index into `sums`.
    assert_eq!(text.matches("arrayLength(&sums)").count(), 4, "{text}");
}

#[test]
fn an_index_that_is_known_to_be_outside_stays_inside_the_array_if_indices_are_trusted() {
    let text = "compute function \"cs\" {\n  input %1 weights: float4[8] = uniform\n  input %2 sums: float4[] = buffer 0 readwrite\n  \
                workgroup 1 1 1\n\n  %3 = literalint 9\n  %4 = peek %1, %3, 0\n  poke %4, %2, 0\n}\n";
    for (target, _) in TARGETS {
        write(&module(text), target, None, &trusting()).unwrap_or_else(|error| panic!("{target}: {error}"));
    }
}

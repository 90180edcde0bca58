//! Tests the names of entry points. An application looks up an entry point by name, so a name is kept, rejected, or reported as
//! changed.

use std::borrow::Cow;

use sdlbc::Module;
use sdlbc_naga::{Error, Layout, MslVersion, Output, Renamed, ShaderModel, Target};

use crate::write;

fn module(function: &str, attribute: &str) -> Module {
    let text = format!(
        "vertex function \"{function}\" {{
  input %1 {attribute}: float4 = attribute 0
  output 0 op: float4 = position
  poke %1, 0
}}
"
    );
    sdlbc::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// Writes a module with a layout that names the entry point `entry`.
fn written(entry: &'static str, target: Target) -> Output {
    let layout = Layout { entry: Some(Cow::Borrowed(entry)), ..Layout::STAGE3D };
    write(&module("vs_main", "va0"), target, None, &layout).expect("an output")
}

const MSL: Target = Target::Msl(MslVersion::V2_0);
const HLSL: Target = Target::Hlsl(ShaderModel::V6_0);

#[test]
fn a_name_like_that_of_an_internal_label_stays() {
    let output = write(&module("n1x", "p"), Target::Spirv, None, &Layout::default()).expect("SPIR-V");
    assert_eq!(output.interface.entries[0].name, "n1x");
    let sdlbc_naga::Code::Words(words) = output.code else { panic!("words") };
    let text = sdlbc_naga::spirv_assembly(&words).expect("text");
    assert!(
        text.contains(r#""n1x""#) && text.lines().any(|line| line.contains("OpEntryPoint") && line.contains("n1x"))
    );
}

#[test]
fn an_entry_point_that_cannot_keep_its_name_is_reported() {
    for (entry, target, given) in [
        ("lerp", HLSL, "lerp_1"),
        ("fn", Target::Wgsl, "fn_1"),
        ("kernel", MSL, "kernel_1"),
        ("_draw", Target::Wgsl, "draw"),
    ] {
        let output = written(entry, target);
        assert_eq!(output.interface.entries[0].name, given);
        assert_eq!(output.renamed, [Renamed { wanted: entry.into(), given: given.into() }], "{target}");
        let sdlbc_naga::Code::Text(text) = output.code else { panic!("a text") };
        assert!(text.contains(&format!(" {given}(")), "{text}");
    }
    let output = write(&module("two words", "va0"), Target::Wgsl, None, &Layout::default()).expect("WGSL");
    assert_eq!(output.renamed, [Renamed { wanted: "two words".into(), given: "two_words".into() }]);
}

#[test]
fn main_is_called_main0_in_msl_and_that_is_no_surprise() {
    let output = written("main", MSL);
    assert_eq!((output.interface.entries[0].name.as_str(), output.renamed.len()), ("main0", 0));
    let sdlbc_naga::Code::Text(text) = output.code else { panic!("a text") };
    assert!(text.contains(" main0("), "{text}");
    for target in [Target::Spirv, Target::Wgsl, HLSL, Target::Glsl(sdlbc_naga::Glsl::Es300)] {
        let output = written("main", target);
        assert_eq!((output.interface.entries[0].name.as_str(), output.renamed.len()), ("main", 0), "{target}");
    }
}

#[test]
fn a_layout_whose_entry_name_is_no_identifier_is_refused() {
    for name in ["", "foo bar", "日本", "9", "a-b"] {
        let layout = Layout { entry: Some(Cow::Borrowed(name)), ..Layout::STAGE3D };
        for target in [Target::Spirv, Target::Wgsl, MSL, HLSL, Target::Glsl(sdlbc_naga::Glsl::Es300)] {
            let refused = write(&module("vs_main", "va0"), target, None, &layout);
            assert!(matches!(refused, Err(Error::EntryName { .. })), "{name}, {target}: {refused:?}");
        }
    }
}

//! Names of entry points: an application looks an entry point up by its name, so that it is the exact one, or a refusal, or
//! reported.

use std::borrow::Cow;

use sdlbc::Module;
use sdlbc_naga::{Layout, MslVersion, Output, Renamed, ShaderModel, Target, write};

/// A vertex stage whose function and attribute have these names.
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

/// Writes a module; with an entry name of the layout.
fn written(entry: &'static str, target: Target) -> Output {
    let layout = Layout { entry: Some(Cow::Borrowed(entry)), ..Layout::STAGE3D };
    write(&module("vs_main", "va0"), target, None, &layout).expect("an output")
}

const MSL: Target = Target::Msl(MslVersion::V2_1);
const HLSL: Target = Target::Hlsl(ShaderModel::V6_0);

#[test]
fn a_name_like_that_of_an_internal_label_stays() {
    let output = write(&module("n1x", "p"), Target::Spirv, None, &Layout::default()).expect("SPIR-V");
    assert_eq!(output.interface.entries[0].name, "n1x");
    let sdlbc_naga::Code::Words(words) = output.code else { panic!("words") };
    let text = sdlbc_naga::spirv_assembly(&words).expect("text");
    assert!(text.contains(r#""n1x""#) && text.lines().any(|line| line.contains("OpEntryPoint") && line.contains("n1x")));
}

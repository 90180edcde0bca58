//! Tests the module that is generated from a hand-built interface. The interface has members of every shape, padding between
//! members, and initial values.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

use agal_front::Stage;
use agalc::{Input, Loaded, Options, Source};
use backends::{EntryPoint, Field, Interface, Passed, Resource, ResourceKind, Variable};
use sdlbc::{Dimension, FunctionKind, Id, Scalar, Texel, Type};

use crate::code::Included;
use crate::describe::{Described, Values, describe};
use crate::rust::{Style, module};

const VERTEX: &str = "m44 op, va0, vc0\nmov v0, va1\nmov v1, vc4\nmov v2, vc[va0.x+5]";
const FRAGMENT: &str =
    "tex ft0, v0, fs0 <2d,linear,miplinear,repeat>\nadd ft0, ft0, v1\nadd ft0, ft0, v2\nmul oc, ft0, fc0";

fn loaded() -> Loaded {
    let input = |name: &str, text: &str| Input { name: name.to_string(), bytes: text.into() };
    let inputs = [input("a.vert.agal", VERTEX), input("a.frag.agal", FRAGMENT)];
    let options = Options::default();
    let sources = inputs
        .iter()
        .zip([Stage::Vertex, Stage::Fragment])
        .map(|(input, stage)| Source::open(input, &options).with_role(stage));
    agalc::load(&sources.collect::<Vec<_>>(), &options).expect("a module")
}

fn field(name: &str, offset: u32, ty: Type) -> Field {
    Field { name: name.to_string(), path: format!("transform.{name}"), offset, ty, uniform: Id(2), within: offset }
}

/// Returns an interface in the layout `wgpu`, with named members.
fn interface(uniforms: [Id; 2]) -> Interface {
    let matrix = |columns, rows| Type::Matrix { columns, rows };
    let constants = |stage, input, name: &str, binding, size, members| Resource {
        stage,
        input,
        name: name.to_string(),
        binding: Some((0, binding)),
        kind: ResourceKind::Constants { passed: Passed::Buffer, block: None, size, offset: 0, members },
    };
    let sampled = |name: &str, binding, kind| Resource {
        stage: FunctionKind::Fragment,
        input: Id(1),
        name: name.to_string(),
        binding: Some((1, binding)),
        kind,
    };
    let texture =
        ResourceKind::Texture { dimension: Dimension::D2, texel: Texel::Float, slot: 0, combined: false, unit: None };
    let members = vec![
        field("clip", 0, matrix(4, 4)),
        field("lightDir", 64, Type::floats(3)),
        field("opacity", 80, Type::FLOAT),
        field("offset", 88, Type::floats(2)),
        field("normal", 96, matrix(3, 3)),
        field("bones", 144, Type::Array(Scalar::Float, 4, 40)),
    ];
    let variable =
        |name: &str, location, ty| Variable { index: 0, name: name.to_string(), location: Some(location), ty };
    let inputs = vec![variable("position", 0, Type::floats(3)), variable("colour", 1, Type::FLOAT4)];
    let entry = |stage, name: &str, inputs| EntryPoint {
        stage,
        name: name.to_string(),
        workgroup: None,
        inputs,
        outputs: Vec::new(),
    };
    Interface {
        entries: vec![
            entry(FunctionKind::Vertex, "vs_main", inputs),
            entry(FunctionKind::Fragment, "fs_main", Vec::new()),
        ],
        resources: vec![
            constants(FunctionKind::Vertex, uniforms[0], "transform", 0, 784, members),
            constants(
                FunctionKind::Fragment,
                uniforms[1],
                "fc",
                1,
                16,
                vec![field("", 0, Type::Array(Scalar::Float, 4, 1))],
            ),
            sampled("albedo", 0, texture),
            sampled("albedo_sampler", 1, ResourceKind::Sampler { slot: 0, texel: Texel::Float }),
        ],
    }
}

fn described() -> Described {
    let loaded = loaded();
    let uniform = |kind| {
        let function = loaded.module.functions.iter().find(|function| function.kind == kind).expect("the function");
        let mut inputs = function.inputs.iter();
        inputs.find(|input| input.kind == sdlbc::InputKind::Uniform).expect("a uniform").id
    };
    let interface = interface([FunctionKind::Vertex, FunctionKind::Fragment].map(uniform));
    let formats = BTreeMap::from([(1, agalc::names::VertexFormat::Unorm8x4)]);
    let values = Values::from([
        ((Stage::Vertex, 4), [None, Some(1.0), None, None]),
        ((Stage::Fragment, 0), [Some(0.1), Some(f32::INFINITY), None, Some(-0.0)]),
    ]);
    describe("lit", &loaded.module, &interface, &formats, &values)
}

fn code(style: Style) -> String {
    let text = Included { constant: "WGSL".into(), about: "The text.".into(), file: "lit.wgsl".into(), words: None };
    let words =
        Included { constant: "SPIRV".into(), about: "The words.".into(), file: "lit.spv".into(), words: Some(3) };
    module(&described(), &["a.vert.agal".into(), "a.frag.agal".into()], &[text, words], style)
}

fn formatted(code: &str) -> String {
    let mut command = Command::new("rustfmt");
    // The command runs outside this repository, so that the repository's rustfmt settings do not apply.
    command.args(["--edition", "2024"]).current_dir(std::env::temp_dir()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("rustfmt is installed");
    child.stdin.take().expect("a pipe").write_all(code.as_bytes()).expect("rustfmt reads");
    let output = child.wait_with_output().expect("rustfmt ends");
    assert!(output.status.success(), "{code}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn members_lie_where_their_registers_do_and_hold_the_values_of_the_source() {
    let code = code(Style { bytemuck: false, wgpu: false });
    let part = |from: &str, to: &str| {
        let start = code.find(from).unwrap_or_else(|| panic!("no {from} in\n{code}"));
        code[start..].split(to).next().unwrap_or_default().lines().map(str::trim).collect::<Vec<_>>().join("\n")
    };
    let fields: Vec<String> = part("pub struct Transform {", "}\n\n").lines().skip(1).map(str::to_string).collect();
    let fields: Vec<&str> = fields.iter().map(String::as_str).filter(|line| line.starts_with("pub ")).collect();
    assert_eq!(
        fields,
        [
            "pub clip: [[f32; 4]; 4],",
            "pub light_dir: [f32; 3],",
            "pub _padding0: f32,",
            "pub opacity: f32,",
            "pub _padding1: f32,",
            "pub offset: [f32; 2],",
            "pub normal: [[f32; 4]; 3],",
            "pub bones: [[f32; 4]; 40],",
        ]
    );
    assert!(code.contains("light_dir: [0.0, 1.0, 0.0],\n"), "{code}");
    assert!(code.contains("registers: [[0.1, f32::INFINITY, 0.0, -0.0]],\n"), "{code}");
    assert!(code.contains("pub colour: [u8; 4],\n"), "{code}");
    assert!(code.contains("/// `transform.offset`: a vector of 2 floats, register vc5.zw.\n"), "{code}");
}

#[test]
fn the_code_is_as_rustfmt_formats_it() {
    for (bytemuck, wgpu) in [(false, false), (true, true)] {
        let code = code(Style { bytemuck, wgpu });
        similar_text(&code, &formatted(&code));
    }
}

fn similar_text(code: &str, formatted: &str) {
    let first = code.lines().zip(formatted.lines()).find(|(a, b)| a != b);
    assert!(code == formatted, "the first line that differs: {first:?}\n{formatted}");
}

//! Tests the readability of the outputs. A few pairs have byte-for-byte goldens (testdata/output; `UPDATE_EXPECT=1 cargo test -p
//! sdlbc-naga --test it output::` updates them). Other tests check properties of readable shaders for all pairs.

use std::collections::{BTreeMap, BTreeSet};

use agal_front::Program;
use agal_front::opcode::{Meaning, Operand};
use agal_front::register::File;
use laws::works::{CORPUS, KINDS, Kind, Output, PAIRS, Work, of_file, optimised, outputs, words};
use sdlbc::{FunctionKind, InputKind, Type};
use sdlbc_naga::{Glsl, Layout, MslVersion, ShaderModel};
use testing::{expect, on_two_threads, testdata};

/// The pairs that have goldens, with the reason for each choice.
const KEPT: [&str; 13] = [
    "textured_quad",        // the smallest
    "lit_texture",          // the pair of the README
    "phong_one_light",      // straight-line code, pow
    "skinning_4",           // indirect constants
    "skinning_branching",   // conditionals in a vertex program
    "ray_tracer",           // nested conditionals
    "multi_texture_batch",  // tex in conditionals
    "alpha_test",           // kil
    "gbuffer_mrt",          // four colours
    "deferred_point",       // many textures
    "depth_output_sphere",  // depth
    "reflection_cube",      // cube textures with a bias
    "sdf_text_derivatives", // ddx and ddy
];

/// The pairs that also have goldens in HLSL and MSL.
const KEPT_NATIVE: [&str; 6] =
    ["textured_quad", "lit_texture", "skinning_4", "multi_texture_batch", "gbuffer_mrt", "depth_output_sphere"];

/// The compute functions that have goldens: one has a shared array with barriers, and the other has a structure of uniforms.
const KEPT_COMPUTE: [&str; 2] = ["prefix_sum", "particles"];

fn made(work: &Work, kind: Kind) -> Vec<Output> {
    outputs(&work.module(), kind).unwrap_or_else(|error| panic!("{}: {error}", work.name))
}

#[test]
fn the_outputs_of_chosen_pairs_match_their_goldens() {
    let mut failures = Vec::new();
    for name in KEPT {
        let pair = PAIRS.iter().find(|pair| pair.name == name).unwrap_or_else(|| panic!("there is no pair {name}"));
        let mut compare = |extension: &str, text: &str| {
            failures.extend(expect(&format!("testdata/output/{name}.{extension}"), text).err());
        };
        // The goldens show the module after the optimisation passes, as users see it.
        let module = optimised(pair.module());
        let made = |kind| outputs(&module, kind).unwrap_or_else(|error| panic!("{name}: {error}"));
        for output in made(Kind::Wgsl) {
            compare("wgsl", output.text());
        }
        for output in made(Kind::Glsl(Glsl::Core450)) {
            compare(output.extension, output.text());
        }
        if KEPT_NATIVE.contains(&name) {
            compare("hlsl", &sdlbc_naga::hlsl(&module, ShaderModel::default(), &Layout::default()).expect("HLSL"));
            compare("metal", &sdlbc_naga::msl(&module, MslVersion::default(), &Layout::default()).expect("MSL"));
        }
        for output in made(Kind::Spirv) {
            compare("spvasm", &sdlbc_naga::spirv_assembly(&words(&output.bytes)).expect("text"));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn the_outputs_of_chosen_compute_functions_match_their_goldens() {
    let mut failures = Vec::new();
    for name in KEPT_COMPUTE {
        let module = optimised(of_file(&testdata("sources/compute").join(format!("{name}.wgsl"))));
        for kind in [Kind::Wgsl, Kind::Glsl(Glsl::Core450)] {
            for output in outputs(&module, kind).unwrap_or_else(|error| panic!("{name}: {error}")) {
                failures.extend(expect(&format!("testdata/output/{name}.{}", output.extension), output.text()).err());
            }
        }
        let hlsl = sdlbc_naga::hlsl(&module, ShaderModel::default(), &Layout::default()).expect("HLSL");
        failures.extend(expect(&format!("testdata/output/{name}.hlsl"), &hlsl).err());
        let msl = sdlbc_naga::msl(&module, MslVersion::default(), &Layout::default()).expect("MSL");
        failures.extend(expect(&format!("testdata/output/{name}.metal"), &msl).err());
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn there_are_no_goldens_of_other_pairs() {
    let folder = testdata("output");
    for entry in std::fs::read_dir(folder).expect("the folder") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        let stem = name.split('.').next().unwrap_or_default();
        assert!(KEPT.contains(&stem) || KEPT_COMPUTE.contains(&stem), "testdata/output/{name}");
    }
}

fn texts() -> impl Iterator<Item = Kind> {
    KINDS.into_iter().filter(|kind| *kind != Kind::Spirv)
}

/// Checks every text output of every pair and corpus program with `check`, which returns the problems in an output.
#[track_caller]
fn each_text(check: impl Fn(&Work, &Output) -> Vec<String> + Sync) {
    let works: Vec<&Work> = PAIRS.iter().chain(CORPUS.iter()).collect();
    let failures = on_two_threads(&works, |work| {
        let outputs = texts().flat_map(|kind| made(work, kind));
        let of =
            |output: &Output, wrong| format!("{} as {} ({}): {wrong}", work.name, output.kind.name(), output.extension);
        outputs
            .flat_map(|output| check(work, &output).into_iter().map(move |wrong| of(&output, wrong)))
            .collect::<Vec<_>>()
    });
    let failures = failures.concat();
    let shown: Vec<&str> = failures.iter().take(25).map(String::as_str).collect();
    assert!(failures.is_empty(), "{} problems\n{}", failures.len(), shown.join("\n"));
}

/// Returns the identifiers and keywords of a shader in order.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(move |c| !is_word(c)).filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

fn programs_in<'a>(work: &'a Work, output: &Output) -> Vec<&'a Program> {
    let all = work.sources.iter().map(|source| &source.program);
    let stage = match output.extension {
        "vert" => Some(agal_front::Stage::Vertex),
        "frag" => Some(agal_front::Stage::Fragment),
        _ => None,
    };
    all.filter(|program| stage.is_none_or(|stage| program.stage == stage)).collect()
}

fn is_straight(program: &Program) -> bool {
    let opens =
        |token: &agal_front::token::Token| matches!(token.op().map(|op| op.row().meaning), Some(Meaning::If(_)));
    !program.tokens.iter().any(opens)
}

fn body<'a>(text: &'a str, function: &str) -> Vec<&'a str> {
    let start = format!("{function}(");
    let lines = text.lines().skip_while(|line| !line.contains(&start)).skip(1);
    lines.take_while(|line| *line != "}").collect()
}

fn bodies<'a>(program: &Program, output: &'a Output) -> Vec<&'a str> {
    match (output.kind, program.stage) {
        (Kind::Wgsl, agal_front::Stage::Vertex) => body(output.text(), "fn vs_main"),
        (Kind::Wgsl, agal_front::Stage::Fragment) => body(output.text(), "fn fs_main"),
        _ => body(output.text(), "void main"),
    }
}

#[test]
fn a_program_without_conditionals_has_no_variable_and_no_store() {
    each_text(|work, output| {
        let mut wrong = Vec::new();
        for program in programs_in(work, output).into_iter().filter(|program| is_straight(program)) {
            let lines = bodies(program, output);
            assert!(!lines.is_empty(), "{}: {}", work.name, output.text());
            for line in lines {
                let line = line.trim();
                let declares = line.starts_with("var ");
                // In GLSL, a definition has a type before its name; an assignment without a type writes an output.
                let (target, _) = line.split_once(" = ").unwrap_or(("let _", ""));
                let output_name = ["gl_Position", "gl_FragDepth", "v", "oc"];
                let is_output = output.kind != Kind::Wgsl
                    && output_name.contains(&target.trim_end_matches(|c: char| c.is_ascii_digit()));
                let is_store = !target.contains(' ') && !is_output;
                if declares || is_store {
                    wrong.push(line.to_string());
                }
            }
        }
        wrong
    });
}

/// Checks the HLSL and the MSL of every pair and corpus program, with both stages in one file.
#[track_caller]
fn each_native_text(check: impl Fn(&str) -> Vec<String> + Sync) {
    let works: Vec<&Work> = PAIRS.iter().chain(CORPUS.iter()).collect();
    let failures = on_two_threads(&works, |work| {
        let (module, layout) = (work.module(), Layout::default());
        let texts = [
            ("HLSL", sdlbc_naga::hlsl(&module, ShaderModel::default(), &layout).expect("HLSL")),
            ("MSL", sdlbc_naga::msl(&module, MslVersion::default(), &layout).expect("MSL")),
        ];
        let wrong = texts.iter().flat_map(|(language, text)| {
            assert!(text.lines().count() > 5, "{}: {text}", work.name);
            check(text).into_iter().map(move |wrong| format!("{} as {language}: {wrong}", work.name))
        });
        wrong.collect::<Vec<_>>()
    });
    let failures = failures.concat();
    let shown: Vec<&str> = failures.iter().take(25).map(String::as_str).collect();
    assert!(failures.is_empty(), "{} problems\n{}", failures.len(), shown.join("\n"));
}

/// Returns the names in a shader that naga generates for unnamed values.
fn generated(text: &str) -> Vec<String> {
    let generated = |name: &&str| {
        let numbered = name.strip_prefix("_e").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        let prefixed = name.contains("naga") || name.starts_with("_vs2fs") || name.starts_with("_p2vs");
        let other = name.starts_with("_fs2p") || name.starts_with("_group") || name.starts_with("_tmp");
        numbered || prefixed || other || name.ends_with('_') || name.ends_with('x') && name.contains("_n")
    };
    let found: BTreeSet<&str> = names(text).filter(generated).collect();
    found.into_iter().map(str::to_string).collect()
}

#[test]
fn no_name_was_generated_by_naga() {
    each_text(|_, output| generated(output.text()));
    each_native_text(generated);
}

/// Returns the names that `let` and `var` declare in WGSL, or the names of local variables in GLSL.
fn locals<'a>(work: &Work, output: &'a Output) -> Vec<&'a str> {
    let mut locals = Vec::new();
    for program in programs_in(work, output) {
        for line in bodies(program, output) {
            let line = line.trim();
            if let Some(rest) = line.strip_prefix("let ").or_else(|| line.strip_prefix("var ")) {
                locals.extend(rest.split([':', ' ']).next());
            } else if output.kind != Kind::Wgsl {
                let types = ["float ", "int ", "uint ", "bool ", "vec", "ivec", "uvec", "bvec", "mat"];
                let definition = line.split([';']).next().unwrap_or_default();
                let (before, _) = definition.split_once(" = ").unwrap_or((definition, ""));
                if types.iter().any(|ty| line.starts_with(ty)) && before.split(' ').count() == 2 {
                    locals.extend(before.split(' ').nth(1));
                }
            }
        }
    }
    locals
}

#[test]
fn a_local_is_named_after_its_register() {
    let derived = |name: &str| {
        let (file, rest) = name.split_at(name.find(|c: char| c.is_ascii_digit() || c == '_').unwrap_or(name.len()));
        let registers = ["va", "vc", "vt", "op", "v", "ft", "fc", "oc", "od", "iid"];
        // A value without a register is named after its meaning.
        if ["condition", "discarded", "rows", "is_zero"]
            .contains(&name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_'))
        {
            return true;
        }
        let (number, suffixes) = rest.split_at(rest.find('_').unwrap_or(rest.len()));
        let numbered = number.bytes().all(|byte| byte.is_ascii_digit());
        let known = |word: &str| word.bytes().all(|b| b.is_ascii_digit()) || ["dx", "dy", "index", ""].contains(&word);
        numbered && suffixes.split('_').all(known) && registers.contains(&file)
    };
    each_text(|work, output| {
        let strange = locals(work, output).into_iter().filter(|name| !derived(name));
        strange.map(|name| format!("`{name}` is not named after a register")).collect()
    });
}

#[test]
fn every_local_input_and_binding_is_used() {
    each_text(|work, output| {
        let text = output.text();
        let mut wrong = Vec::new();
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        for program in programs_in(work, output) {
            for name in bodies(program, output).into_iter().flat_map(names) {
                *uses.entry(name).or_default() += 1;
            }
        }
        let used = |name: &str, times: usize| uses.get(name).is_some_and(|&count| count >= times);
        for local in locals(work, output).into_iter().filter(|local| !used(local, 2)) {
            wrong.push(format!("the local `{local}` is not used"));
        }
        for line in text.lines() {
            // Declarations look like `var<uniform> vc: ...` or `var fs0: ...` in WGSL, and like `in vec4 v0;`, `uniform sampler2D
            // fs0;` or `{ vec4 vc[8]; }` in GLSL.
            let declared: Vec<&str> = match output.kind {
                Kind::Wgsl if line.starts_with("@group") => {
                    let name = line.split(" var").nth(1).and_then(|rest| rest.split(' ').nth(1));
                    name.map(|name| name.trim_end_matches(':')).into_iter().collect()
                }
                Kind::Wgsl if line.starts_with("fn ") => {
                    let inputs = line.split("->").next().unwrap_or_default().split("@location(").skip(1);
                    inputs.filter_map(|input| names(input).next()).collect()
                }
                Kind::Wgsl => Vec::new(),
                _ if line.contains(" in ") || line.contains("uniform") || line.contains(" out ") => {
                    let name = line.trim_end_matches(" };").trim_end_matches(';');
                    let name = name.rsplit(' ').next().and_then(|name| name.split('[').next());
                    name.into_iter().collect()
                }
                _ => Vec::new(),
            };
            for name in declared.into_iter().filter(|name| !used(name, 1)) {
                wrong.push(format!("`{name}` is declared and not used: {line}"));
            }
        }
        wrong
    });
}

/// In a file with both stages, names cannot show which stage uses an input, so this test reads the IR.
#[test]
fn every_input_of_the_ir_is_read_and_every_output_written_once() {
    for work in PAIRS.iter().chain(CORPUS.iter()) {
        for function in &work.module().functions {
            let code = function.body.insts();
            let read: BTreeSet<sdlbc::Id> = code.iter().flat_map(|inst| &inst.inputs).copied().collect();
            let mut pokes = vec![0; function.outputs.len()];
            for inst in code.iter().filter(|inst| inst.op == sdlbc::Op::Poke) {
                pokes[inst.immediates[0] as usize] += 1;
            }
            for input in &function.inputs {
                assert!(read.contains(&input.id), "{}: {} is not read", work.name, input.name);
            }
            assert!(pokes.iter().all(|&count| count == 1), "{}: {pokes:?}", work.name);
        }
    }
}

#[test]
fn no_component_is_selected_from_a_padded_vector() {
    each_text(|_, output| padded(output.text()));
    // naga writes a splatted scalar in HLSL as `(1.0).xxxx`, and a component of the splat as `(1.0).xxxx.x`.
    each_native_text(|text| padded(text).into_iter().filter(|wrong| !wrong.contains(").xxxx.")).collect());
}

/// Returns the swizzles in a shader that have no effect, or that select from a vector built only for the swizzle.
fn padded(text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for (at, _) in text.match_indices('.') {
        let letters: String = text[at + 1..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let is_swizzle = !letters.is_empty() && letters.len() <= 4 && letters.chars().all(|c| "xyzw".contains(c));
        if !is_swizzle {
            continue;
        }
        let line = text[..at].rfind('\n').map_or(0, |start| start + 1);
        let line = text[line..].lines().next().unwrap_or_default().trim();
        // The check rejects `(vec4(a)).x`, `vec3(a, b, c).xy`, `a.xyz.x` and `a.xyzw`.
        let before = &text[..at];
        if letters == "xyzw" || before.ends_with(')') && constructs(before) {
            wrong.push(format!("`.{letters}` in {line}"));
        }
        let previous: String = before.chars().rev().take_while(|c| c.is_ascii_alphanumeric()).collect();
        let swizzled = before[..before.len() - previous.len()].ends_with('.');
        if swizzled && !previous.is_empty() && previous.chars().all(|c| "xyzw".contains(c)) {
            wrong.push(format!("a swizzle of a swizzle in {line}"));
        }
    }
    wrong
}

/// Reports whether the call at the end of `text` constructs a vector.
fn constructs(text: &str) -> bool {
    let mut depth = 0usize;
    for (at, c) in text.char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' => {
                depth -= 1;
                if depth == 0 {
                    let name = text[..at].trim_end_matches("<f32>");
                    let vectors = ["vec2", "vec3", "vec4", "float2", "float3", "float4"];
                    return vectors.iter().any(|vector| name.ends_with(vector));
                }
            }
            _ => {}
        }
    }
    false
}

/// The instructions of the IR determine the length of a constant array. The array ends after the highest constant that is read,
/// unless the program computes an index, which requires the whole register file.
#[test]
fn a_constant_array_is_as_long_as_the_part_that_is_read() {
    for work in PAIRS.iter().chain(CORPUS.iter()) {
        let module = work.module();
        for (function, program) in module.functions.iter().zip(work.programs()) {
            let array = function.inputs.iter().find(|input| input.kind == InputKind::Uniform);
            let Some((array, Type::Array(_, 4, length))) = array.map(|input| (input.id, input.ty)) else { continue };
            let peeks = function.body.insts().iter();
            let peeks = peeks.filter(|inst| inst.op == sdlbc::Op::Peek && inst.inputs[0] == array);
            let indexed = peeks.clone().any(|inst| inst.inputs[1].is_some());
            let highest = peeks.map(|inst| inst.immediates[0]).max().unwrap_or(0);
            let whole = File::Constant.count(program.stage, program.version);
            assert_eq!(length, if indexed { whole } else { highest + 1 }, "{} {}", work.name, function.name);
            // The array contains no registers beyond those that the program's tokens name.
            let named = program.tokens.iter().flat_map(|token| {
                let constant = |slot: usize| token.src(slot).register_file() == Some(File::Constant);
                let rows = |slot| if token.operand(slot) == Operand::Matrix { 4 } else { 1 };
                [0, 1].into_iter().filter(move |&s| constant(s)).map(move |s| u32::from(token.src(s).number) + rows(s))
            });
            assert!(indexed || length <= named.max().unwrap_or(0), "{} {}", work.name, function.name);
            for kind in texts() {
                let extension = if function.kind == FunctionKind::Vertex { "vert" } else { "frag" };
                let output =
                    made(work, kind).into_iter().find(|output| [extension, "wgsl"].contains(&output.extension));
                let output = output.expect("an output");
                let name = File::Constant.name(program.stage);
                let declared = match kind {
                    Kind::Wgsl => format!("var<uniform> {name}: array<vec4<f32>, {length}>;"),
                    _ => format!("{{ vec4 {name}[{length}]; }};"),
                };
                assert!(output.text().contains(&declared), "{}: {declared}\n{}", work.name, output.text());
            }
        }
    }
}

#[test]
fn the_pair_of_the_readme_is_as_plain_as_promised() {
    let pair = PAIRS.iter().find(|pair| pair.name == "lit_texture").expect("the pair");
    let outputs = made(pair, Kind::Wgsl);
    let text = outputs[0].text();
    let code = text.lines().filter(|line| line.starts_with("    ") && !line.trim_start().starts_with('@')).count();
    assert!(code <= 10, "{code} lines of code\n{text}");
    assert!(!text.contains("var ") || text.matches("var ").count() == text.matches("@group").count() - 2, "{text}");
}

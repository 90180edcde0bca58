//! Tests of source lines: each line of an output file is traced to lines of the source.
//!
//! The traced lines of chosen pairs are compared with golden files for every target (testdata/lines). `UPDATE_EXPECT=1`
//! regenerates the golden files. For all pairs, tracing must not change the output, and at least one output line must be traced
//! to each source line that computes a value.

use std::collections::BTreeSet;
use std::fmt::Write;

use agalc::{Code, DebugLevel, Input, Layout, Options, Target, files};
use backends::{MslVersion, ShaderModel, SourceLine};
use laws::works::PAIRS;
use sdlbc::{FunctionKind, Op, Verified};
use testing::{expect, on_two_threads, testdata};

fn targets() -> Vec<(Target, &'static str)> {
    let known = laws::TARGETS.map(|target| match target {
        Target::Spirv => (target, "spvasm"),
        Target::Wgsl => (target, "wgsl"),
        _ => (target, "glsl"),
    });
    let native = [(Target::Hlsl(ShaderModel::default()), "hlsl"), (Target::Msl(MslVersion::default()), "metal")];
    known.into_iter().chain(native).collect()
}

/// Reads a pair from testdata at [`DebugLevel::Lines`], and optimises the pair.
fn pair(name: &str) -> Verified {
    let input = |stage: &str| {
        let file = format!("{name}.{stage}.agal");
        Input { bytes: std::fs::read(testdata("pairs").join(&file)).expect("the program"), name: file }
    };
    let inputs = ["vert", "frag"].map(input);
    let mut options = Options::default().debug(DebugLevel::Lines);
    options.meaning.rules.allow_ted = true;
    let loaded = agalc::load_all(&inputs, &options).unwrap_or_else(|_| panic!("{name}"));
    agalc::optimise(loaded.module, &Default::default())
}

/// An output file, with the source lines of each output line.
struct Traced {
    stage: Option<FunctionKind>,
    text: String,
    lines: Vec<Vec<SourceLine>>,
}

/// Writes a module for a target, and checks that tracing source lines does not change the output.
fn traced(module: &Verified, target: Target) -> Vec<Traced> {
    let layout = Layout::default();
    let write = |stage| {
        let (output, lines) = backends::write_with_lines(module, target, stage, &layout).expect("it can be written");
        assert_eq!(output, backends::write(module, target, stage, &layout).expect("the same"), "{target}");
        let text = match output.code {
            Code::Text(text) => text,
            Code::Words(words) => backends::spirv_assembly(&words).expect("text"),
        };
        assert_eq!(text.lines().count(), lines.len(), "{target}");
        Traced { stage, text, lines }
    };
    files(module, target, &layout).into_iter().map(write).collect()
}

#[test]
fn the_lines_of_chosen_pairs_match_their_goldens() {
    let mut failures = Vec::new();
    for name in ["lit_texture", "skinning_branching", "depth_output_sphere", "gbuffer_mrt"] {
        let module = pair(name);
        failures.extend(each_golden(name, &module, |from| {
            let file = &module.debug.sources[from.source as usize].file;
            format!("{}{}", if file.contains(".vert") { 'v' } else { 'f' }, from.line)
        }));
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// Compares the traced lines with the golden file of each target, and returns the differences.
fn each_golden(name: &str, module: &Verified, place: impl Fn(&SourceLine) -> String) -> Vec<String> {
    let mut failures = Vec::new();
    for (target, extension) in targets() {
        if matches!(target, Target::Glsl(version) if version != Default::default()) {
            continue;
        }
        let mut shown = String::new();
        for Traced { stage, text, lines } in traced(module, target) {
            if let Some(stage) = stage {
                writeln!(shown, "{}:", stage.name()).expect("text");
            }
            for (line, from) in text.lines().zip(&lines) {
                let from: Vec<String> = from.iter().map(&place).collect();
                writeln!(shown, "{:>16} | {line}", from.join(" ")).expect("text");
            }
        }
        failures.extend(expect(&format!("testdata/lines/{name}.{extension}.txt"), &shown).err());
    }
    failures
}

/// Every value of these programs has its own source line. Only the output line that computes the value may be traced to that
/// source line.
#[test]
fn the_lines_of_forms_that_agal_does_not_have_match_their_goldens() {
    let text = std::fs::read_to_string(testdata("lines").join("forms.sdlasm")).expect("the module");
    let module = sdlbc::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let module = Verified::new(module).unwrap_or_else(|violations| panic!("{violations:?}"));
    let failures: Vec<String> = each_golden("forms", &module, |from| from.line.to_string());
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn lines_are_the_same_output_and_every_line_that_computes_is_found_in_every_target() {
    let names: Vec<&str> = PAIRS.iter().map(|pair| pair.name.as_str()).collect();
    let of_pair = |&name: &&str| {
        let module = pair(name);
        let mut wrong = Vec::new();
        for (target, _) in targets() {
            let found: BTreeSet<SourceLine> =
                traced(&module, target).into_iter().flat_map(|traced| traced.lines.into_iter().flatten()).collect();
            // Direct3D links varyings by their order, so the HLSL backend removes unread varyings and the instructions that
            // compute them.
            if name == "shared_vertex_program" && matches!(target, Target::Hlsl(_)) {
                continue;
            }
            let missing: Vec<u32> = computing(&module).difference(&found).map(|line| line.line).collect();
            if !missing.is_empty() {
                wrong.push(format!("{name} as {target}: lines {missing:?}"));
            }
        }
        wrong
    };
    let wrong = on_two_threads(&names, of_pair).concat();
    assert!(wrong.is_empty(), "{} have lines that no line comes from\n{}", wrong.len(), wrong.join("\n"));
}

/// Returns the source lines that compute a value of the module, rather than only read or reorder a value.
fn computing(module: &Verified) -> BTreeSet<SourceLine> {
    let mut lines = BTreeSet::new();
    for (index, function) in module.functions.iter().enumerate() {
        let Some(debug) = module.debug_of(index).and_then(|debug| debug.lines.as_ref()) else { continue };
        for (inst, &line) in function.body.insts().iter().zip(&debug.numbers) {
            let is_read = matches!(
                inst.op,
                Op::Peek
                    | Op::Swizzle
                    | Op::Phi
                    | Op::LiteralFloat
                    | Op::LiteralInt
                    | Op::LiteralUint
                    | Op::LiteralBool
            );
            if inst.output.is_some() && line > 0 && !is_read {
                lines.insert(SourceLine { source: debug.source, line });
            }
        }
    }
    lines
}

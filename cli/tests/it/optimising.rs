//! Tests the options `-O`, `--fast-math`, `--print-after` and `--time-passes`.

use crate::support::sandbox::Sandbox;
use crate::support::took::watched;
use laws::works::PAIRS;

/// Returns a sandbox with a module that constant folding, common subexpression elimination and fast-math can simplify.
fn handwritten() -> Sandbox {
    let sandbox = Sandbox::new();
    let text = r#"
fragment function "fs_main" {
  input %1 v0: float4 = varying 0
  output 0 oc: float4 = colour 0
  %2 = literalfloat 2.0
  %3 = literalfloat 3.0
  %4 = multiply %2, %3
  %5 = multiply %1, %4
  %6 = add %5, %1
  %7 = add %5, %1
  %8 = multiply %6, %7
  %9 = literalfloat 0.0
  %10 = add %8, %9
  poke %10, 0
}
"#;
    sandbox.write("m.sdlasm", text);
    sandbox
}

#[test]
fn each_level_does_what_the_page_says() {
    let sandbox = handwritten();
    let text = |options: &[&str]| {
        let arguments: Vec<&str> =
            ["compile", "m.sdlasm", "--to", "sdlasm"].into_iter().chain(options.iter().copied()).collect();
        sandbox.run(&arguments).success().into_text()
    };
    let given = text(&["-O0"]);
    assert!(given.contains("literalfloat 3.0") && given.matches(" = add ").count() == 3, "{given}");
    assert_eq!(text(&[]), given, "a module that is only converted stays as it is");
    let optimised = text(&["-O2"]);
    assert!(optimised.contains("literalfloat 6.0") && !optimised.contains("literalfloat 3.0"), "{optimised}");
    assert_eq!(
        optimised.matches(" = add ").count(),
        2,
        "the sum is computed once, and adding zero changes -0\n{optimised}"
    );
    assert_eq!(text(&["-O1"]).matches(" = add ").count(), 2);
    let fast = text(&["-O2", "--fast-math"]);
    assert!(!fast.contains("literalfloat 0.0"), "{fast}");
    assert_eq!(text(&["-O2", "--fast-math", "--assume", "finite"]), optimised);
    let refused = sandbox.run(&["compile", "m.sdlasm", "--to", "wgsl", "--assume", "finite"]);
    assert_eq!(refused.failure(2).out, b"");
}

#[test]
fn a_module_file_gives_the_same_bytes_at_each_level() {
    let some = ["phong_four_points", "ray_tracer", "alpha_test", "skinning_4"];
    for pair in PAIRS.iter().filter(|pair| some.contains(&pair.name.as_str())) {
        let sandbox = Sandbox::new();
        let sources: Vec<String> = pair.sources.iter().map(|source| source.path.display().to_string()).collect();
        for level in ["-O0", "-O1", "-O2"] {
            let from: Vec<&str> = ["compile", level].into_iter().chain(sources.iter().map(String::as_str)).collect();
            let both: Vec<&str> =
                from.iter().copied().chain(["-o", "a.spv", "-o", "a.wgsl", "-o", "a.sdlbc"]).collect();
            sandbox.run(&both).success();
            sandbox.run(&["compile", level, "a.sdlbc", "-o", "b.spv", "-o", "b.wgsl", "-o", "b.sdlbc"]).success();
            for kind in ["spv", "wgsl", "sdlbc"] {
                assert!(
                    sandbox.read(&format!("a.{kind}")) == sandbox.read(&format!("b.{kind}")),
                    "{}, {level}, {kind}",
                    pair.name
                );
            }
        }
    }
}

#[test]
fn passes_are_printed_and_timed_on_standard_error() {
    let sandbox = handwritten();
    let ran = sandbox.run(&["compile", "m.sdlasm", "--to", "wgsl", "--print-after", "fold", "--time-passes"]).success();
    assert!(ran.err.contains("; function 0 after fold") && ran.err.contains("literalfloat 6.0"), "{}", ran.err);
    assert!(!ran.err.contains("after gvn"), "{}", ran.err);
    for pass in ["dce", "fold", "algebra", "copy", "gvn", "phi", "select", "lanes", "hoist"] {
        assert!(ran.err.lines().any(|line| line.starts_with(pass) && line.contains(" runs ")), "{pass}: {}", ran.err);
    }
    assert!(ran.text().contains("fn fs_main"));
    let refused = sandbox.run(&["compile", "m.sdlasm", "--to", "wgsl", "--print-after", "nonsense"]);
    assert!(refused.failure(2).err.contains("hoist"));
}

#[test]
fn optimise_notes_only_what_it_writes() {
    let sandbox = Sandbox::new();
    sandbox.write("long.frag.agal", "mov ft0, v0\ntex ft1, ft0, fs0 <2d,linear>\nmov oc, ft1\n");
    sandbox.write("bad.frag.agal", "acos ft0, v0\n");
    let ran = sandbox.run(&["optimise", "long.frag.agal", "-o", "short.agal"]).success();
    assert!(ran.err.ends_with("note: long.frag.agal: tokens from 3 to 1, temporaries from 2 to 0\n"), "{}", ran.err);
    let ran =
        sandbox.run(&["optimise", "long.frag.agal", "bad.frag.agal", "-o", "one.agal", "-o", "two.agal"]).failure(1);
    assert!(!ran.err.contains("note:") && ran.err.contains("nothing was written"), "{}", ran.err);
    assert_eq!(sandbox.files(), ["bad.frag.agal", "long.frag.agal", "short.agal"]);
    let ran = sandbox.run(&["optimize", "short.agal", "--stage", "fragment", "-o", "same.agal"]).success();
    assert!(
        ran.err.ends_with("note: short.agal: no program shorter than 1 token and 0 temporaries was found\n"),
        "{}",
        ran.err
    );
}

#[test]
fn optimise_says_why_a_program_is_left_as_it_is() {
    let sandbox = Sandbox::new();
    sandbox.write("open.frag.agal", "mov ft0, v0\nadd ft0, ft0, ft1\nmov oc, ft0\n");
    let ran = sandbox.run(&["optimise", "open.frag.agal", "-o", "same.agal"]).success();
    let note = "note: open.frag.agal: no program shorter than 3 tokens and 1 temporary was found; a program with an error is left as it is: \
                token 2, byte 47: `ft1` is read, but nothing has written it\n";
    assert!(ran.err.ends_with(note), "{}", ran.err);
}

#[test]
fn the_help_of_optimise_has_the_options_of_agal_alone() {
    let help = Sandbox::new().run(&["optimise", "--help"]).success();
    assert!(help.text().contains("--stage") && !help.text().contains("GLSL") && !help.text().contains("--entry-point"));
}

/// A command may use a fixed amount of memory plus ten times the size of the source text.
#[test]
fn a_long_text_takes_memory_in_proportion() {
    const START: usize = 24 << 20;
    let sandbox = Sandbox::new();
    let statements = testing::Effort::of("LINES", 700_000).cases.max(120_000) as usize;
    let text = format!("// agal 3 fragment\n{}mov oc, ft0\n", "mov ft0, v0\n".repeat(statements));
    sandbox.write("long.agal", &text);
    for line in [
        &["validate"][..],
        &["compile", "--to", "wgsl", "-o", "x.wgsl"],
        &["optimise", "-o", "x.agal"],
        &["assemble", "-o", "x.agalbc"],
    ] {
        let ran = watched(sandbox.command(&[line, &["long.agal"]].concat()), &sandbox.path("err.txt"));
        assert_eq!(ran.code, 0, "{line:?}: {}", ran.err);
        if testing::memory_of("self", "VmHWM:").is_none() {
            testing::say("SKIPPED: this system does not tell how much memory a process takes");
            return;
        }
        let most = START + 10 * text.len();
        assert!(ran.memory <= most, "{line:?}: {} bytes, {most} allowed", ran.memory);
    }
    let ran = sandbox.run(&["optimise", "long.agal", "-o", "x.agal"]).success();
    assert!(ran.err.contains("a program of more than 8192 tokens is left as it is"), "{}", ran.err);
}

//! Tests AGAL text that was pasted from source code, forum posts, emails and web pages.

use testing::Effort;

use crate::support::sandbox::Sandbox;

/// Findings, carets, JSON and the debug table must refer to the text as pasted.
#[test]
fn a_paste_is_read_by_every_command_and_said_once() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "a.txt",
        "// gr\u{f6}\u{df}e\ncode += \"m44 op, va0, vc0\\n\" +\n  \"mov v0, va1\\n\"; code += \"mov v1, vt0\";\n",
    );
    sandbox.write("plain.agal", "m44 op, va0, vc0\nmov v0, va1\nmov v1, vc4\n");
    sandbox.write("good.txt", "\"m44 op, va0, vc0\\n\" + \"mov v0, va1\\n\" +\n\"mov v1, vc4\"");
    sandbox.write("f.agal", "add oc, v0, v1\n");
    let said = "note: `good.txt` holds AGAL text in strings of ActionScript or Haxe, and is read as such";
    let ran = sandbox.run(&["compile", "good.txt", "f.agal", "--to", "wgsl"]).success();
    assert_eq!(ran.err.matches(said).count(), 1, "{}", ran.err);
    assert!(ran.err.contains("help: `agalc assemble --expand good.txt` prints the AGAL text alone"), "{}", ran.err);
    let plain = sandbox.run(&["compile", "plain.agal", "f.agal", "--to", "wgsl"]).success();
    assert_eq!(ran.out, plain.out);
    // A valid paste causes only a note, so `-W error` has no effect.
    sandbox.run(&["compile", "good.txt", "--to", "wgsl", "-W", "error"]).success();
    for line in [
        &["assemble", "good.txt", "-o", "y"][..],
        &["validate", "good.txt"],
        &["print", "good.txt"],
        &["inspect", "good.txt"],
        &["dump", "good.txt"],
        &["link", "good.txt", "f.agal"],
    ] {
        let ran = sandbox.run(line).success();
        assert_eq!(ran.err.matches(said).count(), 1, "{line:?}: {}", ran.err);
    }
    let ran = sandbox.run(&["assemble", "--expand", "good.txt"]).success();
    assert_eq!(ran.text(), "m44 op, va0, vc0\nmov v0, va1\nmov v1, vc4\n");
    let ran = sandbox.run(&["compile", "a.txt", "--to", "wgsl"]).failure(1);
    assert!(ran.err.contains("a.txt:3:37") && ran.err.contains("\"mov v1, vt0\";"), "{}", ran.err);
    let ran = sandbox.run(&["validate", "a.txt", "--json"]).failure(1);
    let report: serde_json::Value = serde_json::from_str(ran.text()).expect("JSON");
    let findings = report["programs"][0]["findings"].as_array().expect("findings");
    let finding = findings.iter().find(|finding| finding["code"] == "AGAL3647").expect("the finding");
    assert_eq!(["line", "column"].map(|field| finding[field].as_u64()), [Some(3), Some(37)]);
    let text = sandbox.run(&["compile", "good.txt", "--to", "sdlasm", "--debug", "full"]).success().out;
    let text = String::from_utf8(text).expect("text");
    assert!(text.contains("good.txt") && text.contains("\\\"mov v1, vc4\\\""), "{text}");
}

#[test]
fn an_error_of_a_paste_with_both_programs_is_printed_once() {
    let sandbox = Sandbox::new();
    let shared = r#"var both:String = "mvo t0, v0\n", vertex:String = both + "mov op, va0", fragment:String = both + "mov oc, v0";"#;
    let unknown = "var vertex:String = \"mov op, va0\\n\" + more;\nvar fragment:String = \"mov oc, fc0\";";
    let parts = "part both vertex 1\nmov op, va0\nendpart\nmvo x\npart both fragment 1\nmov oc, fc0\nendpart\n";
    for (text, code) in [(shared, "AGAL9101"), (unknown, "AGAL9301"), (parts, "AGAL9139")] {
        sandbox.write("a.txt", text);
        for line in [
            &["validate", "a.txt"][..],
            &["link", "a.txt"],
            &["compile", "a.txt", "--to", "wgsl"],
            &["verify", "a.txt"],
        ] {
            let ran = sandbox.run(line);
            assert_ne!(ran.code, 0, "{line:?}");
            assert_eq!(ran.err.matches(&format!("error[{code}]")).count(), 1, "{line:?}: {}", ran.err);
            assert!(ran.err.matches("has 1 error").count() <= 1, "{line:?}: {}", ran.err);
        }
    }
}

#[test]
fn code_from_standard_input_that_has_to_be_run_is_to_be_saved_first() {
    let sandbox = Sandbox::new();
    let code = b"private function code(isFlat:Boolean):String { return isFlat ? \"mov oc, fc0\" : \"mov oc, v0\"; }";
    let ran = sandbox.run_with(&["validate", "-"], code).failure(1);
    let said = "`<stdin>` is ActionScript; save it as a file, and `agalc extract FILE -o shaders` finds the AGAL in it";
    assert!(ran.err.contains(said), "{}", ran.err);
    sandbox.write("a.as", code);
    let ran = sandbox.run(&["validate", "a.as"]).failure(1);
    assert!(ran.err.contains("`agalc extract a.as -o shaders`"), "{}", ran.err);
    sandbox.run(&["extract", "a.as", "-o", "shaders"]).success();
}

/// Returns the `agalc` commands suggested by the notes about AGAL text.
fn advised(messages: &str) -> Vec<String> {
    let notes = messages.lines().filter(|line| line.contains("AGAL text"));
    notes
        .flat_map(|line| line.split('`').skip(1).step_by(2))
        .filter(|part| part.starts_with("agalc "))
        .map(String::from)
        .collect()
}

/// A shell must be able to run the suggested commands exactly as printed, with files and with standard input.
#[test]
fn the_commands_that_a_note_about_a_paste_prints_work() {
    use std::process::{Command, Stdio};
    let sandbox = Sandbox::new();
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_agalc")).parent().expect("a folder");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let mut inputs: Vec<(String, Vec<u8>, Vec<&str>)> = Vec::new();
    for ending in [".as", ".hx", ".hex", ".dump", ".base64"] {
        for file in testing::files(&testing::testdata("agal/pasted"), ending) {
            let name = file.file_name().expect("a name").to_string_lossy().into_owned();
            inputs.push((name, std::fs::read(&file).expect("a file"), Vec::new()));
        }
    }
    let pair = std::fs::read(testing::testdata("agal/pasted/call.as")).expect("the pair");
    inputs.push(("-a pair.as".to_string(), pair, Vec::new()));
    let open = b"\"pow ft0, v0, v0\\n\" + \"mov oc, v1\"".to_vec();
    inputs.push(("version.as".to_string(), open, vec!["--agal-version", "3"]));
    let no_stage = b"\"mov o0, c0\"".to_vec();
    inputs.push((
        "it's open.as".to_string(),
        no_stage,
        vec!["--language", "alternativa", "--stage", "vertex", "--allow", "9122"],
    ));
    let condition = b"\"#if LIT > 1\\nmov oc, v0\\n#else\\nmov oc\\n#endif\"".to_vec();
    inputs.push(("macro.as".to_string(), condition, vec!["-D", "LIT=2"]));
    let (mut tried, mut pairs) = (0, 0);
    let part = Effort::part_of("INPUTS", &inputs);
    for (name, bytes, options) in &part {
        sandbox.write(name, bytes);
        for input in [name.as_str(), "-"] {
            let arguments = [&["validate"][..], options, &["--", input]].concat();
            let commands = advised(&sandbox.run_with(&arguments, bytes).err);
            pairs += usize::from(commands.len() == 2);
            let texts: Vec<Vec<u8>> = commands
                .iter()
                .map(|line| {
                    let mut shell = Command::new("sh");
                    shell.args(["-c", line]).current_dir(sandbox.path("")).env("PATH", &path);
                    let file = std::fs::File::open(sandbox.path(name)).expect("the file");
                    let input = if input == "-" { Stdio::from(file) } else { Stdio::null() };
                    let ran = shell.stdin(input).output().expect("a shell");
                    assert!(ran.status.success(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
                    assert!(!ran.stdout.is_empty(), "{line}");
                    tried += 1;
                    ran.stdout
                })
                .collect();
            // Both commands for `parts.as` extract the same text, which contains both stages.
            assert!(name == "parts.as" || !matches!(&texts[..], [one, other] if one == other), "{commands:?}");
            assert!(!options.is_empty() <= !commands.is_empty(), "{name}: no note");
        }
    }
    assert!(part.len() < inputs.len() || tried > 60 && pairs > 10, "{tried} commands, {pairs} pairs");
}

const VERTEX: &str = "m44 op, va0, vc0\nmov v0, va1\n";
const FRAGMENT: &str = "tex ft0, v0, fs0 <2d,linear>\nmov oc, ft0\n";

/// Positions in messages must refer to the pasted text, with its quote marks and line numbers.
#[test]
fn text_of_a_post_is_read_without_its_marks() {
    let lines = |mark: &dyn Fn(usize) -> String, text: &str| -> String {
        text.lines().enumerate().map(|(at, line)| format!("{}{line}\n", mark(at + 1))).collect()
    };
    let both = |vertex: &str, fragment: &str| format!("{vertex}\n{VERTEX}\n{fragment}\n{FRAGMENT}");
    let sandbox = Sandbox::new();
    for (name, program) in [("vertex", VERTEX), ("fragment", FRAGMENT)] {
        sandbox.write("plain.agal", program);
        sandbox.run(&["assemble", "plain.agal", "--stage", name, "-o", name]).success();
    }
    for (post, stages) in [
        (lines(&|_| "> ".into(), VERTEX), &["vertex"][..]),
        (lines(&|_| ">> ".into(), FRAGMENT), &["fragment"]),
        (lines(&|at| format!("{at} "), VERTEX), &["vertex"]),
        (lines(&|at| format!("{:02}: ", at + 8), FRAGMENT), &["fragment"]),
        (lines(&|at| format!("> {at}. "), VERTEX), &["vertex"]),
        (FRAGMENT.replace('<', "&lt;").replace('>', "&gt;"), &["fragment"]),
        (both("VertexShader:", "FragmentShader:"), &["vertex", "fragment"]),
        (both("*** Vertex program ***", "--- pixel shader ---"), &["vertex", "fragment"]),
        (both("// vertex", "// fragment"), &["vertex", "fragment"]),
        (format!("Fragment:\n{FRAGMENT}Vertex:\n{VERTEX}"), &["vertex", "fragment"]),
        (format!("// a\n{VERTEX}{FRAGMENT}"), &["vertex", "fragment"]),
        (format!("Pixel Shader\n{FRAGMENT}"), &["fragment"]),
    ] {
        sandbox.write("post.txt", &post);
        let ran = sandbox.run(&["validate", "post.txt"]).success();
        assert!(ran.err.starts_with("note: `post.txt` holds AGAL text copied from a post"), "{post}{}", ran.err);
        for stage in stages {
            sandbox.run(&["assemble", "post.txt", "--stage", stage, "-o", "post"]).success();
            assert!(sandbox.read("post") == sandbox.read(stage), "{stage} of {post}");
        }
        if stages.len() == 2 {
            sandbox.run(&["compile", "post.txt", "--to", "wgsl", "-o", "post.wgsl"]).success();
        }
    }
    sandbox.write("post.txt", "> mov ft0, v0\n> mvo oc, ft0\n");
    let ran = sandbox.run(&["validate", "post.txt", "--stage", "fragment"]).failure(1);
    assert!(ran.err.contains("post.txt:2:3") && ran.err.contains("> mvo oc, ft0"), "{}", ran.err);
    sandbox.write("post.txt", format!("// agal 2 vertex\n{VERTEX}// agal 2 fragment\n{FRAGMENT}"));
    sandbox.run(&["assemble", "post.txt", "--stage", "vertex", "-o", "post"]).success();
    assert_eq!(sandbox.read("post")[1], 2);
}

#[test]
fn what_is_no_post_is_read_as_it_was() {
    let sandbox = Sandbox::new();
    for text in [
        "mov vt0, va0\nmov oc, vt0\n",
        // A program is not a forum post, even if its comments mention both stages.
        "// vertex\n// fragment\nmov oc, v0\n",
        "// agal 1 fragment\nmov oc, v0\n// op and oc\n",
        "// VERTEX\nmov ft0, v0\n// PIXEL\nmov oc, ft0\n",
        "// vertex\nmov vt0, va0\n// pixel\nmov op, vt0\n",
        "mov ft0, v0 // a &lt; b\nmov oc, ft0\n",
        "part fragment 2\nmov oc, v0\n",
        "2 eggs\n3 spoons of sugar\n",
    ] {
        sandbox.write("a.txt", text);
        let ran = sandbox.run(&["validate", "a.txt"]);
        assert!(!ran.err.contains("as posts have it"), "{text}{}", ran.err);
    }
}

/// The time to read a line must not grow quadratically with the number of HTML entities.
#[test]
fn a_long_line_of_entities_is_read_once() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", format!("mov oc, v0 {}\n", "&lt;".repeat(1 << 18)));
    let begin = std::time::Instant::now();
    sandbox.run(&["validate", "a.txt"]).success();
    assert!(begin.elapsed() < std::time::Duration::from_secs(20), "{:?}", begin.elapsed());
}

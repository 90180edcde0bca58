//! Tests `run` with the programs in testdata/run. Each program lists its command lines in `// run:` comments, or in `; run:`
//! comments of module text. The expected transcript, PNG files and TOML files are in the same folder as the program.

use crate::support::sandbox::{Sandbox, assembled};
use crate::support::{expect, testdata};

/// Runs a program's command lines, and returns a transcript of the outputs and nonzero exit codes.
fn session(sandbox: &Sandbox, name: &str, text: &str) -> String {
    let mut session = String::new();
    let marks = ["// run:", "; run:"];
    for options in text.lines().filter_map(|line| marks.iter().find_map(|mark| line.strip_prefix(mark))) {
        let mut line = vec!["run", name];
        line.extend(options.split_whitespace());
        let ran = sandbox.run(&line);
        session += &format!("$ agalc {}\n{}{}", line.join(" "), ran.err, ran.text());
        session += &if ran.code == 0 { "\n".to_string() } else { format!("exit code {}\n\n", ran.code) };
    }
    session
}

#[test]
fn each_program_prints_the_expected_session() {
    let mut names: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(testdata("run")).expect("the folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        names.extend(Some(name).filter(|name| name.ends_with(".agal") || name.ends_with(".sdlasm")));
    }
    names.sort();
    assert!(names.len() >= 12, "{names:?}");
    let mut failures = Vec::new();
    for file in names {
        let (name, _) = file.split_once('.').expect("an extension");
        let text = std::fs::read_to_string(testdata(&format!("run/{file}"))).expect("the program");
        let sandbox = Sandbox::new();
        sandbox.write(&file, &text);
        for other in ["png", "toml"].map(|extension| format!("{name}.{extension}")) {
            if let Ok(bytes) = std::fs::read(testdata(&format!("run/{other}"))) {
                sandbox.write(&other, bytes);
            }
        }
        let session = session(&sandbox, &file, &text);
        assert!(session.contains("$ agalc run"), "{file} has no `run:` line");
        failures.extend(expect(&format!("testdata/run/{name}.txt"), &session).err());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn bytecode_and_text_run_alike() {
    let text = "// agal 1 vertex\nadd vt0, va0, vc0\nmov op, vt0\n";
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", text);
    sandbox.write("a.agalbc", assembled(text));
    let run = |name: &str| {
        sandbox.run(&["run", name, "--trace", "--set", "va0=1,2,3", "--set", "vc0=0.5,0.5"]).success().into_text()
    };
    assert_eq!(run("a.agal"), run("a.agalbc"));
    assert!(run("a.agal").ends_with("\nop = 1.5, 2.5, 3, 1\n"));
    let bytes = assembled(text);
    let piped = sandbox.run_with(&["run", "-", "--set", "va0=1", "--set", "vc0=1"], &bytes).success();
    assert_eq!(piped.text(), "op = 2, 0, 0, 1\n");
    sandbox.run(&["run", "a.agal", "--set", "va0=1", "--set", "vc0=1", "-o", "out.txt"]).success();
    assert_eq!(sandbox.text("out.txt"), "op = 2, 0, 0, 1\n");
}

/// The module interpreter and the AGAL machine print equal results, with two exceptions: colours in steps of 1/255, and results
/// that the machine computes more precisely.
#[test]
fn a_program_and_its_module_run_alike() {
    for (name, settings) in [
        ("sprite", "v0=0.5,0.5 fs0=1,0.2,0.4,0.6 fc0=0,2"),
        ("sprite", "v0=0.5,0.5 fs0=1,0.2,0.4,0.6 fc0=0.8,2"),
        ("skinned", "va0=1,1,1 va1=4.4 vc4=1,2,3,4,5,6,7,8,9,10,11,12"),
        ("skinned", "va0=1,1,1 va1=4 vc=9,9,9,9 vc4=1,2,3,4,5,6,7,8,9,10,11,12"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.write("a.agal", std::fs::read(testdata(&format!("run/{name}.agal"))).expect("the program"));
        sandbox.run(&["compile", "a.agal", "-o", "a.sdlbc"]).success();
        sandbox.run(&["compile", "a.agal", "-o", "a.sdlasm"]).success();
        let run = |file: &str, trace: bool| {
            let mut line = vec!["run", file];
            settings.split(' ').for_each(|setting| line.extend(["--set", setting]));
            line.extend(trace.then_some("--trace"));
            sandbox.run(&line).success()
        };
        let (agal, module) = (run("a.agal", false), run("a.sdlbc", false));
        assert_eq!(agal.text(), module.text(), "{name} {settings}");
        assert_eq!(
            run("a.sdlbc", true).text(),
            run("a.sdlasm", true).text(),
            "the text and the file have the same lines"
        );
        assert!(!agal.text().contains(" 0, 0, 0"), "{}", agal.text());
    }
}

#[test]
fn a_trace_of_a_module_shows_the_lines_of_its_text() {
    let sandbox = Sandbox::new();
    let text = std::fs::read_to_string(testdata("run/module.sdlasm")).expect("the text");
    sandbox.write("a.sdlasm", &text);
    let settings = ["--set", "size=2", "--set", "place=1", "--set", "rows=1,1,1,1,1,1,1,1,1", "--set", "weights=0,1,1"];
    let ran = sandbox.run(&[&["run", "a.sdlasm", "--trace"], &settings[..]].concat()).success().into_text();
    let (trace, outputs) = ran.split_once("\n\n").expect("both");
    let mut shown = Vec::new();
    for line in trace.lines().map(str::trim_start) {
        let (number, rest) = line.split_once("  ").expect("a number");
        let number: usize = number.parse().expect("a number");
        let there = text.lines().nth(number - 1).expect("the line").trim();
        let instruction = rest.split("  ").next().expect("an instruction");
        assert!(there.starts_with(instruction), "{line}: {there}");
        shown.push(instruction.split(' ').next().expect("an id").to_string());
    }
    // The trace lists the sum of two uniforms, and then the results of each loop iteration.
    let expected = "%12 %14 %15 %20 %19 %17 %20 %19 %17 %20 %25";
    assert_eq!(shown.join(" "), expected, "{ran}");
    assert_eq!(outputs, "color = 4, 4, 4, 4\nextra = 1\n");
}

#[cfg(feature = "es2")]
#[test]
fn floats_of_24_bits_are_printed() {
    let sandbox = Sandbox::new();
    sandbox.write("a.es2", "!!ES2fp1.0\nRCP r0, v0.x;\nEX2 r0.y, v0.y;\nMAD fragcolor, r0, v0, u0;\nEND\n");
    sandbox.run(&["compile", "a.es2", "-o", "a.sdlbc"]).success();
    let settings = ["--set", "v0=3,0.3,7.7,0.1", "--set", "u0=0.7,0.6,0.5,0.4"];
    let run = |file: &str, float: &[&str]| -> String {
        sandbox.run(&[&["run", file], float, &settings].concat()).success().into_text()
    };
    let narrow = run("a.es2", &["--float", "24"]);
    let values = narrow.trim_end().strip_prefix("fragcolor = ").expect("the output").split(", ");
    let values: Vec<f32> = values.map(|value| value.parse().expect("a number")).collect();
    assert!(values.len() == 4 && values.iter().all(|value| value.to_bits() & 0x7f == 0), "{narrow}");
    assert_eq!(run("a.sdlbc", &["--float", "24"]), narrow);
    assert_ne!(run("a.es2", &[]), narrow);
    assert_eq!(run("a.es2", &["--float", "32"]), run("a.es2", &[]));

    // The AGAL machine runs `a.agal`, and the module interpreter runs `b.sdlbc`.
    sandbox.write("a.agal", "// agal 1 vertex\nmov op, va0\n");
    sandbox.run(&["compile", "a.agal", "-o", "b.sdlbc"]).success();
    let third = ["--set", "va0=0.33333334"];
    for file in ["a.agal", "b.sdlbc"] {
        let run = |float| sandbox.run(&[&["run", file, "--float", float], &third[..]].concat()).success().into_text();
        assert!(run("24").starts_with("op = 0.33333206,"), "{file}: {}", run("24"));
        assert_ne!(run("32"), run("24"), "{file}");
    }
    // In 24-bit floats, `nrm` returns the zero vector for the zero vector.
    sandbox.write("n.agal", "// agal 1 vertex\nnrm vt0.xyz, va0\nmov vt0.w, va0.w\nmov op, vt0\n");
    sandbox.run(&["compile", "n.agal", "-o", "n.sdlbc"]).success();
    for file in ["n.agal", "n.sdlbc"] {
        let ran = sandbox.run(&["run", file, "--float", "24", "--set", "va0=0,0,0,1"]).success();
        assert!(ran.text().starts_with("op = 0, 0, 0, 1"), "{file}: {}", ran.text());
    }
}

#[test]
fn printed_numbers_read_back_as_the_same_value() {
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", "// agal 1 vertex\nmov op, va0\n");
    let mut random = crate::support::Random(5);
    for turn in 0..40 {
        let values: [f32; 4] = std::array::from_fn(|_| match turn {
            0 => -0.0,
            1 => f32::NEG_INFINITY,
            _ => f32::from_bits(random.next() as u32),
        });
        let numbers = values.map(|value| value.to_string()).join(",");
        let setting = format!("va0={numbers}");
        let text = sandbox.run(&["run", "a.agal", "--set", &setting]).success().into_text();
        let list = text.trim_end().strip_prefix("op = ").expect("the register");
        let json = sandbox.run(&["run", "a.agal", "--json", "--set", &setting]).success().into_text();
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        for (component, (value, number)) in values.iter().zip(list.split(", ")).enumerate() {
            let said = &json["outputs"][0]["values"][component];
            let said =
                said.as_str().map_or_else(|| said.as_f64().expect("a number") as f32, |s| s.parse().expect("it"));
            for found in [number.parse::<f32>().expect("a number"), said] {
                assert!(found.to_bits() == value.to_bits() || found.is_nan() && value.is_nan(), "{value} {number}");
            }
        }
    }
}

#[test]
fn the_examples_in_the_documentation_are_up_to_date() {
    let docs =
        std::fs::read_to_string(crate::support::repository().join("docs/running.md")).expect("the documentation");
    let session = std::fs::read_to_string(testdata("run/sprite.txt")).expect("the session");
    assert!(docs.contains(session.trim_end()), "docs/running.md shows testdata/run/sprite.txt");
    let (_, example) = docs.split_once("$ agalc run sprite.sdlbc ").expect("the example of a module");
    let (line, shown) = example.split_once('\n').expect("what it shows");
    let sandbox = Sandbox::new();
    sandbox.write("sprite.agal", std::fs::read(testdata("run/sprite.agal")).expect("the program"));
    sandbox.run(&["compile", "sprite.agal", "-o", "sprite.sdlbc"]).success();
    let ran = sandbox.run(&["run", "sprite.sdlbc"].into_iter().chain(line.split(' ')).collect::<Vec<_>>()).success();
    assert!(shown.starts_with(&format!("{}```", ran.text())), "{}", ran.text());
}

#[test]
fn a_setting_of_an_input_that_a_source_declares_and_does_not_read_is_a_warning() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "a.wgsl",
        "@group(0) @binding(0) var<uniform> a: vec4f;\n@group(0) @binding(1) var<uniform> b: vec4f;\n@fragment fn f(@location(0) x: vec4f, @location(1) y: vec4f) -> @location(0) vec4f { return a + x; }\n",
    );
    for unread in ["b", "y"] {
        let ran = sandbox.run(&["run", "a.wgsl", "--set", "a=1", "--set", &format!("{unread}=1")]).success();
        assert!(ran.err.contains(&format!("the program does not read `{unread}`")), "{}", ran.err);
    }
    // `--set` accepts the name of a uniform, but not the name of a struct member.
    sandbox.write(
        "s.wgsl",
        "struct S { tint: vec4f }\n@group(0) @binding(0) var<uniform> s: S;\n@fragment fn f() -> @location(0) vec4f { return s.tint; }\n",
    );
    for (file, name) in [("a.wgsl", "none"), ("s.wgsl", "tint")] {
        let ran = sandbox.run(&["run", file, "--set", &format!("{name}=1")]).failure(2);
        assert!(ran.err.contains(&format!("`{name}` cannot be set")), "{}", ran.err);
    }
    sandbox.run(&["run", "s.wgsl", "--set", "s=1"]).success();
}

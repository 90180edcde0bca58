//! Tests the command with SDLSHADERBC modules: handwritten text, separate debug tables, dumps and both dialects.

use crate::support::sandbox::{Sandbox, pair};
use crate::support::{GLSLANG, SPIRV_VAL, TINT, naga_accepts, testdata};
use testing::Effort;

/// Creates a sandbox with a program that computes the Mandelbrot set. The program contains a loop, PHIs, a BREAK that carries a
/// value, and a call.
fn mandelbrot() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("m.sdlasm", std::fs::read(testdata("ir/mandelbrot.sdlasm")).expect("the program"));
    sandbox
}

#[test]
fn handwritten_modules_compile_to_every_target() {
    for name in Effort::part_of("MODULES", &["mandelbrot", "three_loops", "nops", "members"]) {
        let sandbox = Sandbox::new();
        sandbox.write("m.sdlasm", std::fs::read(testdata(&format!("ir/{name}.sdlasm"))).expect("the program"));
        sandbox.run(&["compile", "m.sdlasm", "-o", "m.spv", "-o", "m.wgsl", "-o", "m.sdlbc"]).success();
        naga_accepts(&sandbox.text("m.wgsl")).expect("naga accepts it");
        if SPIRV_VAL.is_there() {
            let path = sandbox.path("m.spv");
            SPIRV_VAL.run(&["--target-env".as_ref(), "vulkan1.1".as_ref(), path.as_ref()]).expect("valid");
        }
        if TINT.is_there() {
            TINT.run(&["--format".as_ref(), "wgsl".as_ref(), sandbox.path("m.wgsl").as_ref()]).expect("valid");
        }
        for version in ["450", "330", "300es"] {
            sandbox.run(&["compile", "m.sdlasm", "--glsl", version, "-o", "m.glsl"]).success();
            let stages = sandbox.files().into_iter().filter(|name| name.ends_with(".glsl"));
            for stage in stages.filter(|_| GLSLANG.is_there()) {
                let kind = if stage.contains(".vert") { "vert" } else { "frag" };
                let path = sandbox.path(&stage);
                GLSLANG
                    .run(&["-S".as_ref(), kind.as_ref(), path.as_ref()])
                    .unwrap_or_else(|said| panic!("{name}, {version}: {said}"));
            }
        }
        let file = sandbox.run(&["compile", "m.sdlbc", "--to", "wgsl"]).success();
        assert_eq!(file.out, sandbox.read("m.wgsl"), "compiled from the file");
    }
}

#[test]
fn a_loop_is_readable_in_wgsl() {
    let sandbox = mandelbrot();
    sandbox.run(&["compile", "m.sdlasm", "-o", "m.wgsl"]).success();
    let text = sandbox.text("m.wgsl");
    let (from, to) = (text.find("    loop {").expect("a loop"), text.find("    let shade").expect("its value"));
    let body = "    loop {
        if (dot(z, z) > 4.0) || (i >= 64i) {
            rounds = i;
            break;
        }
        let value = square(z);
        i = i + 1i;
        z = value + c;
    }
";
    assert_eq!(&text[from..to], body);
}

/// In WGSL, an invocation continues after a discard, so a loop that the discard should end might run forever.
#[test]
fn a_discard_before_a_loop_returns_in_wgsl() {
    let wgsl = |name: &str| {
        let path = testdata(&format!("fuzz/backends/{name}.sdlasm"));
        Sandbox::new().run(&["compile", path.to_str().expect("a path"), "--to", "wgsl"]).success().into_text()
    };
    let text = wgsl("discard_before_a_loop");
    let after = text.split_once("discard;").expect("a discard").1.trim_start();
    assert!(after.starts_with("return "), "{text}");
    let text = wgsl("discard_in_a_function_called_from_a_loop");
    assert!(text.contains("discarded = true;\n        discard;\n        return "), "{text}");
    assert!(text.contains("        if discarded {\n            return "), "{text}");
    // If the program has no loop, the translation keeps the discard as it is.
    let sandbox = pair();
    sandbox.write("a.frag.agal", "tex ft0, v0, fs0 <2d>\nkil ft0.w\nmov oc, ft0\n");
    let text = sandbox.run(&["compile", "a.frag.agal", "--to", "wgsl"]).success().into_text();
    assert!(text.contains("discard;\n    }"), "{text}");
}

/// naga's GLSL writer turns a switch with one block into a loop. A CONTINUE in that switch would then continue the new loop
/// instead of the enclosing loop.
#[test]
fn a_switch_with_one_block_stays_a_switch_in_glsl() {
    let path = testdata("fuzz/backends/continue_out_of_two_switches.sdlasm");
    let ran = Sandbox::new().run(&["compile", path.to_str().expect("a path"), "--to", "glsl"]).success();
    let text = ran.into_text();
    assert!(text.contains("switch(0) {") && !text.contains("do {"), "{text}");
}

#[test]
fn module_text_is_printed_with_its_comments() {
    let sandbox = mandelbrot();
    let printed = sandbox.run(&["print", "m.sdlasm"]).success().into_text();
    assert!(printed.starts_with("; The Mandelbrot set, written by hand"), "{printed}");
    assert!(printed.contains("    ; points far from the origin escape\n"), "{printed}");
    sandbox.write("again.sdlasm", printed.as_bytes());
    assert_eq!(sandbox.run(&["print", "again.sdlasm"]).success().into_text(), printed);
}

#[test]
fn mistakes_in_module_text_are_shown_with_their_location() {
    let sandbox = mandelbrot();
    let wrong = sandbox.text("m.sdlasm").replace("lessthan", "lesthan").replace("= dot %16, %16", "= dto %16, %16");
    sandbox.write("syntax.sdlasm", wrong.as_bytes());
    let said = sandbox.run(&["compile", "syntax.sdlasm", "-o", "x.wgsl"]).failure(1).err;
    assert!(said.contains("unknown operation `dto`; did you mean `dot`?"), "{said}");
    assert!(said.contains("syntax.sdlasm:35:11"), "{said}");
    assert!(!sandbox.path("x.wgsl").exists());

    let wrong = sandbox.text("m.sdlasm").replace("%24 = add %15, %9", "%24 = add %15, %11");
    sandbox.write("types.sdlasm", wrong.as_bytes());
    let said = sandbox.run(&["verify", "types.sdlasm"]).failure(1).err;
    assert!(said.contains("V08: ") && said.contains("int, float"), "{said}");
    assert!(said.contains("%24 = add %15, %11"), "the line itself: {said}");
    // Further errors with the same cause are not reported.
    assert!(said.contains("has 1 error;"), "{said}");
}

#[test]
fn a_separate_debug_table_works_like_an_embedded_one() {
    let sandbox = pair();
    sandbox.run(&["compile", "a.vert.agal", "a.frag.agal", "--debug", "full", "-o", "full.sdlbc"]).success();
    sandbox.run(&["strip", "full.sdlbc", "-o", "bare.sdlbc", "--debug-table", "bare.debug"]).success();
    assert!(sandbox.read("bare.sdlbc").len() < sandbox.read("full.sdlbc").len());
    let full = sandbox.run(&["print", "full.sdlbc"]).success().into_text();
    assert!(full.contains("source 0 \"a.vert.agal\" lines text ") && full.contains(" @2"), "{full}");
    let bare = sandbox.run(&["print", "bare.sdlbc"]).success().into_text();
    assert!(!bare.contains("vt0") && !bare.contains("@2"), "{bare}");
    assert_eq!(sandbox.run(&["print", "bare.sdlbc", "--debug-table", "bare.debug"]).success().into_text(), full);
    sandbox.run(&["compile", "a.vert.agal", "a.frag.agal", "--debug", "none", "-o", "none.sdlbc"]).success();
    assert_eq!(sandbox.read("none.sdlbc"), sandbox.read("bare.sdlbc"));
    // The debug table of a different program is rejected.
    sandbox.run(&["compile", "a.vert.agal", "--debug", "none", "-o", "other.sdlbc"]).success();
    let said = sandbox.run(&["print", "other.sdlbc", "--debug-table", "bare.debug"]).failure(1).err;
    assert!(said.contains("the debug table belongs to a program"), "{said}");
}

/// A debug table omits an AGAL source that is too large or has characters that the table cannot represent.
#[test]
fn modules_with_a_full_debug_table_can_be_read_back() {
    let sandbox = Sandbox::new();
    let shader = "mov op, va0\n";
    sandbox.write("nul.vert.agal", format!("{shader}// {}\0 there\n", "x".repeat(600)));
    sandbox.write("long.vert.agal", format!("{shader}{}", format!("// {}\n", "x".repeat(1000)).repeat(4300)));
    for (name, why) in [("nul", "has a nul at byte 615"), ("long", "all names and texts together have 4")] {
        let input = format!("{name}.vert.agal");
        for extension in ["sdlbc", "sdlasm"] {
            let output = format!("{name}.{extension}");
            let said = sandbox.run(&["compile", &input, "--debug", "full", "-o", &output]).success().err;
            assert!(said.contains("warning: the text of source 0 ") && said.contains(why), "{said}");
            sandbox.run(&["verify", &output]).success();
            let shown = sandbox.run(&["print", &output]).success().into_text();
            assert!(
                shown.contains(&format!("source 0 \"{input}\" lines\n")) && shown.contains("lines of 0"),
                "{shown}"
            );
        }
    }
}

/// The lenient rules accept AGAL of any length, but the size of a module is limited.
#[test]
fn programs_too_large_for_a_module_are_rejected_before_writing() {
    let sandbox = Sandbox::new();
    // The large program is bytecode, which is faster to read than text. The header has 7 bytes, and each token has 24 bytes.
    sandbox.write("small.vert.agal", "mov vt0, va0\nadd vt0, vt0, va0\nmov op, vt0\n");
    sandbox.run(&["assemble", "small.vert.agal", "-o", "small.agalbc"]).success();
    let (small, mut big) = (sandbox.read("small.agalbc"), Vec::new());
    big.extend_from_slice(&small[..31]);
    (0..1_000_000).for_each(|_| big.extend_from_slice(&small[31..55]));
    big.extend_from_slice(&small[55..]);
    sandbox.write("big.agalbc", big);
    for output in Effort::part_of("OUTPUTS", &["big.sdlbc", "big.wgsl"]) {
        let said = sandbox.run(&["compile", "big.agalbc", "-o", output]).failure(1).err;
        let wanted = "`big.agalbc`: the resulting module has 1000001 instructions and cases, but the limit is 1000000";
        assert!(said.contains(wanted) && !said.contains("internal"), "{said}");
    }
    assert_eq!(sandbox.files(), ["big.agalbc", "small.agalbc", "small.vert.agal"]);
    sandbox.write("id.sdlasm", "generic function \"\" {\n  %99999999 = literalint 1\n}\n");
    let said = sandbox.run(&["strip", "id.sdlasm", "-o", "id.sdlbc"]).failure(1).err;
    assert!(said.contains("could not be read back: the id %99999999 exceeds the limit"), "{said}");
    sandbox.run(&["strip", "id.sdlasm", "-o", "again.sdlasm"]).success();
}

#[test]
fn both_dialects_are_read_and_written() {
    let sandbox = pair();
    let compile = |dialect: &str, name: &str| {
        sandbox.run(&["compile", "a.vert.agal", "a.frag.agal", "--dialect", dialect, "-o", name]).success();
    };
    compile("text", "text.sdlbc");
    compile("header", "header.sdlbc");
    let (text, header) = (sandbox.read("text.sdlbc"), sandbox.read("header.sdlbc"));
    assert_eq!((text[20], header[20]), (1, 0), "the first section's tag");
    for to in ["sdlbc", "sdlasm", "wgsl", "spirv"] {
        let one = sandbox.run(&["compile", "text.sdlbc", "--to", to]).success();
        assert_eq!(one.out, sandbox.run(&["compile", "header.sdlbc", "--to", to]).success().out, "{to}");
    }
    // `strip` keeps the dialect of the module.
    sandbox.run(&["strip", "header.sdlbc", "-o", "bare.sdlbc"]).success();
    assert_eq!(sandbox.read("bare.sdlbc")[20], 0);
    assert!(sandbox.run(&["dump", "header.sdlbc"]).success().into_text().contains("checksum, good"));
}

#[test]
fn a_dump_distinguishes_valid_files_from_damaged_ones() {
    let sandbox = mandelbrot();
    sandbox.run(&["compile", "m.sdlasm", "-o", "m.sdlbc"]).success();
    let good = sandbox.run(&["dump", "m.sdlbc"]).success().into_text();
    assert!(good.contains("checksum, good"), "{good}");
    let mut bytes = sandbox.read("m.sdlbc");
    // The second byte of LOOP's opcode is damaged.
    let at = bytes.chunks(4).position(|word| word == [33, 0, 0, 0]).expect("a loop") * 4;
    bytes[at + 1] = 0x17;
    sandbox.write("damaged.sdlbc", &bytes);
    let damaged = sandbox.run(&["dump", "damaged.sdlbc"]).failure(1);
    let shown = damaged.text();
    assert!(shown.contains("checksum, BAD"), "{shown}");
    let line = shown.lines().find(|line| line.starts_with(&format!("{at:06x}"))).expect("the word's line");
    assert!(line.contains("<- unknown operation 0x1721"), "{line}");
    assert!(shown.contains("\"square\""), "the rest is still shown");
}

#[test]
fn dump_writes_the_control_flow_for_graphviz() {
    let sandbox = mandelbrot();
    let graph = sandbox.run(&["dump", "--graph", "m.sdlasm"]).success().into_text();
    assert!(graph.starts_with("digraph"), "{graph}");
    for part in ["loop", "break", "again", "square"] {
        assert!(graph.contains(part), "{part}: {graph}");
    }
}

#[test]
fn inspect_writes_json() {
    let sandbox = mandelbrot();
    let text = sandbox.run(&["inspect", "--json", "m.sdlasm"]).success().into_text();
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let fragment = &json["stages"][1];
    assert_eq!((&fragment["stage"], &fragment["function"]), (&"fragment".into(), &1.into()));
    assert_eq!(fragment["calls"], serde_json::json!([2]));
    assert_eq!(
        fragment["varyings"][0],
        serde_json::json!({"register": "v0", "location": 0, "name": "point", "type": "float2",
            "interpolation": "perspective", "components": "xy"})
    );
    assert_eq!(fragment["constants"][0]["registers"], serde_json::json!([{"register": 0, "components": "xyz"}]));
    assert_eq!(json["functions"][0]["name"], "square");
    assert_eq!(json["stages"][0]["outputs"][0]["kind"], "position");
}

#[test]
fn a_separate_debug_table_converts_to_text_and_back() {
    let sandbox = pair();
    sandbox.run(&["compile", "a.vert.agal", "a.frag.agal", "--debug", "full", "-o", "a.sdlbc"]).success();
    sandbox.run(&["strip", "a.sdlbc", "-o", "b.sdlbc", "--debug-table", "table.sdlbc"]).success();
    sandbox.run(&["print", "table.sdlbc", "-o", "table.sdlasm"]).success();
    sandbox.run(&["verify", "table.sdlasm"]).success();
    sandbox.run(&["compile", "table.sdlasm", "-o", "again.sdlbc"]).success();
    assert_eq!(sandbox.read("again.sdlbc"), sandbox.read("table.sdlbc"));
}

/// If a command only shows or copies a file, it skips unknown sections. Commands that interpret the module reject the file.
#[test]
fn what_is_not_known_is_noted_or_refused() {
    let sandbox = pair();
    sandbox.run(&["compile", "a.frag.agal", "-o", "a.sdlbc"]).success();
    let mut file = sandbox.read("a.sdlbc");
    let section = [0x2fff, 3, 7u32].map(u32::to_le_bytes).concat();
    file.splice(20..20, section.iter().copied());
    let checksum = crc32fast::hash(&file[20..]);
    file[16..20].copy_from_slice(&checksum.to_le_bytes());
    sandbox.write("b.sdlbc", &file);
    let note = "`b.sdlbc` has an unknown section 0x2fff at byte 20, which is skipped";
    for arguments in [&["dump", "b.sdlbc"][..], &["inspect", "b.sdlbc"], &["strip", "b.sdlbc", "-o", "c.sdlbc"]] {
        let ran = sandbox.run(arguments).success();
        assert!(ran.err.contains(note), "{arguments:?}: {}", ran.err);
    }
    assert_eq!(sandbox.read("c.sdlbc")[20..32], section);
    for arguments in [&["compile", "b.sdlbc", "-o", "b.wgsl"][..], &["verify", "b.sdlbc"], &["print", "b.sdlbc"]] {
        let ran = sandbox.run(arguments);
        assert!(ran.code == 1 && ran.err.contains("unknown section 0x2fff at byte 20"), "{arguments:?}: {}", ran.err);
    }
}

/// If a command only shows a module, it warns about a broken rule. All other commands reject the module.
#[test]
fn a_module_that_breaks_rules_is_shown_with_warnings() {
    let mut paths = testing::files(&testdata("sdlbc/wrong"), ".sdlasm");
    paths.retain(|path| !path.display().to_string().contains("right_"));
    assert!(paths.len() > 50, "{} modules", paths.len());
    let sandbox = Sandbox::new();
    for path in Effort::part_of("PAIRS", &paths) {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let rule = name.split('_').next().expect("a rule");
        sandbox.write("m.sdlasm", std::fs::read(path).expect("the module"));
        sandbox.run(&["verify", "m.sdlasm"]).failure(1);
        for command in [
            &["print", "m.sdlasm"][..],
            &["inspect", "m.sdlasm"],
            &["dump", "--graph", "m.sdlasm"],
            &["compile", "m.sdlasm", "-o", "text.sdlasm"],
        ] {
            let ran = sandbox.run(command).success();
            assert!(ran.err.contains(&format!("`m.sdlasm` breaks {rule}: ")), "{name}, {command:?}: {}", ran.err);
            sandbox.run(&[command, &["-W", "error"]].concat()).failure(1);
        }
        // Module text stays the same if it is read and printed again.
        sandbox.run(&["print", "text.sdlasm", "-o", "again.sdlasm"]).success();
        assert_eq!(sandbox.text("text.sdlasm"), sandbox.text("again.sdlasm"), "{name}");
        for other in [&["compile", "m.sdlasm", "-o", "m.sdlbc"][..], &["compile", "m.sdlasm", "-o", "m.wgsl"]] {
            sandbox.run(other).failure(1);
        }
    }
}

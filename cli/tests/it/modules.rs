//! The command with SDLSHADERBC modules: written by hand, taken apart, shown, and in both dialects.

use crate::support;

use support::place::{Place, pair};
use support::{GLSLANG, SPIRV_VAL, TINT, naga_accepts, testdata};

/// A place with the program that computes the Mandelbrot set: a loop, PHIs, a BREAK that carries a value, a call.
fn mandelbrot() -> Place {
    let place = Place::new();
    place.write("m.sdlasm", std::fs::read(testdata("ir/mandelbrot.sdlasm")).expect("the program"));
    place
}

#[test]
fn programs_written_by_hand_become_every_target() {
    for name in ["mandelbrot", "three_loops", "nops"] {
        let place = Place::new();
        place.write("m.sdlasm", std::fs::read(testdata(&format!("ir/{name}.sdlasm"))).expect("the program"));
        place.run(&["compile", "m.sdlasm", "-o", "m.spv", "-o", "m.wgsl", "-o", "m.sdlbc"]).well();
        naga_accepts(&place.text("m.wgsl")).expect("naga takes it");
        if SPIRV_VAL.is_there() {
            let path = place.path("m.spv");
            SPIRV_VAL.run(&["--target-env".as_ref(), "vulkan1.1".as_ref(), path.as_ref()]).expect("valid");
        }
        if TINT.is_there() {
            TINT.run(&["--format".as_ref(), "wgsl".as_ref(), place.path("m.wgsl").as_ref()]).expect("valid");
        }
        for version in ["450", "330", "300es"] {
            place.run(&["compile", "m.sdlasm", "--glsl", version, "-o", "m.glsl"]).well();
            let stages = place.files().into_iter().filter(|name| name.ends_with(".glsl"));
            for stage in stages.filter(|_| GLSLANG.is_there()) {
                let kind = if stage.contains(".vert") { "vert" } else { "frag" };
                let path = place.path(&stage);
                GLSLANG
                    .run(&["-S".as_ref(), kind.as_ref(), path.as_ref()])
                    .unwrap_or_else(|said| panic!("{name}, {version}: {said}"));
            }
        }
        let file = place.run(&["compile", "m.sdlbc", "--to", "wgsl"]).well();
        assert_eq!(file.out, place.read("m.wgsl"), "by way of the file");
    }
}

#[test]
fn a_loop_reads_like_one() {
    let place = mandelbrot();
    place.run(&["compile", "m.sdlasm", "-o", "m.wgsl"]).well();
    let text = place.text("m.wgsl");
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

/// WGSL's discard lets the code go on, which a loop might wait for without end.
#[test]
fn a_discard_ends_a_fragment_s_code_in_wgsl_where_a_loop_follows() {
    let wgsl = |name: &str| {
        let path = testdata(&format!("fuzz/backends/{name}.sdlasm"));
        Place::new().run(&["compile", path.to_str().expect("a path"), "--to", "wgsl"]).well().into_text()
    };
    let text = wgsl("discard_before_a_loop");
    let behind = text.split_once("discard;").expect("a discard").1.trim_start();
    assert!(behind.starts_with("return "), "{text}");
    let text = wgsl("discard_in_a_function_called_from_a_loop");
    assert!(text.contains("discarded = true;\n        discard;\n        return "), "{text}");
    assert!(text.contains("        if discarded {\n            return "), "{text}");
    // Without a loop it stays as it is.
    let place = pair();
    place.write("a.frag.agal", "tex ft0, v0, fs0 <2d>\nkil ft0.w\nmov oc, ft0\n");
    let text = place.run(&["compile", "a.frag.agal", "--to", "wgsl"]).well().into_text();
    assert!(text.contains("discard;\n    }"), "{text}");
}

/// naga's GLSL makes a loop of a switch of one block, out of which a CONTINUE of an inner switch does not find its way.
#[test]
fn a_switch_of_one_block_is_a_switch_in_glsl() {
    let path = testdata("fuzz/backends/continue_out_of_two_switches.sdlasm");
    let ran = Place::new().run(&["compile", path.to_str().expect("a path"), "--to", "glsl"]).well();
    let text = ran.into_text();
    assert!(text.contains("switch(0) {") && !text.contains("do {"), "{text}");
}

#[test]
fn a_text_is_printed_with_its_comments() {
    let place = mandelbrot();
    let printed = place.run(&["print", "m.sdlasm"]).well().into_text();
    assert!(printed.starts_with("; The Mandelbrot set, written by hand"), "{printed}");
    assert!(printed.contains("    ; points far from the origin escape\n"), "{printed}");
    place.write("again.sdlasm", printed.as_bytes());
    assert_eq!(place.run(&["print", "again.sdlasm"]).well().into_text(), printed);
}

#[test]
fn mistakes_in_a_text_are_shown_where_they_are() {
    let place = mandelbrot();
    let wrong = place.text("m.sdlasm").replace("lessthan", "lesthan").replace("= dot %16, %16", "= dto %16, %16");
    place.write("syntax.sdlasm", wrong.as_bytes());
    let said = place.run(&["compile", "syntax.sdlasm", "-o", "x.wgsl"]).badly(1).err;
    assert!(said.contains("unknown operation `dto`, did you mean `dot`?"), "{said}");
    assert!(said.contains("syntax.sdlasm:35:11"), "{said}");
    assert!(!place.path("x.wgsl").exists());

    let wrong = place.text("m.sdlasm").replace("%24 = add %15, %9", "%24 = add %15, %11");
    place.write("types.sdlasm", wrong.as_bytes());
    let said = place.run(&["verify", "types.sdlasm"]).badly(1).err;
    assert!(said.contains("V08: ") && said.contains("int, float"), "{said}");
    assert!(said.contains("%24 = add %15, %11"), "the line itself: {said}");
    // What is wrong for the same reason is not told.
    assert!(said.contains("has 1 error;"), "{said}");
}

#[test]
fn a_debug_table_beside_its_program_is_as_good_as_one_inside() {
    let place = pair();
    place.run(&["compile", "a.vert.agal", "a.frag.agal", "--debug", "full", "-o", "full.sdlbc"]).well();
    place.run(&["strip", "full.sdlbc", "-o", "bare.sdlbc", "--debug-table", "bare.debug"]).well();
    assert!(place.read("bare.sdlbc").len() < place.read("full.sdlbc").len());
    let full = place.run(&["print", "full.sdlbc"]).well().into_text();
    assert!(full.contains("source 0 \"a.vert.agal\" lines text ") && full.contains(" @2"), "{full}");
    let bare = place.run(&["print", "bare.sdlbc"]).well().into_text();
    assert!(!bare.contains("vt0") && !bare.contains("@2"), "{bare}");
    assert_eq!(place.run(&["print", "bare.sdlbc", "--debug-table", "bare.debug"]).well().into_text(), full);
    place.run(&["compile", "a.vert.agal", "a.frag.agal", "--debug", "none", "-o", "none.sdlbc"]).well();
    assert_eq!(place.read("none.sdlbc"), place.read("bare.sdlbc"));
    // And it belongs to this program alone.
    place.run(&["compile", "a.vert.agal", "--debug", "none", "-o", "other.sdlbc"]).well();
    let said = place.run(&["print", "other.sdlbc", "--debug-table", "bare.debug"]).badly(1).err;
    assert!(said.contains("the debug table belongs to a program"), "{said}");
}

/// A text that agalc takes as AGAL may hold what no module does; then the debug table goes without it.
#[test]
fn what_is_written_with_all_its_debug_table_is_read_again() {
    let place = Place::new();
    let shader = "mov op, va0\n";
    place.write("nul.vert.agal", format!("{shader}// {}\0 there\n", "x".repeat(600)));
    place.write("long.vert.agal", format!("{shader}{}", format!("// {}\n", "x".repeat(1000)).repeat(4300)));
    for (name, why) in [("nul", "has a nul at byte 615"), ("long", "names and texts have 4")] {
        let input = format!("{name}.vert.agal");
        for extension in ["sdlbc", "sdlasm"] {
            let output = format!("{name}.{extension}");
            let said = place.run(&["compile", &input, "--debug", "full", "-o", &output]).well().err;
            assert!(said.contains("warning: the text of source 0 ") && said.contains(why), "{said}");
            place.run(&["verify", &output]).well();
            let shown = place.run(&["print", &output]).well().into_text();
            assert!(
                shown.contains(&format!("source 0 \"{input}\" lines\n")) && shown.contains("lines of 0"),
                "{shown}"
            );
        }
    }
}

/// AGAL that is taken leniently is of any length, and a module is not.
#[test]
fn what_is_too_large_for_a_module_is_refused_before_it_is_written() {
    let place = Place::new();
    place.write("big.vert.agal", format!("mov vt0, va0\n{}mov op, vt0\n", "add vt0, vt0, va0\n".repeat(66_000)));
    for extension in ["sdlbc", "sdlasm", "wgsl"] {
        let said = place.run(&["compile", "big.vert.agal", "-o", &format!("big.{extension}")]).badly(1).err;
        let wanted = "`big.vert.agal`: the resulting module has 66001 instructions and cases, but the limit is 65536";
        assert!(said.contains(wanted) && !said.contains("internal"), "{said}");
    }
    assert_eq!(place.files(), ["big.vert.agal"]);
    place.write("id.sdlasm", "generic function \"\" {\n  %99999999 = literalint 1\n}\n");
    let said = place.run(&["strip", "id.sdlasm", "-o", "id.sdlbc"]).badly(1).err;
    assert!(said.contains("could not be read again: the id %99999999 exceeds the limit"), "{said}");
    place.run(&["strip", "id.sdlasm", "-o", "again.sdlasm"]).well();
}

#[test]
fn both_dialects_are_read_and_written() {
    let place = pair();
    let compile = |dialect: &str, name: &str| {
        place.run(&["compile", "a.vert.agal", "a.frag.agal", "--dialect", dialect, "-o", name]).well();
    };
    compile("text", "text.sdlbc");
    compile("header", "header.sdlbc");
    let (text, header) = (place.read("text.sdlbc"), place.read("header.sdlbc"));
    assert_eq!((text[20], header[20]), (1, 0), "the first section's tag");
    for to in ["sdlbc", "sdlasm", "wgsl", "spirv"] {
        let one = place.run(&["compile", "text.sdlbc", "--to", to]).well();
        assert_eq!(one.out, place.run(&["compile", "header.sdlbc", "--to", to]).well().out, "{to}");
    }
    // `strip` keeps the dialect.
    place.run(&["strip", "header.sdlbc", "-o", "bare.sdlbc"]).well();
    assert_eq!(place.read("bare.sdlbc")[20], 0);
    assert!(place.run(&["dump", "header.sdlbc"]).well().into_text().contains("checksum, good"));
}

#[test]
fn a_dump_tells_good_files_from_damaged_ones() {
    let place = mandelbrot();
    place.run(&["compile", "m.sdlasm", "-o", "m.sdlbc"]).well();
    let good = place.run(&["dump", "m.sdlbc"]).well().into_text();
    assert!(good.contains("checksum, good"), "{good}");
    let mut bytes = place.read("m.sdlbc");
    // The opcode of the LOOP, and one bit more.
    let at = bytes.chunks(4).position(|word| word == [33, 0, 0, 0]).expect("a loop") * 4;
    bytes[at + 1] = 0x77;
    place.write("damaged.sdlbc", &bytes);
    let damaged = place.run(&["dump", "damaged.sdlbc"]).badly(1);
    let shown = damaged.text();
    assert!(shown.contains("checksum, BAD"), "{shown}");
    let line = shown.lines().find(|line| line.starts_with(&format!("{at:06x}"))).expect("the word's line");
    assert!(line.contains("<- unknown operation 0x7721"), "{line}");
    assert!(shown.contains("\"square\""), "what follows is shown all the same");
}

#[test]
fn the_structure_is_drawn_for_graphviz() {
    let place = mandelbrot();
    let graph = place.run(&["dump", "--graph", "m.sdlasm"]).well().into_text();
    assert!(graph.starts_with("digraph"), "{graph}");
    for part in ["loop", "break", "again", "square"] {
        assert!(graph.contains(part), "{part}: {graph}");
    }
}

#[test]
fn inspect_speaks_json() {
    let place = mandelbrot();
    let text = place.run(&["inspect", "--json", "m.sdlasm"]).well().into_text();
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let fragment = &json["functions"][1];
    assert_eq!(fragment["kind"], "fragment");
    assert_eq!(fragment["calls"], serde_json::json!([2]));
    assert_eq!(
        fragment["inputs"][0],
        serde_json::json!({"id": 1, "name": "point", "type": "float2", "kind": "varying", "location": 0,
            "interpolation": "perspective"})
    );
    assert_eq!(fragment["inputs"][2]["kind"], "local");
    assert_eq!(json["functions"][2]["debug_name"], "square");
    assert_eq!(json["functions"][0]["outputs"][0]["kind"], "position");
}

#[test]
fn a_debug_table_alone_says_whose_it_is_in_text_and_in_a_file_too() {
    let place = pair();
    place.run(&["compile", "a.vert.agal", "a.frag.agal", "--debug", "full", "-o", "a.sdlbc"]).well();
    place.run(&["strip", "a.sdlbc", "-o", "b.sdlbc", "--debug-table", "table.sdlbc"]).well();
    place.run(&["print", "table.sdlbc", "-o", "table.sdlasm"]).well();
    place.run(&["verify", "table.sdlasm"]).well();
    place.run(&["compile", "table.sdlasm", "-o", "again.sdlbc"]).well();
    assert_eq!(place.read("again.sdlbc"), place.read("table.sdlbc"));
}

//! Checks that each rejected input gives the right exit code and message, and no output.

use testing::Effort;

use crate::support::sandbox::{FRAGMENT, Sandbox, assembled, pair};

#[test]
fn inputs_that_are_not_a_pair_are_rejected() {
    let sandbox = pair();
    sandbox.run(&["compile", "a.vert.agal", "-o", "v.sdlbc"]).success();
    sandbox.run(&["compile", "a.vert.agal", "a.frag.agal", "-o", "p.sdlbc"]).success();
    let before = sandbox.files();
    for inputs in [
        ["a.vert.agal", "a.vert.agal"],
        ["a.frag.agal", "a.frag.agal"],
        ["v.sdlbc", "a.vert.agal"],
        ["p.sdlbc", "v.sdlbc"],
    ] {
        let ran = sandbox.run(&["compile", inputs[0], inputs[1], "-o", "x.wgsl"]);
        assert_eq!(ran.code, 1, "{inputs:?}: {}", ran.err);
        assert!(ran.err.contains("pair") || ran.err.contains("both programs are"), "{inputs:?}: {}", ran.err);
    }
    assert_eq!(sandbox.files(), before);
}

#[test]
fn an_invalid_command_line_exits_with_2_and_writes_nothing() {
    let sandbox = pair();
    let before = sandbox.files();
    let lines: [&[&str]; 12] = [
        &[],
        &["compile"],
        &["frobnicate"],
        &["compile", "a.vert.agal"],
        &["compile", "a.vert.agal", "-o", "x"],
        &["compile", "a.vert.agal", "-o", "x.png"],
        &["compile", "a.vert.agal", "-o", "x.wgsl", "-o", "x.wgsl"],
        &["compile", "a.vert.agal", "a.frag.agal", "a.frag.agal", "-o", "x.wgsl"],
        &["compile", "a.vert.agal", "--to", "dxil"],
        &["compile", "a.vert.agal", "--to", "wgsl", "--allow", "many"],
        &["compile", "a.vert.agal", "--to", "wgsl", "--agal-version", "9"],
        &["compile", "-", "-", "--to", "wgsl"],
    ];
    for line in lines {
        let ran = sandbox.run(line);
        assert_eq!(ran.code, 2, "{line:?}: {}", ran.err);
        assert!(!ran.err.is_empty() && ran.out.is_empty(), "{line:?}");
    }
    assert_eq!(sandbox.files(), before);
}

#[test]
fn a_file_that_cannot_be_read_or_written_exits_with_1() {
    let sandbox = pair();
    for (line, named) in [
        (["compile", "missing.agal", "-o", "x.wgsl"], "missing.agal"),
        (["compile", "a.vert.agal", "-o", "a.frag.agal/x.wgsl"], "a.frag.agal/x.wgsl"),
    ] {
        let ran = sandbox.run(&line);
        assert_eq!(ran.code, 1, "{line:?}: {}", ran.err);
        assert!(ran.err.contains(named), "{line:?}: {}", ran.err);
    }
    assert_eq!(sandbox.files(), ["a.frag.agal", "a.vert.agal"]);
}

/// An invalid input, with the locations and the cause that the message must contain.
struct Wrong {
    name: &'static str,
    bytes: Vec<u8>,
    locations: &'static [&'static str],
    cause: &'static str,
}

fn wrong_inputs() -> Vec<Wrong> {
    let good = assembled(FRAGMENT);
    let with = |at: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[at] = value;
        bytes
    };
    let wrong = |name, bytes, locations, cause| Wrong { name, bytes, locations, cause };
    let text = |text: &str| text.as_bytes().to_vec();
    vec![
        wrong(
            "truncated.agalbc",
            good[..20].to_vec(),
            &["byte 0"],
            "20 bytes, but the header and one token need 31 bytes",
        ),
        wrong("magic.agalbc", with(0, 0xff), &["byte 0"], "the first byte is FF, not A0"),
        wrong("version.agalbc", with(1, 99), &["byte 1"], "version 99"),
        wrong("opcode.agalbc", with(31, 0x55), &["token 2", "byte 31"], "0x55"),
        wrong("register.agalbc", with(31 + 7, 9), &["token 2", "byte 35"], "register type 9"),
        wrong(
            "unclosed.agalbc",
            assembled("mov ft0, v0\nife v0.x, fc0.x\nmov ft0, fc0\nmov ft1, ft0\n"),
            &["token 2", "byte 31"],
            "never closed",
        ),
        wrong("unclosed.agal", text("mov ft0, v0\n  ife v0.x, fc0.x\nmov oc, ft0\n"), &[":2:3"], "never closed"),
        wrong("mnemonic.agal", text("mov ft0, v0\nmvo ft1, v0\nmov oc, ft0\n"), &[":2:1"], "`mvo` is not an AGAL"),
        wrong("count.agal", text("add ft0, v0\nmov oc, ft0\n"), &[":1:"], "`add` takes 3 operands, but has 2"),
    ]
}

#[test]
fn errors_show_location_and_cause_on_one_screen_and_nothing_is_written() {
    for Wrong { name, bytes, locations, cause } in wrong_inputs() {
        let sandbox = Sandbox::new();
        sandbox.write(name, &bytes);
        sandbox.write("old.wgsl", "old");
        let ran = sandbox.run(&["compile", name, "-o", "x.wgsl", "-o", "old.wgsl", "-o", "x.spv"]);
        assert_eq!(ran.code, 1, "{name}: {}", ran.err);
        assert!(ran.out.is_empty(), "{name}");
        assert!(ran.err.contains("error") && ran.err.contains(cause), "{name}: {}", ran.err);
        for part in locations {
            assert!(ran.err.contains(part), "{name}: {part} is missing: {}", ran.err);
        }
        assert!(ran.err.contains(name), "{name}: {}", ran.err);
        assert!(ran.err.lines().count() <= 24, "{name} does not fit one screen: {}", ran.err);
        assert!(ran.err.lines().all(|line| line.chars().count() <= 160), "{name}: {}", ran.err);
        let mut left = [name, "old.wgsl"];
        left.sort();
        assert_eq!(sandbox.files(), left, "{name}");
        assert_eq!(sandbox.text("old.wgsl"), "old", "{name}");
        let verify = sandbox.run(&["verify", name]);
        assert_eq!(verify.code, 1, "{name}");
        assert!(verify.err.contains(cause), "{name}: {}", verify.err);
    }
}

#[test]
fn a_message_about_text_shows_the_line_a_caret_and_a_suggestion() {
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", "mov ft0, v0\ntex ft1, v0, fs0 <2d,linaer>\nmov oc, ft1\n");
    let ran = sandbox.run(&["verify", "a.agal"]);
    assert!(ran.err.contains("tex ft1, v0, fs0 <2d,linaer>"), "{}", ran.err);
    assert!(ran.err.contains("^^^^^^"), "{}", ran.err);
    assert!(ran.err.contains("did you mean `linear`?"), "{}", ran.err);
}

#[test]
fn several_errors_are_all_shown_at_once() {
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", "mvo ft0, v0\nadd ft1, v0\ntex ft0, v0, fs0 <2d,linaer>\nmov oc, position\n");
    let ran = sandbox.run(&["compile", "a.agal", "--to", "wgsl"]);
    for part in ["`mvo`", "takes 3 operands", "`linaer`", "`position`", "3 errors"] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
    // The errors of both programs in a pair are reported.
    sandbox.write("b.agal", "mov op, va99\nmov v0, vt0\n");
    sandbox.write("c.agal", "mov ft9, v0\nmov oc, ft1\n");
    let ran = sandbox.run(&["compile", "b.agal", "c.agal", "--to", "wgsl"]);
    assert_eq!(ran.code, 1);
    for part in ["`va99`", "`vt0`", "`ft1`", "b.agal", "c.agal"] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
}

#[test]
fn a_hundred_errors_are_counted_and_not_all_shown() {
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", "mvo oc, v0\n".repeat(100));
    let ran = sandbox.run(&["compile", "a.agal", "--to", "wgsl"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("100 errors") && ran.err.contains("further findings are not shown"), "{}", ran.err);
}

#[test]
fn warnings_are_reported_and_the_output_is_still_written() {
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", "mov oc.xyz, v0\nmov oc.w, v0.w\n");
    let ran = sandbox.run(&["compile", "a.agal", "-o", "x.wgsl"]).success();
    assert!(ran.err.contains("warning[AGAL3701]") && ran.err.contains("wrote x.wgsl"), "{}", ran.err);
}

#[test]
fn disabled_warnings_are_not_reported_along_with_errors() {
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", "mov oc.xyz, v0\nmov oc.w, v0.w\nadd ft1, v0, ft0\n");
    for line in [&["compile", "a.agal", "--to", "wgsl"][..], &["run", "a.agal"], &["validate", "a.agal"]] {
        let ran = sandbox.run(line).failure(1);
        assert!(ran.err.contains("warning[AGAL3701]"), "{line:?}: {}", ran.err);
        let ran = sandbox.run(&[line, &["-W", "allow"]].concat()).failure(1);
        assert!(!ran.err.contains("warning") && ran.err.contains("error[AGAL3647]"), "{line:?}: {}", ran.err);
    }
}

#[test]
fn findings_can_be_allowed_by_their_numbers() {
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", "add oc, v0, ft0\n");
    assert_eq!(sandbox.run(&["compile", "a.agal", "--to", "wgsl"]).code, 1);
    for allow in ["3647", "AGAL3647", "3648,AGAL3647"] {
        let ran = sandbox.run(&["compile", "a.agal", "--to", "wgsl", "--allow", allow]).success();
        assert!(ran.err.contains("warning[AGAL3647]"), "{allow}: {}", ran.err);
    }
    assert_eq!(sandbox.run(&["compile", "a.agal", "--to", "wgsl", "--allow", "3648"]).code, 1);
}

#[test]
fn existing_outputs_are_untouched_when_a_later_one_fails() {
    let sandbox = pair();
    sandbox.write("x.wgsl", "old");
    sandbox.write("x.spv", "old");
    for line in [
        ["compile", "a.vert.agal", "-o", "x.wgsl", "-o", "x.frag"],
        ["compile", "a.vert.agal", "-o", "x.spv", "-o", "a.frag.agal/x.wgsl"],
    ] {
        let ran = sandbox.run(&line);
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(!ran.err.contains("wrote"), "{}", ran.err);
    }
    assert_eq!([sandbox.text("x.wgsl"), sandbox.text("x.spv")], ["old", "old"]);
    assert_eq!(sandbox.files(), ["a.frag.agal", "a.vert.agal", "x.spv", "x.wgsl"]);
    sandbox.run(&["compile", "a.vert.agal", "-o", "x.wgsl"]).success();
    assert!(sandbox.text("x.wgsl").contains("vs_main"), "it is replaced on success");
}

#[test]
fn a_damaged_sdlshaderbc_file_is_rejected_with_an_offset_but_can_be_dumped() {
    let sandbox = pair();
    sandbox.run(&["compile", "a.frag.agal", "-o", "a.sdlbc"]).success();
    let mut bytes = sandbox.read("a.sdlbc");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    sandbox.write("a.sdlbc", &bytes);
    let ran = sandbox.run(&["compile", "a.sdlbc", "-o", "x.wgsl"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("a.sdlbc") && ran.err.contains(" at byte "), "{}", ran.err);
    assert!(!sandbox.path("x.wgsl").exists());
    let ran = sandbox.run(&["dump", "a.sdlbc"]);
    assert_eq!(ran.code, 1);
    assert!(ran.text().lines().count() > 10 && ran.err.contains("damaged"), "{}", ran.err);
    sandbox.write("b.sdlbc", &bytes[..40]);
    let ran = sandbox.run(&["verify", "b.sdlbc"]);
    assert!(ran.code == 1 && ran.err.contains(" at byte "), "{}", ran.err);
}

#[test]
fn an_unrecognised_file_is_rejected_with_a_reason() {
    let sandbox = Sandbox::new();
    for (name, bytes, part) in [
        ("empty.agal", &b""[..], "the program is empty: it has 0 bytes"),
        ("noise", &b"\x89\x01\x02\x03\x8f\x91\x04\x05noise"[..], "not AGAL bytecode"),
        ("latin", &b"mov o\xe9c, v0\n"[..], "mov o\u{e9}c, v0"),
    ] {
        sandbox.write(name, bytes);
        let ran = sandbox.run(&["compile", name, "--to", "wgsl"]);
        assert_eq!(ran.code, 1, "{name}");
        assert!(ran.err.contains(part), "{name}: {}", ran.err);
    }
}

/// The inputs are files that users may pass by mistake, including files in the command's output formats.
#[test]
fn a_file_of_another_kind_gets_one_error_from_every_command() {
    let sandbox = pair();
    sandbox.run(&["compile", "a.vert.agal", "a.frag.agal", "-o", "x.wgsl", "-o", "x.spv", "-o", "x.spvasm"]).success();
    sandbox.run(&["compile", "a.vert.agal", "-o", "x.vert"]).success();
    sandbox.run(&["compile", "a.frag.agal", "-o", "es.frag", "--glsl", "300es"]).success();
    sandbox.write("x.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    sandbox.write("x.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF");
    sandbox.write("x.atf", b"ATF\0\0\xff\x03");
    sandbox.write("x.pdf", "%PDF-1.4\n1 0 obj\n");
    sandbox.write("x.md", "# A shader\n\nSome *text* with `code`.\n\n- a list\n");
    sandbox.write("x.html", "<!DOCTYPE html>\n<html><body>mov</body></html>\n");
    sandbox.write("x.json", "{\"a\": 1}\n");
    sandbox.write("y.json", "[1, 2, 3]\n");
    sandbox.write("x.swf", b"CWS\x0f\x30\x04\0\0\x78\xda");
    sandbox.write("x.swc", b"PK\x03\x04\x14\0\x08\0");
    sandbox.write("x.abc", b"\x10\0\x2e\0\0\0\0\0");
    sandbox.write("X y.as", "package {\n  public class X {\n    var a:String = \"mov oc, v0\";\n  }\n}\n".repeat(80));
    sandbox.write("x.hx", "package a;\nclass X {\n  var a = 'mov oc, v0';\n}\n");
    sandbox.write("x.metal", "#include <metal_stdlib>\nusing namespace metal;\n");
    sandbox.write("x.toml", "about = \"a\"\nvertex = \"v.agal\"\nfragment = \"f.agal\"\n");
    let files = [
        ("x.spvasm", "is SPIR-V text, which agalc writes but does not read"),
        ("x.png", "is a PNG picture, but a program is expected here; `agalc render --texture`"),
        ("x.jpg", "is a JPEG picture, which agalc does not read; an input is AGAL"),
        ("x.atf", "is an ATF texture, which agalc does not read; an input is AGAL"),
        ("x.pdf", "is a PDF file, which agalc does not read; copy the AGAL in it to a text file of its own"),
        ("x.md", "is Markdown, which agalc does not read; copy the AGAL in it to a text file of its own"),
        (
            "x.html",
            "is an HTML page, which agalc does not read; if you meant to download a shader, download the shader file itself",
        ),
        ("x.json", "is JSON, which agalc does not read; an input is AGAL"),
        ("y.json", "is JSON, which agalc does not read; an input is AGAL"),
        ("x.swf", "is a SWF file; `agalc extract x.swf -o shaders` finds the AGAL in it"),
        ("x.swc", "is a zip archive (or an SWC file); `agalc extract x.swc -o shaders` finds the AGAL in it"),
        ("x.abc", "is an ABC file (ActionScript bytecode); `agalc extract x.abc -o shaders` finds the AGAL in it"),
        ("X y.as", "is ActionScript; `agalc extract 'X y.as' -o shaders` finds the AGAL in it"),
        ("x.hx", "is Haxe; `agalc extract x.hx -o shaders` finds the AGAL in it"),
        ("x.toml", "is a scene (TOML), but a program is expected here; `agalc render` draws it"),
        ("x.metal", "is MSL (Metal Shading Language), which agalc writes but does not read"),
    ];
    for &(name, said) in Effort::part_of("FILES", &files) {
        for line in [
            &["compile", name, "--to", "wgsl"][..],
            &["assemble", name, "-o", "y"],
            &["assemble", "--expand", name, "-o", "y"],
            &["disassemble", name],
            &["print", name],
            &["dump", name],
            &["validate", name],
            &["link", name, "a.frag.agal"],
            &["verify", name],
            &["inspect", name],
            &["run", name],
            &["strip", name, "-o", "y"],
        ] {
            let ran = sandbox.run(line).failure(1);
            assert!(ran.err.contains(&format!("error: `{name}` {said}")), "{line:?}: {}", ran.err);
            assert_eq!(ran.err.matches("error").count(), 1, "{line:?}: {}", ran.err);
            assert!(ran.out.is_empty(), "{line:?}");
        }
        // If one input of a pair has the wrong format, errors in the other input are still reported.
        sandbox.write("b.agal", "mvo op, va0\n");
        let ran = sandbox.run(&["compile", name, "b.agal", "--to", "wgsl"]).failure(1);
        assert!(ran.err.contains(said) && ran.err.contains("`mvo`"), "{name}: {}", ran.err);
    }
}

#[test]
fn text_that_is_not_in_utf8_is_read_and_reported_once() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "a.agal",
        b"// \xa9 2012 J\xfcrgen\nmov ft0, v0 // caf\xe9\n/*\r\n \xe4\n*/ alias fc0, tint\nmul oc, ft0, tint\n",
    );
    sandbox.write(
        "ascii.agal",
        b"// (c) 2012 Juergen\nmov ft0, v0 // cafe\n/*\r\n a\n*/ alias fc0, tint\nmul oc, ft0, tint\n",
    );
    let ran = sandbox.run(&["compile", "a.agal", "--to", "wgsl"]).success();
    assert_eq!(ran.out, sandbox.run(&["compile", "ascii.agal", "--to", "wgsl"]).success().out);
    let said = "warning: line 1 of `a.agal` is not in UTF-8 (byte 3); such bytes are read as Windows-1252";
    assert!(ran.err.contains(said) && ran.err.matches("warning").count() == 1, "{}", ran.err);
    for line in [&["validate", "a.agal"][..], &["run", "a.agal", "--set", "v0=1"], &["assemble", "a.agal", "-o", "y"]] {
        let ran = sandbox.run(line).success();
        assert_eq!(ran.err.matches(said).count(), 1, "{line:?}: {}", ran.err);
    }
    // `-W allow` silences the warning about text that is not in UTF-8, and `-W error` turns the warning into an error.
    let quiet = sandbox.run(&["compile", "a.agal", "--to", "wgsl", "-W", "allow"]).success();
    assert!(!quiet.err.contains("UTF-8"), "{}", quiet.err);
    let strict = sandbox.run(&["compile", "a.agal", "--to", "wgsl", "-W", "error"]).failure(1);
    assert!(strict.err.contains("line 1 is not in UTF-8 (byte 3)"), "{}", strict.err);
    // If a file contains two programs and is not in UTF-8, the command warns only once.
    sandbox
        .write("p.agal", b"// \xe9\npart v vertex 1\nmov op, va0\nendpart\npart f fragment 1\nmov oc, fc0\nendpart\n");
    let ran = sandbox.run(&["compile", "p.agal", "--to", "wgsl"]).success();
    assert_eq!(ran.err.matches("is not in UTF-8").count(), 1, "{}", ran.err);
    // Comments in module text may also contain bytes that are not UTF-8.
    sandbox.run(&["print", "ascii.agal", "-o", "m.sdlasm"]).success();
    let text = [b"; \xfc\n", &sandbox.read("m.sdlasm")[..]].concat();
    sandbox.write("l.sdlasm", text);
    let ran = sandbox.run(&["print", "l.sdlasm"]).success();
    assert!(ran.text().starts_with("; \u{fc}\n") && ran.err.contains("line 1 of `l.sdlasm`"), "{}", ran.err);
}

#[test]
fn locations_in_text_that_is_not_in_utf8_refer_to_the_file() {
    let sandbox = Sandbox::new();
    let file = b"// caf\xe9 \x80\n/* \xe9\xe9 */ alias v0, x\n/* \xe9 */ mvo oc, x\n";
    sandbox.write("a.agal", file);
    let ran = sandbox.run(&["validate", "a.agal", "--json"]).failure(1);
    let report: serde_json::Value = serde_json::from_str(ran.text()).expect("JSON");
    let finding = &report["programs"][0]["findings"][0];
    let at = file.windows(3).position(|word| word == b"mvo").expect("it is there");
    assert_eq!([&finding["start"], &finding["end"]].map(|byte| byte.as_u64()), [at, at + 3].map(|at| Some(at as u64)));
    assert_eq!([&finding["line"], &finding["column"]].map(|number| number.as_u64()), [Some(3), Some(9)]);
    let ran = sandbox.run(&["compile", "a.agal", "--to", "wgsl"]).failure(1);
    assert!(ran.err.contains("a.agal:3:9") && ran.err.contains("/* \u{e9} */ mvo oc, x"), "{}", ran.err);
    // In Windows-1252, the byte 0xA0 is a no-break space, which pasted text may contain outside a comment.
    sandbox.write("b.agal", b"// \x20\nmov oc, v0\xa0 // \xe9\n");
    let ran = sandbox.run(&["compile", "b.agal", "--to", "wgsl"]).success();
    assert!(ran.err.contains("line 2 of `b.agal` is not in UTF-8 (byte 15)"), "{}", ran.err);
    let ran = sandbox.run(&["compile", "b.agal", "--to", "wgsl", "-W", "error"]).failure(1);
    assert!(ran.err.contains("`b.agal` is text, but line 2 is not in UTF-8 (byte 15)"), "{}", ran.err);
}

#[test]
fn text_in_utf16_is_read_and_reported_once_and_locations_refer_to_the_file() {
    let sandbox = Sandbox::new();
    let text = "// \u{1f600}\nmov oc, v0\nmvo ft0, v0\n";
    for (name, mark, encode) in
        [("little", &b"\xff\xfe"[..], u16::to_le_bytes as fn(u16) -> [u8; 2]), ("big", b"\xfe\xff", u16::to_be_bytes)]
    {
        let encoded = |text: &str| [mark, &text.encode_utf16().flat_map(encode).collect::<Vec<u8>>()].concat();
        sandbox.write("a.agal", encoded(text));
        let ran = sandbox.run(&["validate", "a.agal", "--json"]).failure(1);
        let report: serde_json::Value = serde_json::from_str(ran.text()).expect("JSON");
        let finding = &report["programs"][0]["findings"][0];
        let at = 2 + 2 * text[..text.find("mvo").expect("it is there")].encode_utf16().count();
        let numbers = ["start", "end", "line", "column"].map(|field| finding[field].as_u64());
        assert_eq!(numbers, [at, at + 6, 3, 1].map(|number| Some(number as u64)), "{name}");
        sandbox.write("b.agal", encoded("mov oc, v0"));
        let ran = sandbox.run(&["compile", "b.agal", "--to", "wgsl"]).success();
        let said = format!("warning: `b.agal` is in UTF-16 ({name} endian), not in UTF-8, and is read as such");
        assert!(ran.err.matches(&said).count() == 1, "{}", ran.err);
    }
}

#[test]
fn a_wrong_number_is_refused_with_the_range_of_those_that_are_right() {
    let sandbox = pair();
    for (option, value, expected) in [
        ("--binding-base", "x", "expected a whole number from 0 to 4294967295"),
        ("--group", "-1", "expected a whole number from 0 to 4294967295"),
        ("--group", "4294967296", "expected a whole number from 0 to 4294967295"),
        ("--agal-version", "5", "expected a whole number from 1 to 4"),
    ] {
        let ran = sandbox.run(&["compile", "a.vert.agal", "--to", "wgsl", option, value]).failure(2);
        assert!(ran.err.contains(expected) && !ran.err.contains("tip:"), "{option} {value}: {}", ran.err);
    }
}

//! What the command refuses: exit codes, messages with place and cause, and that nothing is written then.

use crate::support;

use support::place::{FRAGMENT, Place, assembled, pair};

#[test]
fn what_is_no_pair_is_refused() {
    let place = pair();
    place.run(&["compile", "a.vert.agal", "-o", "v.sdlbc"]).well();
    place.run(&["compile", "a.vert.agal", "a.frag.agal", "-o", "p.sdlbc"]).well();
    let before = place.files();
    for inputs in [
        ["a.vert.agal", "a.vert.agal"],
        ["a.frag.agal", "a.frag.agal"],
        ["v.sdlbc", "a.vert.agal"],
        ["p.sdlbc", "v.sdlbc"],
    ] {
        let ran = place.run(&["compile", inputs[0], inputs[1], "-o", "x.wgsl"]);
        assert_eq!(ran.code, 1, "{inputs:?}: {}", ran.err);
        assert!(ran.err.contains("pair") || ran.err.contains("both programs are"), "{inputs:?}: {}", ran.err);
    }
    assert_eq!(place.files(), before);
}

#[test]
fn a_wrong_command_line_is_exit_code_2_and_writes_nothing() {
    let place = pair();
    let before = place.files();
    let lines: [&[&str]; 12] = [
        &[],
        &["compile"],
        &["frobnicate"],
        &["compile", "a.vert.agal"],
        &["compile", "a.vert.agal", "-o", "x"],
        &["compile", "a.vert.agal", "-o", "x.png"],
        &["compile", "a.vert.agal", "-o", "x.wgsl", "-o", "x.wgsl"],
        &["compile", "a.vert.agal", "a.frag.agal", "a.frag.agal", "-o", "x.wgsl"],
        &["compile", "a.vert.agal", "--to", "hlsl"],
        &["compile", "a.vert.agal", "--to", "wgsl", "--allow", "many"],
        &["compile", "a.vert.agal", "--to", "wgsl", "--agal-version", "9"],
        &["compile", "-", "-", "--to", "wgsl"],
    ];
    for line in lines {
        let ran = place.run(line);
        assert_eq!(ran.code, 2, "{line:?}: {}", ran.err);
        assert!(!ran.err.is_empty() && ran.out.is_empty(), "{line:?}");
    }
    assert_eq!(place.files(), before);
}

#[test]
fn a_file_that_cannot_be_read_or_written_is_exit_code_1() {
    let place = pair();
    for (line, named) in [
        (["compile", "missing.agal", "-o", "x.wgsl"], "missing.agal"),
        (["compile", "a.vert.agal", "-o", "a.frag.agal/x.wgsl"], "a.frag.agal/x.wgsl"),
        (["compile", ".", "-o", "x.wgsl"], "`.`"),
    ] {
        let ran = place.run(&line);
        assert_eq!(ran.code, 1, "{line:?}: {}", ran.err);
        assert!(ran.err.contains(named), "{line:?}: {}", ran.err);
    }
    assert_eq!(place.files(), ["a.frag.agal", "a.vert.agal"]);
}

/// A wrong input, and what its message must name.
struct Wrong {
    name: &'static str,
    bytes: Vec<u8>,
    place: &'static [&'static str],
    cause: &'static str,
}

/// The cases of the contract's sixth acceptance.
fn wrong_inputs() -> Vec<Wrong> {
    let good = assembled(FRAGMENT);
    let with = |at: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[at] = value;
        bytes
    };
    let wrong = |name, bytes, place, cause| Wrong { name, bytes, place, cause };
    let text = |text: &str| text.as_bytes().to_vec();
    vec![
        wrong("truncated.agalbc", good[..20].to_vec(), &["byte 0"], "20 bytes; the header and one token take 31"),
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
        wrong(
            "option.agal",
            text("tex ft0, v0, fs0 <2d,linaer>\nmov oc, ft0\n"),
            &[":1:22"],
            "`linaer` is not a sampler option",
        ),
        wrong("count.agal", text("add ft0, v0\nmov oc, ft0\n"), &[":1:"], "`add` takes 3 operands, found 2"),
    ]
}

#[test]
fn what_is_wrong_is_told_with_place_and_cause_on_one_screen_and_nothing_is_written() {
    for Wrong { name, bytes, place: places, cause } in wrong_inputs() {
        let place = Place::new();
        place.write(name, &bytes);
        place.write("old.wgsl", "old");
        let ran = place.run(&["compile", name, "-o", "x.wgsl", "-o", "old.wgsl", "-o", "x.spv"]);
        assert_eq!(ran.code, 1, "{name}: {}", ran.err);
        assert!(ran.out.is_empty(), "{name}");
        assert!(ran.err.contains("error") && ran.err.contains(cause), "{name}: {}", ran.err);
        for part in places {
            assert!(ran.err.contains(part), "{name} names no {part}: {}", ran.err);
        }
        assert!(ran.err.contains(name), "{name}: {}", ran.err);
        assert!(ran.err.lines().count() <= 24, "{name} does not fit one screen: {}", ran.err);
        assert!(ran.err.lines().all(|line| line.chars().count() <= 160), "{name}: {}", ran.err);
        let mut left = [name, "old.wgsl"];
        left.sort();
        assert_eq!(place.files(), left, "{name}");
        assert_eq!(place.text("old.wgsl"), "old", "{name}");
        let verify = place.run(&["verify", name]);
        assert_eq!(verify.code, 1, "{name}");
        assert!(verify.err.contains(cause), "{name}: {}", verify.err);
    }
}

#[test]
fn a_message_about_text_shows_the_line_with_a_caret_and_the_way_out() {
    let place = Place::new();
    place.write("a.agal", "mov ft0, v0\ntex ft1, v0, fs0 <2d,linaer>\nmov oc, ft1\n");
    let ran = place.run(&["verify", "a.agal"]);
    assert!(ran.err.contains("tex ft1, v0, fs0 <2d,linaer>"), "{}", ran.err);
    assert!(ran.err.contains("^^^^^^"), "{}", ran.err);
    assert!(ran.err.contains("did you mean `linear`?"), "{}", ran.err);
}

#[test]
fn several_errors_are_all_shown_at_once() {
    let place = Place::new();
    place.write("a.agal", "mvo ft0, v0\nadd ft1, v0\ntex ft0, v0, fs0 <2d,linaer>\nmov oc, position\n");
    let ran = place.run(&["compile", "a.agal", "--to", "wgsl"]);
    for part in ["`mvo`", "takes 3 operands", "`linaer`", "`position`", "4 errors"] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
    // Of both programs of a pair, each has its say.
    place.write("b.agal", "mov op, va99\nmov v0, vt0\n");
    place.write("c.agal", "mov ft9, v0\nmov oc, ft1\n");
    let ran = place.run(&["compile", "b.agal", "c.agal", "--to", "wgsl"]);
    assert_eq!(ran.code, 1);
    for part in ["`va99`", "`vt0`", "`ft1`", "b.agal", "c.agal"] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
}

#[test]
fn a_hundred_errors_are_counted_and_not_all_shown() {
    let place = Place::new();
    place.write("a.agal", "mvo oc, v0\n".repeat(100));
    let ran = place.run(&["compile", "a.agal", "--to", "wgsl"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("100 errors") && ran.err.contains("further findings are not shown"), "{}", ran.err);
}

#[test]
fn warnings_are_said_and_the_output_is_written_all_the_same() {
    let place = Place::new();
    place.write("a.agal", "mov oc.xyz, v0\nmov oc.w, v0.w\n");
    let ran = place.run(&["compile", "a.agal", "-o", "x.wgsl"]).well();
    assert!(ran.err.contains("warning[AGAL3701]") && ran.err.contains("wrote x.wgsl"), "{}", ran.err);
}

#[test]
fn warnings_that_are_not_wanted_are_not_said_beside_errors_either() {
    let place = Place::new();
    place.write("a.agal", "mov oc.xyz, v0\nmov oc.w, v0.w\nadd ft1, v0, ft0\n");
    for line in [&["compile", "a.agal", "--to", "wgsl"][..], &["run", "a.agal"], &["validate", "a.agal"]] {
        let ran = place.run(line).badly(1);
        assert!(ran.err.contains("warning[AGAL3701]"), "{line:?}: {}", ran.err);
        let ran = place.run(&[line, &["-W", "allow"]].concat()).badly(1);
        assert!(!ran.err.contains("warning") && ran.err.contains("error[AGAL3647]"), "{line:?}: {}", ran.err);
    }
}

#[test]
fn findings_can_be_allowed_by_their_numbers() {
    let place = Place::new();
    place.write("a.agal", "add oc, v0, ft0\n");
    assert_eq!(place.run(&["compile", "a.agal", "--to", "wgsl"]).code, 1);
    for allow in ["3647", "AGAL3647", "3648,AGAL3647"] {
        let ran = place.run(&["compile", "a.agal", "--to", "wgsl", "--allow", allow]).well();
        assert!(ran.err.contains("warning[AGAL3647]"), "{allow}: {}", ran.err);
    }
    assert_eq!(place.run(&["compile", "a.agal", "--to", "wgsl", "--allow", "3648"]).code, 1);
}

#[test]
fn an_existing_output_stays_whole_when_a_later_one_fails() {
    let place = pair();
    place.write("x.wgsl", "old");
    place.write("x.spv", "old");
    for line in [
        ["compile", "a.vert.agal", "-o", "x.wgsl", "-o", "x.frag"],
        ["compile", "a.vert.agal", "-o", "x.spv", "-o", "a.frag.agal/x.wgsl"],
    ] {
        let ran = place.run(&line);
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(!ran.err.contains("wrote"), "{}", ran.err);
    }
    assert_eq!([place.text("x.wgsl"), place.text("x.spv")], ["old", "old"]);
    assert_eq!(place.files(), ["a.frag.agal", "a.vert.agal", "x.spv", "x.wgsl"]);
    place.run(&["compile", "a.vert.agal", "-o", "x.wgsl"]).well();
    assert!(place.text("x.wgsl").contains("vs_main"), "and is replaced when all is well");
}

#[test]
fn a_damaged_sdlshaderbc_file_is_refused_with_its_offset_and_dumped_all_the_same() {
    let place = pair();
    place.run(&["compile", "a.frag.agal", "-o", "a.sdlbc"]).well();
    let mut bytes = place.read("a.sdlbc");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    place.write("a.sdlbc", &bytes);
    let ran = place.run(&["compile", "a.sdlbc", "-o", "x.wgsl"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("a.sdlbc") && ran.err.contains(" at byte "), "{}", ran.err);
    assert!(!place.path("x.wgsl").exists());
    let ran = place.run(&["dump", "a.sdlbc"]);
    assert_eq!(ran.code, 1);
    assert!(ran.text().lines().count() > 10 && ran.err.contains("damaged"), "{}", ran.err);
    place.write("b.sdlbc", &bytes[..40]);
    let ran = place.run(&["verify", "b.sdlbc"]);
    assert!(ran.code == 1 && ran.err.contains(" at byte "), "{}", ran.err);
}

#[test]
fn a_file_of_nothing_known_is_told_what_would_be_known() {
    let place = Place::new();
    for (name, bytes, part) in [
        ("empty", &b""[..], "0 bytes"),
        ("noise", &b"\x89\x01\x02\x03\x8f\x91\x04\x05noise"[..], "not AGAL bytecode"),
        ("latin", &b"mov o\xe9c, v0\n"[..], "UTF-8"),
    ] {
        place.write(name, bytes);
        let ran = place.run(&["compile", name, "--to", "wgsl"]);
        assert_eq!(ran.code, 1, "{name}");
        assert!(ran.err.contains(part), "{name}: {}", ran.err);
    }
}

/// What the command itself writes, whole, and other files that are given by mistake.
#[test]
fn a_file_of_another_kind_gets_one_error_from_every_command() {
    let place = pair();
    place.run(&["compile", "a.vert.agal", "a.frag.agal", "-o", "x.wgsl", "-o", "x.spv", "-o", "x.spvasm"]).well();
    place.run(&["compile", "a.vert.agal", "-o", "x.vert"]).well();
    place.run(&["compile", "a.frag.agal", "-o", "es.frag", "--glsl", "300es"]).well();
    place.write("x.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    place.write("x.swf", b"CWS\x0f\x30\x04\0\0\x78\xda");
    place.write("x.swc", b"PK\x03\x04\x14\0\x08\0");
    place.write("x.toml", "about = \"a\"\nvertex = \"v.agal\"\nfragment = \"f.agal\"\n");
    place.write("x.hlsl", "float4 main(float2 uv : TEXCOORD0) : SV_Target {\n  return 1;\n}\n");
    for (name, said) in [
        ("x.wgsl", "is WGSL, which agalc writes but does not read"),
        ("x.spv", "is SPIR-V, which agalc writes but does not read"),
        ("x.spvasm", "is SPIR-V text, which agalc writes but does not read"),
        ("x.vert", "is GLSL, which agalc writes but does not read"),
        ("es.frag", "is GLSL, which agalc writes but does not read"),
        ("x.png", "is a PNG picture, but a program is expected here; `agalc render --texture`"),
        ("x.swf", "is a SWF file, which agalc does not read; extract the AGAL first"),
        ("x.swc", "is a zip archive (or an SWC file), which agalc does not read; unpack it first"),
        ("x.toml", "is a scene (TOML), but a program is expected here; `agalc render` draws it"),
        ("x.hlsl", "is HLSL, which agalc does not read; an input is AGAL"),
    ] {
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
            let ran = place.run(line).badly(1);
            assert!(ran.err.contains(&format!("error: `{name}` {said}")), "{line:?}: {}", ran.err);
            assert_eq!(ran.err.matches("error").count(), 1, "{line:?}: {}", ran.err);
            assert!(ran.out.is_empty(), "{line:?}");
        }
        // The other input has its say all the same.
        place.write("b.agal", "mvo op, va0\n");
        let ran = place.run(&["compile", name, "b.agal", "--to", "wgsl"]).badly(1);
        assert!(ran.err.contains(said) && ran.err.contains("`mvo`"), "{name}: {}", ran.err);
    }
}

#[test]
fn comments_that_are_not_in_utf8_are_read_and_said_once() {
    let place = Place::new();
    place.write(
        "a.agal",
        b"// \xa9 2012 J\xfcrgen\nmov ft0, v0 // caf\xe9\n/*\r\n \xe4\n*/ alias fc0, tint\nmul oc, ft0, tint\n",
    );
    place.write(
        "ascii.agal",
        b"// (c) 2012 Juergen\nmov ft0, v0 // cafe\n/*\r\n a\n*/ alias fc0, tint\nmul oc, ft0, tint\n",
    );
    let ran = place.run(&["compile", "a.agal", "--to", "wgsl"]).well();
    assert_eq!(ran.out, place.run(&["compile", "ascii.agal", "--to", "wgsl"]).well().out);
    let said = "warning: line 1 of `a.agal` is not in UTF-8 (byte 3); such comments are read as Windows-1252";
    assert!(ran.err.contains(said) && ran.err.matches("warning").count() == 1, "{}", ran.err);
    for line in [&["validate", "a.agal"][..], &["run", "a.agal", "--set", "v0=1"], &["assemble", "a.agal", "-o", "y"]] {
        let ran = place.run(line).well();
        assert_eq!(ran.err.matches(said).count(), 1, "{line:?}: {}", ran.err);
    }
    // Who does not want to hear it does not, and who wants no warnings is refused.
    let quiet = place.run(&["compile", "a.agal", "--to", "wgsl", "-W", "allow"]).well();
    assert!(!quiet.err.contains("UTF-8"), "{}", quiet.err);
    let strict = place.run(&["compile", "a.agal", "--to", "wgsl", "-W", "error"]).badly(1);
    assert!(strict.err.contains("line 1 is not in UTF-8 (byte 3)"), "{}", strict.err);
    // A text of two programs is one file.
    place.write("p.agal", b"// \xe9\npart v vertex 1\nmov op, va0\nendpart\npart f fragment 1\nmov oc, fc0\nendpart\n");
    let ran = place.run(&["compile", "p.agal", "--to", "wgsl"]).well();
    assert_eq!(ran.err.matches("is not in UTF-8").count(), 1, "{}", ran.err);
    // A module's text has comments too.
    place.run(&["print", "ascii.agal", "-o", "m.sdlasm"]).well();
    let text = [b"; \xfc\n", &place.read("m.sdlasm")[..]].concat();
    place.write("l.sdlasm", text);
    let ran = place.run(&["print", "l.sdlasm"]).well();
    assert!(ran.text().starts_with("; \u{fc}\n") && ran.err.contains("line 1 of `l.sdlasm`"), "{}", ran.err);
}

#[test]
fn places_in_a_text_that_is_not_in_utf8_are_those_of_the_file() {
    let place = Place::new();
    let file = b"// caf\xe9 \x80\n/* \xe9\xe9 */ alias v0, x\n/* \xe9 */ mvo oc, x\n";
    place.write("a.agal", file);
    let ran = place.run(&["validate", "a.agal", "--json"]).badly(1);
    let report: serde_json::Value = serde_json::from_str(ran.text()).expect("JSON");
    let finding = &report["programs"][0]["findings"][0];
    let at = file.windows(3).position(|word| word == b"mvo").expect("it is there");
    assert_eq!([&finding["start"], &finding["end"]].map(|byte| byte.as_u64()), [at, at + 3].map(|at| Some(at as u64)));
    assert_eq!([&finding["line"], &finding["column"]].map(|number| number.as_u64()), [Some(3), Some(9)]);
    let ran = place.run(&["compile", "a.agal", "--to", "wgsl"]).badly(1);
    assert!(ran.err.contains("a.agal:3:9") && ran.err.contains("/* \u{e9} */ mvo oc, x"), "{}", ran.err);
    // In code there is nothing that such a byte could mean, and the place is that of the byte.
    place.write("b.agal", b"// \xe9\nmov oc, v0\xa0 // \xe9\n");
    let ran = place.run(&["compile", "b.agal", "--to", "wgsl"]).badly(1);
    assert!(ran.err.contains("`b.agal` is text, but line 2 is not in UTF-8 (byte 15)"), "{}", ran.err);
}

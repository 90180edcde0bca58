//! The command as people use it: what it takes, what it writes where, and what it shows.

use crate::support;

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use support::place::{FRAGMENT, Place, VERTEX, assembled, pair};
use support::{Tool, repository, say, testdata};

#[test]
fn the_first_command_of_a_newcomer_writes_three_targets_and_says_so() {
    let place = pair();
    let ran =
        place.run(&["compile", "a.vert.agal", "a.frag.agal", "-o", "x.spv", "-o", "x.wgsl", "-o", "x.glsl"]).well();
    let said: Vec<&str> = ran.err.lines().collect();
    assert_eq!(said.len(), 4, "{}", ran.err);
    for (line, name) in said.iter().zip(["x.spv", "x.wgsl", "x.vert.glsl", "x.frag.glsl"]) {
        assert!(line.starts_with(&format!("wrote {name} (")), "{line}");
        assert!(line.ends_with(&format!("{} bytes)", place.read(name).len())), "{line}");
    }
    assert!(ran.out.is_empty());
    assert_eq!(place.read("x.spv")[..4], 0x0723_0203u32.to_le_bytes());
    assert!(place.text("x.wgsl").contains("@vertex") && place.text("x.wgsl").contains("@fragment"));
    assert!(place.text("x.vert.glsl").contains("gl_Position"));
    assert!(place.text("x.frag.glsl").contains("texture("));
}

#[test]
fn two_inputs_make_the_same_pair_in_either_order() {
    let place = pair();
    place.write("v.agalbc", assembled(VERTEX));
    place.run(&["compile", "a.frag.agal", "-o", "f.sdlbc"]).well();
    for to in ["wgsl", "spirv", "sdlbc", "sdlasm"] {
        let one = place.run(&["compile", "a.vert.agal", "a.frag.agal", "--to", to]).well();
        let other = place.run(&["compile", "a.frag.agal", "a.vert.agal", "--to", to]).well();
        assert_eq!(one.out, other.out, "{to}");
        let mixed = place.run(&["compile", "f.sdlbc", "v.agalbc", "--to", to]).well();
        assert_eq!(one.out, mixed.out, "{to}, of mixed files");
    }
}

#[test]
fn the_kind_of_output_follows_from_the_extension_or_from_to() {
    let place = pair();
    let both = ["compile", "a.vert.agal", "a.frag.agal"];
    let starts: [(&str, &[u8]); 8] = [
        ("x.spv", &[3, 2, 0x23, 7]),
        ("x.spvasm", b"; SPIR-V"),
        ("x.wgsl", b""),
        ("x.vert", b"#version 450 core\n"),
        ("x.frag", b"#version 450 core\n"),
        ("x.sdlbc", b"SDLSHADERBC"),
        ("x.sdlasm", b"vertex function \"vs_main\" {"),
        ("X.SPV", &[3, 2, 0x23, 7]),
    ];
    for (name, start) in starts {
        place.run(&[&both[..], &["-o", name]].concat()).well();
        assert!(place.read(name).starts_with(start), "{name}");
    }
    for (to, name) in [
        ("spirv", "x.spv"),
        ("spirv-asm", "x.spvasm"),
        ("wgsl", "x.wgsl"),
        ("sdlbc", "x.sdlbc"),
        ("sdlasm", "x.sdlasm"),
    ] {
        place.run(&[&both[..], &["--to", to, "-o", "any.thing"]].concat()).well();
        assert_eq!(place.read("any.thing"), place.read(name), "{to}");
        let ran = place.run(&[&both[..], &["--to", to, "-o", "-"]].concat()).well();
        assert_eq!(ran.out, place.read(name), "{to} to standard output");
        let ran = place.run(&[&both[..], &["--to", to]].concat()).well();
        assert_eq!(ran.out, place.read(name), "{to} to standard output by default");
    }
}

#[test]
fn glsl_of_a_pair_becomes_two_files_that_are_named_by_stage() {
    let place = pair();
    let both = ["compile", "a.vert.agal", "a.frag.agal"];
    place.run(&[&both[..], &["-o", "x.glsl", "-o", "y.vert", "-o", "y.frag"]].concat()).well();
    assert_eq!(place.files(), ["a.frag.agal", "a.vert.agal", "x.frag.glsl", "x.vert.glsl", "y.frag", "y.vert"]);
    assert_eq!(place.read("x.vert.glsl"), place.read("y.vert"));
    assert_eq!(place.read("x.frag.glsl"), place.read("y.frag"));
    place.run(&["compile", "a.vert.agal", "-o", "z.glsl"]).well();
    assert_eq!(place.read("z.glsl"), place.read("y.vert"), "one stage is one file");
    let ran = place.run(&[&both[..], &["--to", "glsl"]].concat());
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("one file per stage"), "{}", ran.err);
    let ran = place.run(&["compile", "a.vert.agal", "-o", "w.frag"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("no fragment function") && !place.path("w.frag").exists(), "{}", ran.err);
}

#[test]
fn varyings_that_nobody_reads_go_from_a_pair_and_from_nothing_else() {
    let place = Place::new();
    place.write("a.vert.agal", "mov op, va0\nmov v0, va1\nadd v3, va2, vc0\nmov v5, va3\n");
    place.write("a.frag.agal", "mul oc, v5, fc0\n");
    let both = ["compile", "a.vert.agal", "a.frag.agal", "--to", "wgsl"];
    let whole = place.run(&both).well().into_text();
    let pruned = place.run(&[&both[..], &["--prune-varyings"]].concat()).well().into_text();
    let packed = place.run(&[&both[..], &["--prune-varyings", "--pack-varyings"]].concat()).well().into_text();
    assert!(whole.contains("va2") && whole.contains("v3") && whole.contains("vc"), "{whole}");
    for text in [&pruned, &packed] {
        assert!(
            !text.contains("va1") && !text.contains("va2") && !text.contains("v3") && !text.contains("vc"),
            "{text}"
        );
    }
    assert!(pruned.contains("@location(5) v5") && packed.contains("@location(0) v5"), "{pruned}{packed}");
    place.run(&["compile", "a.vert.agal", "a.frag.agal", "-o", "a.sdlbc"]).well();
    let again = place.run(&["compile", "a.sdlbc", "--to", "wgsl", "--prune-varyings"]).well().into_text();
    assert_eq!(again, pruned, "a file that holds a pair is one");
    for option in ["--prune-varyings", "--pack-varyings"] {
        let ran = place.run(&["compile", "a.vert.agal", "--to", "wgsl", option]).badly(2);
        assert!(ran.err.contains(option) && ran.err.contains("pairs"), "{}", ran.err);
    }
}

#[test]
fn help_and_version_are_no_errors() {
    let place = Place::new();
    for command in ["compile", "assemble", "disassemble", "print", "dump", "verify", "inspect"] {
        assert!(place.run(&["--help"]).well().text().contains(command));
        assert!(place.run(&[command, "--help"]).well().text().contains("Usage: agalc"), "{command}");
    }
    assert_eq!(place.run(&["--version"]).well().text(), concat!("agalc ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn standard_input_and_output_are_a_hyphen() {
    let place = pair();
    let expected = place.run(&["compile", "a.vert.agal", "a.frag.agal", "--to", "wgsl"]).well().out;
    let ran = place.run_with(&["compile", "a.vert.agal", "-", "--to", "wgsl", "-o", "-"], FRAGMENT.as_bytes()).well();
    assert_eq!(ran.out, expected);
    assert!(ran.err.is_empty(), "what goes to standard output is not commented: {}", ran.err);
    let ran = place.run_with(&["compile", "-", "a.frag.agal", "--to", "wgsl"], &assembled(VERTEX)).well();
    assert_eq!(ran.out, expected);
    let ran = place.run_with(&["assemble", "-"], FRAGMENT.as_bytes()).well();
    assert_eq!(ran.out, assembled(FRAGMENT));
    let ran = place.run_with(&["disassemble", "-"], &assembled(FRAGMENT)).well();
    assert!(ran.text().starts_with("// agal 1 fragment\ntex ft0, v0,  fs0 <"), "{}", ran.text());
    let ran = place.run_with(&["verify", "-"], b"mvo ft0, v0\n");
    assert!(ran.code == 1 && ran.err.contains("<stdin>:1:1"), "{}", ran.err);
}

#[test]
fn text_that_leaves_its_stage_open_takes_it_from_the_option() {
    let place = Place::new();
    place.write("a.agal", "mov v0, v0\n");
    let ran = place.run(&["assemble", "a.agal", "-o", "a.agalbc"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("--stage") && !place.path("a.agalbc").exists(), "{}", ran.err);
    for (stage, byte) in [("vertex", 0), ("fragment", 1)] {
        place.run(&["assemble", "a.agal", "-o", "a.agalbc", "--stage", stage]).well();
        assert_eq!(place.read("a.agalbc")[6], byte);
    }
    for version in ["1", "2", "3", "4"] {
        place.run(&["assemble", "a.agal", "-o", "a.agalbc", "--stage", "fragment", "--agal-version", version]).well();
        assert_eq!(place.read("a.agalbc")[1..5], version.parse::<u32>().expect("a number").to_le_bytes());
    }
}

/// What is inferred is the lowest version for both programs of a pair together.
#[test]
fn the_texts_of_a_pair_have_one_version() {
    let place = Place::new();
    place.write("a.vert.agal", "mov v0, va0\nmov op, va0\n");
    place.write("a.frag.agal", "ddx ft0, v0\nmov oc, ft0\n");
    let ran = place.run(&["verify", "a.vert.agal", "a.frag.agal"]).well();
    assert!(ran.err.is_empty(), "{}", ran.err);
    place.write("a.vert.agal", "// agal 1 vertex\nmov v0, va0\nmov op, va0\n");
    let ran = place.run(&["verify", "a.vert.agal", "a.frag.agal"]).well();
    assert!(ran.err.contains("AGAL3757"), "versions that are stated differ: {}", ran.err);
}

#[cfg(unix)]
#[test]
fn an_output_may_be_a_link_or_a_device_and_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let place = pair();
    place.write("real.wgsl", "old");
    std::fs::set_permissions(place.path("real.wgsl"), std::fs::Permissions::from_mode(0o640)).expect("permissions");
    std::os::unix::fs::symlink("real.wgsl", place.path("link.wgsl")).expect("a link");
    place.run(&["compile", "a.vert.agal", "-o", "link.wgsl"]).well();
    assert!(place.path("link.wgsl").is_symlink());
    assert!(place.text("real.wgsl").contains("vs_main"));
    let mode = std::fs::metadata(place.path("real.wgsl")).expect("the file").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    place.run(&["compile", "a.vert.agal", "--to", "wgsl", "-o", "/dev/null"]).well();
}

#[test]
fn depth_and_flip_y_change_the_position_alone() {
    let place = pair();
    let made = |options: &[&str]| {
        let all = [&["compile", "a.vert.agal", "a.frag.agal"], options].concat();
        place.run(&all).well().text().to_string()
    };
    let wgsl = made(&["--to", "wgsl"]);
    assert!(wgsl.contains("Varyings(va0 * mat4x4"), "{wgsl}");
    assert_eq!(made(&["--to", "wgsl", "--depth", "zero-to-one", "--flip-y", "none"]), wgsl);
    let flipped = made(&["--to", "wgsl", "--flip-y", "always"]);
    assert!(flipped.contains("-(op.y)") || flipped.contains("-op.y"), "{flipped}");
    let deep = made(&["--to", "wgsl", "--depth", "neg-one-to-one"]);
    assert!(deep.contains("(op.z * 2.0) - op.w"), "{deep}");
    let fragment = |text: &str| text.split("@fragment").nth(1).expect("its fragment stage").to_string();
    assert_eq!([fragment(&flipped), fragment(&deep)], [fragment(&wgsl), fragment(&wgsl)]);
    let glsl = |options: &[&str]| {
        let all = [&["compile", "a.vert.agal", "--to", "glsl"], options].concat();
        place.run(&all).well().text().to_string()
    };
    assert!(glsl(&[]).contains("(op.z * 2.0) - op.w"), "{}", glsl(&[]));
    let plain = glsl(&["--depth", "zero-to-one"]);
    assert!(!plain.contains("2.0") && plain.contains("gl_Position = va0 *"), "{plain}");
    let spirv = |options: &[&str]| {
        let all = [&["compile", "a.vert.agal", "--to", "spirv-asm"], options].concat();
        place.run(&all).well().text().matches("OpFNegate").count()
    };
    assert_eq!([spirv(&[]), spirv(&["--flip-y", "none"])], [1, 0], "y is down in Vulkan");
}

#[test]
fn the_version_of_glsl_is_chosen_by_an_option() {
    let place = pair();
    for (option, first) in [("450", "#version 450 core"), ("330", "#version 330 core"), ("300es", "#version 300 es")] {
        let ran = place.run(&["compile", "a.frag.agal", "--to", "glsl", "--glsl", option]).well();
        assert_eq!(ran.text().lines().next(), Some(first));
    }
}

#[test]
fn readings_of_ifg_and_of_indices_are_options() {
    let place = Place::new();
    place.write("a.agal", "mov ft0, v0\nifg v0.x, fc0.x\n  mov ft0, v1\neif\nmov oc, ft0\n");
    place.write("b.agal", "mov v0, vc[va0.x]\nmov op, va0\n");
    let printed = |arguments: &[&str]| place.run(&[&["print"], arguments].concat()).well().text().to_string();
    assert!(printed(&["a.agal"]).contains("greaterthanorequal"));
    assert!(printed(&["a.agal", "--ifg", "strict"]).contains("greaterthan %"));
    assert!(printed(&["b.agal"]).contains("floor"));
    assert!(!printed(&["b.agal", "--index", "trunc"]).contains("floor"));
}

/// Accept 5 of the contract.
#[test]
fn both_arms_writing_parts_of_one_temporary_print_as_one_vector_phi() {
    let place = Place::new();
    let file = testdata("agal/lift/if_both_arms_write_parts_of_one_temporary.agal");
    let ran = place.run(&["print", &file.to_string_lossy()]).well();
    assert_eq!(ran.text().matches(" = phi ").count(), 1, "{}", ran.text());
    let wgsl = place.run(&["compile", &file.to_string_lossy(), "--to", "wgsl"]).well();
    assert_eq!(support::naga_accepts(wgsl.text()), Ok(()));
}

#[test]
fn every_command_takes_text_bytes_and_sdlshaderbc() {
    let place = pair();
    place.run(&["assemble", "a.frag.agal", "-o", "a.agalbc"]).well();
    place.run(&["compile", "a.frag.agal", "-o", "a.sdlbc"]).well();
    let inputs = ["a.frag.agal", "a.agalbc", "a.sdlbc"];
    let same = |arguments: &[&str]| {
        let outs: Vec<Vec<u8>> = inputs
            .iter()
            .map(|input| place.run(&[&[arguments[0], input], &arguments[1..]].concat()).well().out)
            .collect();
        assert!(outs.iter().all(|out| *out == outs[0] && !out.is_empty()), "{arguments:?}");
        outs.into_iter().next().expect("three")
    };
    for to in ["spirv", "spirv-asm", "wgsl", "glsl", "sdlbc", "sdlasm"] {
        same(&["compile", "--to", to]);
    }
    let printed = String::from_utf8(same(&["print"])).expect("text");
    assert!(printed.contains("fragment function \"fs_main\" {"), "{printed}");
    let inspected = String::from_utf8(same(&["inspect"])).expect("text");
    for part in [
        "fragment function `fs_main`",
        "fs0",
        "slot 0: linear, linear between mip levels",
        "fc",
        "first 1 registers",
        "colour of target 0",
    ] {
        assert!(inspected.contains(part), "{part}: {inspected}");
    }
    for input in inputs {
        let ran = place.run(&["verify", input]).well();
        assert!(ran.out.is_empty() && ran.err.is_empty(), "all is well, and nothing is said: {ran:?}");
        assert!(!place.run(&["dump", input]).well().out.is_empty());
    }
}

#[test]
fn a_sampler_is_inspected_with_all_its_fields() {
    let place = Place::new();
    let program = |options: &str| format!("// agal 2 fragment\ntex ft0, v0, fs3 <{options}>\nmov oc, ft0\n");
    for (options, shown) in [
        ("2d", "texture2d    sampled at slot 3: nearest, no mip levels, u clamp, v clamp, rgba"),
        (
            "3d,linear,mipnearest,repeat,dxt1",
            "texture3d    sampled at slot 3: linear, nearest mip level, u repeat, v repeat, compressed",
        ),
        (
            "cube,anisotropic16x,miplinear,clamp,dxt5,-16",
            "texturecube  sampled at slot 3: anisotropic 16x, linear between mip levels, u clamp, v clamp, compressed with alpha, bias -16",
        ),
        (
            "2d,anisotropic2x,clamp_u_repeat_v,video,centroid,single",
            "texture2d    sampled at slot 3: anisotropic 2x, no mip levels, u clamp, v repeat, video, centroid, one component",
        ),
        (
            "2d,repeat_u_clamp_v,ignoresampler,15.875",
            "texture2d    sampled at slot 3: nearest, no mip levels, u repeat, v clamp, rgba, bias 15.875, state set by the application",
        ),
    ] {
        place.write("a.agal", program(options));
        let ran = place.run(&["inspect", "a.agal"]).well();
        assert!(ran.text().contains(&format!("{shown}\n")), "{options}: {}", ran.text());
    }
    let json = place.run(&["inspect", "--json", "a.agal"]).well().into_text();
    for field in ["\"wrap_u\": 1", "\"wrap_v\": 0", "\"special\": 4", "\"bias\": 15.875", "\"format\": 0"] {
        assert!(json.contains(field), "{field}: {json}");
    }
}

#[test]
fn assembling_and_disassembling_are_each_others_inverse_and_the_ir_has_no_way_back() {
    let place = pair();
    place.run(&["assemble", "a.frag.agal", "-o", "a.agalbc"]).well();
    assert_eq!(place.read("a.agalbc"), assembled(FRAGMENT));
    place.run(&["disassemble", "a.agalbc", "-o", "b.agal"]).well();
    place.run(&["assemble", "b.agal", "-o", "b.agalbc"]).well();
    assert_eq!(place.read("b.agalbc"), place.read("a.agalbc"));
    let annotated = place.run(&["disassemble", "a.agalbc", "--annotate"]).well();
    assert!(annotated.text().contains("  // 2  00001f  00000003 030f0000 "), "{}", annotated.text());
    assert_eq!(place.run_with(&["assemble", "-"], &annotated.out).well().out, place.read("a.agalbc"));
    assert_eq!(place.run(&["assemble", "a.agalbc"]).well().out, place.read("a.agalbc"), "bytes are assembled already");
    place.run(&["compile", "a.frag.agal", "-o", "a.sdlbc"]).well();
    for (command, hint) in [("assemble", "cannot be converted back"), ("disassemble", "agalc print")] {
        let ran = place.run(&[command, "a.sdlbc", "-o", "x.agal"]);
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains(hint) && !place.path("x.agal").exists(), "{}", ran.err);
    }
}

#[test]
fn a_dump_shows_each_token_with_its_offset_and_words() {
    let place = pair();
    place.run(&["assemble", "a.frag.agal", "-o", "a.agalbc"]).well();
    let ran = place.run(&["dump", "a.agalbc"]).well();
    let lines: Vec<&str> = ran.text().lines().collect();
    assert_eq!(lines.len(), 3, "{}", ran.text());
    assert!(lines[0].starts_with("000000  a001000000a101"), "{}", lines[0]);
    assert!(
        lines[1].starts_with("000007  00000028 020f0000 ") && lines[1].contains("tex ft0, v0, fs0"),
        "{}",
        lines[1]
    );
    assert!(
        lines[2].starts_with("00001f  00000003 030f0000 ") && lines[2].contains("mul oc, ft0, fc0"),
        "{}",
        lines[2]
    );
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_fine() {
    let place = pair();
    let expected = place.run(&["compile", "a.frag.agal", "--to", "wgsl"]).well().out;
    place.write("b.agal", format!("\u{feff}{}", FRAGMENT.replace('\n', "\r\n")));
    assert_eq!(place.run(&["compile", "b.agal", "--to", "wgsl"]).well().out, expected);
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let place = Place::new();
    let file = testdata("pairs/ray_tracer.frag.agal");
    for command in ["print", "dump", "disassemble"] {
        // The text does not fit a pipe, whose reader is gone before it is all written.
        let mut child = place.command(&[command, &file.to_string_lossy()]);
        let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the command");
        assert!(output.status.success(), "{command}: {output:?}");
        assert!(output.stderr.is_empty(), "{command}: {output:?}");
    }
}

/// Runs the command on a terminal of its own, which util-linux's `script` gives it; `None` where there is none.
fn on_a_terminal(place: &Place, arguments: &str) -> Option<(i32, String)> {
    let script = Tool { name: "script", required: false };
    if !script.is_there() {
        say("SKIPPED: without `script` there is no terminal to test with");
        return None;
    }
    let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_agalc"));
    let output = Command::new("script")
        .args([OsStr::new("-qec"), OsStr::new(&line), OsStr::new("/dev/null")])
        .current_dir(place.folder.path())
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        .output()
        .expect("script");
    Some((output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stdout).into_owned()))
}

#[test]
fn binary_is_not_written_to_a_terminal() {
    let place = pair();
    for arguments in ["compile a.frag.agal --to spirv", "compile a.frag.agal --to sdlbc -o -", "assemble a.frag.agal"] {
        let Some((code, said)) = on_a_terminal(&place, arguments) else { return };
        assert_eq!(code, 2, "{arguments}: {said}");
        assert!(said.contains("binary") && said.contains("-o"), "{arguments}: {said}");
    }
    let Some((code, said)) = on_a_terminal(&place, "compile a.frag.agal --to wgsl") else { return };
    assert!(code == 0 && said.contains("@fragment"), "text is: {said}");
}

#[test]
fn what_a_terminal_would_act_on_is_shown_there_by_its_number_and_kept_in_files() {
    let place = Place::new();
    place.write("a.agal", "mov oc, v0\n");
    let printed = place.run(&["print", "a.agal"]).well().into_text();
    // A comment, and a name; a file with such bytes at its beginning is no text.
    let first = format!("; {}\n", "x".repeat(600));
    let text = format!(
        "{first}; a\u{1b}]0;title\u{7}\tb\u{9b}\n{}",
        printed.replace("\"fs_main\"", "\"fs\u{9b}\u{202e}main\"")
    );
    place.write("m.sdlasm", &text);
    let before = place.run(&["print", "m.sdlasm"]).well().into_text();
    assert!(before.contains("a\u{1b}]0;title\u{7}\tb\u{9b}"), "{before:?}");
    for command in
        ["print m.sdlasm", "inspect m.sdlasm", "inspect --json m.sdlasm", "print m.sdlasm -o /dev/tty", "dump m.sdlasm"]
    {
        let Some((code, said)) = on_a_terminal(&place, command) else { return };
        assert_eq!(code, 0, "{command}: {said}");
        assert!(!said.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{command}: {said:?}");
        assert!(said.contains("u{9b}") || said.contains("c29b"), "{command}: {said}");
    }
    let Some((_, said)) = on_a_terminal(&place, "print m.sdlasm") else { return };
    assert!(said.contains("; a\\u{1b}]0;title\\u{7}\tb\\u{9b}"), "{said:?}");
}

#[test]
fn colours_are_for_terminals() {
    let place = Place::new();
    place.write("a.agal", "mvo ft0, v0\n");
    let Some((code, said)) = on_a_terminal(&place, "verify a.agal") else { return };
    assert_eq!(code, 1);
    assert!(said.contains("\u{1b}["), "{said:?}");
    let Some((_, said)) = on_a_terminal(&place, "verify a.agal 2>&1 | cat") else { return };
    assert!(!said.contains('\u{1b}'), "{said:?}");
}

/// The README's command is the one that people try first.
#[test]
fn the_command_of_the_readme_does_what_the_readme_says() {
    let readme = std::fs::read_to_string(repository().join("README.md")).expect("the README");
    let line = readme.lines().find(|line| line.trim().starts_with("cargo run --release -- compile"));
    let Some(line) = line else { panic!("the README shows no `cargo run --release -- compile`") };
    let words: Vec<&str> = line.split_whitespace().skip(4).collect();
    let place = Place::new();
    let full = |word: &str| match Path::new(word).starts_with("testdata") {
        true => repository().join(word).to_string_lossy().into_owned(),
        false => word.rsplit('/').next().unwrap_or(word).to_string(),
    };
    let words: Vec<String> = words.into_iter().map(full).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ran = place.run(&words).well();
    let outputs = words.iter().filter(|word| **word == "-o").count();
    assert!(outputs >= 3 && ran.err.matches("wrote ").count() >= outputs, "{line}: {}", ran.err);
}

#[test]
fn an_output_never_replaces_an_input() {
    let place = pair();
    let before = place.read("a.frag.agal");
    for args in [
        &["compile", "a.frag.agal", "--to", "wgsl", "-o", "a.frag.agal"][..],
        &["compile", "a.frag.agal", "--to", "wgsl", "-o", "./a.frag.agal"],
        &["assemble", "a.frag.agal", "-o", "a.frag.agal"],
        &["print", "a.frag.agal", "-o", "a.frag.agal"],
    ] {
        let ran = place.run(args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.err);
        assert_eq!(place.read("a.frag.agal"), before, "{args:?}");
    }
}

#[test]
fn the_names_that_a_pair_is_written_to_take_their_stage() {
    let place = pair();
    let both = ["compile", "a.vert.agal", "a.frag.agal"];
    place.run(&[&both[..], &["-o", "x.glsl"]].concat()).well();
    let ran = place.run(&[&both[..], &["-o", "y.vert.glsl", "-o", "y.frag.glsl"]].concat()).well();
    assert_eq!(ran.err.lines().count(), 2, "{}", ran.err);
    for stage in ["vert", "frag"] {
        assert_eq!(place.read(&format!("x.{stage}.glsl")), place.read(&format!("y.{stage}.glsl")));
    }
}

#[test]
fn files_stand_though_nobody_reads_standard_output() {
    let place = pair();
    let arguments = ["compile", "a.vert.agal", "a.frag.agal", "--to", "wgsl", "-o", "-", "-o", "x.wgsl"];
    let mut command = place.command(&arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("agalc runs");
    drop(child.stdout.take());
    assert!(child.wait().expect("agalc ends").success());
    assert!(place.text("x.wgsl").contains("@vertex"));
}

const MACROS: &str = "alias va0, position\nalias vc0, CONST(0.5, 1)\nalias vc1.w, LAST(2)\nmacro Half(a) {\n  out = a * 0.5\n}\n\
                      #if WIDE > 1\nop = position\n#else\nop = Half(position)\n#endif\nv0 = position\n";

#[test]
fn the_macro_language_is_assembled_expanded_and_told_what_to_upload() {
    let place = Place::new();
    place.write("a.agal", MACROS);
    let uploads = "note: upload vc0 = 0.5, 1, 0, 0\nnote: upload vc1.w = 2\n";
    for (defines, expanded) in [
        (&["-D", "WIDE=0"][..], "mul op, va0, vc0.x\nmov v0, va0\n"),
        (&["--define=WIDE=2"], "mov op, va0\nmov v0, va0\n"),
    ] {
        let ran = place.run(&[&["assemble", "a.agal"], defines].concat()).well();
        assert_eq!(ran.out, assembled(expanded));
        assert_eq!(ran.err, uploads);
        let ran = place.run(&[&["assemble", "a.agal", "--expand"], defines].concat()).well();
        assert_eq!(ran.text(), expanded);
        assert_eq!(ran.err, uploads);
        let ran = place.run(&[&["compile", "a.agal", "--to", "wgsl"], defines].concat()).well();
        place.write("b.agal", expanded);
        assert_eq!(ran.out, place.run(&["compile", "b.agal", "--to", "wgsl"]).well().out);
    }
    // A name alone is 1.
    let ran = place.run(&["assemble", "a.agal", "--expand", "-DWIDE"]).well();
    assert!(ran.text().starts_with("mul"), "{}", ran.text());
    // A plain text stays as it is.
    place.write("plain.agal", VERTEX);
    assert_eq!(place.run(&["assemble", "plain.agal", "--expand"]).well().text(), VERTEX);
    assert_eq!(place.run(&["assemble", "plain.agal", "--language", "macro"]).well().out, assembled(VERTEX));
    let ran = place.run(&["assemble", "a.agal", "--language", "mini"]).badly(1);
    assert!(ran.err.contains("`alias` is not an AGAL mnemonic"), "{}", ran.err);
    place.write("a.agalbc", assembled(VERTEX));
    let ran = place.run(&["assemble", "a.agalbc", "--expand"]).badly(1);
    assert!(ran.err.contains("is not text"), "{}", ran.err);
    for wrong in ["-D=1", "-DA=b", "-D7", "-DA.B", "-DA=inf"] {
        place.run(&["assemble", "a.agal", wrong]).badly(2);
    }
}

#[test]
fn what_is_wrong_in_a_macro_is_shown_with_its_call() {
    let place = Place::new();
    place.write("a.agal", MACROS.replace("a * 0.5", "a * vt3"));
    let ran = place.run(&["verify", "a.agal", "-DWIDE=0"]).badly(1);
    for part in ["AGAL3647", "a.agal:5:13", "out = a * vt3", "op = Half(position)", "in the expansion of this call"] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
    let text = format!("{}vt0 = Haff(va0)", " ".repeat(500));
    place.write("b.agal", format!("macro Half(a) {{ out = a * 0.7 }} vt1 = Half(va0); {text}"));
    let ran = place.run(&["verify", "b.agal"]).badly(1);
    assert!(ran.err.contains("b.agal:1:27, in the expansion of the call at b.agal:1:39"), "{}", ran.err);
    assert!(ran.err.contains("did you mean `Half`?"), "{}", ran.err);
}

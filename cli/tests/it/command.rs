//! Checks the command's inputs, outputs and messages in typical use.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::sandbox::{FRAGMENT, Sandbox, VERTEX, assembled, pair};
use crate::support::{Tool, repository, say, testdata};

#[test]
fn one_compile_writes_three_targets_and_reports_each() {
    let sandbox = pair();
    let ran = sandbox
        .run(&["compile", "a.vert.agal", "a.frag.agal", "-o", "x.spv", "-o", "x.wgsl", "-o", "x.glsl"])
        .success();
    let said: Vec<&str> = ran.err.lines().collect();
    assert_eq!(said.len(), 4, "{}", ran.err);
    for (line, name) in said.iter().zip(["x.spv", "x.wgsl", "x.vert.glsl", "x.frag.glsl"]) {
        assert!(line.starts_with(&format!("wrote {name} (")), "{line}");
        assert!(line.ends_with(&format!("{} bytes)", sandbox.read(name).len())), "{line}");
    }
    assert!(ran.out.is_empty());
    assert_eq!(sandbox.read("x.spv")[..4], 0x0723_0203u32.to_le_bytes());
    assert!(sandbox.text("x.wgsl").contains("@vertex") && sandbox.text("x.wgsl").contains("@fragment"));
    assert!(sandbox.text("x.vert.glsl").contains("gl_Position"));
    assert!(sandbox.text("x.frag.glsl").contains("texture("));
}

#[test]
fn two_inputs_make_the_same_pair_in_either_order() {
    let sandbox = pair();
    sandbox.write("v.agalbc", assembled(VERTEX));
    sandbox.run(&["compile", "a.frag.agal", "-o", "f.sdlbc"]).success();
    for to in ["wgsl", "spirv", "sdlbc", "sdlasm"] {
        let one = sandbox.run(&["compile", "a.vert.agal", "a.frag.agal", "--to", to]).success();
        let other = sandbox.run(&["compile", "a.frag.agal", "a.vert.agal", "--to", to]).success();
        assert_eq!(one.out, other.out, "{to}");
        let mixed = sandbox.run(&["compile", "f.sdlbc", "v.agalbc", "--to", to]).success();
        assert_eq!(one.out, mixed.out, "{to}, of mixed files");
    }
}

#[test]
fn the_output_format_follows_from_the_extension_or_from_to() {
    let sandbox = pair();
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
        sandbox.run(&[&both[..], &["-o", name]].concat()).success();
        assert!(sandbox.read(name).starts_with(start), "{name}");
    }
    for (to, name) in [
        ("spirv", "x.spv"),
        ("spirv-asm", "x.spvasm"),
        ("wgsl", "x.wgsl"),
        ("sdlbc", "x.sdlbc"),
        ("sdlasm", "x.sdlasm"),
    ] {
        sandbox.run(&[&both[..], &["--to", to, "-o", "any.thing"]].concat()).success();
        assert_eq!(sandbox.read("any.thing"), sandbox.read(name), "{to}");
        let ran = sandbox.run(&[&both[..], &["--to", to, "-o", "-"]].concat()).success();
        assert_eq!(ran.out, sandbox.read(name), "{to} to standard output");
        let ran = sandbox.run(&[&both[..], &["--to", to]].concat()).success();
        assert_eq!(ran.out, sandbox.read(name), "{to} to standard output by default");
    }
}

#[test]
fn glsl_of_a_pair_is_written_to_two_files_named_by_stage() {
    let sandbox = pair();
    let both = ["compile", "a.vert.agal", "a.frag.agal"];
    sandbox.run(&[&both[..], &["-o", "x.glsl", "-o", "y.vert", "-o", "y.frag"]].concat()).success();
    assert_eq!(sandbox.files(), ["a.frag.agal", "a.vert.agal", "x.frag.glsl", "x.vert.glsl", "y.frag", "y.vert"]);
    assert_eq!(sandbox.read("x.vert.glsl"), sandbox.read("y.vert"));
    assert_eq!(sandbox.read("x.frag.glsl"), sandbox.read("y.frag"));
    sandbox.run(&["compile", "a.vert.agal", "-o", "z.glsl"]).success();
    assert_eq!(sandbox.read("z.glsl"), sandbox.read("y.vert"), "one stage is one file");
    let ran = sandbox.run(&[&both[..], &["--to", "glsl"]].concat());
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("GLSL 450 needs one file per stage") && ran.err.contains("-o x.vert.glsl"), "{}", ran.err);
    for (to, extension) in [("wgsl", "wgsl"), ("spirv", "spv"), ("hlsl", "hlsl"), ("msl", "metal")] {
        let ran = sandbox.run(&[&both[..], &["--modules", "apart", "--to", to]].concat()).failure(2);
        let advice = format!(
            "error: cannot make standard output: the layout requires one file per stage, but standard output cannot take two files: \
             use -o x.vert.{extension} -o x.frag.{extension}, or"
        );
        assert!(ran.err.starts_with(&advice), "{}", ran.err);
        let named = [format!("x.vert.{extension}"), format!("x.frag.{extension}")];
        sandbox.run(&[&both[..], &["--modules", "apart", "-o", &named[0], "-o", &named[1]]].concat()).success();
    }
    let ran = sandbox.run(&["compile", "a.vert.agal", "-o", "w.frag"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("no fragment function") && !sandbox.path("w.frag").exists(), "{}", ran.err);
}

#[test]
fn unread_varyings_are_pruned_only_from_pairs() {
    let sandbox = Sandbox::new();
    sandbox.write("a.vert.agal", "mov op, va0\nmov v0, va1\nadd v3, va2, vc0\nmov v5, va3\n");
    sandbox.write("a.frag.agal", "mul oc, v5, fc0\n");
    let both = ["compile", "a.vert.agal", "a.frag.agal", "--to", "wgsl"];
    let whole = sandbox.run(&both).success().into_text();
    let pruned = sandbox.run(&[&both[..], &["--prune-varyings"]].concat()).success().into_text();
    let packed = sandbox.run(&[&both[..], &["--prune-varyings", "--pack-varyings"]].concat()).success().into_text();
    assert!(whole.contains("va2") && whole.contains("v3") && whole.contains("vc"), "{whole}");
    for text in [&pruned, &packed] {
        assert!(
            !text.contains("va1") && !text.contains("va2") && !text.contains("v3") && !text.contains("vc"),
            "{text}"
        );
    }
    assert!(pruned.contains("@location(5) v5") && packed.contains("@location(0) v5"), "{pruned}{packed}");
    sandbox.run(&["compile", "a.vert.agal", "a.frag.agal", "-o", "a.sdlbc"]).success();
    let again = sandbox.run(&["compile", "a.sdlbc", "--to", "wgsl", "--prune-varyings"]).success().into_text();
    assert_eq!(again, pruned, "a module with both stages counts as a pair");
    for option in ["--prune-varyings", "--pack-varyings"] {
        let ran = sandbox.run(&["compile", "a.vert.agal", "--to", "wgsl", option]).failure(2);
        assert!(ran.err.contains(option) && ran.err.contains("pairs"), "{}", ran.err);
    }
}

#[test]
fn help_and_version_succeed() {
    let sandbox = Sandbox::new();
    for command in ["compile", "assemble", "disassemble", "print", "dump", "verify", "inspect"] {
        assert!(sandbox.run(&["--help"]).success().text().contains(command));
        assert!(sandbox.run(&[command, "--help"]).success().text().contains("Usage: agalc"), "{command}");
    }
    let version = sandbox.run(&["--version"]).success().into_text();
    assert!(version.starts_with(concat!("agalc ", env!("CARGO_PKG_VERSION"), " (")), "{version}");
    assert!(version.ends_with("SDLSHADERBC version 1)\n"), "{version}");
    assert_eq!(sandbox.run(&["-V"]).success().text(), version);
}

#[test]
fn a_hyphen_means_standard_input_or_output() {
    let sandbox = pair();
    let expected = sandbox.run(&["compile", "a.vert.agal", "a.frag.agal", "--to", "wgsl"]).success().out;
    let ran =
        sandbox.run_with(&["compile", "a.vert.agal", "-", "--to", "wgsl", "-o", "-"], FRAGMENT.as_bytes()).success();
    assert_eq!(ran.out, expected);
    assert!(ran.err.is_empty(), "writing to standard output reports nothing: {}", ran.err);
    let ran = sandbox.run_with(&["compile", "-", "a.frag.agal", "--to", "wgsl"], &assembled(VERTEX)).success();
    assert_eq!(ran.out, expected);
    let ran = sandbox.run_with(&["assemble", "-"], FRAGMENT.as_bytes()).success();
    assert_eq!(ran.out, assembled(FRAGMENT));
    let ran = sandbox.run_with(&["disassemble", "-"], &assembled(FRAGMENT)).success();
    assert!(ran.text().starts_with("// agal 1 fragment\ntex ft0, v0,  fs0 <"), "{}", ran.text());
    let ran = sandbox.run_with(&["verify", "-"], b"mvo ft0, v0\n");
    assert!(ran.code == 1 && ran.err.contains("<stdin>:1:1"), "{}", ran.err);
}

#[test]
fn text_without_a_stage_takes_it_from_the_option() {
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", "mov v0, v0\n");
    let ran = sandbox.run(&["assemble", "a.agal", "-o", "a.agalbc"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("--stage") && !sandbox.path("a.agalbc").exists(), "{}", ran.err);
    for (stage, byte) in [("vertex", 0), ("fragment", 1)] {
        sandbox.run(&["assemble", "a.agal", "-o", "a.agalbc", "--stage", stage]).success();
        assert_eq!(sandbox.read("a.agalbc")[6], byte);
    }
    for version in ["1", "2", "3", "4"] {
        sandbox
            .run(&["assemble", "a.agal", "-o", "a.agalbc", "--stage", "fragment", "--agal-version", version])
            .success();
        assert_eq!(sandbox.read("a.agalbc")[1..5], version.parse::<u32>().expect("a number").to_le_bytes());
    }
}

/// The inferred version is the lowest AGAL version that can express both programs of the pair.
#[test]
fn the_texts_of_a_pair_share_one_version() {
    let sandbox = Sandbox::new();
    sandbox.write("a.vert.agal", "mov v0, va0\nmov op, va0\n");
    sandbox.write("a.frag.agal", "ddx ft0, v0\nmov oc, ft0\n");
    let ran = sandbox.run(&["verify", "a.vert.agal", "a.frag.agal"]).success();
    assert!(ran.err.is_empty(), "{}", ran.err);
    sandbox.write("a.vert.agal", "// agal 1 vertex\nmov v0, va0\nmov op, va0\n");
    let ran = sandbox.run(&["verify", "a.vert.agal", "a.frag.agal"]).success();
    assert!(ran.err.contains("AGAL3757"), "the stated versions differ: {}", ran.err);
}

#[cfg(unix)]
#[test]
fn an_output_may_be_a_link_or_a_device_and_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = pair();
    sandbox.write("real.wgsl", "old");
    std::fs::set_permissions(sandbox.path("real.wgsl"), std::fs::Permissions::from_mode(0o640)).expect("permissions");
    std::os::unix::fs::symlink("real.wgsl", sandbox.path("link.wgsl")).expect("a link");
    sandbox.run(&["compile", "a.vert.agal", "-o", "link.wgsl"]).success();
    assert!(sandbox.path("link.wgsl").is_symlink());
    assert!(sandbox.text("real.wgsl").contains("vs_main"));
    let mode = std::fs::metadata(sandbox.path("real.wgsl")).expect("the file").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    sandbox.run(&["compile", "a.vert.agal", "--to", "wgsl", "-o", "/dev/null"]).success();
}

#[test]
fn depth_and_flip_y_change_only_the_position() {
    let sandbox = pair();
    let made = |options: &[&str]| {
        let all = [&["compile", "a.vert.agal", "a.frag.agal"], options].concat();
        sandbox.run(&all).success().text().to_string()
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
        sandbox.run(&all).success().text().to_string()
    };
    assert!(glsl(&[]).contains("(op.z * 2.0) - op.w"), "{}", glsl(&[]));
    let plain = glsl(&["--depth", "zero-to-one"]);
    assert!(!plain.contains("2.0") && plain.contains("gl_Position = va0 *"), "{plain}");
    let spirv = |options: &[&str]| {
        let all = [&["compile", "a.vert.agal", "--to", "spirv-asm"], options].concat();
        // The constant -1 flips y.
        let is_constant = |line: &&str| line.contains("= OpConstant  %") && line.ends_with("  -1");
        sandbox.run(&all).success().text().lines().filter(is_constant).count()
    };
    assert_eq!([spirv(&[]), spirv(&["--flip-y", "none"])], [1, 0], "y points down in Vulkan");
}

#[test]
fn the_glsl_version_is_chosen_by_an_option() {
    let sandbox = pair();
    for (option, first) in [("450", "#version 450 core"), ("330", "#version 330 core"), ("300es", "#version 300 es")] {
        let ran = sandbox.run(&["compile", "a.frag.agal", "--to", "glsl", "--glsl", option]).success();
        assert_eq!(ran.text().lines().next(), Some(first));
    }
}

#[test]
fn the_interpretation_of_ifg_and_of_indices_is_an_option() {
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", "mov ft0, v0\nifg v0.x, fc0.x\n  mov ft0, v1\neif\nmov oc, ft0\n");
    sandbox.write("b.agal", "mov v0, vc[va0.x]\nmov op, va0\n");
    let printed = |arguments: &[&str]| sandbox.run(&[&["print"], arguments].concat()).success().text().to_string();
    assert!(printed(&["a.agal"]).contains("greaterthanorequal"));
    assert!(printed(&["a.agal", "--ifg", "strict"]).contains("greaterthan %"));
    assert!(printed(&["b.agal"]).contains("floor"));
    assert!(!printed(&["b.agal", "--index", "trunc"]).contains("floor"));
}

#[test]
fn both_arms_writing_parts_of_one_temporary_print_as_one_vector_phi() {
    let sandbox = Sandbox::new();
    let file = testdata("agal/lift/if_both_arms_write_parts_of_one_temporary.agal");
    let ran = sandbox.run(&["print", &file.to_string_lossy()]).success();
    assert_eq!(ran.text().matches(" = phi ").count(), 1, "{}", ran.text());
    let wgsl = sandbox.run(&["compile", &file.to_string_lossy(), "--to", "wgsl"]).success();
    assert_eq!(crate::support::naga_accepts(wgsl.text()), Ok(()));
}

#[test]
fn every_command_accepts_text_bytecode_and_modules() {
    let sandbox = pair();
    sandbox.run(&["assemble", "a.frag.agal", "-o", "a.agalbc"]).success();
    sandbox.run(&["compile", "a.frag.agal", "-o", "a.sdlbc"]).success();
    let inputs = ["a.frag.agal", "a.agalbc", "a.sdlbc"];
    let same = |arguments: &[&str]| {
        let outs: Vec<Vec<u8>> = inputs
            .iter()
            .map(|input| sandbox.run(&[&[arguments[0], input], &arguments[1..]].concat()).success().out)
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
        "constants, the first register",
        "colour of target 0",
    ] {
        assert!(inspected.contains(part), "{part}: {inspected}");
    }
    for input in inputs {
        let ran = sandbox.run(&["verify", input]).success();
        assert!(ran.out.is_empty() && ran.err.is_empty(), "a valid input reports nothing: {ran:?}");
        assert!(!sandbox.run(&["dump", input]).success().out.is_empty());
    }
}

#[test]
fn inspect_shows_all_fields_of_a_sampler() {
    let sandbox = Sandbox::new();
    let program = |options: &str| format!("// agal 2 fragment\ntex ft0, v0, fs3 <{options}>\nmov oc, ft0\n");
    for (options, shown) in [
        ("2d", "texture2d xyzw  sampled at slot 3: nearest, no mip levels, u clamp, v clamp, rgba"),
        (
            "3d,linear,mipnearest,repeat,dxt1",
            "texture3d xyzw  sampled at slot 3: linear, nearest mip level, u repeat, v repeat, compressed",
        ),
        (
            "cube,anisotropic16x,miplinear,clamp,dxt5,-16",
            "texturecube xyzw  sampled at slot 3: anisotropic 16x, linear between mip levels, u clamp, v clamp, compressed with alpha, bias -16",
        ),
        (
            "2d,anisotropic2x,clamp_u_repeat_v,video,centroid,single",
            "texture2d x   sampled at slot 3: anisotropic 2x, no mip levels, u clamp, v repeat, video, centroid, one component",
        ),
        (
            "2d,repeat_u_clamp_v,ignoresampler,15.875",
            "texture2d xyzw  sampled at slot 3: nearest, no mip levels, u repeat, v clamp, rgba, bias 15.875, state set by the application",
        ),
    ] {
        sandbox.write("a.agal", program(options));
        let ran = sandbox.run(&["inspect", "a.agal"]).success();
        assert!(ran.text().contains(&format!("{shown}\n")), "{options}: {}", ran.text());
    }
    let json = sandbox.run(&["inspect", "--json", "a.agal"]).success().into_text();
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let state = serde_json::json!({"filter": "nearest", "mip": "nomip", "wrap": "repeat_u_clamp_v", "format": "rgba",
        "bias": 15.875, "centroid": false, "single": false, "ignoresampler": true,
        "text": "2d,nearest,nomip,repeat_u_clamp_v,15.875,ignoresampler"});
    assert_eq!(json["stages"][0]["samplers"][0]["agal"], state);
}

#[test]
fn assembling_and_disassembling_are_inverses_and_modules_do_not_convert_back() {
    let sandbox = pair();
    sandbox.run(&["assemble", "a.frag.agal", "-o", "a.agalbc"]).success();
    assert_eq!(sandbox.read("a.agalbc"), assembled(FRAGMENT));
    sandbox.run(&["disassemble", "a.agalbc", "-o", "b.agal"]).success();
    sandbox.run(&["assemble", "b.agal", "-o", "b.agalbc"]).success();
    assert_eq!(sandbox.read("b.agalbc"), sandbox.read("a.agalbc"));
    let annotated = sandbox.run(&["disassemble", "a.agalbc", "--annotate"]).success();
    assert!(annotated.text().contains("  // 2  00001f  00000003 030f0000 "), "{}", annotated.text());
    assert_eq!(sandbox.run_with(&["assemble", "-"], &annotated.out).success().out, sandbox.read("a.agalbc"));
    assert_eq!(
        sandbox.run(&["assemble", "a.agalbc"]).success().out,
        sandbox.read("a.agalbc"),
        "bytecode is already assembled"
    );
    sandbox.run(&["compile", "a.frag.agal", "-o", "a.sdlbc"]).success();
    for (command, hint) in [("assemble", "agalc compile"), ("disassemble", "agalc print")] {
        let ran = sandbox.run(&[command, "a.sdlbc", "-o", "x.agal"]);
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains(hint) && !sandbox.path("x.agal").exists(), "{}", ran.err);
    }
}

#[test]
fn a_dump_shows_each_token_with_its_offset_and_words() {
    let sandbox = pair();
    sandbox.run(&["assemble", "a.frag.agal", "-o", "a.agalbc"]).success();
    let ran = sandbox.run(&["dump", "a.agalbc"]).success();
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
    let sandbox = pair();
    let expected = sandbox.run(&["compile", "a.frag.agal", "--to", "wgsl"]).success().out;
    sandbox.write("b.agal", format!("\u{feff}{}", FRAGMENT.replace('\n', "\r\n")));
    assert_eq!(sandbox.run(&["compile", "b.agal", "--to", "wgsl"]).success().out, expected);
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let sandbox = Sandbox::new();
    let file = testdata("pairs/ray_tracer.frag.agal");
    for command in ["print", "dump", "disassemble"] {
        // The output is larger than the pipe's buffer, and the reader closes the pipe before the command has written the complete
        // output.
        let mut child = sandbox.command(&[command, &file.to_string_lossy()]);
        let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the command");
        assert!(output.status.success(), "{command}: {output:?}");
        assert!(output.stderr.is_empty(), "{command}: {output:?}");
    }
}

/// Runs the command on a terminal that util-linux's `script` provides. Returns `None` if `script` is missing.
fn on_a_terminal(sandbox: &Sandbox, arguments: &str) -> Option<(i32, String)> {
    let script = Tool { name: "script", required: false };
    if !script.is_there() {
        say("SKIPPED: without `script` there is no terminal to test with");
        return None;
    }
    let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_agalc"));
    let output = Command::new("script")
        .args([OsStr::new("-qec"), OsStr::new(&line), OsStr::new("/dev/null")])
        .current_dir(sandbox.folder.path())
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        .output()
        .expect("script");
    Some((output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stdout).into_owned()))
}

#[test]
fn binary_is_not_written_to_a_terminal() {
    let sandbox = pair();
    for arguments in ["compile a.frag.agal --to spirv", "compile a.frag.agal --to sdlbc -o -", "assemble a.frag.agal"] {
        let Some((code, said)) = on_a_terminal(&sandbox, arguments) else { return };
        assert_eq!(code, 2, "{arguments}: {said}");
        assert!(said.contains("binary") && said.contains("-o"), "{arguments}: {said}");
    }
    let Some((code, said)) = on_a_terminal(&sandbox, "compile a.frag.agal --to wgsl") else { return };
    assert!(code == 0 && said.contains("@fragment"), "text is written: {said}");
}

#[test]
fn control_characters_are_escaped_on_a_terminal_and_kept_in_files() {
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", "mov oc, v0\n");
    let printed = sandbox.run(&["print", "a.agal"]).success().into_text();
    // The control characters occur only after 600 bytes, because a file with control characters at its beginning is not
    // recognised as text.
    let first = format!("; {}\n", "x".repeat(600));
    let text = format!(
        "{first}; a\u{1b}]0;title\u{7}\tb\u{9b}\n{}",
        printed.replace("\"fs_main\"", "\"fs\u{9b}\u{202e}main\"")
    );
    sandbox.write("m.sdlasm", &text);
    let before = sandbox.run(&["print", "m.sdlasm"]).success().into_text();
    assert!(before.contains("a\u{1b}]0;title\u{7}\tb\u{9b}"), "{before:?}");
    for command in
        ["print m.sdlasm", "inspect m.sdlasm", "inspect --json m.sdlasm", "print m.sdlasm -o /dev/tty", "dump m.sdlasm"]
    {
        let Some((code, said)) = on_a_terminal(&sandbox, command) else { return };
        assert_eq!(code, 0, "{command}: {said}");
        assert!(!said.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{command}: {said:?}");
        assert!(said.contains("u{9b}") || said.contains("c29b"), "{command}: {said}");
    }
    let Some((_, said)) = on_a_terminal(&sandbox, "print m.sdlasm") else { return };
    assert!(said.contains("; a\\u{1b}]0;title\\u{7}\tb\\u{9b}"), "{said:?}");
}

#[test]
fn colours_are_used_only_on_a_terminal() {
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", "mvo ft0, v0\n");
    let Some((code, said)) = on_a_terminal(&sandbox, "verify a.agal") else { return };
    assert_eq!(code, 1);
    assert!(said.contains("\u{1b}["), "{said:?}");
    let Some((_, said)) = on_a_terminal(&sandbox, "verify a.agal 2>&1 | cat") else { return };
    assert!(!said.contains('\u{1b}'), "{said:?}");
}

#[test]
fn the_command_in_the_readme_works_as_shown() {
    let readme = std::fs::read_to_string(repository().join("README.md")).expect("the README");
    let line = readme.lines().find(|line| line.trim().starts_with("cargo run --release -p agalc-cli -- compile"));
    let Some(line) = line else { panic!("the README shows no `cargo run --release -p agalc-cli -- compile`") };
    let words: Vec<&str> = line.split_whitespace().skip(6).collect();
    let sandbox = Sandbox::new();
    let full = |word: &str| match Path::new(word).starts_with("testdata") {
        true => repository().join(word).to_string_lossy().into_owned(),
        false => word.rsplit('/').next().unwrap_or(word).to_string(),
    };
    let words: Vec<String> = words.into_iter().map(full).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ran = sandbox.run(&words).success();
    let outputs = words.iter().filter(|word| **word == "-o").count();
    assert!(outputs >= 3 && ran.err.matches("wrote ").count() >= outputs, "{line}: {}", ran.err);
}

#[test]
fn an_output_never_replaces_an_input() {
    let sandbox = pair();
    let before = sandbox.read("a.frag.agal");
    for args in [
        &["compile", "a.frag.agal", "--to", "wgsl", "-o", "a.frag.agal"][..],
        &["compile", "a.frag.agal", "--to", "wgsl", "-o", "./a.frag.agal"],
        &["assemble", "a.frag.agal", "-o", "a.frag.agal"],
        &["print", "a.frag.agal", "-o", "a.frag.agal"],
    ] {
        let ran = sandbox.run(args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.err);
        assert_eq!(sandbox.read("a.frag.agal"), before, "{args:?}");
    }
}

#[test]
fn nothing_is_written_under_the_name_of_a_format_that_the_command_does_not_write() {
    let sandbox = pair();
    sandbox.run(&["compile", "a.frag.agal", "-o", "a.sdlbc"]).success();
    for (args, said) in [
        (
            &["strip", "a.sdlbc", "-o", "x.spv"][..],
            "`x.spv` has the extension of SPIR-V, but a module would be written",
        ),
        (&["strip", "a.sdlbc", "-o", "x.sdlbc", "--debug-table", "x.agal"], "`x.agal` has the extension of AGAL text"),
        (&["print", "a.sdlbc", "-o", "x.wgsl"], "`x.wgsl` has the extension of WGSL, but module text would be written"),
        (
            &["assemble", "a.frag.agal", "-o", "x.sdlbc"],
            "`x.sdlbc` has the extension of SDLSHADERBC, but AGAL would be",
        ),
        (&["assemble", "a.frag.agal", "--expand", "-o", "x.glsl"], "`agalc compile` writes GLSL"),
        (&["disassemble", "a.frag.agal", "-o", "x.sdlasm"], "`x.sdlasm` has the extension of module text"),
        (&["optimise", "a.frag.agal", "-o", "x.metal"], "`x.metal` has the extension of MSL"),
    ] {
        let ran = sandbox.run(args).failure(2);
        assert!(ran.err.contains(said), "{args:?}: {}", ran.err);
        assert!(!sandbox.files().iter().any(|name| name.starts_with("x.")), "{args:?}");
    }
    // An output name is accepted if its extension belongs to no known format.
    sandbox.run(&["strip", "a.sdlbc", "-o", "x.bin"]).success();
    sandbox.run(&["print", "a.sdlbc", "-o", "x.txt"]).success();
}

#[test]
fn output_names_of_a_pair_may_name_the_stage() {
    let sandbox = pair();
    let both = ["compile", "a.vert.agal", "a.frag.agal"];
    sandbox.run(&[&both[..], &["-o", "x.glsl"]].concat()).success();
    let ran = sandbox.run(&[&both[..], &["-o", "y.vert.glsl", "-o", "y.frag.glsl"]].concat()).success();
    assert_eq!(ran.err.lines().count(), 2, "{}", ran.err);
    for stage in ["vert", "frag"] {
        assert_eq!(sandbox.read(&format!("x.{stage}.glsl")), sandbox.read(&format!("y.{stage}.glsl")));
    }
}

#[test]
fn files_are_written_even_if_standard_output_is_closed() {
    let sandbox = pair();
    let arguments = ["compile", "a.vert.agal", "a.frag.agal", "--to", "wgsl", "-o", "-", "-o", "x.wgsl"];
    let mut command = sandbox.command(&arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("agalc runs");
    drop(child.stdout.take());
    assert!(child.wait().expect("agalc ends").success());
    assert!(sandbox.text("x.wgsl").contains("@vertex"));
}

const MACROS: &str = "alias va0, position\nalias vc0, CONST(0.5, 1)\nalias vc1.w, LAST(2)\nmacro Half(a) {\n  out = a * 0.5\n}\n\
                      #if WIDE > 1\nop = position\n#else\nop = Half(position)\n#endif\nv0 = position\n";

#[test]
fn macro_programs_are_assembled_and_expanded_and_report_constants_to_upload() {
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", MACROS);
    let uploads = "note: upload vc0 = 0.5, 1, 0, 0\nnote: upload vc1.w = 2\n";
    for (defines, expanded) in [
        (&["-D", "WIDE=0"][..], "mul op, va0, vc0.x\nmov v0, va0\n"),
        (&["--define=WIDE=2"], "mov op, va0\nmov v0, va0\n"),
    ] {
        let ran = sandbox.run(&[&["assemble", "a.agal"], defines].concat()).success();
        assert_eq!(ran.out, assembled(expanded));
        assert_eq!(ran.err, uploads);
        let ran = sandbox.run(&[&["assemble", "a.agal", "--expand"], defines].concat()).success();
        // The expanded program keeps the alias names in comments, so its registers keep their names.
        assert_eq!(ran.text(), format!("// va0 = position\n// vc0 = CONST\n// vc1.w = LAST\n{expanded}"));
        assert_eq!(ran.err, uploads);
        let expanded = ran.text();
        let ran = sandbox.run(&[&["compile", "a.agal", "--to", "wgsl"], defines].concat()).success();
        sandbox.write("b.agal", expanded);
        assert_eq!(ran.out, sandbox.run(&["compile", "b.agal", "--to", "wgsl"]).success().out);
    }
    // A name that `-D` defines without a value is defined as 1.
    let ran = sandbox.run(&["assemble", "a.agal", "--expand", "-DWIDE"]).success();
    assert!(ran.text().contains("\nmul"), "{}", ran.text());
    sandbox.write("plain.agal", VERTEX);
    assert_eq!(sandbox.run(&["assemble", "plain.agal", "--expand"]).success().text(), VERTEX);
    assert_eq!(sandbox.run(&["assemble", "plain.agal", "--language", "macro"]).success().out, assembled(VERTEX));
    let ran = sandbox.run(&["assemble", "a.agal", "--language", "mini"]).failure(1);
    assert!(ran.err.contains("`alias` is not an AGAL mnemonic"), "{}", ran.err);
    sandbox.write("a.agalbc", assembled(VERTEX));
    let ran = sandbox.run(&["assemble", "a.agalbc", "--expand"]).failure(1);
    assert!(ran.err.contains("is not text"), "{}", ran.err);
    for wrong in ["-D=1", "-DA=b", "-D7", "-DA.B", "-DA=inf"] {
        sandbox.run(&["assemble", "a.agal", wrong]).failure(2);
    }
}

#[test]
fn an_error_in_a_macro_is_shown_with_the_call() {
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", MACROS.replace("a * 0.5", "a * vt3"));
    let ran = sandbox.run(&["verify", "a.agal", "-DWIDE=0"]).failure(1);
    for part in ["AGAL3647", "a.agal:5:13", "out = a * vt3", "op = Half(position)", "in the expansion of this call"] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
    let text = format!("{}vt0 = Haff(va0)", " ".repeat(500));
    sandbox.write("b.agal", format!("macro Half(a) {{ out = a * 0.7 }} vt1 = Half(va0); {text}"));
    let ran = sandbox.run(&["verify", "b.agal"]).failure(1);
    assert!(ran.err.contains("b.agal:1:27, in the expansion of the call at b.agal:1:39"), "{}", ran.err);
    assert!(ran.err.contains("did you mean `Half`?"), "{}", ran.err);
}

//! Checks that make and ninja read the depfiles, and run exactly the commands whose outputs are out of date.

use std::path::Path;
use std::process::{Command, Output};

use testing::{MAKE, NINJA};

use crate::support::sandbox::{FRAGMENT, Sandbox, VERTEX, pair};

/// Creates a command whose PATH begins with the folder of the tested `agalc`.
pub(crate) fn with_agalc(program: &str, folder: &Path) -> Command {
    let own = Path::new(env!("CARGO_BIN_EXE_agalc")).parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&path))).expect("a PATH");
    let mut command = Command::new(program);
    command.current_dir(folder).env("PATH", path).env_remove("MAKEFLAGS").env_remove("NINJA_STATUS");
    command
}

/// Runs a build system, which must succeed, and returns its output.
pub(crate) fn built(program: &str, folder: &Path, arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = with_agalc(program, folder).args(arguments).output().expect(program);
    let said = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{program} {arguments:?}: {said}");
    said
}

#[test]
fn the_rule_has_every_file_that_was_read_and_is_written_beside_the_first_output_or_where_it_is_said() {
    let sandbox = pair();
    sandbox.write("a.names.toml", "va0 = \"position\"\n");
    let both = ["compile", "a.vert.agal", "a.frag.agal"];
    let rule = |targets: &str, files: &[&str]| {
        let files: String = files.iter().map(|file| format!(" \\\n  {file}")).collect();
        format!("{targets}:{files}\n")
    };
    let read = ["a.vert.agal", "a.frag.agal", "a.names.toml"];
    let ran = sandbox.run(&[&both[..], &["-o", "x.wgsl", "-o", "x.glsl", "-MD"]].concat()).success();
    assert!(ran.err.contains("wrote x.wgsl.d (dependencies, "), "{}", ran.err);
    assert_eq!(sandbox.text("x.wgsl.d"), rule("x.wgsl x.vert.glsl x.frag.glsl", &read));
    sandbox.run(&[&both[..], &["-o", "x.wgsl", "-MFnew/d", "--reflect", "r.json"]].concat()).success();
    assert_eq!(sandbox.text("new/d"), rule("x.wgsl r.json", &read));
    let ran = sandbox.run(&[&both[..], &["--to", "wgsl", "-MF", "d", "-MT", "a target", "-MP"]].concat()).success();
    assert!(ran.out.starts_with(b"struct"));
    let phony: String = read.iter().map(|file| format!("{file}:\n")).collect();
    assert_eq!(sandbox.text("d"), rule("a\\ target", &read) + &phony);
    // A debug table is read only for a module.
    sandbox.run(&["compile", "a.vert.agal", "-o", "a.sdlbc"]).success();
    sandbox.run(&["strip", "a.sdlbc", "-o", "b.sdlbc", "--debug-table", "b.table"]).success();
    let table = ["--debug-table", "b.table", "--names", "a.names.toml", "-o", "x.wgsl", "-MD"];
    sandbox.run(&[&["compile", "b.sdlbc"], &table[..]].concat()).success();
    assert_eq!(sandbox.text("x.wgsl.d"), rule("x.wgsl", &["b.sdlbc", "b.table", "a.names.toml"]));
    sandbox.run(&[&["compile", "a.frag.agal"], &table[..]].concat()).success();
    assert_eq!(sandbox.text("x.wgsl.d"), rule("x.wgsl", &["a.frag.agal", "a.names.toml"]));
    sandbox.run_with(&["compile", "-", "-o", "x.wgsl", "-MD"], FRAGMENT.as_bytes()).success();
    assert_eq!(sandbox.text("x.wgsl.d"), "x.wgsl:\n");
    for (line, expected) in [
        (&["compile", "a.vert.agal", "--to", "wgsl", "-MD"][..], "-MD needs the name of a file"),
        (&["compile", "a.vert.agal", "--to", "wgsl", "-MF", "n.d"], "a depfile needs a target"),
        (&["compile", "a.vert.agal", "-o", "n.wgsl", "-MF", "a.vert.agal"], "is read and would be overwritten"),
        (&["compile", "a.vert.agal", "-o", "n.wgsl", "-MF", "n.wgsl"], "is named twice as an output"),
    ] {
        let ran = sandbox.run(line).failure(2);
        assert!(ran.err.contains(expected), "{line:?}: {}", ran.err);
    }
    // A run that writes no output also writes no depfile.
    sandbox.write("wrong.agal", "mvo oc, v0\n");
    sandbox.run(&["compile", "wrong.agal", "-o", "n.wgsl", "-MD"]).failure(1);
    assert!(!sandbox.path("n.wgsl.d").exists());
}

#[test]
fn a_batch_has_a_rule_for_each_shader_in_files_beside_the_outputs_or_in_one_file() {
    let sandbox = pair();
    sandbox.write("b.agal", FRAGMENT);
    sandbox.write("wrong.agal", "mvo oc, v0\n");
    let line = ["compile", "*.agal", "-o", "out", "--to", "wgsl,spirv"];
    let ran = sandbox.run(&[&line[..], &["-MD"]].concat()).failure(1);
    assert!(ran.err.contains("3 shaders: 2 written, 1 refused"), "{}", ran.err);
    let first = "out/a.wgsl out/a.spv: \\\n  a.vert.agal \\\n  a.frag.agal\n";
    let second = "out/b.wgsl out/b.spv: \\\n  b.agal\n";
    assert_eq!((sandbox.text("out/a.wgsl.d").as_str(), sandbox.text("out/b.wgsl.d").as_str()), (first, second));
    std::fs::remove_dir_all(sandbox.path("out")).expect("the outputs");
    for jobs in ["1", "3"] {
        sandbox.run(&[&line[..], &["-MF", "all.d", "-j", jobs]].concat()).failure(1);
        // The depfile also lists a refused shader, so that its outputs stay out of date until the shader is accepted.
        let wrong = "out/wrong.wgsl out/wrong.spv: \\\n  wrong.agal\n";
        assert_eq!(sandbox.text("all.d"), format!("{first}{second}{wrong}"));
        assert!(!sandbox.path("out/a.wgsl.d").exists());
    }
    // A depfile must not replace an input or another output.
    let ran =
        sandbox.run(&["compile", "b.agal", "--batch", "-o", "out", "--to", "wgsl", "-MF", "out/b.wgsl"]).failure(2);
    assert!(ran.err.contains("`out/b.wgsl` would be written twice"), "{}", ran.err);
    let ran = sandbox.run(&["compile", "b.agal", "--batch", "-o", "out", "--to", "wgsl", "-MF", "b.agal"]).failure(2);
    assert!(ran.err.contains("`b.agal` is read and would be overwritten"), "{}", ran.err);
}

/// Returns the outputs that ninja has built, sorted by name.
fn ran(said: &str) -> String {
    let outputs = said.lines().filter_map(|line| Some(line.split_once("] agalc ")?.1.trim_matches('\'')));
    let mut outputs: Vec<&str> = outputs.collect();
    outputs.sort_unstable();
    outputs.join(", ")
}

#[test]
fn ninja_builds_again_exactly_what_has_changed() {
    if !NINJA.is_there() {
        return;
    }
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("shaders")).expect("a folder");
    // The name contains all characters that make and ninja escape.
    let odd = "odd #1 $x: ü";
    for (name, text) in [("lit.vert", VERTEX), ("lit.frag", FRAGMENT), ("sky", FRAGMENT), (odd, FRAGMENT)] {
        sandbox.write(&format!("shaders/{name}.agal"), text);
    }
    sandbox.write("shaders/lit.names.toml", "fc0 = \"tint\"\n");
    sandbox.write(
        "build.ninja",
        "rule agalc\n  command = agalc compile $in -o $out -MF $out.d\n  depfile = $out.d\n  deps = gcc\n  description = agalc $out\n\
         build out/lit.wgsl: agalc shaders/lit.vert.agal shaders/lit.frag.agal\n\
         build out/sky.wgsl: agalc shaders/sky.agal\n\
         build out/odd$ $$x.wgsl: agalc shaders/odd$ #1$ $$x$:$ ü.agal\n",
    );
    let folder = sandbox.folder.path();
    let ninja = || built("ninja", folder, &[]);
    assert_eq!(ran(&ninja()), "out/lit.wgsl, out/odd $x.wgsl, out/sky.wgsl");
    assert!(sandbox.text("out/lit.wgsl").contains("tint"));
    let nothing = |after: &str| {
        let said = ninja();
        assert!(said.contains("no work to do"), "after {after}: {said}");
    };
    nothing("a build");
    sandbox.change("shaders/lit.frag.agal", format!("{FRAGMENT}// changed\n"));
    assert_eq!(ran(&ninja()), "out/lit.wgsl");
    nothing("a changed shader");
    // The names file is in the depfile, although it is not in the build file.
    sandbox.change("shaders/lit.names.toml", "fc0 = \"shade\"\n");
    assert_eq!(ran(&ninja()), "out/lit.wgsl");
    assert!(sandbox.text("out/lit.wgsl").contains("shade"));
    nothing("a changed file of names");
    sandbox.change(&format!("shaders/{odd}.agal"), "mov oc, v0\n");
    assert_eq!(ran(&ninja()), "out/odd $x.wgsl");
    nothing("a changed shader with an odd name");
    std::fs::remove_file(sandbox.path("shaders/lit.names.toml")).expect("a file");
    assert_eq!(ran(&ninja()), "out/lit.wgsl");
    assert!(!sandbox.text("out/lit.wgsl").contains("shade"));
    nothing("a removed file of names");
    // ninja must decode the escaped file name in the depfile.
    let deps = built("ninja", folder, &["-t", "deps"]);
    assert!(deps.contains("shaders/odd #1 $x: ü.agal"), "{deps}");
}

#[test]
fn make_builds_again_exactly_what_has_changed() {
    if !MAKE.is_there() {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("odd #1 $x: ü.agal", FRAGMENT);
    sandbox.write("odd #1 $x: ü.names.toml", "fc0 = \"tint\"\n");
    sandbox.write("sky.agal", FRAGMENT);
    // The makefile states no prerequisites, so make must take them from the depfiles.
    sandbox.write(
        "Makefile",
        "all: odd.wgsl sky.wgsl\n\
         odd.wgsl:\n\tagalc compile 'odd #1 $$x: ü.agal' -o $@ -MD -MP\n\
         sky.wgsl:\n\tagalc compile sky.agal -o $@ -MD -MP\n\
         -include odd.wgsl.d sky.wgsl.d\n",
    );
    let folder = sandbox.folder.path();
    let make = || {
        let said = built("make", folder, &[]);
        let built =
            said.lines().filter(|line| line.starts_with("agalc compile ")).filter_map(|line| line.split(" -o ").nth(1));
        built.map(|rest| rest.split(' ').next().unwrap_or_default().to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(make(), "odd.wgsl sky.wgsl");
    assert_eq!(make(), "");
    for (name, text, expected) in [
        ("sky.agal", "mov oc, v0\n", "sky.wgsl"),
        ("odd #1 $x: ü.names.toml", "fc0 = \"shade\"\n", "odd.wgsl"),
        ("odd #1 $x: ü.agal", "mul oc, v0, fc0\n", "odd.wgsl"),
    ] {
        sandbox.change(name, text);
        assert_eq!(make(), expected, "{name}");
        assert_eq!(make(), "", "{name}");
    }
    assert!(sandbox.text("odd.wgsl").contains("shade"));
    // With -MP, make does not fail if a file that the depfile lists no longer exists.
    std::fs::remove_file(sandbox.path("odd #1 $x: ü.names.toml")).expect("a file");
    assert_eq!(make(), "odd.wgsl");
    assert_eq!(make(), "");
}

/// A refused shader is built again in every run, even if no file has changed and the batch's other outputs were written.
#[test]
fn make_fails_until_every_shader_of_a_batch_is_accepted() {
    if !MAKE.is_there() {
        return;
    }
    let sandbox = pair();
    sandbox.write("sky.agal", FRAGMENT);
    // The makefile states no prerequisites, so make must take them from the depfile.
    sandbox.write(
        "Makefile",
        "outputs = out/a.vert.glsl out/a.frag.glsl out/sky.glsl\n\
         all: $(outputs)\n\
         $(outputs) &:\n\tagalc compile --batch a.vert.agal a.frag.agal sky.agal -o out --to glsl -MF all.d\n\
         -include all.d\n",
    );
    let make = || {
        let output = with_agalc("make", sandbox.folder.path()).output().expect("make");
        (output.status.success(), String::from_utf8_lossy(&output.stdout).contains("agalc compile"))
    };
    assert_eq!((make(), make()), ((true, true), (true, false)));
    for (name, text) in [("sky.agal", FRAGMENT), ("a.frag.agal", FRAGMENT), ("a.vert.agal", VERTEX)] {
        sandbox.change(name, "mvo oc, v0\n");
        assert_eq!((make(), make()), ((false, true), (false, true)), "{name}");
        sandbox.change(name, text);
        assert_eq!((make(), make()), ((true, true), (true, false)), "{name}");
    }
}

#[test]
fn what_is_said_of_a_depfile_that_is_not_written_is_refused() {
    let sandbox = pair();
    for option in [&["-MT", "all"][..], &["-MP"], &["--depfile-target", "all"]] {
        let line = [&["compile", "a.vert.agal", "-o", "x.wgsl"], option].concat();
        let ran = sandbox.run(&line).failure(2);
        let short = if option == ["-MP"] { "-MP" } else { "-MT" };
        let expected = format!("{short} needs a depfile, but none is written: add -MD, or name one with -MF FILE");
        assert!(ran.err.contains(&expected), "{line:?}: {}", ran.err);
        sandbox.run(&[&line[..], &["-MD"]].concat()).success();
    }
}

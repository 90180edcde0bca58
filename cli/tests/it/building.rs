//! Checks docs/build-systems.md. The page's files for make, ninja and CMake must rebuild only what has changed. The Bazel
//! action must work in an empty folder without an environment. The cache must translate each shader only once.

use std::path::{Path, PathBuf};
use std::process::Command;

use testing::{CMAKE, MAKE, NINJA, repository};

use crate::batch::tree;
use crate::depfiles::{built, with_agalc};
use crate::support::sandbox::{FRAGMENT, Sandbox, VERTEX};

/// Returns the page's code block with the info string `kind`.
fn block(kind: &str) -> String {
    let page = std::fs::read_to_string(repository().join("docs/build-systems.md")).expect("the page");
    let open = format!("\n```{kind}\n");
    let mut found = page.split(&open).skip(1);
    let block = found.next().unwrap_or_else(|| panic!("the page has no block {kind}"));
    block.split("\n```").next().unwrap_or_default().to_string() + "\n"
}

fn commands() -> Vec<String> {
    let page = std::fs::read_to_string(repository().join("docs/build-systems.md")).expect("the page");
    let blocks = page.split("\n```sh\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    blocks.flat_map(|block| block.lines().map(str::to_string)).collect()
}

fn page() -> Sandbox {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("shaders")).expect("a folder");
    for (name, text) in [
        ("lit.vert.agal", VERTEX),
        ("lit.frag.agal", FRAGMENT),
        ("sky.agal", FRAGMENT),
        ("lit.names.toml", "fc0 = \"tint\"\n"),
    ] {
        sandbox.write(&format!("shaders/{name}"), text);
    }
    sandbox
}

/// Changes a file, runs the build, and returns the outputs in the folder that the build rewrote.
fn changed(sandbox: &Sandbox, folder: &str, name: &str, text: &str, build: impl Fn() -> String) -> Vec<String> {
    let time =
        |name: &String| std::fs::metadata(sandbox.path(folder).join(name)).and_then(|found| found.modified()).ok();
    let shaders = || tree(&sandbox.path(folder)).into_keys().filter(|name| name.ends_with(".wgsl")).collect::<Vec<_>>();
    let before: Vec<_> = shaders().into_iter().map(|name| (time(&name), name)).collect();
    if !name.is_empty() {
        sandbox.change(name, text);
    }
    build();
    before.into_iter().filter(|(before, name)| time(name) != *before).map(|(_, name)| name).collect()
}

/// Builds the shaders of docs/build-systems.md, and checks which outputs are rebuilt after changes. `both` states whether one
/// command builds all outputs.
fn check(sandbox: &Sandbox, folder: &str, both: bool, build: impl Fn() -> String) {
    build();
    let expected = |name: &str, stage: &[&str]| {
        let inputs: Vec<String> = stage.iter().map(|stage| format!("shaders/{name}{stage}.agal")).collect();
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        sandbox.run(&[&["compile", "--to", "wgsl"], &inputs[..]].concat()).success().out
    };
    let is_right = || {
        assert_eq!(sandbox.read(&format!("{folder}/lit.wgsl")), expected("lit", &[".vert", ".frag"]));
        assert_eq!(sandbox.read(&format!("{folder}/sky.wgsl")), expected("sky", &[""]));
    };
    is_right();
    let (lit, sky) = match both {
        true => (vec!["lit.wgsl", "sky.wgsl"], vec!["lit.wgsl", "sky.wgsl"]),
        false => (vec!["lit.wgsl"], vec!["sky.wgsl"]),
    };
    for (name, text, expected) in [
        ("", "", &vec![]),
        ("shaders/lit.frag.agal", "mul oc, v0, fc0\n", &lit),
        ("shaders/lit.names.toml", "fc0 = \"shade\"\n", &lit),
        ("shaders/sky.agal", "mov oc, v0\n", &sky),
    ] {
        assert_eq!(changed(sandbox, folder, name, text, &build), *expected, "{name}");
        assert_eq!(changed(sandbox, folder, "", "", &build), Vec::<String>::new(), "after {name}");
        is_right();
    }
    assert!(sandbox.text(&format!("{folder}/lit.wgsl")).contains("shade"));
}

#[test]
fn the_makefile_of_the_page_builds_what_has_changed() {
    if MAKE.is_there() {
        let sandbox = page();
        sandbox.write("Makefile", block("make"));
        check(&sandbox, "out", false, || built("make", sandbox.folder.path(), &[]));
    }
}

#[test]
fn the_ninja_files_of_the_page_build_what_has_changed() {
    if NINJA.is_there() {
        for (kind, both) in [("ninja", false), ("ninja batch", true)] {
            let sandbox = page();
            sandbox.write("build.ninja", block(kind));
            check(&sandbox, "out", both, || built("ninja", sandbox.folder.path(), &[]));
            let said = built("ninja", sandbox.folder.path(), &[]);
            assert!(said.contains("no work to do"), "{said}");
        }
    }
}

#[test]
fn the_cmake_lists_of_the_page_build_what_has_changed() {
    if CMAKE.is_there() && NINJA.is_there() {
        let sandbox = page();
        sandbox.write("CMakeLists.txt", block("cmake"));
        built("cmake", sandbox.folder.path(), &["-G", "Ninja", "-S", ".", "-B", "out"]);
        check(&sandbox, "out", false, || built("cmake", sandbox.folder.path(), &["--build", "out"]));
    }
}

/// Returns the quoted strings of an attribute in the Bazel rule of docs/build-systems.md.
fn attribute(rule: &str, name: &str) -> Vec<String> {
    let line = rule.lines().find(|line| line.trim_start().starts_with(&format!("{name} = "))).expect(name);
    line.split('"').skip(1).step_by(2).map(str::to_string).collect()
}

#[test]
fn the_action_of_the_page_works_in_a_folder_with_its_inputs_alone_and_without_an_environment() {
    let rule = block("python");
    let (inputs, outputs) = (attribute(&rule, "srcs"), attribute(&rule, "outs"));
    let command = attribute(&rule, "cmd").remove(0);
    let page = page();
    let run = |place: &str| {
        // As in Bazel, each run has an empty environment and a separate folder, which contains only the declared inputs.
        let sandbox = Sandbox::new();
        let folder = sandbox.path(place);
        let input = |name: &str| PathBuf::from("in").join(name);
        for name in &inputs {
            let path = folder.join(input(name));
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::copy(page.path(name), path).expect("an input");
        }
        std::fs::create_dir_all(folder.join("bin")).expect("a folder");
        let mut words = command.split("$(location ").flat_map(|part| match part.split_once(')') {
            Some((label, rest)) => [label, rest],
            None => ["", part],
        });
        let mut arguments = Vec::new();
        words.by_ref().flat_map(str::split_whitespace).for_each(|word| match word {
            word if inputs.iter().any(|name| name == word) => arguments.push(input(word)),
            word if outputs.iter().any(|name| name == word) => arguments.push(Path::new("bin").join(word)),
            "//tools:agalc" => {}
            word => arguments.push(PathBuf::from(word)),
        });
        let ran = Command::new(env!("CARGO_BIN_EXE_agalc")).args(&arguments).current_dir(&folder).env_clear().output();
        let ran = ran.expect("the command");
        assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
        let mut made = tree(&folder);
        let declared: Vec<String> = inputs.iter().map(|name| input(name).display().to_string()).collect();
        declared.iter().for_each(|name| assert!(made.remove(name).is_some(), "{name}"));
        made
    };
    let (one, other) = (run("one"), run("two/deeper"));
    assert_eq!(one.keys().cloned().collect::<Vec<_>>(), ["bin/lit.json", "bin/lit.wgsl"], "only what is declared");
    assert!(one == other, "the outputs depend on the folder");
    assert!(String::from_utf8_lossy(&one["bin/lit.wgsl"]).contains("tint"));
    // The command writes the same bytes outside Bazel's sandbox.
    let line = ["compile", "shaders/lit.vert.agal", "shaders/lit.frag.agal", "-o", "bin/lit.wgsl"];
    page.run(&line).success();
    assert_eq!(page.read("bin/lit.wgsl"), one["bin/lit.wgsl"]);
}

#[cfg(unix)]
#[test]
fn the_cache_of_the_page_translates_once_and_its_commands_run() {
    let sandbox = page();
    sandbox.write("agalc-cached", block("sh agalc-cached"));
    let folder = sandbox.folder.path();
    let commands = commands();
    assert_eq!(commands.len(), 2, "{commands:?}");
    let shell = |line: &str| {
        let ran = with_agalc("sh", folder).args(["-c", line]).output().expect("a shell");
        assert!(ran.status.success(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8_lossy(&ran.stdout).into_owned()
    };
    let key = shell(&commands[0]);
    let cached = commands[1].as_str();
    shell(cached);
    let whole = sandbox.read("lit.wgsl");
    let stored: Vec<String> = tree(&sandbox.path("store")).into_keys().collect();
    assert_eq!(stored, [key.trim_end()]);
    // The test replaces the stored output with a marker, which the next run must copy.
    sandbox.write(&format!("store/{}", stored[0]), "from the store");
    shell(cached);
    assert_eq!(sandbox.text("lit.wgsl"), "from the store");
    // After a change, the shader is translated again, and the store keeps the outputs for the earlier inputs.
    sandbox.write("shaders/lit.names.toml", "fc0 = \"shade\"\n");
    shell(cached);
    assert!(sandbox.text("lit.wgsl").contains("shade"));
    sandbox.write("shaders/lit.names.toml", "fc0 = \"tint\"\n");
    std::fs::remove_file(sandbox.path("store").join(&stored[0])).expect("the stored file");
    shell(cached);
    assert_eq!(sandbox.read("lit.wgsl"), whole);
    assert_eq!(tree(&sandbox.path("store")).len(), 2);
}

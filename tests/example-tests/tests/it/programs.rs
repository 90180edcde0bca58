//! Builds programs in empty folders. The tests follow the steps of the example's README, of agal-build's README and of
//! docs/wgpu.md exactly as written. Another test builds a program with wrong shaders.
//!
//! Rule: no network is used. The programs share one target folder, so that their dependencies are built once. Every build uses
//! the workspace's lock file.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};

use agalc_scene::Picture;
use tempfile::TempDir;
use testing::repository;

/// Ensures that only one program runs at a time, so that the outputs of programs do not mix. Cargo locks the shared target folder
/// anyway.
static ONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("../example-programs")
}

/// Returns a command that runs in a folder in a user's environment, but without a network.
fn command(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env("AGALC", repository().canonicalize().expect("the clone"));
    command.env("CARGO_TARGET_DIR", target()).env("CARGO_NET_OFFLINE", "true").env("CARGO_TERM_COLOR", "never");
    // Programs build faster without debug information, which these tests do not need.
    command.env("CARGO_PROFILE_DEV_DEBUG", "false").env("CARGO_INCREMENTAL", "0");
    // Removes the variables that Cargo sets for this test.
    for (name, _) in
        std::env::vars().filter(|(name, _)| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"))
    {
        command.env_remove(name);
    }
    command
}

fn shown(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A step of a document: shell commands to run, or a file to write.
#[derive(Debug)]
enum Step {
    Run(String),
    /// A file, given by its name and contents. The name comes from a line such as "`build.rs`:", and the contents are the code
    /// block after that line.
    File(String, String),
}

/// Returns a document's steps in order. A block that is neither shell code nor preceded by a file name is not a step.
fn steps(document: &str) -> Vec<Step> {
    let (mut steps, mut name) = (Vec::new(), None);
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let block: String =
                lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
            match (language, name.take()) {
                ("sh", _) => steps.push(Step::Run(block)),
                (_, Some(name)) => steps.push(Step::File(name, block)),
                _ => {}
            }
        } else if !line.is_empty() {
            name = line.strip_prefix('`').and_then(|rest| rest.strip_suffix("`:")).map(str::to_string);
        }
    }
    steps
}

/// A shell function that replaces `cargo` and copies the workspace's lock file after the dependencies have been added. `cargo
/// add` selects versions and features as it would for a user, but the build uses the versions that are available offline.
const LOCKED: &str =
    "cargo() {\n  case \"$1\" in new | add) ;; *) cp \"$AGALC/Cargo.lock\" . ;; esac\n  command cargo \"$@\"\n}\n";

/// Follows a document's steps in an empty folder, and returns that folder and the folder in which the last step ends.
fn follow(document: &str) -> (TempDir, PathBuf) {
    let path = repository().join(document);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let empty = tempfile::tempdir().expect("a folder");
    let mut folder = empty.path().to_path_buf();
    for step in steps(&text) {
        match step {
            Step::Run(script) => {
                let followed = format!("set -e\n{LOCKED}{script}pwd >\"$WHERE\"\n");
                let at = empty.path().join("where");
                let output = command("bash", &folder).env("WHERE", &at).args(["-c", &followed]).output();
                let output = output.expect("bash runs");
                assert!(output.status.success(), "{document}:\n{script}\n{}", shown(&output));
                folder = PathBuf::from(std::fs::read_to_string(&at).expect("the folder").trim());
            }
            Step::File(name, contents) => std::fs::write(folder.join(name), contents).expect("a file"),
        }
    }
    (empty, folder)
}

fn picture(folder: &Path, name: &str) -> Picture {
    let bytes = std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    Picture::from_png(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn the_steps_of_the_examples_readme_draw_its_pictures_in_an_empty_folder() {
    let _one = alone();
    let (_empty, folder) = follow(DOCUMENTS[0]);
    for name in ["lit.png", "skinned.png", "targets-0.png", "targets-1.png"] {
        let picture = picture(&folder, name);
        let background = picture.pixels[0];
        let drawn = picture.pixels.iter().filter(|pixel| **pixel != background).count();
        assert!(drawn > picture.pixels.len() / 10, "{name}: {drawn} pixels are drawn");
    }
}

/// A document that requests a feature must state at least the workspace's version of the dependency. `cargo add` takes the
/// features from the lowest requested version, and only the workspace's versions are available offline.
#[test]
fn the_versions_that_are_added_have_the_features_that_are_asked_for() {
    let root = repository();
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let parts = |version: &str| -> [u32; 2] {
        let mut parts = version.split('.').map(|part| part.parse().expect("a number"));
        [parts.next().unwrap_or(0), parts.next().unwrap_or(0)]
    };
    let workspace = read("Cargo.toml");
    let mut checked = 0;
    for document in DOCUMENTS {
        let text = read(document);
        for line in text.lines().filter(|line| line.starts_with("cargo add ") && line.contains("--features")) {
            let (name, version) = line.split_whitespace().nth(2).and_then(|word| word.split_once('@')).expect(line);
            let entry = workspace.lines().find_map(|line| line.strip_prefix(&format!("{name} = {{ version = \"")));
            let tested = entry.and_then(|entry| entry.split('"').next()).expect(name);
            assert!(parts(version) >= parts(tested), "{document}: {line}: tested with {tested}");
            checked += 1;
        }
    }
    assert_eq!(checked, 2 * DOCUMENTS.len());
}

/// The documents whose steps the tests follow.
const DOCUMENTS: [&str; 3] = ["examples/wgpu-pairs/README.md", "docs/wgpu.md", "agal-build/README.md"];

#[test]
fn the_steps_of_the_build_crates_readme_make_a_program_in_an_empty_folder() {
    let _one = alone();
    let (_empty, folder) = follow(DOCUMENTS[2]);
    let output = command("cargo", &folder).args(["run", "--quiet"]).output().expect("cargo runs");
    let text = shown(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("80 bytes of constants"), "{text}");
}

#[test]
fn the_steps_of_the_page_on_wgpu_draw_a_triangle_in_an_empty_folder() {
    let _one = alone();
    let (_empty, folder) = follow(DOCUMENTS[1]);
    let picture = picture(&folder, "glow.png");
    let at = |x: u32, y: u32| picture.pixels[(y * picture.width + x) as usize];
    // The picture is black outside the triangle. A pixel near a corner has half of the corner's colour plus a quarter of white.
    assert_eq!(at(0, 0), [0, 0, 0, 255]);
    for (x, y, corner) in [(24, 236, 0), (128, 24, 1), (232, 236, 2)] {
        let pixel = at(x, y);
        for part in 0..3 {
            let expected = if part == corner { 191i32 } else { 64 };
            assert!((i32::from(pixel[part]) - expected).abs() < 16, "{x}, {y}: {pixel:?}");
        }
    }
}

/// Creates the program `lamp`, which has a pair of shaders and does not use wgpu.
fn lamp(vertex: &str, fragment: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let clone = repository().canonicalize().expect("the clone");
    let manifest = format!(
        "[package]\nname = \"lamp\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nagal-build = {{ path = {path:?}, default-features = false }}\n\n\
         [build-dependencies]\nagal-build = {{ path = {path:?} }}\n",
        path = clone.join("agal-build")
    );
    std::fs::create_dir_all(folder.path().join("src")).expect("a folder");
    std::fs::create_dir_all(folder.path().join("shaders")).expect("a folder");
    let build = "fn main() -> Result<(), agal_build::Error> {\n    \
                 agal_build::Config::new().folder(\"shaders\").wgpu(false).bytemuck(false).compile()\n}\n";
    let main = "#![forbid(unsafe_code)]\n#![deny(warnings)]\nagal_build::include!(\"lit\");\n\
                fn main() {\n    println!(\"{}\", lit::WGSL.len());\n}\n";
    for (name, text) in [("Cargo.toml", manifest.as_str()), ("build.rs", build), ("src/main.rs", main)] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    std::fs::copy(clone.join("Cargo.lock"), folder.path().join("Cargo.lock")).expect("the lock file");
    write(&folder, vertex, fragment);
    folder
}

fn write(folder: &TempDir, vertex: &str, fragment: &str) {
    std::fs::write(folder.path().join("shaders/lit.vert.agal"), vertex).expect("a file");
    std::fs::write(folder.path().join("shaders/lit.frag.agal"), fragment).expect("a file");
}

fn build(folder: &TempDir) -> Output {
    command("cargo", folder.path()).args(["build"]).output().expect("cargo runs")
}

/// Returns the names and contents of the files that the build script of `lamp` has written.
fn generated() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(target().join("debug/build")).expect("the folder").flatten() {
        let of_lamp = entry.file_name().to_string_lossy().starts_with("lamp-");
        let Some(out) = std::fs::read_dir(entry.path().join("out")).ok().filter(|_| of_lamp) else { continue };
        let is_generated = |file: &std::fs::DirEntry| file.file_name() != "agal-build.txt";
        files.extend(out.flatten().filter(is_generated).map(|file| {
            let contents = std::fs::read(file.path()).expect("a file");
            (file.file_name().to_string_lossy().into_owned(), contents)
        }));
    }
    files.sort();
    files
}

const VERTEX: &str = "m44 op, va0, vc0\nmov v0, va1\n";
const FRAGMENT: &str = "tex ft0, v0, fs0 <2d,linear>\nmul ft0, ft0, fc0\nmov oc, ft0\n";

#[test]
fn a_wrong_shader_is_an_error_of_cargo_with_path_line_caret_and_help_and_leaves_nothing_half_written() {
    let _one = alone();
    for entry in std::fs::read_dir(target().join("debug/build")).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with("lamp-") {
            std::fs::remove_dir_all(entry.path()).expect("removed");
        }
    }
    let folder =
        lamp("m44 op, va0, vc0\nmov v0, va77\n", "tex ft0, v0, fs0 <2d,linear>\nmlu ft0, ft0, fc0\nmov oc, ft0\n");
    let output = build(&folder);
    let text = shown(&output);
    assert!(!output.status.success(), "{text}");
    let message = "\
error: lamp@0.1.0: error[AGAL9101]: `mlu` is not an AGAL mnemonic
error: lamp@0.1.0:   ┌─ shaders/lit.frag.agal:2:1
error: lamp@0.1.0:   │
error: lamp@0.1.0: 2 │ mlu ft0, ft0, fc0
error: lamp@0.1.0:   │ ^^^
error: lamp@0.1.0:   │
error: lamp@0.1.0:   = help: did you mean `mul`?
";
    assert!(text.contains(message), "{text}");
    let other = "error: lamp@0.1.0:   ┌─ shaders/lit.vert.agal:2:9\n";
    assert!(text.contains(other), "{text}");
    assert_eq!(generated(), []);

    // Once the mistake is corrected, the program builds without warnings. Another mistake leaves the generated files unchanged.
    write(&folder, VERTEX, FRAGMENT);
    let output = build(&folder);
    assert!(output.status.success(), "{}", shown(&output));
    let before = generated();
    assert_eq!(before.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["lit.rs", "lit.wgsl"]);
    write(&folder, VERTEX, "mov oc, v0\nmlu\n");
    assert!(!build(&folder).status.success());
    assert_eq!(generated(), before);

    // Cargo watches the input files, so it runs the build script again when a file of names is added.
    write(&folder, VERTEX, FRAGMENT);
    std::fs::write(folder.path().join("shaders/lit.names.toml"), "\"vc0..3\" = \"clip\"\n").expect("a file");
    let output = build(&folder);
    assert!(output.status.success(), "{}", shown(&output));
    let lit = String::from_utf8(generated()[0].1.clone()).expect("text");
    assert!(lit.contains("pub clip: [[f32; 4]; 4],"), "{lit}");

    // Renaming the shaders removes the module that the program includes, so the build fails.
    for stage in ["vert", "frag"] {
        let file = |name: &str| folder.path().join(format!("shaders/{name}.{stage}.agal"));
        std::fs::rename(file("lit"), file("dim")).expect("renamed");
    }
    std::fs::remove_file(folder.path().join("shaders/lit.names.toml")).expect("removed");
    let output = build(&folder);
    assert!(!output.status.success(), "{}", shown(&output));
    assert!(shown(&output).contains("lit.rs"), "{}", shown(&output));
}

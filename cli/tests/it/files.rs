//! Checks the files that the command leaves on the disk. The test runs each row of testdata/files/rows.txt in a separate folder.
//! `ROW=` selects the rows whose title contains the given word.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::support::sandbox::{Sandbox, VERTEX, pair};
use crate::support::{on_two_threads, say, testdata};
use agalc_scene::Picture;
use testing::Effort;

/// Returns the outputs of the initial programs, keyed by the names that rows use for the outputs.
fn known_outputs() -> &'static BTreeMap<&'static str, Vec<u8>> {
    static KNOWN: OnceLock<BTreeMap<&'static str, Vec<u8>>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let sandbox = base();
        let both = |to: &str| sandbox.run(&["compile", "a.vert.agal", "a.frag.agal", "--to", to]).success().out;
        let one = |of: &str| sandbox.run(&["compile", of, "--to", "glsl"]).success().out;
        BTreeMap::from([
            ("spv", both("spirv")),
            ("wgsl", both("wgsl")),
            ("sdlbc", both("sdlbc")),
            ("vert", one("a.vert.agal")),
            ("frag", one("a.frag.agal")),
            ("png", sandbox.run(&["render", "scene.toml", "--size", "4", "-o", "-"]).success().out),
            ("empty", Vec::new()),
        ])
    })
}

/// Creates a sandbox with the initial files of every row.
fn base() -> Sandbox {
    let sandbox = pair();
    sandbox.write("v.agal", "mov op, va0\nmov v0, va1\n");
    sandbox.write("f.agal", "tex ft0, v0, fs0 <2d,nearest>\nmul oc, ft0, fc0\n");
    sandbox.write("two.agal", "// agal 2 fragment\ntex ft0, v0, fs0 <2d,nearest>\nmov fo0, ft0\nmov fo1, fc1\n");
    sandbox.write("lone.vert", VERTEX);
    sandbox.write("lone.frag", "mov ft0, fc0\nadd ft0, ft0, fc3\nmov oc, ft0\n");
    sandbox.write("m.obj", "v -1 -1 0\nv 1 -1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n");
    sandbox.write("c.toml", "[constants]\nvc0 = [1, 0, 0, 1]\nfc0 = [1, 0, 0, 1]\n");
    let picture = |alpha| Picture { width: 1, height: 1, pixels: vec![[255, 255, 255, alpha]] };
    sandbox.write("x.png", picture(255).to_png().expect("a picture"));
    sandbox.write("q.1.png", picture(254).to_png().expect("a picture"));
    let scene = |fragment: &str, texture: &str| {
        format!(
            "vertex = \"v.agal\"\nfragment = \"{fragment}\"\nsize = 4\nmesh = \"m.obj\"\n\
             textures = {{ fs0 = \"{texture}\" }}\nconstants = {{ fc0 = [1, 0, 0, 1] }}\n"
        )
    };
    sandbox.write("scene.toml", scene("f.agal", "x.png"));
    sandbox.write("mrt.toml", scene("two.agal", "q.1.png"));
    sandbox.run(&["compile", "a.vert.agal", "-o", "p.sdlbc"]).success();
    sandbox
}

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    content: Vec<u8>,
    kind: String,
    mode: u32,
    owner: u32,
    inode: u64,
}

/// Returns the files and folders below a folder. In their names, bytes that are not printable ASCII are escaped.
fn entries(folder: &Path) -> BTreeMap<String, Entry> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            let metadata = std::fs::symlink_metadata(&path).expect("it is there");
            let kind = metadata.file_type();
            let content = match () {
                () if kind.is_symlink() => std::fs::read_link(&path).expect("a link").as_os_str().as_bytes().to_vec(),
                () if kind.is_file() => std::fs::read(&path).expect("a file"),
                () => Vec::new(),
            };
            let name = path.strip_prefix(folder).expect("below").as_os_str().as_bytes().escape_ascii().to_string();
            let entry = Entry {
                content,
                kind: format!("{kind:?}"),
                mode: metadata.permissions().mode() & 0o7777,
                owner: metadata.uid(),
                inode: metadata.ino(),
            };
            found.insert(name, entry);
            if kind.is_dir() {
                folders.push(path);
            }
        }
    }
    found
}

/// Replaces `\x20` in a row's file name with a space. All other escapes are kept, as in [`entries`].
fn name(text: &str) -> String {
    text.replace("\\x20", " ")
}

/// Reports whether the bytes match a row's description, which is a sequence of strings and names of known outputs.
fn matches_pieces(bytes: &[u8], pieces: &str) -> bool {
    let (mut bytes, mut pieces) = (bytes, pieces.trim());
    while !pieces.is_empty() {
        if pieces == "..." {
            return !bytes.is_empty();
        }
        let (piece, rest) = match pieces.strip_prefix('"') {
            Some(quoted) => {
                let (text, rest) = quoted.split_once('"').expect("a closing quote");
                (text.replace("\\n", "\n").into_bytes(), rest)
            }
            None => {
                let (word, rest) = pieces.split_once(' ').unwrap_or((pieces, ""));
                (known_outputs().get(word).unwrap_or_else(|| panic!("no output is called {word}")).clone(), rest)
            }
        };
        let Some(after) = bytes.strip_prefix(&piece[..]) else { return false };
        (bytes, pieces) = (after, rest.trim());
    }
    bytes.is_empty()
}

fn shell(folder: &Path, line: &str) -> std::process::Output {
    let command = Path::new(env!("CARGO_BIN_EXE_agalc")).parent().expect("its folder");
    let path = format!("{}:{}", command.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(line).current_dir(folder).env("PATH", path).env_remove("RUST_BACKTRACE");
    shell.stdin(Stdio::null()).output().expect("a shell")
}

/// Runs a row. Returns a flag that is true if this system can run the row, and the problems found.
fn wrong(title: &str, body: &str) -> (bool, Vec<String>) {
    let lines: Vec<(&str, &str)> = body
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.split_once(' ').unwrap_or((line, "")))
        .collect();
    let all = |word: &str| lines.iter().filter(|(of, _)| *of == word).map(|(_, rest)| rest.trim()).collect::<Vec<_>>();
    let sandbox = base();
    let folder = sandbox.folder.path();
    if let Some(need) = all("needs").into_iter().find(|need| !shell(folder, need).status.success()) {
        say(&format!("SKIPPED: {title}: `{need}` fails here"));
        return (false, Vec::new());
    }
    for line in all("setup") {
        let set = shell(folder, line);
        assert!(set.status.success(), "{title}: {line}: {}", String::from_utf8_lossy(&set.stderr));
    }
    let before = entries(folder);
    let runs = all("run");
    let [run] = runs[..] else { panic!("{title}: expected one `run` line") };
    let ran = shell(folder, run);
    let mut after = entries(folder);
    let mut wrong = Vec::new();
    let mut complain = |what: String| wrong.push(what);
    let err = String::from_utf8_lossy(&ran.stderr).into_owned();
    let code = all("exit").first().map_or(0, |code| code.parse().expect("a number"));
    if ran.status.code() != Some(code) {
        complain(format!("ended with {}, not {code}", ran.status));
    }
    all("says")
        .iter()
        .filter(|part| !err.contains(**part))
        .for_each(|part| complain(format!("standard error lacks {part}")));
    if !all("silent").is_empty() && !err.is_empty() {
        complain("standard error is not empty".into());
    }
    if err.contains("panicked") || err.contains('\u{1b}') {
        complain("panics or writes escape sequences".into());
    }
    if !matches_pieces(&ran.stdout, all("out").first().unwrap_or(&"")) {
        complain(format!("wrote {:?}", String::from_utf8_lossy(&ran.stdout)));
    }
    for (word, rest) in &lines {
        let (of, what) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
        let of = &name(of);
        match (*word, after.get(of)) {
            ("new" | "now" | "mode" | "owner", None) => complain(format!("{of} is missing")),
            ("new" | "now", Some(found)) => {
                if before.contains_key(of) != (*word == "now") || !found.kind.contains("is_file: true") && what != "..."
                {
                    complain(format!("{of} is not {word}"));
                }
                if found.kind.contains("is_file: true") && !matches_pieces(&found.content, what) {
                    complain(format!("{of} holds {:?}", String::from_utf8_lossy(&found.content)));
                }
            }
            ("gone", found) if found.is_some() || !before.contains_key(of) => complain(format!("{of} is not gone")),
            ("mode", Some(found)) if format!("{:o}", found.mode) != what => {
                complain(format!("{of}: mode {:o}", found.mode))
            }
            ("owner", Some(found)) if found.owner.to_string() != what => {
                complain(format!("{of}: owner {}", found.owner))
            }
            _ => {}
        }
    }
    let mut expected = before.clone();
    for (word, rest) in &lines {
        let of = name(rest.trim().split(' ').next().unwrap_or_default());
        match *word {
            "new" | "now" => drop(after.remove(&of).zip(expected.remove(&of))),
            "gone" => drop(expected.remove(&of)),
            _ => {}
        }
    }
    for (of, entry) in &expected {
        match after.get(of) {
            None => complain(format!("{of} is gone")),
            Some(found) if found != entry => complain(format!("{of} has changed")),
            Some(_) => {}
        }
    }
    after.keys().filter(|of| !expected.contains_key(*of)).for_each(|of| complain(format!("{of} was created")));
    if !wrong.is_empty() {
        wrong.push(format!("standard error: {err}"));
    }
    (true, wrong)
}

#[test]
fn every_row_leaves_the_expected_files() {
    let text = std::fs::read_to_string(testdata("files/rows.txt")).expect("the rows");
    let rows = text.split("\n### ").skip(1).map(|row| row.split_once('\n').unwrap_or((row, "")));
    // A title without a body is a heading.
    let rows: Vec<(&str, &str)> = rows.filter(|(_, body)| !body.trim().is_empty()).collect();
    assert!(rows.len() > 100, "only {} rows", rows.len());
    let rows = match std::env::var("ROW") {
        Ok(only) => rows.iter().filter(|(title, _)| title.contains(&only)).collect(),
        Err(_) => Effort::part_of("ROWS", &rows),
    };
    let checked = on_two_threads(&rows, |(title, body)| wrong(title, body));
    let mut failures = String::new();
    for ((title, _), (_, wrong)) in rows.iter().zip(&checked).filter(|(_, (_, wrong))| !wrong.is_empty()) {
        failures += &format!("\n{title}:\n  {}", wrong.join("\n  "));
    }
    assert!(failures.is_empty(), "{failures}");
    let ran = checked.iter().filter(|(ran, _)| *ran).count();
    assert!(ran * 3 > rows.len(), "only {ran} rows of {} were run", rows.len());
}

/// Standard input may be named only once, because a second read would succeed with empty input.
#[test]
fn standard_input_is_read_once() {
    let sandbox = pair();
    sandbox.write("state.toml", "vertices = 3\n");
    for arguments in [
        &["compile", "-", "-", "--to", "wgsl"][..],
        &["compile", "-", "--names", "-", "--to", "wgsl"],
        &["compile", "-", "--debug-table", "-", "--to", "wgsl"],
        &["check-draw", "-", "--state", "-"],
        &["dump", "-", "-"],
    ] {
        let module = sandbox.run(&["compile", "a.vert.agal", "--to", "sdlbc"]).success().out;
        let ran = sandbox.run_with(arguments, &module).failure(2);
        assert!(ran.err.contains("can be read only once") && ran.out.is_empty(), "{arguments:?}: {}", ran.err);
    }
    sandbox.write("names.toml", "va1 = \"uv\"\n");
    let names = std::fs::read(sandbox.path("names.toml")).expect("the file");
    let ran = sandbox.run_with(&["compile", "a.vert.agal", "--names", "-", "--to", "wgsl"], &names).success();
    assert!(ran.text().contains("uv"), "{}", ran.text());
}

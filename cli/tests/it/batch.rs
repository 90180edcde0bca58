//! Checks that a batch has the same outputs and messages as separate runs for its shaders, with any number of threads. The
//! environment variable `SHADERS` sets the number of shaders in the largest batch.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use testing::Effort;

use crate::support::sandbox::{FRAGMENT, Sandbox, VERTEX, assembled};
use crate::support::{repository, testdata};

/// Returns the files in a folder and its subfolders, keyed by relative path.
pub(crate) fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(inner) = folders.pop() {
        for entry in std::fs::read_dir(&inner).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("a path in it").to_string_lossy().into_owned();
                files.insert(name, std::fs::read(&path).expect("a file"));
            }
        }
    }
    files
}

fn write(sandbox: &Sandbox, name: &str, bytes: impl AsRef<[u8]>) {
    std::fs::create_dir_all(sandbox.path(name).parent().expect("a folder")).expect("a folder");
    sandbox.write(name, bytes);
}

/// Returns the names of the pairs in testdata that compile without options.
fn names() -> Vec<String> {
    let files = testing::files(&testdata("pairs"), "agal");
    let names = files.iter().filter_map(|path| path.file_name()?.to_str()?.strip_suffix(".vert.agal"));
    let mut names: Vec<String> = names.filter(|name| *name != "chosen_level").map(str::to_string).collect();
    names.sort();
    names
}

/// Fills a folder `in` with `count` shaders from the pairs in testdata. Returns the inputs of each shader, in order.
pub(crate) fn shaders(sandbox: &Sandbox, count: usize) -> Vec<Vec<String>> {
    let names = names();
    let mut inputs = Vec::new();
    for index in 0..count {
        let name = &names[index % names.len()];
        let stem = format!("in/{:03}/{:04}_{name}", index / 40, index);
        let files = ["vert", "frag"].map(|stage| {
            let text = std::fs::read_to_string(testdata("pairs").join(format!("{name}.{stage}.agal"))).expect("a pair");
            let file = format!("{stem}.{stage}.agal");
            write(sandbox, &file, format!("{text}\n// {index}\n"));
            file
        });
        inputs.push(files.to_vec());
    }
    inputs
}

/// Adds shaders of every other kind: a shader with a file of names, single programs, a file with both stages, modules, shaders
/// with errors, and a shader with warnings.
fn others(sandbox: &Sandbox) -> Vec<Vec<String>> {
    for name in ["phong.vert.agal", "phong.frag.agal", "phong.names.toml"] {
        write(sandbox, &format!("in/x/{name}"), std::fs::read(testdata("names").join(name)).expect("a file"));
    }
    write(sandbox, "in/x/lone.frag.agal", FRAGMENT);
    write(sandbox, "in/x/code.vert.agalbc", assembled(VERTEX));
    write(sandbox, "in/x/code.frag.agalbc", assembled(FRAGMENT));
    write(sandbox, "in/x/macros.agal", "alias fc0, TINT(1, 0.5, 0.25, 1);\noc = v0 * TINT;\n");
    write(sandbox, "in/x/renamed.vert.agal", "// va0 = float\nm44 op, va0, vc0\n");
    write(sandbox, "in/x/unread.agal", "mov ft0, ft1\nmov oc, ft0\n");
    write(sandbox, "in/x/warned.agal", "mov oc, v0 // caf\u{e9}\n".chars().map(|c| c as u8).collect::<Vec<u8>>());
    write(sandbox, "in/x/wrong.agal", "mvo oc, v0\n");
    sandbox.run(&["compile", "in/x/lone.frag.agal", "-o", "in/x/module.sdlbc"]).success();
    sandbox.run(&["compile", "in/x/lone.frag.agal", "-o", "in/x/text.sdlasm"]).success();
    let stems: [&[&str]; 10] = [
        &["code.vert.agalbc", "code.frag.agalbc"],
        &["lone.frag.agal"],
        &["macros.agal"],
        &["module.sdlbc"],
        &["phong.vert.agal", "phong.frag.agal"],
        &["renamed.vert.agal"],
        &["text.sdlasm"],
        &["unread.agal"],
        &["warned.agal"],
        &["wrong.agal"],
    ];
    stems.iter().map(|names| names.iter().map(|name| format!("in/x/{name}")).collect()).collect()
}

/// Returns the path of a shader's output in a batch, as docs/batches.md defines it.
fn output(inputs: &[String], extension: &str) -> String {
    let path = Path::new(inputs[0].strip_prefix("in/").expect("a path in the folder"));
    let stem = if inputs.len() == 2 { path.with_extension("").with_extension("") } else { path.with_extension("") };
    format!("out/{}.{extension}", stem.display())
}

/// Removes the summary and the lines about written files from messages.
fn said(text: &str, is_batch: bool) -> String {
    let is_kept = |line: &&str| match is_batch {
        // In a batch, a heading that names the shader precedes the shader's notes.
        true => !(line.contains(" shaders: ") || line.starts_with("in/") && line.ends_with(':')),
        false => !line.starts_with("wrote "),
    };
    let lines: Vec<&str> = text.lines().filter(is_kept).collect();
    // After an error, a batch still writes the outputs of the other shaders.
    assert!(!is_batch || !text.contains("nothing was written"), "{text}");
    lines.join("\n").replace("; nothing was written", "").trim_end().to_string()
}

#[test]
fn a_batch_makes_and_says_what_a_run_for_each_shader_makes_and_says() {
    let sandbox = Sandbox::new();
    let count = usize::try_from(Effort::of("SHADERS", 300).cases).expect("a number").max(25);
    let mut inputs = shaders(&sandbox, count);
    inputs.extend(others(&sandbox));
    let line = ["compile", "in", "-o", "out", "--to", "wgsl,spirv,glsl", "--reflect", "out"];
    let mut runs = ["1", "2", "7"].map(|jobs| {
        let ran = sandbox.run(&[&line[..], &["-j", jobs]].concat()).failure(1);
        let made = tree(&sandbox.path("out"));
        std::fs::remove_dir_all(sandbox.path("out")).expect("the outputs");
        (ran.err, made)
    });
    let (err, made) = std::mem::take(&mut runs[0]);
    for (other, also) in &runs[1..] {
        assert_eq!(*other, err, "the messages depend on the number of threads");
        assert!(*also == made, "the files depend on the number of threads");
    }
    let mut single = String::new();
    for inputs in &inputs {
        let mut line = vec!["compile".to_string()];
        line.extend(inputs.iter().cloned());
        ["wgsl", "spv", "glsl"].iter().for_each(|extension| line.extend(["-o".into(), output(inputs, extension)]));
        line.extend(["--reflect".into(), output(inputs, "json")]);
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        single += &said(&sandbox.run(&line).err, false);
        single += "\n";
    }
    let single: Vec<&str> = single.lines().filter(|line| !line.is_empty()).collect();
    let of_batch = said(&err, true);
    let of_batch: Vec<&str> = of_batch.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(of_batch, single);
    let alone = tree(&sandbox.path("out"));
    assert_eq!(made.keys().collect::<Vec<_>>(), alone.keys().collect::<Vec<_>>());
    made.iter().for_each(|(name, bytes)| assert!(*bytes == alone[name], "{name}"));
    let all = inputs.len();
    let summary = err.lines().find(|line| line.contains(" shaders: ")).expect("a summary");
    let refused = "2 refused (`in/x/unread.agal`, `in/x/wrong.agal`)";
    assert_eq!(summary, format!("error: {all} shaders: {} written, {refused}; 1 warning", all - 2));
    assert!(err.contains("in/x/macros.agal:\nnote: upload fc0 = 1, 0.5, 0.25, 1\n"), "{err}");
    assert!(err.contains("note: `float` is called `float_1` in `out/x/renamed.vert.glsl`"), "{err}");
}

#[test]
fn a_batch_goes_on_after_an_error_and_with_an_option_stops_and_leaves_everything_as_it_was() {
    let sandbox = Sandbox::new();
    shaders(&sandbox, 30);
    write(&sandbox, "in/000/0010.agal", "mvo oc, v0\n");
    write(&sandbox, "in/000/0020.agal", "mvo oc, v1\n");
    write(&sandbox, "out/000/0000_x.wgsl", "old");
    let before = tree(sandbox.folder.path());
    let mut said = Vec::new();
    for jobs in ["1", "2", "16"] {
        let ran = sandbox.run(&["compile", "in", "-o", "out", "--to", "wgsl", "-j", jobs, "--fail-fast"]).failure(1);
        assert!(ran.out.is_empty() && tree(sandbox.folder.path()) == before, "{jobs}");
        said.push(ran.err);
    }
    assert!(said.iter().all(|text| *text == said[0]), "{said:#?}");
    assert!(said[0].contains("in/000/0010.agal:1:1") && !said[0].contains("0020"), "{}", said[0]);
    let summary = "error: 32 shaders: 0 written, 1 refused (`in/000/0010.agal`); --fail-fast stops at the first error";
    assert!(said[0].lines().any(|line| line == summary), "{}", said[0]);
    let line = ["compile", "in", "-o", "out", "--to", "wgsl"];
    // `--keep-going` is the default, and overrides an earlier `--fail-fast` on the command line.
    for option in [&[][..], &["--keep-going"], &["--fail-fast", "--keep-going"]] {
        let ran = sandbox.run(&[&line[..], option].concat()).failure(1);
        assert!(ran.err.contains("in/000/0010.agal:1:1") && ran.err.contains("in/000/0020.agal:1:1"), "{}", ran.err);
        let summary = "32 shaders: 30 written, 2 refused (`in/000/0010.agal`, `in/000/0020.agal`)\n\n";
        assert!(ran.err.ends_with(summary), "{}", ran.err);
        assert_eq!(tree(&sandbox.path("out")).len(), 31);
        std::fs::remove_dir_all(sandbox.path("out/000")).expect("the outputs");
        write(&sandbox, "out/000/0000_x.wgsl", "old");
    }
    assert!(!sandbox.run(&["compile", "--help"]).success().into_text().contains("keep-going"));
}

/// If more than five shaders are refused, the summary contains only their number.
#[test]
fn a_few_refused_shaders_are_named_in_the_last_line() {
    let sandbox = Sandbox::new();
    write(&sandbox, "in/good.agal", "mov oc, v0\n");
    for count in 1..=6 {
        write(&sandbox, &format!("in/{count}.agal"), "mvo oc, v0\n");
        let ran = sandbox.run(&["validate", "in"]).failure(1);
        let names: Vec<String> = (1..=count).map(|count| format!("`in/{count}.agal`")).collect();
        let names = if count > 5 { String::new() } else { format!(" ({})", names.join(", ")) };
        let summary = format!("error: {} shaders: 1 accepted, {count} refused{names}", count + 1);
        assert_eq!(ran.err.lines().filter(|line| line.contains("shaders:")).collect::<Vec<_>>(), [summary]);
    }
}

#[test]
fn templates_pieces_and_the_manifest_of_an_extraction_are_passed_by_and_refused_by_name() {
    let sandbox = Sandbox::new();
    let template = "// hole {smoothing}: this.smoothing\ntex oc, v0, fs0 <2d,{smoothing}>\n";
    write(&sandbox, "in/a.frag.agal", "mov oc, v0\n");
    write(&sandbox, "in/templates/b.frag.agal.in", template);
    write(&sandbox, "in/c.frag.agal.in", template);
    write(&sandbox, "in/pieces/d.agal.piece", "mul ft0, ft0, ft1\n");
    write(&sandbox, "in/manifest.json", "{\n  \"format\": \"agalc extract 1\"\n}\n");
    let passed = "skipped 2 templates (fill the holes with agalc extract --fill) and 1 piece\n";
    for line in [&["compile", "in", "-o", "out", "--to", "wgsl"][..], &["validate", "in"], &["validate", "in/**/*"]] {
        // The pattern `in/**/*` matches all files.
        let count = if line[1] == "in" { "1 shader: 1 " } else { "2 shaders: 1 " };
        let ran = sandbox.run(line);
        assert!(ran.err.contains(&format!("; {passed}")) && ran.err.contains(count), "{line:?}: {}", ran.err);
    }
    assert_eq!(tree(&sandbox.path("out")).into_keys().collect::<Vec<_>>(), ["a.frag.wgsl"]);
    // A folder is recognised as an extraction even if it contains no complete program.
    write(&sandbox, "none/templates/b.frag.agal.in", template);
    write(&sandbox, "none/manifest.json", "{\n  \"format\": \"agalc extract 1\"\n}\n");
    for line in [&["compile", "none", "-o", "out", "--to", "wgsl"][..], &["validate", "none"]] {
        let ran = sandbox.run(line).success();
        assert!(ran.err.starts_with("0 shaders: 0 "), "{}", ran.err);
        assert!(ran.err.ends_with("; skipped 1 template (fill the holes with agalc extract --fill)\n"), "{}", ran.err);
    }
    // A file named `manifest.json` that no extraction wrote is skipped like any other file.
    write(&sandbox, "in/manifest.json", "{}");
    let ran = sandbox.run(&["verify", "in", "--verbose"]).success();
    assert!(ran.err.contains(&format!("1 accepted; 1 other file skipped; {passed}")), "{}", ran.err);
    assert!(ran.err.contains("note: `in/pieces/d.agal.piece` is a piece of a program"), "{}", ran.err);
    let ran = sandbox.run(&["validate", "in/pieces", "in/templates"]).failure(1);
    let none = "there are no shaders in `in/pieces` and `in/templates`";
    assert!(ran.err.contains(none) && ran.err.contains("; skipped 1 template"), "{}", ran.err);
    let is_template = "`in/c.frag.agal.in` is a template: each `{hole}` stands for an unknown part of its text";
    let is_piece =
        "`in/pieces/d.agal.piece` is a piece of a program, and how the application completes it is not known";
    for command in ["compile", "validate", "disassemble", "print", "dump", "verify", "inspect", "assemble"] {
        let to: &[&str] = if command == "compile" { &["--to", "wgsl"] } else { &[] };
        for (name, expected) in [("in/c.frag.agal.in", is_template), ("in/pieces/d.agal.piece", is_piece)] {
            let ran = sandbox.run(&[&[command, name], to].concat()).failure(1);
            assert!(ran.err.contains(expected) && ran.err.contains("whose name ends in .agal"), "{}", ran.err);
        }
    }
    // A template or piece that the command line names is refused, and the other files are still processed.
    let line = ["in/c.frag.agal.in", "in/pieces/d.agal.piece", "in/templates/b.frag.agal.in", "in/a.frag.agal"];
    let ran = sandbox.run(&[&["compile", "-o", "new", "--to", "wgsl"], &line[..]].concat()).failure(1);
    assert!(ran.err.contains("4 shaders: 1 written, 3 refused (`in/c.frag.agal.in`, "), "{}", ran.err);
    assert_eq!(tree(&sandbox.path("new")).into_keys().collect::<Vec<_>>(), ["a.frag.wgsl"]);
}

#[test]
fn two_programs_that_do_not_fit_together_are_both_named() {
    let sandbox = Sandbox::new();
    write(&sandbox, "in/a.vert.agal", VERTEX);
    write(&sandbox, "in/a.frag.agal", "mov oc, v1\n");
    let both = "error: `in/a.vert.agal` and `in/a.frag.agal` do not fit together";
    let lines = [&["compile", "in", "-o", "out", "--to", "wgsl"][..], &["validate", "in"], &["verify", "in"]];
    for line in lines {
        let ran = sandbox.run(line).failure(1);
        assert!(ran.err.contains("error[AGAL3632]") && ran.err.contains(&format!("{both}\n")), "{line:?}: {}", ran.err);
        assert!(ran.err.contains("1 refused (`in/a.vert.agal` with `in/a.frag.agal`)\n"), "{line:?}: {}", ran.err);
    }
    let ran = sandbox.run(&["compile", "in/a.vert.agal", "in/a.frag.agal", "--to", "wgsl"]).failure(1);
    assert!(ran.err.contains(&format!("{both}; nothing was written\n")), "{}", ran.err);
    // A pair is not reported as incompatible if one of its programs is invalid on its own.
    write(&sandbox, "in/a.frag.agal", "mov oc, ft0\nmov oc, v1\n");
    for line in lines {
        let ran = sandbox.run(line).failure(1);
        assert!(ran.err.contains("error: `in/a.frag.agal` has ") && !ran.err.contains("together"), "{}", ran.err);
    }
}

#[test]
fn a_folder_a_pattern_a_long_list_and_an_option_are_batches_and_two_inputs_are_a_pair() {
    let sandbox = Sandbox::new();
    for (name, text) in [("v.agal", VERTEX), ("f.agal", FRAGMENT), ("in/a.vs.agal", VERTEX), ("in/a.fs.agal", FRAGMENT)]
    {
        write(&sandbox, name, text);
    }
    let made = |line: &[&str]| {
        sandbox.run(&[&["compile", "--to", "wgsl", "-o", "out"], line].concat()).success();
        let is_file = sandbox.path("out").is_file();
        let files: Vec<String> = tree(&sandbox.path("out")).into_keys().collect();
        let _ = std::fs::remove_file(sandbox.path("out")).or_else(|_| std::fs::remove_dir_all(sandbox.path("out")));
        if is_file { "a file".to_string() } else { files.join(" ") }
    };
    assert_eq!(made(&["v.agal", "f.agal"]), "a file");
    assert_eq!(made(&["v.agal"]), "a file");
    assert_eq!(made(&["v.agal", "f.agal", "--batch"]), "f.wgsl v.wgsl");
    assert_eq!(made(&["in/a.vs.agal", "--batch"]), "a.vs.wgsl");
    assert_eq!(made(&["in"]), "a.wgsl");
    assert_eq!(made(&["v.agal", "in/"]), "a.wgsl v.wgsl");
    assert_eq!(made(&["v.agal", "in/a.fs.agal", "in/a.vs.agal"]), "a.wgsl v.wgsl");
    assert_eq!(made(&["?.agal"]), "f.wgsl v.wgsl");
    assert_eq!(made(&["in/*.fs.agal"]), "a.fs.wgsl");
    // A shader that is named twice is compiled once.
    assert_eq!(made(&["in", "./in/a.vs.agal", "in/*"]), "a.wgsl");
    // The name of an existing file is not treated as a pattern.
    write(&sandbox, "[v].agal", VERTEX);
    assert_eq!(made(&["[v].agal"]), "a file");
}

#[test]
fn patterns_match_as_in_a_shell_and_stand_for_a_folder_with_its_shape() {
    let sandbox = Sandbox::new();
    for name in ["a.agal", "b/a.agal", "b/c/a.agal", "b/c/d.agal", "b/.hidden.agal", "b/.d/e.agal", "b/a.txt"] {
        write(&sandbox, &format!("in/{name}"), "mov oc, v0\n");
    }
    write(&sandbox, "in/b/a.names.toml", "");
    let rows = [
        ("in/**/*.agal", "a b/a b/c/a b/c/d"),
        ("in/*.agal", "a"),
        ("in/*/*.agal", "b/a"),
        ("in/b/**/*.agal", "a c/a c/d"),
        ("in/b/{c,x}/[a-c].agal", "c/a"),
        ("in/**/?.txt", "b/a"),
        ("in/b/.*.agal", ".hidden"),
        // A pattern that matches a file of names does not make the file a shader.
        ("in/b/a.[tn]*", "a"),
    ];
    for (pattern, expected) in rows {
        sandbox.run(&["compile", pattern, "-o", "out", "--to", "wgsl"]).success();
        let made = tree(&sandbox.path("out"));
        let made: Vec<&str> = made.keys().filter_map(|name| name.strip_suffix(".wgsl")).collect();
        assert_eq!(made.join(" "), expected, "{pattern}");
        std::fs::remove_dir_all(sandbox.path("out")).expect("the outputs");
    }
    let ran = sandbox.run(&["compile", "in/*.vert", "-o", "out", "--to", "wgsl"]).failure(1);
    assert!(ran.err.contains("no file matches `in/*.vert`"), "{}", ran.err);
    // An error about a pattern without matches takes precedence over an error about missing options.
    for line in
        [&["compile", "in/*.vert", "-o", "x.wgsl"][..], &["compile", "in/*.vert"], &["disassemble", "in/*.vert"]]
    {
        assert_eq!(sandbox.run(line).failure(1).err, "error: no file matches `in/*.vert`\n\n", "{line:?}");
    }
    assert!(sandbox.run(&["compile", "in/*.agal"]).failure(2).err.contains("a batch is written to a folder"));
    let ran = sandbox.run(&["compile", "in/[.vert", "-o", "out", "--to", "wgsl"]).failure(2);
    assert!(ran.err.contains("`in/[.vert` is neither a valid file pattern nor the name of a file"), "{}", ran.err);
}

#[test]
fn outputs_that_would_be_one_file_are_refused_before_anything_is_written() {
    let sandbox = Sandbox::new();
    for name in ["a/x.agal", "b/x.agal", "c/y.agal", "c/y.frag.agal", "d/y.vs.agal", "d/y.vert.agal"] {
        write(&sandbox, name, if name.contains(".v") { VERTEX } else { "mov oc, v0\n" });
    }
    write(&sandbox, "e/z.sdlasm", "");
    sandbox.run(&["compile", "c/y.agal", "-o", "e/z.sdlasm"]).success();
    let before = tree(sandbox.folder.path());
    let rows: [(&[&str], &str); 7] = [
        (&["a", "b", "-o", "out"], "`a/x.agal` and `b/x.agal` would both be written as `x`"),
        (&["c", "-o", "out"], "`c/y.agal` and `c/y.frag.agal` are both the shader `c/y`"),
        (&["d", "-o", "out"], "`d/y.vert.agal` and `d/y.vs.agal` are both the vertex program of `d/y`"),
        (&["e", "-o", "e", "--to", "sdlasm"], "`e/z.sdlasm` is read and would be overwritten"),
        (&["a", "-o", "-"], "a batch is written to a folder"),
        (&["a"], "a batch is written to a folder"),
        (&["a", "-", "-o", "out"], "`-`, standard input, cannot be an input of a batch"),
    ];
    for (line, expected) in rows {
        let to: &[&str] = if line.contains(&"--to") { &[] } else { &["--to", "wgsl"] };
        let ran = sandbox.run(&[&["compile"], line, to].concat()).failure(2);
        assert!(ran.err.contains(expected), "{line:?}: {}", ran.err);
        assert!(tree(sandbox.folder.path()) == before, "{line:?}");
    }
    // `validate` writes no outputs, so two shaders may have the same output name.
    let ran = sandbox.run(&["validate", "a", "b"]).success();
    assert!(ran.err.contains("2 shaders: 2 accepted"), "{}", ran.err);
    let ran = sandbox.run(&["compile", "a", "-o", "a/x.agal", "--to", "wgsl"]).failure(1);
    assert!(ran.err.contains("cannot write `a/x.agal/x.wgsl`: its folder is a file"), "{}", ran.err);
    let ran = sandbox.run(&["compile", "a", "-o", "out"]).failure(2);
    assert!(ran.err.contains("--to wgsl,spirv"), "{}", ran.err);
    let ran = sandbox.run(&["compile", "a/x.agal", "-o", "x.wgsl", "--to", "wgsl,spirv"]).failure(2);
    assert!(ran.err.contains("add --batch"), "{}", ran.err);
    std::fs::create_dir(sandbox.path("empty")).expect("a folder");
    let ran = sandbox.run(&["compile", "empty", "-o", "out", "--to", "wgsl"]).failure(1);
    assert!(ran.err.contains("there are no shaders in `empty`; the names of programs end in .agal"), "{}", ran.err);
    assert!(tree(sandbox.folder.path()) == before);
}

#[test]
fn an_output_that_cannot_be_replaced_refuses_its_shader_alone() {
    let sandbox = Sandbox::new();
    ["a", "b", "c"].iter().for_each(|name| write(&sandbox, &format!("in/{name}.agal"), "mov oc, v0\n"));
    // If one output of a shader cannot be written, the shader's other outputs are removed.
    std::fs::create_dir_all(sandbox.path("out/b.spv")).expect("a folder");
    let ran = sandbox.run(&["compile", "in", "-o", "out", "--to", "wgsl,spirv"]).failure(1);
    assert!(ran.err.contains("cannot write `out/b.spv`: it is a folder"), "{}", ran.err);
    let summary = "3 shaders: 2 written, 1 with an output that cannot be written (`in/b.agal`)\n";
    assert!(ran.err.contains(summary), "{}", ran.err);
    let made: Vec<String> = tree(&sandbox.path("out")).into_keys().collect();
    assert_eq!(made, ["a.spv", "a.wgsl", "c.spv", "c.wgsl"]);
    // The summary counts refused shaders and unwritable outputs separately.
    write(&sandbox, "in/c.agal", "mvo oc, v0\n");
    let line = ["compile", "in", "-o", "out", "--to", "wgsl,spirv"];
    let ran = sandbox.run(&line).failure(1);
    let summary =
        "3 shaders: 1 written, 1 refused (`in/c.agal`), 1 with an output that cannot be written (`in/b.agal`)\n";
    assert!(ran.err.contains(summary), "{}", ran.err);
    let ran = sandbox.run(&[&line[..], &["--fail-fast"]].concat()).failure(1);
    let summary = "3 shaders: 0 written, 1 with an output that cannot be written (`in/b.agal`); --fail-fast stops";
    assert!(ran.err.contains(summary), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_other_files_and_names_in_odd_bytes_are_no_problem_and_broken_links_are_reported() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new();
    for name in ["in/a.agal", "in/sub/b.agal", "in/notes.txt", "in/.git/c.agal", "elsewhere/d.agal"] {
        write(&sandbox, name, "mov oc, v0\n");
    }
    let at = |name: &str| sandbox.path(name);
    symlink("..", at("in/sub/loop")).expect("a link");
    symlink("../elsewhere", at("in/linked")).expect("a link");
    symlink("nowhere", at("in/readme")).expect("a link");
    let odd = at("in").join(OsStr::from_bytes(b"\xff\n.agal"));
    std::fs::write(&odd, "mov oc, v0\n").expect("a file");
    let fifo = std::process::Command::new("mkfifo").arg(at("in/pipe.agal")).status().expect("mkfifo");
    assert!(fifo.success());
    let ran = sandbox.run(&["compile", "in", "-o", "out", "--to", "wgsl"]).success();
    assert!(
        ran.err.contains("note: the link `in/sub/loop` is not followed, because it leads back to `in`"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("4 shaders: 4 written; 1 other file skipped"), "{}", ran.err);
    let made: Vec<PathBuf> = ["a.wgsl", "sub/b.wgsl", "linked/d.wgsl"].iter().map(PathBuf::from).collect();
    made.iter().for_each(|name| assert!(at("out").join(name).is_file(), "{name:?}"));
    assert!(at("out").join(OsStr::from_bytes(b"\xff\n.wgsl")).is_file());
    let ran = sandbox.run(&["verify", "in", "--verbose"]).success();
    assert!(
        ran.err.contains("note: `in/notes.txt` is skipped, because its name does not end in .agal, "),
        "{}",
        ran.err
    );
    // A broken link with the extension of a shader is an input that cannot be read.
    symlink("nowhere", at("in/z.agal")).expect("a link");
    std::fs::remove_dir_all(at("out")).expect("the outputs");
    let ran = sandbox.run(&["compile", "in", "-o", "out", "--to", "wgsl", "--fail-fast"]).failure(1);
    assert!(ran.err.contains("cannot read `in/z.agal`: No such file"), "{}", ran.err);
    assert!(ran.err.contains("1 input cannot be read; nothing was written") && !at("out").exists(), "{}", ran.err);
    let ran = sandbox.run(&["compile", "in", "-o", "out", "--to", "wgsl"]).failure(1);
    assert!(ran.err.contains("4 shaders: 4 written; 1 other file skipped; 1 input cannot be read"), "{}", ran.err);
    assert_eq!(tree(&at("out")).len(), 4);
}

#[test]
fn the_report_of_validate_has_the_programs_of_every_run() {
    let sandbox = Sandbox::new();
    let mut inputs = shaders(&sandbox, 12);
    inputs.push(vec!["in/x/wrong.agal".into()]);
    write(&sandbox, "in/x/wrong.agal", "mvo oc, v0\n");
    // `validate` skips modules, because modules are not AGAL programs.
    sandbox.run(&["compile", "in/000/0000_additive_sprite.frag.agal", "-o", "in/x/m.sdlbc"]).success();
    let ran = sandbox.run(&["validate", "in", "--json", "-j", "3"]).failure(1);
    assert_eq!(ran.err, "");
    let all: serde_json::Value = serde_json::from_slice(&ran.out).expect("JSON");
    let summary = all["summary"].to_string();
    let expected = "13 shaders: 12 accepted, 1 refused (`in/x/wrong.agal`); 1 other file skipped";
    assert!(summary.contains(expected), "{summary}");
    let mut single = Vec::new();
    for inputs in &inputs {
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        let alone = sandbox.run(&[&["validate", "--json"], &inputs[..]].concat());
        let alone: serde_json::Value = serde_json::from_slice(&alone.out).expect("JSON");
        single.extend(alone["programs"].as_array().expect("programs").iter().cloned());
    }
    assert_eq!(all["programs"], serde_json::Value::from(single));
    let ran = sandbox.run(&["verify", "in", "-j", "2"]).failure(1);
    assert!(ran.err.contains("14 shaders: 13 accepted, 1 refused") && ran.out.is_empty(), "{}", ran.err);
    // The report contains the programs of readable files, and omits files that cannot be read.
    let ran = sandbox.run(&["validate", "no.agal", "in/x/wrong.agal", "in/x/no.agal", "--json"]).failure(1);
    let all: serde_json::Value = serde_json::from_slice(&ran.out).expect("JSON");
    assert_eq!(all["programs"].as_array().map(Vec::len), Some(1), "{all}");
}

#[cfg(feature = "es2")]
#[test]
fn disassembled_programs_lie_in_a_folder_of_the_same_shape() {
    let sandbox = Sandbox::new();
    for (name, text) in [("a.vert", VERTEX), ("a.frag", FRAGMENT), ("b/c", FRAGMENT)] {
        write(&sandbox, &format!("in/{name}.agalbc"), assembled(text));
    }
    write(&sandbox, "d.es2", std::fs::read(testdata("es2/transform.es2")).expect("a file"));
    sandbox.run(&["assemble", "d.es2", "-o", "in/b/d.es2bc"]).success();
    sandbox.run(&["disassemble", "in", "-o", "out"]).success();
    let made = tree(&sandbox.path("out"));
    assert_eq!(made.keys().collect::<Vec<_>>(), ["a.frag.agal", "a.vert.agal", "b/c.agal", "b/d.es2"]);
    for (name, text) in made {
        let input = format!("in/{name}bc");
        let alone = sandbox.run(&["disassemble", &input]).success();
        assert!(alone.out == text, "{name}");
    }
    let ran = sandbox.run(&["disassemble", "in"]).failure(2);
    assert!(ran.err.contains("a batch is written to a folder"), "{}", ran.err);
}

#[test]
fn arguments_can_be_in_files_which_may_name_others() {
    let sandbox = Sandbox::new();
    write(&sandbox, "my shaders/a.vert.agal", VERTEX);
    write(&sandbox, "my shaders/a.frag.agal", FRAGMENT);
    sandbox.write("all.txt", "compile @inputs.txt\n-o 'x.wgsl'\n--entry\nmain_'of it'\n");
    sandbox.write("inputs.txt", "\"my shaders/a.vert.agal\"\nmy\\ shaders/a.frag.agal\r\n");
    let ran = sandbox.run(&["@all.txt"]).failure(1);
    assert!(ran.err.contains("main_of it"), "the argument is one: {}", ran.err);
    sandbox.run(&["compile", "@inputs.txt", "-o", "x.wgsl"]).success();
    sandbox.run(&["compile", "my shaders/a.vert.agal", "my shaders/a.frag.agal", "-o", "y.wgsl"]).success();
    assert_eq!(sandbox.read("x.wgsl"), sandbox.read("y.wgsl"));
    // No output may replace a file of arguments.
    for name in ["inputs.txt", "nested.txt"] {
        let before = sandbox.read("inputs.txt");
        sandbox.write("nested.txt", "@inputs.txt --to wgsl");
        let ran = sandbox.run(&["compile", "@nested.txt", "-o", name]).failure(2);
        assert!(ran.err.contains(&format!("`{name}` is read and would be overwritten")), "{}", ran.err);
        assert_eq!(sandbox.read("inputs.txt"), before);
    }
    sandbox.write("@odd.agal", "mov oc, v0\n");
    sandbox.run(&["compile", "./@odd.agal", "-o", "z.wgsl"]).success();
    sandbox.write("circle", "@circle");
    sandbox.write("open", "'a");
    for (argument, expected) in [
        ("@odd.agal", "write an input whose name begins with `@` as `./@odd.agal`"),
        ("@circle", "the file of arguments `@circle` names itself"),
        ("@open", "a quote is not closed"),
        ("@my shaders", "cannot read the file of arguments `my shaders`"),
    ] {
        let ran = sandbox.run(&["compile", argument, "-o", "n.wgsl"]).failure(2);
        assert!(ran.err.contains(expected), "{argument}: {}", ran.err);
    }
}

#[test]
fn the_messages_of_a_batch_are_one_document_in_which_each_names_its_shader() {
    let sandbox = Sandbox::new();
    write(&sandbox, "in/a.agal", "alias fc0, TINT(1, 0.5, 0.25, 1);\noc = v0 * TINT;\n");
    write(&sandbox, "in/b.agal", "mvo oc, v0\n");
    write(&sandbox, "in/c.agal", "mov oc, ft0\n");
    let line = ["compile", "in", "-o", "out", "--to", "wgsl", "-j", "3", "--format", "json"];
    let ran = sandbox.run(&line).failure(1);
    let document: serde_json::Value = serde_json::from_str(&ran.err).expect("JSON");
    let of = |field: &str| {
        let all = document["diagnostics"].as_array().expect("a list").iter();
        all.map(|one| one[field].as_str().unwrap_or_default().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(of("severity"), ["note", "error", "error"], "{document:#}");
    assert_eq!(of("file"), ["in/a.agal", "in/b.agal", "in/c.agal"]);
    let summary = document["summary"].as_array().expect("a list").last().expect("a summary").clone();
    assert_eq!(summary, "3 shaders: 1 written, 2 refused (`in/b.agal`, `in/c.agal`)");
    let size = sandbox.read("out/a.wgsl").len();
    let outputs = serde_json::json!([{ "file": "out/a.wgsl", "what": "WGSL", "bytes": size }]);
    assert_eq!(document["outputs"], outputs);
    // The file for messages must not be an input or another output.
    let wrong = sandbox.read("in/b.agal");
    std::fs::remove_dir_all(sandbox.path("out")).expect("the outputs");
    for (file, expected) in [("in/b.agal", "`in/b.agal` is read and would be overwritten"), ("out/a.wgsl", "twice")] {
        let ran = sandbox.run(&["compile", "in", "-o", "out", "--to", "wgsl", "--diagnostics", file]);
        assert!(ran.code > 0 && ran.err.contains(expected), "{file}: {}", ran.err);
        assert!(sandbox.read("in/b.agal") == wrong && !sandbox.path("out/b.wgsl").exists(), "{file}");
    }
    let ran = sandbox.run(&["compile", "in/a.agal", "--batch", "-o", "out", "--to", "wgsl", "--quiet"]).success();
    assert_eq!(ran.err, "");
}

/// docs/batches.md shows the actual output of its commands.
#[test]
fn the_page_says_what_its_commands_print() {
    let page = std::fs::read_to_string(repository().join("docs/batches.md")).expect("the page");
    let section =
        page.split("## Many shaders at once\n").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("it");
    let commands = section.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).expect("commands");
    let out = tempfile::tempdir().expect("a folder");
    assert_eq!(commands.lines().count(), 2);
    for line in commands.lines() {
        let words = line.split(' ').skip(1).map(|word| match word {
            "target/pairs" => out.path().to_string_lossy().into_owned(),
            word => word.trim_matches('\'').to_string(),
        });
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_agalc"));
        let ran = command.args(words).current_dir(repository()).output().expect("agalc");
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        let summary = said.lines().last().expect("a summary");
        assert!(ran.status.success() && section.contains(&format!("`{summary}`")), "{line}: {said}");
    }
    assert_eq!(tree(out.path()).len(), 210);
}

#[cfg(unix)]
#[test]
fn an_interrupted_batch_leaves_no_file_and_no_folder() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    let sandbox = Sandbox::new();
    let comment = format!("// {}\n", "x".repeat(1000)).repeat(500);
    for index in 0..100 {
        write(&sandbox, &format!("in/{}/{index}.agal", index % 5), format!("{comment}mov oc, v{}\n", index % 8));
    }
    let before = tree(sandbox.folder.path());
    let mut ended = 0;
    for run in 0..4 {
        let line = ["compile", "in", "-o", "new/out", "--to", "sdlbc", "--debug", "full", "-j", "2"];
        let mut command = sandbox.command(&line);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("agalc runs");
        let begun = Instant::now();
        while !sandbox.path("new").exists() && child.try_wait().expect("a child").is_none() {
            assert!(begun.elapsed() < Duration::from_secs(60), "nothing is written");
            std::thread::sleep(Duration::from_micros(500));
        }
        std::thread::sleep(Duration::from_millis(10 * run));
        let sent = std::process::Command::new("sh").args(["-c", &format!("kill -TERM {}", child.id())]).status();
        assert!(sent.is_ok());
        if child.wait().expect("it ends").success() {
            std::fs::remove_dir_all(sandbox.path("new")).expect("the outputs");
            continue;
        }
        ended += 1;
        assert!(tree(sandbox.folder.path()) == before && !sandbox.path("new").exists(), "run {run} leaves files");
    }
    assert!(ended > 0, "the signal came too late in all runs");
}

#[test]
fn further_warnings_of_one_number_are_counted_unless_all_are_asked_for() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("in")).expect("a folder");
    for at in 0..8 {
        sandbox.write(&format!("in/{at}.frag.agal"), "mov ft0, v0\nmov oc, v0\n");
    }
    let ran = sandbox.run(&["validate", "in"]).success();
    let all = sandbox.run(&["validate", "in", "--verbose"]).success();
    let count = |err: &str| err.matches("warning[").count();
    assert_eq!((count(&ran.err), count(&all.err)), (5, 8), "{}", ran.err);
    let code = ran.err.split("warning[").nth(1).and_then(|rest| rest.split(']').next()).expect("a number");
    let note = format!("note: further warnings are not shown: 3 of {code}; `--verbose` shows all\n");
    assert!(ran.err.contains(&note) && ran.err.contains("8 shaders: 8 accepted; 8 warnings"), "{}", ran.err);
    assert!(!all.err.contains("not shown"), "{}", all.err);
    // A document of messages contains all findings, but the text output omits repeated warnings.
    let document = sandbox.run(&["validate", "in", "--diagnostics", "m.json"]).success();
    let messages: serde_json::Value = serde_json::from_slice(&sandbox.read("m.json")).expect("JSON");
    let warnings =
        messages["diagnostics"].as_array().expect("messages").iter().filter(|of| of["severity"] == "warning");
    assert_eq!((warnings.count(), count(&document.err)), (8, 5));
}

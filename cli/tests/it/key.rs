//! Checks that the keys printed by `--print-key` differ whenever the outputs may differ, and are equal otherwise.

use std::collections::BTreeSet;

use testing::Effort;

use crate::batch::{shaders, tree};
use crate::support::sandbox::{FRAGMENT, Sandbox, VERTEX, pair};

/// The effect of adding an option to a command line.
#[derive(Clone, Copy, Debug, PartialEq)]
enum To {
    /// Both the key and the outputs differ.
    Differs,
    /// The key and the outputs are equal.
    Same,
    /// The key differs although the outputs are equal. Only a translation would show that the option has no effect.
    May,
}

use To::{Differs, May, Same};

/// Base command lines, the options added to them, and the effects of the options. Spaces separate the arguments.
const ROWS: &[(&str, &str, To)] = &[
    // The key depends on neither the paths nor the number of outputs.
    ("a.vert.agal a.frag.agal -o x.wgsl", "--to wgsl", Same),
    ("a.vert.agal a.frag.agal -o x.wgsl", "--output y.wgsl", Same),
    ("a.vert.agal a.frag.agal -o x.wgsl", "-o x.spv", Differs),
    ("a.vert.agal a.frag.agal -o x.spv", "--to wgsl", Differs),
    // The name of a GLSL file selects a stage.
    ("a.vert.agal a.frag.agal -o x.vert.glsl", "-o x.frag.glsl", Differs),
    ("a.vert.agal -o x.wgsl", "-o x.vert.wgsl", Same),
    ("parts.agal --to wgsl", "--stage vertex", Differs),
    ("a.frag.agal --to wgsl", "--agal-version 1 --allow 3621", May),
    ("newer.agal --to wgsl", "--agal-version 1", Differs),
    ("entries.wgsl --to wgsl", "--entry-point v", Differs),
    ("entries.wgsl --to wgsl --entry-point v --entry-point f", "--entry-point v", Same),
    ("override.wgsl --to wgsl", "--override gain=2", Differs),
    ("override.wgsl --to wgsl --override gain=2", "--override gain=2.0", Same),
    ("override.wgsl --to wgsl --override gain=2 --override 3=4", "--override gain=2", Same),
    ("a.vert.agal --to wgsl", "--texel-format out=r32float", May),
    ("a.vert.agal --to wgsl --texel-format out=r32float", "--texel-format out=r32sint", Same),
    ("loose.vert --to wgsl", "--glsl-version 310es", Differs),
    ("loose.vert --to wgsl", "--source-convention vulkan", Differs),
    ("macros.agal --to wgsl", "--language mini", Differs),
    ("macros.agal --to wgsl", "--define BRIGHT", Differs),
    ("macros.agal --to wgsl -D BRIGHT=1 -D OTHER", "-D BRIGHT", Same),
    ("macros.agal --to wgsl -D BRIGHT=1", "-D BRIGHT=2", May),
    ("twice.agal --to wgsl", "--compat player", Differs),
    ("newer.agal --to wgsl", "--profile baseline", Differs),
    ("unwritten.agal --to wgsl", "--allow 3647", Differs),
    ("unwritten.agal --to wgsl --allow 3647,3647", "--allow AGAL3647", Same),
    ("twice.agal --to wgsl", "--warnings error", Differs),
    ("twice.agal --to wgsl", "-W allow", Same),
    ("ted.agal --to wgsl", "--allow-ted", Differs),
    ("ifg.agal --to wgsl", "--ifg strict", Differs),
    ("ifg.agal --to wgsl", "--ifg greater-equal", Same),
    ("index.agal --to wgsl", "--index trunc", Differs),
    ("index.agal --to wgsl", "--signed-offsets", Differs),
    ("stripped.sdlbc -o x.sdlasm", "--debug-table table.sdlbc", Differs),
    ("a.vert.agal --to wgsl", "--debug-table table.sdlbc", Same),
    ("a.frag.agal --to wgsl", "--name fc0=tint", Differs),
    ("a.frag.agal --to wgsl", "--names given.toml", Differs),
    ("a.frag.agal --to wgsl --names given.toml", "--names copy.toml", Same),
    ("commented.agal --to wgsl", "--no-source-names", Differs),
    ("macros.agal --to wgsl", "--inline-constants", Differs),
    ("a.vert.agal a.frag.agal -o x.glsl", "--glsl 330", Differs),
    ("a.vert.agal a.frag.agal -o x.glsl", "--glsl 450", Same),
    ("a.vert.agal a.frag.agal --to wgsl", "--glsl 330", Same),
    ("a.vert.agal a.frag.agal -o x.hlsl", "--shader-model 5.0", Differs),
    ("a.vert.agal a.frag.agal -o x.hlsl", "--shader-model 5.1", Same),
    ("a.vert.agal a.frag.agal --to wgsl", "--shader-model 5.0", Same),
    ("a.vert.agal a.frag.agal -o x.metal", "--msl-version 1.2", May),
    ("a.vert.agal a.frag.agal --to wgsl", "--msl-version 1.2", Same),
    ("gap.vert.agal gap.frag.agal --to wgsl", "--prune-varyings", Differs),
    ("gap.vert.agal gap.frag.agal --to wgsl", "--pack-varyings", Differs),
    ("a.vert.agal a.frag.agal -o x.wgsl", "--reflect x.json", Differs),
    // A reflection contains the names of the inputs and the outputs, but not the name of the reflection file.
    ("a.vert.agal -o x.wgsl --reflect x.json", "INPUTS copy.vert.agal", Differs),
    ("a.vert.agal -o x.wgsl", "INPUTS copy.vert.agal", Same),
    ("a.vert.agal a.frag.agal -o x.spv", "INPUTS a.frag.agal a.vert.agal", Same),
    ("a.vert.agal a.frag.agal --debug full -o x.sdlbc", "INPUTS a.frag.agal a.vert.agal", Differs),
    ("a.vert.agal a.frag.agal -o x.wgsl --reflect x.json", "INPUTS a.frag.agal a.vert.agal", Same),
    ("a.vert.agal a.frag.agal -o x.wgsl", "INPUTS a.vert.agal", Differs),
    ("a.vert.agal -o x.wgsl --reflect x.json", "-o y.wgsl", Differs),
    ("a.vert.agal -o x.wgsl --reflect x.json", "--reflect y.json", Same),
    ("a.vert.agal -o x.wgsl --reflect x.json", "--reflect-format shadercross", Differs),
    ("a.vert.agal -o x.sdlbc", "--debug none", Differs),
    ("a.vert.agal -o x.sdlbc", "--debug lines", Differs),
    ("a.vert.agal -o x.sdlbc", "--debug names", Same),
    ("a.vert.agal --to wgsl", "--debug full", Same),
    ("commented.agal --to wgsl", "--debug none", Differs),
    ("a.vert.agal -o x.sdlbc", "--dialect header", Differs),
    ("a.vert.agal -o x.sdlasm", "--dialect header", Same),
    ("ifg.agal --to wgsl", "-O 0", Differs),
    ("ifg.agal --to wgsl", "-O 2", Same),
    // A module that is only converted between its binary form and its text form stays unchanged, unless an optimisation level is
    // given.
    ("unfolded.sdlasm -o x.sdlbc", "-O 2", Differs),
    ("unfolded.sdlasm --to wgsl", "-O 2", Same),
    ("zero.agal --to wgsl", "--fast-math", Differs),
    ("zero.agal --to wgsl --fast-math", "--assume fuse", Differs),
    ("zero.agal --to wgsl --fast-math", "--assume fuse,finite,no-signed-zero", Same),
    ("ifg.agal --to wgsl", "--print-after all", Same),
    ("ifg.agal --to wgsl", "--time-passes", Same),
    ("a.vert.agal a.frag.agal --to wgsl", "--layout wgpu", Differs),
    ("a.vert.agal a.frag.agal --to wgsl", "--layout stage3d", Same),
    ("a.vert.agal --to sdlbc", "--layout wgpu", Same),
    ("a.vert.agal a.frag.agal --to wgsl", "--group 1", Differs),
    ("a.vert.agal a.frag.agal --to wgsl", "--group 0", Same),
    ("a.vert.agal a.frag.agal --to wgsl", "--binding-base 4", Differs),
    ("a.vert.agal --to wgsl", "--entry begin", Differs),
    ("a.frag.agal -o x.spv", "--samplers combined", Differs),
    ("second.agal --to wgsl", "--numbering dense", Differs),
    ("a.frag.agal --to wgsl", "--constants push", Differs),
    ("a.frag.agal --to wgsl", "--constant-length file", Differs),
    ("a.vert.agal a.frag.agal -o x.wgsl", "--modules apart", Differs),
    ("a.frag.agal -o x.spv", "--spirv-version 1.0", Differs),
    ("a.frag.agal --to wgsl", "--spirv-version 1.0", Same),
    ("a.frag.agal --glsl 300es --to glsl", "--precision mediump", Differs),
    ("a.frag.agal --to glsl", "--precision mediump", Same),
    ("index.agal --to wgsl", "--trust-indices", Differs),
    ("a.vert.agal --to sdlbc", "--trust-indices", Same),
    ("a.vert.agal --to wgsl", "--depth neg-one-to-one", Differs),
    ("a.vert.agal --to wgsl", "--flip-y always", Differs),
    // The following options affect how the command runs, but not the contents of the outputs.
    ("a.vert.agal --to wgsl", "--jobs 3", Same),
    ("a.vert.agal --to wgsl", "--fail-fast", Same),
    ("a.vert.agal --to wgsl", "--keep-going", Same),
    ("a.vert.agal --to wgsl", "--stdin-name some.agal", Same),
    ("a.vert.agal -o x.wgsl", "--quiet", Same),
    ("a.vert.agal -o x.wgsl", "--verbose", Same),
    ("a.vert.agal -o x.wgsl", "--color never", Same),
    ("a.vert.agal -o x.wgsl", "--format sarif", Same),
    ("a.vert.agal -o x.wgsl", "--json", Same),
    ("a.vert.agal -o x.wgsl", "--write-depfile", Same),
    ("a.vert.agal -o x.wgsl", "--depfile other.d", Same),
    ("a.vert.agal -o x.wgsl --depfile other.d", "--depfile-target all", Same),
    ("a.vert.agal -o x.wgsl --depfile other.d", "--depfile-phony", Same),
];

/// The options without a row, which do not affect the outputs of a single shader.
const WITHOUT: [&str; 5] = ["--batch", "--diagnostics", "--help", "--print-key", "--version"];

fn inputs() -> Sandbox {
    let sandbox = pair();
    for (name, text) in [
        (
            "parts.agal",
            "part a vertex 1\nm44 op, va0, vc0\nmov v0, va1\nendpart\npart a fragment 1\nmov oc, v0\nendpart\n",
        ),
        (
            "entries.wgsl",
            "@vertex fn v() -> @builtin(position) vec4<f32> { return vec4(1.0); }\n\
             @fragment fn f() -> @location(0) vec4<f32> { return vec4(0.5); }\n",
        ),
        (
            "override.wgsl",
            "override gain = 1.0; @id(3) override other = 1;\n\
             @fragment fn f() -> @location(0) vec4<f32> { return vec4(gain, f32(other), 0.0, 0.0); }\n",
        ),
        ("loose.vert", "#version 300 es\nin vec4 place;\nvoid main() { gl_Position = place; }\n"),
        ("newer.agal", "ddx ft0, v0\nmov oc, ft0\n"),
        (
            "macros.agal",
            "alias fc0, TINT(1, 0.5, 0.25, 1);\n#if BRIGHT > 0\nft0 = v0 + TINT;\n#else\nft0 = v0 * TINT;\n#endif\noc = ft0;\n",
        ),
        ("twice.agal", "mov oc.xy, v0\nmov oc, v0\n"),
        ("unwritten.agal", "mov oc, ft0\n"),
        ("ted.agal", "ted ft0, v0, fs0 <2d,linear,miplinear>\nmov oc, ft0\n"),
        ("ifg.agal", "mov ft0, v0\nifg v0.x, fc0.x\nmul ft0, ft0, fc1\neif\nmov oc, ft0\n"),
        ("index.agal", "mov vt0, vc[va0.x+200]\nmov op, vt0\n"),
        ("copy.vert.agal", VERTEX),
        ("given.toml", "fc0 = \"tint\"\n"),
        ("copy.toml", "fc0 = \"tint\"\n"),
        ("commented.agal", "// fc0 = tint\nmul oc, v0, fc0\n"),
        ("gap.vert.agal", "m44 op, va0, vc0\nmov v1, va1\nmov v3, va2\n"),
        ("gap.frag.agal", "mov oc, v3\n"),
        ("zero.agal", "sub ft0, v0, v0\nmul ft1, ft0, fc0\nadd oc, ft1, v1\n"),
        ("second.agal", "tex oc, v0, fs1 <2d,linear>\n"),
    ] {
        sandbox.write(name, text);
    }
    sandbox.run(&["compile", "a.vert.agal", "--debug", "lines", "-o", "whole.sdlbc"]).success();
    sandbox.run(&["strip", "whole.sdlbc", "-o", "stripped.sdlbc", "--debug-table", "table.sdlbc"]).success();
    sandbox.run(&["compile", "ifg.agal", "-O", "0", "-o", "unfolded.sdlasm"]).success();
    sandbox
}

fn key(sandbox: &Sandbox, line: &str) -> String {
    let line: Vec<&str> = ["compile", "--print-key"].into_iter().chain(line.split(' ')).collect();
    let before = tree(sandbox.folder.path());
    let ran = sandbox.run(&line).success();
    assert!(tree(sandbox.folder.path()) == before, "{line:?} writes something");
    let key = ran.text().strip_suffix('\n').expect("a line").to_string();
    assert!(key.len() == 64 && key.bytes().all(|byte| byte.is_ascii_hexdigit()), "{key}");
    key
}

/// Returns the outputs of a run, as bytes without their names.
fn made(sandbox: &Sandbox, line: &str) -> BTreeSet<Vec<u8>> {
    let before = tree(sandbox.folder.path());
    let ran = sandbox.run(&["compile"].into_iter().chain(line.split(' ')).collect::<Vec<_>>());
    let mut made = BTreeSet::from([ran.out]);
    for (name, bytes) in tree(sandbox.folder.path()) {
        if !before.contains_key(&name) {
            std::fs::remove_file(sandbox.path(&name)).expect("an output");
            // Depfiles contain file names, on which the key does not depend.
            made.extend((!name.ends_with(".d")).then_some(bytes));
        }
    }
    made.remove(&Vec::new());
    made
}

/// Adds options to a command line. An option that may be given only once replaces its earlier value. The arguments after `INPUTS`
/// replace the inputs.
fn with(base: &str, more: &str) -> String {
    if let Some(inputs) = more.strip_prefix("INPUTS ") {
        let options = base.split_once(" -").map_or("", |(_, options)| options);
        return format!("{inputs} -{options}");
    }
    let once = ["--to", "--names", "--reflect", "-O"];
    let words: Vec<&str> = base.split(' ').collect();
    let option = more.split(' ').next().unwrap_or_default();
    match words.iter().position(|word| *word == option && once.contains(word)) {
        Some(at) => [&words[..at], &words[at + 2..]].concat().join(" ") + " " + more,
        None => format!("{base} {more}"),
    }
}

#[test]
fn the_key_differs_where_outputs_do_and_nowhere_else() {
    let sandbox = inputs();
    let mut wrong = Vec::new();
    for (base, more, to) in Effort::part_of("ROWS", ROWS) {
        let line = with(base, more);
        let is_same_key = key(&sandbox, base) == key(&sandbox, &line);
        let is_same_output = made(&sandbox, base) == made(&sandbox, &line);
        let expected = match to {
            Differs => (false, false),
            Same => (true, true),
            May => (false, true),
        };
        // Outputs are compared by their bytes and not by their names, because some rows write the same bytes to further files.
        if (is_same_key, is_same_output) != expected {
            wrong.push(format!(
                "{base} | {more}: same key {is_same_key}, same outputs {is_same_output}, expected {to:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_option_of_compile_has_a_row_in_the_table_of_keys() {
    let sandbox = Sandbox::new();
    let help = sandbox.run(&["compile", "--help"]).success().into_text();
    let options = help.lines().filter_map(|line| {
        let line = line.trim_start();
        let line = line.strip_prefix('-').map(|_| line)?;
        // The help lists an option as `-o, --output <OUT>` or `-O <LEVEL>`, and a value as `- finite: ...`.
        let words = line.split([' ', ',']).filter(|word| word.starts_with('-') && word.len() > 1);
        words.take(2).max_by_key(|word| word.len()).filter(|word| word.len() == 2 || word.starts_with("--"))
    });
    let options: BTreeSet<&str> = options.filter(|option| !WITHOUT.contains(option)).collect();
    assert!(options.len() > 45, "{options:?}");
    let words: BTreeSet<&str> = ROWS.iter().flat_map(|(_, more, _)| more.split(' ')).collect();
    let missing: Vec<_> = options.difference(&words).collect();
    assert!(missing.is_empty(), "add what they do to the keys of outputs to ROWS: {missing:?}");
}

#[test]
fn the_key_depends_on_the_bytes_of_every_file_and_not_on_names_folders_the_environment_or_the_clock() {
    let sandbox = pair();
    let line = "a.vert.agal a.frag.agal -o x.wgsl";
    let first = key(&sandbox, line);
    // The key does not depend on the folder, the file names, the environment or the time.
    let other = Sandbox::new();
    other.write("v", VERTEX);
    other.write("f", FRAGMENT);
    let mut command = other.command(&["compile", "v", "f", "--to", "wgsl", "--print-key"]);
    let ran = command.env_clear().env("LANG", "tr_TR.UTF-8").output().expect("agalc");
    assert_eq!(String::from_utf8_lossy(&ran.stdout).trim_end(), first);
    // A debug table with line numbers also contains the names of the input files.
    assert_ne!(key(&sandbox, "a.vert.agal --debug lines -o x.sdlbc"), key(&other, "v --debug lines -o x.sdlbc"));
    assert_eq!(key(&sandbox, "a.vert.agal --debug names -o x.sdlbc"), key(&other, "v --debug names -o x.sdlbc"));
    // The key depends on every file that is read, including a file of names in the folder of the inputs.
    let mut keys = vec![first.clone()];
    sandbox.write("a.names.toml", "fc0 = \"tint\"\n");
    keys.push(key(&sandbox, line));
    sandbox.write("a.names.toml", "fc0 = \"shade\"\n");
    keys.push(key(&sandbox, line));
    std::fs::remove_file(sandbox.path("a.names.toml")).expect("a file");
    assert_eq!(key(&sandbox, line), first);
    sandbox.write("a.frag.agal", format!("{FRAGMENT} "));
    keys.push(key(&sandbox, line));
    sandbox.write("a.vert.agal", format!("{VERTEX} "));
    keys.push(key(&sandbox, line));
    let count = keys.len();
    assert_eq!(keys.into_iter().collect::<BTreeSet<_>>().len(), count);
    // The key is computed without translating, so even a program with errors has a key.
    sandbox.write("wrong.agal", "mvo oc, v0\n");
    key(&sandbox, "wrong.agal -o x.wgsl");
    let ran = sandbox.run(&["compile", "none.agal", "-o", "x.wgsl", "--print-key"]).failure(1);
    assert!(ran.err.contains("cannot read `none.agal`") && ran.out.is_empty(), "{}", ran.err);
}

#[test]
fn the_keys_of_a_batch_are_those_of_its_shaders_in_their_order() {
    let sandbox = Sandbox::new();
    let inputs = shaders(&sandbox, 30);
    let line = ["compile", "in", "--to", "wgsl,spirv", "--print-key"];
    let one = sandbox.run(&[&line[..], &["-j", "1"]].concat()).success();
    let several = sandbox.run(&[&line[..], &["-j", "4", "-o", "out"]].concat()).success();
    assert_eq!(one.text(), several.text());
    assert_eq!((one.err.as_str(), several.err.as_str()), ("", ""), "nothing but keys");
    let lines: Vec<&str> = one.text().lines().collect();
    assert_eq!(lines.len(), inputs.len());
    for (line, inputs) in lines.iter().zip(inputs) {
        let inputs = inputs.join(" ");
        assert_eq!(*line, format!("{}  {inputs}", key(&sandbox, &format!("{inputs} -o x.spv -o x.wgsl"))));
    }
    assert!(!sandbox.path("out").exists());
}

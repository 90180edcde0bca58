//! Tests `extract` with generated SWF files, folders, edited outputs, fills and traces, and checks the manifest against its
//! schema.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;

use agal_front::assemble::assemble;
use agalc_scene::Picture;
use serde_json::Value;
use swf::{Compression, DefineBinaryData, Header, Tag};

use crate::support::game::game as code;
use crate::support::sandbox::Sandbox;
use crate::support::schema::violations;
use crate::support::{repository, updates};

const VERTEX: &str = "m44 op, va0, vc0\nmov v0, va1\n";
const FRAGMENT: &str = "tex ft0, v0, fs0 <2d,linear>\nmov oc, ft0\n";

fn bytecode(text: &str) -> Vec<u8> {
    assemble(text, &Default::default()).expect("a program").program.encode()
}

fn swf(compression: Compression, data: &[&[u8]]) -> Vec<u8> {
    let tags = data.iter().zip(1..).map(|(data, id)| Tag::DefineBinaryData(DefineBinaryData { id, data }));
    let header = Header { compression, ..Header::default_with_swf_version(14) };
    let mut file = Vec::new();
    swf::write_swf(&header, &tags.collect::<Vec<_>>(), &mut file).expect("a SWF file");
    file
}

fn game() -> Vec<u8> {
    swf(Compression::Zlib, &[&bytecode(VERTEX), &bytecode(FRAGMENT)])
}

/// Returns the contents of the files in a folder and its subfolders, keyed by relative path.
fn folder(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(path).expect("the folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            files.extend(folder(&entry.path()).into_iter().map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
        } else {
            files.insert(name, std::fs::read(entry.path()).expect("a file"));
        }
    }
    files
}

/// Returns a folder's manifest, which must follow its schema.
#[track_caller]
fn manifest(sandbox: &Sandbox, folder: &str) -> Value {
    let schema = std::fs::read_to_string(repository().join("docs/extract.schema.json")).expect("the schema");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let manifest: Value = serde_json::from_slice(&sandbox.read(&format!("{folder}/manifest.json"))).expect("JSON");
    assert_eq!(violations(&schema, &manifest), Vec::<String>::new(), "{manifest:#}");
    manifest
}

#[test]
fn programs_in_data_of_swf_files_of_every_compression_are_written_with_a_manifest() {
    let (vertex, fragment) = (bytecode(VERTEX), bytecode(FRAGMENT));
    for compression in [Compression::None, Compression::Zlib, Compression::Lzma] {
        let sandbox = Sandbox::new();
        // A program that occurs twice is extracted once.
        sandbox.write("game.swf", swf(compression, &[&vertex, &fragment, &vertex]));
        let ran = sandbox.run(&["extract", "game.swf", "-o", "a/shaders"]).success();
        assert!(ran.text().contains("2 programs: 2 as bytecode; 0 pairs\n"), "{}", ran.text());
        let files = folder(&sandbox.path("a/shaders"));
        let written: Vec<&Vec<u8>> =
            files.iter().filter(|(name, _)| name.ends_with(".agalbc")).map(|(_, bytes)| bytes).collect();
        assert!(written.contains(&&vertex) && written.contains(&&fragment) && written.len() == 2, "{files:?}");
        let manifest = manifest(&sandbox, "a/shaders");
        assert_eq!(manifest["counts"]["bytecode"], 2);
        assert_eq!(manifest["inputs"][0]["name"], "game.swf");
        for program in manifest["programs"].as_array().expect("programs") {
            let bytes = &files[program["file"].as_str().expect("a name")];
            assert_eq!(program["hash"], agal_extract::hash_of(bytes));
            assert_eq!(program["stage"], if *bytes == vertex { "vertex" } else { "fragment" });
        }
    }
}

#[test]
fn what_is_written_does_not_depend_on_where_the_files_are() {
    let made = |from: &str| {
        let sandbox = Sandbox::new();
        std::fs::create_dir_all(sandbox.path(from)).expect("a folder");
        sandbox.write(&format!("{from}/game.swf"), game());
        let absolute = sandbox.path(from).join("game.swf").display().to_string();
        sandbox.run(&["extract", &absolute, "-o", "out"]).success();
        folder(&sandbox.path("out"))
    };
    assert_eq!(made("x"), made("y/z"));
}

#[test]
fn folders_are_searched_for_files_that_may_have_agal() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.path("app/lib/.git")).expect("folders");
    sandbox.write("app/b.SWF", swf(Compression::None, &[&bytecode(VERTEX)]));
    sandbox.write("app/lib/a.swf", swf(Compression::None, &[&bytecode(FRAGMENT)]));
    sandbox.write("app/lib/.git/c.swf", swf(Compression::None, &[&bytecode("mov oc, v0")]));
    sandbox.write("app/readme.txt", "mov oc, v0");
    let ran = sandbox.run(&["extract", "app", "-o", "out"]).success();
    assert!(ran.text().contains("1 other file skipped\n2 programs: "), "{}", ran.text());
    let ran = sandbox.run(&["extract", "app", "-o", "out", "-v"]).success();
    let skipped = "`app/readme.txt` is skipped, because its name does not end in .swf, .swc, .abc, .air, .ane, .swz, \
                   .exe, .apk, .ipa, .zip, .tar, .tgz, .gz, .as, .hx or .mxml";
    assert!(ran.err.contains(skipped) && ran.err.contains("read `app/b.SWF` (a SWF file, "), "{}", ran.err);
    let manifest = manifest(&sandbox, "out");
    let names: Vec<&Value> =
        manifest["inputs"].as_array().expect("inputs").iter().map(|input| &input["name"]).collect();
    assert_eq!(names, ["b.SWF", "lib/a.swf"]);
    // All files that match a pattern are searched, whatever their extensions.
    sandbox.write("app/lib/d.bin", bytecode("mov oc, v1"));
    sandbox.run(&["extract", "app/**/*.bin", "app/lib/*.swf", "-o", "some"]).success();
    assert_eq!(self::manifest(&sandbox, "some")["counts"]["programs"], 2);
    assert!(sandbox.run(&["extract", "app/*.nothing", "-o", "none"]).failure(1).err.contains("no file matches"));
}

#[test]
fn a_run_replaces_what_an_earlier_one_wrote_and_nothing_else() {
    let sandbox = Sandbox::new();
    let run = |swf: &[&[u8]], more: &[&str]| {
        sandbox.write("game.swf", self::swf(Compression::Zlib, swf));
        sandbox.run(&[&["extract", "game.swf", "-o", "out"], more].concat())
    };
    let (vertex, fragment) = (bytecode(VERTEX), bytecode(FRAGMENT));
    run(&[&vertex, &fragment], &[]).success();
    let first = folder(&sandbox.path("out"));
    run(&[&vertex, &fragment], &[]).success();
    assert_eq!(folder(&sandbox.path("out")), first, "the same again");
    // If the input no longer contains a program, the program's file is removed.
    let ran = run(&[&vertex], &[]).success();
    assert!(ran.text().contains("1 file of an earlier run removed"), "{}", ran.text());
    assert_eq!(folder(&sandbox.path("out")).len(), 2);
    // A file that the user has changed is neither overwritten nor removed.
    let name = folder(&sandbox.path("out")).into_keys().find(|name| name.ends_with(".agalbc")).expect("a program");
    sandbox.write(&format!("out/{name}"), "mine");
    let before = folder(&sandbox.path("out"));
    let ran = run(&[&vertex], &[]).failure(1);
    assert!(ran.err.contains("was changed since `agalc extract` wrote it"), "{}", ran.err);
    assert_eq!(folder(&sandbox.path("out")), before);
    let ran = run(&[&fragment], &[]).success();
    assert!(
        ran.text().contains(&format!("kept, because they were changed since an earlier run wrote them: {name}\n")),
        "{}",
        ran.text()
    );
    assert_eq!(sandbox.text(&format!("out/{name}")), "mine");
    // Later runs still recognise the changed file, even with `--force`.
    for more in [&[][..], &["--force"], &[]] {
        let ran = run(&[&fragment], more).success();
        assert!(ran.text().contains(&format!("since an earlier run wrote them: {name}\n")), "{}", ran.text());
        assert!(manifest(&sandbox, "out")["kept"][&name].is_string());
        assert_eq!(sandbox.text(&format!("out/{name}")), "mine");
    }
    let ran = run(&[&vertex], &[]).failure(1);
    assert!(ran.err.contains("was changed since `agalc extract` wrote it"), "{}", ran.err);
    let ran = run(&[&vertex], &["--force"]).success();
    assert!(ran.text().contains(&format!("  overwritten, because of --force: {name}\n")), "{}", ran.text());
    assert_eq!(sandbox.read(&format!("out/{name}")), vertex);
}

/// Returns a source with a complete program, a template and a piece, or with only the program.
fn source(is_all: bool) -> &'static str {
    match is_all {
        true => {
            "package { public class Sky { public var smoothing:String; function f(a:AGALMiniAssembler):void {\n\
             a.assemble(\"fragment\", \"mov oc, v0\");\n\
             a.assemble(\"fragment\", \"tex oc, v0, fs0 <2d,\" + smoothing + \">\");\n\
             }\n static const LINES:String = \"mul ft2, ft3, fc4\\nadd ft2, ft2, fc5\"; } }"
        }
        false => {
            "package { class Sky { function f(a:AGALMiniAssembler):void { a.assemble(\"fragment\", \"mov oc, v0\"); } } }"
        }
    }
}

#[test]
fn templates_and_pieces_lie_in_folders_of_their_own_which_go_with_their_last_files() {
    let sandbox = Sandbox::new();
    let run = |is_all| {
        sandbox.write("Sky.as", source(is_all));
        sandbox.run(&["extract", "Sky.as", "-o", "out"])
    };
    let names = || folder(&sandbox.path("out")).into_keys().collect::<Vec<_>>();
    let ran = run(true).success();
    let all = ["Sky.frag.agal", "manifest.json", "pieces/Sky.3.frag.agal.piece", "templates/Sky.2.frag.agal.in"];
    assert_eq!(names(), all, "{}", ran.text());
    assert!(ran.text().contains("2 programs: 1 complete, 1 with holes; 0 pairs\n"), "{}", ran.text());
    assert!(ran.text().contains("  also 1 piece of a program, in the folder pieces"), "{}", ran.text());
    let manifest = manifest(&sandbox, "out");
    let files: Vec<&str> = manifest["files"].as_object().expect("files").keys().map(String::as_str).collect();
    assert_eq!(files, ["Sky.frag.agal", "pieces/Sky.3.frag.agal.piece", "templates/Sky.2.frag.agal.in"]);
    // A template becomes a complete program if all its holes are filled.
    sandbox.run(&["extract", "Sky.as", "-o", "out", "--fill", "smoothing=linear"]).success();
    assert_eq!(names(), ["Sky.2.frag.agal", "Sky.frag.agal", "manifest.json", "pieces/Sky.3.frag.agal.piece"]);
    assert!(!sandbox.path("out/templates").exists());
    run(true).success();
    // A template or piece that the user has changed or added is kept.
    sandbox.write("out/templates/mine", "mine");
    sandbox.write("out/pieces/Sky.3.frag.agal.piece", "mine");
    let ran = run(false).success();
    assert!(ran.text().contains("wrote them: pieces/Sky.3.frag.agal.piece\n"), "{}", ran.text());
    assert_eq!(names(), ["Sky.frag.agal", "manifest.json", "pieces/Sky.3.frag.agal.piece", "templates/mine"]);
    // If a file already has the name of a subfolder, the run fails.
    std::fs::remove_dir_all(sandbox.path("out")).expect("the folder");
    std::fs::create_dir(sandbox.path("out")).expect("the folder");
    sandbox.write("out/templates", "mine");
    let ran = run(true).failure(1);
    assert!(ran.err.contains("cannot write `out/templates/Sky.2.frag.agal.in`"), "{}", ran.err);
    assert_eq!(names(), ["templates"]);
}

#[test]
fn a_folder_of_a_run_without_subfolders_is_cleaned() {
    let sandbox = Sandbox::new();
    sandbox.write("Sky.as", source(true));
    std::fs::create_dir(sandbox.path("out")).expect("the folder");
    for name in ["Sky.f.frag.agal", "Sky.f.2.frag.agal.in"] {
        sandbox.write(&format!("out/{name}"), "old");
    }
    let old = agal_extract::hash_of(b"old");
    let files = format!(r#"{{"Sky.f.frag.agal": "{old}", "Sky.f.2.frag.agal.in": "{old}"}}"#);
    sandbox.write("out/manifest.json", format!(r#"{{"format": "agalc extract 1", "files": {files}}}"#));
    let ran = sandbox.run(&["extract", "Sky.as", "-o", "out"]).success();
    assert!(ran.text().contains("2 files of an earlier run removed"), "{}", ran.text());
    let names = folder(&sandbox.path("out")).into_keys().collect::<Vec<_>>();
    assert_eq!(
        names,
        ["Sky.frag.agal", "manifest.json", "pieces/Sky.3.frag.agal.piece", "templates/Sky.2.frag.agal.in"]
    );
}

#[test]
fn pieces_alone_are_told_as_such() {
    let sandbox = Sandbox::new();
    let text = "package { class Sky { static const LINES:String = \"mul ft2, ft3, fc4\\nadd ft2, ft2, fc5\"; } }";
    sandbox.write("Sky.as", text);
    let ran = sandbox.run(&["extract", "Sky.as", "-o", "out"]).success();
    assert!(
        ran.text().contains("\nno whole program, but 1 piece of a program, in the folder pieces"),
        "{}",
        ran.text()
    );
    assert!(!ran.text().contains("0 pairs"), "{}", ran.text());
}

#[test]
fn a_quick_run_ends_where_a_usual_one_goes_on() {
    let sandbox = Sandbox::new();
    // The code before the call that assembles the program executes about 300,000 instructions, in loops of 4,000 iterations each.
    let loops = "for (i = 0; i < 4000; i++) { sum += i; }\n".repeat(10);
    sandbox.write(
        "A.as",
        format!(
            "package {{ public class A {{ function f(a:AGALMiniAssembler):void {{ var sum:int = 0; var i:int;\n{loops}\
             a.assemble(\"fragment\", \"mov oc, v0\"); }} }} }}"
        ),
    );
    sandbox.run(&["extract", "A.as", "-o", "out"]).success();
    assert_eq!(manifest(&sandbox, "out")["counts"]["complete"], 1);
    let quick = sandbox.run(&["extract", "A.as", "-o", "quick", "--quick"]);
    assert!(quick.err.contains("reached a limit"), "{}", quick.err);
}

#[test]
fn programs_that_differ_in_sampler_options_alone_are_one_unless_all_are_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "A.as",
        "package { public class A { public var compressed:Boolean; function f(a:AGALMiniAssembler):void {\n\
         a.assemble(\"fragment\", \"tex oc, v0, fs0 <2d,linear\" + (compressed ? \",dxt1\" : \"\") + \">\"); } } }",
    );
    let ran = sandbox.run(&["extract", "A.as", "-o", "out"]).success();
    assert!(
        ran.text().contains("1 program (2 if each set of sampler options is counted): 1 complete; 0 pairs\n"),
        "{}",
        ran.text()
    );
    assert!(sandbox.text("out/A.frag.agal").ends_with("<2d,linear>\n"));
    let variants = &manifest(&sandbox, "out")["programs"][0]["variants"];
    assert_eq!(variants[1]["options"], serde_json::json!({"fs0": "2d,linear,dxt1"}));
    let ran = sandbox.run(&["extract", "A.as", "-o", "out", "--variants", "all"]).success();
    assert!(ran.text().contains("2 programs: 2 complete"), "{}", ran.text());
    assert!(sandbox.text("out/A.compressed.frag.agal").ends_with("<2d,linear,dxt1>\n"));
}

#[test]
fn standard_output_is_no_folder() {
    let sandbox = Sandbox::new();
    sandbox.write("game.swf", game());
    let ran = sandbox.run(&["extract", "game.swf", "-o", "-"]).failure(2);
    assert!(
        ran.err.contains("`extract` writes a folder of files, which standard output (`-`) cannot take"),
        "{}",
        ran.err
    );
    assert_eq!(sandbox.files(), ["game.swf"]);
}

#[test]
fn a_kept_file_is_forgotten_once_it_is_gone_and_removed_once_it_is_as_it_was() {
    let sandbox = Sandbox::new();
    let run = |data: &[&[u8]]| {
        sandbox.write("game.swf", swf(Compression::Zlib, data));
        sandbox.run(&["extract", "game.swf", "-o", "out"]).success()
    };
    let (vertex, fragment) = (bytecode(VERTEX), bytecode(FRAGMENT));
    run(&[&vertex, &fragment]);
    let files = folder(&sandbox.path("out"));
    let (name, contents) = files.iter().find(|(_, bytes)| **bytes == fragment).expect("the fragment program");
    sandbox.write(&format!("out/{name}"), "mine");
    assert!(run(&[&vertex]).text().contains(&format!("wrote them: {name}\n")));
    sandbox.write(&format!("out/{name}"), contents);
    assert!(run(&[&vertex]).text().contains("1 file of an earlier run removed"));
    assert!(!sandbox.path(&format!("out/{name}")).exists());
    run(&[&vertex, &fragment]);
    sandbox.write(&format!("out/{name}"), "mine");
    run(&[&vertex]);
    std::fs::remove_file(sandbox.path(&format!("out/{name}"))).expect("the file");
    assert!(!run(&[&vertex]).text().contains("kept"));
    assert!(manifest(&sandbox, "out").get("kept").is_none());
}

#[test]
fn the_summary_names_the_programs_and_the_pairs_with_errors() {
    let sandbox = Sandbox::new();
    // The programs of the first pair do not fit together, and the fragment program of the second pair reads unwritten components.
    let fragment = bytecode("mov oc, v1");
    let reads = agal_front::assemble::assemble("add oc, ft1, ft1", &Default::default()).expect("a program");
    let log = [bytecode(VERTEX), fragment, bytecode("mov op, va0"), reads.program.encode()];
    let digits = |bytes: &Vec<u8>| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + "\n";
    sandbox.write("run.log", log.iter().map(digits).collect::<String>());
    let ran = sandbox.run(&["extract", "--from-trace", "run.log", "-o", "out"]).success();
    let expected = "  1 complete program has errors: run.2.frag.agalbc\n  \
                    1 pair does not fit together: run.vert.agalbc with run.frag.agalbc\n  \
                    the manifest lists the errors\n";
    assert!(ran.text().contains(expected), "{}", ran.text());
    let counts = &manifest(&sandbox, "out")["counts"];
    assert_eq!((&counts["with_errors"], &counts["pairs_with_errors"]), (&1.into(), &1.into()));
    let ran = sandbox.run(&["extract", "--from-trace", "run.log", "-o", "out", "--json"]).success();
    let summary: Value = serde_json::from_str(ran.text()).expect("JSON");
    assert_eq!(summary["wrong"], serde_json::json!(["run.2.frag.agalbc"]));
    assert_eq!(summary["wrong_pairs"], serde_json::json!([["run.vert.agalbc", "run.frag.agalbc"]]));
}

#[test]
fn files_that_no_earlier_run_wrote_are_not_overwritten() {
    let sandbox = Sandbox::new();
    sandbox.write("game.swf", game());
    sandbox.run(&["extract", "game.swf", "-o", "out"]).success();
    let name = folder(&sandbox.path("out")).into_keys().find(|name| name.ends_with(".agalbc")).expect("a program");
    for (file, contents) in [(name.as_str(), "mine"), ("manifest.json", "{}"), ("manifest.json", "mine")] {
        std::fs::remove_dir_all(sandbox.path("out")).expect("the folder");
        std::fs::create_dir(sandbox.path("out")).expect("the folder");
        sandbox.write(&format!("out/{file}"), contents);
        let ran = sandbox.run(&["extract", "game.swf", "-o", "out"]).failure(1);
        assert!(ran.err.contains(&format!("{file}` was not written by `agalc extract`")), "{}", ran.err);
        assert_eq!(folder(&sandbox.path("out")).len(), 1, "nothing else was written");
        let ran = sandbox.run(&["extract", "game.swf", "-o", "out", "--force"]).success();
        assert!(ran.text().contains(&format!("overwritten, because of --force: {file}\n")), "{}", ran.text());
    }
    sandbox.write("file", "");
    assert!(
        sandbox.run(&["extract", "game.swf", "-o", "file"]).failure(1).err.contains("`file` is a file; name a folder")
    );
    // A forged manifest must not cause a run to remove files outside the output folder.
    sandbox.write("victim", "mine");
    let hash = agal_extract::hash_of(b"mine");
    sandbox
        .write("out/manifest.json", format!(r#"{{"format": "agalc extract 1", "files": {{"../victim": "{hash}"}}}}"#));
    sandbox.run(&["extract", "game.swf", "-o", "out", "--force"]).success();
    assert_eq!(sandbox.text("victim"), "mine");
}

#[test]
fn nothing_is_written_if_there_is_no_agal() {
    let sandbox = Sandbox::new();
    sandbox.write("game.swf", swf(Compression::Zlib, &[b"nothing"]));
    let ran = sandbox.run(&["extract", "game.swf", "-o", "out"]).failure(1);
    assert!(
        ran.err.contains("no AGAL was found in `game.swf`") && ran.err.contains("nothing was written"),
        "{}",
        ran.err
    );
    std::fs::create_dir(sandbox.path("empty")).expect("a folder");
    let ran = sandbox.run(&["extract", "empty", "-o", "out"]).failure(1);
    assert!(
        ran.err.contains("there is no SWF, SWC or ABC file and no source in `empty`; nothing was written"),
        "{}",
        ran.err
    );
    assert!(!sandbox.path("out").exists());
    assert!(sandbox.run(&["extract", "missing.swf", "-o", "out"]).failure(1).err.contains("cannot read `missing.swf`"));
    sandbox.run(&["extract", "-o", "out"]).failure(2);
    let ran = sandbox.run(&["extract", "-", "-o", "out"]).failure(2);
    assert!(ran.err.contains("`extract` does not read standard input (`-`)"), "{}", ran.err);
    sandbox.run(&["extract", "game.swf"]).failure(2);
    sandbox.run(&["extract", "game.swf", "-o", "out", "--fill", "hole"]).failure(2);
}

#[test]
fn containers_are_taken_when_named_and_in_folders() {
    let sandbox = Sandbox::new();
    let swf = game();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(&swf).expect("memory can be written");
    let gz = gz.finish().expect("memory can be written");
    let length = u32::try_from(swf.len()).expect("a short file").to_le_bytes();
    let projector = [&b"\x7fELF"[..], &[1; 100], &swf, &[0x56, 0x34, 0x12, 0xfa], &length].concat();
    std::fs::create_dir(sandbox.path("app")).expect("a folder");
    sandbox.write("app/game.swf.gz", &gz);
    sandbox.write("app/player", &projector);
    sandbox.write("app/asset.bin", &swf);
    sandbox.write("app/effects.json", format!("{{\"vertex\": \"{}\"}}", VERTEX.replace('\n', "\\n")));
    sandbox.write("app/package.json", "{\"name\": \"game\"}");
    sandbox.write("app/tool", b"\x7fELF and more than that");
    for (input, expected) in [
        ("app/game.swf.gz", "game.swf.gz: gzip with SWF"),
        ("app/player", "player: an ELF program with SWF"),
        ("app/effects.json", "effects.json: JSON; 1 program"),
        ("app", "asset.bin: SWF"),
        ("app", "effects.json: JSON; 1 program"),
        ("app", "game.swf.gz: gzip with SWF"),
        ("app", "player: an ELF program with SWF"),
        ("app", "2 other files skipped"),
    ] {
        let ran = sandbox.run(&["extract", input, "-o", "out", "--force"]).success();
        assert!(ran.text().contains(expected), "{input}: {}", ran.text());
    }
    sandbox.write("pointer.swf", "version https://git-lfs.github.com/spec/v1\nsize 1234\n");
    let ran = sandbox.run(&["extract", "pointer.swf", "-o", "other"]).failure(1);
    assert!(ran.err.contains("pointer.swf: is a Git LFS pointer to a file of 1234 bytes"), "{}", ran.err);
    assert!(ran.err.contains("no AGAL was found in `pointer.swf` (a Git LFS pointer)"), "{}", ran.err);
}

#[test]
fn programs_of_a_trace_are_written_and_those_of_the_files_are_marked() {
    let sandbox = Sandbox::new();
    let other = "mov oc, v0";
    let digits = |text: &str| bytecode(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    sandbox.write("game.swf", game());
    sandbox.write("run.log", format!("[0.1] vertex: {}\n[0.1] fragment: {}\n", digits(VERTEX), digits(other)));
    let ran = sandbox.run(&["extract", "game.swf", "--from-trace", "run.log", "-o", "out"]).success();
    assert!(ran.text().contains("3 programs: 3 as bytecode; 1 pair\n  2 in a trace\n"), "{}", ran.text());
    let manifest = manifest(&sandbox, "out");
    let traced = |program: &Value| program["traced"] == true;
    assert_eq!(manifest["programs"].as_array().expect("programs").iter().filter(|of| traced(of)).count(), 2);
    assert_eq!(manifest["pairs"].as_array().map(Vec::len), Some(1));
    // A trace may be a folder of files. A run needs no input other than a trace.
    std::fs::create_dir(sandbox.path("run")).expect("a folder");
    sandbox.write("run/1.vertex.bin", bytecode(VERTEX));
    sandbox.write("run/1.fragment.bin", bytecode(FRAGMENT));
    sandbox.run(&["extract", "--from-trace", "run", "-o", "traced"]).success();
    let manifest = self::manifest(&sandbox, "traced");
    let pair = &manifest["pairs"][0];
    let stem = |file: &Value, end: &str| file.as_str().and_then(|file| file.strip_suffix(end)).map(str::to_string);
    assert!(stem(&pair["vertex"], ".vert.agalbc").is_some(), "{pair}");
    assert_eq!(stem(&pair["vertex"], ".vert.agalbc"), stem(&pair["fragment"], ".frag.agalbc"));
}

#[test]
fn the_summary_is_json_if_it_is_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.write("game.swf", game());
    for option in [&["--json"][..], &["--format", "json"]] {
        let ran = sandbox.run(&[&["extract", "game.swf", "-o", "out"], option].concat()).success();
        let summary: Value = serde_json::from_str(ran.text()).expect("JSON");
        assert_eq!((&summary["folder"], &summary["counts"]["programs"]), (&"out".into(), &2.into()));
        assert_eq!(summary["manifest"], "out/manifest.json");
    }
}

#[test]
fn a_fill_that_no_hole_takes_is_told() {
    let sandbox = Sandbox::new();
    sandbox.write("game.swf", game());
    sandbox.write("fills.toml", "\"tex flags\" = \"2d\"\n[programs.Blur]\nn = \"1\"\n");
    let ran = sandbox.run(&["extract", "game.swf", "-o", "out", "--fills", "fills.toml", "--fill", "m=1"]).success();
    for fill in ["tex flags=2d", "Blur:n=1", "m=1"] {
        assert!(
            ran.err.contains(&format!("the fill `{fill}` is not used, because no program has such a hole")),
            "{}",
            ran.err
        );
    }
    sandbox.write("fills.toml", "n = 1");
    assert!(
        sandbox
            .run(&["extract", "game.swf", "-o", "out", "--fills", "fills.toml"])
            .failure(1)
            .err
            .contains("`fills.toml` is not a file of fills")
    );
}

/// A class that uploads one vertex program with three complete fragment programs and a template.
const SHARED: &str = "package { public class Water { public var smoothing:String;\n\
    function f(p:Program3D, a:AGALMiniAssembler):void {\n\
    var v:ByteArray = a.assemble(\"vertex\", \"m44 op, va0, vc0\\nmov v0, va1\");\n\
    p.upload(v, a.assemble(\"fragment\", \"mov oc, v0.yxyx\"));\n\
    p.upload(v, a.assemble(\"fragment\", \"add oc, v0, v0\"));\n\
    p.upload(v, a.assemble(\"fragment\", \"mul oc, v0, v0\"));\n\
    p.upload(v, a.assemble(\"fragment\", \"tex oc, v0, fs0 <2d,\" + smoothing + \">\")); } } }";

#[test]
fn what_a_folder_has_to_draw_is_told_if_a_pair_is_not_named() {
    let sandbox = Sandbox::new();
    sandbox.write("Water.as", SHARED);
    sandbox.write("Sky.as", source(true));
    let ran = sandbox.run(&["extract", "Water.as", "Sky.as", "-o", "out"]).success();
    assert!(ran.text().contains("; 4 pairs (3 complete)\n"), "{}", ran.text());
    assert_eq!(manifest(&sandbox, "out")["counts"]["complete_pairs"], 3);
    let render = |inputs: &[&str]| sandbox.run(&[&["render"], inputs, &["-o", "x.png", "--size", "4"]].concat());
    let err = render(&["out"]).failure(2).err;
    assert!(err.contains("`out` is a folder, but `render` draws one pair: name the two programs, such as "), "{err}");
    let first =
        "such as `out/Water.vert.agal out/Water.frag.agal`; it also has `Water.vert.agal` with `Water.2.frag.agal`";
    assert!(err.contains(first), "{err}");
    let err = render(&["out/Water.vert.agal"]).failure(1).err;
    let says = "`out/Water.vert.agal` is one program, and a picture needs a pair: `out/manifest.json` pairs `Water.vert.agal` with \
                `Water.2.frag.agal`, `Water.3.frag.agal`, `Water.frag.agal`; nothing was written";
    assert!(err.contains(says), "{err}");
    let err = render(&["out/Water.2.frag.agal"]).failure(1).err;
    assert!(err.contains("`out/manifest.json` pairs `Water.2.frag.agal` with `Water.vert.agal`; nothing"), "{err}");
    // `render` does not mention the manifest if the manifest pairs the two programs, or if one of the programs has no partner in
    // the manifest.
    for pair in [["out/Water.vert.agal", "out/Water.2.frag.agal"], ["out/Water.vert.agal", "out/Sky.frag.agal"]] {
        assert!(!render(&pair).success().err.contains("manifest.json"));
    }
    sandbox.write(
        "Fire.as",
        SHARED.replace("Water", "Fire").replace("va1", "va2").replace("v0\"", "v0.xyxy\"").replace("yxyx", "xxxx"),
    );
    sandbox.run(&["extract", "Water.as", "Fire.as", "-o", "out"]).success();
    let err = render(&["out/Fire.2.frag.agal", "out/Water.vert.agal"]).success().err;
    let says = "note: these two programs are not a pair in the application: `out/manifest.json` pairs `Fire.2.frag.agal` with \
                `Fire.vert.agal`, and `Water.vert.agal` with `Water.2.frag.agal`, ";
    assert!(err.contains(says), "{err}");
    sandbox.write("other.vert.agal", "mov op, va0\nmov v0, va1\n");
    assert!(!render(&["other.vert.agal", "out/Water.2.frag.agal"]).success().err.contains("manifest.json"));
    std::fs::create_dir(sandbox.path("empty")).expect("a folder");
    let err = render(&["empty"]).failure(2).err;
    assert!(err.contains("`empty` is a folder, but `render` draws one pair: name the two programs\n"), "{err}");
}

#[test]
fn a_trace_that_is_none_is_told() {
    let sandbox = Sandbox::new();
    sandbox.write("game.swf", game());
    sandbox.write("plain.swf", swf(Compression::None, &[&bytecode(VERTEX)]));
    sandbox.write("empty.log", "nothing happened\n");
    for trace in ["game.swf", "plain.swf"] {
        let ran = sandbox.run(&["extract", "game.swf", "--from-trace", trace, "-o", "out"]).success();
        let says =
            format!("warning: {trace}: is a SWF file, not a trace: name the file as an input, without --from-trace\n");
        assert!(ran.err.contains(&says), "{}", ran.err);
    }
    let ran = sandbox.run(&["extract", "game.swf", "--from-trace", "empty.log", "-o", "out"]).success();
    assert!(
        ran.err.contains("warning: empty.log: contains no program: a log must contain programs in "),
        "{}",
        ran.err
    );
    assert_eq!(manifest(&sandbox, "out")["warnings"][0]["input"], "empty.log");
}

#[test]
fn inputs_that_are_empty_or_missing_are_named() {
    let sandbox = Sandbox::new();
    sandbox.write("game.swf", game());
    std::fs::create_dir(sandbox.path("empty")).expect("a folder");
    let ran = sandbox.run(&["extract", "game.swf", "empty", "-o", "out"]).success();
    assert_eq!(ran.err, "warning: there is no SWF, SWC or ABC file and no source in `empty`\n");
    let err = sandbox.run(&["extract", "--from-trace", "empty", "-o", "none"]).failure(1).err;
    assert!(err.contains("error: there is no file in `empty`; nothing was written"), "{err}");
    let err = sandbox.run(&["extract", "game.swf", "a.swf", "b.swf", "-o", "none"]).failure(1).err;
    assert!(err.contains("cannot read `a.swf`: ") && err.contains("cannot read `b.swf`: "), "{err}");
    assert!(err.ends_with("; nothing was written\n\n"), "{err:?}");
    assert!(!sandbox.path("none").exists());
}

#[test]
fn a_place_in_a_method_that_a_class_inherits_names_both_classes() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "Base.as",
        "package { public class Base { protected function code():String { return \"mov oc, v0\"; }\n\
         function f(a:AGALMiniAssembler):void {\n a.assemble(\"fragment\", code()); } } }",
    );
    sandbox.write(
        "Sub.as",
        "package { public class Sub extends Base {\n override protected function code():String { return \"mov oc, v1\"; } } }",
    );
    sandbox.run(&["extract", "Base.as", "Sub.as", "-o", "out"]).success();
    let programs = manifest(&sandbox, "out")["programs"].as_array().expect("programs").clone();
    let sub = programs.iter().find(|program| program["file"] == "Sub.frag.agal").expect("a program of Sub");
    let place = &sub["places"][0];
    assert_eq!((&place["class"], &place["inherited_from"]), (&"Sub".into(), &"Base".into()), "{place}");
    assert_eq!((&place["input"], &place["line"]), (&"Base.as".into(), &3.into()), "{place}");
    assert!(
        sandbox.text("out/Sub.frag.agal").contains("// from Base.as: Sub.f, inherited from Base, line 3\n"),
        "{}",
        sandbox.text("out/Sub.frag.agal")
    );
    let base = programs.iter().find(|program| program["file"] == "Base.frag.agal").expect("a program of Base");
    assert!(base["places"][0].get("inherited_from").is_none());
}

#[test]
fn the_name_of_a_hole_that_is_cut_has_a_mark() {
    let sandbox = Sandbox::new();
    let long = "theNameOfAFieldWithAVeryLongNameThatNobodyWouldLikeToWrite";
    sandbox.write(
        "A.as",
        format!(
            "package {{ public class A {{ public var {long}:Object; function f(a:AGALMiniAssembler):void {{\n\
             a.assemble(\"fragment\", \"mov oc, \" + {long}.register); }} }} }}"
        ),
    );
    let ran = sandbox.run(&["extract", "A.as", "-o", "out"]).success();
    let name = format!("{long}.…");
    assert!(ran.text().contains(&format!("{{{name}}} in 1 program")), "{}", ran.text());
    let ran = sandbox.run(&["extract", "A.as", "-o", "out", "--fill", &format!("{name}=v0")]).success();
    assert!(ran.text().contains("1 completed by fills"), "{}", ran.text());
}

/// A block of a page: shell commands, or a code block after an HTML comment that describes the code block.
enum Block<'p> {
    /// A shell block. The test runs each line that begins with `agalc`.
    Commands(&'p str),
    /// A file that the reader writes, introduced by `<!-- write: NAME -->`.
    Write(&'p str, &'p str),
    /// A file that the command has written, introduced by `<!-- file: NAME -->`.
    File(&'p str, &'p str),
    /// The output of the last command, introduced by `<!-- prints -->`.
    Prints(&'p str),
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut before = "";
    for part in page.split("```").collect::<Vec<_>>().chunks(2) {
        let [text, block] = part else { break };
        if let Some(last) = text.trim_end().lines().last() {
            before = last;
        }
        let (language, code) = block.split_once('\n').expect("a block");
        let named = |kind: &str| before.strip_prefix(kind)?.strip_suffix(" -->");
        if language == "sh" {
            blocks.push(Block::Commands(code));
        } else if let Some(name) = named("<!-- write: ") {
            blocks.push(Block::Write(name, code));
        } else if let Some(name) = named("<!-- file: ") {
            blocks.push(Block::File(name, code));
        } else if before == "<!-- prints -->" {
            blocks.push(Block::Prints(code));
        }
    }
    blocks
}

/// Runs the commands of a page, and returns the page with the actual outputs and files inserted.
fn followed(sandbox: &Sandbox, page: &str) -> String {
    let (mut told, mut end, mut printed) = (String::new(), 0, String::new());
    let mut show = |shown: &str, found: &str| {
        let at = shown.as_ptr() as usize - page.as_ptr() as usize;
        told += &page[end..at];
        told += found;
        end = at + shown.len();
    };
    for block in blocks(page) {
        match block {
            Block::Commands(lines) => {
                for line in lines.lines().filter(|line| line.starts_with("agalc ")) {
                    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
                    printed = sandbox.run(&words).success().into_text();
                }
            }
            Block::Write(name, contents) => sandbox.write(name, contents),
            Block::File(name, shown) => show(shown, &sandbox.text(name)),
            Block::Prints(shown) => show(shown, &printed),
        }
    }
    told + &page[end..]
}

/// Checks that a page shows the actual outputs of its commands. `UPDATE_EXPECT=1` writes the actual outputs to the page.
fn check_page(name: &str, sandbox: &Sandbox) {
    let path = repository().join("docs").join(name);
    let page = std::fs::read_to_string(&path).expect("the page");
    let followed = followed(sandbox, &page);
    if updates() {
        std::fs::write(&path, followed).expect("the page is written");
    } else {
        assert!(followed == page, "{name}: {}", testing::difference(&page, &followed));
    }
    check_pictures(&page, sandbox);
}

/// Checks that a page shows the pictures that its commands have drawn.
fn check_pictures(page: &str, sandbox: &Sandbox) {
    for shown in page.split("](pictures/").skip(1).filter_map(|rest| rest.split_once(')')).map(|(shown, _)| shown) {
        let path = repository().join("docs/pictures").join(shown);
        let drawn = sandbox.read(shown.rsplit('/').next().unwrap_or(shown));
        if updates() {
            std::fs::write(&path, &drawn).expect("the picture is written");
        }
        let expected = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let [expected, found] = [&expected, &drawn].map(|png| Picture::from_png(png).expect("a picture"));
        assert!(expected == found, "{shown} is not what the commands draw; UPDATE_EXPECT=1 renews it");
        assert!(found.pixels.iter().collect::<BTreeSet<_>>().len() > 8, "{shown} shows little");
        assert!(drawn.len() < 16 << 10, "{shown} has {} bytes", drawn.len());
    }
}

#[test]
fn the_commands_of_the_page_go_from_a_game_and_from_strings_to_pictures() {
    let sandbox = Sandbox::new();
    sandbox.write("game.swf", code(Compression::Zlib));
    let digits: String = bytecode("mov oc, v0").iter().map(|byte| format!("{byte:02x}")).collect();
    sandbox.write("trace.log", format!("upload\nfragment: {digits}\n"));
    check_page("extract.md", &sandbox);
    let written: Vec<String> = folder(&sandbox.path("wgsl")).into_keys().collect();
    assert!(written.contains(&"Glow.additive.wgsl".to_string()), "{written:?}");
    assert_eq!(manifest(&sandbox, "shaders")["counts"]["traced"], 1);
    assert!(sandbox.text("tint.wgsl").contains("fn fs_main") && sandbox.text("post.wgsl").contains("fn fs_main"));
    assert!(sandbox.read("tint.png").starts_with(b"\x89PNG"));
    assert_eq!(
        bytecode(&sandbox.text("tint.plain.agal")),
        bytecode("tex ft0, v0, fs0 <2d,linear,mipnone,clamp>\nmul oc, ft0, fc0")
    );
}

#[test]
fn a_program_of_a_later_player_than_that_of_its_swf_is_told() {
    let sandbox = Sandbox::new();
    let of = |version: u32| bytecode(&format!("// agal {version} fragment\nmov oc, v0\n"));
    sandbox.write("a.swf", swf(Compression::None, &[&of(1), &of(2), &of(3)]));
    let ran = sandbox.run(&["extract", "a.swf", "-o", "out"]).success();
    for (version, first) in [(2, 25), (3, 28)] {
        let said = format!(
            "1 program is in AGAL {version}, which the player accepts in SWF version {first} and later, but this SWF has version 14"
        );
        assert!(ran.err.contains(&said), "{}", ran.err);
    }
    assert_eq!(ran.err.matches("SWF version").count(), 2, "{}", ran.err);
}

//! Checks that every command that reads programs can write its messages as JSON and SARIF, and that the messages follow their
//! schemas.

use std::ffi::OsStr;

use serde_json::Value;
use testing::repository;

use crate::support::sandbox::{FRAGMENT, Ran, Sandbox, assembled, pair};
use crate::support::schema::violations;

/// A program with an error and a warning, after a comment that contains multi-byte characters.
const WRONG: &str = "// größe\nmul ft0, v0, fc0\nmul oc, ft1, fc0 // é\n";

fn schema() -> Value {
    let text = std::fs::read_to_string(repository().join("docs/diagnostics.schema.json")).expect("the schema");
    serde_json::from_str(&text).expect("JSON")
}

/// Returns the only document that the run wrote, which must follow the schema. A document that contains programs is on standard
/// output, and any other document is on standard error.
#[track_caller]
fn document(ran: &Ran) -> Value {
    let out = String::from_utf8_lossy(&ran.out).into_owned();
    let has_programs = out.contains("\"command\": \"validate\"") || out.contains("\"command\": \"link\"");
    let text = if has_programs { &out } else { &ran.err };
    assert!(!has_programs || ran.err.is_empty(), "there are two documents: {}", ran.err);
    let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let wrong = violations(&schema(), &value);
    assert!(wrong.is_empty(), "{wrong:?}\n{text}");
    assert_eq!(value["exit_code"], i64::from(ran.code));
    value
}

fn folder() -> Sandbox {
    let sandbox = pair();
    sandbox.write("wrong.agal", WRONG);
    sandbox.write("wrong.agalbc", assembled("// agal 1 fragment\nmul oc, ft1, fc0\n"));
    sandbox.write("wrong.es2", "!!ES2fp1.0\nMUL fragcolor, v0, 0.5;\nEND\n");
    sandbox.write("wrong.sdlasm", "fragment function \"\" {\n  output 0 c: float4 = colour 0\n}\n");
    sandbox.write("unparsed.sdlasm", "fragment function \"f\" {\n  %1 = nothing\n}\n");
    sandbox.write("damaged.sdlbc", b"SDLSHADERBC\0\x02\0\0\0\0\0\0\0");
    sandbox.write("state.toml", "vertices = 3\n");
    sandbox
}

/// Command lines that read an invalid program, for every command that reads programs.
const REFUSED: [&[&str]; 13] = [
    &["compile", "wrong.agal", "-o", "o.spv"],
    &["assemble", "wrong.agal", "-o", "o.agalbc"],
    &["disassemble", "wrong.agalbc", "--compat", "player"],
    &["print", "wrong.agal"],
    &["dump", "--graph", "wrong.agal"],
    &["validate", "wrong.agal"],
    &["link", "a.vert.agal", "wrong.agal"],
    &["verify", "wrong.agal"],
    &["inspect", "wrong.agal"],
    &["run", "wrong.agal"],
    &["check-draw", "wrong.agal", "--state", "state.toml"],
    &["strip", "wrong.sdlbc"],
    &["render", "a.vert.agal", "wrong.agal", "-o", "o.png"],
];

#[test]
fn a_file_that_cannot_be_read_is_named_as_data() {
    let sandbox = folder();
    std::fs::create_dir(sandbox.path("in")).expect("a folder");
    std::fs::write(sandbox.path("in/a.agal"), "mov oc, v0\n").expect("a file");
    for (line, file) in [
        (&["compile", "none/a.agal", "-o", "o.wgsl"][..], "none/a.agal"),
        (&["validate", "./none.agal"], "./none.agal"),
        (&["validate", "in", "none.agal"], "none.agal"),
        (&["compile", "a.vert.agal", "-o", "o.wgsl", "--names", "none.toml"], "none.toml"),
        (&["extract", "none.swf", "-o", "out"], "none.swf"),
        (&["render", "none.toml", "-o", "o.png"], "none.toml"),
    ] {
        let document = document(&sandbox.run(&[line, &["--format", "json"]].concat()).failure(1));
        let found = &document["diagnostics"][0];
        let message = found["message"].as_str().expect("a message");
        let is_said =
            message.starts_with(&format!("cannot read `{file}`: ")) || message.starts_with("cannot be read: ");
        assert!(is_said, "{line:?}: {message}");
        assert_eq!(found["file"], file, "{line:?}");
    }
}

#[test]
fn every_command_that_reads_programs_reports_errors_as_json() {
    let sandbox = folder();
    sandbox.write("wrong.sdlbc", b"SDLSHADERBC\0\x02\0\0\0\0\0\0\0");
    for arguments in REFUSED {
        // `assemble` and `disassemble` do not check for reads of unwritten registers.
        if matches!(arguments[0], "assemble" | "disassemble") {
            continue;
        }
        let ran = sandbox.run(&[arguments, &["--format", "json"]].concat()).failure(1);
        let document = document(&ran);
        assert_eq!(document["command"], arguments[0]);
        let first =
            &document["diagnostics"].as_array().expect("diagnostics").iter().find(|one| one["severity"] == "error");
        let first = first.unwrap_or_else(|| panic!("{arguments:?}: {document}"));
        if arguments[0] == "strip" {
            assert_eq!((&first["byte"], &first["file"]), (&12.into(), &"wrong.sdlbc".into()), "{document}");
            continue;
        }
        assert_eq!(first["code"], "AGAL3647", "{arguments:?}");
        assert_eq!(first["file"], "wrong.agal");
        assert_eq!((&first["token"], &first["stage"]), (&2.into(), &"fragment".into()));
        let span = &first["span"];
        assert_eq!((&span["line"], &span["column"], &span["end_column"]), (&3.into(), &9.into(), &12.into()));
        let bytes = |name: &str| usize::try_from(span[name].as_u64().expect("an offset")).expect("small");
        assert_eq!(&WRONG[bytes("start")..bytes("end")], "ft1", "{arguments:?}");
        assert!(ran.out.is_empty() || serde_json::from_slice::<Value>(&ran.out).is_ok(), "{arguments:?}");
    }
    for name in ["wrong.agal", "unparsed.sdlasm"] {
        sandbox.write("text", sandbox.read(name));
        let ran = sandbox.run(&["assemble", "text", "--agal-version", "9", "--format", "json"]).failure(2);
        assert_eq!(document(&ran)["exit_code"], 2);
    }
    // The document names the command even if an option is unknown.
    let ran = sandbox.run(&["--format", "json", "inspect", "wrong.agal", "--nonsense"]).failure(2);
    assert_eq!((&document(&ran)["command"], &document(&ran)["exit_code"]), (&"inspect".into(), &2.into()));
    let ran = sandbox
        .run_with(&["assemble", "-", "--format", "json", "--stdin-name", "given.agal"], b"mvo oc, v0\n")
        .failure(1);
    let said = document(&ran);
    assert_eq!(
        (&said["diagnostics"][0]["code"], &said["diagnostics"][0]["file"]),
        (&"AGAL9101".into(), &"given.agal".into())
    );
}

#[cfg(feature = "es2")]
#[test]
fn files_of_every_kind_have_their_place_and_their_number() {
    let sandbox = folder();
    let first = |name: &str| {
        let ran = sandbox.run(&["verify", name, "--format", "json"]).failure(1);
        document(&ran)["diagnostics"][0].clone()
    };
    let es2 = first("wrong.es2");
    assert_eq!((&es2["code"], &es2["span"]["line"]), (&"ES2160".into(), &2.into()), "{es2}");
    let rule = first("wrong.sdlasm");
    assert_eq!((&rule["code"], &rule["span"]["line"]), (&"V16".into(), &1.into()), "{rule}");
    assert!(!rule["message"].as_str().expect("text").contains("V16"), "{rule}");
    let unparsed = first("unparsed.sdlasm");
    assert_eq!((&unparsed["code"], &unparsed["span"]["line"]), (&Value::Null, &2.into()), "{unparsed}");
    let bytecode = first("wrong.agalbc");
    assert_eq!(
        (&bytecode["span"], &bytecode["token"], &bytecode["byte"]),
        (&Value::Null, &1.into(), &15.into()),
        "{bytecode}"
    );
    assert_eq!((&bytecode["instruction"], &bytecode["file"]), (&"mul oc, ft1, fc0".into(), &"wrong.agalbc".into()));
    let damaged = first("damaged.sdlbc");
    assert_eq!((&damaged["byte"], &damaged["file"]), (&12.into(), &"damaged.sdlbc".into()), "{damaged}");
    assert!(damaged["help"].as_str().expect("help").contains("agalc dump damaged.sdlbc"));
    sandbox.write("macro.agal", "macro Twice(a) { out = a + b; }\nft0 = Twice(v0)\noc = ft0\n");
    let called = first("macro.agal");
    assert_eq!(called["related"][0]["span"]["line"], 2, "{called}");
    assert_eq!(called["related"][0]["message"], "in the expansion of this call");
}

#[test]
fn a_run_that_succeeds_says_what_it_wrote() {
    let sandbox = pair();
    let ran = sandbox.run(&["compile", "a.vert.agal", "a.frag.agal", "-o", "o/a.wgsl", "--json"]).success();
    let said = document(&ran);
    assert_eq!((&said["outputs"][0]["file"], &said["outputs"][0]["what"]), (&"o/a.wgsl".into(), &"WGSL".into()));
    assert_eq!(said["outputs"][0]["bytes"], sandbox.read("o/a.wgsl").len());
    // A run without messages writes no document.
    let ran = sandbox.run(&["verify", "a.frag.agal", "--json"]).success();
    assert_eq!((ran.err.as_str(), ran.out.len()), ("", 0));
    let ran = sandbox.run(&["compile", "a.frag.agal", "-o", "b.wgsl", "--json", "-q"]).success();
    assert_eq!(ran.err, "");
    // `inspect` writes its report to standard output.
    let ran = sandbox.run(&["inspect", "a.frag.agal", "--json"]).success();
    assert_eq!(ran.err, "");
    assert!(serde_json::from_slice::<Value>(&ran.out).is_ok());
}

#[test]
fn a_document_has_all_findings_and_text_twenty() {
    let sandbox = Sandbox::new();
    let lines: String = (0..30).map(|number| format!("mov ft{}, v0\n", number % 8)).collect();
    sandbox.write("many.agal", format!("{lines}mov oc, v0\n"));
    let text = sandbox.run(&["validate", "many.agal", "--diagnostics", "d.json"]).success();
    assert_eq!(text.err.matches("warning[AGAL9001]").count(), 30, "{}", text.err);
    sandbox.write("wrong.agal", "mvo oc, v0\n".repeat(30));
    let text = sandbox.run(&["verify", "wrong.agal", "--diagnostics", "d.json"]).failure(1);
    assert_eq!(text.err.matches("error[AGAL9101]").count(), 20, "{}", text.err);
    assert!(text.err.contains("10 further findings are not shown"), "{}", text.err);
    let said: Value = serde_json::from_slice(&sandbox.read("d.json")).expect("JSON");
    assert_eq!(said["diagnostics"].as_array().map(Vec::len), Some(30), "{said}");
    assert_eq!(said["summary"][0], "`wrong.agal` has 30 errors; nothing was written");
    assert!(violations(&schema(), &said).is_empty());
}

#[test]
fn a_file_of_messages_is_written_even_if_the_run_fails_and_is_no_other_file() {
    let sandbox = folder();
    let ran = sandbox.run(&["compile", "wrong.agal", "-o", "o/w.spv", "--diagnostics", "d/w.sarif"]).failure(1);
    assert!(ran.err.contains("error[AGAL3647]") && ran.err.contains("wrote d/w.sarif"), "{}", ran.err);
    assert!(sandbox.text("d/w.sarif").contains("\"ruleId\": \"AGAL3647\""));
    assert!(!sandbox.path("o").exists());
    let before = sandbox.read("wrong.agal");
    let ran = sandbox.run(&["verify", "wrong.agal", "--diagnostics", "wrong.agal"]).failure(2);
    assert!(ran.err.contains("is read and would be overwritten"), "{}", ran.err);
    assert_eq!(sandbox.read("wrong.agal"), before);
    let ran = sandbox.run(&["compile", "a.frag.agal", "-o", "o/x.wgsl", "--diagnostics", "a.frag.agal"]).failure(2);
    assert!(ran.err.contains("`a.frag.agal` is read and would be overwritten"), "{}", ran.err);
    assert!(!sandbox.path("o").exists());
    let ran =
        sandbox.run(&["compile", "a.frag.agal", "-o", "x.json", "--to", "wgsl", "--diagnostics", "x.json"]).failure(2);
    assert!(ran.err.contains("named twice as an output"), "{}", ran.err);
    let ran = sandbox.run(&["compile", "a.frag.agal", "-o", "o/x.wgsl", "--diagnostics", "d"]).failure(1);
    assert!(ran.err.contains("cannot write `d`: it is a folder"), "{}", ran.err);
    assert!(!sandbox.path("o").exists());
}

/// If messages go to standard output, the report and the messages form one document.
#[test]
fn a_report_and_its_messages_are_one_document() {
    let sandbox = folder();
    for (command, format) in [("validate", "json"), ("link", "json"), ("validate", "sarif"), ("link", "sarif")] {
        let line = [command, "a.vert.agal", "a.frag.agal", "--format", format];
        let report: Value = serde_json::from_slice(&sandbox.run(&line).success().out).expect("one document");
        let twice = sandbox.run(&[&line[..], &["--diagnostics", "-"]].concat()).success();
        let both: Value = serde_json::from_slice(&twice.out).expect("one document");
        assert_eq!((both, twice.err.as_str()), (report, ""));
    }
}

/// Returns the level, rule and line of each SARIF result.
fn results(sarif: &Value) -> Vec<String> {
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let region = |one: &Value| one["locations"][0]["physicalLocation"]["region"]["startLine"].to_string();
    results.iter().map(|one| format!("{} {} {}", one["level"], one["ruleId"], region(one)).replace('"', "")).collect()
}

#[test]
fn sarif_has_the_same_findings_as_json() {
    let sandbox = folder();
    let ran = sandbox.run(&["validate", "wrong.agal", "--format", "sarif"]).failure(1);
    let sarif: Value = serde_json::from_slice(&ran.out).expect("JSON");
    assert_eq!(ran.err, "");
    let json = document(&sandbox.run(&["validate", "wrong.agal", "--format", "json"]).failure(1));
    let expected = json["diagnostics"].as_array().expect("diagnostics").iter();
    let expected: Vec<String> = expected
        .map(|one| format!("{} {} {}", one["severity"], one["code"], one["span"]["line"]).replace('"', ""))
        .collect();
    assert_eq!(results(&sarif), expected);
    let run = &sarif["runs"][0];
    assert_eq!((&run["invocations"][0]["exitCode"], &run["columnKind"]), (&1.into(), &"unicodeCodePoints".into()));
    for result in run["results"].as_array().expect("results") {
        let index = usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small");
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
    }
    // A command without a report of findings writes its SARIF document to standard error.
    let ran = sandbox.run(&["compile", "wrong.agal", "--to", "wgsl", "--format", "sarif"]).failure(1);
    let sarif: Value = serde_json::from_str(&ran.err).expect("JSON");
    assert!(results(&sarif).contains(&"error AGAL3647 3".to_string()), "{sarif}");
    let clean = sandbox.run(&["validate", "a.vert.agal", "a.frag.agal", "--format", "sarif"]).success();
    let sarif: Value = serde_json::from_slice(&clean.out).expect("JSON");
    assert!(results(&sarif).is_empty());
}

#[cfg(feature = "es2")]
#[test]
fn json_and_sarif_are_valid_by_their_schemas_for_a_validator_that_is_not_ours() {
    if !testing::SARIF.is_there() {
        return;
    }
    let sandbox = folder();
    sandbox.write("größe #1.agal", WRONG);
    sandbox.write("macro.agal", "macro Twice(a) { out = a + b; }\nft0 = Twice(v0)\noc = ft0\n");
    let inputs = [
        "wrong.agal",
        "wrong.agalbc",
        "wrong.es2",
        "wrong.sdlasm",
        "unparsed.sdlasm",
        "damaged.sdlbc",
        "größe #1.agal",
        "macro.agal",
        "none",
    ];
    let (mut sarif, mut json) = (Vec::new(), Vec::new());
    for (index, input) in inputs.iter().enumerate() {
        for (list, ending) in [(&mut sarif, "sarif"), (&mut json, "json")] {
            let name = format!("{index}.{ending}");
            sandbox.run(&["verify", input, "--diagnostics", &name, "-q"]).failure(1);
            list.push(sandbox.path(&name));
        }
    }
    sandbox
        .run(&["compile", "a.vert.agal", "a.frag.agal", "-o", "a.spv", "--diagnostics", "good.sarif", "-v"])
        .success();
    sandbox
        .run(&["compile", "a.vert.agal", "a.frag.agal", "-o", "a.spv", "--diagnostics", "good.json", "-v"])
        .success();
    sarif.push(sandbox.path("good.sarif"));
    json.push(sandbox.path("good.json"));
    let sarif: Vec<&OsStr> = sarif.iter().map(|path| path.as_os_str()).collect();
    testing::SARIF.run(&sarif).unwrap_or_else(|error| panic!("{error}"));
    let schema = repository().join("docs/diagnostics.schema.json");
    let arguments =
        [OsStr::new("--schema"), schema.as_os_str()].into_iter().chain(json.iter().map(|path| path.as_os_str()));
    testing::SARIF.run(&arguments.collect::<Vec<_>>()).unwrap_or_else(|error| panic!("{error}"));
    // The SARIF validator must reject an invalid document.
    sandbox.write("bad.sarif", "{\"version\": \"2.1.0\", \"runs\": [{}]}");
    assert!(testing::SARIF.run(&[sandbox.path("bad.sarif").as_os_str()]).is_err());
}

#[test]
fn the_document_in_the_page_is_what_the_command_writes() {
    let page = std::fs::read_to_string(repository().join("docs/diagnostics.md")).expect("the page");
    let shown = page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("the document");
    let sandbox = Sandbox::new();
    sandbox.write("halo.frag.agal", "// agal 1 fragment\nmul ft0, v0, fc0\nmul ft0, ft0, ft1\nmov oc, ft0\n");
    let ran = sandbox.run(&["compile", "halo.frag.agal", "-o", "halo.wgsl", "--format", "json"]).failure(1);
    assert_eq!(ran.err, shown);
}

#[test]
fn colours_are_as_asked_for() {
    let sandbox = folder();
    let err = |arguments: &[&str], set: &[(&str, &str)]| {
        let command = &mut sandbox.command(arguments);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR").env_remove("CLICOLOR_FORCE");
        let ran = command.envs(set.iter().copied()).output().expect("the command");
        String::from_utf8(ran.stderr).expect("text").contains('\u{1b}')
    };
    let wrong = &["verify", "wrong.agal"][..];
    let with = |option: &'static str| [wrong, &["--color", option]].concat();
    assert!(!err(wrong, &[]) && !err(&with("auto"), &[]) && !err(&with("never"), &[]));
    assert!(err(&with("always"), &[]) && err(&with("always"), &[("NO_COLOR", "1")]));
    assert!(err(wrong, &[("CLICOLOR_FORCE", "1")]) && !err(wrong, &[("CLICOLOR_FORCE", "0")]));
    assert!(!err(wrong, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!err(&with("never"), &[("CLICOLOR_FORCE", "1")]));
    // Errors in the command line are also coloured.
    assert!(err(&["verify", "--nothing", "--color=always"], &[]) && !err(&["verify", "--nothing"], &[]));
}

#[test]
fn quiet_runs_print_errors_and_warnings_only() {
    let sandbox = folder();
    let usual = sandbox.run(&["compile", "a.frag.agal", "-o", "a.wgsl"]).success();
    assert!(usual.err.contains("wrote a.wgsl"), "{}", usual.err);
    assert_eq!(sandbox.run(&["compile", "a.frag.agal", "-o", "a.wgsl", "--quiet"]).success().err, "");
    let warned = sandbox.run(&["-q", "validate", "wrong.agal", "--allow", "3647"]).success();
    assert!(warned.err.contains("warning[AGAL3647]"), "{}", warned.err);
    let loud = sandbox.run(&["compile", "a.vert.agal", "a.frag.agal", "-o", "a.wgsl", "-v"]).success();
    for part in ["note: read `a.vert.agal` (AGAL text, ", "note: read `a.frag.agal` (AGAL text, ", "wrote a.wgsl"] {
        assert!(loud.err.contains(part), "{part}: {}", loud.err);
    }
    sandbox.run(&["compile", "a.frag.agal", "-o", "a.wgsl", "-q", "-v"]).failure(2);
}

#[test]
fn wrong_command_lines_are_json_too() {
    let sandbox = pair();
    let ran = sandbox.run(&["compile", "a.frag.agal", "--too", "wgsl", "--format", "json"]).failure(2);
    assert!(
        document(&ran)["diagnostics"][0]["message"].as_str().expect("text").contains("unexpected argument '--too'")
    );
    let ran = sandbox.run(&["compile", "a.frag.agal", "--format=json"]).failure(2);
    assert!(document(&ran)["diagnostics"][0]["message"].as_str().expect("text").contains("no output"));
}

#[test]
fn standard_input_is_called_as_asked_for() {
    let sandbox = Sandbox::new();
    let named = sandbox.run_with(&["verify", "-", "--stdin-name", "shaders/a.agal"], WRONG.as_bytes()).failure(1);
    assert!(named.err.contains("┌─ shaders/a.agal:3:9"), "{}", named.err);
    let other = sandbox.run_with(&["verify", "-"], WRONG.as_bytes()).failure(1);
    assert!(other.err.contains("┌─ <stdin>:3:9"), "{}", other.err);
    assert!(FRAGMENT.len() > 10);
}

#[test]
fn a_missing_output_and_an_unknown_kind_are_answered_with_what_to_write() {
    let sandbox = pair();
    let none = sandbox.run(&["compile", "a.vert.agal", "a.frag.agal"]).failure(2);
    assert!(none.err.contains("-o a.wgsl") && none.err.contains("--to"), "{}", none.err);
    let metal = sandbox.run(&["compile", "a.frag.agal", "--to", "metl"]).failure(2);
    for kind in ["spirv", "wgsl", "glsl", "hlsl", "msl", "sdlbc"] {
        assert!(metal.err.contains(kind), "{kind}: {}", metal.err);
    }
    let no_folder = sandbox.run(&["render", "a.vert.agal", "a.frag.agal"]).failure(2);
    assert!(no_folder.err.contains("--output <OUT>"), "{}", no_folder.err);
}

#[test]
fn a_comment_with_a_hash_is_answered_with_how_to_write_one() {
    let sandbox = Sandbox::new();
    for text in ["mov oc, v0 # colour\n", "# the colour\nmov oc, v0\n", "mov oc, v0\n#\n", "  #colour\nmov oc, v0\n"] {
        sandbox.write("a.agal", text);
        let ran = sandbox.run(&["verify", "a.agal"]).failure(1);
        assert!(ran.err.contains("a comment begins with `//`"), "{text:?}: {}", ran.err);
    }
}

//! Tests how `validate` and `link` report findings, and which findings are errors. The tests of agal-front check under which
//! conditions each finding occurs.

use testing::{Effort, repository};

use std::path::Path;

use crate::support::sandbox::{Sandbox, assembled, pair};
use serde_json::Value;

const UNWRITTEN: &str = "// agal 1 fragment\nmul ft0, ft0, v0\nmov oc.xyz, ft0\nmov oc.w, v0\n";

fn one(text: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", text);
    sandbox
}

/// Returns the code and severity of each finding about the report's first program, and whether the player stops at the finding.
fn findings(report: &Value) -> Vec<(String, String, bool)> {
    let findings = report["programs"][0]["findings"].as_array().expect("findings");
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    findings.iter().map(|f| (text(&f["code"]), text(&f["severity"]), f["stops_player"] == true)).collect()
}

fn json(sandbox: &Sandbox, arguments: &[&str], code: i32) -> Value {
    let mut line = vec!["validate", "a.agal", "--format", "json"];
    line.extend(arguments);
    serde_json::from_str(sandbox.run(&line).failure(code).text()).expect("JSON")
}

#[test]
fn a_valid_pair_reports_nothing() {
    let sandbox = pair();
    let ran = sandbox.run(&["validate", "a.vert.agal", "a.frag.agal"]).success();
    assert_eq!((ran.text(), ran.err.as_str()), ("", ""));
}

#[test]
fn a_finding_shows_its_number_location_line_and_help_and_the_first_is_marked() {
    let ran = one(UNWRITTEN).run(&["validate", "a.agal"]).failure(1);
    for part in [
        "error[AGAL3647]: `ft0` is read, but nothing has written it",
        "a.agal:2:10",
        "mul ft0, ft0, v0\n  │          ^^^",
        "= fragment program, token 1, byte 15\n  = the player stops here\n  = help: write it on every path",
        "warning[AGAL3701]",
        "error: `a.agal` has 1 error\n",
    ] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
    assert_eq!(ran.err.matches("the player stops here").count(), 1);
    let sandbox = Sandbox::new();
    sandbox.write("a.agalbc", assembled(UNWRITTEN));
    let ran = sandbox.run(&["validate", "a.agalbc"]).failure(1);
    let part = "a.agalbc: `ft0` is read, but nothing has written it\n --> fragment program, token 1, byte 15: mul ft0, ft0, v0\n";
    assert!(ran.err.contains(part), "{}", ran.err);
}

#[test]
fn one_finding_of_a_pair_is_marked_even_if_a_program_cannot_be_read() {
    let fragment = assembled("// agal 1 fragment\nmov oc, fc0\n");
    let unknown = [&fragment[..1], &[9], &fragment[2..]].concat();
    for (vertex, stop) in [("mov op, vt0", "AGAL3647"), ("mov op.xyz, va0", "AGAL3617")] {
        let sandbox = Sandbox::new();
        sandbox.write("a.vert.agalbc", assembled(&format!("// agal 1 vertex\n{vertex}\n")));
        sandbox.write("a.frag.agalbc", &unknown);
        for files in [["a.vert.agalbc", "a.frag.agalbc"], ["a.frag.agalbc", "a.vert.agalbc"]] {
            let ran = sandbox.run(&["validate", files[0], files[1], "--format", "json"]).failure(1);
            let report: Value = serde_json::from_str(ran.text()).expect("JSON");
            let programs = report["programs"].as_array().expect("programs").iter();
            let findings = programs.flat_map(|program| program["findings"].as_array().expect("findings"));
            let marked: Vec<_> = findings.filter(|f| f["stops_player"] == true).map(|f| &f["code"]).collect();
            assert_eq!(marked, [stop], "{files:?}");
        }
    }
}

#[test]
fn the_rules_decide_what_is_an_error() {
    let sandbox = one("// agal 1 fragment\nMOV ft0, v0\nmov oc.xyz, ft0\nmov oc.w, ft0.w\n");
    let said = |arguments: &[&str], code| -> Vec<(String, String)> {
        let of = findings(&json(&sandbox, arguments, code));
        of.into_iter().map(|(code, severity, _)| (code, severity)).collect()
    };
    let list = |severities: [&str; 3]| -> Vec<(String, String)> {
        let codes = ["AGAL9116", "AGAL3701", "AGAL3701"];
        codes.iter().zip(severities).map(|(code, severity)| (code.to_string(), severity.to_string())).collect()
    };
    assert_eq!(said(&[], 0), list(["warning", "warning", "warning"]));
    assert_eq!(said(&["--compat", "player"], 1), list(["warning", "error", "error"]));
    assert_eq!(said(&["-W", "error"], 1), list(["error", "error", "error"]));
    assert_eq!(said(&["--compat", "player", "--allow", "AGAL3701"], 0), list(["warning", "warning", "warning"]));
    assert_eq!(said(&["--compat", "player", "--allow", "9116"], 1), list(["", "error", "error"])[1..]);
    assert_eq!(said(&["-W", "error", "--allow", "9116,3701"], 0), []);
    assert_eq!(said(&["-W", "allow"], 0), []);
}

#[test]
fn the_rules_apply_to_the_other_commands_too() {
    let sandbox = one("// agal 1 fragment\nmov oc.xyz, v0\nmov oc.w, v0\n");
    for command in [&["compile", "a.agal", "--to", "wgsl"][..], &["verify", "a.agal"], &["print", "a.agal"]] {
        let with = |arguments: &[&str]| sandbox.run(&[command, arguments].concat());
        assert!(with(&[]).success().err.contains("AGAL3701"));
        with(&["--compat", "player"]).failure(1);
        with(&["-W", "error"]).failure(1);
        assert_eq!(with(&["-W", "allow"]).success().err, "");
        assert_eq!(with(&["--allow", "3701"]).success().err, "");
    }
    sandbox.write("b.agal", "mov oc, v0;\n");
    for command in ["assemble", "disassemble"] {
        sandbox.run(&[command, "b.agal", "-o", "b"]).success();
        sandbox.run(&[command, "b.agal", "-o", "c", "-W", "error"]).failure(1);
    }
    assert!(!sandbox.files().contains(&"c".to_string()));
}

/// Only translation detects that the implicit mip level of a lookup is undefined.
#[test]
fn validate_rejects_what_compile_rejects() {
    let sandbox = one(
        "ife v0.x, fc0.x\nmul ft1, v0, fc0\ntex ft0, ft1, fs0 <2d,linear,miplinear>\nels\nmov ft0, fc0\neif\nmov oc, ft0\n",
    );
    sandbox.run(&["compile", "a.agal", "--to", "wgsl"]).failure(1);
    assert_eq!(findings(&json(&sandbox, &[], 1)), [("AGAL3741".into(), "error".into(), true)]);
    assert_eq!(findings(&json(&sandbox, &["--allow", "3741"], 0)), [("AGAL3741".into(), "warning".into(), true)]);
}

#[test]
fn findings_of_a_pair_are_reported_in_the_players_order() {
    let sandbox = Sandbox::new();
    sandbox.write("a.vert.agal", "mov op.xyz, va0\nmov v0.xy, va0\n");
    sandbox.write("a.frag.agal", "mov oc.xyz, v0\nmov oc.w, fc0\n");
    let ran = sandbox.run(&["validate", "a.frag.agal", "a.vert.agal"]).failure(1);
    let codes: Vec<&str> = ran.err.match_indices("[AGAL").filter_map(|(at, _)| ran.err.get(at + 5..at + 9)).collect();
    assert_eq!(codes, ["3701", "3701", "3632", "3633", "3635"]);
}

#[test]
fn constants_of_the_macro_language_are_in_the_report() {
    let sandbox = one("alias fc0, CONST(0.5, 1)\noc = v0 * 0.5\n");
    let report = json(&sandbox, &[], 0);
    let expected = serde_json::json!([{"register": "fc0", "values": [0.5, 1.0, 0.0, 0.0]}]);
    assert_eq!(report["programs"][0]["constants"], expected);
    assert_eq!(
        sandbox.run(&["validate", "a.agal", "--json"]).success().text(),
        sandbox.run(&["validate", "a.agal", "--format", "json"]).success().text()
    );
    let inspect = |format: &[&str]| sandbox.run(&[&["inspect", "a.agal"], format].concat()).success().into_text();
    assert_eq!(inspect(&["--json"]), inspect(&["--format", "json"]));
}

#[test]
fn a_format_that_agalc_writes_but_does_not_read_is_named() {
    let sandbox = pair();
    sandbox.run(&["compile", "a.vert.agal", "-o", "a.spv"]).success();
    let ran = sandbox.run(&["validate", "a.spv"]).failure(1);
    assert!(ran.err.contains("`a.spv` is SPIR-V"), "{}", ran.err);
    sandbox.write("nbsp.agal", "\u{a0}mov oc, v0\n");
    sandbox.run(&["validate", "nbsp.agal"]).success();
}

/// AwayJS writes the vertex part and the fragment part in one text.
#[test]
fn text_with_both_parts_is_a_pair() {
    let sandbox = pair();
    let read = |name| sandbox.text(name);
    let (vertex, fragment) = (read("a.vert.agal"), read("a.frag.agal"));
    sandbox.write("p.agal", format!("part fs fragment 1\n{fragment}endpart\npart vs vertex 1\n{vertex}endpart\n"));
    let ran = sandbox.run(&["validate", "p.agal"]).success();
    assert_eq!((ran.text(), ran.err.as_str()), ("", ""));
    assert_eq!(sandbox.run(&["link", "p.agal"]).success().text(), "varying  written  read\nv0       xyzw     xy\n");
    let wgsl = |inputs: &[&str]| sandbox.run(&[&["compile", "--to", "wgsl"], inputs].concat()).success().into_text();
    assert_eq!(wgsl(&["p.agal"]), wgsl(&["a.vert.agal", "a.frag.agal"]));
    let print = |inputs: &[&str]| sandbox.run(&[&["print"], inputs].concat()).success().into_text();
    assert_eq!(print(&["p.agal"]), print(&["a.vert.agal", "a.frag.agal"]));
    let piped = sandbox.run_with(&["print", "-"], &sandbox.read("p.agal")).success().into_text();
    assert_eq!(piped, print(&["p.agal"]), "standard input is read once");
    let alone = sandbox.run(&["validate", "p.agal", "--stage", "vertex"]).success();
    assert!(alone.err.contains("AGAL9137"), "{}", alone.err);
    sandbox.run(&["validate", "p.agal", "a.frag.agal"]).failure(2);
    sandbox.run(&["compile", "p.agal", "a.frag.agal", "--to", "wgsl"]).failure(1);
}

/// Adobe's first checker accepted version 0, which agalc accepts only with `--allow 3617`.
#[test]
fn version_0_can_be_allowed_and_keeps_its_bytes() {
    let sandbox = Sandbox::new();
    let mut bytes = assembled("// agal 1 fragment\nmov oc, v0\n");
    bytes[1] = 0;
    sandbox.write("a.agal", &bytes);
    assert!(sandbox.run(&["validate", "a.agal"]).failure(1).err.contains("--allow 3617"));
    let ran = sandbox.run(&["validate", "a.agal", "--allow", "3617"]).success();
    assert!(ran.err.contains("warning[AGAL3617]: a.agal: AGAL version 0 is not known"), "{}", ran.err);
    sandbox.run(&["compile", "a.agal", "--allow", "3617", "--to", "wgsl"]).success();
    sandbox.run(&["disassemble", "a.agal", "--allow", "3617", "-o", "b.agal"]).success();
    sandbox.run(&["assemble", "b.agal", "-o", "b"]).failure(1);
    sandbox.run(&["assemble", "b.agal", "--allow", "3617", "-o", "b"]).success();
    assert_eq!(sandbox.read("b"), bytes);
}

#[test]
fn every_kind_of_line_ending_ends_a_line() {
    for end in ["\n", "\r\n", "\r"] {
        let ran = one(&format!("mov ft0, v0{end}mov oc, zz{end}")).run(&["validate", "a.agal"]).failure(1);
        assert!(ran.err.contains("a.agal:2:9") && ran.err.contains("2 │ mov oc, zz\n"), "{end:?}: {}", ran.err);
    }
}

/// Adobe's assembler reads an unknown sampler option as a bias. The option is not a number, so the bias is 0.
#[test]
fn each_unknown_option_is_a_warning_and_a_bias_of_0() {
    for (options, same) in [
        ("2d,lenear,miplinear,-1", "2d,nearest,miplinear,-1"),
        // The last of several biases applies.
        ("2d,-1,lenear", "2d,0"),
        ("2d, wrapMode, minFilter", "2d"),
    ] {
        let sandbox = one(&format!("tex ft0, v0, fs0 <{options}>\nmov oc, ft0\n"));
        let ran = sandbox.run(&["assemble", "a.agal", "-o", "a"]).success();
        let unknown = options.split(',').filter(|word| ["lenear", " wrapMode", " minFilter"].contains(word)).count();
        assert_eq!(ran.err.matches("warning[AGAL9131]").count(), unknown, "{}", ran.err);
        assert_eq!(ran.err.contains("did you mean `linear`?"), options.contains("lenear"), "{}", ran.err);
        assert_eq!(sandbox.read("a"), assembled(&format!("tex ft0, v0, fs0 <{same}>\nmov oc, ft0\n")), "{options}");
    }
}

#[test]
fn profiles_limit_the_version() {
    let sandbox = one("// agal 2 fragment\nmov oc, v0\n");
    sandbox.run(&["validate", "a.agal", "--profile", "standard"]).success();
    let ran = sandbox.run(&["validate", "a.agal", "--profile", "baselineExtended"]).failure(1);
    assert!(
        ran.err.contains("AGAL3725") && ran.err.contains("baselineExtended supports AGAL only up to version 1"),
        "{}",
        ran.err
    );
    // If a text states no version, the text is checked against the version of the profile.
    let sandbox = one("mov ft8, v0\nddx ft0, ft8\nadd oc, ft0, ft8\n");
    let ran = sandbox.run(&["validate", "a.agal", "--profile", "baseline"]).failure(1);
    assert!(
        ran.err.contains("AGAL3661") && ran.err.contains("a.agal:1:5") && ran.err.contains("AGAL3726"),
        "{}",
        ran.err
    );
    let ran = sandbox.run(&["validate", "a.agal", "--profile", "basic"]).failure(2);
    assert!(ran.err.contains("baselineConstrained") && ran.err.contains("enhanced"), "{}", ran.err);
}

#[test]
fn json_reports_every_location() {
    let report = json(&one(UNWRITTEN), &[], 1);
    let program = &report["programs"][0];
    assert_eq!((&program["file"], &program["stage"]), (&"a.agal".into(), &"fragment".into()));
    assert_eq!((&program["version"], &program["tokens"]), (&1.into(), &3.into()));
    let first = &program["findings"][0];
    let fields =
        ["code", "severity", "stops_player", "attested", "token", "part", "byte", "instruction", "line", "column"];
    let expected: [Value; 10] = [
        "AGAL3647".into(),
        "error".into(),
        true.into(),
        true.into(),
        1.into(),
        "source 1".into(),
        15.into(),
        "mul ft0, ft0, v0".into(),
        2.into(),
        10.into(),
    ];
    for (field, expected) in fields.iter().zip(&expected) {
        assert_eq!(&first[field], expected, "{field}");
    }
    // Byte offsets include the byte order mark.
    let report = json(&one("\u{feff}mov oc, zz\n"), &[], 1);
    let finding = &report["programs"][0]["findings"][0];
    assert_eq!((&finding["start"], &finding["column"]), (&11.into(), &9.into()));
    // Bytes that do not form a program also cause a finding.
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", b"\xff\x01");
    let report = json(&sandbox, &[], 1);
    assert_eq!(report["programs"][0]["stage"], Value::Null);
    let codes: Vec<_> = findings(&report).into_iter().map(|(code, _, stops)| (code, stops)).collect();
    assert_eq!(codes, [("AGAL3615".into(), true), ("AGAL3616".into(), false)]);
    let report = json(&sandbox, &["--endian", "big"], 1);
    assert_eq!(findings(&report)[0], ("AGAL3612".into(), "error".into(), true));
}

#[test]
fn link_lists_the_varyings_and_their_mismatches() {
    let sandbox = Sandbox::new();
    sandbox.write("a.vert.agal", "mov op, va0\nmov v0, va0\nmov v1.xy, va0\nmov v2, va0\n");
    sandbox.write("a.frag.agal", "add ft0, v0.x, v1.y\nadd oc, ft0, v3.z\n");
    for inputs in [["a.vert.agal", "a.frag.agal"], ["a.frag.agal", "a.vert.agal"]] {
        let ran = sandbox.run(&["link", inputs[0], inputs[1]]).failure(1);
        assert_eq!(
            ran.text(),
            "varying  written  read\nv0       xyzw     x\nv1       xy       y     partly written\n\
             v2       xyzw     -     never read\nv3       -        z     never written\n"
        );
        for part in ["AGAL3632", "reads `v3`", "AGAL3633", "but not `v1.zw`"] {
            assert!(ran.err.contains(part), "{part}: {}", ran.err);
        }
    }
    let ran = sandbox.run(&["link", "a.vert.agal", "a.frag.agal", "--format", "json"]).failure(1);
    let report: Value = serde_json::from_str(ran.text()).expect("JSON");
    assert_eq!(report["varyings"][1], serde_json::json!({"number": 1, "written": "xy", "read": "y"}));
    sandbox.run(&["link", "a.vert.agal"]).failure(2);
    let ran = sandbox.run(&["link", "a.vert.agal", "a.vert.agal"]).failure(1);
    assert!(ran.err.contains("AGAL3630"), "{}", ran.err);
    let ran = sandbox.run(&["validate", "a.vert.agal", "a.vert.agal", "--allow", "3633"]).failure(1);
    assert!(ran.err.contains("AGAL3630") && !ran.err.contains("AGAL9002"), "{}", ran.err);
}

/// All programs of testdata and the corpus must be free of errors, except for two corpus programs that test special opcodes.
#[test]
fn programs_that_the_player_accepts_validate() {
    let root = repository();
    let listed = |folder: &Path, extension: &str| -> Vec<String> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path().to_string_lossy().into_owned());
        let mut paths: Vec<String> = paths.filter(|path| path.ends_with(extension)).collect();
        paths.sort();
        paths
    };
    let sandbox = Sandbox::new();
    let vertex = listed(&root.join("testdata/pairs"), ".vert.agal");
    assert!(vertex.len() > 90);
    for vertex in Effort::part_of("PAIRS", &vertex) {
        let fragment = vertex.replace(".vert.", ".frag.");
        let ran = sandbox.run(&["validate", vertex, &fragment, "--compat", "player", "--allow-ted"]).success();
        assert!(!ran.err.contains("AGAL9008"), "no operands are exchanged: {}", ran.err);
    }
    let mut corpus = listed(&root.join("../shared/corpus"), ".agalbc");
    if corpus.is_empty() {
        testing::say("SKIPPED: there is no ../shared/corpus");
    }
    corpus.retain(|program| !program.contains("misc_opcodes_vertex"));
    for program in Effort::part_of("PROGRAMS", &corpus) {
        let ran = sandbox.run(&["validate", program]).success();
        assert!(!ran.err.contains("AGAL9008"), "no operands are exchanged: {}", ran.err);
        if !program.contains("misc_opcodes") {
            sandbox.run(&["validate", program, "--compat", "player"]).success();
        }
    }
}

/// Only the first thousand findings are printed. The time per finding does not depend on the length of the text.
#[test]
fn a_long_text_of_mistakes_is_reported_quickly_and_all_are_counted() {
    let lines = Effort::of("LINES", 60_000).cases as usize;
    let sandbox = one(&format!("// agal 1 fragment\n{}", "mvo ft0, v0, fc0\n".repeat(lines)));
    let before = std::time::Instant::now();
    let ran = sandbox.run(&["validate", "a.agal"]).failure(1);
    // Copying the source text for each finding would take more than a minute.
    assert!(before.elapsed().as_secs() < 20, "{:?}", before.elapsed());
    assert_eq!(ran.err.matches("error[AGAL9101]").count(), 1000);
    assert!(ran.err.contains(&format!("note: {} further findings are not shown\n", lines - 1000)));
    assert!(ran.err.trim_end().ends_with(&format!("error: `a.agal` has {lines} errors")));
    let report = json(&sandbox, &[], 1);
    let findings = report["programs"][0]["findings"].as_array().expect("findings");
    assert_eq!(findings.len(), 1001);
    let last = &findings[1000];
    assert_eq!((&last["code"], &last["severity"]), (&"AGAL9098".into(), &"error".into()));
    let message = format!("{} further errors are not listed", lines - 1000);
    assert_eq!(last["message"], Value::from(message));
    let ran = sandbox.run(&["compile", "a.agal", "--to", "wgsl"]).failure(1);
    let note = format!("note: a.agal: {} further findings are not shown", lines - 20);
    assert!(ran.err.contains(&note) && ran.err.contains(&format!("has {lines} errors")), "{}", ran.err);
}

/// Compares the messages for typical mistakes with the files in testdata/agal/mistakes.
#[test]
fn each_mistake_of_a_newcomer_is_reported_with_its_fix() {
    let folder = repository().join("testdata/agal/mistakes");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder").flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "agal") {
            continue;
        }
        count += 1;
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let sandbox = Sandbox::new();
        sandbox.write(&name, std::fs::read(&path).expect("the text"));
        let ran = sandbox.run(&["validate", &name]);
        assert!(ran.err.contains("= help: ") || ran.err.contains("did you mean"), "{name}: {}", ran.err);
        let expected = format!("testdata/agal/mistakes/{}", name.replace(".agal", ".txt"));
        testing::expect(&expected, &ran.err).unwrap_or_else(|difference| panic!("{difference}"));
    }
    assert!(count >= 10);
}

#[test]
fn the_version_of_the_swf_and_that_of_agal_belong_together() {
    for (agal, swf, first) in
        [(1, 9, None), (2, 24, Some(25)), (2, 25, None), (3, 27, Some(28)), (3, 28, None), (4, 50, None)]
    {
        let sandbox = one(&format!("// agal {agal} fragment\nmov oc, v0\n"));
        let version = swf.to_string();
        let line = ["validate", "a.agal", "--swf-version", &version];
        let ran = sandbox.run(&line).success();
        let said = first.map_or(String::new(), |first| {
            format!("`a.agal` is in AGAL {agal}, which the player accepts in SWF version {first} and later")
        });
        assert_eq!(ran.err.contains("SWF version"), first.is_some(), "{}", ran.err);
        assert!(ran.err.contains(&said), "{}", ran.err);
        if first.is_some() {
            sandbox.run(&[&line[..], &["-W", "error"]].concat()).failure(1);
        }
    }
}

#[test]
fn bits_of_samplers_that_are_not_published_are_told_under_the_players_rules() {
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", "// agal 1 fragment\ntex oc, v0, fs0 <2d,linear,dxt5,ignoresampler>\n");
    let lenient = sandbox.run(&["validate", "a.agal", "-W", "error"]).success();
    assert!(!lenient.err.contains("AGAL9025"), "{}", lenient.err);
    let player = sandbox.run(&["validate", "a.agal", "--compat", "player"]).success();
    for bits in ["51:48 (flags) of the sampler are 4", "43:40 (format) of the sampler are 2"] {
        assert!(player.err.contains(bits), "{}", player.err);
    }
    sandbox.run(&["validate", "a.agal", "--compat", "player", "--allow", "9025", "-W", "error"]).success();
}

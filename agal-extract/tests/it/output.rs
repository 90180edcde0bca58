//! Tests the output of handmade extractions: file names, headers, comments, templates, fills and the manifest.

use agal_extract::{
    Alternative, ByteOrder, Code, Condition, Extraction, Fills, Hole, Language, OutputOptions, Pair, Piece, Place,
    Program, ProgramId, Site, Summary, Template,
};
use agalc::Stage;
use serde_json::Value;

pub(crate) fn extraction() -> Extraction {
    let mut extraction = Extraction::default();
    let mut summary = Summary::default();
    (summary.name, summary.kind) = ("game.swf".to_string(), "SWF 14, zlib".to_string());
    extraction.inputs.push(summary);
    extraction
}

fn of(programs: Vec<Program>) -> Extraction {
    let mut extraction = extraction();
    extraction.programs = programs;
    extraction
}

pub(crate) fn place(class: &str, method: &str, at: u32) -> Place {
    let site = Site::Method { class: class.to_string(), method: method.to_string(), at, inherited_from: None };
    Place { input: 0, path: vec!["DoABC 1".to_string()], site, conditions: Vec::new() }
}

/// Returns a place with conditions such as `mip`, `!mip` or `format=dxt1`.
fn place_when(class: &str, method: &str, conditions: &[&str]) -> Place {
    let condition = |text: &&str| match (text.strip_prefix('!'), text.split_once('=')) {
        (Some(expression), _) => Condition { expression: expression.to_string(), taken: Alternative::False },
        (None, Some((expression, value))) => {
            Condition { expression: expression.to_string(), taken: Alternative::Is(value.to_string()) }
        }
        (None, None) => Condition { expression: (*text).to_string(), taken: Alternative::True },
    };
    Place { conditions: conditions.iter().map(condition).collect(), ..place(class, method, 1) }
}

/// Returns a template in which every second part is the name of a hole.
fn template(parts: &[&str]) -> Template {
    let piece = |(at, part): (usize, &&str)| match at % 2 {
        0 => Piece::Text((*part).to_string()),
        _ => Piece::Hole((*part).to_string()),
    };
    let hole = |name: &&str| {
        let hole = Hole { expression: format!("this.{name}"), place: Some(place("com.a.Blur", "render", 40)) };
        ((*name).to_string(), hole)
    };
    Template {
        pieces: parts.iter().enumerate().map(piece).collect(),
        holes: parts.iter().skip(1).step_by(2).map(hole).collect(),
    }
}

pub(crate) fn text(stage: Option<Stage>, version: Option<u32>, parts: &[&str], places: Vec<Place>) -> Program {
    Program {
        code: Code::Text { text: template(parts), language: Language::Mini },
        stage,
        version,
        is_piece: false,
        places,
    }
}

pub(crate) fn bytecode(text: &str) -> Vec<u8> {
    agal_front::assemble::assemble(text, &Default::default()).expect("a program").program.encode()
}

pub(crate) const VERTEX: &str = "m44 op, va0, vc0\nmov v0, va1\n";
pub(crate) const FRAGMENT: &str = "tex ft0, v0, fs0 <2d,linear>\nmov oc, ft0\n";
const V: Option<Stage> = Some(Stage::Vertex);
const F: Option<Stage> = Some(Stage::Fragment);

pub(crate) fn pair(vertex: usize, fragment: usize) -> Pair {
    let place = place("com.a.Main", "upload", 9);
    Pair { vertex: ProgramId(vertex), fragment: ProgramId(fragment), places: vec![place], is_probable: false }
}

pub(crate) fn files(extraction: &Extraction) -> Vec<String> {
    files_with(extraction, &OutputOptions::default())
}

fn files_with(extraction: &Extraction, options: &OutputOptions) -> Vec<String> {
    extraction.output(options).files.into_iter().map(|file| file.name).collect()
}

fn contents(extraction: &Extraction, options: &OutputOptions, name: &str) -> String {
    let output = extraction.output(options);
    let file = output.files.into_iter().find(|file| file.name == name).unwrap_or_else(|| panic!("no {name}"));
    String::from_utf8(file.bytes).expect("text")
}

fn manifest(extraction: &Extraction, options: &OutputOptions) -> Value {
    serde_json::from_str(&extraction.output(options).manifest.to_json()).expect("JSON")
}

#[test]
fn a_pair_has_one_name_and_a_variant_that_of_its_condition() {
    let mut found = extraction();
    for conditions in [&["mip"][..], &["!mip"]] {
        let render = || vec![place_when("com.a.Blur", "render", conditions)];
        found.programs.push(text(V, None, &[&format!("{VERTEX}// {conditions:?}")], render()));
        found.programs.push(text(F, None, &[&format!("{FRAGMENT}// {conditions:?}")], render()));
    }
    found.pairs = vec![pair(0, 1), pair(2, 3)];
    assert_eq!(files(&found), ["Blur.mip.vert.agal", "Blur.mip.frag.agal", "Blur.vert.agal", "Blur.frag.agal"]);
    let second = contents(&found, &OutputOptions::default(), "Blur.frag.agal");
    let lines =
        ["// from game.swf, DoABC 1: com.a.Blur.render, offset 1", "// when not mip", "tex ft0, v0, fs0 <2d,linear>"];
    assert_eq!(second.lines().take(3).collect::<Vec<_>>(), lines);
    let manifest = manifest(&found, &OutputOptions::default());
    assert_eq!(manifest["pairs"][1]["vertex"], "Blur.vert.agal");
    // The two fragment programs belong to the same family.
    let families = [0, 1, 2, 3].map(|at| &manifest["programs"][at]["family"]);
    assert!(families.iter().all(|family| family.is_number()) && families[1] == families[3], "{families:?}");
    assert_eq!(manifest["programs"][3]["places"][0]["when"][0], serde_json::json!({"expression": "mip", "is": false}));
}

#[test]
fn a_pair_with_a_shared_program_is_named_after_the_class_that_both_are_of() {
    let mut found = extraction();
    let (blur, glow, glow_too) =
        (place("com.a.Blur", "create", 1), place("com.a.Glow", "create", 2), place("com.a.Glow", "other", 3));
    found.programs.push(text(V, None, &[VERTEX], vec![blur.clone(), glow.clone()]));
    for (line, of) in [("mov oc, v0\n", blur), ("mov oc, v0.xyxy\n", glow), ("mov oc, v0.xxxx\n", glow_too)] {
        found.programs.push(text(F, None, &[line], vec![of]));
    }
    found.pairs = vec![pair(0, 1), pair(0, 2), pair(0, 3)];
    let each = OutputOptions::default().each_pair(true);
    let names: Vec<String> =
        files_with(&found, &each).into_iter().filter(|name| name.ends_with(".frag.agal")).collect();
    // The programs of the third pair have no method in common.
    assert_eq!(names, ["Blur.frag.agal", "Glow.create.frag.agal", "Glow.frag.agal"]);
}

#[test]
fn a_pair_that_a_constructor_assembles_for_others_is_named_after_the_class_that_gives_it_a_program() {
    let mut found = extraction();
    found.programs.push(text(V, None, &[VERTEX], vec![place("com.a.Sprite", "initProgram", 1)]));
    found.programs.push(text(F, None, &["mov oc, v0\n"], vec![place("com.a.Shader", "new", 2)]));
    let by = |method| Pair { places: vec![place("com.a.Shader", method, 3)], ..pair(0, 1) };
    found.pairs = vec![by("new")];
    assert_eq!(files(&found), ["Sprite.vert.agal", "Sprite.frag.agal"]);
    // The name of an ordinary method describes the result, whereas a constructor has no descriptive name.
    found.pairs = vec![by("compile")];
    assert_eq!(files(&found), ["Shader.vert.agal", "Shader.frag.agal"]);
}

#[test]
fn a_program_of_several_pairs_is_written_once_unless_each_pair_has_its_own_files() {
    let mut found = extraction();
    let render = || vec![place("com.a.Blur", "render", 1)];
    found.programs.push(text(V, None, &[VERTEX], render()));
    for line in ["mov oc, v0\n", "mov oc, v0.xyxy\n"] {
        found.programs.push(text(F, None, &[line], render()));
    }
    found.pairs = vec![pair(0, 1), pair(0, 2)];
    assert_eq!(files(&found), ["Blur.vert.agal", "Blur.frag.agal", "Blur.2.frag.agal"]);
    assert_eq!(manifest(&found, &OutputOptions::default())["pairs"][1]["vertex"], "Blur.vert.agal");
    let each = OutputOptions::default().each_pair(true);
    let mut expected: Vec<String> = files(&found);
    expected.insert(1, "Blur.2.vert.agal".to_string());
    assert_eq!(files_with(&found, &each), expected);
    let manifest = manifest(&found, &each);
    assert_eq!(manifest["pairs"][1]["vertex"], "Blur.2.vert.agal");
    assert_eq!(manifest["programs"][0]["copies"], serde_json::json!(["Blur.2.vert.agal"]));
    assert_eq!(manifest["counts"]["programs"], 3);
}

#[test]
fn programs_that_are_not_a_pair_never_look_like_one() {
    let mut found = extraction();
    let render = || vec![place("com.a.Blur", "render", 1)];
    found.programs.push(text(V, None, &[VERTEX], render()));
    found.programs.push(text(F, None, &[FRAGMENT], render()));
    found.programs.push(text(None, None, &["add ft0"], render()));
    assert_eq!(files(&found), ["Blur.vert.agal", "Blur.2.frag.agal", "Blur.3.agal"]);
}

#[test]
fn a_pair_from_two_places_is_named_after_what_they_share() {
    let mut found = extraction();
    found.programs.push(text(V, None, &[VERTEX], vec![place("com.a.Blur", "vertex", 1)]));
    found.programs.push(text(F, None, &[FRAGMENT], vec![place("com.a.Blur", "fragment", 1)]));
    found.programs.push(text(F, None, &["mov oc, v0"], vec![place("com.a.Glow", "fragment", 1)]));
    found.programs.push(text(V, None, &["mov op, va0"], vec![place("com.a.Base", "vertex", 1)]));
    found.pairs = vec![pair(0, 1), pair(3, 2)];
    // The second pair is named after the call that uploads it.
    let names = ["Blur.vert.agal", "Blur.frag.agal", "Main.frag.agal", "Main.vert.agal"];
    assert_eq!(files(&found), names);
}

#[test]
fn packages_are_added_only_where_two_classes_have_the_same_name() {
    let mut found = extraction();
    for (at, class) in ["com.a.Blur", "com.b::blur", "com.c.Glow"].into_iter().enumerate() {
        let line = format!("mov ft0, v{at}\nmov oc, ft0");
        found.programs.push(text(F, None, &[&line], vec![place(class, "render", 1)]));
    }
    assert_eq!(files(&found), ["com.a.Blur.frag.agal", "com.b.blur.frag.agal", "Glow.frag.agal"]);
}

#[test]
fn obfuscated_names_become_short_and_safe_and_stay_different() {
    let long = "n".repeat(300);
    let classes =
        ["\u{1}\u{2}", "\u{3}", "§!x", "../../etc/passwd", "a b", "aux", &long, "ö", "-rf", "CON", "", "\u{202e}"];
    let mut found = extraction();
    for (at, class) in classes.into_iter().enumerate() {
        let line = format!("mov ft0, v0\nadd oc, ft0, fc{at}");
        found.programs.push(text(F, None, &[&line], vec![place(class, "", 1)]));
    }
    let names = files(&found);
    let folded: std::collections::BTreeSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
    assert_eq!(folded.len(), classes.len(), "{names:?}");
    for name in &names {
        let is_safe = |c: char| c.is_ascii_alphanumeric() || "_$-.".contains(c);
        assert!(name.chars().all(is_safe) && name.len() < 80 && !name.starts_with(['.', '-']), "{name}");
        assert!(!name.to_lowercase().starts_with("aux.") && !name.to_lowercase().starts_with("con."), "{name}");
    }
    // The name of a program does not depend on other programs.
    let alone = of(vec![found.programs[2].clone()]);
    assert_eq!(files(&alone), [names[2].clone()]);
}

#[test]
fn data_is_named_after_the_class_that_embeds_it_or_after_its_place() {
    let mut found = extraction();
    for (symbol, offset) in [(Some("com.a.Shader_Bytes"), 0), (None, 420)] {
        let site = Site::Data { symbol: symbol.map(str::to_string), offset };
        let path = vec!["library.swf".to_string(), "DefineBinaryData 7".to_string()];
        let places = vec![Place { input: 0, path, site, conditions: Vec::new() }];
        let code = Code::Bytecode { bytes: bytecode(FRAGMENT), order: ByteOrder::Little };
        found.programs.push(Program { code, stage: F, version: Some(1), is_piece: false, places });
    }
    assert_eq!(files(&found), ["Shader_Bytes.frag.agalbc", "game.DefineBinaryData7.420.frag.agalbc"]);
}

#[test]
fn a_header_is_written_only_where_the_text_does_not_tell_stage_and_version() {
    let options = OutputOptions::default();
    let written = |program: Program| {
        let found = of(vec![program]);
        let name = files(&found)[0].clone();
        contents(&found, &options, &name)
    };
    let here = || vec![place("A", "b", 1)];
    let first = |text: &str| text.lines().next().expect("a line").to_string();
    // A program that uses nothing but varyings may belong to either stage.
    let open = "mov v0, v1\n";
    assert_eq!(first(&written(text(V, Some(1), &["mov op, va0\r\nmov v0, va1"], here()))), "// agal 1 vertex");
    assert_eq!(first(&written(text(V, None, &[VERTEX], here()))), "// from game.swf, DoABC 1: A.b, offset 1");
    assert_eq!(first(&written(text(F, Some(2), &[FRAGMENT], here()))), "// agal 2 fragment");
    assert_eq!(first(&written(text(V, None, &[open], here()))), "// agal 1 vertex");
    // A comment before the program's text would push the text's own header off the first line.
    assert_eq!(first(&written(text(None, None, &["// agal 3 fragment\nmov oc, v0"], here()))), "// agal 3 fragment");
    let kept = written(text(F, None, &["// sum\r\n\r\n  tex ft0, v0, fs0 <2d>\r\nmov oc, ft0"], here()));
    assert!(kept.ends_with("\n// sum\n\n  tex ft0, v0, fs0 <2d>\nmov oc, ft0\n"), "{kept}");
}

#[test]
fn what_is_written_assembles_to_what_was_found() {
    for path in testing::files(&testing::testdata("pairs"), ".agal") {
        let source = std::fs::read_to_string(&path).expect("a program");
        let input = agalc::Input { name: "a".to_string(), bytes: source.clone().into_bytes() };
        let options = agalc::Options::default();
        let read = |input: &agalc::Input| {
            let program = agalc::Source::open(input, &options).read_one(&options);
            let program = program.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            program.agal().unwrap_or_else(|| panic!("{}", path.display())).program.clone()
        };
        let program = read(&input);
        let places = vec![place_when("A", "b", &["c", "!d"])];
        let mut found = text(Some(program.stage), Some(program.version), &[&source], places);
        if let Code::Text { language, .. } = &mut found.code
            && source.contains("macro ")
        {
            *language = Language::Macro;
        }
        let found = of(vec![found]);
        let output = found.output(&OutputOptions::default());
        let again = agalc::Input { name: "b".to_string(), bytes: output.files[0].bytes.clone() };
        assert_eq!(read(&again), program, "{}", path.display());
    }
}

#[test]
fn a_text_with_holes_is_a_template_that_no_tool_takes_for_a_program() {
    let mut found = extraction();
    let parts = [
        "tex ft0, v0, fs0 <",
        "tex flags",
        ">\nmul ft0, ft0, ",
        "reg fc",
        "\nmov oc, ft0 // {a}\nmov ft1, ",
        "reg fc",
        "",
    ];
    found.programs.push(text(F, Some(1), &parts, vec![place("com.a.Blur", "render", 1)]));
    assert_eq!(files(&found), ["templates/Blur.frag.agal.in"]);
    let expected = "\
// agal 1 fragment
// from game.swf, DoABC 1: com.a.Blur.render, offset 1
// holes {tex flags}, {reg fc}
tex ft0, v0, fs0 <{tex flags}>
mul ft0, ft0, {reg fc}
mov oc, ft0 // {{a}}
mov ft1, {reg fc}
";
    assert_eq!(contents(&found, &OutputOptions::default(), "templates/Blur.frag.agal.in"), expected);
    let manifest = manifest(&found, &OutputOptions::default());
    let holes: Vec<&Value> =
        manifest["programs"][0]["holes"].as_array().expect("holes").iter().map(|hole| &hole["name"]).collect();
    assert_eq!(holes, ["tex flags", "reg fc"]);
    let hole = &manifest["programs"][0]["holes"][0];
    assert_eq!((&hole["expression"], &hole["place"]["offset"]), (&"this.tex flags".into(), &40.into()));
    assert_eq!(manifest["programs"][0]["findings"], serde_json::json!([]));
    assert_eq!((&manifest["counts"]["with_holes"], &manifest["counts"]["complete"]), (&1.into(), &0.into()));
}

#[test]
fn fills_complete_a_template_and_the_manifest_says_which() {
    let mut found = extraction();
    let parts = ["tex ft0, v0, fs0 <", "tex flags", ">\nmul ft0, ft0, ", "reg fc", "\nmov oc, ft0"];
    found.programs.push(text(F, None, &parts, vec![place("com.a.Blur", "render", 1)]));
    let mut options = OutputOptions::default();
    for fill in ["tex flags=2d,linear,mipnone", "reg f=fc0"] {
        options.fills.push(fill).expect("a fill");
    }
    // The second fill matches no hole, so one hole is still open.
    let manifest = manifest(&found, &options);
    assert_eq!(manifest["programs"][0]["file"], "templates/Blur.frag.agal.in");
    assert_eq!(manifest["programs"][0]["fills"], serde_json::json!({"tex flags": "2d,linear,mipnone"}));
    assert_eq!(manifest["unused_fills"], serde_json::json!(["reg f=fc0"]));
    options.fills.push("Blur:reg fc=fc0").expect("a fill");
    let written = contents(&found, &options, "Blur.frag.agal");
    assert!(written.ends_with("tex ft0, v0, fs0 <2d,linear,mipnone>\nmul ft0, ft0, fc0\nmov oc, ft0\n"), "{written}");
    let manifest = self::manifest(&found, &options);
    assert_eq!((&manifest["counts"]["filled"], &manifest["counts"]["with_holes"]), (&1.into(), &0.into()));
    let assembled = bytecode("tex ft0, v0, fs0 <2d,linear,mipnone>\nmul ft0, ft0, fc0\nmov oc, ft0");
    assert_eq!(manifest["programs"][0]["hash"], agal_extract::hash_of(&assembled));
}

/// Returns the name of each output, and its text without comments. The inputs are fragment programs that differ only in their
/// classes.
fn filled(fills: &Fills, parts: &[&str], classes: &[&str]) -> Vec<(String, String)> {
    let found = of(classes.iter().map(|class| text(F, None, parts, vec![place(class, "new", 1)])).collect());
    let options = OutputOptions::default().fills(fills.clone()).all_variants(true);
    let code = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).expect("text");
        text.lines().filter(|line| !line.starts_with("//")).collect::<Vec<_>>().join("\n")
    };
    found.output(&options).files.into_iter().map(|file| (file.name, code(file.bytes))).collect()
}

#[track_caller]
fn fill(fills: &Fills, parts: &[&str], classes: &[&str], expected: &[(&str, &str)]) {
    let expected: Vec<(String, String)> =
        expected.iter().map(|(name, code)| (name.to_string(), code.to_string())).collect();
    assert_eq!(filled(fills, parts, classes), expected);
}

#[test]
fn a_fill_of_a_program_wins_over_one_of_all_and_a_later_one_over_an_earlier_one() {
    let mut fills = Fills::default();
    for argument in ["Blur:n=3", "n=1", "n=2", "Blu:n=4", "Blur.frag:m=5"] {
        fills.push(argument).expect("a fill");
    }
    let expected = [
        ("templates/Glow.frag.agal.in", "mul ft2, ft{m}"),
        ("Blur.frag.agal", "mul ft3, ft5"),
        ("templates/Blur.2.frag.agal.in", "mul ft3, ft{m}"),
    ];
    fill(&fills, &["mul ft", "n", ", ft", "m", "\n"], &["Glow", "Blur", "Blur"], &expected);
}

#[test]
fn names_of_holes_may_have_equals_signs_and_colons() {
    let mut fills = Fills::default();
    fills.push("a == 1 ? b : c=x=y\\nz\\\\").expect("a fill");
    fills.push("Blur:a::b=1").expect("a fill");
    fill(&fills, &["", "a == 1 ? b : c"], &["Blur"], &[("Blur.frag.agal", "x=y\nz\\")]);
    let expected = [("Blur.frag.agal", "1"), ("templates/Glow.frag.agal.in", "{a::b}")];
    fill(&fills, &["", "a::b"], &["Blur", "Glow"], &expected);
}

#[test]
fn a_file_of_fills_has_holes_and_tables_of_programs() {
    let mut fills = Fills::default();
    let text = "\"tex flags\" = \"2d\"\n[programs.\"Blur\"]\n\"tex flags\" = \"cube\"\n";
    fills.push_toml(text).expect("fills");
    let of = |glow, blur| [("Glow.frag.agal", glow), ("Blur.frag.agal", blur)];
    let parts = ["tex oc, v0, fs0 <", "tex flags", ">"];
    let (square, cube) = ("tex oc, v0, fs0 <2d>", "tex oc, v0, fs0 <cube>");
    fill(&fills, &parts, &["Glow", "Blur"], &of(square, cube));
    fills.push("templates/Glow.frag.agal.in:tex flags=3d").expect("a fill");
    fill(&fills, &parts, &["Glow", "Blur"], &of("tex oc, v0, fs0 <3d>", cube));
    assert!(fills.push_toml("a = 1").is_err() && fills.push_toml("a =").is_err());
    assert!(fills.push("=1").is_err() && fills.push("a").is_err());
}

#[test]
fn what_no_hole_takes_is_told() {
    let mut options = OutputOptions::default();
    options.fills.push("n=1").expect("a fill");
    options.fills.push_toml("m = \"2\"\n[programs.A]\nn = \"3\"").expect("fills");
    let found = of(vec![text(F, None, &["", "n"], vec![place("B", "new", 1)])]);
    assert_eq!(found.output(&options).manifest.unused_fills, ["m=2", "A:n=3"]);
}

#[test]
fn big_endian_bytecode_is_turned_round_and_the_manifest_says_so() {
    let mut found = extraction();
    let little = bytecode(FRAGMENT);
    let mut big = little.clone();
    big[1..5].reverse();
    big[7..].chunks_mut(4).for_each(<[u8]>::reverse);
    for (bytes, order) in [(big, ByteOrder::Big), (little.clone(), ByteOrder::Little)] {
        let code = Code::Bytecode { bytes, order };
        found.programs.push(Program {
            code,
            stage: F,
            version: Some(1),
            is_piece: false,
            places: vec![place("A", "b", 1)],
        });
    }
    let output = found.output(&OutputOptions::default());
    assert!(output.files.iter().all(|file| file.bytes == little));
    let manifest = manifest(&found, &OutputOptions::default());
    assert_eq!(
        (&manifest["programs"][0]["byte_order"], &manifest["programs"][1]["byte_order"]),
        (&"big".into(), &"little".into())
    );
    assert_eq!(manifest["programs"][0]["same_bytes"], "A.2.frag.agalbc");
}

#[test]
fn the_manifest_has_what_the_validator_says_at_the_lines_of_the_file() {
    let mut found = extraction();
    let here = || vec![place("A", "b", 1), place("A", "c", 2)];
    found.programs.push(text(V, None, &["mov op, va0\nmov v0, va0"], here()));
    found.programs.push(text(F, None, &["mov ft0, ft1\nmov oc, ft0"], here()));
    found.programs.push(text(F, None, &["mov oc, v1"], here()));
    found.programs.push(text(F, None, &["mov oc, v0\nfoo bar"], here()));
    found.pairs = vec![pair(0, 1), pair(0, 2)];
    let manifest = manifest(&found, &OutputOptions::default());
    let finding = &manifest["programs"][1]["findings"][0];
    assert_eq!(
        (&finding["code"], &finding["severity"], &finding["line"]),
        (&"AGAL3647".into(), &"error".into(), &2.into())
    );
    assert_eq!(manifest["programs"][2]["findings"], serde_json::json!([]), "alone it is legal");
    let codes: Vec<&Value> =
        manifest["pairs"][1]["findings"].as_array().expect("findings").iter().map(|of| &of["code"]).collect();
    assert!(codes.contains(&&"AGAL3632".into()), "{codes:?}");
    assert_eq!(manifest["programs"][3]["findings"][0]["severity"], "error");
    assert_eq!(manifest["counts"]["with_errors"], 2);
}

#[test]
fn a_head_has_at_most_three_lines_of_120_columns_whatever_is_known() {
    let long = "com.".repeat(50);
    let conditions: Vec<String> = (0..40).map(|at| format!("this.renderer.options.flag{at}()")).collect();
    let conditions: Vec<&str> = conditions.iter().map(String::as_str).collect();
    let places = |method: &str| (0..9).map(|_| place_when(&format!("{long}Blur"), method, &conditions)).collect();
    let holes: Vec<String> = (0..60).map(|at| format!("hole {at}")).collect();
    let parts: Vec<&str> = holes.iter().flat_map(|hole| ["mov oc, ", hole]).collect();
    let found = of(vec![
        text(V, Some(1), &["mov op, va0\nmov v0, va1"], places("a")),
        text(F, Some(1), &parts, places("b")),
        text(F, None, &parts, places("c")),
    ]);
    let output = found.output(&OutputOptions::default());
    for file in &output.files {
        let written = String::from_utf8(file.bytes.clone()).expect("text");
        let head: Vec<&str> = written.lines().take_while(|line| line.starts_with("//")).collect();
        assert_eq!(head.len(), 3, "{written}");
        assert!(head.iter().all(|line| line.chars().count() <= 120), "{written}");
        assert!(written.contains("Blur.") && written.contains("when renderer.options.flag0(); "), "{written}");
    }
    let first = String::from_utf8(output.files[0].bytes.clone()).expect("text");
    assert!(first.contains(", offset 1, and 8 more places\n"), "{first}");
    let template = String::from_utf8(output.files[1].bytes.clone()).expect("text");
    assert!(
        template.starts_with("// agal 1 fragment\n") && template.contains("// holes {hole 0}, {hole 1}"),
        "{template}"
    );
}

#[test]
fn a_head_says_what_holds_at_all_places_and_the_manifest_the_rest() {
    let places = |sets: [&[&str]; 2]| sets.into_iter().map(|set| place_when("A", "b", set)).collect::<Vec<_>>();
    let head = |sets| {
        let found = of(vec![text(F, None, &["mov oc, v0"], places(sets))]);
        let written = contents(&found, &OutputOptions::default(), "A.frag.agal");
        written.lines().skip_while(|line| !line.contains("from")).nth(1).expect("a line").to_string()
    };
    assert_eq!(head([&["a", "b=dxt1"], &["a", "b=dxt1"]]), "// when a; b is dxt1");
    assert_eq!(head([&["a", "!b"], &["a"]]), "// when a");
    assert_eq!(head([&["a", "!b"], &["a", "c"]]), "// when a; and one of 2 sets of other conditions");
    assert_eq!(head([&["a"], &["!a"]]), "// under one of 2 sets of conditions");
    assert!(!head([&["a"], &[]]).contains("when"));
}

#[test]
fn the_manifest_lists_the_first_places_and_conditions_and_findings_and_counts_the_others() {
    let conditions: Vec<String> = (0..40).map(|at| format!("c{at}")).collect();
    let conditions: Vec<&str> = conditions.iter().map(String::as_str).collect();
    let places: Vec<Place> = (0..50).map(|_| place_when("A", "b", &conditions)).collect();
    let lines: String = (0..60).map(|at| format!("mov oc, ft{}\n", at % 8)).collect();
    let found = of(vec![text(F, None, &[&lines], places)]);
    let manifest = manifest(&found, &OutputOptions::default());
    let program = &manifest["programs"][0];
    let count = |list: &Value| list.as_array().map(Vec::len);
    assert_eq!((count(&program["places"]), &program["left_out"]["places"]), (Some(16), &34.into()));
    let place = &program["places"][0];
    assert_eq!((count(&place["when"]), &place["more_when"]), (Some(24), &16.into()));
    assert_eq!(count(&program["findings"]), Some(16));
    assert!(program["left_out"]["findings"].as_u64() > Some(0));
    let errors = (0..16).filter(|at| program["findings"][at]["severity"] == "error").count();
    assert_eq!(errors, 8, "errors are listed before warnings");
    assert_eq!((&manifest["left_out"]["places"], &manifest["left_out"]["conditions"]), (&34.into(), &(16 * 16).into()));
}

#[test]
fn text_of_the_file_cannot_leave_the_comments() {
    let mut here = place_when("A", "b\nmov oc, fc9", &["x\r\nmov oc, fc8"]);
    here.path = vec!["DoABC 1\nmov oc, fc7".to_string()];
    let found = of(vec![text(F, None, &[FRAGMENT], vec![here])]);
    let output = found.output(&OutputOptions::default());
    let written = String::from_utf8(output.files[0].bytes.clone()).expect("text");
    let code: Vec<&str> = written.lines().filter(|line| !line.starts_with("//")).collect();
    assert_eq!(code, FRAGMENT.lines().collect::<Vec<_>>(), "{written}");
}

#[test]
fn programs_that_differ_in_sampler_options_alone_are_one_with_a_table_of_them() {
    let fragment = |options: &str, conditions: &[&str]| {
        let line = format!("tex ft0, v0, fs0 <{options}>\nmov oc, ft0\n");
        text(F, None, &[&line], vec![place_when("A", "b", conditions)])
    };
    let mut found = of(vec![
        text(V, None, &[VERTEX], vec![place("A", "b", 1)]),
        fragment("2d,linear,dxt1", &["format=dxt1"]),
        fragment("2d, linear", &["!format"]),
        fragment("cube,linear", &["cube"]),
        fragment("2d,linear,-1", &["biased"]),
    ]);
    found.pairs = vec![pair(0, 1), pair(0, 2)];
    // A texture's dimension and bias are not sampler options, so programs that differ in them get separate files.
    assert_eq!(files(&found), ["A.vert.agal", "A.frag.agal", "A.cube.frag.agal", "A.biased.frag.agal"]);
    let one = manifest(&found, &OutputOptions::default());
    let variants = &one["programs"][1]["variants"];
    let options = [0, 1].map(|at| variants[at]["options"]["fs0"].as_str().expect("options"));
    assert_eq!(options, ["2d, linear", "2d,linear,dxt1"], "the plainest is first");
    assert_eq!(variants[1]["when"], serde_json::json!([{"expression": "format", "is": "dxt1"}]));
    assert_eq!(
        (&one["counts"]["programs"], &one["counts"]["variants"], &one["counts"]["pairs"]),
        (&4.into(), &5.into(), &1.into())
    );
    let all = OutputOptions::default().all_variants(true);
    assert_eq!(manifest(&found, &all)["counts"]["programs"], 5);
    assert!(files_with(&found, &all).contains(&"A.dxt1.frag.agal".to_string()));
}

/// Returns the byte lengths of the manifest and of all files, and the counts of omitted items.
fn sizes(found: &Extraction) -> (usize, usize, agal_extract::LeftOut) {
    let output = found.output(&OutputOptions::default());
    let manifest = output.manifest.to_json().len();
    (manifest, manifest + output.files.iter().map(|file| file.bytes.len()).sum::<usize>(), output.manifest.left_out)
}

#[test]
fn a_manifest_is_bounded_and_leaves_out_the_least_certain_first() {
    let conditions: Vec<String> = (0..60).map(|at| format!("this.renderer.material.options.flag{at}()")).collect();
    let conditions: Vec<&str> = conditions.iter().map(String::as_str).collect();
    let places = || {
        (0..40)
            .map(|at| Place { input: 0, ..place_when(&format!("com.a.B{at}"), "b", &conditions) })
            .collect::<Vec<_>>()
    };
    let mut programs =
        vec![text(V, None, &[VERTEX], vec![place("A", "b", 1)]), text(F, None, &[FRAGMENT], vec![place("A", "b", 1)])];
    for at in 0..400 {
        programs.push(text(F, None, &[&format!("mov oc, v0 // {at}"), "hole", ""], places()));
    }
    let mut found = of(programs);
    found.pairs = vec![pair(0, 1)];
    let (manifest, _, left_out) = sizes(&found);
    assert!(manifest <= 8 << 20, "{manifest}");
    assert!(left_out.places > 0 && left_out.conditions > 0 && !left_out.has_files(), "{left_out:?}");

    // If the output would be too large, pieces are omitted before complete programs.
    let mut programs = found.programs[..2].to_vec();
    for at in 0..30_000 {
        let mut program = text(F, None, &[&format!("mov oc, v0 // {at}"), "hole", ""], vec![place("A", "b", at)]);
        program.is_piece = at % 2 == 0;
        programs.push(program);
    }
    let mut found = of(programs);
    found.pairs = vec![pair(0, 1)];
    let output = found.output(&OutputOptions::default());
    assert!(output.manifest.to_json().len() <= 8 << 20);
    let (left_out, counts) = (output.manifest.left_out, output.manifest.counts);
    assert!(left_out.pieces > 0 && left_out.programs == 0 && left_out.pairs == 0, "{left_out:?}");
    assert_eq!(counts.pieces + left_out.pieces, 15_000);
    assert_eq!((counts.with_holes + left_out.templates, counts.pairs), (15_000, 1));
    assert!(left_out.templates == 0 || counts.pieces == 0, "{left_out:?}");
}

#[test]
fn a_folder_is_bounded() {
    let long = "// a line\n".repeat(25_000);
    let mut programs = vec![text(V, None, &[VERTEX], vec![place("A", "b", 1)])];
    programs.push(text(F, None, &[FRAGMENT], vec![place("A", "b", 1)]));
    for at in 0..300 {
        programs.push(text(F, None, &[&format!("{long}mov oc, v{at}"), "hole", ""], vec![place("A", "b", at)]));
    }
    let mut found = of(programs);
    found.pairs = vec![pair(0, 1)];
    let (_, folder, left_out) = sizes(&found);
    assert!(folder <= 64 << 20, "{folder}");
    assert!(left_out.templates > 0 && left_out.programs == 0, "{left_out:?}");
}

#[test]
fn names_of_constructors_and_opcodes_are_left_out_and_methods_are_told_where_there_are_several() {
    let program = |at: u32, class: &str, method: &str| {
        let line = format!("mov ft0, v0\nadd oc, ft0, fc{at}");
        text(F, None, &[&line], vec![place(class, method, at)])
    };
    let found = of(vec![
        program(0, "Phong", "m44"),
        program(1, "Shader2D", "new"),
        program(2, "Shader2D", "new"),
        program(3, "Blur", "first"),
        program(4, "Blur", "second"),
    ]);
    let names = ["Phong.frag", "Shader2D.frag", "Shader2D.2.frag", "Blur.first.frag", "Blur.second.frag"];
    assert_eq!(files(&found), names.map(|name| format!("{name}.agal")));
}

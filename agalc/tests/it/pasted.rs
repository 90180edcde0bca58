//! Tests of pasted text: strings in code, hexadecimal digits, dumps and base64 (testdata/agal/pasted).
//!
//! A golden file next to each text states the form in which the text is read, the position of each token, and all findings.

use std::fmt::Write;

use agal_front::Span;
use agalc::{Agal, Finding, Form, Input, InputError, InputErrorKind, Layout, Options, Program, Source, Stage, detect};
use testing::{Effort, Random, expect, files, testdata};

fn input(name: &str, bytes: impl Into<Vec<u8>>) -> Input {
    Input { name: name.to_string(), bytes: bytes.into() }
}

fn pasted() -> Vec<Input> {
    let endings = [".as", ".hx", ".hex", ".dump", ".base64"];
    let found = endings.iter().flat_map(|ending| files(&testdata("agal/pasted"), ending));
    let name = |path: &std::path::Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    found.map(|path| input(&name(&path), std::fs::read(&path).expect("a file"))).collect()
}

fn shown(span: &Span, source: &str) -> String {
    let written = source.get(span.start..span.end).expect("a stretch").replace('\n', "\\n");
    format!("{}:{} {written}", span.line, span.column)
}

/// Lists findings with the source text at their positions.
fn listed(findings: &[Finding], source: &str) -> String {
    let line = |finding: &Finding| {
        let place = finding.place.span.map_or("no place".to_string(), |span| shown(&span, source));
        let severity = if finding.is_error() { "error" } else { "warning" };
        format!("{severity} at {place}\n  {}\n", finding.message)
    };
    findings.iter().map(line).collect()
}

/// Returns the programs of an input, with the stage that selects each program of a pair.
fn programs(source: &Source<'_>) -> Vec<(Option<Stage>, Result<Program, InputError>)> {
    let read = source.read(&Options::default());
    assert!(!source.is_pair() || read.len() == 2 || read.iter().any(Result::is_err));
    match source.is_pair() {
        true => [Some(Stage::Vertex), Some(Stage::Fragment)].into_iter().zip(read).collect(),
        false => read.into_iter().map(|read| (None, read)).collect(),
    }
}

fn agal(program: &Program) -> &Agal {
    program.agal().unwrap_or_else(|| panic!("{} is not AGAL", program.name))
}

fn described(input: &Input, stage: Option<Stage>, read: Result<Program, InputError>) -> String {
    let options = Options::default().stage(stage);
    let mut text = String::new();
    match read {
        Ok(program) => {
            let agal = agal(&program);
            program.warnings.iter().for_each(|warning| text += &format!("{warning}\n"));
            let stated = if agal.version_given { " as stated" } else { "" };
            writeln!(text, "{} program, version {}{stated}", agal.program.stage, agal.program.version).expect("memory");
            let expanded = Source::open(input, &options).expand(&options).expect("its text");
            expanded.text.lines().for_each(|line| text += &format!("  {line}\n"));
            for spans in program.map.iter() {
                let parts = [Some(spans.operation), spans.destination, spans.sources[0], spans.sources[1]];
                let shown = |span| shown(span, expanded.source.as_str());
                let parts: Vec<String> = parts.iter().flatten().map(shown).collect();
                text += &format!("  {}\n", parts.join(" | "));
            }
            for name in &agal.names {
                text += &format!("  {}:{} {name}\n", name.span.line, name.span.column);
            }
        }
        Err(InputError { kind: InputErrorKind::Program(program), .. }) => {
            text += &listed(&program.findings, program.text().expect("a text"));
        }
        other => panic!("{} is {other:?}", input.name),
    }
    text
}

#[test]
fn pasted_code_and_bytes_are_read_and_places_point_into_them() {
    let mut failures = Vec::new();
    for input in pasted() {
        let mut text = format!("{:?}\n", detect(&input.bytes));
        let inputs = [input];
        let source = Source::open(&inputs[0], &Options::default());
        programs(&source).into_iter().for_each(|(stage, read)| text += &described(&inputs[0], stage, read));
        let name = &inputs[0].name;
        let programs = match agalc::load_all(&inputs, &Options::default()) {
            Ok(loaded) => {
                let wgsl = backends::write(&loaded.module, backends::Target::Wgsl, None, &Layout::default());
                wgsl.unwrap_or_else(|error| panic!("{name}: {error}"));
                loaded.programs
            }
            Err(refused) => {
                for error in refused.errors() {
                    if let InputErrorKind::Program(program) = &error.kind
                        && program.agal().is_some()
                    {
                        text += &listed(&program.findings, program.text().expect("a text"));
                    }
                }
                Vec::new()
            }
        };
        for agal in &programs {
            text += &listed(&agal.findings, agal.text().expect("a text"));
        }
        failures.extend(expect(&format!("testdata/agal/pasted/{name}.txt"), &text).err());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn many_styles_are_pasted() {
    let good = pasted().into_iter().filter(|input| {
        let inputs = std::slice::from_ref(input);
        agalc::load_all(inputs, &Options::default()).is_ok()
    });
    let names: Vec<String> = good.map(|input| input.name).collect();
    let styles =
        ["plus.as", "call.as", "lines.as", "array.as", "vector.as", "elements.as", "single_quotes.hx", "pair.hx"];
    for style in styles {
        assert!(names.iter().any(|name| name == style), "{style} does not compile: {names:?}");
    }
}

/// The plain text that `--expand` prints is read as AGAL text and assembles to the same program.
#[test]
fn the_text_of_a_paste_is_the_same_program() {
    let mut compared = 0;
    for input in pasted() {
        let name = input.name.clone();
        for (stage, read) in programs(&Source::open(&input, &Options::default())) {
            let options = Options::default().stage(stage);
            let (Ok(program), Ok(expanded)) = (read, Source::open(&input, &options).expand(&options)) else {
                continue;
            };
            let plain = self::input("plain", expanded.text);
            assert!(matches!(detect(&plain.bytes), Form::AgalText | Form::AgalPair), "{name}");
            let options = Options::default().stage(program.stage());
            let Ok(again) = Source::open(&plain, &options).read_one(&options) else {
                panic!("{name}: its text is not read");
            };
            assert_eq!(again.encode(), program.encode(), "{name}");
            assert!(again.warnings.is_empty(), "{name}");
            compared += 1;
        }
    }
    assert!(compared > 40, "{compared}");
}

/// Positions refer to the same characters if the text is encoded in UTF-16.
#[test]
fn places_are_the_same_in_every_encoding() {
    let mut compared = 0;
    for original in pasted() {
        let text = String::from_utf8(original.bytes.clone()).expect("UTF-8");
        let spans = |bytes: Vec<u8>| {
            let input = input(&original.name, bytes);
            let of = |(_, read): (Option<Stage>, Result<Program, InputError>)| match read {
                Ok(program) => {
                    let spans = program.map.iter().map(|spans| spans.operation);
                    spans.map(|span| (span.line, span.column, span.start..span.end)).collect::<Vec<_>>()
                }
                _ => Vec::new(),
            };
            programs(&Source::open(&input, &Options::default())).into_iter().map(of).collect::<Vec<_>>()
        };
        let utf16 = |mark: &[u8], encode: fn(u16) -> [u8; 2]| {
            [mark, &text.encode_utf16().flat_map(encode).collect::<Vec<_>>()].concat()
        };
        let expected = spans(original.bytes.clone());
        assert_eq!(spans(utf16(b"\xff\xfe", u16::to_le_bytes)), expected, "{}", original.name);
        assert_eq!(spans(utf16(b"\xfe\xff", u16::to_be_bytes)), expected, "{}", original.name);
        assert_eq!(spans(utf16(b"", u16::to_le_bytes)), expected, "{} without a mark", original.name);
        assert_eq!(spans(utf16(b"", u16::to_be_bytes)), expected, "{} without a mark", original.name);
        compared += expected.iter().map(Vec::len).sum::<usize>();
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn a_stage_chooses_a_program_of_a_paste() {
    let pair = pasted().into_iter().find(|input| input.name == "call.as").expect("the pair");
    for stage in [Stage::Vertex, Stage::Fragment] {
        let options = Options::default().stage(Some(stage));
        let program = Source::open(&pair, &options).read_one(&options).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(program.stage(), Some(stage));
    }
    let options = Options::default();
    let error = Source::open(&pair, &options).read_one(&options).expect_err("there are two").to_string();
    assert_eq!(error, "call.as: line 10: this is one of 2 AGAL programs, and only one can be read here");
}

/// The value of a variable is unknown, so the error message states the name and position of the variable.
#[test]
fn a_library_takes_a_paste_too() {
    let shader =
        agalc::Shader::pair(r#""m44 op, va0, vc0\n" + "mov v0, va1""#, r#"code = "mov oc, v0";"#).expect("a pair");
    assert_eq!(shader.warnings().len(), 2);
    assert!(shader.warnings().iter().all(agalc::Warning::is_note));
    let refused = agalc::Shader::single(r#""mov oc, " + colour"#).expect_err("it has a variable");
    let expected = "shader: line 1: `colour` is a variable of ActionScript or Haxe, and the pasted code does not contain its value";
    assert_eq!(refused.to_string(), expected);
}

/// Neither strings without AGAL nor AGAL text with quotes counts as pasted code.
#[test]
fn what_is_not_a_paste_is_not_taken_for_one() {
    for (text, form) in [
        ("mov oc, v0 \"", Form::AgalText),
        ("// \"mov oc, v0\"\nmov oc, fc0", Form::AgalText),
        ("alias v0, a \"b\"\noc = v0", Form::AgalText),
        ("x = \"y\"", Form::Foreign(agalc::Foreign::Toml)),
        ("{\"a\": \"mov oc, v0\"}", Form::Foreign(agalc::Foreign::Json)),
        ("package { class A { var a = \"mov oc, v0\"; } }", Form::Foreign(agalc::Foreign::ActionScript)),
        ("a0 01", Form::AgalText),
    ] {
        assert_eq!(detect(text.as_bytes()), form, "{text}");
    }
}

/// Each line of the code doubles the text or nests brackets more deeply.
#[test]
fn code_that_grows_without_end_is_refused_soon() {
    let double = format!("a = \"mov oc, v0\\n\";\n{}", "a = a + a;\n".repeat(200));
    let lists = format!("a = [\"mov oc, v0\"];\n{}", "a = [a, a];\n".repeat(200));
    let nested = format!("a = {}\"mov oc, v0\"", "(".repeat(100_000));
    let unary = format!("a = \"mov oc, v0\" + {}1", "-".repeat(100_000));
    let types = format!("a = \"mov oc, v0\" + {};", "new <".repeat(100_000));
    let inserted = format!("a = 'mov oc, v0{}'", "${".repeat(100_000));
    let wide = format!("a = [{}]", "\"mov oc, v0\", ".repeat(50_000));
    let start = std::time::Instant::now();
    for text in [double, lists, nested, unary, types, inserted, wide] {
        let _ = Source::open(&input("a", text), &Options::default()).read(&Options::default());
    }
    // An algorithm with quadratic running time would need about a minute.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

const EDITS: u64 = 20_000;

/// Signs and fragments of code that the parser treats specially.
const SIGNS: [&str; 24] = [
    "\"",
    "'",
    "\\",
    "+",
    "+=",
    ",",
    ";",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\n",
    "//",
    "/*",
    "*/",
    "$",
    "${",
    ".join(",
    "=",
    "a0",
    "?",
    "\u{1f600}",
];

/// Every position reported for an edited paste must be a valid range of the source text.
#[test]
fn edited_pastes_do_no_harm() {
    let seeds: Vec<String> = pasted().into_iter().map(|input| String::from_utf8(input.bytes).expect("UTF-8")).collect();
    let effort = Effort::of("EDITS", EDITS);
    let (mut read_well, mut refused, mut count) = (0, 0, 0);
    for seed in effort.seeds_of(16) {
        let random = &mut Random(seed);
        let mut text = random.pick(&seeds.iter().collect::<Vec<_>>()).clone();
        for _ in 0..1 + random.below(3) {
            let other = &seeds[random.below(seeds.len())];
            let place = |text: &str, random: &mut Random| {
                let at = random.below(text.len() + 1);
                (at..=text.len()).find(|at| text.is_char_boundary(*at)).expect("a boundary")
            };
            let from = place(&text, random);
            let to = (from + random.below(12)).min(text.len());
            let to = (to..=text.len()).find(|to| text.is_char_boundary(*to)).expect("a boundary");
            let start = place(other, random);
            let new = match random.below(4) {
                0 => other.chars().skip(other[..start].chars().count()).take(20).collect(),
                1 => String::new(),
                _ => SIGNS[random.below(SIGNS.len())].to_string(),
            };
            text.replace_range(from..if random.once_in(2) { from } else { to }, &new);
        }
        if effort.only.is_some() {
            eprintln!("{text}");
        }
        count += 1;
        let inputs = [input("edited", text.clone())];
        for (stage, read) in programs(&Source::open(&inputs[0], &Options::default())) {
            let (program, spans) = match read {
                Ok(program) if program.agal().is_some() => {
                    read_well += 1;
                    let spans: Vec<Span> = program.map.iter().map(|spans| spans.operation).collect();
                    (program, spans)
                }
                Err(InputError { kind: InputErrorKind::Program(program), .. }) => {
                    refused += 1;
                    (*program, Vec::new())
                }
                _ => continue,
            };
            let Some(source) = program.text() else { continue };
            for span in program.findings.iter().filter_map(|finding| finding.place.span).chain(spans) {
                let is_there = source.get(span.start..span.end).is_some();
                assert!(is_there && span.line > 0 && span.column > 0, "SEED={seed:#x}: {span:?}\n{text}");
            }
            let options = Options::default().stage(stage);
            let _ = Source::open(&inputs[0], &options).expand(&options);
        }
        if let Ok(loaded) = agalc::load_all(&inputs, &Options::default()) {
            assert_eq!(sdlbc::verify(&loaded.module), Ok(()), "SEED={seed:#x}");
        }
    }
    println!("edited pastes: {count}, {read_well} programs read, {refused} refused");
    assert!(effort.only.is_some() || read_well > count / 10 && refused > count / 10, "{read_well} of {count}");
}

/// The register names that a procedure declares are kept in the output.
#[test]
fn names_of_procedures_are_kept() {
    let bytes = std::fs::read(testdata("agal/pasted/procedures.as")).expect("the procedures");
    let shader = agalc::Shader::single(bytes).expect("a pair");
    let wgsl = shader.wgsl(&Layout::default()).expect("WGSL");
    for name in ["aPosition", "aUV", "vUV", "cProjection", "sDiffuse", "cTint"] {
        assert!(wgsl.contains(name), "{name} is not in\n{wgsl}");
    }
    for name in ["fog", "skin"] {
        let bytes = std::fs::read(testdata(&format!("agal/procedure/{name}.agal"))).expect("the procedure");
        let shader = agalc::Shader::single(bytes).unwrap_or_else(|refused| panic!("{name}: {refused}"));
        assert!(shader.wgsl(&Layout::default()).is_ok() && shader.programs()[0].findings.is_empty(), "{name}");
    }
}

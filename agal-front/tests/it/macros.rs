//! Tests of the macro language: the expansions of macro programs, and the findings.
//!
//! The cases are the files in `testdata/agal/macro`. If a file NAME.agal has a NAME.expanded.agal, which was expanded by
//! hand, both files must assemble to the same bytes. A file NAME.agal without an expansion must be refused. Comments state
//! the expectations and the options:
//!
//! ```text
//! //! COLUMN MESSAGE                  an error at the line's column
//! //! COLUMN MESSAGE @ LINE:COLUMN    an error in the expansion of the call at LINE:COLUMN
//! //~ COLUMN MESSAGE                  a warning; a line may have several expectations
//! //: stage STAGE                     assemble with this stage
//! //: define NAME=NUMBER              define this name
//! ```

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::common::missing_kinds;
use agal_front::assemble::{Alias, AssembleOptions, Language, assemble, expand};
use agal_front::finding::{self, Part};
use agal_front::{Finding, Stage};
use testing::{Effort, Random, repository, testdata};

fn files() -> Vec<PathBuf> {
    let mut files = testing::files(&testdata("agal/macro"), ".agal");
    files.retain(|file| !is_expansion(file));
    assert!(files.len() > 5);
    files
}

fn is_expansion(file: &Path) -> bool {
    file.to_string_lossy().ends_with(".expanded.agal")
}

fn expected(text: &str) -> (AssembleOptions, Vec<String>) {
    let mut options = AssembleOptions::default();
    let mut findings = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        for comment in line.split("//").skip(1) {
            let words: Vec<&str> = comment.split_whitespace().collect();
            match words[..] {
                [mark @ ("!" | "~"), column, ref message @ ..] => {
                    findings.push(format!("{number}:{column} {mark} {}", message.join(" ")));
                }
                [":", "stage", "vertex"] => options.stage = Some(Stage::Vertex),
                [":", "stage", "fragment"] => options.stage = Some(Stage::Fragment),
                [":", "define", define] => {
                    let (name, value) = define.split_once('=').expect("a name and a number");
                    options.defines.push((name.to_string(), value.parse().expect("a number")));
                }
                [first, ..] if first.starts_with(['!', '~', ':']) => {
                    panic!("line {number}: not an expectation: {comment}")
                }
                _ => {}
            }
        }
    }
    (options, findings)
}

fn notation(findings: &[Finding]) -> Vec<String> {
    let line = |finding: &Finding| {
        let span = finding.place.span.expect("a finding of text has a place in it");
        let mark = if finding.is_error() { '!' } else { '~' };
        let call = span.call.map(|call| format!(" @ {}:{}", call.line, call.column)).unwrap_or_default();
        format!("{}:{} {mark} {}{call}", span.line, span.column, finding.kind)
    };
    let mut lines: Vec<String> = findings.iter().map(line).collect();
    lines.sort();
    lines
}

#[test]
fn each_file_has_the_expected_expansion_and_findings() {
    let mut failures = String::new();
    for file in files() {
        let text = std::fs::read_to_string(&file).expect("a text");
        let (options, mut expected_findings) = expected(&text);
        expected_findings.sort();
        let result = assemble(&text, &options);
        let found = notation(match &result {
            Ok(assembly) => &assembly.warnings,
            Err(findings) => findings,
        });
        for line in found.iter().filter(|line| !expected_findings.contains(line)) {
            writeln!(failures, "{}: found    {line}", file.display()).expect("memory");
        }
        for line in expected_findings.iter().filter(|line| !found.contains(line)) {
            writeln!(failures, "{}: expected {line}", file.display()).expect("memory");
        }
        let by_hand = std::fs::read_to_string(file.with_extension("expanded.agal")).ok();
        let (Some(by_hand), Ok(assembly)) = (&by_hand, &result) else {
            if by_hand.is_some() || result.is_ok() {
                writeln!(failures, "{}: assembles: {}", file.display(), result.is_ok()).expect("memory");
            }
            continue;
        };
        let plain = options.clone().language(Language::Mini);
        let program = assemble(by_hand, &plain).expect("a program").program;
        let expansion = expand(&text, &options).expect("a program");
        if assembly.program.encode() != program.encode() {
            writeln!(failures, "{}: the bytes differ; expanded to\n{}", file.display(), expansion.text)
                .expect("memory");
        }
        let again = assemble(&expansion.text, &plain).expect("the expansion is a text").program;
        assert_eq!(again, assembly.program, "{}: the expanded text", file.display());
        assert_eq!(expansion.aliases, assembly.aliases);
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn every_finding_is_shown() {
    let mut texts: Vec<String> = files().iter().map(|file| std::fs::read_to_string(file).expect("a text")).collect();
    texts.extend([bomb(), chain(100)]);
    let mut seen = Vec::new();
    for text in texts {
        let findings = match assemble(&text, &expected(&text).0) {
            Ok(assembly) => assembly.warnings,
            Err(findings) => findings,
        };
        seen.extend(findings);
    }
    let missing = missing_kinds(9200..9300, &seen);
    assert!(missing.is_empty(), "no file shows {missing:?}");
}

/// Builds a program in which each macro calls the previous macro twice.
fn bomb() -> String {
    let mut text = "//: stage vertex\nmacro F0(a) { out = a; }\n".to_string();
    for level in 1..60 {
        writeln!(text, "macro F{level}(a) {{ out = F{}(a); out = F{0}(a); }}", level - 1).expect("memory");
    }
    text + "vt0 = F59(va0)\n"
}

/// Builds a program in which each macro calls the previous macro once.
fn chain(length: usize) -> String {
    let mut text = "//: stage vertex\nmacro F0(a) { out = a; }\n".to_string();
    for level in 1..length {
        writeln!(text, "macro F{level}(a) {{ out = F{}(a); }}", level - 1).expect("memory");
    }
    text + &format!("vt0 = F{}(va0)\n", length - 1)
}

fn errors(text: &str) -> Vec<String> {
    let findings = assemble(text, &expected(text).0).expect_err("wrong");
    notation(&findings.into_iter().filter(Finding::is_error).collect::<Vec<_>>())
}

#[test]
fn the_expansion_of_macros_is_bounded() {
    let limit = "the macros expand to more than 65536 statements; this call exceeds the limit";
    assert_eq!(errors(&bomb()), [format!("62:7 ! {limit}")]);
    assert_eq!(errors(&chain(100)), ["38:22 ! calls are nested more than 64 levels deep @ 102:7"]);
    assert!(assemble(&chain(64), &expected(&chain(64)).0).is_ok());
    // Calls of empty macros expand to nothing, but expanding all 2^59 calls would practically never end.
    let empty = bomb().replace("out = a; }", "}");
    let found = errors(&empty);
    assert!(found.iter().all(|line| line.contains("expand to more than 16777216 bytes")), "{found:?}");
    // The assembler still reads the lines after a call that exceeds the limit.
    let both = bomb() + "vt0 = nothing\n";
    assert_eq!(errors(&both).len(), 2);
}

#[test]
fn long_texts_take_linear_time() {
    let many = |line: &str| (0..10_000).fold(String::new(), |text, i| text + &line.replace('@', &i.to_string()));
    let texts = [
        many("alias vt0, name@;"),
        many("vt0 = name@;"),
        many("vt0 = Name@(va0);"),
        many("macro M@(a) { out = a; }"),
        many("macro M@(a) { out = a; } vt0 = Name@(va0);").repeat(5),
        many("#define D@ 1\n"),
        many("#if 1\n"),
        many("#if U@\n#endif\n"),
        many("alias vc0, C@(@);"),
        many("vt0 = @;"),
        format!("vt0 = {}", "va0 + ".repeat(100_000)),
        format!("vt0 = {}", "(".repeat(100_000)),
        format!("vt0 = {}", "-".repeat(100_000)),
        format!("vt0 = F({})", "va0, ".repeat(100_000)),
        format!("macro F({}", "a, ".repeat(100_000)),
        format!("macro F(a) {{ {} }} vt0 = F(va0)", "out = a * 7;".repeat(30_000)),
        format!("alias vt{}, x; {}", "0".repeat(100_000), "x = x;".repeat(1000)),
        format!("vt0 = {}.x", "x".repeat(400_000)),
        "/*".repeat(200_000),
        "macro ".repeat(100_000),
        "{}".repeat(100_000),
        "#".repeat(200_000),
        "# ".repeat(100_000),
        "vc[".repeat(100_000) + "=",
        "a=<(".repeat(50_000),
    ];
    for text in Effort::part_of("TEXTS", &texts) {
        let start = Instant::now();
        for stage in [Stage::Vertex, Stage::Fragment] {
            let options = AssembleOptions::default().stage(Some(stage)).language(Language::Macro);
            let _ = assemble(text, &options);
        }
        let shown: String = text.chars().take(40).collect();
        assert!(start.elapsed() < Duration::from_secs(20), "{shown}: {:?}", start.elapsed());
    }
}

#[test]
fn tokens_have_positions_in_the_written_text() {
    let text = "alias va0, position\nmacro Scale(a, by) {\n  out = a * by + a\n}\nvt0 = Scale(position, vc0)\n\
                vt1 = va1 - vt0\nvt2 += vt1\nop = mul4x4(vt0, vc1)\n";
    let assembly = assemble(text, &AssembleOptions::default()).expect("a program");
    let at = |token: usize, part: Part| {
        let span = assembly.map.locate(finding::at_token(token, part)).span.expect("a place");
        let call = span.call.map(|call| (call.line, call.column, &text[call.start..call.end]));
        (span.line, span.column, &text[span.start..span.end], call)
    };
    let call = Some((5, 7, "Scale(position, vc0)"));
    assert_eq!(at(0, Part::Operation), (3, 11, "*", call));
    assert_eq!(at(0, Part::Destination), (5, 1, "vt0", None), "the position of the result is the caller's");
    assert_eq!(at(0, Part::Source(0)), (5, 13, "position", None), "and so are those of arguments");
    assert_eq!(at(0, Part::Source(1)), (5, 23, "vc0", None));
    assert_eq!(at(1, Part::Operation), (3, 16, "+", call));
    assert_eq!(at(2, Part::Operation), (6, 11, "-", None));
    assert_eq!(at(2, Part::Source(1)), (6, 13, "vt0", None));
    assert_eq!(at(3, Part::Operation), (7, 5, "+", None));
    assert_eq!(at(3, Part::Source(0)), (7, 1, "vt2", None));
    assert_eq!(at(4, Part::Operation), (8, 6, "mul4x4", None));
    assert_eq!(at(4, Part::Source(1)), (8, 18, "vc1", None));
}

#[test]
fn a_macro_text_is_recognised_by_its_lines() {
    let programs = |text: &str, language: Language| {
        let options = AssembleOptions::default().stage(Some(Stage::Vertex)).language(language);
        assemble(text, &options).map(|assembly| assembly.program.tokens.len()).ok()
    };
    for text in ["vt0 = va0", "mov vt0, va0\nvt0.x += va0", "#if 1\nmov vt0, va0\n#endif", "alias va0, p;mov vt0, p"] {
        assert_eq!(programs(text, Language::Mini), None, "{text}");
        assert!(programs(text, Language::Auto).is_some(), "{text}");
        assert_eq!(programs(text, Language::Auto), programs(text, Language::Macro), "{text}");
    }
    for text in ["mov vt0, va0 // a = b", "mov vt0, va0 = va1", "m44 vt4.wzvc13.x"] {
        assert_eq!(programs(text, Language::Auto), programs(text, Language::Mini), "{text}");
    }
    let plain = "mov vt0, va0\ntoken\n.token 0x00000000 0x030f0000 0x00000000e4000000 0x0000000000000000 // a token\n";
    let plain = plain.replace("token\n.", ".");
    assert_eq!(programs(&plain, Language::Macro), Some(2));
    let expansion = expand(&plain, &AssembleOptions::default()).expect("a program");
    assert_eq!(expansion.text, plain);
}

/// Expanding a program reports the errors that assembling its expansion would report.
#[test]
fn every_expansion_assembles() {
    for text in ["vt0 = va0\nmvo vt0, va0", "mvo vt0, va0", "vt0 = va0.foo", "v0 = v1"] {
        let options = AssembleOptions::default();
        let findings = assemble(text, &options).expect_err("wrong");
        assert_eq!(expand(text, &options).map(|expansion| expansion.text), Err(findings), "{text}");
    }
}

#[test]
fn aliases_of_constants_have_the_values_to_upload() {
    let text = "alias vc0, CONST(0.5, 1)\nalias vc3.zw, OTHER(-2.5, 1e2)\nalias va0, position\nalias vc5.x, ONE(1)\nop = position";
    let assembly = assemble(text, &AssembleOptions::default()).expect("a program");
    let alias = |name: &str, target: &str, values| Alias { name: name.to_string(), target: target.to_string(), values };
    assert_eq!(
        assembly.aliases,
        [
            alias("CONST", "vc0", Some([Some(0.5), Some(1.0), Some(0.0), Some(0.0)])),
            alias("OTHER", "vc3.zw", Some([None, None, Some(-2.5), Some(100.0)])),
            alias("position", "va0", None),
            alias("ONE", "vc5.x", Some([Some(1.0), None, None, None])),
        ]
    );
}

#[test]
fn the_caller_can_define_names_and_misspelt_names_get_a_suggestion() {
    let text = "#if A > 1\nvt0 = va0\n#endif\nvt1 = va0";
    for (value, tokens) in [(0.0, 1), (1.0, 1), (2.0, 2)] {
        let defines = vec![("A".to_string(), value)];
        let options = AssembleOptions::default().defines(defines);
        assert_eq!(assemble(text, &options).expect("a program").program.tokens.len(), tokens);
    }
    let text = "#define USE_ALPHA 1\nalias va0, position\nmacro Blend(a) { out = a; }\n#if USE_APLHA\n#endif\n\
                vt0 = Belnd(va0)\nvt0 = positon\nvt0 = mvo(va0)\n#endfi\n";
    let findings = assemble(text, &AssembleOptions::default()).expect_err("wrong");
    let helps: Vec<String> = findings
        .iter()
        .map(|finding| finding.kind.help().and_then(|help| help.worded(|_| None)).unwrap_or_default())
        .collect();
    let mut expected =
        ["USE_ALPHA", "Blend", "position", "mov", "#endif"].map(|name| format!("did you mean `{name}`?"));
    expected[4] += " A comment begins with `//`";
    assert_eq!(helps, expected);
}

#[test]
fn each_mistake_gets_its_help() {
    let head = "//: stage fragment\nmacro Dot(a) { out = a; }\n";
    for (line, part) in [
        ("ft0 = normalize(v0)", "`nrm`"),
        ("ft0 = dot(v0)", "did you mean `Dot`?"),
        ("ft0 = cross(v0, v1)", "`crs`"),
        ("ft0 = tex2D<2d>(v0, fs0)", "`tex`"),
        ("ft0 = mix(v0, v1, v2)", "`sub`, `mul` and `add`"),
        ("ft0 = inverseSqrt(v0)", "`rsq`"),
        ("ft0 = Qqqqqqqq(v0)", "macro Name(a, b)"),
        ("if (v0.x > 1) {", "`ifg ft0.x, fc0.x`"),
        ("alias uv, v0", "`alias v0, uv`"),
        ("#else", "use it once, between `#if` and `#endif`"),
        ("#endif", "add the `#if` that it closes"),
        ("#if defined(X)\n#endif", "`#if NAME` or `#if !NAME`"),
        ("#ifdef X\n#endif", "`#if NAME` or `#if !NAME`"),
        ("#define X 1 2", "`#define NAME = A + 1`"),
        ("#if (1\n#endif", "add `)`"),
        ("ft0 = (v0 + v1", "add `)`"),
        ("ft0 = Dot(v0", "add `)`"),
        ("macro Cut(a) { kil(a.x) } ft0 = Cut(v0)", "write `Cut(...)` on its own"),
    ] {
        let text = format!("{head}{line}\n");
        let findings = assemble(&text, &expected(&text).0).expect_err("wrong");
        let helps: Vec<String> = findings
            .iter()
            .map(|finding| finding.kind.help().and_then(|help| help.worded(|_| None)).unwrap_or_default())
            .collect();
        assert!(helps.len() == 1 && helps[0].contains(part), "{line}: {findings:?} {helps:?}");
    }
}

#[test]
fn the_documented_program_assembles() {
    let page = repository().join("docs/macro.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let program = page.split("```").nth(1).expect("a program");
    let options = AssembleOptions::default().defines(vec![("SCALED".to_string(), 1.0)]);
    let expansion = expand(program, &options).expect("a program");
    assert_eq!(expansion.warnings, []);
    let by_hand =
        "mul vt0.xy, va1, vc4.x\nadd vt0.xy, vt0.xy, vc4.x\nmov vt0.zw, vc4.y\nmov v0, vt0\nm44 op, va0, vc0\n";
    assert_eq!(expansion.text, by_hand);
    assert!(assemble(program, &options).is_ok());
}

/// Randomly edited programs cause no panic, and every reported span is inside the source text.
#[test]
fn edited_texts_are_assembled_or_refused() {
    const WORDS: [&str; 28] = [
        "macro ", "alias ", "out", "out.x", "(", ")", "{", "}", "<", ">", "=", "+=", "* ", "-", "[", "]", ",", ";",
        "\n", "#if ", "#else\n", "#endif\n", "#define ", "/*", "*/", "//", "0.5", "é",
    ];
    let texts: Vec<String> = files().iter().map(|file| std::fs::read_to_string(file).expect("a text")).collect();
    let mut random = Random(0x6d61_6372);
    for round in 0..Effort::of("EDITS", 3_000).cases {
        let mut text = texts[round as usize % texts.len()].clone();
        for _ in 0..1 + random.below(6) {
            let mut start = random.below(text.len() + 1);
            let mut end = (start + random.below(12)).min(text.len());
            while !text.is_char_boundary(start) {
                start -= 1;
            }
            while !text.is_char_boundary(end) {
                end += 1;
            }
            let word = if random.below(3) == 0 { "" } else { WORDS[random.below(WORDS.len())] };
            text.replace_range(start..end, word);
        }
        let language = if round % 2 == 0 { Language::Auto } else { Language::Macro };
        let stage = [None, Some(Stage::Vertex), Some(Stage::Fragment)][random.below(3)];
        let options = AssembleOptions::default().stage(stage).language(language);
        let _ = expand(&text, &options);
        let findings = match assemble(&text, &options) {
            Ok(assembly) => {
                for spans in assembly.map.iter() {
                    let spans = [Some(spans.operation), spans.destination, spans.sources[0], spans.sources[1]];
                    assert!(spans.into_iter().flatten().all(|span| text.get(span.start..span.end).is_some()), "{text}");
                }
                assembly.warnings
            }
            Err(findings) => findings,
        };
        for finding in findings {
            let span = finding.place.span.expect("a place");
            assert!(text.get(span.start..span.end).is_some(), "{finding}\n{text}");
        }
    }
}

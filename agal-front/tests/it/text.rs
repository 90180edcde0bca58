//! Tests of AGAL source text: the assembled programs, the findings, and lossless disassembly.
//!
//! The cases are the files in `testdata/agal/text`. Each file is one program, whose comments state the expectations:
//!
//! ```text
//! //= OPCODE DESTINATION SOURCE1 SOURCE2   the line assembles to this token (hexadecimal words; every token has its comment)
//! //! COLUMN MESSAGE                       an error at the line's column; a file with one is not a program
//! //~ COLUMN MESSAGE                       a warning; a line may have several expectations
//! //~ LINE:COLUMN MESSAGE                  a warning about another line, which cannot have a comment
//! //: stage STAGE                          assemble with this stage; likewise `//: version VERSION`
//! //: gives VERSION STAGE                  the program's version and stage
//! //: given                                the version is stated and not inferred
//! ```
//!
//! Columns are counted from 1. An independent script computed the expected words from the bit layout of the published
//! format.

use std::fmt::Write;

use crate::common::missing_kinds;
use agal_front::assemble::{AssembleOptions, Assembly, Language, assemble, parts};
use agal_front::disassemble::{disassemble, instruction};
use agal_front::opcode::{Opcode, Operand};
use agal_front::token::{Destination, Mask, Sampler, Source, Swizzle, Token};
use agal_front::{Finding, Program, Stage};
use testing::{Effort, Random, corpus, files, testdata};

#[derive(Debug, Default)]
struct Expected {
    options: AssembleOptions,
    gives: Option<(u32, Stage)>,
    given: bool,
    tokens: Vec<(u32, Token)>,
    /// Findings in the form `LINE:COLUMN MARK MESSAGE`.
    findings: Vec<String>,
}

fn stage(word: &str) -> Stage {
    match word {
        "vertex" => Stage::Vertex,
        "fragment" => Stage::Fragment,
        _ => panic!("unknown stage: {word}"),
    }
}

impl Expected {
    fn read(text: &str) -> Expected {
        let mut expected = Expected::default();
        expected.options.language = Language::Mini;
        for (line, number) in text.lines().zip(1..) {
            for comment in line.split("//").skip(1) {
                expected.comment(number, comment);
            }
        }
        expected
    }

    fn comment(&mut self, line: u32, comment: &str) {
        let words: Vec<&str> = comment.split_whitespace().collect();
        let hex = |word: &str| u64::from_str_radix(word, 16).expect("a hexadecimal word");
        match words[..] {
            ["=", opcode, destination, first, second] => {
                let sources = [hex(first), hex(second)];
                let token = Token { opcode: hex(opcode) as u32, destination: hex(destination) as u32, sources };
                self.tokens.push((line, token));
            }
            [mark @ ("!" | "~"), column, ref message @ ..] => {
                let place = if column.contains(':') { column.to_string() } else { format!("{line}:{column}") };
                self.findings.push(format!("{place} {mark} {}", message.join(" ")));
            }
            [":", "stage", word] => self.options.stage = Some(stage(word)),
            [":", "version", word] => self.options.version = Some(word.parse().expect("a version")),
            [":", "gives", version, word] => self.gives = Some((version.parse().expect("a version"), stage(word))),
            [":", "given"] => self.given = true,
            [first, ..] if first.starts_with(['=', '!', '~', ':']) => {
                panic!("line {line}: not an expectation: {comment}")
            }
            _ => {}
        }
    }
}

fn notation(findings: &[Finding]) -> Vec<String> {
    let line = |finding: &Finding| {
        let span = finding.place.span.expect("a finding of text has a place in it");
        let mark = if finding.is_error() { '!' } else { '~' };
        format!("{}:{} {mark} {}", span.line, span.column, finding.kind)
    };
    findings.iter().map(line).collect()
}

fn words(token: &Token) -> String {
    format!("{:08x} {:08x} {:016x} {:016x}", token.opcode, token.destination, token.sources[0], token.sources[1])
}

fn differences(expected: &Expected, result: &Result<Assembly, Vec<Finding>>) -> String {
    let mut differences = String::new();
    let mut compare = |what: String, expected: String, found: String| {
        if expected != found {
            writeln!(differences, "  {what}\n    expected {expected}\n    found    {found}").expect("memory");
        }
    };
    let findings = notation(match result {
        Ok(assembly) => &assembly.warnings,
        Err(findings) => findings,
    });
    for i in 0..findings.len().max(expected.findings.len()) {
        let word = |list: &[String]| list.get(i).map_or("nothing".to_string(), Clone::clone);
        compare("finding".to_string(), word(&expected.findings), word(&findings));
    }
    let wrong = expected.findings.iter().any(|finding| finding.contains(" ! "));
    let Ok(assembly) = result else {
        compare("a program".to_string(), (!wrong).to_string(), false.to_string());
        return differences;
    };
    for i in 0..assembly.program.tokens.len().max(expected.tokens.len()) {
        let line = assembly.map.get(i).map(|spans| spans.operation.line);
        let found = assembly.program.tokens.get(i).map_or("nothing".to_string(), words);
        let (at, token) =
            expected.tokens.get(i).map_or((None, "nothing".to_string()), |(at, token)| (Some(*at), words(token)));
        compare(format!("token {}", i + 1), format!("{token} of line {at:?}"), format!("{found} of line {line:?}"));
    }
    if let Some(gives) = expected.gives {
        let found = (assembly.program.version, assembly.program.stage);
        compare("program".to_string(), format!("{gives:?}"), format!("{found:?}"));
        compare("stated".to_string(), expected.given.to_string(), assembly.version_given.to_string());
    }
    differences
}

#[test]
fn each_file_has_the_expected_tokens_and_findings() {
    let files = files(&testdata("agal/text"), ".agal");
    assert!(!files.is_empty());
    let mut failures = String::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a text");
        let expected = Expected::read(&text);
        let found = differences(&expected, &assemble(&text, &expected.options));
        if !found.is_empty() {
            writeln!(failures, "{}:\n{found}", file.display()).expect("memory");
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn the_files_cover_every_opcode() {
    let texts =
        files(&testdata("agal/text"), ".agal").into_iter().map(|file| std::fs::read_to_string(file).expect("a text"));
    let expected: Vec<Expected> = texts.map(|text| Expected::read(&text)).collect();
    for opcode in Opcode::ALL {
        let code = opcode.row().code;
        let covered = expected.iter().flat_map(|file| &file.tokens).any(|(_, token)| token.opcode == code);
        assert!(covered, "{}", opcode.row().mnemonic);
    }
}

/// The rows of the table in section 13 of the AGAL reference. The table lists properties of AGAL text in existing programs.
const REAL_PROGRAMS: [&str; 11] = [
    "no space after the mnemonic",
    "nothing between operands",
    "no commas, stray words at the end",
    "masks are sets of letters",
    "what does not match is skipped",
    "a comma after the last operand, also before options",
    "options without space, semicolons, tabs, spaces before commas",
    "option words that do not exist",
    "one option alone, and a bias",
    "aliases",
    "tex without options after one with",
];

/// The rows that state the bytes to which a line is assembled, from the table in section 10 of the AGAL reference. The rows
/// about unknown mnemonics and messages are omitted because the file `wrong_words` covers them. The row about the header is
/// omitted because every file covers it, and the rows about traces are omitted because traces are not supported.
const GRAMMAR: [&str; 12] = [
    "Register names",
    "Number omitted",
    "rgba letters",
    "Letter case",
    "Swizzle short",
    "Commas",
    "Unknown option",
    "Options cleared?",
    "Options after another",
    "index range",
    "fs limit",
    "Lines",
];

/// In a test file, a comment `// Row: TITLE` precedes the lines that illustrate a row of the reference.
#[test]
fn the_files_cover_every_row_of_the_reference() {
    for (rows, of) in [(&REAL_PROGRAMS[..], "real_programs"), (&GRAMMAR[..], "grammar")] {
        let mut shown = std::collections::BTreeMap::new();
        for file in files(&testdata("agal/text"), ".agal") {
            let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_string();
            if !name.starts_with(of) {
                continue;
            }
            let mut row = None;
            for line in std::fs::read_to_string(&file).expect("a text").lines() {
                if let Some(title) = line.strip_prefix("// ") {
                    row = title.strip_prefix("Row: ").map(str::to_string);
                } else if let (Some(row), true) = (&row, line.contains("//= ")) {
                    *shown.entry(row.clone()).or_insert(0) += 1;
                }
            }
        }
        for row in rows {
            assert!(shown.remove(*row).is_some(), "no line shows `{row}`");
        }
        assert!(shown.is_empty(), "rows that are in no table: {shown:?}");
    }
}

#[test]
fn the_files_cover_every_finding_about_text() {
    let mut seen = Vec::new();
    for file in files(&testdata("agal/text"), ".agal") {
        let text = std::fs::read_to_string(file).expect("a text");
        let findings = match assemble(&text, &Expected::read(&text).options) {
            Ok(assembly) => assembly.warnings,
            Err(findings) => findings,
        };
        seen.extend(findings);
    }
    let missing = missing_kinds(9100..9200, &seen);
    assert!(missing.is_empty(), "no file shows {missing:?}");
}

#[test]
fn the_parts_of_a_text_have_their_names_and_stages() {
    let of = |text: &str| -> Vec<(String, Option<Stage>)> {
        parts(text).into_iter().map(|part| (part.name, part.stage)).collect()
    };
    let part = |name: &str, stage| (name.to_string(), stage);
    let text = "// a pair\npart vs Vertex 1\nalias va0, p\nendpart\npart fragment 2 // the colour\npart lights\npart vs vertex 1\n";
    let expected = [part("vs", Some(Stage::Vertex)), part("fragment", Some(Stage::Fragment)), part("lights", None)];
    assert_eq!(of(text), expected);
    assert_eq!(of("mov oc, v0\n// part vs vertex 1\n"), []);
}

fn well_formed(random: &mut Random, stage: Stage) -> Token {
    let row = random.pick(Opcode::ALL).row();
    let mut token = Token { opcode: row.code, ..Token::default() };
    let files: &[u8] = if stage == Stage::Vertex { &[0, 1, 2, 3, 4, 5, 7] } else { &[1, 2, 3, 4, 5, 6] };
    if row.destination {
        let mask = Mask(1 + random.below(15) as u8);
        token.destination = Destination { number: random.below(300) as u16, mask, file: random.pick(files) }.encode();
    }
    for slot in 0..2 {
        token.sources[slot] = match row.sources[slot] {
            Operand::None => 0,
            Operand::Sampler => sampler(random).encode(),
            _ => source(random, stage, files).encode(),
        };
    }
    token
}

fn source(random: &mut Random, stage: Stage, files: &[u8]) -> Source {
    let (number, swizzle) = (random.below(300) as u16, Swizzle(random.next() as u8));
    if stage == Stage::Fragment || random.below(4) != 0 {
        let file = random.pick(files);
        return Source { number, offset: 0, swizzle, file, index_file: 0, index_component: 0, indirect: false };
    }
    let (offset, index_file, index_component) = (random.next() as u8, random.pick(files), random.below(4) as u8);
    Source { number, offset, swizzle, file: 1, index_file, index_component, indirect: true }
}

fn sampler(random: &mut Random) -> Sampler {
    Sampler {
        number: random.below(20) as u16,
        bias: random.next() as i8,
        file: 5,
        format: random.below(4) as u8,
        dimension: random.below(3) as u8,
        special: random.below(8) as u8,
        wrap: random.below(4) as u8,
        mip: random.below(3) as u8,
        filter: random.below(6) as u8,
    }
}

/// Returns a token of random bits, or a well-formed token with one bit flipped.
fn malformed(random: &mut Random, stage: Stage) -> Token {
    if random.below(2) == 0 {
        let opcode = if random.below(2) == 0 { random.below(0x30) as u32 } else { random.next() as u32 };
        return Token { opcode, destination: random.next() as u32, sources: [random.next(), random.next()] };
    }
    let mut bytes = well_formed(random, stage).encode();
    let bit = random.below(24 * 8);
    bytes[bit / 8] ^= 1 << (bit % 8);
    Token::decode(&bytes)
}

fn round_trip(program: &Program) -> Assembly {
    let text = disassemble(program);
    let assembly = assemble(&text, &AssembleOptions::default());
    let assembly = assembly.unwrap_or_else(|findings| panic!("{:#?}\n{text}", notation(&findings)));
    assert_eq!(assembly.program, *program, "{text}");
    assert_eq!(assembly.program.encode(), program.encode());
    assert_eq!(assembly.warnings, [], "{text}");
    assert!(assembly.version_given);
    assembly
}

#[test]
fn random_programs_survive_disassembly() {
    let mut random = Random(0x0a6a_1c00);
    for round in 0..Effort::of("PROGRAMS", 10_000).cases {
        let stage = random.pick(&[Stage::Vertex, Stage::Fragment]);
        let version = random.pick(&[1, 2, 3, 4]);
        let length = random.below(12);
        let tokens = (0..length).map(|_| match round % 2 {
            0 => well_formed(&mut random, stage),
            _ => malformed(&mut random, stage),
        });
        let program = Program { version, stage, tokens: tokens.collect(), trailing: Vec::new() };
        round_trip(&program);
        if round % 2 == 0 {
            let plain = program.tokens.iter().map(|token| instruction(token, stage));
            assert!(plain.into_iter().all(|line| !line.starts_with(".token")), "{}", disassemble(&program));
        }
    }
}

#[test]
fn the_corpus_survives_disassembly_and_needs_no_token_lines() {
    for file in corpus() {
        let bytes = std::fs::read(&file).expect("a program");
        let (program, _) = Program::decode(&bytes).expect("a program");
        round_trip(&program);
        assert!(!disassemble(&program).contains(".token"), "{}", file.display());
    }
}

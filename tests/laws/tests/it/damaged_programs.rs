//! Tests damaged programs and texts with fixed seeds: nothing panics or hangs, and the law of AGAL (`tests/laws/src/agal.rs`)
//! holds.
//!
//! The undamaged inputs are generated or come from testdata. `EDITS=1000000` selects a long run, for which `--release` is
//! recommended. `SEED=` repeats one edit and prints the edited file to standard error.

use std::time::{Duration, Instant};

use agal_front::assemble::{AssembleOptions, assemble};
use agal_front::disassemble::disassemble;
use agal_front::opcode::Opcode;
use agal_front::token::{HEADER_BYTES, TOKEN_BYTES, Token};
use agal_front::{Program, Stage};
use laws::programs;
use testing::{Effort, Random, caught, files, testdata};

/// The number of edited programs and texts in a full run.
const EDITS: u64 = 16_000;
/// The time limit for one input, in a debug build on a busy machine.
const LONGEST: Duration = Duration::from_secs(10);

/// Tests edited files of one kind, either programs or texts. `make` returns the options and an edited file.
fn hold(kind: u64, make: impl Fn(&mut Random) -> (u8, Vec<u8>)) {
    let effort = Effort::of("EDITS", EDITS / 2);
    let seeds = effort.seeds_of(kind);
    let count = seeds.clone().count() as u64;
    let (mut counts, mut failures, mut slowest) = ([0u64; 3], Vec::new(), (Duration::ZERO, 0));
    for seed in seeds {
        let (options, file) = make(&mut Random(seed));
        if effort.only.is_some() {
            eprintln!("{options:#04x} {}\n{file:02x?}", String::from_utf8_lossy(&file));
        }
        let start = Instant::now();
        match caught(|| laws::answer(options, &file)) {
            Ok(answer) => counts[answer as usize] += 1,
            Err(panic) => failures.push(format!("SEED={seed:#x}: {panic}")),
        }
        slowest = slowest.max((start.elapsed(), seed));
    }
    let [refused, read, translated] = counts;
    println!("edits of kind {kind}: {refused} rejected, {read} read, {translated} translated; slowest {slowest:?}");
    assert!(failures.is_empty(), "{} panicked\n{}", failures.len(), failures[..failures.len().min(8)].join("\n"));
    assert!(slowest.0 < LONGEST, "{slowest:?}");
    // The test would be weak if only a few edited files could be read and translated.
    let enough = count / 20;
    assert!(effort.only.is_some() || read + translated > 4 * enough && translated > enough, "{counts:?}");
}

fn texts() -> Vec<String> {
    let folders = ["lift", "wrong", "text", "procedure", "panic_elsewhere", "../pairs"];
    let files = folders.iter().flat_map(|folder| files(&testdata("agal").join(folder), ".agal"));
    let texts = files.map(|file| std::fs::read_to_string(file).expect("a text"));
    texts.filter(|text| text.lines().count() < 60).collect()
}

fn program_of(text: &str) -> Option<Program> {
    assemble(text, &AssembleOptions::default()).ok().map(|assembly| assembly.program)
}

fn some_program(random: &mut Random, kept: &[Program]) -> Program {
    if random.once_in(2) {
        return kept[random.below(kept.len())].clone();
    }
    let (version, stage) = (1 + random.below(4) as u32, random.pick(&[Stage::Vertex, Stage::Fragment]));
    let length = 1 + random.below(16);
    programs::program(random, version, stage, length)
}

/// Returns either an edge case for a field of `bits` bits or a random value.
fn edge(random: &mut Random, bits: u32) -> u64 {
    let all = u64::MAX >> (64 - bits);
    let any = random.next();
    random.pick(&[0, 1, 2, 3, all, all >> 1, (all >> 1) + 1, any & 7, any]) & all
}

/// The fields of a token, each given by its word (0 for the opcode, 1 for the destination, 2 and 3 for the sources), shift and
/// width in bits.
const FIELDS: &[(usize, u32, u32)] = &[
    (0, 0, 6),
    (0, 0, 32),
    (1, 0, 5),
    (1, 0, 16),
    (1, 16, 4),
    (1, 20, 4),
    (1, 24, 4),
    (1, 28, 4),
    (2, 0, 5),
    (2, 0, 16),
    (2, 16, 8),
    (2, 24, 8),
    (2, 32, 4),
    (2, 36, 4),
    (2, 40, 4),
    (2, 44, 4),
    (2, 48, 2),
    (2, 50, 13),
    (2, 63, 1),
    (3, 0, 5),
    (3, 0, 16),
    (3, 16, 8),
    (3, 24, 8),
    (3, 32, 4),
    (3, 36, 4),
    (3, 40, 4),
    (3, 44, 4),
    (3, 48, 4),
    (3, 52, 4),
    (3, 56, 4),
    (3, 60, 4),
    (3, 63, 1),
];

fn edit_field(random: &mut Random, token: &mut Token) {
    let (word, shift, bits) = random.pick(FIELDS);
    let value = edge(random, bits) << shift;
    let mask = (u64::MAX >> (64 - bits)) << shift;
    let put = |old: u64| old & !mask | value;
    match word {
        0 if random.once_in(2) => token.opcode = random.pick(Opcode::ALL).row().code,
        0 => token.opcode = put(token.opcode.into()) as u32,
        1 => token.destination = put(token.destination.into()) as u32,
        word => token.sources[word - 2] = put(token.sources[word - 2]),
    }
}

/// Applies one random edit to the tokens of a program, which may insert tokens of another program.
fn edit_tokens(random: &mut Random, tokens: &mut Vec<Token>, other: &[Token]) {
    let at = random.below(tokens.len());
    if tokens.is_empty() {
        tokens.extend(other.first());
        return;
    }
    match random.below(10) {
        0..=4 => edit_field(random, &mut tokens[at]),
        5 => drop(tokens.remove(at)),
        6 => tokens.insert(at, tokens[random.below(tokens.len())]),
        7 => {
            let from = random.below(other.len());
            let count = 1 + random.below(4);
            let part: Vec<Token> = other.iter().skip(from).take(count).copied().collect();
            drop(tokens.splice(at..at, part));
        }
        8 => {
            let (other, slot) = (random.below(tokens.len()), random.below(2));
            tokens[at].sources[slot] = tokens[other].sources[random.below(2)];
        }
        _ => {
            let other = random.below(tokens.len());
            tokens.swap(at, other);
        }
    }
}

fn edit_bytes(random: &mut Random, bytes: &mut Vec<u8>) {
    let at = random.below(bytes.len());
    if bytes.is_empty() {
        return;
    }
    match random.below(8) {
        0..=3 => bytes[at] ^= 1 << random.below(8),
        4 => bytes[at] = edge(random, 8) as u8,
        5 => bytes[at.min(HEADER_BYTES - 1)] = edge(random, 8) as u8,
        6 => bytes.truncate(if random.once_in(2) { at } else { HEADER_BYTES + at / TOKEN_BYTES * TOKEN_BYTES }),
        _ => bytes.insert(at, random.next() as u8),
    }
}

#[test]
fn edited_programs_do_no_harm() {
    let kept: Vec<Program> = texts().iter().filter_map(|text| program_of(text)).collect();
    hold(1, |random| {
        let (mut program, other) = (some_program(random, &kept), some_program(random, &kept));
        for _ in 0..random.below(4) {
            edit_tokens(random, &mut program.tokens, &other.tokens);
        }
        let mut bytes = program.encode();
        for _ in 0..random.below(3) {
            edit_bytes(random, &mut bytes);
        }
        (random.next() as u8, bytes)
    });
}

/// Splits a text into words and the characters between them.
fn pieces(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (piece, after) = rest.split_at(length);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// Applies one random edit to a text that is split into pieces.
fn edit_text<'a>(random: &mut Random, pieces: &mut Vec<&'a str>, other: &[&'a str]) {
    const ODD: &[&str] = &[
        "<",
        ">",
        "[",
        "]",
        ".",
        ",",
        ";",
        "//",
        "\n",
        "\r",
        "\x0b",
        "\t",
        " ",
        "+",
        "-",
        "part",
        "endpart",
        "vertex",
        ".token",
        "0x00000000",
        "65535",
        "65536",
        "99999999999999999999",
        "-128",
        "1e300",
        "nan",
        "rgba",
        "XYZW",
        "é",
        "\0",
        "\u{feff}",
        "vc[va0.x+",
        "2d",
        "ted",
        "iid",
        "#define",
        "macro",
        "(",
        ")",
        "=",
        "*",
        "/*",
        "*/",
        "alias",
    ];
    let at = random.below(pieces.len());
    if pieces.is_empty() || other.is_empty() {
        return;
    }
    let theirs = random.below(other.len());
    match random.below(8) {
        0 | 1 => pieces[at] = other[theirs],
        2 => pieces[at] = random.pick(ODD),
        3 => pieces.insert(at, random.pick(ODD)),
        4 => drop(pieces.remove(at)),
        5 => {
            let other = random.below(pieces.len());
            pieces.swap(at, other);
        }
        6 => {
            let count = 1 + random.below(12);
            let part: Vec<&str> = other.iter().skip(theirs).take(count).copied().collect();
            drop(pieces.splice(at..at, part));
        }
        _ => {
            let end = pieces.len().min(at + random.below(12));
            drop(pieces.drain(at..end));
        }
    }
}

#[test]
fn edited_texts_do_no_harm() {
    let texts = texts();
    let kept: Vec<Program> = texts.iter().filter_map(|text| program_of(text)).collect();
    hold(2, |random| {
        let some_text = |random: &mut Random| match random.once_in(2) {
            true => texts[random.below(texts.len())].clone(),
            false => disassemble(&some_program(random, &kept)),
        };
        let (text, other) = (some_text(random), some_text(random));
        let (mut text, other) = (pieces(&text), pieces(&other));
        for _ in 0..1 + random.below(4) {
            edit_text(random, &mut text, &other);
        }
        let options = if random.once_in(2) { random.next() as u8 & 0xf } else { random.next() as u8 };
        (options, text.concat().into_bytes())
    });
}

/// In each file, the line `//: CODE` states the first finding that the player reports.
#[test]
fn programs_on_which_another_translator_panics_are_rejected_with_the_players_number() {
    let files = files(&testdata("agal/panic_elsewhere"), ".agal");
    assert!(files.len() > 20);
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a text");
        let code = text.lines().find_map(|line| line.strip_prefix("//: ")).expect("a code");
        let program = program_of(&text).unwrap_or_else(|| panic!("{}", file.display()));
        let said = agal_front::check::check(&[&program], &agal_front::Rules::default()).concat();
        let first = said.iter().map(agal_front::Finding::code).find(|&code| code < 9000);
        assert_eq!(first, code.parse().ok(), "{}: {said:?}", file.display());
        for options in 0..=255 {
            laws::answer(options, &program.encode());
        }
    }
}

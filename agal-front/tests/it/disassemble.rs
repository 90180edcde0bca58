//! Tests of disassembly. For each file of testdata/agal/disassembled, assembling the file and disassembling the program must
//! yield the same text. The files `*.annotated.agal` are disassembled with comments. `UPDATE_EXPECT=1 cargo test -p agal-front
//! --test it disassemble::` regenerates the files. Every other source file of testdata must assemble to the same bytes after
//! disassembly.

use agal_front::assemble::{AssembleOptions, assemble};
use agal_front::disassemble::{annotate, disassemble};
use agal_front::token::Token;
use agal_front::{Program, Stage};
use testing::{Random, files, testdata};

fn program(text: &str) -> Program {
    let assembly = assemble(text, &AssembleOptions::default());
    assembly.unwrap_or_else(|findings| panic!("{findings:#?}\n{text}")).program
}

#[test]
fn each_file_is_what_its_program_disassembles_to() {
    let mut failures = String::new();
    let files = files(&testdata("agal/disassembled"), ".agal");
    assert!(files.len() >= 6);
    for file in files {
        let expected = std::fs::read_to_string(&file).expect("a text");
        let program = program(&expected);
        let annotated = file.to_string_lossy().ends_with(".annotated.agal");
        let found = if annotated { annotate(&program) } else { disassemble(&program) };
        let name = file.file_name().expect("a name").to_string_lossy();
        if let Err(difference) = testing::expect(&format!("testdata/agal/disassembled/{name}"), &found) {
            failures += &difference;
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn every_text_keeps_its_bytes_with_comments_and_without() {
    let files = ["pairs", "agal/disassembled", "agal/lift", "agal/wrong", "agal/text"]
        .map(|folder| files(&testdata(folder), ".agal"))
        .concat();
    let mut programs = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a text");
        // A file that has errors or does not determine its stage is not a program.
        let Ok(assembly) = assemble(&text, &AssembleOptions::default()) else { continue };
        programs += 1;
        for text in [disassemble(&assembly.program), annotate(&assembly.program)] {
            assert_eq!(program(&text), assembly.program, "{}\n{text}", file.display());
        }
    }
    assert!(programs > 250, "only {programs} programs");
}

#[test]
fn bytes_after_the_last_token_survive_disassembly() {
    let whole = program("// agal 1 fragment\nmov oc, v0\n").encode();
    for count in 1..24u8 {
        let bytes: Vec<u8> = whole.iter().copied().chain((0..count).map(|byte| byte.wrapping_mul(37))).collect();
        let (decoded, findings) = Program::decode(&bytes).expect("a program");
        assert_eq!(findings.len(), 1);
        for text in [disassemble(&decoded), annotate(&decoded)] {
            assert_eq!(program(&text).encode(), bytes, "{text}");
        }
    }
}

#[test]
fn any_tokens_survive_disassembly_with_comments_and_without() {
    let mut random = Random(0xa9a1);
    let (mut known, mut unknown) = (0, 0);
    for round in 0..3000u32 {
        let stage = if round % 2 == 0 { Stage::Vertex } else { Stage::Fragment };
        let mut token = || {
            // Most tokens have low opcode and register numbers and a known register file; about one token in 16 is
            // random.
            let wild = random.next().is_multiple_of(16);
            let word = |any: u64, mask: u64| if wild { any } else { any & mask };
            let opcode = if wild { random.next() as u32 } else { (random.next() % 0x30) as u32 };
            let destination = word(random.next(), 0x070f_0007) as u32;
            let sources = [0, 1].map(|_| word(random.next(), 0x8003_0307_ff00_0007));
            Token { opcode, destination, sources }
        };
        let tokens: Vec<Token> = (0..1 + round % 12).map(|_| token()).collect();
        let program = Program { version: 1 + round % 4, stage, tokens, trailing: vec![0xa0; round as usize % 24] };
        let annotated = annotate(&program);
        if annotated.contains("liveness is unknown") {
            unknown += 1
        } else {
            known += 1
        }
        for text in [disassemble(&program), annotated] {
            assert_eq!(
                assemble(&text, &AssembleOptions::default()).map(|again| again.program),
                Ok(program.clone()),
                "{text}"
            );
        }
    }
    assert!(known > 300 && unknown > 300, "{known} programs with liveness, {unknown} without");
}

//! The law of AGAL: any bytes or text are either rejected with findings or translated to a valid module. A program that can be
//! decoded keeps its bytes when it is encoded again, and survives a round trip through its text.
//!
//! agal-front's tests include this file, so the file depends only on agal-front and sdlbc.

use agal_front::assemble::{AssembleOptions, assemble};
use agal_front::disassemble::disassemble;
use agal_front::finding::allowable;
use agal_front::lift::{Options, translate};
use agal_front::{Compat, Finding, Kind, Program, Rules, Stage};

/// The result of reading and translating an AGAL program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The bytes are not a program.
    Refused,
    /// The bytes are a program that cannot be translated.
    Read,
    /// The bytes were translated to a module.
    Translated,
}

/// Checks the law of AGAL for a file whose first byte selects the options and whose remaining bytes are a program or its text.
pub fn agal(file: &[u8]) {
    if let Some((&options, program)) = file.split_first() {
        answer(options, program);
    }
}

/// Reads and translates a program's bytes or text, and returns the last step that succeeded.
pub fn answer(options: u8, file: &[u8]) -> Answer {
    let program = match file.first() {
        Some(0xa0) => Program::decode(file).map(|(program, _)| {
            assert!(file == program.encode(), "the encoded bytes differ from those decoded");
            program
        }),
        _ => assembled(options, &String::from_utf8_lossy(file)),
    };
    match program {
        Err(findings) => {
            assert!(findings.iter().any(Finding::is_error), "it is rejected without an error: {findings:?}");
            check_wording(&findings);
            Answer::Refused
        }
        Ok(program) if check_translation(options, &program) => Answer::Translated,
        Ok(_) => Answer::Read,
    }
}

/// Assembles a program's text. Some bits of `options` select the stage and the version.
fn assembled(options: u8, text: &str) -> Result<Program, Vec<Finding>> {
    let stage = [None, Some(Stage::Vertex), Some(Stage::Fragment), None][usize::from(options >> 4 & 3)];
    let version = [None, None, Some(2), Some(4)][usize::from(options >> 6 & 3)];
    let placed = |findings: &[Finding]| {
        assert!(findings.iter().all(|finding| finding.place.span.is_some()), "a finding has no span: {findings:?}");
    };
    match assemble(text, &AssembleOptions::default().stage(stage).version(version)) {
        Ok(assembly) => {
            assert_eq!(assembly.map.len(), assembly.program.tokens.len(), "the map has one entry for each token");
            placed(&assembly.warnings);
            check_wording(&assembly.warnings);
            Ok(assembly.program)
        }
        Err(findings) => {
            placed(&findings);
            Err(findings)
        }
    }
}

/// Checks a program's translation and its round trip through text. Returns true if the program became a module.
fn check_translation(options: u8, program: &Program) -> bool {
    let text = disassemble(program);
    match assemble(&text, &AssembleOptions::default()) {
        Ok(again) => {
            let trailing = |finding: &Finding| matches!(finding.kind, Kind::TrailingBytes { .. });
            let as_it_was = again.program == *program && again.warnings.iter().all(trailing);
            assert!(as_it_was, "the text assembles to another program\n{text}");
        }
        Err(findings) => panic!("{findings:?}\n{text}"),
    }
    let allow = if options & 8 != 0 { allowable().collect() } else { Vec::new() };
    let options = Options::default()
        .strict_ifg(options & 1 != 0)
        .truncate_index(options & 2 != 0)
        .signed_offset(options & 4 != 0)
        .rules(
            Rules::default()
                .allow(allow)
                .compat(if options & 8 == 0 && options & 4 != 0 { Compat::Player } else { Compat::Lenient })
                .allow_ted(options & 1 != 0)
                .lints(true),
        );
    let lifted = match translate(&[program], &options) {
        Ok(lifted) => lifted,
        Err(findings) => {
            let findings = findings.concat();
            assert!(findings.iter().any(Finding::is_error), "it is rejected without an error\n{text}");
            check_wording(&findings);
            return false;
        }
    };
    check_wording(&lifted.findings.concat());
    let module = lifted.module;
    assert_eq!(sdlbc::verify(&module), Ok(()), "\n{text}{}", sdlbc::print(&module));
    assert!(
        sdlbc::decode(&sdlbc::encode(&module)).as_ref() == Ok(&module),
        "the file decodes to another module\n{text}"
    );
    true
}

/// Checks that each finding is a single line and that no finding reports an internal error.
fn check_wording(findings: &[Finding]) {
    for said in findings.iter().map(ToString::to_string) {
        assert!(!said.contains('\n') && !said.contains("internal error"), "{said}");
    }
}

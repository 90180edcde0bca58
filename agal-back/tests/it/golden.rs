//! Compares the translation of each module NAME.sdlasm in testdata/back with NAME.txt, which contains the AGAL program or the
//! refusal for each version.

use std::fmt::Write;

use agal_back::{Options, translate, uploads};
use agal_front::check::check;
use agal_front::disassemble::disassemble;
use agal_front::{Compat, Rules};
use sdlbc::Verified;
use testing::{expect, files, testdata};

/// Returns, for each version, the program or the refusal that a module yields. A version with the same result as the previous
/// version is omitted.
fn of_module(module: &Verified) -> String {
    let mut text = String::new();
    for function in 0..module.functions.len() {
        let mut before = String::new();
        for version in [None, Some(1), Some(2), Some(3), Some(4)] {
            let result = match translate(module, function, &Options::default().version(version).literals(true)) {
                Ok(translated) => {
                    let program = &translated.program;
                    let rules = Rules::default().compat(Compat::Player).lints(true);
                    let found = check(&[program], &rules).concat();
                    assert!(found.is_empty(), "{found:?}\n{}", disassemble(program));
                    assert_eq!(translated.instructions.len(), program.tokens.len());
                    let uploads = uploads(&translated.constants, program.stage).into_iter();
                    let uploads: String = uploads.map(|line| format!("// upload {line}\n")).collect();
                    format!("{}{uploads}", disassemble(program))
                }
                Err(refusals) => {
                    refusals.iter().map(|refusal| format!("instruction {}: {refusal}\n", refusal.instruction)).collect()
                }
            };
            let without_header = |text: &str| text.split_once('\n').map_or(String::new(), |(_, rest)| rest.to_string());
            if without_header(&result) != without_header(&before)
                || result.starts_with("instruction") && result != before
            {
                let asked = version.map_or("any version".to_string(), |version| format!("version {version}"));
                writeln!(text, "# function {function}, {asked}\n{result}").expect("a text");
            }
            before = result;
        }
    }
    text
}

#[test]
fn modules_become_these_programs() {
    let mut failures = Vec::new();
    for path in files(&testdata("back"), ".sdlasm") {
        let text = std::fs::read_to_string(&path).expect("a file");
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let module = sdlbc::parse(&text).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let module = Verified::new(module).unwrap_or_else(|violations| panic!("{name}: {violations:?}"));
        failures.extend(expect(&format!("testdata/back/{name}.txt"), &of_module(&module)).err());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

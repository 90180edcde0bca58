//! Checks the disassembly, the code words and the module of each program in testdata/es2. `UPDATE_EXPECT=1` updates the expected
//! files.

use std::fmt::Write;

use es2_front::assemble::assemble;
use es2_front::disassemble::disassemble;
use es2_front::lift::translate;
use es2_front::{Opcode, Program, validate};
use testing::{expect, files, testdata};

#[test]
fn programs_have_the_words_and_modules_that_are_expected() {
    let mut used = std::collections::BTreeSet::new();
    for path in files(&testdata("es2"), ".es2") {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a text");
        let program = assemble(&text, None).unwrap_or_else(|findings| panic!("{name}: {findings:?}")).program;
        assert_eq!(validate(&program), [], "{name}");
        assert_eq!(Program::decode(&program.encode()).as_ref(), Ok(&program), "{name}");
        let again = disassemble(&program);
        assert_eq!(assemble(&again, None).map(|assembly| assembly.program).as_ref(), Ok(&program), "{name}");
        used.extend(program.instructions.iter().map(|instruction| instruction.op));
        let mut said = String::new();
        for (instruction, line) in program.instructions.iter().zip(again.lines().skip(1)) {
            writeln!(said, "{:016x}  {line}", instruction.encode()).expect("a string");
        }
        let module = translate(&[&program]).unwrap_or_else(|findings| panic!("{name}: {findings:?}")).module;
        said += "\n";
        said += &sdlbc::print(&module);
        expect(&format!("testdata/es2/{name}.expected"), &said).unwrap_or_else(|difference| panic!("{difference}"));
    }
    let all = Opcode::ALL.iter().copied().collect();
    assert_eq!(used, all, "each instruction is in a file");
}

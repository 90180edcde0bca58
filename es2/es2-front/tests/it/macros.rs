//! Checks the instructions that each macro expands to.

use es2_front::assemble::assemble;
use es2_front::disassemble::line;

fn lines(body: &str) -> Vec<String> {
    let text = format!("!!ES2fp1.0\n{body}\nEND\n");
    let program = assemble(&text, None).unwrap_or_else(|findings| panic!("{findings:?}\n{text}")).program;
    program.instructions.iter().map(|instruction| line(&program, instruction)).collect()
}

#[test]
fn macros_become_what_the_paper_says_with_the_last_temporary_that_is_free() {
    assert_eq!(
        lines("LIT fragcolor, v0, u3; # r15\n"),
        [
            "CLAMP r15, v0, 0, u3;",
            "RLG2 r15.w, r15.w;",
            "MUL r15.w, r15.w, r15.y;",
            "REX2 r15.w, r15.w;",
            "MULZ fragcolor, r15.1xz1, r15.w;",
        ]
    );
    assert_eq!(
        lines("pow r15.x, -v0.y, u3.z; mov fragcolor, r15;"),
        ["LG2 r14, -v0.y;", "MUL r14, r14, u3.z;", "EX2 r15.x, r14;", "MOV fragcolor, r15;"]
    );
    assert_eq!(
        lines("SUB r0, v0, u1.x; SUB fragcolor.xyz, r0, -v1;"),
        ["ADD r0, v0, -u1.x;", "ADD fragcolor.xyz, r0, v1;"]
    );
}

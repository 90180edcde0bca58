//! Checks that docs/isa.md has the current tables of instructions and findings, and that its example assembles. `UPDATE_EXPECT=1`
//! regenerates the tables.

use es2_front::assemble::assemble;
use es2_front::opcode::{Format, Meaning};
use es2_front::{Kind, Opcode};
use testing::{expect, repository, with_table};

#[test]
fn the_page_has_the_tables_of_instructions_and_findings() {
    let mut instructions = String::from("| number | instruction | result |\n|---|---|---|\n");
    for op in Opcode::ALL {
        let row = op.row();
        let scalar = matches!(row.meaning, Meaning::Scalar(_) | Meaning::Exponential | Meaning::Logarithm);
        let sources = match (row.format, row.sources, scalar) {
            _ if *op == Opcode::Clamp => " f, a, 0, b",
            _ if *op == Opcode::Swz => " f, a, x, y, z, w",
            _ if *op == Opcode::Arl => " A0.x, s",
            (Format::External, ..) => " f, a, t0, 2D",
            (_, 0, _) => "",
            (_, 1, true) => " f, s",
            (_, 1, false) => " f, a",
            (_, 2, _) => " f, a, b",
            _ => " f, a, b, c",
        };
        let number = if row.format == Format::External { "0, external".to_string() } else { row.number.to_string() };
        instructions += &format!("| {number} | `{}{sources}` | {} |\n", row.mnemonic, row.text.replace('|', "\\|"));
    }
    let mut findings = String::from("| number | severity | what is found |\n|---|---|---|\n");
    for row in Kind::ROWS {
        let severity = if row.levels.contains("Error") { "error" } else { "warning" };
        findings += &format!("| {} | {severity} | {} |\n", row.codes, row.description.trim());
    }
    let page = std::fs::read_to_string(repository().join("docs/isa.md")).expect("the page");
    let page = with_table(&page, "<!-- instructions:", &instructions);
    let page = with_table(&page, "<!-- findings:", &findings);
    expect("docs/isa.md", &page).unwrap_or_else(|difference| panic!("{difference}"));
}

#[test]
fn the_example_of_the_page_assembles_without_a_warning() {
    let page = std::fs::read_to_string(repository().join("docs/isa.md")).expect("the page");
    let (_, example) = page.split_once("```\n!!").expect("an example");
    let example = format!("!!{example}");
    let (example, _) = example.split_once("```").expect("its end");
    let assembly = assemble(example, None).unwrap_or_else(|findings| panic!("{findings:?}"));
    assert_eq!(assembly.warnings, []);
    assert_eq!(es2_front::validate(&assembly.program), []);
}

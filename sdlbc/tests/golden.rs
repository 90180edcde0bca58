//! The sample as text and as a dump, and the generated parts of docs/format.md. `UPDATE_EXPECT=1 cargo test -p sdlbc`
//! renews all of them.

mod common;

use std::fmt::Write;

use common::{branch, everything, expect, inst, repository, sample};
use sdlbc::{Arity, Op, Rule, dump, encode, print};

#[test]
fn the_text_of_the_sample() {
    expect("testdata/sdlbc/sample.txt", &print(&sample()));
}

/// Whatever has no short form, and names that cannot stand in their functions.
#[test]
fn the_text_of_odd_things() {
    let mut module = everything();
    module.functions[0].body = vec![
        inst(Op::Nop, 0, &[], &[0, 0xffff_ffff]),
        inst(Op::Add, 0, &[1, 0], &[]),
        inst(Op::Peek, 20, &[1, 0], &[u32::MAX]),
        inst(Op::Poke, 0, &[9], &[3]),
        inst(Op::Swizzle, 21, &[4], &[0xfffe_0201]),
        inst(Op::Convert, 22, &[1], &[0xff]),
        inst(Op::LiteralBool, 23, &[], &[2]),
        inst(Op::LiteralFloat4, 24, &[], &[0x7f80_0001, 0xff80_0000, 1, 0x7f7f_ffff]),
        branch(23, vec![], vec![branch(23, vec![inst(Op::Discard, 0, &[], &[])], vec![])]),
    ];
    expect("testdata/sdlbc/odd.txt", &print(&module));
}

#[test]
fn the_dump_of_the_sample() {
    expect("testdata/sdlbc/sample.dump", &dump(&encode(&sample())).text);
}

/// A false checksum, an unknown operation, a false kind, and counts that cannot be used.
#[test]
fn the_dump_of_a_damaged_file() {
    let mut file = encode(&sample());
    let words = file.chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("words"))).collect::<Vec<_>>();
    let find = |run: &[u32]| 4 * words.windows(run.len()).position(|words| words == run).expect("the words");
    let (convert, builtin, discard) = (find(&[0x1009, 5, 7]), find(&[4, 1, 0]), find(&[30, 2]));
    for (at, byte) in [(convert, 0xff), (builtin, 99), (discard + 4, 77)] {
        file[at] = byte;
    }
    file.push(0xab);
    let dump = dump(&file);
    assert!(!dump.good);
    expect("testdata/sdlbc/damaged.dump", &dump.text);
}

#[test]
fn the_format_document_lists_the_operations_and_rules() {
    let mut operations = String::from("| number | operation | words | type | what it gives |\n|---|---|---|---|---|\n");
    for &op in Op::ALL {
        let number = match op.number() {
            number @ ..0x1000 => number.to_string(),
            number => format!("{number:#x}"),
        };
        let rule = format!("{:?}", op.type_rule());
        let _ = writeln!(operations, "| {number} | {op} | {} | {rule} | {} |", words(op), op.documentation());
    }
    let mut rules = String::from("| rule | what it asks |\n|---|---|\n");
    for rule in Rule::ALL {
        let _ = writeln!(rules, "| {rule} | {} |", rule.text());
    }
    let document = std::fs::read_to_string(repository().join("docs/format.md")).expect("the document");
    let document = with_part(&document, "operations", &operations);
    expect("docs/format.md", &with_part(&document, "rules", &rules));
}

/// The operands of an operation, in the order of the file.
fn words(op: Op) -> String {
    let shape = op.shape();
    let mut words = Vec::new();
    if shape.output {
        words.push("output".to_string());
    }
    match shape.inputs {
        Arity::Fixed(count) => words.extend(["a", "b", "c", "d"].iter().take(count).map(|name| name.to_string())),
        Arity::TwoToFour => words.push("a, b [, c [, d]]".to_string()),
    }
    words.extend((0..shape.immediates).map(|_| "word".to_string()));
    if shape.blocks {
        words.push("count, blocks".to_string());
    }
    if shape.ignored {
        words.push("anything".to_string());
    }
    words.join(", ")
}

/// The document with what stands between a pair of markers replaced.
fn with_part(document: &str, name: &str, content: &str) -> String {
    let (begin, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->"));
    let (before, rest) = document.split_once(&begin).expect("a begin marker");
    let (_, after) = rest.split_once(&end).expect("an end marker");
    format!("{before}{begin}{content}{end}{after}")
}

#[test]
fn the_document_states_the_limits() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/format.md");
    let text = std::fs::read_to_string(path).expect("docs/format.md");
    for stated in [
        format!("at most {} deep", sdlbc::limits::NESTING),
        format!("below {}", sdlbc::limits::PLACES),
        format!("{} elements", sdlbc::limits::ARRAY_LENGTH),
    ] {
        assert!(text.contains(&stated), "docs/format.md does not say `{stated}`");
    }
}

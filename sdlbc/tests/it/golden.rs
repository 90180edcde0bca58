//! The sample as text, docs/instructions.md, and the generated parts of docs/format.md. `UPDATE_EXPECT=1 cargo test -p
//! sdlbc` renews all of them.

use crate::common;

use std::fmt::Write;

use common::{branch, everything, expect, inst, repository, sample};
use sdlbc::{Arity, Blocks, Op, Rule, Stages, TypeRule, dump, encode, limits, print};

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

/// What docs/instructions.md says of all operations at once. What it states of the executor is held by compute.rs, what of
/// targets by the conformance suite.
const NUMBERS: &str = "
## Numbers

What an operation computes is stated for exact numbers. Two readers of one file may still differ in what follows; nothing
else is open.

Fixed everywhere:

- Ints and uints keep the low 32 bits; no operation on them, on bools, or on components alone has an error.
- Comparisons of floats that are not NaN, `min`, `max`, `abs`, `sign`, `negate`, `floor`, `ceil`, `trunc`, `round`,
  `roundeven`, `step`, `select`, `frexp`, `exponent`, and conversions that the result can hold exactly are exact.
- `add`, `subtract` and `multiply` of floats, and floats made of ints, are the nearest float, the even one of two; but a
  product and a sum may be fused, and sums be in another order, which is one unit in the last place (ULP) of a term.
- The constant folder and the executor of this project round every operation by itself, keep denormals, and give the same
  bits on any machine.

Open:

- **Rounding.** Every other operation of floats has an error, Vulkan's: `divide` 2.5 ULP, `rsqrt` 2, `exp2` 3 + 2 abs(a), `sin`
  2^-11 between -pi and pi, and so on, or that of the formula that it is defined by. [conformance.md](conformance.md#what-is-allowed)
  has the table, and what targets were measured to do. Of halves the units are a half's; the executor rounds every result
  to one.
- **Denormals** may be zero, as operands and as results, of any operation.
- **Infinities and NaN.** A target need not have them: what comes of an infinite operand or result, or of NaN, is open. The
  executor follows IEEE 754: comparisons with NaN are false, and `notequal` true; the bits of a NaN are open there too.
- **`min`, `max` and `clamp` of NaN.** `min` and `max` of a number and NaN may be either. `clamp` is min(max(a, b), c): of NaN it may be
  b, c, or NaN; the executor gives b. Where b is above c the result is open; the executor gives c. Of `min` and `max` of 0.0 and
  -0.0 either zero.
- **Domains.** A result outside of what the operation's row says (\"for a >= 0\") is open, as is the int that becomes of a float
  beyond the ints' range, and of NaN.
- **Derivatives** are the difference in the quad of fragments, fine or coarse; where the fragments have parted they are open.
  Samples may be 2/256 of a texel and 1/16 of a level off.
";

/// docs/instructions.md: what each row of the table says, in a section of its own.
#[test]
fn the_reference_lists_every_operation() {
    let mut text = String::from(
        "# The operations of SDLSHADERBC\n\n\
         One section for each row of the table in `sdlbc/src/ops.rs`, from which this page is generated\n\
         (`UPDATE_EXPECT=1 cargo test -p sdlbc` renews it). [format.md](format.md) says how an instruction's words are laid\n\
         out, what the typing rules' names mean and what blocks do.\n\n\
         *Words* are what stands behind the opcode and `num_words`: `output` is the id of the result or 0, the letters are\n\
         ids that are read, in brackets what may be left out. An id in round brackets may be 0.\n",
    );
    text.push_str(NUMBERS);
    for (origin, chosen) in [("Published", published as fn(&&Op) -> bool), ("Ours", ours)] {
        let _ = write!(text, "\n## {origin}\n");
        for &op in Op::ALL.iter().filter(chosen) {
            let _ = write!(text, "\n### {op}\n\n| {op} | {} |\n|---|---|\n", op.documentation());
            let _ = writeln!(text, "| number | {}, {} |", number(op), origin.to_lowercase());
            let _ = writeln!(text, "| words | {} |", or_none(words(op)));
            let _ = writeln!(text, "| typing | {} |", typing(op));
            let stage = match op.stage() {
                Stages::Any => "all",
                Stages::Fragment => "fragment, and generic ones that no vertex function reaches",
            };
            let _ = writeln!(text, "| in functions | {stage} |");
        }
    }
    expect("docs/instructions.md", &text);
}

fn published(op: &&Op) -> bool {
    op.number() < 0x1000
}

fn ours(op: &&Op) -> bool {
    !published(op)
}

fn number(op: Op) -> String {
    if published(&&op) { op.number().to_string() } else { format!("{:#x}", op.number()) }
}

fn or_none(text: String) -> String {
    if text.is_empty() { "none".to_string() } else { text }
}

/// The typing rule with a link to what it means.
fn typing(op: Op) -> String {
    format!("[{:?}](format.md#typing)", op.type_rule())
}

/// The operands of an operation, in the order of the file.
fn words(op: Op) -> String {
    let shape = op.shape();
    let mut words = Vec::new();
    if shape.immediates_first {
        words.push("function".to_string());
    }
    if shape.output {
        words.push("output".to_string());
    }
    let name = |at: usize| {
        let name = ["a", "b", "c", "d"][at];
        if op.may_lack(at) { format!("({name})") } else { name.to_string() }
    };
    match shape.inputs {
        Arity::Fixed(count) => words.extend((0..count).map(name)),
        Arity::TwoToFour => words.push("a, b [, c [, d]]".to_string()),
        Arity::OneOrThree => words.push(format!("a [, b, {}]", name(2))),
        Arity::Any => words.push("a, b...".to_string()),
    }
    if !shape.immediates_first {
        words.extend(immediates(op).iter().map(|name| name.to_string()));
    }
    match shape.blocks {
        Blocks::None => {}
        Blocks::If => words.push("number of words if true, both blocks".to_string()),
        Blocks::Loop => words.push("block".to_string()),
        Blocks::Switch => words.push("number of cases, cases, last block".to_string()),
    }
    if shape.ignored {
        words.push("anything".to_string());
    }
    words.join(", ")
}

fn immediates(op: Op) -> &'static [&'static str] {
    match op.type_rule() {
        TypeRule::Literal(_, 1) => &["bits"],
        TypeRule::Literal(..) => &["x", "y", "z", "w"],
        TypeRule::Swizzle => &["swizvals"],
        TypeRule::Convert => &["type"],
        TypeRule::Peek | TypeRule::Poke => &["offset"],
        _ => &[],
    }
}

#[test]
fn every_immediate_has_a_name() {
    for &op in Op::ALL.iter().filter(|op| !op.shape().immediates_first) {
        assert_eq!(immediates(op).len(), op.shape().immediates, "{op}");
    }
}

/// The parts of docs/format.md that the code says: the operations in short, the rules, the grammar, the limits and the
/// worked example.
#[test]
fn the_format_document_says_what_the_code_does() {
    let mut operations = String::from("| number | operation | words | typing |\n|---|---|---|---|\n");
    for &op in Op::ALL {
        let (number, words, rule) = (number(op), or_none(words(op)), op.type_rule());
        let _ = writeln!(operations, "| {number} | [{op}](instructions.md#{op}) | {words} | {rule:?} |");
    }
    let mut rules = String::from("| rule | what it asks |\n|---|---|\n");
    for rule in Rule::ALL {
        let _ = writeln!(rules, "| {rule} | {} |", rule.text());
    }
    let example = format!("```text\n{}```\n", dump(&encode(&common::layouts::example())).text);
    let mut document = std::fs::read_to_string(repository().join("docs/format.md")).expect("the document");
    for (name, content) in [
        ("operations", operations),
        ("rules", rules),
        ("grammar", grammar()),
        ("limits", limits()),
        ("example", example),
    ] {
        document = with_part(&document, name, &content);
    }
    expect("docs/format.md", &document);
}

/// The grammar in the head of the text form's source, and what the head says behind it.
fn grammar() -> String {
    let sources = ["text.rs", "text/mod.rs", "print.rs"].map(|name| repository().join("sdlbc/src").join(name));
    let heads = sources.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    let mut grammars = heads.filter_map(|source| {
        let head = source.lines().map_while(|line| line.strip_prefix("//!"));
        let head = head.map(|line| line.strip_prefix(' ').unwrap_or(line)).skip_while(|line| *line != "```text");
        let lines = head.map(|line| format!("{line}\n")).collect::<String>();
        Some(lines).filter(|lines| !lines.is_empty())
    });
    grammars.next().expect("a grammar")
}

/// The limits, as a table.
fn limits() -> String {
    let mut table = String::from("| what | at most |\n|---|---|\n");
    for (what, limit) in [
        ("blocks in each other", limits::NESTING),
        ("functions, and functions that the debug table speaks of", limits::FUNCTIONS),
        ("inputs and outputs of all functions together", limits::INTERFACE),
        (
            "instructions of all functions together, those in blocks and the cases of SWITCHes included",
            limits::INSTRUCTIONS,
        ),
        ("an id", limits::MAX_ID as usize),
        ("elements of an array", limits::ARRAY_LENGTH as usize),
        ("components of all slots of all functions together", limits::SLOTS),
        ("a location of an attribute or varying, a slot of a texture", limits::PLACES as usize - 1),
        ("a target of a colour", limits::TARGETS as usize - 1),
        ("words that instructions read: ids, and plain words, those of NOPs included", limits::OPERANDS),
        ("bytes of a name, of a function, input, output, value or file", limits::NAME),
        ("sources", limits::SOURCES),
        ("bytes of all strings together, names and the texts of sources", limits::STRINGS),
        ("names of values, of all functions together", limits::VALUE_NAMES),
        ("numbers of places, of all functions together", limits::LINES),
    ] {
        let _ = writeln!(table, "| {what} | {limit} |");
    }
    table
}

/// The document with what stands between a pair of markers replaced.
fn with_part(document: &str, name: &str, content: &str) -> String {
    let (begin, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->"));
    let (before, rest) = document.split_once(&begin).unwrap_or_else(|| panic!("no marker `{begin}`"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("no marker `{end}`"));
    format!("{before}{begin}{content}{end}{after}")
}

#[test]
fn the_document_explains_every_typing_rule() {
    let document = std::fs::read_to_string(repository().join("docs/format.md")).expect("the document");
    for &op in Op::ALL {
        let rule = format!("{:?}", op.type_rule());
        let name = rule.split('(').next().unwrap_or_default();
        let rows = [format!("\n| {name} |"), format!("\n| {name}(")];
        assert!(rows.iter().any(|row| document.contains(row)), "docs/format.md does not explain {rule}");
    }
}

#[test]
fn the_document_says_how_many_violations_are_told() {
    let document = std::fs::read_to_string(repository().join("docs/format.md")).expect("the document");
    assert!(document.contains(&format!("than {} times", limits::VIOLATIONS)));
}

/// The bytes of the example, word by word, are a file.
#[test]
fn the_example_of_the_document_is_a_file() {
    let document = std::fs::read_to_string(repository().join("docs/format.md")).expect("the document");
    let (_, rest) = document.split_once("<!-- begin example -->").expect("a marker");
    let (example, _) = rest.split_once("<!-- end example -->").expect("a marker");
    let words = example.lines().filter_map(|line| u32::from_str_radix(line.get(8..16)?, 16).ok());
    let file = words.flat_map(u32::to_le_bytes).collect::<Vec<_>>();
    let module = sdlbc::decode(&file).expect("a file");
    assert_eq!(module, common::layouts::example());
    assert_eq!(sdlbc::verify(&module), Ok(()));
}

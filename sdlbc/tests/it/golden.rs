//! Checks that the printed sample module, docs/instructions.md and the generated parts of docs/format.md match the code.
//! `UPDATE_EXPECT=1 cargo test -p sdlbc` renews all of these files.

use std::fmt::Write;

use crate::common::{branch, everything, expect, inst, repository, sample};
use sdlbc::{Addition, Arity, Blocks, Op, Rule, Stages, TypeRule, code, dump, encode, limits, print};

#[test]
fn the_text_of_the_sample() {
    expect("testdata/sdlbc/sample.txt", &print(&sample()));
}

/// The module also contains names that the printer can write only in `debug` blocks.
#[test]
fn the_text_of_operands_without_a_short_form() {
    let mut module = everything();
    module.functions[0].body = code![
        inst(Op::Nop, 0, &[], &[0, 0xffff_ffff]),
        inst(Op::Add, 0, &[1, 0], &[]),
        inst(Op::Peek, 20, &[1, 0], &[u32::MAX]),
        inst(Op::Poke, 0, &[9], &[3]),
        inst(Op::Swizzle, 21, &[4], &[0xfffe_0201]),
        inst(Op::Convert, 22, &[1], &[0xff]),
        inst(Op::LiteralBool, 23, &[], &[2]),
        inst(Op::LiteralFloat4, 24, &[], &[0x7f80_0001, 0xff80_0000, 1, 0x7f7f_ffff]),
        branch(23, code![], code![branch(23, code![inst(Op::Discard, 0, &[], &[])], code![])]),
    ];
    expect("testdata/sdlbc/odd.txt", &print(&module));
}

/// The section of docs/instructions.md that applies to all operations. compute.rs tests the section's statements about the
/// executor, and the conformance suite tests its statements about targets.
const NUMBERS: &str = "
## Numbers

The operations below are defined for exact numbers. This section states how accurate the results must be.
Results may differ between targets only where this section states that they vary or are undefined. *interp* is this
project's module interpreter.

Fixed:

- Arithmetic on ints and uints is modulo 2^32. Operations on ints, uints and bools, and operations that only move
  components, are exact.
- The following operations on floats are exact, except for denormals and zeroes (see below): comparisons of floats that are not NaN,
  `min`, `max`, `abs`, `sign`, `negate`, `floor`, `ceil`, `trunc`, `round`, `roundeven`, `step`, `select`, `frexp`,
  `exponent`, and conversions to a type that can represent the value.
- `add`, `subtract` and `multiply` of floats round to the nearest float, ties to even, unless they are fused or reordered (see
  below).
- The constant folder and interp round after every operation, keep denormals, and produce the same bits on every machine,
  except for those of a NaN.

Variable or undefined:

- **Fusing and reordering.** A target may fuse a product with a sum and may reorder sums. Each fusion and each reordering may
  change the result by up to one unit in the last place (ULP) of the sum's largest term.
- **Conversions.** An int that no float represents exactly becomes the nearest float below or above the int. The constant
  folder and interp round to the nearest float, ties to even.
- **Rounding.** Every other operation on floats may have the error that Vulkan allows: `divide` 2.5 ULP, `rsqrt` 2 ULP, `exp2`
  3 + 2 abs(a) ULP, `sin` 2^-11 between -pi and pi, and so on. If Vulkan specifies a formula for an operation, the operation
  has the error of the formula. [conformance.md](internals/conformance.md#tolerances) lists the permitted errors, and the errors
  measured for each target. For halfs, the unit is the ULP of a half, and interp rounds every result to a half.
- **Denormals.** Any operation may treat denormal operands as zero, and may return zero for a denormal result.
- **Infinities and NaN.** Targets need not support infinities and NaN: if an operand or result is infinite or NaN, the result is
  undefined. interp follows IEEE 754: comparisons with NaN are false, except that `notequal` is true.
- **`min`, `max` and `clamp`.** `min` and `max` of a number and NaN return either of the two. `min` and `max` of 0.0 and -0.0
  return either zero. `clamp` is min(max(a, b), c). If a is NaN, `clamp` returns b, c or NaN; interp returns b. If b is
  greater than c, the result is undefined; interp returns c.
- **Domains.** If the description of an operation states a domain (\"for a >= 0\"), results outside the domain are undefined.
  Converting NaN, or a float whose truncated value is out of range, to int or uint yields an undefined value. A conversion to
  half that overflows has an infinite result.
- **Derivatives and samples.** A derivative is a difference within the quad, fine or coarse; in non-uniform control flow it is
  undefined. The coordinate of a sample may have an error of 2/256 of a texel, and the level of detail an error of 1/16.
";

#[test]
fn the_reference_lists_every_operation() {
    let mut text = String::from(
        "# The operations of SDLSHADERBC\n\n\
         This page is generated from the table in `sdlbc/src/ops.rs` (`UPDATE_EXPECT=1 cargo test -p sdlbc` renews it).\n\
         [format.md](format.md#operations) lists the opcodes, and explains the layout of instructions, the typing\n\
         rules and the blocks.\n\n\
         Each section begins with the typing rule and the words after the opcode and `num_words`: `result` is the id of the result\n\
         or 0, and the letters are the ids of the operands. Operands in square brackets are optional; an id in round brackets may\n\
         be 0. *Published* operations are those of SDL_shader_tools; *ours* are additions of this project.\n",
    );
    text.push_str(NUMBERS);
    for (origin, chosen) in [("Published", published as fn(&&Op) -> bool), ("Ours", ours)] {
        let _ = write!(text, "\n## {origin}\n");
        for &op in Op::ALL.iter().filter(chosen) {
            let _ = write!(
                text,
                "\n### {op}\n\n{}: {}.\n\n*{op}*: {}.",
                typing(op),
                or_none(words(op)),
                op.documentation()
            );
            text.push_str(match op.stage() {
                Stages::Any => "\n",
                Stages::Fragment => {
                    " Allowed only in fragment functions, and in generic functions that no vertex or compute function reaches by calls.\n"
                }
                Stages::Compute => " Allowed only in compute functions.\n",
            });
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

fn typing(op: Op) -> String {
    format!("[{:?}](format.md#typing)", op.type_rule())
}

/// Returns the names of an operation's words, in the order of the file.
fn words(op: Op) -> String {
    let shape = op.shape();
    let mut words = Vec::new();
    if shape.immediates_first {
        words.push("function".to_string());
    }
    if shape.output {
        words.push("result".to_string());
    }
    let name = |at: usize| {
        let name = ["a", "b", "c", "d", "e"][at];
        if op.may_lack(at) { format!("({name})") } else { name.to_string() }
    };
    match shape.inputs {
        Arity::Fixed(count) => words.extend((0..count).map(name)),
        Arity::TwoToFour => words.push("a, b [, c [, d]]".to_string()),
        Arity::Layered(least) => {
            words.extend((0..least).map(name));
            words.push(format!("[{}]", name(least)));
        }
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
        TypeRule::Convert | TypeRule::Bitcast => &["type"],
        TypeRule::Peek | TypeRule::Poke | TypeRule::TextureOffset => &["offset"],
        TypeRule::Atomic | TypeRule::AtomicCompare => &["offset"],
        TypeRule::Gather => &["component"],
        TypeRule::Barrier => &["flags"],
        _ => &[],
    }
}

#[test]
fn every_immediate_has_a_name() {
    for &op in Op::ALL.iter().filter(|op| !op.shape().immediates_first) {
        assert_eq!(immediates(op).len(), op.shape().immediates, "{op}");
    }
}

/// The generated parts of docs/format.md are the table of operations, the rules, the grammar, the limits and the worked example.
#[test]
fn the_format_document_agrees_with_the_code() {
    let mut operations = String::from("| number | operation | words | typing |\n|---|---|---|---|\n");
    for &op in Op::ALL {
        let (number, words, rule) = (number(op), or_none(words(op)), op.type_rule());
        let _ = writeln!(operations, "| {number} | [{op}](instructions.md#{op}) | {words} | {rule:?} |");
    }
    let mut rules = String::from("| rule | requirement |\n|---|---|\n");
    for rule in Rule::ALL {
        let _ = writeln!(rules, "| {rule} | {} |", rule.text());
    }
    let mut additions = String::from("| number | revision | addition | what it covers |\n|---|---|---|---|\n");
    for addition in Addition::ALL {
        let _ = writeln!(
            additions,
            "| {} | {} | {addition} | {} |",
            addition.number(),
            addition.revision(),
            addition.covers()
        );
    }
    let example = format!("```text\n{}```\n", dump(&encode(&crate::common::layouts::example())).text);
    let mut document = std::fs::read_to_string(repository().join("docs/format.md")).expect("the document");
    for (name, content) in [
        ("additions", additions),
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

/// Returns the grammar, and the text after the grammar, from the module documentation of sdlbc/src/text.rs.
fn grammar() -> String {
    let source = std::fs::read_to_string(repository().join("sdlbc/src/text.rs")).expect("the source");
    let head = source.lines().map_while(|line| line.strip_prefix("//!"));
    let head = head.map(|line| line.strip_prefix(' ').unwrap_or(line)).skip_while(|line| *line != "```text");
    let grammar = head.map(|line| format!("{line}\n")).collect::<String>();
    assert!(!grammar.is_empty(), "sdlbc/src/text.rs has no grammar");
    grammar
}

fn limits() -> String {
    let mut table = String::from("| what | at most |\n|---|---|\n");
    for (what, limit) in [
        ("nesting depth of blocks", limits::NESTING),
        ("functions; functions in the debug table", limits::FUNCTIONS),
        ("inputs and outputs of all functions", limits::INTERFACE),
        ("instructions and SWITCH cases of all functions, including those in nested blocks", limits::INSTRUCTIONS),
        ("an id", limits::MAX_ID as usize),
        ("elements of an array", limits::ARRAY_LENGTH as usize),
        ("components of all local slots of all functions (V47)", limits::SLOTS),
        ("components of all shared arrays of all functions (V65)", limits::SHARED),
        ("invocations of a workgroup in x and in y (V60)", limits::WORKGROUP[0] as usize),
        ("invocations of a workgroup in z (V60)", limits::WORKGROUP[2] as usize),
        ("invocations of a workgroup (V60)", limits::INVOCATIONS as usize),
        (
            "the location of an attribute or varying; the slot of a texture, a uniform, a storage buffer or a storage texture (V24)",
            limits::PLACES as usize - 1,
        ),
        ("bytes of a uniform buffer (V52)", limits::BUFFER as usize),
        ("the target of a colour (V24)", limits::TARGETS as usize - 1),
        ("the index of a clip distance (V24)", limits::CLIP_DISTANCES as usize - 1),
        ("ids of operands and immediates of all instructions", limits::OPERANDS),
        ("bytes of the name of a function, input, output, value, member or file", limits::NAME),
        ("sources", limits::SOURCES),
        ("bytes of all strings: names and source texts", limits::STRINGS),
        ("value names of all functions", limits::VALUE_NAMES),
        ("members of all arrays of uniforms of all functions", limits::MEMBERS),
        ("line numbers of all functions", limits::LINES),
    ] {
        let _ = writeln!(table, "| {what} | {limit} |");
    }
    table
}

/// Replaces the text between the markers called `name`, and returns the resulting document.
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
fn the_document_states_how_many_violations_are_reported() {
    let document = std::fs::read_to_string(repository().join("docs/format.md")).expect("the document");
    assert!(document.contains(&format!("than {} times", limits::VIOLATIONS)));
}

#[test]
fn the_example_of_the_document_is_a_file() {
    let document = std::fs::read_to_string(repository().join("docs/format.md")).expect("the document");
    let (_, rest) = document.split_once("<!-- begin example -->").expect("a marker");
    let (example, _) = rest.split_once("<!-- end example -->").expect("a marker");
    let words = example.lines().filter_map(|line| u32::from_str_radix(line.get(8..16)?, 16).ok());
    let file = words.flat_map(u32::to_le_bytes).collect::<Vec<_>>();
    let module = sdlbc::decode(&file).expect("a file");
    assert_eq!(module, crate::common::layouts::example());
    assert_eq!(sdlbc::verify(&module), Ok(()));
}

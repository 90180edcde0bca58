//! Tests the text form: any printed module is read back unchanged, wrong texts cause the expected errors, and no text makes the
//! parser panic.

use std::path::PathBuf;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::common::layouts::members;
use crate::common::{Random, everything, expect, repository, sample};
use sdlbc::{
    Access, Arity, Blocks, Body, Builtin, Debug, Format, Function, FunctionDebug, FunctionKind, FunctionOutput, Id,
    ImageAccess, Input, InputKind, Inst, Interpolation, Lines, Member, Module, Op, OutputKind, ParseErrorKind, Sampler,
    Scalar, Source, Type, Unit, limits, module, parse, parse_with_comments, print, print_with,
};
use testing::Effort;

/// Returns the path and contents of each file with the given extension in a folder under testdata/sdlbc.
fn files(folder: &str, extension: &str) -> Vec<(String, String)> {
    let folder = format!("testdata/sdlbc{folder}");
    let paths = testing::files(&repository().join(&folder), extension).into_iter();
    let name = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
    let read = |path: &PathBuf| std::fs::read_to_string(path).expect("utf-8");
    paths.map(|path| (format!("{folder}/{}", name(&path)), read(&path))).collect()
}

#[track_caller]
fn reads(path: &str, text: &str) -> (Module, sdlbc::Comments) {
    parse_with_comments(text).unwrap_or_else(|errors| panic!("{path}: {}", list(&errors)))
}

fn list(errors: &[sdlbc::ParseError]) -> String {
    errors.iter().map(|error| format!("{error}\n")).collect()
}

/// The printer reproduces the files of testdata/sdlbc/text exactly, including their comments.
#[test]
fn a_text_is_printed_as_it_was_read() {
    for (path, text) in files("/text", ".sdlasm") {
        let (module, comments) = reads(&path, &text);
        assert!(!comments.is_empty());
        expect(&path, &print_with(&module, &comments));
        assert_eq!(parse(&print(&module)).as_ref(), Ok(&module));
    }
    for (path, text) in files("", ".txt") {
        let (module, comments) = reads(&path, &text);
        assert!(comments.is_empty());
        assert_eq!(print(&module), text, "{path}");
    }
}

/// The files of testdata/sdlbc/text_free use notation that the printer does not use. A `.txt` file with the same name contains
/// the printed form.
#[test]
fn notation_that_the_printer_does_not_use_is_read() {
    for (path, text) in files("/text_free", ".sdlasm") {
        let (module, comments) = reads(&path, &text);
        let printed = print_with(&module, &comments);
        expect(&path.replace(".sdlasm", ".txt"), &printed);
        assert_eq!(parse_with_comments(&printed), Ok((module.clone(), comments)));
        let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        assert_eq!(parse(&windows), Ok(module));
    }
}

#[test]
fn a_printed_module_is_read_back() {
    for module in [Module::default(), sample(), members(), everything()] {
        assert_eq!(parse(&print(&module)), Ok(module));
    }
    let mut random = Random(0x5d1_a5e);
    let mut seen = HashMap::<_, usize>::new();
    for round in 0..6_000 {
        let module = any_module(&mut random);
        for inst in module.functions.iter().flat_map(|function| function.body.insts()) {
            *seen.entry(inst.op).or_default() += 1;
        }
        let text = print(&module);
        match parse(&text) {
            Ok(read) => assert!(read == module, "round {round}:\n{text}\n{read:#?}\n{module:#?}"),
            Err(errors) => panic!("round {round}:\n{text}\n{}", list(&errors)),
        }
    }
    Op::ALL.iter().for_each(|op| assert!(seen.get(op).is_some_and(|&count| count > 50), "{op} occurs too rarely"));
}

/// Creates a random invalid module whose instructions have the shapes of their operations.
fn any_module(random: &mut Random) -> Module {
    let functions: Vec<_> = (0..random.below(4)).map(|_| any_function(random)).collect();
    let program = (random.below(3) == 0).then(|| any_word(random));
    let sources = (0..random.below(3)).map(|_| Source {
        file: any_string(random),
        text: any_string(random),
        unit: Unit::ALL[random.below(2)],
    });
    let sources = sources.collect();
    let in_order = random.below(2) == 0;
    let mut records = Vec::new();
    for index in 0..random.below(4) {
        let function = if in_order { index as u32 } else { [0, 1, 2, 7, u32::MAX][random.below(5)] };
        let instructions = functions.get(index).map_or(3, |function| function.body.insts().len());
        let record = any_record(random, function, instructions);
        if !in_order || record != (FunctionDebug { function, ..FunctionDebug::default() }) {
            records.push(record);
        }
    }
    Module { functions, debug: Debug { program, sources, functions: records } }
}

fn any_record(random: &mut Random, function: u32, instructions: usize) -> FunctionDebug {
    let name = if random.below(3) == 0 { any_string(random) } else { String::new() };
    let ids = (0..random.below(8)).map(|_| (any_id(random), any_string(random))).collect();
    let length = match random.below(3) {
        0 => instructions,
        1 => random.below(instructions + 1),
        _ => instructions + random.below(3),
    };
    let any_line = |random: &mut Random| if random.below(2) == 0 { 0 } else { any_word(random) };
    let lines = (random.below(2) == 0)
        .then(|| Lines { source: any_word(random), numbers: (0..length).map(|_| any_line(random)).collect() });
    let members = (0..random.below(4)).map(|_| (any_id(random), any_members(random))).collect();
    let binding = |random: &mut Random| match random.below(3) {
        0 => sdlbc::SourceBinding::Push,
        1 => sdlbc::SourceBinding::Bound { place: [0, 7], sampler: None },
        _ => sdlbc::SourceBinding::Bound { place: [1, u32::MAX - 1], sampler: Some([0, 3]) },
    };
    let bindings = (0..random.below(3)).map(|_| (any_id(random), binding(random))).collect();
    FunctionDebug { function, name, ids, members, bindings, lines }
}

fn any_members(random: &mut Random) -> Vec<Member> {
    let member = |random: &mut Random| Member {
        name: any_string(random),
        first: any_word(random),
        component: if random.below(3) == 0 { any_word(random) } else { random.below(6) as u32 },
        ty: any_type(random),
    };
    (0..1 + random.below(4)).map(|_| member(random)).collect()
}

fn any_function(random: &mut Random) -> Function {
    let inputs = (0..random.below(4)).map(|_| Input {
        id: any_id(random),
        ty: any_type(random),
        name: any_string(random),
        kind: any_input(random),
    });
    let inputs = inputs.collect();
    let outputs = (0..random.below(4)).map(|_| FunctionOutput {
        ty: any_type(random),
        name: any_string(random),
        kind: any_output(random),
    });
    let outputs = outputs.collect();
    let kind = FunctionKind::ALL[random.below(4)];
    let workgroup = (random.below(4) == 0).then(|| std::array::from_fn(|_| any_word(random)));
    Function { kind, name: any_string(random), inputs, outputs, workgroup, body: any_block(random, 0) }
}

fn any_block(random: &mut Random, depth: usize) -> Body {
    let most = 8 >> depth.min(3);
    let mut body = Body::default();
    (0..random.below(most + 1)).for_each(|_| body.append(any_inst(random, depth)));
    body
}

fn any_inst(random: &mut Random, depth: usize) -> Body {
    let op = Op::ALL[random.below(Op::ALL.len())];
    let shape = op.shape();
    let inputs = match shape.inputs {
        Arity::Fixed(count) => count,
        Arity::TwoToFour => 2 + random.below(3),
        Arity::Layered(least) => least + random.below(2),
        Arity::OneOrThree => 1 + 2 * random.below(2),
        Arity::Any => random.below(5),
    };
    let words = match shape.blocks {
        Blocks::Switch => random.below(4),
        _ if shape.ignored => random.below(5),
        _ => shape.immediates,
    };
    let blocks = match shape.blocks {
        Blocks::None => 0,
        Blocks::If => 2,
        Blocks::Loop => 1,
        Blocks::Switch => words + 1,
    };
    let output = if shape.output { any_id(random) } else { Id::NONE };
    let inputs = (0..inputs).map(|_| any_id(random)).collect::<Vec<_>>();
    let words = (0..words).map(|_| any_word(random)).collect::<Vec<_>>();
    let blocks = (0..blocks).map(|_| any_block(random, depth + 1)).collect::<Vec<_>>();
    Inst::new(op, output, &inputs, &words).with_blocks(blocks)
}

fn any_id(random: &mut Random) -> Id {
    Id(match random.below(12) {
        0..=2 => 0,
        3 => limits::MAX_ID + random.below(2) as u32,
        4 => u32::MAX,
        _ => random.below(9) as u32,
    })
}

fn any_word(random: &mut Random) -> u32 {
    match random.below(8) {
        0 => 0,
        1 => 1,
        2 => u32::MAX - random.below(3) as u32,
        3 => module::swizvals(&(0..random.below(5)).map(|_| random.below(4) as u8).collect::<Vec<_>>()),
        4 => any_type(random).word(),
        5 => (random.below(2000) as f32 / 8.0 - 100.0).to_bits(),
        6 => [0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0x7f80_0001, 0xffff_ffff][random.below(5)],
        _ => random.next() as u32,
    }
}

fn any_type(random: &mut Random) -> Type {
    let scalar = Scalar::ALL[random.below(5)];
    let size = |random: &mut Random| if random.below(8) == 0 { random.next() as u8 } else { 1 + random.below(4) as u8 };
    match random.below(10) {
        9 => Type::Image(Type::IMAGES[random.below(3)], Format::ALL[random.below(16)]),
        8 => Type::Buffer(scalar, size(random)),
        0 => Type::Matrix { columns: size(random), rows: size(random) },
        1 => Type::TEXTURES[random.below(Type::TEXTURES.len())],
        2 | 3 => Type::Array(scalar, size(random), any_word(random)),
        _ => Type::Vector(scalar, size(random)),
    }
}

fn any_input(random: &mut Random) -> InputKind {
    let byte = |random: &mut Random| if random.below(3) == 0 { random.next() as u8 } else { random.below(4) as u8 };
    match random.below(10) {
        9 => InputKind::Image { slot: any_word(random), access: ImageAccess::ALL[random.below(2)] },
        7 => InputKind::Shared,
        8 => InputKind::Buffer { slot: any_word(random), access: Access::ALL[random.below(2)] },
        0 => InputKind::Attribute { location: any_word(random) },
        1 => InputKind::Varying { location: any_word(random), interpolation: Interpolation::ALL[random.below(3)] },
        2 => InputKind::Uniform,
        3 => {
            let sampler = Sampler {
                filter: byte(random),
                mip: byte(random),
                wrap_u: byte(random),
                wrap_v: byte(random),
                format: byte(random),
                special: byte(random),
                bias: byte(random).cast_signed(),
            };
            InputKind::Texture { slot: any_word(random), sampler }
        }
        4 => InputKind::Builtin(Builtin::ALL[random.below(10)]),
        5 => InputKind::Parameter,
        _ => InputKind::Local,
    }
}

fn any_output(random: &mut Random) -> OutputKind {
    match random.below(7) {
        0 => OutputKind::Position,
        5 => OutputKind::ClipDistance { index: any_word(random) },
        1 => OutputKind::Varying { location: any_word(random), interpolation: Interpolation::ALL[random.below(3)] },
        2 => OutputKind::Colour { target: any_word(random) },
        3 => OutputKind::Depth,
        4 => OutputKind::PointSize,
        _ => OutputKind::Returned,
    }
}

fn any_string(random: &mut Random) -> String {
    const PIECES: [&str; 24] = [
        "a", "x1", "_", "é", "\"", "\\", "\n", "\r", "\t", "\0", ";", "{", "}", " ", "\u{2028}", "\u{feff}", "\\u{41}",
        "%1", "called", "if", "count", "text", "💧", "=",
    ];
    let length = [0, 1, 1, 1, 2, 5][random.below(6)];
    (0..length).map(|_| PIECES[random.below(PIECES.len())]).collect()
}

/// Each file of testdata/sdlbc/text_wrong contains the expected errors at the ends of its lines, as `;! COLUMN: MESSAGE`.
/// `UPDATE_EXPECT=1` renews the expected errors.
#[test]
fn each_wrong_text_gets_the_errors_on_its_lines() {
    for (path, text) in files("/text_wrong", ".sdlasm") {
        let errors = parse(&text).expect_err(&path);
        let mut lines =
            text.lines().map(|line| line.split(";!").next().unwrap_or(line).trim_end().to_string()).collect::<Vec<_>>();
        for error in &errors {
            let message = error.kind.to_string();
            assert!(!message.contains('\n') && !message.starts_with(char::is_uppercase), "{message}");
            let line = lines.get_mut(error.line - 1).expect("a line of the text");
            let code = line.split(" ;!").next().unwrap_or(line).to_string();
            let bytes = code.char_indices().nth(error.column - 1).map_or(code.len(), |(byte, _)| byte);
            let start = text.split_inclusive('\n').take(error.line - 1).map(str::len).sum::<usize>();
            assert_eq!(error.span.start, start + bytes, "{path}: {error}");
            assert!(text.get(error.span.clone()).is_some(), "{path}: {error}");
            *line += &format!(" ;! {}: {message}", error.column);
        }
        expect(&path, &(lines.join("\n") + "\n"));
    }
}

#[test]
fn prefixes_and_edits_of_texts_do_no_harm() {
    let mut texts = files("/text", ".sdlasm");
    texts.extend(files("/text_free", ".sdlasm"));
    texts.extend(files("", ".txt"));
    for (path, text) in &texts {
        for (end, _) in text.char_indices() {
            harmless(&format!("{path} up to {end}"), &text[..end]);
        }
    }
    let mut random = Random(0x0001_7e47);
    let mut good = 0;
    let effort = Effort::of("EDITS", 10_000);
    for round in 0..effort.cases {
        let (path, text) = &texts[round as usize % texts.len()];
        let edited = edited(text, &mut random);
        good += u64::from(harmless(&format!("{path}, round {round}:\n{edited}"), &edited));
    }
    assert!(good > effort.at_least(1_000), "only {good} edited texts can be read");
}

/// Reports whether a text can be parsed. A parsed module is also printed, and the printed text is parsed again.
fn harmless(what: &str, text: &str) -> bool {
    match parse_with_comments(text) {
        Ok((module, comments)) => {
            let printed = print_with(&module, &comments);
            let (again, comments) =
                parse_with_comments(&printed).unwrap_or_else(|errors| panic!("{what}: {}", list(&errors)));
            assert_eq!(again, module, "{what}");
            assert_eq!(print_with(&again, &comments), printed, "{what}");
            true
        }
        Err(errors) => {
            assert!(!errors.is_empty(), "{what}");
            for error in &errors {
                assert!(text.get(error.span.clone()).is_some(), "{what}: {error}");
                assert!(error.line > 0 && error.column > 0, "{what}: {error}");
            }
            assert!(errors.is_sorted_by_key(|error| (error.line, error.column)), "{what}");
            false
        }
    }
}

/// Returns the text after a few random changes to characters, words or lines.
fn edited(text: &str, random: &mut Random) -> String {
    let mut lines = text.lines().map(str::to_string).collect::<Vec<_>>();
    for _ in 0..1 + random.below(2) {
        let at = random.below(lines.len());
        let other = lines[random.below(lines.len())].clone();
        match random.below(6) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, other),
            2 => lines.swap(at, at / 2),
            3 => {
                let words = other.split(' ').collect::<Vec<_>>();
                let word = words[random.below(words.len())];
                lines[at] = format!("{} {word}", lines[at]);
            }
            _ => {
                let mut characters = lines[at].chars().collect::<Vec<_>>();
                let place = random.below(characters.len() + 1);
                if random.below(2) == 0 && place < characters.len() {
                    characters.remove(place);
                } else {
                    characters
                        .insert(place, ['{', '}', '"', '%', '1', 'x', ',', '\\', ';', ' ', 'é', '@'][random.below(12)]);
                }
                lines[at] = characters.into_iter().collect();
            }
        }
        if lines.is_empty() {
            break;
        }
    }
    lines.join("\n")
}

#[test]
fn blocks_nest_up_to_the_limit() {
    let text = |depth: usize| {
        let (open, close) = ("if %1 {\n} else {\n".repeat(depth), "}\n".repeat(depth));
        format!("generic function \"\" {{\n{open}nop\n{close}}}\n")
    };
    let deepest = parse(&text(limits::NESTING)).expect("a module");
    assert_eq!(parse(&print(&deepest)), Ok(deepest));
    for depth in [limits::NESTING + 1, limits::NESTING + 2, limits::INSTRUCTIONS - 1] {
        let errors = parse(&text(depth)).expect_err("too deep");
        let kinds = errors.iter().map(|error| (&error.kind, error.line)).collect::<Vec<_>>();
        assert_eq!(kinds, [(&ParseErrorKind::Nesting, 2 * limits::NESTING + 2)], "{depth} deep");
    }
}

#[test]
fn instructions_are_counted_up_to_the_limit() {
    let text = format!("generic function \"\" {{\n{}}}\n", "nop\n".repeat(limits::INSTRUCTIONS));
    assert_eq!(parse(&text).map(|module| module.functions[0].body.insts().len()), Ok(limits::INSTRUCTIONS));
    let text = text.replacen("nop\n", "loop {\nnop\n}\nwrong\n", 1);
    let errors = parse(&text).expect_err("too many");
    let kinds = errors.iter().map(|error| error.kind.to_string()).collect::<Vec<_>>();
    let limit = format!("more than {} instructions", limits::INSTRUCTIONS);
    assert_eq!(kinds, ["unknown operation `wrong`", &limit]);
}

/// Each text is about one mebibyte long, which a linear parser reads well within the time limit.
#[test]
fn long_texts_take_linear_time() {
    const SIZE: usize = 1 << 20;
    let function = |body: &str| format!("generic function \"\" {{\n{body}}}\n");
    let name = "n".repeat(SIZE);
    let quotes = "\"".repeat(SIZE);
    let comments = ";\n".repeat(SIZE / 2);
    let texts = [
        ("one word", name.clone()),
        ("quotes", quotes),
        ("braces", "{".repeat(SIZE)),
        ("closing braces", "}\n".repeat(SIZE / 2)),
        ("wrong lines", function(&"x\n".repeat(SIZE / 2))),
        ("wrong lines at the end of a long one", format!("{}\nx\nx\nx\nx", " ".repeat(SIZE))),
        ("one wrong line", function(&"x ".repeat(SIZE / 2))),
        ("open blocks", function(&"loop {\n".repeat(SIZE / 8))),
        ("blocks", function(&"loop {\n}\n".repeat(SIZE / 10))),
        ("operands", function(&format!("call 0{}\n", ", %1".repeat(SIZE / 4)))),
        ("words", function(&format!("nop 0x1{}\n", ", 0x1".repeat(SIZE / 5)))),
        ("cases", function(&format!("switch %1 case 0 {{\n{}}}\n", "} case 1 {\n".repeat(SIZE / 12)))),
        ("functions", function("").repeat(SIZE / 28)),
        ("sources", (0..SIZE / 20).map(|at| format!("source {at} \"\" lines\n")).collect()),
        ("records", "debug 0 {\n}\n".repeat(SIZE / 12)),
        ("inputs", function(&"input %1 a: float = uniform\n".repeat(SIZE / 30))),
        ("a name and its id", function(&format!("%1 {name} = negate %1\n{}", "%1 = negate %1\n".repeat(SIZE / 16)))),
        (
            "an output and its name",
            function(&format!("output 0 {name}: int = depth\n{}", "poke %1, 0\n".repeat(SIZE / 16))),
        ),
        ("lines", function(&format!("lines of 0\n{}", "nop @1\n".repeat(SIZE / 8)))),
        ("escapes", format!("source 0 \"{}\" lines\n", "\\u{41}".repeat(SIZE / 6))),
        ("bad escapes", format!("source 0 \"{}\" lines\n", "\\u{".repeat(SIZE / 3))),
        ("comments", comments.clone() + &function("nop\n")),
    ];
    for (what, text) in Effort::part_of("TEXTS", &texts) {
        let start = Instant::now();
        harmless(what, text);
        let took = start.elapsed();
        assert!(took < Duration::from_secs(6), "{what} took {took:?}");
    }
    let errors = parse(&"x\n".repeat(1000)).expect_err("wrong");
    assert_eq!(errors.len(), 1, "all lines outside functions are one fault");
    let errors = parse(&function(&"x\n".repeat(1000))).expect_err("wrong");
    assert_eq!(errors.len(), 101);
    assert_eq!(errors.last().map(|error| &error.kind), Some(&ParseErrorKind::More));
}

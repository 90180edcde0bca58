//! Compares the words of small files with the published layout, and tests the errors for wrong words.

use crate::common::layouts::{layouts, members};
use crate::common::{everything, fix_checksum, input, inst, names, output, sample};
use sdlbc::{Debug, DecodeErrorKind as Kind, Function, FunctionKind, InputKind, Module, Op, OutputKind, Type};
use sdlbc::{Dialect, code, decode, dialect, encode, encode_in, split};

fn tiny() -> Module {
    let function = Function {
        kind: FunctionKind::Vertex,
        name: "main".to_string(),
        inputs: vec![input(1, "va0", Type::FLOAT4, InputKind::Attribute { location: 25 })],
        outputs: vec![output("op", Type::FLOAT4, OutputKind::Position)],
        workgroup: None,
        body: code![inst(Op::Multiply, 2, &[1, 1], &[]), inst(Op::Poke, 0, &[2], &[0])],
    };
    let debug = Debug { functions: vec![names(0, &[(2, "vt0")])], ..Debug::default() };
    Module { functions: vec![function], debug }
}

/// The words of [`tiny`] after the header, written by hand from docs/format.md.
#[rustfmt::skip]
const TINY: &[u32] = &[
    1, 33, 1,                                   // a Function of 33 words, vertex
    2, 0x6e69_616d, 0,                          // its name: "main", whose NUL needs a word of its own
    0x2000, 10,                                 // Inputs
    8, 1, 0x0004_0300, 0, 0, 25, 1, 0x0030_6176, // an input of 8 words: %1, float4, no length, attribute, location 25, "va0"
    0x2001, 8,                                  // Outputs
    6, 0x0004_0300, 0, 0, 1, 0x0000_706f,       // an output of 6 words: float4, no length, position, "op"
    6, 5, 2, 1, 1,                              // MULTIPLY %2, %1, %1
    0x1001, 4, 2, 0,                            // POKE %2, 0
    2, 8,                                       // the debug table
    0x3000, 6, 0, 2, 1, 0x0030_7476,            // names of function 0's values: %2 is "vt0"
];

#[test]
fn a_tiny_file_has_the_published_words() {
    let body = TINY.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let file = encode(&tiny());
    assert_eq!(&file[..12], b"SDLSHADERBC\0");
    assert_eq!(file[12..16], [1, 0, 0, 0]);
    assert_eq!(file[16..20], crc(&body).to_le_bytes());
    assert_eq!(file[20..], body);
    assert_eq!(decode(&file), Ok(tiny()));
}

/// Computes the checksum bit by bit, as docs/format.md defines it.
fn crc(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

#[test]
fn the_checksum_is_the_zlib_one() {
    assert_eq!(crc(b"123456789"), 0xCBF4_3926);
}

/// Returns the kind and offset of the error that results from replacing one word of the tiny file.
fn with(index: usize, word: u32) -> (Kind, usize) {
    let mut file = encode(&tiny());
    file[20 + 4 * index..][..4].copy_from_slice(&word.to_le_bytes());
    fix_checksum(&mut file);
    let error = decode(&file).expect_err("an error");
    (error.kind, error.offset)
}

#[test]
fn a_wrong_word_is_refused_at_its_place() {
    let at = |index: usize| 20 + 4 * index;
    for (index, word, kind, offset) in [
        (0, 7, Kind::SectionTag(7), at(0)),
        (1, 34, Kind::Ends { what: "function" }, at(34)),
        (1, 1, Kind::WordCount { what: "section", found: 1 }, at(1)),
        (1, u32::MAX, Kind::WordCount { what: "section", found: u32::MAX }, at(1)),
        (2, 4, Kind::FunctionKind(4), at(2)),
        (3, 1, Kind::StringNotTerminated, at(4)),
        (3, 100, Kind::WordCount { what: "string", found: 100 }, at(3)),
        (4, 0xff, Kind::StringTooLong, at(4)),
        (4, 0x6e69_61ff, Kind::StringNotUtf8, at(4)),
        (4, 0x6e00_6161, Kind::StringPadding, at(4) + 3),
        (4, 0, Kind::StringTooLong, at(4)),
        (6, 0x2001, Kind::RecordTag { expected: 0x2000, found: 0x2001 }, at(6)),
        (7, 9, Kind::WordCount { what: "input", found: 8 }, at(8)),
        (8, 9, Kind::WordCount { what: "input", found: 9 }, at(8)),
        (8, 7, Kind::WordCount { what: "string", found: 1 }, at(14)),
        (9, 1 << 25, Kind::Id(1 << 25), at(9)),
        (10, 0x0005_0300, Kind::Type { word: 0x0005_0300, length: 0 }, at(10)),
        (12, 11, Kind::InputKind(11), at(12)),
        (12, 4, Kind::KindData { kind: "builtin" }, at(12)),
        (16, 0x2000, Kind::RecordTag { expected: 0x2001, found: 0x2000 }, at(16)),
        (21, 7, Kind::OutputKind(7), at(21)),
        (24, 1, Kind::Opcode(1), at(24)),
        (25, 6, Kind::WordCount { what: "multiply", found: 6 }, at(25)),
        (25, 2, Kind::WordCount { what: "multiply", found: 2 }, at(25)),
        (25, 1, Kind::WordCount { what: "instruction", found: 1 }, at(25)),
        (27, u32::MAX, Kind::Id(u32::MAX), at(27)),
        (35, 0x3007, Kind::DebugRecord(0x3007), at(35)),
    ] {
        assert_eq!(with(index, word), (kind, offset), "word {index} is {word:#x}");
    }
}

#[test]
fn a_wrong_header_is_refused() {
    let refused = |change: fn(&mut Vec<u8>)| {
        let mut file = encode(&tiny());
        change(&mut file);
        let error = decode(&file).expect_err("an error");
        (error.kind, error.offset)
    };
    let length = encode(&tiny()).len();
    assert_eq!(refused(|file| file[0] = b's'), (Kind::Magic, 0));
    assert_eq!(refused(|file| file.truncate(19)), (Kind::HeaderTooShort, 19));
    assert_eq!(refused(|file| file[12] = 2), (Kind::Version(2), 12));
    assert_eq!(refused(|file| file.push(0)), (Kind::Length(length + 1), length));
    let (kind, offset) = refused(|file| file[20] ^= 1);
    assert!(matches!(kind, Kind::Checksum { .. }) && offset == 16, "{kind}");
}

fn sections(sections: &[&[u32]]) -> Result<Module, (Kind, usize)> {
    let mut file = encode(&Module::default());
    file.extend(sections.iter().copied().flatten().flat_map(|word| word.to_le_bytes()));
    fix_checksum(&mut file);
    decode(&file).map_err(|error| (error.kind, error.offset))
}

#[test]
fn sections_must_be_in_order() {
    const FUNCTION: &[u32] = &[1, 8, 0, 0, 0x2000, 2, 0x2001, 2];
    const TABLE: &[u32] = &[2, 2];
    assert_eq!(sections(&[FUNCTION, FUNCTION, TABLE]).map(|module| module.functions.len()), Ok(2));
    assert_eq!(sections(&[TABLE, FUNCTION]), Err((Kind::FunctionAfterDebugTable, 28)));
    assert_eq!(sections(&[TABLE, TABLE]), Err((Kind::SecondDebugTable, 28)));
    assert_eq!(sections(&[FUNCTION, &[0]]), Err((Kind::Ends { what: "file" }, 56)));
}

#[test]
fn names_must_be_in_order_and_arrays_within_the_limit() {
    assert_eq!(sections(&[&[2, 9, 0x3000, 7, 0, 5, 0, 5, 0]]), Err((Kind::NamesOrder(5), 20 + 28)));
    let uniform = |length| sections(&[&[1, 14, 0, 0, 0x2000, 8, 6, 1, 0x0004_0303, length, 2, 0, 0x2001, 2]]);
    assert!(uniform(4096).is_ok());
    assert_eq!(uniform(4097), Err((Kind::ArrayLength(4097), 20 + 36)));
    assert_eq!(uniform(0), Err((Kind::Type { word: 0x0004_0303, length: 0 }, 20 + 32)));
}

#[test]
fn an_if_has_the_published_layout() {
    let file = encode(&sample());
    let words = file[20..].chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")));
    let words = words.collect::<Vec<_>>();
    #[rustfmt::skip]
    let expected = [
        28, 26, 8, 16,         // IF %8 of 26 words, 16 of them in its true block
        89, 5, 9, 3, 1,        // SAMPLE %9, %3, %1
        28, 6, 5, 2,           // IF %5 of 6 words, 2 of them in its true block and none in its false block
        30, 2,                 // DISCARD
        6, 5, 10, 9, 4,        // MULTIPLY %10, %9, %4
        0x1007, 6, 11, 3, 1, 7, // the false block: SAMPLELOD %11, %3, %1, %7
        36, 5, 12, 10, 11,     // PHI %12, %10, %11
    ];
    assert!(words.windows(expected.len()).any(|run| run == expected));
}

/// The words of [`layouts`] after the header, written by hand from docs/format.md.
#[rustfmt::skip]
const LAYOUTS: &[u32] = &[
    1, 50, 2,                                       // a Function of 50 words, fragment
    2, 0x6e69_616d, 0,                              // "main"
    0x2000, 11,
    9, 1, 0x0001_0300, 0, 1, 0, 0, 1, 0x0000_3076,  // %1, float, varying at location 0 in perspective, "v0"
    0x2001, 9,
    7, 0x0004_0300, 0, 2, 0, 1, 0x0000_636f,        // float4, colour of target 0, "oc"
    24, 4, 2, 7,                                    // LITERALINT %2, 7
    29, 6, 1, 3, 1, 2,                              // CALL of function 1 into %3 with %1, %2
    0x1002, 7, 4, 3, 3, 3, 1,                       // VECTOR %4, %3, %3, %3, %1
    0x1001, 4, 4, 0,                                // POKE %4 into output 0
    35, 3, 0,                                       // RETURN without a value
    1, 109, 0, 0,                                   // a Function of 109 words, generic, without a name
    0x2000, 22,
    7, 1, 0x0001_0300, 0, 5, 1, 0x61,               // %1, float, parameter, "a"
    7, 2, 0x0001_0100, 0, 5, 1, 0x6e,               // %2, int, parameter, "n"
    6, 3, 0x0001_0303, 2, 6, 0,                     // %3, float[2], local, no name
    0x2001, 7,
    5, 0x0001_0300, 0, 5, 0,                        // float, returned
    25, 4, 4, 0,                                    // LITERALFLOAT %4, 0.0
    25, 4, 5, 0x3f80_0000,                          // LITERALFLOAT %5, 1.0
    13, 5, 6, 5, 1,                                 // LESSTHAN %6, %5, %1
    0x1001, 6, 4, 3, 0, 0,                          // POKE %4 into slot %3, without an index, offset 0
    33, 54,                                         // LOOP of 54 words
    36, 5, 7, 4, 9,                                 //   PHI %7, %4, %9
    36, 5, 8, 2, 0,                                 //   PHI %8, %2, absent
    9, 5, 9, 7, 5,                                  //   ADD %9, %7, %5
    28, 8, 6, 2,                                    //   IF %6, of 8 words, 2 of them in its first block
    31, 2,                                          //     BREAK
    2, 2,                                           //     else NOP
    0x1000, 6, 10, 3, 0, 1,                         //   PEEK %10, slot %3, without an index, offset 1
    0x100c, 4, 0, 3,                                //   LITERALUINT, not stored, 3
    34, 19, 8, 2,                                   //   SWITCH of 19 words by %8, two cases
    0, 8,                                           //     case 0, of 8 words
    0x1001, 6, 10, 3, 8, 1,                         //       POKE %10 into slot %3, index %8, offset 1
    32, 2,                                          //       CONTINUE
    0xffff_ffff, 0,                                 //     case -1, of 0 words
    35, 3, 10,                                      //     default: RETURN %10
    35, 3, 1,                                       // RETURN %1
    2, 47,                                          // the debug table
    0x3003, 11, 0,                                  // a source that is counted in lines
    2, 0x7266_2e61, 0x0000_6761,                    //   "a.frag"
    4, 0x706f_6f6c, 0x7773_090a, 0x6863_7469, 0x0a, //   "loop\n\tswitch\n"
    0x3003, 6, 1, 1, 0x62, 0,                       // a source that is counted in tokens, "b", without its text
    0x3000, 11, 0,                                  // names of function 0's values
    4, 1, 0x006d_7573,                              //   %4 "sum"
    5, 3, 0x6f6c_2061, 0x6e20_676e, 0x0065_6d61,    //   %5 "a long name"
    0x3002, 7, 0, 1, 1, 0, 3,                       // function 0 in source 1: instruction 0 at token 1, 2 at token 3
    0x3001, 6, 1, 2, 0x706c_6568, 0x0000_7265,      // function 1 is "helper"
    0x3002, 4, 1, 0,                                // function 1 in source 0: no line numbers
];

fn words(file: &[u8]) -> Vec<u32> {
    let words = file[20..].chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")));
    words.collect()
}

#[test]
fn every_layout_has_the_words_of_the_document() {
    let file = encode(&layouts());
    assert_eq!(words(&file), LAYOUTS);
    assert_eq!(decode(&file), Ok(layouts()));
}

#[test]
fn files_in_both_dialects_are_the_same_module() {
    for module in [layouts(), members(), everything(), Module { functions: layouts().functions, ..Module::default() }] {
        let [text, header] = [Dialect::Text, Dialect::Header].map(|dialect| encode_in(&module, dialect));
        assert_eq!((dialect(&text), dialect(&header)), (Dialect::Text, Dialect::Header));
        assert_eq!((decode(&text).as_ref(), decode(&header).as_ref()), (Ok(&module), Ok(&module)));
        for file in [&text, &header] {
            assert_eq!(encode_in(&decode(file).expect("good"), dialect(file)), *file);
        }
        // The files of one module in the two dialects differ only in the section tags and the checksum.
        let sections = module.functions.len() + usize::from(!module.debug.is_empty());
        assert_eq!(words(&text).iter().zip(words(&header)).filter(|&(a, b)| *a != b).count(), sections);
        assert!(words(&text).iter().zip(words(&header)).all(|(&a, b)| a == b || a == b + 1));
    }
}

/// The tag of a debug table in the header's dialect is the tag of a function in the text's dialect, so a file that begins with
/// this tag would be ambiguous.
#[test]
fn a_debug_table_alone_is_written_in_the_dialect_of_the_text() {
    for alone in [split(&layouts()).1, Module { debug: everything().debug, ..Module::default() }, Module::default()] {
        let file = encode_in(&alone, Dialect::Header);
        assert_eq!(file, encode(&alone));
        assert_eq!(decode(&file), Ok(alone));
    }
}

#[test]
fn dialects_do_not_mix() {
    const FUNCTION: [u32; 7] = [8, 0, 0, 0x2000, 2, 0x2001, 2];
    let file = |tags: &[u32]| {
        let sections = tags.iter().map(|&tag| [&[tag][..], &FUNCTION].concat()).collect::<Vec<_>>();
        sections_of(&sections)
    };
    assert_eq!(file(&[0, 0]).map(|module| module.functions.len()), Ok(2));
    assert_eq!(file(&[1, 1]).map(|module| module.functions.len()), Ok(2));
    // In the header's dialect, the tag 1 marks a debug table and the tag 2 is unknown; in the text's dialect, the tag 0 is
    // unknown.
    let wrong_count = Kind::WordCount { what: "debug record", found: 0 };
    assert_eq!(file(&[0, 1]), Err((wrong_count, 20 + 32 + 12)));
    assert_eq!(file(&[0, 2]), Err((Kind::SectionTag(2), 20 + 32)));
    assert_eq!(file(&[1, 0]), Err((Kind::SectionTag(0), 20 + 32)));
}

fn sections_of(parts: &[Vec<u32>]) -> Result<Module, (Kind, usize)> {
    sections(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

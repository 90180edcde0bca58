//! Tests hostile files. Each hostile file must take little time, and must cause the expected error at the expected byte or the
//! expected rule violations. `examples/hostile.rs` measures the memory that hostile files take.

use crate::common::hostile;

use std::time::{Duration, Instant};

use hostile::{CODE, Case, Expected, HEADER, file, string, tagged};
use sdlbc::{Module, decode, dump, limits, print, verify};
use testing::Effort;

/// The time limit of each step, which is strict only in optimised builds.
const TIME: Duration = Duration::from_millis(if cfg!(debug_assertions) { 60_000 } else { 1500 });

/// Runs `work` up to three times, until a run stays within the time limit, because the machine may be busy.
#[track_caller]
fn timed<T>(what: &str, mut work: impl FnMut() -> T) -> T {
    let mut fastest = Duration::MAX;
    for _ in 0..3 {
        let start = Instant::now();
        let result = work();
        fastest = fastest.min(start.elapsed());
        if fastest < TIME {
            return result;
        }
    }
    panic!("{what} took {fastest:?}");
}

#[track_caller]
fn check(case: &Case) {
    let (name, file) = (&case.name, case.file());
    let result = timed(&format!("reading {name}"), || decode(&file));
    match (&case.expected, &result) {
        (Expected::Error(kind, offset), Err(error)) => {
            assert_eq!((&error.kind.to_string(), &error.offset), (kind, offset), "{name}");
        }
        (Expected::Error(kind, _), Ok(_)) => panic!("{name} can be read, expected: {kind}"),
        (Expected::Any, Err(error)) => panic!("{name} cannot be read: {error}"),
        (Expected::Any, Ok(_)) => {}
    }
    if let Ok(module) = &result {
        timed(&format!("verifying {name}"), || verify(module).is_ok());
    }
    // Dumping the large files takes too long in a build without optimisation.
    if !cfg!(debug_assertions) {
        assert_eq!(timed(&format!("dumping {name}"), || dump(&file).good), result.is_ok(), "{name}");
    }
}

#[test]
fn large_files_are_refused_where_they_exceed_a_limit() {
    Effort::part_of("FILES", &hostile::large()).into_iter().for_each(check);
}

#[test]
fn files_at_the_limits_are_read_in_time() {
    for case in Effort::part_of("FILES", &hostile::full()) {
        check(case);
        let module = decode(&case.file()).expect(&case.name);
        assert_eq!(limits::over(&module), [], "{}", case.name);
    }
}

/// Tests the order in which the faults of a string are found, and the byte that is reported for a faulty type (docs/format.md,
/// "The offending byte").
#[test]
fn of_several_faults_the_first_in_the_documented_order_is_reported() {
    // Returns a file with a function whose name has the word count `count` and the data words `data`.
    let named = |count: u32, data: &[u32]| {
        let rest = [0x2000, 2, 0x2001, 2];
        file(&tagged(1, &[&[0, count][..], data, &rest].concat()))
    };
    // The word count of the name is at byte 32, and the data words begin at byte 36.
    let bytes = |text: &[u8; 4]| u32::from_le_bytes(*text);
    let long = [vec![bytes(b"abcd"); limits::NAME / 4 + 1], vec![0]].concat();
    let long_and_not_utf8 = [vec![bytes(b"a\xffcd"); limits::NAME / 4 + 1], vec![0]].concat();
    for (what, file, kind, offset) in [
        ("too long for the function, no NUL", named(99, &[bytes(b"abcd")]), "bad word count 99 of string", 32),
        ("no NUL, not UTF-8", named(2, &[bytes(b"a\xffcd"), bytes(b"abcd")]), "a string without a nul", 36),
        (
            "padding, too many words, not UTF-8",
            named(3, &[bytes(b"\xff\0\0\0"), 0, bytes(b"\0\0x\0")]),
            "a string with a non-zero byte after its nul",
            46,
        ),
        (
            "too many words, not UTF-8",
            named(3, &[bytes(b"\xff\0\0\0"), 0, 0]),
            "a string with more words than it needs",
            36,
        ),
        ("not UTF-8, too long", named(long.len() as u32, &long_and_not_utf8), "a string that is not UTF-8", 37),
        ("too long", named(long.len() as u32, &long), "more than 4096 bytes of a name", 32),
    ] {
        let error = decode(&file).expect_err(what);
        assert_eq!((error.kind.to_string().as_str(), error.offset), (kind, offset), "{what}");
    }
    // The type descriptor of the input is at byte 52, and the array length is at byte 56.
    let typed = |descriptor, length| {
        let input = [6, 1, descriptor, length, 2, 0];
        file(&tagged(1, &[&[0, 0][..], &tagged(0x2000, &input), &[0x2001, 2]].concat()))
    };
    let array = 0x0004_0303;
    for (file, offset) in [
        (typed(0x0007_0300, limits::ARRAY_LENGTH + 1), 52),
        (typed(array, 0), 52),
        (typed(0x0004_0300, 1), 52),
        (typed(array, limits::ARRAY_LENGTH + 1), 56),
    ] {
        assert_eq!(decode(&file).expect_err("not a type").offset, offset);
    }
    // The reader does not interpret the type word of a CONVERT.
    let convert = [0x1009, 5, 2, 1, 0xffff_ffff];
    let parameter = [6, 1, 0x0001_0300, 0, 5, 0];
    let file = file(&tagged(1, &[&[0, 0][..], &tagged(0x2000, &parameter), &[0x2001, 2], &convert].concat()));
    let violations = verify(&decode(&file).expect("readable")).expect_err("not a type");
    assert_eq!(violations.iter().map(|violation| violation.rule.number()).collect::<Vec<_>>(), [8]);
}

/// Replaces one word of a small file and checks the error; offsets are counted in words.
#[test]
fn wrong_counts_are_refused_at_their_place() {
    #[rustfmt::skip]
    let small: Vec<u32> = [
        &[1, 66, 0][..],                                // 0: a function
        &[1, 0x66],                                     // 3: "f"
        &[0x2000, 15], &[6, 1, 0x0001_0000, 0, 5, 0], &[7, 2, 0x0001_0100, 0, 5, 1, 0x61], // 5, 7, 13: inputs
        &[0x2001, 7], &[5, 0x0001_0300, 0, 5, 0],       // 20, 22: an output
        &[2, 3, 7],                                     // 27: NOP
        &[6, 5, 3, 2, 2],                               // 30: MULTIPLY
        &[28, 8, 1, 2], &[30, 2], &[31, 2],             // 35, 39, 41: IF with a DISCARD, else a BREAK
        &[33, 4, 32, 2],                                // 43: LOOP with a CONTINUE
        &[34, 12, 2, 2, 5, 2, 31, 2, 6, 0, 30, 2],      // 47: SWITCH with two cases and a default
        &[29, 7, 0, 4, 1, 2, 2],                        // 59: CALL
        &[2, 22],                                       // 66: the debug table
        &[0x3003, 6, 0, 1, 0x61, 0],                    // 68: a source
        &[0x3000, 8, 0, 1, 1, 0x61, 2, 0],              // 74: names
        &[0x3002, 6, 0, 0, 1, 2],                       // 82: lines
    ].concat();
    assert_eq!(decode(&file(&small)).map(|module| module.functions.len()), Ok(1), "the small file is good");
    let count = |what: &str, found: u32| format!("bad word count {found} of {what}");
    let max = u32::MAX;
    let mut cases: Vec<(usize, u32, String, usize)> = Vec::new();
    // Each row contains the position of a count, the name of the counted part, and the number of words left for the part.
    for (at, what, left) in [
        (1, "section", 88),
        (6, "inputs", 61),
        (7, "input", 13),
        (13, "input", 7),
        (21, "outputs", 46),
        (22, "output", 5),
        (28, "instruction", 39),
        (36, "instruction", 31),
        (44, "instruction", 23),
        (48, "instruction", 19),
        (60, "instruction", 7),
        (67, "section", 22),
        (69, "debug record", 20),
        (75, "debug record", 14),
        (83, "debug record", 6),
    ] {
        let entry = matches!(what, "input" | "output");
        // A count is the first word of an entry, but the second word of a tagged record.
        for lie in [Some(0), (!entry).then_some(1), Some(left + 1), Some(0x4000_0000), Some(0x8000_0001), Some(max)] {
            cases.extend(lie.map(|lie| (at, lie, count(what, lie), at)));
        }
    }
    for (at, left) in [(3, 62), (18, 1), (71, 2), (78, 3)] {
        for lie in [left + 1, 0x3fff_ffff, 0x4000_0000, max] {
            cases.push((at, lie, count("string", lie), at));
        }
    }
    for (at, left) in [(38, 4), (52, 6), (56, 2)] {
        for lie in [left + 1, 0x3fff_ffff, max] {
            cases.push((at, lie, count("block", lie), at));
        }
    }
    for lie in [5, 0x8000_0000, max] {
        cases.push((50, lie, count("cases", lie), 50));
    }
    // A count that fits the enclosing record but not the content causes the following words to be misread.
    let ends = |what: &str| format!("the {what} ends before its content is complete");
    cases.extend([
        (7, 7, count("input", 7), 7),    // the input extends into the next input
        (7, 5, ends("input"), 12),       // the input ends before its name
        (13, 6, count("string", 1), 18), // the input's name extends past the end of the input
        (3, 0, "expected the record of inputs (0x2000), found 0x66".to_string(), 4), // the name is read as a record
        (28, 2, count("divide", 6), 30), // the operand is read as an operation
        (28, 7, count("instruction", 1), 63), // the NOP contains all but the last word of the MULTIPLY, which is read as a NOP
        (31, 6, count("multiply", 6), 31),
        (31, 4, count("multiply", 4), 31),
        (36, 3, count("if", 3), 36),
        (36, 4, count("block", 2), 38), // the IF's first block extends past its end
        (38, 1, ends("block"), 40),
        (38, 3, ends("block"), 42), // the IF's first block extends into the second
        (44, 3, ends("loop"), 46),
        (48, 3, count("switch", 3), 48),
        (48, 5, count("cases", 2), 50),
        (50, 1, count("instruction", 0), 56), // the default's code is read as the second case
        (50, 3, count("block", 2), 58),       // the default's code is read as a third case
        (52, 4, count("instruction", 0), 56),
        (60, 2, count("call", 2), 60),
        (69, 5, ends("debug record"), 73),
        (75, 7, ends("debug record"), 81),
        (83, 2, ends("debug record"), 84),
    ]);
    let mut wrong = Vec::new();
    for (at, word, kind, offset) in cases {
        let mut words = small.clone();
        words[at] = word;
        let bytes = file(&words);
        let found = decode(&bytes).map_err(|error| (error.kind.to_string(), error.offset)).map(|_| "nothing");
        let expected = Err((kind.clone(), HEADER + 4 * offset));
        if found != expected {
            wrong.push(format!("word {at} is {word:#x}: {found:?}, not {expected:?}"));
            continue;
        }
        let shown = dump(&bytes);
        assert!(!shown.good && shown.text.contains(&format!("<- {kind}")), "word {at} is {word:#x}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn ids_above_the_limit_are_refused_at_their_place() {
    let max = u32::MAX;
    let function = |id: u32, code: &[u32]| {
        let inputs = tagged(0x2000, &[6, id, 0x0001_0000, 0, 5, 0]);
        tagged(1, &[&[0, 0][..], &inputs, &[0x2001, 2], code].concat())
    };
    let names = |id| tagged(2, &tagged(0x3000, &[0, id, 0]));
    let code = HEADER + 4 * 14;
    for id in [limits::MAX_ID + 1, max] {
        for (words, offset) in [
            (function(id, &[]), HEADER + 4 * 7),
            (function(1, &[4, 4, id, 1]), code + 8),
            (function(1, &[4, 4, 2, id]), code + 12),
            (function(1, &[29, 5, 0, 0, id]), code + 16),
            (function(1, &[28, 4, id, 0]), code + 8),
            (function(1, &[35, 3, id]), code + 8),
            (names(id), HEADER + 20),
        ] {
            let error = decode(&file(&words)).expect_err("an id");
            assert_eq!(
                (error.kind.to_string(), error.offset),
                (format!("the id %{id} exceeds the limit of {}", limits::MAX_ID), offset)
            );
        }
    }
    let module = decode(&file(&function(limits::MAX_ID, &[4, 4, limits::MAX_ID - 1, limits::MAX_ID])));
    let module = module.expect("the highest id");
    assert!(
        verify(&module).is_err_and(|broken| broken.len() == 1),
        "the only violation is that `complement` expects ints"
    );
    print(&module);
}

#[test]
fn a_wrong_debug_table_breaks_only_the_rules_about_it() {
    let empty = [1, 8, 0, 0, 0x2000, 2, 0x2001, 2];
    let with = |records: &[u32]| [&empty[..], &tagged(2, records)].concat();
    for (what, words, rules) in [
        ("a function that does not exist", with(&tagged(0x3001, &[&[7][..], &string(b"f")].concat())), &[31][..]),
        ("the last function there can be", with(&tagged(0x3001, &[&[u32::MAX][..], &string(b"f")].concat())), &[31]),
        ("an id that does not exist", with(&tagged(0x3000, &[0, 9, 0])), &[33]),
    ] {
        let module = decode(&file(&words)).expect(what);
        let broken = verify(&module).expect_err(what);
        let broken = broken.iter().map(|violation| violation.rule.number()).collect::<Vec<_>>();
        assert!(rules.iter().all(|rule| broken.contains(rule)), "{what}: {broken:?}");
        print(&module);
        let program = Module { debug: sdlbc::Debug::default(), ..module };
        assert_eq!(verify(&program), Ok(()), "{what}: the program still verifies");
    }
    for (what, records, kind, word) in [
        ("a name that is empty", tagged(0x3001, &[0, 0]), "a debug record without a name", 13),
        ("a record without names", tagged(0x3000, &[0]), "a debug record without a name", 13),
        ("one id twice", tagged(0x3000, &[0, 1, 0, 1, 0]), "the name of %1 is out of order", 15),
        ("an unknown unit", tagged(0x3003, &[2, 0, 0]), "a source with an unknown unit", 12),
        (
            "functions out of order",
            [tagged(0x3002, &[1, 0]), tagged(0x3002, &[0, 0])].concat(),
            "a debug record that is out of order or repeated",
            14,
        ),
        (
            "a second program",
            [tagged(0x3004, &[1]), tagged(0x3004, &[1])].concat(),
            "a debug record that is out of order or repeated",
            13,
        ),
        ("a program of two words", tagged(0x3004, &[1, 1]), "bad word count 4 of debug record", 11),
    ] {
        let error = decode(&file(&with(&records))).expect_err(what);
        assert_eq!((error.kind.to_string().as_str(), error.offset), (kind, HEADER + 4 * word), "{what}");
    }
}

#[test]
fn the_code_begins_at_the_offset_of_the_cases() {
    let nops = hostile::full().into_iter().find(|case| case.name.contains("nops")).expect("the nops");
    assert_eq!(nops.file()[CODE..][..8], [2, 0, 0, 0, 2, 0, 0, 0]);
}

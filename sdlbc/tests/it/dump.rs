//! Compares the dumps of valid and damaged files with expected dumps, which `UPDATE_EXPECT=1` renews, and tests properties that
//! all dumps have.

use crate::common::layouts::{layouts, members};
use crate::common::{Random, everything, expect, fix_checksum, sample};
use sdlbc::{Dialect, Module, decode, dump, encode, encode_in, limits, split};

#[test]
fn the_dump_of_the_sample() {
    expect("testdata/sdlbc/sample.dump", &dump(&encode(&sample())).text);
}

#[test]
fn the_dump_of_every_layout() {
    expect("testdata/sdlbc/layouts.dump", &dump(&encode(&layouts())).text);
}

#[test]
fn the_dump_of_members() {
    expect("testdata/sdlbc/members.dump", &dump(&encode(&members())).text);
}

#[test]
fn the_dump_of_a_file_in_the_dialect_of_the_header() {
    let mut module = layouts();
    module.functions.truncate(1);
    expect("testdata/sdlbc/header.dump", &dump(&encode_in(&module, Dialect::Header)).text);
}

#[test]
fn the_dump_of_a_debug_table_alone() {
    expect("testdata/sdlbc/debug.dump", &dump(&encode(&split(&layouts()).1)).text);
}

fn words(file: &[u8]) -> Vec<u32> {
    file.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("words"))).collect()
}

/// Returns the byte offset at which a sequence of words first occurs in a file.
#[track_caller]
fn find(file: &[u8], run: &[u32]) -> usize {
    4 * words(file).windows(run.len()).position(|words| words == run).expect("the words")
}

#[track_caller]
fn damage(file: &mut [u8], run: &[u32], word: usize, value: u32) {
    let at = find(file, run) + 4 * word;
    file[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

#[test]
fn the_dump_of_a_damaged_file() {
    let mut file = encode(&sample());
    damage(&mut file, &[0x1009, 5, 7], 0, 0x10ff);
    damage(&mut file, &[4, 1, 0], 0, 99);
    damage(&mut file, &[30, 2], 1, 77);
    file.push(0xab);
    let dump = dump(&file);
    assert!(!dump.good);
    expect("testdata/sdlbc/damaged.dump", &dump.text);
}

/// Damages many words of one file: each fault must be marked at its word, and the words after the fault must still be read.
#[test]
fn the_dump_of_a_file_damaged_all_over() {
    let mut file = encode(&layouts());
    for (run, word, value) in [
        (&[2, 0x6e69_616d, 0][..], 2, 7),       // the padding of "main"
        (&[0x0001_0300, 0, 1], 0, 0x0005_0300), // a vector of five components
        (&[1, 0, 0, 1, 0x3076], 2, 9),          // an interpolation
        (&[29, 6, 1, 3], 1, 3),                 // a call without an output
        (&[34, 19], 1, 18),                     // a switch that ends inside an instruction
        (&[10, 3, 8], 0, u32::MAX),             // an id
        (&[0x3003, 6, 1], 2, 9),                // a unit
        (&[5, 3, 0x6f6c_2061], 0, 4),           // names out of order
        (&[0x3001, 6, 1], 2, 0),                // a record out of order
        (&[0x3002, 4], 1, 5),                   // a record that ends after the file
    ] {
        damage(&mut file, run, word, value);
    }
    fix_checksum(&mut file);
    let dump = dump(&file);
    assert!(!dump.good);
    expect("testdata/sdlbc/wreck.dump", &dump.text);
}

#[test]
fn a_valid_file_has_no_mark_and_a_damaged_one_has_the_readers_error() {
    let files = [
        encode(&sample()),
        encode(&layouts()),
        encode(&members()),
        encode(&split(&members()).1),
        encode_in(&everything(), Dialect::Header),
    ];
    for file in &files {
        assert!(dump(file).good && !dump(file).text.contains("<-"), "{}", dump(file).text);
        assert!(dump(file).text.contains("checksum, good"));
    }
    let mut random = Random(7);
    for round in 0..if cfg!(debug_assertions) { 1500 } else { 20_000 } {
        let mut file = files[round % files.len()].clone();
        let at = random.below(file.len() / 4) * 4;
        let word = [0, 1, 2, 3, 7, 0x3001, u32::MAX, random.next() as u32][random.below(8)];
        file[at..at + 4].copy_from_slice(&word.to_le_bytes());
        fix_checksum(&mut file);
        let dump = dump(&file);
        let Err(error) = decode(&file) else {
            assert!(dump.good && !dump.text.contains("<-"), "word {at:#x} = {word:#x}\n{}", dump.text);
            continue;
        };
        assert!(!dump.good);
        let mark = format!("  <- {}", error.kind);
        let line = dump.text.lines().find(|line| line.contains(&mark)).unwrap_or_else(|| panic!("{error}: no mark"));
        let offset = usize::from_str_radix(&line[..6], 16);
        assert!(offset.is_ok_and(|offset| offset == error.offset / 4 * 4) || error.offset == file.len(), "{line}");
    }
}

/// A dump must mark the error that the decoder reports for a damaged file even if a faulty function precedes the error.
#[test]
fn damage_after_other_damage_is_marked() {
    // A function with an unknown operation is inserted before all other sections of the file.
    const WRONG: [u32; 10] = [1, 10, 0, 0, 0x2000, 2, 0x2001, 2, 0xbad, 2];
    let mut random = Random(11);
    let mut marked = 0;
    let files = [encode(&layouts()), encode(&members()), encode(&everything())];
    for round in 0..if cfg!(debug_assertions) { 2000 } else { 40_000 } {
        let mut file = files[round % files.len()].clone();
        let at = 20 + random.below(file.len() / 4 - 5) * 4;
        let word = [0, 1, 2, 3, 4, 7, 0x3001, u32::MAX, random.next() as u32][random.below(9)];
        file[at..at + 4].copy_from_slice(&word.to_le_bytes());
        // A file whose first section has the tag 0 would be in the other dialect.
        if file[20..24] == [0; 4] {
            continue;
        }
        fix_checksum(&mut file);
        let Err(error) = decode(&file) else { continue };
        file.splice(20..20, WRONG.map(u32::to_le_bytes).as_flattened().iter().copied());
        fix_checksum(&mut file);
        let text = dump(&file).text;
        assert!(text.contains("<- unknown operation 0xbad"));
        let (offset, mark) = (error.offset + 4 * WRONG.len(), format!("<- {}", error.kind));
        let line = text.lines().find(|line| line.starts_with(&format!("{:06x}  ", offset / 4 * 4)));
        // If a record's word count is too large for its content, the dump marks the remaining words instead of the count.
        let found = match line {
            Some(line) if !mark.contains("bad word count") => line.contains(&mark),
            _ => text.contains(&mark),
        };
        assert!(found, "{error}, and word {at:#x} = {word:#x}\n{text}");
        marked += 1;
    }
    assert!(marked > 500, "{marked}");
}

#[test]
fn the_end_of_a_long_file_is_summarised_in_one_line() {
    let mut file = encode(&Module::default());
    file.extend([2, 2].map(u32::to_le_bytes).as_flattened().repeat(2 * limits::DUMP_WORDS));
    fix_checksum(&mut file);
    let text = dump(&file).text;
    assert_eq!(text.lines().filter(|line| !line.starts_with(' ')).count(), limits::DUMP_WORDS + 1);
    let last = text.lines().last().expect("a line");
    let rest = file.len() - 4 * limits::DUMP_WORDS;
    assert_eq!(last, format!("{:06x}  ........  {rest} bytes that are not shown", 4 * limits::DUMP_WORDS));
}

//! Tests the record of additions, and the reader's treatment of unknown parts of a file.

use crate::common::{expect, fix_checksum, output, sample};
use sdlbc::{Addition, DecodeError, DecodeErrorKind as Kind, Dialect, Module, OutputKind, Scalar, Type};
use sdlbc::{additions, decode, decode_known, dialect, dump, encode, encode_in, split, stripped};

fn file_of(words: &[&[u32]]) -> Vec<u8> {
    let mut file = encode(&Module::default());
    file.extend(words.iter().copied().flatten().flat_map(|word| word.to_le_bytes()));
    fix_checksum(&mut file);
    file
}

fn at(kind: Kind, word: usize) -> DecodeError {
    kind.at(20 + 4 * word)
}

/// Returns a module with a fifth colour target, which the format's first revision lacks.
fn added() -> Module {
    let mut module = sample();
    module.functions[0].outputs.push(output("fifth", Type::FLOAT4, OutputKind::Colour { target: 4 }));
    module
}

#[test]
fn a_file_announces_the_additions_that_it_uses_and_no_others() {
    let words = |file: &[u8]| -> Vec<u32> {
        file[20..].chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
    };
    let old = words(&encode(&sample()));
    assert!(additions(&sample()).is_empty() && old[0] == 1 && !old.contains(&0x2002));
    assert_eq!(additions(&added()).iter().collect::<Vec<_>>(), [Addition::ColourTargets]);
    for way in [Dialect::Text, Dialect::Header] {
        let file = encode_in(&added(), way);
        let function = if way == Dialect::Text { 1 } else { 0 };
        let words = words(&file);
        assert_eq!((words[0], &words[words.len() - 4..]), (function, &[0x2002, 4, 1, 1][..]), "the record is last");
        assert_eq!((dialect(&file), decode(&file)), (way, Ok(added())));
        let shown = dump(&file);
        assert!(shown.good && shown.text.contains("addition 1: colour targets 4 to 7\n"), "{}", shown.text);
    }
}

#[test]
fn integer_colours_are_an_addition() {
    for scalar in [Scalar::Int, Scalar::Uint] {
        for (target, wanted) in
            [(3, &[Addition::IntegerColours][..]), (4, &[Addition::ColourTargets, Addition::IntegerColours])]
        {
            let mut module = sample();
            module.functions[0].outputs.push(output("ids", Type::Vector(scalar, 4), OutputKind::Colour { target }));
            assert_eq!(additions(&module).iter().collect::<Vec<_>>(), wanted);
            let file = encode(&module);
            assert_eq!(decode(&file), Ok(module));
            assert!(dump(&file).text.contains("addition 14: integer colours\n"));
        }
    }
}

const FUNCTION: &[u32] = &[1, 8, 0, 0, 0x2000, 2, 0x2001, 2];

#[test]
fn a_record_of_additions_stands_first_or_after_the_functions() {
    let [record, debug]: [&[u32]; 2] = [&[0x2002, 4, 1, 1], &[2, 2]];
    for sections in [
        &[record, FUNCTION, FUNCTION][..],
        &[FUNCTION, FUNCTION, record],
        &[FUNCTION, FUNCTION, debug, record],
        &[FUNCTION, FUNCTION, record, debug],
    ] {
        let file = file_of(sections);
        assert_eq!(decode(&file).map(|module| module.functions.len()), Ok(2));
        assert!(dump(&file).good);
    }
}

#[test]
fn additions_ascend_and_are_told_once() {
    for (sections, error) in [
        (&[&[0x2002, 6, 1, 1, 1, 1][..], FUNCTION][..], at(Kind::AdditionsOrder(1), 4)),
        (&[FUNCTION, &[0x2002, 2], FUNCTION], at(Kind::FunctionAfterAdditions, 10)),
        (&[&[0x2002, 2], FUNCTION, &[0x2002, 2]], at(Kind::SecondAdditions, 10)),
        (&[&[0x2002, 3, 1]], at(Kind::Ends { what: "additions" }, 3)),
    ] {
        let file = file_of(sections);
        assert_eq!(decode(&file), Err(error.clone()));
        assert_eq!(decode_known(&file), Err(error.clone()), "that is not a matter of what is known");
        let shown = dump(&file);
        assert!(!shown.good && shown.unknown.is_empty());
        assert!(shown.text.contains(&format!("<- {}", error.kind)), "{}", shown.text);
    }
}

/// Returns a file with an unknown addition, section, function record and debug record, and the errors that these parts cause.
fn unknown() -> (Vec<u8>, Vec<DecodeError>) {
    #[rustfmt::skip]
    let words: &[&[u32]] = &[
        &[0x2002, 6, 1, 2, 77, 1],                      // an addition with an unknown revision, and an unknown addition
        &[0x2100, 3, 5],                                // an unknown section
        &[1, 21, 0, 0, 0x2101, 2, 0x2000, 2, 0x2102, 3, 9, 0x2001, 2, 0x2103, 2, 24, 4, 1, 7, 0x2104, 2],
        &[3, 2],                                        // a section with an unassigned tag
        &[2, 12, 0x3fff, 3, 6, 0x3001, 5, 0, 1, 0x61, 2, 2],
    ];
    let errors = [
        (Kind::Addition { number: 1, revision: 2 }, 2),
        (Kind::Addition { number: 77, revision: 1 }, 4),
        (Kind::SectionTag(0x2100), 6),
        (Kind::Record(0x2101), 13),
        (Kind::Record(0x2102), 17),
        (Kind::Record(0x2103), 22),
        (Kind::Record(0x2104), 28),
        (Kind::SectionTag(3), 30),
        (Kind::DebugRecord(0x3fff), 34),
        (Kind::DebugRecord(2), 42),
    ];
    (file_of(words), errors.map(|(kind, word)| at(kind, word)).to_vec())
}

#[test]
fn what_is_not_known_is_stepped_over_or_refused() {
    let (file, mut errors) = unknown();
    let (module, found) = decode_known(&file).expect("what is known can be read");
    assert_eq!(found, errors);
    assert_eq!(module.functions[0].body.insts().len(), 1, "the literal");
    assert_eq!(module.debug.functions[0].name, "a");
    assert_eq!(decode(&file), Err(errors.remove(0)), "the first is what a reader refuses that needs the meaning");
    let shown = dump(&file);
    assert!(!shown.good && shown.unknown == found);
    expect("testdata/sdlbc/unknown.dump", &shown.text);
}

#[test]
fn stripping_keeps_what_is_not_known() {
    let section = [0x2100, 3, 5].map(u32::to_le_bytes).concat();
    for way in [Dialect::Text, Dialect::Header] {
        let mut file = encode_in(&added(), Dialect::Text);
        file.splice(20..20, section.iter().copied());
        file.extend(&section);
        fix_checksum(&mut file);
        let kept = stripped(&file, way).expect("a file");
        let mut expected = encode_in(&split(&added()).0, way);
        expected.splice(20..20, section.iter().copied());
        expected.extend(&section);
        fix_checksum(&mut expected);
        assert_eq!(kept, expected);
        assert_eq!(decode_known(&kept).map(|(module, unknown)| (module, unknown.len())), Ok((split(&added()).0, 2)));
    }
}

#[test]
fn an_unknown_operation_is_not_stepped_over() {
    let file = file_of(&[&[1, 10, 0, 0, 0x2000, 2, 0x2001, 2, 0x1fff, 2]]);
    assert_eq!(decode_known(&file), Err(at(Kind::Opcode(0x1fff), 8)), "others may use its result");
}

//! Tests the search for AGAL programs in binary data: where programs begin and end, their byte orders, and packed or encoded
//! data.

use agal_extract::{ByteOrder, Code, Extraction, OutputOptions, Program, Site, holds_agal};
use agalc::Stage;
use testing::base64;

use crate::files::found;
use crate::output::{FRAGMENT, VERTEX, bytecode};
use crate::swfs::zlib;

fn bytes(program: &Program) -> (&[u8], ByteOrder) {
    let Code::Bytecode { bytes, order } = &program.code else { panic!("bytecode") };
    (bytes, *order)
}

/// Returns the offset, stage and byte length of each program in the data.
fn places(found: &Extraction) -> Vec<(usize, Stage, usize)> {
    let place = |program: &Program| {
        let Site::Data { offset, .. } = program.places[0].site else { panic!("a place in data") };
        (offset, program.stage.expect("a stage"), bytes(program).0.len())
    };
    found.programs.iter().map(place).collect()
}

#[test]
fn programs_one_after_another_end_where_the_next_one_and_other_data_begin() {
    let (vertex, fragment) = (bytecode(VERTEX), bytecode(FRAGMENT));
    let (v, f) = (vertex.len(), fragment.len());
    let data = [&b"before\xa0"[..], &vertex, &fragment, b"\0\0\0\0and after", &[0; 100]].concat();
    let found = found("data", &data);
    assert_eq!(places(&found), [(7, Stage::Vertex, v), (7 + v, Stage::Fragment, f)]);
    assert_eq!([0, 1].map(|at| bytes(&found.programs[at]).0), [vertex, fragment]);
}

#[test]
fn a_stored_length_ends_a_program_where_tokens_could_go_on() {
    let vertex = bytecode(VERTEX);
    // The bytes after the program decode as a valid token.
    let data = [b"\xff\xff", &vertex[..], &vertex[7..31]].concat();
    assert_eq!(places(&found("data", &data))[0].2, vertex.len() + 24);
    let length = u32::try_from(vertex.len()).expect("a length");
    let number = length << 1 | 1;
    let amf: Vec<u8> = if number < 0x80 {
        vec![0x0c, number as u8]
    } else {
        vec![0x0c, (number >> 7) as u8 | 0x80, number as u8 & 0x7f]
    };
    let [little, big] = [length.to_le_bytes(), length.to_be_bytes()];
    for prefix in [&little[..], &big, &big[2..], &little[..2], &amf] {
        let found = found("data", &[b"\xff\xff", prefix, &vertex, &vertex[7..31]].concat());
        assert_eq!(places(&found), [(2 + prefix.len(), Stage::Vertex, vertex.len())], "{prefix:?}");
    }
}

#[test]
fn bytes_that_only_look_like_a_header_are_not_a_program() {
    let vertex = bytecode(VERTEX);
    for (at, byte) in [(0, 0xa2), (1, 5), (2, 1), (5, 0xa0), (6, 2), (7, 0x22), (8, 1)] {
        let mut data = vertex.clone();
        data[at] = byte;
        assert_eq!(places(&found("data", &data)), [], "byte {at} is {byte}");
    }
    assert_eq!(places(&found("data", &vertex[..30])), [], "half a token");
    assert_eq!(places(&found("data", &[&vertex[..7], &[0; 48]].concat())), [], "a mov that writes nothing");
}

/// Converts a program to the big-endian bytes that code writes to a `ByteArray` word by word, or field by field if `by_fields` is
/// true.
fn big_endian(program: &[u8], by_fields: bool) -> Vec<u8> {
    let mut bytes = program.to_vec();
    bytes[1..5].reverse();
    for token in bytes[7..].chunks_mut(24) {
        if !by_fields {
            token.chunks_mut(4).for_each(<[u8]>::reverse);
            continue;
        }
        let is_texture = token[0] == 0x28;
        token[0..4].reverse();
        for word in [4, 8, 16] {
            token[word..word + 2].reverse();
        }
        token[14..16].reverse();
        if is_texture { token[20..24].reverse() } else { token[22..24].reverse() }
    }
    bytes
}

#[test]
fn a_program_in_big_endian_is_found_and_turned_round() {
    for program in [VERTEX, FRAGMENT, "mov vt0, vc[va0.w+5].zyxw\nmov op, vt0"].map(bytecode) {
        for by_fields in [false, true] {
            let big = big_endian(&program, by_fields);
            let found = found("data", &[b"..", &big[..]].concat());
            assert_eq!(found.programs.len(), 1, "{big:?}");
            assert_eq!(bytes(&found.programs[0]), (&big[..], ByteOrder::Big));
            assert_eq!(found.output(&OutputOptions::default()).files[0].bytes, program, "{by_fields}");
        }
    }
}

#[test]
fn programs_in_zlib_streams_base64_and_hexadecimal_digits_are_found() {
    let hexadecimal = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let (vertex, fragment) = (bytecode(VERTEX), bytecode(FRAGMENT));
    let both = [&vertex[..], &fragment].concat();
    let spaced: Vec<String> = vertex.iter().map(|byte| format!("0x{byte:02X}")).collect();
    let of_addresses = base64(&both).replace('+', "-").replace('/', "_");
    let cases: [(Vec<u8>, &[&str], usize); 10] = [
        (zlib(&both), &["zlib at 3"], 2),
        (base64(&both).into_bytes(), &["base64 at 3"], 2),
        (of_addresses.into_bytes(), &["base64 at 3"], 2),
        (base64(&vertex).trim_end_matches('=').as_bytes().to_vec(), &["base64 at 3"], 1),
        (hexadecimal(&both).into_bytes(), &["hexadecimal digits at 3"], 2),
        (spaced.join(", ").into_bytes(), &["hexadecimal digits at 5"], 1),
        (base64(&zlib(&both)).into_bytes(), &["base64 at 3", "zlib at 0"], 2),
        // The length prefix of an encoded string may look like a character of the string.
        ([b"8", base64(&vertex).as_bytes()].concat(), &["base64 at 4"], 1),
        ([b"8", hexadecimal(&vertex).as_bytes()].concat(), &["hexadecimal digits at 4"], 1),
        (base64(&vertex).into_bytes().chunks(60).collect::<Vec<_>>().join(&b"\r\n"[..]), &["base64 at 3"], 1),
    ];
    for (stored, within, count) in cases {
        let found = found("data", &[b"\0~;", &stored[..], b"\0 and ~~ after"].concat());
        assert_eq!(found.programs.len(), count, "{within:?}");
        assert!(found.programs.iter().all(|program| program.places[0].path == within), "{:?}", found.programs);
        assert_eq!(bytes(&found.programs[0]).0, vertex);
    }
}

#[test]
fn a_bomb_is_cut_and_what_follows_it_is_still_looked_at() {
    let vertex = bytecode(VERTEX);
    let bomb = zlib(&vec![0; 64 << 20]);
    let found = found("data", &[b"\0~;", &bomb[..], &vertex].concat());
    assert_eq!(places(&found), [(3 + bomb.len(), Stage::Vertex, vertex.len())]);
    assert!(found.warnings.iter().any(|warning| warning.message.starts_with("this data unpacks to more")));
}

#[test]
fn statements_are_told_from_other_text() {
    for text in [
        "m44 op, va0, vc0\nmov v0, va1",
        "tex ft0, v0, fs0 <2d,linear,repeat>\nmov oc, ft0",
        "tex ft0, v0.xy, fs0<2d>\n// done\nmov oc, ft0",
        "mov \u{fffc}, ft\u{fffc}.x\n",
        "m44 vt0, va0, vc[va1.x+4]",
        "ife ft0.x, fc0.x\nmov ft0, fc1\nels\neif",
        "frc ft1, ft0\nmul ft1, ft1, fc1\nadd ft0.xy, ft1,xy, fc1.zw\nmov oc, ft0",
    ] {
        assert!(holds_agal(text.as_bytes()), "{text:?}");
    }
    for text in
        ["add it to the list", "mov and mov", "log out and in", "tex, mex, flex", "sub a, b and c", "nrm vt0 and so on"]
    {
        assert!(!holds_agal(text.as_bytes()), "{text:?}");
    }
    assert!(!holds_agal(b"els\neif\nels\neif\n"), "a table of opcodes");
}

//! Tests the bindings of the source: the record in a file, and the effects of changes to the module.

use std::collections::BTreeMap;

use crate::common::hostile::{HEADER, file, tagged};
use sdlbc::{Additions, DecodeErrorKind as Kind, Id, Module, SourceBinding, additions, decode, encode, limits, prune};

const TEXT: &str = r#"
fragment function "fs_main" {
  input %1 light: float4 = uniform
  input %2 b: float4 = uniform
  input %3 skin: texture2d = texture 0 { filter 1, mip 0, wrap 0 0, format 0, special 4, bias 0 }
  output 0 oc: float4 = colour 0
  binding %1 push
  binding %2 0 7
  binding %3 1 4 sampler 1 5
  poke %1, 0
}
"#;

fn module() -> Module {
    sdlbc::parse(TEXT).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn bindings(module: &Module) -> &BTreeMap<Id, SourceBinding> {
    &module.debug.functions[0].bindings
}

#[test]
fn the_record_of_bindings_has_the_words_of_the_document() {
    let file = encode(&module());
    let words: Vec<u32> = file.chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect();
    #[rustfmt::skip]
    let expected = [
        0x3006, 18, 0,                                      // bindings of function 0
        1, u32::MAX, u32::MAX, u32::MAX, u32::MAX,          // %1, push constants
        2, 0, 7, u32::MAX, u32::MAX,                        // %2, group 0, number 7
        3, 1, 4, 1, 5,                                      // %3, group 1, number 4, and its sampler
    ];
    assert!(words.windows(expected.len()).any(|run| run == expected), "{words:x?}");
    assert_eq!(decode(&file), Ok(module()));
    assert_eq!(sdlbc::parse(&sdlbc::print(&module())).ok(), Some(module()));
    let announced: Vec<u32> = additions(&module()).iter().map(sdlbc::Addition::number).collect();
    assert_eq!(announced, [16]);
    let without = Module { debug: sdlbc::Debug::default(), ..module() };
    assert_eq!(additions(&without), Additions::default());
}

/// Returns the error for a file with an empty function and a record of bindings.
fn refused(words: &[u32]) -> (Kind, usize) {
    let empty = [1, 8, 0, 0, 0x2000, 2, 0x2001, 2];
    let record = tagged(0x3006, &[&[0][..], words].concat());
    let error = decode(&file(&[&empty[..], &tagged(2, &record)].concat())).expect_err("an error");
    (error.kind, (error.offset - HEADER) / 4)
}

#[test]
fn wrong_words_of_bindings_are_refused_at_their_place() {
    let one = [1, 0, 7, u32::MAX, u32::MAX];
    for (words, error) in [
        (vec![], (Kind::DebugEmpty, 13)),
        ([&one[..], &one].concat(), (Kind::BindingsOrder(1), 18)),
        ([&one[..], &[limits::MAX_ID + 1]].concat(), (Kind::Id(limits::MAX_ID + 1), 18)),
        (vec![1, 0, 7], (Kind::Ends { what: "debug record" }, 16)),
        (vec![1, u32::MAX, 7, u32::MAX, u32::MAX], (Kind::BindingWords, 14)),
        (vec![1, 0, u32::MAX, u32::MAX, u32::MAX], (Kind::BindingWords, 14)),
        (vec![1, 0, 7, 0, u32::MAX], (Kind::BindingWords, 14)),
        (vec![1, u32::MAX, u32::MAX, 0, 7], (Kind::BindingWords, 14)),
    ] {
        assert_eq!(refused(&words), error, "{words:x?}");
    }
}

#[test]
fn bindings_follow_their_inputs_when_others_are_removed() {
    let mut pair = sdlbc::parse(&format!(
        r#"vertex function "vs_main" {{
  input %1 a: float4 = attribute 0
  input %2 b: float4 = uniform
  output 0 op: float4 = position
  output 1 unread: float4 = varying 0
  binding %2 0 2
  poke %2, 0
  poke %1, 1
}}
{TEXT}"#
    ))
    .expect("a module");
    prune(&mut pair).expect("a pair");
    let place = SourceBinding::Bound { place: [0, 2], sampler: None };
    assert_eq!(bindings(&pair), &[(Id(1), place)].into());
}

//! Tests the members of uniform arrays: the record in a file, the rules, and the effects of changes to the module.

use crate::common::hostile::{HEADER, file, string, tagged};
use crate::common::layouts::{member, members};
use sdlbc::{
    Builder, DecodeErrorKind as Kind, Dialect, FunctionKind, FunctionOutput, Id, InputKind, LeftOut, Member, Module,
    OutputKind, Rule, Scalar, Type, Unfit, Unreadable, decode, encode, encode_readable, fit, limits, prune, verify,
};

#[test]
fn the_record_of_members_has_the_words_of_the_document() {
    let file = encode(&members());
    let words = file.chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")));
    let words: Vec<u32> = words.collect();
    #[rustfmt::skip]
    let expected = [
        0x3000, 6, 0, 3, 1, 0x006d_7573,                  // the preceding record: names of values
        0x3005, 56, 0,                                    // members of function 0
        1, 0, 0, 0x0304_0301, 0, 2, 0x6c72_6f77, 0x64,    // %1[0], float3x4, "world"
        1, 3, 0, 0x0003_0300, 0, 2, 0x6867_696c, 0x74,    // %1[3], float3, "light"
        1, 3, 3, 0x0001_0300, 0, 1, 0x0067_6f66,          // %1[3].w, float, "fog"
        1, 4, 2, 0x0002_0300, 0, 1, 0x7675,               // %1[4].z, float2, "uv"
        1, 5, 0, 0x0004_0303, 3, 2, 0x656e_6f62, 0x73,    // %1[5], float4[3], "bones"
        1, 8, 0, 0x0004_0300, 0, 1, 0x0062_2061,          // %1[8], float4, "a b"
        2, 0, 1, 0x0001_0300, 0, 2, 0x656d_6974, 0,       // %2[0].y, float, "time"
    ];
    assert!(words.windows(expected.len()).any(|run| run == expected), "{words:x?}");
    assert_eq!(decode(&file), Ok(members()));
    assert_eq!(verify(&members()), Ok(()));
}

#[test]
fn the_example_of_the_document_is_two_members() {
    #[rustfmt::skip]
    let record = [
        0x3005, 18, 0,
        1, 0, 0, 0x0404_0301, 0, 2, 0x7069_6c63, 0,
        1, 4, 3, 0x0001_0300, 0, 1, 0x0067_6f66,
    ];
    let module = decode(&file(&tagged(2, &record))).expect("a table");
    let matrix = Type::Matrix { columns: 4, rows: 4 };
    let expected = vec![member("clip", (0, 0), matrix), member("fog", (4, 3), Type::FLOAT)];
    assert_eq!(module.debug.functions[0].members, [(Id(1), expected)].into());
}

/// Returns the error for a file with an empty function and a debug table of the given records.
fn refused(records: &[u32]) -> (Kind, usize) {
    let empty = [1, 8, 0, 0, 0x2000, 2, 0x2001, 2];
    let error = decode(&file(&[&empty[..], &tagged(2, records)].concat())).expect_err("an error");
    (error.kind, (error.offset - HEADER) / 4)
}

#[test]
fn wrong_words_of_members_are_refused_at_their_place() {
    // The words after the record's count begin at word 12, and the first member begins at word 13.
    const FLOAT: u32 = 0x0001_0300;
    let of = |words: &[u32]| refused(&tagged(0x3005, &[&[0][..], words].concat()));
    let one = [1, 7, 0, FLOAT, 0, 1, 0x61];
    let two = |id| [&one[..], &[id, 0, 0, FLOAT, 0, 0]].concat();
    let float = |length| Kind::Type { word: FLOAT, length };
    for (words, error) in [
        (vec![], (Kind::DebugEmpty, 13)),
        (two(0), (Kind::MembersOrder(0), 20)),
        (two(limits::MAX_ID + 1), (Kind::Id(limits::MAX_ID + 1), 20)),
        (vec![1], (Kind::Ends { what: "debug record" }, 14)),
        (vec![1, 7, 0], (Kind::Ends { what: "debug record" }, 16)),
        (vec![1, 7, 0, FLOAT], (Kind::Ends { what: "debug record" }, 17)),
        (vec![1, 7, 0, FLOAT, 0], (Kind::Ends { what: "debug record" }, 18)),
        (vec![1, 7, 0, FLOAT, 1, 0], (float(1), 16)),
        (vec![1, 7, 0, 0x0004_0303, 4097, 0], (Kind::ArrayLength(4097), 17)),
        (vec![1, 7, 0, FLOAT, 0, 2, 0], (Kind::WordCount { what: "string", found: 2 }, 18)),
        (vec![1, 7, 0, FLOAT, 0, 1, 0x61, 1], (Kind::Ends { what: "debug record" }, 21)),
    ] {
        assert_eq!(of(&words), error, "{words:x?}");
    }
    let record = |tag, rest: &[u32]| tagged(tag, &[&[0][..], rest].concat());
    let members = record(0x3005, &one);
    for wrong in [
        [record(0x3002, &[0]), members.clone()].concat(),
        [members.clone(), record(0x3000, &[1, 0])].concat(),
        [members.clone(), record(0x3001, &string(b"f"))].concat(),
        [members.clone(), members.clone()].concat(),
    ] {
        let first = wrong[1] as usize;
        assert_eq!(refused(&wrong), (Kind::DebugOrder, 10 + first), "{wrong:x?}");
    }
}

fn broken(module: &Module) -> Vec<(Rule, String)> {
    let violations = verify(module).err().unwrap_or_default();
    violations.into_iter().map(|violation| (violation.rule, violation.detail.to_string())).collect()
}

/// Returns a copy of the module `members()` in which `list` replaces the members of the first function's array %1.
fn with(list: &[Member]) -> Module {
    let mut module = members();
    module.debug.functions[0].members = [(Id(1), list.to_vec())].into();
    module
}

#[test]
fn violations_show_the_member_as_the_text_does() {
    let fog = member("fog", (9, 3), Type::FLOAT);
    assert_eq!(broken(&with(&[fog])), [(Rule::MemberPlace, "\"fog\" at %1[9].w: float".to_string())]);
    let odd = member("", (0, 7), Type::INT);
    let detail = "\"\" at %1[0].7: int".to_string();
    assert_eq!(broken(&with(&[odd])), [(Rule::MemberName, detail.clone()), (Rule::MemberType, detail)]);
}

#[test]
fn a_list_without_a_member_is_written_by_no_file() {
    let module = with(&[]);
    assert_eq!(broken(&module), [(Rule::MembersOf, "%1".to_string())]);
    assert_eq!(encode_readable(&module, Dialect::Text), Err(Unreadable::Another));
}

#[test]
fn a_table_of_its_own_checks_what_it_can() {
    let table = |list: &[Member]| sdlbc::split(&with(list)).1;
    // A debug table without its program contains neither the arrays nor their lengths.
    assert_eq!(broken(&table(&[member("far", (4095, 0), Type::FLOAT4)])), []);
    let far = [member("a", (limits::ARRAY_LENGTH, 0), Type::FLOAT), member("a", (0, 0), Type::INT)];
    let rules = broken(&table(&far)).into_iter().map(|(rule, _)| rule).collect::<Vec<_>>();
    assert_eq!(rules, [Rule::MemberName, Rule::MemberType]);
    let long = Type::Array(Scalar::Float, 4, limits::ARRAY_LENGTH + 1);
    assert_eq!(broken(&table(&[member("a", (0, 0), long)]))[0].0, Rule::ArrayLength);
}

#[test]
fn members_whose_names_no_file_can_contain_are_left_out() {
    let mut module = members();
    let long = "n".repeat(limits::NAME + 1);
    let list = module.debug.functions[0].members.get_mut(&Id(1)).expect("the array");
    list[1].name = "a\0".to_string();
    list[3].name = long;
    module.debug.functions[1].members.get_mut(&Id(1)).expect("the array")[0].name = "\0".to_string();
    let left_out = fit(&mut module);
    let of = |function, first, component, why| LeftOut::Member { function, array: Id(1), first, component, why };
    let expected = [of(0, 3, 0, Unfit::Nul(1)), of(0, 4, 2, Unfit::Long(limits::NAME + 1)), of(1, 1, 0, Unfit::Nul(0))];
    assert_eq!(left_out, expected);
    assert_eq!(
        left_out[1].to_string(),
        format!("the name of the member at %1[4].z in function 0 has {} bytes, but the limit is {}", 4097, 4096)
    );
    assert_eq!(verify(&module), Ok(()));
    assert!(module.debug.functions[1].members.is_empty(), "an array without members is left out");
    assert_eq!(module.debug.functions[0].members[&Id(1)].len(), 4);
}

#[test]
fn members_follow_their_array_when_a_pair_is_pruned_and_leave_with_it() {
    let text = r#"
vertex function "vs" {
  input %5 va0: float4 = attribute 0
  input %9 vc: float4[4] = uniform
  input %7 lost: float4[2] = uniform
  output 0 op: float4 = position
  output 1 v0: float4 = varying 0
  %10 = peek %9, 1
  %11 = peek %7, 0
  poke %10, 0
  poke %11, 1
}
fragment function "fs" {
  output 0 oc: float4 = colour 0
  %1 = literalfloat4 1.0, 0.0, 0.0, 1.0
  poke %1, 0
}"#;
    let mut module = sdlbc::parse(text).expect("a module");
    let kept = vec![member("clip", (0, 0), Type::Matrix { columns: 4, rows: 4 })];
    let lost = vec![member("gone", (1, 0), Type::FLOAT)];
    module.debug.functions.push(sdlbc::FunctionDebug {
        members: [(Id(9), kept.clone()), (Id(7), lost)].into(),
        ..sdlbc::FunctionDebug::default()
    });
    assert_eq!(verify(&module), Ok(()));
    prune(&mut module).expect("a pair");
    let names: Vec<&str> = module.functions[0].inputs.iter().map(|input| input.name.as_str()).collect();
    assert_eq!(names, ["va0", "vc"]);
    assert_eq!(module.debug.functions[0].members, [(module.functions[0].inputs[1].id, kept)].into());
    assert_eq!(verify(&module), Ok(()));
}

#[test]
fn the_builder_renumbers_members_and_cuts_them_to_the_final_length() {
    let array = |length| Type::Array(Scalar::Float, 4, length);
    let build = |length| {
        let mut builder = Builder::new(FunctionKind::Fragment, "main");
        let unused = builder.input("unused", array(4), InputKind::Uniform);
        let constants = builder.input("fc", array(1), InputKind::Uniform);
        builder.member(unused, member("never", (0, 0), Type::FLOAT));
        builder.member(constants, member("matrix", (0, 0), Type::Matrix { columns: 4, rows: 4 }));
        builder.member(constants, member("fog", (4, 1), Type::FLOAT));
        builder.member(constants, member("bones", (5, 0), array(20)));
        builder.resize_input(constants, length);
        let colour = OutputKind::Colour { target: 0 };
        let colour = builder.output(FunctionOutput { ty: Type::FLOAT4, name: "oc".to_string(), kind: colour });
        let value = builder.peek(constants, None, 0);
        builder.poke(colour, value);
        let finished = builder.finish_with_lines().expect("a function");
        let debug = sdlbc::FunctionDebug { members: finished.members.clone(), ..sdlbc::FunctionDebug::default() };
        let debug = sdlbc::Debug { functions: vec![debug], ..sdlbc::Debug::default() };
        let debug = if finished.members.is_empty() { sdlbc::Debug::default() } else { debug };
        assert_eq!(verify(&Module { functions: vec![finished.function], debug }), Ok(()), "{length}");
        finished.members.into_values().flatten().map(|member| (member.name, member.ty)).collect::<Vec<_>>()
    };
    let named = |list: &[(&str, Type)]| list.iter().map(|&(name, ty)| (name.to_string(), ty)).collect::<Vec<_>>();
    let matrix = Type::Matrix { columns: 4, rows: 4 };
    assert_eq!(build(25), named(&[("matrix", matrix), ("fog", Type::FLOAT), ("bones", array(20))]));
    assert_eq!(build(8), named(&[("matrix", matrix), ("fog", Type::FLOAT), ("bones", array(3))]));
    assert_eq!(build(4), named(&[("matrix", matrix)]));
    assert_eq!(build(3), []);
}

#[test]
fn a_violation_is_at_the_line_of_its_member() {
    let text = "generic function \"\" {\n  input %1 a: float4[2] = uniform\n  member %1[1] b: float\n  member %1[0] c: float\n}\n\
                generic function \"\" {\n  member %1[1] b: float\n}\n";
    let (module, comments) = sdlbc::parse_with_comments(text).expect("well written");
    let violations = verify(&module).expect_err("two");
    let lines = violations.iter().map(|violation| {
        let span = comments.span_of(violation).expect("a place");
        assert_eq!(&text[span.clone()], "member");
        text[..span.start].lines().count()
    });
    assert_eq!(lines.collect::<Vec<_>>(), [4, 7]);
}

//! Tests with damaged sources: the compiler never panics, and its output is always well formed.

use testing::{Effort, Random, caught, damage};

use super::{check, compiled, sources};
use crate::sources::{Source, compile};

/// Words and signs that are inserted at random positions.
const PARTS: &[&str] = &[
    "{", "}", "(", ")", "[", "]", "\"", "'", "/*", "//", "<a>", "/", "${", "#if", "#end", "function", "class", "var",
    "for", "switch", "case", "default:", "else", "catch", "super(", "this.", "->", "=>", "...", "::", "@:", "new ",
    ";", ",", "\\", "in ",
];

fn damaged(random: &mut Random, text: &[u8], other: &[u8]) -> String {
    let mut bytes = text.to_vec();
    for _ in 0..1 + random.below(4) {
        if random.once_in(2) {
            let at = random.below(bytes.len() + 1);
            let part = random.pick(PARTS);
            bytes.splice(at..at, part.bytes());
        } else {
            let unit = 1 + random.below(8);
            damage::edit(&mut bytes, random, other, unit);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn damaged_sources_do_not_panic_and_their_code_is_well_formed() {
    let sources = sources();
    for seed in Effort::of("SOURCE_EDITS", 10_000).seeds() {
        let random = &mut Random::of(seed, &[]);
        let (name, text) = &sources[random.below(sources.len())];
        let (_, other) = &sources[random.below(sources.len())];
        let text = damaged(random, text.as_bytes(), other.as_bytes());
        if let Err(panic) = caught(|| compiled(name, &text)) {
            panic!("SEED={seed:#x} {name}: {panic}\n{text}");
        }
    }
}

#[test]
fn deep_nesting_costs_the_statement_and_not_the_stack() {
    let deep = |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(10_000), close.repeat(10_000));
    let kept = "var kept:String = \"kept\";";
    for (open, inner, close) in [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("{", "", "}"),
        ("!", "a", ""),
        ("a ? b : ", "c", ""),
        ("f(", "", ")"),
        ("a = ", "1", ""),
        ("new ", "A", ""),
        ("function () { ", "", "}"),
        ("if (a) ", "b();", ""),
        ("if (a) {} else ", "b();", ""),
        ("a + b * ", "c", ""),
        ("a.b().c[0]", "", ""),
        ("Vector.<", "A", ">"),
        ("<a>", "", "</a>"),
    ] {
        let code = deep(open, inner, close);
        let text = format!("package {{ class A {{ function f():void {{ {code};\n }} {kept} }} }}");
        let compiled = compiled("A.as", &text);
        let traits = &compiled.units[0].abc.instances[0].traits;
        assert!(compiled.warnings.len() < 60 && traits.len() == 2, "{open}: {:?}", compiled.warnings.first());
        let text = format!("class A {{ function f():Void {{ {code}; }} var kept = \"kept\"; }}");
        let compiled = super::compiled("A.hx", &text);
        assert!(!compiled.units[0].abc.instances.is_empty(), "{open}: {:?}", compiled.warnings.first());
    }
}

#[test]
fn any_bytes_are_a_source_of_which_nothing_may_be_left() {
    for seed in Effort::of("SOURCE_BYTES", 2_000).seeds() {
        let random = &mut Random::of(seed, &[1]);
        let mut text = String::new();
        for _ in 0..random.below(60) {
            text.push_str(random.pick(PARTS));
            if random.once_in(3) {
                text.push(char::from(random.next() as u8));
            }
        }
        for name in ["A.as", "A.hx", "A.mxml"] {
            let result = caught(|| check::all(&compile(&[Source { name, text: &text }]), &text));
            assert!(result.is_ok(), "SEED={seed:#x} {name}: {result:?}\n{text}");
        }
    }
}

#[test]
fn many_definitions_of_one_name_are_all_kept_and_take_little_time() {
    let members = "function f():String { return \"a\"; } var v:int = 1;\n".repeat(3_000);
    let text = format!("package {{ class A {{ {members} }} {} }}", "class A {}\n".repeat(3_000));
    let compiled = compiled("A.as", &text);
    let abc = &compiled.units[0].abc;
    assert_eq!((compiled.warnings.len(), abc.instances.len()), (0, 3_001));
    assert_eq!(abc.instances[0].traits.len(), 6_000);
    let names: std::collections::BTreeSet<u32> = abc.instances[0].traits.iter().map(|one| one.name.0).collect();
    assert_eq!(names.len(), 6_000);
}

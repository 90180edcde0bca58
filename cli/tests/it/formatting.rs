//! Tests `fmt` with AGAL programs, with standard input, and with inputs that `fmt` refuses.

use testing::{Effort, testdata};

use crate::support::sandbox::Sandbox;

const PLAIN: &str =
    "// agal 2 fragment\r\nmov  ft0,v0 // a\r\nife ft0.x,fc0.x\r\nmul ft0,ft0,fc0\r\neif\r\nmov oc,ft0\r\n";
const FORMATTED: &str = "// agal 2 fragment\r\nmov ft0,   v0 // a\r\nife ft0.x, fc0.x\r\n  mul ft0,   ft0, fc0\r\neif\r\nmov oc,    ft0\r\n";

#[test]
fn texts_are_formatted_in_place_and_check_only_names_them() {
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", PLAIN);
    sandbox.write("b.agal", FORMATTED);
    let ran = sandbox.run(&["fmt", "--check", "a.agal", "b.agal"]).failure(1);
    assert!(ran.err.contains("not formatted: `a.agal`") && !ran.err.contains("b.agal"), "{}", ran.err);
    assert_eq!(sandbox.text("a.agal"), PLAIN);
    let ran = sandbox.run(&["fmt", "a.agal", "b.agal"]).success();
    assert!(ran.err.contains("wrote a.agal") && !ran.err.contains("b.agal"), "{}", ran.err);
    assert_eq!((sandbox.text("a.agal"), sandbox.text("b.agal")), (FORMATTED.to_string(), FORMATTED.to_string()));
    sandbox.run(&["fmt", "--check", "a.agal", "b.agal"]).success();
    assert_eq!(sandbox.run_with(&["fmt", "-"], PLAIN.as_bytes()).success().text(), FORMATTED);
}

#[test]
fn nothing_is_formatted_if_a_text_has_errors_or_is_something_else() {
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", PLAIN);
    sandbox.write("wrong.agal", "mvo oc, v0\n");
    sandbox.run(&["assemble", "a.agal", "-o", "a.agalbc"]).success();
    sandbox.write("pasted.agal", "> mov oc,v0\n");
    sandbox.write("strings.agal", "\"mov oc,v0\\n\"");
    for (other, said) in [
        ("wrong.agal", "`mvo` is not an AGAL mnemonic"),
        ("a.agalbc", "is bytecode"),
        ("pasted.agal", "`fmt` formats only files of AGAL text"),
        ("strings.agal", "`fmt` formats only files of AGAL text"),
    ] {
        let before = sandbox.read(other);
        let ran = sandbox.run(&["fmt", "a.agal", other]).failure(1);
        assert!(ran.err.contains(said), "{}", ran.err);
        assert_eq!((sandbox.text("a.agal"), sandbox.read(other)), (PLAIN.to_string(), before));
    }
    let ran = sandbox.run(&["fmt", "a.agal", "--diagnostics", "a.agal"]).failure(2);
    assert!(ran.err.contains("`a.agal` is read and would be overwritten"), "{}", ran.err);
    assert_eq!(sandbox.text("a.agal"), PLAIN);
}

#[test]
fn a_stage_may_be_given_and_a_byte_order_mark_stays() {
    let sandbox = Sandbox::new();
    let [plain, formatted] = ["\u{feff}mov  vt0,vc0\nmov op,vt0\n", "\u{feff}mov vt0, vc0\nmov op,  vt0\n"];
    sandbox.write("a.agal", plain);
    sandbox.run(&["fmt", "a.agal"]).success();
    assert_eq!(sandbox.text("a.agal"), formatted);
    sandbox.write("b.agal", "mov  t0,c0\nmov o0,t0\n");
    let line = ["fmt", "b.agal", "--stage", "vertex"];
    sandbox.run(&line[..2]).failure(1);
    assert_eq!(sandbox.text("b.agal"), "mov  t0,c0\nmov o0,t0\n");
    sandbox.run(&line).success();
    assert_eq!(sandbox.text("b.agal"), "mov t0, c0\nmov o0, t0\n");
}

#[test]
fn every_pair_is_the_same_program_after_it_is_formatted() {
    let sandbox = Sandbox::new();
    let paths = testing::files(&testdata("pairs"), ".agal");
    for path in Effort::part_of("PAIRS", &paths) {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        sandbox.write(&name, std::fs::read(path).expect("the text"));
        sandbox.run(&["assemble", &name, "-o", "before.agalbc", "-q"]).success();
        sandbox.run(&["fmt", &name]).success();
        sandbox.run(&["assemble", &name, "-o", "after.agalbc", "-q"]).success();
        assert_eq!(sandbox.read("before.agalbc"), sandbox.read("after.agalbc"), "{name}");
        sandbox.run(&["fmt", "--check", &name]).success();
    }
}

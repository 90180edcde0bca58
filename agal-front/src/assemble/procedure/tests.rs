//! Tests the recognition of Alternativa3D's procedures and their expansion.

use super::{is_procedure, stage_of};
use crate::assemble::{AssembleOptions, Language, assemble, expand};
use crate::finding::Kind;
use crate::register::Stage;

fn expanded(text: &str) -> String {
    match expand(text, &AssembleOptions::default()) {
        Ok(expansion) => expansion.text,
        Err(findings) => panic!("{text}\n{findings:?}"),
    }
}

fn kinds(text: &str) -> Vec<Kind> {
    let findings = expand(text, &AssembleOptions::default()).expect_err("it is wrong");
    findings.into_iter().filter(|finding| finding.is_error()).map(|finding| finding.kind).collect()
}

#[test]
fn registers_get_the_letters_of_their_stage() {
    let text = "#a0=aPosition\n#c4=cScale\nm44 t0 a0 c0\nmul t0.xyz, t0.xyz, c4.x // scale\nmov v0, a1\nmov o0, t0";
    let expected = "m44 vt0, va0, vc0\nmul vt0.xyz, vt0.xyz, vc4.x\nmov v0, va1\nmov op, vt0\n";
    assert_eq!(expanded(text), expected);
    let text =
        "#s0=sDiffuse\ntex t0, v0, s0 <2d, linear,repeat,bias40>\nkil t0.w\nmov o1, t0\nmov o0 t0\nmov d0.x, t0.x";
    let expected = "tex ft0, v0, fs0 <2d,linear,repeat,5>\nkil ft0.w\nmov oc1, ft0\nmov oc, ft0\nmov od.x, ft0.x\n";
    assert_eq!(expanded(text), expected);
}

#[test]
fn an_index_is_of_the_stage_too() {
    assert_eq!(
        expanded("m34 t0.xyz, a0, c[a1.x + 3]\nmov o0, t0.xyzz"),
        "m34 vt0.xyz, va0, vc[va1.x+3]\nmov op, vt0.xyzz\n"
    );
}

#[test]
fn declared_names_are_names_of_registers() {
    let text = "#a0=aPosition\n# c0 = cMatrix;\n#v1=vUV\nm44 o0, a0, c0\nmov v1, a0";
    let names = assemble(text, &AssembleOptions::default()).expect("a program").names;
    let names: Vec<String> = names.iter().map(|name| format!("{name} {}", name.span.line)).collect();
    assert_eq!(names, ["va0 = aPosition 1", "vc0 = cMatrix 2", "v1 = vUV 3"]);
}

#[test]
fn expressions_use_the_destination_for_their_parts() {
    for (text, expected) in [
        ("t0 = a0", "mov vt0, va0"),
        ("t0 = a0 * c0.x + c1", "mul vt0, va0, vc0.x\nadd vt0, vt0, vc1"),
        ("t0.xyz = a0.xyz - c0.xyz / c1.x", "div vt0.xyz, vc0.xyz, vc1.x\nsub vt0.xyz, va0.xyz, vt0.xyz"),
        ("t0.x = dp3(a0, c0) * c1.x", "dp3 vt0, va0, vc0\nmul vt0.x, vt0, vc1.x"),
        ("t0 = a0.x + c0.y - c1", "add vt0.x, va0.x, vc0.y\nsub vt0, vt0.x, vc1"),
        ("o0 = a0 + c0", "add op, va0, vc0"),
        ("t0 = a0 + c[a1.x+2].y", "add vt0, va0, vc[va1.x+2].y"),
    ] {
        assert_eq!(expanded(text).trim_end(), expected, "{text}");
    }
}

#[test]
fn expressions_that_need_another_register_are_refused() {
    let register = || "t0".to_string();
    assert_eq!(kinds("t0 = a0 * c0 + a1 * c1"), [Kind::ProcedureExpression { register: register() }]);
    assert_eq!(kinds("t0 = a0 * c0 + t0"), [Kind::ExpressionOverlap { register: register() }]);
    for text in ["t0 = (a0 + c0) * c1", "t0 = a0 +", "t0 = -a0", "t0 = nope(a0)", "t0 = dp3(a0, c0", "t0 == a0"] {
        assert!(matches!(kinds(text)[..], [Kind::ExpressionSyntax { .. }, ..]), "{text}: {:?}", kinds(text));
    }
}

#[test]
fn what_only_the_linker_knows_is_refused() {
    assert_eq!(kinds("mul t0, i0, a0\nmov o0, t0"), [Kind::ProcedureParameter { name: "i0".to_string() }]);
    assert_eq!(kinds("mov v0, a0\nmov o1, a0"), [Kind::ProcedureOutput { name: "o1".to_string() }]);
    assert_eq!(kinds("mov o0, c0"), [Kind::StageUnknown]);
    let given = AssembleOptions::default().stage(Some(Stage::Fragment));
    assert!(assemble("mov o0, c0", &given).is_ok());
}

#[test]
fn the_stage_is_that_of_the_first_register_that_one_stage_has() {
    for (text, stage) in [
        ("#v0=vUV\nmov t0, c0\nmov v0, t0", Some(Stage::Vertex)),
        ("mov t0, v0", Some(Stage::Fragment)),
        ("t0 = c0 + v0", Some(Stage::Fragment)),
        ("v0 = c0", Some(Stage::Vertex)),
        ("#s0=sMap", Some(Stage::Fragment)),
        ("mov o0, c0", None),
    ] {
        assert_eq!(stage_of(text), stage, "{text}");
    }
}

#[test]
fn other_texts_are_not_procedures() {
    for text in [
        "mov oc, v0",
        "mov v0, va0\nmov t0, a0",
        "alias va0, a0\nt0 = a0",
        "#if A\nmov t0, a0\n#endif",
        "v0 = va0",
        "mov v0, v0",
        "part t0 vertex\nendpart",
        "tex ft0, v0, fs0 <2d,a0>",
        "nope t0, a0",
        "",
    ] {
        assert!(!is_procedure(text), "{text}");
    }
    for text in ["#c3=x", "  # c3 = x", "mov v0 a0", "mov v1, v0\nmov o0, t0", "t0 = t1", "kil t0.x"] {
        assert!(is_procedure(text), "{text}");
    }
    let forced = AssembleOptions::default().language(Language::Alternativa);
    assert!(assemble("mov oc, v0", &forced).is_ok());
}

#[test]
fn only_procedures_of_testdata_are_procedures() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata");
    let mut texts = 0;
    for folder in [
        "agal/lift",
        "agal/macro",
        "agal/mistakes",
        "agal/text",
        "agal/verdicts",
        "agal/wrong",
        "agal/procedure",
        "pairs",
    ] {
        for entry in std::fs::read_dir(root.join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let Some(text) = std::fs::read_to_string(&path).ok().filter(|_| path.extension() == Some("agal".as_ref()))
            else {
                continue;
            };
            assert_eq!(is_procedure(&text), folder == "agal/procedure", "{}", path.display());
            texts += 1;
        }
    }
    assert!(texts > 300, "{texts}");
}

#[test]
fn any_text_is_expanded_or_refused() {
    for text in [
        "#c",
        "#c=",
        "#c9999=x",
        "t0=",
        "t0 =",
        "t0 = [",
        "t0 = c[",
        "mov t0, c[",
        "mov t0, c[]",
        "mov t0, c[é]",
        "tex t0, v0, s0 <",
        "tex t0, v0, s0 <é,bias999>",
        "t0 = a0é",
        "t0 = \u{2028}",
    ] {
        for stage in [None, Some(Stage::Vertex), Some(Stage::Fragment)] {
            let options = AssembleOptions::default().stage(stage).language(Language::Alternativa);
            let _ = expand(text, &options);
        }
    }
}

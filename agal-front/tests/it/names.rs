//! Tests of the names that source text gives to registers, and of the origins and positions of these names. The tests in
//! src/assemble/names.rs cover the forms of naming comments.

use agal_front::Stage;
use agal_front::assemble::{AssembleOptions, Assembly, NamedBy, assemble, expand};
use testing::{files_below, testdata};

fn read(text: &str) -> Assembly {
    assemble(text, &AssembleOptions::default()).unwrap_or_else(|findings| panic!("{findings:?}\n{text}"))
}

fn names(text: &str, assembly: &Assembly) -> Vec<String> {
    let shown = |name: &agal_front::assemble::SourceName| {
        let span = name.span;
        format!("{name} at {}:{} in `{}`", span.line, span.column, &text[span.start..span.end])
    };
    assembly.names.iter().map(shown).collect()
}

#[test]
fn aliases_and_comments_are_names_with_their_places() {
    let text = "// é vc0: no\nalias va0, position // va1 = uv: vec2\nalias vc4.x, half;alias va2.zw, corner\n\
                op = position * half // vt0 = sum\n// fc0 = other stage\nv0 = va1 + corner // v0: at, vc5: tint\n";
    assert_eq!(
        names(text, &read(text)),
        [
            "va0 = position at 2:12 in `position`",
            "vc4.x = half at 3:14 in `half`",
            "va2.zw = corner at 3:33 in `corner`",
            "va1 = uv: vec2 at 2:24 in `va1 = uv: vec2`",
            "v0 = at at 6:22 in `v0: at`",
            "vc5 = tint at 6:30 in `vc5: tint`",
        ]
    );
    assert_eq!(read(text).names[0].by, NamedBy::Alias);
    assert_eq!(read(text).names[3].by, NamedBy::Comment);
}

#[test]
fn what_has_several_meanings_has_no_name() {
    let text = "alias va0, a\nalias vt0, one\nalias vt0, two\nalias va1, same\nalias va2, same\nop = a\nv0 = va1\nv1 = same\n\
                // va0 = b\n// vc0 = first\n// vc0 = second\n";
    let assembly = read(text);
    let found: Vec<String> = assembly.names.iter().map(ToString::to_string).collect();
    assert_eq!(found, ["va0 = a", "vc0 = first"]);
}

#[test]
fn the_names_of_a_part_are_those_of_its_own_lines() {
    let text = "part v vertex 1\n// v0 = uv\nmov op, va0\nmov v0, va1\nendpart\npart f fragment 1\n// v0 = at\nmov oc, v0\nendpart\n";
    for (stage, expected) in
        [(Stage::Vertex, "v0 = uv at 2:4 in `v0 = uv`"), (Stage::Fragment, "v0 = at at 7:4 in `v0 = at`")]
    {
        let options = AssembleOptions::default().stage(Some(stage));
        assert_eq!(names(text, &assemble(text, &options).expect("a program")), [expected]);
    }
}

#[test]
fn an_expansion_has_the_names_that_its_text_has_lost() {
    let options = AssembleOptions::default();
    let expansion =
        expand("// v0 = uv\nalias va0, position\nop = position\nv0 = position\n", &options).expect("a text");
    let found: Vec<String> = expansion.names.iter().map(ToString::to_string).collect();
    assert_eq!(found, ["va0 = position", "v0 = uv"]);
    assert_eq!(expand("// va0 = position\nmov op, va0", &options).expect("a text").names, []);
}

/// The test inserts comments after the first line, because the first line may be the header.
#[test]
fn comments_with_names_change_no_program() {
    let (mut programs, mut named) = (0, 0);
    for file in files_below(&testdata("agal"), ".agal").into_iter().chain(files_below(&testdata("pairs"), ".agal")) {
        let text = String::from_utf8_lossy(&std::fs::read(&file).expect("a file")).into_owned();
        let Ok(before) = assemble(&text, &AssembleOptions::default()) else { continue };
        let Some((first, rest)) = text.split_once('\n').filter(|(first, _)| !first.contains("part")) else { continue };
        let more = format!("{first}\n// vc0..3 = clip: mat4, va1 is uv; fc0.x = shine\n// v0 = at\n{rest}");
        let after =
            assemble(&more, &AssembleOptions::default()).unwrap_or_else(|findings| panic!("{findings:?}\n{more}"));
        assert_eq!((&after.program, after.version_given), (&before.program, before.version_given), "{more}");
        assert_eq!(after.aliases, before.aliases);
        programs += 1;
        named += usize::from(after.names.len() > before.names.len());
    }
    assert!(programs > 200 && named > 200, "{named} of {programs}");
}

//! Tests of the one-line form of errors and warnings. An error about a part of a file begins with the position of that part.

use agalc::names::Names;
use agalc::{Input, Options, Shader};

fn shader(names: &str) -> Result<Shader, agalc::Refused> {
    let names = Names::from_toml(names, "lit.names.toml").expect("names");
    let input = Input { name: "lit.vert.agal".to_string(), bytes: b"m44 op, va0, vc0".to_vec() };
    Shader::new(&[input], &Options::default().names(names))
}

#[test]
fn an_error_about_a_name_from_a_file_begins_with_its_place() {
    let refused = shader("va0 = \"place\"\n\"vc0..2\" = \"clip: mat3\"\n").expect_err("a wrong type");
    let expected = "lit.names.toml:2:12: `vc0..2` cannot be a mat3x3, because the program also reads vc0.w";
    assert_eq!(refused.to_string(), expected);
    assert_eq!(refused.names[0].to_string(), expected);
    assert_eq!(refused.names[0].message(), expected.split_once(": ").expect("a place").1);
}

#[test]
fn a_warning_about_a_name_from_a_file_begins_with_its_place() {
    let shader = shader("va7 = \"uv\"\n").expect("a shader");
    let [warning] = shader.warnings() else { panic!("{:?}", shader.warnings()) };
    let expected = "lit.names.toml:1:7: `va7` is not used by the program, so `uv` names nothing";
    assert_eq!(warning.to_string(), expected);
}

#[test]
fn a_name_that_is_given_in_a_program_has_no_place() {
    let mut names = Names::default();
    names.push(Names::parse_entry("va7=uv").expect("a name"));
    let input = Input { name: "lit.vert.agal".to_string(), bytes: b"mov op, va0".to_vec() };
    let shader = Shader::new(&[input], &Options::default().names(names)).expect("a shader");
    assert!(shader.warnings()[0].to_string().starts_with("`va7` is not used"), "{:?}", shader.warnings());
}

//! Tests of lifting: each file NAME.agal of testdata/agal/lift is a program, and NAME.ir is the expected IR. `UPDATE_EXPECT=1
//! cargo test -p agal-front --test it lift::` regenerates the IR files. Comments state options (`// : OPTION`) and the findings
//! on their line: `// ! CODE COLUMN MESSAGE` for an error, `~` for a warning. Each expected IR was compared with the AGAL
//! reference when the test was written.

use crate::common::{Expected, differences, expect, files, folder};
use agal_front::lift::{Options, translate};
use agal_front::opcode::Opcode;
use sdlbc::{Body, Op};

#[test]
fn each_program_is_lifted_to_the_expected_ir() {
    let mut failures = String::new();
    for file in files("lift", "agal") {
        let text = std::fs::read_to_string(&file).expect("a text");
        let expected = Expected::read(&text);
        let (program, located) = expected.assemble(&text);
        let (module, findings) = match translate(&[&program], &expected.lift) {
            Ok(lifted) => (Some(lifted.module), lifted.findings.concat()),
            Err(findings) => (None, findings.concat()),
        };
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        failures += &differences(&name, &expected, &program, &located, &findings);
        let Some(module) = module else {
            failures += &format!("{name} is refused\n");
            continue;
        };
        if let Err(violations) = sdlbc::verify(&module) {
            failures += &format!("{name}: {violations:?}\n");
        }
        if let Err(difference) = expect(&format!("lift/{name}.ir"), &sdlbc::print(&module)) {
            failures += &difference;
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn each_expectation_has_its_program() {
    let programs = files("lift", "agal");
    for file in files("lift", "ir") {
        assert!(programs.contains(&file.with_extension("agal")), "{}", file.display());
    }
    assert!(programs.len() > 60, "only {} programs in {}", programs.len(), folder("lift").display());
}

#[test]
fn every_opcode_is_lifted_by_some_program() {
    let programs: Vec<_> = files("lift", "agal")
        .iter()
        .map(|file| std::fs::read_to_string(file).expect("a text"))
        .map(|text| Expected::read(&text).assemble(&text).0)
        .collect();
    for opcode in Opcode::ALL {
        let code = opcode.row().code;
        let lifted = programs.iter().flat_map(|program| &program.tokens).any(|token| token.opcode == code);
        assert!(lifted, "{}", opcode.row().mnemonic);
    }
}

fn body(text: &str) -> Body {
    let expected = Expected::read(text);
    let (program, _) = expected.assemble(text);
    let lifted = translate(&[&program], &expected.lift).unwrap_or_else(|findings| panic!("{findings:#?}\n{text}"));
    lifted.module.functions[0].body.clone()
}

fn count(body: &Body, op: Op) -> usize {
    body.insts().iter().filter(|inst| inst.op == op).count()
}

#[test]
fn a_copy_needs_no_instruction() {
    let body = body("mov ft0, v0\nmov ft1, ft0\nmov ft2.xy, ft1.xy\nmov ft2.zw, ft0.xyzw\nmov oc, ft2");
    assert_eq!(body.insts().len(), 1, "{body:?}");
    assert_eq!(body.insts()[0].op, Op::Poke);
}

#[test]
fn parts_of_a_temporary_written_in_both_branches_share_one_vector_phi() {
    let body = body(
        "mov ft0, v0\nifg v0.x, fc0.x\nmov ft0.x, v1.x\nadd ft0.y, v1.y, fc0.y\nels\nmov ft0.zw, v1.xy\neif\nmov oc, ft0",
    );
    assert_eq!(count(&body, Op::Phi), 1, "{body:?}");
    assert_eq!(count(&body, Op::If), 1);
}

#[test]
fn a_conditional_has_no_phi_for_a_register_that_is_not_read_after_it() {
    let body = body("mov ft0, v0\nmov ft1, v0\nifl v0.x, fc0.x\nmov ft0.x, v1.x\nmov ft1, v1\neif\nmov oc, ft0");
    assert_eq!(count(&body, Op::Phi), 1, "{body:?}");
}

#[test]
fn a_constant_array_ends_at_the_highest_read_or_is_the_whole_file_if_it_is_indexed() {
    let length = |text: &str| {
        let (program, _) = Expected::default().assemble(text);
        let module = translate(&[&program], &Options::default()).expect("legal").module;
        let array = module.functions[0].inputs.iter().find_map(|input| match input.ty {
            sdlbc::Type::Array(_, _, length) => Some(length),
            _ => None,
        });
        array.unwrap_or(0)
    };
    assert_eq!(length("mov op, va0"), 0);
    assert_eq!(length("add op, va0, vc17"), 18);
    assert_eq!(length("m44 op, va0, vc4"), 8);
    assert_eq!(length("mov v0, vc[va0.x]\nmov op, va0"), 128);
    assert_eq!(length("// agal 2 vertex\nmov v0, vc[va0.x]\nmov op, va0"), 250);
    assert_eq!(length("mov oc, fc27"), 28);
    assert_eq!(length("mov ft0, fc20\nmov oc, fc0"), 1);
}

#[test]
fn the_state_of_a_sampler_is_kept_with_its_texture() {
    let text = "tex ft0, v0, fs2 <2d,linear,miplinear,repeat,-0.5>\nmov oc, ft0";
    let (program, _) = Expected::default().assemble(text);
    let module = translate(&[&program], &Options::default()).expect("legal").module;
    let kinds: Vec<_> = module.functions[0].inputs.iter().map(|input| (input.name.as_str(), input.kind)).collect();
    let sampler = sdlbc::Sampler { filter: 1, mip: 2, wrap_u: 1, wrap_v: 1, bias: -4, ..sdlbc::Sampler::default() };
    assert_eq!(kinds[1], ("fs2", sdlbc::InputKind::Texture { slot: 2, sampler }));
}

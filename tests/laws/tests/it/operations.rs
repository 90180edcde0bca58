//! Checks that every row of the operation table is complete. Each operation has a section in docs/instructions.md and a program
//! in testdata/ir. The test encodes, prints, dumps, verifies and lowers that program, and infers its types.

use std::collections::BTreeSet;

use backends::{Error, Glsl, Layout, Target};
use laws::compute::OPERATIONS;
use laws::{TARGETS, outputs};
use sdlbc::{Function, Op, decode, dump, encode, infer_types, parse, print, verify};
use testing::repository;

/// The codes of the operations in the published format, from NOP to SAMPLE.
const PUBLISHED: std::ops::RangeInclusive<u32> = 2..=89;
/// The number of operations that this project adds to the published format. The codes of these operations begin at 0x1000.
const OURS: usize = 35;

fn program(op: Op) -> String {
    let folder = if OPERATIONS.contains(&op) { "compute" } else { "operations" };
    let path = repository().join(format!("testdata/ir/{folder}/{op}.sdlasm"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_table_is_the_published_list_and_ours() {
    let published: BTreeSet<u32> = Op::ALL.iter().map(|op| op.number()).filter(|&number| number < 0x1000).collect();
    assert_eq!(published, PUBLISHED.collect());
    let ours: Vec<u32> = Op::ALL.iter().map(|op| op.number()).filter(|&number| number >= 0x1000).collect();
    assert_eq!(ours.len(), OURS);
    assert!(ours.is_sorted());
}

#[test]
fn every_operation_is_encoded_printed_dumped_verified_typed_and_in_the_reference() {
    let reference = std::fs::read_to_string(repository().join("docs/instructions.md")).expect("the reference");
    let mut cases = 0;
    for &op in Op::ALL {
        let text = program(op);
        let module = parse(&text).unwrap_or_else(|errors| panic!("{op}: {errors:?}"));
        assert_eq!(verify(&module), Ok(()), "{op}");

        let file = encode(&module);
        assert_eq!(decode(&file).as_ref(), Ok(&module), "{op}: the file");
        assert_eq!(parse(&print(&module)).as_ref(), Ok(&module), "{op}: the text");
        let dump = dump(&file);
        assert!(dump.good && dump.text.contains(&format!(" {op}")), "{op}: the dump");

        let mut found = 0;
        for (index, function) in module.functions.iter().enumerate() {
            let types = infer_types(&module, index);
            for inst in function.body.insts().iter().filter(|inst| inst.op == op) {
                found += 1;
                assert_eq!(types.get(inst.output).is_some(), inst.output.is_some(), "{op}: the type");
            }
        }
        assert!(found > 0, "the program of {op} does not contain it");
        assert!(reference.contains(&format!("\n### {op}\n")), "{op} is not in docs/instructions.md");
        cases += 1;
    }
    assert_eq!(cases, PUBLISHED.count() + OURS);
    let files = std::fs::read_dir(repository().join("testdata/ir/operations")).expect("the folder").count();
    assert_eq!(files, cases - OPERATIONS.len(), "a file without an operation");
}

#[test]
fn every_operation_is_rejected_without_its_operands() {
    for &op in Op::ALL.iter().filter(|op| !op.shape().ignored) {
        let mut module = parse(&program(op)).expect("a program");
        let place = |function: &Function| function.body.insts().iter().position(|inst| inst.op == op);
        let mut bodies =
            module.functions.iter_mut().filter_map(|function| Some((place(function)?, &mut function.body)));
        let (at, body) = bodies.next().unwrap_or_else(|| panic!("{op}"));
        let has_blocks = body.get(at).is_some_and(|inst| !inst.blocks().is_empty());
        let inst = &mut body.insts_mut()[at];
        match () {
            () if !inst.inputs.is_empty() => inst.inputs.clear(),
            () if has_blocks => {
                let without = inst.clone();
                body.replace(at, without);
            }
            () if inst.immediates.is_empty() => inst.immediates.push(7),
            () => drop(inst.immediates.remove(0)),
        }
        assert!(verify(&module).is_err(), "{op} without operands");
    }
}

fn has_compute(target: Target) -> bool {
    matches!(target, Target::Spirv | Target::Wgsl | Target::Glsl(Glsl::Core450))
}

#[test]
fn every_operation_is_lowered_for_every_target() {
    for &op in Op::ALL {
        let module = parse(&program(op)).expect("a program");
        for target in TARGETS {
            // GLSL 330 and GLSL ES 300 have no gathers.
            let lacks = matches!(op, Op::Gather | Op::GatherCompare)
                && matches!(target, Target::Glsl(Glsl::Core330 | Glsl::Es300));
            match outputs(&module, target, &Layout::default()) {
                Err(Error::Unsupported { what, .. }) if OPERATIONS.contains(&op) && !has_compute(target) => {
                    assert_eq!(what, "the compute function `cs_main`", "{target}");
                }
                Err(Error::Unsupported { what, .. }) if lacks => {
                    assert_eq!(what, format!("the operation `{op}` (`{op}`)"));
                }
                Err(error) => panic!("{op} in {target}: {error}"),
                Ok(_) => assert!(!lacks, "{op} in {target}"),
            }
        }
    }
}

#[test]
fn halves_are_rejected_by_a_target_without_them() {
    let text = program(Op::Sin).replace("= sin %1\n", "= convert %1, half\n  %100 = convert %2, float\n");
    let text = text.replace("add %2,", "add %100,");
    let module = parse(&text).expect("a program");
    assert_eq!(verify(&module), Ok(()), "{text}");
    let refused = |target| match outputs(&module, target, &Layout::default()) {
        Err(Error::Unsupported { what, .. }) => Some(what),
        _ => None,
    };
    assert_eq!(refused(Target::Glsl(Glsl::Core450)), Some("half floats (`convert`)".to_string()));
    assert_eq!(refused(Target::Spirv), None);
    assert_eq!(refused(Target::Wgsl), None);
}

//! Checks the control flow analyses of the verifier and of `flow` against random executions of random programs.

use std::collections::BTreeSet;

use crate::common::{Random, functions, input, inst, output};
use sdlbc::{
    Block, Blocks, Body, Detail, Function, FunctionKind, InputKind, Interpolation, Op, OutputKind, Rule, Type, flow,
    verify,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    End,
    Break,
    Continue,
    Return,
    Discard,
    /// Execution exceeded the step limit.
    Unfinished,
}

/// Executes a block with random branches, and collects the outputs that the block writes.
fn execute(block: Block<'_>, written: &mut BTreeSet<u32>, steps: &mut usize, random: &mut Random) -> Exit {
    for inst in block {
        *steps += 1;
        if *steps > 300 {
            return Exit::Unfinished;
        }
        let exit = match (inst.op, inst.op.shape().blocks) {
            (Op::Poke, _) => {
                written.insert(inst.immediates[0]);
                Exit::End
            }
            (Op::Break, _) => Exit::Break,
            (Op::Continue, _) => Exit::Continue,
            (Op::Return, _) => Exit::Return,
            (Op::Discard, _) => Exit::Discard,
            (_, Blocks::None) => Exit::End,
            (_, Blocks::Loop) => loop {
                match execute(inst.blocks().first().expect("its body"), written, steps, random) {
                    Exit::End | Exit::Continue => *steps += 1,
                    Exit::Break => break Exit::End,
                    exit => break exit,
                }
                if *steps > 300 {
                    break Exit::Unfinished;
                }
            },
            (_, blocks) => {
                let taken = inst.blocks().get(random.below(inst.blocks().len())).expect("one of them");
                match execute(taken, written, steps, random) {
                    Exit::Break if blocks == Blocks::Switch => Exit::End,
                    exit => exit,
                }
            }
        };
        if exit != Exit::End {
            return exit;
        }
    }
    Exit::End
}

/// Creates a random block of control flow and POKEs, with jumps only at its end.
fn block(random: &mut Random, depth: usize, breaks: bool, continues: bool) -> Body {
    let mut block = Body::default();
    for _ in 0..random.below(4) {
        let op =
            [Op::Poke, Op::Poke, Op::If, Op::If, Op::Loop, Op::Switch][random.below(if depth == 0 { 2 } else { 6 })];
        let mut inside = |breaks, continues| self::block(random, depth.saturating_sub(1), breaks, continues);
        block.append(match op {
            Op::If => inst(op, 0, &[1], &[]).with_blocks([inside(breaks, continues), inside(breaks, continues)]),
            Op::Loop => inst(op, 0, &[], &[]).with_blocks([inside(true, true)]),
            Op::Switch => {
                let blocks = [inside(true, continues), inside(true, continues), inside(true, continues)];
                inst(op, 0, &[2], &[1, 2]).with_blocks(blocks)
            }
            _ => inst(op, 0, &[3], &[random.below(3) as u32]).into(),
        });
    }
    let jump = match random.below(9) {
        0 | 1 if breaks => inst(Op::Break, 0, &[], &[]),
        2 if continues => inst(Op::Continue, 0, &[], &[]),
        3 => inst(Op::Return, 0, &[0], &[]),
        4 => inst(Op::Discard, 0, &[], &[]),
        _ => return block,
    };
    block.push(jump);
    block
}

fn program(body: Body) -> Function {
    let varying = |location| InputKind::Varying { location, interpolation: Interpolation::Flat };
    Function {
        kind: FunctionKind::Fragment,
        name: "main".to_string(),
        inputs: vec![
            input(1, "c", Type::BOOL, InputKind::Builtin(sdlbc::Builtin::FrontFacing)),
            input(2, "i", Type::INT, varying(0)),
            input(3, "v", Type::FLOAT4, varying(1)),
        ],
        outputs: (0..3).map(|target| output("", Type::FLOAT4, OutputKind::Colour { target })).collect(),
        workgroup: None,
        body,
    }
}

#[test]
fn exactly_the_outputs_that_some_path_leaves_unwritten_are_reported() {
    let mut random = Random(0x3a9);
    let (mut reported, mut valid) = (0, 0);
    for round in 0..1500 {
        let module = functions(vec![program(block(&mut random, 3, false, false))]);
        let body = module.functions[0].body.block();
        let violations = verify(&module).err().unwrap_or_default();
        let expected = [Rule::Written, Rule::LoopExit];
        assert!(violations.iter().all(|violation| expected.contains(&violation.rule)), "{violations:?}");
        if violations.iter().any(|violation| violation.rule == Rule::LoopExit) {
            continue;
        }
        let unwritten = violations.iter().map(|violation| match violation.detail {
            Detail::Output { index, .. } => index as u32,
            ref other => panic!("{other:?}"),
        });
        let unwritten = unwritten.collect::<BTreeSet<_>>();
        assert_eq!(unwritten.len(), violations.len(), "each output is reported once");
        let (mut seen, mut ends) = (BTreeSet::new(), false);
        for _ in 0..400 {
            let mut written = BTreeSet::new();
            let exit = execute(body, &mut written, &mut 0, &mut random);
            assert!(!matches!(exit, Exit::Break | Exit::Continue));
            if matches!(exit, Exit::End | Exit::Return) {
                seen.extend((0..3).filter(|index| !written.contains(index)));
            }
            ends |= exit == Exit::End;
        }
        assert!(!ends || flow::falls_through(body), "round {round}: {body:#?}");
        assert_eq!(seen, unwritten, "round {round}: {}", sdlbc::print(&module));
        reported += unwritten.len();
        valid += usize::from(unwritten.is_empty());
    }
    assert!(reported > 1000 && valid > 100, "{reported} unwritten outputs, {valid} programs without any");
}

#[test]
fn a_function_that_returns_a_value_must_not_reach_its_end() {
    let mut random = Random(0x41);
    let mut ends = 0;
    for _ in 0..2000 {
        let mut function = program(block(&mut random, 3, false, false));
        function.kind = FunctionKind::Generic;
        function.outputs.clear();
        let falls = flow::falls_through(function.body.block());
        ends += usize::from(falls);
        function.outputs.push(output("", Type::FLOAT, OutputKind::Returned));
        let violations = verify(&functions(vec![function])).err().unwrap_or_default();
        let at_end =
            violations.iter().any(|violation| violation.rule == Rule::Returned && violation.instruction.is_none());
        assert_eq!(at_end, falls);
    }
    assert!((500..1500).contains(&ends), "{ends}");
}

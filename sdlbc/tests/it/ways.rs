//! The ways that control takes, as the verifier and `flow` tell them, against programs that are walked at random.

use crate::common;

use std::collections::BTreeSet;

use common::{Random, functions, input, inst, output};
use sdlbc::{
    Block, Blocks, Detail, Function, FunctionKind, InputKind, Inst, Interpolation, Op, OutputKind, Rule, Type, flow,
    verify,
};

/// How a walk leaves a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    End,
    Break,
    Continue,
    Return,
    Discard,
    /// It went on too long.
    Lost,
}

/// Runs a block with decisions at random, and notes what is written.
fn walk(block: &Block, written: &mut BTreeSet<u32>, steps: &mut usize, random: &mut Random) -> Left {
    for inst in block {
        *steps += 1;
        if *steps > 300 {
            return Left::Lost;
        }
        let left = match (inst.op, inst.op.shape().blocks) {
            (Op::Poke, _) => {
                written.insert(inst.immediates[0]);
                Left::End
            }
            (Op::Break, _) => Left::Break,
            (Op::Continue, _) => Left::Continue,
            (Op::Return, _) => Left::Return,
            (Op::Discard, _) => Left::Discard,
            (_, Blocks::None) => Left::End,
            (_, Blocks::Loop) => loop {
                match walk(&inst.blocks[0], written, steps, random) {
                    Left::End | Left::Continue => *steps += 1,
                    Left::Break => break Left::End,
                    left => break left,
                }
                if *steps > 300 {
                    break Left::Lost;
                }
            },
            (_, blocks) => {
                let taken = &inst.blocks[random.below(inst.blocks.len())];
                match walk(taken, written, steps, random) {
                    Left::Break if blocks == Blocks::Switch => Left::End,
                    left => left,
                }
            }
        };
        if left != Left::End {
            return left;
        }
    }
    Left::End
}

/// A block of control and pokes, with jumps only at its end.
fn block(random: &mut Random, depth: usize, breaks: bool, continues: bool) -> Block {
    let mut block = Block::new();
    for _ in 0..random.below(4) {
        let op =
            [Op::Poke, Op::Poke, Op::If, Op::If, Op::Loop, Op::Switch][random.below(if depth == 0 { 2 } else { 6 })];
        let mut inside = |breaks, continues| self::block(random, depth.saturating_sub(1), breaks, continues);
        block.push(match op {
            Op::If => inst(op, 0, &[1], &[]).with_blocks([inside(breaks, continues), inside(breaks, continues)]),
            Op::Loop => inst(op, 0, &[], &[]).with_blocks([inside(true, true)]),
            Op::Switch => {
                let blocks = [inside(true, continues), inside(true, continues), inside(true, continues)];
                inst(op, 0, &[2], &[1, 2]).with_blocks(blocks)
            }
            _ => inst(op, 0, &[3], &[random.below(3) as u32]),
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

/// A fragment function of three outputs.
fn program(body: Vec<Inst>) -> Function {
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
        body,
    }
}

#[test]
fn what_a_walk_leaves_unwritten_is_told_and_nothing_else() {
    let mut random = Random(0x3a9);
    let (mut told, mut right) = (0, 0);
    for round in 0..1500 {
        let module = functions(vec![program(block(&mut random, 3, false, false))]);
        let body = &module.functions[0].body;
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
        assert_eq!(unwritten.len(), violations.len(), "each output is told once");
        let (mut seen, mut ends) = (BTreeSet::new(), false);
        for _ in 0..400 {
            let mut written = BTreeSet::new();
            let left = walk(body, &mut written, &mut 0, &mut random);
            assert!(!matches!(left, Left::Break | Left::Continue));
            if matches!(left, Left::End | Left::Return) {
                seen.extend((0..3).filter(|index| !written.contains(index)));
            }
            ends |= left == Left::End;
        }
        assert!(!ends || flow::falls_through(body), "round {round}: {body:#?}");
        assert_eq!(seen, unwritten, "round {round}: {}", sdlbc::print(&module));
        told += unwritten.len();
        right += usize::from(unwritten.is_empty());
    }
    assert!(told > 1000 && right > 100, "{told} told, {right} right");
}

#[test]
fn a_function_that_returns_a_value_must_not_come_to_its_end() {
    let mut random = Random(0x41);
    let mut ends = 0;
    for _ in 0..2000 {
        let mut function = program(block(&mut random, 3, false, false));
        function.kind = FunctionKind::Generic;
        function.outputs.clear();
        let falls = flow::falls_through(&function.body);
        ends += usize::from(falls);
        function.outputs.push(output("", Type::FLOAT, OutputKind::Returned));
        let told = verify(&functions(vec![function])).err().unwrap_or_default();
        let at_end = told.iter().any(|told| told.rule == Rule::Returned && told.instruction.is_none());
        assert_eq!(at_end, falls);
    }
    assert!((500..1500).contains(&ends), "{ends}");
}

use super::*;
use crate::{Id, Op};

fn inst(op: Op, id: u32) -> Inst {
    Inst::new(op, Id(id), &[], &[])
}

fn ids(block: Block<'_>) -> Vec<u32> {
    block.iter().map(|inst| inst.output.0).collect()
}

fn choice() -> Body {
    let inner = inst(Op::Loop, 3).with_blocks([code![inst(Op::Nop, 4)]]);
    code![
        inst(Op::Nop, 1),
        inst(Op::Switch, 2).with_blocks([code![inner, inst(Op::Nop, 5)], code![], code![inst(Op::Nop, 6)]]),
        inst(Op::Nop, 7),
    ]
}

#[test]
fn a_block_steps_over_the_blocks_of_its_instructions_and_code_goes_through_them() {
    let body = choice();
    assert_eq!(body.insts().iter().map(|inst| inst.output.0).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(ids(body.block()), [1, 2, 7]);
    let switch = body.block().iter().nth(1).expect("the switch");
    assert_eq!(switch.blocks().map(ids).collect::<Vec<_>>(), [vec![3, 5], vec![], vec![6]]);
    assert_eq!(switch.blocks().rev().map(ids).collect::<Vec<_>>(), [vec![6], vec![], vec![3, 5]]);
    assert_eq!([0, 2, 3].map(|index| switch.blocks().get(index).map(ids)), [Some(vec![3, 5]), Some(vec![6]), None]);
    let mut rest = switch.blocks();
    rest.next();
    assert_eq!([0, 1, 2].map(|index| rest.get(index).map(ids)), [Some(vec![]), Some(vec![6]), None]);
    assert_eq!(ids(switch.following()), [7]);
    assert_eq!(body.block().depth(), 2);
    assert_eq!(code![inst(Op::If, 0).with_blocks([code![], code![]])].block().depth(), 1);
}

#[test]
fn an_instruction_that_is_pushed_has_no_blocks() {
    let body = choice();
    let mut other = Body::default();
    other.push(body.insts()[1].clone());
    assert!(other.block().first().is_some_and(|inst| inst.blocks().is_empty()));
    assert_eq!(Body::from_iter(body.insts().to_vec()).block().iter().count(), 7);
}

#[test]
fn code_that_is_written_anew_keeps_its_blocks() {
    let mut body = choice();
    body.rewrite(|inst, new| {
        if inst.output.0 % 2 == 0 {
            let id = Id(inst.output.0 * 10);
            new.push(Inst { output: id, ..inst.clone() });
            new.push(inst);
        }
    });
    let switch = body.block().first().expect("the switch");
    assert_eq!(switch.blocks().map(ids).collect::<Vec<_>>(), [vec![3], vec![], vec![60, 6]]);
    let inner = switch.blocks().first().and_then(Block::first).expect("the loop");
    assert_eq!(inner.blocks().map(ids).collect::<Vec<_>>(), [[40, 4]]);
    assert!(switch.following().is_empty());
    let mut same = choice();
    same.rewrite(|inst, new| new.push(inst));
    assert!(same == choice());
}

#[test]
fn blocks_end_where_their_remaining_instructions_do() {
    let mut body = choice();
    body.keep(&[false, true, true, false, true, false, true]);
    let outer: Vec<_> = body.block().iter().map(|inst| inst.blocks().map(ids).collect::<Vec<_>>()).collect();
    assert_eq!(outer, [vec![vec![3, 5], vec![], vec![]], vec![]]);
    body.keep(&[true, false, true, true]);
    assert_eq!(
        body.block().first().expect("the switch").blocks().map(ids).collect::<Vec<_>>(),
        [vec![5], vec![], vec![]]
    );
}

#[test]
fn an_instruction_is_replaced_with_its_blocks_in_its_own_block() {
    let (first, second) = (inst(Op::Nop, 10), inst(Op::If, 11).with_blocks([code![inst(Op::Nop, 12)], code![]]));
    let replaced = |at: usize, code: Body| {
        let mut body = choice();
        body.replace(at, code);
        let blocks = |inst: InstRef<'_>| inst.blocks().map(ids).collect::<Vec<_>>();
        (ids(body.block()), body.block().iter().map(blocks).find(|blocks| !blocks.is_empty()))
    };
    let switch = |blocks: [&[u32]; 3]| Some(blocks.map(<[u32]>::to_vec).to_vec());
    let both = || code![first.clone(), second.clone()];
    assert_eq!(replaced(2, both()), (vec![1, 2, 7], switch([&[10, 11, 5], &[], &[6]])));
    assert_eq!(replaced(2, code![]), (vec![1, 2, 7], switch([&[5], &[], &[6]])));
    assert_eq!(replaced(4, code![]), (vec![1, 2, 7], switch([&[3], &[], &[6]])));
    assert_eq!(replaced(5, both()), (vec![1, 2, 7], switch([&[3, 5], &[], &[10, 11]])));
    assert_eq!(replaced(1, code![]), (vec![1, 7], None));
    assert_eq!(replaced(7, both()), (vec![1, 2, 7], switch([&[3, 5], &[], &[6]])));
    let mut body = choice();
    body.replace(3, second.clone());
    let inner = body.get(3).expect("the if");
    assert_eq!((inner.output, inner.blocks().len(), ids(inner.following())), (Id(11), 2, vec![]));
}

#[test]
fn an_instruction_is_found_in_its_block() {
    let body = choice();
    let following = |at| body.get(at).map(|inst| (inst.output.0, inst.inner().len(), ids(inst.following())));
    assert_eq!(following(0), Some((1, 0, vec![2, 7])));
    assert_eq!(following(1), Some((2, 4, vec![7])));
    assert_eq!(following(2), Some((3, 1, vec![5])));
    assert_eq!(following(3), Some((4, 0, vec![])));
    assert_eq!(following(4), Some((5, 0, vec![])));
    assert_eq!(following(6), Some((7, 0, vec![])));
    assert_eq!(following(7), None);
}

#[test]
fn instructions_are_added_to_the_block_of_the_one_that_they_are_before() {
    let mut body = choice();
    body.insert_all([0, 3, 5, 6, 7].map(|at| (at, inst(Op::Nop, 10 + u32::try_from(at).unwrap_or(0)))));
    assert_eq!(ids(body.block()), [10, 1, 2, 16, 7, 17]);
    let switch = body.block().iter().nth(2).expect("the switch");
    assert_eq!(switch.blocks().map(ids).collect::<Vec<_>>(), [vec![3, 5], vec![], vec![15, 6]]);
    let inner = switch.blocks().first().and_then(Block::first).expect("the loop");
    assert_eq!(inner.blocks().map(ids).collect::<Vec<_>>(), [[13, 4]]);
}

#[test]
fn parts_of_code_can_be_taken_out_and_put_together() {
    let body = choice();
    let again = body.block().iter().fold(Body::default(), |mut again, inst| {
        again.append(inst.alone());
        again
    });
    assert!(again == body);
}

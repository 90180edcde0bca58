//! Checks that generated programs terminate whatever the values of their conditions are, so that interpreters can run them.

use std::collections::HashMap;

use laws::from_seed;
use sdlbc::{Block, Id, Module, Op};
use testing::Random;

/// The maximum number of instructions that a run executes.
const MOST_STEPS: usize = 200_000;

/// Runs the control flow of a program. Loop counters are known ints, and all other values are unknown.
struct Machine<'a> {
    module: &'a Module,
    random: Random,
    steps: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    End,
    By(Op),
}

type Values = HashMap<Id, Option<u32>>;

impl Machine<'_> {
    fn function(&mut self, index: usize) -> Left {
        self.block(self.module.functions[index].body.block(), &mut Values::new())
    }

    fn block(&mut self, block: Block<'_>, values: &mut Values) -> Left {
        let mut arm = 0;
        for inst in block {
            self.steps += 1;
            assert!(self.steps <= MOST_STEPS, "it does not terminate");
            let operands: Vec<_> = inst.inputs.iter().map(|id| values.get(id).copied().flatten()).collect();
            let known = |at: usize| operands.get(at).copied().flatten();
            let left = match inst.op {
                Op::If => {
                    arm = usize::from(known(0).map_or(self.random.below(2) == 1, |condition| condition == 0));
                    self.block(inst.blocks().get(arm).expect("its arm"), values)
                }
                Op::Switch => {
                    let any = self.random.below(inst.blocks().len());
                    let case = |value| inst.immediates.iter().position(|&case| case == value);
                    let at = known(0).map_or(any, |value| case(value).unwrap_or(inst.immediates.len()));
                    match self.block(inst.blocks().get(at).expect("its block"), values) {
                        Left::By(Op::Break) => Left::End,
                        left => left,
                    }
                }
                Op::Loop => self.repeat(inst.blocks().first().expect("its body"), values),
                Op::Call => match self.function(inst.immediates[0] as usize) {
                    Left::By(Op::Discard) => Left::By(Op::Discard),
                    _ => Left::End,
                },
                op if op.is_jump() => Left::By(op),
                _ => Left::End,
            };
            if left != Left::End {
                return left;
            }
            // A PHI at the head of a loop already has a value.
            if inst.op != Op::Phi || !values.contains_key(&inst.output) {
                let value = match inst.op {
                    Op::LiteralInt | Op::LiteralUint | Op::LiteralBool => Some(inst.immediates[0]),
                    Op::Add => known(0).zip(known(1)).map(|(a, b)| a.wrapping_add(b)),
                    // Only small numbers are compared, because a large word may be a negative int.
                    Op::LessThan => small(known(0)).zip(small(known(1))).map(|(a, b)| u32::from(a < b)),
                    Op::GreaterThanOrEqual => small(known(0)).zip(small(known(1))).map(|(a, b)| u32::from(a >= b)),
                    Op::Phi => known(arm),
                    _ => None,
                };
                values.insert(inst.output, value);
            }
        }
        Left::End
    }

    fn repeat(&mut self, body: Block<'_>, values: &mut Values) -> Left {
        let mut turn = 0;
        loop {
            let heads = body.iter().take_while(|inst| inst.op == Op::Phi);
            let next: Vec<_> =
                heads.map(|phi| (phi.output, values.get(&phi.inputs[turn]).copied().flatten())).collect();
            // Each iteration of a loop defines the values of the loop's body again.
            for inst in body.all() {
                values.remove(&inst.output);
            }
            values.extend(next);
            match self.block(body, values) {
                Left::End | Left::By(Op::Continue) => turn = 1,
                Left::By(Op::Break) => return Left::End,
                left => return left,
            }
        }
    }
}

fn small(value: Option<u32>) -> Option<u32> {
    value.filter(|&value| value < 1 << 31)
}

#[test]
fn programs_terminate_whatever_their_conditions_are() {
    let mut most = 0;
    for seed in 0..600 {
        let module = from_seed(seed);
        for index in 0..module.functions.len() {
            for run in 0..3 {
                let mut machine = Machine { module: &module, random: Random(seed << 8 | run), steps: 0 };
                machine.function(index);
                most = most.max(machine.steps);
            }
        }
    }
    println!("the longest run has {most} instructions");
    assert!(most > 200, "no loop runs");
}

//! Compiles each side of a row to a list of steps for a machine. Each step writes its results to one slot.
//!
//! Rule: the type of a term is determined before the term is compiled, so the compilation rejects rows with mismatched types.

use sdlbc::{Op, Scalar};
use sdlbc_passes::table::{Pattern, Term, Var};

use crate::machine::{Choice, Code, Machine};

/// The maximum number of slots: one for each variable and each term.
const SLOTS: usize = 32;

/// The number of cases in a batch; each step is interpreted once per batch.
pub(crate) const LANES: usize = 64;

/// The bits of the value in each slot, for each case of a batch.
pub(crate) type Slots = [[u32; LANES]; SLOTS];

pub(crate) const fn slots() -> Slots {
    [[0; LANES]; SLOTS]
}

/// Returns `Float` for a half, because proofs treat halves as floats of a different size. Returns any other component type
/// unchanged.
pub(crate) fn kind(scalar: Scalar) -> Scalar {
    if scalar == Scalar::Half { Scalar::Float } else { scalar }
}

pub(crate) fn scalar_of(pattern: &Pattern, row: Scalar) -> Scalar {
    match pattern {
        Pattern::Leaf(Term::Var(var)) if var.is_truth() => Scalar::Bool,
        Pattern::Leaf(Term::Truth(_)) => Scalar::Bool,
        Pattern::Leaf(_) => row,
        Pattern::Op(Op::Convert, to, _) => kind(to.unwrap_or(row)),
        Pattern::Op(op, _, operands) => {
            let scalars: Vec<Scalar> = operands.iter().map(|operand| scalar_of(operand, row)).collect();
            let (first, values) = (scalars[0], if *op == Op::Select { &scalars[1..] } else { &scalars[..] });
            assert!(values.iter().all(|scalar| *scalar == values[0]), "{op} of {scalars:?}");
            assert!(*op != Op::Select || first == Scalar::Bool, "a choice by {first:?}");
            match op {
                Op::Select => values[0],
                _ if is_comparison(*op) => Scalar::Bool,
                _ => first,
            }
        }
    }
}

pub(crate) fn is_comparison(op: Op) -> bool {
    use Op::*;
    matches!(op, LessThan | GreaterThan | LessThanOrEqual | GreaterThanOrEqual | Equal | NotEqual)
}

/// Returns the number of choices that a pattern's operations leave to a machine. If `fuse` is true, the machine may also choose
/// whether to fuse a product into a sum.
pub(crate) fn choices(pattern: &Pattern, fuse: bool) -> usize {
    let Pattern::Op(op, _, operands) = pattern else { return 0 };
    let own = match op {
        Op::Min | Op::Max | Op::Mad => 1,
        Op::Clamp => 2,
        Op::Add if fuse => usize::from(product(operands).is_some()),
        _ => 0,
    };
    own + operands.iter().map(|operand| choices(operand, fuse)).sum::<usize>()
}

/// Returns the factors of a product that is an operand of a sum, and the other operand of the sum.
pub(crate) fn product(operands: &[Pattern]) -> Option<[&Pattern; 3]> {
    match operands {
        [Pattern::Op(Op::Multiply, _, factors), other] | [other, Pattern::Op(Op::Multiply, _, factors)] => {
            Some([&factors[0], &factors[1], other])
        }
        _ => None,
    }
}

struct Step {
    code: Code,
    inputs: [usize; 3],
    is_float: bool,
}

pub(crate) struct Program {
    constants: Vec<(usize, u32)>,
    steps: Vec<Step>,
    first: usize,
    result: usize,
    pub(crate) scalar: Scalar,
}

/// Compiles a term; `choose` is called for each operation for which the machine has a choice.
pub(crate) fn compile<M: Machine>(
    machine: &M,
    pattern: &Pattern,
    row: Scalar,
    fuse: bool,
    choose: &mut dyn FnMut() -> Choice,
) -> Program {
    let mut leaves = Vec::new();
    leaves_of(pattern, &mut leaves);
    let first = Var::ALL.len() + leaves.len();
    let scalar = scalar_of(pattern, row);
    let mut program = Program { constants: Vec::new(), steps: Vec::new(), first, result: 0, scalar };
    program.result = program.add(machine, pattern, row, fuse, choose);
    assert!(program.first + program.steps.len() <= SLOTS);
    program
}

fn leaves_of(pattern: &Pattern, into: &mut Vec<Term>) {
    match pattern {
        Pattern::Leaf(term) => into.push(*term),
        Pattern::Op(_, _, operands) => operands.iter().for_each(|operand| leaves_of(operand, into)),
    }
}

impl Program {
    fn constant(&mut self, bits: u32) -> usize {
        let slot = Var::ALL.len() + self.constants.len();
        self.constants.push((slot, bits));
        slot
    }

    fn step(&mut self, code: Code, inputs: [usize; 3], is_float: bool) -> usize {
        self.steps.push(Step { code, inputs, is_float });
        self.first + self.steps.len() - 1
    }

    fn add<M: Machine>(
        &mut self,
        machine: &M,
        pattern: &Pattern,
        row: Scalar,
        fuse: bool,
        choose: &mut dyn FnMut() -> Choice,
    ) -> usize {
        let (op, operands) = match pattern {
            Pattern::Leaf(Term::Var(var)) => return var.index(),
            Pattern::Leaf(Term::Number(number)) => return self.constant(machine.number(*number, row)),
            Pattern::Leaf(Term::Truth(truth)) => return self.constant((*truth).into()),
            Pattern::Leaf(_) => panic!("a leaf is a variable or a constant"),
            Pattern::Op(op, _, operands) => (*op, operands),
        };
        let to = scalar_of(pattern, row);
        let fused = product(operands).filter(|_| op == Op::Add && fuse);
        let choice = if fused.is_some() { choose() } else { Choice::either(false) };
        if let Some(of) = fused.filter(|_| choice.fused) {
            let inputs = of.map(|operand| self.add(machine, operand, row, fuse, choose));
            return self.step(machine.code(Op::Mad, to, to, choice), inputs, true);
        }
        let slots: Vec<usize> = operands.iter().map(|operand| self.add(machine, operand, row, fuse, choose)).collect();
        let inputs = [0, 1, 2].map(|at| slots.get(at).copied().unwrap_or(slots[0]));
        let scalar = scalar_of(&operands[usize::from(op == Op::Select)], row);
        let is_float = to == Scalar::Float;
        if op == Op::Clamp {
            let max = self.step(machine.code(Op::Max, scalar, to, choose()), inputs, is_float);
            return self.step(machine.code(Op::Min, scalar, to, choose()), [max, inputs[2], max], is_float);
        }
        let has_choice = matches!(op, Op::Min | Op::Max | Op::Mad);
        let choice = if has_choice { choose() } else { Choice::either(false) };
        self.step(machine.code(op, scalar, to, choice), inputs, is_float)
    }

    /// Returns the program's results for the variable values in the first slots.
    pub(crate) fn run(&self, slots: &mut Slots) -> [u32; LANES] {
        self.constants.iter().for_each(|&(slot, bits)| slots[slot] = [bits; LANES]);
        for (at, step) in self.steps.iter().enumerate() {
            // A step reads only slots before the slot that it writes.
            let (before, own) = slots.split_at_mut(self.first + at);
            let [a, b, c] = step.inputs.map(|input| &before[input]);
            let own = &mut own[0];
            match &step.code {
                Code::Unary(table) => {
                    own.iter_mut().zip(a).for_each(|(own, a)| *own = table[(a & 255) as usize].into())
                }
                Code::Binary(table) => {
                    let pairs = a.iter().zip(b).map(|(a, b)| ((a & 255) << 8 | b & 255) as usize);
                    own.iter_mut().zip(pairs).for_each(|(own, pair)| *own = table[pair].into());
                }
                Code::Call(f) => f([a, b, c], own),
            }
        }
        slots[self.result]
    }

    pub(crate) fn was_finite<M: Machine>(&self, machine: &M, slots: &Slots, lane: usize) -> bool {
        let floats = self.steps.iter().enumerate().filter(|(_, step)| step.is_float);
        floats.into_iter().all(|(at, _)| machine.float(slots[self.first + at][lane]).is_finite())
    }
}

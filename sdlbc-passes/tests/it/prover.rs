//! Compares both sides of a row for combinations of 8-bit values, or for random binary32 values.
//!
//! Rule: the meaning of "the sides agree" is defined here for values, and in `smt.rs` for the solver:
//!
//! - Values that the conditions exclude are not tried. Under `finite`, values for which a result of the pattern is infinite or
//!   NaN are not tried either.
//! - A row that keeps bits has the same result on both sides if both sides make the same machine choice.
//! - For a row that keeps only a permitted result, both sides have the same result in the reference arithmetic. Any result that
//!   the replacement can have is also a possible result of the pattern.
//! - Two NaNs count as the same result, and so do two zeroes under `no-signed-zero`.

use std::cmp::Ordering;

use sdlbc::{Op, Scalar};
use sdlbc_passes::table::{Assume, Condition, Keeps, Pattern, Row, Var};
use testing::Random;

use crate::machine::{Choice, Machine};
use crate::program::{LANES, Program, Slots, choices, compile, kind, slots};

/// Programs for both sides: each result of a right-hand program must also be a result of a left-hand program.
struct Obligation {
    left: Vec<Program>,
    right: Vec<Program>,
}

/// The obligations for one operand order of a row's pattern.
struct Claim<'a, M> {
    machine: &'a M,
    row: &'a Row,
    scalar: Scalar,
    obligations: Vec<Obligation>,
    vars: Vec<Var>,
    places: Vec<usize>,
    /// Whether a condition relates two variables.
    is_ordered: bool,
}

/// Returns the component types for which a row is proved. Floats and halves count as one type.
pub(crate) fn kinds(row: &Row) -> Vec<Scalar> {
    let mut kinds: Vec<Scalar> = row.scalars.iter().map(|&scalar| kind(scalar)).collect();
    kinds.dedup();
    kinds
}

/// Returns the variables of a row's pattern, and asserts that the row uses no other variables.
pub(crate) fn vars(row: &Row) -> Vec<Var> {
    let vars: Vec<Var> = Var::ALL.into_iter().filter(|&var| row.pattern.has(var)).collect();
    let others = Var::ALL.into_iter().filter(|&var| row.replacement.has(var));
    others.chain(row.conditions.iter().flat_map(|condition| condition.vars())).for_each(|var| {
        assert!(vars.contains(&var), "{}: the pattern has no {}", row.name, var.name());
    });
    vars
}

fn has_extreme(pattern: &Pattern) -> bool {
    let Pattern::Op(op, _, operands) = pattern else { return false };
    matches!(op, Op::Min | Op::Max | Op::Clamp) || operands.iter().any(has_extreme)
}

impl<'a, M: Machine> Claim<'a, M> {
    fn of(machine: &'a M, row: &'a Row, scalar: Scalar, pattern: &Pattern) -> Claim<'a, M> {
        let replacement = Pattern::of(&row.replacement);
        let fuse = row.needs.has(Assume::FUSE);
        let same = |choice: Choice| {
            let one = |side: &Pattern| compile(machine, side, scalar, false, &mut || choice);
            Obligation { left: vec![one(pattern)], right: vec![one(&replacement)] }
        };
        let every = |side: &Pattern| -> Vec<Program> {
            let sets = 0..1u32 << choices(side, fuse);
            sets.map(|set| {
                let mut at = 0;
                compile(machine, side, scalar, fuse, &mut || {
                    at += 1;
                    Choice::either(set >> (at - 1) & 1 != 0)
                })
            })
            .collect()
        };
        let has_choice = choices(pattern, false) + choices(&replacement, false) > 0;
        let obligations = match row.keeps {
            _ if !has_choice || scalar != Scalar::Float => vec![same(Choice::of_reference()[0])],
            Keeps::Bits => {
                Choice::all(has_extreme(pattern) || has_extreme(&replacement)).into_iter().map(same).collect()
            }
            Keeps::Permitted => {
                let refined = Obligation { left: every(pattern), right: every(&replacement) };
                Choice::of_reference().into_iter().map(same).chain([refined]).collect()
            }
        };
        let sides = obligations.iter().map(|obligation| (&obligation.left[0], &obligation.right[0]));
        sides.for_each(|(left, right)| assert_eq!(left.scalar, right.scalar, "{}: the types differ", row.name));
        let vars = vars(row);
        let places = vars.iter().map(|var| var.index()).collect();
        let of_two = |of: &Condition| matches!(of, Condition::Ascending(..) | Condition::Below(..));
        Claim { machine, row, scalar, obligations, vars, places, is_ordered: row.conditions.iter().any(of_two) }
    }

    fn scalar_of(&self, var: Var) -> Scalar {
        if var.is_truth() { Scalar::Bool } else { self.scalar }
    }

    fn allows(&self, var: Var, bits: u32) -> bool {
        let scalar = self.scalar_of(var);
        let finite =
            !self.row.needs.has(Assume::FINITE) || scalar != Scalar::Float || self.machine.float(bits).is_finite();
        let conditions = self.row.conditions.iter().filter(|condition| condition.vars().any(|of| of == var));
        finite && conditions.into_iter().all(|&condition| self.machine.holds(condition, scalar, bits))
    }

    /// Reports whether the conditions on two variables allow the values of a case.
    fn allows_all(&self, slots: &Slots, lane: usize) -> bool {
        if !self.is_ordered {
            return true;
        }
        let order = |a: Var, b: Var| self.machine.order(self.scalar, slots[a.index()][lane], slots[b.index()][lane]);
        self.row.conditions.iter().all(|&condition| match condition {
            Condition::Ascending(a, b) => order(a, b).is_some_and(Ordering::is_le),
            Condition::Below(a, b) => order(a, b).is_some_and(Ordering::is_lt),
            _ => true,
        })
    }

    fn is_same(&self, scalar: Scalar, left: u32, right: u32) -> bool {
        if left == right || scalar != Scalar::Float {
            return left == right;
        }
        let (left, right) = (self.machine.float(left), self.machine.float(right));
        left.is_nan() && right.is_nan() || self.row.needs.has(Assume::NO_SIGNED_ZERO) && left == 0.0 && right == 0.0
    }

    /// Returns whether the sides agree in each case; `None` if the assumptions exclude the case.
    fn agrees(&self, slots: &mut Slots) -> [Option<bool>; LANES] {
        let finite = self.row.needs.has(Assume::FINITE);
        let mut agrees = [Some(true); LANES];
        for Obligation { left, right } in &self.obligations {
            for program in right {
                let wanted = program.run(slots);
                let mut found = [false; LANES];
                for program in left {
                    let result = program.run(slots);
                    for (lane, (agrees, found)) in agrees.iter_mut().zip(&mut found).enumerate() {
                        match *agrees == Some(true) && !*found {
                            true if finite && !program.was_finite(self.machine, slots, lane) => *agrees = None,
                            true => *found = self.is_same(program.scalar, result[lane], wanted[lane]),
                            false => {}
                        }
                    }
                    if (0..LANES).all(|lane| found[lane] || agrees[lane] != Some(true)) {
                        break;
                    }
                }
                let lost = agrees.iter_mut().zip(found).filter(|(agrees, found)| **agrees == Some(true) && !found);
                lost.for_each(|(agrees, _)| *agrees = Some(false));
            }
        }
        agrees
    }

    fn counterexample(&self, pattern: &Pattern, slots: &Slots, lane: usize) -> String {
        let values = self.vars.iter().map(|&var| {
            let bits = slots[var.index()][lane];
            match self.scalar_of(var) {
                Scalar::Float => format!("{} = {:?}", var.name(), self.machine.float(bits)),
                scalar => format!("{} = {}", var.name(), self.machine.int(bits, scalar)),
            }
        });
        format!("{}: {} with {} as {pattern:?}", self.row.name, self.row, values.collect::<Vec<_>>().join(", "))
    }
}

struct Batch<'a, M> {
    claim: Claim<'a, M>,
    pattern: &'a Pattern,
    slots: Slots,
    filled: usize,
}

impl<'a, M: Machine> Batch<'a, M> {
    fn of(machine: &'a M, row: &'a Row, scalar: Scalar, pattern: &'a Pattern) -> Batch<'a, M> {
        Batch { claim: Claim::of(machine, row, scalar, pattern), pattern, slots: slots(), filled: 0 }
    }

    /// Adds a case with one value for each variable, if the conditions allow the case.
    fn add(&mut self, values: impl Iterator<Item = u32>, tried: &mut Tried) -> Result<(), String> {
        for (bits, &place) in values.zip(&self.claim.places) {
            self.slots[place][self.filled] = bits;
        }
        tried.cases += 1;
        self.filled += usize::from(self.claim.allows_all(&self.slots, self.filled));
        if self.filled == LANES { self.finish(tried) } else { Ok(()) }
    }

    fn finish(&mut self, tried: &mut Tried) -> Result<(), String> {
        let agrees = if self.filled > 0 { self.claim.agrees(&mut self.slots) } else { [None; LANES] };
        for (lane, agrees) in agrees.into_iter().enumerate().take(self.filled) {
            match agrees {
                Some(false) => return Err(self.claim.counterexample(self.pattern, &self.slots, lane)),
                Some(true) => tried.allowed += 1,
                None => {}
            }
        }
        self.filled = 0;
        Ok(())
    }
}

/// The number of cases that were tried, and the number of these cases that the conditions and assumptions allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tried {
    pub(crate) cases: u64,
    pub(crate) allowed: u64,
}

/// Tries every `stride`th combination of the variables' values, for each component type and operand order.
///
/// # Errors
/// Returns a counterexample.
pub(crate) fn exhaustive<M: Machine>(
    machine: &M,
    values: fn(Scalar) -> Vec<u32>,
    row: &Row,
    stride: impl Fn(u64) -> u64,
) -> Result<Tried, String> {
    let mut tried = Tried::default();
    for scalar in kinds(row) {
        for pattern in row.patterns() {
            let mut batch = Batch::of(machine, row, scalar, &pattern);
            let claim = &batch.claim;
            let allowed = |&var: &Var| {
                let values = values(claim.scalar_of(var));
                values.into_iter().filter(|&bits| claim.allows(var, bits)).collect()
            };
            let lists: Vec<Vec<u32>> = claim.vars.iter().map(allowed).collect();
            let total: u64 = lists.iter().map(|list| list.len() as u64).product();
            let step = stride(total).max(1);
            let mut places = vec![0; lists.len()];
            for _ in 0..total.div_ceil(step) {
                batch.add(lists.iter().zip(&places).map(|(list, &place)| list[place]), &mut tried)?;
                let mut carried = step;
                for (list, place) in lists.iter().zip(&mut places) {
                    let (next, length) = (*place as u64 + carried, list.len() as u64);
                    *place = usize::try_from(next % length).unwrap_or(0);
                    carried = next / length;
                    if carried == 0 {
                        break;
                    }
                }
            }
            batch.finish(&mut tried)?;
        }
    }
    Ok(tried)
}

/// Returns a random float: any bits, a small integer or fraction, or a special value, with either sign.
fn float(random: &mut Random) -> u32 {
    let special = [0.0, 1.0, 0.5, 2.0, f32::INFINITY, f32::NAN, f32::MIN_POSITIVE, f32::MAX, f32::from_bits(1)];
    let bits = random.next();
    match bits >> 60 {
        0 => random.pick(&special).to_bits() | (bits as u32 & 1) << 31,
        1 | 2 => ((bits as u32 % 4096) as f32 / 16.0).to_bits() | (bits >> 32) as u32 & 1 << 31,
        // A float of moderate size, from 2^-16 to 2^16.
        3..=7 => (bits as u32 & 0x807f_ffff) | (111 + (bits >> 40) as u32 % 32) << 23,
        _ => bits as u32,
    }
}

/// Compares both sides of a row for random floats.
///
/// # Errors
/// Returns a counterexample.
pub(crate) fn random<M: Machine>(machine: &M, row: &Row, seed: u64, cases: u64) -> Result<Tried, String> {
    let mut tried = Tried::default();
    let patterns = row.patterns();
    for pattern in &patterns {
        let mut batch = Batch::of(machine, row, Scalar::Float, pattern);
        let mut random = Random::of(seed, &[0x70617373]);
        let share = cases / patterns.len() as u64;
        let vars = batch.claim.vars.clone();
        let mut values = vec![0; vars.len()];
        for _ in 0..share {
            values.iter_mut().for_each(|value| *value = float(&mut random));
            match vars.iter().zip(&values).all(|(&var, &bits)| batch.claim.allows(var, bits)) {
                true => batch.add(values.iter().copied(), &mut tried)?,
                false => tried.cases += 1,
            }
        }
        batch.finish(&mut tried)?;
    }
    Ok(tried)
}

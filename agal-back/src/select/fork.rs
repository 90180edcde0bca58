//! Forks: conditionals on computed values, and the ways in which control leaves their branches.
//!
//! A *fork* executes both sides of a conditional and joins their effects: values, local arrays, outputs, and the ways in which
//! control leaves. If the version has conditionals and no operation in the sides needs neighbouring fragments, the fork becomes a
//! conditional from `ife` to `eif`. If the fork cannot become a conditional, both sides are computed, and a selection chooses
//! between their results. Rule: the values of a side are joined only if control can come from that side, and every web that is
//! read after a conditional is written in both branches.

use std::rc::Rc;

use agal_front::opcode::Opcode;
use sdlbc::compute::Value;
use sdlbc::{Id, Op, Scalar, Type};

use super::{Frame, Selected, Selector, Val};
use crate::code::{Inst, Lane, Web};
use crate::refusal::RefusalKind;

/// A way in which control leaves a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    End,
    Break,
    Continue,
    Return,
}

const WAYS: [Way; 4] = [Way::End, Way::Break, Way::Continue, Way::Return];
/// The maximum nesting depth of conditionals, which is the player's limit.
const NESTING: u32 = 4;
const OPEN: u32 = 64;

/// The way in which control leaves a block, as far as the selector knows.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Leaves {
    /// Control always leaves in the same way.
    By(Way),
    /// The fragment is always discarded.
    Discarded,
    /// The way in which control leaves depends on computed bools.
    Mixed(Box<Ways>),
}

/// One bool for each way: true if control leaves in that way. The bools have no meaning for a discarded fragment.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ways([Val; 4]);

impl Ways {
    pub(super) fn of(&self, way: Way) -> &Val {
        let [end, breaks, continues, returns] = &self.0;
        match way {
            Way::End => end,
            Way::Break => breaks,
            Way::Continue => continues,
            Way::Return => returns,
        }
    }

    pub(super) fn known(&self, way: Way) -> Option<bool> {
        self.of(way).known_bool()
    }

    pub(super) fn with(mut self, way: Way, value: Val) -> Ways {
        let [end, breaks, continues, returns] = &mut self.0;
        *match way {
            Way::End => end,
            Way::Break => breaks,
            Way::Continue => continues,
            Way::Return => returns,
        } = value;
        self
    }

    pub(super) fn without(&self, way: Way) -> Ways {
        self.clone().with(way, no())
    }

    /// Returns the ways in which control leaves code: by a return if `returned` is true, and otherwise at the end of the code.
    pub(super) fn returned_or_ended(returned: Val) -> Ways {
        Ways([negated(returned.clone()), no(), no(), returned])
    }
}

impl Leaves {
    /// Reports whether the fragment is always discarded; control then never leaves.
    pub(super) fn is_discarded(&self) -> bool {
        *self == Leaves::Discarded
    }

    /// Returns the way in which control leaves the iterations of a loop. `left` is true after a break or a return, and `returned`
    /// only after a return.
    pub(super) fn left(left: &Val, returned: &Val) -> Leaves {
        Leaves::Mixed(Box::new(Ways([negated(left.clone()), left.clone(), no(), returned.clone()])))
    }

    /// Returns the ways as bools, or `None` if the fragment is always discarded.
    pub(super) fn ways(&self) -> Option<Ways> {
        match self {
            Leaves::By(way) => Some(Ways([no(), no(), no(), no()]).with(*way, yes())),
            Leaves::Mixed(ways) => Some((**ways).clone()),
            Leaves::Discarded => None,
        }
    }

    pub(super) fn may(&self, way: Way) -> bool {
        match self {
            Leaves::By(by) => *by == way,
            Leaves::Mixed(ways) => ways.known(way) != Some(false),
            Leaves::Discarded => false,
        }
    }

    /// Simplifies computed ways to a single way if that way is certain.
    pub(super) fn simple(self) -> Leaves {
        let Leaves::Mixed(ways) = &self else { return self };
        match WAYS.into_iter().find(|way| ways.known(*way) == Some(true)) {
            Some(way) => Leaves::By(way),
            None => self,
        }
    }
}

pub(super) fn yes() -> Val {
    Val::Known(Value { ty: Type::BOOL, words: vec![1] })
}

pub(super) fn no() -> Val {
    Val::Known(Value { ty: Type::BOOL, words: vec![0] })
}

pub(super) fn negated(value: Val) -> Val {
    match value {
        Val::Otherwise(of) => *of,
        Val::Comparison(Op::Equal, a, b) => Val::Comparison(Op::NotEqual, a, b),
        Val::Comparison(Op::NotEqual, a, b) => Val::Comparison(Op::Equal, a, b),
        value => match value.known_bool() {
            Some(true) => no(),
            Some(false) => yes(),
            None => Val::Otherwise(Box::new(value)),
        },
    }
}

impl Val {
    /// Returns the value of a single bool, or `None` if the value is not known at compile time.
    pub(super) fn known_bool(&self) -> Option<bool> {
        match self {
            Val::Known(Value { ty: Type::Vector(Scalar::Bool, 1), words }) => words.first().map(|word| *word != 0),
            _ => None,
        }
    }

    pub(super) fn is_known(&self, value: bool) -> bool {
        self.known_bool() == Some(value)
    }

    fn is_bool(&self) -> bool {
        match self {
            Val::Comparison(..) | Val::Truth(_) | Val::Otherwise(_) => true,
            Val::Known(value) => matches!(value.ty, Type::Vector(Scalar::Bool, _)),
            _ => false,
        }
    }

    pub(super) fn is_int(&self) -> bool {
        match self {
            Val::Int { .. } | Val::Whole(..) => true,
            Val::Known(value) => matches!(value.ty, Type::Vector(Scalar::Int | Scalar::Uint, _)),
            _ => false,
        }
    }

    /// Reports whether the value reads a web numbered `first` or higher.
    fn reads_from(&self, first: Web) -> bool {
        let any = |lanes: &[Lane]| lanes.iter().any(|lane| lane.web().is_some_and(|web| web >= first));
        match self {
            Val::Lanes(lanes) | Val::Truth(lanes) => any(lanes),
            Val::Comparison(_, a, b) => any(a) || any(b),
            Val::Otherwise(of) => of.reads_from(first),
            Val::Int { lane, .. } => any(&[*lane]),
            Val::Whole(_, lanes) => any(lanes),
            Val::Matrix(columns) => columns.iter().any(|column| any(column)),
            Val::Local(elements) => elements.iter().any(|element| element.reads_from(first)),
            Val::Known(_) | Val::Array(..) | Val::Texture(..) => false,
        }
    }
}

/// A value that is read after a fork, with its id after the fork and its id in each side.
#[derive(Clone, Debug)]
pub(super) struct Want {
    pub(super) to: Id,
    pub(super) from: [Option<Id>; 2],
    /// The value to use after the fork if neither side defines one.
    pub(super) otherwise: Option<Val>,
    /// Whether a side's value is read only if control reaches that side's end.
    pub(super) only_at_end: bool,
}

impl Want {
    /// Describes a value that only one side of a fork defines. `holds` states whether the condition is true on that side.
    pub(super) fn of_side(id: Id, holds: bool) -> Want {
        let from = if holds { [Some(id), None] } else { [None, Some(id)] };
        Want { to: id, from, otherwise: None, only_at_end: false }
    }
}

enum Place {
    Value(Id),
    Element(Id, usize),
    Output(usize),
    Returned,
}

struct Side {
    leaves: Leaves,
    insts: Vec<Rc<Inst>>,
    outputs: Vec<Option<Vec<Lane>>>,
    locals: Vec<(Id, Val)>,
    returned: Option<Val>,
    wanted: Vec<Option<Val>>,
}

impl Side {
    fn element(&self, id: Id, at: usize) -> Option<Val> {
        match self.locals.iter().find(|local| local.0 == id) {
            Some((_, Val::Local(elements))) => elements.get(at).cloned(),
            _ => None,
        }
    }
}

/// A function that executes one side of a fork. The function's bool argument is true for the side on which the condition is true.
type Run<'r, 'a> = &'r mut dyn FnMut(&mut Selector<'a>, &mut Frame<'a>, bool) -> Selected<Leaves>;

/// The condition that selects one of two values.
struct Decision {
    condition: Val,
    /// The condition and its negation as floats that are 1 or 0, if both sides are computed.
    truth: Option<[Vec<Lane>; 2]>,
}

impl<'a> Selector<'a> {
    /// Computes a bool that is true if control leaves in one of the ways in `some`.
    pub(super) fn any_of(&mut self, ways: &Ways, some: &[Way]) -> Selected<Val> {
        let mut maybe = some.iter().filter(|way| ways.known(**way) != Some(false));
        if let (Some(way), None) = (maybe.next(), maybe.next()) {
            return Ok(ways.of(*way).clone());
        }
        let mut others = WAYS.iter().filter(|way| !some.contains(way) && ways.known(**way) != Some(false));
        // If only one other way is possible, the result is the negation of that way.
        if let (other, None) = (others.next(), others.next()) {
            return Ok(other.map_or_else(yes, |way| negated(ways.of(*way).clone())));
        }
        let mut sum = no();
        for &way in some {
            let value = ways.of(way);
            if sum.is_known(false) || value.is_known(true) {
                sum = value.clone();
            } else if !value.is_known(false) && !sum.is_known(true) {
                let (a, b) = (self.truth(&sum)?, self.truth(value)?);
                sum = Val::Truth(self.each(Opcode::Max, &a, &b)?);
            }
        }
        Ok(sum)
    }

    /// Executes both sides of a fork and joins their effects.
    pub(super) fn fork(
        &mut self,
        frame: &mut Frame<'a>,
        condition: &Val,
        needs_neighbours: bool,
        wants: &[Want],
        run: Run<'_, 'a>,
    ) -> Selected<Leaves> {
        // One level of nesting is kept free, because selecting a value may need another conditional.
        let too_deep = self.nesting + 1 >= NESTING;
        let apart = self.code.version < 2 || needs_neighbours || !self.path.is_empty() || too_deep;
        let (outputs, locals, returned) = (self.outputs.clone(), frame.locals(), frame.returned.clone());
        let truth = match (apart, condition) {
            (true, Val::Otherwise(of)) => {
                let not = self.truth(of)?;
                Some([self.not(&not)?, not])
            }
            (true, _) => Some([self.truth(condition)?, Vec::new()]),
            (false, _) => None,
        };
        let mut decision = Decision { condition: condition.clone(), truth };
        let code = if apart { Vec::new() } else { std::mem::take(&mut self.code.insts) };
        let first_web = self.code.webs;
        let mut sides = Vec::new();
        for holds in [true, false] {
            self.outputs.clone_from(&outputs);
            frame.values.extend(locals.iter().cloned());
            frame.returned.clone_from(&returned);
            if let Some([truth, not]) = &mut decision.truth {
                if !holds && not.is_empty() {
                    *not = self.not(truth)?;
                }
                self.path.extend(if holds { truth.clone() } else { not.clone() });
            }
            self.nesting += u32::from(!apart);
            self.forks += 1;
            if self.forks > OPEN {
                return Err(RefusalKind::Flow {
                    what: "jumps, and more than 64 conditionals with jumps follow one another here",
                });
            }
            let leaves = run(self, frame, holds);
            self.forks -= 1;
            self.nesting -= u32::from(!apart);
            if apart {
                self.path.pop();
            }
            let leaves = leaves?;
            let wanted = wants.iter().map(|want| {
                let id = (if holds { want.from[0] } else { want.from[1] })?;
                let counts = !want.only_at_end || leaves.may(Way::End);
                frame.values.get(&id).filter(|_| counts).cloned()
            });
            let wanted = wanted.collect();
            let insts = if apart { Vec::new() } else { std::mem::take(&mut self.code.insts) };
            let returned = frame.returned.clone();
            sides.push(Side { leaves, insts, outputs: self.outputs.clone(), locals: frame.locals(), returned, wanted });
        }
        let [first, second] = &mut sides[..] else { return Ok(Leaves::Discarded) };
        let mut branches = [std::mem::take(&mut first.insts), std::mem::take(&mut second.insts)];
        if !apart {
            self.code.insts = code;
        }
        let by_branch = !apart || self.code.version >= 2;
        if let (true, Some([truth, _])) = (by_branch, &decision.truth) {
            decision.condition = Val::Truth(truth.clone());
        }
        for (place, values, otherwise) in joined([first, second], wants) {
            let value = match values {
                [Some(first), Some(second)] if first == second => first,
                [Some(one), None] | [None, Some(one)] if apart || !one.reads_from(first_web) => one,
                [Some(first), Some(second)] if by_branch => self.merge(&mut branches, [first, second])?,
                [Some(first), Some(second)] => self.choose(&decision, first, second)?,
                [one, other] => {
                    let Some(known) = one.as_ref().or(other.as_ref()) else { continue };
                    let missing = otherwise.map_or_else(|| nothing_like(known), Ok)?;
                    let both = [one, other].map(|value| value.unwrap_or_else(|| missing.clone()));
                    self.merge(&mut branches, both)?
                }
            };
            match (place, value) {
                (Place::Value(id), value) => drop(frame.values.insert(id, value)),
                (Place::Element(id, at), value) => frame.set_element(id, at, value),
                (Place::Output(at), Val::Lanes(lanes)) => {
                    if let Some(output) = self.outputs.get_mut(at) {
                        *output = Some(lanes);
                    }
                }
                (Place::Output(_), _) => {}
                (Place::Returned, value) => frame.returned = Some(value),
            }
        }
        let leaves = match (&first.leaves, &second.leaves) {
            (Leaves::Discarded, Leaves::Discarded) => Leaves::Discarded,
            (one, other) if one == other => one.clone(),
            (one, other) => {
                let (one_ways, other_ways) = (one.ways(), other.ways());
                let mut ways = Ways([no(), no(), no(), no()]);
                for way in WAYS {
                    let values = [&one_ways, &other_ways].map(|ways| Some(ways.as_ref()?.of(way).clone()));
                    ways = ways.with(way, self.join_ways(&decision, &mut branches, values, first_web)?);
                }
                Leaves::Mixed(Box::new(ways)).simple()
            }
        };
        if by_branch {
            self.branch(&decision.condition, branches)?;
        }
        Ok(leaves)
    }

    /// Joins the bools of the two sides for one way of leaving. A discarded side has no bool.
    fn join_ways(
        &mut self,
        decision: &Decision,
        branches: &mut [Vec<Rc<Inst>>; 2],
        values: [Option<Val>; 2],
        first_web: Web,
    ) -> Selected<Val> {
        let apart = decision.truth.is_some();
        let both = match values {
            [Some(one), None] | [None, Some(one)] if apart || !one.reads_from(first_web) => return Ok(one),
            [one, other] => [one.unwrap_or_else(no), other.unwrap_or_else(no)],
        };
        let [one, other] = &both;
        if one == other {
            return Ok(one.clone());
        }
        match (one.known_bool(), other.known_bool()) {
            (Some(true), Some(false)) => return Ok(decision.condition.clone()),
            (Some(false), Some(true)) => return Ok(negated(decision.condition.clone())),
            _ => {}
        }
        let Some([truth, not]) = &decision.truth else { return self.merge(branches, both) };
        let (first, second) = (self.truth(one)?, self.truth(other)?);
        // Both sides were computed, so the value from the side not taken has no meaning.
        Ok(Val::Truth(match (one.known_bool(), other.known_bool()) {
            (Some(true), _) => self.each(Opcode::Max, truth, &second)?,
            (_, Some(true)) => self.each(Opcode::Max, not, &first)?,
            (_, Some(false)) => self.each(Opcode::Mul, truth, &first)?,
            (Some(false), _) => self.each(Opcode::Mul, not, &second)?,
            _ if second == *not => self.each(Opcode::Max, not, &first)?,
            _ if second == *truth => self.each(Opcode::Mul, truth, &first)?,
            _ => self.select_by(&[truth.clone(), not.clone()], &first, &second)?,
        }))
    }

    /// Selects one of two values by arithmetic, without a conditional.
    fn choose(&mut self, decision: &Decision, first: Val, second: Val) -> Selected<Val> {
        let Some(both) = &decision.truth else { return Ok(first) };
        match (&first, &second) {
            (Val::Matrix(first), Val::Matrix(second)) if first.len() == second.len() => {
                let columns = first.iter().zip(second).map(|(one, other)| self.select_by(both, one, other));
                Ok(Val::Matrix(columns.collect::<Selected<_>>()?))
            }
            (Val::Lanes(_), Val::Lanes(_)) => self.select_values(both, first, second),
            _ if first.is_bool() && second.is_bool() || first.is_int() && second.is_int() => {
                self.select_values(both, first, second)
            }
            _ => Err(UNLIKE),
        }
    }

    /// Merges the values of two branches into webs that both branches write at their ends.
    fn merge(&mut self, branches: &mut [Vec<Rc<Inst>>; 2], both: [Val; 2]) -> Selected<Val> {
        let [first, second] = &both;
        if let (Val::Matrix(first), Val::Matrix(second)) = (first, second)
            && first.len() == second.len()
        {
            let mut columns = Vec::new();
            for (one, other) in first.iter().zip(second) {
                match self.merge(branches, [Val::Lanes(one.clone()), Val::Lanes(other.clone())])? {
                    Val::Lanes(lanes) => columns.push(lanes),
                    _ => return Err(UNLIKE),
                }
            }
            return Ok(Val::Matrix(columns));
        }
        let is_bool = first.is_bool();
        let are_ints = first.is_int() && second.is_int();
        let is_float = |value: &Val| matches!(value, Val::Lanes(_));
        if is_bool != second.is_bool() || !(is_bool || are_ints || is_float(first) && is_float(second)) {
            return Err(UNLIKE);
        }
        let mut webs: Vec<Lane> = Vec::new();
        let (mut merged, mut scalar): (Vec<Vec<Lane>>, _) = (Vec::new(), Scalar::Int);
        for (branch, value) in branches.iter_mut().zip(&both) {
            std::mem::swap(branch, &mut self.code.insts);
            let lanes = match value {
                Val::Lanes(lanes) => Ok(lanes.clone()),
                value if are_ints => self.int_lanes(value).map(|of| {
                    let (of, lanes) = of.unwrap_or((Scalar::Int, Vec::new()));
                    scalar = of;
                    lanes
                }),
                value => self.truth(value),
            };
            let set = lanes.and_then(|lanes| {
                merged.push(lanes.clone());
                if webs.is_empty() {
                    webs = self.joint(lanes.len());
                }
                let lanes = self.operand(&lanes)?;
                self.set(&webs, &lanes)
            });
            std::mem::swap(branch, &mut self.code.insts);
            set?;
        }
        if let [one, other] = &merged[..] {
            self.note_either(&webs, one, other);
        }
        Ok(match () {
            _ if is_bool => Val::Truth(webs),
            _ if are_ints => Val::Whole(scalar, webs),
            _ => Val::Lanes(webs),
        })
    }
}

const UNLIKE: RefusalKind = RefusalKind::Operands { op: Op::Phi, what: "textures, or of values of different kinds" };

/// Returns each place with the values that the two sides leave in it, and the value to use if neither side defines one.
fn joined(sides: [&Side; 2], wants: &[Want]) -> Vec<(Place, [Option<Val>; 2], Option<Val>)> {
    let [first, second] = sides;
    let live = sides.map(|side| side.leaves != Leaves::Discarded);
    let of = |values: [Option<Val>; 2]| {
        let [one, other] = values;
        [one.filter(|_| live[0]), other.filter(|_| live[1])]
    };
    let mut all = Vec::new();
    for ((want, one), other) in wants.iter().zip(&first.wanted).zip(&second.wanted) {
        all.push((Place::Value(want.to), of([one.clone(), other.clone()]), want.otherwise.clone()));
    }
    for (id, value) in &first.locals {
        let Val::Local(elements) = value else { continue };
        for at in 0..elements.len() {
            all.push((Place::Element(*id, at), of([elements.get(at).cloned(), second.element(*id, at)]), None));
        }
    }
    for (at, (one, other)) in first.outputs.iter().zip(&second.outputs).enumerate() {
        let lanes = |lanes: &Option<Vec<Lane>>| lanes.clone().map(Val::Lanes);
        all.push((Place::Output(at), of([lanes(one), lanes(other)]), None));
    }
    all.push((Place::Returned, of([first.returned.clone(), second.returned.clone()]), None));
    all
}

/// Returns an arbitrary value of the same type as `value`.
fn nothing_like(value: &Val) -> Selected<Val> {
    let zero = |lanes: &Vec<Lane>| vec![Lane::Literal(0); lanes.len()];
    Ok(match value {
        Val::Lanes(lanes) => Val::Lanes(zero(lanes)),
        Val::Truth(lanes) | Val::Comparison(_, lanes, _) => Val::Truth(zero(lanes)),
        Val::Otherwise(_) => no(),
        Val::Whole(scalar, lanes) => Val::Whole(*scalar, zero(lanes)),
        Val::Int { .. } => Val::Whole(Scalar::Int, zero(&vec![Lane::Literal(0)])),
        Val::Matrix(columns) => Val::Matrix(columns.iter().map(zero).collect()),
        _ => return Err(UNLIKE),
    })
}

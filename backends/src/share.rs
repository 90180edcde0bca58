//! Decides which PHIs share a variable, so that a register that changes on some path becomes a single variable in the output.
//!
//! A PHI shares a variable with each of its operands that is also a PHI, if their live ranges do not interfere. The method is the
//! coalescing that compilers use to leave SSA form (Boissinot et al., "Revisiting Out-of-SSA Translation for Correctness, Code
//! Quality, and Efficiency", CGO 2009). Live ranges are measured in the output: an unnamed value reads its variables where it is
//! inlined. Statements are numbered in the order in which `lower/` emits them.
//!
//! A value that is defined in a loop's body does not live beyond one iteration, so within the body the order of the statements is
//! the order of execution. A value that is defined before a loop and read in the loop lives to the end of the loop, since the
//! next iteration reads the value again. A PHI at a loop head has further live ranges, from each store of its next value to the
//! head.

use std::collections::BTreeSet;
use std::rc::Rc;

use sdlbc::{Block, Function, Id, IdMap, Inst, InstRef, Op, flow};

use crate::plan::{Plan, definitions, head_phis, phis_after};

/// The maximum number of PHIs that share a variable, which bounds the analysis time.
const CLASS: usize = 64;

/// Maps each PHI that becomes a variable to the PHI whose variable it uses, which may be the PHI itself.
pub(crate) fn share(function: &Function, plan: &Plan, results: &[Id]) -> IdMap<Id> {
    if !plan.has_variables() {
        return IdMap::default();
    }
    let mut timeline = Timeline {
        plan,
        insts: definitions(&function.body, plan.table()),
        reads: plan.table(),
        phis: plan.table(),
        variables: Vec::new(),
        tick: 0,
        loops: Vec::new(),
    };
    timeline.block(function.body.block(), &mut Vec::new());
    let end = Rc::from([]);
    for &id in results {
        timeline.read(id, &end);
    }
    let Timeline { phis, variables, .. } = timeline;
    let (mut classes, mut class_of) = (plan.table(), plan.table());
    let mut edges: Vec<(usize, Id, Id)> = Vec::new();
    for id in variables {
        classes.insert(id, vec![id]);
        class_of.insert(id, id);
        if let Some(phi) = phis.get(id) {
            let inputs = phi.inputs.iter().filter(|input| phis.contains(**input));
            edges.extend(inputs.map(|&input| (phi.defined, id, input)));
        }
    }
    edges.sort();
    for (_, a, b) in edges {
        let (Some(&a), Some(&b)) = (class_of.get(a), class_of.get(b)) else { continue };
        let (Some(first), Some(second)): (Option<&Vec<Id>>, _) = (classes.get(a), classes.get(b)) else { continue };
        if a == b || first.len() + second.len() > CLASS {
            continue;
        }
        let both: Vec<Id> = first.iter().chain(second).copied().collect();
        if can_share(&both, &phis) {
            both.iter().for_each(|&id| _ = class_of.insert(id, a));
            classes.remove(b);
            classes.insert(a, both);
        }
    }
    class_of
}

struct Phi {
    /// The operands that are stored in the PHI's variable.
    inputs: Vec<Id>,
    /// The event at which each operand is stored.
    writes: Vec<Event>,
    /// The PHI's live ranges. The first range contains all reads of the PHI by other expressions.
    ranges: Vec<LiveRange>,
    /// The number of the statement at which the PHI's value is complete.
    defined: usize,
}

/// A range of the code in which the PHI's variable must keep a value.
struct LiveRange {
    /// The stores of the value, with an event for each path.
    starts: Vec<Event>,
    reads: Vec<Event>,
}

impl Phi {
    /// Reports whether `write` overwrites the PHI's value between a store and a read of the value on some path.
    fn is_lost_to(&self, write: &Event) -> bool {
        self.ranges.iter().any(|range| {
            range.starts.iter().filter(|start| start.tick < write.tick && !start.excludes(write)).any(|start| {
                range.reads.iter().any(|read| write.tick < read.tick && !read.excludes(write) && !read.excludes(start))
            })
        })
    }
}

/// The path to a block: the enclosing conditionals, each with the number of the arm that the path takes.
type Path = Rc<[(usize, usize)]>;

#[derive(Clone)]
struct Event {
    tick: usize,
    path: Path,
}

impl Event {
    /// Reports whether two events never happen in the same execution, because they are in different arms of a conditional.
    fn excludes(&self, other: &Event) -> bool {
        let differ = self.path.iter().zip(other.path.iter()).find(|(a, b)| a != b);
        differ.is_some_and(|(a, b)| a.0 == b.0)
    }
}

/// Reports whether the PHIs of a class can share a variable: no PHI is read after another PHI has overwritten the variable.
fn can_share(class: &[Id], phis: &IdMap<Phi>) -> bool {
    let members: BTreeSet<Id> = class.iter().copied().collect();
    let mut writes = Vec::new();
    for phi in class.iter().filter_map(|&id| phis.get(id)) {
        for (input, write) in phi.inputs.iter().zip(&phi.writes) {
            // An operand in the class is already in the variable, so it is not stored.
            if !members.contains(input) {
                writes.push(write);
            }
        }
    }
    class.iter().filter_map(|&id| phis.get(id)).all(|phi| !writes.iter().any(|write| phi.is_lost_to(write)))
}

struct Timeline<'a> {
    plan: &'a Plan,
    insts: IdMap<&'a Inst>,
    /// The variables that each value's expression reads.
    reads: IdMap<Rc<BTreeSet<Id>>>,
    phis: IdMap<Phi>,
    /// The PHIs, in the order of the output.
    variables: Vec<Id>,
    tick: usize,
    loops: Vec<OpenLoop<'a>>,
}

struct OpenLoop<'a> {
    /// The PHIs of the loop head, in the order in which they are stored.
    phis: Vec<&'a Inst>,
    /// The PHIs that are read in the loop.
    read: BTreeSet<Id>,
}

impl<'a> Timeline<'a> {
    fn add(&mut self, id: Id, phi: Phi) {
        self.variables.push(id);
        self.phis.insert(id, phi);
    }

    fn reads_of(&mut self, id: Id) -> Rc<BTreeSet<Id>> {
        // The recursion is bounded: chains of swizzles of any length are skipped, and any other unnamed expression fits on a
        // line.
        let id = self.plan.whole(id);
        if let Some(reads) = self.reads.get(id) {
            return reads.clone();
        }
        let mut reads = BTreeSet::new();
        match self.insts.get(id).copied() {
            _ if self.plan.is_named(id) => {}
            Some(inst) if inst.op == Op::Phi => _ = reads.insert(id),
            Some(inst) => self.operands(inst, &mut reads),
            None => {}
        }
        let reads = Rc::new(reads);
        self.reads.insert(id, reads.clone());
        reads
    }

    fn operands(&mut self, inst: &Inst, reads: &mut BTreeSet<Id>) {
        for id in inst.inputs.iter().copied() {
            reads.extend(self.reads_of(id).iter());
        }
    }

    /// Records a statement that contains the expression of a value.
    fn read(&mut self, id: Id, path: &Path) {
        let reads = self.reads_of(id);
        self.statement(&reads, path);
    }

    fn statement(&mut self, reads: &BTreeSet<Id>, path: &Path) {
        self.tick += 1;
        for id in reads {
            if let Some(range) = self.phis.get_mut(*id).and_then(|phi| phi.ranges.first_mut()) {
                range.reads.push(Event { tick: self.tick, path: path.clone() });
            }
        }
        if let Some(around) = self.loops.last_mut() {
            around.read.extend(reads);
        }
    }

    fn block(&mut self, block: Block<'a>, around: &mut Vec<(usize, usize)>) {
        let path: Path = Rc::from(around.as_slice());
        for inst in block {
            match inst.op {
                Op::If => self.branch(inst, phis_after(inst), around),
                Op::Loop => inst.blocks().for_each(|code| self.repeat(code, around)),
                Op::Switch => {
                    let which = self.tick;
                    inst.inputs.iter().for_each(|&id| self.read(id, &path));
                    for (arm, code) in inst.blocks().enumerate() {
                        around.push((which, arm));
                        self.block(code, around);
                        around.pop();
                    }
                }
                Op::Continue => self.begin_again(&path),
                op if matches!(op, Op::Poke | Op::ImageStore | Op::Return) || op.has_result_and_effect() => {
                    inst.inputs.iter().for_each(|&id| self.read(id, &path))
                }
                _ if self.plan.is_named(inst.output) && inst.op != Op::Phi => {
                    let mut reads = BTreeSet::new();
                    self.operands(&inst, &mut reads);
                    self.statement(&reads, &path);
                }
                _ => {}
            }
        }
    }

    fn branch(&mut self, inst: InstRef<'a>, phis: &'a [Inst], around: &mut Vec<(usize, usize)>) {
        let which = self.tick;
        let mut stored = [Vec::new(), Vec::new()];
        let early = inst.blocks().get(1).is_some_and(Block::is_empty);
        let outside: Path = Rc::from(around.as_slice());
        if early {
            stored[1] = self.stores(phis.iter(), 1, &outside);
        }
        inst.inputs.iter().for_each(|&id| self.read(id, &outside));
        for (arm, (code, stored)) in inst.blocks().zip(&mut stored).enumerate() {
            if !(early && arm == 1) {
                around.push((which, arm));
                self.block(code, around);
                if flow::falls_through(code) {
                    *stored = self.stores(phis.iter(), arm, &Rc::from(around.as_slice()));
                }
                around.pop();
            }
        }
        self.tick += 1;
        for (at, phi) in phis.iter().enumerate() {
            let mut range = LiveRange { starts: Vec::new(), reads: Vec::new() };
            let (mut inputs, mut writes) = (Vec::new(), Vec::new());
            for (arm, stored) in stored.iter().enumerate() {
                if let (Some(event), Some(&input)) = (stored.get(at), phi.inputs.get(arm)) {
                    let path = around.iter().copied().chain([(which, arm)]).collect();
                    range.starts.push(Event { tick: event.tick, path });
                    writes.push(event.clone());
                    inputs.push(input);
                }
            }
            self.add(phi.output, Phi { inputs, writes, ranges: vec![range], defined: self.tick });
        }
    }

    fn repeat(&mut self, code: Block<'a>, around: &mut Vec<(usize, usize)>) {
        let phis = head_phis(code);
        let ordered: Vec<&Inst> = self.plan.order_of(phis).into_iter().filter_map(|at| phis.get(at)).collect();
        let before = self.tick;
        let path: Path = Rc::from(around.as_slice());
        let stored = self.stores(ordered.iter().copied(), 0, &path);
        self.tick += 1;
        let head = Event { tick: self.tick, path: path.clone() };
        for (phi, event) in ordered.iter().zip(stored) {
            let range = LiveRange { starts: vec![event.clone(), head.clone()], reads: vec![head.clone()] };
            let inputs = phi.inputs.first().copied().into_iter().collect();
            self.add(phi.output, Phi { inputs, writes: vec![event], ranges: vec![range], defined: self.tick });
        }
        self.loops.push(OpenLoop { phis: ordered, read: BTreeSet::new() });
        self.block(code, around);
        if flow::falls_through(code) {
            self.begin_again(&path);
        }
        self.tick += 1;
        let read = self.loops.pop().map(|around| around.read).unwrap_or_default();
        for id in read {
            if let Some(phi) = self.phis.get_mut(id).filter(|phi| phi.defined <= before) {
                if let Some(range) = phi.ranges.first_mut() {
                    range.reads.push(Event { tick: self.tick, path: path.clone() });
                }
                if let Some(around) = self.loops.last_mut() {
                    around.read.insert(id);
                }
            }
        }
    }

    /// Records the stores of the PHIs' second operands before the next iteration of the innermost loop.
    fn begin_again(&mut self, path: &Path) {
        let phis = self.loops.last().map(|around| around.phis.clone()).unwrap_or_default();
        let stored = self.stores(phis.iter().copied(), 1, path);
        self.tick += 1;
        let head = Event { tick: self.tick, path: path.clone() };
        for (inst, event) in phis.into_iter().zip(stored) {
            if let Some(phi) = self.phis.get_mut(inst.output) {
                phi.inputs.extend(inst.inputs.get(1));
                phi.writes.push(event.clone());
                phi.ranges.push(LiveRange { starts: vec![event], reads: vec![head.clone()] });
            }
        }
    }

    /// Records the stores of the PHIs' operands for an arm. A PHI without an operand in that arm also gets an event.
    fn stores(&mut self, phis: impl Iterator<Item = &'a Inst>, arm: usize, path: &Path) -> Vec<Event> {
        let mut events = Vec::new();
        for phi in phis {
            let id = phi.inputs.get(arm).copied().unwrap_or_default();
            let mut reads = BTreeSet::clone(&self.reads_of(id));
            // An operand that shares the PHI's variable is not stored. The variable must still contain the operand, even if the
            // operand has a name.
            if self.insts.get(id).is_some_and(|inst| inst.op == Op::Phi) {
                reads.insert(id);
            }
            self.statement(&reads, path);
            events.push(Event { tick: self.tick, path: path.clone() });
        }
        events
    }
}

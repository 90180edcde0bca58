//! Which PHIs share a variable, so that a register that is changed on some path is one variable in text too.
//!
//! A PHI and the PHIs among its operands are given one variable where nobody still reads an older value of it: as when
//! a program leaves SSA form by merging what PHIs connect, so far as their lives do not meet (Boissinot et al.,
//! "Revisiting Out-of-SSA Translation for Correctness, Code Quality, and Efficiency", CGO 2009). Lives are measured
//! where text stands: a value without a name is written, and reads its variables, where it is used. The order of
//! statements is the one in which `lower/` makes them.
//!
//! Loops. What is defined in a loop's body lives no longer than one run of it, so there the order of the text is that
//! of time. What is defined in front of a loop and read inside lives to the loop's end, since the next run reads it
//! again. A PHI of the head has further lives: from each place that stores its next value to the head.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use sdlbc::{Block, Function, Id, Inst, Op, flow};

use crate::plan::{Plan, head_phis, phis_behind};

/// PHIs that share a variable are at most so many, which bounds the work.
const CLASS: usize = 64;

/// For each PHI that is a variable, the PHI whose variable it uses: its own, or another's.
pub(crate) fn share(function: &Function, plan: &Plan, results: &[Id]) -> HashMap<Id, Id> {
    let mut timeline = Timeline {
        plan,
        insts: HashMap::new(),
        reads: HashMap::new(),
        phis: HashMap::new(),
        tick: 0,
        loops: Vec::new(),
    };
    index(&function.body, &mut timeline.insts);
    timeline.block(&function.body, &mut Vec::new());
    let end = Rc::from([]);
    for &id in results {
        timeline.read(id, &end);
    }
    let Timeline { phis, .. } = timeline;
    let mut classes: HashMap<Id, Vec<Id>> = phis.keys().map(|&id| (id, vec![id])).collect();
    let mut class_of: HashMap<Id, Id> = phis.keys().map(|&id| (id, id)).collect();
    let mut edges: Vec<(usize, Id, Id)> = Vec::new();
    for (&id, phi) in &phis {
        edges.extend(phi.inputs.iter().filter(|input| phis.contains_key(input)).map(|&input| (phi.defined, id, input)));
    }
    edges.sort();
    for (_, a, b) in edges {
        let (Some(&a), Some(&b)) = (class_of.get(&a), class_of.get(&b)) else { continue };
        let (Some(first), Some(second)) = (classes.get(&a), classes.get(&b)) else { continue };
        if a == b || first.len() + second.len() > CLASS {
            continue;
        }
        let both: Vec<Id> = first.iter().chain(second).copied().collect();
        if can_share(&both, &phis) {
            both.iter().for_each(|&id| _ = class_of.insert(id, a));
            classes.remove(&b);
            classes.insert(a, both);
        }
    }
    class_of
}

/// A PHI's lives.
struct Phi {
    /// The operands that are stored to its variable.
    inputs: Vec<Id>,
    /// Where each operand is stored.
    writes: Vec<Event>,
    /// The first has the readings of its text.
    lives: Vec<Life>,
    /// When its value is complete.
    defined: usize,
}

/// A stretch in which the variable must keep the value.
struct Life {
    /// From where on the value is in the variable: one for each way.
    starts: Vec<Event>,
    /// Where it is read.
    reads: Vec<Event>,
}

impl Phi {
    /// Whether `write` comes between a start of this value and a reading of it, on one way through the code.
    fn is_lost_to(&self, write: &Event) -> bool {
        self.lives.iter().any(|life| {
            life.starts.iter().filter(|start| start.tick < write.tick && !start.excludes(write)).any(|start| {
                life.reads.iter().any(|read| write.tick < read.tick && !read.excludes(write) && !read.excludes(start))
            })
        })
    }
}

/// The way to a block: the conditionals around it, each with its arm.
type Path = Rc<[(usize, usize)]>;

#[derive(Clone)]
struct Event {
    tick: usize,
    path: Path,
}

impl Event {
    /// Whether two events never happen in one run: they are in different arms of a conditional.
    fn excludes(&self, other: &Event) -> bool {
        let differ = self.path.iter().zip(other.path.iter()).find(|(a, b)| a != b);
        differ.is_some_and(|(a, b)| a.0 == b.0)
    }
}

/// Whether no PHI of the class is read after another one has overwritten it.
fn can_share(class: &[Id], phis: &HashMap<Id, Phi>) -> bool {
    let members: BTreeSet<Id> = class.iter().copied().collect();
    let mut writes = Vec::new();
    for phi in class.iter().filter_map(|id| phis.get(id)) {
        for (input, write) in phi.inputs.iter().zip(&phi.writes) {
            // What the variable holds already is not stored.
            if !members.contains(input) {
                writes.push(write);
            }
        }
    }
    class.iter().filter_map(|id| phis.get(id)).all(|phi| !writes.iter().any(|write| phi.is_lost_to(write)))
}

fn index<'a>(block: &'a Block, insts: &mut HashMap<Id, &'a Inst>) {
    for inst in block {
        if inst.output.is_some() {
            insts.insert(inst.output, inst);
        }
        inst.blocks.iter().for_each(|arm| index(arm, insts));
    }
}

/// Walks the statements in the order of the text.
struct Timeline<'a> {
    plan: &'a Plan,
    insts: HashMap<Id, &'a Inst>,
    /// The variables that a value's text reads.
    reads: HashMap<Id, Rc<BTreeSet<Id>>>,
    phis: HashMap<Id, Phi>,
    tick: usize,
    /// The loops around.
    loops: Vec<Around<'a>>,
}

/// A loop that is open.
struct Around<'a> {
    /// Its head's PHIs, in the order in which they are stored.
    phis: Vec<&'a Inst>,
    /// The PHIs that are read in it.
    read: BTreeSet<Id>,
}

impl<'a> Timeline<'a> {
    fn is_variable(&self, inst: &Inst) -> bool {
        inst.op == Op::Phi && !self.plan.is_select(inst.output)
    }

    fn reads_of(&mut self, id: Id) -> Rc<BTreeSet<Id>> {
        // Not through a chain of swizzles, which may be of any length; all else without a name fits a line.
        let id = self.plan.whole(id);
        if let Some(reads) = self.reads.get(&id) {
            return reads.clone();
        }
        let mut reads = BTreeSet::new();
        match self.insts.get(&id).copied() {
            _ if self.plan.is_named(id) => {}
            Some(inst) if self.is_variable(inst) => _ = reads.insert(id),
            Some(inst) => self.operands(inst, &mut reads),
            None => {}
        }
        let reads = Rc::new(reads);
        self.reads.insert(id, reads.clone());
        reads
    }

    fn operands(&mut self, inst: &Inst, reads: &mut BTreeSet<Id>) {
        for id in inst.inputs.iter().copied().chain(self.plan.condition_of(inst.output)) {
            reads.extend(self.reads_of(id).iter());
        }
    }

    /// A statement that writes the value's text.
    fn read(&mut self, id: Id, path: &Path) {
        let reads = self.reads_of(id);
        self.statement(&reads, path);
    }

    /// A statement that reads these variables.
    fn statement(&mut self, reads: &BTreeSet<Id>, path: &Path) {
        self.tick += 1;
        for id in reads {
            if let Some(life) = self.phis.get_mut(id).and_then(|phi| phi.lives.first_mut()) {
                life.reads.push(Event { tick: self.tick, path: path.clone() });
            }
        }
        if let Some(around) = self.loops.last_mut() {
            around.read.extend(reads);
        }
    }

    fn block(&mut self, block: &'a Block, around: &mut Vec<(usize, usize)>) {
        let path: Path = Rc::from(around.as_slice());
        for (at, inst) in block.iter().enumerate() {
            match inst.op {
                Op::If => {
                    let phis = phis_behind(block, at);
                    if phis.first().is_some_and(|phi| self.plan.is_select(phi.output)) {
                        inst.blocks.iter().for_each(|arm| self.block(arm, around));
                    } else {
                        self.branch(inst, phis, around);
                    }
                }
                Op::Loop => inst.blocks.iter().for_each(|code| self.repeat(code, around)),
                Op::Switch => {
                    let which = self.tick;
                    inst.inputs.iter().for_each(|&id| self.read(id, &path));
                    for (arm, code) in inst.blocks.iter().enumerate() {
                        around.push((which, arm));
                        self.block(code, around);
                        around.pop();
                    }
                }
                Op::Continue => self.begin_again(&path),
                Op::Poke | Op::Call | Op::Return => inst.inputs.iter().for_each(|&id| self.read(id, &path)),
                _ if self.plan.is_named(inst.output) && !self.is_variable(inst) => {
                    let mut reads = BTreeSet::new();
                    self.operands(inst, &mut reads);
                    self.statement(&reads, &path);
                }
                _ => {}
            }
        }
    }

    fn branch(&mut self, inst: &'a Inst, phis: &'a [Inst], around: &mut Vec<(usize, usize)>) {
        let which = self.tick;
        let mut stored = [Vec::new(), Vec::new()];
        let early = inst.blocks.get(1).is_some_and(Vec::is_empty);
        let outside: Path = Rc::from(around.as_slice());
        if early {
            stored[1] = self.stores(phis.iter(), 1, &outside);
        }
        inst.inputs.iter().for_each(|&id| self.read(id, &outside));
        for (arm, (code, stored)) in inst.blocks.iter().zip(&mut stored).enumerate() {
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
            let mut life = Life { starts: Vec::new(), reads: Vec::new() };
            let (mut inputs, mut writes) = (Vec::new(), Vec::new());
            for (arm, stored) in stored.iter().enumerate() {
                if let (Some(event), Some(&input)) = (stored.get(at), phi.inputs.get(arm)) {
                    let path = around.iter().copied().chain([(which, arm)]).collect();
                    life.starts.push(Event { tick: event.tick, path });
                    writes.push(event.clone());
                    inputs.push(input);
                }
            }
            self.phis.insert(phi.output, Phi { inputs, writes, lives: vec![life], defined: self.tick });
        }
    }

    fn repeat(&mut self, code: &'a Block, around: &mut Vec<(usize, usize)>) {
        let phis = head_phis(code);
        let ordered: Vec<&Inst> = self.plan.order_of(phis).into_iter().filter_map(|at| phis.get(at)).collect();
        let before = self.tick;
        let path: Path = Rc::from(around.as_slice());
        let stored = self.stores(ordered.iter().copied(), 0, &path);
        self.tick += 1;
        let head = Event { tick: self.tick, path: path.clone() };
        for (phi, event) in ordered.iter().zip(stored) {
            let life = Life { starts: vec![event.clone(), head.clone()], reads: vec![head.clone()] };
            let inputs = phi.inputs.first().copied().into_iter().collect();
            let phi_lives = Phi { inputs, writes: vec![event], lives: vec![life], defined: self.tick };
            self.phis.insert(phi.output, phi_lives);
        }
        self.loops.push(Around { phis: ordered, read: BTreeSet::new() });
        self.block(code, around);
        if flow::falls_through(code) {
            self.begin_again(&path);
        }
        self.tick += 1;
        let read = self.loops.pop().map(|around| around.read).unwrap_or_default();
        for id in read {
            if let Some(phi) = self.phis.get_mut(&id).filter(|phi| phi.defined <= before) {
                if let Some(life) = phi.lives.first_mut() {
                    life.reads.push(Event { tick: self.tick, path: path.clone() });
                }
                if let Some(around) = self.loops.last_mut() {
                    around.read.insert(id);
                }
            }
        }
    }

    /// The innermost loop begins again: its PHIs get their second values.
    fn begin_again(&mut self, path: &Path) {
        let phis = self.loops.last().map(|around| around.phis.clone()).unwrap_or_default();
        let stored = self.stores(phis.iter().copied(), 1, path);
        self.tick += 1;
        let head = Event { tick: self.tick, path: path.clone() };
        for (inst, event) in phis.into_iter().zip(stored) {
            if let Some(phi) = self.phis.get_mut(&inst.output) {
                phi.inputs.extend(inst.inputs.get(1));
                phi.writes.push(event.clone());
                phi.lives.push(Life { starts: vec![event], reads: vec![head.clone()] });
            }
        }
    }

    /// Stores the operands of an arm. Where there is none, an event stands all the same, which does no harm.
    fn stores(&mut self, phis: impl Iterator<Item = &'a Inst>, arm: usize, path: &Path) -> Vec<Event> {
        let mut events = Vec::new();
        for phi in phis {
            let id = phi.inputs.get(arm).copied().unwrap_or_default();
            let mut reads = BTreeSet::clone(&self.reads_of(id));
            // An operand that shares the variable is not stored, so it must be there still, though it has a name.
            if self.insts.get(&id).is_some_and(|inst| self.is_variable(inst)) {
                reads.insert(id);
            }
            self.statement(&reads, path);
            events.push(Event { tick: self.tick, path: path.clone() });
        }
        events
    }
}

//! Decides the order in which the PHIs of a loop head are stored before the next iteration.
//!
//! All PHIs of a loop head change at once, but stores are sequential, and an inlined expression reads variables where it is
//! written. A PHI is therefore stored only when none of the values still to be stored reads the PHI. If the new values of several
//! PHIs read each other in a cycle, as in a swap, one of the values gets a name before the stores. Compilers order parallel
//! copies in this way when they leave SSA form (Boissinot et al., CGO 2009).

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use sdlbc::{Block, Body, Id, IdMap, Inst, Op};

use crate::plan::{Plan, definitions, head_phis};

type Reads = Rc<BTreeSet<Id>>;

impl Plan {
    /// Orders the stores of the PHIs at all loop heads, and names the values that must be computed before the stores.
    pub(crate) fn order_loops(&mut self, body: &Body) {
        let insts = definitions(body, self.table());
        // Each PHI counts as a separate variable here, so reading the PHI reads that variable.
        let mut reads = self.table();
        let phis = body.insts().iter().filter(|inst| inst.op == Op::Phi && inst.output.is_some());
        phis.for_each(|phi| _ = reads.insert(phi.output, Rc::new(BTreeSet::from([phi.output]))));
        self.order_block(body.block(), &insts, &mut reads);
    }

    fn order_block(&mut self, block: Block<'_>, insts: &IdMap<&Inst>, reads: &mut IdMap<Reads>) {
        for inst in block {
            for code in inst.blocks() {
                self.order_block(code, insts, reads);
                if inst.op == Op::Loop {
                    self.order_head(head_phis(code), insts, reads);
                }
            }
        }
    }

    fn order_head(&mut self, phis: &[Inst], insts: &IdMap<&Inst>, reads: &mut IdMap<Reads>) {
        let Some(first) = phis.first().map(|phi| phi.output) else { return };
        let place: HashMap<Id, usize> = phis.iter().enumerate().map(|(at, phi)| (phi.output, at)).collect();
        let value = |at: usize| phis.get(at).and_then(|phi| phi.inputs.get(1)).copied().unwrap_or_default();
        // `read` maps each PHI to the PHIs of the loop head that its new value reads, and `readers` is the inverse map.
        let mut read: Vec<BTreeSet<usize>> = Vec::with_capacity(phis.len());
        let mut readers: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); phis.len()];
        for at in 0..phis.len() {
            let of = self.reads_of(value(at), insts, reads);
            let of: BTreeSet<usize> =
                of.iter().filter_map(|id| place.get(id).copied()).filter(|&on| on != at).collect();
            of.iter().for_each(|&on| _ = readers[on].insert(at));
            read.push(of);
        }
        let mut order = Vec::with_capacity(phis.len());
        let mut waiting: BTreeSet<usize> = (0..phis.len()).collect();
        let mut free: BTreeSet<usize> = waiting.iter().copied().filter(|&at| readers[at].is_empty()).collect();
        while let Some(&next) = free.first().or(waiting.first()) {
            if !free.remove(&next) {
                // The remaining PHIs form a cycle, so the values that read the PHI with the index `next` get names.
                for at in std::mem::take(&mut readers[next]) {
                    self.set_named(value(at));
                    for on in std::mem::take(&mut read[at]) {
                        readers[on].remove(&at);
                        if on != next && readers[on].is_empty() && waiting.contains(&on) {
                            free.insert(on);
                        }
                    }
                }
            }
            waiting.remove(&next);
            order.push(next);
            for on in std::mem::take(&mut read[next]) {
                readers[on].remove(&next);
                if readers[on].is_empty() && waiting.contains(&on) {
                    free.insert(on);
                }
            }
        }
        self.orders.insert(first, order);
    }

    /// Returns the PHIs that the expression of a value reads, including reads by inlined operands.
    fn reads_of(&self, id: Id, insts: &IdMap<&Inst>, reads: &mut IdMap<Reads>) -> Reads {
        let id = self.whole(id);
        if let Some(known) = reads.get(id) {
            return known.clone();
        }
        let mut found = BTreeSet::new();
        if let Some(inst) = insts.get(id).filter(|_| !self.is_named(id)) {
            // The recursion is bounded, because the expression of an unnamed value fits on a line.
            for operand in inst.inputs.iter().copied() {
                found.extend(self.reads_of(operand, insts, reads).iter());
            }
        }
        let found = Rc::new(found);
        reads.insert(id, found.clone());
        found
    }
}

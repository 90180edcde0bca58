//! The call graph.
//!
//! Rule: the graph has an edge for each CALL of a generic function, and none for a CALL that breaks V38. All traversals are
//! non-recursive and take time proportional to the module.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, DfsPostOrder, EdgeRef};

use crate::limits::Code;
use crate::{FunctionKind, Module, Op};

/// The functions, by index, and the calls between them, in reading order.
pub(crate) struct Calls {
    /// The weight of a call is the number of its instruction in the caller. A module without calls has no nodes.
    graph: DiGraph<(), usize>,
    /// The number of each function's instructions.
    pub(crate) instructions: Vec<usize>,
    /// The counts of the code to which limits apply.
    pub(crate) code: Code,
    /// Whether the module has a CALL, even if each CALL breaks V38.
    pub(crate) any: bool,
}

/// A call that makes a function call itself, directly or indirectly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recursion {
    pub(crate) function: usize,
    pub(crate) instruction: usize,
    pub(crate) callee: usize,
}

impl Calls {
    pub(crate) fn new(module: &Module) -> Calls {
        let mut calls = Calls { graph: DiGraph::new(), instructions: Vec::new(), code: Code::default(), any: false };
        calls.instructions.reserve(module.functions.len());
        for (caller, function) in module.functions.iter().enumerate() {
            let insts = function.body.insts();
            calls.instructions.push(insts.len());
            for (number, inst) in insts.iter().enumerate() {
                calls.code.add(inst);
                if inst.op != Op::Call {
                    continue;
                }
                calls.any = true;
                let Some(callee) = inst.immediates.first().map(|&index| index as usize) else { continue };
                if module.functions.get(callee).is_some_and(|callee| callee.kind == FunctionKind::Generic) {
                    while calls.graph.node_count() < module.functions.len() {
                        calls.graph.add_node(());
                    }
                    calls.graph.add_edge(NodeIndex::new(caller), NodeIndex::new(callee), number);
                }
            }
        }
        calls
    }

    /// Whether the graph has no calls.
    pub(crate) fn is_empty(&self) -> bool {
        self.graph.edge_count() == 0
    }

    /// For each strongly connected component of the call graph, the first call in it.
    pub(crate) fn recursions(&self) -> Vec<Recursion> {
        if self.is_empty() {
            return Vec::new();
        }
        let cycles = kosaraju_scc(&self.graph);
        let mut cycle_of = vec![0; self.graph.node_count()];
        for (number, cycle) in cycles.iter().enumerate() {
            for node in cycle {
                if let Some(of) = cycle_of.get_mut(node.index()) {
                    *of = number;
                }
            }
        }
        let mut reported = vec![false; cycles.len()];
        let mut found = Vec::new();
        for call in self.graph.edge_references() {
            let (function, callee) = (call.source().index(), call.target().index());
            let cycle = cycle_of.get(function);
            if let Some(reported) = cycle.filter(|_| cycle == cycle_of.get(callee)).and_then(|&at| reported.get_mut(at))
                && !std::mem::replace(reported, true)
            {
                found.push(Recursion { function, instruction: *call.weight(), callee });
            }
        }
        found
    }

    /// For each function, whether it is in `from` or is called by one of these functions, directly or indirectly.
    pub(crate) fn reached(&self, from: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut reached = vec![false; self.instructions.len()];
        let mut mark = |index: usize| reached.get_mut(index).into_iter().for_each(|mark| *mark = true);
        let mut walk = None;
        for index in from {
            mark(index);
            if index < self.graph.node_count() {
                let walk = walk.get_or_insert_with(|| Dfs::empty(&self.graph));
                walk.move_to(NodeIndex::new(index));
                while let Some(node) = walk.next(&self.graph) {
                    mark(node.index());
                }
            }
        }
        reached
    }
}

/// The functions that a function calls, directly or indirectly, callees before their callers. A backend that writes
/// them in this order, and the function itself last, needs no forward declarations.
///
/// In a module that verifies, these are generic functions other than `function` itself.
///
/// ```
/// use sdlbc::{Function, Id, Inst, Module, Op, call_order};
///
/// let calling = |callees: &[u32]| Function {
///     body: callees.iter().map(|&callee| Inst::new(Op::Call, Id::NONE, &[], &[callee])).collect(),
///     ..Function::default()
/// };
/// let functions = vec![calling(&[2, 1]), calling(&[3]), calling(&[1]), calling(&[]), calling(&[0])];
/// let module = Module { functions, ..Module::default() };
/// assert_eq!(call_order(&module, 0), [3, 1, 2]);
/// assert_eq!(call_order(&module, 3), []);
/// ```
pub fn call_order(module: &Module, function: usize) -> Vec<usize> {
    // Most modules have no generic functions to call.
    if module.functions.iter().all(|function| function.kind != FunctionKind::Generic) {
        return Vec::new();
    }
    let Calls { graph, .. } = Calls::new(module);
    if function >= graph.node_count() {
        return Vec::new();
    }
    let mut walk = DfsPostOrder::new(&graph, NodeIndex::new(function));
    let order = std::iter::from_fn(|| walk.next(&graph));
    order.map(NodeIndex::index).filter(|&index| index != function).collect()
}

//! The call graph of a module.
//!
//! Rule: the graph has an edge for each CALL of a generic function, and none for a CALL that breaks V38. The traversals do not
//! recurse, and their time is proportional to the module's size.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, DfsPostOrder, EdgeRef};

use crate::limits::Code;
use crate::{FunctionKind, Module, Op};

/// The call graph: a node for each function, by index, and an edge for each valid CALL, in reading order.
pub(crate) struct Calls {
    /// The weight of an edge is the index of the CALL in the caller. The graph of a module without calls has no nodes.
    graph: DiGraph<(), usize>,
    pub(crate) instructions: Vec<usize>,
    pub(crate) code: Code,
    /// Whether the module contains a CALL, even an invalid one.
    pub(crate) any: bool,
}

/// A CALL through which a function calls itself, directly or indirectly.
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

    pub(crate) fn is_empty(&self) -> bool {
        self.graph.edge_count() == 0
    }

    /// Returns the first CALL within each recursive component of the call graph.
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

    /// Returns, for each function, whether it is in `from` or is called, directly or indirectly, by a function in `from`.
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

/// Returns the functions that a function calls, directly or indirectly, with callees before their callers. A backend that
/// writes these functions in order, and `function` last, needs no forward declarations.
///
/// If the module is valid, the result contains only generic functions, and never `function` itself.
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

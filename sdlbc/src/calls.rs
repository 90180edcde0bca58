//! Which function calls which.
//!
//! Rule: the graph has an edge for each CALL of a generic function; what V38 complains about has none. All walks are
//! without recursion and in time proportional to the module.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, DfsPostOrder, EdgeRef};

use crate::{FunctionKind, Module, Op};

/// The functions, by index, and the calls between them, in reading order.
pub(crate) struct Calls {
    /// The weight of a call is the number of its instruction in the caller.
    graph: DiGraph<(), usize>,
    /// The number of each function's instructions.
    pub(crate) instructions: Vec<usize>,
}

/// A call by which a function comes to call itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recursion {
    pub(crate) function: usize,
    pub(crate) instruction: usize,
    pub(crate) callee: usize,
}

impl Calls {
    pub(crate) fn new(module: &Module) -> Calls {
        let mut graph = DiGraph::new();
        let nodes = module.functions.iter().map(|_| graph.add_node(())).collect::<Vec<_>>();
        let mut instructions = Vec::with_capacity(nodes.len());
        for (function, &caller) in module.functions.iter().zip(&nodes) {
            let mut count = 0;
            for (number, inst) in crate::nested::instructions(std::slice::from_ref(&function.body)).enumerate() {
                let index = inst.immediates.first().and_then(|&index| usize::try_from(index).ok());
                let callee = index.filter(|_| inst.op == Op::Call).and_then(|index| module.functions.get(index));
                let generic = callee.is_some_and(|callee| callee.kind == FunctionKind::Generic);
                if let Some(&callee) = index.filter(|_| generic).and_then(|index| nodes.get(index)) {
                    graph.add_edge(caller, callee, number);
                }
                count += 1;
            }
            instructions.push(count);
        }
        Calls { graph, instructions }
    }

    /// For each set of functions that call each other in a circle, the first call among them.
    pub(crate) fn recursions(&self) -> Vec<Recursion> {
        let circles = kosaraju_scc(&self.graph);
        let mut circle_of = vec![0; self.graph.node_count()];
        for (number, circle) in circles.iter().enumerate() {
            for node in circle {
                if let Some(of) = circle_of.get_mut(node.index()) {
                    *of = number;
                }
            }
        }
        let mut told = vec![false; circles.len()];
        let mut found = Vec::new();
        for call in self.graph.edge_references() {
            let (function, callee) = (call.source().index(), call.target().index());
            let circle = circle_of.get(function);
            if let Some(told) = circle.filter(|_| circle == circle_of.get(callee)).and_then(|&at| told.get_mut(at))
                && !std::mem::replace(told, true)
            {
                found.push(Recursion { function, instruction: *call.weight(), callee });
            }
        }
        found
    }

    /// Whether each function is one of these or called by them, through others or not.
    pub(crate) fn reached(&self, from: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut reached = vec![false; self.graph.node_count()];
        let mut walk = Dfs::empty(&self.graph);
        for node in from.into_iter().filter(|&index| index < self.graph.node_count()).map(NodeIndex::new) {
            walk.move_to(node);
            while let Some(node) = walk.next(&self.graph) {
                if let Some(mark) = reached.get_mut(node.index()) {
                    *mark = true;
                }
            }
        }
        reached
    }
}

/// The functions that a function calls, through others or not, callees before their callers. A backend that writes
/// them in this order, and the function itself behind them, needs no declarations.
///
/// In a module that verifies these are generic functions and `function` is not among them.
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
    if function >= module.functions.len() {
        return Vec::new();
    }
    let graph = Calls::new(module).graph;
    let mut walk = DfsPostOrder::new(&graph, NodeIndex::new(function));
    let order = std::iter::from_fn(|| walk.next(&graph));
    order.map(NodeIndex::index).filter(|&index| index != function).collect()
}

//! Draws the control-flow graph of a module in Graphviz's DOT language.
//!
//! Rule: a node is a basic block, an IF, LOOP or SWITCH, or the start, end or exit of a function. A solid edge is a control-flow
//! edge labelled with its condition, and a dashed edge is a call. Each function is a cluster. The output is deterministic, and
//! its size is proportional to the module's size.

use std::collections::{BTreeSet, HashMap};
use std::fmt::{self, Write};

use petgraph::dot::{Config, Dot};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::text::FunctionText;
use crate::{Block, Blocks, InstRef, Module, Op, limits};

/// Returns a module's control-flow graph in Graphviz's DOT language.
///
/// ```
/// let module = sdlbc::Module { functions: vec![sdlbc::Function::default()], ..Default::default() };
/// assert!(sdlbc::graph(&module).starts_with("digraph {\n"));
/// ```
pub fn graph(module: &Module) -> String {
    let mut graph = DiGraph::new();
    let called = module.debug.functions.iter().map(|debug| (debug.function, debug.name.as_str()));
    let called = called.collect::<HashMap<_, _>>();
    let starts = (0..).zip(&module.functions).map(|(index, function)| {
        let debug = called.get(&index).filter(|_| function.name.is_empty());
        let name = shortened(debug.unwrap_or(&function.name.as_str()), LINE);
        let text = format!("{index}: {} function {name:?}", function.kind.name());
        graph.add_node(Node { shape: TERMINAL, text })
    });
    let starts = starts.collect::<Vec<_>>();
    let mut clusters = Vec::with_capacity(starts.len());
    for ((function, text), &start) in module.functions.iter().zip(FunctionText::all(module)).zip(&starts) {
        let first = graph.node_count();
        let mut builder = GraphBuilder {
            graph: &mut graph,
            starts: &starts,
            text,
            next: 0,
            open_edges: vec![OpenEdge::from(start)],
            break_targets: vec![],
        };
        builder.block(function.body.block(), 0);
        if !builder.open_edges.is_empty() {
            builder.node(TERMINAL, "end".to_string());
        }
        clusters.push((start.index(), first..graph.node_count()));
    }
    dot(&graph, &clusters)
}

/// The maximum number of lines shown for a basic block, and of characters shown for a line.
const LINES: usize = 16;
const LINE: usize = 100;

/// A node of the graph. Graphviz left-aligns each line of `text` that ends with a line feed.
struct Node {
    shape: &'static str,
    text: String,
}

/// The shape of a node for the start, the end or an exit of a function.
const TERMINAL: &str = "oval";
const BASIC_BLOCK: &str = "box";
/// The shape of a node for an IF or a SWITCH.
const CHOICE: &str = "diamond";
const LOOP: &str = "hexagon";

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

struct Edge {
    label: String,
    call: bool,
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label)
    }
}

/// An edge whose target node has not been added yet.
struct OpenEdge {
    from: NodeIndex,
    label: String,
}

impl OpenEdge {
    fn from(from: NodeIndex) -> OpenEdge {
        OpenEdge { from, label: String::new() }
    }

    fn labelled(mut self, reason: &str) -> OpenEdge {
        if !self.label.is_empty() {
            self.label.push_str(", ");
        }
        self.label.push_str(reason);
        self
    }
}

/// An open LOOP or SWITCH that a BREAK may leave.
struct BreakTarget {
    /// The head node of a LOOP; `None` for a SWITCH.
    head: Option<NodeIndex>,
    /// The open edges from the BREAKs that leave this LOOP or SWITCH.
    broken: Vec<OpenEdge>,
}

struct GraphBuilder<'a> {
    graph: &'a mut DiGraph<Node, Edge>,
    starts: &'a [NodeIndex],
    text: FunctionText<'a>,
    /// The index of the next instruction, in reading order.
    next: usize,
    /// The open edges that lead to the next node.
    open_edges: Vec<OpenEdge>,
    break_targets: Vec<BreakTarget>,
}

impl GraphBuilder<'_> {
    /// Adds a node, connects all open edges to the node, and opens an edge from the node.
    fn node(&mut self, shape: &'static str, text: String) -> NodeIndex {
        let node = self.graph.add_node(Node { shape, text });
        self.lead_to(node, "");
        self.open_edges.push(OpenEdge::from(node));
        node
    }

    /// Connects all open edges to a node, and adds `reason` to the label of each edge.
    fn lead_to(&mut self, node: NodeIndex, reason: &str) {
        for edge in std::mem::take(&mut self.open_edges) {
            let edge = if reason.is_empty() { edge } else { edge.labelled(reason) };
            self.graph.add_edge(edge.from, node, Edge { label: edge.label, call: false });
        }
    }

    fn block(&mut self, block: Block<'_>, depth: usize) {
        let plain = |inst: &InstRef<'_>| inst.blocks().is_empty() && !inst.op.is_jump();
        let mut rest = block.iter();
        while let Some(inst) = rest.clone().next() {
            let run = rest.clone().take_while(plain).collect::<Vec<_>>();
            if !run.is_empty() {
                self.basic_block(&run);
                rest.by_ref().take(run.len()).for_each(drop);
                continue;
            }
            rest.next();
            if !inst.op.is_jump() {
                self.decision(inst, depth);
                continue;
            }
            self.jump(inst);
            // NOPs after a jump are unreachable.
            while rest.clone().next().is_some_and(|inst| inst.op == Op::Nop && plain(&inst)) {
                rest.next();
                self.next += 1;
            }
        }
    }

    /// Returns the text of the next instruction, which must not have blocks.
    fn line(&mut self, inst: InstRef<'_>) -> String {
        let line = self.text.line(&inst, self.next);
        self.next += 1;
        line
    }

    fn basic_block(&mut self, run: &[InstRef<'_>]) {
        let lines = run.iter().map(|&inst| self.line(inst)).collect::<Vec<_>>();
        let node = self.node(BASIC_BLOCK, block_text(&lines));
        let called = run.iter().filter(|inst| inst.op == Op::Call).filter_map(|inst| inst.immediates.first());
        for &index in called.collect::<BTreeSet<_>>() {
            if let Some(&start) = self.starts.get(index as usize) {
                self.graph.add_edge(node, start, Edge { label: String::new(), call: true });
            }
        }
    }

    fn jump(&mut self, inst: InstRef<'_>) {
        let line = self.line(inst);
        let head = self.break_targets.iter().rev().find_map(|target| target.head);
        match (inst.op, self.break_targets.last_mut(), head) {
            (Op::Break, Some(target), _) => {
                target
                    .broken
                    .extend(std::mem::take(&mut self.open_edges).into_iter().map(|edge| edge.labelled("break")));
            }
            (Op::Continue, _, Some(head)) => self.lead_to(head, "continue"),
            _ => drop(self.node(TERMINAL, shortened(&line, LINE))),
        }
        self.open_edges.clear();
    }

    fn decision(&mut self, inst: InstRef<'_>, depth: usize) {
        let text = self.text.head(&inst, self.next);
        self.next += 1;
        let blocks = inst.op.shape().blocks;
        let head = match blocks {
            Blocks::Loop => self.node(LOOP, "loop".to_string()),
            _ => self.node(CHOICE, shortened(&text, LINE)),
        };
        self.open_edges.clear();
        if depth >= limits::NESTING {
            self.next += inst.inner().len();
            self.open_edges.push(OpenEdge { from: head, label: "...".to_string() });
            return;
        }
        if matches!(blocks, Blocks::Loop | Blocks::Switch) {
            let head = (blocks == Blocks::Loop).then_some(head);
            self.break_targets.push(BreakTarget { head, broken: Vec::new() });
        }
        let mut after = Vec::new();
        for (number, block) in inst.blocks().enumerate() {
            let label = match (blocks, number, inst.immediates.get(number)) {
                (Blocks::Loop, 0, _) => String::new(),
                (Blocks::If, 0, _) => "true".to_string(),
                (Blocks::If, 1, _) => "false".to_string(),
                (Blocks::Switch, _, Some(value)) => format!("case {}", value.cast_signed()),
                (Blocks::Switch, _, None) => "default".to_string(),
                _ => format!("block {number}"),
            };
            self.open_edges.push(OpenEdge { from: head, label });
            self.block(block, depth + 1);
            if blocks == Blocks::Loop {
                self.lead_to(head, "again");
            }
            after.append(&mut self.open_edges);
        }
        if matches!(blocks, Blocks::Loop | Blocks::Switch) {
            after.extend(self.break_targets.pop().into_iter().flat_map(|target| target.broken));
        }
        self.open_edges = after;
    }
}

/// Returns the text of a basic block, without the middle lines of a long block.
fn block_text(lines: &[String]) -> String {
    let (first, last) = if lines.len() > LINES { (LINES - 6, 5) } else { (lines.len(), 0) };
    let left_out = lines.len() - first - last;
    let shown = |line: &String| shortened(line, LINE) + "\n";
    let mut text: String = lines.iter().take(first).map(shown).collect();
    if left_out > 0 {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "... {left_out} more ...");
    }
    text.extend(lines.iter().skip(first + left_out).map(shown));
    text
}

fn shortened(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((at, _)) => format!("{}...", line.get(..at).unwrap_or_default()),
        None => line.to_string(),
    }
}

/// Prints the graph in Graphviz's DOT language, with a cluster for each function.
fn dot(graph: &DiGraph<Node, Edge>, clusters: &[(usize, std::ops::Range<usize>)]) -> String {
    let edge = |_, edge: petgraph::graph::EdgeReference<'_, Edge>| {
        if edge.weight().call { "style = dashed" } else { "" }.to_string()
    };
    let node = |_, (_, node): (_, &Node)| format!("shape = {}", node.shape);
    let content = Dot::with_attr_getters(graph, &[Config::GraphContentOnly], &edge, &node);
    let mut text = format!("digraph {{\n    node [ fontname = monospace ]\n{content}");
    for (index, (start, nodes)) in clusters.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(text, "    subgraph cluster_{index} {{ {start};");
        nodes.clone().for_each(|node| {
            let _ = write!(text, " {node};");
        });
        text.push_str(" }\n");
    }
    text.push_str("}\n");
    text
}

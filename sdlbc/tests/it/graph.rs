//! Tests the graph of a module's structure. `UPDATE_EXPECT=1 cargo test -p sdlbc --test it graph::` renews the expected files.
//! Graphviz can draw these files, for example with `dot -Tsvg testdata/sdlbc/control.dot`.

use crate::common::{expect, functions, inst, nested, repository, sample};
use sdlbc::{Blocks, Function, Id, Inst, Module, Op, code, graph, limits, parse};

#[test]
fn the_graph_of_the_sample() {
    expect("testdata/sdlbc/sample.dot", &graph(&sample()));
}

/// The module contains all kinds of control flow, calls, and names that need escapes.
#[test]
fn the_graph_of_loops_and_switches() {
    let text = std::fs::read_to_string(repository().join("testdata/sdlbc/control.sdlasm")).expect("the text");
    let module = parse(&text).expect("a program");
    assert_eq!(sdlbc::verify(&module), Ok(()));
    expect("testdata/sdlbc/control.dot", &graph(&module));
}

#[test]
fn the_graph_has_every_function_and_all_control_flow() {
    for module in
        [sample(), crate::common::everything(), functions(vec![nested(limits::NESTING + 9)]), Module::default()]
    {
        let graph = graph(&module);
        for function in &module.functions {
            let control = |inst: &&Inst| inst.op == Op::Call || inst.op.shape().blocks != Blocks::None;
            for inst in function.body.insts().iter().filter(control) {
                assert!(graph.contains(inst.op.mnemonic()), "{}", inst.op);
            }
        }
        assert_eq!(graph.matches("subgraph").count(), module.functions.len());
        assert!(graph.starts_with("digraph {\n") && graph.ends_with("}\n"));
    }
}

#[test]
fn nops_after_a_jump_have_no_node() {
    let with = |nop: &str| {
        let text = format!("generic function \"\" {{ \n if %1 {{\nreturn\n{nop} }} else {{\ndiscard\n{nop} }}\n}}");
        graph(&parse(&text).expect("a module"))
    };
    assert_eq!(with(""), with("nop\nnop 0x00000001\n"));
}

#[test]
fn a_long_run_is_shown_from_both_ends() {
    let body = (1..=1000).map(|id| Inst::new(Op::LiteralInt, Id(id), &[], &[id])).collect();
    let text = graph(&functions(vec![Function { body, ..Function::default() }]));
    assert!(text.contains("%10 = literalint 10") && text.contains("%996 = literalint 996"));
    assert!(text.contains("... 985 more ...") && !text.contains("%11 ") && !text.contains("%995 "), "{text}");
}

#[test]
fn a_long_name_is_shortened() {
    let mut module = functions(vec![Function { name: "x".repeat(100_000), ..Function::default() }]);
    module.functions[0].body = code![inst(Op::LiteralInt, 1, &[], &[7])];
    module.debug.functions = vec![crate::common::names(0, &[(1, &"\u{1}\"é".repeat(50_000))])];
    assert!(graph(&module).len() < 2000);
}

#[test]
fn an_instruction_is_shown_in_a_function_that_has_members() {
    let text =
        "generic function \"\" {\ninput %1 vc: float4[4] = uniform\nmember %1[0] clip: float4x4\n%2 = peek %1, 3\n}";
    let graph = graph(&parse(text).expect("a module"));
    assert!(graph.contains("%2 = peek %1, 3  ; float4\\l"), "{graph}");
    assert!(!graph.contains("clip"), "{graph}");
}

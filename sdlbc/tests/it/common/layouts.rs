//! Modules that cover every layout of a file: each kind of block, CALL, RETURN, local slots and each record of the debug table.

use sdlbc::{
    Debug, Function, FunctionDebug, FunctionKind, Id, InputKind, Inst, Lines, Member, Module, Op, OutputKind, Scalar,
    Source, Type, Unit, code,
};

use super::{bits, branch, input, inst, names, output, perspective};

fn bare(op: Op) -> Inst {
    inst(op, 0, &[], &[])
}

/// Creates a module with a debug table, in which a fragment function calls a function with a LOOP and a SWITCH.
pub(crate) fn layouts() -> Module {
    let source = |file: &str, text: &str, unit| Source { file: file.to_string(), text: text.to_string(), unit };
    let debug = Debug {
        program: None,
        sources: vec![source("a.frag", "loop\n\tswitch\n", Unit::Line), source("b", "", Unit::Token)],
        functions: vec![
            FunctionDebug {
                lines: Some(Lines { source: 1, numbers: vec![1, 0, 3] }),
                ..names(0, &[(4, "sum"), (5, "a long name")])
            },
            FunctionDebug {
                name: "helper".to_string(),
                lines: Some(Lines { source: 0, numbers: vec![] }),
                function: 1,
                ..FunctionDebug::default()
            },
        ],
    };
    Module { functions: vec![caller(), looping()], debug }
}

fn caller() -> Function {
    Function {
        kind: FunctionKind::Fragment,
        name: "main".to_string(),
        inputs: vec![input(1, "v0", Type::FLOAT, perspective(0))],
        outputs: vec![output("oc", Type::FLOAT4, OutputKind::Colour { target: 0 })],
        workgroup: None,
        body: code![
            inst(Op::LiteralInt, 2, &[], &[7]),
            inst(Op::Call, 3, &[1, 2], &[1]),
            inst(Op::Vector, 4, &[3, 3, 3, 1], &[]),
            inst(Op::Poke, 0, &[4], &[0]),
            inst(Op::Return, 0, &[0], &[]),
        ],
    }
}

/// Creates a function that adds its first parameter to a local slot in a LOOP, and leaves the LOOP from inside a SWITCH.
fn looping() -> Function {
    let slot = Type::Array(Scalar::Float, 1, 2);
    let cases = inst(Op::Switch, 0, &[8], &[0, u32::MAX]).with_blocks([
        code![inst(Op::Poke, 0, &[10, 3, 8], &[1]), bare(Op::Continue)],
        code![],
        code![inst(Op::Return, 0, &[10], &[])],
    ]);
    let body = code![
        inst(Op::Phi, 7, &[4, 9], &[]),
        inst(Op::Phi, 8, &[2, 0], &[]),
        inst(Op::Add, 9, &[7, 5], &[]),
        branch(6, code![bare(Op::Break)], code![bare(Op::Nop)]),
        inst(Op::Peek, 10, &[3, 0], &[1]),
        inst(Op::LiteralUint, 0, &[], &[3]),
        cases,
    ];
    Function {
        inputs: vec![
            input(1, "a", Type::FLOAT, InputKind::Parameter),
            input(2, "n", Type::INT, InputKind::Parameter),
            input(3, "", slot, InputKind::Local),
        ],
        outputs: vec![output("", Type::FLOAT, OutputKind::Returned)],
        body: code![
            inst(Op::LiteralFloat, 4, &[], &[bits(0.0)]),
            inst(Op::LiteralFloat, 5, &[], &[bits(1.0)]),
            inst(Op::LessThan, 6, &[5, 1], &[]),
            inst(Op::Poke, 0, &[4, 3, 0], &[0]),
            bare(Op::Loop).with_blocks([body]),
            inst(Op::Return, 0, &[1], &[]),
        ],
        ..Function::default()
    }
}

/// Creates the worked example of docs/format.md.
pub(crate) fn example() -> Module {
    let function = Function {
        kind: FunctionKind::Fragment,
        name: "fs_main".to_string(),
        inputs: vec![input(1, "v0", Type::FLOAT4, perspective(0))],
        outputs: vec![output("oc", Type::FLOAT4, OutputKind::Colour { target: 0 })],
        workgroup: None,
        body: code![
            inst(Op::Swizzle, 2, &[1], &[0xffff_ff03]),
            inst(Op::LiteralFloat, 3, &[], &[bits(0.5)]),
            inst(Op::LessThan, 4, &[2, 3], &[]),
            branch(4, code![bare(Op::Discard)], code![]),
            inst(Op::Poke, 0, &[1], &[0]),
        ],
    };
    let debug = Debug { functions: vec![names(0, &[(2, "alpha")])], ..Debug::default() };
    Module { functions: vec![function], debug }
}

pub(crate) fn member(name: &str, (first, component): (u32, u32), ty: Type) -> Member {
    Member { name: name.to_string(), first, component, ty }
}

/// Creates a vertex and a fragment function whose uniform arrays have scalar, vector, matrix and array members.
pub(crate) fn members() -> Module {
    let constants = |id, name: &str, length| input(id, name, Type::Array(Scalar::Float, 4, length), InputKind::Uniform);
    let vertex = Function {
        kind: FunctionKind::Vertex,
        name: "vs_main".to_string(),
        inputs: vec![constants(1, "vc", 9), constants(2, "", 1)],
        outputs: vec![output("op", Type::FLOAT4, OutputKind::Position)],
        workgroup: None,
        body: code![inst(Op::Peek, 3, &[1, 0], &[7]), inst(Op::Poke, 0, &[3], &[0])],
    };
    let fragment = Function {
        kind: FunctionKind::Fragment,
        name: "fs_main".to_string(),
        inputs: vec![constants(1, "fc", 2)],
        outputs: vec![output("oc", Type::FLOAT4, OutputKind::Colour { target: 0 })],
        workgroup: None,
        body: code![inst(Op::Peek, 2, &[1, 0], &[0]), inst(Op::Poke, 0, &[2], &[0])],
    };
    let of_vertex = vec![
        member("world", (0, 0), Type::Matrix { columns: 3, rows: 4 }),
        member("light", (3, 0), Type::floats(3)),
        member("fog", (3, 3), Type::FLOAT),
        member("uv", (4, 2), Type::floats(2)),
        member("bones", (5, 0), Type::Array(Scalar::Float, 4, 3)),
        member("a b", (8, 0), Type::FLOAT4),
    ];
    let debug = |function, members: Vec<(Id, Vec<Member>)>| FunctionDebug {
        members: members.into_iter().collect(),
        ..names(function, &[(3 - function, "sum")])
    };
    let functions = vec![
        debug(0, vec![(Id(1), of_vertex), (Id(2), vec![member("time", (0, 1), Type::FLOAT)])]),
        debug(1, vec![(Id(1), vec![member("time", (1, 0), Type::floats(2))])]),
    ];
    Module { functions: vec![vertex, fragment], debug: Debug { functions, ..Debug::default() } }
}

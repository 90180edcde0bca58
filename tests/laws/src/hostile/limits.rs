//! Modules at each limit of the format, and modules that exceed a limit by one.

use std::collections::BTreeMap;

use sdlbc::{
    Body, Function, FunctionDebug, FunctionKind, FunctionOutput, Id, Input, InputKind, Inst, Interpolation, Lines,
    Member, Module, Op, OutputKind, Sampler, Scalar, Source, Type, ValueNames, code, limits,
};

/// A module that reaches a limit, or that exceeds the limit by one.
#[derive(Clone, Debug)]
pub struct Boundary {
    /// The limited quantity, such as "nested ifs".
    pub what: &'static str,
    /// The number of limited items in the module, which equals the limit or exceeds it by one.
    pub count: usize,
    /// Whether the format allows a module with `count` items.
    pub is_allowed: bool,
    make: Make,
}

impl Boundary {
    /// Builds the module. Building is deferred, because many of these modules are large.
    pub fn module(&self) -> Module {
        (self.make)(self.count)
    }
}

type Make = fn(usize) -> Module;

/// Returns two modules for each limit: one that reaches the limit, and one that exceeds it by one.
pub fn boundaries() -> Vec<Boundary> {
    let narrow = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let all: [(&'static str, usize, Make); 20] = [
        ("nested ifs", limits::NESTING, |n| nested(n, Op::If)),
        ("nested loops", limits::NESTING, |n| nested(n, Op::Loop)),
        ("nested switches", limits::NESTING, |n| nested(n, Op::Switch)),
        ("functions", limits::FUNCTIONS, functions),
        ("inputs and outputs", limits::INTERFACE, interface),
        ("instructions", limits::INSTRUCTIONS, instructions),
        ("cases", limits::INSTRUCTIONS, cases),
        ("operands", limits::OPERANDS, operands),
        ("an id", narrow(limits::MAX_ID), id),
        ("elements of an array", narrow(limits::ARRAY_LENGTH), array),
        ("components of slots", limits::SLOTS, slots),
        ("a location", narrow(limits::PLACES) - 1, location),
        ("a texture's slot", narrow(limits::PLACES) - 1, texture),
        ("a target", narrow(limits::TARGETS) - 1, target),
        ("bytes of a name", limits::NAME, name),
        ("sources", limits::SOURCES, sources),
        ("bytes of strings", limits::STRINGS, strings),
        ("names of values", limits::VALUE_NAMES, value_names),
        ("members", limits::MEMBERS, members),
        ("line numbers", limits::LINES, lines),
    ];
    let both = all.into_iter().flat_map(|(what, limit, make)| {
        [(limit, true), (limit + 1, false)].map(|(count, is_allowed)| Boundary { what, count, is_allowed, make })
    });
    both.collect()
}

fn word(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn inst(op: Op, output: u32, inputs: &[u32], immediates: &[u32]) -> Inst {
    let inputs: Vec<Id> = inputs.iter().map(|&id| Id(id)).collect();
    Inst::new(op, Id(output), &inputs, immediates)
}

fn colour(target: u32) -> FunctionOutput {
    FunctionOutput { ty: Type::FLOAT4, name: String::new(), kind: OutputKind::Colour { target } }
}

/// Returns a module whose fragment function writes a colour and then executes `code`.
fn fragment(inputs: Vec<Input>, code: Body) -> Module {
    let mut body = code![inst(Op::LiteralFloat4, 1, &[], &[0, 0, 0, 0]), inst(Op::Poke, 0, &[1], &[0])];
    body.append(code);
    let outputs = vec![colour(0)];
    let function =
        Function { kind: FunctionKind::Fragment, name: "main".into(), inputs, outputs, workgroup: None, body };
    Module { functions: vec![function], ..Module::default() }
}

fn input(id: usize, ty: Type, kind: InputKind) -> Input {
    Input { id: Id(word(id)), ty, name: String::new(), kind }
}

fn nested(depth: usize, op: Op) -> Module {
    let mut inner = code![];
    for _ in 0..depth {
        inner = match op {
            Op::Loop => {
                inner.push(inst(Op::Break, 0, &[], &[]));
                inst(op, 0, &[], &[]).with_blocks([inner])
            }
            Op::Switch => inst(op, 0, &[3], &[7]).with_blocks([inner, code![]]),
            _ => inst(op, 0, &[2], &[]).with_blocks([code![], inner]),
        };
    }
    let code = code![inst(Op::LiteralBool, 2, &[], &[1]), inst(Op::LiteralInt, 3, &[], &[7]), inner];
    fragment(Vec::new(), code)
}

fn functions(count: usize) -> Module {
    let mut module = fragment(Vec::new(), code![inst(Op::Call, 0, &[], &[1])]);
    for at in 1..count {
        let body = if at + 1 < count { code![inst(Op::Call, 0, &[], &[word(at + 1)])] } else { code![] };
        module.functions.push(Function { body, ..Function::default() });
    }
    module
}

fn interface(count: usize) -> Module {
    let inputs = (1..count).map(|at| input(at + 1, Type::FLOAT, InputKind::Uniform)).collect();
    fragment(inputs, code![])
}

fn instructions(count: usize) -> Module {
    let add = |at: usize| inst(Op::Add, word(at), &[word(at - 1), 1], &[]);
    fragment(Vec::new(), (2..count).map(add).collect())
}

fn cases(count: usize) -> Module {
    // Four instructions are not cases: the selector, the switch, and two instructions that write the colour.
    let values: Vec<u32> = (0..word(count - 4)).collect();
    let blocks = vec![Body::default(); values.len() + 1];
    let switch = inst(Op::Switch, 0, &[2], &values).with_blocks(blocks);
    fragment(Vec::new(), code![inst(Op::LiteralInt, 2, &[], &[7]), switch])
}

fn operands(count: usize) -> Module {
    // The two instructions that write the colour have six operands: four words, an id and a word.
    let words: Vec<u32> = (0..word(count - 6)).collect();
    let (one, other) = words.split_at(words.len() / 2);
    fragment(Vec::new(), [one, other].map(|words| inst(Op::Nop, 0, &[], words)).into_iter().collect())
}

fn id(id: usize) -> Module {
    fragment(Vec::new(), code![inst(Op::Negate, word(id), &[1], &[]), inst(Op::Abs, 2, &[word(id)], &[])])
}

fn array(length: usize) -> Module {
    let read =
        code![inst(Op::LiteralInt, 3, &[], &[7]), inst(Op::Peek, 4, &[2, 3], &[0]), inst(Op::Poke, 0, &[4], &[0])];
    fragment(vec![input(2, Type::Array(Scalar::Float, 4, word(length)), InputKind::Uniform)], read)
}

fn slots(components: usize) -> Module {
    let whole = components / 4096;
    let mut inputs: Vec<Input> =
        (0..whole).map(|at| input(at + 2, Type::Array(Scalar::Float, 1, 4096), InputKind::Local)).collect();
    let rest = components % 4096;
    if rest > 0 {
        inputs.push(input(whole + 2, Type::Array(Scalar::Int, 1, word(rest)), InputKind::Local));
    }
    let mut code = code![inst(Op::LiteralFloat, 100, &[], &[0])];
    (0..whole).for_each(|at| code.push(inst(Op::Poke, 0, &[100, word(at + 2), 0], &[4095])));
    fragment(inputs, code)
}

fn location(location: usize) -> Module {
    let kind = InputKind::Varying { location: word(location), interpolation: Interpolation::Flat };
    fragment(vec![input(2, Type::FLOAT4, kind)], code![inst(Op::Poke, 0, &[2], &[0])])
}

fn texture(slot: usize) -> Module {
    let kind = InputKind::Texture { slot: word(slot), sampler: Sampler::default() };
    let code = code![
        inst(Op::LiteralInt4, 3, &[], &[0, 1, u32::MAX, 0x8000_0000]),
        inst(Op::Swizzle, 4, &[3], &[0xffff_0302]),
        inst(Op::LiteralInt, 5, &[], &[u32::MAX]),
        inst(Op::Fetch, 6, &[2, 4, 5], &[]),
        inst(Op::Poke, 0, &[6], &[0]),
    ];
    fragment(vec![input(2, Type::Texture(sdlbc::Dimension::D2, sdlbc::Texel::Float), kind)], code)
}

fn target(target: usize) -> Module {
    let mut module = fragment(Vec::new(), code![inst(Op::Poke, 0, &[1], &[1])]);
    module.functions[0].outputs.push(colour(word(target)));
    module
}

fn name(bytes: usize) -> Module {
    let array = input(3, Type::Array(Scalar::Float, 4, 1), InputKind::Uniform);
    let inputs = vec![input(2, Type::FLOAT4, InputKind::Uniform), array];
    let mut module = fragment(inputs, code![inst(Op::Poke, 0, &[2], &[0])]);
    let long = "n".repeat(bytes);
    module.functions[0].name.clone_from(&long);
    module.functions[0].inputs[0].name.clone_from(&long);
    module.functions[0].outputs[0].name.clone_from(&long);
    module.debug.sources.push(Source { file: long.clone(), ..Source::default() });
    module.debug.functions.push(FunctionDebug {
        ids: ValueNames::from([(Id(1), long.clone())]),
        members: BTreeMap::from([(
            Id(3),
            vec![Member { name: long.clone(), first: 0, component: 0, ty: Type::FLOAT }],
        )]),
        name: long,
        ..FunctionDebug::default()
    });
    module
}

fn sources(count: usize) -> Module {
    let mut module = fragment(Vec::new(), code![]);
    module.debug.sources = vec![Source::default(); count];
    module
}

fn strings(bytes: usize) -> Module {
    let mut module = fragment(Vec::new(), code![]);
    // Four bytes of the module's strings are the function's name.
    module.debug.sources = vec![Source {
        text: "é".repeat(bytes / 2 - 2) + if bytes.is_multiple_of(2) { "" } else { "a" },
        ..Source::default()
    }];
    module
}

/// Returns a debug table without a program, because no function can have the number of values that the limit on names
/// allows.
fn value_names(count: usize) -> Module {
    let mut module = Module::default();
    module.debug.program = Some(u32::MAX);
    let ids = (1..=word(count)).map(|id| (Id(id), "x".to_string())).collect();
    module.debug.functions.push(FunctionDebug { ids, ..FunctionDebug::default() });
    module
}

/// Returns a module with `count` members, one for each component, distributed over as many uniforms as necessary.
fn members(count: usize) -> Module {
    let length = limits::ARRAY_LENGTH;
    let components = 4 * usize::try_from(length).unwrap_or(usize::MAX);
    let arrays = count.div_ceil(components);
    let inputs = (0..arrays).map(|at| input(at + 2, Type::Array(Scalar::Float, 4, length), InputKind::Uniform));
    let mut module = fragment(inputs.collect(), code![]);
    let mut members: BTreeMap<Id, Vec<Member>> = BTreeMap::new();
    for at in 0..count {
        let place = word(at % components);
        let member = Member { name: format!("m{place}"), first: place / 4, component: place % 4, ty: Type::floats(1) };
        members.entry(Id(word(at / components + 2))).or_default().push(member);
    }
    module.debug.functions.push(FunctionDebug { members, ..FunctionDebug::default() });
    module
}

fn lines(count: usize) -> Module {
    let mut module = instructions(limits::INSTRUCTIONS);
    module.debug.sources.push(Source::default());
    let lines = Lines { source: 0, numbers: vec![u32::MAX; count] };
    module.debug.functions.push(FunctionDebug { lines: Some(lines), ..FunctionDebug::default() });
    module
}

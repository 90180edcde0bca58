//! The output of the generator: modules that verify, contain every operation and every kind of thing, and are of
//! bounded size.

use std::collections::BTreeSet;

use laws::{from_seed, module};
use sdlbc::{Block, Builtin, Dimension, FunctionKind, InputKind, Interpolation, Module, Op, OutputKind, Scalar, Type};
use testing::Effort;

fn each_inst(block: &Block, depth: usize, visit: &mut impl FnMut(&sdlbc::Inst, usize)) {
    for inst in block {
        visit(inst, depth);
        inst.blocks.iter().for_each(|block| each_inst(block, depth + 1, visit));
    }
}

fn instructions(module: &Module) -> usize {
    let mut count = 0;
    module.functions.iter().for_each(|function| each_inst(&function.body, 0, &mut |_, _| count += 1));
    count
}

#[test]
fn generated_modules_verify() {
    for seed in Effort::of("MODULES", 1000).seeds() {
        let module = from_seed(seed);
        if let Err(violations) = sdlbc::verify(&module) {
            let violations: Vec<String> = violations.iter().map(|violation| violation.to_string()).collect();
            panic!("seed {seed}:\n{}\n{}", violations.join("\n"), sdlbc::print(&module));
        }
    }
}

#[test]
fn a_seed_determines_its_module() {
    assert!((0..20).all(|seed| from_seed(seed) == from_seed(seed)));
    assert_ne!(from_seed(1), from_seed(2));
}

#[test]
fn modules_are_of_a_readable_size() {
    let mut sizes: Vec<usize> = (0..500).map(|seed| instructions(&from_seed(seed))).collect();
    sizes.sort_unstable();
    println!("instructions: {} to {}, half of them above {}", sizes[0], sizes[499], sizes[250]);
    assert!((20..=120).contains(&sizes[250]), "{}", sizes[250]);
    assert!(sizes[499] <= 600, "{}", sizes[499]);
}

/// A fuzzer starts with few bytes, and with any bytes.
#[test]
fn few_bytes_and_equal_bytes_still_make_modules() {
    for byte in 0..=u8::MAX {
        for length in [0, 1, 7, 60, 3000] {
            let module = module(&mut arbitrary::Unstructured::new(&vec![byte; length])).expect("a module");
            assert_eq!(sdlbc::verify(&module), Ok(()), "{length} bytes of {byte}\n{}", sdlbc::print(&module));
            assert!(instructions(&module) <= 2000, "{length} bytes of {byte}");
        }
    }
}

/// A list of everything that may occur: each entry is one thing that was seen.
#[derive(Default)]
struct Seen(BTreeSet<String>);

impl Seen {
    fn add(&mut self, what: impl std::fmt::Debug) {
        self.0.insert(format!("{what:?}"));
    }

    #[track_caller]
    fn has(&self, what: impl std::fmt::Debug) {
        let what = format!("{what:?}");
        assert!(self.0.contains(&what), "no module has {what}");
    }
}

fn class(ty: Type) -> Type {
    match ty {
        Type::Array(scalar, width, _) => Type::Array(scalar, width, 1),
        other => other,
    }
}

fn see(module: &Module, seen: &mut Seen) {
    for (index, function) in module.functions.iter().enumerate() {
        seen.add((function.kind, function.name.is_empty()));
        for input in &function.inputs {
            match input.kind {
                InputKind::Attribute { .. } => seen.add(("attribute", input.ty)),
                InputKind::Varying { interpolation, .. } => seen.add(("varying in", interpolation)),
                InputKind::Uniform => seen.add(("uniform", class(input.ty))),
                InputKind::Texture { .. } => seen.add(("texture", input.ty)),
                InputKind::Builtin(builtin) => seen.add(("builtin", builtin)),
                InputKind::Parameter => seen.add(("parameter", input.ty)),
                InputKind::Local => seen.add(("local", class(input.ty))),
            }
        }
        for output in &function.outputs {
            match output.kind {
                OutputKind::Position => seen.add("position"),
                OutputKind::Varying { interpolation, .. } => seen.add(("varying out", interpolation)),
                OutputKind::Colour { target } => seen.add(("colour", target)),
                OutputKind::Depth => seen.add("depth"),
                OutputKind::PointSize => seen.add("point size"),
                OutputKind::Returned => seen.add(("returned", output.ty)),
            }
        }
        let types = sdlbc::infer_types(module, index);
        let mut loops = Vec::new();
        each_inst(&function.body, 0, &mut |inst, depth| {
            seen.add(inst.op);
            seen.add((inst.op, "in", function.kind));
            types.get(inst.output).into_iter().for_each(|ty| seen.add(("value", ty)));
            seen.add((inst.op, "not stored", !inst.output.is_some()));
            loops.truncate(depth);
            loops.push(inst.op);
            let around = &loops[..depth];
            seen.add((inst.op, "in loops", around.iter().filter(|op| **op == Op::Loop).count()));
            seen.add((inst.op, "directly in", around.last().copied()));
            if inst.op == Op::Phi {
                let absent: Vec<bool> = inst.inputs.iter().map(|id| !id.is_some()).collect();
                seen.add(("phi without", absent));
            }
            if matches!(inst.op, Op::Peek | Op::Poke) {
                let last = inst.inputs.last().is_some_and(|id| id.is_some());
                seen.add((inst.op, inst.inputs.len(), "operands, indexed", last));
            }
            if inst.op == Op::Loop {
                let phis = inst.blocks[0].iter().take_while(|inst| inst.op == Op::Phi).count();
                seen.add(("loop with phis", phis));
            }
        });
    }
    let kinds: Vec<FunctionKind> = module.functions.iter().map(|function| function.kind).collect();
    seen.add(("entries", kinds.contains(&FunctionKind::Vertex), kinds.contains(&FunctionKind::Fragment)));
    for debug in &module.debug.functions {
        seen.add(("debug", !debug.name.is_empty(), !debug.ids.is_empty(), debug.lines.is_some()));
    }
    module.debug.sources.iter().for_each(|source| seen.add(("source", source.unit)));
}

#[test]
fn every_operation_kind_and_type_occurs() {
    let mut seen = Seen::default();
    for seed in 0..2000 {
        see(&from_seed(seed), &mut seen);
    }
    for &op in Op::ALL {
        seen.has(op);
        if op.shape().output {
            seen.has((op, "not stored", true));
        }
    }
    for kind in FunctionKind::ALL {
        seen.has((kind, false));
        for op in [Op::If, Op::Loop, Op::Switch, Op::Call, Op::Phi, Op::Return, Op::Nop, Op::Peek, Op::Poke] {
            seen.has((op, "in", kind));
        }
    }
    seen.has((FunctionKind::Generic, true));
    for (scalar, width) in Scalar::ALL.into_iter().flat_map(|scalar| (1..=4).map(move |width| (scalar, width))) {
        seen.has(("value", Type::Vector(scalar, width)));
        seen.has(("local", Type::Array(scalar, width, 1)));
        seen.has(("parameter", Type::Vector(scalar, width)));
        seen.has(("returned", Type::Vector(scalar, width)));
        if scalar != Scalar::Bool {
            seen.has(("uniform", Type::Vector(scalar, width)));
            seen.has(("uniform", Type::Array(scalar, width, 1)));
        }
    }
    for (columns, rows) in (2..=4).flat_map(|columns| (2..=4).map(move |rows| (columns, rows))) {
        seen.has(("value", Type::Matrix { columns, rows }));
        seen.has(("uniform", Type::Matrix { columns, rows }));
    }
    for scalar in [Scalar::Float, Scalar::Int, Scalar::Uint] {
        (1..=4).for_each(|width| seen.has(("attribute", Type::Vector(scalar, width))));
    }
    Interpolation::ALL.into_iter().for_each(|how| {
        seen.has(("varying in", how));
        seen.has(("varying out", how));
    });
    Dimension::ALL.into_iter().for_each(|dimension| seen.has(("texture", Type::Texture(dimension))));
    Builtin::ALL.into_iter().for_each(|builtin| seen.has(("builtin", builtin)));
    (0..sdlbc::limits::TARGETS).for_each(|target| seen.has(("colour", target)));
    ["position", "depth", "point size"].into_iter().for_each(|kind| seen.has(kind));
    for (vertex, fragment) in [(false, false), (true, false), (false, true), (true, true)] {
        seen.has(("entries", vertex, fragment));
    }
    for op in [Op::Break, Op::Continue, Op::Return, Op::Discard, Op::Poke, Op::Peek, Op::Switch] {
        seen.has((op, "in loops", 3));
    }
    seen.has((Op::Call, "in loops", 2));
    seen.has((Op::Loop, "in loops", 2));
    for op in [Op::Break, Op::Continue, Op::Return, Op::Discard] {
        for around in [Op::If, Op::Loop, Op::Switch] {
            seen.has((op, "directly in", Some(around)));
        }
    }
    seen.has((Op::Return, "directly in", None::<Op>));
    for phis in 1..=4 {
        seen.has(("loop with phis", phis));
    }
    for absent in [[false, false], [true, false], [false, true]] {
        seen.has(("phi without", absent.to_vec()));
    }
    for indexed in [false, true] {
        seen.has((Op::Peek, 2, "operands, indexed", indexed));
        seen.has((Op::Poke, 3, "operands, indexed", indexed));
    }
    for bits in 1..8 {
        seen.has(("debug", bits & 1 != 0, bits & 2 != 0, bits & 4 != 0));
    }
    sdlbc::Unit::ALL.into_iter().for_each(|unit| seen.has(("source", unit)));
}

//! Checks that generated modules are valid and of moderate size, and that together they contain every operation, kind and
//! type.

use std::collections::BTreeSet;

use laws::{from_seed, module, of_operation, plain_from_seed};
use sdlbc::{Block, Builtin, FunctionKind, InputKind, InstRef, Interpolation, Module, Op, OutputKind, Scalar, Type};
use testing::Effort;

/// The number of modules after which a test stops searching for missing features.
const MOST: u64 = 20_000;

fn each_inst(block: Block<'_>, depth: usize, visit: &mut impl FnMut(InstRef<'_>, usize)) {
    for inst in block {
        visit(inst, depth);
        inst.blocks().for_each(|block| each_inst(block, depth + 1, visit));
    }
}

fn any_inst(module: &Module, is_wanted: impl Fn(&sdlbc::Inst) -> bool) -> bool {
    module.functions.iter().flat_map(|function| function.body.insts()).any(is_wanted)
}

fn instructions(module: &Module) -> usize {
    module.functions.iter().map(|function| function.body.insts().len()).sum()
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
    println!("instructions: {} to {}, the median is {}", sizes[0], sizes[499], sizes[250]);
    assert!((20..=120).contains(&sizes[250]), "{}", sizes[250]);
    assert!(sizes[499] <= 600, "{}", sizes[499]);
}

/// A fuzzer may start with very few bytes, or with bytes that are all equal.
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

/// The features that occur in modules. Each feature is described by a short text.
#[derive(Default)]
struct Traits(BTreeSet<String>);

impl Traits {
    fn add(&mut self, what: impl std::fmt::Debug) {
        self.0.insert(format!("{what:?}"));
    }
}

fn class(ty: Type) -> Type {
    match ty {
        Type::Array(scalar, width, _) => Type::Array(scalar, width, 1),
        other => other,
    }
}

fn traits(module: &Module) -> Traits {
    let mut seen = Traits::default();
    for (index, function) in module.functions.iter().enumerate() {
        seen.add((function.kind, function.name.is_empty()));
        for input in &function.inputs {
            match input.kind {
                InputKind::Attribute { .. } => seen.add(("attribute", input.ty)),
                InputKind::Varying { interpolation, .. } => seen.add(("varying in", interpolation)),
                InputKind::Uniform => seen.add(("uniform", class(input.ty))),
                InputKind::Placed { slot, .. } => {
                    seen.add(("placed", class(input.ty)));
                    seen.add(("slot", slot));
                }
                InputKind::Texture { .. } => seen.add(("texture", input.ty)),
                InputKind::Builtin(builtin) => seen.add(("builtin", builtin)),
                InputKind::Parameter => seen.add(("parameter", input.ty)),
                InputKind::Local => seen.add(("local", class(input.ty))),
                InputKind::Image { access, .. } => seen.add(("image", access)),
                InputKind::Buffer { access, .. } => seen.add(("buffer", access)),
                InputKind::Shared => seen.add(("shared", class(input.ty))),
            }
        }
        for output in &function.outputs {
            match output.kind {
                OutputKind::Position => seen.add("position"),
                OutputKind::Varying { interpolation, .. } => seen.add(("varying out", interpolation)),
                OutputKind::Colour { target } => {
                    seen.add(("colour", target));
                    seen.add(("colour", output.ty));
                }
                OutputKind::Depth => seen.add("depth"),
                OutputKind::PointSize => seen.add("point size"),
                OutputKind::ClipDistance { index } => seen.add(("clip distance", index)),
                OutputKind::Returned => seen.add(("returned", output.ty)),
            }
        }
        let types = sdlbc::infer_types(module, index);
        let mut loops = Vec::new();
        each_inst(function.body.block(), 0, &mut |inst, depth| {
            seen.add((inst.op, "in", function.kind));
            types.get(inst.output).into_iter().for_each(|ty| seen.add(("value", ty)));
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
                let phis = inst.inner().iter().take_while(|inst| inst.op == Op::Phi).count();
                seen.add(("loop with phis", phis));
            }
        });
    }
    let kinds: Vec<FunctionKind> = module.functions.iter().map(|function| function.kind).collect();
    seen.add(("entries", kinds.contains(&FunctionKind::Vertex), kinds.contains(&FunctionKind::Fragment)));
    for debug in &module.debug.functions {
        for member in debug.members.values().flatten() {
            seen.add(("member", class(member.ty), member.component));
        }
        seen.add(("debug", !debug.name.is_empty(), !debug.ids.is_empty(), debug.lines.is_some()));
    }
    module.debug.sources.iter().for_each(|source| seen.add(("source", source.unit)));
    seen
}

/// Returns the operations that random modules must contain, which are all operations except those that only compute functions
/// use.
fn drawn() -> impl Iterator<Item = &'static Op> {
    Op::ALL.iter().filter(|op| !laws::compute::OPERATIONS.contains(op))
}

#[test]
fn modules_of_an_operation_contain_it() {
    let numbers = 0..Effort::of("MODULES", 40).cases;
    for (&op, number) in drawn().flat_map(|op| numbers.clone().map(move |number| (op, number))) {
        let module = of_operation(op, number);
        assert!(any_inst(&module, |inst| inst.op == op), "`{op}`, {number}");
        assert_eq!(sdlbc::verify(&module), Ok(()), "`{op}`, {number}");
        assert!(number > 0 || module == of_operation(op, number) && module != of_operation(op, 1), "`{op}`");
    }
}

#[test]
fn the_result_of_every_operation_may_lack_an_id() {
    for &op in drawn().filter(|op| op.shape().output) {
        let mut modules = (0..MOST).map(|number| of_operation(op, number));
        let is_found = modules.any(|module| any_inst(&module, |inst| inst.op == op && !inst.output.is_some()));
        assert!(is_found, "each of {MOST} modules uses the results of `{op}`");
    }
}

#[test]
fn every_kind_and_type_occurs() {
    let Traits(mut missing) = wanted();
    for seed in 0..MOST {
        let Traits(found) = traits(&from_seed(seed));
        missing.retain(|what| !found.contains(what));
        if missing.is_empty() {
            println!("all occur in the first {} modules", seed + 1);
            return;
        }
    }
    panic!("none of {MOST} modules has {missing:#?}");
}

fn wanted() -> Traits {
    let mut wanted = Traits::default();
    for kind in FunctionKind::ALL.into_iter().filter(|&kind| kind != FunctionKind::Compute) {
        wanted.add((kind, false));
        for op in [Op::If, Op::Loop, Op::Switch, Op::Call, Op::Phi, Op::Return, Op::Nop, Op::Peek, Op::Poke] {
            wanted.add((op, "in", kind));
        }
    }
    wanted.add((FunctionKind::Generic, true));
    for (scalar, width) in Scalar::ALL.into_iter().flat_map(|scalar| (1..=4).map(move |width| (scalar, width))) {
        wanted.add(("value", Type::Vector(scalar, width)));
        wanted.add(("local", Type::Array(scalar, width, 1)));
        wanted.add(("parameter", Type::Vector(scalar, width)));
        wanted.add(("returned", Type::Vector(scalar, width)));
        if scalar != Scalar::Bool {
            wanted.add(("uniform", Type::Vector(scalar, width)));
            wanted.add(("uniform", Type::Array(scalar, width, 1)));
        }
    }
    for (columns, rows) in (2..=4).flat_map(|columns| (2..=4).map(move |rows| (columns, rows))) {
        wanted.add(("value", Type::Matrix { columns, rows }));
        wanted.add(("uniform", Type::Matrix { columns, rows }));
    }
    for scalar in [Scalar::Float, Scalar::Int, Scalar::Uint] {
        (1..=4).for_each(|width| wanted.add(("attribute", Type::Vector(scalar, width))));
    }
    Interpolation::ALL.into_iter().for_each(|how| {
        wanted.add(("varying in", how));
        wanted.add(("varying out", how));
    });
    Type::TEXTURES.iter().for_each(|&ty| wanted.add(("texture", ty)));
    let builtins = Builtin::ALL.into_iter().filter(|builtin| !builtin.is_of_compute());
    builtins.for_each(|builtin| wanted.add(("builtin", builtin)));
    (0..sdlbc::limits::TARGETS).for_each(|target| wanted.add(("colour", target)));
    for scalar in [Scalar::Float, Scalar::Int, Scalar::Uint] {
        wanted.add(("colour", Type::Vector(scalar, 4)));
    }
    [0, 1, 3, 63].into_iter().for_each(|slot| wanted.add(("slot", slot)));
    for ty in [Type::FLOAT, Type::Array(Scalar::Float, 4, 1), Type::Matrix { columns: 4, rows: 4 }] {
        wanted.add(("placed", class(ty)));
    }
    ["position", "depth", "point size"].into_iter().for_each(|kind| wanted.add(kind));
    (0..sdlbc::limits::CLIP_DISTANCES).for_each(|index| wanted.add(("clip distance", index)));
    for (vertex, fragment) in [(false, false), (true, false), (false, true), (true, true)] {
        wanted.add(("entries", vertex, fragment));
    }
    for op in [Op::Break, Op::Continue, Op::Return, Op::Discard, Op::Poke, Op::Peek, Op::Switch] {
        wanted.add((op, "in loops", 3));
    }
    wanted.add((Op::Call, "in loops", 2));
    wanted.add((Op::Loop, "in loops", 2));
    for op in [Op::Break, Op::Continue, Op::Return, Op::Discard] {
        for around in [Op::If, Op::Loop, Op::Switch] {
            wanted.add((op, "directly in", Some(around)));
        }
    }
    wanted.add((Op::Return, "directly in", None::<Op>));
    for phis in 1..=4 {
        wanted.add(("loop with phis", phis));
    }
    for absent in [[false, false], [true, false], [false, true]] {
        wanted.add(("phi without", absent.to_vec()));
    }
    for indexed in [false, true] {
        wanted.add((Op::Peek, 2, "operands, indexed", indexed));
        wanted.add((Op::Poke, 3, "operands, indexed", indexed));
    }
    for bits in 1..8 {
        wanted.add(("debug", bits & 1 != 0, bits & 2 != 0, bits & 4 != 0));
    }
    sdlbc::Unit::ALL.into_iter().for_each(|unit| wanted.add(("source", unit)));
    wanted
}

#[test]
fn plain_modules_contain_everything_that_agal_can_say() {
    use FunctionKind::{Fragment, Generic, Vertex};
    const COMPUTED: [Op; 24] = [
        Op::LiteralFloat,
        Op::LiteralInt,
        Op::Vector,
        Op::Swizzle,
        Op::Add,
        Op::Subtract,
        Op::Multiply,
        Op::Min,
        Op::Max,
        Op::Abs,
        Op::Negate,
        Op::Fract,
        Op::Select,
        Op::LessThan,
        Op::LessThanOrEqual,
        Op::GreaterThan,
        Op::GreaterThanOrEqual,
        Op::Equal,
        Op::NotEqual,
        Op::Peek,
        Op::Poke,
        Op::Phi,
        Op::If,
        Op::Loop,
    ];
    let mut missing = Traits::default();
    COMPUTED.iter().for_each(|&op| [Vertex, Fragment, Generic].iter().for_each(|kind| missing.add((op, "in", kind))));
    [Vertex, Fragment].iter().for_each(|kind| missing.add((Op::Call, "in", kind)));
    for op in [Op::Break, Op::Continue, Op::Return, Op::Discard] {
        missing.add((op, "directly in", Some(Op::If)));
        missing.add((op, "in loops", 1));
    }
    missing.add((Op::Peek, 2, "operands, indexed", true));
    (0..4).for_each(|phis| missing.add(("loop with phis", 1 + phis)));
    for width in 1..=4 {
        missing.add(("attribute", Type::floats(width)));
        missing.add(("parameter", Type::floats(width)));
        missing.add(("returned", Type::floats(width)));
        missing.add(("uniform", Type::floats(width)));
    }
    for seed in 0..MOST / 10 {
        let module = plain_from_seed(seed);
        assert_eq!(sdlbc::verify(&module), Ok(()), "seed {seed}");
        let Traits(found) = traits(&module);
        missing.0.retain(|wanted| !found.contains(wanted));
    }
    assert!(missing.0.is_empty(), "{:?}", missing.0);
}

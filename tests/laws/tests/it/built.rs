//! Tests modules that are built in memory, with contents that no file can have. The changes to generated modules include ids
//! above the limit, NULs in names, vectors of seven components, records out of order, and malformed instructions. A module that
//! the verifier accepts is written, printed and read back unchanged. A module that the verifier rejects must not cause a panic.
//!
//! A full run tests 150 modules, and `MODULES=...` tests more. A failure prints its seed.

use laws::{from_seed, roundtrip_of, text_of};
use sdlbc::{
    Body, Dialect, FunctionDebug, Id, Inst, Lines, Member, Module, Op, Source, SourceBinding, Type, encode_readable,
    fit, limits, print, verify,
};
use testing::{Effort, Random};

fn any_id(random: &mut Random) -> Id {
    Id([0, 1, 7, limits::MAX_ID, limits::MAX_ID + 1, u32::MAX][random.below(6)])
}

fn any_name(random: &mut Random) -> String {
    match random.below(6) {
        0 => "a\0b".to_string(),
        1 => "x".repeat(limits::NAME),
        2 => "é".repeat(limits::NAME / 2 + 1),
        3 => String::new(),
        4 => "\u{202e}\"\\\n\u{feff}".to_string(),
        _ => "name".to_string(),
    }
}

fn any_type(random: &mut Random) -> Type {
    let width = [0, 1, 4, 5, 255][random.below(5)];
    let scalar = sdlbc::Scalar::ALL[random.below(5)];
    match random.below(4) {
        0 => Type::Array(scalar, width, [0, 1, limits::ARRAY_LENGTH, limits::ARRAY_LENGTH + 1][random.below(4)]),
        1 => Type::Matrix { columns: [0, 1, 3, 5][random.below(4)], rows: width },
        _ => Type::Vector(scalar, width),
    }
}

fn any_members(random: &mut Random) -> Vec<Member> {
    let member = |random: &mut Random| Member {
        name: any_name(random),
        first: [0, 1, 7, u32::MAX][random.below(4)],
        component: [0, 1, 2, 3, 4, u32::MAX][random.below(6)],
        ty: if random.below(2) == 0 { Type::FLOAT } else { any_type(random) },
    };
    (0..random.below(4)).map(|_| member(random)).collect()
}

fn change(module: &mut Module, random: &mut Random) {
    let at = random.below(module.functions.len().max(1));
    let Some(function) = module.functions.get_mut(at) else { return };
    match random.below(17) {
        0 => function.name = any_name(random),
        1 => function.inputs.iter_mut().take(1).for_each(|input| input.name = any_name(random)),
        2 => function.outputs.iter_mut().take(1).for_each(|output| output.name = any_name(random)),
        3 => function.inputs.iter_mut().take(1).for_each(|input| input.ty = any_type(random)),
        4 => function.outputs.iter_mut().take(1).for_each(|output| output.ty = any_type(random)),
        5 => function.inputs.iter_mut().take(1).for_each(|input| input.id = any_id(random)),
        6 => {
            let at = random.below(function.body.insts().len().max(1));
            let Some(inst) = function.body.insts_mut().get_mut(at) else { return };
            match random.below(6) {
                0 => inst.output = any_id(random),
                1 => inst.inputs = (0..random.below(5)).map(|_| any_id(random)).collect(),
                2 => inst.immediates = (0..random.below(5)).map(|_| random.next() as u32).collect(),
                3 => {
                    let code = inst.clone().with_blocks(vec![Body::default(); random.below(4)]);
                    function.body.replace(at, code);
                }
                4 => inst.op = Op::ALL[random.below(Op::ALL.len())],
                _ => {
                    let inst = function.body.get(at).expect("it is there");
                    let code = inst.inst().clone().with_blocks(vec![Body::default(); inst.blocks().len()]);
                    function.body.replace(at, code);
                }
            }
        }
        7 => {
            let depth = [limits::NESTING, limits::NESTING + 1, 3000][random.below(3)];
            let mut body = Body::default();
            let switch = Inst::new(Op::Switch, Id::NONE, &[Id(1)], &[]);
            let switches: Vec<usize> = (0..depth).map(|_| body.open(switch.clone())).collect();
            body.append(std::mem::take(&mut function.body));
            switches.into_iter().rev().for_each(|at| body.end_block(at));
            function.body = body;
        }
        8 => module.debug.functions.reverse(),
        9 => {
            let function = random.below(4) as u32;
            let lines = Lines { source: random.below(2) as u32, numbers: vec![1; random.below(9)] };
            let lines = (random.below(2) == 0).then_some(lines);
            let ids = (0..random.below(3)).map(|_| (any_id(random), any_name(random))).collect();
            let name = if random.below(2) == 0 { String::new() } else { any_name(random) };
            let members = (0..random.below(3)).map(|_| (any_id(random), any_members(random))).collect();
            let place = |random: &mut Random| [random.below(3) as u32, if random.below(9) == 0 { u32::MAX } else { 7 }];
            let binding = |random: &mut Random| match random.below(3) {
                0 => SourceBinding::Push,
                1 => SourceBinding::Bound { place: place(random), sampler: None },
                _ => SourceBinding::Bound { place: place(random), sampler: Some(place(random)) },
            };
            let bindings = (0..random.below(3)).map(|_| (any_id(random), binding(random))).collect();
            module.debug.functions.push(FunctionDebug { function, name, ids, members, bindings, lines });
        }
        10 => {
            let text = [String::new(), any_name(random), "x".repeat(limits::STRINGS)];
            let text = text[random.below(3)].clone();
            module.debug.sources.push(Source { file: any_name(random), text, ..Source::default() });
        }
        11 => module.debug.program = Some(7),
        12 => module.functions.clear(),
        13 => module.functions.push(module.functions[at].clone()),
        14 => {
            let nop = Inst::new(Op::Nop, Id::NONE, &[], &[]);
            // A module at the instruction limit takes seconds, so only a few modules reach that limit.
            let many = match random.below(24) {
                0 => limits::INSTRUCTIONS,
                1 => limits::INSTRUCTIONS + 1,
                _ => 5,
            };
            function.body.keep(&vec![true; many]);
            (function.body.insts().len()..many).for_each(|_| function.body.push(nop.clone()));
        }
        15 => {
            let lists = module.debug.functions.iter_mut().flat_map(|debug| debug.members.values_mut());
            let lists: Vec<_> = lists.collect();
            let at = random.below(lists.len().max(1));
            let Some(list) = lists.into_iter().nth(at) else { return };
            match random.below(5) {
                0 => list.clear(),
                1 => list.reverse(),
                2 => list.extend(any_members(random)),
                3 => list.iter_mut().for_each(|member| member.name = any_name(random)),
                _ => list.iter_mut().for_each(|member| member.ty = any_type(random)),
            }
        }
        _ => drop(fit(module)),
    }
}

#[test]
fn modules_that_verify_read_back_and_others_do_no_harm() {
    let effort = Effort::of("MODULES", 150);
    let (mut verified, mut readable, mut unreadable) = (0, 0, 0);
    for seed in effort.seeds() {
        let mut random = Random(seed);
        let mut module = from_seed(seed);
        for _ in 0..1 + random.below(3) {
            change(&mut module, &mut random);
        }
        // The test harness shows the seed if a law fails.
        println!("seed {seed}");
        let verifies = verify(&module).is_ok();
        let reads_back = encode_readable(&module, Dialect::Text).is_ok();
        if verifies {
            verified += 1;
            roundtrip_of(&module);
        }
        if reads_back {
            readable += 1;
            text_of(&module);
        } else {
            unreadable += 1;
            assert!(!verifies, "seed {seed}: it verifies, but no file can contain it");
            print(&module);
        }
        // If the module's debug table is valid without the functions, the table must also be read back unchanged.
        let mut table = Module { functions: Vec::new(), debug: module.debug.clone() };
        table.debug.program = Some(1);
        if verify(&table).is_ok() {
            roundtrip_of(&table);
            text_of(&table);
        }
    }
    println!("{verified} verify, {readable} are readable, {unreadable} are not");
    assert!(verified >= effort.at_least(20) && readable > verified && unreadable >= effort.at_least(38));
}

#[test]
fn fitting_removes_every_name_and_text_that_no_file_can_contain() {
    for seed in Effort::of("MODULES", 40).seeds() {
        let mut random = Random(seed);
        let mut module = from_seed(seed);
        let mut debug = module.debug.clone();
        for text in ["y".repeat(limits::STRINGS / 2), "mov\0".to_string(), "x".repeat(limits::STRINGS)] {
            debug.sources.push(Source { file: any_name(&mut random), text, ..Source::default() });
        }
        for function in &mut debug.functions {
            function.name = any_name(&mut random);
            function.ids.values_mut().for_each(|name| *name = any_name(&mut random).into());
            for member in function.members.values_mut().flatten() {
                member.name = format!("{}{}", any_name(&mut random), member.name);
            }
        }
        module.debug = debug;
        let before = module.clone();
        let left_out = fit(&mut module);
        assert!(!left_out.is_empty());
        assert_eq!(verify(&module), Ok(()), "seed {seed}");
        roundtrip_of(&module);
        // Fitting a module to the format either leaves a source text unchanged or empties it.
        let kept = before.debug.sources.iter().zip(&module.debug.sources);
        assert!(kept.clone().all(|(a, b)| a.text == b.text || b.text.is_empty()));
        assert!(kept.clone().any(|(a, b)| a.text == b.text && b.text.len() > 1000), "seed {seed}");
        assert_eq!(fit(&mut module), [], "seed {seed}: fitting again changes nothing");
    }
}

//! Names do not change the results of a program: random programs and the pairs in testdata are run with and without names.
//!
//! If an attribute's vertex format has fewer than four components, both runs read 0 for a missing y or z, and 1 for a missing w.

use std::collections::BTreeMap;

use agal_front::disassemble::disassemble;
use agal_front::{Rules, Stage};
use agalc::names::{Names, VertexFormat, apply};
use agalc::{Input, Options};
use laws::programs;
use sdlbc::{FunctionKind, InputKind, Module, Type};
use sdlbc_interp::{Column, Error, LANES, Program, Ran, Resources};
use testing::{Effort, Random, files, testdata};

fn input(name: &str, text: &str) -> Input {
    Input { name: name.to_string(), bytes: text.as_bytes().to_vec() }
}

/// Returns a number that depends only on `place`. Some of the numbers are integers or zero.
fn number(place: u64) -> f32 {
    let mut random = Random(place.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    match random.below(4) {
        0 => random.below(5) as f32,
        _ => random.below(4000) as f32 / 1000.0 - 2.0,
    }
}

/// Runs an entry function. An attribute in `formats` has only the components of its vertex format.
fn run(module: &Module, function: usize, formats: &BTreeMap<u32, VertexFormat>) -> Result<Ran, Error> {
    let program = Program::new(module, function)?;
    let found = &module.functions[function];
    let mut resources = Resources::default();
    for input in found.inputs.iter().filter(|input| input.kind == InputKind::Uniform) {
        let length = if let Type::Array(_, _, length) = input.ty { length } else { 4 };
        let words = (0..u64::from(length) * 4).map(|place| number(place + 7).to_bits()).collect();
        resources.uniforms.insert((found.kind, input.name.clone()), words);
    }
    let columns = |kind: InputKind| -> Option<[Column; 4]> {
        let (location, width) = match kind {
            InputKind::Attribute { location } => {
                (location, formats.get(&location).map_or(4, |format| format.components()))
            }
            InputKind::Varying { location, .. } => (100 + location, 4),
            _ => return None,
        };
        Some(std::array::from_fn(|component| {
            std::array::from_fn(|lane| match component < usize::from(width) {
                true => number(u64::from(location) << 32 | (component * LANES + lane) as u64).to_bits(),
                false => if component == 3 { 1f32 } else { 0f32 }.to_bits(),
            })
        }))
    };
    program.run(&resources, u64::MAX, &columns, None)
}

fn same(before: &Module, after: &Module, formats: &BTreeMap<u32, VertexFormat>, what: &str) {
    assert_eq!(sdlbc::verify(after), Ok(()), "{what}\n{}", sdlbc::print(after));
    for (index, function) in before.functions.iter().enumerate() {
        if function.kind != FunctionKind::Generic {
            let (old, new) = (run(before, index, formats), run(after, index, formats));
            let is_same = match (&old, &new) {
                (Ok(old), Ok(new)) => old == new,
                (old, new) => old.is_err() && new.is_err(),
            };
            assert!(is_same, "{what}\n{}\n{}", sdlbc::print(before), sdlbc::print(after));
        }
    }
}

/// Returns random names and types for the registers of a stage. Most of the names and types fit a program.
fn some_names(random: &mut Random, stage: Stage) -> Vec<String> {
    let mut names = Vec::new();
    let (constant, temporary) = if stage == Stage::Vertex { ("vc", "vt") } else { ("fc", "ft") };
    let mut register = random.below(3);
    while register < 30 {
        let count = 1 + random.below(4);
        names.push(match random.below(6) {
            0 => format!("{constant}{register}=a{register}"),
            1 => format!("{constant}{register}.x=b{register}"),
            2 => format!("{constant}{register}..{}=c{register}:vec4[]", register + count - 1),
            3 if count > 1 => format!("{constant}{register}..{}=d{register}:mat{count}x4", register + count - 1),
            4 => format!("{constant}{register}=e{register}:vec{}", 2 + random.below(3)),
            _ => format!("{constant}{register}..{}=f{register}", register + count - 1),
        });
        register += count + random.below(2);
    }
    for number in 0..8 {
        if stage == Stage::Vertex && random.below(2) == 0 {
            names.push(format!("va{number}=attribute:float{}", 1 + random.below(4)));
        }
        if random.below(2) == 0 {
            names.push(format!("v{number}=varying{number}"));
            names.push(format!("{temporary}{number}=work"));
        }
    }
    names
}

#[test]
fn random_programs_compute_the_same_with_names() {
    let (mut applied, mut members, mut narrowed) = (0u64, 0, 0);
    let effort = Effort::of("NAMED_PROGRAMS", 4000);
    for seed in effort.seeds() {
        let mut random = Random(seed ^ 0x5eed);
        let stage = if seed & 1 == 0 { Stage::Vertex } else { Stage::Fragment };
        let length = 1 + random.below(40);
        let program = programs::program(&mut random, 1 + (seed >> 1 & 3) as u32, stage, length);
        let text = disassemble(&program);
        let before =
            agalc::load_all(&[input("a.agal", &text)], &Options::default()).expect("a module").module.into_module();
        let mut after = before.clone();
        let mut formats = BTreeMap::new();
        // Names are added one by one, so that only the names that do not fit are left out. Every call applies all names added so
        // far, because the last call determines the members of the module.
        let mut names = Names::default();
        for entry in some_names(&mut random, stage) {
            let mut more = names.clone();
            more.push(Names::parse_entry(&entry).expect("an entry"));
            let mut named = before.clone();
            if let Ok(found) = apply(&mut named, &more) {
                (after, names, formats) = (named, more, found.formats);
                applied += 1;
            }
        }
        members += after.debug.functions.iter().flat_map(|debug| debug.members.values().flatten()).count() as u64;
        narrowed += formats.values().filter(|format| format.components() < 4).count() as u64;
        same(&before, &after, &formats, &format!("seed {seed:#x}: {names:?}\n{text}"));
    }
    let enough = [(applied, 20_000), (members, 800), (narrowed, 1200)];
    assert!(enough.iter().all(|(found, full)| *found >= effort.at_least(*full)), "{enough:?}");
}

#[test]
fn the_pairs_of_testdata_compute_the_same_with_the_names_of_their_comments() {
    let (mut pairs, mut named) = (0, 0);
    for vertex in files(&testdata("pairs"), ".vert.agal") {
        let fragment =
            vertex.with_file_name(vertex.file_name().expect("a name").to_string_lossy().replace(".vert.", ".frag."));
        let read = |path: &std::path::Path| {
            input(&path.display().to_string(), &std::fs::read_to_string(path).expect("a text"))
        };
        let inputs = [read(&vertex), read(&fragment)];
        let options = Options::with_rules(Rules::default().allow_ted(true));
        let with = agalc::load_all(&inputs, &options).expect("a module");
        let ignoring = options.ignore_source_names(true);
        let without = agalc::load_all(&inputs, &ignoring).expect("a module");
        assert_eq!(with.warnings, []);
        pairs += 1;
        named += usize::from(*with.module != *without.module);
        same(&without.module, &with.module, &BTreeMap::new(), &vertex.display().to_string());
    }
    assert!(pairs > 80 && named > 0, "{named} of {pairs}");
}

#[test]
fn a_narrow_attribute_reads_zeros_and_one_in_all_kinds_of_code() {
    let text = "mov vt0, va0\nmov vt0.x, va1.w\nadd vt1, va1.yyzw, va0\nmul vt2, va1.xyxx, va1.y\nm44 op, va1, vc0\n\
                ife va1.x, va1.z\nmov vt1, va1\neif\nadd v0, vt0, vt1\nadd v1, vt2, va1.xyww\nmov v2, va1.zzzz";
    let before = agalc::load_all(&[input("a.vert", text)], &Options::default()).expect("a module").module.into_module();
    for width in 1..=4 {
        for other in 1..=4 {
            let mut names = Names::default();
            names.push(Names::parse_entry(&format!("va1=a:float{width}")).expect("an entry"));
            names.push(Names::parse_entry(&format!("va0=b:float{other}")).expect("an entry"));
            let mut after = before.clone();
            let applied = apply(&mut after, &names).expect("they fit");
            let types: Vec<Type> = after.functions[0].inputs.iter().take(2).map(|input| input.ty).collect();
            assert_eq!(types, [Type::floats(other), Type::floats(width)]);
            same(&before, &after, &applied.formats, &format!("{width} {other}"));
        }
    }
}

/// Modules that do not come from AGAL have inputs and outputs of any type at any location.
#[test]
fn random_modules_compute_the_same_with_names() {
    let effort = Effort::of("NAMED_MODULES", 2000);
    let mut applied = 0;
    for seed in effort.seeds() {
        let before = laws::from_seed(seed);
        let mut random = Random(seed ^ 0xbeef);
        let mut after = before.clone();
        let mut formats = BTreeMap::new();
        let entries = [some_names(&mut random, Stage::Vertex), some_names(&mut random, Stage::Fragment)].concat();
        let others =
            ["vc=transform", "fc=material", "fs0=albedo", "vs1=height", "op=clip", "oc=colour", "iid=instance"];
        for entry in entries.iter().map(String::as_str).chain(others) {
            let mut names = Names::default();
            names.push(Names::parse_entry(entry).expect("an entry"));
            if let Ok(found) = apply(&mut after, &names) {
                applied += u64::from(found.warnings.is_empty());
                formats.extend(found.formats);
            }
        }
        same(&before, &after, &formats, &format!("seed {seed:#x}: {entries:?}"));
    }
    assert!(applied >= effort.at_least(2000), "{applied}");
}

/// Returns the constant bases of reads from an array at computed indices.
fn computed(body: &sdlbc::Body, array: sdlbc::Id) -> Vec<u32> {
    let peeks = body.insts().iter().filter(|inst| inst.op == sdlbc::Op::Peek && inst.inputs[0] == array);
    peeks.filter(|inst| inst.inputs[1].is_some()).map(|inst| inst.immediates[0]).collect()
}

/// The generated code applies a computed index to the member that contains the base, so this member must extend to the end of the
/// array.
#[test]
fn members_from_comments_reach_as_far_as_computed_indices() {
    let (mut reads, mut in_members) = (0u64, 0u64);
    let effort = Effort::of("NAMED_PROGRAMS", 4000);
    for seed in effort.seeds() {
        let mut random = Random(seed ^ 0xc0de);
        let length = 1 + random.below(40);
        let program = programs::program(&mut random, 1 + (seed & 3) as u32, Stage::Vertex, length);
        let names = some_names(&mut random, Stage::Vertex);
        let comments: String = names.iter().map(|name| format!("// {}\n", name.replacen('=', " = ", 1))).collect();
        let text = comments + &disassemble(&program);
        let named =
            agalc::load_all(&[input("a.agal", &text)], &Options::default()).expect("a module").module.into_module();
        let function = &named.functions[0];
        let Some(array) = function.inputs.iter().find(|input| input.kind == InputKind::Uniform) else { continue };
        let Type::Array(_, _, length) = array.ty else { panic!("constants are an array") };
        let members = named.debug_of(0).and_then(|debug| debug.members.get(&array.id)).map_or(&[][..], Vec::as_slice);
        for base in computed(&function.body, array.id) {
            reads += 1;
            for member in members.iter().filter(|member| member.first + member.elements() > base) {
                in_members += 1;
                let reaches = member.first <= base && member.first + member.elements() == length;
                assert!(reaches && matches!(member.ty, Type::Array(..)), "seed {seed:#x}: {base}, {member:?}\n{text}");
            }
        }
    }
    let enough = [(reads, 4000), (in_members, 400)];
    assert!(enough.iter().all(|(found, full)| *found >= effort.at_least(*full)), "{enough:?}");
}

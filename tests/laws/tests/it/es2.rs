//! Tests the unified-shader instruction set with random words, files and texts, and with random programs. A program's module must
//! have the same results, bit for bit, as the program on its own machine, except that all NaNs count as equal.
//!
//! A full run tests 20,000 words and 3,000 programs, and `WORDS=...` and `ES2=...` test more. `SEED=` runs a single program.

use std::collections::BTreeSet;

use es2_front::disassemble::disassemble;
use es2_front::lift::translate;
use es2_front::register::{File, Register, output};
use es2_front::{Dimension, Extended, Instruction, Opcode, Program, Stage};
use es2_machine::{Inputs, Outputs, Quad, Vector, run};
use laws::es2::{self, Answer};
use sdlbc::front::Swizzle;
use sdlbc::{Builtin, FunctionKind, InputKind, OutputKind};
use sdlbc_interp::{Column, LANES, Level, Resources, Texture};
use testing::{Effort, Random};

const QUICK: u64 = 150;

#[test]
fn words_decode_to_an_instruction_that_encodes_to_the_same_word_or_are_refused() {
    let effort = Effort::of("WORDS", 20_000);
    let mut accepted = 0;
    for seed in effort.seeds() {
        let word = es2::word(&mut Random(seed));
        if let Ok(instruction) = Instruction::decode(word) {
            assert_eq!(instruction.encode(), word, "SEED={seed}: {word:016x}");
            accepted += 1;
        }
        let file = [b"ES2f\x01\0\0\0".as_slice(), &word.to_le_bytes()].concat();
        assert_eq!(Program::decode(&file).is_ok(), Instruction::decode(word).is_ok(), "SEED={seed}");
    }
    println!("{accepted} of {} words are instructions", effort.cases);
    assert!(effort.only.is_some() || (effort.cases / 4..effort.cases).contains(&accepted), "{accepted}");
}

#[test]
fn damaged_files_and_texts_are_accepted_or_refused() {
    let effort = Effort::of("ES2", 3000);
    let mut answers = Vec::new();
    for seed in effort.seeds() {
        let mut random = Random(seed);
        let stage = random.pick(&[Stage::Vertex, Stage::Fragment]);
        let program = es2::program(&mut random, seed, stage, 6);
        let mut bytes = if seed % 2 == 0 { program.encode() } else { disassemble(&program).into_bytes() };
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] ^= 1 << random.below(8),
                1 => bytes[at] = b" ;,.[]+-0xyzwruA!#\n\x80"[random.below(20)],
                2 => drop(bytes.remove(at)),
                _ => bytes.truncate(at),
            }
            bytes.push(b'\n');
        }
        println!("seed {seed}");
        answers.push(es2::es2(&bytes));
    }
    for answer in [Answer::Refused, Answer::Translated] {
        assert!(effort.only.is_some() || answers.contains(&answer), "{answer:?} is never the answer");
    }
}

/// Returns a random number, usually small, and sometimes a special case such as an infinity or a NaN.
fn number(random: &mut Random) -> f32 {
    match random.below(24) {
        0 => random.pick(&[f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-40, f32::MIN_POSITIVE, f32::MAX, -0.0]),
        4 => 0.0,
        1 => -1.0,
        2 => random.between(-200.0, 200.0),
        3 => random.below(40) as f32,
        _ => random.between(-2.0, 2.0),
    }
}

fn vector(random: &mut Random) -> Vector {
    std::array::from_fn(|_| number(random))
}

fn texture(dimension: Dimension, colour: [u8; 4]) -> Texture {
    let level = |texels: u32| Level { width: 1, height: 1, depth: texels, texels: vec![colour; texels as usize] };
    let (dimension, texels) = match dimension {
        Dimension::D2 => (sdlbc::Dimension::D2, 1),
        Dimension::Cube => (sdlbc::Dimension::Cube, 6),
        Dimension::D3 => (sdlbc::Dimension::D3, 1),
    };
    Texture::new(dimension, vec![level(texels)]).expect("a texture")
}

/// Reports whether two floats have the same bits or are both NaN.
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

#[test]
fn programs_compute_as_modules_what_their_machine_computes() {
    let effort = Effort::of("ES2", 3000);
    let mut compared = 0u64;
    for seed in effort.seeds() {
        let mut random = Random(seed);
        let stage = random.pick(&[Stage::Vertex, Stage::Fragment]);
        let length = 1 + random.below(40);
        let program = es2::program(&mut random, seed, stage, length);
        assert_eq!(es2::check(&program), Answer::Translated, "SEED={seed}");
        let module = translate(&[&program]).expect("it is valid").module;
        compared += agree(&program, &module, &mut random).unwrap_or_else(|difference| {
            panic!("SEED={seed}: {difference}\n{}{}", disassemble(&program), sdlbc::print(&module))
        });
    }
    println!("{compared} numbers of {} programs are the same", effort.cases);
}

/// Collects properties of each instruction, such as its stage, its write mask and the register files of its sources.
fn particulars(program: &Program, seen: &mut BTreeSet<(Opcode, String)>) {
    for instruction in &program.instructions {
        let mut note = |what: String| seen.insert((instruction.op, what));
        note(program.stage.to_string());
        let mask = instruction.destination.mask;
        if has_mask(instruction.op) {
            let count = mask.components().count();
            note(if count == 1 { format!("only .{mask}") } else { format!("{count} components") });
        }
        for (source, operand) in instruction.operands().enumerate() {
            note(format!("source {source}: {:?}", operand.file));
            note(format!("source {source}: negate {}", operand.negate));
            note(format!("source {source}: swizzle {}", operand.swizzle != Swizzle::IDENTITY));
        }
        if instruction.op.row().format.has_extended() {
            note(format!("extended {}", instruction.extended != Extended::IDENTITY));
        }
        if instruction.op == Opcode::Tex {
            note(format!("{:?} of sampler {}", program.dimension(instruction.sampler), instruction.sampler));
        }
    }
}

fn has_mask(op: Opcode) -> bool {
    !matches!(op, Opcode::Nop | Opcode::Arl | Opcode::Tex)
}

#[test]
fn the_programs_of_a_quick_run_have_every_instruction_with_each_of_its_particulars() {
    let mut seen = BTreeSet::new();
    for seed in 0..QUICK {
        let mut random = Random(seed);
        let stage = random.pick(&[Stage::Vertex, Stage::Fragment]);
        let length = 1 + random.below(40);
        particulars(&es2::program(&mut random, seed, stage, length), &mut seen);
    }
    let mut missing = Vec::new();
    for &op in Opcode::ALL {
        let mut expected: Vec<String> = [Stage::Vertex, Stage::Fragment].map(|stage| stage.to_string()).into();
        if has_mask(op) {
            expected.extend("xyzw".chars().map(|letter| format!("only .{letter}")));
            expected.extend((2..=4).map(|count| format!("{count} components")));
        }
        for source in 0..op.row().sources {
            expected.extend(File::ALL.map(|file| format!("source {source}: {file:?}")));
            expected.extend([false, true].map(|is| format!("source {source}: negate {is}")));
            expected.extend([false, true].map(|is| format!("source {source}: swizzle {is}")));
        }
        if op.row().format.has_extended() {
            expected.extend([false, true].map(|is| format!("extended {is}")));
        }
        missing.extend(expected.into_iter().map(|what| (op, what)).filter(|what| !seen.contains(what)));
    }
    assert_eq!(missing, []);
}

/// Runs a program on its machine and the lifted module on the interpreter, with different inputs in each lane. Returns the number
/// of compared values.
fn agree(program: &Program, module: &sdlbc::Module, random: &mut Random) -> Result<u64, String> {
    let kind = FunctionKind::from(program.stage);
    let uniforms: Vec<Vector> = (0..128).map(|_| vector(random)).collect();
    let colours: [[u8; 4]; 8] = std::array::from_fn(|_| std::array::from_fn(|_| random.next() as u8));
    let mut resources = Resources::default();
    let words = uniforms.iter().flatten().map(|value| value.to_bits()).collect();
    resources.uniforms.insert((kind, "u".to_string()), words);
    for (slot, (&dimension, colour)) in (0..).zip(program.dimensions.iter().zip(colours)) {
        resources.textures.insert((kind, slot), texture(dimension, colour));
    }
    let front = random.once_in(2);
    let lanes: Vec<[Vector; 16]> = (0..LANES)
        .map(|_| {
            let mut inputs: [Vector; 16] = std::array::from_fn(|_| vector(random));
            if program.stage == Stage::Fragment {
                inputs[13] = [f32::from(u8::from(front)), 0.0, 0.0, 1.0];
                inputs[14] = [inputs[14][0], inputs[14][1], 0.0, 1.0];
            }
            inputs
        })
        .collect();
    let column = |of: &dyn Fn(&[Vector; 16]) -> u32| -> Column { std::array::from_fn(|lane| of(&lanes[lane])) };
    let columns = |index: usize| std::array::from_fn(|c| column(&|inputs| inputs[index][c].to_bits()));
    let given = |kind: InputKind| match kind {
        InputKind::Attribute { location } | InputKind::Varying { location, .. } => Some(columns(location as usize)),
        InputKind::Builtin(Builtin::FrontFacing) => Some([[u32::from(front); LANES]; 4]),
        InputKind::Builtin(Builtin::PointCoordinate) => Some(columns(14)),
        InputKind::Builtin(Builtin::FragmentCoordinate) => Some(columns(15)),
        _ => None,
    };
    let prepared = sdlbc_interp::Program::new(module, 0).map_err(|error| error.to_string())?;
    let ran = prepared.run(&resources, u64::MAX, &given, None).map_err(|error| error.to_string())?;
    let texels = |sampler: u8, _: Quad| [colours[usize::from(sampler)].map(|byte| f32::from(byte) / 255.0); 4];
    let quads = (0..LANES).step_by(4).map(|first| {
        let inputs = std::array::from_fn(|index| std::array::from_fn(|lane| lanes[first + lane][index]));
        run(program, &Inputs { inputs, uniforms: &uniforms, texels: &texels, float: es2_machine::Float::F32 })
    });
    let machine: Vec<Outputs> = quads.collect();
    let mut compared = 0;
    for lane in 0..LANES {
        let machine = &machine[lane / 4];
        for (declared, of_module) in module.functions[0].outputs.iter().zip(&ran.outputs) {
            let index = (0..16).find(|&index| match (output(program.stage, index), declared.kind) {
                (Some(Register::Position), OutputKind::Position) => true,
                (Some(Register::PointSize), OutputKind::PointSize) => true,
                (Some(Register::Varying(number)), OutputKind::Varying { location, .. }) => location == number.into(),
                (Some(Register::Data(number)), OutputKind::Colour { target }) => {
                    machine.written[usize::from(number)] && target == number.into()
                }
                (Some(Register::Colour), OutputKind::Colour { target: 0 }) => machine.written[15],
                _ => false,
            });
            let index = index.ok_or("an output that the machine does not have")?;
            let mut expected = machine.outputs[usize::from(index)][lane % 4];
            if declared.kind == OutputKind::Position {
                // The depth is converted from OpenGL's range to the module's range.
                expected[2] = (expected[2] + expected[3]) * 0.5;
            }
            for (component, (column, value)) in of_module.iter().zip(expected).enumerate() {
                let found = f32::from_bits(column[lane]);
                if !same(found, value) {
                    return Err(format!("{}.{component} is {found:?} and {value:?} in the machine", declared.name));
                }
                compared += 1;
            }
        }
        let written = machine.written.iter().filter(|written| **written).count();
        if written != module.functions[0].outputs.len() {
            return Err(format!("{written} outputs were written"));
        }
    }
    Ok(compared)
}

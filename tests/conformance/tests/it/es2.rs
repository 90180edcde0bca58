//! Runs every instruction of the unified-shader set, and random programs of that set, on every witness.
//!
//! `OPCODE=lg2` runs one instruction. A full run has 500 random programs. `ES2=` sets a different number of random programs, and
//! `SEED=` runs a single program.

use std::collections::BTreeMap;
use std::fmt::Write;

use conformance::Witness;
use conformance::parallel::tabulate;
use conformance::probe::{Inputs, Probe};
use conformance::suite::{self, Origin, Subject, Turn};
use conformance::table::{self, Table};
use conformance::values::{self, Numbers, SPECIAL};
use es2_front::assemble::assemble;
use es2_front::disassemble::disassemble;
use es2_front::lift::translate;
use es2_front::opcode::{Format, Meaning};
use es2_front::{Dimension, Opcode, Program, Stage};
use sdlbc::{FunctionKind, Module};
use testing::{Effort, Random};

/// The number of random inputs for an instruction, in addition to the special values.
const RANDOM: usize = 400;
/// The number of programs for each instruction and stage. Each program uses the instruction four times.
const PROGRAMS: u64 = 3;

struct Shown {
    op: Opcode,
    program: Program,
    number: u64,
}

fn swizzle(random: &mut Random) -> String {
    if random.once_in(3) { String::new() } else { ".".to_string() + &letters(random) }
}

fn letters(random: &mut Random) -> String {
    (0..4).map(|_| char::from(b"xyzw"[random.below(4)])).collect()
}

fn extended(random: &mut Random) -> String {
    let parts = (0..4).map(|_| {
        let sign = if random.once_in(3) { "-" } else { "" };
        format!("{sign}{}", char::from(b"xyzw01"[random.below(6)]))
    });
    format!(".[{}]", parts.collect::<Vec<_>>().join(","))
}

/// Builds a program that uses an instruction four times. The four uses differ in masks, swizzles, signs, extended swizzles and
/// registers.
fn program(op: Opcode, stage: Stage, number: u64) -> Program {
    let mut random = Random::of(number, &[op.row().number.into(), stage as u64]);
    let row = op.row();
    let (header, input, output) = match stage {
        Stage::Vertex => ("v", "a", "v"),
        Stage::Fragment => ("f", "v", "d"),
    };
    let mut text = format!("!!ES2{header}p1.0\n");
    for at in 0..4 {
        let bank = random.below(8) * 16;
        let mask = 1 + random.below(15);
        let mask: String = (0..4).filter(|bit| mask >> bit & 1 != 0).map(|bit| char::from(b"xyzw"[bit])).collect();
        let _ = writeln!(text, "MOV r{at}, {input}2;");
        let sources: Vec<String> = (0..row.sources)
            .map(|source| {
                let register = match random.below(5) {
                    0 => format!("u{}", bank + random.below(16)),
                    1 => format!("r{at}"),
                    _ => format!("{input}{}", source.min(1)),
                };
                let sign = if random.once_in(4) { "-" } else { "" };
                let has_extended = source == 0 && row.format != Format::Mad && op != Opcode::Swz;
                let extended = if has_extended && random.once_in(4) { extended(&mut random) } else { String::new() };
                format!("{sign}{register}{}{extended}", swizzle(&mut random))
            })
            .collect();
        let _ = match op {
            Opcode::Nop => writeln!(text, "NOP;"),
            Opcode::Arl => {
                let read = swizzle(&mut random);
                writeln!(text, "ARL A0.x, {};\nMOV r{at}.{mask}, u[A0.x + {bank}]{read};", sources[0])
            }
            Opcode::Swz => {
                let parts = extended(&mut random);
                writeln!(text, "SWZ r{at}.{mask}, {}, {};", sources[0], parts.trim_matches(['.', '[', ']']))
            }
            Opcode::Clamp => writeln!(text, "CLAMP r{at}.{mask}, {}, 0, {};", sources[0], sources[1]),
            Opcode::Tex => {
                let dimension = random.below(3);
                let name = [Dimension::D2, Dimension::Cube, Dimension::D3][dimension].name();
                writeln!(text, "TEX r{at}, {}, t{dimension}, {name};", sources[0])
            }
            _ => writeln!(text, "{} r{at}.{mask}, {};", row.mnemonic, sources.join(", ")),
        };
        let _ = writeln!(text, "MOV {output}{at}, r{at};");
    }
    if stage == Stage::Vertex {
        text += "MOV position, a3;\n";
    }
    text += "END\n";
    assemble(&text, None).unwrap_or_else(|findings| panic!("{findings:?}\n{text}")).program
}

fn module(program: &Program) -> Module {
    translate(&[program]).unwrap_or_else(|findings| panic!("{findings:?}\n{}", disassemble(program))).module
}

/// Returns the input registers of every invocation: all pairs of special values, followed by random values.
fn inputs(op: Opcode) -> BTreeMap<u32, Vec<[u32; 4]>> {
    // No texture is sampled at infinity (see `runs::expected`).
    let textured = op.row().meaning == Meaning::Texture;
    let count = if textured { 0 } else { SPECIAL.len() };
    let values = |register: u32| {
        let mut numbers = Random::of(register.into(), &[op.row().number.into()]);
        let mut values = Vec::new();
        for (first, second) in (0..count).flat_map(|first| (0..count).map(move |second| (first, second))) {
            let own = match register {
                0 => first,
                1 => second,
                _ => first + 3 * second + register as usize,
            };
            values.push(std::array::from_fn(|component| SPECIAL[(own + 7 * component) % count].to_bits()));
        }
        for at in 0..RANDOM {
            let mut number = || if textured || at % 2 == 0 { numbers.everyday() } else { numbers.any() };
            values.push([(); 4].map(|()| number().to_bits()));
        }
        values
    };
    (0..4).map(|register| (register, values(register))).collect()
}

fn ask(shown: &Shown, devices: &mut [Box<dyn Witness>], table: &mut Table) -> Result<(), String> {
    let (module, row) = (module(&shown.program), shown.op.row());
    let resources = values::resources(row.number.into(), &module);
    let (stage, probe) = match shown.program.stage {
        Stage::Vertex => ("vertex", Probe::vertex(&module, &inputs(shown.op), 1, resources)),
        // Texture reads are tested on a square, because the level of detail depends on neighbouring invocations.
        Stage::Fragment if shown.op == Opcode::Tex => {
            let seed = row.number.into();
            ("fragment", suite::probe_with(&module, FunctionKind::Fragment, seed, 0, 32, resources))
        }
        Stage::Fragment => ("fragment", Probe::fragment(&module, &Inputs::Points(inputs(shown.op)), resources)),
    };
    let place = Opcode::ALL.iter().position(|op| *op == shown.op).unwrap_or(0);
    let subject = Subject {
        row: (place, format!("`{}`", row.mnemonic)),
        label: format!("{stage} `{}`, {}", row.mnemonic, shown.number),
        module: &module,
        program: Some(Origin::Es2(&shown.program)),
        probe,
        single: true,
        devices: true,
    };
    suite::compare(&subject, suite::nearly_all(devices, shown.number), table)
        .map_err(|error| format!("{error}\n{}", disassemble(&shown.program)))
}

#[test]
fn every_instruction_of_the_unified_set_is_the_same_on_every_witness() {
    let only = std::env::var("OPCODE").ok();
    let is_chosen = |op: &Opcode| only.as_ref().is_none_or(|only| op.row().mnemonic.eq_ignore_ascii_case(only));
    let all: Vec<Shown> = Opcode::ALL
        .iter()
        .copied()
        .filter(is_chosen)
        .flat_map(|op| [Stage::Vertex, Stage::Fragment].map(|stage| (op, stage)))
        .flat_map(|(op, stage)| {
            (0..PROGRAMS).map(move |number| Shown { op, program: program(op, stage, number), number })
        })
        .collect();
    let table = tabulate(&all, suite::ES2_MACHINE, ask);
    let text = table.markdown("instruction");
    if only.is_none() { table::keep("es2", &text) } else { println!("{text}") }
}

fn random(seed: u64, devices: &mut [Box<dyn Witness>], table: &mut Table) -> Result<(), String> {
    let program = laws::es2::program_of(seed);
    let module = module(&program);
    let kind = module.functions[0].kind;
    let subject = Subject {
        row: (kind as usize, kind.name().to_string()),
        label: format!("SEED={seed}"),
        module: &module,
        program: Some(Origin::Es2(&program)),
        probe: suite::probe(&module, kind, seed, 16, 8),
        single: false,
        devices: true,
    };
    suite::compare(&subject, suite::some_of(devices, Turn::Two, seed), table)
}

#[test]
fn random_programs_of_the_unified_set_are_the_same_on_every_witness() {
    let effort = Effort::of("ES2", 500);
    let seeds: Vec<u64> = effort.seeds().collect();
    let table = tabulate(&seeds, suite::ES2_MACHINE, |&seed, devices, table| random(seed, devices, table));
    println!("{}", table.summary());
}

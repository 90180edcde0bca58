//! Every opcode of AGAL on every witness: all masks and swizzles, operands that are the destination, special and random values.
//! Devices run every mask, some swizzles (all for `mov`) and each kind of aliasing; interp and the AGAL machine run everything.

use std::collections::BTreeMap;

use agal_front::lift::{Options, translate};
use agal_front::opcode::{Meaning, Opcode};
use agal_front::{Program, Rules, Stage};
use conformance::opcodes::{self, Alias, Variation};
use conformance::parallel::tabulate;
use conformance::probe::{Inputs, Probe};
use conformance::suite::{self, Origin, Subject};
use conformance::values::{self, Numbers, SPECIAL};
use conformance::{Witness, table, table::Table};
use sdlbc::{FunctionKind, Module};
use testing::{Random, number};

/// The number of random inputs of an opcode, in addition to the special ones.
const RANDOM: usize = 1000;
/// The number of random inputs, and of special ones, for each mask and swizzle if devices are not used.
const FEW: usize = 32;

/// A program that shows an opcode.
struct Shown {
    op: Opcode,
    program: Program,
    label: String,
    devices: bool,
    /// Its number among the programs for the opcode in its stage; witnesses with other layouts draw some of these programs.
    number: u64,
}

fn module(program: &Program) -> Module {
    let rules = Rules::default().allow_ted(true);
    let options = Options::default().rules(rules);
    translate(&[program], &options).unwrap_or_else(|findings| panic!("{findings:?}")).module
}

/// Registers for each invocation: first special values combined with each other, with a different start in each component, then
/// random values.
fn inputs(op: Opcode, random: usize) -> BTreeMap<u32, Vec<[u32; 4]>> {
    // No texture is read at infinity (see `runs::expected`).
    let textured = matches!(op.row().meaning, Meaning::Texture | Meaning::TextureLevel);
    let count = if textured { 0 } else { SPECIAL.len() };
    let mut inputs = BTreeMap::new();
    for register in 0..8u32 {
        let mut numbers = Random(u64::from(op.row().code) << 8 | u64::from(register));
        let mut values = Vec::new();
        for first in 0..count {
            for second in 0..count {
                let own = match register {
                    0 => first,
                    1 => second,
                    _ => first + 3 * second + register as usize,
                };
                values.push(std::array::from_fn(|component| SPECIAL[(own + 7 * component) % count].to_bits()));
            }
        }
        let tame = textured || matches!(op.row().meaning, Meaning::Matrix { .. } | Meaning::Derivative(_));
        for at in 0..random {
            let mut number = || if tame || at % 2 == 0 { numbers.everyday() } else { numbers.any() };
            values.push([(); 4].map(|()| number().to_bits()));
        }
        inputs.insert(register, values);
    }
    inputs
}

fn probe(shown: &Shown, module: &Module) -> Probe {
    let resources = values::resources(u64::from(shown.op.row().code), module);
    let few = |mut inputs: BTreeMap<u32, Vec<[u32; 4]>>| {
        // Some of the special values, different ones for each program.
        let from = shown.program.tokens.len() * 37 % (SPECIAL.len() * SPECIAL.len() - FEW);
        inputs.values_mut().for_each(|values| {
            values.drain(FEW + from..SPECIAL.len() * SPECIAL.len());
            values.drain(..from);
        });
        inputs
    };
    let inputs = |op| if shown.devices { inputs(op, RANDOM) } else { few(inputs(op, FEW)) };
    let neighbours = opcodes::has_neighbours(shown.op) || matches!(shown.op.row().meaning, Meaning::Texture);
    match shown.program.stage {
        Stage::Vertex => Probe::vertex(module, &inputs(shown.op), 3, resources),
        Stage::Fragment if neighbours => {
            suite::probe_with(module, FunctionKind::Fragment, u64::from(shown.op.row().code), 0, 32, resources)
        }
        Stage::Fragment => Probe::fragment(module, &Inputs::Points(inputs(shown.op)), resources),
    }
}

fn ask(shown: &Shown, devices: &mut [Box<dyn Witness>], table: &mut Table) -> Result<(), String> {
    let module = module(&shown.program);
    let number = shown.op.row().code as usize;
    let stage = if shown.program.stage == Stage::Vertex { "vertex" } else { "fragment" };
    let subject = Subject {
        row: (number, format!("`{}`", shown.op.row().mnemonic)),
        label: format!("{stage} `{}`, {}", shown.op.row().mnemonic, shown.label),
        module: &module,
        program: Some(Origin::Agal(&shown.program, agal_machine::Options::default())),
        probe: probe(shown, &module),
        single: true,
        devices: shown.devices,
    };
    suite::compare(&subject, suite::nearly_all(devices, shown.number), table)
        .map_err(|error| format!("{error}\n{}", agal_front::disassemble::disassemble(&shown.program)))
}

fn shown(op: Opcode, devices: bool) -> Vec<Shown> {
    let mut all = Vec::new();
    for stage in opcodes::stages(op) {
        let mut number = 0;
        let mut add = |program: Program, label: String| {
            all.push(Shown { op, program, label, devices, number });
            number += 1;
        };
        match op.row().meaning {
            // Sampler states are only tested in runs with devices, since two implementations of filtering in floats differ in the
            // last bit.
            Meaning::Texture | Meaning::TextureLevel if !devices => {}
            Meaning::Texture | Meaning::TextureLevel => {
                for states in opcodes::sampler_states(op).chunks(4) {
                    add(opcodes::textured(op, stage, states), states.join(" "));
                }
            }
            Meaning::Else | Meaning::EndIf => {}
            meaning => {
                let mut variations = if devices { opcodes::some(op) } else { opcodes::all(op) };
                if devices && meaning == Meaning::Move && stage == Stage::Fragment {
                    let every =
                        |first| Variation { mask: 15, swizzles: [first, 0], alias: Alias::None, constant: false };
                    variations.extend((0..=255).map(every));
                }
                for variations in variations.chunks(4) {
                    add(opcodes::program(op, stage, variations), format!("{variations:?}"));
                }
            }
        }
    }
    all
}

/// The only opcode to test, selected by `OPCODE=`.
fn only() -> Option<String> {
    std::env::var("OPCODE").ok()
}

fn chosen() -> impl Iterator<Item = Opcode> {
    Opcode::ALL.iter().copied().filter(|op| only().is_none_or(|only| op.row().mnemonic == only))
}

#[test]
fn every_opcode_is_the_same_on_every_witness() {
    let all: Vec<Shown> = chosen().flat_map(|op| shown(op, true)).collect();
    let table = tabulate(&all, suite::MACHINE, ask);
    let text = table.markdown("opcode");
    if only().is_none() { table::keep("opcodes", &text) } else { println!("{text}") }
}

#[test]
fn every_mask_and_swizzle_of_every_opcode_is_the_same_in_interp_and_agals_machine() {
    // Tests one in `EVERY` programs; by default all.
    let step = number("EVERY").unwrap_or(1) as usize;
    let all: Vec<Shown> = chosen().flat_map(|op| shown(op, false)).step_by(step).collect();
    let table = tabulate(&all, suite::MACHINE, ask);
    println!("{}", table.summary());
}

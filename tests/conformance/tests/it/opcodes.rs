//! Runs every opcode of AGAL on every witness, with all masks and swizzles, with sources that are also the destination, and with
//! special and random values. Devices run every mask, some swizzles (all swizzles for `mov`), and each kind of aliasing. interp
//! and the AGAL machine run every combination.

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

/// The number of random inputs for an opcode, in addition to the special values.
const RANDOM: usize = 1000;
/// The number of random inputs, and also the number of special values, for each mask and swizzle in runs without devices.
const FEW: usize = 32;

struct Shown {
    op: Opcode,
    program: Program,
    label: String,
    devices: bool,
    /// The program's index among the programs for its opcode and stage. Witnesses with a non-default layout draw only some of
    /// these programs.
    number: u64,
}

fn module(program: &Program) -> Module {
    let rules = Rules::default().allow_ted(true);
    let options = Options::default().rules(rules);
    translate(&[program], &options).unwrap_or_else(|findings| panic!("{findings:?}")).module
}

/// Returns the input registers of every invocation: pairs of special values, rotated differently in each component, followed by
/// random values.
fn inputs(op: Opcode, random: usize) -> BTreeMap<u32, Vec<[u32; 4]>> {
    // No texture is sampled at infinity (see `runs::expected`).
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
        // Each program gets a different selection of the special values.
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
            // Sampler states are tested only with devices. Runs without devices require bit-identical results, but two
            // implementations of filtering differ in the last bit.
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

/// Returns the opcode that `OPCODE=` selects, or `None` to test all opcodes.
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
    // `EVERY=N` tests only every Nth program.
    let step = number("EVERY").unwrap_or(1) as usize;
    let all: Vec<Shown> = chosen().flat_map(|op| shown(op, false)).step_by(step).collect();
    let table = tabulate(&all, suite::MACHINE, ask);
    println!("{}", table.summary());
}

//! Runs random AGAL programs on every witness. The programs cover all versions and both stages, contain conditionals, indirect
//! reads and textures, and would be accepted by Flash Player.
//!
//! A full run has 1,500 programs with fixed seeds. `PROGRAMS=` sets a different number of programs, and `SEED=` runs a single
//! program. interp, the AGAL machine and one device run each program, and the devices take turns. `ALL=1` runs every program on
//! every device.

use agal_front::lift::{Options, translate};
use agal_front::{Program, Stage, disassemble::disassemble};
use conformance::Witness;
use conformance::parallel::tabulate;
use conformance::suite::{self, Origin, Subject, Turn};
use conformance::table::{self, Table};
use laws::programs;
use sdlbc::FunctionKind;
use testing::{Effort, Random};

const PROGRAMS: u64 = 1500;

fn program(seed: u64) -> Program {
    let mut random = Random(seed.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ 0x14);
    let version = 1 + (seed % 4) as u32;
    let stage = if (seed / 4).is_multiple_of(2) { Stage::Vertex } else { Stage::Fragment };
    let length = programs::some_length(&mut random);
    programs::program(&mut random, version, stage, length)
}

fn ask(seed: u64, devices: &mut [Box<dyn Witness>], table: &mut Table) -> Result<(), String> {
    let program = program(seed);
    // Where the documentation of AGAL is ambiguous, half of the programs are translated with the alternative interpretation.
    let other = seed / 8 % 2 == 1;
    let options = Options::default().strict_ifg(other).truncate_index(other).signed_offset(other);
    let text = || format!("\n{}", disassemble(&program));
    let lifted = translate(&[&program], &options).map_err(|findings| format!("SEED={seed}: {findings:?}{}", text()))?;
    let options = agal_machine::Options::default().strict_ifg(other).truncate_index(other).signed_offset(other);
    let (kind, stage) = match program.stage {
        Stage::Vertex => (FunctionKind::Vertex, "vertex"),
        Stage::Fragment => (FunctionKind::Fragment, "fragment"),
    };
    let subject = Subject {
        row: (program.version as usize, format!("version {}, {stage}", program.version)),
        label: format!("SEED={seed}"),
        module: &lifted.module,
        program: Some(Origin::Agal(&program, options)),
        probe: suite::probe(&lifted.module, kind, seed, 16, 8),
        single: false,
        devices: true,
    };
    suite::compare(&subject, suite::some_of(devices, Turn::One, seed), table)
        .map_err(|error| format!("{error}{}", text()))
}

#[test]
fn random_programs_are_the_same_on_every_witness() {
    let seeds: Vec<u64> = Effort::of("PROGRAMS", PROGRAMS).seeds().collect();
    let table = tabulate(&seeds, suite::MACHINE, |&seed, devices, table| ask(seed, devices, table));
    let text = format!("{}\n{}", table.summary(), table.markdown("programs"));
    if seeds.len() as u64 == PROGRAMS { table::keep("programs", &text) } else { println!("{text}") }
}

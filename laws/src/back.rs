//! The law of shorter programs: an optimised AGAL program has no more tokens, no more temporaries and no other findings than the
//! program itself, and on AGAL's machine each of its outputs has the same bits.
//!
//! agal-back's own tests include this file, so it uses nothing but that crate, agal-front, agal-machine and testing.

use agal_back::{Size, optimise};
use agal_front::check::check;
use agal_front::disassemble::disassemble;
use agal_front::{Compat, Program, Rules};
use agal_machine::{Environment, Inputs, LevelOfDetail, Lookup, Machine, Options, Outputs, Quad};
use testing::Random;

/// The law for a program's bytes: what is not a program is left alone.
pub fn shorter(bytes: &[u8]) {
    if let Ok((program, _)) = Program::decode(bytes) {
        optimised(&program, &mut Random(bytes.len() as u64));
    }
}

/// Optimises a program, checks the result against it with random inputs, and returns the size before and after.
pub fn optimised(program: &Program, random: &mut Random) -> [Size; 2] {
    let result = optimise(program);
    let sizes = [Size::of(program), Size::of(&result)];
    if result == *program {
        return sizes;
    }
    let text = || format!("{}\nbecame\n{}", disassemble(program), disassemble(&result));
    let [before, after] = sizes;
    assert!(after.tokens <= before.tokens && after.temporaries <= before.temporaries, "it has grown\n{}", text());
    let rules = Rules { compat: Compat::Player, lints: true, ..Rules::default() };
    let [of_program, of_result] = [program, &result].map(|of| check(&[of], &rules).concat());
    let accepted = !of_result.iter().any(|finding| finding.is_error() && !of_program.iter().any(|old| old.is_error()));
    assert!(accepted && of_result.len() <= of_program.len(), "{of_result:?}\n{}", text());
    same(program, &result, random).unwrap_or_else(|error| panic!("{error}\n{}", text()));
    sizes
}

/// Runs two programs with the same random inputs.
///
/// # Errors
/// The first output that differs.
pub fn same(program: &Program, other: &Program, random: &mut Random) -> Result<(), String> {
    let machines = [program, other].map(|program| Machine::new(program, Options::default()));
    let [Ok(first), Ok(second)] = machines else { return Err(format!("{machines:?}")) };
    for round in 0..4 {
        let registers: Vec<Quad> = (0..16).map(|_| std::array::from_fn(|_| values(random, round))).collect();
        let constants: Vec<[f32; 4]> = (0..256).map(|_| values(random, round)).collect();
        let instance = std::array::from_fn(|_| random.below(8) as u32);
        let inputs = Inputs { registers: &registers, constants: &constants, instance, environment: &Texels };
        compare(&first.run(&inputs), &second.run(&inputs))?;
    }
    Ok(())
}

/// Random values: ordinary ones, and from the second round on also those at which operations have their exceptions.
fn values(random: &mut Random, round: u32) -> [f32; 4] {
    const SPECIAL: [f32; 9] = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, f32::INFINITY, f32::NAN, 1e-38];
    std::array::from_fn(|_| match round > 0 && random.once_in(if round == 3 { 3 } else { 12 }) {
        true => random.pick(&SPECIAL),
        false => random.between(-4.0, 4.0),
    })
}

fn compare(first: &Outputs, second: &Outputs) -> Result<(), String> {
    if first.killed != second.killed {
        return Err(format!("{:?} and {:?} are discarded", first.killed, second.killed));
    }
    if first.registers.len() != second.registers.len() {
        return Err("other registers are written".to_string());
    }
    for (one, other) in first.registers.iter().zip(&second.registers) {
        if (one.file, one.number) != (other.file, other.number) {
            return Err(format!("{:?} {} is not {:?} {}", one.file, one.number, other.file, other.number));
        }
        for lane in (0..4).filter(|&lane| !first.killed[lane]) {
            let written = one.written[lane];
            let differs = |&at: &u8| !is_same(one.values[lane][usize::from(at)], other.values[lane][usize::from(at)]);
            if written != other.written[lane] || written.components().any(|at| differs(&at)) {
                return Err(format!("invocation {lane}: {one:?}\nis not {other:?}"));
            }
        }
    }
    Ok(())
}

fn is_same(one: f32, other: f32) -> bool {
    one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan()
}

/// Texels that depend on each bit of a lookup, so that another lookup has another result.
struct Texels;

impl Environment for Texels {
    fn texels(&self, lookup: &Lookup) -> Quad {
        let sampler = lookup.sampler;
        let state = u64::from(sampler.number) << 32 | u64::from(sampler.filter) << 8 | u64::from(sampler.wrap) << 4;
        std::array::from_fn(|lane| {
            let bits = |values: &[f32]| -> Vec<u64> {
                values.iter().map(|value| if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }.into()).collect()
            };
            let mut words = bits(&lookup.coordinates[lane]);
            words.extend(bits(&[lookup.bias]));
            match &lookup.level {
                LevelOfDetail::Implicit(of) => words.extend(bits(of.as_flattened())),
                LevelOfDetail::Explicit(of) => words.extend(bits(&[of[lane]])),
            }
            let mut random = Random::of(state, &words);
            std::array::from_fn(|_| random.unit())
        })
    }
}

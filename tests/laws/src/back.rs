//! The laws of AGAL as a target. Optimising an AGAL program does not increase the number of its tokens, temporaries or findings,
//! and leaves its outputs on the AGAL machine unchanged, bit for bit.

use agal_back::{ConstantSource, Refusal, Size, optimise};
use agal_front::check::check;
use agal_front::disassemble::disassemble;
use agal_front::token::Sampler;
use agal_front::{Compat, Program, Rules};
use agal_machine::{Environment, Inputs, LevelOfDetail, Lookup, Machine, Options, Outputs, Quad};
use sdlbc::{Module, Verified};
use testing::Random;

/// Checks the laws of AGAL as a target for the AGAL program that the bytes encode or, if they encode none, for the module that
/// they encode.
pub fn back(bytes: &[u8]) {
    if let Ok((program, _)) = Program::decode(bytes) {
        optimised(&program, &mut Random(bytes.len() as u64));
    } else if let Some(module) = crate::module_of(bytes) {
        translated(module);
    }
}

/// Checks that each function of a module becomes a program that Flash Player accepts, or is refused with a one-line message.
pub fn translated(module: Module) {
    let Ok(verified) = Verified::new(module) else { return };
    for function in 0..verified.functions.len() {
        match agal_back::translate(&verified, function, &agal_back::Options::default()) {
            Ok(translated) => {
                let rules = Rules::default().compat(Compat::Player);
                let found = check(&[&translated.program], &rules).concat();
                assert!(!found.iter().any(agal_front::Finding::is_error), "{found:?}");
            }
            Err(refusals) => {
                assert!(!refusals.is_empty() && refusals.iter().all(|refusal| !refusal.to_string().contains('\n')));
            }
        }
    }
}

/// Optimises a program, checks that the optimised program has the same results on random inputs, and returns the sizes before and
/// after.
pub fn optimised(program: &Program, random: &mut Random) -> [Size; 2] {
    let result = optimise(program);
    let sizes = [Size::of(program), Size::of(&result)];
    if result == *program {
        return sizes;
    }
    let text = || format!("{}\nbecame\n{}", disassemble(program), disassemble(&result));
    let [before, after] = sizes;
    assert!(after.tokens <= before.tokens && after.temporaries <= before.temporaries, "it has grown\n{}", text());
    let rules = Rules::default().compat(Compat::Player).lints(true);
    let [of_program, of_result] = [program, &result].map(|of| check(&[of], &rules).concat());
    let accepted = !of_result.iter().any(|finding| finding.is_error() && !of_program.iter().any(|old| old.is_error()));
    assert!(accepted && of_result.len() <= of_program.len(), "{of_result:?}\n{}", text());
    same(program, &result, random).unwrap_or_else(|error| panic!("{error}\n{}", text()));
    sizes
}

/// Translates a program to a module and back, checks that the results are the same, and returns the sizes before and after.
///
/// If `passes` is set, the module is optimised before it is translated back.
///
/// # Errors
/// Returns the refusal if the module cannot be translated back.
pub fn around(program: &Program, passes: bool, random: &mut Random) -> Result<[Size; 2], Refusal> {
    let lifted = agal_front::lift::translate(&[program], &agal_front::lift::Options::default());
    let mut module = Verified::new(lifted.expect("a module").module).expect("it verifies");
    if passes {
        module = sdlbc_passes::optimise(module, &sdlbc_passes::Options::default(), &mut |_, _| {});
    }
    let options = agal_back::Options::default().version(Some(program.version));
    let translated = agal_back::translate(&module, 0, &options).map_err(|refusals| refusals[0].clone())?;
    let result = &translated.program;
    let text = || format!("{}\n{}\nbecame\n{}", disassemble(program), sdlbc::print(&module), disassemble(result));
    let rules = Rules::default().compat(Compat::Player).lints(true);
    let found = check(&[result], &rules).concat();
    assert!(!found.iter().any(agal_front::Finding::is_error), "{found:?}\n{}", text());
    let literals = translated.constants.iter().flat_map(|register| {
        register.components.iter().enumerate().filter_map(|(at, source)| match source {
            Some(ConstantSource::Literal(word)) => Some((register.number as usize, at, f32::from_bits(*word))),
            _ => None,
        })
    });
    let literals: Vec<(usize, usize, f32)> = literals.collect();
    compared(program, result, &literals, is_same_number, random).unwrap_or_else(|error| panic!("{error}\n{}", text()));
    Ok([Size::of(program), Size::of(result)])
}

/// Runs two programs with the same random inputs, and compares their outputs.
///
/// # Errors
/// Returns a description of the first difference.
pub fn same(program: &Program, other: &Program, random: &mut Random) -> Result<(), String> {
    compared(program, other, &[], is_same, random)
}

fn compared(
    program: &Program,
    other: &Program,
    literals: &[(usize, usize, f32)],
    is_same: fn(f32, f32) -> bool,
    random: &mut Random,
) -> Result<(), String> {
    let machines = [program, other].map(|program| Machine::new(program, Options::default()));
    let [Ok(first), Ok(second)] = machines else { return Err(format!("{machines:?}")) };
    for round in 0..4 {
        let registers: Vec<Quad> = (0..16).map(|_| std::array::from_fn(|_| values(random, round))).collect();
        let constants: Vec<[f32; 4]> = (0..256).map(|_| values(random, round)).collect();
        let instance = std::array::from_fn(|_| random.below(8) as u32);
        let inputs = Inputs { registers: &registers, constants: &constants, instance, environment: &Texels };
        let mut with_literals = constants.clone();
        literals.iter().for_each(|&(register, component, value)| with_literals[register][component] = value);
        compare(&first.run(&inputs), &second.run(&Inputs { constants: &with_literals, ..inputs }), is_same)?;
    }
    Ok(())
}

/// Returns four random values. From the second round on, some of the values are special, such as infinity and NaN.
fn values(random: &mut Random, round: u32) -> [f32; 4] {
    const SPECIAL: [f32; 9] = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, f32::INFINITY, f32::NAN, 1e-38];
    std::array::from_fn(|_| match round > 0 && random.once_in(if round == 3 { 3 } else { 12 }) {
        true => random.pick(&SPECIAL),
        false => random.between(-4.0, 4.0),
    })
}

fn compare(first: &Outputs, second: &Outputs, is_same: fn(f32, f32) -> bool) -> Result<(), String> {
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

/// Reports whether two numbers are equal or at least one is NaN, because lifting drops code that matters only for NaN.
fn is_same_number(one: f32, other: f32) -> bool {
    is_same(one, other) || one.is_nan() || other.is_nan()
}

/// An environment whose texels depend on a lookup's sampler state, coordinates, bias and level, so that different lookups return
/// different texels.
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
            let has_levels = sampler.mip != 0 || sampler.filter > 1 || sampler.special & Sampler::IGNORE != 0;
            match &lookup.level {
                // Without mip levels, the level does not affect the result.
                _ if !has_levels => {}
                LevelOfDetail::Implicit(of) => words.extend(bits(of.as_flattened())),
                LevelOfDetail::Explicit(of) => words.extend(bits(&[of[lane]])),
            }
            let mut random = Random::of(state, &words);
            std::array::from_fn(|_| random.unit())
        })
    }
}

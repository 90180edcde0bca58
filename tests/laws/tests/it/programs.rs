//! Generates 10,000 random programs that Flash Player accepts, of every version and stage, with `tests/laws/src/programs.rs`.
//!
//! Disassembling and assembling preserves each program, validation reports nothing that the player would report, translation
//! succeeds, and the module is valid. Another test checks that every opcode, register and option occurs in the generated
//! programs. `PROGRAMS=` sets a different number of programs, and `SEED=` runs a single program.

use std::collections::BTreeSet;

use agal_front::assemble::{AssembleOptions, assemble};
use agal_front::check::check;
use agal_front::disassemble::disassemble;
use agal_front::lift::{Options, translate};
use agal_front::opcode::{Meaning, Opcode, Operand};
use agal_front::register::{File, VERSIONS, token_limit};
use agal_front::token::{Mask, Sampler, Token};
use agal_front::{Compat, Program, Rules, Stage};
use laws::programs;
use testing::{Effort, Random};

const PROGRAMS: u64 = 10_000;

/// Generates the program of a seed. Versions and stages alternate, and the first program of each version and stage has the
/// maximum number of tokens.
fn program(seed: u64) -> Program {
    let stage = if seed & 1 == 0 { Stage::Vertex } else { Stage::Fragment };
    let version = 1 + (seed >> 1 & 3) as u32;
    let mut random = Random(seed);
    let length = if seed < 8 { token_limit(version) } else { programs::some_length(&mut random) };
    programs::program(&mut random, version, stage, length)
}

fn player() -> Rules {
    Rules::default().compat(Compat::Player)
}

/// Returns an error if the program, which should be valid, causes a problem in one of the checks.
fn wrong(program: &Program) -> Result<(), String> {
    let text = disassemble(program);
    let again = assemble(&text, &AssembleOptions::default()).map_err(|findings| format!("{findings:?}"))?;
    if again.program != *program || again.program.encode() != program.encode() {
        return Err("the text assembles to another program".to_string());
    }
    if text.contains(".token") || !again.warnings.is_empty() {
        return Err(format!("{:?}", again.warnings));
    }
    let (decoded, warnings) = Program::decode(&program.encode()).map_err(|findings| format!("{findings:?}"))?;
    if decoded != *program || !warnings.is_empty() {
        return Err(format!("{warnings:?}"));
    }
    // Findings whose numbers begin at 9000 are our own lints, which concern code that the player accepts.
    let found = check(&[program], &player()).concat();
    if let Some(finding) = found.iter().find(|finding| finding.is_error() || finding.code() < 9000) {
        return Err(format!("{finding:?}"));
    }
    let options = Options::default().rules(player());
    let lifted = translate(&[program], &options).map_err(|findings| format!("{findings:?}"))?;
    sdlbc::verify(&lifted.module).map_err(|violations| format!("{violations:?}\n{}", sdlbc::print(&lifted.module)))?;
    Ok(())
}

#[test]
fn random_programs_round_trip_through_text_and_break_no_rule() {
    let mut failures = Vec::new();
    for seed in Effort::of("PROGRAMS", PROGRAMS).seeds() {
        let program = program(seed);
        if let Err(error) = wrong(&program) {
            failures.push(format!("seed {seed:#x}: {error}\n{}", disassemble(&program)));
        }
    }
    assert!(failures.is_empty(), "{} failed\n{}", failures.len(), failures[..failures.len().min(3)].join("\n"));
}

#[test]
fn random_pairs_match() {
    for seed in Effort::of("PROGRAM_PAIRS", 500).seeds() {
        let mut random = Random(seed << 32);
        let [vertex, fragment] = programs::pair(&mut random, 1 + (seed & 3) as u32);
        let lifted = translate(&[&vertex, &fragment], &Options::default().rules(player()));
        let lifted = lifted.unwrap_or_else(|findings| panic!("seed {seed:#x}: {findings:?}"));
        let said: Vec<_> = lifted.findings.concat();
        assert!(said.iter().all(|finding| finding.code() >= 9000), "seed {seed:#x}: {said:?}");
        assert_eq!(sdlbc::verify(&lifted.module), Ok(()), "seed {seed:#x}");
    }
}

/// Collects the features that a program uses, as short phrases.
fn shown(program: &Program, seen: &mut BTreeSet<String>) {
    let Program { version, stage, ref tokens, .. } = *program;
    let (mut depth, mut deepest) = (0, 0);
    for token in tokens {
        let op = token.op().expect("an operation");
        let row = op.row();
        match row.meaning {
            Meaning::If(_) => depth += 1,
            Meaning::EndIf => depth -= 1,
            _ => {}
        }
        deepest = deepest.max(depth);
        seen.insert(format!("{version} {stage} {}", row.mnemonic));
        if depth > 0 {
            seen.insert(format!("{} in a conditional", row.mnemonic));
        }
        if row.destination {
            destination(program, token, seen);
        }
        for slot in 0..2 {
            source(program, token, slot, seen);
        }
    }
    seen.insert(format!("nesting {deepest}"));
    if tokens.len() == token_limit(version) {
        seen.insert(format!("{version} {stage} of maximum length"));
    }
}

fn destination(program: &Program, token: &Token, seen: &mut BTreeSet<String>) {
    let Program { version, stage, .. } = *program;
    let dst = token.dst();
    let file = dst.register_file().expect("a file");
    seen.insert(format!("mask {}", dst.mask));
    seen.insert(format!("{version} {stage} writes {file:?} {}", dst.number));
    if dst.mask != Mask::ALL {
        seen.insert(format!("{stage} writes part of {file:?}"));
    }
    if (0..2).any(|slot| token.src(slot).register_file() == Some(file) && token.src(slot).number == dst.number) {
        seen.insert(format!("{} writes what it reads", token.op().expect("an operation").row().mnemonic));
    }
}

fn source(program: &Program, token: &Token, slot: usize, seen: &mut BTreeSet<String>) {
    let Program { version, stage, .. } = *program;
    let source = token.src(slot);
    let file = source.register_file().expect("a file");
    let operand = token.operand(slot);
    match operand {
        Operand::None => {}
        Operand::Sampler => sampler(program, token.sampler(), seen),
        _ if source.indirect => {
            let index = source.index_register_file().expect("a file");
            seen.insert(format!("{version} index of {index:?} for {operand:?}"));
            seen.insert(format!("index {}", ["x", "y", "z", "w"][usize::from(source.index_component)]));
            let offset = if source.offset == 0 { 0 } else { 1 + source.offset / 128 };
            seen.insert(format!("offset {offset}"));
        }
        _ => {
            seen.insert(format!("{version} {stage} reads {file:?} for {operand:?}"));
            seen.insert(format!("{version} {stage} reads {file:?} {}", source.number));
            seen.insert(format!("swizzle {:02x}", source.swizzle.0));
        }
    }
}

fn sampler(program: &Program, sampler: Sampler, seen: &mut BTreeSet<String>) {
    let Program { version, stage, .. } = *program;
    let Sampler { number, bias, format, dimension, special, wrap, mip, filter, .. } = sampler;
    seen.insert(format!("{version} {stage} sampler {number}"));
    let fields = [("format", format), ("dimension", dimension), ("wrap", wrap), ("mip", mip), ("filter", filter)];
    for (field, value) in fields {
        seen.insert(format!("{stage} {field} {value}"));
    }
    seen.insert(format!("{stage} special {special}"));
    seen.insert(format!("{stage} bias {}", bias.signum()));
}

/// Returns every feature that the generated programs must use.
fn everything() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut add = |word: String| {
        all.insert(word);
    };
    for version in VERSIONS {
        for stage in [Stage::Vertex, Stage::Fragment] {
            add(format!("{version} {stage} of maximum length"));
            let rows = Opcode::ALL.iter().map(|op| op.row()).filter(|row| row.meaning != Meaning::TextureLevel);
            for row in rows.filter(|row| row.since <= version && row.stage.is_none_or(|only| only == stage)) {
                add(format!("{version} {stage} {}", row.mnemonic));
            }
            let files: &[File] = match stage {
                Stage::Vertex => &[File::Attribute, File::Constant, File::Temporary, File::Instance],
                Stage::Fragment => &[File::Varying, File::Constant, File::Temporary],
            };
            for &file in files {
                let count = file.count(stage, version);
                // Only the first and last registers of a large register file are required.
                let ends = (0..count).filter(|&number| count < 32 || number == 0 || number + 1 == count);
                ends.for_each(|number| add(format!("{version} {stage} reads {file:?} {number}")));
                if count >= 4 {
                    add(format!("{version} {stage} reads {file:?} for Matrix"));
                }
                if version >= 2 && count > 0 {
                    add(format!("{version} {stage} reads {file:?} for Scalar"));
                }
                if stage == Stage::Vertex && count > 0 {
                    add(format!("{version} index of {file:?} for Vector"));
                    add(format!("{version} index of {file:?} for Matrix"));
                }
            }
            let files: &[File] = match stage {
                Stage::Vertex => &[File::Temporary, File::Output, File::Varying],
                Stage::Fragment => &[File::Temporary, File::Output, File::Depth],
            };
            for &file in files {
                let count = file.count(stage, version);
                (0..count).for_each(|number| add(format!("{version} {stage} writes {file:?} {number}")));
            }
            let samplers = File::Sampler.count(stage, version);
            (0..samplers).for_each(|number| add(format!("{version} {stage} sampler {number}")));
        }
    }
    for stage in ["vertex", "fragment"] {
        let filters = if stage == "vertex" { 2 } else { 6 };
        for (field, count) in
            [("format", 4), ("dimension", 3), ("wrap", 4), ("mip", 3), ("filter", filters), ("special", 8)]
        {
            (0..count).for_each(|value| add(format!("{stage} {field} {value}")));
        }
        (-1..=1).for_each(|sign| add(format!("{stage} bias {sign}")));
    }
    (1..16).for_each(|mask| add(format!("mask {}", Mask(mask))));
    (0..=255).for_each(|swizzle| add(format!("swizzle {swizzle:02x}")));
    (0..=4).for_each(|depth| add(format!("nesting {depth}")));
    ["x", "y", "z", "w"].iter().for_each(|letter| add(format!("index {letter}")));
    (0..=2).for_each(|size| add(format!("offset {size}")));
    for mnemonic in ["tex", "tld", "kil", "m44", "els"] {
        add(format!("{mnemonic} in a conditional"));
    }
    for file in [File::Output, File::Varying] {
        add(format!("vertex writes part of {file:?}"));
    }
    for mnemonic in ["crs", "nrm", "m33", "m34", "m44", "pow", "dp3", "tex"] {
        add(format!("{mnemonic} writes what it reads"));
    }
    all
}

#[test]
fn the_generator_produces_every_opcode_register_and_option() {
    let mut seen = BTreeSet::new();
    (0..PROGRAMS).for_each(|seed| shown(&program(seed), &mut seen));
    let missing: Vec<_> = everything().difference(&seen).cloned().collect();
    assert!(missing.is_empty(), "{} are never generated: {missing:?}", missing.len());
    for mnemonic in ["ddx", "ddy"] {
        assert!(!seen.contains(&format!("{mnemonic} in a conditional")));
    }
}

//! Textures in conditionals: the machine and the translator agree, for random programs, on which of them have a level that
//! follows from the neighbours. In one thing they differ, which is stated here: the translator knows that a `sat` may change
//! nothing, and so takes a level from the neighbours where the machine, which goes by the text, has none.

#[path = "it/common/mod.rs"]
mod common;

use std::cell::Cell;
use std::collections::BTreeSet;

use agal_front::lift::{self, translate};
use agal_front::machine::{Inputs, LevelOf, Lookup, Machine, Options, Quad, Surroundings};
use agal_front::token::{Destination, Mask, Sampler, Source, Swizzle, Token};
use agal_front::{Rules, Stage};
use common::generate;
use common::random::SplitMix64;
use sdlbc::{Inst, Op};

/// Remembers whether the last lookup took its level from the neighbours.
struct Watch(Cell<Option<bool>>);

impl Surroundings for Watch {
    fn texels(&self, lookup: &Lookup) -> Quad {
        self.0.set(Some(matches!(lookup.level, LevelOf::Neighbours(_))));
        lookup.coordinates.map(|[x, y, z]| [x.sin(), y.cos(), z, 0.5])
    }
}

/// The instructions in reading order, as the tokens of a translation are.
fn instructions<'a>(body: &'a [Inst], all: &mut Vec<&'a Inst>) {
    for inst in body {
        all.push(inst);
        inst.blocks.iter().for_each(|block| instructions(block, all));
    }
}

const TEMPORARIES: u16 = 26;
const SAT: u32 = 0x16;

/// Coordinates that are computed in conditionals, what nothing has written, in parts too, and samplers of several states.
fn allowing_all() -> lift::Options {
    let rules = Rules { allow: vec![3741, 3647, 3648, 3696], ..Rules::default() };
    lift::Options { rules, ..lift::Options::default() }
}

/// `mov` or `neg` of a varying into a temporary.
fn written(number: u16, random: &mut SplitMix64) -> Token {
    let destination = Destination { number, mask: Mask::ALL, file: 2 }.encode();
    let varying = Source::decode(random.below(8) | 0xe4 << 24 | 4 << 32).encode();
    Token { opcode: if random.once_in(2) { 0x00 } else { 0x15 }, destination, sources: [varying, 0] }
}

#[test]
fn the_machine_and_the_translator_agree_on_where_levels_come_from() {
    let options = allowing_all();
    let (mut neighbours, mut none, mut known, mut failures) = (0, 0, 0, Vec::new());
    for seed in 0..4000 {
        let mut random = SplitMix64(seed);
        let mut program = generate::program(&mut random, 2, Stage::Fragment, 40);
        // The last few are read though nothing has written them, but for what the program itself writes.
        let given = TEMPORARIES - random.below(4) as u16;
        let mut tokens: Vec<Token> = (0..given).map(|number| written(number, &mut random)).collect();
        tokens.append(&mut program.tokens);
        program.tokens = tokens;
        let (mut depth, mut last) = (0, 0);
        let mut used = BTreeSet::new();
        for token in &mut program.tokens {
            depth += usize::from(matches!(token.opcode, 0x1c..=0x1f));
            depth -= usize::from(token.opcode == 0x21);
            let is_temporary = token.op().is_some_and(|op| op.row().destination) && token.dst().file == 2;
            let coordinate = if random.once_in(2) { last } else { random.below(TEMPORARIES.into()) as u16 };
            last = if is_temporary { token.dst().number } else { last };
            if depth > 0 && is_temporary && random.once_in(3) {
                let swizzle = Swizzle(random.below(256) as u8);
                let source = Source { number: coordinate, swizzle, file: 2, ..Source::decode(0) };
                *token = Token { opcode: 0x28, sources: [source.encode(), 0], ..*token };
            }
            if token.opcode == 0x28 {
                // The first use of each has levels. It holds, read or not, and whatever the others say.
                let number = if token.sources[1] == 0 { 0 } else { token.sampler().number };
                let mip = if used.insert(number) { 2 } else { random.below(3) as u8 };
                let state = Sampler { number, file: 5, mip, filter: 1, wrap: 1, ..Sampler::decode(0) };
                token.sources[1] = state.encode();
            }
        }
        let Ok(lifted) = translate(&[&program], &options) else { continue };
        let mut all = Vec::new();
        instructions(&lifted.module.functions[0].body, &mut all);
        let mut wanted = vec![None; program.tokens.len() + 1];
        let mut clamps = BTreeSet::new();
        for (inst, &token) in all.iter().zip(&lifted.tokens[0]) {
            match inst.op {
                Op::Sample | Op::SampleBias | Op::SampleGrad => wanted[token as usize] = Some(true),
                Op::SampleLod => wanted[token as usize] = Some(false),
                Op::Clamp => drop(clamps.insert(token)),
                _ => {}
            }
        }
        let is_left_out = |(token, index): (&Token, u32)| token.opcode == SAT && !clamps.contains(&index);
        let leaves_out = program.tokens.iter().zip(1..).any(is_left_out);
        let machine = Machine::new(&program, Options::default()).expect("a machine");
        let mut number = || (random.below(9) as f32 - 4.0) / 2.0;
        let registers: Vec<Quad> = (0..10).map(|_| [[0; 4]; 4].map(|lane| lane.map(|_| number()))).collect();
        let constants: Vec<[f32; 4]> = (0..64).map(|_| [0; 4].map(|_| number())).collect();
        let watch = Watch(Cell::new(None));
        let inputs = Inputs { registers: &registers, constants: &constants, instance: [0; 4], surroundings: &watch };
        machine.trace(&inputs, |trace| {
            let (Some(wanted), Some(found)) = (wanted[trace.token], watch.0.take()) else { return };
            neighbours += usize::from(found);
            none += usize::from(!found);
            if leaves_out && wanted && !found {
                known += 1;
            } else if wanted != found {
                failures.push(format!("seed {seed}, token {}: {found} in the machine", trace.token));
            }
        });
    }
    println!("{neighbours} levels of neighbours, {none} without, {known} that the translator knows of");
    assert!(failures.is_empty(), "{} differences: {failures:#?}", failures.len());
    assert!(neighbours > 1000 && none > 200 && known * 20 < none, "{neighbours} {none} {known}");
}

/// Where the level of the only `tex` in a conditional comes from: the neighbours, or not. First what the translator says.
fn levels(text: &str) -> [bool; 2] {
    let (program, _) = common::Expected::default().assemble(text);
    let lifted = translate(&[&program], &allowing_all()).expect("it is allowed");
    let mut all = Vec::new();
    instructions(&lifted.module.functions[0].body, &mut all);
    let machine = Machine::new(&program, Options::default()).expect("a machine");
    let registers = [[[0.25; 4]; 4]; 2];
    let watch = Watch(Cell::new(None));
    let inputs = Inputs { registers: &registers, constants: &[[1.0; 4]], instance: [0; 4], surroundings: &watch };
    machine.trace(&inputs, |_| {});
    [all.iter().any(|inst| inst.op == Op::SampleGrad), watch.0.get().expect("a lookup")]
}

#[test]
fn what_the_text_alone_says_is_the_same_for_both_and_what_the_translator_knows_besides_is_its_own() {
    let tex = "ifl v0.x, fc0.x\nCODE\ntex ft0, ft1, fs0 <2d,linear,miplinear>\nmov oc, ft0\neif\n";
    let program = |before: &str, inside: &str| format!("mov oc, v0\n{before}\n{}", tex.replace("CODE", inside));
    assert_eq!(levels(&program("mov ft1, v1", "")), [true; 2]);
    assert_eq!(levels(&program("mov ft2, v1", "mov ft1, ft2.yx")), [true; 2]);
    assert_eq!(levels(&program("mov ft1.x, v1.x", "")), [true; 2], "what nothing wrote was zero before");
    assert_eq!(levels(&program("", "")), [true; 2]);
    assert_eq!(levels(&program("", "add ft1, v1, fc0")), [false; 2]);
    assert_eq!(levels(&program("frc ft2, v1", "neg ft1, ft2")), [false; 2]);
    // A fraction is within 0..1, and what is computed twice is computed once.
    assert_eq!(levels(&program("frc ft2, v1", "sat ft1, ft2")), [true, false]);
    assert_eq!(levels(&program("add ft2.xy, v1, fc0\nmul oc, v1, ft2.xyxy", "add ft1, v1, fc0")), [true, false]);
}

//! Textures in conditionals: the machine and the translator agree, for random programs, on which of them have a level that
//! follows from the neighbours.

mod common;

use std::cell::Cell;

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

/// `mov` or `neg` of a varying into a temporary.
fn written(number: u16, random: &mut SplitMix64) -> Token {
    let destination = Destination { number, mask: Mask::ALL, file: 2 }.encode();
    let varying = Source::decode(random.below(8) | 0xe4 << 24 | 4 << 32).encode();
    Token { opcode: if random.once_in(2) { 0x00 } else { 0x15 }, destination, sources: [varying, 0] }
}

#[test]
fn the_machine_and_the_translator_agree_on_where_levels_come_from() {
    let rules = Rules { allow: vec![3741], ..Rules::default() };
    let options = lift::Options { rules, ..lift::Options::default() };
    let (mut neighbours, mut none, mut failures) = (0, 0, Vec::new());
    for seed in 0..4000 {
        let mut random = SplitMix64(seed);
        let mut program = generate::program(&mut random, 2, Stage::Fragment, 40);
        // No temporary is read that nothing has written.
        let mut tokens: Vec<Token> = (0..TEMPORARIES).map(|number| written(number, &mut random)).collect();
        tokens.append(&mut program.tokens);
        program.tokens = tokens;
        let (mut depth, mut last) = (0, 0);
        for token in &mut program.tokens {
            depth += usize::from(matches!(token.opcode, 0x1c..=0x1f));
            depth -= usize::from(token.opcode == 0x21);
            if token.opcode == 0x16 {
                // The translator leaves out a `sat` that it knows to change nothing, so what it gives was there before.
                token.opcode = 0x15;
            }
            let is_temporary = token.op().is_some_and(|op| op.row().destination) && token.dst().file == 2;
            let coordinate = if random.once_in(2) { last } else { random.below(TEMPORARIES.into()) as u16 };
            last = if is_temporary { token.dst().number } else { last };
            if depth > 0 && is_temporary && random.once_in(3) {
                let swizzle = Swizzle(random.below(256) as u8);
                let source = Source { number: coordinate, swizzle, file: 2, ..Source::decode(0) };
                *token = Token { opcode: 0x28, sources: [source.encode(), 0], ..*token };
            }
            if token.opcode == 0x28 {
                // One state for all, with levels.
                let number = if token.sources[1] == 0 { 0 } else { token.sampler().number };
                let state = Sampler { number, file: 5, mip: 2, filter: 1, wrap: 1, ..Sampler::decode(0) };
                token.sources[1] = state.encode();
            }
        }
        let Ok(lifted) = translate(&[&program], &options) else { continue };
        let mut all = Vec::new();
        instructions(&lifted.module.functions[0].body, &mut all);
        let mut wanted = vec![None; program.tokens.len() + 1];
        for (inst, &token) in all.iter().zip(&lifted.tokens[0]) {
            match inst.op {
                Op::Sample | Op::SampleBias | Op::SampleGrad => wanted[token as usize] = Some(true),
                Op::SampleLod => wanted[token as usize] = Some(false),
                _ => {}
            }
        }
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
            if wanted != found {
                failures.push(format!("seed {seed}, token {}: {found} in the machine", trace.token));
            }
        });
    }
    println!("{neighbours} levels of neighbours, {none} without, {} differences", failures.len());
    assert!(failures.is_empty(), "{failures:#?}");
    assert!(neighbours > 1000 && none > 200);
}

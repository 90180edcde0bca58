//! Checks with random programs that the machine and the translator agree on which lookups in conditionals have an implicit level
//! of detail. There is one permitted difference: the translator also uses an implicit level if it proves that a `sat` changes
//! nothing or that a value was already computed.

use std::cell::Cell;
use std::collections::BTreeSet;

use agal_front::lift::{self, Lifted, translate};
use agal_front::token::{Destination, Mask, Sampler, Source, Swizzle, Token};
use agal_front::{Rules, Stage};
use agal_machine::{Environment, Inputs, LevelOfDetail, Lookup, Machine, Options, Quad};

use super::program;
use laws::programs;
use testing::Random;

/// Records whether the last lookup had an implicit level of detail.
struct Recorder(Cell<Option<bool>>);

impl Environment for Recorder {
    fn texels(&self, lookup: &Lookup) -> Quad {
        self.0.set(Some(matches!(lookup.level, LevelOfDetail::Implicit(_))));
        lookup.coordinates.map(|[x, y, z]| [x.sin(), y.cos(), z, 0.5])
    }
}

/// Returns the mnemonics of a translation's instructions in reading order, the order of [`Lifted::tokens`].
fn mnemonics(lifted: &Lifted) -> Vec<&'static str> {
    lifted.module.functions[0].body.insts().iter().map(|inst| inst.op.mnemonic()).collect()
}

const TEMPORARIES: u16 = 26;
const SAT: u32 = 0x16;

/// Returns options that allow coordinates computed in conditionals, reads of unwritten components, and samplers with several
/// states.
fn allowing_all() -> lift::Options {
    let rules = Rules::default().allow(vec![3741, 3647, 3648, 3696]);
    lift::Options::default().rules(rules)
}

/// Returns a token that writes a varying or its negation to a temporary.
fn written(number: u16, random: &mut Random) -> Token {
    let destination = Destination { number, mask: Mask::ALL, file: 2 }.encode();
    let varying = Source::decode(random.below(8) as u64 | 0xe4 << 24 | 4 << 32).encode();
    Token { opcode: if random.once_in(2) { 0x00 } else { 0x15 }, destination, sources: [varying, 0] }
}

#[test]
fn the_machine_and_the_translator_agree_on_which_levels_are_implicit() {
    let options = allowing_all();
    let (mut implicit, mut explicit, mut proved, mut failures) = (0, 0, 0, Vec::new());
    for seed in 0..4000 {
        let mut random = Random(seed);
        let mut program = programs::program(&mut random, 2, Stage::Fragment, 40);
        // The last few temporaries are not initialised, so that programs can read unwritten registers.
        let initialised = TEMPORARIES - random.below(4) as u16;
        let mut tokens: Vec<Token> = (0..initialised).map(|number| written(number, &mut random)).collect();
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
                // The first token that uses a sampler determines the sampler's state, which must have mip levels.
                let number = if token.sources[1] == 0 { 0 } else { token.sampler().number };
                let mip = if used.insert(number) { 2 } else { random.below(3) as u8 };
                let state = Sampler { number, file: 5, mip, filter: 1, wrap: 1, ..Sampler::decode(0) };
                token.sources[1] = state.encode();
            }
        }
        let Ok(lifted) = translate(&[&program], &options) else { continue };
        let mut wanted = vec![None; program.tokens.len() + 1];
        let mut clamps = BTreeSet::new();
        for (mnemonic, &token) in mnemonics(&lifted).into_iter().zip(&lifted.tokens[0]) {
            match mnemonic {
                "sample" | "samplebias" | "samplegrad" => wanted[token as usize] = Some(true),
                "samplelod" => wanted[token as usize] = Some(false),
                "clamp" => drop(clamps.insert(token)),
                _ => {}
            }
        }
        let is_omitted = |(token, index): (&Token, u32)| token.opcode == SAT && !clamps.contains(&index);
        let omits_sat = program.tokens.iter().zip(1..).any(is_omitted);
        let machine = Machine::new(&program, Options::default()).expect("a machine");
        let mut number = || (random.below(9) as f32 - 4.0) / 2.0;
        let registers: Vec<Quad> = (0..10).map(|_| [[0; 4]; 4].map(|lane| lane.map(|_| number()))).collect();
        let constants: Vec<[f32; 4]> = (0..64).map(|_| [0; 4].map(|_| number())).collect();
        let recorder = Recorder(Cell::new(None));
        let inputs = Inputs { registers: &registers, constants: &constants, instance: [0; 4], environment: &recorder };
        machine.trace(&inputs, |trace| {
            let (Some(wanted), Some(found)) = (wanted[trace.token], recorder.0.take()) else { return };
            implicit += usize::from(found);
            explicit += usize::from(!found);
            if omits_sat && wanted && !found {
                proved += 1;
            } else if wanted != found {
                let level = if found { "an implicit level" } else { "level 0" };
                failures.push(format!("seed {seed}, token {}: the machine has {level}", trace.token));
            }
        });
    }
    println!("{implicit} implicit levels, {explicit} explicit ones, {proved} implicit in the translator only");
    assert!(failures.is_empty(), "{} differences: {failures:#?}", failures.len());
    assert!(implicit > 1000 && explicit > 200 && proved * 20 < explicit, "{implicit} {explicit} {proved}");
}

/// Returns two flags: whether the program's only `tex` has an implicit level in the translator, and whether it has one in the
/// machine.
fn levels(text: &str) -> [bool; 2] {
    let program = program(text);
    let lifted = translate(&[&program], &allowing_all()).expect("it is allowed");
    let machine = Machine::new(&program, Options::default()).expect("a machine");
    let registers = [[[0.25; 4]; 4]; 2];
    let recorder = Recorder(Cell::new(None));
    let inputs = Inputs { registers: &registers, constants: &[[1.0; 4]], instance: [0; 4], environment: &recorder };
    machine.trace(&inputs, |_| {});
    [mnemonics(&lifted).contains(&"samplegrad"), recorder.0.get().expect("a lookup")]
}

#[test]
fn only_levels_that_the_translator_proves_from_values_differ() {
    let tex = "ifl v0.x, fc0.x\nCODE\ntex ft0, ft1, fs0 <2d,linear,miplinear>\nmov oc, ft0\neif\n";
    let program = |before: &str, inside: &str| format!("mov oc, v0\n{before}\n{}", tex.replace("CODE", inside));
    assert_eq!(levels(&program("mov ft1, v1", "")), [true; 2]);
    assert_eq!(levels(&program("mov ft2, v1", "mov ft1, ft2.yx")), [true; 2]);
    assert_eq!(
        levels(&program("mov ft1.x, v1.x", "")),
        [true; 2],
        "an unwritten component was zero before the conditional"
    );
    assert_eq!(levels(&program("", "")), [true; 2]);
    assert_eq!(levels(&program("", "add ft1, v1, fc0")), [false; 2]);
    assert_eq!(levels(&program("frc ft2, v1", "neg ft1, ft2")), [false; 2]);
    // The translator proves that a fraction is within 0..1, and finds common subexpressions.
    assert_eq!(levels(&program("frc ft2, v1", "sat ft1, ft2")), [true, false]);
    assert_eq!(levels(&program("add ft2.xy, v1, fc0\nmul oc, v1, ft2.xyxy", "add ft1, v1, fc0")), [true, false]);
}

//! Checks that the pairs of testdata use every opcode, every register file up to its last register in version 4, and every value
//! of every sampler field. The tests in assemble/options.rs cover the option words, and backends/tests/it/every_pair.rs compiles
//! each pair for every target.

use std::collections::{BTreeMap, BTreeSet};

use agal_front::assemble::{AssembleOptions, assemble};
use agal_front::opcode::{Opcode, Operand};
use agal_front::register::{File, VERSIONS};
use agal_front::token::Token;
use agal_front::{Program, Stage};
use testing::testdata;

fn programs() -> Vec<Program> {
    let folder = testdata("pairs");
    let entries = std::fs::read_dir(folder).expect("the pairs").map(|entry| entry.expect("an entry").path());
    let texts = entries.map(|path| std::fs::read_to_string(path).expect("a text"));
    texts.map(|text| assemble(&text, &AssembleOptions::default()).expect("a program").program).collect()
}

fn registers(token: &Token) -> Vec<(File, u32)> {
    let Some(op) = token.op() else { return Vec::new() };
    let mut found = Vec::new();
    let mut add = |file: Option<File>, number: u32| found.extend(file.map(|file| (file, number)));
    if op.row().destination {
        add(token.dst().register_file(), token.dst().number.into());
    }
    for (slot, operand) in op.row().sources.into_iter().enumerate() {
        let source = token.src(slot);
        match operand {
            Operand::None => {}
            Operand::Sampler => add(Some(File::Sampler), token.sampler().number.into()),
            _ if source.indirect => add(source.index_register_file(), source.number.into()),
            _ => add(source.register_file(), source.number.into()),
        }
    }
    found
}

#[test]
fn the_pairs_use_every_opcode_in_each_stage_that_has_it() {
    let mut used = BTreeSet::new();
    for program in programs() {
        used.extend(program.tokens.iter().filter_map(Token::op).map(|op| (program.stage, op)));
    }
    let stages = |op: Opcode| {
        [Stage::Vertex, Stage::Fragment]
            .into_iter()
            .filter(move |&stage| op.row().stage.is_none_or(|only| only == stage))
    };
    let all = Opcode::ALL.iter().flat_map(|&op| stages(op).map(move |stage| (stage, op)));
    let missing: Vec<_> = all.filter(|of| !used.contains(of)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_pairs_use_every_register_file_to_its_end() {
    let mut used = BTreeSet::new();
    for program in programs() {
        let registers = program.tokens.iter().flat_map(registers);
        used.extend(registers.map(|(file, number)| (program.stage, file, number)));
    }
    let newest = *VERSIONS.end();
    let mut seen = 0;
    for stage in [Stage::Vertex, Stage::Fragment] {
        for file in File::ALL {
            let count = file.count(stage, newest);
            let last = count.checked_sub(1).map(|last| (stage, file, last));
            assert!(last.is_none_or(|last| used.contains(&last)), "{last:?}");
            seen += usize::from(last.is_some());
            // Every register except the constants must be used, because each register has its own binding or location.
            let small = if file == File::Constant { 0 } else { count };
            let missing: Vec<u32> = (0..small).filter(|&number| !used.contains(&(stage, file, number))).collect();
            assert!(missing.is_empty(), "{stage} {file:?} {missing:?}");
        }
    }
    assert_eq!(seen, 13);
}

#[test]
fn the_pairs_read_through_every_kind_of_index_and_state_every_version() {
    let mut indices = BTreeSet::new();
    let mut versions = BTreeMap::new();
    for program in programs() {
        *versions.entry(program.version).or_insert(0) += 1;
        let slots = program.tokens.iter().flat_map(|token| [0, 1].map(|slot| (token.operand(slot), token.src(slot))));
        let indirect = slots.filter(|(operand, source)| *operand != Operand::Sampler && source.indirect);
        indices.extend(indirect.filter_map(|(_, source)| source.index_register_file()));
    }
    assert_eq!(indices, [File::Attribute, File::Constant, File::Temporary, File::Instance].into());
    assert!(versions.keys().copied().eq(VERSIONS), "{versions:?}");
}

#[test]
fn the_pairs_sample_in_every_way() {
    let mut used: BTreeMap<(Stage, &str), BTreeSet<i16>> = BTreeMap::new();
    for program in programs() {
        for token in program.tokens.iter().filter(|token| token.operand(1) == Operand::Sampler) {
            let sampler = token.sampler();
            let flags = [1, 2, 4].map(|flag| ("special", i16::from(sampler.special & flag)));
            let fields = [
                ("dimension", sampler.dimension.into()),
                ("filter", sampler.filter.into()),
                ("mip", sampler.mip.into()),
                ("wrap", sampler.wrap.into()),
                ("format", sampler.format.into()),
                ("bias", sampler.bias.into()),
            ];
            for (field, value) in flags.into_iter().chain(fields) {
                used.entry((program.stage, field)).or_default().insert(value);
            }
        }
    }
    let has = |stage: Stage, field: &'static str, values: &[i16]| {
        let used = &used[&(stage, field)];
        assert!(values.iter().all(|value| used.contains(value)), "{stage} {field}: {used:?}");
    };
    has(Stage::Fragment, "dimension", &[0, 1, 2]);
    has(Stage::Fragment, "filter", &[0, 1, 2, 3, 4, 5]);
    has(Stage::Fragment, "mip", &[0, 1, 2]);
    has(Stage::Fragment, "wrap", &[0, 1, 2, 3]);
    has(Stage::Fragment, "format", &[0, 1, 2, 3]);
    has(Stage::Fragment, "special", &[0, 1, 2, 4]);
    has(Stage::Fragment, "bias", &[-128, 0, 127]);
    has(Stage::Vertex, "dimension", &[0, 1, 2]);
    has(Stage::Vertex, "filter", &[0, 1]);
    has(Stage::Vertex, "mip", &[0, 1, 2]);
    assert!(used[&(Stage::Vertex, "bias")].len() > 2);
}

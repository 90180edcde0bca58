//! Tests that damaged files and sources never cause a panic, and that the outputs stay within their bounds. `MUTATIONS=200000`
//! sets the number of damaged files, `SOURCE_MUTATIONS=` sets the number of damaged sources, and `SEED=` runs a single mutation.

use agal_extract::{MOST_OF_FOLDER, MOST_OF_MANIFEST, Options, OutputOptions, extract};
use agalc::Input;
use swf::Compression;
use testing::{Effort, Random, caught, damage};

use crate::abc::{assemble, bytes};
use crate::files::PAIR;
use crate::swfs::{gzip, lzma, signed, swf, tar, zip};

/// Returns one file of each kind. Every file contains the code of all feature tests.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let mut blocks: Vec<Vec<u8>> = testing::files(&testing::testdata("extract/rows"), ".avm")
        .iter()
        .map(|file| bytes(assemble(&std::fs::read_to_string(file).expect("a text"))))
        .collect();
    blocks.push(bytes(assemble(PAIR)));
    let mut seeds: Vec<(&str, Vec<u8>)> = Vec::new();
    for block in &blocks {
        seeds.push(("seed.swf", swf(Compression::None, block, &[("Shader", b"mov oc, v0")])));
        seeds.push(("seed.abc", block.clone()));
    }
    let packed = swf(Compression::Zlib, &blocks[0], &[("Shader", b"mov oc, v0")]);
    seeds.push(("seed.swc", zip(&[("catalog.xml", b"<swc/>"), ("library.swf", &packed)])));
    for (name, file) in [
        ("seed.tgz", gzip(&tar(&[("a.swf", &packed)]))),
        ("seed.tar", tar(&[("a.swz", &signed(&packed, true))])),
        ("seed.swz", signed(&packed, false)),
        ("seed.exe", [&b"MZ"[..], &[0; 90], &packed].concat()),
        ("seed.lzma", lzma(&blocks[0])),
        ("seed.json", br#"{"a": ["mov oc, v0", "mov od, v0.x"], "b": "\u006dov op, va0\n"}"#.to_vec()),
        ("seed.xml", b"<a b='mov oc, v0'>mov op, va0&#10;<![CDATA[mov v0, va0]]></a>".to_vec()),
    ] {
        seeds.push((name, file));
    }
    seeds.push(("seed.swf", packed));
    seeds.push(("seed.swf", swf(Compression::Lzma, &blocks[0], &[])));
    seeds
}

fn sources() -> Vec<(&'static str, Vec<u8>)> {
    let of = |folder: &str, ending, name| {
        let files = testing::files(&testing::testdata(folder), ending);
        files.into_iter().map(move |file| (name, std::fs::read(file).expect("a text")))
    };
    let rows = of("extract/rows", ".as", "seed.as");
    rows.chain(of("extract/sources", ".hx", "seed.hx")).chain(of("extract/sources", ".mxml", "seed.mxml")).collect()
}

#[test]
fn damaged_files_never_panic_and_stay_within_the_bounds() {
    damaged("MUTATIONS", files());
}

#[test]
fn damaged_sources_never_panic_and_stay_within_the_bounds() {
    damaged("SOURCE_MUTATIONS", sources());
}

fn damaged(cases: &str, seeds: Vec<(&'static str, Vec<u8>)>) {
    let mut options = Options::default();
    // Damaged code may run for a long time, so the tests lower the limits on steps.
    options.limits.path_steps = 4_000;
    options.limits.steps = 60_000;
    options.limits.paths = 24;
    let mut changed = 0;
    for seed in Effort::of(cases, 10_000).seeds() {
        let mut random = Random::of(seed, &[16]);
        let (name, seed_bytes) = &seeds[random.below(seeds.len())];
        let (_, other) = &seeds[random.below(seeds.len())];
        let mut bytes = seed_bytes.clone();
        for _ in 0..1 + random.below(4) {
            damage::edit(&mut bytes, &mut random, other, 1);
        }
        changed += u32::from(bytes != *seed_bytes);
        let input = Input { name: (*name).to_string(), bytes };
        let written = caught(|| {
            let found = extract(&[input], &options);
            let output = found.output(&OutputOptions::default());
            let manifest = serde_json::to_string(&output.manifest).expect("memory can be written");
            (manifest.len(), output.files.iter().map(|file| file.bytes.len()).sum::<usize>())
        });
        match written {
            Ok((manifest, folder)) => assert!(manifest <= MOST_OF_MANIFEST && folder <= MOST_OF_FOLDER, "SEED={seed}"),
            Err(panic) => panic!("SEED={seed}: {panic}"),
        }
    }
    assert!(changed > 0, "nothing was damaged");
}

#[test]
fn the_files_with_which_fuzzing_starts_are_read() {
    let folder = testing::testdata("fuzz/extract");
    if testing::updates() {
        let abc = bytes(assemble(PAIR));
        std::fs::write(folder.join("abc"), &abc).expect("the file");
        for (name, compression) in [("fws", Compression::None), ("cws", Compression::Zlib), ("zws", Compression::Lzma)]
        {
            std::fs::write(folder.join(name), swf(compression, &abc, &[("Shader", b"mov oc, v0")])).expect("the file");
        }
    }
    for file in testing::files(&folder, "") {
        let bytes = std::fs::read(&file).expect("the file");
        let found = extract(&[Input { name: "seed.swf".to_string(), bytes }], &Options::default());
        assert!(found.programs.len() >= 2, "{}", file.display());
    }
}

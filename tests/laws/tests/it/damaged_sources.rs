//! Checks that slightly damaged shaders, from `testdata/sources` and from our own output, are lifted or refused without a panic
//! or a fault of the lifter. A full run damages 8,000 texts in WGSL, 600 in GLSL and 2,000 in SPIR-V. `MUTATIONS=` sets the
//! number of texts, and `SEED=` selects a single text.

use std::path::PathBuf;

use backends::{Layout, Target};
use laws::{Source, from_seed, lifted_or_refused, spirv_is_lifted_or_refused};
use sdlbc::FunctionKind;
use testing::damage::edit;
use testing::{Effort, Random, caught, files, on_two_threads, say, testdata};

fn texts(folders: &[(&str, &str)]) -> Vec<String> {
    let paths = folders.iter().flat_map(|(folder, ending)| files(&testdata(folder), ending)).collect::<Vec<PathBuf>>();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("a text")).collect()
}

/// Splits a text into names, numbers, and single other characters.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let length = match is_word(first) {
            true => rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, after) = rest.split_at(length);
        words.push(word);
        rest = after;
    }
    words
}

/// Changes only some words or lines of a text, so much of the text remains meaningful.
fn mutated(text: &str, other: &str, random: &mut Random) -> String {
    if random.once_in(4) {
        let mut lines: Vec<&str> = text.lines().collect();
        let from: Vec<&str> = other.lines().collect();
        for _ in 0..1 + random.below(2) {
            let at = random.below(lines.len());
            match random.below(4) {
                0 if lines.len() > 1 => drop(lines.remove(at)),
                1 => lines.insert(at, lines[random.below(lines.len())]),
                2 => lines[at] = from[random.below(from.len())],
                _ => {
                    let second = random.below(lines.len());
                    lines.swap(at, second);
                }
            }
        }
        return lines.join("\n");
    }
    let mut all = words(text);
    let from = words(other);
    for _ in 0..1 + random.below(3) {
        let is_kind = |word: &str, like: &str| {
            let class =
                |word: &str| word.chars().next().map(|c| (c.is_alphabetic(), c.is_numeric(), c.is_whitespace()));
            class(word) == class(like)
        };
        let at = random.below(all.len());
        // Most edits replace a word with a word of the same kind from the same text or from another text.
        let list = if random.once_in(3) { &from } else { &all };
        let alike: Vec<&str> = list.iter().copied().filter(|word| is_kind(word, all[at])).collect();
        match random.below(8) {
            0 if all.len() > 1 => drop(all.remove(at)),
            1 => all.insert(at, list[random.below(list.len())]),
            _ if !alike.is_empty() => all[at] = alike[random.below(alike.len())],
            _ => {}
        }
    }
    all.concat()
}

/// Damages texts, checks the law of sources, and requires that more than 5% of the texts are lifted.
fn all(texts: &[String], full: u64, source: impl Fn(&str) -> Source<'_> + Sync) {
    let seeds: Vec<u64> = Effort::of("MUTATIONS", full).seeds().collect();
    let lifted = on_two_threads(&seeds, |&seed| {
        let mut random = Random::of(seed, &[17]);
        let text = &texts[random.below(texts.len())];
        let other = &texts[random.below(texts.len())];
        let damaged = mutated(text, other, &mut random);
        caught(|| lifted_or_refused(source(&damaged)))
            .unwrap_or_else(|message| panic!("seed {seed}: {message}\n{damaged}"))
    });
    let count = lifted.iter().filter(|&&lifted| lifted).count();
    say(&format!("{count} of {} are lifted", seeds.len()));
    assert!(count * 20 > seeds.len(), "only {count} of {} are lifted", seeds.len());
}

#[test]
fn damaged_wgsl_is_lifted_or_refused() {
    let folders = [("sources/wgsl", ".wgsl"), ("sources/filters", ".wgsl"), ("output", ".wgsl")];
    all(&texts(&folders), 8_000, |text| Source::Wgsl(text));
}

#[test]
fn damaged_glsl_is_lifted_or_refused() {
    for (folder, ending, stage, count) in [
        ("sources/glsl", ".vert", FunctionKind::Vertex, 200),
        ("sources/glsl", ".frag", FunctionKind::Fragment, 200),
        ("sources/compute", ".comp", FunctionKind::Compute, 200),
    ] {
        all(&texts(&[(folder, ending)]), count, |text| Source::Glsl(text, stage));
    }
}

#[test]
fn damaged_spirv_is_lifted_or_refused() {
    let layout = Layout::default();
    let written = |seed| {
        let module = sdlbc::Verified::new(from_seed(seed)).expect("it verifies");
        match backends::write(&module, Target::Spirv, None, &layout).ok()?.code {
            backends::Code::Words(words) => Some(words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>()),
            backends::Code::Text(_) => None,
        }
    };
    let files: Vec<Vec<u8>> = (0..40).filter_map(written).collect();
    let seeds: Vec<u64> = Effort::of("MUTATIONS", 2000).seeds().collect();
    let lifted = on_two_threads(&seeds, |&seed| {
        let mut random = Random::of(seed, &[18]);
        let mut file = files[random.below(files.len())].clone();
        let other = &files[random.below(files.len())];
        edit(&mut file, &mut random, other, 4);
        caught(|| spirv_is_lifted_or_refused(&file)).unwrap_or_else(|message| panic!("seed {seed}: {message}"))
    });
    say(&format!("{} of {} are lifted", lifted.iter().filter(|&&lifted| lifted).count(), seeds.len()));
}

//! Applies random edits with fixed seeds to valid AGAL bytecode, AGAL text and SDLSHADERBC files, and runs the edited files
//! through the whole pipeline in this process. No edit may cause a panic or a hang. If a program can be translated, every
//! backend must write the module, and naga must accept the output. A target may lack a feature that a valid module needs, but
//! must not report an internal error.
//!
//! A failure names its seed. `SEED=0x...` runs a single edit and prints the edited module to standard error. `EDITS=` sets the
//! number of edits of each kind of file.

use std::time::{Duration, Instant};

use agal_front::assemble::{AssembleOptions, assemble};
use agal_front::disassemble::disassemble;
use agal_front::lift::{self, translate};
use agal_front::{Program, Stage};
use backends::Error;
use laws::naga_accepts;
use laws::works::{CORPUS, KINDS, Kind, PAIRS, outputs};
use sdlbc::{Builtin, Id, InputKind, Module, Op, Scalar, Type};
use testing::{
    Effort, Random, caught,
    damage::{edit, fix_checksum},
    number, on_two_threads, say,
};

/// The total number of edits of the three kinds of file in a full run. `EDITS=N` sets the number for each kind.
const EDITS: u64 = 20_000;
/// The time limit for one edited file, in a debug build on a busy machine.
const LONGEST: Duration = Duration::from_secs(20);
/// The maximum number of tokens in the edited programs, which is small because each edited program runs through every backend.
const TOKENS: usize = 120;

/// The number of edited files that completed each step of the pipeline.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    edits: usize,
    read: usize,
    translated: usize,
    written: usize,
    unsupported: usize,
}

impl Tally {
    fn add(self, other: Tally) -> Tally {
        Tally {
            edits: self.edits + other.edits,
            read: self.read + other.read,
            translated: self.translated + other.translated,
            written: self.written + other.written,
            unsupported: self.unsupported + other.unsupported,
        }
    }
}

/// Runs `round` for each seed of one kind of file, and fails with the seeds whose rounds panicked, failed or took too long.
#[track_caller]
fn rounds(kind: u64, round: impl Fn(&mut Random, &mut Tally) -> Result<(), String> + Sync) -> Tally {
    let seeds: Vec<u64> = Effort::of("EDITS", EDITS.div_ceil(3)).seeds_of(kind).collect();
    let results = on_two_threads(&seeds, |&seed| {
        let mut tally = Tally { edits: 1, ..Tally::default() };
        let start = Instant::now();
        let result = caught(|| round(&mut Random(seed), &mut tally));
        let failure = match result {
            Err(panic) => Some(panic),
            Ok(Err(error)) => Some(error),
            Ok(Ok(())) if start.elapsed() > LONGEST => Some(format!("took {:?}", start.elapsed())),
            Ok(Ok(())) => None,
        };
        (tally, failure.map(|failure| format!("seed {seed:#x}: {failure}")))
    });
    let total = results.iter().fold(Tally::default(), |total, (tally, _)| total.add(*tally));
    let failures: Vec<&str> = results.iter().filter_map(|(_, failure)| failure.as_deref()).collect();
    let most = if std::env::var_os("ALL_FAILURES").is_some() { failures.len() } else { 12 };
    let shown = &failures[..failures.len().min(most)];
    assert!(failures.is_empty(), "{} of {} failed\n{}", failures.len(), total.edits, shown.join("\n"));
    total
}

/// Returns the programs of testdata and the corpus that have at most [`TOKENS`] tokens.
fn programs() -> Vec<&'static Program> {
    let all = PAIRS.iter().chain(CORPUS.iter()).flat_map(|work| &work.sources).map(|source| &source.program);
    all.filter(|program| program.tokens.len() <= TOKENS).collect()
}

/// Writes a module with every backend. Refusals of unsupported modules are counted, and an internal error is a failure.
fn write(module: &Module, random: &mut Random, tally: &mut Tally) -> Result<(), String> {
    if number("SEED").is_some() {
        say(&sdlbc::print(module));
    }
    for kind in KINDS {
        match outputs(module, kind) {
            Ok(outputs) => {
                tally.written += 1;
                // The backends already validate the naga module, so only some of the WGSL is read again by naga's front end.
                let text = outputs.first().filter(|_| kind == Kind::Wgsl && random.below(4) == 0);
                if let Some(text) = text.map(|output| output.text()) {
                    naga_accepts(text).map_err(|error| format!("{error}\n{text}"))?;
                }
            }
            Err(Error::Unsupported { .. }) => tally.unsupported += 1,
            Err(Error::NoStage(_)) if module.functions.iter().any(|f| f.kind == sdlbc::FunctionKind::Generic) => {
                tally.unsupported += 1;
            }
            Err(error) => return Err(format!("{}: {error}\n{}", kind.name(), sdlbc::print(module))),
        }
    }
    Ok(())
}

/// Disassembles and translates a program, and verifies, encodes, decodes and writes its module.
fn all_the_way(program: &Program, random: &mut Random, tally: &mut Tally) -> Result<(), String> {
    tally.read += 1;
    let text = disassemble(program);
    let again = assemble(&text, &AssembleOptions::default()).map_err(|findings| format!("{findings:?}\n{text}"))?;
    if again.program != *program {
        return Err(format!("the disassembly assembles to another program\n{text}"));
    }
    // One edit in four allows every finding that can be allowed.
    let allow = if random.below(4) == 0 { agal_front::finding::allowable().collect() } else { Vec::new() };
    let options = lift::Options::default()
        .strict_ifg(random.below(2) == 0)
        .truncate_index(random.below(2) == 0)
        .signed_offset(random.below(2) == 0)
        .rules(agal_front::Rules::default().allow(allow).allow_ted(random.below(2) == 0));
    let lifted = match translate(&[program], &options) {
        Ok(lifted) => lifted,
        Err(findings) => {
            let said: Vec<String> = findings.concat().iter().map(ToString::to_string).collect();
            let one_line = said.iter().all(|line| !line.contains('\n'));
            let honest = !said.iter().any(|line| line.contains("internal error"));
            return if one_line && honest { Ok(()) } else { Err(format!("{said:?}\n{text}")) };
        }
    };
    tally.translated += 1;
    let module = lifted.module;
    sdlbc::verify(&module).map_err(|violations| format!("{violations:?}\n{text}{}", sdlbc::print(&module)))?;
    if sdlbc::decode(&sdlbc::encode(&module)).as_ref() != Ok(&module) {
        return Err(format!("the file decodes to another module\n{text}"));
    }
    let unsupported = tally.unsupported;
    write(&module, random, tally).map_err(|error| format!("{error}\n{text}"))?;
    // Every target supports all features of AGAL.
    if tally.unsupported > unsupported { Err(format!("a target does not support it\n{text}")) } else { Ok(()) }
}

#[test]
fn edited_agal_bytes_do_no_harm() {
    let programs = programs();
    let files: Vec<Vec<u8>> = programs.iter().map(|program| program.encode()).collect();
    let total = rounds(1, |random, tally| {
        let (file, other) = (random.below(files.len()), random.below(files.len()));
        let mut file = files[file].clone();
        for _ in 0..1 + random.below(3) {
            // The unit of an edit is a word of four bytes or a token of 24 bytes.
            let unit = if random.below(4) == 0 { 24 } else { 4 };
            edit(&mut file, random, &files[other], unit);
        }
        match Program::decode(&file) {
            Ok((program, _)) => all_the_way(&program, random, tally),
            Err(findings) if findings.is_empty() => Err("it is refused without a reason".to_string()),
            Err(_) => Ok(()),
        }
    });
    say(&format!("edited AGAL bytes: {total:?}"));
    assert!(
        number("SEED").is_some() || total.read > total.edits / 2 && total.translated > total.edits / 20,
        "{total:?}"
    );
}

#[test]
fn edited_agal_texts_do_no_harm() {
    let works = PAIRS.iter().flat_map(|work| &work.sources);
    let small = works.filter(|source| source.program.tokens.len() <= TOKENS);
    let texts: Vec<String> = small.map(|source| std::fs::read_to_string(&source.path).expect("a text")).collect();
    let total = rounds(2, |random, tally| {
        let (text, other) = (random.below(texts.len()), random.below(texts.len()));
        let mut text = texts[text].clone();
        for _ in 0..1 + random.below(3) {
            edit_text(&mut text, random, &texts[other]);
        }
        let stage = match random.below(4) {
            0 => Some(Stage::Vertex),
            1 => Some(Stage::Fragment),
            _ => None,
        };
        let version = (random.below(4) == 0).then(|| 1 + random.below(4) as u32);
        match assemble(&text, &AssembleOptions::default().stage(stage).version(version)) {
            Ok(assembly) => all_the_way(&assembly.program, random, tally),
            Err(findings) => {
                let placed = findings.iter().all(|finding| finding.place.span.is_some_and(|span| span.line > 0));
                let placed = placed && findings.iter().any(|finding| finding.is_error());
                if placed { Ok(()) } else { Err(format!("{findings:?}\n{text}")) }
            }
        }
    });
    say(&format!("edited AGAL texts: {total:?}"));
    assert!(
        number("SEED").is_some() || total.read > total.edits / 10 && total.translated > total.edits / 20,
        "{total:?}"
    );
}

/// Applies one random edit to a text, such as a typing mistake.
fn edit_text(text: &mut String, random: &mut Random, other: &str) {
    let words = |text: &str| -> Vec<(usize, usize)> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '[' | ']' | '+');
        let parts =
            text.split(|c| !is_word(c)).map(|part| (part.as_ptr() as usize - text.as_ptr() as usize, part.len()));
        parts.filter(|&(_, length)| length > 0).collect()
    };
    let (here, there) = (words(text), words(other));
    if here.is_empty() || there.is_empty() {
        return;
    }
    let (start, length) = here[random.below(here.len())];
    let (from, count) = there[random.below(there.len())];
    match random.below(6) {
        0 | 1 => text.replace_range(start..start + length, &other[from..from + count]),
        2 => {
            let letters = "xyzw0123456789.,<>[]+-/;\n\r\t vftcoamdé\u{0}";
            let letter = letters.chars().nth(random.below(letters.chars().count())).unwrap_or('x');
            let at = start + random.below(length);
            text.replace_range(at..at + 1, letter.encode_utf8(&mut [0; 4]));
        }
        3 => {
            let line = other.lines().nth(random.below(other.lines().count())).unwrap_or_default();
            let at = text[..start].rfind('\n').map_or(0, |at| at + 1);
            text.insert_str(at, &format!("{line}\n"));
        }
        4 => {
            let at = text[..start].rfind('\n').map_or(0, |at| at + 1);
            let end = text[start..].find('\n').map_or(text.len(), |at| start + at + 1);
            text.replace_range(at..end, "");
        }
        _ => {
            let (second, size) = here[random.below(here.len())];
            let ((a, n), (b, m)) = ((start, length).min((second, size)), (start, length).max((second, size)));
            if a < b {
                let swapped = format!("{}{}{}", &text[b..b + m], &text[a + n..b], &text[a..a + n]);
                text.replace_range(a..b + m, &swapped);
            }
        }
    }
}

#[test]
fn edited_sdlshaderbc_files_do_no_harm() {
    let small = |work: &&laws::works::Work| work.sources.iter().all(|source| source.program.tokens.len() <= TOKENS / 2);
    let files: Vec<Vec<u8>> = PAIRS.iter().filter(small).map(|work| sdlbc::encode(&work.module())).collect();
    let total = rounds(3, |random, tally| {
        let (file, other) = (random.below(files.len()), random.below(files.len()));
        let mut file = files[file].clone();
        if random.below(2) == 0 {
            // More edited files are valid if the edits are applied to the decoded module.
            let mut module = sdlbc::decode(&file).expect("a module");
            for _ in 0..1 + random.below(2) {
                edit_module(&mut module, random);
            }
            file = sdlbc::encode(&module);
        } else {
            for _ in 0..1 + random.below(2) {
                edit(&mut file, random, &files[other], 4);
            }
        }
        // Most files get a correct checksum, so that the reader does not stop at the checksum.
        if random.below(4) != 0 {
            fix_checksum(&mut file);
        }
        sdlbc::dump(&file);
        let Ok(module) = sdlbc::decode(&file) else { return Ok(()) };
        tally.read += 1;
        sdlbc::print(&module);
        if let Err(violations) = sdlbc::verify(&module) {
            // A backend must refuse every module that the verifier rejects, and for the same reasons.
            let refused = outputs(&module, Kind::Wgsl);
            let same = matches!(&refused, Err(Error::Invalid(found)) if *found == violations);
            return if same { Ok(()) } else { Err(format!("{refused:?} for {violations:?}")) };
        }
        tally.translated += 1;
        write(&module, random, tally)
    });
    say(&format!("edited SDLSHADERBC files: {total:?}"));
    assert!(
        number("SEED").is_some() || total.read > total.edits / 10 && total.translated > total.edits / 20,
        "{total:?}"
    );
}

/// Changes one part of a module: an operand, an operation, an immediate, a type, a location or a slot.
fn edit_module(module: &mut Module, random: &mut Random) {
    let at = random.below(module.functions.len());
    let function = &mut module.functions[at];
    let highest = function.max_id() as usize;
    let scalar = Scalar::ALL[random.below(Scalar::ALL.len())];
    let width = 1 + random.below(4) as u8;
    let ty = match random.below(6) {
        0..=2 => Type::Vector(scalar, width),
        3 => Type::Matrix { columns: 2 + random.below(3) as u8, rows: 2 + random.below(3) as u8 },
        4 => Type::Array(scalar, width, 1 + random.below(300) as u32),
        _ => Type::TEXTURES[random.below(3)],
    };
    match random.below(10) {
        0 if !function.inputs.is_empty() => {
            let input = random.below(function.inputs.len());
            function.inputs[input].ty = ty;
        }
        1 if !function.outputs.is_empty() => {
            let output = random.below(function.outputs.len());
            function.outputs[output].ty = ty;
        }
        2 if !function.inputs.is_empty() => {
            let number = [0, 3, 15, 16, 31, 100, u32::MAX][random.below(7)];
            let input = random.below(function.inputs.len());
            match &mut function.inputs[input].kind {
                InputKind::Attribute { location } | InputKind::Varying { location, .. } => *location = number,
                InputKind::Texture { slot, .. } => *slot = number,
                kind => *kind = InputKind::Builtin(Builtin::ALL[random.below(5)]),
            }
        }
        _ => {
            if function.body.is_empty() {
                return;
            }
            let number = random.below(function.body.insts().len());
            let inst = &mut function.body.insts_mut()[number];
            let same_shape = |op: &&Op| op.shape() == inst.op.shape();
            match random.below(4) {
                0 | 1 if !inst.inputs.is_empty() => {
                    let input = random.below(inst.inputs.len());
                    inst.inputs[input] = Id(1 + random.below(highest) as u32);
                }
                2 => {
                    let like: Vec<Op> = Op::ALL.iter().filter(same_shape).copied().collect();
                    inst.op = like[random.below(like.len())];
                }
                _ => {
                    let word = [0, 1, 2, 0xffff_ff00, 0xff02_0100, 0x7f80_0000, ty.word(), u32::MAX][random.below(8)];
                    inst.immediates.iter_mut().for_each(|immediate| *immediate = word);
                }
            }
        }
    }
}

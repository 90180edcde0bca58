//! Compiles every pair in testdata and every program in ../shared/corpus to every target. Independent validators check the
//! outputs: spirv-val, glslangValidator, naga's WGSL front end, and Tint if the PATH contains it.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;
use std::sync::LazyLock;

use agal_front::Program;
use agal_front::assemble::{AssembleOptions, assemble};
use agal_front::disassemble::disassemble;
use laws::naga_accepts;
use laws::works::{CORPUS, EVERYTHING, KINDS, Kind, Output, PAIRS, Work, all_outputs, words};
use sdlbc::{InputKind, Module, OutputKind};
use testing::{Effort, GLSLANG, SPIRV_VAL, TINT, Tool, on_two_threads, repository, say};

struct Made {
    work: Work,
    module: Module,
    outputs: Vec<Output>,
}

fn make(work: &Work) -> Result<Made, String> {
    let module = work.translate(&work.allow).map_err(|findings| format!("{}: {findings:#?}", work.name))?;
    let outputs = all_outputs(&module).map_err(|error| format!("{}: {error}", work.name))?;
    Ok(Made { work: work.clone(), module, outputs })
}

static RESULTS: LazyLock<Vec<Result<Made, String>>> = LazyLock::new(|| on_two_threads(&EVERYTHING, make));

/// The pairs and programs that compiled in this run. A separate test checks that all pairs and programs compile.
static MADE: LazyLock<Vec<Made>> = LazyLock::new(|| {
    let works = Effort::part_of("PAIRS", &EVERYTHING);
    on_two_threads(&works, |work| make(work)).into_iter().flatten().collect()
});

#[test]
fn every_pair_and_every_program_of_the_corpus_compiles_to_every_target() {
    let failures: Vec<String> = RESULTS.iter().filter_map(|result| result.as_ref().err().cloned()).collect();
    none_of(&failures);
}

fn is_whole(made: &Made) -> bool {
    !(made.work.name.ends_with(".vert") || made.work.name.ends_with(".frag"))
}

/// Panics with the number of failures and the first five failures, unless the list is empty.
#[track_caller]
fn none_of(failures: &[String]) {
    let shown: Vec<&str> = failures.iter().take(5).map(String::as_str).collect();
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), shown.join("\n"));
}

/// The number of accepted outputs for each pair of an output format and a validator.
type Passed = BTreeMap<(&'static str, &'static str), usize>;

#[test]
fn every_output_passes_independent_validators() {
    let folder = tempfile::tempdir().expect("a folder");
    let there = [SPIRV_VAL, GLSLANG, TINT].map(|tool| tool.is_there().then_some(tool));
    // The outputs of a pair cover its two programs, so the outputs of a single program are checked only by naga's front end.
    let tried = &*MADE;
    let results = on_two_threads(tried, |made| {
        let mut failures = Vec::new();
        let mut passed = Passed::new();
        for output in made.outputs.iter().filter(|output| output.kind == Kind::Wgsl) {
            match naga_accepts(output.text()) {
                Ok(()) => *passed.entry(("WGSL", "naga's front end")).or_default() += 1,
                Err(error) => failures.push(format!("{}: {error}\n{}", made.work.name, output.text())),
            }
        }
        if is_whole(made) {
            validate_files(made, folder.path(), there, &mut passed, &mut failures);
        }
        (passed, failures)
    });
    let mut passed = Passed::new();
    let mut failures = Vec::new();
    for (some, found) in results {
        some.into_iter().for_each(|(key, count)| *passed.entry(key).or_default() += count);
        failures.extend(found);
    }
    let whole = tried.iter().filter(|made| is_whole(made)).count();
    let mut table =
        format!("\n{} works ({} pairs of testdata, {} programs of the corpus)\n", whole, PAIRS.len(), CORPUS.len());
    for ((kind, tool), count) in &passed {
        let _ = writeln!(table, "  {kind:<12} {tool:<18} {count:>4} passed");
    }
    say(&table);
    none_of(&failures);
    let expected = |kind: Kind, tool: Option<Tool>, each: usize| {
        let Some(tool) = tool else { return };
        assert!(passed.get(&(kind.name(), tool.name)).is_some_and(|&count| count >= each), "{kind:?} {tool:?}");
    };
    expected(Kind::Spirv, there[0], whole);
    expected(Kind::Wgsl, there[2], whole);
    KINDS.iter().skip(2).for_each(|&kind| expected(kind, there[1], whole));
}

fn validate_files(
    made: &Made,
    folder: &Path,
    there: [Option<Tool>; 3],
    passed: &mut Passed,
    failures: &mut Vec<String>,
) {
    for kind in KINDS {
        let glsl = kind.glsl_option().unwrap_or_default();
        let mut paths = Vec::new();
        for output in made.outputs.iter().filter(|output| output.kind == kind) {
            let path = folder.join(format!("{}{glsl}.{}", made.work.name, output.extension));
            std::fs::write(&path, &output.bytes).expect("the file");
            paths.push(path);
        }
        let (tool, options): (_, &[&str]) = match kind {
            Kind::Spirv => (there[0], &["--target-env", "vulkan1.1"]),
            Kind::Wgsl => (there[2], &["--format", "wgsl"]),
            Kind::Glsl(_) => (there[1], &[]),
        };
        let Some(tool) = tool else { continue };
        let paths_as_arguments = paths.iter().map(|path| path.as_os_str());
        let arguments: Vec<&OsStr> = options.iter().map(OsStr::new).chain(paths_as_arguments).collect();
        match tool.run(&arguments) {
            Ok(()) => *passed.entry((kind.name(), tool.name)).or_default() += paths.len(),
            Err(error) => failures.push(format!("{}: {error}", made.work.name)),
        }
    }
}

#[test]
fn compiling_through_a_module_file_produces_the_same_bytes() {
    let failures = on_two_threads(&MADE, |made| {
        let file = sdlbc::encode(&made.module);
        let again = sdlbc::decode(&file).unwrap_or_else(|error| panic!("{}: {error}", made.work.name));
        let outputs = all_outputs(&again).unwrap_or_else(|error| panic!("{}: {error}", made.work.name));
        let same_file = again == made.module && sdlbc::encode(&again) == file;
        (!same_file || outputs != made.outputs).then(|| made.work.name.clone())
    });
    none_of(&failures.into_iter().flatten().collect::<Vec<_>>());
}

#[test]
fn compiling_twice_produces_the_same_bytes() {
    let failures = on_two_threads(&MADE, |made| {
        let module = made.work.module();
        let again = all_outputs(&module).unwrap_or_else(|error| panic!("{}: {error}", made.work.name));
        (module != made.module || again != made.outputs).then(|| made.work.name.clone())
    });
    none_of(&failures.into_iter().flatten().collect::<Vec<_>>());
}

#[test]
fn disassembled_programs_assemble_to_the_same_bytes() {
    for work in PAIRS.iter().chain(CORPUS.iter()) {
        for source in &work.sources {
            let text = disassemble(&source.program);
            let again = assemble(&text, &AssembleOptions::default());
            let again = again.unwrap_or_else(|findings| panic!("{}: {findings:#?}\n{text}", source.path.display()));
            assert_eq!(again.program.encode(), source.program.encode(), "{}", source.path.display());
            assert!(again.warnings.is_empty(), "{}: {:?}", source.path.display(), again.warnings);
            let (decoded, warnings) = Program::decode(&source.program.encode()).expect("a program");
            assert_eq!((decoded, warnings), (source.program.clone(), vec![]), "{}", source.path.display());
        }
    }
}

#[test]
fn every_module_verifies() {
    for made in MADE.iter() {
        assert_eq!(sdlbc::verify(&made.module), Ok(()), "{}", made.work.name);
        let dump = sdlbc::dump(&sdlbc::encode(&made.module));
        assert!(dump.good, "{}", made.work.name);
    }
}

/// A pruned and packed pair passes only the varyings that its fragment program reads, at consecutive locations from 0.
#[test]
fn pruned_and_packed_pairs_pass_only_what_is_read() {
    let results = on_two_threads(&PAIRS, |pair| {
        let whole = pair.module();
        let mut module = whole.clone();
        let name = &pair.name;
        let pruned = sdlbc::prune(&mut module).unwrap_or_else(|error| panic!("{name}: {error}"));
        sdlbc::pack(&mut module).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(sdlbc::verify(&module), Ok(()), "{name}");
        assert_eq!(sdlbc::decode(&sdlbc::encode(&module)).as_ref(), Ok(&module), "{name}");
        let (given, taken) = varyings(&module);
        assert_eq!(given, taken, "{name}");
        assert!(given.iter().copied().eq(0..given.len() as u32), "{name}: {given:?}");
        let (before, _) = varyings(&whole);
        assert_eq!(given.len() + pruned.outputs.len(), before.len(), "{name}");
        let made = all_outputs(&module).unwrap_or_else(|error| panic!("{name}: {error}"));
        for wgsl in made.iter().filter(|output| output.kind == Kind::Wgsl) {
            naga_accepts(wgsl.text()).unwrap_or_else(|error| panic!("{name}: {error}"));
            let locations = wgsl.text().matches("    @location(").count();
            assert_eq!(locations, given.len() + colours(&module), "{name}\n{}", wgsl.text());
        }
        pruned.outputs.len()
    });
    assert!(results.into_iter().sum::<usize>() > 0, "no pair has an unread varying");
}

/// Returns the locations that the vertex function writes, and the locations that the fragment function reads.
fn varyings(module: &Module) -> (Vec<u32>, Vec<u32>) {
    let given = module.functions[0].outputs.iter().filter_map(|output| match output.kind {
        OutputKind::Varying { location, .. } => Some(location),
        _ => None,
    });
    let taken = module.functions[1].inputs.iter().filter_map(|input| match input.kind {
        InputKind::Varying { location, .. } => Some(location),
        _ => None,
    });
    let sorted = |mut locations: Vec<u32>| {
        locations.sort_unstable();
        locations
    };
    (sorted(given.collect()), sorted(taken.collect()))
}

/// Returns the number of colours in the fragment function's result structure. A single output has no structure and counts as 0.
fn colours(module: &Module) -> usize {
    let is_colour = |output: &&sdlbc::FunctionOutput| matches!(output.kind, OutputKind::Colour { .. });
    match module.functions[1].outputs.len() {
        1 => 0,
        _ => module.functions[1].outputs.iter().filter(is_colour).count(),
    }
}

/// A stage compiles to the same function whether it is compiled on its own or in a pair.
#[test]
fn a_pair_holds_the_functions_of_its_programs() {
    for pair in PAIRS.iter() {
        let programs = pair.programs();
        let same_version = programs.iter().zip(&pair.sources).all(|(with, source)| *with == source.program);
        let module = pair.module();
        assert_eq!(module.functions.len(), 2, "{}", pair.name);
        for (at, source) in pair.sources.iter().enumerate().filter(|_| same_version) {
            let alone = Work { sources: vec![source.clone()], ..pair.clone() }.module();
            assert_eq!(alone.functions[0], module.functions[at], "{}", pair.name);
            let names = |module: &Module, at: usize| module.debug_of(at).map(|names| names.ids.clone());
            assert_eq!(names(&alone, 0), names(&module, at), "{}", pair.name);
        }
    }
}

/// Some corpus programs that test special opcodes read temporaries without writing them first, which Flash Player rejects with
/// error 3647.
#[test]
fn the_corpus_programs_that_read_unwritten_temporaries_are_refused_and_compile_when_that_is_allowed() {
    let refused: Vec<&str> = CORPUS
        .iter()
        .filter(|work| {
            let Err(findings) = work.translate(&[]) else { return false };
            let codes: Vec<u16> = findings.iter().filter(|f| f.is_error()).map(|f| f.code()).collect();
            assert!(codes.contains(&3647), "{}: {codes:?}", work.name);
            assert!(codes.iter().all(|code| matches!(code, 3647 | 3648)), "{}: {codes:?}", work.name);
            true
        })
        .map(|work| work.name.as_str())
        .collect();
    let expected: &[&str] = if CORPUS.is_empty() { &[] } else { &["misc_opcodes_vertex"] };
    assert!(expected.iter().all(|name| refused.contains(name)), "{refused:?}");
    assert!(refused.iter().all(|name| name.starts_with("misc_opcodes")), "{refused:?}");
    for work in CORPUS.iter().filter(|work| refused.contains(&work.name.as_str())) {
        all_outputs(&work.module()).unwrap_or_else(|error| panic!("{}: {error}", work.name));
    }
}

/// Counts the instructions from OpFunction to OpFunctionEnd, except labels and debug instructions. The counts in
/// ../shared/corpus/peer.tsv follow this rule, too.
fn spirv_instructions(bytes: &[u8]) -> usize {
    const NAME: u32 = 5;
    const LINE: u32 = 8;
    const FUNCTION: u32 = 54;
    const FUNCTION_END: u32 = 56;
    const LABEL: u32 = 248;
    const NO_LINE: u32 = 317;
    let words = words(bytes);
    let (mut at, mut count, mut inside) = (5, 0, false);
    while let Some(&word) = words.get(at) {
        let (length, op) = (word >> 16, word & 0xffff);
        inside |= op == FUNCTION;
        count += usize::from(inside && ![NAME, LINE, NO_LINE, LABEL].contains(&op));
        inside &= op != FUNCTION_END;
        at += (length as usize).max(1);
    }
    count
}

/// Counts the statements of a shader: lines inside functions that end with `;` or begin an `if`.
fn statements(text: &str) -> usize {
    let inside = |line: &&str| line.starts_with("    ") && !line.trim_start().starts_with('@');
    let declares = |line: &str| line.starts_with("    vec") && !line.contains(['=', '(']);
    let counts = |line: &&str| (line.ends_with(';') || line.trim_start().starts_with("if ")) && !declares(line);
    text.lines().filter(inside).filter(counts).count()
}

#[test]
fn the_figures() {
    let mut totals: BTreeMap<(bool, &'static str), usize> = BTreeMap::new();
    let mut corpus = String::new();
    for made in RESULTS.iter().flatten().filter(|made| is_whole(made) && !made.work.name.ends_with("_pair")) {
        let of_corpus = CORPUS.iter().any(|work| work.name == made.work.name);
        let mut add = |what, count: usize| *totals.entry((of_corpus, what)).or_default() += count;
        add("1 AGAL tokens", made.work.sources.iter().map(|source| source.program.tokens.len()).sum());
        let ir = made.module.functions.iter().map(|function| function.body.insts().len()).sum();
        add("2 IR instructions", ir);
        let mut spirv = 0;
        for output in &made.outputs {
            match output.kind {
                Kind::Spirv => {
                    spirv = spirv_instructions(&output.bytes);
                    add("3 SPIR-V instructions", spirv);
                }
                Kind::Wgsl => add("4 WGSL statements", statements(output.text())),
                Kind::Glsl(sdlbc_naga::Glsl::Core450) => add("5 GLSL 450 statements", statements(output.text())),
                Kind::Glsl(sdlbc_naga::Glsl::Core330) => add("6 GLSL 330 statements", statements(output.text())),
                Kind::Glsl(sdlbc_naga::Glsl::Es300) => add("7 GLSL 300 es statements", statements(output.text())),
            }
        }
        if of_corpus {
            let _ = writeln!(corpus, "  {:<24} {ir:>6} {spirv:>6}{}", made.work.name, peer(&made.work.name));
        }
        assert!(spirv > 0, "{}", made.work.name);
    }
    let mut table = format!("\n{:<28} {:>8} {:>8}\n", "in total", "pairs", "corpus");
    for &(_, what) in totals.keys().filter(|(of_corpus, _)| !of_corpus) {
        let count = |of_corpus| totals.get(&(of_corpus, what)).copied().unwrap_or_default();
        let _ = writeln!(table, "{:<28} {:>8} {:>8}", &what[2..], count(false), count(true));
    }
    if !corpus.is_empty() {
        let _ = write!(table, "{:<24} {:>8} {:>6} {:>6} {:>6}\n{corpus}", "", "IR", "SPIR-V", "peer", "peer -O");
    }
    say(&table);
}

/// Returns the instruction counts, unoptimised and optimised, of the SPIR-V that the best existing translator writes for a
/// program.
fn peer(name: &str) -> String {
    let path = repository().join("../shared/corpus/peer.tsv");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let row = text.lines().find(|line| line.starts_with(&format!("{name}.agalbc\t")));
    let cells: Vec<&str> = row.into_iter().flat_map(|row| row.split('\t')).collect();
    match cells[..] {
        [_, _, _, _, plain, optimised, ..] => format!(" {plain:>6} {optimised:>6}"),
        _ => String::new(),
    }
}

//! Compares the results of AGAL programs with the results of their WGSL. The AGAL machine runs each program, and another
//! interpreter runs the WGSL as naga's front end reads it.
//!
//! The tests run all pairs of testdata, over a thousand generated programs with every mask, swizzle, aliasing and nesting, and
//! variants of the generated programs that the player rejects although their meaning is defined. `PROGRAMS=` sets the number of
//! random programs, and `SEED=` runs a single program.

mod inputs;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use agal_front::assemble::{AssembleOptions, assemble};
use agal_front::check::check;
use agal_front::lift::{Options, translate};
use agal_front::opcode::{Meaning, Operand};
use agal_front::register::File;
use agal_front::token::{Mask, Sampler, Source, Swizzle, Token};
use agal_front::{Program, Rules, Stage};
use laws::programs;
use laws::works::{CORPUS, PAIRS};
use testing::{Effort, Random, on_two_threads, say};

use self::inputs::{Inputs, output_of, run_agal, run_wgsl};

const PROGRAMS: u64 = 1200;
/// The tolerance for rounding errors. The WGSL may add the terms of a sum in a different order.
const TOLERANCE: f32 = 2e-3;

fn close(a: f32, b: f32) -> bool {
    let large = |value: f32| !value.is_finite() || value.abs() > 1e6;
    // NaNs, infinities and values so large that rounding dominates are not compared.
    large(a) || large(b) || (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()).max(1.0)
}

/// Runs a program and its WGSL with the inputs of each seed. Returns the number of compared components, or a description of the
/// first difference.
fn compare(program: &Program, options: &Options, seeds: std::ops::Range<u64>) -> Result<usize, String> {
    let lifted = translate(&[program], options).map_err(|findings| format!("{findings:?}"))?;
    let text = backends::wgsl(&lifted.module, &backends::Layout::default()).map_err(|error| error.to_string())?;
    let module = naga::front::wgsl::parse_str(&text).map_err(|error| error.emit_to_string(&text))?;
    let stage = match program.stage {
        Stage::Vertex => naga::ShaderStage::Vertex,
        Stage::Fragment => naga::ShaderStage::Fragment,
    };
    let mut compared = 0;
    for seed in seeds {
        let inputs = Inputs { seed };
        let expected = run_agal(program, &inputs, options.strict_ifg);
        let found = run_wgsl(&module, stage, &inputs);
        let (expected, found) = match (expected, found) {
            (None, None) => continue,
            (Some(expected), Some(found)) => (expected, found),
            (expected, _) => {
                let (agal, wgsl) =
                    if expected.is_none() { ("discards", "does not") } else { ("does not discard", "does") };
                return Err(format!("seed {seed}: AGAL {agal} and the WGSL {wgsl}\n{text}"));
            }
        };
        for (name, values) in found {
            let register = output_of(&name, program.stage).ok_or(format!("no register {name}"))?;
            // An output that the program leaves unwritten, which some rules allow, is zero.
            let zero = [0.0; 4];
            let wanted = expected.get(&register).unwrap_or(&zero);
            for (component, (&a, &b)) in wanted.iter().zip(&values).enumerate() {
                if !close(a, b) {
                    let place = char::from(b"xyzw"[component]);
                    return Err(format!("seed {seed}: {name}.{place} is {a} in AGAL and {b} in WGSL\n{text}"));
                }
                compared += usize::from(a.is_finite());
            }
        }
    }
    Ok(compared)
}

#[track_caller]
fn none_of(failures: Vec<String>) {
    let shown: Vec<&str> = failures.iter().take(20).map(String::as_str).collect();
    assert!(failures.is_empty(), "{} programs differ\n{}", failures.len(), shown.join("\n"));
}

#[test]
fn every_pair_computes_in_wgsl_what_it_computes_in_agal() {
    let works: Vec<_> = PAIRS.iter().chain(CORPUS.iter()).collect();
    let results = on_two_threads(&works, |work| {
        let rules = Rules::default().allow(work.allow.clone()).allow_ted(true);
        let options = Options::default().rules(rules);
        let programs = work.programs();
        let each = programs.iter().map(|program| {
            compare(program, &options, 0..40).map_err(|error| format!("{} ({}): {error}", work.name, program.stage))
        });
        each.collect::<Vec<_>>()
    });
    let (compared, failures): (Vec<_>, Vec<_>) = results.into_iter().flatten().partition(Result::is_ok);
    let compared: usize = compared.into_iter().flatten().sum();
    say(&format!("compared {compared} components of outputs of the pairs and the corpus"));
    none_of(failures.into_iter().filter_map(Result::err).collect());
    assert!(compared > 10_000, "only {compared} numbers were compared");
}

/// Generates legal programs, which read only components that were written on every path.
struct Maker {
    random: Random,
    text: String,
    stage: Stage,
    depth: usize,
    /// Whether most statements are copies in conditionals, so that PHIs merge and swap registers.
    branching: bool,
}

const TEMPORARIES: usize = 5;

impl Maker {
    fn one_of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.random.below(list.len())]
    }

    fn letters(&mut self, count: usize) -> String {
        (0..count).map(|_| char::from(b"xyzw"[self.random.below(4)])).collect()
    }

    /// Returns a write mask that contains at least one of the first `most` components.
    fn mask(&mut self, most: usize) -> String {
        let set = 1 + self.random.below((1 << most) - 1);
        (0..most).filter(|bit| set >> bit & 1 != 0).map(|bit| char::from(b"xyzw"[bit])).collect()
    }

    fn temporary(&mut self) -> String {
        format!("{}{}", if self.stage == Stage::Vertex { "vt" } else { "ft" }, self.random.below(TEMPORARIES))
    }

    fn register(&mut self) -> String {
        let vertex = self.stage == Stage::Vertex;
        match self.random.below(6) {
            0..=2 => self.temporary(),
            3 if vertex => format!("va{}", self.random.below(4)),
            3 => format!("v{}", self.random.below(4)),
            4 if vertex && self.random.below(3) == 0 => {
                let (index, component) = (self.random.below(3), self.letters(1));
                format!(
                    "vc[{}{index}.{component}+{}]",
                    if self.random.below(2) == 0 { "va" } else { "vt" },
                    self.random.below(9)
                )
            }
            _ => format!("{}{}", if vertex { "vc" } else { "fc" }, self.random.below(6)),
        }
    }

    fn source(&mut self) -> String {
        let register = self.register();
        match self.random.below(5) {
            0 | 1 => register,
            2 => format!("{register}.{}", self.letters(1)),
            3 => format!("{register}.{}", self.letters(4)),
            _ => {
                let count = 2 + self.random.below(2);
                format!("{register}.{}", self.letters(count))
            }
        }
    }

    fn scalar(&mut self) -> String {
        format!("{}.{}", self.register(), self.letters(1))
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 2 * self.depth);
    }

    fn statement(&mut self) {
        let destination = self.temporary();
        let (a, b) = (self.source(), self.source());
        let kinds = if self.branching && self.random.below(3) != 0 { 3 } else { 16 };
        let line = match self.random.below(kinds) {
            0..=2 if kinds == 3 => match self.random.below(3) {
                0 => format!("mov {destination}, {}", self.temporary()),
                1 => format!("mov {destination}.{}, {}", self.mask(4), self.temporary()),
                _ => format!("add {destination}.{}, {}, {b}", self.mask(4), self.temporary()),
            },
            0..=5 => {
                let op =
                    self.one_of(&["add", "sub", "mul", "mul", "div", "min", "max", "sge", "slt", "seq", "sne", "pow"]);
                format!("{op} {destination}.{}, {a}, {b}", self.mask(4))
            }
            6..=8 => {
                let op = self.one_of(&[
                    "mov", "mov", "mov", "rcp", "frc", "sqt", "rsq", "log", "exp", "sin", "cos", "abs", "neg", "sat",
                    "sgn",
                ]);
                format!("{op} {destination}.{}, {a}", self.mask(4))
            }
            9 | 10 => {
                let op = self.one_of(&["dp3", "dp4"]);
                format!("{op} {destination}.{}, {a}, {b}", self.mask(4))
            }
            11 => format!("nrm {destination}.{}, {a}", self.mask(3)),
            12 => format!("crs {destination}.{}, {a}, {b}", self.mask(3)),
            13 | 14 => {
                let (op, most) = [("m33", 3), ("m34", 3), ("m44", 4)][self.random.below(3)];
                let first = self.random.below(2);
                let vertex = self.stage == Stage::Vertex;
                let rows = match self.random.below(4) {
                    0 if vertex => format!("vt{first}"),
                    0 => format!("ft{first}"),
                    1 if vertex => format!("va{}", self.random.below(4)),
                    1 => format!("v{}", self.random.below(4)),
                    2 if vertex => format!("vc[va{}.x+{}]", self.random.below(3), self.random.below(5)),
                    _ if vertex => format!("vc{}", self.random.below(6)),
                    _ => format!("fc{}", self.random.below(6)),
                };
                format!("{op} {destination}.{}, {a}, {rows}", self.mask(most))
            }
            _ if self.stage == Stage::Fragment => self.fragment_statement(&destination, &a),
            _ => format!("mov {destination}, {a}"),
        };
        self.line(&line);
    }

    fn fragment_statement(&mut self, destination: &str, a: &str) -> String {
        match self.random.below(6) {
            0 if self.depth == 0 => format!("{} {destination}.{}, {a}", self.one_of(&["ddx", "ddy"]), self.mask(4)),
            1 => format!("kil {}", self.scalar()),
            2 => format!("tex {destination}.{}, {a}, fs0 <2d,linear,mipnone>", self.mask(4)),
            3 => format!(
                "tex {destination}.{}, v{}.{}, fs1 <2d,linear,miplinear>",
                self.mask(4),
                self.random.below(4),
                self.letters(2)
            ),
            4 => {
                format!("tex {destination}.{}, v{}, fs2 <cube,linear,miplinear,1>", self.mask(4), self.random.below(4))
            }
            _ => format!("tex {destination}.{}, {a}, fs3 <3d,linear,mipnone,single>", self.mask(4)),
        }
    }

    fn statements(&mut self, count: usize) {
        for _ in 0..count {
            if self.depth < 4 && self.random.below(if self.branching { 3 } else { 6 }) == 0 {
                let op = self.one_of(&["ife", "ine", "ifg", "ifl"]);
                let (a, b) = (self.scalar(), self.scalar());
                // A token may have only one indirect operand.
                let b = if a.contains('[') && b.contains('[') { a.clone() } else { b };
                self.line(&format!("{op} {a}, {b}"));
                self.depth += 1;
                let inside = 1 + self.random.below(4);
                self.statements(inside);
                if self.random.below(2) == 0 {
                    self.depth -= 1;
                    self.line("els");
                    self.depth += 1;
                    let inside = 1 + self.random.below(4);
                    self.statements(inside);
                }
                self.depth -= 1;
                self.line("eif");
            } else {
                self.statement();
            }
        }
    }

    fn program(seed: u64) -> String {
        let mut random = Random(seed);
        let stage = if random.below(3) == 0 { Stage::Vertex } else { Stage::Fragment };
        let text = format!("// agal 2 {stage}\n");
        let mut maker = Maker { random, text, stage, depth: 0, branching: seed % 2 == 1 };
        let vertex = stage == Stage::Vertex;
        for number in 0..TEMPORARIES {
            let line = match vertex {
                true => format!("mov vt{number}, va{}", number % 4),
                false => format!("mov ft{number}, v{}", number % 4),
            };
            maker.line(&line);
        }
        let count = 4 + maker.random.below(16);
        maker.statements(count);
        let outputs: &[&str] = if vertex { &["op", "v0", "v1", "v2"] } else { &["oc", "oc1", "oc2", "oc3"] };
        for (number, output) in outputs.iter().enumerate() {
            let from = if vertex { "vt" } else { "ft" };
            maker.line(&format!("mov {output}, {from}{number}"));
        }
        if !vertex && maker.random.below(3) == 0 {
            maker.line("mov od.x, ft4.x");
        }
        maker.text
    }
}

/// Reduces a failing program by removing lines while its AGAL and WGSL results still differ.
fn smallest(text: &str, options: &Options) -> String {
    let differs = |lines: &[&str]| {
        let Ok(assembly) = assemble(&lines.join("\n"), &AssembleOptions::default()) else { return false };
        let legal = translate(&[&assembly.program], options).is_ok();
        legal && compare(&assembly.program, options, 0..12).is_err()
    };
    let mut lines: Vec<&str> = text.lines().collect();
    loop {
        let before = lines.len();
        let mut at = lines.len();
        while at > 0 {
            at -= 1;
            // Each attempt removes a single line, a conditional with its contents, or only the lines `if`, `els` and `eif` of a
            // conditional.
            let depth = |line: &str| line.len() - line.trim_start().len();
            let opens = lines.get(at).is_some_and(|line| line.trim_start().starts_with("if"));
            let end =
                (at + 1..lines.len()).find(|&end| lines[end].trim() == "eif" && depth(lines[end]) == depth(lines[at]));
            let mut fewer = vec![vec![at]];
            if let (true, Some(end)) = (opens, end) {
                fewer.push((at..=end).collect());
                let middle = (at..end).find(|&i| lines[i].trim() == "els" && depth(lines[i]) == depth(lines[at]));
                fewer.push([Some(at), middle, Some(end)].into_iter().flatten().collect());
            }
            for gone in fewer {
                let left: Vec<&str> =
                    lines.iter().enumerate().filter(|(i, _)| !gone.contains(i)).map(|(_, line)| *line).collect();
                if differs(&left) {
                    lines = left;
                    break;
                }
            }
            at = at.min(lines.len());
        }
        if lines.len() == before {
            return lines.join("\n");
        }
    }
}

#[test]
fn generated_programs_compute_in_wgsl_what_they_compute_in_agal() {
    let effort = Effort::of("PROGRAMS", PROGRAMS);
    let seeds: Vec<u64> = effort.seeds().collect();
    let small = AtomicUsize::new(0);
    let results = on_two_threads(&seeds, |&seed| {
        let text = Maker::program(seed);
        let assembly = assemble(&text, &AssembleOptions::default());
        let program = assembly.unwrap_or_else(|findings| panic!("{findings:#?}\n{text}")).program;
        let options = Options::default().strict_ifg(seed % 4 == 0);
        compare(&program, &options, 0..12).map_err(|error| {
            // Reducing a program is slow, so only the first few failures are reduced.
            if small.fetch_add(1, Ordering::Relaxed) >= 3 {
                return format!("SEED={seed}: {}", error.lines().next().unwrap_or_default());
            }
            let text = smallest(&text, &options);
            let program = assemble(&text, &AssembleOptions::default()).expect("a program").program;
            let error = compare(&program, &options, 0..12).expect_err("it differs");
            format!("SEED={seed}: {error}\n{text}\n")
        })
    });
    let (compared, failures): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    let compared: usize = compared.into_iter().flatten().sum();
    say(&format!("compared {compared} components of outputs of generated programs"));
    none_of(failures.into_iter().filter_map(Result::err).collect());
    assert!(compared as u64 >= effort.at_least(100_000), "only {compared} numbers were compared");
}

/// Changes a legal program in ways that the player rejects although the program's meaning stays defined.
struct Loosener {
    random: Random,
    program: Program,
}

/// The numbers of the findings that the [`Loosener`] causes. The tests allow these findings.
const ALLOWED: [u16; 5] = [3633, 3634, 3635, 3647, 3741];

impl Loosener {
    fn one_in(&mut self, count: usize) -> bool {
        self.random.below(count) == 0
    }

    fn swizzle(&mut self) -> Swizzle {
        Swizzle(self.random.below(256) as u8)
    }

    fn source(&mut self, file: File, count: usize) -> Source {
        let (number, swizzle) = (self.random.below(count) as u16, self.swizzle());
        Source { number, offset: 0, swizzle, file: file as u8, index_file: 0, index_component: 0, indirect: false }
    }

    fn token(&mut self, token: &mut Token) {
        let Some(row) = token.op().map(|op| op.row()) else { return };
        let mut dst = token.dst();
        let mut sources = [token.src(0), token.src(1)];
        let three = matches!(row.meaning, Meaning::Normalize | Meaning::Cross | Meaning::Matrix { rows: 3, .. });
        if three && self.one_in(2) {
            dst.mask = Mask(1 + self.random.below(15) as u8);
        }
        let scalar = row.sources[0] == Operand::Scalar;
        for (slot, source) in sources.iter_mut().enumerate() {
            match row.sources[slot] {
                Operand::Matrix | Operand::Scalar if self.one_in(2) => source.swizzle = self.swizzle(),
                Operand::Vector if self.one_in(8) => *source = self.source(File::Constant, 4),
                _ => {}
            }
        }
        if scalar && row.sources[1] == Operand::Scalar && self.one_in(6) {
            sources[1] = sources[0];
        }
        if row.destination {
            token.destination = dst.encode();
        }
        for (slot, source) in sources.into_iter().enumerate() {
            match row.sources[slot] {
                Operand::None | Operand::Sampler => {}
                _ => token.sources[slot] = source.encode(),
            }
        }
        if row.sources[1] == Operand::Sampler && self.one_in(3) {
            let mut sampler = token.sampler();
            (sampler.filter, sampler.mip) = (self.random.below(3) as u8, self.random.below(3) as u8);
            (sampler.wrap, sampler.bias) = (0, self.random.below(9) as i8);
            sampler.special ^= Sampler::SINGLE;
            token.sources[1] = sampler.encode();
        }
        self.bits(token);
    }

    /// Sets bits of a token that do not affect the token's meaning.
    fn bits(&mut self, token: &mut Token) {
        let Some(row) = token.op().map(|op| op.row()) else { return };
        if !self.one_in(6) {
            return;
        }
        match row.destination {
            true => token.destination |= 0x0030_0000,
            false => token.destination = self.random.next() as u32,
        }
        for slot in 0..2 {
            match row.sources[slot] {
                Operand::None => token.sources[slot] = self.random.next(),
                Operand::Sampler => token.sources[slot] |= Sampler::RESERVED,
                _ => token.sources[slot] |= Source::RESERVED,
            }
            if !matches!(row.sources[slot], Operand::None | Operand::Sampler) && !token.src(slot).indirect {
                token.sources[slot] |= 0x0003_0f00_00ff_0000;
            }
        }
    }

    /// Returns a token that writes some components of a random output.
    fn output(&mut self) -> Token {
        let vertex = self.program.stage == Stage::Vertex;
        let (file, number) = match (vertex, self.random.below(4)) {
            (true, 0) => (File::Output, 0),
            (true, number) => (File::Varying, number as u16 - 1),
            (false, number) => (File::Output, number as u16),
        };
        let mask = Mask(1 + self.random.below(15) as u8);
        let source = self.source(File::Temporary, TEMPORARIES);
        let destination = agal_front::token::Destination { number, mask, file: file as u8 };
        Token { opcode: 0, destination: destination.encode(), sources: [source.encode(), 0] }
    }

    fn loosen(mut self) -> Program {
        let mut tokens = Vec::new();
        for (index, mut token) in std::mem::take(&mut self.program.tokens).into_iter().enumerate() {
            // Some initial writes of temporaries and some writes of outputs lose components or are removed.
            let file = token.dst().register_file();
            let writes_output = token.op().is_some_and(|op| op.row().destination) && file != Some(File::Temporary);
            if (index < TEMPORARIES || writes_output) && self.one_in(3) {
                let mut dst = token.dst();
                dst.mask = Mask(self.random.below(16) as u8);
                if dst.mask.is_empty() {
                    continue;
                }
                if file != Some(File::Depth) {
                    token.destination = dst.encode();
                }
            }
            self.token(&mut token);
            let opens = matches!(token.op().map(|op| op.row().meaning), Some(Meaning::If(_)));
            tokens.push(token);
            if opens && self.one_in(6) {
                // Some conditionals are preceded by an empty conditional with the same condition.
                let nothing = |opcode| Token { opcode, ..Token::default() };
                let els = self.one_in(2).then(|| nothing(0x20));
                tokens.extend(els.into_iter().chain([nothing(0x21), token]));
            }
            if self.one_in(6) {
                tokens.push(self.output());
            }
        }
        Program { tokens, ..self.program }
    }
}

/// Returns the program generated from a seed, changed in ways that the player rejects.
fn loosened(seed: u64) -> Program {
    let program = assemble(&Maker::program(seed), &AssembleOptions::default()).expect("a program").program;
    Loosener { random: Random(!seed), program }.loosen()
}

#[test]
fn programs_with_allowed_errors_compute_in_wgsl_what_they_compute_in_agal() {
    let effort = Effort::of("PROGRAMS", PROGRAMS);
    let seeds: Vec<u64> = effort.seeds().collect();
    let options = Options::default().rules(Rules::default().allow(ALLOWED.to_vec()));
    let results = on_two_threads(&seeds, |&seed| {
        let program = loosened(seed);
        compare(&program, &options, 0..12)
            .map_err(|error| format!("SEED={seed}: {error}\n{}", agal_front::disassemble::disassemble(&program)))
    });
    let (compared, failures): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    let compared: usize = compared.into_iter().flatten().sum();
    say(&format!("compared {compared} components of outputs of programs that the player refuses"));
    none_of(failures.into_iter().filter_map(Result::err).collect());
    assert!(compared as u64 >= effort.at_least(100_000), "only {compared} numbers were compared");
}

#[test]
fn programs_that_the_player_refuses_break_every_rule_that_may_be_broken() {
    let found = (0..PROGRAMS).flat_map(|seed| check(&[&loosened(seed)], &Rules::default()).concat());
    let codes: BTreeSet<u16> = found.map(|finding| finding.code()).collect();
    let strict = [3625, 3627, 3628, 3636, 3643, 3648, 3654, 3689, 3696, 3701, 3703, 3744, 3748, 3751, 3758, 3775];
    let missing: Vec<u16> = strict.into_iter().chain(ALLOWED).filter(|code| !codes.contains(code)).collect();
    assert!(missing.is_empty(), "no program has {missing:?}");
}

/// Returns a random program that the player accepts. The lowest bits of the seed select the program's version and stage.
fn random_program(seed: u64) -> Program {
    let stage = if seed & 1 == 0 { Stage::Vertex } else { Stage::Fragment };
    let mut random = Random(seed);
    let length = programs::some_length(&mut random);
    programs::program(&mut random, 1 + (seed >> 1 & 3) as u32, stage, length)
}

/// Compares the results of each program that `make` returns with the results of the program's WGSL.
fn compare_each(what: &str, least: u64, make: impl Fn(u64) -> Option<Program> + Sync) {
    let effort = Effort::of("PROGRAMS", PROGRAMS);
    let seeds: Vec<u64> = effort.seeds().collect();
    let results = on_two_threads(&seeds, |&seed| {
        let Some(program) = make(seed) else { return Ok(0) };
        let text = agal_front::disassemble::disassemble(&program);
        compare(&program, &Options::default(), 0..8).map_err(|error| format!("SEED={seed}: {error}\n{text}"))
    });
    let (compared, failures): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    let compared: usize = compared.into_iter().flatten().sum();
    say(&format!("compared {compared} components of outputs of {what}"));
    none_of(failures.into_iter().filter_map(Result::err).collect());
    assert!(compared as u64 >= effort.at_least(least), "only {compared} numbers were compared");
}

#[test]
fn random_programs_that_the_player_accepts_compute_in_wgsl_what_they_compute_in_agal() {
    compare_each("random programs", 50_000, |seed| Some(random_program(seed)));
}

/// The player rejects most programs with flipped bits, but a program that still translates has a defined meaning.
#[test]
fn damaged_programs_that_still_translate_compute_in_wgsl_what_they_compute_in_agal() {
    compare_each("damaged programs", 20_000, |seed| {
        let mut program = random_program(seed);
        let mut random = Random(!seed);
        for _ in 0..1 + random.below(3) {
            let count = program.tokens.len();
            if count == 0 {
                return None;
            }
            let at = random.below(count);
            let token = &mut program.tokens[at];
            match random.below(6) {
                0 => token.destination ^= 1 << (16 + random.below(4)),
                1 => token.sources[0] ^= 1 << (24 + random.below(8)),
                2 => token.sources[1] ^= 1 << (24 + random.below(8)),
                3 => token.destination ^= 1 << random.below(3),
                4 => token.sources[random.below(2)] ^= 1 << random.below(3),
                _ => drop(program.tokens.remove(at)),
            }
        }
        translate(&[&program], &Options::default()).is_ok().then_some(program)
    });
}

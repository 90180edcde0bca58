//! Validation: reports the errors that the player finds in a program, and constructs that cannot be translated, in the player's
//! order.
//!
//! Rule: validation reads only the program, performs the player's checks token by token, in the player's order, and never stops
//! at the first finding. [`crate::rules`] decides how severe each finding is. The error numbers and their order come from Flash
//! Player's published error list and from Adobe's own checker for version 1. The order of the checks that later versions added is
//! unknown, so each of these checks is placed next to the version 1 check of the same field.

mod operand;
mod sampler;

use std::collections::BTreeMap;

use crate::disassemble::register;
use crate::finding::{self, Finding, FindingPlace, Kind, Part, token_number};
use crate::flow::{Components, level_slot, register_index};
use crate::kept::Findings;
use crate::opcode::{CODES, Meaning, Opcode, Operand, Row, of_slot};
use crate::program::Program;
use crate::register::{File, Stage, token_limit};
use crate::rules::Rules;
use crate::token::{Destination, Mask, Source, Swizzle, Token, letter};

/// The maximum nesting depth of conditionals in Flash Player.
const PLAYER_NESTING: usize = 4;

/// Performs the player's checks on one program, in the player's order.
///
/// The checks of outputs and varyings are in [`crate::link`], because the player performs those checks when it links
/// programs.
pub(crate) fn validate(program: &Program, rules: &Rules) -> Validated {
    let is_vertex = program.stage == Stage::Vertex;
    let counts = File::ALL.map(|file| count(program, rules, file, program.stage));
    let mut checker = Checker {
        program,
        rules,
        findings: Findings::default(),
        open: Vec::new(),
        samplers: BTreeMap::new(),
        colours: [None; 4],
        assigned: Components::none(),
        named: Components::none(),
        written: Components::none(),
        touched: Components::none(),
        counts,
        plain: of_files(&counts, |file| match file {
            File::Constant | File::Temporary => true,
            File::Attribute => is_vertex,
            File::Varying => !is_vertex,
            _ => false,
        }),
        plain_targets: of_files(&counts, |file| file == File::Temporary || file == File::Varying && is_vertex),
        limit: token_limit(program.version),
        index: 0,
    };
    checker.profile_version();
    for (index, token) in program.tokens.iter().enumerate() {
        checker.index = index;
        checker.token(token);
    }
    checker.end();
    Validated { findings: checker.findings.into_list(), assigned: checker.assigned, written: checker.written }
}

pub(crate) struct Validated {
    pub(crate) findings: Vec<Finding>,
    /// The register components that every path through the program writes.
    pub(crate) assigned: Components,
    /// The register components that a known operation writes on any path.
    pub(crate) written: Components,
}

struct Conditional {
    /// The mnemonic and index of the token that opened the conditional.
    opened: (&'static str, usize),
    before: Components,
    accept: Option<Components>,
    /// The mnemonic and index of the token that opened the current branch.
    branch: (&'static str, usize),
}

/// Returns the number of registers that a file has according to the player. If only the other stage has the file, the other
/// stage's count applies.
fn count(program: &Program, rules: &Rules, file: File, stage: Stage) -> u32 {
    let other = if stage == Stage::Vertex { Stage::Fragment } else { Stage::Vertex };
    let count = match file.count(stage, program.version) {
        0 => file.count(other, program.version),
        count => count,
    };
    rules.profile.map_or(count, |profile| count.min(profile.count(file, stage)))
}

/// Keeps the counts of the files for which `has` returns true, and sets all other counts to 0.
fn of_files(counts: &[u32; File::ALL.len()], has: impl Fn(File) -> bool) -> [u32; File::ALL.len()] {
    let mut counts = counts.iter();
    File::ALL.map(|file| counts.next().copied().filter(|_| has(file)).unwrap_or(0))
}

struct Checker<'a> {
    program: &'a Program,
    rules: &'a Rules,
    findings: Findings,
    open: Vec<Conditional>,
    /// The sampler word and the token index of each sampler's first use, keyed by the sampler's number.
    samplers: BTreeMap<u16, (u64, usize)>,
    /// The index of the first token that writes each colour output.
    colours: [Option<usize>; 4],
    /// The register components that every path to the current token writes.
    assigned: Components,
    /// The unwritten components that have already been reported because a swizzle names them.
    named: Components,
    /// The register components that an earlier known operation writes on any path.
    written: Components,
    /// The register components that an earlier token writes, even if its opcode is unknown.
    touched: Components,
    /// The number of registers in each file; see [`count`].
    counts: [u32; File::ALL.len()],
    /// The number of registers in each file that this stage can read without further checks, and 0 for all other files.
    plain: [u32; File::ALL.len()],
    /// The number of registers in each file that this stage can write without further checks, and 0 for all other files.
    plain_targets: [u32; File::ALL.len()],
    limit: usize,
    index: usize,
}

impl Checker<'_> {
    fn report(&mut self, part: Part, kind: Kind) {
        self.findings.push(Finding::new(kind, finding::at_token(self.index, part)));
    }

    fn name(&self, file: File, number: u32) -> String {
        register(file, number, self.program.stage)
    }

    fn profile_version(&mut self) {
        let version = self.program.version;
        if let Some(profile) = self.rules.profile.filter(|profile| profile.version() < version) {
            let kind = Kind::ProfileVersion { version, profile: profile.name(), highest: profile.version() };
            self.findings.push(Finding::new(kind, FindingPlace::byte(1)));
        }
    }

    fn token(&mut self, token: &Token) {
        if let Some(row) = token.row() {
            self.operation(token, row);
            self.structure(token, row);
            self.source::<0>(token, row);
            self.source::<1>(token, row);
            self.both_sources(token, row);
            self.destination(token, row);
            self.check_sampler_word(token, row);
            if row.destination {
                let written = Mask(token.dst().mask.0 & row.yields.0);
                if let Some(index) = self.assign(token.dst(), written) {
                    self.written.add(Some(index), written);
                }
            }
        } else {
            let found = token.opcode;
            let kind = if found >= CODES { Kind::OpcodeRange { found } } else { Kind::OpcodeReserved { found } };
            self.report(Part::Operation, kind);
            // The destination of an unknown opcode counts as written, so that later reads of the register are not reported.
            self.assign(token.dst(), token.dst().mask);
        }
        if self.index == self.limit {
            let (limit, tokens) = (self.limit, self.program.tokens.len());
            self.report(Part::Operation, Kind::TooManyTokens { tokens, limit });
        }
    }

    /// Marks components of a register as written, and returns the register's index if writes to its file are tracked.
    fn assign(&mut self, dst: Destination, mask: Mask) -> Option<usize> {
        let index = register_index((dst.register_file()?, u32::from(dst.number)))?;
        self.assigned.add(Some(index), mask);
        self.touched.add(Some(index), mask);
        Some(index)
    }

    /// Checks that the program's version and stage have the operation.
    fn operation(&mut self, token: &Token, row: &'static Row) {
        let Row { mnemonic, since, .. } = *row;
        let version = self.program.version;
        if since > 1 && version < since {
            self.report(Part::Operation, Kind::OpcodeVersion { mnemonic, since, version });
        }
        if let Some(only) = row.stage.filter(|&only| only != self.program.stage) {
            self.report(Part::Operation, Kind::OpcodeStage { mnemonic, only });
        }
        if row.meaning == Meaning::TextureLevel {
            let from = level_slot(token).map(|slot| letter(token.src(0).swizzle.component(slot)));
            let kind = match self.rules.allow_ted {
                true => Kind::UndocumentedLevel { mnemonic, from },
                false => Kind::Undocumented { mnemonic },
            };
            self.report(Part::Operation, kind);
        }
    }

    /// Checks that conditionals are balanced and contain no forbidden operation.
    fn structure(&mut self, token: &Token, row: &'static Row) {
        let branch = (row.mnemonic, self.index);
        match row.meaning {
            Meaning::If(_) => {
                self.open.push(Conditional { opened: branch, before: self.assigned.clone(), accept: None, branch });
                let depth = self.open.len();
                if depth > sdlbc::limits::NESTING {
                    self.report(Part::Operation, Kind::NestingLimit { limit: sdlbc::limits::NESTING });
                } else if depth == PLAYER_NESTING + 1 {
                    self.report(Part::Operation, Kind::Nesting { depth });
                }
            }
            Meaning::Else => {
                self.branch_ends();
                match self.open.last_mut() {
                    Some(open) if open.accept.is_none() => {
                        open.accept = Some(std::mem::replace(&mut self.assigned, open.before.clone()));
                        open.branch = branch;
                    }
                    _ => self.report(Part::Operation, Kind::ElsMisplaced),
                }
            }
            Meaning::EndIf => {
                self.branch_ends();
                match self.open.pop() {
                    // If the conditional has no `els`, the path on which the condition is false skips the branch.
                    Some(open) => self.assigned.intersect(&open.accept.unwrap_or(open.before)),
                    None => self.report(Part::Operation, Kind::EifWithoutIf),
                }
            }
            Meaning::Derivative(_) if !self.open.is_empty() => {
                self.report(Part::Operation, Kind::DerivativeInConditional { mnemonic: row.mnemonic });
            }
            _ if !self.open.is_empty() && token.op() == Some(Opcode::Tex) => {
                let coordinate = token.src(0);
                if coordinate.indirect || coordinate.register_file() != Some(File::Varying) {
                    self.report(Part::Source(0), Kind::ComputedCoordinate);
                }
            }
            _ => {}
        }
    }

    fn branch_ends(&mut self) {
        if let Some(&Conditional { branch: (mnemonic, at), .. }) = self.open.last()
            && at + 1 == self.index
        {
            self.report(Part::Operation, Kind::EmptyBranch { mnemonic, token: token_number(at) });
        }
    }

    fn both_sources(&mut self, token: &Token, row: &'static Row) {
        let conditional = matches!(row.meaning, Meaning::If(_));
        let [first, second] = token.sources;
        let begins_with_constant = Source::decode(first).file == File::Constant as u8;
        if !conditional
            && !begins_with_constant
            && row.sources[1] != Operand::Matrix
            && first & second & Source::INDIRECT == 0
        {
            return;
        }
        let mnemonic = row.mnemonic;
        let sources = [0, 1].map(|slot| token.src(slot));
        let is_register = row.sources.map(|operand| !matches!(operand, Operand::None | Operand::Sampler));
        let is_constant =
            |slot: usize| of_slot(sources, slot).file == File::Constant as u8 && of_slot(is_register, slot);
        let computes = !conditional && !matches!(row.meaning, Meaning::Move | Meaning::Texture | Meaning::TextureLevel);
        if computes && is_constant(0) && (is_constant(1) || row.sources[1] == Operand::None) {
            let part = finding::source(usize::from(is_constant(1)));
            self.report(part, Kind::OnlyConstants { mnemonic });
        }
        if conditional && sources[0] == sources[1] {
            self.report(Part::Source(1), Kind::ConstantCondition { mnemonic });
        }
        if row.sources[1] == Operand::Matrix && sources[1].swizzle != Swizzle::IDENTITY {
            self.report(Part::Source(1), Kind::MatrixSwizzle { mnemonic });
        }
        if is_register == [true; 2] && sources.iter().all(|source| source.indirect) {
            self.report(Part::Source(1), Kind::BothIndirect { mnemonic });
        }
    }

    /// Checks that every conditional is closed and that the colour outputs are written without gaps.
    fn end(&mut self) {
        for open in std::mem::take(&mut self.open) {
            let (mnemonic, at) = open.opened;
            let kind = Kind::UnclosedIf { mnemonic, token: token_number(at) };
            self.findings.push(Finding::new(kind, finding::at_token(at, Part::Operation)));
        }
        let mut colours = (0u32..).zip(&self.colours);
        if self.program.stage == Stage::Fragment
            && let Some((gap, _)) = colours.find(|(_, first)| first.is_none())
            && let Some((number, at)) = colours.find_map(|(number, first)| Some((number, (*first)?)))
        {
            let (register, missing) = (self.name(File::Output, number), self.name(File::Output, gap));
            let place = finding::at_token(at, Part::Destination);
            self.findings.push(Finding::new(Kind::ColourGap { register, missing }, place));
        }
    }
}

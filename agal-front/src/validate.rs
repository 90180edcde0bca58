//! What Flash's player would refuse, and what cannot be translated: every finding of a program, in the player's order
//! token by token.
//!
//! Rule: validation reads the program alone and never stops at the first finding. What peers and real programs show to
//! be harmless is a warning; the rest is an error. The numbers and their order: Flash Player's published error list and
//! Adobe's own checker.

use std::collections::HashMap;

use crate::disassemble::register;
use crate::finding::{Finding, Kind, Part, Place};
use crate::flow::{Components, outputs, reads, whole, written};
use crate::opcode::{CODES, Meaning, Operand, Row};
use crate::program::Program;
use crate::register::{File, Stage, token_limit};
use crate::token::{Destination, Mask, Sampler, Source, Token};

/// Conditionals that players take inside each other.
const PLAYER_NESTING: usize = 4;

/// Every finding of the program.
pub fn validate(program: &Program) -> Vec<Finding> {
    let mut checker = Checker {
        program,
        findings: Vec::new(),
        open: Vec::new(),
        samplers: HashMap::new(),
        assigned: Components::none(),
        index: 0,
    };
    for (index, token) in program.tokens.iter().enumerate() {
        checker.index = index;
        checker.token(token);
    }
    checker.end();
    checker.findings
}

/// An open conditional, for structure and for what is assigned on each path.
struct Conditional {
    mnemonic: &'static str,
    token: usize,
    before: Components,
    accept: Option<Components>,
}

struct Checker<'a> {
    program: &'a Program,
    findings: Vec<Finding>,
    open: Vec<Conditional>,
    /// The first use of each sampler.
    samplers: HashMap<u16, (u64, usize)>,
    /// What is written on every path that leads here.
    assigned: Components,
    index: usize,
}

impl Checker<'_> {
    fn report(&mut self, part: Part, kind: Kind) {
        self.findings.push(Finding::new(kind, Place::token(self.index, part)));
    }

    fn name(&self, file: File, number: u32) -> String {
        register(file, number, self.program.stage)
    }

    fn token(&mut self, token: &Token) {
        let Some(op) = token.op() else {
            let found = token.opcode;
            self.report(
                Part::Operation,
                if found >= CODES { Kind::OpcodeRange { found } } else { Kind::OpcodeReserved { found } },
            );
            // What it was to write is not missed later on.
            self.assign(token.dst(), token.dst().mask);
            return;
        };
        let row = op.row();
        self.operation(row);
        for slot in 0..2 {
            self.source(token, row, slot);
        }
        self.destination(token, row);
        if row.sources[1] == Operand::Sampler {
            self.sampler_agrees(token);
        }
        self.structure(row);
        if row.destination {
            self.assign(token.dst(), written(token));
        }
    }

    fn assign(&mut self, dst: Destination, mask: Mask) {
        if let Some(file) = dst.register_file() {
            self.assigned.add((file, u32::from(dst.number)), mask);
        }
    }

    fn operation(&mut self, row: &'static Row) {
        let Row { mnemonic, since, .. } = *row;
        if let Some(only) = row.stage.filter(|&only| only != self.program.stage) {
            self.report(Part::Operation, Kind::OpcodeStage { mnemonic, only });
        } else if self.program.version < since {
            let version = self.program.version;
            self.report(Part::Operation, Kind::OpcodeVersion { mnemonic, since, version });
        }
        if row.meaning == Meaning::TextureLevel {
            self.report(Part::Operation, Kind::Undocumented { mnemonic });
        }
        if let Meaning::Derivative(_) = row.meaning
            && !self.open.is_empty()
        {
            self.report(Part::Operation, Kind::DerivativeInConditional { mnemonic });
        }
    }

    fn structure(&mut self, row: &'static Row) {
        match row.meaning {
            Meaning::If(_) => {
                self.open.push(Conditional {
                    mnemonic: row.mnemonic,
                    token: self.index,
                    before: self.assigned.clone(),
                    accept: None,
                });
                let depth = self.open.len();
                if depth > sdlbc::limits::NESTING {
                    self.report(Part::Operation, Kind::NestingLimit { limit: sdlbc::limits::NESTING });
                } else if depth == PLAYER_NESTING + 1 {
                    self.report(Part::Operation, Kind::Nesting { depth });
                }
            }
            Meaning::Else => match self.open.last_mut() {
                Some(open) if open.accept.is_none() => {
                    open.accept = Some(std::mem::replace(&mut self.assigned, open.before.clone()));
                }
                _ => self.report(Part::Operation, Kind::ElsMisplaced),
            },
            Meaning::EndIf => match self.open.pop() {
                // Without `els` the other path is the one around the arm.
                Some(open) => self.assigned.intersect(&open.accept.unwrap_or(open.before)),
                None => self.report(Part::Operation, Kind::EifWithoutIf),
            },
            _ => {}
        }
    }

    fn source(&mut self, token: &Token, row: &'static Row, slot: usize) {
        let part = Part::Source(slot as u8);
        let word = token.sources[slot];
        match row.sources[slot] {
            Operand::None if word != 0 => self.report(part, Kind::UnusedSlot { mnemonic: row.mnemonic }),
            Operand::None => {}
            Operand::Sampler => self.sampler(word, token.sampler()),
            _ => self.register_source(token, row, slot, part),
        }
    }

    fn register_source(&mut self, token: &Token, row: &'static Row, slot: usize, part: Part) {
        let source = token.src(slot);
        let reserved = token.sources[slot] & Source::RESERVED;
        if reserved != 0 {
            self.report(part, Kind::ReservedBits { bits: reserved });
        }
        let Some(file) = source.register_file() else {
            self.report(part, Kind::RegisterType { found: source.file });
            return;
        };
        if source.indirect {
            self.indirect(source, file, row.sources[slot], part);
        } else {
            if (source.offset, source.index_file, source.index_component) != (0, 0, 0) {
                self.report(part, Kind::DirectWithIndex);
            }
            let rows = match (row.sources[slot], row.meaning) {
                (Operand::Matrix, Meaning::Matrix { rows, .. }) => u32::from(rows),
                _ => 1,
            };
            if !self.in_range(file, u32::from(source.number), rows, part) {
                return;
            }
            self.readable(file, u32::from(source.number), part);
        }
        match row.sources[slot] {
            Operand::Scalar if !source.swizzle.is_scalar() => {
                let component = char::from(b"xyzw"[usize::from(source.swizzle.component(0))]);
                self.report(part, Kind::NotScalar { mnemonic: row.mnemonic, component });
            }
            Operand::Matrix if source.swizzle != crate::token::Swizzle::IDENTITY => {
                self.report(part, Kind::MatrixSwizzle);
            }
            _ => {}
        }
        self.assigned_before(token, slot, part);
    }

    fn in_range(&mut self, file: File, number: u32, rows: u32, part: Part) -> bool {
        let Program { stage, version, .. } = *self.program;
        let count = file.count(stage, version);
        // A file that the stage lacks altogether has a message of its own.
        let other_stage = match stage {
            Stage::Vertex => File::count(file, Stage::Fragment, version),
            Stage::Fragment => File::count(file, Stage::Vertex, version),
        };
        if number + rows <= count || (count == 0 && other_stage != 0) {
            return true;
        }
        let register = self.name(file, (number + rows - 1).max(number));
        self.report(part, Kind::RegisterRange { register, file, stage, version, count });
        false
    }

    fn readable(&mut self, file: File, number: u32, part: Part) {
        let readable = match file {
            File::Constant | File::Temporary => true,
            File::Attribute | File::Instance => self.program.stage == Stage::Vertex,
            File::Varying => self.program.stage == Stage::Fragment,
            File::Output | File::Sampler | File::Depth => false,
        };
        if !readable {
            let register = self.name(file, number);
            self.report(part, Kind::NotReadable { register, file });
        }
    }

    fn indirect(&mut self, source: Source, file: File, operand: Operand, part: Part) {
        if self.program.stage != Stage::Vertex {
            self.report(part, Kind::IndirectStage);
        } else if file != File::Constant {
            self.report(part, Kind::IndirectFile);
        } else if operand == Operand::Coordinate {
            self.report(part, Kind::IndirectOperand);
        } else {
            match source.index_register_file() {
                Some(index @ (File::Attribute | File::Constant | File::Temporary | File::Instance)) => {
                    self.in_range(index, u32::from(source.number), 1, part);
                }
                _ => self.report(part, Kind::IndexFile),
            }
        }
    }

    /// Reports temporaries that are read though some path here has not written them. Only the components that the
    /// mask needs count, and each is missed once.
    fn assigned_before(&mut self, token: &Token, slot: usize, part: Part) {
        let mut missing = Vec::new();
        reads(token, slot, whole(token), |(file, number), read| {
            if file == File::Temporary {
                let have = self.assigned.of((file, number));
                let lacks = Mask(read.0 & !have.0);
                if !lacks.is_empty() {
                    missing.push((number, have, lacks));
                }
            }
        });
        for (number, have, lacks) in missing {
            self.assigned.add((File::Temporary, number), lacks);
            let register = self.name(File::Temporary, number);
            let kind = match have.is_empty() {
                true => Kind::UnwrittenRegister { register },
                false => Kind::UnwrittenComponents { register, components: lacks.to_string() },
            };
            self.report(part, kind);
        }
    }

    fn sampler(&mut self, word: u64, sampler: Sampler) {
        let part = Part::Source(1);
        let Sampler { dimension, filter, mip, wrap, format, special, .. } = sampler;
        if sampler.file != File::Sampler as u8 {
            self.report(part, Kind::NotASampler);
            return;
        }
        if word & Sampler::RESERVED != 0 {
            self.report(part, Kind::ReservedBits { bits: word & Sampler::RESERVED });
        }
        self.in_range(File::Sampler, u32::from(sampler.number), 1, part);
        for (bad, kind) in [
            (dimension > 2, Kind::Dimension { found: dimension }),
            (filter > 5, Kind::Filter { found: filter }),
            (mip > 2, Kind::MipMode { found: mip }),
            (wrap > 3, Kind::WrapMode { found: wrap }),
            (format > 3, Kind::Format { found: format }),
            (special & 8 != 0, Kind::SpecialFlag { found: special & 8 }),
        ] {
            if bad {
                self.report(part, kind);
            }
        }
    }

    fn sampler_agrees(&mut self, token: &Token) {
        let word = token.sources[1];
        let number = token.sampler().number;
        let &mut (first, at) = self.samplers.entry(number).or_insert((word, self.index));
        if first != word {
            let register = self.name(File::Sampler, u32::from(number));
            let first_token = at as u32 + 1;
            let kind = match Sampler::decode(first).dimension == token.sampler().dimension {
                true => Kind::SamplerDiffers { register, first: first_token },
                false => Kind::DimensionDiffers { register, first: first_token },
            };
            self.report(Part::Source(1), kind);
        }
    }

    fn destination(&mut self, token: &Token, row: &'static Row) {
        let part = Part::Destination;
        if !row.destination {
            if token.destination != 0 {
                self.report(part, Kind::UnusedDestination { mnemonic: row.mnemonic });
            }
            return;
        }
        let dst = token.dst();
        let reserved = token.destination & Destination::RESERVED;
        if reserved != 0 {
            self.report(part, Kind::ReservedBits { bits: u64::from(reserved) });
        }
        let Some(file) = dst.register_file() else {
            self.report(part, Kind::RegisterType { found: dst.file });
            return;
        };
        let number = u32::from(dst.number);
        if !self.in_range(file, number, 1, part) {
            return;
        }
        let writable = match file {
            File::Temporary | File::Output => true,
            File::Varying => self.program.stage == Stage::Vertex,
            File::Depth => self.program.stage == Stage::Fragment,
            _ => false,
        };
        let register = self.name(file, number);
        if !writable {
            self.report(part, Kind::NotWritable { register, file });
            return;
        }
        if dst.mask.is_empty() {
            self.report(part, Kind::EmptyMask);
        } else if file == File::Depth && dst.mask != Mask(1) {
            self.report(part, Kind::DepthMask);
        } else if file == File::Output && self.program.stage == Stage::Fragment && dst.mask != Mask::ALL {
            self.report(part, Kind::PartialColour { register: register.clone() });
        }
        if file != File::Temporary && !self.open.is_empty() {
            self.report(part, Kind::OutputInConditional { register });
        }
        if written(token) != dst.mask {
            self.report(part, Kind::WritesW { mnemonic: row.mnemonic });
        }
    }

    fn end(&mut self) {
        let Program { stage, version, ref tokens, .. } = *self.program;
        let end = Place::end(tokens.len());
        if tokens.len() > token_limit(version) {
            let kind = Kind::TooManyTokens { tokens: tokens.len(), limit: token_limit(version) };
            self.findings.push(Finding::new(kind, Place::token(token_limit(version), Part::Operation)));
        }
        for open in std::mem::take(&mut self.open) {
            let kind = Kind::UnclosedIf { mnemonic: open.mnemonic, token: open.token as u32 + 1 };
            self.findings.push(Finding::new(kind, Place::token(open.token, Part::Operation)));
        }
        for (file, number) in outputs(stage) {
            let have = self.assigned.of((file, number));
            let whole = if file == File::Depth { Mask(1) } else { Mask::ALL };
            let register = self.name(file, number);
            let missing = Mask(whole.0 & !have.0).to_string();
            let required = file == File::Output && number == 0;
            let written_at_all = tokens.iter().any(|token| {
                let dst = token.dst();
                let writes = token.op().is_some_and(|op| op.row().destination);
                writes && dst.register_file() == Some(file) && u32::from(dst.number) == number
            });
            if missing.is_empty() || !(required || written_at_all) {
                continue;
            }
            let kind = match (file, stage) {
                (File::Varying, _) => Kind::IncompleteVarying { register, missing },
                (_, Stage::Vertex) => Kind::IncompletePosition { missing },
                (_, Stage::Fragment) => Kind::IncompleteColour { register, missing },
            };
            self.findings.push(Finding::new(kind, end));
        }
    }
}

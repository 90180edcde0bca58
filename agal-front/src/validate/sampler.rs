//! The checks of a texture opcode's sampler.

use super::Checker;
use crate::finding::{Kind, Part, token_number};
use crate::opcode::{Opcode, Operand, Row};
use crate::program::Program;
use crate::register::{File, Stage};
use crate::token::{Sampler, Token};

/// Whether something is wrong with a sampler, and what it is, in a version.
type Check = (bool, fn(Sampler, u32) -> Kind);

impl Checker<'_> {
    /// Checks range and stage of a sampler register, in any operand.
    pub(super) fn sampler_register(&mut self, number: u32, row: &'static Row, part: Part) {
        let Program { stage, version, .. } = *self.program;
        let limit = self.count(File::Sampler);
        self.in_range(File::Sampler, number, 1, limit, part);
        // An opcode that the stage or the version does not have has been reported as such.
        let is_available = row.stage.is_none_or(|only| only == stage) && row.since <= version;
        if is_available && stage == Stage::Vertex && File::Sampler.count(stage, version) == 0 {
            let register = self.name(File::Sampler, number);
            self.report(part, Kind::SamplerStage { register });
        }
    }

    /// Checks the sampler word; the order is the player's.
    pub(super) fn sampler(&mut self, token: &Token, row: &'static Row) {
        let part = Part::Source(1);
        let sampler = token.sampler();
        let Sampler { dimension, filter, mip, wrap, format, special, .. } = sampler;
        let version = self.program.version;
        self.sampler_register(u32::from(sampler.number), row, part);
        let cube = dimension == 1;
        // The tools of version 1 have two dimensions, two filters and two wrap modes.
        let most = |all: u8| if version <= 1 { 1 } else { all };
        let ted = token.op() == Some(Opcode::Ted);
        let vertex = self.program.stage == Stage::Vertex;
        let reserved = token.sources[1] & Sampler::RESERVED;
        let checks: [Check; 13] = [
            (dimension > most(2), |of, version| Kind::Dimension { found: of.dimension, version }),
            (cube && wrap != 0, |_, _| Kind::CubeWrap),
            (filter > most(5), |of, version| Kind::Filter { found: of.filter, version }),
            (mip > 2, |of, _| Kind::MipMode { found: of.mip }),
            (wrap > most(3), |of, version| Kind::WrapMode { found: of.wrap, version }),
            (special & 8 != 0, |of, _| Kind::SpecialFlag { found: of.special & 8 }),
            (cube && mip == 0, |_, _| Kind::CubeMip),
            (vertex && matches!(filter, 2..=5), |_, _| Kind::VertexAnisotropic),
            (ted && sampler.bias != 0, |_, _| Kind::FetchBias),
            (ted && mip == 0, |_, _| Kind::FetchMip),
            (format > 3, |of, _| Kind::Format { found: of.format }),
            (special & 7 != 0, |of, _| Kind::UnpublishedSampler { bits: "51:48 (flags)", found: of.special & 7 }),
            (matches!(format, 1..=3), |of, _| Kind::UnpublishedSampler { bits: "43:40 (format)", found: of.format }),
        ];
        for (_, kind) in checks.into_iter().filter(|(found, _)| *found) {
            self.report(part, kind(sampler, version));
        }
        if reserved != 0 {
            self.report(part, Kind::ReservedBits { bits: reserved });
        }
    }

    /// Checks that this is the first use of the sampler, or has the same word as the first.
    pub(super) fn check_sampler_word(&mut self, token: &Token, row: &'static Row) {
        if row.sources[1] != Operand::Sampler || token.src(1).register_file() != Some(File::Sampler) {
            return;
        }
        let word = token.sources[1];
        let number = token.sampler().number;
        let &mut (first, at) = self.samplers.entry(number).or_insert((word, self.index));
        if first != word {
            let register = self.name(File::Sampler, u32::from(number));
            let first_token = token_number(at);
            let kind = match Sampler::decode(first).dimension == token.sampler().dimension {
                true => Kind::SamplerDiffers { register, first: first_token },
                false => Kind::DimensionDiffers { register, first: first_token },
            };
            self.report(Part::Source(1), kind);
        }
    }
}

//! The checks of a texture opcode's sampler.

use super::Checker;
use crate::finding::{Kind, Part, token_number};
use crate::opcode::{Opcode, Operand, Row};
use crate::program::Program;
use crate::register::{File, Stage};
use crate::rules::Compat;
use crate::token::{Sampler, Token};

impl Checker<'_> {
    /// Reports a sampler register that the program's stage or version does not have.
    pub(super) fn sampler_register(&mut self, number: u32, row: &'static Row, part: Part) {
        let Program { stage, version, .. } = *self.program;
        self.in_range(File::Sampler, number, 1, self.count(File::Sampler), part);
        // An opcode that the stage or the version lacks has already been reported.
        let is_available = row.stage.is_none_or(|only| only == stage) && row.since <= version;
        if is_available && stage == Stage::Vertex && File::Sampler.count(stage, version) == 0 {
            let register = self.name(File::Sampler, number);
            self.report(part, Kind::SamplerStage { register });
        }
    }

    pub(super) fn sampler(&mut self, token: &Token, row: &'static Row) {
        let part = Part::Source(1);
        let sampler = token.sampler();
        let Sampler { dimension, filter, mip, wrap, format, special, .. } = sampler;
        let version = self.program.version;
        self.sampler_register(u32::from(sampler.number), row, part);
        let cube = dimension == 1;
        // Adobe's tools for version 1 have only two dimensions, two filters and two wrap modes.
        let most = |all: u8| if version <= 1 { 1 } else { all };
        let ted = token.op() == Some(Opcode::Ted);
        let vertex = self.program.stage == Stage::Vertex;
        let reserved = token.sources[1] & Sampler::RESERVED;
        // Later players accept values that the published format does not define.
        let first_player = self.rules.compat == Compat::Player;
        let mut check = |found: bool, kind: &dyn Fn() -> Kind| {
            if found {
                self.report(part, kind());
            }
        };
        check(dimension > most(2), &|| Kind::Dimension { found: dimension, version });
        check(cube && wrap != 0, &|| Kind::CubeWrap);
        check(filter > most(5), &|| Kind::Filter { found: filter, version });
        check(mip > 2, &|| Kind::MipMode { found: mip });
        check(wrap > most(3), &|| Kind::WrapMode { found: wrap, version });
        check(special & 8 != 0, &|| Kind::SpecialFlag { found: special & 8 });
        check(cube && mip == 0, &|| Kind::CubeMip);
        check(vertex && matches!(filter, 2..=5), &|| Kind::VertexAnisotropic);
        check(ted && sampler.bias != 0, &|| Kind::FetchBias);
        check(ted && mip == 0, &|| Kind::FetchMip);
        check(format > 3, &|| Kind::Format { found: format });
        let unpublished = |bits, found| Kind::UnpublishedSampler { bits, found };
        check(first_player && special & 7 != 0, &|| unpublished("51:48 (flags)", special & 7));
        check(first_player && matches!(format, 1..=3), &|| unpublished("43:40 (format)", format));
        check(reserved != 0, &|| Kind::ReservedBits { bits: reserved });
    }

    /// Reports a sampler word that differs from the word at the sampler's first use.
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

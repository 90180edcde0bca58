//! Lifts `tex`, `ted` and `tld`, including texture lookups inside conditionals.
//!
//! The mip level of a lookup depends on the difference between the coordinates of neighbouring fragments, so all neighbouring
//! fragments must compute the coordinate and its derivatives. In non-uniform control flow, the derivatives of a coordinate that
//! exists before the conditional are computed before the conditional and passed to the lookup. A lookup in a texture without mip
//! levels needs no derivatives.

use sdlbc::builder::Lane;
use sdlbc::{Dimension, Id, InputKind, Op, Texel, Type};

use super::Lifter;
use super::lanes::{Picks, Read};
use crate::disassemble::register;
use crate::finding::{self, Finding, Kind, Part};
use crate::flow;
use crate::opcode::Meaning;
use crate::register::{File, Stage};
use crate::token::{Mask, Sampler, Token};

impl Lifter<'_> {
    pub(super) fn texture(&mut self, token: &Token, live: Mask) -> Read {
        let sampler = token.sampler();
        // All lookups through a sampler use the state specified at the sampler's first use.
        let state = self.samplers.get(&sampler.number).copied().unwrap_or(sampler);
        let texture = self.texture_input(state);
        let lanes = self.read(token.src(0), 0, flow::low(sampler.coordinate_components())).lanes();
        let coordinate = self.vector(token.src(0), 0, &lanes);
        let bias = f32::from(sampler.bias) / 8.0;
        let texel = if token.row().is_some_and(|row| row.meaning == Meaning::TextureLevel) {
            let level = self.level(token, bias);
            self.builder.sample_lod(texture, coordinate, None, level)
        } else if self.program.stage == Stage::Vertex {
            let level = self.builder.float(bias);
            self.builder.sample_lod(texture, coordinate, None, level)
        } else if self.neighbours_run() {
            if sampler.bias == 0 {
                self.builder.sample(texture, coordinate, None)
            } else {
                let bias = self.builder.float(bias);
                self.builder.sample_bias(texture, coordinate, None, bias)
            }
        } else if !flow::has_levels(state) {
            let level = self.builder.float(0.0);
            self.builder.sample_lod(texture, coordinate, None, level)
        } else if lanes.iter().all(|lane| self.builder.is_outermost(lane.value)) {
            let [dx, dy] = self.gradients(&lanes, bias);
            if let Some(file) = token.src(0).register_file() {
                let name = register(file, token.src(0).number, self.program.stage);
                for (gradient, suffix) in [(dx, "dx"), (dy, "dy")] {
                    let name = self.builder.text(format!("{name}_{suffix}"));
                    self.builder.name_unnamed(gradient, name);
                }
            }
            self.builder.sample_grad(texture, coordinate, None, dx, dy)
        } else {
            let place = finding::at_token(self.index, Part::Source(0));
            self.findings.push(Finding::new(Kind::UnknownLevel, place));
            let level = self.builder.float(bias);
            self.builder.sample_lod(texture, coordinate, None, level)
        };
        let is_single = sampler.special & Sampler::SINGLE != 0;
        Read::One(texel, if is_single { Picks::first(live) } else { Picks::components(live) })
    }

    fn level(&mut self, token: &Token, bias: f32) -> Id {
        let bias = self.builder.float(bias);
        let Some(slot) = flow::level_slot(token) else { return bias };
        let level = self.operand(token.src(0), 0, Mask(1 << slot));
        if token.sampler().bias == 0 { level } else { self.builder.add(level, bias) }
    }

    /// Reports whether control flow is uniform, so that all neighbouring fragments run the current token.
    fn neighbours_run(&self) -> bool {
        self.registers.conditions().all(|condition| self.builder.facts(condition).uniform)
    }

    /// Computes the derivatives of a coordinate before all conditionals, and multiplies the derivatives by 2^`bias`.
    fn gradients(&mut self, coordinate: &[Lane], bias: f32) -> [Id; 2] {
        self.builder.outermost(|builder| {
            let coordinate = builder.gather(coordinate);
            [Op::Ddx, Op::Ddy].map(|derivative| {
                let gradient = builder.emit(derivative, &[coordinate], &[]);
                if bias == 0.0 {
                    return gradient;
                }
                let scale = builder.float(bias.exp2());
                builder.multiply(gradient, scale)
            })
        })
    }

    fn texture_input(&mut self, sampler: Sampler) -> Id {
        let slot = u32::from(sampler.number);
        if let Some(&(_, texture)) = self.textures.iter().find(|(number, _)| *number == slot) {
            return texture;
        }
        let dimension = match sampler.dimension {
            1 => Dimension::Cube,
            2 => Dimension::D3,
            _ => Dimension::D2,
        };
        let sampler = sdlbc::Sampler {
            filter: sampler.filter,
            mip: sampler.mip,
            wrap_u: u8::from(matches!(sampler.wrap, 1 | 3)),
            wrap_v: u8::from(matches!(sampler.wrap, 1 | 2)),
            format: sampler.format,
            special: sampler.special,
            bias: sampler.bias,
        };
        let name = register(File::Sampler, slot, self.program.stage);
        let texture =
            self.builder.input(name, Type::Texture(dimension, Texel::Float), InputKind::Texture { slot, sampler });
        self.textures.push((slot, texture));
        texture
    }
}

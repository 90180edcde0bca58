//! Uses the machine of the unified-shader instruction set as the shader of a picture: a program runs instead of the function to
//! which it was translated.
//!
//! Rule: as in `agal.rs`, the translated function itself never runs. Textures are filtered as in the AGAL machine.

use std::collections::BTreeMap;

use agal_front::token::Sampler;
use agal_machine::{Environment, LevelOfDetail, Lookup, Texture};
use es2_front::{Dimension, Program, Stage};
use es2_machine::{Float, Inputs, Outputs, Quad, run};
use sdlbc::FunctionKind;
use sdlbc_interp::{Column, Draw, Fragments, LANES, Shaded, Shader, Transformed, Varying, Vertices};

use crate::machines::{self, put, quad, quads};

/// The register indices of the inputs and outputs to which docs/isa.md gives names, not numbers.
const FRONT_FACING: usize = 13;
const POINT_COORDINATE: usize = 14;
const FRAGMENT_COORDINATE: usize = 15;
const POINT_SIZE: u8 = 14;
const POSITION: u8 = 15;
const COLOUR: u8 = 15;

/// A pair in which one stage is a program of the unified-shader instruction set.
pub struct Es2Shader<'a> {
    /// The shader that runs the other stage.
    functions: &'a dyn Shader,
    program: &'a Program,
    uniforms: Vec<[f32; 4]>,
    textures: BTreeMap<u32, Texture>,
    /// The location of the varying to which the program's position is copied, or `None` if the program's position is used for
    /// drawing.
    position: Option<u32>,
    targets: usize,
    float: Float,
}

impl<'a> Es2Shader<'a> {
    /// Replaces one function of a draw with a program of the unified-shader instruction set.
    pub fn new(
        functions: &'a dyn Shader,
        draw: &Draw,
        program: &'a Program,
        position: Option<u32>,
        float: Float,
    ) -> Es2Shader<'a> {
        let kind = FunctionKind::from(program.stage);
        let uniforms = machines::uniforms(draw, kind, "u");
        Es2Shader {
            functions,
            program,
            uniforms,
            textures: machines::textures(draw, kind),
            position,
            targets: draw.targets,
            float,
        }
    }

    /// Samples a texture for a quad with the default sampler state of modules: linear filtering and repeat wrapping.
    fn texels(&self, sampler: u8, coordinates: Quad) -> Quad {
        let dimension = self.program.dimension(sampler);
        let coordinates = coordinates.map(|[x, y, z, _]| [x, y, if dimension == Dimension::D2 { 0.0 } else { z }]);
        let sampler = Sampler {
            number: sampler.into(),
            bias: 0,
            file: 5,
            format: 0,
            dimension: match dimension {
                Dimension::D2 => 0,
                Dimension::Cube => 1,
                Dimension::D3 => 2,
            },
            special: Sampler::IGNORE,
            wrap: 1,
            mip: 0,
            filter: 1,
        };
        let level = match self.program.stage {
            Stage::Vertex => LevelOfDetail::Explicit([0.0; 4]),
            Stage::Fragment => LevelOfDetail::Implicit(coordinates),
        };
        self.textures.texels(&Lookup { sampler, coordinates, level, bias: 0.0 })
    }

    fn run(&self, inputs: [Quad; 16]) -> Outputs {
        let texels = |sampler, coordinates| self.texels(sampler, coordinates);
        run(self.program, &Inputs { inputs, uniforms: &self.uniforms, texels: &texels, float: self.float })
    }

    /// Returns the program output that the varying at `location` shows. The position and the point size are shown at locations
    /// that the program's own varyings do not use.
    fn varying(&self, outputs: &Outputs, location: u32) -> Quad {
        let index = match u8::try_from(location) {
            _ if self.position == Some(location) => POSITION,
            Ok(index) if index < POINT_SIZE && outputs.get(index).is_some() => index,
            _ => POINT_SIZE,
        };
        let values = outputs.get(index).copied().unwrap_or_default();
        if index == POSITION { values.map(|position| self.in_module(position)) } else { values }
    }
}

impl Es2Shader<'_> {
    /// Converts a position from OpenGL's clip space, in which z is from -w to w, to the module's clip space, in which z is from 0
    /// to w.
    fn in_module(&self, [x, y, z, w]: [f32; 4]) -> [f32; 4] {
        let sum = self.float.nearest(f64::from(z) + f64::from(w));
        [x, y, self.float.nearest(f64::from(sum) * 0.5), w]
    }
}

impl Shader for Es2Shader<'_> {
    fn varyings(&self) -> &[Varying] {
        self.functions.varyings()
    }

    fn clip_distances(&self) -> usize {
        self.functions.clip_distances()
    }

    fn vertex(&self, vertices: &Vertices<'_>) -> Transformed {
        let mut transformed = self.functions.vertex(vertices);
        if self.program.stage != Stage::Vertex {
            return transformed;
        }
        let attributes: [Option<[Column; 4]>; 16] =
            std::array::from_fn(|location| (vertices.attributes)(location as u32));
        for first in quads(vertices.live) {
            let inputs =
                std::array::from_fn(|at| attributes[at].as_ref().map_or(Quad::default(), |it| quad(it, first)));
            let outputs = self.run(inputs);
            if self.position.is_none() {
                let position = outputs.get(POSITION).copied().unwrap_or_default();
                put(&mut transformed.position, first, position.map(|position| self.in_module(position)));
            }
            for (varying, columns) in self.functions.varyings().iter().zip(&mut transformed.varyings) {
                put(columns, first, self.varying(&outputs, varying.location));
            }
        }
        transformed
    }

    fn fragment(&self, fragments: &Fragments<'_>, shaded: &mut Shaded) {
        if self.program.stage != Stage::Fragment {
            return self.functions.fragment(fragments, shaded);
        }
        *shaded = Shaded { live: fragments.live, colours: vec![None; self.targets], depth: None };
        for first in quads(fragments.live) {
            let mut inputs = [Quad::default(); 16];
            for (varying, columns) in self.functions.varyings().iter().zip(fragments.varyings) {
                if (varying.location as usize) < FRONT_FACING {
                    inputs[varying.location as usize] = quad(columns, first);
                }
            }
            inputs[FRONT_FACING] = [[f32::from(u8::from(fragments.front)), 0.0, 0.0, 1.0]; 4];
            inputs[POINT_COORDINATE] = [[0.5, 0.5, 0.0, 1.0]; 4];
            inputs[FRAGMENT_COORDINATE] = quad(fragments.coordinate, first);
            let outputs = self.run(inputs);
            for (target, columns) in (0..).zip(&mut shaded.colours) {
                let colour = if target == 0 { outputs.get(COLOUR) } else { None };
                if let Some(values) = colour.or_else(|| outputs.get(target)) {
                    put(columns.get_or_insert([[0; LANES]; 4]), first, *values);
                }
            }
        }
    }
}

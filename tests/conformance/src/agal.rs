//! Uses the AGAL machine as the shader of a picture: an AGAL program runs instead of the function to which it was translated.
//!
//! Rule: the translated function itself never runs. Only the generated function of the other stage runs, to supply the program's
//! inputs or to show its outputs.

use std::collections::BTreeMap;

use agal_front::register::File;
use agal_front::{Program, Stage};
use agal_machine::{Error, Inputs, Machine, Options, Quad, Texture};
use sdlbc::FunctionKind;
use sdlbc_interp::{Column, Draw, Fragments, LANES, Shaded, Shader, Transformed, Varying, Vertices};

use crate::machines::{self, put, quad, quads};

/// A pair in which one or both stages are AGAL programs.
pub struct AgalShader<'a> {
    /// The shader that runs the stages without an AGAL program.
    functions: &'a dyn Shader,
    vertex: Option<Stages>,
    fragment: Option<Stages>,
    /// The location of the varying to which the vertex program's position is copied, or `None` if the program's position is used
    /// for drawing.
    position: Option<u32>,
    targets: usize,
}

/// A machine for one AGAL program, with the program's constants and textures.
struct Stages {
    machine: Machine,
    constants: Vec<[f32; 4]>,
    textures: BTreeMap<u32, Texture>,
}

impl Stages {
    fn new(program: &Program, options: Options, draw: &Draw) -> Result<Stages, Error> {
        let (kind, name) = match program.stage {
            Stage::Vertex => (FunctionKind::Vertex, "vc"),
            Stage::Fragment => (FunctionKind::Fragment, "fc"),
        };
        Ok(Stages {
            machine: Machine::new(program, options)?,
            constants: machines::uniforms(draw, kind, name),
            textures: machines::textures(draw, kind),
        })
    }
}

impl<'a> AgalShader<'a> {
    /// Replaces functions of a draw with AGAL programs.
    ///
    /// # Errors
    /// Returns an error if the AGAL machine cannot run one of the programs.
    pub fn new(
        functions: &'a dyn Shader,
        draw: &Draw,
        programs: &[&Program],
        options: Options,
        position: Option<u32>,
    ) -> Result<AgalShader<'a>, Error> {
        let of = |stage| programs.iter().find(|program| program.stage == stage);
        let stages = |stage| of(stage).map(|program| Stages::new(program, options, draw)).transpose();
        let (vertex, fragment) = (stages(Stage::Vertex)?, stages(Stage::Fragment)?);
        Ok(AgalShader { functions, vertex, fragment, position, targets: draw.targets })
    }
}

impl Shader for AgalShader<'_> {
    fn varyings(&self) -> &[Varying] {
        self.functions.varyings()
    }

    fn clip_distances(&self) -> usize {
        self.functions.clip_distances()
    }

    fn vertex(&self, vertices: &Vertices<'_>) -> Transformed {
        let mut transformed = self.functions.vertex(vertices);
        let Some(Stages { machine, constants, textures }) = &self.vertex else { return transformed };
        let attributes: Vec<Option<[Column; 4]>> = (0..16).map(|location| (vertices.attributes)(location)).collect();
        for first in quads(vertices.live) {
            let registers: Vec<Quad> = attributes
                .iter()
                .map(|columns| columns.as_ref().map_or(Quad::default(), |it| quad(it, first)))
                .collect();
            let instance = std::array::from_fn(|lane| vertices.instance[first + lane]);
            let outputs = machine.run(&Inputs { registers: &registers, constants, instance, environment: textures });
            let position = outputs.get(File::Output, 0).map_or(Quad::default(), |output| output.values);
            if self.position.is_none() {
                put(&mut transformed.position, first, position);
            }
            for (varying, columns) in self.functions.varyings().iter().zip(&mut transformed.varyings) {
                let values = match self.position {
                    Some(location) if location == varying.location => position,
                    _ => outputs.get(File::Varying, varying.location).map_or(Quad::default(), |output| output.values),
                };
                put(columns, first, values);
            }
        }
        transformed
    }

    fn fragment(&self, fragments: &Fragments<'_>, shaded: &mut Shaded) {
        let Some(Stages { machine, constants, textures }) = &self.fragment else {
            return self.functions.fragment(fragments, shaded);
        };
        *shaded = Shaded { live: fragments.live, colours: vec![None; self.targets], depth: None };
        let mut depth = [0; LANES];
        let mut gives_depth = false;
        for first in quads(fragments.live) {
            let mut registers = vec![Quad::default(); 10];
            for (varying, columns) in self.functions.varyings().iter().zip(fragments.varyings) {
                if let Some(register) = registers.get_mut(varying.location as usize) {
                    *register = quad(columns, first);
                }
            }
            let outputs =
                machine.run(&Inputs { registers: &registers, constants, instance: [0; 4], environment: textures });
            for (target, columns) in (0..).zip(&mut shaded.colours) {
                if let Some(output) = outputs.get(File::Output, target) {
                    put(columns.get_or_insert([[0; LANES]; 4]), first, output.values);
                }
            }
            if let Some(output) = outputs.get(File::Depth, 0) {
                gives_depth = true;
                output.values.iter().zip(&mut depth[first..]).for_each(|(value, depth)| *depth = value[0].to_bits());
            }
            for (lane, _) in outputs.killed.iter().enumerate().filter(|(_, killed)| **killed) {
                shaded.live &= !(1 << (first + lane));
            }
        }
        shaded.depth = gives_depth.then_some(depth);
    }
}

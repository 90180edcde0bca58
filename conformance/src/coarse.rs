//! Interp's picture as of a device that is coarser than interp in what the rules leave to it: corners of triangles snapped to fewer
//! bits, and derivatives of a quad's first row and column in all of its fragments.
//!
//! Both are SwiftShader's ways. Rule: nothing else is another, so that what still differs is a difference of what is computed.

use interp::{
    Column, Draw, Fragments, Image, LANES, Mask, Observer, Pair, Program, Shaded, Shader, Site, Transformed, Varying,
    Vertices,
};
use sdlbc::{Builtin, FunctionKind, InputKind, Inst, Op, OutputKind};

use crate::runs;

/// The picture.
///
/// # Errors
/// The functions cannot be run, or do not come to an end.
pub fn draw(draw: &Draw, bits: u32) -> Result<Image, String> {
    let pair = runs::pair(draw)?;
    let image = match draw.module.functions.iter().any(|function| has_derivatives(&function.body)) {
        true => interp::draw_snapped(draw, &Coarse::new(draw, &pair)?, bits),
        false => interp::draw_snapped(draw, &pair, bits),
    };
    if pair.is_stuck() { Err("it does not come to an end".to_string()) } else { Ok(image) }
}

fn has_derivatives(block: &[Inst]) -> bool {
    let has =
        |inst: &Inst| matches!(inst.op, Op::Ddx | Op::Ddy) || inst.blocks.iter().any(|block| has_derivatives(block));
    block.iter().any(has)
}

/// A pair whose fragment function has one derivative a quad.
struct Coarse<'a> {
    draw: &'a Draw,
    pair: &'a Pair,
    fragment: Program,
    outputs: Vec<OutputKind>,
}

impl<'a> Coarse<'a> {
    fn new(draw: &'a Draw, pair: &'a Pair) -> Result<Coarse<'a>, String> {
        let functions = &draw.module.functions;
        let at = functions.iter().position(|function| function.kind == FunctionKind::Fragment);
        let at = at.ok_or("no fragment function")?;
        let fragment = Program::new(&draw.module, at).map_err(|error| error.to_string())?;
        let outputs = functions[at].outputs.iter().map(|output| output.kind).collect();
        Ok(Coarse { draw, pair, fragment, outputs })
    }
}

impl Shader for Coarse<'_> {
    fn varyings(&self) -> &[Varying] {
        self.pair.varyings()
    }

    fn vertex(&self, vertices: &Vertices<'_>) -> Transformed {
        self.pair.vertex(vertices)
    }

    fn fragment(&self, fragments: &Fragments<'_>) -> Shaded {
        let inputs = |kind: InputKind| match kind {
            InputKind::Varying { location, .. } => {
                let at = self.varyings().iter().position(|varying| varying.location == location)?;
                fragments.varyings.get(at).copied()
            }
            InputKind::Builtin(Builtin::FragmentCoordinate) => Some(fragments.coordinate),
            InputKind::Builtin(Builtin::FrontFacing) => Some([[fragments.front.into(); LANES]; 4]),
            InputKind::Builtin(Builtin::PointCoordinate) => Some([[0.5f32.to_bits(); LANES]; 4]),
            _ => None,
        };
        let ran = self.fragment.run(&self.draw.resources, fragments.live, &inputs, Some(&mut OfQuads));
        let Ok(ran) = ran else { return Shaded { live: 0, colours: Vec::new(), depth: None } };
        let output = |wanted: OutputKind| -> Option<[Column; 4]> {
            let columns = ran.outputs.get(self.outputs.iter().position(|&kind| kind == wanted)?)?;
            Some(std::array::from_fn(|at| columns.get(at).copied().unwrap_or([0; LANES])))
        };
        Shaded {
            live: ran.live,
            colours: (0..self.draw.targets as u32).map(|target| output(OutputKind::Colour { target })).collect(),
            depth: output(OutputKind::Depth).map(|[depth, ..]| depth),
        }
    }
}

/// Gives all fragments of a quad the first one's derivatives.
struct OfQuads;

impl Observer for OfQuads {
    fn result(&mut self, site: &Site, _: Mask, _: &[Vec<Column>], result: &mut [Column]) {
        if matches!(site.op, Op::Ddx | Op::Ddy) {
            result.iter_mut().flat_map(|column| column.as_chunks_mut::<4>().0).for_each(|quad| *quad = [quad[0]; 4]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quad_has_the_derivative_of_its_first_row() {
        let site = |op| Site { function: 0, instruction: 0, op, ty: sdlbc::Type::FLOAT, texture: None };
        let column: Column = std::array::from_fn(|lane| lane as u32);
        let mut result = [column];
        OfQuads.result(&site(Op::Add), Mask::MAX, &[], &mut result);
        assert_eq!(result, [column]);
        OfQuads.result(&site(Op::Ddx), Mask::MAX, &[], &mut result);
        assert_eq!(result[0][..9], [0, 0, 0, 0, 4, 4, 4, 4, 8]);
    }
}

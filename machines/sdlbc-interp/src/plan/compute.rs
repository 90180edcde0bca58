//! Plans computations on components, texels, and elements of arrays and matrices.

use sdlbc::compute::{self, Kernel};
use sdlbc::module::texel_offset;
use sdlbc::{Dimension, Inst, Op, Sampler, Scalar, Texel, Type, TypeRule};

use super::{Held, Planner};
use crate::error::Error;
use crate::step::{
    Atomic, Block, Corner, CornersOf, Element, Elements, LevelSource, Move, Offset, Place, Register, Registers, Seen,
    Site, Step, TexelOf,
};

impl Planner<'_> {
    /// Allocates the registers of a result. If `fixed` is true, the prologue computes the result and owns the
    /// registers.
    fn results(&mut self, count: usize, fixed: bool) -> Result<Vec<Register>, Error> {
        if !fixed {
            return Ok(self.cells.define_all(count));
        }
        let registers = self.plan.row(count)?;
        self.plan.fixed.extend(&registers);
        Ok(registers)
    }

    fn are_fixed(&self, registers: &[Register]) -> bool {
        registers.iter().all(|register| self.plan.fixed.contains(register))
    }

    /// Returns the block to which a computation is added: the prologue for a fixed computation, and `to` for any other.
    fn steps_of<'s>(&'s mut self, fixed: bool, to: &'s mut Block) -> &'s mut Block {
        if fixed { &mut self.plan.prologue } else { to }
    }

    fn site(&self, inst: &Inst, number: usize, ty: Type) -> Site {
        Site { function: self.index, instruction: number, op: inst.op, ty, texture: None, offset: [0; 3] }
    }

    pub(super) fn compute(&mut self, inst: &Inst, number: usize, to: &mut Block) -> Result<(), Error> {
        let ty = self.types.get(inst.output).ok_or(Error::Unfit)?;
        let value = match inst.op {
            Op::TextureOffset => {
                let (Some(&Held::Texture { slot, sampler, .. }), &[offset]) =
                    (self.values.get(&Self::operand(inst, 0)), &inst.immediates[..])
                else {
                    return Err(Error::Unfit);
                };
                Held::Texture { slot, sampler, offset }
            }
            Op::Peek => Held::Registers(self.peek(inst, ty, to)?),
            Op::BufferSize => Held::Registers(self.buffer_size(inst, to)?),
            Op::ImageLoad | Op::ImageSize => Held::Registers(self.image(number, inst, ty, to)?),
            op if op.shape().inputs.allows(0) => {
                let mut words = inst.immediates.to_vec();
                self.plan.float.literal(ty, &mut words);
                let registers = words.into_iter().map(|word| self.plan.literal(word));
                Held::Registers(registers.collect::<Result<_, _>>()?)
            }
            _ => Held::Registers(self.operation(inst, number, ty, to)?),
        };
        self.values.insert(inst.output, value);
        Ok(())
    }

    fn buffer_size(&mut self, inst: &Inst, to: &mut Block) -> Result<Vec<Register>, Error> {
        let Some(&Held::Memory { place: Place::Buffer(slot), width }) = self.values.get(&Self::operand(inst, 0)) else {
            return Err(Error::Unfit);
        };
        let register = self.cells.define();
        to.push(Step::Count { to: register, slot, width });
        Ok(vec![register])
    }

    fn operation(&mut self, inst: &Inst, number: usize, ty: Type, to: &mut Block) -> Result<Vec<Register>, Error> {
        let mut steps = Block::new();
        let (out, fixed) = self.steps(inst, ty, &mut steps)?;
        if !steps.is_empty() {
            if matches!(ty, Type::Vector(Scalar::Half, _)) {
                steps.extend(out.iter().map(|&register| Step::Round(Kernel::of_halves, register)));
            }
            if matches!(
                inst.op.type_rule(),
                TypeRule::Sample
                    | TypeRule::Fetch
                    | TypeRule::Gather
                    | TypeRule::SampleCompare
                    | TypeRule::GatherCompare
            ) {
                self.round(ty, &out, &mut steps);
            }
            let (mut operands, mut texture, mut moved) = (Vec::new(), None, [0; 3]);
            for &id in &inst.inputs {
                operands.push(match self.values.get(&id) {
                    Some(&Held::Texture { slot, offset, .. }) => {
                        (texture, moved) = (Some(slot), texel_offset(offset));
                        Box::default()
                    }
                    _ => self.read(id)?.into(),
                });
            }
            let site = Site { texture, offset: moved, ..self.site(inst, number, ty) };
            let seen = Seen { site, result: out.clone().into(), operands: operands.into() };
            steps.push(Step::Result(Box::new(seen)));
            self.steps_of(fixed, to).extend(steps);
        }
        Ok(out)
    }

    /// Plans the steps that compute a result. Returns the result's registers, and whether the result is fixed. A selection of
    /// components needs no steps.
    fn steps(&mut self, inst: &Inst, ty: Type, steps: &mut Block) -> Result<(Vec<Register>, bool), Error> {
        let count = compute::components(ty);
        if let Some(&Held::Texture { slot, sampler, offset }) = self.values.get(&Self::operand(inst, 0)) {
            let out = self.results(count, false)?;
            let Some(Type::Texture(dimension, texel)) = self.types.get(Self::operand(inst, 0)) else {
                return Err(Error::Unfit);
            };
            steps.push(self.texel(inst, &out, (slot, sampler, offset), (dimension, texel))?);
            return Ok((out, false));
        }
        let mut operands = Vec::new();
        for &id in &inst.inputs {
            operands.push(self.registers(id)?);
        }
        let types: Vec<Type> = inst.inputs.iter().filter_map(|&id| self.types.get(id)).collect();
        let fixed = operands.iter().all(|operand| self.are_fixed(operand));
        let pick = |(of, at): compute::Component| operands.get(of).and_then(|operand| operand.get(at)).copied();
        let kernel = match (inst.op, &types[..]) {
            (Op::Ddx | Op::Ddy, _) => self.plan.float.derivative(inst.op, &types),
            (Op::Convert, &[Type::Vector(from, _)]) => match ty {
                Type::Vector(to, _) => self.plan.float.conversion(from, to),
                _ => None,
            },
            (Op::Bitcast, &[Type::Vector(from, _)]) => self.plan.float.bitcast(from, ty),
            _ => None,
        };
        if kernel.is_none() {
            if let Some(choice) = compute::choice(inst.op, &types, &inst.immediates) {
                return Ok((choice.into_iter().map(pick).collect::<Option<_>>().ok_or(Error::Unfit)?, fixed));
            }
            if let Some(products) = compute::products(inst.op, &types) {
                let out = self.results(count, fixed)?;
                for (&to, (row, column)) in out.iter().zip(products) {
                    let both = [Type::floats(row.len() as u8); 2];
                    let Some(Kernel::Whole(dot)) = self.plan.float.kernel(self.plan.simd, Op::Dot, &both) else {
                        return Err(Error::Unfit);
                    };
                    let from = row.into_iter().chain(column).map(pick).collect::<Option<_>>().ok_or(Error::Unfit)?;
                    steps.push(Step::Whole(dot, [to].into(), from));
                }
                return Ok((out, fixed));
            }
        }
        // An operation on a matrix and a scalar is computed one float at a time.
        let flat: Vec<Type> = types.iter().map(|&ty| if ty.width().is_some() { ty } else { Type::FLOAT }).collect();
        let kernel = kernel.or_else(|| self.plan.float.kernel(self.plan.simd, inst.op, &flat)).ok_or(Error::Unfit)?;
        match kernel {
            Kernel::Fold(f) => {
                let all = operands.concat();
                let (&first, rest) = all.split_first().ok_or(Error::Unfit)?;
                let outs = self.results(rest.len(), fixed)?;
                let mut before = first;
                for (&to, &next) in outs.iter().zip(rest) {
                    steps.push(Step::Two(f, to, [before, next]));
                    self.cells.read(before);
                    before = to;
                }
                Ok((vec![before], fixed))
            }
            Kernel::Whole(f) => {
                let out = self.results(count, fixed)?;
                steps.push(Step::Whole(f, out.clone().into(), operands.concat().into()));
                Ok((out, fixed))
            }
            _ => {
                let out = self.results(count, fixed)?;
                for (at, &to) in out.iter().enumerate() {
                    // A scalar operand is used for each component.
                    let lane = |operand: &Vec<Register>| operand.get(at).or(operand.first()).copied();
                    let from: Option<Vec<Register>> = operands.iter().map(lane).collect();
                    let step = from.and_then(|from| Step::of(kernel, to, &from));
                    steps.push(step.ok_or(Error::Unfit)?);
                }
                Ok((out, fixed))
            }
        }
    }

    fn texel(
        &mut self,
        inst: &Inst,
        out: &[Register],
        (slot, sampler, offset): (u32, Sampler, Offset),
        (dimension, texel): (Dimension, Texel),
    ) -> Result<Step, Error> {
        let to: Registers = out.into();
        if inst.op == Op::TextureSize {
            let level = self.read_scalar(Self::operand(inst, 1))?;
            return Ok(Step::Size { to, slot, level });
        }
        let mut at = self.read(Self::operand(inst, 1))?;
        let has_layers = dimension.has_layers();
        if has_layers {
            let layer = self.read_scalar(Self::operand(inst, 2))?;
            // The filters expect the layer after three coordinate components.
            let count = if inst.op == Op::Fetch { at.len() } else { 3 };
            at.resize(count, layer);
            at.push(layer);
        }
        let at: Registers = at.into();
        let mut more = Vec::new();
        for &id in inst.inputs.get(if has_layers { 3 } else { 2 }..).unwrap_or_default() {
            more.push(self.read(id)?);
        }
        let what = match (inst.op, more.first().and_then(|more| more.first()).copied()) {
            (Op::Gather, None) => {
                let component = inst.immediates.first().and_then(|&word| usize::try_from(word).ok());
                Some(Corner::Component(texel, component.ok_or(Error::Unfit)?))
            }
            (Op::GatherCompare, Some(reference)) => Some(Corner::Compared(reference)),
            (Op::SampleCompare, Some(reference)) => Some(Corner::Filtered(reference, true)),
            (Op::SampleCompareZero, Some(reference)) => Some(Corner::Filtered(reference, false)),
            _ => None,
        };
        if let Some(what) = what {
            return Ok(Step::Corners(Box::new(CornersOf { to, slot, sampler, at, offset, what })));
        }
        let source = match (inst.op, &more[..]) {
            (Op::Fetch, [level]) => {
                let &[level] = &level[..] else { return Err(Error::Unfit) };
                return Ok(Step::Fetch { to, slot, texel, at, offset, level });
            }
            (Op::Sample, []) => LevelSource::Auto,
            (Op::SampleBias, [level]) => LevelSource::Bias(*level.first().ok_or(Error::Unfit)?),
            (Op::SampleLod, [level]) => LevelSource::Exact(*level.first().ok_or(Error::Unfit)?),
            (Op::SampleGrad, [x, y]) => LevelSource::Gradient(x.clone().into(), y.clone().into()),
            _ => return Err(Error::Unfit),
        };
        Ok(Step::Sample { to, slot, sampler, at, offset, source })
    }

    pub(super) fn atomic(&mut self, inst: &Inst, number: usize, to: &mut Block) -> Result<(), Error> {
        let offset = inst.immediates.first().copied().ok_or(Error::Unfit)?;
        let memory = Self::operand(inst, 0);
        let Some(&Held::Memory { place, .. }) = self.values.get(&memory) else { return Err(Error::Unfit) };
        let is_signed =
            matches!(self.types.get(memory), Some(Type::Array(Scalar::Int, ..) | Type::Buffer(Scalar::Int, _)));
        let index = self.index(Self::operand(inst, 1))?;
        let mut values = Vec::new();
        for &id in inst.inputs.get(2..).unwrap_or_default() {
            values.push(self.read_scalar(id)?);
        }
        let operands = [Box::default(), index.into_iter().collect(), values.clone().into()].into();
        let register = self.cells.define();
        let values = values.into();
        to.push(Step::Atomic(Box::new(Atomic { op: inst.op, is_signed, place, index, offset, values, to: register })));
        if let Some(ty) = self.types.get(inst.output) {
            let site = self.site(inst, number, ty);
            to.push(Step::Result(Box::new(Seen { site, result: [register].into(), operands })));
            self.values.insert(inst.output, Held::Registers(vec![register]));
        }
        Ok(())
    }

    /// Plans an instruction that reads a texel or the sizes of a storage texture.
    fn image(&mut self, number: usize, inst: &Inst, ty: Type, to: &mut Block) -> Result<Vec<Register>, Error> {
        let out = self.results(compute::components(ty), false)?;
        let registers: Registers = out.clone().into();
        if inst.op == Op::ImageSize {
            let Some(&Held::Image { slot, .. }) = self.values.get(&Self::operand(inst, 0)) else {
                return Err(Error::Unfit);
            };
            to.push(Step::Sizes { to: registers, slot });
        } else {
            let (slot, at, _) = self.image_at(inst)?;
            let operands = [Box::default(), at.clone()].into();
            to.push(Step::ReadTexel(Box::new(TexelOf { slot, at, registers })));
            self.round(ty, &out, to);
            let site = self.site(inst, number, ty);
            to.push(Step::Result(Box::new(Seen { site, result: out.clone().into(), operands })));
        }
        Ok(out)
    }

    pub(super) fn image_store(&mut self, inst: &Inst, to: &mut Block) -> Result<(), Error> {
        let (slot, at, count) = self.image_at(inst)?;
        let registers: Registers = self.read(Self::operand(inst, count))?.into();
        to.push(Step::WriteTexel(Box::new(TexelOf { slot, at, registers })));
        Ok(())
    }

    /// Returns the slot of a storage texture, the coordinates of an access, and the index of the operand that follows the
    /// coordinates.
    fn image_at(&mut self, inst: &Inst) -> Result<(u32, Registers, usize), Error> {
        let Some(&Held::Image { slot, has_layers }) = self.values.get(&Self::operand(inst, 0)) else {
            return Err(Error::Unfit);
        };
        let mut at = self.read(Self::operand(inst, 1))?;
        if has_layers {
            at.extend(self.read(Self::operand(inst, 2))?);
        }
        Ok((slot, at.into(), if has_layers { 3 } else { 2 }))
    }

    fn peek(&mut self, inst: &Inst, ty: Type, to: &mut Block) -> Result<Vec<Register>, Error> {
        let offset = inst.immediates.first().copied().ok_or(Error::Unfit)?;
        let count = compute::components(ty);
        let index = self.index(Self::operand(inst, 1))?;
        let held = self.values.get(&Self::operand(inst, 0)).cloned().ok_or(Error::Unfit)?;
        match held {
            Held::Words { first, width, length } => match index {
                None => {
                    let at = first + compute::element(0, offset, length) * width;
                    (at..at + width).map(|at| self.plan.word(at)).collect()
                }
                Some(index) => {
                    let fixed = self.are_fixed(&[index]);
                    let out = self.results(count, fixed)?;
                    let step = Step::Gather(out.clone().into(), Elements { index, offset, length }, first);
                    self.steps_of(fixed, to).push(step);
                    Ok(out)
                }
            },
            Held::Local { first, width, length } => {
                let out = self.results(count, false)?;
                match index {
                    None => {
                        let at = first + (compute::element(0, offset, length) * width) as u32;
                        let moves = out.iter().zip((at..).map(Register)).map(|(&to, from)| Move { to, from });
                        to.extend(moves.map(Step::Copy));
                    }
                    Some(index) => {
                        to.push(Step::Load(out.clone().into(), Elements { index, offset, length }, Register(first)));
                    }
                }
                Ok(out)
            }
            Held::Registers(all) => {
                let length = all.len() / count.max(1);
                match index {
                    None => {
                        let at = compute::element(0, offset, length) * count;
                        let column = all.get(at..at + count).ok_or(Error::Unfit)?.to_vec();
                        column.iter().for_each(|&register| self.cells.read(register));
                        Ok(column)
                    }
                    Some(index) => {
                        all.iter().for_each(|&register| self.cells.read(register));
                        let fixed = self.are_fixed(&[index]) && self.are_fixed(&all);
                        let out = self.results(count, fixed)?;
                        let step = Step::Column(out.clone().into(), Elements { index, offset, length }, all.into());
                        self.steps_of(fixed, to).push(step);
                        Ok(out)
                    }
                }
            }
            Held::Memory { place, .. } => {
                let out = self.results(count, false)?;
                let registers = out.clone().into();
                to.push(Step::Read(Box::new(Element { place, index, offset, registers })));
                self.round(ty, &out, to);
                Ok(out)
            }
            Held::Texture { .. } | Held::Image { .. } => Err(Error::Unfit),
        }
    }
}

//! Lowers accesses to memory: arrays, outputs and textures.

use naga::{BinaryOperator, Block, Expression, Handle, LocalVariable, MathFunction, SampleLevel, Span, Statement};
use sdlbc::{Id, Inst, Scalar, Type};

use super::function::{Lower, Value, pokes_output};
use super::rules::Level;
use super::{LoweredInput, vector_size};
use crate::Error;

impl Lower<'_, '_> {
    pub(super) fn peek(&mut self, inst: &Inst, block: &mut Block) -> Result<Value, Error> {
        let [of, index] = inst.inputs[..] else { return Err(Error::Internal("a PEEK without an array".into())) };
        let offset = inst.immediates.first().copied().unwrap_or(0).cast_signed();
        if let Some(&LoweredInput::Local(array)) = self.lowered_inputs.get(of) {
            let pointer = self.element(array, self.ty(of), index, offset, block)?;
            return Ok(self.compute(Expression::Load { pointer }));
        }
        if let Some(registers) = self.registers().filter(|registers| registers.parts(of).is_some()) {
            let last = self.ty(of).length_word().saturating_sub(1);
            let member = registers.member(of, u32::try_from(offset).unwrap_or(0).min(last));
            let member = member.ok_or_else(|| Error::Internal(format!("{of} has no member for a register")))?;
            let pointer = self.register(of, member, block)?;
            return Ok(self.compute(Expression::Load { pointer }));
        }
        let base = self.value(of, block)?;
        match self.ty(of) {
            Type::Matrix { columns, .. } => self.access(base, u32::from(columns), index, offset, block),
            Type::Array(_, width, length) => {
                let pointer = self.access(base, length, index, offset, block)?;
                let value = self.compute(Expression::Load { pointer });
                // An element of fewer than four components is in the first ones of a vector of four.
                Ok(match vector_size(width) {
                    None => self.compute(Expression::AccessIndex { base: value, index: 0 }),
                    Some(naga::VectorSize::Quad) => value,
                    Some(size) => {
                        self.compute(Expression::Swizzle { size, vector: value, pattern: naga::SwizzleComponent::XYZW })
                    }
                })
            }
            ty => Err(Error::Internal(format!("a PEEK into {ty}"))),
        }
    }

    pub(super) fn poke(&mut self, inst: &Inst, block: &mut Block) -> Result<(), Error> {
        if let Some(output) = pokes_output(inst) {
            if let Some(&Some(variable)) = self.outputs.get(output) {
                let [value] = self.inputs(inst, block)?;
                self.store(variable, value, block);
            }
            return Ok(());
        }
        let [value, of, index] = inst.inputs[..] else { return Err(Error::Internal("a POKE to nowhere".into())) };
        let offset = inst.immediates.first().copied().unwrap_or(0).cast_signed();
        let Some(&LoweredInput::Local(array)) = self.lowered_inputs.get(of) else {
            return Err(Error::Internal(format!("{of} is not a local array")));
        };
        let value = self.value(value, block)?;
        let pointer = self.element(array, self.ty(of), index, offset, block)?;
        self.flush(block);
        block.push(Statement::Store { pointer, value }, Span::UNDEFINED);
        Ok(())
    }

    /// Returns the address of a local array's element; an array of one element is a plain variable.
    fn element(
        &mut self,
        array: Handle<LocalVariable>,
        ty: Type,
        index: Id,
        offset: i32,
        block: &mut Block,
    ) -> Result<Value, Error> {
        let base = self.pointer(array, block);
        match ty.length_word() {
            length @ 2.. => self.access(base, length, index, offset, block),
            _ => Ok(base),
        }
    }

    /// Accesses an element, with the index clamped to the array's length.
    fn access(&mut self, base: Value, length: u32, index: Id, offset: i32, block: &mut Block) -> Result<Value, Error> {
        let last = length.saturating_sub(1).cast_signed();
        if !index.is_some() {
            let index = offset.clamp(0, last).cast_unsigned();
            return Ok(self.compute(Expression::AccessIndex { base, index }));
        }
        let mut at = self.value(index, block)?;
        if offset != 0 {
            if self.constants.contains(at) {
                at = self.hidden(at, Type::INT, block)?;
            }
            let right = self.literal(Scalar::Int, offset.cast_unsigned(), block)?;
            at = self.binary(BinaryOperator::Add, at, right);
        }
        let low = self.literal(Scalar::Int, 0, block)?;
        let high = self.literal(Scalar::Int, last.cast_unsigned(), block)?;
        let index = self.math(MathFunction::Clamp, &[at, low, high]);
        Ok(self.compute(Expression::Access { base, index }))
    }

    pub(super) fn sample(&mut self, inst: &Inst, level: Level, block: &mut Block) -> Result<Value, Error> {
        let texture = inst.inputs.first().copied().unwrap_or_default();
        let Some(&LoweredInput::Texture(_, sampler)) = self.lowered_inputs.get(texture) else {
            return Err(Error::Internal("a sample of something that is not a texture input".into()));
        };
        let mut args = Vec::with_capacity(4);
        for &id in &inst.inputs {
            args.push(self.value(id, block)?);
        }
        let sampler = self.fixed(Expression::GlobalVariable(sampler), block);
        let (&[image, coordinate], rest) = args.split_first_chunk().ok_or(Error::Internal("a sample".into()))?;
        let level = match (level, rest) {
            (Level::Auto, _) => SampleLevel::Auto,
            (Level::Bias, &[bias]) => SampleLevel::Bias(bias),
            (Level::Exact, &[level]) => SampleLevel::Exact(level),
            (Level::Gradient, &[x, y]) => SampleLevel::Gradient { x, y },
            _ => return Err(Error::Internal(format!("{} with {} operands", inst.op, inst.inputs.len()))),
        };
        Ok(self.compute(Expression::ImageSample {
            image,
            sampler,
            gather: None,
            coordinate,
            array_index: None,
            offset: None,
            level,
            depth_ref: None,
            clamp_to_edge: false,
        }))
    }

    pub(super) fn fetch(&mut self, inst: &Inst, block: &mut Block) -> Result<Value, Error> {
        let [image, coordinate, level] = self.inputs(inst, block)?;
        Ok(self.compute(Expression::ImageLoad {
            image,
            coordinate,
            array_index: None,
            sample: None,
            level: Some(level),
        }))
    }
}

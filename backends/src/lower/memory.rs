//! Lowers memory accesses: reads and writes of arrays, outputs, storage buffers and textures.

use naga::{
    BinaryOperator, Block, Expression, GlobalVariable, Handle, Literal, MathFunction, SampleLevel, Span, Statement,
    SwizzleComponent,
};
use sdlbc::module::texel_offset;
use sdlbc::{Dimension, Few, Id, Inst, Scalar, Texel, Type};

use super::function::{Lower, mismatch};
use super::indices::{Bounds, Index};
use super::lowering::LoweredInput;
use super::rules::Level;
use super::state::Value;
use super::types::vector_size;
use crate::error::Error;
use crate::legalise::pokes_output;

struct TextureOperands {
    image: Value,
    sampler: Value,
    coordinate: Value,
    /// The layer of an array texture.
    array_index: Option<Value>,
    /// The texel offset, as a constant vector.
    offset: Option<Value>,
    rest: Few<Value>,
}

/// The maximum depth of the search through an index's expression tree for the range of the index.
const RANGE: usize = 8;

impl Lower<'_, '_> {
    pub(super) fn peek(&mut self, inst: &Inst, block: &mut Block) -> Result<Value, Error> {
        let [of, index] = inst.inputs[..] else { return Err(Error::Internal("a PEEK without an array".into())) };
        let offset = inst.immediates.first().copied().unwrap_or(0).cast_signed();
        if let Some(pointer) = self.element(of, index, offset, block)? {
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
                // An element of fewer than four components occupies the leading components of a four-component vector.
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
                self.trace_store(variable, &inst.inputs, &inst.inputs);
                self.store(variable, value, block);
            }
            return Ok(());
        }
        let [value, of, index] = inst.inputs[..] else { return Err(Error::Internal("a POKE to nowhere".into())) };
        let offset = inst.immediates.first().copied().unwrap_or(0).cast_signed();
        match self.lowered_inputs.get(of) {
            Some(&LoweredInput::Local(array)) => self.trace_store(array, &[value, index], &[value]),
            Some(&LoweredInput::Memory(variable)) => self.trace_memory(variable, &[value, index], &[value]),
            _ => {}
        }
        let value = self.value(value, block)?;
        let Some(pointer) = self.element(of, index, offset, block)? else {
            return Err(Error::Internal(format!("{of} is not an array that can be written")));
        };
        self.flush(block);
        block.push(Statement::Store { pointer, value }, Span::UNDEFINED);
        Ok(())
    }

    /// Returns the address of an element of a local array, a shared array or a storage buffer, or `None` for any other input. A
    /// local array of one element is lowered to a plain variable.
    fn element(&mut self, of: Id, index: Id, offset: i32, block: &mut Block) -> Result<Option<Value>, Error> {
        match self.lowered_inputs.get(of) {
            Some(&LoweredInput::Local(array)) => {
                let base = self.pointer(array, block);
                match self.ty(of).length_word() {
                    length @ 2.. => self.access(base, length, index, offset, block).map(Some),
                    _ => Ok(Some(base)),
                }
            }
            Some(&LoweredInput::Memory(variable)) => self.memory(variable, of, index, offset, block).map(Some),
            _ => Ok(None),
        }
    }

    #[cold]
    pub(super) fn memory(
        &mut self,
        variable: Handle<GlobalVariable>,
        of: Id,
        index: Id,
        offset: i32,
        block: &mut Block,
    ) -> Result<Value, Error> {
        let base = self.fixed(Expression::GlobalVariable(variable), block);
        match self.ty(of) {
            Type::Array(_, _, 1) => return Ok(base),
            Type::Array(_, _, length) => return self.access(base, length, index, offset, block),
            _ => {}
        }
        let index = match (index.is_some(), self.lowering.layout.trust_indices) {
            // Every storage buffer has at least one element.
            (false, _) if offset <= 0 => self.literal(Scalar::Uint, 0, block)?,
            (false, true) => self.literal(Scalar::Uint, offset.cast_unsigned(), block)?,
            (true, true) => self.index(index, offset, block)?.0,
            (_, false) => {
                let key = (Bounds::Buffer(of), index, offset);
                match self.indices.get(key) {
                    Some(value) => value,
                    None => self.clamped_to_buffer(base, key, block)?,
                }
            }
        };
        Ok(self.compute(Expression::Access { base, index }))
    }

    /// Returns an index into a storage buffer as a uint that is at most the index of the buffer's last element.
    #[cold]
    fn clamped_to_buffer(&mut self, base: Value, key: Index, block: &mut Block) -> Result<Value, Error> {
        let (_, index, offset) = key;
        let last = self.compute(Expression::ArrayLength(base));
        let one = self.literal(Scalar::Uint, 1, block)?;
        let last = self.binary(BinaryOperator::Subtract, last, one);
        if !index.is_some() {
            let at = self.literal(Scalar::Uint, offset.cast_unsigned(), block)?;
            let value = self.math(MathFunction::Min, &[at, last]);
            self.share(key, value, block);
            return Ok(value);
        }
        let (mut at, [low, _]) = self.index(index, offset, block)?;
        // The sum of an index and a positive offset may wrap around and become negative.
        if low < 0 || offset > 0 {
            let zero = self.literal(Scalar::Int, 0, block)?;
            at = self.math(MathFunction::Max, &[at, zero]);
        }
        let at = self.compute(Expression::As { expr: at, kind: naga::ScalarKind::Uint, convert: Some(4) });
        let value = self.math(MathFunction::Min, &[at, last]);
        self.share(key, value, block);
        Ok(value)
    }

    /// Records a clamped index for the later accesses that share it, if there are any, and names it in text output.
    fn share(&mut self, key: Index, value: Value, block: &mut Block) {
        if self.indices.is_shared(key) {
            self.name_value(value, "index", block);
            self.indices.insert(key, value);
        }
    }

    #[cold]
    pub(super) fn buffer_size(&mut self, inst: &Inst, block: &mut Block) -> Result<Value, Error> {
        let of = inst.inputs.first().copied().unwrap_or_default();
        let Some(&LoweredInput::Memory(variable)) = self.lowered_inputs.get(of) else { return Err(mismatch(inst)) };
        let base = self.fixed(Expression::GlobalVariable(variable), block);
        let expr = self.compute(Expression::ArrayLength(base));
        Ok(self.compute(Expression::As { expr, kind: naga::ScalarKind::Sint, convert: Some(4) }))
    }

    #[cold]
    pub(super) fn image_load(&mut self, inst: &Inst, block: &mut Block) -> Result<Value, Error> {
        let (&[image, coordinate], rest) = inst.inputs.split_first_chunk().ok_or_else(|| mismatch(inst))?;
        let (image, coordinate) = (self.value(image, block)?, self.value(coordinate, block)?);
        let array_index = match *rest {
            [] => None,
            [layer] => Some(self.value(layer, block)?),
            _ => return Err(mismatch(inst)),
        };
        let is_texture = self.lowering.features.read_images_are_textures;
        let level = is_texture.then(|| self.int(0, 1, block)).transpose()?;
        Ok(self.compute(Expression::ImageLoad { image, coordinate, array_index, sample: None, level }))
    }

    #[cold]
    pub(super) fn image_store(&mut self, inst: &Inst, block: &mut Block) -> Result<(), Error> {
        let (&[of, coordinate], rest) = inst.inputs.split_first_chunk().ok_or_else(|| mismatch(inst))?;
        let (layer, value) = match *rest {
            [value] => (None, value),
            [layer, value] => (Some(layer), value),
            _ => return Err(mismatch(inst)),
        };
        let Some(&LoweredInput::Image(variable)) = self.lowered_inputs.get(of) else { return Err(mismatch(inst)) };
        self.trace_memory(variable, inst.inputs.get(1..).unwrap_or_default(), &[value]);
        let (image, coordinate) = (self.value(of, block)?, self.value(coordinate, block)?);
        let array_index = layer.map(|layer| self.value(layer, block)).transpose()?;
        let value = self.value(value, block)?;
        self.flush(block);
        block.push(Statement::ImageStore { image, coordinate, array_index, value }, Span::UNDEFINED);
        Ok(())
    }

    #[cold]
    pub(super) fn image_size(&mut self, inst: &Inst, block: &mut Block) -> Result<Value, Error> {
        let &[of] = &inst.inputs[..] else { return Err(mismatch(inst)) };
        self.sizes(of, None, block)
    }

    fn sizes(&mut self, of: Id, level: Option<Id>, block: &mut Block) -> Result<Value, Error> {
        let image = self.value(of, block)?;
        let level = level.map(|level| self.value(level, block)).transpose()?;
        // naga's query returns uints, but sizes in the IR are ints.
        let mut expr = self.compute(Expression::ImageQuery { image, query: naga::ImageQuery::Size { level } });
        if self.has_layers(of) {
            let layers = self.compute(Expression::ImageQuery { image, query: naga::ImageQuery::NumLayers });
            let ty = self.lowering.ty(Type::Vector(Scalar::Uint, 3))?;
            expr = self.compute(Expression::Compose { ty, components: vec![expr, layers] });
        }
        Ok(self.compute(Expression::As { expr, kind: naga::ScalarKind::Sint, convert: Some(4) }))
    }

    fn has_layers(&self, of: Id) -> bool {
        matches!(self.ty(of), Type::Texture(dimension, _) | Type::Image(dimension, _) if dimension.has_layers())
    }

    #[cold]
    pub(super) fn barrier(&mut self, inst: &Inst, block: &mut Block) {
        let flags = inst.immediates.first().copied().unwrap_or(0);
        let mut barrier = naga::Barrier::empty();
        barrier.set(naga::Barrier::WORK_GROUP, flags & 1 != 0);
        barrier.set(naga::Barrier::STORAGE, flags & 2 != 0);
        self.flush(block);
        block.push(Statement::ControlBarrier(barrier), Span::UNDEFINED);
    }

    /// Adds an access to an element of an array or matrix. Clamps the index unless it is known to be in bounds, or the layout trusts
    /// indices.
    fn access(&mut self, base: Value, length: u32, index: Id, offset: i32, block: &mut Block) -> Result<Value, Error> {
        let last = length.saturating_sub(1).cast_signed();
        if !index.is_some() {
            let index = offset.clamp(0, last).cast_unsigned();
            return Ok(self.compute(Expression::AccessIndex { base, index }));
        }
        let key = (Bounds::Length(length), index, offset);
        let index = match self.indices.get(key) {
            Some(value) => value,
            None => self.clamped_to(last, key, block)?,
        };
        Ok(self.compute(Expression::Access { base, index }))
    }

    /// Returns an index as an int from 0 to `last`, without a clamp if the index is known to be in bounds or trusted.
    fn clamped_to(&mut self, last: i32, key: Index, block: &mut Block) -> Result<Value, Error> {
        let (_, index, offset) = key;
        let (at, [low, high]) = self.index(index, offset, block)?;
        let is_inside = 0 <= low && high <= i64::from(last);
        // A trusted index that is known to be out of bounds is clamped too, because compilers reject such an index.
        let is_outside = high < 0 || low > i64::from(last);
        if is_inside || self.lowering.layout.trust_indices && !is_outside {
            return Ok(at);
        }
        let low = self.literal(Scalar::Int, 0, block)?;
        let high = self.literal(Scalar::Int, last.cast_unsigned(), block)?;
        let value = self.math(MathFunction::Clamp, &[at, low, high]);
        self.share(key, value, block);
        Ok(value)
    }

    /// Returns the sum of a computed index and its offset. Also returns the sum's range, assuming that the addition does not wrap
    /// around.
    fn index(&mut self, index: Id, offset: i32, block: &mut Block) -> Result<(Value, [i64; 2]), Error> {
        let mut at = self.value(index, block)?;
        let range = self.range(at, RANGE).map(|bound| i64::from(bound) + i64::from(offset));
        if offset != 0 {
            if self.constants.contains(at) {
                at = self.hidden(at, Type::INT, block)?;
            }
            let right = self.literal(Scalar::Int, offset.cast_unsigned(), block)?;
            at = self.binary(BinaryOperator::Add, at, right);
        }
        Ok((at, range))
    }

    /// Returns the lowest and the highest possible value of an int. The search examines the value's expression tree to a depth of
    /// `steps`.
    fn range(&self, value: Value, steps: usize) -> [i32; 2] {
        const ANY: [i32; 2] = [i32::MIN, i32::MAX];
        let Some(steps) = steps.checked_sub(1) else { return ANY };
        let of = |value: Value| self.range(value, steps);
        let least = |[a, b]: [i32; 2], [c, d]: [i32; 2]| [a.min(c), b.min(d)];
        let most = |[a, b]: [i32; 2], [c, d]: [i32; 2]| [a.max(c), b.max(d)];
        match self.code.expressions[value] {
            Expression::Literal(Literal::I32(word)) => [word; 2],
            Expression::Math { fun: MathFunction::Min, arg, arg1: Some(other), .. } => least(of(arg), of(other)),
            Expression::Math { fun: MathFunction::Max, arg, arg1: Some(other), .. } => most(of(arg), of(other)),
            // A clamp whose bounds are reversed gives different results on different targets.
            Expression::Math { fun: MathFunction::Clamp, arg, arg1: Some(low), arg2: Some(high), .. } => {
                match (of(low), of(high)) {
                    ([_, most_low], high @ [least_high, _]) if most_low > least_high || high == ANY => ANY,
                    (low, high) => least(most(of(arg), low), high),
                }
            }
            // An AND with a non-negative number lies between 0 and that number.
            Expression::Binary { op: BinaryOperator::And, left, right } => {
                let bound = |value: Value| Some(of(value)).filter(|[low, _]| *low >= 0).map(|[_, high]| high);
                bound(left).into_iter().chain(bound(right)).min().map_or(ANY, |high| [0, high])
            }
            Expression::Select { accept, reject, .. } => {
                let ([a, b], [c, d]) = (of(accept), of(reject));
                [a.min(c), b.max(d)]
            }
            _ => ANY,
        }
    }

    fn texture_operands(&mut self, inst: &Inst, block: &mut Block) -> Result<TextureOperands, Error> {
        let texture = inst.inputs.first().copied().unwrap_or_default();
        let (texture, offset) = self.without_offset(texture);
        let Some(&LoweredInput::Texture(_, sampler)) = self.lowered_inputs.get(texture) else {
            return Err(Error::Internal("a sample of something that is not a texture input".into()));
        };
        let image = self.value(texture, block)?;
        let mut args: Few<Value> = Few::new();
        for &id in inst.inputs.iter().skip(1) {
            args.push(self.value(id, block)?);
        }
        let offset = offset.map(|word| self.texel_offset(texture, word, block)).transpose()?;
        let sampler = self.fixed(Expression::GlobalVariable(sampler), block);
        let mut args = args.into_iter();
        let coordinate = args.next().ok_or_else(|| mismatch(inst))?;
        let array_index =
            if self.has_layers(texture) { Some(args.next().ok_or_else(|| mismatch(inst))?) } else { None };
        Ok(TextureOperands { image, sampler, coordinate, array_index, offset, rest: args.collect() })
    }

    /// Adds a texture sample. `gather` is the component to gather, or `None` if the operation is not a gather. `depth_ref` is the
    /// reference value of a depth comparison, or `None`.
    fn lookup(
        &mut self,
        operands: &TextureOperands,
        gather: Option<SwizzleComponent>,
        level: SampleLevel,
        depth_ref: Option<Value>,
    ) -> Value {
        let &TextureOperands { image, sampler, coordinate, array_index, offset, .. } = operands;
        self.compute(Expression::ImageSample {
            image,
            sampler,
            gather,
            coordinate,
            array_index,
            offset,
            level,
            depth_ref,
            clamp_to_edge: false,
        })
    }

    /// Records a TEXTUREOFFSET, because in naga the texel offset is an operand of the texture read.
    #[cold]
    pub(super) fn texture_offset(&mut self, inst: &Inst) -> Result<(), Error> {
        let (&[texture], &[offset]) = (&inst.inputs[..], &inst.immediates[..]) else { return Err(mismatch(inst)) };
        self.texture_offsets.insert(inst.output, (texture, offset));
        Ok(())
    }

    /// Returns the id of the texture input, and the texel offset if `texture` is the result of a TEXTUREOFFSET.
    fn without_offset(&self, texture: Id) -> (Id, Option<u32>) {
        match self.texture_offsets.get(&texture) {
            Some(&(input, offset)) => (input, Some(offset)),
            None => (texture, None),
        }
    }

    /// Returns a texel offset as a constant vector with one component per axis of the texture.
    #[cold]
    fn texel_offset(&mut self, texture: Id, word: u32, block: &mut Block) -> Result<Value, Error> {
        let Type::Texture(dimension, _) = self.ty(texture) else {
            return Err(Error::Internal(format!("{texture} is not a texture")));
        };
        let axes = dimension.coordinates();
        let mut components = Vec::with_capacity(axes.into());
        for number in texel_offset(word).into_iter().take(axes.into()) {
            components.push(self.literal(Scalar::Int, number.cast_unsigned(), block)?);
        }
        let ty = self.lowering.ty(Type::Vector(Scalar::Int, axes))?;
        Ok(self.compute(Expression::Compose { ty, components }))
    }

    pub(super) fn sample(&mut self, inst: &Inst, level: Level, block: &mut Block) -> Result<Value, Error> {
        let operands = self.texture_operands(inst, block)?;
        let level = match (level, &operands.rest[..]) {
            (Level::Auto, _) => SampleLevel::Auto,
            (Level::Bias, &[bias]) => SampleLevel::Bias(bias),
            (Level::Exact, &[level]) => SampleLevel::Exact(level),
            (Level::Gradient, &[x, y]) => SampleLevel::Gradient { x, y },
            _ => return Err(Error::Internal(format!("{} with {} operands", inst.op, inst.inputs.len()))),
        };
        Ok(self.lookup(&operands, None, level, None))
    }

    #[cold]
    pub(super) fn sample_compare(&mut self, inst: &Inst, level: Level, block: &mut Block) -> Result<Value, Error> {
        let ty = inst.inputs.first().map(|&id| self.ty(id));
        let is_cube_array = ty == Some(Type::Texture(Dimension::CubeArray, Texel::Depth));
        let level = match level {
            Level::Zero if is_cube_array && !self.lowering.features.cube_array_level => {
                return self.lowering.unsupported("`samplecomparezero` of an array of cubes");
            }
            Level::Zero => SampleLevel::Zero,
            _ => SampleLevel::Auto,
        };
        let operands = self.texture_operands(inst, block)?;
        if operands.offset.is_some()
            && operands.array_index.is_some()
            && matches!(level, SampleLevel::Auto)
            && !self.lowering.features.offset_array_compares
        {
            return self.lowering.unsupported("`samplecompare` of an array of textures with an offset");
        }
        let &[reference] = &operands.rest[..] else { return Err(mismatch(inst)) };
        Ok(self.lookup(&operands, None, level, Some(reference)))
    }

    #[cold]
    pub(super) fn gather(&mut self, inst: &Inst, block: &mut Block) -> Result<Value, Error> {
        if !self.lowering.features.gathers {
            return self.lowering.unsupported(format!("the operation `{}`", inst.op));
        }
        let texture = inst.inputs.first().map(|&id| self.ty(id));
        if let Some(Type::Texture(dimension @ (Dimension::D2Array | Dimension::Cube), Texel::Depth)) = texture
            && !self.lowering.features.gathers_around
        {
            return self.lowering.unsupported(format!("`{}` of a {}", inst.op, Type::Texture(dimension, Texel::Depth)));
        }
        let component = match inst.immediates.first() {
            None | Some(0) => SwizzleComponent::X,
            Some(1) => SwizzleComponent::Y,
            Some(2) => SwizzleComponent::Z,
            Some(_) => SwizzleComponent::W,
        };
        let operands = self.texture_operands(inst, block)?;
        Ok(self.lookup(&operands, Some(component), SampleLevel::Zero, operands.rest.first().copied()))
    }

    #[cold]
    pub(super) fn texture_size(&mut self, inst: &Inst, block: &mut Block) -> Result<Value, Error> {
        let &[texture, level] = &inst.inputs[..] else { return Err(mismatch(inst)) };
        self.sizes(texture, Some(level), block)
    }

    pub(super) fn fetch(&mut self, inst: &Inst, block: &mut Block) -> Result<Value, Error> {
        let (&[image, coordinate], rest) = inst.inputs.split_first_chunk().ok_or_else(|| mismatch(inst))?;
        let (image, offset) = self.without_offset(image);
        let mut at = self.value(coordinate, block)?;
        if let Some(word) = offset {
            if self.constants.contains(at) {
                at = self.hidden(at, self.ty(coordinate), block)?;
            }
            let offset = self.texel_offset(image, word, block)?;
            at = self.binary(BinaryOperator::Add, at, offset);
        }
        let image = self.value(image, block)?;
        let (array_index, level) = match *rest {
            [level] => (None, level),
            [layer, level] => (Some(self.value(layer, block)?), level),
            _ => return Err(mismatch(inst)),
        };
        let level = Some(self.value(level, block)?);
        Ok(self.compute(Expression::ImageLoad { image, coordinate: at, array_index, sample: None, level }))
    }
}

#[cfg(test)]
mod tests {
    use crate::error::Error;
    use crate::layout::Layout;
    use crate::output::Code;
    use crate::versions::{Glsl, MslVersion, ShaderModel, Target};

    fn moved(target: Target, ty: &str, offset: &str, read: &str) -> Result<String, Error> {
        let text = format!(
            "fragment function \"fs_main\" {{\n  input %1 v0: float4 = varying 0\n  input %2 image: {ty} = texture 0 {{ filter 1, \
             mip 0, wrap 0 0, format 0, special 0, bias 0 }}\n  output 0 oc: float4 = colour 0\n  %3 = swizzle %1, xyz\n  \
             %4 = swizzle %1, xy\n  %5 = swizzle %1, w\n  %6 = convert %5, int\n  %7 = textureoffset %2, {offset}\n  {read}\n  \
             %9 = swizzle %8, xxxx\n  poke %9, 0\n}}\n"
        );
        let module = sdlbc::Verified::new(sdlbc::parse(&text).expect("a module")).expect("it verifies");
        match crate::write(&module, target, None, &Layout::default())?.code {
            Code::Text(text) => Ok(text),
            Code::Words(_) => panic!("{target} is text"),
        }
    }

    #[test]
    fn an_offset_of_texels_is_a_constant_of_the_lookup() {
        for (target, expected) in [
            (Target::Wgsl, ", vec3<i32>(-1i, 2i, -3i))"),
            (Target::Hlsl(ShaderModel::V5_0), ", int3(-1, 2, -3))"),
            (Target::Glsl(Glsl::Es300), ", ivec3(-1, 2, -3))"),
            (Target::Msl(MslVersion::V2_0), ", int3(-1, 2, -3))"),
        ] {
            let text = moved(target, "texture3d", "-1, 2, -3", "%8 = sample %7, %3").expect("text");
            assert!(text.contains(expected), "{target}: {text}");
        }
        let of_array = |target| moved(target, "depthtexture2darray", "1, 2", "%8 = samplecompare %7, %4, %6, %5");
        assert!(of_array(Target::Glsl(Glsl::Core450)).expect("text").contains("textureOffset("));
        let Err(Error::Unsupported { what, .. }) = of_array(Target::Glsl(Glsl::Core330)) else {
            panic!("it is written")
        };
        assert!(what.starts_with("`samplecompare` of an array of textures with an offset"), "{what}");
    }

    fn clamps(index: &str, offset: i32) -> usize {
        let text = format!(
            "vertex function \"vs_main\" {{\n  input %1 va0: float4 = attribute 0\n  input %2 vc: float4[12] = uniform\n  \
             output 0 op: float4 = position\n  %3 = swizzle %1, x\n  %4 = convert %3, int\n  %5 = literalint 0\n  \
             %6 = literalint 11\n  %7 = literalint 7\n{index}  %9 = peek %2, %8, {offset}\n  poke %9, 0\n}}\n"
        );
        let module = sdlbc::Verified::new(sdlbc::parse(&text).expect("a module")).expect("it verifies");
        let output = crate::write(&module, Target::Wgsl, None, &Layout::default()).expect("WGSL");
        let Code::Text(text) = output.code else { panic!("WGSL is text") };
        text.matches("clamp(").count()
    }

    #[test]
    fn an_index_that_is_known_to_be_within_the_array_is_not_clamped_again() {
        for (index, offset) in [
            ("  %8 = clamp %4, %5, %6\n", 0),
            ("  %8 = clamp %4, %5, %7\n", 4),
            ("  %8 = binaryand %4, %7\n", 4),
            ("  %10 = max %4, %5\n  %8 = min %10, %6\n", 0),
            ("  %10 = binaryand %4, %7\n  %11 = equal %4, %5\n  %8 = select %11, %10, %6\n", 0),
        ] {
            assert_eq!(clamps(index, offset), usize::from(index.contains("clamp")), "{index}");
        }
    }

    #[test]
    fn an_index_that_may_be_outside_the_array_is_clamped() {
        for (index, offset) in [
            ("  %8 = add %4, %5\n", 0),
            ("  %8 = clamp %4, %5, %7\n", 5),
            ("  %8 = clamp %4, %6, %5\n", 0),
            ("  %8 = clamp %4, %5, %4\n", 0),
            ("  %8 = binaryand %4, %7\n", -1),
            ("  %8 = min %4, %6\n", 0),
            ("  %8 = max %4, %5\n", 0),
        ] {
            assert_eq!(clamps(index, offset), 1 + usize::from(index.contains("clamp")), "{index}");
        }
    }
}

//! Perturbs the results of a run. A defined result changes by up to twice its allowed error, and undefined results get values
//! that vary from run to run.

use std::sync::atomic::{AtomicBool, Ordering};

use sdlbc::compute::Value;
use sdlbc::{Format, FunctionKind, Id, Inst, Op, Sampler, Scalar, Texel, Type, Types};
use sdlbc_interp::{Column, Gathered, LANES, LevelOf, Mask, Observer, Resources, Site};

use crate::precision::{self, Number};
use testing::Random;

/// The number of runs of a function that reads textures. The runs combine four directions of the sampled point, four corners of
/// the quad from which the mip level is derived, and three changes of the mip level.
pub(crate) const TEXTURED: u64 = 48;

/// The allowed rounding error of a filter's weighted sum.
const FILTERED: f32 = 1e-6;
const HALF_MIN_POSITIVE: f32 = 1.0 / 16384.0;
/// The greatest magnitude of a half-precision result for which all intermediates of the operation's formula are certainly finite.
const MOST_HALF: f32 = 16384.0;

pub(crate) struct FunctionInfo<'a> {
    pub(crate) instructions: &'a [Inst],
    pub(crate) types: Types,
    pub(crate) samplers: Vec<(u32, Sampler)>,
}

#[derive(Clone)]
pub(crate) struct Perturber<'a> {
    pub(crate) run: u64,
    pub(crate) random: Random,
    pub(crate) functions: &'a [FunctionInfo<'a>],
    pub(crate) resources: &'a Resources,
    pub(crate) stage: FunctionKind,
    pub(crate) astray: &'a AtomicBool,
}

impl Perturber<'_> {
    fn flushes(&self) -> bool {
        self.run % 2 == 1
    }

    /// Returns the value that replaces undefined results in the current run.
    fn undefined(&self) -> f32 {
        [f32::NAN, 0.0, f32::INFINITY, 1.0, f32::NEG_INFINITY, -1.0, 3e38, -0.5]
            [((self.run + self.run / 4) % 8) as usize]
    }

    /// Returns the bits of a float input in the current run. Infinities and NaNs count as undefined, and odd-numbered runs flush
    /// denormals to zero.
    pub(crate) fn input(&self, word: u32) -> u32 {
        let value = f32::from_bits(word);
        match value {
            value if !value.is_finite() => self.undefined().to_bits(),
            value if self.flushes() && value.abs() < f32::MIN_POSITIVE => 0,
            _ => word,
        }
    }

    pub(crate) fn inputs(&self, mut columns: [Column; 4]) -> [Column; 4] {
        columns.iter_mut().flatten().for_each(|word| *word = self.input(*word));
        columns
    }

    /// Returns a number from -1 to 1, often -1 or 1. The number is 0 in every fourth run, so that some runs keep a result of
    /// exactly zero, whose logarithm is undefined.
    fn direction(&mut self) -> f64 {
        if self.run % 4 == 2 {
            return 0.0;
        }
        match self.random.below(4) {
            0 => -1.0,
            1 => 1.0,
            _ => f64::from(self.random.unit()) * 2.0 - 1.0,
        }
    }

    /// Perturbs the float components of an operation's result in one lane.
    fn floats(&mut self, op: Op, half: bool, operands: &[Vec<f64>], result: &mut [f32], product: Option<Vec<Number>>) {
        let slices: Vec<&[f64]> = operands.iter().map(Vec::as_slice).collect();
        let numbers = product.or_else(|| precision::result(op, &slices, result.len(), half));
        // Summing large operands in a different order may produce an infinite intermediate.
        let most = if numbers.is_some() { 1e37 } else { f64::MAX };
        let is_wild = operands.iter().flatten().any(|operand| operand.is_nan() || operand.abs() > most);
        let turned = op == Op::FaceForward
            && slices.len() == 3
            && precision::is_sign_open(slices[1], slices[2], half)
            && self.random.below(2) == 0;
        for (at, value) in result.iter_mut().enumerate() {
            if turned {
                *value = -*value;
            }
            if is_wild
                || !value.is_finite()
                || is_undefined(op, half, &slices, at)
                || half && numbers.is_some() && value.abs() > MOST_HALF
            {
                *value = self.undefined();
                continue;
            }
            let mut error = numbers.as_ref().and_then(|numbers| numbers.get(at)).map_or(0.0, |number| number.error);
            if half && numbers.is_some() {
                error += f64::from(value.abs()) / 1024.0;
            }
            if error.is_nan() || error > 1e37 {
                *value = self.undefined();
            } else if error > 0.0 {
                *value = (f64::from(*value) + 2.0 * error * self.direction()) as f32;
            }
            if self.flushes() && value.abs() < if half { HALF_MIN_POSITIVE } else { f32::MIN_POSITIVE } {
                *value = 0.0;
            }
        }
    }

    /// Returns the coordinate differences in each quad, along the row and the column of one corner. The differences are scaled to
    /// raise the mip level by `level`. A witness may take the differences at any corner.
    fn gradients(way: u64, coordinates: &[[f32; 3]; LANES], level: &[f32; LANES]) -> [[[f32; 3]; LANES]; 2] {
        let corner = (way >> 2) as usize % 4;
        let (row, column) = (corner & 2, corner & 1);
        [[row, row + 1], [column, column + 2]].map(|[from, to]| {
            std::array::from_fn(|lane| {
                let quad = lane & !3;
                let scale = level[lane].exp2();
                std::array::from_fn(|at| (coordinates[quad + to][at] - coordinates[quad + from][at]) * scale)
            })
        })
    }

    /// Samples a texture up to 2/256 of a texel away from the requested point, and up to 1/16 of a mip level (1/8 for
    /// SAMPLE_COMPARE) away from the requested level.
    fn texels(&mut self, site: &Site, active: Mask, operands: &[Vec<Column>], columns: &mut [Column]) {
        let Some(slot) = site.texture else { return };
        let function = self.functions.get(site.function);
        let samplers = function.map(|function| function.samplers.as_slice()).unwrap_or_default();
        let sampler = samplers.iter().find(|(at, _)| *at == slot).map(|(_, sampler)| *sampler);
        let (Some(texture), Some(sampler)) = (self.resources.textures.get(&(self.stage, slot)), sampler) else {
            return;
        };
        let Some(base) = texture.levels.first() else { return };
        let size = [base.width, base.height, base.depth].map(|size| size as f32);
        // The runs cover every direction, because each direction may select different texels. In a single run, the direction
        // depends on the texture's slot.
        let way = self.run + 7 * u64::from(slot) * (1 + self.run / TEXTURED);
        let signs = [way & 1, way >> 1 & 1, u64::from(way.count_ones() & 1)];
        let wide = if texture.dimension.is_cube() { 2.0 } else { 1.0 };
        // An array texture's layer is a separate operand, which precedes the operands that select the mip level.
        let layers = texture.dimension.has_layers().then(|| operands.get(2)?.first()).flatten();
        let more = 2 + usize::from(layers.is_some());
        // A cube face extends from -1 to 1, relative to the direction's longest component, so its texels are twice as wide.
        let step: [f32; 3] =
            std::array::from_fn(|at| if signs[at] == 1 { 2.0 / 256.0 } else { -2.0 / 256.0 } / size[at] * wide);
        // Drivers only approximate a cube's mip level, and comparison results of 0 or 1 amplify the error.
        let part = if site.op == Op::SampleCompare { 1.0f32 / 8.0 } else { 1.0 / 16.0 };
        // Between the two ends of the level's range, the sampled value may be lower or higher than at both ends, so later runs
        // change the level by less.
        let part = part * [1.0, 0.5, 0.75, 0.25][(self.run / TEXTURED) as usize % 4];
        let level = [-part, part, 0.0][(way >> 4) as usize % 3];
        let vector = |operand: usize, lane: usize| -> [f32; 3] {
            std::array::from_fn(|at| {
                let column = operands.get(operand).and_then(|columns| columns.get(at));
                column.map_or(0.0, |column| f32::from_bits(column[lane]))
            })
        };
        let asked: [[f32; 3]; LANES] = std::array::from_fn(|lane| vector(1, lane));
        let mut moved = asked;
        for at in &mut moved {
            // On a cube, a step is relative to the direction's longest component, because scaling a direction does not change the
            // sampled point.
            let length = at.iter().fold(0f32, |most, c| most.max(c.abs()));
            let scale = if texture.dimension.is_cube() { length } else { 1.0 };
            // In a third of the runs, the point of each lane moves independently.
            let alone = self.run % 3 == 1;
            at.iter_mut().zip(step).for_each(|(c, step)| {
                *c += step * scale * if alone { self.direction() as f32 } else { 1.0 };
            });
        }
        let scalar = |operand: usize, more: f32| -> [f32; LANES] {
            std::array::from_fn(|lane| {
                let column = operands.get(operand).and_then(|columns| columns.first());
                column.map_or(0.0, |column| f32::from_bits(column[lane])) + more
            })
        };
        let lanes = |operand: usize| -> [[f32; 3]; LANES] {
            let scale = level.exp2();
            std::array::from_fn(|lane| vector(operand, lane).map(|c| c * scale))
        };
        let moved_level = scalar(more, level);
        let [dx, dy] = match site.op {
            Op::Sample | Op::SampleCompare => Self::gradients(way, &asked, &[level; LANES]),
            Op::SampleBias => Self::gradients(way, &asked, &moved_level),
            _ => [lanes(more), lanes(more + 1)],
        };
        let of = match site.op {
            Op::SampleLod => LevelOf::Exact(&moved_level),
            _ => LevelOf::Gradient { dx: &dx, dy: &dy },
        };
        // A quad's mip level depends on all its lanes, including inactive ones.
        let whole =
            (0..LANES).step_by(4).filter(|first| active >> first & 0xf != 0).fold(0, |mask, first| mask | 0xf << first);
        let layers = layers.copied().unwrap_or([0; LANES]);
        let references = scalar(more, 0.0);
        if let Some(what) = self.gathered(site, &references, of) {
            let found = sdlbc_interp::gather_layers(texture, &sampler, &moved, (&layers, site.offset), what, whole);
            for lane in (0..LANES).filter(|lane| active >> lane & 1 != 0) {
                let at = vector(1, lane);
                let far = at.iter().any(|c| !c.is_finite() || c.abs() > 4096.0)
                    || wide > 1.0 && at.iter().all(|c| c.abs() < 1e-37);
                for (column, found) in columns.iter_mut().zip(&found) {
                    column[lane] = match far {
                        true => self.random.next() as u32,
                        // A gather of floats has the same allowed error as a fetch.
                        false if site.op == Op::Gather && matches!(site.ty, Type::Vector(Scalar::Float, _)) => {
                            (f32::from_bits(found[lane]) * (1.0 + f32::EPSILON * self.direction() as f32)).to_bits()
                        }
                        false if matches!(site.op, Op::SampleCompare | Op::SampleCompareZero) => {
                            // Moving the point already covers the error of 8-bit filter weights, so only the rounding error of
                            // the sum is added.
                            (f32::from_bits(found[lane]) + self.direction() as f32 * FILTERED).to_bits()
                        }
                        false => found[lane],
                    };
                }
            }
            return;
        }
        let texels = sdlbc_interp::sample_layers(texture, &sampler, &moved, (&layers, site.offset), of, whole);
        // Vulkan clamps any level to the existing mip levels. Mesa 22.3's drivers first convert the level to an int, so a level
        // outside the range of an int becomes the first mip level.
        let within = |level: f32| level.abs() < 1e6;
        // If the square of a gradient, measured in texels, overflows, the mip level is infinite.
        let steep = |lane: usize| {
            [more, more + 1].into_iter().flat_map(|of| vector(of, lane)).any(|c| c.is_nan() || c.abs() >= 1e15)
        };
        let off = |lane: usize| moved[lane].iter().any(|c| !c.is_finite() || c.abs() > 65536.0);
        if (0..LANES).any(|lane| whole >> lane & 1 != 0 && off(lane)) {
            self.astray.store(true, Ordering::Relaxed);
        }
        for lane in (0..LANES).filter(|lane| active >> lane & 1 != 0) {
            let at = vector(1, lane);
            let far = at.iter().any(|c| !c.is_finite() || c.abs() > 4096.0)
                || wide > 1.0 && at.iter().all(|c| c.abs() < 1e-37);
            let far = far || matches!(site.op, Op::SampleBias | Op::SampleLod) && !within(scalar(more, 0.0)[lane]);
            let far = far || site.op == Op::SampleGrad && steep(lane);
            for (column, texel) in columns.iter_mut().zip(texels[lane]) {
                column[lane] = if far {
                    self.undefined().to_bits()
                } else {
                    (texel + self.direction() as f32 * FILTERED).to_bits()
                };
            }
        }
    }

    /// Returns how an operation that reads four texels combines the texels, or `None` for other operations.
    fn gathered<'r>(&self, site: &Site, references: &'r [f32; LANES], level: LevelOf<'r>) -> Option<Gathered<'r>> {
        match site.op {
            Op::Gather => {
                let function = self.functions.get(site.function)?;
                let component = *function.instructions.get(site.instruction)?.immediates.first()?;
                let texel = match site.ty {
                    Type::Vector(Scalar::Int, _) => Texel::Int,
                    Type::Vector(Scalar::Uint, _) => Texel::Uint,
                    _ => Texel::Float,
                };
                Some(Gathered::Component(texel, component as usize))
            }
            Op::GatherCompare => Some(Gathered::Compared(references)),
            Op::SampleCompare => Some(Gathered::Filtered(references, Some(level))),
            Op::SampleCompareZero => Some(Gathered::Filtered(references, None)),
            _ => None,
        }
    }

    /// Perturbs a fetch. The result of a fetch outside the texture is undefined, and a float texel may be off by up to 2 ULP.
    fn fetch(&mut self, site: &Site, active: Mask, operands: &[Vec<Column>], columns: &mut [Column]) {
        let Some(texture) = site.texture.and_then(|slot| self.resources.textures.get(&(self.stage, slot))) else {
            return;
        };
        let int = |operand: usize, at: usize, lane: usize| {
            let column = operands.get(operand).and_then(|columns| columns.get(at));
            column.map_or(0, |column| column[lane].cast_signed())
        };
        let within = |value: i32, size: u32| u32::try_from(value).is_ok_and(|value| value < size);
        for lane in (0..LANES).filter(|lane| active >> lane & 1 != 0) {
            let layered = texture.dimension == sdlbc::Dimension::D2Array;
            let level = usize::try_from(int(if layered { 3 } else { 2 }, 0, lane))
                .ok()
                .and_then(|level| texture.levels.get(level));
            let inside = level.is_some_and(|level| {
                let sizes = [level.width, level.height, level.depth];
                let flat = texture.dimension != sdlbc::Dimension::D3;
                (0..if flat { 2 } else { 3 })
                    .all(|at| within(int(1, at, lane).wrapping_add(site.offset[at]), sizes[at]))
                    && (!layered || within(int(2, 0, lane), level.depth))
            });
            for column in columns.iter_mut() {
                if !matches!(site.ty, Type::Vector(Scalar::Float, _)) {
                    column[lane] = if inside { column[lane] } else { self.random.next() as u32 };
                    continue;
                }
                let moved = self.quotient(f32::from_bits(column[lane]));
                column[lane] = if inside { moved } else { self.undefined() }.to_bits();
            }
        }
    }

    /// Perturbs a texel's component, which drivers compute by dividing a byte by 255 or by multiplying it by an approximate
    /// reciprocal.
    fn quotient(&mut self, exact: f32) -> f32 {
        exact * (1.0 + f32::EPSILON * self.direction() as f32)
    }

    /// Perturbs a query of a texture's size. The size of a mip level that does not exist is undefined, and a driver may use the
    /// level of one invocation for all invocations.
    fn sizes(&mut self, site: &Site, active: Mask, operands: &[Vec<Column>], columns: &mut [Column]) {
        let texture = site.texture.and_then(|slot| self.resources.textures.get(&(self.stage, slot)));
        let levels = texture.map_or(0, |texture| texture.levels.len());
        for lane in (0..LANES).filter(|lane| active >> lane & 1 != 0) {
            let of =
                |lane: usize| operands.get(1).and_then(|all| all.first()).map_or(0, |column| column[lane] as usize);
            if of(lane) >= levels || (0..LANES).any(|other| active >> other & 1 != 0 && of(other) != of(lane)) {
                columns.iter_mut().for_each(|column| column[lane] = self.random.next() as u32);
            }
        }
    }

    /// Perturbs a derivative. A device may use the difference along one row or column for the entire quad.
    fn derivative(&self, op: Op, active: Mask, operands: &[Vec<Column>], columns: &mut [Column]) {
        if self.run & 2 == 0 {
            return;
        }
        let second = self.run >> 2 & 1 == 1;
        let (from, to) = match (op, second) {
            (Op::Ddx, false) => (0, 1),
            (Op::Ddx, true) => (2, 3),
            (_, false) => (0, 2),
            (_, true) => (1, 3),
        };
        let Some(operand) = operands.first() else { return };
        for (column, of) in columns.iter_mut().zip(operand) {
            for lane in (0..LANES).filter(|lane| active >> lane & 1 != 0) {
                let at = |corner: usize| f32::from_bits(of[(lane & !3) + corner]);
                column[lane] = (at(to) - at(from)).to_bits();
            }
        }
    }
}

/// Reports whether the result of an operation is undefined for the given finite operands, even if interp's result is finite.
fn is_undefined(op: Op, half: bool, operands: &[&[f64]], component: usize) -> bool {
    let at = |operand: usize| {
        let of = operands.get(operand).copied().unwrap_or_default();
        of.get(if of.len() == 1 { 0 } else { component }).copied().unwrap_or(0.0)
    };
    match op {
        // A device may flush a denormal quotient to zero before rounding the quotient down.
        Op::Divide | Op::Modulo | Op::Mod => {
            let quotient = (at(0) / at(1)).abs();
            let small = quotient > 0.0 && quotient < 4.0 * f64::from(f32::MIN_POSITIVE);
            // A device may round a quotient that is nearly an integer to that integer or to the next lower integer.
            let units = if half { 4e-3 } else { 1e-6 };
            let whole = (quotient - quotient.round()).abs() <= units * quotient && quotient > 0.0;
            at(1) == 0.0 || op != Op::Divide && (quotient > 1e7 || small || whole)
        }
        Op::Pow => at(0) < 0.0 || at(0) == 0.0 && at(1) <= 0.0,
        Op::Log | Op::Log2 | Op::Rsqrt => at(0) < f64::from(f32::MIN_POSITIVE),
        Op::Sqrt => at(0) < 0.0,
        Op::Clamp => at(1) > at(2),
        Op::SmoothStep => at(0) >= at(1),
        Op::Atan2 => at(0) == 0.0 && at(1) == 0.0,
        Op::Asin | Op::Acos => at(0).abs() > 1.0,
        Op::Acosh => at(0) < 1.0,
        Op::Atanh => at(0).abs() >= 1.0,
        Op::Sin | Op::Cos | Op::Tan => at(0).abs() > 1000.0,
        Op::Normalize => operands.first().is_none_or(|of| of.iter().all(|c| *c == 0.0)),
        Op::Ldexp => !(-126.0..=127.0).contains(&at(1)),
        _ => false,
    }
}

impl Observer for Perturber<'_> {
    fn result(&mut self, site: &Site, active: Mask, operands: &[Vec<Column>], columns: &mut [Column]) {
        if matches!(
            site.op,
            Op::Sample
                | Op::SampleBias
                | Op::SampleLod
                | Op::SampleGrad
                | Op::SampleCompare
                | Op::SampleCompareZero
                | Op::Gather
                | Op::GatherCompare
        ) {
            return self.texels(site, active, operands, columns);
        }
        if site.op == Op::TextureSize {
            return self.sizes(site, active, operands, columns);
        }
        if site.op == Op::Fetch {
            return self.fetch(site, active, operands, columns);
        }
        if matches!(site.op, Op::Ddx | Op::Ddy) {
            self.derivative(site.op, active, operands, columns);
        }
        let function = self.functions.get(site.function);
        let inst = function.and_then(|function| function.instructions.get(site.instruction));
        let ty = |operand: usize| -> Option<Type> {
            let id: Id = *inst?.inputs.get(operand)?;
            function?.types.get(id)
        };
        if let (Op::ImageLoad, Some(Type::Image(_, Format::Rgba8Unorm | Format::Rgba8Snorm))) = (site.op, ty(0)) {
            for word in columns.iter_mut().flatten() {
                *word = self.quotient(f32::from_bits(*word)).to_bits();
            }
            return;
        }
        let types: Vec<Option<Type>> = (0..operands.len()).map(ty).collect();
        let floats =
            |ty: Option<Type>| matches!(ty, Some(Type::Vector(Scalar::Float | Scalar::Half, _) | Type::Matrix { .. }));
        let half = matches!(site.ty, Type::Vector(Scalar::Half, _));
        let is_float = floats(Some(site.ty));
        if !is_float && !types.iter().any(|&ty| floats(ty)) {
            return;
        }
        let least = |ty: Option<Type>| {
            let half = matches!(ty, Some(Type::Vector(Scalar::Half, _)));
            if half { HALF_MIN_POSITIVE } else { f32::MIN_POSITIVE }
        };
        // A device may flush denormal operands to zero.
        let flushes = self.flushes();
        let flushed = |ty: Option<Type>, word: u32| {
            let value = f32::from_bits(word);
            if flushes && floats(ty) && value.abs() < least(ty) { value.to_bits() & 1 << 31 } else { word }
        };
        let signed = |ty: Option<Type>| matches!(ty, Some(Type::Vector(Scalar::Int, _)));
        // The buffers for one lane's operands and result are reused, because allocating them for each lane would double the run
        // time.
        let mut of: Vec<Vec<f64>> = operands.iter().map(|columns| vec![0.0; columns.len()]).collect();
        let mut result = vec![0.0; columns.len()];
        for lane in (0..LANES).filter(|lane| active >> lane & 1 != 0) {
            let is_small = |(columns, &ty): (&Vec<Column>, &Option<Type>)| {
                columns.iter().any(|column| flushed(ty, column[lane]) != column[lane])
            };
            if flushes && operands.iter().zip(&types).any(is_small) {
                let words = |(columns, &ty): (&Vec<Column>, &Option<Type>)| {
                    let words = columns.iter().map(|column| flushed(ty, column[lane])).collect();
                    Some(Value { ty: ty?, words })
                };
                let given: Option<Vec<Value>> = operands.iter().zip(&types).map(words).collect();
                let immediates = inst.map_or(&[][..], |inst| &inst.immediates);
                if let Some(value) = given.and_then(|given| sdlbc::compute(site.op, &given, immediates)) {
                    columns.iter_mut().zip(value.words).for_each(|(column, word)| column[lane] = word);
                }
            }
            for ((of, columns), &ty) in of.iter_mut().zip(operands).zip(&types) {
                for (number, column) in of.iter_mut().zip(columns) {
                    *number = match flushed(ty, column[lane]) {
                        word if floats(ty) => f64::from(f32::from_bits(word)),
                        word if signed(ty) => f64::from(word.cast_signed()),
                        word => f64::from(word),
                    };
                }
            }
            if is_float {
                result.iter_mut().zip(&*columns).for_each(|(value, column)| *value = f32::from_bits(column[lane]));
                let own = product(site.op, &types, &of).or_else(|| converted(site.op, &types, &of));
                self.floats(site.op, half, &of, &mut result, own);
                columns.iter_mut().zip(&result).for_each(|(column, value)| column[lane] = value.to_bits());
                continue;
            }
            // Two nearly equal numbers may compare equal on a device with different rounding errors.
            if let [a, b] = &of[..]
                && matches!(site.op, Op::Equal | Op::NotEqual)
            {
                for (at, column) in columns.iter_mut().enumerate() {
                    let of =
                        |operand: &[f64]| operand.get(if operand.len() == 1 { 0 } else { at }).copied().unwrap_or(0.0);
                    let (a, b) = (of(a), of(b));
                    if a != b && (a - b).abs() < 4e-6 * a.abs().max(b.abs()) {
                        column[lane] = self.random.below(2) as u32;
                    }
                }
            }
            // Comparisons with infinities or NaNs are undefined, and so are conversions of numbers that do not fit in an int.
            let wild = of.iter().flatten().any(|value| !value.is_finite());
            for (at, column) in columns.iter_mut().enumerate() {
                let from = of.first().and_then(|of| of.get(at)).copied().unwrap_or(0.0);
                let beyond = match site.ty {
                    Type::Vector(Scalar::Int, _) => !(-2147483648.0..2147483648.0).contains(&from.trunc()),
                    Type::Vector(Scalar::Uint, _) => !(0.0..4294967296.0).contains(&from.trunc()),
                    _ => false,
                };
                if wild || site.op == Op::Convert && beyond {
                    column[lane] = match site.ty {
                        Type::Vector(Scalar::Bool, _) => (self.run >> 1) as u32 & 1,
                        // The choices include the limits of ints, so that a sum with an undefined int also varies between runs
                        // and counts as open.
                        _ => [0, u32::MAX, 1 << 31, i32::MAX.cast_unsigned(), self.random.next() as u32]
                            [self.random.below(5)],
                    };
                }
            }
        }
    }
}

/// Returns the result of converting ints to floats. An int that no float represents exactly may become either of the two
/// neighbouring floats.
fn converted(op: Op, types: &[Option<Type>], of: &[Vec<f64>]) -> Option<Vec<Number>> {
    let &Some(Type::Vector(Scalar::Int | Scalar::Uint, _)) = types.first()? else { return None };
    let number = |&value: &f64| {
        let is_held = f64::from(value as f32) == value;
        Number {
            error: if is_held { 0.0 } else { value.abs() * f64::from(f32::EPSILON) / 2.0 },
            ..Number::exact(value)
        }
    };
    (op == Op::Convert).then(|| of.first().map_or_else(Vec::new, |of| of.iter().map(number).collect()))
}

/// Returns each component of a product that has a matrix operand, together with its error, or `None` for other operations.
fn product(op: Op, types: &[Option<Type>], of: &[Vec<f64>]) -> Option<Vec<Number>> {
    if op != Op::Multiply {
        return None;
    }
    let (a, b) = (of.first()?, of.get(1)?);
    let rows_of = |matrix: &[f64], rows: u8| -> Vec<Vec<f64>> {
        (0..usize::from(rows)).map(|row| matrix.iter().skip(row).step_by(rows.into()).copied().collect()).collect()
    };
    let columns_of =
        |matrix: &[f64], rows: u8| -> Vec<Vec<f64>> { matrix.chunks(rows.into()).map(<[f64]>::to_vec).collect() };
    let pairs: Vec<(Vec<f64>, Vec<f64>)> = match (types.first().copied()??, types.get(1).copied()??) {
        (Type::Matrix { rows, .. }, Type::Matrix { rows: inner, .. }) => {
            let (rows, columns) = (rows_of(a, rows), columns_of(b, inner));
            columns.iter().flat_map(|column| rows.iter().map(|row| (row.clone(), column.clone()))).collect()
        }
        (Type::Matrix { rows, .. }, Type::Vector(..)) if b.len() > 1 => {
            rows_of(a, rows).into_iter().map(|row| (row, b.clone())).collect()
        }
        (Type::Vector(..), Type::Matrix { rows, .. }) if a.len() > 1 => {
            columns_of(b, rows).into_iter().map(|column| (a.clone(), column)).collect()
        }
        _ => return None,
    };
    Some(precision::product(&pairs))
}

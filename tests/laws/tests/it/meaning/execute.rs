//! Runs one invocation of an entry function with our interpreter, as docs/format.md specifies. Texels and derivatives come from
//! [`Given`] and not from the interpreter.

use sdlbc::compute::Value;
use sdlbc::{Body, FunctionKind, InputKind, Inst, Module, Op, OutputKind, Scalar, Type, Types};
use sdlbc_interp::{Column, LANES, Mask, Observer, Program, Resources, Site};

use super::given::Given;
use laws::shader::{Level, moved, to_half, whole};

/// The outputs of a run, in the order of the function's outputs. `None` means that the invocation was discarded.
pub(crate) type Outputs = Option<Vec<Value>>;

/// Supplies texels and derivatives, and records whether the run depends on details that the format leaves undefined.
struct Watch<'a> {
    given: &'a Given,
    /// The result of [`to_ints`] for each function.
    to_ints: Vec<Vec<Option<std::ops::Range<f32>>>>,
    /// The slots of array textures.
    arrays: Vec<u32>,
    /// The first immediate of each instruction in each function. The first immediate of a gather selects the component.
    components: Vec<Vec<usize>>,
    open: bool,
}

/// Returns an entry for each instruction. The entry of a conversion from floats to ints is the range of the int type, and any
/// other entry is `None`.
fn to_ints(body: &Body, types: &Types) -> Vec<Option<std::ops::Range<f32>>> {
    let range = |inst: &Inst| {
        let from = inst.inputs.first().and_then(|&from| types.get(from));
        let from_float = matches!(from, Some(Type::Vector(Scalar::Float | Scalar::Half, _)));
        let range = match types.get(inst.output) {
            Some(Type::Vector(Scalar::Int, _)) => Some(-2147483648.0..2147483648.0),
            Some(Type::Vector(Scalar::Uint, _)) => Some(0.0..4294967296.0),
            _ => None,
        };
        range.filter(|_| inst.op == Op::Convert && from_float)
    };
    body.insts().iter().map(range).collect()
}

impl Observer for Watch<'_> {
    fn result(&mut self, site: &Site, _: Mask, operands: &[Vec<Column>], columns: &mut [Column]) {
        let range = self.to_ints.get(site.function).and_then(|all| all.get(site.instruction)?.clone());
        if let Some(range) = range {
            let from = operands[0].iter().map(|column| f32::from_bits(column[0]).trunc());
            self.open |= from.into_iter().any(|value| !range.contains(&value));
            return;
        }
        if site.op == Op::TextureSize {
            let slot = site.texture.expect("a texture");
            let mut sizes = Given::sizes(slot, operands[1][0][0].cast_signed());
            if self.arrays.contains(&slot) {
                // All mip levels of an array texture have the same number of layers.
                sizes[2] = Given::sizes(slot, 0)[2];
            }
            columns.iter_mut().zip(sizes).for_each(|(column, size)| column[0] = size);
            return;
        }
        if site.op == Op::Bitcast {
            // The bits of a NaN are undefined.
            self.open |= operands[0].iter().any(|column| f32::from_bits(column[0]).is_nan());
            return;
        }
        let numbers = |at: usize| -> Vec<f32> { operands[at].iter().map(|column| f32::from_bits(column[0])).collect() };
        // The layer of an array texture is a separate operand.
        let is_array = site.texture.is_some_and(|slot| self.arrays.contains(&slot));
        let more = if is_array { 3 } else { 2 };
        let level = match site.op {
            Op::Ddx | Op::Ddy => {
                for (column, value) in columns.iter_mut().zip(numbers(0)) {
                    let slope = if site.op == Op::Ddx { self.given.ddx(value) } else { self.given.ddy(value) };
                    let half = matches!(site.ty, Type::Vector(Scalar::Half, _));
                    column[0] = if half { to_half(slope) } else { slope }.to_bits();
                }
                return;
            }
            Op::Sample => Level::Auto,
            Op::SampleBias => Level::Bias(numbers(more)[0]),
            Op::SampleLod => Level::Exact(numbers(more)[0]),
            Op::SampleGrad => Level::Gradient(numbers(more), numbers(more + 1)),
            Op::Fetch => Level::Fetched(operands[more][0][0].cast_signed()),
            Op::Gather => Level::Gathered(self.components[site.function][site.instruction]),
            Op::GatherCompare => Level::Compared(numbers(more)[0]),
            Op::SampleCompare | Op::SampleCompareZero => {
                Level::Reference(numbers(more)[0], site.op == Op::SampleCompare)
            }
            Op::Ldexp => {
                let exponents = operands[1].iter().map(|column| column[0].cast_signed());
                self.open |= exponents.into_iter().any(|exponent| !(-126..=127).contains(&exponent));
                return;
            }
            _ => return,
        };
        let mut place: Vec<f32> = match site.op {
            Op::Fetch => {
                let columns = operands[1].iter().zip(site.offset);
                columns.map(|(column, by)| column[0].cast_signed().wrapping_add(by) as f32).collect()
            }
            _ => numbers(1),
        };
        if is_array {
            place.push(operands[2][0][0].cast_signed() as f32);
        }
        if site.op != Op::Fetch {
            moved(&mut place, &site.offset);
        }
        let texel = self.given.texel(site.texture.expect("a texture"), &place, &level);
        columns.iter_mut().zip(texel).for_each(|(column, value)| {
            column[0] = match site.ty {
                Type::Vector(Scalar::Int, _) => whole(value, true),
                Type::Vector(Scalar::Uint, _) => whole(value, false),
                _ => value.to_bits(),
            };
        });
    }
}

/// Runs the function at `index`. Returns the outputs, and whether the outputs are undefined. A function that does not terminate
/// causes an error.
pub(crate) fn run(module: &Module, index: usize, given: &Given) -> Result<(Outputs, bool), String> {
    // Each uniform is named after its binding, because unnamed uniforms are separate uniforms.
    let mut named = module.clone();
    let mut resources = Resources::default();
    for (number, function) in named.functions.iter_mut().enumerate() {
        let stage = if function.kind == FunctionKind::Generic { module.functions[index].kind } else { function.kind };
        for input in function.inputs.iter_mut().filter(|input| input.kind.is_uniform()) {
            // Uniforms with the same place get the same name, even if no instruction reads them.
            if let InputKind::Placed { slot, offset } = input.kind {
                input.name = format!("in slot {slot} at {offset}");
            }
            let Some(binding) = given.binding(number, input.id) else { continue };
            if input.kind == InputKind::Uniform {
                input.name = format!("at {binding}");
            }
            let words = given.input(number, input.id, input.kind, input.ty);
            resources.uniforms.insert((stage, input.name.clone()), words);
        }
    }
    let program = Program::new(&named, index).map_err(|error| error.to_string())?;
    let function = &module.functions[index];
    let inputs = |kind: InputKind| {
        let input = function.inputs.iter().find(|input| input.kind == kind)?;
        let words = given.input(index, input.id, kind, input.ty);
        Some(std::array::from_fn(|at| [words.get(at).copied().unwrap_or(0); LANES]))
    };
    let functions = module.functions.iter().enumerate();
    let to_ints = functions.map(|(index, function)| to_ints(&function.body, &sdlbc::infer_types(module, index)));
    let is_array = |ty: Type| matches!(ty, Type::Texture(dimension, _) if dimension.has_layers());
    let inputs_of_all = module.functions.iter().flat_map(|function| &function.inputs);
    let arrays = inputs_of_all.filter_map(|input| match input.kind {
        InputKind::Texture { slot, .. } if is_array(input.ty) => Some(slot),
        _ => None,
    });
    let component = |inst: &Inst| inst.immediates.first().map_or(0, |&word| word as usize);
    let components = module.functions.iter().map(|function| function.body.insts().iter().map(component).collect());
    let mut watch = Watch {
        given,
        to_ints: to_ints.collect(),
        arrays: arrays.collect(),
        components: components.collect(),
        open: false,
    };
    let ran = program.run(&resources, 1, &inputs, Some(&mut watch)).map_err(|error| error.to_string())?;
    let value = |(output, columns): (&sdlbc::FunctionOutput, &Vec<Column>)| {
        assert!(output.kind != OutputKind::Returned);
        Value { ty: output.ty, words: columns.iter().map(|column| column[0]).collect() }
    };
    let outputs = (ran.live != 0).then(|| function.outputs.iter().zip(&ran.outputs).map(value).collect());
    Ok((outputs, watch.open))
}

//! Assigns registers to inputs: attributes and varyings by location, textures by slot, and uniforms in the function's order.

use agal_front::register::File;
use sdlbc::compute::Value;
use sdlbc::{Id, Input, InputKind, Interpolation, Op, Scalar, Texel, Type};

use super::{Frame, Selected, Selector, Val};
use crate::code::Lane;
use crate::constants::ConstantSource;
use crate::refusal::RefusalKind;

/// The maximum length of a local array whose elements are tracked.
const LOCAL: u32 = 64;

/// The names of the arrays that stand for the constant register files in modules lifted from AGAL.
const WHOLE_FILES: [&str; 2] = ["vc", "fc"];

impl Selector<'_> {
    pub(super) fn inputs(&mut self, frame: &mut Frame<'_>) -> Selected<()> {
        // An array that is the whole file of constants is placed first, because it must start at register 0.
        let is_file =
            |input: &&Input| matches!(input.ty, Type::Array(..)) && WHOLE_FILES.contains(&input.name.as_str());
        let (first, rest): (Vec<&Input>, Vec<&Input>) = self.function.inputs.iter().partition(is_file);
        for input in first.into_iter().chain(rest) {
            let value = self.input(input)?;
            frame.values.insert(input.id, value);
        }
        // The callees of the selected function may read further uniforms.
        let mut called = vec![self.function];
        let mut at = 0;
        while let Some(&function) = called.get(at) {
            at += 1;
            for inst in function.body.insts().iter().filter(|inst| inst.op == Op::Call) {
                let number = inst.immediates.first().and_then(|&number| usize::try_from(number).ok());
                let callee = number.and_then(|number| self.module.functions.get(number));
                if let Some(callee) = callee.filter(|&callee| !called.iter().any(|other| std::ptr::eq(*other, callee)))
                {
                    for input in callee.inputs.iter().filter(|input| input.kind.is_uniform()) {
                        self.input(input)?;
                    }
                    called.push(callee);
                }
            }
        }
        let limit = File::Constant.count(self.stage(), self.code.version);
        let needed = self.registers.count();
        if needed > limit { Err(RefusalKind::Constants { needed, limit }) } else { Ok(()) }
    }

    /// Returns the value of an input. Functions that share an input get the same value.
    pub(super) fn input(&mut self, input: &Input) -> Selected<Val> {
        let refused = |what| RefusalKind::Input { name: input.name.clone(), what };
        match input.kind {
            InputKind::Attribute { location } => self.register(File::Attribute, location, input),
            InputKind::Varying { location, interpolation: Interpolation::Perspective } => {
                self.register(File::Varying, location, input)
            }
            InputKind::Varying { .. } => Err(refused("its interpolation is not perspective-correct")),
            InputKind::Uniform | InputKind::Placed { .. } => {
                if let Some(known) = self.uniforms.get(&input.name).filter(|_| !input.name.is_empty()) {
                    return Ok(known.clone());
                }
                let uniform = self.uniform(input)?;
                self.uniforms.insert(input.name.clone(), uniform.clone());
                Ok(uniform)
            }
            InputKind::Texture { slot, sampler } => {
                let Type::Texture(dimension, texel) = input.ty else { return Err(refused("it has no texture type")) };
                if dimension.has_layers() {
                    return Err(refused("an array texture"));
                }
                if texel != Texel::Float {
                    return Err(refused("a texture whose texels are not floats"));
                }
                let limit = File::Sampler.count(self.stage(), self.code.version);
                if slot >= limit {
                    return Err(RefusalKind::Register { file: File::Sampler, number: slot, limit });
                }
                Ok(Val::Texture(slot, dimension, sampler))
            }
            InputKind::Builtin(sdlbc::Builtin::InstanceIndex) => {
                self.since(3, "the instance index")?;
                Ok(Val::Int { lane: Lane::Register(File::Instance, 0, 0), is_whole: true, plus: 0 })
            }
            InputKind::Builtin(builtin) => Err(refused(builtin.name())),
            InputKind::Buffer { .. } => Err(refused("a storage buffer")),
            InputKind::Image { .. } => Err(refused("a storage texture")),
            InputKind::Shared => Err(refused("a shared array")),
            InputKind::Parameter => Err(refused("a parameter of an entry point")),
            InputKind::Local => match input.ty {
                Type::Array(scalar, width, length) if length <= LOCAL => {
                    // All elements of a local array are zero when the function begins.
                    let count = usize::from(width);
                    let zero = match scalar {
                        Scalar::Float => Val::Lanes(Self::number(0.0).repeat(count)),
                        _ => Val::Known(Value { ty: Type::Vector(scalar, width), words: vec![0; count] }),
                    };
                    Ok(Val::Local(vec![zero; usize::try_from(length).unwrap_or(0)]))
                }
                _ => Err(refused("a local array with too many elements")),
            },
        }
    }

    fn register(&self, file: File, number: u32, input: &Input) -> Selected<Val> {
        let limit = file.count(self.stage(), self.code.version);
        let Type::Vector(Scalar::Float, width) = input.ty else {
            return Err(RefusalKind::Input { name: input.name.clone(), what: "its components are not floats" });
        };
        if number >= limit {
            return Err(RefusalKind::Register { file, number, limit });
        }
        Ok(Val::Lanes((0..width).map(|component| Lane::Register(file, number, component)).collect()))
    }

    fn uniform(&mut self, input: &Input) -> Selected<Val> {
        let as_float = matches!(input.ty, Type::Vector(scalar, _) if scalar != Scalar::Float);
        let source = |element: u32, component: u8, is_row: bool| {
            let name = input.name.clone();
            ConstantSource::Uniform { name, element, is_row, component, as_float }
        };
        let registers = |count: u32, width: u8, is_row: bool| -> Vec<[Option<ConstantSource>; 4]> {
            let register = |element| [0, 1, 2, 3].map(|at| (at < width).then(|| source(element, at, is_row)));
            (0..count).map(register).collect()
        };
        let lanes = |first: u32, from: u8, width: u8| -> Vec<Lane> {
            (from..from + width).map(|component| Lane::Register(File::Constant, first, component)).collect()
        };
        match input.ty {
            Type::Vector(Scalar::Float, 4) => {
                Ok(Val::Lanes(lanes(self.registers.reserve(registers(1, 4, false)), 0, 4)))
            }
            // The application uploads ints and bools as floats, as `ConstantSource::Uniform` states.
            Type::Vector(scalar @ (Scalar::Float | Scalar::Int | Scalar::Uint | Scalar::Bool), width) => {
                let sources: Vec<ConstantSource> = (0..width).map(|component| source(0, component, false)).collect();
                let (register, component) = self.registers.pack(&sources);
                let lanes = lanes(register, component, width);
                Ok(match scalar {
                    Scalar::Float => Val::Lanes(lanes),
                    Scalar::Bool => Val::Truth(lanes),
                    _ => {
                        let least = if scalar == Scalar::Uint { 0.0 } else { -super::ints::UNIFORM };
                        self.note(&lanes, (least, super::ints::UNIFORM));
                        Val::Whole(scalar, lanes)
                    }
                })
            }
            Type::Array(Scalar::Float, width, length) => {
                let limit = File::Constant.count(self.stage(), self.code.version);
                let needed = self.registers.count().saturating_add(length);
                if needed > limit {
                    return Err(RefusalKind::Constants { needed, limit });
                }
                Ok(Val::Array(self.registers.reserve(registers(length, width, false)), length, width))
            }
            Type::Matrix { columns, rows } if self.is_read_by_rows(input.id) => {
                let first = self.registers.reserve(registers(u32::from(rows), columns, true));
                let lane = |column| move |row: u8| Lane::Register(File::Constant, first + u32::from(row), column);
                Ok(Val::Matrix((0..columns).map(|column| (0..rows).map(lane(column)).collect()).collect()))
            }
            Type::Matrix { columns, rows } => {
                let first = self.registers.reserve(registers(u32::from(columns), rows, false));
                Ok(Val::Matrix((0..columns).map(|column| lanes(first + u32::from(column), 0, rows)).collect()))
            }
            _ => Err(RefusalKind::Input { name: input.name.clone(), what: "its components are not floats" }),
        }
    }

    /// Reports whether a matrix is used only as the left factor of products. Each component of a product is then a dot product
    /// with a row.
    fn is_read_by_rows(&self, id: Id) -> bool {
        let mut uses = self.function.body.insts().iter().filter(|inst| inst.inputs.contains(&id)).peekable();
        uses.peek().is_some()
            && uses.all(|inst| {
                inst.op == Op::Multiply && inst.inputs.first() == Some(&id) && inst.inputs.get(1) != Some(&id)
            })
    }
}

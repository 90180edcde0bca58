//! Lifts a program into a function of an SDLSHADERBC module.
//!
//! The lifter visits each instruction once. The lifter's register file maps each register component to a lane of an SSA value
//! ([`sdlbc::ssa`]). MOV and SWZ copy lanes in the register file, and emit instructions only for negations and constants. The
//! lifter computes only results on which an output depends.

use sdlbc::builder::{Finished, Lane};
use sdlbc::front::{FindingPlace, Mask};
use sdlbc::ssa::Registers;
use sdlbc::{
    Builder, Builtin, Few, FunctionDebug, FunctionKind, FunctionOutput, Id, InputKind, Interpolation, Module, Op,
    OutputKind, Scalar, Texel, Type,
};

use crate::finding::{Finding, Kind};
use crate::live::{ADDRESS, OUTPUTS, REGISTERS, liveness, slots_of, written};
use crate::opcode::{Function, Meaning};
use crate::program::{Dimension, Program};
use crate::register::{File, Register, UNIFORMS, input, output};
use crate::validate::validate_all;
use crate::word::{Instruction, Part};
use sdlbc::front::Stage;

/// A module lifted from programs, with the warnings about each program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifted {
    /// The module, with one function for each program in the order of the programs.
    pub module: Module,
    /// The warnings of each program, in the order of the programs.
    pub findings: Vec<Vec<Finding>>,
    /// For each program, the origins of the module instructions in reading order. An origin is the number of a program
    /// instruction, counted from 1, or 0 for code after the last program instruction.
    pub lines: Vec<Vec<u32>>,
}

/// Lifts one program, or a vertex and a fragment program as a pair.
///
/// # Errors
/// Returns the findings of every program if at least one finding is an error.
pub fn translate(programs: &[&Program]) -> Result<Lifted, Vec<Vec<Finding>>> {
    let mut findings = validate_all(programs);
    if findings.iter().flatten().any(Finding::is_error) {
        return Err(findings);
    }
    let mut module = Module::default();
    let mut lines = Vec::new();
    for ((program, findings), number) in programs.iter().zip(&mut findings).zip(0..) {
        match Lifter::new(program).run() {
            Ok(Finished { function, names, members, lines: of_function, .. }) => {
                lines.push(of_function);
                module.functions.push(function);
                let debug = FunctionDebug { function: number, ids: names, members, ..FunctionDebug::default() };
                if !debug.is_empty() {
                    module.debug.functions.push(debug);
                }
            }
            // The lifter should emit only valid instructions, so an invalid function is a bug in this crate and becomes a
            // finding.
            Err(error) => findings.push(Finding::new(Kind::Internal { error }, FindingPlace::default())),
        }
    }
    if findings.iter().flatten().any(Finding::is_error) {
        return Err(findings);
    }
    Ok(Lifted { module, findings, lines })
}

/// The lanes of a result, one for each computed component.
type Lanes = Few<Lane>;

struct Lifter<'p> {
    program: &'p Program,
    builder: Builder,
    registers: Registers,
    inputs: [Option<Id>; 16],
    uniforms: Option<Id>,
    /// The length of the uniform array, which is one more than the highest uniform number that the program reads.
    count: u32,
    textures: [Option<Id>; 8],
}

impl<'p> Lifter<'p> {
    fn new(program: &'p Program) -> Lifter<'p> {
        let (kind, name) = match program.stage {
            Stage::Vertex => (FunctionKind::Vertex, "vs_main"),
            Stage::Fragment => (FunctionKind::Fragment, "fs_main"),
        };
        Lifter {
            program,
            builder: Builder::with_capacity(kind, name, program.instructions.len() * 3 + 12),
            registers: Registers::new(REGISTERS),
            inputs: [None; 16],
            uniforms: None,
            count: 0,
            textures: [None; 8],
        }
    }

    fn run(mut self) -> Result<Finished, String> {
        let live = liveness(self.program);
        for ((line, instruction), live) in (1..).zip(&self.program.instructions).zip(live) {
            self.builder.at_line(line);
            if let Some((register, _)) = written(instruction).filter(|_| !live.is_empty()) {
                let first = self.builder.next_id();
                let lanes = self.compute(instruction, live);
                self.assign(register, live, &lanes, first);
            }
        }
        self.builder.at_line(0);
        self.write_outputs();
        if let Some(uniforms) = self.uniforms {
            self.builder.resize_input(uniforms, self.count);
        }
        self.builder.finish_with_lines().map_err(|error| error.to_string())
    }

    /// Writes a result to a register, with one lane for each component of `live`. Values with the id `first` or a higher id are
    /// named after the register.
    fn assign(&mut self, register: usize, live: Mask, lanes: &[Lane], first: Id) {
        for (component, &lane) in live.components().zip(lanes) {
            self.registers.write(register * 4 + usize::from(component), lane);
        }
        let name = self.builder.text(self.name(register));
        if let [lane, ..] = lanes
            && lanes.iter().all(|other| other.value == lane.value)
            && self.builder.ty(lane.value).and_then(Type::width).map(usize::from) == Some(lanes.len())
        {
            self.builder.name_computed(lane.value, name);
        }
        self.builder.name_since(first, name);
    }

    fn name(&self, register: usize) -> String {
        let index = u8::try_from(register % OUTPUTS).unwrap_or(0);
        match register {
            ADDRESS => "address".to_string(),
            OUTPUTS.. => output(self.program.stage, index).map_or_else(String::new, |register| register.to_string()),
            _ => Register::Temporary(index).to_string(),
        }
    }

    fn number(&mut self, value: f32) -> Lane {
        let value = self.builder.emit_outermost(Op::LiteralFloat, &[], &[value.to_bits()]);
        Lane { value, lane: 0 }
    }

    fn read(&mut self, instruction: &Instruction, source: usize, slots: Mask) -> Lanes {
        let Some(&of) = instruction.sources.get(source) else { return Lanes::new() };
        // A uniform at a computed index is read once for all its components.
        let relative = match of.file {
            File::Relative if !slots.is_empty() => Some(self.element(instruction.number(of))),
            _ => None,
        };
        let mut lanes = Lanes::new();
        for slot in slots.components() {
            let (negate, part) = instruction.selected(source, slot);
            let lane = match (part, of.file) {
                (Part::Zero, _) => self.number(0.0),
                (Part::One, _) => self.number(1.0),
                (Part::Component(component), File::Temporary) => {
                    let held = self.registers.read(usize::from(of.index) * 4 + usize::from(component));
                    held.unwrap_or_else(|| self.number(0.0))
                }
                (Part::Component(component), File::Input) => self.input(of.index, component),
                (Part::Component(lane), File::Uniform) => Lane { value: self.uniform(instruction.number(of)), lane },
                (Part::Component(lane), File::Relative) => Lane { value: relative.unwrap_or_default(), lane },
            };
            lanes.push(if negate { Lane { value: self.builder.negate(lane.value), ..lane } } else { lane });
        }
        lanes
    }

    /// Gathers the slots of an operand into a vector.
    fn vector(&mut self, instruction: &Instruction, source: usize, slots: Mask) -> Id {
        let lanes = self.read(instruction, source, slots);
        self.builder.gather(&lanes)
    }

    /// Returns a componentwise operation's operand, as a scalar if all lanes are equal.
    fn operand(&mut self, instruction: &Instruction, source: usize, slots: Mask) -> Id {
        let lanes = self.read(instruction, source, slots);
        match lanes.split_first() {
            Some((first, rest)) if rest.iter().all(|lane| lane == first) => self.builder.gather(&[*first]),
            _ => self.builder.gather(&lanes),
        }
    }

    fn operands(&mut self, instruction: &Instruction, [first, second]: [Mask; 2]) -> [Id; 2] {
        [(0, first), (1, second)].map(|(source, slots)| self.operand(instruction, source, slots))
    }

    fn input(&mut self, index: u8, component: u8) -> Lane {
        let known = self.inputs.get(usize::from(index)).copied().flatten();
        let value = known.unwrap_or_else(|| self.first_read(index));
        if let Some(place) = self.inputs.get_mut(usize::from(index)) {
            *place = Some(value);
        }
        // Components that an input lacks read as 0, except w, which reads as 1.
        let width = self.builder.ty(value).and_then(Type::width).unwrap_or(4);
        match component {
            3 if width < 4 => self.number(1.0),
            _ if component >= width => self.number(0.0),
            lane => Lane { value, lane },
        }
    }

    /// Adds the input at `index` to the function, and returns the input's value, converted to floats.
    fn first_read(&mut self, index: u8) -> Id {
        let register = input(self.program.stage, index);
        let (ty, kind) = match register {
            Some(Register::Varying(location)) => {
                let location = location.into();
                (Type::FLOAT4, InputKind::Varying { location, interpolation: Interpolation::Perspective })
            }
            Some(Register::FrontFacing) => (Type::BOOL, InputKind::Builtin(Builtin::FrontFacing)),
            Some(Register::PointCoordinate) => (Type::floats(2), InputKind::Builtin(Builtin::PointCoordinate)),
            Some(Register::FragmentCoordinate) => (Type::FLOAT4, InputKind::Builtin(Builtin::FragmentCoordinate)),
            _ => (Type::FLOAT4, InputKind::Attribute { location: index.into() }),
        };
        let name = register.map_or_else(String::new, |register| register.to_string());
        let value = self.builder.input(name, ty, kind);
        match ty == Type::BOOL {
            true => self.builder.emit_outermost(Op::Convert, &[value], &[Type::FLOAT.word()]),
            false => value,
        }
    }

    fn uniforms(&mut self) -> Id {
        if let Some(uniforms) = self.uniforms {
            return uniforms;
        }
        let ty = Type::Array(Scalar::Float, 4, UNIFORMS.into());
        *self.uniforms.insert(self.builder.input("u", ty, InputKind::Uniform))
    }

    fn uniform(&mut self, number: u8) -> Id {
        let uniforms = self.uniforms();
        self.count = self.count.max(u32::from(number) + 1);
        self.builder.emit_outermost(Op::Peek, &[uniforms, Id::NONE], &[number.into()])
    }

    /// Reads the uniform whose number is the sum of `number` and the address register.
    fn element(&mut self, number: u8) -> Id {
        let uniforms = self.uniforms();
        self.count = UNIFORMS.into();
        let address = self.registers.read(ADDRESS * 4).unwrap_or_else(|| self.number(0.0));
        let index = self.builder.convert(address.value, Scalar::Int);
        self.builder.name(index, "index");
        self.builder.peek(uniforms, Some(index), number.into())
    }

    /// Computes the result of an instruction, and returns a lane for each component of `live`.
    fn compute(&mut self, instruction: &Instruction, live: Mask) -> Lanes {
        let slots = |source| slots_of(self.program, instruction, source, live);
        let [first, second] = [0, 1].map(slots);
        let value = match instruction.op.row().meaning {
            Meaning::Nothing => return Lanes::new(),
            Meaning::Move => return self.read(instruction, 0, first),
            Meaning::Address => {
                let s = self.operand(instruction, 0, first);
                self.builder.floor(s)
            }
            Meaning::Componentwise(op) if instruction.op.row().sources == 1 => {
                let a = self.operand(instruction, 0, first);
                self.builder.emit(op, &[a], &[])
            }
            Meaning::Componentwise(op) => {
                let [a, b] = self.operands(instruction, [first, second]);
                self.builder.emit(op, &[a, b], &[])
            }
            Meaning::Compare(op) => {
                let [a, b] = self.operands(instruction, [first, second]);
                let truth = self.builder.emit(op, &[a, b], &[]);
                self.builder.convert(truth, Scalar::Float)
            }
            Meaning::MultiplyAdd => {
                let [a, b, c] = [0, 1, 2].map(|source| self.operand(instruction, source, live));
                let product = self.builder.multiply(a, b);
                self.builder.add(product, c)
            }
            Meaning::Clamp => {
                let [a, b] = self.operands(instruction, [first, second]);
                let zero = self.builder.float(0.0);
                let above = self.builder.max(a, zero);
                self.builder.min(above, b)
            }
            Meaning::MultiplyZ => {
                let mut lanes = self.read(instruction, 0, first);
                if let Some(z) = live.components().position(|component| component == 2)
                    && let Some(lane) = lanes.get(z).copied()
                {
                    let a = self.builder.gather(&[lane]);
                    let b = self.operand(instruction, 1, second);
                    let value = self.builder.multiply(a, b);
                    if let Some(lane) = lanes.get_mut(z) {
                        *lane = Lane { value, lane: 0 };
                    }
                }
                return lanes;
            }
            Meaning::Scalar(function) => {
                let s = self.operand(instruction, 0, first);
                self.function(function, s)
            }
            Meaning::Dot(_) => {
                let [a, b] = [(0, first), (1, second)].map(|(source, slots)| self.vector(instruction, source, slots));
                self.builder.dot(a, b)
            }
            Meaning::DotHomogeneous => {
                let [a, b] = [0, 1].map(|source| self.vector(instruction, source, Mask(7)));
                let dot = self.builder.dot(a, b);
                let w = self.operand(instruction, 1, Mask(8));
                self.builder.add(dot, w)
            }
            Meaning::Distance => {
                return self.by_component(live, |lifter, component| lifter.distance(instruction, component));
            }
            Meaning::Cross => {
                let mut value = Id::NONE;
                if live.0 & 7 != 0 {
                    let [a, b] = [0, 1].map(|source| self.vector(instruction, source, Mask(7)));
                    value = self.builder.cross(a, b);
                }
                return self.by_component(live, |lifter, component| match component {
                    3 => lifter.number(0.0),
                    lane => Lane { value, lane },
                });
            }
            Meaning::Exponential => return self.by_component(live, |lifter, c| lifter.exponential(instruction, c)),
            Meaning::Logarithm => return self.by_component(live, |lifter, c| lifter.logarithm(instruction, c)),
            Meaning::Texture => {
                let value = self.texture(instruction, first);
                return live.components().map(|lane| Lane { value, lane }).collect();
            }
        };
        // A scalar result is copied to every component of the destination.
        let is_scalar = self.builder.ty(value).and_then(Type::width) == Some(1);
        (0..).zip(live.components()).map(|(lane, _)| Lane { value, lane: if is_scalar { 0 } else { lane } }).collect()
    }

    fn by_component(&mut self, live: Mask, mut of: impl FnMut(&mut Self, u8) -> Lane) -> Lanes {
        live.components().map(|component| of(self, component)).collect()
    }

    fn function(&mut self, function: Function, s: Id) -> Id {
        match function {
            Function::Power => self.builder.exp2(s),
            Function::Logarithm => self.builder.log2(s),
            Function::RoughLogarithm => {
                let lowest = self.builder.float(f32::MIN);
                let log = self.builder.log2(s);
                self.builder.max(log, lowest)
            }
            Function::Reciprocal => {
                let one = self.builder.float(1.0);
                self.builder.divide(one, s)
            }
            Function::ReciprocalRoot => {
                let absolute = self.builder.abs(s);
                self.builder.rsqrt(absolute)
            }
        }
    }

    fn distance(&mut self, instruction: &Instruction, component: u8) -> Lane {
        let of = Mask(1 << component);
        let value = match component {
            0 => return self.number(1.0),
            1 => {
                let [a, b] = [0, 1].map(|source| self.operand(instruction, source, of));
                self.builder.multiply(a, b)
            }
            2 => self.operand(instruction, 0, of),
            _ => self.operand(instruction, 1, of),
        };
        Lane { value, lane: 0 }
    }

    fn exponential(&mut self, instruction: &Instruction, component: u8) -> Lane {
        let s = self.operand(instruction, 0, Mask(1));
        let value = match component {
            0 => {
                let floor = self.builder.floor(s);
                self.builder.exp2(floor)
            }
            1 => self.builder.fract(s),
            2 => self.builder.exp2(s),
            _ => return self.number(1.0),
        };
        Lane { value, lane: 0 }
    }

    fn logarithm(&mut self, instruction: &Instruction, component: u8) -> Lane {
        if component == 3 {
            return self.number(1.0);
        }
        let s = self.operand(instruction, 0, Mask(1));
        let s = self.builder.abs(s);
        let log = self.builder.log2(s);
        if component == 2 {
            return Lane { value: log, lane: 0 };
        }
        // EXPONENT returns the exponent for a fraction of at least 0.5 and less than 1. ARB's LOG needs the exponent for a
        // fraction of at least 1 and less than 2; that exponent is lower by one.
        let one = self.builder.int(1);
        let exponent = self.builder.exponent(s);
        let exponent = self.builder.subtract(exponent, one);
        // Zero, infinities and NaN have no exponent, and some devices treat denormals as zero.
        let [least, most] = [f32::MIN_POSITIVE, f32::MAX].map(|bound| self.builder.float(bound));
        let is_above = self.builder.greater_than_or_equal(s, least);
        let is_below = self.builder.less_than_or_equal(s, most);
        let has_exponent = self.builder.logical_and(is_above, is_below);
        let (without, of_exponent) = match component {
            0 => (log, self.builder.convert(exponent, Scalar::Float)),
            _ => {
                let down = self.builder.negate(exponent);
                (self.builder.float(1.0), self.builder.ldexp(s, down))
            }
        };
        Lane { value: self.builder.select(has_exponent, of_exponent, without), lane: 0 }
    }

    fn texture(&mut self, instruction: &Instruction, slots: Mask) -> Id {
        let coordinate = self.vector(instruction, 0, slots);
        let slot = instruction.sampler;
        let known = self.textures.get(usize::from(slot)).copied().flatten();
        let texture = known.unwrap_or_else(|| {
            let dimension = match self.program.dimension(slot) {
                Dimension::D2 => sdlbc::Dimension::D2,
                Dimension::Cube => sdlbc::Dimension::Cube,
                Dimension::D3 => sdlbc::Dimension::D3,
            };
            // A program contains no sampler state, because the application sets it. The lifter chooses linear filtering and
            // repeat wrapping.
            let sampler = sdlbc::Sampler { filter: 1, wrap_u: 1, wrap_v: 1, special: 4, ..sdlbc::Sampler::default() };
            let kind = InputKind::Texture { slot: slot.into(), sampler };
            self.builder.input(format!("t{slot}"), Type::Texture(dimension, Texel::Float), kind)
        });
        if let Some(place) = self.textures.get_mut(usize::from(slot)) {
            *place = Some(texture);
        }
        match self.program.stage {
            Stage::Fragment => self.builder.sample(texture, coordinate, None),
            Stage::Vertex => {
                let level = self.builder.float(0.0);
                self.builder.sample_lod(texture, coordinate, None, level)
            }
        }
    }

    /// Writes each output that has a written component, and fills the output's other components with 0.
    fn write_outputs(&mut self) {
        for index in 0..16 {
            let Some(register) = output(self.program.stage, index) else { continue };
            let place = OUTPUTS + usize::from(index);
            let held = *self.registers.components(place);
            if held.iter().all(|lane| !lane.value.is_some()) {
                continue;
            }
            let mut lanes = held.map(|lane| if lane.value.is_some() { lane } else { self.number(0.0) });
            let kind = match register {
                Register::Position => {
                    self.adjust_depth(&mut lanes);
                    OutputKind::Position
                }
                Register::PointSize => OutputKind::PointSize,
                Register::Varying(location) => {
                    OutputKind::Varying { location: location.into(), interpolation: Interpolation::Perspective }
                }
                Register::Data(target) => OutputKind::Colour { target: target.into() },
                _ => OutputKind::Colour { target: 0 },
            };
            let width = if kind == OutputKind::PointSize { 1 } else { 4 };
            let value = self.builder.gather(lanes.get(..usize::from(width)).unwrap_or_default());
            let name = self.builder.text(register.to_string());
            self.builder.name_unnamed(value, name);
            let ty = Type::floats(width);
            let number = self.builder.output(FunctionOutput { ty, name: register.to_string(), kind });
            self.builder.poke(number, value);
        }
    }

    /// Converts z from OpenGL's range (-w to w) to the module's range (0 to w).
    fn adjust_depth(&mut self, [_, _, z, w]: &mut [Lane; 4]) {
        let [of_z, of_w] = [*z, *w].map(|lane| self.builder.gather(&[lane]));
        let sum = self.builder.add(of_z, of_w);
        let half = self.builder.float(0.5);
        let value = self.builder.multiply(sum, half);
        self.builder.name(value, "depth");
        *z = Lane { value, lane: 0 };
    }
}

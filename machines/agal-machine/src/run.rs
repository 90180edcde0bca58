//! Executes a program: defines the state of four invocations, and how each step changes the state.

#![expect(
    clippy::indexing_slicing,
    reason = "lanes, components and sources are counted within the arrays' lengths; a swizzle's component has two bits"
)]

use agal_front::register::File;
use agal_front::token::Mask;

use super::compute::{compute, saturate};
use super::decode::{Action, Operand, Register, Step, TextureLevel};
use super::float::Float;
use super::texture::Dimension;
use super::{Effect, Inputs, Lanes, LevelOfDetail, Lookup, Machine, OutputRegister, Outputs, Quad, Trace};

impl Machine {
    /// Runs the program in four invocations.
    pub fn run(&self, inputs: &Inputs<'_>) -> Outputs {
        self.trace(inputs, |_| {})
    }

    /// Runs the program in four invocations. Calls `report` for every token in order, even if no invocation executes the token.
    pub fn trace(&self, inputs: &Inputs<'_>, mut report: impl FnMut(&Trace)) -> Outputs {
        let values = vec![Quad::default(); self.decoded.writable.len()];
        let written = vec![[0; 4]; values.len()];
        let (before, open, killed) = (Vec::new(), Vec::new(), [false; 4]);
        let mut execution = Execution { machine: self, inputs, values, before, written, open, killed };
        for (index, step) in self.decoded.steps.iter().enumerate() {
            let ran = execution.active();
            let effect = execution.step(step, ran);
            report(&Trace { token: index + 1, ran, effect });
        }
        execution.outputs()
    }
}

struct Conditional {
    /// The invocations that reached the conditional.
    reached: Lanes,
    /// The invocations that execute the conditional's current arm.
    active: Lanes,
}

struct Execution<'a> {
    machine: &'a Machine,
    inputs: &'a Inputs<'a>,
    /// The values of the writable registers, in the order of [`Decoded::writable`](super::decode::Decoded::writable).
    values: Vec<Quad>,
    /// The values of the writable registers on entry to the outermost open conditional.
    before: Vec<Quad>,
    /// For each writable register, the mask of the components that each invocation has written.
    written: Vec<[u8; 4]>,
    /// The open conditionals, outermost first.
    open: Vec<Conditional>,
    killed: Lanes,
}

impl Execution<'_> {
    /// Returns the invocations that execute the next token.
    fn active(&self) -> Lanes {
        self.open.last().map_or([true; 4], |conditional| conditional.active)
    }

    fn step(&mut self, step: &Step, ran: Lanes) -> Effect {
        match &step.action {
            Action::If(compare) => {
                let [a, b] = self.operands(step);
                let active = std::array::from_fn(|lane| ran[lane] && compare(a[lane][0], b[lane][0]));
                if self.open.is_empty() {
                    self.before.clone_from(&self.values);
                }
                self.open.push(Conditional { reached: ran, active });
                Effect::Active(active)
            }
            Action::Else => {
                if let Some(conditional) = self.open.last_mut() {
                    conditional.active =
                        std::array::from_fn(|lane| conditional.reached[lane] && !conditional.active[lane]);
                }
                Effect::Active(self.active())
            }
            Action::EndIf => {
                self.open.pop();
                Effect::Active(self.active())
            }
            Action::Kill => {
                let [a, _] = self.operands(step);
                for (lane, killed) in self.killed.iter_mut().enumerate() {
                    *killed |= ran[lane] && a[lane][0] < 0.0;
                }
                Effect::Killed(self.killed)
            }
            Action::Compute(_) | Action::Derivative(_) | Action::Texture(_) => self.write(step, ran),
        }
    }

    /// Computes a step's result in all invocations and, in the active ones, writes the components in the mask.
    fn write(&mut self, step: &Step, ran: Lanes) -> Effect {
        let Some(destination) = step.destination else { return Effect::Active(ran) };
        if ran.contains(&true) {
            let result = self.result(step);
            if let Some(values) = self.values.get_mut(destination.register)
                && let Some(written) = self.written.get_mut(destination.register)
            {
                for lane in (0..4).filter(|&lane| ran[lane]) {
                    for component in destination.mask.components() {
                        values[lane][usize::from(component)] = result[lane][usize::from(component)];
                    }
                    written[lane] |= destination.mask.0;
                }
            }
        }
        let register = self.machine.decoded.writable.get(destination.register);
        match register.zip(self.values.get(destination.register)) {
            Some((&(file, number), &values)) => Effect::Wrote(file, number, destination.mask, values),
            None => Effect::Active(ran),
        }
    }

    fn result(&self, step: &Step) -> Quad {
        match &step.action {
            Action::Derivative(vertical) => {
                let [a, _] = self.operands(step);
                let environment = self.inputs.environment;
                let changes = [0, 1, 2, 3].map(|component| {
                    let values = a.map(|lane| lane[component]);
                    if *vertical { environment.ddy(values) } else { environment.ddx(values) }
                });
                std::array::from_fn(|lane| changes.map(|of_component| self.float().of(of_component[lane])))
            }
            Action::Texture(texture) => {
                let [a, _] = self.operands(step);
                let width = Dimension::of(texture.sampler).coordinates();
                let coordinates = a.map(|lane| std::array::from_fn(|i| if i < width { lane[i] } else { 0.0 }));
                let level = match &texture.level {
                    TextureLevel::Implicit => LevelOfDetail::Implicit(coordinates),
                    TextureLevel::ImplicitBefore(origins) => LevelOfDetail::Implicit(std::array::from_fn(|lane| {
                        std::array::from_fn(|i| origins.get(i).map_or(0.0, |&origin| self.before(origin, lane)))
                    })),
                    TextureLevel::Zero => LevelOfDetail::Explicit([0.0; 4]),
                    TextureLevel::FourthComponent => LevelOfDetail::Explicit(a.map(|lane| lane[3])),
                };
                let lookup = Lookup { sampler: texture.sampler, coordinates, level, bias: texture.bias };
                let texels = self.inputs.environment.texels(&lookup);
                let texels = texels.map(|texel| texel.map(|component| self.float().of(component)));
                if texture.single { texels.map(|texel| [texel[0]; 4]) } else { texels }
            }
            Action::Compute(operation) => {
                let [a, b] = self.operands(step);
                let rows = |lane: usize, row: usize| match &step.sources[1] {
                    Some(source) => self.read(source, row, lane),
                    None => [0.0; 4],
                };
                std::array::from_fn(|lane| compute(self.float(), *operation, a[lane], b[lane], |row| rows(lane, row)))
            }
            _ => Quad::default(),
        }
    }

    /// Returns the values of both sources. A missing source is zero.
    fn operands(&self, step: &Step) -> [Quad; 2] {
        [0, 1].map(|slot| match &step.sources[slot] {
            Some(source) => std::array::from_fn(|lane| self.read(source, 0, lane)),
            None => Quad::default(),
        })
    }

    /// Returns the value of a source in one invocation. `row` is added to the register's number.
    #[expect(clippy::cast_possible_truncation, reason = "the index is an integer, clamped to 32 bits")]
    fn read(&self, source: &Operand, row: usize, lane: usize) -> [f32; 4] {
        let value = match source.index {
            None => self.register(source.register, row, lane),
            Some(index) => {
                let at = self.register(index.register, 0, lane)[index.component];
                let truncates = self.machine.options.truncate_index;
                let at = if truncates { at.trunc() } else { self.float().add(at, 0.5).floor() };
                // No published description defines the result of an index outside the range of register numbers. Like the PEEK
                // instruction of SDLSHADERBC, the machine clamps the index to the range of a 32-bit integer, and adds the offset
                // with wraparound.
                let at = at.clamp(-2147483648.0, 2147483520.0) as i32;
                let at = at.wrapping_add(index.offset + i32::try_from(row).unwrap_or(0));
                self.register(Register::Constant(at.clamp(0, self.machine.constants - 1) as usize), 0, lane)
            }
        };
        source.swizzle.map(|component| value[component])
    }

    fn float(&self) -> Float {
        self.machine.options.float
    }

    fn register(&self, register: Register, row: usize, lane: usize) -> [f32; 4] {
        let given = match register {
            Register::Writable(index) => return self.values.get(index + row).map_or([0.0; 4], |quad| quad[lane]),
            Register::Input(number) => self.inputs.registers.get(number + row).map_or([0.0; 4], |quad| quad[lane]),
            Register::Constant(number) => self.inputs.constants.get(number + row).copied().unwrap_or_default(),
            Register::Instance => [self.inputs.instance[lane] as f32; 4],
        };
        given.map(|component| self.float().of(component))
    }

    /// Returns a component's value on entry to the outermost open conditional.
    fn before(&self, (register, component): (Register, usize), lane: usize) -> f32 {
        match register {
            Register::Writable(index) => self.before.get(index).map_or(0.0, |quad| quad[lane][component]),
            register => self.register(register, 0, lane)[component],
        }
    }

    fn outputs(self) -> Outputs {
        let decoded = &self.machine.decoded;
        let mut registers = Vec::new();
        for &index in &decoded.outputs {
            let register = decoded.writable.get(index).zip(self.values.get(index)).zip(self.written.get(index));
            let Some(((&(file, number), &(mut values)), &written)) = register else { continue };
            if file == File::Depth {
                values.iter_mut().for_each(|lane| lane[0] = saturate(lane[0]));
            }
            let written = written.map(Mask);
            registers.push(OutputRegister { file, number, values, written });
        }
        Outputs { registers, killed: self.killed }
    }
}

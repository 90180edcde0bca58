//! A decoded program that is ready to run, and the inputs that it reads. `run.rs` executes the program.

use std::collections::BTreeSet;

use agal_front::program::Program;
use agal_front::register::{File, Stage};

use crate::compute::Operation;
use crate::decode::{Action, Decoded, Register};
use crate::{Dimension, Error, Options, decode, level};

/// A program that is ready to run.
#[derive(Clone, Debug)]
pub struct Machine {
    pub(crate) stage: Stage,
    pub(crate) options: Options,
    /// The number of constants. A computed index is clamped to be less than this number.
    pub(crate) constants: i32,
    pub(crate) decoded: Decoded,
}

impl Machine {
    /// Decodes a program and prepares it to run.
    ///
    /// # Errors
    /// Returns an error for the first token that cannot run.
    pub fn new(program: &Program, options: Options) -> Result<Machine, Error> {
        let mut decoded = decode::decode(program, options)?;
        level::resolve(&mut decoded.steps);
        let constants = File::Constant.count(program.stage, program.version) as i32;
        Ok(Machine { stage: program.stage, options, constants, decoded })
    }

    /// Returns the program's stage: vertex or fragment.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Returns the input registers that the program's tokens read, even if no invocation executes the tokens. Input registers are
    /// attributes, varyings, constants, samplers and the instance number. Constants that are read through an index are omitted;
    /// see [`Machine::indexes`].
    pub fn reads(&self) -> BTreeSet<(File, u32)> {
        let inputs = if self.stage == Stage::Vertex { File::Attribute } else { File::Varying };
        let mut reads = BTreeSet::new();
        for step in &self.decoded.steps {
            if let Action::Texture(texture) = &step.action {
                reads.insert((File::Sampler, u32::from(texture.sampler.number)));
            }
            for (slot, source) in step.sources.iter().enumerate() {
                let Some(source) = source else { continue };
                let rows = match step.action {
                    Action::Compute(Operation::Rows(rows, _)) if slot == 1 && source.index.is_none() => rows.into(),
                    _ => 1,
                };
                let (file, first) = match source.index.map_or(source.register, |index| index.register) {
                    Register::Input(number) => (inputs, number),
                    Register::Constant(number) => (File::Constant, number),
                    Register::Instance => (File::Instance, 0),
                    Register::Writable(_) => continue,
                };
                let numbers = (0..rows).filter_map(|row| u32::try_from(first + row).ok());
                reads.extend(numbers.map(|number| (file, number)));
            }
        }
        reads
    }

    /// Reports whether the program reads constants through an index, and may therefore read any constant.
    pub fn indexes(&self) -> bool {
        self.decoded.steps.iter().flat_map(|step| step.sources.iter().flatten()).any(|source| source.index.is_some())
    }

    /// Returns the texture dimension of a sampler; `None` if the program does not use the sampler.
    pub fn dimension(&self, sampler: u32) -> Option<Dimension> {
        self.decoded.steps.iter().find_map(|step| match &step.action {
            Action::Texture(texture) if u32::from(texture.sampler.number) == sampler => {
                Some(Dimension::of(texture.sampler))
            }
            _ => None,
        })
    }
}

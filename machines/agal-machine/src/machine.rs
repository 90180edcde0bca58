//! A program that is ready to run: its tokens are decoded and its inputs are known. `run.rs` runs it.

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
    /// The number of constants. Computed indices are clamped to it.
    pub(crate) constants: i32,
    pub(crate) decoded: Decoded,
}

impl Machine {
    /// Prepares a program.
    ///
    /// # Errors
    /// The first token that cannot be run.
    pub fn new(program: &Program, options: Options) -> Result<Machine, Error> {
        let mut decoded = decode::decode(program, options)?;
        level::resolve(&mut decoded.steps);
        let constants = File::Constant.count(program.stage, program.version) as i32;
        Ok(Machine { stage: program.stage, options, constants, decoded })
    }

    /// The stage of the program.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The input registers that some token reads, whether or not it is executed: attributes or varyings, constants, samplers
    /// and the instance number. Constants that are read through an index are not included, see [`Machine::indexes`].
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

    /// Whether constants are read through an index. Any constant may then be read.
    pub fn indexes(&self) -> bool {
        self.decoded.steps.iter().flat_map(|step| step.sources.iter().flatten()).any(|source| source.index.is_some())
    }

    /// The texture dimension of a sampler, if the program uses the sampler.
    pub fn dimension(&self, sampler: u32) -> Option<Dimension> {
        self.decoded.steps.iter().find_map(|step| match &step.action {
            Action::Texture(texture) if u32::from(texture.sampler.number) == sampler => {
                Some(Dimension::of(texture.sampler))
            }
            _ => None,
        })
    }
}

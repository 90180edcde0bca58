//! The results of a run: the output registers, and the effect of each token.

use agal_front::register::File;
use agal_front::token::Mask;

use crate::{Lanes, Quad};

/// An output register after a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputRegister {
    /// The register file: [`File::Output`], [`File::Varying`] or [`File::Depth`].
    pub file: File,
    /// The register's number in its file.
    pub number: u32,
    /// The register's value in each invocation.
    pub values: Quad,
    /// The mask of the components that each invocation wrote. Unwritten components are zero.
    pub written: [Mask; 4],
}

/// The results of a run in four invocations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs {
    /// The output registers that the program's tokens write, in order of file and number, even if no invocation executes the
    /// tokens.
    pub registers: Vec<OutputRegister>,
    /// The discarded invocations, whose outputs are meaningless.
    pub killed: Lanes,
}

impl Outputs {
    /// Returns the output register of the given file and number; `None` if no token of the program writes that register.
    pub fn get(&self, file: File, number: u32) -> Option<&OutputRegister> {
        self.registers.iter().find(|output| (output.file, output.number) == (file, number))
    }
}

/// The change that one token makes to registers or invocations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// A write to a register: the file, the number, the write mask, and the register's value after the write.
    Wrote(File, u32, Mask, Quad),
    /// The invocations that execute the next token, after a conditional, an `els` or an `eif`.
    Active(Lanes),
    /// The invocations discarded so far, after a `kil`.
    Killed(Lanes),
}

/// The execution of one token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trace {
    /// The token's number, counted from 1.
    pub token: usize,
    /// The invocations that executed the token.
    pub ran: Lanes,
    /// The effect of the token in the invocations that executed it.
    pub effect: Effect,
}

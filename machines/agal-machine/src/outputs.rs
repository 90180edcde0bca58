//! The results of a run: the output registers, and the effect of each token.

use agal_front::register::File;
use agal_front::token::Mask;

use crate::{Lanes, Quad};

/// An output register after a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputRegister {
    /// [`File::Output`], [`File::Varying`] or [`File::Depth`].
    pub file: File,
    /// The register's number.
    pub number: u32,
    /// The value of the register in each invocation.
    pub values: Quad,
    /// The components that each invocation wrote; the others are zero.
    pub written: [Mask; 4],
}

/// The results of four invocations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs {
    /// The output registers that some token of the program writes, whether or not it was executed, by file and number.
    pub registers: Vec<OutputRegister>,
    /// The discarded invocations. Their outputs are meaningless.
    pub killed: Lanes,
}

impl Outputs {
    /// The register with a file and number, if the program writes it.
    pub fn get(&self, file: File, number: u32) -> Option<&OutputRegister> {
        self.registers.iter().find(|output| (output.file, output.number) == (file, number))
    }
}

/// The effect of a token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// The token wrote a register: the file, the number, the write mask and the register's value afterwards.
    Wrote(File, u32, Mask, Quad),
    /// The token was a conditional, `els` or `eif`: the invocations that execute the next token.
    Active(Lanes),
    /// The token was a `kil`: the invocations discarded so far.
    Killed(Lanes),
}

/// The execution of a token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trace {
    /// The token, counted from 1.
    pub token: usize,
    /// The invocations that executed it; the others skipped it.
    pub ran: Lanes,
    /// The effect in the invocations that executed the token.
    pub effect: Effect,
}

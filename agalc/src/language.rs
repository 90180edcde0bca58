//! The interface that the input languages implement, each in its own file.

pub(crate) mod agal;
pub(crate) mod constants;
#[cfg(feature = "es2")]
pub(crate) mod es2;

use sdlbc::Module;
use sdlbc::front::{FindingPlace, Mask, SourceMap, Stage};

use crate::finding::Finding;
use crate::input::Code;
use crate::names::Names;
use crate::options::Options;

pub use agal::Agal;
#[cfg(feature = "es2")]
pub use es2::Es2;

/// Programs that were lifted to functions of one module.
pub(crate) struct Lifted {
    pub(crate) module: Module,
    /// The number of the program instruction from which each IR instruction was lifted, in one list for each program.
    pub(crate) lines: Vec<Vec<u32>>,
}

pub(crate) struct Read<P> {
    pub(crate) program: P,
    pub(crate) map: SourceMap,
    pub(crate) findings: Vec<Finding>,
}

pub(crate) enum Raw<'a> {
    Bytes(&'a [u8]),
    Text(&'a str),
}

/// A program in one of the input languages. Two programs that are checked or lifted together form a pair.
pub(crate) trait Language: Instructions + Sized {
    /// Returns the program in `code`, or `None` if the program is in another language.
    fn of(code: &mut Code) -> Option<&mut Self>;

    /// Decodes bytecode or assembles text. If a stage is given, the text must be a program for that stage.
    ///
    /// # Errors
    /// Returns the findings that prevent the program from being read, with severities set by the rules.
    fn read(raw: Raw<'_>, stage: Option<Stage>, options: &Options) -> Result<Read<Self>, Vec<Finding>>;

    /// Assigns the same version to the programs of one upload before they are checked or lifted.
    fn agree(_programs: &mut [&mut Self], _options: &Options) {}

    /// Returns the findings of each program, with their locations in its bytecode.
    fn check(programs: &[&mut Self], options: &Options) -> Vec<Vec<Finding>>;

    /// Lifts programs into one module, unless a program has an error. The result includes the findings of each program.
    fn lift(programs: &mut [&mut Self], names: &Names, options: &Options) -> (Option<Lifted>, Vec<Vec<Finding>>);

    /// Adds the position in the source text to a finding. Returns `None` for a finding about code that the user did not
    /// write.
    fn place(&self, found: Finding, map: &SourceMap) -> Option<Finding> {
        Some(Finding { place: map.locate(found.place), ..found })
    }

    /// Returns the varyings that at least one program of a pair uses.
    fn varyings(vertex: &Self, fragment: &Self) -> Vec<Varying>;
}

pub(crate) trait Instructions {
    fn stage(&self) -> Stage;

    /// Returns the version of the program's language, or `None` if the language has only one version.
    fn version(&self) -> Option<u32>;

    fn len(&self) -> usize;

    /// Returns the text of the instruction with the given number, counted from 1.
    fn line(&self, number: u32) -> Option<String>;

    fn encode(&self) -> Vec<u8>;

    /// Returns text that assembles to exactly this program, or `None` if no such text exists.
    fn disassemble(&self) -> Option<String>;

    /// Lists the words of the bytecode, each with its instruction.
    fn listing(&self) -> String;
}

/// A varying that at least one program of a pair uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Varying {
    /// The number of the varying register, such as 0 for `v0`.
    pub number: u32,
    /// The components that the vertex program writes.
    pub written: Mask,
    /// The components that the fragment program reads.
    pub read: Mask,
}

/// Returns the source line of the instruction with the given number, or 0 if the line is unknown.
pub(crate) fn line_of(map: &SourceMap, number: u32) -> u32 {
    let place = FindingPlace { instruction: Some(number).filter(|&number| number > 0), ..FindingPlace::default() };
    map.locate(place).span.map_or(0, |span| span.line)
}

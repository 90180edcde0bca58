//! The languages of programs: the interface of a front end to the library. Each language is implemented in its own file.

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

/// Programs that became functions of a module.
pub(crate) struct Lifted {
    pub(crate) module: Module,
    /// By program and by instruction of its function, the number of the program's instruction that it comes from.
    pub(crate) lines: Vec<Vec<u32>>,
}

/// A program that was read.
pub(crate) struct Read<P> {
    pub(crate) program: P,
    pub(crate) map: SourceMap,
    pub(crate) findings: Vec<Finding>,
}

/// The bytes or the text of a program.
pub(crate) enum Raw<'a> {
    Bytes(&'a [u8]),
    Text(&'a str),
}

/// A program of a language. Two programs that are checked or lifted together are a pair.
pub(crate) trait Language: Instructions + Sized {
    /// Returns the program in `code`, if it is of this language.
    fn of(code: &mut Code) -> Option<&mut Self>;

    /// Decodes or assembles a program. If a stage is given, a text must be of that stage.
    ///
    /// # Errors
    /// The findings that prevent the program from being read, judged by the rules.
    fn read(raw: Raw<'_>, stage: Option<Stage>, options: &Options) -> Result<Read<Self>, Vec<Finding>>;

    /// Gives the programs of one upload the same version, before they are checked or lifted.
    fn agree(_programs: &mut [&mut Self], _options: &Options) {}

    /// Returns the findings of each program, with places in its bytecode.
    fn check(programs: &[&mut Self], options: &Options) -> Vec<Vec<Finding>>;

    /// Lifts programs into one module, unless one of them has an error. Also returns the findings of each program.
    fn lift(programs: &mut [&mut Self], names: &Names, options: &Options) -> (Option<Lifted>, Vec<Vec<Finding>>);

    /// Gives a finding its place in the text. Returns `None` for a finding about code that is not the user's.
    fn place(&self, found: Finding, map: &SourceMap) -> Option<Finding> {
        Some(Finding { place: map.locate(found.place), ..found })
    }

    /// Returns the varyings of a pair.
    fn varyings(vertex: &Self, fragment: &Self) -> Vec<Varying>;
}

/// A program as a list of instructions.
pub(crate) trait Instructions {
    /// The stage.
    fn stage(&self) -> Stage;

    /// The version of the language, if it has several.
    fn version(&self) -> Option<u32>;

    /// The number of instructions.
    fn len(&self) -> usize;

    /// An instruction as text, by its number, counted from 1.
    fn line(&self, number: u32) -> Option<String>;

    /// The program as bytecode.
    fn encode(&self) -> Vec<u8>;

    /// The text that assembles to exactly this program, if there is one.
    fn disassemble(&self) -> Option<String>;

    /// Lists the words of the bytecode, each with its instruction.
    fn listing(&self) -> String;
}

/// A varying of a pair that one of the programs writes or reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Varying {
    /// Its number.
    pub number: u32,
    /// The components that the vertex program writes.
    pub written: Mask,
    /// The components that the fragment program reads.
    pub read: Mask,
}

/// The line of an instruction in the text that a program was assembled from; 0 if it has none.
pub(crate) fn line_of(map: &SourceMap, number: u32) -> u32 {
    let place = FindingPlace { instruction: Some(number).filter(|&number| number > 0), ..FindingPlace::default() };
    map.locate(place).span.map_or(0, |span| span.line)
}

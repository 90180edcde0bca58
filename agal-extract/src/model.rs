//! Results of an extraction: programs, the places of each, and the pairs that are used together.

use std::collections::BTreeMap;

use agalc::Stage;
use serde::Serialize;

/// Result of an extraction. Its lists are in an order that depends only on the inputs.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Extraction {
    /// Summary of each input, in the order of the inputs.
    pub inputs: Vec<Summary>,
    /// The programs. Each occurs once, with all its places.
    pub programs: Vec<Program>,
    /// Programs that are uploaded together.
    pub pairs: Vec<Pair>,
    /// Parts that could not be read, and limits that were reached.
    pub warnings: Vec<Warning>,
}

impl Extraction {
    /// Adds a warning about an input, or about a part of it.
    pub(crate) fn warn(&mut self, input: usize, path: Vec<String>, message: impl Into<String>) {
        self.warnings.push(Warning { input, path, message: message.into() });
    }
}

/// The number of a program in [`Extraction::programs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProgramId(pub usize);

/// A program that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The program itself.
    pub code: Code,
    /// Stage, if it is known from the program's bytes, from its registers, or from the call that assembles or uploads it.
    pub stage: Option<Stage>,
    /// AGAL version, if it is known from the program's bytes or from the call that assembles it.
    pub version: Option<u32>,
    /// Whether the program is only a piece: a text that no call takes, and that writes no output or reads registers that only
    /// another piece can write.
    pub is_piece: bool,
    /// Places of the program: at least one. The program is named after the first.
    pub places: Vec<Place>,
}

/// The text or the bytes of a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Code {
    /// AGAL text. Unknown parts are holes.
    Text {
        /// The text.
        text: Template,
        /// Language of the text.
        language: Language,
    },
    /// AGAL bytecode, in its original byte order.
    Bytecode {
        /// The bytes of the program alone.
        bytes: Vec<u8>,
        /// The byte order of its numbers.
        order: ByteOrder,
    },
}

/// The language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// The language of Adobe's AGALMiniAssembler.
    Mini,
    /// The language of Adobe's AGALMacroAssembler.
    Macro,
    /// The language of Alternativa3D's procedures, with registers such as `i0`, `t0`, `c0` and `o0`.
    Alternativa,
}

/// The byte order of bytecode. Flash uploads little endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ByteOrder {
    /// Little endian: the low byte first.
    Little,
    /// Big endian: the high byte first.
    Big,
}

/// A text with parts that may be unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Template {
    /// The parts in reading order. No two texts are adjacent.
    pub pieces: Vec<Piece>,
    /// Description of each hole, by its name.
    pub holes: BTreeMap<String, Hole>,
}

impl Template {
    /// The text, if it has no holes.
    pub(crate) fn known(&self) -> Option<String> {
        let known = |piece: &Piece| match piece {
            Piece::Text(text) => Some(text.clone()),
            Piece::Hole(_) => None,
        };
        self.pieces.iter().map(known).collect()
    }

    /// The names of the holes in the order of the text; a hole may occur several times.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Hole(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// Text that is known.
    Text(String),
    /// The name of a hole. Holes with the same name stand for the same text.
    Hole(String),
}

/// A part of a text that is not known before the program runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hole {
    /// The expression whose value replaces the hole, such as `this._registers.getFreeFragmentVectorTemp()`.
    pub expression: String,
    /// Place where the expression is evaluated.
    pub place: Option<Place>,
}

/// A place in the inputs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The input, an index of [`Extraction::inputs`].
    pub input: usize,
    /// Path within the input, such as `["library.swf", "DoABC 2"]` or `["DefineBinaryData 7"]`.
    pub path: Vec<String>,
    /// The site at that path.
    pub site: Site,
    /// Conditions of this variant, which all hold, in the order of evaluation. Empty if the place has only one variant.
    pub conditions: Vec<Condition>,
}

impl Place {
    /// A place without conditions.
    pub(crate) fn new(input: usize, path: Vec<String>, site: Site) -> Place {
        Place { input, path, site, conditions: Vec::new() }
    }
}

/// A site in code, in a source or in data.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Site {
    /// In the code of a method.
    Method {
        /// The class with its package, or the script's definition; empty for a script's own code.
        class: String,
        /// The method's name.
        method: String,
        /// The byte offset of the instruction in the method's code, or the line (from 1) in a source.
        at: u32,
        /// The class that declares the method, if `class` inherits the method: the path, and the offset or line, refer to the
        /// declaring class.
        inherited_from: Option<String>,
    },
    /// In data.
    Data {
        /// The name of the class that embeds the data, if a class does.
        symbol: Option<String>,
        /// The byte offset of the program.
        offset: usize,
    },
    /// In a trace: the player uploaded the program during a run.
    Trace {
        /// The line, from 1.
        line: u32,
    },
}

/// A condition that is decided at run time.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Condition {
    /// The expression of the condition, such as `this.mipmap`.
    pub expression: String,
    /// The alternative that was taken.
    pub taken: Alternative,
}

/// An alternative of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Alternative {
    /// The condition holds.
    True,
    /// The condition does not hold.
    False,
    /// The expression has this value.
    Is(String),
}

/// Two programs that one call uploads.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The vertex program.
    pub vertex: ProgramId,
    /// The fragment program.
    pub fragment: ProgramId,
    /// The calls that upload them.
    pub places: Vec<Place>,
    /// Whether the pair is a guess: no followed call takes both programs, but outside other pairs they are the only vertex and
    /// the only fragment program that a class makes.
    pub is_probable: bool,
}

/// Kind of an input, and counts of the parts that were examined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The input's name.
    pub name: String,
    /// Kind of the input, such as `SWF 14, zlib` or `a trace`.
    pub kind: String,
    /// Number of ABC blocks.
    pub blocks: usize,
    /// Number of classes in the blocks.
    pub classes: usize,
    /// Number of methods with code.
    pub methods: usize,
    /// Number of items of binary data.
    pub data: usize,
    /// Calls that assemble or upload an unknown program: it is built only from run-time data.
    pub unknown: Vec<Place>,
}

/// A part that could not be read or was not examined further.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Warning {
    /// The input, an index of [`Extraction::inputs`].
    pub input: usize,
    /// Path within the input.
    pub path: Vec<String>,
    /// Description of the problem, in one sentence without a full stop.
    pub message: String,
}

/// A function that is called with the number of finished parts and the number of all parts.
pub type Progress<'p> = &'p (dyn Fn(usize, usize) + Sync);

//! What is found: programs, where each came from, and which are used together.

use std::collections::BTreeMap;

use agalc::Stage;
use serde::Serialize;

/// Everything that was found in some inputs, in a fixed order that depends on the inputs alone.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Extraction {
    /// What each input is and what was looked at there, in the order of the inputs.
    pub inputs: Vec<Summary>,
    /// The programs. Each is there once, with all its places.
    pub programs: Vec<Program>,
    /// Which programs are uploaded together.
    pub pairs: Vec<Pair>,
    /// What could not be read, and which limits were reached.
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
    /// Its stage, if the call that assembles or uploads it, its bytes or its registers tell.
    pub stage: Option<Stage>,
    /// The AGAL version that the call that assembles it, or its bytes, tell.
    pub version: Option<u32>,
    /// Whether it is only a piece of a program: a text that no call takes, and that writes no output or reads registers that only
    /// another piece can write.
    pub is_piece: bool,
    /// Where it was found. There is at least one place; the first one names the program.
    pub places: Vec<Place>,
}

/// A program as it was found.
#[derive(Clone, Debug, PartialEq)]
pub enum Code {
    /// AGAL text. Parts that are not known are holes.
    Text {
        /// The text.
        text: Template,
        /// Which language it is in.
        language: Language,
    },
    /// AGAL bytecode, as it was found.
    Bytecode {
        /// The bytes, of the program alone.
        bytes: Vec<u8>,
        /// The byte order of its numbers.
        order: ByteOrder,
    },
}

/// The language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// That of Adobe's AGALMiniAssembler.
    Mini,
    /// That of Adobe's AGALMacroAssembler.
    Macro,
    /// That of Alternativa3D's procedures, with registers such as `i0`, `t0`, `c0` and `o0`.
    Alternativa,
}

/// The byte order of bytecode. Flash uploads little endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ByteOrder {
    /// The low byte first.
    Little,
    /// The high byte first.
    Big,
}

/// A text, parts of which may be unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Template {
    /// The parts in reading order: two texts are never next to each other.
    pub pieces: Vec<Piece>,
    /// What is known of each hole, by its name.
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

    /// The names of the holes as they stand in the text.
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
    /// The name of a hole. The same hole at two places stands for the same text.
    Hole(String),
}

/// A part of a text that is not known before the program runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hole {
    /// The expression that it stands for, such as `this._registers.getFreeFragmentVectorTemp()`.
    pub expression: String,
    /// Where in the inputs that expression is evaluated.
    pub place: Option<Place>,
}

/// A place in the inputs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The input, an index of [`Extraction::inputs`].
    pub input: usize,
    /// Where in the input's structure, such as `["library.swf", "DoABC 2"]` or `["DefineBinaryData 7"]`.
    pub path: Vec<String>,
    /// The site there.
    pub site: Site,
    /// What must hold for this variant: a conjunction, in the order of evaluation. Empty if nothing was chosen.
    pub conditions: Vec<Condition>,
}

impl Place {
    /// A place at which nothing was chosen.
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
        /// The offset in bytes of the instruction in the method's code, or the line (from 1) in a source.
        at: u32,
        /// The class that declares the method, if `class` inherits it: the path, and the offset or line, are its.
        inherited_from: Option<String>,
    },
    /// In data, at an offset in bytes.
    Data {
        /// The name of the class that embeds the data, if one does.
        symbol: Option<String>,
        /// The offset of the first byte.
        offset: usize,
    },
    /// In a trace of a run: the player uploaded it.
    Trace {
        /// The line, from 1.
        line: u32,
    },
}

/// A condition that the values at run time decide.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Condition {
    /// The expression, such as `this.mipmap`.
    pub expression: String,
    /// The way that was taken.
    pub taken: Alternative,
}

/// A way at a condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Alternative {
    /// The condition holds.
    True,
    /// It does not.
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
    /// Whether no call that was followed is given both: one object makes them, a vertex and a fragment program that are its only ones.
    pub is_probable: bool,
}

/// What an input is, and what was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The input's name.
    pub name: String,
    /// What it is, such as `SWF 14, zlib` or `a trace`.
    pub kind: String,
    /// How many ABC blocks it has.
    pub blocks: usize,
    /// How many classes they have.
    pub classes: usize,
    /// How many methods have code.
    pub methods: usize,
    /// How many items of binary data it has.
    pub data: usize,
    /// Calls that assemble or upload something of which nothing is known: what is built at run time from data alone.
    pub unknown: Vec<Place>,
}

/// Something that could not be read or was not looked at further.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Warning {
    /// The input, an index of [`Extraction::inputs`].
    pub input: usize,
    /// Where in the input.
    pub path: Vec<String>,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
}

/// Takes how many parts are done, and of how many.
pub type Progress<'p> = &'p (dyn Fn(usize, usize) + Sync);

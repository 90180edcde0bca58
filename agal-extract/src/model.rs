//! The result of an extraction: the programs, the places where they occur, and the pairs of programs that are uploaded together.

use std::collections::BTreeMap;

use agalc::Stage;
use serde::Serialize;

/// The result of an extraction. The order of the lists depends only on the inputs, not on timing.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Extraction {
    /// A summary of each input, in the order of the inputs.
    pub inputs: Vec<Summary>,
    /// The programs without duplicates. A program that occurs several times has several entries in [`Program::places`].
    pub programs: Vec<Program>,
    /// Pairs of vertex and fragment programs that are uploaded together.
    pub pairs: Vec<Pair>,
    /// Warnings about parts that could not be read and about limits that were reached.
    pub warnings: Vec<Warning>,
}

impl Extraction {
    pub(crate) fn warn(&mut self, input: usize, path: Vec<String>, message: impl Into<String>) {
        self.warnings.push(Warning { input, path, message: message.into() });
    }
}

/// The index of a program in [`Extraction::programs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProgramId(pub usize);

/// An AGAL program found in the inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The program's AGAL text or bytecode.
    pub code: Code,
    /// The shader stage, if the bytecode, the registers, or the call that assembles or uploads the program reveals it.
    pub stage: Option<Stage>,
    /// The AGAL version, if the bytecode or the call that assembles the program states it.
    pub version: Option<u32>,
    /// Whether the text is only a piece of a program, such as a text that writes no output and that no call assembles.
    pub is_piece: bool,
    /// The places where the program occurs; there is at least one.
    pub places: Vec<Place>,
}

/// The AGAL text or bytecode of a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Code {
    /// AGAL text, in which holes replace the parts that are unknown until run time.
    Text {
        /// The program's text, with its holes.
        text: Template,
        /// The AGAL dialect of the text.
        language: Language,
    },
    /// AGAL bytecode in its original byte order.
    Bytecode {
        /// The program's bytes, without the surrounding data.
        bytes: Vec<u8>,
        /// The byte order of the bytecode's numbers.
        order: ByteOrder,
    },
}

/// The AGAL dialect in which a program's text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// The dialect of Adobe's AGALMiniAssembler.
    Mini,
    /// The dialect of Adobe's AGALMacroAssembler.
    Macro,
    /// The dialect of Alternativa3D's procedures, with registers such as `i0`, `t0`, `c0` and `o0`.
    Alternativa,
}

/// The byte order of AGAL bytecode. Flash accepts only little-endian bytecode for upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ByteOrder {
    /// Little endian: the least significant byte comes first.
    Little,
    /// Big endian: the most significant byte comes first.
    Big,
}

/// Program text in which holes stand for unknown parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Template {
    /// The known and unknown pieces in reading order. Two known pieces are never adjacent.
    pub pieces: Vec<Piece>,
    /// The holes of the text, keyed by name.
    pub holes: BTreeMap<String, Hole>,
}

impl Template {
    pub(crate) fn known(&self) -> Option<String> {
        let known = |piece: &Piece| match piece {
            Piece::Text(text) => Some(text.clone()),
            Piece::Hole(_) => None,
        };
        self.pieces.iter().map(known).collect()
    }

    /// Returns the names of the holes in reading order. A name is repeated if its hole occurs several times.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Hole(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }
}

/// A known or unknown piece of a program's text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// A known piece of the text.
    Text(String),
    /// The name of a hole. Holes with the same name are filled with the same text.
    Hole(String),
}

/// A part of a program's text that is unknown until the application runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hole {
    /// The expression whose value replaces the hole, such as `this._registers.getFreeFragmentVectorTemp()`.
    pub expression: String,
    /// The place where the expression is evaluated; `None` if the place is unknown.
    pub place: Option<Place>,
}

/// A location within the inputs at which a program or an expression was found.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The index of the input in [`Extraction::inputs`].
    pub input: usize,
    /// The path within the input, such as `["library.swf", "DoABC 2"]` or `["DefineBinaryData 7"]`.
    pub path: Vec<String>,
    /// The position of the program or expression within the code or data at `path`.
    pub site: Site,
    /// The conditions under which the application builds the program at this place, in evaluation order. A program with only one
    /// variant has no conditions.
    pub conditions: Vec<Condition>,
}

impl Place {
    pub(crate) fn new(input: usize, path: Vec<String>, site: Site) -> Place {
        Place { input, path, site, conditions: Vec::new() }
    }
}

/// The position of a program within code, data or a trace.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Site {
    /// A position in the code of a method.
    Method {
        /// The class's qualified name, or an empty string for code outside classes.
        class: String,
        /// The method's name, without the class.
        method: String,
        /// For compiled code, the byte offset of the instruction in the method. For source code, the number of the line in the
        /// source file, counted from 1.
        at: u32,
        /// The class that declares the method, if `class` inherits the method. [`Place::path`] and `at` then refer to the code of
        /// the declaring class.
        inherited_from: Option<String>,
    },
    /// A position in binary data.
    Data {
        /// The name of the class that embeds the data, or `None` if no class embeds the data.
        symbol: Option<String>,
        /// The byte offset of the program in the data.
        offset: usize,
    },
    /// A line of a trace that records an uploaded program.
    Trace {
        /// The line number in the trace, counted from 1.
        line: u32,
    },
}

/// A run-time condition that selects a variant of a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Condition {
    /// The source expression of the condition, such as `this.mipmap`.
    pub expression: String,
    /// The condition's outcome when the application builds the variant.
    pub taken: Alternative,
}

/// The outcome of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Alternative {
    /// The condition is true.
    True,
    /// The condition is false.
    False,
    /// The condition's expression equals the given value, as in a `case` of a `switch`.
    Is(String),
}

/// A vertex program and a fragment program that one call uploads together.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The vertex program's index in [`Extraction::programs`].
    pub vertex: ProgramId,
    /// The fragment program's index in [`Extraction::programs`].
    pub fragment: ProgramId,
    /// The calls that upload the pair. A probable pair has the places of its fragment program instead.
    pub places: Vec<Place>,
    /// Whether the pair is a guess. A class that makes exactly one unpaired vertex program and one unpaired fragment program is
    /// assumed to upload them together.
    pub is_probable: bool,
}

/// The name and kind of an input, and the numbers of its blocks, classes, methods and data items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The input's name, as passed by the caller.
    pub name: String,
    /// The kind of input, such as `SWF 14, zlib` or `a trace`.
    pub kind: String,
    /// The number of ABC blocks in the input.
    pub blocks: usize,
    /// The number of classes in the ABC blocks.
    pub classes: usize,
    /// The number of methods that have code.
    pub methods: usize,
    /// The number of binary data items in the input.
    pub data: usize,
    /// The calls whose programs remain unknown, because the application builds the programs only from run-time data.
    pub unknown: Vec<Place>,
}

/// A warning about a part of an input that could not be read, or that was not examined completely.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Warning {
    /// The index of the input in [`Extraction::inputs`].
    pub input: usize,
    /// The path of the affected part within the input.
    pub path: Vec<String>,
    /// A description of the problem, in one sentence without a full stop.
    pub message: String,
}

/// A callback that reports progress. The arguments are the number of finished parts of the code and the number of parts known so
/// far.
pub type Progress<'p> = &'p (dyn Fn(usize, usize) + Sync);

//! Records the origin of each line of an output: the values of the module that the line computes, and the source lines that those
//! values come from. Origins show users the output for each line of their program.
//!
//! While a module is lowered, [`Origins`] records the values that are written to each labelled name, in the order of the output:
//! definitions of values, stores to variables, and outputs. [`Origins`] also records the conditions, selectors and results of
//! each function, which have no names. When the labels are replaced by names (`names.rs`), the lines that write each name are
//! found in the output. SPIR-V has no lines, so each value is passed to naga as a source location. Each id that naga computes at
//! a source location is marked by a debug name, which `mend/optimise.rs` keeps. These debug names are removed when the SPIR-V is
//! final.
//!
//! Rule: tracing does not change the output, and nothing is recorded unless values are traced.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use naga::Span;
use rspirv::grammar::reflect::is_block_terminator;
use rspirv::spirv::Op;
use sdlbc::{Id, Module};

use crate::assembly::{HEADER, each_inst};
use crate::mend::label::{Word, text_of};

/// A line of source code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceLine {
    /// The index of the source file in the module's debug table.
    pub source: u32,
    /// The line number in a source file, counted from 1, or the token number in bytecode.
    pub line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Origin {
    pub(crate) function: usize,
    pub(crate) value: Id,
}

/// The values that each line of an output computes.
pub(crate) type Lines = Vec<Vec<Origin>>;

/// Returns the source lines that each line of an output comes from, according to the module's debug table.
pub(crate) fn source_lines(module: &Module, lines: &Lines) -> Vec<Vec<SourceLine>> {
    let numbers = module.functions.iter().zip(0..).map(|(function, index)| {
        let lines = module.debug_of(index).and_then(|debug| debug.lines.as_ref())?;
        let of_value = function.body.insts().iter().zip(&lines.numbers).filter(|(inst, _)| inst.output.is_some());
        let of_value = of_value.filter(|&(_, &line)| line > 0);
        Some((lines.source, of_value.map(|(inst, &line)| (inst.output, line)).collect()))
    });
    let numbers: Vec<Option<(u32, HashMap<Id, u32>)>> = numbers.collect();
    let line = |values: &Vec<Origin>| {
        let lines = values.iter().filter_map(|value| {
            let (source, lines) = numbers.get(value.function)?.as_ref()?;
            Some(SourceLine { source: *source, line: *lines.get(&value.value)? })
        });
        lines.collect::<BTreeSet<_>>().into_iter().collect()
    };
    lines.iter().map(line).collect()
}

/// The destination to which a line of an output writes a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Written {
    /// A name, identified by its label, or by the word itself if the word has no label.
    Name(String),
    /// The condition of an IF in the function with this label.
    Condition(usize),
    /// The selector of a SWITCH in the function with this label.
    Selector(usize),
    /// The results of the function with this label.
    Result(usize),
}

/// The values that are written to each destination, in the order of the output.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origins {
    of: HashMap<Written, Lines>,
    /// The values that are passed to naga's SPIR-V writer as source locations.
    locations: Vec<Origin>,
}

impl Origins {
    pub(crate) fn note(&mut self, written: Written, values: Vec<Origin>) {
        self.of.entry(written).or_default().push(values);
    }

    pub(crate) fn has(&self, written: &Written) -> bool {
        self.of.contains_key(written)
    }

    pub(crate) fn take_back(&mut self, written: &Written) {
        _ = self.of.get_mut(written).and_then(Vec::pop);
    }

    pub(crate) fn lines(&self, text: &str, words: &[Word<'_>]) -> Lines {
        let mut words = words.iter().peekable();
        let mut end = 0;
        let written: Vec<Option<Written>> = text
            .split_inclusive('\n')
            .map(|line| {
                let start = end;
                end += line.len();
                let mut own = Vec::new();
                while let Some(word) = words.next_if(|word| word.at < end) {
                    own.push(*word);
                }
                self.written(line, start, &own)
            })
            .collect();
        let mut found: HashMap<&Written, usize> = HashMap::new();
        written.iter().flatten().for_each(|written| *found.entry(written).or_default() += 1);
        let mut seen: HashMap<&Written, usize> = HashMap::new();
        let values = written.iter().map(|written| {
            let written = written.as_ref()?;
            let of = self.of.get(written)?;
            let next = seen.entry(written).or_default();
            *next += 1;
            // Lines and records are paired only if a destination has equal numbers of lines and records. If a destination has
            // only one line, that line gets all records.
            match found.get(written) {
                Some(&found) if found == of.len() => of.get(*next - 1).cloned(),
                Some(1) => Some(of.iter().flatten().copied().collect::<BTreeSet<_>>().into_iter().collect()),
                _ => None,
            }
        });
        values.map(Option::unwrap_or_default).collect()
    }

    /// Returns the destination to which a line writes, if values are recorded for that destination. `start` is the line's byte
    /// offset.
    fn written(&self, line: &str, start: usize, words: &[Word<'_>]) -> Option<Written> {
        let code = line.trim_start().trim_start_matches("} else ");
        let function = words.first().and_then(|word| word.function);
        let written = match code.split([' ', ';']).next()? {
            "if" => Written::Condition(function?),
            "return" => Written::Result(function?),
            "switch" => Written::Selector(function?),
            _ => {
                // A call without a result begins with the function's name.
                let target = line.find(" = ").map_or(words.first()?.at + 1, |at| start + at);
                let names = words.iter().filter(|word| word.at < target);
                let mut names = names.map(|word| match word.label {
                    Some(label) => Written::Name(text_of(label)),
                    None => Written::Name(word.text.to_string()),
                });
                return names.find(|written| self.of.contains_key(written));
            }
        };
        self.of.contains_key(&written).then_some(written)
    }
}

/// The first character of a debug name that marks a value. The names in a module are sanitised, so no other name begins with this
/// character.
const MARK: char = '\u{1}';

/// The maximum number of source locations, which bounds naga's work. naga reads the source from its start for each location.
const MAX_LOCATIONS: usize = 1 << 15;

impl Origins {
    /// Returns a source location that makes naga's SPIR-V writer mark the next expressions as computing the value `origin`. The
    /// location is undefined once [`MAX_LOCATIONS`] locations are in use.
    pub(crate) fn location(&mut self, origin: Origin) -> Span {
        if self.locations.len() == MAX_LOCATIONS {
            return Span::UNDEFINED;
        }
        self.locations.push(origin);
        let location = self.locations.len() as u32;
        Span::new(location, location)
    }

    /// Returns a dummy source whose first line contains all locations.
    pub(crate) fn source(&self) -> String {
        " ".repeat(self.locations.len())
    }

    /// Replaces the source locations in SPIR-V words with debug names for the ids that are computed at those locations.
    pub(crate) fn mark(&self, words: &mut Vec<u32>) {
        let mut kept: Vec<u32> = words.iter().copied().take(HEADER).collect();
        let (mut names, mut names_at) = (Vec::new(), kept.len());
        let mut origin: Option<&Origin> = None;
        each_inst(words, |op, inst| match (op, inst) {
            // The debug names must be inserted where the source instructions begin.
            (Op::String | Op::Source | Op::SourceContinued, _) => names_at = kept.len(),
            // Columns count from 1, and column 1 stands for no value.
            (Op::Line, &[.., column]) => origin = self.locations.get((column as usize).wrapping_sub(2)),
            _ => {
                if matches!(op, Op::Label | Op::FunctionEnd) {
                    origin = None;
                }
                if let (Some(origin), [_, _, id, ..], true) = (origin, inst, gives_value(op)) {
                    let text = mark(origin);
                    names.extend([(text.len() as u32 + 2) << 16 | Op::Name as u32, *id]);
                    names.extend(text);
                }
                kept.extend_from_slice(inst);
            }
        });
        kept.splice(names_at..names_at, names);
        *words = kept;
    }
}

/// Reports whether an instruction in a block has a type and a result.
fn gives_value(op: Op) -> bool {
    let is_other =
        matches!(op, Op::FunctionEnd | Op::ImageWrite | Op::Label | Op::LoopMerge | Op::SelectionMerge | Op::Store);
    !is_other && !is_block_terminator(op)
}

fn mark(Origin { function, value }: &Origin) -> Vec<u32> {
    let mut bytes = format!("{MARK}{function} {}", value.0).into_bytes();
    bytes.resize((bytes.len() / 4 + 1) * 4, 0);
    bytes.chunks_exact(4).map(|word| word.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))).collect()
}

/// Removes the debug names that mark values from SPIR-V words, and returns the values that each id computes.
pub(crate) fn take_marks(words: &mut Vec<u32>) -> BTreeMap<u32, Vec<Origin>> {
    let mut marks: BTreeMap<u32, Vec<Origin>> = BTreeMap::new();
    let mut kept: Vec<u32> = words.iter().copied().take(HEADER).collect();
    each_inst(words, |op, inst| {
        if let (Op::Name, [_, id, name @ ..]) = (op, inst)
            && let Some(origin) = marked(name)
        {
            marks.entry(*id).or_default().push(origin);
        } else {
            kept.extend_from_slice(inst);
        }
    });
    *words = kept;
    marks
}

fn marked(name: &[u32]) -> Option<Origin> {
    let bytes: Vec<u8> = name.iter().flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0).collect();
    let (function, value) = std::str::from_utf8(&bytes).ok()?.strip_prefix(MARK)?.split_once(' ')?;
    Some(Origin { function: function.parse().ok()?, value: Id(value.parse().ok()?) })
}

/// Returns the values that each line of a disassembly computes. A line without a result gets the values that its instruction
/// uses.
pub(crate) fn lines_of_assembly(text: &str, marks: &BTreeMap<u32, Vec<Origin>>) -> Lines {
    let mut is_code = false;
    let line = |line: &str| {
        let mut ids = line.split(' ').filter_map(|word| word.strip_prefix('%')?.parse::<u32>().ok());
        is_code |= line.contains("OpFunction ");
        let of = |id: u32| marks.get(&id).cloned().unwrap_or_default();
        match line.starts_with('%') {
            true => ids.next().map(of).unwrap_or_default(),
            false if is_code => ids.flat_map(of).collect(),
            false => Vec::new(),
        }
    };
    text.lines().map(line).collect()
}

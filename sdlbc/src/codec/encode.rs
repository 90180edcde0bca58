//! Encodes a module.
//!
//! Rule: the writer does not check the module that it encodes, because [`crate::verify()`] checks modules. A round trip does not
//! preserve operands or blocks that do not fit the operation (V07, V09), a NUL in a name (V28), or entries of the debug table
//! that are empty or out of order (V32). A module that exceeds a limit cannot be read back. The words of each struct are listed
//! in `layout.rs`.
//!
//! The writer appends words to one list, and fills in a count when the counted words are complete. The list is a [`Sink`], so
//! that the same traversal also computes offsets for `offsets.rs`. The traversal does not recurse, because a module that was
//! built in memory may be nested more deeply than a file allows.

use super::kinds::Kinds;
use super::layout::{ADDITIONS, Entries, INPUTS, OUTPUTS, Record, WORKGROUP, layout};
use super::{Additions, Dialect, MAGIC, Unreadable, VERSION};
use crate::inst::word;
use crate::{
    Block, Blocks, Body, Debug, Function, FunctionDebug, FunctionOutput, Id, Input, InstRef, Insts, Lines, Member,
    Module, Source, Type,
};

/// Encodes a module in the dialect of the published text. The file of a valid module decodes to the same module. To
/// encode a module that was not verified, use [`encode_readable()`].
///
/// ```
/// use sdlbc::{Function, FunctionKind, Module, decode, encode};
///
/// let function = Function { kind: FunctionKind::Fragment, name: "main".to_string(), ..Function::default() };
/// let module = Module { functions: vec![function], ..Module::default() };
/// let file = encode(&module);
/// assert!(file.starts_with(b"SDLSHADERBC\0"));
/// assert_eq!(decode(&file), Ok(module));
/// ```
pub fn encode(module: &Module) -> Vec<u8> {
    encode_in(module, Dialect::Text)
}

/// Encodes a module in a given dialect. A module that consists only of a debug table is always written in the text's dialect.
/// Readers recognise the dialect by the tag of the first section, and a debug table in the header's dialect has the same tag
/// as a function in the text's dialect.
///
/// ```
/// use sdlbc::{Dialect, Function, Module, decode, dialect, encode_in};
///
/// let module = Module { functions: vec![Function::default()], ..Module::default() };
/// let file = encode_in(&module, Dialect::Header);
/// assert_eq!(dialect(&file), Dialect::Header);
/// assert_eq!(decode(&file), Ok(module));
/// ```
pub fn encode_in(module: &Module, dialect: Dialect) -> Vec<u8> {
    let dialect = if module.functions.is_empty() { Dialect::Text } else { dialect };
    let mut words = Words::of(Vec::new());
    words.module(module, dialect);
    let body = words.0.iter().flat_map(|word| word.to_le_bytes());

    let mut file = Vec::with_capacity(super::HEADER_BYTES + 4 * words.0.len());
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend([0; 4]);
    file.extend(body);
    super::set_checksum(&mut file);
    file
}

/// Encodes a module that was not verified, and checks that its file decodes to the same module. The check never fails for a
/// valid module.
///
/// ```
/// use sdlbc::{DecodeErrorKind, Dialect, Function, Id, Inst, Module, Op, Unreadable, code, encode_readable, limits};
///
/// let id = Id(limits::MAX_ID + 1);
/// let body = code![Inst::new(Op::LiteralInt, id, &[], &[7])];
/// let module = Module { functions: vec![Function { body, ..Function::default() }], ..Module::default() };
/// let refused = encode_readable(&module, Dialect::Text);
/// assert_eq!(refused, Err(Unreadable::Refused(DecodeErrorKind::Id(id.0))));
/// ```
///
/// # Errors
/// Returns the reader's error, or [`Unreadable::Another`] if the file would decode to a different module.
pub fn encode_readable(module: &Module, dialect: Dialect) -> Result<Vec<u8>, Unreadable> {
    let file = encode_in(module, dialect);
    match super::decode(&file) {
        Ok(again) if again == *module => Ok(file),
        Ok(_) => Err(Unreadable::Another),
        Err(error) => Err(Unreadable::Refused(error.kind)),
    }
}

/// A part of a file whose offset is recorded.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mark {
    Function,
    Input,
    Output,
    Instruction,
    /// An instruction that is not written, because the surrounding instruction must not have the block that contains it.
    Unwritten,
    DebugTable,
    Source,
    FunctionDebug,
}

pub(super) trait Sink {
    fn word(&mut self, word: u32);
    fn len(&self) -> usize;
    fn replace(&mut self, at: usize, word: u32);
    /// Records that a part of the file begins with the next word.
    fn mark(&mut self, mark: Mark);
}

impl Sink for Vec<u32> {
    fn word(&mut self, word: u32) {
        self.push(word);
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn replace(&mut self, at: usize, word: u32) {
        if let Some(place) = self.get_mut(at) {
            *place = word;
        }
    }

    fn mark(&mut self, _: Mark) {}
}

pub(super) struct Words<S>(
    pub(super) S,
    /// The highest operation number written so far.
    u32,
);

enum Task<'a> {
    Code(Insts<'a>),
    /// A block whose words are preceded by their count.
    Sized(Block<'a>),
    Word(u32),
    /// Replaces the word at `placeholder` with the number of words written since `start`.
    Count {
        placeholder: usize,
        start: usize,
    },
}

impl<S: Sink> Words<S> {
    pub(super) const fn of(sink: S) -> Words<S> {
        Words(sink, 0)
    }

    fn word(&mut self, word: u32) {
        self.0.word(word);
    }

    fn words(&mut self, words: &[u32]) {
        words.iter().for_each(|&word| self.0.word(word));
    }

    /// Writes a placeholder for a count and returns the placeholder's index.
    fn placeholder(&mut self) -> usize {
        self.0.word(0);
        self.0.len() - 1
    }

    fn count(&mut self, placeholder: usize, start: usize) {
        self.0.replace(placeholder, word(self.0.len() - start));
    }

    /// Writes a struct: a tag, a word count and the words that `content` writes.
    fn tagged(&mut self, tag: u32, content: impl FnOnce(&mut Words<S>)) {
        let start = self.0.len();
        self.word(tag);
        let placeholder = self.placeholder();
        content(self);
        self.count(placeholder, start);
    }

    /// Writes an entry: a word count and the words that `content` writes.
    fn counted(&mut self, content: impl FnOnce(&mut Words<S>)) {
        let placeholder = self.placeholder();
        content(self);
        self.count(placeholder, placeholder);
    }

    pub(super) fn module(&mut self, module: &Module, dialect: Dialect) {
        for function in &module.functions {
            self.0.mark(Mark::Function);
            self.tagged(dialect.function(), |words| words.function(function));
        }
        if !module.debug.is_empty() {
            self.0.mark(Mark::DebugTable);
            self.tagged(dialect.debug_table(), |words| words.debug(&module.debug));
        }
        let used = Additions::with_newest(module, self.1);
        if !used.is_empty() {
            self.tagged(ADDITIONS, |words| {
                for addition in used.iter() {
                    words.word(addition.number());
                    words.word(addition.revision());
                }
            });
        }
    }

    fn debug(&mut self, debug: &Debug) {
        if let Some(program) = debug.program {
            self.tagged(Record::Program.tag(), |words| words.word(program));
        }
        for source in &debug.sources {
            self.0.mark(Mark::Source);
            self.tagged(Record::Source.tag(), |words| words.source(source));
        }
        for function in &debug.functions {
            self.0.mark(Mark::FunctionDebug);
            self.function_debug(function);
        }
    }

    fn function_debug(&mut self, function: &FunctionDebug) {
        let mut record = |record: Record, content: &dyn Fn(&mut Words<S>)| {
            self.tagged(record.tag(), |words| {
                words.word(function.function);
                content(words);
            });
        };
        if !function.name.is_empty() {
            record(Record::FunctionName, &|words| words.name(&function.name));
        }
        if !function.ids.is_empty() {
            record(Record::ValueNames, &|words| {
                for (id, name) in function.ids.iter() {
                    words.id(&id);
                    words.name(name);
                }
            });
        }
        if function.members.values().any(|members| !members.is_empty()) {
            record(Record::Members, &|words| {
                for (id, members) in &function.members {
                    for member in members {
                        words.id(id);
                        words.member(member);
                    }
                }
            });
        }
        if !function.bindings.is_empty() {
            record(Record::Bindings, &|words| {
                for (id, binding) in &function.bindings {
                    words.id(id);
                    words.words(binding.words().as_flattened());
                }
            });
        }
        if let Some(lines) = &function.lines {
            record(Record::Lines, &|words| words.lines(lines));
        }
    }

    fn block(&mut self, block: Block<'_>) {
        let mut tasks = vec![Task::Code(block.iter())];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Code(mut code) => {
                    while let Some(inst) = code.next() {
                        let (placeholder, start) = self.operands(inst);
                        if inst.op.shape().blocks == Blocks::None {
                            self.count(placeholder, start);
                        } else {
                            tasks.extend([Task::Code(code), Task::Count { placeholder, start }]);
                            self.blocks(inst, &mut tasks);
                            break;
                        }
                    }
                }
                Task::Sized(block) => {
                    let placeholder = self.placeholder();
                    tasks.push(Task::Count { placeholder, start: placeholder + 1 });
                    tasks.push(Task::Code(block.iter()));
                }
                Task::Word(word) => self.word(word),
                Task::Count { placeholder, start } => self.count(placeholder, start),
            }
        }
    }

    /// Writes an instruction up to its blocks. Returns the index of the placeholder for the instruction's word count, and the
    /// index of the instruction's first word.
    fn operands(&mut self, inst: InstRef<'_>) -> (usize, usize) {
        let shape = inst.op.shape();
        self.0.mark(Mark::Instruction);
        let start = self.0.len();
        self.1 = self.1.max(inst.op.number());
        self.word(inst.op.number());
        let placeholder = self.placeholder();
        if shape.immediates_first {
            self.words(&inst.immediates);
        }
        if shape.output {
            self.word(inst.output.0);
        }
        inst.inputs.iter().for_each(|id| self.word(id.0));
        if shape.blocks == Blocks::None {
            inst.inner().iter().for_each(|_| self.0.mark(Mark::Unwritten));
            if !shape.immediates_first {
                self.words(&inst.immediates);
            }
        }
        (placeholder, start)
    }

    fn blocks<'a>(&mut self, inst: InstRef<'a>, tasks: &mut Vec<Task<'a>>) {
        let unsized_blocks = |from: usize| {
            inst.blocks().rev().take(inst.blocks().len().saturating_sub(from)).map(|block| Task::Code(block.iter()))
        };
        match inst.op.shape().blocks {
            Blocks::None => {}
            Blocks::If => {
                tasks.extend(unsized_blocks(1));
                match inst.blocks().first() {
                    Some(first) => tasks.push(Task::Sized(first)),
                    None => self.word(0),
                }
            }
            Blocks::Loop => tasks.extend(unsized_blocks(0)),
            Blocks::Switch => {
                self.word(word(inst.immediates.len()));
                tasks.extend(unsized_blocks(inst.immediates.len()));
                let cases = inst.immediates.iter().zip(inst.blocks());
                for (&value, block) in cases.rev() {
                    tasks.extend([Task::Sized(block), Task::Word(value)]);
                }
            }
        }
    }
}

macro_rules! written {
    ($($name:ident($type:ident): $($field:ident = $form:ident$(::<$kind:ident>)?($($shown:expr),*)),*;)*) => {
        impl<S: Sink> Words<S> {$(
            fn $name(&mut self, it: &$type) {
                $(self.$form(&it.$field);)*
            }
        )*}
    };
}
layout!(written);

impl<S: Sink> Words<S> {
    fn number(&mut self, number: &u32) {
        self.word(*number);
    }

    fn id(&mut self, id: &Id) {
        self.word(id.0);
    }

    fn ty(&mut self, ty: &Type) {
        self.words(&[ty.word(), ty.length_word()]);
    }

    fn kind(&mut self, kind: &impl Kinds) {
        let (number, data) = kind.words();
        self.word(number);
        self.words(&data);
    }

    fn name(&mut self, name: &str) {
        self.text(name);
    }

    fn text(&mut self, text: &str) {
        if text.is_empty() {
            return self.word(0);
        }
        let placeholder = self.placeholder();
        let bytes = text.as_bytes();
        for chunk in bytes.chunks(4) {
            self.word(u32::from_le_bytes(std::array::from_fn(|i| chunk.get(i).copied().unwrap_or(0))));
        }
        if bytes.len().is_multiple_of(4) {
            self.word(0);
        }
        self.count(placeholder, placeholder + 1);
    }

    fn line_numbers(&mut self, numbers: &[u32]) {
        self.words(numbers);
    }

    fn inputs(&mut self, inputs: &[Input]) {
        self.entries(&INPUTS, Mark::Input, inputs, Words::input);
    }

    fn outputs(&mut self, outputs: &[FunctionOutput]) {
        self.entries(&OUTPUTS, Mark::Output, outputs, Words::output);
    }

    fn workgroup(&mut self, workgroup: &Option<[u32; 3]>) {
        if let Some(size) = workgroup {
            self.tagged(WORKGROUP, |words| words.words(size));
        }
    }

    fn entries<T>(&mut self, record: &Entries, mark: Mark, entries: &[T], write: fn(&mut Words<S>, &T)) {
        self.tagged(record.tag, |words| {
            for entry in entries {
                words.0.mark(mark);
                words.counted(|words| write(words, entry));
            }
        });
    }

    fn code(&mut self, body: &Body) {
        self.block(body.block());
    }
}

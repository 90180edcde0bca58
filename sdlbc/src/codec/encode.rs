//! A module as bytes.
//!
//! Rule: the writer writes what the module says and judges nothing; [`crate::verify()`] does. What a module says beside
//! its operations' shapes (V07, V09), a NUL inside a name (V28) and whatever is above a limit does not come back.
//! Words are appended to one list, and a count is put in when the words that it counts are there.

use super::kinds::{input_words, output_words};
use super::{INPUTS, MAGIC, NAMES, OUTPUTS, SectionTags, TEXT_TAGS, VERSION};
use crate::{Function, Inst, Module, Names, Type};

/// The file of a module.
pub fn encode(module: &Module) -> Vec<u8> {
    let mut words = Words::default();
    words.module(module, TEXT_TAGS);
    let body: Vec<u8> = words.0.iter().flat_map(|word| word.to_le_bytes()).collect();

    let mut file = Vec::with_capacity(super::HEADER_BYTES + body.len());
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend(crc32fast::hash(&body).to_le_bytes());
    file.extend(body);
    file
}

#[derive(Default)]
struct Words(Vec<u32>);

impl Words {
    fn word(&mut self, word: u32) {
        self.0.push(word);
    }

    /// Leaves room for a count and says where.
    fn room(&mut self) -> usize {
        self.0.push(0);
        self.0.len() - 1
    }

    /// Puts into the room the number of words from `start` on.
    fn count(&mut self, room: usize, start: usize) {
        let words = count_of(self.0.len() - start);
        if let Some(word) = self.0.get_mut(room) {
            *word = words;
        }
    }

    /// A struct of a tag, its count and its content.
    fn tagged(&mut self, tag: u32, content: impl FnOnce(&mut Words)) {
        let start = self.0.len();
        self.word(tag);
        let room = self.room();
        content(self);
        self.count(room, start);
    }

    /// A struct of its count and its content.
    fn counted(&mut self, content: impl FnOnce(&mut Words)) {
        let room = self.room();
        content(self);
        self.count(room, room);
    }

    fn string(&mut self, text: &str) {
        if text.is_empty() {
            return self.word(0);
        }
        let room = self.room();
        let bytes = text.as_bytes();
        for chunk in bytes.chunks(4) {
            self.word(u32::from_le_bytes(std::array::from_fn(|i| chunk.get(i).copied().unwrap_or(0))));
        }
        if bytes.len().is_multiple_of(4) {
            self.word(0);
        }
        self.count(room, room + 1);
    }

    fn ty(&mut self, ty: Type) {
        self.word(ty.word());
        self.word(ty.length_word());
    }

    fn module(&mut self, module: &Module, tags: SectionTags) {
        for function in &module.functions {
            self.tagged(tags.function, |words| words.function(function));
        }
        if !module.names.is_empty() {
            self.tagged(tags.debug_table, |words| {
                for names in &module.names {
                    words.tagged(NAMES, |words| words.names(names));
                }
            });
        }
    }

    fn function(&mut self, function: &Function) {
        self.word(function.kind as u32);
        self.string(&function.name);
        self.tagged(INPUTS, |words| {
            for input in &function.inputs {
                words.counted(|words| {
                    words.word(input.id.0);
                    words.ty(input.ty);
                    words.kind(input_words(&input.kind));
                    words.string(&input.name);
                });
            }
        });
        self.tagged(OUTPUTS, |words| {
            for output in &function.outputs {
                words.counted(|words| {
                    words.ty(output.ty);
                    words.kind(output_words(&output.kind));
                    words.string(&output.name);
                });
            }
        });
        self.block(&function.body);
    }

    fn kind(&mut self, (number, data): (u32, Vec<u32>)) {
        self.word(number);
        self.0.extend(data);
    }

    fn block(&mut self, block: &[Inst]) {
        block.iter().for_each(|inst| self.inst(inst));
    }

    fn inst(&mut self, inst: &Inst) {
        let shape = inst.op.shape();
        self.tagged(inst.op.number(), |words| {
            if shape.output {
                words.word(inst.output.0);
            }
            words.0.extend(inst.inputs.iter().map(|id| id.0));
            words.0.extend(&inst.immediates);
            if shape.blocks {
                let room = words.room();
                let mut blocks = inst.blocks.iter();
                if let Some(first) = blocks.next() {
                    words.block(first);
                }
                words.count(room, room + 1);
                blocks.for_each(|block| words.block(block));
            }
        });
    }

    fn names(&mut self, names: &Names) {
        self.word(names.function);
        for (id, name) in &names.ids {
            self.word(id.0);
            self.string(name);
        }
    }
}

/// A count of words. What does not fit a word is a file of 16 GiB, which no reader of ours would take.
fn count_of(words: usize) -> u32 {
    u32::try_from(words).unwrap_or(u32::MAX)
}

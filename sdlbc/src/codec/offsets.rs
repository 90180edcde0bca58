//! The offsets of a module's parts in its file. The encoder computes the offsets with a sink that counts words instead of writing
//! them.

use super::encode::{Mark, Sink, Words};
use super::{Dialect, HEADER_BYTES};
use crate::Module;

/// The byte offsets of a module's parts in its file, which are the same in both dialects.
#[derive(Debug, Default)]
pub(crate) struct Offsets {
    words: usize,
    pub(crate) functions: Vec<FunctionOffsets>,
    pub(crate) debug: Option<usize>,
    pub(crate) sources: Vec<usize>,
    /// The offset of the first debug record of each function in the debug table.
    pub(crate) debug_functions: Vec<usize>,
}

#[derive(Debug, Default)]
pub(crate) struct FunctionOffsets {
    pub(crate) at: usize,
    pub(crate) inputs: Vec<usize>,
    pub(crate) outputs: Vec<usize>,
    /// The offset of each instruction, in reading order. If a block is not written because its instruction must not have one,
    /// the entries of the block's instructions are the offset of that instruction.
    pub(crate) instructions: Vec<usize>,
}

pub(crate) fn offsets(module: &Module) -> Offsets {
    let mut words = Words::of(Offsets::default());
    words.module(module, Dialect::Text);
    words.0
}

impl Sink for Offsets {
    fn word(&mut self, _: u32) {
        self.words += 1;
    }

    fn len(&self) -> usize {
        self.words
    }

    fn replace(&mut self, _: usize, _: u32) {}

    fn mark(&mut self, mark: Mark) {
        let at = HEADER_BYTES + 4 * self.words;
        match (mark, self.functions.last_mut()) {
            (Mark::Function, _) => self.functions.push(FunctionOffsets { at, ..FunctionOffsets::default() }),
            (Mark::Input, Some(function)) => function.inputs.push(at),
            (Mark::Output, Some(function)) => function.outputs.push(at),
            (Mark::Instruction, Some(function)) => function.instructions.push(at),
            (Mark::DebugTable, _) => self.debug = Some(at),
            (Mark::Source, _) => self.sources.push(at),
            (Mark::FunctionDebug, _) => self.debug_functions.push(at),
            (Mark::Unwritten, Some(function)) => function.instructions.extend(function.instructions.last().copied()),
            (Mark::Input | Mark::Output | Mark::Instruction | Mark::Unwritten, None) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::layout::Record;
    use crate::module::{Debug, FunctionDebug, InputKind, Lines, OutputKind};
    use crate::{Body, Function, FunctionOutput, Id, Input, Inst, Op, Source, Type, code, encode};

    #[test]
    fn each_offset_is_that_of_the_part_in_the_file() {
        let inst = |op, immediates: &[u32]| Inst::new(op, Id::NONE, &[], immediates);
        let nop = |count| Body::from(inst(Op::Nop, &vec![Op::Nop.number(); count]));
        let body = code![
            Inst::new(Op::If, Id::NONE, &[Id(1)], &[]).with_blocks([nop(3), nop(1)]),
            Inst::new(Op::Switch, Id::NONE, &[Id(2)], &[7, 9]).with_blocks([
                nop(0),
                code![],
                inst(Op::Loop, &[]).with_blocks([nop(2)]),
            ]),
            Inst::new(Op::Call, Id(5), &[Id(1), Id(2)], &[0]),
        ];
        let input = |id, name: &str| Input {
            id: Id(id),
            ty: Type::FLOAT,
            name: name.to_string(),
            kind: InputKind::Attribute { location: 77 },
        };
        let output = FunctionOutput { ty: Type::INT, name: "four".to_string(), kind: OutputKind::Returned };
        let function = Function {
            name: "function".to_string(),
            inputs: vec![input(31, ""), input(32, "abc")],
            outputs: vec![output.clone(), output],
            body,
            ..Function::default()
        };
        let lines = Some(Lines { source: 1, numbers: vec![1, 2] });
        let named =
            |function| FunctionDebug { function, name: "n".to_string(), lines: lines.clone(), ..Default::default() };
        let source = Source { file: "f".to_string(), ..Source::default() };
        let debug = Debug {
            program: Some(1),
            sources: vec![source.clone(), source],
            functions: vec![named(0), FunctionDebug { function: 1, lines: lines.clone(), ..Default::default() }],
        };
        let module = Module { functions: vec![function.clone(), function], debug };
        let file = encode(&module);
        let word = |at: usize| {
            let bytes = file.get(at..at + 4).expect("within the file");
            u32::from_le_bytes(bytes.try_into().expect("four"))
        };
        let offsets = offsets(&module);
        assert_eq!(HEADER_BYTES + 4 * offsets.words, file.len());
        assert_eq!(offsets.functions.len(), 2);
        for function in &offsets.functions {
            assert_eq!(word(function.at), Dialect::Text.function());
            assert_eq!(function.inputs.iter().map(|&at| word(at + 4)).collect::<Vec<_>>(), [31, 32]);
            assert_eq!(function.outputs.iter().map(|&at| word(at + 4)).collect::<Vec<_>>(), [Type::INT.word(); 2]);
            let expected = module.functions[0].body.insts().iter().map(|inst| inst.op.number()).collect::<Vec<_>>();
            assert_eq!(function.instructions.iter().map(|&at| word(at)).collect::<Vec<_>>(), expected);
        }
        assert_eq!(offsets.debug.map(word), Some(Dialect::Text.debug_table()));
        let tags = |offsets: &[usize]| offsets.iter().map(|&at| word(at)).collect::<Vec<_>>();
        assert_eq!(tags(&offsets.sources), [Record::Source.tag(); 2]);
        assert_eq!(tags(&offsets.debug_functions), [Record::FunctionName.tag(), Record::Lines.tag()]);
    }
}

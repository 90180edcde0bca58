//! Writes the instructions that remain after the optimisation, with consecutive ids from 1.

use std::ops::Range;

use rspirv::spirv::Op;

use super::blocks::Blocks;
use super::code::{Code, Id, Inst};
use crate::assembly::HEADER;

/// Returns the words of the module. `added` lists the new declarations, and `phis` lists the new OpPhis with their blocks, in
/// block order.
pub(super) fn write(code: Code, blocks: &Blocks, added: &[usize], phis: &[(usize, usize)]) -> Vec<u32> {
    let Code { mut words, insts, mut ids, functions, end, descriptions, described, .. } = code;
    words[3] = Id::number(&mut ids);
    let mut out = Out { ids, out: Vec::with_capacity(words.len()), words, run: 0..HEADER };
    out.write(&insts[..described]);
    out.write_descriptions(descriptions);
    out.write(&insts[described..functions]);
    added.iter().for_each(|&index| out.write(&insts[index..=index]));
    let mut from = functions;
    for &(block, phi) in phis {
        let after = blocks.list[block].label + 1;
        out.write(&insts[from..after]);
        out.write(&insts[phi..=phi]);
        from = after;
    }
    out.write(&insts[from..end]);
    out.copy(0..0);
    out.out
}

struct Out {
    out: Vec<u32>,
    words: Vec<u32>,
    /// The range of words to copy next, which grows so that consecutive instructions are copied together.
    run: Range<usize>,
    ids: Vec<Id>,
}

impl Out {
    fn write(&mut self, insts: &[Inst]) {
        let (words, ids) = (self.words.as_mut_slice(), self.ids.as_slice());
        let mut run = self.run.clone();
        for inst in insts.iter().filter(|inst| inst.op != Op::Nop) {
            let range = inst.range();
            if range.start != run.end {
                self.out.extend_from_slice(&words[run]);
                run = range.start..range.start;
            }
            run.end = range.end;
            let own = &mut words[range];
            inst.with_result().each_id(|place| own[place] = ids[own[place] as usize].new_number());
        }
        self.run = run;
    }

    /// Writes the names and decorations of the remaining ids.
    fn write_descriptions(&mut self, words: Range<usize>) {
        let mut at = words.start;
        while at < words.end {
            let end = at + (self.words[at] >> 16) as usize;
            self.words[at + 1] = self.ids[self.words[at + 1] as usize].new_number();
            if self.words[at + 1] != 0 {
                self.copy(at..end);
            }
            at = end;
        }
    }

    #[inline(always)]
    fn copy(&mut self, words: Range<usize>) {
        if words.start != self.run.end {
            self.out.extend_from_slice(&self.words[self.run.clone()]);
            self.run.start = words.start;
        }
        self.run.end = words.end;
    }
}

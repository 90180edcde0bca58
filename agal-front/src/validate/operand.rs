//! The checks of a token's sources and destination.

use super::{Checker, count};
use crate::finding::{self, Kind, Part, token_number};
use crate::flow::{register_index, slots_of};
use crate::opcode::{Operand, Row};
use crate::register::{File, Stage};
use crate::rules::Profile;
use crate::token::{Destination, Mask, Source, Token, letter};

impl Checker<'_> {
    #[inline(always)]
    pub(super) fn source<const SLOT: usize>(&mut self, token: &Token, row: &'static Row) {
        let (word, operand) = (token.word(SLOT), row.source(SLOT));
        match operand {
            Operand::None if word == 0 => {}
            Operand::None | Operand::Sampler => self.other_source(token, row, SLOT),
            _ => {
                let source = Source::decode(word);
                let count = self.plain.get(usize::from(source.file)).copied().unwrap_or(0);
                let registers = if operand == Operand::Matrix { row.registers(SLOT) } else { 1 };
                let is_there = u32::from(source.number) + u32::from(registers) <= count;
                let fits = operand != Operand::Scalar || source.swizzle.is_scalar();
                if word & !Source::PLAIN != 0 || !is_there || !fits {
                    self.special(source, token, row, SLOT);
                }
                let file = if source.indirect { source.index_file } else { source.file };
                if file == File::Temporary as u8 {
                    self.check_written(token, row, SLOT);
                }
            }
        }
    }

    /// Checks a source slot that must contain a sampler or be empty.
    fn other_source(&mut self, token: &Token, row: &'static Row, slot: usize) {
        let part = finding::source(slot);
        match row.source(slot) {
            Operand::Sampler if token.src(slot).register_file() == Some(File::Sampler) => self.sampler(token, row),
            Operand::Sampler => self.report(part, Kind::NotASampler),
            _ => self.report(part, Kind::UnusedSlot { mnemonic: row.mnemonic }),
        }
    }

    /// Checks a source that is indirect, or whose register is not readable in every program of this stage. Unwritten registers
    /// are left to `check_written`.
    #[cold]
    fn special(&mut self, source: Source, token: &Token, row: &'static Row, slot: usize) {
        let (word, part) = (token.word(slot), finding::source(slot));
        if source.register_file() == Some(File::Sampler) {
            self.sampler_register(u32::from(source.number), row, part);
            let register = self.name(File::Sampler, u32::from(source.number));
            self.report(part, Kind::NotReadable { register, file: File::Sampler });
        }
        if word & Source::RESERVED != 0 {
            self.report(part, Kind::ReservedBits { bits: word & Source::RESERVED });
        }
        if source.indirect {
            self.indirect(source, row.source(slot), part);
        } else {
            self.direct(source, row, slot);
        }
    }

    fn direct(&mut self, source: Source, row: &'static Row, slot: usize) {
        let part = finding::source(slot);
        if (source.offset, source.index_file, source.index_component) != (0, 0, 0) {
            self.report(part, Kind::DirectWithIndex);
        }
        let file = source.register_file();
        let number = u32::from(source.number);
        let rows = u32::from(row.registers(slot));
        if let Some(file) = file.filter(|&file| file != File::Sampler) {
            self.in_range(file, number, rows, self.count(file), part);
        }
        let swizzle = source.swizzle;
        if row.source(slot) == Operand::Scalar && !swizzle.is_scalar() {
            let component = letter(swizzle.component(0));
            self.report(part, Kind::NotScalar { mnemonic: row.mnemonic, component });
        }
        match file {
            None => self.report(part, Kind::RegisterType { found: source.file }),
            Some(file) => self.readable(file, number, part),
        }
    }

    pub(super) fn count(&self, file: File) -> u32 {
        self.counts.get(file as usize).copied().unwrap_or(0)
    }

    /// Reports the last of `rows` consecutive registers if that register is beyond the file's `count` registers.
    pub(super) fn in_range(&mut self, file: File, number: u32, rows: u32, count: u32, part: Part) {
        if number + rows <= count {
            return;
        }
        let (stage, version) = (self.program.stage, self.program.version);
        let register = self.name(file, number + rows - 1);
        let of_profile = self.rules.profile.filter(|profile| profile.count(file, stage) == count);
        let profile = of_profile.map(Profile::name);
        self.report(part, Kind::RegisterRange { register, file, stage, version, count, profile });
    }

    fn readable(&mut self, file: File, number: u32, part: Part) {
        let vertex = self.program.stage == Stage::Vertex;
        let readable = match file {
            // Reads of sampler registers have already been reported.
            File::Constant | File::Temporary | File::Sampler => true,
            File::Attribute => vertex,
            // Before version 3, no program has an instance register, and the range check has already reported the read.
            File::Instance => vertex || self.count(file) == 0,
            File::Varying => !vertex,
            File::Output => false,
            File::Depth => self.count(file) == 0,
        };
        if file == File::Depth && vertex {
            self.depth_stage(part);
        } else if !readable {
            let register = self.name(file, number);
            self.report(part, Kind::NotReadable { register, file });
        }
    }

    /// Reports the depth register in a vertex program, unless the version has no depth register.
    fn depth_stage(&mut self, part: Part) {
        if self.count(File::Depth) != 0 {
            self.report(part, Kind::DepthStage);
        }
    }

    fn indirect(&mut self, source: Source, operand: Operand, part: Part) {
        if self.program.stage != Stage::Vertex {
            self.report(part, Kind::IndirectStage);
        }
        if !matches!(source.register_file(), Some(File::Constant | File::Sampler)) {
            self.report(part, Kind::IndirectFile);
        }
        if operand == Operand::Coordinate {
            self.report(part, Kind::IndirectOperand);
        }
        let index = source.index_register_file();
        if let Some(file) = index {
            self.in_range(file, u32::from(source.number), 1, self.count(file), part);
        }
        if !matches!(index, Some(File::Attribute | File::Constant | File::Temporary | File::Instance)) {
            self.report(part, Kind::IndexFile);
        }
    }

    /// Reports temporaries that a source reads, directly or as an index, before every path has written them. Each component is
    /// reported once, with one finding for components that the operation uses and another for components that only the swizzle
    /// names.
    fn check_written(&mut self, token: &Token, row: &'static Row, slot: usize) {
        let source = token.src(slot);
        let number = u32::from(source.number);
        let is_matrix = !source.indirect && row.source(slot) == Operand::Matrix;
        if is_matrix || self.assigned.of(register_index((File::Temporary, number))) != Mask::ALL {
            self.check_temporary(token, row, slot, is_matrix);
        }
    }

    fn check_temporary(&mut self, token: &Token, row: &'static Row, slot: usize, is_matrix: bool) {
        let (source, part) = (token.src(slot), finding::source(slot));
        let number = u32::from(source.number);
        let used = if row.destination { Mask(token.dst().mask.0 & row.yields.0) } else { Mask::ALL };
        let read = match source.indirect {
            true => Mask(1 << source.index_component),
            false => source.swizzle.reads(slots_of(token, row, slot, used)),
        };
        if !is_matrix {
            return self.check_register(source, number, read, part);
        }
        // The player requires the first row of a matrix to be written, even if the instruction does not use that row.
        if !used.has(0) {
            self.check_register(source, number, Mask(0), part);
        }
        for row in used.components() {
            self.check_register(source, number + u32::from(row), read, part);
        }
    }

    /// Reports components of one temporary that are read before they are written. The operation uses the components in `read`.
    fn check_register(&mut self, source: Source, number: u32, read: Mask, part: Part) {
        let have = self.assigned.of(register_index((File::Temporary, number)));
        if have == Mask::ALL {
            return;
        }
        let lacks = Mask(read.0 & !have.0);
        let named = if source.indirect { read } else { source.swizzle.reads(Mask::ALL) };
        if (read.0 | named.0) & !have.0 == 0 {
            return;
        }
        let unneeded = Mask(named.0 & !have.0 & !lacks.0 & !self.named.of(register_index((File::Temporary, number))).0);
        if lacks.is_empty() && unneeded.is_empty() {
            return;
        }
        self.assigned.add(register_index((File::Temporary, number)), lacks);
        self.named.add(register_index((File::Temporary, number)), unneeded);
        let register = self.name(File::Temporary, number);
        let elsewhere = lacks.0 & self.touched.of(register_index((File::Temporary, number))).0 != 0;
        let kind = match (have.is_empty(), lacks.is_empty()) {
            (true, false) => Kind::UnwrittenRegister { register, elsewhere },
            (false, false) => Kind::UnwrittenComponents { register, components: lacks.to_string(), elsewhere },
            (true, true) => Kind::UnwrittenUnneeded { register },
            (false, true) => Kind::UnwrittenSwizzle { register, components: unneeded.to_string() },
        };
        self.report(part, kind);
    }

    /// Checks the destination in the player's order. In either stage, the player applies the vertex stage's limit on constants to
    /// a destination.
    pub(super) fn destination(&mut self, token: &Token, row: &'static Row) {
        let part = Part::Destination;
        if !row.destination {
            if token.destination != 0 {
                self.report(part, Kind::UnusedDestination { mnemonic: row.mnemonic });
            }
            return;
        }
        let dst = token.dst();
        let number = u32::from(dst.number);
        let reserved = token.destination & Destination::RESERVED;
        let fits = dst.mask.0 & !row.yields.0 == 0 && !dst.mask.is_empty();
        if reserved == 0 && fits && self.plain_targets.get(usize::from(dst.file)).is_some_and(|&count| number < count) {
            return;
        }
        let file = dst.register_file();
        match file {
            None => self.report(part, Kind::RegisterType { found: dst.file }),
            Some(file) => {
                let limit = match file {
                    File::Constant => count(self.program, self.rules, file, Stage::Vertex),
                    _ => self.count(file),
                };
                self.in_range(file, number, 1, limit, part);
            }
        }
        if reserved != 0 {
            self.report(part, Kind::ReservedBits { bits: u64::from(reserved) });
        }
        if let Some(file) = file {
            self.writable(file, number, part);
            self.mask(file, dst, part);
            if matches!(file, File::Output | File::Depth) && !self.open.is_empty() {
                let register = self.name(file, number);
                self.report(part, Kind::OutputInConditional { register });
            }
            if file == File::Output {
                self.colour(number, part);
            }
        }
        if dst.mask.0 & !row.yields.0 != 0 {
            self.report(part, Kind::WritesW { mnemonic: row.mnemonic });
        }
    }

    fn writable(&mut self, file: File, number: u32, part: Part) {
        let writable = match file {
            File::Temporary | File::Output => true,
            File::Varying => self.program.stage == Stage::Vertex,
            File::Depth => {
                if self.program.stage == Stage::Vertex {
                    self.depth_stage(part);
                }
                true
            }
            File::Instance => self.count(file) == 0,
            _ => false,
        };
        if !writable {
            let register = self.name(file, number);
            self.report(part, Kind::NotWritable { register, file });
        }
    }

    fn mask(&mut self, file: File, dst: Destination, part: Part) {
        let fragment = self.program.stage == Stage::Fragment;
        if file == File::Output && fragment && dst.mask != Mask::ALL {
            let register = self.name(file, u32::from(dst.number));
            self.report(part, Kind::PartialColour { register });
        }
        if file == File::Depth && fragment && dst.mask != Mask(1) && self.count(file) != 0 {
            self.report(part, Kind::DepthMask);
        }
        if dst.mask.is_empty() {
            self.report(part, Kind::EmptyMask);
        }
    }

    /// Records the first write to each colour, and reports a second write from version 2 on.
    fn colour(&mut self, number: u32, part: Part) {
        let Some(first) = self.colours.get_mut(number as usize) else { return };
        let twice = *first;
        *first = Some(twice.unwrap_or(self.index));
        if let Some(at) = twice
            && self.program.stage == Stage::Fragment
            && self.program.version > 1
        {
            let register = self.name(File::Output, number);
            self.report(part, Kind::ColourTwice { register, first: token_number(at) });
        }
    }
}

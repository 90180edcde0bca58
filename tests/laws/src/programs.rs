//! Generates random programs that Flash Player accepts.
//!
//! The generator follows the strictest interpretation of every rule of agal-errors.md. Swizzles read only components that were
//! written on every path, and every operation other than a copy has an operand that is not a constant. Outputs are written
//! outside conditionals, and each colour is written completely and once. No branch is empty. Cube textures have mip levels and
//! are clamped.
//!
//! A program consists of statements that write temporaries, interspersed with writes of outputs. In a conditional, the generator
//! tracks the components that are written on each path, as the player does.

use agal_front::opcode::{Meaning, Opcode, Operand, Row};
use agal_front::register::File;
use agal_front::token::{Destination, Mask, Sampler, Source, Swizzle, Token};
use agal_front::{Program, Stage};

use testing::Random;

/// The maximum nesting depth of conditionals that Flash Player accepts.
const NESTING: usize = 4;

/// A mask for each temporary register. The mask contains the components that have been written.
type Written = [u8; 26];

/// Returns a random program length: usually at most 24 tokens, sometimes up to 90.
pub fn some_length(random: &mut Random) -> usize {
    let most = if random.once_in(20) { 90 } else { 24 };
    1 + random.below(most)
}

/// Generates a program for a version and a stage. The program has `length` tokens, or more if its outputs need more.
pub fn program(random: &mut Random, version: u32, stage: Stage, length: usize) -> Program {
    let varyings = File::Varying.count(stage, version);
    let varyings: Vec<u32> = (0..varyings).filter(|_| random.once_in(3)).collect();
    with_varyings(random, version, stage, &varyings, length)
}

/// Generates a vertex program and a matching fragment program, which does not read all of the varyings that the vertex program
/// writes.
pub fn pair(random: &mut Random, version: u32) -> [Program; 2] {
    let count = File::Varying.count(Stage::Vertex, version);
    let written: Vec<u32> = (0..count).filter(|_| !random.once_in(3)).collect();
    let read: Vec<u32> = written.iter().copied().filter(|_| !random.once_in(3)).collect();
    [(Stage::Vertex, written), (Stage::Fragment, read)].map(|(stage, varyings)| {
        let length = some_length(random);
        with_varyings(random, version, stage, &varyings, length)
    })
}

fn with_varyings(random: &mut Random, version: u32, stage: Stage, varyings: &[u32], length: usize) -> Program {
    let mut generator = Generator {
        samplers: Vec::new(),
        varyings,
        version,
        stage,
        tokens: Vec::new(),
        written: [0; 26],
        depth: 0,
        random,
    };
    generator.samplers = generator.sampler_states();
    generator.run(length);
    Program { version, stage, tokens: generator.tokens, trailing: Vec::new() }
}

struct Generator<'a> {
    random: &'a mut Random,
    version: u32,
    stage: Stage,
    /// The varyings that the program must write in the vertex stage, or may read in the fragment stage.
    varyings: &'a [u32],
    /// The state of each sampler register, which is identical in all instructions that use the register.
    samplers: Vec<Sampler>,
    tokens: Vec<Token>,
    written: Written,
    depth: usize,
}

/// The part of an output register that one token writes.
#[derive(Clone, Copy)]
struct Piece(File, u32, Mask);

/// The registers that an operand may read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// Any register except a constant.
    Varying,
    /// Any register, read without an index register.
    Direct,
    Anything,
}

impl Generator<'_> {
    fn count(&self, file: File) -> u32 {
        file.count(self.stage, self.version)
    }

    fn run(&mut self, length: usize) {
        let mut pieces = self.pieces();
        // A statement, including the branches of a conditional, leaves room for the tokens that write the remaining outputs.
        while let room @ 1.. = length.saturating_sub(self.tokens.len() + pieces.len()) {
            self.statement(room);
            if self.random.once_in(6)
                && let Some(piece) = pieces.pop()
            {
                self.write(piece);
            }
        }
        pieces.into_iter().for_each(|piece| self.write(piece));
    }

    /// Returns the writes of all outputs in random order. Some outputs are written in parts, if the rules allow that.
    fn pieces(&mut self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        if self.stage == Stage::Vertex {
            self.parts(File::Output, 0, &mut pieces);
            for &varying in self.varyings {
                self.parts(File::Varying, varying, &mut pieces);
            }
        } else {
            let colours = 1 + self.random.below(self.count(File::Output) as usize) as u32;
            let colours = if self.random.once_in(2) { 1 } else { colours };
            pieces.extend((0..colours).map(|number| Piece(File::Output, number, Mask::ALL)));
            if self.count(File::Depth) > 0 && self.random.once_in(3) {
                pieces.push(Piece(File::Depth, 0, Mask(1)));
            }
        }
        for last in (1..pieces.len()).rev() {
            let other = self.random.below(last + 1);
            pieces.swap(last, other);
        }
        pieces
    }

    /// Splits the write of an output register into one to four parts.
    fn parts(&mut self, file: File, number: u32, pieces: &mut Vec<Piece>) {
        let mut left = 0xf;
        while left != 0 {
            let part = if self.random.once_in(2) { left } else { left & self.random.next() as u8 };
            if part != 0 {
                pieces.push(Piece(file, number, Mask(part)));
                left &= !part;
            }
        }
    }

    fn write(&mut self, Piece(file, number, mask): Piece) {
        self.operation(Destination { number: number as u16, mask, file: file as u8 });
    }

    /// Adds one token, or a conditional of at most `room` tokens.
    fn statement(&mut self, room: usize) {
        if self.version >= 2
            && self.depth < NESTING
            && room >= 3
            && self.random.once_in(if self.depth == 0 { 8 } else { 3 })
            && let Some(operand) = self.operand(Reads::Varying)
        {
            return self.conditional(room, scalar(operand));
        }
        if self.stage == Stage::Fragment
            && self.random.once_in(16)
            && let Some(operand) = self.operand(Reads::Varying)
        {
            return self.push(Opcode::Kil, 0, [scalar(operand).encode(), 0]);
        }
        let number = self.random.below(self.count(File::Temporary) as usize) as u16;
        // A few registers are chosen more often than the others, so that most of their components get written.
        let number = if self.random.once_in(3) { number } else { number % 5 };
        let mask = if self.random.once_in(2) { Mask::ALL } else { Mask(1 + self.random.below(15) as u8) };
        let written = self.operation(Destination { number, mask, file: File::Temporary as u8 });
        self.written[usize::from(number)] |= written.0;
    }

    /// Adds a conditional that compares `first` with another operand.
    fn conditional(&mut self, room: usize, first: Source) {
        let op = self.random.pick(&[Opcode::Ife, Opcode::Ine, Opcode::Ifg, Opcode::Ifl]);
        let second = loop {
            let second = self.operand(Reads::Direct).map(scalar);
            if let Some(second) = second.filter(|&second| second != first) {
                break second;
            }
        };
        let operands = self.any_order(first, second);
        self.push(op, 0, operands);
        let before = self.written;
        let mut otherwise = before;
        let with_els = room >= 5 && self.random.once_in(2);
        let room = room - 2;
        self.branch(if with_els { (room - 1) / 2 } else { room });
        if with_els {
            self.push(Opcode::Els, 0, [0, 0]);
            otherwise = std::mem::replace(&mut self.written, before);
            self.branch((room - 1) / 2);
        }
        self.push(Opcode::Eif, 0, [0, 0]);
        self.written.iter_mut().zip(otherwise).for_each(|(here, there)| *here &= there);
    }

    /// Adds a branch of at least one statement.
    fn branch(&mut self, room: usize) {
        self.depth += 1;
        let end = self.tokens.len() + 1 + self.random.below(room.min(12));
        while self.tokens.len() < end {
            self.statement(end - self.tokens.len());
        }
        self.depth -= 1;
    }

    /// Adds a random operation that writes `destination`. Returns the mask of the written components, which excludes `w` if the
    /// operation yields three components.
    fn operation(&mut self, destination: Destination) -> Mask {
        loop {
            let op = self.random.pick(Opcode::ALL);
            let row = op.row();
            let here = row.since <= self.version && row.stage.is_none_or(|stage| stage == self.stage);
            let has_result = row.destination && row.meaning != Meaning::TextureLevel;
            let neighbours = matches!(row.meaning, Meaning::Derivative(_)) && self.depth > 0;
            if !here || !has_result || neighbours {
                continue;
            }
            let three = matches!(row.meaning, Meaning::Normalize | Meaning::Cross | Meaning::Matrix { rows: 3, .. });
            let mut destination = destination;
            if three && destination.file == File::Temporary as u8 && destination.mask.0 & 7 != 0 {
                destination.mask.0 &= 7;
            }
            if three && destination.mask.has(3) {
                continue;
            }
            if let Some(sources) = self.sources(row) {
                self.push(op, destination.encode(), sources);
                return destination.mask;
            }
        }
    }

    /// Returns the encoded source operands of an operation, or `None` if no readable register may be an operand of the
    /// operation.
    fn sources(&mut self, row: &Row) -> Option<[u64; 2]> {
        match row.sources {
            [_, Operand::Sampler] => {
                let sampler = self.random.pick(&self.samplers.clone());
                let coordinate = self.coordinate()?;
                Some([coordinate.encode(), sampler.encode()])
            }
            [_, Operand::Matrix] => {
                let Meaning::Matrix { rows, .. } = row.meaning else { return None };
                let matrix = self.matrix(u32::from(rows));
                let constant = matrix.file == File::Constant as u8;
                let vector = self.operand(if constant { Reads::Varying } else { Reads::Anything })?;
                Some([vector.encode(), matrix.encode()])
            }
            [_, Operand::None] => {
                // Only a copy may have a constant as its sole operand.
                let copy = row.meaning == Meaning::Move;
                let operand = self.operand(if copy { Reads::Anything } else { Reads::Varying })?;
                Some([operand.encode(), 0])
            }
            _ => {
                let (first, second) = (self.operand(Reads::Varying)?, self.operand(Reads::Anything)?);
                Some(self.any_order(first, second))
            }
        }
    }

    fn any_order(&mut self, first: Source, second: Source) -> [u64; 2] {
        let mut operands = [first.encode(), second.encode()];
        if self.random.once_in(2) {
            operands.reverse();
        }
        operands
    }

    /// Returns a random operand that reads only written components, or `None` if no register in `reads` is readable.
    fn operand(&mut self, reads: Reads) -> Option<Source> {
        let nothing = self.stage == Stage::Fragment && self.varyings.is_empty() && self.written == [0; 26];
        if nothing && reads == Reads::Varying {
            return None;
        }
        loop {
            let file = self.readable();
            if file == File::Constant && reads == Reads::Varying {
                continue;
            }
            let indirect = self.stage == Stage::Vertex && reads == Reads::Anything && self.random.once_in(2);
            if file == File::Constant && indirect {
                let swizzle = self.swizzle();
                return Some(self.indirect(1, swizzle));
            }
            if let Some(source) = self.direct(file) {
                return Some(source);
            }
        }
    }

    fn readable(&mut self) -> File {
        let files: &[File] = match self.stage {
            Stage::Vertex => &[File::Attribute, File::Constant, File::Temporary, File::Temporary, File::Instance],
            Stage::Fragment => &[File::Varying, File::Constant, File::Temporary, File::Temporary],
        };
        self.random.pick(files)
    }

    fn swizzle(&mut self) -> Swizzle {
        if self.random.once_in(2) { Swizzle::IDENTITY } else { Swizzle(self.random.next() as u8) }
    }

    /// Picks a readable register of a file, or returns `None` if no register of the file is readable.
    fn direct(&mut self, file: File) -> Option<Source> {
        let swizzle = self.swizzle();
        let (number, swizzle) = match file {
            File::Temporary => {
                let number = self.written_temporary()?;
                (number, self.swizzle_of(Mask(self.written[number as usize]), swizzle))
            }
            File::Varying if self.varyings.is_empty() => return None,
            File::Varying => (self.random.pick(self.varyings), swizzle),
            _ => match self.count(file) {
                0 => return None,
                // The last register is chosen more often than the others, because reading it would reveal an off-by-one error in
                // a limit.
                count if self.random.once_in(12) => (count - 1, swizzle),
                count => (self.random.below(count as usize) as u32, swizzle),
            },
        };
        Some(direct(file, number, swizzle))
    }

    fn written_temporary(&mut self) -> Option<u32> {
        let written: Vec<u32> = (0..26).filter(|&number| self.written[number as usize] != 0).collect();
        if written.is_empty() { None } else { Some(self.random.pick(&written)) }
    }

    /// Replaces the components of a swizzle that are outside `set` with random components of `set`.
    fn swizzle_of(&mut self, set: Mask, swizzle: Swizzle) -> Swizzle {
        let letters: Vec<u8> = set.components().collect();
        Swizzle((0..4).fold(0, |word, slot| {
            let letter = swizzle.component(slot);
            let letter = if set.has(letter) { letter } else { self.random.pick(&letters) };
            word | letter << (2 * slot)
        }))
    }

    /// Returns an operand that reads `rows` consecutive constants through an index register.
    fn indirect(&mut self, rows: u32, swizzle: Swizzle) -> Source {
        let index = loop {
            let file = self.readable();
            if let Some(source) = self.direct(file) {
                break source;
            }
        };
        let offset = self.random.below((self.count(File::Constant) - rows + 1) as usize) as u8;
        let offset = if self.random.once_in(3) { 0 } else { offset };
        Source {
            number: index.number,
            offset,
            swizzle,
            file: File::Constant as u8,
            index_file: index.file,
            index_component: index.swizzle.component(0),
            indirect: true,
        }
    }

    /// Returns an operand that reads `rows` consecutive registers whose components are all written.
    fn matrix(&mut self, rows: u32) -> Source {
        loop {
            let file = self.readable();
            if file == File::Constant && self.stage == Stage::Vertex && self.random.once_in(3) {
                return self.indirect(rows, Swizzle::IDENTITY);
            }
            let firsts: Vec<u32> = (0..(self.count(file) + 1).saturating_sub(rows))
                .filter(|&first| {
                    (first..first + rows).all(|row| match file {
                        File::Temporary => self.written[row as usize] == 0xf,
                        File::Varying => self.varyings.contains(&row),
                        _ => true,
                    })
                })
                .collect();
            if !firsts.is_empty() {
                return direct(file, self.random.pick(&firsts), Swizzle::IDENTITY);
            }
        }
    }

    /// Returns a texture coordinate. In a conditional, the coordinate is an input register, so that its derivatives are defined.
    fn coordinate(&mut self) -> Option<Source> {
        let input = if self.stage == Stage::Vertex { File::Attribute } else { File::Varying };
        let file = if self.depth > 0 || self.random.once_in(2) { input } else { File::Temporary };
        self.direct(file)
    }

    fn sampler_states(&mut self) -> Vec<Sampler> {
        (0..self.count(File::Sampler)).map(|number| self.sampler(number as u16)).collect()
    }

    fn sampler(&mut self, number: u16) -> Sampler {
        let late = self.version >= 2;
        let dimension = self.random.below(if late { 3 } else { 2 }) as u8;
        let format = self.random.below(4) as u8;
        // Video textures are 2D, have one mip level and are clamped. Cube textures have mip levels and are clamped.
        let video = format == 3;
        let dimension = if video { 0 } else { dimension };
        let filters = if late && self.stage == Stage::Fragment { 6 } else { 2 };
        let mip = match (dimension, video) {
            (_, true) => 0,
            (1, _) => 1 + self.random.below(2) as u8,
            _ => self.random.below(3) as u8,
        };
        let wrap = if video || dimension == 1 { 0 } else { self.random.below(if late { 4 } else { 2 }) as u8 };
        let bias = if mip == 0 || self.random.once_in(2) { 0 } else { self.random.next() as i8 };
        let special = if late && self.random.once_in(3) { self.random.below(8) as u8 } else { 0 };
        let filter = self.random.below(filters) as u8;
        Sampler { number, bias, file: File::Sampler as u8, format, dimension, special, wrap, mip, filter }
    }

    fn push(&mut self, op: Opcode, destination: u32, sources: [u64; 2]) {
        self.tokens.push(Token { opcode: op.row().code, destination, sources });
    }
}

fn direct(file: File, number: u32, swizzle: Swizzle) -> Source {
    Source {
        number: number as u16,
        offset: 0,
        swizzle,
        file: file as u8,
        index_file: 0,
        index_component: 0,
        indirect: false,
    }
}

/// Turns an operand into a scalar by repeating its first component.
fn scalar(source: Source) -> Source {
    Source { swizzle: Swizzle(source.swizzle.component(0) * 0x55), ..source }
}

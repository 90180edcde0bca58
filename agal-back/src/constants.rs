//! Which constant registers hold what: uniforms first, then literals.
//!
//! Rule: a literal is never put where a uniform lies, and equal literals share a component where an operand allows it.

use agal_front::register::File;

use crate::code::Lane;

/// What a component of a constant register holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstantSource {
    /// A number: its bits.
    Literal(u32),
    /// A component of a uniform.
    Uniform {
        /// The uniform's name.
        name: String,
        /// The element of an array, or the column of a matrix; the row if `is_row`.
        element: u32,
        /// Whether the register holds a row of a matrix.
        is_row: bool,
        /// The component.
        component: u8,
    },
}

/// What the application uploads to a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstantRegister {
    /// The register's number.
    pub number: u32,
    /// What its components hold; `None` for one that is not read.
    pub components: [Option<ConstantSource>; 4],
}

/// The constant registers of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Registers {
    pub(crate) all: Vec<ConstantRegister>,
    /// The first register that no uniform has.
    free: u32,
}

impl Registers {
    /// Puts part of a uniform into registers from the first free one on: `sources` are its registers.
    pub(crate) fn reserve(&mut self, sources: Vec<[Option<ConstantSource>; 4]>) -> u32 {
        let first = self.free;
        for components in sources {
            self.all.push(ConstantRegister { number: self.free, components });
            self.free += 1;
        }
        first
    }

    /// Puts a small uniform into a register of small ones, after what is there.
    pub(crate) fn pack(&mut self, sources: &[ConstantSource]) -> (u32, u8) {
        let fits = |register: &&mut ConstantRegister| {
            let used = register.components.iter().rposition(Option::is_some).map_or(0, |at| at + 1);
            used + sources.len() <= 4
        };
        if let Some(register) = self.all.iter_mut().find(fits) {
            let used = register.components.iter().rposition(Option::is_some).map_or(0, |at| at + 1);
            for (cell, source) in register.components.iter_mut().skip(used).zip(sources) {
                *cell = Some(source.clone());
            }
            return (register.number, u8::try_from(used).unwrap_or(0));
        }
        let mut components = [None, None, None, None];
        components.iter_mut().zip(sources).for_each(|(cell, source)| *cell = Some(source.clone()));
        (self.reserve(vec![components]), 0)
    }

    /// How many registers there are.
    pub(crate) fn count(&self) -> u32 {
        self.all.iter().map(|register| register.number + 1).max().unwrap_or(0).max(self.free)
    }

    /// Lanes of one register that hold these literals.
    pub(crate) fn literals(&mut self, words: &[u32]) -> Vec<Lane> {
        let mut distinct: Vec<u32> = Vec::new();
        words.iter().for_each(|word| {
            if !distinct.contains(word) {
                distinct.push(*word)
            }
        });
        let is_literal = |register: &ConstantRegister| {
            register.components.iter().all(|cell| !matches!(cell, Some(ConstantSource::Uniform { .. })))
        };
        let missing = |register: &ConstantRegister| {
            distinct.iter().filter(|word| !register.components.contains(&Some(ConstantSource::Literal(**word)))).count()
        };
        let free = |register: &ConstantRegister| register.components.iter().filter(|cell| cell.is_none()).count();
        let literals = || self.all.iter().enumerate().filter(|(_, register)| is_literal(register));
        let place = literals()
            .filter(|(_, register)| missing(register) <= free(register))
            .min_by_key(|(_, register)| missing(register))
            .map(|(place, _)| place);
        let place = place.unwrap_or_else(|| {
            let number = self.count();
            self.all.push(ConstantRegister { number, components: [None, None, None, None] });
            self.all.len() - 1
        });
        let Some(register) = self.all.get_mut(place) else { return Vec::new() };
        for word in distinct {
            let source = Some(ConstantSource::Literal(word));
            if !register.components.contains(&source)
                && let Some(cell) = register.components.iter_mut().find(|cell| cell.is_none())
            {
                *cell = source;
            }
        }
        let lane = |word: &u32| {
            let at = register.components.iter().position(|cell| *cell == Some(ConstantSource::Literal(*word)));
            Lane::Register(File::Constant, register.number, at.and_then(|at| u8::try_from(at).ok()).unwrap_or(0))
        };
        words.iter().map(lane).collect()
    }
}

//! The contents of the constant registers: uniforms first, then literals.
//!
//! Rule: a literal never shares a register with a uniform, and equal literals share a component unless an operand needs one of
//! them in a different register.

use std::fmt;

use agal_front::Stage;
use agal_front::register::File;

use crate::code::Lane;
use sdlbc::front::letter;

/// The value in one component of a constant register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstantSource {
    /// The bits of a float literal.
    Literal(u32),
    /// A component of a uniform.
    Uniform {
        /// The name of the uniform in the module.
        name: String,
        /// The index of the array element, the matrix column, or (if `is_row` is set) the matrix row; 0 for a vector.
        element: u32,
        /// Whether the register contains a row of a matrix instead of a column.
        is_row: bool,
        /// The component, 0 to 3, in the element, column or row.
        component: u8,
        /// Whether the application must upload an int, uint or bool as a float. An int or uint must not exceed 1048576 in
        /// absolute value, and a bool is uploaded as 1 or 0.
        as_float: bool,
    },
}

/// A constant register, with the values that the application uploads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstantRegister {
    /// The index of the register in the file of constants.
    pub number: u32,
    /// The value of each component, or `None` for a component that the program does not read.
    pub components: [Option<ConstantSource>; 4],
}

/// Returns the uploads to a program's constant registers, one per line, such as `fc1.xy = 0.5, 2`. Consecutive array elements or
/// matrix columns share one line, such as `vc0..3 = transform`. A register with number N is omitted if it contains element N of
/// an array named after the register file, as in modules lifted from AGAL.
pub fn uploads(constants: &[ConstantRegister], stage: Stage) -> Vec<String> {
    let file = File::Constant.name(stage);
    let mut lines = Vec::new();
    let mut rest = constants;
    while let Some((first, after)) = rest.split_first() {
        let Some((name, element, is_row)) = first.whole() else {
            lines.push(first.line(file));
            rest = after;
            continue;
        };
        let follows = |(register, by): (&ConstantRegister, u32)| {
            register.number == first.number + by && register.whole() == Some((name, element + by, is_row))
        };
        let count = after.iter().zip(1u32..).take_while(|&both| follows(both)).count();
        let last = first.number + u32::try_from(count).unwrap_or(0);
        if name != file || element != first.number {
            let registers = if count == 0 { String::new() } else { format!("..{last}") };
            let part = if element == 0 { String::new() } else { format!(" from {element} on") };
            let rows = if is_row { ", by rows" } else { "" };
            lines.push(format!("{file}{}{registers} = {name}{part}{rows}", first.number));
        }
        rest = after.get(count..).unwrap_or_default();
    }
    lines
}

impl ConstantRegister {
    /// If the register contains the components of an element in order, returns the uniform's name, the element's index, and
    /// whether the element is a row.
    fn whole(&self) -> Option<(&str, u32, bool)> {
        let [Some(ConstantSource::Uniform { name, element, is_row, as_float: false, .. }), ..] = &self.components
        else {
            return None;
        };
        let in_order = |(source, at): (&Option<ConstantSource>, u8)| match source {
            Some(ConstantSource::Uniform { name: of, element: same, component, .. }) => {
                of == name && same == element && *component == at
            }
            Some(ConstantSource::Literal(_)) => false,
            None => true,
        };
        self.components.iter().zip(0u8..).all(in_order).then_some((name.as_str(), *element, *is_row))
    }

    fn line(&self, file: &str) -> String {
        let number = self.number;
        let known =
            || "xyzw".chars().zip(&self.components).filter_map(|(letter, source)| Some((letter, source.as_ref()?)));
        let letters: String = known().map(|(letter, _)| letter).collect();
        let part = if letters == "xyzw" { String::new() } else { format!(".{letters}") };
        let values: Vec<String> = known().map(|(_, source)| source.to_string()).collect();
        format!("{file}{number}{part} = {}", values.join(", "))
    }
}

impl fmt::Display for ConstantSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConstantSource::Literal(word) => write!(f, "{}", f32::from_bits(*word)),
            ConstantSource::Uniform { name, element, is_row, component, as_float } => {
                f.write_str(name)?;
                match (element, is_row) {
                    (0, false) => {}
                    (_, false) => write!(f, "[{element}]")?,
                    (_, true) => write!(f, "[row {element}]")?,
                }
                write!(f, ".{}{}", letter(*component), if *as_float { " as a float" } else { "" })
            }
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Registers {
    pub(crate) all: Vec<ConstantRegister>,
    free: u32,
}

impl Registers {
    /// Assigns consecutive registers to a uniform, and returns the index of the first register. `sources` lists the contents of
    /// the registers.
    pub(crate) fn reserve(&mut self, sources: Vec<[Option<ConstantSource>; 4]>) -> u32 {
        let first = self.free;
        for components in sources {
            self.all.push(ConstantRegister { number: self.free, components });
            self.free += 1;
        }
        first
    }

    /// Adds a small uniform to a register whose last components are free, or to a new register. Returns the register and the
    /// first component of the uniform.
    pub(crate) fn pack(&mut self, sources: &[ConstantSource]) -> (u32, u8) {
        let used =
            |register: &ConstantRegister| register.components.iter().rposition(Option::is_some).map_or(0, |at| at + 1);
        if let Some(register) = self.all.iter_mut().find(|register| used(register) + sources.len() <= 4) {
            let used = used(register);
            for (cell, source) in register.components.iter_mut().skip(used).zip(sources) {
                *cell = Some(source.clone());
            }
            return (register.number, u8::try_from(used).unwrap_or(0));
        }
        (self.reserve(vec![std::array::from_fn(|at| sources.get(at).cloned())]), 0)
    }

    pub(crate) fn count(&self) -> u32 {
        self.all.iter().map(|register| register.number + 1).max().unwrap_or(0).max(self.free)
    }

    /// Places literals in a single register, and returns a lane for each literal.
    pub(crate) fn literals(&mut self, words: &[u32]) -> Vec<Lane> {
        let mut distinct: Vec<u32> = Vec::new();
        for word in words {
            if !distinct.contains(word) {
                distinct.push(*word);
            }
        }
        let is_literal = |register: &ConstantRegister| {
            register.components.iter().all(|cell| !matches!(cell, Some(ConstantSource::Uniform { .. })))
        };
        let missing = |register: &ConstantRegister| {
            distinct.iter().filter(|word| !register.components.contains(&Some(ConstantSource::Literal(**word)))).count()
        };
        let free = |register: &ConstantRegister| register.components.iter().filter(|cell| cell.is_none()).count();
        let has_room = |register: &ConstantRegister| is_literal(register) && missing(register) <= free(register);
        let registers = self.all.iter().enumerate().filter(|(_, register)| has_room(register));
        let place = registers.min_by_key(|(_, register)| missing(register)).map(|(place, _)| place);
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

//! Parses operands: registers, masks and swizzles.

use sdlbc::front::{Mask, Span, Swizzle, letter};

use super::scan::Token;
use super::{Assembler, Operand, across};
use crate::finding::{Kind, shortened};
use crate::register::{File, NUMBERED, Register, SAMPLERS, UNIFORMS, Written, digits, input, output};
use crate::word::{Destination, Extended, Part};

/// The name of the address register, whose capital letter distinguishes it from attribute 0.
const ADDRESS: &str = "A0";

/// Parses one to four of the letters `xyzw` as components, or returns `None` for any other word.
fn letters(text: &str) -> Option<Vec<u8>> {
    let components: Option<Vec<u8>> = text.chars().map(component).collect();
    components.filter(|components| (1..=4).contains(&components.len()))
}

fn component(c: char) -> Option<u8> {
    (0..4).find(|&component| letter(component) == c.to_ascii_lowercase())
}

/// Parses the four parts of an extended swizzle without signs, such as `1xz0`.
fn parts(text: &str) -> Option<[(bool, Part); 4]> {
    let parts: Option<Vec<(bool, Part)>> = text.chars().map(|c| part(c).map(|part| (false, part))).collect();
    parts?.try_into().ok()
}

fn part(c: char) -> Option<Part> {
    match c {
        '0' => Some(Part::Zero),
        '1' => Some(Part::One),
        c => component(c).map(Part::Component),
    }
}

impl<'t> Assembler<'t> {
    /// Parses a number from 0 to `most`, and reports an error for any other word.
    fn number(&mut self, text: &str, span: Span, what: &'static str, most: u8) -> Option<u8> {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(number) if is_number && number <= most => Some(number),
            _ if is_number => {
                self.report(span, Kind::OutOfRange { what, most, number: shortened(text) });
                None
            }
            _ => {
                self.report(span, Kind::Expected { what: "a number", found: Token::Word(text).described() });
                None
            }
        }
    }

    /// Returns the register with this name, or reports an error if no register has this name.
    fn register(&mut self, name: &str, span: Span) -> Option<Register> {
        if let Some(register) = Register::from_name(name) {
            return Some(register);
        }
        let begins = |letter: &str| name.get(..1).is_some_and(|first| first.eq_ignore_ascii_case(letter));
        let (short, stage) = (shortened(name), self.program.stage.name());
        let kind = match digits(name) {
            _ if name.starts_with(|c: char| c.is_ascii_digit()) => Kind::Literal,
            Some(_) if begins("u") => Kind::NotWritable { name: short, stage },
            Some(_) if begins("t") => Kind::NotReadable { name: short, stage },
            Some(digits) => match NUMBERED.into_iter().find(|(letter, ..)| begins(letter)) {
                Some((what, count, _)) => Kind::OutOfRange { what, most: count - 1, number: shortened(digits) },
                None => Kind::UnknownRegister { name: short },
            },
            None => Kind::UnknownRegister { name: short },
        };
        self.report(span, kind);
        None
    }

    pub(super) fn destination(&mut self) -> Option<(Destination, Span)> {
        let (name, start) = self.word("a destination")?;
        let register = self.register(name, start);
        let (mut span, mut mask) = (start, Mask::ALL);
        if self.scan.take('.') {
            let (text, end) = self.word("a write mask")?;
            span = across(start, end);
            let components = letters(text).filter(|components| components.is_sorted_by(|a, b| a < b));
            match components {
                Some(components) => mask = Mask(components.iter().fold(0, |set, c| set | 1 << c)),
                None => {
                    self.report(end, Kind::BadMask { text: shortened(text) });
                    return None;
                }
            }
        }
        let (register, stage) = (register?, self.program.stage);
        if let Register::Temporary(index) = register {
            return Some((Destination { written: Written::Temporary, index, mask }, span));
        }
        let Some(index) = (0..16).find(|&index| output(stage, index) == Some(register)) else {
            self.report(start, Kind::NotWritable { name: register.to_string(), stage: stage.name() });
            return None;
        };
        Some((Destination { written: Written::Output, index, mask }, span))
    }

    /// Parses `A0.x`, the destination of ARL.
    pub(super) fn address(&mut self) -> Option<Span> {
        let (name, start) = self.word("`A0.x`")?;
        let component = if self.scan.take('.') { Some(self.word("`x`")?) } else { None };
        match component {
            Some((component, end)) if name == ADDRESS && component.eq_ignore_ascii_case("x") => {
                Some(across(start, end))
            }
            component => {
                let found = format!("{name}{}", component.map_or(String::new(), |(letters, _)| format!(".{letters}")));
                self.report(start, Kind::Expected { what: "`A0.x`", found: format!("`{}`", shortened(&found)) });
                None
            }
        }
    }

    pub(super) fn source(&mut self) -> Option<Operand> {
        let first = self.scan.peek().1;
        let negate = self.scan.take('-');
        let (name, span) = self.word("a source")?;
        let (file, number) = self.read(name, span)?;
        let mut operand = Operand {
            file,
            number,
            swizzle: Swizzle::IDENTITY,
            negate,
            extended: None,
            span: across(first, self.last),
        };
        let mut is_first = true;
        while operand.extended.is_none() && self.scan.take('.') {
            if self.scan.take('[') {
                operand.extended = Some(self.components(']')?);
            } else {
                let (text, span) = self.word("a swizzle")?;
                match (letters(text), parts(text)) {
                    (Some(components), _) if is_first => {
                        let slot = |slot: usize| components.get(slot).or(components.last()).copied().unwrap_or(0);
                        operand.swizzle = Swizzle((0..4).rev().fold(0, |word, at| word << 2 | slot(at)));
                    }
                    (None, Some(parts)) => operand.extended = Some(Extended::of(parts)),
                    _ => {
                        self.report(span, Kind::BadSwizzle { text: shortened(text) });
                        return None;
                    }
                }
            }
            is_first = false;
            operand.span = across(first, self.last);
        }
        Some(operand)
    }

    fn read(&mut self, name: &'t str, span: Span) -> Option<(File, u8)> {
        if name == ADDRESS {
            self.report(span, Kind::AddressRead);
            return None;
        }
        let is_uniform = name.get(..1).is_some_and(|letter| letter.eq_ignore_ascii_case("u"));
        if is_uniform && name.len() == 1 && self.scan.take('[') {
            return self.relative();
        }
        if let Some(digits) = digits(name).filter(|_| is_uniform) {
            let number = self.number(digits, span, "u", UNIFORMS - 1)?;
            return Some((File::Uniform, number));
        }
        let (register, stage) = (self.register(name, span)?, self.program.stage);
        if let Register::Temporary(number) = register {
            return Some((File::Temporary, number));
        }
        let index = (0..16).find(|&index| input(stage, index) == Some(register));
        if index.is_none() {
            self.report(span, Kind::NotReadable { name: register.to_string(), stage: stage.name() });
        }
        index.map(|index| (File::Input, index))
    }

    /// Parses the rest of a uniform operand after `u[`: a number, `A0.x`, or `A0.x` plus a number.
    fn relative(&mut self) -> Option<(File, u8)> {
        let (text, span) = self.word("a number or `A0.x`")?;
        let (file, number) = if text.bytes().all(|byte| byte.is_ascii_digit()) {
            (File::Uniform, self.number(text, span, "u", UNIFORMS - 1)?)
        } else {
            let is_address = text == ADDRESS && self.scan.take('.');
            let component = if is_address { self.word("`x`")?.0 } else { "" };
            if !component.eq_ignore_ascii_case("x") {
                let found = if is_address { format!("{text}.{component}") } else { text.to_string() };
                let found = format!("`{}`", shortened(&found));
                self.report(span, Kind::Expected { what: "a number or `A0.x`", found });
                return None;
            }
            let mut number = 0;
            if self.scan.take('+') {
                let (text, span) = self.word("a number")?;
                number = self.number(text, span, "u", UNIFORMS - 1)?;
            }
            (File::Relative, number)
        };
        self.require(']', if file == File::Relative { "`]`, or `+` and a number from 0 to 127" } else { "`]`" })?;
        Some((file, number))
    }

    /// Parses the four components of an extended swizzle, which are separated by commas. The character `end` is consumed unless
    /// it is a `;`.
    pub(super) fn components(&mut self, end: char) -> Option<Extended> {
        let mut components = [(false, Part::Zero); 4];
        for (at, component) in components.iter_mut().enumerate() {
            if at > 0 {
                self.require(',', "`,`")?;
            }
            let negate = self.scan.take('-');
            let (text, span) = self.word("x, y, z, w, 0 or 1")?;
            let mut letters = text.chars();
            match (letters.next().and_then(part), letters.next()) {
                (Some(part), None) => *component = (negate, part),
                _ => {
                    let found = Token::Word(text).described();
                    self.report(span, Kind::Expected { what: "x, y, z, w, 0 or 1", found });
                    return None;
                }
            }
        }
        if end != ';' {
            self.require(end, "`]`")?;
        }
        Some(Extended::of(components))
    }

    /// Parses a sampler, `t0` to `t7`.
    pub(super) fn sampler(&mut self) -> Option<u8> {
        let (name, span) = self.word("a sampler")?;
        match digits(name).filter(|_| name.starts_with(['t', 'T'])) {
            Some(digits) => self.number(digits, span, "t", SAMPLERS - 1),
            None => {
                self.report(span, Kind::Expected { what: "a sampler, t0 to t7", found: Token::Word(name).described() });
                None
            }
        }
    }
}

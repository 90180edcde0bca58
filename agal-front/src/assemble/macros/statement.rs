//! Expands statements and their operands: aliases, opcodes in the mini assembler's form, and opcodes called like functions.
//!
//! Rule: a statement of the mini assembler is copied as written, except that names and numbers are replaced. The mini
//! assembler therefore finds the same operands in the expansion as in the source text.

use super::expand::{Call, Expander};
use super::lexer::{Class as Token, Lexeme, extent};
use super::operand::{self, Class, LONGEST, Operand, SourcePlace, are_letters, may_hold_operands};
use super::output::Line;
use crate::assemble::reader::quote;
use crate::finding::Kind;
use crate::opcode::{Opcode, Operand as Slot};
use crate::register::{File, NAMES};

impl<'a> Expander<'_, 'a> {
    fn is_name(&self, word: &str) -> bool {
        self.frame.get(word).is_some() || self.names.get(word).is_some()
    }

    fn resolve(&mut self, word: &Lexeme<'a>) -> Operand {
        let (base, letters) = match word.text.split_once('.') {
            Some((base, letters)) => (base, Some(letters)),
            None => (word.text, None),
        };
        let here = self.place(word.range());
        let is_register = base.len() <= LONGEST && operand::shape(base).is_some();
        let class = if is_register { Class::Register } else { Class::Word };
        let known = match (self.frame.get(base), self.names.get(base)) {
            // The operand keeps the position of the argument, because a mistake must be corrected in the call.
            (Some(operand), _) if letters.is_none() => operand.clone(),
            (Some(operand), _) => Operand { place: here.clone(), ..operand.clone() },
            (None, Some(operand)) => Operand { place: here.clone(), ..operand.clone() },
            (None, None) => {
                let text = base.chars().take(LONGEST).collect();
                Operand { class, text, letters: None, place: here.clone() }
            }
        };
        let mut operand = known;
        if let (Some(letters), Class::Register | Class::Word) = (letters, operand.class) {
            let letters: String = letters.chars().take(LONGEST).collect();
            if let Some(twice) = operand.select(&letters) {
                let operand::Twice { found, read, theirs } = twice;
                self.note(Kind::SwizzleTwice { found, read, theirs }, here.clone());
            }
        }
        if base != "out" && self.frame.get(base).is_some() && self.frame.has_overwritten(&operand) {
            let (parameter, argument) = (quote(base), operand.written());
            self.note(Kind::ArgumentOverwritten { parameter, argument }, here);
        }
        operand
    }

    /// Parses `lexemes` as a single operand. If the lexemes are not an operand, reports them and returns `None`.
    pub(super) fn operand(&mut self, lexemes: &[Lexeme<'a>]) -> Option<Operand> {
        let place = self.place(extent(lexemes));
        let number = |text: &str| text.parse::<f64>().ok();
        let read = match lexemes {
            [digits] if digits.class == Token::Number => number(digits.text),
            [minus, digits] if minus.is("-") && digits.class == Token::Number => {
                number(digits.text).map(|value| -value)
            }
            _ => None,
        };
        if let Some(value) = read {
            let text = self.text.get(place.range.clone()).unwrap_or_default().chars().take(LONGEST).collect();
            return Some(Operand { class: Class::Number(value), text, letters: None, place });
        }
        let is_operand = !lexemes.is_empty() && operand::length(lexemes) == lexemes.len();
        let (Some(word), true) = (lexemes.first(), is_operand) else {
            let text = self.text.get(place.range.clone()).unwrap_or_default();
            self.note(Kind::ArgumentSyntax { found: quote(text) }, place);
            return None;
        };
        let mut operand = self.resolve(word);
        let Some(inside) = lexemes.get(1..).filter(|rest| !rest.is_empty()) else { return Some(operand) };
        let close = inside.iter().position(|lexeme| lexeme.is("]")).unwrap_or(inside.len());
        let mut text = operand.written();
        for lexeme in inside.get(..=close).unwrap_or(inside) {
            match lexeme.word() {
                Some(_) => text += &self.resolve(lexeme).written(),
                None => text += lexeme.text,
            }
        }
        operand = Operand { class: Class::Register, text, letters: None, place };
        if let Some(letters) = inside.get(close + 2) {
            operand.letters = Some(letters.text.chars().take(LONGEST).collect());
        }
        Some(operand)
    }

    /// Parses a call's argument, and reports an argument that is too long.
    pub(super) fn argument(&mut self, lexemes: &[Lexeme<'a>]) -> Option<Operand> {
        let operand = self.operand(lexemes)?;
        if operand.text.len() + operand.letters.as_ref().map_or(0, String::len) > 2 * LONGEST {
            let found = quote(&operand.text);
            self.note(Kind::ArgumentSyntax { found }, operand.place);
            return None;
        }
        Some(operand)
    }

    /// Returns an operand in the mini assembler's form. An unknown name or an undeclared number is reported.
    pub(super) fn written(&mut self, operand: &Operand) -> Option<String> {
        match operand.class {
            Class::Register => Some(operand.written()),
            Class::Number(value) => {
                let found = self.names.number(value).map(str::to_string);
                if found.is_none() {
                    let kind = Kind::UndeclaredConstant { found: quote(&operand.text) };
                    self.note(kind, operand.place.clone());
                }
                found
            }
            Class::Word => {
                self.unknown(operand);
                None
            }
        }
    }

    fn unknown(&mut self, operand: &Operand) {
        let others = || self.frame.parameters().chain(NAMES.iter().map(|(name, ..)| *name));
        let nearest = if self.notes.may_suggest() { self.names.nearest(&operand.text, others()) } else { None };
        self.note(Kind::UnknownName { found: quote(&operand.text), nearest }, operand.place.clone());
    }

    pub(super) fn is_register(&mut self, target: &Operand) -> bool {
        match target.class {
            Class::Register => true,
            Class::Word => {
                self.unknown(target);
                false
            }
            Class::Number(_) => {
                self.note(Kind::ArgumentSyntax { found: quote(&target.text) }, target.place.clone());
                false
            }
        }
    }

    /// Declares an alias: `alias target, name` or `alias target, name(number, ...)`.
    pub(super) fn alias(&mut self, line: &[Lexeme<'a>]) {
        let rest = line.get(1..).unwrap_or_default();
        let length = operand::length(rest);
        let wants = |this: &mut Self, wants: &'static str, at: usize| {
            let place = rest.get(at).map_or_else(|| extent(line), Lexeme::range);
            this.notes.push(Kind::AliasSyntax { wants }, place);
        };
        if length == 0 {
            return wants(self, "a register", 0);
        }
        if !rest.get(length).is_some_and(|lexeme| lexeme.is(",")) {
            return wants(self, "a comma after the register", length);
        }
        if let ([word, _, other, ..], 1) = (rest, length)
            && operand::is_register(other.text)
            && !operand::is_register(word.text)
            && !word.name().is_some_and(|name| self.is_name(name))
        {
            let (name, register) = (quote(word.text), quote(other.text));
            return self.notes.push(Kind::AliasSwapped { name, register }, word.range());
        }
        let Some(name) = rest.get(length + 1).filter(|lexeme| lexeme.name().is_some()) else {
            return wants(self, "a name without dots after the comma", length + 1);
        };
        let Some(target) = self.operand(rest.get(..length).unwrap_or_default()) else { return };
        match target.class {
            Class::Register if target.text.len() <= LONGEST => {}
            Class::Number(_) => return wants(self, "a register", 0),
            _ => return self.unknown(&target),
        }
        let values = match rest.get(length + 2..) {
            None | Some([]) => None,
            Some(after) if after.first().is_some_and(|lexeme| lexeme.is("(")) => match self.values(after) {
                Some(values) => Some(values),
                None => return,
            },
            Some(_) => return wants(self, "nothing after the name, or numbers in brackets", length + 2),
        };
        if operand::shape(name.text).is_some() {
            let kind = Kind::AliasShadows { name: quote(name.text), target: target.written() };
            self.notes.push(kind, name.range());
        }
        let place = self.place(name.range());
        let former = self.names.declare(name.text, target.clone(), place);
        match (values, former) {
            (Some(values), _) => self.constant(name, &target, &values),
            (None, Some(former)) => {
                let kind = Kind::AliasRedefined { name: quote(name.text), former, target: target.written() };
                self.notes.push(kind, name.range());
            }
            (None, None) => {}
        }
    }

    fn values(&mut self, lexemes: &[Lexeme<'a>]) -> Option<Vec<f64>> {
        let mut values = Vec::new();
        let mut rest = lexemes.get(1..).unwrap_or_default();
        if rest.first().is_some_and(|lexeme| lexeme.is(")")) {
            rest = rest.get(1..).unwrap_or_default();
        } else {
            loop {
                let negative = rest.first().is_some_and(|lexeme| lexeme.is("-"));
                rest = rest.get(usize::from(negative)..).unwrap_or_default();
                let number = rest.first().filter(|lexeme| lexeme.class == Token::Number);
                let Some(value) = number.and_then(|number| number.text.parse::<f64>().ok()) else {
                    return self.wrong_values(rest, lexemes, "a number");
                };
                values.push(if negative { -value } else { value });
                match rest.get(1) {
                    Some(comma) if comma.is(",") => rest = rest.get(2..).unwrap_or_default(),
                    Some(close) if close.is(")") => {
                        rest = rest.get(2..).unwrap_or_default();
                        break;
                    }
                    _ => return self.wrong_values(rest.get(1..).unwrap_or_default(), lexemes, "`,` or `)`"),
                }
            }
        }
        if rest.is_empty() { Some(values) } else { self.wrong_values(rest, lexemes, "nothing after the brackets") }
    }

    fn wrong_values(&mut self, rest: &[Lexeme], all: &[Lexeme], wants: &'static str) -> Option<Vec<f64>> {
        let range = rest.first().map_or_else(|| extent(all), Lexeme::range);
        self.notes.push(Kind::ConstantValues { wants }, range);
        None
    }

    fn constant(&mut self, name: &Lexeme<'a>, target: &Operand, values: &[f64]) {
        let constant = target.register().filter(|register| register.file == File::Constant);
        let Some(register) = constant else {
            let found = quote(&target.written());
            return self.notes.push(Kind::NotAConstant { found }, name.range());
        };
        let lanes = target.lanes();
        if values.len() > lanes.len() {
            let kind = Kind::TooManyValues { target: target.written(), most: lanes.len(), found: values.len() };
            return self.notes.push(kind, name.range());
        }
        let mut held = [None; 4];
        let file = target.text.get(..2).unwrap_or_default().to_ascii_lowercase();
        let zeros = std::iter::repeat(&0.0);
        for (index, (lane, &value)) in lanes.iter().zip(values.iter().chain(zeros)).enumerate() {
            let (Some(slot), Some(&letter)) = (held.get_mut(usize::from(*lane)), b"xyzw".get(usize::from(*lane)))
            else {
                continue;
            };
            if slot.is_some() && index >= values.len() {
                continue;
            }
            *slot = Some(value);
            let component = format!("{file}{}.{}", register.number, char::from(letter));
            if let Some(other) = self.names.component(&component, value) {
                let (value, other) = (value.to_string(), other.to_string());
                self.notes.push(Kind::ConstantConflict { component, value, other }, name.range());
            }
        }
        self.names.hold(name.text, &target.written(), held);
    }

    pub(super) fn mini(&mut self, lexemes: &[Lexeme<'a>]) {
        let mut line = Line::default();
        let is_words = matches!(lexemes, [dot, word, ..] if dot.is(".") && matches!(word.text, "token" | "trailing"));
        let (mut brackets, mut options, mut good) = (0usize, false, true);
        let mut before: Option<&Lexeme> = None;
        let mut sign: Option<&Lexeme> = None;
        for (index, lexeme) in lexemes.iter().enumerate() {
            if let Some(before) = before {
                let gap = self.text.get(before.end()..lexeme.at).unwrap_or_default();
                let blank = gap.chars().all(|c| c == ' ' || c == '\t');
                line.copy(if blank { gap } else { " " }, &self.place(before.end()..lexeme.at));
            }
            let previous = before.replace(lexeme);
            let next = lexemes.get(index + 1).filter(|next| next.class == Token::Number && next.at == lexeme.end());
            if lexeme.is("-") && next.is_some() && !is_words && !options && brackets == 0 {
                // A number's sign is read together with the number.
                continue;
            }
            let text = match lexeme.class {
                // Component letters after an index are separate lexemes.
                _ if is_words || previous.is_some_and(|dot| dot.is(".") && dot.end() == lexeme.at) => Some(None),
                Token::Word if options || index == 0 => Some(self.option(lexeme)),
                Token::Word | Token::Number if !options && self.is_glued(lexemes, index) => None,
                Token::Word => self.mini_operand(lexeme, brackets > 0, sign),
                Token::Number if !options && brackets == 0 => {
                    let negative = previous.filter(|sign| sign.is("-") && sign.end() == lexeme.at);
                    self.mini_number(lexeme, negative.is_some())
                }
                _ => Some(None),
            };
            brackets = match lexeme.text {
                "[" => brackets + 1,
                "]" => brackets.saturating_sub(1),
                _ => brackets,
            };
            options |= lexeme.is("<");
            sign = sign.or(Some(lexeme).filter(|lexeme| lexeme.text.starts_with('#')));
            match text {
                Some(None) => line.copy(lexeme.text, &self.place(lexeme.range())),
                Some(Some((text, place))) => self.write(&mut line, &text, &place),
                None => good = false,
            }
        }
        if good {
            self.emit(line);
        }
    }

    /// Reports a foreign character directly before or after a name or number, because the mini assembler would read the
    /// character as part of the replacement text. Returns whether a foreign character was reported.
    fn is_glued(&mut self, lexemes: &[Lexeme<'a>], index: usize) -> bool {
        let Some(this) = lexemes.get(index) else { return false };
        let base = this.text.split('.').next().unwrap_or_default();
        if this.class == Token::Word && !self.is_name(base) {
            return false;
        }
        let before =
            index.checked_sub(1).and_then(|before| lexemes.get(before)).filter(|before| before.end() == this.at);
        let after = lexemes.get(index + 1).filter(|after| this.end() == after.at);
        let stray = [before, after].into_iter().flatten().find(|next_to| next_to.class == Token::Other);
        if let Some(stray) = stray {
            self.notes.push(Kind::StrayText { found: quote(stray.text) }, stray.range());
        }
        stray.is_some()
    }

    /// Returns the argument that replaces a parameter used as an option or as the mnemonic. Returns `None` to keep the word.
    fn option(&mut self, word: &Lexeme<'a>) -> Option<(String, SourcePlace)> {
        let operand = word.name().and_then(|name| self.frame.get(name))?;
        Some((operand.written(), operand.place.clone()))
    }

    /// Returns the replacement for a word among the operands, `Some(None)` to keep the word, or `None` if the word is unknown.
    /// `sign` is a `#` earlier on the line, if there is one.
    fn mini_operand(
        &mut self,
        word: &Lexeme<'a>,
        inside: bool,
        sign: Option<&Lexeme>,
    ) -> Option<Option<(String, SourcePlace)>> {
        let base = word.text.split('.').next().unwrap_or_default();
        if !self.is_name(base) {
            if !inside && !may_hold_operands(base) && !are_letters(base) {
                match sign {
                    Some(sign) => self.notes.push(Kind::CommentSign, sign.at..sign.at + 1),
                    None => {
                        let operand = self.resolve(word);
                        self.unknown(&operand);
                    }
                }
                return None;
            }
            return Some(None);
        }
        let operand = self.resolve(word);
        self.written(&operand).map(|text| Some((text, operand.place)))
    }

    fn mini_number(&mut self, number: &Lexeme<'a>, negative: bool) -> Option<Option<(String, SourcePlace)>> {
        let value: f64 = number.text.parse().ok()?;
        let class = Class::Number(if negative { -value } else { value });
        let sign = if negative { "-" } else { "" };
        let text = format!("{sign}{}", quote(number.text));
        let place = self.place(number.at - sign.len()..number.end());
        let operand = Operand { class, text, letters: None, place };
        let text = self.written(&operand)?;
        Some(Some((text, operand.place)))
    }

    pub(super) fn opcode(
        &mut self,
        opcode: Opcode,
        call: &Call<'_, 'a>,
        target: Option<Operand>,
        arguments: &[Operand],
    ) {
        let row = opcode.row();
        let name = quote(call.name.text);
        let kind = match (&target, row.destination) {
            (Some(_), false) => Some(Kind::NoResult { name: name.clone() }),
            (None, true) => Some(Kind::ResultUnused { name: name.clone() }),
            _ if call.options.is_some() && !row.sources.contains(&Slot::Sampler) => {
                Some(Kind::CallOptions { name: name.clone() })
            }
            _ => None,
        };
        if let Some(kind) = kind {
            return self.notes.push(kind, call.name.range());
        }
        let takes = row.sources.iter().filter(|&&slot| slot != Slot::None).count();
        if arguments.len() != takes {
            let kind = Kind::ArgumentCount { name, takes: takes.to_string(), found: arguments.len() };
            return self.notes.push(kind, call.name.range());
        }
        let mut line = Line::default();
        line.push(row.mnemonic, &self.place(call.name.range()));
        let good = self.operands(&mut line, target.iter().chain(arguments));
        if let Some(options) = call.options {
            let place = self.place(call.name.range());
            line.push(" <", &place);
            let mut end = options.first().map_or(0, |first| first.at);
            for lexeme in options {
                line.push(if lexeme.at == end { "" } else { " " }, &place);
                end = lexeme.end();
                match self.option(lexeme) {
                    Some((text, place)) => line.push(&text, &place),
                    None => line.copy(lexeme.text, &self.place(lexeme.range())),
                }
            }
            line.push(">", &place);
        }
        if good {
            self.emit(line);
        }
    }

    /// Adds a statement's operands after its mnemonic. If the mini assembler cannot read an operand, reports the operand and
    /// returns false.
    pub(super) fn operands<'o>(&mut self, line: &mut Line, operands: impl Iterator<Item = &'o Operand>) -> bool {
        let mut good = true;
        for (index, operand) in operands.enumerate() {
            line.push(if index == 0 { " " } else { ", " }, &operand.place);
            match self.written(operand) {
                Some(text) => self.write(line, &text, &operand.place),
                None => good = false,
            }
        }
        good
    }

    /// Adds an operand's text as a copy of the source text at `place` if the two texts are equal, and otherwise as a replacement.
    pub(super) fn write(&self, line: &mut Line, text: &str, place: &SourcePlace) {
        if self.text.get(place.range.clone()) == Some(text) {
            line.copy(text, place);
        } else {
            line.push(text, place);
        }
    }
}

//! Expands a program from top to bottom: directives, aliases and macro calls.
//!
//! Rule: a macro call is replaced with the macro's body, statement by statement, with arguments instead of parameters. The
//! expanded statements are read as if they stood in the source text. A macro may be called before its definition. The number of
//! statements and the number of bytes that macro calls produce are limited, because source text may be hostile.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::defines::Defines;
use super::lexer::{Class, Lexeme, extent};
use super::names::Names;
use super::notes::{Notes, similar};
use super::operand::{self, Operand, SourcePlace};
use super::output::{ExpandedText, Line};
use super::preprocess::Preprocessor;
use super::syntax::{Item, Source};
use crate::assemble::advice::is_control;
use crate::assemble::reader::quote;
use crate::finding::Kind;
use crate::opcode::Opcode;

/// The maximum number of statements that macro calls may produce.
const STATEMENTS: usize = 65_536;
/// The maximum number of bytes that macro calls may read from bodies and write to the expansion.
const WORK: usize = 1 << 24;
const DEEPEST: usize = 64;

/// The predefined macros and their opcodes.
const STANDARD: [(&str, &str); 2] = [("mul3x3", "m33"), ("mul4x4", "m44")];

#[derive(Debug, Default)]
pub(super) struct MacroFrame<'l, 'a> {
    parameters: &'l [&'a str],
    arguments: Vec<Operand>,
    out: Option<Operand>,
    /// A bit mask of the components of the result register that the macro has written so far.
    written: u8,
    /// The number of conditionals that were open when the macro was called.
    base: usize,
}

impl MacroFrame<'_, '_> {
    /// Returns the operand that a parameter's name or `out` denotes in this frame.
    pub(super) fn get(&self, name: &str) -> Option<&Operand> {
        if name == "out" {
            return self.out.as_ref();
        }
        let index = self.parameters.iter().position(|parameter| *parameter == name)?;
        self.arguments.get(index)
    }

    /// Reports whether an argument reads components that the macro has already written to its result.
    pub(super) fn has_overwritten(&self, argument: &Operand) -> bool {
        let register = self.out.as_ref().and_then(Operand::register);
        let is_written = |lane: u8| self.written >> lane & 1 != 0;
        let mut read = (0..4).map(|lane| operand::selected(argument.letters.as_deref(), lane));
        register.is_some() && argument.register() == register && read.any(is_written)
    }

    /// Records the components of the result that a statement writes, and returns them as an operand. Returns `None` if the
    /// statement writes another register.
    fn write(&mut self, line: &[Lexeme]) -> Option<Operand> {
        let destination = if assignment(line).is_some() { line.first() } else { line.get(1) };
        let (base, letters) = match destination?.word()?.split_once('.') {
            Some((base, letters)) => (base, Some(letters)),
            None => (destination?.text, None),
        };
        let mut target = self.out.clone().filter(|_| base == "out")?;
        if let Some(letters) = letters {
            target.select(letters);
        }
        self.written = target.lanes().into_iter().fold(self.written, |set, lane| set | 1 << lane);
        Some(target)
    }

    pub(super) fn parameters(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().copied()
    }
}

pub(super) struct Expander<'l, 'a> {
    pub(super) text: &'a str,
    source: &'l Source<'l, 'a>,
    /// The macros defined so far, keyed by name and number of parameters.
    defined: HashMap<(&'a str, usize), usize>,
    all: HashMap<(&'a str, usize), usize>,
    /// The parameter counts of the macros that share a name, keyed by the name.
    counts: HashMap<&'a str, BTreeSet<usize>>,
    pub(super) names: Names<'a>,
    preprocessor: Preprocessor,
    pub(super) notes: Notes,
    output: ExpandedText,
    /// The frame of the innermost macro that is being expanded; outside macros, the program's frame.
    pub(super) frame: MacroFrame<'l, 'a>,
    active: Vec<usize>,
    /// Whether all lines so far were definitions; if so, a line `NAME=1` is a definition too.
    leading: bool,
    statements: usize,
    work: usize,
}

impl<'l, 'a> Expander<'l, 'a> {
    pub(super) fn new(text: &'a str, source: &'l Source<'l, 'a>, defines: &[(String, f64)], notes: Notes) -> Self {
        let defines = Defines::given(defines);
        let all = macros(source, defines.clone());
        let mut counts = HashMap::<&str, BTreeSet<usize>>::new();
        for (name, count) in all.keys().copied().chain(STANDARD.iter().map(|(name, _)| (*name, 2))) {
            counts.entry(name).or_default().insert(count);
        }
        Expander {
            text,
            source,
            defined: HashMap::new(),
            all,
            counts,
            names: Names::default(),
            preprocessor: Preprocessor::new(defines),
            notes,
            output: ExpandedText::default(),
            frame: MacroFrame::default(),
            active: Vec::new(),
            leading: true,
            statements: STATEMENTS,
            work: WORK,
        }
    }

    pub(super) fn comment(&mut self, comment: &str, range: Range<usize>) {
        let mut line = Line::default();
        self.write(&mut line, comment, &SourcePlace { range, call: None });
        self.output.line(line);
    }

    pub(super) fn run(mut self) -> (ExpandedText, Notes, Names<'a>) {
        let source = self.source;
        self.items(&source.items);
        (self.output, self.notes, self.names)
    }

    pub(super) fn place(&self, range: Range<usize>) -> SourcePlace {
        SourcePlace { range, call: self.notes.call }
    }

    pub(super) fn note(&mut self, kind: Kind, place: SourcePlace) {
        self.notes.push_in(kind, place.range, place.call);
    }

    pub(super) fn emit(&mut self, line: Line) {
        let bytes = self.output.line(line);
        if self.notes.call.is_some() {
            self.statements = self.statements.saturating_sub(1);
            self.work = self.work.saturating_sub(bytes);
        }
    }

    fn items(&mut self, items: &'l [Item<'l, 'a>]) {
        for item in items {
            if self.is_exhausted() {
                break;
            }
            match item {
                Item::Directive(line) => {
                    self.spend(line);
                    self.preprocessor.directive(line, self.frame.base, &mut self.notes);
                }
                _ if !self.preprocessor.active() => self.spend(&[]),
                Item::Macro(number) => self.define(*number),
                Item::Statement(line) => {
                    self.spend(line);
                    self.statement(line);
                    self.check_read_back(line);
                }
            }
        }
        self.preprocessor.close(self.frame.base, &mut self.notes);
    }

    /// Reports a statement of a macro if it computes components of the result from different components of the result.
    fn check_read_back(&mut self, line: &[Lexeme]) {
        let Some(target) = self.frame.write(line) else { return };
        let misplaced = target.lanes().iter().any(|&lane| operand::selected(target.letters.as_deref(), lane) != lane);
        let is_out = |lexeme: &&Lexeme| lexeme.word() == Some("out");
        let mut names = line.iter().filter(is_out);
        if let (true, Some(_), Some(source)) = (misplaced, names.next(), names.next()) {
            self.notes.push(Kind::ResultReadBack { read: target.written() }, source.range());
        }
    }

    fn spend(&mut self, line: &[Lexeme]) {
        if self.notes.call.is_some() {
            self.work = self.work.saturating_sub(extent(line).len() + 16);
        }
    }

    /// Reports whether macro calls have reached a limit, and if so, adds a finding about the limit.
    fn is_exhausted(&mut self) -> bool {
        let Some(call) = self.notes.call else { return false };
        if self.statements > 0 && self.work > 0 {
            return false;
        }
        let (limit, what) = if self.statements == 0 { (STATEMENTS, "statements") } else { (WORK, "bytes") };
        let range = self.output.call_range(call);
        self.notes.push_in(Kind::ExpansionLimit { limit, what }, range, None);
        true
    }

    fn define(&mut self, number: usize) {
        let Some(definition) = self.source.macros.get(number) else { return };
        let (name, count) = (definition.name, definition.parameters.len());
        self.counts.entry(name.text).or_default().insert(count);
        if self.defined.insert((name.text, count), number).is_some() {
            self.notes.push(Kind::MacroRedefined { name: quote(name.text), parameters: count }, name.range());
        }
    }

    fn statement(&mut self, line: &'l [Lexeme<'a>]) {
        let leading = self.notes.call.is_none() && std::mem::take(&mut self.leading);
        if let Some((name, value)) = definition(line).filter(|_| leading) {
            self.leading = true;
            return self.preprocessor.set(name, value, &mut self.notes);
        }
        let is_call = matches!(line, [name, open, ..] if name.name().is_some() && (open.is("(") || open.is("<")));
        match line.first() {
            Some(first) if first.word() == Some("alias") => self.alias(line),
            Some(first) if self.is_control(line) => {
                let kind = Kind::UnknownMnemonic { found: quote(first.text), nearest: None };
                self.notes.push(kind, first.range());
            }
            Some(first) if first.text == "#" => self.notes.push(Kind::CommentSign, first.range()),
            Some(_) if assignment(line).is_some() => self.assign(line),
            Some(_) if is_call && closes(line) => self.call_without_result(line),
            Some(_) => self.mini(line),
            None => {}
        }
    }

    /// Reports whether a line is a conditional or a loop of another language. A line that is only `else` is left to the mini
    /// assembler.
    fn is_control(&self, line: &[Lexeme]) -> bool {
        let is_word =
            line.first().and_then(Lexeme::word).is_some_and(|word| is_control(word) && !self.counts.contains_key(word));
        is_word
            && (line.len() > 1 || line.first().is_some_and(|first| first.text != "else"))
            && assignment(line).is_none()
    }

    /// Expands an assignment such as `target = ...` or `target op= ...`.
    fn assign(&mut self, line: &'l [Lexeme<'a>]) {
        let Some((length, sign)) = assignment(line) else { return };
        let Some(target) = self.operand(line.get(..length).unwrap_or_default()) else { return };
        let right = line.get(length + 1 + usize::from(sign.is_some())..).unwrap_or_default();
        let Some(equals) = line.get(length + usize::from(sign.is_some())) else { return };
        if !self.is_register(&target) {
            return;
        }
        let name = match right {
            [name, open, ..] if name.name().is_some() && (open.is("(") || open.is("<") && closes(right)) => *name,
            _ => return self.expression(&target, sign, equals, right),
        };
        match Call::read(right) {
            Ok(call) if call.rest.is_empty() && sign.is_none() => self.call(&call, Some(target)),
            Ok(_) => self.notes.push(Kind::CallAlone { name: quote(name.text) }, name.range()),
            Err((kind, range)) => self.notes.push(kind, range),
        }
    }

    /// Expands a call that is a statement: an opcode without a destination, or a macro without a result.
    fn call_without_result(&mut self, line: &'l [Lexeme<'a>]) {
        match Call::read(line) {
            Ok(call) => match call.rest.first() {
                None => self.call(&call, None),
                Some(rest) => self.notes.push(Kind::StrayText { found: quote(rest.text) }, rest.range()),
            },
            Err((kind, range)) => self.notes.push(kind, range),
        }
    }

    fn call(&mut self, call: &Call<'_, 'a>, target: Option<Operand>) {
        let key = (call.name.text, call.arguments.len());
        let number = self.defined.get(&key).or_else(|| self.all.get(&key)).copied();
        let standard = STANDARD.iter().find(|(name, _)| *name == call.name.text && call.arguments.len() == 2);
        let opcode = Opcode::from_mnemonic(standard.map_or(call.name.text, |(_, mnemonic)| mnemonic));
        if number.is_none() && opcode.is_none() {
            return self.unknown_macro(call);
        }
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            if argument.is_empty() {
                return self.notes.push(Kind::ArgumentSyntax { found: String::new() }, call.range.clone());
            }
            let Some(operand) = self.argument(argument) else { return };
            arguments.push(operand);
        }
        match (number, opcode) {
            (Some(number), _) => self.expand(number, call, arguments, target),
            (None, Some(opcode)) => self.opcode(opcode, call, target, &arguments),
            (None, None) => {}
        }
    }

    fn unknown_macro(&mut self, call: &Call) {
        let name = call.name.text;
        if let Some(counts) = self.counts.get(name) {
            let takes = counts.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ");
            let found = call.arguments.len();
            return self.notes.push(Kind::ArgumentCount { name: quote(name), takes, found }, call.name.range());
        }
        let opcodes = Opcode::ALL.iter().map(|opcode| opcode.row().mnemonic);
        let names = self.counts.keys().copied().chain(opcodes);
        let nearest = if self.notes.may_suggest() { similar(name, names) } else { None };
        self.notes.push(Kind::UnknownMacro { found: quote(name), nearest }, call.name.range());
    }

    fn expand(&mut self, number: usize, call: &Call, arguments: Vec<Operand>, target: Option<Operand>) {
        let Some(definition) = self.source.macros.get(number) else { return };
        let name = quote(call.name.text);
        let kind = match (&target, definition.has_result) {
            _ if call.options.is_some() => Some(Kind::CallOptions { name }),
            (Some(_), false) if !definition.body.is_empty() => Some(Kind::NoResult { name }),
            (None, true) => Some(Kind::ResultUnused { name }),
            _ => None,
        };
        if let Some(kind) = kind {
            return self.notes.push(kind, call.name.range());
        }
        if let Some(start) = self.active.iter().position(|&active| active == number) {
            let cycle = self.cycle(start, number);
            return self.notes.push(Kind::MacroCycle { cycle }, call.name.range());
        }
        if self.active.len() == DEEPEST {
            return self.notes.push(Kind::CallDepth { limit: DEEPEST }, call.name.range());
        }
        let outer = self.notes.call;
        if outer.is_none() {
            self.notes.call = Some(self.output.call(call.range.clone()));
        }
        self.active.push(number);
        let base = self.preprocessor.depth();
        let frame = MacroFrame { parameters: &definition.parameters, arguments, out: target, written: 0, base };
        let caller = std::mem::replace(&mut self.frame, frame);
        self.items(&definition.body);
        self.frame = caller;
        self.active.pop();
        self.notes.call = outer;
    }

    /// Describes the cycle of active macros from index `start` back to macro `number`, for a message.
    fn cycle(&self, start: usize, number: usize) -> String {
        const SHOWN: usize = 6;
        let around = self.active.iter().skip(start).chain([&number]);
        let names =
            around.filter_map(|&number| self.source.macros.get(number)).map(|definition| quote(definition.name.text));
        let names: Vec<String> = names.collect();
        match names.split_first().zip(names.last()) {
            Some(((first, rest), last)) if rest.len() > SHOWN => {
                let shown = rest.get(..SHOWN - 1).unwrap_or_default().join("` calls `");
                format!("`{first}` calls `{shown}` and so on to `{last}`")
            }
            _ => format!("`{}`", names.join("` calls `")),
        }
    }
}

/// Returns the macros of the source text, except those in `#if` branches that the program's own directives do not take.
fn macros<'a>(source: &Source<'_, 'a>, defines: Defines) -> HashMap<(&'a str, usize), usize> {
    let mut preprocessor = Preprocessor::new(defines);
    let mut notes = Notes::default();
    let mut found = HashMap::new();
    let mut leading = true;
    for item in &source.items {
        match item {
            Item::Directive(line) => preprocessor.directive(line, 0, &mut notes),
            _ if !preprocessor.active() => {}
            Item::Macro(number) => {
                if let Some(definition) = source.macros.get(*number) {
                    found.entry((definition.name.text, definition.parameters.len())).or_insert(*number);
                }
            }
            Item::Statement(line) => match definition(line).filter(|_| leading) {
                Some((name, value)) => preprocessor.set(name, value, &mut notes),
                None => leading = false,
            },
        }
    }
    found
}

/// Parses a line such as `NAME=1`, which defines a name if only definitions precede the line.
fn definition<'l, 'a>(line: &'l [Lexeme<'a>]) -> Option<(&'l Lexeme<'a>, f64)> {
    let (name, negative, number) = match line {
        [name, equals, number] if equals.is("=") => (name, false, number),
        [name, equals, minus, number] if equals.is("=") && minus.is("-") => (name, true, number),
        _ => return None,
    };
    let is_free = name.name().is_some_and(|name| operand::shape(name).is_none());
    let value: f64 = number.text.parse().ok().filter(|_| is_free && number.class == Class::Number)?;
    Some((name, if negative { -value } else { value }))
}

/// Returns the number of lexemes in an assignment's target, and the operator before `=` if there is one.
pub(super) fn assignment<'l, 'a>(line: &'l [Lexeme<'a>]) -> Option<(usize, Option<&'l Lexeme<'a>>)> {
    let length = operand::length(line);
    match line.get(length..)? {
        [equals, ..] if length > 0 && equals.is("=") => Some((length, None)),
        [sign, equals, ..] if length > 0 && equals.is("=") && ["+", "-", "*", "/"].iter().any(|&op| sign.is(op)) => {
            Some((length, Some(sign)))
        }
        _ => None,
    }
}

/// Reports whether a line that begins with `name(` or `name<` is a call; options must be closed and followed by `(`.
fn closes(line: &[Lexeme]) -> bool {
    match line {
        [_, open, rest @ ..] if open.is("<") => {
            let close = rest.iter().position(|lexeme| lexeme.is(">"));
            close.and_then(|close| rest.get(close + 1)).is_some_and(|next| next.is("("))
        }
        _ => true,
    }
}

pub(super) struct Call<'l, 'a> {
    pub(super) name: Lexeme<'a>,
    /// The lexemes between `<` and `>`.
    pub(super) options: Option<&'l [Lexeme<'a>]>,
    pub(super) arguments: Vec<&'l [Lexeme<'a>]>,
    pub(super) range: Range<usize>,
    /// The lexemes that follow the call on its line.
    rest: &'l [Lexeme<'a>],
}

impl<'l, 'a> Call<'l, 'a> {
    fn read(line: &'l [Lexeme<'a>]) -> Result<Call<'l, 'a>, (Kind, Range<usize>)> {
        let unclosed = || Err((Kind::UnclosedCall, extent(line)));
        let [name, rest @ ..] = line else { return unclosed() };
        let (options, rest) = match rest {
            [open, rest @ ..] if open.is("<") => {
                let Some(close) = rest.iter().position(|lexeme| lexeme.is(">")) else { return unclosed() };
                (rest.get(..close), rest.get(close + 1..).unwrap_or_default())
            }
            _ => (None, rest),
        };
        let inside = rest.get(1..).unwrap_or_default();
        let mut arguments = Vec::new();
        let (mut depth, mut start) = (0usize, 0);
        for (at, lexeme) in inside.iter().enumerate() {
            let closes = lexeme.is(")") && depth == 0;
            if closes || lexeme.is(",") && depth == 0 {
                let argument = inside.get(start..at).unwrap_or_default();
                if !argument.is_empty() || !closes || !arguments.is_empty() {
                    arguments.push(argument);
                }
                start = at + 1;
            }
            if closes {
                let range = name.at..lexeme.end();
                let rest = inside.get(start..).unwrap_or_default();
                return Ok(Call { name: *name, options, arguments, range, rest });
            }
            if lexeme.is("(") || lexeme.is("[") {
                depth += 1;
            } else if lexeme.is(")") || lexeme.is("]") {
                depth = depth.saturating_sub(1);
            }
        }
        unclosed()
    }
}

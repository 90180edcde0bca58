//! Parses one line of the text, such as a declaration, an instruction without its blocks, or the opening or closing of a block.
//!
//! Rule: parsing a line changes only the cursor. `parse.rs` interprets the line in its context.

use std::ops::Range;

use super::cursor::{Cursor, unknown};
use super::error::{Fault, ParseErrorKind};
use super::kinds;
use super::lex::TokenKind;
use super::words::{self, Form};
use crate::codec::kinds::Kinds;
use crate::members::COMPONENTS;
use crate::{Blocks, FunctionKind, FunctionOutput, Id, Input, Inst, Member, Op, Source, SourceBinding, Type, Unit};

type Result<T> = std::result::Result<T, Fault>;

#[derive(Debug)]
pub(super) enum Line {
    Program(u32),
    Source(Numbered<Source>),
    Function {
        kind: FunctionKind,
        name: String,
        called: String,
    },
    Debug {
        function: u32,
        called: String,
    },
    Input(Input),
    Output(Numbered<FunctionOutput>),
    Name(Id, String),
    Member(Id, Member),
    Binding(Id, SourceBinding),
    Lines(LinesOf),
    Workgroup([u32; 3]),
    Inst(Statement),
    /// A `}` that is the only token of its line.
    Close,
    /// A `}` that is followed by the opening of the next block.
    Next(Opener),
}

#[derive(Debug)]
pub(super) struct Numbered<T> {
    pub(super) number: u32,
    pub(super) place: Range<usize>,
    pub(super) value: T,
}

#[derive(Debug)]
pub(super) struct LinesOf {
    pub(super) source: u32,
    pub(super) numbers: Listed,
    pub(super) place: Range<usize>,
}

/// The way in which the text form lists the line numbers of a function's instructions.
#[derive(Debug)]
pub(super) enum Listed {
    /// Each instruction has its line number after `@`.
    All,
    /// Only this many instructions, counted from the first, have a line number after `@`.
    Count(u32),
    /// The `lines of` line lists the line numbers.
    Here(Vec<u32>),
}

#[derive(Debug)]
pub(super) struct Statement {
    /// The instruction without its blocks; a SWITCH has no case values yet.
    pub(super) inst: Inst,
    pub(super) name: Option<String>,
    pub(super) line: Option<u32>,
    /// The kind of the instruction's first block; `None` if the instruction has no blocks.
    pub(super) opens: Option<Opener>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opener {
    Then,
    Else,
    Loop,
    Case(u32),
    Default,
    /// A block whose kind is unknown because its line has an error.
    Unknown,
}

impl Opener {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Opener::Else => "else",
            Opener::Case(_) => "case",
            Opener::Default => "default",
            Opener::Then | Opener::Loop | Opener::Unknown => "{",
        }
    }
}

/// The words that can begin a line outside functions.
pub(super) const TOP: [&str; 7] = ["program", "source", "generic", "vertex", "fragment", "compute", "debug"];
/// The words, other than mnemonics, that can begin a line in a function.
const PARTS: [&str; 7] = ["input", "output", "workgroup", "name", "member", "binding", "lines"];

/// Parses a line that has at least one token.
pub(super) fn line(cursor: &mut Cursor<'_>) -> Result<Line> {
    let line = match cursor.next {
        Some(token) if token.kind == TokenKind::Id => Line::Inst(statement(cursor)?),
        Some(token) if token.is("}") => {
            cursor.advance();
            if cursor.next.is_none() { Line::Close } else { Line::Next(next_block(cursor)?) }
        }
        Some(token) if token.kind == TokenKind::Word => match token.text {
            "program" => Line::Program(cursor.skip().number()?),
            "source" => Line::Source(source(cursor.skip())?),
            "debug" => {
                let (function, called) = (cursor.skip().number()?, called(cursor)?);
                cursor.exactly("{")?;
                Line::Debug { function, called }
            }
            "input" => Line::Input(input(cursor.skip())?),
            "output" => Line::Output(output(cursor.skip())?),
            "workgroup" => Line::Workgroup([cursor.skip().number()?, cursor.number()?, cursor.number()?]),
            "name" => Line::Name(cursor.skip().id()?, cursor.label()?),
            "member" => member(cursor.skip())?,
            "binding" => Line::Binding(cursor.skip().id()?, binding(cursor)?),
            "lines" => Line::Lines(lines_of(cursor)?),
            "function" => return Err(cursor.expected("`generic`, `vertex`, `fragment` or `compute`")),
            word => match FunctionKind::ALL.into_iter().find(|kind| kind.name() == word) {
                Some(kind) => function(cursor.skip(), kind)?,
                None => Line::Inst(statement(cursor)?),
            },
        },
        _ => return Err(cursor.expected("an instruction")),
    };
    cursor.end_of_line()?;
    Ok(line)
}

fn function(cursor: &mut Cursor<'_>, kind: FunctionKind) -> Result<Line> {
    cursor.exactly("function")?;
    let (name, called) = (cursor.string()?, called(cursor)?);
    cursor.exactly("{")?;
    Ok(Line::Function { kind, name, called })
}

fn called(cursor: &mut Cursor<'_>) -> Result<String> {
    if cursor.eat("called") { cursor.string() } else { Ok(String::new()) }
}

fn source(cursor: &mut Cursor<'_>) -> Result<Numbered<Source>> {
    let place = cursor.place();
    let number = cursor.number()?;
    let file = cursor.string()?;
    let unit = cursor.one_of("unit", || Unit::ALL.map(|unit| (unit.name(), unit)))?;
    let text = if cursor.eat("text") { cursor.string()? } else { String::new() };
    Ok(Numbered { number, place, value: Source { file, text, unit } })
}

fn input(cursor: &mut Cursor<'_>) -> Result<Input> {
    let (id, name) = (cursor.id()?, cursor.label()?);
    let (ty, kind) = declared(cursor, "kind of input")?;
    Ok(Input { id, ty, name, kind })
}

fn output(cursor: &mut Cursor<'_>) -> Result<Numbered<FunctionOutput>> {
    let place = cursor.place();
    let (number, name) = (cursor.number()?, cursor.label()?);
    let (ty, kind) = declared(cursor, "kind of output")?;
    Ok(Numbered { number, place, value: FunctionOutput { ty, name, kind } })
}

/// Parses the type and kind of an input or output, which follow the name.
fn declared<K: Kinds>(cursor: &mut Cursor<'_>, what: &'static str) -> Result<(Type, K)> {
    cursor.exactly(":")?;
    let ty = ty(cursor)?;
    cursor.exactly("=")?;
    Ok((ty, kinds::read(cursor, what)?))
}

fn member(cursor: &mut Cursor<'_>) -> Result<Line> {
    let id = cursor.id()?;
    cursor.exactly("[")?;
    let first = cursor.number()?;
    cursor.exactly("]")?;
    let component = if cursor.eat(".") { component(cursor)? } else { 0 };
    let name = cursor.label()?;
    cursor.exactly(":")?;
    Ok(Line::Member(id, Member { name, first, component, ty: ty(cursor)? }))
}

/// Parses the place of a resource in the source: `push`, or a group and a number, and those of the sampler after `sampler`.
fn binding(cursor: &mut Cursor<'_>) -> Result<SourceBinding> {
    if cursor.eat("push") {
        return Ok(SourceBinding::Push);
    }
    let place = [cursor.number()?, cursor.number()?];
    let sampler = if cursor.eat("sampler") { Some([cursor.number()?, cursor.number()?]) } else { None };
    Ok(SourceBinding::Bound { place, sampler })
}

/// Parses the first component of a member, which is a letter or a number.
fn component(cursor: &mut Cursor<'_>) -> Result<u32> {
    let named = (0..).zip(COMPONENTS).find(|(_, name)| cursor.next.is_some_and(|token| token.is(name)));
    if let Some((component, _)) = named {
        cursor.advance();
        return Ok(component);
    }
    if cursor.is(TokenKind::Number) { cursor.number() } else { Err(cursor.expected("`x`, `y`, `z`, `w` or a number")) }
}

fn ty(cursor: &mut Cursor<'_>) -> Result<Type> {
    let token = cursor.word("a type")?;
    let ty = words::read_type(token.text).ok_or_else(|| unknown("type", token, words::type_names()))?;
    match ty {
        Type::Vector(scalar, width) if cursor.eat("[") => {
            if cursor.eat("]") {
                return Ok(Type::Buffer(scalar, width));
            }
            let length = cursor.number()?;
            cursor.exactly("]")?;
            Ok(Type::Array(scalar, width, length))
        }
        ty => Ok(ty),
    }
}

fn lines_of(cursor: &mut Cursor<'_>) -> Result<LinesOf> {
    let place = cursor.place();
    cursor.skip().exactly("of")?;
    let source = cursor.number()?;
    let mut numbers = Listed::All;
    if cursor.eat("count") {
        numbers = Listed::Count(cursor.number()?);
    } else if cursor.eat("numbers") {
        let mut list = Vec::new();
        while cursor.next.is_some() {
            if !list.is_empty() {
                cursor.exactly(",")?;
            }
            list.push(cursor.number()?);
        }
        numbers = Listed::Here(list);
    }
    Ok(LinesOf { source, numbers, place })
}

/// Parses the opening of the next block after a `}`.
fn next_block(cursor: &mut Cursor<'_>) -> Result<Opener> {
    if cursor.eat("else") {
        cursor.exactly("{")?;
        return Ok(Opener::Else);
    }
    let case = case(cursor)?;
    case.ok_or_else(|| cursor.expected("`else`, `case`, `default` or the end of the line"))
}

/// Parses the opening of a block: `case` and a value, or `default`.
fn case(cursor: &mut Cursor<'_>) -> Result<Option<Opener>> {
    let opener = if cursor.eat("case") {
        Opener::Case(cursor.immediate(Form::Case)?)
    } else if cursor.eat("default") {
        Opener::Default
    } else {
        return Ok(None);
    };
    cursor.exactly("{")?;
    Ok(Some(opener))
}

fn statement(cursor: &mut Cursor<'_>) -> Result<Statement> {
    let mut result = None;
    if cursor.is_id() {
        let id = cursor.id()?;
        let name = if cursor.next.is_some_and(|token| token.is("=")) { None } else { Some(cursor.label()?) };
        cursor.exactly("=")?;
        result = Some((id, name));
    }
    let token = cursor.word("an operation")?;
    let op = Op::from_mnemonic(token.text).ok_or_else(|| {
        let operations = Op::ALL.iter().map(|op| op.mnemonic());
        let starts = TOP.into_iter().chain(PARTS).filter(|_| result.is_none());
        unknown("operation", token, operations.chain(starts).map(str::to_string))
    })?;
    let shape = op.shape();
    if result.is_some() && !shape.output {
        return Err(ParseErrorKind::NoResult(op).at(token.at..token.end()));
    }
    let (output, name) = result.unwrap_or_default();
    let (inputs, immediates) = operands(cursor, op, token.at)?;
    let line = if cursor.eat("@") { Some(cursor.number()?) } else { None };
    let opens = match shape.blocks {
        Blocks::None => None,
        Blocks::If | Blocks::Loop => {
            cursor.exactly("{")?;
            Some(if shape.blocks == Blocks::If { Opener::Then } else { Opener::Loop })
        }
        Blocks::Switch => Some(case(cursor)?.ok_or_else(|| cursor.expected("`case` or `default`"))?),
    };
    let inst = Inst::new(op, output, &inputs, &immediates);
    Ok(Statement { inst, name, line, opens })
}

/// Parses the ids and words of an operation whose mnemonic begins at the byte offset `start`.
fn operands(cursor: &mut Cursor<'_>, op: Op, start: usize) -> Result<(Vec<Id>, Vec<u32>)> {
    let shape = op.shape();
    let form = Form::of(op);
    let (fewest, most) = words::ids_of(op);
    let (mut ids, mut immediates) = (Vec::new(), Vec::new());
    // A punctuation token after an operation without operands does not begin an operand.
    let none = most == 0 && shape.immediates == 0 && !shape.ignored;
    let mut more = cursor.at_operand(shape.blocks) && !(none && cursor.is(TokenKind::Other));
    while more {
        let word_first = shape.immediates_first && immediates.len() < shape.immediates;
        if cursor.is_id() && !word_first {
            // An id must not follow the words, or replace a missing word.
            let words_follow = !shape.immediates_first && (shape.ignored || shape.immediates > 0);
            if words_follow && (ids.len() >= most || !immediates.is_empty()) {
                return Err(cursor.expected(form.name()));
            }
            ids.push(cursor.id()?);
        } else if !word_first && (shape.immediates_first || ids.len() < fewest) {
            return Err(cursor.expected("an id"));
        } else {
            immediates.push(if form == Form::Offset { cursor.offset()? } else { cursor.immediate(form)? });
        }
        more = cursor.eat(",");
        let full = ids.len() >= most && immediates.len() >= shape.immediates && !shape.ignored;
        if !more && !full && cursor.at_operand(shape.blocks) {
            return Err(cursor.expected("`,`"));
        }
    }
    let place = start..cursor.last;
    let inputs = words::inputs_of_ids(op, ids.len())
        .ok_or_else(|| ParseErrorKind::Ids { op, found: ids.len() }.at(place.clone()))?;
    if !shape.ignored && immediates.len() != shape.immediates {
        return Err(ParseErrorKind::Words { op, found: immediates.len() }.at(place));
    }
    ids.resize(inputs, Id::NONE);
    Ok((ids, immediates))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_mnemonic_is_a_keyword_of_the_text() {
        for word in TOP.into_iter().chain(PARTS).chain(["case", "default", "else", "_"]) {
            assert_eq!(Op::from_mnemonic(word), None, "{word}");
        }
        assert!(FunctionKind::ALL.iter().all(|kind| TOP.contains(&kind.name())));
    }
}

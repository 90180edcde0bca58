//! Expands expressions of procedures, such as `t0.xyz = t1.xyz * c0.x + dp3(t2, t3)`.
//!
//! Rule: the destination is the only register for intermediate results, so an expression that needs another register is an error,
//! as in Alternativa3D. An intermediate result has as many components as its widest operand.

use std::ops::Range;

use super::Expander;
use super::piece::{Piece, lexemes, register};
use crate::assemble::macros::Line;
use crate::assemble::reader::quote;
use crate::finding::Kind;
use crate::opcode::Opcode;

const DEEPEST: usize = 32;
/// The binary operators and their opcodes, in ascending order of precedence.
const LEVELS: [[(&str, &str); 2]; 2] = [[("+", "add"), ("-", "sub")], [("*", "mul"), ("/", "div")]];

/// An operand, or an intermediate result in the destination register.
#[derive(Clone, Copy)]
struct Value<'a> {
    piece: Piece<'a>,
    /// The number of components of an intermediate result, or `None` for an operand.
    part: Option<usize>,
}

impl Value<'_> {
    fn width(self) -> usize {
        self.part.unwrap_or_else(|| letters(self.piece.text).len())
    }
}

/// Returns the component letters of an operand, which are `xyzw` if none are written.
fn letters(text: &str) -> &str {
    text.rsplit_once('.').map_or("xyzw", |(_, letters)| letters)
}

/// Returns an operand without its component letters.
fn whole(piece: Piece<'_>) -> Piece<'_> {
    let end = piece.text.rfind('.').filter(|dot| !piece.text.get(*dot..).is_some_and(|rest| rest.contains(']')));
    piece.part(0..end.unwrap_or(piece.text.len()))
}

struct Reader<'a> {
    lexemes: Vec<Piece<'a>>,
    at: usize,
    destination: Piece<'a>,
    /// Whether the destination contains an intermediate result that is still needed.
    is_held: bool,
    depth: usize,
}

impl Expander {
    pub(super) fn assignment(&mut self, line: Piece<'_>) {
        let lexemes = lexemes(line);
        let (Some(&destination), Some("=")) = (lexemes.first(), lexemes.get(1).map(|sign| sign.text)) else {
            let found = lexemes.get(1).copied().unwrap_or(line);
            return self.notes.push(Kind::ExpressionSyntax { found: Some(found.text.to_string()) }, found.range());
        };
        let mut reader = Reader { lexemes, at: 2, destination, is_held: false, depth: 0 };
        let result = self.binary(&mut reader, 0).and_then(|value| match reader.peek() {
            Some(_) => Err(reader.unexpected()),
            None if value.part.is_none() => {
                self.emit(&mut reader, Piece { text: "mov", at: destination.at }, &[value]).map(drop)
            }
            None => Ok(()),
        });
        if let Err((kind, range)) = result {
            self.notes.push(kind, range);
        }
    }

    /// Expands an expression whose operators have the precedence `level` or higher.
    fn binary<'a>(&mut self, reader: &mut Reader<'a>, level: usize) -> Read<Value<'a>> {
        let Some(operators) = LEVELS.get(level) else { return self.factor(reader) };
        let mut left = self.binary(reader, level + 1)?;
        while let Some(sign) = reader.peek()
            && let Some((_, mnemonic)) = operators.iter().find(|(text, _)| *text == sign.text)
        {
            reader.at += 1;
            let right = self.binary(reader, level + 1)?;
            left = self.emit(reader, Piece { text: mnemonic, at: sign.at }, &[left, right])?;
        }
        Ok(left)
    }

    fn factor<'a>(&mut self, reader: &mut Reader<'a>) -> Read<Value<'a>> {
        let Some(word) = reader.peek() else { return Err(reader.unexpected()) };
        if register(word).is_some() {
            reader.at += 1;
            return Ok(Value { piece: word, part: None });
        }
        let is_opcode = Opcode::from_mnemonic(word.text).is_some();
        let is_call = reader.lexemes.get(reader.at + 1).is_some_and(|open| open.text == "(");
        if !is_opcode || !is_call || reader.depth >= DEEPEST {
            return Err(reader.unexpected());
        }
        reader.at += 2;
        reader.depth += 1;
        let mut values = vec![self.binary(reader, 0)?];
        while reader.eat(",") {
            values.push(self.binary(reader, 0)?);
        }
        if !reader.eat(")") {
            return Err(reader.unexpected());
        }
        reader.depth -= 1;
        self.emit(reader, word, &values)
    }

    /// Emits a statement that writes an intermediate or final result to the destination.
    fn emit<'a>(&mut self, reader: &mut Reader<'a>, mnemonic: Piece<'a>, values: &[Value<'a>]) -> Read<Value<'a>> {
        let destination = reader.destination;
        let base = whole(destination);
        let name = || base.text.to_string();
        let uses_held = values.iter().any(|value| value.part.is_some());
        if reader.is_held && !uses_held {
            return Err((Kind::ProcedureExpression { register: name() }, mnemonic.at..mnemonic.at + 1));
        }
        let rest = reader.lexemes.get(reader.at..).unwrap_or_default();
        let later = rest.iter().find(|piece| register(**piece).is_some() && whole(**piece).text == base.text);
        if let Some(later) = later {
            return Err((Kind::ExpressionOverlap { register: name() }, later.range()));
        }
        let width = values.iter().map(|value| value.width()).max().unwrap_or(4);
        let is_whole = reader.peek().is_none() || width == letters(destination.text).len();
        let mut line = Line::default();
        // The emitted mnemonic receives the source position of the operator, function or destination from which it derives.
        line.push(mnemonic.text, &Piece { text: reader.text_at(mnemonic.at), ..mnemonic }.place());
        line.push(" ", &destination.part(0..0).place());
        self.target(&mut line, destination, (!is_whole).then_some(width));
        for value in values {
            line.push(", ", &value.piece.part(0..0).place());
            match value.part {
                Some(part) => {
                    self.target(&mut line, destination, (part != letters(destination.text).len()).then_some(part))
                }
                None => self.operand(&mut line, value.piece),
            }
        }
        self.output.line(line);
        reader.is_held = true;
        Ok(Value { piece: destination, part: Some(width) })
    }

    /// Appends the destination and its write mask: the first `width` components, or the mask in the source text if `width` is
    /// `None`.
    fn target(&mut self, line: &mut Line, destination: Piece<'_>, width: Option<usize>) {
        match width {
            None => self.operand(line, destination),
            Some(width) => {
                self.operand(line, whole(destination));
                if let Some(letters) = "xyzw".get(..width).filter(|_| width < 4) {
                    line.push(&format!(".{letters}"), &destination.place());
                }
            }
        }
    }
}

type Read<T> = Result<T, (Kind, Range<usize>)>;

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<Piece<'a>> {
        self.lexemes.get(self.at).copied()
    }

    fn eat(&mut self, sign: &str) -> bool {
        let is_next = self.peek().is_some_and(|next| next.text == sign);
        self.at += usize::from(is_next);
        is_next
    }

    fn text_at(&self, at: usize) -> &'a str {
        self.lexemes.iter().find(|piece| piece.at == at).map_or("", |piece| piece.text)
    }

    fn unexpected(&self) -> (Kind, Range<usize>) {
        let found = self.peek().map(|piece| quote(piece.text));
        let range = self.peek().or(self.lexemes.last().copied()).map_or(0..0, Piece::range);
        (Kind::ExpressionSyntax { found }, range)
    }
}

//! Expands expressions such as `a = b * c + d`: arithmetic on entire registers.
//!
//! Rule: the destination is the only temporary, so an expression has at most two operators. The second operator reads the result
//! of the first from the destination, and no other operand of the second operator may have been overwritten.

use std::ops::Range;

use super::expand::Expander;
use super::lexer::{Class as Token, Lexeme};
use super::operand::{Class, Operand, selected};
use super::output::Line;
use crate::assemble::reader::quote;
use crate::finding::Kind;

const MOST: usize = 2;
const DEEPEST: usize = 16;

/// The binary operators, from loosest to tightest binding: the sign, the opcode, and whether the opcode takes the operands in
/// reverse order.
const LEVELS: &[&[(&str, &str, bool)]] = &[
    &[
        ("==", "seq", false),
        ("!=", "sne", false),
        (">=", "sge", false),
        ("<", "slt", false),
        ("<=", "sge", true),
        (">", "slt", true),
    ],
    &[("+", "add", false), ("-", "sub", false)],
    &[("*", "mul", false), ("/", "div", false)],
];

enum Tree {
    Leaf(Operand),
    Negative(Box<Tree>, Range<usize>),
    Binary(&'static str, Box<Tree>, Box<Tree>, Range<usize>),
}

struct Parser<'e, 'x, 'l, 'a> {
    rest: &'e [Lexeme<'a>],
    /// The range of the last lexeme, where an unfinished expression is reported.
    end: Range<usize>,
    expander: &'x mut Expander<'l, 'a>,
    operators: usize,
    depth: usize,
}

impl<'a> Parser<'_, '_, '_, 'a> {
    fn next(&mut self) {
        self.rest = self.rest.get(1..).unwrap_or_default();
    }

    fn unexpected(&mut self) -> Option<Tree> {
        let (found, range) = match self.rest.first() {
            Some(lexeme) => (Some(quote(lexeme.text)), lexeme.range()),
            None => (None, self.end.clone()),
        };
        self.expander.notes.push(Kind::ExpressionSyntax { found }, range);
        None
    }

    fn count(&mut self, sign: &Lexeme) -> bool {
        self.operators += 1;
        if self.operators > MOST {
            self.expander.notes.push(Kind::ExpressionDepth { limit: MOST }, sign.range());
        }
        self.operators <= MOST
    }

    fn binary(&mut self, level: usize) -> Option<Tree> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(&sign) = self.rest.first()
            && let Some((_, opcode, swapped)) = operators.iter().find(|(text, ..)| sign.is(text))
        {
            if !self.count(&sign) {
                return None;
            }
            self.next();
            let right = self.binary(level + 1)?;
            let (first, second) = if *swapped { (right, left) } else { (left, right) };
            left = Tree::Binary(opcode, Box::new(first), Box::new(second), sign.range());
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Tree> {
        match self.rest {
            [open, ..] if open.is("(") => {
                self.depth += 1;
                if self.depth > DEEPEST {
                    self.expander.notes.push(Kind::ExpressionDepth { limit: MOST }, open.range());
                    return None;
                }
                self.next();
                let inside = self.binary(0)?;
                self.depth -= 1;
                match self.rest.first() {
                    Some(close) if close.is(")") => self.next(),
                    Some(_) => return self.unexpected(),
                    None => {
                        self.expander.notes.push(Kind::UnclosedBracket, open.range());
                        return None;
                    }
                }
                Some(inside)
            }
            [minus, number, ..] if minus.is("-") && number.class == Token::Number => {
                let lexemes = self.rest.get(..2).unwrap_or_default();
                let operand = self.expander.operand(lexemes)?;
                // A constant register may be declared to contain the negative number.
                let held = matches!(operand.class, Class::Number(value) if self.expander.names.number(value).is_some());
                if !held {
                    return self.negative(*minus);
                }
                self.next();
                self.next();
                Some(Tree::Leaf(operand))
            }
            [minus, ..] if minus.is("-") => self.negative(*minus),
            _ => self.leaf(),
        }
    }

    fn negative(&mut self, minus: Lexeme<'a>) -> Option<Tree> {
        if !self.count(&minus) {
            return None;
        }
        self.next();
        let inside = self.unary()?;
        Some(Tree::Negative(Box::new(inside), minus.range()))
    }

    fn leaf(&mut self) -> Option<Tree> {
        let length = match self.rest.first() {
            Some(number) if number.class == Token::Number => 1,
            _ => super::operand::length(self.rest),
        };
        if length == 0 {
            return self.unexpected();
        }
        let (lexemes, rest) = self.rest.split_at(length);
        if let ([name], Some(open)) = (lexemes, rest.first())
            && open.is("(")
        {
            let kind = Kind::CallAlone { name: quote(name.text) };
            self.expander.notes.push(kind, name.range());
            return None;
        }
        self.rest = rest;
        self.expander.operand(lexemes).map(Tree::Leaf)
    }
}

struct Target {
    operand: Operand,
    /// The destination components that the opcodes write.
    lanes: Vec<u8>,
}

impl<'a> Expander<'_, 'a> {
    /// Expands `target = right`, or `target sign= right` if `sign` is given.
    pub(super) fn expression(
        &mut self,
        target: &Operand,
        sign: Option<&Lexeme<'a>>,
        equals: &Lexeme<'a>,
        right: &[Lexeme<'a>],
    ) {
        let end = right.last().unwrap_or(equals).range();
        let operators = usize::from(sign.is_some());
        let mut parser = Parser { rest: right, end, expander: self, operators, depth: 0 };
        let Some(mut tree) = parser.binary(0) else { return };
        if !parser.rest.is_empty() {
            return drop(parser.unexpected());
        }
        let target = Target { operand: target.clone(), lanes: target.lanes() };
        if let Some(sign) = sign {
            let opcode = LEVELS.iter().copied().flatten().find(|(text, ..)| sign.is(text)).map_or("add", |row| row.1);
            let itself = Box::new(Tree::Leaf(self.read_back(&target)));
            tree = Tree::Binary(opcode, itself, Box::new(tree), sign.range());
        }
        let mut lines = Vec::new();
        if self.compute(&tree, &target, equals.range(), &mut lines).is_some() {
            lines.into_iter().for_each(|line| self.emit(line));
        }
    }

    /// Returns the destination as a source operand in which each component reads itself.
    fn read_back(&mut self, target: &Target) -> Operand {
        let mut operand = target.operand.clone();
        let letters = operand.letters.as_deref();
        if target.lanes.iter().any(|&lane| selected(letters, lane) != lane) {
            let theirs = operand.written();
            operand.letters = None;
            let kind = Kind::SwizzleReadBack { read: operand.written(), theirs };
            self.note(kind, operand.place.clone());
        }
        operand
    }

    /// Adds the statements that compute `tree` into the target. Returns `None` after reporting an error.
    fn compute(&mut self, tree: &Tree, target: &Target, equals: Range<usize>, lines: &mut Vec<Line>) -> Option<()> {
        let mut sources = Vec::new();
        let (opcode, operator) = match tree {
            Tree::Leaf(operand) => {
                sources.push(operand.clone());
                ("mov", equals)
            }
            Tree::Negative(inside, operator) => {
                sources.push(self.source(inside, target, lines)?);
                ("neg", operator.clone())
            }
            Tree::Binary(opcode, left, right, operator) => {
                let inner = [left, right].into_iter().find(|side| !matches!(***side, Tree::Leaf(_)));
                let computed = match inner {
                    Some(inner) => Some(self.source(inner, target, lines)?),
                    None => None,
                };
                for side in [left, right] {
                    match (&**side, &computed) {
                        (Tree::Leaf(operand), Some(_)) if !self.survives(operand, target) => return None,
                        (Tree::Leaf(operand), _) => sources.push(operand.clone()),
                        (_, Some(computed)) => sources.push(computed.clone()),
                        _ => {}
                    }
                }
                // As in Adobe's assembler, the computed operand of a commutative opcode comes first.
                if computed.is_some()
                    && matches!(**left, Tree::Leaf(_))
                    && ["add", "mul", "seq", "sne"].contains(opcode)
                {
                    sources.reverse();
                }
                (*opcode, operator.clone())
            }
        };
        let mut line = Line::default();
        line.push(opcode, &self.place(operator));
        let operands = [&target.operand].into_iter().chain(&sources);
        self.operands(&mut line, operands).then(|| lines.push(line))
    }

    /// Returns a leaf's operand, or else computes the tree into the target and returns the target.
    fn source(&mut self, tree: &Tree, target: &Target, lines: &mut Vec<Line>) -> Option<Operand> {
        match tree {
            Tree::Leaf(operand) => Some(operand.clone()),
            _ => {
                self.compute(tree, target, target.operand.place.range.clone(), lines)?;
                Some(self.read_back(target))
            }
        }
    }

    /// Reports an operand that a write to the target overwrites. Returns whether the operand keeps its value.
    fn survives(&mut self, operand: &Operand, target: &Target) -> bool {
        let overwritten = target.operand.register().is_some_and(|register| operand.reads(register, &target.lanes));
        if overwritten {
            self.note(Kind::ExpressionOverlap { register: operand.written() }, operand.place.clone());
        }
        !overwritten
    }
}

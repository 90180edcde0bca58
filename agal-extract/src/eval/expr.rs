//! Expressions: what is known of a value that is not known.
//!
//! Two expressions are equal if they stand for the same value on one path. A call has a number, since it may give another value
//! each time; a field is that of the object before the path assigns it: what the path assigned is in the heap.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::rc::Rc;

use crate::avm::names::Name;
use crate::avm::types::Type;
use crate::eval::number;
use crate::eval::text::{Part, Text};

/// How deep expressions are kept; what is deeper becomes a leaf.
const DEPTH: u32 = 24;

/// How much of an expression is written, in bytes.
const LONGEST: usize = 400;

/// An expression.
#[derive(Clone)]
pub(crate) struct Expr(Rc<Node>);

struct Node {
    kind: Kind,
    of: Type,
    hash: u64,
    depth: u32,
    has_lines: bool,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A parameter or another value that is known by a name alone; the number tells apart those of one name.
    Leaf(Name, u32),
    /// A definition that no input has.
    Global(Name),
    /// A field of an object.
    Field(Expr, Name),
    /// An element of an array or a dictionary.
    Index(Expr, Expr),
    /// What a loop over an object yields.
    Each(Expr, u32),
    /// The result of a call: the object, the name, the arguments, and the number among equal calls.
    Call(Option<Expr>, Name, Rc<[Expr]>, u32),
    /// An operation.
    Op(&'static str, Rc<[Expr]>),
    Constant(Constant),
    Text(Text),
}

/// A value that is known.
#[derive(Clone, Debug)]
pub(crate) enum Constant {
    Undefined,
    Null,
    Bool(bool),
    Number(f64),
}

impl Constant {
    /// Two constants are equal if these are: numbers by their bits.
    fn key(&self) -> (u8, u64) {
        match self {
            Constant::Undefined => (0, 0),
            Constant::Null => (1, 0),
            Constant::Bool(value) => (2, u64::from(*value)),
            Constant::Number(value) => (3, value.to_bits()),
        }
    }
}

impl PartialEq for Constant {
    fn eq(&self, other: &Constant) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Constant {}

impl Hash for Constant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        // Operands are shared, so that looking at all of them could take exponential time.
        self.0.hash == other.0.hash
    }
}

impl Eq for Expr {}

impl Hash for Expr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

/// A map by expressions, which know their own hashes.
pub(crate) type ByExpr<T> = HashMap<Expr, T, BuildHasherDefault<OwnHash>>;

/// Takes the hash that an expression has for the hash.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnHash(u64);

impl Hasher for OwnHash {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.wrapping_mul(31).wrapping_add(u64::from(*byte)));
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.render())
    }
}

impl Expr {
    pub(crate) fn new(kind: Kind, of: Type) -> Expr {
        let mut hasher = DefaultHasher::new();
        kind.hash(&mut hasher);
        let hash = hasher.finish();
        let depth = kind.depth().saturating_add(1);
        if depth > DEPTH {
            let number = u32::try_from(hash & 0xffff_ffff).unwrap_or_default();
            return Expr::new(Kind::Leaf("expression".into(), number), of);
        }
        let has_lines = kind.has_lines();
        Expr(Rc::new(Node { kind, of, hash, depth, has_lines }))
    }

    pub(crate) fn leaf(name: &str, number: u32, of: Type) -> Expr {
        Expr::new(Kind::Leaf(name.into(), number), of)
    }

    pub(crate) fn op(name: &'static str, operands: &[Expr], of: Type) -> Expr {
        Expr::new(Kind::Op(name, operands.into()), of)
    }

    pub(crate) fn kind(&self) -> &Kind {
        &self.0.kind
    }

    pub(crate) fn of(&self) -> &Type {
        &self.0.of
    }

    /// The same expression with a type.
    pub(crate) fn typed(&self, of: Type) -> Expr {
        if self.0.of == of {
            return self.clone();
        }
        let Node { hash, depth, has_lines, .. } = *self.0;
        Expr(Rc::new(Node { kind: self.0.kind.clone(), of, hash, depth, has_lines }))
    }

    /// What an operation is, with its operands.
    pub(crate) fn operation(&self) -> Option<(&'static str, &[Expr])> {
        match &self.0.kind {
            Kind::Op(name, operands) => Some((name, operands)),
            _ => None,
        }
    }

    /// Whether a text of several lines is in it.
    pub(crate) fn has_lines(&self) -> bool {
        self.0.has_lines
    }

    /// Gives each expression that this one is made of.
    pub(crate) fn operands<'e>(&'e self, to: &mut impl FnMut(&'e Expr)) {
        self.0.kind.operands(to);
    }

    /// As a person would write it.
    pub(crate) fn render(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        if out.len() > LONGEST {
            return;
        }
        match &self.0.kind {
            Kind::Leaf(name, _) | Kind::Global(name) => out.push_str(name),
            Kind::Field(object, name) => {
                object.write(out);
                out.push('.');
                out.push_str(name);
            }
            Kind::Index(object, key) => {
                object.write(out);
                out.push('[');
                key.write(out);
                out.push(']');
            }
            Kind::Each(object, _) => {
                out.push_str("each of ");
                object.write(out);
            }
            Kind::Call(object, name, arguments, _) => {
                if let Some(object) = object {
                    object.write(out);
                    out.push('.');
                }
                out.push_str(name);
                write_list(out, arguments);
            }
            Kind::Op(name, operands) => write_operation(out, name, operands),
            Kind::Constant(constant) => out.push_str(&constant.render()),
            Kind::Text(text) => {
                out.push('"');
                for part in text.parts() {
                    match part {
                        Part::Literal(text) => out.extend(text.chars().flat_map(char::escape_default)),
                        Part::Hole(expr) => {
                            out.push('{');
                            expr.write(out);
                            out.push('}');
                        }
                    }
                }
                out.push('"');
            }
        }
    }
}

fn write_list(out: &mut String, list: &[Expr]) {
    out.push('(');
    for (at, expr) in list.iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        expr.write(out);
    }
    out.push(')');
}

fn write_operation(out: &mut String, name: &str, operands: &[Expr]) {
    match operands {
        [object, round] if name == "more in" => {
            out.push_str("another element after ");
            round.write(out);
            out.push_str(" of ");
            object.write(out);
        }
        [one] if name.contains(' ') => {
            out.push_str(name);
            out.push(' ');
            one.write(out);
        }
        [one] if !name.starts_with(char::is_alphabetic) => {
            out.push_str(name);
            write_operand(out, one);
        }
        [one, two] if !name.starts_with(char::is_alphabetic) || matches!(name, "is" | "in") => {
            write_operand(out, one);
            out.push(' ');
            out.push_str(name);
            out.push(' ');
            write_operand(out, two);
        }
        _ => {
            out.push_str(name);
            write_list(out, operands);
        }
    }
}

fn write_operand(out: &mut String, operand: &Expr) {
    let parentheses = operand.operation().is_some_and(|(_, operands)| operands.len() == 2);
    if parentheses {
        out.push('(');
    }
    operand.write(out);
    if parentheses {
        out.push(')');
    }
}

impl Kind {
    fn operands<'e>(&'e self, to: &mut impl FnMut(&'e Expr)) {
        match self {
            Kind::Leaf(..) | Kind::Global(_) | Kind::Constant(_) => {}
            Kind::Field(one, _) | Kind::Each(one, _) => to(one),
            Kind::Index(one, two) => [one, two].into_iter().for_each(to),
            Kind::Call(object, _, arguments, _) => object.iter().chain(arguments.iter()).for_each(to),
            Kind::Op(_, operands) => operands.iter().for_each(to),
            Kind::Text(text) => text.holes().for_each(to),
        }
    }

    fn has_lines(&self) -> bool {
        let mut has_lines = match self {
            Kind::Leaf(name, _) | Kind::Global(name) | Kind::Field(_, name) => name.contains('\n'),
            Kind::Text(text) => text.literals().any(|text| text.contains('\n')),
            _ => false,
        };
        self.operands(&mut |operand| has_lines |= operand.has_lines());
        has_lines
    }

    fn depth(&self) -> u32 {
        let mut depth = 0;
        self.operands(&mut |operand| depth = depth.max(operand.0.depth));
        depth
    }
}

impl Constant {
    pub(crate) fn render(&self) -> String {
        match self {
            Constant::Undefined => "undefined".to_string(),
            Constant::Null => "null".to_string(),
            Constant::Bool(value) => value.to_string(),
            Constant::Number(value) => number::text(*value),
        }
    }
}

//! Expressions: symbolic values.
//!
//! Two expressions are equal if they denote the same value on one path. A call has a number, since equal calls may give different
//! values; a field denotes its value before the path assigns it: assigned values are in the heap.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::fmt::{self, Write};
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::rc::Rc;

use crate::avm::names::Name;
use crate::avm::types::{Constant, Type};
use crate::eval::number;
use crate::eval::text::{Part, Text};
use crate::eval::value::Ref;

/// Maximum depth of expressions; a deeper expression becomes a leaf.
const DEPTH: u32 = 24;

/// Maximum length of an expression as text, in bytes.
const LONGEST: usize = 400;

#[derive(Clone)]
pub(crate) struct Expr(Rc<Node>);

struct Node {
    kind: Kind,
    of: Type,
    hash: u64,
    depth: u32,
    has_lines: bool,
}

/// Kind of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A parameter or another value that only has a name; the number distinguishes values of the same name.
    Leaf(Name, u32),
    /// A distinct object, which the path has made or which existed before it: its name and its number in the heap.
    Object(Name, Ref),
    /// A definition that is in no input.
    Global(Name),
    /// A field of an object.
    Field(Expr, Name),
    /// An element of an array or a dictionary.
    Index(Expr, Expr),
    /// An item of a loop over an object.
    Each(Expr, u32),
    /// The result of a call: the object, the name, the arguments, and its number among equal calls.
    Call(Option<Expr>, Name, Rc<[Expr]>, u32),
    /// An operation: its operator or name, and its operands.
    Op(&'static str, Rc<[Expr]>),
    /// A constant that is not a text.
    Constant(Constant),
    Text(Text),
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        // Operands are shared, so comparing all of them could take exponential time.
        self.0.hash == other.0.hash
    }
}

impl Eq for Expr {}

impl Hash for Expr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

/// A map keyed by expressions, which store their own hashes.
pub(crate) type ByExpr<T> = HashMap<Expr, T, BuildHasherDefault<OwnHash>>;

/// A hasher that returns the stored hash of an expression.
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
        match &kind {
            // An object remains the same if its name changes.
            Kind::Object(_, at) => at.hash(&mut hasher),
            kind => kind.hash(&mut hasher),
        }
        let hash = hasher.finish();
        let (mut depth, mut has_lines) = (1, kind.has_lines());
        kind.operands(&mut |operand| {
            depth = depth.max(operand.0.depth.saturating_add(1));
            has_lines |= operand.has_lines();
        });
        if depth > DEPTH {
            let number = u32::try_from(hash & 0xffff_ffff).unwrap_or_default();
            return Expr::new(Kind::Leaf("expression".into(), number), of);
        }
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

    /// The expression, with another type.
    pub(crate) fn typed(&self, of: Type) -> Expr {
        if self.0.of == of {
            return self.clone();
        }
        let Node { hash, depth, has_lines, .. } = *self.0;
        Expr(Rc::new(Node { kind: self.0.kind.clone(), of, hash, depth, has_lines }))
    }

    /// Name and operands of an operation.
    pub(crate) fn operation(&self) -> Option<(&'static str, &[Expr])> {
        if let Kind::Op(name, operands) = &self.0.kind { Some((name, operands)) } else { None }
    }

    /// Whether the expression contains a text of several lines.
    pub(crate) fn has_lines(&self) -> bool {
        self.0.has_lines
    }

    /// The expression as source text, cut off at the maximum length.
    pub(crate) fn render(&self) -> String {
        let mut out = Short(String::new());
        // Writing fails where the text is cut off.
        let _ = write!(out, "{self}");
        out.0
    }
}

/// A text that is cut off at [`LONGEST`].
struct Short(String);

impl fmt::Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.push_str(text);
        if self.0.len() > LONGEST { Err(fmt::Error) } else { Ok(()) }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.kind {
            Kind::Leaf(name, _) | Kind::Object(name, _) | Kind::Global(name) => out.write_str(name),
            Kind::Field(object, name) => write!(out, "{object}.{name}"),
            Kind::Index(object, key) => write!(out, "{object}[{key}]"),
            Kind::Each(object, _) => write!(out, "each of {object}"),
            Kind::Call(Some(object), name, arguments, _) => write!(out, "{object}.{name}{}", List(arguments)),
            Kind::Call(None, name, arguments, _) => write!(out, "{name}{}", List(arguments)),
            Kind::Op(name, operands) => write_operation(out, name, operands),
            Kind::Constant(constant) => out.write_str(&constant.render()),
            Kind::Text(text) => {
                out.write_char('"')?;
                for part in text.parts() {
                    match part {
                        Part::Literal(text) => write!(out, "{}", text.escape_default())?,
                        Part::Hole(expr) => write!(out, "{{{expr}}}")?,
                    }
                }
                out.write_char('"')
            }
        }
    }
}

fn write_operation(out: &mut fmt::Formatter<'_>, name: &str, operands: &[Expr]) -> fmt::Result {
    match operands {
        [object, round] if name == "more in" => write!(out, "another element after {round} of {object}"),
        [one] if name.contains(' ') => write!(out, "{name} {one}"),
        [one] if !name.starts_with(char::is_alphabetic) => write!(out, "{name}{}", Operand(one)),
        [one, two] if !name.starts_with(char::is_alphabetic) || matches!(name, "is" | "in") => {
            write!(out, "{} {name} {}", Operand(one), Operand(two))
        }
        _ => write!(out, "{name}{}", List(operands)),
    }
}

/// Expressions in parentheses, separated by commas.
struct List<'e>(&'e [Expr]);

impl fmt::Display for List<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, expr) in self.0.iter().enumerate() {
            write!(out, "{}{expr}", if at == 0 { "(" } else { ", " })?;
        }
        out.write_str(if self.0.is_empty() { "()" } else { ")" })
    }
}

/// An operand, in parentheses if it has two operands itself.
struct Operand<'e>(&'e Expr);

impl fmt::Display for Operand<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.operation() {
            Some((_, [_, _])) => write!(out, "({})", self.0),
            _ => write!(out, "{}", self.0),
        }
    }
}

impl Kind {
    /// Calls `to` with each operand.
    pub(crate) fn operands<'e>(&'e self, to: &mut impl FnMut(&'e Expr)) {
        match self {
            Kind::Leaf(..) | Kind::Object(..) | Kind::Global(_) | Kind::Constant(_) => {}
            Kind::Field(one, _) | Kind::Each(one, _) => to(one),
            Kind::Index(one, two) => [one, two].into_iter().for_each(to),
            Kind::Call(object, _, arguments, _) => object.iter().chain(arguments.iter()).for_each(to),
            Kind::Op(_, operands) => operands.iter().for_each(to),
            Kind::Text(text) => text.holes().for_each(to),
        }
    }

    /// Whether the expression contains a text of several lines, apart from its operands.
    fn has_lines(&self) -> bool {
        match self {
            Kind::Leaf(name, _) | Kind::Object(name, _) | Kind::Global(name) | Kind::Field(_, name) => {
                name.contains('\n')
            }
            Kind::Text(text) => text.literals().any(|text| text.contains('\n')),
            _ => false,
        }
    }
}

impl Constant {
    pub(crate) fn render(&self) -> String {
        match self {
            Constant::Undefined => "undefined".to_string(),
            Constant::Null => "null".to_string(),
            Constant::Bool(value) => value.to_string(),
            Constant::Number(bits) => number::text(f64::from_bits(*bits)),
            Constant::String(text) => text.to_string(),
        }
    }
}

/// Whether an expression is a constant.
pub(crate) fn is_constant(expr: &Expr) -> bool {
    match expr.kind() {
        Kind::Constant(_) | Kind::Object(..) => true,
        Kind::Text(text) => text.known().is_some(),
        _ => false,
    }
}

/// A constant as conditions report it.
pub(crate) fn constant_text(expr: &Expr) -> Option<String> {
    match expr.kind() {
        Kind::Constant(Constant::Bool(_)) => None,
        Kind::Constant(constant) => Some(constant.render()),
        Kind::Text(text) => {
            text.known().map(|text| if text.is_empty() { "\"\"".to_string() } else { text.to_string() })
        }
        _ => None,
    }
}

//! Expressions, which represent unknown values symbolically.
//!
//! Equal expressions denote the same value on one path. A call expression is numbered, because identical calls may return
//! different values. A field expression denotes the value that the field has before the path assigns it; assigned values are
//! stored in the heap.

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

/// The maximum depth of an expression. A deeper expression is replaced with a leaf.
const DEPTH: u32 = 24;

/// The maximum length of a rendered expression, in bytes.
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

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A parameter, or another value of which only a name is known. The number distinguishes values with the same name.
    Leaf(Name, u32),
    /// A distinct object, with a readable name and its index in the heap.
    Object(Name, Ref),
    /// A global definition that none of the inputs contains.
    Global(Name),
    Field(Expr, Name),
    /// An element of an array or a dictionary.
    Index(Expr, Expr),
    /// The item that a loop over an object visits in the iteration with the given number.
    Each(Expr, u32),
    /// The result of a call: the receiver, the method name, the arguments, and the call's number among identical calls.
    Call(Option<Expr>, Name, Rc<[Expr]>, u32),
    /// An operation, with its operator or function name and its operands.
    Op(&'static str, Rc<[Expr]>),
    /// A constant other than a string.
    Constant(Constant),
    Text(Text),
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        // Hashes are compared instead of operands, because a recursive comparison of shared operands could take exponential time.
        self.0.hash == other.0.hash
    }
}

impl Eq for Expr {}

impl Hash for Expr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

/// A map whose keys are expressions. An expression stores its own hash.
pub(crate) type ByExpr<T> = HashMap<Expr, T, BuildHasherDefault<OwnHash>>;

/// A hasher that uses an expression's stored hash.
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
            // An object's name may change, so only its heap index is hashed.
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

    pub(crate) fn typed(&self, of: Type) -> Expr {
        if self.0.of == of {
            return self.clone();
        }
        let Node { hash, depth, has_lines, .. } = *self.0;
        Expr(Rc::new(Node { kind: self.0.kind.clone(), of, hash, depth, has_lines }))
    }

    pub(crate) fn operation(&self) -> Option<(&'static str, &[Expr])> {
        if let Kind::Op(name, operands) = &self.0.kind { Some((name, operands)) } else { None }
    }

    /// Reports whether the expression contains a string of several lines.
    pub(crate) fn has_lines(&self) -> bool {
        self.0.has_lines
    }

    /// Renders the expression in source syntax. The result is cut off at [`LONGEST`] bytes.
    pub(crate) fn render(&self) -> String {
        let mut out = Short(String::new());
        // Writing fails once the length limit is reached.
        let _ = write!(out, "{self}");
        out.0
    }
}

/// A string that stops growing at [`LONGEST`] bytes.
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

struct List<'e>(&'e [Expr]);

impl fmt::Display for List<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, expr) in self.0.iter().enumerate() {
            write!(out, "{}{expr}", if at == 0 { "(" } else { ", " })?;
        }
        out.write_str(if self.0.is_empty() { "()" } else { ")" })
    }
}

/// Displays an operand. A binary operation is enclosed in parentheses.
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

    /// Reports whether the expression contains a string of several lines outside its operands.
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

/// Reports whether an expression is a literal, a distinct object, or a string without holes.
pub(crate) fn is_constant(expr: &Expr) -> bool {
    match expr.kind() {
        Kind::Constant(_) | Kind::Object(..) => true,
        Kind::Text(text) => text.known().is_some(),
        _ => false,
    }
}

/// Renders a constant for a reported condition. Returns `None` for Booleans, objects, and expressions that are not constant.
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

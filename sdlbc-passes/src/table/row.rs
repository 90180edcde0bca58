//! The parts of a row: terms, conditions, and the notation used in `rows.rs`.
//!
//! Rule: a row is constant data, and a term has only one notation. The matcher, the provers and the page of rows therefore cannot
//! disagree about a row.

use std::fmt;

use sdlbc::{Op, Scalar};

use super::Assume;

/// A variable of a pattern. All occurrences of a variable in a row stand for the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Var {
    /// `x`: a value of the row's component type.
    X,
    /// `y`: a second value of the row's component type.
    Y,
    /// `z`: a third value of the row's component type.
    Z,
    /// `a`: a constant of the row's component type whose components are all equal.
    A,
    /// `b`: a second constant of the row's component type whose components are all equal.
    B,
    /// `p`: a bool or a vector of bools.
    P,
    /// `q`: a second bool or vector of bools.
    Q,
    /// `r`: a third bool or vector of bools.
    R,
}

impl Var {
    /// All variables, in the order of their indices.
    pub const ALL: [Var; 8] = [Var::X, Var::Y, Var::Z, Var::A, Var::B, Var::P, Var::Q, Var::R];

    /// Returns the index of the variable in [`Var::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the variable's name in the notation of rows, such as `x`.
    pub const fn name(self) -> &'static str {
        match self {
            Var::X => "x",
            Var::Y => "y",
            Var::Z => "z",
            Var::A => "a",
            Var::B => "b",
            Var::P => "p",
            Var::Q => "q",
            Var::R => "r",
        }
    }

    /// Reports whether the variable matches only constants.
    pub const fn is_constant(self) -> bool {
        matches!(self, Var::A | Var::B)
    }

    /// Reports whether the variable stands for bools, regardless of the row's component type.
    pub const fn is_truth(self) -> bool {
        matches!(self, Var::P | Var::Q | Var::R)
    }
}

/// A pattern or a replacement, as an expression tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term {
    /// A variable, which stands for any value of its kind.
    Var(Var),
    /// A number of the row's component type, with 0.0 distinct from -0.0. As an unsigned int, -1 has every bit set.
    Number(f64),
    /// A bool constant.
    Truth(bool),
    /// An operation and its operands.
    Op(Op, &'static [Term]),
    /// A CONVERT to the given component type, or to the row's component type if `None`.
    Convert(Option<Scalar>, &'static Term),
}

impl Term {
    /// Returns the operation at the root of the term, or `None` for a variable or constant.
    pub const fn op(&self) -> Option<Op> {
        match self {
            Term::Op(op, _) => Some(*op),
            Term::Convert(..) => Some(Op::Convert),
            _ => None,
        }
    }

    /// Returns the operands of the root operation, or an empty slice for a variable or constant.
    pub const fn operands(&self) -> &'static [Term] {
        match *self {
            Term::Op(_, operands) => operands,
            Term::Convert(_, operand) => std::slice::from_ref(operand),
            _ => &[],
        }
    }

    /// Calls `visit` with the term and then with each of its subterms.
    pub fn visit(&self, visit: &mut impl FnMut(&Term)) {
        visit(self);
        self.operands().iter().for_each(|operand| operand.visit(visit));
    }

    /// Reports whether the variable occurs in the term.
    pub fn has(&self, var: Var) -> bool {
        let mut found = false;
        self.visit(&mut |term| found |= *term == Term::Var(var));
        found
    }
}

/// Writes a term like `(add x (negate y))`, with the mnemonics of module text; `(float p)` is a CONVERT.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Var(var) => f.write_str(var.name()),
            Term::Number(number) => write!(f, "{number}"),
            Term::Truth(truth) => write!(f, "{truth}"),
            Term::Op(op, operands) => {
                write!(f, "({op}")?;
                operands.iter().try_for_each(|operand| write!(f, " {operand}"))?;
                f.write_str(")")
            }
            Term::Convert(to, operand) => write!(f, "({} {operand})", to.map_or("number", Scalar::name)),
        }
    }
}

/// A requirement on the values that a pattern matched. NaN is allowed unless the condition excludes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The value is never NaN.
    Number(Var),
    /// The sign bit is not set, or the value is NaN; -0.0 is excluded.
    Unsigned(Var),
    /// The value is at least zero, or NaN; -0.0 is allowed.
    NonNegative(Var),
    /// The value is from 0 to 1, or NaN; -0.0 is allowed.
    Unit(Var),
    /// The value is a whole number, infinite or NaN.
    Whole(Var),
    /// The value has a single component.
    Scalar(Var),
    /// The constant is not NaN.
    Ordered(Var),
    /// The constant is neither zero nor NaN.
    Nonzero(Var),
    /// The constant is a power of two. A float may be negative, and neither the float nor its reciprocal is denormal.
    PowerOfTwo(Var),
    /// The constant is above 0 and at most 1.
    UpToOne(Var),
    /// The constant is at least 0 and below 1.
    BelowOne(Var),
    /// The first constant is at most the second, and neither is NaN.
    Ascending(Var, Var),
    /// The first constant is below the second, and neither is NaN.
    Below(Var, Var),
}

impl Condition {
    /// Returns the variables that the condition constrains.
    pub fn vars(self) -> impl Iterator<Item = Var> {
        let (_, first, _, second) = self.parts();
        std::iter::once(first).chain(second)
    }

    /// Returns the parts of the written condition in order: text, variable, text, and a second variable if there is one.
    const fn parts(self) -> (&'static str, Var, &'static str, Option<Var>) {
        use Condition::*;
        match self {
            Number(x) => ("", x, " is never NaN", None),
            Unsigned(x) => ("", x, " has no sign bit, or is NaN", None),
            NonNegative(x) => ("", x, " >= 0, or NaN", None),
            Unit(x) => ("0 <= ", x, " <= 1, or NaN", None),
            Whole(x) => ("", x, " is whole, infinite or NaN", None),
            Scalar(x) => ("", x, " has one component", None),
            Ordered(a) => ("", a, " is not NaN", None),
            Nonzero(a) => ("", a, " is neither 0 nor NaN", None),
            PowerOfTwo(a) => ("", a, " is a power of two", None),
            UpToOne(a) => ("0 < ", a, " <= 1", None),
            BelowOne(a) => ("0 <= ", a, " < 1", None),
            Ascending(a, b) => ("", a, " <= ", Some(b)),
            Below(a, b) => ("", a, " < ", Some(b)),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, first, after, second) = self.parts();
        write!(f, "{before}{}{after}{}", first.name(), second.map_or("", Var::name))
    }
}

/// The guarantee that a row gives under the assumptions that it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// The row keeps every bit on any machine whose operations round as IEEE 754 requires; all NaNs count as equal. The guarantee
    /// covers every machine choice that depends only on the operands: MIN and MAX of NaN or zeroes, and the rounding of a MAD's
    /// product.
    Bits,
    /// The row keeps every bit in the format's reference arithmetic, which the constant folder and the interpreter use. On any
    /// other machine, the replacement returns a result that the format permits for the pattern.
    Permitted,
}

/// The method that proves a row for binary32 floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// An SMT solver proves the row.
    Solver,
    /// The row is tested with random values, because the solver finds no answer within a minute or lacks a definition
    /// of the operation.
    Random,
}

/// A row of the rewrite table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The row's name, which is unique in the table.
    pub name: &'static str,
    /// The component types to which the row applies.
    pub scalars: &'static [Scalar],
    /// The pattern, in which operands of commutative operations may be in either order unless [`Row::ordered`] is true.
    pub pattern: Term,
    /// The term that replaces the matched term.
    pub replacement: Term,
    /// The conditions that the matched values must satisfy.
    pub conditions: &'static [Condition],
    /// The assumptions that the row needs.
    pub needs: Assume,
    /// The guarantee that the row gives about the result.
    pub keeps: Keeps,
    /// Whether the operands of commutative operations must be in the order of the pattern.
    pub ordered: bool,
    /// The method that proves the row for binary32 floats.
    pub proof: Proof,
}

/// Writes the pattern and the replacement, like `(add x -0) => x`.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} => {}", self.pattern, self.replacement)
    }
}

/// Builds a table of rows, which are written one per line:
///
/// `name SCALARS (pattern) => replacement, if [conditions], needs [assumptions], keeps Permitted, order Fixed, by Random;`
///
/// The parts after the replacement are optional, but their order is fixed. SCALARS is a slice of component types. An operation is
/// written as in [`sdlbc::Op`], and `x y z`, `a b` and `p q r` are [`Var`]s. A negative number is enclosed in square brackets.
/// The term `(to Int x)` is a CONVERT to the named type, and `(number p)` is a CONVERT to the row's component type.
#[macro_export]
macro_rules! rows {
    ($($name:ident $scalars:ident $pattern:tt => $replacement:tt $(, if [$($condition:ident($($var:ident),+)),+])?
        $(, needs [$($needs:ident),+])? $(, keeps $keeps:ident)? $(, order $order:ident)? $(, by $proof:ident)?;)*) => {
        &[$($crate::table::Row {
            name: stringify!($name),
            scalars: $scalars,
            pattern: $crate::term!($pattern),
            replacement: $crate::term!($replacement),
            conditions: &[$($($crate::table::Condition::$condition($($crate::var!($var)),+)),+)?],
            needs: $crate::table::Assume::NOTHING$($(.and($crate::table::Assume::$needs))+)?,
            keeps: $crate::one_of!($($crate::table::Keeps::$keeps)?, $crate::table::Keeps::Bits),
            ordered: $crate::one_of!($($crate::order!($order))?, false),
            proof: $crate::one_of!($($crate::table::Proof::$proof)?, $crate::table::Proof::Solver),
        }),*]
    };
}

/// Expands a name such as `x` to the `Var` with that name.
#[doc(hidden)]
#[macro_export]
macro_rules! var {
    (x) => {
        $crate::table::Var::X
    };
    (y) => {
        $crate::table::Var::Y
    };
    (z) => {
        $crate::table::Var::Z
    };
    (a) => {
        $crate::table::Var::A
    };
    (b) => {
        $crate::table::Var::B
    };
    (p) => {
        $crate::table::Var::P
    };
    (q) => {
        $crate::table::Var::Q
    };
    (r) => {
        $crate::table::Var::R
    };
}

/// Expands a term in the notation of rows to a `Term`.
#[doc(hidden)]
#[macro_export]
macro_rules! term {
    (true) => {
        $crate::table::Term::Truth(true)
    };
    (false) => {
        $crate::table::Term::Truth(false)
    };
    ($number:literal) => {
        $crate::table::Term::Number($number as f64)
    };
    ([$number:expr]) => {
        $crate::table::Term::Number($number as f64)
    };
    ((to $scalar:ident $operand:tt)) => {
        $crate::table::Term::Convert(Some(::sdlbc::Scalar::$scalar), &$crate::term!($operand))
    };
    ((number $operand:tt)) => {
        $crate::table::Term::Convert(None, &$crate::term!($operand))
    };
    (($op:ident $($operand:tt)+)) => {
        $crate::table::Term::Op(::sdlbc::Op::$op, &[$($crate::term!($operand)),+])
    };
    ($var:ident) => {
        $crate::table::Term::Var($crate::var!($var))
    };
}

/// Expands to the first of two expressions, or to the second if the first is missing.
#[doc(hidden)]
#[macro_export]
macro_rules! one_of {
    ($given:expr, $otherwise:expr) => {
        $given
    };
    (, $otherwise:expr) => {
        $otherwise
    };
}

/// Expands `Fixed` to true, for a row whose operand order is fixed.
#[doc(hidden)]
#[macro_export]
macro_rules! order {
    (Fixed) => {
        true
    };
}

//! The parts of a row: terms, conditions, and the notation in which `rows.rs` writes them.
//!
//! Rule: a row is constant data, and a term has only one notation, so that the notation, the matcher, the provers and the page
//! of rows cannot disagree.

use std::fmt;

use sdlbc::{Op, Scalar};

use super::Assume;

/// A variable of a pattern. All its occurrences in a row stand for the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Var {
    /// `x`: a value of the row's component type.
    X,
    /// `y`: like `x`.
    Y,
    /// `z`: like `x`.
    Z,
    /// `a`: a constant of the row's component type, whose components are equal.
    A,
    /// `b`: like `a`.
    B,
    /// `p`: bools.
    P,
    /// `q`: like `p`.
    Q,
    /// `r`: like `p`.
    R,
}

impl Var {
    /// Every variable.
    pub const ALL: [Var; 8] = [Var::X, Var::Y, Var::Z, Var::A, Var::B, Var::P, Var::Q, Var::R];

    /// The index of the variable in [`Var::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The name of the variable in rows.
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

    /// Whether the variable stands for a constant.
    pub const fn is_constant(self) -> bool {
        matches!(self, Var::A | Var::B)
    }

    /// Whether the variable stands for bools, independent of the row's component type.
    pub const fn is_truth(self) -> bool {
        matches!(self, Var::P | Var::Q | Var::R)
    }
}

/// A pattern or a replacement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term {
    /// A variable.
    Var(Var),
    /// A number of the row's component type: 0.0 and -0.0 differ; -1 as an unsigned int has every bit set.
    Number(f64),
    /// A bool.
    Truth(bool),
    /// An operation.
    Op(Op, &'static [Term]),
    /// CONVERT to this component type, or to the row's if there is none.
    Convert(Option<Scalar>, &'static Term),
}

impl Term {
    /// The operation at the root of the term.
    pub const fn op(&self) -> Option<Op> {
        match self {
            Term::Op(op, _) => Some(*op),
            Term::Convert(..) => Some(Op::Convert),
            _ => None,
        }
    }

    /// The operands of the root.
    pub const fn operands(&self) -> &'static [Term] {
        match *self {
            Term::Op(_, operands) => operands,
            Term::Convert(_, operand) => std::slice::from_ref(operand),
            _ => &[],
        }
    }

    /// Calls `visit` with the term and all terms in it.
    pub fn visit(&self, visit: &mut impl FnMut(&Term)) {
        visit(self);
        self.operands().iter().for_each(|operand| operand.visit(visit));
    }

    /// Whether the variable occurs in the term.
    pub fn has(&self, var: Var) -> bool {
        let mut found = false;
        self.visit(&mut |term| found |= *term == Term::Var(var));
        found
    }
}

/// `(add x (negate y))`, with the mnemonics of module text; `(float p)` is a CONVERT.
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

/// A requirement on the values that a pattern matched. NaN is allowed unless a condition excludes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The value is never NaN.
    Number(Var),
    /// The sign bit is not set, or the value is NaN: never -0.0.
    Unsigned(Var),
    /// Not below zero, or NaN; -0.0 is allowed.
    NonNegative(Var),
    /// From 0 to 1, or NaN; -0.0 is allowed.
    Unit(Var),
    /// A whole number, infinite or NaN.
    Whole(Var),
    /// A single component.
    Scalar(Var),
    /// A constant that is not NaN.
    Ordered(Var),
    /// A constant that is neither zero nor NaN.
    Nonzero(Var),
    /// A constant that is a power of two. For floats it may be negative, and neither it nor its reciprocal is denormal.
    PowerOfTwo(Var),
    /// A constant above 0 and at most 1.
    UpToOne(Var),
    /// A constant of at least 0 and below 1.
    BelowOne(Var),
    /// The first constant is at most the second; neither is NaN.
    Ascending(Var, Var),
    /// The first constant is below the second; neither is NaN.
    Below(Var, Var),
}

impl Condition {
    /// The variables of the condition.
    pub fn vars(self) -> impl Iterator<Item = Var> {
        let (_, first, _, second) = self.parts();
        std::iter::once(first).chain(second)
    }

    /// The text and the variables of the condition, in the order in which they are written.
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

/// The guarantee of a row, under the assumptions that it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// Every bit, on any machine whose operations round as IEEE 754 requires; all NaNs count as equal. Where the format leaves
    /// a choice to the machine (MIN and MAX of NaN, and of zeroes; the rounding of a MAD's product), this holds for every
    /// choice that depends only on the operands.
    Bits,
    /// Every bit in the format's reference arithmetic, which the constant folder and the interpreter use. On any other machine,
    /// a result that the format permits for the pattern.
    Permitted,
}

/// The method by which a row is proved over binary32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// By an SMT solver.
    Solver,
    /// By 10^8 random values, because the solver has no answer within a minute, or no definition of the operation.
    Random,
}

/// A rewrite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The name, unique in the table.
    pub name: &'static str,
    /// The component types to which the row applies.
    pub scalars: &'static [Scalar],
    /// The pattern. Operands of commutative operations may be in either order, unless the row is [`Row::ordered`].
    pub pattern: Term,
    /// The replacement of the matched term.
    pub replacement: Term,
    /// The conditions on the matched values.
    pub conditions: &'static [Condition],
    /// The assumptions that the row needs.
    pub needs: Assume,
    /// The guarantee of the row.
    pub keeps: Keeps,
    /// Whether the operands of commutative operations must be in the order of the pattern.
    pub ordered: bool,
    /// The method by which the row is proved over binary32.
    pub proof: Proof,
}

/// `(add x -0) => x`.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} => {}", self.pattern, self.replacement)
    }
}

/// A table of rows, one in each line:
///
/// `name SCALARS (pattern) => replacement, if [conditions], needs [assumptions], keeps Permitted, order Fixed, by Random;`
///
/// The parts after the replacement may be left out, but keep their order. SCALARS is a list of component types. In terms, an
/// operation is written as in [`sdlbc::Op`], `x y z`, `a b` and `p q r` are [`Var`]s, a negative number is enclosed in square
/// brackets, `(to Int x)` is a CONVERT, and `(number p)` a CONVERT to the row's component type.
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

/// A variable of a row.
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

/// A term of a row.
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

/// The first of two values, or the second if there is no first.
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

/// Whether an order is fixed.
#[doc(hidden)]
#[macro_export]
macro_rules! order {
    (Fixed) => {
        true
    };
}

//! Writes the obligations of a row in SMT-LIB, for 32-bit values and for halves.
//!
//! Rule: operations are defined here a second time, in SMT-LIB's theories of floats and bit vectors. SMT-LIB's floats follow IEEE
//! 754 with a single NaN, so `=` compares results as `prover.rs` does. A query is satisfiable if and only if the sides differ for
//! some values.

use std::collections::BTreeMap;
use std::fmt::Write;

use sdlbc::{Op, Scalar};
use sdlbc_passes::table::{Assume, Condition, Keeps, Pattern, Row, Term, Var};

use crate::program::{choices, is_comparison, product, scalar_of};
use crate::prover::vars;

/// A float format: the number of exponent bits, and the number of significand bits including the hidden bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size(pub(crate) u32, pub(crate) u32);

pub(crate) const SINGLE: Size = Size(8, 24);
pub(crate) const HALF: Size = Size(5, 11);

/// The relation between the machine choices in the pattern and in the replacement.
#[derive(Clone, Copy, Debug)]
enum Choices {
    /// All operations make the same choices, including which operand MIN and MAX return for a number and NaN.
    Same,
    /// All operations make the reference choices: MIN and MAX of a number and NaN return the number, and products are rounded.
    Reference,
    /// Each operation makes its own choice, given by one bit of the word.
    Given(u32),
}

struct Side<'a> {
    row: &'a Row,
    scalar: Scalar,
    size: Size,
    choices: Choices,
    chosen: usize,
    text: String,
    prefix: String,
    floats: Vec<String>,
    /// The expression that each name stands for, used as the key for sorting operands.
    meanings: BTreeMap<String, String>,
}

/// Returns the queries of a row, which are all unsatisfiable if and only if the sides always agree.
pub(crate) fn queries(row: &Row, scalar: Scalar, size: Size) -> Vec<String> {
    let mut all = Vec::new();
    for pattern in row.patterns() {
        let replacement = Pattern::of(&row.replacement);
        let has_choice = scalar == Scalar::Float && choices(&pattern, false) + choices(&replacement, false) > 0;
        match row.keeps {
            Keeps::Permitted if has_choice => {
                all.push(query(row, scalar, size, &pattern, Choices::Reference));
                all.extend(refinement(row, scalar, size, &pattern));
            }
            _ => all.push(query(row, scalar, size, &pattern, Choices::Same)),
        }
    }
    // Patterns that differ only in swapped operands of a sum or product lead to the same query.
    let mut distinct: Vec<String> = Vec::new();
    all.into_iter().for_each(|query| {
        if !distinct.contains(&query) {
            distinct.push(query)
        }
    });
    distinct
}

fn query(row: &Row, scalar: Scalar, size: Size, pattern: &Pattern, same: Choices) -> String {
    let mut text = head(row, scalar, size);
    let left = write_side(&mut text, row, scalar, size, pattern, same, "l");
    let right = write_side(&mut text, row, scalar, size, &Pattern::of(&row.replacement), same, "r");
    assume_finite(&mut text, row, &left.1);
    let _ = writeln!(text, "(assert (not {}))\n(check-sat)", agree(row, scalar_of(pattern, scalar), &left.0, &right.0));
    text
}

/// Returns queries, one of which is satisfiable if the replacement has a result that the pattern cannot have. Each
/// query covers one combination of choices for the replacement's operations.
fn refinement(row: &Row, scalar: Scalar, size: Size, pattern: &Pattern) -> Vec<String> {
    let replacement = Pattern::of(&row.replacement);
    let fuse = row.needs.has(Assume::FUSE);
    let of_set = |wanted: u32| {
        let mut text = head(row, scalar, size);
        let right = write_side(&mut text, row, scalar, size, &replacement, Choices::Given(wanted), "r");
        for set in 0..1u32 << choices(pattern, fuse) {
            let side = write_side(&mut text, row, scalar, size, pattern, Choices::Given(set), &format!("l{set}_"));
            assume_finite(&mut text, row, &side.1);
            let agree = agree(row, scalar_of(pattern, scalar), &side.0, &right.0);
            let _ = writeln!(text, "(assert (not {agree}))");
        }
        text + "(check-sat)\n"
    };
    (0..1u32 << choices(&replacement, fuse)).map(of_set).collect()
}

fn head(row: &Row, scalar: Scalar, Size(exponent, significand): Size) -> String {
    // With a more general logic than QF_BVFP, the solver needs a minute instead of a second.
    let mut text =
        format!("(reset)\n(set-logic QF_BVFP)\n(define-sort F () (_ FloatingPoint {exponent} {significand}))\n");
    for name in ["nan_first", "nan_second", "zero_first", "zero_second"] {
        let _ = writeln!(text, "(declare-const {name}_min Bool)\n(declare-const {name}_max Bool)");
    }
    text.push_str("(declare-const fused Bool)\n");
    for var in vars(row) {
        let sort = if var.is_truth() { "Bool" } else { sort(scalar) };
        let _ = writeln!(text, "(declare-const {} {sort})", var.name());
        if row.needs.has(Assume::FINITE) && sort == "F" {
            let _ = writeln!(text, "(assert (not (or (fp.isNaN {0}) (fp.isInfinite {0}))))", var.name());
        }
    }
    for condition in row.conditions {
        let _ = writeln!(text, "{}", assumption(*condition, scalar, Size(exponent, significand)));
    }
    text
}

fn sort(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "Bool",
        Scalar::Float | Scalar::Half => "F",
        Scalar::Int | Scalar::Uint => "(_ BitVec 32)",
    }
}

fn assumption(condition: Condition, scalar: Scalar, Size(exponent, significand): Size) -> String {
    let (zero, one) = ("((_ to_fp {e} {s}) RNE 0.0)", "((_ to_fp {e} {s}) RNE 1.0)");
    let is_float = scalar == Scalar::Float;
    let mut of = condition.vars().map(Var::name);
    let (a, b) = (of.next().unwrap_or_default(), of.next().unwrap_or_default());
    let text = match condition {
        Condition::Scalar(_) => "true".to_string(),
        Condition::Number(_) | Condition::Ordered(_) if is_float => "(not (fp.isNaN {a}))".to_string(),
        Condition::Number(_) | Condition::Ordered(_) => "true".to_string(),
        Condition::Unsigned(_) => "(or (fp.isNaN {a}) (fp.isPositive {a}))".to_string(),
        Condition::NonNegative(_) => format!("(or (fp.isNaN {{a}}) (fp.geq {{a}} {zero}))"),
        Condition::Unit(_) => format!("(or (fp.isNaN {{a}}) (and (fp.geq {{a}} {zero}) (fp.leq {{a}} {one})))"),
        Condition::Whole(_) => "(= {a} (fp.roundToIntegral RTZ {a}))".to_string(),
        Condition::Nonzero(_) if is_float => "(not (or (fp.isNaN {a}) (fp.isZero {a})))".to_string(),
        Condition::Nonzero(_) => "(not (= {a} #x00000000))".to_string(),
        Condition::PowerOfTwo(_) if is_float => {
            // The reciprocal must be normal. The biased exponents of a power of two and its reciprocal add up to twice the
            // bias.
            let (bits, most) = (significand - 1, (1u32 << exponent) - 3);
            return format!(
                "(declare-const sign (_ BitVec 1))\n(declare-const exponent (_ BitVec {exponent}))\n\
                 (assert (and (bvuge exponent (_ bv1 {exponent})) (bvule exponent (_ bv{most} {exponent}))))\n\
                 (assert (= {a} (fp sign exponent (_ bv0 {bits}))))"
            );
        }
        Condition::PowerOfTwo(_) => {
            "(and (not (= {a} #x00000000)) (= (bvand {a} (bvsub {a} #x00000001)) #x00000000))".into()
        }
        Condition::UpToOne(_) => format!("(and (fp.lt {zero} {{a}}) (fp.leq {{a}} {one}))"),
        Condition::BelowOne(_) => format!("(and (fp.leq {zero} {{a}}) (fp.lt {{a}} {one}))"),
        Condition::Ascending(..) => format!("({} {{a}} {{b}})", comparison(Op::LessThanOrEqual, scalar)),
        Condition::Below(..) => format!("({} {{a}} {{b}})", comparison(Op::LessThan, scalar)),
    };
    let text = text.replace("{e}", &exponent.to_string()).replace("{s}", &significand.to_string());
    format!("(assert {})", text.replace("{a}", a).replace("{b}", b))
}

fn agree(row: &Row, scalar: Scalar, left: &str, right: &str) -> String {
    if scalar == Scalar::Float && row.needs.has(Assume::NO_SIGNED_ZERO) {
        return format!("(or (= {left} {right}) (and (fp.isZero {left}) (fp.isZero {right})))");
    }
    format!("(= {left} {right})")
}

fn assume_finite(text: &mut String, row: &Row, floats: &[String]) {
    for name in floats.iter().filter(|_| row.needs.has(Assume::FINITE)) {
        let _ = writeln!(text, "(assert (not (or (fp.isNaN {name}) (fp.isInfinite {name}))))");
    }
}

/// Appends to `text` the definitions that compute one side of a row. Returns the name of the side's result and the names of all
/// floats.
fn write_side(
    text: &mut String,
    row: &Row,
    scalar: Scalar,
    size: Size,
    pattern: &Pattern,
    choices: Choices,
    prefix: &str,
) -> (String, Vec<String>) {
    let (floats, prefix) = (Vec::new(), prefix.to_string());
    let meanings = BTreeMap::new();
    let mut side = Side { row, scalar, size, choices, chosen: 0, text: String::new(), prefix, floats, meanings };
    let result = side.term(pattern);
    text.push_str(&side.text);
    (result, side.floats)
}

fn comparison(op: Op, scalar: Scalar) -> &'static str {
    let (float, int, uint) = match op {
        Op::LessThan => ("fp.lt", "bvslt", "bvult"),
        Op::GreaterThan => ("fp.gt", "bvsgt", "bvugt"),
        Op::LessThanOrEqual => ("fp.leq", "bvsle", "bvule"),
        Op::GreaterThanOrEqual => ("fp.geq", "bvsge", "bvuge"),
        _ => ("fp.eq", "=", "="),
    };
    match scalar {
        Scalar::Float => float,
        Scalar::Int => int,
        Scalar::Uint => uint,
        _ => "=",
    }
}

impl Side<'_> {
    fn define(&mut self, scalar: Scalar, expression: &str) -> String {
        let name = format!("{}{}", self.prefix, self.text.matches("(define-fun").count());
        let _ = writeln!(self.text, "(define-fun {name} () {} {expression})", sort(scalar));
        let meaning = self.meaning(expression);
        self.meanings.insert(name.clone(), meaning);
        if scalar == Scalar::Float {
            self.floats.push(name.clone());
        }
        name
    }

    fn number(&self, number: f64, scalar: Scalar) -> String {
        let Size(exponent, significand) = self.size;
        match scalar {
            Scalar::Float if number == 0.0 && number.is_sign_negative() => {
                format!("(_ -zero {exponent} {significand})")
            }
            Scalar::Float if number < 0.0 => format!("((_ to_fp {exponent} {significand}) RNE (- {:?}))", -number),
            Scalar::Float => format!("((_ to_fp {exponent} {significand}) RNE {number:?})"),
            _ => format!("#x{:08x}", number as i32),
        }
    }

    fn term(&mut self, pattern: &Pattern) -> String {
        let (op, operands) = match pattern {
            Pattern::Leaf(Term::Var(var)) => return var.name().to_string(),
            Pattern::Leaf(Term::Number(number)) => return self.number(*number, self.scalar),
            Pattern::Leaf(Term::Truth(truth)) => return truth.to_string(),
            Pattern::Leaf(_) => panic!("a leaf is a variable or a constant"),
            Pattern::Op(op, _, operands) => (*op, operands),
        };
        let scalar = scalar_of(&operands[usize::from(op == Op::Select)], self.scalar);
        let to = scalar_of(pattern, self.scalar);
        // A sum with a product as an operand may be fused.
        if let Some(of) = product(operands).filter(|_| op == Op::Add && self.row.needs.has(Assume::FUSE))
            && let Choices::Given(set) = self.choices
        {
            self.chosen += 1;
            if set >> (self.chosen - 1) & 1 != 0 {
                let [a, b, c] = of.map(|operand| self.term(operand));
                let [a, b] = self.sorted([a, b]);
                return self.define(to, &format!("(fp.fma RNE {a} {b} {c})"));
            }
        }
        let of: Vec<String> = operands.iter().map(|operand| self.term(operand)).collect();
        let [a, b, c] = [0, 1, 2].map(|at| of.get(at).cloned().unwrap_or_default());
        let expression = match (op, scalar) {
            (Op::Select, _) => format!("(ite {a} {b} {c})"),
            (Op::Convert, _) => self.convert(scalar, to, &a),
            (_, Scalar::Bool) => of_bools(op, &a, &b),
            (_, Scalar::Float) => self.of_floats(op, &a, &b, &c),
            _ => self.of_ints(op, scalar == Scalar::Int, &a, &b, &c),
        };
        self.define(to, &expression)
    }

    fn convert(&self, from: Scalar, to: Scalar, a: &str) -> String {
        let Size(exponent, significand) = self.size;
        match (from, to) {
            (Scalar::Bool, Scalar::Bool) => a.to_string(),
            (Scalar::Bool, _) => format!("(ite {a} {} {})", self.number(1.0, to), self.number(0.0, to)),
            (Scalar::Float, Scalar::Bool) => format!("(not (fp.isZero {a}))"),
            (_, Scalar::Bool) => format!("(not (= {a} #x00000000))"),
            (Scalar::Int, Scalar::Float) => format!("((_ to_fp {exponent} {significand}) RNE {a})"),
            (Scalar::Uint, Scalar::Float) => format!("((_ to_fp_unsigned {exponent} {significand}) RNE {a})"),
            (Scalar::Float, Scalar::Int) => format!("((_ fp.to_sbv 32) RTZ {a})"),
            (Scalar::Float, Scalar::Uint) => format!("((_ fp.to_ubv 32) RTZ {a})"),
            _ => a.to_string(),
        }
    }

    fn extreme(&mut self, is_max: bool, a: &str, b: &str) -> String {
        let op = if is_max { "max" } else { "min" };
        let less = if is_max { "fp.gt" } else { "fp.lt" };
        let (nan, zero) = match self.choices {
            Choices::Same => (
                // Two choices decide whether the first operand is returned, one for (NaN, number) and one for (number, NaN).
                format!("(ite (ite (fp.isNaN {a}) nan_first_{op} nan_second_{op}) {a} {b})"),
                format!("(ite (ite (fp.isNegative {a}) zero_first_{op} zero_second_{op}) {a} {b})"),
            ),
            Choices::Reference => (
                format!("(ite (fp.isNaN {a}) {b} {a})"),
                format!("(ite (ite (fp.isNegative {a}) zero_first_{op} zero_second_{op}) {a} {b})"),
            ),
            Choices::Given(_) => {
                let first = self.own_choice();
                (format!("(ite {first} {a} {b})"), format!("(ite {first} {a} {b})"))
            }
        };
        let zeroes = format!("(and (fp.isZero {a}) (fp.isZero {b}) (not (= {a} {b})))");
        let nans = format!("(or (fp.isNaN {a}) (fp.isNaN {b}))");
        format!("(ite {nans} {nan} (ite {zeroes} {zero} (ite ({less} {b} {a}) {b} {a})))")
    }

    /// Sorts the operands of a sum or a product by the expressions that the operands stand for. IEEE 754's sums and products are
    /// commutative, but the solver needs a minute to prove commutativity.
    fn sorted(&self, of: [String; 2]) -> [String; 2] {
        let [a, b] = of;
        let key = |name: &str| self.meaning(name).replace("(fp.neg ", "").replace(')', "");
        if key(&a) <= key(&b) { [a, b] } else { [b, a] }
    }

    fn sum(&self, a: &str, b: &str) -> String {
        let [a, b] = self.sorted([a.to_string(), b.to_string()]);
        format!("(fp.add RNE {a} {b})")
    }

    fn product(&self, a: &str, b: &str) -> String {
        let [a, b] = self.sorted([a.to_string(), b.to_string()]);
        format!("(fp.mul RNE {a} {b})")
    }

    /// Replaces each name in an expression with the expression that the name stands for.
    fn meaning(&self, expression: &str) -> String {
        let words = expression.split_inclusive([' ', ')']).map(|word| {
            let bare = word.trim_end_matches([' ', ')']);
            self.meanings.get(bare).map_or(word.to_string(), |meaning| word.replacen(bare, meaning, 1))
        });
        words.collect()
    }

    /// Reads the next choice of a given set, and returns whether the first option is chosen. Without a given set, the first option is
    /// chosen.
    fn own_choice(&mut self) -> bool {
        let Choices::Given(set) = self.choices else { return true };
        self.chosen += 1;
        set >> (self.chosen - 1) & 1 == 0
    }

    fn of_floats(&mut self, op: Op, a: &str, b: &str, c: &str) -> String {
        let rounded = |mode| format!("(fp.roundToIntegral {mode} {a})");
        let one = self.number(1.0, Scalar::Float);
        match op {
            Op::Negate => format!("(fp.neg {a})"),
            Op::Abs => format!("(fp.abs {a})"),
            Op::Add => self.sum(a, b),
            // IEEE 754 defines a difference as a sum with the second operand negated.
            Op::Subtract => self.sum(a, &format!("(fp.neg {b})")),
            // A dot product depends only on the products of components, so only those products are compared.
            Op::Multiply | Op::Dot => self.product(a, b),
            Op::Divide => format!("(fp.div RNE {a} {b})"),
            Op::Sqrt => format!("(fp.sqrt RNE {a})"),
            Op::Rsqrt => format!("(fp.div RNE {one} (fp.sqrt RNE {a}))"),
            Op::Floor => rounded("RTN"),
            Op::Ceil => rounded("RTP"),
            Op::Trunc => rounded("RTZ"),
            Op::Round => rounded("RNA"),
            Op::RoundEven => rounded("RNE"),
            Op::Fract => format!("(fp.sub RNE {a} {})", rounded("RTN")),
            Op::Sign => {
                let (zero, minus) = (self.number(0.0, Scalar::Float), self.number(-1.0, Scalar::Float));
                format!("(ite (fp.gt {a} {zero}) {one} (ite (fp.lt {a} {zero}) {minus} {zero}))")
            }
            Op::Min | Op::Max => self.extreme(op == Op::Max, a, b),
            Op::Clamp => {
                let max = self.extreme(true, a, b);
                let max = self.define(Scalar::Float, &max);
                self.extreme(false, &max, c)
            }
            Op::Mad => {
                let product = self.product(a, b);
                let product = self.define(Scalar::Float, &product);
                let [a, b] = self.sorted([a.to_string(), b.to_string()]);
                let (fused, apart) = (format!("(fp.fma RNE {a} {b} {c})"), self.sum(&product, c));
                match self.choices {
                    Choices::Reference => apart,
                    Choices::Same => format!("(ite fused {fused} {apart})"),
                    Choices::Given(_) => {
                        if self.own_choice() {
                            apart
                        } else {
                            fused
                        }
                    }
                }
            }
            Op::Mix => format!("(fp.add RNE (fp.mul RNE {a} (fp.sub RNE {one} {c})) (fp.mul RNE {b} {c}))"),
            Op::NotEqual => format!("(not (fp.eq {a} {b}))"),
            _ if is_comparison(op) => format!("({} {a} {b})", comparison(op, Scalar::Float)),
            _ => panic!("{op} of floats is not defined here"),
        }
    }

    fn of_ints(&self, op: Op, is_signed: bool, a: &str, b: &str, c: &str) -> String {
        let scalar = if is_signed { Scalar::Int } else { Scalar::Uint };
        let either = |int, uint| if is_signed { int } else { uint };
        let less = comparison(Op::LessThan, scalar);
        let zero = "#x00000000";
        match op {
            Op::Negate => format!("(bvneg {a})"),
            Op::Complement => format!("(bvnot {a})"),
            Op::Abs if is_signed => format!("(ite (bvslt {a} {zero}) (bvneg {a}) {a})"),
            Op::Abs => a.to_string(),
            Op::Sign => format!("(ite (bvsgt {a} {zero}) #x00000001 (ite (bvslt {a} {zero}) #xffffffff {zero}))"),
            Op::Add => format!("(bvadd {a} {b})"),
            Op::Subtract => format!("(bvsub {a} {b})"),
            Op::Multiply => format!("(bvmul {a} {b})"),
            Op::Divide => format!("(ite (= {b} {zero}) {a} ({} {a} {b}))", either("bvsdiv", "bvudiv")),
            Op::Modulo => format!("(ite (= {b} {zero}) {zero} ({} {a} {b}))", either("bvsrem", "bvurem")),
            Op::BinaryAnd => format!("(bvand {a} {b})"),
            Op::BinaryOr => format!("(bvor {a} {b})"),
            Op::BinaryXor => format!("(bvxor {a} {b})"),
            Op::ShiftLeft => format!("(bvshl {a} (bvand {b} #x0000001f))"),
            Op::ShiftRight => format!("({} {a} (bvand {b} #x0000001f))", either("bvashr", "bvlshr")),
            Op::Min => format!("(ite ({less} {a} {b}) {a} {b})"),
            Op::Max => format!("(ite ({less} {a} {b}) {b} {a})"),
            Op::Clamp => {
                let max = format!("(ite ({less} {a} {b}) {b} {a})");
                format!("(ite ({less} {max} {c}) {max} {c})")
            }
            Op::Mad => format!("(bvadd (bvmul {a} {b}) {c})"),
            Op::NotEqual => format!("(not (= {a} {b}))"),
            _ if is_comparison(op) => format!("({} {a} {b})", comparison(op, scalar)),
            _ => panic!("{op} of ints is not defined here"),
        }
    }
}

fn of_bools(op: Op, a: &str, b: &str) -> String {
    match op {
        Op::Not => format!("(not {a})"),
        // ALL and ANY of a single component return the component.
        Op::All | Op::Any => a.to_string(),
        Op::LogicalAnd => format!("(and {a} {b})"),
        Op::LogicalOr => format!("(or {a} {b})"),
        Op::Equal => format!("(= {a} {b})"),
        Op::NotEqual => format!("(not (= {a} {b}))"),
        _ => panic!("{op} of bools is not defined here"),
    }
}

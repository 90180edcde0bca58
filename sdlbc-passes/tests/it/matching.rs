//! Tests of the matcher on a plain list of instructions.

use sdlbc::{Id, Op, Scalar, Type};
use sdlbc_passes::table::{
    Assume, Facts, Keeps, Node, Operand, Proof, ROWS, Replacement, Row, Terms, Var, rewrite, rows_for,
};

/// A list of instructions whose results have the ids 1, 2 and so on.
#[derive(Default)]
struct List(Vec<Entry>);

#[derive(Default)]
struct Entry {
    definition: Option<(Op, Vec<Id>, Vec<u32>)>,
    ty: Option<Type>,
    constant: Option<u32>,
    facts: Facts,
}

impl List {
    fn entry(&self, id: Id) -> &Entry {
        &self.0[id.0 as usize - 1]
    }

    fn push(&mut self, entry: Entry) -> Id {
        self.0.push(entry);
        Id(self.0.len() as u32)
    }

    fn input(&mut self, ty: Type) -> Id {
        self.push(Entry { ty: Some(ty), ..Entry::default() })
    }

    fn known(&mut self, ty: Type, facts: Facts) -> Id {
        self.push(Entry { ty: Some(ty), facts, ..Entry::default() })
    }

    fn float(&mut self, number: f32, width: u8) -> Id {
        self.push(Entry { ty: Some(Type::floats(width)), constant: Some(number.to_bits()), ..Entry::default() })
    }

    fn op(&mut self, op: Op, ty: Type, inputs: &[Id]) -> Id {
        let immediates = if op == Op::Convert { vec![Type::Vector(scalar(ty), 1).word()] } else { Vec::new() };
        self.push(Entry { definition: Some((op, inputs.to_vec(), immediates)), ty: Some(ty), ..Entry::default() })
    }

    fn rewrite(&self, id: Id, assume: Assume) -> Option<Replacement> {
        let (op, inputs, immediates) = self.entry(id).definition.as_ref()?;
        let node = Node { op: *op, inputs, immediates, ty: self.ty(id) };
        rewrite(self, node, assume)
    }

    fn row(&self, id: Id, assume: Assume) -> Option<&'static str> {
        self.rewrite(id, assume).map(|replacement| replacement.row.name)
    }
}

fn scalar(ty: Type) -> Scalar {
    let Type::Vector(scalar, _) = ty else { panic!("a vector") };
    scalar
}

impl Terms for List {
    fn definition(&self, id: Id) -> Option<(Op, &[Id], &[u32])> {
        let (op, inputs, immediates) = self.entry(id).definition.as_ref()?;
        Some((*op, inputs, immediates))
    }

    fn ty(&self, id: Id) -> Type {
        self.entry(id).ty.expect("a type")
    }

    fn constant(&self, id: Id) -> Option<u32> {
        self.entry(id).constant
    }

    fn facts(&self, id: Id) -> Facts {
        self.entry(id).facts
    }
}

const NOTHING: Assume = Assume::NOTHING;

#[test]
fn operands_of_a_sum_match_in_either_order_and_those_of_a_difference_do_not() {
    let mut list = List::default();
    let (x, minus_zero) = (list.input(Type::FLOAT4), list.float(-0.0, 1));
    for inputs in [[x, minus_zero], [minus_zero, x]] {
        let sum = list.op(Op::Add, Type::FLOAT4, &inputs);
        let found = list.rewrite(sum, NOTHING).expect("a row");
        assert_eq!((found.row.name, found.result, found.steps().len()), ("add_minus_zero", Operand::Value(x), 0));
    }
    let difference = list.op(Op::Subtract, Type::FLOAT4, &[minus_zero, x]);
    assert_eq!(list.row(difference, NOTHING), Some("subtract_from_minus_zero"));
}

#[test]
fn zeroes_of_different_sign_are_different_numbers() {
    let mut list = List::default();
    let (x, zero) = (list.input(Type::FLOAT), list.float(0.0, 1));
    let sum = list.op(Op::Add, Type::FLOAT, &[x, zero]);
    assert_eq!(list.row(sum, NOTHING), None);
    assert_eq!(list.row(sum, Assume::NO_SIGNED_ZERO), Some("add_zero"));
    assert_eq!(list.row(sum, Assume::FINITE), None);
}

#[test]
fn a_row_applies_to_its_component_types_alone() {
    let mut list = List::default();
    for (ty, row) in
        [(Type::FLOAT, None), (Type::INT, Some("equal_itself_ints")), (Type::UINT, Some("equal_itself_ints"))]
    {
        let x = list.input(ty);
        let equal = list.op(Op::Equal, Type::BOOL, &[x, x]);
        assert_eq!(list.row(equal, NOTHING), row, "{ty}");
    }
    // No row applies to a matrix product, which is not componentwise.
    let matrix = list.input(Type::Matrix { columns: 4, rows: 4 });
    let one = list.float(1.0, 1);
    let product = list.op(Op::Multiply, Type::Matrix { columns: 4, rows: 4 }, &[matrix, one]);
    assert_eq!(list.row(product, NOTHING), None);
    let vector = list.input(Type::FLOAT4);
    let ones = list.float(-1.0, 4);
    let product = list.op(Op::Multiply, Type::FLOAT4, &[vector, matrix]);
    assert_eq!(list.row(product, NOTHING), None);
    let product = list.op(Op::Multiply, Type::FLOAT4, &[vector, ones]);
    assert_eq!(list.row(product, NOTHING), Some("multiply_minus_one"));
}

#[test]
fn a_variable_stands_for_one_value() {
    let mut list = List::default();
    let (x, y) = (list.input(Type::FLOAT), list.input(Type::FLOAT));
    let (same, other) = (list.op(Op::Max, Type::FLOAT, &[x, x]), list.op(Op::Max, Type::FLOAT, &[x, y]));
    assert_eq!((list.row(same, NOTHING), list.row(other, NOTHING)), (Some("max_itself"), None));
    let again = list.op(Op::Max, Type::FLOAT, &[other, y]);
    assert_eq!(list.row(again, NOTHING), Some("max_max_again"));
    // With swapped operands, MAX may return the zero of the other sign.
    let reversed = list.op(Op::Max, Type::FLOAT, &[y, other]);
    assert_eq!(list.row(reversed, NOTHING), None);
    assert_eq!(list.row(reversed, Assume::NO_SIGNED_ZERO), Some("max_max_any"));
}

#[test]
fn a_comparison_that_was_made_a_number_and_compared_is_the_comparison() {
    let mut list = List::default();
    let (x, y) = (list.input(Type::FLOAT), list.input(Type::FLOAT));
    let (zero, one) = (list.float(0.0, 1), list.float(1.0, 1));
    let less = list.op(Op::LessThan, Type::BOOL, &[x, y]);
    let number = list.op(Op::Convert, Type::FLOAT, &[less]);
    let is_set = list.op(Op::NotEqual, Type::BOOL, &[number, zero]);
    assert_eq!(list.rewrite(is_set, NOTHING).map(|found| found.result), Some(Operand::Value(less)));
    // AGAL code inverts a comparison by computing 1 - (x < y), which becomes a NOT.
    let rest = list.op(Op::Subtract, Type::FLOAT, &[one, number]);
    let found = list.rewrite(rest, NOTHING).expect("a row");
    let [not, convert] = found.steps() else { panic!("two steps") };
    assert_eq!((not.op, not.inputs()), (Op::Not, &[Operand::Value(less)][..]));
    assert_eq!((convert.op, convert.immediate), (Op::Convert, Some(Type::FLOAT.word())));
    assert_eq!((convert.inputs(), found.result), (&[Operand::Step(0)][..], Operand::Step(1)));
}

#[test]
fn conditions_are_read_from_facts_and_constants() {
    let mut list = List::default();
    let positive = list.known(Type::FLOAT, Facts { unsigned: true, ..Facts::default() });
    let maybe = list.known(Type::FLOAT, Facts { non_negative: true, ..Facts::default() });
    let [first, second] = [positive, maybe].map(|of| list.op(Op::Abs, Type::FLOAT, &[of]));
    assert_eq!((list.row(first, NOTHING), list.row(second, NOTHING)), (Some("abs_unsigned"), None));
    assert_eq!(list.row(second, Assume::ALL), Some("abs_non_negative"));
    let x = list.input(Type::FLOAT);
    for (number, row) in [(4.0, true), (-0.5, true), (3.0, false), (0.0, false), (f32::INFINITY, false), (1e-40, false)]
    {
        let by = list.float(number, 1);
        let quotient = list.op(Op::Divide, Type::FLOAT, &[x, by]);
        assert_eq!(list.row(quotient, NOTHING), row.then_some("divide_power_of_two"), "{number}");
    }
    for (low, high, row) in [(0.0, 1.0, Some("min_max")), (1.0, 0.0, None), (f32::NAN, 1.0, None)] {
        let (low, high) = (list.float(low, 1), list.float(high, 1));
        let max = list.op(Op::Max, Type::FLOAT, &[x, low]);
        let min = list.op(Op::Min, Type::FLOAT, &[max, high]);
        assert_eq!(list.row(min, NOTHING), row);
    }
}

#[test]
fn the_values_of_a_choice_are_as_wide_as_its_result() {
    let mut list = List::default();
    let (x, p) = (list.input(Type::FLOAT), list.input(Type::Vector(Scalar::Bool, 4)));
    let mask = list.op(Op::Convert, Type::FLOAT4, &[p]);
    let product = list.op(Op::Multiply, Type::FLOAT4, &[x, mask]);
    let found = list.rewrite(product, Assume::ALL).expect("a row");
    let [select] = found.steps() else { panic!("one step") };
    let zero = Operand::Constant(Scalar::Float, 0);
    assert_eq!(select.inputs(), [Operand::Value(p), Operand::Value(x), zero]);
    assert_eq!([0, 1, 2].map(|at| select.is_full_width(at)), [false, true, true]);
}

#[test]
fn constants_alone_are_left_to_the_folder() {
    let mut list = List::default();
    let (one, two) = (list.float(1.0, 1), list.float(2.0, 1));
    let less = list.op(Op::LessThan, Type::BOOL, &[one, two]);
    assert_eq!(list.row(less, Assume::ALL), None);
}

/// Builds each row's pattern in every operand order, from inputs and constants, and checks that the row or an earlier row applies.
#[test]
fn each_row_is_found_where_its_pattern_is() {
    for row in ROWS {
        for &scalar in row.scalars {
            for pattern in row.patterns() {
                let mut list = List::default();
                let facts = Facts { number: true, unsigned: true, non_negative: true, unit: true, whole: true };
                let vars = Var::ALL.map(|var| {
                    let of = if var.is_truth() { Scalar::Bool } else { scalar };
                    let float = matches!(of, Scalar::Float | Scalar::Half);
                    // Constants that satisfy the conditions of all rows.
                    let (a, b) = if float { (0.5f32.to_bits(), 1f32.to_bits()) } else { (2, 4) };
                    let constant = var.is_constant().then_some(if var == Var::A { a } else { b });
                    let facts = if row.conditions.is_empty() { Facts::default() } else { facts };
                    list.push(Entry { ty: Some(Type::Vector(of, 1)), constant, facts, definition: None })
                });
                let root = build(&mut list, &vars, &pattern, scalar);
                let found =
                    list.rewrite(root, row.needs).unwrap_or_else(|| panic!("{}: {row} of {scalar:?}", row.name));
                let at = |name| ROWS.iter().position(|row: &Row| row.name == name);
                assert!(at(found.row.name) <= at(row.name), "{} is found for {}", found.row.name, row.name);
            }
        }
    }
}

fn build(list: &mut List, vars: &[Id; 8], pattern: &sdlbc_passes::table::Pattern, row: Scalar) -> Id {
    use sdlbc_passes::table::{Pattern, Term};
    let constant = |list: &mut List, of: Scalar, bits| {
        list.push(Entry { ty: Some(Type::Vector(of, 1)), constant: Some(bits), ..Entry::default() })
    };
    match pattern {
        Pattern::Leaf(Term::Var(var)) => vars[var.index()],
        Pattern::Leaf(Term::Truth(truth)) => constant(list, Scalar::Bool, (*truth).into()),
        Pattern::Leaf(Term::Number(number)) => {
            let float = matches!(row, Scalar::Float | Scalar::Half);
            constant(list, row, if float { (*number as f32).to_bits() } else { *number as i32 as u32 })
        }
        Pattern::Leaf(_) => panic!("a leaf"),
        Pattern::Op(op, to, operands) => {
            let ids: Vec<Id> = operands.iter().map(|operand| build(list, vars, operand, row)).collect();
            let of = scalar(list.ty(ids[usize::from(*op == Op::Select)]));
            let ty = match op {
                Op::Convert => to.unwrap_or(row),
                _ if crate::program::is_comparison(*op) => Scalar::Bool,
                _ => of,
            };
            list.op(*op, Type::Vector(ty, 1), &ids)
        }
    }
}

#[test]
fn the_rows_are_listed_by_operation_and_have_names_of_their_own() {
    let mut names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), ROWS.len());
    assert!(rows_for(Op::Clamp).all(|row| row.pattern.op() == Some(Op::Clamp)));
    assert_eq!(Op::ALL.iter().map(|&op| rows_for(op).count()).sum::<usize>(), ROWS.len());
    // Only a few rows may be tested with random values instead of being proved.
    assert!(ROWS.iter().filter(|row| row.proof == Proof::Random).count() < 20);
    assert!(ROWS.iter().any(|row| row.keeps == Keeps::Permitted));
}

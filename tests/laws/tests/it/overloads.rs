//! Checks that the list of overloads agrees with the type inference.

use std::collections::BTreeSet;

use laws::{Immediates, Overload, overloads};
use sdlbc::module::swizvals;
use sdlbc::{Arity, Context, Id, Inst, Op, Scalar, Type, infer};

/// Returns all vector, matrix and texture types.
fn types() -> Vec<Type> {
    let vectors = Scalar::ALL.into_iter().flat_map(|scalar| (1..=4).map(move |width| Type::Vector(scalar, width)));
    let matrices = (2..=4).flat_map(|columns| (2..=4).map(move |rows| Type::Matrix { columns, rows }));
    vectors.chain(matrices).chain(Type::TEXTURES.iter().copied()).collect()
}

fn each_list(types: &[Type], count: usize, list: &mut Vec<Type>, visit: &mut impl FnMut(&[Type])) {
    if count == 0 {
        return visit(list);
    }
    for &ty in types {
        list.push(ty);
        each_list(types, count - 1, list, visit);
        list.pop();
    }
}

fn words(overload: &Overload) -> Vec<u32> {
    match overload.immediates {
        Immediates::Words(ref words) => words.clone(),
        Immediates::Literals(_, width) => vec![0; width.into()],
        Immediates::Components => vec![swizvals(&[0])],
    }
}

fn located() -> Vec<Type> {
    let others = [Type::FLOAT, Type::floats(2), Type::floats(3), Type::INT];
    let ints = [2, 3].map(|width| Type::Vector(Scalar::Int, width));
    Type::TEXTURES.iter().copied().chain(others).chain(ints).collect()
}

#[test]
fn overloads_are_what_the_type_inference_accepts() {
    let types = types();
    for &op in Op::ALL {
        let listed: BTreeSet<_> =
            overloads(op).iter().map(|overload| (words(overload), overload.operands.clone())).collect();
        assert_eq!(listed.len(), overloads(op).len(), "`{op}` has an overload twice");
        let immediates: BTreeSet<Vec<u32>> = listed.iter().map(|(words, _)| words.clone()).collect();
        for words in immediates {
            for count in (0..=5).filter(|&count| op.shape().inputs.allows(count)) {
                let inst = Inst::new(op, Id::NONE, &[], &words);
                let accepts = |operands: &[Type]| infer(&inst, operands, &Context::default()).is_ok();
                let accepted = &mut BTreeSet::new();
                // No operand of a texture operation is a matrix or is wider than a coordinate.
                let few = matches!(op.shape().inputs, Arity::Layered(_)).then(located);
                each_list(few.as_ref().unwrap_or(&types), count, &mut Vec::new(), &mut |operands| {
                    if accepts(operands) {
                        accepted.insert(operands.to_vec());
                    }
                });
                let of_count = listed.iter().filter(|(others, operands)| *others == words && operands.len() == count);
                let expected: BTreeSet<Vec<Type>> = of_count.map(|(_, operands)| operands.clone()).collect();
                assert_eq!(*accepted, expected, "`{op}` with {count} operands");
            }
        }
    }
}

#[test]
fn every_operation_that_computes_has_overloads() {
    let without: Vec<Op> = Op::ALL.iter().copied().filter(|&op| overloads(op).is_empty()).collect();
    use Op::{Break, Call, Continue, Discard, If, Loop, Nop, Peek, Phi, Poke, Return, Switch};
    let drawn = [Nop, If, Call, Discard, Break, Continue, Loop, Switch, Return, Phi, Peek, Poke];
    assert_eq!(without, [&drawn[..], &laws::compute::OPERATIONS].concat());
}

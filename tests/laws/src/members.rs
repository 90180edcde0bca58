//! Random members of a module's constants: every kind of member at every allowed position.
//!
//! Rule: the members depend only on the seed. One array contains all registers that are read at a computed index, because a
//! target clamps each index to the length of the array that it reads.

use sdlbc::{FunctionDebug, FunctionKind, Id, InputKind, Inst, Member, Module, Op, Scalar, Type};
use testing::Random;

/// Returns the module with random members for its constants. One array contains the registers that are read at a computed index.
/// Given a stage and the lowest offset of such a read, `begins` returns the first register of the array.
pub fn with_members(module: &Module, seed: u64, begins: impl Fn(FunctionKind, u32) -> u32) -> Module {
    let mut module = module.clone();
    for index in 0..module.functions.len() {
        let function = &module.functions[index];
        let mut random = Random::of(seed, &[index as u64]);
        let arrays = function.inputs.iter().filter(|input| input.kind == InputKind::Uniform);
        let arrays = arrays.filter_map(|input| match input.ty {
            Type::Array(Scalar::Float, 4, length) => Some((input.id, length)),
            _ => None,
        });
        let begin = |id| computed(function.body.insts(), id).map(|lowest| begins(function.kind, lowest));
        let lists: Vec<(Id, Vec<Member>)> = arrays
            .map(|(id, length)| (id, list(&mut random, length, begin(id))))
            .filter(|(_, list)| !list.is_empty())
            .collect();
        if lists.is_empty() {
            continue;
        }
        let Ok(number) = u32::try_from(index) else { continue };
        if module.debug_of(index).is_none() {
            module.debug.functions.push(FunctionDebug { function: number, ..FunctionDebug::default() });
            module.debug.functions.sort_by_key(|debug| debug.function);
        }
        if let Some(debug) = module.debug.functions.iter_mut().find(|debug| debug.function == number) {
            debug.members.extend(lists);
        }
    }
    module
}

/// Returns the lowest offset at which the code reads an array at a computed index.
pub fn computed(code: &[Inst], array: Id) -> Option<u32> {
    let offsets = code.iter().filter_map(|inst| {
        let [of, index] = inst.inputs[..] else { return None };
        let reads = inst.op == Op::Peek && of == array && index.is_some();
        // A read at a negative offset may reach the first register.
        reads.then(|| inst.immediates.first().map_or(0, |&offset| offset.cast_signed().max(0).cast_unsigned()))
    });
    offsets.min()
}

/// Returns random members of an array. The registers from `begin` on are read at a computed index and stay in one array, because
/// splitting that array would change out-of-bounds reads.
fn list(random: &mut Random, length: u32, begin: Option<u32>) -> Vec<Member> {
    let mut list: Vec<Member> = Vec::new();
    let end = begin.unwrap_or(length).min(length);
    let mut first = 0;
    while first < end {
        let left = end - first;
        let mut add = |component: u32, ty: Type| {
            let number = list.len();
            let name = format!("{}{}", ["light", "float", "vc5", "padding"][number % 4], number);
            list.push(Member { name, first, component, ty });
        };
        let matrix = |columns: u8, rows: u8| Type::Matrix { columns, rows };
        first += match random.below(9) {
            0 | 1 if left >= 4 => {
                add(0, matrix(4, 4));
                4
            }
            2 if left >= 3 => {
                add(0, matrix(3, 3 + random.below(2) as u8));
                3
            }
            3 if left >= 2 => {
                add(0, matrix(2, 2 + random.below(3) as u8));
                2
            }
            4 if left >= 2 => {
                add(0, Type::Array(Scalar::Float, 4, 2));
                2
            }
            5 => {
                add(0, Type::floats(3));
                if random.once_in(2) {
                    add(3, Type::FLOAT);
                }
                1
            }
            6 => {
                if random.once_in(2) {
                    add(0, Type::floats(2));
                }
                add(2, if random.once_in(2) { Type::floats(2) } else { Type::FLOAT });
                1
            }
            7 => {
                add(random.below(4) as u32, Type::FLOAT);
                1
            }
            _ => {
                if random.once_in(2) {
                    add(0, Type::FLOAT4);
                }
                1
            }
        };
    }
    if end < length && random.once_in(2) {
        let ty = Type::Array(Scalar::Float, 4, length - end);
        list.push(Member { name: "bones".into(), first: end, component: 0, ty });
    }
    list
}

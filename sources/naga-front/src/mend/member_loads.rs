//! Loads from GLSL storage blocks that end in an array without a length. This mend selects a member before the load.
//!
//! Upstream fault `loaded_blocks`: `Frontend::field_selection` in `front/glsl/variables.rs` first loads the entire block, for
//! example in `block.count` and `block.numbers.length()`. naga's validator refuses the load, because such a block has no size. No
//! upstream issue is known.

use naga::{ArraySize, Expression, Function, Handle, Module, Type, TypeInner};

use crate::operands::of_expression;

/// Moves the selection of a member before the load, in every function.
pub(crate) fn load_members(module: &mut Module) {
    let Module { functions, entry_points, global_variables, types, .. } = module;
    let has_no_length = |ty: Handle<Type>| matches!(types[ty].inner, TypeInner::Array { size: ArraySize::Dynamic, .. });
    let has_no_size = |expression: &Expression| match *expression {
        Expression::GlobalVariable(variable) => match &types[global_variables[variable].ty].inner {
            TypeInner::Struct { members, .. } => members.last().is_some_and(|member| has_no_length(member.ty)),
            _ => false,
        },
        _ => false,
    };
    let functions = functions.iter_mut().map(|(_, function)| function);
    for function in functions.chain(entry_points.iter_mut().map(|entry| &mut entry.function)) {
        in_function(function, has_no_size);
    }
}

fn in_function(function: &mut Function, has_no_size: impl Fn(&Expression) -> bool) {
    let all = &mut function.expressions;
    let mut uses = vec![0_u32; all.len()];
    for (_, expression) in all.iter() {
        of_expression(expression, &mut |operand| {
            if let Some(count) = uses.get_mut(operand.index()) {
                *count += 1;
            }
        });
    }
    let handles: Vec<Handle<Expression>> = all.iter().map(|(handle, _)| handle).collect();
    for handle in handles {
        match all[handle] {
            // The block is loaded only to select this member.
            Expression::AccessIndex { base, index } => {
                if let Expression::Load { pointer } = all[base]
                    && has_no_size(&all[pointer])
                    && uses.get(base.index()) == Some(&1)
                {
                    all[base] = Expression::AccessIndex { base: pointer, index };
                    all[handle] = Expression::Load { pointer: base };
                }
            }
            // If the member is the array, the length is taken through the pointer, without a load.
            Expression::ArrayLength(array) => {
                if let Expression::Load { pointer } = all[array]
                    && matches!(all[pointer], Expression::AccessIndex { .. })
                    && uses.get(array.index()) == Some(&1)
                {
                    all[array] = all[pointer].clone();
                    all[handle] = Expression::ArrayLength(pointer);
                }
            }
            _ => {}
        }
    }
}

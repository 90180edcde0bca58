//! A checker of ABC code that shares no code with the assembler. The checker verifies that all indices are valid and that all
//! paths to an instruction agree on the depths of the operand stack and the scope stack.

use std::collections::BTreeMap;

use swf::avm2::read::Reader;
use swf::avm2::types::{AbcFile, Index, MethodBody, Multiname, Op};
use swf::extensions::ReadSwfExt;

use crate::avm::code::branch;
use crate::sources::Compiled;

pub(super) fn all(compiled: &Compiled, about: &str) {
    for unit in &compiled.units {
        for (number, body) in unit.abc.method_bodies.iter().enumerate() {
            if let Err(problem) = code(&unit.abc, body) {
                panic!("method {number} of {:?}: {problem}\n{about}", unit.file);
            }
        }
        names(&unit.abc);
    }
}

fn names(abc: &AbcFile) {
    let pool = &abc.constant_pool;
    for multi in &pool.multinames {
        match multi {
            Multiname::QName { namespace, name } => {
                assert!(namespace.0 as usize <= pool.namespaces.len() && name.0 as usize <= pool.strings.len());
            }
            Multiname::Multiname { namespace_set, .. } | Multiname::MultinameL { namespace_set } => {
                assert!(namespace_set.0 as usize <= pool.namespace_sets.len());
            }
            _ => {}
        }
    }
    assert_eq!(abc.classes.len(), abc.instances.len());
}

/// Returns the number of values that a name takes from the stack: 1 for a run-time name, and 0 for any other name.
fn late(abc: &AbcFile, index: Index<Multiname>) -> Result<u32, String> {
    let at = (index.0 as usize).checked_sub(1).ok_or("a name without a number")?;
    match abc.constant_pool.multinames.get(at) {
        Some(Multiname::MultinameL { .. }) => Ok(1),
        Some(_) => Ok(0),
        None => Err(format!("there is no name {}", index.0)),
    }
}

/// The numbers of values popped and pushed by each instruction that has neither a name nor an argument count.
const EFFECTS: &[(u32, u32, &str)] = &[
    (0, 0, "label debug popscope jump returnvoid"),
    (0, 1, "pushbyte pushshort pushint pushdouble pushstring pushnull pushundefined pushtrue pushfalse pushnan"),
    (0, 1, "getlocal getlex findproperty findpropstrict newactivation newfunction getscopeobject hasnext2"),
    (1, 0, "pop setlocal pushscope pushwith iftrue iffalse returnvalue throw"),
    (1, 1, "getslot getsuper newclass not negate bitnot typeof increment decrement escxelem"),
    (1, 1, "coerce coercea coerces convertb convertd converti convertu"),
    (1, 2, "dup"),
    (2, 0, "ifstrictne ifne setslot setsuper"),
    (2, 1, "add subtract multiply divide modulo lshift rshift urshift bitand bitor bitxor in instanceof astypelate"),
    (2, 1, "equals strictequals lessthan lessequals greaterthan greaterequals istypelate nextname nextvalue"),
];

fn effect(abc: &AbcFile, op: &Op) -> Result<(u32, u32), String> {
    Ok(match *op {
        Op::GetProperty { index } | Op::DeleteProperty { index } => (1 + late(abc, index)?, 1),
        Op::SetProperty { index } | Op::InitProperty { index } => (2 + late(abc, index)?, 0),
        Op::CallProperty { index, num_args } => (1 + num_args + late(abc, index)?, 1),
        Op::CallPropVoid { index, num_args } => (1 + num_args + late(abc, index)?, 0),
        Op::CallSuper { num_args, .. } | Op::ConstructProp { num_args, .. } | Op::Construct { num_args } => {
            (1 + num_args, 1)
        }
        Op::CallSuperVoid { num_args, .. } | Op::ConstructSuper { num_args } => (1 + num_args, 0),
        Op::Call { num_args } => (2 + num_args, 1),
        Op::NewArray { num_args } => (num_args, 1),
        Op::NewObject { num_args } => (2 * num_args, 1),
        Op::ApplyType { num_types } => (1 + num_types, 1),
        ref other => {
            let printed = format!("{other:?}").to_lowercase();
            let word = printed.split([' ', '(']).next().unwrap_or_default();
            let known = EFFECTS.iter().find(|(_, _, words)| words.split(' ').any(|known| known == word));
            let (takes, puts, _) = known.ok_or(format!("{other:?} is not an instruction that is written"))?;
            (*takes, *puts)
        }
    })
}

fn code(abc: &AbcFile, body: &MethodBody) -> Result<(), String> {
    let mut known: BTreeMap<usize, (u32, u32)> = BTreeMap::new();
    let mut open = vec![(0, 0, 0)];
    let mut handled = false;
    loop {
        let Some((at, stack, scopes)) = open.pop() else {
            if handled {
                return Ok(());
            }
            // Any guarded instruction may throw. When the handler begins, the stack contains only the exception.
            handled = true;
            open.extend(body.exceptions.iter().map(|exception| (exception.target_offset as usize, 1, 0)));
            continue;
        };
        if let Some(found) = known.get(&at) {
            if *found != (stack, scopes) {
                return Err(format!("{found:?} and {:?} values and scopes at {at}", (stack, scopes)));
            }
            continue;
        }
        known.insert(at, (stack, scopes));
        let rest = body.code.get(at..).filter(|rest| !rest.is_empty()).ok_or(format!("the code ends at {at}"))?;
        let mut reader = Reader::new(rest);
        let op = reader.read_op().map_err(|error| error.to_string())?;
        let next = body.code.len() - ReadSwfExt::as_slice(&reader).len();
        let (takes, puts) = effect(abc, &op)?;
        let left = stack.checked_sub(takes).ok_or(format!("{op:?} at {at} takes more than {stack}"))?;
        let stack = left + puts;
        let scopes = match op {
            Op::PushScope | Op::PushWith => scopes + 1,
            Op::PopScope => u32::checked_sub(scopes, 1).ok_or(format!("no scope at {at}"))?,
            Op::GetScopeObject { index } if u32::from(index) >= scopes => {
                return Err(format!("there is no scope {index} at {at}"));
            }
            Op::GetLocal { index } | Op::SetLocal { index } if index >= body.num_locals => {
                return Err(format!("there is no register {index} at {at}"));
            }
            _ => scopes,
        };
        if let Some(offset) = branch(&op) {
            let target = next.checked_add_signed(offset as isize).ok_or(format!("a branch at {at} goes nowhere"))?;
            open.push((target, stack, scopes));
        }
        if !matches!(op, Op::Jump { .. } | Op::ReturnValue | Op::ReturnVoid | Op::Throw) {
            open.push((next, stack, scopes));
        }
    }
}

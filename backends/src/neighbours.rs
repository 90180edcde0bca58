//! Whether all that looks at neighbouring fragments stands where fragments run together.
//!
//! A derivative, or a sample that takes its level of detail from the neighbours, is open in the IR where some of them went
//! another way. WGSL wants to be told of such code (WGSL, "Uniformity analysis"). Rule: what is said to run together
//! does; where it cannot be told, fragments are taken to have parted. They part where a condition is not the same for
//! all of a draw, come together behind the conditional unless one of them left the function, and are taken to be apart
//! in every LOOP, since not all may leave it at once.

use std::collections::{HashMap, HashSet};

use sdlbc::facts::Facts;
use sdlbc::{Block, FunctionKind, Id, InputKind, Inst, Module, Op, Stages, Type};

use crate::gone::{has, watched};
use crate::lower::returns_behind_discard;

/// Whether something that looks at neighbours may stand where fragments have parted.
pub(crate) fn may_part(module: &Module) -> bool {
    let mut looks = HashSet::new();
    for (index, function) in module.functions.iter().enumerate() {
        if function.kind == FunctionKind::Generic && block_looks(&function.body, &HashSet::new()) {
            looks.insert(index);
        }
    }
    // Whoever calls one that looks at neighbours looks at them too.
    let calls: Vec<_> = module.functions.iter().map(|function| sdlbc::flow::calls(&function.body)).collect();
    let mut waiting: Vec<usize> = looks.iter().copied().collect();
    let mut callers: HashMap<usize, Vec<usize>> = HashMap::new();
    for (caller, callees) in calls.iter().enumerate() {
        callees.iter().for_each(|&callee| callers.entry(callee).or_default().push(caller));
    }
    while let Some(callee) = waiting.pop() {
        for &caller in callers.get(&callee).into_iter().flatten() {
            if looks.insert(caller) {
                waiting.push(caller);
            }
        }
    }
    let (gone, none) = (watched(module), HashSet::new());
    module.functions.iter().any(|function| {
        let uniforms = function.inputs.iter().filter(|input| input.kind == InputKind::Uniform);
        let mut walk = Walk {
            uniform: uniforms.map(|input| input.id).collect(),
            looks: &looks,
            discards: returns_behind_discard(&function.body),
            watched: if has(&function.body, Op::Loop) { &gone } else { &none },
            found: false,
        };
        walk.block(&function.body, false);
        walk.found
    })
}

/// Whether a block has something that looks at neighbours, or calls one of these functions.
fn block_looks(block: &Block, functions: &HashSet<usize>) -> bool {
    block.iter().any(|inst| looks(inst, functions) || inst.blocks.iter().any(|block| block_looks(block, functions)))
}

fn looks(inst: &Inst, functions: &HashSet<usize>) -> bool {
    match inst.op {
        Op::Discard => false,
        Op::Call => callee(inst).is_some_and(|callee| functions.contains(&callee)),
        op => op.stage() == Stages::Fragment,
    }
}

/// The function that a CALL calls.
fn callee(inst: &Inst) -> Option<usize> {
    inst.immediates.first().filter(|_| inst.op == Op::Call).and_then(|&index| usize::try_from(index).ok())
}

struct Walk<'a> {
    /// The values that are the same for all of a draw.
    uniform: HashSet<Id>,
    /// The functions that look at neighbours.
    looks: &'a HashSet<usize>,
    /// Whether a discard leaves the function.
    discards: bool,
    /// The functions behind whose calls some may leave it.
    watched: &'a HashSet<usize>,
    found: bool,
}

impl Walk<'_> {
    /// Walks a block, before which fragments have parted or not; gives whether some leave the function in it alone.
    fn block(&mut self, block: &Block, mut parted: bool) -> bool {
        let mut some_leave = false;
        for inst in block {
            self.found |= parted && looks(inst, self.looks);
            let same = inst.inputs.iter().all(|&id| self.is_uniform(id));
            let inside = parted || inst.op == Op::Loop || !same;
            for code in &inst.blocks {
                some_leave |= self.block(code, inside);
            }
            let leaves = inst.op == Op::Return || inst.op == Op::Discard && self.discards;
            some_leave |= leaves && parted || callee(inst).is_some_and(|callee| self.watched.contains(&callee));
            parted |= some_leave;
            let inputs: Vec<Facts> =
                inst.inputs.iter().map(|&id| Facts { uniform: self.is_uniform(id), ..Facts::default() }).collect();
            // Of whatever type it is: whether it is uniform does not depend on that.
            if inst.output.is_some() && Facts::of(inst, Type::INT, &inputs).uniform {
                self.uniform.insert(inst.output);
            }
        }
        some_leave
    }

    fn is_uniform(&self, id: Id) -> bool {
        !id.is_some() || self.uniform.contains(&id)
    }
}

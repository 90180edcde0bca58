//! Checks whether derivatives and samples with an implicit LOD are in uniform control flow.
//!
//! In non-uniform control flow their results are undefined in the IR, and WGSL rejects such code unless a diagnostic is
//! turned off (WGSL, "Uniformity analysis"). The analysis is conservative: it may call uniform
//! control flow non-uniform, but not the reverse. Control flow becomes non-uniform at a condition that is not the same for
//! a whole draw, is uniform again after the conditional unless some invocations have left the function there, and counts as
//! non-uniform in every LOOP, since invocations may leave it in different iterations.

use std::collections::HashSet;

use sdlbc::facts::Facts;
use sdlbc::{Block, FunctionKind, Id, Inst, Module, Op, Stages, Type};

use crate::discards::{discarding, with_callers};
use crate::unreachable::returns_after_discard;

/// Whether a derivative or a sample with an implicit LOD may be in non-uniform control flow.
pub(crate) fn may_diverge(module: &Module) -> bool {
    let none = HashSet::new();
    let functions = module.functions.iter().enumerate().filter(|(_, function)| {
        function.kind == FunctionKind::Generic && function.body.insts().iter().any(|inst| needs_uniformity(inst, &none))
    });
    // A function that calls such a function needs uniform control flow too.
    let sensitive = with_callers(module, functions.map(|(index, _)| index).collect());
    let discarding = discarding(module);
    module.functions.iter().any(|function| {
        let uniforms = function.inputs.iter().filter(|input| input.kind.is_uniform());
        let mut analysis = UniformityAnalysis {
            uniform: uniforms.map(|input| input.id).collect(),
            sensitive: &sensitive,
            discards: returns_after_discard(&function.body),
            discarding: if function.body.ops().has(Op::Loop) { &discarding } else { &none },
            found: false,
        };
        analysis.block(function.body.block(), false);
        analysis.found
    })
}

/// Whether an instruction is a derivative, a sample with an implicit LOD, or a call of one of `functions`.
fn needs_uniformity(inst: &Inst, functions: &HashSet<usize>) -> bool {
    match inst.op {
        Op::Discard => false,
        Op::Call => callee(inst).is_some_and(|callee| functions.contains(&callee)),
        op => op.stage() == Stages::Fragment,
    }
}

/// Returns the function that a CALL calls.
fn callee(inst: &Inst) -> Option<usize> {
    inst.immediates.first().filter(|_| inst.op == Op::Call).and_then(|&index| usize::try_from(index).ok())
}

struct UniformityAnalysis<'a> {
    /// The values that are the same for a whole draw.
    uniform: HashSet<Id>,
    /// The functions that contain derivatives or samples with an implicit LOD, or call such a function.
    sensitive: &'a HashSet<usize>,
    /// Whether a discard leaves the function.
    discards: bool,
    /// The functions whose callers may return after the call because the fragment was discarded.
    discarding: &'a HashSet<usize>,
    found: bool,
}

impl UniformityAnalysis<'_> {
    /// Visits a block, which control flow enters non-uniformly if `non_uniform` is true. Returns whether only some invocations
    /// may leave the function in the block.
    fn block(&mut self, block: Block<'_>, mut non_uniform: bool) -> bool {
        let mut some_leave = false;
        for inst in block {
            self.found |= non_uniform && needs_uniformity(&inst, self.sensitive);
            let same = inst.inputs.iter().all(|&id| self.is_uniform(id));
            let inside = non_uniform || inst.op == Op::Loop || !same;
            for code in inst.blocks() {
                some_leave |= self.block(code, inside);
            }
            let leaves = inst.op == Op::Return || inst.op == Op::Discard && self.discards;
            some_leave |=
                leaves && non_uniform || callee(&inst).is_some_and(|callee| self.discarding.contains(&callee));
            non_uniform |= some_leave;
            let inputs: Vec<Facts> =
                inst.inputs.iter().map(|&id| Facts { uniform: self.is_uniform(id), ..Facts::default() }).collect();
            // Any type will do, since uniformity does not depend on it.
            if inst.output.is_some() && Facts::of(&inst, Type::INT, &inputs).uniform {
                self.uniform.insert(inst.output);
            }
        }
        some_leave
    }

    fn is_uniform(&self, id: Id) -> bool {
        !id.is_some() || self.uniform.contains(&id)
    }
}

//! Checks whether derivatives and samples with an implicit LOD are in uniform control flow.
//!
//! In non-uniform control flow, the result of a derivative or an implicit-LOD sample is undefined in the IR, and WGSL rejects the
//! code unless a diagnostic is turned off (WGSL, "Uniformity analysis"). The analysis is conservative: it may report uniform
//! control flow as non-uniform, but not the reverse. Control flow becomes non-uniform at a condition that varies within a draw.
//! After a conditional, control flow is uniform again, unless some invocations have left the function. Every LOOP counts as
//! non-uniform, since invocations may leave the loop in different iterations.

use std::collections::HashSet;

use sdlbc::facts::Facts;
use sdlbc::{Block, FunctionKind, Id, Inst, Module, Op, Stages, Type};

use crate::discards::{discarding, with_callers};
use crate::unreachable::returns_after_discard;

/// Reports whether a derivative or a sample with an implicit LOD may be in non-uniform control flow.
pub(crate) fn may_diverge(module: &Module) -> bool {
    let none = HashSet::new();
    let functions = module.functions.iter().enumerate().filter(|(_, function)| {
        function.kind == FunctionKind::Generic && function.body.insts().iter().any(|inst| needs_uniformity(inst, &none))
    });
    // A function needs uniform control flow if it calls a function that needs uniform control flow.
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

/// Reports whether an instruction is a derivative, a sample with an implicit LOD, or a call to one of `functions`.
fn needs_uniformity(inst: &Inst, functions: &HashSet<usize>) -> bool {
    match inst.op {
        Op::Discard => false,
        Op::Call => callee(inst).is_some_and(|callee| functions.contains(&callee)),
        op => op.stage() == Stages::Fragment,
    }
}

/// Returns the index of the function that a CALL calls, or `None` for any other instruction.
fn callee(inst: &Inst) -> Option<usize> {
    inst.immediates.first().filter(|_| inst.op == Op::Call).and_then(|&index| usize::try_from(index).ok())
}

struct UniformityAnalysis<'a> {
    /// The values that are the same for all invocations of a draw.
    uniform: HashSet<Id>,
    /// The functions that contain derivatives or samples with an implicit LOD, directly or through calls.
    sensitive: &'a HashSet<usize>,
    /// Whether a `return` follows each discard in the WGSL, in which case a discard leaves the function.
    discards: bool,
    /// The functions that may discard the fragment, if the analysed function has a LOOP and may therefore return after a call to
    /// one of them; otherwise empty.
    discarding: &'a HashSet<usize>,
    found: bool,
}

impl UniformityAnalysis<'_> {
    /// Visits a block, and returns whether some but not all invocations may leave the function in the block. `non_uniform` is
    /// true if control flow is non-uniform on entry to the block.
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
            // Uniformity does not depend on the type, so INT stands for any type.
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

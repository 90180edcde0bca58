//! Emits only the values that the plan names, so that naga's text writers inline the rest.
//!
//! The SPIR-V writer gets the module unchanged, because that writer names no values.
//!
//! Upstream fault `baked`: the text writers name every value that is used more than once, and every read of memory
//! (`Expression::bake_ref_count` in `back/mod.rs`, and the `Statement::Emit` arms of `back/{wgsl,glsl,hlsl,msl}/writer.rs`). The
//! plan has already decided which values get a name. gfx-rs/wgpu#4542 asks for output that people can read.

use naga::{Block, Statement, SwitchCase};

use crate::lower::{Body, Lowered};

/// Returns a copy of the module that emits only named values.
pub(crate) fn for_text(lowered: &Lowered) -> naga::Module {
    let mut module = lowered.module.clone();
    let functions: Vec<_> = module.functions.iter().map(|(handle, _)| handle).collect();
    let bodies = functions.into_iter().map(Body::Function).chain((0..module.entry_points.len()).map(Body::Entry));
    for body in bodies {
        let function = body.of(&mut module);
        let zero = lowered.zeroes.get(&body).copied();
        function.body = for_reading(&function.body, &function.named_expressions, zero);
    }
    module
}

type Named = naga::FastIndexMap<naga::Handle<naga::Expression>, String>;

/// Returns a copy of the block that emits only named values. If `zero` is `Some`, each discard is followed by a `return` of the
/// contained value.
fn for_reading(block: &Block, named: &Named, zero: Option<Option<naga::Handle<naga::Expression>>>) -> Block {
    let mut read = Block::with_capacity(block.len());
    for (statement, &span) in block.span_iter() {
        match statement {
            Statement::Emit(range) => {
                for handle in range.clone().filter(|handle| named.contains_key(handle)) {
                    read.push(Statement::Emit(naga::Range::new_from_bounds(handle, handle)), span);
                }
            }
            Statement::If { condition, accept, reject } => {
                let [accept, reject] = [accept, reject].map(|arm| for_reading(arm, named, zero));
                read.push(Statement::If { condition: *condition, accept, reject }, span);
            }
            Statement::Loop { body, .. } => {
                let body = for_reading(body, named, zero);
                read.push(Statement::Loop { body, continuing: Block::new(), break_if: None }, span);
            }
            Statement::Switch { selector, cases } => {
                let cases = cases.iter().map(|case| SwitchCase {
                    value: case.value,
                    body: for_reading(&case.body, named, zero),
                    fall_through: case.fall_through,
                });
                read.push(Statement::Switch { selector: *selector, cases: cases.collect() }, span);
            }
            other => read.push(other.clone(), span),
        }
        if let (Statement::Kill, Some(value)) = (statement, zero) {
            read.push(Statement::Return { value }, span);
        }
    }
    read
}

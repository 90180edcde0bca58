//! Shortens code without changing any bit of its results.
//!
//! Rule: no change computes a result in a different way or order. The only exception is that the operands of an addition or a
//! multiplication may be swapped, which affects only the bits of NaNs. `improver.rs` tries each change.

use crate::code::Code;
use crate::equal::share_equals;
use crate::improver::Improver;
pub(crate) use crate::improver::Style;
use crate::live::remove_unused;
use crate::merge::{merge_components, merge_rows};
use crate::rewrite::{coalesce, copies, fold, forward_outputs};

/// Shortens code that must fit into `limit` temporaries.
pub(crate) fn improve(code: Code, limit: u32, style: Style) -> Code {
    let mut improver = Improver::new(code, limit, style);
    let before = improver.code.clone();
    if !remove_unused(&mut improver.code) {
        improver.code = before;
    }
    loop {
        let before = improver.code.insts.len();
        fold(&mut improver);
        copies(&mut improver);
        coalesce(&mut improver);
        share_equals(&mut improver);
        forward_outputs(&mut improver);
        merge_rows(&mut improver);
        merge_components(&mut improver);
        if improver.code.insts.len() >= before || improver.is_done() {
            return improver.code;
        }
    }
}

//! A mend changes or checks something before or after naga's reader runs. Mends handle sources that make the reader panic, that
//! it wrongly refuses, or that it silently misreads.
//!
//! Rule: every mend of naga's input is in this folder and names the fault of naga that the mend works around, in a paragraph that
//! begins with "Upstream fault" and a name. `tests/it/upstream.rs` has a row for each fault. The row runs naga without the mend,
//! and fails once a newer version of naga no longer has the fault, so that the mend can be removed. The workspace's manifest pins
//! naga's version.

pub(crate) mod depth;
pub(crate) mod halves;

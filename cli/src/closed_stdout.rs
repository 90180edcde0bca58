//! Detects whether standard output was closed when the run began (`>&-`).
//!
//! Before `main`, Rust's runtime opens `/dev/null` in place of a closed standard stream, and everything written to it is silently
//! lost. Code in `main` cannot distinguish this from output that the user sent to `/dev/null`. On Linux, this module therefore
//! checks before the runtime starts.

#![allow(unsafe_code)]

use std::io::{Error, Result};
use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Fails if standard output was closed.
pub(crate) fn check() -> Result<()> {
    match CLOSED.load(Ordering::Relaxed) {
        true => Err(Error::other("it is closed")),
        false => Ok(()),
    }
}

#[cfg(target_os = "linux")]
extern "C" fn detect() {
    let closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()) == Err(rustix::io::Errno::BADF);
    CLOSED.store(closed, Ordering::Relaxed);
}

// SAFETY: the C library calls each function in this section once, on the main thread, before `main`. It passes arguments that a
// C function may ignore. `detect` makes one system call and uses nothing from Rust's runtime.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static DETECT: extern "C" fn() = detect;

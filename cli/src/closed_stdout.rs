//! Detects whether standard output was closed when the run began (`>&-`).
//!
//! Before `main`, Rust's runtime replaces a closed standard stream by `/dev/null`, so all output to that stream is silently lost.
//! In `main`, a closed stream looks like output that the user redirected to `/dev/null`. On Linux, this module therefore checks
//! standard output before the runtime starts.

#![allow(unsafe_code)]

use std::io::{Error, Result};
use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Returns an error if standard output was closed when the run began.
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

// SAFETY: the C library calls each function in `.init_array` once, on the main thread, before `main`. A C function may ignore the
// arguments that the C library passes. `detect` makes one system call and uses nothing from Rust's runtime.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static DETECT: extern "C" fn() = detect;

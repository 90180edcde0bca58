//! Whether standard output was closed when the run began (`>&-`).
//!
//! Rust's runtime opens `/dev/null` in the place of a standard stream that is closed, before `main`, and what is written there is
//! lost without a word. `/dev/null` itself is a place that people name, and looks no different afterwards. So this looks before
//! the runtime does, where the system lets it (Linux).

#![allow(unsafe_code)]

use std::io::{Error, Result};
use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Refuses to write to standard output if it was closed.
pub(crate) fn check_stdout() -> Result<()> {
    match CLOSED.load(Ordering::Relaxed) {
        true => Err(Error::other("it is closed")),
        false => Ok(()),
    }
}

#[cfg(target_os = "linux")]
extern "C" fn look() {
    let closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()) == Err(rustix::io::Errno::BADF);
    CLOSED.store(closed, Ordering::Relaxed);
}

// SAFETY: the system's library calls what this section holds once, on the main thread, before `main`. It hands over arguments
// that a C function may leave out, and `look` makes one system call and uses nothing of the runtime.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

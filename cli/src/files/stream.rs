//! Outputs that can be written to but not replaced: standard output, other file descriptors, devices and pipes.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{IsTerminal, Result, Write};
use std::path::Path;

use super::destination::Destination;
use crate::closed_stdout;

pub(super) enum Stream {
    Stdout,
    Stderr,
    Opened(File),
}

impl Stream {
    /// Opens a destination, or returns `None` for a plain file.
    pub(super) fn open(destination: &Destination) -> Result<Option<Stream>> {
        Ok(Some(match destination {
            Destination::File(_) => return Ok(None),
            Destination::Descriptor(1) => {
                closed_stdout::check()?;
                Stream::Stdout
            }
            Destination::Descriptor(2) => Stream::Stderr,
            Destination::Descriptor(number) => Stream::Opened(descriptor(*number)?),
            // A descriptor in `/proc` may refer to a plain file, whose contents must be kept.
            Destination::Stream(path) if path.is_file() => Stream::Opened(OpenOptions::new().append(true).open(path)?),
            Destination::Stream(path) => Stream::Opened(OpenOptions::new().write(true).open(path)?),
        }))
    }

    pub(super) fn is_terminal(&self) -> bool {
        match self {
            Stream::Stdout => std::io::stdout().is_terminal(),
            Stream::Stderr => std::io::stderr().is_terminal(),
            Stream::Opened(file) => file.is_terminal(),
        }
    }

    /// Returns the open file's metadata, or `None` if the system provides none.
    pub(super) fn metadata(&self) -> Option<Metadata> {
        match self {
            Stream::Stdout => of_handle(&std::io::stdout()),
            Stream::Stderr => of_handle(&std::io::stderr()),
            Stream::Opened(file) => file.metadata().ok(),
        }
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        match self {
            Stream::Stdout => {
                let mut stdout = std::io::stdout().lock();
                stdout.write_all(bytes)?;
                stdout.flush()
            }
            Stream::Stderr => std::io::stderr().lock().write_all(bytes),
            Stream::Opened(file) => file.write_all(bytes),
        }
    }
}

#[cfg(unix)]
pub(super) fn of_handle(handle: &impl std::os::fd::AsFd) -> Option<Metadata> {
    File::from(handle.as_fd().try_clone_to_owned().ok()?).metadata().ok()
}

#[cfg(not(unix))]
pub(super) fn of_handle<T>(_: &T) -> Option<Metadata> {
    None
}

/// Duplicates an inherited file descriptor, so that writing continues at the descriptor's current position.
#[cfg(target_os = "linux")]
fn descriptor(number: i32) -> Result<File> {
    use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
    let copy = || pidfd_getfd(pidfd_open(getpid(), PidfdFlags::empty())?, number, PidfdGetfdFlags::empty());
    match copy() {
        Ok(copy) => Ok(File::from(copy)),
        Err(rustix::io::Errno::BADF) => Err(rustix::io::Errno::BADF.into()),
        // Older systems and some sandboxes do not allow a descriptor to be duplicated, so the file is reopened for appending.
        Err(_) => reopen(&format!("/proc/self/fd/{number}")),
    }
}

#[cfg(not(target_os = "linux"))]
fn descriptor(number: i32) -> Result<File> {
    reopen(&format!("/dev/fd/{number}"))
}

fn reopen(path: &str) -> Result<File> {
    OpenOptions::new().append(true).open(Path::new(path))
}

//! What takes bytes and is not replaced: standard output, descriptors, devices, pipes.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{IsTerminal, Result, Write};
use std::path::Path;

use super::place::Place;
use crate::closed;

/// A stream that can be written to.
pub(super) enum Stream {
    Stdout,
    Stderr,
    Opened(File),
}

impl Stream {
    /// Opens what a path leads to; nothing for a plain file.
    pub(super) fn open(place: &Place) -> Result<Option<Stream>> {
        Ok(Some(match place {
            Place::File(_) => return Ok(None),
            Place::Descriptor(1) => {
                closed::check_stdout()?;
                Stream::Stdout
            }
            Place::Descriptor(2) => Stream::Stderr,
            Place::Descriptor(number) => Stream::Opened(descriptor(*number)?),
            // A process's descriptor may lead to a plain file, of which nothing is to be lost.
            Place::Stream(path) if path.is_file() => Stream::Opened(OpenOptions::new().append(true).open(path)?),
            Place::Stream(path) => Stream::Opened(OpenOptions::new().write(true).open(path)?),
        }))
    }

    pub(super) fn is_terminal(&self) -> bool {
        match self {
            Stream::Stdout => std::io::stdout().is_terminal(),
            Stream::Stderr => std::io::stderr().is_terminal(),
            Stream::Opened(file) => file.is_terminal(),
        }
    }

    /// What it leads to, if the system can say it.
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

/// What standard input, output or error leads to.
#[cfg(unix)]
pub(super) fn of_handle(handle: &impl std::os::fd::AsFd) -> Option<Metadata> {
    File::from(handle.as_fd().try_clone_to_owned().ok()?).metadata().ok()
}

#[cfg(not(unix))]
pub(super) fn of_handle<T>(_: &T) -> Option<Metadata> {
    None
}

/// A descriptor that this process was given. It is written where it stands, as the shell's own commands would.
#[cfg(target_os = "linux")]
fn descriptor(number: i32) -> Result<File> {
    use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
    let copy = || pidfd_getfd(pidfd_open(getpid(), PidfdFlags::empty())?, number, PidfdGetfdFlags::empty());
    match copy() {
        Ok(copy) => Ok(File::from(copy)),
        Err(rustix::io::Errno::BADF) => Err(rustix::io::Errno::BADF.into()),
        // Older systems, and some sandboxes, give no copy: then it is opened again, to go on at its end.
        Err(_) => opened_again(&format!("/proc/self/fd/{number}")),
    }
}

#[cfg(not(target_os = "linux"))]
fn descriptor(number: i32) -> Result<File> {
    opened_again(&format!("/dev/fd/{number}"))
}

fn opened_again(path: &str) -> Result<File> {
    OpenOptions::new().append(true).open(Path::new(path))
}

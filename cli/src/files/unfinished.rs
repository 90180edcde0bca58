//! Files on their way to their places, and the folders made for them: all of it goes again if the run fails or is interrupted.
//!
//! Rule: each output is written beside its place and renamed when all of them are whole. Whoever holds the lock may make,
//! rename or remove; a signal that ends the run waits for it, removes what is unfinished, and never lets the lock go.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tempfile::TempPath;

use super::place::Target;

#[derive(Default)]
struct Held {
    /// The files, each with its place. One that is dropped is removed.
    files: Vec<(TempPath, PathBuf)>,
    /// The folders, the outermost first.
    folders: Vec<PathBuf>,
}

impl Held {
    fn clear(&mut self) {
        self.files.clear();
        // A folder in which somebody else has put something stays.
        for folder in self.folders.drain(..).rev() {
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// Outputs that are being written.
pub(super) struct Unfinished {
    held: Arc<Mutex<Held>>,
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        self.held().clear();
    }
}

impl Unfinished {
    /// Nothing yet; from now on a signal that ends the run removes what there is.
    pub(super) fn new() -> Result<Unfinished> {
        let held = Arc::new(Mutex::new(Held::default()));
        #[cfg(unix)]
        signals::watch(Arc::clone(&held))?;
        Ok(Unfinished { held })
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a file beside its place.
    pub(super) fn add(&self, target: &Target, bytes: &[u8]) -> Result<()> {
        let old = std::fs::metadata(&target.path).ok();
        if old.as_ref().is_some_and(|old| old.permissions().readonly()) {
            return Err(Error::new(ErrorKind::PermissionDenied, "the file is read-only"));
        }
        let mut file = self.create(target, old.is_some())?;
        if let Some(old) = &old {
            take_over(&file, old)?;
        }
        file.write_all(bytes)?;
        file.flush()
    }

    /// An empty file in the folder of its place.
    fn create(&self, target: &Target, is_replaced: bool) -> Result<File> {
        let mut held = self.held();
        for folder in &target.missing {
            match std::fs::create_dir(folder) {
                Ok(()) => held.folders.push(folder.clone()),
                // Made for another output, or by somebody else meanwhile.
                Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => {}
                Err(error) => return Err(error),
            }
        }
        let folder = target.path.parent().unwrap_or(Path::new("."));
        // What tempfile says would name the temporary file, which nobody has asked for.
        let mut code = None;
        let made = tempfile::Builder::new().prefix(".agalc-").make_in(folder, |path| {
            let made = opening(is_replaced).open(path);
            code = made.as_ref().err().and_then(Error::raw_os_error);
            made
        });
        let made = made.map_err(|error| code.map_or(Error::from(error.kind()), Error::from_raw_os_error))?;
        let (file, path) = made.into_parts();
        held.files.push((path, target.path.clone()));
        Ok(file)
    }

    /// Moves every file to its place. Gives the place of the one that cannot be moved (another user's file in a folder that lets
    /// nobody replace those, say); then files that were not there before go again.
    pub(super) fn finish(self) -> std::result::Result<(), (PathBuf, Error)> {
        let mut held = self.held();
        let mut new: Vec<PathBuf> = Vec::new();
        for (file, place) in std::mem::take(&mut held.files) {
            let is_new = !place.exists();
            if let Err(error) = file.persist(&place) {
                for place in new {
                    let _ = std::fs::remove_file(place);
                }
                return Err((place, error.error));
            }
            if is_new {
                new.push(place);
            }
        }
        held.folders.clear();
        Ok(())
    }
}

/// A new file has the permissions that new files have; one that takes another's place is nobody else's until it has those.
fn opening(is_replaced: bool) -> OpenOptions {
    let mut opening = OpenOptions::new();
    opening.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut opening, if is_replaced { 0o600 } else { 0o666 });
    opening
}

/// Gives a file the owner of the one that it takes the place of, as far as that is permitted, and its permissions; what would
/// let it run as its owner is not taken over, since its content is another.
#[cfg(unix)]
fn take_over(file: &File, old: &Metadata) -> Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let own = file.metadata()?;
    if own.gid() != old.gid() {
        let _ = fchown(file, None, Some(old.gid()));
    }
    if own.uid() != old.uid() {
        let _ = fchown(file, Some(old.uid()), None);
    }
    file.set_permissions(std::fs::Permissions::from_mode(old.mode() & 0o777))
}

#[cfg(not(unix))]
fn take_over(_: &File, _: &Metadata) -> Result<()> {
    Ok(())
}

#[cfg(unix)]
mod signals {
    use std::io::Result;
    use std::sync::{Arc, Mutex, PoisonError};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::Held;

    /// What ends a run from outside.
    const ENDING: [i32; 5] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU];

    /// Removes what is held when a signal ends the run, and ends it as the signal would have, so that whoever waits for it
    /// learns why it ended.
    pub(super) fn watch(held: Arc<Mutex<Held>>) -> Result<()> {
        let ignored = ignored();
        let ending: Vec<i32> = ENDING.into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0).collect();
        let mut signals = Signals::new(ending)?;
        let wait = move || {
            if let Some(signal) = signals.forever().next() {
                let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
                held.clear();
                let _ = emulate_default_handler(signal);
                std::process::exit(128 + signal);
            }
        };
        std::thread::Builder::new().name("signals".into()).spawn(wait).map(drop)
    }

    /// The signals that whoever started the run has had ignored (`nohup`, or a shell for what runs in its background), as bits
    /// from signal 1 on; they stay ignored. Where the system does not say it there are none.
    fn ignored() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        line.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(0)
    }
}

//! Manages temporary files and newly created folders, and removes them if the run fails or is interrupted.
//!
//! Rule: each output is written to a temporary file in its target folder, and renamed when all outputs are complete. Files are
//! created, renamed and removed only while a lock is held. The handler for signals that end the run first waits for the lock,
//! then removes the unfinished files, and never releases the lock.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use tempfile::TempPath;

use super::destination::TargetFile;

/// A temporary file that is removed when this value is dropped.
struct Temporary {
    file: TempPath,
    target: PathBuf,
    /// The index of the file's shader in a batch, or 0 in a single run.
    group: usize,
}

impl Temporary {
    /// Renames the temporary file to its target. Returns the target if no file existed there before.
    fn rename(self) -> std::result::Result<Option<PathBuf>, (PathBuf, Error)> {
        let is_new = !self.target.exists();
        match self.file.persist(&self.target) {
            Ok(()) => Ok(is_new.then_some(self.target)),
            Err(error) => Err((self.target, error.error)),
        }
    }
}

/// The files and folders to remove if the run fails.
#[derive(Default)]
struct Created {
    files: Vec<Temporary>,
    /// The created folders; a parent folder precedes the folders inside it.
    folders: Vec<PathBuf>,
}

impl Created {
    fn clear(&mut self) {
        self.files.clear();
        // A folder that contains another process's files is not empty, so the folder is kept.
        for folder in self.folders.drain(..).rev() {
            let _ = std::fs::remove_dir(folder);
        }
    }
}

pub(super) struct TemporaryFiles {
    created: Arc<Mutex<Created>>,
}

impl Drop for TemporaryFiles {
    fn drop(&mut self) {
        self.lock().clear();
    }
}

impl TemporaryFiles {
    /// Creates an empty set of temporary files. If a signal ends the run, the files in the set are removed.
    pub(super) fn new() -> Result<TemporaryFiles> {
        let created = Arc::new(Mutex::new(Created::default()));
        #[cfg(unix)]
        signals::watch(Arc::clone(&created))?;
        Ok(TemporaryFiles { created })
    }

    fn lock(&self) -> MutexGuard<'_, Created> {
        self.created.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a temporary file for `target`. In a batch, `group` is the index of the shader.
    pub(super) fn add(&self, target: &TargetFile, bytes: &[u8], group: usize) -> Result<()> {
        let old = std::fs::metadata(&target.path).ok();
        if old.as_ref().is_some_and(|old| old.permissions().readonly()) {
            return Err(Error::new(ErrorKind::PermissionDenied, "the file is read-only"));
        }
        let mut file = self.create(target, old.is_some(), group)?;
        if let Some(old) = &old {
            copy_ownership(&file, old)?;
        }
        file.write_all(bytes)?;
        file.flush()
    }

    /// Removes the files of a group. Folders created for the group are kept, because other groups may use them.
    pub(super) fn forget(&self, group: usize) {
        self.lock().files.retain(|file| file.group != group);
    }

    fn create(&self, target: &TargetFile, is_replaced: bool, group: usize) -> Result<File> {
        let mut created = self.lock();
        for folder in &target.missing {
            match std::fs::create_dir(folder) {
                Ok(()) => created.folders.push(folder.clone()),
                // Another process, or the write of another output, may have created the folder in the meantime.
                Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => {}
                Err(error) => return Err(error),
            }
        }
        let folder = target.path.parent().unwrap_or(Path::new("."));
        // An error from the `tempfile` crate would quote the name of the temporary file, which the user does not know.
        let mut code = None;
        let made = tempfile::Builder::new().prefix(".agalc-").make_in(folder, |path| {
            let made = opening(is_replaced).open(path);
            code = made.as_ref().err().and_then(Error::raw_os_error);
            made
        });
        let made = made.map_err(|error| code.map_or(Error::from(error.kind()), Error::from_raw_os_error))?;
        let (file, path) = made.into_parts();
        created.files.push(Temporary { file: path, target: target.path.clone(), group });
        Ok(file)
    }

    /// Renames every file to its target, on several threads in a batch. If a rename fails, removes the files that this call
    /// created, and returns the failed target with the error. A rename fails, for example, if the target is in a sticky folder
    /// and belongs to another user.
    pub(super) fn finish(self, threads: Option<&ThreadPool>) -> std::result::Result<(), (PathBuf, Error)> {
        let mut created = self.lock();
        let mut files = std::mem::take(&mut created.files);
        files.sort_by_key(|file| file.group);
        let renamed = match threads {
            Some(threads) => threads.install(|| files.into_par_iter().map(Temporary::rename).collect()),
            None => {
                let mut renamed = Vec::new();
                for file in files {
                    renamed.push(file.rename());
                    if renamed.last().is_some_and(std::result::Result::is_err) {
                        break;
                    }
                }
                renamed
            }
        };
        if renamed.iter().any(std::result::Result::is_err) {
            for path in renamed.iter().flatten().flatten() {
                let _ = std::fs::remove_file(path);
            }
            return renamed.into_iter().find_map(std::result::Result::err).map_or(Ok(()), Err);
        }
        // A created folder is empty if every file in it belonged to a forgotten group.
        for folder in created.folders.drain(..).rev() {
            let _ = std::fs::remove_dir(folder);
        }
        Ok(())
    }
}

/// Returns the options for creating a file. A new file has the usual permissions. A replacement file stays private until it
/// receives the permissions of the file that it replaces.
fn opening(is_replaced: bool) -> OpenOptions {
    let mut opening = OpenOptions::new();
    opening.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut opening, if is_replaced { 0o600 } else { 0o666 });
    opening
}

/// Copies the permissions of the replaced file to the new file and, if the system permits, also the owner and the group. The
/// setuid and setgid bits are not copied, because the content is different.
#[cfg(unix)]
fn copy_ownership(file: &File, old: &Metadata) -> Result<()> {
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
fn copy_ownership(_: &File, _: &Metadata) -> Result<()> {
    Ok(())
}

#[cfg(unix)]
mod signals {
    use std::io::Result;
    use std::sync::{Arc, Mutex, PoisonError};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::Created;

    const ENDING: [i32; 5] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU];

    /// Starts a thread that removes the unfinished files when a signal ends the run. The same signal then ends the process, so
    /// that the parent process sees the cause.
    pub(super) fn watch(created: Arc<Mutex<Created>>) -> Result<()> {
        let ignored = ignored();
        let ending: Vec<i32> = ENDING.into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0).collect();
        let mut signals = Signals::new(ending)?;
        let wait = move || {
            if let Some(signal) = signals.forever().next() {
                let mut created = created.lock().unwrap_or_else(PoisonError::into_inner);
                created.clear();
                let _ = emulate_default_handler(signal);
                std::process::exit(128 + signal);
            }
        };
        std::thread::Builder::new().name("signals".into()).spawn(wait).map(drop)
    }

    /// Returns a bit mask of the signals that this process inherited as ignored, for example from `nohup`. The lowest bit is
    /// signal 1. The mask is 0 if the system does not report ignored signals.
    fn ignored() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        line.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(0)
    }
}

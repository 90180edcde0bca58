//! The folder that is written to.
//!
//! Rules: everything is written or nothing. A file that no earlier run wrote, or that was changed since, is neither overwritten nor
//! removed unless it is asked for. What an earlier run wrote and this one does not is removed, so that the folder has what the manifest
//! says.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use agal_extract::{Output, files_of_manifest, hash_of};
use anyhow::{Context, Result, anyhow};

use super::quoted;
use crate::files::Files;
use crate::output::{PendingOutput, Sink};

/// The name of the manifest.
const MANIFEST: &str = "manifest.json";

/// A folder, and what an earlier run wrote there: the hashes of its files.
pub(super) struct Folder {
    path: PathBuf,
    former: BTreeMap<String, String>,
    /// Whether there is a file of the manifest's name that is not a manifest.
    is_foreign: bool,
}

/// What became of the files of an earlier run.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Those that were removed.
    pub(super) removed: Vec<String>,
    /// Those that this run does not write, but that were changed since.
    pub(super) kept: Vec<String>,
}

impl Folder {
    /// Looks what is in a folder, which need not exist.
    ///
    /// # Errors
    /// It is not a folder, or its manifest cannot be read.
    pub(super) fn open(files: &Files, path: &Path) -> Result<Folder> {
        if path.exists() && !path.is_dir() {
            return Err(anyhow!("{} is a file; name a folder with -o", quoted(path)));
        }
        let manifest = path.join(MANIFEST);
        let (former, is_foreign) = match std::fs::read(&manifest) {
            Ok(json) => match files_of_manifest(&json) {
                Some(former) => (former, false),
                None => (BTreeMap::new(), true),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => (BTreeMap::new(), false),
            Err(error) => return Err(anyhow!(error).context(format!("cannot read {}", quoted(&manifest)))),
        };
        let folder = Folder { path: path.to_path_buf(), former, is_foreign };
        files.check([&folder.sink(MANIFEST)])?;
        Ok(folder)
    }

    /// The path of a file in it.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The path of the manifest.
    pub(super) fn manifest(&self) -> PathBuf {
        self.file(MANIFEST)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn sink(&self, name: &str) -> Sink {
        Sink::File(self.file(name))
    }

    /// Writes everything, and then removes what is left of an earlier run.
    ///
    /// # Errors
    /// A file is in the way, or cannot be written.
    pub(super) fn write(&self, files: &Files, output: &Output, force: bool) -> Result<Changes> {
        if !force {
            self.check(output)?;
        }
        let pending = |name: &str, bytes: Vec<u8>, what: &str| {
            let is_text = !name.ends_with(".agalbc");
            PendingOutput { sink: self.sink(name), what: what.into(), bytes, is_text }
        };
        let mut outputs: Vec<PendingOutput> = Vec::new();
        outputs.extend(output.files.iter().map(|file| pending(&file.name, file.bytes.clone(), "AGAL")));
        outputs.push(pending(MANIFEST, output.manifest.to_json().into_bytes(), "manifest"));
        files.write_quietly(outputs)?;
        self.clean(output)
    }

    /// Whether a file still is what an earlier run wrote.
    fn is_ours(&self, name: &str, bytes: &[u8]) -> bool {
        self.former.get(name).is_some_and(|hash| *hash == hash_of(bytes))
    }

    /// Refuses to overwrite what is not ours.
    fn check(&self, output: &Output) -> Result<()> {
        let advice = "; choose another folder, or overwrite it with --force";
        if self.is_foreign {
            return Err(anyhow!("{} was not written by `agalc extract`{advice}", quoted(&self.manifest())));
        }
        for file in &output.files {
            let path = self.file(&file.name);
            let found = match std::fs::read(&path) {
                Ok(found) => found,
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) => return Err(anyhow!(error).context(format!("cannot read {}", quoted(&path)))),
            };
            if found == file.bytes || self.is_ours(&file.name, &found) {
                continue;
            }
            return Err(match self.former.contains_key(&file.name) {
                true => anyhow!("{} was changed since `agalc extract` wrote it{advice}", quoted(&path)),
                false => anyhow!("{} was not written by `agalc extract`{advice}", quoted(&path)),
            });
        }
        Ok(())
    }

    /// Removes the files of an earlier run that this one does not write.
    fn clean(&self, output: &Output) -> Result<Changes> {
        let mut changes = Changes::default();
        let is_written = |name: &str| output.files.iter().any(|file| file.name == name);
        for name in self.former.keys().filter(|name| !is_written(name)) {
            // A manifest that somebody wrote may name anything.
            let is_plain = Path::new(name).file_name().is_some_and(|plain| plain == name.as_str());
            let path = self.file(name);
            let Ok(found) = std::fs::read(&path) else { continue };
            if !is_plain || !self.is_ours(name, &found) {
                changes.kept.push(name.clone());
                continue;
            }
            std::fs::remove_file(&path).with_context(|| format!("cannot remove {}", quoted(&path)))?;
            changes.removed.push(name.clone());
        }
        Ok(changes)
    }
}

//! The output folder of `extract`.
//!
//! Rules: a run writes all files or none. Without `--force`, a run overwrites a file only if an earlier run wrote the file and
//! nobody has changed it since. A file of an earlier run that this run does not write is removed if the file is unchanged.
//! Subfolders that become empty are also removed. A changed file is kept and listed in the manifest, so that later runs recognise
//! the file as the output of an extraction.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use agal_extract::{Output, SUBFOLDERS, files_of_manifest, hash_of};
use anyhow::{Context, Result, anyhow};

use crate::files::Files;
use crate::output::{PendingOutput, Sink};
use crate::phrases::quoted;

const MANIFEST: &str = "manifest.json";

pub(super) struct Folder {
    pub(super) path: PathBuf,
    /// The files that earlier runs wrote, with the hashes of their contents.
    former: BTreeMap<String, String>,
    /// Whether the folder contains a file with the manifest's name that is not a manifest.
    is_foreign: bool,
}

/// The changes to existing files in the output folder.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// The files of earlier runs that were removed.
    pub(super) removed: Vec<String>,
    /// The files of earlier runs that were kept because they were changed.
    pub(super) kept: Vec<String>,
    /// The files that were overwritten although no earlier run wrote their contents.
    pub(super) overwritten: Vec<String>,
}

impl Folder {
    /// Examines the output folder, which need not exist. Fails if the path is a file, or if the manifest cannot be
    /// read.
    pub(super) fn open(files: &Files, path: &Path) -> Result<Folder> {
        if path.exists() && !path.is_dir() {
            return Err(anyhow!("{} is a file; name a folder with -o", quoted(path)));
        }
        let mut folder = Folder { path: path.to_path_buf(), former: BTreeMap::new(), is_foreign: false };
        if let Some(json) = folder.found(MANIFEST)? {
            let former = files_of_manifest(&json);
            folder.is_foreign = former.is_none();
            // Unsafe names are ignored, because a manifest from another program may name any path.
            folder.former = former.into_iter().flatten().filter(|(name, _)| is_plain(name)).collect();
        }
        files.check([&folder.sink(MANIFEST)])?;
        Ok(folder)
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub(super) fn manifest(&self) -> PathBuf {
        self.file(MANIFEST)
    }

    fn sink(&self, name: &str) -> Sink {
        Sink::File(self.file(name))
    }

    /// Writes all files, and then removes leftover files of earlier runs.
    pub(super) fn write(&self, files: &Files, output: &mut Output<'_>, force: bool) -> Result<Changes> {
        let overwritten = self.overwritten(output)?;
        if let Some(name) = overwritten.first().filter(|_| !force) {
            return Err(self.refusal(name));
        }
        let (removed, kept) = self.leftover(output)?;
        output.manifest.kept = kept;
        let pending = |name: &str, bytes: Vec<u8>, what: &str| {
            let is_text = !name.ends_with(".agalbc");
            PendingOutput { sink: self.sink(name), what: what.into(), bytes, is_text }
        };
        let mut outputs: Vec<PendingOutput> = Vec::new();
        let written = std::mem::take(&mut output.files);
        outputs.extend(written.into_iter().map(|file| pending(&file.name, file.bytes, "AGAL")));
        outputs.push(pending(MANIFEST, output.manifest.to_json().into_bytes(), "manifest"));
        files.write_quietly(outputs)?;
        for name in &removed {
            let path = self.file(name);
            std::fs::remove_file(&path).with_context(|| format!("cannot remove {}", quoted(&path)))?;
        }
        for subfolder in removed.iter().filter_map(|name| name.split_once('/')).map(|(folder, _)| folder) {
            // The removal fails if the subfolder still contains files. An empty subfolder that cannot be removed does no harm.
            let _ = std::fs::remove_dir(self.file(subfolder));
        }
        Ok(Changes { removed, kept: output.manifest.kept.keys().cloned().collect(), overwritten })
    }

    /// Reports whether a file still has the contents that an earlier run wrote.
    fn is_ours(&self, name: &str, bytes: &[u8]) -> bool {
        self.former.get(name).is_some_and(|hash| *hash == hash_of(bytes))
    }

    /// Returns the files that would be overwritten although no earlier run wrote their contents.
    fn overwritten(&self, output: &Output<'_>) -> Result<Vec<String>> {
        let mut names: Vec<String> = self.is_foreign.then(|| MANIFEST.to_string()).into_iter().collect();
        for file in &output.files {
            let found = self.found(&file.name)?;
            if found.is_some_and(|found| found != file.bytes && !self.is_ours(&file.name, &found)) {
                names.push(file.name.clone());
            }
        }
        Ok(names)
    }

    /// Returns the contents of a file, or `None` if the file does not exist. If a plain file has the name of a subfolder, the
    /// error occurs only when files are written.
    fn found(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let path = self.file(name);
        match std::fs::read(&path) {
            Ok(found) => Ok(Some(found)),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(anyhow!(error).context(format!("cannot read {}", quoted(&path)))),
        }
    }

    /// Returns the error for a file that must not be overwritten.
    fn refusal(&self, name: &str) -> anyhow::Error {
        let what = match self.former.contains_key(name) {
            true => "was changed since `agalc extract` wrote it",
            false => "was not written by `agalc extract`",
        };
        anyhow!("{} {what}; choose another folder, or overwrite it with --force", quoted(&self.file(name)))
    }

    /// Returns the existing files that earlier runs wrote but this run does not write: first the unchanged files, which will be
    /// removed, and then the changed files with the hashes of their former contents.
    fn leftover(&self, output: &Output<'_>) -> Result<(Vec<String>, BTreeMap<String, String>)> {
        let written: BTreeSet<&str> = output.files.iter().map(|file| file.name.as_str()).collect();
        let (mut removed, mut kept) = (Vec::new(), BTreeMap::new());
        let is_left = |name: &str| !written.contains(name) && !self.file(name).is_dir();
        for (name, hash) in self.former.iter().filter(|(name, _)| is_left(name)) {
            match self.found(name)? {
                Some(found) if self.is_ours(name, &found) => removed.push(name.clone()),
                Some(_) => drop(kept.insert(name.clone(), hash.clone())),
                None => {}
            }
        }
        Ok((removed, kept))
    }
}

/// Reports whether a name is a path to a file in the output folder or in one of its subfolders.
fn is_plain(name: &str) -> bool {
    let is_name = |part: &str| Path::new(part).file_name().is_some_and(|plain| plain == part);
    name.split_once('/').map_or(is_name(name), |(folder, file)| SUBFOLDERS.contains(&folder) && is_name(file))
}

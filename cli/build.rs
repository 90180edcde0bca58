//! Finds the commit for `agalc --version` in the files of the repository or of the package, without using git or the clock. The
//! build therefore depends only on the sources and their commit.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let commit = of_package(&folder).or_else(|| of_repository(&folder)).unwrap_or_default();
    println!("cargo::rustc-env=AGALC_COMMIT={}", commit.get(..12).unwrap_or(&commit));
}

/// Reads the commit that Cargo records in a published package.
fn of_package(folder: &Path) -> Option<String> {
    let text = std::fs::read_to_string(folder.join(".cargo_vcs_info.json")).ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    is_commit(rest.split('"').nth(1)?)
}

/// Reads the commit of the repository whose root is the workspace. If the package was copied into another repository, that
/// repository's commit is ignored.
fn of_repository(folder: &Path) -> Option<String> {
    let root = folder.parent()?;
    if !root.join("Cargo.lock").is_file() || !root.join("agal-front").is_dir() {
        return None;
    }
    let git = root.join(".git");
    let own = match std::fs::read_to_string(&git) {
        // In a worktree, `.git` is a file that contains the path of the git folder.
        Ok(text) => root.join(text.strip_prefix("gitdir: ")?.trim()),
        Err(_) => git,
    };
    let common = std::fs::read_to_string(own.join("commondir")).map_or(own.clone(), |path| own.join(path.trim()));
    let head = watched(&own.join("HEAD"))?;
    let Some(name) = head.trim().strip_prefix("ref: ") else { return is_commit(head.trim()) };
    let loose = [&own, &common].into_iter().find_map(|folder| is_commit(watched(&folder.join(name))?.trim()));
    loose.or_else(|| {
        // If the branch is only in `packed-refs`, the next commit creates a separate file for the branch, so Cargo must watch the
        // folder of that file.
        let folder = common.join(name).parent().filter(|folder| folder.is_dir()).map(Path::to_path_buf);
        folder.iter().for_each(|folder| println!("cargo::rerun-if-changed={}", folder.display()));
        let packed = watched(&common.join("packed-refs"))?;
        packed.lines().find_map(|line| is_commit(line.strip_suffix(name)?.trim_end()))
    })
}

/// Reads a file, and makes Cargo rerun the build script when the file changes.
fn watched(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    println!("cargo::rerun-if-changed={}", path.display());
    Some(text)
}

fn is_commit(text: &str) -> Option<String> {
    (text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| text.to_string())
}

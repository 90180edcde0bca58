//! The shaders of `testdata/sources/suite`, as the SPIR-V that compilers make of them.

use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use glsl_front::{Language, Source};
use sdlbc::FunctionKind;
use testing::{files, testdata};

/// An original: its name, and its bytes or the reason why no compiler makes them.
pub(crate) type Original = (String, Result<Vec<u8>, String>);

/// The modules that compilers make of the suite.
pub(crate) static SUITE: LazyLock<Vec<Original>> = LazyLock::new(suite);

fn stage(name: &str) -> FunctionKind {
    match name {
        name if name.contains(".vert") => FunctionKind::Vertex,
        name if name.contains(".comp") => FunctionKind::Compute,
        _ => FunctionKind::Fragment,
    }
}

fn compiled(path: &Path, language: Language<'_>) -> Result<Vec<u8>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let compiled = glsl_front::compile(&Source { text: &text, stage: stage(&name), language });
    compiled.map(|compiled| compiled.bytes).map_err(|refusals| refusals[0].to_string())
}

fn assembled(path: &Path) -> Result<Vec<u8>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    // The first line states the version.
    let version = text.lines().next().and_then(|line| line.strip_prefix("; SPIR-V ")).unwrap_or("1.0");
    let output =
        Command::new("spirv-as").args(["--target-env", &format!("spv{version}"), "-o", "-"]).arg(path).output();
    let output = output.map_err(|error| error.to_string())?;
    if output.status.success() { Ok(output.stdout) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

fn suite() -> Vec<Original> {
    let suite = testdata("sources/suite");
    let mut all = Vec::new();
    let mut add = |below: &str, endings: &[&str], compile: &dyn Fn(&Path) -> Result<Vec<u8>, String>| {
        for path in endings.iter().flat_map(|ending| files(&suite.join(below), ending)) {
            let name = format!("{below}/{}", path.file_name().unwrap_or_default().to_string_lossy());
            all.push((name, compile(&path)));
        }
    };
    add("glsl", &[".vert", ".frag", ".comp"], &|path| compiled(path, Language::Glsl { version: None }));
    add("hlsl", &[".hlsl"], &|path| compiled(path, Language::Hlsl { entry: "main" }));
    add("spirv", &[".spvasm"], &assembled);
    all
}

/// Returns the words of a module.
pub(crate) fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).filter_map(|word| Some(u32::from_le_bytes(word.try_into().ok()?))).collect()
}

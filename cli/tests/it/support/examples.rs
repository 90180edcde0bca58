//! Runs the examples in help texts and documentation. Files that an example names are created first.

use std::path::Path;
use std::process::Command;

use testing::{repository, testdata};

use super::game::game;
use super::sandbox::{Sandbox, assembled};

const TINT: &str = "mul oc, v0, fc0\n";
const MACROS: &str = "alias fc0, tint\nmacro Tinted(a) { out = a * tint; }\noc = Tinted(v0)\n";
const PLAIN: [&str; 2] = ["m44 op, va0, vc0\nmov v0, va1\n", "mov oc, v0\n"];
/// A draw state that the player accepts for the pair of the examples.
const DRAW: &str = r#"
profile = "standard"
vertices = 24
depth_and_stencil = true
streams = [
    { index = 0, format = "float3", offset = 0, stride = 8, vertices = 24 },
    { index = 1, format = "float3", offset = 3, stride = 8, vertices = 24 },
    { index = 2, format = "float2", offset = 6, stride = 8, vertices = 24 },
]
textures = [{ sampler = 0, texture = { name = "wood", width = 256, height = 128 }, levels = 9 }]
"#;

/// Returns the contents of a file that examples use, or `None` for an unknown name.
fn content(name: &str) -> Option<Vec<u8>> {
    let pair = |file: &str| std::fs::read(testdata("pairs").join(file)).ok();
    match name {
        "lit.vert.agal" | "a.vert.agal" | "shaders/lit.vert.agal" => pair("lit_texture.vert.agal"),
        "lit.frag.agal" | "a.frag.agal" | "shaders/lit.frag.agal" => pair("lit_texture.frag.agal"),
        "lit.frag.agalbc" => Some(assembled(std::str::from_utf8(&pair("lit_texture.frag.agal")?).ok()?)),
        "lit.agalbc" => Some(assembled("m44 op, va0, vc0\nmov v0, va1\n")),
        "lit.sdlbc" => {
            let shader = agalc::Shader::pair(&pair("lit_texture.vert.agal")?, &pair("lit_texture.frag.agal")?).ok()?;
            Some(sdlbc::encode(shader.module()))
        }
        "sprite.agal" => std::fs::read(testdata("run").join("sprite.agal")).ok(),
        "sprite.sdlbc" => {
            let text = std::fs::read(testdata("run").join("sprite.agal")).ok()?;
            Some(sdlbc::encode(agalc::Shader::single(&text).ok()?.module()))
        }
        "lighting.es2" | "lighting_vertex.es2" => std::fs::read(testdata("es2").join(name)).ok(),
        "vertex.agal" | "fragment.agal" => std::fs::read(repository().join("examples/lit").join(name)).ok(),
        "tint.frag.agal" => Some(TINT.into()),
        "macros.agal" => Some(MACROS.into()),
        "plain.vert.agal" => Some(PLAIN[0].into()),
        "plain.frag.agal" => Some(PLAIN[1].into()),
        "draw.toml" => Some(DRAW.into()),
        "game.swf" => Some(game(swf::Compression::Zlib)),
        "trace.log" => {
            let digits: String = assembled(PLAIN[1]).iter().map(|byte| format!("{byte:02x}")).collect();
            Some(format!("upload\nfragment: {digits}\n").into())
        }
        "wood.png" | "a.png" | "b.png" => std::fs::read(testdata("run").join("from_files.png")).ok(),
        "c.toml" => Some("[constants]\nvc7 = [1, 1, 1, 1]\nfc0 = [0, 0, 1, 0]\nfc1 = [0.8, 0.2, 0, 0.5]\n".into()),
        "scene.toml" => std::fs::read(testdata("scenes").join("toon/scene.toml")).ok(),
        _ => None,
    }
}

/// Creates the missing files that a command line names.
fn supply(folder: &Path, line: &str) {
    for word in line.split_whitespace().map(|word| word.rsplit('=').next().unwrap_or(word)) {
        let path = folder.join(word);
        let Some(bytes) = content(word).filter(|_| !path.exists()) else { continue };
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, bytes).expect("a file");
        if word == "scene.toml" {
            for file in ["vertex.agal", "fragment.agal"] {
                std::fs::copy(testdata("scenes").join("toon").join(file), folder.join(file)).expect("a file");
            }
        }
    }
    if line.contains("'*.frag.agal'") {
        std::fs::write(folder.join("tint.frag.agal"), TINT).expect("a file");
    }
    if line.contains("testdata/") && !folder.join("testdata").exists() {
        #[cfg(unix)]
        std::os::unix::fs::symlink(testdata(""), folder.join("testdata")).expect("a link");
    }
}

/// Runs a shell command line in a sandbox and returns its standard output.
pub(crate) fn run(sandbox: &Sandbox, line: &str) -> Result<String, String> {
    supply(sandbox.folder.path(), line);
    let program = Path::new(env!("CARGO_BIN_EXE_agalc"));
    let path = [program.parent().expect("a folder").as_os_str().to_os_string()]
        .into_iter()
        .chain(std::env::var_os("PATH"))
        .collect::<Vec<_>>();
    let path = path.join(std::ffi::OsStr::new(":"));
    let ran = Command::new("sh").args(["-ec", line]).env("PATH", path).current_dir(sandbox.folder.path()).output();
    let ran = ran.map_err(|error| error.to_string())?;
    match ran.status.success() {
        true => Ok(String::from_utf8_lossy(&ran.stdout).into_owned()),
        false => Err(format!("{line}: {}: {}", ran.status, String::from_utf8_lossy(&ran.stderr))),
    }
}

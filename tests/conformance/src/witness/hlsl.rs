//! SPIR-V that Microsoft's compiler generates from agalc's HLSL.
//!
//! Rule: the only change to the HLSL is an added format attribute on each storage texture that the shader writes. Vulkan requires
//! the format, and HLSL does not state it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use sdlbc::Format;
use tempfile::TempDir;
use testing::DXC;

use super::interface::Interface;
use crate::Failure;

/// The process of Microsoft's compiler, DXC, which ends when this value is dropped.
pub(super) struct Dxc {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    folder: TempDir,
}

impl Dxc {
    pub(super) fn start() -> Result<Dxc, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", DXC.name);
        let mut command = Command::new(DXC.name);
        let mut child = command.arg("--spirv").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("{} has no streams", DXC.name));
        };
        Ok(Dxc { child, input, output: BufReader::new(output), folder: tempfile::tempdir().map_err(failed)? })
    }

    /// Compiles HLSL, and returns the SPIR-V words and the name of the module's only entry point. A crash of DXC, or a feature
    /// that DXC cannot translate to SPIR-V, counts as unsupported and not as an error in the HLSL.
    pub(super) fn compute(&mut self, text: &str, interface: &Interface) -> Result<(Vec<u32>, String), Failure> {
        self.compiled(text, interface).unwrap_or_else(|error| Err(Failure::Broken(error)))
    }

    fn compiled(&mut self, text: &str, interface: &Interface) -> Result<Result<(Vec<u32>, String), Failure>, String> {
        let head = text.split_once("[numthreads(").and_then(|(_, rest)| rest.lines().nth(1)).unwrap_or_default();
        let entry = head.split('(').next().and_then(|head| head.rsplit(' ').next()).unwrap_or_default();
        let [from, to] = ["text.hlsl", "words.spv"].map(|name| self.folder.path().join(name));
        let failed = |error: std::io::Error| format!("{}: {error}", DXC.name);
        std::fs::write(&from, with_formats(text, interface)).map_err(failed)?;
        writeln!(self.input, "{} {entry} cs_6_2 {}", from.display(), to.display()).map_err(failed)?;
        self.input.flush().map_err(failed)?;
        let mut line = String::new();
        self.output.read_line(&mut line).map_err(failed)?;
        if line.is_empty() {
            *self = Dxc::start()?;
            return Ok(Err(Failure::Unsupported("a text at which DXC stops".into())));
        }
        match serde_json::from_str::<Option<String>>(&line) {
            Ok(None) => {}
            Ok(Some(errors)) if errors.contains("unimplemented") => return Ok(Err(Failure::Unsupported(errors))),
            // For some atomic operations on a buffer, DXC writes an instruction whose value and result differ in type.
            Ok(Some(errors)) if errors.contains("generated SPIR-V is invalid: Atomic") => {
                return Ok(Err(Failure::Unsupported(errors)));
            }
            Ok(Some(errors)) => return Err(format!("HLSL is refused: {errors}\n{text}")),
            Err(error) => return Err(format!("{}: {error} in `{line}`", DXC.name)),
        }
        let bytes = std::fs::read(&to).map_err(failed)?;
        let words = bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
        Ok(Ok((words, entry.to_string())))
    }
}

impl Drop for Dxc {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Adds format attributes to the storage textures that the HLSL writes.
fn with_formats(text: &str, interface: &Interface) -> String {
    let mut with = String::with_capacity(text.len());
    for line in text.lines() {
        let image = interface.images.iter().find(|image| {
            let register = format!(" : register(u{});", image.binding());
            image.written && line.starts_with("RWTexture") && line.ends_with(&register)
        });
        if let Some(image) = image {
            with += &format!("[[vk::image_format(\"{}\")]] ", name(image.format));
        }
        with += line;
        with.push('\n');
    }
    with
}

/// Returns DXC's name for a storage texture format.
const fn name(format: Format) -> &'static str {
    match format {
        Format::Rgba8Unorm => "rgba8",
        Format::Rgba8Snorm => "rgba8snorm",
        Format::Rgba8Uint => "rgba8ui",
        Format::Rgba8Sint => "rgba8i",
        Format::Rgba16Uint => "rgba16ui",
        Format::Rgba16Sint => "rgba16i",
        Format::Rgba16Float => "rgba16f",
        Format::R32Uint => "r32ui",
        Format::R32Sint => "r32i",
        Format::R32Float => "r32f",
        Format::Rg32Uint => "rg32ui",
        Format::Rg32Sint => "rg32i",
        Format::Rg32Float => "rg32f",
        Format::Rgba32Uint => "rgba32ui",
        Format::Rgba32Sint => "rgba32i",
        Format::Rgba32Float => "rgba32f",
    }
}

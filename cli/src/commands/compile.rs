//! `compile`: writes a module in each of the requested formats.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use backends::{Depth, Glsl, Layout};
use sdlbc::{FunctionKind, LinkError, Module};

use super::module_with;
use crate::args::{Compile, DepthRange, FlipY, GlslVersion, Kind};
use crate::files::{Files, can_be_several, is_file};
use crate::output::{PendingOutput, Sink, UsageError};
use crate::shown;

/// Runs `compile`.
pub(super) fn run(files: &Files, args: &Compile) -> Result<()> {
    let jobs = jobs(args)?;
    let mut module = module_with(files, &args.inputs, &args.reading, args.debug)?;
    link(args, &mut module)?;
    let mut made = Vec::new();
    for (path, kind) in jobs {
        let name = Sink::new(&path).quoted();
        made.extend(make(args, &module, &path, kind).with_context(|| format!("cannot make {name}"))?);
    }
    files.write(made)
}

/// Removes and renumbers varyings, if requested.
fn link(args: &Compile, module: &mut Module) -> Result<()> {
    let refused = |option: &'static str| {
        move |error| match error {
            LinkError::NotAPair => {
                UsageError(format!("{option} is for pairs: name a vertex and a fragment program")).into()
            }
            error => anyhow::Error::new(error),
        }
    };
    if args.prune_varyings {
        sdlbc::prune(module).map_err(refused("--prune-varyings"))?;
    }
    if args.pack_varyings {
        sdlbc::pack(module).map_err(refused("--pack-varyings"))?;
    }
    Ok(())
}

/// Returns what to write, and where.
fn jobs(args: &Compile) -> Result<Vec<(PathBuf, Kind)>> {
    if args.outputs.is_empty() {
        let kind = args.to.ok_or_else(|| {
            let known = Kind::EXTENSIONS;
            UsageError(format!(
                "no output: name a file with -o, whose extension selects the format ({known}), or use --to to write to standard output"
            ))
        })?;
        return Ok(vec![("-".into(), kind)]);
    }
    let job = |path: &PathBuf| {
        let kind = args.to.or_else(|| Kind::from_path(path)).ok_or_else(|| unknown(path))?;
        Ok((path.clone(), kind))
    };
    args.outputs.iter().map(job).collect()
}

/// Returns the error for a path whose format is not known.
fn unknown(path: &Path) -> UsageError {
    let (name, known) = (Sink::new(path).quoted(), Kind::EXTENSIONS);
    UsageError(match path.extension() {
        Some(extension) => {
            let extension = shown::path(extension.as_ref());
            format!(
                "unknown output extension `.{extension}` of {name}: use one of {known}, or select the format with --to"
            )
        }
        None if path.as_os_str() == "-" => "unknown output format for standard output: select it with --to".to_string(),
        None => format!("unknown output format for {name}: add an extension ({known}), or select the format with --to"),
    })
}

fn make(args: &Compile, module: &Module, path: &Path, kind: Kind) -> Result<Vec<PendingOutput>> {
    let options = Layout {
        depth: args.depth.map(|depth| match depth {
            DepthRange::ZeroToOne => Depth::ZeroToOne,
            DepthRange::NegOneToOne => Depth::NegativeOneToOne,
        }),
        flip_y: args.flip_y.map(|flip| flip == FlipY::Always),
        ..Layout::default()
    };
    let one = |what: &str, bytes: Vec<u8>, is_text: bool| {
        Ok(vec![PendingOutput { sink: Sink::new(path), what: what.into(), bytes, is_text }])
    };
    match kind {
        Kind::Sdlbc => one("SDLSHADERBC", sdlbc::encode_in(module, args.dialect.into()), false),
        Kind::Sdlasm => one("SDLSHADERBC text", sdlbc::print(module).into_bytes(), true),
        Kind::Wgsl => one("WGSL", backends::wgsl(module, &options)?.into_bytes(), true),
        Kind::Spirv => {
            let words = backends::spirv(module, &options)?;
            one("SPIR-V", words.iter().flat_map(|word| word.to_le_bytes()).collect(), false)
        }
        Kind::SpirvAsm => {
            let text = backends::spirv_assembly(&backends::spirv(module, &options)?)?;
            one("SPIR-V text", text.into_bytes(), true)
        }
        Kind::Hlsl => one("HLSL", backends::hlsl(module, args.shader_model, &options)?.into_bytes(), true),
        Kind::Msl => one("MSL", backends::msl(module, args.msl_version, &options)?.into_bytes(), true),
        Kind::Glsl => glsl(args, module, path, &options),
    }
}

/// Writes GLSL. A GLSL file contains one stage: of a pair, the stage that the extension names, or both in two files.
fn glsl(args: &Compile, module: &Module, path: &Path, options: &Layout) -> Result<Vec<PendingOutput>> {
    let version = match args.glsl {
        GlslVersion::Core450 => Glsl::Core450,
        GlslVersion::Core330 => Glsl::Core330,
        GlslVersion::Es300 => Glsl::Es300,
    };
    let [vertex, fragment] = ["vert", "frag"].map(|stage| is_named_by(path, stage));
    let stages: Vec<FunctionKind> = match (vertex, fragment) {
        (true, _) => vec![FunctionKind::Vertex],
        (_, true) => vec![FunctionKind::Fragment],
        _ => {
            let kinds = module.functions.iter().map(|function| function.kind);
            kinds.filter(|&kind| kind != FunctionKind::Generic).collect()
        }
    };
    let alone = stages.len() == 1;
    let sink = Sink::new(path);
    if !alone && !can_be_several(&sink)? {
        let name = sink.quoted();
        let message = format!(
            "GLSL needs one file per stage, and {name} is a single file: use -o x.vert -o x.frag, or compile one program"
        );
        return Err(UsageError(message).into());
    }
    // A device receives both stages.
    let is_split = !alone && is_file(&sink)?;
    let mut made = Vec::new();
    for stage in stages {
        let extension = if stage == FunctionKind::Vertex { "vert" } else { "frag" };
        // x.glsl becomes x.vert.glsl and x.frag.glsl, which GLSL tools recognise.
        let sink = if is_split { sink.with(extension) } else { sink.clone() };
        let bytes = backends::glsl(module, stage, version, options)?.into_bytes();
        made.push(PendingOutput { sink, what: format!("GLSL, {}", stage.name()), bytes, is_text: true });
    }
    Ok(made)
}

/// Whether a file name contains the stage: x.vert, or x.vert.glsl.
fn is_named_by(path: &Path, stage: &str) -> bool {
    let is = |extension: Option<&OsStr>, word: &str| extension.is_some_and(|found| found.eq_ignore_ascii_case(word));
    let inner = path.file_stem().and_then(|stem| Path::new(stem).extension());
    is(path.extension(), stage) || is(path.extension(), "glsl") && is(inner, stage)
}

//! `compile`: a module in any of the forms that it can be written in.

use anyhow::{Context, Result};
use backends::{Depth, Glsl, Options};
use sdlbc::{FunctionKind, LinkError, Module};

use super::module_with;
use crate::args::{Compile, DepthRange, FlipY, GlslVersion, Kind};
use crate::output::{Made, Sink, UsageError, apart, place, write};

/// Runs `compile`.
pub(super) fn run(args: &Compile) -> Result<()> {
    let jobs = jobs(args)?;
    for (path, _) in &jobs {
        apart(path, &args.inputs)?;
    }
    let mut module = module_with(&args.inputs, &args.reading, args.debug)?;
    link(args, &mut module)?;
    let mut made = Vec::new();
    for (path, kind) in jobs {
        let name = if path == "-" { "standard output" } else { &path };
        made.extend(make(args, &module, &path, kind).with_context(|| format!("cannot make {name}"))?);
    }
    write(made)
}

/// Takes out and renumbers varyings, as far as that is asked for.
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

/// What to write where.
fn jobs(args: &Compile) -> Result<Vec<(String, Kind)>> {
    let outputs = if args.outputs.is_empty() { vec!["-".to_string()] } else { args.outputs.clone() };
    let mut jobs: Vec<(String, Kind)> = Vec::new();
    for path in outputs {
        let kind = args.to.or_else(|| Kind::from_path(&path)).ok_or_else(|| {
            let name = if path == "-" { "standard output" } else { &path };
            UsageError(format!(
                "nothing says what to write to {name}: use --to, or one of the extensions .spv .spvasm .wgsl .glsl .vert .frag .sdlbc .sdlasm"
            ))
        })?;
        if jobs.iter().any(|(other, _)| place(other) == place(&path)) {
            return Err(UsageError(format!("`{path}` is to be written twice")).into());
        }
        jobs.push((path, kind));
    }
    Ok(jobs)
}

fn make(args: &Compile, module: &Module, path: &str, kind: Kind) -> Result<Vec<Made>> {
    let options = Options {
        depth: args.depth.map(|depth| match depth {
            DepthRange::ZeroToOne => Depth::ZeroToOne,
            DepthRange::NegOneToOne => Depth::NegativeOneToOne,
        }),
        flip_y: args.flip_y.map(|flip| flip == FlipY::Always),
    };
    let one = |what: &str, bytes: Vec<u8>, is_text: bool| {
        Ok(vec![Made { sink: Sink::new(path), what: what.into(), bytes, is_text }])
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
        Kind::Glsl => glsl(args, module, path, &options),
    }
}

/// GLSL holds one stage a file: a pair takes the stage that the extension names, or becomes two files.
fn glsl(args: &Compile, module: &Module, path: &str, options: &Options) -> Result<Vec<Made>> {
    let version = match args.glsl {
        GlslVersion::Core450 => Glsl::Core450,
        GlslVersion::Core330 => Glsl::Core330,
        GlslVersion::Es300 => Glsl::Es300,
    };
    let named = |extension: &str| path.ends_with(extension);
    let [vertex, fragment] =
        ["vert", "frag"].map(|stage| named(&format!(".{stage}")) || named(&format!(".{stage}.glsl")));
    let stages: Vec<FunctionKind> = match (vertex, fragment) {
        (true, _) => vec![FunctionKind::Vertex],
        (_, true) => vec![FunctionKind::Fragment],
        _ => {
            let kinds = module.functions.iter().map(|function| function.kind);
            kinds.filter(|&kind| kind != FunctionKind::Generic).collect()
        }
    };
    let alone = stages.len() == 1;
    let mut made = Vec::new();
    for stage in stages {
        let extension = if stage == FunctionKind::Vertex { "vert" } else { "frag" };
        let sink = match (alone, path) {
            (true, _) => Sink::new(path),
            (false, "-") => {
                let message = "GLSL holds one stage a file: name two with -o x.vert -o x.frag, or compile one program";
                return Err(UsageError(message.into()).into());
            }
            // x.glsl becomes x.vert.glsl and x.frag.glsl, names that GLSL's own tools know.
            (false, path) => match path.rsplit_once('.') {
                Some((stem, glsl)) => Sink::new(&format!("{stem}.{extension}.{glsl}")),
                None => Sink::new(&format!("{path}.{extension}")),
            },
        };
        let bytes = backends::glsl(module, stage, version, options)?.into_bytes();
        made.push(Made { sink, what: format!("GLSL, {}", stage.name()), bytes, is_text: true });
    }
    Ok(made)
}

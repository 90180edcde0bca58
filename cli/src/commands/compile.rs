//! `compile`: writes a program or a module in each requested format, and its reflection as JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use agalc::names::VertexFormat;
use agalc::reflect::{ShaderCross, shadercross};
use agalc::render::shown;
use agalc::{Code, Interface, Loaded, Modules, Program, Source, Target, reflect};
use anyhow::{Context, Result, anyhow};
use backends::Renamed;
use sdlbc::{FunctionKind, LinkError, Module, Verified};

use super::loading::{loaded, read_all, shown_of};
use crate::args::{Building, Compile, ReflectFormat};
use crate::batch::{Batch, FileFilter, Shader, Success, is_batch, wrong_inputs};
use crate::files::{Files, can_be_several, is_file};
use crate::output::{Kind, PendingOutput, Sink, UsageError, stage_extension, stage_named_by, usage};
use crate::{depfile, report};

/// An output, with its target and its interface if the output is a translation.
struct CompiledOutput {
    output: PendingOutput,
    written: Option<(Target, Interface)>,
}

pub(super) fn run(files: &Files, args: &Compile) -> Result<()> {
    let Building { depfile_target, depfile_phony, .. } = &args.building;
    let unused = [(!depfile_target.is_empty(), "-MT"), (*depfile_phony, "-MP")];
    if !args.building.has_depfile()
        && let Some((_, option)) = unused.iter().find(|(is_given, _)| *is_given)
    {
        return usage(format!("{option} needs a depfile, but none is written: add -MD, or name one with -MF FILE"));
    }
    if is_batch(&args.batch, &args.inputs, 2) {
        return batch(files, args);
    }
    match args.building.print_key {
        true => files.write_text(Sink::Stdout, "key", key(files, args)? + "\n"),
        false => one(files, args),
    }
}

/// Compiles each shader of a batch, as if the command line named the shader's files and outputs.
fn batch(files: &Files, args: &Compile) -> Result<()> {
    let is_key = args.building.print_key;
    let folder = match &args.outputs[..] {
        [folder] if folder.as_os_str() != "-" => folder.as_path(),
        [] if is_key => Path::new(""),
        _ => {
            let message = "a batch is written to a folder: name one with -o, and its formats with --to wgsl,spirv";
            return Err(wrong_inputs(&args.inputs, message));
        }
    };
    if args.to.is_empty() {
        let message =
            "a batch has no output whose extension selects the format: name one or several with --to wgsl,spirv";
        return Err(wrong_inputs(&args.inputs, message));
    }
    let done = if is_key { Success::Keyed } else { Success::Written };
    let of_batch = Batch::new(&args.inputs, FileFilter::Shaders, done, &args.batch)?;
    let of_shader = |shader: &Shader| {
        let mut kinds = args.to.clone();
        let mut seen = BTreeSet::new();
        kinds.retain(|kind| seen.insert(kind.extension()));
        Compile {
            inputs: shader.inputs.clone(),
            outputs: kinds.iter().map(|kind| shader.output(folder, kind.extension())).collect(),
            to: Vec::new(),
            reflect: args.reflect.as_ref().map(|folder| shader.output(folder, "json")),
            // Each shader writes its depfile rule to standard output, and the batch joins the rules in the order of the shaders.
            building: Building { depfile: args.building.depfile.as_ref().map(|_| "-".into()), ..args.building.clone() },
            ..args.clone()
        }
    };
    let depfile = |rules: &[Vec<u8>]| {
        let path = args.building.depfile.as_ref().filter(|_| !is_key)?;
        Some(PendingOutput::text(Sink::new(path), "dependencies", rules.concat()))
    };
    let job = |shader: &Shader, files: &Files| match is_key {
        true => {
            let line = format!("{}  {}\n", key(files, &of_shader(shader))?, shader.name());
            files.write_text(Sink::Stdout, "key", line)
        }
        false => {
            let of_shader = of_shader(shader);
            one(files, &of_shader).inspect_err(|_| rule_of_refused(files, &of_shader))
        }
    };
    let (printed, done) = of_batch.run_with(files, job, depfile)?;
    if is_key {
        files.write_text(Sink::Stdout, "keys", String::from_utf8_lossy(&printed.concat()).into_owned())?;
    }
    done
}

/// If a depfile is requested, adds a rule for a refused shader to the depfile of the batch. The existing outputs are older than
/// the faulty file, so make rebuilds them.
fn rule_of_refused(files: &Files, args: &Compile) {
    let Ok(jobs) = jobs(args) else { return };
    let is_apart = args.layout.layout().modules == Modules::Apart;
    let of = |(path, kind): &(PathBuf, Kind)| {
        let sink = Sink::new(path);
        // The stages of a refused shader are unknown, so the rule names the outputs of both stages.
        let is_split = is_apart || matches!(kind, Kind::Glsl | Kind::Agal | Kind::Agalbc);
        let stages = ["vert", "frag"].map(|stage| sink.with(stage)).into_iter().filter(move |_| is_split);
        std::iter::once(sink).chain(stages)
    };
    let sinks: Vec<Sink> = jobs.iter().flat_map(of).collect();
    if args.building.depfile.is_some()
        && let Ok(rule) = depfile::made(files, &args.building, &sinks.iter().collect::<Vec<_>>())
    {
        // In a batch, `write` only records the rule, and the batch writes the depfile at the end.
        let _ = files.write(rule.into_iter().collect());
    }
}

fn key(files: &Files, args: &Compile) -> Result<String> {
    let outputs = jobs(args)?;
    let inputs = read_all(files, &args.inputs)?;
    crate::key::of(files, args, &inputs, &outputs)
}

fn one(files: &Files, args: &Compile) -> Result<()> {
    let jobs = jobs(args)?;
    // An invalid module can be printed as module text, whereas all other formats require a valid module.
    let is_shown = args.inputs.len() == 1
        && !args.optimising.is_given()
        && args.reflect.is_none()
        && jobs.iter().all(|(_, kind)| *kind == Kind::Sdlasm);
    let broken = |violations| anyhow!(LinkError::Broken(violations));
    let loaded = match is_shown {
        false => loaded(files, &args.inputs, &args.reading, args.debug)?,
        true => {
            let inputs = read_all(files, &args.inputs)?;
            let sources = Source::all(&inputs, &args.reading.opening());
            let shown = shown_of(files, &args.inputs, &sources, &args.reading, args.debug, false)?;
            if shown.programs.is_empty() {
                let module = link(args, shown.module)?;
                let made = jobs.iter().map(|(path, _)| text_of_module(&module, path)).collect();
                return write(files, args, made, Vec::new());
            }
            shown.try_map(|module| Verified::new(module).map_err(broken))?
        }
    };
    let loaded = match args.prune_varyings || args.pack_varyings {
        true => loaded.try_map(|module| Verified::new(link(args, module.into_module())?).map_err(broken))?,
        false => loaded,
    };
    // A module that is only converted between its binary form and its text form stays unchanged, unless an optimisation level is
    // given.
    let converts = |kind: Kind| matches!(kind, Kind::Sdlbc | Kind::Sdlasm);
    let is_kept = loaded.programs.is_empty() && !args.optimising.is_given();
    let is_converted = is_kept && jobs.iter().any(|(_, kind)| converts(*kind));
    let source = if is_converted { (*loaded.module).clone() } else { Module::default() };
    let Loaded { module, programs, formats, .. } = loaded;
    let module = args.optimising.apply(module);
    let converted: &Module = if is_kept { &source } else { &module };
    let mut made = Vec::new();
    for (path, kind) in jobs {
        let name = Sink::new(&path).quoted();
        made.extend(make(args, converted, &module, &path, kind).with_context(|| format!("cannot make {name}"))?);
    }
    let reflect = |path| reflected(args, (&programs, &formats), &module, &made, path);
    let reflected = args.reflect.as_deref().map(reflect).transpose()?;
    write(files, args, made, reflected.unwrap_or_default())
}

fn write(files: &Files, args: &Compile, made: Vec<CompiledOutput>, reflected: Vec<PendingOutput>) -> Result<()> {
    let outputs = made.into_iter().map(|made| made.output).chain(reflected);
    let mut outputs: Vec<PendingOutput> = outputs.collect();
    let sinks: Vec<&Sink> = outputs.iter().map(|output| &output.sink).collect();
    let depfile = depfile::made(files, &args.building, &sinks)?;
    outputs.extend(depfile);
    files.write(outputs)
}

/// Returns the JSON reflection, which describes the program and the written outputs.
fn reflected(
    args: &Compile,
    (programs, formats): (&[Program], &BTreeMap<u32, VertexFormat>),
    module: &Module,
    made: &[CompiledOutput],
    path: &Path,
) -> Result<Vec<PendingOutput>> {
    let names: Vec<String> = made.iter().map(|made| made.output.sink.name()).collect();
    let outputs = made.iter().zip(&names).filter_map(|(made, name)| {
        let (target, interface) = made.written.as_ref()?;
        Some((*target, name.as_str(), interface))
    });
    let outputs: Vec<(Target, &str, &Interface)> = outputs.collect();
    let reflection = reflect(module, &outputs).with_programs(programs).with_formats(formats);
    let sink = Sink::new(path);
    if args.reflect_format == ReflectFormat::Agalc {
        return Ok(vec![PendingOutput::text(sink, "reflection", reflection.to_json())]);
    }
    let stages = reflection.stages.iter().filter_map(|stage| shadercross(&reflection, stage.stage));
    let stages: Vec<_> = stages.collect();
    let is_split = stages.len() > 1;
    if is_split && !is_file(&sink)? {
        return usage(format!(
            "SDL_shadercross describes one stage per file, but {} cannot take two files: name a file, or compile one program",
            sink.quoted()
        ));
    }
    // If there are two stages, the file x.json becomes x.vert.json and x.frag.json.
    let of = |stage: &ShaderCross| {
        let sink = if is_split { sink.with(stage_extension(stage.stage)) } else { sink.clone() };
        PendingOutput::text(sink, format!("reflection, {}", stage.stage.name()), stage.to_json())
    };
    Ok(stages.iter().map(of).collect())
}

/// Removes and renumbers varyings if the options request these changes.
fn link(args: &Compile, mut module: Module) -> Result<Module> {
    let refused = |option: &'static str| {
        move |error| match error {
            LinkError::NotAPair => {
                UsageError(format!("{option} is for pairs: name a vertex and a fragment program")).into()
            }
            error => anyhow::Error::new(error),
        }
    };
    if args.prune_varyings {
        sdlbc::prune(&mut module).map_err(refused("--prune-varyings"))?;
    }
    if args.pack_varyings {
        sdlbc::pack(&mut module).map_err(refused("--pack-varyings"))?;
    }
    Ok(module)
}

/// Returns the path and the format of each output.
fn jobs(args: &Compile) -> Result<Vec<(PathBuf, Kind)>> {
    if args.to.len() > 1 {
        return usage(
            "several formats are for a batch, whose outputs go to a folder: add --batch, or name each output with -o",
        );
    }
    let to = args.to.first().copied();
    if args.outputs.is_empty() {
        let kind = to.ok_or_else(|| {
            let known = Kind::EXTENSIONS;
            let name = suggested(&args.inputs);
            UsageError(format!(
                "no output: write `-o {name}.wgsl` for a file, whose extension selects the format ({known}), or `--to wgsl` for standard output"
            ))
        })?;
        return Ok(vec![("-".into(), kind)]);
    }
    let job = |path: &PathBuf| {
        let kind = to.or_else(|| Kind::from_path(path)).ok_or_else(|| unknown(path))?;
        Ok((path.clone(), kind))
    };
    args.outputs.iter().map(job).collect()
}

/// Suggests a name for an output: the name of the first input without its extensions.
fn suggested(inputs: &[PathBuf]) -> String {
    let name = inputs.first().and_then(|path| path.file_name()).map(|name| shown::path(name.as_ref()));
    let stem = name.as_deref().and_then(|name| name.split('.').next()).unwrap_or_default();
    if matches!(stem, "" | "-") { "out".to_string() } else { stem.to_string() }
}

/// Returns the error for an output path whose format is unknown.
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

fn text_of_module(module: &Module, path: &Path) -> CompiledOutput {
    CompiledOutput {
        output: PendingOutput::text(Sink::new(path), "SDLSHADERBC text", sdlbc::print(module)),
        written: None,
    }
}

/// Creates the outputs for a path: one file, or a file for each stage. An SDLSHADERBC file or text is made from `converted`, and
/// a translation is made from `module`.
fn make(args: &Compile, converted: &Module, module: &Verified, path: &Path, kind: Kind) -> Result<Vec<CompiledOutput>> {
    let target = match kind {
        Kind::Sdlbc => {
            let bytes = sdlbc::encode_in(converted, args.dialect);
            let output = PendingOutput::binary(Sink::new(path), "SDLSHADERBC", bytes);
            return Ok(vec![CompiledOutput { output, written: None }]);
        }
        Kind::Sdlasm => return Ok(vec![text_of_module(converted, path)]),
        Kind::Agal | Kind::Agalbc => return agal(args, module, path, kind),
        Kind::Wgsl => Target::Wgsl,
        Kind::Spirv | Kind::SpirvAsm => Target::Spirv,
        Kind::Glsl => Target::Glsl(args.glsl.unwrap_or_else(|| args.layout.layout().glsl)),
        Kind::Hlsl => Target::Hlsl(args.shader_model),
        Kind::Msl => Target::Msl(args.msl_version),
    };
    translated(args, module, path, target, kind)
}

/// Returns the error for an output that needs a file for each stage. `writer` is the noun and the verb that begin the message.
fn needs_files(writer: &str, sink: &Sink, extension: &str) -> UsageError {
    UsageError(format!(
        "{writer} one file per stage, but {} cannot take two files: use -o x.vert.{extension} -o x.frag.{extension}, or compile one program",
        sink.quoted()
    ))
}

/// Translates a module to one file, or to a file for each stage if the target or the layout requires separate files. If the file
/// name contains a stage, only that stage of a pair is written.
fn translated(
    args: &Compile,
    module: &Verified,
    path: &Path,
    target: Target,
    kind: Kind,
) -> Result<Vec<CompiledOutput>> {
    let layout = args.layout.layout();
    let mut files = agalc::files(module, target, &layout);
    if files.iter().any(Option::is_some)
        && let Some(stage) = stage_named_by(path)
    {
        files = vec![Some(stage)];
    }
    let sink = Sink::new(path);
    let alone = files.len() == 1;
    if !alone && !can_be_several(&sink)? {
        let extension = path.extension().map(|extension| shown::path(extension.as_ref()));
        let extension = extension.as_deref().unwrap_or(kind.extension());
        let writer = match target {
            Target::Glsl(_) => &format!("{target} needs"),
            _ => "the layout requires",
        };
        return Err(needs_files(writer, &sink, extension).into());
    }
    // If the destination is a device or a pipe, it receives both stages in one output.
    let is_split = !alone && is_file(&sink)?;
    let mut made = Vec::new();
    for stage in files {
        let output = backends::write(module, target, stage, &layout)?;
        // The file x.glsl becomes x.vert.glsl and x.frag.glsl, which GLSL tools recognise.
        let sink = match stage {
            Some(stage) if is_split => sink.with(stage_extension(stage)),
            _ => sink.clone(),
        };
        for Renamed { wanted, given } in &output.renamed {
            report::note(&format!("`{wanted}` is called `{given}` in {}", sink.quoted()));
        }
        let what = stage.map_or_else(|| target.to_string(), |stage| format!("{target}, {}", stage.name()));
        let (bytes, is_text) = match output.code {
            Code::Text(text) => (text.into_bytes(), true),
            Code::Words(words) if kind == Kind::SpirvAsm => (backends::spirv_assembly(&words)?.into_bytes(), true),
            Code::Words(words) => (words.iter().flat_map(|word| word.to_le_bytes()).collect(), false),
        };
        let written = Some((target, output.interface));
        made.push(CompiledOutput { output: PendingOutput { sink, what, bytes, is_text }, written });
    }
    Ok(made)
}

/// Writes AGAL: a file for each stage, or only the stage that the file name contains.
fn agal(args: &Compile, module: &Verified, path: &Path, kind: Kind) -> Result<Vec<CompiledOutput>> {
    // `write_agal` reports the error for a module without functions that AGAL can express.
    let stages = [FunctionKind::Vertex, FunctionKind::Fragment, FunctionKind::Compute];
    let mut stages: Vec<FunctionKind> =
        stages.into_iter().filter(|stage| module.functions.iter().any(|of| of.kind == *stage)).collect();
    if let Some(named) = stage_named_by(path) {
        stages = vec![named];
    }
    let sink = Sink::new(path);
    let is_split = stages.len() > 1;
    if is_split && !is_file(&sink)? {
        return Err(needs_files("AGAL needs", &sink, kind.extension()).into());
    }
    let mut made = Vec::new();
    for stage in stages {
        let written = agalc::write_agal(module, stage, args.reading.text.agal_version)
            .map_err(|refusals| anyhow!("{}", refused(stage, &refusals)))?;
        let sink = if is_split { sink.with(stage_extension(stage)) } else { sink.clone() };
        let is_text = kind == Kind::Agal;
        for line in written.uploads.iter().filter(|_| !is_text) {
            report::note(&format!("upload {line}"));
        }
        let bytes = if is_text { written.text().into_bytes() } else { written.program.encode() };
        let what = format!("AGAL {}, {}", written.program.version, stage.name());
        made.push(CompiledOutput { output: PendingOutput { sink, what, bytes, is_text }, written: None });
    }
    Ok(made)
}

/// Returns the message about a stage that AGAL cannot express.
fn refused(stage: FunctionKind, refusals: &[agalc::Refusal]) -> String {
    let of = |refusal: &agalc::Refusal| {
        let place = match (refusal.line, refusal.instruction) {
            (Some(line), _) => format!(", line {line}"),
            (None, 0) => String::new(),
            (None, instruction) => format!(", instruction {instruction}"),
        };
        format!("{} function{place}: {refusal}", stage.name())
    };
    refusals.iter().map(of).collect::<Vec<_>>().join("; ")
}

//! Computes the key of `compile`'s outputs: a hash of exactly the data on which the outputs depend. Computing the key translates
//! nothing, so a build system can look for the key in its cache first.
//!
//! Rules (docs/build-systems.md): the key is the SHA-256 hash of lines that each contain a name and a value. A default value that
//! is stated explicitly does not change the key. The lines omit options on which no requested format depends, and paths that no
//! output contains. The key does not depend on the time, the environment or the machine, but for GLSL and HLSL it depends on the
//! version of the compiler.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Debug, Write};
use std::path::PathBuf;

use agalc::{Input, Layout, Modules, Precision};
use anyhow::Result;
use sha2::{Digest, Sha256};

use crate::args::{Compile, DebugLevel, LONG_VERSION, Naming, Reading, ReflectFormat, TextOptions};
use crate::files::Files;
use crate::output::{Kind, Sink, stage_named_by};

/// The first line of the hashed text, which must change whenever the meaning of the lines changes.
const FORM: &str = "agalc-key 1";

/// Computes the key of a run that compiles inputs to outputs.
///
/// # Errors
/// A file of names or a debug table cannot be read.
pub(crate) fn of(files: &Files, args: &Compile, inputs: &[Input], outputs: &[(PathBuf, Kind)]) -> Result<String> {
    let text = text(files, args, inputs, outputs)?;
    Ok(hash(text.as_bytes()))
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        // Writing to a string never fails.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

struct Lines(String);

impl Lines {
    /// Adds a line. Rust's `Debug` format writes any value unambiguously and on a single line.
    fn add(&mut self, what: &str, value: impl Debug) {
        let _ = writeln!(self.0, "{what} {value:?}");
    }
}

fn text(files: &Files, args: &Compile, inputs: &[Input], outputs: &[(PathBuf, Kind)]) -> Result<String> {
    // The pattern names every field, so that a new option of `compile` breaks the build until the key includes or ignores the
    // option.
    let Compile {
        inputs: paths,
        outputs: _,
        to: _,
        reading,
        glsl,
        shader_model,
        msl_version,
        prune_varyings,
        pack_varyings,
        reflect,
        reflect_format,
        debug,
        dialect,
        optimising,
        layout,
        batch: _,
        building: _,
    } = args;
    let has = |kinds: &[Kind]| outputs.iter().any(|(_, kind)| kinds.contains(kind));
    let is_reflected = reflect.is_some();
    let has_modules = has(&[Kind::Sdlbc, Kind::Sdlasm]);
    let is_translated = is_reflected || outputs.iter().any(|(_, kind)| !matches!(kind, Kind::Sdlbc | Kind::Sdlasm));
    let mut lines = Lines(format!("{FORM}\n"));
    lines.add("agalc", LONG_VERSION);
    lines.add("command", "compile");
    // Sources are stored only in the debug table of a written module.
    let debug = if has_modules || *debug == DebugLevel::None { *debug } else { DebugLevel::Names };
    lines.add("debug", debug);
    let has_sources = matches!(debug, DebugLevel::Lines | DebugLevel::Full);
    of_inputs(&mut lines, inputs, has_sources, is_reflected && *reflect_format == ReflectFormat::Agalc);
    of_reading(&mut lines, files, reading, paths, inputs)?;
    // A module that is only converted between its binary form and its text form stays unchanged, unless an optimisation level is
    // given.
    let is_kept = !optimising.is_given() && inputs.iter().all(is_module);
    lines.add("converted as it is", has_modules && is_kept);
    lines.add("optimising", optimising.options());
    lines.add("prune varyings", prune_varyings);
    lines.add("pack varyings", pack_varyings);
    let layout = layout.layout();
    let glsl = glsl.unwrap_or(layout.glsl);
    of_outputs(&mut lines, outputs, &layout, is_reflected);
    if has(&[Kind::Sdlbc]) {
        lines.add("dialect", dialect);
    }
    if has(&[Kind::Glsl]) {
        lines.add("GLSL", glsl);
    }
    if has(&[Kind::Hlsl]) {
        lines.add("shader model", shader_model);
    }
    if has(&[Kind::Msl]) {
        lines.add("MSL", msl_version);
    }
    if is_translated {
        let is_es = has(&[Kind::Glsl]) && glsl == agalc::Glsl::Es300;
        let unread = Layout::default();
        lines.add(
            "layout",
            Layout {
                name: "",
                about: "",
                glsl: unread.glsl,
                spirv: if has(&[Kind::Spirv, Kind::SpirvAsm]) { layout.spirv } else { unread.spirv },
                precision: if is_es { layout.precision } else { Precision::High },
                ..layout
            },
        );
    }
    if is_reflected {
        lines.add("reflection", matches!(reflect_format, ReflectFormat::Shadercross));
    }
    Ok(lines.0)
}

/// Adds the inputs' hashes, and their names if an output contains input names. The order of inputs matters only if a debug table
/// contains sources.
fn of_inputs(lines: &mut Lines, inputs: &[Input], has_sources: bool, is_reflected: bool) {
    let of_input = |input: &Input| {
        let name = Some(input.name.clone()).filter(|_| has_sources || is_reflected);
        (hash(&input.bytes), name)
    };
    let mut all: Vec<(String, Option<String>)> = inputs.iter().map(of_input).collect();
    if !has_sources {
        all.sort();
    }
    for (hash, name) in all {
        lines.add("input", hash);
        name.iter().for_each(|name| lines.add("name of input", name));
    }
}

/// Adds the output formats. Only a reflection depends on the order of outputs and on repeated formats, because a reflection lists
/// all outputs by name.
fn of_outputs(lines: &mut Lines, outputs: &[(PathBuf, Kind)], layout: &Layout, is_reflected: bool) {
    let formats = outputs.iter().map(|(path, kind)| {
        // For a format with one file per stage, the name of the output may select a stage.
        let is_per_stage = match kind {
            Kind::Glsl | Kind::Agal | Kind::Agalbc => true,
            Kind::Sdlbc | Kind::Sdlasm => false,
            _ => layout.modules == Modules::Apart,
        };
        let stage = stage_named_by(path).filter(|_| is_per_stage);
        format!("{kind:?} {stage:?}")
    });
    if !is_reflected {
        return formats.collect::<BTreeSet<_>>().iter().for_each(|format| lines.add("output", format));
    }
    for (format, (path, _)) in formats.zip(outputs) {
        lines.add("output", (format, Sink::new(path).name()));
    }
}

/// Adds the options for reading inputs, and the hashes of the file of names and the debug table.
fn of_reading(lines: &mut Lines, files: &Files, reading: &Reading, paths: &[PathBuf], inputs: &[Input]) -> Result<()> {
    let Reading {
        text,
        judging,
        ifg,
        index,
        signed_offsets,
        debug_table,
        naming,
        overrides,
        texel_formats,
        glsl_version,
        source_convention,
        no_source_names,
        inline_constants,
    } = reading;
    let TextOptions { stage, agal_version, entry_points, language, defines } = text;
    let Naming { given, file: _ } = naming;
    lines.add("stage", stage);
    lines.add("AGAL version", agal_version);
    lines.add("entry points", entry_points.iter().collect::<BTreeSet<_>>());
    lines.add("language", language);
    // If a name is defined several times, the last definition is used.
    let defines: BTreeMap<&str, f64> = defines.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    lines.add("defines", defines);
    let mut rules = judging.rules();
    rules.allow.sort_unstable();
    rules.allow.dedup();
    lines.add("rules", rules);
    lines.add("ifg", ifg);
    lines.add("index", index);
    lines.add("signed offsets", signed_offsets);
    lines.add("no source names", no_source_names);
    lines.add("inline constants", inline_constants);
    // If a constant is overridden several times, the last value is used.
    let overrides: BTreeMap<&str, f64> = overrides.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    overrides.iter().for_each(|given| lines.add("override", given));
    // If a texture is given several formats, the first one is used.
    let formats: BTreeMap<_, _> = texel_formats.iter().rev().map(|(name, format)| (name, format.name())).collect();
    formats.iter().for_each(|given| lines.add("texel format", given));
    inputs.iter().filter_map(agalc::compiler).for_each(|version| lines.add("compiler", version));
    lines.add("version of GLSL", glsl_version);
    lines.add("convention", source_convention);
    let names = naming.path(paths, judging)?.map(|path| files.read(&path)).transpose()?;
    lines.add("file of names", names.map(|names| hash(&names.bytes)));
    given.iter().for_each(|entry| lines.add("name", (entry.registers.to_string(), &entry.name, &entry.ty)));
    let table = debug_table.as_ref().filter(|_| inputs.iter().any(is_module));
    let table = table.map(|path| files.read(path)).transpose()?;
    lines.add("debug table", table.map(|table| hash(&table.bytes)));
    Ok(())
}

fn is_module(input: &Input) -> bool {
    matches!(agalc::detect(&input.bytes), agalc::Form::Sdlbc | agalc::Form::ModuleText)
}

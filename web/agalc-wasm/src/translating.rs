//! Implements `translate` and `dump`.

use std::collections::BTreeMap;

use agalc::names::VertexFormat;
use agalc::render::{Problem, remarks};
use agalc::{Code, DebugLevel, Form, Input, Interface, Loaded, Program, Reflection, Target, Warning, detect, reflect};
use agalc_wasm_bridge::{Options, Refused, wording};
use sdlbc::{FunctionKind, LinkError, Module, Verified};
use serde::Serialize;
use serde_bytes::ByteBuf;

#[derive(Serialize)]
pub(crate) struct Translation {
    files: Vec<File>,
    sources: Vec<String>,
    diagnostics: Vec<Problem>,
    reflection: Reflection,
}

#[derive(Serialize)]
struct File {
    stage: Option<&'static str>,
    text: Option<String>,
    bytes: ByteBuf,
    lines: Option<Vec<Origin>>,
}

/// The source lines from which one line of an output originates, if they are known.
type Origin = Option<Vec<SourceLine>>;

#[derive(Clone, Copy, Serialize)]
pub(crate) struct SourceLine {
    source: u32,
    line: u32,
}

#[derive(Serialize)]
pub(crate) struct Dump {
    text: String,
    good: bool,
    sources: Vec<String>,
    lines: Vec<Origin>,
}

/// The programs of the inputs, and the optimised module that is built from them.
struct Ready {
    programs: Vec<Program>,
    warnings: Vec<Warning>,
    formats: BTreeMap<u32, VertexFormat>,
    /// The module before optimisation, if the inputs are modules and the user has selected no optimisation level. A conversion
    /// between the binary and the text form must not change a module.
    kept: Option<Module>,
    module: Verified,
}

impl Ready {
    fn new(inputs: &[Input], options: &Options) -> Result<Ready, Refused> {
        let (passes, is_given) = options.passes()?;
        let reading = options.reading(false)?;
        let loaded = agalc::load_all(inputs, &reading)?;
        let Loaded { mut module, programs, warnings, formats, .. } = loaded;
        if options.prune_varyings || options.pack_varyings {
            let of_link = |error: LinkError| Refused::plain(error.to_string());
            let mut linked = module.into_module();
            if options.prune_varyings {
                sdlbc::prune(&mut linked).map_err(of_link)?;
            }
            if options.pack_varyings {
                sdlbc::pack(&mut linked).map_err(of_link)?;
            }
            module = Verified::new(linked).map_err(LinkError::Broken).map_err(of_link)?;
        }
        let is_kept = programs.is_empty() && !is_given;
        let kept = is_kept.then(|| (*module).clone());
        let module = agalc::optimise(module, &passes);
        Ok(Ready { programs, warnings, formats, kept, module })
    }

    /// Returns the module that is written in binary or text form.
    fn converted(&self) -> &Module {
        self.kept.as_ref().unwrap_or(&self.module)
    }

    fn sources(&self) -> Vec<String> {
        self.converted().debug.sources.iter().map(|source| source.file.clone()).collect()
    }

    fn origin(&self, function: usize, instruction: usize) -> Origin {
        let lines = self.converted().debug_of(function)?.lines.as_ref()?;
        let line = lines.numbers.get(instruction).copied().filter(|&line| line > 0)?;
        Some(vec![SourceLine { source: lines.source, line }])
    }
}

pub(crate) fn translate(inputs: &[Input], format: &str, options: &Options) -> Result<Translation, Refused> {
    let layout = options.layout()?;
    let target = match format {
        "sdlbc" | "sdlasm" => None,
        "spirv" | "spirv-asm" => Some(Target::Spirv),
        "wgsl" => Some(Target::Wgsl),
        "glsl" => Some(Target::Glsl(options.glsl(&layout))),
        "hlsl" => Some(Target::Hlsl(options.shader_model()?)),
        "msl" => Some(Target::Msl(options.msl_version()?)),
        other => {
            let known = "wgsl, spirv, spirv-asm, glsl, hlsl, msl, sdlbc, sdlasm";
            return Err(Refused::plain(format!("`{other}` is not a format: use one of {known}")));
        }
    };
    let ready = Ready::new(inputs, options)?;
    let has_lines = options.debug() >= DebugLevel::Lines || ready.kept.is_some();
    let mut files = Vec::new();
    let mut interfaces: Vec<(Target, String, Interface)> = Vec::new();
    match target {
        Some(target) => {
            for stage in agalc::files(&ready.module, target, &layout) {
                let failed = |error: backends::Error| Refused::plain(error.to_string());
                let has_lines = has_lines && format != "spirv";
                let (output, lines) = match has_lines {
                    true => backends::write_with_lines(&ready.module, target, stage, &layout).map_err(failed)?,
                    false => (backends::write(&ready.module, target, stage, &layout).map_err(failed)?, Vec::new()),
                };
                let (text, bytes) = match output.code {
                    Code::Text(text) => (Some(text), None),
                    Code::Words(words) if format == "spirv-asm" => {
                        (Some(backends::spirv_assembly(&words).map_err(failed)?), None)
                    }
                    Code::Words(words) => (None, Some(words.iter().flat_map(|word| word.to_le_bytes()).collect())),
                };
                let lines = has_lines.then(|| lines.iter().map(|lines| origin(lines)).collect());
                let bytes = ByteBuf::from(bytes.unwrap_or_else(|| text.clone().unwrap_or_default().into_bytes()));
                interfaces.push((target, file_name(stage, format), output.interface));
                files.push(File { stage: stage.map(FunctionKind::name), text, bytes, lines });
            }
        }
        None if format == "sdlbc" => {
            let bytes = ByteBuf::from(sdlbc::encode(ready.converted()));
            files.push(File { stage: None, text: None, bytes, lines: None });
        }
        None => {
            let (text, insts) = sdlbc::print_lines(ready.converted());
            let mut lines: Vec<Origin> = vec![None; text.lines().count()];
            for inst in insts.iter().filter(|_| has_lines) {
                if let Some(line) = lines.get_mut(inst.line) {
                    *line = ready.origin(inst.function, inst.instruction);
                }
            }
            let bytes = ByteBuf::from(text.clone());
            files.push(File { stage: None, bytes, text: Some(text), lines: Some(lines) });
        }
    }
    let outputs = interfaces.iter().map(|(target, name, interface)| (*target, name.as_str(), interface));
    let reflection = reflect(&ready.module, &outputs.collect::<Vec<_>>()).with_programs(&ready.programs);
    let reflection = reflection.with_formats(&ready.formats);
    let diagnostics = remarks(&ready.programs, &ready.warnings, wording);
    Ok(Translation { files, sources: ready.sources(), diagnostics, reflection })
}

fn origin(lines: &[backends::SourceLine]) -> Origin {
    let line = |&backends::SourceLine { source, line }: &backends::SourceLine| SourceLine { source, line };
    (!lines.is_empty()).then(|| lines.iter().map(line).collect())
}

/// Returns the name by which the reflection refers to a written file.
fn file_name(stage: Option<FunctionKind>, format: &str) -> String {
    format!("{}.{format}", stage.map_or("shader", FunctionKind::name))
}

/// Lists every word of a module, which is read from an SDLSHADERBC file or built from the inputs.
pub(crate) fn dump(inputs: &[Input], options: &Options) -> Result<Dump, Refused> {
    if let [file] = inputs
        && detect(&file.bytes) == Form::Sdlbc
        && sdlbc::decode(&file.bytes).is_err()
    {
        let sdlbc::Dump { text, good, .. } = sdlbc::dump(&file.bytes);
        let lines = vec![None; text.lines().count()];
        return Ok(Dump { text, good, sources: Vec::new(), lines });
    }
    let ready = Ready::new(inputs, options)?;
    let encoded = sdlbc::encode(ready.converted());
    let bytes = match inputs {
        [file] if detect(&file.bytes) == Form::Sdlbc && ready.kept.is_some() => &file.bytes,
        _ => &encoded,
    };
    let sdlbc::Dump { text, good, instructions, .. } = sdlbc::dump(bytes);
    // Instructions are ordered by offset, and a nested instruction ends no later than the instruction that contains it.
    let mut open: Vec<usize> = Vec::new();
    let mut next = 0;
    let line = |line: &str| {
        let at = line.split(' ').next().and_then(|offset| usize::from_str_radix(offset, 16).ok())?;
        while instructions.get(next).is_some_and(|inst| inst.bytes.start <= at) {
            open.push(next);
            next += 1;
        }
        while let Some(inst) = open.last().and_then(|&index| instructions.get(index)) {
            if at < inst.bytes.end {
                return ready.origin(inst.function, inst.instruction);
            }
            open.pop();
        }
        None
    };
    let lines = text.lines().map(line).collect();
    Ok(Dump { text, good, sources: ready.sources(), lines })
}

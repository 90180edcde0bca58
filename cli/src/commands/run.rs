//! `run`: runs one invocation of an AGAL program on the AGAL machine, or of a module's function on `sdlbc-interp`.
//!
//! The AGAL machine runs a quad of four invocations. The invocations of the quad have equal inputs, so derivatives are zero, and
//! textures are read at level 0 plus the bias.

mod compute;
mod module;
mod setter;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use agal_front::assemble::Alias;
use agal_front::disassemble::{instruction, register};
use agal_front::opcode::Meaning;
use agal_front::register::File;
use agal_front::token::{Mask, Token};
use agal_front::{Program, Stage};
use agal_machine::{Effect, Inputs, Level, Machine, Options, Outputs, Quad, Texture, Trace};
use agalc::render::shown;
use agalc::{Input, Source};
use anyhow::{Result, anyhow, bail};
use sdlbc::{Dimension, FunctionKind};
use serde::Serialize;

use super::loading::read_all;
use crate::args::{DebugLevel, Ifg, Index, Run, Set, Setting, Warnings, number};
use crate::files::Files;
use crate::output::{Sink, UsageError, usage};
use crate::report;
use values::{
    Number, WIDEST_INSTRUCTION, at, constants_of, decimal, described, holds, named_texture, warn_of_settings,
};

pub(super) fn run(files: &Files, args: &Run) -> Result<()> {
    let inputs = read_all(files, std::slice::from_ref(&args.input))?;
    // A file that a `--set` option names is an input, even if the program does not read the file.
    let textures = args.settings.iter().filter_map(|setting| match &setting.values {
        Set::Texture(named) => described(named).ok(),
        _ => None,
    });
    textures.for_each(|description| description.files().for_each(|file| files.mark_read(file)));
    let (reading, judging) = (&args.reading, &args.reading.judging);
    let sources = Source::all(&inputs, &reading.opening());
    let [source] = &sources[..] else { return needs_a_stage() };
    if source.is_pair() {
        return needs_a_stage();
    }
    let input = source.input();
    // Constants in the program's text are set as registers, even if the options request inlined constants.
    let loading =
        reading.options(files, std::slice::from_ref(&args.input), &sources, DebugLevel::None)?.inline_constants(false);
    let read = source.read_one(&loading).map_err(|error| report::load_error(&error))?;
    if read.agal().is_none() {
        let text = read.text.clone().zip(read.module().and_then(|module| module.comments.clone()));
        let loaded = report::loaded(agalc::combine(vec![read], &loading), judging)?;
        let subject = setter::Subject { name: &input.name, text, module: &loaded.module, declared: &loaded.declared };
        return show(files, args, module::run(files, args, &subject)?);
    }
    let mut programs = [read];
    agalc::lift(&mut programs, &loading);
    let [mut read] = programs;
    report::drop_silenced(judging, &mut read.findings);
    let read = read.sound().map_err(|error| report::load_error(&error))?;
    report::program(&read, judging);
    report::file_warnings(&read.warnings, judging)?;
    let Some(agal) = read.agal() else { return needs_a_stage() };
    let program = &agal.program;
    let options = Options::default()
        .strict_ifg(args.reading.ifg == Ifg::Strict)
        .truncate_index(args.reading.index == Index::Trunc)
        .signed_offset(args.reading.signed_offsets)
        .float(match args.float {
            sdlbc_interp::Float::F24 => agal_machine::Float::F24,
            sdlbc_interp::Float::F32 => agal_machine::Float::F32,
        });
    let machine = Machine::new(program, options).map_err(|error| anyhow!("{}: {error}", input.name))?;
    let given = Settings::new(files, program, &machine, &agal.aliases, args)?;
    let unset = given.unset(&machine);
    if args.reading.judging.warnings != Warnings::Allow {
        given.warn(&machine, &unset);
    }
    if args.reading.judging.warnings == Warnings::Error && (!unset.is_empty() || given.lacks_constants(&machine)) {
        bail!("`{}` reads registers that are not set, and warnings are errors", input.name);
    }
    let mut traces = Vec::new();
    let outputs = machine.trace(&given.inputs(), |trace| traces.push(*trace));
    let shown = Report { input, program, outputs: &outputs, traces: &traces };
    let shown = match report::is_json() {
        true => shown.json(args.trace, &unset)?,
        false => shown.text(args.trace),
    };
    show(files, args, shown)
}

fn needs_a_stage() -> Result<()> {
    usage("`run` runs one program; select it with --stage vertex or --stage fragment")
}

fn show(files: &Files, args: &Run, shown: String) -> Result<()> {
    files.write_text(Sink::new(&args.output), "registers", shown)
}

#[derive(Default)]
struct Settings {
    registers: Vec<Quad>,
    constants: Vec<[f32; 4]>,
    textures: BTreeMap<u32, Texture>,
    instance: u32,
    /// The registers set by a `--set` option, a file of constants or the program's text.
    set: BTreeSet<(File, u32)>,
    /// The registers set by a `--set` option.
    set_by_option: BTreeSet<(File, u32)>,
}

impl Settings {
    /// Sets constants from the program's text, then from the file of constants, and finally from the `--set` options. A later
    /// value replaces an earlier value.
    fn new(files: &Files, program: &Program, machine: &Machine, aliases: &[Alias], args: &Run) -> Result<Settings> {
        let mut given = Settings::default();
        for alias in aliases {
            let register = alias.target.split('.').next().unwrap_or_default();
            let number = register.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse::<u32>();
            let (Some(values), Ok(number)) = (alias.values, number) else { continue };
            let held = at(&mut given.constants, number as usize);
            for (component, value) in held.iter_mut().zip(values) {
                *component = value.unwrap_or(*component);
            }
            given.set.insert((File::Constant, number));
        }
        if let Some(path) = &args.constants {
            given.take(files, program, path)?;
        }
        for setting in &args.settings {
            given.set(program, machine, setting)?;
        }
        Ok(given)
    }

    /// Sets the constants of the program's stage from a file of constants.
    fn take(&mut self, files: &Files, program: &Program, path: &Path) -> Result<()> {
        let description = constants_of(files, path)?;
        let path = shown::path(path);
        if let Some((_, name)) = description.uniforms.keys().next() {
            bail!("{path}: `{name}` is a uniform of a module; for an AGAL program, set registers under `constants`");
        }
        let kind = FunctionKind::from(program.stage);
        let count = File::Constant.count(program.stage, program.version);
        for ((_, number), row) in description.constants.into_iter().filter(|((of, _), _)| *of == kind) {
            if number >= count {
                let name = register(File::Constant, number, program.stage);
                bail!(
                    "{path}: `{name}` does not exist: a version {} {} program has {count} constants",
                    program.version,
                    program.stage
                );
            }
            *at(&mut self.constants, number as usize) = row;
            self.set.insert((File::Constant, number));
        }
        Ok(())
    }

    fn set(&mut self, program: &Program, machine: &Machine, setting: &Setting) -> Result<()> {
        let (stage, version) = (program.stage, program.version);
        let text = &setting.name;
        let (name, number) = register_of(text)?;
        let file = settable(name, text, stage)?;
        let values: Vec<f32> = match &setting.values {
            Set::Numbers(numbers) => {
                numbers.iter().map(|text| self::number(text)).collect::<Result<_, _>>().map_err(UsageError)?
            }
            Set::Texture(_) if file == File::Sampler => Vec::new(),
            Set::Texture(texture) => {
                return usage(format!("`{text}` holds numbers; `{}` is not a number", texture.shown()));
            }
        };
        // Returns the numbers as a vector. A missing fourth component is `rest`, and other missing components are 0.
        let four = |rest: f32| {
            let mut four = [0.0, 0.0, 0.0, rest];
            four.iter_mut().zip(&values).for_each(|(component, &value)| *component = value);
            four
        };
        let most = if file == File::Instance { 1 } else { 4 };
        if file != File::Constant && values.len() > most {
            return usage(holds(text, most, values.len()));
        }
        let more = u32::try_from(values.len().div_ceil(4).max(1) - 1).unwrap_or(u32::MAX);
        let last = number.saturating_add(more);
        let count = file.count(stage, version);
        if last >= count {
            return usage(match count {
                0 => format!("a version {version} {stage} program has no {}", file.description()),
                1 => format!("`{name}{last}` does not exist: there is only one {}", file.description()),
                _ => format!(
                    "`{name}{last}` does not exist: a version {version} {stage} program has {name}0 to {name}{}",
                    count - 1
                ),
            });
        }
        match file {
            File::Constant => {
                for (index, part) in values.chunks(4).enumerate() {
                    let held = at(&mut self.constants, number as usize + index);
                    *held = [0.0; 4];
                    held.iter_mut().zip(part).for_each(|(component, &value)| *component = value);
                }
            }
            File::Sampler => {
                if let Some(dimension) = machine.dimension(number) {
                    let texture = match &setting.values {
                        Set::Numbers(_) => Texture::plain(dimension, four(1.0)),
                        Set::Texture(named) => {
                            texels_of(&named_texture(text, named, in_modules(dimension))?, dimension)
                        }
                    };
                    self.textures.insert(number, texture);
                }
            }
            File::Instance => {
                let value = values.first().copied().unwrap_or_default();
                if value.fract() != 0.0 || !(0.0..16_777_216.0).contains(&value) {
                    return usage(format!(
                        "`iid` is an instance number, which must be a non-negative integer, not {value}"
                    ));
                }
                #[expect(clippy::cast_possible_truncation, reason = "it is whole and in range")]
                let instance = value as u32;
                self.instance = instance;
            }
            _ => *at(&mut self.registers, number as usize) = [four(1.0); 4],
        }
        let registers = (number..=last).map(|number| (file, number));
        self.set.extend(registers.clone());
        self.set_by_option.extend(registers);
        Ok(())
    }

    fn inputs(&self) -> Inputs<'_> {
        Inputs {
            registers: &self.registers,
            constants: &self.constants,
            instance: [self.instance; 4],
            environment: &self.textures,
        }
    }

    /// Returns the registers that the program reads but that are not set.
    fn unset(&self, machine: &Machine) -> Vec<String> {
        let reads = machine.reads();
        let stage = machine.stage();
        reads.difference(&self.set).map(|&(file, number)| register(file, number, stage)).collect()
    }

    /// Reports whether the program reads constants through an index although no constant is set. In that case, every index
    /// selects a register that is not set.
    fn lacks_constants(&self, machine: &Machine) -> bool {
        machine.indexes() && !self.set.iter().any(|&(file, _)| file == File::Constant)
    }

    /// Warns about registers that are read but not set, or set but not read.
    fn warn(&self, machine: &Machine, unset: &[String]) {
        let reads = machine.reads();
        let unread =
            self.set_by_option.difference(&reads).filter(|(file, _)| *file != File::Constant || !machine.indexes());
        let unread: Vec<String> = unread.map(|&(file, number)| register(file, number, machine.stage())).collect();
        warn_of_settings(unset, &unread, self.lacks_constants(machine).then_some("vc0"));
    }
}

/// Splits the text of a register into the register's name and number.
fn register_of(text: &str) -> Result<(&str, u32)> {
    let (name, number) = text.split_at(text.trim_end_matches(|c: char| c.is_ascii_digit()).len());
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_lowercase()) {
        let what = "write a register without components, such as va0, vc4 or fs0";
        return usage(format!("`{text}` is not a register; {what}"));
    }
    match number.parse() {
        _ if number.is_empty() => Ok((name, 0)),
        Ok(number) => Ok((name, number)),
        Err(_) => usage(format!("the number of `{text}` is too large")),
    }
}

/// Converts a texture dimension of the AGAL machine to a dimension of modules.
fn in_modules(dimension: agal_machine::Dimension) -> Dimension {
    match dimension {
        agal_machine::Dimension::D2 => Dimension::D2,
        agal_machine::Dimension::D3 => Dimension::D3,
        agal_machine::Dimension::Cube => Dimension::Cube,
    }
}

/// Converts a texture of the interpreter to a texture of the AGAL machine.
fn texels_of(texture: &sdlbc_interp::Texture, dimension: agal_machine::Dimension) -> Texture {
    let level = |level: &sdlbc_interp::Level| Level::from_bytes(level.width, level.height, level.depth, &level.texels);
    Texture { dimension, levels: texture.levels.iter().map(level).collect() }
}

/// Returns the register file with the given name. Fails if the register file is not an input of the stage.
fn settable(name: &str, text: &str, stage: Stage) -> Result<File> {
    let files: &[File] = match stage {
        Stage::Vertex => &[File::Attribute, File::Constant, File::Sampler, File::Instance],
        Stage::Fragment => &[File::Varying, File::Constant, File::Sampler],
    };
    let aliases = [("vi", File::Varying), ("fi", File::Varying), ("i", File::Varying)];
    let named = files.iter().copied().find(|file| file.name(stage) == name);
    let named = named.or_else(|| aliases.into_iter().find(|(alias, _)| *alias == name).map(|(_, file)| file));
    named.filter(|file| files.contains(file)).ok_or_else(|| {
        let names: Vec<&str> = files.iter().map(|file| file.name(stage)).collect();
        let (last, others) = names.split_last().map_or(("", &[][..]), |(last, others)| (*last, others));
        let others = others.join(", ");
        UsageError(format!("`{text}` cannot be set: the inputs of a {stage} program are {others} and {last}")).into()
    })
}

struct Report<'a> {
    input: &'a Input,
    program: &'a Program,
    outputs: &'a Outputs,
    traces: &'a [Trace],
}

impl Report<'_> {
    /// Returns the token number of the first `kil` that discards the fragment.
    fn killer(&self) -> Option<usize> {
        let kills = |trace: &&Trace| matches!(trace.effect, Effect::Killed(killed) if killed[0]);
        self.traces.iter().find(kills).map(|trace| trace.token)
    }

    fn text(&self, trace: bool) -> String {
        let mut text = if trace { self.trace() + "\n" } else { String::new() };
        if let Some(token) = self.killer() {
            return text + &format!("the fragment is discarded by the `kil` at token {token}\n");
        }
        for output in &self.outputs.registers {
            let name = register(output.file, output.number, self.program.stage);
            text += &match output.written[0] {
                Mask(0) => format!("{name} is not written\n"),
                mask => format!("{}\n", assignment(&name, mask, output.values[0])),
            };
        }
        text
    }

    /// Formats the trace with one line per token.
    fn trace(&self) -> String {
        let mut depth = 0usize;
        let mut lines = Vec::new();
        for token in &self.program.tokens {
            let meaning = meaning(token);
            let closes = matches!(meaning, Some(Meaning::Else | Meaning::EndIf));
            let opens = matches!(meaning, Some(Meaning::If(_) | Meaning::Else));
            depth = depth.saturating_sub(usize::from(closes));
            lines.push(format!("{}{}", "  ".repeat(depth.min(16)), instruction(token, self.program.stage)));
            depth += usize::from(opens);
        }
        let width = lines.iter().map(String::len).filter(|&length| length <= WIDEST_INSTRUCTION).max().unwrap_or(0);
        let digits = lines.len().to_string().len();
        let mut text = String::new();
        for (line, trace) in lines.into_iter().zip(self.traces) {
            let effect = self.effect(trace);
            text += format!("{:digits$}  {line:width$}  {effect}", trace.token).trim_end();
            text.push('\n');
        }
        text
    }

    fn effect(&self, trace: &Trace) -> String {
        let meaning = self.program.tokens.get(trace.token - 1).and_then(meaning);
        match trace.effect {
            // The trace shows no effect for `els` and `eif`.
            Effect::Active(_) if matches!(meaning, Some(Meaning::Else | Meaning::EndIf)) => String::new(),
            _ if !trace.ran[0] => "skipped".to_string(),
            Effect::Active(lanes) if lanes[0] => "holds".to_string(),
            Effect::Active(_) => "does not hold".to_string(),
            Effect::Killed(lanes) if lanes[0] && self.killer() < Some(trace.token) => "discarded already".to_string(),
            Effect::Killed(lanes) if lanes[0] => "discarded".to_string(),
            Effect::Killed(_) => "not discarded".to_string(),
            Effect::Wrote(file, number, mask, values) => {
                assignment(&register(file, number, self.program.stage), mask, values[0])
            }
        }
    }

    fn json(&self, trace: bool, unset: &[String]) -> Result<String> {
        let stage = self.program.stage;
        let outputs = self.outputs.registers.iter().map(|output| JsonRegister {
            register: register(output.file, output.number, stage),
            written: output.written[0].to_string(),
            values: output.values[0].map(Number),
        });
        let traced = |trace: &Trace| {
            let token = self.program.tokens.get(trace.token - 1);
            let condition = token.is_some_and(|token| matches!(meaning(token), Some(Meaning::If(_))));
            let (mut wrote, mut holds, mut discarded) = (None, None, None);
            match trace.effect {
                _ if !trace.ran[0] => {}
                Effect::Active(lanes) => holds = Some(lanes[0]).filter(|_| condition),
                Effect::Killed(lanes) => discarded = Some(lanes[0]),
                Effect::Wrote(file, number, mask, values) => {
                    let register = register(file, number, stage);
                    wrote = Some(JsonRegister { register, written: mask.to_string(), values: values[0].map(Number) });
                }
            }
            JsonTrace {
                token: trace.token,
                instruction: token.map_or(String::new(), |token| instruction(token, stage)),
                ran: trace.ran[0],
                wrote,
                holds,
                discarded,
            }
        };
        let report = JsonRun {
            file: &self.input.name,
            stage: stage.to_string(),
            version: self.program.version,
            unset,
            discarded_by: self.killer(),
            outputs: outputs.collect(),
            trace: trace.then(|| self.traces.iter().map(traced).collect()),
        };
        Ok(serde_json::to_string_pretty(&report)? + "\n")
    }
}

fn meaning(token: &Token) -> Option<Meaning> {
    token.op().map(|op| op.row().meaning)
}

/// Formats the values of a register's components that are in the mask.
fn assignment(name: &str, mask: Mask, values: [f32; 4]) -> String {
    let part = if mask == Mask::ALL { String::new() } else { format!(".{mask}") };
    let value = |component: u8| values.get(usize::from(component)).copied().unwrap_or_default();
    let list: Vec<String> = mask.components().map(|component| decimal(value(component))).collect();
    format!("{name}{part} = {}", list.join(", "))
}

#[derive(Serialize)]
struct JsonRun<'a> {
    file: &'a str,
    stage: String,
    version: u32,
    unset: &'a [String],
    discarded_by: Option<usize>,
    outputs: Vec<JsonRegister>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Vec<JsonTrace>>,
}

#[derive(Serialize)]
struct JsonRegister {
    register: String,
    written: String,
    values: [Number; 4],
}

#[derive(Serialize)]
struct JsonTrace {
    token: usize,
    instruction: String,
    ran: bool,
    #[serde(flatten)]
    wrote: Option<JsonRegister>,
    #[serde(skip_serializing_if = "Option::is_none")]
    holds: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    discarded: Option<bool>,
}

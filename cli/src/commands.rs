//! The commands of agalc. Each command reads and translates its inputs, generates all outputs, and only then writes the outputs.

mod about;
mod compare;
mod compile;
mod draw;
mod extract;
mod inspect;
mod loading;
mod optimise;
mod render;
mod run;
mod validate;

use std::path::{Path, PathBuf};

use agal_front::disassemble::{annotate, disassemble};
use agalc::names::Names;
use agalc::{Form, Input, InputErrorKind, Options, Source, Stage};
use anyhow::{Result, anyhow};
use sdlbc::Module;

use crate::args::{
    Assemble, Check, Command, Convert, DebugLevel, Disassemble, Dump, Fmt, Lsp, Reading, Show, Strip, Verify,
};
use crate::batch::{Batch, FileFilter, Success, is_batch, wrong_inputs};
use crate::files::Files;
use crate::output::{Kind, PendingOutput, Sink, check_name, usage};
use crate::report;
use loading::{all, loaded, program, read, read_all, shown, shown_of, with_names};

pub(crate) fn run(files: &Files, command: Command) -> Result<()> {
    match command {
        Command::Compile(args) => compile::run(files, &args),
        Command::Extract(args) => extract::run(files, &args),
        Command::Assemble(args) => assemble(files, &args),
        Command::Disassemble(args) => disassemble_all(files, &args),
        Command::Fmt(args) => fmt(files, &args),
        Command::Optimise(args) => optimise::run(files, &args),
        Command::Print(args) => print(files, &args),
        Command::Dump(args) => dump(files, &args),
        Command::Validate(args) => validate::validate(files, &args),
        Command::Link(args) => validate::link(files, &args),
        Command::Verify(args) => verify_all(files, &args),
        Command::Inspect(args) => {
            let Check { inputs, reading } = &args.checked;
            let loaded = shown(files, inputs, reading, true)?;
            let report = match report::is_json() {
                true => inspect::json(&loaded),
                false => inspect::describe(&loaded),
            };
            text(files, &args, "report", report)
        }
        Command::CheckDraw(args) => draw::run(files, &args),
        Command::Run(args) => run::run(files, &args),
        Command::Render(args) => render::run(files, &args),
        Command::Compare(args) => compare::run(files, &args),
        Command::Strip(args) => strip(files, &args),
        Command::Explain(args) => about::explain(files, &args),
        Command::Lsp(Lsp { stdio: _ }) => about::lsp(),
        Command::Completions(args) => about::completions(files, &args),
        Command::Man(args) => about::man(files, &args),
    }
}

/// `print`: writes a program or a module as module text. Comments in module text are preserved.
fn print(files: &Files, args: &Show) -> Result<()> {
    check_name(&args.output, "module text", &Kind::COMPILED)?;
    let (inputs, reading) = (read_all(files, &args.checked.inputs)?, &args.checked.reading);
    let options = reading.opening();
    let sources = Source::all(&inputs, &options);
    if let [source] = &sources[..]
        && source.form() == Form::ModuleText
    {
        let program = crate::input::read_shown(source, &options)?;
        report::file_warnings(&program.warnings, &reading.judging)?;
        let module = program.module().ok_or_else(|| anyhow!("`{}` is not a module", program.name))?;
        let printed = match &module.comments {
            Some(comments) => sdlbc::print_with(module.module(), comments),
            None => sdlbc::print(module.module()),
        };
        return text(files, args, "SDLSHADERBC text", printed);
    }
    let loaded = shown_of(files, &args.checked.inputs, &sources, reading, DebugLevel::Names, false)?;
    text(files, args, "SDLSHADERBC text", sdlbc::print(&loaded.module))
}

/// `fmt`: formats AGAL text files in place. If one of the files has errors, no file is changed.
fn fmt(files: &Files, args: &Fmt) -> Result<()> {
    let inputs = read_all(files, &args.inputs)?;
    let options = Options::default().stage(args.stage);
    let programs = inputs.iter().flat_map(|input| Source::open(input, &options).read_programs(&options));
    let refused = programs.map(|read| {
        let program = read.map_err(|error| match error.kind {
            InputErrorKind::NotAgal => anyhow!("`{}` is not AGAL text, but `fmt` formats only AGAL text", error.name),
            _ => report::load_error(&error),
        })?;
        if program.agal().is_none() {
            return Err(anyhow!("`{}` is not AGAL text, but `fmt` formats only AGAL text", program.name));
        }
        if program.text.is_none() {
            return Err(anyhow!("`{}` is bytecode, but `fmt` formats only text", program.name));
        }
        if program.warnings.iter().any(agalc::Warning::is_note) {
            return Err(anyhow!(
                "`{}` has other text around its AGAL, but `fmt` formats only files of AGAL text: `agalc assemble --expand` prints the AGAL",
                program.name
            ));
        }
        program.sound().map(drop).map_err(|error| report::load_error(&error))
    });
    all(refused.collect())?;
    let mut outputs = Vec::new();
    for (path, input) in args.inputs.iter().zip(&inputs) {
        let Ok(text) = std::str::from_utf8(&input.bytes) else {
            return Err(anyhow!("`{}` is not in UTF-8; save it as UTF-8", input.name));
        };
        let name = match args.stage {
            Some(Stage::Vertex) => "program.vert.agal",
            Some(Stage::Fragment) => "program.frag.agal",
            None => &input.name,
        };
        let formatted = agalc_lsp::formatted(name, text);
        let sink = Sink::new(path);
        if formatted != text || sink == Sink::Stdout && !args.check {
            outputs.push(PendingOutput::text(sink, "AGAL text", formatted));
        }
    }
    if args.check {
        let names: Vec<String> = outputs.iter().map(|output| output.sink.quoted()).collect();
        return if names.is_empty() { Ok(()) } else { Err(anyhow!("not formatted: {}", names.join(", "))) };
    }
    files.rewrite(outputs)
}

/// `strip`: removes the debug table from a module, and optionally writes the table to a separate file.
fn strip(files: &Files, args: &Strip) -> Result<()> {
    for path in [&args.output].into_iter().chain(&args.debug_table) {
        check_name(path, "a module", &Kind::NOT_MODULES)?;
    }
    let input = read(files, &args.input)?;
    let options = Options::default().step_over(true);
    let read = crate::input::read_shown(&Source::open(&input, &options), &options)?;
    let Some(of) = read.module() else {
        return Err(anyhow!("`{}` is a program, which has no debug table", input.name));
    };
    let dialect = args.dialect.unwrap_or_else(|| sdlbc::dialect(&input.bytes));
    let (program, mut table) = sdlbc::split(of.module());
    // The stripped file keeps the unknown parts of the input, which the decoded module does not contain.
    let stripped = |dialect| sdlbc::stripped(&input.bytes, dialect).map_err(|error| anyhow!("{}: {error}", input.name));
    let is_unknown = |warning: &&agalc::Warning| matches!(warning.kind, agalc::WarningKind::Unknown(_));
    let unknown: Vec<_> = read.warnings.iter().filter(is_unknown).cloned().collect();
    report::notes(&unknown);
    let has_unknown = !unknown.is_empty();
    if has_unknown {
        table.debug.program = sdlbc::checksum(&stripped(sdlbc::Dialect::Text)?);
    }
    let make = |path: &Path, what: &str, module: &Module, dialect| {
        let is_text = Kind::from_path(path) == Some(Kind::Sdlasm);
        let bytes = if is_text {
            sdlbc::print(module).into_bytes()
        } else if has_unknown && !module.functions.is_empty() {
            stripped(dialect)?
        } else {
            sdlbc::encode_readable(module, dialect).map_err(|error| anyhow!("{}: {error}", input.name))?
        };
        Ok::<_, anyhow::Error>(PendingOutput { sink: Sink::new(path), what: what.into(), bytes, is_text })
    };
    let mut made = vec![make(&args.output, "SDLSHADERBC", &program, dialect)?];
    if let Some(path) = &args.debug_table {
        made.push(make(path, "debug table", &table, sdlbc::Dialect::Text)?);
    }
    files.write(made)
}

fn text(files: &Files, args: &Show, what: &str, text: String) -> Result<()> {
    files.write_text(Sink::new(&args.output), what, text)
}

fn assemble(files: &Files, args: &Assemble) -> Result<()> {
    let Assemble { convert, expand } = args;
    check_name(&convert.output, "AGAL", &Kind::NOT_AGAL)?;
    let sink = Sink::new(&convert.output);
    if *expand {
        return files.write_text(sink, "AGAL text", expanded(&read(files, &convert.input)?, convert)?);
    }
    let program = program(files, convert, "`agalc compile` translates it to AGAL")?;
    let what = if program.agal().is_some() { "AGAL" } else { "code words" };
    let bytes = program.encode().unwrap_or_default();
    files.write(vec![PendingOutput::binary(sink, what, bytes)])
}

fn disassemble_all(files: &Files, args: &Disassemble) -> Result<()> {
    let (text, judging) = (&args.text, &args.judging);
    let convert = |input: &Path, output: &Path| Convert {
        input: input.to_path_buf(),
        output: output.to_path_buf(),
        text: text.clone(),
        judging: judging.clone(),
    };
    let input = match &args.inputs[..] {
        [input] if !is_batch(&args.batch, &args.inputs, 1) => input,
        _ if args.output.as_os_str() == "-" => {
            return Err(wrong_inputs(&args.inputs, "a batch is written to a folder: name one with -o"));
        }
        inputs => {
            let batch = Batch::new(inputs, FileFilter::Programs, Success::Written, &args.batch)?;
            return batch.run(files, |shader, files| {
                let Some(input) = shader.inputs.first() else { return Ok(()) };
                let is_es2 = input.extension().is_some_and(|of| of == "es2bc" || of == "es2");
                let output = shader.output(&args.output, if is_es2 { "es2" } else { "agal" });
                disassemble_file(files, args, &convert(input, &output))
            });
        }
    };
    disassemble_file(files, args, &convert(input, &args.output))
}

fn disassemble_file(files: &Files, args: &Disassemble, convert: &Convert) -> Result<()> {
    check_name(&convert.output, "AGAL text", &Kind::NOT_AGAL)?;
    let program = program(files, convert, "`agalc print` shows it")?;
    let (what, text) = match program.agal() {
        None => {
            let is_plain = !args.annotate && args.naming.names(files, &[], &args.judging)?.is_empty();
            if !is_plain {
                return usage("annotations and names are only for AGAL programs");
            }
            ("assembly text", program.disassemble().map_err(|error| report::load_error(&error))?)
        }
        Some(agal) => {
            let mut names = Names::from_source(&agal.names);
            names.extend(args.naming.names(files, &[], &args.judging)?);
            let text = if args.annotate { annotate(&agal.program) } else { disassemble(&agal.program) };
            ("AGAL text", with_names(text, &names.comments(agal.program.stage)))
        }
    };
    files.write_text(Sink::new(&convert.output), what, text)
}

/// Expands the macro language in the text of an input, and reports warnings.
fn expanded(input: &Input, args: &Convert) -> Result<String> {
    let options = args.text.options(args.judging.rules());
    let mut expanded = Source::open(input, &options).expand(&options).map_err(|error| match error.kind {
        InputErrorKind::NotText => anyhow!("`{}` is not text, so there is nothing to expand", error.name),
        InputErrorKind::NotAgal => {
            anyhow!("`{}` is not AGAL; its macros are expanded when it is assembled", error.name)
        }
        _ => report::load_error(&error),
    })?;
    report::drop_silenced(&args.judging, &mut expanded.findings);
    report::show(&input.name, Some(&expanded.source), &expanded.findings);
    report::file_warnings(&expanded.warnings, &args.judging)?;
    report::uploads(&expanded.aliases);
    let comments: String = expanded.names.iter().map(|name| format!("// {name}\n")).collect();
    Ok(with_names(expanded.text, &comments))
}

fn dump(files: &Files, args: &Dump) -> Result<()> {
    let (graph, args) = (args.graph, &args.show);
    if graph {
        let Check { inputs, reading } = &args.checked;
        let module = shown(files, inputs, reading, false)?.module;
        return text(files, args, "graph", sdlbc::graph(&module));
    }
    let mut shown = String::new();
    let mut damaged = None;
    for path in &args.checked.inputs {
        let input = read(files, path)?;
        let reading = &args.checked.reading;
        let options = reading.opening();
        let source = Source::open(&input, &options);
        if source.form() == Form::Sdlbc {
            let dump = sdlbc::dump(&input.bytes);
            shown += &dump.text;
            let of = |unknown| agalc::Warning { name: input.name.clone(), kind: agalc::WarningKind::Unknown(unknown) };
            let notes: Vec<_> = dump.unknown.iter().cloned().map(of).collect();
            report::file_warnings(&notes, &reading.judging)?;
            if !dump.good && notes.is_empty() {
                damaged = Some(input.name);
            }
            continue;
        }
        if let Some((text, is_good)) = source.listing() {
            shown += &text;
            if !is_good {
                damaged = Some(input.name);
            }
            continue;
        }
        let program = crate::input::read_shown(&source, &options)?;
        let warnings = program.warnings.iter().filter(|found| !matches!(found.kind, agalc::WarningKind::Rule(..)));
        report::file_warnings(&warnings.cloned().collect::<Vec<_>>(), &reading.judging)?;
        shown += &program.listing().unwrap_or_default();
    }
    text(files, args, "dump", shown)?;
    damaged.map_or(Ok(()), |name| Err(anyhow!("{name}: the file is damaged")))
}

fn verify_all(files: &Files, args: &Verify) -> Result<()> {
    if !is_batch(&args.batch, &args.inputs, 2) {
        return verify(files, &args.inputs, &args.reading);
    }
    let batch = Batch::new(&args.inputs, FileFilter::Shaders, Success::Accepted, &args.batch)?;
    batch.run(files, |shader, files| verify(files, &shader.inputs, &args.reading))
}

fn verify(files: &Files, inputs: &[PathBuf], reading: &Reading) -> Result<()> {
    loaded(files, inputs, reading, DebugLevel::Names).map(drop)
}

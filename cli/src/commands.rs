//! The commands. Each reads its inputs, translates them, generates all outputs, and then writes them.

mod about;
mod compare;
mod compile;
mod draw;
mod es2;
mod extract;
mod inspect;
mod optimise;
mod render;
mod run;
mod validate;

pub(crate) use compile::stage_named_by;

use std::path::{Path, PathBuf};

use agal_front::Stage;
use agal_front::disassemble::{annotate, disassemble, instruction};
use agal_front::program::HEADER_BYTES;
use agal_front::token::TOKEN_BYTES;
use agalc::found;
use agalc::names::Names;
use agalc::{Agal, Content, ErrorKind, Es2, Form, Input, Ir, Item, Loaded, Options, detect, items};
use anyhow::{Result, anyhow};
use sdlbc::Module;

use crate::args::{
    Assemble, Check, Command, Convert, DebugLevel, Disassemble, Dump, Fmt, Kind, Lsp, Reading, Show, Strip, Verify,
};
use crate::batch::{Batch, Done, Takes, is_batch, usage};
use crate::files::Files;
use crate::input::load;
use crate::output::{PendingOutput, Sink, UsageError, check_name};
use crate::{report, shown};

/// Runs a command.
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
            let Check { inputs, reading } = &args.show.checked;
            let items = read_all(files, inputs)?;
            let mut options = reading.options(files, inputs, &items, DebugLevel::Names)?;
            (options.step_over, options.show_broken) = (true, true);
            let module = agalc::module(&self::items(&items, reading.text.stage()), &options);
            let loaded = report::loaded(module, &reading.judging)?;
            let report = match report::is_json() {
                true => inspect::json(&loaded),
                false => inspect::describe(&loaded),
            };
            text(files, &args.show, "report", report)
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

/// `print`: the text of a module. Comments of module text are kept.
fn print(files: &Files, args: &Show) -> Result<()> {
    check_name(&args.output, "module text", &Kind::COMPILED)?;
    let (inputs, reading) = (read_all(files, &args.checked.inputs)?, &args.checked.reading);
    if let [input] = &inputs[..]
        && detect(&input.bytes) == Form::ModuleText
        && let Content::Ir(ir) =
            load(&Item::new(input, reading.text.stage()), &reading.text.options(reading.judging.rules()))?
        && let Some((_, comments)) = &ir.text
    {
        let ir = ir.clone().shown(&Options::default()).map_err(|error| report::load_error(&error))?;
        report::file_warnings(&ir.warnings, &reading.judging)?;
        return text(files, args, "SDLSHADERBC text", sdlbc::print_with(&ir.module, comments));
    }
    let mut options = reading.options(files, &args.checked.inputs, &inputs, DebugLevel::Names)?;
    options.show_broken = true;
    text(files, args, "SDLSHADERBC text", sdlbc::print(&loaded_with(&inputs, reading, &options)?.module))
}

/// `fmt`: formats AGAL texts in place, all of them or none.
fn fmt(files: &Files, args: &Fmt) -> Result<()> {
    let inputs = read_all(files, &args.inputs)?;
    let stage = args.stage.map(Stage::from);
    let programs = inputs.iter().flat_map(|input| items(std::slice::from_ref(input), stage));
    let refused = programs.map(|item| match load(&item, &Options::default())? {
        Content::Agal(agal) if agal.text.is_none() => {
            Err(anyhow!("`{}` is bytecode, and `fmt` formats text", agal.name))
        }
        Content::Agal(agal) if agal.warnings.iter().any(agalc::Warning::is_note) => Err(anyhow!(
            "`{}` holds AGAL with something around it, and `fmt` formats AGAL alone: `agalc assemble --expand` prints that",
            agal.name
        )),
        Content::Agal(agal) => agal.sound().map(drop).map_err(|error| report::load_error(&error)),
        content => Err(anyhow!("`{}` is not AGAL text, which is what `fmt` formats", content.name())),
    });
    all(refused.collect())?;
    let mut outputs = Vec::new();
    for (path, input) in args.inputs.iter().zip(&inputs) {
        let Ok(text) = std::str::from_utf8(&input.bytes) else {
            return Err(anyhow!("`{}` is not in UTF-8; save it as that", input.name));
        };
        let name = match stage {
            Some(Stage::Vertex) => "program.vert.agal",
            Some(Stage::Fragment) => "program.frag.agal",
            None => &input.name,
        };
        let formatted = agalc_lsp::formatted(name, text);
        let sink = Sink::new(path);
        if formatted != text || sink == Sink::Stdout && !args.check {
            outputs.push(PendingOutput {
                sink,
                what: "AGAL text".into(),
                bytes: formatted.into_bytes(),
                is_text: true,
            });
        }
    }
    if args.check {
        let names: Vec<String> = outputs.iter().map(|output| output.sink.quoted()).collect();
        return if names.is_empty() { Ok(()) } else { Err(anyhow!("not formatted: {}", names.join(", "))) };
    }
    files.rewrite(outputs)
}

/// `strip`: removes the debug table from a module, and may write it to a file of its own.
fn strip(files: &Files, args: &Strip) -> Result<()> {
    for path in [&args.output].into_iter().chain(&args.debug_table) {
        check_name(path, "a module", &Kind::NOT_MODULES)?;
    }
    let input = read(files, &args.input)?;
    let Content::Ir(ir) = load(&Item::new(&input, None), &Options { step_over: true, ..Options::default() })? else {
        return Err(anyhow!("`{}` is a program, which has no debug table", input.name));
    };
    let dialect = args.dialect.map_or_else(|| sdlbc::dialect(&input.bytes), Into::into);
    let (program, mut table) = sdlbc::split(&ir.module);
    // What is not known is not in the module, but it is in the file.
    let kept = |dialect| sdlbc::stripped(&input.bytes, dialect).map_err(|error| anyhow!("{}: {error}", input.name));
    let is_unknown = |warning: &&agalc::Warning| matches!(warning.kind, agalc::WarningKind::Unknown(_));
    let unknown: Vec<_> = ir.warnings.iter().filter(is_unknown).cloned().collect();
    report::notes(&unknown);
    let keeps = !unknown.is_empty();
    if keeps {
        table.debug.program = sdlbc::checksum(&kept(sdlbc::Dialect::Text)?);
    }
    let make = |path: &Path, what: &str, module: &Module, dialect| {
        let is_text = Kind::from_path(path) == Some(Kind::Sdlasm);
        let bytes = if is_text {
            sdlbc::print(module).into_bytes()
        } else if keeps && !module.functions.is_empty() {
            kept(dialect)?
        } else {
            sdlbc::encode_readable(module, dialect).map_err(|error| anyhow!("{}: {error}", input.name))?
        };
        Ok::<PendingOutput, anyhow::Error>(PendingOutput { sink: Sink::new(path), what: what.into(), bytes, is_text })
    };
    let mut made = vec![make(&args.output, "SDLSHADERBC", &program, dialect)?];
    if let Some(path) = &args.debug_table {
        made.push(make(path, "debug table", &table, sdlbc::Dialect::Text)?);
    }
    files.write(made)
}

fn text(files: &Files, args: &Show, what: &str, text: String) -> Result<()> {
    write_text(files, Sink::new(&args.output), what, text)
}

fn write_text(files: &Files, sink: Sink, what: &str, text: String) -> Result<()> {
    files.write_text(sink, what, text)
}

/// Builds the module of one or two inputs, and reports warnings.
fn module(files: &Files, paths: &[PathBuf], reading: &Reading) -> Result<Module> {
    Ok(loaded(files, paths, reading, DebugLevel::Names, false)?.module)
}

/// Like [`module`], with the given level of detail about AGAL programs in the debug table, and with these programs.
/// A single module that breaks rules is an error, unless it is only shown.
fn loaded(files: &Files, paths: &[PathBuf], reading: &Reading, debug: DebugLevel, show_broken: bool) -> Result<Loaded> {
    let inputs = read_all(files, paths)?;
    let options = Options { show_broken, ..reading.options(files, paths, &inputs, debug)? };
    loaded_with(&inputs, reading, &options)
}

/// Reads every input.
fn read_all(files: &Files, paths: &[PathBuf]) -> Result<Vec<Input>> {
    paths.iter().map(|path| read(files, path)).collect()
}

/// Reads a program or a module. A template or a piece of an extraction is neither.
fn read(files: &Files, path: &Path) -> Result<Input> {
    let input = files.read(path)?;
    found::unfinished(path).map_or(Ok(()), |unfinished| Err(report::unfinished(&input.name, unfinished)))?;
    Ok(input)
}

fn loaded_with(inputs: &[Input], reading: &Reading, options: &Options) -> Result<Loaded> {
    report::loaded(agalc::module(&items(inputs, reading.text.stage()), options), &reading.judging)
}

/// Returns all values, or the last error after the others have been reported.
fn all<T>(results: Vec<Result<T>>) -> Result<Vec<T>> {
    let mut values = Vec::new();
    let mut last = None;
    for result in results {
        match result {
            Ok(value) => values.push(value),
            Err(error) => {
                if let Some(earlier) = last.replace(error) {
                    report::error(&earlier);
                }
            }
        }
    }
    last.map_or(Ok(values), Err)
}

fn assemble(files: &Files, args: &Assemble) -> Result<()> {
    let Assemble { convert, expand } = args;
    check_name(&convert.output, "AGAL", &Kind::NOT_AGAL)?;
    let sink = Sink::new(&convert.output);
    if *expand {
        let text = expanded(&read(files, &convert.input)?, convert)?;
        return files.write(vec![PendingOutput {
            sink,
            what: "AGAL text".into(),
            bytes: text.into_bytes(),
            is_text: true,
        }]);
    }
    let (what, bytes) = match program(files, convert, "it cannot be converted back to AGAL")? {
        Program::Agal(agal) => ("AGAL", agal.program.encode()),
        Program::Es2(es2) => ("code words", es2.program.encode()),
    };
    files.write(vec![PendingOutput { sink, what: what.into(), bytes, is_text: false }])
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
            return Err(usage(&args.inputs, "a batch is written to a folder: name one with -o"));
        }
        inputs => {
            let batch = Batch::new(inputs, Takes::Programs, Done::Written, &args.batch)?;
            let (_, done) = batch.run(files, |shader, files| {
                let Some(input) = shader.inputs.first() else { return Ok(()) };
                let is_es2 = input.extension().is_some_and(|of| of == "es2bc" || of == "es2");
                let output = shader.output(&args.output, if is_es2 { "es2" } else { "agal" });
                disassemble_file(files, args, &convert(input, &output))
            })?;
            return done;
        }
    };
    disassemble_file(files, args, &convert(input, &args.output))
}

fn disassemble_file(files: &Files, args: &Disassemble, convert: &Convert) -> Result<()> {
    check_name(&convert.output, "AGAL text", &Kind::NOT_AGAL)?;
    let (what, text) = match program(files, convert, "`agalc print` shows it")? {
        Program::Es2(es2) => {
            let is_plain = !args.annotate && args.naming.names(files, &[], &args.judging)?.is_empty();
            if !is_plain {
                return Err(UsageError("annotations and names are for AGAL".into()).into());
            }
            // What no text says is an error of the program too.
            let mut checked = [*es2];
            agalc::check_es2(&mut checked, &Options::default());
            let [es2] = checked;
            let Some(text) = es2.disassembled() else {
                return Err(es2.sound().map_or_else(|error| report::load_error(&error), |_| anyhow!("it has no text")));
            };
            ("assembly text", text)
        }
        Program::Agal(agal) => {
            let mut names = Names::from_source(&agal.names);
            names.extend(args.naming.names(files, &[], &args.judging)?);
            let text = if args.annotate { annotate(&agal.program) } else { disassemble(&agal.program) };
            ("AGAL text", with_names(text, &names.comments(agal.program.stage)))
        }
    };
    let sink = Sink::new(&convert.output);
    files.write(vec![PendingOutput { sink, what: what.into(), bytes: text.into_bytes(), is_text: true }])
}

/// Adds comments to AGAL text, after the header comment if there is one, which must be in the first line.
fn with_names(text: String, comments: &str) -> String {
    match text.split_once('\n').filter(|(first, _)| first.to_ascii_lowercase().starts_with("// agal ")) {
        Some((header, rest)) => format!("{header}\n{comments}{rest}"),
        None => format!("{comments}{text}"),
    }
}

/// Expands the macro language in the text of an input, and reports warnings.
fn expanded(input: &Input, args: &Convert) -> Result<String> {
    let item = Item::new(input, args.text.stage());
    let (expansion, text, warnings) =
        agalc::expand(&item, &args.text.options(args.judging.rules())).map_err(|error| match error.kind {
            ErrorKind::NotText => anyhow!("`{}` is not text, so there is nothing to expand", error.name),
            ErrorKind::NotAgal => anyhow!("`{}` is not AGAL; its macros are expanded when it is assembled", error.name),
            _ => report::load_error(&error),
        })?;
    let mut findings = expansion.warnings;
    report::drop_silenced(&args.judging, &mut findings);
    report::show(&input.name, Some(&text), None, &findings);
    report::file_warnings(&warnings, &args.judging)?;
    report::uploads(&expansion.aliases);
    let comments: String = expansion.names.iter().map(|name| format!("// {name}\n")).collect();
    Ok(with_names(expansion.text, &comments))
}

/// A program in one of the languages that can be assembled.
enum Program {
    Agal(Box<Agal>),
    Es2(Box<Es2>),
}

/// Reads the program of an input, and reports warnings. If the input is a module, the error ends with `instead`.
fn program(files: &Files, args: &Convert, instead: &str) -> Result<Program> {
    let input = read(files, &args.input)?;
    match load(&Item::new(&input, args.text.stage()), &args.text.options(args.judging.rules()))? {
        Content::Agal(agal) => {
            let agal = agal.sound().map_err(|error| report::load_error(&error))?;
            report::program(&agal, &args.judging);
            report::file_warnings(&agal.warnings, &args.judging)?;
            Ok(Program::Agal(Box::new(agal)))
        }
        Content::Es2(es2) => {
            let es2 = es2.sound().map_err(|error| report::load_error(&error))?;
            report::es2(&es2, &args.judging);
            report::file_warnings(&es2.warnings, &args.judging)?;
            Ok(Program::Es2(Box::new(es2)))
        }
        Content::Ir(_) => Err(anyhow!("`{}` is an SDLSHADERBC file; {instead}", input.name)),
    }
}

fn dump(files: &Files, args: &Dump) -> Result<()> {
    let (graph, args) = (args.graph, &args.show);
    if graph {
        let (Check { inputs, reading }, show_broken) = (&args.checked, true);
        let module = loaded(files, inputs, reading, DebugLevel::Names, show_broken)?.module;
        return text(files, args, "graph", sdlbc::graph(&module));
    }
    let mut shown = String::new();
    let mut damaged = None;
    for path in &args.checked.inputs {
        let input = read(files, path)?;
        if detect(&input.bytes) == Form::Sdlbc {
            let dump = sdlbc::dump(&input.bytes);
            shown += &dump.text;
            let of = |unknown| agalc::Warning { name: input.name.clone(), kind: agalc::WarningKind::Unknown(unknown) };
            let notes: Vec<_> = dump.unknown.iter().cloned().map(of).collect();
            report::file_warnings(&notes, &args.checked.reading.judging)?;
            if !dump.good && notes.is_empty() {
                damaged = Some(input.name);
            }
            continue;
        }
        if detect(&input.bytes) == Form::Es2Code {
            let (text, is_good) = es2::dump(&input.bytes);
            shown += &text;
            if !is_good {
                damaged = Some(input.name);
            }
            continue;
        }
        let reading = &args.checked.reading;
        let content = load(&Item::new(&input, reading.text.stage()), &reading.text.options(reading.judging.rules()))?;
        report::file_warnings(content.warnings(), &reading.judging)?;
        match content {
            Content::Agal(agal) => shown += &dump_agal(&agal.program),
            Content::Es2(es2) => shown += &es2::dump(&es2.program.encode()).0,
            Content::Ir(ir) => shown += &sdlbc::dump(&sdlbc::encode(&ir.module)).text,
        }
    }
    text(files, args, "dump", shown)?;
    damaged.map_or(Ok(()), |name| Err(anyhow!("{name}: the file is damaged")))
}

/// Lists a program's words next to its instructions.
fn dump_agal(program: &agal_front::Program) -> String {
    let bytes = program.encode();
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let stage = match program.stage {
        Stage::Vertex => "vertex",
        Stage::Fragment => "fragment",
    };
    let mut text = format!(
        "{:06x}  {}  AGAL {}, {stage} program\n",
        0,
        hex(bytes.get(..HEADER_BYTES).unwrap_or_default()),
        program.version
    );
    for (index, token) in program.tokens.iter().enumerate() {
        let at = HEADER_BYTES + index * TOKEN_BYTES;
        text += &format!(
            "{at:06x}  {:08x} {:08x} {:016x} {:016x}  {:4}  {}\n",
            token.opcode,
            token.destination,
            token.sources[0],
            token.sources[1],
            index + 1,
            instruction(token, program.stage)
        );
    }
    if !program.trailing.is_empty() {
        let at = HEADER_BYTES + program.tokens.len() * TOKEN_BYTES;
        text += &format!("{at:06x}  {}  too few bytes for a token\n", hex(&program.trailing));
    }
    text
}

fn verify_all(files: &Files, args: &Verify) -> Result<()> {
    if !is_batch(&args.batch, &args.inputs, 2) {
        return verify(files, &args.inputs, &args.reading);
    }
    let batch = Batch::new(&args.inputs, Takes::Shaders, Done::Accepted, &args.batch)?;
    batch.run(files, |shader, files| verify(files, &shader.inputs, &args.reading))?.1
}

fn verify(files: &Files, inputs: &[PathBuf], reading: &Reading) -> Result<()> {
    let module = module(files, inputs, reading)?;
    // Building a module has verified it already; this command verifies what was built.
    let names: Vec<String> = inputs.iter().map(|path| shown::path(path)).collect();
    Ir::new(names.join(", "), module).verify().map_err(|error| report::load_error(&error))
}

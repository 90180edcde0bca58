//! The commands, each a page: read, translate, make everything, write.

mod compare;
mod compile;
mod inspect;
mod render;
mod run;
mod validate;

use std::path::{Path, PathBuf};

use agal_front::disassemble::{annotate, disassemble, instruction};
use agal_front::finding::Place;
use agal_front::lift::{Options, translate};
use agal_front::program::HEADER_BYTES;
use agal_front::token::TOKEN_BYTES;
use agal_front::{Finding, Profile, Program, Rules, Stage};
use anyhow::{Result, anyhow};
use sdlbc::{Debug, FunctionDebug, FunctionKind, Inst, Lines, Module, Op, Source, Unit};

use crate::args::{
    Assemble, Check, Command, Convert, DebugLevel, Disassemble, Dump, Format, Ifg, Index, Kind, Reading, Show, Strip,
    TextOptions,
};
use crate::files::Files;
use crate::input::{Agal, Content, Input, Ir, expanded, is_module_text, load, programs as programs_of};
use crate::output::{Made, Sink, UsageError};
use crate::{report, shown};

/// Runs a command.
pub(crate) fn run(command: Command) -> Result<()> {
    let files = &Files::default();
    match command {
        Command::Compile(args) => compile::run(files, &args),
        Command::Assemble(args) => assemble(files, &args),
        Command::Disassemble(args) => disassemble_file(files, &args),
        Command::Print(args) => print(files, &args),
        Command::Dump(args) => dump(files, &args),
        Command::Validate(args) => validate::validate(files, &args),
        Command::Link(args) => validate::link(files, &args),
        Command::Verify(args) => verify(files, &args),
        Command::Inspect(args) => {
            let module = module(files, &args.show.checked.inputs, &args.show.checked.reading)?;
            let report = if args.json || args.format == Format::Json {
                inspect::json(&module)?
            } else {
                inspect::describe(&module)
            };
            text(files, &args.show, "report", report)
        }
        Command::Run(args) => run::run(files, &args),
        Command::Render(args) => render::run(files, &args),
        Command::Compare(args) => compare::run(files, &args),
        Command::Strip(args) => strip(files, &args),
    }
}

/// `print`: the text of a module; a text's own comments stay.
fn print(files: &Files, args: &Show) -> Result<()> {
    let (inputs, reading) = (read_all(files, &args.checked.inputs)?, &args.checked.reading);
    if let [input] = &inputs[..]
        && is_module_text(input)?
        && let Content::Ir(ir) = load(input, &reading.text, &reading.judging.rules())?
        && let Some((_, comments)) = &ir.text
    {
        check(&input.name, &ir)?;
        return text(files, args, "SDLSHADERBC text", sdlbc::print_with(&ir.module, comments));
    }
    let module = module_of(files, inputs, reading, DebugLevel::Names)?;
    text(files, args, "SDLSHADERBC text", sdlbc::print(&module))
}

/// `strip`: the module without its debug table, which may go into a file of its own.
fn strip(files: &Files, args: &Strip) -> Result<()> {
    let input = files.read(&args.input)?;
    let Content::Ir(ir) = load(&input, &TextOptions::default(), &Rules::default())? else {
        return Err(anyhow!("`{}` is AGAL, which has no debug table", input.name));
    };
    let dialect = args.dialect.map_or_else(|| sdlbc::dialect(&input.bytes), Into::into);
    let (program, table) = sdlbc::split(&ir.module);
    let make = |path: &Path, what: &str, module: &Module, dialect| {
        let is_text = Kind::from_path(path) == Some(Kind::Sdlasm);
        let bytes = if is_text { sdlbc::print(module).into_bytes() } else { sdlbc::encode_in(module, dialect) };
        Made { sink: Sink::new(path), what: what.into(), bytes, is_text }
    };
    let mut made = vec![make(&args.output, "SDLSHADERBC", &program, dialect)];
    if let Some(path) = &args.debug_table {
        made.push(make(path, "debug table", &table, sdlbc::Dialect::Text));
    }
    files.write(made)
}

fn text(files: &Files, args: &Show, what: &str, text: String) -> Result<()> {
    let sink = Sink::new(&args.output);
    files.write(vec![Made { sink, what: what.into(), bytes: text.into_bytes(), is_text: true }])
}

/// The module of one or two inputs; warnings are reported.
fn module(files: &Files, paths: &[PathBuf], reading: &Reading) -> Result<Module> {
    module_with(files, paths, reading, DebugLevel::Names)
}

/// The same, with as much about AGAL programs in the debug table as is asked for.
fn module_with(files: &Files, paths: &[PathBuf], reading: &Reading, debug: DebugLevel) -> Result<Module> {
    module_of(files, read_all(files, paths)?, reading, debug)
}

/// Reads every input.
fn read_all(files: &Files, paths: &[PathBuf]) -> Result<Vec<Input>> {
    if paths.iter().filter(|path| path.as_os_str() == "-").count() > 1 {
        return Err(UsageError("standard input can be one input, not both".into()).into());
    }
    paths.iter().map(|path| files.read(path)).collect()
}

fn module_of(files: &Files, inputs: Vec<Input>, reading: &Reading, debug: DebugLevel) -> Result<Module> {
    // All inputs are read before the first is refused, so that each has its say.
    let rules = reading.judging.rules();
    let inputs = programs_of(inputs, &reading.text);
    let contents: Vec<Result<Content>> = inputs.iter().map(|(input, text)| load(input, text, &rules)).collect();
    let contents = all(contents)?;
    let mut programs = Vec::new();
    let mut module = Module::default();
    for ((input, _), content) in inputs.iter().zip(contents) {
        match content {
            Content::Agal(agal) => programs.push((input, *agal)),
            Content::Ir(mut ir) => {
                if let Some(path) = &reading.debug_table {
                    ir.module = attach(files, ir.module, path)?;
                }
                check(&input.name, &ir)?;
                append(&mut module, ir.module);
            }
        }
    }
    append(&mut module, lift(programs, reading, debug)?);
    // Vertex first, whatever the order of the inputs.
    if inputs.len() > 1 {
        pair(&mut module)?;
    }
    Ok(module)
}

/// All values, or the last error with the others said.
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

/// A text's version is the lowest that will do, but no higher than the profile has, so that what is too much for it is
/// found where it stands. In a pair, both must have the higher one.
fn share_version<'a>(programs: impl Iterator<Item = &'a mut Agal>, profile: Option<Profile>) {
    let programs: Vec<&mut Agal> = programs.collect();
    let version = programs.iter().map(|agal| agal.program.version).max().unwrap_or(1);
    let version = version.min(profile.map_or(version, Profile::version));
    for agal in programs.into_iter().filter(|agal| !agal.version_given) {
        agal.program.version = version;
    }
}

/// Lifts AGAL programs, as a pair if they are two.
fn lift(mut programs: Vec<(&Input, Agal)>, reading: &Reading, debug: DebugLevel) -> Result<Module> {
    checked(&mut programs, reading, debug)
}

/// The same; the programs have their version then, and are fit to run.
fn checked(programs: &mut [(&Input, Agal)], reading: &Reading, debug: DebugLevel) -> Result<Module> {
    share_version(programs.iter_mut().map(|(_, agal)| agal), reading.judging.rules().profile);
    let options = Options {
        strict_ifg: reading.ifg == Ifg::Strict,
        truncate_index: reading.index == Index::Trunc,
        signed_offset: reading.signed_offsets,
        rules: reading.judging.rules(),
    };
    let of: Vec<&Program> = programs.iter().map(|(_, agal)| &agal.program).collect();
    let (module, findings) = match translate(&of, &options) {
        Ok(mut lifted) => {
            for (index, ((input, agal), tokens)) in programs.iter().zip(lifted.tokens).enumerate() {
                note_source(&mut lifted.module, index as u32, (input, agal), tokens, debug);
            }
            (Some(lifted.module), lifted.findings)
        }
        Err(findings) => (None, findings),
    };
    let mut refused = Vec::new();
    for ((input, agal), found) in programs.iter().zip(findings) {
        let mut findings: Vec<Finding> = agal.warnings.clone();
        options.rules.judge(&mut findings);
        let map = agal.text.as_ref().map(|(_, map)| map);
        findings.extend(found.into_iter().map(|mut finding| {
            finding.place = map.map_or(finding.place, |map| map.locate(finding.place));
            finding
        }));
        let text = agal.text.as_ref().map(|(text, _)| text.as_str());
        report::silence(&reading.judging, &mut findings);
        if findings.iter().any(Finding::is_error) {
            refused.push(Err(report::refused(&input.name, text, Some(&agal.program), &findings)));
        } else {
            report::show(&input.name, text, Some(&agal.program), &findings);
            report::uploads(&agal.aliases);
        }
    }
    all::<()>(refused)?;
    module.ok_or_else(|| anyhow!("the programs cannot be translated"))
}

/// Adds to the debug table where a function's instructions come from.
fn note_source(module: &mut Module, function: u32, from: (&Input, &Agal), tokens: Vec<u32>, debug: DebugLevel) {
    if debug == DebugLevel::None {
        module.debug = Debug::default();
    }
    if debug < DebugLevel::Lines {
        return;
    }
    let (input, agal) = from;
    let mut source = Source { file: input.name.clone(), text: String::new(), unit: Unit::Token };
    let mut numbers = tokens;
    if let Some((text, map)) = &agal.text {
        let line = |token: u32| {
            let place = map.locate(Place { token: Some(token).filter(|&token| token > 0), ..Place::default() });
            place.span.map_or(0, |span| span.line)
        };
        numbers.iter_mut().for_each(|number| *number = line(*number));
        source.unit = Unit::Line;
        if debug == DebugLevel::Full {
            source.text.clone_from(text);
        }
    }
    let lines = Some(Lines { source: module.debug.sources.len() as u32, numbers });
    module.debug.sources.push(source);
    match module.debug.functions.iter_mut().find(|debug| debug.function == function) {
        Some(debug) => debug.lines = lines,
        None => module.debug.functions.push(FunctionDebug { function, lines, ..FunctionDebug::default() }),
    }
    module.debug.functions.sort_by_key(|debug| debug.function);
}

/// The module with the debug table of a file of its own.
fn attach(files: &Files, module: Module, path: &Path) -> Result<Module> {
    let input = files.read(path)?;
    match load(&input, &TextOptions::default(), &Rules::default())? {
        Content::Ir(table) => sdlbc::attach(module, table.module).map_err(|error| anyhow!("{}: {error}", input.name)),
        Content::Agal(_) => Err(anyhow!("`{}` is AGAL and no debug table", input.name)),
    }
}

/// Adds the functions of `more` to `module`, with what is known of them.
fn append(module: &mut Module, mut more: Module) {
    let functions = module.functions.len() as u32;
    let sources = module.debug.sources.len() as u32;
    for inst in more.functions.iter_mut().flat_map(|function| &mut function.body) {
        shift_calls(inst, functions);
    }
    module.functions.extend(more.functions);
    module.debug.sources.extend(more.debug.sources);
    module.debug.functions.extend(more.debug.functions.into_iter().map(|mut debug| {
        debug.function += functions;
        if let Some(lines) = &mut debug.lines {
            lines.source += sources;
        }
        debug
    }));
}

/// A CALL names its function by number.
fn shift_calls(inst: &mut Inst, by: u32) {
    if inst.op == Op::Call {
        inst.immediates.iter_mut().take(1).for_each(|callee| *callee += by);
    }
    inst.blocks.iter_mut().flatten().for_each(|inst| shift_calls(inst, by));
}

/// Refuses what is no pair, and puts the vertex function in front of the fragment function.
fn pair(module: &mut Module) -> Result<()> {
    let entries: Vec<FunctionKind> =
        module.functions.iter().map(|function| function.kind).filter(|&kind| kind != FunctionKind::Generic).collect();
    match entries[..] {
        [FunctionKind::Vertex, FunctionKind::Fragment] => Ok(()),
        [FunctionKind::Fragment, FunctionKind::Vertex] => {
            let place = |kind| module.functions.iter().position(|function| function.kind == kind);
            if let (Some(a), Some(b)) = (place(FunctionKind::Fragment), place(FunctionKind::Vertex)) {
                // No CALL names either, so their numbers matter to the debug table alone.
                module.functions.swap(a, b);
                for debug in &mut module.debug.functions {
                    let function = debug.function as usize;
                    debug.function = if function == a {
                        b
                    } else if function == b {
                        a
                    } else {
                        function
                    } as u32;
                }
                module.debug.functions.sort_by_key(|debug| debug.function);
            }
            Ok(())
        }
        _ => Err(anyhow!("two inputs make a pair: one vertex and one fragment program")),
    }
}

/// Refuses a module that breaks the rules of the IR.
fn check(name: &str, ir: &Ir) -> Result<()> {
    let Err(violations) = sdlbc::verify(&ir.module) else { return Ok(()) };
    if let Some((text, comments)) = &ir.text {
        return Err(report::violations(name, text, comments, &violations));
    }
    let lines: Vec<String> = violations.iter().map(|violation| format!("\n  {violation}")).collect();
    Err(anyhow!("{name}: the module breaks the rules of SDLSHADERBC:{}", lines.concat()))
}

fn assemble(files: &Files, args: &Assemble) -> Result<()> {
    let Assemble { convert, expand } = args;
    let sink = Sink::new(&convert.output);
    if *expand {
        let (text, aliases) = expanded(&files.read(&convert.input)?, &convert.text, &convert.judging)?;
        report::uploads(&aliases);
        return files.write(vec![Made { sink, what: "AGAL text".into(), bytes: text.into_bytes(), is_text: true }]);
    }
    let program = program(files, convert, "there is no way back to AGAL")?;
    files.write(vec![Made { sink, what: "AGAL".into(), bytes: program.encode(), is_text: false }])
}

fn disassemble_file(files: &Files, args: &Disassemble) -> Result<()> {
    let program = program(files, &args.convert, "`agalc print` shows it")?;
    let text = if args.annotate { annotate(&program) } else { disassemble(&program) };
    let sink = Sink::new(&args.convert.output);
    files.write(vec![Made { sink, what: "AGAL text".into(), bytes: text.into_bytes(), is_text: true }])
}

/// The AGAL program of an input, warnings reported; `instead` says what to make of a module.
fn program(files: &Files, args: &Convert, instead: &str) -> Result<Program> {
    let input = files.read(&args.input)?;
    let rules = args.judging.rules();
    match load(&input, &args.text, &rules)? {
        Content::Agal(agal) => {
            let text = agal.text.as_ref().map(|(text, _)| text.as_str());
            let mut findings = agal.warnings;
            rules.judge(&mut findings);
            if findings.iter().any(Finding::is_error) {
                return Err(report::refused(&input.name, text, Some(&agal.program), &findings));
            }
            report::silence(&args.judging, &mut findings);
            report::show(&input.name, text, Some(&agal.program), &findings);
            report::uploads(&agal.aliases);
            Ok(agal.program)
        }
        Content::Ir(_) => Err(anyhow!("`{}` is an SDLSHADERBC file; {instead}", input.name)),
    }
}

fn dump(files: &Files, args: &Dump) -> Result<()> {
    let (graph, args) = (args.graph, &args.show);
    if graph {
        let module = module(files, &args.checked.inputs, &args.checked.reading)?;
        return text(files, args, "graph", sdlbc::graph(&module));
    }
    let mut shown = String::new();
    let mut damaged = None;
    for path in &args.checked.inputs {
        let input = files.read(path)?;
        if crate::input::is_sdlbc(&input.bytes) {
            let dump = sdlbc::dump(&input.bytes);
            shown += &dump.text;
            if !dump.good {
                damaged = Some(input.name);
            }
            continue;
        }
        match load(&input, &args.checked.reading.text, &args.checked.reading.judging.rules())? {
            Content::Agal(agal) => shown += &dump_agal(&agal.program),
            Content::Ir(ir) => shown += &sdlbc::dump(&sdlbc::encode(&ir.module)).text,
        }
    }
    text(files, args, "dump", shown)?;
    damaged.map_or(Ok(()), |name| Err(anyhow!("{name}: the file is damaged")))
}

/// A program's words beside its instructions.
fn dump_agal(program: &Program) -> String {
    let bytes = program.encode();
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let stage = match program.stage {
        Stage::Vertex => "vertex",
        Stage::Fragment => "fragment",
    };
    let mut text = format!("{:06x}  {}  AGAL {}, {stage} program\n", 0, hex(&bytes[..HEADER_BYTES]), program.version);
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

fn verify(files: &Files, args: &Check) -> Result<()> {
    let module = module(files, &args.inputs, &args.reading)?;
    let names: Vec<String> = args.inputs.iter().map(|path| shown::path(path)).collect();
    check(&names.join(", "), &Ir { module, text: None })
}

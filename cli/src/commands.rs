//! The commands, each a page: read, translate, make everything, write.

mod compile;
mod inspect;

use agal_front::disassemble::{disassemble, instruction};
use agal_front::lift::{Options, translate};
use agal_front::program::HEADER_BYTES;
use agal_front::token::TOKEN_BYTES;
use agal_front::{Finding, Program, Stage};
use anyhow::{Result, anyhow};
use sdlbc::{FunctionKind, Module};

use crate::args::{Check, Command, Convert, Ifg, Index, Reading, Show};
use crate::input::{Agal, Content, Input, load, read};
use crate::output::{Made, Sink, UsageError, apart, write};
use crate::report;

/// Runs a command.
pub(crate) fn run(command: Command) -> Result<()> {
    match command {
        Command::Compile(args) => compile::run(&args),
        Command::Assemble(args) => assemble(&args),
        Command::Disassemble(args) => disassemble_file(&args),
        Command::Print(args) => {
            let module = module(&args.checked.inputs, &args.checked.reading)?;
            text(&args, "SDLSHADERBC text", sdlbc::print(&module))
        }
        Command::Dump(args) => dump(&args),
        Command::Verify(args) => verify(&args),
        Command::Inspect(args) => {
            let module = module(&args.checked.inputs, &args.checked.reading)?;
            text(&args, "report", inspect::describe(&module))
        }
    }
}

fn text(args: &Show, what: &str, text: String) -> Result<()> {
    apart(&args.output, &args.checked.inputs)?;
    let sink = Sink::new(&args.output);
    write(vec![Made { sink, what: what.into(), bytes: text.into_bytes(), is_text: true }])
}

/// The module of one or two inputs; warnings are reported.
fn module(paths: &[String], reading: &Reading) -> Result<Module> {
    if paths.iter().filter(|path| *path == "-").count() > 1 {
        return Err(UsageError("standard input can be one input, not both".into()).into());
    }
    let inputs = paths.iter().map(|path| read(path)).collect::<Result<Vec<_>>>()?;
    // All inputs are read before the first is refused, so that each has its say.
    let contents: Vec<Result<Content>> = inputs.iter().map(|input| load(input, &reading.text)).collect();
    let contents = all(contents)?;
    let mut programs = Vec::new();
    let mut module = Module::default();
    for (input, content) in inputs.iter().zip(contents) {
        match content {
            Content::Agal(agal) => programs.push((input, *agal)),
            Content::Ir(ir) => {
                check(&input.name, &ir)?;
                append(&mut module, ir);
            }
        }
    }
    append(&mut module, lift(programs, reading)?);
    // Vertex first, whatever the order of the inputs.
    if paths.len() > 1 {
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

/// Lifts AGAL programs, as a pair if they are two.
fn lift(mut programs: Vec<(&Input, Agal)>, reading: &Reading) -> Result<Module> {
    // A text's version is the lowest that will do; in a pair, both must have the higher one.
    let version = programs.iter().map(|(_, agal)| agal.program.version).max().unwrap_or(1);
    for (_, agal) in programs.iter_mut().filter(|(_, agal)| !agal.version_given) {
        agal.program.version = version;
    }
    let options = Options {
        strict_ifg: reading.ifg == Ifg::Strict,
        truncate_index: reading.index == Index::Trunc,
        signed_offset: reading.signed_offsets,
        allow: reading.allow.clone(),
    };
    let of: Vec<&Program> = programs.iter().map(|(_, agal)| &agal.program).collect();
    let (module, findings) = match translate(&of, &options) {
        Ok(lifted) => (Some(lifted.module), lifted.findings),
        Err(findings) => (None, findings),
    };
    let mut refused = Vec::new();
    for ((input, agal), found) in programs.iter().zip(findings) {
        let mut findings: Vec<Finding> = agal.warnings.clone();
        let map = agal.text.as_ref().map(|(_, map)| map);
        findings.extend(found.into_iter().map(|mut finding| {
            finding.place = map.map_or(finding.place, |map| map.locate(finding.place));
            finding
        }));
        let text = agal.text.as_ref().map(|(text, _)| text.as_str());
        if findings.iter().any(Finding::is_error) {
            refused.push(Err(report::refused(&input.name, text, Some(&agal.program), &findings)));
        } else {
            report::show(&input.name, text, Some(&agal.program), &findings);
        }
    }
    all::<()>(refused)?;
    module.ok_or_else(|| anyhow!("the programs cannot be translated"))
}

/// Adds the functions of `more` to `module`.
fn append(module: &mut Module, more: Module) {
    let before = module.functions.len() as u32;
    module.functions.extend(more.functions);
    module.names.extend(more.names.into_iter().map(|mut names| {
        names.function += before;
        names
    }));
}

/// Orders a pair vertex first, and refuses what is no pair.
fn pair(module: &mut Module) -> Result<()> {
    let kinds: Vec<FunctionKind> = module.functions.iter().map(|function| function.kind).collect();
    match kinds[..] {
        [FunctionKind::Vertex, FunctionKind::Fragment] => Ok(()),
        [FunctionKind::Fragment, FunctionKind::Vertex] => {
            module.functions.swap(0, 1);
            module.names.iter_mut().for_each(|names| names.function = 1 - names.function.min(1));
            module.names.sort_by_key(|names| names.function);
            Ok(())
        }
        _ => Err(anyhow!("two inputs make a pair: one vertex and one fragment program")),
    }
}

/// Refuses a module that breaks the rules of the IR.
fn check(name: &str, module: &Module) -> Result<()> {
    let Err(violations) = sdlbc::verify(module) else { return Ok(()) };
    let lines: Vec<String> = violations.iter().map(|violation| format!("\n  {violation}")).collect();
    Err(anyhow!("{name}: the module breaks the rules of SDLSHADERBC:{}", lines.concat()))
}

fn assemble(args: &Convert) -> Result<()> {
    let program = program(args, "there is no way back to AGAL")?;
    let sink = Sink::new(&args.output);
    write(vec![Made { sink, what: "AGAL".into(), bytes: program.encode(), is_text: false }])
}

fn disassemble_file(args: &Convert) -> Result<()> {
    let bytes = disassemble(&program(args, "`agalc print` shows it")?).into_bytes();
    let sink = Sink::new(&args.output);
    write(vec![Made { sink, what: "AGAL text".into(), bytes, is_text: true }])
}

/// The AGAL program of an input, warnings reported; `instead` says what to make of a module.
fn program(args: &Convert, instead: &str) -> Result<Program> {
    apart(&args.output, std::slice::from_ref(&args.input))?;
    let input = read(&args.input)?;
    match load(&input, &args.text)? {
        Content::Agal(agal) => {
            let text = agal.text.as_ref().map(|(text, _)| text.as_str());
            report::show(&input.name, text, Some(&agal.program), &agal.warnings);
            Ok(agal.program)
        }
        Content::Ir(_) => Err(anyhow!("`{}` is an SDLSHADERBC file; {instead}", input.name)),
    }
}

fn dump(args: &Show) -> Result<()> {
    let mut shown = String::new();
    let mut damaged = None;
    for path in &args.checked.inputs {
        let input = read(path)?;
        if crate::input::is_sdlbc(&input.bytes) {
            let dump = sdlbc::dump(&input.bytes);
            shown += &dump.text;
            if !dump.good {
                damaged = Some(input.name);
            }
            continue;
        }
        match load(&input, &args.checked.reading.text)? {
            Content::Agal(agal) => shown += &dump_agal(&agal.program),
            Content::Ir(module) => shown += &sdlbc::print(&module),
        }
    }
    text(args, "dump", shown)?;
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
    text
}

fn verify(args: &Check) -> Result<()> {
    let module = module(&args.inputs, &args.reading)?;
    check(&args.inputs.join(", "), &module)
}

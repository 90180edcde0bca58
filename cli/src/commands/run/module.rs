//! `run` for a vertex or fragment function of a module, on `sdlbc-interp`.
//!
//! The report shows one invocation. As for AGAL programs, all invocations of a fragment quad have the same inputs.

use agalc::Stage;
use anyhow::{Result, anyhow, bail};
use sdlbc::{Function, FunctionKind, InputKind, Module, Type};
use sdlbc_interp::{Column, Mask, Observer, Program, Site};
use serde::Serialize;
use serde_json::Value;

use super::setter::{Setter, Subject, fill_image, with_resources};
use super::values::{WIDEST_INSTRUCTION, json, list};
use crate::args::Run;
use crate::files::Files;
use crate::output::usage;
use crate::phrases::counted;
use crate::report;

/// The maximum number of results in a trace, because loops may compute millions of results.
const MOST_RESULTS: usize = 100_000;

pub(super) fn run(files: &Files, args: &Run, subject: &Subject<'_>) -> Result<String> {
    let module = subject.module;
    let (index, function) = entry(module, args.reading.text.stage)?;
    if function.kind == FunctionKind::Compute {
        return super::compute::run(files, args, subject, index, function);
    }
    if !args.buffers.is_empty() {
        return usage("`--buffer` is for compute functions");
    }
    let program =
        Program::with_float(module, index, args.float).map_err(|error| anyhow!("{}: {error}", subject.name))?;
    let whole = with_resources(module, index, function);
    let mut setter = Setter::new(subject, index, &whole);
    for image in &args.images {
        fill_image(files, &mut setter, image)?;
    }
    setter.take_all(files, args)?;
    let unset = setter.warn(args)?;
    let mut results = Results::default();
    let inputs = |kind: InputKind| setter.columns.iter().find(|(of, _)| *of == kind).map(|(_, columns)| *columns);
    let observer: Option<&mut dyn Observer> = if args.trace { Some(&mut results) } else { None };
    let ran = program
        .run(&setter.resources, 1, &inputs, observer)
        .map_err(|error| anyhow!("`{}` cannot be run: {error}", function.name))?;
    let outputs: Vec<(&str, Type, Vec<u32>)> = function
        .outputs
        .iter()
        .zip(&ran.outputs)
        .map(|(output, columns)| (output.name.as_str(), output.ty, columns.iter().map(|column| column[0]).collect()))
        .collect();
    let lines = if args.trace { Lines::of(subject) } else { Lines::default() };
    let shown = Report {
        file: subject.name,
        function,
        unset: &unset,
        is_discarded: ran.live & 1 == 0,
        outputs,
        results,
        lines,
    };
    match report::is_json() {
        true => shown.json(args.trace),
        false => Ok(shown.text(args.trace)),
    }
}

/// Selects the function of the given stage, or the only vertex, fragment or compute function if no stage is given.
fn entry(module: &Module, stage: Option<Stage>) -> Result<(usize, &Function)> {
    let wanted = stage.map(FunctionKind::from);
    let entries = module.functions.iter().enumerate().filter(|(_, function)| match wanted {
        Some(kind) => function.kind == kind,
        None => function.kind != FunctionKind::Generic,
    });
    let entries: Vec<(usize, &Function)> = entries.collect();
    match (&entries[..], wanted) {
        (&[one], _) => Ok(one),
        ([], Some(kind)) => usage(format!("the module has no {} function", kind.name())),
        ([], None) => bail!("the module has no vertex, fragment or compute function"),
        _ => usage("`run` runs one function; select it with --stage vertex or --stage fragment"),
    }
}

/// The results of instructions, in the order of execution.
#[derive(Default)]
struct Results {
    kept: Vec<(Site, Vec<u32>)>,
    /// The number of results beyond `MOST_RESULTS`, which are not kept.
    more: usize,
}

impl Observer for Results {
    fn result(&mut self, site: &Site, active: Mask, _: &[Vec<Column>], columns: &mut [Column]) {
        match active & 1 {
            0 => {}
            _ if self.kept.len() >= MOST_RESULTS => self.more += 1,
            _ => self.kept.push((*site, columns.iter().map(|column| column[0]).collect())),
        }
    }
}

/// Maps instructions to lines of module text: the text of the input, or the printed module if the input is not text.
#[derive(Default)]
struct Lines {
    text: String,
    comments: sdlbc::Comments,
    /// The byte offset at which each line begins.
    starts: Vec<usize>,
}

impl Lines {
    fn of(subject: &Subject<'_>) -> Lines {
        let (text, comments) = match &subject.text {
            Some((text, comments)) => (text.as_str().to_string(), comments.clone()),
            None => {
                let text = sdlbc::print(subject.module);
                // Parsing printed text never fails.
                let comments = sdlbc::parse_with_comments(&text).map_or_else(|_| Default::default(), |(_, read)| read);
                (text, comments)
            }
        };
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Lines { text, comments, starts }
    }

    /// Returns the line number and the text of an instruction.
    fn line(&self, site: &Site) -> (usize, &str) {
        let Some(span) = self.comments.instruction(site.function, site.instruction) else { return (0, "") };
        let number = self.starts.partition_point(|&start| start <= span.start);
        let start = self.starts.get(number.saturating_sub(1)).copied().unwrap_or(0);
        let line = self.text.get(start..).and_then(|rest| rest.lines().next());
        (number, without_comment(line.unwrap_or_default()).trim())
    }
}

/// Returns a line without its comment. A `;` in quotes does not begin a comment.
fn without_comment(line: &str) -> &str {
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, c) in line.char_indices() {
        match c {
            ';' if !is_quoted => return &line[..at],
            '"' if !is_escaped => is_quoted = !is_quoted,
            _ => {}
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    line
}

struct Report<'a> {
    file: &'a str,
    function: &'a Function,
    unset: &'a [String],
    is_discarded: bool,
    outputs: Vec<(&'a str, Type, Vec<u32>)>,
    results: Results,
    lines: Lines,
}

impl Report<'_> {
    fn text(&self, trace: bool) -> String {
        let mut text = if trace { self.trace() + "\n" } else { String::new() };
        if self.is_discarded {
            return text + "the fragment is discarded\n";
        }
        for (name, ty, words) in &self.outputs {
            text += &format!("{name} = {}\n", list(*ty, words));
        }
        text
    }

    /// Formats the trace with one line per result.
    fn trace(&self) -> String {
        let lines: Vec<(usize, &str)> = self.results.kept.iter().map(|(site, _)| self.lines.line(site)).collect();
        let widths = lines.iter().map(|(_, line)| line.chars().count());
        let width = widths.filter(|&length| length <= WIDEST_INSTRUCTION).max().unwrap_or(0);
        let digits = lines.iter().map(|(number, _)| number.to_string().len()).max().unwrap_or(0);
        let mut text = String::new();
        for ((number, line), (site, words)) in lines.into_iter().zip(&self.results.kept) {
            text += &format!("{number:digits$}  {line:width$}  {}\n", list(site.ty, words));
        }
        if self.results.more > 0 {
            text += &format!("and {}\n", counted(self.results.more, "more result", "more results"));
        }
        text
    }

    fn json(&self, trace: bool) -> Result<String> {
        let outputs = self.outputs.iter().map(|(name, ty, words)| {
            Ok(JsonOutput { output: name, r#type: ty.to_string(), values: json(*ty, words)? })
        });
        let traced = self.results.kept.iter().map(|(site, words)| {
            let (line, instruction) = self.lines.line(site);
            Ok(JsonResult { line, instruction, r#type: site.ty.to_string(), values: json(site.ty, words)? })
        });
        let report = JsonRun {
            file: self.file,
            stage: self.function.kind.name(),
            function: &self.function.name,
            unset: self.unset,
            discarded: self.is_discarded,
            outputs: outputs.collect::<Result<_>>()?,
            trace: trace.then(|| traced.collect::<Result<_>>()).transpose()?,
            left_out: Some(self.results.more).filter(|&more| more > 0),
        };
        Ok(serde_json::to_string_pretty(&report)? + "\n")
    }
}

#[derive(Serialize)]
struct JsonRun<'a> {
    file: &'a str,
    stage: &'a str,
    function: &'a str,
    unset: &'a [String],
    discarded: bool,
    outputs: Vec<JsonOutput<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Vec<JsonResult<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<usize>,
}

#[derive(Serialize)]
struct JsonOutput<'a> {
    output: &'a str,
    r#type: String,
    values: Vec<Value>,
}

#[derive(Serialize)]
struct JsonResult<'a> {
    line: usize,
    instruction: &'a str,
    r#type: String,
    values: Vec<Value>,
}

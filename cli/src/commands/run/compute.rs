//! `run` for a compute function of a module: dispatches workgroups on `interp`, and shows the storage buffers afterwards.
//!
//! Rule: the inputs are set as those of other functions; the numbers of a storage buffer are those of `--set`, of a file, or as many
//! zeroes as `--buffer` says. Buffers that the function may write are shown, in the order of its inputs.

use agalc::Ir;
use anyhow::{Result, anyhow};
use interp::Program;
use sdlbc::module::Access;
use sdlbc::{Function, FunctionKind, InputKind, Type};
use serde::Serialize;
use serde_json::Value;

use super::module::{Setter, json, list, scalar, word};
use super::usage;
use crate::args::{Named, Run, Warnings};
use crate::files::Files;
use crate::report;

/// Runs a compute function, and returns the report.
pub(super) fn run(files: &Files, args: &Run, ir: &Ir, index: usize, function: &Function) -> Result<String> {
    if args.trace {
        return usage("`--trace` shows one invocation, and a compute function has many".into());
    }
    let program =
        Program::with_float(&ir.module, index, args.float.into()).map_err(|error| anyhow!("{}: {error}", ir.name))?;
    let mut setter = Setter::new(function);
    for (name, content) in &args.buffers {
        fill(files, &mut setter, function, name, content)?;
    }
    setter.take_all(files, args)?;
    let unset = setter.warn(args, &ir.name)?;
    let mut resources = setter.into_resources();
    program
        .dispatch(&mut resources, args.workgroups, None)
        .map_err(|error| anyhow!("`{}` cannot be run: {error}", function.name))?;
    let mut buffers = Vec::new();
    for input in &function.inputs {
        let (InputKind::Buffer { slot, access: Access::ReadWrite }, Type::Buffer(scalar, width)) =
            (input.kind, input.ty)
        else {
            continue;
        };
        let words = resources.buffers.remove(&(FunctionKind::Compute, slot)).unwrap_or_default();
        buffers.push((input.name.as_str(), Type::Vector(scalar, width), words));
    }
    if report::is_json() {
        let buffers = buffers.iter().map(|(name, element, words)| {
            Ok(JsonBuffer { buffer: name, element: element.to_string(), values: json(*element, words)? })
        });
        let report = JsonDispatch {
            file: &ir.name,
            stage: function.kind.name(),
            function: &function.name,
            unset: &unset,
            workgroups: args.workgroups,
            buffers: buffers.collect::<Result<_>>()?,
        };
        return Ok(serde_json::to_string_pretty(&report)? + "\n");
    }
    let line = |(name, element, words): &(&str, Type, Vec<u32>)| format!("{name} = {}\n", list(*element, words));
    Ok(buffers.iter().map(line).collect())
}

/// Fills a storage buffer with zeroes, or with the numbers of a file.
fn fill(files: &Files, setter: &mut Setter<'_>, function: &Function, name: &str, content: &Named) -> Result<()> {
    let found = function.inputs.iter().position(|input| input.name == name);
    let of = found.and_then(|at| Some((at, function.inputs.get(at)?)));
    let Some((at, InputKind::Buffer { slot, .. }, Type::Buffer(_, width))) =
        of.map(|(at, input)| (at, input.kind, input.ty))
    else {
        return usage(format!("`{name}` is not a storage buffer of the function"));
    };
    let words = match content {
        Named::Word(text) if text.parse::<u32>().is_ok() => {
            let elements: u32 = text.parse()?;
            let count = usize::try_from(elements)?.checked_mul(width.into()).filter(|&count| count <= MOST_WORDS);
            let Some(count) = count else {
                return usage(format!(
                    "`{name}` of {elements} elements is too large; {MOST_WORDS} numbers are the limit"
                ));
            };
            vec![0; count]
        }
        content => {
            let path = match content {
                Named::Word(text) => text.into(),
                Named::File(path) => path.clone(),
            };
            let read = files.read(&path)?;
            let text = String::from_utf8_lossy(&read.bytes).into_owned();
            let is_between = |c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']');
            let numbers = text.split(is_between).filter(|number| !number.is_empty());
            let ty = function.inputs.get(at).map_or(Type::FLOAT, |input| input.ty);
            numbers.map(|number| word(name, number, scalar(ty))).collect::<Result<Vec<u32>>>()?
        }
    };
    setter.set_buffer(at, slot, words);
    Ok(())
}

/// The most numbers in a buffer that is made: 64 MB.
const MOST_WORDS: usize = 1 << 24;

/// Warns about settings as for other functions.
impl Setter<'_> {
    fn take_all(&mut self, files: &Files, args: &Run) -> Result<()> {
        if let Some(path) = &args.constants {
            self.take(files, path)?;
        }
        args.settings.iter().try_for_each(|setting| self.set(setting))
    }

    fn warn(&self, args: &Run, name: &str) -> Result<Vec<String>> {
        let unset = self.unset();
        let warnings = args.reading.judging.warnings;
        if warnings != Warnings::Allow {
            super::warn_of_settings(&unset, &self.unread(), self.lacks().as_deref());
        }
        if warnings == Warnings::Error && (!unset.is_empty() || self.lacks().is_some()) {
            anyhow::bail!("`{name}` reads inputs that are not set, and warnings are errors");
        }
        Ok(unset)
    }
}

#[derive(Serialize)]
struct JsonDispatch<'a> {
    file: &'a str,
    stage: &'a str,
    function: &'a str,
    unset: &'a [String],
    workgroups: [u32; 3],
    buffers: Vec<JsonBuffer<'a>>,
}

#[derive(Serialize)]
struct JsonBuffer<'a> {
    buffer: &'a str,
    element: String,
    values: Vec<Value>,
}

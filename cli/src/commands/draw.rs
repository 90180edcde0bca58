//! `check-draw`: applies Flash Player's checks to a draw call with a program or a pair.

use std::ops::Range;

use agalc::{DrawState, check_draw, reflect};
use anyhow::{Result, anyhow};
use serde::Serialize;

use super::loading::loaded;
use crate::args::{Check, CheckDraw, DebugLevel};
use crate::files::Files;
use crate::output::Sink;
use crate::phrases::counted;
use crate::report;

#[derive(Serialize)]
struct JsonError {
    code: u16,
    message: String,
    help: String,
}

pub(super) fn run(files: &Files, args: &CheckDraw) -> Result<()> {
    let Check { inputs, reading } = &args.checked;
    let loaded = loaded(files, inputs, reading, DebugLevel::None)?;
    let input = files.read(&args.state)?;
    let text = std::str::from_utf8(&input.bytes).map_err(|_| anyhow!("`{}` is not text in UTF-8", input.name))?;
    let state = state(&input.name, text)?;
    let reflection = reflect(&loaded.module, &[]).with_programs(&loaded.programs);
    let errors = check_draw(&reflection, &state);
    if report::is_json() {
        let errors = errors.iter().map(|error| JsonError {
            code: error.kind.code(),
            message: error.to_string(),
            help: error.kind.help(),
        });
        let errors: Vec<JsonError> = errors.collect();
        let text = serde_json::to_string_pretty(&errors)? + "\n";
        files.write_text(Sink::Stdout, "report", text)?;
    }
    errors.iter().for_each(report::draw_error);
    match errors.len() {
        0 => Ok(()),
        count => {
            let errors = counted(count, "error", "errors");
            Err(report::Refused::error(format!("Flash Player refuses this draw with {errors}")))
        }
    }
}

/// Reports whether the file name or the beginning of a draw state indicates JSON. TOML begins with neither `{` nor `[{`, and `[]`
/// is not a valid TOML table.
fn is_json(name: &str, text: &str) -> bool {
    let text = text.trim_start();
    let in_list = text.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with(['{', ']']));
    text.starts_with('{') || in_list || name.to_ascii_lowercase().ends_with(".json")
}

/// Parses the state of a draw, and reports a syntax error at its line.
fn state(name: &str, text: &str) -> Result<DrawState> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (message, span) = if is_json(name, text) {
        let start = text.len() - text.trim_start().len();
        if text.trim_start().starts_with('[') {
            ("the state must be an object, but it is a list".to_string(), Some(start..start + 1))
        } else {
            match serde_json::from_str(text) {
                Ok(state) => return Ok(state),
                Err(error) => of_json(text, &error),
            }
        }
    } else {
        match toml::from_str(text) {
            Ok(state) => return Ok(state),
            Err(error) => (error.message().to_string(), error.span()),
        }
    };
    match span.filter(|span| text.is_char_boundary(span.start) && text.is_char_boundary(span.end)) {
        Some(span) => {
            let before = text.get(..span.start).unwrap_or_default();
            let line = 1 + before.matches('\n').count();
            let column = 1 + before.chars().rev().take_while(|&c| c != '\n').count();
            report::at_span(name, text, &message, span, (line, column));
            Err(report::Refused::error(report::has_errors(name, 1)))
        }
        None => Err(anyhow!("{name}: {message}")),
    }
}

/// Splits a JSON error into its message and its span. The span is the character at the reported column, or the end of the text.
fn of_json(text: &str, error: &serde_json::Error) -> (String, Option<Range<usize>>) {
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = error.to_string();
    let message = message.strip_suffix(&place).unwrap_or(&message).to_string();
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    let at = lines.map(str::len).sum::<usize>().saturating_add(error.column().saturating_sub(1)).min(text.len());
    let length = text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    (message, Some(at..at + length))
}

//! `check-draw`: the player's checks of a draw with a program or pair.

use agalc::{DrawState, check_draw, reflect};
use anyhow::{Result, anyhow};
use serde::Serialize;

use super::{loaded, write_text};
use crate::args::{Check, CheckDraw, DebugLevel, Format};
use crate::files::Files;
use crate::output::Sink;
use crate::report;

/// An error as JSON.
#[derive(Serialize)]
struct JsonError {
    code: u16,
    message: String,
    help: String,
}

/// Runs `check-draw`.
pub(super) fn run(files: &Files, args: &CheckDraw) -> Result<()> {
    let Check { inputs, reading } = &args.checked;
    let loaded = loaded(files, inputs, reading, DebugLevel::None)?;
    let input = files.read(&args.state)?;
    let text = std::str::from_utf8(&input.bytes).map_err(|_| anyhow!("`{}` is not text in UTF-8", input.name))?;
    let state = state(&input.name, text)?;
    let reflection = reflect(&loaded.module, &[]).with_programs(&loaded.programs);
    let errors = check_draw(&reflection, &state);
    if args.json || args.format == Format::Json {
        let errors = errors.iter().map(|error| JsonError {
            code: error.kind.code(),
            message: error.to_string(),
            help: error.kind.help(),
        });
        let errors: Vec<JsonError> = errors.collect();
        let text = serde_json::to_string_pretty(&errors)? + "\n";
        write_text(files, Sink::Stdout, "report", text)?;
    } else {
        errors.iter().for_each(report::draw_error);
    }
    match errors.len() {
        0 => Ok(()),
        1 => Err(anyhow!("Flash Player refuses this draw with 1 error")),
        count => Err(anyhow!("Flash Player refuses this draw with {count} errors")),
    }
}

/// Reads the state of a draw. JSON begins with a brace, and TOML cannot.
fn state(name: &str, text: &str) -> Result<DrawState> {
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map_err(|error| anyhow!("{name}: {error}"));
    }
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let message = error.message().to_string();
        match error.span() {
            Some(span) if text.is_char_boundary(span.start) && text.is_char_boundary(span.end) => {
                let before = text.get(..span.start).unwrap_or_default();
                let line = 1 + before.matches('\n').count();
                let column = 1 + before.chars().rev().take_while(|&c| c != '\n').count();
                report::at_span(name, text, &message, span, (line, column));
                anyhow!("`{name}` has 1 error")
            }
            _ => anyhow!("{name}: {message}"),
        }
    })
}

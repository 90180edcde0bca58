//! The options for messages, which every command has.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;

use clap::ValueEnum;

/// The options that every command has.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Messages")]
pub(crate) struct MessageOptions {
    /// The form of reports and messages. `json` and `sarif` write messages as one document on standard error, and a report as
    /// JSON on standard output. `sarif` is SARIF 2.1.0, which `validate`, `link` and `check-draw` write to standard output
    /// (docs/diagnostics.md)
    #[arg(long, value_enum, default_value = "text", global = true)]
    format: Format,
    /// Equivalent to --format json
    #[arg(long, global = true)]
    json: bool,
    /// Also write all messages to this file, even if the run fails: as SARIF 2.1.0 if its name ends in .sarif, as JSON otherwise
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) diagnostics: Option<PathBuf>,
    /// Whether messages are coloured. `auto` colours messages on a terminal, unless NO_COLOR is set or CLICOLOR is 0. With
    /// `auto`, CLICOLOR_FORCE colours messages everywhere
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto", global = true)]
    color: When,
    /// Print errors and warnings only: no notes, no list of written files, no progress
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Also print the files that were read, and the command that explains each finding
    #[arg(short, long, global = true)]
    verbose: bool,
    /// The name of standard input (`-`) in messages
    #[arg(long, value_name = "NAME", global = true)]
    pub(crate) stdin_name: Option<String>,
}

/// The form of reports and messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people
    #[default]
    Text,
    /// JSON for programs (docs/diagnostics.schema.json)
    Json,
    /// SARIF for services that show findings in source code
    Sarif,
}

/// When messages are coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// Colour messages on a terminal
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Errors and warnings only.
    Quiet,
    /// Errors, warnings, notes, and the files that were written.
    #[default]
    Usual,
    /// All messages, including the files that were read.
    Verbose,
}

impl MessageOptions {
    /// Finds the message options in unparsed arguments, so that errors about the arguments can obey these options.
    pub(crate) fn before_parsing(arguments: &[OsString]) -> MessageOptions {
        let words: Vec<&str> = arguments.iter().map_while(|word| Some(word.to_str().unwrap_or_default())).collect();
        let end = words.iter().position(|word| *word == "--").unwrap_or(words.len());
        let words = words.get(..end).unwrap_or_default();
        let value = |option: &str| {
            let mut values = words.iter().enumerate().filter_map(|(at, word)| match word.strip_prefix(option) {
                Some("") => words.get(at + 1).copied(),
                rest => rest?.strip_prefix('='),
            });
            values.next_back()
        };
        MessageOptions {
            format: value("--format").and_then(|name| Format::from_str(name, false).ok()).unwrap_or_default(),
            json: words.contains(&"--json"),
            color: value("--color").and_then(|name| When::from_str(name, false).ok()).unwrap_or_default(),
            ..MessageOptions::default()
        }
    }

    pub(crate) fn format(&self) -> Format {
        if self.json && self.format == Format::Text { Format::Json } else { self.format }
    }

    pub(crate) fn detail(&self) -> Detail {
        match (self.quiet, self.verbose) {
            (true, _) => Detail::Quiet,
            (_, true) => Detail::Verbose,
            _ => Detail::Usual,
        }
    }

    /// Reports whether messages are coloured. `--color` takes precedence over the environment variables, which take precedence
    /// over the check for a terminal.
    pub(crate) fn is_coloured(&self) -> bool {
        let is = |name: &str, holds: fn(&str) -> bool| {
            std::env::var_os(name).is_some_and(|value| holds(&value.to_string_lossy()))
        };
        match self.color {
            When::Always => true,
            When::Never => false,
            When::Auto if is("NO_COLOR", |value| !value.is_empty()) => false,
            When::Auto if is("CLICOLOR_FORCE", |value| !value.is_empty() && value != "0") => true,
            When::Auto if is("CLICOLOR", |value| value == "0") || is("TERM", |value| value == "dumb") => false,
            When::Auto => std::io::stderr().is_terminal(),
        }
    }

    pub(crate) fn clap_color(&self) -> clap::ColorChoice {
        match self.color {
            When::Always => clap::ColorChoice::Always,
            When::Never => clap::ColorChoice::Never,
            When::Auto => clap::ColorChoice::Auto,
        }
    }
}

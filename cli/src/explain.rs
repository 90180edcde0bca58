//! The explanations of `agalc explain`: the cause of a finding, an example that has the finding, and the corrected example.
//!
//! The causes of findings and the wording of rules come from the tables `agal-front/src/kinds.rs`, `es2/es2-front/src/finding.rs`
//! and `sdlbc/src/verify/rules.rs`, from which docs/findings.md is also generated. The examples are files in `explain/`. The test
//! `cli/tests/it/explain.rs` runs each example.

mod examples;

use std::collections::BTreeSet;
use std::fmt;

use agal_front::finding::{Kind, KindRow, Level, is_attested};
use agalc::InstructionSet;
use sdlbc::verify::Rule;
use serde_json::{Value, json};

pub(crate) use examples::{Example, Program, sections};

/// The number of a finding or of a module rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// A finding about an AGAL program.
    Agal(u16),
    /// A finding about a program of the unified-shader instruction set.
    Es2(u16),
    /// A rule of SDLSHADERBC.
    Rule(Rule),
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Agal(code) => write!(f, "AGAL{code}"),
            Number::Es2(code) => write!(f, "ES{code}"),
            Number::Rule(rule) => write!(f, "{rule}"),
        }
    }
}

fn codes(rows: &[KindRow]) -> BTreeSet<u16> {
    rows.iter().flat_map(KindRow::codes).collect()
}

fn unified() -> &'static [KindRow] {
    InstructionSet::UnifiedShader.findings()
}

impl Number {
    pub(crate) fn all() -> Vec<Number> {
        let agal = codes(Kind::ROWS).into_iter().map(Number::Agal);
        let es2 = codes(unified()).into_iter().map(Number::Es2);
        agal.chain(es2).chain(Rule::ALL.iter().copied().map(Number::Rule)).collect()
    }

    /// Returns the findings and rules with the number `text`. A finding's number may be given without its letters `AGAL` or `ES`.
    ///
    /// # Errors
    /// No finding or rule has the number.
    pub(crate) fn read(text: &str) -> Result<Vec<Number>, String> {
        let upper = text.trim().to_ascii_uppercase();
        let digits = upper.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let (letters, number) = (upper.strip_suffix(digits).unwrap_or_default(), digits.parse::<u16>().ok());
        let is_meant = |of: &Number| match of {
            Number::Agal(code) => matches!(letters, "" | "AGAL") && number == Some(*code),
            Number::Es2(code) => matches!(letters, "" | "ES") && number == Some(*code),
            Number::Rule(rule) => letters == "V" && number == Some(rule.number().into()),
        };
        let found: Vec<Number> = Number::all().into_iter().filter(is_meant).collect();
        match found.is_empty() {
            true => Err(format!(
                "no finding or rule has the number `{text}`: write a number such as AGAL3647, ES2126 or V12; \
                 `agalc explain` lists all numbers"
            )),
            false => Ok(found),
        }
    }

    pub(crate) fn title(self) -> String {
        let of = |rows: &[KindRow], code: u16| {
            let mut cases: Vec<String> = Vec::new();
            for case in rows.iter().filter(|row| row.codes().any(|of| of == code)).map(|row| row.case(code)) {
                cases.push(if cases.is_empty() { case } else { lower(&case) });
            }
            cases.join("; ")
        };
        match self {
            Number::Agal(code) => of(Kind::ROWS, code),
            Number::Es2(code) => of(unified(), code),
            Number::Rule(rule) => rule.text().to_string(),
        }
    }

    fn severity_and_source(self) -> Vec<String> {
        let (rows, code, option, source) = match self {
            Number::Agal(code) => (Kind::ROWS, code, code.to_string(), attestation(code)),
            Number::Es2(code) => (unified(), code, self.to_string(), "the number is agalc's own"),
            Number::Rule(_) => return vec!["an error in any module; docs/format.md lists the rules".to_string()],
        };
        let rows_of_code = rows.iter().filter(|row| row.codes().any(|of| of == code));
        let levels: Vec<Level> = rows_of_code.flat_map(|row| row.levels()).collect();
        let mut lines = vec![severity(&levels)];
        lines.extend(allowed(rows, code, &option));
        lines.push(source.to_string());
        lines
    }

    pub(crate) fn example(self) -> Option<Example> {
        examples::of(&self.to_string())
    }
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

/// Describes a finding's severity by default and with `--compat player`.
fn severity(levels: &[Level]) -> String {
    let parts = [
        (Level::Error, "an error"),
        (Level::Tolerable, "an error that can be allowed"),
        (Level::Strict, "a warning by default, and an error with `--compat player`"),
        (Level::Warning, "a warning"),
        (Level::Published, "a warning with `--compat player`, and not reported otherwise"),
    ];
    let found: Vec<&str> = parts.iter().filter(|(level, _)| levels.contains(level)).map(|(_, text)| *text).collect();
    match found.len() {
        0 | 1 => found.concat(),
        _ => format!("by case: {}", found.join("; ")),
    }
}

/// Describes the cases of a finding that `--allow` accepts. Returns `None` if there are no such cases.
fn allowed(rows: &[KindRow], code: u16, number: &str) -> Option<String> {
    let mut cases: Vec<(String, bool)> = Vec::new();
    for row in rows.iter().filter(|row| row.codes().any(|of| of == code)) {
        let title = lower(&row.case(code));
        let levels: Vec<bool> = row.levels().map(|level| level != Level::Error).collect();
        match (title.split("; ").count() == levels.len(), levels.contains(&true), levels.contains(&false)) {
            // If a title describes several cases, the severity levels are in the same order as the cases.
            (true, ..) => cases.extend(title.split("; ").map(str::to_string).zip(levels)),
            (false, true, true) => return Some(format!("`--allow {number}` accepts it where the message says so")),
            (false, is_allowed, _) => cases.push((title, is_allowed)),
        }
    }
    let accepted: Vec<&str> =
        cases.iter().filter(|(_, is_allowed)| *is_allowed).map(|(case, _)| case.as_str()).collect();
    match accepted.len() {
        0 => None,
        count if count == cases.len() => Some(format!("`--allow {number}` accepts it")),
        _ => Some(format!("`--allow {number}` accepts only this case: {}", accepted.join("; "))),
    }
}

/// Describes whether a finding's number is Flash Player's own, and whether the player is known to refuse and accept the same
/// programs as agalc.
fn attestation(code: u16) -> &'static str {
    match (code < 9000, is_attested(code)) {
        (true, true) => {
            "Flash Player's own number; agalc is known to refuse and accept the same programs as the player"
        }
        (true, false) => {
            "Flash Player's own number; only the message is published, so it is not known whether the player refuses such a program"
        }
        (false, _) => "agalc's own number: Flash Player has none",
    }
}

pub(crate) fn title(code: &str) -> Option<String> {
    Number::read(code).ok()?.first().map(|number| number.title())
}

pub(crate) fn text(number: &Number) -> String {
    let mut text = format!("{number}: {}\n\n", number.title());
    for line in number.severity_and_source() {
        text += &format!("  {line}\n");
    }
    let Some(example) = number.example() else { return text };
    if !example.about.is_empty() {
        text += &format!("\n{}\n", example.about);
    }
    if let Some((severity, says)) = &example.says {
        let mut lines = says.lines();
        text += &format!("\n  {severity}[{number}]: {}\n", lines.next().unwrap_or_default());
        text.extend(lines.map(|help| format!("   = help: {help}\n")));
    }
    for (heading, programs, command) in [
        ("This has it", &example.wrong, example.command(&example.wrong)),
        ("Corrected", &example.corrected, example.command(&example.corrected)),
    ] {
        if programs.is_empty() {
            continue;
        }
        text += &format!("\n{heading} (`{command}`):\n");
        for Program { name, text: program } in programs {
            text += &format!("\n  {name}\n");
            text.extend(program.lines().map(|line| format!("    {line}").trim_end().to_string() + "\n"));
        }
    }
    text
}

/// Lists all findings and rules, each on a line with its title.
pub(crate) fn list() -> String {
    Number::all().into_iter().map(|number| format!("{:<9} {}\n", number.to_string(), number.title())).collect()
}

fn json_of(number: &Number) -> Value {
    let programs = |programs: &[Program]| -> Vec<Value> {
        programs.iter().map(|Program { name, text }| json!({ "file": name, "text": text })).collect()
    };
    let example = number.example().map(|example| {
        json!({
            "about": example.about,
            "says": example.says.as_ref().map(|(severity, says)| {
                let mut lines = says.lines();
                json!({ "severity": severity, "message": lines.next(), "help": lines.next() })
            }),
            "options": example.options,
            "command": example.command(&example.wrong),
            "wrong": programs(&example.wrong),
            "corrected": programs(&example.corrected),
        })
    });
    let attested = match number {
        Number::Agal(code) if *code < 9000 => Some(is_attested(*code)),
        _ => None,
    };
    json!({
        "code": number.to_string(),
        "title": number.title(),
        "standing": number.severity_and_source(),
        "attested": attested,
        "example": example,
    })
}

pub(crate) fn as_json(numbers: &[Number]) -> String {
    let all: Vec<Value> = numbers.iter().map(json_of).collect();
    serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"
}

//! Fills: values that the user supplies for holes.
//!
//! A fill is written `HOLE=VALUE`, or `PROGRAM:HOLE=VALUE` for programs whose file names begin with `PROGRAM`. If several fills
//! match a hole, a fill that names a program takes precedence. Among equally specific fills, the last fill takes precedence. A
//! fill file is TOML: its keys are holes, and the table `programs` contains a table for each program.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde::Deserialize;

use crate::model::{Piece, Template};
use crate::strings::pattern;

/// The fills of an extraction, from command-line arguments and from files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fills {
    rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Row {
    /// A command-line argument, which is split only when it is compared with a hole, because a hole's name may contain any
    /// character.
    Argument(String),
    Entry {
        program: Option<String>,
        hole: String,
        value: String,
    },
}

/// The reason why a fill cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FillError(String);

impl fmt::Display for FillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FillError {}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    programs: BTreeMap<String, BTreeMap<String, String>>,
    #[serde(flatten)]
    holes: BTreeMap<String, String>,
}

impl Fills {
    /// Adds a fill in the form used on a command line: `hole=value` or `program:hole=value`. In the value, `\n` stands for a line
    /// break, `\t` for a tab and `\\` for a backslash.
    ///
    /// # Errors
    /// Returns an error if the argument has no `=` or begins with `=`.
    pub fn push(&mut self, argument: &str) -> Result<(), FillError> {
        if !matches!(argument.find('='), Some(1..)) {
            let message = format!("`{argument}` is not a fill; write HOLE=VALUE, such as --fill 'tex flags=2d,linear'");
            return Err(FillError(message));
        }
        self.rows.push(Row::Argument(argument.to_string()));
        Ok(())
    }

    /// Adds the fills from a TOML document.
    ///
    /// # Errors
    /// Returns an error if the document is not valid TOML or does not have the form of a fill file.
    pub fn push_toml(&mut self, text: &str) -> Result<(), FillError> {
        let file: File = toml::from_str(text).map_err(|error| FillError(error.to_string().trim_end().to_string()))?;
        let entry = |program: Option<String>| {
            move |(hole, value): (String, String)| Row::Entry { program: program.clone(), hole, value }
        };
        self.rows.extend(file.holes.into_iter().map(entry(None)));
        for (program, holes) in file.programs {
            self.rows.extend(holes.into_iter().map(entry(Some(program))));
        }
        Ok(())
    }
}

pub(crate) struct Applying<'f> {
    fills: &'f Fills,
    is_used: Vec<bool>,
}

impl<'f> Applying<'f> {
    pub(crate) fn new(fills: &'f Fills) -> Applying<'f> {
        Applying { fills, is_used: vec![false; fills.rows.len()] }
    }

    /// Replaces each of a program's holes for which there is a fill. Returns the new template, and the inserted values keyed by
    /// hole name.
    pub(crate) fn fill(&mut self, template: &Template, stem: &str) -> (Template, BTreeMap<String, String>) {
        let value = |hole: &str| Some((hole.to_string(), self.value(hole, stem)?));
        let values: BTreeMap<String, String> = template.names().filter_map(value).collect();
        let mut filled = Template::default();
        for piece in &template.pieces {
            let known = match piece {
                Piece::Text(text) => Some(text),
                Piece::Hole(name) => values.get(name),
            };
            match (known, filled.pieces.last_mut()) {
                (Some(text), Some(Piece::Text(before))) => before.push_str(text),
                (Some(text), _) => filled.pieces.push(Piece::Text(text.clone())),
                (None, _) => filled.pieces.push(piece.clone()),
            }
        }
        let open = template.holes.iter().filter(|(name, _)| !values.contains_key(*name));
        filled.holes = open.map(|(name, hole)| (name.clone(), hole.clone())).collect();
        (filled, values)
    }

    /// Returns the value for a hole, and marks every fill that matches the hole as used.
    fn value(&mut self, hole: &str, stem: &str) -> Option<String> {
        let (mut general, mut special) = (None, None);
        for (row, is_used) in self.fills.rows.iter().zip(&mut self.is_used) {
            let Some((is_special, value)) = row.value(hole, stem) else { continue };
            *is_used = true;
            *(if is_special { &mut special } else { &mut general }) = Some(value);
        }
        special.or(general)
    }

    /// Returns the fills that match no hole.
    pub(crate) fn unused(&self) -> Vec<String> {
        let unused = self.fills.rows.iter().zip(&self.is_used).filter(|(_, is_used)| !**is_used);
        unused.map(|(row, _)| row.text()).collect()
    }
}

impl Row {
    fn text(&self) -> String {
        match self {
            Row::Argument(text) => text.clone(),
            Row::Entry { program: None, hole, value } => format!("{hole}={value}"),
            Row::Entry { program: Some(program), hole, value } => format!("{program}:{hole}={value}"),
        }
    }

    /// Returns the value for a hole of a program, and whether the fill names the program. Returns `None` if the fill does not
    /// match the hole.
    fn value(&self, hole: &str, stem: &str) -> Option<(bool, String)> {
        match self {
            Row::Entry { program, hole: of, value } => {
                let is_selected = program.as_ref().is_none_or(|program| selects(program, stem));
                (of == hole && is_selected).then(|| (program.is_some(), value.clone()))
            }
            Row::Argument(text) => {
                let value = |rest: &str| rest.strip_prefix(hole)?.strip_prefix('=').map(unescaped);
                if let Some(value) = value(text) {
                    return Some((false, value));
                }
                let mut programs = text.match_indices(':').filter_map(|(at, _)| text.split_at_checked(at));
                programs.find_map(|(program, rest)| {
                    let value = value(rest.strip_prefix(':')?)?;
                    selects(program, stem).then_some((true, value))
                })
            }
        }
    }
}

/// Reports whether a name selects a program: the name must be the program's file name, or the part of the file name before one of
/// its dots. The name may include the folder.
fn selects(name: &str, stem: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name);
    let name = name.strip_suffix(".in").or(name.strip_suffix(".piece")).unwrap_or(name);
    let name = name.strip_suffix(".agal").unwrap_or(name);
    stem.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

static ESCAPE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\\[nt\\]"));

fn unescaped(value: &str) -> String {
    let character = |escape: &Captures<'_>| match escape.get(0).map_or("", |escape| escape.as_str()) {
        "\\n" => "\n",
        "\\t" => "\t",
        _ => "\\",
    };
    ESCAPE.replace_all(value, character).into_owned()
}

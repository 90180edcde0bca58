//! The text of a program's file: a header that states stage and version where the text alone does not tell, comments that say what
//! the program is and where it was found, and the text as it was in the file.

use std::fmt::Write;

use agalc::Stage;

use crate::checked::{Checked, How, check};
use crate::fill::name_of_hole;
use crate::model::{Alternative, Condition, Extraction, Piece, Place, Program, Site, Template};

/// How many places are listed; further ones are counted.
const PLACES: usize = 4;
/// The longest expression in a comment.
const LONGEST: usize = 160;

/// A text as it is written, and how agalc reads it.
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) checked: Checked,
    /// The options that agalc needs to read it as what it is.
    pub(crate) options: Vec<String>,
}

/// Writes a text without holes.
pub(crate) fn complete(text: &str, how: How, comments: &str) -> Written {
    let text = with_line_ends(text);
    let meant = check(text.as_bytes(), how);
    let plain = format!("{comments}{text}");
    let header = |version: u32, stage: Stage| format!("// agal {version} {stage}\n{plain}");
    let stage = how.stage.or(meant.program.as_ref().map(|program| program.stage));
    let mut candidates = vec![plain.clone()];
    if let (Some(program), Some(stage)) = (&meant.program, stage) {
        candidates.push(header(program.version, stage));
    } else if let (Some(version), Some(stage)) = (how.version, stage) {
        // It has errors; at least they are those of its own version.
        candidates = vec![header(version, stage)];
    }
    let alike = |checked: &Checked| match (&checked.program, &meant.program) {
        (Some(one), Some(other)) => one == other && checked.has_version == meant.has_version,
        (None, None) => true,
        _ => false,
    };
    let mut last = None;
    for text in candidates {
        let checked = check(text.as_bytes(), How::default());
        if alike(&checked) {
            return Written { text, checked, options: Vec::new() };
        }
        last = Some(text);
    }
    // The language is not what the text looks like, or nothing in it tells the stage.
    let text = last.unwrap_or(plain);
    let checked = check(text.as_bytes(), how);
    let mut options = Vec::new();
    if let Some(name) = how.language.and_then(crate::manifest::option_of_language) {
        options.extend(["--language".to_string(), name.to_string()]);
    }
    if let Some(stage) = how.stage {
        options.extend(["--stage".to_string(), stage.to_string()]);
    }
    Written { text, checked, options }
}

/// Writes a text with holes: `{name}` stands for a hole, and a brace of the text is written twice.
pub(crate) fn template(template: &Template, how: How, comments: &str) -> String {
    let mut text = match (how.version, how.stage) {
        (Some(version), Some(stage)) => format!("// agal {version} {stage}\n"),
        _ => String::new(),
    };
    text += comments;
    for piece in &template.pieces {
        match piece {
            Piece::Text(known) => text += &with_line_ends_inside(known).replace('{', "{{").replace('}', "}}"),
            Piece::Hole(name) => {
                let _ = write!(text, "{{{}}}", one_line(name));
            }
        }
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn with_line_ends_inside(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The text with LF at the end of each line, and of the last one.
pub(crate) fn with_line_ends(text: &str) -> String {
    let mut text = with_line_ends_inside(text);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// The comments above a program.
pub(crate) fn comments(extraction: &Extraction, program: &Program) -> String {
    let mut text = String::new();
    if program.is_piece {
        text += "// a piece: no path that was followed makes a program of it\n";
    }
    let first = program.places.first().map(|place| place.conditions.as_slice()).unwrap_or_default();
    if !first.is_empty() {
        let _ = writeln!(text, "// when {}", conditions(first));
    }
    for place in program.places.iter().take(PLACES) {
        let is_trace = extraction.is_trace(place);
        let how = if is_trace { "uploaded in a run:" } else { "from" };
        let _ = write!(text, "// {how} {}", self::place(extraction, place));
        match place.conditions.as_slice() {
            other if other == first || is_trace => {}
            [] => text += ", always",
            other => {
                let _ = write!(text, ", when {}", conditions(other));
            }
        }
        text.push('\n');
    }
    match program.places.len().saturating_sub(PLACES) {
        0 => {}
        1 => text += "// and 1 more place\n",
        more => {
            let _ = writeln!(text, "// and {more} more places");
        }
    }
    text
}

/// The comments about the holes of a template.
pub(crate) fn hole_comments(extraction: &Extraction, template: &Template) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in template.pieces.iter().filter_map(name_of_hole) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut text = String::new();
    for name in names {
        let _ = write!(text, "// hole {{{}}}", one_line(name));
        let hole = template.holes.get(name);
        if let Some(hole) = hole.filter(|hole| !hole.expression.is_empty() && hole.expression != name) {
            let _ = write!(text, ": {}", one_line(&hole.expression));
        }
        if let Some(place) = hole.and_then(|hole| hole.place.as_ref()) {
            let _ = write!(text, ", in {}", self::place(extraction, place));
        }
        text.push('\n');
    }
    text
}

/// `this.mipmap, and not this.repeat, and format is "dxt1"`
pub(crate) fn conditions(conditions: &[Condition]) -> String {
    let condition = |condition: &Condition| {
        let expression = one_line(&condition.expression);
        match &condition.taken {
            Alternative::True => expression,
            Alternative::False => format!("not {expression}"),
            Alternative::Is(value) => format!("{expression} is {}", one_line(value)),
        }
    };
    conditions.iter().map(condition).collect::<Vec<_>>().join(", and ")
}

/// `game.swf, DoABC 1: Blur.render at 120`
pub(crate) fn place(extraction: &Extraction, place: &Place) -> String {
    let name = extraction.inputs.get(place.input).map_or("", |input| input.name.as_str());
    let path = [name].into_iter().chain(place.path.iter().map(String::as_str)).map(one_line);
    let path = path.collect::<Vec<_>>().join(", ");
    let is_source = is_source(name);
    match &place.site {
        Site::Method { class, method, at } => {
            let parts = [class, method].into_iter().filter(|part| !part.is_empty()).map(|part| one_line(part));
            let method = parts.collect::<Vec<_>>().join(".");
            let unit = if is_source { "line" } else { "offset" };
            match method.is_empty() {
                true => format!("{path}, {unit} {at}"),
                false => format!("{path}: {method}, {unit} {at}"),
            }
        }
        Site::Data { symbol: Some(symbol), offset } => format!("{path}: {}, byte {offset}", one_line(symbol)),
        Site::Data { symbol: None, offset } => format!("{path}, byte {offset}"),
        Site::Trace { line } => format!("{path}, line {line}"),
    }
}

/// Whether an input is a source, by its name: places are lines there.
pub(crate) fn is_source(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    ["as", "hx", "mxml"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// A text of the input in one line of a comment: without control characters, and not too long.
fn one_line(text: &str) -> String {
    let mut line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST).collect();
    if line.len() < text.len() {
        line.push_str("...");
    }
    line
}

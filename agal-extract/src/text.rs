//! Formats the text file of a program: at most three head lines, followed by the program's text. A head line states the stage and
//! the version, unless the text determines both. Comment lines state where the program was found, and under which conditions the
//! application builds it.

use std::borrow::Cow;
use std::fmt::Write;

use agalc::Stage;

use crate::checked::{Checked, How, check};
use crate::group::Shader;
use crate::model::{Alternative, Condition, Extraction, Language, Piece, Place, Site, Template};
use crate::sources::is_source;

/// The maximum length of a head line in characters.
const COLUMNS: usize = 120;

/// The text file written for a program, and the result of parsing the file.
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) checked: Checked,
    /// The command-line options that agalc needs to detect the correct dialect and stage.
    pub(crate) options: Vec<String>,
}

/// Formats a program without holes, and checks that agalc reads the written file as intended.
pub(crate) fn complete(text: &str, how: How, comments: &str) -> Written {
    let text = with_line_ends(text);
    let meant = check(text.as_bytes(), how);
    let plain = format!("{comments}{text}");
    let with_header = |version: u32, stage: Stage| format!("// agal {version} {stage}\n{plain}");
    let candidates = match (&meant.program, how.version.zip(how.stage)) {
        (Some(program), _) => {
            let stage = how.stage.unwrap_or(program.stage);
            vec![plain.clone(), with_header(program.version, stage)]
        }
        // For a text with errors, the header ensures that agalc reports the errors that apply to the correct version.
        (None, Some((version, stage))) => vec![with_header(version, stage)],
        (None, None) => vec![plain],
    };
    let is_alike = |checked: &Checked| match (&checked.program, &meant.program) {
        (Some(one), Some(other)) => one == other && checked.has_version == meant.has_version,
        (None, None) => true,
        _ => false,
    };
    let mut text = String::new();
    for candidate in candidates {
        let checked = check(candidate.as_bytes(), How::default());
        if is_alike(&checked) {
            return Written { text: candidate, checked, options: Vec::new() };
        }
        text = candidate;
    }
    // If agalc would not detect the text's dialect or stage, command-line options are necessary.
    let checked = check(text.as_bytes(), how);
    let language = how.language.map(|of| ["--language".to_string(), language(of).to_string()]);
    let stage = how.stage.map(|of| ["--stage".to_string(), of.to_string()]);
    let options = language.into_iter().chain(stage).flatten().collect();
    Written { text, checked, options }
}

/// Returns the header line, or `None` if the version or the stage is unknown.
pub(crate) fn header(how: How) -> Option<String> {
    how.version.zip(how.stage).map(|(version, stage)| format!("// agal {version} {stage}\n"))
}

/// Formats a program with holes. A hole is written as `{name}`, and literal braces are doubled.
pub(crate) fn template(template: &Template, head: String) -> String {
    let written = |piece: &Piece| match piece {
        Piece::Text(known) => known.replace('{', "{{").replace('}', "}}"),
        Piece::Hole(name) => format!("{{{}}}", one_line(name)),
    };
    with_line_ends(&(head + &template.pieces.iter().map(written).collect::<String>()))
}

/// Converts all line ends to LF, and adds a final LF if necessary.
pub(crate) fn with_line_ends(text: &str) -> String {
    let mut text = text.replace("\r\n", "\n").replace('\r', "\n");
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Returns the comments of the head, which state the program's place, conditions and holes. If there is a header line, the place
/// and the conditions are in one comment.
pub(crate) fn comments(extraction: &Extraction, shader: &Shader<'_>, holes: &[&str], has_header: bool) -> String {
    let from = from(extraction, shader);
    let lines = match (when(extraction, shader), holes) {
        (None, []) => vec![from],
        (Some(when), []) => vec![from, when],
        (None, holes) => vec![from, listed(holes)],
        (Some(when), holes) if has_header => vec![format!("{}; {when}", middle(&from, COLUMNS / 2)), listed(holes)],
        (Some(when), holes) => vec![from, when, listed(holes)],
    };
    lines.iter().map(|line| format!("// {}\n", short(line, COLUMNS - 3))).collect()
}

/// Returns a comment such as `from game.swf, DoABC 1: Blur.render, offset 120, and 3 more places`.
fn from(extraction: &Extraction, shader: &Shader<'_>) -> String {
    let program = shader.program;
    let (traced, others): (Vec<&Place>, Vec<&Place>) =
        program.places.iter().partition(|place| extraction.is_trace(place));
    let Some(from) = others.first().or(traced.first()) else { return "from an unknown place".to_string() };
    let mut rest = match others.len() {
        0 | 1 => String::new(),
        2 => ", and 1 more place".to_string(),
        more => format!(", and {} more places", more - 1),
    };
    if !shader.variants.is_empty() {
        let _ = write!(rest, "; {} sets of sampler options", shader.variants.len());
    }
    let how = match (traced.is_empty(), others.is_empty()) {
        (false, true) => "uploaded in a run: ",
        (false, false) => "uploaded in a run, from ",
        _ if program.is_piece => "a piece, from ",
        _ => "from ",
    };
    let room = COLUMNS.saturating_sub(3 + how.len() + rest.len());
    format!("{how}{}{rest}", middle(&place(extraction, from), room))
}

/// Returns a comment such as `when mipmap; not repeat; format is dxt1`.
fn when(extraction: &Extraction, shader: &Shader<'_>) -> Option<String> {
    let (conditions, sets) = shader.conditions(extraction);
    let rest = match sets {
        0 | 1 => String::new(),
        sets if conditions.is_empty() => format!("under one of {sets} sets of conditions"),
        sets => format!("; and one of {sets} sets of other conditions"),
    };
    let condition = |condition: &&Condition| {
        let expression = one_line(&condition.expression);
        let expression = expression.strip_prefix("this.").unwrap_or(&expression);
        match &condition.taken {
            Alternative::True => expression.to_string(),
            Alternative::False => format!("not {expression}"),
            Alternative::Is(value) => format!("{expression} is {}", one_line(value)),
        }
    };
    let conditions: Vec<String> = conditions.iter().take(COLUMNS / 3).map(condition).collect();
    let begin = if conditions.is_empty() { "" } else { "when " };
    let room = COLUMNS.saturating_sub(3 + begin.len() + rest.len());
    Some(format!("{begin}{}{rest}", short(&conditions.join("; "), room))).filter(|line| !line.is_empty())
}

/// Returns a comment such as `holes {tex flags}, {reg fc}`.
fn listed(holes: &[&str]) -> String {
    let named: Vec<String> = holes.iter().take(COLUMNS / 3).map(|name| format!("{{{}}}", one_line(name))).collect();
    format!("{} {}", if holes.len() == 1 { "hole" } else { "holes" }, named.join(", "))
}

/// The maximum number of characters that the output quotes from a text in an input.
pub(crate) const LONGEST: usize = 240;

/// Returns the dialect's name, as accepted by the option `--language`.
pub(crate) fn language(language: Language) -> &'static str {
    match language {
        Language::Mini => "mini",
        Language::Macro => "macro",
        Language::Alternativa => "alternativa",
    }
}

/// Truncates a text to `most` characters, including a final `…`.
pub(crate) fn short(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most || text.chars().nth(most).is_none() {
        return text.into();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end()).into()
}

/// Replaces the middle of a text with `…`, so that at most `most` characters remain.
fn middle(text: &str, most: usize) -> Cow<'_, str> {
    let count = text.chars().count();
    if count <= most {
        return text.into();
    }
    let (begin, end) = (most / 3, most.saturating_sub(most / 3 + 1));
    let kept = text.chars().take(begin).chain(['…']).chain(text.chars().skip(count - end.min(count)));
    kept.collect::<String>().into()
}

/// Returns a description of a place, such as `game.swf, DoABC 1: Blur.render, offset 120`.
fn place(extraction: &Extraction, place: &Place) -> String {
    let name = extraction.inputs.get(place.input).map_or("", |input| input.name.as_str());
    let path = [name].into_iter().chain(place.path.iter().map(String::as_str)).map(one_line);
    let path = path.collect::<Vec<_>>().join(", ");
    let is_source = is_source(name);
    match &place.site {
        Site::Method { class, method, at, inherited_from } => {
            let parts = [class, method].into_iter().filter(|part| !part.is_empty()).map(|part| one_line(part));
            let method = parts.collect::<Vec<_>>().join(".");
            let from = inherited_from.as_ref().map(|from| format!("inherited from {}", one_line(from)));
            let method = [method].into_iter().chain(from).collect::<Vec<_>>().join(", ");
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

/// Shortens a text from an input for a comment, and replaces its control characters with spaces.
fn one_line(text: &str) -> String {
    short(text, LONGEST).chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

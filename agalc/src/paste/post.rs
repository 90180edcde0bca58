//! AGAL text from posts, emails and web pages, with `>` marks, line numbers, HTML entities, headings, or two programs in
//! sequence.
//!
//! Rule: text is read as a post only if its lines are AGAL once the marks are removed, and if the unmodified text cannot be a
//! program.

use std::ops::Range;

use agal_front::Stage;

use super::pasted::{Code, Pasted};
use super::pieced::Pieced;
use super::program::{begins_statement, stage_of_registers};

/// A line without the marks before its code, and the offset of the code in the text.
struct Line<'t> {
    code: &'t str,
    at: usize,
}

/// The HTML entities for characters that occur in AGAL.
const ENTITIES: [(&str, &str); 7] =
    [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"), ("&nbsp;", " "), ("&#60;", "<"), ("&#62;", ">"), ("&#44;", ",")];

/// Finds the programs of a post, or returns `None` if the text is not a post.
pub(super) fn find(text: &str) -> Option<Vec<Pasted>> {
    if !may_be_post(text) {
        return None;
    }
    let mut lines = lines(text);
    let is_quoted = without(&mut lines, quote);
    let is_numbered = are_numbered(&lines) && without(&mut lines, number);
    // Marks before every line identify a post, so a line with a mistake still counts as code and gets its own error.
    let is_marked = (is_quoted || is_numbered) && lines.iter().any(|line| begins_statement(line.code));
    // A heading states the stage of the lines that follow.
    let is_code = |line: &Line<'_>| is_marked || line.code.starts_with("//") || begins_statement(line.code);
    let heading = |line: &Line<'_>| {
        let stage = heading(line.code);
        (stage.is_some() || is_code(line)).then_some(stage)
    };
    let headings: Vec<Option<Stage>> = lines.iter().map(heading).collect::<Option<_>>()?;
    let has_entity = |line: &Line<'_>| ENTITIES.iter().any(|(entity, _)| code_of(line).contains(entity));
    let has_entities = lines.iter().any(has_entity);
    // Comments count as headings only if both stages have a heading.
    let has = |stage| headings.contains(&Some(stage));
    let are_comments = lines.iter().zip(&headings).all(|(line, heading)| heading.is_none() || is_comment(line.code));
    let has_headings =
        has(Stage::Vertex) && has(Stage::Fragment) || headings.iter().any(Option::is_some) && !are_comments;
    let of_headings = if has_headings { by_headings(&lines, &headings) } else { Vec::new() };
    let has_code = |(_, lines): &Program<'_, '_>| lines.iter().any(|line| !is_comment(line.code));
    // Comments divide the text only if the registers of each part belong to the stage that the part's heading states.
    let fits = |(stage, lines): &Program<'_, '_>| !are_comments || stage.is_some_and(|stage| is_whole(lines, stage));
    let has_headings = !of_headings.is_empty() && of_headings.iter().all(|of| has_code(of) && fits(of));
    let programs = if has_headings { of_headings } else { by_registers(&lines) };
    let is_post = is_marked || has_entities || has_headings || programs.len() == 2;
    if !is_post || programs.is_empty() || programs.len() > 2 {
        return None;
    }
    let pasted = programs.into_iter().map(|(stage, lines)| {
        let text = written(lines);
        let known = stage_of_registers(text.as_str());
        let asked = if known.is_none() { stage } else { None };
        Pasted { stage: known.or(stage), asked, version: None, code: Code::Text(text) }
    });
    Some(pasted.collect())
}

/// Reports whether text may be a post, in which case its lines must be examined. The signs of a post are a mark, number or
/// heading at the beginning, an HTML entity, and the names of the outputs of both stages.
fn may_be_post(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let is_code = begins_statement(first) || first.starts_with("//");
    let begins = first.starts_with('>') || first.starts_with(|c: char| c.is_ascii_digit());
    let has_both = || text.contains("op") && text.contains("oc");
    begins
        || !is_code && heading(first).is_some()
        || text.contains("&lt;")
        || text.contains("&#60;")
        || is_code && has_both()
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut at = 0;
    let lines = text.split_inclusive(['\n', '\r']).map(|line| {
        let begin = at;
        at += line.len();
        trimmed(Line { code: line, at: begin })
    });
    lines.filter(|line| !line.code.is_empty()).collect()
}

fn trimmed(line: Line<'_>) -> Line<'_> {
    let code = line.code.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    Line { at: line.at + line.code.len() - code.len(), code: code.trim_end() }
}

/// Removes a mark from the beginning of each line, if every line begins with the mark.
fn without(lines: &mut Vec<Line<'_>>, mark: fn(&str) -> Option<usize>) -> bool {
    let Some(marks) = lines.iter().map(|line| mark(line.code)).collect::<Option<Vec<usize>>>() else { return false };
    for (line, length) in lines.iter_mut().zip(marks) {
        *line = trimmed(Line { code: line.code.get(length..).unwrap_or_default(), at: line.at + length });
    }
    lines.retain(|line| !line.code.is_empty());
    true
}

/// Returns the length of the `>` marks at the beginning of a quoted line.
fn quote(line: &str) -> Option<usize> {
    let rest = line.trim_start_matches(['>', ' ']);
    line.starts_with('>').then_some(line.len() - rest.len())
}

/// Returns the length of a line number and the separator after it.
fn number(line: &str) -> Option<usize> {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let separated = rest.trim_start_matches([':', '.', ')', '|', ' ', '\t']);
    (rest.len() < line.len() && (separated.len() < rest.len() || rest.is_empty()))
        .then_some(line.len() - separated.len())
}

/// Reports whether every line begins with a number that is greater than the previous line's number.
fn are_numbered(lines: &[Line<'_>]) -> bool {
    let numbers = lines.iter().map(|line| {
        let digits: String = line.code.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u32>().ok()
    });
    numbers.collect::<Option<Vec<u32>>>().is_some_and(|numbers| numbers.is_sorted_by(|a, b| a < b))
}

fn is_comment(line: &str) -> bool {
    line.starts_with("//") || line.starts_with(['#', ';'])
}

/// Returns the stage that a heading states. A heading consists of the name of one stage, optional words such as `shader`, and
/// punctuation, as in `VertexShader:` or `// *** FRAGMENT ***`.
fn heading(line: &str) -> Option<Stage> {
    const OTHERS: [&str; 6] = ["shader", "program", "code", "agal", "source", "the"];
    let mut stage = None;
    for word in line.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty()) {
        let word = word.to_ascii_lowercase();
        // Compound words such as `VertexShader` and `fragmentprogram` begin with the stage.
        let stem = OTHERS.iter().find_map(|other| word.strip_suffix(other)).unwrap_or(&word);
        let of = match stem {
            "vertex" => Stage::Vertex,
            "fragment" | "pixel" => Stage::Fragment,
            "" => continue,
            _ => return None,
        };
        if stage.replace(of).is_some() {
            return None;
        }
    }
    stage.filter(|_| !line.contains(',') && line.len() <= 60)
}

type Program<'l, 't> = (Option<Stage>, Vec<&'l Line<'t>>);

/// Divides the lines into programs at the headings. Comments before the first heading belong to the first program. A
/// heading that is a comment stays in its program, because the comment may state a version.
fn by_headings<'l, 't>(lines: &'l [Line<'t>], headings: &[Option<Stage>]) -> Vec<Program<'l, 't>> {
    let mut programs: Vec<Program<'l, 't>> = Vec::new();
    let mut before = Vec::new();
    for (line, heading) in lines.iter().zip(headings) {
        match (heading, programs.last_mut()) {
            (Some(stage), _) => {
                let are_comments = before.iter().all(|line: &&Line<'_>| is_comment(line.code));
                let mut of = if are_comments { std::mem::take(&mut before) } else { Vec::new() };
                of.extend(is_comment(line.code).then_some(line));
                programs.push((Some(*stage), of));
            }
            (None, Some((_, of))) => of.push(line),
            (None, None) => before.push(line),
        }
    }
    // Code before the first heading is a program whose stage is unknown.
    if !before.is_empty() {
        programs.insert(0, (None, before));
    }
    programs
}

/// Returns all lines as one program, or as two programs if registers of the fragment stage follow registers of the vertex
/// stage and each part writes the output of its stage.
fn by_registers<'l, 't>(lines: &'l [Line<'t>]) -> Vec<Program<'l, 't>> {
    let all = || vec![(None, lines.iter().collect())];
    let stages: Vec<Option<Stage>> = lines.iter().map(|line| stage_of_registers(code_of(line))).collect();
    let Some(split) = stages.iter().position(|stage| *stage == Some(Stage::Fragment)) else { return all() };
    let (vertex, fragment) = stages.split_at(split);
    let has_output =
        |range: Range<usize>, output| lines.get(range).unwrap_or_default().iter().any(|line| writes(line, output));
    let is_clean = vertex.contains(&Some(Stage::Vertex)) && !fragment.contains(&Some(Stage::Vertex));
    if !is_clean || !has_output(0..split, "op") || !has_output(split..lines.len(), "oc") {
        return all();
    }
    let (vertex, fragment) = lines.split_at(split);
    vec![(Some(Stage::Vertex), vertex.iter().collect()), (Some(Stage::Fragment), fragment.iter().collect())]
}

/// Reports whether lines write a stage's output and use no register of the other stage.
fn is_whole(lines: &[&Line<'_>], stage: Stage) -> bool {
    let output = if stage == Stage::Vertex { "op" } else { "oc" };
    let is_own = |line: &&Line<'_>| stage_of_registers(code_of(line)).is_none_or(|of| of == stage);
    lines.iter().all(is_own) && lines.iter().any(|line| writes(line, output))
}

/// Reports whether a line is a statement whose destination begins with `output`.
fn writes(line: &Line<'_>, output: &str) -> bool {
    let mut words = code_of(line).split(|c: char| !c.is_ascii_alphanumeric());
    words.nth(1).is_some_and(|word| word.starts_with(output))
}

fn code_of<'t>(line: &Line<'t>) -> &'t str {
    line.code.split("//").next().unwrap_or_default()
}

/// Joins the lines of a program, and replaces HTML entities with their characters.
fn written(lines: Vec<&Line<'_>>) -> Pieced {
    let mut text = Pieced::default();
    for line in lines {
        let code = code_of(line);
        let (mut rest, mut at) = (code, line.at);
        while let Some(start) = rest.find('&') {
            let after = rest.get(start..).unwrap_or_default();
            let of = ENTITIES.iter().find(|(entity, _)| after.starts_with(entity));
            let length = start + of.map_or(1, |(entity, _)| entity.len());
            match of {
                Some((_, character)) => {
                    text.copy(rest.get(..start).unwrap_or_default(), at);
                    text.put(character, at + start..at + length);
                }
                None => text.copy(rest.get(..length).unwrap_or_default(), at),
            }
            at += length;
            rest = rest.get(length..).unwrap_or_default();
        }
        text.copy(rest, at);
        text.copy(line.code.get(code.len()..).unwrap_or_default(), line.at + code.len());
        text.end_line();
    }
    text
}

//! AwayJS's `part NAME ... endpart`: a text that holds several programs.
//!
//! Rule: one part is assembled, that of the stage that is asked for, or the only one. Its line reads `part NAME STAGE
//! VERSION`, where a name that is a stage stands for it, and what is missing is inferred as without parts. Parts of one
//! name, stage and version are one, as they are to AwayJS. Line breaks aside, this file never looks at the other parts.

use std::collections::HashMap;
use std::ops::Range;

use super::Header;
use super::reader::{Reader, quote};
use crate::finding::Kind;
use crate::register::Stage;

/// A part, as its line states it, and its lines.
struct Part<'a> {
    name: &'a str,
    stage: Option<Stage>,
    version: Option<u32>,
    /// Its first line.
    line: Range<usize>,
    lines: Vec<Range<usize>>,
}

impl<'a> Part<'a> {
    fn read(text: &'a str, line: Range<usize>) -> Part<'a> {
        let words = || text.split_whitespace().skip(1);
        let stage = words().take(2).find_map(Header::stage);
        let version = words().skip(1).find_map(|word| word.parse().ok());
        Part { name: words().next().unwrap_or("without a name"), stage, version, line, lines: Vec::new() }
    }
}

/// Names that a message lists.
const LISTED: usize = 8;

/// The lines to assemble, and the stage and version that the part states. A text without parts is all its lines.
pub(super) struct Chosen {
    pub(super) lines: Vec<Range<usize>>,
    pub(super) stage: Option<Stage>,
    pub(super) version: Option<u32>,
}

/// Chooses a part, of the stage `asked` for if one is.
pub(super) fn choose(reader: &mut Reader, lines: Vec<Range<usize>>, asked: Option<Stage>) -> Chosen {
    let word =
        |line: &Range<usize>| reader.text_of(line).split("//").next().unwrap_or_default().split_whitespace().next();
    if !lines.iter().any(|line| word(line) == Some("part")) {
        return Chosen { lines, stage: None, version: None };
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut known: HashMap<(&str, Option<Stage>, Option<u32>), usize> = HashMap::new();
    let mut current: Option<usize> = None;
    let mut outside = Vec::new();
    for line in lines {
        match (word(&line), current) {
            (Some("part"), _) => {
                let text = reader.text_of(&line).split("//").next().unwrap_or_default();
                let part = Part::read(text, line);
                let number = *known.entry((part.name, part.stage, part.version)).or_insert(parts.len());
                if number == parts.len() {
                    parts.push(part);
                }
                current = Some(number);
            }
            (Some("endpart"), Some(_)) => current = None,
            (Some(_), Some(part)) => parts.get_mut(part).into_iter().for_each(|part| part.lines.push(line.clone())),
            (Some(_), None) => outside.push(line),
            (None, _) => {}
        }
    }
    outside.iter().for_each(|line| reader.note(Kind::OutsideParts, line));
    let first = parts.first().map(|part| part.line.clone()).unwrap_or_default();
    let fits = |part: &Part| asked.is_none() || part.stage.is_none() || part.stage == asked;
    let (mut fitting, others): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(fits);
    if let [_] = fitting[..]
        && let Some(part) = fitting.pop()
    {
        reader.note(Kind::Part { name: quote(part.name) }, &part.line);
        return Chosen { lines: part.lines, stage: part.stage, version: part.version };
    }
    let several = !fitting.is_empty();
    let listed = if several { fitting } else { others };
    let mut names: Vec<String> = listed.iter().take(LISTED).map(|part| quote(part.name)).collect();
    names.extend((listed.len() > LISTED).then(|| "…".to_string()));
    reader.note(Kind::PartChoice { names, asked, several }, &first);
    Chosen { lines: Vec::new(), stage: asked, version: None }
}

//! AwayJS's `part NAME ... endpart`: a text with several programs.
//!
//! Rule: one part is assembled: the one of the requested stage, or the only one. Its line is `part NAME STAGE VERSION`; a name that
//! is the name of a stage also states the stage, and missing facts are inferred as without parts. Parts with the same name, stage
//! and version are joined, as AwayJS does. Apart from line breaks, the other parts are never read.

use std::collections::HashMap;
use std::ops::Range;

use super::header::{Header, stage_named};
use super::lines::lines;
use super::reader::{NoteList, quote};
use crate::finding::Kind;
use crate::register::Stage;

/// A program in a text with several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its stage, if its line states one.
    pub stage: Option<Stage>,
}

/// The programs of a text in AwayJS's parts, in order; none for a text that is a single program. Their contents are not read.
pub fn parts(text: &str) -> Vec<Part> {
    let read = read(text).map(|read| read.parts).unwrap_or_default();
    read.iter().map(|part| Part { name: part.name.to_string(), stage: part.stage }).collect()
}

/// A part: the facts on its line, and its lines.
struct WrittenPart<'a> {
    name: &'a str,
    stage: Option<Stage>,
    version: Option<u32>,
    /// Its first line.
    line: Range<usize>,
    lines: Vec<Range<usize>>,
}

impl<'a> WrittenPart<'a> {
    fn read(text: &'a str, line: Range<usize>) -> WrittenPart<'a> {
        let words = || text.split_whitespace().skip(1);
        let stage = words().take(2).find_map(stage_named);
        let version = words().skip(1).find_map(|word| word.parse().ok());
        WrittenPart { name: words().next().unwrap_or("without a name"), stage, version, line, lines: Vec::new() }
    }
}

/// Number of names that a message lists.
const LISTED: usize = 8;

/// The parts of a text, and the findings about the lines around them.
struct Read<'a> {
    parts: Vec<WrittenPart<'a>>,
    /// The names and positions of parts that are not closed.
    open: Vec<(&'a str, Range<usize>)>,
    notes: NoteList,
}

/// The parts of a text, if it has any.
fn read(text: &str) -> Option<Read<'_>> {
    let code = |line: &Range<usize>| text.get(line.clone()).unwrap_or_default().split("//").next().unwrap_or_default();
    let word = |line: &Range<usize>| {
        let mut words = code(line).split_whitespace();
        let first = words.next()?;
        // A part has a name; `part = v0` and the like are statements.
        let named = words.next().is_some_and(|word| word.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
        (first != "part" || named).then_some(first).or(Some(""))
    };
    lines(text).find(|line| word(line) == Some("part"))?;
    let mut read = Read { parts: Vec::new(), open: Vec::new(), notes: NoteList::default() };
    let mut known: HashMap<(&str, Option<Stage>, Option<u32>), usize> = HashMap::new();
    // The current part, by number, and the line that opened it.
    let mut current: Option<(usize, Range<usize>)> = None;
    for line in lines(text) {
        match (word(&line), &current) {
            (Some("part"), _) => {
                read.leave_open(current.take());
                let part = WrittenPart::read(code(&line), line.clone());
                read.notes.extend(surplus(code(&line), line.start));
                let number = *known.entry((part.name, part.stage, part.version)).or_insert(read.parts.len());
                if number == read.parts.len() {
                    read.parts.push(part);
                }
                current = Some((number, line));
            }
            (Some("endpart"), Some(_)) => current = None,
            (_, Some((part, _))) => {
                read.parts.get_mut(*part).into_iter().for_each(|part| part.lines.push(line.clone()));
            }
            (Some(_), None) => drop(read.notes.push(Kind::OutsideParts, line)),
            (None, _) => {}
        }
    }
    read.leave_open(current);
    Some(read)
}

/// Reports the first word of a part's line that is neither its name nor a stage nor a version.
fn surplus(line: &str, start: usize) -> Option<(Kind, Range<usize>)> {
    let is_version = |word: &str| word.parse::<u32>().is_ok();
    let known = |(at, word): &(usize, &str)| *at < 2 || stage_named(word).is_some() || is_version(word);
    let (_, word) = line.split_whitespace().enumerate().find(|word| !known(word))?;
    let at = start + line.find(word)?;
    Some((Kind::Skipped { text: quote(word), read: None, written: false }, at..at + word.len()))
}

impl Read<'_> {
    /// Records a part that is not closed.
    fn leave_open(&mut self, part: Option<(usize, Range<usize>)>) {
        if let Some((number, range)) = part
            && let Some(part) = self.parts.get(number)
        {
            self.open.push((part.name, range));
        }
    }
}

/// The part to assemble.
#[derive(Default)]
pub(super) struct Chosen {
    /// The text with blanks for everything outside the part, so that positions in it are positions in the text.
    pub(super) text: String,
    /// Stage and version on the part's line, and the line's position.
    pub(super) stage: Option<Stage>,
    pub(super) version: Option<u32>,
    pub(super) line: Range<usize>,
    pub(super) notes: NoteList,
}

/// Chooses a part, of stage `asked` if there is one. `None` for a text without parts. The header is kept in place.
pub(super) fn choose(text: &str, header: Option<&Header>, asked: Option<Stage>) -> Option<Chosen> {
    let Read { parts, open, mut notes } = read(text)?;
    let open = open.into_iter().map(|(name, range)| (name, (Kind::PartOpen { name: quote(name) }, range)));
    let first = parts.first().map(|part| part.line.clone()).unwrap_or_default();
    let fits = |part: &WrittenPart| asked.is_none() || part.stage.is_none() || part.stage == asked;
    let (mut fitting, others): (Vec<WrittenPart>, Vec<WrittenPart>) = parts.into_iter().partition(fits);
    let header = header.map(|header| header.range.clone());
    if let [_] = fitting[..]
        && let Some(WrittenPart { name, stage, version, line, lines }) = fitting.pop()
    {
        // Whether the other parts are closed only matters when they are assembled.
        notes.extend(open.filter(|(open, _)| *open == name).map(|(_, note)| note));
        notes.push(Kind::Part { name: quote(name) }, line.clone());
        return Some(Chosen { text: only(text, header.into_iter().chain(lines)), stage, version, line, notes });
    }
    notes.extend(open.map(|(_, note)| note));
    let several = !fitting.is_empty();
    let stages: Vec<Stage> = fitting.iter().filter_map(|part| part.stage).collect();
    let stages = stages.len() == 2 && stages.first() != stages.last();
    let listed = if several { fitting } else { others };
    let mut names: Vec<String> = listed.iter().take(LISTED).map(|part| quote(part.name)).collect();
    names.extend((listed.len() > LISTED).then(|| "…".to_string()));
    notes.push(Kind::PartChoice { names, asked, several, stages }, first.clone());
    Some(Chosen { text: only(text, header.into_iter()), line: first, notes, ..Chosen::default() })
}

/// The text with a blank for each byte outside `kept`, except line breaks.
fn only(text: &str, kept: impl Iterator<Item = Range<usize>>) -> String {
    let mut masked = String::with_capacity(text.len());
    let blank = |masked: &mut String, range: Range<usize>| {
        for c in text.get(range).unwrap_or_default().chars() {
            match c {
                '\n' | '\r' | '\x0b' | '\x0c' => masked.push(c),
                _ => (0..c.len_utf8()).for_each(|_| masked.push(' ')),
            }
        }
    };
    let mut at = 0;
    for range in kept {
        blank(&mut masked, at..range.start);
        masked.push_str(text.get(range.clone()).unwrap_or_default());
        at = range.end;
    }
    blank(&mut masked, at..text.len());
    masked
}

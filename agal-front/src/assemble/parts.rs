//! Reads source text that contains several programs, in AwayJS's notation `part NAME ... endpart`.
//!
//! Rule: exactly one part is assembled, which is the part of the requested stage or the only part. The opening line of a part
//! is `part NAME STAGE VERSION`. A part named after a stage belongs to that stage, and a missing stage or version is inferred
//! as in source text without parts. Parts with the same name, stage and version are joined, as in AwayJS. Parts that are not
//! assembled are not checked.

use std::collections::HashMap;
use std::ops::Range;

use super::header::{Header, stage_named};
use super::lines::lines;
use super::reader::{NoteList, quote};
use crate::finding::Kind;
use crate::register::Stage;

/// One of several programs in the same source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The part's name, as written after `part`.
    pub name: String,
    /// The part's stage, or `None` if the opening line of the part states no stage.
    pub stage: Option<Stage>,
}

/// Lists the parts of source text in AwayJS's notation, without reading the contents of the parts. The list is empty if the
/// source text is a single program.
pub fn parts(text: &str) -> Vec<Part> {
    let read = read(text).map(|read| read.parts).unwrap_or_default();
    read.iter().map(|part| Part { name: part.name.to_string(), stage: part.stage }).collect()
}

struct WrittenPart<'a> {
    name: &'a str,
    stage: Option<Stage>,
    version: Option<u32>,
    /// The line `part NAME STAGE VERSION` that opens the part.
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

const LISTED: usize = 8;

struct Read<'a> {
    parts: Vec<WrittenPart<'a>>,
    open: Vec<(&'a str, Range<usize>)>,
    notes: NoteList,
}

/// Returns the parts of source text, or `None` if the source text has no parts.
fn read(text: &str) -> Option<Read<'_>> {
    let code = |line: &Range<usize>| text.get(line.clone()).unwrap_or_default().split("//").next().unwrap_or_default();
    let word = |line: &Range<usize>| {
        let mut words = code(line).split_whitespace();
        let first = words.next()?;
        // A line opens a part only if a name follows `part`, since a line such as `part = v0` is a statement.
        let named = words.next().is_some_and(|word| word.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
        (first != "part" || named).then_some(first).or(Some(""))
    };
    lines(text).find(|line| word(line) == Some("part"))?;
    let mut read = Read { parts: Vec::new(), open: Vec::new(), notes: NoteList::default() };
    let mut known: HashMap<(&str, Option<Stage>, Option<u32>), usize> = HashMap::new();
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

/// Returns an error for the first word of a part's opening line that is not a name, a stage or a version.
fn surplus(line: &str, start: usize) -> Option<(Kind, Range<usize>)> {
    let is_version = |word: &str| word.parse::<u32>().is_ok();
    let known = |(at, word): &(usize, &str)| *at < 2 || stage_named(word).is_some() || is_version(word);
    let (_, word) = line.split_whitespace().enumerate().find(|word| !known(word))?;
    let at = start + line.find(word)?;
    Some((Kind::Skipped { text: quote(word), read: None, written: false }, at..at + word.len()))
}

impl Read<'_> {
    fn leave_open(&mut self, part: Option<(usize, Range<usize>)>) {
        if let Some((number, range)) = part
            && let Some(part) = self.parts.get(number)
        {
            self.open.push((part.name, range));
        }
    }
}

#[derive(Default)]
pub(super) struct Chosen {
    /// The source text, with spaces in place of everything outside the part so that byte positions stay the same.
    pub(super) text: String,
    pub(super) stage: Option<Stage>,
    pub(super) version: Option<u32>,
    pub(super) line: Range<usize>,
    pub(super) notes: NoteList,
}

/// Chooses the part to assemble: the only part that can have the stage `asked`, or the only part if no stage is requested.
/// Returns `None` for source text without parts.
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
        // A missing `endpart` matters only in the part that is assembled.
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

/// Replaces each byte of the source text outside `kept` with a space, except for line breaks.
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

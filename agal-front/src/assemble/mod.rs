//! AGAL text to a program.
//!
//! Rule: whatever AGALMiniAssembler takes gives its bytes, and what is odd in it is a warning; what it would refuse,
//! drop without a word or crash on is an error, and all of them are collected. Where that assembler passes over what a
//! person meant, the meaning wins: colour letters, upper case, each line's own options; a sampler option that does not
//! exist is an error. Three things go beyond its language. A first line `// agal VERSION STAGE`, a comment to it, gives
//! version and stage. A line `.token` with a token's four words in hexadecimal gives a token that its language cannot
//! express. A text may hold several programs as `part NAME STAGE VERSION ... endpart`, of which one is assembled.
//!
//! The rules that need the whole program (registers, data flow) are the validator's, which finds the text again through
//! [`Assembly::map`].

mod macros;
mod operand;
pub(crate) mod options;
mod parts;
mod reader;
mod scan;
mod statement;

use std::ops::Range;

pub use macros::Alias;

use crate::finding::{Call, Finding, Kind, Level, Place, Severity, SourceMap, Span, TokenSpans};
use crate::program::Program;
use crate::register::{File, Stage, VERSIONS};
use crate::token::Token;
use macros::{Expanded, Origin};
use reader::{Note, Reader, Role};
use statement::Statement;

/// What a text is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// Whatever the text looks like: a directive, an `alias`, a `macro` or an assignment makes it the macro language.
    #[default]
    Auto,
    /// The mini assembler's.
    Mini,
    /// The macro assembler's.
    Macro,
}

/// What the caller knows about the program; it wins over what the text says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssembleOptions {
    /// The stage; without it the header comment's, else the one whose registers the text names.
    pub stage: Option<Stage>,
    /// The version; without it the header comment's, else the lowest that has all that the text uses.
    pub version: Option<u32>,
    /// The language.
    pub language: Language,
    /// The names that `#if` of the macro language knows from the start, and their values.
    pub defines: Vec<(String, f64)>,
    /// Numbers of errors that are to be warnings, as far as the text has a meaning then.
    pub allow: Vec<u16>,
}

/// An assembled program.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The program.
    pub program: Program,
    /// Where its tokens stand in the text.
    pub map: SourceMap,
    /// What is odd in the text, in its order.
    pub warnings: Vec<Finding>,
    /// Whether the version was stated, by the caller or a header comment, and not inferred.
    pub version_given: bool,
    /// The aliases of the macro language, in the order of the text; those with values are what the application must
    /// upload.
    pub aliases: Vec<Alias>,
}

/// A text in the macro language as the mini assembler would have it.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The text, one statement a line. A text in the mini assembler's language is given as it is.
    pub text: String,
    /// The aliases, in the order of the text.
    pub aliases: Vec<Alias>,
    /// What is odd in it.
    pub warnings: Vec<Finding>,
}

/// Expands the macro language and assembles nothing.
///
/// # Errors
/// Everything that is wrong with macros, aliases and the like, and the warnings, in the order of the text.
pub fn expand(text: &str, options: &AssembleOptions) -> Result<Expansion, Vec<Finding>> {
    let Some(expanded) = expanded(text, options) else {
        return Ok(Expansion { text: text.to_string(), aliases: Vec::new(), warnings: Vec::new() });
    };
    let notes = expanded.notes.into_iter().map(|note| (note.kind, (note.range, note.call))).collect();
    let places = Places { text, origin: Some(&expanded.origin) };
    let warnings = places.findings(notes);
    if warnings.iter().any(Finding::is_error) {
        return Err(warnings);
    }
    Ok(Expansion { text: expanded.text, aliases: expanded.aliases, warnings })
}

/// The text in the mini assembler's language, if it is in the other.
fn expanded(text: &str, options: &AssembleOptions) -> Option<Expanded> {
    let is_macro = match options.language {
        Language::Mini => false,
        Language::Macro => true,
        Language::Auto => macros::is_macro(text),
    };
    let header = lines(text).next().filter(|line| text.get(line.clone()).and_then(Header::read).is_some());
    is_macro.then(|| macros::expand(text, &options.defines, header))
}

/// Assembles a program.
///
/// # Errors
/// Everything that is wrong with the text, and the warnings, in the order of the text.
pub fn assemble(text: &str, options: &AssembleOptions) -> Result<Assembly, Vec<Finding>> {
    let mut expanded = expanded(text, options);
    let said = expanded.as_mut().map(|expanded| std::mem::take(&mut expanded.notes)).unwrap_or_default();
    let body = expanded.as_ref().map_or(text, |expanded| expanded.text.as_str());
    let mut reader = Reader::new(body);
    let mut statements = Vec::new();
    let all: Vec<Range<usize>> = lines(body).collect();
    let start = all.first().cloned().unwrap_or_default();
    let header = Header::read(reader.text_of(&start));
    let asked = options.stage.or(header.as_ref().map(|header| header.stage));
    let part = parts::choose(&mut reader, all, asked);
    for line in part.lines {
        let code = reader.text_of(&line).split("//").next().unwrap_or_default().trim_end();
        if !code.is_empty() {
            statements.extend(reader.statement(line.start..line.start + code.len()));
        }
    }
    if let Some(header) = &header {
        header.check(options, &mut reader.notes, &start);
    }
    let broken = said.iter().any(|note| note.kind.level() == Level::Error);
    let stage = check_stage(&mut reader, asked.or(part.stage), &start, broken);
    let version = options.version.or(header.as_ref().map(|header| header.version)).or(part.version);
    if let Some(found) = version.filter(|version| !VERSIONS.contains(version)) {
        reader.note(Kind::Version { found }, &start);
    }
    let inferred = lowest_version(&reader, stage);
    let places = Places { text, origin: expanded.as_ref().map(|expanded| &expanded.origin) };
    let mut notes: Vec<_> = said.into_iter().map(|note| (note.kind, (note.range, note.call))).collect();
    notes.extend(reader.notes.into_iter().map(|note| (note.kind, places.find(note.range))));
    let mut findings = places.findings(notes);
    for finding in &mut findings {
        if finding.kind.level() == Level::Tolerable && options.allow.contains(&finding.code()) {
            finding.severity = Severity::Warning;
        }
    }
    if findings.iter().any(Finding::is_error) {
        return Err(findings);
    }
    let tokens = statements.iter().map(|statement| statement.token).collect();
    Ok(Assembly {
        program: Program { version: version.unwrap_or(inferred), stage, tokens, trailing: reader.trailing },
        map: places.source_map(statements),
        warnings: findings,
        version_given: version.is_some(),
        aliases: expanded.map(|expanded| expanded.aliases).unwrap_or_default(),
    })
}

/// The token of a line that nothing is odd about, in a program of `stage`.
pub(crate) fn token(line: &str, stage: Stage) -> Option<Token> {
    let mut reader = Reader::new(line);
    let statement = reader.statement(0..line.len())?;
    let at_home = reader.marks.iter().all(|mark| mark.role == Role::Opcode || mark.stage == stage);
    (at_home && reader.notes.is_empty()).then_some(statement.token)
}

/// The lines that hold something, comments included, without the space around them.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    text.split(['\n', '\r', '\x0b', '\x0c']).filter_map(move |line| {
        let start = next;
        next += line.len() + 1;
        let outer = |c: char| c.is_whitespace() || c == '\u{feff}';
        let kept = line.trim_start_matches(outer);
        let start = start + line.len() - kept.len();
        let kept = kept.trim_end_matches(outer);
        (!kept.is_empty()).then(|| start..start + kept.len())
    })
}

/// The comment `// agal VERSION STAGE`.
struct Header {
    version: u32,
    stage: Stage,
}

impl Header {
    fn read(line: &str) -> Option<Header> {
        let (version, stage) = line.strip_prefix("// agal ")?.split_once(' ')?;
        let stage = Header::stage(stage)?;
        let digits = version.bytes().all(|byte| byte.is_ascii_digit());
        version.parse().ok().filter(|_| digits).map(|version| Header { version, stage })
    }

    /// The stage of a word.
    fn stage(word: &str) -> Option<Stage> {
        [Stage::Vertex, Stage::Fragment].into_iter().find(|known| known.to_string() == word)
    }

    /// Notes where the caller says otherwise.
    fn check(&self, options: &AssembleOptions, notes: &mut Vec<Note>, line: &Range<usize>) {
        let version = options.version.filter(|&given| given != self.version).map(|given| format!("version {given}"));
        let stage = options.stage.filter(|&given| given != self.stage).map(|given| format!("a {given} program"));
        for given in [version, stage].into_iter().flatten() {
            notes.push(Note { kind: Kind::HeaderDiffers { given }, range: line.clone() });
        }
    }
}

/// The program's stage: `given`, or that of the first name that belongs to one. Names of the other stage are noted;
/// with a given stage an opcode of the other is left to the validator. Where the text is `broken`, what is missing may
/// have told the stage.
fn check_stage(reader: &mut Reader, given: Option<Stage>, start: &Range<usize>, broken: bool) -> Stage {
    let mut notes = Vec::new();
    let mut conflict = false;
    let first = reader.marks.first();
    let stage = given.or(first.map(|mark| mark.stage));
    for mark in reader.marks.iter().filter(|mark| Some(mark.stage) != stage) {
        let (name, only) = (mark.name.to_string(), mark.stage);
        let kind = match (given, first) {
            (_, Some(_)) if mark.role == Role::Index => Kind::IndexStage { name, only },
            // Which of the two is wrong cannot be told, so the other names say nothing more.
            (None, Some(_)) if conflict => continue,
            (None, Some(first)) => {
                conflict = true;
                Kind::StageConflict { name, only, because: first.name.to_string() }
            }
            _ if mark.role == Role::Opcode => continue,
            _ => Kind::WrongStage { name, only },
        };
        notes.push(Note { kind, range: mark.range.clone() });
    }
    let errors = broken || reader.notes.iter().any(|note| note.kind.level() == Level::Error);
    if stage.is_none() && !errors {
        notes.push(Note { kind: Kind::StageUnknown, range: start.clone() });
    }
    reader.notes.append(&mut notes);
    stage.unwrap_or(Stage::Vertex)
}

/// The lowest version that has the opcodes and registers that were read. A register that no version has asks for the
/// first version with most of its kind, and the validator refuses it.
fn lowest_version(reader: &Reader, stage: Stage) -> u32 {
    let needed = File::ALL.into_iter().zip(reader.highest).map(|(file, highest)| {
        let Some(highest) = highest else { return 1 };
        let most = VERSIONS.map(|version| file.count(stage, version)).max().unwrap_or(0);
        let enough = (highest + 1).min(most);
        VERSIONS.clone().find(|&version| file.count(stage, version) >= enough).unwrap_or(1)
    });
    needed.fold(reader.since, u32::max)
}

/// A stretch of the text that a person wrote, and the macro call that it is read for.
type Written = (Range<usize>, Option<usize>);

/// Finds where things are written.
struct Places<'a> {
    text: &'a str,
    /// For a text in the macro language.
    origin: Option<&'a Origin>,
}

impl Places<'_> {
    /// Where a stretch of what the reader reads is written.
    fn find(&self, range: Range<usize>) -> Written {
        self.origin.map_or((range.clone(), None), |origin| origin.find(range))
    }

    /// The findings in text order, with line and column. What an expansion says twice of one place is said once.
    fn findings(&self, mut notes: Vec<(Kind, Written)>) -> Vec<Finding> {
        notes.sort_by_key(|(_, (range, _))| range.start);
        let lines = self.lines(notes.iter().map(|(_, written)| written));
        let mut findings: Vec<Finding> = Vec::new();
        for (kind, written) in notes {
            let place = Place::text(self.span(&lines, written));
            let same = |other: &&Finding| other.place.span.map(|span| span.start) == place.span.map(|span| span.start);
            if self.origin.is_none() || !findings.iter().rev().take_while(same).take(8).any(|other| other.kind == kind)
            {
                findings.push(Finding::new(kind, place));
            }
        }
        findings
    }

    fn source_map(&self, statements: Vec<Statement>) -> SourceMap {
        let written: Vec<[Option<Written>; 4]> = statements
            .into_iter()
            .map(|Statement { operation, destination, sources: [first, second], .. }| {
                [Some(operation), destination, first, second].map(|range| range.map(|range| self.find(range)))
            })
            .collect();
        let lines = self.lines(written.iter().flatten().flatten());
        let spans = written.into_iter().map(|written| {
            let [operation, destination, first, second] =
                written.map(|written| written.map(|written| self.span(&lines, written)));
            let operation = operation.unwrap_or(Span { start: 0, end: 0, line: 1, column: 1, call: None });
            TokenSpans { operation, destination, sources: [first, second] }
        });
        SourceMap { tokens: spans.collect() }
    }

    /// Lines and columns of all that is asked for, which is read in one go whatever its order.
    fn lines<'w>(&self, written: impl Iterator<Item = &'w Written>) -> Vec<(usize, u32, u32)> {
        let call = |number: Option<usize>| Some(self.origin?.call(number?)?.start);
        let mut offsets: Vec<usize> =
            written.flat_map(|(range, number)| [Some(range.start), call(*number)]).flatten().collect();
        offsets.sort_unstable();
        offsets.dedup();
        let mut locator = Locator { text: self.text, at: 0, line: 1, column: 1 };
        offsets.into_iter().map(|offset| locator.locate(offset)).collect()
    }

    fn span(&self, lines: &[(usize, u32, u32)], (range, number): Written) -> Span {
        let at = |offset: usize| {
            let index = lines.binary_search_by_key(&offset, |(offset, ..)| *offset).ok();
            index.and_then(|index| lines.get(index)).map_or((1, 1), |&(_, line, column)| (line, column))
        };
        let call = self.origin.zip(number).and_then(|(origin, number)| origin.call(number));
        let call = call.map(|range| {
            let (line, column) = at(range.start);
            Call { start: range.start, end: range.end, line, column }
        });
        let (line, column) = at(range.start);
        Span { start: range.start, end: range.end, line, column, call }
    }
}

/// Counts lines and columns, in the order of the text.
struct Locator<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    column: u32,
}

impl Locator<'_> {
    /// Lines end as they do in an editor: at LF, CR LF or CR. VT and FF part statements and are characters of a line.
    fn locate(&mut self, offset: usize) -> (usize, u32, u32) {
        let mut rest = self.text.get(self.at..).unwrap_or_default().chars().peekable();
        while self.at < offset
            && let Some(c) = rest.next()
        {
            self.at += c.len_utf8();
            if c == '\n' || c == '\r' && rest.peek() != Some(&'\n') {
                self.line = self.line.saturating_add(1);
                self.column = 1;
            } else {
                self.column = self.column.saturating_add(1);
            }
        }
        (offset, self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fragment(text: &str) -> Result<Assembly, Vec<Finding>> {
        assemble(
            text,
            &AssembleOptions { stage: Some(Stage::Fragment), language: Language::Mini, ..AssembleOptions::default() },
        )
    }

    #[test]
    fn each_kind_of_line_break_parts_statements() {
        let text =
            "\u{feff}mov ft0, v0\rmov ft1, v0\r\nmov ft2, v0\x0bmov ft3, v0\x0cmov ft4, v0\n\n\t mov oc, ft0 \t\r\r";
        let assembly = fragment(text).expect("a program");
        assert_eq!(assembly.warnings, []);
        let places = assembly.map.tokens.iter().map(|spans| (spans.operation.line, spans.operation.column));
        assert_eq!(places.collect::<Vec<_>>(), [(1, 2), (2, 1), (3, 1), (3, 13), (3, 25), (5, 3)]);
    }

    #[test]
    fn columns_are_characters_and_ranges_bytes() {
        let text = "// é\nmov ft0,\u{a0}é v0";
        let assembly = fragment(text).expect("a program");
        let spans = assembly.map.tokens[0];
        assert_eq!(spans.sources[0].map(|span| &text[span.start..span.end]), Some("v0"));
        assert_eq!(spans.sources[0].map(|span| (span.line, span.column)), Some((2, 12)));
        assert_eq!(spans.destination.map(|span| &text[span.start..span.end]), Some("ft0"));
    }

    #[test]
    fn the_caller_wins_over_the_header() {
        let text = "// agal 2 fragment\nmov oc, v0";
        let assembly = assemble(text, &AssembleOptions::default()).expect("a program");
        assert_eq!((assembly.program.version, assembly.version_given), (2, true));
        let assembly =
            assemble(text, &AssembleOptions { version: Some(3), ..AssembleOptions::default() }).expect("a program");
        assert_eq!((assembly.program.version, assembly.version_given), (3, true));
        assert_eq!(assembly.warnings[0].kind, Kind::HeaderDiffers { given: "version 3".to_string() });
        let options = AssembleOptions { stage: Some(Stage::Vertex), ..AssembleOptions::default() };
        let findings = assemble(text, &options).expect_err("oc is no register of a vertex program");
        assert_eq!(findings[0].kind, Kind::HeaderDiffers { given: "a vertex program".to_string() });
        assert_eq!(findings[1].kind, Kind::WrongStage { name: "oc".to_string(), only: Stage::Fragment });
    }

    #[test]
    fn only_a_first_line_of_exactly_its_form_is_a_header() {
        for text in
            ["// agal 2 fragments\nmov oc, v0", "//agal 2 fragment\nmov oc, v0", "mov oc, v0\n// agal 2 fragment"]
        {
            let assembly = assemble(text, &AssembleOptions::default()).expect("a program");
            assert_eq!((assembly.program.version, assembly.version_given), (1, false), "{text}");
        }
        let findings =
            assemble("\n// agal 9 fragment\nmov oc, v0", &AssembleOptions::default()).expect_err("no version");
        assert_eq!(findings[0].kind, Kind::Version { found: 9 });
        assert_eq!(findings[0].place.span.map(|span| span.line), Some(2));
    }

    #[test]
    fn an_empty_text_is_a_program_if_the_stage_is_known() {
        assert_eq!(fragment(" \n// nothing\n").map(|assembly| assembly.program.tokens), Ok(vec![]));
        let findings = assemble("", &AssembleOptions::default()).expect_err("no stage");
        assert_eq!(findings[0].kind, Kind::StageUnknown);
    }

    #[test]
    fn a_misspelt_word_is_told_the_nearest() {
        let findings =
            fragment("mvo ft0, v0\ntex ft0, v0, fs0 <2d,linaer,clmap,xyzzyxyzzy>\nzzz").expect_err("misspelt");
        let helps: Vec<String> = findings.iter().map(|finding| finding.kind.help().unwrap_or_default()).collect();
        assert_eq!(helps[..3], ["did you mean `mov`?", "did you mean `linear`?", "did you mean `clamp`?"]);
        assert!(helps[3].starts_with("options are") && helps[4].starts_with("a line is"), "{helps:?}");
    }

    /// Nothing is looked at once for each operand, word or finding before it: these texts would take minutes.
    #[test]
    fn long_texts_take_time_in_proportion() {
        let options: String = "wrod,".repeat(10_000);
        let parts: String = (0..100_000).map(|name| format!("part p{name}\nels\n")).collect();
        let texts = [
            "v".repeat(400_000),
            "vc[".repeat(100_000),
            "ft0 q ".repeat(100_000),
            "é v0 ".repeat(100_000),
            "els é\x0b".repeat(100_000),
            "<".repeat(400_000),
            format!("tex ft0, v0, fs0 <{options}>"),
            parts,
        ];
        for text in texts {
            let text = if ["tex", "els", "part"].iter().any(|word| text.starts_with(word)) {
                text
            } else {
                format!("mov {text}")
            };
            let _ = fragment(&text);
        }
    }

    #[test]
    fn any_text_gives_an_answer() {
        for text in [
            "<",
            ">",
            "mov",
            "mov <",
            "tex<>",
            "vc[",
            "mov vc[",
            "é",
            "ab",
            "a\u{0}",
            ".token",
            ".token 0x",
            ";",
            "//",
            "mov ft0,[v0",
            "\u{2028}",
        ] {
            for stage in [None, Some(Stage::Vertex), Some(Stage::Fragment)] {
                let _ = assemble(text, &AssembleOptions { stage, ..AssembleOptions::default() });
            }
        }
    }
}

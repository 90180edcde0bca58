//! AGAL that is pasted from source code, from a tool's output or from a post. The forms are ActionScript or Haxe strings,
//! hexadecimal digits, base64, and quoted or numbered lines.
//!
//! Rule: text that may be AGAL itself is never read as a paste. A post is recognised from all its lines, and any other paste from
//! its first line. Each piece of a pasted program keeps its position in the text.

mod bytes;
mod form;
mod literal;
mod pasted;
mod pasting;
mod pieced;
mod post;
mod program;
mod script;

use std::ops::Range;

use agal_front::assemble::{Assembly, Expansion};
use agal_front::finding::{Finding, FindingPlace, InstructionSpans, SourceMap};
use agal_front::{Kind, Program, Span, Stage};

pub(crate) use bytes::Written;
pub use form::PasteForm;
use literal::{Part, parts, tokens};
pub(crate) use pasted::{Code, Pasted};
pub use pasting::Pasting;
pub(crate) use pieced::{Pieced, relocate};
use program::{begins_agal, begins_bytes, begins_characters, begins_statement};

use crate::script::{CDATA, Class, Token, comment, has_quotes};

#[derive(Debug)]
pub(crate) struct Paste {
    pub(crate) form: PasteForm,
    programs: Vec<Pasted>,
    /// Notes about parts of the text that cannot be read, or that are left out of the programs.
    notes: Notes,
}

pub(crate) type Notes = Vec<(Kind, Range<usize>)>;

impl Paste {
    /// Finds pasted AGAL in text, or returns `None` if the text is not a paste.
    pub(crate) fn find(text: &str) -> Option<Paste> {
        if let Some(programs) = post::find(text) {
            return Some(Paste { form: PasteForm::Post, programs, notes: Vec::new() });
        }
        let first = first_line(text);
        if first.is_empty() || is_agal_itself(first) {
            return None;
        }
        match has_quotes(text) {
            // Text that begins with `{` is JSON.
            true if first.starts_with('{') => None,
            true => Paste::of_strings(text),
            false => Paste::of_bytes(text).or_else(|| Paste::of_strings(text)),
        }
    }

    fn of_bytes(text: &str) -> Option<Paste> {
        let (form, programs) = bytes::read(text)?;
        Some(Paste { form, programs: programs.into_iter().map(Pasted::of_bytes).collect(), notes: Vec::new() })
    }

    fn of_strings(text: &str) -> Option<Paste> {
        let tokens = tokens(text);
        if is_source(&tokens) || !tokens.iter().any(is_literal) && !tokens.windows(2).any(begins_list) {
            return None;
        }
        // A complete source file is not a paste.
        let is_file = || crate::input::foreign_text(text).is_some();
        if tokens.iter().any(|token| is_literal(token) && token.text.starts_with(CDATA.0)) && is_file() {
            return None;
        }
        let outcome = script::run(text, &tokens);
        if outcome.programs.is_empty() && (outcome.notes.is_empty() || !tokens.iter().any(has_agal)) {
            return None;
        }
        // A whole function is a paste only if all its code can be evaluated; other functions are left to `agalc extract`.
        let is_function = tokens.iter().any(|token| token.is("function"));
        let is_clear = !has_errors(&outcome.notes) && (1..=2).contains(&outcome.programs.len());
        if is_function && !is_clear && is_file() {
            return None;
        }
        let (mut form, mut programs): (_, Vec<Pasted>) = (PasteForm::Strings, Vec::new());
        for found in outcome.programs {
            let (stage, asked, version) = (found.likely_stage(), found.asked_stage(), found.version);
            if let Some((of_bytes, written)) = bytes_of(&found.text) {
                form = of_bytes;
                programs.extend(written.into_iter().map(Pasted::of_bytes));
            } else if crate::input::has_both_parts(found.text.as_str()) {
                let of = |stage| Pasted {
                    stage: Some(stage),
                    asked: None,
                    version: None,
                    code: Code::Text(found.text.clone()),
                };
                programs.extend([Stage::Vertex, Stage::Fragment].map(of));
            } else {
                programs.push(Pasted { stage, asked, version, code: Code::Text(found.text) });
            }
        }
        complete(&mut programs);
        let is_text = |pasted: &Pasted| matches!(pasted.code, Code::Text(_));
        let form = if programs.iter().any(is_text) { PasteForm::Strings } else { form };
        Some(Paste { form, programs, notes: outcome.notes })
    }

    pub(crate) fn is_bytes(&self) -> bool {
        !matches!(self.form, PasteForm::Strings | PasteForm::Post)
    }

    /// Reports whether the paste is a readable pair of a vertex program and a fragment program.
    pub(crate) fn is_pair(&self) -> bool {
        let [Pasted { stage: Some(one), .. }, Pasted { stage: Some(other), .. }] = &self.programs[..] else {
            return false;
        };
        one != other && !has_errors(&self.notes)
    }

    /// Returns the program to read, chosen by stage if the paste has several programs, and the notes about the text.
    ///
    /// # Errors
    /// Returns the notes about errors in the text, or a note that the paste has several programs.
    pub(crate) fn choose(&self, stage: Option<Stage>) -> Result<(&Pasted, Notes), Notes> {
        let mut notes = self.notes.clone();
        if has_errors(&notes) {
            return Err(notes);
        }
        let is_asked = |pasted: &&Pasted| self.programs.len() == 1 || stage.is_none() || pasted.stage == stage;
        let mut asked = self.programs.iter().filter(is_asked);
        match (asked.next(), asked.next()) {
            (Some(pasted), None) => Ok((pasted, notes)),
            _ => {
                let at = self.programs.get(1).map_or(0..0, Pasted::start);
                notes.push((Kind::PastedTexts { count: self.programs.len(), is_pair: self.is_pair() }, at));
                Err(notes)
            }
        }
    }
}

fn has_errors(notes: &[(Kind, Range<usize>)]) -> bool {
    notes.iter().any(|(kind, _)| !matches!(kind, Kind::PastedLeftOut { .. }))
}

/// Returns the bytes that text encodes as characters with byte values, as digits or in base64.
fn bytes_of(text: &Pieced) -> Option<(PasteForm, Vec<Written>)> {
    if begins_characters(text.as_str())
        && let Some(written) = bytes::of_characters(text)
    {
        return Some((PasteForm::Bytes, vec![written]));
    }
    let (form, written) = bytes::read(text.as_str()).filter(|_| begins_bytes(text.as_str()))?;
    Some((form, written.into_iter().map(|written| written.of_literal(text)).collect()))
}

/// Fills in the unknown stages of two programs. If neither stage is known, the vertex program comes first.
fn complete(programs: &mut [Pasted]) {
    let [Pasted { stage: first, .. }, Pasted { stage: second, .. }] = programs else { return };
    let other = |stage: &mut Stage| if *stage == Stage::Vertex { Stage::Fragment } else { Stage::Vertex };
    match (first, second) {
        (first @ None, second @ None) => (*first, *second) = (Some(Stage::Vertex), Some(Stage::Fragment)),
        (Some(known), open @ None) | (open @ None, Some(known)) => *open = Some(other(known)),
        _ => {}
    }
}

/// Returns the first line of code, without comments or surrounding white space.
fn first_line(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        match comment(rest) {
            Some(length) => rest = rest.get(length..).unwrap_or_default(),
            None => return rest.split(['\n', '\r']).next().unwrap_or_default().trim_end(),
        }
    }
}

/// Reports whether the first line shows that the text is AGAL or a file of another kind, and therefore not a paste.
fn is_agal_itself(line: &str) -> bool {
    let word = line.split(|c: char| c.is_whitespace()).next().unwrap_or_default();
    line.starts_with(['#', '.', ';', '!'])
        || line.starts_with('<') && !line.starts_with(CDATA.0)
        || begins_statement(line)
        || matches!(word, "alias" | "macro" | "part")
}

/// Reports whether code has a declaration that occurs only in a source file, such as a package or a class.
fn is_source(tokens: &[Token<'_>]) -> bool {
    let declares = |text: &str| matches!(text, "package" | "class" | "interface" | "typedef" | "enum");
    tokens.iter().any(|token| token.class == Class::Word && declares(token.text))
}

fn is_literal(token: &Token<'_>) -> bool {
    matches!(token.class, Class::Literal | Class::Open)
}

/// Reports whether tokens begin a list whose first number is the first byte of AGAL bytecode.
fn begins_list(tokens: &[Token<'_>]) -> bool {
    let [number, comma, ..] = tokens else { return false };
    number.class == Class::Number && script::is_first_byte(number.text) && comma.is(",")
}

/// Reports whether a literal contains text that may be a program or begins with an AGAL statement.
fn has_agal(token: &Token<'_>) -> bool {
    let is_agal = |part: &Part| matches!(part, Part::Text(text) if begins_agal(text.as_str()));
    is_literal(token) && parts(token).iter().any(is_agal)
}

/// Returns a span whose line and column are set later by [`relocate`].
fn unplaced(range: Range<usize>) -> Span {
    Span { start: range.start, end: range.end, line: 1, column: 1, call: None }
}

fn spans(findings: &mut [Finding]) -> impl Iterator<Item = &mut Span> {
    findings.iter_mut().filter_map(|finding| finding.place.span.as_mut())
}

pub(crate) fn findings(source: &str, notes: Notes) -> Vec<Finding> {
    let finding = |(kind, range)| Finding::new(kind, FindingPlace::text(unplaced(range)));
    let mut found: Vec<Finding> = notes.into_iter().map(finding).collect();
    relocate(source, spans(&mut found), |range| range);
    found
}

/// Maps the positions of findings from a program's text to the source in which the program was pasted.
pub(crate) fn relocate_findings(source: &str, code: &Pieced, findings: &mut [Finding]) {
    relocate(source, spans(findings), |range| code.written(range));
}

pub(crate) fn relocate_assembly(source: &str, code: &Pieced, assembly: &mut Assembly) {
    let Assembly { map, warnings, names, .. } = assembly;
    let of_names = names.iter_mut().map(|name| &mut name.span);
    let mut of_map: Vec<InstructionSpans> = map.iter().collect();
    let of_tokens = of_map.iter_mut().flat_map(InstructionSpans::all);
    relocate(source, of_tokens.chain(spans(warnings)).chain(of_names), |range| code.written(range));
    *map = of_map.into_iter().collect();
}

pub(crate) fn relocate_expansion(source: &str, code: &Pieced, expansion: &mut Expansion) {
    let of_names = expansion.names.iter_mut().map(|name| &mut name.span);
    relocate(source, spans(&mut expansion.warnings).chain(of_names), |range| code.written(range));
}

/// Returns the source positions of the tokens of pasted bytecode.
pub(crate) fn map_of_bytes(source: &str, written: &Written, program: &Program) -> SourceMap {
    use agal_front::token::{HEADER_BYTES, TOKEN_BYTES};
    let span = |range: Range<usize>| unplaced(written.written(range));
    let instruction = |index: usize| {
        let at = HEADER_BYTES + index * TOKEN_BYTES;
        InstructionSpans {
            operation: span(at..at + 4),
            destination: Some(span(at + 4..at + 8)),
            sources: [Some(span(at + 8..at + 16)), Some(span(at + 16..at + 24)), None],
        }
    };
    let mut map: Vec<InstructionSpans> = (0..program.tokens.len()).map(instruction).collect();
    relocate(source, map.iter_mut().flat_map(InstructionSpans::all), |range| range);
    map.into_iter().collect()
}

/// Moves findings about bytes to the positions in the source text where the bytes are encoded.
pub(crate) fn place_bytes(source: &str, written: &Written, findings: &mut [Finding]) {
    for finding in &mut *findings {
        if let (Some(byte), None) = (finding.place.byte, finding.place.span) {
            finding.place.span = Some(unplaced(written.written(byte..byte + 1)));
        }
    }
    relocate(source, spans(findings), |range| range);
}

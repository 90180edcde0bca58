//! Reads traces, which contain the programs that a hook recorded while an application ran. Programs that are built from run-time
//! data are found only in traces.
//!
//! A trace is either a binary file, which is searched like any other data, or a text file. A line of a text trace may contain
//! programs as hexadecimal digits or base64, preceded by other text. A line that consists only of hexadecimal digits or base64
//! continues the program of the previous line. A line with the word `pair` or `upload` begins a pair. If no line begins a pair, a
//! fragment program is paired with the vertex program directly before it.
//!
//! Rule: a traced program that was also found elsewhere is not added again. The trace becomes an additional place of that
//! program.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use agal_front::token::{TOKEN_BYTES, Token};
use agalc::{AgalProgram as Agal, Form, Input, Stage, detect};
use regex::Regex;

use crate::bytes::{FoundBytes, has_header_at, in_flash_order, programs_in};
use crate::checked::{How, check};
use crate::model::{Code, Extraction, Pair, Place, Program, ProgramId, Site, Summary};
use crate::strings::pattern;

/// The prefix of [`Summary::kind`] that identifies a trace.
pub(crate) const KIND: &str = "a trace";

struct Traced {
    found: FoundBytes,
    site: Site,
    /// The index of the marked pair that contains the program, or 0 for a program before the first mark.
    group: usize,
}

/// The programs of a trace, and messages about its truncated programs.
#[derive(Default)]
struct Trace {
    programs: Vec<Traced>,
    cut: Vec<String>,
}

impl Extraction {
    /// Adds the programs of traces to the extraction. Two files that contain one program each become a pair if their names match,
    /// such as `7.vertex.bin` and `7.fragment.bin`.
    pub fn add_traces(&mut self, traces: &[Input]) {
        if traces.is_empty() {
            return;
        }
        let mut known = Known::of(self);
        let mut alone: BTreeMap<String, Vec<(ProgramId, Stage, usize, Place)>> = BTreeMap::new();
        for trace in traces {
            let input = self.inputs.len();
            let Trace { programs, cut } = read(&trace.bytes);
            let nothing = nothing(&trace.bytes, programs.is_empty() && cut.is_empty());
            let plural = if programs.len() == 1 { "" } else { "s" };
            let kind = format!("{KIND}, {} program{plural}", programs.len());
            self.inputs.push(Summary { name: trace.name.clone(), kind, ..Summary::default() });
            let mut ids: Vec<(ProgramId, Stage, usize, Place)> = Vec::new();
            for Traced { found, site, group } in programs {
                // In a text trace, the line number identifies the place.
                let path = if matches!(site, Site::Trace { .. }) { Vec::new() } else { found.within.to_vec() };
                let (stage, place) = (found.stage, Place::new(input, path, site));
                ids.push((known.add(self, found, &place), stage, group, place));
            }
            if let [(id, stage, _, place)] = &ids[..]
                && let Some(name) = without_stage(&trace.name)
            {
                // Group 1 counts as a marked pair, in which the order of the two programs is irrelevant.
                alone.entry(name).or_default().push((*id, *stage, 1, place.clone()));
            }
            self.pair_traced(&ids);
            cut.into_iter().chain(nothing).for_each(|message| self.warn(input, Vec::new(), message));
        }
        alone.into_values().filter(|of_name| of_name.len() == 2).for_each(|of_name| self.pair_traced(&of_name));
    }

    fn pair_traced(&mut self, programs: &[(ProgramId, Stage, usize, Place)]) {
        for group in programs.chunk_by(|one, other| one.2 == other.2) {
            match group {
                // In a marked pair, the fragment program may precede the vertex program.
                [(fragment, Stage::Fragment, 1.., place), (vertex, Stage::Vertex, ..)] => {
                    self.add_pair(*vertex, *fragment, place);
                }
                _ => {
                    for two in group.windows(2) {
                        if let [(vertex, Stage::Vertex, _, place), (fragment, Stage::Fragment, ..)] = two {
                            self.add_pair(*vertex, *fragment, place);
                        }
                    }
                }
            }
        }
    }

    fn add_pair(&mut self, vertex: ProgramId, fragment: ProgramId, place: &Place) {
        let mut pairs = self.pairs.iter_mut();
        match pairs.find(|pair| pair.vertex == vertex && pair.fragment == fragment) {
            Some(pair) if pair.places.iter().any(|known| known.input == place.input) => {}
            Some(pair) => pair.places.push(place.clone()),
            None => self.pairs.push(Pair { vertex, fragment, places: vec![place.clone()], is_probable: false }),
        }
    }
}

/// The stage of a program, and its encoded tokens.
type Key = (Stage, Vec<u8>);

/// The programs of an extraction. The version is `None` for a program that does not state its version.
struct Known(HashMap<Key, Vec<(ProgramId, Option<u32>)>>);

impl Known {
    fn of(extraction: &Extraction) -> Known {
        let mut known = Known(HashMap::new());
        for (at, program) in extraction.programs.iter().enumerate() {
            let (bytes, how) = match &program.code {
                Code::Bytecode { bytes, .. } => (in_flash_order(bytes), How::default()),
                Code::Text { text, language } => {
                    let how = How { stage: program.stage, version: program.version, language: Some(*language) };
                    (text.known().map(String::into_bytes), how)
                }
            };
            let Some(bytes) = bytes else { continue };
            let checked = check(&bytes, how);
            let Some(read) = checked.program else { continue };
            let version = Some(read.version).filter(|_| checked.has_version);
            known.0.entry(key(&read)).or_default().push((ProgramId(at), version));
        }
        known
    }

    /// Returns the known program that equals a traced program, or else adds the traced program. A program gets at most one place
    /// in each trace.
    fn add(&mut self, extraction: &mut Extraction, traced: FoundBytes, place: &Place) -> ProgramId {
        let FoundBytes { bytes, order, stage, version, .. } = traced;
        let read = in_flash_order(&bytes).and_then(|bytes| Agal::decode(&bytes).ok());
        let known = read.map(|(read, _)| self.0.entry(key(&read)).or_default());
        let is_same = |(_, of): &&mut (ProgramId, Option<u32>)| of.is_none_or(|of| of == version);
        let twin = known.and_then(|known| match known.iter_mut().find(is_same) {
            Some((id, of)) => {
                *of = Some(version);
                Some(*id)
            }
            None => {
                known.push((ProgramId(extraction.programs.len()), Some(version)));
                None
            }
        });
        if let Some(id) = twin
            && let Some(program) = extraction.programs.get_mut(id.0)
        {
            // The trace supplies the stage and the version if the text does not determine them.
            program.stage = program.stage.or(Some(stage));
            program.version = program.version.or(Some(version));
            if program.places.iter().all(|known| known.input != place.input) {
                program.places.push(place.clone());
            }
            return id;
        }
        let code = Code::Bytecode { bytes, order };
        let (stage, version) = (Some(stage), Some(version));
        extraction.programs.push(Program { code, stage, version, is_piece: false, places: vec![place.clone()] });
        ProgramId(extraction.programs.len() - 1)
    }
}

fn key(program: &Agal) -> Key {
    (program.stage, program.tokens.iter().flat_map(Token::encode).collect())
}

/// Reads a binary or text trace. Bytecode always contains a zero byte, whereas text contains one only in UTF-16.
fn read(bytes: &[u8]) -> Trace {
    match bytes {
        [0xff, 0xfe, rest @ ..] => of_text(of_utf16(rest, u16::from_le_bytes).as_bytes()),
        [0xfe, 0xff, rest @ ..] => of_text(of_utf16(rest, u16::from_be_bytes).as_bytes()),
        _ if bytes.contains(&0) => of_data(bytes),
        _ => of_text(bytes),
    }
}

/// Decodes UTF-16, with replacement characters for invalid parts.
fn of_utf16(bytes: &[u8], unit: impl Fn([u8; 2]) -> u16) -> String {
    let units: Vec<u16> = bytes.as_chunks().0.iter().map(|bytes| unit(*bytes)).collect();
    String::from_utf16_lossy(&units)
}

/// Reads a binary trace. A trace that begins with a program contains only programs, so its last program should end at the end of
/// the file.
fn of_data(bytes: &[u8]) -> Trace {
    let found = programs_in(bytes);
    let mut cut = Vec::new();
    if has_header_at(bytes, 0) {
        match found.iter().rfind(|found| found.within.is_empty()) {
            Some(last) => cut.extend(left_out(&format!("at byte {}", last.offset), last.rest)),
            None => cut.push(no_token("at byte 0")),
        }
    }
    let site = |offset| Site::Data { symbol: None, offset };
    let traced = |found: FoundBytes| Traced { site: site(found.offset), found, group: 0 };
    Trace { programs: found.into_iter().map(traced).collect(), cut }
}

/// Returns a message about a file that is not a trace, or about a trace that contains no program.
fn nothing(bytes: &[u8], is_empty: bool) -> Option<String> {
    match detect(bytes) {
        // A log with programs may also quote source code.
        Form::Foreign(kind) if kind.is_extracted() && (is_empty || bytes.contains(&0)) => {
            Some(format!("is {}, not a trace: name the file as an input, without --from-trace", kind.description()))
        }
        _ if is_empty => Some(
            "contains no program: a log must contain programs in hexadecimal digits or base64, and a binary file must \
             contain the uploaded bytes (docs/extract.md)"
                .to_string(),
        ),
        _ => None,
    }
}

/// Returns a message about a program that contains no complete token.
fn no_token(place: &str) -> String {
    format!("the program {place} is cut off: its bytes do not fill one token")
}

/// Returns a message about the bytes after a program's last complete token, or `None` if no bytes follow.
fn left_out(place: &str, rest: usize) -> Option<String> {
    let plural = if rest == 1 { "byte is" } else { "bytes are" };
    match rest {
        0 => None,
        1..TOKEN_BYTES => {
            Some(format!("the program {place} is cut off: {rest} {plural} left out after its last whole token"))
        }
        _ => Some(format!("the program {place} is damaged: {rest} bytes after it are not tokens and are left out")),
    }
}

fn of_text(bytes: &[u8]) -> Trace {
    // Each entry consists of the first line number, the group, and the text of the lines that belong together.
    let mut entries: Vec<(u32, usize, Vec<u8>)> = Vec::new();
    let (mut group, mut is_open) = (0, false);
    let mut trace = Trace::default();
    for (line, number) in bytes.split(|&byte| byte == b'\n').zip(1_u32..) {
        group += usize::from(is_mark(line));
        if has_header(line) {
            entries.push((number, group, line.to_vec()));
            is_open = true;
        } else if let Some((.., text)) = entries.last_mut().filter(|_| is_open && is_bare(line)) {
            text.push(b'\n');
            text.extend(line);
        } else {
            is_open = false;
            if BEGINNING.is_match(&String::from_utf8_lossy(line)) {
                trace.cut.push(no_token(&format!("in line {number}")));
            }
        }
    }
    for (line, group, text) in entries {
        let found = programs_in(&text);
        let place = format!("in line {line}");
        match found.last() {
            None => trace.cut.push(no_token(&place)),
            Some(_) if is_shortened(&text) => {
                trace.cut.push(format!("the program {place} is cut off: the line ends with `...`"));
            }
            Some(_) if ends_before(&text, &found) => {}
            Some(_) => trace.cut.extend(found.iter().filter_map(|found| left_out(&place, found.rest))),
        }
        trace.programs.extend(found.into_iter().map(|found| Traced { found, site: Site::Trace { line }, group }));
    }
    trace
}

/// Reports whether a line ends with the ellipsis of a tool that shortens long lines.
fn is_shortened(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    line.ends_with(b"...") || line.ends_with("…".as_bytes())
}

/// Matches the first three or more bytes of a bytecode header, in hexadecimal digits at the end of a line.
static BEGINNING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)(?:^|[^0-9a-z])a00[1-4](?:0{2,5}|0{6}(?:a(?:10?)?)?)[\s.…]*$"));

/// The maximum number of lines at the end of an entry that are ignored because they may not belong to the program.
const FOLLOWING: usize = 4;

/// Reports whether the programs are complete if at most [`FOLLOWING`] lines at the end are ignored. A line with a single word,
/// such as `added`, may look like digits or base64.
fn ends_before(text: &[u8], found: &[FoundBytes]) -> bool {
    let is_whole = |found: &[FoundBytes]| found.iter().all(|found| found.rest == 0);
    let mut text = text;
    for _ in 0..FOLLOWING {
        let Some(end) = text.iter().rposition(|&byte| byte == b'\n') else { break };
        text = text.get(..end).unwrap_or_default();
        let before = programs_in(text);
        if !before.iter().map(|of| &of.bytes).eq(found.iter().map(|of| &of.bytes)) {
            break;
        }
        if is_whole(&before) {
            return true;
        }
    }
    is_whole(found)
}

fn is_mark(line: &[u8]) -> bool {
    let mut words = line.split(|byte| !byte.is_ascii_alphanumeric());
    words.any(|word| word.eq_ignore_ascii_case(b"pair") || word.eq_ignore_ascii_case(b"upload"))
}

static HEADER: LazyLock<Regex> = LazyLock::new(|| pattern("a0[0-9a-f]{8}a10[0-9a-f]"));

/// Reports whether a line contains a bytecode header in hexadecimal digits or base64.
fn has_header(line: &[u8]) -> bool {
    let is_base64 = |head: &[u8]| matches!(head, [b'o', b'A', b'E' | b'I' | b'M' | b'Q' | b'A', b'A']);
    if line.windows(4).any(is_base64) {
        return true;
    }
    let line = String::from_utf8_lossy(line).to_ascii_lowercase().replace("0x", "").replace("\\x", "");
    HEADER.is_match(&line.replace([' ', '\t', '\r', ','], ""))
}

/// Reports whether a line consists only of hexadecimal digits and separators, or only of base64 characters.
fn is_bare(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let is_digits = line.iter().all(|byte| byte.is_ascii_hexdigit() || b" \t,xX".contains(byte));
    let is_base64 = line.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(byte));
    !line.is_empty() && (is_digits || is_base64)
}

/// Removes the words that state a stage from a file name. Returns `None` if the name states no stage.
fn without_stage(name: &str) -> Option<String> {
    const STAGES: [&str; 6] = ["vertex", "vert", "vs", "fragment", "frag", "fs"];
    let name = name.to_lowercase();
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    let rest: Vec<&str> = words.iter().filter(|word| !STAGES.contains(word)).copied().collect();
    (rest.len() < words.len()).then(|| rest.join(" "))
}

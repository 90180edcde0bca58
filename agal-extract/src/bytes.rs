//! Finds AGAL bytecode and source in data. The search includes compressed streams, base64 and hexadecimal digits in the data, and
//! the strings of JSON and XML.
//!
//! A program begins with seven bytes that rarely occur by chance: `A0`, a version of 1 to 4 as a 32-bit word, `A1`, and the stage
//! 0 or 1. The program extends over all following tokens with a known opcode and, if the opcode writes, a valid register and
//! mask. If the data states a smaller length before the program, the stated length takes precedence.
//!
//! The words may be big endian, as a `ByteArray` writes them by default. Flash rejects a big-endian program, so applications swap
//! the bytes before the upload.
//!
//! Rule: the constants in this module bound time and memory by a multiple of the data's length.

use std::ops::Range;
use std::rc::Rc;

use agal_front::Stage;
use agal_front::opcode::Operand;
use agal_front::register::{File, VERSIONS};
use agal_front::token::{Destination, HEADER_BYTES, TOKEN_BYTES, Token};

use crate::agalish;
use crate::encoded::{self, Run};
use crate::model::ByteOrder;
use crate::strings::reader_of;
use crate::unpack::Packing;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundBytes {
    /// The path of the packed data that contains the program, from the outermost container, such as `zlib at 120`. The path is
    /// empty if the program is not packed.
    pub(crate) within: Rc<[String]>,
    /// The offset of the program's first byte in the innermost unpacked data.
    pub(crate) offset: usize,
    /// The program's bytes, in their original byte order.
    pub(crate) bytes: Vec<u8>,
    pub(crate) order: ByteOrder,
    pub(crate) stage: Stage,
    pub(crate) version: u32,
    /// The number of bytes between the program and the next program or the end of the data. An incomplete byte at the end of
    /// encoded data counts as a byte.
    pub(crate) rest: usize,
}

/// A string in data that may be AGAL source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundText {
    /// The path of the packed data that contains the text, from the outermost container.
    pub(crate) within: Rc<[String]>,
    pub(crate) text: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// The programs in ascending order of offset. Programs outside packed data precede programs that were unpacked.
    pub(crate) programs: Vec<FoundBytes>,
    pub(crate) texts: Vec<FoundText>,
    /// Whether some packed data or text was not searched because a limit was reached.
    pub(crate) is_cut: bool,
}

/// The maximum nesting depth of packed data.
const DEPTH: usize = 4;
/// The limit on the number of unpacked bytes: `UNPACKED` for each byte of data, plus `UNPACKED_ANYWAY`.
const UNPACKED: usize = 4;
const UNPACKED_ANYWAY: usize = 1 << 20;
/// The maximum and minimum lengths, in bytes, of a string that is read as a program.
const LONGEST_TEXT: usize = 200_000;
pub(crate) const SHORTEST_TEXT: usize = "mov oc,v0".len();

/// The maximum number of AGAL sources found in one data item: the default limit on programs in the result.
const TEXTS: usize = 20_000;

pub(crate) fn programs_in(data: &[u8]) -> Vec<FoundBytes> {
    all_in(data).programs
}

pub(crate) fn all_in(data: &[u8]) -> Found {
    let mut budget = data.len().saturating_mul(UNPACKED).saturating_add(UNPACKED_ANYWAY);
    let mut found = Found::default();
    search(data, &Rc::default(), &mut budget, &mut found);
    found
}

/// Reports whether a file, such as a JSON or XML document, contains AGAL bytecode or source.
pub fn holds_agal(bytes: &[u8]) -> bool {
    let found = all_in(bytes);
    !(found.programs.is_empty() && found.texts.is_empty())
}

fn search(data: &[u8], within: &Rc<[String]>, budget: &mut usize, found: &mut Found) {
    let programs = direct(data, within);
    let taken: Vec<_> = programs.iter().map(|program| program.offset..program.offset + program.bytes.len()).collect();
    found.programs.extend(programs);
    let text = std::str::from_utf8(data).ok().map(|text| text.trim_start_matches('\u{feff}'));
    let is_program = |text: &str| (SHORTEST_TEXT..LONGEST_TEXT).contains(&text.len()) && agalish::read(text).is_agal();
    if let Some(text) = text.filter(|text| is_program(text)) {
        match found.texts.len() < TEXTS {
            true => found.texts.push(FoundText { within: within.clone(), text: text.to_string() }),
            false => found.is_cut = true,
        }
        return;
    }
    if within.len() == DEPTH {
        return;
    }
    let deeper = |what: String| deeper(within, what);
    if let Some((text, read)) = text.and_then(|text| Some((text, reader_of(text)?))) {
        let mark = data.len() - text.len();
        return read(text, &mut |at, string| match budget.checked_sub(string.len()) {
            _ if string.len() < SHORTEST_TEXT => {}
            Some(left) => {
                *budget = left;
                search(string.as_bytes(), &deeper(format!("string at {}", mark + at)), budget, found);
            }
            None => found.is_cut = true,
        });
    }
    streams(data, &taken, within, budget, found);
    let before = (found.programs.len(), found.texts.len());
    for Run { kind, at, bytes, is_open } in encoded::runs(data) {
        let Some(left) = budget.checked_sub(bytes.len()) else {
            found.is_cut = true;
            return;
        };
        *budget = left;
        let within = deeper(format!("{kind} at {at}"));
        search(&bytes, &within, budget, found);
        if let Some(last) = found.programs.last_mut().filter(|last| is_open && last.within == within) {
            last.rest = last.rest.max(1);
        }
    }
    // If no part of the data contains a program, the data may consist entirely of base64.
    if before == (found.programs.len(), found.texts.len())
        && let Some(bytes) = encoded::whole_base64(data)
    {
        search(&bytes, &deeper("base64 at 0".to_string()), budget, found);
    }
}

/// Returns the path of an item in the container at the path `within`.
pub(crate) fn deeper(within: &[String], what: String) -> Rc<[String]> {
    within.iter().cloned().chain([what]).collect()
}

/// Searches the compressed streams in data, except streams that begin inside a program that was already found.
fn streams(data: &[u8], taken: &[Range<usize>], within: &Rc<[String]>, budget: &mut usize, found: &mut Found) {
    let deeper = |packing: Packing, at: usize| deeper(within, format!("{} at {at}", packing.name()));
    if taken.is_empty()
        && let Some((packing, unpacked)) = encoded::inflate_whole(data, budget)
    {
        found.is_cut |= unpacked.is_over;
        return search(&unpacked.bytes, &deeper(packing, 0), budget, found);
    }
    let mut at = 0;
    let next = |from: usize| (from..data.len()).find_map(|at| Some((at, Packing::of(data.get(at..)?)?)));
    while let Some((start, packing)) = next(at) {
        at = start + 1;
        if taken.iter().any(|range| range.contains(&start)) {
            continue;
        }
        let Some(unpacked) = encoded::inflate(packing, data.get(start..).unwrap_or_default(), budget) else {
            continue;
        };
        at = start + unpacked.length.max(1);
        found.is_cut |= unpacked.is_over;
        search(&unpacked.bytes, &deeper(packing, start), budget, found);
    }
}

/// Finds the programs in the data, except those in packed form.
fn direct(data: &[u8], within: &Rc<[String]>) -> Vec<FoundBytes> {
    let (mut found, mut at) = (Vec::<FoundBytes>::new(), 0);
    while let Some(start) = (at..data.len()).find(|at| has_header_at(data, *at)) {
        at = start + 1;
        let Some(program) = program_at(data, start) else { continue };
        at = start + program.bytes.len();
        found.push(FoundBytes { within: within.clone(), ..program });
    }
    let mut end = data.len();
    for program in found.iter_mut().rev() {
        program.rest = end.saturating_sub(program.offset + program.bytes.len());
        end = program.offset;
    }
    found
}

pub(crate) fn has_header_at(data: &[u8], offset: usize) -> bool {
    data.get(offset..).is_some_and(|rest| header(rest).is_some())
}

/// Returns the byte order, version and stage of the program header at the start of the bytes.
fn header(bytes: &[u8]) -> Option<(ByteOrder, u32, Stage)> {
    let &[0xa0, a, b, c, d, 0xa1, stage] = bytes.first_chunk::<HEADER_BYTES>()? else { return None };
    let stage = match stage {
        0 => Stage::Vertex,
        1 => Stage::Fragment,
        _ => return None,
    };
    let (little, big) = (u32::from_le_bytes([a, b, c, d]), u32::from_be_bytes([a, b, c, d]));
    match (VERSIONS.contains(&little), VERSIONS.contains(&big)) {
        (true, _) => Some((ByteOrder::Little, little, stage)),
        (_, true) => Some((ByteOrder::Big, big, stage)),
        _ => None,
    }
}

/// Returns the program that begins at an offset, if the program has at least one token.
pub(crate) fn program_at(data: &[u8], offset: usize) -> Option<FoundBytes> {
    let rest = data.get(offset..)?;
    let (order, version, stage) = header(rest)?;
    let body = rest.get(HEADER_BYTES..)?;
    let (_, tokens) = layout_of(body, order);
    let tokens = stated_length(data.get(..offset).unwrap_or_default(), tokens).unwrap_or(tokens);
    let bytes = rest.get(..HEADER_BYTES + TOKEN_BYTES * tokens).filter(|_| tokens > 0)?.to_vec();
    Some(FoundBytes { within: Rc::default(), offset, bytes, order, stage, version, rest: 0 })
}

/// Returns the number of tokens according to the length stored before a program, if the number is at most `most`. The length is a
/// 32-bit or 16-bit word in either byte order, or the length of a `ByteArray` in AMF 3.
fn stated_length(before: &[u8], most: usize) -> Option<usize> {
    let tokens = |bytes: u32| {
        let bytes = usize::try_from(bytes).ok()?.checked_sub(HEADER_BYTES)?;
        let tokens = bytes / TOKEN_BYTES;
        (bytes.is_multiple_of(TOKEN_BYTES) && (1..=most).contains(&tokens)).then_some(tokens)
    };
    let long = before.last_chunk().map(|word| [u32::from_le_bytes(*word), u32::from_be_bytes(*word)]);
    let amf = (2..=5).find_map(|length| byte_array(before.get(before.len().checked_sub(length)?..)?));
    let short = before.last_chunk().map(|word| [u16::from_le_bytes(*word), u16::from_be_bytes(*word)].map(u32::from));
    long.into_iter().flatten().chain(amf).chain(short.into_iter().flatten()).find_map(tokens)
}

/// Returns the length in the head of a `ByteArray` in AMF 3. The head consists of a marker byte and a number of up to 29 bits,
/// whose lowest bit is set if the array's bytes follow.
fn byte_array(head: &[u8]) -> Option<u32> {
    let (&marker, number) = head.split_first()?;
    let (&last, first) = number.split_last()?;
    let is_number = marker == 0x0c && first.len() < 4 && first.iter().all(|byte| byte & 0x80 != 0);
    if !is_number || first.len() < 3 && last & 0x80 != 0 {
        return None;
    }
    let high = first.iter().fold(0_u32, |high, byte| high << 7 | u32::from(byte & 0x7f));
    let all = if first.len() == 3 { high << 8 | u32::from(last) } else { high << 7 | u32::from(last) };
    (all & 1 == 1).then_some(all >> 1)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// The little-endian layout that Flash requires.
    Little,
    /// A layout of six 32-bit words, each with the high byte first.
    Words,
    /// A layout of big-endian fields, which an assembler writes to a `ByteArray` one by one. Fields of 16 and 32 bits have their
    /// high byte first.
    Fields,
}

/// Returns the layout in which the most tokens are valid, and the number of tokens that are valid in that layout.
fn layout_of(body: &[u8], order: ByteOrder) -> (Layout, usize) {
    let layouts: &[Layout] = match order {
        ByteOrder::Little => &[Layout::Little],
        ByteOrder::Big => &[Layout::Words, Layout::Fields, Layout::Little],
    };
    let counted = layouts.iter().map(|&layout| (layout, tokens(body, layout).take_while(is_token).count()));
    // `max_by_key` returns the last of several equal maxima, so `rev` makes it return the first layout.
    counted.rev().max_by_key(|&(_, count)| count).unwrap_or((Layout::Little, 0))
}

fn tokens(body: &[u8], layout: Layout) -> impl Iterator<Item = Token> {
    let (chunks, _) = body.as_chunks::<TOKEN_BYTES>();
    chunks.iter().map(move |&chunk| Token::decode(&turned(chunk, layout)))
}

/// The number of registers in each register file for assemblers that ignore Flash Player's limits.
const REGISTERS: u16 = 1024;

/// Reports whether a token is plausible: its opcode and the register files of its sources are known. If the opcode writes, the
/// destination must be a writable register with a write mask that is not empty.
fn is_token(token: &Token) -> bool {
    let Some(row) = token.row() else { return false };
    let destination = token.dst();
    let is_writable =
        matches!(destination.register_file(), Some(File::Temporary | File::Output | File::Varying | File::Depth))
            && destination.number < REGISTERS
            && token.destination & Destination::RESERVED == 0;
    let writes = !row.destination || !destination.mask.is_empty() && is_writable;
    let reads = |slot: usize| match row.source(slot) {
        Operand::None => true,
        Operand::Sampler => File::from_number(token.sampler().file) == Some(File::Sampler),
        _ => token.src(slot).register_file().is_some() && token.src(slot).number < REGISTERS,
    };
    writes && reads(0) && reads(1)
}

/// Returns the bytes of a token in the layout that Flash requires.
fn turned(token: [u8; TOKEN_BYTES], layout: Layout) -> [u8; TOKEN_BYTES] {
    let mut turned = token;
    let (words, _) = turned.as_chunks_mut::<4>();
    match layout {
        Layout::Little => {}
        Layout::Words => words.iter_mut().for_each(|word| word.reverse()),
        Layout::Fields => {
            let mut opcode = 0;
            for (at, word) in words.iter_mut().enumerate() {
                let [a, b, c, d] = *word;
                *word = match at {
                    0 => {
                        opcode = u32::from_be_bytes(*word);
                        [d, c, b, a]
                    }
                    // The second word of a sampler is a single 32-bit number.
                    5 if Token { opcode, ..Token::default() }.operand(1) == Operand::Sampler => [d, c, b, a],
                    // Words 3 and 5 consist of two single bytes and a 16-bit number, which contains the component and flag of an
                    // index. In words 1, 2 and 4, the 16-bit number comes first.
                    3 | 5 => [a, b, d, c],
                    _ => [b, a, c, d],
                };
            }
        }
    }
    turned
}

/// Converts a program to the byte order that Flash requires. Returns `None` if the bytes are not a program.
pub(crate) fn in_flash_order(bytes: &[u8]) -> Option<Vec<u8>> {
    let (order, version, _) = header(bytes)?;
    let (head, body) = bytes.split_at_checked(HEADER_BYTES)?;
    let &[magic, .., marker, stage] = head else { return None };
    let (layout, _) = layout_of(body, order);
    let [a, b, c, d] = version.to_le_bytes();
    let mut turned_bytes = vec![magic, a, b, c, d, marker, stage];
    tokens(body, layout).for_each(|token| turned_bytes.extend(token.encode()));
    Some(turned_bytes)
}

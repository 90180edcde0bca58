//! Decodes data that is compressed, or encoded as base64 or as hexadecimal digits.

use std::sync::LazyLock;

use agal_front::token::{HEADER_BYTES, TOKEN_BYTES};
use regex::bytes::{Captures, Match, Regex};

use crate::agalish;
use crate::strings::pattern;
use crate::swf_file::may_have_bytecode;
use crate::unpack::{Packing, Unpacked, unpack};

/// The length of the shortest program, in bytes.
const SMALLEST: usize = HEADER_BYTES + TOKEN_BYTES;

/// Bytes that are encoded as base64 or as hexadecimal digits.
pub(crate) struct Run {
    /// The name of the encoding, such as `base64`.
    pub(crate) kind: &'static str,
    /// The offset of the first encoded character.
    pub(crate) at: usize,
    pub(crate) bytes: Vec<u8>,
    /// Whether a single digit or letter remains after the last complete byte.
    pub(crate) is_open: bool,
}

/// Unpacks the stream at the beginning of the data. Returns `None` if the stream is damaged or too short for a program. The
/// unpacked bytes are deducted from the budget in either case.
pub(crate) fn inflate(packing: Packing, data: &[u8], budget: &mut usize) -> Option<Unpacked> {
    let unpacked = unpack(packing, data, *budget);
    *budget = budget.saturating_sub(unpacked.bytes.len().max(1));
    (unpacked.fault.is_none() && unpacked.bytes.len() >= SMALLEST).then_some(unpacked)
}

/// Unpacks data that consists of a single stream and has no signature.
pub(crate) fn inflate_whole(data: &[u8], budget: &mut usize) -> Option<(Packing, Unpacked)> {
    Packing::unmarked(data).into_iter().find_map(|packing| {
        let unpacked = inflate(packing, data, budget)?;
        (unpacked.is_over || unpacked.length >= data.len()).then_some((packing, unpacked))
    })
}

/// The minimum number of base64 letters in data that is decoded as a whole.
const LETTERS: usize = 40;

pub(crate) fn whole_base64(data: &[u8]) -> Option<Vec<u8>> {
    let text = data.trim_ascii();
    let text = text.strip_suffix(b"=").unwrap_or(text);
    let text = text.strip_suffix(b"=").unwrap_or(text);
    let letters = text.iter().filter(|byte| !byte.is_ascii_whitespace()).map(|byte| letter(*byte));
    let letters = letters.collect::<Option<Vec<u8>>>().filter(|letters| letters.len() >= LETTERS)?;
    (letters.len() % 4 != 1).then(|| decoded(&letters, 6))
}

/// Finds encoded bytes that may contain a program.
///
/// A character before a run, such as the length of a string, may look like the run's first character and would shift the decoded
/// bits. Decoding therefore begins at each of the first few characters in turn.
pub(crate) fn runs(data: &[u8]) -> Vec<Run> {
    let mut found = Vec::new();
    // `bits` is the number of bits in a digit or letter. `group` is the smallest number of digits or letters that encode a whole
    // number of bytes.
    let hexadecimal = of_hexadecimal(data).into_iter().map(|run| ("hexadecimal digits", 4, 2, run));
    let letters = |run: Match<'_>| run.as_bytes().iter().filter_map(|byte| letter(*byte)).collect();
    let base64 = BASE64.find_iter(data).map(|run| ("base64", 6, 4, (run.start(), letters(run))));
    for (kind, bits, group, (at, digits)) in hexadecimal.chain(base64) {
        for skipped in 0..group {
            let digits = digits.get(skipped..).unwrap_or_default();
            let (at, bytes, is_open) = (at + skipped, decoded(digits, bits), digits.len() % group == 1);
            found.extend(is_promising(&bytes).then_some(Run { kind, at, bytes, is_open }));
        }
    }
    found
}

/// Reports whether bytes begin like a stream, contain a bytecode signature, or are text with an AGAL statement.
fn is_promising(bytes: &[u8]) -> bool {
    let is_text = || {
        let is_printed = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n');
        bytes.iter().all(is_printed)
            && std::str::from_utf8(bytes).is_ok_and(|text| agalish::constant(text) == agalish::Constant::Code)
    };
    bytes.len() >= SMALLEST && (Packing::of(bytes).is_some() || may_have_bytecode(bytes) || is_text())
}

/// Matches a run of hexadecimal digits, and any letter directly after the run. Spaces, line breaks, commas, `0x` or `\x` may
/// separate the digits.
static HEXADECIMAL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?-u)([0-9A-Fa-f](?:0x|\\x|[ \t\r\n,]|[0-9A-Fa-f]){61,})([A-Za-z]?)"));
static BETWEEN: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?-u)0x|\\x|[ \t\r\n,]"));

/// Returns the offsets of runs of hexadecimal digits, and the values of the digits. Digits at the beginning of a word, such as
/// the `f` of `fragment`, do not belong to the run.
fn of_hexadecimal(data: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let run = |found: Captures<'_>| {
        let (run, letter) = (found.get(1)?, found.get(2)?);
        let space = run.as_bytes().iter().rposition(|byte| b" \t\r\n,".contains(byte));
        let end = space.filter(|_| !letter.is_empty()).unwrap_or(run.len());
        let digits = BETWEEN.replace_all(run.as_bytes().get(..end)?, &b""[..]);
        let value = |digit: &u8| u8::try_from(char::from(*digit).to_digit(16)?).ok();
        let digits: Vec<u8> = digits.iter().filter_map(value).collect();
        (digits.len() >= 2 * SMALLEST).then_some((run.start(), digits))
    };
    HEXADECIMAL.captures_iter(data).filter_map(run).collect()
}

/// Matches a run of base64 letters that is long enough for the shortest program. The run may contain line breaks.
static BASE64: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?-u)(?:[A-Za-z0-9+/_-][\r\n]*){42,}"));

/// Returns the value of a base64 letter. The letters of the URL-safe variant are also accepted.
fn letter(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

/// Decodes digits that have `bits` bits each. Bits after the last complete byte are dropped.
fn decoded(digits: &[u8], bits: u32) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(digits.len());
    let (mut word, mut count) = (0_u32, 0);
    for &digit in digits {
        (word, count) = (word << bits | u32::from(digit), count + bits);
        if count >= 8 {
            count -= 8;
            let [.., byte] = (word >> count).to_be_bytes();
            bytes.push(byte);
        }
    }
    bytes
}

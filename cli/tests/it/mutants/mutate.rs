//! Damages inputs by changing their bytes, words and lines, and corrects PNG checksums.

use crate::support::Random;
use testing::damage::edit;

/// Text fragments that a mutation inserts: delimiters, extreme numbers and unusual characters.
const PIECES: [&str; 64] = [
    "",
    "\0",
    "\u{feff}",
    "\r\n",
    "\r",
    "\n\n",
    "\t",
    "\"",
    "'",
    "\\",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "=",
    ",",
    ".",
    "..",
    ";",
    ":",
    "-",
    "--",
    "+",
    "*",
    "/",
    "/*",
    "*/",
    "//",
    "#",
    "%",
    "@",
    "&",
    "é",
    "\u{202e}",
    "\u{1F600}",
    "-0",
    "0",
    "-1",
    "1e39",
    "-1e-50",
    "nan",
    "inf",
    "4294967295",
    "4294967296",
    "-2147483649",
    "0x",
    "0xffffffff",
    "99999999999999999999",
    "1.5e308",
    "true",
    "null",
    "vc",
    "va8",
    "ft0.xyzw",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    "{{{{{{{{{{{{{{{{",
    "((((((((((((((((((((((((((((((((",
    "%16777217",
    "v0[vc0.x+255]",
    "#include",
];

/// Applies a random mutation to a binary file whose words have `unit` bytes.
pub(crate) fn bytes(file: &mut Vec<u8>, other: &[u8], unit: usize, random: &mut Random) {
    if file.is_empty() {
        return file.extend(other.iter().take(64));
    }
    let word = random.below(file.len()) / unit * unit;
    match random.below(12) {
        0 | 1 => {
            let odd = [0x7f, 0x80, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, u64::from(u32::MAX), u64::MAX];
            // Half of the inserted numbers are small, because ids, counts and kinds are small numbers.
            let value = if random.below(2) == 0 { random.below(24) as u64 } else { odd[random.below(odd.len())] };
            let end = file.len().min(word + unit);
            file[word..end].iter_mut().zip(value.to_le_bytes()).for_each(|(byte, new)| *byte = new);
        }
        2 => {
            let part = file[word..(word + unit * (1 + random.below(16))).min(file.len())].to_vec();
            let part = part.repeat(1 + random.below(40));
            drop(file.splice(word..word, part));
        }
        3 => {
            let tail: Vec<u8> = (0..random.below(64)).map(|_| random.next() as u8).collect();
            file.extend(tail);
        }
        _ => edit(file, random, other, unit),
    }
}

/// Returns the start and end offset of each word in a text.
fn words(text: &str) -> Vec<(usize, usize)> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '%');
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (is_word(c), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    found
}

pub(crate) fn text(file: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let (Ok(here), Ok(there)) = (String::from_utf8(file.clone()), std::str::from_utf8(other)) else {
        return bytes(file, other, 1, random);
    };
    let (own, foreign) = (words(&here), words(there));
    let (Some(&(start, end)), Some(&(from, to))) =
        (own.get(random.below(own.len().max(1))), foreign.get(random.below(foreign.len().max(1))))
    else {
        return bytes(file, other, 1, random);
    };
    let mut text = here.clone();
    let line = here[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = here[start..].find('\n').map_or(here.len(), |at| start + at + 1);
    let piece = PIECES[random.below(PIECES.len())];
    match random.below(12) {
        0 | 1 => text.replace_range(start..end, &there[from..to]),
        2 | 3 => text.replace_range(start..end, piece),
        4 => text.insert_str(start, piece),
        5 => text.insert_str(end, piece),
        6 => text.replace_range(line..line_end, ""),
        7 => {
            let foreign = there.lines().nth(random.below(there.lines().count().max(1))).unwrap_or_default();
            text.insert_str(line, &format!("{foreign}\n"));
        }
        8 => {
            let times = [1, 2, 30, 300, 5000][random.below(5)];
            text.insert_str(line, &here[line..line_end].repeat(times.min(200_000 / (line_end - line).max(1))));
        }
        9 => text.replace_range(start..end, &here[start..end].repeat(1 + random.below(2000))),
        10 => {
            let (a, b) = own[random.below(own.len())];
            if end <= a {
                text = [&here[..start], &here[a..b], &here[end..a], &here[start..end], &here[b..]].concat();
            }
        }
        _ => {
            let mut raw = text.into_bytes();
            bytes(&mut raw, other, 1, random);
            *file = raw;
            return;
        }
    }
    *file = text.into_bytes();
}

/// Corrects the checksum of each PNG chunk that can be parsed.
pub(crate) fn fix_picture(file: &mut [u8]) {
    let mut at = 8;
    while let Some(Ok(length)) = file.get(at..at + 4).map(<[u8; 4]>::try_from) {
        let end = at.saturating_add(8).saturating_add(u32::from_be_bytes(length) as usize);
        let Some(content) = file.get(at + 4..end) else { return };
        let sum = crc32fast::hash(content).to_be_bytes();
        let Some(field) = file.get_mut(end..end + 4) else { return };
        field.copy_from_slice(&sum);
        at = end + 4;
    }
}

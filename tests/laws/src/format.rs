//! The laws that need no backend: the laws of files, text and dumps.

use sdlbc::{Dialect, Module, encode, encode_in, print, verify};

use crate::input::{module_of, with_checksum};

/// Checks law 1: any bytes either decode to a module, which can be verified, printed and encoded, or cause a one-line error with
/// an offset.
pub fn decode(bytes: &[u8]) {
    decoded(bytes);
    let file = with_checksum(bytes);
    if file != bytes {
        decoded(&file);
    }
}

fn decoded(bytes: &[u8]) {
    match sdlbc::decode(bytes) {
        Ok(module) => {
            if let Err(violations) = verify(&module) {
                assert!(!violations.is_empty(), "it does not verify, but there are no violations");
                violations.iter().for_each(|violation| one_line(&violation.to_string()));
            }
            print(&module);
            roundtrip_of(&module);
        }
        Err(error) => {
            assert!(error.offset <= bytes.len(), "{error}, in {} bytes", bytes.len());
            one_line(&error.to_string());
        }
    }
}

/// Checks law 2 for the module that the bytes encode.
pub fn roundtrip(bytes: &[u8]) {
    if let Some(module) = module_of(bytes) {
        roundtrip_of(&module);
    }
}

/// Checks law 2: encoding and decoding a module returns the same module, and encoding the decoded module returns the same bytes.
pub fn roundtrip_of(module: &Module) {
    for dialect in [Dialect::Text, Dialect::Header] {
        let file = encode_in(module, dialect);
        match sdlbc::decode(&file) {
            Ok(again) => {
                assert!(
                    again == *module,
                    "the dialect {dialect:?} decodes to another module\n{}",
                    differs(module, &again)
                );
                assert!(encode_in(&again, dialect) == file, "encoding it again produces another file ({dialect:?})");
            }
            Err(error) => panic!("the encoded file does not decode ({dialect:?}): {error}\n{}", print(module)),
        }
    }
    assert!(encode(module) == encode_in(module, Dialect::default()), "`encode` does not use the text's dialect");
}

/// Checks law 4: the dump shows every byte of the file once and in order, and agrees with the decoder.
pub fn dump(bytes: &[u8]) {
    dumped(bytes);
    let file = with_checksum(bytes);
    if file != bytes {
        dumped(&file);
    }
}

fn dumped(bytes: &[u8]) {
    let dump = sdlbc::dump(bytes);
    let mut at = 0;
    for line in dump.text.lines() {
        let Some(offset) = line.get(..6).filter(|offset| !offset.trim().is_empty()) else { continue };
        assert_eq!(usize::from_str_radix(offset, 16), Ok(at), "expected the byte at {at:#x} in the line {line:?}");
        // One line stands for the remaining bytes of a long file.
        if let Some(count) = line.get(8..).and_then(|rest| rest.strip_prefix("........  ")) {
            let count =
                count.split_once(" bytes that are not shown").and_then(|(count, _)| count.parse::<usize>().ok());
            at += count.unwrap_or_else(|| panic!("{line:?}"));
            continue;
        }
        let found = bytes_of(line);
        assert_eq!(bytes.get(at..at + found.len()), Some(&found[..]), "{line}");
        at += found.len();
    }
    assert_eq!(at, bytes.len(), "the dump ends at {at} of {} bytes", bytes.len());
    assert_eq!(dump.good, sdlbc::decode(bytes).is_ok(), "the dump and the decoder disagree");
    match sdlbc::decode_known(bytes) {
        Ok((_, unknown)) => {
            assert!(dump.good == unknown.is_empty() && dump.unknown == unknown, "the dump and the decoder disagree");
            let stripped = sdlbc::stripped(bytes, sdlbc::dialect(bytes)).expect("what is read can be stripped");
            assert!(sdlbc::decode_known(&stripped).is_ok_and(|(module, _)| module.debug.is_empty()));
        }
        Err(_) => assert!(!dump.good && dump.unknown.is_empty(), "the dump steps over more than the decoder"),
    }
    assert!(dump.text.len() <= 400 * (bytes.len() / 4 + 4), "{} bytes of text for {}", dump.text.len(), bytes.len());
}

/// Returns the bytes that a line of the dump shows: a little-endian word, or fewer bytes at the end of the file.
fn bytes_of(line: &str) -> Vec<u8> {
    let hex = line.get(8..16).unwrap_or_else(|| panic!("no bytes in {line:?}")).trim_end();
    let digits = hex.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap_or_default());
    let mut bytes: Vec<u8> =
        digits.map(|pair| u8::from_str_radix(pair, 16).unwrap_or_else(|_| panic!("{line:?}"))).collect();
    if bytes.len() == 4 {
        bytes.reverse();
    }
    bytes
}

pub(crate) fn one_line(text: &str) {
    assert!(!text.is_empty() && !text.contains('\n'), "not one line: {text:?}");
}

/// Describes the first difference between the texts of two modules or, if the texts are equal, between their debug outputs.
pub(crate) fn differs(a: &Module, b: &Module) -> String {
    let of = |a: String, b: String| {
        let at = a.lines().zip(b.lines()).position(|(a, b)| a != b)?;
        let [a, b] = [a, b].map(|text| text.lines().nth(at).unwrap_or("").to_string());
        Some(format!("line {}: {a:?} became {b:?}", at + 1))
    };
    let whole = || of(format!("{a:#?}"), format!("{b:#?}"));
    of(print(a), print(b)).or_else(whole).unwrap_or_else(|| "one is longer".to_string())
}

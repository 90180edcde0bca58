//! An AGAL program: its header and tokens, decoded from bytes and encoded to bytes.
//!
//! The header's seven bytes are `A0`, the version as a 32-bit little-endian word, `A1` and the stage. Tokens of 24 bytes
//! follow the header. Rule: encoding a decoded program yields the same bytes, whatever the contents of its tokens and of any
//! trailing bytes.

use crate::finding::{Finding, FindingPlace, Kind, Severity};
use crate::register::{Stage, VERSIONS};
pub use crate::token::HEADER_BYTES;
use crate::token::{TOKEN_BYTES, Token};

/// The first byte of every AGAL program.
pub const MAGIC: u8 = 0xa0;
/// The value of the header byte that precedes the stage.
pub const STAGE_MARKER: u8 = 0xa1;

/// Options for decoding a program from its bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Upload {
    /// Whether the uploaded `ByteArray` is big endian, as it is by default. The player checks the byte order before
    /// anything else.
    pub big_endian: bool,
    /// Whether version 0, which Adobe's first checker accepted, causes a warning instead of an error. Programs of version 0 have
    /// the limits of version 1.
    pub allow_version_0: bool,
}

/// An AGAL program for one stage, decoded into tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The program's AGAL version, 1 to 4, or 0 if [`Upload::allow_version_0`] was set.
    pub version: u32,
    /// The stage that the program runs in: vertex or fragment.
    pub stage: Stage,
    /// The program's tokens in order. Findings count tokens from 1.
    pub tokens: Vec<Token>,
    /// The bytes after the last complete token. There are at most 23 such bytes, and they have no meaning.
    pub trailing: Vec<u8>,
}

impl Program {
    /// Decodes a program from its bytes.
    ///
    /// Trailing bytes that do not fill a token are kept in the program. The player ignores such bytes, so they cause
    /// only a warning.
    ///
    /// # Errors
    /// Returns all errors in the header: in its length, magic byte, version, stage marker and stage.
    pub fn decode(bytes: &[u8]) -> Result<(Program, Vec<Finding>), Vec<Finding>> {
        Program::decode_uploaded(bytes, Upload::default())
    }

    /// Decodes a program as [`Program::decode`] does, but with options for the upload.
    ///
    /// # Errors
    /// Returns the errors of [`Program::decode`], and error 3612 if the byte order is big endian and there is at least
    /// one byte.
    pub fn decode_uploaded(bytes: &[u8], upload: Upload) -> Result<(Program, Vec<Finding>), Vec<Finding>> {
        let mut findings = Vec::new();
        let byte = FindingPlace::byte;
        // The checks follow the player's order: the byte order, the length, then the header byte by byte.
        let version = bytes.get(1..5).and_then(|word| word.try_into().ok()).map(u32::from_le_bytes);
        let swapped = version.is_some_and(|version| VERSIONS.contains(&version.swap_bytes()));
        if swapped || upload.big_endian && !bytes.is_empty() {
            let place = if swapped { byte(1) } else { FindingPlace::default() };
            findings.push(Finding::new(Kind::BigEndian { asked: !swapped }, place));
        }
        if bytes.len() < HEADER_BYTES + TOKEN_BYTES {
            findings.push(Finding::new(Kind::Truncated { bytes: bytes.len() }, byte(0)));
        }
        let wrong_magic = bytes.first().filter(|&&first| first != MAGIC);
        findings.extend(wrong_magic.map(|&found| Finding::new(Kind::Magic { found }, byte(0))));
        if let (None, Some(&[_, _, _, _, _, marker, stage])) = (wrong_magic, bytes.first_chunk::<HEADER_BYTES>()) {
            let known = |&version: &u32| VERSIONS.contains(&version) || VERSIONS.contains(&version.swap_bytes());
            findings.extend(
                version.filter(|version| !known(version)).map(|found| Finding::new(Kind::Version { found }, byte(1))),
            );
            if marker != STAGE_MARKER {
                findings.push(Finding::new(Kind::StageMarker { found: marker }, byte(5)));
            }
            if stage > 1 {
                findings.push(Finding::new(Kind::StageNumber { found: stage }, byte(6)));
            }
        }
        if let Some(first) = findings.first_mut() {
            first.stops_player = true;
        }
        let stage = if bytes.get(6) == Some(&0) { Stage::Vertex } else { Stage::Fragment };
        for finding in findings.iter_mut().filter(|finding| finding.kind == Kind::Version { found: 0 }) {
            finding.severity = if upload.allow_version_0 { Severity::Warning } else { Severity::Error };
        }
        let sound = !findings.iter().any(Finding::is_error);
        let (Some(version), true) = (version, sound) else { return Err(findings) };
        let body = bytes.get(HEADER_BYTES..).unwrap_or_default();
        let mut chunks = body.chunks_exact(TOKEN_BYTES);
        let tokens = chunks.by_ref().filter_map(|chunk| chunk.try_into().ok()).map(Token::decode).collect();
        let trailing = chunks.remainder().to_vec();
        if !trailing.is_empty() {
            let place = byte(bytes.len() - trailing.len());
            findings.push(Finding::new(Kind::TrailingBytes { bytes: trailing.len() }, place));
        }
        Ok((Program { version, stage, tokens, trailing }, findings))
    }

    /// Encodes the header, the tokens and the trailing bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_BYTES + TOKEN_BYTES * self.tokens.len());
        bytes.push(MAGIC);
        bytes.extend(self.version.to_le_bytes());
        bytes.push(STAGE_MARKER);
        bytes.push(u8::from(self.stage == Stage::Fragment));
        for token in &self.tokens {
            bytes.extend(token.encode());
        }
        bytes.extend(&self.trailing);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn smallest() -> Vec<u8> {
        let mut bytes = vec![0xa0, 1, 0, 0, 0, 0xa1, 1];
        bytes.resize(31, 0);
        bytes
    }

    fn codes(bytes: &[u8]) -> Vec<u16> {
        Program::decode(bytes).expect_err("the header is wrong").iter().map(Finding::code).collect()
    }

    #[test]
    fn each_header_field_has_its_own_error_and_all_are_reported() {
        assert!(Program::decode(&smallest()).is_ok());
        for (at, code) in [(0, 3616), (1, 3617), (5, 3618), (6, 3619)] {
            let mut bytes = smallest();
            bytes[at] = 99;
            assert_eq!(codes(&bytes), [code]);
        }
        let mut bytes = smallest();
        bytes[1..7].fill(99);
        assert_eq!(codes(&bytes), [3617, 3618, 3619]);
        bytes[0] = 99;
        assert_eq!(codes(&bytes), [3616], "the version is not checked when the magic is wrong");
    }

    #[test]
    fn a_swapped_version_is_called_big_endian() {
        let mut bytes = smallest();
        bytes[1..5].copy_from_slice(&[0, 0, 0, 1]);
        assert_eq!(codes(&bytes), [3612]);
    }

    #[test]
    fn fewer_than_31_bytes_are_not_a_program() {
        assert_eq!(codes(&smallest()[..30]), [3615]);
        assert_eq!(codes(&[]), [3615]);
    }

    #[test]
    fn trailing_bytes_are_a_warning_and_are_kept() {
        let mut bytes = smallest();
        bytes.push(7);
        let (program, warnings) = Program::decode(&bytes).expect("a program");
        assert_eq!(program.tokens.len(), 1);
        assert_eq!(warnings[0].kind, Kind::TrailingBytes { bytes: 1 });
        assert_eq!(program.encode(), bytes);
    }
}

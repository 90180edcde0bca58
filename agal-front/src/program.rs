//! A program: header and tokens, to and from bytes.
//!
//! Seven bytes of header (`A0`, version as a 32-bit little-endian word, `A1`, stage), then tokens of 24 bytes. Rule: a
//! program that was decoded encodes to the same bytes, whatever its tokens hold, and whatever stands behind them.

use crate::finding::{Finding, Kind, Place};
use crate::register::{Stage, VERSIONS};
pub use crate::token::HEADER_BYTES;
use crate::token::{TOKEN_BYTES, Token};

/// The first byte of AGAL bytecode.
pub const MAGIC: u8 = 0xa0;
/// The byte before the stage.
pub const STAGE_MARKER: u8 = 0xa1;

/// An AGAL program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The version, 1 to 4.
    pub version: u32,
    /// The stage it runs in.
    pub stage: Stage,
    /// Its tokens, in order. A finding counts them from 1.
    pub tokens: Vec<Token>,
    /// Bytes behind the last token, too few to be one. They mean nothing.
    pub trailing: Vec<u8>,
}

impl Program {
    /// Reads a program from its bytes.
    ///
    /// Trailing bytes that do not fill a token are kept; they mean nothing, as to the player, and are reported as a warning
    /// beside the program.
    ///
    /// # Errors
    /// Everything that is wrong with the header: its length, magic, version, marker, stage.
    pub fn decode(bytes: &[u8]) -> Result<(Program, Vec<Finding>), Vec<Finding>> {
        let header: &[u8; HEADER_BYTES] = match bytes.first_chunk() {
            Some(header) if bytes.len() >= HEADER_BYTES + TOKEN_BYTES => header,
            _ => {
                let kind = match bytes.first() {
                    Some(&first) if first != MAGIC => Kind::Magic { found: first },
                    _ => Kind::Truncated { bytes: bytes.len() },
                };
                return Err(vec![Finding::new(kind, Place::byte(0))]);
            }
        };
        let [magic, v0, v1, v2, v3, marker, stage] = *header;
        let version = u32::from_le_bytes([v0, v1, v2, v3]);
        let mut findings = Vec::new();
        if magic != MAGIC {
            // What follows is no header, so nothing is wrong with it.
            return Err(vec![Finding::new(Kind::Magic { found: magic }, Place::byte(0))]);
        }
        if !VERSIONS.contains(&version) {
            let kind = if VERSIONS.contains(&version.swap_bytes()) {
                Kind::BigEndian
            } else {
                Kind::Version { found: version }
            };
            findings.push(Finding::new(kind, Place::byte(1)));
        }
        if marker != STAGE_MARKER {
            findings.push(Finding::new(Kind::StageMarker { found: marker }, Place::byte(5)));
        }
        let stage = match stage {
            0 => Stage::Vertex,
            1 => Stage::Fragment,
            found => {
                findings.push(Finding::new(Kind::StageNumber { found }, Place::byte(6)));
                return Err(findings);
            }
        };
        if !findings.is_empty() {
            return Err(findings);
        }
        let body = &bytes[HEADER_BYTES..];
        let mut chunks = body.chunks_exact(TOKEN_BYTES);
        let tokens = chunks.by_ref().filter_map(|chunk| chunk.try_into().ok()).map(Token::decode).collect();
        let trailing = chunks.remainder().to_vec();
        if !trailing.is_empty() {
            let at = bytes.len() - trailing.len();
            findings.push(Finding::new(Kind::TrailingBytes { bytes: trailing.len() }, Place::byte(at)));
        }
        Ok((Program { version, stage, tokens, trailing }, findings))
    }

    /// The program's bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_BYTES + TOKEN_BYTES * self.tokens.len());
        bytes.push(MAGIC);
        bytes.extend(self.version.to_le_bytes());
        bytes.push(STAGE_MARKER);
        bytes.push(match self.stage {
            Stage::Vertex => 0,
            Stage::Fragment => 1,
        });
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

    fn codes(bytes: &[u8]) -> Vec<Option<u16>> {
        Program::decode(bytes).expect_err("the header is wrong").iter().map(Finding::code).collect()
    }

    #[test]
    fn each_header_field_has_its_own_error_and_all_are_reported() {
        assert!(Program::decode(&smallest()).is_ok());
        for (at, code) in [(0, 3616), (1, 3617), (5, 3618), (6, 3619)] {
            let mut bytes = smallest();
            bytes[at] = 99;
            assert_eq!(codes(&bytes), [Some(code)]);
        }
        let mut bytes = smallest();
        bytes[1..7].fill(99);
        assert_eq!(codes(&bytes), [Some(3617), Some(3618), Some(3619)]);
        bytes[0] = 99;
        assert_eq!(codes(&bytes), [Some(3616)], "what is no AGAL has no wrong version");
    }

    #[test]
    fn a_swapped_version_is_called_big_endian() {
        let mut bytes = smallest();
        bytes[1..5].copy_from_slice(&[0, 0, 0, 1]);
        assert_eq!(codes(&bytes), [Some(3612)]);
    }

    #[test]
    fn fewer_than_31_bytes_are_no_program() {
        assert_eq!(codes(&smallest()[..30]), [Some(3615)]);
        assert_eq!(codes(&[]), [Some(3615)]);
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

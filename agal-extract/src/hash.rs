//! SHA-256 hashes of contents, as `sha256sum` prints them.

use sha2::{Digest, Sha256};

/// The SHA-256 hash of some bytes, in hexadecimal digits: what a manifest has of the files and of the programs' bytecode.
///
/// ```
/// assert!(agal_extract::hash_of(b"").starts_with("e3b0c44298fc1c14"));
/// ```
pub fn hash_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

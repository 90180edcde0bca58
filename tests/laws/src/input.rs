//! Modules encoded by the bytes of a test or of a fuzz target.

use sdlbc::{DecodeErrorKind, Module};

use crate::generate::module;

/// The module that the bytes encode: if they are a file, its content, regardless of the checksum; if they are module text, that
/// module; otherwise the module that the generator builds from them.
pub fn module_of(bytes: &[u8]) -> Option<Module> {
    if bytes.starts_with(b"SDLSHADERBC\0") {
        return sdlbc::decode(&with_checksum(bytes)).ok();
    }
    let text = std::str::from_utf8(bytes).ok().and_then(|text| sdlbc::parse(text).ok());
    text.filter(|module| !module.functions.is_empty()).or_else(|| module(&mut arbitrary::Unstructured::new(bytes)).ok())
}

/// Sets a file's checksum to that of its content, so that a wrong checksum does not hide damage to the content.
pub fn with_checksum(bytes: &[u8]) -> Vec<u8> {
    let mut file = bytes.to_vec();
    if let Err(error) = sdlbc::decode(bytes)
        && let DecodeErrorKind::Checksum { computed, .. } = error.kind
        && let Some(place) = file.get_mut(16..20)
    {
        place.copy_from_slice(&computed.to_le_bytes());
    }
    file
}

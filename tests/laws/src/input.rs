//! Modules that tests and fuzz targets build from bytes.

use sdlbc::{DecodeErrorKind, Module};

use crate::generate::module;

/// Returns the module that the bytes determine. A file is decoded regardless of its checksum, module text is parsed, and any
/// other bytes drive the generator. `None` means that a file cannot be decoded.
pub fn module_of(bytes: &[u8]) -> Option<Module> {
    if bytes.starts_with(b"SDLSHADERBC\0") {
        return sdlbc::decode(&with_checksum(bytes)).ok();
    }
    let text = std::str::from_utf8(bytes).ok().and_then(|text| sdlbc::parse(text).ok());
    text.filter(|module| !module.functions.is_empty()).or_else(|| module(&mut arbitrary::Unstructured::new(bytes)).ok())
}

/// Sets a file's checksum to the checksum of its content, so that a wrong checksum does not hide damage to the content.
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

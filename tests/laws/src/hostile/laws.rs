//! Applies all laws to a hostile module.

use sdlbc::{Dialect, Module};

use super::hostile_from_bytes;
use crate::{
    dump, module_of, roundtrip_of, same_by_any_names, same_by_file, space_changes_nothing, text_of, with_checksum,
    written_or_refused,
};

/// Checks all laws for the module that the bytes contain as a file or as text, or for the hostile module that the bytes choose.
pub fn hostile(bytes: &[u8]) {
    let is_file =
        bytes.starts_with(b"SDLSHADERBC\0") || std::str::from_utf8(bytes).is_ok_and(|text| sdlbc::parse(text).is_ok());
    let kept = if is_file { module_of(&with_checksum(bytes)) } else { None };
    hostile_of(&kept.unwrap_or_else(|| hostile_from_bytes(bytes).module));
}

/// Checks all laws for a module.
pub fn hostile_of(module: &Module) {
    for dialect in [Dialect::Text, Dialect::Header] {
        dump(&sdlbc::encode_in(module, dialect));
    }
    roundtrip_of(module);
    text_of(module);
    if sdlbc::verify(module).is_ok() {
        let _ = sdlbc::graph(module);
        written_or_refused(module);
        same_by_file(module);
        space_changes_nothing(module);
        same_by_any_names(module, 7);
        split_and_linked(module);
    }
}

/// Checks that a module's debug table can be split off and attached again, and that a pair is still valid after pruning and
/// packing.
fn split_and_linked(module: &Module) {
    let (program, table) = sdlbc::split(module);
    assert_eq!(sdlbc::verify(&program), Ok(()), "without its debug table");
    roundtrip_of(&program);
    if !module.debug.is_empty() {
        assert_eq!(sdlbc::verify(&table), Ok(()), "the debug table alone");
        roundtrip_of(&table);
        text_of(&table);
        let again =
            sdlbc::attach(program, table).unwrap_or_else(|error| panic!("the debug table cannot be attached: {error}"));
        assert!(again == *module, "attaching the debug table produces another module");
    }
    let mut linked = module.clone();
    if sdlbc::prune(&mut linked).is_ok() {
        assert_eq!(sdlbc::verify(&linked), Ok(()), "pruned\n{}", sdlbc::print(&linked));
        sdlbc::pack(&mut linked).unwrap_or_else(|error| panic!("a pruned pair cannot be packed: {error}"));
        assert_eq!(sdlbc::verify(&linked), Ok(()), "packed\n{}", sdlbc::print(&linked));
        roundtrip_of(&linked);
        written_or_refused(&linked);
    }
}

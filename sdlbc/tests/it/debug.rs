//! Tests debug tables in separate files, which can be attached only to their own programs.

use crate::common::layouts::{layouts, members};
use crate::common::sample;
use sdlbc::{AttachError, Dialect, Module, attach, decode, encode, encode_in, split};

#[test]
fn a_split_module_is_restored_from_its_two_files() {
    for module in [layouts(), members(), sample(), Module { functions: layouts().functions, ..Module::default() }] {
        let (program, table) = split(&module);
        assert!(program.debug.is_empty() && table.functions.is_empty());
        for dialect in [Dialect::Text, Dialect::Header] {
            let [program, table] = [&program, &table].map(|part| decode(&encode_in(part, dialect)).expect("good"));
            assert_eq!(attach(program, table).as_ref(), Ok(&module));
        }
    }
}

#[test]
fn a_debug_table_holds_the_checksum_of_its_program() {
    let (program, table) = split(&layouts());
    let checksum = |file: &[u8]| u32::from_le_bytes(file[16..20].try_into().expect("four bytes"));
    assert_eq!(table.debug.program, Some(checksum(&encode(&program))));
    // A debug table still belongs to its program if the program's file is in the other dialect.
    let mut other = table.clone();
    other.debug.program = Some(checksum(&encode_in(&program, Dialect::Header)));
    assert_ne!(other.debug.program, table.debug.program);
    assert_eq!(attach(program, other), Ok(layouts()));
}

#[test]
fn a_debug_table_is_attached_only_to_its_program() {
    let (program, table) = split(&layouts());
    let mut changed = program.clone();
    changed.functions[0].body.insts_mut()[0].immediates[0] += 1;
    assert!(matches!(attach(changed, table.clone()), Err(AttachError::OtherProgram { stated, checksum })
        if Some(stated) == table.debug.program && stated != checksum));
    assert_eq!(attach(layouts(), table.clone()), Err(AttachError::HasATable));
    assert_eq!(attach(program.clone(), program.clone()), Err(AttachError::NotATable));
    assert_eq!(attach(program.clone(), Module::default()), Err(AttachError::NoProgram));
    for error in [AttachError::NotATable, AttachError::OtherProgram { stated: 1, checksum: 0xabc }] {
        let line = error.to_string();
        assert!(!line.contains('\n') && line.starts_with(char::is_lowercase), "{line}");
    }
}

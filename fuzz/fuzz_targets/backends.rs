//! Law 5: a module that verifies is translated or rejected.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::backends(bytes));

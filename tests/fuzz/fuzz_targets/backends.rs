//! Law 5: a verified module is written for each target or refused.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::backends(bytes));

//! Law 5: a module that verifies is written in each target or refused.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::backends(bytes));

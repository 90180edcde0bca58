//! Law 5: what verifies is written or refused.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::backends(bytes));

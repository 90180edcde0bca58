//! Law 1: decoding any bytes returns a module or an error.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::decode(bytes));

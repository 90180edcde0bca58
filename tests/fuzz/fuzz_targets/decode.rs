//! Law 1: any bytes decode to a module or an error.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::decode(bytes));

//! Every law at once, of modules that are built to be nasty.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::hostile(bytes));

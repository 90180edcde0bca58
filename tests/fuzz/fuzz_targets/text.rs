//! Law 3: a module that is printed and parsed is the same module.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::text(bytes));

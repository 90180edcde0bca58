//! Law 3: printing a module and parsing the text returns the same module.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::text(bytes));

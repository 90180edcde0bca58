//! The law of AGAL: any bytes and any text get an answer.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::agal(bytes));

//! The law of AGAL: any bytes and any text are either accepted or refused with findings.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::agal(bytes));

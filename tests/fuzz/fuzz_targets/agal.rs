//! The law of AGAL: any bytes or text are either accepted or rejected with findings.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::agal(bytes));

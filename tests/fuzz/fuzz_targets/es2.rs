//! The law of the unified-shader instruction set: any bytes and any text are either accepted or refused with findings.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    laws::es2::es2(bytes);
});

//! The law of the unified-shader instruction set: any bytes or text are either accepted or rejected with findings.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    laws::es2::es2(bytes);
});

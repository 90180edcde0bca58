//! The law of WGSL, GLSL and SPIR-V: any source is lifted or refused.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::sources(bytes));

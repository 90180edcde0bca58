//! The laws of AGAL as a target: a program is shortened or unchanged, and its results stay the same; any module is translated to an
//! AGAL program or refused.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    laws::back::back(bytes);
});

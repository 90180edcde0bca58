//! The law of WGSL, GLSL and SPIR-V: any source is lifted or refused.
//!
//! A panic in naga's readers counts as a refusal (`sources/naga-front/src/parse.rs`), so only an uncaught panic ends
//! the run.

#![no_main]

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::{Mutex, Once};

static HOOK: Once = Once::new();
static LAST: Mutex<String> = Mutex::new(String::new());

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Replaces libFuzzer's panic hook, which would end the run.
    HOOK.call_once(|| {
        set_hook(Box::new(|panic| {
            if let Ok(mut last) = LAST.lock() {
                *last = panic.to_string();
            }
        }));
    });
    if catch_unwind(AssertUnwindSafe(|| laws::sources(bytes))).is_err() {
        if let Ok(last) = LAST.lock() {
            eprintln!("{last}");
        }
        std::process::abort();
    }
});

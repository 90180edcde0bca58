//! The stages of reading an input: the input is opened, read, and loaded into a verified module.
//!
//! ```text
//! Input ─ Source::open ─► Source ─ read ─► Program, one or two ─┬─ load ──► Loaded: a verified module
//!  name,   decoded, detected,      AGAL, the unified set,       ├─ check ─► findings
//!  bytes   unpacked                or a module                  └─ show ──► a module that may break rules
//! ```

mod check;
mod detect;
mod foreign;
mod lines;
mod load;
mod pair;
mod program;
mod source;
#[cfg(feature = "sources")]
mod sources;
mod text;

pub use check::{check, validate, varyings};
pub(crate) use detect::by_name;
pub use detect::{Form, Input, detect, detect_file};
pub use foreign::Foreign;
pub(crate) use foreign::of_text as foreign_text;
pub use load::{Loaded, Refused, combine, lift, load, load_all, show};
pub use program::{Code, ModuleInput, Program};
pub use source::{Expanded, Source};
#[cfg(feature = "sources")]
pub use sources::compiler;
pub(crate) use text::has_both_parts;
pub use text::{Encoding, Text};
#[cfg(feature = "render")]
pub(crate) use {foreign::argument, text::position};

/// Counts how often an input is decoded, detected and verified.
#[cfg(test)]
mod once {
    use std::cell::Cell;

    use super::{Input, load_all};
    use crate::options::Options;

    thread_local! {
        pub(super) static DECODED: Cell<u32> = const { Cell::new(0) };
        pub(super) static DETECTED: Cell<u32> = const { Cell::new(0) };
        pub(super) static VERIFIED: Cell<u32> = const { Cell::new(0) };
    }

    fn counts(inputs: &[(&str, &[u8])]) -> [u32; 3] {
        let inputs: Vec<Input> =
            inputs.iter().map(|(name, bytes)| Input { name: name.to_string(), bytes: bytes.to_vec() }).collect();
        let counters = [&DECODED, &DETECTED, &VERIFIED];
        counters.iter().for_each(|counter| counter.with(|count| count.set(0)));
        let loaded = load_all(&inputs, &Options::default());
        loaded.unwrap_or_else(|refused| panic!("{}: {refused}", inputs[0].name));
        counters.map(|counter| counter.with(Cell::get))
    }

    /// Binary inputs are never decoded as text.
    #[test]
    fn each_input_is_decoded_detected_and_verified_once() {
        const TEXT: &str = "// agal 1 fragment\nmov oc, fc0\n";
        let module = sdlbc::parse("fragment function \"f\" {\n}\n").expect("a module");
        let bytecode = agal_front::assemble::assemble(TEXT, &Default::default()).expect("a program").program.encode();
        let pasted = br#"code = "mov oc, fc0\n";"#;
        for (name, bytes, expected) in [
            ("text", TEXT.as_bytes(), [1, 1, 1]),
            ("bytecode", &bytecode, [0, 1, 1]),
            ("pasted", pasted, [1, 1, 1]),
            ("module", &sdlbc::encode(&module), [0, 1, 1]),
            ("module text", sdlbc::print(&module).as_bytes(), [1, 1, 1]),
            #[cfg(feature = "es2")]
            ("unified", b"!!ES2fp1.0\nMOV fragcolor, u0;\nEND\n", [1, 1, 1]),
            #[cfg(feature = "sources")]
            ("a.wgsl", b"@fragment fn f() -> @location(0) vec4f { return vec4f(1.0); }", [1, 1, 1]),
        ] {
            assert_eq!(counts(&[(name, bytes)]), expected, "{name}");
        }
        let pair = "part v vertex 1\nmov op, va0\nendpart\npart f fragment 1\nmov oc, fc0\nendpart\n";
        assert_eq!(counts(&[("both parts", pair.as_bytes())]), [1, 1, 1]);
        assert_eq!(counts(&[("a.vert", b"mov op, va0"), ("a.frag", b"mov oc, fc0")]), [2, 2, 1]);
    }
}

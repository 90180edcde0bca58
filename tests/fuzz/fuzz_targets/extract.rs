//! The law of extraction: extraction from any bytes never panics, and its results are consistent.
//!
//! Bytes that are valid UTF-8 are also read as ActionScript and as Haxe.

#![no_main]

use agal_extract::{Code, Limits, Options, Piece, extract};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    search("input.swf", bytes);
    if std::str::from_utf8(bytes).is_ok() {
        search("Input.as", bytes);
        search("Input.hx", bytes);
    }
});

fn search(name: &str, bytes: &[u8]) {
    let mut limits = Limits::default();
    // The limits on damaged code are lower than the defaults, to keep each run short.
    (limits.path_steps, limits.steps, limits.paths) = (20_000, 400_000, 32);
    let mut options = Options::default();
    options.limits = limits;
    let found = extract(&[agalc::Input { name: name.to_string(), bytes: bytes.to_vec() }], &options);
    for program in &found.programs {
        assert!(!program.places.is_empty(), "a program without a place");
        let Code::Text { text, .. } = &program.code else { continue };
        let is_text = |piece: &Piece| matches!(piece, Piece::Text(_));
        assert!(!text.pieces.windows(2).any(|pair| pair.iter().all(is_text)), "two texts next to each other");
        for piece in &text.pieces {
            if let Piece::Hole(name) = piece {
                assert!(text.holes.contains_key(name), "a hole of which nothing is said");
            }
        }
    }
    for pair in &found.pairs {
        assert!(pair.vertex.0 < found.programs.len() && pair.fragment.0 < found.programs.len());
    }
}

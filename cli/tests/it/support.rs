//! Code that the command's tests share: temporary folders, the game of docs/extract.md, a schema validator, and the examples on
//! pages.

#![allow(dead_code)]

pub(crate) mod examples;
pub(crate) mod game;
pub(crate) mod sandbox;
pub(crate) mod schema;
pub(crate) mod took;

pub(crate) use laws::naga_accepts;
pub(crate) use testing::{
    GLSLANG, Random, SPIRV_VAL, TINT, Tool, expect, on_two_threads, repository, say, testdata, updates,
};

pub(crate) fn little_endian(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

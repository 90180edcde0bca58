//! Finds AGAL shaders in the files of Flash and AIR applications: SWF, SWC and ABC files, and ActionScript and Haxe sources.
//!
//! The crate opens no files and prints nothing. An input consists of a name and bytes. The result is an [`Extraction`].
#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

mod agalish;
mod archive;
mod avm;
mod bounds;
mod bytes;
mod checked;
mod collect;
mod conditions;
mod container;
mod cover;
mod embedded;
mod encoded;
mod engines;
mod eval;
mod extract;
mod fill;
mod group;
mod left_out;
mod limits;
mod manifest;
mod model;
mod names;
mod output;
mod sources;
mod strangers;
mod strings;
mod swf_file;
mod text;
mod trace;
mod unpack;
mod written;

pub use archive::is_application;
pub use bounds::{MOST_OF_FOLDER, MOST_OF_MANIFEST};
pub use bytes::holds_agal;
pub use embedded::Reader;
pub use extract::{Options, extract, extract_and_tell};
pub use fill::{FillError, Fills};
pub use left_out::LeftOut;
pub use limits::Limits;
pub use manifest::{Counts, FORMAT, Manifest, files_of_manifest, pairs_of_manifest};
pub use model::{
    Alternative, ByteOrder, Code, Condition, Extraction, Hole, Language, Pair, Piece, Place, Program, ProgramId,
    Progress, Site, Summary, Template, Warning,
};
pub use output::{Output, OutputFile, OutputOptions};
pub use written::{SUBFOLDERS, hash_of};

/// Runs the examples in the README as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

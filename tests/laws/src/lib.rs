//! The laws of SDLSHADERBC, and the random modules that test the laws. A law is a property of any module, file or text.
//!
//! Rule: a law is a function of bytes, and panics with a description if the bytes break the law. The tests of this crate call the
//! laws with fixed seeds and stored files, and the fuzz targets in `tests/fuzz` call the laws with generated inputs. The laws are
//! stated in docs/format.md, "Laws"; the law of AGAL is in `agal.rs`.

mod agal;
pub mod back;
mod both_ways;
pub mod compute;
#[cfg(feature = "es2")]
pub mod es2;
mod format;
mod generate;
mod hostile;
mod input;
mod members;
mod names;
mod overloads;
mod placed;
pub mod programs;
pub mod shader;
mod sources;
mod space;
mod targets;
mod text;
pub mod works;

pub use agal::{Answer, agal, answer};
pub use both_ways::{By, Outcome, both_ways, layout_of};
pub use format::{decode, dump, roundtrip, roundtrip_of};
pub use generate::{from_seed, module, of_operation, plain_from_seed};
pub use hostile::{Boundary, Hostile, Mood, boundaries, hostile, hostile_from_bytes, hostile_from_seed, hostile_of};
pub use input::{module_of, with_checksum};
pub use members::{computed, with_members};
pub use names::{names, plain, renamed, same_by_any_names};
pub use overloads::{Immediates, Overload, overloads};
pub use sources::{Source, lifted_or_refused, sources, spirv_is_lifted_or_refused};
pub use space::{space_changes_nothing, spaced};
pub use targets::{OutputFile, TARGETS, backends, by_file, naga_accepts, outputs, same_by_file, written_or_refused};
pub use text::{text, text_of};

/// A function that panics if its argument breaks a law.
pub type Law = fn(&[u8]);

/// The laws. Each name is also the name of the law's fuzz target and of a folder in `testdata/fuzz`.
pub const LAWS: &[(&str, Law)] = &[
    ("agal", agal),
    #[cfg(feature = "es2")]
    ("es2", |bytes| {
        es2::es2(bytes);
    }),
    ("decode", decode),
    ("roundtrip", roundtrip),
    ("text", text),
    ("dump", dump),
    ("backends", backends),
    ("by_file", by_file),
    ("names", names),
    ("hostile", hostile),
    ("sources", sources),
];

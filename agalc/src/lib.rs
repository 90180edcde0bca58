//! Shader files: what each is, what it contains, and one or two of them as a module.
//!
//! Nothing here opens files, prints, or keeps state. An [`Input`] is a name and bytes. Its kind is detected from its first
//! bytes ([`detect()`]) and it is split into programs ([`items()`]: a text with a vertex and a fragment part contains two).
//! Each is decoded, assembled or parsed ([`read()`]), and together they become a verified [`Module`](sdlbc::Module), in which
//! the vertex function of a pair comes first ([`module()`]).
//!
//! ```
//! use agalc::{Input, Options, items, module};
//!
//! let input = |name: &str, text: &str| Input { name: name.to_string(), bytes: text.as_bytes().to_vec() };
//! let inputs = [input("a.frag", "mov oc, v0"), input("a.vert", "mov op, va0\nmov v0, va1")];
//! let loaded = module(&items(&inputs, None), &Options::default())?;
//! let kinds: Vec<&str> = loaded.module.functions.iter().map(|function| function.kind.name()).collect();
//! assert_eq!(kinds, ["vertex", "fragment"]);
//! # Ok::<(), agalc::Refused>(())
//! ```
//!
//! Inputs that cannot be used are rejected with all their errors:
//!
//! ```
//! # use agalc::{ErrorKind, Foreign, Input, Options, items, module};
//! let input = Input { name: "a.wgsl".to_string(), bytes: b"@vertex fn main() {}".to_vec() };
//! let refused = module(&items(&[input], None), &Options::default()).unwrap_err();
//! let error = refused.errors().next().unwrap();
//! assert_eq!(error.kind, ErrorKind::Foreign(Foreign::Wgsl));
//! assert_eq!(error.to_string(), "`a.wgsl` is WGSL, which agalc writes but does not read");
//! ```
#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]

mod detect;
mod error;
mod foreign;
mod module;
mod options;
mod pair;
mod read;
pub mod reflect;
mod text;

pub use detect::{Form, Input, detect};
pub use error::{BytePosition, Error, ErrorKind, PairError, Warning, WarningKind};
pub use foreign::Foreign;
pub use module::{Loaded, Refused, combine, lift, module, share_version};
pub use options::{DebugLevel, Options};
pub use read::{Agal, Content, Ir, Item, expand, items, read};
pub use reflect::{DrawError, DrawState, Reflection, check_draw, reflect};
pub use text::Text;

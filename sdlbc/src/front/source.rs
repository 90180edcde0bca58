//! What the front ends for other shader languages than AGAL take and return.

use std::collections::BTreeSet;

use super::Stage;
use crate::{LeftOut, Module};

/// A module that was lifted from a source, and information about the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lifted {
    /// The module, with generic functions in the order of the source, followed by the entry functions, vertex before fragment.
    pub module: Module,
    /// The names of the source's overrides that have a value in the options.
    pub overrides: Vec<String>,
    /// The names of all inputs that the source declares, even if they are unused: resources, and the arguments of entry points or
    /// their members.
    pub declared: BTreeSet<String>,
    /// The data that the debug table could not store, such as a source that contains a NUL in a comment.
    pub left_out: Vec<LeftOut>,
}

crate::options! {
    /// Options for reading a shader source in another language than AGAL.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct SourceOptions {
        /// The names of the entry points to lift, at most one for each stage. If the list is empty, the source may have at most one
        /// entry point for each stage.
        pub entries: Vec<String>,
        /// The only stage to lift: vertex or fragment. `None` lifts the entry points of all stages.
        pub stage: Option<Stage>,
        /// The name of the source file for the debug table. If the name is empty, the debug table contains no lines.
        pub file: String,
        /// The values of overrides, as pairs of a name or number and a value. Names that are not overrides of the source are ignored.
        pub overrides: Vec<(String, f64)>,
    }
}

//! Entry points: their names, and the functions that they call.
//!
//! Rule: applications look an entry point up by name, so only this file decides it, from the target and the layout.

use sdlbc::{Function, Module};

use crate::features::Entry;
use crate::layout::Layout;
use crate::mend::names::Given;

/// The name of an entry point.
#[derive(Clone, Debug)]
pub(crate) enum EntryName {
    /// The label that stands for the name.
    Label(String),
    /// The name itself: in SPIR-V, where any text is allowed, and in GLSL, where it is always `main`.
    Exact(String),
}

impl EntryName {
    /// Returns the name in an output.
    pub(crate) fn name<'a>(&'a self, given: &'a Given) -> &'a str {
        match self {
            EntryName::Label(label) => given.name(label),
            EntryName::Exact(name) => name,
        }
    }

    /// Converts itself into the name in an output.
    pub(crate) fn into_name(self, given: &Given) -> String {
        match self {
            EntryName::Label(label) => given.name(&label).to_string(),
            EntryName::Exact(name) => name,
        }
    }
}

/// Returns the name that an entry point must have: that of the target, of the layout or of the function.
pub(crate) fn wanted_entry<'a>(function: &'a Function, entry: Entry, layout: &'a Layout) -> &'a str {
    match (entry, layout.entry.as_deref().unwrap_or(&function.name)) {
        (Entry::Main, _) => "main",
        (Entry::NotMain, "main") => "main0",
        (_, name) => name,
    }
}

/// Returns the functions that a stage runs, each with its index: the entry function at `entry`, then those that it calls.
pub(super) fn functions_of(module: &Module, entry: usize) -> impl Iterator<Item = (usize, &Function)> {
    let indices = [entry].into_iter().chain(sdlbc::call_order(module, entry));
    indices.filter_map(|index| Some((index, module.functions.get(index)?)))
}

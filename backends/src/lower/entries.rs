//! Defines entry points: their names, and the functions that they call.
//!
//! Rule: only this file derives the name of an entry point from the target and the layout, because applications look up the name.

use sdlbc::{Function, Module};

use crate::features::Entry;
use crate::layout::Layout;
use crate::mend::names::Given;

#[derive(Clone, Debug)]
pub(crate) enum EntryName {
    /// A label that stands for the entry point's name.
    Label(String),
    /// The exact name of an entry point in SPIR-V, which allows any name, or in GLSL, where the name is always `main`.
    Exact(String),
}

impl EntryName {
    /// Returns the entry point's name in the output.
    pub(crate) fn name<'a>(&'a self, given: &'a Given) -> &'a str {
        match self {
            EntryName::Label(label) => given.name(label),
            EntryName::Exact(name) => name,
        }
    }

    pub(crate) fn into_name(self, given: &Given) -> String {
        match self {
            EntryName::Label(label) => given.name(&label).to_string(),
            EntryName::Exact(name) => name,
        }
    }
}

/// Returns the required name of an entry point, which the target, the layout or the function determines.
pub(crate) fn wanted_entry<'a>(function: &'a Function, entry: Entry, layout: &'a Layout) -> &'a str {
    match (entry, layout.entry.as_deref().unwrap_or(&function.name)) {
        (Entry::Main, _) => "main",
        (Entry::NotMain, "main") => "main0",
        (_, name) => name,
    }
}

/// Returns the entry function at `entry` and the functions that it calls, each with its index.
pub(super) fn functions_of(module: &Module, entry: usize) -> impl Iterator<Item = (usize, &Function)> {
    let indices = [entry].into_iter().chain(sdlbc::call_order(module, entry));
    indices.filter_map(|index| Some((index, module.functions.get(index)?)))
}

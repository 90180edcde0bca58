//! Entry points: their names, and the inputs of the caller's module that their inputs correspond to.
//!
//! Rule: an application looks an entry point up by its name, so that a target or a layout decides it here and nowhere else.

use sdlbc::{Function, Module};

use crate::features::Entry;
use crate::interface::EntryPoint;
use crate::layout::Layout;
use crate::mend::names::Given;

/// The name of an entry point.
#[derive(Clone, Debug)]
pub(crate) enum EntryName {
    /// The label that stands for the name.
    Label(String),
    /// The name itself: in SPIR-V, where any text will do, and in GLSL, which has one.
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

/// Returns the name that an entry point should have.
pub(crate) fn wanted_entry<'a>(function: &'a Function, entry: Entry, layout: &'a Layout) -> &'a str {
    match (entry, layout.entry.as_deref().unwrap_or(&function.name)) {
        (Entry::Main, _) => "main",
        (Entry::NotMain, "main") => "main0",
        (_, name) => name,
    }
}

/// Changes the indices of an entry point's inputs from those in `split`, whose arrays are split into members, to those in `whole`.
pub(super) fn refer_to_whole(entry: &mut EntryPoint, split: &Module, whole: &Module) {
    let inputs = |module: &'_ Module| {
        let function = module.functions.iter().find(|function| function.kind == entry.stage);
        function.map_or(Vec::new(), |function| function.inputs.iter().map(|input| input.id).collect())
    };
    let (split, whole) = (inputs(split), inputs(whole));
    for variable in &mut entry.inputs {
        let id = split.get(variable.index);
        variable.index = whole.iter().position(|other| Some(other) == id).unwrap_or(variable.index);
    }
}

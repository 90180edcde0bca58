//! Compiles ActionScript and Haxe sources to ABC, so that the interpreter for SWF code can also run sources.
//!
//! The compiler is small: it checks no types, does not know the player's classes, and resolves only names that the sources
//! declare. A statement or member that the compiler does not understand is skipped and reported, so no error stops the
//! compilation. The lexer produces tokens, `parse` builds the `syntax` tree, and `emit` translates the tree to the types of the
//! `swf` crate.

mod conditional;
mod emit;
mod parse;
mod source;
mod syntax;
#[cfg(test)]
mod tests;

pub(crate) use crate::sources::source::{Source, SourceWarning, Unit};
pub(crate) use crate::sources::syntax::Embed;

/// The maximum length of a source file in bytes.
pub(crate) const LONGEST: usize = 16 << 20;

/// A subset of Haxe's standard library, compiled together with Haxe sources.
const LIBRARY: [Source<'_>; 2] = [
    Source { name: "library.hx", text: include_str!("sources/library.hx") },
    Source {
        name: "maps.hx",
        text: "package haxe.ds; class StringMap extends Map {} class IntMap extends Map {} class ObjectMap extends Map {}",
    },
];

/// Derives the source language from the file extension. Returns `None` for an input that is not a source.
pub(crate) fn language_of(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    match ending.to_ascii_lowercase().as_str() {
        "as" => Some("ActionScript source"),
        "hx" => Some("Haxe source"),
        "mxml" => Some("MXML source"),
        _ => None,
    }
}

pub(crate) fn is_source(name: &str) -> bool {
    language_of(name).is_some()
}

#[derive(Debug, Default)]
pub(crate) struct Compiled {
    /// One unit for each source, in the order of the sources, followed by the units of the Haxe library if any source is Haxe.
    pub(crate) units: Vec<Unit>,
    pub(crate) warnings: Vec<SourceWarning>,
    /// The files that classes embed, each with the index of the source that embeds it.
    pub(crate) embeds: Vec<(usize, Embed)>,
}

/// Compiles sources together. Each source can use the definitions of all other sources.
pub(crate) fn compile(files: &[Source<'_>]) -> Compiled {
    let mut warnings = Vec::new();
    let mut modules = Vec::new();
    for (file, source) in files.iter().enumerate() {
        if source.text.len() > LONGEST {
            let message = format!("the source is longer than {LONGEST} bytes, and is left out");
            warnings.push(SourceWarning { file, line: 1, column: 1, message });
            continue;
        }
        let (module, found) = parse::parse(file, source);
        warnings.extend(found);
        modules.push((Some(file), module));
    }
    if modules.iter().any(|(_, module)| module.is_haxe) {
        modules.extend(LIBRARY.iter().map(|source| (None, parse::parse(files.len(), source).0)));
    }
    let units = emit::emit(&modules, &mut warnings);
    let embeds = modules.into_iter().filter_map(|(file, module)| Some((file?, module.embeds)));
    let embeds = embeds.flat_map(|(file, embeds)| embeds.into_iter().map(move |embed| (file, embed))).collect();
    Compiled { units, warnings, embeds }
}

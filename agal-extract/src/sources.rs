//! Compiles sources in ActionScript and Haxe to ABC, so that the interpreter for SWF code runs them too.
//!
//! The compiler is small: it checks no types, does not know the player's classes, and resolves only names that a source declares.
//! It skips and reports a statement or member that it does not understand, and no error stops it. Its steps are tokens, the
//! `syntax` tree (`parse`), and the types of the `swf` crate (`emit`).

mod conditional;
mod emit;
mod parse;
mod source;
mod syntax;
#[cfg(test)]
mod tests;

pub(crate) use crate::sources::source::{Source, SourceWarning, Unit};
pub(crate) use crate::sources::syntax::Embed;

/// Length in bytes of the longest source that is compiled.
pub(crate) const LONGEST: usize = 16 << 20;

/// The part of Haxe's library that Haxe sources use.
const LIBRARY: [Source<'_>; 2] = [
    Source { name: "library.hx", text: include_str!("sources/library.hx") },
    Source {
        name: "maps.hx",
        text: "package haxe.ds; class StringMap extends Map {} class IntMap extends Map {} class ObjectMap extends Map {}",
    },
];

/// Language of a source, from the ending of the input's name; `None` for other inputs.
pub(crate) fn language_of(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    match ending.to_ascii_lowercase().as_str() {
        "as" => Some("ActionScript source"),
        "hx" => Some("Haxe source"),
        "mxml" => Some("MXML source"),
        _ => None,
    }
}

/// Whether an input is a source.
pub(crate) fn is_source(name: &str) -> bool {
    language_of(name).is_some()
}

/// Result of compiling sources.
#[derive(Debug, Default)]
pub(crate) struct Compiled {
    /// A unit for each source, in the order of the sources, and for the library that Haxe sources use.
    pub(crate) units: Vec<Unit>,
    pub(crate) warnings: Vec<SourceWarning>,
    /// The files that classes embed, with the indices of their sources.
    pub(crate) embeds: Vec<(usize, Embed)>,
}

/// Compiles sources. The definitions of each source are visible to the others.
pub(crate) fn compile(files: &[Source<'_>]) -> Compiled {
    let mut warnings = Vec::new();
    let mut modules = Vec::new();
    for (file, source) in files.iter().enumerate() {
        if source.text.len() > LONGEST {
            let message = format!("the source is longer than {LONGEST} bytes and left out");
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

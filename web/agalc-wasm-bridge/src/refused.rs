//! Errors that calls from JavaScript throw.

use agalc::Remedy;
use agalc::render::{Level, Problem, of_error, problems};
use serde::Serialize;
use wasm_bindgen::JsValue;

/// The error of a call. The value that JavaScript catches has the same fields.
#[derive(Debug, Serialize)]
pub struct Refused {
    /// The message, with one line for each error.
    message: String,
    /// All errors and warnings as structured data.
    diagnostics: Vec<Problem>,
}

impl Refused {
    /// The message, with one line for each error.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Creates an error that has no location in an input.
    pub fn plain(message: impl Into<String>) -> Refused {
        Refused::of(vec![Problem::new(Level::Error, message)])
    }

    /// Creates an error from all errors and warnings about the inputs.
    pub fn of(diagnostics: Vec<Problem>) -> Refused {
        let errors = diagnostics.iter().filter(|problem| problem.severity == Level::Error);
        let message = errors.map(line).collect::<Vec<String>>().join("\n");
        Refused { message, diagnostics }
    }
}

/// Formats an error as a line such as `lit.vert.agal:2:5: error text`.
fn line(problem: &Problem) -> String {
    let place = match (problem.span, problem.token) {
        (Some(span), _) => format!(":{}:{}", span.line, span.column),
        (None, Some(token)) => format!(", token {token}"),
        (None, None) => problem.byte.map_or(String::new(), |byte| format!(", byte {byte}")),
    };
    match &problem.file {
        Some(file) => format!("{file}{place}: {}", problem.message),
        None => problem.message.clone(),
    }
}

impl From<agalc::Refused> for Refused {
    fn from(refused: agalc::Refused) -> Refused {
        Refused::of(problems(&refused, wording))
    }
}

impl From<agalc::InputError> for Refused {
    fn from(error: agalc::InputError) -> Refused {
        Refused::of(of_error(&error, wording))
    }
}

/// Converts the error to the value that JavaScript catches.
impl From<Refused> for JsValue {
    fn from(refused: Refused) -> JsValue {
        crate::value(&refused).unwrap_or_else(|error| error)
    }
}

/// Returns the npm package's option that applies a remedy, as text for a finding's help message. Returns `None` if the package
/// has no such option.
pub fn wording(remedy: &Remedy) -> Option<String> {
    Some(match remedy {
        Remedy::Allow(code) => format!("`allow: [{code}]`"),
        Remedy::AllowTed => "`allowTed: true`".to_string(),
        Remedy::Version(version) => format!("`agalVersion: {version}`"),
        Remedy::Stage => "`stage`".to_string(),
        Remedy::MacroLanguage => "`language: \"macro\"`".to_string(),
        Remedy::StrictIfg => "`ifg: \"strict\"`".to_string(),
        Remedy::SignedOffsets => "`signedOffsets: true`".to_string(),
        Remedy::Define(name) => format!("`defines: {{ {name}: 0 }}`"),
        Remedy::PruneVaryings => "`pruneVaryings: true`".to_string(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Converts a JavaScript object literal with unquoted names to JSON.
    fn json(text: &str) -> String {
        let names = text.split_inclusive(':').map(|part| match part.strip_suffix(':') {
            Some(before) => {
                let at = before.rfind(|c: char| !c.is_ascii_alphanumeric()).map_or(0, |at| at + 1);
                format!("{}\"{}\":", &before[..at], &before[at..])
            }
            None => part.to_string(),
        });
        format!("{{{}}}", names.collect::<String>())
    }

    #[test]
    fn the_options_in_advice_exist() {
        for remedy in [
            Remedy::Allow(3647),
            Remedy::AllowTed,
            Remedy::Version(2),
            Remedy::MacroLanguage,
            Remedy::StrictIfg,
            Remedy::SignedOffsets,
            Remedy::Define("X".to_string()),
            Remedy::PruneVaryings,
        ] {
            let words = wording(&remedy).expect("an option");
            let read = serde_json::from_str::<crate::Options>(&json(words.trim_matches('`')));
            let options = read.unwrap_or_else(|error| panic!("{words}: {error}"));
            assert_ne!(format!("{options:?}"), format!("{:?}", crate::Options::default()), "{words}");
        }
    }
}

//! Why a call has no result.

use serde::Serialize;
use wasm_bindgen::JsValue;

use crate::problem::{self, Level, Problem};
use crate::value::serialized;

/// What is thrown.
#[derive(Debug, Serialize)]
pub(crate) struct Refused {
    /// All errors, a line each.
    message: String,
    /// They and all warnings as data.
    diagnostics: Vec<Problem>,
}

impl Refused {
    /// For what has no place in an input.
    pub(crate) fn plain(message: impl Into<String>) -> Refused {
        Refused::of(vec![Problem::new(Level::Error, message)])
    }

    /// For what is wrong with inputs.
    pub(crate) fn of(diagnostics: Vec<Problem>) -> Refused {
        let errors = diagnostics.iter().filter(|problem| problem.severity == Level::Error);
        let message = errors.map(line).collect::<Vec<String>>().join("\n");
        Refused { message, diagnostics }
    }

    #[cfg(test)]
    pub(crate) fn message(&self) -> &str {
        &self.message
    }
}

/// `lit.vert.agal:2:5: error text`
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
        Refused::of(problem::problems(&refused))
    }
}

impl From<scene::Error> for Refused {
    fn from(error: scene::Error) -> Refused {
        Refused::of(problem::of_scene_error(&error))
    }
}

impl From<Refused> for JsValue {
    fn from(refused: Refused) -> JsValue {
        serialized(&refused).unwrap_or_else(|error| error)
    }
}

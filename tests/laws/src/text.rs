//! Law 3: printing a module and parsing the text returns the same module.

use sdlbc::{Module, parse, print, verify};

use crate::format::{differs, one_line};
use crate::input::module_of;

/// Checks law 3 (see [`text_of`]) for UTF-8 text, or for the module that other bytes encode.
pub fn text(bytes: &[u8]) {
    match std::str::from_utf8(bytes) {
        Ok(text) => text_of_any(text),
        Err(_) => module_of(bytes).iter().for_each(text_of),
    }
}

/// Checks law 3 for a module: printing the module and parsing the text must return the same module.
pub fn text_of(module: &Module) {
    let text = print(module);
    match parse(&text) {
        Ok(again) => {
            assert!(
                again == *module,
                "printing and parsing it produces another module: {}\n{text}",
                differs(module, &again)
            );
        }
        Err(errors) => {
            let errors: Vec<String> = errors.iter().map(|error| error.to_string()).collect();
            panic!("the printed text does not parse:\n{}\n{text}", errors.join("\n"));
        }
    }
}

/// Checks that a text either parses to a module, which can be verified and printed, or causes one-line errors with valid
/// positions.
fn text_of_any(text: &str) {
    match parse(text) {
        Ok(module) => {
            text_of(&module);
            let _ = verify(&module);
        }
        Err(errors) => {
            assert!(!errors.is_empty(), "it does not parse, but there are no errors");
            for error in errors {
                one_line(&error.to_string());
                let (line, column) = (error.line, error.column);
                let found = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
                assert!(line <= text.lines().count() + 1, "{error}");
                assert!(column <= found.chars().count() + 1, "{error}");
                assert!(text.get(error.span.clone()).is_some(), "{error}: bytes {:?}", error.span);
            }
        }
    }
}

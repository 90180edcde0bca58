//! The calls in pasted code: the programs among their arguments, and the few methods whose results are known.

use std::ops::Range;

use agal_front::register::VERSIONS;
use agal_front::{Kind, Stage};

use super::Script;
use super::value::{Value, flattened, is_flag};
use crate::paste::program::{Found, quoted, stage_word};

/// A space-separated list of the methods that compute text or a list from another value.
const OF_TEXTS: &str = "replace split join concat slice substr substring toLowerCase toUpperCase trim map filter \
                        reverse splice sort shift pop";

/// Reports whether a method computes text or a list, in which case its arguments are not programs.
pub(super) fn is_of_texts(name: &str) -> bool {
    OF_TEXTS.split(' ').any(|method| method == name)
}

/// Assigns the vertex stage and the fragment stage to two programs without stages.
fn complete(found: &mut [Found]) {
    if let [Found { stage: first @ None, .. }, Found { stage: second @ None, .. }] = found {
        (*first, *second) = (Some(Stage::Vertex), Some(Stage::Fragment));
    }
}

impl<'a> Script<'a> {
    /// Evaluates `name.push(values)` or `name.unshift(values)`. A list that is declared outside the pasted code is empty before
    /// its first use.
    pub(super) fn insert(&mut self, name: &'a str, values: Vec<Value>, is_first: bool) {
        if !self.places.contains_key(name) {
            self.declare(name, Value::List(Vec::new()));
        }
        let Some(known) = self.known(name) else { return };
        match (&mut known.value, is_first) {
            (Value::List(list), false) => list.extend(values),
            (Value::List(list), true) => drop(list.splice(0..0, values)),
            (value, _) => *value = Value::List(values),
        }
    }

    /// Evaluates method calls and element accesses on a value.
    pub(super) fn methods(&mut self, mut value: Value) -> Value {
        loop {
            if self.next_is(".") {
                self.at += 1;
                let Some(name) = self.word() else { return value };
                value = match self.next_is("(") {
                    true => self.call(name.text, name.range(), Some(value)),
                    false => {
                        let kind = Kind::PastedName { name: quoted(name.text) };
                        self.refuse(&[value], &kind, &name.range());
                        Value::Unknown(kind, name.range())
                    }
                };
            } else if self.next_is("[") && !self.peek().is_some_and(|token| token.is_first) {
                let start = self.at;
                self.skip_brackets();
                value = match value {
                    unknown @ Value::Unknown(..) => unknown,
                    value => self.chosen(&[value], start),
                };
            } else {
                return value;
            }
        }
    }

    /// Evaluates a call of a function, or of a method of the value `of`.
    pub(super) fn call(&mut self, name: &str, range: Range<usize>, of: Option<Value>) -> Value {
        let start = self.at;
        let arguments = self.arguments(")");
        let kind = Kind::PastedCall { name: quoted(name) };
        match (name, of) {
            ("join", Some(Value::List(list))) => {
                let separator = match arguments.into_iter().next() {
                    Some(Value::Text(separator)) => separator.as_str().to_string(),
                    None => ",".to_string(),
                    Some(_) => return Value::Unknown(kind, range),
                };
                Value::Text(self.joined(list, &separator))
            }
            ("toString" | "valueOf", Some(value)) => value,
            ("concat", Some(Value::List(mut list))) => {
                list.extend(flattened(arguments));
                Value::List(list)
            }
            ("concat", Some(Value::Text(text))) => {
                arguments.into_iter().fold(Value::Text(text), |sum, value| self.add(sum, value))
            }
            ("Array" | "Vector", None) => match <[Value; 1]>::try_from(arguments) {
                Ok([Value::List(list)]) => Value::List(list),
                Ok([Value::Number(..)]) => Value::List(Vec::new()),
                Ok([value]) => Value::List(vec![value]),
                Err(values) => Value::List(values.into_iter().filter(|value| !is_flag(value)).collect()),
            },
            // Text that is only printed is not a program.
            ("trace" | "log", _) => {
                self.shown.push(start..self.at);
                Value::Nothing
            }
            ("String", None) => arguments.into_iter().next().unwrap_or(Value::Nothing),
            (_, of) => {
                let mut found = match of {
                    // Calls may be chained, as in `shader.vertex("...").fragment("...")`.
                    Some(Value::Given(found, ..)) => found,
                    Some(of) => {
                        let is_of_agal = is_of_texts(name) && arguments.iter().any(Value::has_agal);
                        if is_of_agal || self.refuse(&[of], &kind, &range) {
                            self.note(kind.clone(), range.clone());
                            return Value::Unknown(kind, range);
                        }
                        Vec::new()
                    }
                    None => Vec::new(),
                };
                found.extend(self.given(name, arguments));
                complete(&mut found);
                if found.is_empty() { Value::Unknown(kind, range) } else { Value::Given(found, kind, range) }
            }
        }
    }

    /// Returns the programs in a call's arguments, each with the stage that the preceding argument names. Two programs without
    /// stages are assumed to be a vertex and a fragment program. A number after the programs is their version, but `assemble2`
    /// takes the version first.
    pub(super) fn given(&mut self, name: &str, arguments: Vec<Value>) -> Vec<Found> {
        let (mut found, mut stage, mut version): (Vec<Found>, _, _) = (Vec::new(), None, None);
        for argument in arguments {
            match argument {
                Value::Stage(of) => stage = Some(of),
                Value::Text(text) if stage_word(text.as_str()).is_some() => stage = stage_word(text.as_str()),
                Value::Number(text, _) if name == "assemble2" || !found.is_empty() => {
                    version = version.or(text.parse().ok().filter(|version| VERSIONS.contains(version)));
                }
                Value::Given(texts, ..) => found.extend(texts),
                Value::Unknown(kind, range) if stage.take().is_some() => self.note(kind, range),
                value @ (Value::Text(_) | Value::List(_)) => {
                    if let Some(text) = value.is_program().then(|| self.text_of(value)).flatten() {
                        found.push(Found { stage: stage.take(), version: None, name: None, text });
                    }
                }
                _ => {}
            }
        }
        complete(&mut found);
        found.iter_mut().for_each(|found| found.version = found.version.or(version));
        found
    }
}

//! Collects the messages of a run in one document, which is agalc's JSON (docs/diagnostics.schema.json) or SARIF 2.1.0.

use std::collections::{BTreeMap, BTreeSet};

use agalc::render::{Level, Place, Problem};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::messages::{Message, Output};
use crate::args::{Format, VERSION};

#[derive(Debug, Serialize)]
pub(crate) struct Document {
    /// The version of the JSON schema in docs/diagnostics.schema.json.
    version: u32,
    agalc: &'static str,
    command: String,
    exit_code: u8,
    diagnostics: Vec<Problem>,
    /// The reasons why the run ended, unless a diagnostic already states them.
    summary: Vec<String>,
    outputs: Vec<Output>,
    /// The checked programs with their findings, if the command reports programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    programs: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    varyings: Option<Value>,
}

impl Document {
    pub(crate) fn new(command: &str, exit_code: u8, messages: Vec<Message>) -> Document {
        let mut document = Document {
            version: 1,
            agalc: env!("CARGO_PKG_VERSION"),
            command: command.to_string(),
            exit_code,
            diagnostics: Vec::new(),
            summary: Vec::new(),
            outputs: Vec::new(),
            programs: None,
            varyings: None,
        };
        for message in messages {
            match message {
                Message::Problem(problem, _) => document.diagnostics.push(*problem),
                Message::Text(text) => document.diagnostics.push(Problem::new(Level::Note, text)),
                // Headings are for text output, because each problem in a document names its file.
                Message::About(_) | Message::Shown(_) => {}
                Message::Reported(programs, varyings) => {
                    document.programs.get_or_insert_default().extend(programs);
                    document.varyings = document.varyings.or(varyings);
                }
                Message::Wrote(output) => document.outputs.push(output),
                Message::Summary(text, _) | Message::Done(text) => document.summary.push(text),
            }
        }
        document
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.diagnostics.is_empty() && self.summary.is_empty() && self.outputs.is_empty()
    }

    /// Formats the document as SARIF or JSON. `Format::Text` also selects JSON.
    pub(crate) fn text(&self, format: Format) -> String {
        match format {
            Format::Sarif => self.sarif(),
            Format::Json | Format::Text => pretty(self),
        }
    }

    fn sarif(&self) -> String {
        let codes: BTreeSet<&str> = self.diagnostics.iter().filter_map(|problem| problem.code.as_deref()).collect();
        let rules: Vec<Value> = codes.iter().map(|code| rule(code)).collect();
        // SARIF results refer to a rule by its index.
        let codes: BTreeMap<&str, usize> = codes.into_iter().zip(0..).collect();
        let results: Vec<Value> = self.diagnostics.iter().map(|problem| result(problem, &codes)).collect();
        let level = if self.exit_code == 0 { "note" } else { "error" };
        let notifications: Vec<Value> =
            self.summary.iter().map(|text| json!({ "level": level, "message": { "text": text } })).collect();
        pretty(&json!({
            "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "agalc",
                    "version": VERSION,
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "informationUri": env!("CARGO_PKG_REPOSITORY"),
                    "rules": rules,
                } },
                "invocations": [{
                    "executionSuccessful": self.exit_code == 0,
                    "exitCode": self.exit_code,
                    "toolExecutionNotifications": notifications,
                }],
                "columnKind": "unicodeCodePoints",
                "results": results,
            }],
        }))
    }
}

fn pretty(value: &impl Serialize) -> String {
    // Serialisation cannot fail, because all keys are strings and all numbers are finite.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

fn rule(code: &str) -> Value {
    let text = crate::explain::title(code).unwrap_or_else(|| code.to_string());
    json!({
        "id": code,
        "shortDescription": { "text": text },
        "help": { "text": format!("`agalc explain {code}` shows an example and its correction") },
    })
}

fn result(problem: &Problem, codes: &BTreeMap<&str, usize>) -> Value {
    let mut result = Map::new();
    let code = problem.code.as_deref();
    if let Some((code, index)) = code.and_then(|code| Some((code, codes.get(code)?))) {
        result.insert("ruleId".into(), json!(code));
        result.insert("ruleIndex".into(), json!(index));
    }
    let level = match problem.severity {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    };
    let further = problem.notes.iter().cloned().chain(problem.help.iter().map(|help| format!("help: {help}")));
    let text: Vec<String> = std::iter::once(problem.message.clone()).chain(further).collect();
    result.insert("level".into(), json!(level));
    result.insert("message".into(), json!({ "text": text.join("\n") }));
    if let Some(file) = &problem.file {
        let of_byte = || problem.byte.map(|byte| json!({ "byteOffset": byte, "byteLength": 0 }));
        let location = located(file, problem.span.map(region).or_else(of_byte));
        result.insert("locations".into(), json!([location]));
    }
    if !problem.related.is_empty() {
        let related = problem.related.iter().enumerate().map(|(id, of)| {
            let mut location = located(&of.file, Some(region(of.span)));
            location.insert("id".into(), json!(id));
            location.insert("message".into(), json!({ "text": of.message }));
            Value::Object(location)
        });
        result.insert("relatedLocations".into(), related.collect());
    }
    let own =
        [("stage", json!(problem.stage)), ("token", json!(problem.token)), ("instruction", json!(problem.instruction))];
    let own = own.into_iter().filter(|(_, value)| !value.is_null());
    let own: Map<String, Value> = own.map(|(name, value)| (name.to_string(), value)).collect();
    if !own.is_empty() {
        result.insert("properties".into(), Value::Object(own));
    }
    Value::Object(result)
}

/// Returns the SARIF location of a region in a file, or of the entire file if `region` is `None`.
fn located(file: &str, region: Option<Value>) -> Map<String, Value> {
    let mut place = Map::from_iter([("artifactLocation".to_string(), json!({ "uri": uri(file) }))]);
    place.extend(region.map(|region| ("region".to_string(), region)));
    Map::from_iter([("physicalLocation".to_string(), Value::Object(place))])
}

fn region(of: Place) -> Value {
    json!({
        "startLine": of.line,
        "startColumn": of.column,
        "endLine": of.end_line,
        "endColumn": of.end_column,
        "byteOffset": of.start,
        "byteLength": of.end.saturating_sub(of.start),
    })
}

/// Converts a path to a URI reference. All bytes are escaped except unreserved characters and `/`.
fn uri(path: &str) -> String {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_string() };
    let scheme = if path.starts_with('/') { "file://" } else { "" };
    let mut uri = String::from(scheme);
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            byte => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn a_path_becomes_the_reference_of_a_uri() {
        assert_eq!(uri("shaders/a b#é.agal"), "shaders/a%20b%23%C3%A9.agal");
        assert_eq!(uri("/tmp/<stdin>"), "file:///tmp/%3Cstdin%3E");
    }
}

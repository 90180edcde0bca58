//! A validator of JSON Schema (draft 2020-12) for the keywords that the schemas in docs/ use. An unknown keyword fails the test.

use serde_json::{Map, Value};

/// Schema keywords that are skipped when the keywords of a schema are checked one by one.
const NOTES: [&str; 6] = ["$schema", "$id", "$defs", "title", "description", "required"];

/// Returns each violation of the schema, with the path of the value that violates it.
pub(crate) fn violations(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, schema, value, "", &mut found);
    found
}

fn check(root: &Value, schema: &Value, value: &Value, path: &str, found: &mut Vec<String>) {
    let Value::Object(keywords) = schema else { panic!("{path}: a schema is an object") };
    for (keyword, of) in keywords {
        let holds = match (keyword.as_str(), of) {
            (note, _) if NOTES.contains(&note) => true,
            ("$ref", Value::String(name)) => {
                let target = name.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
                let target = target.unwrap_or_else(|| panic!("{path}: {name} is not in the schema"));
                check(root, target, value, path, found);
                true
            }
            ("type", Value::String(name)) => has_type(value, name),
            ("type", Value::Array(names)) => names.iter().any(|name| has_type(value, name.as_str().expect("a type"))),
            ("const", constant) => value == constant,
            ("enum", Value::Array(values)) => values.contains(value),
            ("minimum", least) => value.as_f64().is_none_or(|value| value >= least.as_f64().expect("a number")),
            ("maximum", most) => value.as_f64().is_none_or(|value| value <= most.as_f64().expect("a number")),
            ("maxItems", most) => {
                value.as_array().is_none_or(|items| items.len() as u64 <= most.as_u64().expect("a count"))
            }
            ("pattern", Value::String(pattern)) => value.as_str().is_none_or(|text| matches(pattern, text)),
            ("items", of) => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, of, item, &format!("{path}/{index}"), found);
                }
                true
            }
            ("properties", Value::Object(properties)) => {
                if let Value::Object(fields) = value {
                    object(root, keywords, properties, fields, path, found);
                }
                true
            }
            ("additionalProperties", Value::Bool(false) | Value::Object(_)) => keywords.contains_key("properties"),
            ("anyOf", Value::Array(schemas)) => valid(root, schemas, value, path) > 0,
            ("oneOf", Value::Array(schemas)) => valid(root, schemas, value, path) == 1,
            _ => panic!("{path}: this validator does not know the keyword {keyword}"),
        };
        if !holds {
            found.push(format!("{path}: {value} breaks {keyword}: {of}"));
        }
    }
}

/// Returns how many of the schemas accept a value.
fn valid(root: &Value, schemas: &[Value], value: &Value, path: &str) -> usize {
    let fulfils = |schema: &&Value| {
        let mut found = Vec::new();
        check(root, schema, value, path, &mut found);
        found.is_empty()
    };
    schemas.iter().filter(fulfils).count()
}

fn object(
    root: &Value,
    keywords: &Map<String, Value>,
    properties: &Map<String, Value>,
    fields: &Map<String, Value>,
    path: &str,
    found: &mut Vec<String>,
) {
    for name in keywords.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        if !fields.contains_key(name) {
            found.push(format!("{path}: {name} is missing"));
        }
    }
    for (name, field) in fields {
        match properties.get(name) {
            Some(of) => check(root, of, field, &format!("{path}/{name}"), found),
            None => match keywords.get("additionalProperties") {
                Some(Value::Bool(false)) => found.push(format!("{path}: {name} is not in the schema")),
                Some(of @ Value::Object(_)) => check(root, of, field, &format!("{path}/{name}"), found),
                _ => {}
            },
        }
    }
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        _ => panic!("{name} is not a type"),
    }
}

/// Reports whether a string matches a pattern. Only the two patterns in the schemas are supported.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern {
        "^x?y?z?w?$" => {
            let mut rest = "xyzw".chars();
            text.chars().all(|letter| rest.any(|next| next == letter))
        }
        _ if pattern.starts_with("^((bool|int|uint|float|half)[2-4]?") => {
            let (element, length) = text.split_once('[').map_or((text, None), |(element, rest)| (element, Some(rest)));
            let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let length = length.is_none_or(|rest| rest.strip_suffix(']').is_some_and(digits));
            let scalar = element.trim_end_matches(['2', '3', '4']);
            let vector =
                ["bool", "int", "uint", "float", "half"].contains(&scalar) && element.len() - scalar.len() <= 1;
            let sizes = text.strip_prefix("float").and_then(|sizes| sizes.split_once('x'));
            let size = |text: &str| ["2", "3", "4"].contains(&text);
            vector && length || sizes.is_some_and(|(columns, rows)| size(columns) && size(rows))
        }
        _ => panic!("this validator does not know the pattern {pattern}"),
    }
}

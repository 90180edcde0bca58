//! Selectors of properties: a name with namespaces, or a value.

use crate::avm::names::{Multi, Name, PUBLIC, Space};
use crate::eval::number;
use crate::eval::value::Value;

/// A selector of a property.
#[derive(Clone, Debug)]
pub(crate) enum Selector {
    Name(Multi),
    /// A value: an index or a key.
    Value(Value),
}

impl Selector {
    /// The name, if there is one.
    pub(crate) fn name(&self) -> Name {
        match self {
            Selector::Name(multi) => multi.name.clone().unwrap_or_else(|| "*".into()),
            Selector::Value(Value::Text(text)) => text.known().unwrap_or("*").into(),
            Selector::Value(Value::Number(value)) => number::text(*value).into(),
            Selector::Value(_) => "*".into(),
        }
    }

    /// The namespaces in which the member is looked up.
    pub(crate) fn spaces(&self) -> &[Space] {
        match self {
            Selector::Name(multi) => multi.spaces(),
            Selector::Value(_) => &[PUBLIC],
        }
    }

    /// The index of an element.
    pub(crate) fn index(&self) -> Option<usize> {
        match self {
            Selector::Name(multi) => multi.name.as_ref()?.parse().ok(),
            Selector::Value(Value::Number(at)) if at.fract() == 0.0 => usize::try_from(number::to_i64(*at)).ok(),
            Selector::Value(_) => None,
        }
    }
}

//! Selectors of properties. A selector is a name with namespaces, or a computed value.

use crate::avm::names::{Multi, Name, PUBLIC, Space};
use crate::eval::number;
use crate::eval::value::Value;

#[derive(Clone, Debug)]
pub(crate) enum Selector {
    Name(Multi),
    /// A computed index or key.
    Value(Value),
}

impl Selector {
    /// Returns the property name, or `*` if the name is unknown.
    pub(crate) fn name(&self) -> Name {
        match self {
            Selector::Name(multi) => multi.name.clone().unwrap_or_else(|| "*".into()),
            Selector::Value(Value::Text(text)) => text.known().unwrap_or("*").into(),
            Selector::Value(Value::Number(value)) => number::text(*value).into(),
            Selector::Value(_) => "*".into(),
        }
    }

    /// Returns the namespaces in which the property is looked up.
    pub(crate) fn spaces(&self) -> &[Space] {
        match self {
            Selector::Name(multi) => multi.spaces(),
            Selector::Value(_) => &[PUBLIC],
        }
    }

    /// Returns the index of the selected element, or `None` if the selector is not a known index.
    pub(crate) fn index(&self) -> Option<usize> {
        match self {
            Selector::Name(multi) => multi.name.as_ref()?.parse().ok(),
            Selector::Value(Value::Number(at)) if at.fract() == 0.0 => usize::try_from(number::to_i64(*at)).ok(),
            Selector::Value(_) => None,
        }
    }
}

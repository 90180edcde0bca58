//! Types of values, as far as they matter, and constants.

use std::rc::Rc;

use swf::avm2::types::DefaultValue;

use crate::avm::names::{Multi, Name};
use crate::avm::unit::Unit;
use crate::avm::world::ClassId;

/// What a value is said to be.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) enum Type {
    #[default]
    Any,
    Boolean,
    Int,
    Number,
    String,
    /// An instance of a class that the inputs define, or of one below it.
    Class(ClassId),
    /// Anything else, by its names with packages: that of a class which is looked for, or of one that no input defines.
    Named(Rc<[Name]>),
}

impl Type {
    pub(crate) fn of(multi: &Multi) -> Type {
        match multi.text() {
            "" | "*" | "void" => Type::Any,
            "Boolean" => Type::Boolean,
            "int" | "uint" => Type::Int,
            "Number" => Type::Number,
            "String" => Type::String,
            _ => Type::Named(multi.qualified().collect()),
        }
    }

    pub(crate) fn is_number(&self) -> bool {
        matches!(self, Type::Int | Type::Number)
    }

    /// Whether it has this name, apart from the package.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        matches!(self, Type::Named(names) if names.iter().any(|one| crate::avm::names::short(one) == name))
    }
}

/// A constant of a slot or a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Constant {
    Undefined,
    Null,
    Bool(bool),
    Number(f64),
    String(Name),
}

/// A constant of a slot or a parameter.
pub(crate) fn constant(unit: &Unit, value: &DefaultValue) -> Constant {
    match value {
        DefaultValue::Int(index) => Constant::Number(f64::from(unit.int(index))),
        DefaultValue::Uint(index) => Constant::Number(f64::from(unit.uint(index))),
        DefaultValue::Double(index) => Constant::Number(unit.double(index)),
        DefaultValue::String(index) => Constant::String(unit.string(index).clone()),
        DefaultValue::True => Constant::Bool(true),
        DefaultValue::False => Constant::Bool(false),
        DefaultValue::Null => Constant::Null,
        _ => Constant::Undefined,
    }
}

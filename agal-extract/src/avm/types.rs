//! Types of values, as far as the interpreter needs them, and constants.

use std::rc::Rc;

use swf::avm2::types::DefaultValue;

use crate::avm::ids::ClassId;
use crate::avm::names::{Multi, Name};
use crate::avm::unit::Unit;

/// Declared type of a value.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) enum Type {
    #[default]
    Any,
    Boolean,
    Int,
    Uint,
    Number,
    String,
    /// An instance of a class that the inputs define, or of a subclass.
    Class(ClassId),
    /// Any other type, by its possible qualified names: a class that is not resolved yet, or that no input defines.
    Named(Rc<[Name]>),
    /// A vector of elements of this type.
    Vector(Rc<Type>),
}

impl Type {
    pub(crate) fn of(multi: &Multi) -> Type {
        match multi.text() {
            "" | "*" | "void" => Type::Any,
            "Boolean" => Type::Boolean,
            "int" => Type::Int,
            "uint" => Type::Uint,
            "Number" => Type::Number,
            "String" => Type::String,
            _ => match &multi.of {
                Some(element) => Type::Vector(Rc::new(Type::of(element))),
                None => Type::Named(multi.qualified().collect()),
            },
        }
    }

    /// Whether values of the type may be texts or lists of texts.
    pub(crate) fn may_be_text(&self) -> bool {
        matches!(self, Type::String | Type::Vector(_)) || self.is_named("Array")
    }

    pub(crate) fn is_integer(&self) -> bool {
        matches!(self, Type::Int | Type::Uint)
    }

    /// Whether values of the type are objects: a variable of such a type is null until a value is assigned.
    pub(crate) fn is_object(&self) -> bool {
        matches!(self, Type::Class(_) | Type::Named(_) | Type::Vector(_))
    }

    /// Type of the elements of a value.
    pub(crate) fn element(&self) -> Type {
        if let Type::Vector(element) = self { Type::clone(element) } else { Type::Any }
    }

    pub(crate) fn is_number(&self) -> bool {
        self.is_integer() || *self == Type::Number
    }

    /// Whether the type has this name in any package.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        match self {
            Type::Named(names) => names.iter().any(|one| crate::avm::names::short(one) == name),
            Type::Vector(_) => name == "Vector",
            _ => false,
        }
    }
}

/// A constant value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Constant {
    Undefined,
    Null,
    Bool(bool),
    /// A number, by its bits: two constants are equal if their bits are equal.
    Number(u64),
    String(Name),
}

/// The initial value of a slot, or the default value of a parameter.
pub(crate) fn constant(unit: &Unit, value: &DefaultValue) -> Constant {
    match value {
        DefaultValue::Int(index) => Constant::Number(f64::from(unit.int(index)).to_bits()),
        DefaultValue::Uint(index) => Constant::Number(f64::from(unit.uint(index)).to_bits()),
        DefaultValue::Double(index) => Constant::Number(unit.double(index).to_bits()),
        DefaultValue::String(index) => Constant::String(unit.string(index).clone()),
        DefaultValue::True => Constant::Bool(true),
        DefaultValue::False => Constant::Bool(false),
        DefaultValue::Null => Constant::Null,
        _ => Constant::Undefined,
    }
}

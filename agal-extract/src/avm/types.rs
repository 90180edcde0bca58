//! The types and the constants that the interpreter distinguishes.

use std::rc::Rc;

use swf::avm2::types::DefaultValue;

use crate::avm::ids::ClassId;
use crate::avm::names::{Multi, Name};
use crate::avm::unit::Unit;

/// The declared type of a value.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) enum Type {
    #[default]
    Any,
    Boolean,
    Int,
    Uint,
    Number,
    String,
    /// An instance of a class that the inputs define, or of one of its subclasses.
    Class(ClassId),
    /// A class that is not yet resolved or that no input defines, identified by its possible qualified names.
    Named(Rc<[Name]>),
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

    /// Reports whether values of the type may be strings or lists of strings.
    pub(crate) fn may_be_text(&self) -> bool {
        matches!(self, Type::String | Type::Vector(_)) || self.is_named("Array")
    }

    pub(crate) fn is_integer(&self) -> bool {
        matches!(self, Type::Int | Type::Uint)
    }

    /// Reports whether values of the type are objects. A variable of an object type is null until a value is assigned.
    pub(crate) fn is_object(&self) -> bool {
        matches!(self, Type::Class(_) | Type::Named(_) | Type::Vector(_))
    }

    /// Returns the type of a vector's elements, or `Any` if the type is not a vector.
    pub(crate) fn element(&self) -> Type {
        if let Type::Vector(element) = self { Type::clone(element) } else { Type::Any }
    }

    pub(crate) fn is_number(&self) -> bool {
        self.is_integer() || *self == Type::Number
    }

    /// Reports whether the type has the given name in any package.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        match self {
            Type::Named(names) => names.iter().any(|one| crate::avm::names::short(one) == name),
            Type::Vector(_) => name == "Vector",
            _ => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Constant {
    Undefined,
    Null,
    Bool(bool),
    /// The bit pattern of a number. Compared as bits, a NaN equals itself.
    Number(u64),
    String(Name),
}

/// Returns the initial value of a slot, or the default value of a parameter.
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

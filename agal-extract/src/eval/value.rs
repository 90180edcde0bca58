//! The values and objects of the abstract machine.

use std::collections::HashMap;
use std::rc::Rc;

use crate::avm::names::{Name, Space};
use crate::avm::types::{Constant, Type};
use crate::avm::world::{ClassId, Members, MethodId};
use crate::eval::event::Event;
use crate::eval::expr::{Expr, Kind};
use crate::eval::number;
use crate::eval::text::Text;

/// The index of an object in the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Ref(pub(crate) u32);

impl ClassId {
    /// Returns the object that contains the class's static fields. These objects come first in the heap, in the order of the
    /// classes.
    pub(crate) fn object(self) -> Ref {
        Ref(self.0)
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) enum Value {
    #[default]
    Undefined,
    Null,
    Bool(bool),
    Number(f64),
    Text(Text),
    Object(Ref),
    /// A class that the inputs define.
    Class(ClassId),
    /// A class or function that the inputs do not define, identified by its qualified name.
    Native(Name),
    /// The class of vectors with the given element type.
    Vector(Rc<Type>),
    Function(Rc<Function>),
    Unknown(Expr),
}

#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) method: MethodId,
    /// The scopes around the function, from the outermost to the innermost.
    pub(crate) scope: Rc<[Value]>,
    /// The object to which the method is bound; `None` for an unbound function.
    pub(crate) this: Option<Value>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Key {
    /// A field that a class declares.
    Slot(ClassId, Name, Space),
    /// A dynamic field, identified only by its name.
    Name(Name),
    /// A dictionary entry whose key is an object.
    Object(Ref),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Object {
    pub(crate) kind: ObjectKind,
    /// The object's class; `None` if the inputs do not define the class.
    pub(crate) class: Option<ClassId>,
    /// Whether the object may be an instance of a subclass.
    pub(crate) may_be_below: bool,
    /// The expression that denotes the object; `None` if this path created the object.
    pub(crate) expr: Option<Expr>,
    /// The name of the object in reports: the name of the field to which the object was first assigned.
    pub(crate) label: Option<Name>,
    pub(crate) fields: HashMap<Key, Value>,
    /// The keys of the fields, in the order in which loops visit them.
    pub(crate) order: Vec<Key>,
    /// Whether the object may have elements or fields that are not recorded.
    pub(crate) is_open: bool,
    /// The element type of an array or a vector.
    pub(crate) elements: Type,
    /// Whether the fields that the constructor sets have already been added.
    pub(crate) is_filled: bool,
    /// Whether the object is a copy of an object that a constructor created. Two copies may denote the same object.
    pub(crate) is_copy: bool,
    /// The numbered slots of an activation object or a script object.
    pub(crate) slots: Option<Rc<Members>>,
}

#[derive(Clone, Debug, Default)]
pub(crate) enum ObjectKind {
    #[default]
    Plain,
    /// An array or a vector.
    Array(Vec<Value>),
    Bytes(Bytes),
    /// The result of an assembler, which is a known or an unknown program. A result that a constructor or an initialiser stores
    /// in a field outlives the path.
    Assembled(Rc<Event>),
    /// A regular expression, given as its pattern and flags.
    Pattern(Rc<str>, Rc<str>),
    Xml(crate::eval::xml::List),
    /// An instance of a class that the inputs do not define.
    Native(Name),
}

/// A byte array, whose contents become unknown when code writes unknown bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bytes {
    pub(crate) bytes: Vec<u8>,
    pub(crate) position: usize,
    pub(crate) is_little: bool,
    /// Whether code has written unknown bytes to the array.
    pub(crate) is_unknown: bool,
}

impl Function {
    /// Returns a function without captured scopes. If `this` is given, the function is bound to it.
    pub(crate) fn of(method: MethodId, this: Option<Value>) -> Function {
        Function { method, scope: Rc::new([]), this }
    }
}

impl Object {
    pub(crate) fn new(kind: ObjectKind) -> Object {
        Object { kind, ..Object::default() }
    }

    pub(crate) fn set(&mut self, key: Key, value: Value) {
        if !self.fields.contains_key(&key) && !matches!(key, Key::Slot(..)) {
            self.order.push(key.clone());
        }
        self.fields.insert(key, value);
    }

    pub(crate) fn remove(&mut self, key: &Key) {
        if self.fields.remove(key).is_some() {
            self.order.retain(|one| one != key);
        }
    }

    /// Reports whether no other object in the heap can denote the same object at run time. Two objects in the heap may denote the
    /// same object if one of them is symbolic or a copy.
    pub(crate) fn is_itself(&self) -> bool {
        self.expr.is_none() && !self.is_copy
    }

    /// Discards the values of all fields, because any of them may have changed.
    pub(crate) fn forget_fields(&mut self) {
        self.fields.clear();
        self.order.clear();
    }

    /// Joins the strings of an array with line breaks. Returns `None` for an empty array and for any other object.
    pub(crate) fn lines(&self) -> Option<Text> {
        let ObjectKind::Array(elements) = &self.kind else { return None };
        let line = |element: &Value| match element {
            Value::Text(text) => Some(text.clone()),
            Value::Unknown(expr) => Some(Text::hole(expr.clone())),
            _ => None,
        };
        let texts = elements.iter().map(line).collect::<Option<Vec<Text>>>()?;
        (!texts.is_empty()).then(|| Text::join(&texts, &Text::literal("\n")))
    }
}

impl Value {
    pub(crate) fn text(text: &str) -> Value {
        Value::Text(Text::literal(text))
    }

    pub(crate) fn constant(constant: &Constant) -> Value {
        match constant {
            Constant::Undefined => Value::Undefined,
            Constant::Null => Value::Null,
            Constant::Bool(value) => Value::Bool(*value),
            Constant::Number(bits) => Value::Number(f64::from_bits(*bits)),
            Constant::String(text) => Value::text(text),
        }
    }

    pub(crate) fn default_of(of: &Type) -> Value {
        match of {
            Type::Any => Value::Undefined,
            Type::Boolean => Value::Bool(false),
            Type::Int | Type::Uint => Value::Number(0.0),
            Type::Number => Value::Number(f64::NAN),
            Type::String | Type::Class(_) | Type::Named(_) | Type::Vector(_) => Value::Null,
        }
    }

    /// Returns the value of a variable before its first assignment: the declared initial value, or else the default value of the
    /// variable's type.
    pub(crate) fn first(default: Option<&Constant>, of: &Type) -> Value {
        default.map_or_else(|| Value::default_of(of), Value::constant)
    }

    /// Returns the string if the value is a string without holes.
    pub(crate) fn known_text(&self) -> Option<&str> {
        if let Value::Text(text) = self { text.known() } else { None }
    }

    /// Converts a primitive value to a number. Returns `None` if the value is unknown.
    pub(crate) fn number(&self) -> Option<f64> {
        Some(match self {
            Value::Undefined => f64::NAN,
            Value::Null => 0.0,
            Value::Bool(value) => f64::from(u8::from(*value)),
            Value::Number(value) => *value,
            Value::Text(text) => number::parse(text.known()?),
            _ => return None,
        })
    }

    /// Converts the value to a Boolean. Returns `None` if the value is unknown.
    pub(crate) fn truth(&self) -> Option<bool> {
        Some(match self {
            Value::Undefined | Value::Null => false,
            Value::Bool(value) => *value,
            Value::Number(value) => !(value.is_nan() || *value == 0.0),
            Value::Text(text) if text.literals().next().is_some() => true,
            Value::Text(text) if text.has_holes() => return None,
            Value::Text(_) => false,
            Value::Object(_) | Value::Class(_) | Value::Native(_) | Value::Vector(_) | Value::Function(_) => true,
            Value::Unknown(_) => return None,
        })
    }

    pub(crate) fn object(&self) -> Option<Ref> {
        if let Value::Object(at) = self { Some(*at) } else { None }
    }

    pub(crate) fn is_same_object(&self, other: &Value) -> bool {
        self.object().is_some_and(|at| other.object() == Some(at))
    }

    pub(crate) fn is_nothing(&self) -> bool {
        matches!(self, Value::Undefined | Value::Null)
    }

    /// Returns the value as an expression, or `None` if the value is not a constant.
    pub(crate) fn as_constant(&self) -> Option<Expr> {
        let (constant, of) = match self {
            Value::Undefined => (Constant::Undefined, Type::Any),
            Value::Null => (Constant::Null, Type::Any),
            Value::Bool(value) => (Constant::Bool(*value), Type::Boolean),
            Value::Number(value) => (Constant::Number(value.to_bits()), Type::Number),
            _ => return None,
        };
        Some(Expr::new(Kind::Constant(constant), of))
    }
}

//! The syntax tree for both ActionScript and Haxe.
//!
//! Chains such as `a + b + c`, `a.b().c()` and `else if` are lists, so the depth of the tree is at most the nesting depth of the
//! source, which the parser limits.

use swf::avm2::types::Op;

pub(crate) use crate::avm::names::Name;

/// A parsed source.
#[derive(Debug, Default)]
pub(crate) struct Module {
    pub(crate) is_haxe: bool,
    pub(crate) imports: Vec<Import>,
    /// Namespaces that are open in the whole file.
    pub(crate) namespaces: Vec<Name>,
    pub(crate) definitions: Vec<Definition>,
    /// Statements outside all definitions.
    pub(crate) statements: Vec<Expression>,
    /// Variables that these statements declare.
    pub(crate) variables: Vec<Variable>,
    pub(crate) embeds: Vec<Embed>,
}

/// A file that a class embeds.
#[derive(Clone, Debug)]
pub(crate) struct Embed {
    /// Path of the file, as written in the source.
    pub(crate) path: Name,
    /// Qualified name of the class.
    pub(crate) class: Name,
    pub(crate) line: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Import {
    /// Package and name, such as `flash.utils.ByteArray`; for a wildcard, the package alone.
    pub(crate) path: Name,
    /// Name for the import in this file, if the source states one.
    pub(crate) alias: Option<Name>,
    pub(crate) is_wildcard: bool,
    /// Whether this is Haxe's `using`: the functions of the class become methods of their first arguments.
    pub(crate) is_using: bool,
}

/// A class, a function or a variable of a package.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) package: Name,
    pub(crate) item: Item,
}

#[derive(Debug)]
pub(crate) enum Item {
    Class(Class),
    Function(Function),
    Variable(Variable),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ClassKind {
    #[default]
    Class,
    Interface,
    /// A Haxe enumeration, whose constructors are static members.
    Enum,
    /// A Haxe abstract, whose constants are static members.
    Abstract,
}

#[derive(Debug, Default)]
pub(crate) struct Class {
    pub(crate) name: Name,
    pub(crate) kind: ClassKind,
    pub(crate) base: Option<Type>,
    pub(crate) interfaces: Vec<Type>,
    pub(crate) members: Vec<Member>,
    /// Variables that statements in the class declare.
    pub(crate) variables: Vec<Variable>,
    /// Whether the class declares the members of a class that is defined elsewhere, perhaps in the player.
    pub(crate) is_extern: bool,
    /// Qualified name of the class at run time, if it differs.
    pub(crate) native: Option<Name>,
    pub(crate) line: u32,
}

impl Class {
    /// Whether the class has code or values. Otherwise it may be a declaration of another class.
    pub(crate) fn has_code(&self) -> bool {
        self.members.iter().any(|member| match &member.item {
            MemberItem::Variable(variable) => variable.value.is_some(),
            MemberItem::Function(_, function) => function.body.is_some(),
            MemberItem::Statement(_) => true,
        })
    }
}

#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) visibility: Visibility,
    pub(crate) is_static: bool,
    pub(crate) item: MemberItem,
}

impl Member {
    pub(crate) fn name(&self) -> Option<&Name> {
        match &self.item {
            MemberItem::Variable(variable) => Some(&variable.name),
            MemberItem::Function(_, function) => function.name.as_ref(),
            MemberItem::Statement(_) => None,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Visibility {
    Public,
    #[default]
    Internal,
    Protected,
    Private,
    /// A namespace that the program defines, such as `arcane`.
    Namespace(Name),
}

/// Role of a function in a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    Method,
    Getter,
    Setter,
}

#[derive(Debug)]
pub(crate) enum MemberItem {
    Variable(Variable),
    Function(Role, Function),
    /// A statement that runs when the class is created.
    Statement(Expression),
}

#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: Name,
    pub(crate) of: Option<Type>,
    pub(crate) value: Option<Expression>,
    pub(crate) is_constant: bool,
    pub(crate) line: u32,
}

impl Variable {
    /// A variable without a type and a value.
    pub(crate) fn new(name: Name, line: u32) -> Variable {
        Variable { name, of: None, value: None, is_constant: false, line }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Function {
    /// Name. `None` for a function expression.
    pub(crate) name: Option<Name>,
    /// Parameters. The value of a parameter is its default.
    pub(crate) parameters: Vec<Variable>,
    /// Whether the last parameter takes the remaining arguments.
    pub(crate) has_rest: bool,
    pub(crate) result: Option<Type>,
    /// Body. `None` for a declaration without a body, as in interfaces.
    pub(crate) body: Option<Vec<Expression>>,
    pub(crate) contents: Contents,
    pub(crate) line: u32,
}

/// Contents of a body, apart from nested functions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents {
    /// Variables of ActionScript, whose scope is the whole function. A function statement is a variable with a value.
    pub(crate) variables: Vec<Variable>,
    pub(crate) has_functions: bool,
    pub(crate) uses_arguments: bool,
    pub(crate) calls_super: bool,
}

/// A type as written in a source, such as `flash.utils.Dictionary` or `Vector.<String>`. The type `*` is `None`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Type {
    /// The name, with its package if the source states it.
    pub(crate) path: Name,
    pub(crate) parameters: Vec<Option<Type>>,
}

impl Type {
    /// A type without parameters.
    pub(crate) fn named(path: &str) -> Type {
        Type { path: path.into(), parameters: Vec::new() }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) line: u32,
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) guard: Option<Expression>,
    pub(crate) body: Vec<Expression>,
}

/// The field that contains the name of the constructor in a value of an enumeration.
pub(crate) const TAG: &str = "tag";

/// Pattern of a case.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    /// Matches any value, and binds it to the name, if any.
    Default(Option<Name>),
    Value(Expression),
    /// A constructor of a Haxe enumeration, with the names to which its arguments are bound, if any.
    Choice {
        name: Name,
        arguments: Vec<Option<Name>>,
    },
    /// A destructured Haxe value: the text of the pattern, and the names that it binds.
    Parts {
        text: Name,
        names: Vec<Name>,
    },
}

/// An expression or a statement. In Haxe a statement is an expression too.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) line: u32,
    pub(crate) kind: ExpressionKind,
}

#[derive(Clone, Debug)]
pub(crate) enum ExpressionKind {
    /// A value that a single instruction pushes on the stack, such as `null`.
    Constant(Op),
    This,
    Super,
    Number(f64),
    Text(Name),
    Name(Name),
    /// An expression, and the links applied to it one after the other.
    Chain {
        base: Box<Expression>,
        links: Vec<Link>,
    },
    /// `new` with an expression whose value is a class.
    New {
        class: Box<Expression>,
        arguments: Vec<Expression>,
    },
    Array(Vec<Expression>),
    /// An object literal: its names and values.
    Object(Vec<(Name, Expression)>),
    Function(Box<Function>),
    Unary {
        operator: Unary,
        operand: Box<Expression>,
    },
    /// `++` or `--`.
    Update {
        target: Box<Expression>,
        is_prefix: bool,
        is_increment: bool,
    },
    /// Operands of one precedence, from left to right.
    Binary {
        first: Box<Expression>,
        rest: Vec<(Binary, Expression)>,
    },
    Assign {
        operator: Option<Binary>,
        target: Box<Expression>,
        value: Box<Expression>,
    },
    /// Expressions in order. The value is the value of the last.
    Sequence(Vec<Expression>),
    /// Haxe's `cast`, and the type that it names.
    Cast {
        value: Box<Expression>,
        of: Option<Type>,
    },
    Variables(Vec<Variable>),
    Block(Vec<Expression>),
    /// `if` or `?`.
    If {
        arms: Vec<(Expression, Expression)>,
        otherwise: Option<Box<Expression>>,
    },
    For(Box<Loop>),
    /// A loop over an object. Each key, each value or both are assigned to the targets.
    ForIn {
        key: Option<Box<Expression>>,
        value: Option<Box<Expression>>,
        object: Box<Expression>,
        body: Box<Expression>,
    },
    Switch {
        value: Box<Expression>,
        cases: Vec<Case>,
    },
    Return(Option<Box<Expression>>),
    Throw(Box<Expression>),
    /// `break` or `continue`.
    Leave {
        label: Option<Name>,
        is_continue: bool,
    },
    Labelled {
        label: Name,
        body: Box<Expression>,
    },
    /// `try`. The catches are the names of exceptions with the statements that handle them.
    Try {
        body: Vec<Expression>,
        catches: Vec<(Name, Vec<Expression>)>,
        finally: Option<Vec<Expression>>,
    },
    With {
        object: Box<Expression>,
        body: Box<Expression>,
    },
}

/// `for`, `while` or `do`. A `do` runs its body before the first test.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) first: Option<Expression>,
    pub(crate) condition: Option<Expression>,
    pub(crate) update: Option<Expression>,
    pub(crate) body: Expression,
    pub(crate) is_do: bool,
}

impl ExpressionKind {
    pub(crate) fn is_loop(&self) -> bool {
        matches!(self, ExpressionKind::For(_) | ExpressionKind::ForIn { .. })
    }

    /// Whether the expression is a statement that can have a value. No links are applied to such a statement.
    pub(crate) fn is_statement(&self) -> bool {
        use ExpressionKind as Is;
        let is_simple =
            matches!(self, Is::Variables(_) | Is::Block(_) | Is::Return(_) | Is::Throw(_) | Is::Leave { .. });
        is_simple || self.is_loop() || matches!(self, Is::If { .. } | Is::Switch { .. } | Is::Try { .. })
    }
}

/// An operation applied to an expression, such as a call.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) line: u32,
    pub(crate) kind: LinkKind,
}

#[derive(Clone, Debug)]
pub(crate) enum LinkKind {
    Member(Name),
    Index(Box<Expression>),
    Call(Vec<Expression>),
    /// `.<String>`
    Apply(Vec<Option<Type>>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Unary {
    /// An operator that is a single instruction.
    Op(Op),
    Void,
    Delete,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Binary {
    /// An operator that is a single instruction.
    Op(Op),
    /// The negation of a comparison, as in `!=`.
    Not(Op),
    And,
    Or,
    /// Haxe's `??`.
    OrIfNull,
}

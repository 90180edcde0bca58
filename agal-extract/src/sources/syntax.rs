//! The syntax tree for both ActionScript and Haxe.
//!
//! Chains such as `a + b + c`, `a.b().c()` and `else if` are lists, so the depth of the tree is at most the nesting depth of the
//! source, which the parser limits.

use swf::avm2::types::Op;

pub(crate) use crate::avm::names::Name;

#[derive(Debug, Default)]
pub(crate) struct Module {
    pub(crate) is_haxe: bool,
    pub(crate) imports: Vec<Import>,
    /// The namespaces that the file opens with `use namespace`.
    pub(crate) namespaces: Vec<Name>,
    pub(crate) definitions: Vec<Definition>,
    pub(crate) statements: Vec<Expression>,
    /// The variables declared by statements outside all definitions.
    pub(crate) variables: Vec<Variable>,
    pub(crate) embeds: Vec<Embed>,
}

#[derive(Clone, Debug)]
pub(crate) struct Embed {
    /// The path of the embedded file, as written in the source.
    pub(crate) path: Name,
    pub(crate) class: Name,
    pub(crate) line: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Import {
    /// The import's qualified name, such as `flash.utils.ByteArray`. For a wildcard import, the path is only a package.
    pub(crate) path: Name,
    /// The name by which the file refers to the import, if the import statement renames it.
    pub(crate) alias: Option<Name>,
    pub(crate) is_wildcard: bool,
    /// Whether the import is a Haxe `using`, which makes the class's functions callable as methods of their first argument.
    pub(crate) is_using: bool,
}

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
    /// A Haxe enumeration, whose constructors become static members.
    Enum,
    /// A Haxe abstract, whose constants become static members.
    Abstract,
}

#[derive(Debug, Default)]
pub(crate) struct Class {
    pub(crate) name: Name,
    pub(crate) kind: ClassKind,
    pub(crate) base: Option<Type>,
    pub(crate) interfaces: Vec<Type>,
    pub(crate) members: Vec<Member>,
    /// The variables declared by statements in the class body.
    pub(crate) variables: Vec<Variable>,
    /// Whether the class merely declares the members of a class that is defined elsewhere, such as in the player.
    pub(crate) is_extern: bool,
    /// The qualified name of the class at run time, if it differs from the name in the source.
    pub(crate) native: Option<Name>,
    pub(crate) line: u32,
}

impl Class {
    /// Reports whether the class has code or values. A class without code or values may be a mere declaration of a class that is
    /// defined elsewhere.
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
    /// A statement in the class body. The statement runs when the class is created.
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
    pub(crate) fn new(name: Name, line: u32) -> Variable {
        Variable { name, of: None, value: None, is_constant: false, line }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Function {
    /// The function's name; `None` for an anonymous function.
    pub(crate) name: Option<Name>,
    /// The function's parameters, with their default values.
    pub(crate) parameters: Vec<Variable>,
    /// Whether the last parameter takes the remaining arguments.
    pub(crate) has_rest: bool,
    pub(crate) result: Option<Type>,
    /// The statements of the body, or `None` for a declaration without a body, as in interfaces.
    pub(crate) body: Option<Vec<Expression>>,
    pub(crate) contents: Contents,
    pub(crate) line: u32,
}

/// The variables that a function's body declares, and whether the body contains functions, uses `arguments` or calls `super`.
/// Code in nested functions does not count.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents {
    /// The function-scoped variables of ActionScript. A function statement counts as a variable with the function as its value.
    pub(crate) variables: Vec<Variable>,
    pub(crate) has_functions: bool,
    pub(crate) uses_arguments: bool,
    pub(crate) calls_super: bool,
}

/// A type as written in a source, such as `flash.utils.Dictionary` or `Vector.<String>`. The type `*` is represented by `None`
/// instead of a `Type`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Type {
    /// The type's name, including the package if the source states one.
    pub(crate) path: Name,
    pub(crate) parameters: Vec<Option<Type>>,
}

impl Type {
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

/// The name of the field in which a tagged enumeration value stores the constructor's name.
pub(crate) const TAG: &str = "tag";

#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    /// Matches any value. If the pattern names a variable, the variable is bound to the value.
    Default(Option<Name>),
    Value(Expression),
    /// Matches a constructor of a Haxe enumeration. Each argument is bound to a variable or ignored.
    Choice {
        name: Name,
        arguments: Vec<Option<Name>>,
    },
    /// Matches a destructured Haxe value. Only the pattern's source text and the variables that it binds are kept.
    Parts {
        text: Name,
        names: Vec<Name>,
    },
}

/// An expression or a statement. Haxe treats statements as expressions.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) line: u32,
    pub(crate) kind: ExpressionKind,
}

#[derive(Clone, Debug)]
pub(crate) enum ExpressionKind {
    /// A constant that a single instruction pushes, such as `null`.
    Constant(Op),
    This,
    Super,
    Number(f64),
    Text(Name),
    Name(Name),
    /// A base expression with links, such as member accesses and calls, that are applied one after another.
    Chain {
        base: Box<Expression>,
        links: Vec<Link>,
    },
    /// A `new` expression, whose class may be any expression.
    New {
        class: Box<Expression>,
        arguments: Vec<Expression>,
    },
    Array(Vec<Expression>),
    Object(Vec<(Name, Expression)>),
    Function(Box<Function>),
    Unary {
        operator: Unary,
        operand: Box<Expression>,
    },
    /// An increment (`++`) or decrement (`--`).
    Update {
        target: Box<Expression>,
        is_prefix: bool,
        is_increment: bool,
    },
    /// Operands joined by operators of equal precedence, evaluated from left to right.
    Binary {
        first: Box<Expression>,
        rest: Vec<(Binary, Expression)>,
    },
    Assign {
        operator: Option<Binary>,
        target: Box<Expression>,
        value: Box<Expression>,
    },
    /// Expressions evaluated in order. The last expression determines the value.
    Sequence(Vec<Expression>),
    /// A Haxe cast or type check. An unsafe cast has no target type.
    Cast {
        value: Box<Expression>,
        of: Option<Type>,
    },
    Variables(Vec<Variable>),
    Block(Vec<Expression>),
    If {
        arms: Vec<(Expression, Expression)>,
        otherwise: Option<Box<Expression>>,
    },
    For(Box<Loop>),
    /// A loop over an object's keys, its values, or both.
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
    /// A `break` or `continue` statement.
    Leave {
        label: Option<Name>,
        is_continue: bool,
    },
    Labelled {
        label: Name,
        body: Box<Expression>,
    },
    /// A `try` statement. Each `catch` consists of the exception's variable and a body.
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

/// A `for`, `while` or `do` loop. A `do` loop runs its body before the first test.
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

    /// Reports whether the expression is a statement. Links cannot be applied to a statement.
    pub(crate) fn is_statement(&self) -> bool {
        use ExpressionKind as Is;
        let is_simple =
            matches!(self, Is::Variables(_) | Is::Block(_) | Is::Return(_) | Is::Throw(_) | Is::Leave { .. });
        is_simple || self.is_loop() || matches!(self, Is::If { .. } | Is::Switch { .. } | Is::Try { .. })
    }
}

/// A postfix operation on an expression, such as a member access or a call.
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
    /// Type arguments applied to a type, such as `.<String>`.
    Apply(Vec<Option<Type>>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Unary {
    /// An operator that compiles to a single instruction.
    Op(Op),
    Void,
    Delete,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Binary {
    /// An operator that compiles to a single instruction.
    Op(Op),
    /// A negated comparison, such as `!=`.
    Not(Op),
    And,
    Or,
    /// Haxe's null-coalescing operator `??`.
    OrIfNull,
}

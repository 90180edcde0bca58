//! The syntax tree that ActionScript and Haxe share.
//!
//! Long chains are lists (`a + b + c`, `a.b().c()`, `else if`), so that the tree is only as deep as the source is nested,
//! which the parser limits.

use swf::avm2::types::Op;

pub(crate) use crate::avm::names::Name;

/// A source as it was parsed.
#[derive(Debug, Default)]
pub(crate) struct Module {
    pub(crate) is_haxe: bool,
    pub(crate) imports: Vec<Import>,
    /// Namespaces that are open in the whole file.
    pub(crate) namespaces: Vec<Name>,
    pub(crate) definitions: Vec<Definition>,
    /// Statements outside all definitions, and the variables that they declare.
    pub(crate) statements: Vec<Expression>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) embeds: Vec<Embed>,
}

/// A file that a class embeds.
#[derive(Clone, Debug)]
pub(crate) struct Embed {
    /// The path as it is written.
    pub(crate) path: Name,
    /// The class with its package.
    pub(crate) class: Name,
    pub(crate) line: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Import {
    /// The package and the name, such as `flash.utils.ByteArray`; for a wildcard the package alone.
    pub(crate) path: Name,
    /// The name that it has here.
    pub(crate) alias: Option<Name>,
    pub(crate) is_wildcard: bool,
    /// Haxe's `using`: its functions are methods of their first arguments.
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
    /// Of Haxe: its constructors are static members.
    Enum,
    /// Of Haxe: what is known of its values is in static members.
    Abstract,
}

#[derive(Debug, Default)]
pub(crate) struct Class {
    pub(crate) name: Name,
    pub(crate) kind: ClassKind,
    pub(crate) base: Option<Type>,
    pub(crate) interfaces: Vec<Type>,
    pub(crate) members: Vec<Member>,
    /// What statements among the members declare.
    pub(crate) variables: Vec<Variable>,
    /// Whether it says what another class has, which may be defined somewhere else, or by the player.
    pub(crate) is_extern: bool,
    /// The name with the package that it has when it runs, if that is another one.
    pub(crate) native: Option<Name>,
    pub(crate) line: u32,
}

impl Class {
    /// Whether it has code or values, so that it is more than a statement of what another class has.
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
    /// A namespace of the program, such as `arcane`.
    Namespace(Name),
}

/// What a function of a class is.
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
    /// A statement that runs when the class is made.
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
    /// None if it is an expression.
    pub(crate) name: Option<Name>,
    /// The value of one is its default.
    pub(crate) parameters: Vec<Variable>,
    /// Whether the last one takes the arguments that are left.
    pub(crate) has_rest: bool,
    pub(crate) result: Option<Type>,
    /// None if there is none, as in interfaces.
    pub(crate) body: Option<Vec<Expression>>,
    pub(crate) contents: Contents,
    pub(crate) line: u32,
}

/// What there is in a body, apart from functions in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents {
    /// The variables of ActionScript, which belong to all of a function. A function that is a statement is one with a value.
    pub(crate) variables: Vec<Variable>,
    pub(crate) has_functions: bool,
    pub(crate) uses_arguments: bool,
    pub(crate) calls_super: bool,
}

/// A type as it is written: `flash.utils.Dictionary`, `Vector.<String>`. Any type is none at all.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Type {
    /// The name with its package, if it is written.
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

/// The field of a value of an enumeration that has the name of its constructor.
pub(crate) const TAG: &str = "tag";

/// What a case matches.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    /// Everything, and the name that it gets.
    Default(Option<Name>),
    Value(Expression),
    /// A constructor of an enumeration of Haxe with its arguments: the names that they are bound to, if they are.
    Choice {
        name: Name,
        arguments: Vec<Option<Name>>,
    },
    /// A value of Haxe that is taken apart: the text of the pattern, and the names that it binds.
    Parts {
        text: Name,
        names: Vec<Name>,
    },
}

/// An expression or a statement, which in Haxe is an expression too.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) line: u32,
    pub(crate) kind: ExpressionKind,
}

#[derive(Clone, Debug)]
pub(crate) enum ExpressionKind {
    /// A value that an instruction alone puts on the stack, such as `null`.
    Constant(Op),
    This,
    Super,
    Number(f64),
    Text(Name),
    Name(Name),
    /// An expression, and what is applied to it one after the other.
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
    /// The names and the values of an object.
    Object(Vec<(Name, Expression)>),
    Function(Box<Function>),
    Unary {
        operator: Unary,
        operand: Box<Expression>,
    },
    /// `++` and `--`
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
    /// Several, of which the last has the value.
    Sequence(Vec<Expression>),
    /// Haxe's `cast`, and the type that it says.
    Cast {
        value: Box<Expression>,
        of: Option<Type>,
    },
    Variables(Vec<Variable>),
    Block(Vec<Expression>),
    /// `if`, and `?`
    If {
        arms: Vec<(Expression, Expression)>,
        otherwise: Option<Box<Expression>>,
    },
    For(Box<Loop>),
    /// A loop over an object. The keys and the values are given to what is declared or assigned there.
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
    /// `break` and `continue`
    Leave {
        label: Option<Name>,
        is_continue: bool,
    },
    Labelled {
        label: Name,
        body: Box<Expression>,
    },
    /// The catches are the names of exceptions, and what is done with them.
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

/// `for`, `while`, and `do`, which is not tested before its body.
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

    /// Whether it is a statement that can have a value, to which nothing is applied.
    pub(crate) fn is_statement(&self) -> bool {
        use ExpressionKind as Is;
        let is_simple =
            matches!(self, Is::Variables(_) | Is::Block(_) | Is::Return(_) | Is::Throw(_) | Is::Leave { .. });
        is_simple || self.is_loop() || matches!(self, Is::If { .. } | Is::Switch { .. } | Is::Try { .. })
    }
}

/// What is applied to an expression.
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
    /// One that an instruction computes.
    Op(Op),
    Void,
    Delete,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Binary {
    /// One that an instruction computes.
    Op(Op),
    /// The opposite of one.
    Not(Op),
    And,
    Or,
    /// Haxe's `??`.
    OrIfNull,
}

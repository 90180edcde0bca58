//! Parses expressions that exist only in Haxe.

use agalc::script::Class as Kind;
use swf::avm2::types::Op;

use crate::sources::parse::expressions::{at, chain};
use crate::sources::parse::{Parsed, Parser};
use crate::sources::syntax::{Binary, Expression, ExpressionKind as Is, Function, Link, LinkKind, Name, Variable};

impl Parser<'_> {
    /// Reports whether the next `{` begins an object literal rather than a block.
    pub(in crate::sources::parse) fn is_haxe_object(&self) -> bool {
        matches!(self.ahead(1).0, Kind::Word | Kind::Literal) && self.is_ahead(2, ":")
    }

    /// Parses a block as an expression. An empty block is an object literal.
    pub(in crate::sources::parse) fn haxe_value(&mut self) -> Parsed<Expression> {
        let line = self.line();
        if self.is_ahead(1, "}") {
            self.skip(2);
            return Ok(at(line, Is::Object(Vec::new())));
        }
        Ok(at(line, Is::Block(self.block()?)))
    }

    pub(in crate::sources::parse) fn haxe_array(&mut self, line: u32) -> Parsed<Expression> {
        self.expect("[")?;
        if self.is("for") || self.is("while") || self.is("do") {
            let mut body = self.statement()?;
            self.expect("]")?;
            collect(&mut body);
            return Ok(made(line, at(line, Is::Array(Vec::new())), vec![body]));
        }
        let mut entries = Vec::new();
        let items = self.separated("]", |parser| {
            let item = parser.assignment(true)?;
            if parser.eat("=>") {
                entries.push(of_made(line, "set", vec![item, parser.assignment(true)?]));
                return Ok(None);
            }
            Ok(Some(item))
        })?;
        if !entries.is_empty() {
            let class = Box::new(at(line, Is::Name("Map".into())));
            return Ok(made(line, at(line, Is::New { class, arguments: Vec::new() }), entries));
        }
        Ok(at(line, Is::Array(items.into_iter().flatten().collect())))
    }

    /// Parses an arrow function such as `x -> value` or `(x, y) -> value`. Returns `None` if no arrow function follows.
    pub(in crate::sources::parse) fn arrow_function(&mut self) -> Parsed<Option<Expression>> {
        let line = self.line();
        let is_single = self.is_name_ahead(0) && self.is_ahead(1, "->");
        let is_function =
            is_single || self.is("(") && self.balanced(&[";"]).is_some_and(|length| self.is_ahead(length, "->"));
        if !is_function {
            return Ok(None);
        }
        let parameters = match is_single {
            true => vec![Variable::new(self.name()?, line)],
            false => self.parameters()?.0,
        };
        self.expect("->")?;
        let (value, contents) = self.apart(|parser| parser.assignment(true));
        let body = Some(vec![Self::returning(value?)]);
        self.contents.has_functions = true;
        let function = Function { parameters, body, contents, line, ..Function::default() };
        Ok(Some(at(line, Is::Function(Box::new(function)))))
    }

    pub(in crate::sources::parse) fn haxe_word(&mut self, line: u32, word: &str) -> Parsed<Expression> {
        match word {
            "if" | "switch" | "for" | "while" | "do" | "try" | "return" | "throw" | "break" | "continue" | "var" => {
                self.statement()
            }
            "cast" => self.haxe_cast(line),
            "untyped" | "inline" => {
                self.advance();
                self.nested(|parser| parser.assignment(true))
            }
            "macro" if !self.is_ahead(1, ".") => {
                self.advance();
                if self.eat(":") {
                    self.type_name()?;
                } else {
                    self.nested(|parser| parser.assignment(true))?;
                }
                Ok(at(line, Is::Name("a macro".into())))
            }
            "case" | "default" | "else" | "class" | "catch" | "in" | "import" | "package" | "interface" => {
                Err(self.expected("an expression"))
            }
            _ => {
                self.advance();
                Ok(self.haxe_name(line, word))
            }
        }
    }

    /// Parses a name. Functions of Haxe's `Std` class, such as `Std.int`, become functions of the player.
    fn haxe_name(&mut self, line: u32, word: &str) -> Expression {
        let is_called = word == "Std" && self.is(".") && self.is_ahead(2, "(");
        let name = match self.ahead(1) {
            (Kind::Word, "string") if is_called => "String",
            (Kind::Word, member @ ("int" | "parseInt" | "parseFloat")) if is_called => member,
            _ => return at(line, Is::Name(word.into())),
        };
        self.at += 2;
        at(line, Is::Name(name.into()))
    }

    /// Parses the class after `new`. A Haxe class may be declared in a module with a different name; the class's qualified name
    /// omits the module's name.
    pub(in crate::sources::parse) fn haxe_class_name(&mut self, line: u32) -> Parsed<Expression> {
        let path = self.path()?;
        let parameters = self.haxe_type_arguments()?;
        let (before, name) = path.rsplit_once('.').unwrap_or(("", &path));
        if name == "Vector" {
            return Ok(chain(line, name.into(), [LinkKind::Apply(parameters)]));
        }
        let before = before.split('.').filter(|part| !part.is_empty() && !part.starts_with(char::is_uppercase));
        let mut names = before.chain([name]).map(Name::from);
        let first = names.next().unwrap_or_default();
        Ok(chain(line, first, names.map(LinkKind::Member)))
    }

    fn haxe_cast(&mut self, line: u32) -> Parsed<Expression> {
        self.advance();
        let start = self.at;
        if self.eat("(") {
            let value = Box::new(self.expression()?);
            if self.eat(",") {
                let of = self.type_name()?;
                self.expect(")")?;
                return Ok(at(line, Is::Cast { value, of }));
            }
            self.at = start;
        }
        let value = Box::new(self.nested(|parser| parser.assignment(true))?);
        Ok(at(line, Is::Cast { value, of: None }))
    }

    /// Returns the alternatives of a pattern such as `A | B`.
    pub(super) fn alternatives(expression: Expression) -> Vec<Expression> {
        match expression.kind {
            Is::Binary { first, rest } if rest.iter().all(|(operator, _)| *operator == Binary::Op(Op::BitOr)) => {
                std::iter::once(*first).chain(rest.into_iter().map(|(_, operand)| operand)).collect()
            }
            _ => vec![expression],
        }
    }

    /// Reports whether the links of a chain form a dotted name.
    pub(super) fn is_path(links: &[Link]) -> bool {
        links.iter().all(|link| matches!(link.kind, LinkKind::Member(_)))
    }
}

/// The variable that contains an array or a map while its literal is evaluated.
const MADE: &str = "made'";

/// Returns an expression that creates an array or map, adds its elements, and evaluates to the collection.
fn made(line: u32, value: Expression, additions: Vec<Expression>) -> Expression {
    let variable = Variable { value: Some(value), ..Variable::new(MADE.into(), line) };
    let mut body = vec![at(line, Is::Variables(vec![variable]))];
    body.extend(additions);
    body.push(at(line, Is::Name(MADE.into())));
    // The sequence around the block allows links to be applied to the block.
    at(line, Is::Sequence(vec![at(line, Is::Block(body))]))
}

fn of_made(line: u32, method: &str, arguments: Vec<Expression>) -> Expression {
    chain(line, MADE.into(), [LinkKind::Member(method.into()), LinkKind::Call(arguments)])
}

/// Makes a loop append each value of its body to the array that is being created.
fn collect(expression: &mut Expression) {
    match &mut expression.kind {
        Is::For(of) => collect(&mut of.body),
        Is::ForIn { body, .. } => collect(body),
        Is::Block(body) => body.last_mut().into_iter().for_each(collect),
        Is::If { arms, otherwise } => {
            arms.iter_mut().for_each(|(_, body)| collect(body));
            otherwise.iter_mut().for_each(|body| collect(body));
        }
        _ => {
            let line = expression.line;
            let value = std::mem::replace(expression, at(line, Is::This));
            *expression = of_made(line, "push", vec![value]);
        }
    }
}

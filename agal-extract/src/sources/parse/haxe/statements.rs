//! The statements of Haxe, which are expressions too. A semicolon belongs to the block around them.

use agalc::script::Class as Kind;

use crate::sources::parse::{Parsed, Parser};
use crate::sources::syntax::{Catch, ForIn, Statement, StatementKind as Is, Target, Variable};

impl Parser<'_> {
    /// `{ … }`
    pub(in crate::sources::parse) fn haxe_block(&mut self) -> Parsed<Vec<Statement>> {
        self.expect("{")?;
        let mut statements = Vec::new();
        while !self.eat("}") {
            if self.is_end() {
                self.unclosed();
                break;
            }
            statements.extend(self.tolerant("this statement", Self::haxe_terminated));
        }
        Ok(statements)
    }

    /// A statement and what ends it.
    pub(super) fn haxe_terminated(&mut self) -> Parsed<Statement> {
        let statement = self.haxe_statement()?;
        let is_braced = self.tokens.get(self.at.saturating_sub(1)).is_some_and(|token| token.is("}"));
        if self.eat(";") || is_braced || self.is("}") { Ok(statement) } else { Err(self.expected("`;`")) }
    }

    pub(in crate::sources::parse) fn haxe_statement(&mut self) -> Parsed<Statement> {
        self.nested(Self::haxe_any)
    }

    fn haxe_boxed(&mut self) -> Parsed<Box<Statement>> {
        self.haxe_statement().map(Box::new)
    }

    fn haxe_any(&mut self) -> Parsed<Statement> {
        while self.is("@") {
            self.haxe_metadata()?;
        }
        let line = self.line();
        let kind = match self.kind() {
            (Kind::Sign, "{") if !self.is_haxe_object() => Is::Block(self.haxe_block()?),
            (Kind::Sign, ";") => Is::Empty,
            (Kind::Word, word) => match &*word {
                "var" => Is::Variables(self.haxe_variables()?),
                "final" if self.is_name_ahead(1) => Is::Variables(self.haxe_variables()?),
                "if" => self.haxe_if()?,
                "for" => self.haxe_for()?,
                "while" => {
                    self.advance();
                    let condition = self.condition()?;
                    Is::While { condition, body: self.haxe_boxed()? }
                }
                "do" => {
                    self.advance();
                    let body = self.haxe_boxed()?;
                    self.eat(";");
                    self.expect("while")?;
                    Is::DoWhile { body, condition: self.condition()? }
                }
                "switch" => {
                    self.advance();
                    let value = self.assignment(true)?;
                    Is::Switch { value, cases: self.haxe_cases()? }
                }
                "try" => self.haxe_try()?,
                "return" => {
                    self.advance();
                    let is_empty = self.is(";") || self.is("}") || self.is(")") || self.is("else");
                    Is::Return(if is_empty { None } else { Some(self.assignment(true)?) })
                }
                "throw" => {
                    self.advance();
                    Is::Throw(self.assignment(true)?)
                }
                "break" => {
                    self.advance();
                    Is::Break(None)
                }
                "continue" => {
                    self.advance();
                    Is::Continue(None)
                }
                "inline" if self.is_ahead(1, "function") => {
                    self.advance();
                    Is::Function(self.function_expression()?)
                }
                "function" if self.is_name_ahead(1) => Is::Function(self.function_expression()?),
                _ => Is::Expression(self.assignment(true)?),
            },
            _ => Is::Expression(self.assignment(true)?),
        };
        Ok(Statement { line, kind })
    }

    /// `var a = 1, b:Int` or `final a = 1`: the word is next.
    pub(super) fn haxe_variables(&mut self) -> Parsed<Vec<Variable>> {
        let is_constant = self.is("final");
        self.advance();
        let mut variables = Vec::new();
        loop {
            while self.is("@") {
                self.haxe_metadata()?;
            }
            let line = self.line();
            self.eat("?");
            self.eat("$");
            let name = self.name()?;
            if self.is("(") {
                self.skip_balanced()?;
            }
            let of = self.type_of()?;
            let value = if self.eat("=") { Some(self.assignment(true)?) } else { None };
            variables.push(Variable { name, of, value, is_constant, line });
            if !self.eat(",") {
                return Ok(variables);
            }
        }
    }

    fn haxe_if(&mut self) -> Parsed<Is> {
        let mut arms = Vec::new();
        loop {
            self.expect("if")?;
            let condition = self.condition()?;
            arms.push((condition, self.haxe_statement()?));
            if self.is(";") && self.is_ahead(1, "else") {
                self.advance();
            }
            if !self.eat("else") {
                return Ok(Is::If { arms, otherwise: None });
            }
            if !self.is("if") {
                return Ok(Is::If { arms, otherwise: Some(self.haxe_boxed()?) });
            }
        }
    }

    fn haxe_for(&mut self) -> Parsed<Is> {
        self.advance();
        self.expect("(")?;
        let line = self.line();
        let name = self.name()?;
        let variable = |name| Target::Declared(Variable { name, of: None, value: None, is_constant: false, line });
        if self.eat("=>") {
            let value = self.name()?;
            self.expect("in")?;
            let object = self.expression()?;
            self.expect(")")?;
            let body = self.haxe_statement()?;
            let (key, value) = (Some(variable(name)), Some(variable(value)));
            return Ok(Is::ForIn(Box::new(ForIn { key, value, object, body })));
        }
        self.expect("in")?;
        let object = self.expression()?;
        if self.eat("...") {
            let to = self.expression()?;
            self.expect(")")?;
            return Ok(Is::Range { name, from: object, to, body: self.haxe_boxed()? });
        }
        self.expect(")")?;
        let body = self.haxe_statement()?;
        Ok(Is::ForIn(Box::new(ForIn { key: None, value: Some(variable(name)), object, body })))
    }

    fn haxe_try(&mut self) -> Parsed<Is> {
        self.advance();
        let body = vec![self.haxe_statement()?];
        let mut catches = Vec::new();
        loop {
            if self.is(";") && self.is_ahead(1, "catch") {
                self.advance();
            }
            if !self.eat("catch") {
                return Ok(Is::Try { body, catches, finally: None });
            }
            self.expect("(")?;
            let name = self.name()?;
            let of = self.type_of()?;
            self.expect(")")?;
            catches.push(Catch { name, of, body: vec![self.haxe_statement()?] });
        }
    }
}

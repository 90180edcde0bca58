//! Functions: parameters and bodies.

use crate::sources::parse::expressions::at;
use crate::sources::parse::{Parsed, Parser};
use crate::sources::syntax::{Contents, Expression, ExpressionKind as Is, Function, Parameter};

impl Parser<'_> {
    /// A function that is an expression: the word `function` is next.
    pub(super) fn function_expression(&mut self) -> Parsed<Is> {
        self.expect("function")?;
        let name = if self.is_name_ahead(0) { Some(self.name()?) } else { None };
        let mut function = self.nested(Self::function_rest)?;
        function.name = name;
        self.contents.has_functions = true;
        Ok(Is::Function(Box::new(function)))
    }

    /// Parameters, result and body.
    pub(super) fn function_rest(&mut self) -> Parsed<Function> {
        let line = self.line();
        if self.is_haxe() {
            self.haxe_type_arguments()?;
        }
        let parameters = self.parameters()?;
        let result = self.type_of()?;
        let (body, contents) = self.apart(Self::function_body);
        Ok(Function { name: None, parameters, result, body: body?, contents, line })
    }

    /// Parses something with contents of its own.
    pub(super) fn apart<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> (T, Contents) {
        let outer = std::mem::take(&mut self.contents);
        let parsed = parse(self);
        (parsed, std::mem::replace(&mut self.contents, outer))
    }

    pub(super) fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        self.expect("(")?;
        self.separated(")", Self::parameter)
    }

    fn parameter(&mut self) -> Parsed<Parameter> {
        self.skip_haxe_metadata()?;
        let is_rest = self.eat("...");
        let line = self.line();
        let is_optional = self.eat("?");
        if !self.is_haxe() {
            self.eat("const");
        }
        self.eat("$");
        let name = self.name()?;
        let of = self.type_of()?;
        // `...rest` of Haxe is written as a type.
        let mut default = None;
        if self.eat("=") {
            default = Some(self.assignment(true)?);
        } else if is_optional {
            default = Some(at(line, Is::Null));
        }
        Ok(Parameter { name, of, default, is_rest })
    }

    /// The body of a function: a block, in Haxe also an expression, or none.
    fn function_body(&mut self) -> Parsed<Option<Vec<Expression>>> {
        if self.is("{") && !(self.is_haxe() && self.is_haxe_object()) {
            return self.block().map(Some);
        }
        if !self.is_haxe() {
            self.eat(";");
            return Ok(None);
        }
        if self.is(";") || self.is("}") || self.is_end() {
            return Ok(None);
        }
        Ok(Some(vec![self.statement()?]))
    }

    /// The statement that returns an expression.
    pub(super) fn returning(value: Expression) -> Expression {
        at(value.line, Is::Return(Some(Box::new(value))))
    }
}

//! Parses functions: parameters, result types and bodies.

use swf::avm2::types::Op;

use crate::sources::parse::expressions::at;
use crate::sources::parse::{Parsed, Parser};
use crate::sources::syntax::{Contents, Expression, ExpressionKind as Is, Function, Variable};

impl Parser<'_> {
    /// Parses a function expression, including the word `function`.
    pub(super) fn function_expression(&mut self) -> Parsed<Box<Function>> {
        self.expect("function")?;
        let name = if self.is_name_ahead(0) { Some(self.name()?) } else { None };
        let function = Function { name, ..self.nested(Self::function_rest)? };
        self.contents.has_functions = true;
        Ok(Box::new(function))
    }

    pub(super) fn function_rest(&mut self) -> Parsed<Function> {
        let line = self.line();
        if self.is_haxe() {
            self.haxe_type_arguments()?;
        }
        let (parameters, has_rest) = self.parameters()?;
        let result = self.type_of()?;
        let (body, contents) = self.apart(Self::function_body);
        Ok(Function { name: None, parameters, has_rest, result, body: body?, contents, line })
    }

    /// Parses a construct, and keeps its declarations apart from the declarations of the enclosing function.
    pub(super) fn apart<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> (T, Contents) {
        let outer = std::mem::take(&mut self.contents);
        let parsed = parse(self);
        (parsed, std::mem::replace(&mut self.contents, outer))
    }

    /// Parses the parameters of a function. Returns the parameters, and whether the last parameter takes the remaining arguments.
    pub(super) fn parameters(&mut self) -> Parsed<(Vec<Variable>, bool)> {
        let mut has_rest = false;
        self.expect("(")?;
        let parameters = self.separated(")", |parser| {
            parser.skip_haxe_metadata()?;
            // A Haxe rest parameter states the type of a single argument, so the type is dropped.
            let is_rest = parser.eat("...");
            has_rest |= is_rest;
            let line = parser.line();
            let is_optional = parser.eat("?");
            if !parser.is_haxe() {
                parser.eat("const");
            }
            parser.eat("$");
            let name = parser.name()?;
            let of = parser.type_of()?.filter(|_| !is_rest);
            let value = match parser.eat("=") {
                true => Some(parser.assignment(true)?),
                false => is_optional.then(|| at(line, Is::Constant(Op::PushNull))),
            };
            Ok(Variable { of, value, ..Variable::new(name, line) })
        })?;
        Ok((parameters, has_rest))
    }

    /// Parses the body of a function: a block or, in Haxe, any expression. Returns `None` for a declaration without a body.
    fn function_body(&mut self) -> Parsed<Option<Vec<Expression>>> {
        if self.is("{") && !(self.is_haxe() && self.is_haxe_object()) {
            return self.block().map(Some);
        }
        if !self.is_haxe() {
            self.eat(";");
            return Ok(None);
        }
        let has_none = self.is(";") || self.is("}") || self.is_end();
        if has_none { Ok(None) } else { Ok(Some(vec![self.statement()?])) }
    }

    pub(super) fn returning(value: Expression) -> Expression {
        at(value.line, Is::Return(Some(Box::new(value))))
    }
}

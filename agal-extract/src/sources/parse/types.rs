//! Parses types in ActionScript and Haxe. The type `*` is represented by `None`.

use agalc::script::Class as Kind;

use crate::sources::parse::{Parsed, Parser};
use crate::sources::syntax::{Name, Type};

impl Parser<'_> {
    /// Parses an optional type annotation such as `:String`.
    pub(super) fn type_of(&mut self) -> Parsed<Option<Type>> {
        if self.eat(":") { self.type_name() } else { Ok(None) }
    }

    pub(super) fn type_name(&mut self) -> Parsed<Option<Type>> {
        self.nested(|parser| if parser.is_haxe() { parser.haxe_type() } else { parser.action_type() })
    }

    fn action_type(&mut self) -> Parsed<Option<Type>> {
        // In `:*=value`, the lexer reads `*=` as one token.
        if self.eat_first('*') {
            return Ok(None);
        }
        let path = self.path()?;
        let mut parameters = Vec::new();
        if self.eat(".<") {
            parameters.push(self.type_name()?);
            self.expect_greater()?;
        }
        Ok(Some(Type { path, parameters }))
    }

    pub(super) fn expect_greater(&mut self) -> Parsed<()> {
        if self.eat_first('>') { Ok(()) } else { Err(self.expected("`>`")) }
    }

    /// Parses a qualified name such as `a.b.C`, in which `::` may replace a dot.
    pub(super) fn path(&mut self) -> Parsed<Name> {
        let mut names = vec![self.name()?];
        while (self.is(".") || self.is("::")) && self.is_name_ahead(1) {
            self.advance();
            names.push(self.name()?);
        }
        Ok(names.join(".").into())
    }

    fn haxe_type(&mut self) -> Parsed<Option<Type>> {
        let first = self.haxe_type_part()?;
        if self.is("->") {
            while self.eat("->") {
                self.haxe_type_part()?;
            }
            return Ok(Some(Type::named("Function")));
        }
        while self.eat("&") {
            self.haxe_type_part()?;
        }
        Ok(first)
    }

    fn haxe_type_part(&mut self) -> Parsed<Option<Type>> {
        self.eat("?");
        if self.is("{") || self.is("(") || self.is("[") {
            self.skip_balanced()?;
            return Ok(None);
        }
        if matches!(self.kind(), (Kind::Literal | Kind::Number, _)) {
            // A type argument may be a literal.
            self.advance();
            return Ok(None);
        }
        self.eat("$");
        let path = self.path()?;
        let parameters = self.haxe_type_arguments()?;
        Ok(match &*path {
            "Int" => Some(Type::named("int")),
            "UInt" => Some(Type::named("uint")),
            "Float" | "Single" => Some(Type::named("Number")),
            "Bool" => Some(Type::named("Boolean")),
            "Void" => Some(Type::named("void")),
            "Dynamic" | "Any" => None,
            // A `Null<Int>` may be null, so the type is not treated as a number.
            "Null" => parameters.into_iter().next().flatten().filter(|of| !is_number(of)),
            _ => Some(Type { path, parameters }),
        })
    }

    /// Parses optional type arguments such as `<A, B>`.
    pub(super) fn haxe_type_arguments(&mut self) -> Parsed<Vec<Option<Type>>> {
        if !self.eat("<") {
            return Ok(Vec::new());
        }
        let arguments = self.several(|parser| {
            parser.skip_haxe_metadata()?;
            let argument = parser.type_name()?;
            // A type parameter may have a constraint or a default, as in `<T:Constraint>` and `<T = Default>`.
            while parser.eat(":") || parser.eat("=") {
                parser.type_name()?;
            }
            Ok(argument)
        })?;
        self.expect_greater()?;
        Ok(arguments)
    }

    pub(super) fn skip_balanced(&mut self) -> Parsed<()> {
        let length = self.balanced(&[]).ok_or_else(|| self.problem("this bracket is not closed".into()))?;
        self.at += length;
        Ok(())
    }

    /// Returns the number of tokens from an opening bracket to its closing bracket, inclusive. Returns `None` if a sign in
    /// `never` occurs between the brackets.
    pub(super) fn balanced(&self, never: &[&str]) -> Option<usize> {
        let (mut count, mut depth) = (0, 0u32);
        loop {
            match self.ahead(count) {
                (Kind::End, _) => return None,
                (Kind::Sign, sign) if never.contains(&sign) => return None,
                (Kind::Sign, "(" | "[" | "{") => depth += 1,
                (Kind::Sign, ")" | "]" | "}") => depth = depth.saturating_sub(1),
                _ => {}
            }
            count += 1;
            if depth == 0 {
                return Some(count);
            }
        }
    }
}

fn is_number(of: &Type) -> bool {
    matches!(&*of.path, "int" | "uint" | "Number" | "Boolean")
}

//! Parses expressions: operators by precedence, and operands with their links, which are postfix operations such as member
//! accesses and calls.

use agalc::script::{self, Class as Kind, Piece, Token};
use swf::avm2::types::Op;

use crate::sources::parse::{Parsed, Parser, Problem};
use crate::sources::syntax::{
    Binary, Expression, ExpressionKind as Is, Function, Link, LinkKind, Name, Unary, Variable,
};
use crate::strings::is_one_of;

/// The binary operators with their precedence in ActionScript and in Haxe. A precedence of 0 means that the language lacks the
/// operator.
const OPERATORS: &[(&str, Binary, u8, u8)] = &[
    ("*", Binary::Op(Op::Multiply), 10, 10),
    ("/", Binary::Op(Op::Divide), 10, 10),
    ("%", Binary::Op(Op::Modulo), 10, 11),
    ("+", Binary::Op(Op::Add), 9, 9),
    ("-", Binary::Op(Op::Subtract), 9, 9),
    ("<<", Binary::Op(Op::LShift), 8, 8),
    (">>", Binary::Op(Op::RShift), 8, 8),
    (">>>", Binary::Op(Op::URShift), 8, 8),
    ("<", Binary::Op(Op::LessThan), 7, 6),
    ("<=", Binary::Op(Op::LessEquals), 7, 6),
    (">", Binary::Op(Op::GreaterThan), 7, 6),
    (">=", Binary::Op(Op::GreaterEquals), 7, 6),
    ("as", Binary::Op(Op::AsTypeLate), 7, 0),
    ("is", Binary::Op(Op::IsTypeLate), 7, 7),
    ("in", Binary::Op(Op::In), 7, 0),
    ("instanceof", Binary::Op(Op::InstanceOf), 7, 0),
    ("==", Binary::Op(Op::Equals), 6, 6),
    ("!=", Binary::Not(Op::Equals), 6, 6),
    ("===", Binary::Op(Op::StrictEquals), 6, 6),
    ("!==", Binary::Not(Op::StrictEquals), 6, 6),
    ("&", Binary::Op(Op::BitAnd), 5, 7),
    ("^", Binary::Op(Op::BitXor), 4, 7),
    ("|", Binary::Op(Op::BitOr), 3, 7),
    ("&&", Binary::And, 2, 2),
    ("||", Binary::Or, 1, 1),
    ("??", Binary::OrIfNull, 1, 1),
];

/// The parameter of an XML filter's predicate function: the element to test.
const FILTERED: &str = "element'";

/// Returns the predicate function of an XML filter.
fn filter(line: u32, condition: Expression) -> Expression {
    let body = Box::new(Parser::returning(condition));
    let object = Box::new(at(line, Is::Name(FILTERED.into())));
    let parameters = vec![Variable::new(FILTERED.into(), line)];
    let body = Some(vec![at(line, Is::With { object, body })]);
    at(line, Is::Function(Box::new(Function { parameters, body, line, ..Function::default() })))
}

pub(super) fn at(line: u32, kind: Is) -> Expression {
    Expression { line, kind }
}

impl Parser<'_> {
    /// Parses an expression. In ActionScript, expressions separated by commas form one expression.
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        let line = self.line();
        let first = self.assignment(true)?;
        if self.is_haxe() || !self.is(",") {
            return Ok(first);
        }
        Ok(at(line, Is::Sequence(self.more(first, |parser| parser.assignment(true))?)))
    }

    /// Parses an expression without top-level commas. In the head of a `for` loop, `in` is not an operator.
    pub(super) fn assignment(&mut self, with_in: bool) -> Parsed<Expression> {
        self.nested(|parser| {
            let line = parser.line();
            if parser.is_haxe()
                && let Some(function) = parser.arrow_function()?
            {
                return Ok(function);
            }
            let target = parser.conditional(with_in)?;
            let Some(operator) = parser.assigning() else { return Ok(target) };
            parser.advance();
            let value = Box::new(parser.assignment(with_in)?);
            Ok(at(line, Is::Assign { operator, target: Box::new(target), value }))
        })
    }

    /// Returns the operator of a compound assignment such as `+=`. The inner `Option` is `None` for a plain `=`, and the outer
    /// `Option` is `None` if no assignment follows.
    fn assigning(&self) -> Option<Option<Binary>> {
        let (Kind::Sign, sign) = self.kind() else { return None };
        let operator =
            |sign: &str| OPERATORS.iter().find(|(written, ..)| *written == sign).map(|found| found.1.clone());
        match sign.strip_suffix('=')? {
            "" => Some(None),
            // Comparisons such as `<=` also end in `=`.
            _ if operator(sign).is_some() => None,
            computes => operator(computes).map(Some),
        }
    }

    fn conditional(&mut self, with_in: bool) -> Parsed<Expression> {
        let line = self.line();
        let condition = self.binary(1, with_in)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let arms = vec![(condition, self.assignment(true)?)];
        self.expect(":")?;
        let otherwise = Some(Box::new(self.assignment(with_in)?));
        Ok(at(line, Is::If { arms, otherwise }))
    }

    fn operator(&self, with_in: bool) -> Option<(Binary, u8)> {
        let (Kind::Sign | Kind::Word, mark) = self.kind() else { return None };
        let (_, operator, action, haxe) = OPERATORS.iter().find(|(written, ..)| *written == mark)?;
        let level = if self.is_haxe() { *haxe } else { *action };
        let is_allowed = level > 0 && (with_in || *operator != Binary::Op(Op::In));
        is_allowed.then(|| (operator.clone(), level))
    }

    fn binary(&mut self, least: u8, with_in: bool) -> Parsed<Expression> {
        let line = self.line();
        let mut left = self.unary()?;
        while let Some((_, level)) = self.operator(with_in)
            && level >= least
        {
            let mut rest = Vec::new();
            while let Some((operator, found)) = self.operator(with_in)
                && found == level
            {
                self.advance();
                rest.push((operator, self.binary(level + 1, with_in)?));
            }
            left = at(line, Is::Binary { first: Box::new(left), rest });
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expression> {
        let line = self.line();
        let operator = match self.kind() {
            (Kind::Sign, "!") => Unary::Op(Op::Not),
            (Kind::Sign, "-") => Unary::Op(Op::Negate),
            (Kind::Sign, "+") => Unary::Op(Op::ConvertD),
            (Kind::Sign, "~") => Unary::Op(Op::BitNot),
            (Kind::Sign, mark @ ("++" | "--")) => {
                let is_increment = mark == "++";
                self.advance();
                let target = Box::new(self.nested(Self::unary)?);
                return Ok(at(line, Is::Update { target, is_prefix: true, is_increment }));
            }
            (Kind::Word, word) if !self.is_haxe() => match word {
                "typeof" => Unary::Op(Op::TypeOf),
                "void" => Unary::Void,
                "delete" => Unary::Delete,
                _ => return self.postfix(),
            },
            _ => return self.postfix(),
        };
        self.advance();
        let operand = self.nested(Self::unary)?;
        if operator == Unary::Op(Op::Negate)
            && let Is::Number(value) = operand.kind
        {
            return Ok(at(line, Is::Number(-value)));
        }
        Ok(at(line, Is::Unary { operator, operand: Box::new(operand) }))
    }

    /// Parses an operand with its links, and a postfix `++` or `--`.
    fn postfix(&mut self) -> Parsed<Expression> {
        let line = self.line();
        let base = self.operand()?;
        if base.kind.is_statement() {
            return Ok(base);
        }
        let mut links = Vec::new();
        while self.link(&mut links)? {}
        let whole = if links.is_empty() { base } else { at(line, Is::Chain { base: Box::new(base), links }) };
        let is_update = (self.is("++") || self.is("--")) && (!self.is_first() || self.is_haxe());
        if !is_update {
            return Ok(whole);
        }
        let is_increment = self.is("++");
        self.advance();
        Ok(at(line, Is::Update { target: Box::new(whole), is_prefix: false, is_increment }))
    }

    /// Parses the next link. E4X operators become method calls. Returns false if no link follows.
    fn link(&mut self, links: &mut Vec<Link>) -> Parsed<bool> {
        let line = self.line();
        let (Kind::Sign, mark) = self.kind() else { return Ok(false) };
        let kind = match mark {
            "." | "?." | "::" => {
                self.advance();
                if self.is_haxe() || !matches!(self.kind(), (Kind::Sign, "@" | "(" | "*")) {
                    self.member()?
                } else {
                    let (method, argument) = self.xml_member(line)?;
                    links.push(Link { line, kind: LinkKind::Member(method.into()) });
                    LinkKind::Call(argument.into_iter().collect())
                }
            }
            ".." => {
                self.advance();
                let attribute = if self.eat("@") { "@" } else { "" };
                let name = if self.eat("*") { "*".into() } else { self.name()? };
                let name = at(line, Is::Text(format!("{attribute}{name}").into()));
                links.push(Link { line, kind: LinkKind::Member("descendants".into()) });
                LinkKind::Call(vec![name])
            }
            ".<" => {
                self.advance();
                let parameter = self.type_name()?;
                self.expect_greater()?;
                LinkKind::Apply(vec![parameter])
            }
            "[" => LinkKind::Index(self.boxed(Self::index)?),
            "(" => LinkKind::Call(self.arguments()?),
            _ => return Ok(false),
        };
        links.push(Link { line, kind });
        Ok(true)
    }

    fn index(&mut self) -> Parsed<Expression> {
        self.enclosed("[", "]")
    }

    pub(super) fn enclosed(&mut self, begin: &str, end: &str) -> Parsed<Expression> {
        self.expect(begin)?;
        let inner = self.expression()?;
        self.expect(end)?;
        Ok(inner)
    }

    fn member(&mut self) -> Parsed<LinkKind> {
        if self.is("[") {
            // The index in `namespace::[name]` is parsed like any other index.
            return Ok(LinkKind::Index(self.boxed(Self::index)?));
        }
        self.eat("$");
        let name = self.name()?;
        if self.is("::") && self.is_name_ahead(1) {
            self.advance();
            return Ok(LinkKind::Member(self.name()?));
        }
        Ok(LinkKind::Member(name))
    }

    /// Parses an E4X operator after a dot: `@name`, `@["name"]`, `@*`, `*` or `(condition)`. Returns the equivalent method and
    /// the method's argument.
    fn xml_member(&mut self, line: u32) -> Parsed<(&'static str, Option<Expression>)> {
        if self.eat("*") {
            return Ok(("children", None));
        }
        if self.is("(") {
            let condition = self.condition()?;
            return Ok(("filter", Some(filter(line, condition))));
        }
        self.expect("@")?;
        self.attribute(line)
    }

    fn attribute(&mut self, line: u32) -> Parsed<(&'static str, Option<Expression>)> {
        if self.eat("*") {
            return Ok(("attributes", None));
        }
        if self.is("[") {
            return Ok(("attribute", Some(self.index()?)));
        }
        let mut name = self.name()?;
        if self.eat("::") {
            name = self.name()?;
        }
        Ok(("attribute", Some(at(line, Is::Text(name)))))
    }

    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expression>> {
        self.expect("(")?;
        self.list(")")
    }

    pub(super) fn list(&mut self, end: &str) -> Parsed<Vec<Expression>> {
        self.separated(end, |parser| {
            if parser.is(",") {
                // An omitted array element is `undefined`.
                return Ok(at(parser.line(), Is::Constant(Op::PushUndefined)));
            }
            let item = parser.assignment(true)?;
            // Of a Haxe extractor pattern, only the part after `=>` is kept.
            if parser.is_haxe() && parser.eat("=>") { parser.assignment(true) } else { Ok(item) }
        })
    }

    fn operand(&mut self) -> Parsed<Expression> {
        let line = self.line();
        let kind = match self.kind() {
            (Kind::Number, text) => Is::Number(script::number(text, self.language())),
            (Kind::Literal | Kind::Open, _) => self.interpolated()?,
            (Kind::Regex, text) => {
                // A Haxe regular expression begins with `~/`.
                let (before, flags) = text.rsplit_once('/').unwrap_or_default();
                let pattern = before.split_once('/').map_or("", |(_, pattern)| pattern);
                let class = Box::new(at(line, Is::Name(if self.is_haxe() { "EReg" } else { "RegExp" }.into())));
                Is::New { class, arguments: [pattern, flags].map(|text| at(line, Is::Text(text.into()))).into() }
            }
            (Kind::Xml, _) => {
                let text = at(line, self.interpolated()?);
                let class = Box::new(at(line, Is::Name("XML".into())));
                Is::New { class, arguments: vec![text] }
            }
            (Kind::Sign, sign) => return self.bracketed(line, sign),
            (Kind::Word, word) => return self.word_operand(line, word),
            (Kind::Directive | Kind::End, _) => return Err(self.expected("an expression")),
        };
        self.advance();
        Ok(at(line, kind))
    }

    /// Returns the value of the next literal: a string, or a concatenation of strings and embedded expressions. In XML literals,
    /// the values of the expressions are escaped.
    fn interpolated(&mut self) -> Parsed<Is> {
        let Some(token) = self.token().copied() else { return Err(self.expected("a string")) };
        let of = |text: &mut String| at(token.line, Is::Text(std::mem::take(text).into()));
        let (mut text, mut all) = (String::new(), Vec::new());
        for (piece, range) in script::pieces(&token, self.language()) {
            if add(&mut text, piece) {
                continue;
            }
            // A concatenation must begin with a string.
            if !text.is_empty() || all.is_empty() {
                all.push(of(&mut text));
            }
            let line = token.line.saturating_add(script::lines(self.text, token.at..range.start));
            let tokens = script::tokens(self.text, range, line, self.language());
            let (text, stem, depth, contents) = (self.text, self.stem, self.depth, std::mem::take(&mut self.contents));
            let mut inner = Parser { text, tokens, stem, depth, contents, ..Parser::default() };
            inner.module.is_haxe = self.is_haxe();
            let code = inner.nested(|inner| inner.expression());
            self.contents = inner.contents;
            let code = code.map_err(|problem| Problem { at: self.at, ..problem })?;
            all.push(match token.class {
                Kind::Xml => at(line, Is::Unary { operator: Unary::Op(Op::EscXElem), operand: Box::new(code) }),
                _ => code,
            });
        }
        if all.is_empty() {
            return Ok(Is::Text(text.into()));
        }
        if !text.is_empty() {
            all.push(of(&mut text));
        }
        let mut all = all.into_iter();
        let first = Box::new(all.next().unwrap_or_else(|| of(&mut text)));
        Ok(Is::Binary { first, rest: all.map(|part| (Binary::Op(Op::Add), part)).collect() })
    }

    /// Returns the value of a string literal, or `None` if the literal contains expressions.
    pub(super) fn text_of(&self, token: &Token<'_>) -> Option<Name> {
        let (mut text, is_literal) = (String::new(), token.class == Kind::Literal);
        let pieces = script::pieces(token, self.language());
        (is_literal && pieces.into_iter().all(|(piece, _)| add(&mut text, piece))).then(|| text.into())
    }

    fn bracketed(&mut self, line: u32, mark: &str) -> Parsed<Expression> {
        match mark {
            "(" => self.parenthesised(line),
            "[" if self.is_haxe() => self.haxe_array(line),
            "[" => {
                self.advance();
                Ok(at(line, Is::Array(self.list("]")?)))
            }
            "{" if self.is_haxe() && !self.is_haxe_object() => self.haxe_value(),
            "{" => self.object(line),
            "@" if self.is_haxe() => {
                self.haxe_metadata()?;
                self.nested(|parser| parser.assignment(true))
            }
            "@" => {
                // If no operand precedes `@`, the attribute belongs to the element that an XML filter tests.
                self.advance();
                let (method, argument) = self.attribute(line)?;
                let links = [LinkKind::Member(method.into()), LinkKind::Call(argument.into_iter().collect())];
                Ok(chain(line, FILTERED.into(), links))
            }
            "<" if self.is_haxe() => Err(self.problem("inline markup is not supported".into())),
            "$" => self.reified(line),
            _ => Err(self.expected("an expression")),
        }
    }

    /// Parses `$name` or `$v{…}` in a Haxe macro.
    fn reified(&mut self, line: u32) -> Parsed<Expression> {
        self.advance();
        if !self.is("{") {
            self.name()?;
        }
        if self.is("{") {
            self.skip_balanced()?;
        }
        Ok(at(line, Is::Name("a macro".into())))
    }

    fn parenthesised(&mut self, line: u32) -> Parsed<Expression> {
        self.advance();
        let inner = self.expression()?;
        if self.is_haxe() && self.eat(":") {
            // In Haxe, `(value : Type)` is a type check.
            let of = self.type_name()?;
            self.expect(")")?;
            return Ok(at(line, Is::Cast { value: Box::new(inner), of }));
        }
        self.expect(")")?;
        Ok(match inner.kind {
            // Links may be applied to a parenthesised statement.
            kind if kind.is_statement() => at(line, Is::Sequence(vec![at(inner.line, kind)])),
            kind => at(inner.line, kind),
        })
    }

    fn object(&mut self, line: u32) -> Parsed<Expression> {
        self.expect("{")?;
        let fields = self.separated("}", |parser| {
            let name: Name = match parser.kind() {
                (Kind::Word, name) => name.into(),
                (Kind::Literal, _) => parser.token().and_then(|token| parser.text_of(token)).unwrap_or_default(),
                (Kind::Number, text) => script::number(text, parser.language()).to_string().into(),
                _ => return Err(parser.expected("the name of a field")),
            };
            parser.advance();
            parser.expect(":")?;
            Ok((name, parser.assignment(true)?))
        });
        Ok(at(line, Is::Object(fields?)))
    }

    fn word_operand(&mut self, line: u32, word: &str) -> Parsed<Expression> {
        self.contents.uses_arguments |= word == "arguments";
        self.contents.calls_super |= word == "super" && self.is_ahead(1, "(");
        let kind = match word {
            "this" => Is::This,
            "super" => Is::Super,
            "null" => Is::Constant(Op::PushNull),
            "true" => Is::Constant(Op::PushTrue),
            "false" => Is::Constant(Op::PushFalse),
            "undefined" if !self.is_haxe() => Is::Constant(Op::PushUndefined),
            "new" => return self.new_operand(line),
            "function" => return Ok(at(line, Is::Function(self.function_expression()?))),
            _ if self.is_haxe() => return self.haxe_word(line, word),
            _ if is_one_of(word, RESERVED) => return Err(self.expected("an expression")),
            _ => {
                self.advance();
                return Ok(at(line, self.qualified(word)?));
            }
        };
        self.advance();
        Ok(at(line, kind))
    }

    /// Parses the rest of a name that may begin with a namespace. Only a namespace of conditional compilation remains part of the
    /// name.
    pub(super) fn qualified(&mut self, word: &str) -> Parsed<Is> {
        if !self.is("::") || !self.is_name_ahead(1) {
            return Ok(Is::Name(word.into()));
        }
        self.advance();
        let name = self.name()?;
        let is_constant = !word.chars().any(char::is_lowercase);
        Ok(Is::Name(if is_constant { format!("{word}::{name}").into() } else { name }))
    }

    fn new_operand(&mut self, line: u32) -> Parsed<Expression> {
        self.advance();
        if self.eat("<") {
            let of = self.type_name()?;
            self.expect_greater()?;
            self.expect("[")?;
            let items = self.list("]")?;
            let links = [LinkKind::Apply(vec![of]), LinkKind::Call(vec![at(line, Is::Array(items))])];
            return Ok(chain(line, "Vector".into(), links));
        }
        let class = Box::new(self.nested(Self::made)?);
        let arguments = if self.is_haxe() || self.is("(") { self.arguments()? } else { Vec::new() };
        Ok(at(line, Is::New { class, arguments }))
    }

    /// Parses the class between `new` and the arguments.
    fn made(&mut self) -> Parsed<Expression> {
        let line = self.line();
        if self.is_haxe() {
            return self.haxe_class_name(line);
        }
        let base = self.operand()?;
        let mut links = Vec::new();
        while !self.is("(") && self.link(&mut links)? {}
        Ok(if links.is_empty() { base } else { at(line, Is::Chain { base: Box::new(base), links }) })
    }
}

pub(super) fn chain(line: u32, base: Name, links: impl IntoIterator<Item = LinkKind>) -> Expression {
    let links: Vec<Link> = links.into_iter().map(|kind| Link { line, kind }).collect();
    let base = at(line, Is::Name(base));
    if links.is_empty() { base } else { at(line, Is::Chain { base: Box::new(base), links }) }
}

/// Appends a piece of a literal to a string. Returns false if the piece is code. If an escape is incomplete, the characters after
/// its backslash are appended.
fn add(text: &mut String, piece: Piece<'_>) -> bool {
    match piece {
        Piece::Text(more) => text.push_str(more),
        Piece::Character(letter) => text.push(letter),
        Piece::Wrong(escape) => text.push_str(escape.get(1..).unwrap_or_default()),
        Piece::Code(_) => return false,
    }
    true
}

/// The reserved words of ActionScript, which are never names.
const RESERVED: &str = "break case catch class const continue default do else extends finally for if import in instanceof \
                        interface package return switch throw try var while with";

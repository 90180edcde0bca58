//! Parses statements. In Haxe, statements are expressions, and a semicolon belongs to the enclosing block.

use agalc::script::Class as Kind;
use swf::avm2::types::Op;

use crate::avm::names::short;
use crate::sources::parse::expressions::at;
use crate::sources::parse::{Parsed, Parser};
use crate::sources::syntax::{Binary, Case, Expression, ExpressionKind as Is, Loop, Name, Pattern, Variable};
use crate::strings::is_one_of;

impl Parser<'_> {
    pub(super) fn block(&mut self) -> Parsed<Vec<Expression>> {
        self.expect("{")?;
        let is_over = |parser: &Self| parser.is_end() || !parser.is_haxe() && parser.is_member_start();
        Ok(self.block_of("this statement", is_over, Self::terminated))
    }

    /// Reports whether the next token begins a class member, which shows that the preceding block was not closed.
    fn is_member_start(&self) -> bool {
        matches!(self.word(), Some("public" | "private" | "protected" | "override"))
            && (1..4).any(|count| matches!(self.ahead(count), (Kind::Word, "function" | "var" | "const")))
    }

    /// Parses the end of an ActionScript statement: a semicolon, the end of the line or block, or a following `else` or `while`.
    /// In Haxe, the parser of the enclosing block consumes the semicolon.
    fn end_statement(&mut self) -> Parsed<()> {
        let is_over = self.is_haxe()
            || self.eat(";")
            || self.is("}")
            || self.is_end()
            || self.is_first()
            || self.is("else")
            || self.is("while");
        if is_over { Ok(()) } else { Err(self.expected("`;`")) }
    }

    fn terminated(&mut self) -> Parsed<Expression> {
        let statement = self.statement()?;
        let is_braced = self.tokens.get(self.at.saturating_sub(1)).is_some_and(|token| token.is("}"));
        let is_over = !self.is_haxe() || self.eat(";") || is_braced || self.is("}");
        if is_over { Ok(statement) } else { Err(self.expected("`;`")) }
    }

    pub(super) fn boxed<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<Box<T>> {
        parse(self).map(Box::new)
    }

    pub(super) fn statement(&mut self) -> Parsed<Expression> {
        self.nested(Self::any_statement)
    }

    fn any_statement(&mut self) -> Parsed<Expression> {
        self.skip_haxe_metadata()?;
        let line = self.line();
        let kind = match self.kind() {
            (Kind::Sign, "{") if !self.is_haxe() || !self.is_haxe_object() => Is::Block(self.block()?),
            (Kind::Sign, ";") => {
                if !self.is_haxe() {
                    self.advance();
                }
                Is::Block(Vec::new())
            }
            (Kind::Sign, "[") if !self.is_haxe() && self.is_metadata() => {
                self.skip_balanced()?;
                return self.statement();
            }
            (Kind::Word, word) => self.word_statement(word)?,
            _ => self.expression_statement()?,
        };
        Ok(at(line, kind))
    }

    fn expression_statement(&mut self) -> Parsed<Is> {
        let value = self.expression()?;
        self.end_statement()?;
        Ok(value.kind)
    }

    /// Reports whether a compilation condition with statements follows, such as `CONFIG::debug { … }` or `CONFIG::debug
    /// trace("a")`.
    fn is_condition(&self) -> bool {
        let is_word = |(kind, text): (Kind, &str)| kind == Kind::Word && !is_one_of(text, "as is in instanceof");
        is_word(self.kind())
            && self.is_ahead(1, "::")
            && self.is_name_ahead(2)
            && (self.is_ahead(3, "{") || is_word(self.ahead(3)))
    }

    /// Parses statements under compilation conditions, whose values are unknown. Consecutive statements that exclude one another
    /// become the branches of one `if`, the last as its `else` branch.
    fn conditional_statements(&mut self) -> Parsed<Is> {
        let mut groups: Vec<Vec<Conditional>> = Vec::new();
        while self.is_condition() {
            let (line, before) = (self.line(), self.contents.variables.len());
            let space = self.name()?;
            let condition = at(line, self.qualified(&space)?);
            let body = self.statement()?;
            let variables = self.contents.variables.get(before..).unwrap_or_default();
            let next =
                Conditional { condition, body, variables: variables.iter().map(|one| one.name.clone()).collect() };
            match groups.last_mut() {
                Some(group) if group.last().is_some_and(|last| last.excludes(&next)) => group.push(next),
                _ => groups.push(vec![next]),
            }
        }
        let statements = groups.into_iter().filter_map(|mut arms| {
            let Conditional { condition, body, .. } = arms.pop()?;
            if arms.is_empty() {
                return Some(body);
            }
            let arms = arms.into_iter().map(|one| (one.condition, one.body)).collect();
            Some(at(condition.line, Is::If { arms, otherwise: Some(Box::new(body)) }))
        });
        Ok(Is::Block(statements.collect()))
    }

    fn word_statement(&mut self, word: &str) -> Parsed<Is> {
        let is_haxe = self.is_haxe();
        let declares = match word {
            "var" => true,
            "const" => !is_haxe,
            "final" => is_haxe && self.is_name_ahead(1),
            _ => false,
        };
        Ok(match word {
            _ if !is_haxe && self.is_ahead(1, ":") && !matches!(word, "default" | "case") => {
                let label = self.name()?;
                self.advance();
                Is::Labelled { label, body: self.boxed(Self::statement)? }
            }
            _ if declares => {
                let variables = self.local_variables(true)?;
                self.end_statement()?;
                Is::Variables(variables)
            }
            "if" => self.if_statement()?,
            "for" if is_haxe => self.haxe_for()?,
            "for" => self.for_statement()?,
            "while" => {
                self.advance();
                let condition = Some(self.condition()?);
                let body = self.statement()?;
                Is::For(Box::new(Loop { first: None, condition, update: None, body, is_do: false }))
            }
            "do" => self.do_statement()?,
            "switch" => self.switch()?,
            "try" => self.try_statement()?,
            "return" => {
                self.advance();
                let is_over = if is_haxe { self.is(")") || self.is("else") } else { self.is_end() || self.is_first() };
                let is_over = is_over || self.is(";") || self.is("}");
                let value = if is_over { None } else { Some(self.boxed(Self::expression)?) };
                self.end_statement()?;
                Is::Return(value)
            }
            "throw" => {
                self.advance();
                let value = self.boxed(Self::expression)?;
                self.end_statement()?;
                Is::Throw(value)
            }
            "break" | "continue" => {
                self.advance();
                let has_label = !is_haxe && !self.is_first() && self.is_name_ahead(0);
                let label = if has_label { Some(self.name()?) } else { None };
                self.end_statement()?;
                Is::Leave { label, is_continue: word == "continue" }
            }
            "inline" if is_haxe && self.is_ahead(1, "function") => {
                self.advance();
                Is::Function(self.function_expression()?)
            }
            "function" if self.is_name_ahead(1) => self.function_statement()?,
            _ if is_haxe => self.expression_statement()?,
            "with" if self.is_ahead(1, "(") => {
                self.advance();
                let object = self.boxed(Self::condition)?;
                Is::With { object, body: self.boxed(Self::statement)? }
            }
            "import" | "include" | "use" | "namespace" if !self.is_ahead(1, "=") && !self.is_ahead(1, ".") => {
                self.directive()?;
                Is::Block(Vec::new())
            }
            "default" if self.is_ahead(1, "xml") => {
                // The statement `default xml namespace = …` is skipped.
                while !self.is(";") && !self.is_end() {
                    self.advance();
                }
                Is::Block(Vec::new())
            }
            _ if self.is_condition() => self.conditional_statements()?,
            _ => self.expression_statement()?,
        })
    }

    /// Parses a `do` statement. A semicolon may precede `while` in Haxe, and may follow the condition in ActionScript.
    fn do_statement(&mut self) -> Parsed<Is> {
        self.expect("do")?;
        let body = self.statement()?;
        let _ = self.is_haxe() && self.eat(";");
        self.expect("while")?;
        let condition = Some(self.condition()?);
        let _ = !self.is_haxe() && self.eat(";");
        Ok(Is::For(Box::new(Loop { first: None, condition, update: None, body, is_do: true })))
    }

    pub(super) fn condition(&mut self) -> Parsed<Expression> {
        self.enclosed("(", ")")
    }

    /// Parses the variables that a statement declares. ActionScript variables are function-scoped.
    fn local_variables(&mut self, with_in: bool) -> Parsed<Vec<Variable>> {
        let variables = self.variables(with_in)?;
        if !self.is_haxe() {
            let bare = variables.iter().map(|one| Variable { value: None, ..one.clone() });
            self.contents.variables.extend(bare);
        }
        Ok(variables)
    }

    /// Parses a function statement. In ActionScript, the enclosing function creates the nested function on entry.
    fn function_statement(&mut self) -> Parsed<Is> {
        let line = self.line();
        let function = self.function_expression()?;
        if self.is_haxe() {
            return Ok(Is::Function(function));
        }
        let name = function.name.clone().unwrap_or_default();
        let value = Some(at(line, Is::Function(function)));
        self.contents.variables.push(Variable { value, ..Variable::new(name, line) });
        Ok(Is::Block(Vec::new()))
    }

    /// Parses a declaration such as `var a:A = 1, b`, which begins with `var`, `const` or `final`.
    pub(super) fn variables(&mut self, with_in: bool) -> Parsed<Vec<Variable>> {
        let is_constant = !self.is("var");
        self.advance();
        self.several(|parser| {
            parser.skip_haxe_metadata()?;
            let line = parser.line();
            if parser.is_haxe() {
                parser.eat("?");
                parser.eat("$");
            }
            let name = parser.name()?;
            if parser.is_haxe() && parser.is("(") {
                parser.skip_balanced()?;
            }
            let of = parser.type_of()?;
            let value = if parser.eat("=") { Some(parser.assignment(with_in)?) } else { None };
            Ok(Variable { name, of, value, is_constant, line })
        })
    }

    /// Consumes the given word if it continues the statement, such as `else`. In Haxe, a semicolon may precede the word.
    fn goes_on(&mut self, word: &str) -> bool {
        if self.is_haxe() && self.is(";") && self.is_ahead(1, word) {
            self.advance();
        }
        self.eat(word)
    }

    fn if_statement(&mut self) -> Parsed<Is> {
        let mut arms = Vec::new();
        loop {
            self.expect("if")?;
            let condition = self.condition()?;
            arms.push((condition, self.statement()?));
            if !self.goes_on("else") {
                return Ok(Is::If { arms, otherwise: None });
            }
            if !self.is("if") {
                return Ok(Is::If { arms, otherwise: Some(self.boxed(Self::statement)?) });
            }
        }
    }

    fn for_statement(&mut self) -> Parsed<Is> {
        self.expect("for")?;
        let is_each = self.eat("each");
        self.expect("(")?;
        let line = self.line();
        let mut first = None;
        if self.is("var") || self.is("const") {
            let mut variables = self.local_variables(false)?;
            if self.eat("in")
                && let Some(variable) = variables.pop()
            {
                return self.for_in(is_each, at(line, Is::Variables(vec![variable])));
            }
            first = Some(at(line, Is::Variables(variables)));
        } else if !self.is(";") {
            let target = self.assignment(false)?;
            if self.eat("in") {
                return self.for_in(is_each, target);
            }
            let all = self.more(target, |parser| parser.assignment(false))?;
            first = Some(at(line, Is::Sequence(all)));
        }
        self.expect(";")?;
        let condition = if self.is(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        let update = if self.is(")") { None } else { Some(self.expression()?) };
        self.expect(")")?;
        Ok(Is::For(Box::new(Loop { first, condition, update, body: self.statement()?, is_do: false })))
    }

    fn for_in(&mut self, is_each: bool, target: Expression) -> Parsed<Is> {
        let object = self.boxed(Self::expression)?;
        self.expect(")")?;
        let target = Some(Box::new(target));
        let (key, value) = if is_each { (None, target) } else { (target, None) };
        Ok(Is::ForIn { key, value, object, body: self.boxed(Self::statement)? })
    }

    /// Parses a Haxe `for` loop over an object or a range of numbers.
    fn haxe_for(&mut self) -> Parsed<Is> {
        self.expect("for")?;
        self.expect("(")?;
        let line = self.line();
        let name = self.name()?;
        let second = if self.eat("=>") { Some(self.name()?) } else { None };
        self.expect("in")?;
        let object = self.boxed(Self::expression)?;
        if second.is_none() && self.eat("...") {
            let to = self.expression()?;
            self.expect(")")?;
            return Ok(range(name, *object, to, self.statement()?));
        }
        self.expect(")")?;
        let variable = |name| Some(Box::new(at(line, Is::Variables(vec![Variable::new(name, line)]))));
        let (key, value) = match second {
            Some(second) => (variable(name), variable(second)),
            None => (None, variable(name)),
        };
        Ok(Is::ForIn { key, value, object, body: self.boxed(Self::statement)? })
    }

    fn switch(&mut self) -> Parsed<Is> {
        self.expect("switch")?;
        let value = Box::new(if self.is_haxe() { self.expression()? } else { self.condition()? });
        self.expect("{")?;
        let mut cases: Vec<Case> = Vec::new();
        while !self.eat("}") {
            let line = self.line();
            let (mut patterns, mut guard) = (Vec::new(), None);
            if self.eat("default") {
                patterns.push(Pattern::Default(None));
            } else {
                self.expect("case")?;
                if self.is_haxe() {
                    (patterns, guard) = self.haxe_patterns()?;
                } else {
                    patterns.push(Pattern::Value(self.expression()?));
                }
            }
            self.expect(":")?;
            let mut body = Vec::new();
            while !(self.is("}") || self.is("case") || self.is("default") && self.is_ahead(1, ":")) {
                if self.is_end() {
                    return Err(self.expected("`}`"));
                }
                body.extend(self.tolerant("this statement", Self::terminated));
            }
            cases.push(Case { line, patterns, guard, body });
        }
        Ok(Is::Switch { value, cases })
    }

    fn try_statement(&mut self) -> Parsed<Is> {
        self.expect("try")?;
        let body = self.guarded()?;
        let mut catches = Vec::new();
        while self.goes_on("catch") {
            self.expect("(")?;
            let name = self.name()?;
            self.type_of()?;
            self.expect(")")?;
            catches.push((name, self.guarded()?));
        }
        let finally = if !self.is_haxe() && self.eat("finally") { Some(self.block()?) } else { None };
        Ok(Is::Try { body, catches, finally })
    }

    /// Parses the body of a `try` or `catch`: a block or, in Haxe, any statement.
    fn guarded(&mut self) -> Parsed<Vec<Expression>> {
        if self.is_haxe() { Ok(vec![self.statement()?]) } else { self.block() }
    }

    /// Reports whether the next `[` begins metadata such as `[Embed(source="a.png")]`.
    pub(super) fn is_metadata(&self) -> bool {
        let begins = matches!(self.ahead(1), (Kind::Word, word) if word.starts_with(char::is_uppercase));
        if !begins || !self.is_first() {
            return false;
        }
        // Metadata is followed by a word or by further metadata.
        let length = self.balanced(&[";", "{", "}"]);
        length.is_some_and(|length| matches!(self.ahead(length), (Kind::Word, _) | (Kind::Sign, "[")))
    }

    pub(super) fn directive(&mut self) -> Parsed<()> {
        let word = self.name()?;
        match &*word {
            "import" => self.import(false)?,
            "use" => {
                self.expect("namespace")?;
                self.several(|parser| {
                    let path = parser.path()?;
                    parser.module.namespaces.push(short(&path).into());
                    Ok(())
                })?;
            }
            "namespace" => {
                self.name()?;
                if self.eat("=") {
                    self.assignment(true)?;
                }
            }
            _ => {
                self.assignment(true)?;
            }
        }
        self.end_statement()
    }
}

/// Expands the loop `for (name in from...to) body` as Haxe's compiler does. The loop variable is a copy of the counter, so the
/// body may assign to it.
fn range(name: Name, from: Expression, to: Expression, body: Expression) -> Is {
    let line = body.line;
    let [next, limit] = ["next", "limit"].map(|what| Name::from(format!("{name}'{what}")));
    let variable = |name: &Name, value| Variable { value: Some(value), ..Variable::new(name.clone(), line) };
    let named = |name: &Name| at(line, Is::Name(name.clone()));
    let rest = vec![(Binary::Op(Op::LessThan), named(&limit))];
    let condition = Some(at(line, Is::Binary { first: Box::new(named(&next)), rest }));
    let copy = at(line, Is::Variables(vec![variable(&name, named(&next))]));
    let target = Box::new(named(&next));
    let step = at(line, Is::Update { target, is_prefix: true, is_increment: true });
    let body = at(line, Is::Block(vec![copy, step, body]));
    let begin = at(line, Is::Variables(vec![variable(&next, from), variable(&limit, to)]));
    let counted = Loop { first: None, condition, update: None, body, is_do: false };
    Is::Block(vec![begin, at(line, Is::For(Box::new(counted)))])
}

struct Conditional {
    condition: Expression,
    body: Expression,
    variables: Vec<Name>,
}

impl Conditional {
    /// Reports whether two conditional statements exclude each other, because the names of their conditions are opposites, or
    /// because both declare the same variable or leave the function.
    fn excludes(&self, other: &Conditional) -> bool {
        let name = |one: &Conditional| match &one.condition.kind {
            Is::Name(name) => name.to_ascii_lowercase(),
            _ => String::new(),
        };
        let (one, two) = (name(self), name(other));
        let Some(((space, first), (space_of_two, second))) = one.split_once("::").zip(two.split_once("::")) else {
            return false;
        };
        let negates = |one: &str, other: &str| {
            ["not_", "no_", "not", "no", "non_"].iter().any(|not| one.strip_prefix(not) == Some(other))
                || (one, other) == ("debug", "release")
        };
        let exclude = negates(first, second)
            || negates(second, first)
            || leaves(&self.body) && leaves(&other.body)
            || self.variables.iter().any(|name| other.variables.contains(name));
        exclude && space == space_of_two && first != second
    }
}

fn leaves(statement: &Expression) -> bool {
    match &statement.kind {
        Is::Return(_) | Is::Throw(_) => true,
        Is::Block(body) => body.last().is_some_and(leaves),
        _ => false,
    }
}

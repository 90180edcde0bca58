//! The statements of ActionScript.

use agalc::script::Class as Kind;

use crate::sources::parse::expressions::is_word_operator;
use crate::sources::parse::{Parsed, Parser};
use crate::sources::syntax::{
    Case, Catch, Expression, ExpressionKind, ForIn, Name, Pattern, Statement, StatementKind as Is, Target, Variable,
};
use crate::sources::walk::variables;

fn at(line: u32, kind: Is) -> Statement {
    Statement { line, kind }
}

impl Parser<'_> {
    /// `{ … }`
    pub(super) fn block(&mut self) -> Parsed<Vec<Statement>> {
        self.expect("{")?;
        let mut statements = Vec::new();
        while !self.eat("}") {
            if self.is_end() || self.is_member_start() {
                self.unclosed();
                break;
            }
            statements.extend(self.tolerant("this statement", Self::statement));
        }
        Ok(statements)
    }

    /// Whether a member of a class begins here, so that the block before it was not closed.
    fn is_member_start(&self) -> bool {
        let is_modifier = matches!(self.kind(), (Kind::Word, word)
            if matches!(word, "public" | "private" | "protected" | "override"));
        is_modifier
            && (1..4).any(|count| {
                self.is_ahead(count, "function") || self.is_ahead(count, "var") || self.is_ahead(count, "const")
            })
    }

    /// The end of a statement: a semicolon, the end of the line, what ends the block, or the word after the body of an `if` or a
    /// `do`.
    fn end_statement(&mut self) -> Parsed<()> {
        let is_over = self.is("}") || self.is_end() || self.is_first() || self.is("else") || self.is("while");
        if self.eat(";") || is_over { Ok(()) } else { Err(self.expected("`;`")) }
    }

    fn body(&mut self) -> Parsed<Box<Statement>> {
        self.statement().map(Box::new)
    }

    pub(super) fn statement(&mut self) -> Parsed<Statement> {
        self.nested(Self::any_statement)
    }

    fn any_statement(&mut self) -> Parsed<Statement> {
        let line = self.line();
        let kind = match self.kind() {
            (Kind::Sign, "{") => Is::Block(self.block()?),
            (Kind::Sign, ";") => {
                self.advance();
                Is::Empty
            }
            (Kind::Sign, "[") if self.is_metadata() => {
                self.skip_balanced()?;
                return self.statement();
            }
            (Kind::Word, word) => return self.word_statement(line, &word),
            _ => self.expression_statement()?,
        };
        Ok(at(line, kind))
    }

    fn expression_statement(&mut self) -> Parsed<Is> {
        let value = self.expression()?;
        self.end_statement()?;
        Ok(Is::Expression(value))
    }

    /// Whether statements under a condition of compilation are next: `CONFIG::debug { … }` or `CONFIG::debug trace("a")`.
    fn is_condition(&self) -> bool {
        let is_word = |kind: (Kind, &str)| matches!(kind, (Kind::Word, word) if !is_word_operator(word));
        is_word(self.kind())
            && self.is_ahead(1, "::")
            && self.is_name_ahead(2)
            && (self.is_ahead(3, "{") || is_word(self.ahead(3)))
    }

    /// Statements under conditions of compilation, of which it is not known whether they hold. They are taken, but those that
    /// stand one after the other and exclude each other are the branches of one `if`: the last is taken if no other one is.
    fn conditional_statements(&mut self) -> Parsed<Is> {
        let mut groups: Vec<Vec<(Expression, Statement)>> = Vec::new();
        while self.is_condition() {
            let line = self.line();
            let space = self.name()?;
            let condition = Expression { line, kind: self.qualified(&space)? };
            let next = (condition, self.statement()?);
            match groups.last_mut() {
                Some(group) if group.last().is_some_and(|last| are_alternatives(last, &next)) => group.push(next),
                _ => groups.push(vec![next]),
            }
        }
        let statements = groups.into_iter().filter_map(|mut arms| {
            let (condition, last) = arms.pop()?;
            let otherwise = Some(Box::new(last));
            Some(match arms.is_empty() {
                true => otherwise.map(|body| *body)?,
                false => at(condition.line, Is::If { arms, otherwise }),
            })
        });
        Ok(Is::Block(statements.collect()))
    }

    fn word_statement(&mut self, line: u32, word: &str) -> Parsed<Statement> {
        if self.is_ahead(1, ":") && !matches!(word, "default" | "case") {
            let label = self.name()?;
            self.advance();
            return Ok(at(line, Is::Labelled { label, body: self.body()? }));
        }
        let kind = match word {
            "var" | "const" => {
                let variables = self.variables(true)?;
                self.end_statement()?;
                Is::Variables(variables)
            }
            "if" => self.if_statement()?,
            "for" => self.for_statement()?,
            "while" => {
                self.advance();
                let condition = self.condition()?;
                Is::While { condition, body: self.body()? }
            }
            "do" => {
                self.advance();
                let body = self.body()?;
                self.expect("while")?;
                let condition = self.condition()?;
                self.eat(";");
                Is::DoWhile { body, condition }
            }
            "switch" => self.switch()?,
            "try" => self.try_statement()?,
            "with" if self.is_ahead(1, "(") => {
                self.advance();
                let object = self.condition()?;
                Is::With { object, body: self.body()? }
            }
            "return" => {
                self.advance();
                let has_value = !(self.is(";") || self.is("}") || self.is_end() || self.is_first());
                let value = if has_value { Some(self.expression()?) } else { None };
                self.end_statement()?;
                Is::Return(value)
            }
            "throw" => {
                self.advance();
                let value = self.expression()?;
                self.end_statement()?;
                Is::Throw(value)
            }
            "break" | "continue" => {
                self.advance();
                let label = if self.is_first() { None } else { self.word() };
                if label.is_some() {
                    self.advance();
                }
                self.end_statement()?;
                let label = label.map(Name::from);
                if word == "break" { Is::Break(label) } else { Is::Continue(label) }
            }
            "function" if self.is_name_ahead(1) => Is::Function(self.function_expression()?),
            "import" | "include" | "use" | "namespace" if !self.is_ahead(1, "=") && !self.is_ahead(1, ".") => {
                self.directive()?;
                Is::Empty
            }
            "default" if self.is_ahead(1, "xml") => {
                // `default xml namespace = …`
                while !self.is(";") && !self.is_end() {
                    self.advance();
                }
                Is::Empty
            }
            _ if self.is_condition() => self.conditional_statements()?,
            _ => self.expression_statement()?,
        };
        Ok(at(line, kind))
    }

    /// `(expression)`
    pub(super) fn condition(&mut self) -> Parsed<Expression> {
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        Ok(condition)
    }

    /// `var a:A = 1, b`: the word is next.
    pub(super) fn variables(&mut self, with_in: bool) -> Parsed<Vec<Variable>> {
        let is_constant = self.is("const");
        self.advance();
        let mut variables = Vec::new();
        loop {
            let line = self.line();
            let name = self.name()?;
            let of = self.type_of()?;
            let value = if self.eat("=") { Some(self.assignment(with_in)?) } else { None };
            variables.push(Variable { name, of, value, is_constant, line });
            if !self.eat(",") {
                return Ok(variables);
            }
        }
    }

    fn if_statement(&mut self) -> Parsed<Is> {
        let mut arms = Vec::new();
        loop {
            self.expect("if")?;
            let condition = self.condition()?;
            arms.push((condition, self.statement()?));
            if !self.eat("else") {
                return Ok(Is::If { arms, otherwise: None });
            }
            if !self.is("if") {
                return Ok(Is::If { arms, otherwise: Some(self.body()?) });
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
            let mut variables = self.variables(false)?;
            if self.is("in")
                && let Some(variable) = variables.pop()
            {
                return self.for_in(is_each, Target::Declared(variable));
            }
            first = Some(Box::new(at(line, Is::Variables(variables))));
        } else if !self.is(";") {
            let mut all = vec![self.assignment(false)?];
            if self.is("in")
                && let Some(target) = all.pop()
            {
                return self.for_in(is_each, Target::Assigned(target));
            }
            while self.eat(",") {
                all.push(self.assignment(false)?);
            }
            let kind = ExpressionKind::Sequence(all);
            first = Some(Box::new(at(line, Is::Expression(Expression { line, kind }))));
        }
        self.expect(";")?;
        let condition = if self.is(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        let update = if self.is(")") { None } else { Some(self.expression()?) };
        self.expect(")")?;
        Ok(Is::For { first, condition, update, body: self.body()? })
    }

    fn for_in(&mut self, is_each: bool, target: Target) -> Parsed<Is> {
        self.expect("in")?;
        let object = self.expression()?;
        self.expect(")")?;
        let body = self.statement()?;
        let (key, value) = if is_each { (None, Some(target)) } else { (Some(target), None) };
        Ok(Is::ForIn(Box::new(ForIn { key, value, object, body })))
    }

    fn switch(&mut self) -> Parsed<Is> {
        self.expect("switch")?;
        let value = self.condition()?;
        self.expect("{")?;
        let mut cases: Vec<Case> = Vec::new();
        while !self.eat("}") {
            let line = self.line();
            let pattern = if self.eat("default") {
                Pattern::Default(None)
            } else {
                self.expect("case")?;
                Pattern::Value(self.expression()?)
            };
            self.expect(":")?;
            let mut body = Vec::new();
            while !(self.is("}") || self.is("case") || self.is("default") && self.is_ahead(1, ":")) {
                if self.is_end() {
                    return Err(self.expected("`}`"));
                }
                body.extend(self.tolerant("this statement", Self::statement));
            }
            cases.push(Case { line, patterns: vec![pattern], guard: None, body, falls: true });
        }
        Ok(Is::Switch { value, cases })
    }

    fn try_statement(&mut self) -> Parsed<Is> {
        self.expect("try")?;
        let body = self.block()?;
        let mut catches = Vec::new();
        while self.eat("catch") {
            self.expect("(")?;
            let name = self.name()?;
            let of = self.type_of()?;
            self.expect(")")?;
            catches.push(Catch { name, of, body: self.block()? });
        }
        let finally = if self.eat("finally") { Some(self.block()?) } else { None };
        Ok(Is::Try { body, catches, finally })
    }

    /// Whether `[` begins metadata such as `[Embed(source="a.png")]`.
    pub(super) fn is_metadata(&self) -> bool {
        let begins = matches!(self.ahead(1), (Kind::Word, word) if word.starts_with(char::is_uppercase));
        if !begins || !self.is_first() {
            return false;
        }
        // It ends where something else begins, and nothing is applied to it.
        let (mut count, mut depth) = (0, 0u32);
        loop {
            match self.ahead(count) {
                (Kind::Sign, "(" | "[") => depth += 1,
                (Kind::Sign, ")" | "]") => depth = depth.saturating_sub(1),
                (Kind::Sign, ";" | "{" | "}") | (Kind::End, _) => return false,
                _ => {}
            }
            count += 1;
            if depth == 0 {
                return matches!(self.ahead(count), (Kind::Word, _) | (Kind::Sign, "["));
            }
        }
    }

    /// `import`, `use namespace`, `include` and `namespace`.
    pub(super) fn directive(&mut self) -> Parsed<()> {
        let word = self.name()?;
        match &*word {
            "import" => self.import()?,
            "use" => {
                self.expect("namespace")?;
                loop {
                    let path = self.path()?;
                    let name: Name = path.rsplit('.').next().unwrap_or(&path).into();
                    self.module.namespaces.push(name);
                    if !self.eat(",") {
                        break;
                    }
                }
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

/// Whether statements under two conditions of compilation exclude each other: by the names of the conditions, or since both
/// declare one variable or leave the function.
fn are_alternatives(one: &(Expression, Statement), two: &(Expression, Statement)) -> bool {
    let name = |condition: &Expression| match &condition.kind {
        ExpressionKind::Name(name) => name.to_ascii_lowercase(),
        _ => String::new(),
    };
    let (first, second) = (name(&one.0), name(&two.0));
    let Some(((space, first), (other, second))) = first.split_once("::").zip(second.split_once("::")) else {
        return false;
    };
    if space != other || first == second {
        return false;
    }
    let negates = |one: &str, other: &str| {
        ["not_", "no_", "not", "no", "non_"].iter().any(|not| one.strip_prefix(not) == Some(other))
            || (one, other) == ("debug", "release")
    };
    let declared = |statement: &Statement| variables(std::slice::from_ref(statement));
    negates(first, second)
        || negates(second, first)
        || leaves(&one.1) && leaves(&two.1)
        || !declared(&one.1).is_disjoint(&declared(&two.1))
}

/// Whether a statement always ends the function.
fn leaves(statement: &Statement) -> bool {
    match &statement.kind {
        Is::Return(_) | Is::Throw(_) => true,
        Is::Block(body) => body.last().is_some_and(leaves),
        _ => false,
    }
}

//! Goes over the parts of statements and expressions.

use std::collections::BTreeSet;

use crate::sources::syntax::{
    Expression, ExpressionKind, LinkKind, Made, Name, Pattern, Statement, StatementKind, Target, Variable,
};

/// A statement or an expression.
#[derive(Clone, Copy)]
pub(crate) enum Node<'a> {
    Statement(&'a Statement),
    Expression(&'a Expression),
    /// A variable that is declared there.
    Variable(&'a Variable),
}

/// Visits statements and all that they hold. What `visit` answers with `false` is not entered.
pub(crate) fn each<'a>(statements: &'a [Statement], visit: &mut dyn FnMut(Node<'a>) -> bool) {
    statements.iter().for_each(|statement| each_statement(statement, visit));
}

fn each_variable<'a>(variable: &'a Variable, visit: &mut dyn FnMut(Node<'a>) -> bool) {
    visit(Node::Variable(variable));
    variable.value.iter().for_each(|value| each_expression(value, visit));
}

fn each_target<'a>(target: Option<&'a Target>, visit: &mut dyn FnMut(Node<'a>) -> bool) {
    match target {
        Some(Target::Declared(variable)) => each_variable(variable, visit),
        Some(Target::Assigned(expression)) => each_expression(expression, visit),
        None => {}
    }
}

pub(crate) fn each_statement<'a>(statement: &'a Statement, visit: &mut dyn FnMut(Node<'a>) -> bool) {
    if !visit(Node::Statement(statement)) {
        return;
    }
    match &statement.kind {
        StatementKind::Empty | StatementKind::Break(_) | StatementKind::Continue(_) | StatementKind::Function(_) => {}
        StatementKind::Expression(value) | StatementKind::Throw(value) => each_expression(value, visit),
        StatementKind::Return(value) => value.iter().for_each(|value| each_expression(value, visit)),
        StatementKind::Variables(all) => all.iter().for_each(|one| each_variable(one, visit)),
        StatementKind::Block(body) => each(body, visit),
        StatementKind::If { arms, otherwise } => {
            for (condition, body) in arms {
                each_expression(condition, visit);
                each_statement(body, visit);
            }
            otherwise.iter().for_each(|body| each_statement(body, visit));
        }
        StatementKind::While { condition, body } | StatementKind::DoWhile { body, condition } => {
            each_expression(condition, visit);
            each_statement(body, visit);
        }
        StatementKind::For { first, condition, update, body } => {
            first.iter().for_each(|first| each_statement(first, visit));
            condition.iter().chain(update).for_each(|value| each_expression(value, visit));
            each_statement(body, visit);
        }
        StatementKind::ForIn(found) => {
            each_target(found.key.as_ref(), visit);
            each_target(found.value.as_ref(), visit);
            each_expression(&found.object, visit);
            each_statement(&found.body, visit);
        }
        StatementKind::Range { from, to, body, .. } => {
            each_expression(from, visit);
            each_expression(to, visit);
            each_statement(body, visit);
        }
        StatementKind::Switch { value, cases } => {
            each_expression(value, visit);
            for case in cases {
                for pattern in &case.patterns {
                    if let Pattern::Value(value) = pattern {
                        each_expression(value, visit);
                    }
                }
                case.guard.iter().for_each(|guard| each_expression(guard, visit));
                each(&case.body, visit);
            }
        }
        StatementKind::Labelled { body, .. } => each_statement(body, visit),
        StatementKind::Try { body, catches, finally } => {
            each(body, visit);
            catches.iter().for_each(|found| each(&found.body, visit));
            finally.iter().for_each(|body| each(body, visit));
        }
        StatementKind::With { object, body } => {
            each_expression(object, visit);
            each_statement(body, visit);
        }
    }
}

pub(crate) fn each_expression<'a>(expression: &'a Expression, visit: &mut dyn FnMut(Node<'a>) -> bool) {
    if !visit(Node::Expression(expression)) {
        return;
    }
    match &expression.kind {
        ExpressionKind::Chain { base, links } => {
            each_expression(base, visit);
            for link in links {
                match &link.kind {
                    LinkKind::Index(index) => each_expression(index, visit),
                    LinkKind::Call(arguments) => {
                        arguments.iter().for_each(|argument| each_expression(argument, visit));
                    }
                    LinkKind::Member(_) | LinkKind::Apply(_) => {}
                }
            }
        }
        ExpressionKind::New { class, arguments } => {
            if let Made::Value(class) = class {
                each_expression(class, visit);
            }
            arguments.iter().for_each(|argument| each_expression(argument, visit));
        }
        ExpressionKind::Vector { items, .. } | ExpressionKind::Array(items) | ExpressionKind::Sequence(items) => {
            items.iter().for_each(|item| each_expression(item, visit));
        }
        ExpressionKind::Object(fields) => fields.iter().for_each(|(_, value)| each_expression(value, visit)),
        ExpressionKind::Map(entries) => {
            for (key, value) in entries {
                each_expression(key, visit);
                each_expression(value, visit);
            }
        }
        ExpressionKind::Comprehension(body) | ExpressionKind::Statement(body) => each_statement(body, visit),
        ExpressionKind::Unary { operand: value, .. }
        | ExpressionKind::Update { target: value, .. }
        | ExpressionKind::Cast { value, .. } => each_expression(value, visit),
        ExpressionKind::Binary { first, rest } => {
            each_expression(first, visit);
            rest.iter().for_each(|(_, value)| each_expression(value, visit));
        }
        ExpressionKind::Assign { target, value, .. } => {
            each_expression(target, visit);
            each_expression(value, visit);
        }
        ExpressionKind::Conditional { condition, then, otherwise } => {
            each_expression(condition, visit);
            each_expression(then, visit);
            each_expression(otherwise, visit);
        }
        ExpressionKind::Undefined
        | ExpressionKind::Null
        | ExpressionKind::True
        | ExpressionKind::False
        | ExpressionKind::This
        | ExpressionKind::Super
        | ExpressionKind::Number(_)
        | ExpressionKind::Text(_)
        | ExpressionKind::Regex { .. }
        | ExpressionKind::Unknown(_)
        | ExpressionKind::Name(_)
        | ExpressionKind::Function(_) => {}
    }
}

/// The variables that statements declare.
pub(crate) fn variables(statements: &[Statement]) -> BTreeSet<Name> {
    let mut names = BTreeSet::new();
    each(statements, &mut |node| {
        if let Node::Variable(variable) = node {
            names.insert(variable.name.clone());
        }
        true
    });
    names
}

//! Conditional compilation in Haxe: selects the tokens that are compiled for the Flash target.

use agalc::script::{Class as Kind, Token};

use std::iter::Peekable;
use std::slice::Iter;

use crate::strings::is_one_of;

/// The flags that Haxe defines for the Flash target.
const DEFINED: &[&str] = &["flash", "flash9", "flash11", "swf", "haxe3", "haxe4"];

/// The maximum nesting depth of parentheses in a condition.
const DEEPEST: u32 = 50;

struct Open {
    is_taken: bool,
    /// Whether all later branches are skipped, because a branch has been taken or the enclosing code is skipped.
    is_over: bool,
}

/// Returns the tokens that remain after conditional compilation.
pub(crate) fn taken<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut open: Vec<Open> = Vec::new();
    let mut result = Vec::new();
    let mut rest = tokens.iter().peekable();
    while let Some(token) = rest.next() {
        let is_taken = open.last().is_none_or(|last| last.is_taken);
        if token.class != Kind::Directive {
            if is_taken || token.class == Kind::End {
                result.push(*token);
            }
            continue;
        }
        match token.text {
            "#if" => {
                let holds = condition(&mut rest, 0);
                open.push(Open { is_taken: is_taken && holds, is_over: !is_taken || holds });
            }
            "#elseif" | "#else" => {
                let holds = token.text == "#else" || condition(&mut rest, 0);
                if let Some(last) = open.last_mut() {
                    last.is_taken = holds && !last.is_over;
                    last.is_over |= holds;
                }
            }
            "#end" => {
                open.pop();
            }
            // Directives such as `#error "…"` are skipped.
            _ => {
                rest.next_if(|next| next.class == Kind::Literal);
            }
        }
    }
    result
}

/// Evaluates an operand: a flag, a negation, or a condition in parentheses.
fn condition(rest: &mut Peekable<Iter<'_, Token>>, depth: u32) -> bool {
    let begins = |token: &&Token<'_>| match token.class {
        Kind::Sign => matches!(token.text, "!" | "("),
        class => matches!(class, Kind::Word | Kind::Number | Kind::Literal),
    };
    let Some(token) = rest.next_if(begins) else { return false };
    match (token.class, token.text) {
        (Kind::Sign, "!") => depth < DEEPEST && !condition(rest, depth + 1),
        (Kind::Sign, _) => {
            let value = depth < DEEPEST && alternatives(rest, depth + 1);
            rest.next_if(|next| next.is(")"));
            value
        }
        (Kind::Word, word) => {
            while rest.next_if(|next| next.is(".")).is_some() {
                rest.next();
            }
            // The argument of `version("1.2.3")` is skipped.
            if word == "version" && rest.peek().is_some_and(|next| next.is("(")) {
                while rest.next().is_some_and(|next| !next.is(")")) {}
            }
            DEFINED.contains(&word) || word.ends_with("_ver")
        }
        _ => true,
    }
}

fn alternatives(rest: &mut Peekable<Iter<'_, Token>>, depth: u32) -> bool {
    let mut value = condition(rest, depth);
    let is_operator = |next: &&Token<'_>| next.class == Kind::Sign && is_one_of(next.text, "&& || == != > >= < <=");
    while let Some(operator) = rest.next_if(is_operator) {
        let other = condition(rest, depth);
        // Operators are evaluated from left to right. Precedence makes no difference in the conditions of published sources.
        value = match operator.text {
            "&&" => value && other,
            "||" => value || other,
            // Published sources compare Haxe's version only with older versions, so the current version always compares as
            // greater.
            "<" | "<=" | "!=" => false,
            _ => value,
        };
    }
    value
}

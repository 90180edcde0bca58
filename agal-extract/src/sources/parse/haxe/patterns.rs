//! Parses the patterns of `switch` cases in Haxe.

use crate::sources::parse::{Parsed, Parser};
use crate::sources::syntax::{Expression, ExpressionKind as Is, Link, LinkKind, Name, Pattern};

impl Parser<'_> {
    pub(in crate::sources::parse) fn haxe_patterns(&mut self) -> Parsed<(Vec<Pattern>, Option<Expression>)> {
        let mut patterns = Vec::new();
        self.several(|parser| parser.haxe_pattern(&mut patterns))?;
        let guard = if self.eat("if") { Some(self.condition()?) } else { None };
        Ok((patterns, guard))
    }

    fn haxe_pattern(&mut self, patterns: &mut Vec<Pattern>) -> Parsed<()> {
        if self.is("var") || self.is("final") {
            self.advance();
            patterns.push(Pattern::Default(Some(self.name()?)));
            return Ok(());
        }
        let start = self.token().map_or(0, |token| token.at);
        let value = self.assignment(false)?;
        let is_extracted = self.eat("=>");
        if is_extracted {
            self.assignment(false)?;
        }
        let end = self.token().map_or(start, |token| token.at);
        let text: Name = self.text.get(start..end).unwrap_or_default().trim().into();
        if is_extracted {
            patterns.push(Pattern::Parts { text, names: Vec::new() });
        } else {
            patterns.extend(Self::alternatives(value).into_iter().map(|one| pattern(one, &text)));
        }
        Ok(())
    }

    /// Reports whether a name in a pattern declares a variable rather than naming a constant.
    pub(super) fn is_bound(name: &str) -> bool {
        !name.starts_with(char::is_uppercase)
    }
}

fn pattern(value: Expression, text: &Name) -> Pattern {
    match &value.kind {
        Is::Name(name) if &**name == "_" => Pattern::Default(None),
        Is::Name(name) if Parser::is_bound(name) => Pattern::Default(Some(name.clone())),
        Is::Name(_) | Is::Text(_) | Is::Number(_) | Is::Constant(_) | Is::Cast { .. } => Pattern::Value(value),
        Is::Chain { links, .. } if Parser::is_path(links) => Pattern::Value(value),
        _ => choice(&value).unwrap_or_else(|| Pattern::Parts { text: text.clone(), names: bound(&value) }),
    }
}

/// Converts a pattern of the form `Constructor(a, _)`. Returns `None` for any other pattern.
fn choice(value: &Expression) -> Option<Pattern> {
    let Is::Chain { base, links } = &value.kind else { return None };
    let (Link { kind: LinkKind::Call(arguments), .. }, before) = links.split_last()? else { return None };
    let name = match (&base.kind, before) {
        (Is::Name(name), []) => name.clone(),
        (Is::Name(_), [.., Link { kind: LinkKind::Member(name), .. }]) if Parser::is_path(before) => name.clone(),
        _ => return None,
    };
    let arguments = arguments.iter().map(|argument| match &argument.kind {
        Is::Name(name) if &**name == "_" => Some(None),
        Is::Name(name) if Parser::is_bound(name) => Some(Some(name.clone())),
        _ => None,
    });
    Some(Pattern::Choice { name, arguments: arguments.collect::<Option<_>>()? })
}

fn bound(value: &Expression) -> Vec<Name> {
    match &value.kind {
        Is::Name(name) if Parser::is_bound(name) && &**name != "_" => vec![name.clone()],
        Is::Array(items) => items.iter().flat_map(bound).collect(),
        Is::Object(fields) => fields.iter().flat_map(|(_, value)| bound(value)).collect(),
        // A constructor pattern binds variables only in its arguments.
        Is::Chain { links, .. } => {
            let arguments = links.iter().filter_map(|link| match &link.kind {
                LinkKind::Call(arguments) => Some(arguments),
                _ => None,
            });
            arguments.flatten().flat_map(bound).collect()
        }
        _ => Vec::new(),
    }
}

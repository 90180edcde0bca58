//! MXML: the code in its `Script` elements, as members of the class that the file is.

use crate::sources::parse::Parser;
use crate::sources::syntax::{Class, ClassKind, Definition, Item, Name, Type};
use agalc::script;

impl Parser<'_> {
    pub(super) fn mxml(&mut self) {
        let text = self.text;
        let name: Name = self.stem.into();
        let mut members = Vec::new();
        let mut at = 0;
        while let Some((start, end)) = script(text, at) {
            at = end;
            let line = 1 + script::lines(text, 0..start);
            self.tokens = script::tokens(text, start..end, line, self.language);
            self.at = 0;
            members.extend(self.members_to_end(&name));
        }
        let base = root(text).map(Type::named);
        let variables = std::mem::take(&mut self.contents).variables;
        let class = Class { base, variables, ..Class::new(name, ClassKind::Class, members, 1) };
        self.module.definitions.push(Definition { package: Some("".into()), item: Item::Class(class) });
    }
}

/// Where the code of the next `Script` element is.
fn script(text: &str, from: usize) -> Option<(usize, usize)> {
    let (begin_of_data, end_of_data) = script::CDATA;
    let mut at = from;
    loop {
        let rest = text.get(at..)?;
        let begin = at + rest.find('<')?;
        let tag = text.get(begin + 1..)?;
        if tag.starts_with("!--") {
            at = begin + tag.find("-->")? + 1;
            continue;
        }
        let name = tag.split(|letter: char| !(letter.is_alphanumeric() || letter == ':' || letter == '_')).next()?;
        at = begin + 1;
        if name.rsplit(':').next() != Some("Script") {
            continue;
        }
        let open = tag.find('>')?;
        if tag.get(..open)?.ends_with('/') {
            continue;
        }
        let start = begin + 1 + open + 1;
        let body = text.get(start..)?;
        let close = format!("</{name}");
        let end = body.find(&close).unwrap_or(body.len());
        let inner = body.get(..end)?;
        return Some(match inner.find(begin_of_data) {
            Some(data) => {
                let data = data + begin_of_data.len();
                // The data may hold what looks like the end of the element.
                let length = body.get(data..)?.find(end_of_data).unwrap_or(end.saturating_sub(data));
                (start + data, start + data + length)
            }
            None => (start, start + end),
        });
    }
}

/// The name of the root element without its prefix.
fn root(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = rest.get(rest.find('<')? + 1..)?;
        if rest.starts_with("!--") {
            rest = rest.get(rest.find("-->")?..)?;
        }
        if rest.starts_with(|letter: char| letter.is_alphabetic()) {
            let end = rest.find(|letter: char| letter.is_whitespace() || matches!(letter, '>' | '/'))?;
            return rest.get(..end)?.rsplit(':').next();
        }
    }
}

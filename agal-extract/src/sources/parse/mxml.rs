//! Parses MXML: the code in `Script` elements becomes members of the class that the file defines.

use std::sync::LazyLock;

use agalc::script;
use regex::Regex;

use crate::sources::parse::Parser;
use crate::sources::syntax::{Class, Item, Name, Type};
use crate::strings::pattern;

/// Matches a comment or a `Script` element. The code of a `Script` element is its entire text or a CDATA section, which may
/// contain text that looks like an end tag.
static SCRIPT: LazyLock<Regex> = LazyLock::new(|| {
    let (tag, comment) = (r"(?:\w+:)?Script\b", "<!--.*?-->");
    let data = format!(r"(?:\s|{comment})*<!\[CDATA\[(.*?)(?:\]\]>|\z)");
    pattern(&format!(r"(?s){comment}|<{tag}[^>]*/>|<{tag}[^>]*>(?:{data}|(.*?)(?:</{tag}|\z))"))
});

/// Matches a comment, or the start of an element with its name.
static ELEMENT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)<!--.*?-->|<(?:\w+:)?([\w.]+)"));

impl Parser<'_> {
    pub(super) fn mxml(&mut self) {
        let text = self.text;
        let name: Name = self.stem.into();
        let mut members = Vec::new();
        for found in SCRIPT.captures_iter(text) {
            let Some(code) = found.get(1).or(found.get(2)) else { continue };
            let line = 1 + script::lines(text, 0..code.start());
            self.tokens = script::tokens(text, code.range(), line, self.language());
            self.at = 0;
            while !self.is_end() {
                members.extend(self.tolerant("this member", |parser| parser.member_item(&name)).unwrap_or_default());
            }
        }
        let variables = std::mem::take(&mut self.contents).variables;
        let root = ELEMENT.captures_iter(text).find_map(|found| found.get(1));
        let base = root.map(|root| Type::named(root.as_str()));
        let class = Class { base, variables, name, members, line: 1, ..Class::default() };
        self.define(Item::Class(class));
    }
}

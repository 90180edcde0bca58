//! Parses Haxe definitions and metadata. The submodules parse Haxe classes, expressions and patterns.

mod classes;
mod expressions;
mod patterns;

use agalc::script::Class as Kind;

use crate::sources::parse::classes::Modifiers;
use crate::sources::parse::haxe::classes::public;
use crate::sources::parse::{Parsed, Parser};
use crate::sources::syntax::Item;
use crate::strings::is_one_of;

/// The words before which `final` is a modifier.
const MODIFIED: &str =
    "static override inline macro public private dynamic extern function var class interface abstract";

impl Parser<'_> {
    pub(super) fn haxe_item(&mut self) -> Parsed<()> {
        if self.eat(";") {
            return Ok(());
        }
        if self.eat("package") {
            if !self.is(";") {
                self.package = self.path()?;
            }
            return self.expect(";");
        }
        let is_using = self.eat("using");
        if is_using || self.eat("import") {
            self.import(is_using)?;
            return self.expect(";");
        }
        (self.native, self.embedded) = (None, None);
        let Modifiers { is_enumeration, is_extern, .. } = self.haxe_modifiers()?;
        let (native, embedded) = (self.native.take(), self.embedded.take());
        let mut class = match self.word() {
            Some("class" | "interface") => self.class()?,
            Some("enum") => self.haxe_enum()?,
            Some("abstract") => self.haxe_abstract(is_enumeration)?,
            Some("typedef") => return self.haxe_typedef(),
            Some("function" | "var" | "final") => {
                let members = self.haxe_member(false)?;
                self.define_all(members);
                return Ok(());
            }
            _ => return Err(self.expected("a definition")),
        };
        self.embed_in(&mut class, embedded);
        class.is_extern = is_extern;
        class.native = native.filter(|_| is_extern);
        self.define(Item::Class(class));
        Ok(())
    }

    /// Parses metadata and modifiers. Words such as `abstract` are modifiers only before certain other words.
    fn haxe_modifiers(&mut self) -> Parsed<Modifiers> {
        let mut modifiers = public();
        loop {
            if self.is("@") {
                modifiers.is_enumeration |= self.haxe_metadata()?;
                continue;
            }
            let is_before = |words: &str| matches!(self.ahead(1), (Kind::Word, next) if is_one_of(next, words));
            match self.word() {
                Some("static") => modifiers.is_static = true,
                Some("inline") => modifiers.is_inline = true,
                Some("macro") => modifiers.is_macro = true,
                Some("extern") => modifiers.is_extern = true,
                Some("enum") if is_before("abstract") => modifiers.is_enumeration = true,
                Some("abstract") if is_before("class function var public private override") => {}
                Some("final") if is_before(MODIFIED) => {}
                Some("override" | "public" | "private" | "dynamic" | "overload") => {}
                _ => return Ok(modifiers),
            }
            self.advance();
        }
    }

    fn haxe_typedef(&mut self) -> Parsed<()> {
        self.advance();
        self.name()?;
        self.haxe_type_arguments()?;
        self.expect("=")?;
        self.type_name()?;
        self.eat(";");
        Ok(())
    }

    /// Skips Haxe metadata, and does nothing in ActionScript.
    pub(super) fn skip_haxe_metadata(&mut self) -> Parsed<()> {
        while self.is_haxe() && self.is("@") {
            self.haxe_metadata()?;
        }
        Ok(())
    }

    /// Parses metadata such as `@:name(…)`, and records any embedded file or native name in it. Returns whether the metadata
    /// turns an abstract into an enumeration.
    pub(super) fn haxe_metadata(&mut self) -> Parsed<bool> {
        self.expect("@")?;
        self.eat(":");
        let (start, name) = (self.token().map_or(0, |token| token.at), self.path()?);
        let is_adjacent = self.token().is_some_and(|token| token.at == start + name.len());
        if self.is("(") && is_adjacent {
            let path = self.tokens.get(self.at + 1).and_then(|token| self.text_of(token));
            match (&*name, path) {
                ("file", Some(path)) => self.embedded = Some((path, self.line())),
                ("native", Some(path)) => self.native = Some(path),
                _ => self.find_embedded(),
            }
            self.skip_balanced()?;
        }
        Ok(&*name == "enum")
    }
}

//! What Haxe writes in its own way: files and metadata here, classes, expressions and patterns in the files of this folder.

mod classes;
mod expressions;
mod patterns;

use crate::sources::parse::{Parsed, Parser};
use crate::sources::syntax::{Definition, Item, Name, Variable};

impl Parser<'_> {
    /// A file of Haxe.
    pub(super) fn haxe_file(&mut self) {
        self.module.is_haxe = true;
        let mut package: Name = "".into();
        while !self.is_end() {
            self.tolerant("this definition", |parser| parser.haxe_item(&mut package));
        }
    }

    fn haxe_item(&mut self, package: &mut Name) -> Parsed<()> {
        if self.eat(";") {
            return Ok(());
        }
        if self.eat("package") {
            if !self.is(";") {
                *package = self.path()?;
            }
            return self.expect(";");
        }
        if self.is("import") || self.is("using") {
            let is_using = self.is("using");
            self.advance();
            self.import(is_using)?;
            return self.expect(";");
        }
        let (mut is_enumeration, mut is_extern) = (false, false);
        (self.native, self.embedded) = (None, None);
        while self.is("@") {
            is_enumeration |= self.haxe_metadata()?;
        }
        while ["private", "extern", "final", "inline", "macro", "public", "dynamic", "static"]
            .iter()
            .any(|word| self.is(word) && self.is_name_ahead(1))
        {
            if self.is("final") && (self.is_ahead(2, "=") || self.is_ahead(2, ":")) {
                break;
            }
            is_extern |= self.is("extern");
            self.advance();
        }
        let (native, embedded) = (self.native.take(), self.embedded.take());
        self.package = package.clone();
        let mut item = match self.word() {
            Some("class" | "interface") => Item::Class(self.class()?),
            Some("enum") if self.is_ahead(1, "abstract") => {
                self.advance();
                Item::Class(self.haxe_abstract(true)?)
            }
            Some("enum") => Item::Class(self.haxe_enum()?),
            Some("abstract") if self.is_ahead(1, "class") => {
                self.advance();
                Item::Class(self.class()?)
            }
            Some("abstract") => Item::Class(self.haxe_abstract(is_enumeration)?),
            Some("typedef") => return self.haxe_typedef(),
            Some("function") => {
                self.advance();
                Item::Function(self.named_function()?)
            }
            Some("var" | "final") => {
                let mut variables = self.variables(true)?;
                match variables.pop() {
                    Some(variable) => Item::Variable(Variable { is_constant: false, ..variable }),
                    None => return Ok(()),
                }
            }
            _ => return Err(self.expected("a definition")),
        };
        if let Item::Class(class) = &mut item {
            self.embedded = embedded;
            self.embed_in(class);
            class.is_extern = is_extern;
            class.native = native.filter(|_| is_extern);
        }
        self.module.definitions.push(Definition { package: Some(package.clone()), item });
        Ok(())
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

    /// Goes over all metadata that is next, if the language is Haxe.
    pub(super) fn skip_haxe_metadata(&mut self) -> Parsed<()> {
        while self.is_haxe() && self.is("@") {
            self.haxe_metadata()?;
        }
        Ok(())
    }

    /// Goes over `@:name(…)`, and tells whether it makes an abstract an enumeration.
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
                _ => self.find_embedded(1),
            }
            self.skip_balanced()?;
        }
        Ok(&*name == "enum")
    }
}

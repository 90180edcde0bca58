//! Parses metadata that embeds files in classes.

use crate::avm::names::qualified;
use crate::sources::parse::{Parsed, Parser};
use crate::sources::syntax::{Class, Embed, Expression, ExpressionKind, Item, Name, Type, Variable};

/// The MIME type of embedded files that code reads as bytes.
const BYTES: &str = "application/octet-stream";

const ASSET: &str = "mx.core.ByteArrayAsset";

impl Parser<'_> {
    /// Skips metadata in brackets. Records the file that `[Embed(source="a.agal", mimeType="application/octet-stream")]` names.
    pub(super) fn metadata(&mut self) -> Parsed<()> {
        self.find_embedded();
        self.skip_balanced()
    }

    /// Records the file that `Embed(…)` names, if `Embed` follows the next token.
    pub(super) fn find_embedded(&mut self) {
        if !self.is_ahead(1, "Embed") || !self.is_ahead(2, "(") {
            return;
        }
        let (mut source, mut is_bytes) = (None, false);
        let fields = self.tokens.get(self.at + 3..).unwrap_or_default();
        for field in fields.windows(3).take_while(|field| !field.first().is_some_and(|token| token.is(")"))) {
            let [name, equals, value] = field else { continue };
            if let (true, Some(value)) = (equals.is("="), self.text_of(value)) {
                is_bytes |= name.is("mimeType") && *value == *BYTES;
                if name.is("source") {
                    source = Some(value);
                }
            }
        }
        self.embedded = source.filter(|_| is_bytes).map(|source| (source, self.line()));
    }

    /// Makes a class embed the file named by the metadata before the class.
    pub(super) fn embed_in(&mut self, class: &mut Class, embedded: Option<(Name, u32)>) {
        if let Some((path, line)) = embedded {
            class.base = Some(Type::named(ASSET));
            self.module.embeds.push(Embed { path, class: qualified(&self.package, &class.name), line });
        }
    }

    /// Defines the class that compilers generate for a variable with `[Embed(…)]` metadata. The class becomes the variable's
    /// value.
    pub(super) fn embed_for(&mut self, class: &Name, variables: &mut [Variable]) {
        let ([variable, ..], Some(embedded)) = (variables, self.embedded.take()) else { return };
        let (name, line): (Name, u32) = (format!("{class}_{}", variable.name).into(), variable.line);
        variable.value = Some(Expression { line, kind: ExpressionKind::Name(name.clone()) });
        let mut class = Class { name, line, ..Class::default() };
        self.embed_in(&mut class, Some(embedded));
        self.define(Item::Class(class));
    }
}

//! Parses packages, classes and their members in ActionScript.

use agalc::script::Class as Kind;

use crate::sources::parse::{Parsed, Parser};
use crate::sources::syntax::{
    Class, ClassKind, Contents, Function, Import, Item, Member, MemberItem, Name, Role, Type, Visibility,
};
use crate::strings::is_one_of;

#[derive(Clone, Debug, Default)]
pub(super) struct Modifiers {
    pub(super) visibility: Visibility,
    pub(super) is_static: bool,
    pub(super) is_extern: bool,
    /// Whether the definition is a constant that Haxe's compiler inlines.
    pub(super) is_inline: bool,
    /// Whether the definition is a Haxe macro, which runs inside the compiler.
    pub(super) is_macro: bool,
    /// Whether the definition is a Haxe `enum abstract`.
    pub(super) is_enumeration: bool,
}

impl Modifiers {
    pub(super) fn member(&self, item: MemberItem) -> Member {
        Member {
            is_static: self.is_static || matches!(item, MemberItem::Statement(_)),
            visibility: self.visibility.clone(),
            item,
        }
    }
}

impl Parser<'_> {
    pub(super) fn file(&mut self) {
        while !self.is_end() {
            if self.is_haxe() {
                self.tolerant("this definition", Self::haxe_item);
            } else if self.is("package") && !self.is_ahead(1, "=") && !self.is_ahead(1, ".") {
                self.tolerant("this package", Self::package);
            } else {
                self.tolerant("this definition", |parser| parser.top_item(None));
            }
        }
    }

    fn package(&mut self) -> Parsed<()> {
        self.expect("package")?;
        let package = if self.is("{") { "".into() } else { self.path()? };
        self.expect("{")?;
        self.definitions(Some(&package));
        Ok(())
    }

    fn definitions(&mut self, package: Option<&Name>) {
        self.block_of("this definition", Self::is_end, |parser| parser.top_item(package));
    }

    fn top_item(&mut self, package: Option<&Name>) -> Parsed<()> {
        self.package = package.cloned().unwrap_or_else(|| "".into());
        if self.is("}") {
            return Err(self.problem("this bracket has no matching opening bracket".into()));
        }
        if self.metadata_or_directive()? {
            return Ok(());
        }
        // A compilation condition may precede a block of definitions.
        let is_block = self.is("{");
        if is_block || self.is_conditional_block(false) {
            self.skip(if is_block { 1 } else { 4 });
            return self.nested(|parser| {
                parser.definitions(package);
                Ok(())
            });
        }
        let start = self.at;
        self.modifiers()?;
        let has_package = self.at > start || package.is_some() || self.is("function");
        match self.word() {
            Some("class" | "interface") => {
                let embedded = self.embedded.take();
                let mut class = self.class()?;
                self.embed_in(&mut class, embedded);
                self.embedded = None;
                self.define(Item::Class(class));
            }
            Some("namespace") => self.directive()?,
            Some("function" | "var" | "const") if has_package && self.is_name_ahead(1) => {
                self.at = start;
                let members = self.member_item(&"".into())?;
                self.define_all(members);
            }
            _ => {
                self.at = start;
                let statement = self.statement()?;
                self.module.statements.push(statement);
            }
        }
        Ok(())
    }

    /// Adds the members that a file declares outside classes. Accessors outside classes are skipped, because they occur only in
    /// files that are included in a class.
    pub(super) fn define_all(&mut self, members: Vec<Member>) {
        for member in members {
            match member.item {
                MemberItem::Variable(variable) => self.define(Item::Variable(variable)),
                MemberItem::Function(Role::Method, function) => self.define(Item::Function(function)),
                MemberItem::Function(..) | MemberItem::Statement(_) => {}
            }
        }
    }

    /// Parses metadata, an `import` or a similar directive if one follows. Returns whether metadata or a directive was parsed.
    fn metadata_or_directive(&mut self) -> Parsed<bool> {
        match self.kind() {
            (Kind::Sign, "[") if self.is_metadata() => self.metadata()?,
            (Kind::Word, "import" | "include") => self.directive()?,
            (Kind::Word, "use") if self.is_ahead(1, "namespace") => self.directive()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    pub(super) fn import(&mut self, is_using: bool) -> Parsed<()> {
        let (mut path, mut alias) = (self.path()?, None);
        if self.eat("=") {
            alias = Some(path);
            path = self.path()?;
        }
        let is_wildcard = self.eat(".") && self.eat("*");
        if self.is_haxe() && (self.eat("as") || self.eat("in")) {
            alias = Some(self.name()?);
        }
        self.module.imports.push(Import { path, alias, is_wildcard, is_using });
        Ok(())
    }

    /// Parses the modifiers, namespaces and compilation conditions before a definition.
    fn modifiers(&mut self) -> Parsed<Modifiers> {
        let mut modifiers = Modifiers::default();
        loop {
            if self.is("[") && self.is_metadata() {
                self.metadata()?;
                continue;
            }
            let Some(word) = self.word() else { return Ok(modifiers) };
            match word {
                "public" => modifiers.visibility = Visibility::Public,
                "private" => modifiers.visibility = Visibility::Private,
                "protected" => modifiers.visibility = Visibility::Protected,
                "internal" => modifiers.visibility = Visibility::Internal,
                "static" => modifiers.is_static = true,
                "override" | "final" | "dynamic" | "native" | "virtual" | "abstract" | "prototype" => {}
                "class" | "interface" | "function" | "var" | "const" | "namespace" => return Ok(modifiers),
                _ if self.is_ahead(1, "::") && self.is_name_ahead(2) => {
                    match self.ahead(3) {
                        (Kind::Word, _) => {}
                        (Kind::Sign, "[") => {
                            self.skip(3);
                            self.metadata()?;
                            continue;
                        }
                        // A conditional modifier such as `CONFIG::air { override }` may precede `public function`.
                        (Kind::Sign, "{") if is_modified(self.ahead(4)) && self.is_ahead(5, "}") => self.skip(3),
                        _ => return Ok(modifiers),
                    }
                    self.skip(2);
                }
                _ => {
                    // A word before the keyword of a definition is a namespace.
                    let is_namespace = matches!(self.ahead(1), (Kind::Word, next) if is_definition(next));
                    let begins_line = self.tokens.get(self.at + 1).is_some_and(|next| next.is_first);
                    if !is_namespace || begins_line && !is_modified(self.ahead(1)) {
                        return Ok(modifiers);
                    }
                    modifiers.visibility = Visibility::Namespace(word.into());
                }
            }
            self.advance();
        }
    }

    pub(super) fn class(&mut self) -> Parsed<Class> {
        let line = self.line();
        let kind = if self.is("interface") { ClassKind::Interface } else { ClassKind::Class };
        self.advance();
        let name = self.name()?;
        let (mut base, mut interfaces) = (None, Vec::new());
        if self.is_haxe() {
            self.haxe_type_arguments()?;
        } else if self.eat(".<") {
            // In ActionScript, only the player's own classes have type parameters.
            self.type_name()?;
            self.expect_greater()?;
        }
        loop {
            if self.eat("extends") {
                let mut above = self.types()?.into_iter();
                base = if kind == ClassKind::Interface { None } else { above.next() };
                interfaces.extend(above);
            } else if self.eat("implements") {
                interfaces.extend(self.types()?);
            } else {
                break;
            }
        }
        self.expect("{")?;
        let (members, Contents { variables, .. }) = self.apart(|parser| parser.members(&name));
        // In ActionScript, only the player's own classes have methods without bodies, which occur in declaration files.
        let is_empty = |member: &Member| matches!(&member.item, MemberItem::Function(_, Function { body: None, .. }));
        let is_extern = kind == ClassKind::Class && members.iter().any(is_empty);
        Ok(Class { base, interfaces, variables, is_extern, name, kind, members, line, ..Class::default() })
    }

    fn types(&mut self) -> Parsed<Vec<Type>> {
        let mut types = Vec::new();
        loop {
            types.extend(self.type_name()?);
            if !self.eat(",") {
                return Ok(types);
            }
            // Old versions of Haxe repeat the word `implements`.
            self.eat("implements");
        }
    }

    fn members(&mut self, class: &Name) -> Vec<Member> {
        let member = |parser: &mut Self| match parser.is_haxe() {
            true => parser.haxe_member(false),
            false => parser.member_item(class),
        };
        self.block_of("this member", Self::is_end, member).into_iter().flatten().collect()
    }

    pub(super) fn member_item(&mut self, class: &Name) -> Parsed<Vec<Member>> {
        if self.eat(";") || self.metadata_or_directive()? {
            return Ok(Vec::new());
        }
        let start = self.at;
        let modifiers = self.modifiers()?;
        let items = match self.word() {
            Some("var" | "const") => {
                let mut variables = self.variables(true)?;
                self.embed_for(class, &mut variables);
                if !self.eat(";") && !self.is_first() && !self.is("}") {
                    return Err(self.expected("`;`"));
                }
                variables.into_iter().map(MemberItem::Variable).collect()
            }
            Some("function") => {
                self.embedded = None;
                vec![self.method()?]
            }
            Some("namespace") => {
                self.directive()?;
                Vec::new()
            }
            Some("class" | "interface") => return Err(self.problem("a class cannot contain another class".into())),
            _ if self.at > start && !self.is("{") && !self.is("[") => {
                return Err(self.expected("`function`, `var` or `const`"));
            }
            // A conditional block such as `CONFIG::debug { … }` contains members, whereas any other block is a statement.
            _ if self.is_conditional_block(true) => {
                self.skip(4);
                return self.nested(|parser| Ok(parser.members(class)));
            }
            _ => {
                self.at = start;
                vec![MemberItem::Statement(self.statement()?)]
            }
        };
        Ok(items.into_iter().map(|item| modifiers.member(item)).collect())
    }

    /// Reports whether `CONFIG::debug {` follows and opens a block of definitions. Outside classes, variables in a conditional
    /// block belong to statements.
    fn is_conditional_block(&self, in_class: bool) -> bool {
        let is_condition =
            self.is_name_ahead(0) && self.is_ahead(1, "::") && self.is_name_ahead(2) && self.is_ahead(3, "{");
        let begins_definition = |token| match token {
            (Kind::Word, "var" | "const") => false,
            (Kind::Word, "import" | "use" | "include") | (Kind::Sign, "[") => true,
            (Kind::Word, word) => is_definition(word) || self.is_ahead(5, "::"),
            _ => false,
        };
        is_condition && (in_class || begins_definition(self.ahead(4)))
    }

    /// Parses `function name(…):T { … }`, in which `get` or `set` may precede the name.
    fn method(&mut self) -> Parsed<MemberItem> {
        self.expect("function")?;
        let role = match self.word() {
            Some("get") if self.is_name_ahead(1) => Role::Getter,
            Some("set") if self.is_name_ahead(1) => Role::Setter,
            _ => Role::Method,
        };
        if role != Role::Method {
            self.advance();
        }
        Ok(MemberItem::Function(role, self.named_function()?))
    }

    /// Parses the rest of a function, beginning with its name.
    pub(super) fn named_function(&mut self) -> Parsed<Function> {
        let line = self.line();
        let name = Some(self.name()?);
        Ok(Function { name, line, ..self.nested(Self::function_rest)? })
    }
}

fn is_definition(word: &str) -> bool {
    matches!(word, "class" | "interface" | "function" | "var" | "const" | "namespace") || is_modifier(word)
}

fn is_modifier(word: &str) -> bool {
    is_one_of(word, "public private protected internal static override final dynamic native virtual abstract")
}

fn is_modified(kind: (Kind, &str)) -> bool {
    matches!(kind, (Kind::Word, word) if is_modifier(word))
}

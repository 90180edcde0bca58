//! Resolves names and the namespaces in which names are looked up.

use swf::avm2::types::{Index, Multiname, Namespace, NamespaceSet, Op};

use crate::avm::names::{qualified, short};
use crate::sources::emit::Emitter;
use crate::sources::emit::frame::{FrameKind, Home};
use crate::sources::emit::places::Place;
use crate::sources::emit::pool::Multi;
use crate::sources::emit::world::split;
use crate::sources::syntax::{Expression, ExpressionKind as Is, Link, LinkKind, Name, Type, Visibility};
use crate::strings::is_one_of;

const VECTORS: &str = "__AS3__.vec";

impl Emitter<'_> {
    pub(super) fn member_namespace(&mut self, visibility: &Visibility) -> Index<Namespace> {
        let own = self.home.own();
        match visibility {
            Visibility::Public => self.pool.namespace(Namespace::Package, ""),
            Visibility::Internal => self.pool.namespace(Namespace::PackageInternal, &self.home.package),
            Visibility::Protected => self.pool.namespace(Namespace::Protected, &own),
            Visibility::Private => self.pool.namespace(Namespace::Private, &own),
            Visibility::Namespace(name) => self.pool.namespace(Namespace::Namespace, name),
        }
    }

    pub(super) fn enter_home(&mut self, home: Home) {
        self.home = home;
        self.open = None;
    }

    pub(super) fn open_namespaces(&mut self) -> Index<NamespaceSet> {
        if let Some(open) = self.open {
            return open;
        }
        let mut set = vec![self.pool.namespace(Namespace::Package, "")];
        if !self.home.package.is_empty() {
            set.push(self.pool.namespace(Namespace::Package, &self.home.package));
        }
        set.push(self.member_namespace(&Visibility::Internal));
        if self.home.class.is_some() {
            set.insert(0, self.member_namespace(&Visibility::Private));
            set.push(self.member_namespace(&Visibility::Protected));
        }
        for name in self.namespaces.clone() {
            set.push(self.pool.namespace(Namespace::Namespace, &name));
        }
        let world = self.world;
        for package in world.wildcards(self.number) {
            set.push(self.pool.namespace(Namespace::Package, package));
        }
        let open = self.pool.set(&set);
        self.open = Some(open);
        open
    }

    /// Returns the multiname that looks up a name in all open namespaces.
    pub(super) fn open(&mut self, name: &str) -> Multi {
        let set = self.open_namespaces();
        self.pool.open(set, name)
    }

    /// Returns the multiname that looks up the string on the stack in all open namespaces.
    pub(super) fn late(&mut self) -> Multi {
        let set = self.open_namespaces();
        self.pool.late(set)
    }

    pub(super) fn public(&mut self, name: &str) -> Multi {
        self.packaged("", name)
    }

    pub(super) fn packaged(&mut self, package: &str, name: &str) -> Multi {
        let namespace = self.pool.namespace(Namespace::Package, package);
        self.pool.qualified(namespace, name)
    }

    /// Returns the multiname of the definition with the given qualified name.
    pub(super) fn definition(&mut self, path: &str) -> Multi {
        let (package, name) = split(self.world.native(path).unwrap_or(path));
        self.packaged(package, name)
    }

    pub(super) fn find(&self, name: &Name) -> Option<Name> {
        self.world.find(self.number, &self.home.package, name)
    }

    /// Resolves a name. If the name denotes a member of an imported Haxe class or of a compilation condition's namespace, the
    /// first result is the name of the class or namespace.
    pub(super) fn meaning(&mut self, name: &Name) -> (Option<Multi>, Place) {
        if let Some((space, name)) = name.split_once("::") {
            if !self.world.namespaces.contains(space) {
                // A name such as `CONFIG::debug` is a compilation condition, whose value is unknown.
                return (Some(self.public(space)), Place::Member(self.public(name)));
            }
            let namespace = self.pool.namespace(Namespace::Namespace, space);
            return (None, Place::Lexical(self.pool.qualified(namespace, name)));
        }
        if let Some(local) = self.frame.find(name) {
            return (None, Place::Local(local.clone()));
        }
        let outer = self.outer.iter().rev().find_map(|frame| frame.find(name)).map(|local| local.name.clone());
        let multi = if let Some(name) = outer {
            self.public(&name)
        } else if self.is_member(name) {
            self.open(name)
        } else if self.is_haxe
            && let Some((class, member)) = self.world.static_import(self.number, name)
        {
            return (Some(self.definition(&class)), Place::Member(self.public(&member)));
        } else if let Some(found) = self.find(name) {
            self.definition(&found)
        } else if self.is_haxe
            && let Some(choice) = self.world.choices.get(name)
        {
            return (Some(self.definition(&choice.home)), Place::Member(self.public(name)));
        } else if is_built_in(name) {
            self.public(name)
        } else if &**name == "Vector" {
            self.packaged(VECTORS, "Vector")
        } else {
            self.open(name)
        };
        (None, Place::Lexical(multi))
    }

    /// Reports whether the current class or one of its base classes has a member with the given name.
    pub(super) fn is_member(&self, name: &Name) -> bool {
        let Some(class) = self.home.full() else { return false };
        let has_instance = self.outer.iter().chain([&self.frame]).any(|frame| frame.kind == FrameKind::Instance);
        self.world.above(&class).into_iter().any(|facts| {
            let is_own = qualified(&facts.package, &facts.class.name) == class;
            let member = has_instance.then(|| facts.member(false, name)).flatten().or(facts.member(true, name));
            member.is_some_and(|member| is_own || member.visibility != Visibility::Private)
        })
    }

    /// Returns the name of the definition at the start of a dotted path, and the number of member accesses that belong to the
    /// name.
    pub(super) fn path(&mut self, base: &Expression, links: &[Link]) -> Option<(Name, usize)> {
        let (Is::Name(first), [Link { kind: LinkKind::Member(_), .. }, ..]) = (&base.kind, links) else { return None };
        if !matches!(self.meaning(first), (None, Place::Lexical(_)))
            || self.find(first).is_some()
            || self.outer.iter().any(|frame| frame.find(first).is_some())
            || self.is_member(first)
        {
            return None;
        }
        let members = links.iter().map_while(|link| match &link.kind {
            LinkKind::Member(name) => Some(name),
            _ => None,
        });
        let mut package = String::new();
        for (at, name) in std::iter::once(first).chain(members).enumerate() {
            let path = qualified(&package, name);
            let is_type = name.starts_with(char::is_uppercase);
            let is_in_package = self.world.packages.contains(&*package) && !self.world.packages.contains(&*path);
            if at > 0 && (self.world.is_known(&path) || is_type || is_in_package) {
                return Some((path, at));
            }
            if is_type {
                return None;
            }
            package = path.to_string();
        }
        None
    }

    pub(super) fn type_multi(&mut self, of: Option<&Type>) -> Option<Multi> {
        let of = of?;
        let last = short(&of.path);
        if last == "Vector" {
            let base = self.packaged(VECTORS, "Vector");
            if of.parameters.is_empty() {
                return Some(base);
            }
            let parameters = of.parameters.iter().map(|parameter| self.type_index(parameter.as_ref())).collect();
            return Some(self.pool.applied(base, parameters));
        }
        Some(match self.world.type_name(self.number, &self.home.package, of) {
            Some(found) => self.definition(&found),
            None if is_built_in(&of.path) => self.public(&of.path),
            None => self.open(last),
        })
    }

    /// Returns the index of a type's name, or 0 for the type `*`.
    pub(super) fn type_index(&mut self, of: Option<&Type>) -> Index<Multiname> {
        self.type_multi(of).map_or(Index::new(0), |multi| multi.index)
    }

    /// Returns the instruction that converts a value to a type, or `None` if the conversion has no effect.
    pub(super) fn coercion(&mut self, of: Option<&Type>) -> Option<Op> {
        let of = of?;
        Some(match &*of.path {
            "String" => Op::CoerceS,
            "int" => Op::ConvertI,
            "uint" => Op::ConvertU,
            "Number" => Op::ConvertD,
            "Boolean" => Op::ConvertB,
            "void" | "Object" => return None,
            // An unknown name of one or two letters is assumed to be a Haxe type parameter, which is not a class.
            path if self.is_haxe && path.len() <= 2 && self.find(&of.path).is_none() => return None,
            _ => Op::Coerce { index: self.type_multi(Some(of))?.index },
        })
    }
}

/// Reports whether Flash Player declares a class or function with the given name outside packages.
fn is_built_in(path: &str) -> bool {
    is_one_of(
        path,
        "Array Boolean Class Date Error Infinity JSON Function Math Number NaN Object RegExp String XML XMLList int isNaN parseFloat \
         parseInt trace uint void",
    )
}

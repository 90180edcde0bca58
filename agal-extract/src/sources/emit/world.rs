//! The definitions of all sources, and the resolution of names in each source.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::avm::names::{qualified, short};
use crate::sources::syntax::{
    Class, ClassKind, Expression, Function, Import, Item, Member, MemberItem, Module, Name, Role, Type, Variable,
    Visibility,
};

#[derive(Debug)]
pub(super) struct ClassFacts<'a> {
    pub(super) package: Name,
    pub(super) class: &'a Class,
    module: usize,
    /// The named members. The key consists of a flag, which is set for static members, and the name.
    members: HashMap<(bool, &'a str), &'a Member>,
}

impl<'a> ClassFacts<'a> {
    fn new(module: usize, package: Name, class: &'a Class) -> ClassFacts<'a> {
        // Within a class, the class's name denotes the class, not the constructor.
        let is_other = |name: &&'a Name| **name != class.name;
        let named = |member: &'a Member| Some(((member.is_static, &**member.name().filter(is_other)?), member));
        ClassFacts { package, class, module, members: class.members.iter().filter_map(named).collect() }
    }

    pub(super) fn member(&self, is_static: bool, name: &str) -> Option<&'a Member> {
        self.members.get(&(is_static, name)).copied()
    }
}

pub(super) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('.').unwrap_or(("", path))
}

fn is_class(path: &str) -> bool {
    short(path).starts_with(char::is_uppercase)
}

/// A constructor of a Haxe enumeration.
#[derive(Debug)]
pub(super) struct Choice<'a> {
    pub(super) home: Name,
    pub(super) parameters: &'a [Variable],
    /// Whether values of the enumeration are tagged objects, which is the case if any constructor has parameters.
    pub(super) is_tagged: bool,
}

/// The maximum number of classes that are followed along an inheritance chain.
const DEEPEST: usize = 50;

#[derive(Debug, Default)]
pub(super) struct World<'a> {
    /// The package-level definitions, keyed by qualified name. Functions and variables map to `None`.
    known: HashMap<Name, Option<ClassFacts<'a>>>,
    /// The package of each definition in each module, keyed by the definition's name.
    own: Vec<HashMap<Name, Name>>,
    imports: Vec<&'a [Import]>,
    /// The paths of the named imports of each module, keyed by the name that the module uses.
    named: Vec<HashMap<Name, &'a str>>,
    /// All packages in which sources declare or import definitions, including enclosing packages.
    pub(super) packages: BTreeSet<&'a str>,
    pub(super) choices: BTreeMap<Name, Choice<'a>>,
    /// The namespaces in which classes declare members. Any other namespace belongs to conditional compilation.
    pub(super) namespaces: BTreeSet<&'a str>,
}

impl<'a> World<'a> {
    pub(super) fn new(modules: &'a [(Option<usize>, Module)]) -> World<'a> {
        let mut world = World::default();
        let definitions = modules.iter().flat_map(|(_, module)| &module.definitions);
        let real: BTreeSet<Name> = definitions
            .filter_map(|definition| match &definition.item {
                Item::Class(class) if !class.is_extern => Some(qualified(&definition.package, &class.name)),
                _ => None,
            })
            .collect();
        for (number, (_, module)) in modules.iter().enumerate() {
            let mut own = HashMap::new();
            for definition in &module.definitions {
                world.add_package(&definition.package);
                let package = definition.package.clone();
                let (name, known) = match &definition.item {
                    Item::Class(class) => {
                        let full = qualified(&package, &class.name);
                        if class.is_extern && real.contains(&full) {
                            own.insert(class.name.clone(), package);
                            continue;
                        }
                        world.namespaces.extend(class.members.iter().filter_map(|member| match &member.visibility {
                            Visibility::Namespace(name) => Some(&**name),
                            _ => None,
                        }));
                        world.add_choices(&full, class);
                        (&class.name, Some(ClassFacts::new(number, package.clone(), class)))
                    }
                    Item::Function(function) => match &function.name {
                        Some(name) => (name, None),
                        None => continue,
                    },
                    Item::Variable(variable) => (&variable.name, None),
                };
                own.insert(name.clone(), package.clone());
                world.known.entry(qualified(&package, name)).or_insert(known);
            }
            for variable in &module.variables {
                own.entry(variable.name.clone()).or_insert_with(|| "".into());
            }
            for import in &module.imports {
                world.add_package(if import.is_wildcard { &import.path } else { split(&import.path).0 });
            }
            let named = module.imports.iter().rev().filter(|import| !import.is_wildcard).map(|import| {
                let name = import.alias.clone().unwrap_or_else(|| short(&import.path).into());
                (name, &*import.path)
            });
            world.named.push(named.collect());
            world.own.push(own);
            world.imports.push(&module.imports);
        }
        world
    }

    fn add_package(&mut self, mut package: &'a str) {
        while !package.is_empty() && !package.contains(char::is_uppercase) && self.packages.insert(package) {
            package = split(package).0;
        }
    }

    fn add_choices(&mut self, home: &Name, class: &'a Class) {
        if !matches!(class.kind, ClassKind::Enum | ClassKind::Abstract) {
            return;
        }
        let is_method = |member: &Member| matches!(member.item, MemberItem::Function(Role::Method, _));
        let is_tagged = class.kind == ClassKind::Enum && class.members.iter().any(is_method);
        for member in class.members.iter().filter(|member| member.is_static) {
            let (name, parameters): (_, &[Variable]) = match &member.item {
                MemberItem::Variable(variable) => (&variable.name, &[]),
                MemberItem::Function(Role::Method, Function { name: Some(name), parameters, .. }) if is_tagged => {
                    (name, parameters)
                }
                _ => continue,
            };
            let choice = Choice { home: home.clone(), parameters, is_tagged };
            self.choices.entry(name.clone()).or_insert(choice);
        }
    }

    pub(super) fn class(&self, full: &str) -> Option<&ClassFacts<'a>> {
        self.known.get(full)?.as_ref()
    }

    /// Reports whether a class is compiled as a definition. An extern class counts as a definition if it has code and no other
    /// source defines the class.
    pub(super) fn is_definition(&self, package: &str, class: &Class) -> bool {
        let is_real = |facts: &ClassFacts<'_>| !facts.class.is_extern;
        !class.is_extern || class.has_code() && !self.class(&qualified(package, &class.name)).is_some_and(is_real)
    }

    /// Returns the run-time name of a class if metadata renames the class.
    pub(super) fn native(&self, path: &str) -> Option<&'a str> {
        self.class(path)?.class.native.as_deref()
    }

    pub(super) fn is_known(&self, full: &str) -> bool {
        self.known.contains_key(full)
    }

    /// Returns the classes that a module imports with `using`. A function of such a class can be called as a method of the
    /// function's first argument.
    pub(super) fn using(&self, module: usize) -> impl Iterator<Item = &ClassFacts<'a>> {
        let imports = self.imports.get(module).copied().unwrap_or_default();
        imports.iter().filter(|import| import.is_using).filter_map(|import| {
            let home = self.imported(&import.path);
            self.class(&home).or_else(|| self.class(short(&home)))
        })
    }

    pub(super) fn wildcards(&self, module: usize) -> impl Iterator<Item = &Name> {
        let imports = self.imports.get(module).copied().unwrap_or_default();
        imports.iter().filter(|import| import.is_wildcard).map(|import| &import.path)
    }

    /// Returns the qualified name of the definition to which a name refers in a module and package.
    pub(super) fn find(&self, module: usize, package: &str, name: &Name) -> Option<Name> {
        if let Some(path) = self.named.get(module).and_then(|named| named.get(name)) {
            return Some(self.imported(path));
        }
        if let Some(package) = self.own.get(module).and_then(|own| own.get(name)) {
            return Some(qualified(package, name));
        }
        let wildcards = self.wildcards(module).map(|package| &**package);
        let packages = std::iter::once(package).chain(wildcards).chain([""]);
        packages.map(|package| qualified(package, name)).find(|path| self.is_known(path))
    }

    /// Returns the class and the static member that a module imports under the given name.
    pub(super) fn static_import(&self, module: usize, name: &str) -> Option<(Name, Name)> {
        if let Some(path) = self.named.get(module).and_then(|named| named.get(name)) {
            let (class, member) = split(path);
            return (is_class(class) && !is_class(member)).then(|| (self.imported(class), member.into()));
        }
        self.wildcards(module).filter(|path| is_class(path)).find_map(|path| {
            let home = self.imported(path);
            self.class(&home)?.member(true, name).map(|_| (home, name.into()))
        })
    }

    /// Resolves an import path. A Haxe type may be declared in a module with a different name; the type's qualified name omits
    /// the module's name.
    fn imported(&self, path: &str) -> Name {
        let (outer, name) = split(path);
        if is_class(outer) && !self.is_known(path) { qualified(split(outer).0, &name.into()) } else { path.into() }
    }

    /// Resolves a type's path, which begins with a package or with the name of a definition.
    pub(super) fn type_name(&self, module: usize, package: &str, of: &Type) -> Option<Name> {
        let Some((first, _)) = of.path.split_once('.') else { return self.find(module, package, &of.path) };
        let home = self.find(module, package, &first.into()).filter(|_| is_class(first));
        Some(match home {
            Some(home) => qualified(split(&home).0, &short(&of.path).into()),
            None => self.imported(&of.path),
        })
    }

    /// Returns a class followed by its known base classes.
    pub(super) fn above(&self, full: &str) -> Vec<&ClassFacts<'a>> {
        let base = |facts: &&ClassFacts<'a>| {
            self.class(&self.type_name(facts.module, &facts.package, facts.class.base.as_ref()?)?)
        };
        // The limit ends the chain if a class inherits from itself.
        std::iter::successors(self.class(full), base).take(DEEPEST).collect()
    }

    /// Returns the value of a static constant, which may be inherited.
    pub(super) fn constant(&self, class: &str, member: &str) -> Option<&'a Expression> {
        self.above(class).into_iter().find_map(|facts| match &facts.member(true, member)?.item {
            MemberItem::Variable(variable) if variable.is_constant => variable.value.as_ref(),
            _ => None,
        })
    }
}

//! Names in ABC blocks. A name consists of a string and the namespaces in which the string is looked up.
//!
//! A namespace is a number. Namespaces with the same kind and name are equal in all blocks, except that a private namespace
//! belongs to one block. All protected namespaces count as the same namespace, because a subclass has its own protected namespace
//! and still overrides protected members of its base class.

use std::collections::HashMap;
use std::rc::Rc;

use swf::avm2::types::Namespace;

/// A string that names a definition or a member, with or without its package.
pub(crate) type Name = Rc<str>;

/// A namespace, identified by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Space(pub(crate) u32);

/// The public namespace without a package.
pub(crate) const PUBLIC: Space = Space(0);
/// The namespace that stands for all protected namespaces.
const PROTECTED: Space = Space(1);
/// The bit that marks private namespaces.
const PRIVATE: u32 = 1 << 31;

impl Space {
    /// Reports whether code outside the inputs can refer to names in the namespace.
    pub(crate) fn is_for_others(self) -> bool {
        self == PUBLIC || self == PROTECTED
    }
}

#[derive(Debug)]
pub(crate) struct Spaces {
    named: HashMap<(u8, Name), Space>,
    private: u32,
}

impl Default for Spaces {
    fn default() -> Spaces {
        Spaces { named: HashMap::from([((0, "".into()), PUBLIC)]), private: 0 }
    }
}

impl Spaces {
    /// Returns the number of a namespace. Each private namespace gets a new number.
    pub(crate) fn number(&mut self, namespace: &Namespace, name: &Name) -> Space {
        let kind = match namespace {
            Namespace::Package(_) => 0,
            Namespace::Namespace(_) | Namespace::Explicit(_) => 1,
            Namespace::PackageInternal(_) => 2,
            Namespace::Protected(_) | Namespace::StaticProtected(_) => return PROTECTED,
            Namespace::Private(_) => {
                self.private = self.private.saturating_add(1);
                return Space(self.private | PRIVATE);
            }
        };
        let next = Space(u32::try_from(self.named.len()).unwrap_or(u32::MAX).saturating_add(1));
        *self.named.entry((kind, name.clone())).or_insert(next)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub(crate) spaces: Box<[Space]>,
    /// The names of the packages in which a definition is looked up.
    pub(crate) packages: Box<[Name]>,
}

/// A name in an instruction or a definition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Multi {
    /// The name's string; `None` if the string is on the stack, or if the name is a wildcard.
    pub(crate) name: Option<Name>,
    pub(crate) scope: Rc<Scope>,
    /// The parameter of a parameterised type, such as `Vector.<String>`.
    pub(crate) of: Option<Rc<Multi>>,
    /// Whether the name's string is on the stack at run time.
    pub(crate) has_runtime_name: bool,
    /// Whether the name's namespace is on the stack at run time.
    pub(crate) has_runtime_namespace: bool,
}

impl Multi {
    /// Returns the qualified names of the definitions to which the name may refer.
    pub(crate) fn qualified(&self) -> impl Iterator<Item = Name> {
        self.scope.packages.iter().filter_map(|package| Some(qualified(package, self.name.as_ref()?)))
    }

    pub(crate) fn spaces(&self) -> &[Space] {
        &self.scope.spaces
    }

    pub(crate) fn text(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    /// Returns a name that is looked up in one namespace, and among the definitions without a package.
    pub(crate) fn of_space(name: Name, space: Space) -> Multi {
        let scope = Scope { spaces: Box::new([space]), packages: Box::new(["".into()]) };
        Multi { name: Some(name), scope: Rc::new(scope), ..Multi::default() }
    }
}

/// Returns `package.name`, or only the name if the package is empty.
pub(crate) fn qualified(package: &str, name: &Name) -> Name {
    if package.is_empty() { name.clone() } else { format!("{package}.{name}").into() }
}

/// Returns the name without its package.
pub(crate) fn short(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

//! Names in ABC blocks: a text, and the namespaces in which it is looked up.
//!
//! A namespace is a number. Namespaces of the same kind and name are the same in all blocks, but a private namespace belongs to one
//! block. All protected namespaces count as one, since a subclass overrides protected members of its base class although it has a
//! protected namespace of its own.

use std::collections::HashMap;
use std::rc::Rc;

use swf::avm2::types::Namespace;

/// A name in code.
pub(crate) type Name = Rc<str>;

/// A namespace, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Space(pub(crate) u32);

/// The public namespace without a package.
pub(crate) const PUBLIC: Space = Space(0);
/// Any protected namespace.
const PROTECTED: Space = Space(1);
/// The bit that marks private namespaces.
const PRIVATE: u32 = 1 << 31;

impl Space {
    /// Whether code outside the inputs can use the names in this namespace.
    pub(crate) fn is_for_others(self) -> bool {
        self == PUBLIC || self == PROTECTED
    }
}

/// The namespaces seen so far.
#[derive(Debug)]
pub(crate) struct Spaces {
    named: HashMap<(u8, Name), Space>,
    /// Number of private namespaces.
    private: u32,
}

impl Default for Spaces {
    fn default() -> Spaces {
        Spaces { named: HashMap::from([((0, "".into()), PUBLIC)]), private: 0 }
    }
}

impl Spaces {
    /// Number of a namespace whose name is `name`. Each private namespace gets a new number.
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

/// The namespaces in which a name is looked up.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub(crate) spaces: Box<[Space]>,
    /// Names of the namespaces that can contain definitions.
    pub(crate) packages: Box<[Name]>,
}

/// A name in an instruction or a definition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Multi {
    /// The name. `None` if it is on the stack, or if any name matches.
    pub(crate) name: Option<Name>,
    /// The namespaces in which the name is looked up.
    pub(crate) scope: Rc<Scope>,
    /// Parameter of a parameterised type, such as `Vector.<String>`.
    pub(crate) of: Option<Rc<Multi>>,
    /// Whether the name is on the stack.
    pub(crate) has_runtime_name: bool,
    /// Whether the namespace is on the stack.
    pub(crate) has_runtime_namespace: bool,
}

impl Multi {
    /// The qualified names that this name may denote.
    pub(crate) fn qualified(&self) -> impl Iterator<Item = Name> {
        self.scope.packages.iter().filter_map(|package| Some(qualified(package, self.name.as_ref()?)))
    }

    pub(crate) fn spaces(&self) -> &[Space] {
        &self.scope.spaces
    }

    pub(crate) fn text(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    /// The name of a member in one namespace, or of a definition without a package.
    pub(crate) fn of_space(name: Name, space: Space) -> Multi {
        let scope = Scope { spaces: Box::new([space]), packages: Box::new(["".into()]) };
        Multi { name: Some(name), scope: Rc::new(scope), ..Multi::default() }
    }
}

/// `package.name`, or the name alone.
pub(crate) fn qualified(package: &str, name: &Name) -> Name {
    if package.is_empty() { name.clone() } else { format!("{package}.{name}").into() }
}

/// The name without the package.
pub(crate) fn short(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

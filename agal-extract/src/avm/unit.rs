//! An ABC block, whose names and strings are converted to the interpreter's representation on demand.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use swf::avm2::types::{Index, Multiname, Namespace, NamespaceSet};

use crate::avm::abc::Abc;
use crate::avm::code::Code;
use crate::avm::names::{Multi, Name, Scope, Space, Spaces};
use crate::eval::text::Text;

/// The source positions of a compiled block's instructions. Each key is a method index and a byte offset; each value is the index
/// of the input file and the line number, counted from 1.
pub(crate) type Lines = std::collections::BTreeMap<(u32, u32), (usize, u32)>;

/// The name of the SWF in a SWC file.
pub(crate) const LIBRARY: &str = "library.swf";

#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    pub(crate) input: usize,
    /// The block's path within the input, such as `library.swf` and `DoABC 2`.
    pub(crate) path: Rc<[String]>,
    /// The source positions of the block's instructions; `None` if the block was not compiled from source.
    pub(crate) lines: Option<Rc<Lines>>,
}

impl Origin {
    /// Reports whether code outside the inputs may use the block. A SWC or a source may be part of a larger application, but a
    /// SWF is a complete application.
    pub(crate) fn is_of_library(&self) -> bool {
        self.lines.is_some() || self.path.first().is_some_and(|file| file == LIBRARY)
    }
}

#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) abc: Abc,
    pub(crate) origin: Origin,
    strings: Box<[OnceCell<Name>]>,
    texts: RefCell<Cache<Text>>,
    namespaces: Box<[Named]>,
    /// The scopes of the block's namespace sets, created on demand.
    scopes: Box<[OnceCell<Rc<Scope>>]>,
    codes: RefCell<Cache<Rc<Code>>>,
    empty: (Name, Rc<Scope>),
}

#[derive(Debug)]
struct Named {
    space: Space,
    /// The name of the package; `None` if the namespace cannot contain definitions.
    package: Option<Index<String>>,
    /// The scope that consists of only the given namespace.
    scope: OnceCell<Rc<Scope>>,
}

/// A cache of numbered entries. If a new entry would exceed the capacity, all earlier entries are dropped.
#[derive(Debug)]
struct Cache<T> {
    entries: HashMap<u32, T>,
    memory: usize,
    /// The limit on `memory`, in bytes. The memory exceeds the limit only if a single entry does.
    capacity: usize,
}

impl<T: Clone> Cache<T> {
    fn new(capacity: usize) -> Cache<T> {
        Cache { entries: HashMap::new(), memory: 0, capacity }
    }

    /// Returns the entry with the given number, and creates the entry if it is missing.
    fn get(&mut self, number: u32, size: impl Fn(&T) -> usize, make: impl FnOnce() -> T) -> T {
        if let Some(known) = self.entries.get(&number) {
            return known.clone();
        }
        let made = make();
        self.memory = self.memory.saturating_add(size(&made));
        if self.memory > self.capacity {
            self.entries.clear();
            self.memory = size(&made);
        }
        self.entries.insert(number, made.clone());
        made
    }
}

/// The memory of an instruction and of a string constant, in bytes. The characters of the string are counted separately.
const INSTRUCTION: usize = 100;
const TEXT: usize = 150;
/// The capacity of each cache of a block: `SHARE` times the block's length, but at least `LEAST` bytes.
const SHARE: usize = 1;
const LEAST: usize = 2 << 20;

/// The maximum depth of nested type parameters, such as vectors of vectors.
const NESTED: usize = 4;

/// Returns an entry of a constant list, in which the first stored entry has the index 1.
fn entry<'l, T, U>(list: &'l [U], index: &Index<T>) -> Option<&'l U> {
    list.get((index.0 as usize).checked_sub(1)?)
}

impl Unit {
    pub(crate) fn new(abc: Abc, origin: Origin, spaces: &mut Spaces) -> Unit {
        let capacity = abc.bytes.len().saturating_mul(SHARE).max(LEAST);
        let mut unit = Unit {
            strings: abc.strings.iter().map(|_| OnceCell::new()).collect(),
            texts: RefCell::new(Cache::new(capacity)),
            namespaces: Box::new([]),
            scopes: abc.sets.iter().map(|_| OnceCell::new()).collect(),
            codes: RefCell::new(Cache::new(capacity)),
            empty: ("".into(), Rc::default()),
            abc,
            origin,
        };
        unit.namespaces = unit.abc.namespaces().map(|namespace| unit.named(&namespace, spaces)).collect();
        unit
    }

    fn named(&self, namespace: &Namespace, spaces: &mut Spaces) -> Named {
        let (name, is_package) = match namespace {
            Namespace::Package(name)
            | Namespace::PackageInternal(name)
            | Namespace::Namespace(name)
            | Namespace::Private(name) => (name, true),
            Namespace::Protected(name) | Namespace::Explicit(name) | Namespace::StaticProtected(name) => (name, false),
        };
        let space = spaces.number(namespace, self.string(name));
        Named { space, package: is_package.then_some(*name), scope: OnceCell::new() }
    }

    pub(crate) fn string(&self, index: &Index<String>) -> &Name {
        let make = || String::from_utf8_lossy(self.abc.string(index).unwrap_or_default()).into();
        entry(&self.strings, index).map_or(&self.empty.0, |cell| cell.get_or_init(make))
    }

    /// Returns a string constant in the interpreter's representation.
    pub(crate) fn text(&self, index: &Index<String>) -> Text {
        let size = |text: &Text| TEXT.saturating_add(text.size());
        self.texts.borrow_mut().get(index.0, size, || Text::literal(self.string(index)))
    }

    pub(crate) fn double(&self, index: &Index<f64>) -> f64 {
        self.abc.double(index).unwrap_or(f64::NAN)
    }

    pub(crate) fn int(&self, index: &Index<i32>) -> i32 {
        self.abc.int(index).unwrap_or_default()
    }

    pub(crate) fn uint(&self, index: &Index<u32>) -> u32 {
        self.abc.uint(index).unwrap_or_default()
    }

    pub(crate) fn code(&self, method: u32) -> Option<Rc<Code>> {
        let body = self.abc.body(method)?;
        let size = |code: &Rc<Code>| code.instructions.len().saturating_mul(INSTRUCTION);
        Some(self.codes.borrow_mut().get(method, size, || Rc::new(Code::decode(&body))))
    }

    /// Returns the name with the given index, or `None` if the block has no such name.
    pub(crate) fn multi(&self, index: &Index<Multiname>) -> Option<Multi> {
        self.multi_in(index, NESTED)
    }

    fn multi_in(&self, index: &Index<Multiname>, depth: usize) -> Option<Multi> {
        let of = |name: &Index<String>, scope: &Rc<Scope>| {
            let name = (name.0 != 0).then(|| self.string(name).clone());
            Multi { name, scope: scope.clone(), of: None, has_runtime_name: false, has_runtime_namespace: false }
        };
        let no_name = Index::new(0);
        Some(match self.abc.name(index)? {
            Multiname::QName { namespace, name } => of(&name, self.scope_of(&namespace)),
            Multiname::QNameA { namespace, name } => attribute(of(&name, self.scope_of(&namespace))),
            Multiname::RTQName { name } | Multiname::RTQNameA { name } => {
                Multi { has_runtime_namespace: true, ..of(&name, &self.empty.1) }
            }
            Multiname::RTQNameL | Multiname::RTQNameLA => {
                Multi { has_runtime_name: true, has_runtime_namespace: true, ..of(&no_name, &self.empty.1) }
            }
            Multiname::Multiname { namespace_set, name } => of(&name, self.scope_of_set(&namespace_set)),
            Multiname::MultinameA { namespace_set, name } => attribute(of(&name, self.scope_of_set(&namespace_set))),
            Multiname::MultinameL { namespace_set } | Multiname::MultinameLA { namespace_set } => {
                Multi { has_runtime_name: true, ..of(&no_name, self.scope_of_set(&namespace_set)) }
            }
            // A parameterised type, such as `Vector.<String>`, has the name of its base type.
            Multiname::TypeName { base_type, parameters } => {
                let inner = |index| self.multi_in(index, depth.checked_sub(1)?);
                let of = parameters.first().and_then(inner).map(Rc::new);
                Multi { of, ..inner(&base_type).unwrap_or_default() }
            }
        })
    }

    fn scope_of(&self, namespace: &Index<Namespace>) -> &Rc<Scope> {
        let make = || Rc::new(self.scope([*namespace]));
        entry(&self.namespaces, namespace).map_or(&self.empty.1, |named| named.scope.get_or_init(make))
    }

    fn scope_of_set(&self, set: &Index<NamespaceSet>) -> &Rc<Scope> {
        let make = || Rc::new(self.scope(self.abc.set(set)));
        entry(&self.scopes, set).map_or(&self.empty.1, |scope| scope.get_or_init(make))
    }

    fn scope(&self, namespaces: impl IntoIterator<Item = Index<Namespace>>) -> Scope {
        let named = namespaces.into_iter().filter_map(|index| entry(&self.namespaces, &index));
        let (spaces, packages): (Vec<Space>, Vec<Option<Name>>) =
            named.map(|named| (named.space, named.package.map(|name| self.string(&name).clone()))).unzip();
        let mut packages: Vec<Name> = packages.into_iter().flatten().collect();
        packages.dedup();
        Scope { spaces: spaces.into(), packages: packages.into() }
    }
}

/// Converts a name to the name of an XML attribute, which matches no property of other objects.
fn attribute(multi: Multi) -> Multi {
    let name = multi.name.as_deref().unwrap_or("*");
    Multi { name: Some(format!("@{name}").into()), ..multi }
}

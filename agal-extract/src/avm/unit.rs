//! One ABC block: its constants in the form in which the interpreter uses them.
//!
//! Numbers in ABC are indices whose entry 0 is left out of the lists; each has a meaning of its own here. No index is
//! trusted.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use swf::avm2::types::{AbcFile, ConstantPool, Index, Method, MethodBody, Multiname, Namespace, NamespaceSet};

use crate::avm::code::Code;
use crate::avm::names::{Multi, Name, Space, Spaces};
use crate::eval::text::Text;

/// The lines of a source that a block was compiled from: by method and offset, the file's place in the list of inputs, and the
/// line from 1.
pub(crate) type Lines = std::collections::BTreeMap<(u32, u32), (usize, u32)>;

/// The SWF in a SWC file.
pub(crate) const LIBRARY: &str = "library.swf";

/// Where a block is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    /// The input that it is from.
    pub(crate) input: usize,
    /// Where in the input it is, such as `library.swf` and `DoABC 2`.
    pub(crate) path: Rc<[String]>,
    /// The lines of its source, if it was compiled from one.
    pub(crate) lines: Option<Rc<Lines>>,
}

impl Origin {
    /// Whether it is for others to use: a SWC, or a source, of which there may be more. A SWF is all there is.
    pub(crate) fn is_of_library(&self) -> bool {
        self.lines.is_some() || self.path.first().is_some_and(|file| file == LIBRARY)
    }
}

/// An ABC block.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) abc: AbcFile,
    pub(crate) origin: Origin,
    strings: Vec<Name>,
    texts: Vec<OnceCell<Text>>,
    multis: Vec<Multi>,
    codes: RefCell<Codes>,
    empty: Name,
}

/// The methods that were decoded last, by their numbers.
#[derive(Debug, Default)]
struct Codes {
    of: HashMap<u32, Rc<Code>>,
    /// How many instructions they have, and how many they may have.
    held: usize,
    most: usize,
}

/// An instruction takes about so many times the memory of its bytes: one for so many bytes of a block is kept.
const SHARE: usize = 40;
/// How many instructions of any block are kept.
const LEAST: usize = 20_000;

/// How deep the parameters of types are read, such as the vectors in vectors.
const NESTED: usize = 4;

fn before<T, U>(list: &[U], index: &Index<T>) -> Option<usize> {
    let at = usize::try_from(index.0).ok()?.checked_sub(1)?;
    (at < list.len()).then_some(at)
}

impl Unit {
    /// Reads the constants of a block.
    pub(crate) fn new(mut abc: AbcFile, origin: Origin, spaces: &mut Spaces) -> Unit {
        let strings: Vec<Name> = std::mem::take(&mut abc.constant_pool.strings)
            .into_iter()
            .map(|bytes| String::from_utf8_lossy(&bytes).into())
            .collect();
        let empty: Name = "".into();
        let bytes: usize = abc.method_bodies.iter().map(|body| body.code.len()).sum();
        let codes = RefCell::new(Codes { most: (bytes / SHARE).max(LEAST), ..Codes::default() });
        let texts = strings.iter().map(|_| OnceCell::new()).collect();
        let mut unit = Unit { abc, origin, strings, texts, multis: Vec::new(), codes, empty };
        let pool = std::mem::replace(&mut unit.abc.constant_pool, no_constants());
        let namespaces: Vec<(Space, Option<Name>)> = pool
            .namespaces
            .iter()
            .map(|namespace| {
                let (name, package) = unit.package(namespace);
                (spaces.number(namespace, &name), package.then_some(name))
            })
            .collect();
        let scopes = Scopes { sets: &pool.namespace_sets, namespaces, found: RefCell::default() };
        unit.multis = pool.multinames.iter().map(|multi| unit.read(multi, &pool.multinames, &scopes, NESTED)).collect();
        unit.abc.constant_pool =
            ConstantPool { ints: pool.ints, uints: pool.uints, doubles: pool.doubles, ..no_constants() };
        unit
    }

    pub(crate) fn string<T>(&self, index: &Index<T>) -> &Name {
        before(&self.strings, index).and_then(|at| self.strings.get(at)).unwrap_or(&self.empty)
    }

    /// A string constant as a value: the same one each time.
    pub(crate) fn text<T>(&self, index: &Index<T>) -> Text {
        match before(&self.strings, index).and_then(|at| self.texts.get(at)) {
            Some(cell) => cell.get_or_init(|| Text::literal(self.string(index))).clone(),
            None => Text::default(),
        }
    }

    pub(crate) fn multi(&self, index: &Index<Multiname>) -> Multi {
        before(&self.multis, index).and_then(|at| self.multis.get(at)).cloned().unwrap_or_default()
    }

    /// The same, without a copy.
    pub(crate) fn multi_at(&self, index: &Index<Multiname>) -> Option<&Multi> {
        self.multis.get(before(&self.multis, index)?)
    }

    pub(crate) fn double(&self, index: &Index<f64>) -> f64 {
        let doubles = &self.abc.constant_pool.doubles;
        before(doubles, index).and_then(|at| doubles.get(at)).copied().unwrap_or(f64::NAN)
    }

    pub(crate) fn int(&self, index: &Index<i32>) -> i32 {
        let ints = &self.abc.constant_pool.ints;
        before(ints, index).and_then(|at| ints.get(at)).copied().unwrap_or_default()
    }

    pub(crate) fn uint(&self, index: &Index<u32>) -> u32 {
        let uints = &self.abc.constant_pool.uints;
        before(uints, index).and_then(|at| uints.get(at)).copied().unwrap_or_default()
    }

    pub(crate) fn method(&self, method: u32) -> Option<&Method> {
        self.abc.methods.get(method as usize)
    }

    pub(crate) fn body(&self, method: u32) -> Option<&MethodBody> {
        self.abc.method_bodies.get(self.method(method)?.body?.0 as usize)
    }

    pub(crate) fn code(&self, method: u32) -> Option<Rc<Code>> {
        let body = self.body(method)?;
        let mut codes = self.codes.borrow_mut();
        if let Some(known) = codes.of.get(&method) {
            return Some(known.clone());
        }
        let code = Rc::new(Code::decode(body));
        codes.held = codes.held.saturating_add(code.instructions.len());
        if codes.held > codes.most {
            codes.of.clear();
            codes.held = code.instructions.len();
        }
        codes.of.insert(method, code.clone());
        Some(code)
    }

    /// The name of a namespace, and whether definitions can be in it.
    fn package(&self, namespace: &Namespace) -> (Name, bool) {
        match namespace {
            Namespace::Package(name)
            | Namespace::PackageInternal(name)
            | Namespace::Namespace(name)
            | Namespace::Private(name) => (self.string(name).clone(), true),
            Namespace::Protected(name) | Namespace::Explicit(name) | Namespace::StaticProtected(name) => {
                (self.string(name).clone(), false)
            }
        }
    }

    fn read(&self, multi: &Multiname, all: &[Multiname], scopes: &Scopes<'_>, depth: usize) -> Multi {
        let named = |name: &Index<String>| (name.0 != 0).then(|| self.string(name).clone());
        let of = |name, Scope { spaces, packages }| Multi { name, spaces, packages, ..Multi::default() };
        match multi {
            Multiname::QName { namespace, name } | Multiname::QNameA { namespace, name } => {
                of(named(name), scopes.of_one(namespace))
            }
            Multiname::RTQName { name } | Multiname::RTQNameA { name } => {
                Multi { name: named(name), has_runtime_namespace: true, ..Multi::default() }
            }
            Multiname::RTQNameL | Multiname::RTQNameLA => {
                Multi { has_runtime_name: true, has_runtime_namespace: true, ..Multi::default() }
            }
            Multiname::Multiname { namespace_set, name } | Multiname::MultinameA { namespace_set, name } => {
                of(named(name), scopes.of_set(namespace_set))
            }
            Multiname::MultinameL { namespace_set } | Multiname::MultinameLA { namespace_set } => {
                Multi { has_runtime_name: true, ..of(None, scopes.of_set(namespace_set)) }
            }
            // A type with parameters, such as `Vector.<String>`, has the name of its base.
            Multiname::TypeName { base_type, parameters } => {
                let inner = |index| {
                    let multi = before(all, index).and_then(|at| all.get(at))?;
                    Some(self.read(multi, all, scopes, depth.checked_sub(1)?))
                };
                let of = parameters.first().and_then(inner).map(Rc::new);
                Multi { of, ..inner(base_type).unwrap_or_default() }
            }
        }
    }
}

/// Where a name may be: the namespaces, and those of them that are packages.
#[derive(Clone, Debug, Default)]
struct Scope {
    spaces: Rc<[Space]>,
    packages: Rc<[Name]>,
}

/// The scopes of a block's names, each of which is there once, however many names have it.
struct Scopes<'p> {
    sets: &'p [NamespaceSet],
    namespaces: Vec<(Space, Option<Name>)>,
    /// By the number of a set, or of a namespace alone.
    found: RefCell<HashMap<(bool, u32), Scope>>,
}

impl Scopes<'_> {
    fn of_one(&self, namespace: &Index<Namespace>) -> Scope {
        self.found.borrow_mut().entry((false, namespace.0)).or_insert_with(|| self.among(&[*namespace])).clone()
    }

    fn of_set(&self, set: &Index<NamespaceSet>) -> Scope {
        let list = || before(self.sets, set).and_then(|at| self.sets.get(at)).map(Vec::as_slice).unwrap_or_default();
        self.found.borrow_mut().entry((true, set.0)).or_insert_with(|| self.among(list())).clone()
    }

    fn among(&self, list: &[Index<Namespace>]) -> Scope {
        let found = |index: &Index<Namespace>| self.namespaces.get(before(&self.namespaces, index)?);
        let spaces = list.iter().filter_map(found).map(|(space, _)| *space).collect();
        let mut packages: Vec<Name> = list.iter().filter_map(|index| found(index)?.1.clone()).collect();
        packages.dedup();
        Scope { spaces, packages: packages.into() }
    }
}

/// A pool without any constants.
pub(crate) fn no_constants() -> ConstantPool {
    ConstantPool {
        ints: Vec::new(),
        uints: Vec::new(),
        doubles: Vec::new(),
        strings: Vec::new(),
        namespaces: Vec::new(),
        namespace_sets: Vec::new(),
        multinames: Vec::new(),
    }
}
